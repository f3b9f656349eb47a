/* test_conduct.c - the verdict table of the Chinese rules, C-20 to C-25, from
 * what plies count as. */
#include "tests/unit/engine_util.h"

#include "engine/conduct.h"

enum {
    I = XQ_AS_IDLE,
    J = XQ_AS_JOINT,
    W = XQ_AS_WORTH,
    D = XQ_AS_DIRECT,
    T = XQ_AS_THREAT,
    C = XQ_AS_CHECK,
};

static struct xq_doings doings_of(const unsigned *as, unsigned n)
{
    struct xq_doings d = XQ_NO_DOINGS;
    for (unsigned i = 0; i < n; i++)
        if (as[i])
            xq_doings_add(&d, as[i]);
    return d;
}

struct verdict_case {
    unsigned red[3], black[3]; /* plies, 0: no more */
    xq_outcome outcome;
    const char *article;
};

/* As it stands, in another order, and with the sides exchanged. */
static void check_cases(const struct verdict_case *t, size_t n)
{
    static const xq_outcome EXCHANGED[] = {XQ_NO_VERDICT, XQ_DRAW,
                                           XQ_BLACK_LOSES, XQ_RED_LOSES};
    for (size_t i = 0; i < n; i++) {
        const unsigned *r = t[i].red, *b = t[i].black;
        const unsigned back[3] = {r[2], r[1], r[0]};
        const struct xq_doings red = doings_of(r, 3), black = doings_of(b, 3);
        const struct xq_doings d[3][2] = {
            {red, black}, {black, red}, {doings_of(back, 3), black}};
        for (int k = 0; k < 3; k++) {
            const struct xq_decision got = xq_decide(d[k]);
            const xq_outcome want =
                k == 1 ? EXCHANGED[t[i].outcome] : t[i].outcome;
            if (got.outcome != want || strcmp(got.article, t[i].article) != 0)
                fail_msg("case %u/%d: %d by %s", (unsigned)i, k,
                         (int)got.outcome, got.article);
            /* Without a verdict it hangs between two or more outcomes. */
            const unsigned o = got.outcomes;
            if (want == XQ_NO_VERDICT ? !(o & (o - 1)) : o)
                fail_msg("case %u/%d: between %x", (unsigned)i, k, o);
        }
    }
}

static void checks_come_first(void **state)
{
    static const struct verdict_case CASES[] = {
        {{C, C}, {I, I}, XQ_RED_LOSES, "C-20"},
        {{C, C}, {C, I}, XQ_RED_LOSES, "C-20"},
        {{C, C}, {T, T}, XQ_RED_LOSES, "C-20"},
        {{C, C}, {D, D}, XQ_RED_LOSES, "C-20"},
        {{C, C}, {C, T}, XQ_RED_LOSES, "C-20"},
        {{C, C}, {J, J}, XQ_RED_LOSES, "C-20"},
        {{C, C}, {C, C}, XQ_DRAW, "C-21"},
    };
    (void)state;
    check_cases(CASES, COUNT_OF(CASES));
}

static void one_idle_ply_allows_all(void **state)
{
    static const struct verdict_case CASES[] = {
        {{T, T}, {I, I}, XQ_RED_LOSES, "C-22"},
        {{C, T}, {T, I}, XQ_RED_LOSES, "C-22"},
        {{C, D}, {C, I}, XQ_RED_LOSES, "C-22"},
        {{D, J, W}, {D, D, I}, XQ_RED_LOSES, "C-22"},
        {{C, I}, {T, I}, XQ_DRAW, "C-24"},
        {{D, I}, {I, I}, XQ_DRAW, "C-24"},
    };
    (void)state;
    check_cases(CASES, COUNT_OF(CASES));
}

/* The published verdicts behind C-25, line by line. */
static void joint_chases_are_the_lesser_evil(void **state)
{
    static const struct verdict_case CASES[] = {
        {{D, D}, {D, J}, XQ_RED_LOSES, "C-25"},
        {{D, D}, {J, J}, XQ_RED_LOSES, "C-25"},
        {{D, D}, {J, T}, XQ_RED_LOSES, "C-25"},
        {{D, D}, {D, D}, XQ_DRAW, "C-23"},
        {{D, D}, {T, T}, XQ_DRAW, "C-23"},
        {{D, D}, {C, D}, XQ_DRAW, "C-23"},
        {{J, T}, {C, J}, XQ_DRAW, "C-23"},
        {{T, T}, {T, T}, XQ_DRAW, "C-23"},
    };
    (void)state;
    check_cases(CASES, COUNT_OF(CASES));
}

/* One side has a joint chase, the other side's moves are not all direct. */
static void where_c25_is_silent_there_is_no_verdict(void **state)
{
    static const struct verdict_case CASES[] = {
        {{D, T}, {D, J}, XQ_NO_VERDICT, "C-25"},
        {{C, D}, {J, J}, XQ_NO_VERDICT, "C-25"},
        {{T, T}, {J, J}, XQ_NO_VERDICT, "C-25"},
        {{W, D}, {J, D}, XQ_NO_VERDICT, "C-25"},
        {{W, D}, {W, W}, XQ_DRAW, "C-23"},
    };
    (void)state;
    check_cases(CASES, COUNT_OF(CASES));
}

/* C-41: an open ply stops a verdict only where one hangs on it. */
static void open_plies_matter_only_where_they_decide(void **state)
{
    static const struct verdict_case CASES[] = {
        {{I | J, D}, {I, I}, XQ_NO_VERDICT, "C-41"},
        {{I | J, I}, {I, I}, XQ_DRAW, "C-24"},
        {{I | J, I}, {D, D}, XQ_BLACK_LOSES, "C-22"},
        {{I | J, C}, {C, C}, XQ_BLACK_LOSES, "C-20"},
        {{J | D, D}, {I, I}, XQ_RED_LOSES, "C-22"},
        {{J | D, D}, {D, D}, XQ_NO_VERDICT, "C-41"},
        {{J | D, D}, {J, J}, XQ_NO_VERDICT, "C-41"},
        {{J | D, J}, {J, J}, XQ_DRAW, "C-23"},
        {{I | D, T}, {T, T}, XQ_NO_VERDICT, "C-41"},
        {{I | D, I | D}, {I | D, I}, XQ_NO_VERDICT, "C-41"},
        /* Whichever it is, C-25 says nothing. */
        {{J | D, J}, {T, T}, XQ_NO_VERDICT, "C-25"},
    };
    (void)state;
    check_cases(CASES, COUNT_OF(CASES));
}

/* Against the verdict of every way the open plies may fall. */
static void all_ways_are_looked_at(void **state)
{
    static const unsigned ALL[] = {I,     J,         W,     D,     T,    C,
                                   I | D, I | J | D, J | D, I | W, I | J};
    enum { N = sizeof ALL / sizeof *ALL };
    (void)state;
    for (unsigned k = 0; k < N * N * N * N; k += 7) {
        const unsigned as[4] = {ALL[k % N], ALL[k / N % N], ALL[k / N / N % N],
                                ALL[k / N / N / N]};
        const struct xq_doings d[2] = {doings_of(as, 2), doings_of(as + 2, 2)};
        unsigned outcomes = 0;
        for (unsigned way = 0; way < 6 * 6 * 6 * 6; way++) {
            const unsigned one[4] = {1u << way % 6, 1u << way / 6 % 6,
                                     1u << way / 36 % 6, 1u << way / 216};
            const struct xq_doings e[2] = {doings_of(one, 2),
                                           doings_of(one + 2, 2)};
            if (one[0] & as[0] && one[1] & as[1] && one[2] & as[2] &&
                one[3] & as[3])
                outcomes |= 1u << xq_decide(e).outcome;
        }
        const xq_outcome got = xq_decide(d).outcome;
        const bool one_only = !(outcomes & (outcomes - 1));
        if (one_only ? outcomes != 1u << got : got != XQ_NO_VERDICT)
            fail_msg("%x %x against %x %x: %d, not %x", as[0], as[1], as[2],
                     as[3], (int)got, outcomes);
    }
}

static void conduct_is_as_shown(void **state)
{
    const unsigned open[] = {I | J, D}, sure[] = {J | D, T}, checks[] = {C, C};
    struct xq_doings d = doings_of(open, 2);
    (void)state;
    assert_int_equal(d.conduct.plies[XQ_IDLE], 1);
    assert_int_equal(d.conduct.plies[XQ_CHASE], 1);
    assert_int_equal(d.conduct.level, 0);
    assert_false(xq_doings_allowed(&d));
    xq_doings_add(&d, I);
    assert_true(xq_doings_allowed(&d));
    d = doings_of(sure, 2);
    assert_int_equal(d.conduct.plies[XQ_CHASE], 1);
    assert_int_equal(d.conduct.plies[XQ_MATE_THREAT], 1);
    assert_int_equal(d.conduct.level, 1);
    d = doings_of(checks, 2);
    assert_int_equal(d.conduct.plies[XQ_CHECK], 2);
    assert_int_equal(d.conduct.level, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checks_come_first),
        cmocka_unit_test(one_idle_ply_allows_all),
        cmocka_unit_test(joint_chases_are_the_lesser_evil),
        cmocka_unit_test(where_c25_is_silent_there_is_no_verdict),
        cmocka_unit_test(open_plies_matter_only_where_they_decide),
        cmocka_unit_test(all_ways_are_looked_at),
        cmocka_unit_test(conduct_is_as_shown),
    };
    return cmocka_run_group_tests_name("conduct", tests, NULL, NULL);
}
