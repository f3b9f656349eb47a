/* test_rules.c - legality against a second, obvious rule book; reasons. */
#include "tests/unit/engine_util.h"

#include <stdio.h>

/* ---- the obvious rule book: board, square by square (G-01..G-09) ---- */

static int abs_of(int n) { return n < 0 ? -n : n; }

static int side_of(uint8_t piece) { return piece >> 3; }

static bool in_palace_of(int side, int f, int r)
{
    return f >= 3 && f <= 5 && (side == XQ_RED ? r <= 2 : r >= 7);
}

static bool own_half(int side, int r)
{
    return side == XQ_RED ? r <= 4 : r >= 5;
}

/* Pieces strictly between two squares of a line; -1 when there is no line. */
static int pieces_between(const uint8_t *at, int a, int b)
{
    int df = b % 9 - a % 9, dr = b / 9 - a / 9, n = 0;
    if ((df != 0) == (dr != 0))
        return -1;
    int step = (df > 0) - (df < 0) + 9 * ((dr > 0) - (dr < 0));
    for (int s = a + step; s != b; s += step)
        n += at[s] != 0;
    return n;
}

static bool slow_pseudo(const uint8_t *at, int side, int from, int to)
{
    int df = to % 9 - from % 9, dr = to / 9 - from / 9;
    int f = to % 9, r = to / 9, between;
    if (!at[from] || side_of(at[from]) != side || from == to)
        return false;
    if (at[to] && side_of(at[to]) == side)
        return false;
    switch (at[from] & 7) {
    case XQ_KING:
        return abs_of(df) + abs_of(dr) == 1 && in_palace_of(side, f, r);
    case XQ_ADVISOR:
        return abs_of(df) == 1 && abs_of(dr) == 1 && in_palace_of(side, f, r);
    case XQ_ELEPHANT:
        return abs_of(df) == 2 && abs_of(dr) == 2 && own_half(side, r) &&
               !at[from + df / 2 + 9 * (dr / 2)];
    case XQ_HORSE:
        if (abs_of(df) == 1 && abs_of(dr) == 2)
            return !at[from + 9 * (dr / 2)];
        return abs_of(df) == 2 && abs_of(dr) == 1 && !at[from + df / 2];
    case XQ_ROOK:
        return pieces_between(at, from, to) == 0;
    case XQ_CANNON:
        between = pieces_between(at, from, to);
        return at[to] ? between == 1 : between == 0;
    case XQ_PAWN:
        if (df == 0)
            return dr == (side == XQ_RED ? 1 : -1);
        return dr == 0 && abs_of(df) == 1 && !own_half(side, from / 9);
    }
    return false;
}

static int slow_king(const uint8_t *at, int side)
{
    for (int s = 0; s < 90; s++)
        if (at[s] == (side << 3 | XQ_KING))
            return s;
    return -1;
}

static bool slow_facing(const uint8_t *at)
{
    int red = slow_king(at, XQ_RED), black = slow_king(at, XQ_BLACK);
    return red % 9 == black % 9 && pieces_between(at, red, black) == 0;
}

/* Pieces that could capture the king of `side`, a facing king included. */
static unsigned slow_checkers(const uint8_t *at, int side)
{
    int king = slow_king(at, side);
    unsigned n = slow_facing(at);
    for (int s = 0; s < 90; s++)
        n += slow_pseudo(at, side ^ 1, s, king);
    return n;
}

static bool slow_legal(const uint8_t *at, int side, int from, int to)
{
    uint8_t after[90];
    if (!slow_pseudo(at, side, from, to) || (at[to] & 7) == XQ_KING)
        return false;
    memcpy(after, at, 90);
    after[to] = after[from];
    after[from] = 0;
    return slow_checkers(after, side) == 0;
}

/* ---- everything the header offers, compared with it ---- */

static void fail_in(const xq_pos *p, const char *what, int from, int to,
                    uint64_t seed)
{
    char fen[XQ_FEN_MAX], move[5];
    xq_fen_format(p, fen);
    xq_move_format(xq_move_make((xq_sq)from, (xq_sq)to), move);
    fail_msg("%s: %s in %s, seed %llu", what, move, fen,
             (unsigned long long)seed);
}

static void list_to_grid(const xq_movelist *list, uint8_t grid[90][90])
{
    memset(grid, 0, 90 * 90);
    for (unsigned i = 0; i < list->n; i++)
        grid[xq_move_from(list->m[i])][xq_move_to(list->m[i])]++;
}

static void compare(const xq_pos *p, uint64_t seed)
{
    static uint8_t legal[90][90], pseudo[90][90];
    xq_movelist list;
    xq_sq checkers[XQ_MAX_CHECKERS];
    int side = p->side;
    xq_gen_legal(p, &list);
    list_to_grid(&list, legal);
    if (xq_has_legal_move(p) != (list.n > 0))
        fail_in(p, "has_legal_move", 0, 0, seed);
    if (xq_perft(p, 1) != list.n)
        fail_in(p, "perft 1", 0, 0, seed);
    xq_gen_pseudo(p, &list);
    list_to_grid(&list, pseudo);
    for (int from = 0; from < 90; from++)
        for (int to = 0; to < 90; to++) {
            xq_move m = xq_move_make((xq_sq)from, (xq_sq)to);
            bool is_pseudo = slow_pseudo(p->at, side, from, to);
            bool is_legal = is_pseudo && slow_legal(p->at, side, from, to);
            if (pseudo[from][to] != is_pseudo)
                fail_in(p, "gen_pseudo", from, to, seed);
            if (legal[from][to] != is_legal)
                fail_in(p, "gen_legal", from, to, seed);
            if (xq_move_is_pseudo(p, m) != is_pseudo)
                fail_in(p, "is_pseudo", from, to, seed);
            if (xq_move_is_legal(p, m) != is_legal)
                fail_in(p, "is_legal", from, to, seed);
            if ((xq_move_judge(p, m) == XQ_LEGAL) != is_legal)
                fail_in(p, "judge", from, to, seed);
        }
    unsigned n = slow_checkers(p->at, side);
    unsigned got = xq_checkers(p, checkers);
    if (got != (n < XQ_MAX_CHECKERS ? n : XQ_MAX_CHECKERS))
        fail_in(p, "checkers", 0, 0, seed);
    for (int s = 0; s < 2; s++)
        if (xq_in_check(p, (xq_side)s) != (slow_checkers(p->at, s) > 0))
            fail_in(p, "in_check", 0, 0, seed);
}

static void random_games_agree(void **state)
{
    uint64_t seed = seed_of_run(), r = seed;
    (void)state;
    for (int game = 0; game < 30; game++) {
        xq_pos p;
        xq_move m;
        xq_pos_start(&p);
        for (int ply = 0; ply < 150 && (m = random_move(&p, &r)); ply++) {
            xq_pos_make(&p, m, NULL);
            compare(&p, seed);
        }
    }
}

static void random_odd_positions_agree(void **state)
{
    uint64_t seed = seed_of_run(), r = seed;
    (void)state;
    for (int i = 0; i < 4000; i++) {
        xq_pos p = random_odd(&r, i % 3 == 0 ? 80 : i % 3 == 1 ? 30 : 10);
        compare(&p, seed);
    }
}

/* All 65,536 values, spare bits and squares off the board included. */
static void any_value_is_safe(void **state)
{
    xq_pos p;
    xq_movelist list;
    unsigned legal = 0;
    (void)state;
    xq_pos_start(&p);
    xq_gen_legal(&p, &list);
    for (unsigned v = 0; v <= 0xffff; v++) {
        char text[128];
        xq_move m = (xq_move)v;
        bool ok = xq_move_is_legal(&p, m);
        xq_verdict verdict = xq_move_judge(&p, m);
        assert_int_equal(ok, verdict == XQ_LEGAL);
        if (ok)
            assert_true(xq_move_is_pseudo(&p, m));
        for (int k = XQ_LEGAL; k <= XQ_TAKES_KING; k++) {
            xq_verdict_text(&p, m, (xq_verdict)k, text);
            assert_true(text[0] && strlen(text) < sizeof text);
        }
        legal += ok;
    }
    assert_int_equal(legal, list.n);
}

/* ---- squares, counted ---- */

/* Squares a side's pieces of one kind can come to from `start`, with nothing
 * in the way.  Kings stand where a board needs them; pseudo-legal moves may
 * take the enemy's, and the own one steps aside. */
static int count_points(xq_kind kind, xq_side side, xq_sq start)
{
    static const xq_sq HOME[2][2] = {{3, 4}, {86, 85}};
    uint8_t seen[90] = {0};
    xq_sq todo[90];
    int n = 0, done = 0;
    todo[n++] = start;
    seen[start] = 1;
    while (done < n) {
        xq_sq from = todo[done++];
        for (int aside = 0; aside < 2; aside++) {
            uint8_t at[XQ_SQUARES] = {0};
            xq_pos p;
            xq_movelist list;
            for (int s = 0; s < 2; s++)
                if (kind != XQ_KING || s != (int)side)
                    at[HOME[s][aside]] = xq_piece_of((xq_side)s, XQ_KING);
            if (at[from])
                continue;
            at[from] = xq_piece_of(side, kind);
            assert_int_equal(xq_pos_set(&p, at, side, NULL), XQ_OK);
            xq_gen_pseudo(&p, &list);
            for (unsigned i = 0; i < list.n; i++) {
                xq_sq to = xq_move_to(list.m[i]);
                if (xq_move_from(list.m[i]) == from && !seen[to]) {
                    seen[to] = 1;
                    todo[n++] = to;
                }
            }
        }
    }
    return n;
}

static void points_are_nine_five_and_seven(void **state)
{
    (void)state;
    assert_int_equal(count_points(XQ_KING, XQ_RED, xq_sq_of(4, 0)), 9);
    assert_int_equal(count_points(XQ_KING, XQ_BLACK, xq_sq_of(4, 9)), 9);
    assert_int_equal(count_points(XQ_ADVISOR, XQ_RED, xq_sq_of(5, 0)), 5);
    assert_int_equal(count_points(XQ_ADVISOR, XQ_BLACK, xq_sq_of(5, 7)), 5);
    assert_int_equal(count_points(XQ_ELEPHANT, XQ_RED, xq_sq_of(2, 0)), 7);
    assert_int_equal(count_points(XQ_ELEPHANT, XQ_BLACK, xq_sq_of(6, 9)), 7);
    assert_int_equal(count_points(XQ_HORSE, XQ_RED, xq_sq_of(1, 0)), 90);
    assert_int_equal(count_points(XQ_PAWN, XQ_RED, xq_sq_of(0, 3)), 47);
    assert_int_equal(count_points(XQ_PAWN, XQ_BLACK, xq_sq_of(4, 6)), 47);
}

/* Legal moves of one piece alone on the board with the kings on d0 and f9. */
static unsigned moves_of(xq_kind kind, xq_side side, xq_sq s)
{
    uint8_t at[XQ_SQUARES] = {0};
    xq_pos p;
    unsigned n = 0;
    at[3] = xq_piece_of(XQ_RED, XQ_KING);
    at[86] = xq_piece_of(XQ_BLACK, XQ_KING);
    if (at[s])
        return 99;
    at[s] = xq_piece_of(side, kind);
    assert_int_equal(xq_pos_set(&p, at, side, NULL), XQ_OK);
    for (xq_sq to = 0; to < 90; to++)
        n += xq_move_is_legal(&p, xq_move_make(s, to));
    return n;
}

static void few_pieces_move_as_counted_by_hand(void **state)
{
    (void)state;
    assert_int_equal(moves_of(XQ_ADVISOR, XQ_RED, xq_sq_of(4, 1)), 3);
    assert_int_equal(moves_of(XQ_ADVISOR, XQ_RED, xq_sq_of(5, 0)), 1);
    assert_int_equal(moves_of(XQ_ADVISOR, XQ_BLACK, xq_sq_of(4, 8)), 3);
    assert_int_equal(moves_of(XQ_ELEPHANT, XQ_RED, xq_sq_of(4, 2)), 4);
    assert_int_equal(moves_of(XQ_ELEPHANT, XQ_RED, xq_sq_of(2, 4)), 2);
    assert_int_equal(moves_of(XQ_ELEPHANT, XQ_RED, xq_sq_of(0, 2)), 2);
    assert_int_equal(moves_of(XQ_ELEPHANT, XQ_BLACK, xq_sq_of(4, 7)), 4);
    assert_int_equal(moves_of(XQ_ELEPHANT, XQ_BLACK, xq_sq_of(8, 7)), 2);
    assert_int_equal(moves_of(XQ_HORSE, XQ_RED, xq_sq_of(4, 4)), 8);
    assert_int_equal(moves_of(XQ_HORSE, XQ_RED, xq_sq_of(8, 9)), 2);
    assert_int_equal(moves_of(XQ_ROOK, XQ_RED, xq_sq_of(0, 9)), 13);
    assert_int_equal(moves_of(XQ_ROOK, XQ_RED, xq_sq_of(1, 4)), 17);
    assert_int_equal(moves_of(XQ_CANNON, XQ_RED, xq_sq_of(1, 4)), 17);
    assert_int_equal(moves_of(XQ_PAWN, XQ_RED, xq_sq_of(0, 3)), 1);
    assert_int_equal(moves_of(XQ_PAWN, XQ_RED, xq_sq_of(0, 4)), 1);
    assert_int_equal(moves_of(XQ_PAWN, XQ_RED, xq_sq_of(0, 5)), 2);
    assert_int_equal(moves_of(XQ_PAWN, XQ_RED, xq_sq_of(4, 5)), 3);
    assert_int_equal(moves_of(XQ_PAWN, XQ_RED, xq_sq_of(1, 9)), 2);
    assert_int_equal(moves_of(XQ_PAWN, XQ_BLACK, xq_sq_of(4, 5)), 1);
    assert_int_equal(moves_of(XQ_PAWN, XQ_BLACK, xq_sq_of(4, 4)), 3);
    assert_int_equal(moves_of(XQ_PAWN, XQ_BLACK, xq_sq_of(8, 0)), 1);
}

/* ---- reasons ---- */

static void reasons_are_given(void **state)
{
    static const struct {
        const char *fen, *move;
        xq_verdict v;
        const char *text;
    } T[] = {
        {XQ_FEN_START, "h2e2", XQ_LEGAL, "legal"},
        {XQ_FEN_START, "e1e2", XQ_NO_PIECE,
         "no red piece on e1, the square is empty"},
        {XQ_FEN_START, "b7e7", XQ_NOT_YOURS,
         "no red piece on b7: the cannon there is black"},
        {XQ_FEN_START, "a0a3", XQ_OWN_PIECE,
         "rook cannot go to a3: an own piece stands there"},
        {XQ_FEN_START, "h2g4", XQ_NO_REACH, "cannon cannot reach g4 from h2"},
        {XQ_FEN_START, "b0d1", XQ_LEG, "horse's leg on c0 is blocked"},
        {"4k4/9/9/9/9/9/9/9/5N3/3K2B2 w", "g0e2", XQ_EYE,
         "elephant's eye on f1 is blocked"},
        {"3k5/9/9/9/9/6B2/9/9/9/4K4 w", "g4e6", XQ_RIVER,
         "elephant may not cross the river"},
        {"3k5/9/9/9/9/9/9/3A5/9/4K4 w", "d2c3", XQ_PALACE,
         "advisor may not leave the palace"},
        {"3k5/9/9/9/9/9/9/9/9/5K3 w", "f0g0", XQ_PALACE,
         "king may not leave the palace"},
        {"3k5/9/9/9/9/9/9/9/9/5K3 w", "f0e1", XQ_NO_REACH,
         "king cannot reach e1 from f0"},
        {XQ_FEN_START, "a0a4", XQ_JUMP, "rook would jump a piece"},
        {XQ_FEN_START, "h2h8", XQ_JUMP, "cannon would jump a piece"},
        {XQ_FEN_START, "h2h7", XQ_SCREEN,
         "cannon takes over exactly one piece, here is none between"},
        {"3k5/7n1/7p1/9/9/7p1/9/7C1/9/4K4 w", "h2h8", XQ_SCREEN,
         "cannon would jump two pieces"},
        {"3k5/9/9/9/9/4P4/9/9/9/4K4 w", "e4d4", XQ_BACKWARD,
         "pawn may not move sideways before the river"},
        {"3k5/9/9/4P4/9/9/9/9/9/4K4 w", "e6e5", XQ_BACKWARD,
         "pawn may not move backward"},
        {"3k5/9/9/4P4/9/9/9/9/9/4K4 w", "e6e8", XQ_NO_REACH,
         "pawn cannot reach e8 from e6"},
        {"3kr4/9/9/9/9/9/9/9/4N4/4K4 w", "e1c2", XQ_SELF_CHECK,
         "the red king would be in check"},
        {"4k4/9/9/9/9/9/9/9/4N4/4K4 w", "e1c2", XQ_FACING,
         "the kings would face each other"},
        {"3k5/9/9/9/9/9/9/9/9/3RK4 w", "d0d9", XQ_TAKES_KING,
         "a king is never captured"},
        /* A cannon's new screen; a screen that leaves; a leg that leaves. */
        {"3kc4/9/9/9/9/8R/9/9/9/4K4 w", "i4e4", XQ_SELF_CHECK,
         "the red king would be in check"},
        {"3kc4/9/9/4p4/4R4/9/9/9/9/4K4 w", "e5a5", XQ_SELF_CHECK,
         "the red king would be in check"},
        {"3k5/9/9/9/9/9/9/5n3/5P3/4K4 w", "f1f2", XQ_LEGAL, "legal"},
        {"3k5/9/9/9/9/9/9/3n5/3R5/4K4 w", "d1a1", XQ_SELF_CHECK,
         "the red king would be in check"},
        /* S53: the start position, but it is a handicap game. */
        {"rnbakabnr/9/1c2c4/p1p1p1p1p/9/9/P1P1P1P1P/4C2C1/9/RNBAKABNR w",
         "e2e7", XQ_SCREEN, "cannon would jump two pieces"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        xq_pos p = pos_of(T[i].fen);
        xq_move m = xq_move_parse(T[i].move);
        xq_verdict v = xq_move_judge(&p, m);
        char text[128];
        xq_verdict_text(&p, m, v, text);
        if (v != T[i].v || strcmp(text, T[i].text) != 0)
            fail_msg("%s in %s: %d, %s", T[i].move, T[i].fen, v, text);
    }
}

/* ---- cases from users ---- */

static xq_verdict judge(const char *fen, const char *move)
{
    xq_pos p = pos_of(fen);
    return xq_move_judge(&p, xq_move_parse(move));
}

static unsigned count_legal(const char *fen)
{
    xq_pos p = pos_of(fen);
    xq_movelist list;
    xq_gen_legal(&p, &list);
    return list.n;
}

static void s48_own_king_in_check_or_facing(void **state)
{
    const char *a = "4k4/9/9/9/4r4/9/9/4R4/9/4K4 w";
    const char *b = "4k4/9/9/9/9/9/9/4C4/9/4K4 w";
    (void)state;
    assert_int_equal(judge(a, "e2d2"), XQ_SELF_CHECK);
    assert_int_equal(judge(b, "e2d2"), XQ_FACING);
    assert_int_equal(judge(b, "e2e5"), XQ_LEGAL);
}

static void s49_leg_eye_and_edge(void **state)
{
    (void)state;
    assert_int_equal(judge(XQ_FEN_START, "b0d1"), XQ_LEG);
    const char *eye = "4k4/9/9/9/9/9/9/9/5N3/3K2B2 w";
    assert_int_equal(judge(eye, "g0e2"), XQ_EYE);
    assert_int_equal(judge(eye, "g0i2"), XQ_LEGAL);
    const char *take = "4k4/9/9/9/9/9/9/4n4/9/2BK5 w";
    assert_int_equal(judge(take, "c0e2"), XQ_LEGAL);
    xq_pos p = pos_of(take);
    assert_true(xq_in_check(&p, XQ_RED));
    const char *edge = "4k4/9/8b/9/9/9/9/9/9/3K5 b";
    p = pos_of(edge);
    for (xq_sq to = 0; to < 90; to++)
        assert_int_equal(xq_move_is_legal(&p, xq_move_make(xq_sq_of(8, 7), to)),
                         to == xq_sq_of(6, 9) || to == xq_sq_of(6, 5));
}

static void s50_check_on_the_back_rank_is_not_mate(void **state)
{
    xq_pos p = pos_of("c3k2C1/4a4/6R2/9/9/9/9/9/9/3K5 w");
    xq_movelist list;
    (void)state;
    assert_true(xq_move_is_legal(&p, xq_move_parse("g7g9")));
    xq_pos_make(&p, xq_move_parse("g7g9"), NULL);
    assert_true(xq_in_check(&p, XQ_BLACK));
    xq_gen_legal(&p, &list);
    assert_int_equal(list.n, 1);
    assert_int_equal(list.m[0], xq_move_parse("e8f9"));
}

static void s51_no_move_without_check(void **state)
{
    xq_pos p = pos_of("3k5/4P4/9/9/9/9/9/9/9/4K4 b");
    (void)state;
    assert_false(xq_in_check(&p, XQ_BLACK));
    assert_false(xq_has_legal_move(&p));
}

static void s52_move_counts(void **state)
{
    static const unsigned START[4] = {44, 1920, 79666, 3290240};
    static const unsigned SECOND[4] = {38, 1128, 43929, 1339047};
    xq_pos p = pos_of(XQ_FEN_START);
    xq_pos q = pos_of("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/"
                      "2BAKAB2 w");
    (void)state;
    for (unsigned d = 1; d <= 4; d++) {
        assert_int_equal(xq_perft(&p, d), START[d - 1]);
        assert_int_equal(xq_perft(&q, d), SECOND[d - 1]);
    }
}

static void s53_handicap_game(void **state)
{
    const char *fen = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/9/1C5C1/9/RN2K2NR w";
    xq_pos p = pos_of(fen);
    static const char *const MOVES[] = {"b2e2", "h7e7", "e2e7",
                                        "g9e7", "h2e2", "h9g7"};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(MOVES); i++) {
        assert_true(xq_move_is_legal(&p, xq_move_parse(MOVES[i])));
        xq_pos_make(&p, xq_move_parse(MOVES[i]), NULL);
    }
}

static void s56_counters_change_nothing(void **state)
{
#define S56 "1rbP1a3/2N1k4/4b1n2/p3p3p/7P1/2C5P/P3P4/B1N1C4/4Ar3/3RKAB1c"
    (void)state;
    assert_int_equal(count_legal(S56 " b"), 39);
    assert_int_equal(count_legal(S56 " b - - 2 26"), 39);
}

static void s57_moves_sent_again(void **state)
{
    const char *fen = "1Cbakrb2/5n3/9/p2R4p/4p4/2p6/P1r5P/4B4/9/1RBAKA3 w";
    char text[128];
    (void)state;
    xq_pos p = pos_of(fen);
    xq_move m = xq_move_parse("b7e7");
    assert_int_equal(xq_move_judge(&p, m), XQ_NO_PIECE);
    xq_verdict_text(&p, m, XQ_NO_PIECE, text);
    assert_string_equal(text, "no red piece on b7, the square is empty");
}

static void checkers_are_listed(void **state)
{
    static const struct {
        const char *fen, *squares;
    } T[] = {
        {XQ_FEN_START, ""},
        {"4k4/4R4/9/9/9/9/9/9/9/3K5 b", "e8"},
        {"4k4/9/3N5/9/9/4R4/9/9/9/3K5 b", "d7e4"},
        {"3k5/9/9/9/9/9/9/9/9/3K5 b", "d0"},
        {"3k5/9/9/9/3r5/9/9/9/9/3K5 b", ""},
        {"3k5/3P5/9/9/9/9/9/9/9/4K4 b", "d8"},
        {"2Pk5/9/9/9/9/9/9/9/9/4K4 b", "c9"},
        {"9/9/3k5/3P5/9/9/9/9/9/4K4 b", "d6"},
        {"9/3P5/3k5/9/9/9/9/9/9/4K4 b", ""}, /* it passed him */
        {"3k5/9/9/3p5/9/9/3C5/3C5/9/4K4 b", "d3"},
        {"3k5/9/9/9/9/9/3C5/9/9/4K4 b", ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        xq_pos p = pos_of(T[i].fen);
        xq_sq out[XQ_MAX_CHECKERS];
        char got[64] = "";
        unsigned n = xq_checkers(&p, out);
        for (unsigned k = 0; k < n; k++)
            xq_sq_format(out[k], got + 2 * k);
        if (strcmp(got, T[i].squares) != 0)
            fail_msg("%s: '%s'", T[i].fen, got);
        assert_int_equal(xq_in_check(&p, (xq_side)p.side), n > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_games_agree),
        cmocka_unit_test(random_odd_positions_agree),
        cmocka_unit_test(any_value_is_safe),
        cmocka_unit_test(points_are_nine_five_and_seven),
        cmocka_unit_test(few_pieces_move_as_counted_by_hand),
        cmocka_unit_test(reasons_are_given),
        cmocka_unit_test(s48_own_king_in_check_or_facing),
        cmocka_unit_test(s49_leg_eye_and_edge),
        cmocka_unit_test(s50_check_on_the_back_rank_is_not_mate),
        cmocka_unit_test(s51_no_move_without_check),
        cmocka_unit_test(s52_move_counts),
        cmocka_unit_test(s53_handicap_game),
        cmocka_unit_test(s56_counters_change_nothing),
        cmocka_unit_test(s57_moves_sent_again),
        cmocka_unit_test(checkers_are_listed),
    };
    return cmocka_run_group_tests_name("rules", tests, NULL, NULL);
}
