/* The binary files of ../shared (QIPU_SHARED names another place): counts as
 * in its manifest, and round trips.  Skipped, saying so, where they are
 * absent. */
#include "tests/unit/engine_util.h"
#include "tests/unit/read_util.h"

static const char *shared(void)
{
    const char *s = getenv("QIPU_SHARED");
    return s ? s : "../shared";
}

static FILE *manifest(void)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/data/manifest.tsv", shared());
    FILE *f = fopen(path, "r");
    if (!f) {
        print_message("%s is absent: skipped\n", path);
        skip();
    }
    return f;
}

/* Path, games and plies (0: not said) of the next row of a binary kind. */
static bool row(FILE *f, char path[4000], unsigned long *games,
                unsigned long *plies)
{
    static const char *const FOLDERS[] = {"xqf/", "cbl/", "cbr/", "cbf/",
                                          "other/xqr/"};
    char line[4000];
    while (fgets(line, sizeof line, f)) {
        char none[] = "", *col[6] = {line, none, none, none, none, none};
        int n = 1;
        for (char *p = line; *p && n < 6; p++)
            if (*p == '\t') {
                *p = 0;
                col[n++] = p + 1;
            }
        for (size_t i = 0; i < COUNT_OF(FOLDERS); i++)
            if (strncmp(line, FOLDERS[i], strlen(FOLDERS[i])) == 0) {
                strcpy(path, line);
                *games = strtoul(col[3], NULL, 10);
                *plies = strtoul(col[4], NULL, 10);
                return true;
            }
    }
    return false;
}

/* ---- all games of a file ---- */

struct sums {
    unsigned long games, faulty, plies, nodes;
    unsigned long cut, refused, illegal; /* games by their first error */
    unsigned long trips, changed, unwritten;
};

typedef void visit(struct sums *s, const pgn_game *g);

static void each_game(const char *rel, visit *v, struct sums *s)
{
    char path[5000];
    pgn_reader *r = NULL;
    const pgn_game *g;
    xq_err err = {0};
    snprintf(path, sizeof path, "%s/data/%s", shared(), rel);
    must(pgn_reader_open(&r, path, NULL, &err) == XQ_OK, rel, &err);
    xq_status rc;
    while ((rc = pgn_reader_next(r, &g, &err)) == XQ_OK)
        v(s, g);
    must(rc == XQ_DONE, rel, &err);
    pgn_reader_close(r);
}

static void count(struct sums *s, const pgn_game *g)
{
    s->games++;
    s->faulty += g->faulty;
    s->plies += g->plies;
    s->nodes += g->nnodes - 1;
    for (uint32_t i = 0; i < g->nproblems; i++) {
        const pgn_problem *p = &g->problems[i];
        if (p->level != PGN_ERROR)
            continue;
        s->cut += p->kind == PGN_P_STRUCTURE;
        s->refused += p->kind == PGN_P_FEN;
        s->illegal += p->kind == PGN_P_ILLEGAL || p->kind == PGN_P_MOVE;
        return;
    }
}

/* Games as in the manifest, and plies, where no game is faulty: what it counts
 * behind a fault is not kept. */
static void as_in_the_manifest(void **state)
{
    FILE *f = manifest();
    char path[4000];
    unsigned long games, plies;
    struct sums xqf = {0}, cbl = {0};
    (void)state;
    while (row(f, path, &games, &plies)) {
        struct sums s = {0};
        each_game(path, count, &s);
        if ((games && s.games != games) ||
            (plies && (s.faulty ? s.plies > plies : s.plies != plies)))
            fail_msg("%s: %lu games, %lu plies; want %lu, %lu", path, s.games,
                     s.plies, games, plies);
        struct sums *to = path[0] == 'x' && strstr(path, ".tar") ? &xqf : &cbl;
        if (to == &cbl && strncmp(path, "cbl/", 4) != 0)
            continue;
        to->games += s.games;
        to->faulty += s.faulty;
        to->cut += s.cut;
        to->refused += s.refused;
        to->illegal += s.illegal;
        to->nodes += s.nodes;
    }
    fclose(f);
    /* anomalies.tsv: 18 files end at the root, 18 boards have no two kings */
    assert_int_equal(xqf.games, 20406);
    assert_int_equal(xqf.cut, 18);
    assert_int_equal(xqf.refused, 18);
    assert_int_equal(cbl.games, 7964);
    assert_int_equal(cbl.cut, 0);
    assert_int_equal(cbl.refused, 0);
    assert_int_equal(cbl.faulty, 9);
}

/* ---- round trips ---- */

static int by_name(const void *a, const void *b)
{
    const xq_str x = ((const pgn_tag *)a)->name, y = ((const pgn_tag *)b)->name;
    const int order = memcmp(x.s, y.s, x.n < y.n ? x.n : y.n);
    return order ? order : x.n < y.n ? -1 : x.n > y.n;
}

/* Fields of a header have their own order: tags are compared sorted. */
static char *json_of_game(const pgn_game *g)
{
    pgn_game copy = *g;
    pgn_buf out = {0};
    pgn_tag tags[64];
    assert_true(g->ntags <= 64);
    memcpy(tags, g->tags, g->ntags * sizeof *tags);
    qsort(tags, g->ntags, sizeof *tags, by_name);
    copy.tags = tags;
    copy.nproblems = 0; /* they stand in the first source only */
    assert_int_equal(pgn_write_json(&copy, &out), XQ_OK);
    return text_of(&out);
}

/* The one game of these bytes as JSON. */
static char *json_again(const char *s, size_t n)
{
    struct reading r = reading_of((xq_str){s, n}, PGN_ENC_AUTO);
    const pgn_game *g = next_game(&r);
    assert_non_null(g);
    char *json = json_of_game(g);
    assert_null(next_game(&r));
    end_reading(&r);
    return json;
}

static void same(const char *what, const char *want, const char *got)
{
    if (strcmp(want, got) != 0)
        fail_msg("%s:\n%.1500s\n%.1500s", what, want, got);
}

/* -> PGN -> JSON: the same unless a change was counted. */
static void through_pgn(struct sums *s, const pgn_game *g)
{
    const pgn_style st = {.notation = PGN_CHINESE, .script_as_game = true};
    pgn_buf out = {0};
    size_t lost = 0;
    assert_int_equal(pgn_write_pgn(g, &st, &out, &lost), XQ_OK);
    s->trips++;
    s->changed += lost != 0;
    if (!lost) {
        char *want = json_of_game(g), *got = json_again(out.s, out.n);
        same("PGN", want, got);
        free(want);
        free(got);
    }
    pgn_buf_free(&out);
}

/* -> XQF, and -> CBF: the same unless something was counted. */
static void through(struct sums *s, const pgn_game *g, bool xqf)
{
    pgn_buf out = {0};
    pgn_lost lost = {0};
    assert_int_equal(xqf ? pgn_write_xqf(g, PGN_ENC_GB18030, &out, &lost)
                         : pgn_write_cbf(g, &out, &lost),
                     XQ_OK);
    s->trips++;
    s->unwritten += lost.games;
    s->changed += pgn_lost_any(&lost) && !lost.games;
    if (!pgn_lost_any(&lost)) {
        char *want = json_of_game(g), *got = json_again(out.s, out.n);
        same(xqf ? "XQF" : "CBF", want, got);
        free(want);
        free(got);
    }
    pgn_buf_free(&out);
}

static void through_xqf(struct sums *s, const pgn_game *g)
{
    through(s, g, true);
}
static void through_cbf(struct sums *s, const pgn_game *g)
{
    through(s, g, false);
}

static bool slow(void) { return getenv("QIPU_SLOW") != NULL; }

static void there_and_back(void **state)
{
    FILE *f = manifest();
    char path[4000];
    unsigned long games, plies;
    struct sums pgn = {0}, xqf = {0}, cbf = {0};
    (void)state;
    while (row(f, path, &games, &plies)) {
        const bool large = strstr(path, ".tar") || strstr(path, "hbsxcjp");
        if (large && !slow() && !strstr(path, "xuyinchuan"))
            continue;
        each_game(path, through_pgn, &pgn);
        if (path[0] == 'x')
            each_game(path, through_xqf, &xqf);
        each_game(path, through_cbf, &cbf);
    }
    fclose(f);
    assert_true(pgn.trips > 8000 && pgn.changed <= 3);
    assert_true(xqf.trips > 2000);
    assert_true(xqf.changed <= (slow() ? 8u : 3u));
    assert_true(cbf.changed <= cbf.trips);
    assert_true(cbf.unwritten <= 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_in_the_manifest),
        cmocka_unit_test(there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
