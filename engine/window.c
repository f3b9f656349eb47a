/* window.c - a window ply by ply (window.h). */
#include "engine/window.h"

void xq_window_open(struct xq_window *w, const xq_pos *first,
                    const xq_move *moves, uint32_t n)
{
    w->moves = moves;
    w->n = n;
    w->i = UINT32_MAX; /* xq_window_next makes it 0 */
    w->b1 = w->b2 = *first;
    xq_pos_make(&w->b2, moves[0], NULL);
}

bool xq_window_next(struct xq_window *w)
{
    if (++w->i == w->n)
        return false;
    w->b0 = w->b1;
    w->b1 = w->b2;
    xq_pos_make(&w->b2, w->moves[(w->i + 1) % w->n], NULL);
    w->move = w->moves[w->i];
    w->mover = (xq_side)w->b0.side;
    w->check = xq_in_check(&w->b1, (xq_side)(w->mover ^ 1));
    w->answers_check = xq_in_check(&w->b0, w->mover);
    return true;
}
