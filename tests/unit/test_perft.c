/* test_perft.c - leaf counts of tests/data/perft.tsv.
 *
 * Rows of up to 150 million leaves are counted; QIPU_SLOW=1 counts all, which
 * takes half a minute.  QIPU_SRC names the
 * source folder when the test does not run there. */
#include "tests/unit/engine_util.h"

#include <stdio.h>

uint64_t xq_perft_portable(const xq_pos *p, unsigned depth);

typedef uint64_t perft_fn(const xq_pos *p, unsigned depth);

/* Count the rows of at most `most` leaves. */
static void check_rows(perft_fn *count, uint64_t most)
{
    char path[4096], line[512];
    const char *src = getenv("QIPU_SRC");
    snprintf(path, sizeof path, "%s/tests/data/perft.tsv", src ? src : ".");
    FILE *f = fopen(path, "r");
    if (!f)
        fail_msg("cannot open '%s'", path);
    unsigned rows = 0;
    while (fgets(line, sizeof line, f)) {
        char fen[128];
        unsigned depth;
        unsigned long long nodes;
        if (sscanf(line, "%127[^\t]\t%u\t%llu", fen, &depth, &nodes) != 3)
            continue; /* the head */
        if (nodes > most)
            continue;
        xq_pos p = pos_of(fen);
        unsigned long long n = count(&p, depth);
        if (n != nodes)
            fail_msg("%s depth %u: %llu, not %llu", fen, depth, n, nodes);
        rows++;
    }
    fclose(f);
    assert_true(rows > 100);
}

static void published_counts(void **state)
{
    const char *slow = getenv("QIPU_SLOW");
    (void)state;
    check_rows(xq_perft, slow && *slow == '1' ? UINT64_MAX : 150000000);
}

static void portable_code_counts_the_same(void **state)
{
    (void)state;
    check_rows(xq_perft_portable, 500000);
}

static void depth_zero_is_one_leaf(void **state)
{
    xq_pos p;
    (void)state;
    xq_pos_start(&p);
    assert_int_equal(xq_perft(&p, 0), 1);
}

/* A tree without bulk counting, by make and unmake of pos.h. */
static uint64_t plain_perft(xq_pos *p, unsigned depth)
{
    xq_movelist list;
    xq_undo u;
    uint64_t n = 0;
    if (depth == 0)
        return 1;
    xq_gen_legal(p, &list);
    for (unsigned i = 0; i < list.n; i++) {
        xq_pos_make(p, list.m[i], &u);
        n += plain_perft(p, depth - 1);
        xq_pos_unmake(p, &u);
    }
    return n;
}

static void counted_leaves_equal_generated_ones(void **state)
{
    uint64_t seed = seed_of_run(), r = seed;
    (void)state;
    for (int i = 0; i < 600; i++) {
        xq_pos p = random_odd(&r, i % 2 ? 14 : 50);
        unsigned depth = i % 2 ? 3 : 2;
        uint64_t want = plain_perft(&p, depth);
        if (xq_perft(&p, depth) != want ||
            xq_perft_portable(&p, depth) != want) {
            char fen[XQ_FEN_MAX];
            xq_fen_format(&p, fen);
            fail_msg("%s depth %u, seed %llu", fen, depth,
                     (unsigned long long)seed);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_zero_is_one_leaf),
        cmocka_unit_test(published_counts),
        cmocka_unit_test(portable_code_counts_the_same),
        cmocka_unit_test(counted_leaves_equal_generated_ones),
    };
    return cmocka_run_group_tests_name("perft", tests, NULL, NULL);
}
