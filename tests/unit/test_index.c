/* test_index.c - packed blocks of the index against the list they came from. */
#include "bookdb/index.h"
#include "bookdb/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t seed = 99;

static uint64_t rnd(void)
{
    uint64_t z = (seed += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* Pack all, unpack all; returns the bytes. */
static size_t check(const bk_rec *recs, size_t n, uint32_t max_game, size_t cap)
{
    size_t at = 0, bytes = 0;
    uint8_t *buf = malloc(cap + BK_INDEX_SLACK);
    assert_non_null(buf);
    while (at < n) {
        size_t size,
            m = bk_index_encode(recs + at, n - at, max_game, buf, cap, &size);
        assert_in_range(size, 1, cap);
        assert_in_range(m, 1, n - at);
        /* what is read lies in memory of exactly its size */
        uint8_t *block = malloc(size);
        assert_non_null(block);
        memcpy(block, buf, size);
        bk_index_reader r;
        assert_true(bk_index_start(&r, block, size, recs[at].key,
                                   (uint32_t)recs[at].data));
        size_t i = at;
        while (bk_index_list(&r)) {
            uint32_t game, count = 0;
            bool half = rnd() % 8 == 0;
            while (bk_index_game(&r, &game)) {
                assert_true(i < at + m);
                assert_true(recs[i].key == r.key);
                assert_true(recs[i].data == game);
                i++;
                count++;
                if (half && count * 2 >= r.count) { /* leave it early */
                    i += r.count - count;
                    break;
                }
            }
            assert_true(half || count == r.count);
        }
        assert_false(r.bad);
        assert_true(i == at + m);
        free(block);
        bytes += size;
        at += m;
    }
    free(buf);
    return bytes;
}

static size_t make(bk_rec *recs, size_t n, unsigned key_bits, uint32_t games,
                   unsigned repeat)
{
    bk_rec *scratch = malloc(n * sizeof *scratch);
    assert_non_null(scratch);
    for (size_t i = 0; i < n;) {
        uint64_t key = rnd() >> (64 - key_bits);
        for (unsigned k = 1 + (unsigned)(rnd() % repeat); k > 0 && i < n; k--)
            recs[i++] = (bk_rec){key, rnd() % games};
    }
    bk_radix_sort(recs, scratch, n);
    size_t m = 0;
    for (size_t i = 0; i < n; i++)
        if (m == 0 || recs[m - 1].key != recs[i].key ||
            recs[m - 1].data != recs[i].data)
            recs[m++] = recs[i];
    free(scratch);
    return m;
}

static void round_trips(void **state)
{
    (void)state;
    enum { N = 20000 };
    bk_rec *recs = malloc(N * sizeof *recs);
    assert_non_null(recs);
    static const size_t CAPS[] = {64, 200, 1002, BK_INDEX_BLOCK, 4080};
    static const uint32_t GAMES[] = {1, 2, 300, 50000, UINT32_MAX};
    static const unsigned REPEAT[] = {1, 3, 5000}, BITS[] = {1, 12, 40, 64};
    for (size_t c = 0; c < 5; c++)
        for (size_t g = 0; g < 5; g++)
            for (size_t r = 0; r < 3; r++)
                for (size_t b = 0; b < 4; b++) {
                    size_t n = make(recs, N, BITS[b], GAMES[g], REPEAT[r]);
                    check(recs, n, GAMES[g] - 1, CAPS[c]);
                }
    free(recs);
}

static void extremes(void **state)
{
    static const bk_rec T[] = {
        {0, 0},
        {0, UINT32_MAX},
        {1, 0},
        {1, 1},
        {1, 2},
        {UINT64_MAX / 2, 7},
        {UINT64_MAX - 1, UINT32_MAX},
        {UINT64_MAX, 0},
        {UINT64_MAX, UINT32_MAX - 1},
        {UINT64_MAX, UINT32_MAX},
    };
    (void)state;
    for (size_t from = 0; from < sizeof T / sizeof *T; from++)
        for (size_t cap = 64; cap < 300; cap += 47)
            check(T + from, sizeof T / sizeof *T - from, UINT32_MAX, cap);
}

/* What the README says of sizes. */
static void sizes(void **state)
{
    (void)state;
    enum { N = 1000000 };
    bk_rec *recs = malloc(N * sizeof *recs);
    assert_non_null(recs);
    size_t n = make(recs, N, 64, 40000, 1);
    assert_true((double)check(recs, n, 39999, BK_INDEX_BLOCK) / (double)n <
                7.9);
    n = make(recs, N, 64, 40000, 3);
    assert_true((double)check(recs, n, 39999, BK_INDEX_BLOCK) / (double)n <
                5.5);
    free(recs);
}

/* Damage is seen by the seal; resealed, it never crashes. */
static void damage(void **state)
{
    (void)state;
    bk_rec recs[2000];
    uint8_t block[BK_INDEX_BLOCK + BK_INDEX_SLACK];
    size_t size, n = make(recs, 2000, 64, 500, 4);
    bk_index_encode(recs, n, 499, block, BK_INDEX_BLOCK, &size);
    for (int i = 0; i < 20000; i++) {
        size_t at = rnd() % size, len = i % 3 ? size : rnd() % (size + 1);
        uint8_t *copy = malloc(len + 1);
        assert_non_null(copy);
        memcpy(copy, block, len);
        if (at < len)
            copy[at] ^= (uint8_t)(1 + rnd() % 255);
        bk_index_reader r;
        assert_false(len == size && bk_index_start(&r, copy, len, recs[0].key,
                                                   (uint32_t)recs[0].data));
        if (len >= BK_SEAL)
            bk_seal(copy, len);
        if (bk_index_start(&r, copy, len, recs[0].key,
                           (uint32_t)recs[0].data)) {
            uint32_t game;
            while (bk_index_list(&r))
                while (bk_index_game(&r, &game))
                    ;
        }
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trips),
        cmocka_unit_test(extremes),
        cmocka_unit_test(sizes),
        cmocka_unit_test(damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
