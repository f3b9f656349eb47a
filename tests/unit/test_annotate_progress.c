/* test_annotate_progress.c - the line that tells how far `qipu annotate` is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tools/annotate_progress.h"

static void expect(uint64_t now, annotate_count c, const char *want)
{
    char got[ANNOTATE_PROGRESS_TEXT];
    annotate_progress_text(&c, now, got);
    assert_string_equal(got, want);
}

static void a_run_without_a_cache(void **state)
{
    (void)state;
    expect(2000, (annotate_count){.began = 1000, .total = 200},
           "  0.0%  0 games  0 positions");
    expect(
        11000,
        (annotate_count){
            .games = 1, .done = 50, .asked = 50, .total = 200, .began = 1000},
        " 25.0%  1 game  50 positions  5.0 positions/s  0:30 left");
    /* how much there is may be guessed too low */
    expect(
        11000,
        (annotate_count){.done = 50, .asked = 50, .total = 40, .began = 1000},
        "100.0%  0 games  50 positions  5.0 positions/s  0:00 left");
    expect(2000, (annotate_count){.done = 1, .asked = 1, .began = 1000},
           "0 games  1 position  1.0 positions/s");
}

/* 900 of 1000 were in the cache, and found in a second: what is left takes as
 * long as an engine needs. */
static void what_the_cache_knew_does_not_count(void **state)
{
    (void)state;
    expect(1000, (annotate_count){.games = 9, .done = 900, .total = 1000},
           " 90.0%  9 games  900 positions");
    expect(3000,
           (annotate_count){.games = 9,
                            .done = 900,
                            .total = 1000,
                            .began = 1000,
                            .known = 900},
           " 90.0%  9 games  900 positions");
    expect(11000,
           (annotate_count){.games = 9,
                            .done = 910,
                            .asked = 10,
                            .total = 1000,
                            .began = 1000,
                            .known = 900},
           " 91.0%  9 games  910 positions  1.0 positions/s  1:30 left");
    /* and now and then it knows one more */
    expect(11000,
           (annotate_count){.games = 9,
                            .done = 920,
                            .asked = 10,
                            .total = 1000,
                            .began = 1000,
                            .known = 900},
           " 92.0%  9 games  920 positions  1.0 positions/s  0:40 left");
    expect(101000,
           (annotate_count){.done = 901,
                            .asked = 1,
                            .total = 1000,
                            .began = 1000,
                            .known = 900},
           " 90.1%  0 games  901 positions  0.0 positions/s  2:45:00 left");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_without_a_cache),
        cmocka_unit_test(what_the_cache_knew_does_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
