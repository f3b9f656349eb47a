/* referee_games.c - qipu referee over collections.
 *
 * A game is listed when a rule other than mate or stalemate decides it: at its
 * first repetition or limit, whether or not the players went on.  One that
 * ends in mate is listed only when its result says otherwise. */
#include "tools/referee_games.h"

#include "tools/pipe.h"
#include "tools/pipe_text.h"
#include "tools/referee_game.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct counts {
    uint64_t games, faulty, plies;
    uint64_t endings[XQ_BARE + 1];         /* by xq_ending, of first rulings */
    uint64_t outcomes[XQ_BLACK_LOSES + 1]; /* the same without mates */
    uint64_t at_end; /* of these: the game ends in that ruling or another */
    uint64_t differing, contradicted;
};

struct result {
    const struct ref_games *job;
    struct counts counts;
    rulings rulings;
    cli_buf line; /* scratch */
    pipe_text text;
};

struct run {
    const struct ref_games *job;
    cli_out out;
    struct counts counts;
};

static void *new_result(void *ctx)
{
    const struct run *run = ctx;
    struct result *r = calloc(1, sizeof *r);
    if (r)
        r->job = run->job;
    return r;
}

static void free_result(void *result)
{
    struct result *r = result;
    rulings_free(&r->rulings);
    cli_buf_free(&r->line);
    pipe_text_free(&r->text);
    free(r);
}

/* ---- which games are listed ---- */

static const struct {
    const char *name;
    unsigned bit;
} KINDS[] = {
    {"contradictions", REF_ONLY_CONTRADICTIONS},
    {"differences", REF_ONLY_DIFFERENCES},
    {"losses", REF_ONLY_LOSSES},
    {"draws", REF_ONLY_DRAWS},
    {"no-verdict", REF_ONLY_NO_VERDICT},
    {"at-end", REF_ONLY_AT_END},
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

bool ref_only_of(const char *list, unsigned *only)
{
    *only = 0;
    for (const char *word = list;; word++) {
        const size_t n = strcspn(word, ",");
        size_t k = 0;
        while (k < KIND_COUNT && !(strlen(KINDS[k].name) == n &&
                                   memcmp(KINDS[k].name, word, n) == 0))
            k++;
        if (k == KIND_COUNT)
            return false;
        *only |= KINDS[k].bit;
        word += n;
        if (!*word)
            return true;
    }
}

/* What of these the game is, as bits of REF_ONLY_. */
static unsigned kinds_of(const ref_game *f)
{
    const xq_outcome o = f->mine.ruling.outcome;
    return (f->contradicts ? REF_ONLY_CONTRADICTIONS : 0u) |
           (f->differs ? REF_ONLY_DIFFERENCES : 0u) |
           (f->at_end || f->has_last ? REF_ONLY_AT_END : 0u) |
           (o == XQ_NO_VERDICT ? REF_ONLY_NO_VERDICT
            : o == XQ_DRAW     ? REF_ONLY_DRAWS
                               : REF_ONLY_LOSSES);
}

static bool is_wanted(unsigned only, const ref_game *f)
{
    return !only || only & kinds_of(f);
}

static bool is_mate(xq_ending e) { return e == XQ_MATED || e == XQ_STALEMATED; }

/* ---- its line ---- */

/* "; " in the language asked for. */
static const char *and_then(const ref_case *c)
{
    return c->how.lang == REF_ZH ? "；" : "; ";
}

static void add_ruling(cli_buf *b, const xq_ruling *r, ref_lang l)
{
    cli_buf_printf(b, l == REF_ZH ? "%s（%s）" : "%s (%s)",
                   ref_outcome(r->outcome, l), r->article);
}

/* "plies 5-8 of 60: Red loses: Red: perpetual check; Black: ..." */
static void add_text(cli_buf *b, const ref_game *f)
{
    const ref_case *c = &f->mine;
    const xq_ruling *r = &c->ruling;
    const bool zh = c->how.lang == REF_ZH;
    if (r->ending == XQ_REPEATED)
        cli_buf_printf(b,
                       zh ? "第%" PRIu32 "-%" PRIu32 "着，共%" PRIu32 "着："
                          : "plies %" PRIu32 "-%" PRIu32 " of %" PRIu32 ": ",
                       r->from_ply, r->to_ply, c->n);
    else
        cli_buf_printf(b,
                       zh ? "第%" PRIu32 "着，共%" PRIu32 "着："
                          : "ply %" PRIu32 " of %" PRIu32 ": ",
                       r->to_ply, c->n);
    add_ruling(b, r, c->how.lang);
    if (r->ending == XQ_REPEATED) {
        cli_buf_puts(b, zh ? "：" : ": ");
        ref_report_conduct(b, c);
    }
    if (f->has_other && f->other.ruling.outcome != r->outcome) {
        cli_buf_printf(b, zh ? "%s%s：" : "%s%s: ", and_then(c),
                       ref_rules(f->other.how.rules.rules, c->how.lang));
        add_ruling(b, &f->other.ruling, c->how.lang);
    }
    if (f->has_last) {
        cli_buf_printf(b,
                       zh ? "%s终局第%" PRIu32 "着："
                          : "%sat the end, after ply %" PRIu32 ": ",
                       and_then(c), f->last.to_ply);
        add_ruling(b, &f->last, c->how.lang);
    }
    if (f->contradicts)
        cli_buf_printf(b, zh ? "%s结果为%s，不符" : "%sresult %s contradicts",
                       and_then(c), pgn_result_text(f->game->result));
}

/* FILE:LINE: game N: ..., or the JSON object. */
static void add_line(struct result *r, const ref_game *f, const pipe_at *at)
{
    pgn_buf *b = &r->text.buf;
    r->line.n = 0;
    if (r->job->json) {
        pgn_buf_puts(b, "{\"file\":");
        pgn_buf_json(b, xq_str_of(at->file));
        pgn_buf_printf(b, ",\"line\":%" PRIu64 ",\"game\":", f->game->line);
        pipe_text_number(&r->text, f->game->number);
        pgn_buf_puts(b, ",");
        ref_game_json(&r->line, f);
        cli_buf_puts(&r->line, "}");
    } else {
        pgn_buf_visible(b, xq_str_of(at->file));
        if (f->game->line) /* binary files have none */
            pgn_buf_printf(b, ":%" PRIu64, f->game->line);
        const bool zh = r->job->how.lang == REF_ZH;
        pgn_buf_puts(b, zh ? "：第" : ": game ");
        pipe_text_number(&r->text, f->game->number);
        pgn_buf_puts(b, zh ? "局：" : ": ");
        add_text(&r->line, f);
        ref_script(&r->line, 0, &r->job->how);
    }
    pgn_buf_add(b, r->line.s, r->line.n);
    pgn_buf_puts(b, "\n");
    b->failed |= r->line.failed;
}

/* ---- the work of a thread ---- */

static bool add_finding(struct result *r, ref_game *f, const pgn_game *g,
                        const pipe_at *at, const ruling_run *first)
{
    struct counts *c = &r->counts;
    const xq_ending ending = first->ruling.ending;
    if (!ref_game_judge(f, &r->job->how, g, &r->rulings, first))
        return false;
    c->endings[ending]++;
    if (!is_mate(ending)) {
        c->outcomes[f->mine.ruling.outcome]++;
        c->at_end += f->at_end || (f->has_last && !is_mate(f->last.ending));
    }
    c->differing += f->differs;
    c->contradicted += f->contradicts;
    if ((!is_mate(ending) || f->contradicts) && is_wanted(r->job->only, f))
        add_line(r, f, at);
    return !r->text.buf.failed;
}

static bool on_game(void *result, const pgn_game *g, const pipe_at *at)
{
    struct result *r = result;
    ref_game f = {0};
    ruling_run first;
    r->counts.games++;
    r->counts.faulty += g->faulty || g->skipped;
    r->counts.plies += g->plies;
    if (g->skipped)
        return true;
    if (!rulings_begin(&r->rulings, &r->job->how.rules, g))
        return false;
    if (!rulings_next(&r->rulings, &first))
        return true;
    const bool ok = add_finding(r, &f, g, at, &first);
    ref_game_free(&f);
    return ok;
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
    sum->plies += c->plies;
    for (int e = 0; e <= XQ_BARE; e++)
        sum->endings[e] += c->endings[e];
    for (int o = 0; o <= XQ_BLACK_LOSES; o++)
        sum->outcomes[o] += c->outcomes[o];
    sum->at_end += c->at_end;
    sum->differing += c->differing;
    sum->contradicted += c->contradicted;
}

static bool on_part(void *ctx, void *result, const pipe_part *part)
{
    struct run *run = ctx;
    struct result *r = result;
    pipe_text_write(&r->text, part->games_before, run->out.f);
    add_counts(&run->counts, &r->counts);
    r->counts = (struct counts){0};
    return !ferror(run->out.f); /* a full disk: stop at once */
}

static void text_summary(const struct run *run)
{
    const struct counts *c = &run->counts;
    const uint64_t *e = c->endings, *o = c->outcomes;
    const uint64_t judged = e[XQ_REPEATED] + e[XQ_LIMIT_REACHED] + e[XQ_BARE];
    cli_buf b = {0};
    cli_buf_printf(
        &b,
        run->job->how.lang == REF_ZH
            ? "对局%" PRIu64 "：裁决%" PRIu64 "（和%" PRIu64 "，红负%" PRIu64
              "，黑负%" PRIu64 "，未裁决%" PRIu64 "），其中终局%" PRIu64
              "；两种规则不同%" PRIu64 "；结果不符%" PRIu64 "；将死%" PRIu64
              "，困毙%" PRIu64 "，有误%" PRIu64 "\n"
            : "games %" PRIu64 ": judged %" PRIu64 " (draw %" PRIu64
              ", Red loses %" PRIu64 ", Black loses %" PRIu64
              ", no verdict %" PRIu64 "), %" PRIu64
              " of them at the end of the game; rule sets differ in "
              "%" PRIu64 "; results contradicted %" PRIu64 "; mate %" PRIu64
              ", stalemate %" PRIu64 ", faulty %" PRIu64 "\n",
        c->games, judged, o[XQ_DRAW], o[XQ_RED_LOSES], o[XQ_BLACK_LOSES],
        o[XQ_NO_VERDICT], c->at_end, c->differing, c->contradicted, e[XQ_MATED],
        e[XQ_STALEMATED], c->faulty);
    ref_script(&b, 0, &run->job->how);
    cli_write(run->out.f, b.s, b.n);
    cli_buf_free(&b);
}

static void write_summary(const struct run *run)
{
    const struct counts *c = &run->counts;
    const uint64_t *e = c->endings, *o = c->outcomes;
    const uint64_t judged = e[XQ_REPEATED] + e[XQ_LIMIT_REACHED] + e[XQ_BARE];
    FILE *f = run->out.f;
    if (run->job->json)
        cli_printf(f,
                   "{\"summary\":{\"games\":%" PRIu64 ",\"judged\":%" PRIu64
                   ",\"draw\":%" PRIu64 ",\"red_loses\":%" PRIu64
                   ",\"black_loses\":%" PRIu64 ",\"no_verdict\":%" PRIu64
                   ",\"repetition\":%" PRIu64 ",\"limit\":%" PRIu64
                   ",\"bare\":%" PRIu64 ",\"at_end\":%" PRIu64
                   ",\"differing\":%" PRIu64 ",\"contradicted\":%" PRIu64
                   ",\"mate\":%" PRIu64 ",\"stalemate\":%" PRIu64
                   ",\"faulty\":%" PRIu64 ",\"plies\":%" PRIu64 "}}\n",
                   c->games, judged, o[XQ_DRAW], o[XQ_RED_LOSES],
                   o[XQ_BLACK_LOSES], o[XQ_NO_VERDICT], e[XQ_REPEATED],
                   e[XQ_LIMIT_REACHED], e[XQ_BARE], c->at_end, c->differing,
                   c->contradicted, e[XQ_MATED], e[XQ_STALEMATED], c->faulty,
                   c->plies);
    else
        text_summary(run);
}

int ref_games_run(const struct ref_games *g, const char *const *paths, size_t n)
{
    struct run run = {.job = g};
    xq_err err;
    if (cli_out_open(&run.out, g->out, &err) != XQ_OK) {
        cli_error("%s", err.msg);
        return CLI_FAIL;
    }
    const pipe_job job = {
        .game = on_game,
        .emit = on_part,
        .held = held,
        .ctx = &run,
        .new_result = new_result,
        .free_result = free_result,
        .threads = pipe_threads(g->threads),
        .options = g->options,
        .progress = g->progress,
    };
    const int rc = pipe_run(&job, paths, n);
    if (rc != CLI_FAIL || run.counts.games) /* nothing read, nothing summed */
        write_summary(&run);
    if (rc == CLI_INTERRUPTED)
        cli_note("interrupted: the summary counts what was read before");
    /* a part must not pass for the whole, nor nothing take its place */
    if (run.out.path &&
        (rc == CLI_INTERRUPTED || (rc == CLI_FAIL && run.counts.games == 0)))
        cli_out_abort(&run.out);
    if (run.out.f && cli_out_commit(&run.out, &err) != XQ_OK) {
        cli_error("%s", err.msg);
        cli_out_abort(&run.out);
        return CLI_FAIL;
    }
    return cli_finish(rc);
}
