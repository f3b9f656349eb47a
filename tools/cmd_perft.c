/* cmd_perft.c - qipu perft: count the leaves of the tree of legal moves. */
#include "tools/cmd.h"

#include "engine/rules.h"

#include <inttypes.h>

/* Deeper trees cannot be walked in anyone's lifetime, only overflow. */
#define DEPTH_MAX 64

struct args {
    uint64_t depth;
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
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL,
     "JSON, one object a line"},
    {0},
};

static uint64_t divide(const xq_pos *p, unsigned depth, bool json)
{
    xq_movelist list;
    xq_gen_legal(p, &list);
    cli_sort_moves(list.m, list.n);
    uint64_t sum = 0;
    for (unsigned i = 0; i < list.n; i++) {
        xq_pos next = *p;
        xq_pos_make(&next, list.m[i], NULL);
        uint64_t n = xq_perft(&next, depth - 1);
        char text[5];
        xq_move_format(list.m[i], text);
        printf(json ? "{\"move\":\"%s\",\"nodes\":%" PRIu64 "}\n"
                    : "%s %" PRIu64 "\n",
               text, n);
        sum += n;
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
    uint64_t nodes = a.divide && a.depth ? divide(&p, (unsigned)a.depth, a.json)
                                         : xq_perft(&p, (unsigned)a.depth);
    if (a.json)
        printf("{\"summary\":{\"depth\":%" PRIu64 ",\"nodes\":%" PRIu64 "}}\n",
               a.depth, nodes);
    else
        printf("nodes %" PRIu64 "\n", nodes);
    return cli_finish(CLI_OK);
}
