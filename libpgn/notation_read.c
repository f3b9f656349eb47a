/* notation_read.c - from readings of a text to the one legal move it means. */
#include "engine/rules.h"
#include "libpgn/notation_internal.h"

#include <string.h>

/* Everything that a text can mean, in the order of tiers. */
static unsigned readings_of(const xq_pos *p, xq_str text, pgn_notation hint,
                            pgn_sym s[PGN_SYMS], pgn_readings *rs)
{
    unsigned n = pgn_scan(text, s);
    rs->n = rs->reached = 0;
    pgn_parts(p, s, n, hint, rs);
    if (rs->n == 0)
        pgn_squares(s, n, hint, rs);
    return n;
}

static void add_legal(const xq_pos *p, const pgn_reading *r, pgn_found *f)
{
    xq_sq from[XQ_SQUARES];
    unsigned n = pgn_picked(p, r, from);
    for (unsigned i = 0; i < n; i++) {
        xq_sq to = pgn_target(p, r, from[i]);
        xq_move m = xq_move_make(from[i], to);
        if (to != XQ_NOSQ && xq_move_is_legal(p, m))
            pgn_add_move(f, m);
    }
}

/* The legal moves that fit; the first tier that has any decides. */
static void find(const xq_pos *p, const pgn_readings *rs, pgn_found *f)
{
    f->n = 0;
    for (unsigned tier = 0; tier < PGN_TIERS && f->n == 0; tier++)
        for (unsigned i = 0; i < rs->n; i++)
            if (rs->r[i].tier == tier)
                add_legal(p, &rs->r[i], f);
}

/* The spelling `out` of some notation, without its own marks: is it what the
 * text has, marks and blanks aside? */
static bool is_spelt(const char *out, size_t len, xq_str text, const pgn_sym *s,
                     unsigned n)
{
    while (len && (out[len - 1] == '+' || out[len - 1] == '#'))
        len--;
    size_t end = s[0].byte + len;
    unsigned rest = 0;
    if (end > text.n || memcmp(text.s + s[0].byte, out, len) != 0)
        return false;
    while (rest < n && s[rest].byte < end)
        rest++;
    return pgn_only_marks(s, rest, n);
}

unsigned pgn_move_spelt_in(const xq_pos *p, xq_str text, xq_move m)
{
    pgn_sym s[PGN_SYMS];
    unsigned n = pgn_scan(text, s), in = 0;
    char out[PGN_MOVE_TEXT_MAX];
    size_t len;

    if (n == 0)
        return 0;
    for (unsigned k = PGN_ICCS; k < PGN_NOTATIONS; k++) {
        len = pgn_move_write(p, m, (pgn_notation)k, PGN_SIMPLIFIED, out);
        in |= (unsigned)is_spelt(out, len, text, s, n) << k;
    }
    len = pgn_move_write(p, m, PGN_CHINESE, PGN_TRADITIONAL, out);
    in |= (unsigned)is_spelt(out, len, text, s, n) << PGN_CHINESE;
    len = pgn_iccs_upper(m, out);
    in |= (unsigned)is_spelt(out, len, text, s, n) << PGN_ICCS;
    return in;
}

/* Of moves that fit, keep those whose notation spells them so, if any: the
 * file letter of "Rii2" is needed when ranks count from 0, not from 1.  What
 * pgn_move_write has written is never thrown out. */
static void keep_spellings(const xq_pos *p, pgn_found *f, xq_str text)
{
    pgn_found kept = {.n = 0};
    for (unsigned i = 0; i < f->n; i++)
        if (pgn_move_spelt_in(p, text, f->m[i]))
            pgn_add_move(&kept, f->m[i]);
    if (kept.n)
        *f = kept;
}

bool pgn_means_only(const xq_pos *p, xq_str text, pgn_notation hint, xq_move m)
{
    pgn_sym s[PGN_SYMS];
    pgn_readings rs;
    pgn_found f;
    readings_of(p, text, hint, s, &rs);
    find(p, &rs, &f);
    return f.n == 1 && f.m[0] == m;
}

xq_status pgn_move_read(const xq_pos *p, xq_str text, pgn_notation hint,
                        xq_move *m, pgn_candidates *amb, xq_err *err)
{
    pgn_sym s[PGN_SYMS];
    pgn_readings rs;
    pgn_found f;

    *m = XQ_NOMOVE;
    if (amb)
        amb->n = 0;
    unsigned n = readings_of(p, text, hint, s, &rs);
    if (rs.n == 0)
        return pgn_explain_syntax(text, s, n, rs.reached, err);
    find(p, &rs, &f);
    if (f.n > 1)
        keep_spellings(p, &f, text);
    if (f.n > 1)
        return pgn_explain_ambiguous(&f, s[0].byte, amb, err);
    if (f.n == 1) {
        *m = f.m[0];
        return XQ_OK;
    }
    const pgn_reading *best = &rs.r[0];
    for (unsigned i = 1; i < rs.n; i++)
        if (rs.r[i].tier < best->tier)
            best = &rs.r[i];
    return pgn_explain(p, s, best, m, err);
}
