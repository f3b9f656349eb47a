/* cli_buf.c - growing text, JSON strings, and text made safe for terminals. */
#include "tools/cli.h"

#include <stdlib.h>
#include <string.h>

/* Room for n more bytes and a NUL. */
static bool reserve(cli_buf *b, size_t n)
{
    if (b->failed)
        return false;
    if (n < b->cap - b->n) /* so that b->n + n + 1 <= cap */
        return true;
    size_t cap = b->cap ? b->cap : 256;
    while (n >= cap - b->n) {
        if (cap > SIZE_MAX / 2) {
            b->failed = true;
            return false;
        }
        cap *= 2;
    }
    char *s = realloc(b->s, cap);
    if (!s) {
        b->failed = true;
        return false;
    }
    b->s = s;
    b->cap = cap;
    return true;
}

void cli_buf_add(cli_buf *b, const char *s, size_t n)
{
    if (!n || !reserve(b, n))
        return;
    memcpy(b->s + b->n, s, n);
    b->n += n;
    b->s[b->n] = '\0';
}

void cli_buf_puts(cli_buf *b, const char *s) { cli_buf_add(b, s, strlen(s)); }

void cli_buf_vprintf(cli_buf *b, const char *fmt, va_list ap)
{
    va_list again;
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    if (n < 0)
        b->failed = true;
    else if (reserve(b, (size_t)n)) {
        vsnprintf(b->s + b->n, (size_t)n + 1, fmt, again);
        b->n += (size_t)n;
    }
    va_end(again);
}

void cli_buf_printf(cli_buf *b, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    cli_buf_vprintf(b, fmt, ap);
    va_end(ap);
}

/* Length of the well-formed UTF-8 character at s (Unicode 15, table 3-7) and
 * its code point; 0 when there is none. */
static size_t utf8_char(const unsigned char *s, size_t n, uint32_t *cp)
{
    unsigned c = s[0];
    if (c < 0x80) {
        *cp = c;
        return 1;
    }
    if (c < 0xC2 || c > 0xF4)
        return 0;
    size_t len = c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
    if (n < len)
        return 0;
    *cp = c & (0xFFu >> (len + 1));
    for (size_t i = 1; i < len; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return 0;
        *cp = *cp << 6 | (s[i] & 0x3Fu);
    }
    static const uint32_t LEAST[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (*cp < LEAST[len] || *cp > 0x10FFFF || (*cp >= 0xD800 && *cp <= 0xDFFF))
        return 0;
    return len;
}

void cli_buf_json(cli_buf *b, xq_str s)
{
    const unsigned char *p = (const unsigned char *)s.s;
    cli_buf_puts(b, "\"");
    for (size_t i = 0, len; i < s.n; i += len ? len : 1) {
        uint32_t cp = 0;
        len = utf8_char(p + i, s.n - i, &cp);
        if (!len)
            cli_buf_puts(b, "\xEF\xBF\xBD");
        else if (cp == '"' || cp == '\\')
            cli_buf_printf(b, "\\%c", (int)cp);
        else if (cp == '\n')
            cli_buf_puts(b, "\\n");
        else if (cp == '\t')
            cli_buf_puts(b, "\\t");
        else if (cp == '\r')
            cli_buf_puts(b, "\\r");
        else if (cp < 0x20)
            cli_buf_printf(b, "\\u%04x", (unsigned)cp);
        else
            cli_buf_add(b, s.s + i, len);
    }
    cli_buf_puts(b, "\"");
}

/* Characters that would act on a terminal, reorder what stands there, or not
 * be seen at all (Unicode's categories Cc, Cf, Zl and Zp). */
static bool is_control(uint32_t cp)
{
    return cp < 0x20 || (cp >= 0x7F && cp < 0xA0) || cp == 0xAD ||
           cp == 0x61C || cp == 0x180E || (cp >= 0x200B && cp <= 0x200F) ||
           (cp >= 0x2028 && cp <= 0x202E) || (cp >= 0x2060 && cp <= 0x206F) ||
           cp == 0xFEFF || (cp >= 0xFFF9 && cp <= 0xFFFB) ||
           (cp >= 0xE0000 && cp <= 0xE0FFF);
}

void cli_buf_text(cli_buf *b, xq_str s)
{
    const unsigned char *p = (const unsigned char *)s.s;
    for (size_t i = 0, len; i < s.n; i += len ? len : 1) {
        uint32_t cp = 0;
        len = utf8_char(p + i, s.n - i, &cp);
        if (!len)
            cli_buf_printf(b, "\\x%02X", p[i]);
        else if (!is_control(cp))
            cli_buf_add(b, s.s + i, len);
        else if (cp == '\n')
            cli_buf_puts(b, "\\n");
        else if (cp == '\t')
            cli_buf_puts(b, "\\t");
        else if (cp < 0x80)
            cli_buf_printf(b, "\\x%02X", (unsigned)cp);
        else
            cli_buf_printf(b, cp < 0x10000 ? "\\u%04x" : "\\U%08x",
                           (unsigned)cp);
    }
}

void cli_buf_free(cli_buf *b)
{
    free(b->s);
    *b = (cli_buf){0};
}
