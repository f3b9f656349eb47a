/* notation_explain.c - why a text is no legal move, or more than one: in words,
 * with the byte to look at. */
#include "engine/rules.h"
#include "libpgn/notation_internal.h"

#include <stdio.h>

static const char *const KIND[8] = {"piece", "king", "advisor", "elephant",
                                    "horse", "rook", "cannon",  "pawn"};

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
                 r->pick == PGN_PICK_MIDDLE ? "three"
                 : r->pick == PGN_PICK_FIRST || r->pick == PGN_PICK_LAST
                     ? "four"
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

    if (pgn_picked(p, &all, here) == 0) {
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
    bool slanted =
        r->kind == XQ_ADVISOR || r->kind == XQ_ELEPHANT || r->kind == XQ_HORSE;

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

xq_status pgn_explain(const xq_pos *p, const pgn_sym *s, const pgn_reading *r,
                      xq_move *m, xq_err *err)
{
    xq_sq from[XQ_SQUARES];
    pgn_found named = {0}, pseudo = {0};
    unsigned n = pgn_picked(p, r, from), at = r->at_to;
    char text[160];

    for (unsigned i = 0; i < n; i++) {
        xq_sq to = pgn_target(p, r, from[i]);
        if (to == XQ_NOSQ)
            continue;
        xq_move move = xq_move_make(from[i], to);
        pgn_add_move(&named, move);
        if (xq_move_is_pseudo(p, move))
            pgn_add_move(&pseudo, move);
    }
    const pgn_found *best = pseudo.n ? &pseudo : &named;
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

/* Would quotes round it hide the character: a blank that is none of ASCII's,
 * one that is not seen, or one drawn over the quote? */
static bool is_unseen(uint32_t cp)
{
    static const struct {
        uint32_t first, last;
    } R[] = {
        {0x80, 0xA0},     {0xAD, 0xAD},       {0x300, 0x36F},
        {0x61C, 0x61C},   {0x180B, 0x180F},   {0x1AB0, 0x1AFF},
        {0x1DC0, 0x1DFF}, {0x2000, 0x200F},   {0x2028, 0x202F},
        {0x205F, 0x206F}, {0x20D0, 0x20FF},   {0x3000, 0x3000},
        {0x302A, 0x302F}, {0x3099, 0x309A},   {0x3164, 0x3164},
        {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},   {0xFEFF, 0xFEFF},
        {0xFFF9, 0xFFFB}, {0xE0000, 0xE0FFF},
    };
    for (unsigned i = 0; i < sizeof R / sizeof *R; i++)
        if (cp >= R[i].first && cp <= R[i].last)
            return true;
    return false;
}

xq_status pgn_explain_syntax(xq_str text, const pgn_sym *s, unsigned n,
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
    else if (is_unseen(s[k].cp))
        snprintf(shown, sizeof shown, "U+%04lX", (unsigned long)s[k].cp);
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

/* ---- too many moves ---- */

xq_status pgn_explain_ambiguous(const pgn_found *f, size_t byte,
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
