/* buf.c - a growing buffer of bytes. */
#include "libpgn/buf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libpgn/text.h"

char *pgn_buf_room(pgn_buf *b, size_t n)
{
    if (b->failed)
        return NULL;
    if (b->s && b->cap - b->n >= n)
        return b->s + b->n;
    if (n > SIZE_MAX / 4 || b->n > SIZE_MAX / 4) {
        b->failed = true;
        return NULL;
    }
    size_t cap = b->cap ? b->cap + b->cap / 2 : 256;
    if (cap < b->n + n)
        cap = b->n + n;
    char *s = realloc(b->s, cap);
    if (!s) {
        b->failed = true;
        return NULL;
    }
    b->s = s;
    b->cap = cap;
    return s + b->n;
}

void pgn_buf_add(pgn_buf *b, const void *s, size_t n)
{
    if (!n)
        return;
    char *to = pgn_buf_room(b, n);
    if (!to)
        return;
    memcpy(to, s, n);
    b->n += n;
}

void pgn_buf_puts(pgn_buf *b, const char *s) { pgn_buf_add(b, s, strlen(s)); }

void pgn_buf_printf(pgn_buf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *to = pgn_buf_room(b, 128);
    int n = to ? vsnprintf(to, b->cap - b->n, fmt, ap) : -1;
    va_end(ap);
    if (n < 0) {
        b->failed = true;
        return;
    }
    if ((size_t)n >= b->cap - b->n) {
        to = pgn_buf_room(b, (size_t)n + 1);
        if (!to)
            return;
        va_start(ap, fmt);
        vsnprintf(to, (size_t)n + 1, fmt, ap);
        va_end(ap);
    }
    b->n += (size_t)n;
}

void pgn_buf_json(pgn_buf *b, xq_str s)
{
    pgn_buf_add(b, "\"", 1);
    size_t from = 0; /* what is not yet copied */
    for (size_t i = 0; i < s.n;) {
        const unsigned char c = (unsigned char)s.s[i];
        size_t len = 1;
        if (c >= 0x80) {
            if (pgn_utf8_next(s.s + i, s.n - i, &len) != 0xFFFD || len == 3) {
                i += len;
                continue;
            }
        } else if (c >= 0x20 && c != '"' && c != '\\') {
            i++;
            continue;
        }
        pgn_buf_add(b, s.s + from, i - from);
        if (c >= 0x80)
            pgn_buf_puts(b, "\xEF\xBF\xBD");
        else if (c == '"' || c == '\\')
            pgn_buf_printf(b, "\\%c", c);
        else if (c == '\n')
            pgn_buf_puts(b, "\\n");
        else if (c == '\r')
            pgn_buf_puts(b, "\\r");
        else if (c == '\t')
            pgn_buf_puts(b, "\\t");
        else
            pgn_buf_printf(b, "\\u%04x", c);
        from = ++i;
    }
    if (s.n > from)
        pgn_buf_add(b, s.s + from, s.n - from);
    pgn_buf_add(b, "\"", 1);
}

/* Characters that would move a terminal's cursor or turn the direction of
 * its text. */
static bool is_unsafe(uint32_t cp)
{
    return cp < 0x20 || (cp >= 0x7F && cp < 0xA0) ||
           (cp >= 0x202A && cp <= 0x202E) || (cp >= 0x2066 && cp <= 0x2069);
}

void pgn_buf_visible(pgn_buf *b, xq_str s)
{
    for (size_t i = 0; i < s.n;) {
        size_t len;
        const uint32_t cp = pgn_utf8_next(s.s + i, s.n - i, &len);
        const bool bad = cp == 0xFFFD && len == 1;
        if (bad || is_unsafe(cp)) {
            for (size_t k = 0; k < len; k++)
                pgn_buf_printf(b, "\\x%02X", (unsigned char)s.s[i + k]);
        } else {
            pgn_buf_add(b, s.s + i, len);
        }
        i += len;
    }
}

void pgn_buf_free(pgn_buf *b)
{
    free(b->s);
    *b = (pgn_buf){0};
}
