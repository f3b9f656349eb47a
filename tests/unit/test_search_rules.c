/* test_search_rules.c - the search plays by the rules of repetition: at the
 * published cycles the side that would lose by rule plays another move. */
#include "engine/search.h"
#include "tests/unit/referee_util.h"

/* How many legal moves there are after `ply`. */
static unsigned choice(const struct line_of_play *l, uint32_t ply)
{
    const xq_pos p = pos_after(l, ply);
    xq_movelist list;
    xq_gen_legal(&p, &list);
    return list.n;
}

/* The last move of the side that loses by rule, at the end of the line. */
static uint32_t last_ply_of(const struct line_of_play *l, xq_side loser)
{
    const xq_side mover = (xq_side)pos_after(l, l->n - 1).side;
    return mover == loser ? l->n - 1 : l->n - 2;
}

static void losers_by_rule_turn_aside(void **state)
{
    const xq_search_options o = {.hash = (size_t)1 << 20, .rules = XQ_ASIAN};
    const xq_limits lim = {.depth = 4};
    struct repetition_row row;
    unsigned rows = 0;
    xq_search *s;
    (void)state;
    assert_int_equal(xq_search_open(&s, &o, NULL), XQ_OK);
    FILE *f = open_data("repetition.tsv");
    while (next_row(f, &row)) {
        if (row.rules != XQ_ASIAN ||
            (row.expected != XQ_RED_LOSES && row.expected != XQ_BLACK_LOSES))
            continue;
        const uint32_t ply = last_ply_of(
            &row.line, row.expected == XQ_RED_LOSES ? XQ_RED : XQ_BLACK);
        const xq_game_line game = {&row.line.start, row.line.moves, ply};
        xq_answer a;
        if (choice(&row.line, ply) < 2)
            continue;
        xq_search_clear(s);
        assert_int_equal(xq_search_go(s, &game, &lim, NULL, NULL, &a), XQ_OK);
        if (a.best == row.line.moves[ply])
            fail_msg("%s: goes on after ply %u", row.id, (unsigned)ply);
        rows++;
    }
    fclose(f);
    xq_search_close(s);
    assert_true(rows > 50);
}

/* Only one move is left, and it loses by rule: it is played and known to
 * lose. */
static void the_last_resort_is_played(void **state)
{
    static const char FEN[] = "3k5/9/7R1/9/9/9/9/r8/1r7/5K3 w - - 0 1";
    const struct line_of_play l =
        line_of(FEN, "h7d7 d9e9 d7e7 e9d9 e7d7 d9e9 d7e7 e9d9");
    const xq_search_options o = {.hash = (size_t)1 << 20};
    const xq_game_line game = {&l.start, l.moves, l.n};
    const xq_move only = xq_move_parse("e7d7");
    const xq_limits lim = {.depth = 4, .only = &only, .nonly = 1};
    xq_search *s;
    xq_answer a;
    (void)state;
    assert_int_equal(xq_search_open(&s, &o, NULL), XQ_OK);
    assert_int_equal(xq_search_go(s, &game, &lim, NULL, NULL, &a), XQ_OK);
    assert_int_equal(a.best, only);
    assert_int_equal(a.score, -XQ_RULE_IN(1));
    xq_search_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losers_by_rule_turn_aside),
        cmocka_unit_test(the_last_resort_is_played),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
