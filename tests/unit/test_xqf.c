/* XQF: keys by known answers, trees, texts, damage; and what is written. */
#include "tests/unit/engine_util.h"
#include "tests/unit/read_util.h"

#include "tests/unit/binary_util.h"
#include "tests/unit/game_util.h"

/* One game of a file as JSON without its problems, and what the first one
 * says. */
struct seen {
    char *json;
    char problem[256];
    bool faulty;
    uint32_t plies;
};

static struct seen see(const struct bytes *b, pgn_encoding e)
{
    struct seen s = {NULL, "", false, 0};
    struct reading r = reading_of((xq_str){(const char *)b->s, b->n}, e);
    const pgn_game *g = next_game(&r);
    assert_non_null(g);
    if (g->nproblems)
        snprintf(s.problem, sizeof s.problem, "%.*s",
                 (int)g->problems[0].message.n, g->problems[0].message.s);
    s.faulty = g->faulty;
    s.plies = g->plies;
    pgn_game copy = *g;
    pgn_buf out = {0};
    copy.nproblems = 0;
    assert_int_equal(pgn_write_json(&copy, &out), XQ_OK);
    s.json = text_of(&out);
    assert_null(next_game(&r));
    end_reading(&r);
    return s;
}

static void expect(struct bytes *b, pgn_encoding e, const char *part,
                   const char *problem)
{
    const struct seen s = see(b, e);
    if (!strstr(s.json, part) || !strstr(s.problem, problem) ||
        (!*problem && *s.problem))
        fail_msg("%s\n%s\nwant: %s; %s", s.json, s.problem, part, problem);
    free(s.json);
    free(b->s);
    *b = (struct bytes){NULL, 0};
}

static void nothing_but_a_root(void **state)
{
    (void)state;
    struct bytes b = xqf_file(&XQF_PLAIN, XQF_START);
    xqf_node(&b, &XQF_PLAIN, 0, 0, 0, NULL);
    expect(&b, PGN_ENC_AUTO,
           "{\"tags\":[[\"Result\",\"*\"]],\"fen\":\"" XQ_FEN_START "\","
           "\"moves\":[],\"nags\":[],\"comments\":[]",
           "");
}

/* The example of the format's own description: 2F 38 is c3c4. */
static void version_1_0(void **state)
{
    (void)state;
    struct bytes b = xqf_file(&XQF_PLAIN, XQF_START);
    xqf_node(&b, &XQF_PLAIN, 0, 0, 0xF0, "root");
    put_bytes(&b, "\x2F\x38\xFF\0\0\0\0\0", 8);
    xqf_node(&b, &XQF_PLAIN, 77, 47, 0, "main");
    xqf_node(&b, &XQF_PLAIN, 12, 42, 0, NULL);
    expect(&b, PGN_ENC_AUTO,
           "\"moves\":[\"c3c4\",\"h7e7\"],\"nags\":[],"
           "\"comments\":[{\"ply\":0,\"text\":\"root\"},"
           "{\"ply\":2,\"text\":\"main\"}],"
           "\"variations\":[{\"ply\":1,\"moves\":[\"b2e2\"],",
           "");
}

/* The same by the keys of SAMPLE.XQF: pieces, nodes, lengths, text. */
static void keys_of_sample(void **state)
{
    static const uint8_t BODY[] = {0xa0, 0x59, 0xa4, 0x3c,
                                   0xf6, 0x6c, 0x2e, 0x10};
    const struct xqf_keys *k = &XQF_SAMPLE;
    char comment[316];
    (void)state;
    memset(comment, 'x', 315);
    comment[315] = 0;
    struct bytes b = xqf_file(k, XQF_START);
    put_bytes(&b, BODY, sizeof BODY); /* the root: goes on, 315 bytes */
    xqf_body(&b, k, comment, 315);
    xqf_node(&b, k, 12, 42, 0x80, "one");
    xqf_node(&b, k, 77, 47, 0x40, NULL);
    xqf_node(&b, k, 79, 67, 0, NULL);
    const struct seen s = see(&b, PGN_ENC_AUTO);
    assert_string_equal(s.problem, "");
    assert_non_null(strstr(s.json, "\"fen\":\"" XQ_FEN_START "\","
                                   "\"moves\":[\"b2e2\",\"h7e7\"]"));
    assert_non_null(strstr(s.json, comment));
    assert_non_null(strstr(s.json, "{\"ply\":1,\"text\":\"one\"}"));
    assert_non_null(strstr(s.json, "{\"ply\":2,\"moves\":[\"h9g7\"]"));
    free(s.json);
    free(b.s);
}

static void other_keys(void **state)
{
    static const char TEXT[] = "[(C) Copyright Mr. Dong Shiwei.]";
    struct xqf_keys k = {.head = {0x58, 0x51, 0x12, 0xAE, 0, 0, 0, 0, 0x11,
                                  0xF0, 0x9E, 0x61, 0x73, 0x8D, 0x11, 0xEF},
                         .p = 39,
                         .f = 37,
                         .t = 127,
                         .r = 30348};
    (void)state;
    for (int i = 0; i < 32; i++)
        k.s[i] = (uint8_t)(TEXT[i] & ((k.head[0x0C + i % 4] & k.head[3]) |
                                      k.head[0x08 + i % 4]));
    struct bytes b = xqf_file(&k, XQF_START);
    xqf_node(&b, &k, 0, 0, 0x80, NULL);
    xqf_node(&b, &k, 12, 42, 0, "x");
    expect(&b, PGN_ENC_AUTO, "\"moves\":[\"b2e2\"]", "");
    /* before 1.2 the pieces keep their order */
    k.head[2] = 0x0B;
    b = xqf_file(&k, XQF_START);
    xqf_node(&b, &k, 0, 0, 0x80, NULL);
    xqf_node(&b, &k, 12, 42, 0, "x");
    expect(&b, PGN_ENC_AUTO, "\"moves\":[\"b2e2\"]", "");
}

static struct bytes a_game(unsigned from, unsigned to)
{
    struct bytes b = xqf_file(&XQF_PLAIN, XQF_START);
    xqf_node(&b, &XQF_PLAIN, 0, 0, 0xF0, NULL);
    xqf_node(&b, &XQF_PLAIN, from, to, 0, NULL);
    return b;
}

static void header(void **state)
{
    (void)state;
    struct bytes b = a_game(12, 42);
    xqf_field(&b, 0x50, "title ");
    xqf_field(&b, 0x130, "red");
    xqf_field(&b, 0x140, "black");
    b.s[0x33] = 2;
    b.s[0x40] = 3;
    expect(&b, PGN_ENC_AUTO,
           "[[\"Title\",\"title\"],[\"Red\",\"red\"],[\"Black\",\"black\"],"
           "[\"Type\",\"endgame\"],[\"Result\",\"0-1\"]]",
           "");
    /* a length above the field's size says: full */
    b = a_game(12, 42);
    memset(b.s + 0x130, 'a', 16);
    b.s[0x130] = 200;
    expect(&b, PGN_ENC_AUTO, "[\"Red\",\"aaaaaaaaaaaaaaa\"]", "");
    /* Black's piece moves first: Black is to move, whatever 0x32 says */
    b = a_game(77, 47);
    expect(&b, PGN_ENC_AUTO, "RNBAKABNR b - - 0 1\",\"moves\":[\"h7e7\"]", "");
}

static void encodings(void **state)
{
    (void)state;
    struct bytes b = a_game(12, 42); /* GBK, cut inside a character */
    xqf_field(&b, 0x130,
              "\xBA\xFA\xC8\xD9\xBB\xAA\xBA\xFA\xC8\xD9\xBB\xAA"
              "\xBA\xFA\xC8");
    expect(&b, PGN_ENC_AUTO, "[\"Red\",\"胡荣华胡荣华胡\"]", "");
    b = a_game(12, 42); /* Big5, as the user says */
    xqf_field(&b, 0x130, "\xC0\x59\xB1\xF8");
    expect(&b, PGN_ENC_BIG5, "[\"Red\",\"頭條\"]", "");
    b = a_game(12, 42); /* UTF-8 has three bytes a character */
    xqf_field(&b, 0x130, "胡荣华");
    expect(&b, PGN_ENC_AUTO, "[\"Red\",\"胡荣华\"]", "");
    b = a_game(12, 42); /* GBK that is two characters of UTF-8, of two each */
    xqf_field(&b, 0x130, "\xC4\xA3\xC4\xA3");
    expect(&b, PGN_ENC_AUTO, "[\"Red\",\"模模\"]", "");
    b = a_game(12, 42);
    xqf_field(&b, 0x130, "\xBA\xFA\xFF!");
    expect(&b, PGN_ENC_AUTO, "[\"Red\",\"胡\xEF\xBF\xBD!\"]",
           "1 byte of a text not gb18030");
}

static void damage(void **state)
{
    (void)state;
    struct bytes b = a_game(12, 42);
    b.n = 0x3FF;
    expect(&b, PGN_ENC_AUTO, "\"moves\":[]", "inside its header");
    b = a_game(12, 42);
    b.n = 0x400;
    expect(&b, PGN_ENC_AUTO, "\"moves\":[]", "before its first node");
    b = a_game(12, 42);
    b.n -= 8;
    expect(&b, PGN_ENC_AUTO, "\"moves\":[]", "where the first move is due");
    b = a_game(12, 42);
    b.s[b.n - 6] = 0xFF; /* goes on, and has a sibling */
    expect(&b, PGN_ENC_AUTO, "\"moves\":[\"b2e2\"]", "in the middle of a line");
    b = a_game(12, 42);
    b.s[b.n - 6] = 0x0F;
    expect(&b, PGN_ENC_AUTO, "\"moves\":[\"b2e2\"]", "before 1 variation");
    b = a_game(12, 42);
    b.s[b.n - 1] = 0x7F; /* a comment of 2 GB */
    expect(&b, PGN_ENC_AUTO, "\"moves\":[\"b2e2\"]", "inside a comment");
    b = a_game(12, 42);
    put_zeros(&b, 3);
    expect(&b, PGN_ENC_AUTO, "\"moves\":[\"b2e2\"]", "3 bytes behind");
    b = a_game(12, 12 + 30);
    xqf_node(&b, &XQF_PLAIN, 0, 0, 0, NULL);
    expect(&b, PGN_ENC_AUTO, "\"moves\":[\"b2e2\"]", "8 bytes behind");
    b = a_game(12, 53);
    expect(&b, PGN_ENC_AUTO, "\"moves\":[]",
           "move 1 (Red) \"b2f3\": cannon cannot reach f3 from b2; kept 0");
    b = a_game(12, 99);
    expect(&b, PGN_ENC_AUTO, "\"moves\":[]", "no squares of the board");
    b = a_game(12, 42);
    b.s[0x14] = 0xFF; /* no red king */
    expect(&b, PGN_ENC_AUTO, "\"moves\":[]", "no red king");
    b = a_game(12, 42);
    b.s[0x11] = 0; /* horse on the rook's square */
    expect(&b, PGN_ENC_AUTO, "\"moves\":[\"b2e2\"]", "on one square");
}

/* 50,000 variations in each other, and a line as long. */
static void deep(void **state)
{
    enum { N = 50000 };
    static const uint8_t MOVES[4][2] = {{0, 1}, {9, 8}, {1, 0}, {8, 9}};
    (void)state;
    struct bytes b = xqf_file(&XQF_PLAIN, XQF_START);
    xqf_node(&b, &XQF_PLAIN, 0, 0, 0xF0, NULL);
    for (int i = 0; i < N; i++)
        xqf_node(&b, &XQF_PLAIN, MOVES[i % 4][0], MOVES[i % 4][1],
                 i + 1 < N ? 0xFF : 0x0F, NULL);
    for (int i = N - 1; i >= 0; i--) /* advisor instead */
        xqf_node(&b, &XQF_PLAIN, i % 2 ? 39 : 30, i % 2 ? 48 : 41, 0, NULL);
    const struct seen s = see(&b, PGN_ENC_AUTO);
    assert_string_equal(s.problem, "");
    assert_int_equal(s.plies, N);
    free(s.json);
    free(b.s);
}

/* 50,000 variations, each in the one before. */
static void nested(void **state)
{
    enum { N = 50000 };
    static const uint8_t MOVES[4][2] = {{0, 1}, {9, 8}, {1, 0}, {8, 9}};
    (void)state;
    struct bytes b = xqf_file(&XQF_PLAIN, XQF_START);
    xqf_node(&b, &XQF_PLAIN, 0, 0, 0xF0, NULL);
    for (int i = 0; i < N; i++) {
        xqf_node(&b, &XQF_PLAIN, i % 2 ? 79 : 70, i % 2 ? 67 : 62, 0x0F, NULL);
        xqf_node(&b, &XQF_PLAIN, MOVES[i % 4][0], MOVES[i % 4][1],
                 i + 1 < N ? 0xF0 : 0, NULL);
    }
    const struct seen s = see(&b, PGN_ENC_AUTO);
    assert_string_equal(s.problem, "");
    assert_int_equal(s.plies, 1);
    free(s.json);
    free(b.s);
}

/* ---- writing ---- */

static char *json_of_game(const pgn_game *g)
{
    pgn_buf out = {0};
    assert_int_equal(pgn_write_json(g, &out), XQ_OK);
    return text_of(&out);
}

static struct bytes written(const pgn_game *g, pgn_lost *lost)
{
    pgn_buf out = {0};
    *lost = (pgn_lost){0};
    assert_int_equal(pgn_write_xqf(g, PGN_ENC_GBK, &out, lost), XQ_OK);
    return (struct bytes){(uint8_t *)out.s, out.n};
}

static void written_and_read(void **state)
{
    static const char *const GAMES[] = {
        "",
        "{game} h2e2 {a} (b2e2 {x} h9g7 (b9c7) {y}) (c3c4) h9g7 h0g2",
        "h2e2 h9g7 (b9c7 (a9a8) h0g2) (h7e7) h0g2 i9h9 (g6g5)",
    };
    (void)state;
    for (size_t i = 0; i < sizeof GAMES / sizeof *GAMES; i++) {
        struct made *m = make_game(NULL, GAMES[i]);
        pgn_lost lost;
        add_tag(m, "Title", "题目");
        add_tag(m, "Event", "a");
        add_tag(m, "Red", "胡荣华");
        add_tag(m, "Result", "1-0");
        m->g.result = PGN_RED_WINS;
        char *want = json_of_game(&m->g);
        struct bytes b = written(&m->g, &lost);
        assert_false(pgn_lost_any(&lost));
        expect(&b, PGN_ENC_AUTO, want, "");
        free(want);
        free_game(m);
    }
}

static void what_does_not_fit(void **state)
{
    (void)state;
    struct made *m = make_game(NULL, "h2e2 $1 {a} {b} (b2e2 {c})");
    pgn_lost lost;
    char text[400];
    add_tag(m, "Red", "一二三四五六七八"); /* 16 bytes in 15 */
    add_tag(m, "Black", "\xF0\x9F\x98\x80");
    add_tag(m, "White", "second of Red");
    add_tag(m, "Round", "3");
    struct bytes b = written(&m->g, &lost);
    pgn_lost_text(&lost, "gbk", text);
    assert_string_equal(
        text, "1 character written as '?', not in gbk, 1 value cut to its "
              "field, 2 tags without a field, 1 NAG, 1 comment joined or "
              "moved");
    expect(&b, PGN_ENC_AUTO, "[[\"Red\",\"一二三四五六七\"],[\"Black\",\"?\"]",
           "");
    free_game(m);
    /* blanks around a text, breaks inside a value */
    m = make_game(NULL, "h2e2 { a}");
    add_tag(m, "Red", "x ");
    add_tag(m, "Event", "a\nb");
    add_tag(m, "Site", "a b");
    b = written(&m->g, &lost);
    pgn_lost_text(&lost, "gbk", text);
    assert_string_equal(text, "3 texts with other blanks");
    free(b.s);
    free_game(m);
    /* six pawns have no place, and nothing is written */
    m = make_game("4k4/9/9/9/9/PPPPPP3/9/9/9/4K4 w - - 0 1", "");
    b = written(&m->g, &lost);
    assert_int_equal(b.n, 0);
    assert_int_equal(lost.games, 1);
    free(b.s);
    free_game(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_but_a_root),
        cmocka_unit_test(version_1_0),
        cmocka_unit_test(keys_of_sample),
        cmocka_unit_test(other_keys),
        cmocka_unit_test(header),
        cmocka_unit_test(encodings),
        cmocka_unit_test(damage),
        cmocka_unit_test(deep),
        cmocka_unit_test(nested),
        cmocka_unit_test(written_and_read),
        cmocka_unit_test(what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
