/* cmd_perft.c - qipu perft: count the leaves of the tree of legal moves. */
#include "tools/cmd.h"

#include "engine/rules.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Deeper trees cannot be walked in anyone's lifetime, only overflow. */
#define DEPTH_MAX 64

struct args {
    uint64_t depth, threads;
    const char *fen, *moves;
    bool divide, json;
};

static const struct cli_opt OPTS[] = {
    {"depth", 0, CLI_UINT, offsetof(struct args, depth), "N",
     "plies to go down; 0 counts the position itself"},
    {"fen", 0, CLI_STR, offsetof(struct args, fen), "FEN",
     "position (default: the start)"},
    {"moves", 0, CLI_STR, offsetof(struct args, moves), "MOVES",
     "moves to play first"},
    {"divide", 0, CLI_FLAG, offsetof(struct args, divide), NULL,
     "first the count behind each move"},
    {"threads", 'j', CLI_UINT, offsetof(struct args, threads), "N",
     "threads (default: all cores)"},
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL,
     "JSON, one object a line"},
    {0},
};

/* The moves of the root are shared out one by one; each has its own counter,
 * so the sum does not depend on who counted what. */
struct work {
    xq_pos pos;
    unsigned depth; /* below the root's moves */
    xq_movelist root;
    atomic_uint next;
    uint64_t nodes[XQ_MAX_MOVES];
};

static void *count_some(void *arg)
{
    struct work *w = arg;
    unsigned i;
    while ((i = atomic_fetch_add(&w->next, 1)) < w->root.n) {
        xq_pos p = w->pos;
        xq_pos_make(&p, w->root.m[i], NULL);
        w->nodes[i] = xq_perft(&p, w->depth);
    }
    return NULL;
}

static void count(struct work *w, unsigned threads)
{
    if (threads > w->root.n)
        threads = w->root.n;
    if (w->depth < 3) /* done before a second thread has started */
        threads = 1;
    pthread_t *helper = threads > 1 ? calloc(threads, sizeof *helper) : NULL;
    unsigned started = 0;
    while (helper && started + 1 < threads &&
           pthread_create(&helper[started], NULL, count_some, w) == 0)
        started++;
    count_some(w); /* alone, if no thread could be had */
    while (started)
        pthread_join(helper[--started], NULL);
    free(helper);
}

/* Returns the sum; with `divide` prints each root move's part. */
static uint64_t perft(const xq_pos *p, const struct args *a)
{
    static struct work w;
    if (a->depth == 0)
        return 1;
    w.pos = *p;
    w.depth = (unsigned)a->depth - 1;
    xq_gen_legal(p, &w.root);
    cli_sort_moves(w.root.m, w.root.n);
    count(&w, cli_threads(a->threads));
    uint64_t sum = 0;
    for (unsigned i = 0; i < w.root.n; i++) {
        sum += w.nodes[i];
        if (!a->divide)
            continue;
        char text[5];
        xq_move_format(w.root.m[i], text);
        if (a->json)
            cli_printf(stdout, "{\"move\":\"%s\",\"nodes\":%" PRIu64 "}\n",
                       text, w.nodes[i]);
        else
            cli_printf(stdout, "%s %" PRIu64 "\n", text, w.nodes[i]);
    }
    return sum;
}

int cmd_perft(const struct cli_cmd *self, int argc, char **argv)
{
    struct args a = {.depth = UINT64_MAX};
    int rc = cli_parse(self, OPTS, &a, &argc, &argv);
    if (rc >= 0)
        return rc;
    if (argc)
        return cli_usage(self, "unexpected argument '%s'", argv[0]);
    if (a.depth == UINT64_MAX)
        return cli_usage(self, "option '--depth' is required");
    if (a.depth > DEPTH_MAX)
        return cli_usage(self, "option '--depth' takes at most %d", DEPTH_MAX);
    xq_pos p;
    if (!cli_position(a.fen, a.moves, false, &p))
        return CLI_FAIL;
    uint64_t nodes = perft(&p, &a);
    if (a.json)
        cli_printf(stdout,
                   "{\"summary\":{\"depth\":%" PRIu64 ",\"nodes\":%" PRIu64
                   "}}\n",
                   a.depth, nodes);
    else
        cli_printf(stdout, "nodes %" PRIu64 "\n", nodes);
    return cli_finish(CLI_OK);
}
