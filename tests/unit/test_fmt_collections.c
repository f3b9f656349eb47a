/* test_fmt_collections.c - whole collections of text formats against
 * ../shared/data/manifest.tsv and anomalies.tsv (QIPU_SHARED names another
 * place).  Skipped, saying so, where they are absent. */
#include "tests/unit/text_util.h"

#include <sys/resource.h>
#include <unistd.h>

static const char *shared(void)
{
    const char *s = getenv("QIPU_SHARED");
    s = s ? s : "../shared";
    if (access(s, R_OK) != 0) {
        print_message("%s is absent: skipped\n", s);
        skip();
    }
    return s;
}

struct counts {
    uint64_t games, faulty, plies, illegal, refused, wrong_side, other;
};

static void count(struct counts *c, const pgn_game *g)
{
    c->games++;
    c->plies += g->plies;
    c->faulty += g->faulty;
    for (uint32_t i = 0; i < g->nproblems; i++) {
        const pgn_problem *p = &g->problems[i];
        const bool side = p->message.n > 11 &&
                          memmem(p->message.s, p->message.n, "moves first", 11);
        c->wrong_side += p->kind == PGN_P_FEN && side;
        if (p->level == PGN_WARNING)
            continue;
        c->illegal += p->kind == PGN_P_ILLEGAL;
        c->refused += p->kind == PGN_P_FEN;
        c->other += p->kind != PGN_P_ILLEGAL && p->kind != PGN_P_FEN;
    }
}

static void games_of(const char *rel, struct counts *c, pgn_buf *json,
                     game_writer *write, size_t *lost)
{
    char path[2000];
    pgn_reader *r = NULL;
    const pgn_game *g = NULL;
    xq_err err = {.msg = ""};
    snprintf(path, sizeof path, "%s/data/%s", shared(), rel);
    xq_status rc = pgn_reader_open(&r, path, NULL, &err);
    while (rc == XQ_OK && (rc = pgn_reader_next(r, &g, &err)) == XQ_OK) {
        if (c)
            count(c, g);
        pgn_game copy = *g;
        copy.nproblems = 0;
        if (write)
            assert_int_equal(write(&copy, json, lost), XQ_OK);
        else if (json)
            assert_int_equal(pgn_write_json(&copy, json), XQ_OK);
    }
    pgn_reader_close(r);
    if (rc != XQ_DONE)
        fail_msg("%s: %s", rel, err.msg);
}

/* Columns 1, 4 and 5 of the manifest. */
static bool row(FILE *f, char *path, unsigned long *games, unsigned long *plies)
{
    char line[4000], *col[6] = {line};
    int n = 1;
    if (!fgets(line, sizeof line, f))
        return false;
    for (char *p = line; *p && n < 6; p++)
        if (*p == '\t') {
            *p = 0;
            col[n++] = p + 1;
        }
    strcpy(path, col[0]);
    *games = n > 3 ? strtoul(col[3], NULL, 10) : 0;
    *plies = n > 4 ? strtoul(col[4], NULL, 10) : 0;
    return true;
}

/* Every game is read.  What is faulty: 4 games of uci.txt, 46 of niu2x (44
 * illegal, of which one takes a king, and 2 FENs without kings). */
static void as_the_manifest_says(void **state)
{
    static const char *const OURS[] = {"dhtmlxq/", "wxf/", "movelist/", "csv/",
                                       "epd/"};
    char name[2000], path[4000];
    unsigned long games, plies, files = 0;
    (void)state;
    snprintf(name, sizeof name, "%s/data/manifest.tsv", shared());
    FILE *f = fopen(name, "r");
    assert_non_null(f);
    while (row(f, path, &games, &plies)) {
        bool ours = false;
        for (size_t i = 0; i < 5; i++)
            ours = ours || strncmp(path, OURS[i], strlen(OURS[i])) == 0;
        if (!ours || games == 0)
            continue;
        struct counts c = {0};
        games_of(path, &c, NULL, NULL, NULL);
        files++;
        if (c.games != games)
            fail_msg("%s: %lu games, want %lu", path, (unsigned long)c.games,
                     games);
        if (strcmp(path, "movelist/elephantchess/uci.txt.gz") == 0) {
            assert_int_equal(c.illegal, 4);
            assert_int_equal(c.plies, plies);
        } else if (strcmp(path, "movelist/niu2x-chinese-qipu.tar.gz") == 0) {
            /* the manifest counts what is written behind a fault too */
            assert_int_equal(c.illegal, 44);
            assert_int_equal(c.refused, 2);
            assert_in_range(c.wrong_side, 165, 170);
            assert_true(c.plies < plies);
        } else {
            assert_int_equal(c.faulty, 0);
            if (plies && c.plies != plies)
                fail_msg("%s: %lu plies, want %lu", path,
                         (unsigned long)c.plies, plies);
        }
    }
    fclose(f);
    assert_int_equal(files, 31);
}

static void without_a_count(void **state)
{
    static const struct {
        const char *path;
        unsigned games, plies, faulty;
    } T[] = {
        {"dhtmlxq/ccbridge gathering of 7stars.txt", 1, 85, 0},
        {"wxf/xiangqi-setup/demo.wxf", 1, 0, 0},
        {"wxf/elephantchess/game1.wxf", 1, 138, 0},
        {"epd/xqwlight/FUNNY.EPD", 240, 0, 0},
        {"epd/chessq/基本杀法.eglib", 321, 0, 0},
        {"epd/chessq/杀局谱.eglib", 6043, 146541, 8},
        {"epd/chessq/梦入神机杀局.eglib", 135, 1971, 0},
        {"epd/chessq/车马专集.eglib", 575, 13098, 0},
        {"epd/chessq/适情雅趣360.eglib", 475, 6078, 0},
        {"other/zfdang-samples/sample_04x.txt", 1, 45, 0},
        {"other/zfdang-samples/sample_12x_ourgame-chess.txt", 1, 44, 0},
        {"other/zfdang-samples/sample_41_fen.fen", 2, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        struct counts c = {0};
        games_of(T[i].path, &c, NULL, NULL, NULL);
        if (c.games != T[i].games || c.plies != T[i].plies ||
            c.faulty != T[i].faulty)
            fail_msg("%s: %lu games, %lu plies, %lu faulty", T[i].path,
                     (unsigned long)c.games, (unsigned long)c.plies,
                     (unsigned long)c.faulty);
    }
}

static const char *const TRIPS[] = {
    "dhtmlxq/ccbridge gathering of 7stars.txt",
    "dhtmlxq/game.ubb",
    "dhtmlxq/game1.ubb",
    ("dhtmlxq/ccbridge-arena/"
     "Australia_CHANG_Diana_(D)_Malaysia_East_CHIENG_Ming_Chuo.ubb"),
    "dhtmlxq/wukong-html/44.html",
    "dhtmlxq/wukong-html/116.html",
    "wxf/elephantchess/game1.wxf",
    "wxf/xiangqi-setup/demo-with-history-playok.wxf",
    "wxf/xiangqi-setup/demo.wxf",
    "movelist/elephantchess/uci.txt.gz",
    "movelist/niu2x-chinese-qipu.tar.gz",
    "csv/elephantchess/pvp_game_moves_xiangqi_059.csv.gz",
    "epd/chessq/杀局谱.eglib",
    "epd/xqwlight/FUNNY.EPD",
    "other/zfdang-samples/sample_04x.txt",
    "other/zfdang-samples/sample_12x_ourgame-chess.txt",
};

static void same(const char *what, const pgn_buf *a, const pgn_buf *b)
{
    size_t i = 0, from = 0;
    while (i < a->n && i < b->n && a->s[i] == b->s[i])
        if (a->s[i++] == '\n')
            from = i;
    if (i < a->n || i < b->n)
        fail_msg("%s:\n%.*s\n%.*s", what,
                 (int)(a->n - from < 500 ? a->n - from : 500), a->s + from,
                 (int)(b->n - from < 500 ? b->n - from : 500), b->s + from);
}

static void again(pgn_buf *text, pgn_buf *json)
{
    json->n = 0;
    struct reading r = reading_of((xq_str){text->s, text->n}, PGN_ENC_AUTO);
    const pgn_game *g;
    while ((g = next_game(&r))) {
        pgn_game copy = *g;
        copy.nproblems = 0;
        assert_int_equal(pgn_write_json(&copy, json), XQ_OK);
    }
    end_reading(&r);
}

static xq_status to_pgn(const pgn_game *g, pgn_buf *out, size_t *lost)
{
    static const pgn_style ST = {.notation = PGN_CHINESE};
    return pgn_write_pgn(g, &ST, out, lost);
}

/* Any format -> JSON -> PGN -> JSON. */
static void through_pgn(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof TRIPS / sizeof *TRIPS; i++) {
        pgn_buf json = {0}, pgn = {0}, back = {0};
        size_t lost = 0;
        games_of(TRIPS[i], NULL, &json, NULL, NULL);
        games_of(TRIPS[i], NULL, &pgn, to_pgn, &lost);
        again(&json, &back);
        same(TRIPS[i], &json, &back);
        again(&pgn, &back);
        same(TRIPS[i], &json, &back);
        assert_int_equal(lost, 0);
        pgn_buf_free(&json);
        pgn_buf_free(&pgn);
        pgn_buf_free(&back);
    }
}

/* DhtmlXQ -> PGN -> DhtmlXQ: tree, comments, start position, and tags. */
static void dhtmlxq_through_pgn(void **state)
{
    (void)state;
    for (size_t i = 0; i < 6; i++) {
        pgn_buf json = {0}, pgn = {0}, ubb = {0}, back = {0};
        size_t lost = 0;
        games_of(TRIPS[i], NULL, &json, NULL, NULL);
        games_of(TRIPS[i], NULL, &pgn, to_pgn, &lost);
        struct reading r = reading_of((xq_str){pgn.s, pgn.n}, PGN_ENC_AUTO);
        const pgn_game *g;
        while ((g = next_game(&r)))
            assert_int_equal(to_dhtmlxq(g, &ubb, &lost), XQ_OK);
        end_reading(&r);
        again(&ubb, &back);
        same(TRIPS[i], &json, &back);
        assert_int_equal(lost, 0);
        pgn_buf_free(&json);
        pgn_buf_free(&pgn);
        pgn_buf_free(&ubb);
        pgn_buf_free(&back);
    }
}

/* The largest of these files needs no more than a segment or two. */
static void memory_is_bounded(void **state)
{
    struct rusage u;
    (void)state;
    shared();
    struct counts c = {0};
    games_of("movelist/elephantchess/uci.txt.gz", &c, NULL, NULL, NULL);
    games_of("epd/fairy-books/xiangqi.epd.gz", &c, NULL, NULL, NULL);
    getrusage(RUSAGE_SELF, &u);
#if !defined(__SANITIZE_ADDRESS__)
    assert_true(u.ru_maxrss < 64L << 10);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_bounded), /* first: the peak is counted */
        cmocka_unit_test(as_the_manifest_says),
        cmocka_unit_test(without_a_count),
        cmocka_unit_test(through_pgn),
        cmocka_unit_test(dhtmlxq_through_pgn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
