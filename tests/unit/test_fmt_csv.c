/* test_fmt_csv.c - tables with a move a row. */
#include "tests/unit/text_util.h"

#define HEADER                                                                 \
    "\"timestamp\",\"move_index\",\"move\",\"game_id\",\"red_player\","        \
    "\"black_player\",\"outcome\",\"kind\",\"engine_analysis\",\"cpl\"\n"
#define ROW(i, move, game, note)                                               \
    "\"2026-07-07T08:31:02Z\",\"" i "\",\"" move "\",\"" game                  \
    "\",\"A \"\"x\"\", B\",\"C\",\"RED_WINS\",\"fast\",\"" note "\",\"-3\"\n"

static void games(void **state)
{
    static const char TEXT[] = HEADER ROW("0", "h2e2", "g1", "pv a")
        ROW("1", "h9g7", "g1", "") ROW("0", "b2e2", "g2", "x\ny");
    (void)state;
    assert_int_equal(kind_of(TEXT), PGN_FMT_CSV);
    char *json = games_in(TEXT);
    assert_int_equal(count_of(json, "\n"), 2);
    has(json, "[\"Date\",\"2026.07.07\"]");
    has(json, "[\"GameId\",\"g1\"],[\"Red\",\"A \\\"x\\\", B\"],[\"Black\","
              "\"C\"],[\"Result\",\"1-0\"],[\"kind\",\"fast\"]");
    has(json, "\"moves\":[\"h2e2\",\"h9g7\"]");
    has(json, "{\"ply\":1,\"text\":\"engine_analysis: pv a\\ncpl: -3\"},"
              "{\"ply\":2,\"text\":\"cpl: -3\"}");
    has(json, "engine_analysis: x\\ny\\ncpl");
    free(json);
    same_through_pgn(TEXT);
}

static void other_tables(void **state)
{
    static const struct {
        const char *text, *want;
        unsigned games;
    } CASES[] = {
        {"ply;uci\n1;h2e2\n2;h9g7\n1;b2e2\n", "[\"h2e2\",\"h9g7\"]", 2},
        {"game\tmove\r\n7\th2e2\r\n7\th9g7\r\n8\tb2e2\r\n",
         "[\"h2e2\",\"h9g7\"]", 2},
        {"game_id,move\n1,h2e2\n1,h2e2\n2,h2e2\n", "kept 1 ply", 2},
        {"game_id,move\n1,C2.5\n1,炮8平5\n", "[\"h2e2\",\"h7e7\"]", 1},
        {"game_id,move,fen\n1,i0i9,3k5/9/9/9/9/9/9/9/9/4K3R w\n",
         "\"moves\":[\"i0i9\"]", 1},
        {"move_index,move,game_id\n5,h2e2,x\n", "from its first move on", 1},
        {"game_id,move\n1,h2e2\n\n1,h9g7\n", "[\"h2e2\",\"h9g7\"]", 1},
        {"game_id,move\n\"1\",\"h2e2\n", "\"moves\":[\"h2e2\"]", 1},
        {"game_id,move\n", "", 0},
        {"\ngame_id,move\n1,h2e2\n2,b2e2\n", "\"moves\":[\"b2e2\"]", 2},
        {" \r\n\t\r\ngame_id,move\r\n1,h2e2\r\n", "\"moves\":[\"h2e2\"]", 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char *json = games_in(CASES[i].text);
        has(json, CASES[i].want);
        assert_int_equal(count_of(json, "\n"), CASES[i].games);
        free(json);
    }
    assert_int_equal(kind_of("name,move\nx,y\n"), PGN_FMT_UNKNOWN);
}

/* Rows as programs leave them: in no order, joined, too short, misquoted. */
static void dirty_tables(void **state)
{
#define TWO "game,ply,move,note\na,1,h2e2,x\na,2,h9g7,x\n"
#define END "z,1,b2e2,x\n"
    static const struct {
        const char *rows, *moves, *problem;
    } CASES[] = {
        {"b,2,h9g7,\nb,1,h2e2,\n", "[\"h2e2\",\"h9g7\"]", "sorted"},
        {"b,1,h2e2,\nb,3,h0g2,\n", "[\"h2e2\"]", "rows are missing"},
        {"b,1,h2e2,\nb,2,,\nb,3,h0g2,\n", "[\"h2e2\"]", "no move in this row"},
        {"b,1,h2e2,\nb,2\n", "[\"h2e2\"]", "no move in this row"},
        {"b,1,h2e2,\nb,2,,resigned\n", "[\"h2e2\"]", "\"problems\":[]"},
        {"b,1,h2e2\n", "[\"h2e2\"]", "3 columns where the header has 4"},
        {"b,1,h2e2,x,y\n", "[\"h2e2\"]", "5 columns"},
        {"game,ply,move,note\nb,1,h2e2,\n", "[\"h2e2\"]", "\"problems\":[]"},
        {"b,1,h2e2,\"x\nb,2,h9g7,y\n", "[\"h2e2\",\"h9g7\"]",
         "a quote is never closed"},
        {"b,1,h2e2,\"x\nb,2,h9g7,\"y\"\n", "[\"h2e2\",\"h9g7\"]",
         "a quote is never closed"},
        {"b,1,h2e2,\"x\n\n\"\"y\"\nb,2,h9g7,\n", "[\"h2e2\",\"h9g7\"]",
         "\"problems\":[]"},
        /* rounds are counted, too */
        {"b,1,h2e2,\nb,1,h9g7,\nb,2,h0g2,\n", "[\"h2e2\",\"h9g7\",\"h0g2\"]",
         "\"problems\":[]"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[300];
        snprintf(text, sizeof text, TWO "%s" END, CASES[i].rows);
        char *json = games_in(text), *second = strchr(json, '\n');
        assert_int_equal(count_of(json, "\n"), 3);
        has(json, "[\"GameId\",\"z\"]");
        has(second, CASES[i].moves);
        has(second, CASES[i].problem);
        free(json);
        same_when_cut(text, strlen(text));
    }
}

static void cut_anywhere(void **state)
{
    pgn_buf b = {0};
    (void)state;
    pgn_buf_puts(&b, HEADER);
    for (int i = 0; i < 30; i++) {
        char id[20];
        snprintf(id, sizeof id, "game %d", i);
        for (int k = 0; k <= i % 4; k++)
            pgn_buf_printf(
                &b, "t,%d,%s,\"%s\",A,B,DRAW,x,\"note \"\"%d\n\n,\",1\n", k,
                k == 0   ? "h2e2"
                : k == 1 ? "h9g7"
                         : "h0g2",
                id, k);
    }
    same_when_cut(b.s, b.n);
    char *json = games_cut(b.s, b.n, 0, true);
    assert_int_equal(count_of(json, "\n"), 30);
    free(json);
    pgn_buf_free(&b);
}

/* Its first separator is the table's: a quote behind another one is text, and
 * the header ends with its line. */
static void separators_in_header(void **state)
{
    static const char TEXT[] = "game_id;x,\"y;uci\n1;a;h2e2\n1;a;h9g7\n"
                               "2;b;b2e2\n2;\"c\n\";h9g7\n";
    (void)state;
    assert_int_equal(kind_of(TEXT), PGN_FMT_CSV);
    char *json = games_in(TEXT);
    assert_int_equal(count_of(json, "\n"), 2);
    has(json, "\"moves\":[\"h2e2\",\"h9g7\"]");
    has(json, "\"moves\":[\"b2e2\",\"h9g7\"]");
    free(json);
    same_when_cut(TEXT, sizeof TEXT - 1);
}

/* Where files were joined a byte order mark stands before a row. */
static void marks_between_rows(void **state)
{
    static const char TEXT[] = "\xEF\xBB\xBFgame_id,move\n\xEF\xBB\xBF"
                               "1,h2e2\n1,h9g7\n"
                               "\xEF\xBB\xBFgame_id,move\n2,b2e2\n\xEF\xBB\xBF"
                               "3,h0g2\n";
    (void)state;
    char *json = games_in(TEXT);
    assert_int_equal(count_of(json, "\n"), 3);
    has(json, "[\"GameId\",\"1\"]");
    has(json, "[\"GameId\",\"3\"]");
    free(json);
    same_when_cut(TEXT, sizeof TEXT - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games),
        cmocka_unit_test(other_tables),
        cmocka_unit_test(dirty_tables),
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(separators_in_header),
        cmocka_unit_test(marks_between_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
