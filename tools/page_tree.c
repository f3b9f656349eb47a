/* page_tree.c - the moves of a game as a page has them: text and data.
 *
 * One walk through the tree writes both, so that the n-th link and the n-th
 * node are the same move. */
#include "tools/page_tree.h"

#include "engine/rules.h"
#include "libpgn/text.h"
#include "libpgn/writer_tree.h"
#include "tools/web.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What is known about the walk.  Nodes are numbered as they are written. */
struct build {
    page_tree *t;
    const pgn_game *g;
    pgn_script script;
    uint32_t *parent; /* by number */
    uint32_t *last;   /* by depth: the number of the move met last there */
    uint32_t n;       /* numbers given out; 0 is the start */
    uint32_t depth;   /* variations that are open */
    bool numbered;    /* the next move of Black needs its number, too */
    cli_buf pairs[2]; /* by side: characters of moves that the other script
                         writes otherwise, each followed by that one's */
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

static bool is_mistake(uint32_t nag)
{
    return nag == 2 || nag == 4 || nag == 6;
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
            if (is_mistake(nag))
                *mark = nag;
        }
}

/* ---- data ---- */

static void json_king(cli_buf *b, const xq_pos *p)
{
    char sq[3];
    if (!xq_in_check(p, (xq_side)p->side))
        return;
    xq_sq_format(xq_pos_king(p, (xq_side)p->side), sq);
    cli_buf_printf(b, ",\"k\":\"%s\"", sq);
}

static void json_eval(cli_buf *b, const page_eval *e, unsigned share)
{
    if (e->kind != PAGE_NONE)
        cli_buf_printf(b, ",\"e\":\"%s\",\"p\":%u", e->text, share);
}

/* Is `text` turned into `other` by exchanging characters, each always for the
 * same?  What is new of that is added to the pairs. */
static bool is_exchange(cli_buf *pairs, const char *text, const char *other)
{
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
        if (known && strncmp(known, other, m) != 0)
            return false;
        if (!known && !same) {
            cli_buf_add(pairs, text, n);
            cli_buf_add(pairs, other, m);
        }
        text += n;
        other += m;
    }
    return pairs->failed || (!*text && !*other);
}

static void json_move(struct build *w, const pgn_walk *at, const xq_pos *after)
{
    cli_buf *b = &w->t->json;
    char text[PGN_MOVE_TEXT_MAX], other[PGN_MOVE_TEXT_MAX];
    cli_buf_puts(b, ",\n{");
    if (w->parent[w->n] + 1 != w->n)
        cli_buf_printf(b, "\"u\":%" PRIu32 ",", w->parent[w->n]);
    xq_move_format(at->move, text);
    cli_buf_printf(b, "\"m\":\"%s\"", text);
    pgn_move_write(&at->pos, at->move, PGN_CHINESE, w->script, text);
    pgn_move_write(
        &at->pos, at->move, PGN_CHINESE,
        w->script == PGN_SIMPLIFIED ? PGN_TRADITIONAL : PGN_SIMPLIFIED, other);
    if (!is_exchange(&w->pairs[at->pos.side], text, other)) {
        cli_buf_puts(b, ",\"t\":");
        cli_buf_json(b, xq_str_of(other));
    }
    pgn_move_write(&at->pos, at->move, PGN_WXF, PGN_SIMPLIFIED, text);
    cli_buf_puts(b, ",\"w\":");
    cli_buf_json(b, xq_str_of(text));
    json_king(b, after);
    if (!xq_has_legal_move(after))
        cli_buf_printf(b, ",\"o\":\"%s\"",
                       xq_in_check(after, (xq_side)after->side) ? "mate"
                                                                : "stalemate");
}

/* ---- a move ---- */

/* Close variations that ended and open the one that begins. */
static void change_line(struct build *w, const pgn_walk *at)
{
    const bool begins = at->depth > 0 && at->ply == 1;
    const uint32_t keep = begins ? at->depth - 1 : at->depth;
    for (; w->depth > keep; w->depth--)
        cli_buf_puts(&w->t->html, "</div>\n");
    if (begins) {
        cli_buf_puts(&w->t->html, "<div class=\"v\">");
        w->depth = at->depth;
    }
    if (begins || keep < at->depth || at->ply == 1)
        w->numbered = true;
}

/* With a blank that keeps it on the line of its move. */
static void add_number(struct build *w, const xq_pos *p)
{
    if (p->side == XQ_RED)
        cli_buf_printf(&w->t->html, "<b>%" PRIu32 ".</b>\u00a0", p->fullmove);
    else if (w->numbered)
        cli_buf_printf(&w->t->html, "<b>%" PRIu32 "…</b>\u00a0", p->fullmove);
    w->numbered = false;
}

static void add_link(struct build *w, const pgn_walk *at, const cli_buf *signs,
                     uint32_t mark)
{
    cli_buf *b = &w->t->html;
    char text[PGN_MOVE_TEXT_MAX];
    pgn_move_write(&at->pos, at->move, PGN_CHINESE, w->script, text);
    cli_buf_puts(b, "<a");
    if (mark)
        cli_buf_printf(b, " class=\"m%" PRIu32 "\"", mark);
    cli_buf_puts(b, ">");
    web_html(b, xq_str_of(text));
    if (signs->n) {
        cli_buf_puts(b, "<i>");
        web_html(b, (xq_str){signs->s, signs->n});
        cli_buf_puts(b, "</i>");
    }
    cli_buf_puts(b, "</a> ");
}

/* The number of the node that the move is played in: the one before it in its
 * line; of a variation's first move the one that the replaced move, which was
 * met last one level above, is played in. */
static uint32_t parent_of(const struct build *w, const pgn_walk *at)
{
    if (at->ply > 1)
        return w->last[at->depth];
    return at->depth ? w->parent[w->last[at->depth - 1]] : 0;
}

static void add_move(struct build *w, const pgn_walk *at)
{
    cli_buf signs = {0};
    page_ply ply = {.mover = (xq_side)at->pos.side};
    xq_pos after = at->pos;
    xq_pos_make(&after, at->move, NULL);
    const bool came_back = w->depth > at->depth;
    change_line(w, at);
    if (came_back)
        w->numbered = true;
    w->n++;
    w->parent[w->n] = parent_of(w, at);
    w->last[at->depth] = w->n;
    add_comments_before(w, at->node);
    add_signs(w, at->node, &signs, &ply.mark);
    add_number(w, &at->pos);
    add_link(w, at, &signs, ply.mark);
    json_move(w, at, &after);
    add_comments_after(w, at->node, ply.mover, &ply.eval);
    if (ply.eval.kind != PAGE_NONE)
        ply.share = page_eval_share(&ply.eval, &after);
    json_eval(&w->t->json, &ply.eval, ply.share);
    cli_buf_puts(&w->t->json, "}");
    if (signs.failed)
        w->t->json.failed = true;
    if (at->depth == 0) {
        w->t->plies[w->t->n++] = ply;
        w->t->last = after;
    }
    cli_buf_free(&signs);
}

/* ---- the tree ---- */

/* The board alone: FEN up to its first blank.  Where the start was refused
 * nobody knows what stood there. */
static void json_start(cli_buf *b, const xq_pos *p, bool known)
{
    char fen[XQ_FEN_MAX] = "9/9/9/9/9/9/9/9/9/9";
    if (known)
        xq_fen_format(p, fen);
    cli_buf_printf(b,
                   "{\"start\":\"%.*s\",\"side\":\"%s\",\"round\":%" PRIu32
                   ",\n\"nodes\":[{",
                   (int)strcspn(fen, " "), fen,
                   p->side == XQ_RED ? "red" : "black", p->fullmove);
}

/* `"m":null` first, so that every further field begins with a comma. */
static void add_start(struct build *w)
{
    page_ply start = {.mover = XQ_BLACK};
    const bool known = pgn_has_start(w->g);
    json_start(&w->t->json, &w->g->start, known);
    cli_buf_puts(&w->t->json, "\"m\":null");
    if (known)
        json_king(&w->t->json, &w->g->start);
    if (w->g->nnodes)
        add_comments_after(w, 0, (xq_side)w->g->start.side, &start.eval);
    if (start.eval.kind != PAGE_NONE)
        start.share = page_eval_share(&start.eval, &w->g->start);
    json_eval(&w->t->json, &start.eval, start.share);
    cli_buf_puts(&w->t->json, "}");
    w->t->plies[w->t->n++] = start;
    w->t->last = w->g->start;
}

static void json_pairs(struct build *w)
{
    static const char *const NAME[2] = {"],\n\"red\":", ",\"black\":"};
    for (int side = XQ_RED; side <= XQ_BLACK; side++) {
        cli_buf *pairs = &w->pairs[side];
        cli_buf_puts(&w->t->json, NAME[side]);
        cli_buf_json(&w->t->json, (xq_str){pairs->s, pairs->n});
        if (pairs->failed)
            w->t->json.failed = true;
    }
    cli_buf_puts(&w->t->json, "}");
}

bool page_tree_make(page_tree *t, const pgn_game *g, pgn_script script)
{
    const size_t nodes = (size_t)g->nnodes + 1;
    struct build w = {.t = t, .g = g, .script = script, .numbered = true};
    pgn_walk at;
    *t = (page_tree){0};
    w.parent = calloc(nodes, sizeof *w.parent);
    w.last = calloc(nodes, sizeof *w.last); /* no deeper than its moves */
    t->plies = calloc(nodes, sizeof *t->plies);
    bool ok = w.parent && w.last && t->plies;
    if (ok) {
        add_start(&w);
        pgn_walk_start(&at, g);
        while (pgn_walk_next(&at))
            add_move(&w, &at);
        ok = !at.failed;
        pgn_walk_end(&at);
        for (; w.depth > 0; w.depth--)
            cli_buf_puts(&t->html, "</div>\n");
        json_pairs(&w);
    }
    for (int side = XQ_RED; side <= XQ_BLACK; side++)
        cli_buf_free(&w.pairs[side]);
    free(w.parent);
    free(w.last);
    return ok && !t->html.failed && !t->json.failed;
}

void page_tree_free(page_tree *t)
{
    cli_buf_free(&t->html);
    cli_buf_free(&t->json);
    free(t->plies);
    *t = (page_tree){0};
}
