/* test_page_tree.c - what a page is told of a game: evaluations, marks, nodes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/engine_util.h"
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

static bool has(const page_tree *t, const char *member)
{
    return strstr(t->json.s, member) != NULL;
}

static void check_moves(const char *text, const char *want)
{
    struct made *m = make_game(NULL, text);
    page_tree t;
    cli_buf member = {0};
    assert_true(page_tree_make(&t, &m->g, PGN_SIMPLIFIED));
    cli_buf_printf(&member, "\n\"moves\":\"%s\",", want);
    if (!has(&t, member.s))
        fail_msg("%s: %s", text, t.json.s);
    cli_buf_free(&member);
    page_tree_free(&t);
    free_game(m);
}

/* A variation stands behind the move that it replaces, between ' ' and '!'. */
static void moves_are_a_tree(void **state)
{
    (void)state;
    check_moves("", "");
    check_moves("h2e2 h9g7 h0g2", "=9}j*;");
    check_moves("h2e2 (b2e2 h9g7) h9g7", "=9 69}j!}j");
    check_moves("h2e2 (b2e2) (c3c4) h9g7 h0g2", "=9 69! AJ!}j*;");
    check_moves("h2e2 h9g7 (b9c7 h0g2 (b0c2 i9i8 (c6c5)) i9i8) h0g2",
                "=9}j wf*; $7~u ]S!!~u!*;");
    check_moves("h2e2 h9g7 h0g2 (b0c2 i9i8)", "=9}j*; $7~u!");
}

/* One blank a node, and none behind the last that has an evaluation. */
static void evaluations_are_counted_by_blanks(void **state)
{
    static const struct {
        const char *game, *want; /* shares are the engine's: "N" */
    } T[] = {
        {"h2e2 h9g7", ""},
        {"{[%eval 0]} h2e2 h9g7", "0/50"},
        {"h2e2 {[%eval #3]} h9g7", "1 #3/100"},
        {"{[%eval 0]} h2e2 h9g7 (b9c7 h0g2 {[%eval #-1]}) h0g2 {[%eval #2]}",
         "0/50 3 #-1/0 #2/100"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        struct made *m = make_game(NULL, T[i].game);
        page_tree t;
        cli_buf member = {0};
        assert_true(page_tree_make(&t, &m->g, PGN_SIMPLIFIED));
        cli_buf_printf(&member, "\n\"evals\":\"%s\",", T[i].want);
        if (!has(&t, member.s))
            fail_msg("%s: %s", T[i].game, t.json.s);
        cli_buf_free(&member);
        page_tree_free(&t);
        free_game(m);
    }
}

static void checks_and_ends_are_told_by_number(void **state)
{
    struct made *m =
        make_game("3k5/9/9/9/9/9/9/4R4/5R3/4K4 b", "d9d8 f1d1 (f1f8)");
    page_tree t;
    (void)state;
    assert_true(page_tree_make(&t, &m->g, PGN_SIMPLIFIED));
    assert_true(has(&t, "\n\"king\":{\"2\":\"d8\",\"3\":\"d8\"},"));
    assert_true(has(&t, "\n\"end\":{\"2\":\"mate\"},"));
    assert_true(has(&t, "\"side\":\"black\""));
    page_tree_free(&t);
    free_game(m);
}

/* What the other script writes otherwise, once: 炮 is 砲 for Black alone. */
static void scripts_differ_by_characters(void **state)
{
    static const char *const WANT[2][2] = {
        {"\n\"red\":\"马馬进進\",", "\n\"black\":\"炮砲马馬进進\","},
        {"\n\"red\":\"馬马進进\",", "\n\"black\":\"砲炮馬马進进\","}};
    struct made *m = make_game(NULL, "h2e2 h7e7 h0g2 h9g7 b0c2");
    (void)state;
    for (int script = PGN_SIMPLIFIED; script <= PGN_TRADITIONAL; script++) {
        page_tree t;
        assert_true(page_tree_make(&t, &m->g, (pgn_script)script));
        assert_true(has(&t, WANT[script][0]));
        assert_true(has(&t, WANT[script][1]));
        assert_false(has(&t, "\"other\""));
        page_tree_free(&t);
    }
    free_game(m);
}

/* WXF is got so, too, but for two pieces on one file, which it writes by sign
 * instead of number. */
static void wxf_is_told_where_characters_do_not_give_it(void **state)
{
    struct made *m = make_game(NULL, "b2e2 a9a8 h2h4 a8a9 h4e4 d9e8 e4f4");
    page_tree t;
    (void)state;
    assert_true(page_tree_make(&t, &m->g, PGN_SIMPLIFIED));
    assert_true(has(&t, "\n\"wxf\":{\"7\":\"C+.4\"},"));
    assert_true(has(&t, "\n\"redwxf\":\"炮C八8平.五5二2进+\","));
    page_tree_free(&t);
    free_game(m);
}

static size_t count(const char *s, const char *part)
{
    size_t n = 0;
    for (; (s = strstr(s, part)) != NULL; s += strlen(part))
        n++;
    return n;
}

static void words_and_moves_are_as_many_and_elements_are_closed(void **state)
{
    struct made *m = make_game(
        NULL,
        "{a} h2e2 $1 $4 $2 ({b} b2e2 h9g7 (b9c7 (c6c5)) h0g2) h9g7 {c<b>}");
    page_tree t;
    (void)state;
    assert_true(page_tree_make(&t, &m->g, PGN_TRADITIONAL));
    /* 1. 炮 (1. 炮 马 (1… 马) (1… 卒) 2. 马) 1… 马 */
    assert_int_equal(count(t.html.s, "\u00a0"), 6);
    assert_int_equal(count(t.html.s, "马") + count(t.html.s, "馬"), 4);
    static const char *const PAIR[][2] = {
        {"<div", "</div>"}, {"<q", "</q>"}, {"<i", "</i>"}};
    for (size_t i = 0; i < sizeof PAIR / sizeof *PAIR; i++)
        assert_int_equal(count(t.html.s, PAIR[i][0]),
                         count(t.html.s, PAIR[i][1]));
    assert_non_null(strstr(t.html.s, "<i class=m4>!?\?\?</i> "));
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

/* ---- size ---- */

/* A line of so many random moves as text; every fifth move of the main line
 * (`top`) has a mark and a variation of ten. */
static xq_pos add_random(cli_buf *b, xq_pos p, unsigned plies, bool top,
                         uint64_t *seed)
{
    for (unsigned i = 1; i <= plies; i++) {
        const xq_pos before = p;
        const xq_move m = random_move(&p, seed);
        char text[8];
        if (m == XQ_NOMOVE)
            break;
        xq_move_format(m, text);
        xq_pos_make(&p, m, NULL);
        cli_buf_printf(b, "%s ", text);
        if (top && i % 5 == 0)
            cli_buf_printf(b, "$%u ", 2 * random_below(seed, 3) + 2);
        if (top)
            cli_buf_printf(b, "{[%%eval %d.%02u]} ",
                           (int)random_below(seed, 19) - 9,
                           random_below(seed, 100));
        if (top && i % 5 == 0) {
            cli_buf_puts(b, "(");
            add_random(b, before, 10, false, seed);
            cli_buf_puts(b, ") ");
        }
    }
    return p;
}

/* web.md: the page of a game is to stay under 60 KB, whole: a long game with
 * an evaluation a move and variations of ten plies every fifth ply. */
static void long_games_are_under_60000_bytes(void **state)
{
    static const unsigned PLIES[] = {82, 150, 200};
    uint64_t seed = 1;
    (void)state;
    for (size_t i = 0; i < sizeof PLIES / sizeof *PLIES; i++) {
        const page_style style = {.title = "long.pgn"};
        cli_buf text = {0}, page = {0};
        xq_pos p;
        xq_pos_start(&p);
        add_random(&text, p, PLIES[i], true, &seed);
        struct made *m = make_game(NULL, text.s);
        assert_int_equal(m->g.plies, PLIES[i]);
        add_tag(m, "Red", "一个名字很长的棋手");
        add_tag(m, "Black", "另一个名字很长的棋手");
        add_tag(m, "Event", "全国象棋个人锦标赛男子甲组");
        add_tag(m, "Date", "2026.11.30");
        add_tag(m, "RedAccuracy", "88.1");
        add_tag(m, "BlackAccuracy", "79.4");
        page_begin(&page, &style);
        assert_int_equal(page_add_game(&page, &m->g, &style), XQ_OK);
        page_end(&page);
        if (page.n >= 60000)
            fail_msg("%u plies, %u moves: %zu bytes", PLIES[i], m->g.nnodes - 1,
                     page.n);
        cli_buf_free(&page);
        cli_buf_free(&text);
        free_game(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evaluations_are_found_and_taken_out),
        cmocka_unit_test(evaluations_of_the_mover_are_turned_round),
        cmocka_unit_test(shares_are_reds),
        cmocka_unit_test(nags_have_signs),
        cmocka_unit_test(moves_are_a_tree),
        cmocka_unit_test(evaluations_are_counted_by_blanks),
        cmocka_unit_test(checks_and_ends_are_told_by_number),
        cmocka_unit_test(scripts_differ_by_characters),
        cmocka_unit_test(wxf_is_told_where_characters_do_not_give_it),
        cmocka_unit_test(words_and_moves_are_as_many_and_elements_are_closed),
        cmocka_unit_test(plain_evaluations_are_preferred),
        cmocka_unit_test(games_without_a_position_have_a_page),
        cmocka_unit_test(long_games_are_under_60000_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
