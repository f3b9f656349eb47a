/* json.c - a pull tokeniser for JSON text in memory. */
#include "libpgn/json.h"

#include "libpgn/text.h"

#include <string.h>

/* What may come next. */
enum state {
    VALUE,      /* a value */
    FIRST_ITEM, /* a value, or ] */
    FIRST_KEY,  /* a key, or } */
    NEXT_KEY,   /* a key, behind a comma */
    BEHIND,     /* a comma or the closing bracket */
    NOTHING,    /* the value is complete: blanks only */
    BAD,
    NOMEM,
};

void pgn_json_start(pgn_json *j, xq_str text, xq_arena *arena)
{
    *j = (pgn_json){.s = text.s, .n = text.n, .arena = arena, .state = VALUE};
}

static pgn_json_token bad(pgn_json *j, size_t at, const char *why)
{
    j->at = at;
    j->error = why;
    j->state = BAD;
    return PGN_JSON_BAD;
}

static pgn_json_token no_memory(pgn_json *j)
{
    j->state = NOMEM;
    j->no_memory = true;
    return PGN_JSON_NOMEM;
}

static void skip_blanks(pgn_json *j)
{
    while (j->at < j->n && (j->s[j->at] == ' ' || j->s[j->at] == '\t' ||
                            j->s[j->at] == '\n' || j->s[j->at] == '\r'))
        j->at++;
}

/* ---- nesting ---- */

static bool in_object(const pgn_json *j)
{
    return j->nest[(j->depth - 1) / 8] >> (j->depth - 1) % 8 & 1;
}

static bool enter(pgn_json *j, bool object)
{
    if (j->depth == j->cap) {
        size_t bytes = j->cap ? j->cap / 8 * 2 : 8;
        uint8_t *nest = xq_arena_alloc(j->arena, bytes);
        if (!nest)
            return false;
        if (j->cap)
            memcpy(nest, j->nest, j->cap / 8);
        j->nest = nest;
        j->cap = bytes * 8;
    }
    uint8_t bit = (uint8_t)(1u << j->depth % 8);
    uint8_t *byte = &j->nest[j->depth / 8];
    *byte = object ? *byte | bit : *byte & (uint8_t)~bit;
    j->depth++;
    return true;
}

static pgn_json_token open_bracket(pgn_json *j, bool object)
{
    if (!enter(j, object))
        return no_memory(j);
    j->at++;
    j->state = object ? FIRST_KEY : FIRST_ITEM;
    return object ? PGN_JSON_OBJECT : PGN_JSON_ARRAY;
}

static void value_done(pgn_json *j) { j->state = j->depth ? BEHIND : NOTHING; }

static pgn_json_token close_bracket(pgn_json *j)
{
    bool object = in_object(j);
    if (j->s[j->at] != (object ? '}' : ']'))
        return bad(j, j->at,
                   object ? "',' or '}' expected" : "',' or ']' expected");
    j->at++;
    j->depth--;
    value_done(j);
    return object ? PGN_JSON_OBJECT_END : PGN_JSON_ARRAY_END;
}

/* ---- strings ---- */

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Four hex digits at `at`, or -1. */
static int32_t hex4(const pgn_json *j, size_t at)
{
    int32_t v = 0;
    if (j->n - at < 4)
        return -1;
    for (size_t i = 0; i < 4; i++) {
        int d = hex_digit(j->s[at + i]);
        if (d < 0)
            return -1;
        v = v * 16 + d;
    }
    return v;
}

/* The end of a string whose first character is at `at`: the offset of its
 * closing quote, or j->n with an error set. */
static size_t string_end(pgn_json *j, size_t at, bool *escapes)
{
    for (; at < j->n; at++) {
        unsigned char c = (unsigned char)j->s[at];
        if (c == '"')
            return at;
        if (c < 0x20) {
            bad(j, at, "control character in a string");
            return j->n;
        }
        if (c != '\\')
            continue;
        *escapes = true;
        at++;
        if (at < j->n && j->s[at] == 'u') {
            if (hex4(j, at + 1) < 0) {
                bad(j, at - 1, "\\u without four hex digits");
                return j->n;
            }
        } else if (at >= j->n || j->s[at] == '\0' ||
                   !strchr("\"\\/bfnrt", j->s[at])) {
            bad(j, at - 1, "unknown escape in a string");
            return j->n;
        }
    }
    bad(j, j->n, "string is not closed");
    return j->n;
}

/* The character of \uXXXX at `at` (the first digit); moves `at` behind it, and
 * behind the second half of a pair. */
static uint32_t escaped_char(pgn_json *j, size_t *at)
{
    uint32_t c = (uint32_t)hex4(j, *at);
    *at += 4;
    if (c < 0xD800 || c > 0xDFFF)
        return c;
    if (c < 0xDC00 && j->n - *at >= 6 && j->s[*at] == '\\' &&
        j->s[*at + 1] == 'u') {
        int32_t low = hex4(j, *at + 2);
        if (low >= 0xDC00 && low <= 0xDFFF) {
            *at += 6;
            return 0x10000 + ((c - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
        }
    }
    j->replaced++;
    return 0xFFFD;
}

static bool unescape(pgn_json *j, size_t at, size_t end)
{
    static const char FROM[] = "bfnrt", TO[] = "\b\f\n\r\t";
    char *out = xq_arena_alloc(j->arena, end - at); /* never longer */
    size_t n = 0;
    if (!out)
        return false;
    while (at < end) {
        const char *esc = memchr(j->s + at, '\\', end - at);
        size_t plain = esc ? (size_t)(esc - (j->s + at)) : end - at;
        memcpy(out + n, j->s + at, plain);
        n += plain;
        at += plain;
        if (!esc)
            break;
        char c = j->s[at + 1];
        at += 2;
        if (c == 'u') {
            n += pgn_utf8_put(escaped_char(j, &at), out + n);
        } else {
            const char *f = strchr(FROM, c);
            out[n++] = f ? TO[f - FROM] : c;
        }
    }
    j->text = (xq_str){out, n};
    return true;
}

/* At a quote: the string becomes j->text. */
static bool read_string(pgn_json *j)
{
    bool escapes = false;
    size_t first = j->at + 1;
    size_t end = string_end(j, first, &escapes);
    if (j->state == BAD)
        return false;
    j->text = (xq_str){j->s + first, end - first};
    if (escapes && !unescape(j, first, end)) {
        no_memory(j);
        return false;
    }
    j->at = end + 1;
    return true;
}

/* ---- values ---- */

static size_t digits(const pgn_json *j, size_t at)
{
    while (at < j->n && j->s[at] >= '0' && j->s[at] <= '9')
        at++;
    return at;
}

static pgn_json_token read_number(pgn_json *j)
{
    size_t at = j->at, from;
    if (j->s[at] == '-')
        at++;
    from = at;
    at = digits(j, at);
    if (at == from)
        return bad(j, at, "digit expected");
    if (j->s[from] == '0' && at > from + 1)
        return bad(j, from, "number begins with 0");
    if (at < j->n && j->s[at] == '.') {
        from = ++at;
        if ((at = digits(j, at)) == from)
            return bad(j, at, "digit expected");
    }
    if (at < j->n && (j->s[at] == 'e' || j->s[at] == 'E')) {
        at++;
        if (at < j->n && (j->s[at] == '+' || j->s[at] == '-'))
            at++;
        from = at;
        if ((at = digits(j, at)) == from)
            return bad(j, at, "digit expected");
    }
    j->text = (xq_str){j->s + j->at, at - j->at};
    j->at = at;
    value_done(j);
    return PGN_JSON_NUMBER;
}

static pgn_json_token read_word(pgn_json *j)
{
    static const struct {
        const char *word;
        size_t n;
        pgn_json_token t;
    } WORDS[] = {{"true", 4, PGN_JSON_TRUE},
                 {"false", 5, PGN_JSON_FALSE},
                 {"null", 4, PGN_JSON_NULL}};
    for (size_t i = 0; i < 3; i++)
        if (j->n - j->at >= WORDS[i].n &&
            memcmp(j->s + j->at, WORDS[i].word, WORDS[i].n) == 0) {
            j->at += WORDS[i].n;
            value_done(j);
            return WORDS[i].t;
        }
    return bad(j, j->at, "value expected");
}

static pgn_json_token read_value(pgn_json *j)
{
    switch (j->s[j->at]) {
    case '{':
        return open_bracket(j, true);
    case '[':
        return open_bracket(j, false);
    case '"':
        if (!read_string(j))
            return j->state == NOMEM ? PGN_JSON_NOMEM : PGN_JSON_BAD;
        value_done(j);
        return PGN_JSON_STRING;
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
        return read_number(j);
    default:
        return read_word(j);
    }
}

static pgn_json_token read_key(pgn_json *j)
{
    if (j->s[j->at] != '"')
        return bad(j, j->at, "'\"' of a field's name expected");
    if (!read_string(j))
        return j->state == NOMEM ? PGN_JSON_NOMEM : PGN_JSON_BAD;
    skip_blanks(j);
    if (j->at == j->n || j->s[j->at] != ':')
        return bad(j, j->at, "':' expected");
    j->at++;
    j->state = VALUE;
    return PGN_JSON_KEY;
}

pgn_json_token pgn_json_next(pgn_json *j)
{
    if (j->state == BAD)
        return PGN_JSON_BAD;
    if (j->state == NOMEM)
        return PGN_JSON_NOMEM;
    skip_blanks(j);
    if (j->state == BEHIND && j->at < j->n && j->s[j->at] == ',') {
        j->at++;
        j->state = in_object(j) ? NEXT_KEY : VALUE;
        skip_blanks(j);
    }
    j->start = j->at;
    if (j->at == j->n)
        return j->state == NOTHING ? PGN_JSON_END
                                   : bad(j, j->n, "text ends too early");
    switch (j->state) {
    case FIRST_ITEM:
        if (j->s[j->at] == ']')
            return close_bracket(j);
        return read_value(j);
    case FIRST_KEY:
        if (j->s[j->at] == '}')
            return close_bracket(j);
        return read_key(j);
    case NEXT_KEY:
        return read_key(j);
    case BEHIND:
        return close_bracket(j);
    case NOTHING:
        return bad(j, j->at, "text behind the value");
    default:
        return read_value(j);
    }
}

pgn_json_token pgn_json_skip(pgn_json *j, pgn_json_token t)
{
    if (t != PGN_JSON_OBJECT && t != PGN_JSON_ARRAY)
        return t;
    size_t outside = j->depth - 1;
    do
        t = pgn_json_next(j);
    while (t > PGN_JSON_END && j->depth > outside);
    return t;
}

bool pgn_json_uint(const pgn_json *j, uint64_t max, uint64_t *v)
{
    uint64_t x = 0;
    for (size_t i = 0; i < j->text.n; i++) {
        unsigned d = (unsigned char)j->text.s[i] - (unsigned)'0';
        if (d > 9 || x > (max - d) / 10 || d > max)
            return false;
        x = x * 10 + d;
    }
    *v = x;
    return j->text.n > 0;
}
