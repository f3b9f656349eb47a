/* fuzz_foreign.c - books of other programs: whatever the bytes, telling their
 * kind and reading their records ends without harm.
 *
 * The first byte says what the rest is: 'd' a BOOK.DAT (or any file: its kind
 * is told too), 'o' rows of an OBK, 'x' rows of an XQB (length of the key, key,
 * move), 'f' a whole file, imported. */
#include "bookdb/foreign_parts.h"
#include "engine/rules.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(bool ok)
{
    if (!ok)
        abort();
}

static void try_bookdat(const uint8_t *p, size_t n)
{
    bk_row row;
    bool one_wing;
    const char *what;
    (void)bk_sniff(p, n, &one_wing, &what);
    for (; n >= 8; p += 8, n -= 8) {
        if (!bk_bookdat_decode(p, &row))
            continue;
        const xq_sq from = xq_move_from(row.move), to = xq_move_to(row.move);
        check(bk_xqbase_of(from) == p[4] && bk_xqbase_of(to) == p[5]);
        check(row.given && row.weight <= 0xffff && row.key <= UINT32_MAX);
    }
}

static int64_t number(const uint8_t *p)
{
    int64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

/* Rows of 8 + 5 * 8 + 2 bytes. */
static void try_obk(const uint8_t *p, size_t n)
{
    bk_row row;
    bk_import_report r = {0};
    for (; n >= 50; p += 50, n -= 50) {
        const bk_obk_cells c = {.key_type = p[48] % 6,
                                .key = (uint64_t)number(p),
                                .move = number(p + 8),
                                .score = number(p + 16),
                                .win = number(p + 24),
                                .draw = number(p + 32),
                                .lost = number(p + 40),
                                .usable = p[49] & 1};
        for (int swapped = 0; swapped < 2; swapped++) {
            if (!bk_obk_decode(&c, swapped, &row))
                continue;
            check(c.move >= 0 && c.move <= 0xffff && row.key == c.key);
            bk_row_score(&row, c.score, c.usable, &r);
            check(c.usable || (row.given && row.weight == 0));
        }
    }
}

static void try_xqb(const uint8_t *p, size_t n)
{
    uint8_t key[BK_XQB_KEY_MAX];
    xq_pos pos;
    bool mirrored;
    while (n > 3) {
        const size_t k = p[0] < n - 3 ? p[0] : n - 3;
        const bool good = bk_xqb_pos(p + 1, k, &pos);
        const unsigned v = (unsigned)p[k + 1] << 8 | p[k + 2];
        const xq_move m = bk_xqb_move_of(v);
        if (good) {
            const size_t size = bk_xqb_key(&pos, key, &mirrored);
            check(size == k);
            check(mirrored || memcmp(key, p + 1, k - 1) == 0);
        }
        if (good && m != XQ_NOMOVE && xq_move_is_legal(&pos, m))
            check(bk_xqb_move_of(bk_xqb_move(&pos, false, m)) == m ||
                  pos.key == pos.mirror_key);
        p += k + 3;
        n -= k + 3;
    }
}

static void try_file(const uint8_t *p, size_t n)
{
    static char in[80], out[80];
    if (!*in) {
        const char *dir = getenv("TMPDIR"); /* one in memory is faster */
        if (!dir || strlen(dir) > 30)
            dir = "/tmp";
        snprintf(in, sizeof in, "%s/qipu-fuzz-%ld.in", dir, (long)getpid());
        snprintf(out, sizeof out, "%s/qipu-fuzz-%ld.out", dir, (long)getpid());
    }
    const int fd = open(in, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    check(fd >= 0 && write(fd, p, n) == (ssize_t)n && close(fd) == 0);
    const bk_maker_options o = {.memory = 1 << 16, .threads = 1};
    const bk_import_options io = {.memory = 1 << 16};
    bk_import_report r;
    bk_maker *m = NULL;
    xq_err err;
    check(bk_maker_open(&m, out, &o, &err) == XQ_OK);
    if (bk_foreign_import(m, in, &io, &r, &err) == XQ_OK)
        check(r.taken > 0);
    bk_maker_close(m);
    unlink(in);
    unlink(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n == 0)
        return 0;
    switch (data[0]) {
    case 'd':
        try_bookdat(data + 1, n - 1);
        break;
    case 'o':
        try_obk(data + 1, n - 1);
        break;
    case 'x':
        try_xqb(data + 1, n - 1);
        break;
    case 'f':
        try_file(data + 1, n - 1);
        break;
    }
    return 0;
}
