/* bench_rules.c - what the rules core costs, in ns a call (user CPU).
 *
 * Moves are those of random games, as a reader of game files meets them. */
#include "engine/key.h"
#include "engine/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { GAMES = 200, PLIES = 100, ROUNDS = 100 };

static xq_move games[GAMES][PLIES];
static unsigned lengths[GAMES];

static double cpu_seconds(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_utime.tv_sec + 1e-6 * (double)u.ru_utime.tv_usec;
}

static void play_random_games(void)
{
    uint64_t x = 1;
    for (unsigned g = 0; g < GAMES; g++) {
        xq_pos p;
        xq_movelist list;
        xq_pos_start(&p);
        for (lengths[g] = 0; lengths[g] < PLIES; lengths[g]++) {
            xq_gen_legal(&p, &list);
            if (list.n == 0)
                break;
            x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
            xq_move m = list.m[(x >> 33) % list.n];
            games[g][lengths[g]] = m;
            xq_pos_make(&p, m, NULL);
        }
    }
}

enum what {
    MAKE,
    LEGAL_MAKE,
    JUDGE_MAKE,
    GEN,
    GEN_PSEUDO,
    HAS_MOVE,
    CHECK,
    COPY
};

/* One call at one ply; a number that depends on all it did. */
static uint64_t call(enum what what, xq_pos *p, xq_move m)
{
    xq_movelist list;
    xq_pos copy;
    uint64_t n = 0;
    switch (what) {
    case MAKE:
        break;
    case LEGAL_MAKE:
        n = xq_move_is_legal(p, m);
        break;
    case JUDGE_MAKE:
        n = xq_move_judge(p, m);
        break;
    case GEN:
        xq_gen_legal(p, &list);
        n = list.n;
        break;
    case GEN_PSEUDO:
        xq_gen_pseudo(p, &list);
        n = list.n;
        break;
    case HAS_MOVE:
        n = xq_has_legal_move(p);
        break;
    case CHECK:
        n = xq_in_check(p, (xq_side)p->side);
        break;
    case COPY:
        copy = *p;
        xq_pos_pass(&copy);
        n = copy.key;
        break;
    }
    xq_pos_make(p, m, NULL);
    return n ^ p->key ^ p->mirror_key;
}

static double measure(enum what what, uint64_t *sum)
{
    xq_pos start;
    uint64_t plies = 0;
    xq_pos_start(&start);
    double t = cpu_seconds();
    for (int round = 0; round < ROUNDS; round++)
        for (unsigned g = 0; g < GAMES; g++) {
            xq_pos p = start;
            for (unsigned i = 0; i < lengths[g]; i++)
                *sum += call(what, &p, games[g][i]);
            plies += lengths[g];
        }
    return (cpu_seconds() - t) * 1e9 / (double)plies;
}

int main(void)
{
    static const char *const NAMES[] = {
        "make, both keys",  "is_legal + make",   "judge + make",
        "gen_legal + make", "gen_pseudo + make", "has_legal_move + make",
        "in_check + make",  "copy + make",
    };
    uint64_t sum = 0;
    play_random_games();
    for (int w = MAKE; w <= COPY; w++)
        printf("%-24s %7.1f ns\n", NAMES[w], measure((enum what)w, &sum));
    for (unsigned depth = 4; depth <= 5; depth++) {
        xq_pos p;
        xq_pos_start(&p);
        double t = cpu_seconds();
        uint64_t n = xq_perft(&p, depth);
        t = cpu_seconds() - t;
        printf("perft %u %24llu leaves, %.1f M/s\n", depth,
               (unsigned long long)n, (double)n / t / 1e6);
    }
    fprintf(stderr, "(checksum %016llx)\n", (unsigned long long)sum);
    return 0;
}
