/* engine_lines.c - what engines print, read line by line. */
#include "tools/engine_lines.h"

#include "engine/rules.h"
#include "tools/analysis.h"

#include <limits.h>
#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static xq_str skip_blanks(xq_str s)
{
    while (s.n > 0 && is_blank(s.s[0]))
        s = (xq_str){s.s + 1, s.n - 1};
    return s;
}

static xq_str trim(xq_str s)
{
    s = skip_blanks(s);
    while (s.n > 0 && is_blank(s.s[s.n - 1]))
        s.n--;
    return s;
}

xq_str engine_word(xq_str *rest)
{
    const xq_str s = skip_blanks(*rest);
    size_t n = 0;
    if (s.n == 0) { /* there may be no text at all: NULL */
        *rest = s;
        return s;
    }
    while (n < s.n && !is_blank(s.s[n]))
        n++;
    *rest = (xq_str){s.s + n, s.n - n};
    return (xq_str){s.s, n};
}

static bool is(xq_str word, const char *text)
{
    return xq_str_eq(word, xq_str_of(text));
}

bool engine_begins(xq_str line, const char *word, xq_str *rest)
{
    if (!is(engine_word(&line), word))
        return false;
    if (rest)
        *rest = skip_blanks(line);
    return true;
}

/* A whole number; what is too large is cut. */
static bool number(xq_str s, int64_t *out)
{
    const bool minus = s.n > 0 && s.s[0] == '-';
    size_t i = minus || (s.n > 0 && s.s[0] == '+');
    int64_t v = 0;
    if (i == s.n)
        return false;
    for (; i < s.n; i++) {
        if (!is_digit(s.s[i]))
            return false;
        if (v < INT64_MAX / 10 - 9)
            v = v * 10 + (s.s[i] - '0');
    }
    *out = minus ? -v : v;
    return true;
}

static int to_int(int64_t v)
{
    const int most = ANALYSIS_CP_MAX;
    return v > most ? most : v < -most ? -most : (int)v;
}

/* ---- moves ---- */

/* A square at s.s[*i]; XQ_NOSQ: none. */
static xq_sq square(xq_str s, size_t *i, engine_ranks ranks)
{
    if (*i + 1 >= s.n || s.s[*i] < 'a' || s.s[*i] > 'i' ||
        !is_digit(s.s[*i + 1]))
        return XQ_NOSQ;
    const int file = s.s[*i] - 'a';
    int rank = s.s[*i + 1] - '0';
    *i += 2;
    if (ranks == ENGINE_RANKS_1 && rank == 1 && *i < s.n && s.s[*i] == '0') {
        rank = 10;
        ++*i;
    }
    rank -= ranks == ENGINE_RANKS_1;
    return rank < 0 ? XQ_NOSQ : xq_sq_of(file, rank);
}

xq_move engine_move(xq_str w, engine_ranks ranks)
{
    size_t i = w.n > 0 && w.s[0] >= 'A' && w.s[0] <= 'Z';
    const xq_sq from = square(w, &i, ranks);
    if (from == XQ_NOSQ)
        return XQ_NOMOVE;
    if (i < w.n && (w.s[i] == '-' || w.s[i] == 'x'))
        i++;
    const xq_sq to = square(w, &i, ranks);
    if (to == XQ_NOSQ)
        return XQ_NOMOVE;
    while (i < w.n && strchr("+#!?=", w.s[i]))
        i++;
    return i == w.n ? xq_move_make(from, to) : XQ_NOMOVE;
}

static bool is_move_number(xq_str w)
{
    size_t i = 0;
    while (i < w.n && is_digit(w.s[i]))
        i++;
    const size_t digits = i;
    while (i < w.n && w.s[i] == '.')
        i++;
    return digits > 0 && i > digits && i == w.n;
}

unsigned engine_moves(xq_str text, engine_ranks ranks, const xq_pos *p,
                      xq_move *out, unsigned max)
{
    xq_pos at = *p;
    unsigned n = 0;
    while (n < max) {
        const xq_str w = engine_word(&text);
        if (is_move_number(w))
            continue;
        const xq_move m = w.n ? engine_move(w, ranks) : XQ_NOMOVE;
        if (m == XQ_NOMOVE || !xq_move_is_legal(&at, m))
            break;
        xq_pos_make(&at, m, NULL);
        out[n++] = m;
    }
    return n;
}

/* ---- info ---- */

/* Behind "score": "cp 30", "mate -3", "25"; bounds follow. */
static void read_score(xq_str *rest, engine_info *out)
{
    xq_str ahead = *rest;
    xq_str w = engine_word(&ahead);
    int64_t v;
    const bool mate = is(w, "mate");
    if (mate || is(w, "cp"))
        w = engine_word(&ahead);
    if (!number(w, &v))
        return; /* "score upperbound"? the next word is read as itself */
    out->has_score = true;
    out->mate = mate;
    out->score = to_int(v);
    *rest = ahead;
}

static void read_number(xq_str *rest, uint64_t *out)
{
    xq_str ahead = *rest;
    int64_t v;
    if (number(engine_word(&ahead), &v) && v >= 0) {
        *out = (uint64_t)v;
        *rest = ahead;
    }
}

static unsigned small(uint64_t v) { return v > 9999 ? 9999 : (unsigned)v; }

bool engine_read_info(xq_str line, engine_info *out)
{
    xq_str rest;
    *out = (engine_info){.multipv = 1};
    if (!engine_begins(line, "info", &rest))
        return false;
    for (;;) {
        const xq_str w = engine_word(&rest);
        uint64_t v = 0;
        if (w.n == 0)
            return true;
        if (is(w, "string") || is(w, "message"))
            return out->has_score; /* text up to the end of the line */
        if (is(w, "pv")) {
            out->pv = trim(rest);
            return true;
        }
        if (is(w, "score")) {
            read_score(&rest, out);
        } else if (is(w, "lowerbound")) {
            out->bound = 1;
        } else if (is(w, "upperbound")) {
            out->bound = -1;
        } else if (is(w, "depth")) {
            read_number(&rest, &v);
            out->depth = small(v);
        } else if (is(w, "multipv")) {
            read_number(&rest, &v);
            out->multipv = v ? small(v) : 1;
        } else if (is(w, "nodes")) {
            read_number(&rest, &out->nodes);
        }
    }
}

/* Beyond it there are no scores, only mates (in XBoard from 100,000 on). */
enum { CECP_MATE = 100000, CECP_NEAR_MATE = 99000 };

bool engine_read_thinking(xq_str line, engine_info *out)
{
    int64_t v[4];
    xq_str rest = line;
    *out = (engine_info){.multipv = 1};
    for (int i = 0; i < 4; i++)
        if (!number(engine_word(&rest), &v[i]))
            return false;
    if (v[0] < 0 || v[3] < 0)
        return false;
    rest = trim(rest);
    /* HoiXiangqi: "(+)" and "(-)" behind the fails of a window */
    if (rest.n >= 3 && rest.s[0] == '(' && rest.s[2] == ')')
        out->bound = rest.s[1] == '+' ? 1 : -1;
    while (rest.n > 0 && rest.s[0] == '(')
        engine_word(&rest);
    if (rest.n > 0 && is_blank(rest.s[0]))
        rest = trim(rest);
    const int64_t size = v[1] < 0 ? -v[1] : v[1];
    int64_t moves = 0;
    if (size >= CECP_MATE)
        moves = size - CECP_MATE;
    else if (size > CECP_NEAR_MATE)
        moves = (CECP_MATE - size + 1) / 2;
    out->has_score = true;
    out->mate = size > CECP_NEAR_MATE;
    out->score = to_int(!out->mate ? v[1] : v[1] < 0 ? -moves : moves);
    out->depth = small((uint64_t)v[0]);
    out->nodes = (uint64_t)v[3];
    out->pv = rest;
    return true;
}

/* ---- bestmove ---- */

engine_answer engine_read_best(xq_str line, xq_str *move)
{
    static const char *const NONE[] = {"(none)", "none", "NULL", "0000",
                                       "a0a0",   "-",    "null", "resign"};
    xq_str rest;
    if (engine_begins(line, "nobestmove", NULL))
        return ENGINE_NO_MOVE;
    if (!engine_begins(line, "bestmove", &rest))
        return ENGINE_NO_ANSWER;
    *move = engine_word(&rest);
    for (size_t i = 0; i < sizeof NONE / sizeof *NONE; i++)
        if (is(*move, NONE[i]))
            return ENGINE_NO_MOVE;
    return move->n ? ENGINE_MOVE : ENGINE_NO_MOVE;
}

/* ---- options ---- */

static bool read_kind(xq_str w, engine_option_kind *out)
{
    static const struct {
        const char *name;
        engine_option_kind kind;
    } KINDS[] = {{"check", ENGINE_CHECK},   {"spin", ENGINE_SPIN},
                 {"combo", ENGINE_COMBO},   {"button", ENGINE_BUTTON},
                 {"string", ENGINE_STRING}, {"label", ENGINE_STRING},
                 {"slider", ENGINE_SPIN},   {"file", ENGINE_STRING},
                 {"path", ENGINE_STRING},   {"save", ENGINE_BUTTON},
                 {"reset", ENGINE_BUTTON}};
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++)
        if (is(w, KINDS[i].name)) {
            *out = KINDS[i].kind;
            return true;
        }
    return false;
}

/* Names may hold any word but "type". */
static bool read_name(xq_str *rest, engine_option *out)
{
    xq_str at = skip_blanks(*rest);
    const char *begin = at.s;
    for (;;) {
        const xq_str w = engine_word(&at);
        if (w.n == 0)
            return false;
        if (is(w, "type") && w.s != begin) {
            out->name = trim((xq_str){begin, (size_t)(w.s - begin)});
            *rest = at;
            return true;
        }
    }
}

bool engine_read_option(xq_str line, engine_option *out)
{
    xq_str rest, name;
    *out = (engine_option){.kind = ENGINE_STRING};
    if (!engine_begins(line, "option", &rest))
        return false;
    if (engine_begins(rest, "name", &name))
        rest = name;
    if (!read_name(&rest, out) || !read_kind(engine_word(&rest), &out->kind))
        return false;
    for (;;) {
        const xq_str before = skip_blanks(rest), w = engine_word(&rest);
        xq_str ahead = rest;
        if (w.n == 0)
            return true;
        if (is(w, "min")) {
            out->has_min = number(engine_word(&ahead), &out->min);
        } else if (is(w, "max")) {
            out->has_max = number(engine_word(&ahead), &out->max);
        } else if (is(w, "default") && out->kind == ENGINE_STRING) {
            out->preset = trim(rest);
            return true;
        } else if (is(w, "var") && out->kind == ENGINE_COMBO) {
            out->vars = before;
            return true;
        }
    }
}

bool engine_read_feature(xq_str text, engine_option *out)
{
    *out = (engine_option){.kind = ENGINE_STRING};
    xq_str rest = trim(text);
    const char *begin = rest.s;
    for (;;) {
        const xq_str w = engine_word(&rest);
        if (w.n == 0)
            return false;
        if (w.s[0] != '-' || w.s == begin ||
            !read_kind((xq_str){w.s + 1, w.n - 1}, &out->kind))
            continue;
        out->name = trim((xq_str){begin, (size_t)(w.s - begin)});
        break;
    }
    if (out->kind == ENGINE_STRING)
        out->preset = trim(rest);
    if (out->kind == ENGINE_SPIN) { /* now, least, most */
        engine_word(&rest);
        out->has_min = number(engine_word(&rest), &out->min);
        out->has_max = number(engine_word(&rest), &out->max);
    }
    return true;
}

bool engine_option_var(xq_str *rest, xq_str *var)
{
    xq_str at;
    if (!engine_begins(*rest, "var", &at))
        return false;
    const char *begin = at.s;
    size_t n = 0;
    for (xq_str w; (w = engine_word(&at)).n > 0;) {
        if (is(w, "var") || is(w, "default")) {
            at = (xq_str){w.s, w.n + at.n};
            break;
        }
        n = (size_t)(w.s + w.n - begin);
    }
    *var = (xq_str){begin, n};
    *rest = at;
    /* "default" among the choices: it and its value are passed over */
    xq_str skip = at, ahead;
    if (engine_begins(skip, "default", &ahead)) {
        for (xq_str w; (w = engine_word(&ahead)).n > 0;)
            if (is(w, "var")) {
                ahead = (xq_str){w.s, w.n + ahead.n};
                break;
            }
        *rest = ahead;
    }
    return true;
}

bool engine_option_takes(const engine_option *o, xq_str value, xq_str *spelt)
{
    int64_t v;
    xq_str var, rest = o->vars;
    *spelt = value;
    switch (o->kind) {
    case ENGINE_BUTTON:
        return value.n == 0;
    case ENGINE_CHECK:
        for (int i = 0; i < 2; i++) {
            *spelt = xq_str_of(i ? "true" : "false");
            if (xq_str_eq_nocase(value, *spelt))
                return true;
        }
        return false;
    case ENGINE_SPIN:
        return number(value, &v) && (!o->has_min || v >= o->min) &&
               (!o->has_max || v <= o->max);
    case ENGINE_COMBO:
        while (engine_option_var(&rest, &var))
            if (xq_str_eq_nocase(var, value)) {
                *spelt = var;
                return true;
            }
        return false;
    default:
        return true;
    }
}
