/* test_referee.c - how games end, article by article (G-, R-, L-), and the
 * cases S58-S61 of the collection. */
#include "tests/unit/referee_util.h"

static xq_profile asian(void)
{
    xq_profile pr;
    xq_profile_init(&pr, XQ_ASIAN);
    return pr;
}

static void expect(const xq_ruling *r, xq_ending ending, xq_outcome outcome,
                   const char *article, uint32_t to_ply)
{
    if (r->ending != ending || r->outcome != outcome || r->to_ply != to_ply ||
        strcmp(r->article, article) != 0)
        fail_msg("ending %d, outcome %d by '%s' after ply %u", (int)r->ending,
                 (int)r->outcome, r->article, (unsigned)r->to_ply);
}

static struct line_of_play many(const char *fen, const char *loop,
                                unsigned times)
{
    const struct line_of_play one = line_of(fen, loop);
    return repeated(&one, times);
}

/* ---- the profile ---- */

static void a_profile_begins_with_what_is_usual(void **state)
{
    xq_profile pr;
    (void)state;
    for (int rules = XQ_ASIAN; rules <= XQ_CXA; rules++) {
        xq_profile_init(&pr, (xq_ruleset)rules);
        assert_int_equal(pr.rules, rules);
        assert_int_equal(pr.repetitions, 3);
        assert_int_equal(pr.natural_limit, 120);
        assert_int_equal(pr.limit_checks, 10);
        assert_int_equal(pr.threat_depth, rules == XQ_CXA ? 2 : 4);
        assert_false(pr.bare_draw);
    }
}

/* ---- G: mate, stalemate, bare boards ---- */

#define MATE_IN_ONE "3k5/R8/9/9/9/9/9/1R7/9/4K4 w - - 0 1"
#define NO_MOVE     "3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1"

static void g10_no_legal_move_loses(void **state)
{
    struct line_of_play l = line_of(MATE_IN_ONE, "b2b9");
    xq_ruling r = ruling_of(XQ_ASIAN, &l);
    (void)state;
    expect(&r, XQ_MATED, XQ_BLACK_LOSES, "G-10", 1);
    assert_int_equal(r.from_ply, 1);
    l = line_of(NO_MOVE, ""); /* S51: the start may be the end */
    r = ruling_of(XQ_ASIAN, &l);
    expect(&r, XQ_STALEMATED, XQ_BLACK_LOSES, "G-10", 0);
    const xq_profile pr = asian();
    r = ruling_from(&pr, &l, 1); /* behind it there is nothing */
    expect(&r, XQ_GOES_ON, XQ_NO_VERDICT, "", 0);
    l = turned(&l);
    r = ruling_of(XQ_ASIAN, &l);
    expect(&r, XQ_STALEMATED, XQ_RED_LOSES, "G-10", 0);
    l = line_of(XQ_FEN_START, "h2e2 h9g7");
    r = ruling_of(XQ_ASIAN, &l);
    expect(&r, XQ_GOES_ON, XQ_NO_VERDICT, "", 2);
    assert_int_equal(r.occurrences, 1);
    assert_int_equal(r.counted, 2);
}

static void g11_nothing_can_cross_the_river(void **state)
{
    xq_profile pr = asian();
    (void)state;
    /* A pawn is enough, even on the last rank; at last it is taken. */
    struct line_of_play l = line_of(
        "2bak4/9/4b4/2P6/9/9/9/9/4A4/3A1KB2 w - - 0 1", "c6c7 e7g9 e1f2 e9e8");
    pr.bare_draw = true;
    xq_ruling r = ruling_from(&pr, &l, 0);
    expect(&r, XQ_GOES_ON, XQ_NO_VERDICT, "", 4);
    l = line_of("2bak4/2P6/9/9/9/9/9/9/4A4/3A1KB2 w - - 0 1", "c8c9 e9e8 e1f2");
    r = ruling_from(&pr, &l, 0);
    expect(&r, XQ_GOES_ON, XQ_NO_VERDICT, "", 3);
    l = line_of("3ak4/4P4/9/9/9/9/9/9/4A4/3AKAB2 b - - 7 1",
                "d9e8 e1f2 e9d9 g0e2");
    r = ruling_from(&pr, &l, 0);
    expect(&r, XQ_BARE, XQ_DRAW, "G-11", 1);
    r = ruling_from(&pr, &l, 2);
    expect(&r, XQ_BARE, XQ_DRAW, "G-11", 2);
    pr.bare_draw = false;
    r = ruling_from(&pr, &l, 0);
    expect(&r, XQ_GOES_ON, XQ_NO_VERDICT, "", 4);
    l = line_of("3ak4/9/9/9/9/9/9/9/4A4/3AKAB2 b - - 0 1", "d9e8");
    pr.bare_draw = true;
    r = ruling_from(&pr, &l, 0);
    expect(&r, XQ_BARE, XQ_DRAW, "G-11", 0);
}

/* G-12, L-03: mate, then repetition, then limit. */
static void g12_the_order_of_the_tests(void **state)
{
    struct line_of_play l = line_of(MATE_IN_ONE, "b2b9");
    xq_profile pr = asian();
    (void)state;
    l.start.halfmove = 119;
    xq_ruling r = ruling_from(&pr, &l, 0);
    expect(&r, XQ_MATED, XQ_BLACK_LOSES, "G-10", 1);
    assert_int_equal(r.counted, 120);
    l = many(XQ_FEN_START, "h0g2 h9g7 g2h0 g7h9", 2);
    pr.natural_limit = 8;
    r = ruling_from(&pr, &l, 0);
    expect(&r, XQ_REPEATED, XQ_DRAW, "A-02", 8);
    pr.natural_limit = 7;
    r = ruling_from(&pr, &l, 0);
    expect(&r, XQ_LIMIT_REACHED, XQ_DRAW, "L-01", 7);
    r = ruling_from(&pr, &l, r.to_ply + 1);
    expect(&r, XQ_REPEATED, XQ_DRAW, "A-02", 8);
}

/* ---- R: which positions, which plies ---- */

static void r01_equal_pieces_are_one_position(void **state)
{
    /* The rooks change places, then change back. */
    const struct line_of_play l =
        many("3aka3/9/9/9/9/9/9/9/R8/1R1K5 w - - 0 1",
             "a1b1 d9e8 b0a0 e8d9 a0a1 d9e8 b1b0 e8d9", 2);
    const xq_ruling r = ruling_of(XQ_ASIAN, &l);
    (void)state;
    expect(&r, XQ_REPEATED, XQ_DRAW, "A-02", 16);
    assert_int_equal(r.from_ply, 9);
    assert_int_equal(r.occurrences, 3);
}

static void r02_the_occurrence_that_counts(void **state)
{
    const struct line_of_play l = many(XQ_FEN_START, "h0g2 h9g7 g2h0 g7h9", 4);
    xq_profile pr = asian();
    (void)state;
    for (pr.repetitions = 2; pr.repetitions <= 5; pr.repetitions++) {
        const xq_ruling r = ruling_from(&pr, &l, 0);
        expect(&r, XQ_REPEATED, XQ_DRAW, "A-02", 4 * (pr.repetitions - 1));
        assert_int_equal(r.occurrences, pr.repetitions);
    }
    const xq_ruling r = ruling_from(&pr, &l, 0); /* the sixth does not come */
    expect(&r, XQ_GOES_ON, XQ_NO_VERDICT, "", 16);
    assert_int_equal(r.occurrences, 5);
}

/* the third occurrence comes by another loop, which alone is
 * judged: the rook's checks before it are forgotten. */
static void r04_the_last_loop_is_judged(void **state)
{
    const char *fen = "4k4/7R1/9/9/9/9/9/9/9/3K5 w - - 0 1";
    struct line_of_play l = line_of(fen, "h8h9 e9e8 h9h8 e8e9 "
                                         "h8g8 e9f9 g8h8 f9e9");
    xq_ruling r = ruling_of(XQ_ASIAN, &l);
    (void)state;
    expect(&r, XQ_REPEATED, XQ_DRAW, "A-02", 8);
    assert_int_equal(r.from_ply, 5);
    l = line_of(fen, "h8g8 e9f9 g8h8 f9e9 h8h9 e9e8 h9h8 e8e9");
    r = ruling_of(XQ_ASIAN, &l);
    expect(&r, XQ_REPEATED, XQ_RED_LOSES, "A-20", 8);
    assert_int_equal(r.from_ply, 5);
    assert_int_equal(r.side[XQ_RED].level, 2);
    assert_int_equal(r.side[XQ_RED].plies[XQ_CHECK], 2);
    assert_int_equal(r.side[XQ_BLACK].plies[XQ_IDLE], 2);
}

/* What stood before a capture or a pawn's step cannot come again, and is not
 * looked for. */
static void r03_no_way_back(void **state)
{
    const struct line_of_play l =
        line_of(XQ_FEN_START, "h0g2 h9g7 g2h0 g7h9 a3a4 a6a5 h0g2 h9g7 g2h0 "
                              "g7h9 a4a5 c6c5 h0g2 h9g7 g2h0 g7h9 h0g2 h9g7 "
                              "g2h0 g7h9");
    const xq_ruling r = ruling_of(XQ_ASIAN, &l);
    (void)state;
    expect(&r, XQ_REPEATED, XQ_DRAW, "A-02", 20);
    assert_int_equal(r.from_ply, 17);
    assert_int_equal(r.counted, 9);
}

/* ---- L: limits ---- */

#define CHECKS_FEN  "4k4/7R1/9/9/9/9/9/9/9/3K5 w - - 0 1"
#define CHECKS_LOOP "h8h9 e9e8 h9h8 e8e9"
#define IDLE_LOOP   "h8g8 e9f9 g8h8 f9e9"

static void l01_plies_without_a_capture(void **state)
{
    const struct line_of_play l = many(XQ_FEN_START, "h0g2 h9g7 g2h0 g7h9", 40);
    xq_profile pr = asian();
    (void)state;
    pr.repetitions = UINT32_MAX;
    xq_ruling r = ruling_from(&pr, &l, 0);
    expect(&r, XQ_LIMIT_REACHED, XQ_DRAW, "L-01", 120);
    assert_int_equal(r.counted, 120);
    assert_int_equal(r.from_ply, 120);
    pr.natural_limit = 100; /* 50 rounds */
    r = ruling_from(&pr, &l, 0);
    expect(&r, XQ_LIMIT_REACHED, XQ_DRAW, "L-01", 100);
    r = ruling_from(&pr, &l, 101); /* it stays reached */
    expect(&r, XQ_LIMIT_REACHED, XQ_DRAW, "L-01", 101);
    pr.natural_limit = 0;
    r = ruling_from(&pr, &l, 0);
    expect(&r, XQ_GOES_ON, XQ_NO_VERDICT, "", 160);
}

static void l01_captures_reset_pawns_do_not(void **state)
{
    struct line_of_play l =
        line_of(XQ_FEN_START, "a3a4 a6a5 h2h9 i9h9 c3c4 c6c5");
    const xq_ruling r = ruling_of(XQ_ASIAN, &l);
    (void)state;
    assert_int_equal(r.counted, 2);
    l.n = 2;
    assert_int_equal(ruling_of(XQ_ASIAN, &l).counted, 2);
    l.n = 4;
    assert_int_equal(ruling_of(XQ_ASIAN, &l).counted, 0);
}

static void l05_the_counter_of_the_fen(void **state)
{
    struct line_of_play l =
        line_of("4k4/7R1/9/9/9/9/9/9/9/3K5 w - - 118 80", "h8g8 e9f9 g8h8");
    xq_ruling r = ruling_of(XQ_ASIAN, &l);
    (void)state;
    expect(&r, XQ_LIMIT_REACHED, XQ_DRAW, "L-01", 2);
    l = line_of("4k4/7R1/9/9/9/9/9/9/9/3K5 w - - 120 80", "h8g8");
    r = ruling_of(XQ_ASIAN, &l);
    expect(&r, XQ_LIMIT_REACHED, XQ_DRAW, "L-01", 0);
    l = line_of("4k4/7R1/9/9/9/9/9/9/9/3K5 w - - x 80", "h8g8");
    assert_int_equal(ruling_of(XQ_ASIAN, &l).counted, 1);
}

/* The third check of a side and what answers it do not count; nor does any
 * after it, and idle plies count again. */
static void l02_only_so_many_checks_count(void **state)
{
    struct line_of_play l = many(CHECKS_FEN, CHECKS_LOOP, 10);
    const struct line_of_play idle = many(CHECKS_FEN, IDLE_LOOP, 2);
    xq_profile pr = asian();
    (void)state;
    pr.repetitions = UINT32_MAX;
    pr.limit_checks = 2;
    pr.natural_limit = 5;
    xq_ruling r = ruling_from(&pr, &l, 0);
    expect(&r, XQ_GOES_ON, XQ_NO_VERDICT, "", 40);
    assert_int_equal(r.counted, 4);
    assert_int_equal(r.checks[XQ_RED], 20);
    assert_int_equal(r.checks[XQ_BLACK], 0);
    memcpy(l.moves + l.n, idle.moves, idle.n * sizeof *l.moves);
    l.n += idle.n;
    r = ruling_from(&pr, &l, 0);
    expect(&r, XQ_LIMIT_REACHED, XQ_DRAW, "L-01", 41);
    pr.limit_checks = 20; /* all count */
    r = ruling_from(&pr, &l, 0);
    expect(&r, XQ_LIMIT_REACHED, XQ_DRAW, "L-01", 5);
    pr.limit_checks = 0; /* none does */
    r = ruling_from(&pr, &l, 0);
    expect(&r, XQ_LIMIT_REACHED, XQ_DRAW, "L-01", 45);
}

/* With the usual ten: 20 plies of checks count, then only the idle ones. */
static void l02_ten_checks(void **state)
{
    struct line_of_play l = many(CHECKS_FEN, CHECKS_LOOP, 20);
    const struct line_of_play idle = many(CHECKS_FEN, IDLE_LOOP, 30);
    xq_profile pr = asian();
    (void)state;
    pr.repetitions = UINT32_MAX;
    memcpy(l.moves + l.n, idle.moves, idle.n * sizeof *l.moves);
    l.n += idle.n;
    const xq_ruling r = ruling_from(&pr, &l, 0);
    expect(&r, XQ_LIMIT_REACHED, XQ_DRAW, "L-01", 180);
    assert_int_equal(r.checks[XQ_RED], 40);
}

/* Each side has its own ten; an answer that checks in turn is an answer. */
static void l02_checks_that_answer_checks(void **state)
{
    FILE *f = open_data("repetition.tsv");
    struct repetition_row row;
    (void)state;
    do
        assert_true(next_row(f, &row));
    while (strcmp(row.id, "fs-15") != 0); /* both check on every ply */
    fclose(f);
    const struct line_of_play window = window_of(&row.line);
    const struct line_of_play l = repeated(&window, 40);
    xq_profile pr = asian();
    pr.repetitions = UINT32_MAX;
    const xq_ruling r = ruling_from(&pr, &l, 0);
    expect(&r, XQ_GOES_ON, XQ_NO_VERDICT, "", l.n);
    assert_int_equal(r.checks[XQ_RED], l.n / 2);
    assert_int_equal(r.checks[XQ_BLACK], l.n / 2);
    assert_int_equal(r.counted, l.start.halfmove + 20);
}

/* ---- occurrences ---- */

static void occurrences_are_listed(void **state)
{
    const struct line_of_play l = many(XQ_FEN_START, "h0g2 h9g7 g2h0 g7h9", 3);
    const xq_profile pr = asian();
    xq_key keys[MAX_PLIES + 1];
    xq_ruling r;
    uint32_t at[8] = {0};
    (void)state;
    xq_referee(&pr, &l.start, l.moves, l.n, 0, keys, &r);
    assert_int_equal(xq_occurrences(keys, 12, at, 8), 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(at[i], 4 * i);
    assert_int_equal(xq_occurrences(keys, 9, at, 8), 3);
    assert_int_equal(at[0], 1);
    assert_int_equal(at[2], 9);
    assert_int_equal(xq_occurrences(keys, 12, at, 2), 2);
    assert_int_equal(at[1], 4);
    assert_int_equal(xq_occurrences(keys, 0, at, 8), 1);
    assert_int_equal(xq_occurrences(keys, 12, NULL, 0), 0);
}

/* ---- cases from users ---- */

static void s58_plain_perpetual_check(void **state)
{
    const struct line_of_play l =
        line_of(CHECKS_FEN, "h8h9 e9e8 h9h8 e8e9 h8h9 e9e8 h9h8 e8e9 h8h9");
    const xq_ruling r = ruling_of(XQ_ASIAN, &l);
    (void)state;
    expect(&r, XQ_REPEATED, XQ_RED_LOSES, "A-20", 8);
}

static void s59_plain_back_and_forth(void **state)
{
    const struct line_of_play l = many(XQ_FEN_START, "h0g2 h9g7 g2h0 g7h9", 2);
    const xq_ruling r = ruling_of(XQ_ASIAN, &l);
    (void)state;
    expect(&r, XQ_REPEATED, XQ_DRAW, "A-02", 8);
    assert_int_equal(r.from_ply, 5);
    assert_int_equal(r.occurrences, 3);
}

static void s60_a_disputed_chase(void **state)
{
    const struct line_of_play l = line_of(
        "4k4/9/9/9/9/r1r6/3C5/4B4/9/5K3 w - - 0 1", "d3f3 c4g4 f3d3 g4c4 d3f3");
    xq_profile pr = asian();
    (void)state;
    xq_ruling r = ruling_from(&pr, &l, 0);
    expect(&r, XQ_GOES_ON, XQ_NO_VERDICT, "", 5);
    assert_int_equal(r.occurrences, 2);
    pr.repetitions = 2; /* U-4: our choice, by name */
    r = ruling_from(&pr, &l, 0);
    expect(&r, XQ_REPEATED, XQ_RED_LOSES, "A-33", 4);
}

static void s61_who_may_still_deviate(void **state)
{
    struct line_of_play l = line_of("3k4n/9/9/9/9/9/9/9/9/4K2R1 w - - 0 1",
                                    "h0i0 i9h7 i0h0 h7i9 h0i0 i9h7 i0h0 h7i9");
    const xq_profile pr = asian();
    xq_key keys[MAX_PLIES + 1];
    uint32_t at[4];
    xq_ruling r;
    (void)state;
    xq_referee(&pr, &l.start, l.moves, 7, 0, keys, &r);
    expect(&r, XQ_GOES_ON, XQ_NO_VERDICT, "", 7);
    assert_int_equal(r.occurrences, 2);
    xq_referee(&pr, &l.start, l.moves, 8, 0, keys, &r);
    expect(&r, XQ_REPEATED, XQ_RED_LOSES, "A-30", 8);
    assert_int_equal(xq_occurrences(keys, 8, at, 4), 3);
    assert_int_equal(at[0], 0);
    assert_int_equal(at[1], 4);
    assert_int_equal(at[2], 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_profile_begins_with_what_is_usual),
        cmocka_unit_test(g10_no_legal_move_loses),
        cmocka_unit_test(g11_nothing_can_cross_the_river),
        cmocka_unit_test(g12_the_order_of_the_tests),
        cmocka_unit_test(r01_equal_pieces_are_one_position),
        cmocka_unit_test(r02_the_occurrence_that_counts),
        cmocka_unit_test(r03_no_way_back),
        cmocka_unit_test(r04_the_last_loop_is_judged),
        cmocka_unit_test(l01_plies_without_a_capture),
        cmocka_unit_test(l01_captures_reset_pawns_do_not),
        cmocka_unit_test(l02_only_so_many_checks_count),
        cmocka_unit_test(l02_ten_checks),
        cmocka_unit_test(l02_checks_that_answer_checks),
        cmocka_unit_test(l05_the_counter_of_the_fen),
        cmocka_unit_test(occurrences_are_listed),
        cmocka_unit_test(s58_plain_perpetual_check),
        cmocka_unit_test(s59_plain_back_and_forth),
        cmocka_unit_test(s60_a_disputed_chase),
        cmocka_unit_test(s61_who_may_still_deviate),
    };
    return cmocka_run_group_tests_name("referee", tests, NULL, NULL);
}
