/* bench_reader.c - what reading games costs, in ns a node: a move of the main
 * line or of a variation.
 *
 *   bench_reader FILE...
 *
 * Prints games, plies, nodes and CPU time (user and system) of each file. */
#include "libpgn/reader.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static double cpu(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static int read_all(const char *path, bool list)
{
    pgn_reader *r = NULL;
    const pgn_game *g = NULL;
    xq_err err = {0};
    uint64_t games = 0, faulty = 0, warnings = 0, plies = 0, nodes = 0;
    double t = cpu();
    xq_status rc = pgn_reader_open(&r, path, NULL, &err);
    while (rc == XQ_OK && (rc = pgn_reader_next(r, &g, &err)) == XQ_OK) {
        games++;
        plies += g->plies;
        nodes += g->nnodes - 1; /* the root has no move */
        faulty += g->faulty;
        for (uint32_t i = 0; i < g->nproblems; i++) {
            const pgn_problem *p = &g->problems[i];
            warnings += p->level == PGN_WARNING;
            if (list)
                printf("%s:%llu: byte %llu: game %llu: ply %u: %s: %s: %.*s\n",
                       pgn_reader_name(r), (unsigned long long)p->line,
                       (unsigned long long)p->byte,
                       (unsigned long long)g->number, (unsigned)p->ply,
                       p->level == PGN_ERROR ? "error" : "warning",
                       pgn_problem_kind_name(p->kind), (int)p->message.n,
                       p->message.s);
        }
    }
    pgn_reader_close(r);
    t = cpu() - t;
    if (rc != XQ_DONE) {
        fprintf(stderr, "%s: %s\n", path, err.msg);
        return 2;
    }
    printf("%s: games %llu faulty %llu warnings %llu plies %llu nodes %llu",
           path, (unsigned long long)games, (unsigned long long)faulty,
           (unsigned long long)warnings, (unsigned long long)plies,
           (unsigned long long)nodes);
    printf(" seconds %.3f ns/node %.1f\n", t,
           nodes ? 1e9 * t / (double)nodes : 0.0);
    return 0;
}

int main(int argc, char **argv)
{
    int status = 0;
    bool list = argc > 1 && strcmp(argv[1], "-l") == 0;
    for (int i = 1 + list; i < argc; i++) {
        int s = read_all(argv[i], list);
        status = s > status ? s : status;
    }
    return status;
}
