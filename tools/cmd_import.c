/* cmd_import.c - qipu import: games of many files into a database. */
#include "tools/cmd.h"

#include "bookdb/db.h"
#include "tools/pipe.h"
#include "tools/quarantine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct args {
    const char *db, *encoding, *quarantine;
    uint64_t threads, memory;
    bool keep_faulty, keep_duplicates, json, strict, progress;
};

static const struct cli_opt OPTS[] = {
    {"database", 'd', CLI_STR, offsetof(struct args, db), "DB",
     "the database; created when it does not exist"},
    {"input-encoding", 0, CLI_STR, offsetof(struct args, encoding), "ENC",
     "do not judge the encoding: it is ENC"},
    {"jobs", 'j', CLI_UINT, offsetof(struct args, threads), "N",
     "threads (default: one a processor)"},
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL,
     "the summary as JSON"},
    {"keep-duplicates", 0, CLI_FLAG, offsetof(struct args, keep_duplicates),
     NULL, "add games that are there already"},
    {"keep-faulty", 0, CLI_FLAG, offsetof(struct args, keep_faulty), NULL,
     "add faulty games with the moves before the fault"},
    {"memory", 0, CLI_SIZE, offsetof(struct args, memory), "SIZE",
     "use at most SIZE (default 256M)"},
    {"progress", 0, CLI_FLAG, offsetof(struct args, progress), NULL,
     "show progress even where stderr is no terminal"},
    {"quarantine", 0, CLI_STR, offsetof(struct args, quarantine), "FILE",
     "write the faulty games to FILE, to be mended and imported"},
    {"strict", 0, CLI_FLAG, offsetof(struct args, strict), NULL,
     "refuse odd start positions"},
    {0},
};

/* One part of the input, prepared by a worker. */
struct result {
    const struct import *import;
    bk_prep *preps;
    size_t n, cap; /* games to add; objects that exist */
    size_t bytes;  /* that they hold */
    uint64_t games, faulty;
    /* What is said about faulty games: "FILE:LINE: game " and, after the
     * number, which emit knows, the rest. */
    struct message {
        uint64_t number;
        size_t at;
    } * messages;
    size_t nmessages, cap_messages;
    pgn_buf text;       /* of messages */
    pgn_buf quarantine; /* faulty games */
    quarantine isolate; /* writes them */
};

struct import {
    struct args args;
    bk_db *db;
    cli_out quarantine;
    pgn_reader_options options;
    uint64_t games, added, duplicates, faulty, plies, positions;
    bool failed; /* err says why */
    xq_err err;
};

static void *new_result(void *ctx)
{
    struct result *r = calloc(1, sizeof *r);
    if (r) {
        r->import = ctx;
        r->isolate.options = r->import->options;
    }
    return r;
}

static void free_result(void *result)
{
    struct result *r = result;
    for (size_t i = 0; i < r->cap; i++)
        bk_prep_free(&r->preps[i]);
    free(r->preps);
    free(r->messages);
    pgn_buf_free(&r->text);
    pgn_buf_free(&r->quarantine);
    quarantine_free(&r->isolate);
    free(r);
}

/* ---- reading ---- */

static bool add_message(struct result *r, const pgn_game *g, const char *file,
                        const pgn_problem *p)
{
    if (r->nmessages == r->cap_messages) {
        size_t cap = r->cap_messages ? 2 * r->cap_messages : 16;
        struct message *m = realloc(r->messages, cap * sizeof *m);
        if (!m)
            return false;
        r->messages = m;
        r->cap_messages = cap;
    }
    pgn_buf *b = &r->text;
    pgn_buf_visible(b, xq_str_of(file));
    if (p->line)
        pgn_buf_printf(b, ":%" PRIu64, p->line);
    pgn_buf_puts(b, ": game ");
    r->messages[r->nmessages++] = (struct message){g->number, b->n};
    if (p->ply)
        pgn_buf_printf(b, ": ply %" PRIu32, p->ply);
    pgn_buf_puts(b, ": ");
    pgn_buf_visible(b, p->message);
    pgn_buf_puts(b, "\n");
    return !b->failed;
}

static bool on_game(void *result, const pgn_game *g, const pipe_at *at)
{
    struct result *r = result;
    const struct args *a = &r->import->args;
    r->games++;
    if (g->faulty || g->skipped) {
        r->faulty++;
        for (uint32_t i = 0; i < g->nproblems; i++)
            if (g->problems[i].level == PGN_ERROR &&
                !add_message(r, g, at->file, &g->problems[i]))
                return false;
        if (a->quarantine &&
            quarantine_add(&r->isolate, g, at, &r->quarantine) != XQ_OK)
            return false;
        if (!a->keep_faulty || g->skipped)
            return true;
    }
    if (r->n == r->cap) {
        size_t cap = r->cap ? 2 * r->cap : 64;
        bk_prep *p = realloc(r->preps, cap * sizeof *p);
        if (!p)
            return false;
        memset(p + r->cap, 0, (cap - r->cap) * sizeof *p);
        r->preps = p;
        r->cap = cap;
    }
    bk_prep *p = &r->preps[r->n++];
    if (bk_prepare(p, g, NULL) != XQ_OK)
        return false;
    r->bytes += p->bytes.n + p->nkeys * sizeof *p->keys + sizeof *p;
    return true;
}

static size_t held(const void *result)
{
    const struct result *r = result;
    return r->bytes + r->text.n + r->quarantine.n;
}

/* ---- adding, in the order of the input ---- */

static void print_messages(const struct result *r, const pipe_part *part)
{
    size_t at = 0;
    for (size_t i = 0; i < r->nmessages && !cli_quiet; i++) {
        size_t end = i + 1 < r->nmessages ? r->messages[i + 1].at : r->text.n;
        /* Text i runs from the message before's line end to this at. */
        const char *line = r->text.s + at;
        size_t head = r->messages[i].at - at;
        const char *tail = r->text.s + r->messages[i].at;
        const char *nl = memchr(tail, '\n', end - r->messages[i].at);
        size_t ntail = nl ? (size_t)(nl - tail) + 1 : 0;
        fwrite(line, 1, head, stderr);
        fprintf(stderr, "%" PRIu64, part->games_before + r->messages[i].number);
        fwrite(tail, 1, ntail, stderr);
        at = r->messages[i].at + ntail;
    }
}

static bool on_part(void *ctx, void *result, const pipe_part *part)
{
    struct import *m = ctx;
    struct result *r = result;
    print_messages(r, part);
    m->games += r->games;
    uint64_t faulty = r->faulty;
    if (m->args.quarantine && r->quarantine.n)
        cli_write(m->quarantine.f, r->quarantine.s, r->quarantine.n);
    for (size_t i = 0; i < r->n; i++) {
        const bk_prep *p = &r->preps[i];
        bk_added what;
        if (bk_db_add(m->db, p, m->args.keep_duplicates, &what, &m->err) !=
            XQ_OK) {
            m->failed = true;
            return false;
        }
        if (what == BK_DUPLICATE) {
            m->duplicates++;
            continue;
        }
        m->added++;
        m->plies += p->plies;
        m->positions += p->nkeys;
    }
    /* games = added + duplicates + faulty: with --keep-faulty a faulty game
     * counts as what became of it */
    m->faulty += m->args.keep_faulty ? r->games - r->n : faulty;
    r->n = r->bytes = r->nmessages = 0;
    r->games = r->faulty = 0;
    r->text.n = r->quarantine.n = 0;
    return true;
}

/* ---- the command ---- */

static void on_wait(long pid)
{
    cli_note("waiting: pid %ld is writing to the database", pid);
}

static void print_summary(const struct import *m)
{
    cli_printf(
        stdout,
        m->args.json ? "{\"summary\":{\"games\":%" PRIu64 ",\"added\":%" PRIu64
                       ",\"duplicates\":%" PRIu64 ",\"faulty\":%" PRIu64
                       ",\"plies\":%" PRIu64 ",\"positions\":%" PRIu64 "}}\n"
                     : "games %" PRIu64 ": added %" PRIu64
                       ", duplicates skipped %" PRIu64 ", faulty %" PRIu64
                       "; plies %" PRIu64 ", positions %" PRIu64 "\n",
        m->games, m->added, m->duplicates, m->faulty, m->plies, m->positions);
}

static int run(struct import *m, pgn_encoding encoding, int argc, char **argv)
{
    const struct args *a = &m->args;
    const bk_db_options opts = {.memory = (size_t)a->memory,
                                .threads = pipe_threads(a->threads),
                                .waiting = on_wait};
    if (bk_db_open(&m->db, a->db, BK_CREATE, &opts, &m->err) != XQ_OK ||
        (a->quarantine &&
         cli_out_open(&m->quarantine, a->quarantine, &m->err) != XQ_OK)) {
        cli_error("%s", m->err.msg);
        return CLI_FAIL;
    }
    m->options =
        (pgn_reader_options){.encoding = encoding, .strict_fen = a->strict};
    const pipe_job job = {
        .game = on_game,
        .emit = on_part,
        .held = held,
        .piece = 4 * PIPE_PIECE,
        .ctx = m,
        .new_result = new_result,
        .free_result = free_result,
        .threads = pipe_threads(a->threads),
        .options = m->options,
        .progress = a->progress,
    };
    int rc = pipe_run(&job, (const char *const *)argv, (size_t)argc);
    if (!m->failed && bk_db_commit(m->db, &m->err) != XQ_OK)
        m->failed = true;
    if (m->failed) {
        cli_error("%s", m->err.msg);
        return CLI_FAIL;
    }
    if (a->quarantine && cli_out_commit(&m->quarantine, &m->err) != XQ_OK) {
        cli_error("%s", m->err.msg);
        rc = CLI_FAIL;
    }
    if (rc == CLI_INTERRUPTED)
        cli_note("interrupted: the games counted here are in the database");
    print_summary(m);
    return rc == CLI_OK && m->faulty ? CLI_FOUND : rc;
}

int cmd_import(const struct cli_cmd *self, int argc, char **argv)
{
    struct import m = {.db = NULL};
    pgn_encoding encoding = PGN_ENC_AUTO;
    int rc = cli_parse(self, OPTS, &m.args, &argc, &argv);
    if (rc >= 0)
        return rc;
    if (!m.args.db)
        return cli_usage(self, "no database: give -d DB");
    if (argc == 0)
        return cli_usage(self, "no input: name a file, a folder, or -");
    if (m.args.encoding && !pgn_encoding_of(m.args.encoding, &encoding))
        return cli_usage(self, "unknown encoding '%s'; known: " CLI_ENCODINGS,
                         m.args.encoding);
    rc = run(&m, encoding, argc, argv);
    bk_db_close(m.db);
    cli_out_abort(&m.quarantine);
    return cli_finish(rc);
}
