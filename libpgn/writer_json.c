/* writer_json.c - a game as one line of JSON (layout: writer.h). */
#include "libpgn/writer.h"

#include "libpgn/writer_tags.h"

#include <stdlib.h>

static void put_uint(pgn_buf *out, uint64_t v)
{
    char text[20];
    size_t n = sizeof text;
    do
        text[--n] = (char)('0' + v % 10);
    while (v /= 10);
    pgn_buf_add(out, text + n, sizeof text - n);
}

void pgn_write_problem(const pgn_problem *p, pgn_buf *out)
{
    pgn_buf_puts(out, p->level == PGN_ERROR ? "\"level\":\"error\",\"kind\":\""
                                            : "\"level\":\"warning\","
                                              "\"kind\":\"");
    pgn_buf_puts(out, pgn_problem_kind_name(p->kind));
    pgn_buf_puts(out, "\",\"line\":");
    put_uint(out, p->line);
    pgn_buf_puts(out, ",\"byte\":");
    put_uint(out, p->byte);
    pgn_buf_puts(out, ",\"ply\":");
    put_uint(out, p->ply);
    pgn_buf_puts(out, ",\"text\":");
    pgn_buf_json(out, p->text);
    pgn_buf_puts(out, ",\"message\":");
    pgn_buf_json(out, p->message);
}

/* ---- a line of play ---- */

static void put_moves(const pgn_game *g, uint32_t first, pgn_buf *out)
{
    pgn_buf_puts(out, "\"moves\":[");
    for (uint32_t i = first; i; i = g->nodes[i].next) {
        char *s = pgn_buf_room(out, 9); /* ,"h2e2" and a NUL */
        if (!s)
            return;
        size_t n = 0;
        if (i != first)
            s[n++] = ',';
        s[n++] = '"';
        xq_move_format(g->nodes[i].move, s + n);
        n += 4;
        s[n++] = '"';
        out->n += n;
    }
    pgn_buf_puts(out, "]");
}

static void put_note(const pgn_note *note, uint32_t ply, bool *comma,
                     pgn_buf *out)
{
    pgn_buf_puts(out, *comma ? ",{\"ply\":" : "{\"ply\":");
    *comma = true;
    put_uint(out, ply);
    if (note->kind == PGN_NOTE_NAG) {
        pgn_buf_puts(out, ",\"nag\":");
        put_uint(out, note->nag);
    } else {
        pgn_buf_puts(out, ",\"text\":");
        pgn_buf_json(out, note->text);
    }
    pgn_buf_puts(out, "}");
}

/* Notes of one kind of the node that is ply `ply` of its line. */
static void put_notes_of(const pgn_game *g, uint32_t node, uint32_t ply,
                         pgn_note_kind kind, bool *comma, pgn_buf *out)
{
    for (uint32_t i = g->nodes[node].notes; i; i = g->notes[i].next)
        if (g->notes[i].kind == kind)
            put_note(&g->notes[i], ply, comma, out);
}

static void put_notes(const pgn_game *g, uint32_t first, bool main,
                      pgn_buf *out)
{
    static const char *const FIELD[] = {",\"nags\":[", "],\"comments\":["};
    for (int comments = 0; comments < 2; comments++) {
        bool comma = false;
        uint32_t ply = 1;
        pgn_buf_puts(out, FIELD[comments]);
        if (g->nnotes > 1) {
            pgn_note_kind kind = comments ? PGN_NOTE_AFTER : PGN_NOTE_NAG;
            if (main)
                put_notes_of(g, 0, 0, kind, &comma, out);
            if (comments && first)
                put_notes_of(g, first, 0, PGN_NOTE_BEFORE, &comma, out);
            for (uint32_t i = first; i; i = g->nodes[i].next)
                put_notes_of(g, i, ply++, kind, &comma, out);
        }
    }
    pgn_buf_puts(out, "]");
}

/* All of a line but the items of its "variations", which stays open. */
static void put_line(const pgn_game *g, uint32_t first, bool main, pgn_buf *out)
{
    put_moves(g, first, out);
    put_notes(g, first, main, out);
    pgn_buf_puts(out, ",\"variations\":[");
}

/* Lines whose variations are being written: the move reached in it, and which
 * alternative of that move.  No recursion: nesting has no limit. */
struct level {
    uint32_t node, ply, alt;
    bool comma;
};

struct levels {
    struct level *v;
    size_t n, cap;
};

static bool push(struct levels *s, struct level l)
{
    if (s->n == s->cap) {
        size_t cap = s->cap ? s->cap * 2 : 16;
        struct level *v = realloc(s->v, cap * sizeof *v);
        if (!v)
            return false;
        s->v = v;
        s->cap = cap;
    }
    s->v[s->n++] = l;
    return true;
}

/* The next alternative of this line to write, or 0.  The first move of a
 * variation is itself in the list of the line around it. */
static uint32_t next_variation(const pgn_game *g, struct level *l)
{
    if (l->alt)
        l->alt = g->nodes[l->alt].alt;
    while (!l->alt) {
        uint32_t next = g->nodes[l->node].next;
        if (!next)
            return 0;
        l->node = next;
        l->ply++;
        l->alt = g->nodes[next].alt;
    }
    return l->alt;
}

static xq_status put_variations(const pgn_game *g, pgn_buf *out)
{
    struct levels s = {0};
    xq_status rc = XQ_OK;
    if (!push(&s, (struct level){0, 0, 0, false}))
        return XQ_ENOMEM;
    while (s.n > 0 && !out->failed) {
        struct level *l = &s.v[s.n - 1];
        uint32_t first = next_variation(g, l);
        if (!first) {
            pgn_buf_puts(out, s.n == 1 ? "]" : "]}");
            s.n--;
            continue;
        }
        pgn_buf_puts(out, l->comma ? ",{\"ply\":" : "{\"ply\":");
        l->comma = true;
        put_uint(out, l->ply);
        pgn_buf_puts(out, ",");
        put_line(g, first, false, out);
        if (!push(&s, (struct level){first, 1, 0, false})) {
            rc = XQ_ENOMEM;
            break;
        }
    }
    free(s.v);
    return rc;
}

/* ---- the game ---- */

/* Format speaks of the text that the moves stood in: here they are squares. */
static void put_tags(const pgn_game *g, pgn_buf *out)
{
    bool comma = false;
    pgn_written_tags at;
    pgn_buf_puts(out, "{\"tags\":[");
    pgn_written_tags_start(&at, g);
    while (pgn_written_tags_next(&at)) {
        if (xq_str_eq_nocase(at.tag.name, xq_str_of("Format")))
            continue;
        pgn_buf_puts(out, comma ? ",[" : "[");
        comma = true;
        pgn_buf_json(out, at.tag.name);
        pgn_buf_puts(out, ",");
        pgn_buf_json(out, at.tag.value);
        pgn_buf_puts(out, "]");
    }
    pgn_buf_puts(out, "],\"fen\":");
    if (g->standard && g->start.fullmove == 1 && g->start.halfmove == 0) {
        pgn_buf_puts(out, "\"" XQ_FEN_START "\",");
        return;
    }
    char fen[XQ_FEN_MAX];
    size_t n = xq_fen_format(&g->start, fen);
    pgn_buf_json(out, (xq_str){fen, n});
    pgn_buf_puts(out, ",");
}

xq_status pgn_write_json(const pgn_game *g, pgn_buf *out)
{
    xq_status rc = XQ_OK;
    put_tags(g, out);
    put_line(g, g->nodes[0].next, true, out);
    if (g->has_variations)
        rc = put_variations(g, out);
    else
        pgn_buf_puts(out, "]");
    pgn_buf_puts(out, ",\"result\":\"");
    pgn_buf_puts(out, pgn_result_text(g->result));
    pgn_buf_puts(out, "\",\"problems\":[");
    for (uint32_t i = 0; i < g->nproblems; i++) {
        pgn_buf_puts(out, i ? ",{" : "{");
        pgn_write_problem(&g->problems[i], out);
        pgn_buf_puts(out, "}");
    }
    pgn_buf_puts(out, "]}\n");
    return out->failed ? XQ_ENOMEM : rc;
}
