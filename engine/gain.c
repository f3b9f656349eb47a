/* gain.c - a capture, and the exchange that follows on its square. */
#include "engine/gain.h"

#include "engine/threat.h"

/* ---- material (C-31) ---- */

/* Guards low, with pawns low and high; guards high, likewise. */
static const struct xq_worth WORTHS[4] = {
    {{XQ_GUARD_LOW, XQ_GUARD_LOW}, {XQ_PAWN_LOW, XQ_PAWN_LOW}},
    {{XQ_GUARD_LOW, XQ_GUARD_LOW}, {XQ_PAWN_HIGH, XQ_PAWN_HIGH}},
    {{XQ_GUARD_HIGH, XQ_GUARD_HIGH}, {XQ_PAWN_LOW, XQ_PAWN_LOW}},
    {{XQ_GUARD_HIGH, XQ_GUARD_HIGH}, {XQ_PAWN_HIGH, XQ_PAWN_HIGH}},
};

bool xq_is_material(const xq_pos *p, xq_sq v)
{
    return xq_worth_of(&WORTHS[0], p->at[v], v) > 0;
}

/* Is a v worth more than an a, protected or not (C-32)?  A pawn never is, and
 * never has to do with it: it floats. */
static bool worth_more(xq_kind v, xq_kind a)
{
    bool minor_v = v == XQ_HORSE || v == XQ_CANNON;
    bool minor_a = a == XQ_HORSE || a == XQ_CANNON;
    bool guard_a = a == XQ_ADVISOR || a == XQ_ELEPHANT;
    return (v == XQ_ROOK && (minor_a || guard_a)) || (minor_v && guard_a);
}

/* ---- the exchange on one square ---- */

struct exchange {
    xq_pos *p;
    xq_sq s;
    const struct xq_worth *w;
    unsigned patient; /* the side whose king and pawns stay out; 2: none */
    unsigned *budget;
};

static int exchange(const struct exchange *x)
{
    xq_pos *p = x->p;
    unsigned end = p->first[8 * p->side + 8];
    int best = 0, prize = xq_worth_of(x->w, p->at[x->s], x->s);
    for (unsigned i = p->first[8 * p->side]; i < end && *x->budget; i++) {
        xq_sq from = p->sq[i];
        struct board_undo u;
        if (from == XQ_NOSQ || !reaches(p, from, x->s) ||
            (p->side == x->patient && !xq_may_threaten(p, from)) ||
            !xq_move_is_legal(p, xq_move_make(from, x->s)))
            continue;
        --*x->budget;
        board_make(p, xq_move_make(from, x->s), &u);
        int value = prize - exchange(x);
        board_unmake(p, &u);
        if (value > best)
            best = value;
    }
    return best;
}

int xq_exchange(xq_pos *p, xq_sq s, const struct xq_worth *w, unsigned *budget)
{
    struct exchange x = {p, s, w, 2, budget};
    return exchange(&x);
}

enum answer { NO, YES, OPEN };

/* `taken` has just been taken on s, and its owner is to move: is the taker
 * ahead when all is done?  One pawn for pieces and pieces for one pawn are
 * never a gain (C-31): it must be one with pawns low and high. */
static enum answer ends_ahead(xq_pos *p, xq_sq s, xq_piece taken,
                              unsigned patient)
{
    bool gain[2];
    for (unsigned guard = 0; guard < 2; guard++) {
        gain[guard] = true;
        for (unsigned pawn = 0; pawn < 2 && gain[guard]; pawn++) {
            unsigned budget = XQ_EXCHANGE_BUDGET;
            struct exchange x = {p, s, &WORTHS[2 * guard + pawn], patient,
                                 &budget};
            gain[guard] = xq_worth_of(x.w, taken, s) > exchange(&x);
            if (!budget)
                return OPEN;
        }
    }
    return gain[0] != gain[1] ? OPEN : gain[0] ? YES : NO;
}

/* The same, when it is asked for a protected piece.  Where the taker's own
 * king or pawns have to help, C-16 and C-17 do not say whose chase it is. */
static enum xq_way way_by_exchange(xq_pos *p, xq_sq s, xq_piece taken)
{
    unsigned taker = p->side ^ 1u;
    if (ends_ahead(p, s, taken, 2) == NO)
        return XQ_WAY_NONE;
    return ends_ahead(p, s, taken, taker) == YES ? XQ_WAY_JOINT : XQ_WAY_OPEN;
}

/* ---- one capture ---- */

static bool can_retake(const xq_pos *p, xq_sq s)
{
    unsigned end = p->first[8 * p->side + 8];
    for (unsigned i = p->first[8 * p->side]; i < end; i++)
        if (p->sq[i] != XQ_NOSQ && reaches(p, p->sq[i], s) &&
            xq_move_is_legal(p, xq_move_make(p->sq[i], s)))
            return true;
    return false;
}

bool xq_is_exchange_offer(xq_pos *p, xq_sq a, xq_sq v)
{
    if (xq_piece_kind(p->at[a]) != xq_piece_kind(p->at[v]))
        return false;
    p->side ^= 1;
    bool mutual = xq_move_is_legal(p, xq_move_make(v, a));
    p->side ^= 1;
    return mutual;
}

/* What is left aside. */
enum { CHECK = 1, OFFER = 2 };

static enum xq_way way_of(xq_pos *p, xq_sq a, xq_sq v, unsigned aside)
{
    xq_piece taker = p->at[a], taken = p->at[v];
    xq_kind prize = xq_piece_kind(taken);
    struct board_undo u;
    if (!reaches(p, a, v) ||
        !(aside & CHECK || xq_move_is_legal(p, xq_move_make(a, v))))
        return XQ_WAY_NONE;
    bool offer = !(aside & OFFER) && xq_is_exchange_offer(p, a, v);
    enum xq_way way = XQ_WAY_NONE;
    board_make(p, xq_move_make(a, v), &u);
    if (!offer && !can_retake(p, v))
        way = XQ_WAY_DIRECT;
    else if (worth_more(prize, xq_piece_kind(taker)))
        way = prize == XQ_ROOK ? XQ_WAY_DIRECT : XQ_WAY_WORTH;
    else if (!offer)
        way = way_by_exchange(p, v, taken);
    /* C-34; it is not asked of a side that would be in check all the time. */
    if (way != XQ_WAY_NONE && !(aside & CHECK) && xq_mates_at_once(p))
        way = XQ_WAY_NONE;
    board_unmake(p, &u);
    return way;
}

static enum xq_way way_to(xq_pos *p, xq_sq v, unsigned aside)
{
    unsigned end = p->first[8 * p->side + 8];
    enum xq_way best = XQ_WAY_NONE;
    for (unsigned i = p->first[8 * p->side]; i < end; i++) {
        xq_sq a = p->sq[i];
        if (a == XQ_NOSQ || !xq_may_threaten(p, a))
            continue;
        enum xq_way way = way_of(p, a, v, aside);
        if (way > best)
            best = way;
    }
    return best;
}

enum xq_way xq_way_of(xq_pos *p, xq_sq a, xq_sq v)
{
    return way_of(p, a, v, 0);
}

enum xq_way xq_way_to(xq_pos *p, xq_sq v) { return way_to(p, v, 0); }

enum xq_way xq_way_aside_check(xq_pos *p, xq_sq v)
{
    return way_to(p, v, CHECK);
}

enum xq_way xq_way_aside_offer(xq_pos *p, xq_sq a, xq_sq v)
{
    return way_of(p, a, v, OFFER);
}
