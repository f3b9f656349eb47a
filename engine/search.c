/* search.c - opening and closing, options, root moves, threads, stop. */
#include "engine/memory.h"
#include "engine/search_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- workers ---- */

static void free_worker(struct worker *w)
{
    if (!w)
        return;
    free(w->history);
    free(w->moves);
    free(w->keys);
    free(w->checks);
    free(w->line);
    free(w->root_moves);
    free(w);
}

static void free_workers(struct worker **w, unsigned n)
{
    for (unsigned i = 0; w && i < n; i++)
        free_worker(w[i]);
    free(w);
}

/* n workers, or NULL. */
static struct worker **new_workers(struct xq_search *s, unsigned n)
{
    struct worker **w = calloc(n, sizeof *w);
    for (unsigned i = 0; w && i < n; i++) {
        w[i] = calloc(1, sizeof **w);
        if (w[i]) {
            w[i]->s = s;
            w[i]->index = i;
            w[i]->history = calloc(1, sizeof *w[i]->history);
        }
        if (!w[i] || !w[i]->history) {
            free_workers(w, n);
            return NULL;
        }
    }
    return w;
}

/* ---- options ---- */

static xq_search_options completed(const xq_search_options *o)
{
    xq_search_options c = *o;
    if (c.hash == 0)
        c.hash = (size_t)16 << 20;
    if (c.hash < (size_t)1 << 20)
        c.hash = (size_t)1 << 20;
    if (c.threads == 0)
        c.threads = 1;
    if (c.multipv == 0)
        c.multipv = 1;
    return c;
}

/* So much is taken without asking: any machine has it. */
#define UNASKED ((size_t)16 << 20)

/* Is there memory for `want` bytes once `freed` ones are given back?  Some of
 * what is left is left to others. */
static xq_status find_room(size_t want, size_t freed, xq_err *err)
{
    if (want <= UNASKED || want <= freed)
        return XQ_OK;
    const uint64_t left = xq_memory_left("");
    if (left == UINT64_MAX || want - freed <= left - left / 16)
        return XQ_OK;
    return xq_fail(err, XQ_ENOMEM,
                   "hash table of %zu MiB: %" PRIu64 " MiB of memory are left",
                   want >> 20, left >> 20);
}

static size_t bytes_of(const xq_tt *t)
{
    return (size_t)t->count * sizeof *t->clusters;
}

xq_status xq_search_set(xq_search *s, const xq_search_options *o, xq_err *err)
{
    const xq_search_options c = completed(o);
    struct worker **workers = s->workers;
    xq_tt tt = s->tt;
    if (c.threads > XQ_MAX_THREADS)
        return xq_fail(err, XQ_ELIMIT, "%u threads, at most %d are possible",
                       c.threads, XQ_MAX_THREADS);
    if (!workers || c.threads != s->nworkers) {
        workers = new_workers(s, c.threads);
        if (!workers)
            return xq_fail(err, XQ_ENOMEM, "out of memory: %u threads",
                           c.threads);
    }
    if (!tt.clusters || c.hash != s->o.hash) {
        xq_status rc = find_room(c.hash, bytes_of(&s->tt), err);
        if (rc == XQ_OK)
            rc = xq_tt_reserve(&tt, c.hash, err);
        if (rc < 0) {
            if (workers != s->workers)
                free_workers(workers, c.threads);
            return rc;
        }
        xq_tt_close(&s->tt);
        s->tt = tt;
        xq_tt_clear(&s->tt);
    }
    if (workers != s->workers) {
        free_workers(s->workers, s->nworkers);
        s->workers = workers;
        s->nworkers = c.threads;
    }
    s->o = c;
    xq_profile_init(&s->profile, c.rules);
    return XQ_OK;
}

/* ---- life ---- */

/* Logarithm to base 2 in 1/256, by whole numbers: the same everywhere. */
static unsigned log2_256(unsigned n)
{
    unsigned whole = 0, part = 0;
    uint64_t x = (uint64_t)n << 16; /* 1 is 1 << 16 */
    while (x >= (uint64_t)2 << 16) {
        x >>= 1;
        whole++;
    }
    for (unsigned bit = 128; bit; bit >>= 1) {
        x = x * x >> 16;
        if (x >= (uint64_t)2 << 16) {
            x >>= 1;
            part |= bit;
        }
    }
    return whole * 256 + part;
}

static void fill_reductions(struct xq_search *s)
{
    for (unsigned d = 1; d < 64; d++)
        for (unsigned m = 1; m < 64; m++) {
            /* ln(d) * ln(m) / 2 + 1/2 */
            unsigned r = (128 + log2_256(d) * log2_256(m) * 24 / 25600) / 256;
            s->lmr[d][m] = (uint8_t)r;
        }
}

xq_status xq_search_open(xq_search **out, const xq_search_options *o,
                         xq_err *err)
{
    xq_search *s = calloc(1, sizeof *s);
    if (!s)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    if (pthread_mutex_init(&s->lock, NULL) != 0) {
        free(s);
        return xq_fail(err, XQ_ENOMEM, "out of memory: a lock");
    }
    if (pthread_cond_init(&s->wake, NULL) != 0) {
        pthread_mutex_destroy(&s->lock);
        free(s);
        return xq_fail(err, XQ_ENOMEM, "out of memory: a condition");
    }
    fill_reductions(s);
    xq_status rc = xq_search_set(s, o, err);
    if (rc < 0) {
        xq_search_close(s);
        return rc;
    }
    *out = s;
    return XQ_OK;
}

void xq_search_close(xq_search *s)
{
    if (!s)
        return;
    free_workers(s->workers, s->nworkers);
    xq_tt_close(&s->tt);
    pthread_cond_destroy(&s->wake);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

void xq_search_clear(xq_search *s)
{
    xq_tt_clear(&s->tt);
    for (unsigned i = 0; i < s->nworkers; i++)
        xq_history_clear(s->workers[i]->history);
}

/* ---- stop and ponderhit, from other threads ---- */

static void wake(xq_search *s)
{
    pthread_mutex_lock(&s->lock);
    pthread_cond_broadcast(&s->wake);
    pthread_mutex_unlock(&s->lock);
}

void xq_search_stop(xq_search *s)
{
    atomic_store(&s->stop, true);
    wake(s);
}

void xq_search_ready(xq_search *s)
{
    atomic_store(&s->stop, false);
    atomic_store(&s->hit, false);
}

void xq_search_ponderhit(xq_search *s)
{
    atomic_store(&s->hit, true);
    xq_timer_hit(&s->timer);
    wake(s);
}

/* A search without end, or on the opponent's time, that has nothing more to do
 * waits to be told. */
static void wait_for_word(xq_search *s)
{
    pthread_mutex_lock(&s->lock);
    while (!atomic_load(&s->stop) &&
           (s->timer.waits || atomic_load(&s->timer.ponder)))
        pthread_cond_wait(&s->wake, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

/* ---- root moves ---- */

static bool is_among(xq_move m, const xq_move *list, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (list[i] == m)
            return true;
    return false;
}

/* Room for the lists of all nodes of a path: a piece has so many moves at
 * most, and no move adds a piece.  A node may hold two lists at a time. */
static size_t list_room(const xq_pos *p)
{
    static const uint8_t MOST[8] = {
        [XQ_KING] = 4,  [XQ_ADVISOR] = 4, [XQ_ELEPHANT] = 4, [XQ_HORSE] = 8,
        [XQ_ROOK] = 17, [XQ_CANNON] = 17, [XQ_PAWN] = 3,
    };
    size_t red = 0, black = 0;
    for (xq_sq s = 0; s < XQ_SQUARES; s++)
        *(xq_piece_side(p->at[s]) == XQ_RED ? &red : &black) +=
            MOST[p->at[s] & 7];
    return 2 * (red > black ? red : black) * (XQ_MAX_PLY + 4);
}

/* What loses by rule at once comes last: a search that is stopped before it
 * has compared two moves answers the first. */
static void lost_last(struct worker *w)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < w->nroot; i++) {
        const struct root_move r = w->root_moves[i];
        if (r.ruled < -XQ_EVAL_MAX)
            continue;
        memmove(w->root_moves + kept + 1, w->root_moves + kept,
                (i - kept) * sizeof r);
        w->root_moves[kept++] = r;
    }
}

static xq_status prepare(struct worker *w, const struct xq_search *s,
                         xq_err *err)
{
    xq_status rc = xq_path_begin(w, s->game, err);
    if (rc < 0)
        return rc;
    free(w->moves);
    free(w->root_moves);
    w->root_moves = NULL;
    w->moves = w->moves_top = malloc(list_room(&w->pos) * sizeof *w->moves);
    if (!w->moves)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    xq_movelist list;
    xq_gen_legal(&w->pos, &list);
    w->root_moves = calloc(list.n ? list.n : 1, sizeof *w->root_moves);
    if (!w->root_moves)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    w->nroot = 0;
    for (unsigned i = 0; i < list.n; i++) {
        const xq_move m = list.m[i];
        if ((s->lim->nonly && !is_among(m, s->lim->only, s->lim->nonly)) ||
            is_among(m, s->lim->banned, s->lim->nbanned))
            continue;
        struct root_move *r = &w->root_moves[w->nroot++];
        r->move = r->pv[0] = m;
        r->npv = 1;
        r->score = r->previous = -XQ_INFINITE;
        r->ruled = XQ_INFINITE;
        struct frame *f = w->root;
        const bool check = gives_check(&w->pos, m);
        path_make(w, f, m, check);
        int score;
        if (xq_path_ruled(w, f + 1, true, &score))
            r->ruled = -score;
        path_unmake(w, f);
    }
    lost_last(w);
    w->nodes = w->next_look = 0;
    atomic_store(&w->shared_nodes, 0);
    w->stopped = false;
    w->null_until = 0;
    w->seldepth = w->done = 0;
    return XQ_OK;
}

/* ---- a search ---- */

static void *run_helper(void *arg);

/* Each worker starts two more and ends with them.  With many of them the first
 * one would not get through starting all, and have no time to search: those
 * that run already compete with it for the processors. */
static void start_helpers(const struct worker *w)
{
    const struct xq_search *s = w->s;
    for (unsigned i = 2 * w->index + 1; i <= 2 * w->index + 2; i++) {
        if (i >= s->nworkers || atomic_load(&s->halt))
            return;
        struct worker *h = s->workers[i];
        /* Without its thread the search is slower, no worse. */
        h->started = pthread_create(&h->thread, NULL, run_helper, h) == 0;
    }
}

static void join_helpers(const struct worker *w)
{
    const struct xq_search *s = w->s;
    for (unsigned i = 2 * w->index + 1; i <= 2 * w->index + 2; i++)
        if (i < s->nworkers && s->workers[i]->started)
            pthread_join(s->workers[i]->thread, NULL);
}

/* A helper prepares itself, which takes time after a long game.  Without
 * memory the same holds as without a thread. */
static void *run_helper(void *arg)
{
    struct worker *w = arg;
    start_helpers(w);
    if (!atomic_load(&w->s->halt) && prepare(w, w->s, NULL) == XQ_OK) {
        xq_search_deepen(w);
        atomic_store(&w->shared_nodes, w->nodes);
    }
    join_helpers(w);
    return NULL;
}

static void run(xq_search *s)
{
    struct worker *w = s->workers[0];
    for (unsigned i = 1; i < s->nworkers; i++) {
        struct worker *h = s->workers[i];
        h->done = 0;
        h->started = false;
        atomic_store(&h->shared_nodes, 0);
    }
    start_helpers(w);
    xq_search_deepen(w);
    wait_for_word(s);
    atomic_store(&s->halt, true);
    join_helpers(w);
    atomic_store(&w->shared_nodes, w->nodes);
}

/* Whoever got deepest knows best, unless a mate was wanted and found. */
static struct worker *best_worker(xq_search *s)
{
    struct worker *best = s->workers[0];
    if (xq_search_has_mate(best))
        return best;
    for (unsigned i = 1; i < s->nworkers && s->o.multipv == 1; i++) {
        struct worker *w = s->workers[i];
        if (w->started && w->done > best->done)
            best = w;
    }
    return best;
}

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* The last iteration.  When nothing but a mate is wanted, the search ends some
 * plies behind its length. */
static unsigned deepest(const xq_limits *l)
{
    unsigned most = XQ_MAX_PLY - 1;
    if (l->depth)
        most = least(most, l->depth);
    if (l->mate && !l->depth && !l->nodes && !l->movetime && !l->clock[0] &&
        !l->clock[1] && !l->infinite)
        most = least(most, 2 * least(l->mate, XQ_MAX_PLY) - 1 + XQ_MATE_BEYOND);
    return most;
}

/* The answer expected: from the line, else from the hash table. */
static xq_move find_ponder(struct worker *w)
{
    const struct root_move *r = &w->root_moves[0];
    struct xq_tt_hit hit;
    xq_undo u;
    xq_move m = XQ_NOMOVE;
    if (r->npv > 1)
        return r->pv[1];
    xq_pos_make(&w->pos, r->move, &u);
    if (xq_tt_probe(&w->s->tt, w->pos.key, 1, &hit) &&
        xq_move_is_legal(&w->pos, hit.move))
        m = hit.move;
    xq_pos_unmake(&w->pos, &u);
    return m;
}

xq_status xq_search_go(xq_search *s, const xq_game_line *game,
                       const xq_limits *lim, xq_info_fn *info, void *arg,
                       xq_answer *out)
{
    *out = (xq_answer){.best = XQ_NOMOVE, .ponder = XQ_NOMOVE};
    s->game = game;
    s->lim = lim;
    s->info = info;
    s->info_arg = arg;
    s->side = (xq_side)((game->start->side + game->n) & 1);
    s->max_depth = deepest(lim);
    xq_timer_start(&s->timer, lim, s->side,
                   2 * (game->start->fullmove - 1) + game->n);
    if (atomic_load(&s->hit)) /* it came before the timer was set */
        xq_timer_hit(&s->timer);
    atomic_store(&s->begun, false);
    atomic_store(&s->halt, false);
    xq_tt_age(&s->tt);
    struct worker *w = s->workers[0];
    const xq_status rc = prepare(w, s, NULL);
    if (rc < 0)
        return rc;
    if (w->nroot == 0) {
        out->score = -XQ_MATE_IN(0);
        wait_for_word(s);
    } else {
        run(s);
        w = best_worker(s);
        if (w->index)
            xq_search_report(w, 0, 0);
        const struct root_move *r = &w->root_moves[0];
        out->best = r->move;
        out->ponder = find_ponder(w);
        out->score = r->score == -XQ_INFINITE ? 0 : xq_shown_score(r->score);
        out->depth = w->done;
    }
    out->nodes = xq_search_nodes(s);
    out->ms = xq_timer_elapsed(&s->timer);
    xq_search_ready(s); /* both are used up */
    return XQ_OK;
}

bool xq_search_recall(const xq_search *s, const xq_pos *p, xq_recall *out)
{
    struct xq_tt_hit hit;
    *out = (xq_recall){.move = XQ_NOMOVE};
    if (!xq_tt_probe(&s->tt, p->key, 0, &hit))
        return false;
    if (xq_move_is_legal(p, hit.move))
        out->move = hit.move;
    out->depth = hit.depth > 0 ? (unsigned)hit.depth : 0;
    if (hit.bound == XQ_TT_NONE)
        return true;
    out->score = hit.score;
    out->lower = hit.bound != XQ_TT_UPPER;
    out->upper = hit.bound != XQ_TT_LOWER;
    return true;
}
