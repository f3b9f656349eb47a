/* Round trips of real collections.
 *
 * The collections are not ours to copy: they are read from ../shared beside
 * the repository or from $QIPU_SHARED; where there are none the tests are
 * skipped and say so.  A few files by default, all with QIPU_SLOW=1. */
#include "tests/unit/engine_util.h"
#include "tests/unit/read_util.h"

#include <glob.h>
#include <unistd.h>

static const char *shared(void)
{
    const char *dir = getenv("QIPU_SHARED");
    if (!dir)
        dir = "../shared";
    return access(dir, R_OK) == 0 ? dir : NULL;
}

static bool slow(void) { return getenv("QIPU_SLOW") != NULL; }

static void skip_without_shared(void)
{
    if (shared())
        return;
    print_message("skipped: no game collections (../shared, QIPU_SHARED)\n");
    skip();
}

/* ---- a collection in memory ---- */

/* Every game of a file, written by `write` into one buffer. */
typedef void writer(const pgn_game *g, pgn_buf *out);

static void games_of_file(const char *path, writer *write, pgn_buf *out)
{
    pgn_reader *r = NULL;
    const pgn_game *g;
    xq_err err = {0};
    must(pgn_reader_open(&r, path, NULL, &err) == XQ_OK, path, &err);
    xq_status rc;
    while ((rc = pgn_reader_next(r, &g, &err)) == XQ_OK)
        write(g, out);
    must(rc == XQ_DONE, path, &err);
    pgn_reader_close(r);
    assert_false(out->failed);
}

static void games_of_text(const pgn_buf *text, writer *write, pgn_buf *out)
{
    struct reading r = reading_of((xq_str){text->s, text->n}, PGN_ENC_AUTO);
    const pgn_game *g;
    out->n = 0;
    while ((g = next_game(&r)))
        write(g, out);
    end_reading(&r);
    assert_false(out->failed);
}

static size_t lost;

static void write_iccs(const pgn_game *g, pgn_buf *out)
{
    pgn_style st = {.notation = PGN_ICCS};
    assert_int_equal(pgn_write_pgn(g, &st, out, &lost), XQ_OK);
}

static void write_big5(const pgn_game *g, pgn_buf *out)
{
    pgn_style st = {.notation = PGN_CHINESE, .script = PGN_TRADITIONAL};
    pgn_buf utf8 = {0};
    assert_int_equal(pgn_write_pgn(g, &st, &utf8, &lost), XQ_OK);
    assert_int_equal(
        pgn_encode(PGN_ENC_BIG5, (xq_str){utf8.s, utf8.n}, out, &lost), XQ_OK);
    pgn_buf_free(&utf8);
}

/* Without problems (a fault is only in the first source, behind the good
 * prefix), and without the Format tag, which speaks of the text. */
static void write_json(const pgn_game *g, pgn_buf *out)
{
    pgn_game copy = *g;
    uint32_t last = g->ntags - 1;
    copy.nproblems = 0;
    if (g->ntags && xq_str_eq(g->tags[last].name, xq_str_of("Format")))
        copy.ntags--;
    assert_int_equal(pgn_write_json(&copy, out), XQ_OK);
}

static void write_keys(const pgn_game *g, pgn_buf *out)
{
    xq_pos p = g->start;
    for (uint32_t i = 0; i < g->plies; i++) {
        xq_pos_make(&p, g->main[i], NULL);
        /* Game 2, ply 71: the files say rear pawn (后兵进一, e3e4), the list
         * of squares plays the one in front (e5e6).  Both are legal, so this
         * is what the files say; behind it the positions differ. */
        if (g->number == 2 && i >= 70)
            break;
        pgn_buf_printf(out, "%016llx ", (unsigned long long)p.key);
    }
    pgn_buf_puts(out, "\n");
}

static void write_moves(const pgn_game *g, pgn_buf *out)
{
    for (uint32_t i = 0; i < g->plies; i++) {
        char move[5];
        xq_move_format(g->main[i], move);
        pgn_buf_printf(out, "%s ", move);
    }
    pgn_buf_puts(out, "\n");
}

static void same_text(const char *what, const pgn_buf *a, const pgn_buf *b)
{
    if (a->n == b->n && (a->n == 0 || memcmp(a->s, b->s, a->n) == 0))
        return;
    size_t i = 0, from = 0, line = 1;
    for (; i < a->n && i < b->n && a->s[i] == b->s[i]; i++)
        if (a->s[i] == '\n') {
            line++;
            from = i + 1;
        }
    fail_msg("%s: line %zu differs:\n%.*s\n%.*s", what, line,
             (int)(a->n - from < 300 ? a->n - from : 300), a->s + from,
             (int)(b->n - from < 300 ? b->n - from : 300), b->s + from);
}

/* Source -> ICCS in UTF-8 -> traditional Chinese in Big5 -> JSON, and the
 * whole again: the same games at each step, the same bytes the second time. */
static void there_and_back(const char *path)
{
    pgn_buf json = {0}, iccs = {0}, big5 = {0}, again = {0};
    lost = 0;
    games_of_file(path, write_json, &json);
    games_of_file(path, write_iccs, &iccs);
    games_of_text(&iccs, write_json, &again);
    same_text(path, &json, &again);
    games_of_text(&iccs, write_big5, &big5);
    games_of_text(&big5, write_json, &again);
    same_text(path, &json, &again);

    games_of_text(&big5, write_iccs, &again);
    same_text(path, &iccs, &again);
    pgn_buf second = {0};
    games_of_text(&again, write_big5, &second);
    same_text(path, &big5, &second);
    games_of_text(&json, write_json, &again);
    same_text(path, &json, &again);
    games_of_text(&json, write_big5, &again);
    same_text(path, &big5, &again);
    assert_int_equal(lost, 0);

    pgn_buf_free(&json);
    pgn_buf_free(&iccs);
    pgn_buf_free(&big5);
    pgn_buf_free(&again);
    pgn_buf_free(&second);
}

static void ccpd_there_and_back(void **state)
{
    (void)state;
    skip_without_shared();
    char pattern[512];
    glob_t files;
    snprintf(pattern, sizeof pattern, "%s/data/pgn/ccpd/*.pgn.gz", shared());
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        if (slow() || i % 8 == 0)
            there_and_back(files.gl_pathv[i]);
    globfree(&files);
}

/* ---- one collection in three notations ---- */

static void wukong_file(const char *name, writer *write, pgn_buf *out)
{
    char path[512];
    snprintf(path, sizeof path, "%s/data/pgn/wukong/%s", shared(), name);
    out->n = 0;
    games_of_file(path, write, out);
    assert_true(out->n > 0);
}

static void wukong_in_three_notations(void **state)
{
    (void)state;
    skip_without_shared();
    pgn_buf squares = {0}, wxf = {0}, chinese = {0};
    wukong_file("bulk_games_uci.pgn", write_keys, &squares);
    wukong_file("xqdb_international.pgn", write_keys, &wxf);
    wukong_file("xqdb_traditional.pgn", write_keys, &chinese);
    same_text("squares, WXF", &squares, &wxf);
    same_text("squares, Chinese", &squares, &chinese);
    wukong_file("bulk_games_uci.pgn", write_moves, &squares);
    wukong_file("xqdb_international.pgn", write_moves, &wxf);
    wukong_file("xqdb_traditional.pgn", write_moves, &chinese);
    same_text("WXF, Chinese", &wxf, &chinese);
    /* that one move is all that differs */
    assert_int_equal(squares.n, wxf.n);
    char *at = memmem(squares.s, squares.n, "c8e7 d5e5 e7c6 e5e6 c6b4", 24);
    assert_non_null(at);
    memcpy(at + 15, "e3e4", 4);
    same_text("squares with the rear pawn, WXF", &squares, &wxf);
    pgn_buf_free(&squares);
    pgn_buf_free(&wxf);
    pgn_buf_free(&chinese);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ccpd_there_and_back),
        cmocka_unit_test(wukong_in_three_notations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
