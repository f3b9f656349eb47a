/* test_xengine.c - other engines, well behaved and not: tests/data/engines.
 * Cases S70 to S78 and S76 of the collection; nothing is left behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tools/child.h"
#include "tools/engine_name.h"
#include "tools/thinker.h"
#include "tools/xengine.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define SCRIPT "tests/data/engines/engine.sh"

static xengine_setup setup_of(const char *part)
{
    static char command[200];
    snprintf(command, sizeof command, "%s %s", SCRIPT, part);
    return (xengine_setup){.command = command,
                           .timeout = 1,
                           .patience = 700,
                           .depth = 2,
                           .multipv = 2};
}

static xengine *open_part(const char *part)
{
    const xengine_setup s = setup_of(part);
    xengine *e = NULL;
    xq_err err;
    if (xengine_open(&e, &s, &err) != XQ_OK)
        fail_msg("%s: %s", part, err.msg);
    return e;
}

static xq_pos start(void)
{
    xq_pos p;
    xq_pos_start(&p);
    return p;
}

static void assert_line(const analysis_line *l, const char *moves)
{
    char text[5 * 128] = "", m[5];
    for (unsigned i = 0; i < l->n; i++) {
        xq_move_format(l->pv[i], m);
        strcat(strcat(text, i ? " " : ""), m);
    }
    assert_string_equal(text, moves);
}

static analysis a; /* large */
static xengine_said said;

/* Processes in the group of this one's children. */
static void assert_no_children(void)
{
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void ranks_are_found_by_asking(void **state)
{
    (void)state;
    xq_err err;
    xq_pos p = start();
    xengine *e = open_part("rank10");
    assert_string_equal(xengine_name(e), "Scripted rank10");
    assert_string_equal(xengine_protocol(e), "uci");
    assert_int_equal(xengine_ask(e, &p, &a, &said, &err), XQ_OK);
    assert_line(&a.lines[0], "h2e2 h9g7 h0g2 i9h9");
    assert_int_equal(a.lines[0].score.value, 25);
    xengine_close(e);
    assert_no_children();
}

static void ucci_and_cecp_are_found_by_asking(void **state)
{
    (void)state;
    xq_err err;
    xq_pos p = start();
    xengine *e = open_part("ucci");
    assert_string_equal(xengine_name(e), "Old UCCI engine");
    assert_string_equal(xengine_protocol(e), "ucci");
    assert_int_equal(xengine_ask(e, &p, &a, &said, &err), XQ_OK);
    assert_int_equal(a.lines[0].score.value, 25); /* no "cp" */
    assert_line(&a.lines[0], "h2e2 h9g7");
    /* "nobestmove" ends the search; it is no fault of the connection */
    assert_int_equal(
        xq_fen_parse(&p, xq_str_of("3k5/4P4/9/9/9/9/9/9/9/4K4 w"), NULL, NULL),
        XQ_OK);
    assert_int_equal(xengine_ask(e, &p, &a, &said, &err), XQ_EIO);
    assert_string_equal(err.msg, "the engine gave no move");
    p = start();
    assert_int_equal(xengine_ask(e, &p, &a, &said, &err), XQ_OK);
    xengine_close(e);

    e = open_part("cecp");
    assert_string_equal(xengine_name(e), "Scripted CECP 1");
    assert_string_equal(xengine_protocol(e), "cecp");
    assert_int_equal(xengine_ask(e, &p, &a, &said, &err), XQ_OK);
    assert_int_equal(a.lines[0].score.value, 21); /* (+) is a bound */
    assert_int_equal(a.depth, 2);
    assert_int_equal(a.nodes, 300);
    assert_line(&a.lines[0], "h2e2 h9g7 h0g2");
    xengine_close(e);

    xengine_setup s = setup_of("cecp");
    s.depth = 0;
    s.nodes = 100;
    assert_int_equal(xengine_open(&e, &s, &err), XQ_ESYNTAX);
    assert_no_children();
}

static void what_does_not_speak_is_refused(void **state)
{
    static const char *const COMMANDS[] = {"/nonexistent/engine", "true",
                                           SCRIPT " dies-at-uci", "",
                                           "'open quote"};
    (void)state;
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++) {
        xengine_setup s = setup_of("");
        xengine *e = NULL;
        xq_err err;
        s.command = COMMANDS[i];
        assert_true(xengine_open(&e, &s, &err) < 0);
        assert_true(err.msg[0] != '\0');
        assert_null(e);
    }
    assert_no_children();
}

/* S78: what it prints before it speaks says nothing. */
static void errors_before_the_hello_are_no_refusal(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        xengine *e = open_part("refuses");
        assert_string_equal(xengine_protocol(e), "uci");
        assert_string_equal(xengine_name(e), "Scripted refuses");
        xengine_close(e);
    }
    assert_no_children();
}

/* An engine may take as long as it is given, and no longer, whatever it is
 * asked. */
static void patience_is_what_the_user_says(void **state)
{
    static const char *const MUTE[] = {"mute", "never-ready"};
    (void)state;
    xq_err err;
    xq_pos p = start();
    xengine_setup s = setup_of("slow-hello");
    xengine *e = NULL;
    s.timeout = 20;
    s.patience = 300;
    if (xengine_open(&e, &s, &err) != XQ_OK)
        fail_msg("%s", err.msg);
    assert_string_equal(xengine_protocol(e), "uci");
    assert_int_equal(xengine_ask(e, &p, &a, &said, &err), XQ_OK);
    xengine_close(e);
    assert_no_children();
    for (size_t i = 0; i < 2; i++) {
        const uint64_t began = child_now();
        s = setup_of(MUTE[i]);
        assert_int_equal(xengine_open(&e, &s, &err), XQ_EIO);
        assert_non_null(strstr(err.msg, " within 1 s"));
        assert_true(child_now() - began < 6000);
        assert_no_children();
    }
}

static void names_are_for_people(void **state)
{
    static const struct {
        const char *part, *name;
    } T[] = {
        {"names-gbk", "象棋 2.0"},
        {"names-control", "a[31mbc"},
        {"names-nothing", SCRIPT},
        {"unnamed-1", SCRIPT},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        xengine *e = open_part(T[i].part);
        assert_string_equal(xengine_name(e), T[i].name);
        xengine_close(e);
    }
    xengine *e = open_part("names-long");
    const char *name = xengine_name(e);
    const size_t n = strlen(name);
    assert_true(n <= ENGINE_NAME_MAX && n + 3 > ENGINE_NAME_MAX);
    assert_int_equal(n % 3, 0);
    assert_memory_equal(name + n - 3, n % 6 ? "象" : "棋", 3);
    xengine_close(e);
}

static void scores_are_those_that_are_none(void **state)
{
    (void)state;
    xq_err err;
    xq_pos p = start();
    xengine *e = open_part("info");
    assert_int_equal(xengine_ask(e, &p, &a, &said, &err), XQ_OK);
    assert_int_equal(a.depth, 8);
    assert_int_equal(a.nlines, 2);
    assert_int_equal(a.lines[0].score.value, 18);
    assert_line(&a.lines[0], "h2e2 h9g7");
    assert_true(a.lines[1].score.mate);
    assert_int_equal(a.lines[1].score.value, -3);
    xengine_close(e);
}

/* The move an engine answers is its answer, whatever it spoke of last. */
static void the_answer_is_the_best_move(void **state)
{
    static const struct {
        const char *part;
        unsigned multipv, nlines;
        int value[2];
        const char *moves[2];
    } T[] = {
        /* a bound that came last */
        {"bound", 1, 1, {500}, {"h2e2 h9g7"}},
        {"bound", 2, 2, {500, 40}, {"h2e2 h9g7", "a0a1 a9a8"}},
        {"bound-only", 2, 1, {60}, {"h2e2"}},
        /* another line */
        {"second", 2, 2, {30, 40}, {"h2e2 h9g7", "a0a1"}},
        /* neither: its score is that of the best line */
        {"elsewhere", 1, 1, {40}, {"h2e2"}},
        {"elsewhere", 2, 2, {40, 40}, {"h2e2", "a0a1"}},
        /* the bound was searched again, and lost */
        {"bound-lost", 2, 2, {45, 45}, {"h2e2", "a0a1"}},
        {"cecp-bound", 1, 1, {99}, {"h2e2 h9g7"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        xengine_setup s = setup_of(T[i].part);
        xengine *e = NULL;
        xq_err err;
        xq_pos p = start();
        s.multipv = T[i].multipv;
        if (xengine_open(&e, &s, &err) != XQ_OK ||
            xengine_ask(e, &p, &a, &said, &err) != XQ_OK)
            fail_msg("%s: %s", T[i].part, err.msg);
        assert_int_equal(a.nlines, T[i].nlines);
        for (unsigned k = 0; k < a.nlines; k++) {
            assert_int_equal(a.lines[k].score.value, T[i].value[k]);
            assert_line(&a.lines[k], T[i].moves[k]);
        }
        xengine_close(e);
    }
}

static void numbers_beyond_all_are_cut(void **state)
{
    static const struct {
        const char *part;
        int value;
    } T[] = {{"huge-mate", ANALYSIS_CP_MAX},
             {"huge-mated", -ANALYSIS_CP_MAX},
             {"huge-cp", ANALYSIS_CP_MAX}};
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        xq_err err;
        xq_pos p = start();
        xengine *e = open_part(T[i].part);
        assert_int_equal(xengine_ask(e, &p, &a, &said, &err), XQ_OK);
        assert_false(a.lines[0].score.mate);
        assert_int_equal(a.lines[0].score.value, T[i].value);
        xengine_close(e);
    }
}

/* One position fails, the next is asked a new process, so many in a row. */
static void faults_cost_one_position(void **state)
{
    static const struct {
        const char *part, *why;
    } T[] = {
        {"crash", "the engine has ended"},
        {"hang", "the engine gave no answer within 1 s"},
        {"none", "the engine gave no move"},
        {"zero", "the engine gave no move"},
        {"null", "the engine gave no move"},
        {"illegal", "the engine answered 'aaaa', which is not legal"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        xq_err err;
        xq_pos p = start();
        xengine *e = open_part(T[i].part);
        assert_int_equal(xengine_ask(e, &p, &a, &said, &err), XQ_EIO);
        assert_string_equal(err.msg, T[i].why);
        assert_int_equal(a.state, ANALYSIS_FAILED);
        assert_no_children(); /* killed at once */
        xengine_close(e);
    }
    xq_err err;
    xq_pos p = start();
    xengine *e = open_part("crash");
    for (int i = 0; i < XENGINE_FAILURES; i++)
        assert_int_equal(xengine_ask(e, &p, &a, &said, &err), XQ_EIO);
    assert_int_equal(xengine_ask(e, &p, &a, &said, &err), XQ_EIO);
    assert_string_equal(
        err.msg, "the engine failed 5 times in a row and is not started again");
    assert_no_children();
    xengine_close(e);
}

static void hangs_are_killed_with_all_they_started(void **state)
{
    static const char *const PARTS[] = {"stubborn", "flood"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        xq_err err;
        xq_pos p = start();
        xengine *e = open_part(PARTS[i]);
        assert_int_equal(xengine_ask(e, &p, &a, &said, &err), XQ_EIO);
        xengine_close(e);
    }
    assert_no_children();
}

static void stop_ends_a_slow_search(void **state)
{
    (void)state;
    xq_err err;
    xq_pos p = start();
    xengine *e = open_part("slow");
    assert_int_equal(xengine_ask(e, &p, &a, &said, &err), XQ_OK);
    assert_int_equal(a.lines[0].score.value, 11);
    xengine_close(e);
}

/* What is said late belongs to no position. */
static void late_lines_are_dropped(void **state)
{
    (void)state;
    xq_err err;
    xq_pos p = start();
    xengine *e = open_part("late");
    for (int i = 0; i < 3; i++) {
        assert_int_equal(xengine_ask(e, &p, &a, &said, &err), XQ_OK);
        assert_int_equal(a.lines[0].score.value, 7);
        assert_line(&a.lines[0], "h2e2");
    }
    xengine_close(e);
}

static void options_are_those_offered(void **state)
{
    static const struct {
        const char *option, *why; /* NULL: taken */
    } T[] = {
        {"hash=64", NULL},
        {"repetition rule = chineserule", NULL},
        {"CLEAR HASH", NULL},
        {"evalfile=C:/a b.nnue", NULL},
        {"Threads=2", "the engine has no option 'Threads'"},
        {"hash=0", "the engine's option 'Hash' takes 1 to 33554432, not '0'"},
        {"Repetition Rule=NoRule",
         "the engine's option 'Repetition Rule' takes "
         "AsianRule, ChineseRule, SkyRule, not "
         "'NoRule'"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        xengine_setup s = setup_of("options");
        xengine *e = NULL;
        xq_err err = {0};
        s.options = &T[i].option;
        s.noptions = 1;
        const xq_status rc = xengine_open(&e, &s, &err);
        assert_int_equal(rc, T[i].why ? XQ_ESYNTAX : XQ_OK);
        if (T[i].why)
            assert_string_equal(err.msg, T[i].why);
        xengine_close(e);
    }
}

static void claims_of_mate_are_verified(void **state)
{
    (void)state;
    thinker *t = NULL;
    xq_err err;
    xq_pos p;
    const thinker_options o = {
        .engine = SCRIPT " mate", .timeout = 5, .depth = 2, .multipv = 2};
    assert_int_equal(thinker_open(&t, &o, &err), XQ_OK);
    p = start();
    assert_int_equal(thinker_ask(t, &p, &a, &err), XQ_OK);
    assert_int_equal(a.state, ANALYSIS_DONE);
    assert_false(a.lines[0].score.mate);
    assert_int_equal(a.lines[0].score.value, 120); /* what it said before */
    assert_int_equal(a.claim, 1);
    thinker_close(t);
    assert_no_children();
}

/* ---- who it is ---- */

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static char *identity_of(const char *command, const char *const *options,
                         size_t noptions)
{
    const thinker_options o = {.engine = command,
                               .options = options,
                               .noptions = noptions,
                               .timeout = 5,
                               .depth = 2,
                               .multipv = 2};
    thinker *t = NULL;
    xq_err err;
    if (thinker_open(&t, &o, &err) != XQ_OK)
        fail_msg("%s: %s", command, err.msg);
    char *text = strdup(thinker_identity(t));
    assert_non_null(text);
    thinker_close(t);
    return text;
}

static void assert_identity(const char *before, bool same, const char *command,
                            const char *const *options, size_t noptions)
{
    char *now = identity_of(command, options, noptions);
    if ((strcmp(before, now) == 0) != same)
        fail_msg("%s\n%s", before, now);
    free(now);
}

/* An answer of one is no answer of the other. */
static void identities_tell_engines_apart(void **state)
{
    char folder[] = "/tmp/xengineXXXXXX", script[64], net[64], log[64],
         command[200], other[200], option[100];
    const char *const one[] = {"EvalFile=a EvalFile=b"},
                      *const two[] = {"EvalFile=a", "EvalFile=b"},
                      *const file[] = {option};
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(script, sizeof script, "%s/e.sh", folder);
    snprintf(net, sizeof net, "%s/e.nnue", folder);
    snprintf(log, sizeof log, "%s/e.log", folder);
    snprintf(option, sizeof option, "EvalFile=%s", net);
    write_file(script, "exec " SCRIPT " options $2 $3\n");
    write_file(net, "one");

    /* arguments, which alone may say which engine it is */
    snprintf(command, sizeof command, "sh %s one", script);
    snprintf(other, sizeof other, "sh %s two", script);
    char *id = identity_of(command, NULL, 0);
    assert_identity(id, true, command, NULL, 0);
    assert_identity(id, false, other, NULL, 0);
    /* what the files hold, of the same size and in the same second */
    write_file(script, "exec " SCRIPT " options $3 $2\n");
    assert_identity(id, false, command, NULL, 0);
    write_file(script, "exec " SCRIPT " options $2 $3\n");
    assert_identity(id, true, command, NULL, 0);
    free(id);

    snprintf(command, sizeof command, "sh %s --net=%s", script, net);
    id = identity_of(command, NULL, 0);
    write_file(net, "two");
    assert_identity(id, false, command, NULL, 0);
    free(id);
    /* a program without any arguments */
    snprintf(command, sizeof command, "%s", script);
    write_file(script, "#!/bin/sh\nexec " SCRIPT " options $2 $3\n");
    assert_int_equal(chmod(script, 0700), 0);
    id = identity_of(command, NULL, 0);
    write_file(script, "#!/bin/sh\nexec " SCRIPT " options $3 $2\n");
    assert_identity(id, false, command, NULL, 0);
    free(id);

    /* options */
    id = identity_of(SCRIPT " options", one, 1);
    assert_identity(id, false, SCRIPT " options", two, 2);
    free(id);
    id = identity_of(SCRIPT " options", file, 1);
    write_file(net, "one");
    assert_identity(id, false, SCRIPT " options", file, 1);
    free(id);

    /* the network beside the program that it takes unless it is told */
    write_file(script, "#!/bin/sh\nexec " SCRIPT " network\n");
    id = identity_of(command, NULL, 0);
    write_file(net, "two");
    assert_identity(id, false, command, NULL, 0);
    free(id);

    /* a file that the engine writes itself says nothing about it */
    snprintf(command, sizeof command, SCRIPT " log --log %s", log);
    id = identity_of(command, NULL, 0);
    assert_identity(id, true, command, NULL, 0);
    free(id);
    unlink(script);
    unlink(net);
    unlink(log);
    rmdir(folder);
}

/* ---- nothing is left behind ---- */

static bool is_alive(pid_t pid)
{
    char path[64], text[400] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return kill(pid, 0) == 0 && access("/proc/self", F_OK) != 0;
    const size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    /* dead and not yet waited for by whoever inherits it */
    return n > 0 && !strstr(text, ") Z ");
}

/* "pid N" in the log: how many there are, how many of them live. */
static int pids(const char *log, int *alive)
{
    char line[200];
    int n = 0, pid;
    FILE *f = fopen(log, "r");
    *alive = 0;
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "pid %d", &pid) == 1) {
            n++;
            *alive += is_alive(pid);
        }
    if (f)
        fclose(f);
    return n;
}

static const char *const LEAVERS[] = {SCRIPT " stubborn",
                                      "setsid -w " SCRIPT " stubborn",
                                      SCRIPT " helper", SCRIPT " helpers"};
enum { NLEAVERS = sizeof LEAVERS / sizeof *LEAVERS };

static xengine *open_leaver(size_t i, const char *log)
{
    static char command[300];
    snprintf(command, sizeof command, "%s --log %s", LEAVERS[i], log);
    const xengine_setup s = {
        .command = command, .timeout = 1, .depth = 2, .multipv = 1};
    xengine *e = NULL;
    xq_err err;
    if (xengine_open(&e, &s, &err) != XQ_OK)
        fail_msg("%s: %s", command, err.msg);
    return e;
}

/* Own sessions, helpers without a parent: the whole tree is ended. */
static void whatever_it_started_ends_with_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < NLEAVERS; i++) {
        char log[] = "/tmp/xengineXXXXXX";
        int alive;
        xq_err err;
        xq_pos p = start();
        close(mkstemp(log));
        xengine *e = open_leaver(i, log);
        assert_int_equal(xengine_ask(e, &p, &a, &said, &err), XQ_EIO);
        assert_true(pids(log, &alive) >= 1 + (i >= 2));
        if (alive > 0)
            fail_msg("'%s' left %d behind", LEAVERS[i], alive);
        xengine_close(e);
        assert_no_children();
        unlink(log);
    }
}

/* Whoever ends, with or without goodbye: the keeper ends them all. */
static void a_killed_process_leaves_nothing_behind(void **state)
{
    (void)state;
    for (size_t i = 0; i < NLEAVERS - 1; i++) { /* not the one that ends */
        char log[] = "/tmp/xengineXXXXXX";
        int alive = 0;
        close(mkstemp(log));
        const pid_t us = fork();
        if (us == 0) {
            xq_err err;
            xq_pos p = start();
            xengine *e = open_leaver(i, log);
            xengine_ask(e, &p, &a, &said, &err);
            _exit(0);
        }
        const int want = 1 + (i >= 2);
        for (int k = 0; k < 500 && pids(log, &alive) < want; k++)
            usleep(10000);
        assert_true(pids(log, &alive) >= want);
        assert_true(alive >= want);
        kill(us, SIGKILL);
        waitpid(us, NULL, 0);
        for (int k = 0; k < 500 && alive > 0; k++) {
            usleep(10000);
            pids(log, &alive);
        }
        if (alive > 0)
            fail_msg("'%s' left %d behind", LEAVERS[i], alive);
        unlink(log);
    }
}

static int ignore_pipes(void **state)
{
    (void)state;
    signal(SIGPIPE, SIG_IGN);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_are_found_by_asking),
        cmocka_unit_test(ucci_and_cecp_are_found_by_asking),
        cmocka_unit_test(what_does_not_speak_is_refused),
        cmocka_unit_test(errors_before_the_hello_are_no_refusal),
        cmocka_unit_test(patience_is_what_the_user_says),
        cmocka_unit_test(names_are_for_people),
        cmocka_unit_test(scores_are_those_that_are_none),
        cmocka_unit_test(the_answer_is_the_best_move),
        cmocka_unit_test(numbers_beyond_all_are_cut),
        cmocka_unit_test(faults_cost_one_position),
        cmocka_unit_test(hangs_are_killed_with_all_they_started),
        cmocka_unit_test(stop_ends_a_slow_search),
        cmocka_unit_test(late_lines_are_dropped),
        cmocka_unit_test(options_are_those_offered),
        cmocka_unit_test(claims_of_mate_are_verified),
        cmocka_unit_test(identities_tell_engines_apart),
        cmocka_unit_test(whatever_it_started_ends_with_it),
        cmocka_unit_test(a_killed_process_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, ignore_pipes, NULL);
}
