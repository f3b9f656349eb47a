/* repeat.c - repetitions and limits along a path.
 *
 * Inside the tree a position that occurs a second time is decided, before the
 * root the third occurrence is.  The cheap way to decide looks at
 * checks only: whoever gave check with every ply of the window, alone, has
 * lost; all else is a draw. */
#include "engine/search_parts.h"

#include <stdlib.h>
#include <string.h>

/* The window's plies are keys[first + 1] to keys[last], the last by the side
 * that is not to move now. */
static int judge_by_checks(const struct worker *w, uint32_t first,
                           uint32_t last, int win)
{
    bool theirs = true, ours = true;
    for (uint32_t i = last; i > first; i -= 2) {
        theirs &= w->checks[i];
        ours &= w->checks[i - 1];
    }
    if (theirs == ours)
        return draw_score(w);
    return theirs ? win : -win;
}

/* L-01, L-03. */
static bool limit_reached(const struct worker *w, const struct frame *f)
{
    uint32_t limit = w->s->o.natural_limit;
    return limit && w->pos.halfmove >= limit + w->s->uncounted &&
           (!f->check || xq_has_legal_move(&w->pos));
}

bool xq_path_ruled(struct worker *w, const struct frame *f, bool exact,
                   int *score)
{
    (void)exact;
    int ply = (int)(f - w->root);
    uint32_t now = w->nkeys - 1, back = f->reversible;
    if (back >= 4 && w->seen[w->pos.key % 4096] > 1) {
        bool before = false; /* once before the root */
        if (back > now)
            back = now;
        for (uint32_t d = 4; d <= back; d += 2) {
            if (w->keys[now - d] != w->pos.key)
                continue;
            if (now - d >= w->root_key || before) {
                /* the window ends at the last occurrence but one. */
                *score =
                    judge_by_checks(w, now - d, now,
                                    before ? XQ_OVER_IN(ply) : XQ_RULE_IN(ply));
                return true;
            }
            before = true;
        }
    }
    if (limit_reached(w, f)) {
        *score = draw_score(w);
        return true;
    }
    return false;
}

/* ---- the way to the root ---- */

/* L-02: plies since the last capture that the limit does not count: each
 * side's checks from the eleventh on, and their answers. */
static uint32_t uncounted(const struct worker *w)
{
    enum { COUNTED = 10 };
    uint32_t n = 0, checks[2] = {0, 0};
    for (uint32_t i = 1; i < w->nkeys; i++)
        if (w->checks[i] && ++checks[i % 2] > COUNTED)
            n += 2;
    return n;
}

xq_status xq_path_begin(struct worker *w, const xq_game_line *game, xq_err *err)
{
    xq_pos *p = &w->pos;
    *p = *game->start;
    free(w->keys);
    free(w->checks);
    size_t room = (size_t)game->n + XQ_MAX_PLY + 8;
    w->keys = calloc(room, sizeof *w->keys);
    w->checks = calloc(room, 1);
    if (!w->keys || !w->checks)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    memset(w->seen, 0, sizeof w->seen);
    memset(w->frames, 0, sizeof w->frames);
    w->root = w->frames + 6;
    w->nkeys = 0;
    push_key(w, xq_in_check(p, (xq_side)p->side));
    for (uint32_t i = 0; i < game->n; i++) {
        if (p->at[xq_move_to(game->moves[i])] != XQ_EMPTY) {
            memset(w->seen, 0, sizeof w->seen);
            w->nkeys = 0;
        }
        xq_pos_make(p, game->moves[i], NULL);
        push_key(w, xq_in_check(p, (xq_side)p->side));
    }
    w->root_key = w->nkeys - 1;
    w->root->check = w->checks[w->root_key];
    w->root->reversible =
        (uint16_t)(w->root_key < UINT16_MAX ? w->root_key : UINT16_MAX);
    xq_eval_init(&w->root->st, p);
    if (w->index == 0)
        w->s->uncounted = uncounted(w);
    return XQ_OK;
}
