/* annotate_progress.h - how far `qipu annotate` is: games, positions, time
 * left.
 *
 * On stderr, only when that is a terminal or `force`, and never with -q; a few
 * times a second, or once where it is no terminal. */
#ifndef ANNOTATE_PROGRESS_H
#define ANNOTATE_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is done so far. */
typedef struct annotate_count {
    uint64_t games; /* written */
    uint64_t done;  /* positions that have their answer */
    uint64_t asked; /* of these by an engine; the others were in the cache */
    double total;   /* positions of the whole input, about; 0: not known */
    /* The cache's answers take no time, and a run that goes on finds them at
     * its beginning: what the rest takes is told from what came behind them.
     * When an engine was first asked (child_now; 0: not yet), and how many
     * positions were done by then. */
    uint64_t began, known;
} annotate_count;

typedef struct annotate_progress {
    bool on, tty;
    int width; /* columns of the line that stands on the terminal */
    uint64_t last;
} annotate_progress;

void annotate_progress_start(annotate_progress *p, bool force);
void annotate_progress_tick(annotate_progress *p, const annotate_count *c);
void annotate_progress_end(annotate_progress *p);

/* What tick writes at the moment `now` (child_now): "12.5%  3 games  250
 * positions  10.0 positions/s  2:55 left"; what is not known is left out.
 * Returns the length. */
enum { ANNOTATE_PROGRESS_TEXT = 200 };
int annotate_progress_text(const annotate_count *c, uint64_t now,
                           char out[ANNOTATE_PROGRESS_TEXT]);

#endif
