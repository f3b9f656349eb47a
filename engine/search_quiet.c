/* search_quiet.c - the leaves: captures, checks and answers to checks until
 * the position is quiet enough for the static evaluation. */
#include "engine/search_parts.h"

/* Worth of what is taken and of some play after it (futility). */
enum { MARGIN = 180 };

int xq_search_quiet(struct worker *w, struct frame *f, int alpha, int beta,
                    int depth)
{
    const bool pv = beta - alpha > 1;
    const unsigned ply = (unsigned)(f - w->root);
    const int old_alpha = alpha;
    if (!enter_node(w, f, ply, pv))
        return 0;
    /* Deeper down, captures cannot repeat a position and checks are few. */
    int ruled;
    if (ply <= 2 && xq_path_ruled(w, f, true, &ruled))
        return ruled;
    if (path_at_limit(w))
        return draw_score(w);
    if (ply >= XQ_MAX_PLY)
        return f->check ? 0 : xq_eval_by(&w->pos, &f->st, &w->shapes);

    /* Evaluated before the hash table is asked, which knows the value already
     * for one position in a few: its answer is on its way meanwhile. */
    const int worth = f->check ? 0 : xq_eval_by(&w->pos, &f->st, &w->shapes);
    const xq_key key = w->pos.key;
    struct xq_tt_hit hit = {.move = XQ_NOMOVE, .eval = XQ_TT_NO_EVAL};
    const bool found = xq_tt_probe(&w->s->tt, key, ply, &hit);
    if (found && !pv && hit.bound &&
        (hit.score >= beta ? hit.bound & XQ_TT_LOWER : hit.bound & XQ_TT_UPPER))
        return hit.score;

    int best = -XQ_MATE_IN(ply), floor = -XQ_INFINITE;
    f->eval = XQ_TT_NO_EVAL;
    if (!f->check) {
        f->eval = (int16_t)worth;
        best = f->eval;
        if (found && hit.bound &&
            (hit.score > best ? hit.bound & XQ_TT_LOWER
                              : hit.bound & XQ_TT_UPPER))
            best = hit.score;
        if (best >= beta) {
            if (!found) {
                hit = (struct xq_tt_hit){.score = (int16_t)best,
                                         .eval = f->eval,
                                         .depth = -1,
                                         .bound = XQ_TT_LOWER};
                xq_tt_store(&w->s->tt, key, ply, &hit);
            }
            return best;
        }
        if (best > alpha)
            alpha = best;
        floor = f->eval + MARGIN;
    }

    struct picker k;
    if (f->check)
        xq_pick_all(&k, w, f, hit.move);
    else
        xq_pick_captures(&k, w, f,
                         w->pos.at[xq_move_to(hit.move)] ? hit.move : XQ_NOMOVE,
                         0, depth == 0);
    xq_move best_move = XQ_NOMOVE, m;
    unsigned tried = 0;
    while ((m = xq_pick_next(&k, false)) != XQ_NOMOVE) {
        const unsigned taken = w->pos.at[xq_move_to(m)] & 7u;
        const bool check = gives_check(&w->pos, m);
        tried++;
        if (!f->check && !check && taken && alpha > -XQ_EVAL_MAX) {
            int hope = floor + xq_see_value[taken];
            if (hope <= alpha) {
                if (hope > best)
                    best = hope;
                continue;
            }
        }
        /* One answer to a check that does not lose is enough to see. */
        if (f->check && best > -XQ_EVAL_MAX && !taken && tried > 3)
            continue;
        path_make(w, f, m, check);
        const int score = -xq_search_quiet(w, f + 1, -beta, -alpha, depth - 1);
        path_unmake(w, f);
        if (w->stopped)
            break;
        if (score > best) {
            best = score;
            if (score > alpha) {
                best_move = m;
                if (pv) {
                    f->pv[0] = m;
                    for (unsigned i = 0; i < f[1].npv; i++)
                        f->pv[i + 1] = f[1].pv[i];
                    f->npv = (uint16_t)(f[1].npv + 1);
                }
                if (score >= beta)
                    break;
                alpha = score;
            }
        }
    }
    pick_end(&k);
    if (w->stopped)
        return 0;
    hit = (struct xq_tt_hit){
        .move = best_move,
        .score = (int16_t)best,
        .eval = f->eval,
        .depth = depth == 0 ? 0 : -1,
        .bound = best >= beta             ? XQ_TT_LOWER
                 : best > old_alpha && pv ? XQ_TT_EXACT
                                          : XQ_TT_UPPER,
        .pv = found && hit.pv,
    };
    xq_tt_store(&w->s->tt, key, ply, &hit);
    return best;
}
