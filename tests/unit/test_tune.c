/* test_tune.c - the tuner: its data, its two fits, what it writes. */
#include "tests/unit/engine_util.h"

#include "tools/tune.h"

#include "engine/search.h"

#include <math.h>
#include <stdio.h>

static tune_weights now, w; /* large for a stack */
static tune_curve curve_now, curve;

/* The text of a file, or of all that was written to f; the caller frees it. */
static xq_str text_of(FILE *f)
{
    xq_str t = {NULL, 0};
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    const long n = ftell(f);
    assert_true(n >= 0);
    char *const s = malloc((size_t)n + 1);
    assert_non_null(s);
    rewind(f);
    t.n = fread(s, 1, (size_t)n, f);
    s[t.n] = '\0';
    t.s = s;
    fclose(f);
    return t;
}

static xq_str written(xq_str text)
{
    FILE *const f = tmpfile();
    assert_non_null(f);
    xq_err err;
    if (tune_write(text, &w, &curve, f, &err) < 0)
        fail_msg("%s", err.msg);
    return text_of(f);
}

static void weights_are_written_as_they_are_read(void **state)
{
    (void)state;
    xq_str text = text_of(fopen("engine/weights.c", "r"));
    tune_weights_now(&w);
    tune_curve_now(&curve);
    xq_str same = written(text);
    assert_string_equal(same.s, text.s);
    w.eg[XQ_W_TEMPO] = -7.6;
    curve.spread[1] = 99.4;
    xq_str other = written(text);
    assert_non_null(strstr(other.s, ", -8), /* the right to move */"));
    assert_non_null(strstr(other.s, ", 99);\n"));
    free((char *)same.s);
    free((char *)other.s);
    free((char *)text.s);
}

static void other_texts_are_refused(void **state)
{
    (void)state;
    xq_err err;
    FILE *const f = tmpfile();
    assert_non_null(f);
    assert_int_equal(
        tune_write(xq_str_of("x = W(1, 2), W(3"), &w, &curve, f, &err),
        XQ_ESYNTAX);
    assert_int_equal(tune_write(xq_str_of(""), &w, &curve, f, &err),
                     XQ_ESYNTAX);
    fclose(f);
}

/* A position with its score; its result, should the score be right, by chance:
 * that of a game between equals. */
static void add_random(tune_data *d, uint64_t *rnd)
{
    xq_pos p;
    xq_err err;
    xq_pos_start(&p);
    for (unsigned n = 20 + random_below(rnd, 100); n; n--) {
        const xq_move m = random_move(&p, rnd);
        if (m == XQ_NOMOVE)
            break;
        xq_pos_make(&p, m, NULL);
    }
    assert_int_equal(tune_data_add(d, &p, -1, 0, &err), XQ_OK);
    tune_row *const r = &d->rows[d->n - 1];
    r->score = (int)lround(tune_eval(d, r, &w));
    const double shift = curve.shift[0], spread = curve.spread[0];
    const double p_win = 1 / (1 + exp((shift - r->score) / spread));
    const double p_loss = 1 / (1 + exp((shift + r->score) / spread));
    const double x = random_below(rnd, 100000) / 1e5;
    r->result = x < p_win ? 1 : x < p_win + p_loss ? 0 : 0.5;
}

static void rows_are_worth_what_the_evaluation_says(void **state)
{
    static const char *const T[] = {
        XQ_FEN_START,
        "r1bakan2/9/2n4c1/4pR2r/p1b3p1p/4P4/Pc4P1P/1CN1B1N2/4A4/R1BAK4 w",
        "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 b",
        "2bakab2/9/9/9/9/9/9/9/9/R3K4 b", /* can hardly be won: scaled */
        "r3k4/9/9/9/9/9/9/9/9/2BAKAB2 w",
    };
    (void)state;
    tune_data d = {0};
    xq_err err;
    tune_weights_now(&w);
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        xq_pos p = pos_of(T[i]);
        xq_eval_state st;
        xq_eval_init(&st, &p);
        assert_int_equal(tune_data_add(&d, &p, 0.5, 0, &err), XQ_OK);
        const double e = tune_eval(&d, &d.rows[i], &w);
        const int want = xq_eval(&p, &st);
        assert_true(fabs(e - (p.side == XQ_RED ? want : -want)) < 2);
    }
    tune_data_free(&d);
}

/* Scores come of weights that are not ours: the fit finds the way to them, and
 * the curve that gave the results. */
static void what_made_the_data_is_found(void **state)
{
    (void)state;
    tune_data d = {0};
    xq_err err;
    tune_weights_now(&now);
    w = now;
    w.mg[XQ_W_PIECE + 3] += 60;
    w.eg[XQ_W_PIECE + 3] += 60;
    w.mg[XQ_W_LEG] -= 20;
    curve = (tune_curve){{200, 200}, {120, 120}};
    uint64_t rnd = seed_of_run();
    for (unsigned n = 0; n < 8000; n++)
        add_random(&d, &rnd);
    const tune_plan plan = {.seed = 1,
                            .unit = tune_unit(&d),
                            .lambda = 0,
                            .spread = 30,
                            .rounds = 40};
    assert_true(plan.unit > 100 && plan.unit < 400);
    tune_weights fit = now;
    const double before = tune_loss(&d, &fit, &plan, true);
    assert_int_equal(tune_fit(&d, &plan, &fit, &err), XQ_OK);
    const double after = tune_loss(&d, &fit, &plan, true);
    const double least = tune_loss(&d, &w, &plan, true);
    assert_true(after - least < (before - least) / 10);
    assert_true(fit.mg[XQ_W_LEG] < now.mg[XQ_W_LEG] - 10);
    /* What no position has stays as it was: no pawn stands on rank 0. */
    const unsigned none = XQ_W_PLACE + 6 * XQ_PLACES;
    assert_true(fit.mg[none] == now.mg[none]);

    tune_weights again = now;
    assert_int_equal(tune_fit(&d, &plan, &again, &err), XQ_OK);
    assert_memory_equal(&again, &fit, sizeof fit);

    tune_curve_now(&curve_now);
    tune_curve c = curve_now;
    tune_curve_fit(&d, &c);
    assert_true(tune_curve_loss(&d, &c) <= tune_curve_loss(&d, &curve));
    assert_true(tune_curve_loss(&d, &c) < tune_curve_loss(&d, &curve_now));
    assert_true(fabs((c.shift[0] + c.shift[1]) / 2 - 200) < 30);
    assert_true(fabs((c.spread[0] + c.spread[1]) / 2 - 120) < 30);
    tune_data_free(&d);
}

static void little_data_is_all_used(void **state)
{
    (void)state;
    tune_data d = {0};
    xq_err err;
    const xq_pos p = pos_of("4k4/9/9/9/9/9/4p4/9/9/R3K4 w");
    const tune_plan plan = {
        .seed = 1, .unit = 200, .lambda = 1, .spread = 40, .rounds = 20};
    assert_int_equal(tune_data_add(&d, &p, 0, 0, &err), XQ_OK);
    tune_weights_now(&w);
    const double before = tune_loss(&d, &w, &plan, false);
    assert_int_equal(tune_fit(&d, &plan, &w, &err), XQ_OK);
    assert_true(tune_loss(&d, &w, &plan, false) < before);
    assert_true(tune_loss(&d, &w, &plan, true) < 0);
    tune_data_free(&d);
}

/* Lines come back as they were written; others are named. */
static void positions_are_read(void **state)
{
    static const struct {
        const char *text;
        xq_status want;
        double result;
        int score;
    } T[] = {
        {XQ_FEN_START "\t1-0\t35\n", XQ_OK, 1, 35},
        {XQ_FEN_START "\t1/2-1/2\t-35\n", XQ_OK, 0.5, -35},
        {XQ_FEN_START "\t*\t0", XQ_OK, -1, 0},
        {XQ_FEN_START "\t1-0\n", XQ_ESYNTAX, 0, 0},
        {XQ_FEN_START "\t1-0\t3x\n", XQ_ESYNTAX, 0, 0},
        {XQ_FEN_START "\t1-0\t99999\n", XQ_ESYNTAX, 0, 0},
        {"9/9\t1-0\t3\n", XQ_ESYNTAX, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        char path[] = "/tmp/test_tune.XXXXXX";
        const int fd = mkstemp(path);
        assert_true(fd >= 0);
        FILE *const f = fdopen(fd, "w");
        assert_non_null(f);
        fputs(T[i].text, f);
        assert_int_equal(fclose(f), 0);
        tune_data d = {0};
        xq_err err;
        assert_int_equal(tune_data_read(&d, path, &err), T[i].want);
        if (T[i].want == XQ_OK) {
            assert_int_equal(d.n, 1);
            assert_int_equal(d.rows[0].score, T[i].score);
            assert_true(d.rows[0].result < 0
                            ? T[i].result < 0
                            : fabs(d.rows[0].result - T[i].result) < 0.01);
        } else {
            assert_non_null(strstr(err.msg, ":1: "));
        }
        tune_data_free(&d);
        remove(path);
    }
    tune_data d = {0};
    xq_err err;
    assert_int_equal(tune_data_read(&d, "/nowhere", &err), XQ_EIO);
}

/* ---- sampling ---- */

static const tune_recipe SMALL = {.seed = 1, .nodes = 200, .each = 4};

/* What is taken of our own sample games, `times` over. */
static xq_str sampled(const tune_recipe *r, unsigned times, uint64_t *taken)
{
    FILE *const f = tmpfile();
    assert_non_null(f);
    tune_sampler s;
    xq_err err;
    assert_int_equal(tune_sample_open(&s, r, &err), XQ_OK);
    for (unsigned i = 0; i < times; i++)
        if (tune_sample_file(&s, "samples/games/gbk.pgn", f, &err) < 0)
            fail_msg("%s", err.msg);
    tune_sample_close(&s);
    *taken = s.taken;
    return text_of(f);
}

static void a_recipe_gives_the_same_positions(void **state)
{
    (void)state;
    uint64_t n, again, twice, others;
    tune_recipe other = SMALL;
    other.seed = 2;
    const xq_str a = sampled(&SMALL, 1, &n), b = sampled(&SMALL, 1, &again);
    const xq_str c = sampled(&SMALL, 2, &twice);
    const xq_str d = sampled(&other, 1, &others);
    assert_true(n > 5 && others > 5);
    assert_int_equal(n, again);
    assert_string_equal(a.s, b.s);
    assert_string_equal(a.s, c.s); /* a game in two files counts once */
    assert_string_not_equal(a.s, d.s);
    free((char *)a.s);
    free((char *)b.s);
    free((char *)c.s);
    free((char *)d.s);
}

static void positions_taken_are_quiet(void **state)
{
    (void)state;
    uint64_t n, seen = 0, strays = 0;
    const xq_str text = sampled(&SMALL, 1, &n);
    for (char *line = strtok((char *)text.s, "\n"); line;
         line = strtok(NULL, "\n")) {
        char *const tab = strchr(line, '\t');
        assert_non_null(tab);
        strays += tab[1] == '*';
        *tab = '\0';
        const xq_pos p = pos_of(line);
        assert_false(xq_in_check(&p, p.side));
        xq_movelist list;
        xq_gen_legal(&p, &list);
        for (unsigned i = 0; i < list.n; i++)
            assert_false(p.at[xq_move_to(list.m[i])] &&
                         xq_see(&p, list.m[i], 1));
        seen++;
    }
    assert_int_equal(seen, n);
    assert_true(strays > 0 && strays < n);
    free((char *)text.s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_written_as_they_are_read),
        cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(rows_are_worth_what_the_evaluation_says),
        cmocka_unit_test(what_made_the_data_is_found),
        cmocka_unit_test(little_data_is_all_used),
        cmocka_unit_test(positions_are_read),
        cmocka_unit_test(a_recipe_gives_the_same_positions),
        cmocka_unit_test(positions_taken_are_quiet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
