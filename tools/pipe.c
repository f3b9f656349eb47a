/* pipe.c - games from many files, read by several threads, results in order.
 *
 *             taken                    emitted
 *               v                         v
 *   parts  ... [7][6 reading][5 done][4 reading][3 done] ...
 *               a ring of places; part n stands in place n % places
 *
 * One mutex guards the ring.  It is not held while the input is read, games
 * are judged or results are emitted: for the first and the last, a flag says
 * that somebody is at it. */
#include "tools/pipe.h"

#include "tools/cli.h"
#include "tools/pipe_files.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

/* Threads cost more than they bring below this. */
enum { SMALL_INPUT = 256 << 10 };

enum { THREADS_MAX = 512 };

enum state { FREE, READING, READ };

/* A part of the input, from the splitter to emit. */
struct place {
    enum state state;
    pgn_segment seg;
    xq_status rc; /* of the splitter, or of the reader */
    xq_err err;
    void *result;
    uint64_t games, consumed;
    uint64_t consumed_before; /* by the segments before it */
    uint64_t emitted;         /* games in pieces that were emitted already */
    bool begun;               /* there was such a piece */
};

struct pipe {
    const pipe_job *job;
    pgn_split *split;
    struct place *places;
    size_t nplaces;
    cli_progress progress;

    pthread_mutex_t lock;
    pthread_cond_t moved; /* anything below changed */
    uint64_t taken, emitted;
    bool input_busy, input_ended, emitting;
    bool stop;      /* no more of anything */
    bool failed;    /* something could not be read, or memory ran out */
    uint64_t total; /* bytes of the input, 0: not known */

    /* the emitter's */
    uint64_t games_in_file, games;
    pipe_files files;
};

unsigned pipe_threads(uint64_t wanted)
{
    if (wanted)
        return wanted < THREADS_MAX ? (unsigned)wanted : THREADS_MAX;
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return (unsigned)CPU_COUNT(&set);
    return 1;
}

/* ---- the three steps of a part ---- */

/* Take the next segment.  False: the input has ended, or the memory. */
static bool take(struct pipe *p, struct place *at)
{
    at->err = (xq_err){0};
    at->games = at->emitted = 0;
    at->begun = false;
    at->consumed_before = pgn_split_consumed(p->split);
    at->rc = pgn_split_next(p->split, &at->seg, &at->err);
    at->consumed = pgn_split_consumed(p->split);
    return at->rc != XQ_DONE;
}

static struct place *head_place(struct pipe *p)
{
    return &p->places[p->emitted % p->nplaces];
}

/* Hand on the games that were read and not yet handed on; the part's last ones
 * when `whole`.  False: stop. */
static bool emit_games(struct pipe *p, struct place *at, bool whole)
{
    const pgn_segment *seg = &at->seg;
    if (seg->first && !at->begun)
        p->games_in_file = 0;
    const pipe_part part = {seg->name,          seg->file,
                            p->games_in_file,   at->games - at->emitted,
                            whole ? seg->n : 0, seg->first && !at->begun,
                            seg->last && whole};
    const bool go_on = p->job->emit(p->job->ctx, at->result, &part);
    p->games += part.games;
    at->emitted = at->games;
    at->begun = true;
    if (whole) {
        p->games_in_file += at->games;
        pipe_files_part(&p->files, seg, seg->first);
    }
    if (part.last && !pipe_files_end(&p->files, seg, p->games_in_file))
        p->failed = true;
    return go_on;
}

/* Hand on what was read, and say what could not be.  False: stop. */
static bool emit(struct pipe *p, struct place *at)
{
    const pgn_segment *seg = &at->seg;
    bool go_on = true;
    if (at->rc == XQ_OK || at->games)
        go_on = emit_games(p, at, true);
    if (at->rc != XQ_OK) {
        p->failed = true;
        if (at->rc == XQ_ENOMEM) {
            cli_error("out of memory");
            go_on = false;
        } else {
            pipe_files_failed(seg->name ? seg->name : "?", &at->err);
        }
    }
    cli_progress_tick(&p->progress, at->consumed, p->games);
    return go_on;
}

/* The games read so far, while the rest of the part is still to be read.
 * False: stop. */
static bool emit_early(struct pipe *p, struct place *at)
{
    bool go_on = true;
    if (p->nplaces > 1) { /* wait until all before it are emitted */
        pthread_mutex_lock(&p->lock);
        while (!p->stop && (p->emitting || at != head_place(p)))
            pthread_cond_wait(&p->moved, &p->lock);
        go_on = !p->stop;
        p->emitting = p->emitting || go_on;
        pthread_mutex_unlock(&p->lock);
        if (!go_on)
            return false;
    }
    go_on = emit_games(p, at, false);
    if (p->nplaces > 1) {
        pthread_mutex_lock(&p->lock);
        p->emitting = false;
        pthread_cond_broadcast(&p->moved);
        pthread_mutex_unlock(&p->lock);
    }
    return go_on;
}

/* What of the input is read behind game g. */
static double share(const struct pipe *p, const struct place *at,
                    const pgn_game *g)
{
    const double size = (double)at->seg.n;
    const double here = (double)(g->byte + g->bytes - at->seg.byte0);
    const double part = size > 0 && here < size ? here / size : 1;
    const double before = (double)at->consumed_before;
    return p->total ? (before + part * ((double)at->consumed - before)) /
                          (double)p->total
                    : 0;
}

/* Read its games.  False: stop. */
static bool read_games(struct pipe *p, struct place *at, pgn_reader *r)
{
    const pipe_job *job = p->job;
    const size_t piece = job->piece ? job->piece : PIPE_PIECE;
    if (at->rc != XQ_OK)
        return true; /* emit reports it */
    if (!at->result && !(at->result = job->new_result(job->ctx))) {
        at->rc = xq_fail(&at->err, XQ_ENOMEM, "out of memory");
        return true;
    }
    pipe_at where = {at->seg.name, at->seg.format, &at->seg, 0};
    const pgn_game *g;
    pgn_reader_load(r, &at->seg);
    while ((at->rc = pgn_reader_next(r, &g, &at->err)) == XQ_OK) {
        at->games++;
        where.share = share(p, at, g);
        if (cli_interrupted() || !job->game(at->result, g, &where))
            return false;
        if (job->held && job->held(at->result) > piece && !emit_early(p, at))
            return false;
    }
    if (at->rc == XQ_DONE)
        at->rc = XQ_OK;
    return true;
}

/* ---- one thread ---- */

static void run_alone(struct pipe *p)
{
    struct place *at = p->places;
    pgn_reader *r = NULL;
    if (pgn_reader_new(&r, &p->job->options, NULL) != XQ_OK) {
        cli_error("out of memory");
        p->failed = true;
        return;
    }
    while (!cli_interrupted() && take(p, at))
        if (!read_games(p, at, r) || !emit(p, at)) {
            p->stop = true;
            break;
        }
    pgn_reader_close(r);
}

/* ---- several ---- */

/* All below are called with the lock held, and let go of it while they
 * work. */

static void halt(struct pipe *p)
{
    p->stop = true;
    pthread_cond_broadcast(&p->moved);
}

static struct place *take_in_turn(struct pipe *p)
{
    while (!p->stop && !p->input_ended &&
           (p->input_busy || p->taken - p->emitted >= p->nplaces))
        pthread_cond_wait(&p->moved, &p->lock);
    if (p->stop || p->input_ended)
        return NULL;
    struct place *at = &p->places[p->taken % p->nplaces];
    p->input_busy = true;
    pthread_mutex_unlock(&p->lock);
    const bool taken = !cli_interrupted() && take(p, at);
    pthread_mutex_lock(&p->lock);
    p->input_busy = false;
    if (taken) {
        at->state = READING;
        p->taken++;
    } else {
        p->input_ended = true;
    }
    pthread_cond_broadcast(&p->moved);
    return taken ? at : NULL;
}

/* Whoever finds the next part read emits it, and those behind it that are
 * read by then. */
static void emit_in_turn(struct pipe *p)
{
    if (p->emitting)
        return; /* that thread looks again before it leaves */
    p->emitting = true;
    for (;;) {
        struct place *at = head_place(p);
        if (p->stop || p->emitted == p->taken || at->state != READ)
            break;
        pthread_mutex_unlock(&p->lock);
        const bool go_on = emit(p, at);
        pthread_mutex_lock(&p->lock);
        at->state = FREE;
        p->emitted++;
        if (!go_on)
            halt(p);
        pthread_cond_broadcast(&p->moved);
    }
    p->emitting = false;
}

static void *work(void *arg)
{
    struct pipe *p = arg;
    pgn_reader *r = NULL;
    const bool ok = pgn_reader_new(&r, &p->job->options, NULL) == XQ_OK;
    pthread_mutex_lock(&p->lock);
    if (!ok) {
        p->failed = true;
        halt(p);
    }
    struct place *at;
    while ((at = take_in_turn(p)) != NULL) {
        pthread_mutex_unlock(&p->lock);
        const bool go_on = read_games(p, at, r);
        pthread_mutex_lock(&p->lock);
        if (!go_on) {
            halt(p);
            break;
        }
        at->state = READ;
        emit_in_turn(p);
    }
    pthread_mutex_unlock(&p->lock);
    pgn_reader_close(r);
    return NULL;
}

static void run_together(struct pipe *p, unsigned threads)
{
    pthread_t id[THREADS_MAX];
    unsigned n = 0;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->moved, NULL);
    while (n + 1 < threads && pthread_create(&id[n], NULL, work, p) == 0)
        n++;
    work(p); /* this one works too; with no other it does all */
    while (n > 0)
        pthread_join(id[--n], NULL);
    pthread_cond_destroy(&p->moved);
    pthread_mutex_destroy(&p->lock);
}

/* ---- the whole ---- */

static void sum_up(struct pipe *p)
{
    const pgn_skipped skipped = pgn_split_skipped(p->split);
    pipe_files_skipped(&p->files, &skipped);
    if (!p->stop && !cli_interrupted())
        pipe_files_note(&p->files);
    if (p->job->sum)
        *p->job->sum = (pipe_sum){p->files.read, p->files.skipped, p->failed};
    pipe_files_free(&p->files);
}

int pipe_run(const pipe_job *job, const char *const *paths, size_t n)
{
    struct pipe p = {.job = job};
    xq_err err;
    if (pgn_split_open(&p.split, paths, n, job->options.encoding, &err) !=
        XQ_OK) {
        cli_error("%s", err.msg);
        return CLI_FAIL;
    }
    if (job->options.repair)
        pgn_split_repair(p.split);
    const uint64_t total = pgn_split_total(p.split);
    p.total = total;
    unsigned threads = pipe_threads(job->threads);
    if (total && total < SMALL_INPUT)
        threads = 1;
    p.nplaces = threads == 1 ? 1 : 2 * (size_t)threads + 2;
    p.places = calloc(p.nplaces, sizeof *p.places);
    if (!p.places) {
        cli_error("out of memory");
        pgn_split_close(p.split);
        return CLI_FAIL;
    }
    cli_catch_interrupts();
    if (!job->own_progress)
        cli_progress_start(&p.progress, job->progress, total);
    if (!total && (p.progress.on || (job->own_progress && job->progress)))
        p.progress.total = p.total = pgn_split_measure(p.split);
    if (threads == 1)
        run_alone(&p);
    else
        run_together(&p, threads);
    cli_progress_end(&p.progress);
    for (size_t i = 0; i < p.nplaces; i++) {
        pgn_segment_free(&p.places[i].seg);
        if (p.places[i].result)
            job->free_result(p.places[i].result);
    }
    free(p.places);
    sum_up(&p);
    pgn_split_close(p.split);
    if (cli_interrupted())
        return CLI_INTERRUPTED;
    return p.failed || p.stop ? CLI_FAIL : CLI_OK;
}
