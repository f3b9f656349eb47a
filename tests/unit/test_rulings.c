/* test_rulings.c - rulings on a game: runs of repetitions, the limit, what a
 * result contradicts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/game_util.h"
#include "tools/rulings.h"

#include <stdio.h>

#define CHASE_FEN "3k4n/9/9/9/9/9/9/9/9/4K2R1 w - - 0 1"

/* Rulings on a game, as "8-9 red_loses; 17-17 draw". */
static void check(const char *fen, const char *moves, uint32_t limit,
                  const char *want)
{
    struct made *m = make_game(fen, moves);
    rulings r = {0};
    ruling_run run;
    xq_profile profile;
    char got[400] = "";
    static const char *const NAME[] = {"none", "draw", "red", "black"};
    xq_profile_init(&profile, XQ_ASIAN);
    profile.natural_limit = limit;
    assert_true(rulings_begin(&r, &profile, &m->g));
    const bool quiet = rulings_quiet(&r);
    while (rulings_next(&r, &run)) {
        const size_t n = strlen(got);
        snprintf(got + n, sizeof got - n, "%s%u-%u %s", n ? "; " : "",
                 (unsigned)run.ruling.to_ply, (unsigned)run.last,
                 NAME[run.ruling.outcome]);
        assert_false(quiet && run.ruling.ending != XQ_MATED &&
                     run.ruling.ending != XQ_STALEMATED);
    }
    assert_string_equal(got, want);
    rulings_free(&r);
    free_game(m);
}

static void a_run_is_judged_once(void **state)
{
    (void)state;
    check(NULL, "h2e2 h9g7", 120, "");
    check(NULL, "", 120, "");
    /* S59, to ply 8 and beyond. */
    check(NULL, "h0g2 h9g7 g2h0 g7h9 h0g2 h9g7 g2h0", 120, "");
    check(NULL, "h0g2 h9g7 g2h0 g7h9 h0g2 h9g7 g2h0 g7h9", 120, "8-8 draw");
    check(NULL, "h0g2 h9g7 g2h0 g7h9 h0g2 h9g7 g2h0 g7h9 h0g2 h9g7", 120,
          "8-10 draw");
    /* Two runs: an exchange of ways between them. */
    check(CHASE_FEN,
          "e0e1 d9d8 e1e0 d8d9 e0e1 d9d8 e1e0 d8d9 h0h1 i9g8 h1h0 g8i9", 120,
          "8-8 draw; 12-12 draw");
    check(CHASE_FEN,
          "e0e1 d9d8 e1e0 d8d9 e0e1 d9d8 e1e0 d8d9 "
          "h0i0 i9h7 i0h0 h7i9 h0i0 i9h7 i0h0 h7i9 h0i0",
          120, "8-8 draw; 12-12 red; 16-17 red");
    /* Another way round through positions that have all stood three times is
     * another repetition: first with the chase in it, then idle. */
    check(CHASE_FEN,
          "e0e1 d9d8 e1e0 d8d9 e0e1 d9d8 e1e0 d8d9 "
          "h0i0 i9h7 i0h0 h7i9 h0i0 i9h7 i0h0 h7i9 h0i0 i9h7 i0h0 h7i9 "
          "e0e1 d9d8 e1e0 d8d9",
          120, "8-8 draw; 12-12 red; 16-20 red; 21-23 draw; 24-24 draw");
    /* The end of a game is a ruling, too. */
    check("4k4/R8/1R7/9/9/9/9/9/9/3K5 w - - 0 1", "b7b9", 120, "1-1 black");
}

static void the_limit_is_ruled_upon_once(void **state)
{
    const char *twelve = "h0h1 i9g8 h1h2 g8f6 h2h3 f6d5 h3h4 d5b6 "
                         "h4h5 b6d5 h5h6 d5f6";
    (void)state;
    check(CHASE_FEN, twelve, 0, "");
    check(CHASE_FEN, twelve, 12, "12-12 draw");
    check(CHASE_FEN, twelve, 13, "");
    check(CHASE_FEN, twelve, 6, "6-6 draw");
    check("3k4n/9/9/9/9/9/9/9/9/4K2R1 w - - 10 6", twelve, 13, "3-3 draw");
    /* Captures begin the count anew. */
    check("3k4n/9/9/9/8p/9/9/9/9/4K3R w - - 5 6",
          "i0i5 i9g8 i5i6 g8f6 i6i7 f6d5 i7i6 d5f6", 7, "8-8 draw");
}

/* The run that a game ends in, which is judged after to_ply. */
static ruling_run check_end(const pgn_game *g, uint32_t to_ply, uint32_t last,
                            xq_outcome outcome)
{
    rulings r = {0};
    ruling_run run;
    xq_profile profile;
    xq_profile_init(&profile, XQ_ASIAN);
    assert_true(rulings_begin(&r, &profile, g));
    assert_true(rulings_at_end(&r, &run));
    assert_int_equal(run.ruling.to_ply, to_ply);
    assert_int_equal(run.last, last);
    assert_int_equal(run.ruling.outcome, outcome);
    rulings_free(&r);
    return run;
}

static void the_end_is_found_without_the_way_there(void **state)
{
    struct made *m =
        make_game(CHASE_FEN, "e0e1 d9d8 e1e0 d8d9 e0e1 d9d8 e1e0 d8d9 "
                             "h0i0 i9h7 i0h0 h7i9 h0i0 i9h7 i0h0 h7i9 h0i0");
    (void)state;
    ruling_run run = check_end(&m->g, 16, 17, XQ_RED_LOSES);

    static const struct {
        pgn_result result;
        bool faulty, contradicts;
    } T[] = {
        {PGN_RED_WINS, false, true},    {PGN_DRAW, false, true},
        {PGN_BLACK_WINS, false, false}, {PGN_UNKNOWN, false, false},
        {PGN_RED_WINS, true, false}, /* its end is not known */
    };
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        m->g.result = T[i].result;
        m->g.faulty = T[i].faulty;
        assert_int_equal(rulings_contradict(&m->g, &run), T[i].contradicts);
    }
    /* A ruling before the end contradicts nothing, nor does none. */
    m->g.faulty = false;
    m->g.result = PGN_RED_WINS;
    run.last = 16;
    assert_false(rulings_contradict(&m->g, &run));
    run.last = 17;
    run.ruling.outcome = XQ_NO_VERDICT;
    assert_false(rulings_contradict(&m->g, &run));
    free_game(m);
}

/* Not the first in the run of repeated positions, nor the worst. */
static void the_last_time_round_counts(void **state)
{
    struct made *m = make_game(
        CHASE_FEN, "e0e1 d9d8 e1e0 d8d9 e0e1 d9d8 e1e0 d8d9 "
                   "h0i0 i9h7 i0h0 h7i9 h0i0 i9h7 i0h0 h7i9 h0i0 i9h7 i0h0 "
                   "h7i9 e0e1 d9d8 e1e0 d8d9");
    (void)state;
    const ruling_run run = check_end(&m->g, 24, 24, XQ_DRAW);
    m->g.result = PGN_DRAW;
    assert_false(rulings_contradict(&m->g, &run));
    free_game(m);
}

/* One set of rulings serves games of any length, one after the other. */
static void it_is_used_again(void **state)
{
    enum { ROUNDS = 300 };
    char *moves = malloc(ROUNDS * 20 + 1);
    rulings r = {0};
    ruling_run run;
    xq_profile profile;
    (void)state;
    assert_non_null(moves);
    xq_profile_init(&profile, XQ_ASIAN);
    for (unsigned rounds = 1; rounds <= ROUNDS; rounds += 13) {
        for (unsigned i = 0; i < rounds; i++)
            memcpy(moves + 20 * i, "h0g2 h9g7 g2h0 g7h9 ", 21);
        struct made *m = make_game(NULL, moves);
        assert_true(rulings_begin(&r, &profile, &m->g));
        assert_int_equal(rulings_next(&r, &run), rounds >= 2);
        if (rounds >= 2) {
            assert_int_equal(run.ruling.to_ply, 8);
            assert_int_equal(run.last, 4 * rounds);
        }
        assert_false(rounds >= 2 && rulings_next(&r, &run));
        free_game(m);
    }
    rulings_free(&r);
    free(moves);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_judged_once),
        cmocka_unit_test(the_limit_is_ruled_upon_once),
        cmocka_unit_test(the_end_is_found_without_the_way_there),
        cmocka_unit_test(the_last_time_round_counts),
        cmocka_unit_test(it_is_used_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
