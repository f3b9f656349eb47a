/* tune_data.c - positions with results and scores, as counts of terms. */
#include "tools/tune.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Room for `more` elements behind n. */
static bool grow(void **array, size_t *cap, size_t n, size_t more, size_t size)
{
    if (n + more <= *cap)
        return true;
    const size_t want = 2 * *cap > n + more ? 2 * *cap : n + more + 1024;
    void *const v = realloc(*array, want * size);
    if (!v)
        return false;
    *array = v;
    *cap = want;
    return true;
}

xq_status tune_data_add(tune_data *d, const xq_pos *p, double result, int score,
                        xq_err *err)
{
    xq_eval_term terms[XQ_WEIGHTS];
    const unsigned n = xq_eval_trace(p, terms, XQ_WEIGHTS);
    void *rows = d->rows, *all = d->terms;
    const bool ok = grow(&rows, &d->cap, d->n, 1, sizeof *d->rows) &&
                    grow(&all, &d->terms_cap, d->nterms, n, sizeof *d->terms);
    d->rows = rows;
    d->terms = all;
    if (!ok)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    const size_t first = d->nterms;
    for (unsigned i = 0; i < n; i++)
        if (terms[i].red != terms[i].black)
            d->terms[d->nterms++] =
                (tune_term){(uint16_t)terms[i].weight,
                            (int16_t)(terms[i].red - terms[i].black)};
    xq_eval_state st;
    xq_eval_init(&st, p);
    const int phase = st.phase > XQ_PHASE_MAX ? XQ_PHASE_MAX : st.phase;
    d->rows[d->n++] = (tune_row){
        .first = first,
        .end = d->nterms,
        .result = result,
        .score = score,
        .phase = phase,
        .scale = {xq_eval_scale(p, 1), xq_eval_scale(p, -1)},
    };
    return XQ_OK;
}

/* FEN \t RESULT \t SCORE */
static xq_status add_line(tune_data *d, char *line, xq_err *err)
{
    char *const result = strchr(line, '\t');
    char *const score = result ? strchr(result + 1, '\t') : NULL;
    char *end = NULL;
    const long n = score ? strtol(score + 1, &end, 10) : 0;
    if (!score || end == score + 1 || (*end && *end != '\n') ||
        labs(n) > XQ_EVAL_MAX)
        return xq_fail(err, XQ_ESYNTAX, "no position, result and score");
    *result = *score = '\0';
    xq_pos p;
    const xq_status rc = xq_fen_parse(&p, xq_str_of(line), NULL, err);
    if (rc != XQ_OK)
        return rc;
    const char *const r = result + 1;
    const double value = strcmp(r, "1-0") == 0       ? 1
                         : strcmp(r, "0-1") == 0     ? 0
                         : strcmp(r, "1/2-1/2") == 0 ? 0.5
                                                     : -1;
    return tune_data_add(d, &p, value, (int)n, err);
}

xq_status tune_data_read(tune_data *d, const char *path, xq_err *err)
{
    FILE *const f = fopen(path, "r");
    if (!f)
        return xq_fail(err, XQ_EIO, "cannot open '%s': %s", path,
                       strerror(errno));
    char *line = NULL;
    size_t cap = 0;
    xq_status rc = XQ_OK;
    for (unsigned long n = 1; rc == XQ_OK && getline(&line, &cap, f) > 0; n++) {
        xq_err what;
        rc = add_line(d, line, &what);
        if (rc != XQ_OK)
            xq_fail(err, rc, "%s:%lu: %s", path, n, what.msg);
    }
    if (rc == XQ_OK && !feof(f))
        rc =
            xq_fail(err, XQ_EIO, "cannot read '%s': %s", path, strerror(errno));
    free(line);
    fclose(f);
    return rc;
}

void tune_data_free(tune_data *d)
{
    free(d->rows);
    free(d->terms);
    *d = (tune_data){0};
}
