/* annotate_progress.h - how far `qipu annotate` is: games, positions, time
 * left.
 *
 * On stderr, only when that is a terminal or `force`, and never with -q; a few
 * times a second, or once where it is no terminal. */
#ifndef ANNOTATE_PROGRESS_H
#define ANNOTATE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct annotate_progress {
    bool on, tty;
    int width; /* columns of the line that stands on the terminal */
    uint64_t started, last;
} annotate_progress;

void annotate_progress_start(annotate_progress *p, bool force);
/* share: of the input, 0 to 1, that is done; 0: not known. */
void annotate_progress_tick(annotate_progress *p, double share, uint64_t games,
                            uint64_t positions);
void annotate_progress_end(annotate_progress *p);

#endif
