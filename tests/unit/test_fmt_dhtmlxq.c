/* test_fmt_dhtmlxq.c - DhtmlXQ and DHJHtmlXQ, read and written (formats
 * reference 6.5, case S86). */
#include "tests/unit/text_util.h"

#define T(name, value) "[DhtmlXQ_" name "]" value "[/DhtmlXQ_" name "]"
#define START          "8979695949392919097717866646260600102030405060708012720323436383"

static void s86(void **state)
{
    static const char TEXT[] = "[DhtmlXQ]\n" T("title", "测试") "\n" T(
        "binit", START) "\n" T("movelist", "77477062796780708979")
        T("move_0_2_1", "7242") "\n" T("comment2", "屏风马||稳健")
            T("result", "红胜") T("red", "王测试")
                T("black", "李样本") "[/DhtmlXQ]\n";
    (void)state;
    char *json = games_in(TEXT);
    has(json, "\"moves\":[\"h2e2\",\"h9g7\",\"h0g2\",\"i9h9\",\"i0h0\"]");
    has(json, "\"comments\":[{\"ply\":2,\"text\":\"屏风马\\n稳健\"}]");
    has(json, "\"variations\":[{\"ply\":2,\"moves\":[\"h7e7\"]");
    has(json, "\"result\":\"1-0\"");
    has(json, "[\"Red\",\"王测试\"]");
    has(json, "[\"Result\",\"1-0\"]");
    has(json, "\"problems\":[]");
    has_not(json, "[\"FEN\"");
    free(json);
    same_through_pgn(TEXT);
}

/* Which line a variation branches from, and at which ply: counted from the
 * start position, in lines of variations too. */
static void variations(void **state)
{
    (void)state;
    char *json = games_in(T("movelist", "7747706279678070")
                          /* 3: a branch of line 1; 1 comes later */
                          T("move_1_3_3", "1947") T("move_0_2_1", "72421927")
                          /* of line 1, but before it begins: of line 0 */
                          T("move_1_1_4", "1747")
                          /* at line 1's first ply: beside it */
                          T("move_1_2_5", "1022") T("comment1_2", "first")
                              T("comment3_3", "third") T("comment1_1", "before")
                                  T("result", "和局"));
    has(json, "{\"ply\":1,\"moves\":[\"b2e2\"]");
    has(json, "{\"ply\":2,\"moves\":[\"h7e7\",\"b0c2\"]");
    has(json, "{\"ply\":2,\"moves\":[\"b9c7\"]");
    has(json, "\"comments\":[{\"ply\":0,\"text\":\"before\"},"
              "{\"ply\":1,\"text\":\"first\"}]");
    has(json, "illegal"); /* 1947: b0e2 is no move of a horse */
    has(json, "\"result\":\"1/2-1/2\"");
    free(json);

    json = games_in(T("movelist", "7747") T("move_0_5_1", "7062")
                        T("move_8_1_2", "1747") T("move_3_1_3", "1747")
                            T("comment9", "far") T("result", "1-0"));
    has(json, "3 variations and 1 comment belong to no move");
    has(json, "\"level\":\"warning\"");
    has_not(json, "\"level\":\"error\"");
    free(json);
}

static void start_positions(void **state)
{
    static const struct {
        const char *text, *want;
    } CASES[] = {
        {T("binit", "899999994999999999999999999999993099999999999999999999999"
                    "9999999"),
         "start position refused"}, /* a rook is Black's only piece */
        /* two kings and a rook; the first mover's colour tells the side */
        {T("binit", "899999994999999999999999999999999999999930999999"
                    "9999999999999999") T("movelist", "8980"),
         "\"fen\":\"3k5/9/9/9/9/9/9/9/9/4K3R w - - 0 1\",\"moves\":"
         "[\"i0i9\"]"},
        {T("binit", "899999994999999999999999999999999999999930999999"
                    "9999999999999999") T("movelist", "3031"),
         "\"fen\":\"3k5/9/9/9/9/9/9/9/9/4K3R b - - 0 1\",\"moves\":"
         "[\"d9d8\"]"},
        {T("fen", "3k5/9/9/9/9/9/9/9/9/4K3R r") T("movelist", "8980"),
         "3k5/9/9/9/9/9/9/9/9/4K3R w - - 0 1"},
        {T("binit", "8999"), "64 digits expected"},
        {T("movelist", "7062"), "RNBAKABNR b - - 0 1"}, /* Black begins */
        {"[DHJHtmlXQ][DHJHtmlXQ_32]0[/DHJHtmlXQ_32][DHJHtmlXQ_34]72427967"
         "[/DHJHtmlXQ_34][DHJHtmlXQ_18]A[/DHJHtmlXQ_18][DHJHtmlXQ_28]1-0"
         "[/DHJHtmlXQ_28][game_comment_0_2]x[/comment_0_2][/DHJHtmlXQ]",
         "\"moves\":[\"h2e2\",\"h9g7\"],\"nags\":[],\"comments\":"
         "[{\"ply\":2,\"text\":\"x\"}]"},
        {"[DHJHtmlXQ_31]000k00000000000000000000000000000000000000000"
         "0000000000000000000000000000000000000000K000R[/DHJHtmlXQ_31]"
         "[DHJHtmlXQ_32]1[/DHJHtmlXQ_32]",
         "\"fen\":\"3k5/9/9/9/9/9/9/9/9/4K3R b - - 0 1\""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char *json = games_in(CASES[i].text);
        has(json, CASES[i].want);
        free(json);
    }
}

static void faults_keep_the_good_prefix(void **state)
{
    static const struct {
        const char *text, *moves, *problem;
    } CASES[] = {
        {T("movelist", "774770627747"), "[\"h2e2\",\"h9g7\"]",
         "no red piece on h2"},
        {T("movelist", "774799"), "[\"h2e2\"]", "two squares of two digits"},
        {T("movelist", "7747xx62"), "[\"h2e2\"]", "two squares of two digits"},
        {T("movelist", "7747 9062"), "[\"h2e2\"]", "two squares"},
        {"[DhtmlXQ_movelist]77477062", "[\"h2e2\",\"h9g7\"]", "never closed"},
        {"[DhtmlXQ_movelist]7747[/DhtmlXQ_moves]", "[\"h2e2\"]", "closed as"},
        {T("movelist", ""), "[]", "no result"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char *json = games_in(CASES[i].text);
        char moves[100];
        snprintf(moves, sizeof moves, "\"moves\":%s", CASES[i].moves);
        has(json, moves);
        has(json, CASES[i].problem);
        free(json);
    }
}

static void pages_and_escapes(void **state)
{
    (void)state;
    char *json = games_in(
        "<html><p>[1] see</p><div>[DhtmlXQ]" T("red", "A &amp; B &#20013;")
            T("comment0", " \\u4e2d\\ud840\\udc00 a|b [x] ")
                T("movelist", "\n7747\n7062\n")
                    T("result", "L") "[/DhtmlXQ]</div><div>[DhtmlXQ]" T(
                        "movelist", "1747")
                        T("result", "?!") "[/DhtmlXQ]\n</html>");
    has(json, "[\"Red\",\"A & B 中\"]");
    has(json, "\"text\":\"中𠀀 a|b [x]\"");
    has(json, "[\"h2e2\",\"h9g7\"]");
    has(json, "[\"Result\",\"0-1\"]");
    has(json, "\"moves\":[\"b2e2\"]");
    assert_int_equal(count_of(json, "\n"), 2);
    free(json);
    /* two games without a wrapper */
    json = games_in(T("title", "1") T("movelist", "7747") T("title", "2")
                        T("movelist", "1747"));
    assert_int_equal(count_of(json, "\n"), 2);
    free(json);
}

static void cut_anywhere(void **state)
{
    pgn_buf b = {0};
    (void)state;
    for (int i = 0; i < 40; i++)
        pgn_buf_printf(&b,
                       "<p>%d</p>[DhtmlXQ]" T("round", "%d")
                           T("movelist", "77477062%s")
                               T("result", "红胜") "[/DhtmlXQ]\r\n",
                       i, i, i % 7 ? "7967" : "7747");
    same_when_cut(b.s, b.n);
    char *json = games_cut(b.s, b.n, 0, true);
    assert_int_equal(count_of(json, "\n"), 40);
    assert_int_equal(count_of(json, "\"level\":\"error\""), 6);
    free(json);
    pgn_buf_free(&b);
}

/* Problems of lines that are played in another order than they stand in. */
static void faults_are_found_where_they_stand(void **state)
{
    (void)state;
    /* more than are listed: only that it ends in time */
    for (unsigned n = 6; n <= 100000; n = n == 6 ? 100000 : n + 1) {
        pgn_buf b = {0};
        pgn_buf_puts(&b, T("result", "1-0") T("movelist", "77477062") "\n");
        for (unsigned i = 1; i <= n; i++)
            pgn_buf_printf(&b, "[DhtmlXQ_move_0_%u_%u]0000[/DhtmlXQ]\n",
                           2 - i % 2, i);
        struct reading r = reading_of((xq_str){b.s, b.n}, PGN_ENC_AUTO);
        const pgn_game *g = next_game(&r);
        assert_non_null(g);
        assert_true(g->faulty);
        const pgn_problem *last = &g->problems[g->nproblems - 1];
        for (unsigned i = 0; i < 3 && n == 6; i++) {
            assert_int_equal(last[(int)i - 2].line, 3 + 2 * i); /* ply 2 */
            assert_int_equal(last[(int)i - 5].line, 2 + 2 * i); /* ply 1 */
        }
        end_reading(&r);
        pgn_buf_free(&b);
    }
}

/* ---- written ---- */

static void there_and_back(void **state)
{
    static const char *const GAMES[] = {
        "{\"tags\":[[\"Title\",\"t\"],[\"Red\",\"甲 &amp; \\\\u4e2d\"],"
        "[\"Own-Tag\",\"[/DhtmlXQ_x] ||\"],[\"Result\",\"1-0\"]],"
        "\"moves\":[\"h2e2\",\"h9g7\",\"h0g2\"],"
        "\"comments\":[{\"ply\":0,\"text\":\"all\"},{\"ply\":2,\"text\":\"a|\\n"
        "||b\\n\\n[DhtmlXQ] &lt; \\\\u0041\"}],"
        "\"variations\":[{\"ply\":2,\"moves\":[\"h7e7\",\"b0c2\",\"b9c7\"],"
        "\"comments\":[{\"ply\":0,\"text\":\"before\"},{\"ply\":1,\"text\":"
        "\"after\"}],\"variations\":[{\"ply\":3,\"moves\":[\"a9b9\"]}]},"
        "{\"ply\":2,\"moves\":[\"b7e7\"]},{\"ply\":1,\"moves\":[\"b2e2\"]}],"
        "\"result\":\"1-0\"}\n",
        /* three elephants: no room in binit */
        "{\"tags\":[[\"FEN\",\"3k5/9/9/9/9/9/9/4B4/9/2B1K1B2 b - - 3 7\"],"
        "[\"Result\",\"*\"]],\"fen\":\"3k5/9/9/9/9/9/9/4B4/9/2B1K1B2 b - - 3 "
        "7\",\"moves\":[\"d9d8\"],\"result\":\"*\"}\n",
        ("{\"tags\":[[\"Result\",\"1/2-1/2\"]],\"moves\":[],\"result\":"
         "\"1/2-1/2\"}\n"),
    };
    (void)state;
    for (size_t i = 0; i < sizeof GAMES / sizeof *GAMES; i++) {
        size_t lost;
        char *json = games_cut(GAMES[i], strlen(GAMES[i]), 0, false);
        char *ubb = written_by(GAMES[i], to_dhtmlxq, &lost);
        char *back = games_cut(ubb, strlen(ubb), 0, false);
        assert_int_equal(lost, 0);
        const char *fen = strstr(json, "[\"FEN\"");
        if (!fen) {
            assert_string_equal(json, back);
        } else { /* FEN moves behind the others */
            has(back, "[\"FEN\",\"3k5/9/9/9/9/9/9/4B4/9/2B1K1B2 b - - 3 7\"]");
            has(back, strstr(json, "\"fen\""));
        }
        free(json);
        free(ubb);
        free(back);
    }
}

static void what_it_cannot_hold_is_counted(void **state)
{
    size_t lost;
    (void)state;
    char *ubb = written_by("[Result \"*\"]\n\n1. h2e2 $1 {a} {b} *\n",
                           to_dhtmlxq, &lost);
    assert_int_equal(lost, 2);
    has(ubb, T("comment1", "a||b"));
    has(ubb, T("movelist", "7747"));
    free(ubb);
}

/* Blanks around a text and breaks inside a value do not come back. */
static void blanks_are_counted(void **state)
{
    static const char GAME[] =
        "{\"tags\":[[\"Title\",\" t\"],[\"Red\",\"x \"],[\"Site\",\"a  b\"],"
        "[\"Black\",\"a\\nb\"],[\"Date\",\"\\u0008c\"]],\"comments\":[{\"ply\":"
        "0,"
        "\"text\":\" a\\nb\"}]}";
    size_t lost;
    (void)state;
    char *text = written_by(GAME, to_dhtmlxq, &lost);
    assert_int_equal(lost, 5);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(s86),
        cmocka_unit_test(variations),
        cmocka_unit_test(start_positions),
        cmocka_unit_test(faults_keep_the_good_prefix),
        cmocka_unit_test(pages_and_escapes),
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(faults_are_found_where_they_stand),
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(what_it_cannot_hold_is_counted),
        cmocka_unit_test(blanks_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
