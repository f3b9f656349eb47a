/* cmd_book_build.c - qipu book build, qipu book add: books out of games.
 *
 * Threads read games and make their rows (pipe.h); one at a time hands them
 * to the maker, in the order of the input. */
#include "tools/cmd.h"

#include "bookdb/book.h"
#include "bookdb/db.h"
#include "tools/pipe.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct args {
    const char *out, *encoding, *player;
    struct cli_list dbs;
    uint64_t threads, memory, max_ply, min_games, min_elo, since;
    bool one_wing, keep_faulty, keep_duplicates, strict, progress, json;
};

static const struct cli_opt OPTS[] = {
    {"output", 'o', CLI_STR, offsetof(struct args, out), "BOOK",
     "the book, which appears when complete"},
    {"database", 'd', CLI_LIST, offsetof(struct args, dbs), "DB",
     "take the games of a database (may be given several times)"},
    {"one-wing", 0, CLI_FLAG, offsetof(struct args, one_wing), NULL,
     "do not count a position and its mirror image as one"},
    {"max-ply", 0, CLI_UINT, offsetof(struct args, max_ply), "N",
     "leave out moves after ply N"},
    {"min-games", 0, CLI_UINT, offsetof(struct args, min_games), "N",
     "leave out moves played in fewer than N games"},
    {"min-elo", 0, CLI_UINT, offsetof(struct args, min_elo), "N",
     "only games where both players have a rating of N or more"},
    {"player", 0, CLI_STR, offsetof(struct args, player), "NAME",
     "only games of players whose name has NAME in it"},
    {"since", 0, CLI_UINT, offsetof(struct args, since), "YEAR",
     "only games of YEAR and later"},
    {"keep-faulty", 0, CLI_FLAG, offsetof(struct args, keep_faulty), NULL,
     "take the good beginning of faulty games"},
    {"keep-duplicates", 0, CLI_FLAG, offsetof(struct args, keep_duplicates),
     NULL, "count a game as often as it comes"},
    {"input-encoding", 0, CLI_STR, offsetof(struct args, encoding), "ENC",
     "do not judge the encoding: it is ENC"},
    {"strict", 0, CLI_FLAG, offsetof(struct args, strict), NULL,
     "refuse odd start positions"},
    {"jobs", 'j', CLI_UINT, offsetof(struct args, threads), "N",
     "threads (default: one a processor)"},
    {"memory", 0, CLI_SIZE, offsetof(struct args, memory), "SIZE",
     "memory to use (default: 256M)"},
    {"progress", 0, CLI_FLAG, offsetof(struct args, progress), NULL,
     "show progress even where stderr is no terminal"},
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL,
     "the summary as JSON"},
    {0},
};

/* A faulty game: its number in the part, and what is said about it. */
struct fault {
    uint64_t number, line;
    uint32_t ply;
    size_t message_end; /* in `messages`; it begins where the last one ends */
};

/* What a part of the input came to. */
struct result {
    const struct job *job;
    bk_rows rows;
    struct fault *faults;
    size_t nfaults, capfaults;
    cli_buf messages;
};

struct job {
    struct args args;
    bk_filter filter;
    bk_maker *maker;
    uint64_t games, added, duplicates, faulty;
    bool failed; /* the maker failed: reported */
};

static void *new_result(void *ctx)
{
    struct result *r = calloc(1, sizeof *r);
    if (r)
        r->job = ctx;
    return r;
}

static void free_result(void *result)
{
    struct result *r = result;
    bk_rows_free(&r->rows);
    cli_buf_free(&r->messages);
    free(r->faults);
    free(r);
}

static bool note_fault(struct result *r, const pgn_game *g)
{
    struct fault f = {g->number, g->line, 0, 0};
    const pgn_problem *first = NULL;
    if (r->nfaults == r->capfaults) {
        const size_t cap = r->capfaults ? 2 * r->capfaults : 16;
        struct fault *v = realloc(r->faults, cap * sizeof *v);
        if (!v)
            return false;
        r->faults = v;
        r->capfaults = cap;
    }
    for (uint32_t i = 0; i < g->nproblems && !first; i++)
        if (g->problems[i].level == PGN_ERROR)
            first = &g->problems[i];
    if (first) {
        f.line = first->line;
        f.ply = first->ply;
        cli_buf_text(&r->messages, first->message);
    } else {
        cli_buf_puts(&r->messages, "not a game of Xiangqi");
    }
    f.message_end = r->messages.n;
    r->faults[r->nfaults++] = f;
    return !r->messages.failed;
}

static bool on_game(void *result, const pgn_game *g, const pipe_at *at)
{
    struct result *r = result;
    (void)at;
    if (g->faulty || g->skipped) {
        if (!note_fault(r, g))
            return false;
        if (g->skipped || !r->job->args.keep_faulty)
            return true;
    }
    (void)bk_rows_add(&r->rows, g, &r->job->filter);
    return !r->rows.failed;
}

static size_t held(const void *result)
{
    const struct result *r = result;
    return r->rows.n * sizeof *r->rows.recs +
           r->rows.ngames * sizeof *r->rows.digests + r->messages.n;
}

/* FILE:LINE: game N: ply P: message, as verify and import write it. */
static void print_faults(const struct result *r, const pipe_part *part)
{
    pgn_buf b = {0};
    size_t at = 0;
    for (size_t i = 0; i < r->nfaults && !cli_quiet; i++) {
        const struct fault *f = &r->faults[i];
        pgn_buf_visible(&b, xq_str_of(part->file));
        if (f->line) /* binary files have none */
            pgn_buf_printf(&b, ":%" PRIu64, f->line);
        pgn_buf_printf(&b, ": game %" PRIu64, part->games_before + f->number);
        if (f->ply)
            pgn_buf_printf(&b, ": ply %" PRIu32, f->ply);
        pgn_buf_puts(&b, ": ");
        pgn_buf_visible(&b, (xq_str){r->messages.s + at, f->message_end - at});
        pgn_buf_puts(&b, "\n");
        at = f->message_end;
    }
    if (b.n > 0)
        fwrite(b.s, 1, b.n, stderr);
    pgn_buf_free(&b);
}

static bool on_part(void *ctx, void *result, const pipe_part *part)
{
    struct job *j = ctx;
    struct result *r = result;
    xq_err err;
    print_faults(r, part);
    j->games += part->games;
    j->faulty += r->nfaults;
    const xq_status rc =
        bk_maker_add(j->maker, &r->rows, &j->added, &j->duplicates, &err);
    bk_rows_clear(&r->rows);
    r->nfaults = r->messages.n = 0;
    if (rc == XQ_OK)
        return true;
    cli_error("%s", err.msg);
    j->failed = true;
    return false;
}

/* All games of a database. */
static int add_database(struct job *j, const char *path)
{
    bk_db *db = NULL;
    bk_db_info info;
    bk_rows rows = {0};
    xq_arena arena = {0};
    xq_err err;
    xq_status rc = bk_db_open(&db, path, BK_READ, NULL, &err);
    if (rc == XQ_OK)
        rc = bk_db_get_info(db, &info, &err);
    for (uint64_t id = 1; rc == XQ_OK && id <= info.last_id; id++) {
        pgn_game *g;
        if (cli_interrupted())
            break;
        xq_arena_reset(&arena);
        rc = bk_db_get(db, id, &arena, &g, &err);
        if (rc == XQ_OK) {
            j->games++;
            (void)bk_rows_add(&rows, g, &j->filter);
            if (rows.failed)
                rc = xq_fail(&err, XQ_ENOMEM, "out of memory");
        }
        if (rc == XQ_ENOTFOUND) /* deleted */
            rc = XQ_OK;
        if (rc == XQ_OK && (rows.n > 1 << 16 || id == info.last_id)) {
            rc = bk_maker_add(j->maker, &rows, &j->added, &j->duplicates, &err);
            bk_rows_clear(&rows);
        }
    }
    bk_rows_free(&rows);
    xq_arena_free(&arena);
    bk_db_close(db);
    if (rc != XQ_OK)
        cli_error("%s", err.msg);
    return rc != XQ_OK         ? CLI_FAIL
           : cli_interrupted() ? CLI_INTERRUPTED
                               : CLI_OK;
}

static void print_summary(const struct job *j, const char *path)
{
    bk_book *b = NULL;
    bk_book_info info = {0};
    xq_err err;
    if (bk_book_open(&b, path, &err) == XQ_OK)
        (void)bk_book_get_info(b, &info, &err);
    bk_book_close(b);
    /* games = added + duplicates + faulty + left out by a filter */
    const uint64_t out = j->args.keep_faulty
                             ? j->games - j->added - j->duplicates
                             : j->games - j->added - j->duplicates - j->faulty;
    if (j->args.json)
        cli_printf(stdout,
                   "{\"summary\":{\"games\":%" PRIu64 ",\"added\":%" PRIu64
                   ",\"duplicates\":%" PRIu64 ",\"faulty\":%" PRIu64
                   ",\"filtered\":%" PRIu64 ",\"positions\":%" PRIu64
                   ",\"moves\":%" PRIu64 ",\"bytes\":%" PRIu64 "}}\n",
                   j->games, j->added, j->duplicates, j->faulty, out,
                   info.positions, info.moves, info.bytes);
    else
        cli_printf(stdout,
                   "games %" PRIu64 ", added %" PRIu64 ", %" PRIu64
                   " duplicates skipped, faulty %" PRIu64 ", filtered %" PRIu64
                   "; book: positions %" PRIu64 ", moves %" PRIu64
                   ", bytes %" PRIu64 "\n",
                   j->games, j->added, j->duplicates, j->faulty, out,
                   info.positions, info.moves, info.bytes);
}

/* Read the games, make the book. */
static int run(struct job *j, const char *path, const char *base,
               pgn_encoding encoding, char **argv, int argc)
{
    xq_err err;
    const struct args *a = &j->args;
    const bk_maker_options o = {
        .memory = a->memory,
        .threads = pipe_threads(a->threads),
        .one_wing = a->one_wing,
        .keep_duplicates = a->keep_duplicates,
        .min_games = (uint32_t)a->min_games,
        .base = base,
        .stop = cli_interrupted,
    };
    if (bk_maker_open(&j->maker, path, &o, &err) != XQ_OK) {
        cli_error("%s", err.msg);
        return CLI_FAIL;
    }
    if (a->one_wing && !bk_maker_one_wing(j->maker)) {
        cli_error("'%s' counts mirror images as one: --one-wing cannot change "
                  "that",
                  base);
        bk_maker_close(j->maker);
        return CLI_FAIL;
    }
    j->filter = (bk_filter){
        .max_ply = (uint32_t)a->max_ply,
        .min_elo = (uint32_t)a->min_elo,
        .since = (int)a->since,
        .player = a->player,
        .one_wing = bk_maker_one_wing(j->maker),
    };
    const pipe_job job = {
        .game = on_game,
        .emit = on_part,
        .held = held,
        .piece = 4 * PIPE_PIECE,
        .ctx = j,
        .new_result = new_result,
        .free_result = free_result,
        .threads = o.threads,
        .options = {.encoding = encoding, .strict_fen = a->strict},
        .progress = a->progress,
    };
    int rc = CLI_OK;
    cli_catch_interrupts();
    for (size_t i = 0; i < a->dbs.n && rc == CLI_OK; i++)
        rc = add_database(j, a->dbs.v[i]);
    if (rc == CLI_OK && argc > 0)
        rc = pipe_run(&job, (const char *const *)argv, (size_t)argc);
    const xq_status made =
        rc == CLI_OK ? bk_maker_finish(j->maker, &err) : XQ_OK;
    if (made == XQ_DONE)
        rc = CLI_INTERRUPTED;
    if (made != XQ_OK && made != XQ_DONE) {
        cli_error("%s", err.msg);
        rc = CLI_FAIL;
    } else if (rc == CLI_OK) {
        print_summary(j, path);
        rc = j->faulty ? CLI_FOUND : CLI_OK;
    } else if (!j->failed) {
        cli_error("%s: '%s' is not %s",
                  rc == CLI_INTERRUPTED ? "interrupted"
                                        : "not all input could be read",
                  path, base ? "changed" : "written");
    }
    bk_maker_close(j->maker);
    return cli_finish(rc);
}

/* -1: go on. */
static int check_args(const struct cli_cmd *self, const struct args *a,
                      pgn_encoding *e)
{
    const struct {
        const char *name;
        uint64_t value, limit;
    } NUMBERS[] = {
        {"max-ply", a->max_ply, UINT32_MAX},
        {"min-games", a->min_games, UINT32_MAX},
        {"min-elo", a->min_elo, UINT32_MAX},
        {"since", a->since, 9999},
    };
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++)
        if (NUMBERS[i].value > NUMBERS[i].limit)
            return cli_usage(self, "option '--%s' is too large",
                             NUMBERS[i].name);
    *e = PGN_ENC_AUTO;
    if (a->max_ply == 0)
        return cli_usage(self, "option '--max-ply' takes a number from 1 on");
    if (a->encoding && !pgn_encoding_of(a->encoding, e))
        return cli_usage(self, "unknown encoding '%s'; known: " CLI_ENCODINGS,
                         a->encoding);
    return -1;
}

static int build(const struct cli_cmd *self, struct job *j, int argc,
                 char **argv)
{
    pgn_encoding encoding;
    int rc = cli_parse(self, OPTS, &j->args, &argc, &argv);
    if (rc < 0)
        rc = check_args(self, &j->args, &encoding);
    if (rc >= 0)
        return rc;
    if (!j->args.out)
        return cli_usage(self, "no book: name it with -o BOOK");
    if (argc == 0 && j->args.dbs.n == 0)
        return cli_usage(self, "no input: name a file, a folder, - or -d DB");
    return run(j, j->args.out, NULL, encoding, argv, argc);
}

static int add(const struct cli_cmd *self, struct job *j, int argc, char **argv)
{
    pgn_encoding encoding;
    int rc = cli_parse(self, OPTS, &j->args, &argc, &argv);
    if (rc < 0)
        rc = check_args(self, &j->args, &encoding);
    if (rc >= 0)
        return rc;
    if (argc == 0 || (argc == 1 && j->args.dbs.n == 0))
        return cli_usage(self, "name a book and the games to add to it");
    const char *const book = argv[0];
    return run(j, j->args.out ? j->args.out : book, book, encoding, argv + 1,
               argc - 1);
}

int cmd_book_build(const struct cli_cmd *self, int argc, char **argv)
{
    struct job j = {.args.max_ply = UINT32_MAX};
    const int rc = build(self, &j, argc, argv);
    cli_list_free(&j.args.dbs);
    return rc;
}

int cmd_book_add(const struct cli_cmd *self, int argc, char **argv)
{
    struct job j = {.args.max_ply = UINT32_MAX};
    const int rc = add(self, &j, argc, argv);
    cli_list_free(&j.args.dbs);
    return rc;
}
