/* limits.h - the natural move limit (L-01, L-02) and bare positions (G-11).
 * Not public. */
#ifndef XQ_LIMITS_H
#define XQ_LIMITS_H

#include "engine/referee.h"

/* Plies since the last capture, ply by ply. */
struct xq_count {
    uint32_t counted;   /* plies that count (L-01) */
    uint32_t checks[2]; /* checks by each side, counted or not */
    bool reply_is_free; /* the next ply answers a check beyond the limit */
};

/* After a ply of `mover` without a capture.  Behind a capture all is 0; a game
 * begins with the count of its start's FEN (L-05). */
void xq_count_ply(struct xq_count *c, const xq_profile *pr, xq_side mover,
                  bool check);

/* Can no piece of either side cross the river? */
bool xq_is_bare(const xq_pos *p);

#endif
