/* test_window.c - a window ply by ply: the three boards, checks, and pieces
 * that keep their slots (R-01, T-08). */
#include "tests/unit/referee_util.h"

#include "engine/window.h"

static void assert_same_board(const xq_pos *a, const xq_pos *b)
{
    assert_true(a->key == b->key);
    assert_memory_equal(a->at, b->at, sizeof a->at);
}

static void boards_and_checks_of_each_ply(void **state)
{
    FILE *f = open_data("repetition.tsv");
    struct repetition_row row;
    (void)state;
    while (next_row(f, &row)) {
        const struct line_of_play l = window_of(&row.line);
        const struct line_of_play twice = repeated(&l, 2);
        struct xq_window w;
        uint32_t n = 0;
        if (!l.n)
            continue;
        xq_window_open(&w, &l.start, l.moves, l.n);
        while (xq_window_next(&w)) {
            const xq_pos b0 = pos_after(&twice, n),
                         b1 = pos_after(&twice, n + 1);
            const xq_pos b2 = pos_after(&twice, n + 2);
            assert_int_equal(w.i, n++);
            assert_int_equal(w.move, l.moves[w.i]);
            assert_int_equal(w.mover, b0.side);
            assert_same_board(&w.b0, &b0);
            assert_same_board(&w.b1, &b1);
            assert_same_board(&w.b2, &b2);
            assert_int_equal(w.check, xq_in_check(&b1, (xq_side)b1.side));
            assert_int_equal(w.answers_check,
                             xq_in_check(&b0, (xq_side)b0.side));
        }
        assert_int_equal(n, l.n);
    }
    fclose(f);
}

static void rooks_that_change_places_stay_two_rooks(void **state)
{
    const struct line_of_play l =
        line_of("3aka3/9/9/9/9/9/9/9/R8/1R1K5 w",
                "a1b1 d9e8 b0a0 e8d9 a0a1 d9e8 b1b0 e8d9");
    const uint8_t lower = l.start.slot[xq_sq_of(1, 0)];
    const uint8_t upper = l.start.slot[xq_sq_of(0, 1)];
    struct xq_window w;
    (void)state;
    xq_window_open(&w, &l.start, l.moves, l.n);
    while (xq_window_next(&w) && w.i < 7)
        ;
    assert_same_board(&w.b1, &l.start); /* the loop is closed... */
    assert_int_equal(w.b1.slot[xq_sq_of(1, 0)], upper);
    assert_int_equal(w.b1.slot[xq_sq_of(0, 1)], lower);
    assert_int_equal(w.b2.slot[xq_sq_of(1, 1)], lower); /* ...and goes on */
    assert_false(xq_window_next(&w));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boards_and_checks_of_each_ply),
        cmocka_unit_test(rooks_that_change_places_stay_two_rooks),
    };
    return cmocka_run_group_tests_name("window", tests, NULL, NULL);
}
