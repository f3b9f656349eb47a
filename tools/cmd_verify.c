/* cmd_verify.c - qipu verify: what is wrong with the games of some files. */
#include "tools/cmd.h"

#include "tools/pipe.h"
#include "tools/pipe_text.h"
#include "tools/verify_rules.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct args {
    const char *encoding, *rules, *out;
    uint64_t threads;
    bool json, strict, progress;
};

static const struct cli_opt OPTS[] = {
    {"input-encoding", 0, CLI_STR, offsetof(struct args, encoding), "ENC",
     "do not judge the encoding: it is ENC"},
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL,
     "JSON, one object a line"},
    {"jobs", 'j', CLI_UINT, offsetof(struct args, threads), "N",
     "threads (default: one a processor)"},
    {"output", 'o', CLI_STR, offsetof(struct args, out), "FILE",
     "write to FILE, which appears when complete"},
    {"progress", 0, CLI_FLAG, offsetof(struct args, progress), NULL,
     "show progress even where stderr is no terminal"},
    {"rules", 0, CLI_STR, offsetof(struct args, rules), "RULES",
     "judge repetitions by: none (default), asian, cxa"},
    {"strict", 0, CLI_FLAG, offsetof(struct args, strict), NULL,
     "refuse odd start positions"},
    {0},
};

/* Encodings that can be counted apart; PGN_ENC_OTHER and what follows are
 * code pages, of which a run reads one. */
enum { ENCODINGS = PGN_ENC_OTHER + 64 };

struct counts {
    uint64_t games, faulty, warnings, plies, bytes;
    uint64_t encodings[ENCODINGS];
};

/* What a part of the input came to: counts, and the lines about it. */
struct result {
    bool json, judged;
    struct counts counts;
    pipe_text text;
    struct rule_check rules;
};

struct report {
    struct args args;
    cli_out out;
    struct counts counts;
    pipe_sum files;
    bool judged; /* --rules is not none: */
    xq_ruleset rules;
};

static void *new_result(void *ctx)
{
    const struct report *v = ctx;
    struct result *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->json = v->args.json;
    r->judged = v->judged;
    rule_check_init(&r->rules, v->rules);
    return r;
}

static void free_result(void *result)
{
    struct result *r = result;
    pipe_text_free(&r->text);
    rule_check_free(&r->rules);
    free(r);
}

/* ---- reading ---- */

static const char *level_name(pgn_level level)
{
    return level == PGN_ERROR ? "error" : "warning";
}

/* FILE:LINE: game N: ply P: error: message */
static void add_text(struct result *r, const char *file, uint64_t number,
                     const pgn_problem *p)
{
    pgn_buf *b = &r->text.buf;
    pgn_buf_visible(b, xq_str_of(file));
    if (p->line)
        pgn_buf_printf(b, ":%" PRIu64, p->line);
    pgn_buf_puts(b, ": game ");
    pipe_text_number(&r->text, number);
    if (p->ply)
        pgn_buf_printf(b, ": ply %" PRIu32, p->ply);
    pgn_buf_printf(b, ": %s: ", level_name(p->level));
    pgn_buf_visible(b, p->message);
    pgn_buf_puts(b, "\n");
}

/* more: members of the object that only some problems have. */
static void add_json(struct result *r, const char *file, uint64_t number,
                     const pgn_problem *p, const cli_buf *more)
{
    pgn_buf *b = &r->text.buf;
    pgn_buf_printf(b, "{\"level\":\"%s\",\"kind\":\"%s\",\"file\":",
                   level_name(p->level), pgn_problem_kind_name(p->kind));
    pgn_buf_json(b, xq_str_of(file));
    pgn_buf_printf(b, ",\"line\":%" PRIu64 ",\"byte\":%" PRIu64 ",\"game\":",
                   p->line, p->byte);
    pipe_text_number(&r->text, number);
    pgn_buf_printf(b, ",\"ply\":%" PRIu32 ",\"text\":", p->ply);
    pgn_buf_json(b, p->text);
    pgn_buf_puts(b, ",\"message\":");
    pgn_buf_json(b, p->message);
    pgn_buf_add(b, more->s, more->n);
    pgn_buf_puts(b, "}\n");
}

static void add_problem(struct result *r, const char *file, uint64_t number,
                        const pgn_problem *p, const cli_buf *more)
{
    r->counts.warnings += p->level == PGN_WARNING;
    if (r->json)
        add_json(r, file, number, p, more);
    else
        add_text(r, file, number, p);
}

static bool add_rules(struct result *r, const pgn_game *g, const char *file)
{
    pgn_problem p;
    xq_status rc = rule_check_begin(&r->rules, g);
    while (rc == XQ_OK && (rc = rule_check_next(&r->rules, &p)) == XQ_OK)
        add_problem(r, file, g->number, &p, &r->rules.json);
    return rc == XQ_DONE;
}

static bool on_game(void *result, const pgn_game *g, const pipe_at *at)
{
    struct result *r = result;
    const cli_buf none = {0};
    r->counts.games++;
    r->counts.faulty += g->faulty || g->skipped;
    r->counts.plies += g->plies;
    if ((unsigned)g->encoding < ENCODINGS)
        r->counts.encodings[g->encoding]++;
    for (uint32_t i = 0; i < g->nproblems; i++) {
        pgn_problem here = g->problems[i];
        if (here.restored) { /* FILE:LINE must be where the user can look */
            here.line = g->line;
            here.byte = g->byte;
        }
        add_problem(r, at->file, g->number, &here, &none);
    }
    if (r->judged && !g->skipped && !add_rules(r, g, at->file))
        return false;
    return !r->text.buf.failed;
}

static size_t held(const void *result)
{
    const struct result *r = result;
    return pipe_text_held(&r->text);
}

/* ---- writing, in the order of the input ---- */

static void add_counts(struct counts *sum, const struct counts *c)
{
    sum->games += c->games;
    sum->faulty += c->faulty;
    sum->warnings += c->warnings;
    sum->plies += c->plies;
    for (int e = 0; e < ENCODINGS; e++)
        sum->encodings[e] += c->encodings[e];
}

static bool on_part(void *ctx, void *result, const pipe_part *part)
{
    struct report *v = ctx;
    struct result *r = result;
    pipe_text_write(&r->text, part->games_before, v->out.f);
    add_counts(&v->counts, &r->counts);
    v->counts.bytes += part->bytes;
    r->counts = (struct counts){0};
    return !ferror(v->out.f); /* a full disk: stop at once */
}

static void write_summary(const struct report *v)
{
    const struct counts *c = &v->counts;
    FILE *f = v->out.f;
    const char *between = "";
    cli_printf(f,
               v->args.json ? "{\"summary\":{\"games\":%" PRIu64
                              ",\"ok\":%" PRIu64 ",\"faulty\":%" PRIu64
                              ",\"warnings\":%" PRIu64 ",\"plies\":%" PRIu64
                              ",\"bytes\":%" PRIu64 ",\"encodings\":{"
                            : "games %" PRIu64 ", ok %" PRIu64
                              ", faulty %" PRIu64 ", warnings %" PRIu64
                              ", plies %" PRIu64 ", bytes %" PRIu64
                              "; encodings: ",
               c->games, c->games - c->faulty, c->faulty, c->warnings, c->plies,
               c->bytes);
    for (int e = 0; e < ENCODINGS; e++) {
        if (!c->encodings[e])
            continue;
        cli_printf(f, v->args.json ? "%s\"%s\":%" PRIu64 : "%s%s %" PRIu64,
                   between, pgn_encoding_name((pgn_encoding)e),
                   c->encodings[e]);
        between = v->args.json ? "," : ", ";
    }
    if (v->args.json)
        cli_printf(f, "},\"files\":%" PRIu64 ",\"skipped\":%" PRIu64 "}}\n",
                   v->files.files, v->files.skipped);
    else
        cli_puts(f, *between ? "\n" : "none\n");
}

/* ---- the command ---- */

/* -1: go on. */
static int check_args(const struct cli_cmd *self, struct report *v,
                      int operands, pgn_encoding *e)
{
    const struct args *a = &v->args;
    if (operands == 0)
        return cli_usage(self, "no input: name a file, a folder, or -");
    v->judged = strcmp(a->rules, "none") != 0;
    if (v->judged && !ref_rules_find(a->rules, &v->rules))
        return cli_usage(self,
                         "option '--rules' takes none, asian or cxa, "
                         "not '%s'",
                         a->rules);
    *e = PGN_ENC_AUTO;
    if (a->encoding && !pgn_encoding_of(a->encoding, e))
        return cli_usage(self, "unknown encoding '%s'; known: " CLI_ENCODINGS,
                         a->encoding);
    return -1;
}

int cmd_verify(const struct cli_cmd *self, int argc, char **argv)
{
    struct report v = {.args = {.rules = "none"}};
    pgn_encoding encoding;
    xq_err err;
    int rc = cli_parse(self, OPTS, &v.args, &argc, &argv);
    if (rc < 0)
        rc = check_args(self, &v, argc, &encoding);
    if (rc >= 0)
        return rc;
    if (cli_out_open(&v.out, v.args.out, &err) != XQ_OK) {
        cli_error("%s", err.msg);
        return CLI_FAIL;
    }
    const pipe_job job = {
        .game = on_game,
        .emit = on_part,
        .held = held,
        .ctx = &v,
        .new_result = new_result,
        .free_result = free_result,
        .threads = pipe_threads(v.args.threads),
        .options = {.encoding = encoding, .strict_fen = v.args.strict},
        .progress = v.args.progress,
        .sum = &v.files,
    };
    rc = pipe_run(&job, (const char *const *)argv, (size_t)argc);
    write_summary(&v);
    if (rc == CLI_INTERRUPTED)
        cli_note("interrupted: the summary counts what was read before");
    /* a part must not pass for the whole, nor nothing take its place */
    if (v.out.path &&
        (rc == CLI_INTERRUPTED || (rc == CLI_FAIL && v.counts.games == 0)))
        cli_out_abort(&v.out);
    if (v.out.f && cli_out_commit(&v.out, &err) != XQ_OK) {
        cli_error("%s", err.msg);
        cli_out_abort(&v.out);
        return CLI_FAIL;
    }
    if (rc == CLI_OK && v.counts.faulty)
        rc = CLI_FOUND;
    return cli_finish(rc);
}
