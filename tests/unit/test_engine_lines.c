/* test_engine_lines.c - what engines print, line by line: cases S70 to S75. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/rules.h"
#include "tools/analysis.h"
#include "tools/command_words.h"
#include "tools/engine_lines.h"

#include <stdlib.h>
#include <string.h>

static xq_str of(const char *s) { return xq_str_of(s); }

static void moves_are_read_in_both_counts(void **state)
{
    static const struct {
        const char *text;
        engine_ranks ranks;
        const char *move; /* NULL: none */
    } T[] = {
        {"h2e2", ENGINE_RANKS_0, "h2e2"},   {"h3e3", ENGINE_RANKS_1, "h2e2"},
        {"h10g8", ENGINE_RANKS_1, "h9g7"},  {"i10h10", ENGINE_RANKS_1, "i9h9"},
        {"a1a10", ENGINE_RANKS_1, "a0a9"},  {"a0a1", ENGINE_RANKS_1, NULL},
        {"h10g8", ENGINE_RANKS_0, NULL},    {"Ra9xb9+", ENGINE_RANKS_0, "a9b9"},
        {"Pc6-c5", ENGINE_RANKS_0, "c6c5"}, {"Ra0-a8#", ENGINE_RANKS_0, "a0a8"},
        {"aaaa", ENGINE_RANKS_0, NULL},     {"(none)", ENGINE_RANKS_0, NULL},
        {"h2", ENGINE_RANKS_0, NULL},       {"h2e", ENGINE_RANKS_0, NULL},
        {"", ENGINE_RANKS_0, NULL},         {"h2e2q", ENGINE_RANKS_0, NULL},
        {"j2e2", ENGINE_RANKS_0, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        const xq_move m = engine_move(of(T[i].text), T[i].ranks);
        if (m != (T[i].move ? xq_move_parse(T[i].move) : XQ_NOMOVE))
            fail_msg("'%s' is read as %u", T[i].text, m);
    }
}

static void no_first_move_is_legal_in_both_counts(void **state)
{
    xq_pos p;
    xq_movelist list;
    char text[8];
    xq_move other;
    (void)state;
    xq_pos_start(&p);
    xq_gen_legal(&p, &list);
    for (unsigned i = 0; i < list.n; i++) {
        xq_move_format(list.m[i], text);
        assert_int_equal(engine_moves(of(text), ENGINE_RANKS_1, &p, &other, 1),
                         0);
    }
}

static void lines_stop_before_an_illegal_move(void **state)
{
    xq_pos p;
    xq_move m[9];
    (void)state;
    xq_pos_start(&p);
    assert_int_equal(
        engine_moves(of("h2e2 h9g7 g7g7 h0g2"), ENGINE_RANKS_0, &p, m, 9), 2);
    assert_int_equal(m[1], xq_move_parse("h9g7"));
    assert_int_equal(engine_moves(of("1. Ch2-e2 Hh9-g7 2. Hh0-g2"),
                                  ENGINE_RANKS_0, &p, m, 9),
                     3);
    assert_int_equal(
        engine_moves(of("h3e3 h10g8 h1g3 i10h10"), ENGINE_RANKS_1, &p, m, 2),
        2);
    assert_int_equal(engine_moves(of(""), ENGINE_RANKS_0, &p, m, 9), 0);
}

static void infos_are_told_from_other_lines(void **state)
{
    static const struct {
        const char *line;
        bool info, score, mate;
        int bound, value;
        unsigned multipv, depth;
    } T[] = {
        {"info depth 7 currmove h2e2 currmovenumber 1", true, false, false, 0,
         0, 1, 7},
        {"info depth 7 seldepth 9 multipv 1 score cp 90 lowerbound nodes 100 "
         "pv h2e2",
         true, true, false, 1, 90, 1, 7},
        {"info depth 8 multipv 2 score mate -3 pv a0a1", true, true, true, 0,
         -3, 2, 8},
        {"info depth 3 score 25 pv h2e2 h9g7", true, true, false, 0, 25, 1, 3},
        {"info score upperbound cp 3", true, false, false, -1, 0, 1, 0},
        {"info string pv is fine, score cp 999", false, false, false, 0, 0, 1,
         0},
        {"info message score 5", false, false, false, 0, 0, 1, 0},
        {"information depth 8", false, false, false, 0, 0, 1, 0},
        {"info depth x score cp y", true, false, false, 0, 0, 1, 0},
        {"info score cp 99999999999999999999", true, true, false, 0,
         ANALYSIS_CP_MAX, 1, 0},
        {"info score mate -99999999999999999999", true, true, true, 0,
         -ANALYSIS_CP_MAX, 1, 0},
        {"bestmove h2e2", false, false, false, 0, 0, 1, 0},
    };
    engine_info i;
    (void)state;
    for (size_t k = 0; k < sizeof T / sizeof *T; k++) {
        const bool info = engine_read_info(of(T[k].line), &i);
        if (info != T[k].info || i.has_score != T[k].score ||
            i.mate != T[k].mate || i.bound != T[k].bound ||
            (i.has_score && i.score != T[k].value) ||
            i.multipv != T[k].multipv || i.depth != T[k].depth)
            fail_msg("'%s'", T[k].line);
    }
}

static void thinking_of_xboard_is_read(void **state)
{
    engine_info i;
    (void)state;
    assert_true(engine_read_thinking(
        of("5 8 98 60983 1. Pa3-a4 Pc6-c5 2. Ch2-e2"), &i));
    assert_int_equal(i.depth, 5);
    assert_int_equal(i.score, 8);
    assert_int_equal(i.nodes, 60983);
    assert_int_equal(i.bound, 0);
    assert_true(engine_read_thinking(of("2 1861 0 29 (+) 1. Ra0-a8#"), &i));
    assert_int_equal(i.bound, 1);
    assert_memory_equal(i.pv.s, "1. Ra0", 6);
    assert_true(engine_read_thinking(of("2 99999 0 78 1. Ra0-a8#"), &i));
    assert_true(i.mate);
    assert_int_equal(i.score, 1);
    assert_true(engine_read_thinking(of("9 -100003 0 78"), &i));
    assert_true(i.mate);
    assert_int_equal(i.score, -3);
    assert_false(
        engine_read_thinking(of("Search depth limited to 5 ply."), &i));
    assert_false(engine_read_thinking(of("1 2 3"), &i));
    assert_false(engine_read_thinking(of("total 1 2 3 4"), &i));
}

static void no_move_has_many_words(void **state)
{
    static const char *const NONE[] = {"bestmove (none)", "bestmove 0000",
                                       "bestmove a0a0", "nobestmove",
                                       "bestmove"};
    xq_str m;
    (void)state;
    for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++)
        if (engine_read_best(of(NONE[i]), &m) != ENGINE_NO_MOVE)
            fail_msg("'%s'", NONE[i]);
    assert_int_equal(engine_read_best(of("bestmove h2e2 ponder h9g7"), &m),
                     ENGINE_MOVE);
    assert_memory_equal(m.s, "h2e2", 4);
    assert_int_equal(engine_read_best(of("bestmoves h2e2"), &m),
                     ENGINE_NO_ANSWER);
}

static void options_have_names_with_blanks(void **state)
{
    engine_option o;
    xq_str rest, var, spelt;
    (void)state;
    assert_true(engine_read_option(
        of("option name Repetition Rule type combo default AsianRule var "
           "AsianRule var Chinese Rule var SkyRule"),
        &o));
    assert_true(xq_str_eq(o.name, of("Repetition Rule")));
    rest = o.vars;
    assert_true(engine_option_var(&rest, &var));
    assert_true(xq_str_eq(var, of("AsianRule")));
    assert_true(engine_option_var(&rest, &var));
    assert_true(xq_str_eq(var, of("Chinese Rule")));
    assert_true(engine_option_var(&rest, &var));
    assert_true(xq_str_eq(var, of("SkyRule")));
    assert_false(engine_option_var(&rest, &var));
    assert_true(engine_option_takes(&o, of("chinese rule"), &spelt));
    assert_true(xq_str_eq(spelt, of("Chinese Rule")));
    assert_false(engine_option_takes(&o, of("NoRule"), &spelt));

    assert_true(engine_read_option(
        of("option name Hash type spin default 16 min 1 max 33554432"), &o));
    assert_true(engine_option_takes(&o, of("64"), &spelt));
    assert_false(engine_option_takes(&o, of("0"), &spelt));
    assert_false(engine_option_takes(&o, of("33554433"), &spelt));
    assert_false(engine_option_takes(&o, of("many"), &spelt));

    assert_true(engine_read_option(
        of("option usemillisec type check default true"), &o)); /* UCCI */
    assert_true(xq_str_eq(o.name, of("usemillisec")));
    assert_true(engine_option_takes(&o, of("FALSE"), &spelt));
    assert_true(xq_str_eq(spelt, of("false")));
    assert_false(engine_option_takes(&o, of("yes"), &spelt));

    assert_true(engine_read_option(
        of("option name EvalFile type string default a b.nnue "), &o));
    assert_true(xq_str_eq(o.preset, of("a b.nnue")));
    assert_true(engine_read_option(of("option name EvalFile type string"), &o));
    assert_int_equal(o.preset.n, 0);
    assert_true(engine_read_feature(of("net file -file a b.nnue"), &o));
    assert_true(xq_str_eq(o.preset, of("a b.nnue")));

    assert_true(
        engine_read_option(of("option name Clear Hash type button"), &o));
    assert_true(engine_option_takes(&o, of(""), &spelt));
    assert_false(engine_option_takes(&o, of("now"), &spelt));

    assert_true(engine_read_feature(of("verbose -spin 0 -5 2147483647"), &o));
    assert_true(xq_str_eq(o.name, of("verbose")));
    assert_true(engine_option_takes(&o, of("-5"), &spelt));
    assert_false(engine_option_takes(&o, of("-6"), &spelt));

    assert_false(engine_read_option(of("option name Hash"), &o));
    assert_false(engine_read_option(of("option name Hash type number"), &o));
    assert_false(engine_read_option(of("options"), &o));
}

static void commands_are_split_at_blanks_outside_quotes(void **state)
{
    static const struct {
        const char *line, *words[4]; /* none: an error */
    } T[] = {
        {"pikafish", {"pikafish"}},
        {" \"象棋 引擎/py engine.sh\" --uci ",
         {"象棋 引擎/py engine.sh", "--uci"}},
        {"a\\ b 'c \"d'\"e f\"", {"a b", "c \"de f"}},
        {"a \"\"", {"a", ""}},
        {"\"a\\\"b\" 'c\\d'", {"a\"b", "c\\d"}},
        {"", {NULL}},
        {"  ", {NULL}},
        {"a 'b", {NULL}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        char **w = NULL;
        size_t n = 0;
        xq_err err;
        const xq_status rc = command_words(&w, &n, T[i].line, &err);
        assert_int_equal(rc, T[i].words[0] ? XQ_OK : XQ_ESYNTAX);
        for (size_t k = 0; k < n; k++)
            assert_string_equal(w[k], T[i].words[k]);
        if (rc == XQ_OK)
            assert_null(T[i].words[n]);
        free(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_read_in_both_counts),
        cmocka_unit_test(no_first_move_is_legal_in_both_counts),
        cmocka_unit_test(lines_stop_before_an_illegal_move),
        cmocka_unit_test(infos_are_told_from_other_lines),
        cmocka_unit_test(thinking_of_xboard_is_read),
        cmocka_unit_test(no_move_has_many_words),
        cmocka_unit_test(options_have_names_with_blanks),
        cmocka_unit_test(commands_are_split_at_blanks_outside_quotes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
