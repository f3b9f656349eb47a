/* writer_tree.c - what the writers of stored trees share. */
#include "libpgn/writer_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the tree ---- */

void pgn_stored_walk_start(pgn_stored_walk *w, const pgn_game *g)
{
    *w = (pgn_stored_walk){.g = g, .next = g->nodes[0].next};
}

static bool push(pgn_stored_walk *w, uint32_t node)
{
    if (w->n == w->cap) {
        const size_t cap = w->cap ? 2 * w->cap : 64;
        uint32_t *p = realloc(w->stack, cap * sizeof *p);
        if (!p) {
            w->failed = true;
            return false;
        }
        w->stack = p;
        w->cap = cap;
    }
    w->stack[w->n++] = node;
    return true;
}

bool pgn_stored_walk_next(pgn_stored_walk *w)
{
    if (!w->next)
        return false;
    const pgn_node *node = &w->g->nodes[w->next];
    w->node = w->next;
    w->goes_on = node->next != 0;
    w->sibling = node->alt != 0;
    if (w->sibling && !push(w, w->node))
        return false;
    if (w->goes_on)
        w->next = node->next;
    else
        w->next = w->n ? w->g->nodes[w->stack[--w->n]].alt : 0;
    return true;
}

void pgn_stored_walk_end(pgn_stored_walk *w)
{
    free(w->stack);
    w->stack = NULL;
}

/* ---- comments ---- */

static void join(const pgn_game *g, uint32_t node, pgn_note_kind kind,
                 pgn_buf *out, pgn_lost *lost)
{
    for (uint32_t i = g->nodes[node].notes; i; i = g->notes[i].next) {
        const pgn_note *n = &g->notes[i];
        if (n->kind != kind || n->text.n == 0)
            continue;
        if (out->n)
            pgn_buf_puts(out, "\n");
        lost->comments += out->n || kind == PGN_NOTE_BEFORE;
        pgn_buf_add(out, n->text.s, n->text.n);
    }
}

void pgn_joined_comment(const pgn_game *g, uint32_t node, pgn_buf *out,
                        pgn_lost *lost)
{
    out->n = 0;
    join(g, node, PGN_NOTE_BEFORE, out, lost);
    join(g, node, PGN_NOTE_AFTER, out, lost);
    for (uint32_t i = g->nodes[node].notes; i; i = g->notes[i].next)
        lost->nags += g->notes[i].kind == PGN_NOTE_NAG;
}

bool pgn_text_comes_back(xq_str s, bool lines)
{
    for (size_t i = 0; i < s.n; i++) {
        const unsigned char c = (unsigned char)s.s[i];
        const bool edge = i == 0 || i == s.n - 1;
        if (c <= ' ' && (edge || c == 0 || c == '\r'))
            return false;
        if (c < ' ' && !lines)
            return false;
    }
    return true;
}

/* ---- tags ---- */

static bool name_is(const pgn_tag *t, const char *name)
{
    return xq_str_eq_nocase(t->name, xq_str_of(name));
}

bool pgn_has_start(const pgn_game *g)
{
    xq_pos p;
    if (g->skipped)
        return false;
    for (uint32_t i = 0; i < g->ntags && g->standard; i++)
        if (name_is(&g->tags[i], "FEN") && g->tags[i].value.n)
            return xq_fen_parse(&p, g->tags[i].value, NULL, NULL) >= 0;
    return true;
}

bool pgn_tag_is_layout(const pgn_tag *t)
{
    static const char *const NAMES[] = {"Result", "FEN",  "SetUp",
                                        "Format", "Game", "Variant"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (name_is(t, NAMES[i]))
            return true;
    return false;
}

/* ---- what was lost ---- */

bool pgn_lost_any(const pgn_lost *l)
{
    return l->characters || l->cut || l->blanks || l->tags || l->nags ||
           l->comments || l->counters || l->games;
}

void pgn_lost_add(pgn_lost *to, const pgn_lost *l)
{
    to->characters += l->characters;
    to->cut += l->cut;
    to->blanks += l->blanks;
    to->tags += l->tags;
    to->nags += l->nags;
    to->comments += l->comments;
    to->counters += l->counters;
    to->games += l->games;
}

void pgn_lost_text(const pgn_lost *l, const char *encoding, char out[400])
{
    const struct {
        size_t n;
        const char *one, *more;
    } ITEMS[] = {
        {l->games, "game not written (no place for its position)",
         "games not written (no place for their positions)"},
        {l->characters, "character written as '?', not in ",
         "characters written as '?', not in "},
        {l->cut, "value cut to its field", "values cut to their fields"},
        {l->blanks, "text with other blanks", "texts with other blanks"},
        {l->tags, "tag without a field", "tags without a field"},
        {l->nags, "NAG", "NAGs"},
        {l->comments, "comment joined or moved", "comments joined or moved"},
        {l->counters, "start position without its counters",
         "start positions without their counters"},
    };
    size_t n = 0;
    out[0] = 0;
    for (size_t i = 0; i < sizeof ITEMS / sizeof *ITEMS; i++)
        if (ITEMS[i].n)
            n += (size_t)snprintf(
                out + n, 400 - n, "%s%zu %s%s", n ? ", " : "", ITEMS[i].n,
                ITEMS[i].n == 1 ? ITEMS[i].one : ITEMS[i].more,
                i == 1 ? encoding : "");
}
