/* test_referee_text.c - the referee's words: every article has a sentence in
 * both languages, and what a side did is named as arbiters name it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tools/referee_case.h"

#include <stdio.h>
#include <string.h>

/* Articles of the Asian table that a window of it is decided by, and those of
 * the Chinese rules and of games; their number says which outcome. */
static void each_article_says_something_in_both_languages(void **state)
{
    static const struct {
        const char *no;
        xq_outcome outcome;
    } T[] = {
        {"G-10", XQ_RED_LOSES},   {"G-11", XQ_DRAW},
        {"L-01", XQ_DRAW},        {"R-02", XQ_NO_VERDICT},
        {"A-02", XQ_DRAW},        {"A-12", XQ_DRAW},
        {"A-20", XQ_RED_LOSES},   {"A-21", XQ_DRAW},
        {"A-22", XQ_BLACK_LOSES}, {"A-23", XQ_DRAW},
        {"A-24", XQ_DRAW},        {"A-30", XQ_RED_LOSES},
        {"A-31", XQ_DRAW},        {"A-32", XQ_RED_LOSES},
        {"A-33", XQ_BLACK_LOSES}, {"A-34", XQ_RED_LOSES},
        {"A-35", XQ_DRAW},        {"A-35", XQ_RED_LOSES},
        {"A-36", XQ_DRAW},        {"A-36", XQ_RED_LOSES},
        {"A-37", XQ_RED_LOSES},   {"A-38", XQ_DRAW},
        {"A-39", XQ_DRAW},        {"A-40", XQ_DRAW},
        {"A-40", XQ_BLACK_LOSES}, {"A-41", XQ_RED_LOSES},
        {"A-42", XQ_RED_LOSES},   {"A-43", XQ_DRAW},
        {"A-44", XQ_RED_LOSES},   {"A-45", XQ_DRAW},
        {"A-46", XQ_DRAW},        {"C-20", XQ_RED_LOSES},
        {"C-21", XQ_DRAW},        {"C-22", XQ_BLACK_LOSES},
        {"C-23", XQ_DRAW},        {"C-24", XQ_DRAW},
        {"C-25", XQ_DRAW},        {"C-25", XQ_RED_LOSES},
        {"C-25", XQ_NO_VERDICT},  {"C-41", XQ_NO_VERDICT},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        const bool lost =
            T[i].outcome == XQ_RED_LOSES || T[i].outcome == XQ_BLACK_LOSES;
        const char *en = ref_article(T[i].no, T[i].outcome, REF_EN);
        const char *zh = ref_article(T[i].no, T[i].outcome, REF_ZH);
        if (!*en || !*zh)
            fail_msg("%s says nothing", T[i].no);
        if (strstr(en, "loses") && !lost)
            fail_msg("%s: \"%s\" of no loss", T[i].no, en);
        if (strstr(en, "draw") && lost)
            fail_msg("%s: \"%s\" of a loss", T[i].no, en);
    }
    assert_string_equal(ref_article("Z-99", XQ_DRAW, REF_EN), "");
}

static void what_a_side_did_is_named_as_arbiters_do(void **state)
{
    static const struct {
        xq_ruleset rules;
        uint32_t plies[4]; /* idle, chase, mate threat, check */
        uint8_t level;
        const char *en, *zh;
    } T[] = {
        {XQ_ASIAN, {0, 0, 0, 2}, 2, "perpetual check", "长将"},
        {XQ_CXA, {0, 0, 3, 0}, 1, "perpetual mate threat", "长杀"},
        {XQ_ASIAN, {0, 2, 0, 0}, 1, "perpetual chase", "长捉"},
        {XQ_CXA, {0, 2, 0, 0}, 1, "perpetual chase", "长捉"},
        {XQ_ASIAN, {0, 2, 0, 0}, 0, "chases of different pieces", "轮捉数子"},
        {XQ_ASIAN, {2, 0, 0, 0}, 0, "idle moves", "均为闲着"},
        {XQ_CXA, {0, 2, 0, 2}, 1, "one check, one chase", "一将一捉"},
        {XQ_CXA, {0, 0, 1, 1}, 1, "one check, one mate threat", "一将一杀"},
        {XQ_ASIAN, {1, 0, 0, 2}, 0, "two checks, one idle move", "二将一闲"},
        {XQ_CXA,
         {3, 3, 3, 3},
         0,
         "one check, one mate threat, one chase, one idle move",
         "一将一杀一捉一闲"},
        {XQ_CXA, {1, 0, 0, 11}, 0, "11 checks, one idle move", "11将一闲"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++)
        for (int l = REF_EN; l <= REF_ZH; l++) {
            cli_buf b = {0};
            ref_conduct(&b, T[i].rules, T[i].plies, T[i].level, (ref_lang)l);
            assert_false(b.failed);
            assert_string_equal(b.s, l == REF_EN ? T[i].en : T[i].zh);
            cli_buf_free(&b);
        }
}

static void an_attack_names_both_pieces_and_why_it_counts(void **state)
{
    static const xq_attack CHASE = {
        .attacker = 4 + 9 * 3, /* e3 */
        .victim = 4 + 9 * 7,   /* e7 */
        .attacker_piece = XQ_ROOK,
        .victim_piece = 8 | XQ_CANNON,
        .how =
            XQ_HOW_MOVED | XQ_HOW_FALSE_ROOT | XQ_HOW_ANSWERED | XQ_HOW_LASTING,
    };
    xq_attack standing = CHASE;
    standing.how = XQ_HOW_DISCOVERED | XQ_HOW_NO_ROOT;
    const struct {
        const xq_attack *a;
        ref_lang lang;
        const char *text;
    } T[] = {
        {&CHASE, REF_EN,
         "rook e3 attacks cannon e7: false root, on every move"},
        {&CHASE, REF_ZH, "车e3捉炮e7：假根，着着皆捉"},
        {&standing, REF_EN,
         "rook e3 attacks cannon e7: by an opened line, no root, not counted: "
         "not answered (A-12)"},
        {&standing, REF_ZH, "车e3捉炮e7：闪捉，无根，未应，不计（A-12）"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        cli_buf b = {0};
        ref_attack(&b, XQ_ASIAN, T[i].a, T[i].lang);
        assert_false(b.failed);
        assert_string_equal(b.s, T[i].text);
        cli_buf_free(&b);
    }
}

/* The nature says it; the traits say only what else there is. */
static void traits_do_not_repeat_the_nature(void **state)
{
    const xq_ply threat = {.nature = XQ_MATE_THREAT,
                           .traits = XQ_TRAIT_MATE_THREAT};
    const xq_ply check = {.nature = XQ_CHECK,
                          .traits = XQ_TRAIT_CHASES | XQ_TRAIT_ANSWERS_CHECK |
                                    XQ_TRAIT_EXCHANGE};
    cli_buf b = {0};
    (void)state;
    ref_traits(&b, &threat, REF_EN);
    assert_int_equal(b.n, 0);
    ref_traits(&b, &check, REF_EN);
    assert_string_equal(b.s, "exchange offer, chases, answers a check");
    cli_buf_free(&b);
}

/* Each article that a report may name can be looked up as a rule. */
static void articles_can_be_looked_up(void **state)
{
    static const char *const NOS[] = {
        "G-10", "G-11", "L-01", "L-02", "R-02", "A-02", "A-12", "A-20",
        "A-21", "A-22", "A-23", "A-24", "A-30", "A-31", "A-32", "A-33",
        "A-34", "A-35", "A-36", "A-37", "A-38", "A-39", "A-40", "A-41",
        "A-42", "A-43", "A-44", "A-45", "A-46", "C-16", "C-20", "C-21",
        "C-22", "C-23", "C-24", "C-25", "C-36", "C-41",
    };
    (void)state;
    for (size_t i = 0; i < sizeof NOS / sizeof *NOS; i++)
        for (int l = 0; l < 2; l++) {
            cli_buf b = {0};
            assert_true(ref_articles(&b, NOS[i], NULL, false, (ref_lang)l));
            assert_true(b.n > strlen(NOS[i]) + 3);
            assert_memory_equal(b.s, NOS[i], strlen(NOS[i]));
            cli_buf_free(&b);
        }
    cli_buf b = {0};
    const xq_ruleset cxa = XQ_CXA;
    assert_false(ref_articles(&b, "A-3", NULL, false, REF_EN));
    assert_false(ref_articles(&b, "", NULL, false, REF_EN));
    assert_true(ref_articles(&b, "c-41", NULL, true, REF_EN));
    assert_true(ref_articles(&b, "all", &cxa, false, REF_EN));
    assert_null(strstr(b.s, "\nA-"));
    assert_non_null(strstr(b.s, "\nC-41"));
    cli_buf_free(&b);
}

static void own_words_are_written_in_the_script_asked_for(void **state)
{
    ref_how how = {.script = PGN_TRADITIONAL};
    cli_buf b = {0};
    (void)state;
    cli_buf_puts(&b, "\xE8\xBD\xA6");                /* 车, not asked for */
    cli_buf_puts(&b, "a9 \xE8\xBD\xA6\xE2\x80\x94"); /* 车— */
    ref_script(&b, 3, &how);
    assert_string_equal(b.s, "\xE8\xBD\xA6"
                             "a9 \xE8\xBB\x8A\xE2\x80\x94");
    how.script = PGN_SIMPLIFIED;
    b.n = 0;
    cli_buf_puts(&b, "\xE8\xBD\xA6");
    ref_script(&b, 0, &how);
    assert_string_equal(b.s, "\xE8\xBD\xA6");
    cli_buf_free(&b);
}

static void plies_are_listed(void **state)
{
    static const uint32_t PLY[] = {0, 4, 8};
    static const char *const EN[] = {"", "0", "0 and 4", "0, 4 and 8"};
    (void)state;
    for (uint32_t n = 0; n <= 3; n++) {
        cli_buf b = {0};
        ref_plies(&b, PLY, n, REF_EN);
        assert_string_equal(b.s ? b.s : "", EN[n]);
        cli_buf_free(&b);
    }
    cli_buf b = {0};
    ref_plies(&b, PLY, 3, REF_ZH);
    assert_string_equal(b.s, "0、4、8");
    cli_buf_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_article_says_something_in_both_languages),
        cmocka_unit_test(what_a_side_did_is_named_as_arbiters_do),
        cmocka_unit_test(an_attack_names_both_pieces_and_why_it_counts),
        cmocka_unit_test(traits_do_not_repeat_the_nature),
        cmocka_unit_test(articles_can_be_looked_up),
        cmocka_unit_test(own_words_are_written_in_the_script_asked_for),
        cmocka_unit_test(plies_are_listed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
