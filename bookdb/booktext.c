/* booktext.c - books written as text, and the trees of Chess2.0.
 *
 *   text      "b2e2 5895 rnbakabnr/... w - - 0 1": BOOK.DAT before version 2.0
 *             (formats reference 5.1); mirror images stand there both
 *   lines     "h2e2 h9g7 h0g2 ...", a game a line, quotes and commas allowed
 *   Chess2.0  (formats reference 5.3) lines or records in the order of a walk
 *             through a tree: a ply number, which says under what it hangs,
 *             and a move x r x r, rows counted from the top */
#include "bookdb/foreign_parts.h"
#include "engine/rules.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* The next word of *s, which is shortened. */
static xq_str word(xq_str *s)
{
    while (s->n > 0 && is_blank(*s->s))
        *s = (xq_str){s->s + 1, s->n - 1};
    xq_str w = {s->s, 0};
    while (w.n < s->n && !is_blank(s->s[w.n]))
        w.n++;
    *s = (xq_str){s->s + w.n, s->n - w.n};
    return w;
}

static xq_move move_of(xq_str w)
{
    char text[5];
    if (w.n != 4)
        return XQ_NOMOVE;
    memcpy(text, w.s, 4);
    text[4] = '\0';
    return xq_move_parse(text);
}

static bool number(xq_str w, uint64_t *v)
{
    *v = 0;
    for (size_t i = 0; i < w.n; i++) {
        const unsigned d = (unsigned)(w.s[i] - '0');
        if (!is_digit(w.s[i]))
            return false;
        *v = *v > (UINT64_MAX - d) / 10 ? UINT64_MAX : *v * 10 + d;
    }
    return w.n > 0;
}

/* ---- MOVE WEIGHT FEN ---- */

/* False: it is no such line. */
static bool parse_text(xq_str line, xq_pos *p, bk_row *row)
{
    memset(row, 0, sizeof *row);
    row->move = move_of(word(&line));
    row->given = true;
    if (row->move == XQ_NOMOVE || !number(word(&line), &row->weight))
        return false;
    return xq_fen_parse(p, line, NULL, NULL) == XQ_OK;
}

xq_status bk_text_import(bk_import *im, xq_err *err)
{
    xq_str line;
    xq_pos p;
    bk_row row;
    xq_status rc;
    while ((rc = bk_input_line(im->in, &line, err)) == XQ_OK) {
        if (line.n == 0)
            continue;
        im->r->records++;
        if (parse_text(line, &p, &row))
            rc = bk_take_row(im, &p, &row, err);
        else
            bk_fault(im, &im->r->unreadable);
        if (rc != XQ_OK)
            return rc;
    }
    return rc == XQ_DONE ? XQ_OK : rc;
}

static uint64_t hash_line(const xq_pos *p, xq_move m, uint64_t weight)
{
    const uint64_t v[] = {p->key, m, weight};
    return bk_hash_words(v, 3);
}

/* One image of a position.  In the book both stand: its readers compare
 * whole FENs. */
static xq_status write_image(bk_export *x, const xq_pos *p, const bk_entry *e,
                             const uint32_t *weights, bool mirrored,
                             xq_err *err)
{
    xq_pos q = *p;
    char fen[XQ_FEN_MAX], text[5];
    if (mirrored)
        xq_pos_mirror(&q, p);
    q.halfmove = 0; /* they depend on how one came here */
    q.fullmove = 1;
    xq_fen_format(&q, fen);
    for (unsigned i = 0; i < e->n; i++) {
        const xq_move one = e->moves[i].move, other = xq_move_mirror(one);
        const xq_move m = mirrored ? other : one;
        if (mirrored && p->key == p->mirror_key && m == one)
            continue;
        xq_move_format(m, text);
        if (fprintf(x->f, "%s %" PRIu32 " %s\n", text, weights[i], fen) < 0)
            return bk_export_failed(x, err);
        x->r->records++;
        x->sum += hash_line(&q, m, weights[i]);
    }
    return XQ_OK;
}

xq_status bk_text_export(bk_export *x, xq_err *err)
{
    bk_input *in = NULL;
    uint32_t weights[BK_BOOK_MOVES];
    const xq_pos *p;
    const bk_entry *e;
    xq_str line;
    xq_status rc;
    while ((rc = bk_export_next(x, &p, &e, err)) == XQ_OK) {
        bk_export_weights(x, e, UINT16_MAX, true, weights);
        rc = write_image(x, p, e, weights, false, err);
        if (rc == XQ_OK && !x->one_wing)
            rc = write_image(x, p, e, weights, true, err);
        if (rc != XQ_OK)
            return rc;
    }
    if (rc != XQ_DONE)
        return rc;
    if (fflush(x->f) != 0)
        return bk_export_failed(x, err);
    rc = bk_input_open(&in, x->tmp, err);
    while (rc == XQ_OK && (rc = bk_input_line(in, &line, err)) == XQ_OK) {
        xq_pos q;
        bk_row row;
        x->check += parse_text(line, &q, &row)
                        ? hash_line(&q, row.move, row.weight)
                        : 1;
    }
    bk_input_close(in);
    return rc == XQ_DONE ? XQ_OK : rc;
}

/* ---- lines of moves ---- */

static bool is_ornament(char c)
{
    return is_blank(c) || c == '\'' || c == '"' || c == ',' || c == '[' ||
           c == ']' || c == ';';
}

/* A position or a move that the line has had already counts once. */
struct played {
    xq_key key;
    xq_move move;
};

static bool had(struct played *v, size_t n, const xq_pos *p, xq_move m)
{
    for (size_t i = 0; i < n; i++)
        if (v[i].key == p->key && v[i].move == m)
            return true;
    return false;
}

/* Each move counts as a game of unknown result, and as weight 1: that a game
 * played it is all that is known. */
static xq_status take_line(bk_import *im, xq_str line, struct played *played,
                           size_t cap, xq_err *err)
{
    xq_pos p;
    size_t n = 0;
    bool lost = false; /* behind a bad move no position is known */
    xq_pos_start(&p);
    for (size_t i = 0; i < line.n;) {
        if (is_ornament(line.s[i])) {
            i++;
            continue;
        }
        xq_str w = {line.s + i, 0};
        while (i + w.n < line.n && !is_ornament(w.s[w.n]))
            w.n++;
        i += w.n;
        im->r->records++;
        if (lost) {
            im->r->unreached++;
            continue;
        }
        const bk_row row = {
            .move = move_of(w), .given = true, .weight = 1, .unknown = 1};
        lost = !xq_move_is_legal(&p, row.move);
        if (lost) {
            bk_fault(im, row.move == XQ_NOMOVE ? &im->r->unreadable
                                               : &im->r->illegal);
            continue;
        }
        im->r->taken++;
        if (!had(played, n, &p, row.move)) {
            const xq_status rc = bk_put_row(im, &p, &row, err);
            if (rc != XQ_OK)
                return rc;
        }
        if (n < cap)
            played[n++] = (struct played){p.key, row.move};
        xq_pos_make(&p, row.move, NULL);
    }
    return XQ_OK;
}

xq_status bk_lines_import(bk_import *im, xq_err *err)
{
    enum { PLIES = 2000 }; /* of a line that are looked through for repeats */
    struct played *const played = malloc(PLIES * sizeof *played);
    xq_str line;
    xq_status rc = played ? XQ_OK : xq_fail(err, XQ_ENOMEM, "out of memory");
    while (rc == XQ_OK && (rc = bk_input_line(im->in, &line, err)) == XQ_OK)
        rc = take_line(im, line, played, PLIES, err);
    free(played);
    return rc == XQ_DONE ? XQ_OK : rc;
}

/* ---- Chess2.0 ---- */

/* The line that leads to the record at hand. */
struct tree {
    xq_pos *pos; /* [n]: after ply n */
    size_t n, cap;
    uint64_t plies; /* how deep the last record was; beyond n: not reached */
};

static xq_status start_tree(struct tree *t, xq_err *err)
{
    t->cap = 64;
    t->n = 0;
    t->plies = 0;
    t->pos = malloc(t->cap * sizeof *t->pos);
    if (!t->pos)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    xq_pos_start(&t->pos[0]);
    return XQ_OK;
}

/* A move at ply `ply`, x r x r.  A variation counts 1 for each of its moves
 * that no variation before it shares. */
static xq_status take_node(bk_import *im, struct tree *t, uint64_t ply,
                           const unsigned xy[4], xq_err *err)
{
    bk_row row = {.given = true, .weight = 1};
    im->r->records++;
    if (ply == 0 || ply > t->plies + 1 || xy[0] > 8 || xy[1] > 9 || xy[2] > 8 ||
        xy[3] > 9) {
        bk_fault(im, &im->r->unreadable);
        return XQ_OK;
    }
    t->plies = ply;
    if (ply - 1 > t->n) { /* hangs on a bad move */
        im->r->unreached++;
        return XQ_OK;
    }
    t->n = (size_t)ply - 1;
    row.move = xq_move_make(xq_sq_of((int)xy[0], 9 - (int)xy[1]),
                            xq_sq_of((int)xy[2], 9 - (int)xy[3]));
    const uint64_t before = im->r->taken;
    const xq_status rc = bk_take_row(im, &t->pos[t->n], &row, err);
    if (rc != XQ_OK || im->r->taken == before)
        return rc;
    if (t->n + 1 == t->cap) {
        xq_pos *pos = realloc(t->pos, 2 * t->cap * sizeof *pos);
        if (!pos)
            return xq_fail(err, XQ_ENOMEM, "out of memory");
        t->pos = pos;
        t->cap *= 2;
    }
    t->pos[t->n + 1] = t->pos[t->n];
    xq_pos_make(&t->pos[++t->n], row.move, NULL);
    return XQ_OK;
}

xq_status bk_tree_import(bk_import *im, xq_err *err)
{
    struct tree t;
    uint8_t rec[22];
    size_t got;
    xq_status rc = start_tree(&t, err);
    while (rc == XQ_OK) {
        rc = bk_input_read(im->in, rec, sizeof rec, &got, err);
        if (rc != XQ_OK || got < sizeof rec) {
            im->r->trailing = (unsigned)got;
            break;
        }
        const uint32_t ply = rec[0] | (uint32_t)rec[1] << 8 |
                             (uint32_t)rec[2] << 16 | (uint32_t)rec[3] << 24;
        const unsigned xy[4] = {rec[14], rec[15], rec[16], rec[17]};
        if (ply == 0 && !xy[0] && !xy[1] && !xy[2] && !xy[3])
            continue; /* closes the file */
        rc = take_node(im, &t, ply, xy, err);
    }
    free(t.pos);
    return rc;
}

/* "   27242..." and the move in Chinese, which is not needed. */
static bool parse_node(xq_str line, uint64_t *ply, unsigned xy[4])
{
    xq_str digits = {line.s, 5};
    if (line.n < 9)
        return false;
    while (digits.n > 1 && is_blank(*digits.s))
        digits = (xq_str){digits.s + 1, digits.n - 1};
    for (unsigned i = 0; i < 4; i++) {
        if (!is_digit(line.s[5 + i]))
            return false;
        xy[i] = (unsigned)(line.s[5 + i] - '0');
    }
    return number(digits, ply);
}

xq_status bk_treetext_import(bk_import *im, xq_err *err)
{
    struct tree t;
    xq_str line;
    uint64_t ply;
    unsigned xy[4];
    xq_status rc = start_tree(&t, err);
    while (rc == XQ_OK && (rc = bk_input_line(im->in, &line, err)) == XQ_OK) {
        if (line.n == 0)
            continue;
        if (parse_node(line, &ply, xy)) {
            rc = take_node(im, &t, ply, xy, err);
        } else {
            im->r->records++;
            bk_fault(im, &im->r->unreadable);
        }
    }
    free(t.pos);
    return rc == XQ_DONE ? XQ_OK : rc;
}
