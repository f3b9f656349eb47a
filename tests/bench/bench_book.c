/* bench_book.c - the book through the library: look-ups and merging.
 *   bench_book [FILE or FOLDER of games]
 *
 * A book is made of the games (by default of ../shared/data/pgn/ccpd; where
 * that is missing, of random ones), then every position of every game is
 * looked up, and the book is merged with one of as many random positions. */
#include "bookdb/book.h"
#include "engine/rules.h"
#include "libpgn/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void need(xq_status rc, const xq_err *err)
{
    if (rc >= XQ_OK)
        return;
    fprintf(stderr, "bench_book: %s\n", err->msg);
    exit(2);
}

static uint64_t mix(uint64_t *s)
{
    uint64_t z = *s += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* ---- games: start position and moves, of a file or random ---- */

struct game {
    xq_pos start;
    xq_move *moves;
    uint32_t plies;
};
static struct game *games;
static size_t ngames, cap;

static void keep_game(const pgn_game *g)
{
    if (ngames == cap) {
        cap = cap ? 2 * cap : 1024;
        games = realloc(games, cap * sizeof *games);
        if (!games)
            exit(2);
    }
    struct game *t = &games[ngames++];
    *t = (struct game){g->start, malloc((g->plies + 1) * sizeof *g->main),
                       g->plies};
    if (!t->moves)
        exit(2);
    memcpy(t->moves, g->main, g->plies * sizeof *g->main);
}

static void add_game(bk_maker *m, bk_rows *rows, const pgn_game *g, bool last)
{
    uint64_t added = 0, dup = 0;
    xq_err err;
    if (g) {
        (void)bk_rows_add(rows, g, &(bk_filter){0});
        keep_game(g);
    }
    if (rows->n > 1 << 16 || last) {
        need(bk_maker_add(m, rows, &added, &dup, &err), &err);
        bk_rows_clear(rows);
    }
}

static void read_games(bk_maker *m, const char *path)
{
    pgn_split *sp;
    pgn_segment seg = {0};
    pgn_reader *r;
    const pgn_game *g;
    bk_rows rows = {0};
    xq_err err;
    need(pgn_split_open(&sp, &path, 1, PGN_ENC_AUTO, &err), &err);
    need(pgn_reader_new(&r, NULL, &err), &err);
    while (pgn_split_next(sp, &seg, &err) == XQ_OK) {
        pgn_reader_load(r, &seg);
        while (pgn_reader_next(r, &g, &err) == XQ_OK)
            if (!g->faulty && !g->skipped)
                add_game(m, &rows, g, false);
    }
    add_game(m, &rows, NULL, true);
    bk_rows_free(&rows);
    pgn_segment_free(&seg);
    pgn_reader_close(r);
    pgn_split_close(sp);
}

static void random_games(bk_maker *m)
{
    static xq_move moves[80];
    bk_rows rows = {0};
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        pgn_game g = {.main = moves, .standard = true};
        xq_pos_start(&g.start);
        xq_pos p = g.start;
        for (; g.plies < 80; g.plies++) {
            xq_movelist list;
            xq_gen_legal(&p, &list);
            if (list.n == 0)
                break;
            moves[g.plies] = list.m[mix(&seed) % list.n];
            xq_pos_make(&p, moves[g.plies], NULL);
        }
        add_game(m, &rows, &g, i == 19999);
    }
    bk_rows_free(&rows);
}

/* ---- measuring ---- */

static int by_size(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Look up each position of the games once. */
static void look_up(const char *path, uint64_t positions)
{
    bk_book *b;
    xq_err err;
    bk_entry *e = malloc(sizeof *e);
    size_t n = 0, mask = 1;
    while (mask < 2 * positions)
        mask *= 2;
    xq_key *seen = calloc(mask--, sizeof *seen);
    float *time = malloc((positions + 1) * sizeof *time);
    if (!e || !seen || !time)
        exit(2);
    need(bk_book_open(&b, path, &err), &err);
    double clock = 0; /* what reading it costs */
    for (int i = 0; i < 1000; i++)
        clock -= seconds(CLOCK_MONOTONIC) - seconds(CLOCK_MONOTONIC);
    clock /= 1000;
    double total = 0;
    for (int warm = 0; warm < 2; warm++) {
        memset(seen, 0, (mask + 1) * sizeof *seen);
        n = 0;
        total = 0;
        for (size_t i = 0; i < ngames; i++) {
            xq_pos p = games[i].start;
            for (uint32_t k = 0;; k++) {
                bool mirrored;
                const xq_key key = xq_canon_key(&p, &mirrored);
                size_t at = (size_t)key & mask;
                while (seen[at] && seen[at] != key)
                    at = (at + 1) & mask;
                if (!seen[at] && n < positions) {
                    seen[at] = key;
                    const double t = seconds(CLOCK_MONOTONIC);
                    need(bk_book_find(b, &p, e, NULL, &err), &err);
                    const double d = seconds(CLOCK_MONOTONIC) - t - clock;
                    time[n++] = (float)d;
                    total += d;
                }
                if (k == games[i].plies)
                    break;
                xq_pos_make(&p, games[i].moves[k], NULL);
            }
        }
    }
    qsort(time, n, sizeof *time, by_size);
    printf("look-up, median: %.3f us\n", 1e6 * (double)time[n / 2]);
    printf("look-up, 99 of 100 within: %.3f us\n",
           1e6 * (double)time[n / 100 * 99]);
    printf("look-ups a second: %.2f M/s\n", (double)n / total / 1e6);
    bk_book_close(b);
    free(e);
    free(seen);
    free(time);
}

/* A book of n positions that no game reached, one move each. */
static void make_random_book(const char *path, uint64_t n)
{
    bk_maker *m;
    xq_err err;
    uint64_t added = 0, dup = 0, seed = 7;
    const pgn_game none = {.standard = true};
    need(bk_maker_open(&m, path, &(bk_maker_options){0}, &err), &err);
    while (n > 0) {
        /* the rows of one "game", overwritten */
        bk_rows rows = {0};
        const uint32_t k = n < 100000 ? (uint32_t)n : 100000;
        (void)bk_rows_add(&rows, &none, &(bk_filter){0});
        bk_rec *recs = realloc(rows.recs, k * sizeof *recs);
        if (!recs)
            exit(2);
        rows.recs = recs;
        rows.n = rows.cap = rows.ends[0] = k;
        rows.digests[0].lo = n;
        for (uint32_t i = 0; i < k; i++) /* h2e2, and a year */
            recs[i] =
                (bk_rec){mix(&seed), (uint64_t)xq_move_parse("h2e2") << 50 |
                                         (mix(&seed) % 4) << 47 |
                                         (1990 + mix(&seed) % 20) << 36};
        need(bk_maker_add(m, &rows, &added, &dup, &err), &err);
        bk_rows_free(&rows);
        n -= k;
    }
    need(bk_maker_finish(m, &err), &err);
    bk_maker_close(m);
}

static bk_book_info info_of(const char *path)
{
    bk_book *b;
    bk_book_info info;
    xq_err err;
    need(bk_book_open(&b, path, &err), &err);
    need(bk_book_get_info(b, &info, &err), &err);
    bk_book_close(b);
    return info;
}

static void merge(const char *out, const char *a, const char *b, uint64_t n,
                  const char *name)
{
    const char *const in[] = {a, b};
    double best = 1e9, wall = 1e9;
    uint64_t both;
    xq_err err;
    for (int k = 0; k < 5; k++) {
        const double t = seconds(CLOCK_PROCESS_CPUTIME_ID);
        const double w = seconds(CLOCK_MONOTONIC);
        need(bk_book_merge(out, in, 2, NULL, &both, &err), &err);
        const double d = seconds(CLOCK_PROCESS_CPUTIME_ID) - t;
        const double e = seconds(CLOCK_MONOTONIC) - w;
        best = d < best ? d : best;
        wall = e < wall ? e : wall;
    }
    printf("merge, %s, positions read by CPU time: %.1f M/s\n", name,
           (double)n / best / 1e6);
    printf("merge, %s, by wall clock: %.1f M/s\n", name,
           (double)n / wall / 1e6);
}

int main(int argc, char **argv)
{
    const char *games_path = argc > 1 ? argv[1] : "../shared/data/pgn/ccpd";
    char dir[] = "/tmp/qipu-bench-XXXXXX", a[64], b[64], out[64];
    bk_maker *m;
    xq_err err;
    if (!mkdtemp(dir))
        return 2;
    snprintf(a, sizeof a, "%s/a", dir);
    snprintf(b, sizeof b, "%s/b", dir);
    snprintf(out, sizeof out, "%s/out", dir);
    need(bk_maker_open(&m, a, &(bk_maker_options){0}, &err), &err);
    if (access(games_path, R_OK) == 0)
        read_games(m, games_path);
    else
        random_games(m);
    const double t = seconds(CLOCK_PROCESS_CPUTIME_ID);
    need(bk_maker_finish(m, &err), &err);
    const double d = seconds(CLOCK_PROCESS_CPUTIME_ID) - t;
    bk_maker_close(m);
    const bk_book_info info = info_of(a);
    printf("sort, count and write, moves: %.1f M/s\n",
           (double)info.moves / d / 1e6);
    printf("bytes a move, all included: %.2f\n",
           (double)info.bytes / (double)info.moves);
    look_up(a, info.positions);
    make_random_book(b, info.positions);
    merge(out, a, b, 2 * info.positions, "all different");
    merge(out, a, a, 2 * info.positions, "all the same");
    unlink(a);
    unlink(b);
    unlink(out);
    rmdir(dir);
    for (size_t i = 0; i < ngames; i++)
        free(games[i].moves);
    free(games);
    return 0;
}
