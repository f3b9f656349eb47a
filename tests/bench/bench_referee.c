/* bench_referee.c - what a judgement costs: a window of each row of
 * tests/data/repetition.tsv, in microseconds of user CPU (and as if it had 8
 * plies), and the referee over whole random games, in nanoseconds a ply. */
#include "engine/referee.h"
#include "engine/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { ROWS = 400, PLIES = 200, ROUNDS = 200, GAMES = 200, GAME_ROUNDS = 50 };

struct window {
    xq_ruleset rules;
    xq_pos first;
    xq_move moves[PLIES];
    uint32_t n;
};
static struct window windows[ROWS];
static xq_move games[GAMES][PLIES];
static uint32_t lengths[GAMES];
static xq_key keys[PLIES + 1];

static double cpu_us(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_utime.tv_sec * 1e6 + (double)u.ru_utime.tv_usec;
}

/* ---- windows ---- */

/* The plies between the last two occurrences of the row's last position. */
static bool window_of(const char *fen, char *moves, struct window *out)
{
    static xq_pos pos[PLIES + 1];
    static xq_move all[PLIES];
    uint32_t n = 0;
    if (xq_fen_parse(&pos[0], xq_str_of(fen), NULL, NULL) < 0)
        return false;
    for (char *m = strtok(moves, " "); m && n < PLIES; m = strtok(NULL, " ")) {
        all[n] = xq_move_parse(m);
        if (!xq_move_is_legal(&pos[n], all[n]))
            return false;
        pos[n + 1] = pos[n];
        xq_pos_make(&pos[n + 1], all[n], NULL);
        n++;
    }
    for (uint32_t i = n; i-- > 0;)
        if (pos[i].key == pos[n].key) {
            out->first = pos[i];
            out->n = n - i;
            memcpy(out->moves, all + i, out->n * sizeof *all);
            return true;
        }
    return false;
}

static unsigned read_table(const char *path)
{
    static char line[8192];
    unsigned n = 0;
    FILE *f = fopen(path, "r");
    if (!f)
        return 0;
    while (n < ROWS && fgets(line, sizeof line, f)) {
        char *field[5], *s = line;
        int k = 0;
        while (k < 5 && s) {
            field[k++] = s;
            s = strchr(s, '\t');
            if (s)
                *s++ = '\0';
        }
        if (k < 5 || !window_of(field[2], field[3], &windows[n]))
            continue;
        windows[n].rules = strcmp(field[1], "cxa") == 0 ? XQ_CXA : XQ_ASIAN;
        n++;
    }
    fclose(f);
    return n;
}

static int by_us(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure_windows(unsigned n, xq_ruleset rules, const char *name)
{
    static double us[ROWS], us8[ROWS]; /* as it is; made 8 plies long */
    unsigned count = 0;
    xq_profile pr;
    xq_profile_init(&pr, rules);
    for (unsigned i = 0; i < n; i++) {
        const struct window *w = &windows[i];
        xq_ruling r;
        if (w->rules != rules)
            continue;
        const double t = cpu_us();
        for (int round = 0; round < ROUNDS; round++)
            xq_judge_window(&pr, &w->first, w->moves, w->n, &r);
        us[count] = (cpu_us() - t) / ROUNDS;
        us8[count] = us[count] * 8 / w->n;
        count++;
    }
    if (!count)
        return;
    qsort(us, count, sizeof *us, by_us);
    qsort(us8, count, sizeof *us8, by_us);
    printf("%s window, median us %.2f\n", name, us[count / 2]);
    printf("%s window, most us %.2f\n", name, us[count - 1]);
    printf("%s window, for 8 plies, median us %.2f\n", name, us8[count / 2]);
}

/* ---- games ---- */

static void play_random_games(void)
{
    uint64_t x = 1;
    for (unsigned g = 0; g < GAMES; g++) {
        xq_pos p;
        xq_movelist list;
        xq_pos_start(&p);
        for (lengths[g] = 0; lengths[g] < PLIES / 2; lengths[g]++) {
            xq_gen_legal(&p, &list);
            if (list.n == 0)
                break;
            x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
            games[g][lengths[g]] = list.m[(x >> 33) % list.n];
            xq_pos_make(&p, games[g][lengths[g]], NULL);
        }
    }
}

static void measure_games(void)
{
    xq_pos start;
    xq_profile pr;
    uint64_t plies = 0;
    xq_pos_start(&start);
    xq_profile_init(&pr, XQ_ASIAN);
    const double t = cpu_us();
    for (int round = 0; round < GAME_ROUNDS; round++)
        for (unsigned g = 0; g < GAMES; g++) {
            xq_ruling r;
            xq_referee(&pr, &start, games[g], lengths[g], 0, keys, &r);
            plies += lengths[g];
        }
    printf("referee, a ply of a game, ns %.1f\n",
           (cpu_us() - t) * 1e3 / (double)plies);
}

int main(int argc, char **argv)
{
    const unsigned n =
        read_table(argc > 1 ? argv[1] : "tests/data/repetition.tsv");
    if (n == 0) {
        fprintf(stderr, "no table of repetitions\n");
        return 1;
    }
    measure_windows(n, XQ_ASIAN, "Asian");
    measure_windows(n, XQ_CXA, "Chinese");
    play_random_games();
    measure_games();
    return 0;
}
