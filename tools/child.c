/* child.c - another program, spoken to by lines, that never outlives us. */
#include "tools/child.h"

#include "tools/child_keeper.h"
#include "tools/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

uint64_t child_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

bool child_is_running(const child *c) { return c->pid > 0; }

/* ---- starting ---- */

static void close_pair(int fd[2])
{
    for (int i = 0; i < 2; i++)
        if (fd[i] >= 0)
            close(fd[i]);
    fd[0] = fd[1] = -1;
}

/* Wait for the exec; 0, or why it failed. */
static int exec_error(int fd)
{
    int e = 0;
    ssize_t n;
    do
        n = read(fd, &e, sizeof e);
    while (n < 0 && errno == EINTR);
    return n == sizeof e ? e : 0;
}

static bool make_pipes(int in[2], int out[2], int why[2], int leash[2])
{
    return pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0 &&
           pipe2(why, O_CLOEXEC) == 0 && pipe2(leash, O_CLOEXEC) == 0;
}

static xq_status start(child *c, char *const *words, int in[2], int out[2],
                       int why[2], int leash[2], xq_err *err)
{
    if (!make_pipes(in, out, why, leash))
        return xq_fail(err, XQ_EIO, "cannot make a pipe: %s", strerror(errno));
    c->pid = fork();
    if (c->pid == 0)
        child_keeper(words, in[0], out[1], why[1], leash[0]);
    if (c->pid < 0)
        return xq_fail(err, XQ_EIO, "cannot start '%s': %s", words[0],
                       strerror(errno));
    c->to = in[1];
    c->from = out[0];
    c->leash = leash[1];
    in[1] = out[0] = leash[1] = -1;
    close(why[1]); /* the end of exec is the end of the last copy */
    why[1] = -1;
    const int e = exec_error(why[0]);
    if (e)
        return xq_fail(err, XQ_EIO, "cannot start '%s': %s", words[0],
                       strerror(e));
    fcntl(c->to, F_SETFL, O_NONBLOCK);
    fcntl(c->from, F_SETFL, O_NONBLOCK);
    return XQ_OK;
}

xq_status child_start(child *c, char *const *words, xq_err *err)
{
    int in[2] = {-1, -1}, out[2] = {-1, -1}, why[2] = {-1, -1},
        leash[2] = {-1, -1};
    *c = (child){.to = -1, .from = -1, .leash = -1};
    const xq_status rc = start(c, words, in, out, why, leash, err);
    close_pair(in);
    close_pair(out);
    close_pair(why);
    close_pair(leash);
    if (rc != XQ_OK)
        child_kill(c);
    return rc;
}

/* ---- ending ---- */

void child_kill(child *c)
{
    if (c->pid > 0) {
        if (c->to >= 0)
            close(c->to);
        if (c->from >= 0)
            close(c->from);
        if (c->leash >= 0)
            close(c->leash);
        /* The keeper kills them all, then ends. */
        while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    free(c->buf);
    *c = (child){.to = -1, .from = -1, .leash = -1};
}

/* ---- talking ---- */

/* A program that reads nothing for so long is stuck. */
enum { SAY_MS = 5000 };
/* How often a wait looks whether the user wants to stop. */
enum { LOOK_MS = 100 };
/* Lines that had come in time are still handed out for so long. */
enum { FLOOD_MS = 500 };

/* 1: ready; 0: not before `until`; -1: interrupted. */
static int wait_for(int fd, short what, uint64_t until)
{
    for (;;) {
        const uint64_t now = child_now();
        if (cli_interrupted())
            return -1;
        const uint64_t left = now < until ? until - now : 0;
        struct pollfd p = {fd, what, 0};
        const int n = poll(&p, 1, left < LOOK_MS ? (int)left : LOOK_MS);
        if (n > 0)
            return 1;
        if (left == 0)
            return 0;
    }
}

static bool send_bytes(child *c, const char *s, size_t n)
{
    const uint64_t until = child_now() + SAY_MS;
    while (n > 0) {
        const ssize_t sent = write(c->to, s, n);
        if (sent > 0) {
            s += sent;
            n -= (size_t)sent;
        } else if (sent < 0 && errno == EAGAIN) {
            if (wait_for(c->to, POLLOUT, until) != 1)
                return false;
        } else if (sent == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

bool child_say(child *c, const char *line)
{
    return c->pid > 0 && send_bytes(c, line, strlen(line)) &&
           send_bytes(c, "\n", 1);
}

/* A whole line from what was heard; false: there is none yet. */
static bool take_line(child *c, xq_str *line)
{
    while (c->at < c->n) {
        char *from = c->buf + c->at;
        char *end = memchr(from, '\n', c->n - c->at);
        size_t len = end ? (size_t)(end - from) : c->n - c->at;
        if (!end && len < CHILD_LINE_MAX)
            return false;
        const bool rest = c->skipping;
        c->at += len + (end != NULL);
        c->skipping = !end;
        if (rest)
            continue;
        if (len > 0 && from[len - 1] == '\r')
            len--;
        for (size_t i = 0; i < len; i++)
            if (from[i] == '\0')
                from[i] = ' ';
        *line = (xq_str){from, len};
        return true;
    }
    return false;
}

static xq_status read_more(child *c)
{
    if (c->at > 0) {
        memmove(c->buf, c->buf + c->at, c->n - c->at);
        c->n -= c->at;
        c->at = 0;
    }
    if (c->cap - c->n < 4096) {
        const size_t cap = c->cap ? 2 * c->cap : 16384;
        char *b = realloc(c->buf, cap);
        if (!b)
            return XQ_ENOMEM;
        c->buf = b;
        c->cap = cap;
    }
    const ssize_t got = read(c->from, c->buf + c->n, c->cap - c->n);
    if (got > 0)
        c->n += (size_t)got;
    else if (got == 0 || (errno != EAGAIN && errno != EINTR))
        return XQ_EIO;
    return XQ_OK;
}

xq_status child_hear(child *c, uint64_t until, xq_str *line)
{
    if (c->pid <= 0)
        return XQ_EIO;
    /* One that never stops talking must not be listened to for ever. */
    if (cli_interrupted() || child_now() > until + FLOOD_MS)
        return cli_interrupted() ? XQ_DONE : XQ_ELIMIT;
    while (!take_line(c, line)) {
        const int ready = wait_for(c->from, POLLIN, until);
        if (ready <= 0)
            return ready ? XQ_DONE : XQ_ELIMIT;
        const xq_status rc = read_more(c);
        if (rc == XQ_EIO && c->n > c->at && !c->skipping) {
            /* last words without an end of line */
            *line = (xq_str){c->buf + c->at, c->n - c->at};
            c->at = c->n;
            return XQ_OK;
        }
        if (rc != XQ_OK)
            return rc;
    }
    return XQ_OK;
}
