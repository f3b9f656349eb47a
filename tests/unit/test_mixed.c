/* test_mixed.c - several encodings in one game, one line, one comment. */
#include "tests/unit/text_util.h"

/* 测试赛, a comment and two moves in UTF-8, GB18030 and Big5. */
enum { U, G, B, ENCODINGS };
static const char *const EVENT[] = {"测试赛", "\262\342\312\324\310\374",
                                    "\264\372\270\325\301\311"};
static const char *const COMMENT[] = {
    "开局良好，四路加强",
    "\277\252\276\326\301\274\272\303\243\254\313\304\302\267\274\323\307\277",
    "\266\175\247\275\250\175\246\156\241\101\245\174\270\364\245\133\261\152"};
static const char *const FIRST[] = {"炮二平五",
                                    "\305\332\266\376\306\275\316\345",
                                    "\254\266\244\107\245\255\244\255"};
static const char *const SECOND[] = {"马８进７",
                                     "\302\355\243\270\275\370\243\267",
                                     "\260\250\242\267\266\151\242\266"};

/* A game between two good ones. */
static char *between(const char *game, bool problems)
{
    static const char GOOD[] =
        "[Event \"%s\"]\n[Result \"*\"]\n\n1. h2e2 *\n\n";
    pgn_buf b = {0};
    pgn_buf_printf(&b, GOOD, "before");
    pgn_buf_puts(&b, game);
    pgn_buf_puts(&b, "\n\n");
    pgn_buf_printf(&b, GOOD, "after");
    assert_false(b.failed);
    char *whole = games_cut(b.s, b.n, 0, problems);
    for (size_t size = 1; size < b.n; size += 7) { /* wherever it is cut */
        char *cut = games_cut(b.s, b.n, size, problems);
        assert_string_equal(cut, whole);
        free(cut);
    }
    pgn_buf_free(&b);
    has(whole, "\"before\"");
    has(whole, "\"after\"");
    return whole;
}

static void moves_are_read_whatever_is_beside_them(void **state)
{
    (void)state;
    for (int i = 0; i < 81; i++) {
        const int event = i / 27, comment = i / 9 % 3, a = i / 3 % 3, b = i % 3;
        char game[300];
        snprintf(game, sizeof game,
                 "[Event \"%s\"]\n[Result \"*\"]\n\n1. %s {%s} %s *",
                 EVENT[event], FIRST[a], COMMENT[comment], SECOND[b]);
        char *got = between(game, false);
        has(got, "\"moves\":[\"h2e2\",\"h9g7\"]");
        /* what is not Big5 beside UTF-8 is certain */
        if (event == U || (event == G && a != B && b != B && comment != B))
            has(got, EVENT[U]);
        if (comment == U)
            has(got, COMMENT[U]);
        free(got);
    }
}

static void comments_are_told_by_common_characters(void **state)
{
    (void)state;
    char game[300];
    for (int c = 0; c < ENCODINGS; c++) {
        snprintf(game, sizeof game,
                 "[Event \"%s\"]\n[Result \"*\"]\n\n1. %s {%s} %s *", EVENT[U],
                 FIRST[U], COMMENT[c], SECOND[U]);
        char *got = between(game, true);
        has(got, c == B ? "開局良好，四路加強" : COMMENT[U]);
        if (c == U)
            has(got, "\"problems\":[]}\n{\"tags\":[[\"Event\",\"after\"]");
        free(got);
    }
    char *got =
        between("[Event \"\262\342\312\324\"]\n\n1. h2e2 {测试赛} *", 1);
    has(got, "[\"Event\",\"测试\"]");
    has(got,
        "{\"level\":\"warning\",\"kind\":\"encoding\",\"line\":6,\"byte\":");
    has(got, "some text is gb18030, most of the game utf-8");
    free(got);
}

/* Bytes that are simply bad do not make a text Chinese. */
static void damage_stays_damage(void **state)
{
    static const struct {
        const char *game, *part;
    } T[] = {
        /* letters with accents of a Western code page */
        {"[Event \"测试赛，开局良好\"]\n\n1. h2e2 {r\351p\351t\351e, caf\351} "
         "*",
         "[\"Event\",\"测试赛，开局良好\"]"},
        {"[Event \"测试赛，开局良好\"]\n\n1. h2e2 {r\351p\351t\351e, caf\351} "
         "*",
         "r\\\\xE9p\\\\xE9t\\\\xE9e, caf\\\\xE9"},
        {"[Event \"x\"]\n\n1. h2e2 {café 测试 \222} *", "café 测试 \uFFFD"},
        /* a long text with one byte lost */
        {"[Event \"x\"]\n\n1. h2e2 {测试赛\345\274开局良好四路加强} *",
         "测试赛\uFFFD\uFFFD开局良好四路加强"},
        {"[Event \"x\"]\n\n1. 炮二平五 \377 马８进７ *",
         "\"moves\":[\"h2e2\",\"h9g7\"]"},
        /* Latin letters in UTF-8 stay what they are beside GB18030 */
        {"[Event \"\262\342\312\324\"]\n\n1. h2e2 {café, 约翰·史密斯} *",
         "café, 约翰·史密斯"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        char *got = between(T[i].game, true);
        has(got, T[i].part);
        free(got);
    }
}

static void places_are_those_of_the_file(void **state)
{
    (void)state;
    char game[300];
    snprintf(game, sizeof game,
             "[Event \"%s\"]\n[Result \"*\"]\n\n1. %s %s\n2. %s\n%s *\n",
             EVENT[G], FIRST[U], SECOND[G], FIRST[U], FIRST[G]);
    char *got = games_cut(game, strlen(game), 0, true), want[100];
    const char *bad = strstr(strstr(game, "2. "), FIRST[U]);
    snprintf(want, sizeof want, "\"line\":5,\"byte\":%u,\"ply\":3",
             (unsigned)(bad - game));
    has(got, "\"moves\":[\"h2e2\",\"h9g7\"]");
    has(got, want);
    free(got);
}

static void other_text_formats_too(void **state)
{
    (void)state;
    char text[300], want[60];
    snprintf(text, sizeof text,
             "[DhtmlXQ][DhtmlXQ_title]%s[/DhtmlXQ_title][DhtmlXQ_event]%s"
             "[/DhtmlXQ_event][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]"
             "[/DhtmlXQ]",
             EVENT[U], COMMENT[G]);
    char *got = games_in(text);
    snprintf(want, sizeof want, "[\"Event\",\"%s\"]", COMMENT[U]);
    has(got, "[\"Title\",\"测试赛\"]");
    has(got, want);
    free(got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_read_whatever_is_beside_them),
        cmocka_unit_test(comments_are_told_by_common_characters),
        cmocka_unit_test(damage_stays_damage),
        cmocka_unit_test(places_are_those_of_the_file),
        cmocka_unit_test(other_text_formats_too),
    };
    return cmocka_run_group_tests_name("mixed", tests, NULL, NULL);
}
