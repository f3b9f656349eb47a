/* bookdat_find.c - BOOK.DAT asked where it lies: records of 8 bytes, sorted by
 * lock (bookdat.c draws them), so a look-up is a few reads. */
#include "bookdb/foreign_parts.h"

#include "engine/rules.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct bk_bookdat {
    char *path;
    int fd;
    uint64_t n;        /* whole records */
    unsigned trailing; /* bytes behind them */
};

static xq_status fail_read(const bk_bookdat *b, xq_err *err)
{
    return xq_fail(err, XQ_EIO, "cannot read book '%s': %s", b->path,
                   errno ? strerror(errno) : "it has become shorter");
}

xq_status bk_bookdat_open(bk_bookdat **out, const char *path, xq_err *err)
{
    uint8_t head[4096];
    bool one_wing;
    const char *what = NULL;
    struct stat st;
    bk_bookdat *b = calloc(1, sizeof *b);
    char *copy = strdup(path);
    if (!b || !copy) {
        free(b);
        free(copy);
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    }
    b->path = copy;
    b->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (b->fd < 0 || fstat(b->fd, &st) != 0) {
        xq_fail(err, XQ_EIO, "cannot open book '%s': %s", path,
                strerror(errno));
        bk_bookdat_close(b);
        return XQ_EIO;
    }
    errno = 0;
    const ssize_t got =
        S_ISREG(st.st_mode) ? pread(b->fd, head, sizeof head, 0) : 0;
    if (got < 0 || bk_sniff(head, (size_t)got - (size_t)got % 8, &one_wing,
                            &what) != BK_F_BOOKDAT) {
        bk_bookdat_close(b);
        return xq_fail(err, XQ_ESYNTAX, "'%s' is no BOOK.DAT", path);
    }
    b->n = (uint64_t)st.st_size / 8;
    b->trailing = (unsigned)(st.st_size % 8);
    *out = b;
    return XQ_OK;
}

void bk_bookdat_close(bk_bookdat *b)
{
    if (!b)
        return;
    if (b->fd >= 0)
        close(b->fd);
    free(b->path);
    free(b);
}

unsigned bk_bookdat_trailing(const bk_bookdat *b) { return b->trailing; }

static bool read_record(const bk_bookdat *b, uint64_t i, uint8_t rec[8])
{
    errno = 0;
    return pread(b->fd, rec, 8, (off_t)(8 * i)) == 8;
}

static uint32_t lock_of(const uint8_t rec[8])
{
    return rec[0] | (uint32_t)rec[1] << 8 | (uint32_t)rec[2] << 16 |
           (uint32_t)rec[3] << 24;
}

/* Moves under `lock`; they go to e as they are, or mirrored. */
static xq_status take(const bk_bookdat *b, const xq_pos *p, uint32_t lock,
                      bool mirrored, bk_entry *e, unsigned *dropped,
                      xq_err *err)
{
    uint8_t rec[8];
    bk_row row;
    uint64_t low = 0, high = b->n; /* the first record not below the lock */
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (!read_record(b, middle, rec))
            return fail_read(b, err);
        if (lock_of(rec) < lock)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < b->n; low++) {
        if (!read_record(b, low, rec))
            return fail_read(b, err);
        if (lock_of(rec) != lock)
            break;
        const bool is_move = bk_bookdat_decode(rec, &row);
        const xq_move m = mirrored ? xq_move_mirror(row.move) : row.move;
        if (!is_move || !xq_move_is_legal(p, m))
            ++*dropped;
        else if (e->n < BK_BOOK_MOVES)
            e->moves[e->n++] = (bk_book_move){.move = m,
                                              .weight = (uint32_t)row.weight,
                                              .weight_given = true};
    }
    return XQ_OK;
}

xq_status bk_bookdat_find(const bk_bookdat *b, const xq_pos *p, bk_entry *e,
                          unsigned *dropped, xq_err *err)
{
    uint32_t lock0, lock1;
    unsigned bad = 0;
    xq_pos mirror;
    memset(e, 0, sizeof *e);
    bk_bookdat_locks(p, &lock0, &lock1);
    e->key = lock1;
    xq_status rc = take(b, p, lock1, false, e, &bad, err);
    /* one of the two images is in the book */
    if (rc == XQ_OK && e->n == 0 && p->key != p->mirror_key) {
        xq_pos_mirror(&mirror, p);
        bk_bookdat_locks(&mirror, &lock0, &lock1);
        rc = take(b, p, lock1, true, e, &bad, err);
    }
    if (dropped)
        *dropped = bad;
    if (rc == XQ_OK && e->n == 0)
        return xq_fail(err, XQ_ENOTFOUND, "'%s' does not know the position",
                       b->path);
    if (rc == XQ_OK)
        bk_entry_sort(e, (xq_side)p->side);
    return rc;
}
