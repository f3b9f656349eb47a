/* test_key.c - Zobrist keys by a second SplitMix64, mirror, canonical form. */
#include "tests/unit/engine_util.h"

#include <stdio.h>

/* SplitMix64 as published (Steele, Lea, Flood 2014; code by Vigna), written
 * here once more: the keys are part of file formats. */
static uint64_t split_mix_next(uint64_t *x)
{
    uint64_t z = (*x += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t slow_key(const xq_pos *p, bool mirrored)
{
    uint64_t key = 0, x = 0x71697075;
    for (int code = 1; code <= 15; code++) {
        for (int s = 0; s < 90 && code != 8; s++) {
            uint64_t k = split_mix_next(&x);
            int there = mirrored ? s / 9 * 9 + 8 - s % 9 : s;
            if (p->at[there] == code)
                key ^= k;
        }
    }
    uint64_t black = split_mix_next(&x);
    return p->side == XQ_BLACK ? key ^ black : key;
}

static void split_mix_gives_the_published_numbers(void **state)
{
    uint64_t x = 1234567;
    (void)state;
    assert_true(split_mix_next(&x) == UINT64_C(6457827717110365317));
    assert_true(split_mix_next(&x) == UINT64_C(3203168211198807973));
    assert_true(split_mix_next(&x) == UINT64_C(9817491932198370423));
}

static void keys_never_change(void **state)
{
    /* Vectors: files written years ago must still be readable. */
    static const struct {
        const char *fen;
        uint64_t key, mirror;
    } T[] = {
        {"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/"
         "RNBAKABNR w",
         UINT64_C(0x617624642aa4f265), UINT64_C(0x617624642aa4f265)},
        {"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/"
         "RNBAKABNR b",
         UINT64_C(0x11543581eceebe20), UINT64_C(0x076ad1f515354039)},
        {"4k4/9/9/9/9/9/9/9/9/3K5 w", UINT64_C(0x0b6bbb077a8436e1),
         UINT64_C(0xec36bc1f59261680)},
        {"4k4/9/9/9/9/9/9/9/9/3K5 b", UINT64_C(0x3c36e0a83e648fac),
         UINT64_C(0xdb6be7b01dc6afcd)},
        {"1rbP1a3/2N1k4/4b1n2/p3p3p/7P1/2C5P/P3P4/B1N1C4/4Ar3/"
         "3RKAB1c b",
         UINT64_C(0x099e36a7b8628086), UINT64_C(0xbd5323e8da19d223)},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        xq_pos p = pos_of(T[i].fen);
        if (p.key != T[i].key || p.mirror_key != T[i].mirror)
            fail_msg("%s: 0x%016llx, 0x%016llx", T[i].fen,
                     (unsigned long long)p.key,
                     (unsigned long long)p.mirror_key);
        assert_true(slow_key(&p, false) == T[i].key);
        assert_true(slow_key(&p, true) == T[i].mirror);
    }
}

static void check_keys(const xq_pos *p, uint64_t seed)
{
    xq_pos q;
    xq_pos_mirror(&q, p);
    if (p->key != xq_key_of(p) || p->key != slow_key(p, false) ||
        p->mirror_key != xq_key_of(&q) || p->mirror_key != q.key ||
        p->key != q.mirror_key)
        fail_msg("seed %llu: keys differ", (unsigned long long)seed);
}

static void kept_key_equals_key_from_scratch(void **state)
{
    uint64_t seed = seed_of_run(), r = seed;
    (void)state;
    for (int game = 0; game < 20; game++) {
        xq_pos p;
        xq_move m;
        xq_pos_start(&p);
        for (int ply = 0; ply < 100 && (m = random_move(&p, &r)); ply++) {
            xq_pos_make(&p, m, NULL);
            check_keys(&p, seed);
        }
    }
    for (int i = 0; i < 200; i++) {
        xq_pos p = random_odd(&r, 40);
        check_keys(&p, seed);
    }
}

static void keys_of_a_line_equal_the_boards(void **state)
{
    uint64_t seed = seed_of_run(), r = seed;
    (void)state;
    for (int game = 0; game < 40; game++) {
        xq_pos p, start;
        xq_move m[100];
        xq_key keys[101], mirror[101], want[101], want_mirror[101];
        size_t n = 0;
        xq_pos_start(&p);
        if (game % 2)
            p = random_odd(&r, 30);
        start = p;
        for (;; n++) {
            want[n] = p.key;
            want_mirror[n] = p.mirror_key;
            if (n == 100 || !(m[n] = random_move(&p, &r)))
                break;
            xq_pos_make(&p, m[n], NULL);
        }
        xq_line_keys(&start, m, n, keys, mirror);
        if (memcmp(keys, want, (n + 1) * sizeof *keys) != 0 ||
            memcmp(mirror, want_mirror, (n + 1) * sizeof *keys) != 0)
            fail_msg("seed %llu: keys differ", (unsigned long long)seed);
    }
}

static void mirrored_pairs_share_key_and_move(void **state)
{
    uint64_t seed = seed_of_run(), r = seed;
    (void)state;
    for (int game = 0; game < 20; game++) {
        xq_pos p;
        xq_move m;
        xq_pos_start(&p);
        for (int ply = 0; ply < 60 && (m = random_move(&p, &r)); ply++) {
            xq_pos q;
            bool pm, qm;
            xq_pos_mirror(&q, &p);
            xq_move c = xq_canon_move(&p, m);
            if (xq_canon_key(&p, &pm) != xq_canon_key(&q, &qm) || (pm && qm) ||
                c != xq_canon_move(&q, xq_move_mirror(m)) ||
                (p.key != p.mirror_key && xq_canon_move_back(&p, c) != m))
                fail_msg("seed %llu: pairs differ", (unsigned long long)seed);
            xq_pos_make(&p, m, NULL);
        }
    }
}

static void symmetric_position_writes_the_right_wing(void **state)
{
    static const char *const T[][2] = {
        {"h2e2", "h2e2"}, {"b2e2", "h2e2"}, {"b0c2", "h0g2"},
        {"c0e2", "g0e2"}, {"e3e4", "e3e4"}, {"a0a1", "i0i1"},
    };
    xq_pos p;
    bool mirrored;
    (void)state;
    xq_pos_start(&p);
    assert_true(xq_pos_is_symmetric(&p));
    xq_canon_key(&p, &mirrored);
    assert_false(mirrored);
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        char text[5];
        xq_move_format(xq_canon_move(&p, xq_move_parse(T[i][0])), text);
        assert_string_equal(text, T[i][1]);
    }
    /* A rook on the middle file goes to either side. */
    p = pos_of("4k4/4a4/9/9/9/9/4R4/9/9/4K4 w");
    assert_int_equal(xq_canon_move(&p, xq_move_parse("e3b3")),
                     xq_move_parse("e3h3"));
}

/* S56 */
static void counters_are_no_part_of_the_key_the_side_is(void **state)
{
#define S56 "1rbP1a3/2N1k4/4b1n2/p3p3p/7P1/2C5P/P3P4/B1N1C4/4Ar3/3RKAB1c"
    xq_pos p = pos_of(S56 " b"), q = pos_of(S56 " b - - 2 26");
    (void)state;
    assert_true(p.key == q.key);
    p = pos_of(S56 " w");
    assert_true(p.key != q.key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split_mix_gives_the_published_numbers),
        cmocka_unit_test(keys_never_change),
        cmocka_unit_test(kept_key_equals_key_from_scratch),
        cmocka_unit_test(keys_of_a_line_equal_the_boards),
        cmocka_unit_test(mirrored_pairs_share_key_and_move),
        cmocka_unit_test(symmetric_position_writes_the_right_wing),
        cmocka_unit_test(counters_are_no_part_of_the_key_the_side_is),
    };
    return cmocka_run_group_tests_name("key", tests, NULL, NULL);
}
