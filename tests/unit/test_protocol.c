/* test_protocol.c - the engine as a program, in one process: whole dialogues,
 * stops at any moment, books, and what no shell can send. */
#include "tests/unit/engine_util.h"

#include "engine/protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const xq_protocol PLAIN = {.name = "test", .max_hash = 1};

/* ---- a dialogue whose input is there from the beginning ---- */

static int file_with(const char *text, size_t n)
{
    FILE *f = tmpfile();
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    rewind(f);
    const int fd = dup(fileno(f));
    fclose(f);
    assert_true(fd >= 0);
    return fd;
}

/* What comes of it, for the caller to free; a search's progress and the moves
 * to ponder on are left out. */
static char *answer_to(const xq_protocol *how, const char *text, size_t n)
{
    xq_protocol io = *how;
    xq_err err;
    io.in = file_with(text, n);
    io.out = file_with("", 0);
    assert_int_equal(xq_protocol_run(&io, &err), XQ_OK);
    const off_t size = lseek(io.out, 0, SEEK_END);
    char *all = malloc((size_t)size + 1), *kept = malloc((size_t)size + 1);
    assert_non_null(all);
    assert_non_null(kept);
    assert_int_equal(pread(io.out, all, (size_t)size, 0), size);
    all[size] = '\0';
    close(io.in);
    close(io.out);
    size_t k = 0;
    for (char *line = all, *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        if (strncmp(line, "info depth ", 11) == 0 ||
            strncmp(line, "info time ", 10) == 0)
            continue;
        char *const ponder = strstr(line, " ponder ");
        if (strncmp(line, "bestmove ", 9) == 0 && ponder)
            *ponder = '\0';
        const size_t len = strlen(line);
        memcpy(kept + k, line, len);
        k += len;
        kept[k++] = '\n';
    }
    kept[k] = '\0';
    free(all);
    return kept;
}

static void expect(const xq_protocol *how, const char *text, const char *want)
{
    char *got = answer_to(how, text, strlen(text));
    if (strcmp(got, want) != 0)
        fail_msg("to\n%s\ncame\n%s\nnot\n%s", text, got, want);
    free(got);
}

/* Positions with a single legal move. */
#define D0E0 "position fen 5k3/9/9/9/9/9/9/9/r8/3K5 w\n"
#define F0E0 "position fen 3k5/9/9/9/9/9/9/9/8r/5K3 w\n"

static void the_first_word_tells_the_dialect(void **state)
{
    (void)state;
    expect(&PLAIN, "isready\nstop\nfoo\nquit\n",
           "readyok\ninfo string error: 'foo' is unknown\n");
    char *got = answer_to(&PLAIN, "ucci\nstop\nfoo\nquit\n", 19);
    assert_non_null(strstr(got, "\nucciok\nnobestmove\n"
                                "info message error: 'foo' is unknown\n"
                                "bye\n"));
    free(got);
    got = answer_to(&PLAIN, "ucicyclone\nuci\nquit\n", 20);
    assert_non_null(strstr(got, "\nucicycloneok\n"));
    assert_non_null(strstr(got, "\nuciok\n"));
    free(got);
}

static void commands_wait_for_the_answer(void **state)
{
    (void)state;
    /* A search with a limit is finished, whatever stands behind it. */
    expect(&PLAIN,
           D0E0 "go depth 2\n" F0E0 "go depth 2\nucinewgame\n" D0E0
                "go nodes 50\nsetoption name Hash value 1\ngo movetime 1\n",
           "bestmove d0e0\nbestmove f0e0\nbestmove d0e0\nbestmove d0e0\n");
    /* One without is stopped by the next `go`, a stop, or the end. */
    expect(&PLAIN,
           D0E0 "go infinite\n" F0E0 "go\n" D0E0 "go ponder wtime 9\n" F0E0
                "stop\ngo infinite\n",
           "bestmove d0e0\nbestmove f0e0\nbestmove d0e0\nbestmove f0e0\n");
    /* A stop behind commands that wait means the search at hand; behind
     * another `go` it means that one. */
    expect(&PLAIN, D0E0 "go movetime 600000\n" F0E0 "stop\ngo depth 1\n",
           "bestmove d0e0\nbestmove f0e0\n");
    expect(&PLAIN, D0E0 "go depth 3\n" F0E0 "go movetime 600000\nstop\n",
           "bestmove d0e0\nbestmove f0e0\n");
    expect(&PLAIN, D0E0 "go movetime 600000\n" F0E0 "quit\ngo depth 1\n",
           "bestmove d0e0\n");
    /* ponderhit too: the clock then ends the search. */
    expect(&PLAIN, D0E0 "go ponder movetime 5\n" F0E0 "ponderhit\ngo depth 1",
           "bestmove d0e0\nbestmove f0e0\n");
}

/* Every byte that a line may hold. */
static void lines_may_hold_anything(void **state)
{
    (void)state;
    static const char NULS[] = "\0isready\0\0\n\0\0\r\n\t  \v\n"
                               "# go infinite\n\x02\xff\xe9x\x7f\nisready\r"
                               "\n\x01go\0perft\0000\r";
    char *got = answer_to(&PLAIN, NULS, sizeof NULS - 1);
    assert_string_equal(got, "readyok\n"
                             "info string error: '??x?' is unknown\n"
                             "readyok\nNodes searched: 1\n");
    free(got);
}

static void lines_may_have_any_length(void **state)
{
    (void)state;
    enum { LONG = 5000000 };
    char *text = malloc(LONG + 100);
    assert_non_null(text);
    memset(text, 'x', LONG);
    memcpy(text + LONG, "\nisready\n", 10);
    char *got = answer_to(&PLAIN, text, LONG + 9);
    assert_string_equal(
        got, "info string error: 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
             "...' is unknown\nreadyok\n");
    free(got);
    /* A game of a million plies, there and back again. */
    static const char *const TOUR[] = {" h0g2", " h9g7", " g2h0", " g7h9"};
    size_t n = (size_t)sprintf(text, "position startpos moves");
    for (unsigned i = 0; i < 900000; i++) {
        memcpy(text + n, TOUR[i % 4], 5);
        n += 5;
    }
    n += (size_t)sprintf(text + n, "\ngo perft 1\nisready\n");
    got = answer_to(&PLAIN, text, n);
    assert_non_null(strstr(got, "Nodes searched: 44\n"));
    free(got);
    free(text);
}

/* More commands behind a search than are kept in memory. */
static void commands_behind_a_search_are_not_all_read(void **state)
{
    (void)state;
    enum { MANY = 300000 };
    static const char FIRST[] = D0E0 "go infinite\nposition startpos\n";
    static const char LAST[] = F0E0 "go depth 1\n";
    char *text = malloc(sizeof FIRST + 9 * MANY + sizeof LAST);
    assert_non_null(text);
    size_t n = (size_t)sprintf(text, FIRST);
    for (unsigned i = 0; i < MANY; i++, n += 9)
        memcpy(text + n, "debug on\n", 9);
    n += (size_t)sprintf(text + n, LAST);
    char *got = answer_to(&PLAIN, text, n);
    assert_string_equal(got, "bestmove d0e0\nbestmove f0e0\n");
    free(got);
    free(text);
}

static void what_cannot_be_used_changes_nothing(void **state)
{
    (void)state;
    expect(&PLAIN,
           F0E0 "position\nposition fen\nposition here\n"
                "position startpos h2e2\nposition startpos moves h2e2 h2e2\n"
                "position startpos moves h2e2 h10g8\nposition fen foobar\n"
                "go depth 1\n",
           "info string error: position refused, the one before it stays: "
           "neither 'startpos' nor 'fen'\n"
           "info string error: position refused, the one before it stays: "
           "rank 9, file a: no board, the text is empty\n"
           "info string error: position refused, the one before it stays: "
           "'here' is neither 'startpos' nor 'fen'\n"
           "info string error: position refused, the one before it stays: "
           "'h2e2' instead of 'moves'\n"
           "info string error: position refused, the one before it stays: "
           "move 2 'h2e2' is illegal: no black piece on h2, the square "
           "is empty\n"
           "info string error: position refused, the one before it stays: "
           "move 2 'h10g8' cannot be read (squares are a0 to i9)\n"
           "info string error: position refused, the one before it stays: "
           "rank 9, file a: unknown piece letter 'f'\n"
           "bestmove f0e0\n");
}

/* ---- limits ---- */

static void every_go_is_answered(void **state)
{
    (void)state;
    static const char *const GO[] = {
        "depth 0",
        "depth 99999999999999999999999",
        "nodes 0",
        "nodes -7",
        "movetime 0",
        "movetime -1",
        "wtime -100 btime -100 winc 0 binc 0",
        "btime 5",
        "wtime 1 btime 1 winc 99999999999999999999 movestogo 0",
        "wtime 10 btime 10 movestogo 99999999999999",
        "depth",
        "depth x",
        "nodes 1x",
        "banana",
        "mate 1 nodes 100",
        "mate 1",
        "mate 0",
        "mate 99999999999999999999",
        "searchmoves d0e0 depth 1",
        "depth 1 searchmoves d0e0 d0e0 nodes 5",
        "searchmoves d0d1 d0e0 x depth 1",
        "searchmoves d0d1 nodes 5 searchmoves d0e0 searchmoves d0e0",
        "infinite",
        "ponder",
        "ponder infinite depth 1",
        "",
    };
    static const xq_protocol few = {
        .name = "test", .max_hash = 1, .max_nodes = 1000};
    for (size_t i = 0; i < COUNT_OF(GO); i++) {
        char text[256];
        const int n = snprintf(text, sizeof text, D0E0 "go %s\n", GO[i]);
        char *got = answer_to(&few, text, (size_t)n);
        const size_t len = strlen(got);
        if (len < 14 || strcmp(got + len - 14, "bestmove d0e0\n") != 0)
            fail_msg("go %s: %s", GO[i], got);
        free(got);
    }
    /* A GUI waits for a move where there is one. */
    static const char ALL[] = "info string error: go: no legal move behind "
                              "'searchmoves': all moves are searched\n"
                              "bestmove d0e0\n";
    char want[400];
    snprintf(want, sizeof want,
             "info string error: searchmoves: 'd0d1' is not legal here\n"
             "info string error: searchmoves: 'a0a1' is not legal here\n%s",
             ALL);
    expect(&PLAIN, D0E0 "go searchmoves d0d1 a0a1 depth 9\n", want);
    expect(&PLAIN, D0E0 "go searchmoves depth 2\n", ALL);
    expect(&PLAIN, D0E0 "go depth 2 searchmoves\n", ALL);
    expect(&PLAIN,
           "position fen 3k5/4P4/3P5/9/9/9/9/9/9/4K4 b\n"
           "go searchmoves depth 2\n",
           "bestmove (none)\n");
}

/* ---- live: commands come while a search goes on ---- */

struct live {
    xq_protocol io;
    pthread_t thread;
    xq_status status;
    int to, from; /* our ends of the pipes */
    char text[1 << 16];
    size_t n;
    char line[256]; /* the one that was waited for */
};

static void *serve(void *arg)
{
    struct live *const l = arg;
    xq_err err;
    l->status = xq_protocol_run(&l->io, &err);
    return NULL;
}

static void start(struct live *l, const xq_protocol *how)
{
    int in[2], out[2];
    assert_int_equal(pipe(in), 0);
    assert_int_equal(pipe(out), 0);
    l->io = *how;
    l->io.in = in[0];
    l->io.out = out[1];
    l->to = in[1];
    l->from = out[0];
    l->n = 0;
    assert_int_equal(pthread_create(&l->thread, NULL, serve, l), 0);
}

static void send(const struct live *l, const char *text)
{
    const size_t n = strlen(text);
    assert_int_equal(write(l->to, text, n), n);
}

/* Read on to a line that begins so; how many lines "bestmove" came by. */
static unsigned wait_for(struct live *l, const char *what)
{
    unsigned best = 0;
    for (;;) {
        char *const end = memchr(l->text, '\n', l->n);
        if (!end) {
            assert_true(l->n < sizeof l->text);
            const ssize_t got =
                read(l->from, l->text + l->n, sizeof l->text - l->n);
            assert_true(got > 0);
            l->n += (size_t)got;
            continue;
        }
        *end = '\0';
        best += strncmp(l->text, "bestmove ", 9) == 0;
        const bool found = strncmp(l->text, what, strlen(what)) == 0;
        if (found)
            snprintf(l->line, sizeof l->line, "%.255s", l->text);
        const size_t gone = (size_t)(end + 1 - l->text);
        memmove(l->text, end + 1, l->n - gone);
        l->n -= gone;
        if (found)
            return best;
    }
}

static void finish(struct live *l)
{
    close(l->to);
    pthread_join(l->thread, NULL);
    close(l->from);
    close(l->io.in);
    close(l->io.out);
    assert_int_equal(l->status, XQ_OK);
}

static void wait_us(long us)
{
    const struct timespec t = {us / 1000000, us % 1000000 * 1000};
    nanosleep(&t, NULL);
}

static void a_stop_is_heard_at_any_moment(void **state)
{
    (void)state;
    static const char *const GO[] = {"go infinite\n", "go movetime 60000\n",
                                     "go ponder wtime 60000\n",
                                     "go depth 100\n", "go perft 9\n"};
    static struct live l;
    start(&l, &PLAIN);
    for (unsigned i = 0; i < 100; i++) {
        send(&l, "position startpos moves h2e2\n");
        send(&l, GO[i % COUNT_OF(GO)]);
        wait_us(i % 7 == 0 ? 0 : 37 * (long)i);
        if (i % 3 == 0)
            send(&l, "isready\n");
        send(&l, i % 2 ? "stop\n" : "stop\nstop\n");
        if (i % COUNT_OF(GO) == 4)
            wait_for(&l, "Nodes searched: ");
        else
            assert_int_equal(wait_for(&l, "bestmove "), 1);
    }
    send(&l, "isready\n");
    assert_int_equal(wait_for(&l, "readyok"), 0);
    finish(&l);
}

static void a_ponderhit_starts_the_clock(void **state)
{
    (void)state;
    static struct live l;
    start(&l, &PLAIN);
    for (unsigned i = 0; i < 20; i++) {
        send(&l, "position startpos moves h2e2 h9g7\ngo ponder movetime 1\n");
        wait_us(i % 4 == 0 ? 0 : 1000 * (long)i);
        send(&l, "isready\n");
        assert_int_equal(wait_for(&l, "readyok"), 0); /* it goes on */
        send(&l, "ponderhit\n");
        assert_int_equal(wait_for(&l, "bestmove "), 1);
    }
    send(&l, "quit\n");
    finish(&l);
}

static void what_only_looks_is_answered_during_a_search(void **state)
{
    (void)state;
    static struct live l;
    start(&l, &PLAIN);
    send(&l, "go infinite\nisready\n");
    wait_for(&l, "readyok");
    send(&l, "d\n");
    wait_for(&l, "Fen: rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/");
    send(&l, "eval\n");
    wait_for(&l, "Evaluation: ");
    send(&l, "nonsense\n");
    assert_int_equal(wait_for(&l, "info string error: "), 0);
    send(&l, "quit\n");
    assert_int_equal(wait_for(&l, "bestmove "), 1);
    finish(&l);
}

/* UCI: isready is answered at once during a search, whatever stands before
 * it. */
static void isready_does_not_wait_behind_others(void **state)
{
    (void)state;
    static const char *const HELLO[] = {"uci\n", "ucci\n"};
    static struct live l;
    for (unsigned i = 0; i < COUNT_OF(HELLO); i++) {
        start(&l, &PLAIN);
        send(&l, HELLO[i]);
        send(&l, "go infinite\n");
        send(&l, "setoption name MultiPV value 2\nisready\n");
        assert_int_equal(wait_for(&l, "readyok"), 0);
        send(&l, "position startpos\nisready\n  isready \r\n");
        assert_int_equal(wait_for(&l, "readyok"), 0);
        assert_int_equal(wait_for(&l, "readyok"), 0);
        send(&l, "stop\n");
        assert_int_equal(wait_for(&l, "bestmove "), 1);
        send(&l, "quit\n");
        finish(&l);
    }
    /* One that ends is waited for, and behind a `go` it means that one. */
    expect(&PLAIN, D0E0 "go infinite\n" F0E0 "stop\nisready\ngo depth 1\n",
           "bestmove d0e0\nreadyok\nbestmove f0e0\n");
    expect(&PLAIN, D0E0 "go depth 9\n" F0E0 "go infinite\nisready\nstop\n",
           "bestmove d0e0\nreadyok\nbestmove f0e0\n");
}

static void the_end_of_the_input_ends_every_search(void **state)
{
    (void)state;
    static const char *const GO[] = {
        "go infinite\n", "go ponder wtime 50\n",    "go movetime 20\n",
        "go depth 3",    "go depth 2\ngo infinite", "go mate 1\n",
        "go mate 40\n",  "go mate 40\ngo mate 40"};
    static struct live l;
    xq_protocol how = PLAIN;
    how.mate_grace = 20;
    for (unsigned i = 0; i < COUNT_OF(GO); i++) {
        start(&l, &how);
        send(&l, GO[i]);
        if (i % 2)
            wait_us(3000);
        close(l.to);
        l.to = -1;
        for (const char *go = GO[i]; (go = strstr(go, "go ")); go++) {
            /* What the answer is worth is always told. */
            assert_int_equal(wait_for(&l, "info depth 1 "), 0);
            assert_int_equal(wait_for(&l, "bestmove "), 1);
        }
        finish(&l);
    }
}

static void a_reader_that_is_gone_ends_it(void **state)
{
    (void)state;
    static struct live l;
    start(&l, &PLAIN);
    close(l.from); /* ours; the pipe is broken then */
    l.from = open("/dev/null", O_RDONLY);
    send(&l, "go infinite\nisready\n");
    pthread_join(l.thread, NULL);
    assert_int_equal(l.status, XQ_OK);
    close(l.to);
    close(l.from);
    close(l.io.in);
    close(l.io.out);
}

static void descriptors_may_be_non_blocking(void **state)
{
    (void)state;
    static struct live l;
    start(&l, &PLAIN);
    fcntl(l.io.in, F_SETFL, O_NONBLOCK);
    fcntl(l.io.out, F_SETFL, O_NONBLOCK);
    send(&l, "isready\n");
    wait_for(&l, "readyok");
    for (unsigned i = 0; i < 200; i++) /* more than the pipe takes */
        send(&l, "d\nuci\n");
    for (unsigned i = 0; i < 200; i++)
        wait_for(&l, "uciok");
    finish(&l);
}

/* ---- readers that read slowly, or not at all ---- */

/* Does it end in time?  (Otherwise the test could only hang.) */
static bool ends(struct live *l)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += 60;
    return pthread_timedjoin_np(l->thread, NULL, &t) == 0;
}

static void close_all(const struct live *l)
{
    close(l->to);
    close(l->from);
    close(l->io.in);
    close(l->io.out);
}

/* More than a pipe takes: of a search, of perft, of answers at once. */
static const char *const FLOODS[] = {
    "setoption name MultiPV value 40\ngo infinite\n",
    "go perft 2\ngo perft 2\ngo perft 2\ngo perft 2\ngo perft 2\n",
    "d\nd\nd\nd\nd\nd\nd\nd\nd\nd\nd\nd\nd\nd\nd\nd\nd\nd\nd\nd\n",
    "setoption name MultiPV value 40\ngo infinite\nd\nuci\nd\nd\nd\nd\n",
};

static void start_small(struct live *l)
{
    start(l, &PLAIN);
#if defined(F_SETPIPE_SZ)
    (void)fcntl(l->from, F_SETPIPE_SZ, 4096);
#endif
}

static void quit_is_heard_when_nobody_reads(void **state)
{
    (void)state;
    static struct live l;
    for (unsigned i = 0; i < COUNT_OF(FLOODS); i++) {
        start_small(&l);
        send(&l, FLOODS[i]);
        wait_us(200000);
        send(&l, "quit\n");
        assert_true(ends(&l));
        assert_int_equal(l.status, XQ_OK);
        close_all(&l);
    }
}

static void the_end_of_the_input_is_heard_when_nobody_reads(void **state)
{
    (void)state;
    static struct live l;
    start_small(&l);
    send(&l, FLOODS[0]);
    wait_us(200000);
    close(l.to);
    l.to = -1;
    assert_true(ends(&l));
    assert_int_equal(l.status, XQ_EIO); /* answers are lost */
    close_all(&l);
}

/* Who reads slowly gets every line, whole and in order. */
static void a_slow_reader_gets_everything(void **state)
{
    (void)state;
    static struct live l;
    static char text[1 << 17];
    size_t n = 0;
    start_small(&l);
    /* uci waits for perft: all of them are answered before xyzzy */
    send(&l, "go perft 2\nuci\nd\nuci\nd\nuci\nd\nuci\nd\nuci\nd\nuci\nd\n");
    send(&l, "uci\nd\nuci\nxyzzy\n");
    wait_us(100000);
    do {
        assert_true(n < sizeof text - 1);
        wait_us(2000);
        const ssize_t got = read(l.from, text + n, 61);
        assert_true(got > 0);
        n += (size_t)got;
    } while (!memmem(text, n, " is unknown\n", 12));
    send(&l, "quit\n");
    assert_true(ends(&l));
    assert_int_equal(l.status, XQ_OK);
    text[n] = '\0';
    unsigned boards = 0, hellos = 0;
    for (const char *at = text; (at = strstr(at, "\nFen: ")); at++)
        boards++;
    for (const char *at = text; (at = strstr(at, "\nuciok\n")); at++)
        hellos++;
    assert_int_equal(boards, 7);
    assert_int_equal(hellos, 8);
    assert_int_equal(strncmp(text, "a0a1: ", 6), 0);
    close_all(&l);
}

static void other_failures_are_named(void **state)
{
    (void)state;
    xq_protocol io = PLAIN;
    xq_err err;
    io.in = open("/dev/null", O_WRONLY);
    io.out = open("/dev/null", O_WRONLY);
    assert_int_equal(xq_protocol_run(&io, &err), XQ_EIO);
    assert_non_null(strstr(err.msg, "cannot read commands: "));
    close(io.in);
    close(io.out);
    io.in = file_with("uci\n", 4);
    io.out = open("/dev/null", O_RDONLY);
    assert_int_equal(xq_protocol_run(&io, &err), XQ_EIO);
    assert_non_null(strstr(err.msg, "cannot write answers: "));
    close(io.in);
    close(io.out);
}

/* ---- books ---- */

struct shelf {
    xq_book_choice moves[4];
    unsigned n, asked;
    char list[64];
};

static xq_status shelf_open(void *arg, xq_str list, xq_remark_fn *remark,
                            void *to, xq_err *err)
{
    struct shelf *const b = arg;
    if (list.n == 4 && memcmp(list.s, "dusk", 4) == 0)
        remark(to, "hard to read\n");
    if (list.n >= sizeof b->list)
        return xq_fail(err, XQ_EIO, "too long for this shelf");
    memcpy(b->list, list.s, list.n);
    b->list[list.n] = '\0';
    return XQ_OK;
}

static xq_status shelf_find(void *arg, const xq_pos *p, xq_book_choice *out,
                            unsigned max, unsigned *n, xq_err *err)
{
    struct shelf *const b = arg;
    (void)p, (void)err;
    assert_true(b->n <= max);
    memcpy(out, b->moves, b->n * sizeof *out);
    *n = b->n;
    b->asked++;
    return XQ_OK;
}

static void book_moves_are_tested_by_the_rules(void **state)
{
    (void)state;
    struct shelf b = {.n = 4};
    const xq_book_source source = {&b, shelf_open, shelf_find};
    xq_protocol io = PLAIN;
    io.book = &source;
    b.moves[0] = (xq_book_choice){xq_move_parse("a0a5"), 900}; /* illegal */
    b.moves[1] = (xq_book_choice){xq_move_parse("h2e2"), 0};   /* never */
    b.moves[2] = (xq_book_choice){xq_move_parse("b0c2"), 3};
    b.moves[3] = (xq_book_choice){xq_move_parse("b2e2"), 3};
    expect(&io, "go depth 1\n",
           "info string book: b0c2, weight 3 of 6\nbestmove b0c2\n");
    expect(&io, "go depth 1 searchmoves b2e2\n",
           "info string book: b2e2, weight 3 of 3\nbestmove b2e2\n");
    /* b0c2 would repeat a position of this game. */
    expect(&io, "position startpos moves b0c2 b9c7 c2b0 c7b9\ngo depth 1\n",
           "info string book: b2e2, weight 3 of 3\nbestmove b2e2\n");
    b.asked = 0;
    b.n = 2; /* nothing that could be chosen: the engine thinks */
    expect(&io, "go depth 1 searchmoves b0c2\n", "bestmove b0c2\n");
    assert_int_equal(b.asked, 1);
    b.n = 4; /* who analyses is not told of books */
    expect(&io, "go infinite searchmoves b0c2\n", "bestmove b0c2\n");
    expect(&io,
           "setoption name MultiPV value 2\n"
           "go depth 1 searchmoves b0c2\n",
           "bestmove b0c2\n");
    expect(&io,
           "setoption name OwnBook value false\n"
           "go depth 1 searchmoves b0c2\n",
           "bestmove b0c2\n");
    assert_int_equal(b.asked, 1);
}

static void books_are_opened_by_option(void **state)
{
    (void)state;
    struct shelf b = {.n = 0};
    const xq_book_source source = {&b, shelf_open, shelf_find};
    xq_protocol io = PLAIN;
    io.book = &source;
    expect(&io, "setoption name Book value  my value.book;  2 \r\n", "");
    assert_string_equal(b.list, "my value.book;  2");
    expect(&io, "setoption name Book value dusk\n",
           "info string hard to read?\n");
    assert_string_equal(b.list, "dusk");
    expect(&io,
           "setoption name Book value xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
           "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
           "info string error: option Book stays as it was: too long for this "
           "shelf\n");
    expect(&io, "setoption name Book value <empty>\n", "");
    assert_string_equal(b.list, "");
    /* Without a source there is no such option. */
    expect(&PLAIN, "setoption name Book value x\n",
           "info string error: there is no option 'Book'\n");
}

static void weights_are_chances(void **state)
{
    (void)state;
    struct shelf b = {.n = 3};
    const xq_book_source source = {&b, shelf_open, shelf_find};
    xq_protocol io = PLAIN;
    unsigned count[3] = {0};
    char text[4000];
    io.book = &source;
    b.moves[0] = (xq_book_choice){xq_move_parse("h2e2"), 3000};
    b.moves[1] = (xq_book_choice){xq_move_parse("c3c4"), 1000};
    b.moves[2] = (xq_book_choice){xq_move_parse("g3g4"), 0};
    size_t n = (size_t)sprintf(text, "setoption name Book Choice value "
                                     "weighted\n");
    for (unsigned i = 0; i < 200; i++)
        n += (size_t)sprintf(text + n, "go depth 1\n");
    char *got = answer_to(&io, text, n), *again = answer_to(&io, text, n);
    assert_string_equal(got, again); /* the same seed */
    for (char *at = got; (at = strstr(at, "bestmove ")); at += 9)
        for (unsigned i = 0; i < 3; i++) {
            char move[5];
            xq_move_format(b.moves[i].move, move);
            count[i] += strncmp(at + 9, move, 4) == 0;
        }
    free(got);
    io.seed = 1;
    got = answer_to(&io, text, n);
    assert_string_not_equal(got, again);
    free(got);
    free(again);
    assert_int_equal(count[0] + count[1], 200);
    assert_in_range(count[0], 125, 175); /* four standard deviations */
    assert_int_equal(count[2], 0);
}

/* ---- UCCI ---- */

static void bans_hold_for_one_position(void **state)
{
    (void)state;
    static const xq_protocol few = {.name = "test", .max_hash = 1};
    char *got =
        answer_to(&few,
                  "ucci\n" D0E0 "banmoves d0e0\ngo depth 2\n" D0E0
                  "go depth 2\nbanmoves d0e0 x\nbanmoves\n"
                  "go depth 2\n",
                  strlen("ucci\n" D0E0 "banmoves d0e0\ngo depth 2\n" D0E0
                         "go depth 2\nbanmoves d0e0 x\nbanmoves\n"
                         "go depth 2\n"));
    const char *const tail = strstr(got, "ucciok\n");
    assert_non_null(tail);
    assert_string_equal(tail, "ucciok\n"
                              "info message no move is left to search\n"
                              "nobestmove\nbestmove d0e0\n"
                              "info message error: banmoves: 'x' is no move\n"
                              "bestmove d0e0\n");
    free(got);
}

static void the_hash_table_can_be_asked(void **state)
{
    (void)state;
    static struct live l;
    char text[128], move[5];
    start(&l, &PLAIN);
    send(&l, "ucci\nprobe startpos\n");
    wait_for(&l, "pophash");
    assert_string_equal(l.line, "pophash"); /* nothing is known yet */
    send(&l, "go depth 6\n");
    wait_for(&l, "bestmove ");
    snprintf(text, sizeof text, "probe startpos moves %.4s\n", l.line + 9);
    send(&l, text);
    wait_for(&l, "pophash");
    assert_int_equal(strncmp(l.line, "pophash bestmove ", 17), 0);
    snprintf(move, sizeof move, "%.4s", l.line + 17);
    assert_int_not_equal(xq_move_parse(move), XQ_NOMOVE);
    assert_true(strstr(l.line, "bound ") && strstr(l.line, " depth "));
    /* During a search too, and the game's position stays. */
    send(&l, "go infinite\nprobe fen 3k5/9/9/9/9/9/9/9/9/4K4 w\nd\n");
    wait_for(&l, "pophash");
    wait_for(&l, "Fen: rnbakabnr/");
    send(&l, "probe startpos moves e0e2\n");
    wait_for(&l, "info message error: probe: move 1 'e0e2' is illegal");
    send(&l, "quit\n");
    finish(&l);
}

static void ucci_limits_are_read(void **state)
{
    (void)state;
    static const char *const GO[] = {
        "depth 3",
        "nodes 100",
        "time 1 movestogo 40 opptime 1 oppmovestogo 40",
        "draw time 0 increment 0",
        "time 99999999999999999999 increment 0 nodes 50",
        "opptime 1 oppincrement 1",
        "depth infinite",
        "ponder time 5",
        "ponder draw depth 1",
        "time",
        "time x",
        "fast",
        "",
    };
    static const xq_protocol few = {
        .name = "test", .max_hash = 1, .max_nodes = 1000};
    for (size_t i = 0; i < COUNT_OF(GO); i++) {
        char text[256];
        const int n = snprintf(
            text, sizeof text,
            "ucci\nsetoption usemillisec true\n" D0E0 "go %s\n", GO[i]);
        char *got = answer_to(&few, text, (size_t)n);
        const size_t len = strlen(got);
        if (!strstr(got, "\nbestmove d0e0"))
            fail_msg("go %s: %s", GO[i], got);
        assert_true(len > 14);
        free(got);
    }
}

static void a_draw_is_taken_by_who_stands_no_better(void **state)
{
    (void)state;
    static const char *const LOST = "position fen 5k3/9/9/9/9/9/9/9/r8/3K5 w\n";
    static const char *const WON =
        "position fen 4k4/9/9/9/9/9/9/4C4/4R4/3K5 w\n";
    for (unsigned i = 0; i < 4; i++) {
        char text[256];
        const int n = snprintf(text, sizeof text, "ucci\n%sgo %s depth 2\n",
                               i & 1 ? WON : LOST, i & 2 ? "draw" : "");
        xq_protocol io = PLAIN;
        io.in = file_with(text, (size_t)n);
        io.out = file_with("", 0);
        assert_int_equal(xq_protocol_run(&io, NULL), XQ_OK);
        char out[8192] = "";
        assert_true(pread(io.out, out, sizeof out - 1, 0) > 0);
        const char *const best = strstr(out, "\nbestmove ");
        assert_non_null(best);
        assert_int_equal(strstr(best, " draw") != NULL, i == 2);
        close(io.in);
        close(io.out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_word_tells_the_dialect),
        cmocka_unit_test(commands_wait_for_the_answer),
        cmocka_unit_test(lines_may_hold_anything),
        cmocka_unit_test(lines_may_have_any_length),
        cmocka_unit_test(commands_behind_a_search_are_not_all_read),
        cmocka_unit_test(what_cannot_be_used_changes_nothing),
        cmocka_unit_test(every_go_is_answered),
        cmocka_unit_test(a_stop_is_heard_at_any_moment),
        cmocka_unit_test(a_ponderhit_starts_the_clock),
        cmocka_unit_test(what_only_looks_is_answered_during_a_search),
        cmocka_unit_test(isready_does_not_wait_behind_others),
        cmocka_unit_test(the_end_of_the_input_ends_every_search),
        cmocka_unit_test(a_reader_that_is_gone_ends_it),
        cmocka_unit_test(descriptors_may_be_non_blocking),
        cmocka_unit_test(quit_is_heard_when_nobody_reads),
        cmocka_unit_test(the_end_of_the_input_is_heard_when_nobody_reads),
        cmocka_unit_test(a_slow_reader_gets_everything),
        cmocka_unit_test(other_failures_are_named),
        cmocka_unit_test(book_moves_are_tested_by_the_rules),
        cmocka_unit_test(books_are_opened_by_option),
        cmocka_unit_test(weights_are_chances),
        cmocka_unit_test(bans_hold_for_one_position),
        cmocka_unit_test(the_hash_table_can_be_asked),
        cmocka_unit_test(ucci_limits_are_read),
        cmocka_unit_test(a_draw_is_taken_by_who_stands_no_better),
    };
    signal(SIGPIPE, SIG_IGN);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
