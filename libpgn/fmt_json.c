/* fmt_json.c - our own JSON lines, one game a line (layout: writer.h).
 *
 * The fields of an object may come in any order, so a line of text is first
 * read into small records (`struct line`: moves, notes and variations as
 * written), then played through the reader's builder in the order in which PGN
 * would have it: a move, its notes, its variations, the next move.  Neither
 * pass recurses.  A text that is no JSON becomes one faulty game with what was
 * read before the fault; the next line goes on.
 *
 * Unknown fields are passed over; a field of the wrong kind makes a faulty
 * game, an illegal move ends its line.  Moves are squares first; other
 * notations are read where they are no squares.  The field fen wins over a FEN
 * tag.  Listed problems are restored word for word, lines and bytes of the
 * first source included: a faulty game stays faulty until somebody mends it and
 * empties the list. */
#include "libpgn/boundary.h"
#include "libpgn/json.h"
#include "libpgn/reader_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* More problems than our writer ever lists: the rest is counted. */
enum { RESTORED = 1000 };

/* The standard has 255; more digits than this the PGN reader does not take. */
#define NAG_MAX 999999999

/* ---- records ---- */

struct move {
    xq_str text;
    size_t at; /* in r->text */
};

struct note {
    uint64_t ply;
    size_t at;
    uint32_t nag;
    xq_str text;
};

/* Vectors in the arena; growing leaves the old half behind. */
struct moves {
    struct move *v;
    size_t n, cap;
};
struct notes {
    struct note *v;
    size_t n, cap;
    size_t next; /* to be played */
};

struct line {
    struct line *parent, *sibling;   /* sibling: the parent's next one */
    struct line *child, *last_child; /* variations as written */
    struct line **sorted;            /* by ply */
    size_t nchildren, next_child;
    uint64_t ply; /* of the parent's line, which this one replaces */
    bool has_ply;
    size_t at;
    struct moves moves;
    struct notes nags, comments;
    size_t played;
};

struct problem {
    struct problem *next;
    pgn_problem p;
};

struct json_game {
    pgn_reader *r;
    pgn_json j;
    struct line root;
    xq_str fen, result;
    size_t fen_at, result_at;
    bool has_fen, has_result;
    struct problem *problems, **problems_tail;
    uint32_t nproblems;
    size_t base;   /* where its text begins in r->text */
    size_t high;   /* see rising() */
    size_t behind; /* where another object follows, 0: nowhere */
    bool lines;    /* it stands on more than one */
    bool known;    /* it has a field of a game */
    bool failed;   /* memory ran out */
};

/* Room for one more element of `size` bytes; NULL when memory is short. */
static void *vec_room(struct json_game *g, void *v, size_t *cap, size_t n,
                      size_t size)
{
    if (n < *cap)
        return v;
    size_t want = *cap ? *cap * 2 : 16;
    void *p = NULL;
    if (want <= SIZE_MAX / size)
        p = xq_arena_alloc(&g->r->arena, want * size);
    if (!p) {
        g->failed = true;
        return NULL;
    }
    if (n)
        memcpy(p, v, n * size);
    *cap = want;
    return p;
}

/* ---- places ---- */

/* Asking the reader where an offset stands is cheap in rising order only, and
 * the second pass goes to and fro.  Places it asks for never fall. */
static size_t rising(struct json_game *g, size_t at)
{
    at += g->base;
    if (at > g->high)
        g->high = at;
    return g->high;
}

/* Nearly all games are a line of the file; and where nothing was decoded to
 * another length, their offsets are the file's. */
static void place(struct json_game *g, size_t at, uint64_t *byte,
                  uint64_t *line)
{
    pgn_reader *r = g->r;
    *line = r->game.line;
    if (!g->lines && r->wide_enc == PGN_ENC_AUTO && r->ntext == r->nblock)
        *byte = r->seg->byte0 + r->block + g->base + at;
    else
        pgn_block_where(r, rising(g, at), byte, line);
}

XQ_PRINTF(7, 8)
static void note(struct json_game *g, pgn_level level, pgn_problem_kind kind,
                 size_t at, uint32_t ply, xq_str text, const char *fmt, ...)
{
    uint64_t byte, line;
    char msg[256];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    place(g, at, &byte, &line);
    pgn_build_problem_at(g->r, level, kind, byte, line, ply, text, "%s", msg);
}

/* ---- pass 1: text to records ---- */

static void type_problem(struct json_game *g, const char *name,
                         const char *want)
{
    size_t n = g->j.at - g->j.start;
    xq_str seen = {g->j.s + g->j.start, n < 40 ? n : 40};
    while (n > 40 && seen.n > 0 &&
           ((unsigned char)seen.s[seen.n] & 0xC0) == 0x80)
        seen.n--; /* not inside a character */
    note(g, PGN_ERROR, PGN_P_STRUCTURE, g->j.start, 0, seen,
         "field '%s': %s expected", name, want);
}

/* The next token must begin an array.  If not: noted, and read over. */
static bool expect_array(struct json_game *g, const char *name)
{
    pgn_json_token t = pgn_json_next(&g->j);
    if (t == PGN_JSON_ARRAY)
        return true;
    if (t > PGN_JSON_END) {
        type_problem(g, name, "array");
        pgn_json_skip(&g->j, t);
    }
    return false;
}

static bool expect_string(struct json_game *g, const char *name, xq_str *out)
{
    pgn_json_token t = pgn_json_next(&g->j);
    if (t == PGN_JSON_STRING) {
        *out = g->j.text;
        return true;
    }
    if (t > PGN_JSON_END && t != PGN_JSON_NULL) {
        type_problem(g, name, "string");
        pgn_json_skip(&g->j, t);
    }
    return false;
}

static bool expect_uint(struct json_game *g, const char *name, uint64_t max,
                        uint64_t *out)
{
    pgn_json_token t = pgn_json_next(&g->j);
    if (t == PGN_JSON_NUMBER && pgn_json_uint(&g->j, max, out))
        return true;
    if (t > PGN_JSON_END) {
        type_problem(g, name, "whole number");
        pgn_json_skip(&g->j, t);
    }
    return false;
}

static bool key_is(const struct json_game *g, const char *name)
{
    size_t n = strlen(name);
    return g->j.text.n == n && memcmp(g->j.text.s, name, n) == 0;
}

static void skip_field(struct json_game *g)
{
    pgn_json_skip(&g->j, pgn_json_next(&g->j));
}

static void read_moves(struct json_game *g, struct moves *m)
{
    if (!expect_array(g, "moves"))
        return;
    pgn_json_token t;
    while ((t = pgn_json_next(&g->j)) > PGN_JSON_END &&
           t != PGN_JSON_ARRAY_END) {
        size_t at = g->j.start;
        xq_str text = g->j.text;
        if (t != PGN_JSON_STRING) { /* no move, and the line ends there */
            text = (xq_str){g->j.s + at, g->j.at - at};
            pgn_json_skip(&g->j, t);
        } else {
            at++; /* the quote */
        }
        struct move *v = vec_room(g, m->v, &m->cap, m->n, sizeof *v);
        if (!v)
            return;
        m->v = v;
        m->v[m->n++] = (struct move){text, at};
    }
}

/* {"ply":3,"nag":1} or {"ply":3,"text":"..."}; the object has been opened. */
static bool read_note(struct json_game *g, const char *field, bool nag,
                      struct note *out)
{
    bool ply = false, value = false;
    uint64_t v;
    pgn_json_token t;
    *out = (struct note){.at = g->j.start};
    while ((t = pgn_json_next(&g->j)) == PGN_JSON_KEY) {
        if (key_is(g, "ply")) {
            ply = expect_uint(g, "ply", UINT32_MAX, &out->ply);
        } else if (nag && key_is(g, "nag")) {
            value = expect_uint(g, "nag", NAG_MAX, &v);
            out->nag = value ? (uint32_t)v : 0;
        } else if (!nag && key_is(g, "text")) {
            value = expect_string(g, "text", &out->text);
        } else {
            skip_field(g);
        }
    }
    if (t == PGN_JSON_OBJECT_END && !(ply && value))
        note(g, PGN_WARNING, PGN_P_STRUCTURE, out->at, 0, (xq_str){NULL, 0},
             "an item of '%s' without 'ply' or '%s' is dropped", field,
             nag ? "nag" : "text");
    return t == PGN_JSON_OBJECT_END && ply && value;
}

static void read_notes(struct json_game *g, struct notes *notes, bool nag)
{
    const char *field = nag ? "nags" : "comments";
    if (!expect_array(g, field))
        return;
    pgn_json_token t;
    while ((t = pgn_json_next(&g->j)) > PGN_JSON_END &&
           t != PGN_JSON_ARRAY_END) {
        struct note one;
        if (t != PGN_JSON_OBJECT) {
            type_problem(g, field, "object");
            pgn_json_skip(&g->j, t);
            continue;
        }
        if (!read_note(g, field, nag, &one))
            continue;
        struct note *v =
            vec_room(g, notes->v, &notes->cap, notes->n, sizeof *v);
        if (!v)
            return;
        notes->v = v;
        notes->v[notes->n++] = one;
    }
}

/* ["Event","..."]; the array has been opened. */
static void read_tag(struct json_game *g)
{
    xq_str part[2] = {{NULL, 0}, {NULL, 0}};
    size_t n = 0, at = g->j.start;
    bool strings = true;
    pgn_json_token t;
    while ((t = pgn_json_next(&g->j)) > PGN_JSON_END &&
           t != PGN_JSON_ARRAY_END) {
        if (t != PGN_JSON_STRING)
            strings = false;
        else if (n < 2)
            part[n] = g->j.text;
        n++;
        pgn_json_skip(&g->j, t);
    }
    if (t != PGN_JSON_ARRAY_END)
        return;
    if (n == 2 && strings)
        pgn_build_tag(g->r, part[0], part[1], at);
    else
        note(g, PGN_WARNING, PGN_P_TAG, at, 0, (xq_str){NULL, 0},
             "a tag that is no pair of strings is dropped");
}

static void read_tags(struct json_game *g)
{
    if (!expect_array(g, "tags"))
        return;
    pgn_json_token t;
    while ((t = pgn_json_next(&g->j)) > PGN_JSON_END &&
           t != PGN_JSON_ARRAY_END) {
        if (t == PGN_JSON_ARRAY) {
            read_tag(g);
        } else {
            type_problem(g, "tags", "pair of strings");
            pgn_json_skip(&g->j, t);
        }
    }
}

static bool problem_kind_of(xq_str s, pgn_problem_kind *k)
{
    for (int i = 0; i <= PGN_P_RULE; i++)
        if (xq_str_eq(s,
                      xq_str_of(pgn_problem_kind_name((pgn_problem_kind)i)))) {
            *k = (pgn_problem_kind)i;
            return true;
        }
    return false;
}

/* The object has been opened. */
static void read_problem(struct json_game *g)
{
    pgn_problem p = {.level = PGN_ERROR, .kind = PGN_P_STRUCTURE};
    xq_str s;
    uint64_t v;
    pgn_json_token t;
    while ((t = pgn_json_next(&g->j)) == PGN_JSON_KEY) {
        if (key_is(g, "level")) {
            if (expect_string(g, "level", &s) &&
                xq_str_eq(s, xq_str_of("warning")))
                p.level = PGN_WARNING;
        } else if (key_is(g, "kind")) {
            if (expect_string(g, "kind", &s))
                problem_kind_of(s, &p.kind);
        } else if (key_is(g, "line")) {
            expect_uint(g, "line", UINT64_MAX, &p.line);
        } else if (key_is(g, "byte")) {
            expect_uint(g, "byte", UINT64_MAX, &p.byte);
        } else if (key_is(g, "ply")) {
            if (expect_uint(g, "ply", UINT32_MAX, &v))
                p.ply = (uint32_t)v;
        } else if (key_is(g, "text")) {
            expect_string(g, "text", &p.text);
        } else if (key_is(g, "message")) {
            expect_string(g, "message", &p.message);
        } else {
            skip_field(g);
        }
    }
    if (t != PGN_JSON_OBJECT_END)
        return;
    if (g->nproblems++ >= RESTORED) {
        g->r->unlisted[p.level]++;
        return;
    }
    p.restored = true;
    struct problem *one = xq_arena_alloc(&g->r->arena, sizeof *one);
    if (!one) {
        g->failed = true;
        return;
    }
    *one = (struct problem){NULL, p};
    *g->problems_tail = one;
    g->problems_tail = &one->next;
}

static void read_problems(struct json_game *g)
{
    if (!expect_array(g, "problems"))
        return;
    pgn_json_token t;
    while ((t = pgn_json_next(&g->j)) > PGN_JSON_END &&
           t != PGN_JSON_ARRAY_END) {
        if (t == PGN_JSON_OBJECT) {
            read_problem(g);
        } else {
            type_problem(g, "problems", "object");
            pgn_json_skip(&g->j, t);
        }
    }
}

static struct line *new_variation(struct json_game *g, struct line *parent)
{
    struct line *l = xq_arena_calloc(&g->r->arena, 1, sizeof *l);
    if (!l) {
        g->failed = true;
        return NULL;
    }
    l->parent = parent;
    l->at = g->j.start;
    if (parent->last_child)
        parent->last_child->sibling = l;
    else
        parent->child = l;
    parent->last_child = l;
    parent->nchildren++;
    return l;
}

/* A field of a line of play.  False when `name` is none of these; "variations"
 * is left to the caller, open. */
static bool read_line_field(struct json_game *g, struct line *l)
{
    if (key_is(g, "moves"))
        read_moves(g, &l->moves);
    else if (key_is(g, "nags"))
        read_notes(g, &l->nags, true);
    else if (key_is(g, "comments"))
        read_notes(g, &l->comments, false);
    else if (l->parent && key_is(g, "ply"))
        l->has_ply = expect_uint(g, "ply", UINT32_MAX, &l->ply);
    else
        return false;
    g->known = g->known || !l->parent;
    return true;
}

static void read_game_field(struct json_game *g)
{
    const bool known = g->known;
    g->known = true;
    if (key_is(g, "tags")) {
        read_tags(g);
    } else if (key_is(g, "fen")) {
        g->has_fen = expect_string(g, "fen", &g->fen);
        g->fen_at = g->j.start;
    } else if (key_is(g, "result")) {
        g->has_result = expect_string(g, "result", &g->result);
        g->result_at = g->j.start;
    } else if (key_is(g, "problems")) {
        read_problems(g);
    } else {
        g->known = known;
        skip_field(g);
    }
}

/* The whole text.  `l` is the line whose object is being read; between its
 * fields, or (in_list) between the items of its "variations". */
static void read_text(struct json_game *g)
{
    struct line *l = &g->root;
    bool in_list = false;
    if (pgn_json_next(&g->j) != PGN_JSON_OBJECT) {
        if (g->j.error == NULL)
            g->j.error = "a game is an object";
        g->j.at = g->j.error ? g->j.at : 0;
        return;
    }
    while (!g->failed) {
        pgn_json_token t = pgn_json_next(&g->j);
        if (t <= PGN_JSON_END)
            return;
        if (in_list) {
            if (t == PGN_JSON_ARRAY_END) {
                in_list = false;
            } else if (t == PGN_JSON_OBJECT) {
                if (!(l = new_variation(g, l)))
                    return;
                in_list = false;
            } else {
                type_problem(g, "variations", "object");
                pgn_json_skip(&g->j, t);
            }
        } else if (t == PGN_JSON_OBJECT_END) {
            if (!l->parent)
                break;
            l = l->parent;
            in_list = true;
        } else if (key_is(g, "variations")) {
            g->known = true;
            in_list = expect_array(g, "variations");
        } else if (!read_line_field(g, l)) {
            if (l->parent)
                skip_field(g);
            else
                read_game_field(g);
        }
    }
    if (g->failed)
        return;
    size_t at = g->j.at;
    while (at < g->j.n && (unsigned char)g->j.s[at] <= ' ')
        at++;
    if (at < g->j.n && g->j.s[at] == '{')
        g->behind = at; /* the next game */
    else
        pgn_json_next(&g->j); /* nothing else may follow */
}

/* ---- the start position ---- */

static bool fen_parses(xq_str fen, xq_pos *p)
{
    return fen.n > 0 && xq_fen_parse(p, fen, NULL, NULL) >= 0;
}

static bool same_start(const xq_pos *a, const xq_pos *b)
{
    return a->side == b->side && a->halfmove == b->halfmove &&
           a->fullmove == b->fullmove &&
           memcmp(a->at, b->at, sizeof a->at) == 0;
}

static pgn_tag *fen_tag(pgn_reader *r)
{
    for (uint32_t i = 0; i < r->game.ntags; i++)
        if (xq_str_eq_nocase(r->game.tags[i].name, xq_str_of("FEN")))
            return &r->game.tags[i];
    return NULL;
}

static bool has_fen_problem(const struct json_game *g)
{
    for (const struct problem *p = g->problems; p; p = p->next)
        if (p->p.kind == PGN_P_FEN)
            return true;
    return false;
}

/* The builder takes the start position from the FEN tag.  Where there is only
 * the field, or the two contradict each other (the field wins: the moves
 * belong to it), the tag is lent the field's text.  A tag that is refused
 * stays: the field of such a game says the usual start and means nothing. */
static void set_start(struct json_game *g)
{
    pgn_reader *r = g->r;
    pgn_tag *tag = fen_tag(r);
    xq_pos by_field, by_tag;
    if (!g->has_fen || (!tag && xq_str_eq(g->fen, xq_str_of(XQ_FEN_START)))) {
        pgn_build_setup(r);
        return;
    }
    if (!tag) {
        uint32_t n = r->game.ntags;
        pgn_build_tag(r, xq_str_of("FEN"), g->fen, g->fen_at);
        pgn_build_setup(r);
        r->game.ntags = n;
        return;
    }
    if (xq_str_eq(tag->value, g->fen) || !fen_parses(tag->value, &by_tag) ||
        (fen_parses(g->fen, &by_field) && same_start(&by_field, &by_tag))) {
        pgn_build_setup(r);
        return;
    }
    xq_str as_written = tag->value;
    if (!has_fen_problem(g)) /* else that is what it says */
        note(g, PGN_WARNING, PGN_P_FEN, g->fen_at, 0, as_written,
             "field 'fen' and tag FEN differ: the field is used");
    tag->value = g->fen;
    pgn_build_setup(r);
    tag->value = as_written;
}

/* ---- pass 2: records to the game ---- */

static int note_by_ply(const void *a, const void *b)
{
    const struct note *x = a, *y = b;
    if (x->ply != y->ply)
        return x->ply < y->ply ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static int line_by_ply(const void *a, const void *b)
{
    const struct line *x = *(struct line *const *)a;
    const struct line *y = *(struct line *const *)b;
    if (x->ply != y->ply)
        return x->ply < y->ply ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static void sort_notes(struct notes *n)
{
    for (size_t i = 1; i < n->n; i++)
        if (n->v[i].ply < n->v[i - 1].ply) {
            qsort(n->v, n->n, sizeof *n->v, note_by_ply);
            return;
        }
}

static bool sort_children(struct json_game *g, struct line *l)
{
    if (l->nchildren == 0)
        return true;
    l->sorted = xq_arena_calloc(&g->r->arena, l->nchildren, sizeof *l->sorted);
    if (!l->sorted) {
        g->failed = true;
        return false;
    }
    size_t n = 0;
    for (struct line *c = l->child; c; c = c->sibling)
        l->sorted[n++] = c;
    qsort(l->sorted, n, sizeof *l->sorted, line_by_ply);
    return true;
}

/* Notes of ply `played`, NAGs first. */
static void play_notes(struct json_game *g, struct line *l)
{
    struct notes *n = &l->nags;
    for (; n->next < n->n && n->v[n->next].ply == l->played; n->next++)
        pgn_build_nag(g->r, n->v[n->next].nag);
    n = &l->comments;
    for (; n->next < n->n && n->v[n->next].ply == l->played; n->next++)
        pgn_build_comment(g->r, n->v[n->next].text);
}

static bool begin_line(struct json_game *g, struct line *l)
{
    if (g->r->opts.main_only) {
        l->nags.n = l->comments.n = l->nchildren = 0;
        return true;
    }
    sort_notes(&l->nags);
    sort_notes(&l->comments);
    if (!sort_children(g, l))
        return false;
    play_notes(g, l);
    return true;
}

/* Coordinates are ranks 0-9 here and nothing else: the complete reader would
 * take an illegal h3e3 for ranks 1-10. */
static bool play_move(struct json_game *g, const struct move *m)
{
    pgn_reader *r = g->r;
    char text[5] = "";
    if (r->line.dead)
        return false;
    if (m->text.n == 4)
        memcpy(text, m->text.s, 4);
    xq_move mv = xq_move_parse(text);
    if (mv == XQ_NOMOVE)
        return pgn_build_move(r, m->text, rising(g, m->at));
    if (xq_move_is_legal(&r->line.pos, mv)) {
        pgn_build_play(r, mv);
        return !r->failed;
    }
    pgn_line *l = &r->line;
    char why[128];
    xq_verdict_text(&l->pos, mv, xq_move_judge(&l->pos, mv), why);
    note(g, PGN_ERROR, PGN_P_ILLEGAL, m->at, l->ply + 1, m->text,
         "move \"%s\"%s: %s; kept %u of the line", text,
         r->depth ? " of a variation" : "", why, (unsigned)l->count);
    l->dead = true;
    if (r->depth == 0)
        r->broken = true;
    return false;
}

/* What a line names but does not have. */
static void check_rest(struct json_game *g, const struct line *l)
{
    static const char *const WHAT[] = {"NAG", "comment", "variation"};
    size_t rest[3] = {l->nags.n - l->nags.next,
                      l->comments.n - l->comments.next,
                      l->nchildren - l->next_child};
    for (int i = 0; i < 3; i++)
        if (rest[i])
            note(g, PGN_WARNING, PGN_P_STRUCTURE, l->at, 0, (xq_str){NULL, 0},
                 "%zu %s%s at plies that the line does not have", rest[i],
                 WHAT[i], rest[i] == 1 ? "" : "s");
}

static void play_lines(struct json_game *g)
{
    pgn_reader *r = g->r;
    struct line *l = &g->root;
    bool faulty = false; /* the line ended at a faulty move */
    if (!begin_line(g, l))
        return;
    while (!r->failed && !g->failed) {
        struct line *c =
            l->next_child < l->nchildren ? l->sorted[l->next_child] : NULL;
        if (!faulty && c && c->has_ply && c->ply == l->played && c->ply > 0) {
            l->next_child++;
            if (!pgn_build_enter(r, rising(g, c->at))) {
                pgn_build_leave(r, rising(g, c->at)); /* too deep */
                continue;
            }
            l = c;
            if (!begin_line(g, l))
                return;
        } else if (!faulty && c && (!c->has_ply || c->ply <= l->played)) {
            l->next_child++; /* no ply, or 0 */
            note(g, PGN_WARNING, PGN_P_STRUCTURE, c->at, 0, (xq_str){NULL, 0},
                 "a variation that replaces no move is dropped");
        } else if (!faulty && l->played < l->moves.n) {
            const struct move *m = &l->moves.v[l->played];
            if (play_move(g, m)) {
                l->played++;
                play_notes(g, l);
            } else {
                faulty = true;
            }
        } else {
            if (!faulty)
                check_rest(g, l);
            faulty = false;
            if (!l->parent)
                return;
            pgn_build_leave(r, rising(g, l->at));
            l = l->parent;
        }
    }
}

/* ---- problems that stand in the text ---- */

/* The text aside: a FEN may have been mended since. */
static bool same_problem(const pgn_problem *a, const pgn_problem *b)
{
    return a->level == b->level && a->kind == b->kind && a->ply == b->ply &&
           xq_str_eq(a->message, b->message);
}

/* A game that was faulty ends before its fault: its final position says
 * nothing about its result. */
static void mark_broken(struct json_game *g)
{
    for (const struct problem *p = g->problems; p; p = p->next)
        if (p->p.level == PGN_ERROR)
            g->r->broken = true;
}

/* The game is as faulty as it was when it was written: its problems come
 * first, as they stand (line and byte are those of the first source), then
 * those that reading has found and that are not among them. */
static void restore_problems(struct json_game *g)
{
    pgn_reader *r = g->r;
    pgn_game *game = &r->game;
    uint32_t own = game->nproblems, n = 0;
    for (struct problem *p = g->problems; p; p = p->next) {
        pgn_build_restore(r, &p->p);
        if (r->failed)
            return;
        if (p->p.level == PGN_ERROR && p->p.kind == PGN_P_VARIANT)
            game->skipped = true;
    }
    uint32_t restored = game->nproblems - own;
    if (restored == 0 || own == 0)
        return;
    pgn_problem *v = xq_arena_calloc(&r->arena, game->nproblems, sizeof *v);
    if (!v) {
        g->failed = true;
        return;
    }
    memcpy(v, game->problems + own, restored * sizeof *v);
    n = restored;
    /* a limit for input made to be slow */
    uint32_t most = 10000000 / own < restored ? 10000000 / own : restored;
    for (uint32_t i = 0; i < own; i++) {
        uint32_t k = 0;
        while (k < most && !same_problem(&game->problems[i], &v[k]))
            k++;
        if (k == most)
            v[n++] = game->problems[i];
    }
    memcpy(game->problems, v, n * sizeof *v);
    game->nproblems = n;
}

/* ---- the format ---- */

/* The next line that is not blank: [*from, *to) of r->raw. */
static bool next_line(const pgn_reader *r, size_t *from, size_t *to)
{
    size_t i = r->at;
    for (;;) {
        while (i < r->nraw && (pgn_byte_breaks(r->raw[i]) || r->raw[i] == ' ' ||
                               r->raw[i] == '\t'))
            i++;
        if (r->nraw - i >= 3 && memcmp(r->raw + i, "\xEF\xBB\xBF", 3) == 0)
            i += 3;
        else
            break;
    }
    if (i >= r->nraw)
        return false;
    *from = i;
    while (i < r->nraw && !pgn_byte_breaks(r->raw[i]))
        i++;
    *to = i;
    return true;
}

/* JSON is UTF-8 (RFC 8259, 8.1): what can be is, whatever the rest of the
 * file looks like, unless the user says otherwise. */
static pgn_encoding line_encoding(const pgn_reader *r, size_t from, size_t to)
{
    xq_str line = {(const char *)r->raw + from, to - from};
    if (r->opts.encoding == PGN_ENC_AUTO && pgn_utf8_valid(line))
        return PGN_ENC_UTF8;
    return r->encoding;
}

static void note_bad_text(struct json_game *g)
{
    pgn_json *j = &g->j;
    if (j->error) {
        size_t n = j->n - j->at < 20 ? j->n - j->at : 20;
        while (n > 0 && n < j->n - j->at &&
               ((unsigned char)j->s[j->at + n] & 0xC0) == 0x80)
            n--;
        note(g, PGN_ERROR, PGN_P_STRUCTURE, j->at, 0, (xq_str){j->s + j->at, n},
             "not JSON: %s", j->error);
    }
    if (j->replaced)
        note(g, PGN_WARNING, PGN_P_ENCODING, 0, 0, (xq_str){NULL, 0},
             "%zu half surrogate pair%s replaced", j->replaced,
             j->replaced == 1 ? "" : "s");
}

static void read_result(struct json_game *g)
{
    pgn_result res;
    if (!g->has_result)
        return;
    if (pgn_result_parse(g->result, &res))
        pgn_build_marker(g->r, res, g->result_at);
    else
        note(g, PGN_WARNING, PGN_P_RESULT, g->result_at, 0, g->result,
             "unknown result");
}

/* The game of the block.  Stops where memory runs out. */
static void read_all(struct json_game *g)
{
    pgn_reader *r = g->r;
    read_text(g);
    g->failed = g->failed || g->j.no_memory;
    if (g->failed || r->failed)
        return;
    note_bad_text(g);
    if (!g->known && !g->j.error)
        note(g, PGN_WARNING, PGN_P_STRUCTURE, 0, 0, (xq_str){NULL, 0},
             "an object without any field of a game");
    set_start(g);
    play_lines(g);
    read_result(g);
    mark_broken(g);
    if (g->failed || r->failed)
        return;
    pgn_build_finish(r, g->behind ? g->base + g->behind : r->ntext);
    restore_problems(g);
}

/* The next object, or line that is none: [*from, *to) of r->raw.  An object
 * whose line does not end with '}' goes on to a line that begins with it. */
static bool next_piece(pgn_reader *r, size_t *from, size_t *to)
{
    if (!next_line(r, from, to))
        return false;
    const size_t at = r->at;
    size_t end = *to, a, b;
    while (end > *from && r->raw[end - 1] <= ' ')
        end--;
    if (r->raw[*from] != '{' || r->raw[end - 1] == '}')
        return true;
    for (r->at = *to; next_line(r, &a, &b); r->at = b) {
        if (r->raw[a] == '{' && pgn_byte_breaks(r->raw[a - 1]))
            break;
        if (r->raw[a] == '}' && pgn_byte_breaks(r->raw[a - 1])) {
            *to = b;
            break;
        }
    }
    r->at = at;
    return true;
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    size_t from, to;
    if (r->pos >= r->ntext) {
        if (!next_piece(r, &from, &to)) {
            r->at = r->nraw;
            return XQ_DONE;
        }
        if (!pgn_block_load(r, from, to, line_encoding(r, from, to)))
            return xq_fail(err, XQ_ENOMEM, "out of memory");
        r->at = to;
    }
    const char *text = r->text + r->pos;
    const size_t n = r->ntext - r->pos;
    pgn_build_start(r, r->pos);
    struct json_game g = {.r = r,
                          .base = r->pos,
                          .lines =
                              memchr(text, '\n', n) || memchr(text, '\r', n)};
    g.problems_tail = &g.problems;
    pgn_json_start(&g.j, (xq_str){text, n}, &r->arena);
    if (!r->failed)
        read_all(&g);
    if (r->failed || g.failed)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    r->pos = g.behind ? g.base + g.behind : r->ntext;
    r->game.notation = PGN_ICCS;
    return XQ_OK;
}

const pgn_fmt pgn_fmt_json = {PGN_FMT_JSON, next};
