/* test_source.c - plain files, pipes, compressed files, archives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libpgn/source.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char TEXT[] = "[Event \"x\"]\n\n1. h2e2 h9g7 *\n";
enum { NTEXT = sizeof TEXT - 1 };

struct bytes {
    char *s;
    size_t n;
};

struct member {
    const char *name;
    const void *s;
    size_t n;
    unsigned type; /* 0: a regular file */
};

/* Pack with libarchive: format and filter as its codes. */
static struct bytes pack(int format, int filter, const struct member *m,
                         size_t count)
{
    enum { ROOM = 1 << 20 };
    struct bytes b = {malloc(ROOM), 0};
    assert_non_null(b.s);
    struct archive *a = archive_write_new();
    assert_int_equal(archive_write_set_format(a, format), ARCHIVE_OK);
    assert_int_equal(archive_write_add_filter(a, filter), ARCHIVE_OK);
    archive_write_set_bytes_in_last_block(a, 1);
    assert_int_equal(archive_write_open_memory(a, b.s, ROOM, &b.n), ARCHIVE_OK);
    for (size_t i = 0; i < count; i++) {
        struct archive_entry *e = archive_entry_new();
        archive_entry_set_pathname(e, m[i].name);
        archive_entry_set_filetype(e, m[i].type ? m[i].type : AE_IFREG);
        archive_entry_set_perm(e, 0644);
        if (m[i].type == AE_IFLNK)
            archive_entry_set_symlink(e, "elsewhere");
        else
            archive_entry_set_size(e, (la_int64_t)m[i].n);
        assert_int_equal(archive_write_header(a, e), ARCHIVE_OK);
        if (m[i].n)
            archive_write_data(a, m[i].s, m[i].n);
        archive_entry_free(e);
    }
    archive_write_close(a);
    archive_write_free(a);
    return b;
}

static struct bytes compress_text(int filter, const void *s, size_t n)
{
    const struct member m = {"x", s, n, 0};
    return pack(ARCHIVE_FORMAT_RAW, filter, &m, 1);
}

/* All members as "NAME=CONTENT;"; a failure as "NAME!STATUS;".  `step` bytes
 * are asked for at a time. */
static char *slurp(pgn_source *s, size_t step)
{
    char *out = calloc(1, 1 << 20);
    assert_non_null(out);
    char *o = out;
    const char *name = "?";
    xq_err err;
    xq_status rc;
    while ((rc = pgn_source_next(s, &name, &err)) == XQ_OK) {
        o += sprintf(o, "%s=", name);
        size_t got = 0;
        while ((rc = pgn_source_read(s, o, step, &got, &err)) == XQ_OK && got)
            o += got;
        if (rc != XQ_OK)
            break;
        *o++ = ';';
    }
    if (rc != XQ_DONE) {
        assert_int_equal(err.code, rc);
        assert_true(err.msg[0]);
        o += sprintf(o, "%s!%d;", name, rc);
    }
    *o = 0;
    return out;
}

static void check_mem(const void *s, size_t n, const char *want)
{
    for (size_t step = 1; step < 100000; step = step * 7 + 1) {
        pgn_source *src;
        assert_int_equal(pgn_source_open_mem(&src, "f", s, n, NULL), XQ_OK);
        char *got = slurp(src, step);
        if (strcmp(got, want) != 0)
            fail_msg("'%s', expected '%s'", got, want);
        free(got);
        pgn_source_close(src);
    }
}

/* The same through a file and through a pipe on standard input. */
static void check_file(const void *s, size_t n, const char *want)
{
    char path[] = "/tmp/qipu-test-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, s, n), (ssize_t)n);
    close(fd);
    pgn_source *src;
    assert_int_equal(pgn_source_open(&src, path, NULL), XQ_OK);
    assert_int_equal(pgn_source_size(src), n);
    char *got = slurp(src, 1000);
    assert_true(pgn_source_consumed(src) <= 2 * n + 2048);
    pgn_source_close(src);
    unlink(path);
    /* names begin with the path: put "f" there */
    char *named = calloc(1, strlen(got) + 1);
    assert_non_null(named);
    for (const char *p = got; *p;) {
        if (strncmp(p, path, strlen(path)) == 0) {
            strcat(named, "f");
            p += strlen(path);
        } else {
            strncat(named, p++, 1);
        }
    }
    if (strcmp(named, want) != 0)
        fail_msg("file: '%s', expected '%s'", named, want);
    free(named);
    free(got);
}

static void check_pipe(const void *s, size_t n, const char *want)
{
    int p[2];
    assert_true(n < 60000); /* a pipe holds that much */
    assert_int_equal(pipe(p), 0);
    assert_int_equal(write(p[1], s, n), (ssize_t)n);
    close(p[1]);
    const int old = dup(0);
    dup2(p[0], 0);
    close(p[0]);
    pgn_source *src;
    assert_int_equal(pgn_source_open(&src, "-", NULL), XQ_OK);
    char *got = slurp(src, 1000);
    pgn_source_close(src);
    if (old >= 0) {
        dup2(old, 0);
        close(old);
    }
    for (char *c = got; *c; c++)
        if (*c == '-' && strchr("=:!", c[1]))
            *c = 'f';
    if (strcmp(got, want) != 0)
        fail_msg("pipe: '%s', expected '%s'", got, want);
    free(got);
}

static void plain_files_are_read(void **state)
{
    (void)state;
    char want[100];
    snprintf(want, sizeof want, "f=%s;", TEXT);
    check_mem(TEXT, NTEXT, want);
    check_file(TEXT, NTEXT, want);
    check_pipe(TEXT, NTEXT, want);
    check_mem("", 0, "f=;");
    check_file("", 0, "f=;");
    check_pipe("", 0, "f=;");
    /* longer than what is looked at */
    char *big = malloc(50000), *all = malloc(50010);
    assert_true(big && all);
    for (size_t i = 0; i < 50000; i++)
        big[i] = (char)('a' + i % 23);
    sprintf(all, "f=%.50000s;", big);
    check_mem(big, 50000, all);
    check_file(big, 50000, all);
    check_pipe(big, 50000, all);
    free(big);
    free(all);
}

static void compressed_files_are_one_member(void **state)
{
    static const int FILTERS[] = {ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_ZSTD,
                                  ARCHIVE_FILTER_BZIP2, ARCHIVE_FILTER_XZ,
                                  ARCHIVE_FILTER_LZ4};
    (void)state;
    char want[100];
    snprintf(want, sizeof want, "f=%s;", TEXT);
    for (size_t i = 0; i < sizeof FILTERS / sizeof *FILTERS; i++) {
        const struct bytes b = compress_text(FILTERS[i], TEXT, NTEXT);
        check_mem(b.s, b.n, want);
        check_file(b.s, b.n, want);
        check_pipe(b.s, b.n, want);
        free(b.s);
    }
    /* gzip of nothing is an empty file */
    const struct bytes b = compress_text(ARCHIVE_FILTER_GZIP, "", 0);
    check_mem(b.s, b.n, "f=;");
    free(b.s);
}

static void gzip_files_may_be_joined(void **state)
{
    (void)state;
    const struct bytes a = compress_text(ARCHIVE_FILTER_GZIP, "one ", 4);
    const struct bytes b = compress_text(ARCHIVE_FILTER_GZIP, "two", 3);
    char both[1000];
    memcpy(both, a.s, a.n);
    memcpy(both + a.n, b.s, b.n);
    check_mem(both, a.n + b.n, "f=one two;");
    free(a.s);
    free(b.s);
}

static void archives_have_their_files_in_order(void **state)
{
    (void)state;
    const struct bytes gz = compress_text(ARCHIVE_FILTER_GZIP, "packed", 6);
    const struct bytes none = compress_text(ARCHIVE_FILTER_ZSTD, "", 0);
    const struct member M[] = {
        {"b.pgn", "second letter", 13, 0},
        {"dir", NULL, 0, AE_IFDIR},
        {"dir/a.pgn", "first letter", 12, 0},
        {"link", NULL, 0, AE_IFLNK},
        {"dir/empty", "", 0, 0},
        {"c.pgn.gz", gz.s, gz.n, 0},
        {"none.zst", none.s, none.n, 0},
        {"\xC6\xE5\xC6\xD7.pgn", "GBK name", 8, 0},
    };
    static const char WANT[] =
        "f:b.pgn=second letter;f:dir/a.pgn=first letter;f:dir/empty=;"
        "f:c.pgn.gz=packed;f:none.zst=;f:\\xC6\\xE5\\xC6\\xD7.pgn=GBK name;";
    static const int FILTERS[] = {ARCHIVE_FILTER_NONE, ARCHIVE_FILTER_GZIP,
                                  ARCHIVE_FILTER_ZSTD};
    for (size_t i = 0; i < sizeof FILTERS / sizeof *FILTERS; i++) {
        const struct bytes b =
            pack(ARCHIVE_FORMAT_TAR_USTAR, FILTERS[i], M, sizeof M / sizeof *M);
        check_mem(b.s, b.n, WANT);
        check_file(b.s, b.n, WANT);
        check_pipe(b.s, b.n, WANT);
        free(b.s);
    }
    const struct bytes zip =
        pack(ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE, M, 3);
    check_mem(zip.s, zip.n, "f:b.pgn=second letter;f:dir/a.pgn=first letter;");
    check_file(zip.s, zip.n, "f:b.pgn=second letter;f:dir/a.pgn=first letter;");
    check_pipe(zip.s, zip.n, "f:b.pgn=second letter;f:dir/a.pgn=first letter;");
    free(zip.s);
    free(gz.s);
    free(none.s);
}

static void members_may_be_left_unread(void **state)
{
    (void)state;
    char *big = calloc(1, 300000);
    assert_non_null(big);
    memset(big, 'x', 300000);
    const struct member M[] = {{"a", big, 300000, 0}, {"b", "B", 1, 0}};
    const struct bytes b =
        pack(ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_GZIP, M, 2);
    pgn_source *s;
    const char *name;
    char buf[4];
    size_t got;
    assert_int_equal(pgn_source_open_mem(&s, "f", b.s, b.n, NULL), XQ_OK);
    assert_int_equal(pgn_source_next(s, &name, NULL), XQ_OK);
    assert_int_equal(pgn_source_next(s, &name, NULL), XQ_OK);
    assert_string_equal(name, "f:b");
    assert_true(pgn_source_is_archive(s));
    assert_int_equal(pgn_source_read(s, buf, 4, &got, NULL), XQ_OK);
    assert_int_equal(got, 1);
    assert_int_equal(pgn_source_next(s, &name, NULL), XQ_DONE);
    assert_int_equal(pgn_source_next(s, &name, NULL), XQ_DONE);
    pgn_source_close(s);
    free(b.s);
    free(big);
}

static void archives_in_archives_are_read(void **state)
{
    (void)state;
    const struct member A[] = {{"a", "one", 3, 0}, {"b", "two", 3, 0}};
    struct bytes in = pack(ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE, A, 2);
    char want[2000] = "f:in:a=one;f:in:b=two;";
    /* each layer stands between two files; the fourth is the last one read */
    for (unsigned depth = 2; depth <= PGN_UNPACK_DEPTH + 2; depth++) {
        static const int FORMATS[] = {ARCHIVE_FORMAT_TAR_USTAR,
                                      ARCHIVE_FORMAT_ZIP};
        static const int FILTERS[] = {ARCHIVE_FILTER_NONE, ARCHIVE_FILTER_GZIP};
        const struct member M[] = {
            {"x", "before", 6, 0}, {"in", in.s, in.n, 0}, {"y", "after", 5, 0}};
        const int format = FORMATS[depth % 2];
        const struct bytes out =
            pack(format,
                 format == ARCHIVE_FORMAT_ZIP ? ARCHIVE_FILTER_NONE
                                              : FILTERS[depth / 2 % 2],
                 M, 3);
        if (depth <= PGN_UNPACK_DEPTH) {
            char inner[1000] = "";
            for (const char *p = want; *p;) { /* f:in:a -> f:in:in:a */
                const char *e = strchr(p, ';') + 1;
                strcat(inner, depth > 2 ? "f:in" : "f");
                strncat(inner, p + 1, (size_t)(e - p - 1));
                p = e;
            }
            snprintf(want, sizeof want, "f:x=before;%sf:y=after;", inner);
            check_mem(out.s, out.n, want);
            check_file(out.s, out.n, want);
            check_pipe(out.s, out.n, want);
        } else {
            pgn_source *s;
            const char *name;
            xq_err err = {0};
            unsigned files = 0, refused = 0;
            xq_status rc;
            assert_int_equal(pgn_source_open_mem(&s, "f", out.s, out.n, NULL),
                             XQ_OK);
            while ((rc = pgn_source_next(s, &name, &err)) != XQ_DONE) {
                files += rc == XQ_OK;
                refused += rc == XQ_ELIMIT;
                assert_true(rc == XQ_OK || rc == XQ_ELIMIT);
            }
            /* two in each of the four */
            assert_int_equal(files, 2 * PGN_UNPACK_DEPTH);
            assert_int_equal(refused, 1);
            assert_non_null(strstr(err.msg, "more than 4 times"));
            pgn_source_close(s);
        }
        free(in.s);
        in = out;
    }
    free(in.s);
}

/* Members as slurp writes them, going on behind failures. */
static char *slurp_all(const void *bytes, size_t n)
{
    char *out = calloc(1, 1 << 20);
    assert_non_null(out);
    char *o = out;
    pgn_source *s;
    const char *name = "?";
    xq_status rc;
    xq_err err;
    assert_int_equal(pgn_source_open_mem(&s, "f", bytes, n, NULL), XQ_OK);
    while ((rc = pgn_source_next(s, &name, &err)) != XQ_DONE) {
        o += sprintf(o, "%s=", name);
        size_t got = rc == XQ_OK;
        while (rc == XQ_OK && got) {
            rc = pgn_source_read(s, o, 1000, &got, &err);
            if (rc == XQ_OK)
                o += got;
        }
        o += rc == XQ_OK ? sprintf(o, ";") : sprintf(o, "!%d;", rc);
    }
    pgn_source_close(s);
    return out;
}

static void a_damaged_member_costs_itself(void **state)
{
    (void)state;
    char *text = malloc(40000);
    assert_non_null(text);
    memset(text, 'x', 40000);
    const struct bytes gz = compress_text(ARCHIVE_FILTER_GZIP, text, 40000);
    const struct member M[] = {
        {"a", "A", 1, 0}, {"bad.gz", gz.s, gz.n / 2, 0}, {"c", "C", 1, 0}};
    static const int FILTERS[] = {ARCHIVE_FILTER_NONE, ARCHIVE_FILTER_ZSTD};
    for (size_t i = 0; i < 2; i++) {
        const struct bytes b = pack(ARCHIVE_FORMAT_TAR_USTAR, FILTERS[i], M, 3);
        char *got = slurp_all(b.s, b.n);
        const char *bad = strstr(got, "f:bad.gz=");
        assert_int_equal(strncmp(got, "f:a=A;", 6), 0);
        assert_ptr_equal(bad, got + 6);
        assert_non_null(strstr(bad, "!-3;f:c=C;"));
        free(got);
        free(b.s);
    }
    free(gz.s);
    free(text);

    /* a sum that is wrong */
    const struct member N[] = {
        {"a", "A", 1, 0}, {"b", "unpacked", 8, 0}, {"c", "C", 1, 0}};
    struct bytes b = pack(ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE, N, 3);
    char *p = memmem(b.s, b.n, "PK\7\10", 4); /* behind each member */
    p = p ? memmem(p + 4, b.n - (size_t)(p + 4 - b.s), "PK\7\10", 4) : NULL;
    assert_non_null(p);
    p[4] ^= 1;
    char *got = slurp_all(b.s, b.n);
    assert_string_equal(got, "f:a=A;f:b=!-3;f:c=C;");
    free(got);
    free(b.s);

    /* a header that is none: the next good one is looked for, and it is said
     * once, however long that takes */
    b = pack(ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_NONE, N, 3);
    b.s[1024] ^= 1;
    got = slurp_all(b.s, b.n);
    assert_string_equal(got, "f:a=A;f=!-3;f:c=C;");
    free(got);
    free(b.s);
}

static void zeros_are_no_archive(void **state)
{
    (void)state;
    static const char ZEROS[10240]; /* as an empty tar file is */
    const struct bytes b =
        compress_text(ARCHIVE_FILTER_GZIP, ZEROS, sizeof ZEROS);
    pgn_source *s;
    const char *name;
    char buf[2000];
    size_t got = 0;
    assert_int_equal(pgn_source_open_mem(&s, "f", b.s, b.n, NULL), XQ_OK);
    assert_int_equal(pgn_source_next(s, &name, NULL), XQ_OK);
    assert_false(pgn_source_is_archive(s));
    assert_int_equal(pgn_source_read(s, buf, sizeof buf, &got, NULL), XQ_OK);
    assert_true(got > 0 && buf[0] == 0); /* some of them */
    assert_int_equal(pgn_source_read(s, buf, sizeof buf, &got, NULL), XQ_OK);
    assert_int_equal(got, 0);
    assert_int_equal(pgn_source_next(s, &name, NULL), XQ_DONE);
    pgn_source_close(s);
    free(b.s);
}

static void damage_is_reported(void **state)
{
    (void)state;
    char *text = malloc(40000);
    assert_non_null(text);
    uint32_t seed = 1;
    for (size_t i = 0; i < 40000; i++) {
        seed = seed * 1664525 + 1013904223;
        text[i] = (char)('a' + (seed >> 24) % 26);
    }
    static const int FILTERS[] = {ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_ZSTD,
                                  ARCHIVE_FILTER_XZ, ARCHIVE_FILTER_BZIP2};
    for (size_t i = 0; i < sizeof FILTERS / sizeof *FILTERS; i++) {
        const struct bytes b = compress_text(FILTERS[i], text, 40000);
        pgn_source *s;
        const xq_status rc = pgn_source_open_mem(&s, "f", b.s, b.n / 2, NULL);
        if (rc != XQ_OK) { /* some filters look far ahead */
            assert_int_equal(rc, XQ_ESYNTAX);
            free(b.s);
            continue;
        }
        char *got = slurp(s, 1000);
        const char *end = strchr(got, '!');
        if (!end || strcmp(end, "!-3;") != 0)
            fail_msg("filter %d, cut in half: '%.20s...%s'", FILTERS[i], got,
                     end ? end : "");
        free(got);
        pgn_source_close(s);
        free(b.s);
    }
    free(text);
}

/* What a bomb gives before it is refused, and that nothing comes behind.
 * `skip`: its members are not read. */
static void check_bomb(const struct bytes b, bool skip)
{
    pgn_source *s;
    const char *name;
    char *buf = malloc(1 << 20);
    assert_non_null(buf);
    uint64_t total = 0;
    xq_err err = {0};
    xq_status rc, bad = XQ_OK;
    assert_int_equal(pgn_source_open_mem(&s, "f", b.s, b.n, NULL), XQ_OK);
    while ((rc = pgn_source_next(s, &name, &err)) != XQ_DONE) {
        size_t got = 1;
        while (rc == XQ_OK && got && !skip) {
            rc = pgn_source_read(s, buf, 1 << 20, &got, &err);
            total += got;
        }
        if (rc != XQ_OK)
            bad = rc;
    }
    assert_int_equal(bad, XQ_ELIMIT);
    assert_non_null(strstr(err.msg, "1000 times"));
    assert_true(total < ((uint64_t)90 << 20));
    pgn_source_close(s);
    free(buf);
}

static void bombs_are_refused(void **state)
{
    (void)state;
    /* 100 MiB in a few KiB */
    const size_t n = (size_t)100 << 20;
    char *text = malloc(n);
    assert_non_null(text);
    memset(text, 'x', n);
    const struct bytes once = compress_text(ARCHIVE_FILTER_ZSTD, text, n);
    const struct bytes xz = compress_text(ARCHIVE_FILTER_XZ, text, n);
    const struct bytes bz = compress_text(ARCHIVE_FILTER_BZIP2, text, n);
    const struct bytes gz = compress_text(ARCHIVE_FILTER_GZIP, text, n);
    const struct bytes twice = compress_text(ARCHIVE_FILTER_ZSTD, gz.s, gz.n);
    memset(text, 0, n); /* of which gzip makes less than of letters */
    const struct member M[] = {
        {"a", "A", 1, 0}, {"big", text, n, 0}, {"c", "C", 1, 0}};
    const struct bytes tar =
        pack(ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_ZSTD, M, 3);
    const struct member IN[] = {
        {"a", "A", 1, 0}, {"b.xz", xz.s, xz.n, 0}, {"c", "C", 1, 0}};
    const struct bytes in =
        pack(ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_NONE, IN, 3);
    const struct bytes zip =
        pack(ARCHIVE_FORMAT_ZIP, ARCHIVE_FILTER_NONE, IN, 3);
    free(text);
    /* nothing in its members: 80 MiB of headers */
    const size_t members = (80 << 20) / 512;
    struct member *none = calloc(members, sizeof *none);
    assert_non_null(none);
    for (size_t i = 0; i < members; i++)
        none[i] = (struct member){"x", "", 0, 0};
    const struct bytes heads =
        pack(ARCHIVE_FORMAT_TAR_USTAR, ARCHIVE_FILTER_ZSTD, none, members);
    free(none);
    const struct bytes ALL[] = {once, xz, bz, twice, tar, in, zip, heads};
    for (size_t i = 0; i < sizeof ALL / sizeof *ALL; i++) {
        check_bomb(ALL[i], false);
        if (i == 4) /* what is not read counts as well */
            check_bomb(ALL[i], true);
        free(ALL[i].s);
    }
    free(gz.s);
}

static void what_is_not_there_is_named(void **state)
{
    (void)state;
    pgn_source *s;
    xq_err err;
    assert_int_equal(pgn_source_open(&s, "/nonexistent/x", &err), XQ_EIO);
    assert_null(s);
    assert_non_null(strstr(err.msg, "No such file"));
    assert_int_equal(pgn_source_open(&s, "/tmp", &err), XQ_EIO);
    assert_int_equal(pgn_source_open(&s, "/tmp", NULL), XQ_EIO);
    pgn_source_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_files_are_read),
        cmocka_unit_test(compressed_files_are_one_member),
        cmocka_unit_test(gzip_files_may_be_joined),
        cmocka_unit_test(archives_have_their_files_in_order),
        cmocka_unit_test(members_may_be_left_unread),
        cmocka_unit_test(archives_in_archives_are_read),
        cmocka_unit_test(a_damaged_member_costs_itself),
        cmocka_unit_test(zeros_are_no_archive),
        cmocka_unit_test(damage_is_reported),
        cmocka_unit_test(bombs_are_refused),
        cmocka_unit_test(what_is_not_there_is_named),
    };
    return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
