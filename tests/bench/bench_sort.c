/* bench_sort.c - records per second of bk_radix_sort and of the whole sorter.
 *   bench_sort [records] [memory] */
#include "bookdb/sort.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t mix(uint64_t *s)
{
    uint64_t z = *s += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Half of the records stand on keys that are there but once; the others
 * crowd together, as positions of openings do. */
static void fill(bk_rec *r, size_t n, bool real)
{
    uint64_t s = 1;
    for (size_t i = 0; i < n; i++) {
        uint64_t k = mix(&s);
        if (real && (k & 1)) {
            const unsigned z = (unsigned)(k >> 1) % 24;
            uint64_t low = (k >> 8) & ((UINT64_C(1) << z) - 1);
            k = mix(&low);
        }
        r[i] = (bk_rec){k, mix(&s)};
    }
}

/* Everything: add, sort, hand out. */
static double sort_all(const bk_rec *recs, size_t n, size_t memory)
{
    bk_sort *s;
    const bk_rec *out;
    size_t k, got = 0;
    const double t = now();
    if (bk_sort_open(&s, &(bk_sort_options){.memory = memory}, NULL) != XQ_OK)
        exit(2);
    for (size_t i = 0; i < n; i += k) {
        k = n - i < 5000 ? n - i : 5000;
        if (bk_sort_add(s, recs + i, k, NULL) != XQ_OK)
            exit(2);
    }
    if (bk_sort_finish(s, NULL) != XQ_OK)
        exit(2);
    while (bk_sort_next(s, &out, &k, NULL) == XQ_OK)
        got += k;
    bk_sort_close(s);
    if (got != n)
        exit(2);
    return now() - t;
}

int main(int argc, char **argv)
{
    const size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 3000000;
    bk_rec *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    if (!a || !b)
        return 2;
    memset(b, 1, n * sizeof *b);
    for (int real = 0; real < 2; real++) {
        double best = 1e9;
        for (int k = 0; k < 5; k++) {
            fill(a, n, real);
            const double t = now();
            bk_radix_sort(a, b, n);
            const double d = now() - t;
            best = d < best ? d : best;
            for (size_t i = 1; i < n; i++)
                if (a[i].key < a[i - 1].key ||
                    (a[i].key == a[i - 1].key && a[i].data < a[i - 1].data)) {
                    printf("not sorted at %zu\n", i);
                    return 2;
                }
        }
        printf("radix, %-8s %9zu records  %6.1f M/s\n",
               real ? "crowded" : "uniform", n, (double)n / best / 1e6);
    }
    fill(a, n, false);
    for (size_t memory = n * 4; memory <= n * 64; memory *= 16) {
        double best = 1e9;
        for (int k = 0; k < 3; k++) {
            const double d = sort_all(a, n, memory);
            best = d < best ? d : best;
        }
        printf("sorter, %s %9zu records  %6.1f M/s\n",
               memory < 16 * n ? "runs on disk," : "in memory,", n,
               (double)n / best / 1e6);
    }
    free(a);
    free(b);
    return 0;
}
