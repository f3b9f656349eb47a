/* gain.h - what the side to move wins by taking, under the Chinese national
 * rules (C-30..C-35).  Not public.
 *
 * The side to move is asked, also where it is not its turn: the caller turns
 * p->side.  Neither keys nor counters are read or kept, and every *p comes
 * back as it was.
 *
 * Captures are legal in full, so that a taker that is pinned takes nothing,
 * and a protector that is pinned, blocked or has a check to answer protects
 * nothing (C-33, A-31, A-32). */
#ifndef XQ_GAIN_H
#define XQ_GAIN_H

#include "engine/internal.h"

/* ---- material (C-31) ---- */

/* What pieces are worth.  A rook is two horses or cannons, a horse a cannon,
 * an advisor an elephant and less than a horse.  How much less, and what a
 * crossed pawn is worth, the text leaves open ("floats"): a caller takes them
 * low and high.  Kings and uncrossed pawns are worth nothing. */
struct xq_worth {
    int guard[2], pawn[2]; /* advisor or elephant, crossed pawn, by owner */
};
enum { XQ_WORTH_MINOR = 100, XQ_WORTH_ROOK = 200 };
/* Nine tenths: one guard is less than a horse, two may be more or less. */
enum { XQ_GUARD_LOW = 10, XQ_GUARD_HIGH = 90 };
enum { XQ_PAWN_LOW = 1, XQ_PAWN_HIGH = 1000 };

XQ_INLINE int xq_worth_of(const struct xq_worth *w, xq_piece piece, xq_sq s)
{
    xq_side owner = xq_piece_side(piece);
    switch (xq_piece_kind(piece)) {
    case XQ_ROOK:
        return XQ_WORTH_ROOK;
    case XQ_HORSE:
    case XQ_CANNON:
        return XQ_WORTH_MINOR;
    case XQ_ADVISOR:
    case XQ_ELEPHANT:
        return w->guard[owner];
    case XQ_PAWN:
        return half_of(s) != (unsigned)owner ? w->pawn[owner] : 0;
    case XQ_KING:
        break;
    }
    return 0;
}

/* Can the piece on v be won at all: is it worth something? */
bool xq_is_material(const xq_pos *p, xq_sq v);

/* ---- the full exchange on one square (C-32) ---- */

/* What the side to move wins at best by taking on s again and again, both
 * sides stopping at will.  *budget, captures that may be tried, is counted
 * down; at 0 the value means nothing (only boards no game knows get there). */
int xq_exchange(xq_pos *p, xq_sq s, const struct xq_worth *w, unsigned *budget);
#define XQ_EXCHANGE_BUDGET 200

/* ---- one capture ---- */

/* How good a capture is, the better the higher. */
enum xq_way {
    XQ_WAY_NONE = 0, /* nothing is won */
    XQ_WAY_OPEN,     /* the text does not say (C-41) */
    XQ_WAY_JOINT,    /* won by the full exchange: two attackers are needed, or
                        the victim is under-protected (C-32, C-33) */
    XQ_WAY_WORTH,    /* worth more than its attacker, but no rook (C-32) */
    XQ_WAY_DIRECT,   /* unprotected, or a rook taken by something less: the
                        direct chases of C-25 */
};

/* The piece on a, of the side to move, takes the one on v: what comes of it?
 * What it leaves behind elsewhere does not matter: a protector is judged like
 * any attacker (C-35; rows cg-044 and cx-109 of tests/data/repetition.tsv), and
 * the full exchange is the one on the square. NONE when it may not take it.
 * Kings and pawns are asked like others. */
enum xq_way xq_way_of(xq_pos *p, xq_sq a, xq_sq v);

/* The best way to win the piece on v.  The own threats of king and pawns are
 * none (C-16). */
enum xq_way xq_way_to(xq_pos *p, xq_sq v);

/* The same for a side in check, were it not: the capture need not answer it.
 * A piece that a full exchange would win may be missed (NONE). */
enum xq_way xq_way_aside_check(xq_pos *p, xq_sq v);

/* xq_way_of, were an exchange offer no matter. */
enum xq_way xq_way_aside_offer(xq_pos *p, xq_sq a, xq_sq v);

/* The piece on a, of the side to move, can take the one on v: are they alike,
 * and could that one take as well?  Then an exchange is offered, which is idle
 * (C-13), protected or not (as A-17 has it) and whoever stands behind (the
 * Chinese rule book's example 30: rows co-30a, co-30b of
 * tests/data/repetition.tsv). */
bool xq_is_exchange_offer(xq_pos *p, xq_sq a, xq_sq v);

/* May the piece on s threaten (C-16)? */
XQ_INLINE bool xq_may_threaten(const xq_pos *p, xq_sq s)
{
    xq_kind kind = xq_piece_kind(p->at[s]);
    return kind != XQ_KING && kind != XQ_PAWN;
}

#endif
