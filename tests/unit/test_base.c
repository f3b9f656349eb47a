/* test_base.c - errors, text slices, arena. */
#include "tests/unit/engine_util.h"

static void error_is_filled_and_code_returned(void **state)
{
    xq_err err = {.line = 7, .ply = 3};
    (void)state;
    assert_int_equal(xq_fail(&err, XQ_EIO, "cannot open '%s'", "x"), XQ_EIO);
    assert_int_equal(err.code, XQ_EIO);
    assert_string_equal(err.msg, "cannot open 'x'");
    assert_int_equal(err.line, 0);
    assert_int_equal(err.ply, 0);
    assert_int_equal(xq_fail(NULL, XQ_ENOMEM, "no memory"), XQ_ENOMEM);
}

static void long_message_is_cut_between_characters(void **state)
{
    /* U+70AE is three bytes: shifted by 0, 1, 2 the cut falls everywhere. */
    xq_err err;
    (void)state;
    for (int shift = 0; shift < 3; shift++) {
        char text[400] = "xx";
        for (int i = 0; i < 120; i++)
            memcpy(text + shift + 3 * i, "\xe7\x82\xae", 4);
        xq_fail(&err, XQ_EIO, "%s", text);
        size_t n = strlen(err.msg);
        assert_true(n < sizeof err.msg && n + 3 >= sizeof err.msg);
        assert_int_equal((n - (size_t)shift) % 3, 0);
    }
    char plain[400] = {0};
    memset(plain, 'a', 399);
    xq_fail(&err, XQ_EIO, "%s", plain);
    assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
}

static void message_stays_one_line(void **state)
{
    xq_err err;
    (void)state;
    xq_fail(&err, XQ_EIO, "cannot open '%s'", "a\nb\x1b");
    assert_string_equal(err.msg, "cannot open 'a?b?'");
}

static void slices_compare(void **state)
{
    xq_str none = {NULL, 0};
    (void)state;
    assert_true(xq_str_eq(none, xq_str_of("")));
    assert_int_equal(xq_str_of(NULL).n, 0);
    assert_true(xq_str_eq(xq_str_of("Red"), xq_str_of("Red")));
    assert_false(xq_str_eq(xq_str_of("Red"), xq_str_of("red")));
    assert_true(xq_str_eq_nocase(xq_str_of("rED9"), xq_str_of("Red9")));
    assert_false(xq_str_eq_nocase(xq_str_of("re"), xq_str_of("red")));
    /* Only letters fold: '[' and '{' differ by the same bit. */
    assert_false(xq_str_eq_nocase(xq_str_of("["), xq_str_of("{")));
    assert_false(xq_str_eq_nocase(xq_str_of("\xc9"), xq_str_of("\xe9")));
}

static size_t size_of_piece(int i)
{
    return (size_t)(i % 50 == 49 ? 100000 : i * 7);
}

static void arena_hands_out_separate_aligned_memory(void **state)
{
    xq_arena a = {0};
    unsigned char *piece[300];
    (void)state;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 300; i++) {
            piece[i] = xq_arena_alloc(&a, size_of_piece(i));
            assert_non_null(piece[i]);
            assert_int_equal((uintptr_t)piece[i] % _Alignof(max_align_t), 0);
            memset(piece[i], i & 255, size_of_piece(i));
        }
        for (int i = 0; i < 300; i++)
            for (size_t j = 0; j < size_of_piece(i); j++)
                if (piece[i][j] != (i & 255))
                    fail_msg("piece %d overlaps another", i);
        xq_arena_reset(&a);
    }
    xq_arena_free(&a);
    assert_null(a.head);
    assert_null(a.spare);
}

static void arena_reset_reuses_blocks(void **state)
{
    xq_arena a = {0};
    (void)state;
    void *first = xq_arena_alloc(&a, 100);
    for (int i = 0; i < 100; i++) {
        xq_arena_reset(&a);
        assert_ptr_equal(xq_arena_alloc(&a, 100), first);
    }
    xq_arena_free(&a);
}

static void arena_refuses_what_overflows(void **state)
{
    xq_arena a = {0};
    (void)state;
    assert_null(xq_arena_alloc(&a, SIZE_MAX));
    assert_null(xq_arena_calloc(&a, SIZE_MAX / 2, 3));
    assert_null(xq_arena_copy(&a, (xq_str){"", SIZE_MAX}).s);
    unsigned char *zero = xq_arena_calloc(&a, 5, 3);
    for (int i = 0; i < 15; i++)
        assert_int_equal(zero[i], 0);
    assert_non_null(xq_arena_alloc(&a, 0));
    xq_arena_free(&a);
}

static void arena_copies_text(void **state)
{
    xq_arena a = {0};
    (void)state;
    xq_str copy = xq_arena_copy(&a, (xq_str){"abcdef", 3});
    assert_int_equal(copy.n, 3);
    assert_string_equal(copy.s, "abc");
    copy = xq_arena_copy(&a, (xq_str){NULL, 0});
    assert_string_equal(copy.s, "");
    xq_arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_is_filled_and_code_returned),
        cmocka_unit_test(long_message_is_cut_between_characters),
        cmocka_unit_test(message_stays_one_line),
        cmocka_unit_test(slices_compare),
        cmocka_unit_test(arena_hands_out_separate_aligned_memory),
        cmocka_unit_test(arena_reset_reuses_blocks),
        cmocka_unit_test(arena_refuses_what_overflows),
        cmocka_unit_test(arena_copies_text),
    };
    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
