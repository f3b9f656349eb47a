/* thinker.c - who is asked about positions: our own engine, or another's. */
#include "tools/thinker.h"

#include "engine/rules.h"
#include "tools/cli.h"
#include "tools/version.h"
#include "tools/xengine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct thinker {
    thinker_options o;
    xq_search *own;   /* our engine; NULL where another is asked */
    xq_search *judge; /* of that one's mates; opened when it is needed */
    xengine *other;   /* NULL: our own is asked */
    cli_buf identity;
};

#define DEFAULT_HASH ((size_t)16 << 20)

/* Nodes our own engine may take to confirm another's mate. */
#define CONFIRM_NODES 300000

/* ---- our own engine ---- */

static xq_status open_search(xq_search **s, unsigned multipv, size_t hash,
                             xq_err *err)
{
    const xq_search_options o = {
        .hash = hash ? hash : DEFAULT_HASH,
        .threads = 1,
        .multipv = multipv,
        .rules = XQ_ASIAN,
        .natural_limit = 120,
    };
    return xq_search_open(s, &o, err);
}

struct listener {
    analysis *a;
    xq_side side;
};

static void take_line(void *arg, const xq_info *info)
{
    struct listener *const l = arg;
    /* What is a bound is so only for a while, or the last that is known. */
    if (info->multipv > ANALYSIS_LINES)
        return;
    analysis_line *const to = &l->a->lines[info->multipv - 1];
    to->score = analysis_of_search(info->score, l->side);
    to->n = (uint16_t)(info->npv < XQ_MAX_PLY ? info->npv : XQ_MAX_PLY);
    memcpy(to->pv, info->pv, to->n * sizeof *to->pv);
    if (l->a->nlines < info->multipv)
        l->a->nlines = (uint8_t)info->multipv;
    l->a->depth = (uint16_t)info->depth;
}

/* Search as if it were the first position ever seen. */
static xq_status search(xq_search *s, const xq_pos *p, const xq_limits *lim,
                        analysis *a, xq_answer *answer)
{
    const xq_game_line line = {p, NULL, 0};
    struct listener l = {a, (xq_side)p->side};
    a->nlines = 0;
    a->depth = 0;
    xq_search_clear(s);
    xq_search_ready(s);
    const xq_status rc = xq_search_go(s, &line, lim, take_line, &l, answer);
    a->nodes = answer->nodes;
    return rc;
}

/* In how many moves the side to move mates; 0: it does not, as far as is
 * known. */
static int mates_in(const analysis *a, const xq_pos *p)
{
    if (a->nlines == 0 || !a->lines[0].score.mate)
        return 0;
    const int v = a->lines[0].score.value;
    return p->side == XQ_RED ? v : -v;
}

/* Look for a mate in less than `moves`, in as many nodes as the search had
 * that found the first, until there is none. */
static xq_status shorten(thinker *t, const xq_pos *p, analysis *a, xq_err *err)
{
    analysis *shorter = malloc(sizeof *shorter);
    if (!shorter)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    const uint64_t nodes = t->o.nodes ? t->o.nodes : a->nodes + 10000;
    xq_status rc = XQ_OK;
    int moves;
    while (rc == XQ_OK && (moves = mates_in(a, p)) > 1 && !cli_interrupted()) {
        const xq_limits lim = {.nodes = nodes,
                               .mate = (unsigned)moves - 1,
                               .movetime = t->o.movetime};
        xq_answer answer;
        *shorter = (analysis){0};
        rc = search(t->own, p, &lim, shorter, &answer);
        const int found = mates_in(shorter, p);
        if (found <= 0 || found >= moves)
            break;
        a->lines[0] = shorter->lines[0]; /* the others keep their places */
        a->nodes += shorter->nodes;
    }
    free(shorter);
    return rc;
}

static xq_status ask_own(thinker *t, const xq_pos *p, analysis *a, xq_err *err)
{
    const xq_limits lim = {
        .depth = t->o.depth, .nodes = t->o.nodes, .movetime = t->o.movetime};
    xq_answer answer;
    xq_status rc = search(t->own, p, &lim, a, &answer);
    if (rc == XQ_OK && cli_interrupted())
        return XQ_DONE;
    if (rc == XQ_OK && a->nlines == 0) { /* too few nodes for a line */
        a->nlines = 1;
        a->lines[0].score = analysis_of_search(answer.score, (xq_side)p->side);
        a->lines[0].pv[0] = answer.best;
        a->lines[0].n = 1;
    }
    if (rc == XQ_OK)
        rc = shorten(t, p, a, err);
    if (rc != XQ_OK)
        return xq_fail(err, rc, "out of memory");
    if (cli_interrupted())
        return XQ_DONE;
    analysis_check(a, p);
    a->state = ANALYSIS_DONE;
    return XQ_OK;
}

/* A version that searches otherwise is another engine, even where nobody
 * changed the number: weights and search are told by what comes of a search. */
static xq_status identify_own(thinker *t, xq_err *err)
{
    analysis *a = calloc(1, sizeof *a);
    xq_pos p;
    xq_answer answer;
    if (!a)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    uint64_t weights = 0;
    for (unsigned i = 0; i < XQ_WEIGHTS; i++)
        weights =
            (weights ^ (uint64_t)xq_weights[i]) * UINT64_C(0x9e3779b97f4a7c15);
    xq_pos_start(&p);
    const xq_limits lim = {.depth = 8};
    const xq_status rc = search(t->own, &p, &lim, a, &answer);
    free(a);
    if (rc != XQ_OK)
        return xq_fail(err, rc, "out of memory");
    cli_buf_printf(&t->identity,
                   "qipu " QIPU_VERSION " weights %016" PRIx64
                   " signature %" PRIu64 " hash %zu",
                   weights, answer.nodes, t->o.hash ? t->o.hash : DEFAULT_HASH);
    return XQ_OK;
}

/* ---- another engine ---- */

static xq_status open_other(thinker *t, xq_err *err)
{
    const xengine_setup s = {
        .command = t->o.engine,
        .options = t->o.options,
        .noptions = t->o.noptions,
        .timeout = t->o.timeout,
        .depth = t->o.depth,
        .nodes = t->o.nodes,
        .movetime = t->o.movetime,
        .multipv = t->o.multipv,
        .hash = t->o.hash,
    };
    const xq_status rc = xengine_open(&t->other, &s, err);
    if (rc != XQ_OK)
        return rc;
    return xengine_identity(t->other, &t->identity, err);
}

/* Does our own engine find a mate in `moves`, for the side to move (> 0) or
 * against it? */
static xq_status confirm(thinker *t, const xq_pos *p, int moves, bool *ok,
                         xq_err *err)
{
    xq_answer answer;
    *ok = false;
    if (!t->judge) {
        const xq_status rc = open_search(&t->judge, 1, 0, err);
        if (rc != XQ_OK)
            return rc;
    }
    analysis *a = calloc(1, sizeof *a);
    if (!a)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    const xq_limits lim = {.nodes = CONFIRM_NODES,
                           .mate = moves > 0 ? (unsigned)moves : 0};
    const xq_status rc = search(t->judge, p, &lim, a, &answer);
    const int found = mates_in(a, p);
    *ok = moves > 0 ? found > 0 && found <= moves : found < 0;
    free(a);
    return rc == XQ_OK ? XQ_OK : xq_fail(err, rc, "out of memory");
}

/* A claim of mate is believed when it is seen. */
static xq_status check_mates(thinker *t, const xq_pos *p, analysis *a,
                             const xengine_said *said, xq_err *err)
{
    const xq_side side = (xq_side)p->side;
    for (unsigned i = 0; i < a->nlines; i++) {
        analysis_line *const l = &a->lines[i];
        if (!l->score.mate || analysis_line_mates(l, p))
            continue;
        bool ok = false;
        if (i == 0) {
            const xq_status rc = confirm(t, p, mates_in(a, p), &ok, err);
            if (rc != XQ_OK)
                return rc;
        }
        if (ok)
            continue;
        if (i > 0) { /* a lesser line that nobody needs */
            a->nlines = (uint8_t)i;
            break;
        }
        xq_eval_state st;
        xq_eval_init(&st, p);
        a->claim = l->score.value;
        l->score = analysis_cp(said->any ? said->cp : xq_eval(p, &st), side);
    }
    return XQ_OK;
}

/* The engine played m, the only legal move, without a word: the position is
 * worth what the one after it is. */
static xq_status ask_behind(thinker *t, const xq_pos *p, xq_move m, analysis *a,
                            xq_err *err)
{
    const xq_side side = (xq_side)p->side;
    xq_pos q = *p;
    xq_pos_make(&q, m, NULL);
    xq_status rc = thinker_ask(t, &q, a, err);
    if (rc != XQ_OK || a->state == ANALYSIS_FAILED)
        return rc;
    analysis_line *l = &a->lines[0];
    if (a->state == ANALYSIS_OVER) {
        *l = (analysis_line){.score = analysis_mate(1, side)};
        a->state = ANALYSIS_DONE;
    } else if (l->score.mate && (l->score.value > 0) == (side == XQ_RED)) {
        l->score.value += side == XQ_RED ? 1 : -1;
    }
    l->n = (uint16_t)(l->n < XQ_MAX_PLY ? l->n + 1 : XQ_MAX_PLY);
    memmove(l->pv + 1, l->pv, (l->n - 1u) * sizeof *l->pv);
    l->pv[0] = m;
    a->nlines = 1;
    return XQ_OK;
}

static xq_status ask_other(thinker *t, const xq_pos *p, analysis *a,
                           xq_err *err)
{
    xengine_said said;
    xq_status rc = xengine_ask(t->other, p, a, &said, err);
    if (rc == XQ_EIO)
        return XQ_OK; /* the position has no answer: a->state says so */
    if (rc != XQ_OK)
        return rc;
    if (!said.silent)
        return check_mates(t, p, a, &said, err);
    xq_movelist legal;
    xq_gen_legal(p, &legal);
    if (legal.n == 1)
        return ask_behind(t, p, legal.m[0], a, err);
    xq_fail(err, XQ_EIO, "the engine gave no score");
    a->state = ANALYSIS_FAILED;
    a->nlines = 0;
    return XQ_OK;
}

/* ---- both ---- */

xq_status thinker_open(thinker **out, const thinker_options *o, xq_err *err)
{
    thinker *t = calloc(1, sizeof *t);
    if (!t)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    t->o = *o;
    xq_status rc;
    if (o->engine) {
        rc = open_other(t, err);
    } else {
        rc = open_search(&t->own, o->multipv, o->hash, err);
        if (rc == XQ_OK)
            rc = identify_own(t, err);
    }
    cli_buf_printf(&t->identity,
                   " depth %u nodes %" PRIu64 " movetime %" PRIu64
                   " multipv %u",
                   o->depth, o->nodes, o->movetime, o->multipv);
    cli_buf_add(&t->identity, "", 1);
    if (rc == XQ_OK && t->identity.failed)
        rc = xq_fail(err, XQ_ENOMEM, "out of memory");
    if (rc != XQ_OK) {
        thinker_close(t);
        return rc;
    }
    *out = t;
    return XQ_OK;
}

void thinker_stop(thinker *t)
{
    if (t->own)
        xq_search_stop(t->own);
}

void thinker_close(thinker *t)
{
    if (!t)
        return;
    xengine_close(t->other);
    xq_search_close(t->own);
    xq_search_close(t->judge);
    cli_buf_free(&t->identity);
    free(t);
}

const char *thinker_identity(const thinker *t) { return t->identity.s; }

const char *thinker_name(const thinker *t)
{
    return t->other ? xengine_name(t->other) : "qipu " QIPU_VERSION;
}

xq_status thinker_ask(thinker *t, const xq_pos *p, analysis *a, xq_err *err)
{
    a->nlines = 0;
    a->depth = 0;
    a->nodes = 0;
    a->claim = 0;
    if (!xq_has_legal_move(p)) {
        a->state = ANALYSIS_OVER;
        return XQ_OK;
    }
    a->state = ANALYSIS_FAILED;
    return t->other ? ask_other(t, p, a, err) : ask_own(t, p, a, err);
}
