/* fmt_moves.c - lists of moves, a game a line.
 *
 *   id;h2e2,h9g7,...                       the id becomes the tag GameId
 *   h2e2h9g7...                            glued, and on the next line perhaps
 *   1Cbakabnr/9/.../RNBAKABNRw             the FEN they begin at
 *   7747 7062...                           digits of DhtmlXQ
 *   position startpos moves h2e2 h9g7      as engines are told
 *
 * The longest field of squares is the moves.  Where the first one does not fit,
 * the side that the FEN does not name and ranks 1-10 are tried, and what plays
 * further wins.  Sources: formats reference 1.3 and 2.1. */
#include "libpgn/fmt_text.h"

#include <string.h>

/* Behind `word` and a blank at *p. */
static void skip_word(const char **p, const char *end, const char *word)
{
    const size_t n = strlen(word);
    if ((size_t)(end - *p) > n && !memcmp(*p, word, n) && (*p)[n] == ' ')
        *p += n + 1;
}

static bool is_moves(const char *p, const char *end)
{
    if (pgn_text_square_move(p, end))
        return true;
    size_t digits = 0; /* in fours */
    for (; p < end; p++) {
        if (*p == ' ' && digits % 4 == 0)
            continue;
        if (*p < '0' || *p > '9')
            return false;
        digits++;
    }
    return digits > 0 && digits % 4 == 0;
}

enum { FIELDS = 6 };

struct fields {
    xq_str f[FIELDS];
    size_t n;
    size_t moves, fen; /* which they are, FIELDS: none */
};

static void one_field(struct fields *f, const char *p, const char *end)
{
    const xq_str s = pgn_text_trim((xq_str){p, (size_t)(end - p)});
    if (s.n && f->n < FIELDS)
        f->f[f->n++] = s;
}

/* Fields are set apart by ; | and tabs.  An id may look like a move: the moves
 * are the longest field that does. */
static void split(struct fields *f, const char *p, const char *end)
{
    skip_word(&p, end, "position");
    skip_word(&p, end, "startpos");
    skip_word(&p, end, "moves");
    const char *from = p;
    for (; p < end; p++)
        if (*p == ';' || *p == '|' || *p == '\t') {
            one_field(f, from, p);
            from = p + 1;
        }
    one_field(f, from, end);
    f->moves = f->fen = FIELDS;
    for (size_t i = 0; i < f->n; i++) {
        const xq_str s = f->f[i];
        if (pgn_fen_board(s.s, s.s + s.n, 7)) {
            if (f->fen == FIELDS)
                f->fen = i;
        } else if (is_moves(s.s, s.s + s.n) &&
                   (f->moves == FIELDS || s.n >= f->f[f->moves].n)) {
            f->moves = i;
        }
    }
}

/* The game in r->text: a line, and perhaps its FEN on a second one. */
static void read_game(pgn_reader *r)
{
    struct fields f = {.n = 0};
    const char *p = r->text, *end = p + r->ntext, *le = p;
    while (le < end && *le != '\n' && *le != '\r')
        le++;
    split(&f, p, le);
    const xq_str second = pgn_text_trim((xq_str){le, (size_t)(end - le)});
    const bool has_moves = f.moves < FIELDS;
    pgn_build_start(r, 0);
    if (r->failed)
        return;
    for (size_t i = 0; i < f.n; i++) {
        pgn_result res;
        const xq_str v = f.f[i];
        const size_t at = pgn_text_at(r, v.s);
        if (i == f.moves || i == f.fen)
            continue;
        if (i == 0 && has_moves)
            pgn_text_tag(r, "GameId", v, at);
        else if (!r->marker && pgn_result_parse(v, &res))
            pgn_text_result(r, v, at);
        else
            pgn_text_tag(r, "Note", v, at);
    }
    if (f.fen < FIELDS)
        pgn_text_fen(r, f.f[f.fen], pgn_text_at(r, f.f[f.fen].s));
    else if (second.n)
        pgn_text_fen(r, second, pgn_text_at(r, second.s));
    if (!has_moves)
        pgn_build_problem(r, PGN_ERROR, PGN_P_STRUCTURE, 0, 0,
                          (xq_str){r->text, (size_t)(le - p)},
                          "no moves in this line");
    if (pgn_build_setup(r) && has_moves)
        pgn_text_moves(r, f.f[f.moves].s, f.f[f.moves].s + f.f[f.moves].n);
    pgn_text_finish(r, r->ntext, true);
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    size_t from, to, from2, to2;
    if (!pgn_text_line(r, &from, &to)) {
        r->at = r->nraw;
        return XQ_DONE;
    }
    r->at = to;
    if (pgn_text_line(r, &from2, &to2) &&
        pgn_moves_fen_line((const char *)r->raw + from2,
                           (const char *)r->raw + to2))
        r->at = to = to2;
    if (!pgn_text_load(r, from, to))
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    read_game(r);
    return r->failed ? xq_fail(err, XQ_ENOMEM, "out of memory") : XQ_OK;
}

const pgn_fmt pgn_fmt_moves = {PGN_FMT_MOVES, next};
