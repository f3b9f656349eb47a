/* test_eval.c - the evaluation: symmetric, kept up to date, and the sum of its
 * terms. */
#include "engine/eval.h"
#include "tests/unit/engine_util.h"

#include <stdio.h>

static int eval_of(const xq_pos *p)
{
    xq_eval_state st;
    xq_eval_init(&st, p);
    return xq_eval(p, &st);
}

/* By shapes seen before, of whatever positions. */
static int eval_by_shapes(const xq_pos *p, const xq_eval_state *st)
{
    static xq_shapes known;
    return xq_eval_by(p, st, &known);
}

/* The same position with Red and Black exchanged, seen from the other end. */
static xq_pos exchanged(const xq_pos *p)
{
    uint8_t at[XQ_SQUARES] = {0};
    xq_pos out;
    for (xq_sq s = 0; s < XQ_SQUARES; s++)
        if (p->at[s])
            at[xq_sq_of(xq_file_of[s], 9 - xq_rank_of[s])] = p->at[s] ^ 8;
    assert_int_equal(xq_pos_set(&out, at, (xq_side)(p->side ^ 1), NULL), XQ_OK);
    return out;
}

static void fail_at(const xq_pos *p, const char *what, int a, int b)
{
    char fen[XQ_FEN_MAX];
    xq_fen_format(p, fen);
    fail_msg("%s: %d and %d in %s, seed %llu", what, a, b, fen,
             (unsigned long long)seed_of_run());
}

/* What the header says of a score, worked out from the trace. */
static int sum_of_terms(const xq_pos *p)
{
    xq_eval_term terms[XQ_WEIGHTS];
    unsigned n = xq_eval_trace(p, terms, XQ_WEIGHTS);
    int mg = 0, eg = 0, phase = 0;
    for (unsigned i = 0; i < n; i++) {
        mg += (terms[i].red - terms[i].black) * terms[i].mg;
        eg += (terms[i].red - terms[i].black) * terms[i].eg;
    }
    for (xq_sq s = 0; s < XQ_SQUARES; s++)
        phase += (p->at[s] & 7) == XQ_ROOK ? 4
                 : (p->at[s] & 7) == XQ_HORSE || (p->at[s] & 7) == XQ_CANNON
                     ? 2
                     : 0;
    phase = phase > XQ_PHASE_MAX ? XQ_PHASE_MAX : phase;
    int score = (mg * phase + eg * (XQ_PHASE_MAX - phase)) / XQ_PHASE_MAX;
    score = score * xq_eval_scale(p, score) / 64;
    score = p->side == XQ_BLACK ? -score : score;
    return score > XQ_EVAL_MAX    ? XQ_EVAL_MAX
           : score < -XQ_EVAL_MAX ? -XQ_EVAL_MAX
                                  : score;
}

static void check(const xq_pos *p)
{
    const int score = eval_of(p);
    xq_pos other;
    xq_eval_state st;
    xq_eval_init(&st, p);
    /* Once to learn the shape perhaps, once to know it. */
    for (int i = 0; i < 2; i++)
        if (eval_by_shapes(p, &st) != score)
            fail_at(p, "by shapes", score, eval_by_shapes(p, &st));
    xq_pos_mirror(&other, p);
    if (eval_of(&other) != score)
        fail_at(p, "mirror image", score, eval_of(&other));
    other = exchanged(p);
    if (eval_of(&other) != score)
        fail_at(p, "colours exchanged", score, eval_of(&other));
    if (sum_of_terms(p) != score)
        fail_at(p, "sum of terms", score, sum_of_terms(p));
}

static void games_are_followed_move_by_move(void **state)
{
    uint64_t seed = seed_of_run();
    (void)state;
    for (int game = 0; game < 60; game++) {
        xq_pos p;
        xq_eval_state st, fresh;
        xq_pos_start(&p);
        xq_eval_init(&st, &p);
        for (int ply = 0; ply < 150; ply++) {
            xq_move m = random_move(&p, &seed);
            if (m == XQ_NOMOVE)
                break;
            xq_eval_move(&st, &p, m);
            xq_pos_make(&p, m, NULL);
            xq_eval_init(&fresh, &p);
            assert_true(st.sum == fresh.sum);
            assert_int_equal(st.phase, fresh.phase);
            assert_true(st.shape == fresh.shape);
            if (eval_by_shapes(&p, &st) != eval_of(&p))
                fail_at(&p, "by shapes", eval_of(&p), eval_by_shapes(&p, &st));
            check(&p);
        }
    }
}

static void odd_positions_have_a_value_too(void **state)
{
    uint64_t seed = seed_of_run();
    (void)state;
    for (int i = 0; i < 3000; i++) {
        xq_pos p = random_odd(&seed, i % 2 ? 88 : 16);
        check(&p);
    }
}

static void the_start_is_level_but_for_the_move(void **state)
{
    xq_pos p;
    (void)state;
    xq_pos_start(&p);
    assert_int_equal(eval_of(&p), xq_mg(xq_weights[XQ_W_TEMPO]));
}

/* How often Red and Black have the weight. */
static void counts(const xq_pos *p, unsigned weight, int *red, int *black)
{
    xq_eval_term terms[XQ_WEIGHTS];
    unsigned n = xq_eval_trace(p, terms, XQ_WEIGHTS);
    *red = *black = 0;
    for (unsigned i = 0; i < n; i++)
        if (terms[i].weight == weight) {
            assert_string_equal(terms[i].name, xq_weight_names[weight]);
            *red = terms[i].red;
            *black = terms[i].black;
        }
}

static void terms_are_what_their_names_say(void **state)
{
    static const struct {
        const char *fen;
        unsigned weight;
        int red, black;
    } T[] = {
        /* cannons before the king: alone, behind one, behind two */
        {"4k4/9/9/9/9/9/4C4/9/9/3K5 w", XQ_W_HOLLOW + 2, 1, 0},
        {"4k4/9/9/9/4C4/9/9/9/9/3K5 w", XQ_W_HOLLOW + 1, 1, 0},
        {"4k4/9/4C4/9/9/9/9/9/9/3K5 w", XQ_W_HOLLOW, 1, 0},
        {"4k4/9/9/4p4/9/9/4C4/9/9/3K5 w", XQ_W_HOLLOW + 2, 0, 0},
        {"4k4/9/9/4p4/4P4/9/4C4/9/9/3K5 w", XQ_W_TWO_SCREENS, 1, 0},
        {"4k4/9/9/9/4c4/9/9/9/9/4K4 w", XQ_W_HOLLOW + 2, 0, 0},
        {"3k5/9/9/9/4c4/9/9/9/9/4K4 w", XQ_W_HOLLOW + 1, 0, 1},
        /* cannons at the bottom */
        {"C3k4/9/9/9/9/9/9/9/9/3K5 w", XQ_W_BOTTOM_HOLLOW, 1, 0},
        {"C1bak4/9/9/9/9/9/9/9/9/3K5 w", XQ_W_BOTTOM_SCREENS, 1, 0},
        {"C1bak4/9/9/9/9/9/9/9/9/3K5 w", XQ_W_BOTTOM + 1, 1, 0},
        {"C3k4/9/9/9/9/9/9/9/9/3K5 w", XQ_W_BOTTOM, 1, 0},
        /* a rook behind one piece, not a king */
        {"4k4/9/4n4/9/9/4R4/9/9/9/3K5 w", XQ_W_ROOK_BEHIND, 1, 0},
        {"4k4/9/4n4/9/9/9/9/9/9/4K4 w", XQ_W_ROOK_BEHIND, 0, 0},
        {"R1n1k4/9/9/9/9/9/9/9/9/3K5 w", XQ_W_ROOK_BEHIND, 1, 0},
        /* legs and eyes */
        {"4k4/9/9/9/9/9/9/2P6/2N6/3K5 w", XQ_W_LEG, 1, 0},
        {"4k4/2n6/2p6/9/9/9/9/9/9/3K5 w", XQ_W_LEG, 0, 1},
        {"4k4/9/9/9/9/9/9/9/1P7/2BK5 w", XQ_W_EYE, 1, 0},
        /* moves: a horse in the corner, a rook alone, one shut in */
        {"4k4/9/9/9/9/9/9/9/9/N2K5 w", XQ_W_HORSE_MOVES + 2, 1, 0},
        {"4k4/9/9/9/9/R8/9/9/9/3K5 w", XQ_W_ROOK_MOVES + 17, 1, 0},
        {"4k4/9/9/9/9/9/9/9/P8/RN1K5 w", XQ_W_ROOK_MOVES, 1, 0},
        {"4k4/9/9/9/9/9/9/9/p8/Rn1K5 w", XQ_W_ROOK_MOVES + 2, 1, 0},
        {"4k4/9/9/9/9/9/9/9/p8/Cn1K5 w", XQ_W_CANNON_MOVES, 1, 0},
        /* pawns side by side, not from edge to edge */
        {"4k4/9/9/9/2PP5/9/9/9/9/3K5 w", XQ_W_PAWN_PAIR, 1, 0},
        {"4k4/9/9/9/9/2PP5/9/9/9/3K5 w", XQ_W_PAWN_PAIR, 0, 0},
        {"4k4/9/9/P8/8P/9/9/9/9/3K5 w", XQ_W_PAWN_PAIR, 0, 0},
        {"4k4/9/9/8P/P8/9/9/9/9/3K5 w", XQ_W_PAWN_PAIR, 0, 0},
        {"4k4/9/9/9/9/9/3ppp3/9/9/3K5 w", XQ_W_PAWN_PAIR, 0, 2},
        /* palace points: d8 e8 f8 from a8, seven steps of the pawn's */
        {"4k4/R8/9/9/9/9/9/9/9/3K5 w", XQ_W_PALACE_ROOK, 3, 0},
        {"4k4/9/9/3P5/9/9/9/9/9/3K5 w", XQ_W_PALACE_PAWN, 1, 0},
        {"4k4/9/9/9/3P5/9/9/9/9/3K5 w", XQ_W_PALACE_PAWN, 0, 0},
        {"4k4/1Cn6/9/9/9/9/9/9/9/3K5 w", XQ_W_PALACE_CANNON, 3, 0},
        /* attacked, guarded */
        {"4k4/9/9/9/r8/9/9/9/9/R2K5 w", XQ_W_HANGING + 3, 1, 1},
        {"4k4/9/9/9/r4p3/9/9/9/9/R2K5 w", XQ_W_HANGING + 3, 1, 1},
        {"4k4/9/9/9/r4r3/9/9/9/9/R2K5 w", XQ_W_HANGING + 3, 0, 1},
        {"4k4/9/9/9/r4r3/9/1N7/9/9/3K5 w", XQ_W_ROOK_CHASED, 1, 0},
        {"4k4/9/9/n3r4/1P7/9/9/9/9/3K5 w", XQ_W_MINOR_CHASED, 0, 0},
        {"4k4/9/9/n3r4/P8/9/9/9/9/3K5 w", XQ_W_MINOR_CHASED, 1, 0},
        {"4k4/9/9/9/9/9/9/9/3NN4/3K5 w", XQ_W_GUARDED, 1, 0},
        {"3k5/9/9/9/9/9/9/9/9/R3K4 w", XQ_W_NO_ROOK, 0, 1},
        {"3k5/9/9/9/9/9/9/9/9/R3K4 w", XQ_W_TEMPO, 1, 0},
        {"3k5/9/9/9/9/9/9/9/9/R3K4 b", XQ_W_TEMPO, 0, 1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        xq_pos p = pos_of(T[i].fen);
        int red, black;
        counts(&p, T[i].weight, &red, &black);
        if (red != T[i].red || black != T[i].black)
            fail_msg("%s: %s is %d for red, %d for black", T[i].fen,
                     xq_weight_names[T[i].weight], red, black);
    }
}

static void every_weight_has_a_name(void **state)
{
    (void)state;
    for (unsigned i = 0; i < XQ_WEIGHTS; i++) {
        assert_non_null(xq_weight_names[i]);
        for (unsigned j = 0; j < i; j++)
            if (strcmp(xq_weight_names[i], xq_weight_names[j]) == 0)
                fail_msg("two weights are called '%s'", xq_weight_names[i]);
    }
    assert_string_equal(xq_weight_names[XQ_W_TEMPO], "the right to move");
    assert_string_equal(xq_weight_names[XQ_W_EYE], "eye blocked");
    assert_string_equal(xq_weight_names[XQ_W_PLACE + 3 * XQ_PLACES + 12],
                        "horse c2");
}

/* Who has nothing that crosses the river does not win, whatever he has. */
static void defenders_alone_do_not_win(void **state)
{
    static const char *const T[] = {
        "4k4/9/9/9/9/9/4B4/9/4A4/2BAK4 w",
        "2bak4/4a4/4b4/9/9/9/9/9/9/4K4 b",
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        xq_pos p = pos_of(T[i]);
        assert_int_equal(eval_of(&p), 0);
    }
    xq_pos p = pos_of("4k4/9/9/9/9/9/9/9/9/R3K4 w");
    assert_true(eval_of(&p) > 500);
    p = pos_of("2bakab2/9/9/9/9/9/9/9/9/R3K4 w");
    assert_true(eval_of(&p) < 300);
}

static void chances_sum_up(void **state)
{
    xq_pos p;
    unsigned last = 0;
    (void)state;
    xq_pos_start(&p);
    for (int score = -XQ_EVAL_MAX; score <= XQ_EVAL_MAX; score += 50) {
        xq_chances c = xq_chances_of(score, &p);
        xq_chances other = xq_chances_of(-score, &p);
        assert_int_equal(c.win + c.draw + c.loss, 1000);
        assert_int_equal(c.win, other.loss);
        assert_true(c.win >= last && c.draw <= 1000);
        last = c.win;
    }
    assert_int_equal(last, 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_are_followed_move_by_move),
        cmocka_unit_test(odd_positions_have_a_value_too),
        cmocka_unit_test(the_start_is_level_but_for_the_move),
        cmocka_unit_test(terms_are_what_their_names_say),
        cmocka_unit_test(every_weight_has_a_name),
        cmocka_unit_test(defenders_alone_do_not_win),
        cmocka_unit_test(chances_sum_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
