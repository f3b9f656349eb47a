/* annotate.c - what evaluations say of a game, written into it. */
#include "tools/annotate.h"

#include "engine/key.h"
#include "tools/annotate_record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

annotate_mark annotate_judge(unsigned lost)
{
    return lost >= ANNOTATE_LOST_20   ? ANNOTATE_BLUNDER
           : lost >= ANNOTATE_LOST_10 ? ANNOTATE_MISTAKE
           : lost >= ANNOTATE_LOST_5  ? ANNOTATE_INACCURACY
                                      : ANNOTATE_FINE;
}

/* lichess.org: modules/analyse, AccuracyPercent.scala; chances in percent. */
double annotate_accuracy(unsigned lost)
{
    const double a = 103.1668 * exp(-0.04354 * (double)lost / 10) - 3.1669;
    return a < 0 ? 0 : a > 100 ? 100 : a;
}

/* ---- a ply ---- */

/* In how many moves `side` mates; 0: it does not. */
static int mates(const analysis *a, xq_side side)
{
    if (a->state != ANALYSIS_DONE || !a->lines[0].score.mate)
        return 0;
    const int v = a->lines[0].score.value;
    return side == XQ_RED ? (v > 0 ? v : 0) : (v < 0 ? -v : 0);
}

/* What `side` may hope for in a position where `p->side` is to move. */
static unsigned hope(const analysis *a, const xq_pos *p, xq_side side)
{
    unsigned mover = 0; /* over: who is to move has lost */
    if (a->state == ANALYSIS_DONE)
        mover = analysis_chances(a->lines[0].score, p);
    return p->side == side ? mover : 1000 - mover;
}

static bool is_known(const analysis *a)
{
    return a->state == ANALYSIS_DONE || a->state == ANALYSIS_OVER;
}

struct ply {
    unsigned lost; /* thousandths of a point */
    bool judged, missed_mate, best;
    annotate_mark mark;
};

/* The engine's own move, or that of the other wing where it is the same. */
static bool is_best(const analysis *a, const xq_pos *p, xq_move m)
{
    return a->lines[0].n > 0 && xq_pos_same_move(p, a->lines[0].pv[0], m);
}

bool annotate_doubts(const analysis *before, const xq_pos *p, xq_move m,
                     const analysis *after, const xq_pos *q, xq_pos *other)
{
    const xq_side side = (xq_side)p->side;
    if (before->state != ANALYSIS_DONE || !is_known(after) ||
        before->lines[0].n == 0 || is_best(before, p, m) ||
        mates(before, side) || /* which is proved */
        hope(before, p, side) < hope(after, q, side) + ANNOTATE_LOST_5)
        return false;
    *other = *p;
    xq_pos_make(other, before->lines[0].pv[0], NULL);
    return true;
}

/* m was played in p and led to q.  better: NULL where it was not asked for. */
static struct ply judge(const analysis *before, const xq_pos *p, xq_move m,
                        const analysis *after, const xq_pos *q,
                        const analysis *better)
{
    struct ply r = {0};
    if (before->state != ANALYSIS_DONE || !is_known(after))
        return r;
    const xq_side side = (xq_side)p->side;
    r.judged = true;
    r.best = is_best(before, p, m);
    if (r.best)
        return r;
    const unsigned has = hope(after, q, side),
                   had = better && is_known(better) ? hope(better, q, side)
                                                    : hope(before, p, side);
    r.lost = had > has ? had - has : 0;
    r.mark = annotate_judge(r.lost);
    r.missed_mate = mates(before, side) && after->state == ANALYSIS_DONE &&
                    !mates(after, side);
    if (r.missed_mate && r.mark == ANNOTATE_FINE)
        r.mark = ANNOTATE_INACCURACY;
    return r;
}

/* All other moves lose much more. */
static bool is_only_move(const analysis *a, const xq_pos *p)
{
    if (a->nlines < 2 || is_best(a, p, a->lines[1].pv[0]))
        return false;
    const unsigned first = analysis_chances(a->lines[0].score, p),
                   second = analysis_chances(a->lines[1].score, p);
    return first >= second + ANNOTATE_LOST_20;
}

/* ---- mates, from the end backwards ---- */

/* m led to a position from which its mover mates in n: so it mates in n + 1 (1
 * when it is over) from here, unless it is known to be faster.  And who is
 * mated in n after any of his moves is mated in n now: that is the engine's to
 * say. */
static void mend(analysis *before, const xq_pos *p, xq_move m,
                 const analysis *after)
{
    const xq_side side = (xq_side)p->side;
    if (before->state != ANALYSIS_DONE)
        return;
    int n = 0;
    if (after->state == ANALYSIS_OVER)
        n = 1;
    else if (mates(after, side))
        n = mates(after, side) + 1;
    const int now = mates(before, side);
    if (n == 0 || (now && now <= n))
        return;
    analysis_line *l = &before->lines[0];
    l->score = analysis_mate(n, side);
    l->pv[0] = m;
    l->n = 1;
    if (after->state == ANALYSIS_DONE) {
        const unsigned most = XQ_MAX_PLY - 1, k = after->lines[0].n;
        l->n = (uint16_t)(1 + (k < most ? k : most));
        memcpy(l->pv + 1, after->lines[0].pv, (l->n - 1) * sizeof *l->pv);
    }
    before->claim = 0;
    before->nlines = 1; /* the others were compared with another first */
}

/* ---- writing ---- */

#define CLAIM_OPEN  "[%unconfirmed "
#define FAILED_TEXT "engine failed"

static void write_eval(game_edit *e, uint32_t node, analysis_score s,
                       xq_side to_move)
{
    char value[ANALYSIS_TEXT], text[ANALYSIS_TEXT + 16];
    analysis_text(s, to_move, value);
    snprintf(text, sizeof text, "%s%s]", ANNOTATE_EVAL_OPEN, value);
    game_edit_comment(e, node, text);
}

static void write_position(game_edit *e, uint32_t node, const analysis *a,
                           xq_side to_move)
{
    game_edit_strip(e, node, ANNOTATE_EVAL_OPEN);
    game_edit_strip(e, node, CLAIM_OPEN);
    game_edit_uncomment(e, node, FAILED_TEXT);
    if (a->state == ANALYSIS_DONE)
        write_eval(e, node, a->lines[0].score, to_move);
    else if (a->state == ANALYSIS_OVER)
        write_eval(e, node, analysis_mate(0, to_move), to_move);
    else
        game_edit_comment(e, node, FAILED_TEXT);
    if (a->state == ANALYSIS_DONE && a->claim) {
        char text[40];
        snprintf(text, sizeof text, "%s#%d]", CLAIM_OPEN, a->claim);
        game_edit_comment(e, node, text);
    }
}

/* The line, first move and all, that should have been played: its score is that
 * of the position after its first move. */
static void better_line(analysis_line *l, const analysis *before,
                        const xq_pos *p, const analysis *better)
{
    const xq_side side = (xq_side)p->side;
    *l = before->lines[0];
    if (better && better->state == ANALYSIS_DONE) {
        const analysis_line *on = &better->lines[0];
        l->score = on->score;
        l->n = (uint16_t)(on->n < XQ_MAX_PLY ? on->n + 1 : XQ_MAX_PLY);
        memcpy(l->pv + 1, on->pv, (l->n - 1u) * sizeof *l->pv);
    } else if (mates(before, side))
        l->score = analysis_mate(mates(before, side) - 1, side);
}

/* Where it goes, and what is added there. */
struct pen {
    game_edit *e;
    annotate_record added;
    uint32_t ply, node;
};

static void write_nag(struct pen *w, uint32_t nag)
{
    if (game_edit_nag(w->e, w->node, nag))
        annotate_record_nag(&w->added, w->ply, nag);
}

static void write_better(struct pen *w, const analysis *before, const xq_pos *p,
                         const analysis *better, unsigned most)
{
    analysis_line l;
    better_line(&l, before, p, better);
    /* A mate is shown to its end. */
    const size_t n = most && most < l.n && !l.score.mate ? most : l.n;
    const uint32_t first = game_edit_variation(w->e, w->node, l.pv, n);
    if (!first)
        return;
    write_eval(w->e, first, l.score, (xq_side)!p->side);
    annotate_record_variation(&w->added, w->ply, l.pv[0]);
}

static void count(annotate_side *s, const struct ply *r)
{
    if (!r->judged)
        return;
    s->accuracy += annotate_accuracy(r->lost);
    s->moves++;
    s->marks[r->mark]++;
    s->missed_mates += r->missed_mate;
}

static void write_ply(struct pen *w, const analysis *before, const xq_pos *p,
                      const analysis *better, const struct ply *r,
                      const annotate_options *o)
{
    static const uint32_t NAG[ANNOTATE_MARKS] = {0, 6, 2, 4};
    if (r->mark != ANNOTATE_FINE) {
        write_nag(w, NAG[r->mark]);
        write_better(w, before, p, better, o->variation);
    }
    if (r->best && is_only_move(before, p))
        write_nag(w, 7);
    if (o->out_of_book == w->ply)
        write_nag(w, 146);
}

static void write_tags(game_edit *e, annotate_report *r)
{
    static const char *const NAMES[2] = {"RedAccuracy", "BlackAccuracy"};
    for (int s = 0; s < 2; s++) {
        annotate_side *side = &r->side[s];
        char text[32];
        if (side->moves == 0) { /* perhaps an earlier run could judge */
            game_edit_untag(e, NAMES[s]);
            continue;
        }
        side->accuracy /= side->moves;
        snprintf(text, sizeof text, "%.1f", side->accuracy);
        game_edit_tag(e, NAMES[s], text);
    }
}

/* Positions are played again rather than kept: a long game has many. */
void annotate_game(game_edit *e, analysis *v, analysis *const *better,
                   const annotate_options *o, uint16_t *lost,
                   annotate_report *r)
{
    const uint32_t plies = e->g.plies;
    *r = (annotate_report){0};
    xq_pos p = e->g.start, q;
    xq_undo *undo = malloc((plies + 1) * sizeof *undo);
    if (!undo) {
        e->failed = true;
        return;
    }
    for (uint32_t i = 0; i < plies; i++)
        xq_pos_make(&p, e->g.main[i], &undo[i]);
    for (uint32_t i = plies; i-- > 0;) {
        xq_pos_unmake(&p, &undo[i]);
        if (better[i] && v[i].state == ANALYSIS_DONE)
            mend(&v[i], &p, v[i].lines[0].pv[0], better[i]);
        mend(&v[i], &p, e->g.main[i], &v[i + 1]);
    }
    free(undo);

    annotate_record_undo(e);
    p = e->g.start;
    write_position(e, 0, &v[0], (xq_side)p.side);
    struct pen w = {.e = e};
    for (uint32_t i = 0; i < plies && !e->failed; i++) {
        const xq_move m = e->g.main[i];
        w.ply = i + 1;
        w.node = e->g.nodes[w.node].next;
        q = p;
        xq_pos_make(&q, m, NULL);
        const struct ply ply = judge(&v[i], &p, m, &v[i + 1], &q, better[i]);
        count(&r->side[p.side], &ply);
        lost[i] = ply.judged ? (uint16_t)ply.lost : ANNOTATE_UNJUDGED;
        write_ply(&w, &v[i], &p, better[i], &ply, o);
        write_position(e, w.node, &v[i + 1], (xq_side)q.side);
        p = q;
    }
    for (uint32_t i = 0; i <= plies; i++) {
        r->failed += v[i].state == ANALYSIS_FAILED;
        r->failed +=
            i < plies && better[i] && better[i]->state == ANALYSIS_FAILED;
        r->unconfirmed += v[i].state == ANALYSIS_DONE && v[i].claim != 0;
    }
    write_tags(e, r);
    annotate_record_write(&w.added, e, o->annotator);
}
