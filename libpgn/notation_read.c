/* notation_read.c - from readings of a text to the one legal move it means,
 * or to why it means none. */
#include "engine/rules.h"
#include "libpgn/notation_internal.h"

#include <stdio.h>
#include <string.h>

static const char *const KIND[8] = {"piece", "king", "advisor", "elephant",
                                    "horse", "rook", "cannon",  "pawn"};

/* Moves found, each once. */
struct found {
    unsigned n;
    xq_move m[XQ_SQUARES];
};

static void add_move(struct found *f, xq_move m)
{
    for (unsigned i = 0; i < f->n; i++)
        if (f->m[i] == m)
            return;
    if (f->n < XQ_SQUARES)
        f->m[f->n++] = m;
}

/* ---- which pieces a reading means ---- */

/* The place from the front that `r` picks among n pieces on one file; 0 when
 * it picks none of them. */
static unsigned place(const pgn_reading *r, unsigned n)
{
    switch ((pgn_pick)r->pick) {
    case PGN_PICK_FRONT:
        return 1;
    case PGN_PICK_MIDDLE:
        return n % 2 == 1 ? (n + 1) / 2 : 0;
    case PGN_PICK_REAR:
        return n;
    case PGN_PICK_PLUS:
        return n >= 4 ? 2 : 1;
    case PGN_PICK_MINUS:
        return n >= 4 ? n - 1 : n;
    case PGN_PICK_FIRST:
        return n >= 4 ? 1 : 0;
    case PGN_PICK_LAST:
        return n >= 4 ? n : 0;
    case PGN_PICK_INDEX:
        return r->index <= n ? r->index : 0;
    case PGN_PICK_ALL:
    case PGN_PICK_SET:
        break;
    }
    return 0;
}

static unsigned pick_all(const xq_pos *p, const pgn_reading *r,
                         xq_sq out[XQ_SQUARES])
{
    const xq_piece piece = xq_piece_of((xq_side)p->side, (xq_kind)r->kind);
    unsigned n = 0;
    for (unsigned i = p->first[piece]; i < p->first[piece + 1]; i++) {
        xq_sq s = p->sq[i];
        if (s != XQ_NOSQ &&
            (r->file == PGN_UNSET || r->file == xq_file_of[s]) &&
            (r->rank == PGN_UNSET || r->rank == xq_rank_of[s]))
            out[n++] = s;
    }
    return n;
}

static unsigned pick_in_files(const xq_pos *p, const pgn_reading *r,
                              xq_sq out[XQ_SQUARES])
{
    unsigned n = 0;
    for (unsigned file = 0; file < 9; file++) {
        xq_sq here[10];
        if (r->file != PGN_UNSET && r->file != file)
            continue;
        unsigned count = pgn_on_file(p, (xq_kind)r->kind, file, here);
        unsigned k = count >= 2 ? place(r, count) : 0;
        if (k)
            out[n++] = here[k - 1];
    }
    return n;
}

static unsigned pick(const xq_pos *p, const pgn_reading *r,
                     xq_sq out[XQ_SQUARES])
{
    if (r->kind == 0) {
        out[0] = xq_sq_of(r->file, r->rank);
        return 1;
    }
    if (r->pick == PGN_PICK_ALL)
        return pick_all(p, r, out);
    if (r->pick != PGN_PICK_SET)
        return pick_in_files(p, r, out);
    xq_sq set[XQ_SQUARES];
    unsigned n = pgn_tandem(p, (xq_kind)r->kind, set);
    if (r->index < 1 || r->index > n)
        return 0;
    out[0] = set[r->index - 1];
    return 1;
}

/* Where a reading sends the piece on `from`. */
static xq_sq target(const xq_pos *p, const pgn_reading *r, xq_sq from)
{
    if (r->to != XQ_NOSQ)
        return r->to;
    return pgn_part_target((xq_side)p->side, (xq_kind)r->kind, from, r->dir,
                           r->target);
}

static void add_legal(const xq_pos *p, const pgn_reading *r, struct found *f)
{
    xq_sq from[XQ_SQUARES];
    unsigned n = pick(p, r, from);
    for (unsigned i = 0; i < n; i++) {
        xq_sq to = target(p, r, from[i]);
        xq_move m = xq_move_make(from[i], to);
        if (to != XQ_NOSQ && xq_move_is_legal(p, m))
            add_move(f, m);
    }
}

/* ---- why there is no legal move ---- */

static xq_status fail_at(xq_err *err, xq_status code, size_t byte,
                         const char *message)
{
    xq_fail(err, code, "%s", message);
    if (err)
        err->byte = byte;
    return code;
}

/* No piece stands where a text with squares says: "Rii2". */
static void explain_no_square(const pgn_reading *r, char out[128])
{
    if (r->file == PGN_UNSET)
        snprintf(out, 128, "no %s on rank %u", KIND[r->kind], r->rank);
    else if (r->rank == PGN_UNSET)
        snprintf(out, 128, "no %s on the %c file", KIND[r->kind],
                 'a' + r->file);
    else
        snprintf(out, 128, "no %s on %c%u", KIND[r->kind], 'a' + r->file,
                 r->rank);
}

/* No piece is picked by a four-part move: "前炮退二" with one cannon. */
static void explain_no_order(const xq_pos *p, const pgn_reading *r,
                             char out[128])
{
    const char *kind = KIND[r->kind];
    unsigned n = 0;
    xq_sq here[10];
    char file[16] = "one file";

    if (r->file != PGN_UNSET) {
        n = pgn_on_file(p, (xq_kind)r->kind, r->file, here);
        snprintf(file, sizeof file, "file %u",
                 pgn_file_number((xq_side)p->side, r->file));
    }
    if (r->pick == PGN_PICK_SET && pgn_tandem_files(p, (xq_kind)r->kind))
        snprintf(out, 128, "%ss that stand one behind another: no number %u",
                 kind, r->index);
    else if (r->pick == PGN_PICK_INDEX && n >= 2)
        snprintf(out, 128, "%ss on %s: no number %u", kind, file, r->index);
    else if (r->file != PGN_UNSET && n == 0)
        snprintf(out, 128, "no %s on %s", kind, file);
    else
        snprintf(out, 128, "no %s %ss on %s",
                 r->pick == PGN_PICK_MIDDLE                               ? "three"
                 : r->pick == PGN_PICK_FIRST || r->pick == PGN_PICK_LAST ? "four"
                                                                         : "two",
                 kind, file);
}

/* Nothing stands where the text says.  Returns the symbol to blame. */
static unsigned explain_no_piece(const xq_pos *p, const pgn_reading *r,
                                 char out[128])
{
    const pgn_reading all = {
        .kind = r->kind, .file = PGN_UNSET, .rank = PGN_UNSET};
    xq_sq here[XQ_SQUARES];

    if (pick_all(p, &all, here) == 0) {
        snprintf(out, 128, "no %s is left", KIND[r->kind]);
        return r->at_piece;
    }
    if (r->to != XQ_NOSQ)
        explain_no_square(r, out);
    else if (r->pick == PGN_PICK_ALL && r->file == PGN_UNSET)
        snprintf(out, 128, "file 0: files count from 1");
    else if (r->pick == PGN_PICK_ALL)
        snprintf(out, 128, "no %s on file %u", KIND[r->kind],
                 pgn_file_number((xq_side)p->side, r->file));
    else
        explain_no_order(p, r, out);
    return r->at_from;
}

/* That piece never moves so, wherever it stands. */
static unsigned explain_no_target(const pgn_reading *r, char out[128])
{
    const char *kind = KIND[r->kind];
    bool slanted = r->kind == XQ_ADVISOR || r->kind == XQ_ELEPHANT ||
                   r->kind == XQ_HORSE;

    if (r->target == 0) {
        snprintf(out, 128, "target 0: files and steps count from 1");
        return r->at_to;
    }
    if (slanted && r->dir == 3) {
        snprintf(out, 128, "%s never moves sideways", kind);
        return r->at_dir;
    }
    if (slanted)
        snprintf(out, 128, "%s cannot reach file %u", kind, r->target);
    else if (r->dir == 3)
        snprintf(out, 128, "%s stands on file %u already", kind, r->target);
    else
        snprintf(out, 128, "%s has no room for %u step%s %s", kind, r->target,
                 r->target == 1 ? "" : "s", r->dir == 1 ? "forward" : "back");
    return r->at_to;
}

/* The rules' own words; with the squares, where the text has none. */
static void explain_verdict(const xq_pos *p, xq_move m, xq_verdict v,
                            bool squares, char out[160])
{
    char reason[128], name[5];
    xq_verdict_text(p, m, v, reason);
    xq_move_format(m, name);
    if (squares)
        snprintf(out, 160, "%s (%s)", reason, name);
    else
        snprintf(out, 160, "%s", reason);
}

/* Say why reading r names no legal move; *m gets the move it names, if it
 * names just one. */
static xq_status explain(const xq_pos *p, const pgn_sym *s,
                         const pgn_reading *r, xq_move *m, xq_err *err)
{
    xq_sq from[XQ_SQUARES];
    struct found named = {0}, pseudo = {0};
    unsigned n = pick(p, r, from), at = r->at_to;
    char text[160];

    for (unsigned i = 0; i < n; i++) {
        xq_sq to = target(p, r, from[i]);
        if (to == XQ_NOSQ)
            continue;
        xq_move move = xq_move_make(from[i], to);
        add_move(&named, move);
        if (xq_move_is_pseudo(p, move))
            add_move(&pseudo, move);
    }
    const struct found *best = pseudo.n ? &pseudo : &named;
    if (best->n == 1)
        *m = best->m[0];

    char to_name[3] = "";
    if (r->to != XQ_NOSQ)
        xq_sq_format(r->to, to_name);
    if (n && r->to != XQ_NOSQ && r->to == from[0] && n == 1) {
        *m = XQ_NOMOVE;
        snprintf(text, sizeof text, "the move does not leave %s", to_name);
    } else if (best->n == 1 || pseudo.n) {
        /* Several pieces could go there, each into check: name the first. */
        xq_verdict v = xq_move_judge(p, best->m[0]);
        explain_verdict(p, best->m[0], v, r->kind != 0, text);
        if (v == XQ_NO_PIECE || v == XQ_NOT_YOURS)
            at = r->at_from;
        else if (v == XQ_BACKWARD && r->to == XQ_NOSQ)
            at = r->at_dir;
    } else if (!n) {
        at = explain_no_piece(p, r, text);
    } else if (r->to != XQ_NOSQ) {
        snprintf(text, sizeof text, "no %s can reach %s", KIND[r->kind],
                 to_name);
    } else if (!named.n) {
        at = explain_no_target(r, text);
    } else {
        explain_verdict(p, named.m[0], xq_move_judge(p, named.m[0]), true,
                        text);
    }
    return fail_at(err, XQ_EILLEGAL, s[at].byte, text);
}

/* ---- no notation at all ---- */

/* Is a piece due at symbol k?  First, or behind 前, 一 and their like. */
static bool piece_due(const pgn_sym *s, unsigned k)
{
    if (k == 0)
        return true;
    unsigned before = pgn_sym_class(s[0]);
    return k == 1 && (before == PGN_C_ORDER || before == PGN_C_DIGIT ||
                      before == PGN_C_SIGN);
}

static xq_status explain_syntax(xq_str text, const pgn_sym *s, unsigned n,
                                unsigned k, xq_err *err)
{
    if (n == 0)
        return fail_at(err, XQ_ESYNTAX, 0, "no move: the text is blank");
    if (k >= n)
        return fail_at(err, XQ_ESYNTAX, s[n - 1].byte + s[n - 1].len,
                       "the move is not complete");
    char shown[16], message[96];
    unsigned char c = (unsigned char)text.s[s[k].byte];
    if (s[k].cp < ' ' || s[k].cp == 127 || s[k].cp == 0xFFFD)
        snprintf(shown, sizeof shown, "byte 0x%02X", c);
    else
        snprintf(shown, sizeof shown, "'%.*s'", (int)s[k].len,
                 text.s + s[k].byte);
    if (s[k].cls == PGN_C_NONE && piece_due(s, k))
        snprintf(message, sizeof message, "unknown piece %s", shown);
    else
        snprintf(message, sizeof message, "%s does not belong in a move",
                 shown);
    return fail_at(err, XQ_ESYNTAX, s[k].byte, message);
}

/* Would some notation write m just so?  Marks behind it aside: people leave
 * out "+" and add "!". */
static bool is_spelling_of(const xq_pos *p, xq_move m, xq_str text,
                           const pgn_sym *s, unsigned n)
{
    for (int k = PGN_ICCS; k <= PGN_NOTATIONS; k++) {
        char out[PGN_MOVE_TEXT_MAX];
        pgn_notation notation = k < PGN_NOTATIONS ? (pgn_notation)k
                                                  : PGN_CHINESE;
        pgn_script script = k < PGN_NOTATIONS ? PGN_SIMPLIFIED
                                              : PGN_TRADITIONAL;
        size_t len = pgn_move_write(p, m, notation, script, out);
        while (len && (out[len - 1] == '+' || out[len - 1] == '#'))
            len--;
        size_t end = s[0].byte + len;
        if (end > text.n || memcmp(text.s + s[0].byte, out, len) != 0)
            continue;
        unsigned rest = 0;
        while (rest < n && s[rest].byte < end)
            rest++;
        if (pgn_only_marks(s, rest, n))
            return true;
    }
    return false;
}

/* Of moves that fit, keep those whose notation spells them so, if any: the
 * file letter of "Rii2" is needed when ranks count from 0, not from 1.  What
 * pgn_move_write has written is never thrown out. */
static void keep_spellings(const xq_pos *p, struct found *f, xq_str text,
                           const pgn_sym *s, unsigned n)
{
    struct found kept = {.n = 0};
    for (unsigned i = 0; i < f->n; i++)
        if (is_spelling_of(p, f->m[i], text, s, n))
            add_move(&kept, f->m[i]);
    if (kept.n)
        *f = kept;
}

static xq_status ambiguous(const struct found *f, size_t byte,
                           pgn_candidates *amb, xq_err *err)
{
    char names[64] = "";
    size_t used = 0;
    if (amb)
        amb->n = f->n;
    for (unsigned i = 0; i < f->n && i < 8; i++) {
        char name[5];
        xq_move_format(f->m[i], name);
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s",
                                 i ? ", " : "", name);
        if (amb)
            amb->m[i] = f->m[i];
    }
    xq_fail(err, XQ_EAMBIGUOUS, "%u moves fit: %s%s", f->n, names,
            f->n > 8 ? ", ..." : "");
    if (err)
        err->byte = byte;
    return XQ_EAMBIGUOUS;
}

xq_status pgn_move_read(const xq_pos *p, xq_str text, pgn_notation hint,
                        xq_move *m, pgn_candidates *amb, xq_err *err)
{
    pgn_sym s[PGN_SYMS];
    pgn_readings rs;
    struct found f;
    unsigned n = pgn_scan(text, s);

    *m = XQ_NOMOVE;
    if (amb)
        amb->n = 0;
    rs.n = rs.reached = 0;
    pgn_parts(p, s, n, hint, &rs);
    if (rs.n == 0)
        pgn_squares(s, n, hint, &rs);
    if (rs.n == 0)
        return explain_syntax(text, s, n, rs.reached, err);

    /* The first tier with a legal move decides. */
    for (unsigned tier = 0; tier < PGN_TIERS; tier++) {
        f.n = 0;
        for (unsigned i = 0; i < rs.n; i++)
            if (rs.r[i].tier == tier)
                add_legal(p, &rs.r[i], &f);
        if (f.n > 1)
            keep_spellings(p, &f, text, s, n);
        if (f.n > 1)
            return ambiguous(&f, s[0].byte, amb, err);
        if (f.n == 1) {
            *m = f.m[0];
            return XQ_OK;
        }
    }
    const pgn_reading *best = &rs.r[0];
    for (unsigned i = 1; i < rs.n; i++)
        if (rs.r[i].tier < best->tier)
            best = &rs.r[i];
    return explain(p, s, best, m, err);
}
