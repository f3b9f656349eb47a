/* referee_one.c - qipu referee on one game of a file. */
#include "tools/referee_one.h"

#include "tools/game_line.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- all rulings ---- */

struct runs {
    ruling_run *v;
    size_t n, cap;
};

static bool add_run(struct runs *runs, const ruling_run *run)
{
    if (runs->n == runs->cap) {
        const size_t cap = runs->cap ? 2 * runs->cap : 16;
        ruling_run *v = realloc(runs->v, cap * sizeof *v);
        if (!v)
            return false;
        runs->v = v;
        runs->cap = cap;
    }
    runs->v[runs->n++] = *run;
    return true;
}

static bool find_runs(struct runs *runs, rulings *r, const xq_profile *profile,
                      const pgn_game *g)
{
    ruling_run run;
    if (!rulings_begin(r, profile, g))
        return false;
    while (rulings_next(r, &run))
        if (!add_run(runs, &run))
            return false;
    return true;
}

/* Of those behind `first` keep the ones whose outcome is another than that of
 * the one before. */
static size_t keep_changes(struct runs *runs, size_t first)
{
    xq_outcome before = runs->v[first].ruling.outcome;
    size_t kept = first + 1;
    for (size_t i = first + 1; i < runs->n; i++) {
        if (runs->v[i].ruling.outcome == before)
            continue;
        before = runs->v[i].ruling.outcome;
        runs->v[kept++] = runs->v[i];
    }
    return kept - (first + 1);
}

/* ---- the answer ---- */

void ref_one_add(cli_buf *b, enum ref_form form, const ref_case *c)
{
    if (form == REF_SHEET)
        ref_sheet(b, c);
    else if (form == REF_JSON) {
        cli_buf_puts(b, "{");
        ref_report_json(b, c);
        cli_buf_puts(b, "}\n");
    } else
        ref_report_text(b, c);
}

static void add_tags(cli_buf *b, const pgn_game *g)
{
    static const char *const NAMES[] = {"Event", "Date", "Round",
                                        "Board", "Red",  "Black"};
    const char *comma = "";
    cli_buf_puts(b, ",\"tags\":{");
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        const xq_str value = pgn_game_tag(g, NAMES[i]);
        if (!value.n)
            continue;
        cli_buf_printf(b, "%s\"%s\":", comma, NAMES[i]);
        cli_buf_json(b, value);
        comma = ",";
    }
    cli_buf_puts(b, "}");
}

static void add_json(cli_buf *b, const char *path, const ref_game *f)
{
    const ref_case *c = &f->mine;
    cli_buf_puts(b, "{\"file\":");
    cli_buf_json(b, xq_str_of(path));
    cli_buf_printf(b, ",\"line\":%" PRIu64 ",\"game\":%" PRIu64 ",",
                   f->game->line, f->game->number);
    ref_game_json(b, f);
    add_tags(b, f->game);
    cli_buf_puts(b, ",\"later\":[");
    for (size_t i = 0; i < c->nlater; i++) {
        const ruling_run *run = &c->later[i];
        cli_buf_printf(b,
                       "%s{\"verdict\":\"%s\",\"article\":\"%s\","
                       "\"from_ply\":%" PRIu32 ",\"to_ply\":%" PRIu32
                       ",\"last_ply\":%" PRIu32 "}",
                       i ? "," : "", ref_outcome_code(run->ruling.outcome),
                       run->ruling.article, run->ruling.from_ply,
                       run->ruling.to_ply, run->last);
    }
    cli_buf_puts(b, "]}\n");
}

/* At this ply, when a ruling reaches it; else where the first one falls. */
static ruling_run *pick(struct runs *runs, const struct ref_one *job,
                        uint32_t plies)
{
    if (runs->n == 0)
        return NULL;
    ruling_run *last = &runs->v[runs->n - 1];
    if (job->ply == REF_ALL || last->last != plies)
        return &runs->v[0];
    last->ruling.to_ply = plies;
    return last;
}

static bool judge(const struct ref_one *job, const char *path,
                  const pgn_game *g, struct runs *runs, cli_buf *b)
{
    rulings r = {0};
    ref_game f = {0};
    bool ok = find_runs(runs, &r, &job->how.rules, g);
    const ruling_run *first = ok ? pick(runs, job, g->plies) : NULL;
    if (ok && first) {
        const size_t at = (size_t)(first - runs->v);
        f.mine.contradicts = rulings_contradict(g, &runs->v[runs->n - 1]);
        f.mine.nlater = keep_changes(runs, at);
        f.mine.later = first + 1;
    }
    ok = ok && rulings_begin(&r, &job->how.rules, g) &&
         ref_game_judge(&f, &job->how, g, &r, first);
    if (ok && job->form == REF_JSON)
        add_json(b, path, &f);
    else if (ok)
        ref_one_add(b, job->form, &f.mine);
    ref_game_free(&f);
    rulings_free(&r);
    return ok && !b->failed;
}

bool ref_one_judge(const struct ref_one *job, const char *path, cli_buf *b)
{
    pgn_reader *r;
    struct runs runs = {0};
    bool ok = false;
    const pgn_game *whole = game_open(&r, path, job->number, &job->options);
    if (whole && job->ply != REF_ALL && job->ply > whole->plies)
        cli_error("%s: game %" PRIu64 " has no ply %" PRIu64 ", only %" PRIu32,
                  path, job->number, job->ply, whole->plies);
    else if (whole) {
        pgn_game g = *whole;
        if (job->ply < g.plies) { /* its result is not that of a part */
            g.plies = (uint32_t)job->ply;
            g.result = PGN_UNKNOWN;
        }
        ok = judge(job, path, &g, &runs, b);
        if (!ok)
            cli_error("out of memory");
    }
    free(runs.v);
    pgn_reader_close(r);
    return ok;
}
