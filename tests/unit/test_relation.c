/* test_relation.c - who could take what, against the slow and obvious way:
 * make the capture on the board, look, take it back. */
#include "tests/unit/engine_util.h"

#include "engine/relation.h"

#include <stdio.h>

/* ---- the obvious way, on public functions only ---- */

static void give_turn(xq_pos *p, xq_side side)
{
    if (p->side != side)
        xq_pos_pass(p);
}

static bool kings_face(const xq_pos *p)
{
    const xq_sq red = xq_pos_king(p, XQ_RED), black = xq_pos_king(p, XQ_BLACK);
    if (red % 9 != black % 9)
        return false;
    for (int s = red + 9; s < black; s += 9)
        if (p->at[s])
            return false;
    return true;
}

/* Which slots attack the king of `side`? */
static void attackers(const xq_pos *p, xq_side side, bool out[90])
{
    xq_pos q = *p;
    const xq_sq king = xq_pos_king(p, side);
    memset(out, 0, 90 * sizeof *out);
    give_turn(&q, (xq_side)(side ^ 1));
    for (xq_sq s = 0; s < 90; s++)
        if (xq_move_is_pseudo(&q, xq_move_make(s, king)))
            out[q.slot[s]] = true;
    if (kings_face(p))
        out[p->slot[xq_pos_king(p, (xq_side)(side ^ 1))]] = true;
}

static bool slow_takes(const xq_pos *p, xq_side m, xq_sq from, xq_sq to)
{
    bool before[90], after[90];
    xq_pos q = *p;
    xq_undo u;
    give_turn(&q, m);
    const xq_move move = xq_move_make(from, to);
    if (!q.at[to] || xq_piece_kind(q.at[to]) == XQ_KING ||
        !xq_move_is_pseudo(&q, move))
        return false;
    attackers(&q, m, before);
    xq_pos_make(&q, move, &u);
    attackers(&q, m, after);
    xq_pos_unmake(&q, &u);
    for (int i = 0; i < 90; i++)
        if (after[i] && !before[i])
            return false;
    return true;
}

/* Would the piece on `from` take on `to` if an enemy stood there? */
static bool slow_protects(const xq_pos *p, xq_sq from, xq_sq to)
{
    uint8_t at[90];
    xq_pos q;
    memcpy(at, p->at, sizeof at);
    const xq_side side = xq_piece_side(at[from]);
    at[to] = xq_piece_of((xq_side)(side ^ 1), XQ_PAWN);
    assert_int_equal(xq_pos_set(&q, at, side, NULL), XQ_OK);
    return xq_move_is_pseudo(&q, xq_move_make(from, to));
}

static unsigned slow_flags(const xq_pos *p, xq_side m, xq_sq from, xq_sq to)
{
    unsigned flags = 0;
    xq_pos q = *p;
    xq_undo u;
    give_turn(&q, (xq_side)(m ^ 1));
    if (xq_move_is_legal(&q, xq_move_make(to, from)))
        flags |= REL_RETURN;
    give_turn(&q, m);
    xq_pos_make(&q, xq_move_make(from, to), &u);
    bool root = false, would = false;
    for (xq_sq s = 0; s < 90; s++) {
        if (!q.at[s] || xq_piece_side(q.at[s]) == m)
            continue;
        const xq_move back = xq_move_make(s, to);
        /* A king that took cannot be taken, but could be reached. */
        root |= xq_move_is_legal(&q, back);
        would |= xq_move_is_pseudo(&q, back) || slow_protects(p, s, to);
    }
    return flags | (root ? REL_ROOT : would ? REL_FALSE_ROOT : 0);
}

/* ---- everything the header offers, compared with it ---- */

static void fail_in(const xq_pos *p, const char *what, xq_sq from, xq_sq to,
                    uint64_t seed)
{
    char fen[XQ_FEN_MAX], move[5];
    xq_fen_format(p, fen);
    xq_move_format(xq_move_make(from, to), move);
    fail_msg("%s: %s in %s, seed %llu", what, move, fen,
             (unsigned long long)seed);
}

static void compare(const xq_pos *p, xq_side m, uint64_t seed)
{
    static struct xq_relation got[XQ_MAX_RELATIONS], bare[XQ_MAX_RELATIONS];
    const unsigned n = xq_relations(p, m, true, got);
    assert_int_equal(xq_relations(p, m, false, bare), n);
    unsigned next = 0;
    for (unsigned a = p->first[8 * m]; a < p->first[8 * m + 8]; a++)
        for (unsigned v = p->first[8 * !m]; v < p->first[8 * !m + 8]; v++) {
            const xq_sq from = p->sq[a], to = p->sq[v];
            if (from == XQ_NOSQ || to == XQ_NOSQ)
                continue;
            struct xq_relation one;
            const bool is = slow_takes(p, m, from, to);
            if (is != xq_relation_of(p, (uint8_t)a, (uint8_t)v, true, &one))
                fail_in(p, "xq_relation_of", from, to, seed);
            if (!is)
                continue;
            if (next == n || got[next].a != a || got[next].v != v)
                fail_in(p, "missing or out of order", from, to, seed);
            const unsigned want = slow_flags(p, m, from, to);
            if (got[next].flags != want || one.flags != want)
                fail_in(p, "flags", from, to, seed);
            if (bare[next].a != a || bare[next].v != v ||
                bare[next].flags != (want & REL_RETURN))
                fail_in(p, "without roots", from, to, seed);
            if (xq_true_root(p, (uint8_t)a, (uint8_t)v) !=
                ((want & REL_ROOT) != 0))
                fail_in(p, "xq_true_root", from, to, seed);
            next++;
        }
    assert_int_equal(next, n);
}

static void random_games_agree(void **state)
{
    const uint64_t seed = seed_of_run();
    uint64_t x = seed;
    (void)state;
    for (int game = 0; game < 20; game++) {
        xq_pos p = pos_of(XQ_FEN_START);
        for (int ply = 0; ply < 80; ply++) {
            const xq_move m = random_move(&p, &x);
            if (!m)
                break;
            xq_pos_make(&p, m, NULL);
            compare(&p, XQ_RED, seed);
            compare(&p, XQ_BLACK, seed);
        }
    }
}

/* Any number of any pieces anywhere, both kings in check or facing. */
static void random_odd_positions_agree(void **state)
{
    const uint64_t seed = seed_of_run();
    uint64_t x = seed;
    (void)state;
    for (int i = 0; i < 3000; i++) {
        const xq_pos p = random_odd(&x, i % 10 ? 30 : 88);
        compare(&p, XQ_RED, seed);
        compare(&p, XQ_BLACK, seed);
    }
}

/* ---- single points, by hand ---- */

struct pair_case {
    const char *fen, *pair; /* attacker and victim, as a move */
    int flags;              /* NONE: it could not take */
};
enum { NONE = -1 };

static void pairs_are_as_the_articles_say(void **state)
{
    static const struct pair_case T[] = {
        /* A rook on a horse: alone; protected; its protector pinned by the
         * rook's own line; protected by a king that may not step there. */
        {"3k5/9/9/9/1n2R4/9/9/9/9/4K4 w", "e5b5", 0},
        {"3k5/9/2n6/9/1n2R4/9/9/9/9/4K4 w", "e5b5", REL_ROOT},
        {"4k4/9/4n4/9/1R3n3/9/9/9/4R4/3K5 w", "b5f5", REL_FALSE_ROOT},
        {"3k5/9/4n4/9/1R3n3/9/9/9/4R4/4K4 w", "b5f5", REL_ROOT},
        {"4k4/4n4/2n6/9/9/2R6/9/9/4R4/3K5 w", "c4c7", REL_FALSE_ROOT},
        {"3k5/4n4/2n6/9/9/2R6/9/9/4R4/4K4 w", "c4c7", REL_ROOT},
        {"3k5/3n5/9/3R5/9/9/9/9/9/4K4 w", "d6d8", REL_ROOT},
        {"3k5/3n5/9/3R5/9/9/9/9/9/3K5 w", "d6d8", REL_FALSE_ROOT},
        {"3k5/3n5/9/3R5/3R5/9/9/9/9/4K4 w", "d6d8", REL_FALSE_ROOT},
        /* Facing kings: the rook may not leave the file, whoever's turn. */
        {"4k4/9/9/9/1n2R4/9/9/9/9/4K4 w", "e5b5", NONE},
        {"4k4/9/9/9/1n2R4/9/9/9/9/4K4 b", "e5b5", NONE},
        /* An attack that stands already hides nothing. */
        {"3k5/9/9/9/1n2R4/9/9/9/9/r3K4 b", "e5b5", 0},
        /* The capture takes the protecting cannon's screen away, or not. */
        {"3k5/9/9/9/n2R4c/9/9/9/9/4K4 w", "d5a5", REL_FALSE_ROOT},
        {"3k5/9/9/9/n3p3c/9/R8/9/9/4K4 w", "a3a5", REL_ROOT},
        /* Like pieces: both could; one is tied to its file. */
        {"3k5/9/9/9/r3R4/9/9/9/9/4K4 w", "e5a5", REL_RETURN},
        {"4k4/9/9/9/R3r4/9/9/9/4R4/3K5 w", "a5e5", 0},
        {"3k5/9/9/9/9/2n6/9/1N7/2P6/4K4 w", "b2c4", REL_RETURN},
        {"3k5/9/9/9/9/2n6/2P6/1N7/9/4K4 w", "b2c4", 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        const xq_pos p = pos_of(T[i].fen);
        const xq_move m = xq_move_parse(T[i].pair);
        struct xq_relation r;
        const int got = xq_relation_of(&p, p.slot[xq_move_from(m)],
                                       p.slot[xq_move_to(m)], true, &r)
                            ? r.flags
                            : NONE;
        if (got != T[i].flags)
            fail_msg("%s in %s: %d, not %d", T[i].pair, T[i].fen, got,
                     T[i].flags);
    }
}

static void captured_pieces_have_no_part(void **state)
{
    xq_pos p = pos_of("3k5/9/9/9/1n2R4/9/9/9/9/4K4 w");
    const uint8_t rook = p.slot[xq_sq_of(4, 5)], horse = p.slot[xq_sq_of(1, 5)];
    struct xq_relation r;
    (void)state;
    assert_true(xq_relation_of(&p, rook, horse, true, &r));
    xq_pos_make(&p, xq_move_parse("e5b5"), NULL);
    assert_false(xq_relation_of(&p, rook, horse, true, &r));
    assert_false(xq_relation_of(&p, horse, rook, true, &r));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_games_agree),
        cmocka_unit_test(random_odd_positions_agree),
        cmocka_unit_test(pairs_are_as_the_articles_say),
        cmocka_unit_test(captured_pieces_have_no_part),
    };
    return cmocka_run_group_tests_name("relation", tests, NULL, NULL);
}
