/* The JSON tokeniser, and games read from JSON lines. */
#include "tests/unit/engine_util.h"
#include "tests/unit/read_util.h"

#include "libpgn/json.h"

#include <stdio.h>

/* ---- tokens ---- */

/* Tokens as letters: {}[] for brackets, k s n for text, t f 0 for words;
 * at the end "." or "!OFFSET". */
static void tokens(xq_str text, char *out, size_t size)
{
    static const char LETTER[] = ".{}[]ksntf0";
    xq_arena arena = {0};
    pgn_json j;
    pgn_json_token t;
    size_t n = 0;
    pgn_json_start(&j, text, &arena);
    while ((t = pgn_json_next(&j)) > PGN_JSON_END && n + 24 < size)
        out[n++] = LETTER[t];
    if (t == PGN_JSON_BAD) {
        assert_non_null(j.error);
        assert_true(j.at <= text.n);
        assert_int_equal(pgn_json_next(&j), PGN_JSON_BAD);
        n += (size_t)snprintf(out + n, size - n, "!%zu", j.at);
    } else {
        out[n++] = '.';
    }
    out[n] = 0;
    xq_arena_free(&arena);
}

static void json_is_told_from_what_is_not(void **state)
{
    static const char *const T[][2] = {
        {"{}", "{}."},
        {" [ ] ", "[]."},
        {"0", "n."},
        {"[1,-2,3.5,1e9,-0.1E-2]", "[nnnnn]."},
        {"{\"a\":[true,false,null],\"b\":{}}", "{k[tf0]k{}}."},
        {"\"x\\u0041\\n\"", "s."},
        {"", "!0"},
        {"  ", "!2"},
        {"{", "{!1"},
        {"[1", "[n!2"},
        {"[1,]", "[n!3"},
        {"[,1]", "[!1"},
        {"[1 2]", "[n!3"},
        {"{\"a\"}", "{!4"},
        {"{\"a\":}", "{k!5"},
        {"{\"a\":1,}", "{kn!7"},
        {"{a:1}", "{!1"},
        {"[1}", "[n!2"},
        {"{\"a\":1]", "{kn!6"},
        {"{} {}", "{}!3"},
        {"]", "!0"},
        {"01", "!0"},
        {"-", "!1"},
        {"1.", "!2"},
        {"1e", "!2"},
        {".5", "!0"},
        {"+1", "!0"},
        {"nul", "!0"},
        {"nulls", "0!4"},
        {"\"abc", "!4"},
        {"\"a\tb\"", "!2"},
        {"\"\\x\"", "!1"},
        {"\"\\", "!1"},
        {"\"\\u12\"", "!1"},
        {"\"\\u12g4\"", "!1"},
        {"'a'", "!0"},
        {"[1] // x", "[n]!4"},
        {"\xEF\xBB\xBF{}", "!0"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        char got[64];
        tokens(xq_str_of(T[i][0]), got, sizeof got);
        if (strcmp(got, T[i][1]) != 0)
            fail_msg("%s: %s, not %s", T[i][0], got, T[i][1]);
    }
}

static void strings_are_decoded(void **state)
{
    static const struct {
        const char *text, *want;
        size_t n, replaced;
    } T[] = {
        {"\"\"", "", 0, 0},
        {"\"炮二平五\"", "炮二平五", 12, 0},
        {"\"a\\\"\\\\\\/\\b\\f\\n\\r\\tz\"", "a\"\\/\b\f\n\r\tz", 10, 0},
        {"\"\\u70AE\\u70ae\"", "炮炮", 6, 0},
        {"\"\\u0000\"", "\0", 1, 0},
        {"\"\\ud842\\udfb7!\"", "𠮷!", 5, 0},
        {"\"\\ud842\"", "\xEF\xBF\xBD", 3, 1},
        {"\"\\udfb7\\ud842x\"", "\xEF\xBF\xBD\xEF\xBF\xBDx", 7, 2},
        {"\"\\ud842\\u0041\"",
         "\xEF\xBF\xBD"
         "A",
         4, 1},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        xq_arena arena = {0};
        pgn_json j;
        pgn_json_start(&j, xq_str_of(T[i].text), &arena);
        assert_int_equal(pgn_json_next(&j), PGN_JSON_STRING);
        if (j.text.n != T[i].n || memcmp(j.text.s, T[i].want, T[i].n) != 0 ||
            j.replaced != T[i].replaced)
            fail_msg("%s", T[i].text);
        assert_int_equal(pgn_json_next(&j), PGN_JSON_END);
        xq_arena_free(&arena);
    }
}

static void whole_numbers(void **state)
{
    static const struct {
        const char *text;
        uint64_t max, v;
        bool ok;
    } T[] = {
        {"0", 9, 0, true},
        {"9", 9, 9, true},
        {"10", 9, 0, false},
        {"4294967295", UINT32_MAX, UINT32_MAX, true},
        {"4294967296", UINT32_MAX, 0, false},
        {"18446744073709551615", UINT64_MAX, UINT64_MAX, true},
        {"18446744073709551616", UINT64_MAX, 0, false},
        {"99999999999999999999999", UINT64_MAX, 0, false},
        {"-1", 9, 0, false},
        {"1.0", 9, 0, false},
        {"1e0", 9, 0, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        xq_arena arena = {0};
        pgn_json j;
        uint64_t v = 0;
        pgn_json_start(&j, xq_str_of(T[i].text), &arena);
        assert_int_equal(pgn_json_next(&j), PGN_JSON_NUMBER);
        if (pgn_json_uint(&j, T[i].max, &v) != T[i].ok || v != T[i].v)
            fail_msg("%s", T[i].text);
        xq_arena_free(&arena);
    }
}

static void nesting_has_no_limit(void **state)
{
    enum { DEEP = 1000000 };
    (void)state;
    char *text = malloc(DEEP * 2);
    assert_non_null(text);
    memset(text, '[', DEEP);
    memset(text + DEEP, ']', DEEP);
    xq_arena arena = {0};
    pgn_json j;
    pgn_json_start(&j, (xq_str){text, DEEP * 2}, &arena);
    assert_int_equal(pgn_json_skip(&j, pgn_json_next(&j)), PGN_JSON_ARRAY_END);
    assert_int_equal(pgn_json_next(&j), PGN_JSON_END);
    text[DEEP + DEEP / 2] = '}';
    pgn_json_start(&j, (xq_str){text, DEEP * 2}, &arena);
    assert_int_equal(pgn_json_skip(&j, pgn_json_next(&j)), PGN_JSON_BAD);
    assert_int_equal(j.at, DEEP + DEEP / 2);
    xq_arena_free(&arena);
    free(text);
}

/* ---- games ---- */

/* What is read from `text`, written as JSON, equals `want`. */
static void reads_as(const char *text, const char *want)
{
    char *got = json_of(xq_str_of(text), PGN_ENC_AUTO);
    assert_string_equal(got, want);
    free(got);
}

#define EMPTY "\"nags\":[],\"comments\":[],\"variations\":[]"
#define HEAD  "{\"tags\":[[\"Result\",\"1-0\"]],\"fen\":\"" XQ_FEN_START "\","
#define TAIL  ",\"result\":\"1-0\",\"problems\":[]}\n"

static void a_game_reads_as_written(void **state)
{
    static const char *const T[] = {
        HEAD "\"moves\":[]," EMPTY TAIL,
        HEAD "\"moves\":[\"h2e2\",\"h9g7\"]," EMPTY TAIL,
        HEAD "\"moves\":[\"h2e2\"],\"nags\":[{\"ply\":0,\"nag\":7},"
             "{\"ply\":1,\"nag\":1},{\"ply\":1,\"nag\":99}],"
             "\"comments\":[{\"ply\":0,\"text\":\"a\"},"
             "{\"ply\":1,\"text\":\"炮\\n\\\"}\"},{\"ply\":1,\"text\":\"c\"}],"
             "\"variations\":[]" TAIL,
        HEAD
        "\"moves\":[\"h2e2\",\"h9g7\"],\"nags\":[],\"comments\":[],"
        "\"variations\":[{\"ply\":1,\"moves\":[\"b2e2\",\"h9g7\"],\"nags\":[],"
        "\"comments\":[{\"ply\":0,\"text\":\"x\"},{\"ply\":2,\"text\":\"y\"}],"
        "\"variations\":[{\"ply\":2,\"moves\":[\"b9c7\"]," EMPTY
        "}]},{\"ply\":1,\"moves\":[\"c3c4\"]," EMPTY
        "},{\"ply\":2,\"moves\":[\"b9c7\"]," EMPTY "}]" TAIL,
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++)
        reads_as(T[i], T[i]);
}

static void fields_come_in_any_order(void **state)
{
    (void)state;
    reads_as("{\"result\":\"1-0\",\"new\":{\"deep\":[1,{\"moves\":[]}]},"
             "\"variations\":[{\"moves\":[\"b9c7\"],\"ply\":2},"
             "{\"moves\":[\"b2e2\"],\"ply\":1,\"x\":null}],"
             "\"comments\":[{\"text\":\"b\",\"ply\":1},{\"ply\":0,"
             "\"text\":\"a\"}],"
             "\"moves\":[\"h2e2\",\"h9g7\"],\"tags\":[[\"Result\",\"1-0\"]]}",
             HEAD "\"moves\":[\"h2e2\",\"h9g7\"],\"nags\":[],"
                  "\"comments\":[{\"ply\":0,\"text\":\"a\"},{\"ply\":1,"
                  "\"text\":\"b\"}],\"variations\":[{\"ply\":1,"
                  "\"moves\":[\"b2e2\"]," EMPTY "},{\"ply\":2,"
                  "\"moves\":[\"b9c7\"]," EMPTY "}]" TAIL);
}

/* Start positions by field, by tag, and by both. */
static void start_position_by_field_or_tag(void **state)
{
#define FEN_A "4k4/9/9/9/9/9/9/9/4R4/4K4 b - - 0 7"
#define FEN_B "4k4/9/9/9/9/9/9/9/4R4/3K5 w - - 0 1"
    static const char *const T[][2] = {
        {"{\"fen\":\"" FEN_A "\"}", FEN_A},
        {"{\"tags\":[[\"FEN\",\"" FEN_B "\"]]}", FEN_B},
        {"{\"tags\":[[\"FEN\",\"" FEN_A "\"]],\"fen\":\"" FEN_B "\"}", FEN_B},
        {"{\"tags\":[[\"FEN\",\"" FEN_A "\"]],\"fen\":\"" FEN_A "\"}", FEN_A},
        {"{\"tags\":[[\"FEN\",\"4k4/9/9/9/9/9/9/9/4R4/4K4 B - - 0 7\"]],"
         "\"fen\":\"" FEN_A "\"}",
         FEN_A},
        {"{}", XQ_FEN_START},
        {"{\"fen\":null}", XQ_FEN_START},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        struct reading r = reading_as(xq_str_of(T[i][0]), PGN_FMT_JSON);
        const pgn_game *g = next_game(&r);
        char fen[XQ_FEN_MAX];
        assert_non_null(g);
        assert_false(g->faulty);
        xq_fen_format(&g->start, fen);
        assert_string_equal(fen, T[i][1]);
        assert_int_equal(g->ntags, strstr(T[i][0], "tags") ? 1 : 0);
        end_reading(&r);
    }
}

/* text: faulty or not, plies kept, and part of the first message. */
static void faults_keep_what_is_good(void **state)
{
    static const struct {
        const char *text;
        bool faulty;
        uint32_t plies;
        pgn_problem_kind kind;
        const char *message;
    } T[] = {
        {"{\"moves\":[\"h2e2\",\"h9g7\"", true, 2, PGN_P_STRUCTURE,
         "not JSON: text ends too early"},
        {"{\"moves\":[\"h2e2\",\"h9g7\"]} x", true, 2, PGN_P_STRUCTURE,
         "text behind the value"},
        {"[]", true, 0, PGN_P_STRUCTURE, "a game is an object"},
        {"nonsense", true, 0, PGN_P_STRUCTURE, "value expected"},
        {"{\"moves\":\"h2e2\"}", true, 0, PGN_P_STRUCTURE,
         "field 'moves': array expected"},
        {"{\"moves\":[\"h2e2\",\"h2e2\",\"h9g7\"]}", true, 1, PGN_P_ILLEGAL,
         "move \"h2e2\""},
        /* illegal here; legal in ranks 1-10, which JSON never means */
        {"{\"moves\":[\"h3e3\"]}", true, 0, PGN_P_ILLEGAL, "move \"h3e3\""},
        {"{\"moves\":[\"h2e2\",7,\"h9g7\"]}", true, 1, PGN_P_MOVE, "7"},
        {"{\"moves\":[\"h2e2\",[\"h9g7\"],\"h9g7\"]}", true, 1, PGN_P_MOVE, ""},
        {"{\"moves\":[\"炮二平五\"]}", false, 1, PGN_P_RESULT, "no result"},
        {"{\"fen\":\"9/9/9/9/9/9/9/9/9/9 w\",\"moves\":[\"h2e2\"]}", true, 0,
         PGN_P_FEN, "refused"},
        {"{\"moves\":[\"h2e2\"],\"comments\":[{\"ply\":5,\"text\":\"x\"}]}",
         false, 1, PGN_P_STRUCTURE, "1 comment at plies"},
        {"{\"moves\":[\"h2e2\"],\"comments\":[{\"text\":\"x\"}]}", false, 1,
         PGN_P_STRUCTURE, "without 'ply'"},
        {"{\"moves\":[\"h2e2\"],\"variations\":[{\"moves\":[\"b2e2\"]}]}",
         false, 1, PGN_P_STRUCTURE, "replaces no move"},
        {"{\"moves\":[\"h2e2\"],\"variations\":[{\"ply\":3,"
         "\"moves\":[\"b2e2\"]}]}",
         false, 1, PGN_P_STRUCTURE, "1 variation at plies"},
        {"{\"moves\":[\"h2e2\"],\"variations\":[{\"ply\":1,"
         "\"moves\":[\"a0i0\"]}]}",
         true, 1, PGN_P_ILLEGAL, "of a variation"},
        {"{\"tags\":[[\"Event\"]]}", false, 0, PGN_P_TAG, "no pair"},
        {"{\"tags\":[[\"A\",1]]}", false, 0, PGN_P_TAG, "no pair"},
        {"{\"result\":\"2-0\"}", false, 0, PGN_P_RESULT, "unknown result"},
        {"{\"a\":\"\\ud800\"}", false, 0, PGN_P_ENCODING, "half surrogate"},
        {"{\"problems\":[{\"level\":\"error\",\"kind\":\"limit\","
         "\"message\":\"m\"}]}",
         true, 0, PGN_P_LIMIT, "m"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        struct reading r = reading_as(xq_str_of(T[i].text), PGN_FMT_JSON);
        const pgn_game *g = next_game(&r);
        assert_non_null(g);
        if (g->faulty != T[i].faulty || g->plies != T[i].plies ||
            g->nproblems == 0)
            fail_msg("%s: faulty %d, %u plies, %u problems", T[i].text,
                     g->faulty, g->plies, g->nproblems);
        const pgn_problem *p = &g->problems[0];
        char message[300];
        snprintf(message, sizeof message, "%.*s", (int)p->message.n,
                 p->message.s);
        if (p->kind != T[i].kind || !strstr(message, T[i].message))
            fail_msg("%s: %s: %s", T[i].text, pgn_problem_kind_name(p->kind),
                     message);
        assert_null(next_game(&r));
        end_reading(&r);
    }
}

static void a_bad_line_costs_one_game(void **state)
{
    static const char TEXT[] = "{\"moves\":[\"h2e2\"]}\n"
                               "\r\n"
                               "{\"moves\":[\"h2e2\",}\r\n"
                               "  {\"moves\":[\"h2e2\",\"h9g7\"]}\n";
    static const struct {
        uint32_t plies;
        uint64_t line;
        bool faulty;
    } WANT[] = {{1, 1, false}, {1, 3, true}, {2, 4, false}};
    (void)state;
    struct reading r = reading_of(xq_str_of(TEXT), PGN_ENC_AUTO);
    for (size_t i = 0; i < COUNT_OF(WANT); i++) {
        const pgn_game *g = next_game(&r);
        assert_non_null(g);
        assert_int_equal(g->number, i + 1);
        assert_int_equal(g->plies, WANT[i].plies);
        assert_int_equal(g->line, WANT[i].line);
        assert_int_equal(g->faulty, WANT[i].faulty);
    }
    assert_null(next_game(&r));
    end_reading(&r);
}

/* As jq lays them out, and joined without a break. */
static void objects_need_no_line_of_their_own(void **state)
{
    static const char TEXT[] =
        "{\"moves\":[\"h2e2\"]}{\"moves\":[\"b2e2\",\"b2e2\"]} {\"moves\":[]}\n"
        "{\n  \"moves\": [\n    \"h2e2\",\n    \"h2e2\"\n  ]\n}\n"
        "{\n  \"moves\": [\n    \"h2e2\"\n" /* cut: its lines are no games */
        "{\"moves\":[\"h2e2\"]}\n";
    static const struct {
        uint32_t plies;
        uint64_t line, fault; /* lines */
    } WANT[] = {{1, 1, 0}, {1, 1, 1}, {0, 1, 0},   {1, 2, 5},
                {0, 8, 8}, {0, 9, 9}, {0, 10, 10}, {1, 11, 0}};
    (void)state;
    for (size_t size = 1; size < 2 * sizeof TEXT; size += 3) {
        struct reading r = reading_of(xq_str_of(TEXT), PGN_ENC_AUTO);
        pgn_split_size(r.split, size);
        for (size_t i = 0; i < COUNT_OF(WANT); i++) {
            const pgn_game *g = next_game(&r);
            assert_non_null(g);
            assert_int_equal(g->plies, WANT[i].plies);
            assert_int_equal(g->line, WANT[i].line);
            assert_int_equal(g->faulty, WANT[i].fault > 0);
            if (g->faulty)
                assert_int_equal(g->problems[0].line, WANT[i].fault);
        }
        assert_null(next_game(&r));
        end_reading(&r);
    }
}

/* A faulty game stays faulty, word for word, through any number of turns. */
static void problems_are_kept(void **state)
{
    static const char PGN[] = "[Result \"1-0\"]\n\n1. 炮二平五 炮２平９ *\n";
    (void)state;
    char *first = json_of(xq_str_of(PGN), PGN_ENC_UTF8);
    assert_non_null(strstr(first, "\"level\":\"error\",\"kind\":\"illegal\""));
    char *second = json_of(xq_str_of(first), PGN_ENC_AUTO);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void variations_nest_without_limit(void **state)
{
    enum { DEEP = 10000 };
    static const char *const CYCLE[] = {"i0i1", "i9i8", "i1i0", "i8i9"};
    (void)state;
    char *text = malloc(DEEP * 64 + 100), *p = text;
    assert_non_null(text);
    p += sprintf(p, "{\"moves\":[\"i0i1\"]");
    for (int i = 0; i < DEEP; i++)
        p += sprintf(p,
                     ",\"variations\":[{\"ply\":%d,\"moves\":[\"%s\","
                     "\"%s\"]",
                     i ? 2 : 1, CYCLE[i % 4], CYCLE[(i + 1) % 4]);
    for (int i = 0; i < DEEP; i++)
        p += sprintf(p, "}]");
    sprintf(p, "}");
    char *first = json_of(xq_str_of(text), PGN_ENC_AUTO);
    assert_null(strstr(first, "error"));
    char *second = json_of(xq_str_of(first), PGN_ENC_AUTO);
    assert_string_equal(first, second);
    struct reading r = reading_of(xq_str_of(text), PGN_ENC_AUTO);
    const pgn_game *g = next_game(&r);
    assert_non_null(g);
    assert_int_equal(g->nnodes, 2 * DEEP + 2);
    end_reading(&r);
    free(first);
    free(second);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_is_told_from_what_is_not),
        cmocka_unit_test(strings_are_decoded),
        cmocka_unit_test(whole_numbers),
        cmocka_unit_test(nesting_has_no_limit),
        cmocka_unit_test(a_game_reads_as_written),
        cmocka_unit_test(fields_come_in_any_order),
        cmocka_unit_test(start_position_by_field_or_tag),
        cmocka_unit_test(faults_keep_what_is_good),
        cmocka_unit_test(a_bad_line_costs_one_game),
        cmocka_unit_test(objects_need_no_line_of_their_own),
        cmocka_unit_test(problems_are_kept),
        cmocka_unit_test(variations_nest_without_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
