/* The kinds of which one sample is known: QQ CHE, Lianzhong CHN, CCM, MXQ,
 * XGF, XQR.  Their bytes are written down here by what formats.md says. */
#include "tests/unit/engine_util.h"
#include "tests/unit/read_util.h"

#include "tests/unit/binary_util.h"

static void expect(struct bytes *b, const char *part, const char *problem)
{
    char *s = json_of((xq_str){(const char *)b->s, b->n}, PGN_ENC_AUTO);
    if (!strstr(s, part) || !strstr(s, problem) ||
        (!*problem && strstr(s, "\"level\"")))
        fail_msg("%s\nwant: %s; %s", s, part, problem);
    free(s);
    free(b->s);
    *b = (struct bytes){NULL, 0};
}

static struct bytes of(const void *s, size_t n)
{
    struct bytes b = {NULL, 0};
    put_bytes(&b, s, n);
    return b;
}
#define BYTES(text) of(text, sizeof(text) - 1)

static void che(void **state)
{
    (void)state;
    struct bytes b = BYTES("1 2 26 32 1 2 7 2 4 0 1 0 6 32 0 9 7 7 6 0 2 0\n");
    expect(&b, "[\"h2e2\",\"h9g7\"]", "");
    b = BYTES("1 9 26 32 1 2 7 2 4 0 1 0 6 32 0 9 7 7 6 0 2 0\n");
    expect(&b, "[\"h2e2\",\"h9g7\"]", "after 2 of 9 plies");
    b = BYTES("1 2 26 32 1 2 7 2 4 0 1 0 6 32 0 9 7 8 6 0 2 0\n");
    expect(&b, "[\"h2e2\"]", "horse cannot reach");
}

static const uint8_t CHN_BOARD[90] = {
    0x19, 0,    0,    0x1f, 0,    0,    0x17, 0,    0,    0x11, 0x1a, 0,
    0x1b, 0,    0,    0,    0,    0x13, 0,    0x12, 0x1e, 0,    0,    0x2f,
    0,    0,    0x27, 0,    0,    0x16, 0x1d, 0,    0,    0,    0,    0,
    0,    0,    0,    0x15, 0x1c, 0,    0,    0x3f, 0,    0,    0x37, 0,
    0,    0x14, 0x2d, 0,    0,    0,    0,    0,    0,    0,    0,    0x25,
    0x2e, 0,    0,    0x4f, 0,    0,    0x47, 0,    0,    0x26, 0x2a, 0,
    0x2b, 0,    0,    0,    0,    0x23, 0,    0x22, 0x29, 0,    0,    0x5f,
    0,    0,    0x57, 0,    0,    0x21};

static struct bytes lianzhong(void)
{
    struct bytes b = BYTES("GL\xD0\7\xD4\7\1\0Tue Dec 27 20:57:56 2016\n");
    put_zeros(&b, 0x1FC - b.n);
    memcpy(b.s + 0x78, "red", 3);
    memcpy(b.s + 0xA0, "black", 5);
    memcpy(b.s + 0xB4, CHN_BOARD, 90);
    b.s[0x16C] = 2;
    put_zeros(&b, 72);
    memcpy(b.s + 0x1FC + 14, "\x77\x74", 2);
    memcpy(b.s + 0x1FC + 36 + 14, "\x07\x26", 2);
    return b;
}

static void chn(void **state)
{
    (void)state;
    struct bytes b = lianzhong();
    expect(&b,
           "[[\"Date\",\"Tue Dec 27 20:57:56 2016\"],[\"Red\",\"red\"],"
           "[\"Black\",\"black\"],[\"Result\",\"*\"]],"
           "\"fen\":\"" XQ_FEN_START "\",\"moves\":[\"h2e2\",\"h9g7\"]",
           "");
    b = lianzhong();
    b.n -= 36;
    expect(&b, "[\"h2e2\"]", "after 1 of 2 plies");
    b = lianzhong();
    b.s[0xB4] = 0; /* without the rook on a9 */
    expect(&b, "\"fen\":\"1nbakabnr/", "");
}

static void ccm(void **state)
{
    (void)state;
    struct bytes b = BYTES("\1\0\x12\0\x6b\x96\x60\x58\2\0\0\0"
                           "\x0f\1\6\7\7\4\7\0\0"
                           "\x0e\2\4\7\0\6\2\0\0");
    expect(&b, "[\"Date\",\"2016.12.26\"]", "");
    b = BYTES("\1\0\x12\0\0\0\0\0\2\0\0\0"
              "\x0f\1\6\7\7\4\7\0\0"
              "\x0e\2\4\7\0\6\2\0\0");
    expect(&b, "[\"h2e2\",\"h9g7\"]", "");
}

/* Pascal strings. */
static struct bytes movesky(const char *names)
{
    static const char *const HEAD[] = {
        "site",  "2016",  NULL,   "1500",       "1348",    "25",
        "3",     "60",    "1286", "1291",       "by time", "Moves",
        "7C-4C", "7J-6H", "Ends", "CommentsEnd"};
    struct bytes b = {NULL, 0};
    for (size_t i = 0; i < COUNT_OF(HEAD); i++) {
        const char *s = HEAD[i] ? HEAD[i] : names;
        put_u8(&b, (unsigned)strlen(s));
        put_bytes(&b, s, strlen(s));
    }
    return b;
}

static void mxq(void **state)
{
    (void)state;
    struct bytes b = movesky("a-\xB8\xBA-b"); /* fu, lost, in GBK */
    char *s = json_of((xq_str){(char *)b.s, b.n}, PGN_ENC_AUTO);
    assert_non_null(strstr(s, "[\"h2e2\",\"h9g7\"]"));
    free(s);
    expect(&b,
           "[[\"Site\",\"site\"],[\"Date\",\"2016\"],[\"Red\",\"a\"],"
           "[\"Black\",\"b\"],[\"RedElo\",\"1500\"],[\"BlackElo\",\"1348\"],"
           "[\"Termination\",\"by time\"],[\"Result\",\"0-1\"]]",
           "");
    b = movesky("a");
    b.n -= 17;
    expect(&b, "[\"h2e2\",\"h9g7\"]", "in the middle of the moves");
}

static struct bytes xiexie(void)
{
    static const uint8_t SQUARES[32] = {
        0x6b, 0x7b, 0x5b, 0x8b, 0x4b, 0x9b, 0x3b, 0xab, 0x2b, 0x99, 0x39,
        0x28, 0x48, 0x68, 0x88, 0xa8, 0x62, 0x72, 0x52, 0x82, 0x42, 0x92,
        0x32, 0xa2, 0x22, 0x94, 0x34, 0x25, 0x45, 0x65, 0x85, 0xa5};
    struct bytes b = BYTES("\6\x0B\1\5event\2\0\3\4date\4\1"
                           "7\5\3red\6\0\7\3"
                           "blk\x08\0\x09\0");
    put_zeros(&b, 300);
    for (unsigned i = 0; i < 32; i++)
        put_u32(&b, SQUARES[i]);
    put_u32(&b, 0);
    put_u32(&b, 2);
    put_u32(&b, 2);
    for (int i = 0; i < 2; i++) {
        put_bytes(&b, i ? "\x92\0\x84\0" : "\x99\0\x69\0", 4);
        put_zeros(&b, 13);
        put_bytes(&b, "\xFF\xFF\xFF", 3);
    }
    return b;
}

static void xgf(void **state)
{
    (void)state;
    struct bytes b = xiexie();
    char *s = json_of((xq_str){(char *)b.s, b.n}, PGN_ENC_AUTO);
    assert_non_null(strstr(s, "[\"h2e2\",\"h9g7\"]"));
    free(s);
    expect(&b,
           "[[\"Event\",\"event\"],[\"Date\",\"date\"],[\"Round\",\"7\"],"
           "[\"Red\",\"red\"],[\"Black\",\"blk\"],[\"Result\",\"*\"]]",
           "");
    b = xiexie();
    b.s[b.n - 40 - 12 - 128] = 0x6a; /* king on e1 */
    expect(&b, "\"moves\":[]", "only the usual one is known");
}

static void xqr(void **state)
{
    (void)state;
    struct bytes b = BYTES("\0\2\x20\x17\1\1\0\2\1e\5\1r\6\1b\7\1\1\x09\0"
                           "\0\0\1\0\x77\x74\1\0\x07\x26\0\0");
    expect(&b,
           "[[\"Event\",\"e\"],[\"Red\",\"r\"],[\"Black\",\"b\"],"
           "[\"Result\",\"1-0\"]],\"fen\":\"" XQ_FEN_START "\","
           "\"moves\":[\"h2e2\",\"h9g7\"]",
           "");
    b = BYTES("\0\2\x20\x17\1\1\0\2\1e\5\1r\6\1b\7\1\1\x09\0"
              "\0\0\1\0\x77\x74\1\0\x07\x26\0\0\x0a\4zzzz");
    expect(&b, "\"moves\":[\"h2e2\",\"h9g7\"]", "the file's sum does not fit");
    b = BYTES("\0\2\x20\x17\1\1\0\x09\0\0\0\1\0\x77\x74\3\0\x07\x26\0\0");
    expect(&b, "\"moves\":[]",
           "a variation, or what else no known XQR file has");
}

/* What is none of them stays what it was. */
static void no_kind(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {"XQ\nsome text", "1 2 3 4 5 6 7 8 9 0",
                                        "GLOVE", "<html><n m=\"x\"></html>"};
    for (size_t i = 0; i < COUNT_OF(TEXTS); i++) {
        pgn_split *sp = NULL;
        pgn_segment seg = {0};
        xq_err err = {0};
        assert_int_equal(pgn_split_open_mem(&sp, "x", TEXTS[i],
                                            strlen(TEXTS[i]), PGN_ENC_AUTO,
                                            &err),
                         XQ_OK);
        const xq_status rc = pgn_split_next(sp, &seg, &err);
        if (i < 3)
            assert_int_equal(rc, XQ_ESYNTAX);
        if (rc == XQ_ESYNTAX)
            assert_non_null(strstr(err.msg, "XQF, CBR, CBL, CBF"));
        pgn_split_close(sp);
        pgn_segment_free(&seg);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(che),     cmocka_unit_test(chn), cmocka_unit_test(ccm),
        cmocka_unit_test(mxq),     cmocka_unit_test(xgf), cmocka_unit_test(xqr),
        cmocka_unit_test(no_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
