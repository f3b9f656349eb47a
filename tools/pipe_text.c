/* pipe_text.c - lines about games, made by the threads of a pipe. */
#include "tools/pipe_text.h"

#include "tools/cli.h"

#include <inttypes.h>
#include <stdlib.h>

struct pipe_hole {
    size_t at;
    uint64_t number; /* of the game, in its part */
};

void pipe_text_number(pipe_text *t, uint64_t number)
{
    if (t->nholes == t->capholes) {
        const size_t cap = t->capholes ? 2 * t->capholes : 64;
        struct pipe_hole *p = realloc(t->holes, cap * sizeof *p);
        if (!p) {
            t->buf.failed = true;
            return;
        }
        t->holes = p;
        t->capholes = cap;
    }
    t->holes[t->nholes++] = (struct pipe_hole){t->buf.n, number};
}

size_t pipe_text_held(const pipe_text *t)
{
    return t->buf.n + t->nholes * sizeof *t->holes;
}

void pipe_text_write(pipe_text *t, uint64_t games_before, FILE *f)
{
    size_t at = 0;
    for (size_t i = 0; i < t->nholes; i++) {
        const struct pipe_hole *h = &t->holes[i];
        cli_write(f, t->buf.s + at, h->at - at);
        cli_printf(f, "%" PRIu64, games_before + h->number);
        at = h->at;
    }
    if (t->buf.n > at)
        cli_write(f, t->buf.s + at, t->buf.n - at);
    t->buf.n = t->nholes = 0;
}

void pipe_text_free(pipe_text *t)
{
    pgn_buf_free(&t->buf);
    free(t->holes);
    *t = (pipe_text){0};
}
