/* bench_notation.c - what reading and writing a move costs, in ns (CPU time),
 * over the moves of random games. */
#include "engine/rules.h"
#include "libpgn/notation.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { POSITIONS = 5000, GAME = 100, RUNS = 9, ROUNDS = 6 };

static xq_pos position[POSITIONS];
static xq_move move[POSITIONS];
static uint8_t cls[POSITIONS][4];
static char text[PGN_NOTATIONS][POSITIONS][PGN_MOVE_TEXT_MAX];

static uint64_t seed = 1;

static unsigned below(unsigned n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)((seed >> 32) * n >> 32);
}

static void collect(void)
{
    xq_pos p;
    xq_pos_start(&p);
    for (unsigned i = 0; i < POSITIONS; i++) {
        xq_movelist list;
        xq_gen_legal(&p, &list);
        if (i % GAME == 0) {
            xq_pos_start(&p);
            xq_gen_legal(&p, &list);
        } else if (list.n == 0) { /* lost: another game in its place */
            i -= i % GAME + 1;
            continue;
        }
        position[i] = p;
        move[i] = list.m[below(list.n)];
        for (unsigned n = PGN_ICCS; n < PGN_NOTATIONS; n++)
            pgn_move_write(&p, move[i], (pgn_notation)n, PGN_SIMPLIFIED,
                           text[n][i]);
        for (unsigned k = 0; k < 4; k++) {
            const unsigned char *u =
                (const unsigned char *)text[PGN_CHINESE][i] + 3 * k;
            cls[i][k] = pgn_class_of[(u[0] & 15u) << 12 | (u[1] & 63u) << 6 |
                                     (u[2] & 63u)];
        }
        xq_pos_make(&p, move[i], NULL);
    }
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned sink;

/* As a reader of games does it: one position, played on. */
static void replay(bool read)
{
    xq_pos p;
    for (unsigned i = 0; i < POSITIONS; i++) {
        if (i % GAME == 0)
            xq_pos_start(&p);
        if (read)
            sink += pgn_move_quick(&p, cls[i]);
        xq_pos_make(&p, move[i], NULL);
    }
}

static void replay_quick(pgn_notation n)
{
    (void)n;
    replay(true);
}

static void replay_only(pgn_notation n)
{
    (void)n;
    replay(false);
}

static void read_one(pgn_notation n)
{
    for (unsigned i = 0; i < POSITIONS; i++) {
        xq_move m;
        xq_str t = {text[n][i], strlen(text[n][i])};
        pgn_move_read(&position[i], t, n, &m, NULL, NULL);
        sink += m;
    }
}

static void write_one(pgn_notation n)
{
    for (unsigned i = 0; i < POSITIONS; i++) {
        char out[PGN_MOVE_TEXT_MAX];
        sink += (unsigned)pgn_move_write(&position[i], move[i], n,
                                         PGN_SIMPLIFIED, out);
    }
}

/* The least of several runs, in ns a move. */
static double measure(void (*run)(pgn_notation), pgn_notation n)
{
    double least = 1e9;
    for (unsigned r = 0; r < RUNS; r++) {
        double start = cpu_seconds();
        for (unsigned k = 0; k < ROUNDS; k++)
            run(n);
        double ns = 1e9 * (cpu_seconds() - start) / (ROUNDS * POSITIONS);
        least = ns < least ? ns : least;
    }
    return least;
}

static void print(const char *what, pgn_notation n, double ns)
{
    char name[32];
    snprintf(name, sizeof name, "%s %s", what, pgn_notation_name(n));
    printf("%-24s %7.1f ns\n", name, ns);
}

int main(void)
{
    collect();
    print("quick", PGN_CHINESE,
          measure(replay_quick, PGN_CHINESE) -
              measure(replay_only, PGN_CHINESE));
    for (unsigned n = PGN_ICCS; n < PGN_NOTATIONS; n++)
        print("read", (pgn_notation)n, measure(read_one, (pgn_notation)n));
    for (unsigned n = PGN_ICCS; n < PGN_NOTATIONS; n++)
        print("write", (pgn_notation)n, measure(write_one, (pgn_notation)n));
    fprintf(stderr, "(checksum %08x)\n", sink);
    return 0;
}
