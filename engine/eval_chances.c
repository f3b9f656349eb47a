/* eval_chances.c - what a score means for people. */
#include "engine/eval.h"

#include <math.h>

/* Win and loss are logistic curves in the score, shifted by what makes a
 * draw and as flat as results are uncertain (fitted on games):
 *   win = 1 / (1 + exp((SHIFT - score) / SPREAD))      loss: with -score */
static const double SHIFT = 330, SPREAD = 170;

xq_chances xq_chances_of(int score, const xq_pos *p)
{
    (void)p;
    double win = 1000 / (1 + exp((SHIFT - score) / SPREAD));
    double loss = 1000 / (1 + exp((SHIFT + score) / SPREAD));
    xq_chances c = {(unsigned)(win + 0.5), 0, (unsigned)(loss + 0.5)};
    c.draw = 1000 - c.win - c.loss;
    return c;
}
