/* web.c - what tools/web/ holds, and text into markup. */
#include "tools/web.h"

#include "libpgn/text.h"

#include <string.h>

#include "tools_web.inc"

#define COUNT(a) (sizeof(a) / sizeof *(a))

const web_text web_css = {CSS_LINES, COUNT(CSS_LINES), CSS_HASH};
const web_text web_js = {JS_LINES, COUNT(JS_LINES), JS_HASH};

void web_text_add(cli_buf *b, const web_text *t)
{
    for (size_t i = 0; i < t->n; i++)
        cli_buf_puts(b, t->line[i]);
}

const web_shape *web_shape_at(size_t i)
{
    return i < COUNT(SHAPES) ? &SHAPES[i] : NULL;
}

const web_shape *web_shape_find(const char *name)
{
    for (size_t i = 0; i < COUNT(SHAPES); i++)
        if (strcmp(SHAPES[i].name, name) == 0)
            return &SHAPES[i];
    return NULL;
}

/* ---- text into markup ---- */

/* What HTML has no place for: controls but blanks, and code points that are
 * none. */
static bool is_outside(uint32_t cp)
{
    return (cp < 0x20 && cp != '\t' && cp != '\n' && cp != '\r') ||
           (cp >= 0x7F && cp < 0xA0) || (cp & 0xFFFE) == 0xFFFE ||
           (cp >= 0xFDD0 && cp <= 0xFDEF);
}

static const char *reference(uint32_t cp)
{
    switch (cp) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return is_outside(cp) ? "\xEF\xBF\xBD" : NULL;
    }
}

void web_html(cli_buf *b, xq_str s)
{
    size_t done = 0; /* what stands before it is written */
    for (size_t i = 0, len; i < s.n; i += len) {
        const uint32_t cp = pgn_utf8_next(s.s + i, s.n - i, &len);
        /* a bad byte comes back as U+FFFD, one byte long */
        const bool bad = cp == 0xFFFD && len < 3;
        const char *const instead = bad ? "\xEF\xBF\xBD" : reference(cp);
        if (!instead)
            continue;
        cli_buf_add(b, s.s + done, i - done);
        cli_buf_puts(b, instead);
        done = i + len;
    }
    if (s.n > done)
        cli_buf_add(b, s.s + done, s.n - done);
}

void web_json(cli_buf *b, xq_str json)
{
    size_t done = 0;
    for (size_t i = 0; i < json.n; i++) {
        if (json.s[i] != '<')
            continue;
        cli_buf_add(b, json.s + done, i - done);
        cli_buf_puts(b, "\\u003c");
        done = i + 1;
    }
    if (json.n > done)
        cli_buf_add(b, json.s + done, json.n - done);
}
