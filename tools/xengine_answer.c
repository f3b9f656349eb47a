/* xengine_answer.c - what an engine said while it searched, and the move it
 * answered, made one. */
#include "tools/xengine_parts.h"

#include "engine/rules.h"

static void fill(const xengine *e, const engine_info *info, const xq_pos *p,
                 analysis_line *l)
{
    const xq_side side = (xq_side)p->side;
    l->score = info->mate ? analysis_mate(info->score, side)
                          : analysis_cp(info->score, side);
    l->n = (uint16_t)engine_moves(info->pv, e->ranks, p, l->pv, XQ_MAX_PLY);
}

void xe_take_info(xengine *e, const engine_info *info, const xq_pos *p,
                  analysis *a, xengine_said *said)
{
    /* A mate "in 0" of a position with moves is none. */
    if (!info->has_score || (info->mate && info->score == 0))
        return;
    if (info->bound) {
        fill(e, info, p, &e->bound);
        return;
    }
    if (info->multipv > e->setup.multipv || info->multipv > ANALYSIS_LINES ||
        info->multipv > a->nlines + 1u)
        return;
    fill(e, info, p, &a->lines[info->multipv - 1]);
    if (a->nlines < info->multipv)
        a->nlines = (uint8_t)info->multipv;
    if (info->nodes > a->nodes)
        a->nodes = info->nodes;
    if (info->multipv > 1)
        return;
    e->bound.n = 0; /* what it is a bound of is known now */
    if (info->depth)
        a->depth = (uint16_t)info->depth;
    if (!info->mate)
        *said = (xengine_said){.any = true, .cp = info->score};
}

/* ---- the move it answers is its answer ---- */

static bool begins_with(const analysis_line *l, xq_move m)
{
    return l->n > 0 && l->pv[0] == m;
}

/* A new first line; the others move down, as many as were wanted stay. */
static void put_first(const xengine *e, const analysis_line *l, analysis *a)
{
    const analysis_line first = *l; /* may be one of a's */
    if (a->nlines < e->setup.multipv && a->nlines < ANALYSIS_LINES)
        a->nlines++;
    for (unsigned i = a->nlines; i-- > 1;)
        a->lines[i] = a->lines[i - 1];
    a->lines[0] = first;
}

/* Line `k` comes first, those before it move down. */
static void move_first(analysis *a, unsigned k)
{
    const analysis_line first = a->lines[k];
    for (unsigned i = k; i > 0; i--)
        a->lines[i] = a->lines[i - 1];
    a->lines[0] = first;
}

/* The best line begins with the answer.  What is best known of it is the line
 * that does; else the bound the search ended in; else the score of the best
 * line, which it must have thought no better. */
static void make_first(const xengine *e, xq_move m, analysis *a)
{
    for (unsigned k = 0; k < a->nlines; k++)
        if (begins_with(&a->lines[k], m)) {
            move_first(a, k);
            return;
        }
    if (begins_with(&e->bound, m)) {
        put_first(e, &e->bound, a);
    } else if (a->nlines > 0) {
        if (a->lines[0].n > 0)
            put_first(e, &a->lines[0], a);
        a->lines[0].pv[0] = m;
        a->lines[0].n = 1;
    }
}

xq_status xe_await(xengine *e, uint64_t ms, const char *stop, xe_hear *hear,
                   void *arg)
{
    xq_str line;
    xq_status rc;
    for (;;) {
        const uint64_t until = child_now() + ms;
        while ((rc = child_hear(&e->c, until, &line)) == XQ_OK)
            if (hear(e, line, arg))
                return XQ_OK;
        if (rc != XQ_ELIMIT || !stop || !child_say(&e->c, stop))
            return rc;
        stop = NULL;
        ms = XE_STOP_MS;
    }
}

/* No text is a legal first move both ways: from rank 3 pawns start if ranks
 * count from 0, cannons if from 1, on other files; from rank 0 or 2, and from
 * rank 1 or 4, something starts in one way only. */
bool xe_read_ranks(xengine *e, xq_str first_move)
{
    xq_pos p;
    xq_move m;
    xq_pos_start(&p);
    for (int r = ENGINE_RANKS_0; r <= ENGINE_RANKS_1; r++)
        if (engine_moves(first_move, (engine_ranks)r, &p, &m, 1) == 1) {
            e->ranks = (engine_ranks)r;
            return true;
        }
    return false;
}

xq_status xe_no_ranks(xq_err *err)
{
    return xq_fail(err, XQ_EIO,
                   "the engine makes no legal move in the start position");
}

xq_status xe_finish(const xengine *e, xq_str best, const xq_pos *p, analysis *a,
                    xengine_said *said, xq_err *err)
{
    if (best.n > 0) {
        const xq_move m = engine_move(best, e->ranks);
        if (m == XQ_NOMOVE || !xq_move_is_legal(p, m))
            return xq_fail(err, XQ_EIO,
                           "the engine answered '%.*s', which is not legal",
                           (int)(best.n < 40 ? best.n : 40), best.s);
        make_first(e, m, a);
        said->silent = a->nlines == 0;
        if (said->silent) {
            a->lines[0] = (analysis_line){.n = 1, .pv = {m}};
            a->nlines = 1;
        }
    }
    if (a->nlines == 0 || a->lines[0].n == 0)
        return xq_fail(err, XQ_EIO, "the engine gave no move");
    analysis_check(a, p);
    a->state = ANALYSIS_DONE;
    return XQ_OK;
}
