/* test_seen.c - the set of digests against the obvious: tiny budgets, many
 * runs, repeats near and far. */
#include "bookdb/seen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t mix(uint64_t *s)
{
    uint64_t z = *s += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Digest number i of a fixed list; number 0 is all zero. */
static pgn_digest digest(uint64_t i)
{
    uint64_t s = i;
    if (i == 0)
        return (pgn_digest){0, 0};
    const uint64_t hi = mix(&s);
    return (pgn_digest){hi, mix(&s)};
}

static void check(uint64_t distinct, uint64_t adds, size_t memory)
{
    bk_seen *s;
    xq_err err;
    bool fresh, *has = calloc(distinct, sizeof *has);
    uint64_t seed = distinct, count = 0;
    assert_non_null(has);
    assert_int_equal(bk_seen_open(&s, memory, NULL, &err), XQ_OK);
    for (uint64_t k = 0; k < adds; k++) {
        const uint64_t i = mix(&seed) % distinct;
        assert_int_equal(bk_seen_add(s, digest(i), &fresh, &err), XQ_OK);
        if (fresh == has[i])
            fail_msg("digest %u, add %u: fresh %d", (unsigned)i, (unsigned)k,
                     fresh);
        count += !has[i];
        has[i] = true;
    }
    assert_int_equal(bk_seen_count(s), count);
    assert_int_equal(bk_seen_rewind(s, &err), XQ_OK);
    pgn_digest d, last = {0, 0};
    uint64_t n = 0;
    xq_status rc;
    while ((rc = bk_seen_next(s, &d, &err)) == XQ_OK) {
        if (n++ > 0)
            assert_true(d.hi > last.hi || (d.hi == last.hi && d.lo > last.lo));
        last = d;
    }
    assert_int_equal(rc, XQ_DONE);
    assert_int_equal(n, count);
    bk_seen_close(s);
    free(has);
}

static void a_digest_is_fresh_once(void **state)
{
    (void)state;
    check(1, 3, 0);
    check(1000, 5000, 0);
    check(100000, 200000, 0);
    check(30000, 60000, 1); /* 1024 at a time: 30 runs, merged thrice */
    check(1024, 3000, 1);
    check(1025, 3000, 1);
    check(100000, 150000, 1 << 20);
}

static void an_empty_set_lists_nothing(void **state)
{
    bk_seen *s;
    pgn_digest d;
    xq_err err;
    (void)state;
    assert_int_equal(bk_seen_open(&s, 0, NULL, &err), XQ_OK);
    assert_int_equal(bk_seen_rewind(s, &err), XQ_OK);
    assert_int_equal(bk_seen_next(s, &d, &err), XQ_DONE);
    bk_seen_close(s);
    bk_seen_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_digest_is_fresh_once),
        cmocka_unit_test(an_empty_set_lists_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
