/* page_tree.c - the moves of a game as a page has them: text and data.
 *
 * One walk through the tree writes both, so that the n-th word and the n-th
 * move of the data are the same. */
#include "tools/page_tree.h"

#include "engine/rules.h"
#include "libpgn/text.h"
#include "libpgn/writer_tree.h"
#include "tools/web.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What only few nodes have: members of an object, each with a comma. */
enum { KING, END, OTHER, WXF, FIELDS };
static const char *const FIELD[FIELDS] = {"king", "end", "other", "wxf"};

/* The two notations that are got by exchanging characters of the move. */
enum { TO_OTHER, TO_WXF, NOTATIONS };

/* What is known about the walk.  Nodes are numbered as they are written. */
struct build {
    page_tree *t;
    const pgn_game *g;
    pgn_script script;
    uint32_t n;     /* numbers given out; 0 is the start */
    uint32_t depth; /* variations that are open */
    bool numbered;  /* the next move of Black needs its number, too */
    cli_buf moves, evals;
    uint32_t nevals; /* nodes that evals tells of */
    cli_buf field[FIELDS];
    cli_buf pairs[2][NOTATIONS]; /* by side: characters of moves, each followed
                                    by the one that the notation has for it */
};

/* ---- notes ---- */

static void add_comment(struct build *w, xq_str text)
{
    while (text.n && (*text.s == ' ' || *text.s == '\n'))
        text.s++, text.n--;
    while (text.n && (text.s[text.n - 1] == ' ' || text.s[text.n - 1] == '\n'))
        text.n--;
    if (!text.n)
        return;
    cli_buf_puts(&w->t->html, "<q dir=\"auto\">");
    web_html(&w->t->html, text);
    cli_buf_puts(&w->t->html, "</q> ");
    w->numbered = true;
}

/* Has a move [%eval] in a comment behind it?  Then a mover's view is text. */
static bool has_eval(const struct build *w, uint32_t node)
{
    page_eval e;
    size_t from, to;
    for (uint32_t i = w->g->nodes[node].notes; i; i = w->g->notes[i].next)
        if (w->g->notes[i].kind == PGN_NOTE_AFTER &&
            page_eval_find(w->g->notes[i].text, &e, &from, &to))
            return true;
    return false;
}

static void add_comments_before(struct build *w, uint32_t node)
{
    for (uint32_t i = w->g->nodes[node].notes; i; i = w->g->notes[i].next)
        if (w->g->notes[i].kind == PGN_NOTE_BEFORE)
            add_comment(w, w->g->notes[i].text);
}

/* The comments behind a move, without the evaluation in them, which goes to
 * *e. */
static void add_comments_after(struct build *w, uint32_t node, xq_side mover,
                               page_eval *e)
{
    const bool ours = has_eval(w, node);
    for (uint32_t i = w->g->nodes[node].notes; i; i = w->g->notes[i].next) {
        const pgn_note *note = &w->g->notes[i];
        page_eval found;
        size_t from, to;
        if (note->kind != PGN_NOTE_AFTER)
            continue;
        if (ours ? !page_eval_find(note->text, &found, &from, &to)
                 : !page_eval_of_mover(note->text, mover, &found, &from, &to)) {
            add_comment(w, note->text);
            continue;
        }
        *e = found;
        add_comment(w, (xq_str){note->text.s, from});
        add_comment(w, (xq_str){note->text.s + to, note->text.n - to});
    }
}

/* 0: no mistake; the worse, the more. */
static int gravity(uint32_t nag)
{
    return nag == 4 ? 3 : nag == 2 ? 2 : nag == 6 ? 1 : 0;
}

/* The signs one after the other; the worst mistake in *mark. */
static void add_signs(const struct build *w, uint32_t node, cli_buf *b,
                      uint32_t *mark)
{
    char room[16];
    for (uint32_t i = w->g->nodes[node].notes; i; i = w->g->notes[i].next)
        if (w->g->notes[i].kind == PGN_NOTE_NAG) {
            const uint32_t nag = w->g->notes[i].nag;
            cli_buf_puts(b, page_nag(nag, room));
            if (gravity(nag) > gravity(*mark))
                *mark = nag;
        }
}

/* ---- data ---- */

/* For the move written last. */
static void add_field(struct build *w, int field, const char *value)
{
    cli_buf_printf(&w->field[field], ",\"%" PRIu32 "\":", w->n);
    cli_buf_json(&w->field[field], xq_str_of(value));
}

static void note_king(struct build *w, const xq_pos *p)
{
    char sq[3];
    if (!xq_in_check(p, (xq_side)p->side))
        return;
    xq_sq_format(xq_pos_king(p, (xq_side)p->side), sq);
    add_field(w, KING, sq);
}

/* Nodes without an evaluation are counted before the next that has one. */
static void note_eval(struct build *w, const page_eval *e, unsigned share)
{
    if (e->kind == PAGE_NONE)
        return;
    if (w->evals.n)
        cli_buf_puts(&w->evals, " ");
    if (w->n > w->nevals)
        cli_buf_printf(&w->evals, "%" PRIu32 " ", w->n - w->nevals);
    cli_buf_printf(&w->evals, "%s/%u", e->text, (share + 5) / 10);
    w->nevals = w->n + 1;
}

/* Two characters a move: half of what a long game's data take up. */
static void note_points(struct build *w, xq_move m)
{
    const xq_sq points[2] = {xq_move_from(m), xq_move_to(m)};
    for (int i = 0; i < 2; i++) {
        char c[2] = {(char)('#' + points[i])};
        c[0] = (char)(c[0] + (c[0] >= '<'));
        c[0] = (char)(c[0] + (c[0] >= '\\'));
        cli_buf_puts(&w->moves, c);
    }
}

/* Is `text` turned into `other` by exchanging characters, each always for the
 * same?  What is new of that is added to the pairs. */
static bool is_exchange(cli_buf *pairs, const char *text, const char *other)
{
    const size_t before = pairs->n;
    while (*text && *other && !pairs->failed) {
        size_t n, m, len;
        pgn_utf8_next(text, strlen(text), &n);
        pgn_utf8_next(other, strlen(other), &m);
        const char *known = NULL;
        for (size_t i = 0; i < pairs->n && !known; i += len) {
            pgn_utf8_next(pairs->s + i, pairs->n - i, &len);
            if (len == n && memcmp(pairs->s + i, text, n) == 0)
                known = pairs->s + i + len;
            size_t value;
            pgn_utf8_next(pairs->s + i + len, pairs->n - i - len, &value);
            len += value;
        }
        const bool same = n == m && memcmp(text, other, n) == 0;
        if (known && strncmp(known, other, m) != 0) {
            pairs->n = before;
            return false;
        }
        if (!known && !same) {
            cli_buf_add(pairs, text, n);
            cli_buf_add(pairs, other, m);
        }
        text += n;
        other += m;
    }
    return pairs->failed || (!*text && !*other);
}

static void note_move(struct build *w, const pgn_walk *at, const xq_pos *after)
{
    cli_buf *pairs = w->pairs[at->pos.side];
    char text[PGN_MOVE_TEXT_MAX], other[PGN_MOVE_TEXT_MAX];
    note_points(w, at->move);
    pgn_move_write(&at->pos, at->move, PGN_CHINESE, w->script, text);
    pgn_move_write(
        &at->pos, at->move, PGN_CHINESE,
        w->script == PGN_SIMPLIFIED ? PGN_TRADITIONAL : PGN_SIMPLIFIED, other);
    if (!is_exchange(&pairs[TO_OTHER], text, other))
        add_field(w, OTHER, other);
    pgn_move_write(&at->pos, at->move, PGN_WXF, PGN_SIMPLIFIED, other);
    if (!is_exchange(&pairs[TO_WXF], text, other))
        add_field(w, WXF, other);
    note_king(w, after);
    if (!xq_has_legal_move(after))
        add_field(w, END,
                  xq_in_check(after, (xq_side)after->side) ? "mate"
                                                           : "stalemate");
}

/* ---- a move ---- */

static void close_variations(struct build *w, uint32_t keep)
{
    for (; w->depth > keep; w->depth--) {
        cli_buf_puts(&w->t->html, "</div>\n");
        cli_buf_puts(&w->moves, "!");
    }
}

/* Close variations that ended and open the one that begins. */
static void change_line(struct build *w, const pgn_walk *at)
{
    const bool begins = at->depth > 0 && at->ply == 1;
    const uint32_t keep = begins ? at->depth - 1 : at->depth;
    const bool came_back = w->depth > at->depth;
    close_variations(w, keep);
    if (begins) {
        cli_buf_puts(&w->t->html, "<div>");
        cli_buf_puts(&w->moves, " ");
        w->depth = at->depth;
    }
    if (begins || came_back || at->ply == 1)
        w->numbered = true;
}

/* With a blank that keeps it on the line of its move, and tells it from one.
 * In variations once, which will do where no script adds the others. */
static void add_number(struct build *w, const xq_pos *p)
{
    if (p->side == XQ_RED && (w->numbered || !w->depth))
        cli_buf_printf(&w->t->html, "%" PRIu32 ".\u00a0", p->fullmove);
    else if (p->side == XQ_BLACK && w->numbered)
        cli_buf_printf(&w->t->html, "%" PRIu32 "…\u00a0", p->fullmove);
    w->numbered = false;
}

static void add_text(struct build *w, const pgn_walk *at, const cli_buf *signs,
                     uint32_t mark)
{
    cli_buf *b = &w->t->html;
    char text[PGN_MOVE_TEXT_MAX];
    pgn_move_write(&at->pos, at->move, PGN_CHINESE, w->script, text);
    web_html(b, xq_str_of(text));
    if (signs->n) {
        cli_buf_puts(b, "<i");
        if (mark)
            cli_buf_printf(b, " class=m%" PRIu32, mark);
        cli_buf_puts(b, ">");
        web_html(b, (xq_str){signs->s, signs->n});
        cli_buf_puts(b, "</i>");
    }
    cli_buf_puts(b, " ");
}

static void add_move(struct build *w, const pgn_walk *at)
{
    cli_buf signs = {0};
    page_ply ply = {.mover = (xq_side)at->pos.side};
    xq_pos after = at->pos;
    xq_pos_make(&after, at->move, NULL);
    change_line(w, at);
    w->n++;
    add_comments_before(w, at->node);
    add_signs(w, at->node, &signs, &ply.mark);
    add_number(w, &at->pos);
    add_text(w, at, &signs, ply.mark);
    note_move(w, at, &after);
    add_comments_after(w, at->node, ply.mover, &ply.eval);
    if (ply.eval.kind != PAGE_NONE)
        ply.share = page_eval_share(&ply.eval, &after);
    note_eval(w, &ply.eval, ply.share);
    if (signs.failed)
        w->t->json.failed = true;
    if (at->depth == 0) {
        w->t->plies[w->t->n++] = ply;
        w->t->last = after;
    }
    cli_buf_free(&signs);
}

/* ---- the tree ---- */

static void add_start(struct build *w)
{
    page_ply start = {.mover = XQ_BLACK};
    if (pgn_has_start(w->g))
        note_king(w, &w->g->start);
    if (w->g->nnodes)
        add_comments_after(w, 0, (xq_side)w->g->start.side, &start.eval);
    if (start.eval.kind != PAGE_NONE)
        start.share = page_eval_share(&start.eval, &w->g->start);
    note_eval(w, &start.eval, start.share);
    w->t->plies[w->t->n++] = start;
    w->t->last = w->g->start;
}

/* The board alone: FEN up to its first blank.  Where the start was refused
 * nobody knows what stood there. */
static void json_start(cli_buf *b, const xq_pos *p, bool known)
{
    char fen[XQ_FEN_MAX] = "9/9/9/9/9/9/9/9/9/9";
    if (known)
        xq_fen_format(p, fen);
    cli_buf_printf(b, "{\"start\":\"%.*s\",\"side\":\"%s\",\"round\":%" PRIu32,
                   (int)strcspn(fen, " "), fen,
                   p->side == XQ_RED ? "red" : "black", p->fullmove);
}

static void json_string(cli_buf *json, const char *name, const cli_buf *value)
{
    cli_buf_printf(json, ",\n\"%s\":", name);
    cli_buf_json(json, (xq_str){value->s, value->n});
    if (value->failed)
        json->failed = true;
}

static void json_field(cli_buf *json, const char *name, const cli_buf *members)
{
    if (members->n) {
        cli_buf_printf(json, ",\n\"%s\":{", name);
        cli_buf_add(json, members->s + 1, members->n - 1);
        cli_buf_puts(json, "}");
    }
    if (members->failed)
        json->failed = true;
}

static void json_all(struct build *w)
{
    static const char *const NAME[2][NOTATIONS] = {{"red", "redwxf"},
                                                   {"black", "blackwxf"}};
    cli_buf *json = &w->t->json;
    json_start(json, &w->g->start, pgn_has_start(w->g));
    json_string(json, "moves", &w->moves);
    json_string(json, "evals", &w->evals);
    for (int i = 0; i < FIELDS; i++)
        json_field(json, FIELD[i], &w->field[i]);
    for (int side = XQ_RED; side <= XQ_BLACK; side++)
        for (int i = 0; i < NOTATIONS; i++)
            json_string(json, NAME[side][i], &w->pairs[side][i]);
    cli_buf_puts(json, "}");
}

static void free_build(struct build *w)
{
    cli_buf_free(&w->moves);
    cli_buf_free(&w->evals);
    for (int i = 0; i < FIELDS; i++)
        cli_buf_free(&w->field[i]);
    for (int side = XQ_RED; side <= XQ_BLACK; side++)
        for (int i = 0; i < NOTATIONS; i++)
            cli_buf_free(&w->pairs[side][i]);
}

bool page_tree_make(page_tree *t, const pgn_game *g, pgn_script script)
{
    struct build w = {.t = t, .g = g, .script = script, .numbered = true};
    pgn_walk at;
    *t = (page_tree){0};
    t->plies = calloc((size_t)g->nnodes + 1, sizeof *t->plies);
    bool ok = t->plies != NULL;
    if (ok) {
        add_start(&w);
        pgn_walk_start(&at, g);
        while (pgn_walk_next(&at))
            add_move(&w, &at);
        ok = !at.failed;
        pgn_walk_end(&at);
        close_variations(&w, 0);
        json_all(&w);
    }
    free_build(&w);
    return ok && !t->html.failed && !t->json.failed;
}

void page_tree_free(page_tree *t)
{
    cli_buf_free(&t->html);
    cli_buf_free(&t->json);
    free(t->plies);
    *t = (page_tree){0};
}
