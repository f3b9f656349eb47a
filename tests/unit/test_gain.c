/* test_gain.c - what a capture wins (C-30 to C-35): an obvious second opinion
 * on random boards, and cases from the words of the rule. */
#include "tests/unit/engine_util.h"

#include "engine/gain.h"

/* ---- the obvious one: legal moves, played out ---- */

static int slow_worth(xq_piece piece, xq_sq s, int guard, int pawn)
{
    switch (xq_piece_kind(piece)) {
    case XQ_ROOK:
        return 200;
    case XQ_HORSE:
    case XQ_CANNON:
        return 100;
    case XQ_ADVISOR:
    case XQ_ELEPHANT:
        return guard;
    case XQ_PAWN:
        return (xq_piece_side(piece) == XQ_RED) == (s >= 45) ? pawn : 0;
    case XQ_KING:
        break;
    }
    return 0;
}

/* The best of taking on s; side `patient` leaves its king and pawns out. */
static int slow_exchange(const xq_pos *p, xq_sq s, int guard, int pawn,
                         int patient)
{
    xq_movelist list;
    int best = 0;
    xq_gen_legal(p, &list);
    for (unsigned i = 0; i < list.n; i++) {
        xq_pos q = *p;
        xq_kind kind = xq_piece_kind(p->at[xq_move_from(list.m[i])]);
        if (xq_move_to(list.m[i]) != s ||
            (p->side == patient && (kind == XQ_KING || kind == XQ_PAWN)))
            continue;
        xq_pos_make(&q, list.m[i], NULL);
        int value = slow_worth(p->at[s], s, guard, pawn) -
                    slow_exchange(&q, s, guard, pawn, patient);
        best = value > best ? value : best;
    }
    return best;
}

/* Is taking on s, already done, a gain: 1; none: 0; disputed: 2?  Pawns must
 * be a gain at any price. */
static int slow_gain(const xq_pos *p, xq_sq s, xq_piece taken, int patient)
{
    int gain[2];
    for (int g = 0; g < 2; g++) {
        int guard = g ? 90 : 10;
        gain[g] = slow_worth(taken, s, guard, 1) >
                      slow_exchange(p, s, guard, 1, patient) &&
                  slow_worth(taken, s, guard, 1000) >
                      slow_exchange(p, s, guard, 1000, patient);
    }
    return gain[0] == gain[1] ? gain[0] : 2;
}

static bool slow_mates(const xq_pos *p)
{
    xq_movelist list;
    xq_gen_legal(p, &list);
    for (unsigned i = 0; i < list.n; i++) {
        xq_pos q = *p;
        xq_pos_make(&q, list.m[i], NULL);
        if (xq_in_check(&q, (xq_side)q.side) && !xq_has_legal_move(&q))
            return true;
    }
    return false;
}

static enum xq_way slow_way(const xq_pos *p, xq_sq a, xq_sq v)
{
    static const int RANK[8] = {0, 0, 1, 1, 2, 3, 2, 0}; /* by kind */
    xq_kind taker = xq_piece_kind(p->at[a]), taken = xq_piece_kind(p->at[v]);
    xq_move m = xq_move_make(a, v);
    xq_pos q = *p, turned = *p;
    xq_movelist list;
    bool retaken = false;
    enum xq_way way;
    if (!xq_move_is_legal(p, m))
        return XQ_WAY_NONE;
    xq_pos_pass(&turned);
    bool offer =
        taker == taken && xq_move_is_legal(&turned, xq_move_make(v, a));
    xq_pos_make(&q, m, NULL);
    xq_gen_legal(&q, &list);
    for (unsigned i = 0; i < list.n; i++)
        retaken |= xq_move_to(list.m[i]) == v;
    if (offer)
        return XQ_WAY_NONE;
    if (!retaken) {
        way = XQ_WAY_DIRECT;
    } else if (RANK[taker] && RANK[taken] > RANK[taker]) {
        way = taken == XQ_ROOK ? XQ_WAY_DIRECT : XQ_WAY_WORTH;
    } else {
        int all = slow_gain(&q, v, p->at[v], 2);
        int patient = slow_gain(&q, v, p->at[v], p->side);
        way = all == 0       ? XQ_WAY_NONE
              : patient == 1 ? XQ_WAY_JOINT
                             : XQ_WAY_OPEN;
    }
    return slow_mates(&q) ? XQ_WAY_NONE : way;
}

static void agrees_with_moves_played_out(void **state)
{
    uint64_t x = seed_of_run();
    unsigned found[5] = {0};
    (void)state;
    for (unsigned i = 0; i < 60000; i++) {
        xq_pos p = random_odd(&x, 14), before;
        if (xq_in_check(&p, (xq_side)(p.side ^ 1)))
            xq_pos_pass(&p);
        if (xq_in_check(&p, (xq_side)(p.side ^ 1)))
            continue; /* facing kings */
        before = p;
        for (xq_sq a = 0; a < XQ_SQUARES; a++)
            for (xq_sq v = 0; v < XQ_SQUARES; v++) {
                if (!p.at[a] || !p.at[v] || xq_piece_side(p.at[a]) != p.side ||
                    !xq_is_material(&p, v))
                    continue;
                enum xq_way way = xq_way_of(&p, a, v);
                found[way]++;
                if (way != slow_way(&p, a, v)) {
                    char fen[XQ_FEN_MAX];
                    xq_fen_format(&p, fen);
                    fail_msg("seed %llu: %s, %d takes %d: %d",
                             (unsigned long long)seed_of_run(), fen, a, v, way);
                }
            }
        assert_memory_equal(&p, &before, sizeof p);
    }
    for (int way = XQ_WAY_OPEN; way <= XQ_WAY_DIRECT; way++)
        assert_true(found[way] > 5);
}

/* ---- the words of the rule ---- */

struct way_case {
    const char *fen, *capture;
    enum xq_way way;
};

static void check_cases(const struct way_case *t, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        xq_pos p = pos_of(t[i].fen);
        xq_move m = xq_move_parse(t[i].capture);
        enum xq_way way = xq_way_of(&p, xq_move_from(m), xq_move_to(m));
        if (way != t[i].way)
            fail_msg("%s: %s is %d", t[i].fen, t[i].capture, way);
    }
}

static void what_is_unprotected_or_worth_more_is_won(void **state)
{
    static const struct way_case T[] = {
        {"2bak1b2/4a4/9/9/R2n5/9/9/9/9/2BAKAB2 w", "a5d5", XQ_WAY_DIRECT},
        {"2bak1b2/4a4/9/3p5/R2n5/9/9/9/9/2BAKAB2 w", "a5d5", XQ_WAY_NONE},
        /* A rook is more than a cannon, a horse, a guard, root or not. */
        {"2bak1b2/4a4/9/3r5/C1PrP4/9/9/9/9/2BAKAB2 w", "a5d5", XQ_WAY_DIRECT},
        {"2bak1b2/4a4/9/2r6/N8/2r6/9/9/9/2BAKAB2 w", "a5c4", XQ_WAY_DIRECT},
        {"2bak1b2/4a4/9/3r5/3r5/1N7/9/9/9/2BAKAB2 w", "b4d5", XQ_WAY_DIRECT},
        {"2bak1b2/4a4/9/9/2r6/2r6/B8/9/9/2BAKAB2 w", "a3c5", XQ_WAY_NONE},
        {"2bak1b2/4a4/9/9/2r6/2r6/9/B8/9/2BAKAB2 w", "a2c4", XQ_WAY_DIRECT},
        /* A horse or cannon is more than a guard. */
        {"2bak1b2/4a4/9/9/2r6/2n6/9/B8/9/2BAKAB2 w", "a2c4", XQ_WAY_WORTH},
        {"3ak4/9/9/9/9/9/9/3rn4/3A5/4K4 w", "d1e2", XQ_WAY_WORTH},
        {"3ak4/9/9/9/9/9/4p4/4n4/3A5/4K4 w", "d1e2", XQ_WAY_WORTH},
        /* Guards against guards, pieces against guards: no. */
        {"3ak1b2/9/4b4/9/9/9/9/4R4/9/3K1A3 w", "e2e7", XQ_WAY_NONE},
        {"3ak4/9/4b4/9/9/9/9/4R4/9/3K1A3 w", "e2e7", XQ_WAY_DIRECT},
    };
    (void)state;
    check_cases(T, COUNT_OF(T));
}

static void false_roots_protect_nothing(void **state)
{
    static const struct way_case T[] = {
        /* The rook protects the horse, but not when a cannon pins it. */
        {"4k4/9/4r1n2/6R2/9/9/9/4P4/4C4/3K5 w", "g6g7", XQ_WAY_DIRECT},
        {"4k4/9/4r1n2/6R2/9/9/9/9/4C4/3K5 w", "g6g7", XQ_WAY_NONE},
        /* The cannon loses its screen to the capture. */
        {"2bak1b2/4a4/9/c1P1n4/9/4R4/9/9/9/2BAKAB2 w", "e4e6", XQ_WAY_NONE},
        {"2bak1b2/4a4/9/c2Rn4/9/9/9/9/9/2BAKAB2 w", "d6e6", XQ_WAY_DIRECT},
        /* The capture opens a check that taking back does not answer. */
        {"4k4/9/r2c5/9/4N4/9/9/9/4R4/3K5 w", "e5d7", XQ_WAY_DIRECT},
    };
    (void)state;
    check_cases(T, COUNT_OF(T));
}

static void a_full_exchange_that_ends_ahead_is_joint(void **state)
{
    static const struct way_case T[] = {
        /* Horse and rook on a cannon with one root; with two. */
        {"2bak1b2/4a4/9/1n7/R2c5/9/2N6/9/9/2BAKAB2 w", "c3d5", XQ_WAY_JOINT},
        {"2bak1b2/4a4/9/1n7/R2c1r3/9/2N6/9/9/2BAKAB2 w", "c3d5", XQ_WAY_NONE},
        /* The rook first would not do; nor a single attacker. */
        {"2bak1b2/4a4/9/1n7/R2c5/9/2N6/9/9/2BAKAB2 w", "a5d5", XQ_WAY_NONE},
        {"2bak1b2/4a4/9/1n7/3c5/9/2N6/9/9/2BAKAB2 w", "c3d5", XQ_WAY_NONE},
        /* The only root is a pawn at home, which is no material. */
        {"2bak1b2/4a4/9/3p5/R2c5/9/2N6/9/9/2BAKAB2 w", "c3d5", XQ_WAY_NONE},
        /* Two rooks on a pawn with one root: a rook for a rook, and a pawn. */
        {"2bak1b2/4a4/9/9/9/RR1p1r3/9/9/9/2BAKAB2 w", "b4d4", XQ_WAY_JOINT},
        /* Two rooks in a row: the second looks through the first. */
        {"2bak1b2/4a4/9/9/RR1n1n3/9/2n6/9/9/2BAKAB2 w", "b5d5", XQ_WAY_NONE},
        {"2bak1b2/4a4/9/9/RR1n1r3/9/9/9/9/2BAKAB2 w", "b5d5", XQ_WAY_JOINT},
        /* A pawn that helps: whose chase is it (C-16)? */
        {"2bak1b2/4a4/9/3r5/2Pc5/9/2N6/9/9/2BAKAB2 w", "c3d5", XQ_WAY_OPEN},
        /* A horse for two guards: the text does not weigh them. */
        {"4k4/4a4/3a5/9/2N6/9/9/9/9/3R1K3 w", "c5d7", XQ_WAY_OPEN},
    };
    (void)state;
    check_cases(T, COUNT_OF(T));
}

static void pawns_float(void **state)
{
    static const struct way_case T[] = {
        /* A horse for a pawn, though it crossed: no gain. */
        {"2bak1b2/4a4/9/9/9/r1p6/9/1N7/9/2BAKAB2 w", "b2c4", XQ_WAY_NONE},
        /* Nor a rook for a pawn and a horse. */
        {"2bak1b2/4a4/9/9/2n6/2p6/1N7/2R6/9/2BAKAB2 w", "c2c4", XQ_WAY_DIRECT},
        /* Unprotected it is won. */
        {"2bak1b2/4a4/9/9/9/2p6/9/1N7/9/2BAKAB2 w", "b2c4", XQ_WAY_DIRECT},
    };
    (void)state;
    check_cases(T, COUNT_OF(T));
    xq_pos p = pos_of("2bak1b2/4a4/9/9/2p6/2p6/2P6/2P6/9/2BAKAB2 w");
    assert_false(xq_is_material(&p, xq_sq_of(2, 5))); /* not across */
    assert_true(xq_is_material(&p, xq_sq_of(2, 4)));
    assert_false(xq_is_material(&p, xq_pos_king(&p, XQ_RED)));
}

static void an_exchange_offer_wins_nothing(void **state)
{
    static const struct way_case T[] = {
        {"2bak1b2/4a4/9/9/R2r5/9/9/9/9/2BAKAB2 w", "a5d5", XQ_WAY_NONE},
        /* The horse's leg stands in its way, not in the other's. */
        {"2bak1b2/4a4/9/4p4/3np4/1N7/9/9/9/2BAKAB2 w", "b4d5", XQ_WAY_NONE},
        {"2bak1b2/4a4/9/9/2pn5/1N7/9/9/9/2BAKAB2 w", "b4d5", XQ_WAY_DIRECT},
        /* A pinned rook cannot take (D53). */
        {"4k4/4a4/4r3R/9/9/9/9/9/9/3K5 w", "i7e7", XQ_WAY_NONE},
        {"4k4/4a4/4r3R/9/9/9/9/9/4C4/3K5 w", "i7e7", XQ_WAY_DIRECT},
    };
    (void)state;
    check_cases(T, COUNT_OF(T));
}

/* C-34.  The rook keeps the other from mating on d2; with a pawn between the
 * kings e0 is free and there is no mate. */
static void a_capture_answered_by_mate_wins_nothing(void **state)
{
    static const struct way_case T[] = {
        {"4k4/9/7n1/9/9/7R1/9/8r/9/3K5 w", "h4h7", XQ_WAY_NONE},
        {"4k4/9/7n1/9/4p4/7R1/9/8r/9/3K5 w", "h4h7", XQ_WAY_DIRECT},
    };
    (void)state;
    check_cases(T, COUNT_OF(T));
}

/* C-16: nobody else takes it. */
static void king_and_pawns_do_not_count(void **state)
{
    xq_pos p = pos_of("3ak4/9/9/9/2nP5/9/9/9/3c5/3K1A3 w");
    (void)state;
    assert_int_equal(xq_way_to(&p, xq_sq_of(2, 5)), XQ_WAY_NONE);
    assert_int_equal(xq_way_to(&p, xq_sq_of(3, 1)), XQ_WAY_NONE);
    assert_int_equal(xq_way_of(&p, xq_sq_of(3, 5), xq_sq_of(2, 5)),
                     XQ_WAY_DIRECT);
}

/* A side in check, asked what it would win otherwise (C-37): its king stands
 * to be taken, so no mate may be looked for. */
static void a_check_left_aside_stays_on_the_board(void **state)
{
    xq_pos p =
        pos_of("2baka3/r8/2n1b4/p1R5p/4N4/2P6/P3P2RP/4C3B/4K4/2BA2r1c w");
    uint64_t x = seed_of_run();
    (void)state;
    for (xq_sq v = 0; v < XQ_SQUARES; v++)
        if (p.at[v] && xq_piece_side(p.at[v]) != p.side)
            (void)xq_way_aside_check(&p, v);
    p = pos_of("3ak4/9/9/9/R2n5/9/9/9/4r4/4K4 w"); /* e1 stands in the way */
    assert_int_equal(xq_way_to(&p, xq_sq_of(3, 5)), XQ_WAY_NONE);
    assert_int_equal(xq_way_aside_check(&p, xq_sq_of(3, 5)), XQ_WAY_DIRECT);
    for (unsigned i = 0; i < 20000; i++) {
        xq_pos q = random_odd(&x, 20), before = q;
        for (xq_sq v = 0; v < XQ_SQUARES; v++)
            if (q.at[v] && xq_piece_side(q.at[v]) != q.side &&
                xq_is_material(&q, v) &&
                !xq_in_check(&q, (xq_side)(q.side ^ 1)))
                (void)xq_way_aside_check(&q, v);
        assert_memory_equal(&q, &before, sizeof q);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_with_moves_played_out),
        cmocka_unit_test(what_is_unprotected_or_worth_more_is_won),
        cmocka_unit_test(false_roots_protect_nothing),
        cmocka_unit_test(a_full_exchange_that_ends_ahead_is_joint),
        cmocka_unit_test(pawns_float),
        cmocka_unit_test(an_exchange_offer_wins_nothing),
        cmocka_unit_test(a_capture_answered_by_mate_wins_nothing),
        cmocka_unit_test(king_and_pawns_do_not_count),
        cmocka_unit_test(a_check_left_aside_stays_on_the_board),
    };
    return cmocka_run_group_tests_name("gain", tests, NULL, NULL);
}
