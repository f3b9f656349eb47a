/* tune.c - the program `tune`: fits the numbers of engine/weights.c to games.
 *
 *   make tune [TUNE_SEED=1] [QIPU_SHARED=../shared]
 *
 * repeats the whole recipe with the collections of ../shared (or the files of
 * TUNE_GAMES), three minutes of a processor, and leaves new numbers in
 * engine/weights.c, which is overwritten; its two steps are
 *
 *   tune sample --seed 1 -o POSITIONS GAMES...
 *   tune fit --seed 1 POSITIONS engine/weights.c -o engine/weights.c
 *
 * The recipe is what the options default to.  It starts from the numbers that
 * the program was built with: they give the scores, and weights without
 * evidence keep them.  So the numbers of a commit come back byte by byte from
 * the commit before it.  New ones change what is searched: play a match before
 * they are kept, and say "Bench: N" (CONTRIBUTING.md). */
#include "tools/tune.h"

#include "engine/search.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* ---- tune sample ---- */

struct sample_args {
    uint64_t seed, nodes, each;
    const char *out;
};

static const struct cli_opt SAMPLE_OPTS[] = {
    {"seed", 0, CLI_UINT, offsetof(struct sample_args, seed), "N",
     "other positions of the same games (default: 1)"},
    {"nodes", 0, CLI_UINT, offsetof(struct sample_args, nodes), "N",
     "nodes of the search of each position (default: 5000)"},
    {"each", 0, CLI_UINT, offsetof(struct sample_args, each), "N",
     "positions tried of each game (default: 5)"},
    {"output", 'o', CLI_STR, offsetof(struct sample_args, out), "FILE",
     "write to FILE (default: stdout)"},
    {0},
};

static int fail(const xq_err *err)
{
    cli_error("%s", err->msg);
    return CLI_FAIL;
}

static void say_why_nothing(const tune_sampler *s)
{
    cli_note("nothing was taken: of %" PRIu64 " games read %" PRIu64
             " are faulty, %" PRIu64 " without a result, %" PRIu64
             " from a set-up position, %" PRIu64 " too short",
             s->read, s->faulty, s->no_result, s->set_up, s->too_short);
    if (s->games > 0)
        cli_note("the others gave positions in check, before or behind "
                 "captures, or decided, which stay out");
}

static int sample(const struct cli_cmd *self, int argc, char **argv)
{
    struct sample_args a = {.seed = 1, .nodes = 5000, .each = 5};
    int rc = cli_parse(self, SAMPLE_OPTS, &a, &argc, &argv);
    if (rc >= 0)
        return rc;
    if (argc == 0)
        return cli_usage(self, "no games named");
    cli_catch_interrupts();
    const tune_recipe recipe = {a.seed, a.nodes, a.each};
    tune_sampler s;
    cli_out out = {0};
    xq_err err;
    xq_status st = tune_sample_open(&s, &recipe, &err);
    if (st == XQ_OK)
        st = cli_out_open(&out, a.out, &err);
    for (int i = 0; i < argc && st == XQ_OK && !cli_interrupted(); i++) {
        xq_err what;
        st = tune_sample_file(&s, argv[i], out.f, &what);
        if (st != XQ_OK)
            xq_fail(&err, st, "%s: %s", argv[i], what.msg);
    }
    tune_sample_close(&s);
    if (st == XQ_OK && !cli_interrupted())
        st = cli_out_commit(&out, &err);
    cli_out_abort(&out);
    if (st < 0)
        return fail(&err);
    if (cli_interrupted())
        return CLI_INTERRUPTED;
    cli_note("games %" PRIu64 ", positions %" PRIu64, s.games, s.taken);
    if (s.taken == 0)
        say_why_nothing(&s);
    return cli_finish(CLI_OK);
}

/* ---- tune fit ---- */

struct fit_args {
    uint64_t seed, lambda, spread, rounds;
    const char *out;
};

static const struct cli_opt FIT_OPTS[] = {
    {"seed", 0, CLI_UINT, offsetof(struct fit_args, seed), "N",
     "another order of the positions (default: 1)"},
    {"lambda", 0, CLI_UINT, offsetof(struct fit_args, lambda), "PERCENT",
     "share of the results, the rest is the scores' (default: 30)"},
    {"spread", 0, CLI_UINT, offsetof(struct fit_args, spread), "N",
     "how far weights may be expected to move (default: 40)"},
    {"rounds", 0, CLI_UINT, offsetof(struct fit_args, rounds), "N",
     "how often to go over the positions (default: 100)"},
    {"output", 'o', CLI_STR, offsetof(struct fit_args, out), "FILE",
     "write to FILE (default: stdout)"},
    {0},
};

/* Add the whole file to *text. */
static xq_status read_all(const char *path, cli_buf *text, xq_err *err)
{
    FILE *const f = fopen(path, "r");
    if (!f)
        return xq_fail(err, XQ_EIO, "cannot open '%s': %s", path,
                       strerror(errno));
    char part[4096];
    size_t n;
    while ((n = fread(part, 1, sizeof part, f)) > 0)
        cli_buf_add(text, part, n);
    const bool bad = ferror(f) != 0;
    fclose(f);
    if (bad)
        return xq_fail(err, XQ_EIO, "cannot read '%s'", path);
    return text->failed ? xq_fail(err, XQ_ENOMEM, "out of memory") : XQ_OK;
}

static void say_loss(const char *when, const tune_data *d,
                     const tune_weights *w, const tune_plan *p)
{
    const double used = tune_loss(d, w, p, false),
                 held = tune_loss(d, w, p, true);
    if (held < 0)
        cli_note("loss %s %.5f, held back none", when, used);
    else
        cli_note("loss %s %.5f, held back %.5f", when, used, held);
}

static xq_status fit_all(const tune_data *d, tune_plan *p, tune_weights *w,
                         tune_curve *c, xq_err *err)
{
    p->unit = tune_unit(d);
    if (p->unit <= 0)
        return xq_fail(err, XQ_ENOTFOUND, "no position has a result");
    tune_weights_now(w);
    tune_curve_now(c);
    cli_note("positions %zu, unit %.1f", d->n, p->unit);
    say_loss("before:", d, w, p);
    const xq_status rc = tune_fit(d, p, w, err);
    if (rc != XQ_OK)
        return rc;
    say_loss("after: ", d, w, p);
    const double before = tune_curve_loss(d, c);
    tune_curve_fit(d, c);
    cli_note("chances: loss %.5f, was %.5f", tune_curve_loss(d, c), before);
    return XQ_OK;
}

static int fit(const struct cli_cmd *self, int argc, char **argv)
{
    struct fit_args a = {1, 30, 40, 100, NULL};
    int rc = cli_parse(self, FIT_OPTS, &a, &argc, &argv);
    if (rc >= 0)
        return rc;
    if (argc != 2)
        return cli_usage(self, "positions and weights are needed");
    if (a.lambda > 100 || a.spread == 0 || a.spread > 1000 || a.rounds > 100000)
        return cli_usage(self, "a number is too large or nothing");
    tune_plan p = {.seed = a.seed,
                   .lambda = (double)a.lambda / 100,
                   .spread = (double)a.spread,
                   .rounds = (unsigned)a.rounds};
    static tune_weights w;
    tune_curve c;
    tune_data d = {0};
    cli_buf text = {0};
    cli_out out = {0};
    xq_err err;
    xq_status st = tune_data_read(&d, argv[0], &err);
    if (st == XQ_OK)
        st = read_all(argv[1], &text, &err);
    if (st == XQ_OK)
        st = fit_all(&d, &p, &w, &c, &err);
    if (st == XQ_OK)
        st = cli_out_open(&out, a.out, &err);
    if (st == XQ_OK)
        st = tune_write((xq_str){text.s, text.n}, &w, &c, out.f, &err);
    if (st == XQ_OK)
        st = cli_out_commit(&out, &err);
    cli_out_abort(&out);
    cli_buf_free(&text);
    tune_data_free(&d);
    return st == XQ_OK ? cli_finish(CLI_OK) : fail(&err);
}

static const struct cli_cmd STEPS[] = {
    {"sample", "[--seed N] [--nodes N] [--each N] [-o FILE] GAMES...",
     "Take quiet positions of games, with results and scores", NULL, sample},
    {"fit",
     "[--seed N] [--lambda PERCENT] [--spread N] [--rounds N] [-o FILE] "
     "POSITIONS WEIGHTS",
     "Fit the numbers of engine/weights.c to positions", NULL, fit},
};
enum { STEP_COUNT = sizeof STEPS / sizeof *STEPS };

int main(int argc, char **argv)
{
    cli_program = "tune";
    for (int i = 0; i < STEP_COUNT && argc > 1; i++)
        if (strcmp(argv[1], STEPS[i].name) == 0)
            return STEPS[i].run(&STEPS[i], argc - 2, argv + 2);
    fputs("usage: tune STEP [OPTION...] ARGUMENT...\n", stderr);
    for (int i = 0; i < STEP_COUNT; i++)
        fprintf(stderr, "  %-8s %s\n", STEPS[i].name, STEPS[i].summary);
    return CLI_FAIL;
}
