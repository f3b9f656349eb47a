/* tune.h - the numbers of the evaluation, fitted to games.
 *
 *   tune sample     games -> positions with results and scores
 *                   tune_sample.c
 *   tune fit        positions -> weights and chances -> engine/weights.c
 *                   tune_data.c, tune_fit.c, tune_chances.c, tune_write.c
 *
 * Both are one program of its own, build/release/tune: who plays has no use
 * for it.  `make tune` runs them one after the other.
 *
 * Everything is counted from Red's point of view: a result is 1 when Red won,
 * a score is good for Red when it is > 0.  The same input, options and seed
 * give the same bytes on the same machine (logarithms of another C library may
 * round otherwise). */
#ifndef TUNE_H
#define TUNE_H

#include "engine/eval.h"
#include "tools/cli.h"

/* ---- random numbers: SplitMix64, so that a seed means the same anywhere ----
 */

static inline uint64_t tune_rnd(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* ---- positions out of games ---- */

typedef struct tune_recipe {
    uint64_t seed;
    uint64_t nodes; /* of the search that gives a position its score */
    uint64_t each;  /* positions tried of a game, and as many strays */
} tune_recipe;

typedef struct tune_seen {
    xq_key *keys; /* an open-addressed set; 0: free */
    size_t n, cap;
} tune_seen;
typedef struct tune_sampler {
    tune_recipe recipe;
    struct xq_search *search;
    tune_seen seen;
    uint64_t games, taken;
    /* Games read, and why some gave nothing: the first reason counts. */
    uint64_t read, faulty, no_result, set_up, too_short;
} tune_sampler;
/* XQ_OK or XQ_ENOMEM; end with tune_sample_close in either case. */
xq_status tune_sample_open(tune_sampler *s, const tune_recipe *r, xq_err *err);
/* Take positions of the games of a file and write them to f, a line each (see
 * below).  A position is taken once, whatever the number of files.  Faulty
 * games, those without result and those from a set-up position are passed over.
 * XQ_OK; XQ_EIO, XQ_ENOMEM, XQ_ELIMIT with *err filled. */
xq_status tune_sample_file(tune_sampler *s, const char *path, FILE *f,
                           xq_err *err);
void tune_sample_close(tune_sampler *s);

/* ---- the data ----
 *
 * Text, a position a line, tabs between: FEN, the game's result (1-0, 0-1,
 * 1/2-1/2; * where it does not belong to the position), score for Red. */

/* n times a weight, Red's count minus Black's. */
typedef struct tune_term {
    uint16_t weight;
    int16_t n;
} tune_term;

typedef struct tune_row {
    size_t first, end; /* its terms */
    double result;     /* 0, 0.5, 1; below 0: unknown */
    int score;
    int phase;    /* 0 to XQ_PHASE_MAX */
    int scale[2]; /* 64ths that count when Red is ahead, when Black is */
} tune_row;

typedef struct tune_data {
    tune_row *rows;
    size_t n, cap;
    tune_term *terms;
    size_t nterms, terms_cap;
} tune_data;

/* Zero-initialise *d.  XQ_OK; XQ_ESYNTAX with the line; XQ_ENOMEM. */
xq_status tune_data_add(tune_data *d, const xq_pos *p, double result, int score,
                        xq_err *err);
xq_status tune_data_read(tune_data *d, const char *path, xq_err *err);
void tune_data_free(tune_data *d);

/* ---- the fit ---- */

typedef struct tune_weights {
    double mg[XQ_WEIGHTS], eg[XQ_WEIGHTS];
} tune_weights;
/* Those of engine/weights.c. */
void tune_weights_now(tune_weights *w);

/* What xq_eval would say for Red, with these weights and without rounding. */
double tune_eval(const tune_data *d, const tune_row *r, const tune_weights *w);

typedef struct tune_plan {
    uint64_t seed;
    double unit;   /* score that raises the odds of winning e times */
    double lambda; /* share of the result, the rest is the score's */
    double spread; /* how far weights may be expected to move */
    unsigned rounds;
} tune_plan;

/* The unit that fits scores to results best; 0: there are no results. */
double tune_unit(const tune_data *d);
/* Mean loss (cross entropy) over the rows that are held back from the fit,
 * or, with `held` false, over those used; below 0: there are none. */
double tune_loss(const tune_data *d, const tune_weights *w, const tune_plan *p,
                 bool held);
/* Move *w from where it is to the best fit.  XQ_OK or XQ_ENOMEM. */
xq_status tune_fit(const tune_data *d, const tune_plan *p, tune_weights *w,
                   xq_err *err);

/* ---- win chances ---- */

/* As xq_chance_shift and xq_chance_spread (weights.h). */
typedef struct tune_curve {
    double shift[2], spread[2]; /* middle game, endgame */
} tune_curve;
void tune_curve_now(tune_curve *c);
/* Mean loss over all rows with a result. */
double tune_curve_loss(const tune_data *d, const tune_curve *c);
/* From where it is to the best fit. */
void tune_curve_fit(const tune_data *d, tune_curve *c);

/* ---- back into the source ---- */

/* Copy the text of engine/weights.c to f with these numbers, rounded, in the
 * place of its own; names, comments and layout stay.
 * XQ_OK, or XQ_ESYNTAX when it is not that file. */
xq_status tune_write(xq_str text, const tune_weights *w, const tune_curve *c,
                     FILE *f, xq_err *err);

#endif
