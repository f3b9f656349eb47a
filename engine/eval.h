/* eval.h - what a position is worth without looking ahead.
 *
 *   xq_eval_state st;
 *   xq_eval_init(&st, &pos);
 *   int cp = xq_eval(&pos, &st);           Red to move: good for Red is > 0
 *
 * A score is in hundredths of a pawn that has crossed the river, from the side
 * to move's point of view, always within +-XQ_EVAL_MAX.  Middle-game and
 * endgame values are blended by the pieces left ("tapered").
 *
 * Weights are numbers in weights.c, tuned on real games (tune/README.md); the
 * terms are named there and printed by xq_eval_trace. */
#ifndef XQ_EVAL_H
#define XQ_EVAL_H

#include "engine/pos.h"

#define XQ_EVAL_MAX 15000

/* The part that moves change by sums: kept along the search's path. */
typedef struct xq_eval_state {
    int32_t mg, eg; /* material and places, Red minus Black */
    int32_t phase;  /* attackers left; XQ_PHASE_MAX at the start */
} xq_eval_state;

void xq_eval_init(xq_eval_state *st, const xq_pos *p);
/* *st of the position before m becomes that after it.  Call before
 * xq_pos_make, with the position still unmoved. */
void xq_eval_move(xq_eval_state *st, const xq_pos *p, xq_move m);

/* *st must belong to *p.  Terms beyond st are computed here. */
int xq_eval(const xq_pos *p, const xq_eval_state *st);

/* Every term, for people and for the tuner: a term's share is
 * coefficient * weight, for Red and for Black. */
typedef struct xq_eval_term {
    const char *name;   /* "hollow cannon" */
    int red, black;     /* how often, or how much of it, each side has */
    int mg, eg;         /* worth of one, in hundredths of a pawn */
} xq_eval_term;
/* Terms with a count other than 0, in the order of weights.h; at most max.
 * Returns how many there are. */
unsigned xq_eval_trace(const xq_pos *p, xq_eval_term *out, unsigned max);

/* What a score means for people: chances of the side to move out of 1000,
 * fitted on games (tune/README.md); they sum to 1000. */
typedef struct xq_chances {
    unsigned win, draw, loss;
} xq_chances;
xq_chances xq_chances_of(int score, const xq_pos *p);

#endif
