/* test_cli.c - options, text, JSON strings and output files of the tools. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/buf_util.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void json_strings_are_valid_whatever_comes(void **state)
{
    static const struct {
        const char *in, *want;
    } T[] = {
        {"", "\"\""},
        {"炮二平五", "\"炮二平五\""},
        {"a\"b\\c", "\"a\\\"b\\\\c\""},
        {"\n\t\r\x01\x1b", "\"\\n\\t\\r\\u0001\\u001b\""},
        {"\xC0\xAF", "\"\uFFFD\uFFFD\""},                     /* overlong */
        {"\xED\xA0\x80", "\"\uFFFD\uFFFD\uFFFD\""},           /* surrogate */
        {"\xF4\x90\x80\x80", "\"\uFFFD\uFFFD\uFFFD\uFFFD\""}, /* too high */
        {"\xE7\x82", "\"\uFFFD\uFFFD\""},                     /* cut off */
        {"\xF0\x9F\xA9\xA4", "\"\xF0\x9F\xA9\xA4\""},         /* U+1FA64 */
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++)
        check_text(cli_buf_json, T[i].in, strlen(T[i].in), T[i].want);
    check_text(cli_buf_json, "a\0b", 3, "\"a\\u0000b\"");
    check_text(cli_buf_json, NULL, 0, "\"\"");
}

static void text_for_people_cannot_drive_a_terminal(void **state)
{
    (void)state;
    check_text(cli_buf_text, "\x1b[2J", 4, "\\x1B[2J");
    check_text(cli_buf_text, "马８进７", strlen("马８进７"), "马８进７");
    check_text(cli_buf_text, "a\nb\x7f", 4, "a\\nb\\x7F");
    check_text(cli_buf_text, "\xC2\x9B", 2, "\\u009b");     /* C1 */
    check_text(cli_buf_text, "\xE2\x80\xAE", 3, "\\u202e"); /* bidi */
    check_text(cli_buf_text, "\xFF", 1, "\\xFF");
}

/* S09: "the user saw a correct text that failed". */
static void what_cannot_be_seen_is_shown(void **state)
{
    static const struct {
        const char *in, *want;
    } T[] = {
        {"a\u200Bb", "a\\u200bb"},          /* zero-width space */
        {"\u200E\u200F", "\\u200e\\u200f"}, /* marks of direction */
        {"\u061C", "\\u061c"},              /* the Arabic one */
        {"\uFEFFh2e2", "\\ufeffh2e2"},      /* byte order mark */
        {"\u2060", "\\u2060"},              /* word joiner */
        {"\u00AD", "\\u00ad"},              /* soft hyphen */
        {"\U000E0041", "\\U000e0041"},      /* tag */
        {"炮\u3000二", "炮\u3000二"},       /* wide, but to be seen */
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++)
        check_text(cli_buf_text, T[i].in, strlen(T[i].in), T[i].want);
}

static void buffers_grow(void **state)
{
    (void)state;
    cli_buf b = {0};
    for (int i = 0; i < 5000; i++)
        cli_buf_printf(&b, "%04d", i);
    assert_false(b.failed);
    assert_int_equal(b.n, 20000);
    assert_int_equal(strlen(b.s), 20000);
    assert_memory_equal(b.s + 4 * 4321, "4321", 4);
    cli_buf_free(&b);
    assert_null(b.s);
}

static void only_what_is_like_is_suggested(void **state)
{
    (void)state;
    assert_true(cli_is_like("fne", "fen"));
    assert_true(cli_is_like("nota", "notation"));
    assert_true(cli_is_like("serach", "search"));
    assert_false(cli_is_like("search", "search")); /* the word itself */
    assert_false(cli_is_like("xyz", "fen"));
    assert_false(cli_is_like("", "fen"));
    assert_false(cli_is_like("perfect", "pert")); /* 3 of 7 */
}

static void distance_counts_changes(void **state)
{
    (void)state;
    assert_int_equal(cli_distance("perft", "perft"), 0);
    assert_int_equal(cli_distance("pertf", "perft"), 1); /* exchanged */
    assert_int_equal(cli_distance("shw", "show"), 1);
    assert_int_equal(cli_distance("nota", "notation"), 0); /* a beginning */
    assert_int_equal(cli_distance("", "show"), 4);
    assert_int_equal(cli_distance("kitten", "sitting"), 3);
}

/* ---- options ---- */

struct args {
    bool json, divide;
    const char *fen;
    uint64_t depth, memory;
    struct cli_list dbs;
};
static const struct cli_opt OPTS[] = {
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL, "j"},
    {"divide", 'v', CLI_FLAG, offsetof(struct args, divide), NULL, "v"},
    {"fen", 'f', CLI_STR, offsetof(struct args, fen), "FEN", "f"},
    {"depth", 'n', CLI_UINT, offsetof(struct args, depth), "N", "n"},
    {"memory", 0, CLI_SIZE, offsetof(struct args, memory), "SIZE", "m"},
    {NULL, 'd', CLI_LIST, offsetof(struct args, dbs), "DB", "d"},
    {0},
};
static const struct cli_cmd CMD = {"test", "X", "Nothing", NULL, NULL};

/* What a mistake prints must not look like a test's own output. */
static int parse(struct args *a, int *argc, char ***argv)
{
    fflush(stderr);
    int keep = dup(2), null = open("/dev/null", O_WRONLY);
    assert_true(keep >= 0 && null >= 0);
    dup2(null, 2);
    int rc = cli_parse(&CMD, OPTS, a, argc, argv);
    fflush(stderr);
    dup2(keep, 2);
    close(keep);
    close(null);
    return rc;
}

/* Words apart by one blank, as an argument vector in `v`. */
static int split(char *line, char *v[16])
{
    int n = 0;
    for (char *w = strtok(line, " "); w; w = strtok(NULL, " "))
        v[n++] = w;
    v[n] = NULL;
    return n;
}

static void options_are_read_in_all_their_forms(void **state)
{
    (void)state;
    char line[] =
        "one --fen=F --depth 12 -vd a -db two --memory 3M - -- --json";
    char *v[16], **argv = v;
    int argc = split(line, v);
    struct args a = {0};
    assert_int_equal(parse(&a, &argc, &argv), -1);
    assert_int_equal(argc, 4);
    assert_string_equal(argv[0], "one");
    assert_string_equal(argv[1], "two");
    assert_string_equal(argv[2], "-");
    assert_string_equal(argv[3], "--json");
    assert_null(argv[4]);
    assert_string_equal(a.fen, "F");
    assert_int_equal(a.depth, 12);
    assert_int_equal(a.memory, 3 << 20);
    assert_true(a.divide);
    assert_false(a.json);
    assert_int_equal(a.dbs.n, 2);
    assert_string_equal(a.dbs.v[0], "a");
    assert_string_equal(a.dbs.v[1], "b");
    cli_list_free(&a.dbs);
    assert_null(a.dbs.v);
}

static void the_last_value_counts(void **state)
{
    (void)state;
    char line[] = "--fen a --fen b -n1 -n 2";
    char *v[16], **argv = v;
    int argc = split(line, v);
    struct args a = {0};
    assert_int_equal(parse(&a, &argc, &argv), -1);
    assert_string_equal(a.fen, "b");
    assert_int_equal(a.depth, 2);
}

static void a_value_may_begin_as_an_option_does(void **state)
{
    (void)state;
    char line[] = "--fen=--json -d--fen -f -";
    char *v[16], **argv = v;
    int argc = split(line, v);
    struct args a = {0};
    assert_int_equal(parse(&a, &argc, &argv), -1);
    assert_int_equal(argc, 0);
    assert_false(a.json);
    assert_string_equal(a.fen, "-");
    assert_string_equal(a.dbs.v[0], "--fen");
    cli_list_free(&a.dbs);
}

static void mistakes_are_bad_usage(void **state)
{
    static const char *const T[] = {
        "--jsn",          "-x",
        "--depth",        "--depth x",
        "--depth -1",     "--depth 18446744073709551616",
        "--depth=",       "--memory 1X",
        "--memory 1MB",   "--memory 99999999999G",
        "--json=yes",     "-n",
        "-d a -d b --no", "--depth 1.5",
        "--quiet=1",      "-\xE7\x82\xAE",
        "--fen --json",   "-f --depth",
        "--fen -- a",     "-d --quiet",
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        char *line = strdup(T[i]), *v[16], **argv = v;
        assert_non_null(line);
        int argc = split(line, v);
        struct args a = {0};
        if (parse(&a, &argc, &argv) != CLI_FAIL)
            fail_msg("accepted: %s", T[i]);
        free(line);
    }
}

/* ---- output files ---- */

static char dir[] = "/tmp/qipu-test-cli-XXXXXX";

static int make_dir(void **state)
{
    (void)state;
    return !mkdtemp(dir) || chdir(dir) != 0;
}
static int remove_dir(void **state)
{
    (void)state;
    return chdir("/") != 0 || rmdir(dir) != 0;
}

static void expect_file(const char *path, const char *want)
{
    char got[64] = {0};
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    (void)!fread(got, 1, sizeof got - 1, f);
    fclose(f);
    assert_string_equal(got, want);
}

static void a_file_appears_only_when_complete(void **state)
{
    (void)state;
    xq_err err;
    cli_out o;
    assert_int_equal(cli_out_open(&o, "f", &err), XQ_OK);
    fputs("one", o.f);
    assert_int_not_equal(access("f", F_OK), 0);
    assert_int_equal(cli_out_commit(&o, &err), XQ_OK);
    expect_file("f", "one");

    /* Dropped: what was there stays. */
    assert_int_equal(cli_out_open(&o, "f", &err), XQ_OK);
    fputs("two", o.f);
    cli_out_abort(&o);
    cli_out_abort(&o);
    expect_file("f", "one");

    /* Replaced behind a link, with its permissions. */
    assert_int_equal(chmod("f", 0640), 0);
    assert_int_equal(symlink("f", "link"), 0);
    assert_int_equal(cli_out_open(&o, "link", &err), XQ_OK);
    fputs("three", o.f);
    assert_int_equal(cli_out_commit(&o, &err), XQ_OK);
    struct stat st;
    assert_int_equal(lstat("link", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(stat("f", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    expect_file("f", "three");
    unlink("link");
    unlink("f");
    /* remove_dir() fails if a temporary file is left. */
}

static unsigned files_here(void)
{
    unsigned n = 0;
    DIR *d = opendir(".");
    assert_non_null(d);
    for (const struct dirent *e; (e = readdir(d)) != NULL;)
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

/* Can this folder hold files without a name, and give them one? */
static bool has_unnamed(void)
{
#ifdef O_TMPFILE
    const int fd = open(".", O_TMPFILE | O_WRONLY, 0666);
    if (fd >= 0)
        close(fd);
    return fd >= 0 && access("/proc/self/fd", F_OK) == 0;
#else
    return false;
#endif
}

/* A program that is killed leaves nothing where a file needs no name. */
static void what_is_not_complete_has_no_name(void **state)
{
    (void)state;
    xq_err err;
    struct stat st;
    cli_out o;
    const mode_t mask = umask(027);
    if (has_unnamed()) {
        assert_int_equal(cli_out_open(&o, "f", &err), XQ_OK);
        fputs("one", o.f);
        fflush(o.f);
        assert_int_equal(files_here(), 0);
        /* A name that is taken at last is not taken from anybody. */
        FILE *other = fopen(o.draft.name, "wb");
        assert_non_null(other);
        char *const name = strdup(o.draft.name);
        assert_non_null(name);
        fclose(other);
        assert_int_equal(cli_out_commit(&o, &err), XQ_OK);
        expect_file("f", "one");
        expect_file(name, "");
        assert_int_equal(files_here(), 2);
        unlink(name);
        free(name);
        assert_int_equal(stat("f", &st), 0);
        assert_int_equal(st.st_mode & 0777, 0640);
        unlink("f");
    }
    cli_draft_always_named = true;
    assert_int_equal(cli_out_open(&o, "f", &err), XQ_OK);
    assert_int_equal(files_here(), 1);
    cli_out_abort(&o);
    assert_int_equal(files_here(), 0);
    a_file_appears_only_when_complete(state);
    cli_draft_always_named = false;
    umask(mask);
}

/* Told at the beginning, not after hours of work: also of a name that is too
 * long once something is put behind it. */
static void a_name_that_is_too_long_is_refused(void **state)
{
    (void)state;
    xq_err err;
    cli_out o;
    char name[300] = {0};
    memset(name, 'n', 250);
    assert_int_equal(cli_out_open(&o, name, &err), XQ_EIO);
    memset(name, 'n', 280);
    assert_int_equal(cli_out_open(&o, name, &err), XQ_EIO);
    assert_int_equal(cli_out_open(&o, "f/g", &err), XQ_EIO);
    assert_int_equal(cli_out_open(&o, "", &err), XQ_EIO);
    assert_int_equal(files_here(), 0);
}

static void what_cannot_be_written_is_an_error(void **state)
{
    (void)state;
    xq_err err;
    cli_out o;
    assert_int_equal(cli_out_open(&o, ".", &err), XQ_EIO);
    assert_int_equal(cli_out_open(&o, "none/f", &err), XQ_EIO);
    assert_non_null(strstr(err.msg, "none/f"));
    if (access("/dev/full", W_OK) != 0)
        return;
    /* A device is written to, not replaced. */
    assert_int_equal(cli_out_open(&o, "/dev/full", &err), XQ_OK);
    fputs("x", o.f);
    assert_int_equal(cli_out_commit(&o, &err), XQ_EIO);
    assert_int_equal(access("/dev/full", F_OK), 0);
}

/* ---- messages ---- */

/* What cli_error prints, in a file of the working folder. */
static void catch_error(const char *text, char *got, size_t size)
{
    fflush(stderr);
    int keep = dup(2), f = open("err", O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(keep >= 0 && f >= 0);
    dup2(f, 2);
    cli_error("'%s': too long", text);
    fflush(stderr);
    dup2(keep, 2);
    close(keep);
    ssize_t n = pread(f, got, size - 1, 0);
    assert_true(n >= 0);
    got[n] = '\0';
    close(f);
    unlink("err");
}

static void endless_text_is_cut_in_messages(void **state)
{
    static char text[300000], got[sizeof text + 100];
    (void)state;
    memset(text, 'a', 900); /* paths are long: all of it */
    catch_error(text, got, sizeof got);
    assert_int_equal(strlen(got), strlen("qipu: '': too long\n") + 900);
    for (size_t shift = 0; shift < 3; shift++) {
        memset(text, 0, sizeof text);
        memset(text, 'a', shift);
        for (size_t i = shift; i + 4 < sizeof text; i += 3)
            memcpy(text + i, "炮", 3);
        catch_error(text, got, sizeof got);
        assert_true(strlen(got) < 1100);
        assert_non_null(strstr(got, "炮 ... 炮"));
        assert_non_null(strstr(got, "炮': too long\n"));
        assert_null(strchr(got, '\\')); /* no character is cut */
    }
}

static void moves_sort_as_their_text(void **state)
{
    (void)state;
    xq_move m[] = {xq_move_parse("i0i1"), xq_move_parse("a3a4"),
                   xq_move_parse("h2h9"), xq_move_parse("a0a2"),
                   xq_move_parse("a0a1")};
    static const char *const WANT[] = {"a0a1", "a0a2", "a3a4", "h2h9", "i0i1"};
    cli_sort_moves(m, 5);
    for (int i = 0; i < 5; i++) {
        char text[5];
        xq_move_format(m[i], text);
        assert_string_equal(text, WANT[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_strings_are_valid_whatever_comes),
        cmocka_unit_test(text_for_people_cannot_drive_a_terminal),
        cmocka_unit_test(what_cannot_be_seen_is_shown),
        cmocka_unit_test(buffers_grow),
        cmocka_unit_test(distance_counts_changes),
        cmocka_unit_test(only_what_is_like_is_suggested),
        cmocka_unit_test(options_are_read_in_all_their_forms),
        cmocka_unit_test(the_last_value_counts),
        cmocka_unit_test(a_value_may_begin_as_an_option_does),
        cmocka_unit_test(mistakes_are_bad_usage),
        cmocka_unit_test(a_file_appears_only_when_complete),
        cmocka_unit_test(what_is_not_complete_has_no_name),
        cmocka_unit_test(a_name_that_is_too_long_is_refused),
        cmocka_unit_test(what_cannot_be_written_is_an_error),
        cmocka_unit_test(endless_text_is_cut_in_messages),
        cmocka_unit_test(moves_sort_as_their_text),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
