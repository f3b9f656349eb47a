/* uci_out.c - lines out, whole and in order, without ever blocking in a write.
 *
 * A write to a pipe that nobody reads would not come back, and `quit` would not
 * be heard.  So a write is made only where poll says that there is room, and of
 * no more bytes than such room takes (PIPE_BUF); what does not fit is held.
 * The reading thread goes on and hands it out when there is room; the
 * searching thread waits until all is handed out, so that a search does not
 * fill the memory. */
#include "engine/uci_parts.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

uint64_t xq_clock_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Will a write of PIPE_BUF bytes come back at once?  (Of a failure too.) */
static bool has_room(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLOUT};
    int n;
    while ((n = poll(&p, 1, 0)) < 0 && errno == EINTR)
        ;
    return n != 0;
}

/* As much as there is room for; how many bytes that were.  Locked. */
static size_t write_some(xq_writer *o, const char *s, size_t n)
{
    size_t done = 0;
    while (done < n && has_room(o->fd)) {
        const size_t left = n - done;
        const ssize_t put =
            write(o->fd, s + done, left < PIPE_BUF ? left : PIPE_BUF);
        if (put >= 0) {
            done += (size_t)put;
            o->moved = xq_clock_ms();
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
            break;
        } else if (errno != EINTR) {
            o->failed = errno;
            break;
        }
    }
    return done;
}

/* Keep bytes behind those that are held.  Locked. */
static bool hold(xq_writer *o, const char *s, size_t n)
{
    if (n > o->cap - o->n) {
        if (o->cap > SIZE_MAX / 4 || n > SIZE_MAX / 4)
            return false;
        const size_t cap = 2 * (o->cap + n);
        char *const grown = realloc(o->held, cap);
        if (!grown)
            return false;
        o->held = grown;
        o->cap = cap;
    }
    memcpy(o->held + o->n, s, n);
    o->n += n;
    return true;
}

static void put(xq_writer *o, const char *s, size_t n)
{
    pthread_mutex_lock(&o->lock);
    const size_t done = !o->failed && o->n == 0 ? write_some(o, s, n) : 0;
    if (done < n && !o->failed) {
        if (!hold(o, s + done, n - done))
            o->failed = ENOMEM;
        if (!pthread_equal(pthread_self(), o->reader)) {
            while (write(o->wake, &XQ_WAKE_HELD, 1) < 0 && errno == EINTR)
                ;
            while (o->n > 0 && !o->failed)
                pthread_cond_wait(&o->empty, &o->lock);
        }
    }
    pthread_mutex_unlock(&o->lock);
}

void xq_out_lock_init(xq_writer *o)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&o->lock, &attr);
    pthread_mutexattr_destroy(&attr);
}

size_t xq_out_held(xq_writer *o)
{
    pthread_mutex_lock(&o->lock);
    const size_t n = o->failed ? 0 : o->n;
    pthread_mutex_unlock(&o->lock);
    return n;
}

void xq_out_flush(xq_writer *o)
{
    pthread_mutex_lock(&o->lock);
    if (!o->failed && o->n > 0) {
        const size_t done = write_some(o, o->held, o->n);
        memmove(o->held, o->held + done, o->n - done);
        o->n -= done;
    }
    if (o->failed || o->n == 0)
        pthread_cond_broadcast(&o->empty);
    pthread_mutex_unlock(&o->lock);
}

void xq_out_give_up(xq_writer *o, int why)
{
    pthread_mutex_lock(&o->lock);
    if (!o->failed)
        o->failed = why;
    pthread_cond_broadcast(&o->empty);
    pthread_mutex_unlock(&o->lock);
}

uint64_t xq_out_moved(xq_writer *o)
{
    pthread_mutex_lock(&o->lock);
    const uint64_t moved = o->moved;
    pthread_mutex_unlock(&o->lock);
    return moved;
}

/* ---- lines ---- */

/* Longest line: an `info` with a principal variation of XQ_MAX_PLY moves. */
#define LINE_MAX_BYTES (1024 + 6 * XQ_MAX_PLY)

XQ_PRINTF(3, 0)
static void say(xq_session *s, const char *prefix, const char *fmt, va_list ap)
{
    char line[LINE_MAX_BYTES];
    size_t n = (size_t)snprintf(line, sizeof line, "%s", prefix);
    const int m = vsnprintf(line + n, sizeof line - n, fmt, ap);
    n += m > 0 ? (size_t)m : 0;
    if (n > sizeof line - 1)
        n = sizeof line - 1;
    for (size_t i = 0; i < n; i++) /* a path may hold anything */
        if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
            line[i] = '?';
    line[n++] = '\n';
    put(&s->out, line, n);
}

void xq_out_begin(xq_writer *o) { pthread_mutex_lock(&o->lock); }
void xq_out_end(xq_writer *o) { pthread_mutex_unlock(&o->lock); }

void xq_say(xq_session *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say(s, "", fmt, ap);
    va_end(ap);
}

void xq_note(xq_session *s, const char *fmt, ...)
{
    char prefix[32];
    va_list ap;
    snprintf(prefix, sizeof prefix, "%s ", s->dialect->note);
    va_start(ap, fmt);
    say(s, prefix, fmt, ap);
    va_end(ap);
}
