/* relation.c - who could take what, and would be taken back (relation.h). */
#include "engine/relation.h"

/* ---- attacks on a king ---- */

/* Slots of the pieces that attack the king of `side`, the king that faces it
 * included. */
static xq_slots king_attackers(const xq_pos *p, xq_side side)
{
    const unsigned enemy = side ^ 1u, end = p->first[8 * enemy + 8];
    const xq_sq king = xq_pos_king(p, side);
    xq_slots set = {{0, 0}};
    for (unsigned i = p->first[8 * enemy]; i < end; i++)
        if (p->sq[i] != XQ_NOSQ && hits_king(p, p->sq[i], king))
            xq_slots_add(&set, (uint8_t)i);
    return set;
}

/* Would a capture by the side to move lay its king open to a piece that does
 * not attack it yet?  */
static bool adds_attack(const xq_pos *p, xq_sq from, xq_sq to)
{
    const xq_side side = (xq_side)p->side;
    const xq_sq king = xq_pos_king(p, side);
    if (!king_hit_after(p, from == king ? to : king, from, to))
        return false; /* nearly always */
    const xq_slots stands = king_attackers(p, side);
    if (!xq_slots_any(stands))
        return true;
    xq_pos after = *p;
    struct board_undo u;
    board_make(&after, xq_move_make(from, to), &u);
    return xq_slots_any(xq_slots_minus(king_attackers(&after, side), stands));
}

/* ---- roots ---- */

/* The roots of a piece on `to` that has just been captured.  `before` is the
 * board with the piece, `after` the one without it, its owner to move. */
static unsigned root_flags(const xq_pos *before, const xq_pos *after, xq_sq to)
{
    const unsigned owner = after->side, end = after->first[8 * owner + 8];
    unsigned flags = 0;
    for (unsigned i = after->first[8 * owner]; i < end; i++) {
        const xq_sq from = after->sq[i];
        if (from == XQ_NOSQ)
            continue;
        if (reaches(after, from, to)) {
            if (xq_move_is_legal(after, xq_move_make(from, to)))
                return REL_ROOT;
            flags = REL_FALSE_ROOT; /* its king would be open */
        } else if (reaches(before, from, to)) {
            flags = REL_FALSE_ROOT; /* the capture cut it off */
        }
    }
    return flags;
}

/* ---- pairs ---- */

/* `board` has the attacker's side to move, and is as before at the end. */
static unsigned flags_of(xq_pos *board, xq_sq attacker, xq_sq victim,
                         bool roots)
{
    unsigned flags = 0;
    board->side ^= 1;
    if (xq_move_is_legal(board, xq_move_make(victim, attacker)))
        flags |= REL_RETURN;
    board->side ^= 1;
    if (roots) {
        const xq_pos before = *board;
        struct board_undo u;
        board_make(board, xq_move_make(attacker, victim), &u);
        flags |= root_flags(&before, board, victim);
        board_unmake(board, &u);
    }
    return flags;
}

/* The pieces of `side` that the piece on `from` could take, kings aside. */
static xq_set prey(const xq_pos *p, xq_sq from, xq_side side)
{
    xq_set set = {{p->own[side][0], p->own[side][1]}};
    const xq_sq king = xq_pos_king(p, side);
    set.half[half_of(king)] &= ~bit_of(king);
    return set_and(set, xq_targets(p, from));
}

/* Insert by victim's slot; pairs from `begin` on share the attacker. */
static void insert_sorted(struct xq_relation *begin, unsigned n,
                          struct xq_relation r)
{
    for (; n > 0 && begin[n - 1].v > r.v; n--)
        begin[n] = begin[n - 1];
    begin[n] = r;
}

unsigned xq_relations(const xq_pos *p, xq_side m, bool roots,
                      struct xq_relation *out)
{
    const unsigned end = p->first[8 * m + 8];
    unsigned n = 0;
    xq_pos board = *p;
    board.side = (uint8_t)m; /* keys stay: nobody looks at them here */
    for (unsigned a = p->first[8 * m]; a < end; a++) {
        const xq_sq from = p->sq[a];
        if (from == XQ_NOSQ)
            continue;
        xq_set victims = prey(p, from, (xq_side)(m ^ 1));
        const unsigned begin = n;
        while (set_any(victims)) {
            const xq_sq to = set_pop(&victims);
            if (adds_attack(&board, from, to))
                continue;
            struct xq_relation r = {(uint8_t)a, p->slot[to], 0};
            r.flags = (uint8_t)flags_of(&board, from, to, roots);
            insert_sorted(out + begin, n - begin, r);
            n++;
        }
    }
    return n;
}

bool xq_relation_of(const xq_pos *p, uint8_t a, uint8_t v, bool roots,
                    struct xq_relation *out)
{
    const xq_sq from = p->sq[a], to = p->sq[v];
    if (from == XQ_NOSQ || to == XQ_NOSQ || !reaches(p, from, to) ||
        xq_piece_kind(p->at[to]) == XQ_KING)
        return false;
    xq_pos board = *p;
    board.side = (uint8_t)xq_piece_side(p->at[from]);
    if (adds_attack(&board, from, to))
        return false;
    *out = (struct xq_relation){a, v, 0};
    out->flags = (uint8_t)flags_of(&board, from, to, roots);
    return true;
}

bool xq_true_root(const xq_pos *p, uint8_t a, uint8_t v)
{
    const xq_sq to = p->sq[v];
    xq_pos after = *p;
    struct board_undo u;
    after.side = (uint8_t)xq_piece_side(p->at[p->sq[a]]);
    board_make(&after, xq_move_make(p->sq[a], to), &u);
    return root_flags(p, &after, to) == REL_ROOT;
}
