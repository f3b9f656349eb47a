/* store.c - opening an LMDB file with distrust, transactions, sealed values.
 *
 * LMDB maps the file and believes what it finds.  Everything here that looks
 * at a file before LMDB does, does so by pread(2). */
#include "bookdb/store.h"
#include "bookdb/internal.h"

#include "engine/key.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define MAP_FIRST ((size_t)1 << 20) /* of a new file; grown when full */
/* Where the writer's lock lies in PATH-lock: far behind LMDB's own. */
#define LOCK_BYTE ((off_t)1 << 40)

/* ---- numbers ---- */

void bk_put32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
}

void bk_put64(uint8_t *p, uint64_t v)
{
    bk_put32(p, (uint32_t)(v >> 32));
    bk_put32(p + 4, (uint32_t)v);
}

uint32_t bk_get32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 |
           p[3];
}

uint64_t bk_get64(const uint8_t *p)
{
    return (uint64_t)bk_get32(p) << 32 | bk_get32(p + 4);
}

uint8_t *bk_put_varint(uint8_t *p, uint64_t v)
{
    while (v >= 128) {
        *p++ = (uint8_t)(v | 128);
        v >>= 7;
    }
    *p++ = (uint8_t)v;
    return p;
}

const uint8_t *bk_get_varint(const uint8_t *p, const uint8_t *end, uint64_t *v)
{
    uint64_t x = 0;
    for (unsigned shift = 0; p < end && shift < 64; shift += 7) {
        uint8_t b = *p++;
        if (shift == 63 && b > 1)
            return NULL;
        x |= (uint64_t)(b & 127) << shift;
        if (b < 128) {
            *v = x;
            return p;
        }
    }
    return NULL;
}

/* ---- values with a checksum ---- */

void bk_seal(uint8_t *value, size_t n)
{
    bk_put32(value, bk_crc(value + BK_SEAL, n - BK_SEAL));
}

bool bk_unseal(const uint8_t *value, size_t n)
{
    return n >= BK_SEAL &&
           bk_get32(value) == bk_crc(value + BK_SEAL, n - BK_SEAL);
}

/* ---- messages ---- */

/* LMDB reports a write that was cut short as EIO.  Was it for want of room? */
static bool no_room(const char *path)
{
    struct statvfs fs;
    struct stat st;
    struct rlimit limit;
    if (statvfs(path, &fs) == 0 &&
        (uint64_t)fs.f_bavail * fs.f_frsize < UINT64_C(1) << 20)
        return true;
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
           limit.rlim_cur != RLIM_INFINITY && stat(path, &st) == 0 &&
           (uint64_t)st.st_size + (UINT64_C(1) << 20) > limit.rlim_cur;
}

xq_status bk_store_fail(const bk_store *s, int rc, const char *doing,
                        xq_err *err)
{
    const char *path = s->path ? s->path : "?";
    if (rc == EIO && no_room(path))
        rc = ENOSPC;
    switch (rc) {
    case 0:
        return XQ_OK;
    case ENOMEM:
        return xq_fail(err, XQ_ENOMEM, "cannot %s '%s': out of memory", doing,
                       path);
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return xq_fail(err, XQ_EIO,
                       "cannot %s '%s': no room on the disk; what was "
                       "committed before is kept (%s)",
                       doing, path, strerror(rc));
    case MDB_NOTFOUND:
        return xq_fail(err, XQ_ENOTFOUND, "cannot %s '%s': not found", doing,
                       path);
    case MDB_CORRUPTED:
    case MDB_PAGE_NOTFOUND:
    case MDB_INVALID:
    case MDB_VERSION_MISMATCH:
    case MDB_INCOMPATIBLE:
        return xq_fail(err, XQ_ECORRUPT, "cannot %s '%s': damaged file (%s)",
                       doing, path, mdb_strerror(rc));
    default:
        return xq_fail(err, XQ_EIO, "cannot %s '%s': %s", doing, path,
                       mdb_strerror(rc));
    }
}

/* ---- the file before it is mapped ---- */

/* A meta page, as LMDB 0.9 writes it on 64-bit machines (little-endian here;
 * a file of the other byte order has another magic number).
 *
 *   0 page number u64 | 8 pad u16 | 10 flags u16 | 12 lower, upper
 *   16 magic u32 | 20 version u32 | 24 address u64 | 32 map size u64
 *   40 MDB_db free | 88 MDB_db main | 136 last page u64 | 144 txn id u64
 *
 * MDB_db: pad u32 (in the free list's: the page size), flags u16, depth u16,
 * branch pages u64, leaf pages u64, overflow pages u64, entries u64, root
 * u64. */
static bool meta_parse(const uint8_t *page, uint64_t number, bk_meta *m)
{
    uint64_t pgno;
    uint32_t magic, version;
    uint16_t flags;
    memcpy(&pgno, page, 8);
    memcpy(&flags, page + 10, 2);
    memcpy(&magic, page + 16, 4);
    memcpy(&version, page + 20, 4);
    if (pgno != number || (flags & BK_P_META) == 0 || magic != BK_LMDB_MAGIC ||
        version != BK_LMDB_VERSION)
        return false;
    memcpy(&m->psize, page + 40, 4);
    for (int i = 0; i < 2; i++)
        bk_tree_parse(page + 40 + 48 * i, &m->trees[i]);
    memcpy(&m->last_page, page + 136, 8);
    memcpy(&m->txnid, page + 144, 8);
    return m->psize >= 512 && m->psize <= 65536 &&
           (m->psize & (m->psize - 1)) == 0;
}

void bk_tree_parse(const uint8_t *p, bk_tree *t)
{
    memcpy(&t->pad, p, 4);
    memcpy(&t->flags, p + 4, 2);
    memcpy(&t->depth, p + 6, 2);
    memcpy(&t->branches, p + 8, 8);
    memcpy(&t->leaves, p + 16, 8);
    memcpy(&t->overflows, p + 24, 8);
    memcpy(&t->entries, p + 32, 8);
    memcpy(&t->root, p + 40, 8);
}

bool bk_pread_all(int fd, void *buf, size_t n, uint64_t at)
{
    uint8_t *p = buf;
    while (n) {
        ssize_t got = pread(fd, p, n, (off_t)at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        p += got;
        n -= (size_t)got;
        at += (uint64_t)got;
    }
    return true;
}

/* Read both meta pages; the newer goes to *m.  The size is taken after them:
 * a file that is being written only grows. */
xq_status bk_meta_read(int fd, const char *path, const char *what, bk_meta *m,
                       uint64_t *size, xq_err *err)
{
    uint8_t page[BK_META_BYTES];
    bk_meta meta[2];
    struct stat st;
    if (!bk_pread_all(fd, page, sizeof page, 0) ||
        !meta_parse(page, 0, &meta[0]))
        return xq_fail(err, XQ_ECORRUPT, "'%s' is no %s", path, what);
    if (!bk_pread_all(fd, page, sizeof page, meta[0].psize) ||
        !meta_parse(page, 1, &meta[1]) || meta[1].psize != meta[0].psize)
        return xq_fail(err, XQ_ECORRUPT,
                       "'%s' is damaged: page 1 is no meta page", path);
    if (fstat(fd, &st) != 0)
        return xq_fail(err, XQ_EIO, "cannot read '%s': %s", path,
                       strerror(errno));
    *size = (uint64_t)st.st_size;
    bool newer = meta[1].txnid > meta[0].txnid;
    /* Transactions take turns: even ones page 0, odd ones page 1. */
    if (meta[newer].txnid - meta[!newer].txnid > 1 ||
        (meta[newer].txnid && (meta[newer].txnid & 1) != newer))
        return xq_fail(err, XQ_ECORRUPT,
                       "'%s' is damaged: its meta pages do not follow each "
                       "other",
                       path);
    *m = meta[newer];
    return XQ_OK;
}

/* Is this an LMDB file whose pages are all there? */
static xq_status precheck(const char *path, const char *what,
                          uint64_t *last_page, xq_err *err)
{
    xq_status rc;
    /* Not blocking: opening a pipe would wait for somebody to write. */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return xq_fail(err, errno == ENOENT ? XQ_ENOTFOUND : XQ_EIO,
                       "cannot open '%s': %s", path, strerror(errno));
    struct stat st;
    bk_meta m = {0};
    uint64_t size = 0;
    if (fstat(fd, &st) == 0 && !S_ISREG(st.st_mode)) {
        rc = xq_fail(err, XQ_EIO, "cannot open '%s': not a regular file", path);
    } else {
        /* A meta page being written just now may look torn: look again. */
        for (int i = 0; (rc = bk_meta_read(fd, path, what, &m, &size, err)) ==
                            XQ_ECORRUPT &&
                        i < 3 && st.st_size > 0;
             i++)
            usleep(2000);
    }
    close(fd);
    if (rc != XQ_OK)
        return rc;
    *last_page = m.last_page;
    /* A page past the end is a fault only when it is in use: the last pages
     * of a transaction can be free ones, which LMDB never wrote. */
    if (size / m.psize <= m.last_page) {
        rc = bk_pages_whole(path, err);
        if (rc == XQ_ECORRUPT)
            return xq_fail(err, XQ_ECORRUPT,
                           "'%s' is cut short: %" PRIu64 " of %" PRIu64
                           " bytes",
                           path, size, (m.last_page + 1) * m.psize);
    }
    return rc;
}

/* ---- the value "format": which kind of file, which version ----
 *
 *   0  three letters of the kind, a digit: the version
 *   4  Zobrist key of the start position (8): the constants never change
 *   12 CRC-32 of the 12 bytes before (4) */
void bk_format_make(uint8_t out[BK_FORMAT_BYTES], const char magic[4])
{
    xq_pos p;
    xq_pos_start(&p);
    memcpy(out, magic, 4);
    bk_put64(out + 4, p.key);
    bk_put32(out + 12, bk_crc(out, 12));
}

#define CACHE_MAGIC "qan" /* tools/evalcache.c */

const char *bk_kind_of_file(const char magic[4])
{
    return memcmp(magic, "QGM", 3) == 0         ? "a game database"
           : memcmp(magic, "BKB", 3) == 0       ? "an opening book"
           : memcmp(magic, CACHE_MAGIC, 3) == 0 ? "a cache of evaluations"
                                                : "another kind of file";
}

/* Of a file that is nothing of ours: "'...' is no ..." */
static const char *what_is_wanted(const char magic[4])
{
    return memcmp(magic, CACHE_MAGIC, 3) == 0 ? "cache of evaluations"
                                              : BK_WANTED;
}

static xq_status format_check(const bk_store *s, const char magic[4],
                              xq_err *err)
{
    MDB_txn *txn;
    MDB_dbi dbi;
    MDB_val key = {6, (void *)(uintptr_t) "format"}, v;
    uint8_t want[BK_FORMAT_BYTES];
    xq_status rc = bk_store_begin((bk_store *)(uintptr_t)s, false, &txn, err);
    if (rc != XQ_OK)
        return rc;
    int e = mdb_dbi_open(txn, NULL, 0, &dbi);
    if (!e)
        e = mdb_get(txn, dbi, &key, &v);
    bk_format_make(want, magic);
    if (e == MDB_NOTFOUND || e == MDB_INCOMPATIBLE ||
        (!e && v.mv_size != BK_FORMAT_BYTES))
        rc = xq_fail(err, XQ_ECORRUPT, "'%s' is no %s", s->path,
                     what_is_wanted(magic));
    else if (e)
        rc = bk_store_fail(s, e, "open", err);
    else if (bk_get32((uint8_t *)v.mv_data + 12) != bk_crc(v.mv_data, 12))
        rc = xq_fail(err, XQ_ECORRUPT, "'%s' is damaged: format record",
                     s->path);
    else if (memcmp(v.mv_data, magic, 3) != 0)
        rc = xq_fail(err, XQ_ECORRUPT, "'%s' is %s, not %s", s->path,
                     bk_kind_of_file(v.mv_data), bk_kind_of_file(magic));
    else if (((const char *)v.mv_data)[3] != magic[3])
        rc = xq_fail(err, XQ_ECORRUPT,
                     "'%s' has format version %c; this program reads %c",
                     s->path, ((const char *)v.mv_data)[3], magic[3]);
    else if (memcmp(v.mv_data, want, BK_FORMAT_BYTES) != 0)
        rc = xq_fail(err, XQ_ECORRUPT, "'%s' was made with other key constants",
                     s->path);
    mdb_txn_abort(txn);
    return rc;
}

/* ---- opening ---- */

/* Make a file of that name, empty and ours alone, over what a killed process
 * left.  -1 with errno. */
static int open_locked(const char *name)
{
    for (;;) {
        struct stat a, b;
        int fd = open(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0)
            return -1;
        /* Where there are no locks, two creators at once are unlikely. */
        while (flock(fd, LOCK_EX) != 0 && errno == EINTR)
            ;
        /* Has the one before renamed or removed it?  Then again.  Was he
         * killed between link and unlink?  Then it is the database itself. */
        const bool same = fstat(fd, &a) == 0 && stat(name, &b) == 0 &&
                          a.st_ino == b.st_ino && a.st_dev == b.st_dev;
        if (same && a.st_nlink == 1) {
            if (ftruncate(fd, 0) == 0)
                return fd;
            const int e = errno;
            close(fd);
            errno = e;
            return -1;
        }
        if (same)
            unlink(name);
        close(fd);
    }
}

/* A file of its own, complete with its format record, appears at `path` by
 * link(2): whoever is killed meanwhile leaves nothing at `path`, and of two
 * creators one wins. */
static xq_status create(const char *path, const char magic[4], xq_err *err)
{
    uint8_t format[BK_FORMAT_BYTES];
    MDB_env *env = NULL;
    MDB_txn *txn = NULL;
    MDB_dbi dbi;
    MDB_val key = {6, (void *)(uintptr_t) "format"},
            v = {sizeof format, format};
    bk_store s = {.path = (char *)(uintptr_t)path};
    size_t n = strlen(path) + 32;
    char *tmp = malloc(n);
    if (!tmp)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    snprintf(tmp, n, "%s.new.tmp", path);
    const int fd = open_locked(tmp);
    if (fd < 0) {
        free(tmp);
        return xq_fail(err, XQ_EIO, "cannot create '%s': %s", path,
                       strerror(errno));
    }
    bk_format_make(format, magic);
    int e = mdb_env_create(&env);
    if (!e)
        e = mdb_env_set_mapsize(env, MAP_FIRST);
    if (!e)
        e = mdb_env_open(env, tmp, MDB_NOSUBDIR | MDB_NOLOCK, 0666);
    if (!e)
        e = mdb_txn_begin(env, NULL, 0, &txn);
    if (!e)
        e = mdb_dbi_open(txn, NULL, 0, &dbi);
    if (!e)
        e = mdb_put(txn, dbi, &key, &v, 0);
    if (!e) {
        e = mdb_txn_commit(txn);
        txn = NULL;
    }
    if (txn)
        mdb_txn_abort(txn);
    if (env)
        mdb_env_close(env);
    xq_status rc = bk_store_fail(&s, e, "create", err);
    if (rc == XQ_OK && link(tmp, path) != 0 && errno != EEXIST) {
        /* a file system without links */
        if (rename(tmp, path) != 0)
            rc = xq_fail(err, XQ_EIO, "cannot create '%s': %s", path,
                         strerror(errno));
    }
    unlink(tmp);
    close(fd);
    free(tmp);
    return rc;
}

/* The lock file lies beside the file itself: whoever comes by a link must
 * find the same one. */
static xq_status find_real(bk_store *s, xq_err *err)
{
    s->real = realpath(s->path, NULL);
    if (!s->real)
        return xq_fail(err, errno == ENOMEM ? XQ_ENOMEM : XQ_EIO,
                       "cannot open '%s': %s", s->path, strerror(errno));
    const size_t n = strlen(s->real) + 8;
    s->lock = malloc(n);
    if (!s->lock)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    snprintf(s->lock, n, "%s-lock", s->real);
    return XQ_OK;
}

bk_lost_file *bk_on_lost_file;

/* LMDB found nonsense on a page, and is about to abort. */
static void lost(MDB_env *env, const char *what)
{
    const char *path = "?";
    (void)what;
    if (!bk_on_lost_file)
        return;
    (void)mdb_env_get_path(env, &path);
    bk_on_lost_file(path);
}

static int env_open(bk_store *s, unsigned max_dbs, unsigned extra)
{
    int e = mdb_env_create(&s->env);
    if (!e)
        e = mdb_env_set_assert(s->env, lost);
    if (!e)
        e = mdb_env_set_maxdbs(s->env, max_dbs);
    if (!e)
        e = mdb_env_open(s->env, s->real,
                         MDB_NOSUBDIR | MDB_NOTLS | extra |
                             (s->writable ? 0u : MDB_RDONLY),
                         0666);
    if (e && s->env) {
        mdb_env_close(s->env);
        s->env = NULL;
    }
    return e;
}

/* ---- the file while it is mapped ---- */

static xq_status look(const bk_store *s, struct stat *st, xq_err *err)
{
    mdb_filehandle_t fd;
    if (mdb_env_get_fd(s->env, &fd) == 0 && fstat(fd, st) == 0)
        return XQ_OK;
    return xq_fail(err, XQ_EIO, "cannot read '%s': %s", s->path,
                   strerror(errno));
}

static xq_status remember(bk_store *s, int mode, xq_err *err)
{
    struct stat st;
    const xq_status rc = look(s, &st, err);
    if (rc != XQ_OK)
        return rc;
    s->still = mode == BK_STATIC;
    s->size = (uint64_t)st.st_size;
    s->mtime = st.st_mtim;
    return XQ_OK;
}

xq_status bk_store_whole(const bk_store *s, xq_err *err)
{
    struct stat st;
    const xq_status rc = look(s, &st, err);
    if (rc != XQ_OK)
        return rc;
    if ((uint64_t)st.st_size < s->size)
        return xq_fail(err, XQ_EIO,
                       "'%s' was cut short after it was opened: %" PRIu64
                       " of %" PRIu64 " bytes",
                       s->path, (uint64_t)st.st_size, s->size);
    if (s->still && ((uint64_t)st.st_size != s->size ||
                     st.st_mtim.tv_sec != s->mtime.tv_sec ||
                     st.st_mtim.tv_nsec != s->mtime.tv_nsec))
        return xq_fail(err, XQ_EIO,
                       "'%s' was changed after it was opened: open it again",
                       s->path);
    return XQ_OK;
}

xq_status bk_store_open(bk_store *s, const char *path, int mode,
                        const char magic[4], unsigned max_dbs, xq_err *err)
{
    const bool writable = mode == BK_WRITE || mode == BK_CREATE;
    *s = (bk_store){.lock_fd = -1, .writable = writable};
    s->path = strdup(path);
    if (!s->path)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    uint64_t last_page = 0;
    struct stat st, lock;
    xq_status rc = XQ_OK;
    if (mode == BK_CREATE && stat(path, &st) != 0 && errno == ENOENT)
        rc = create(path, magic, err);
    if (rc == XQ_OK)
        rc = precheck(path, what_is_wanted(magic), &last_page, err);
    if (rc == XQ_OK)
        rc = find_real(s, err);
    if (rc == XQ_OK) {
        int e = env_open(s, max_dbs, mode == BK_STATIC ? MDB_NOLOCK : 0u);
        /* No lock file can be made here: read without one. */
        if ((e == EACCES || e == EROFS || e == EPERM) && mode == BK_READ)
            e = env_open(s, max_dbs, MDB_NOLOCK);
        rc = bk_store_fail(s, e, "open", err);
        if (rc == XQ_EIO && stat(s->lock, &lock) == 0 && !S_ISREG(lock.st_mode))
            rc = xq_fail(err, XQ_EIO,
                         "cannot open '%s': '%s-lock' is in the way", path,
                         path);
    }
    if (rc == XQ_OK)
        rc = remember(s, mode, err);
    int dead;
    if (rc == XQ_OK)
        (void)mdb_reader_check(s->env, &dead); /* fails only where there is
                                                  no lock file to clean */
    if (rc == XQ_OK)
        rc = format_check(s, magic, err);
    if (rc != XQ_OK)
        bk_store_close(s);
    return rc;
}

void bk_store_close(bk_store *s)
{
    if (s->env)
        mdb_env_close(s->env);
    if (s->path && s->lock_fd >= 0)
        close(s->lock_fd); /* after LMDB's: closing drops all our locks */
    free(s->path);
    free(s->real);
    free(s->lock);
    *s = (bk_store){.lock_fd = -1};
}

/* ---- one writer ---- */

xq_status bk_store_lock(bk_store *s, void (*waiting)(long pid), xq_err *err)
{
    s->lock_fd = open(s->lock, O_RDWR | O_CLOEXEC);
    if (s->lock_fd < 0)
        return xq_fail(err, XQ_EIO, "cannot lock '%s': %s", s->path,
                       strerror(errno));
    struct flock want = {.l_type = F_WRLCK,
                         .l_whence = SEEK_SET,
                         .l_start = LOCK_BYTE,
                         .l_len = 1};
    struct flock l = want;
    if (fcntl(s->lock_fd, F_SETLK, &l) == 0)
        return XQ_OK;
    if (errno == EACCES || errno == EAGAIN) {
        l = want;
        long pid = fcntl(s->lock_fd, F_GETLK, &l) == 0 && l.l_type != F_UNLCK
                       ? (long)l.l_pid
                       : 0;
        if (!waiting)
            return xq_fail(err, XQ_EIO, "'%s' is locked by pid %ld", s->path,
                           pid);
        waiting(pid);
        l = want;
        if (fcntl(s->lock_fd, F_SETLKW, &l) == 0)
            return XQ_OK;
        if (errno == EINTR)
            return xq_fail(err, XQ_EIO, "interrupted while '%s' was locked",
                           s->path);
    }
    return xq_fail(err, XQ_EIO, "cannot lock '%s': %s", s->path,
                   strerror(errno));
}

bool bk_store_current(const bk_store *s)
{
    mdb_filehandle_t fd;
    struct stat open_file, at_path;
    return mdb_env_get_fd(s->env, &fd) == 0 && fstat(fd, &open_file) == 0 &&
           stat(s->path, &at_path) == 0 && open_file.st_dev == at_path.st_dev &&
           open_file.st_ino == at_path.st_ino;
}

/* ---- holding ---- */

struct bk_hold {
    bk_store store;
    MDB_txn *txn;
};

bk_hold *bk_store_hold(const char *path)
{
    uint64_t last_page;
    bk_hold *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->store.lock_fd = -1;
    h->store.path = strdup(path);
    /* Opening and beginning read the meta pages and nothing else. */
    if (h->store.path && precheck(path, BK_WANTED, &last_page, NULL) == XQ_OK &&
        find_real(&h->store, NULL) == XQ_OK && env_open(&h->store, 0, 0) == 0 &&
        mdb_txn_begin(h->store.env, NULL, MDB_RDONLY, &h->txn) == 0)
        return h;
    bk_store_release(h);
    return NULL;
}

void bk_store_release(bk_hold *h)
{
    if (!h)
        return;
    if (h->txn)
        mdb_txn_abort(h->txn);
    bk_store_close(&h->store);
    free(h);
}

/* ---- transactions ---- */

xq_status bk_store_begin(bk_store *s, bool write, MDB_txn **txn, xq_err *err)
{
    int e = 0, dead;
    const xq_status rc = bk_store_whole(s, err);
    if (rc != XQ_OK)
        return rc;
    for (int tries = 0; tries < 100; tries++) {
        e = mdb_txn_begin(s->env, NULL, write ? 0u : MDB_RDONLY, txn);
        if (e == MDB_MAP_RESIZED) {
            e = mdb_env_set_mapsize(s->env, 0);
            if (e)
                break;
        } else if (e == MDB_READERS_FULL && tries == 0) {
            (void)mdb_reader_check(s->env, &dead);
        } else {
            break;
        }
    }
    if (e == MDB_READERS_FULL)
        return xq_fail(err, XQ_EIO, "cannot read '%s': too many readers",
                       s->path);
    return bk_store_fail(s, e, write ? "write" : "read", err);
}

static xq_status set_map(bk_store *s, size_t size, xq_err *err)
{
    int e = mdb_env_set_mapsize(s->env, size);
    if (e == ENOMEM)
        return xq_fail(err, XQ_ENOMEM,
                       "cannot map '%s': %zu MiB of address space refused",
                       s->path, size >> 20);
    return bk_store_fail(s, e, "grow the map of", err);
}

xq_status bk_store_grow(bk_store *s, xq_err *err)
{
    MDB_envinfo info;
    int e = mdb_env_info(s->env, &info);
    if (e)
        return bk_store_fail(s, e, "grow the map of", err);
    if (info.me_mapsize > SIZE_MAX / 2)
        return xq_fail(err, XQ_ELIMIT, "'%s' is too large to map", s->path);
    return set_map(s, info.me_mapsize * 2, err);
}

xq_status bk_store_reserve(bk_store *s, size_t bytes, xq_err *err)
{
    MDB_envinfo info;
    MDB_stat st;
    int e = mdb_env_info(s->env, &info);
    if (!e)
        e = mdb_env_stat(s->env, &st);
    if (e)
        return bk_store_fail(s, e, "grow the map of", err);
    size_t used = (info.me_last_pgno + 1) * st.ms_psize;
    if (s->tight || used + bytes <= info.me_mapsize)
        return XQ_OK;
    /* Half as much again, so that the map is not moved each batch. */
    size_t want = used + bytes + used / 2;
    return set_map(s, (want | (MAP_FIRST - 1)) + 1, err);
}

void bk_store_settle(bk_store *s)
{
    /* Free pages at the end were perhaps never written: make the file as
     * long as its meta page says, so that the next open need not walk it. */
    MDB_envinfo info;
    MDB_stat st;
    struct stat fst;
    mdb_filehandle_t fd;
    if (mdb_env_info(s->env, &info) || mdb_env_stat(s->env, &st) ||
        mdb_env_get_fd(s->env, &fd) || fstat(fd, &fst) != 0)
        return;
    off_t want = (off_t)((info.me_last_pgno + 1) * st.ms_psize);
    if (fst.st_size < want && ftruncate(fd, want) != 0)
        return; /* the longer way at the next open */
}
