/* test_split.c - segments: where they are cut, what they are judged to be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libpgn/sniff.h"
#include "libpgn/split.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char GAME[] = "[Event \"x\"]\n[Red \"y\"]\n\n1. h2e2 h9g7\n*\n\n";

/* Text built piece by piece. */
struct text {
    char *s;
    size_t n, cap;
};

/* Doubling: a sanitizer's realloc copies every time, which made megabytes of
 * games, added one by one, take a quarter of an hour. */
static void add(struct text *t, const char *s, size_t n)
{
    if (t->cap < t->n + n + 1) {
        t->cap = 2 * (t->n + n + 1);
        t->s = realloc(t->s, t->cap);
        assert_non_null(t->s);
    }
    memcpy(t->s + t->n, s, n);
    t->n += n;
    t->s[t->n] = 0;
}

static void puts_text(struct text *t, const char *s) { add(t, s, strlen(s)); }

static struct text games(const char *game, size_t bytes)
{
    struct text t = {0};
    while (t.n < bytes)
        puts_text(&t, game);
    return t;
}

static size_t segment_size; /* 0: as it comes */

/* Cut it; the segments must join to the whole, count bytes and lines right,
 * and begin at a game.  Returns how many there are. */
static size_t check_cuts(const struct text *t, const char *begin, size_t unit)
{
    pgn_split *sp;
    pgn_segment seg = {0};
    assert_int_equal(
        pgn_split_open_mem(&sp, "f", t->s, t->n, PGN_ENC_AUTO, NULL), XQ_OK);
    if (segment_size)
        pgn_split_size(sp, segment_size);
    size_t at = 0, count = 0, lines = 0;
    bool last = false;
    xq_status rc;
    while ((rc = pgn_split_next(sp, &seg, NULL)) == XQ_OK) {
        assert_false(last);
        assert_string_equal(seg.name, "f");
        assert_int_equal(seg.index, count);
        assert_int_equal(seg.file, 0);
        assert_int_equal(seg.first, count == 0);
        assert_int_equal(seg.byte0, at);
        assert_int_equal(seg.line0, lines);
        assert_true(at + seg.n <= t->n);
        assert_memory_equal(seg.bytes, t->s + at, seg.n);
        if (count)
            assert_memory_equal(seg.bytes, begin, unit * 4);
        for (size_t i = 0; i < seg.n; i += unit) {
            const uint8_t *p = seg.bytes + i;
            const bool lf = p[0] == '\n' && (unit == 1 || !p[1]);
            const bool cr = p[0] == '\r' && unit == 1 &&
                            !(i + 1 < seg.n && p[1] == '\n') &&
                            !(i + 2 < seg.n && p[1] == '\r' && p[2] == '\n');
            lines += lf || cr;
        }
        at += seg.n;
        last = seg.last;
        count++;
    }
    assert_int_equal(rc, XQ_DONE);
    assert_int_equal(at, t->n);
    assert_true(last);
    assert_int_equal(pgn_split_next(sp, &seg, NULL), XQ_DONE);
    assert_int_equal(pgn_split_consumed(sp), t->n);
    assert_int_equal(pgn_split_total(sp), t->n);
    pgn_segment_free(&seg);
    pgn_split_close(sp);
    return count;
}

static void long_files_are_cut_between_games(void **state)
{
    (void)state;
    struct text t = games(GAME, 5 << 20);
    const size_t count = check_cuts(&t, "[Eve", 1);
    assert_true(count >= 5 && count <= 7);
    free(t.s);
}

static void segments_may_be_of_any_size(void **state)
{
    (void)state;
    struct text t = games(GAME, 20 * (sizeof GAME - 1));
    for (segment_size = 1; segment_size < 1000;
         segment_size += segment_size < 20 ? 1 : 61) {
        const size_t count = check_cuts(&t, "[Eve", 1);
        assert_true(count <= 20);
        assert_true(segment_size > 100 || count >= 10);
    }
    segment_size = 0;
    free(t.s);
}

static void every_kind_of_line_break_counts(void **state)
{
    static const char *const BREAKS[] = {"\n", "\r\n", "\r\r\n", "\r"};
    (void)state;
    for (size_t k = 0; k < sizeof BREAKS / sizeof *BREAKS; k++) {
        struct text game = {0};
        for (const char *c = GAME; *c; c++) {
            if (*c == '\n')
                puts_text(&game, BREAKS[k]);
            else
                add(&game, c, 1);
        }
        struct text t = games(game.s, 3 << 20);
        assert_true(check_cuts(&t, "[Eve", 1) >= 3);
        free(t.s);
        free(game.s);
    }
}

static void utf16_is_cut_too(void **state)
{
    (void)state;
    for (int big = 0; big < 2; big++) {
        struct text t = {0};
        add(&t, big ? "\xFE\xFF" : "\xFF\xFE", 2);
        while (t.n < (size_t)3 << 20)
            for (const char *c = GAME; *c; c++) {
                const char unit[2] = {big ? 0 : *c, big ? *c : 0};
                add(&t, unit, 2);
            }
        pgn_split *sp;
        pgn_segment seg = {0};
        pgn_split_open_mem(&sp, "f", t.s, t.n, PGN_ENC_AUTO, NULL);
        size_t count = 0;
        uint64_t line0 = 0;
        while (pgn_split_next(sp, &seg, NULL) == XQ_OK) {
            assert_int_equal(seg.encoding,
                             big ? PGN_ENC_UTF16BE : PGN_ENC_UTF16LE);
            assert_int_equal(seg.format, PGN_FMT_PGN);
            assert_int_equal(seg.n % 2, 0);
            if (count)
                assert_int_equal(seg.bytes[big], '[');
            /* a game of six lines */
            assert_int_equal(seg.line0 % 6, 0);
            assert_true(count == 0 || seg.line0 > line0);
            line0 = seg.line0;
            count++;
        }
        assert_true(count >= 3);
        pgn_segment_free(&seg);
        pgn_split_close(sp);
        free(t.s);
    }
}

/* What stands before the tag decides; 1.1 MB of padding makes a cut needed. */
static void only_hard_boundaries_are_cut_at(void **state)
{
    static const struct {
        const char *before;
        bool cut;
    } T[] = {
        {"1. h2e2 *\n\n[Event \"b\"]\n", true},
        {"1. h2e2 *\n \t \n[Event \"b\"]\n", true},
        {"1. h2e2 *\n\n\n\n[Event\t \"b\"]\n", true},
        {"1. h2e2 {open\n\n[Event \"b\"]\n", true},
        {"1. h2e2 *\r\r\n\r\r\n[Event \"b\"]\n", true},
        {"1. h2e2 *\n\n\xEF\xBB\xBF[Event \"b\"]\n", true},
        {"1. h2e2 *\n[Event \"b\"]\n", false},      /* no blank line */
        {"1. h2e2 *\r\r\n[Event \"b\"]\n", false},  /* one break */
        {"[Site \"a\"]\n\n[Event \"b\"]\n", false}, /* behind a tag */
        {"\xEF\xBB\xBF[Site \"a\"]\n\n[Event \"b\"]\n", false},
        {"1. h2e2 *\n\n [Event \"b\"]\n", false}, /* not in column 1 */
        {"1. h2e2 *\n\n[Event b]\n", false},      /* no quote */
        {"1. h2e2 *\n\n[%eval \"b\"]\n", false},  /* no name */
        {"1. h2e2 *\n\n[Event\"b\"]\n", false},   /* no blank */
        {"1. h2e2 *\n\n[1Event \"b\"]\n", false},
    };
    (void)state;
    char *pad = malloc(1100001);
    assert_non_null(pad);
    memset(pad, 'x', 1100000);
    pad[1100000] = 0;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        struct text t = {0};
        puts_text(&t, "[Event \"a\"]\n\n");
        add(&t, pad, 900000);
        puts_text(&t, "\n");
        puts_text(&t, T[i].before);
        puts_text(&t, "1. h2e2 ");
        add(&t, pad, 1100000);
        pgn_split *sp;
        pgn_segment seg = {0};
        pgn_split_open_mem(&sp, "f", t.s, t.n, PGN_ENC_AUTO, NULL);
        assert_int_equal(pgn_split_next(sp, &seg, NULL), XQ_OK);
        if (seg.last == T[i].cut)
            fail_msg("%s", T[i].before);
        pgn_segment_free(&seg);
        pgn_split_close(sp);
        free(t.s);
    }
    free(pad);
}

static void a_game_longer_than_a_segment_stays_whole(void **state)
{
    (void)state;
    struct text t = {0};
    puts_text(&t, GAME);
    puts_text(&t, "[Event \"long\"]\n\n1. h2e2 {");
    for (int i = 0; i < 400000; i++)
        puts_text(&t, "comment ");
    puts_text(&t, "} *\n\n");
    for (int i = 0; i < 100000; i++)
        puts_text(&t, GAME);
    assert_true(check_cuts(&t, "[Eve", 1) > 3);
    free(t.s);
}

static void json_is_cut_before_an_object(void **state)
{
    static const char LINE[] = "{\"tags\":[],\"moves\":[\"h2e2\"],\n "
                               "{\"result\":\"*\"}}\n";
    (void)state;
    struct text t = games(LINE, 3 << 20);
    assert_true(check_cuts(&t, "{\"ta", 1) >= 3);
    free(t.s);
}

/* ---- judging members ---- */

static void kinds_are_told_by_content(void **state)
{
    static const struct {
        const char *text;
        pgn_format format; /* PGN_FMT_UNKNOWN: an error */
    } T[] = {
        {"", PGN_FMT_PGN},
        {"\n \r\n", PGN_FMT_PGN},
        {"[Event \"x\"]\n", PGN_FMT_PGN},
        {"\xEF\xBB\xBF[Event \"x\"]\n", PGN_FMT_PGN},
        {"some words first\n[Event \"x\"]\n", PGN_FMT_PGN},
        {"[Event “x”]", PGN_FMT_PGN},
        {"*", PGN_FMT_PGN},
        {"*1. 炮二平五 马８进７ 1-0 1. 马二进三 *", PGN_FMT_PGN},
        {"1.\xC5\xDA\xB6\xFE\xC6\xBD\xCE\xE5", PGN_FMT_PGN},
        {"1. h2e2", PGN_FMT_PGN},
        {"H2-E2 H9-G7", PGN_FMT_PGN},
        {"1. Ｃ２＝５ Ｈ８＋７", PGN_FMT_PGN},
        {"1. C2.5 h8+7", PGN_FMT_PGN},
        {"1. Cbe2 Hg7", PGN_FMT_PGN},
        {"{comment} 1. 炮2平5 *", PGN_FMT_PGN},
        {"{\"tags\":[]}", PGN_FMT_JSON},
        {" \n{ \"moves\" : []}", PGN_FMT_JSON},
        {"{\"id\":{\"a\":[1,{}]},\"moves\":[]}", PGN_FMT_JSON},
        {"{\"id\":7,\"moves\":[\"h2e2\"", PGN_FMT_JSON},
        {"{\"id\":7,\"tags\":[]}", PGN_FMT_UNKNOWN},
        {"{\"id\":{\"moves\":[]}}", PGN_FMT_UNKNOWN},
        {"[Event　\"x\"]", PGN_FMT_PGN},
        {"[Event\xA1\xA1\"\xB1\xC8\xC8\xFC\"]", PGN_FMT_PGN},
        {"[Event\t「x」]", PGN_FMT_PGN},
        {"{\"level\":\"error\"}", PGN_FMT_UNKNOWN},
        {"{}", PGN_FMT_UNKNOWN},
        {"Dear reader, this is a letter.\n", PGN_FMT_UNKNOWN},
        {"root:x:0:0:root:/root:/bin/bash\n", PGN_FMT_UNKNOWN},
        {"\x89PNG\r\n\x1A\n", PGN_FMT_UNKNOWN},
        {"炮是象棋的棋子。", PGN_FMT_UNKNOWN},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        pgn_split *sp;
        pgn_segment seg = {0};
        xq_err err = {0};
        pgn_split_open_mem(&sp, "f", T[i].text, strlen(T[i].text), PGN_ENC_AUTO,
                           NULL);
        const xq_status rc = pgn_split_next(sp, &seg, &err);
        if (T[i].format == PGN_FMT_UNKNOWN ? rc != XQ_ESYNTAX
                                           : rc || seg.format != T[i].format)
            fail_msg("'%s': status %d, format %d", T[i].text, rc, seg.format);
        if (rc)
            assert_ptr_equal(strstr(err.msg, "cannot tell what kind of file "
                                             "this is (tried: PGN, JSON, "),
                             err.msg);
        assert_string_equal(seg.name, "f");
        assert_int_equal(pgn_split_next(sp, &seg, NULL), XQ_DONE);
        pgn_segment_free(&seg);
        pgn_split_close(sp);
    }
}

static void the_encoding_is_judged_or_given(void **state)
{
    (void)state;
    pgn_split *sp;
    pgn_segment seg = {0};
    /* Big5 far behind the head: names only in ASCII before it */
    struct text t = games(GAME, 200000);
    puts_text(&t,
              "[Red \"\xAB\xD3\"]\n\n1. \xAC\xB6\xA4\x47\xA5\xAD\xA4\xAD\n");
    pgn_split_open_mem(&sp, "f", t.s, t.n, PGN_ENC_AUTO, NULL);
    assert_int_equal(pgn_split_next(sp, &seg, NULL), XQ_OK);
    assert_int_equal(seg.encoding, PGN_ENC_BIG5);
    pgn_split_close(sp);
    pgn_split_open_mem(&sp, "f", t.s, t.n, PGN_ENC_GB18030, NULL);
    assert_int_equal(pgn_split_next(sp, &seg, NULL), XQ_OK);
    assert_int_equal(seg.encoding, PGN_ENC_GB18030);
    pgn_split_close(sp);
    pgn_segment_free(&seg);
    free(t.s);
}

/* ---- operands ---- */

static void write_file(const char *path, const void *s, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(s, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

/* Names and errors in the order they come: "NAME;" or "NAME!STATUS;". */
static void list(const char *const *paths, size_t n, char *out)
{
    pgn_split *sp;
    pgn_segment seg = {0};
    xq_err err;
    assert_int_equal(pgn_split_open(&sp, paths, n, PGN_ENC_AUTO, NULL), XQ_OK);
    xq_status rc;
    uint64_t files = 0;
    while ((rc = pgn_split_next(sp, &seg, &err)) != XQ_DONE) {
        out += sprintf(out, "%s", seg.name);
        if (rc != XQ_OK) {
            assert_true(err.msg[0]);
            out += sprintf(out, "!%d", rc);
        } else {
            assert_int_equal(seg.file, files++);
            assert_true(seg.first && seg.last);
        }
        out += sprintf(out, ";");
    }
    *out = 0;
    pgn_segment_free(&seg);
    pgn_split_close(sp);
}

static void folders_are_walked_in_order(void **state)
{
    (void)state;
    char dir[] = "/tmp/qipu-test-XXXXXX", old[4096], out[2000] = "";
    assert_non_null(mkdtemp(dir));
    assert_non_null(getcwd(old, sizeof old));
    assert_int_equal(chdir(dir), 0);
    mkdir("d", 0755);
    mkdir("d/b", 0755);
    mkdir("d/b/empty", 0755);
    write_file("d/c.pgn", GAME, sizeof GAME - 1);
    write_file("d/b/z", GAME, sizeof GAME - 1);
    write_file("d/b/a.txt", GAME, sizeof GAME - 1);
    write_file("d/README", "1-0 is how Red wins, 炮二平五 a move", 40);
    write_file("d/B.pgn", GAME, sizeof GAME - 1);
    write_file("d/b-.pgn", "1. h2e2 h9g7", 12);
    write_file("note", "nothing", 7);
    assert_int_equal(symlink("..", "d/b/loop"), 0);
    assert_int_equal(symlink("../c.pgn", "d/b/link"), 0);
    assert_int_equal(symlink("nowhere", "d/dangling"), 0);
    assert_int_equal(mkfifo("d/fifo", 0600), 0);
    static const char *const ONE[] = {"d"};
    list(ONE, 1, out);
    assert_string_equal(out, "d/B.pgn;d/b/a.txt;d/b/link;d/b/z;d/b-.pgn;"
                             "d/c.pgn;");
    /* errors stand in their place, and all else is still read */
    static const char *const MANY[] = {"d/c.pgn", "gone",     "note",
                                       "d/b/",    "d/README", "d/c.pgn"};
    list(MANY, 6, out);
    assert_string_equal(out, "d/c.pgn;gone!-2;note!-3;d/b/a.txt;d/b/link;"
                             "d/b/z;d/README;d/c.pgn;");
    assert_int_equal(chdir(old), 0);
    char cmd[100];
    snprintf(cmd, sizeof cmd, "rm -r %s", dir);
    assert_int_equal(system(cmd), 0);
}

static void a_damaged_archive_gives_what_was_good(void **state)
{
    (void)state;
    char path[] = "/tmp/qipu-test-XXXXXX", cmd[200], out[500];
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    struct text t = games(GAME, 500000);
    write_file(path, t.s, t.n);
    snprintf(cmd, sizeof cmd, "gzip -c %s | head -c 1500 >%s.gz && mv %s.gz %s",
             path, path, path, path);
    assert_int_equal(system(cmd), 0);
    const char *const P[] = {path, path};
    list(P, 2, out);
    char want[500];
    snprintf(want, sizeof want, "%s;%s!-3;%s;%s!-3;", path, path, path, path);
    assert_string_equal(out, want);
    unlink(path);
    free(t.s);
}

/* A name stands in for the user who names a file; what is passed over is
 * counted. */
static void names_hint_and_what_is_skipped_counts(void **state)
{
    (void)state;
    static const char LIST[] = "RED - BLACK\nA cup\nh2e2 h9g7\n";
    char dir[] = "/tmp/qipu-test-XXXXXX", old[4096], cmd[100];
    assert_non_null(mkdtemp(dir));
    assert_non_null(getcwd(old, sizeof old));
    assert_int_equal(chdir(dir), 0);
    mkdir("d", 0755);
    write_file("d/a.PGN", LIST, sizeof LIST - 1);
    write_file("d/b.pgn.gz", LIST, sizeof LIST - 1);
    write_file("d/c.txt", LIST, sizeof LIST - 1);
    write_file("d/pgn", LIST, sizeof LIST - 1);
    write_file("d/x.pgn", "no game", 7);
    static const char *const P[] = {"d"};
    pgn_split *sp;
    pgn_segment seg = {0};
    assert_int_equal(pgn_split_open(&sp, P, 1, PGN_ENC_AUTO, NULL), XQ_OK);
    assert_null(pgn_split_skipped(sp).first);
    assert_int_equal(pgn_split_next(sp, &seg, NULL), XQ_OK);
    assert_string_equal(seg.name, "d/a.PGN");
    assert_false(seg.named);
    assert_int_equal(pgn_split_next(sp, &seg, NULL), XQ_OK);
    assert_string_equal(seg.name, "d/b.pgn.gz");
    assert_int_equal(pgn_split_next(sp, &seg, NULL), XQ_DONE);
    const pgn_skipped s = pgn_split_skipped(sp);
    assert_int_equal(s.n, 3);
    assert_int_equal(s.before, 2);
    assert_string_equal(s.first, "d/c.txt");
    pgn_segment_free(&seg);
    pgn_split_close(sp);
    assert_int_equal(chdir(old), 0);
    snprintf(cmd, sizeof cmd, "rm -r %s", dir);
    assert_int_equal(system(cmd), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_files_are_cut_between_games),
        cmocka_unit_test(segments_may_be_of_any_size),
        cmocka_unit_test(every_kind_of_line_break_counts),
        cmocka_unit_test(utf16_is_cut_too),
        cmocka_unit_test(only_hard_boundaries_are_cut_at),
        cmocka_unit_test(a_game_longer_than_a_segment_stays_whole),
        cmocka_unit_test(json_is_cut_before_an_object),
        cmocka_unit_test(kinds_are_told_by_content),
        cmocka_unit_test(the_encoding_is_judged_or_given),
        cmocka_unit_test(folders_are_walked_in_order),
        cmocka_unit_test(names_hint_and_what_is_skipped_counts),
        cmocka_unit_test(a_damaged_archive_gives_what_was_good),
    };
    return cmocka_run_group_tests_name("split", tests, NULL, NULL);
}
