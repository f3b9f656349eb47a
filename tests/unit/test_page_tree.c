/* test_page_tree.c - what a page is told of a game: evaluations, marks, nodes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/game_util.h"
#include "tools/page.h"
#include "tools/page_tree.h"

#include <stdio.h>

static void evaluations_are_found_and_taken_out(void **state)
{
    static const struct {
        const char *comment, *text; /* NULL: there is none */
        int kind;
        size_t from, to;
    } T[] = {
        {"[%eval 0.35]", "0.35", PAGE_PAWNS, 0, 12},
        {"[%eval -12.5]", "-12.5", PAGE_PAWNS, 0, 13},
        {"[%eval +1]", "1", PAGE_PAWNS, 0, 10},
        {"[%eval 0.35,20] x", "0.35", PAGE_PAWNS, 0, 15},
        {"[%eval 0.35/20]", "0.35", PAGE_PAWNS, 0, 15},
        {"x [%eval #3] y", "#3", PAGE_MATE, 2, 12},
        {"[%eval #-3]", "#-3", PAGE_MATE, 0, 11},
        {"[%eval #+3]", "#3", PAGE_MATE, 0, 11},
        {"[%clk 0:01] [%eval  .5]", ".5", PAGE_PAWNS, 12, 23},
        {"[%eval x] [%eval 1]", "1", PAGE_PAWNS, 10, 19}, /* the next one */
        {"", NULL, 0, 0, 0},
        {"[%eval ]", NULL, 0, 0, 0},
        {"[%eval -]", NULL, 0, 0, 0},
        {"[%eval 0.35", NULL, 0, 0, 0}, /* never closed */
        {"[%eval 1e3]", NULL, 0, 0, 0}, /* not our kind of number */
        {"[%eval 0.35<b>]", NULL, 0, 0, 0},
        {"[%evaluate 1]", NULL, 0, 0, 0},
        {"[%eval 1234567890]", NULL, 0, 0, 0}, /* no score has ten digits */
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        page_eval e;
        size_t from = 0, to = 0;
        const bool found =
            page_eval_find(xq_str_of(T[i].comment), &e, &from, &to);
        if (found != (T[i].text != NULL))
            fail_msg("%s: %s", T[i].comment, found ? e.text : "none");
        assert_int_equal(e.kind, T[i].kind);
        if (!found)
            continue;
        assert_string_equal(e.text, T[i].text);
        assert_int_equal(from, T[i].from);
        assert_int_equal(to, T[i].to);
    }
}

/* S76: what programs that let engines play write is as the mover sees it, and
 * it is told by its form. */
static void evaluations_of_the_mover_are_turned_round(void **state)
{
    static const struct {
        const char *comment, *red, *black; /* as Red's; NULL: no evaluation */
        size_t from, to;
    } T[] = {
        {"+0.30/12", "0.30", "-0.30", 0, 8},
        {"-0.25/9 1.5s", "-0.25", "0.25", 0, 7},
        {"0.00/12 0.10s, Red mates", "0.00", "0.00", 0, 7},
        {" +M5/20 3.1s", "#3", "#-3", 1, 7}, /* plies, there */
        {"-M4/20", "#-2", "#2", 0, 6},
        {"+M1/2", "#1", "#-1", 0, 5},
        {"+12.5/30, book", "12.5", "-12.5", 0, 8},
        {"x +0.30/12", NULL, NULL, 0, 0}, /* somebody's words */
        {"1/2", NULL, NULL, 0, 0},
        {"1/2-1/2", NULL, NULL, 0, 0},
        {"+0.30", NULL, NULL, 0, 0},
        {"+0.30/", NULL, NULL, 0, 0},
        {"+0.30/x", NULL, NULL, 0, 0},
        {"+0.30/12x", NULL, NULL, 0, 0},
        {"+/12", NULL, NULL, 0, 0},
        {"+M/12", NULL, NULL, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++)
        for (int side = 0; side < 2; side++) {
            const char *const want = side == XQ_RED ? T[i].red : T[i].black;
            page_eval e;
            size_t from = 0, to = 0;
            if (page_eval_of_mover(xq_str_of(T[i].comment), (xq_side)side, &e,
                                   &from, &to) != (want != NULL))
                fail_msg("%s: %s", T[i].comment, e.text);
            if (!want)
                continue;
            assert_string_equal(e.text, want);
            assert_int_equal(from, T[i].from);
            assert_int_equal(to, T[i].to);
        }
}

static unsigned share(const char *eval, xq_side mover)
{
    xq_pos p;
    page_eval e;
    size_t from, to;
    xq_pos_start(&p);
    if (mover == XQ_BLACK)
        xq_pos_pass(&p);
    assert_true(page_eval_find(xq_str_of(eval), &e, &from, &to));
    return page_eval_share(&e, &p);
}

/* Evaluations are Red's whoever moves; mate in 0 is the mover's end. */
static void shares_are_reds(void **state)
{
    (void)state;
    for (int mover = XQ_RED; mover <= XQ_BLACK; mover++) {
        const xq_side side = (xq_side)mover;
        assert_int_equal(share("[%eval 0]", side), 500);
        assert_true(share("[%eval 2]", side) > 550);
        assert_true(share("[%eval -2]", side) < 450);
        assert_in_range(share("[%eval 2]", side) + share("[%eval -2]", side),
                        999, 1001);
        assert_in_range(share("[%eval 999999]", side), 990, 1000);
        assert_int_equal(share("[%eval #5]", side), 1000);
        assert_int_equal(share("[%eval #-5]", side), 0);
    }
    assert_int_equal(share("[%eval #0]", XQ_RED), 0);
    assert_int_equal(share("[%eval #0]", XQ_BLACK), 1000);
}

static void nags_have_signs(void **state)
{
    char room[16];
    (void)state;
    assert_string_equal(page_nag(4, room), "??");
    assert_string_equal(page_nag(6, room), "?!");
    assert_string_equal(page_nag(0, room), "$0");
    assert_string_equal(page_nag(9, room), "$9");
    assert_string_equal(page_nag(UINT32_MAX, room), "$4294967295");
}

/* The "m" of every node in order, and "u" where it is written. */
static void check_nodes(const char *text, const char *want)
{
    struct made *m = make_game(NULL, text);
    page_tree t;
    cli_buf got = {0};
    assert_true(page_tree_make(&t, &m->g, PGN_SIMPLIFIED));
    for (char *s = t.json.s; (s = strstr(s, "\n{")) != NULL; s++) {
        unsigned u;
        char move[5];
        if (sscanf(s, "\n{\"u\":%u,\"m\":\"%4s", &u, move) == 2)
            cli_buf_printf(&got, "%u:%s ", u, move);
        else if (sscanf(s, "\n{\"m\":\"%4s", move) == 1)
            cli_buf_printf(&got, "%s ", move);
    }
    assert_string_equal(got.s ? got.s : "", want);
    cli_buf_free(&got);
    page_tree_free(&t);
    free_game(m);
}

/* A variation is played where the move that it replaces was. */
static void nodes_say_what_they_are_played_in(void **state)
{
    (void)state;
    check_nodes("", "");
    check_nodes("h2e2 h9g7 h0g2", "h2e2 h9g7 h0g2 ");
    check_nodes("h2e2 (b2e2 h9g7) h9g7", "h2e2 0:b2e2 h9g7 1:h9g7 ");
    check_nodes("h2e2 (b2e2) (c3c4) h9g7 h0g2",
                "h2e2 0:b2e2 0:c3c4 1:h9g7 h0g2 ");
    check_nodes("h2e2 h9g7 (b9c7 h0g2 (b0c2 i9i8 (c6c5)) i9i8) h0g2",
                "h2e2 h9g7 1:b9c7 h0g2 3:b0c2 i9i8 5:c6c5 4:i9i8 2:h0g2 ");
    check_nodes("h2e2 h9g7 h0g2 (b0c2 i9i8)", "h2e2 h9g7 h0g2 2:b0c2 i9i8 ");
}

/* What the other script writes otherwise, once: 炮 is 砲 for Black alone. */
static void scripts_differ_by_characters(void **state)
{
    static const char *const WANT[2] = {
        "\"red\":\"马馬进進\",\"black\":\"炮砲马馬进進\"}",
        "\"red\":\"馬马進进\",\"black\":\"砲炮馬马進进\"}"};
    struct made *m = make_game(NULL, "h2e2 h7e7 h0g2 h9g7 b0c2");
    (void)state;
    for (int script = PGN_SIMPLIFIED; script <= PGN_TRADITIONAL; script++) {
        page_tree t;
        assert_true(page_tree_make(&t, &m->g, (pgn_script)script));
        assert_non_null(strstr(t.json.s, WANT[script]));
        assert_null(strstr(t.json.s, "\"t\":"));
        page_tree_free(&t);
    }
    free_game(m);
}

static size_t count(const char *s, const char *part)
{
    size_t n = 0;
    for (; (s = strstr(s, part)) != NULL; s += strlen(part))
        n++;
    return n;
}

static void links_and_nodes_are_as_many_and_elements_are_closed(void **state)
{
    struct made *m = make_game(
        NULL, "{a} h2e2 $1 $4 ({b} b2e2 h9g7 (b9c7 (c6c5)) h0g2) h9g7 {c<b>}");
    page_tree t;
    (void)state;
    assert_true(page_tree_make(&t, &m->g, PGN_TRADITIONAL));
    assert_int_equal(count(t.html.s, "<a"), m->g.nnodes - 1);
    assert_int_equal(count(t.json.s, "\"m\":"), m->g.nnodes);
    static const char *const PAIR[][2] = {
        {"<a", "</a>"}, {"<div", "</div>"}, {"<q", "</q>"}, {"<i>", "</i>"}};
    for (size_t i = 0; i < sizeof PAIR / sizeof *PAIR; i++)
        assert_int_equal(count(t.html.s, PAIR[i][0]),
                         count(t.html.s, PAIR[i][1]));
    assert_non_null(strstr(t.html.s, "<i>!?\?</i>"));
    assert_non_null(strstr(t.html.s, "c&lt;b&gt;"));
    assert_int_equal(t.n, 3);
    assert_int_equal(t.plies[1].mark, 4);
    assert_int_equal(t.plies[1].mover, XQ_RED);
    assert_int_equal(t.plies[2].mark, 0);
    page_tree_free(&t);
    free_game(m);
}

/* ...and where a move has both, the mover's is somebody's words. */
static void plain_evaluations_are_preferred(void **state)
{
    struct made *m =
        make_game(NULL, "h2e2 {+0.30/12 1s} h9g7 {+0.25/9 2s} {[%eval 1.5]}");
    page_tree t;
    (void)state;
    assert_true(page_tree_make(&t, &m->g, PGN_SIMPLIFIED));
    assert_string_equal(t.plies[1].eval.text, "0.30");
    assert_string_equal(t.plies[2].eval.text, "1.5");
    assert_null(strstr(t.html.s, "+0.30/12"));
    assert_non_null(strstr(t.html.s, ">1s<"));
    assert_non_null(strstr(t.html.s, ">+0.25/9 2s<"));
    page_tree_free(&t);
    free_game(m);
}

/* A refused start position has no kings to look for. */
static void games_without_a_position_have_a_page(void **state)
{
    struct made *m = make_game(NULL, "");
    cli_buf b = {0};
    const page_style style = {.title = "<a&b>"};
    (void)state;
    add_tag(m, "FEN", "not a position");
    page_begin(&b, &style);
    assert_int_equal(page_add_game(&b, &m->g, &style), XQ_OK);
    page_end(&b);
    assert_non_null(strstr(b.s, "\"start\":\"9/9/9/9/9/9/9/9/9/9\""));
    assert_non_null(strstr(b.s, "<title>&lt;a&amp;b&gt;</title>"));
    assert_null(strstr(b.s, "class=\"still\""));
    cli_buf_free(&b);
    free_game(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluations_are_found_and_taken_out),
        cmocka_unit_test(evaluations_of_the_mover_are_turned_round),
        cmocka_unit_test(shares_are_reds),
        cmocka_unit_test(nags_have_signs),
        cmocka_unit_test(nodes_say_what_they_are_played_in),
        cmocka_unit_test(scripts_differ_by_characters),
        cmocka_unit_test(links_and_nodes_are_as_many_and_elements_are_closed),
        cmocka_unit_test(plain_evaluations_are_preferred),
        cmocka_unit_test(games_without_a_position_have_a_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
