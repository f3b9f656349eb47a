/* protocol.c - two threads: one reads and answers at once, one searches. */
#include "engine/uci_parts.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- commands that all dialects have ---- */

static void hello(xq_session *s, xq_str word)
{
    s->dialect = xq_word_is(word, "ucci") ? &xq_dialect_ucci : &xq_dialect_uci;
    xq_say(s, "id name %s", s->io->name ? s->io->name : "qipu");
    if (s->dialect->ucci)
        xq_say(s, "id copyright GPL-3.0-or-later");
    if (s->io->author)
        xq_say(s, "id author %s", s->io->author);
    xq_options_print(s);
    xq_say(s, "%.*sok", (int)word.n, word.s);
}

static void position(xq_session *s, xq_str rest)
{
    unsigned flags = 0;
    xq_err err;
    if (xq_game_read(&s->game, rest, &flags, &err) != XQ_OK) {
        xq_note(s, "error: position refused, the one before it stays: %s",
                err.msg);
        return;
    }
    s->nbanned = 0; /* UCCI: bans hold for one position */
    if (flags & XQ_FEN_NO_SIDE)
        xq_note(s, "the FEN names no side to move: Red is assumed");
    if (flags & XQ_FEN_TRAILING)
        xq_note(s, "text behind the FEN is ignored");
    if (flags & XQ_FEN_COUNTERS)
        xq_note(s, "the FEN's counters cannot be read: 0 and 1 are assumed");
}

static void ponderhit(xq_session *s, xq_str rest)
{
    xq_str word;
    if (!s->busy || !s->pondering)
        return;
    if (s->dialect->ucci && xq_word(&rest, &word) && xq_word_is(word, "draw"))
        s->draw_offered = true;
    s->pondering = false;
    xq_search_ponderhit(s->search);
}

static void stop(xq_session *s)
{
    if (s->busy)
        xq_job_stop(s);
    else
        s->dialect->idle_stop(s);
}

static void setoption(xq_session *s, xq_str rest)
{
    xq_str name, value;
    if (s->dialect->option(s, rest, &name, &value))
        xq_options_set(s, name, value);
}

static bool is_hello(xq_str word)
{
    return xq_word_is(word, "uci") || xq_word_is(word, "ucci") ||
           xq_word_is(word, "ucicyclone");
}

static bool is_position(xq_str word)
{
    return xq_word_is(word, "position") || xq_word_is(word, "fen") ||
           xq_word_is(word, "startpos");
}

static void command(xq_session *s, xq_str line)
{
    xq_str word, rest = line;
    if (!xq_word(&rest, &word) || word.s[0] == '#')
        return;
    if (is_hello(word))
        hello(s, word);
    else if (xq_word_is(word, "isready"))
        xq_say(s, "readyok");
    else if (xq_word_is(word, "position"))
        position(s, rest);
    else if (is_position(word)) /* Cyclone */
        position(s, (xq_str){word.s, (size_t)(line.s + line.n - word.s)});
    else if (xq_word_is(word, "go"))
        s->dialect->go(s, rest);
    else if (xq_word_is(word, "stop"))
        stop(s);
    else if (xq_word_is(word, "ponderhit"))
        ponderhit(s, rest);
    else if (xq_word_is(word, "setoption"))
        setoption(s, rest);
    else if (xq_word_is(word, "d"))
        xq_show_board(s);
    else if (xq_word_is(word, "eval"))
        xq_show_eval(s);
    else if (xq_word_is(word, "quit"))
        s->quit = true;
    else if (!s->dialect->command(s, word, rest))
        xq_note(s, "error: '%s' is unknown", xq_show(word).s);
}

/* ---- while a search is made ---- */

/* Must the command wait for the answer? */
static bool must_wait(xq_str word)
{
    return is_hello(word) || is_position(word) || xq_word_is(word, "go") ||
           xq_word_is(word, "setoption") || xq_word_is(word, "ucinewgame") ||
           xq_word_is(word, "banmoves");
}

/* Ms, if the caller names no others. */
#define MATE_GRACE 10000

/* Something waits for the search at hand. */
static void hurry(xq_session *s)
{
    if (xq_job_endless(s))
        xq_job_stop(s);
    else if (s->busy && s->job.mate_only && s->stop_at == 0)
        s->stop_at = xq_clock_ms() +
                     (s->io->mate_grace ? s->io->mate_grace : MATE_GRACE);
}

/* How long to wait for the search's end: ms, -1 for ever. */
static int patience_with_search(const xq_session *s)
{
    if (!s->busy || s->stop_at == 0 || s->stop)
        return -1;
    const uint64_t now = xq_clock_ms();
    const uint64_t left = s->stop_at > now ? s->stop_at - now : 0;
    return left < INT_MAX ? (int)left : INT_MAX;
}

/* The head of the input waits.  What stands behind it and means the search at
 * hand is heard now: up to the next `go`, which waits for this search. */
static void look_ahead(xq_session *s, xq_str head)
{
    xq_str line = head, word, rest = line;
    if (s->go_waits)
        return;
    if (!xq_word(&rest, &word))
        return;
    s->go_waits = xq_word_is(word, "go");
    while (!s->go_waits && xq_lines_ahead(&s->in, &line)) {
        rest = line;
        if (!xq_word(&rest, &word))
            continue;
        if (xq_word_is(word, "go")) {
            s->go_waits = true;
        } else if (xq_word_is(word, "stop")) {
            xq_job_stop(s);
            xq_lines_blank(&s->in, line);
        } else if (xq_word_is(word, "ponderhit")) {
            ponderhit(s, rest);
            xq_lines_blank(&s->in, line);
        } else if (xq_word_is(word, "isready") && !s->stop) {
            /* Not to be kept waiting (UCI; UCCI 1.2).  When the search is
             * about to end, it can be answered in its place. */
            xq_say(s, "readyok");
            xq_lines_blank(&s->in, line);
        } else if (xq_word_is(word, "quit")) {
            xq_job_stop(s);
        }
    }
    if (s->go_waits)
        hurry(s);
}

/* Commands that wait are kept in memory: no more than so many bytes of them
 * are read, save that the first may be longer.  And no more commands are done
 * while as much of the answers waits for a reader. */
#define READ_AHEAD ((size_t)1 << 20)

static bool is_stuck(xq_session *s)
{
    return xq_out_held(&s->out) > READ_AHEAD;
}

static void do_commands(xq_session *s)
{
    xq_str line, word;
    while (!s->quit && !s->out.failed && !is_stuck(s) &&
           xq_lines_head(&s->in, &line)) {
        xq_str rest = line;
        if (s->busy && xq_word(&rest, &word) && must_wait(word)) {
            look_ahead(s, line);
            return;
        }
        s->go_waits = false;
        command(s, line);
        xq_lines_drop(&s->in);
    }
}

static bool is_full(const xq_session *s)
{
    xq_str line;
    return s->busy && xq_lines_head(&s->in, &line) &&
           s->in.complete - s->in.start > READ_AHEAD + line.n;
}

/* Who has said `quit`, or nothing more, may not be reading either: when no
 * answer is taken for so many milliseconds the rest of them is lost. */
#define PATIENCE 1000

static void leave(xq_session *s)
{
    if (!s->leaving)
        s->leaving = xq_clock_ms();
}

/* How long to wait for that; -1: for ever. */
static int patience_with_reader(xq_session *s)
{
    if (xq_out_held(&s->out) == 0)
        return -1;
    if (xq_lines_have(&s->in, "quit")) /* it may wait for that very search */
        leave(s);
    if (!s->leaving)
        return -1;
    const uint64_t moved = xq_out_moved(&s->out), now = xq_clock_ms();
    const uint64_t since = moved > s->leaving ? moved : s->leaving;
    return now - since >= PATIENCE ? 0 : (int)(PATIENCE - (now - since));
}

/* Wait for what comes first: the end of the search, room for answers, and, if
 * they shall be heard, commands. */
static xq_status wait_for_news(xq_session *s, bool hear, xq_err *err)
{
    const int reader = patience_with_reader(s);
    const int search = patience_with_search(s);
    if (reader == 0) {
        xq_out_give_up(&s->out, ETIMEDOUT);
        return XQ_OK;
    }
    if (search == 0)
        xq_job_stop(s);
    /* A descriptor below 0 is passed over. */
    struct pollfd p[3] = {
        {.fd = s->wake[0], .events = POLLIN},
        {.fd = hear ? s->in.fd : -1, .events = POLLIN},
        {.fd = xq_out_held(&s->out) ? s->out.fd : -1, .events = POLLOUT},
    };
    const int wait = search <= 0                     ? reader
                     : reader < 0 || search < reader ? search
                                                     : reader;
    if (poll(p, 3, wait) < 0)
        return errno == EINTR
                   ? XQ_OK
                   : xq_fail(err, XQ_EIO, "cannot wait for commands: %s",
                             strerror(errno));
    char byte;
    if (p[0].revents && read(s->wake[0], &byte, 1) == 1 && byte == XQ_WAKE_DONE)
        s->busy = s->pondering = false;
    if (p[2].revents)
        xq_out_flush(&s->out);
    return p[1].revents ? xq_lines_fill(&s->in, err) : XQ_OK;
}

static xq_status serve(xq_session *s, xq_err *err)
{
    for (;;) {
        do_commands(s);
        if (s->in.dropped) {
            s->in.dropped = false;
            xq_note(s, "error: a line is too long for the memory");
        }
        if (s->quit || s->out.failed || (s->in.eof && !s->busy && !is_stuck(s)))
            return XQ_OK;
        const bool full = is_full(s);
        if (s->in.eof || full)
            hurry(s);
        if (s->in.eof)
            leave(s);
        const xq_status rc =
            wait_for_news(s, !s->in.eof && !full && !is_stuck(s), err);
        if (rc != XQ_OK)
            return rc;
    }
}

/* ---- the other thread ---- */

static void *searcher(void *arg)
{
    xq_session *const s = arg;
    for (;;) {
        pthread_mutex_lock(&s->lock);
        while (!s->given)
            pthread_cond_wait(&s->cond, &s->lock);
        s->given = false;
        pthread_mutex_unlock(&s->lock);
        if (s->job.kind == XQ_JOB_END)
            return NULL;
        xq_job_run(s);
        while (write(s->wake[1], &XQ_WAKE_DONE, 1) < 0 && errno == EINTR)
            ;
    }
}

/* Searches nest deeply, and some systems give threads little. */
#define STACK ((size_t)16 << 20)

static xq_status start_thread(xq_session *s, xq_err *err)
{
    pthread_attr_t attr;
    int e = pthread_attr_init(&attr);
    if (e == 0) {
        pthread_attr_setstacksize(&attr, STACK);
        e = pthread_create(&s->searcher, &attr, searcher, s);
        pthread_attr_destroy(&attr);
    }
    if (e != 0)
        return xq_fail(err, XQ_EIO, "cannot start a thread: %s", strerror(e));
    return XQ_OK;
}

/* Until the search at hand has ended and all answers are taken, or given up. */
static void settle(xq_session *s)
{
    char byte;
    leave(s);
    while (s->busy || xq_out_held(&s->out) > 0)
        if (wait_for_news(s, false, NULL) != XQ_OK) {
            xq_out_give_up(&s->out, EIO);
            while (s->busy)
                if (read(s->wake[0], &byte, 1) == 1 && byte == XQ_WAKE_DONE)
                    s->busy = false;
        }
}

/* End the search at hand, and the thread. */
static void end_thread(xq_session *s)
{
    xq_job_stop(s);
    settle(s);
    xq_job_clear(s);
    s->job.kind = XQ_JOB_END;
    pthread_mutex_lock(&s->lock);
    s->given = true;
    pthread_cond_signal(&s->cond);
    pthread_mutex_unlock(&s->lock);
    pthread_join(s->searcher, NULL);
}

static xq_status run(xq_session *s, xq_err *err)
{
    xq_status rc = xq_search_open(&s->search, &s->search_set, err);
    if (rc == XQ_OK && pipe(s->wake) != 0)
        rc = xq_fail(err, XQ_EIO, "cannot make a pipe: %s", strerror(errno));
    s->out.wake = s->wake[1];
    s->out.reader = pthread_self();
    if (rc == XQ_OK)
        rc = start_thread(s, err);
    if (rc == XQ_OK) {
        rc = serve(s, err);
        end_thread(s);
        if (rc == XQ_OK && s->quit)
            s->dialect->bye(s);
        settle(s);
    }
    const int why = s->out.failed;
    /* Who quits, or is gone, does not miss the answers. */
    const bool quits = s->quit || xq_lines_have(&s->in, "quit");
    if (rc == XQ_OK && why == ETIMEDOUT && !quits)
        rc = xq_fail(err, XQ_EIO, "cannot write answers: nobody reads them");
    else if (rc == XQ_OK && why && why != ETIMEDOUT && why != EPIPE)
        rc = xq_fail(err, XQ_EIO, "cannot write answers: %s", strerror(why));
    return rc;
}

xq_status xq_protocol_run(const xq_protocol *io, xq_err *err)
{
    xq_session *s = calloc(1, sizeof *s);
    if (!s)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    s->io = io;
    s->dialect = &xq_dialect_uci;
    s->in.fd = io->in;
    s->out.fd = io->out;
    s->random = io->seed;
    s->wake[0] = s->wake[1] = -1;
    s->set = (xq_settings){.own_book = true, .overhead = 10};
    s->search_set = (xq_search_options){
        .hash = (size_t)(io->max_hash && io->max_hash < 16 ? io->max_hash : 16)
                << 20,
        .threads = 1,
        .multipv = 1,
        .rules = XQ_ASIAN,
        .natural_limit = 120,
    };
    xq_pos_start(&s->game.start);
    s->game.now = s->game.start;
    pthread_mutex_init(&s->lock, NULL);
    xq_out_lock_init(&s->out);
    pthread_cond_init(&s->out.empty, NULL);
    pthread_cond_init(&s->cond, NULL);
    const xq_status rc = run(s, err);
    for (int i = 0; i < 2; i++)
        if (s->wake[i] >= 0)
            close(s->wake[i]);
    pthread_cond_destroy(&s->cond);
    pthread_cond_destroy(&s->out.empty);
    pthread_mutex_destroy(&s->out.lock);
    pthread_mutex_destroy(&s->lock);
    xq_search_close(s->search);
    xq_lines_free(&s->in);
    free(s->out.held);
    free(s->game.moves);
    free(s->banned);
    free(s->job.only);
    free(s);
    return rc;
}
