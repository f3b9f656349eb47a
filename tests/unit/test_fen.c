/* test_fen.c - FEN dialects, broken FENs, odd positions. */
#include "tests/unit/engine_util.h"

#define START_BOARD                                                            \
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"

static void start_position(void **state)
{
    xq_pos p, q = pos_of(XQ_FEN_START);
    (void)state;
    xq_pos_start(&p);
    assert_memory_equal(&p, &q, sizeof p);
    assert_fen(&p, XQ_FEN_START);
}

/* S54 and the dialects of formats 1.2-1.5 */
static void dialects_are_read(void **state)
{
    static const struct {
        const char *text;
        unsigned flags;
        const char *fen;
    } T[] = {
        {START_BOARD " w", 0, XQ_FEN_START},
        {START_BOARD, XQ_FEN_NO_SIDE, XQ_FEN_START},
        {START_BOARD " r", 0, XQ_FEN_START},
        {START_BOARD " R - - 0 1", 0, XQ_FEN_START},
        {START_BOARD " W", 0, XQ_FEN_START},
        {START_BOARD " B", 0, START_BOARD " b - - 0 1"},
        {START_BOARD "w", 0, XQ_FEN_START},
        {START_BOARD "r", 0, XQ_FEN_START},
        {START_BOARD "b - - 3 4", 0, START_BOARD " b - - 3 4"},
        {START_BOARD "\tb\t-\t-\t3\t4\r\n", 0, START_BOARD " b - - 3 4"},
        {"  " START_BOARD "%20%20b%20-%20-%203%204", 0,
         START_BOARD " b - - 3 4"},
        {"4k4/8R/9/9/9/9/9/9/9/rrEA1K3 w 0 1", 0,
         "4k4/8R/9/9/9/9/9/9/9/rrBA1K3 w - - 0 1"},
        {"3aka1r1/9/1c1C4c/p2r4p/1R4p2/5n3/P3P1P1P/2N3N2/4A4/"
         "R1B1KAB2%20w",
         0,
         "3aka1r1/9/1c1C4c/p2r4p/1R4p2/5n3/P3P1P1P/2N3N2/4A4/"
         "R1B1KAB2 w - - 0 1"},
        {"rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR b", 0,
         START_BOARD " b - - 0 1"},
        {"rhmgkgmhr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHMGKGMHR w 5 6", 0,
         START_BOARD " w - - 5 6"},
        {START_BOARD " w - - 0 1 w - - 0 1", XQ_FEN_TRAILING, XQ_FEN_START},
        {START_BOARD " w moves h2e2", XQ_FEN_TRAILING, XQ_FEN_START},
        {START_BOARD " - - 7 8", XQ_FEN_NO_SIDE, START_BOARD " w - - 7 8"},
        {START_BOARD " w - - 7", 0, START_BOARD " w - - 7 1"},
        {START_BOARD " w - 7 8", 0, START_BOARD " w - - 7 8"},
        {START_BOARD " w - - x 8", XQ_FEN_COUNTERS, START_BOARD " w - - 0 8"},
        {START_BOARD " w - - -3 0", XQ_FEN_COUNTERS, XQ_FEN_START},
        {START_BOARD " w - - 99999999999999999999 70000", XQ_FEN_COUNTERS,
         START_BOARD " w - - 0 70000"},
        {START_BOARD " w - - 65535 999999999", 0,
         START_BOARD " w - - 65535 999999999"},
        {START_BOARD " x", XQ_FEN_NO_SIDE | XQ_FEN_TRAILING, XQ_FEN_START},
        {"rnbakabnr/45/1c5c1/p1p1p1p1p/9/333/P1P1P1P1P/1C5C1/1111/"
         "RNBAKABNR w",
         0, NULL},
        {"4k4/45/9/333/9/111111111/9/9/81/3K5 w", 0,
         "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        xq_pos p;
        xq_err err;
        unsigned flags = 77;
        xq_status rc = xq_fen_parse(&p, xq_str_of(T[i].text), &flags, &err);
        if (!T[i].fen) {
            assert_int_equal(rc, XQ_ESYNTAX);
            continue;
        }
        if (rc != XQ_OK)
            fail_msg("%s: %s", T[i].text, err.msg);
        if (flags != T[i].flags)
            fail_msg("%s: flags %u", T[i].text, flags);
        assert_fen(&p, T[i].fen);
    }
}

/* S55 */
static void broken_ones_are_refused(void **state)
{
    static const struct {
        const char *text;
        xq_status rc;
        const char *msg;
    } T[] = {
        {"foobar", XQ_ESYNTAX, "rank 9, file a: unknown piece letter 'f'"},
        {"", XQ_ESYNTAX, "rank 9, file a: no board, the text is empty"},
        {" \t%20", XQ_ESYNTAX, "rank 9, file a: no board, the text is empty"},
        {"4k4/9/9/9/9/9/9/9/8/3K5 w", XQ_ESYNTAX,
         "rank 1, file i: the rank is not 9 squares wide"},
        {"4k4/9/9/9/9/55/9/9/9/3K5 w", XQ_ESYNTAX,
         "rank 4, file i: the rank is more than 9 squares wide"},
        {"4k4/9/9/9/9/9R/9/9/9/3K5 w", XQ_ESYNTAX,
         "rank 4, file i: the rank is more than 9 squares wide"},
        {"4k4/9/9/9/9/9/9/9/3K5 w", XQ_ESYNTAX,
         "rank 0, file a: the board ends, it has fewer than 10 ranks"},
        {"4k4/9/9/9/9/9/9/9/9/9/3K5 w", XQ_ESYNTAX,
         "rank 0, file i: more than 10 ranks"},
        {"4k4/9/9/9/9/9/9/9/9/3K5/ w", XQ_ESYNTAX,
         "rank 0, file i: more than 10 ranks"},
        {"4k4/9/9/9/9/9/9/9/9/3K5r w", XQ_ESYNTAX,
         "rank 0, file i: the rank is more than 9 squares wide"},
        {"4k4/9/9/9/9/9/9/9/9/3K5R", XQ_ESYNTAX,
         "rank 0, file i: the rank is more than 9 squares wide"},
        {"4k4//9/9/9/9/9/9/9/3K5 w", XQ_ESYNTAX,
         "rank 8, file a: the rank is not 9 squares wide"},
        {"4k4/9/9/9/9/9/4x4/9/9/3K5 w", XQ_ESYNTAX,
         "rank 3, file e: unknown piece letter 'x'"},
        {"4k4/9/9/9/9/9/4\xe8\xbb\x8a"
         "4/9/9/3K5 w",
         XQ_ESYNTAX, "rank 3, file e: unknown piece letter, byte 0xE8"},
        {"4k4/9/9/9/9/9/90/9/9/3K5 w", XQ_ESYNTAX,
         "rank 3, file i: unknown piece letter '0'"},
        {"9/9/9/9/9/9/9/9/9/3K5 w", XQ_EILLEGAL,
         "rank 9, file e: no black king, here or elsewhere"},
        {"4k4/9/9/9/9/9/9/9/9/9 w", XQ_EILLEGAL,
         "rank 0, file e: no red king, here or elsewhere"},
        {"4k4/9/9/9/9/9/9/9/4K4/3K5 w", XQ_EILLEGAL,
         "rank 1, file e: a second red king"},
        {"4k4/9/9/9/9/9/3K5/9/9/9 w", XQ_EILLEGAL,
         "rank 3, file d: red king outside its palace"},
        {"2k6/9/9/9/9/9/9/9/9/3K5 w", XQ_EILLEGAL,
         "rank 9, file c: black king outside its palace"},
        {"4K4/9/9/9/9/9/9/9/9/3k5 w", XQ_EILLEGAL,
         "rank 0, file d: black king outside its palace"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        xq_pos p;
        xq_err err = {0};
        xq_status rc = xq_fen_parse(&p, xq_str_of(T[i].text), NULL, &err);
        if (rc != T[i].rc || strcmp(err.msg, T[i].msg) != 0)
            fail_msg("'%s': %d, %s", T[i].text, rc, err.msg);
        assert_int_equal(xq_fen_parse(&p, xq_str_of(T[i].text), NULL, NULL),
                         T[i].rc);
    }
}

static void bytes_of_all_kinds_are_safe(void **state)
{
    static const char FEN[] = XQ_FEN_START;
    uint64_t seed = seed_of_run(), r = seed;
    xq_pos p;
    xq_err err;
    (void)state;
    assert_int_equal(xq_fen_parse(&p, (xq_str){NULL, 0}, NULL, &err),
                     XQ_ESYNTAX);
    assert_int_equal(xq_fen_parse(&p, (xq_str){"4k4\0/9", 6}, NULL, &err),
                     XQ_ESYNTAX);
    assert_string_equal(err.msg,
                        "rank 9, file i: unknown piece letter, byte 0x00");
    assert_int_equal(err.byte, 3);
    /* Every prefix, without a byte behind it. */
    for (size_t n = 0; n < sizeof FEN; n++) {
        char *copy = malloc(n + 1);
        memcpy(copy + 1, FEN, n);
        xq_status rc = xq_fen_parse(&p, (xq_str){copy + 1, n}, NULL, &err);
        assert_int_equal(rc, n < strlen(START_BOARD) ? XQ_ESYNTAX : XQ_OK);
        free(copy);
    }
    for (int i = 0; i < 20000; i++) {
        char text[sizeof FEN];
        memcpy(text, FEN, sizeof FEN);
        for (unsigned k = random_below(&r, 4) + 1; k > 0; k--)
            text[random_below(&r, sizeof FEN)] = (char)random_next(&r);
        unsigned flags;
        xq_fen_parse(&p, (xq_str){text, sizeof FEN - 1}, &flags, &err);
    }
    size_t n = 1 << 20;
    char *big = malloc(n);
    memset(big, '9', n);
    assert_int_equal(xq_fen_parse(&p, (xq_str){big, n}, NULL, &err),
                     XQ_ESYNTAX);
    memset(big, ' ', n);
    assert_int_equal(xq_fen_parse(&p, (xq_str){big, n}, NULL, &err),
                     XQ_ESYNTAX);
    memcpy(big, START_BOARD, strlen(START_BOARD));
    memset(big + n - 100, '1', 100);
    assert_int_equal(xq_fen_parse(&p, (xq_str){big, n}, NULL, &err), XQ_OK);
    free(big);
}

static void text_comes_back(void **state)
{
    uint64_t seed = seed_of_run(), r = seed;
    (void)state;
    for (int i = 0; i < 3000; i++) {
        xq_pos p = random_odd(&r, 88), q;
        char fen[XQ_FEN_MAX];
        p.halfmove = (uint16_t)random_next(&r);
        p.fullmove = 1 + random_below(&r, 999999999);
        size_t n = xq_fen_format(&p, fen);
        assert_int_equal(n, strlen(fen));
        q = pos_of(fen);
        if (memcmp(&p, &q, sizeof p) != 0)
            fail_msg("%s, seed %llu", fen, (unsigned long long)seed);
    }
}

static void longest_text_fits(void **state)
{
    char fen[XQ_FEN_MAX];
    uint8_t at[XQ_SQUARES];
    xq_pos p;
    (void)state;
    memset(at, xq_piece_of(XQ_RED, XQ_ROOK), sizeof at);
    at[4] = xq_piece_of(XQ_RED, XQ_KING);
    at[85] = xq_piece_of(XQ_BLACK, XQ_KING);
    assert_int_equal(xq_pos_set(&p, at, XQ_RED, NULL), XQ_OK);
    p.halfmove = UINT16_MAX;
    p.fullmove = UINT32_MAX;
    assert_int_equal(xq_fen_format(&p, fen), 122);
}

/* The reasons, joined by "; ". */
static void odd_reasons(const xq_pos *p, char *out, size_t size)
{
    unsigned it = 0;
    char msg[128];
    *out = 0;
    while (xq_pos_odd(p, &it, msg)) {
        if (*out)
            strncat(out, "; ", size - strlen(out) - 1);
        strncat(out, msg, size - strlen(out) - 1);
    }
}

/* S55, second half; formats 1.5 */
static void odd_positions_are_named(void **state)
{
    static const struct {
        const char *fen, *reasons;
    } T[] = {
        {XQ_FEN_START, ""},
        {"3k5/9/9/p8/P8/8P/P1P1P1P2/9/9/4K4 w",
         "a5: red has 6 pawns, a side has at most 5"},
        {"3k5/9/9/4B4/9/9/9/9/9/4K4 w",
         "e6: red elephant is off the seven elephant points"},
        {"3k5/9/9/9/9/9/9/9/4B4/4K4 w",
         "e1: red elephant is off the seven elephant points"},
        {"3k5/9/9/9/2B3b2/2B3b2/9/9/9/4K4 w",
         "g4: black elephant is off the seven elephant points; "
         "c5: red elephant is off the seven elephant points"},
        {"3k5/9/9/9/9/9/9/2A6/9/4K4 w",
         "c2: red advisor is off the five advisor points"},
        {"3k5/9/9/9/9/9/9/9/3A5/4K4 w",
         "d1: red advisor is off the five advisor points"},
        {"3k5/4A4/9/9/9/9/9/9/4a4/4K4 w",
         "e1: black advisor is off the five advisor points; "
         "e8: red advisor is off the five advisor points"},
        {"3k5/9/9/9/9/9/9/P8/9/4K4 w", "a2: red pawn is behind its first rank"},
        {"3k5/9/9/9/9/9/1P7/9/9/4K4 w",
         "b3: red pawn is on a file it cannot reach before the river"},
        {"3k5/9/8p/9/7p1/9/9/9/9/4K4 b",
         "h5: black pawn is on a file it cannot reach before the river; "
         "i7: black pawn is behind its first rank"},
        {"3k5/9/9/9/7P1/1p7/9/9/9/p3K3P b",
         "i0: red pawn is behind its first rank"},
        {"4k4/9/9/9/9/9/9/9/9/4K4 w", "e0, e9: the kings face each other"},
        {"3k5/9/9/9/9/9/9/9/9/3RK4 w",
         "d9: black king is in check from d0, not to move"},
        {"3k5/9/9/9/9/9/9/9/9/3RK4 b", ""},
        {"4k4/9/5N3/9/9/9/9/9/9/4K4 w",
         "e0, e9: the kings face each other; "
         "e9: black king is in check from f7, not to move"},
        {"3k5/9/9/9/9/9/9/R8/R8/R3K4 b",
         "a2: red has 3 rooks, a side has at most 2"},
        {"3k5/9/9/9/9/9/9/9/e8/4K4 b",
         "a1: black elephant is off the seven elephant points"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        xq_pos p = pos_of(T[i].fen);
        char got[600];
        odd_reasons(&p, got, sizeof got);
        if (strcmp(got, T[i].reasons) != 0)
            fail_msg("%s\n got %s", T[i].fen, got);
    }
}

static void games_never_become_odd(void **state)
{
    uint64_t seed = seed_of_run(), r = seed;
    (void)state;
    for (int game = 0; game < 50; game++) {
        xq_pos p;
        xq_move m;
        xq_pos_start(&p);
        for (int ply = 0; ply < 150 && (m = random_move(&p, &r)); ply++) {
            char got[600];
            xq_pos_make(&p, m, NULL);
            odd_reasons(&p, got, sizeof got);
            if (*got)
                fail_msg("seed %llu: %s", (unsigned long long)seed, got);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_position),
        cmocka_unit_test(dialects_are_read),
        cmocka_unit_test(broken_ones_are_refused),
        cmocka_unit_test(bytes_of_all_kinds_are_safe),
        cmocka_unit_test(text_comes_back),
        cmocka_unit_test(longest_text_fits),
        cmocka_unit_test(odd_positions_are_named),
        cmocka_unit_test(games_never_become_odd),
    };
    return cmocka_run_group_tests_name("fen", tests, NULL, NULL);
}
