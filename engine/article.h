/* article.h - which article decides a window by the Asian rules.  Not
 * public. */
#ifndef XQ_ARTICLE_H
#define XQ_ARTICLE_H

#include "engine/chase.h"

/* The article, as specific as the window allows; static.  Where it is a
 * condition that an otherwise perpetual chase lacks: the condition, who would
 * chase, and what (for the explanation of the plies). */
struct xq_why {
    const char *article;
    unsigned lift; /* LIFT_ bits; 0: no such condition */
    xq_side side;
    xq_slots victims;
};

/* side: what xq_pursuits gives for the window with nothing lifted. */
struct xq_why xq_asian_why(const xq_profile *pr, const xq_pos *first,
                           const xq_move *moves, uint32_t n,
                           const struct xq_pursuit side[2]);

#endif
