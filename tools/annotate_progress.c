/* annotate_progress.c - how far `qipu annotate` is. */
#include "tools/annotate_progress.h"

#include "tools/child.h"
#include "tools/cli.h"

#include <inttypes.h>
#include <unistd.h>

void annotate_progress_start(annotate_progress *p, bool force)
{
    *p = (annotate_progress){.tty = isatty(STDERR_FILENO) == 1};
    p->on = !cli_quiet && (force || p->tty);
    p->started = p->last = child_now();
}

static int print_left(char *out, size_t n, double seconds)
{
    const unsigned long s = (unsigned long)seconds;
    if (s >= 3600)
        return snprintf(out, n, "  %lu:%02lu:%02lu left", s / 3600, s / 60 % 60,
                        s % 60);
    return snprintf(out, n, "  %lu:%02lu left", s / 60, s % 60);
}

void annotate_progress_tick(annotate_progress *p, double share, uint64_t games,
                            uint64_t positions)
{
    const uint64_t now = child_now();
    if (!p->on || now - p->last < (p->tty ? 200u : 1000u))
        return;
    p->last = now;
    const double s = (double)(now - p->started) / 1000;
    char line[200];
    int n = 0;
    if (share > 0)
        n = snprintf(line, sizeof line, "%5.1f%%  ", 100 * share);
    n += snprintf(line + n, sizeof line - (size_t)n,
                  "%" PRIu64 " games  %" PRIu64 " positions  %.1f positions/s",
                  games, positions, (double)positions / s);
    if (share > 0.001 && s * (1 - share) / share < 1e7)
        n += print_left(line + n, sizeof line - (size_t)n,
                        s * (1 - share) / share);
    fprintf(stderr, p->tty ? "\r%-*s" : "%-*s\n", p->tty ? p->width : 0, line);
    fflush(stderr);
    p->width = n;
}

void annotate_progress_end(annotate_progress *p)
{
    if (p->on && p->tty && p->width)
        fprintf(stderr, "\r%*s\r", p->width, "");
    p->on = false;
}
