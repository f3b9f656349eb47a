/* uci_lines.c - lines in, of any length, and their words. */
#include "engine/uci_parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK 65536 /* bytes read at once */

/* ---- in ---- */

/* Make room for CHUNK bytes behind l->end. */
static bool make_room(xq_lines *l)
{
    if (l->start == l->end) {
        l->ahead = l->ahead > l->start ? l->ahead - l->start : 0;
        l->complete = l->start = l->end = 0;
    }
    if (l->cap - l->end >= CHUNK)
        return true;
    if (l->start >= l->cap / 2 && l->start > 0) {
        memmove(l->buf, l->buf + l->start, l->end - l->start);
        l->ahead = l->ahead > l->start ? l->ahead - l->start : 0;
        l->complete -= l->start;
        l->end -= l->start;
        l->start = 0;
        if (l->cap - l->end >= CHUNK)
            return true;
    }
    if (l->cap > SIZE_MAX / 4)
        return false;
    const size_t cap = l->cap ? 2 * l->cap : (size_t)2 * CHUNK;
    char *grown = realloc(l->buf, cap);
    if (!grown)
        return false;
    l->buf = grown;
    l->cap = cap;
    return true;
}

/* New bytes stand at l->end: the rest of a line that is skipped goes. */
static size_t skip(xq_lines *l, size_t n)
{
    char *at = l->buf + l->end;
    char *nl = memchr(at, '\n', n);
    if (!nl)
        return 0;
    l->skipping = false;
    const size_t gone = (size_t)(nl + 1 - at);
    memmove(at, at + gone, n - gone);
    return n - gone;
}

xq_status xq_lines_fill(xq_lines *l, xq_err *err)
{
    if (l->eof)
        return XQ_OK;
    if (!make_room(l)) {
        /* What is left of the line at hand is a place to read into. */
        l->end = l->complete;
        l->skipping = l->dropped = true;
        if (l->cap - l->end < CHUNK && l->cap < CHUNK)
            return xq_fail(err, XQ_ENOMEM, "out of memory");
        if (l->cap == l->end)
            return XQ_OK; /* lines wait: later there is room */
    }
    const size_t room = l->cap - l->end;
    const ssize_t got =
        read(l->fd, l->buf + l->end, room < CHUNK ? room : CHUNK);
    if (got < 0) {
        if (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)
            return XQ_OK;
        return xq_fail(err, XQ_EIO, "cannot read commands: %s",
                       strerror(errno));
    }
    if (got == 0) {
        l->eof = true; /* the last line may lack its end */
        l->complete = l->end;
        return XQ_OK;
    }
    const size_t n = l->skipping ? skip(l, (size_t)got) : (size_t)got;
    for (size_t i = n; i > 0; i--)
        if (l->buf[l->end + i - 1] == '\n') {
            l->complete = l->end + i;
            break;
        }
    l->end += n;
    return XQ_OK;
}

/* The line that begins at `at`; returns where the next one does. */
static size_t line_at(const xq_lines *l, size_t at, xq_str *line)
{
    const char *s = l->buf + at;
    const char *nl = memchr(s, '\n', l->complete - at);
    *line = (xq_str){s, nl ? (size_t)(nl - s) : l->complete - at};
    return at + line->n + (nl != NULL);
}

bool xq_lines_head(const xq_lines *l, xq_str *line)
{
    if (l->start >= l->complete)
        return false;
    line_at(l, l->start, line);
    return true;
}

void xq_lines_drop(xq_lines *l)
{
    xq_str line;
    if (l->start < l->complete)
        l->start = line_at(l, l->start, &line);
    l->ahead = l->start;
}

bool xq_lines_ahead(xq_lines *l, xq_str *line)
{
    if (l->start >= l->complete)
        return false;
    if (l->ahead == l->start) /* the head itself is known */
        l->ahead = line_at(l, l->start, line);
    if (l->ahead >= l->complete)
        return false;
    l->ahead = line_at(l, l->ahead, line);
    return true;
}

bool xq_lines_have(const xq_lines *l, const char *what)
{
    xq_str line, word;
    for (size_t at = l->start; at < l->complete;) {
        at = line_at(l, at, &line);
        if (xq_word(&line, &word) && xq_word_is(word, what))
            return true;
    }
    return false;
}

void xq_lines_blank(xq_lines *l, xq_str line)
{
    memset(l->buf + (line.s - l->buf), ' ', line.n);
}

void xq_lines_free(xq_lines *l)
{
    free(l->buf);
    l->buf = NULL;
}

/* ---- words ---- */

static bool is_blank(char c) { return (unsigned char)c <= ' '; }

xq_str xq_trim(xq_str t)
{
    while (t.n && is_blank(t.s[0])) {
        t.s++;
        t.n--;
    }
    while (t.n && is_blank(t.s[t.n - 1]))
        t.n--;
    return t;
}

bool xq_word(xq_str *text, xq_str *word)
{
    while (text->n && is_blank(text->s[0])) {
        text->s++;
        text->n--;
    }
    *word = (xq_str){text->s, 0};
    while (text->n && !is_blank(text->s[0])) {
        text->s++;
        text->n--;
        word->n++;
    }
    return word->n > 0;
}

bool xq_word_is(xq_str word, const char *what)
{
    return xq_str_eq(word, xq_str_of(what));
}

bool xq_word_number(xq_str w, uint64_t *n)
{
    const bool negative = w.n > 1 && w.s[0] == '-';
    if (w.n > 1 && (negative || w.s[0] == '+')) {
        w.s++;
        w.n--;
    }
    uint64_t v = 0;
    for (size_t i = 0; i < w.n; i++) {
        if (w.s[i] < '0' || w.s[i] > '9')
            return false;
        const uint64_t digit = (uint64_t)(w.s[i] - '0');
        v = v > (UINT64_MAX - digit) / 10 ? UINT64_MAX : 10 * v + digit;
    }
    *n = negative ? 0 : v;
    return w.n > 0;
}

xq_shown xq_show(xq_str w)
{
    xq_shown out;
    size_t n = 0;
    const size_t room = sizeof out.s - 4;
    for (; n < w.n && n < room; n++)
        out.s[n] = w.s[n] >= ' ' && w.s[n] < 0x7f ? w.s[n] : '?';
    if (n < w.n)
        for (size_t i = 0; i < 3; i++)
            out.s[n++] = '.';
    out.s[n] = '\0';
    return out;
}
