/* test_sort.c - the sorter against qsort: any input, any order, any budget. */
#include "bookdb/sort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t mix(uint64_t *s)
{
    uint64_t z = *s += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static int by_both(const void *x, const void *y)
{
    const bk_rec *a = x, *b = y;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->data < b->data ? -1 : a->data > b->data;
}

/* Inputs that a radix sort may stumble over. */
enum shape {
    UNIFORM, /* what keys are like */
    EQUAL,
    SMALL_NUMBERS,
    CROWDED, /* few keys, all data different */
    LOW_BIT, /* only the last bit of data differs */
    ALMOST,  /* one record differs from all others */
    RISING,
    FALLING,
    ONE_BIT_KEYS, /* powers of two: a skewed split on every level */
    SHAPES
};

static void fill(bk_rec *r, size_t n, enum shape shape, uint64_t seed)
{
    uint64_t s = seed;
    for (size_t i = 0; i < n; i++) {
        const uint64_t k = mix(&s), d = mix(&s);
        switch (shape) {
        case UNIFORM:
            r[i] = (bk_rec){k, d};
            break;
        case EQUAL:
            r[i] = (bk_rec){42, 42};
            break;
        case SMALL_NUMBERS:
            r[i] = (bk_rec){k % 7, d % 1000};
            break;
        case CROWDED:
            r[i] = (bk_rec){(k % 5) * 0x3333333333333333u, d};
            break;
        case LOW_BIT:
            r[i] = (bk_rec){seed, d & 1};
            break;
        case ALMOST:
            r[i] = (bk_rec){i == n / 2 ? 0 : seed, 9};
            break;
        case RISING:
            r[i] = (bk_rec){i, i};
            break;
        case FALLING:
            r[i] = (bk_rec){n - i, n - i};
            break;
        case ONE_BIT_KEYS:
            r[i] = (bk_rec){UINT64_C(1) << (k % 64), UINT64_C(1) << (d % 64)};
            break;
        case SHAPES:
            break;
        }
    }
}

static void *room(size_t n)
{
    void *p = malloc(n ? n : 1);
    assert_non_null(p);
    return p;
}

static void radix_sort_equals_qsort(void **state)
{
    static const size_t SIZES[] = {0,    1,     2,     3,    23,  24,
                                   25,   100,   255,   256,  257, 1000,
                                   9999, 16384, 16385, 70001};
    (void)state;
    for (size_t k = 0; k < sizeof SIZES / sizeof *SIZES; k++) {
        const size_t n = SIZES[k];
        bk_rec *a = room(n * sizeof *a), *b = room(n * sizeof *b);
        bk_rec *want = room(n * sizeof *want);
        for (int shape = 0; shape < SHAPES; shape++) {
            fill(a, n, (enum shape)shape, k + 1);
            if (n > 0)
                memcpy(want, a, n * sizeof *a);
            qsort(want, n, sizeof *want, by_both);
            bk_radix_sort(a, b, n);
            if (n > 0 && memcmp(a, want, n * sizeof *a) != 0)
                fail_msg("shape %d, %zu records", shape, n);
        }
        free(a);
        free(b);
        free(want);
    }
}

/* Feed records in pieces, compare what comes out. */
static void sort_with(const bk_rec *recs, const bk_rec *want, size_t n,
                      size_t memory)
{
    bk_sort *s;
    xq_err err;
    const bk_sort_options o = {.memory = memory, .threads = n % 2 + 1};
    assert_int_equal(bk_sort_open(&s, &o, &err), XQ_OK);
    uint64_t seed = n;
    for (size_t i = 0; i < n;) {
        size_t k = mix(&seed) % 5000;
        k = k < n - i ? k : n - i;
        assert_int_equal(bk_sort_add(s, recs + i, k, &err), XQ_OK);
        i += k;
    }
    assert_int_equal(bk_sort_finish(s, &err), XQ_OK);
    const bk_rec *out;
    size_t k, i = 0;
    xq_status rc;
    while ((rc = bk_sort_next(s, &out, &k, &err)) == XQ_OK) {
        assert_true(k > 0 && k <= n - i);
        assert_memory_equal(out, want + i, k * sizeof *out);
        i += k;
    }
    assert_int_equal(rc, XQ_DONE);
    assert_int_equal(i, n);
    assert_int_equal(bk_sort_next(s, &out, &k, &err), XQ_DONE);
    bk_sort_close(s);
}

static void any_budget_gives_the_same(void **state)
{
    static const size_t MEMORY[] = {1, 100000, 1 << 20, 0};
    const size_t n = 300000; /* 147 runs with the smallest budget */
    bk_rec *a = room(n * sizeof *a), *want = room(n * sizeof *want);
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++) {
        fill(a, n, (enum shape)shape, 5);
        memcpy(want, a, n * sizeof *a);
        qsort(want, n, sizeof *want, by_both);
        for (size_t k = 0; k < sizeof MEMORY / sizeof *MEMORY; k++) {
            sort_with(a, want, n, MEMORY[k]);
            sort_with(a, want, 0, MEMORY[k]);
            if (shape == RISING) /* sorted; an odd number: two threads */
                sort_with(a, want, n - 1, MEMORY[k]);
        }
    }
    /* A budget that is just full: 2048 records, 64 runs. */
    for (size_t k = 2047; k <= 131073; k = k < 2049 ? k + 1 : k + 129023) {
        fill(a, k, UNIFORM, k);
        memcpy(want, a, k * sizeof *a);
        qsort(want, k, sizeof *want, by_both);
        sort_with(a, want, k, 1);
    }
    free(a);
    free(want);
}

static void a_thread_sorts_ahead(void **state)
{
    const size_t n = 400001;
    bk_rec *a = room(n * sizeof *a), *want = room(n * sizeof *want);
    bk_sort *s;
    const bk_rec *out;
    size_t k;
    xq_err err;
    (void)state;
    fill(a, n, UNIFORM, 3);
    memcpy(want, a, n * sizeof *a);
    qsort(want, n, sizeof *want, by_both);
    sort_with(a, want, n, 0);
    /* closed before its end */
    const bk_sort_options o = {.threads = 2};
    for (int taken = 0; taken < 3; taken++) {
        assert_int_equal(bk_sort_open(&s, &o, &err), XQ_OK);
        assert_int_equal(bk_sort_add(s, a, n, &err), XQ_OK);
        assert_int_equal(bk_sort_finish(s, &err), XQ_OK);
        for (int i = 0; i < taken; i++)
            assert_int_equal(bk_sort_next(s, &out, &k, &err), XQ_OK);
        bk_sort_close(s);
    }
    free(a);
    free(want);
}

static void a_missing_folder_is_an_error(void **state)
{
    bk_sort *s;
    xq_err err;
    const bk_sort_options o = {.memory = 1, .tmpdir = "/nonexistent/folder"};
    bk_rec *a = calloc(5000, sizeof *a);
    (void)state;
    assert_non_null(a);
    assert_int_equal(bk_sort_open(&s, &o, &err), XQ_OK);
    assert_int_equal(bk_sort_add(s, a, 5000, &err), XQ_EIO);
    assert_non_null(strstr(err.msg, "/nonexistent/folder"));
    bk_sort_close(s);
    bk_sort_close(NULL);
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(radix_sort_equals_qsort),
        cmocka_unit_test(any_budget_gives_the_same),
        cmocka_unit_test(a_thread_sorts_ahead),
        cmocka_unit_test(a_missing_folder_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
