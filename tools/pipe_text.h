/* pipe_text.h - lines about games, made by the threads of a pipe (pipe.h).
 *
 * A line names its game by the number in the file, but a thread only knows
 * the number in the part it reads: how many games stand before that part is
 * known when it is written.  So the text has holes where numbers belong.
 *
 *   in `game`:  pgn_buf_puts(&t->buf, "game ");
 *               pipe_text_number(t, g->number);
 *   in `emit`:  pipe_text_write(t, part->games_before, out); */
#ifndef PIPE_TEXT_H
#define PIPE_TEXT_H

#include "libpgn/buf.h"

#include <stdio.h>

typedef struct pipe_text {
    pgn_buf buf; /* its `failed` speaks for all */
    struct pipe_hole *holes;
    size_t nholes, capholes;
} pipe_text; /* zero to begin */

/* The number of a game of the part stands here. */
void pipe_text_number(pipe_text *t, uint64_t number);
/* How many bytes it takes: for pipe_job.held. */
size_t pipe_text_held(const pipe_text *t);
/* Write it, numbers filled in, and make it empty. */
void pipe_text_write(pipe_text *t, uint64_t games_before, FILE *f);
void pipe_text_free(pipe_text *t);

#endif
