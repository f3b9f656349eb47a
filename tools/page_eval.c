/* page_eval.c - what the comments and NAGs of a game say about its moves. */
#include "tools/page_eval.h"

#include "engine/eval.h"

#include <math.h>
#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* A number at s[*at..n), read by hand: strtod asks the locale.  More digits
 * than a score has make it no number. */
static bool read_number(xq_str s, size_t *at, double *v)
{
    size_t i = *at, digits = 0;
    double value = 0, place = 1;
    for (; i < s.n && is_digit(s.s[i]); i++, digits++)
        value = value * 10 + (s.s[i] - '0');
    if (i < s.n && s.s[i] == '.')
        for (i++; i < s.n && is_digit(s.s[i]); i++, digits++)
            value += (s.s[i] - '0') * (place /= 10);
    if (digits == 0 || digits > 9)
        return false;
    *at = i;
    *v = value;
    return true;
}

static bool read_eval(xq_str s, page_eval *e, size_t *end)
{
    static const char BEGIN[] = "[%eval ";
    size_t at = sizeof BEGIN - 1;
    if (s.n < at || memcmp(s.s, BEGIN, at) != 0)
        return false;
    while (at < s.n && s.s[at] == ' ')
        at++;
    *e = (page_eval){.kind = PAGE_PAWNS};
    if (at < s.n && s.s[at] == '#') {
        e->kind = PAGE_MATE;
        at++;
    }
    if (at < s.n && (s.s[at] == '-' || s.s[at] == '+'))
        e->black = s.s[at++] == '-';
    const size_t from = at;
    if (!read_number(s, &at, &e->amount))
        return false;
    snprintf(e->text, sizeof e->text, "%s%s%.*s",
             e->kind == PAGE_MATE ? "#" : "", e->black ? "-" : "",
             (int)(at - from), s.s + from);
    const char *const close = memchr(s.s + at, ']', s.n - at);
    if (!close || (*(s.s + at) != ']' && *(s.s + at) != ',' &&
                   *(s.s + at) != '/' && *(s.s + at) != ' '))
        return false;
    *end = (size_t)(close - s.s) + 1;
    return true;
}

bool page_eval_find(xq_str comment, page_eval *e, size_t *from, size_t *to)
{
    for (size_t i = 0; i + 7 < comment.n; i++) {
        size_t n;
        if (comment.s[i] == '[' &&
            read_eval((xq_str){comment.s + i, comment.n - i}, e, &n)) {
            *from = i;
            *to = i + n;
            return true;
        }
    }
    *e = (page_eval){.kind = PAGE_NONE};
    return false;
}

/* "+0.30/12", "0.00/7", "-M4/20" at s[from..). */
static bool read_movers(xq_str s, size_t from, xq_side mover, page_eval *e,
                        size_t *end)
{
    size_t at = from;
    double depth;
    const bool sign = at < s.n && (s.s[at] == '+' || s.s[at] == '-');
    *e = (page_eval){.kind = PAGE_PAWNS};
    if (sign)
        e->black = (s.s[at++] == '-') == (mover == XQ_RED);
    if (sign && at < s.n && s.s[at] == 'M') {
        e->kind = PAGE_MATE;
        at++;
    }
    const size_t number = at;
    if (!read_number(s, &at, &e->amount))
        return false;
    const xq_str digits = {s.s + number, at - number};
    const bool point = memchr(digits.s, '.', digits.n) != NULL;
    if (e->kind == PAGE_MATE ? point : !sign && !point)
        return false;
    if (at == s.n || s.s[at++] != '/' || !read_number(s, &at, &depth))
        return false;
    if (at < s.n && s.s[at] != ' ' && s.s[at] != ',')
        return false;
    if (!(e->amount > 0))
        e->black = false;
    if (e->kind == PAGE_MATE) {
        e->amount = floor((e->amount + 1) / 2); /* plies to moves */
        snprintf(e->text, sizeof e->text, "#%s%.0f", e->black ? "-" : "",
                 e->amount);
    } else
        snprintf(e->text, sizeof e->text, "%s%.*s", e->black ? "-" : "",
                 (int)digits.n, digits.s);
    *end = at;
    return true;
}

bool page_eval_of_mover(xq_str comment, xq_side mover, page_eval *e,
                        size_t *from, size_t *to)
{
    *from = 0;
    while (*from < comment.n && comment.s[*from] == ' ')
        ++*from;
    if (read_movers(comment, *from, mover, e, to))
        return true;
    *e = (page_eval){.kind = PAGE_NONE};
    return false;
}

unsigned page_eval_share(const page_eval *e, const xq_pos *p)
{
    if (e->kind == PAGE_MATE) {
        if (!(e->amount > 0))
            return p->side == XQ_RED ? 0 : 1000;
        return e->black ? 0 : 1000;
    }
    /* The curve is flat long before a score this high. */
    const int score = (int)lround(fmin(e->amount, 300) * 100);
    const bool own = e->black == (p->side == XQ_BLACK);
    const xq_chances c = xq_chances_of(own ? score : -score, p);
    const unsigned share = c.win + c.draw / 2;
    return p->side == XQ_RED ? share : 1000 - share;
}

const char *page_nag(uint32_t nag, char room[16])
{
    static const char *const SIGN[] = {
        [1] = "!",  [2] = "?",      [3] = "!!",     [4] = "??", [5] = "!?",
        [6] = "?!", [7] = "\u25a1", [8] = "\u25a1", [10] = "="};
    if (nag < sizeof SIGN / sizeof *SIGN && SIGN[nag])
        return SIGN[nag];
    snprintf(room, 16, "$%u", (unsigned)nag);
    return room;
}
