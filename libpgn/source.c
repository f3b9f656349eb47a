/* source.c - bytes out of files, pipes, compressed files and tar archives.
 *
 * A plain file is read with read(2), nothing between.  What begins like a
 * compressed file or an archive goes through libarchive; of a pipe the
 * beginning is kept in `head` until it is read again. */
#include "libpgn/source.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libpgn/buf.h"

enum {
    HEAD = 1024,        /* looked at; a tar's magic is at 257 */
    PACKED = 256 << 10, /* read at a time for libarchive */
    BLOCK = 64 << 10,   /* asked of libarchive at a time: of a call that
                           meets damage all is lost */
};
#define UNPACK_FREE (UINT64_C(64) << 20)

struct pgn_source {
    char *path;
    int fd; /* -1: memory */
    const uint8_t *mem;
    size_t nmem, at_mem;
    uint64_t size;     /* 0: unknown */
    uint64_t consumed; /* bytes taken from fd or mem */
    uint64_t unpacked; /* bytes handed out */
    int sys_errno;     /* of a failed read(2) */

    /* Bytes that were looked at and not yet read. */
    uint8_t head[HEAD];
    size_t nhead, at_head;

    /* Packed files only. */
    struct archive *outer, *inner; /* inner: compression inside a member */
    uint8_t *packed;
    bool is_archive;      /* several members, not one compressed file */
    uint8_t member[HEAD]; /* beginning of the member, not yet read */
    size_t nmember, at_member;
    uint8_t *inner_buf;

    bool started, finished, empty;
    pgn_buf name; /* NUL-terminated */
};

/* ---- bytes as they lie ---- */

static xq_status fail_read(const pgn_source *s, xq_err *err)
{
    return xq_fail(err, XQ_EIO, "cannot read: %s", strerror(s->sys_errno));
}

/* As read(2), over what was looked at, then the file or memory. */
static ssize_t read_raw(pgn_source *s, void *buf, size_t n)
{
    if (s->at_head < s->nhead) {
        const size_t k = s->nhead - s->at_head;
        n = n < k ? n : k;
        memcpy(buf, s->head + s->at_head, n);
        s->at_head += n;
        return (ssize_t)n;
    }
    if (s->fd < 0) {
        const size_t k = s->nmem - s->at_mem;
        n = n < k ? n : k;
        if (n)
            memcpy(buf, s->mem + s->at_mem, n);
        s->at_mem += n;
        s->consumed += n;
        return (ssize_t)n;
    }
    ssize_t got;
    do
        got = read(s->fd, buf, n);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        s->sys_errno = errno;
    else
        s->consumed += (size_t)got;
    return got;
}

/* Look at the beginning without losing it. */
static bool peek_head(pgn_source *s, bool seekable)
{
    if (seekable) {
        ssize_t got;
        do
            got = pread(s->fd, s->head, HEAD, 0);
        while (got < 0 && errno == EINTR);
        if (got < 0) {
            s->sys_errno = errno;
            return false;
        }
        s->nhead = (size_t)got;
        return true;
    }
    uint8_t head[HEAD];
    size_t n = 0;
    while (n < HEAD) {
        const ssize_t got = read_raw(s, head + n, HEAD - n);
        if (got < 0)
            return false;
        if (!got)
            break;
        n += (size_t)got;
    }
    memcpy(s->head, head, n);
    s->nhead = n;
    return true;
}

/* ---- what it is ---- */

enum kind { PLAIN, COMPRESSED, ARCHIVE };

static bool begins(const uint8_t *p, size_t n, const char *magic, size_t len)
{
    return n >= len && memcmp(p, magic, len) == 0;
}

/* The header of a tar file carries a sum of its own bytes. */
static bool is_tar(const uint8_t *p, size_t n)
{
    if (n < 512 || !p[0])
        return false;
    unsigned sum = 0, stated = 0;
    for (int i = 0; i < 512; i++)
        sum += i >= 148 && i < 156 ? ' ' : p[i];
    int i = 148;
    while (i < 156 && p[i] == ' ')
        i++;
    for (; i < 156 && p[i] >= '0' && p[i] <= '7'; i++)
        stated = stated * 8 + (p[i] - '0');
    return sum == stated;
}

static enum kind kind_of(const uint8_t *p, size_t n)
{
    static const struct {
        const char *magic;
        size_t len;
        enum kind kind;
    } MAGIC[] = {
        {"\x1F\x8B\x08", 3, COMPRESSED},     /* gzip */
        {"\x28\xB5\x2F\xFD", 4, COMPRESSED}, /* zstd */
        {"\xFD\x37zXZ\0", 6, COMPRESSED},    /* xz */
        {"\x04\x22\x4D\x18", 4, COMPRESSED}, /* lz4 */
        {"PK\x03\x04", 4, ARCHIVE},          /* zip */
        {"PK\x05\x06", 4, ARCHIVE},          /* zip, empty */
    };
    for (size_t i = 0; i < sizeof MAGIC / sizeof *MAGIC; i++)
        if (begins(p, n, MAGIC[i].magic, MAGIC[i].len))
            return MAGIC[i].kind;
    if (begins(p, n, "BZh", 3) && n >= 10 && p[3] >= '1' && p[3] <= '9' &&
        (!memcmp(p + 4, "1AY&SY", 6) ||
         !memcmp(p + 4, "\x17\x72\x45\x38\x50\x90", 6)))
        return COMPRESSED;
    /* zstd may begin with a frame to skip. */
    if (n >= 8 && (p[0] & 0xF0) == 0x50 && !memcmp(p + 1, "\x2A\x4D\x18", 3))
        return COMPRESSED;
    return is_tar(p, n) ? ARCHIVE : PLAIN;
}

/* ---- libarchive ---- */

static la_ssize_t on_read(struct archive *a, void *data, const void **buf)
{
    pgn_source *s = data;
    const ssize_t got = read_raw(s, s->packed, PACKED);
    if (got < 0)
        archive_set_error(a, s->sys_errno, "%s", strerror(s->sys_errno));
    *buf = s->packed;
    return got;
}

static la_int64_t on_seek(struct archive *a, void *data, la_int64_t offset,
                          int whence)
{
    pgn_source *s = data;
    const off_t at = lseek(s->fd, offset, whence);
    if (at < 0) {
        s->sys_errno = errno;
        archive_set_error(a, errno, "%s", strerror(errno));
        return ARCHIVE_FATAL;
    }
    s->at_head = s->nhead;
    return at;
}

/* What libarchive complains about, or what the system did. */
static xq_status fail_archive(const pgn_source *s, struct archive *a,
                              xq_err *err)
{
    if (s->sys_errno)
        return fail_read(s, err);
    if (archive_errno(a) == ENOMEM)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    const char *why = archive_error_string(a);
    return xq_fail(err, XQ_ESYNTAX, "damaged archive or compressed file: %s",
                   why ? why : "no reason given");
}

static void add_filters(struct archive *a)
{
    archive_read_support_filter_gzip(a);
    archive_read_support_filter_zstd(a);
    archive_read_support_filter_bzip2(a);
    archive_read_support_filter_xz(a);
    archive_read_support_filter_lz4(a);
}

static xq_status open_outer(pgn_source *s, bool seekable, xq_err *err)
{
    s->packed = malloc(PACKED);
    s->outer = archive_read_new();
    if (!s->packed || !s->outer)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    struct archive *a = s->outer;
    add_filters(a);
    archive_read_support_format_tar(a);
    archive_read_support_format_zip(a);
    archive_read_support_format_raw(a);
    archive_read_support_format_empty(a);
    archive_read_set_callback_data(a, s);
    archive_read_set_read_callback(a, on_read);
    if (seekable)
        archive_read_set_seek_callback(a, on_seek);
    if (archive_read_open1(a) != ARCHIVE_OK)
        return fail_archive(s, a, err);
    return XQ_OK;
}

static xq_status check_ratio(const pgn_source *s, xq_err *err)
{
    /* A zip file is read from its end: what was read may be little. */
    const uint64_t packed = s->consumed > UINT64_MAX / PGN_UNPACK_RATIO
                                ? UINT64_MAX / PGN_UNPACK_RATIO
                                : s->consumed;
    if (s->unpacked > UNPACK_FREE &&
        (s->unpacked - UNPACK_FREE) / PGN_UNPACK_RATIO > packed)
        return xq_fail(err, XQ_ELIMIT,
                       "unpacks to more than %d times its size: not read "
                       "further",
                       PGN_UNPACK_RATIO);
    return XQ_OK;
}

/* Data of the member that outer stands in. */
static xq_status read_outer(pgn_source *s, void *buf, size_t n, size_t *got,
                            xq_err *err)
{
    const la_ssize_t k =
        archive_read_data(s->outer, buf, n < BLOCK ? n : BLOCK);
    if (k < 0)
        return fail_archive(s, s->outer, err);
    s->unpacked += (uint64_t)k;
    *got = (size_t)k;
    return check_ratio(s, err);
}

static la_ssize_t on_read_inner(struct archive *a, void *data, const void **buf)
{
    pgn_source *s = data;
    *buf = s->inner_buf;
    if (s->at_member < s->nmember) {
        const size_t n = s->nmember - s->at_member;
        memcpy(s->inner_buf, s->member + s->at_member, n);
        s->at_member = s->nmember;
        return (la_ssize_t)n;
    }
    size_t got = 0;
    xq_err err;
    if (read_outer(s, s->inner_buf, PACKED, &got, &err) != XQ_OK) {
        archive_set_error(a, EINVAL, "%s", err.msg);
        return -1;
    }
    return (la_ssize_t)got;
}

static xq_status open_inner(pgn_source *s, xq_err *err)
{
    if (!s->inner_buf)
        s->inner_buf = malloc(PACKED);
    s->inner = archive_read_new();
    if (!s->inner_buf || !s->inner)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    struct archive *a = s->inner;
    struct archive_entry *entry;
    add_filters(a);
    archive_read_support_format_raw(a);
    archive_read_support_format_empty(a);
    archive_read_set_callback_data(a, s);
    archive_read_set_read_callback(a, on_read_inner);
    if (archive_read_open1(a) != ARCHIVE_OK)
        return fail_archive(s, a, err);
    const int rc = archive_read_next_header(a, &entry);
    if (rc == ARCHIVE_EOF) { /* nothing in it */
        archive_read_free(a);
        s->inner = NULL;
        return XQ_OK;
    }
    return rc < ARCHIVE_WARN ? fail_archive(s, a, err) : XQ_OK;
}

/* ---- members ---- */

static xq_status set_name(pgn_source *s, const char *member, xq_err *err)
{
    s->name.n = 0;
    pgn_buf_puts(&s->name, s->path);
    if (member) {
        pgn_buf_puts(&s->name, ":");
        pgn_buf_visible(&s->name, xq_str_of(member));
    }
    pgn_buf_add(&s->name, "", 1);
    return s->name.failed ? xq_fail(err, XQ_ENOMEM, "out of memory") : XQ_OK;
}

/* The rest of a member is read over here, so that what it unpacks to is
 * counted; a plain tar file is skipped by libarchive. */
static xq_status skip_member(pgn_source *s, xq_err *err)
{
    if (s->inner)
        archive_read_free(s->inner);
    s->inner = NULL;
    s->nmember = s->at_member = 0;
    if (!s->started || archive_filter_count(s->outer) < 2)
        return XQ_OK;
    const void *block;
    size_t n;
    la_int64_t offset;
    int rc;
    while ((rc = archive_read_data_block(s->outer, &block, &n, &offset)) ==
           ARCHIVE_OK) {
        s->unpacked += n;
        if (check_ratio(s, err) != XQ_OK)
            return XQ_ELIMIT;
    }
    return rc == ARCHIVE_EOF ? XQ_OK : fail_archive(s, s->outer, err);
}

static xq_status start_member(pgn_source *s, struct archive_entry *entry,
                              xq_err *err)
{
    const char *name = archive_entry_pathname(entry);
    if (!name)
        name = archive_entry_pathname_utf8(entry);
    const xq_status rc = set_name(s, name ? name : "?", err);
    if (rc != XQ_OK)
        return rc;
    while (s->nmember < HEAD) {
        size_t got = 0;
        const xq_status st =
            read_outer(s, s->member + s->nmember, HEAD - s->nmember, &got, err);
        if (st != XQ_OK)
            return st;
        if (!got)
            break;
        s->nmember += got;
    }
    return kind_of(s->member, s->nmember) == COMPRESSED ? open_inner(s, err)
                                                        : XQ_OK;
}

static xq_status next_member(pgn_source *s, xq_err *err)
{
    for (;;) {
        struct archive_entry *entry;
        const xq_status skipped = skip_member(s, err);
        if (skipped != XQ_OK)
            return skipped;
        const int rc = archive_read_next_header(s->outer, &entry);
        if (rc == ARCHIVE_EOF) {
            s->finished = true;
            /* A compressed file of nothing is one empty file. */
            if (s->started || archive_format(s->outer) != ARCHIVE_FORMAT_EMPTY)
                return XQ_DONE;
            s->started = s->empty = true;
            return set_name(s, NULL, err);
        }
        if (rc < ARCHIVE_WARN)
            return fail_archive(s, s->outer, err);
        s->started = true;
        if (archive_format(s->outer) == ARCHIVE_FORMAT_RAW) {
            s->is_archive = false;
            return set_name(s, NULL, err);
        }
        s->is_archive = true;
        /* Hard links name a member that was there before. */
        if (archive_entry_filetype(entry) == AE_IFREG &&
            !archive_entry_hardlink(entry))
            return start_member(s, entry, err);
    }
}

xq_status pgn_source_next(pgn_source *s, const char **name, xq_err *err)
{
    xq_status rc;
    if (s->finished)
        return XQ_DONE;
    if (s->outer) {
        rc = next_member(s, err);
        if (rc < 0)
            s->finished = true;
    } else if (s->started) {
        s->finished = true;
        return XQ_DONE;
    } else {
        s->started = true;
        rc = set_name(s, NULL, err);
    }
    /* After an error the name is the file's. */
    if (rc < 0 && set_name(s, NULL, NULL) != XQ_OK)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    if (rc != XQ_DONE)
        *name = s->name.s;
    return rc;
}

xq_status pgn_source_read(pgn_source *s, void *buf, size_t n, size_t *got,
                          xq_err *err)
{
    *got = 0;
    if (s->empty)
        return XQ_OK;
    if (s->inner) {
        const la_ssize_t k =
            archive_read_data(s->inner, buf, n < BLOCK ? n : BLOCK);
        if (k < 0) {
            s->finished = true;
            return fail_archive(s, s->inner, err);
        }
        s->unpacked += (uint64_t)k;
        *got = (size_t)k;
        return check_ratio(s, err);
    }
    if (s->at_member < s->nmember) {
        const size_t k = s->nmember - s->at_member;
        n = n < k ? n : k;
        memcpy(buf, s->member + s->at_member, n);
        s->at_member += n;
        *got = n;
        return XQ_OK;
    }
    if (s->outer) {
        const xq_status rc = read_outer(s, buf, n, got, err);
        if (rc != XQ_OK)
            s->finished = true;
        return rc;
    }
    const ssize_t k = read_raw(s, buf, n);
    if (k < 0)
        return fail_read(s, err);
    *got = (size_t)k;
    return XQ_OK;
}

/* ---- opening ---- */

static xq_status open_any(pgn_source *s, bool seekable, xq_err *err)
{
    if (!peek_head(s, seekable))
        return fail_read(s, err);
    const enum kind kind = kind_of(s->head, s->nhead);
    if (seekable)
        s->nhead = 0; /* the file still stands at its beginning */
    return kind == PLAIN ? XQ_OK : open_outer(s, seekable, err);
}

xq_status pgn_source_open(pgn_source **out, const char *path, xq_err *err)
{
    *out = NULL;
    pgn_source *s = calloc(1, sizeof *s);
    if (!s)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    s->path = strdup(path);
    s->fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC) : 0;
    struct stat st;
    xq_status rc = XQ_OK;
    if (!s->path)
        rc = xq_fail(err, XQ_ENOMEM, "out of memory");
    else if (s->fd < 0 || fstat(s->fd, &st) < 0)
        rc = xq_fail(err, XQ_EIO, "cannot open: %s", strerror(errno));
    else if (S_ISDIR(st.st_mode))
        rc = xq_fail(err, XQ_EIO, "is a folder");
    if (rc == XQ_OK) {
        /* Standard input may be a file that somebody has begun to read. */
        const bool seekable = S_ISREG(st.st_mode) && s->fd != 0;
        if (S_ISREG(st.st_mode))
            s->size = (uint64_t)st.st_size;
        rc = open_any(s, seekable, err);
    }
    if (rc != XQ_OK) {
        pgn_source_close(s);
        return rc;
    }
    *out = s;
    return XQ_OK;
}

xq_status pgn_source_open_mem(pgn_source **out, const char *name,
                              const void *bytes, size_t n, xq_err *err)
{
    *out = NULL;
    pgn_source *s = calloc(1, sizeof *s);
    if (!s)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    s->fd = -1;
    s->mem = bytes;
    s->nmem = n;
    s->size = n;
    s->path = strdup(name);
    const xq_status rc = s->path ? open_any(s, false, err)
                                 : xq_fail(err, XQ_ENOMEM, "out of memory");
    if (rc != XQ_OK) {
        pgn_source_close(s);
        return rc;
    }
    *out = s;
    return XQ_OK;
}

bool pgn_source_is_archive(const pgn_source *s) { return s->is_archive; }

uint64_t pgn_source_consumed(const pgn_source *s) { return s->consumed; }
uint64_t pgn_source_size(const pgn_source *s) { return s->size; }

void pgn_source_close(pgn_source *s)
{
    if (!s)
        return;
    if (s->inner)
        archive_read_free(s->inner);
    if (s->outer)
        archive_read_free(s->outer);
    if (s->fd > 0)
        close(s->fd);
    free(s->packed);
    free(s->inner_buf);
    free(s->path);
    pgn_buf_free(&s->name);
    free(s);
}
