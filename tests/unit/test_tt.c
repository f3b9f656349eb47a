/* test_tt.c - the hash table of the search. */
#include "engine/search.h"
#include "engine/tt.h"
#include "tests/unit/engine_util.h"

static struct xq_tt_hit entry(int score, int depth, unsigned bound)
{
    return (struct xq_tt_hit){.move = xq_move_make(25, 22),
                              .score = (int16_t)score,
                              .eval = -77,
                              .depth = (int8_t)depth,
                              .bound = (uint8_t)bound};
}

static void what_is_stored_is_found(void **state)
{
    xq_tt t;
    uint64_t seed = seed_of_run();
    (void)state;
    assert_int_equal(xq_tt_open(&t, (size_t)1 << 20, NULL), XQ_OK);
    for (int i = 0; i < 1000; i++) {
        const xq_key key = random_next(&seed);
        struct xq_tt_hit in = {
            .move = xq_move_make((xq_sq)random_below(&seed, 90),
                                 (xq_sq)random_below(&seed, 90)),
            .score = (int16_t)((int)random_below(&seed, 30001) - 15000),
            .eval = (int16_t)((int)random_below(&seed, 30001) - 15000),
            .depth = (int8_t)((int)random_below(&seed, 128) - 1),
            .bound = (uint8_t)(1 + random_below(&seed, 3)),
            .pv = i % 2,
        };
        struct xq_tt_hit out;
        assert_false(xq_tt_probe(&t, key, 0, &out));
        xq_tt_store(&t, key, 0, &in);
        assert_true(xq_tt_probe(&t, key, 0, &out));
        assert_int_equal(out.move, in.move);
        assert_int_equal(out.score, in.score);
        assert_int_equal(out.eval, in.eval);
        assert_int_equal(out.depth, in.depth);
        assert_int_equal(out.bound, in.bound);
        assert_int_equal(out.pv, in.pv);
    }
    assert_true(xq_tt_full(&t) > 0);
    xq_tt_clear(&t);
    assert_int_equal(xq_tt_full(&t), 0);
    xq_tt_close(&t);
}

/* A mate in 9 plies from the root, found at ply 4, is one in 5 from there; met
 * again at ply 2 it is one in 7 from the root. */
static void mates_count_from_the_position(void **state)
{
    xq_tt t;
    struct xq_tt_hit h = entry(XQ_MATE_IN(9), 3, XQ_TT_EXACT);
    (void)state;
    assert_int_equal(xq_tt_open(&t, 64, NULL), XQ_OK);
    xq_tt_store(&t, 5, 4, &h);
    assert_true(xq_tt_probe(&t, 5, 2, &h));
    assert_int_equal(h.score, XQ_MATE_IN(7));
    h.score = -XQ_MATE_IN(9);
    xq_tt_store(&t, 5, 4, &h);
    assert_true(xq_tt_probe(&t, 5, 2, &h));
    assert_int_equal(h.score, -XQ_MATE_IN(7));
    /* Found near the root, met deep in the tree: still a mate. */
    h.score = XQ_MATE_IN(XQ_MAX_PLY);
    xq_tt_store(&t, 5, 0, &h);
    assert_true(xq_tt_probe(&t, 5, XQ_MAX_PLY, &h));
    assert_true(XQ_IS_MATE(h.score));
    xq_tt_close(&t);
}

static void scores_by_rule_are_not_stored(void **state)
{
    static const int SCORES[] = {XQ_RULE_IN(0), XQ_RULE_IN(XQ_MAX_PLY),
                                 -XQ_RULE_IN(1), -XQ_RULE_IN(XQ_MAX_PLY)};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(SCORES); i++) {
        xq_tt t;
        struct xq_tt_hit h = entry(SCORES[i], 9, XQ_TT_EXACT), out;
        assert_true(XQ_IS_RULE(SCORES[i]));
        assert_false(XQ_IS_MATE(SCORES[i]) || XQ_IS_MATED(SCORES[i]));
        assert_int_equal(xq_tt_open(&t, 64, NULL), XQ_OK);
        xq_tt_store(&t, 5, 4, &h);
        assert_true(xq_tt_probe(&t, 5, 4, &out));
        assert_int_equal(out.bound, XQ_TT_NONE);
        assert_int_equal(out.move, h.move);
        /* Nor do they drive out what is known. */
        h = entry(10, 5, XQ_TT_LOWER);
        xq_tt_store(&t, 5, 4, &h);
        h = entry(SCORES[i], 9, XQ_TT_EXACT);
        xq_tt_store(&t, 5, 4, &h);
        assert_true(xq_tt_probe(&t, 5, 4, &out));
        assert_int_equal(out.score, 10);
        xq_tt_close(&t);
    }
    assert_false(XQ_IS_RULE(XQ_EVAL_MAX));
    assert_false(XQ_IS_RULE(XQ_MATE_IN(2 * XQ_MAX_PLY)));
}

static void a_known_move_is_kept(void **state)
{
    xq_tt t;
    struct xq_tt_hit h = entry(10, 3, XQ_TT_LOWER);
    const xq_move move = h.move;
    (void)state;
    assert_int_equal(xq_tt_open(&t, 64, NULL), XQ_OK);
    xq_tt_store(&t, 5, 0, &h);
    h.move = XQ_NOMOVE;
    h.bound = XQ_TT_UPPER;
    xq_tt_store(&t, 5, 0, &h);
    assert_true(xq_tt_probe(&t, 5, 0, &h));
    assert_int_equal(h.bound, XQ_TT_UPPER);
    assert_int_equal(h.move, move);
    xq_tt_close(&t);
}

/* One cluster: of four deep entries and a shallow one, the shallow one goes;
 * those of older searches before all others. */
static void the_least_worth_goes_first(void **state)
{
    xq_tt t;
    struct xq_tt_hit h;
    (void)state;
    assert_int_equal(xq_tt_open(&t, 64, NULL), XQ_OK);
    for (unsigned key = 1; key <= 4; key++) {
        h = entry(1, key == 3 ? 2 : 20, XQ_TT_EXACT);
        xq_tt_store(&t, key, 0, &h);
    }
    h = entry(1, 1, XQ_TT_EXACT);
    xq_tt_store(&t, 5, 0, &h);
    assert_false(xq_tt_probe(&t, 3, 0, &h));
    for (int i = 0; i < 4; i++)
        xq_tt_age(&t);
    for (unsigned key = 11; key <= 14; key++) {
        h = entry(1, 1, XQ_TT_UPPER);
        xq_tt_store(&t, key, 0, &h);
    }
    for (unsigned key = 11; key <= 14; key++)
        assert_true(xq_tt_probe(&t, key, 0, &h));
    assert_int_equal(xq_tt_full(&t), 1000);
    xq_tt_age(&t);
    assert_int_equal(xq_tt_full(&t), 0);
    xq_tt_close(&t);
}

/* Ages wrap round, and every key finds its cluster whatever the size. */
static void any_age_any_size(void **state)
{
    uint64_t seed = seed_of_run();
    (void)state;
    for (size_t size = 64; size < 5000; size += 64) {
        xq_tt t;
        assert_int_equal(xq_tt_open(&t, size, NULL), XQ_OK);
        for (int i = 0; i < 200; i++) {
            struct xq_tt_hit h = entry(1, 5, XQ_TT_EXACT);
            const xq_key key = random_next(&seed);
            xq_tt_store(&t, key, 0, &h);
            assert_true(xq_tt_probe(&t, key, 0, &h));
            xq_tt_age(&t);
        }
        xq_tt_close(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_stored_is_found),
        cmocka_unit_test(mates_count_from_the_position),
        cmocka_unit_test(scores_by_rule_are_not_stored),
        cmocka_unit_test(a_known_move_is_kept),
        cmocka_unit_test(the_least_worth_goes_first),
        cmocka_unit_test(any_age_any_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
