/* cli_progress.c - interrupts, and the line that tells how far a run is. */
#include "tools/cli.h"

#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int caught;
static atomic_llong caught_ns;

/* A second signal kills: no loop may hold its user hostage.  One that comes
 * with the first is the first: timeout(1) sends its signal to the process and
 * to its group. */
static void on_signal(int sig)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    long long now = (long long)t.tv_sec * 1000000000 + t.tv_nsec;
    if (!atomic_exchange(&caught, 1)) {
        atomic_store(&caught_ns, now);
    } else if (now - atomic_load(&caught_ns) > 200000000) {
        signal(sig, SIG_DFL);
        raise(sig);
    }
}

bool cli_interrupted(void) { return atomic_load(&caught) != 0; }

void cli_catch_interrupts(void)
{
    static const int SIGNALS[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof SIGNALS / sizeof *SIGNALS; i++) {
        struct sigaction old;
        /* nohup ignores SIGHUP, background jobs SIGINT: so do we. */
        if (sigaction(SIGNALS[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN)
            continue;
        struct sigaction sa = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
        sigemptyset(&sa.sa_mask);
        sigaction(SIGNALS[i], &sa, NULL);
    }
}

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void cli_progress_start(cli_progress *p, bool force, uint64_t total_bytes)
{
    *p = (cli_progress){.total = total_bytes};
    p->tty = isatty(STDERR_FILENO) == 1;
    p->on = !cli_quiet && (force || p->tty);
    if (p->on)
        p->started_ns = p->last_ns = now_ns();
}

static void draw(cli_progress *p, uint64_t bytes, uint64_t games)
{
    double s = (double)(p->last_ns - p->started_ns) / 1e9;
    double rate = s > 0 ? (double)bytes / s : 0;
    char line[200];
    int n = 0;
    if (p->total)
        n += snprintf(line, sizeof line, "%5.1f%%  ",
                      100.0 * (double)bytes / (double)p->total);
    n += snprintf(line + n, sizeof line - (size_t)n,
                  "%" PRIu64 " games  %.0f games/s  %.1f MB/s", games,
                  s > 0 ? (double)games / s : 0, rate / 1e6);
    if (p->total > bytes && rate > 0) {
        double left = (double)(p->total - bytes) / rate;
        if (left < 1e6)
            n += snprintf(line + n, sizeof line - (size_t)n, "  %d:%02d left",
                          (int)left / 60, (int)left % 60);
    }
    if (p->tty)
        fprintf(stderr, "\r%-*s", p->width, line);
    else
        fprintf(stderr, "%s\n", line);
    fflush(stderr);
    p->width = n;
}

void cli_progress_tick(cli_progress *p, uint64_t bytes, uint64_t games)
{
    if (!p->on)
        return;
    uint64_t t = now_ns();
    if (t - p->last_ns < (p->tty ? 100000000u : 1000000000u))
        return;
    p->last_ns = t;
    draw(p, bytes, games);
}

void cli_progress_end(cli_progress *p)
{
    if (p->on && p->tty && p->width)
        fprintf(stderr, "\r%*s\r", p->width, "");
    p->on = false;
}
