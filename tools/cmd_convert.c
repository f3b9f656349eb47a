/* cmd_convert.c - qipu convert: games in another notation, script, encoding or
 * format. */
#include "tools/cmd.h"

#include "libpgn/writer.h"
#include "tools/cli_folder.h"
#include "tools/page.h"
#include "tools/pipe.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct args {
    const char *notation, *script, *encoding, *to, *input, *out;
    uint64_t threads;
    bool strict, repair, progress;
};

static const struct cli_opt OPTS[] = {
    {"encoding", 0, CLI_STR, offsetof(struct args, encoding), "ENC",
     "utf-8 (default; XQF: gbk), gb18030, gbk or big5"},
    {"input-encoding", 0, CLI_STR, offsetof(struct args, input), "ENC",
     "do not judge the input's encoding: it is ENC"},
    {"jobs", 'j', CLI_UINT, offsetof(struct args, threads), "N",
     "threads (default: one a processor)"},
    {"notation", 0, CLI_STR, offsetof(struct args, notation), "N",
     "notation of the moves (default: chinese)"},
    {"output", 'o', CLI_STR, offsetof(struct args, out), "OUT",
     "write to OUT, which appears when complete; a folder for XQF and CBF"},
    {"progress", 0, CLI_FLAG, offsetof(struct args, progress), NULL,
     "show progress even where stderr is no terminal"},
    {"repair", 0, CLI_FLAG, offsetof(struct args, repair), NULL,
     "undo double encoding where the way back is exact"},
    {"script", 0, CLI_STR, offsetof(struct args, script), "S",
     "characters of the moves: simplified or traditional (default: "
     "as the input)"},
    {"strict", 0, CLI_FLAG, offsetof(struct args, strict), NULL,
     "fail when something cannot be kept"},
    {"to", 0, CLI_STR, offsetof(struct args, to), "FORMAT",
     "pgn (default), json, dhtmlxq, text, html, xqf or cbf"},
    {0},
};

enum { HEAD = 64 << 10 }; /* what a file's encoding is judged by */

/* What is wrong with a game of a part; the message is in the part's text. */
struct fault {
    uint64_t line, number;
    uint32_t ply;
    size_t at, n;
    bool warning;
};

/* What --repair did. */
struct repairs {
    uint64_t done[PGN_DAMAGES];
    uint64_t left; /* places */
};

struct lost {
    size_t characters; /* not in the encoding */
    size_t changes;    /* not in the format */
    pgn_lost file;     /* of formats of one game a file */
    /* bytes of the input, by encoding, as pgn_game.replaced */
    uint64_t replaced[PGN_ENC_OTHER + 1];
};

/* What a part of the input became. */
struct part {
    const struct conversion *job;
    pgn_buf utf8, out; /* out: encoded, only where that is not UTF-8 */
    pgn_buf messages;
    size_t *ends; /* of the files in utf8, where there is one a game */
    size_t nends, capends;
    struct fault *faults;
    size_t nfaults, capfaults;
    struct lost lost;
    struct repairs repairs;
    uint64_t games, faulty;
};

/* What the target is. */
enum target { TO_PGN, TO_JSON, TO_DHTMLXQ, TO_TEXT, TO_HTML, TO_XQF, TO_CBF };
static const struct {
    const char *name, *title;
} TARGETS[] = {[TO_PGN] = {"pgn", "PGN"},
               [TO_JSON] = {"json", "JSON"},
               [TO_DHTMLXQ] = {"dhtmlxq", "DhtmlXQ"},
               [TO_TEXT] = {"text", "a score sheet"},
               [TO_HTML] = {"html", "a page"},
               [TO_XQF] = {"xqf", "XQF"},
               [TO_CBF] = {"cbf", "CBF"}};

struct conversion {
    struct args args;
    enum target to;
    cli_folder folder; /* for one file a game */
    pgn_style style;
    page_style page; /* for HTML */
    pgn_encoding encoding, input;
    cli_out out;
    struct lost lost;
    struct repairs repairs;
    uint64_t games, faulty;
    uint8_t *head; /* of the output, from its first byte above 7F on */
    size_t nhead;
    bool stuck; /* writing failed */
};

static void *new_part(void *ctx)
{
    struct part *p = calloc(1, sizeof *p);
    if (p)
        p->job = ctx;
    return p;
}

static void free_part(void *result)
{
    struct part *p = result;
    pgn_buf_free(&p->utf8);
    pgn_buf_free(&p->out);
    pgn_buf_free(&p->messages);
    free(p->faults);
    free(p->ends);
    free(p);
}

/* ---- a game ---- */

/* What a user can look up of a problem that came with JSON is the game's own
 * line. */
static bool add_fault(struct part *p, const pgn_game *g,
                      const pgn_problem *problem)
{
    if (p->nfaults == p->capfaults) {
        size_t cap = p->capfaults ? 2 * p->capfaults : 16;
        struct fault *v = realloc(p->faults, cap * sizeof *v);
        if (!v)
            return false;
        p->faults = v;
        p->capfaults = cap;
    }
    size_t at = p->messages.n;
    pgn_buf_visible(&p->messages, problem->message);
    p->faults[p->nfaults++] =
        (struct fault){.line = problem->restored ? g->line : problem->line,
                       .number = g->number,
                       .ply = problem->ply,
                       .at = at,
                       .n = p->messages.n - at,
                       .warning = problem->level == PGN_WARNING};
    return !p->messages.failed;
}

static bool add_faults(struct part *p, const pgn_game *g)
{
    for (uint32_t i = 0; i < g->nproblems; i++)
        if (g->problems[i].level == PGN_ERROR &&
            !add_fault(p, g, &g->problems[i]))
            return false;
    return true;
}

/* What was repaired, and what is wrong with the encoding all the same. */
static bool add_repairs(struct part *p, const pgn_game *g)
{
    for (int k = 1; k < PGN_DAMAGES; k++)
        p->repairs.done[k] += g->repaired[k];
    for (uint32_t i = 0; i < g->nproblems; i++) {
        const pgn_problem *e = &g->problems[i];
        if (e->kind != PGN_P_ENCODING || e->level != PGN_WARNING || e->restored)
            continue;
        p->repairs.left++;
        if (!add_fault(p, g, e))
            return false;
    }
    return true;
}

static bool is_file_a_game(enum target to)
{
    return to == TO_XQF || to == TO_CBF;
}

/* A file of its own; none when the format has no place for the game. */
static xq_status add_file(struct part *p, const pgn_game *g)
{
    const struct conversion *c = p->job;
    const size_t before = p->utf8.n;
    if (p->nends == p->capends) {
        const size_t cap = p->capends ? 2 * p->capends : 64;
        size_t *v = realloc(p->ends, cap * sizeof *v);
        if (!v)
            return XQ_ENOMEM;
        p->ends = v;
        p->capends = cap;
    }
    const xq_status rc =
        c->to == TO_XQF ? pgn_write_xqf(g, c->encoding, &p->utf8, &p->lost.file)
                        : pgn_write_cbf(g, &p->utf8, &p->lost.file);
    if (rc == XQ_OK && p->utf8.n > before)
        p->ends[p->nends++] = p->utf8.n;
    return rc;
}

/* What pages are made with is the tools' buffer, what is collected here the
 * libraries'. */
static xq_status add_article(struct part *p, const pgn_game *g)
{
    cli_buf b = {0};
    xq_status rc = page_add_game(&b, g, &p->job->page);
    pgn_buf_add(&p->utf8, b.s, b.n);
    if (p->utf8.failed)
        rc = XQ_ENOMEM;
    cli_buf_free(&b);
    return rc;
}

static xq_status write_game(struct part *p, const pgn_game *g)
{
    const struct conversion *c = p->job;
    switch (c->to) {
    case TO_XQF:
    case TO_CBF:
        return add_file(p, g);
    case TO_JSON:
        return pgn_write_json(g, &p->utf8);
    case TO_DHTMLXQ:
        return pgn_write_dhtmlxq(g, &c->style, &p->utf8, &p->lost.changes);
    case TO_HTML:
        return add_article(p, g);
    case TO_TEXT:
        return pgn_write_text(g, &c->style, &p->utf8, &p->lost.changes);
    default:
        return pgn_write_pgn(g, &c->style, &p->utf8, &p->lost.changes);
    }
}

static bool on_game(void *result, const pgn_game *g, const pipe_at *at)
{
    (void)at;
    struct part *p = result;
    const struct conversion *c = p->job;
    p->games++;
    for (unsigned e = 0; e <= PGN_ENC_OTHER; e++)
        p->lost.replaced[e] += g->replaced[e];
    if (g->faulty || g->skipped) {
        p->faulty++;
        if (!add_faults(p, g))
            return false;
    }
    if (c->args.repair && !add_repairs(p, g))
        return false;
    xq_status rc = write_game(p, g);
    if (rc == XQ_OK && !is_file_a_game(c->to) && c->encoding != PGN_ENC_UTF8) {
        rc = pgn_encode(c->encoding, (xq_str){p->utf8.s, p->utf8.n}, &p->out,
                        &p->lost.characters);
        p->utf8.n = 0;
    }
    if (rc != XQ_OK)
        cli_error("out of memory");
    return rc == XQ_OK;
}

static size_t held(const void *result)
{
    const struct part *p = result;
    return p->utf8.n + p->out.n + p->messages.n;
}

/* ---- parts, in the order of the input ---- */

/* FILE:LINE: game N: ply P: message */
static void print_faults(const struct part *p, const pipe_part *at)
{
    pgn_buf line = {0};
    for (size_t i = 0; i < p->nfaults && !cli_quiet; i++) {
        const struct fault *f = &p->faults[i];
        line.n = 0;
        pgn_buf_visible(&line, xq_str_of(at->file));
        if (f->line)
            pgn_buf_printf(&line, ":%" PRIu64, f->line);
        pgn_buf_printf(&line, ": game %" PRIu64, at->games_before + f->number);
        if (f->ply)
            pgn_buf_printf(&line, ": ply %" PRIu32, f->ply);
        pgn_buf_puts(&line, f->warning ? ": warning: " : ": ");
        pgn_buf_add(&line, p->messages.s + f->at, f->n);
        pgn_buf_puts(&line, "\n");
        if (!line.failed)
            fwrite(line.s, 1, line.n, stderr);
    }
    pgn_buf_free(&line);
}

static void keep_head(struct conversion *c, const pgn_buf *b)
{
    size_t i = 0;
    if (!c->head)
        return;
    if (c->nhead == 0)
        while (i < b->n && !(b->s[i] & 0x80))
            i++;
    size_t n = b->n - i < HEAD - c->nhead ? b->n - i : HEAD - c->nhead;
    if (n)
        memcpy(c->head + c->nhead, b->s + i, n);
    c->nhead += n;
}

static bool write_files(struct conversion *c, const struct part *p)
{
    size_t from = 0;
    xq_err err;
    for (size_t i = 0; i < p->nends; i++) {
        if (cli_folder_add(&c->folder, p->utf8.s + from, p->ends[i] - from,
                           &err) != XQ_OK) {
            cli_error("%s", err.msg);
            c->stuck = true;
            return false;
        }
        from = p->ends[i];
    }
    return true;
}

static bool write_text(struct conversion *c, const struct part *p)
{
    const pgn_buf *b = c->encoding == PGN_ENC_UTF8 ? &p->utf8 : &p->out;
    if (b->n)
        cli_write(c->out.f, b->s, b->n);
    keep_head(c, b);
    return !ferror(c->out.f); /* a full disk: stop at once */
}

static bool on_part(void *ctx, void *result, const pipe_part *at)
{
    struct conversion *c = ctx;
    struct part *p = result;
    print_faults(p, at);
    const bool go_on =
        is_file_a_game(c->to) ? write_files(c, p) : write_text(c, p);
    pgn_lost_add(&c->lost.file, &p->lost.file);
    c->lost.characters += p->lost.characters;
    c->lost.changes += p->lost.changes;
    for (unsigned e = 0; e <= PGN_ENC_OTHER; e++)
        c->lost.replaced[e] += p->lost.replaced[e];
    c->games += p->games;
    c->faulty += p->faulty;
    for (int k = 1; k < PGN_DAMAGES; k++)
        c->repairs.done[k] += p->repairs.done[k];
    c->repairs.left += p->repairs.left;
    p->lost = (struct lost){0};
    p->repairs = (struct repairs){0};
    p->games = p->faulty = 0;
    p->utf8.n = p->out.n = p->messages.n = p->nfaults = p->nends = 0;
    return go_on;
}

/* ---- the end ---- */

/* The result must be read as what it is; without Chinese moves nothing tells
 * Big5 from GB18030. */
static void check_recognised(const struct conversion *c)
{
    if (c->nhead == 0)
        return;
    pgn_encoding e = pgn_encoding_judge(c->head, c->nhead, PGN_ENC_AUTO);
    bool gb = c->encoding == PGN_ENC_GBK || c->encoding == PGN_ENC_GB18030;
    if (e == c->encoding || (gb && e == PGN_ENC_GB18030))
        return;
    cli_note("without its moves in Chinese the result looks like %s: read it "
             "with --input-encoding %s",
             pgn_encoding_name(e), pgn_encoding_name(c->encoding));
}

static const char *plural(size_t n) { return n == 1 ? "" : "s"; }

/* What the target could not hold. */
static void describe_target(const struct conversion *c, pgn_buf *b)
{
    const size_t chars = c->lost.characters, changes = c->lost.changes;
    const char *title = TARGETS[c->to].title;
    const char *encoding = pgn_encoding_name(c->encoding);
    char text[400];
    if (is_file_a_game(c->to)) {
        pgn_lost_text(&c->lost.file, encoding, text);
        if (pgn_lost_any(&c->lost.file))
            pgn_buf_printf(b, "%s cannot hold all: %s", title, text);
        return;
    }
    if (chars)
        pgn_buf_printf(b, "%zu character%s not in %s, written as '?'", chars,
                       plural(chars), encoding);
    if (changes)
        pgn_buf_printf(b,
                       "%s%zu place%s changed in tags and comments that %s "
                       "cannot hold",
                       b->n ? "; " : "", changes, plural(changes), title);
}

/* What the input did not say in its encoding. */
static void describe_replaced(const struct conversion *c, pgn_buf *b)
{
    for (unsigned e = 0; e <= PGN_ENC_OTHER; e++) {
        const uint64_t n = c->lost.replaced[e];
        const bool wide = e == PGN_ENC_UTF16LE || e == PGN_ENC_UTF16BE;
        if (n)
            pgn_buf_printf(
                b, "%s%" PRIu64 " %s%s not in %s, replaced by U+FFFD",
                b->n ? "; " : "", n, wide ? "unit" : "byte", n == 1 ? "" : "s",
                pgn_encoding_name(e == PGN_ENC_OTHER ? c->input
                                                     : (pgn_encoding)e));
    }
}

/* 3 strings repaired: 2 UTF-8 read as GBK, 1 GBK read as Big5; 1 place cannot
 * be */
static void report_repairs(const struct repairs *r)
{
    pgn_buf b = {0};
    uint64_t all = 0;
    for (int k = 1; k < PGN_DAMAGES; k++) {
        if (!r->done[k])
            continue;
        pgn_buf_printf(&b, "%s %" PRIu64 " %s", all ? "," : ":", r->done[k],
                       pgn_damage_name((pgn_damage)k));
        all += r->done[k];
    }
    if (r->left)
        pgn_buf_printf(&b, "; %" PRIu64 " place%s cannot be", r->left,
                       r->left == 1 ? "" : "s");
    if (!b.failed)
        cli_note("%" PRIu64 " string%s repaired%.*s", all, all == 1 ? "" : "s",
                 (int)b.n, b.n ? b.s : "");
    pgn_buf_free(&b);
}

static xq_status commit(struct conversion *c, xq_err *err)
{
    return is_file_a_game(c->to) ? cli_folder_commit(&c->folder, err)
                                 : cli_out_commit(&c->out, err);
}

static void drop(struct conversion *c)
{
    cli_out_abort(&c->out);
    cli_folder_abort(&c->folder);
}

/* Report, keep or drop the output; the exit status. */
static int finish(struct conversion *c, int rc)
{
    pgn_buf lost = {0};
    xq_err err;
    const bool named = c->out.path || c->folder.path;
    /* nothing takes the place of what stood there, nor does a part */
    const bool partial =
        rc == CLI_INTERRUPTED || (rc == CLI_FAIL && (c->stuck || !c->games));
    bool keep = !partial || !named;
    if (rc == CLI_INTERRUPTED)
        cli_note("interrupted%s", named ? ", nothing is kept" : "");
    if (c->faulty)
        cli_note("%" PRIu64 " of %" PRIu64 " game%s faulty, written up to the "
                 "fault",
                 c->faulty, c->games, c->games == 1 ? " is" : "s are");
    if (c->args.repair)
        report_repairs(&c->repairs);
    check_recognised(c);
    describe_target(c, &lost);
    describe_replaced(c, &lost);
    if (lost.failed) {
        cli_error("out of memory");
        keep = !named;
        rc = CLI_FAIL;
    } else if (lost.n && c->args.strict) {
        cli_error("%.*s", (int)lost.n, lost.s);
        keep = !named;
        rc = CLI_FAIL;
    } else if (lost.n) {
        cli_note("%.*s", (int)lost.n, lost.s);
    }
    pgn_buf_free(&lost);
    if (keep && commit(c, &err) != XQ_OK) {
        cli_error("%s", err.msg);
        drop(c);
        return CLI_FAIL;
    }
    drop(c);
    if (rc == CLI_OK && c->faulty)
        rc = CLI_FOUND;
    return cli_finish(rc);
}

/* ---- the command ---- */

/* -1: go on. */
static int read_format(const struct cli_cmd *self, struct conversion *c)
{
    const char *to = c->args.to ? c->args.to : "pgn";
    size_t t = 0;
    while (t < sizeof TARGETS / sizeof *TARGETS &&
           strcmp(to, TARGETS[t].name) != 0)
        t++;
    if (t == sizeof TARGETS / sizeof *TARGETS)
        return cli_usage(self,
                         "option '--to' takes pgn, json, dhtmlxq, text, html, "
                         "xqf or cbf, not '%s'",
                         to);
    c->to = (enum target)t;
    const bool squares = c->to != TO_PGN && c->to != TO_TEXT;
    const char *moves = c->to == TO_JSON      ? "h2e2"
                        : c->to == TO_DHTMLXQ ? "7747"
                                              : "squares";
    if (c->to == TO_HTML && c->args.notation)
        return cli_usage(self, "option '--notation' says nothing about a page: "
                               "its reader chooses one");
    if (squares && c->args.notation)
        return cli_usage(self,
                         "option '--notation' says nothing about %s: "
                         "its moves are %s",
                         TARGETS[t].title, moves);
    if (squares && c->to != TO_HTML && c->args.script)
        return cli_usage(self,
                         "option '--script' says nothing about %s: "
                         "its moves are %s",
                         TARGETS[t].title, moves);
    if (is_file_a_game(c->to) &&
        (!c->args.out || strcmp(c->args.out, "-") == 0))
        return cli_usage(self,
                         "'--to %s' writes a file a game: name a folder "
                         "with '-o'",
                         to);
    return -1;
}

static int read_encoding(const struct cli_cmd *self, struct conversion *c)
{
    c->encoding = c->to == TO_XQF ? PGN_ENC_GBK : PGN_ENC_UTF8;
    if (c->args.encoding &&
        (!pgn_encoding_of(c->args.encoding, &c->encoding) ||
         (c->encoding != PGN_ENC_UTF8 && c->encoding != PGN_ENC_GB18030 &&
          c->encoding != PGN_ENC_GBK && c->encoding != PGN_ENC_BIG5)))
        return cli_usage(self,
                         "option '--encoding' takes utf-8, gb18030, gbk or "
                         "big5, not '%s'",
                         c->args.encoding);
    if ((c->to == TO_JSON || c->to == TO_HTML || c->to == TO_CBF) &&
        c->encoding != PGN_ENC_UTF8)
        return cli_usage(self, "%s is always in UTF-8", TARGETS[c->to].title);
    return -1;
}

/* Big5 has no simplified characters: a move with '?' in it would be no move. */
static int read_style(const struct cli_cmd *self, struct conversion *c)
{
    pgn_style *st = &c->style;
    st->notation = PGN_CHINESE;
    st->script_as_game = !c->args.script;
    if (c->args.notation &&
        !cli_notation(self, "--notation", c->args.notation, &st->notation))
        return CLI_FAIL;
    if (c->args.script && !cli_script(self, c->args.script, &st->script))
        return CLI_FAIL;
    if (is_file_a_game(c->to) || c->encoding != PGN_ENC_BIG5 ||
        st->notation != PGN_CHINESE)
        return -1;
    if (c->args.script && st->script == PGN_SIMPLIFIED) {
        cli_error("Big5 has no simplified characters: the moves could not be "
                  "read again; use --script traditional or another encoding");
        return CLI_FAIL;
    }
    st->script = PGN_TRADITIONAL;
    st->script_as_game = false;
    return -1;
}

/* What stands before and behind the games of a page. */
static bool write_frame(struct conversion *c, bool begin)
{
    if (c->to != TO_HTML || page_write_frame(c->out.f, &c->page, begin))
        return true;
    cli_error("out of memory");
    return false;
}

static int run(struct conversion *c, pgn_encoding input, int argc, char **argv)
{
    xq_err err;
    c->input = input;
    if ((is_file_a_game(c->to)
             ? cli_folder_open(&c->folder, c->args.out, c->args.to, &err)
             : cli_out_open(&c->out, c->args.out, &err)) != XQ_OK) {
        cli_error("%s", err.msg);
        return CLI_FAIL;
    }
    if (!is_file_a_game(c->to) && c->encoding != PGN_ENC_UTF8)
        c->head = malloc(HEAD); /* without it there is no check */
    const pipe_job job = {
        .game = on_game,
        .emit = on_part,
        .held = held,
        .ctx = c,
        .new_result = new_part,
        .free_result = free_part,
        .threads = pipe_threads(c->args.threads),
        .options = {.encoding = input, .repair = c->args.repair},
        .progress = c->args.progress,
    };
    c->page = (page_style){.script = c->style.script,
                           .script_as_game = c->style.script_as_game,
                           .title = cli_base_name(argv[0])};
    c->stuck = !write_frame(c, true);
    int rc = c->stuck ? CLI_FAIL
                      : pipe_run(&job, (const char *const *)argv, (size_t)argc);
    if (!write_frame(c, false)) {
        c->stuck = true;
        rc = CLI_FAIL;
    }
    rc = finish(c, rc);
    free(c->head);
    return rc;
}

int cmd_convert(const struct cli_cmd *self, int argc, char **argv)
{
    struct conversion c = {.to = TO_PGN};
    pgn_encoding input = PGN_ENC_AUTO;
    int rc = cli_parse(self, OPTS, &c.args, &argc, &argv);
    if (rc < 0 && argc == 0)
        rc = cli_usage(self, "no input: name a file, a folder, or -");
    if (rc < 0)
        rc = read_format(self, &c);
    if (rc < 0)
        rc = read_encoding(self, &c);
    if (rc < 0)
        rc = read_style(self, &c);
    if (rc < 0 && c.args.input && !pgn_encoding_of(c.args.input, &input))
        rc = cli_usage(self, "unknown encoding '%s'; known: " CLI_ENCODINGS,
                       c.args.input);
    return rc < 0 ? run(&c, input, argc, argv) : rc;
}
