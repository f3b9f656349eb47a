/* fuzz_index.c - any bytes as a value of the game database: blocks of the
 * index, of headers, moves and strings, the record of counts.  The seal is
 * put right first, so that what is behind it is reached. */
#include "bookdb/db_internal.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(bool ok)
{
    if (!ok)
        abort();
}

static void index_block(const uint8_t *p, size_t n)
{
    bk_index_reader r;
    uint32_t game, last = 0;
    uint64_t key = 0;
    bool any = false;
    if (!bk_index_start(&r, p, n, n ? p[n - 1] : 0, 3))
        return;
    while (bk_index_list(&r)) {
        check(!any || r.key > key);
        key = r.key;
        any = true;
        bool first = true;
        while (bk_index_game(&r, &game)) {
            check(first || game > last);
            last = game;
            first = false;
        }
    }
}

static void heads_block(const uint8_t *p, size_t n)
{
    struct bk_heads_reader r = {.left = 0};
    struct bk_head_state s = {0};
    pgn_buf out = {0};
    bool ok = bk_heads_start(&r, p, n, 7);
    s.running = r.state.running;
    while (ok && bk_heads_next(&r))
        check(bk_head_put(&s, &r.head, &out)); /* and write it again */
    bk_heads_free(&r);
    bk_head_state_free(&s);
    pgn_buf_free(&out);
}

static void moves_block(const uint8_t *p, size_t n)
{
    struct bk_moves_reader r;
    const uint8_t *q;
    size_t len, sum = 0;
    if (!bk_moves_start(&r, p, n, 1))
        return;
    while (bk_moves_next(&r, &q, &len))
        sum += len;
    check(sum <= n);
}

static void strings_block(const uint8_t *p, size_t n)
{
    struct bk_strings *s;
    xq_err err = {0};
    xq_status rc = bk_strings_unpack(p, n, 1, &s, &err);
    check(rc == XQ_OK || err.msg[0]);
    if (rc == XQ_OK)
        for (uint32_t i = 0; i < s->n; i++)
            check(s->end[i] >= (i ? s->end[i - 1] : 0));
    if (rc == XQ_OK)
        free(s);
}

static void meta(const uint8_t *p, size_t n)
{
    struct bk_db_meta m;
    uint8_t out[BK_META_MAX];
    if (!bk_db_meta_parse(&m, p, n))
        return;
    struct bk_db_meta again;
    size_t size = bk_db_meta_format(&m, out);
    check(bk_db_meta_parse(&again, out, size));
    check(memcmp(&again, &m, sizeof m) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static void (*const KINDS[])(const uint8_t *, size_t) = {
        index_block, heads_block, moves_block, strings_block, meta};
    if (n == 0 || n > 1 << 16)
        return 0;
    size_t kind = data[0] % 5, size = n - 1;
    uint8_t *p = malloc(size + 1);
    check(p != NULL);
    memcpy(p, data + 1, size);
    KINDS[kind](p, size); /* as it is */
    if (size >= BK_SEAL) {
        bk_seal(p, size);
        KINDS[kind](p, size);
    }
    struct bk_shape shape = {0};
    bk_shape_parse(&shape, 1, (xq_str){(const char *)data, n});
    bk_shape_free(&shape);
    free(p);
    return 0;
}
