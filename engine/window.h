/* window.h - a window ply by ply: what both rule sets need to know of a ply.
 * Not public.
 *
 *   struct xq_window w;
 *   xq_window_open(&w, first, moves, n);
 *   while (xq_window_next(&w))
 *       ...w.b0 before the ply, w.b1 after it, w.b2 after the reply
 *
 * Pieces are followed by slot from the window's start (R-01, T-08): two rooks
 * that change places repeat the position, but stay two rooks, through the
 * reply to the last ply, which is the window's first move over again.
 * Nothing is stored but the three boards, so any length will do. */
#ifndef XQ_WINDOW_H
#define XQ_WINDOW_H

#include "engine/internal.h"

struct xq_window {
    const xq_move *moves;
    uint32_t n;
    uint32_t i; /* the ply, from 0 */
    xq_move move;
    xq_side mover;      /* M */
    xq_pos b0, b1, b2;  /* before, after, after the reply */
    bool check;         /* M gives check */
    bool answers_check; /* M was in check */
};

/* first and moves as for xq_judge_window; moves must outlive *w. */
void xq_window_open(struct xq_window *w, const xq_pos *first,
                    const xq_move *moves, uint32_t n);
/* Go to the next ply (at first to ply 0); false behind the last one. */
bool xq_window_next(struct xq_window *w);

#endif
