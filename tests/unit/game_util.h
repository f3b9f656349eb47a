/* game_util.h - games made by hand, without any reader.
 *
 *   struct made *m = make_game(NULL, "h2e2 $1 {fine} (b2e2 {x} h9g7) h9g7");
 *   use(&m->g);
 *   free_game(m);
 *
 * Moves as h2e2, "(" and ")" around variations of the move before, {comment},
 * $nag.  A comment or NAG before the first move belongs to the root, before
 * the first of a variation to that move.  What stands first at fault fails
 * the test. */
#ifndef GAME_UTIL_H
#define GAME_UTIL_H

#include "engine/rules.h"
#include "libpgn/game.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TAGS 16

struct made {
    pgn_game g;
    pgn_tag tags[MAX_TAGS];
};

struct made_line {
    xq_pos before; /* before the last move */
    xq_pos pos;
    uint32_t last, head; /* head: 0, or the move this line replaces */
    bool started;
};

static inline void add_tag(struct made *m, const char *name, const char *value)
{
    assert_true(m->g.ntags < MAX_TAGS);
    m->tags[m->g.ntags++] = (pgn_tag){xq_str_of(name), xq_str_of(value)};
}

static inline void add_note(pgn_game *g, uint32_t node, pgn_note n)
{
    uint32_t *link = &g->nodes[node].notes;
    while (*link)
        link = &g->notes[*link].next;
    *link = g->nnotes;
    g->notes[g->nnotes++] = n;
}

static inline struct made *make_game(const char *fen, const char *text)
{
    size_t most = strlen(text) / 2 + 2, depth = 0;
    struct made *m = calloc(1, sizeof *m);
    struct made_line *stack = calloc(most, sizeof *stack);
    pgn_note *pending = calloc(most, sizeof *pending);
    size_t npending = 0;
    assert_non_null(m);
    assert_non_null(stack);
    assert_non_null(pending);
    pgn_game *g = &m->g;
    g->tags = m->tags;
    g->nodes = calloc(most, sizeof *g->nodes);
    g->notes = calloc(most, sizeof *g->notes);
    g->main = calloc(most, sizeof *g->main);
    assert_true(g->nodes && g->notes && g->main);
    g->nnodes = g->nnotes = 1;
    xq_pos_start(&g->start);
    xq_pos usual = g->start;
    if (fen)
        assert_int_equal(xq_fen_parse(&g->start, xq_str_of(fen), NULL, NULL),
                         XQ_OK);
    g->standard = g->start.key == usual.key;
    struct made_line *l = stack;
    l->pos = g->start;
    for (const char *s = text; *s;) {
        if (*s == ' ') {
            s++;
        } else if (*s == '(') {
            struct made_line v = {.pos = l->before, .head = l->last};
            stack[++depth] = v;
            l = &stack[depth];
            g->has_variations = true;
            s++;
        } else if (*s == ')') {
            assert_true(depth > 0 && npending == 0);
            l = &stack[--depth];
            s++;
        } else if (*s == '{' || *s == '$') {
            pgn_note n = {.kind = PGN_NOTE_AFTER};
            if (*s == '{') {
                const char *end = strchr(s, '}');
                assert_non_null(end);
                n.text = (xq_str){s + 1, (size_t)(end - s - 1)};
                s = end + 1;
            } else {
                char *end;
                n.kind = PGN_NOTE_NAG;
                n.nag = (uint32_t)strtoul(s + 1, &end, 10);
                s = end;
            }
            if (depth > 0 && !l->started) {
                if (n.kind == PGN_NOTE_AFTER)
                    n.kind = PGN_NOTE_BEFORE;
                pending[npending++] = n;
            } else {
                add_note(g, l->last, n);
            }
        } else {
            char move[5] = {0};
            memcpy(move, s, strnlen(s, 4));
            s += strlen(move);
            xq_move mv = xq_move_parse(move);
            if (!xq_move_is_legal(&l->pos, mv))
                fail_msg("%s is not legal in \"%s\"", move, text);
            uint32_t i = g->nnodes++;
            g->nodes[i].move = mv;
            if (depth > 0 && !l->started) {
                uint32_t *link = &g->nodes[l->head].alt;
                while (*link)
                    link = &g->nodes[*link].alt;
                *link = i;
            } else {
                g->nodes[l->last].next = i;
            }
            l->started = true;
            l->last = i;
            l->before = l->pos;
            xq_pos_make(&l->pos, mv, NULL);
            for (size_t k = 0; k < npending; k++)
                add_note(g, i, pending[k]);
            npending = 0;
            if (depth == 0)
                g->main[g->plies++] = mv;
        }
    }
    assert_int_equal(depth, 0);
    free(stack);
    free(pending);
    return m;
}

static inline void free_game(struct made *m)
{
    free(m->g.nodes);
    free(m->g.notes);
    free(m->g.main);
    free(m);
}

#endif
