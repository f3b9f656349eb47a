/* test_fmt_moves.c - lists of moves and of positions (formats reference 1.3,
 * 2.1). */
#include "tests/unit/text_util.h"

#define FEN "3k5/9/9/9/9/9/9/9/9/4K3R"

static void kinds(void **state)
{
    static const struct {
        const char *text;
        pgn_format want;
    } CASES[] = {
        {"a1;h2e2,h9g7\nb2;h2e2\n", PGN_FMT_MOVES},
        {"h2e2h9g7\n", PGN_FMT_MOVES},
        {"i0i9\n" FEN "w\n", PGN_FMT_MOVES},
        {"77477062\n", PGN_FMT_MOVES},
        {"h2e2,h9g7\n", PGN_FMT_MOVES},
        {"h2e2 h9g7\nh2e2 b9c7\n", PGN_FMT_MOVES}, /* no continuation */
        {"h2e2 h9g7\nh0g2 b9c7\n", PGN_FMT_PGN},   /* one game */
        {"position startpos moves h2e2\n", PGN_FMT_MOVES},
        {"g6F4abcd;h2e2,h9g7\n", PGN_FMT_MOVES}, /* an id like a move */
        {"1. h2e2 h9g7\n", PGN_FMT_PGN},
        {"1111111100000000\n", PGN_FMT_UNKNOWN},
        {"12345678\n", PGN_FMT_UNKNOWN},
        {FEN " w - - 0 1\n", PGN_FMT_FENS},
        {"name|" FEN " w\n", PGN_FMT_FENS},
        {"position fen " FEN " w moves i0i9\n", PGN_FMT_FENS},
        {"usr/bin/a/b/c/d/e/f/g/h/i\n", PGN_FMT_UNKNOWN},
        {"a;b;c\n", PGN_FMT_UNKNOWN},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        if (kind_of(CASES[i].text) != CASES[i].want)
            fail_msg("%s: %d", CASES[i].text, kind_of(CASES[i].text));
}

static void lists(void **state)
{
    static const struct {
        const char *text;
        const char *want[3];
    } CASES[] = {
        {"a1;h2e2,h9g7\n", {"[\"GameId\",\"a1\"]", "[\"h2e2\",\"h9g7\"]"}},
        {"x;h2e2,h9g7;1-0\n", {"\"result\":\"1-0\"", "[\"h2e2\",\"h9g7\"]"}},
        {"h3e3,h10g8,h1g3\n", {"[\"h2e2\",\"h9g7\",\"h0g2\"]"}},
        {"h3e3h10g8h1g3\n", {"[\"h2e2\",\"h9g7\",\"h0g2\"]"}},
        {"H2-E2, H9-G7\n", {"[\"h2e2\",\"h9g7\"]"}},
        {"77477062 7967\n", {"[\"h2e2\",\"h9g7\",\"h0g2\"]"}},
        {"id;7747,7062\n", {NULL}}, /* no kind */
        {"i0i9d9d8\n" FEN "w\n", {"[\"i0i9\",\"d9d8\"]", FEN " w - - 0 1"}},
        {"i0i9d9d8\r\n\r\n" FEN "w--01\r\n", {FEN " w - - 0 1\",\"moves\""}},
        /* the wrong side: a warning, and the FEN is mended */
        {"d9d8i0i9\n" FEN "w\n",
         {"\"FEN\",\"" FEN " b - - 0 1\"", "[\"d9d8\",\"i0i9\"]",
          "FEN names the other side"}},
        {"d9d8i0i9\n", {"error", "\"moves\":[]"}},
        {"h9g7h2e2\n", {"RNBAKABNR b - - 0 1\"]", "Black moves first"}},
        {"h2e2h9g7h2e2\n", {"kept 2 plies", "[\"h2e2\",\"h9g7\"]"}},
        {"h2e2h9g7\n1nb1ka3/9/9/9/9/9/9/9/9/4A4w\n",
         {"start position refused", "\"moves\":[]"}},
        {"h2e2,h9g7\nnonsense\n", {"no moves in this line"}},
        {"h2e2,h9g7\nh2e2,xyz\n", {"\"xyz\"", "kept 1 ply"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char *json = games_in(CASES[i].text);
        for (size_t k = 0; k < 3 && CASES[i].want[k]; k++)
            has(json, CASES[i].want[k]);
        if (CASES[i].want[0])
            same_through_pgn(CASES[i].text);
        free(json);
    }
}

/* Ranks 0-9 of the side that the FEN does not name, or ranks 1-10 of the one
 * it names: what can be played further. */
static void ranks_or_the_side(void **state)
{
#define ROOKS "3k5/9/9/9/9/9/r8/9/R8/4K4"
    (void)state;
    char *json = games_in("a3a4d9d8a4a5\n" ROOKS "w\n"); /* black, 0-9? no */
    has(json, "\"moves\":[");
    free(json);
    json = games_in("a3a4a1a2a4a5\n" ROOKS "w\n");
    has(json, "[\"a3a4\",\"a1a2\",\"a4a5\"]");
    has(json, "FEN names the other side");
    free(json);
    json = games_in("a2b2a4b4b2c2\n" ROOKS "w\n");
    has(json, "[\"a1b1\",\"a3b3\",\"b1c1\"]");
    free(json);
}

static void positions(void **state)
{
    static const struct {
        const char *text;
        const char *want[3];
    } CASES[] = {
        {FEN " w - - 0 1\n",
         {"\"fen\":\"" FEN " w - - 0 1\"", "\"problems\":[]"}},
        {FEN " b - - 12 9\n", {FEN " b - - 12 9"}},
        {FEN " w - - 0 1 ; 第1局：一\n", {"[\"Title\",\"第1局：一\"]"}},
        {FEN " w bm R1+9; id \"a; b\"; c0 \"x\";\n",
         {"[\"bm\",\"R1+9\"]", "[\"Title\",\"a; b\"]", "[\"c0\",\"x\"]"}},
        {"名|" FEN " w|i0i9,d9d8\n",
         {"[\"Title\",\"名\"]", "[\"i0i9\",\"d9d8\"]"}},
        {"名|" FEN " w\n", {"[\"Title\",\"名\"]", "\"moves\":[]"}},
        {"position fen " FEN " w moves i0i9\n", {"\"moves\":[\"i0i9\"]"}},
        {FEN " w moves i0i9 d9d8\n", {"\"moves\":[\"i0i9\",\"d9d8\"]"}},
        {FEN "\n", {"names no side to move"}},
        {FEN " w\nsome words\n" FEN " b\n",
         {"1 line without a position before this one"}},
        {FEN " w\n4k4/9/9/9/9/9/9/9/9/9 w\n", {"start position refused"}},
        {"名|" FEN " w|i0h1,d9d8\n", {"kept 0 plies"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        char *json = games_in(CASES[i].text);
        for (size_t k = 0; k < 3 && CASES[i].want[k]; k++)
            has(json, CASES[i].want[k]);
        same_through_pgn(CASES[i].text);
        free(json);
    }
}

static void cut_anywhere(void **state)
{
    pgn_buf b = {0};
    (void)state;
    for (int i = 0; i < 40; i++)
        pgn_buf_printf(&b, "id%d;h2e2,h9g7,h0g2%s\r\n", i,
                       i % 9 ? "" : ",h0g2");
    same_when_cut(b.s, b.n);
    b.n = 0;
    for (int i = 0; i < 40; i++)
        pgn_buf_printf(&b, "i0i%dd9d8\n%s  " FEN "w\n", 1 + i % 9,
                       i % 2 ? "\n" : "");
    same_when_cut(b.s, b.n);
    b.n = 0;
    for (int i = 0; i < 40; i++)
        pgn_buf_printf(&b, "no %d|" FEN " w - - 0 1|i0i%d\n%s", i, i % 10,
                       i % 5 ? "" : "\n\n");
    same_when_cut(b.s, b.n);
    pgn_buf_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds),        cmocka_unit_test(lists),
        cmocka_unit_test(positions),    cmocka_unit_test(ranks_or_the_side),
        cmocka_unit_test(cut_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
