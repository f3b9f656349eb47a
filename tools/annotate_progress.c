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
    p->last = child_now();
}

/* ---- the text ---- */

struct text {
    char *s;
    int n;
};

static void XQ_PRINTF(2, 3) put(struct text *t, const char *fmt, ...)
{
    const int room = ANNOTATE_PROGRESS_TEXT - t->n;
    va_list ap;
    va_start(ap, fmt);
    const int n = vsnprintf(t->s + t->n, (size_t)room, fmt, ap);
    va_end(ap);
    t->n += n < 0 ? 0 : n < room ? n : room - 1;
}

static void put_number(struct text *t, uint64_t n, const char *what)
{
    put(t, "%" PRIu64 " %s%s", n, what, n == 1 ? "" : "s");
}

static void put_left(struct text *t, double seconds)
{
    const unsigned long s = (unsigned long)seconds;
    if (s >= 3600)
        put(t, "  %lu:%02lu:%02lu left", s / 3600, s / 60 % 60, s % 60);
    else
        put(t, "  %lu:%02lu left", s / 60, s % 60);
}

int annotate_progress_text(const annotate_count *c, uint64_t now,
                           char out[ANNOTATE_PROGRESS_TEXT])
{
    struct text t = {.s = out};
    const double rest = c->total - (double)c->done;
    out[0] = '\0';
    if (c->total > 0)
        put(&t, "%5.1f%%  ", rest > 0 ? 100 * (double)c->done / c->total : 100);
    put_number(&t, c->games, "game");
    put(&t, "  ");
    put_number(&t, c->done, "position");
    if (c->asked == 0 || now <= c->began)
        return t.n;
    const double s = (double)(now - c->began) / 1000;
    put(&t, "  %.1f positions/s", (double)c->asked / s);
    const double each = s / (double)(c->done - c->known);
    if (c->total > 0 && c->done > c->known && rest * each < 1e7)
        put_left(&t, rest > 0 ? rest * each : 0);
    return t.n;
}

/* ---- where it stands ---- */

void annotate_progress_tick(annotate_progress *p, const annotate_count *c)
{
    char line[ANNOTATE_PROGRESS_TEXT];
    const uint64_t now = child_now();
    if (!p->on || now - p->last < (p->tty ? 200u : 1000u))
        return;
    p->last = now;
    const int n = annotate_progress_text(c, now, line);
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
