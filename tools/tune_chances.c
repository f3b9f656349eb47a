/* tune_chances.c - win and loss as curves in the score (eval_chances.c), by
 * the greatest likelihood of the results that were seen. */
#include "tools/tune.h"

#include <math.h>

void tune_curve_now(tune_curve *c)
{
    *c = (tune_curve){
        .shift = {xq_mg(xq_chance_shift), xq_eg(xq_chance_shift)},
        .spread = {xq_mg(xq_chance_spread), xq_eg(xq_chance_spread)},
    };
}

double tune_curve_loss(const tune_data *d, const tune_curve *c)
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < d->n; i++) {
        const tune_row *const r = &d->rows[i];
        if (r->result < 0)
            continue;
        const double late = 1 - (double)r->phase / XQ_PHASE_MAX;
        const double shift = c->shift[0] * (1 - late) + c->shift[1] * late;
        const double spread = c->spread[0] * (1 - late) + c->spread[1] * late;
        const double win = 1 / (1 + exp((shift - r->score) / spread));
        const double loss = 1 / (1 + exp((shift + r->score) / spread));
        const double p = r->result > 0.75   ? win
                         : r->result < 0.25 ? loss
                                            : 1 - win - loss;
        sum -= log(p > 1e-9 ? p : 1e-9);
        n++;
    }
    return n ? sum / (double)n : 0;
}

/* Four numbers: try a step each way, halve it when none helps.  Below 1 there
 * would be no draw, or no curve. */
void tune_curve_fit(const tune_data *d, tune_curve *c)
{
    double best = tune_curve_loss(d, c);
    for (double step = 64; step >= 1;) {
        bool better = false;
        for (unsigned i = 0; i < 8; i++) {
            tune_curve t = *c;
            double *const x = i < 4 ? &t.shift[i / 2] : &t.spread[i / 2 - 2];
            *x += i % 2 ? step : -step;
            if (*x < 1)
                continue;
            const double loss = tune_curve_loss(d, &t);
            if (loss < best) {
                best = loss;
                *c = t;
                better = true;
            }
        }
        if (!better)
            step /= 2;
    }
}
