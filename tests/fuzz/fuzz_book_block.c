/* fuzz_book_block.c - the block of a book: whatever the bytes, reading ends
 * without harm, and what could be read is written back the same.
 *
 * Input: 8 bytes of the first key, then the value; its seal is not looked
 * at. */
#include "bookdb/book_block.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(bool ok)
{
    if (!ok)
        abort();
}

static void check_same(const bk_entry *a, const bk_entry *b)
{
    check(a->key == b->key && a->n == b->n);
    check(memcmp(&a->counts, &b->counts, sizeof a->counts) == 0);
    for (unsigned i = 0; i < a->n; i++) {
        const bk_book_move *x = &a->moves[i], *y = &b->moves[i];
        check(x->move == y->move && x->weight_given == y->weight_given &&
              x->weight == y->weight && x->elo_games == y->elo_games &&
              x->elo_sum == y->elo_sum && x->last_year == y->last_year &&
              memcmp(&x->counts, &y->counts, sizeof x->counts) == 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static bk_block_writer w; /* large; the fuzzer has one thread */
    static bk_entry e, again;
    bk_block_reader r, back;
    if (n < 8 || bk_block_open(&r, bk_get64(data), data + 8, n - 8) != XQ_OK)
        return 0;
    uint64_t last = 0;
    xq_status rc;
    for (unsigned i = 0; (rc = bk_block_next(&r, &e)) == XQ_OK; i++) {
        check(e.n <= BK_BOOK_MOVES && (i == 0 || e.key > last));
        last = e.key;
        for (unsigned k = 0; k < e.n; k++)
            check(bk_move_storable(e.moves[k].move) &&
                  (k == 0 || e.moves[k].move > e.moves[k - 1].move));
        bk_block_start(&w);
        check(bk_block_put(&w, &e));
        bk_block_seal(&w);
        check(bk_unseal(w.value, w.size));
        check(bk_block_open(&back, w.key, w.value, w.size) == XQ_OK);
        check(bk_block_next(&back, &again) == XQ_OK);
        check_same(&e, &again);
        check(bk_block_next(&back, &again) == XQ_DONE);
        /* looked for, it is found, or something before it is damaged */
        check(bk_block_open(&back, bk_get64(data), data + 8, n - 8) == XQ_OK);
        if (bk_block_find(&back, e.key, &again) == XQ_OK)
            check_same(&e, &again);
    }
    check(rc == XQ_DONE || rc == XQ_ECORRUPT);
    return 0;
}
