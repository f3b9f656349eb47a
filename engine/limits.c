/* limits.c - the natural move limit and bare positions (limits.h). */
#include "engine/limits.h"

void xq_count_ply(struct xq_count *c, const xq_profile *pr, xq_side mover,
                  bool check)
{
    c->checks[mover] += check;
    /* L-02: or a loser could check his way to the draw. */
    const bool beyond = check && c->checks[mover] > pr->limit_checks;
    c->counted += !beyond && !c->reply_is_free;
    c->reply_is_free = beyond;
}

bool xq_is_bare(const xq_pos *p)
{
    for (int side = 0; side < 2; side++) {
        const xq_piece from = xq_piece_of((xq_side)side, XQ_HORSE);
        const xq_piece to = xq_piece_of((xq_side)side, XQ_PAWN);
        for (unsigned i = p->first[from]; i < p->first[to + 1]; i++)
            if (p->sq[i] != XQ_NOSQ)
                return false;
    }
    return true;
}
