/* source.c - bytes out of files, pipes, compressed files and archives.
 *
 * A plain file is read with read(2), nothing between.  What begins like a
 * compressed file or an archive goes through libarchive; of a pipe the
 * beginning is kept in `head` until it is read again.
 *
 *   file --> layer 0 --> its member --> layer 1 --> its member --> ...
 *            .tar.gz     games.zip      .zip       a.pgn.gz
 *
 * A layer is an archive or a compressed file being unpacked.  A member that
 * begins like another one is opened as the next layer.  What is damaged costs
 * itself: a member, or the rest of its layer. */
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
    LAYERS = PGN_UNPACK_DEPTH,
};
#define UNPACK_FREE (UINT64_C(64) << 20)

struct layer {
    struct archive *a;
    pgn_source *source;
    unsigned depth; /* 0: reads the file, else the member of the one below */
    uint8_t *packed;
    uint64_t unpacked;  /* bytes of its members */
    bool is_archive;    /* several members, not one compressed file */
    bool started;       /* a member was met */
    bool broken;        /* libarchive cannot go on; that was said */
    bool lost;          /* what follows is no header; that was said */
    pgn_buf name;       /* ":MEMBER" */
    uint8_t head[HEAD]; /* beginning of the member, not yet read */
    size_t nhead, at_head;
    const uint8_t *block; /* libarchive's, behind `zeros` of a sparse file */
    size_t nblock;
    uint64_t zeros, at; /* at: offset in the member behind the block */
    xq_err late;        /* met behind head, not yet told */
};

struct pgn_source {
    char *path;
    int fd; /* -1: memory */
    const uint8_t *mem;
    size_t nmem, at_mem;
    uint64_t size;     /* 0: unknown */
    uint64_t consumed; /* bytes taken from fd or mem */
    uint64_t unpacked; /* by layers that are closed */
    int sys_errno;     /* of a failed read(2) */
    bool seekable;

    /* Bytes that were looked at and not yet read. */
    uint8_t head[HEAD];
    size_t nhead, at_head;

    bool packed; /* not a plain file: */
    struct layer layer[LAYERS];
    unsigned nlayers;
    bool bomb;                              /* nothing more is unpacked */
    enum { BYTES, NOTHING, ZEROS } instead; /* of the member's bytes */

    bool started, finished;
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

/* ---- bombs ---- */

/* Bytes that a layer gave: of its members, or all that its filters gave (of
 * a tar file the headers too). */
static uint64_t layer_unpacked(const struct layer *l)
{
    const la_int64_t all = archive_filter_bytes(l->a, 0);
    return all > 0 && (uint64_t)all > l->unpacked ? (uint64_t)all : l->unpacked;
}

static xq_status check_ratio(pgn_source *s, xq_err *err)
{
    /* A zip file may be read more than once. */
    const uint64_t packed =
        s->size && s->consumed > s->size ? s->size : s->consumed;
    uint64_t unpacked = s->unpacked;
    for (unsigned i = 0; i < s->nlayers; i++)
        unpacked += layer_unpacked(&s->layer[i]);
    s->bomb = s->bomb || (unpacked > UNPACK_FREE &&
                          (unpacked - UNPACK_FREE) / PGN_UNPACK_RATIO > packed);
    return s->bomb ? xq_fail(err, XQ_ELIMIT,
                             "unpacks to more than %d times its size: not read "
                             "further",
                             PGN_UNPACK_RATIO)
                   : XQ_OK;
}

/* ---- libarchive ---- */

/* What libarchive complains about, returning rc, or what the system did. */
static xq_status fail_archive(struct layer *l, int rc, xq_err *err)
{
    pgn_source *s = l->source;
    l->broken = l->broken || rc == ARCHIVE_FATAL;
    if (s->bomb)
        return check_ratio(s, err);
    if (s->sys_errno)
        return fail_read(s, err);
    if (archive_errno(l->a) == ENOMEM)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    const char *why = archive_error_string(l->a);
    return xq_fail(err, XQ_ESYNTAX,
                   rc == ARCHIVE_FAILED
                       ? "cannot be unpacked: %s"
                       : "damaged archive or compressed file: %s",
                   why ? why : "no reason given");
}

/* Go to the next block of the member.  Blocks, because of a call that fills a
 * buffer and meets damage all is lost.  False at the member's end. */
static xq_status next_block(struct layer *l, bool *more, xq_err *err)
{
    const void *block;
    la_int64_t offset;
    const int rc = archive_read_data_block(l->a, &block, &l->nblock, &offset);
    *more = rc == ARCHIVE_OK;
    if (rc != ARCHIVE_OK)
        l->nblock = 0;
    if (rc == ARCHIVE_EOF) /* headers count, too */
        return check_ratio(l->source, err);
    if (rc != ARCHIVE_OK)
        return fail_archive(l, rc, err);
    l->block = block;
    l->zeros =
        offset > 0 && (uint64_t)offset > l->at ? (uint64_t)offset - l->at : 0;
    l->at += l->zeros + l->nblock;
    l->unpacked += l->zeros + l->nblock;
    return check_ratio(l->source, err);
}

/* Data of the member that the layer stands at; *got is 0 at its end. */
static xq_status read_member(struct layer *l, void *buf, size_t n, size_t *got,
                             xq_err *err)
{
    bool more = true;
    *got = 0;
    if (l->at_head < l->nhead) {
        const size_t k = l->nhead - l->at_head;
        *got = n < k ? n : k;
        memcpy(buf, l->head + l->at_head, *got);
        l->at_head += *got;
        return XQ_OK;
    }
    if (l->late.code) {
        if (err)
            *err = l->late;
        return l->late.code;
    }
    while (!l->zeros && !l->nblock && more) {
        const xq_status rc = next_block(l, &more, err);
        if (rc != XQ_OK)
            return rc;
    }
    if (l->zeros) {
        *got = l->zeros < n ? (size_t)l->zeros : n;
        memset(buf, 0, *got);
        l->zeros -= *got;
        return XQ_OK;
    }
    *got = n < l->nblock ? n : l->nblock;
    if (*got) { /* there is no block at the end */
        memcpy(buf, l->block, *got);
        l->block += *got;
        l->nblock -= *got;
    }
    return XQ_OK;
}

static la_ssize_t on_read(struct archive *a, void *data, const void **buf)
{
    struct layer *l = data;
    pgn_source *s = l->source;
    *buf = l->packed;
    if (l->depth == 0) {
        const ssize_t got = read_raw(s, l->packed, PACKED);
        if (got < 0)
            archive_set_error(a, s->sys_errno, "%s", strerror(s->sys_errno));
        return got;
    }
    size_t got = 0;
    xq_err err;
    if (read_member(l - 1, l->packed, PACKED, &got, &err) != XQ_OK) {
        const char *why = archive_error_string(l[-1].a);
        archive_set_error(a, err.code == XQ_ENOMEM ? ENOMEM : EINVAL, "%s",
                          why ? why : err.msg);
        return -1;
    }
    return (la_ssize_t)got;
}

static la_int64_t on_seek(struct archive *a, void *data, la_int64_t offset,
                          int whence)
{
    const struct layer *l = data;
    pgn_source *s = l->source;
    const off_t at = lseek(s->fd, offset, whence);
    if (at < 0) {
        s->sys_errno = errno;
        archive_set_error(a, errno, "%s", strerror(errno));
        return ARCHIVE_FATAL;
    }
    s->at_head = s->nhead;
    return at;
}

static void close_layer(pgn_source *s)
{
    struct layer *l = &s->layer[--s->nlayers];
    s->unpacked += layer_unpacked(l);
    archive_read_free(l->a);
    free(l->packed);
    pgn_buf_free(&l->name);
}

/* Unpack the file, or the member that the topmost layer stands at. */
static xq_status open_layer(pgn_source *s, xq_err *err)
{
    if (s->nlayers == LAYERS)
        return xq_fail(err, XQ_ELIMIT,
                       "packed more than %d times, one in the other: not read",
                       LAYERS);
    struct layer *l = &s->layer[s->nlayers];
    *l = (struct layer){.source = s, .depth = s->nlayers};
    l->packed = malloc(PACKED);
    l->a = archive_read_new();
    if (!l->packed || !l->a) {
        free(l->packed);
        archive_read_free(l->a);
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    }
    s->nlayers++;
    archive_read_support_filter_gzip(l->a);
    archive_read_support_filter_zstd(l->a);
    archive_read_support_filter_bzip2(l->a);
    archive_read_support_filter_xz(l->a);
    archive_read_support_filter_lz4(l->a);
    archive_read_support_format_tar(l->a);
    archive_read_support_format_zip(l->a);
    archive_read_support_format_raw(l->a);
    archive_read_support_format_empty(l->a);
    archive_read_set_callback_data(l->a, l);
    archive_read_set_read_callback(l->a, on_read);
    if (s->seekable && l->depth == 0)
        archive_read_set_seek_callback(l->a, on_seek);
    if (archive_read_open1(l->a) == ARCHIVE_OK)
        return XQ_OK;
    const xq_status rc = fail_archive(l, ARCHIVE_FATAL, err);
    close_layer(s);
    return rc;
}

/* ---- members ---- */

/* PATH, and the member of each layer. */
static xq_status set_name(pgn_source *s, xq_err *err)
{
    s->name.n = 0;
    pgn_buf_puts(&s->name, s->path);
    for (unsigned i = 0; i < s->nlayers; i++)
        pgn_buf_add(&s->name, s->layer[i].name.s, s->layer[i].name.n);
    pgn_buf_add(&s->name, "", 1);
    return s->name.failed ? xq_fail(err, XQ_ENOMEM, "out of memory") : XQ_OK;
}

static xq_status name_member(struct layer *l, struct archive_entry *entry,
                             xq_err *err)
{
    const char *name = archive_entry_pathname(entry);
    if (!name)
        name = archive_entry_pathname_utf8(entry);
    pgn_buf_puts(&l->name, ":");
    pgn_buf_visible(&l->name, xq_str_of(name ? name : "?"));
    return l->name.failed ? xq_fail(err, XQ_ENOMEM, "out of memory") : XQ_OK;
}

/* The rest of a member is read over here, so that a bomb is seen; what lies
 * unpacked in the file itself libarchive passes over by seeking. */
static xq_status skip_member(struct layer *l, xq_err *err)
{
    bool more = true;
    xq_status rc = XQ_OK;
    const bool told = l->late.code != XQ_OK;
    if (l->started && !l->lost &&
        (l->depth || !l->source->seekable || archive_filter_count(l->a) > 1))
        while (more && rc == XQ_OK)
            rc = next_block(l, &more, err);
    l->nhead = l->at_head = l->name.n = l->nblock = 0;
    l->zeros = l->at = 0;
    l->late.code = XQ_OK;
    /* what else is wrong with it was said, or nobody wants to know */
    return rc != XQ_OK && (l->source->bomb || (l->broken && !told)) ? rc
                                                                    : XQ_OK;
}

/* To the next file of a layer, past folders and links.  XQ_DONE: its end. */
static xq_status next_entry(struct layer *l, xq_err *err)
{
    for (;;) {
        struct archive_entry *entry;
        const xq_status skipped = skip_member(l, err);
        if (skipped != XQ_OK)
            return skipped;
        const int rc = archive_read_next_header(l->a, &entry);
        if (rc == ARCHIVE_EOF)
            return XQ_DONE;
        if (rc == ARCHIVE_RETRY) { /* a header that is none: to a good one */
            if (!l->lost) {
                l->lost = true;
                return fail_archive(l, rc, err);
            }
            continue;
        }
        if (rc < ARCHIVE_WARN)
            return fail_archive(l, ARCHIVE_FATAL, err);
        l->started = true;
        l->lost = false;
        l->is_archive = archive_format(l->a) != ARCHIVE_FORMAT_RAW;
        if (!l->is_archive)
            return XQ_OK;
        /* Hard links name a member that was there before. */
        if (archive_entry_filetype(entry) == AE_IFREG &&
            !archive_entry_hardlink(entry))
            return name_member(l, entry, err);
    }
}

static xq_status peek_member(struct layer *l, xq_err *err)
{
    size_t n = 0, got = 1;
    uint8_t head[HEAD];
    xq_err late = {0};
    while (n < HEAD && got && !late.code)
        if (read_member(l, head + n, HEAD - n, &got, &late) == XQ_OK) {
            late.code = XQ_OK;
            n += got;
        }
    memcpy(l->head, head, n);
    l->nhead = n;
    if (!late.code)
        return XQ_OK;
    l->late = late; /* told behind what is there */
    if (n && late.code != XQ_ENOMEM && !l->source->bomb)
        return XQ_OK;
    if (err)
        *err = late;
    return late.code;
}

/* A layer has ended.  True: without a member, and it stands for one itself.
 * What unpacks to nothing is an empty file; a stream of zeros libarchive takes
 * for a tar file's end, but as a plain file zeros are of no known kind. */
static bool stands_for_itself(pgn_source *s, const struct layer *l)
{
    const int format = archive_format(l->a);
    if (l->started || l->lost ||
        (format & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP)
        return false;
    s->instead = format == ARCHIVE_FORMAT_EMPTY ? NOTHING : ZEROS;
    return true;
}

/* To the next file that is not packed, through as many layers as it takes. */
static xq_status next_member(pgn_source *s, xq_err *err)
{
    s->instead = BYTES;
    while (s->nlayers) {
        struct layer *l = &s->layer[s->nlayers - 1];
        xq_status rc = l->broken ? XQ_DONE : next_entry(l, err);
        if (rc == XQ_DONE) {
            const bool itself = !l->broken && stands_for_itself(s, l);
            close_layer(s);
            if (itself)
                return set_name(s, err);
            continue;
        }
        if (rc == XQ_OK && l->is_archive) {
            rc = peek_member(l, err);
            if (rc == XQ_OK && kind_of(l->head, l->nhead) != PLAIN) {
                rc = open_layer(s, err);
                if (rc == XQ_OK)
                    continue;
            }
        }
        return set_name(s, NULL) == XQ_OK
                   ? rc
                   : xq_fail(err, XQ_ENOMEM, "out of memory");
    }
    return XQ_DONE;
}

xq_status pgn_source_next(pgn_source *s, const char **name, xq_err *err)
{
    xq_status rc = XQ_DONE;
    if (s->finished)
        return XQ_DONE;
    if (s->packed)
        rc = next_member(s, err);
    else if (!s->started)
        rc = set_name(s, err);
    s->started = true;
    s->finished = rc == XQ_DONE || rc == XQ_ENOMEM || s->bomb;
    if (rc != XQ_DONE && rc != XQ_ENOMEM)
        *name = s->name.s;
    return rc;
}

xq_status pgn_source_read(pgn_source *s, void *buf, size_t n, size_t *got,
                          xq_err *err)
{
    *got = 0;
    if (s->instead == ZEROS) {
        *got = n < HEAD ? n : HEAD;
        memset(buf, 0, *got);
        s->instead = NOTHING;
    }
    if (s->instead == NOTHING)
        return XQ_OK;
    if (s->nlayers) {
        const xq_status rc =
            read_member(&s->layer[s->nlayers - 1], buf, n, got, err);
        s->finished = s->finished || rc == XQ_ENOMEM || s->bomb;
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
    s->seekable = seekable;
    s->packed = kind != PLAIN;
    return s->packed ? open_layer(s, err) : XQ_OK;
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

bool pgn_source_is_archive(const pgn_source *s)
{
    bool any = false;
    for (unsigned i = 0; i < s->nlayers; i++)
        any = any || s->layer[i].is_archive;
    return any;
}

uint64_t pgn_source_consumed(const pgn_source *s) { return s->consumed; }
uint64_t pgn_source_size(const pgn_source *s) { return s->size; }

void pgn_source_close(pgn_source *s)
{
    if (!s)
        return;
    while (s->nlayers)
        close_layer(s);
    if (s->fd > 0)
        close(s->fd);
    free(s->path);
    pgn_buf_free(&s->name);
    free(s);
}
