/* cmd_bench.c - qipu bench: search fixed positions to a fixed depth and count
 * nodes.  The sum is the signature of the search: it changes when, and only
 * when, a change changes what is searched.  Commits that do so name it. */
#include "tools/cmd.h"

#include "engine/rules.h"
#include "engine/search.h"

#include <inttypes.h>
#include <time.h>

/* Openings, middle games, attacks, endgames, a side with one move.  From our
 * own sample games and from tests/data; never to be changed without need. */
static const char *const POSITIONS[] = {
    XQ_FEN_START,
    "rnbakabr1/9/1c4nc1/p1p1p2R1/6p1p/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB2 w - - 8 5",
    "rnbakab2/2C6/4c1nc1/4p1p1p/p8/9/P1p1P1P1P/4C1N2/4N4/1RBAKAB1R w - - 4 9",
    "2bak1b1r/r3a4/1cn3nc1/p1p1p1R2/1C6P/2P3p2/P3P1P2/2N1C1N2/9/R1BAKAB2 w",
    "r1bakan2/9/2n4c1/4pR2r/p1b3p1p/4P4/Pc4P1P/1CN1B1N2/4A4/R1BAK4 w - - 0 13",
    "rnbak3r/4a4/n3b2c1/2p4N1/3RN3p/2P3P2/P3P3P/2C1B4/9/2BAKA2R w - - 1 18",
    "rnb1kab2/4a4/6C1c/1R2p1pR1/8p/P8/4P1P1P/2Nc2N2/9/2BAKAB2 w - - 9 21",
    "C1bakn2r/4a4/2n1b4/p4RN2/2p5P/2P3P2/P3P4/1c2CcN2/4K4/1RBA1AB2 w - - 3 24",
    "1rbP1a3/2N1k4/4b1n2/p3p3p/7P1/2C5P/P3P4/B1N1C4/4Ar3/3RKAB1c b - - 2 26",
    "1nNk1aR1C/8r/5a3/2pR5/8p/2P3P2/P3P3P/4B4/9/2BAKA3 b - - 0 30",
    "4kab2/c3a4/2n1b1C1c/r5p2/7Rp/P2N1RP2/4P3P/4B1N2/4A4/2BAK4 w - - 3 31",
    "2bCka3/4c1R1n/r1N6/4N4/5P1P1/p8/P7P/4B4/3cA4/1RBAK4 w - - 3 41",
    "r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1",
    "1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1",
    "5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1",
    "CRN1k1b2/3ca4/4ba3/9/2nr5/9/9/4B4/4A4/4KA3 w - - 0 1",
};
enum { POSITION_COUNT = sizeof POSITIONS / sizeof *POSITIONS };

/* Under a second: `make check` repeats it, sanitizers too. */
#define DEPTH 12

struct args {
    uint64_t depth, threads, hash;
    bool json;
};

static const struct cli_opt OPTS[] = {
    {"depth", 0, CLI_UINT, offsetof(struct args, depth), "N",
     "plies to search (default: 12)"},
    {"threads", 'j', CLI_UINT, offsetof(struct args, threads), "N",
     "threads (default: 1; with more, nodes differ from run to run)"},
    {"hash", 0, CLI_SIZE, offsetof(struct args, hash), "SIZE",
     "hash table (default: 16M)"},
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL,
     "JSON, one object a line"},
    {0},
};

static double seconds_of(clockid_t clock)
{
    struct timespec t = {0};
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static uint64_t a_second(uint64_t nodes, double seconds)
{
    return seconds > 0 ? (uint64_t)((double)nodes / seconds) : nodes;
}

static void print(unsigned i, const xq_answer *a, bool json)
{
    char move[5] = "-";
    if (a->best != XQ_NOMOVE)
        xq_move_format(a->best, move);
    if (json)
        printf("{\"position\":%u,\"fen\":\"%s\",\"move\":\"%s\",\"score\":%d,"
               "\"nodes\":%" PRIu64 "}\n",
               i + 1, POSITIONS[i], move, a->score, a->nodes);
    else
        printf("%2u  %s %6d %10" PRIu64 "  %s\n", i + 1, move, a->score,
               a->nodes, POSITIONS[i]);
}

/* Each position is searched as if it were the first. */
static xq_status search_all(xq_search *s, const struct args *a, uint64_t *nodes,
                            xq_err *err)
{
    const xq_limits lim = {.depth = (unsigned)a->depth};
    xq_status rc = XQ_OK;
    for (unsigned i = 0; i < POSITION_COUNT && rc == XQ_OK; i++) {
        xq_pos p;
        xq_answer answer;
        rc = xq_fen_parse(&p, xq_str_of(POSITIONS[i]), NULL, err);
        if (rc != XQ_OK)
            break;
        const xq_game_line line = {&p, NULL, 0};
        xq_search_clear(s);
        xq_search_ready(s);
        rc = xq_search_go(s, &line, &lim, NULL, NULL, &answer);
        if (rc != XQ_OK)
            return xq_fail(err, rc, "the search of '%s' failed", POSITIONS[i]);
        *nodes += answer.nodes;
        print(i, &answer, a->json);
    }
    return rc;
}

int cmd_bench(const struct cli_cmd *self, int argc, char **argv)
{
    struct args a = {.depth = DEPTH, .threads = 1, .hash = 16 << 20};
    int rc = cli_parse(self, OPTS, &a, &argc, &argv);
    if (rc >= 0)
        return rc;
    if (argc)
        return cli_usage(self, "unexpected argument '%s'", argv[0]);
    if (a.depth < 1 || a.depth > XQ_MAX_PLY)
        return cli_usage(self, "option '--depth' takes 1 to %d", XQ_MAX_PLY);
    if (a.threads < 1 || a.threads > XQ_MAX_THREADS)
        return cli_usage(self, "option '--threads' takes 1 to %d",
                         XQ_MAX_THREADS);
    if (a.hash < 1 << 20)
        return cli_usage(self, "option '--hash' takes at least 1M");
    const xq_search_options o = {
        .hash = (size_t)a.hash,
        .threads = (unsigned)a.threads,
        .rules = XQ_ASIAN,
        .natural_limit = 120,
    };
    xq_search *s = NULL;
    xq_err err;
    uint64_t nodes = 0;
    xq_status status = xq_search_open(&s, &o, &err);
    if (!a.json)
        printf("%2s  %s %6s %10s  %s\n", "#", "move", "score", "nodes",
               "position");
    /* Of the processor, so that a busy machine does not search more slowly;
     * and what somebody waits who sits before it. */
    const double cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID),
                 wall = seconds_of(CLOCK_MONOTONIC);
    if (status == XQ_OK)
        status = search_all(s, &a, &nodes, &err);
    const uint64_t by_clock =
        a_second(nodes, seconds_of(CLOCK_MONOTONIC) - wall);
    /* threads that are all at work share out the time */
    const uint64_t nps =
        a_second(nodes, (seconds_of(CLOCK_PROCESS_CPUTIME_ID) - cpu) /
                            (double)a.threads);
    xq_search_close(s);
    if (status != XQ_OK) {
        cli_error("%s", err.msg);
        return CLI_FAIL;
    }
    if (a.json)
        printf("{\"summary\":{\"depth\":%" PRIu64 ",\"nodes\":%" PRIu64
               ",\"nps\":%" PRIu64 ",\"threads\":%" PRIu64
               ",\"nps_clock\":%" PRIu64 "}}\n",
               a.depth, nodes, nps, a.threads, by_clock);
    else
        printf("nps_clock %" PRIu64 "\nnodes %" PRIu64 "\nnps %" PRIu64 "\n",
               by_clock, nodes, nps);
    return cli_finish(CLI_OK);
}
