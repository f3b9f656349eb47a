/* fmt_text.c - what the readers of text formats share. */
#include "libpgn/fmt_text.h"

#include "libpgn/boundary.h"

#include <string.h>

/* ---- blocks and lines ---- */

bool pgn_text_load(pgn_reader *r, size_t from, size_t to)
{
    return pgn_block_load(r, from, to, r->encoding) &&
           pgn_block_reload(r, from, to);
}

bool pgn_text_line(const pgn_reader *r, size_t *from, size_t *to)
{
    size_t i = r->at;
    for (;;) {
        while (i < r->nraw && (pgn_byte_breaks(r->raw[i]) || r->raw[i] == ' ' ||
                               r->raw[i] == '\t'))
            i++;
        if (r->nraw - i < 3 || memcmp(r->raw + i, "\xEF\xBB\xBF", 3) != 0)
            break;
        i += 3;
    }
    if (i >= r->nraw)
        return false;
    *from = i;
    while (i < r->nraw && !pgn_byte_breaks(r->raw[i]))
        i++;
    *to = i;
    return true;
}

/* ---- values ---- */

xq_str pgn_text_trim(xq_str s)
{
    while (s.n && (unsigned char)s.s[0] <= ' ')
        s = (xq_str){s.s + 1, s.n - 1};
    while (s.n && (unsigned char)s.s[s.n - 1] <= ' ')
        s.n--;
    return s;
}

/* Breaks become `brk`, one for each; NUL, which PGN has not, a blank. */
static xq_str with_breaks(pgn_reader *r, xq_str s, char brk)
{
    s = pgn_text_trim(s);
    if (s.n == 0 || (!memchr(s.s, '\r', s.n) && !memchr(s.s, 0, s.n) &&
                     (brk == '\n' || !memchr(s.s, '\n', s.n))))
        return s;
    char *out = xq_arena_alloc(&r->arena, s.n);
    if (!out) {
        r->failed = true;
        return (xq_str){NULL, 0};
    }
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.s[i];
        if (c == '\r') {
            while (i + 1 < s.n && s.s[i + 1] == '\r')
                i++;
            if (i + 1 < s.n && s.s[i + 1] == '\n')
                i++;
            c = '\n';
        }
        out[n++] = c == '\n' ? brk : c ? c : ' ';
    }
    return pgn_text_trim((xq_str){out, n});
}

xq_str pgn_text_value(pgn_reader *r, xq_str s)
{
    return with_breaks(r, s, ' ');
}

xq_str pgn_text_comment(pgn_reader *r, xq_str s)
{
    return with_breaks(r, s, '\n');
}

void pgn_text_tag(pgn_reader *r, const char *name, xq_str value, size_t at)
{
    value = pgn_text_value(r, value);
    if (value.n)
        pgn_build_tag(r, xq_str_of(name), value, at);
}

void pgn_text_fen(pgn_reader *r, xq_str fen, size_t at)
{
    xq_pos p;
    unsigned flags = 0;
    fen = pgn_text_trim(fen);
    if (fen.n == 0)
        return;
    /* niu2x's lists glue everything: .../3K5w--01 */
    const char *end = fen.s + fen.n, *e = pgn_fen_board(fen.s, end, 9);
    if (e && e < end && (*e | 32) == 'w')
        e++;
    if (e && e < end && *e == '-')
        fen.n = (size_t)(e - fen.s);
    if (xq_fen_parse(&p, fen, &flags, NULL) < 0 || flags) {
        pgn_build_tag(r, xq_str_of("FEN"), pgn_text_value(r, fen), at);
        return;
    }
    char text[XQ_FEN_MAX];
    const size_t n = xq_fen_format(&p, text);
    const xq_str own = xq_arena_copy(&r->arena, (xq_str){text, n});
    if (own.s)
        pgn_build_tag(r, xq_str_of("FEN"), own, at);
    else
        r->failed = true;
}

/* ---- results ---- */

static const struct {
    const char *text;
    pgn_result result;
} RESULTS[] = {
    {"W", PGN_RED_WINS},       {"L", PGN_BLACK_WINS},
    {"D", PGN_DRAW},           {"RED_WINS", PGN_RED_WINS},
    {"RED", PGN_RED_WINS},     {"BLACK_WINS", PGN_BLACK_WINS},
    {"BLACK", PGN_BLACK_WINS}, {"DRAW", PGN_DRAW},
    {"和局", PGN_DRAW},        {"未知", PGN_UNKNOWN},
    {"UNKNOWN", PGN_UNKNOWN},  {"NONE", PGN_UNKNOWN},
    {"多种结果", PGN_UNKNOWN},
};

void pgn_text_result(pgn_reader *r, xq_str value, size_t at)
{
    value = pgn_text_value(r, value);
    pgn_result res = PGN_UNKNOWN;
    if (value.n == 0)
        return;
    size_t i = 0;
    const size_t n = sizeof RESULTS / sizeof *RESULTS;
    /* PGN's word for it: programs that read what we write know no other */
    while (i < n && !xq_str_eq_nocase(value, xq_str_of(RESULTS[i].text)))
        i++;
    if (i < n)
        res = RESULTS[i].result;
    else if (!pgn_result_parse(value, &res))
        pgn_build_problem(r, PGN_WARNING, PGN_P_RESULT, at, 0, value,
                          "result \"%.*s\" says nothing",
                          pgn_build_shown(value), value.s);
    pgn_build_tag(r, xq_str_of("Result"), xq_str_of(pgn_result_text(res)), at);
    pgn_build_marker(r, res, at);
}

/* ---- moves ---- */

bool pgn_text_play(pgn_reader *r, xq_move m, size_t at)
{
    if (r->line.dead)
        return false;
    if (m != XQ_NOMOVE && xq_move_is_legal(&r->line.pos, m)) {
        r->written[PGN_ICCS]++;
        pgn_build_play(r, m);
        return !r->failed;
    }
    char iccs[5];
    xq_move_format(m, iccs);
    const xq_str text = xq_arena_copy(&r->arena, xq_str_of(iccs));
    if (!text.s) {
        r->failed = true;
        return false;
    }
    /* the complete reader says why not, or finds that the other side moves */
    r->hint = PGN_ICCS;
    return pgn_build_move(r, text, at);
}

static bool is_file(char c) { return (c | 32) >= 'a' && (c | 32) <= 'i'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

const char *pgn_text_square_move(const char *p, const char *end)
{
    for (int i = 0; i < 2; i++) {
        if (i && p < end && *p == '-')
            p++;
        if (end - p < 2 || !is_file(p[0]) || !is_digit(p[1]))
            return NULL;
        p += p[1] == '1' && end - p > 2 && p[2] == '0' ? 3 : 2;
    }
    return p;
}

/* h2e2 as ranks 0-9, where nothing says that they are 1-10. */
static bool quick_squares(pgn_reader *r, const char *p, const char *e)
{
    const char *q = p + 2 + (p[2] == '-');
    if (r->hint > PGN_UCI || e != q + 2)
        return false;
    const xq_move m = xq_move_make(xq_sq_of((p[0] | 32) - 'a', p[1] - '0'),
                                   xq_sq_of((q[0] | 32) - 'a', q[1] - '0'));
    if (!xq_move_is_legal(&r->line.pos, m))
        return false;
    r->written[PGN_ICCS]++;
    r->hint = PGN_ICCS;
    pgn_build_play(r, m);
    return true;
}

/* Digits of DhtmlXQ: x y x y, y from the top. */
static const char *digits(pgn_reader *r, const char *p, const char *end)
{
    while (end - p >= 4 && is_digit(p[0]) && is_digit(p[1]) && is_digit(p[2]) &&
           is_digit(p[3]) && p[0] < '9' && p[2] < '9') {
        const xq_move m = xq_move_make(xq_sq_of(p[0] - '0', '9' - p[1]),
                                       xq_sq_of(p[2] - '0', '9' - p[3]));
        if (!pgn_text_play(r, m, pgn_text_at(r, p)))
            return end;
        p += 4;
    }
    return p;
}

static bool is_separator(char c) { return c == ',' || (unsigned char)c <= ' '; }

/* How many moves of a list can be played from `pos` on with ranks from 0, or
 * from 1.  Stops behind enough of them. */
static unsigned replay(xq_pos pos, const char *p, const char *end, int from)
{
    const char *e;
    unsigned n = 0;
    for (; n < 1000 && (e = pgn_text_square_move(p, end)); n++) {
        xq_sq sq[2];
        for (int i = 0; i < 2; i++) {
            const bool ten = p[1] == '1' && p[2] == '0' && p + 2 < e;
            const int rank = (ten ? 10 : p[1] - '0') - from;
            if (rank < 0 || rank > 9)
                return n;
            sq[i] = xq_sq_of((*p | 32) - 'a', rank);
            p += ten ? 3 : 2;
            p += i == 0 && *p == '-';
        }
        const xq_move m = xq_move_make(sq[0], sq[1]);
        if (!xq_move_is_legal(&pos, m))
            return n;
        xq_pos_make(&pos, m, NULL);
        for (p = e; p < end && is_separator(*p);)
            p++;
    }
    return n;
}

/* The first move of a list is not legal as it stands: the FEN may name the
 * wrong side, or ranks count from 1.  What can be played further wins. */
static void choose_ranks(pgn_reader *r, const char *p, const char *end)
{
    xq_pos other = r->line.pos;
    xq_pos_pass(&other);
    if (replay(other, p, end, 0) > replay(r->line.pos, p, end, 1))
        r->hint = PGN_ICCS;
}

void pgn_text_moves(pgn_reader *r, const char *p, const char *end)
{
    while (p < end && !r->failed && !r->line.dead) {
        if (is_separator(*p)) {
            p++;
            continue;
        }
        const char *e = pgn_text_square_move(p, end);
        if (e && quick_squares(r, p, e)) {
            p = e;
            continue;
        }
        if (e && r->hint == PGN_NOTATION_ANY && r->line.ply == 0)
            choose_ranks(r, p, end);
        if (!e && is_digit(*p) && (e = digits(r, p, end)) > p) {
            p = e;
            continue;
        }
        if (!e || e == p)
            for (e = p; e < end && !is_separator(*e);)
                e++;
        if (!pgn_build_move(r, (xq_str){p, (size_t)(e - p)}, pgn_text_at(r, p)))
            return;
        p = e;
    }
}

/* ---- the end ---- */

/* The tag FEN names the side that turned out to move first. */
static void mend_fen(pgn_reader *r)
{
    pgn_game *g = &r->game;
    xq_pos p;
    const xq_str tag = pgn_build_value(r, PGN_TAG_FEN);
    if (tag.n ? xq_fen_parse(&p, tag, NULL, NULL) < 0 || p.side == g->start.side
              : g->standard)
        return;
    char text[XQ_FEN_MAX];
    const size_t n = xq_fen_format(&g->start, text);
    const xq_str own = xq_arena_copy(&r->arena, (xq_str){text, n});
    if (!own.s)
        r->failed = true;
    else if (tag.n)
        g->tags[r->tag[PGN_TAG_FEN].index].value = own;
    else
        pgn_build_tag(r, xq_str_of("FEN"), own, r->begin);
}

void pgn_text_finish(pgn_reader *r, size_t at, bool list)
{
    if (r->failed)
        return;
    if (!r->setup)
        pgn_build_setup(r);
    if (list && !r->marker)
        pgn_build_marker(r, PGN_UNKNOWN, at);
    pgn_build_finish(r, at);
    if (r->failed)
        return;
    if (r->tag[PGN_TAG_RESULT].index == UINT32_MAX)
        pgn_build_tag(r, xq_str_of("Result"),
                      xq_str_of(pgn_result_text(r->game.result)), at);
    mend_fen(r);
}
