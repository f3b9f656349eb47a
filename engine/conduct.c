/* conduct.c - the verdict of the Chinese national rules: C-20 to C-25. */
#include "engine/conduct.h"

xq_nature xq_nature_as(unsigned as)
{
    return as & XQ_AS_IDLE     ? XQ_IDLE
           : as & XQ_AS_CHECK  ? XQ_CHECK
           : as & XQ_AS_THREAT ? XQ_MATE_THREAT
                               : XQ_CHASE;
}

/* ---- a side ---- */

/* What plies leave behind, taken together.  C-20 to C-25 ask for no more. */
enum {
    HAS_QUIET = 1, /* a ply that gives no check */
    HAS_IDLE = 2,
    HAS_JOINT = 4,
    HAS_WORTH = 8,
    HAS_FIRM = 16, /* a check or mate threat */
    MARKS = 32,
};

static unsigned mark_of(unsigned as)
{
    switch (as) {
    case XQ_AS_CHECK:
        return HAS_FIRM;
    case XQ_AS_THREAT:
        return HAS_FIRM | HAS_QUIET;
    case XQ_AS_DIRECT:
        return HAS_QUIET;
    case XQ_AS_WORTH:
        return HAS_WORTH | HAS_QUIET;
    case XQ_AS_JOINT:
        return HAS_JOINT | HAS_QUIET;
    default:
        return HAS_IDLE | HAS_QUIET;
    }
}

/* Bit m of `possible` says that the plies so far may have left the marks m. */
void xq_doings_add(struct xq_doings *d, unsigned as)
{
    const unsigned lowest = as & (0u - as); /* idle if it may be idle */
    uint32_t next = 0;
    for (unsigned one = XQ_AS_IDLE; one <= XQ_AS_CHECK; one <<= 1)
        for (unsigned m = 0; as & one && m < MARKS; m++)
            if (d->possible >> m & 1)
                next |= UINT32_C(1) << (m | mark_of(one));
    d->possible = next;
    d->shown |= mark_of(lowest);
    d->idle |= as == XQ_AS_IDLE;
    d->conduct.plies[xq_nature_as(as)]++;
    d->conduct.level = d->shown & HAS_IDLE ? 0 : d->shown & HAS_QUIET ? 1 : 2;
}

/* ---- the verdict ---- */

static struct xq_decision is(xq_outcome outcome, const char *article)
{
    return (struct xq_decision){outcome, article, 1u << outcome};
}

static struct xq_decision loses(xq_side side, const char *article)
{
    return is(side == XQ_RED ? XQ_RED_LOSES : XQ_BLACK_LOSES, article);
}

/* From the marks of both sides. */
static struct xq_decision decide(unsigned red, unsigned black)
{
    const bool red_checks = !(red & HAS_QUIET);
    const bool black_checks = !(black & HAS_QUIET);
    if (red_checks && black_checks)
        return is(XQ_DRAW, "C-21");
    if (red_checks || black_checks)
        return loses(red_checks ? XQ_RED : XQ_BLACK, "C-20");
    const bool red_idle = red & HAS_IDLE, black_idle = black & HAS_IDLE;
    if (red_idle && black_idle)
        return is(XQ_DRAW, "C-24");
    if (red_idle || black_idle)
        return loses(red_idle ? XQ_BLACK : XQ_RED, "C-22");
    if ((red & HAS_JOINT) == (black & HAS_JOINT))
        return is(XQ_DRAW, "C-23");
    /* One side has a joint chase: the other must change if all its moves are
     * direct chases.  When they are not, the text is silent. */
    const xq_side other = red & HAS_JOINT ? XQ_BLACK : XQ_RED;
    struct xq_decision d = loses(other, "C-25");
    if ((other == XQ_RED ? red : black) & (HAS_FIRM | HAS_WORTH)) {
        d.outcome = XQ_NO_VERDICT;
        d.outcomes |= 1u << XQ_DRAW; /* C-23 */
    }
    return d;
}

struct xq_decision xq_decide(const struct xq_doings side[2])
{
    const struct xq_doings *red = &side[XQ_RED], *black = &side[XQ_BLACK];
    struct xq_decision out = decide(red->shown, black->shown);
    const xq_outcome shown = out.outcome;
    for (unsigned r = 0; r < MARKS; r++)
        for (unsigned b = 0; red->possible >> r & 1 && b < MARKS; b++) {
            if (!(black->possible >> b & 1))
                continue;
            const struct xq_decision other = decide(r, b);
            out.outcomes |= other.outcomes;
            if (other.outcome != shown) {
                out.outcome = XQ_NO_VERDICT;
                out.article = "C-41";
            }
        }
    if (out.outcome != XQ_NO_VERDICT)
        out.outcomes = 0;
    return out;
}
