/* eval_chances.c - what a score means for people. */
#include "engine/eval.h"

#include <math.h>

static double tapered(xq_weight w, int phase)
{
    return (double)(xq_mg(w) * phase + xq_eg(w) * (XQ_PHASE_MAX - phase)) /
           XQ_PHASE_MAX;
}

/* Win and loss are logistic curves in the score, shifted by what makes a
 * draw and as flat as results are uncertain; both hang on the pieces left:
 *   win = 1 / (1 + exp((shift - score) / spread))      loss: with -score */
xq_chances xq_chances_of(int score, const xq_pos *p)
{
    xq_eval_state st;
    xq_eval_init(&st, p);
    const int phase = st.phase > XQ_PHASE_MAX ? XQ_PHASE_MAX : st.phase;
    const double shift = tapered(xq_chance_shift, phase);
    const double spread = tapered(xq_chance_spread, phase);
    double win = 1000 / (1 + exp((shift - score) / spread));
    double loss = 1000 / (1 + exp((shift + score) / spread));
    xq_chances c = {(unsigned)(win + 0.5), 0, (unsigned)(loss + 0.5)};
    c.draw = 1000 - c.win - c.loss;
    return c;
}
