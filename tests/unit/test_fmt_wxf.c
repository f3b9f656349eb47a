/* test_fmt_wxf.c - WXF text files of XieXie and PlayOK (formats reference
 * 3.4). */
#include "tests/unit/text_util.h"

#define HEAD                                                                   \
    "FORMAT\tWXF\nGAME\tA title\nRED\tAda; 1200 ;;\n"                          \
    "BLACK\tBob;;;\nRESULT\t0-1\nDATE\t24-12-2022\n"

static void header_and_moves(void **state)
{
    (void)state;
    char *json =
        games_in(HEAD "EVENT   Friendly ; 10m\n/* of all */\n\nSTART{\n"
                      " 1.  C2.5  h8+7!    2.  H2+3  R9.8\n"
                      "!!3.  R1.2 /* a\r\nb */ }END\n");
    has(json, "[\"Title\",\"A title\"],[\"Red\",\"Ada\"],[\"RedElo\",\"1200\"],"
              "[\"Black\",\"Bob\"],[\"Result\",\"0-1\"],[\"Date\","
              "\"24-12-2022\"],[\"Event\",\"Friendly ; 10m\"]]");
    has(json, "[\"h2e2\",\"h9g7\",\"h0g2\",\"i9h9\",\"i0h0\"]");
    has(json, "{\"ply\":2,\"nag\":1},{\"ply\":4,\"nag\":3}");
    has(json, "{\"ply\":0,\"text\":\"of all\"},{\"ply\":5,\"text\":\"a\\nb\"}");
    has(json, "\"result\":\"0-1\"");
    has(json, "\"problems\":[]");
    free(json);
    same_through_pgn(HEAD "STARTT\nSTART{ 1. C2.5 H8+7 }END\n");
}

static void positions(void **state)
{
    (void)state;
    char *json = games_in("FORMAT WXF\nFEN\t3k5/9/9/9/9/9/9/9/9/4K3R\tr\n"
                          "START{\n1. R1+9\n}END\n");
    has(json, "\"fen\":\"3k5/9/9/9/9/9/9/9/9/4K3R w - - 0 1\"");
    has(json, "\"moves\":[\"i0i9\"]");
    free(json);
    json = games_in("FORMAT WXF\nFEN 4kaer1/4a2c1/2h1e1h2/3Rp1C1p/2C6/5rP2/"
                    "1pP1P3P/8E/9/1cEAKA1R1 b\nSTART{\n}END\n");
    has(json, "1cBAKA1R1 b - - 0 1");
    has(json, "\"moves\":[]");
    free(json);
    json = games_in("FORMAT WXF\nSETUP{\nx\n}\nSTART{\n1. C2.5\n}END\n");
    has(json, "SETUP{ } is not read");
    has(json, "\"moves\":[]");
    free(json);
}

static void faults(void **state)
{
    static const struct {
        const char *text, *want;
    } CASES[] = {
        {"1. C2.5 H8+7 2. C5+9 }END", "kept 2 plies"},
        {"1. C2.5 H8+7", "START{ is never closed"},
        {"1. C2.5 H8+7 }", "\"moves\":[\"h2e2\",\"h9g7\"]"},
        {"1. C2.5 /* open }END", "comment is never closed"},
        {"1. C2.5 H8+7 1-0 2. nonsense }END", "\"result\":\"1-0\""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[200];
        snprintf(text, sizeof text, "FORMAT WXF\nSTART{\n%s\n", CASES[i].text);
        char *json = games_in(text);
        has(json, CASES[i].want);
        free(json);
    }
}

/* What is no START{ }END costs its game, never the next one. */
static void starts(void **state)
{
    static const struct {
        const char *text, *problem;
        unsigned games;
    } CASES[] = {
        {"1. C2.5 H8+7\n}END\n", "no START{ }: no move is read", 2},
        {"START\n1. C2.5 H8+7\n}END\n", "START without its '{'", 2},
        {"", "no START{ }: no move is read", 2},
        {"START{\n1. C2.5 H8+7\n", "START{ is never closed", 2},
        {"SETUP{\nK e1\n}\nSTART{\n1. C2.5\n}END\n", "SETUP{ } is not read", 2},
        {"START{\n1. C2.5 H8+7\n}END\nhello\n", "\"problems\":[]", 2},
        {"START{\n1. C2.5\n}END\nSTART{\n1. C2.4 H8+7\n}END\n", "\"h2f2\"", 3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "FORMAT WXF\nRESULT 1-0\n%sFORMAT WXF\nRESULT 1-0\n"
                 "START{\n1. C2.5 H8+7\n}END\n",
                 CASES[i].text);
        char *json = games_in(text);
        assert_int_equal(count_of(json, "\n"), CASES[i].games);
        has(json, CASES[i].problem);
        has(json, "\"moves\":[\"h2e2\",\"h9g7\"]");
        free(json);
        same_when_cut(text, strlen(text));
    }
}

/* Two pawns on file 5: P5+1 fits both until a move shows which it was. */
static void later_moves_decide(void **state)
{
#define PAWNS "FORMAT WXF\nFEN 3k5/9/9/4P4/9/4P4/9/9/9/5K3 r\nSTART{\n"
    (void)state;
    char *json = games_in(PAWNS "1. P5+1 K4+1 2. P5.4 K4-1 3. P4+1 K4+1 "
                                "4. P4+1 K4+1 5. P5+1\n}END\n");
    has(json, "2 moves fit");
    free(json);
    json = games_in(PAWNS "1. P5+1 K4+1 2. K4+1 K4-1 3. P5+1 K4+1\n}END\n");
    has(json, "2 moves fit");
    free(json);
    /* only e6e7 lets the other pawn stay where P+.4 then finds both */
    json = games_in(PAWNS "1. P5+1 K4+1 2. P+.4 K4-1 3. P4+1 K4.5\n}END\n");
    has(json, "\"ply\":1");
    has(json, "moves");
    free(json);
}

static void cut_anywhere(void **state)
{
    pgn_buf b = {0};
    (void)state;
    for (int i = 0; i < 30; i++)
        pgn_buf_printf(&b, HEAD "ROUND\t%d\n%sSTART{\n1. C2.5 H8+7%s\n}END\n\n",
                       i, i % 5 ? "" : "/* \nFORMAT\n\n*/\n",
                       i % 7 ? "" : " 2. C2.5");
    same_when_cut(b.s, b.n);
    pgn_buf_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_and_moves),
        cmocka_unit_test(positions),
        cmocka_unit_test(faults),
        cmocka_unit_test(starts),
        cmocka_unit_test(later_moves_decide),
        cmocka_unit_test(cut_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
