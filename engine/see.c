/* see.c - what an exchange on one square brings.
 *
 * Both sides take with the least piece that can, as long as it pays.  Lines
 * are looked at anew after each capture, so rooks behind rooks join in, and
 * cannons lose or find their screens.  Pins are not looked at. */
#include "engine/search_parts.h"

const int16_t xq_see_value[8] = {
    [XQ_ADVISOR] = 200, [XQ_ELEPHANT] = 200, [XQ_HORSE] = 450,
    [XQ_ROOK] = 1000,   [XQ_CANNON] = 450,   [XQ_PAWN] = 120,
};

/* The square, and what is left around it. */
struct exchange {
    const xq_pos *p;
    xq_sq to;
    uint64_t file, rank; /* its lines */
    xq_set gone;         /* pieces that have left their squares */
};

static void leave(struct exchange *x, xq_sq s)
{
    const uint64_t column = UINT64_C(1) | UINT64_C(1) << 10 |
                            UINT64_C(1) << 20 | UINT64_C(1) << 30 |
                            UINT64_C(1) << 40;
    x->file &= ~(xq_line_bit[10 + xq_file_of[x->to]][s] * column);
    x->rank &= ~(xq_line_bit[xq_rank_of[x->to]][s] * column);
    set_add(&x->gone, s);
}

static bool is_free(const struct exchange *x, xq_sq s)
{
    return x->p->at[s] == XQ_EMPTY || set_has(x->gone, s);
}

static bool has(const struct exchange *x, int s, unsigned piece)
{
    return s >= 0 && s < XQ_SQUARES && x->p->at[s] == piece &&
           !set_has(x->gone, (xq_sq)s);
}

static xq_sq find_pawn(const struct exchange *x, unsigned side)
{
    unsigned pawn = 8 * side + XQ_PAWN;
    int to = x->to, behind = side == XQ_RED ? to - 9 : to + 9;
    if (has(x, behind, pawn))
        return (xq_sq)behind;
    if (half_of(x->to) == side) /* pawns at home do not go sideways */
        return XQ_NOSQ;
    if (xq_file_of[to] > 0 && has(x, to - 1, pawn))
        return (xq_sq)(to - 1);
    if (xq_file_of[to] < 8 && has(x, to + 1, pawn))
        return (xq_sq)(to + 1);
    return XQ_NOSQ;
}

/* Advisors and elephants; they never meet the enemy's half. */
static xq_sq find_defender(const struct exchange *x, unsigned side)
{
    const xq_pos *p = x->p;
    unsigned base = 8 * side, i = p->first[base + XQ_ADVISOR];
    xq_sq s;
    if (half_of(x->to) != side)
        return XQ_NOSQ;
    for (; i < p->first[base + XQ_ADVISOR + 1]; i++)
        if ((s = p->sq[i]) != XQ_NOSQ && !set_has(x->gone, s) &&
            set_has(xq_advisor_to[side][s], x->to))
            return s;
    for (; i < p->first[base + XQ_ELEPHANT + 1]; i++)
        if ((s = p->sq[i]) != XQ_NOSQ && !set_has(x->gone, s) &&
            set_has(xq_elephant_to[side][s][0], x->to) &&
            is_free(x, (xq_sq)((s + x->to) / 2)))
            return s;
    return XQ_NOSQ;
}

static xq_sq find_horse(const struct exchange *x, unsigned side)
{
    const xq_pos *p = x->p;
    const uint8_t *legs = xq_horse_leg[x->to];
    unsigned horse = 8 * side + XQ_HORSE;
    for (unsigned i = p->first[horse]; i < p->first[horse + 1]; i++) {
        xq_sq leg = legs[p->sq[i]];
        if (leg != XQ_NOSQ && is_free(x, leg) && !set_has(x->gone, p->sq[i]))
            return p->sq[i];
    }
    return XQ_NOSQ;
}

static xq_sq on_file(const struct exchange *x, unsigned bits)
{
    return xq_sq_of(xq_file_of[x->to], __builtin_ctz(bits));
}
static xq_sq on_rank(const struct exchange *x, unsigned bits)
{
    return xq_sq_of(__builtin_ctz(bits), xq_rank_of[x->to]);
}

/* Cannons over one screen, then rooks. */
static xq_sq find_slider(const struct exchange *x, unsigned side)
{
    unsigned f = xq_file_of[x->to], r = xq_rank_of[x->to];
    struct xq_reach a = xq_reach[r][line_occ(x->file)];
    struct xq_reach b = xq_reach[f][line_occ(x->rank)];
    unsigned hit = a.cannon & line_cannons(x->file, side);
    if (hit)
        return on_file(x, hit);
    hit = b.cannon & line_cannons(x->rank, side);
    if (hit)
        return on_rank(x, hit);
    hit = a.rook & line_rooks(x->file, side);
    for (; hit; hit &= hit - 1) { /* a king is no rook */
        xq_sq s = on_file(x, hit);
        if (xq_piece_kind(x->p->at[s]) == XQ_ROOK)
            return s;
    }
    hit = b.rook & line_rooks(x->rank, side);
    for (; hit; hit &= hit - 1) {
        xq_sq s = on_rank(x, hit);
        if (xq_piece_kind(x->p->at[s]) == XQ_ROOK)
            return s;
    }
    return XQ_NOSQ;
}

/* The least piece of a side that can take, its king last. */
static xq_sq find_least(const struct exchange *x, unsigned side)
{
    xq_sq s = find_pawn(x, side);
    if (s == XQ_NOSQ)
        s = find_defender(x, side);
    if (s == XQ_NOSQ)
        s = find_horse(x, side);
    if (s == XQ_NOSQ)
        s = find_slider(x, side);
    if (s == XQ_NOSQ) {
        xq_sq king = xq_pos_king(x->p, (xq_side)side);
        if (set_has(xq_king_to[side][king], x->to))
            s = king;
    }
    return s;
}

bool xq_see(const xq_pos *p, xq_move m, int least)
{
    xq_sq from = xq_move_from(m), to = xq_move_to(m);
    /* What the side that took last is ahead of its aim, should the other stop
     * here; kept as the other's debt. */
    int debt = xq_see_value[p->at[to] & 7] - least;
    if (debt < 0)
        return false;
    debt = xq_see_value[p->at[from] & 7] - debt;
    if (debt <= 0)
        return true;
    struct exchange x = {
        .p = p,
        .to = to,
        .file = p->line[10 + xq_file_of[to]],
        .rank = p->line[xq_rank_of[to]],
    };
    leave(&x, from);
    unsigned side = p->side;
    bool reached = true;
    for (;;) {
        side ^= 1;
        xq_sq s = find_least(&x, side);
        if (s == XQ_NOSQ)
            return reached;
        reached = !reached;
        debt = xq_see_value[p->at[s] & 7] - debt;
        leave(&x, s);
        if (s == xq_pos_king(p, (xq_side)side)) /* it may not be retaken */
            return find_least(&x, side ^ 1) == XQ_NOSQ ? reached : !reached;
        if (debt < (int)reached)
            return reached;
    }
}
