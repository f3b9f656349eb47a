/* tune_write.c - new numbers into the text of engine/weights.c: those of each
 * "W(mg, eg)" in turn. */
#include "tools/tune.h"

#include <math.h>
#include <string.h>

/* Where the text next says "W(" for a number, from `at`; the macro's own
 * definition has a name there.  SIZE_MAX: nowhere. */
static size_t next_weight(xq_str text, size_t at)
{
    for (; at + 2 < text.n; at++) {
        if (text.s[at] != 'W' || text.s[at + 1] != '(' ||
            (at && text.s[at - 1] != ' '))
            continue;
        size_t i = at + 2;
        while (i < text.n && text.s[i] == ' ')
            i++;
        if (i < text.n && (text.s[i] == '-' || strchr("0123456789", text.s[i])))
            return at;
    }
    return SIZE_MAX;
}

static bool is_place(unsigned i)
{
    return i >= XQ_W_PLACE && i < XQ_W_HORSE_MOVES;
}

xq_status tune_write(xq_str text, const tune_weights *w, const tune_curve *c,
                     FILE *f, xq_err *err)
{
    size_t from = 0;
    for (unsigned i = 0;; i++) {
        const size_t at = next_weight(text, from);
        const char *const end =
            at < text.n ? memchr(text.s + at, ')', text.n - at) : NULL;
        if ((i < XQ_WEIGHTS + 2) != (end != NULL))
            return xq_fail(err, XQ_ESYNTAX, "not %u pairs of numbers",
                           XQ_WEIGHTS + 2u);
        if (!end)
            break;
        const unsigned k = i - XQ_WEIGHTS;
        const double *const curve = k == 0 ? c->shift : c->spread;
        const int mg = (int)lround(i < XQ_WEIGHTS ? w->mg[i] : curve[0]);
        const int eg = (int)lround(i < XQ_WEIGHTS ? w->eg[i] : curve[1]);
        cli_write(f, text.s + from, at - from);
        cli_printf(f, is_place(i) ? "W(%4d, %4d)" : "W(%d, %d)", mg, eg);
        from = (size_t)(end - text.s) + 1;
    }
    cli_write(f, text.s + from, text.n - from);
    return XQ_OK;
}
