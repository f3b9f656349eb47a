/* gen.c - move generation: targets by table, and the look out from the king
 * that tells which moves need no test. */
#include "engine/internal.h"

/* ---- targets of one piece ---- */

static xq_set on_rank(unsigned bits, unsigned rank)
{
    xq_set set = {{0, 0}};
    unsigned half = rank >= 5;
    set.half[half] = (uint64_t)(bits & XQ_RANK_BITS) << 9 * (rank - 5 * half);
    return set;
}

static xq_set on_file(unsigned bits, unsigned file)
{
    xq_set set = xq_file_spread[bits];
    set.half[0] <<= file;
    set.half[1] <<= file;
    return set;
}

static xq_set slider_targets(const xq_pos *p, xq_sq s, bool cannon)
{
    unsigned f = xq_file_of[s], r = xq_rank_of[s];
    struct xq_reach a = xq_reach[f][line_occ(p->line[r])];
    struct xq_reach b = xq_reach[r][line_occ(p->line[10 + f])];
    return set_or(on_rank(cannon ? a.cannon : a.rook, r),
                  on_file(cannon ? b.cannon : b.rook, f));
}

xq_set xq_targets(const xq_pos *p, xq_sq s)
{
    xq_piece piece = p->at[s];
    unsigned side = xq_piece_side(piece);
    xq_set set = {{0, 0}};
    switch (xq_piece_kind(piece)) {
    case XQ_KING:
        set = xq_king_to[side][s];
        break;
    case XQ_ADVISOR:
        set = xq_advisor_to[side][s];
        break;
    case XQ_ELEPHANT:
        set = xq_elephant_to[side][s][blocked_eyes(p, s)];
        break;
    case XQ_HORSE:
        set = xq_horse_to[s][blocked_legs(p, s)];
        break;
    case XQ_ROOK:
        set = slider_targets(p, s, false);
        break;
    case XQ_CANNON:
        set = slider_targets(p, s, true);
        break;
    case XQ_PAWN:
        set = xq_pawn_to[side][s];
        break;
    }
    return set_minus(set, (xq_set){{p->own[side][0], p->own[side][1]}});
}

/* ---- looking out from the king ---- */

/* What matters on one line, as bits of the line. */
struct line_look {
    bool check;
    unsigned leave, land, resolve;
};

/* The line as the king at `place` sees it: the first, second and third piece
 * on either side decide everything.
 *
 *   king . A . B . C    A rook or king: check.  B cannon: check over A.
 *                       B rook or king: A must not leave.
 *                       C cannon: neither A nor B may leave.
 *                       A cannon: nothing may land before it. */
static struct line_look look_along(uint64_t line, unsigned place, unsigned side)
{
    struct xq_reach reach = xq_reach[place][line_occ(line)];
    unsigned third = xq_third[place][line_occ(line)];
    struct line_look look = {false, 0, 0, 0};
    unsigned rooks = line_rooks(line, side ^ 1), own = line_own(line, side);
    unsigned cannons = line_cannons(line, side ^ 1), occ = line_occ(line);
    unsigned below = (1u << place) - 1;
    if (!(((reach.rook | reach.cannon) & rooks) |
          ((reach.rook | reach.cannon | third) & cannons)))
        return look; /* the usual case */
    for (int up = 0; up < 2; up++) {
        unsigned ray = up ? ~below & ~(1u << place) : below;
        unsigned a = reach.rook & occ & ray, b = reach.cannon & occ & ray;
        unsigned c = third & ray;
        /* Squares before a piece on the ray, as the king sees it. */
        unsigned before_a = up ? ray & (a - 1) : ray & ~(a | (a - 1));
        unsigned before_b = up ? ray & (b - 1) : ray & ~(b | (b - 1));
        if (a & rooks) {
            look.check = true;
            look.resolve |= before_a | a;
        }
        if (b & cannons) {
            look.check = true;
            look.resolve |= before_b | b;
            look.leave |= a & own;
        }
        if (b & rooks)
            look.leave |= a & own;
        if (c & cannons)
            look.leave |= (a | b) & own;
        if (a & cannons)
            look.land |= before_a;
    }
    return look;
}

void xq_look_out(const xq_pos *p, xq_sq king, struct xq_lookout *out)
{
    unsigned side = p->side, f = xq_file_of[king], r = xq_rank_of[king];
    struct line_look a = look_along(p->line[r], f, side);
    struct line_look b = look_along(p->line[10 + f], r, side);
    xq_set none = {{0, 0}};
    out->check = a.check || b.check;
    out->leave = out->land = out->resolve = none;
    if (a.leave | a.land | a.resolve) {
        out->leave = on_rank(a.leave, r);
        out->land = on_rank(a.land, r);
        out->resolve = on_rank(a.resolve, r);
    }
    if (b.leave | b.land | b.resolve) {
        out->leave = set_or(out->leave, on_file(b.leave, f));
        out->land = set_or(out->land, on_file(b.land, f));
        out->resolve = set_or(out->resolve, on_file(b.resolve, f));
    }

    unsigned horse = xq_piece_of((xq_side)(side ^ 1), XQ_HORSE);
    for (unsigned i = p->first[horse]; i < p->first[horse + 1]; i++) {
        xq_sq h = p->sq[i], leg = xq_horse_leg[king][h];
        if (leg == XQ_NOSQ)
            continue;
        if (p->at[leg] == XQ_EMPTY) {
            out->check = true;
            set_add(&out->resolve, leg);
            set_add(&out->resolve, h);
        } else if (xq_piece_side(p->at[leg]) == side) {
            set_add(&out->leave, leg);
        }
    }

    if (pawn_attacks(p, king, side, XQ_NOSQ)) {
        out->check = true;
        out->resolve.half[side] |= xq_pawn_from[king];
    }
    out->quiet = !out->check && !set_any(out->leave) && !set_any(out->land);
}

/* ---- legal targets ---- */

/* Of `targets`, those the king's safety allows.  A king is not among the
 * targets: the caller has taken it out. */
static xq_set safe_targets(const xq_pos *p, const struct xq_lookout *look,
                           xq_sq king, xq_sq from, xq_set targets)
{
    bool leaves = set_has(look->leave, from);
    if (from != king) {
        if (look->check && !leaves)
            targets = set_and(targets, look->resolve);
        else if (!look->check && !leaves)
            return set_minus(targets, look->land);
    }
    xq_set rest = targets, safe = {{0, 0}};
    while (set_any(rest)) {
        xq_sq to = set_pop(&rest);
        if (from == king ? !king_hit_at(p, king, to)
                         : !king_hit_after(p, king, from, to))
            set_add(&safe, to);
    }
    return safe;
}

/* The pieces of the side to move, one after the other; false at the end. */
static bool next_piece(const xq_pos *p, unsigned *slot, xq_sq *s)
{
    unsigned end = p->first[8 * p->side + 8];
    while (*slot < end)
        if ((*s = p->sq[(*slot)++]) != XQ_NOSQ)
            return true;
    return false;
}

static void emit(xq_movelist *list, xq_sq from, xq_set targets)
{
    xq_move *m = list->m + list->n;
    for (unsigned half = 0; half < 2; half++)
        for (uint64_t t = targets.half[half]; t; t &= t - 1)
            *m++ = xq_move_make(
                from, (xq_sq)((unsigned)__builtin_ctzll(t) + 45 * half));
    list->n = (unsigned)(m - list->m);
}

void xq_gen_pseudo(const xq_pos *p, xq_movelist *list)
{
    unsigned slot = p->first[8 * p->side];
    xq_sq s;
    list->n = 0;
    while (next_piece(p, &slot, &s))
        emit(list, s, xq_targets(p, s));
}

/* Everything but the enemy's king. */
static xq_set but_king(const xq_pos *p)
{
    xq_set set = {{~UINT64_C(0), ~UINT64_C(0)}};
    xq_sq s = xq_pos_king(p, (xq_side)(p->side ^ 1));
    set.half[half_of(s)] ^= bit_of(s);
    return set;
}

void xq_gen_legal(const xq_pos *p, xq_movelist *list)
{
    xq_sq king = xq_pos_king(p, (xq_side)p->side), s;
    struct xq_lookout look;
    xq_look_out(p, king, &look);
    xq_set allowed = but_king(p);
    unsigned slot = p->first[8 * p->side];
    list->n = 0;
    while (next_piece(p, &slot, &s))
        emit(list, s,
             safe_targets(p, &look, king, s,
                          set_and(xq_targets(p, s), allowed)));
}

bool xq_has_legal_move(const xq_pos *p)
{
    xq_sq king = xq_pos_king(p, (xq_side)p->side), s;
    struct xq_lookout look;
    xq_look_out(p, king, &look);
    xq_set allowed = but_king(p);
    unsigned slot = p->first[8 * p->side];
    while (next_piece(p, &slot, &s))
        if (set_any(safe_targets(p, &look, king, s,
                                 set_and(xq_targets(p, s), allowed))))
            return true;
    return false;
}
