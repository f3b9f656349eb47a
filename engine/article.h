/* article.h - which article decides a window by the Asian rules.  Not
 * public. */
#ifndef XQ_ARTICLE_H
#define XQ_ARTICLE_H

#include "engine/chase.h"

/* The article, as specific as the window allows; static.  side: what
 * xq_pursuits gives for the window with nothing lifted. */
const char *xq_asian_article(const xq_profile *pr, const xq_pos *first,
                             const xq_move *moves, uint32_t n,
                             const struct xq_pursuit side[2]);

#endif
