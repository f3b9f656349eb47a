/* test_evalcache.c - answers kept in a file: the same come back, and no others;
 * positions by themselves; our own engine's answers do not hang on the order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/key.h"
#include "engine/rules.h"
#include "tools/crew.h"
#include "tools/evalcache.h"
#include "tools/thinker.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/evalcacheXXXXXX";
static char path[64];

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/c", folder);
    return 0;
}

static int remove_folder(void **state)
{
    char lock[80];
    (void)state;
    snprintf(lock, sizeof lock, "%s-lock", path);
    unlink(path);
    unlink(lock);
    return rmdir(folder);
}

static xq_pos after(const char *moves)
{
    xq_pos p;
    xq_pos_start(&p);
    for (; *moves; moves += 4 + (moves[4] == ' '))
        xq_pos_make(
            &p,
            xq_move_parse((char[5]){moves[0], moves[1], moves[2], moves[3], 0}),
            NULL);
    return p;
}

/* Made-up answer for q: its first legal moves. */
static analysis answer_of(const xq_pos *q, int value)
{
    analysis a = {.state = ANALYSIS_DONE,
                  .nlines = 2,
                  .depth = 9,
                  .nodes = 123456789,
                  .claim = -4};
    xq_movelist list;
    xq_gen_legal(q, &list);
    for (int i = 0; i < 2; i++) {
        a.lines[i].score = (analysis_score){i == 1, i ? -7 : value};
        a.lines[i].pv[0] = list.m[i];
        a.lines[i].n = 1;
    }
    return a;
}

static void assert_same(const analysis *a, const analysis *b)
{
    assert_int_equal(a->state, b->state);
    assert_int_equal(a->depth, b->depth);
    assert_int_equal(a->nodes, b->nodes);
    assert_int_equal(a->claim, b->claim);
    assert_int_equal(a->nlines, b->nlines);
    for (unsigned i = 0; i < a->nlines; i++) {
        assert_int_equal(a->lines[i].score.mate, b->lines[i].score.mate);
        assert_int_equal(a->lines[i].score.value, b->lines[i].score.value);
        assert_int_equal(a->lines[i].n, b->lines[i].n);
        assert_memory_equal(a->lines[i].pv, b->lines[i].pv,
                            a->lines[i].n * sizeof(xq_move));
    }
}

static void records_come_back_and_damage_does_not(void **state)
{
    uint8_t bytes[EVALCACHE_RECORD_MAX];
    const xq_pos p = after("h2e2");
    const analysis a = answer_of(&p, -15000);
    analysis b = {0};
    (void)state;
    const size_t n = evalcache_pack(&a, bytes);
    assert_true(evalcache_unpack(bytes, n, &b));
    assert_same(&a, &b);
    for (size_t i = 0; i < n; i++) {
        assert_false(evalcache_unpack(bytes, i, &b));
        bytes[i] ^= 1;
        assert_false(evalcache_unpack(bytes, n, &b));
        bytes[i] ^= 1;
    }
}

/* What engines say at most is kept; what nobody can have said is damage. */
static void scores_have_bounds(void **state)
{
    static const struct {
        analysis_score s;
        bool kept;
    } T[] = {
        {{false, ANALYSIS_CP_MAX}, true},
        {{false, -ANALYSIS_CP_MAX}, true},
        {{true, XQ_MAX_PLY}, true},
        {{true, -XQ_MAX_PLY}, true},
        {{false, ANALYSIS_CP_MAX + 1}, false},
        {{false, -ANALYSIS_CP_MAX - 1}, false},
        {{true, XQ_MAX_PLY + 1}, false},
        {{true, -XQ_MAX_PLY - 1}, false},
        {{true, INT32_MAX}, false},
    };
    uint8_t bytes[EVALCACHE_RECORD_MAX];
    const xq_pos p = after("h2e2");
    analysis a = answer_of(&p, 0), b = {0};
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        a.lines[0].score = T[i].s;
        assert_int_equal(evalcache_unpack(bytes, evalcache_pack(&a, bytes), &b),
                         T[i].kept);
        if (T[i].kept)
            assert_same(&a, &b);
    }
    for (int side = 0; side < 2; side++) {
        static const int HUGE[] = {INT32_MAX, 1 << 30, XQ_MAX_PLY + 1};
        const int sign = side == XQ_RED ? 1 : -1;
        for (size_t i = 0; i < 3; i++) {
            analysis_score s = analysis_mate(HUGE[i], (xq_side)side);
            assert_false(s.mate);
            assert_int_equal(s.value, sign * ANALYSIS_CP_MAX);
            s = analysis_mate(-HUGE[i], (xq_side)side);
            assert_int_equal(s.value, -sign * ANALYSIS_CP_MAX);
        }
        assert_int_equal(analysis_cp(INT32_MAX, (xq_side)side).value,
                         sign * ANALYSIS_CP_MAX);
        assert_int_equal(analysis_cp(INT32_MIN, (xq_side)side).value,
                         -sign * ANALYSIS_CP_MAX);
    }
}

static void answers_belong_to_position_and_engine(void **state)
{
    xq_err err;
    evalcache *c;
    xq_pos p = after("h2e2"), q;
    analysis found;
    (void)state;
    analysis_frame(&q, &p);
    const analysis a = answer_of(&q, 30);
    assert_int_equal(evalcache_open(&c, path, "one", &err), XQ_OK);
    assert_false(evalcache_find(c, &q, &found));
    assert_int_equal(evalcache_put(c, &q, &a, &err), XQ_OK);
    assert_true(evalcache_find(c, &q, &found)); /* before it is written */
    assert_same(&a, &found);
    assert_int_equal(evalcache_close(c, &err), XQ_OK);

    assert_int_equal(evalcache_open(&c, path, "one", &err), XQ_OK);
    assert_true(evalcache_find(c, &q, &found));
    assert_same(&a, &found);
    /* the mirror image is the same position */
    xq_pos m = after("b2e2"), mq;
    assert_true(analysis_frame(&mq, &m) != analysis_frame(&q, &p));
    assert_true(evalcache_find(c, &mq, &found));
    p = after("h2e2 h9g7");
    analysis_frame(&q, &p);
    assert_false(evalcache_find(c, &q, &found));
    assert_int_equal(evalcache_close(c, &err), XQ_OK);

    p = after("h2e2");
    analysis_frame(&q, &p);
    assert_int_equal(evalcache_open(&c, path, "two", &err), XQ_OK);
    assert_false(evalcache_find(c, &q, &found));
    assert_int_equal(evalcache_close(c, &err), XQ_OK);
}

static void failures_are_not_kept(void **state)
{
    xq_err err;
    evalcache *c;
    xq_pos p = after("b0c2"), q;
    analysis a = {.state = ANALYSIS_FAILED};
    (void)state;
    analysis_frame(&q, &p);
    assert_int_equal(evalcache_open(&c, path, "one", &err), XQ_OK);
    assert_int_equal(evalcache_put(c, &q, &a, &err), XQ_OK);
    assert_false(evalcache_find(c, &q, &a));
    assert_int_equal(evalcache_close(c, &err), XQ_OK);
}

/* What was written more than a batch ago is there after kill -9. */
static void killed_writers_lose_the_last_batch_only(void **state)
{
    xq_err err;
    evalcache *c;
    int fd[2];
    char byte;
    (void)state;
    assert_int_equal(pipe(fd), 0);
    xq_pos p = after("");
    xq_movelist list;
    xq_gen_legal(&p, &list);
    const pid_t child = fork();
    if (child == 0) {
        if (evalcache_open(&c, path, "killed", &err) != XQ_OK)
            _exit(1);
        for (unsigned i = 0; i < list.n; i++) {
            xq_pos at = p, q;
            xq_pos_make(&at, list.m[i], NULL);
            analysis_frame(&q, &at);
            const analysis a = answer_of(&q, (int)i);
            if (i == 1)
                usleep(1100000); /* the first has waited long enough */
            if (evalcache_put(c, &q, &a, &err) != XQ_OK)
                _exit(1);
        }
        if (write(fd[1], "x", 1) != 1)
            _exit(1);
        pause();
        _exit(0);
    }
    assert_int_equal(read(fd[0], &byte, 1), 1);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    close(fd[0]);
    close(fd[1]);
    assert_int_equal(evalcache_open(&c, path, "killed", &err), XQ_OK);
    for (unsigned i = 0; i < 2; i++) {
        xq_pos at = p, q;
        analysis found;
        xq_pos_make(&at, list.m[i], NULL);
        analysis_frame(&q, &at);
        assert_true(evalcache_find(c, &q, &found));
    }
    assert_int_equal(evalcache_close(c, &err), XQ_OK);
}

static void other_files_are_refused(void **state)
{
    xq_err err;
    evalcache *c;
    (void)state;
    assert_true(evalcache_open(&c, "/dev/null", "x", &err) < 0);
    assert_true(evalcache_open(&c, "/nonexistent/c", "x", &err) < 0);
}

/* ---- our own engine ---- */

static void answers_do_not_hang_on_the_way(void **state)
{
    /* by two orders, and on the other wing */
    const xq_pos one = after("h2e2 h9g7 h0g2"), two = after("h0g2 h9g7 h2e2"),
                 mirror = after("b2e2 b9c7 b0c2");
    const xq_pos *const ALL[] = {&one, &two, &mirror, &one};
    const thinker_options o = {.nodes = 3000, .multipv = 2};
    analysis first = {0}, a = {0};
    thinker *t;
    xq_err err;
    (void)state;
    assert_int_equal(thinker_open(&t, &o, &err), XQ_OK);
    for (int i = 0; i < 4; i++) {
        xq_pos q;
        const bool mirrored = analysis_frame(&q, ALL[i]);
        assert_int_equal(thinker_ask(t, &q, &a, &err), XQ_OK);
        assert_int_equal(a.state, ANALYSIS_DONE);
        if (i == 0)
            first = a;
        assert_same(&first, &a);
        if (mirrored)
            analysis_mirror(&a);
        assert_true(xq_move_is_legal(ALL[i], a.lines[0].pv[0]));
    }
    thinker_close(t);
}

/* tests/data/mates.tsv and the mate of case S77: none is claimed. */
static void mates_are_as_short_as_they_can_be(void **state)
{
    static const struct {
        const char *fen;
        int mate; /* 0: none */
    } T[] = {
        {"4k4/9/9/9/9/9/9/9/R8/1R2K4 w", 2},
        {"3k5/9/9/9/9/9/9/R8/9/R3K4 w", 1},
        {"3aka1r1/9/1c1C4c/p2r4p/1R4p2/5n3/P3P1P1P/2N3N2/4A4/R1B1KAB2 w", 0},
    };
    const thinker_options o = {.nodes = 30000, .multipv = 1};
    thinker *t;
    xq_err err;
    analysis a;
    (void)state;
    assert_int_equal(thinker_open(&t, &o, &err), XQ_OK);
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        xq_pos p, q;
        if (xq_fen_parse(&p, xq_str_of(T[i].fen), NULL, &err) != XQ_OK)
            fail_msg("%s", err.msg);
        analysis_frame(&q, &p);
        assert_int_equal(thinker_ask(t, &q, &a, &err), XQ_OK);
        if (T[i].mate) {
            assert_true(a.lines[0].score.mate);
            assert_int_equal(a.lines[0].score.value, T[i].mate);
            assert_true(analysis_line_mates(&a.lines[0], &q));
        } else {
            assert_false(a.lines[0].score.mate && a.lines[0].score.value == 1);
        }
    }
    /* nobody is asked where there is no move */
    xq_pos p;
    assert_int_equal(
        xq_fen_parse(&p, xq_str_of("3k5/4P4/9/9/9/9/9/9/9/4K4 b"), NULL, &err),
        XQ_OK);
    assert_int_equal(thinker_ask(t, &p, &a, &err), XQ_OK);
    assert_int_equal(a.state, ANALYSIS_OVER);
    thinker_close(t);
}

/* ---- the crew ---- */

static atomic_uint tasks_done;

static void count_task(void *worker, void *job, uint32_t task)
{
    atomic_uint *const sum = job;
    (void)worker;
    if (task % 3 == 0)
        usleep(200);
    atomic_fetch_add(sum, task + 1);
    atomic_fetch_add(&tasks_done, 1);
}

static void jobs_come_back_whole_and_in_order(void **state)
{
    enum { JOBS = 50 };
    static atomic_uint sums[JOBS];
    void *workers[3] = {NULL, NULL, NULL};
    crew *c;
    xq_err err;
    (void)state;
    assert_int_equal(crew_open(&c, workers, 3, count_task, &err), XQ_OK);
    unsigned want = 0, got = 0;
    for (unsigned i = 0; i < JOBS; i++) {
        assert_int_equal(crew_add(c, &sums[i], i % 7, &err), XQ_OK);
        want += i % 7;
    }
    while (crew_jobs(c) > 0) {
        atomic_uint *sum = crew_next(c, 100);
        if (!sum)
            continue;
        const unsigned n = got % 7;
        assert_ptr_equal(sum, &sums[got++]);
        assert_int_equal(atomic_load(sum), n * (n + 1) / 2);
    }
    assert_int_equal(got, JOBS);
    assert_int_equal(atomic_load(&tasks_done), want);
    assert_int_equal(crew_done(c), want);
    assert_null(crew_next(c, 0));
    assert_int_equal(crew_add(c, &sums[0], 1000, &err), XQ_OK);
    crew_close(c); /* in the middle of it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_come_back_and_damage_does_not),
        cmocka_unit_test(scores_have_bounds),
        cmocka_unit_test(answers_belong_to_position_and_engine),
        cmocka_unit_test(failures_are_not_kept),
        cmocka_unit_test(killed_writers_lose_the_last_batch_only),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(answers_do_not_hang_on_the_way),
        cmocka_unit_test(mates_are_as_short_as_they_can_be),
        cmocka_unit_test(jobs_come_back_whole_and_in_order),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
