/* writer_dhtmlxq.c - a game as DhtmlXQ (formats reference 6.5).
 *
 * A first walk gives every node its line and ply, a second one over the list
 * of lines writes their moves, so that nothing recurses. */
#include "libpgn/dhtmlxq.h"
#include "libpgn/score.h"
#include "libpgn/writer.h"
#include "libpgn/writer_tags.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line of play: its first node, and what that replaces. */
struct line {
    uint32_t first, parent, ply;
};

struct writer {
    const pgn_game *g;
    pgn_buf *out;
    size_t lost;
    struct line *lines;
    uint32_t nlines, cap;
    bool traditional, failed;
};

static void put(struct writer *w, const char *s, size_t n)
{
    pgn_buf_add(w->out, s, n);
}

/* ---- values ---- */

static bool is_alnum(char c)
{
    return ((c | 32) >= 'a' && (c | 32) <= 'z') || (c >= '0' && c <= '9');
}

/* What stands for the character at s so that it reads back; NULL: itself. */
static const char *instead_of(const char *s, size_t n, bool lines, size_t *len)
{
    *len = 1;
    switch (*s) {
    case '&': /* might begin an entity */
        return n > 1 && (s[1] == '#' || is_alnum(s[1])) ? "&amp;" : NULL;
    case '\\':
        return n > 1 && s[1] == 'u' ? "&#92;" : NULL;
    case '[':
        return n > 1 && (s[1] == '/' || s[1] == 'D' || s[1] == 'g') ? "&#91;"
                                                                    : NULL;
    case '|':
        return lines && n > 1 && s[1] == '|' ? "&#124;" : NULL;
    case '\r':
    case '\n':
        if (*s == '\r' && n > 1 && s[1] == '\n')
            *len = 2;
        return lines ? "||" : " ";
    case '\0':
        return " ";
    default:
        return NULL;
    }
}

/* `lines`: a comment, where || is a line break. */
static void put_value(struct writer *w, xq_str v, bool lines)
{
    size_t from = 0, len;
    for (size_t i = 0; i < v.n; i++) {
        const char *instead = instead_of(v.s + i, v.n - i, lines, &len);
        /* a bar before a line break would be taken for it */
        if (!instead && lines && v.s[i] == '|' && i + 1 < v.n &&
            (v.s[i + 1] == '\n' || v.s[i + 1] == '\r'))
            instead = "&#124;";
        if (!instead)
            continue;
        put(w, v.s + from, i - from);
        put(w, instead, strlen(instead));
        i += len - 1;
        from = i + 1;
    }
    put(w, v.s + from, v.n - from);
}

/* Readers drop blanks around a text, and know one kind of line break, in
 * comments only. */
static bool comes_back(xq_str v, bool lines)
{
    if (v.n == 0)
        return true;
    const bool edge =
        (unsigned char)v.s[0] <= ' ' || (unsigned char)v.s[v.n - 1] <= ' ';
    return !edge && !memchr(v.s, 0, v.n) && !memchr(v.s, '\r', v.n) &&
           (lines || !memchr(v.s, '\n', v.n));
}

static void put_tag(struct writer *w, xq_str name, xq_str value)
{
    w->lost += !comes_back(value, false);
    pgn_buf_puts(w->out, "[DhtmlXQ_");
    put(w, name.s, name.n);
    pgn_buf_puts(w->out, "]");
    put_value(w, value, false);
    pgn_buf_puts(w->out, "[/DhtmlXQ_");
    put(w, name.s, name.n);
    pgn_buf_puts(w->out, "]\n");
}

/* ---- tags ---- */

static bool is_name(xq_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!is_alnum(s.s[i]) && s.s[i] != '_' && s.s[i] != '-')
            return false;
    return s.n > 0 && s.n < 100;
}

/* Names that mean something else when read. */
static bool is_taken(xq_str s)
{
    static const char *const NAMES[] = {"movelist", "binit",  "fen",
                                        "ver",      "init",   "generator",
                                        "version",  "result", "firstnum"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (xq_str_eq(s, xq_str_of(NAMES[i])))
            return true;
    return (s.n > 5 && !memcmp(s.s, "move_", 5)) ||
           (s.n > 7 && !memcmp(s.s, "comment", 7) && s.s[7] <= '9');
}

static void put_result(struct writer *w)
{
    put_tag(w, xq_str_of("result"),
            xq_str_of(pgn_score_result(w->g->result, w->traditional)));
}

static void put_tags(struct writer *w)
{
    const pgn_game *g = w->g;
    bool result = false, fen = false, title = false;
    for (uint32_t i = 0; i < g->ntags; i++) {
        const pgn_tag *t = &g->tags[i];
        if (xq_str_eq_nocase(t->name, xq_str_of("Format")))
            continue; /* speaks of the text */
        if (!fen && xq_str_eq_nocase(t->name, xq_str_of("FEN"))) {
            fen = true;
            continue;
        }
        if (!result && xq_str_eq_nocase(t->name, xq_str_of("Result"))) {
            result = true;
            put_result(w);
            continue;
        }
        const pgn_dhtmlxq_name *k = pgn_dhtmlxq_names;
        while (k->theirs && !xq_str_eq(t->name, xq_str_of(k->ours)))
            k++;
        const bool is_title = k->theirs
                                  ? strcmp(k->theirs, "title") == 0
                                  : xq_str_eq(t->name, xq_str_of("title"));
        if (is_title && title)
            w->lost++; /* a second one would begin a game */
        else if (k->theirs)
            put_tag(w, xq_str_of(k->theirs), t->value);
        else if (is_name(t->name) && !is_taken(t->name))
            put_tag(w, t->name, t->value);
        else
            w->lost++;
        title = title || is_title;
    }
    if (!result)
        put_result(w);
}

/* ---- the start position ---- */

/* 64 digits; false when a side has more of a kind than there is room for. */
static bool board(const xq_pos *p, char out[64])
{
    uint8_t left[XQ_SQUARES];
    memcpy(left, p->at, sizeof left);
    for (size_t i = 0; i < 32; i++) {
        const xq_piece piece = xq_piece_of(i < 16 ? XQ_RED : XQ_BLACK,
                                           (xq_kind)pgn_dhtmlxq_kinds[i % 16]);
        out[2 * i] = out[2 * i + 1] = '9';
        for (int s = 0; s < 90; s++) { /* from Red's side, left to right */
            const xq_sq sq =
                i < 16 ? xq_sq_of(s % 9, s / 9) : xq_sq_of(s % 9, 9 - s / 9);
            if (left[sq] != piece)
                continue;
            left[sq] = XQ_EMPTY;
            out[2 * i] = (char)('0' + s % 9);
            out[2 * i + 1] = (char)('0' + (i < 16 ? 9 - s / 9 : s / 9));
            break;
        }
    }
    for (size_t s = 0; s < XQ_SQUARES; s++)
        if (left[s] != XQ_EMPTY)
            return false;
    return true;
}

static void put_start(struct writer *w)
{
    const xq_pos *p = &w->g->start;
    char digits[64], fen[XQ_FEN_MAX];
    const xq_str refused = pgn_refused_fen(w->g);
    if (refused.s) {
        put_tag(w, xq_str_of("fen"), refused);
        return;
    }
    if (board(p, digits))
        put_tag(w, xq_str_of("binit"), (xq_str){digits, 64});
    if (!w->g->standard || p->halfmove || p->fullmove != 1) {
        const size_t n = xq_fen_format(p, fen);
        put_tag(w, xq_str_of("fen"), (xq_str){fen, n});
    }
}

/* ---- lines ---- */

static void add_line(struct writer *w, uint32_t first, uint32_t parent,
                     uint32_t ply)
{
    if (w->nlines == w->cap) {
        const uint32_t cap = w->cap ? 2 * w->cap : 16;
        struct line *v =
            w->cap > UINT32_MAX / 4 ? NULL : realloc(w->lines, cap * sizeof *v);
        if (!v) {
            w->failed = true;
            return;
        }
        w->lines = v;
        w->cap = cap;
    }
    w->lines[w->nlines++] = (struct line){first, parent, ply};
}

/* Moves of line i; the variations of each are added behind the list. */
static void put_line(struct writer *w, uint32_t i)
{
    const pgn_node *nodes = w->g->nodes;
    const struct line l = w->lines[i];
    char name[64];
    if (i == 0)
        strcpy(name, "movelist");
    else
        snprintf(name, sizeof name, "move_%u_%u_%u", (unsigned)l.parent,
                 (unsigned)l.ply, (unsigned)i);
    pgn_buf_printf(w->out, "[DhtmlXQ_%s]", name);
    uint32_t ply = l.ply;
    for (uint32_t n = l.first; n && !w->failed; n = nodes[n].next, ply++) {
        const xq_sq from = xq_move_from(nodes[n].move),
                    to = xq_move_to(nodes[n].move);
        const char text[4] = {
            (char)('0' + xq_file_of[from]), (char)('9' - xq_rank_of[from]),
            (char)('0' + xq_file_of[to]), (char)('9' - xq_rank_of[to])};
        put(w, text, 4);
        /* a variation's first move hangs in the list of what it replaces */
        if (n == l.first && i > 0)
            continue;
        for (uint32_t a = nodes[n].alt; a && !w->failed; a = nodes[a].alt)
            add_line(w, a, i, ply);
    }
    pgn_buf_printf(w->out, "[/DhtmlXQ_%s]\n", name);
}

/* ---- comments ---- */

static void put_comment(struct writer *w, uint32_t line, uint32_t ply,
                        uint32_t notes, bool before)
{
    char name[40];
    bool open = false;
    if (line == 0)
        snprintf(name, sizeof name, "comment%u", (unsigned)ply);
    else
        snprintf(name, sizeof name, "comment%u_%u", (unsigned)line,
                 (unsigned)ply);
    for (; notes; notes = w->g->notes[notes].next) {
        const pgn_note *n = &w->g->notes[notes];
        if (n->kind == PGN_NOTE_NAG) {
            w->lost += !before;
            continue;
        }
        if ((n->kind == PGN_NOTE_BEFORE) != before)
            continue;
        if (open) {
            pgn_buf_puts(w->out, "||");
            w->lost++;
        } else {
            pgn_buf_printf(w->out, "[DhtmlXQ_%s]", name);
        }
        open = true;
        w->lost += !comes_back(n->text, true);
        put_value(w, n->text, true);
    }
    if (open)
        pgn_buf_printf(w->out, "[/DhtmlXQ_%s]\n", name);
}

static void put_comments(struct writer *w)
{
    const pgn_node *nodes = w->g->nodes;
    put_comment(w, 0, 0, nodes[0].notes, false);
    for (uint32_t i = 0; i < w->nlines && !w->out->failed; i++) {
        const struct line *l = &w->lines[i];
        uint32_t ply = l->ply;
        if (i > 0 && l->first)
            put_comment(w, i, ply - 1, nodes[l->first].notes, true);
        for (uint32_t n = l->first; n; n = nodes[n].next, ply++)
            if (nodes[n].notes)
                put_comment(w, i, ply, nodes[n].notes, false);
    }
}

xq_status pgn_write_dhtmlxq(const pgn_game *g, const pgn_style *st,
                            pgn_buf *out, size_t *lost)
{
    struct writer w = {.g = g, .out = out};
    w.traditional =
        (st->script_as_game ? g->script : st->script) == PGN_TRADITIONAL;
    pgn_buf_puts(out, "[DhtmlXQ]\n[DhtmlXQ_ver]www_dpxq_com[/DhtmlXQ_ver]\n"
                      "[DhtmlXQ_init]500,350[/DhtmlXQ_init]\n");
    put_tags(&w);
    put_start(&w);
    add_line(&w, g->nodes[0].next, 0, 1);
    for (uint32_t i = 0; i < w.nlines && !w.failed && !out->failed; i++)
        put_line(&w, i);
    if (!w.failed)
        put_comments(&w);
    pgn_buf_puts(out, "[/DhtmlXQ]\n\n");
    free(w.lines);
    if (lost)
        *lost += w.lost;
    return w.failed || out->failed ? XQ_ENOMEM : XQ_OK;
}
