/* tactic.h - what the Chinese rules call a chase, but do not lay down so that
 * two arbiters must agree (C-41): wins by a series of checks, and by an
 * exchange that goes on elsewhere.  Not public.
 *
 * It answers "perhaps": whoever gives a verdict must give the same one with
 * and without such a chase. */
#ifndef XQ_TACTIC_H
#define XQ_TACTIC_H

#include "engine/relation.h"

/* The board before a move and after it, the mover to move on both; the move
 * neither checks nor chases (gain.h).  Might it still be a chase, as it newly
 * wins some of the `prey` by checks, within `depth` own moves with the capture,
 * or by an exchange?  The prey are pieces on b1 that are worth something and
 * that no capture wins.  Keys are not looked at; the boards come back as they
 * were. */
bool xq_may_chase(xq_pos *b0, xq_pos *b1, xq_slots prey, unsigned depth);

/* Where the answer is yes: one piece that may be chased, rather one that could
 * not be won before at all, and the move that would begin to win it.  Where
 * the win needs several pieces, it is the one taken first, if the first move
 * takes any.  False: the search was cut short. */
struct xq_plan {
    xq_sq victim; /* XQ_NOSQ: none */
    xq_move move;
};
bool xq_chase_plan(xq_pos *b0, xq_pos *b1, xq_slots prey, unsigned depth,
                   struct xq_plan *out);

#endif
