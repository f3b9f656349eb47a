/* CCBridge: CBR and its library, the older packed library, CBF. */
#include "tests/unit/engine_util.h"
#include "tests/unit/read_util.h"

#include "tests/unit/binary_util.h"
#include "tests/unit/game_util.h"

/* All games as JSON lines. */
static char *json_of_bytes(const struct bytes *b)
{
    return json_of((xq_str){(const char *)b->s, b->n}, PGN_ENC_AUTO);
}

static unsigned lines_of(const char *s)
{
    unsigned n = 0;
    for (; *s; s++)
        n += *s == '\n';
    return n;
}

/* `games` of them, and these parts; frees b. */
static void expect(struct bytes *b, unsigned games, const char *part,
                   const char *problem)
{
    char *s = json_of_bytes(b);
    if (lines_of(s) != games || !strstr(s, part) || !strstr(s, problem) ||
        (!*problem && strstr(s, "\"level\"")))
        fail_msg("%s\nwant: %u games, %s; %s", s, games, part, problem);
    free(s);
    free(b->s);
    *b = (struct bytes){NULL, 0};
}

/* ---- CBR ---- */

/* h2e2 (b2e2 {var}) h9g7, with a comment of the game. */
static struct bytes record(unsigned version)
{
    struct bytes b = cbr_record(version, CBR_START);
    const bool v1 = version == 1;
    cbr_node(&b, 0, 0, 0, "game");
    cbr_node(&b, 2, v1 ? 0x77 : 70, v1 ? 0x47 : 67, NULL);
    cbr_node(&b, 1, v1 ? 0x70 : 7, v1 ? 0x62 : 24, NULL);
    cbr_node(&b, 1, v1 ? 0x17 : 64, v1 ? 0x47 : 67, "var");
    return b;
}

static const char TREE[] =
    "\"moves\":[\"h2e2\",\"h9g7\"],\"nags\":[],"
    "\"comments\":[{\"ply\":0,\"text\":\"game\"}],\"variations\":[{\"ply\":1,"
    "\"moves\":[\"b2e2\"],\"nags\":[],"
    "\"comments\":[{\"ply\":1,\"text\":\"var\"}],";

static void records(void **state)
{
    (void)state;
    for (unsigned version = 1; version <= 2; version++) {
        struct bytes b = record(version);
        utf16_at(&b, version == 1 ? 948 : 1076, "red");
        b.s[version == 1 ? 1820 : 2076] = 3;
        char *s = json_of_bytes(&b);
        assert_non_null(strstr(s, TREE));
        free(s);
        expect(&b, 1, "[[\"Red\",\"red\"],[\"Result\",\"1/2-1/2\"]]", "");
    }
    struct bytes b = record(2);
    b.s[19] = 7;
    expect(&b, 1, "\"moves\":[]", "unknown version");
    b = record(2);
    b.n = 2000;
    expect(&b, 1, "\"moves\":[]", "inside its header");
    b = record(2);
    b.n -= 10 + 4;
    expect(&b, 1, "\"moves\":[\"h2e2\",\"h9g7\"]", "before 1 variation");
    b = record(2);
    b.n -= 2;
    expect(&b, 1, "\"moves\":[\"h2e2\",\"h9g7\"]", "inside a comment");
    b = record(2);
    b.s[2120] = 0x55;
    expect(&b, 1, "\"moves\":[\"h2e2\",\"h9g7\"]", "no pieces");
    b = record(2);
    b.s[2120 + 4] = 0; /* no black king */
    expect(&b, 1, "\"moves\":[]", "no black king");
    b = record(2);
    b.s[2116] = 12; /* round */
    expect(&b, 1, "w - - 0 12\",\"moves\":[\"h2e2\",\"h9g7\"]", "");
}

/* A library is no library where its records should begin. */
static void library_without_records(void **state)
{
    static const struct {
        size_t n;
        const char *problem; /* NULL: no game at all */
    } T[] = {{100, "ends before its index: no game is there"},
             {66624 + 276, "ends inside its index: none of 1 game"},
             {66624 + 276 * 128, "ends behind its index: none of 2 games"},
             {0, NULL}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        struct bytes b = {NULL, 0};
        put_bytes(&b, "CCBridgeLibrary", 16);
        put_zeros(&b, 66624 + 276 * 128 - 16);
        b.s[60] = 128;
        for (size_t k = 0; k < 2 && T[i].n; k++) {
            b.s[66624 + 276 * k] = 7;
            b.s[66624 + 276 * k + 12] = 100;
        }
        if (T[i].n)
            b.n = T[i].n;
        if (T[i].problem) {
            expect(&b, 1, "\"moves\":[]", T[i].problem);
        } else {
            expect(&b, 0, "", "");
        }
    }
}

/* In slots of 4096 bytes, with rubbish in between; wherever it is cut. */
static void library(void **state)
{
    enum { GAMES = 40 };
    (void)state;
    struct bytes b = {NULL, 0};
    put_bytes(&b, "CCBridgeLibrary", 16);
    put_zeros(&b, 101952 - 16);
    b.s[60] = 128; /* entries of the index, of which */
    for (size_t i = 0; i < GAMES; i++) {
        b.s[66624 + 276 * i] = 7; /* these are taken */
        b.s[66624 + 276 * i + 12] = 100;
    }
    for (int i = 0; i < GAMES; i++) {
        struct bytes r = record(2);
        utf16_at(&r, 180, i % 2 ? "odd" : "even");
        put_bytes(&b, r.s, r.n);
        free(r.s);
        while (b.n % 512)
            put_u8(&b, 0x5A);
    }
    char *whole = json_of_bytes(&b);
    assert_int_equal(lines_of(whole), GAMES);
    for (size_t size = 1000; size < 200000; size = size * 3 + 1) {
        struct reading r =
            reading_of((xq_str){(const char *)b.s, b.n}, PGN_ENC_AUTO);
        const pgn_game *g;
        pgn_buf out = {0};
        uint64_t end = 0;
        pgn_split_size(r.split, size);
        while ((g = next_game(&r))) {
            assert_true(g->byte >= end && g->byte + g->bytes <= b.n);
            end = g->byte + g->bytes;
            pgn_write_json(g, &out);
        }
        end_reading(&r);
        assert_string_equal(text_of(&out), whole);
        pgn_buf_free(&out);
    }
    free(whole);
    free(b.s);
}

/* ---- the packed library ---- */

static const uint8_t MOVES[][3] = {
    {1, 0x77, 0x47}, {2, 0x70, 0x62}, {3, 0x79, 0x67}, /* h2e2 h9g7 h0g2 */
    {2, 0x77, 0x47}, {3, 0x79, 0x67},                  /* 2: h7e7 - no: h2 */
    {1, 0x17, 0x47},                                   /* b2e2 */
};

static struct bytes packed(unsigned said, unsigned games, const char *comments)
{
    struct bytes l = cbl_library(said);
    uint8_t moves[6][3];
    memcpy(moves, MOVES, sizeof moves);
    moves[3][1] = 0x72; /* h7e7 */
    moves[3][2] = 0x42;
    for (unsigned i = 0; i < games; i++)
        cbl_game(&l, CBL_START, (const uint8_t(*)[3])moves, 6, comments);
    return cbl_pack(&l);
}

static void packed_library(void **state)
{
    (void)state;
    struct bytes b = packed(3, 3, "one\r\n\r\nx||y\r\n\r\n\r\nlast\r\n");
    char *s = json_of_bytes(&b);
    const char part[] =
        "[[\"Event\",\"event\"],[\"Title\",\"title\"],[\"Red\",\"胡荣华\"],"
        "[\"Black\",\"black\"],[\"Remark\",\"a b\"],"
        "[\"Created\",\"2001-01-01 00:00:00\"],[\"Result\",\"1-0\"]]";
    if (!strstr(s, part))
        fail_msg("%s\nwant %s", s, part);
    free(s);
    expect(&b, 3,
           "\"moves\":[\"h2e2\",\"h9g7\",\"h0g2\"],\"nags\":[],"
           "\"comments\":[{\"ply\":1,\"text\":\"one\"},"
           "{\"ply\":3,\"text\":\"x\\ny\"}],"
           "\"variations\":[{\"ply\":1,\"moves\":[\"b2e2\"],\"nags\":[],"
           "\"comments\":[{\"ply\":1,\"text\":\"last\"}],\"variations\":[]},"
           "{\"ply\":2,\"moves\":[\"h7e7\",\"h0g2\"]",
           "");
}

static void packed_damage(void **state)
{
    (void)state;
    struct bytes b = packed(3, 2, "");
    expect(&b, 3, "\"h0g2\"", "the library ends early: 2 of 3 games");
    b = packed(0xFFFFFFFF, 1, "");
    expect(&b, 2, "\"h0g2\"", "ends early: 1 of 4294967295");
    b = packed(2, 2, "");
    b.s[b.n - 1] ^= 0xFF; /* checksum: seen after all games, if at all */
    expect(&b, 2, "\"h0g2\"", "");
    b = packed(400, 400, "");
    memset(b.s + b.n / 2, 0xFF, b.n / 2);
    char *s = json_of_bytes(&b);
    assert_true(lines_of(s) > 0 && lines_of(s) <= 401);
    assert_non_null(strstr(s, "\"error\""));
    free(s);
    free(b.s);
    /* sizes that lie */
    struct bytes l = cbl_library(1);
    const size_t at = l.n;
    for (size_t size = 0; size < 8; size++) {
        for (size_t n = 4; n < 9; n++) {
            struct bytes tiny = cbl_library(2);
            cbl_game(&tiny, CBL_START, MOVES, 1, "");
            put_u32(&tiny, (uint32_t)size);
            put_zeros(&tiny, n - 4);
            b = cbl_pack(&tiny);
            expect(&b, 2, "[\"h2e2\"]", "ends inside");
        }
    }
    cbl_game(&l, CBL_START, MOVES, 1, "");
    memset(l.s + at, 0xFF, 4);
    b = cbl_pack(&l);
    expect(&b, 1, "[\"h2e2\"]", "ends inside the game");
    l = cbl_library(1);
    cbl_game(&l, CBL_START, MOVES, 1, "");
    memset(l.s + l.n - 10, 0xFF, 4); /* plies */
    b = cbl_pack(&l);
    expect(&b, 1, "[\"h2e2\"]", "beyond the game's record");
    l = cbl_library(1);
    cbl_game(&l, CBL_START, MOVES, 1, "");
    memset(l.s + at + 40, 0xFF, 4); /* a text */
    b = cbl_pack(&l);
    expect(&b, 1, "\"moves\":[]", "beyond the game's record");
    l = cbl_library(1);
    cbl_game(&l, CBL_START, MOVES + 1, 1, "");
    b = cbl_pack(&l);
    expect(&b, 1, "\"moves\":[]", "fits nowhere");
    for (uint8_t size = 0; size < 6; size++) { /* and a text's that lies too */
        l = cbl_library(1);
        cbl_game(&l, CBL_START, MOVES, 1, "");
        memset(l.s + at, 0, 4);
        l.s[at] = size;
        memset(l.s + at + 40, 0xFF, 4);
        b = cbl_pack(&l);
        expect(&b, 1, "\"moves\":[]", "the size of the next record is wrong");
    }
    l = cbl_library(1);
    l.n = 10;
    b = cbl_pack(&l);
    expect(&b, 1, "\"moves\":[]", "ends early");
}

/* ---- CBF ---- */

static struct bytes of_text(const char *s)
{
    struct bytes b = {NULL, 0};
    put_bytes(&b, s, strlen(s));
    return b;
}

#define CBF_HEAD                                                               \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n<ChineseChessRecord "       \
    "Version=\"1.0\"><Head>\r\n<Name>a &amp; b</Name><Red>红</Red><Black />"  \
    "<RecordResult>1</RecordResult><FEN>" XQ_FEN_START "</FEN></Head>"         \
    "<MoveList>"
#define CBF_TAIL "</MoveList></ChineseChessRecord>"
#define CBF_MOVES                                                              \
    "<Move value=\"00-00\">game</Move>"                                        \
    "<Move value=\"77-47\" branch=\"1\" /><Move value=\"70-62\" end=\"1\"/>"   \
    "<Move value=\"17-47\" end=\"1\"><![CDATA[var]]></Move>"

static void cbf(void **state)
{
    (void)state;
    struct bytes b = of_text("\xEF\xBB\xBF" CBF_HEAD CBF_MOVES CBF_TAIL);
    char *s = json_of_bytes(&b);
    assert_non_null(strstr(s, TREE));
    free(s);
    expect(&b, 1,
           "[[\"Title\",\"a & b\"],[\"Red\",\"红\"],[\"Result\",\"1-0\"]]", "");
    b = of_text(CBF_HEAD CBF_MOVES CBF_MOVES CBF_TAIL);
    expect(&b, 1, TREE, "behind the end of the tree");
    b = of_text(CBF_HEAD CBF_MOVES);
    expect(&b, 1, TREE, "not XML: no element found");
    b = of_text(CBF_HEAD "<Move value=\"00-00\"/><Move value=\"77-47\" "
                         "branch=\"1\" end=\"1\"/>" CBF_TAIL);
    expect(&b, 1, "[\"h2e2\"]", "before 1 variation");
    b = of_text(CBF_HEAD "<Move value=\"00-00\"/><Move value=\"99-47\"/>"
                         "<Move value=\"77-47\"/>" CBF_TAIL);
    expect(&b, 1, "\"moves\":[]", "no squares");
    b = of_text(CBF_HEAD "<Move value=\"00-00\"/><Move/>" CBF_TAIL);
    expect(&b, 1, "\"moves\":[]", "no squares");
    b = of_text(CBF_HEAD "<Move value=\"00-00\"/><Move value=\"77-47\">\x01"
                         "c</Move>" CBF_TAIL);
    expect(&b, 1, "{\"ply\":1,\"text\":\"c\"}", "");
    b = of_text("<!DOCTYPE x [<!ENTITY a \"b\">]><ChineseChessRecord>");
    expect(&b, 1, "\"moves\":[]", "entities are not read");
    b = of_text(CBF_HEAD "<Move value=\"00-00\"/><Move value=\"72-42\"/>"
                         "<Move value=\"77-47\"/>" CBF_TAIL);
    expect(&b, 1, " b - - 0 1\",\"moves\":[\"h7e7\",\"h2e2\"]", "");
}

/* UTF-16 and GBK are turned to UTF-8, whatever the declaration says. */
static void cbf_encodings(void **state)
{
    (void)state;
    static const pgn_encoding E[] = {PGN_ENC_UTF16LE, PGN_ENC_GB18030};
    for (size_t i = 0; i < 2; i++) {
        pgn_buf out = {0};
        size_t lost = 0;
        if (i == 0)
            pgn_buf_add(&out, "\xFF\xFE", 2);
        pgn_encode(E[i], xq_str_of(CBF_HEAD CBF_MOVES CBF_TAIL), &out, &lost);
        struct bytes b = {(uint8_t *)out.s, out.n};
        char *s = json_of_bytes(&b);
        assert_non_null(strstr(s, TREE));
        free(s);
        expect(&b, 1, "[\"Red\",\"红\"]", "");
    }
}

static void pfc(void **state)
{
    (void)state;
    struct bytes b =
        of_text("\xEF\xBB\xBF<?xml version=\"1.0\"?><n version=\"2\" win=\"*\" "
                "create-time=\"2012\" m=\"" XQ_FEN_START "\" c=\"game\">"
                "<n m=\"b2e2\" c=\"var\"/><n m=\"h2e2\" default=\"true\">"
                "<n m=\"h9g7\"/></n></n>");
    char *s = json_of_bytes(&b);
    if (!strstr(s, TREE))
        fail_msg("%s", s);
    free(s);
    expect(&b, 1, "[[\"Created\",\"2012\"],[\"Result\",\"*\"]]", "");
    b = of_text(
        "<n m=\"\" win=\"a红红红红红红红红红红红红红红红红红红红红\"/>");
    expect(
        &b, 1, "[\"Result\",\"*\"]",
        "\"unknown result \\\"a红红红红红红红红红红红红红红红红红红红\\\"\"");
    /* depth costs no stack */
    b = of_text("<n m=\"\">");
    for (int i = 0; i < 100000; i++) {
        static const char *const M[] = {"a0a1", "a9a8", "a1a0", "a8a9"};
        put_bytes(&b, "<n m=\"", 6);
        put_bytes(&b, M[i % 4], 4);
        put_bytes(&b, "\">", 2);
    }
    expect(&b, 1, "\"a0a1\"", "not XML");
}

/* ---- what the writer writes ---- */

static void written_cbf(void **state)
{
    (void)state;
    struct made *m =
        make_game("4k4/9/9/9/9/PPPPPP3/9/9/9/4K4 w - - 3 7",
                  "{a]]>b & <c>} a4a5 {x} (b4b5 (b4b5)) e9d9 (e9f9 {y})");
    pgn_lost lost = {0};
    pgn_buf out = {0}, json = {0};
    add_tag(m, "Red", "<红> & \"b\"");
    add_tag(m, "RedElo", "2000");
    add_tag(m, "Result", "0-1");
    add_tag(m, "FEN", "4k4/9/9/9/9/PPPPPP3/9/9/9/4K4 w - - 3 7");
    m->g.result = PGN_BLACK_WINS;
    assert_int_equal(pgn_write_json(&m->g, &json), XQ_OK);
    assert_int_equal(pgn_write_cbf(&m->g, &out, &lost), XQ_OK);
    assert_false(pgn_lost_any(&lost));
    char *want = text_of(&json);
    *strstr(want, "\"problems\"") = 0;
    struct bytes b = {(uint8_t *)out.s, out.n};
    expect(&b, 1, want, "odd start");
    free(want);
    free_game(m);
    /* blanks around a text, breaks inside a value */
    m = make_game(NULL, "h2e2 { a}");
    add_tag(m, "Red", "x ");
    add_tag(m, "Event", "a\nb");
    add_tag(m, "Site", "a b");
    out = (pgn_buf){0};
    assert_int_equal(pgn_write_cbf(&m->g, &out, &lost), XQ_OK);
    assert_int_equal(lost.blanks, 3);
    pgn_buf_free(&out);
    free_game(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records),
        cmocka_unit_test(library_without_records),
        cmocka_unit_test(library),
        cmocka_unit_test(packed_library),
        cmocka_unit_test(packed_damage),
        cmocka_unit_test(cbf),
        cmocka_unit_test(cbf_encodings),
        cmocka_unit_test(pfc),
        cmocka_unit_test(written_cbf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
