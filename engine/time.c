/* time.c - when to stop. */
#include "engine/search_parts.h"

#include <time.h>

uint64_t xq_now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

uint64_t xq_timer_elapsed(const struct timer *t)
{
    uint64_t start = atomic_load_explicit(&t->start, memory_order_relaxed);
    uint64_t now = xq_now_ms();
    return now > start ? now - start : 0;
}

static uint64_t less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }
static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* A share of the clock: games last about as many more moves as `moves`, fewer
 * the longer they have lasted.  No move may take more than half of what is
 * left, so that the next one has as much again. */
static void share_clock(struct timer *t, const xq_limits *lim, xq_side side,
                        uint32_t ply)
{
    uint64_t left = less(lim->clock[side], lim->overhead);
    uint64_t inc = lim->inc[side];
    uint64_t moves = ply < 60 ? 40 - ply / 3 : 20;
    if (lim->moves_to_go && lim->moves_to_go < moves)
        moves = lim->moves_to_go;
    uint64_t soft = left / moves + inc * 3 / 4;
    uint64_t most = moves == 1 ? left * 9 / 10 : left / 2;
    t->soft = least(soft, most * 3 / 4);
    t->hard = least(soft * 4, most);
    if (t->soft == 0)
        t->soft = 1;
    if (t->hard == 0)
        t->hard = 1;
}

void xq_timer_start(struct timer *t, const xq_limits *lim, xq_side side,
                    uint32_t ply)
{
    atomic_store(&t->start, xq_now_ms());
    atomic_store(&t->ponder, lim->ponder);
    t->soft = t->hard = 0;
    t->nodes = lim->nodes;
    t->waits = lim->infinite;
    if (lim->infinite)
        return;
    if (lim->clock[side])
        share_clock(t, lim, side, ply);
    if (lim->movetime) {
        uint64_t time = less(lim->movetime, lim->overhead);
        if (time == 0)
            time = 1;
        if (t->hard == 0 || time < t->hard)
            t->hard = time;
    }
}

void xq_timer_hit(struct timer *t)
{
    atomic_store(&t->start, xq_now_ms());
    atomic_store(&t->ponder, false);
}

uint64_t xq_search_nodes(const struct xq_search *s)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < s->nworkers; i++)
        n += atomic_load_explicit(&s->workers[i]->shared_nodes,
                                  memory_order_relaxed);
    return n;
}

void xq_timer_look(struct worker *w)
{
    /* Helpers look more often: where they are many times the processors, each
     * has to get its turn before it hears that the search is over. */
    enum { STEP = 1024, HELPER_STEP = 64, FIRST = 1 << 16 };
    struct xq_search *s = w->s;
    const struct timer *t = &s->timer;
    atomic_store_explicit(&w->shared_nodes, w->nodes, memory_order_relaxed);
    w->next_look = w->nodes + (w->index ? HELPER_STEP : STEP);
    bool ponder = atomic_load_explicit(&t->ponder, memory_order_relaxed);
    /* A stop waits for the first iteration, to have a score for the answer; it
     * takes some hundred nodes, but in positions made to be odd.  Then any
     * thread obeys it, and the clock: the first may be waiting for a
     * processor. */
    if (w->index == 0 ? w->done > 0 || w->nodes >= FIRST
                      : w->done > 0 && s->o.multipv == 1)
        atomic_store_explicit(&s->begun, true, memory_order_relaxed);
    if (atomic_load_explicit(&s->begun, memory_order_relaxed) &&
        atomic_load_explicit(&s->stop, memory_order_relaxed))
        atomic_store(&s->halt, true);
    if (w->index == 0 && t->nodes && !t->waits && !ponder) {
        /* One thread keeps to the limit exactly. */
        uint64_t n = s->nworkers == 1 ? w->nodes : xq_search_nodes(s);
        if (n >= t->nodes)
            atomic_store(&s->halt, true);
        else if (t->nodes - n < STEP)
            w->next_look = w->nodes + (t->nodes - n);
    }
    if (t->hard && !ponder && xq_timer_elapsed(t) >= t->hard)
        atomic_store(&s->halt, true);
    if (atomic_load_explicit(&s->halt, memory_order_relaxed))
        w->stopped = true;
}

bool xq_timer_enough(const struct timer *t, unsigned stability, int drop,
                     unsigned share)
{
    if (!t->soft || atomic_load(&t->ponder))
        return false;
    /* In hundredths: less when nothing changes, more when it gets worse. */
    uint64_t scale = stability >= 8   ? 55
                     : stability >= 4 ? 75
                     : stability >= 2 ? 90
                                      : 120;
    if (drop > 0)
        scale += (uint64_t)(drop > 100 ? 100 : drop);
    scale = scale * (share > 900 ? 70 : share > 700 ? 90 : 110) / 100;
    /* An iteration costs about as much as all before it. */
    uint64_t limit = least(t->soft * scale / 100, t->hard);
    return xq_timer_elapsed(t) >= limit * 6 / 10;
}
