/* chase.h - chases by the Asian rules: one ply, and a window.
 * Not public. */
#ifndef XQ_CHASE_H
#define XQ_CHASE_H

#include "engine/referee.h"
#include "engine/relation.h"
#include "engine/window.h"

/* A condition of a chase that is not asked for: by lifting one at a time,
 * article.c finds the one for which a window is no perpetual chase.  0 is the
 * rule itself. */
enum {
    LIFT_ATTACKER = 1, /* king and pawns attack too */
    LIFT_VICTIM = 2,   /* pawns before the river are victims too */
    LIFT_ROOT = 4,     /* roots do not matter */
    LIFT_EXCHANGE = 8, /* nor that the victim could take back */
    LIFT_ANSWER = 16,  /* it may be left standing, and so be found there
                          by the next ply if that moves the attacker */
    LIFT_EXCUSE = 32,  /* side effects of an answer count */
};

/* may the kind take the other even if it is taken back? */
bool xq_is_worth_more(xq_kind a, xq_kind v);

/* would a win something by taking v, which it can? */
bool xq_is_profitable(const xq_pos *p, uint8_t a, uint8_t v);

/* A new attack of a ply. */
struct xq_chase {
    uint8_t a, v; /* slots */
    uint16_t how; /* XQ_HOW_ bits (referee.h); LASTING is the window's matter */
};

/* The new profitable attacks of the ply at hand, answered or not,
 * in the order of (a, v).  Returns how many. */
unsigned xq_ply_chases(const struct xq_window *w, unsigned lift,
                       struct xq_chase out[XQ_MAX_RELATIONS]);

/* What the plies of a side did in a window. */
struct xq_pursuit {
    uint32_t plies, checks;
    uint32_t chasing; /* plies that chase anything; checks are not among them */
    xq_slots common;  /* the victims that all its plies chase */
};

/* Both sides at once. */
void xq_pursuits(const xq_pos *first, const xq_move *moves, uint32_t n,
                 unsigned lift, struct xq_pursuit out[2]);

/* Does ply i answer a check or a chase, so that roots which the other side
 * loses by it do not count? */
bool xq_answers_attack(const xq_pos *first, const xq_move *moves, uint32_t n,
                       uint32_t i);

/* Perpetual chase; perpetual check. */
XQ_INLINE bool xq_chases_forever(const struct xq_pursuit *side)
{
    return !side->checks && xq_slots_any(side->common);
}
XQ_INLINE bool xq_checks_forever(const struct xq_pursuit *side)
{
    return side->checks == side->plies;
}

#endif
