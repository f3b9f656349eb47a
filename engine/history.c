/* history.c - what the search learned about moves: how often they were the
 * answer, here, with this capture, after that move. */
#include "engine/search_parts.h"

#include <string.h>

void xq_history_clear(struct history *h) { memset(h, 0, sizeof *h); }

/* Towards the bonus, the less the nearer the number is to its bound. */
static void nudge(int16_t *n, int bonus)
{
    int size = bonus < 0 ? -bonus : bonus;
    *n = (int16_t)(*n + bonus - *n * size / XQ_HISTORY_MAX);
}

int xq_history_quiet(const struct history *h, const struct frame *f,
                     const xq_pos *p, xq_move m)
{
    xq_sq from = xq_move_from(m), to = xq_move_to(m);
    unsigned what = where_of(p->at[from] & 7, to);
    return h->quiet[p->side][from][to] + h->after[0][f[-1].where][what] +
           h->after[1][f[-2].where][what];
}

static void nudge_quiet(struct history *h, const struct frame *f,
                        const xq_pos *p, xq_move m, int bonus)
{
    xq_sq from = xq_move_from(m), to = xq_move_to(m);
    unsigned what = where_of(p->at[from] & 7, to);
    nudge(&h->quiet[p->side][from][to], bonus);
    nudge(&h->after[0][f[-1].where][what], bonus);
    nudge(&h->after[1][f[-2].where][what], bonus);
}

static void nudge_capture(struct history *h, const xq_pos *p, xq_move m,
                          int bonus)
{
    xq_sq from = xq_move_from(m), to = xq_move_to(m);
    nudge(&h->capture[p->at[from]][to][p->at[to] & 7], bonus);
}

void xq_history_reward(struct worker *w, struct frame *f, int depth,
                       xq_move best, const xq_move *quiets, unsigned nquiets,
                       const xq_move *captures, unsigned ncaptures)
{
    struct history *h = w->history;
    const xq_pos *p = &w->pos;
    int bonus = depth > 12 ? 1700 : 12 * depth * depth + 100 * depth - 60;
    if (bonus > 1700)
        bonus = 1700;
    if (p->at[xq_move_to(best)] == XQ_EMPTY) {
        if (f->killer[0] != best) {
            f->killer[1] = f->killer[0];
            f->killer[0] = best;
        }
        h->counter[f[-1].where] = best;
        nudge_quiet(h, f, p, best, bonus);
        for (unsigned i = 0; i < nquiets; i++)
            if (quiets[i] != best)
                nudge_quiet(h, f, p, quiets[i], -bonus);
    } else {
        nudge_capture(h, p, best, bonus);
    }
    for (unsigned i = 0; i < ncaptures; i++)
        if (captures[i] != best)
            nudge_capture(h, p, captures[i], -bonus);
}
