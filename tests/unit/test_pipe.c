/* test_pipe.c - parts in order whatever the threads, errors in their place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tools/cli.h"
#include "tools/pipe.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What came of a run. */
struct seen {
    uint64_t parts, games, files, hash;
    uint64_t next;      /* number in its file of the game that must come */
    uint64_t stop_game; /* the game callback refuses this game of a part */
    uint64_t stop_part; /* emit refuses this part; 0: none */
    uint64_t raise_at;  /* SIGINT in this part */
    long results;       /* objects that live */
    bool pieces;        /* parts may come in pieces */
    uint64_t most;      /* games in one piece */
};

struct result {
    struct seen *seen;
    uint64_t games, hash;
    uint64_t number; /* of the last game in the part */
};

static void *new_result(void *ctx)
{
    struct seen *s = ctx;
    struct result *r = calloc(1, sizeof *r);
    if (r) {
        r->seen = s;
        __atomic_add_fetch(&s->results, 1, __ATOMIC_RELAXED);
    }
    return r;
}

static void free_result(void *result)
{
    struct result *r = result;
    __atomic_sub_fetch(&r->seen->results, 1, __ATOMIC_RELAXED);
    free(r);
}

static bool on_game(void *result, const pgn_game *g, const pipe_at *at)
{
    struct result *r = result;
    if (!at->file || g->number != r->number + 1)
        return false;
    r->games++;
    r->number = g->number;
    r->hash = r->hash * 31 + g->plies * 1000003 + g->line;
    return r->games != r->seen->stop_game;
}

static bool on_part(void *ctx, void *result, const pipe_part *part)
{
    struct seen *s = ctx;
    struct result *r = result;
    if (part->first) {
        s->files++;
        s->next = 0;
    }
    if (!s->pieces)
        assert_int_equal(part->games_before, s->next);
    assert_int_equal(part->games, r->games);
    s->most = r->games > s->most ? r->games : s->most;
    assert_int_equal(part->file_index, s->files - 1);
    s->next += part->games;
    s->parts++;
    s->games += r->games;
    s->hash = s->hash * 1000003 + r->hash;
    r->games = r->hash = 0;
    if (part->bytes) /* the part is complete */
        r->number = 0;
    if (s->parts == s->raise_at)
        raise(SIGINT);
    return s->parts != s->stop_part;
}

static int run(struct seen *s, unsigned threads, const char *const *paths,
               size_t n)
{
    const pipe_job job = {.game = on_game,
                          .emit = on_part,
                          .ctx = s,
                          .new_result = new_result,
                          .free_result = free_result,
                          .threads = threads};
    const int rc = pipe_run(&job, paths, n);
    assert_int_equal(s->results, 0);
    return rc;
}

/* 5 MiB of games of different length, in a file to be removed. */
static void make_file(char *path)
{
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *f = fdopen(fd, "w");
    assert_non_null(f);
    for (unsigned i = 0; i < 40000; i++)
        fprintf(f, "[Event \"%u\"]\n[Site \"%0*d\"]\n\n1. h2e2 %s%s*\n\n", i,
                (int)(i * 7919 % 150), 0, i % 3 ? "h9g7 " : "",
                i % 3 == 1 ? "2. h0g2 " : "");
    assert_int_equal(fclose(f), 0);
}

static char big[] = "/tmp/qipu-test-XXXXXX";

static int setup(void **state)
{
    (void)state;
    make_file(big);
    /* what is reported there is not looked at here */
    return freopen("/dev/null", "w", stderr) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    return unlink(big);
}

static void parts_come_in_order_whatever_the_threads(void **state)
{
    (void)state;
    const char *const paths[] = {big, "tests/data/cases/s01_gbk.pgn", big};
    struct seen one = {0};
    assert_int_equal(run(&one, 1, paths, 3), CLI_OK);
    assert_int_equal(one.games, 80001);
    assert_int_equal(one.files, 3);
    assert_true(one.parts >= 9);
    for (unsigned j = 2; j <= 9; j++) {
        struct seen more = {0};
        assert_int_equal(run(&more, j, paths, 3), CLI_OK);
        assert_int_equal(more.hash, one.hash);
        assert_int_equal(more.games, one.games);
        assert_int_equal(more.parts, one.parts);
    }
}

static void other_operands_are_read_behind_a_bad_one(void **state)
{
    (void)state;
    const char *const paths[] = {"/nonexistent", big, "/etc/passwd",
                                 "tests/data/cases/s05_big5.pgn"};
    for (unsigned j = 1; j <= 4; j++) {
        struct seen s = {0};
        assert_int_equal(run(&s, j, paths, 4), CLI_FAIL);
        assert_int_equal(s.games, 40001);
        assert_int_equal(s.files, 2);
    }
}

static void a_callback_may_stop_the_run(void **state)
{
    (void)state;
    const char *const paths[] = {big, big};
    for (unsigned j = 1; j <= 4; j++) {
        struct seen s = {.stop_part = 3};
        assert_int_equal(run(&s, j, paths, 2), CLI_FAIL);
        assert_int_equal(s.parts, 3); /* and no part after that */
        struct seen t = {.stop_game = 100};
        assert_int_equal(run(&t, j, paths, 2), CLI_FAIL);
        assert_int_equal(t.games, 0);
    }
}

/* As if a game were a hundred bytes of messages. */
static size_t held(const void *result)
{
    return ((const struct result *)result)->games * 100;
}

static void a_huge_part_comes_in_pieces(void **state)
{
    (void)state;
    char path[] = "/tmp/qipu-test-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    FILE *f = fdopen(fd, "w");
    assert_non_null(f);
    for (unsigned i = 0; i < 60000; i++) /* no blank lines: one part */
        fprintf(f, "[Event \"%u\"]\n", i);
    assert_int_equal(fclose(f), 0);
    const char *const paths[] = {path, big, path};
    struct seen one = {.pieces = true};
    assert_int_equal(run(&one, 1, paths, 3), CLI_OK);
    for (unsigned j = 1; j <= 5; j++) {
        struct seen s = {.pieces = true};
        const pipe_job job = {.game = on_game,
                              .emit = on_part,
                              .held = held,
                              .ctx = &s,
                              .new_result = new_result,
                              .free_result = free_result,
                              .threads = j};
        assert_int_equal(pipe_run(&job, paths, 3), CLI_OK);
        assert_int_equal(s.results, 0);
        assert_int_equal(s.games, one.games);
        assert_int_equal(s.files, 3);
        assert_int_equal(s.games, 160000);
        assert_int_equal(s.most, PIPE_PIECE / 100 + 1);
    }
    unlink(path);
}

/* The last test: the signal stays caught. */
static void an_interrupt_leaves_a_whole_beginning(void **state)
{
    (void)state;
    const char *const paths[] = {big, big, big};
    struct seen s = {.raise_at = 2};
    assert_int_equal(run(&s, 3, paths, 3), CLI_INTERRUPTED);
    assert_true(s.parts >= 2 && s.parts < 15);
    assert_true(cli_interrupted());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_come_in_order_whatever_the_threads),
        cmocka_unit_test(other_operands_are_read_behind_a_bad_one),
        cmocka_unit_test(a_callback_may_stop_the_run),
        cmocka_unit_test(a_huge_part_comes_in_pieces),
        cmocka_unit_test(an_interrupt_leaves_a_whole_beginning),
    };
    return cmocka_run_group_tests_name("pipe", tests, setup, teardown);
}
