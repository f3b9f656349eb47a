/* analysis.c - one position and what an engine says of it. */
#include "tools/analysis.h"

#include "engine/rules.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- whose view: here and nowhere else ---- */

analysis_score analysis_cp(int cp, xq_side to_move)
{
    if (cp > ANALYSIS_CP_MAX)
        cp = ANALYSIS_CP_MAX;
    if (cp < -ANALYSIS_CP_MAX)
        cp = -ANALYSIS_CP_MAX;
    return (analysis_score){false, to_move == XQ_RED ? cp : -cp};
}

analysis_score analysis_mate(int n, xq_side to_move)
{
    if (n > XQ_MAX_PLY || n < -XQ_MAX_PLY)
        return analysis_cp(n > 0 ? ANALYSIS_CP_MAX : -ANALYSIS_CP_MAX, to_move);
    return (analysis_score){true, to_move == XQ_RED ? n : -n};
}

analysis_score analysis_of_search(int score, xq_side to_move)
{
    if (XQ_IS_MATE(score))
        return analysis_mate((XQ_MATE - score + 1) / 2, to_move);
    if (XQ_IS_MATED(score))
        return analysis_mate(-(XQ_MATE + score) / 2, to_move);
    /* Won by rule: as good as won, but no mate. */
    if (score > XQ_EVAL_MAX)
        score = XQ_EVAL_MAX;
    if (score < -XQ_EVAL_MAX)
        score = -XQ_EVAL_MAX;
    return analysis_cp(score, to_move);
}

unsigned analysis_chances(analysis_score s, const xq_pos *p)
{
    const int mine = p->side == XQ_RED ? s.value : -s.value;
    if (s.mate)
        return mine > 0 ? 1000 : 0;
    const xq_chances c = xq_chances_of(mine, p);
    return c.win + c.draw / 2;
}

void analysis_text(analysis_score s, xq_side to_move, char out[ANALYSIS_TEXT])
{
    const unsigned v = s.value < 0 ? 0u - (unsigned)s.value : (unsigned)s.value;
    if (s.mate && s.value == 0)
        snprintf(out, ANALYSIS_TEXT, "%s", to_move == XQ_BLACK ? "#0" : "#-0");
    else if (s.mate)
        snprintf(out, ANALYSIS_TEXT, "#%s%u", s.value < 0 ? "-" : "", v);
    else
        snprintf(out, ANALYSIS_TEXT, "%s%u.%02u", s.value < 0 ? "-" : "",
                 v / 100, v % 100);
}

/* ---- the position by itself ---- */

bool analysis_frame(xq_pos *out, const xq_pos *p)
{
    const bool mirrored = p->mirror_key < p->key;
    uint8_t at[XQ_SQUARES];
    for (unsigned s = 0; s < XQ_SQUARES; s++)
        at[mirrored ? xq_sq_mirror[s] : s] = p->at[s];
    /* Set up anew: slots, which order the moves, hang on the way there. */
    if (xq_pos_set(out, at, (xq_side)p->side, NULL) != XQ_OK)
        *out = *p; /* cannot be: p is such a position */
    return mirrored;
}

void analysis_mirror(analysis *a)
{
    for (unsigned i = 0; i < a->nlines; i++)
        for (unsigned k = 0; k < a->lines[i].n; k++)
            a->lines[i].pv[k] = xq_move_mirror(a->lines[i].pv[k]);
}

/* ---- lines ---- */

static void cut(analysis_line *l, const xq_pos *p)
{
    xq_pos at = *p;
    unsigned n = 0;
    while (n < l->n && xq_move_is_legal(&at, l->pv[n]))
        xq_pos_make(&at, l->pv[n++], NULL);
    l->n = (uint16_t)n;
}

void analysis_check(analysis *a, const xq_pos *p)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < a->nlines; i++) {
        cut(&a->lines[i], p);
        if (i > 0 && a->lines[i].n == 0)
            continue;
        if (kept != i)
            a->lines[kept] = a->lines[i];
        kept++;
    }
    a->nlines = (uint8_t)kept;
}

bool analysis_line_mates(const analysis_line *l, const xq_pos *p)
{
    if (!l->score.mate || l->score.value == 0)
        return false;
    const bool mover = (l->score.value > 0) == (p->side == XQ_RED);
    const int moves = abs(l->score.value);
    xq_pos at = *p;
    for (unsigned i = 0; i < l->n; i++)
        xq_pos_make(&at, l->pv[i], NULL);
    return l->n == 2 * moves - mover && !xq_has_legal_move(&at);
}
