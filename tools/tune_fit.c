/* tune_fit.c - weights by logistic regression.
 *
 * What a position is expected to score, by its static evaluation e, is
 * 1 / (1 + exp(-e / unit)); it shall be near the share of result and score
 * that was seen (Peter Osterlund's way of tuning Texel, 2014).  Of the loss,
 *
 *   sum over rows of cross entropy + sum over weights of (w - old)^2 / 2s^2
 *
 * the second part says what is known already: without evidence a weight stays
 * where it is, and terms that mostly come together share what is new.
 *
 * Descent by Adam (Kingma and Ba 2015) in small batches. */
#include "tools/tune.h"

#include <math.h>
#include <stdlib.h>

/* One block of rows in ten is held back, to see whether what was learnt is
 * true; blocks, for the positions of one game stand together. */
enum { HELD = 10, BLOCK = 500, BATCH = 1024 };

/* Little data is all used. */
static bool is_held(const tune_data *d, size_t row)
{
    return d->n >= HELD * BLOCK && row / BLOCK % HELD == 0;
}

void tune_weights_now(tune_weights *w)
{
    for (unsigned i = 0; i < XQ_WEIGHTS; i++) {
        w->mg[i] = xq_mg(xq_weights[i]);
        w->eg[i] = xq_eg(xq_weights[i]);
    }
}

/* The scale hangs on who is ahead; it counts only where xq_eval asks it: it is
 * 64 elsewhere. */
static double scaled(const tune_row *r, double sum, double *scale)
{
    *scale = r->scale[sum <= 0] / 64.0;
    return sum * *scale;
}

static double sum_of(const tune_data *d, const tune_row *r,
                     const tune_weights *w)
{
    const double late = 1 - (double)r->phase / XQ_PHASE_MAX;
    double sum = 0;
    for (size_t i = r->first; i < r->end; i++) {
        const tune_term t = d->terms[i];
        sum += t.n * (w->mg[t.weight] * (1 - late) + w->eg[t.weight] * late);
    }
    return sum;
}

double tune_eval(const tune_data *d, const tune_row *r, const tune_weights *w)
{
    double scale;
    return scaled(r, sum_of(d, r, w), &scale);
}

static double chance(double score, double unit)
{
    return 1 / (1 + exp(-score / unit));
}

static double entropy(double want, double p)
{
    const double least = 1e-9;
    return -want * log(p + least) - (1 - want) * log(1 - p + least);
}

/* By golden section: the loss has one minimum in the unit. */
double tune_unit(const tune_data *d)
{
    double low = 20, high = 2000;
    bool any = false;
    for (unsigned n = 0; n < 60; n++) {
        const double at[2] = {low + 0.382 * (high - low),
                              low + 0.618 * (high - low)};
        double loss[2] = {0, 0};
        for (size_t i = 0; i < d->n; i++) {
            const tune_row *const r = &d->rows[i];
            if (r->result < 0)
                continue;
            any = true;
            for (unsigned k = 0; k < 2; k++)
                loss[k] += entropy(r->result, chance(r->score, at[k]));
        }
        if (loss[0] < loss[1])
            high = at[1];
        else
            low = at[0];
    }
    return any ? (low + high) / 2 : 0;
}

static double wanted(const tune_row *r, const tune_plan *p)
{
    const double by_score = chance(r->score, p->unit);
    return r->result < 0 ? by_score
                         : p->lambda * r->result + (1 - p->lambda) * by_score;
}

double tune_loss(const tune_data *d, const tune_weights *w, const tune_plan *p,
                 bool held)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < d->n; i++) {
        const tune_row *const r = &d->rows[i];
        if (is_held(d, i) != held)
            continue;
        sum += entropy(wanted(r, p), chance(tune_eval(d, r, w), p->unit));
        n++;
    }
    return n ? sum / (double)n : -1;
}

/* ---- descent ---- */

/* What Adam knows of one number. */
struct moment {
    double slope, square;
};

struct descent {
    tune_weights old, slope;
    struct moment mg[XQ_WEIGHTS], eg[XQ_WEIGHTS];
    double decay[2]; /* powers of the rates at which moments are forgotten */
};
static const double KEEP[2] = {0.9, 0.999};

static void add_slope(const tune_data *d, const tune_row *r, const tune_plan *p,
                      const tune_weights *w, tune_weights *slope)
{
    double scale;
    const double e = scaled(r, sum_of(d, r, w), &scale);
    const double off = (chance(e, p->unit) - wanted(r, p)) / p->unit * scale;
    const double late = 1 - (double)r->phase / XQ_PHASE_MAX;
    for (size_t i = r->first; i < r->end; i++) {
        const tune_term t = d->terms[i];
        slope->mg[t.weight] += off * t.n * (1 - late);
        slope->eg[t.weight] += off * t.n * late;
    }
}

static void move_one(struct moment *m, double slope, const double decay[2],
                     double step, double *w)
{
    m->slope = KEEP[0] * m->slope + (1 - KEEP[0]) * slope;
    m->square = KEEP[1] * m->square + (1 - KEEP[1]) * slope * slope;
    const double size = sqrt(m->square / (1 - decay[1]));
    if (size > 0)
        *w -= step * m->slope / (1 - decay[0]) / (size + 1e-12);
}

static void move_all(struct descent *m, const tune_plan *p, double share,
                     double step, tune_weights *w)
{
    const double pull = share / (p->spread * p->spread);
    for (unsigned k = 0; k < 2; k++)
        m->decay[k] *= KEEP[k];
    for (unsigned i = 0; i < XQ_WEIGHTS; i++) {
        const double mg = m->slope.mg[i] + pull * (w->mg[i] - m->old.mg[i]);
        const double eg = m->slope.eg[i] + pull * (w->eg[i] - m->old.eg[i]);
        move_one(&m->mg[i], mg, m->decay, step, &w->mg[i]);
        move_one(&m->eg[i], eg, m->decay, step, &w->eg[i]);
    }
}

static void shuffle(size_t *order, size_t n, uint64_t *rnd)
{
    for (size_t i = n; i > 1; i--) {
        const size_t k = (size_t)(tune_rnd(rnd) % i), t = order[i - 1];
        order[i - 1] = order[k];
        order[k] = t;
    }
}

xq_status tune_fit(const tune_data *d, const tune_plan *p, tune_weights *w,
                   xq_err *err)
{
    size_t *const order = malloc((d->n ? d->n : 1) * sizeof *order);
    struct descent *const m = calloc(1, sizeof *m);
    if (!order || !m) {
        free(order);
        free(m);
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    }
    size_t n = 0;
    for (size_t i = 0; i < d->n; i++)
        if (!is_held(d, i))
            order[n++] = i;
    m->old = *w;
    m->decay[0] = m->decay[1] = 1;
    uint64_t rnd = p->seed;
    for (unsigned round = 0; round < p->rounds; round++) {
        /* Long steps first, and at the end such as make no whole number. */
        const double step = pow(0.02, (double)round / p->rounds);
        shuffle(order, n, &rnd);
        for (size_t i = 0; i < n; i += BATCH) {
            const size_t end = i + BATCH < n ? i + BATCH : n;
            m->slope = (tune_weights){{0}, {0}};
            for (size_t k = i; k < end; k++)
                add_slope(d, &d->rows[order[k]], p, w, &m->slope);
            move_all(m, p, (double)(end - i) / (double)n, step, w);
        }
    }
    free(order);
    free(m);
    return XQ_OK;
}
