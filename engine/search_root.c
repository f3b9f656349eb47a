/* search_root.c - root moves, iterative deepening, windows, reports. */
#include "engine/search_parts.h"

#include <string.h>

/* The move searched, its line and score. */
static void note(struct worker *w, struct root_move *r, const struct frame *f,
                 int score, int bound)
{
    r->score = score;
    r->bound = bound;
    r->depth = w->depth;
    r->seldepth = w->seldepth;
    r->pv[0] = r->move;
    for (unsigned i = 0; i < f[1].npv && i < XQ_MAX_PLY; i++)
        r->pv[i + 1] = f[1].pv[i];
    r->npv = 1u + (f[1].npv < XQ_MAX_PLY ? f[1].npv : XQ_MAX_PLY);
}

/* One window over the root moves from first_root on; the best score.  Moves
 * that are not better than alpha get -XQ_INFINITE, but for the first. */
static int search_window(struct worker *w, int alpha, int beta, int depth)
{
    struct frame *f = w->root;
    const int least = alpha;
    int best = -XQ_INFINITE;
    f->npv = 0;
    f[1].excluded = XQ_NOMOVE;
    f[2].killer[0] = f[2].killer[1] = XQ_NOMOVE;
    f[1].cutoffs = f[2].cutoffs = 0;
    f[1].doubles = 0;
    f->eval = f->check ? XQ_TT_NO_EVAL
                       : (int16_t)xq_eval_by(&w->pos, &f->st, &w->shapes);
    for (unsigned i = w->first_root; i < w->nroot; i++) {
        struct root_move *r = &w->root_moves[i];
        const unsigned moves = i - w->first_root + 1;
        const bool check = gives_check(&w->pos, r->move);
        const bool quiet = w->pos.at[xq_move_to(r->move)] == XQ_EMPTY;
        const uint64_t before = w->nodes;
        int score, new_depth = depth - 1 + (check && depth < 8);
        if (r->ruled != XQ_INFINITE) {
            score = r->ruled;
            f[1].npv = 0;
        } else {
            f->history =
                quiet ? xq_history_quiet(w->history, f, &w->pos, r->move) : 0;
            path_make(w, f, r->move, check);
            score = alpha + 1;
            if (moves > 1) {
                int d = new_depth;
                if (depth >= 3 && quiet && !check && moves > 3)
                    d -= w->s->lmr[depth < 63 ? depth : 63]
                                  [moves < 63 ? moves : 63] /
                         2;
                if (d < 1)
                    d = new_depth < 1 ? new_depth : 1;
                score = -xq_search_tree(w, f + 1, -alpha - 1, -alpha, d, true);
                if (score > alpha && d < new_depth && !w->stopped)
                    score = -xq_search_tree(w, f + 1, -alpha - 1, -alpha,
                                            new_depth, true);
            }
            if (!w->stopped && (moves == 1 || score > alpha))
                score =
                    -xq_search_tree(w, f + 1, -beta, -alpha, new_depth, false);
            path_unmake(w, f);
        }
        r->nodes += w->nodes - before;
        if (w->stopped)
            break;
        if (moves == 1 || score > alpha)
            note(w, r, f, score, score >= beta ? 1 : score <= least ? -1 : 0);
        else
            r->score = -XQ_INFINITE;
        if (score > best) {
            best = score;
            if (score >= beta)
                break;
            if (score > alpha)
                alpha = score;
        }
    }
    return best;
}

/* The best first; equals stay as they are. */
static void sort_moves(struct root_move *m, unsigned n)
{
    for (unsigned i = 1; i < n; i++) {
        unsigned to = i;
        while (to > 0 && (m[to - 1].score < m[i].score ||
                          (m[to - 1].score == m[i].score &&
                           m[to - 1].previous < m[i].previous)))
            to--;
        if (to == i)
            continue;
        struct root_move keep = m[i];
        memmove(m + to + 1, m + to, (i - to) * sizeof *m);
        m[to] = keep;
    }
}

int xq_shown_score(int score)
{
    return score > XQ_MATE    ? score - (XQ_OVER_IN(0) - XQ_RULE_IN(0))
           : score < -XQ_MATE ? score + (XQ_OVER_IN(0) - XQ_RULE_IN(0))
                              : score;
}

void xq_search_report(struct worker *w, unsigned line, int bound)
{
    struct xq_search *s = w->s;
    const struct root_move *r = &w->root_moves[line];
    if (!s->info)
        return;
    atomic_store_explicit(&w->shared_nodes, w->nodes, memory_order_relaxed);
    xq_info info = {
        .depth = r->depth,
        .seldepth = r->seldepth + 1,
        .multipv = line + 1,
        .score = xq_shown_score(r->score),
        .bound = bound,
        .nodes = xq_search_nodes(s),
        .ms = xq_timer_elapsed(&s->timer),
        .hashfull = xq_tt_full(&s->tt),
        .pv = r->pv,
        .npv = r->npv,
    };
    s->info(s->info_arg, &info);
}

static void report(struct worker *w, unsigned line, int bound)
{
    if (w->index == 0)
        xq_search_report(w, line, bound);
}

/* What an iteration came to that was cut short in line `reached` - 1: a better
 * move may have been found, and the nodes are those of the whole search.  Lines
 * that it did not reach are those of the last one, which may have changed
 * places; they come last, whatever they were worth to that one. */
static void report_cut(struct worker *w, unsigned reached, unsigned lines)
{
    for (unsigned line = 0; line < lines; line++) {
        struct root_move *r = &w->root_moves[line];
        if (r->score == -XQ_INFINITE) {
            r->score = r->previous;
            r->bound = 0;
        }
    }
    sort_moves(w->root_moves, reached);
    for (unsigned line = 0; line < lines; line++)
        if (w->root_moves[line].score != -XQ_INFINITE)
            report(w, line, w->root_moves[line].bound);
}

/* One line of an iteration: a narrow window around the score of the last one,
 * widened where it fails. */
static void search_line(struct worker *w, unsigned line)
{
    struct root_move *first = &w->root_moves[line];
    const unsigned n = w->nroot - line;
    int alpha = -XQ_INFINITE, beta = XQ_INFINITE, width = 24;
    int depth = (int)w->depth, fails = 0;
    const int previous = first->previous;
    if (w->depth >= 5 && previous > -XQ_EVAL_MAX && previous < XQ_EVAL_MAX) {
        width += previous * previous / 40000 > 200
                     ? 200
                     : previous * previous / 40000;
        alpha = previous - width;
        beta = previous + width;
    }
    w->first_root = line;
    w->seldepth = 0;
    for (;;) {
        const int d = depth - fails > 1 ? depth - fails : 1;
        const int best = search_window(w, alpha, beta, d);
        if (w->stopped) {
            /* A better move found before the stop counts. */
            sort_moves(first, n);
            return;
        }
        sort_moves(first, n);
        if (best <= alpha && alpha > -XQ_INFINITE) {
            beta = (alpha + beta) / 2;
            alpha = best - width;
            fails = 0;
            if (xq_timer_elapsed(&w->s->timer) > 3000)
                report(w, line, -1);
        } else if (best >= beta && beta < XQ_INFINITE) {
            beta = best + width;
            if (fails < 3 && best < XQ_EVAL_MAX)
                fails++;
            if (xq_timer_elapsed(&w->s->timer) > 3000)
                report(w, line, 1);
        } else {
            return;
        }
        width += width / 2 + 10;
        if (width > 1000 || alpha < -XQ_EVAL_MAX)
            alpha = -XQ_INFINITE;
        if (width > 1000 || beta > XQ_EVAL_MAX)
            beta = XQ_INFINITE;
    }
}

bool xq_search_has_mate(const struct worker *w)
{
    const unsigned own = w->s->lim->mate;
    return own && w->root_moves[0].score >= XQ_MATE_IN(2 * (int)own - 1);
}

/* After a few plies, to have something to answer with, the mate that was asked
 * for is looked for.  A proof that there is none takes about 17 times longer
 * for each move: so many nodes decide up to 5 moves or so.  If they do not,
 * both kinds of search take turns, and go on until each has had its half. */
#define MATE_DEPTH 5
#define MATE_NODES ((uint64_t)16 << 20)

static bool find_mate(struct worker *w, bool *open, uint64_t *spent)
{
    if (!*open || w->depth < MATE_DEPTH || w->nodes < 2 * *spent)
        return false;
    const uint64_t before = w->nodes;
    const enum xq_mate_search came =
        xq_search_mate(w, before > MATE_NODES ? before : MATE_NODES);
    *spent += w->nodes - before;
    *open = came == XQ_MATE_OPEN;
    return came == XQ_MATE_FOUND;
}

void xq_search_deepen(struct worker *w)
{
    struct xq_search *s = w->s;
    const unsigned lines = s->o.multipv < w->nroot ? s->o.multipv : w->nroot;
    unsigned stable = 0;
    xq_move last_best = XQ_NOMOVE;
    int last_score = 0;
    bool mate_open = s->lim->mate && w->index == 0;
    uint64_t mate_spent = 0;
    w->done = 0;
    for (w->depth = 1; w->depth <= s->max_depth && !w->stopped; w->depth++) {
        /* Helpers leave some depths out, each others. */
        if (w->index && w->depth > 3 && (w->depth + w->index) % 3 == 0)
            continue;
        for (unsigned i = 0; i < w->nroot; i++) {
            w->root_moves[i].previous = w->root_moves[i].score;
            w->root_moves[i].nodes = 0;
        }
        if (find_mate(w, &mate_open, &mate_spent)) {
            report(w, 0, 0);
            return;
        }
        const uint64_t before = w->nodes;
        unsigned reached = 0;
        while (reached < lines && !w->stopped)
            search_line(w, reached++);
        if (w->stopped) {
            report_cut(w, reached, lines);
            break;
        }
        w->done = w->depth;
        /* MultiPV: a later line may have come out better than an earlier. */
        sort_moves(w->root_moves, lines);
        for (unsigned line = 0; line < lines; line++)
            report(w, line, 0);

        const struct root_move *best = &w->root_moves[0];
        const int drop = w->depth > 1 ? last_score - best->score : 0;
        stable = best->move == last_best ? stable + 1 : 0;
        last_best = best->move;
        last_score = best->score;
        /* Whoever is there first, if a helper's line can be the answer: they
         * look for no mates. */
        if (w->depth == s->max_depth &&
            (w->index == 0 || (s->o.multipv == 1 && !s->lim->mate)))
            atomic_store(&s->halt, true);
        if (w->index)
            continue;
        if (xq_search_has_mate(w) && !s->timer.waits)
            break;
        const uint64_t all = w->nodes - before;
        const unsigned share =
            all ? (unsigned)(best->nodes * 1000 / all) : 1000;
        if (xq_timer_enough(&s->timer, stable, drop, share))
            break;
        /* With the clock running: nothing to think about. */
        if (s->timer.soft && !atomic_load(&s->timer.ponder) &&
            ((w->nroot == 1 && w->depth >= 6) ||
             (XQ_IS_MATE(best->score) &&
              (int)w->depth > 2 * (XQ_MATE - best->score) + 4)))
            break;
    }
}
