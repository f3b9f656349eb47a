/* pgn_tags.c - tags of PGN: [Name "value"], also damaged ones.
 *
 * Where a value ends.  At the first quote that is not escaped and has ']'
 * behind it, if nothing but another tag or the line's end follows; else at the
 * last such quote of the line (quotes inside were not escaped).  A line
 * without one ends the value; if the next line ends with '"]' and does not
 * begin with '[', the value was broken over two lines.  Curly and corner quotes
 * are quotes.  Formats reference 3.1. */
#include "libpgn/pgn_scan.h"

#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static bool is_name(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* Straight, curly, full-width and corner quotes. */
static bool is_quote(uint32_t cp)
{
    return cp == '"' || (cp >= 0x201C && cp <= 0x201F) || cp == 0xFF02 ||
           (cp >= 0x300C && cp <= 0x300F) || cp == 0x301D || cp == 0x301E;
}

/* Behind a name at p (p itself when there is none). */
static const char *name_end(const char *p, const char *end)
{
    if (p < end && is_letter(*p))
        while (p < end && is_name(*p))
            p++;
    return p;
}

bool pgn_tag_begins(const char *p, const char *end)
{
    const char *s = pgn_skip_blanks(p + 1, end);
    const char *e = name_end(s, end);
    if (e == s)
        return false;
    const char *v = pgn_skip_blanks(e, end);
    size_t len = 1;
    return v < end && is_quote(pgn_peek(v, end, &len));
}

/* ---- where the value ends ---- */

struct value {
    const char *s, *e;   /* the value */
    const char *next;    /* behind the tag */
    bool escapes;        /* holds \" or \\ */
    const char *trouble; /* what is wrong, NULL: nothing */
    bool cut;            /* the file ends inside */
};

/* A quote at p, len bytes long, closes a value when ']' follows: returns what
 * is behind that, else NULL. */
static const char *behind_close(const char *p, size_t len, const char *le)
{
    const char *q = pgn_skip_blanks(p + len, le);
    return q < le && *q == ']' ? q + 1 : NULL;
}

/* The next place in [p..le) where a quote is followed by ']'; NULL: none.
 * *behind: behind the bracket. */
static const char *next_close(const char *p, const char *le, bool straight,
                              const char **behind, bool *escapes)
{
    while (p < le) {
        size_t len = 1;
        uint32_t cp = (unsigned char)*p;
        if (cp == '\\' && p + 1 < le && (p[1] == '"' || p[1] == '\\')) {
            *escapes = true;
            p += 2;
            continue;
        }
        if (cp >= 0x80)
            cp = pgn_peek(p, le, &len);
        if (straight ? cp == '"' : is_quote(cp)) {
            *behind = behind_close(p, len, le);
            if (*behind)
                return p;
        }
        p += len;
    }
    return NULL;
}

static bool tag_between(const char *p, const char *q)
{
    for (; p < q; p++)
        if (*p == '[' && is_letter(p[1]))
            return true;
    return false;
}

/* The value begins at v, behind its opening quote. */
static bool quoted(struct value *val, const char *v, const char *le,
                   bool straight)
{
    const char *behind = NULL, *last = NULL, *last_behind = NULL;
    bool escapes = false, last_escapes = false;
    const char *p = next_close(v, le, straight, &behind, &escapes);
    for (; p;) {
        last = p;
        last_behind = behind;
        last_escapes = escapes;
        const char *rest = pgn_skip_blanks(behind, le);
        if (rest == le || *rest == '[')
            break;
        const char *more = NULL;
        const char *q = next_close(rest, le, straight, &more, &escapes);
        if (!q || tag_between(rest, q))
            break;
        p = q;
        behind = more;
    }
    if (!last)
        return false;
    val->s = v;
    val->e = last;
    val->next = last_behind;
    val->escapes = last_escapes;
    return true;
}

/* No quote closes the value on its line. */
static void unclosed(struct value *val, const char *v, const char *le,
                     const char *end)
{
    /* broken over two lines? */
    const char *n = le;
    while (n < end && pgn_is_break(*n))
        n++;
    const char *ne = pgn_line_end(n, end);
    const char *e = ne;
    while (e > n && (e[-1] == ' ' || e[-1] == '\t'))
        e--;
    if (n < ne && *n != '[' && e - n >= 2 && e[-1] == ']' && e[-2] == '"' &&
        !tag_between(n, e)) {
        *val = (struct value){
            v, e - 2, ne, false, "value broken over two lines", false};
        return;
    }
    e = le;
    while (e > v && (e[-1] == ' ' || e[-1] == '\t'))
        e--;
    val->s = v;
    val->next = le;
    val->escapes = false;
    if (e > v && e[-1] == ']') {
        e--;
        val->trouble = "closing quote is missing";
        if (e > v + 1 && e[-1] == '"' && e[-2] == '\\') {
            e--; /* "C:\games\" */
            val->trouble = "backslash before the closing quote";
        }
    } else {
        val->trouble = "closing bracket is missing";
        val->cut = le == end;
    }
    /* a quote of another kind, or one without its bracket */
    const char *q = e;
    while (q > v && ((unsigned char)q[-1] & 0xC0) == 0x80)
        q--;
    if (q > v)
        q--;
    size_t len = 1;
    if (q < e && is_quote(pgn_peek(q, e, &len)) && q + len == e &&
        val->trouble[0] != 'b')
        e = q;
    val->e = e;
}

/* ---- what the value says ---- */

/* \" and \\ become what they stand for; broken lines become one. */
static xq_str unescape(pgn_reader *r, const struct value *val)
{
    size_t n = (size_t)(val->e - val->s), k = 0;
    char *out = xq_arena_alloc(&r->arena, n + 1);
    if (!out) {
        r->failed = true;
        return (xq_str){NULL, 0};
    }
    for (const char *p = val->s; p < val->e; p++) {
        if (val->escapes && *p == '\\' && p + 1 < val->e &&
            (p[1] == '"' || p[1] == '\\'))
            p++;
        if (!val->escapes && pgn_is_break(*p)) {
            if (k > 0 && out[k - 1] != ' ')
                out[k++] = ' ';
            continue;
        }
        out[k++] = *p;
    }
    return (xq_str){out, k};
}

/* UTF-8 that was read as GBK and saved again as UTF-8 (formats reference 8):
 * it holds U+FFFD, or turns into good Chinese on the way back. */
static bool double_encoded(pgn_reader *r, xq_str v)
{
    for (size_t i = 0; i + 3 <= v.n; i++)
        if (memcmp(v.s + i, "\xEF\xBF\xBD", 3) == 0)
            return true;
    if (v.n < 6)
        return false;
    r->scratch.n = 0;
    size_t lost = 0;
    if (pgn_encode(PGN_ENC_GBK, v, &r->scratch, &lost) != XQ_OK || lost)
        return false;
    const char *s = r->scratch.s;
    size_t n = r->scratch.n, chinese = 0;
    for (size_t i = 0; i < n;) {
        size_t len = 1;
        uint32_t cp = pgn_utf8_next(s + i, n - i, &len);
        if (cp == 0xFFFD && n - i > 2)
            return false;
        chinese += cp >= 0x4E00 && cp <= 0x9FFF;
        i += len;
    }
    return chinese >= 2;
}

static bool is_ascii(xq_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.s[i] & 0x80)
            return false;
    return true;
}

static void tag_warning(pgn_reader *r, pgn_level level, size_t at, xq_str name,
                        xq_str text, const char *what)
{
    int n = name.n < 40 ? (int)name.n : 40;
    pgn_build_problem(r, level, PGN_P_TAG, at, 0, text, "tag %.*s: %s", n,
                      name.s, what);
}

/* The end of v's line, remembered: a million tags may stand on one line. */
static const char *line_end(pgn_reader *r, const char *v, const char *end)
{
    size_t at = (size_t)(v - r->text);
    if (at < r->line_from || at > r->line_to) {
        r->line_from = at;
        r->line_to = (size_t)(pgn_line_end(v, end) - r->text);
    }
    return r->text + r->line_to;
}

/* A value that is not simply `"...no quote, no backslash..."]` and a break. */
static size_t slow_tag(pgn_reader *r, size_t at, xq_str *name, const char *v)
{
    const char *end = r->text + r->ntext;
    const char *le = line_end(r, v, end);
    struct value val = {v, v, le, false, NULL, false};
    size_t len = 1;
    uint32_t open = v < le ? pgn_peek(v, le, &len) : 0;
    if (v < le && is_quote(open)) {
        if (!quoted(&val, v + len, le, open == '"'))
            unclosed(&val, v + len, le, end);
    } else { /* no quote at all */
        const char *close = memchr(v, ']', (size_t)(le - v));
        val.e = close ? close : le;
        val.next = close ? close + 1 : le;
        val.trouble = "value without quotes";
        val.cut = !close && le == end;
    }
    xq_str value = {val.s, (size_t)(val.e - val.s)};
    bool quotes = memchr(value.s, '"', value.n) != NULL;
    if (val.escapes || (val.trouble && val.next > le))
        value = unescape(r, &val);
    if (val.trouble)
        tag_warning(r, PGN_WARNING, at, *name, value, val.trouble);
    else if (quotes && open == '"') {
        /* inside quotes that were not escaped? */
        for (const char *q = val.s; q < val.e; q++) {
            if (val.escapes && *q == '\\' && q + 1 < val.e)
                q++;
            else if (*q == '"') {
                tag_warning(r, PGN_WARNING, at, *name, value,
                            "quotes inside the value are not escaped");
                break;
            }
        }
    }
    if (val.cut && r->seg->last && r->block + r->nblock == r->nraw)
        tag_warning(r, PGN_ERROR, at, *name, value, "the file ends inside it");
    pgn_build_tag(r, *name, value, at);
    if (r->block_enc == PGN_ENC_UTF8 && !is_ascii(value) && !r->bad &&
        !r->wide_bad && double_encoded(r, value))
        tag_warning(r, PGN_WARNING, at, *name, value,
                    "suspicious value, its text seems damaged or encoded "
                    "twice");
    return (size_t)(val.next - r->text);
}

size_t pgn_tag_read(pgn_reader *r, size_t at, xq_str *name)
{
    const char *p = r->text + at, *end = r->text + r->ntext;
    const char *s = pgn_skip_blanks(p + 1, end);
    const char *e = name_end(s, end);
    *name = (xq_str){s, (size_t)(e - s)};
    if (e == s) {
        const char *le = pgn_line_end(p, end);
        pgn_build_problem(r, PGN_WARNING, PGN_P_TAG, at, 0,
                          (xq_str){p, (size_t)(le - p)},
                          "a line in brackets that is no tag, passed over");
        return (size_t)(le - r->text);
    }
    const char *v = pgn_skip_blanks(e, end);
    if (v < end && *v == '"') { /* nearly all tags */
        const char *q = v + 1;
        unsigned char all = 0;
        while (*q != '"' && *q != '\\' && *q != '\n' && *q != '\r' && q < end)
            all |= (unsigned char)*q++;
        if (*q == '"' && q[1] == ']' && pgn_is_break(q[2]) && q + 2 < end &&
            !(all & 0x80 && r->block_enc == PGN_ENC_UTF8)) {
            pgn_build_tag(r, *name, (xq_str){v + 1, (size_t)(q - v - 1)}, at);
            return (size_t)(q + 2 - r->text);
        }
    }
    return slow_tag(r, at, name, v);
}
