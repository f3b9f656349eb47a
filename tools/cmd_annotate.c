/* cmd_annotate.c - qipu annotate: games with evaluations, better lines, and a
 * judgement of each move.
 *
 * One thread reads the games and writes them; the others ask about positions,
 * of several games at once, each its own engine (crew.h).  Whoever has asked
 * about the second of two positions that follow each other also asks what has
 * to be known besides to judge the move between them. */
#include "tools/cmd.h"

#include "engine/key.h"
#include "libpgn/writer.h"
#include "tools/annotate.h"
#include "tools/annotate_book.h"
#include "tools/annotate_json.h"
#include "tools/annotate_progress.h"
#include "tools/child.h"
#include "tools/crew.h"
#include "tools/evalcache.h"
#include "tools/page.h"
#include "tools/pipe.h"
#include "tools/thinker.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

struct args {
    const char *engine, *cache, *book, *out, *html, *notation, *script, *input;
    struct cli_list options;
    uint64_t depth, nodes, movetime, multipv, hash, timeout, line, threads;
    uint64_t game, limit;
    bool json, progress;
};

static const struct cli_opt OPTS[] = {
    {"book", 0, CLI_STR, offsetof(struct args, book), "BOOK",
     "mark the first move that BOOK does not know"},
    {"cache", 0, CLI_STR, offsetof(struct args, cache), "FILE",
     "keep evaluations in FILE: nothing is asked twice, and a run that was "
     "stopped goes on"},
    {"depth", 0, CLI_UINT, offsetof(struct args, depth), "N",
     "search each position N plies deep"},
    {"engine", 0, CLI_STR, offsetof(struct args, engine), "CMD",
     "ask another engine: UCI, UCCI or CECP (default: our own)"},
    {"engine-option", 0, CLI_LIST, offsetof(struct args, options), "NAME=VALUE",
     "set an option of that engine; may be given several times"},
    {"game", 0, CLI_UINT, offsetof(struct args, game), "N",
     "only game N of a file"},
    {"hash", 0, CLI_SIZE, offsetof(struct args, hash), "SIZE",
     "hash table of an engine (default: 16M, another engine's own)"},
    {"html", 0, CLI_STR, offsetof(struct args, html), "FILE",
     "write a page for browsers to FILE, and games only with -o ('-': to "
     "standard output) or --json"},
    {"input-encoding", 0, CLI_STR, offsetof(struct args, input), "ENC",
     "do not judge the input's encoding: it is ENC"},
    {"jobs", 'j', CLI_UINT, offsetof(struct args, threads), "N",
     "positions at a time, an engine each (default: one a processor)"},
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL,
     "JSON, a game a line, a summary last"},
    {"limit", 0, CLI_UINT, offsetof(struct args, limit), "N",
     "only the first N games"},
    {"movetime", 0, CLI_UINT, offsetof(struct args, movetime), "MS",
     "search each position so long"},
    {"multipv", 0, CLI_UINT, offsetof(struct args, multipv), "N",
     "lines to compare, for only moves at least 2 (default: 2)"},
    {"nodes", 0, CLI_UINT, offsetof(struct args, nodes), "N",
     "search so many nodes a position (default: 100000); CECP engines have no "
     "such limit"},
    {"notation", 0, CLI_STR, offsetof(struct args, notation), "N",
     "notation of the moves (default: chinese)"},
    {"output", 'o', CLI_STR, offsetof(struct args, out), "OUT",
     "write to OUT, which appears when complete"},
    {"progress", 0, CLI_FLAG, offsetof(struct args, progress), NULL,
     "show progress even where stderr is no terminal"},
    {"script", 0, CLI_STR, offsetof(struct args, script), "S",
     "characters of the moves: simplified or traditional (default: as the "
     "input)"},
    {"timeout", 0, CLI_UINT, offsetof(struct args, timeout), "SECONDS",
     "how long any answer of an engine may take (default: 60)"},
    {"variation", 0, CLI_UINT, offsetof(struct args, line), "PLIES",
     "length of a better line, mates aside; 0: all of it (default: 10)"},
    {0},
};

enum { DEFAULT_NODES = 100000 };
#define NOT_GIVEN UINT64_MAX

/* A game under way. */
struct job {
    struct job *next;  /* of those that are free */
    struct job *other; /* of all there are */
    game_edit e;
    analysis *v;       /* plies + 1 */
    analysis **better; /* plies, NULL where nothing is doubted */
    atomic_uchar *met; /* plies: of both positions of a move, how many are
                          known */
    uint16_t *lost;    /* plies */
    size_t cap, nbetter;
    char *file;
    uint64_t number; /* in its file */
    /* why the first position without an answer has none */
    uint32_t failed_ply;
    bool failed;
    char why[sizeof((xq_err *)0)->msg];
};

struct worker {
    struct annotation *run;
    thinker *t;  /* NULL: not needed so far */
    bool unable; /* it cannot be opened: not tried again */
};

struct annotation {
    struct args args;
    thinker_options how;
    evalcache *cache; /* NULL: none */
    annotate_book book;
    struct worker *workers;
    void **refs; /* to them, for the crew */
    unsigned nworkers;
    crew *crew;
    struct job *free, *all;
    cli_out out, html; /* html: unless there is none, path is set */
    bool page_only;    /* nothing is written to out */
    pgn_style style;
    page_style page;
    cli_buf annotator;
    pgn_buf text;
    annotate_progress progress;
    /* Positions: of the games that were read, with an answer, with one of an
     * engine; what annotate_count calls began and known; and how much of the
     * input is read. */
    uint64_t added, games_added, games_read;
    bool enough; /* no more games are wanted */
    atomic_ullong answered, by_engine, began, known;
    double share;

    pthread_mutex_t lock; /* for what follows, and the reasons of jobs */
    xq_err broken;        /* code is not 0: the run cannot go on */

    /* of the file that is read */
    uint64_t games_in_file;

    uint64_t games, faulty, positions, failed, unconfirmed;
    annotate_side side[2];
};

/* ---- a position, in any thread ---- */

static void give_up(struct annotation *run, const xq_err *err)
{
    pthread_mutex_lock(&run->lock);
    if (run->broken.code == XQ_OK)
        run->broken = *err;
    pthread_mutex_unlock(&run->lock);
}

static bool is_broken(struct annotation *run)
{
    pthread_mutex_lock(&run->lock);
    const bool broken = run->broken.code != XQ_OK;
    pthread_mutex_unlock(&run->lock);
    return broken;
}

/* The first by ply counts: it does not hang on who was faster. */
static void note_failure(struct annotation *run, struct job *j, uint32_t ply,
                         const char *why)
{
    pthread_mutex_lock(&run->lock);
    if (!j->failed || ply < j->failed_ply) {
        j->failed = true;
        j->failed_ply = ply;
        snprintf(j->why, sizeof j->why, "%s", why);
    }
    pthread_mutex_unlock(&run->lock);
}

static xq_status ask(struct worker *w, const xq_pos *q, analysis *a,
                     xq_err *err)
{
    struct annotation *run = w->run;
    xq_status rc = XQ_OK;
    if (w->unable) {
        rc = xq_fail(err, XQ_EIO, "one more engine cannot be started");
    } else if (!w->t) {
        thinker *t = NULL;
        rc = thinker_open(&t, &run->how, err);
        w->unable = rc != XQ_OK;
        pthread_mutex_lock(&run->lock); /* stop_all looks at it */
        w->t = t;
        pthread_mutex_unlock(&run->lock);
    }
    if (rc == XQ_OK)
        return thinker_ask(w->t, q, a, err);
    /* The first engine could be started; one more cannot (some may run only
     * once).  That is a failure like others. */
    a->state = ANALYSIS_FAILED;
    a->nlines = 0;
    return rc == XQ_ENOMEM || rc == XQ_DONE ? rc : XQ_OK;
}

/* An engine has answered; at `asked`, `known` positions were done. */
static void count_answer(struct annotation *run, uint64_t asked, uint64_t known)
{
    unsigned long long none = 0;
    if (atomic_compare_exchange_strong(&run->began, &none, asked))
        atomic_store(&run->known, known);
    atomic_fetch_add(&run->by_engine, 1);
}

/* The position after `ply`. */
static void position_after(const struct job *j, uint32_t ply, xq_pos *p)
{
    *p = j->e.g.start;
    for (uint32_t i = 0; i < ply; i++)
        xq_pos_make(p, j->e.g.main[i], NULL);
}

/* What the cache or the engine says of p; ply: for the reason of a failure.
 * False: the run ends. */
static bool look_up(struct worker *w, struct job *j, uint32_t ply,
                    const xq_pos *p, analysis *a)
{
    xq_err err = {0};
    xq_pos q;
    a->state = ANALYSIS_NONE;
    a->nlines = 0;
    a->claim = 0;
    if (cli_interrupted() || is_broken(w->run))
        return false;
    const bool mirrored = analysis_frame(&q, p);
    if (!w->run->cache || !evalcache_find(w->run->cache, &q, a)) {
        const uint64_t asked = child_now();
        const uint64_t known = atomic_load(&w->run->answered);
        xq_status rc = ask(w, &q, a, &err);
        if (rc == XQ_OK && w->run->cache)
            rc = evalcache_put(w->run->cache, &q, a, &err);
        if (rc < 0)
            give_up(w->run, &err);
        if (rc != XQ_OK)
            return false;
        if (a->state == ANALYSIS_FAILED)
            note_failure(w->run, j, ply, err.msg);
        if (a->state != ANALYSIS_OVER) /* nobody was asked */
            count_answer(w->run, asked, known);
    }
    if (mirrored)
        analysis_mirror(a);
    return true;
}

/* One of the positions around move i (from 0), which is played in p, is known.
 * When both are: is that enough? */
static bool meet(struct worker *w, struct job *j, uint32_t i, const xq_pos *p)
{
    xq_pos q = *p, other;
    xq_err err;
    if (atomic_fetch_add(&j->met[i], 1) == 0)
        return true;
    xq_pos_make(&q, j->e.g.main[i], NULL);
    if (!annotate_doubts(&j->v[i], p, j->e.g.main[i], &j->v[i + 1], &q, &other))
        return true;
    j->better[i] = calloc(1, sizeof **j->better);
    if (j->better[i])
        return look_up(w, j, i, &other, j->better[i]);
    xq_fail(&err, XQ_ENOMEM, "out of memory");
    give_up(w->run, &err);
    return false;
}

static void do_position(void *worker, void *job, uint32_t ply)
{
    struct worker *w = worker;
    struct job *j = job;
    xq_pos before, p;
    position_after(j, ply ? ply - 1 : 0, &before);
    p = before;
    if (ply)
        xq_pos_make(&p, j->e.g.main[ply - 1], NULL);
    if (!look_up(w, j, ply, &p, &j->v[ply]) ||
        (ply > 0 && !meet(w, j, ply - 1, &before)) ||
        (ply < j->e.g.plies && !meet(w, j, ply, &p)))
        return;
    atomic_fetch_add(&w->run->answered, 1);
}

/* ---- a game is done ---- */

/* FILE:LINE: game N: ply P: message */
static void say(const struct job *j, uint64_t line, uint32_t ply, bool has_ply,
                xq_str message)
{
    pgn_buf b = {0};
    if (cli_quiet)
        return;
    pgn_buf_visible(&b, xq_str_of(j->file));
    if (line)
        pgn_buf_printf(&b, ":%" PRIu64, line);
    pgn_buf_printf(&b, ": game %" PRIu64, j->number);
    if (has_ply)
        pgn_buf_printf(&b, ": ply %" PRIu32, ply);
    pgn_buf_puts(&b, ": ");
    pgn_buf_visible(&b, message);
    pgn_buf_puts(&b, "\n");
    if (!b.failed)
        fwrite(b.s, 1, b.n, stderr);
    pgn_buf_free(&b);
}

static void say_faults(const struct job *j)
{
    const pgn_game *g = &j->e.g;
    for (uint32_t i = 0; i < g->nproblems; i++) {
        const pgn_problem *p = &g->problems[i];
        if (p->level == PGN_ERROR)
            say(j, p->restored ? g->line : p->line, p->ply, p->ply > 0,
                p->message);
    }
}

static void say_failures(const struct job *j, uint32_t failed)
{
    char text[sizeof j->why + 80];
    if (failed == 0)
        return;
    snprintf(text, sizeof text, "%" PRIu32 " position%s without an answer: %s",
             failed, failed == 1 ? "" : "s", j->why);
    say(j, j->e.g.line, j->failed_ply, true, xq_str_of(text));
}

static void add_side(annotate_side *sum, const annotate_side *s)
{
    sum->moves += s->moves;
    for (int k = 0; k < ANNOTATE_MARKS; k++)
        sum->marks[k] += s->marks[k];
    sum->missed_mates += s->missed_mates;
    sum->accuracy += s->accuracy * s->moves;
}

static xq_status write_game(struct annotation *run, const struct job *j,
                            const annotate_report *r)
{
    const pgn_game *g = &j->e.g;
    run->text.n = 0;
    if (run->page_only)
        return XQ_OK;
    xq_status rc = run->args.json
                       ? annotate_json_game(&run->text, g, j->v, j->lost, r)
                       : pgn_write_pgn(g, &run->style, &run->text, NULL);
    if (rc == XQ_OK && run->text.failed)
        rc = XQ_ENOMEM;
    if (rc == XQ_OK)
        cli_write(run->out.f, run->text.s, run->text.n);
    return rc;
}

static xq_status write_page(struct annotation *run, const pgn_game *g)
{
    cli_buf b = {0};
    if (!run->html.path)
        return XQ_OK;
    xq_status rc = page_add_game(&b, g, &run->page);
    if (rc == XQ_OK)
        cli_write(run->html.f, b.s, b.n);
    cli_buf_free(&b);
    return rc;
}

/* What stands before the first game, or behind the last. */
static bool frame_page(struct annotation *run, bool begin)
{
    return !run->html.path || page_write_frame(run->html.f, &run->page, begin);
}

/* Annotate and write it.  False: stop. */
static bool finish_game(struct annotation *run, struct job *j)
{
    xq_err err = {0};
    annotate_report r = {0};
    annotate_options o = {.annotator = run->annotator.s,
                          .variation = (unsigned)run->args.line};
    pgn_game *g = &j->e.g;
    xq_status rc = annotate_book_leaves(&run->book, g, &o.out_of_book, &err);
    if (rc == XQ_OK && !g->skipped)
        annotate_game(&j->e, j->v, j->better, &o, j->lost, &r);
    if (rc == XQ_OK && j->e.failed)
        rc = xq_fail(&err, XQ_ENOMEM, "out of memory");
    if (rc == XQ_OK && ((rc = write_game(run, j, &r)) != XQ_OK ||
                        (rc = write_page(run, g)) != XQ_OK))
        xq_fail(&err, rc, "out of memory");
    if (rc != XQ_OK) {
        give_up(run, &err);
        return false;
    }
    say_faults(j);
    say_failures(j, r.failed);
    run->games++;
    run->faulty += g->faulty || g->skipped;
    run->positions += g->skipped ? 0 : (uint64_t)g->plies + 1;
    run->failed += r.failed;
    run->unconfirmed += r.unconfirmed;
    for (int s = 0; s < 2; s++)
        add_side(&run->side[s], &r.side[s]);
    /* a full disk: stop at once */
    return !ferror(run->out.f) && !(run->html.path && ferror(run->html.f));
}

static void tick(struct annotation *run)
{
    const annotate_count c = {
        .games = run->games,
        .done = atomic_load(&run->answered),
        .asked = atomic_load(&run->by_engine),
        .total = run->share > 0 ? (double)run->added / run->share : 0,
        .began = atomic_load(&run->began),
        .known = atomic_load(&run->known),
    };
    annotate_progress_tick(&run->progress, &c);
}

/* Write games that are done until at most `most` are under way.  False: stop.
 */
static bool drain(struct annotation *run, size_t most)
{
    bool go_on = true;
    for (;;) {
        if (cli_interrupted() || is_broken(run))
            return false;
        const bool wait = crew_jobs(run->crew) > most;
        struct job *j = crew_next(run->crew, wait ? 100 : 0);
        tick(run);
        if (!j && !wait)
            return true;
        if (!j)
            continue;
        /* What was interrupted has positions that nobody was asked about. */
        go_on = !cli_interrupted() && !is_broken(run) && finish_game(run, j);
        j->next = run->free;
        run->free = j;
        if (!go_on)
            return false;
    }
}

/* ---- a game is read ---- */

static struct job *new_job(struct annotation *run)
{
    struct job *j = run->free;
    if (j) {
        run->free = j->next;
        return j;
    }
    j = calloc(1, sizeof *j);
    if (j) {
        j->other = run->all;
        run->all = j;
    }
    return j;
}

static void forget_better(struct job *j)
{
    for (size_t i = 0; i < j->nbetter; i++)
        free(j->better[i]);
    j->nbetter = 0;
}

static void free_job(struct job *j)
{
    game_edit_free(&j->e);
    forget_better(j);
    free(j->better);
    free(j->met);
    free(j->lost);
    free(j->v);
    free(j->file);
    free(j);
}

static bool fill(struct job *j, const pgn_game *g, const pipe_at *at)
{
    game_edit_copy(&j->e, g);
    forget_better(j);
    const size_t n = (size_t)g->plies + 1;
    if (n > j->cap) {
        free(j->v);
        free(j->better);
        free(j->met);
        free(j->lost);
        j->v = calloc(n, sizeof *j->v);
        j->better = calloc(n, sizeof *j->better);
        j->met = calloc(n, sizeof *j->met);
        j->lost = calloc(n, sizeof *j->lost);
        j->cap = j->v && j->better && j->met && j->lost ? n : 0;
    }
    if (j->cap) {
        j->nbetter = n;
        for (size_t i = 0; i < n; i++) {
            j->better[i] = NULL;
            atomic_init(&j->met[i], 0);
        }
    }
    free(j->file);
    j->file = strdup(at->file);
    j->failed = false;
    return j->cap && j->file && !j->e.failed;
}

static void note_added(struct annotation *run, const pgn_game *g, double share)
{
    const uint64_t most =
        run->args.game != NOT_GIVEN ? 1 : run->args.limit; /* or NOT_GIVEN */
    run->added += g->skipped ? 0 : (uint64_t)g->plies + 1;
    run->games_added++;
    run->enough = run->games_added >= most;
    const double part = (double)run->games_added / (double)most;
    run->share = run->enough ? 1 : share > part ? share : part;
}

static bool on_game(void *result, const pgn_game *g, const pipe_at *at)
{
    struct annotation *run = *(struct annotation **)result;
    xq_err err;
    if (at->seg->first && g->number == 1)
        run->games_in_file = 0;
    run->games_in_file++;
    run->games_read++;
    if (run->args.game != NOT_GIVEN && run->games_read != run->args.game)
        return true;
    struct job *j = new_job(run);
    if (!j) {
        xq_fail(&err, XQ_ENOMEM, "out of memory");
        give_up(run, &err);
        return false;
    }
    j->number = run->games_in_file;
    if (!fill(j, g, at))
        xq_fail(&err, XQ_ENOMEM, "out of memory");
    else if (crew_add(run->crew, j, g->skipped ? 0 : g->plies + 1, &err) ==
             XQ_OK) {
        note_added(run, g, at->share);
        return drain(run, 2 * (size_t)run->nworkers + 2) && !run->enough;
    }
    give_up(run, &err);
    return false;
}

static void *new_result(void *ctx)
{
    struct annotation **r = malloc(sizeof *r);
    if (r)
        *r = ctx;
    return r;
}

static bool on_part(void *ctx, void *result, const pipe_part *part)
{
    (void)ctx, (void)result, (void)part;
    return true;
}

/* ---- the whole ---- */

static void print_json(struct annotation *run)
{
    pgn_buf b = {0};
    pgn_buf_printf(&b,
                   "{\"summary\":{\"games\":%" PRIu64 ",\"faulty\":%" PRIu64
                   ",\"positions\":%" PRIu64 ",\"failed\":%" PRIu64
                   ",\"unconfirmed\":%" PRIu64,
                   run->games, run->faulty, run->positions, run->failed,
                   run->unconfirmed);
    for (int k = 0; k < 2; k++) {
        annotate_side side = run->side[k];
        side.accuracy /= side.moves ? side.moves : 1;
        annotate_json_side(&b, (xq_side)k, &side, NULL);
    }
    pgn_buf_puts(&b, "}}\n");
    if (!b.failed)
        cli_write(run->out.f, b.s, b.n);
    pgn_buf_free(&b);
}

static void print_note(const struct annotation *run)
{
    uint32_t marks[ANNOTATE_MARKS];
    for (int k = 0; k < ANNOTATE_MARKS; k++)
        marks[k] = run->side[0].marks[k] + run->side[1].marks[k];
    cli_note("games %" PRIu64 ", positions %" PRIu64 ", inaccuracies %" PRIu32
             ", mistakes %" PRIu32 ", blunders %" PRIu32
             ", missed mates %" PRIu32,
             run->games, run->positions, marks[ANNOTATE_INACCURACY],
             marks[ANNOTATE_MISTAKE], marks[ANNOTATE_BLUNDER],
             run->side[0].missed_mates + run->side[1].missed_mates);
    if (run->faulty)
        cli_note("%" PRIu64 " of %" PRIu64 " games faulty, annotated up to the "
                 "fault",
                 run->faulty, run->games);
    if (run->unconfirmed)
        cli_note("%" PRIu64 " claim%s of mate could not be confirmed",
                 run->unconfirmed, run->unconfirmed == 1 ? "" : "s");
    if (run->failed)
        cli_note("%" PRIu64 " position%s without an answer", run->failed,
                 run->failed == 1 ? "" : "s");
}

/* Report, keep or drop the output; the exit status. */
static int finish(struct annotation *run, int rc)
{
    xq_err err;
    const bool named = run->out.path != NULL;
    if (rc == CLI_INTERRUPTED) {
        cli_note("interrupted%s%s", named ? ", nothing is written" : "",
                 run->cache ? "; the cache has what was found"
                            : "; with '--cache FILE' a run can go on");
    } else if (run->broken.code != XQ_OK) {
        cli_error("%s", run->broken.msg);
        rc = CLI_FAIL;
    }
    const bool keep = !named || rc == CLI_OK ||
                      (rc == CLI_FAIL && run->games &&
                       run->broken.code == XQ_OK && !ferror(run->out.f));
    if (run->args.json && rc != CLI_INTERRUPTED)
        print_json(run);
    if (rc != CLI_INTERRUPTED)
        print_note(run);
    if (keep && cli_out_commit(&run->out, &err) != XQ_OK) {
        cli_error("%s", err.msg);
        rc = CLI_FAIL;
    }
    cli_out_abort(&run->out);
    /* The page is worth having when there is a game in it. */
    if (run->html.path) {
        const bool whole = rc == CLI_OK || (rc == CLI_FAIL && run->games &&
                                            run->broken.code == XQ_OK);
        if (whole && !frame_page(run, false)) {
            cli_error("out of memory");
            rc = CLI_FAIL;
        } else if (whole && cli_out_commit(&run->html, &err) != XQ_OK) {
            cli_error("%s", err.msg);
            rc = CLI_FAIL;
        }
        cli_out_abort(&run->html);
    }
    if (rc == CLI_OK && (run->faulty || run->failed))
        rc = CLI_FOUND;
    return cli_finish(rc);
}

static int run_pipe(struct annotation *run, pgn_encoding input, int argc,
                    char **argv)
{
    cli_catch_interrupts();
    annotate_progress_start(&run->progress, run->args.progress);
    pipe_sum sum = {0};
    const pipe_job job = {
        .game = on_game,
        .emit = on_part,
        .ctx = run,
        .new_result = new_result,
        .free_result = free,
        .threads = 1, /* reading is nothing beside thinking */
        .options = {.encoding = input},
        .progress = run->progress.on,
        .own_progress = true,
        .sum = &sum,
    };
    int rc = pipe_run(&job, (const char *const *)argv, (size_t)argc);
    if (rc == CLI_FAIL && run->enough && !sum.failed)
        rc = CLI_OK; /* we stopped it ourselves */
    if (rc == CLI_OK && run->args.game != NOT_GIVEN && !run->enough) {
        cli_error("%s: there is no game %" PRIu64 ", only %" PRIu64, argv[0],
                  run->args.game, run->games_read);
        rc = CLI_FAIL;
    }
    run->share = 1;
    if (rc != CLI_INTERRUPTED && !drain(run, 0))
        rc = CLI_FAIL;
    annotate_progress_end(&run->progress);
    return cli_interrupted() ? CLI_INTERRUPTED : rc;
}

/* Who, and how thoroughly: "qipu 0.1.0, 100000 nodes". */
static xq_status set_annotator(struct annotation *run, const char *who,
                               xq_err *err)
{
    const struct args *a = &run->args;
    cli_buf *const b = &run->annotator;
    cli_buf_puts(b, who);
    if (a->depth)
        cli_buf_printf(b, ", depth %" PRIu64, a->depth);
    else if (a->movetime)
        cli_buf_printf(b, ", %" PRIu64 " ms", a->movetime);
    else
        cli_buf_printf(b, ", %" PRIu64 " node%s", a->nodes,
                       a->nodes == 1 ? "" : "s");
    return b->failed ? xq_fail(err, XQ_ENOMEM, "out of memory") : XQ_OK;
}

static xq_status open_all(struct annotation *run, xq_err *err)
{
    const struct args *a = &run->args;
    run->workers = calloc(run->nworkers, sizeof *run->workers);
    run->refs = calloc(run->nworkers, sizeof *run->refs);
    if (!run->workers || !run->refs)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    for (unsigned i = 0; i < run->nworkers; i++) {
        run->workers[i].run = run;
        run->refs[i] = &run->workers[i];
    }
    xq_status rc = thinker_open(&run->workers[0].t, &run->how, err);
    if (rc == XQ_OK) {
        rc = set_annotator(run, thinker_name(run->workers[0].t), err);
        if (rc == XQ_OK && a->cache)
            rc = evalcache_open(&run->cache, a->cache,
                                thinker_identity(run->workers[0].t), err);
    }
    if (rc == XQ_OK && a->book)
        rc = annotate_book_open(&run->book, a->book, err);
    if (rc == XQ_OK && run->book.dat && bk_bookdat_trailing(run->book.dat) > 0)
        cli_note("%s: the last record of the book is not whole: it may be cut "
                 "short",
                 a->book);
    if (rc == XQ_OK)
        rc = cli_out_open(&run->out, a->out, err);
    if (rc == XQ_OK && a->html)
        rc = cli_out_open(&run->html, a->html, err);
    if (rc == XQ_OK && !frame_page(run, true))
        rc = xq_fail(err, XQ_ENOMEM, "out of memory");
    if (rc == XQ_OK)
        rc = crew_open(&run->crew, run->refs, run->nworkers, do_position, err);
    return rc;
}

/* Searches that are under way would go on to their limit. */
static void stop_all(struct annotation *run)
{
    const struct timespec moment = {0, 5000000};
    while (run->crew && !crew_stop(run->crew)) {
        pthread_mutex_lock(&run->lock);
        for (unsigned i = 0; i < run->nworkers; i++)
            if (run->workers[i].t)
                thinker_stop(run->workers[i].t);
        pthread_mutex_unlock(&run->lock);
        nanosleep(&moment, NULL);
    }
}

static xq_status close_all(struct annotation *run, xq_err *err)
{
    stop_all(run);
    crew_close(run->crew);
    const xq_status rc = evalcache_close(run->cache, err);
    for (unsigned i = 0; run->workers && i < run->nworkers; i++)
        thinker_close(run->workers[i].t);
    free(run->workers);
    free(run->refs);
    annotate_book_close(&run->book);
    while (run->all) {
        struct job *j = run->all;
        run->all = j->other;
        free_job(j);
    }
    pgn_buf_free(&run->text);
    cli_buf_free(&run->annotator);
    pthread_mutex_destroy(&run->lock);
    return rc;
}

static int run_all(struct annotation *run, pgn_encoding input, int argc,
                   char **argv)
{
    xq_err err;
    int rc;
    /* An engine that dies must not take us along. */
    signal(SIGPIPE, SIG_IGN);
    pthread_mutex_init(&run->lock, NULL);
    if (open_all(run, &err) != XQ_OK) {
        cli_error("%s", err.msg);
        cli_out_abort(&run->out);
        if (run->html.path)
            cli_out_abort(&run->html);
        close_all(run, NULL);
        return CLI_FAIL;
    }
    rc = run_pipe(run, input, argc, argv);
    rc = finish(run, rc);
    if (close_all(run, &err) != XQ_OK) {
        cli_error("%s", err.msg);
        rc = CLI_FAIL;
    }
    return rc;
}

/* ---- the command line ---- */

/* What is not given is 0 from now on. */
static int read_limits(const struct cli_cmd *self, struct args *a)
{
    const struct {
        const char *option;
        uint64_t *value;
    } LIMITS[] = {{"--depth", &a->depth},
                  {"--nodes", &a->nodes},
                  {"--movetime", &a->movetime}};
    int given = 0;
    for (size_t i = 0; i < sizeof LIMITS / sizeof *LIMITS; i++) {
        if (*LIMITS[i].value == 0)
            return cli_usage(self, "option '%s' takes at least 1",
                             LIMITS[i].option);
        given += *LIMITS[i].value != NOT_GIVEN;
        if (*LIMITS[i].value == NOT_GIVEN)
            *LIMITS[i].value = 0;
    }
    if (given > 1)
        return cli_usage(self, "options '--depth', '--nodes' and '--movetime' "
                               "exclude each other");
    if (given == 0)
        a->nodes = DEFAULT_NODES;
    if (a->depth > XQ_MAX_PLY)
        return cli_usage(self, "option '--depth' takes 1 to %d", XQ_MAX_PLY);
    if (a->multipv < 1 || a->multipv > ANALYSIS_LINES)
        return cli_usage(self, "option '--multipv' takes 1 to %d",
                         ANALYSIS_LINES);
    if (a->line > XQ_MAX_PLY)
        return cli_usage(self, "option '--variation' takes 0 to %d",
                         XQ_MAX_PLY);
    if (a->hash && a->hash < 1 << 20)
        return cli_usage(self, "option '--hash' takes at least 1M");
    if (a->timeout < 1 || a->timeout > 1000000)
        return cli_usage(self, "option '--timeout' takes 1 to 1000000");
    if (a->options.n && !a->engine)
        return cli_usage(self, "option '--engine-option' needs '--engine'");
    return -1;
}

static int read_choice(const struct cli_cmd *self, const struct args *a,
                       int operands)
{
    if (a->game == 0)
        return cli_usage(self, "option '--game': games count from 1");
    if (a->limit == 0)
        return cli_usage(self, "option '--limit' takes at least 1");
    if (a->game != NOT_GIVEN && operands != 1)
        return cli_usage(self, "option '--game' takes one file of games");
    if (a->game != NOT_GIVEN && a->limit != NOT_GIVEN)
        return cli_usage(self,
                         "options '--game' and '--limit' exclude each other");
    return -1;
}

static bool is_page_name(const char *path)
{
    const char *const dot = strrchr(cli_base_name(path), '.');
    return dot && (!strcasecmp(dot, ".html") || !strcasecmp(dot, ".htm"));
}

static int read_style(const struct cli_cmd *self, struct annotation *run)
{
    pgn_style *st = &run->style;
    const struct args *a = &run->args;
    st->notation = PGN_CHINESE;
    st->script_as_game = !a->script;
    if (a->json && (a->notation || a->script))
        return cli_usage(self, "options '--notation' and '--script' say "
                               "nothing about JSON: its moves are h2e2");
    if (a->notation &&
        !cli_notation(self, "--notation", a->notation, &st->notation))
        return CLI_FAIL;
    if (a->script && !cli_script(self, a->script, &st->script))
        return CLI_FAIL;
    if (a->html && !strcmp(a->html, "-"))
        return cli_usage(self, "option '--html' takes a file");
    if (a->out && is_page_name(a->out))
        return cli_usage(self,
                         "what '-o' writes is no page: '--html %s' writes one",
                         a->out);
    if (cli_same_file(a->out, a->html))
        return cli_usage(self, "options '--output' and '--html' name one file");
    if (cli_same_file(a->cache, a->out) || cli_same_file(a->cache, a->html))
        return cli_usage(self, "the cache is no output: '%s'", a->cache);
    run->page = (page_style){.script = st->script,
                             .script_as_game = st->script_as_game};
    return -1;
}

int cmd_annotate(const struct cli_cmd *self, int argc, char **argv)
{
    struct annotation run = {.args = {.depth = NOT_GIVEN,
                                      .nodes = NOT_GIVEN,
                                      .movetime = NOT_GIVEN,
                                      .game = NOT_GIVEN,
                                      .limit = NOT_GIVEN,
                                      .multipv = 2,
                                      .timeout = 60,
                                      .line = 10}};
    struct args *a = &run.args;
    pgn_encoding input = PGN_ENC_AUTO;
    int rc = cli_parse(self, OPTS, a, &argc, &argv);
    if (rc >= 0)
        return rc;
    if (argc == 0)
        rc = cli_usage(self, "no input: name a file, a folder, or -");
    if (rc < 0)
        rc = read_limits(self, a);
    if (rc < 0)
        rc = read_choice(self, a, argc);
    if (rc < 0)
        rc = read_style(self, &run);
    for (int i = 0; rc < 0 && i < argc; i++)
        if (cli_same_file(a->html, argv[i]))
            rc = cli_usage(self, "the page would take the place of '%s'",
                           argv[i]);
    if (rc < 0 && a->input && !pgn_encoding_of(a->input, &input))
        rc = cli_usage(self, "unknown encoding '%s'; known: " CLI_ENCODINGS,
                       a->input);
    if (rc < 0) {
        run.how = (thinker_options){
            .engine = a->engine,
            .options = a->options.v,
            .noptions = a->options.n,
            .timeout = (unsigned)a->timeout,
            .depth = (unsigned)a->depth,
            .nodes = a->nodes,
            .movetime = a->movetime,
            .multipv = (unsigned)a->multipv,
            .hash = (size_t)a->hash,
        };
        run.nworkers = pipe_threads(a->threads);
        run.page_only = a->html && !a->out && !a->json;
        run.page.title = cli_base_name(argv[0]);
        rc = run_all(&run, input, argc, argv);
    }
    cli_list_free(&a->options);
    return rc;
}
