/* repeat.c - repetitions and limits along a path.
 *
 * Inside the tree a position that occurs a second time is decided, before the
 * root the third occurrence is.  Checks are looked at first: whoever
 * gave check with every ply of the window, alone, has lost under either rule
 * set.  What is left is for the judge, where it is worth its price. */
#include "engine/search_parts.h"

#include <stdlib.h>
#include <string.h>

/* The window's plies are those that led to keys[first + 1] to keys[last], the
 * last by the side that is not to move now.  Returns win, -win or a draw. */
static int judge(const struct worker *w, uint32_t first, uint32_t last,
                 bool exact, int win)
{
    bool theirs = true, ours = true;
    for (uint32_t i = last; i > first; i -= 2) {
        theirs &= w->checks[i];
        ours &= w->checks[i - 1];
    }
    if (theirs != ours)
        return theirs ? win : -win;
    if (theirs || !exact)
        return draw_score(w);
    /* The window began with the position it ends with. */
    xq_ruling r;
    xq_judge_window(&w->s->profile, &w->pos, w->line + first + 1, last - first,
                    &r);
    if (r.outcome != XQ_RED_LOSES && r.outcome != XQ_BLACK_LOSES)
        return draw_score(w);
    const xq_side loser = r.outcome == XQ_RED_LOSES ? XQ_RED : XQ_BLACK;
    return w->pos.side == loser ? -win : win;
}

/* L-03: mate and stalemate come before the limit. */
bool xq_path_over_limit(const struct worker *w)
{
    return xq_has_legal_move(&w->pos);
}

bool xq_path_ruled(struct worker *w, const struct frame *f, bool exact,
                   int *score)
{
    int ply = (int)(f - w->root);
    uint32_t now = w->nkeys - 1, back = f->reversible;
    if (back >= 4 && w->seen[w->pos.key % 4096] > 1) {
        uint32_t last = 0; /* plies back to the last occurrence */
        if (back > now)
            back = now;
        for (uint32_t d = 4; d <= back; d += 2) {
            if (w->keys[now - d] != w->pos.key)
                continue;
            const bool over = last != 0; /* before the root, and before that */
            last = over ? last : d;
            if (over || now - d >= w->root_key) {
                /* the window begins with the last occurrence. */
                *score = judge(w, now - last, now, exact || over,
                               over ? XQ_OVER_IN(ply) : XQ_RULE_IN(ply));
                return true;
            }
        }
    }
    if (path_at_limit(w)) {
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
    uint32_t n = 0, checks[2] = {0, 0};
    for (uint32_t i = 1; i < w->nkeys; i++)
        if (w->checks[i] && ++checks[i % 2] > w->s->profile.limit_checks)
            n += 2;
    return n;
}

static bool any_twice(const struct worker *w)
{
    for (uint32_t i = 4; i < w->nkeys; i++) {
        if (w->seen[w->keys[i] % 4096] < 2)
            continue;
        for (uint32_t d = 4; d <= i; d += 2)
            if (w->keys[i - d] == w->keys[i])
                return true;
    }
    return false;
}

xq_status xq_path_begin(struct worker *w, const xq_game_line *game, xq_err *err)
{
    xq_pos *p = &w->pos;
    *p = *game->start;
    free(w->keys);
    free(w->checks);
    free(w->line);
    size_t room = (size_t)game->n + XQ_MAX_PLY + 8;
    w->keys = calloc(room, sizeof *w->keys);
    w->checks = calloc(room, 1);
    w->line = calloc(room, sizeof *w->line);
    if (!w->keys || !w->checks || !w->line)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    memset(w->seen, 0, sizeof w->seen);
    memset(w->frames, 0, sizeof w->frames);
    w->root = w->frames + 6;
    w->nkeys = 0;
    push_key(w, XQ_NOMOVE, xq_in_check(p, (xq_side)p->side));
    for (uint32_t i = 0; i < game->n; i++) {
        if (p->at[xq_move_to(game->moves[i])] != XQ_EMPTY) {
            memset(w->seen, 0, sizeof w->seen);
            w->nkeys = 0;
        }
        xq_pos_make(p, game->moves[i], NULL);
        push_key(w, game->moves[i], xq_in_check(p, (xq_side)p->side));
    }
    w->root_key = w->nkeys - 1;
    w->twice = any_twice(w);
    w->root->check = w->checks[w->root_key];
    w->root->reversible =
        (uint16_t)(w->root_key < UINT16_MAX ? w->root_key : UINT16_MAX);
    xq_eval_init(&w->root->st, p);
    if (w->index == 0) {
        const uint32_t limit = w->s->o.natural_limit, more = uncounted(w);
        w->s->limit_at =
            limit && limit < UINT32_MAX - more ? limit + more : UINT32_MAX;
    }
    return XQ_OK;
}
