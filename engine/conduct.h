/* conduct.h - the verdict of the Chinese national rules (C-20 to C-25), once it
 * is known what each ply counts as.  Not public.
 *
 * Not every ply counts as one thing: where the text leaves it open (C-41), a
 * ply has several possible ones.  A verdict is given when it is the same
 * whichever way the open plies fall. */
#ifndef XQ_CONDUCT_H
#define XQ_CONDUCT_H

#include "engine/referee.h"

/* What a ply may count as, finer than its nature, since C-25 looks at how a
 * piece is chased; the most serious quality only (C-14).  An open ply has
 * several of these bits. */
enum {
    XQ_AS_IDLE = 1,
    XQ_AS_JOINT = 2,  /* chases jointly, or what is under-protected, only */
    XQ_AS_WORTH = 4,  /* chases something protected that is worth more than
                         the attacker, but no rook: C-25 does not say whether
                         that is direct */
    XQ_AS_DIRECT = 8, /* chases a rook, or something unprotected */
    XQ_AS_THREAT = 16,
    XQ_AS_CHECK = 32,
};

/* The nature shown: an open ply that may be idle is shown as idle. */
xq_nature xq_nature_as(unsigned as);

/* What the plies of a side make together. */
struct xq_doings {
    uint32_t possible;  /* private: a set of sets of marks */
    unsigned shown;     /* private: the marks when open plies are idle */
    bool idle;          /* private: one ply is idle beyond doubt */
    xq_conduct conduct; /* as shown */
};
#define XQ_NO_DOINGS                                                           \
    (struct xq_doings) { .possible = 1 }

/* Add a ply: one or more XQ_AS_ bits. */
void xq_doings_add(struct xq_doings *d, unsigned as);
/* Is a ply idle beyond doubt, so that the side is allowed what it does? */
static inline bool xq_doings_allowed(const struct xq_doings *d)
{
    return d->idle;
}

/* XQ_NO_VERDICT by C-41 when it hangs on open plies, by C-25 when that article
 * is silent. */
struct xq_decision {
    xq_outcome outcome;
    const char *article;
    unsigned outcomes; /* without a verdict: what it may be, bits 1 <<
                          xq_outcome; else 0 */
};
struct xq_decision xq_decide(const struct xq_doings side[2]);

#endif
