/* uci_job.c - a search, from `go` to its answer. */
#include "engine/uci_parts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the reading thread's side ---- */

void xq_job_clear(xq_session *s)
{
    free(s->job.only);
    memset(&s->job, 0, sizeof s->job);
    s->draw_offered = false;
}

/* Some thirty years: sums of such times do not overflow. */
#define MS_MOST UINT64_C(1000000000000)

uint64_t xq_job_ms(uint64_t n, uint64_t unit)
{
    if (n > MS_MOST / unit)
        return MS_MOST;
    return n ? n * unit : 1;
}

static bool is_limited(const xq_limits *l)
{
    return l->depth || l->nodes || l->movetime || l->clock[0] || l->clock[1] ||
           l->mate;
}

static void complete(xq_session *s, bool unreadable)
{
    xq_limits *const l = &s->job.lim;
    const unsigned side = s->game.now.side;
    /* Some GUIs tell one clock only. */
    if (!l->clock[side] && l->clock[side ^ 1]) {
        l->clock[side] = l->clock[side ^ 1];
        l->inc[side] = l->inc[side ^ 1];
    }
    if (!is_limited(l)) {
        if (unreadable && !l->infinite)
            l->depth = 1; /* the GUI meant some end */
        else
            l->infinite = true;
    }
    s->job.mate_only = l->mate && !l->infinite && !l->depth && !l->nodes &&
                       !l->movetime && !l->clock[side];
    if (s->io->max_nodes && (!l->nodes || l->nodes > s->io->max_nodes))
        l->nodes = s->io->max_nodes;
    l->overhead = s->set.overhead;
    l->only = s->job.only;
    l->banned = s->banned;
    l->nbanned = s->nbanned;
    /* Who analyses wants to hear of the position, not of a book. */
    s->job.book = s->io->book && s->set.own_book && !l->infinite &&
                  !l->ponder && !l->mate && s->search_set.multipv <= 1;
}

void xq_job_start(xq_session *s, bool unreadable)
{
    if (s->job.kind == XQ_JOB_SEARCH)
        complete(s, unreadable);
    s->pondering = s->job.lim.ponder;
    s->busy = true;
    s->stop = false;
    s->stop_at = 0;
    xq_search_ready(s->search);
    pthread_mutex_lock(&s->lock);
    s->given = true;
    pthread_cond_signal(&s->cond);
    pthread_mutex_unlock(&s->lock);
}

void xq_job_stop(xq_session *s)
{
    if (!s->busy)
        return;
    s->stop = true;
    s->pondering = false;
    xq_search_stop(s->search);
}

bool xq_job_endless(const xq_session *s)
{
    return s->busy && (s->job.lim.infinite || s->pondering);
}

/* ---- the searching thread's side ---- */

static bool is_among(xq_move m, const xq_move *list, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (list[i] == m)
            return true;
    return false;
}

/* Legal, and neither banned nor left out of searchmoves. */
static bool is_allowed(const xq_session *s, xq_move m)
{
    const xq_limits *const l = &s->job.lim;
    return xq_move_is_legal(&s->game.now, m) &&
           !is_among(m, l->banned, l->nbanned) &&
           (l->nonly == 0 || is_among(m, l->only, l->nonly));
}

/* Would m lead back to a position that this game has seen?  Books are
 * followed in circles otherwise. */
static bool is_repeating(const xq_session *s, xq_move m)
{
    xq_pos after = s->game.now, p = s->game.start;
    xq_pos_make(&after, m, NULL);
    for (uint32_t i = 0;; i++) {
        if (p.key == after.key)
            return true;
        if (i == s->game.n)
            return false;
        xq_pos_make(&p, s->game.moves[i], NULL);
    }
}

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t draw(xq_session *s)
{
    uint64_t z = s->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* The heaviest (of equals the first), or one drawn by weight; XQ_NOMOVE when
 * all weights are 0. */
static xq_move choose(xq_session *s, const xq_book_choice *c, unsigned n)
{
    uint64_t sum = 0, best = 0;
    xq_move m = XQ_NOMOVE;
    for (unsigned i = 0; i < n; i++) {
        if (c[i].weight > best) {
            best = c[i].weight;
            m = c[i].move;
        }
        sum += c[i].weight;
    }
    if (!s->set.weighted || sum == 0)
        return m;
    uint64_t left = draw(s) % sum;
    for (unsigned i = 0; i < n; i++) {
        if (left < c[i].weight)
            return c[i].move;
        left -= c[i].weight;
    }
    return m;
}

#define BOOK_MOVES 256

static xq_move from_book(xq_session *s)
{
    xq_book_choice c[BOOK_MOVES];
    const xq_book_source *const book = s->io->book;
    unsigned n = 0, kept = 0;
    uint64_t sum = 0;
    xq_err err;
    if (book->find(book->arg, &s->game.now, c, BOOK_MOVES, &n, &err) != XQ_OK) {
        xq_note(s, "error: book: %s", err.msg);
        return XQ_NOMOVE;
    }
    for (unsigned i = 0; i < n && i < BOOK_MOVES; i++)
        if (is_allowed(s, c[i].move) && !is_repeating(s, c[i].move)) {
            /* sums of BOOK_MOVES of them must not overflow */
            if (c[i].weight > UINT64_MAX / BOOK_MOVES)
                c[i].weight = UINT64_MAX / BOOK_MOVES;
            sum += c[i].weight;
            c[kept++] = c[i];
        }
    const xq_move m = choose(s, c, kept);
    for (unsigned i = 0; i < kept && m != XQ_NOMOVE; i++)
        if (c[i].move == m) {
            char text[5];
            xq_move_format(m, text);
            xq_note(s, "book: %s, weight %" PRIu64 " of %" PRIu64, text,
                    c[i].weight, sum);
            break;
        }
    return m;
}

static void on_info(void *arg, const xq_info *info)
{
    xq_session *const s = arg;
    if (s->out.failed)
        xq_search_stop(s->search);
    else
        s->dialect->info(s, info);
}

/* The search could not be made: any move is better than silence. */
static xq_move any_move(const xq_session *s)
{
    xq_movelist list;
    xq_gen_legal(&s->game.now, &list);
    for (unsigned i = 0; i < list.n; i++)
        if (is_allowed(s, list.m[i]))
            return list.m[i];
    return XQ_NOMOVE;
}

static void search(xq_session *s, xq_answer *a)
{
    const xq_game_line line = {&s->game.start, s->game.moves, s->game.n};
    xq_err err = {0};
    const xq_status rc =
        xq_search_go(s->search, &line, &s->job.lim, on_info, s, a);
    if (rc != XQ_OK) {
        xq_fail(&err, rc, "%s",
                rc == XQ_ENOMEM ? "out of memory" : "it failed");
        xq_note(s, "error: search: %s", err.msg);
        *a = (xq_answer){.best = any_move(s)};
    }
}

/* The second move must be legal behind the first. */
static void check_ponder(const xq_session *s, xq_answer *a)
{
    xq_pos p = s->game.now;
    if (a->best == XQ_NOMOVE || a->ponder == XQ_NOMOVE)
        return;
    xq_pos_make(&p, a->best, NULL);
    if (!xq_move_is_legal(&p, a->ponder))
        a->ponder = XQ_NOMOVE;
}

static int evaluate(const xq_pos *p)
{
    xq_eval_state st;
    xq_eval_init(&st, p);
    return xq_eval(p, &st);
}

static void answer(xq_session *s)
{
    xq_answer a = {0};
    xq_info info = {.multipv = 1};
    if (!xq_has_legal_move(&s->game.now)) {
        /* G-10: lost, in check or not.  At once even without a limit: there
         * is nothing to analyse, and GUIs have waited for ever. */
        info.score = -XQ_MATE_IN(0);
        s->dialect->info(s, &info);
    } else if (any_move(s) == XQ_NOMOVE) {
        xq_note(s, "no move is left to search");
    } else if (s->job.evaluate) {
        info.score = evaluate(&s->game.now);
        s->dialect->info(s, &info);
    } else {
        if (s->job.book)
            a.best = from_book(s);
        if (a.best == XQ_NOMOVE)
            search(s, &a);
    }
    check_ponder(s, &a);
    s->dialect->best(s, &a);
}

void xq_job_run(xq_session *s)
{
    if (s->job.kind == XQ_JOB_PERFT)
        xq_show_perft(s, s->job.perft);
    else
        answer(s);
}
