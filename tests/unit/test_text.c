/* test_text.c - bytes to UTF-8 and back; iconv(3) is the independent judge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libpgn/text.h"

#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BAD "\xEF\xBF\xBD"

/* What pgn_decode makes of in[0..n) as a whole; NUL-terminated, to free. */
static char *decode(pgn_encoding e, const void *in, size_t n, size_t *len,
                    size_t *bad)
{
    char *out = malloc(pgn_decode_bound(n) + 1);
    size_t used = 0, replaced = 0;
    assert_non_null(out);
    const size_t k = pgn_decode(e, in, n, true, out, &used, &replaced);
    assert_true(k <= pgn_decode_bound(n));
    assert_int_equal(used, n);
    out[k] = 0;
    if (len)
        *len = k;
    if (bad)
        *bad = replaced;
    return out;
}

static void check(pgn_encoding e, const char *in, size_t n, const char *want,
                  size_t want_bad)
{
    size_t bad, len;
    char *out = decode(e, in, n, &len, &bad);
    if (strcmp(out, want) != 0 || bad != want_bad)
        fail_msg("%s: '%s', %zu bad; expected '%s', %zu bad",
                 pgn_encoding_name(e), out, bad, want, want_bad);
    free(out);
}

static uint8_t *read_file(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        fail_msg("cannot open %s", path);
    uint8_t *s = malloc(1 << 20);
    assert_non_null(s);
    *n = fread(s, 1, 1 << 20, f);
    fclose(f);
    return s;
}

/* ---- decoding ---- */

/* Formats reference 8, the byte table. */
static void move_characters_have_their_bytes(void **state)
{
    static const struct {
        const char *utf8, *gbk, *big5;
    } T[] = {
        {"帅", "\xCB\xA7", NULL},       {"帥", "\x8E\x9B", "\xAB\xD3"},
        {"将", "\xBD\xAB", NULL},       {"將", "\x8C\xA2", "\xB1\x4E"},
        {"仕", "\xCA\xCB", "\xA5\x4B"}, {"士", "\xCA\xBF", "\xA4\x68"},
        {"相", "\xCF\xE0", "\xAC\xDB"}, {"象", "\xCF\xF3", "\xB6\x48"},
        {"马", "\xC2\xED", NULL},       {"馬", "\xF1\x52", "\xB0\xA8"},
        {"傌", "\x82\xD8", "\xD8\x58"}, {"车", "\xB3\xB5", NULL},
        {"車", "\xDC\x87", "\xA8\xAE"}, {"俥", "\x82\x65", NULL},
        {"炮", "\xC5\xDA", "\xAC\xB6"}, {"砲", "\xB3\x68", "\xAF\xA5"},
        {"包", "\xB0\xFC", "\xA5\x5D"}, {"兵", "\xB1\xF8", "\xA7\x4C"},
        {"卒", "\xD7\xE4", "\xA8\xF2"}, {"一", "\xD2\xBB", "\xA4\x40"},
        {"二", "\xB6\xFE", "\xA4\x47"}, {"三", "\xC8\xFD", "\xA4\x54"},
        {"四", "\xCB\xC4", "\xA5\x7C"}, {"五", "\xCE\xE5", "\xA4\xAD"},
        {"六", "\xC1\xF9", "\xA4\xBB"}, {"七", "\xC6\xDF", "\xA4\x43"},
        {"八", "\xB0\xCB", "\xA4\x4B"}, {"九", "\xBE\xC5", "\xA4\x45"},
        {"１", "\xA3\xB1", "\xA2\xB0"}, {"９", "\xA3\xB9", "\xA2\xB8"},
        {"进", "\xBD\xF8", NULL},       {"進", "\xDF\x4D", "\xB6\x69"},
        {"退", "\xCD\xCB", "\xB0\x68"}, {"平", "\xC6\xBD", "\xA5\xAD"},
        {"前", "\xC7\xB0", "\xAB\x65"}, {"中", "\xD6\xD0", "\xA4\xA4"},
        {"后", "\xBA\xF3", "\xA6\x5A"}, {"後", "\xE1\xE1", "\xAB\xE1"},
        {"變", "\xD7\x83", "\xC5\xDC"}, {"　", "\xA1\xA1", "\xA1\x40"},
        {"勝", "\x84\xD9", "\xB3\xD3"}, {"負", "\xD8\x93", "\xAD\x74"},
        {"和", "\xBA\xCD", "\xA9\x4D"}, {"红", "\xBA\xEC", NULL},
        {"紅", "\xBC\x74", "\xAC\xF5"}, {"黑", "\xBA\xDA", "\xB6\xC2"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        check(PGN_ENC_GB18030, T[i].gbk, 2, T[i].utf8, 0);
        if (T[i].big5)
            check(PGN_ENC_BIG5, T[i].big5, 2, T[i].utf8, 0);
    }
    check(PGN_ENC_GB18030, "\xC5\xDA\xA3\xB8\xC6\xBD\xA3\xB5", 8, "炮８平５",
          0);
    check(PGN_ENC_BIG5, "\xB0\xA8\xA4\x47\xB6\x69\xA4\x54", 8, "馬二進三", 0);
}

/* What iconv makes of in[0..n), "" when it does not like it. */
static const char *ask_iconv(iconv_t cd, const uint8_t *in, size_t n,
                             char out[32])
{
    char *from = (char *)(uintptr_t)in, *to = out;
    size_t left = n, room = 31;
    iconv(cd, NULL, NULL, NULL, NULL);
    if (iconv(cd, &from, &left, &to, &room) != 0 ||
        iconv(cd, NULL, NULL, &to, &room) != 0)
        to = out;
    *to = 0;
    return out;
}

static iconv_t to_utf8(const char *name)
{
    const iconv_t cd = iconv_open("UTF-8", name);
    if (cd == (iconv_t)-1)
        fail_msg("iconv lacks %s", name);
    return cd;
}

/* Every lead byte with every second byte.  Of a bad pair only the lead is
 * lost: the second byte is read again. */
static void pairs_are_read_as_iconv_reads_them(void **state)
{
    (void)state;
    static const struct {
        pgn_encoding e;
        const char *name, *more;
    } T[] = {
        {PGN_ENC_GB18030, "GB18030", NULL},
        {PGN_ENC_GBK, "GB18030", NULL},
        {PGN_ENC_BIG5, "CP950", "BIG5-HKSCS"},
    };
    for (size_t t = 0; t < sizeof T / sizeof *T; t++) {
        const iconv_t cd = to_utf8(T[t].name);
        const iconv_t more = to_utf8(T[t].more ? T[t].more : T[t].name);
        unsigned good = 0;
        for (unsigned pair = 0x8000; pair <= 0xFFFF; pair++) {
            const uint8_t in[2] = {(uint8_t)(pair >> 8), (uint8_t)pair};
            char want[32];
            ask_iconv(cd, in, 2, want);
            if (!*want)
                ask_iconv(more, in, 2, want);
            if (in[0] == 0x80 || in[0] == 0xFF || in[1] < 0x30)
                *want = 0;
            const bool ok = *want != 0;
            good += ok;
            if (!ok && in[1] >= 0x80)
                strcpy(want, BAD BAD);
            else if (!ok)
                snprintf(want, sizeof want, BAD "%c", in[1]);
            check(T[t].e, (const char *)in, 2, want,
                  ok ? 0 : 1 + (in[1] >= 0x80));
        }
        iconv_close(cd);
        iconv_close(more);
        if (good < 18000)
            fail_msg("%s: only %u pairs", T[t].name, good);
    }
}

static void four_byte_codes_are_read_as_iconv_reads_them(void **state)
{
    (void)state;
    const iconv_t cd = to_utf8("GB18030");
    unsigned good = 0;
    for (uint32_t i = 0; i < 126 * 12600;
         i += i < 40000 || i > 1237000 ? 1 : 37) {
        const uint8_t in[4] = {
            (uint8_t)(0x81 + i / 12600), (uint8_t)(0x30 + i / 1260 % 10),
            (uint8_t)(0x81 + i / 10 % 126), (uint8_t)(0x30 + i % 10)};
        char want[32];
        ask_iconv(cd, in, 4, want);
        size_t bad, len;
        char *out = decode(PGN_ENC_GB18030, in, 4, &len, &bad);
        if (strcmp(want, "\xEF\xBB\xBF") == 0)
            *want = 0, good++; /* a byte order mark: dropped */
        else if (*want)
            good++;
        else
            assert_true(bad > 0);
        if (!bad && strcmp(out, want) != 0)
            fail_msg("%02X%02X%02X%02X: '%s', iconv '%s'", in[0], in[1], in[2],
                     in[3], out, want);
        if (bad && *want)
            fail_msg("%02X%02X%02X%02X is '%s'", in[0], in[1], in[2], in[3],
                     want);
        free(out);
    }
    iconv_close(cd);
    assert_true(good > 39000 + 20000);
}

static void code_pages_are_read_as_iconv_reads_them(void **state)
{
    static const char *const T[] = {
        "cp1250", "cp1251", "cp1252", "cp1253",     "cp1254",     "cp1255",
        "cp1256", "cp1257", "cp1258", "iso-8859-1", "iso-8859-2", "iso-8859-15",
        "koi8-r", "koi8-u", "cp437",  "cp850",      "cp866",
    };
    (void)state;
    for (size_t t = 0; t < sizeof T / sizeof *T; t++) {
        pgn_encoding e;
        assert_true(pgn_encoding_of(T[t], &e));
        assert_true(e >= PGN_ENC_OTHER);
        assert_string_equal(pgn_encoding_name(e), T[t]);
        const iconv_t cd = to_utf8(T[t]);
        for (unsigned c = 0x80; c <= 0xFF; c++) {
            const uint8_t in = (uint8_t)c;
            char want[32];
            const bool ok = *ask_iconv(cd, &in, 1, want);
            check(e, (const char *)&in, 1, ok ? want : BAD, !ok);
        }
        iconv_close(cd);
    }
}

static void bad_bytes_are_lost_alone(void **state)
{
    static const struct {
        pgn_encoding e;
        const char *in, *want;
        size_t bad;
    } T[] = {
        {PGN_ENC_UTF8, "a\xC0\xAF!", "a" BAD BAD "!", 2},
        {PGN_ENC_UTF8, "\xED\xA0\x80", BAD BAD BAD, 3},
        {PGN_ENC_UTF8, "\xE0\x9F\xBF", BAD BAD BAD, 3},
        {PGN_ENC_UTF8, "\xF0\x8F\xBF\xBF", BAD BAD BAD BAD, 4},
        {PGN_ENC_UTF8, "\xF4\x90\x80\x80", BAD BAD BAD BAD, 4},
        {PGN_ENC_UTF8, "\xF5\x80\x80\x80", BAD BAD BAD BAD, 4},
        {PGN_ENC_UTF8, "\xE7\x82", BAD BAD, 2},
        {PGN_ENC_UTF8, "\xE7\x82炮", BAD BAD "炮", 2},
        {PGN_ENC_UTF8, "\xFF炮\xFE", BAD "炮" BAD, 2},
        {PGN_ENC_UTF8,
         "12345678\xFF"
         "abcdefgh",
         "12345678" BAD "abcdefgh", 1},
        {PGN_ENC_UTF8, "\xF0\x9F\xA9\xA4\xC2\xBD", "\xF0\x9F\xA9\xA4½", 0},
        {PGN_ENC_GB18030, "RED\x92 side \xD6\xF7\xB6\xAF",
         "RED" BAD " side 主动", 1},
        {PGN_ENC_GB18030, "\x80\xFF\xC5\xDA", BAD BAD "炮", 2},
        {PGN_ENC_GB18030, "\xC5", BAD, 1},
        {PGN_ENC_GB18030, "\xC5\n\xC5\xDA", BAD "\n炮", 1},
        {PGN_ENC_GB18030, "\x81\x30\x81\x30", "\xC2\x80", 0},
        {PGN_ENC_GB18030, "\x81\x30\x81", BAD "0" BAD, 2},
        {PGN_ENC_GB18030, "\x81\x30Z", BAD "0Z", 1},
        {PGN_ENC_GB18030, "\xC5\xDA\x81\x30\xC6\xBD", "炮" BAD "0平", 1},
        {PGN_ENC_GB18030, "\x95\x32\x82\x36", "\xF0\xA0\x80\x80", 0},
        {PGN_ENC_GB18030, "\xFE\x39\xFE\x39", BAD "9" BAD "9", 2},
        {PGN_ENC_BIG5, "\xAC\xB6\x80\xA4\x47", "炮" BAD "二", 1},
        {PGN_ENC_BIG5, "\xB6\x7D\xA7\xBD", "開局", 0},
        {PGN_ENC_BIG5, "\x88\x62\x88\xA5", "Ê\xCC\x84ê\xCC\x8C", 0},
        {PGN_ENC_BIG5, "\x87\x40", "\xE4\x8F\xB0", 0}, /* HKSCS: U+43F0 */
        {PGN_ENC_BYTES, "Gi\xE1i", "Gi\\xE1i", 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        check(T[i].e, T[i].in, strlen(T[i].in), T[i].want, T[i].bad);
    }
}

static void utf16_is_read(void **state)
{
    (void)state;
    check(PGN_ENC_UTF16LE, "\xFF\xFE[\0\xAEp\x3C\xD8\x00\xDC", 10,
          "[炮\xF0\x9F\x80\x80", 0);
    check(PGN_ENC_UTF16BE, "\xFE\xFF\0[p\xAE\xD8\x3C\xDC\x00", 10,
          "[炮\xF0\x9F\x80\x80", 0);
    check(PGN_ENC_UTF16LE, "\x3C\xD8[\0", 4, BAD "[", 1);
    check(PGN_ENC_UTF16LE, "\x00\xDC[\0", 4, BAD "[", 1);
    check(PGN_ENC_UTF16LE, "[\0[", 3, "[" BAD, 1);
    check(PGN_ENC_UTF16LE, "\x3C\xD8", 2, BAD, 1);
}

static void byte_order_marks_are_dropped_anywhere(void **state)
{
    (void)state;
    check(PGN_ENC_UTF8, "\xEF\xBB\xBF[Game\n\xEF\xBB\xBF[Game", 17,
          "[Game\n[Game", 0);
    check(PGN_ENC_UTF8, "炮\xEF\xBB\xBF平炮平炮平", 21, "炮平炮平炮平", 0);
    check(PGN_ENC_GB18030, "\x84\x31\x95\x33[", 5, "[", 0);
}

/* ---- pieces, and the way back ---- */

/* Case files, and noise that is rich in lead and trail bytes. */
static void each_sample(void (*visit)(pgn_encoding, const uint8_t *, size_t))
{
    static const char *const FILES[] = {
        "s01_gbk",    "s02_gbk_stray92", "s03_bom_twice", "s04_utf16le",
        "s05_big5",   "s06_gbk_trail",   "s08_curly",     "s10_cp1258",
        "s11_double", "s45_crlf",
    };
    for (int e = PGN_ENC_UTF8; e <= PGN_ENC_OTHER + 8; e++) {
        for (size_t k = 0; k < sizeof FILES / sizeof *FILES; k++) {
            char path[80];
            size_t n;
            snprintf(path, sizeof path, "tests/data/cases/%s.pgn", FILES[k]);
            uint8_t *s = read_file(path, &n);
            visit((pgn_encoding)e, s, n);
            free(s);
        }
        uint32_t seed = 1;
        uint8_t noise[400];
        for (int round = 0; round < 20; round++) {
            static const char RICH[] =
                "\xEF\xBB\xBF\xFF\xFE\x84\x31\x95\x33"
                "\xE7\x82\xAE\xF0\x9F\xA9\xA4 \xD8\xDC\0";
            for (size_t i = 0; i < sizeof noise; i++) {
                seed = seed * 1664525 + 1013904223;
                noise[i] = seed >> 30 ? (uint8_t)RICH[(seed >> 16) % 21]
                                      : (uint8_t)(seed >> 16);
            }
            visit((pgn_encoding)e, noise, sizeof noise);
        }
    }
}

static void cut_everywhere(pgn_encoding e, const uint8_t *s, size_t n)
{
    size_t want_n, want_bad;
    char *want = decode(e, s, n, &want_n, &want_bad);
    char *out = malloc(2 * pgn_decode_bound(n));
    assert_non_null(out);
    for (size_t cut = 0; cut <= n; cut++) {
        size_t used, bad = 0;
        size_t k = pgn_decode(e, s, cut, false, out, &used, &bad);
        assert_true(used <= cut && cut - used < 4);
        const size_t first = used;
        k += pgn_decode(e, s + first, n - first, true, out + k, &used, &bad);
        if (k != want_n || memcmp(out, want, k) != 0 || bad != want_bad)
            fail_msg("%s, %zu bytes cut at %zu: not the same",
                     pgn_encoding_name(e), n, cut);
    }
    free(out);
    free(want);
}

static void pieces_give_the_same_as_the_whole(void **state)
{
    (void)state;
    each_sample(cut_everywhere);
}

/* Walk character by character: where does each byte of output come from? */
static void offsets_match(pgn_encoding e, const uint8_t *s, size_t n)
{
    const bool wide = e == PGN_ENC_UTF16LE || e == PGN_ENC_UTF16BE;
    size_t from = 0, written = 0;
    while (from + 4 < n) {
        size_t used = 0, bad = 0, got = 0;
        char out[64];
        for (size_t len = 1; !used; len++)
            got = pgn_decode(e, s + from, len, false, out, &used, &bad);
        if (bad) { /* that byte alone; what came with it is read again */
            used = wide ? 2 : 1;
            got = e == PGN_ENC_BYTES ? 4 : 3;
        }
        for (size_t i = 0; i < got; i++)
            if (pgn_decode_offset(e, s, n, written + i) != from)
                fail_msg("%s: output byte %zu comes from %zu, not %zu",
                         pgn_encoding_name(e), written + i, from,
                         pgn_decode_offset(e, s, n, written + i));
        from += used;
        written += got;
    }
    assert_int_equal(pgn_decode_offset(e, s, n, 4 * n + 8), n);
}

static void output_leads_back_to_input(void **state)
{
    (void)state;
    each_sample(offsets_match);
    /* far behind the pieces that are skipped whole */
    size_t n;
    uint8_t *s = read_file("tests/data/cases/s07_gbk_boundary.pgn", &n);
    size_t len, bad;
    char *text = decode(PGN_ENC_GB18030, s, n, &len, &bad);
    const char *brace = strchr(text, '}');
    assert_non_null(brace);
    const size_t at =
        pgn_decode_offset(PGN_ENC_GB18030, s, n, (size_t)(brace - text));
    assert_int_equal(s[at], '}');
    assert_int_equal(s[at - 1], 0xF5);
    free(text);
    free(s);
}

static void count_bad(pgn_encoding e, const uint8_t *s, size_t n)
{
    size_t bad, from = 0, found = 0, last = 0;
    free(decode(e, s, n, NULL, &bad));
    for (;;) {
        const size_t at = pgn_decode_bad(e, s, n, &from);
        if (at == n)
            break;
        assert_true(at >= last && from > at);
        last = from;
        found++;
    }
    assert_int_equal(found, bad);
    assert_int_equal(from, n);
}

static void bad_bytes_are_found(void **state)
{
    (void)state;
    each_sample(count_bad);
    size_t n, from = 0;
    uint8_t *s = read_file("tests/data/cases/s02_gbk_stray92.pgn", &n);
    const size_t at = pgn_decode_bad(PGN_ENC_GB18030, s, n, &from);
    assert_true(at < n);
    assert_int_equal(s[at], 0x92);
    assert_int_equal(pgn_decode_bad(PGN_ENC_GB18030, s, n, &from), n);
    free(s);
}

/* S07: a comment of 7,000 two-byte characters at an odd offset. */
static void characters_may_straddle_any_boundary(void **state)
{
    (void)state;
    size_t n, len, bad, wang = 0;
    uint8_t *s = read_file("tests/data/cases/s07_gbk_boundary.pgn", &n);
    char *text = decode(PGN_ENC_GB18030, s, n, &len, &bad);
    assert_int_equal(bad, 0);
    for (const char *p = strchr(text, '{') + 1; !strncmp(p, "王", 3); p += 3)
        wang++;
    assert_int_equal(wang, 7000);
    free(text);
    free(s);
}

/* ---- judging ---- */

static void files_are_judged(void **state)
{
    static const struct {
        const char *file;
        pgn_encoding e;
    } T[] = {
        {"s01_gbk", PGN_ENC_GB18030},
        {"s02_gbk_stray92", PGN_ENC_GB18030},
        {"s03_bom_twice", PGN_ENC_UTF8},
        {"s04_utf16le", PGN_ENC_UTF16LE},
        {"s05_big5", PGN_ENC_BIG5},
        {"s06_gbk_trail", PGN_ENC_GB18030},
        {"s07_gbk_boundary", PGN_ENC_GB18030},
        {"s08_curly", PGN_ENC_UTF8},
        {"s10_cp1258", PGN_ENC_BYTES},
        {"s11_double", PGN_ENC_UTF8},
        {"s21_glued", PGN_ENC_UTF8},
        {"s45_cr", PGN_ENC_UTF8},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        char path[80];
        size_t n;
        snprintf(path, sizeof path, "tests/data/cases/%s.pgn", T[i].file);
        uint8_t *s = read_file(path, &n);
        for (int prior = PGN_ENC_AUTO; prior <= PGN_ENC_BIG5; prior++) {
            const pgn_encoding e =
                pgn_encoding_judge(s, n, (pgn_encoding)prior);
            if (e != T[i].e)
                fail_msg("%s with prior %d is judged %s", T[i].file, prior,
                         pgn_encoding_name(e));
        }
        free(s);
    }
}

static void pieces_of_text_are_judged(void **state)
{
    static const struct {
        const char *text;
        pgn_encoding prior, e;
    } T[] = {
        {"", PGN_ENC_AUTO, PGN_ENC_UTF8},
        {"[Red \"x\"]\n\n1. h2e2 *", PGN_ENC_AUTO, PGN_ENC_UTF8},
        {"[Red \"x\"]\n\n1. h2e2 *", PGN_ENC_BIG5, PGN_ENC_BIG5},
        /* one move decides, in either encoding */
        {"1. \xC5\xDA\xB6\xFE\xC6\xBD\xCE\xE5", PGN_ENC_BIG5, PGN_ENC_GB18030},
        {"1. \xAC\xB6\xA4\x47\xA5\xAD\xA4\xAD", PGN_ENC_GB18030, PGN_ENC_BIG5},
        {"1. \xC5\xDA"
         "2\xC6\xBD"
         "5",
         PGN_ENC_BIG5, PGN_ENC_GB18030},
        /* names only: what came before, else GB18030 */
        {"[Red \"\xAB\xD3\xAA\x4C\"]", PGN_ENC_BIG5, PGN_ENC_BIG5},
        {"[Red \"\xAB\xD3\xAA\x4C\"]", PGN_ENC_AUTO, PGN_ENC_GB18030},
        {"[Red \"\xAB\xD3\xAA\x4C\"]", PGN_ENC_UTF8, PGN_ENC_GB18030},
        /* UTF-8 with one bad byte, with moves and without */
        {"1. 炮二平五 {\x92} 馬８進７", PGN_ENC_GB18030, PGN_ENC_UTF8},
        {"[Red \"楊官璘\"] {\x92 }", PGN_ENC_AUTO, PGN_ENC_UTF8},
        /* UTF-8 cut in a character */
        {"[Red \"\xE6\xA5\x8A\xE5\xAE", PGN_ENC_GB18030, PGN_ENC_UTF8},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        const pgn_encoding e = pgn_encoding_judge(
            (const uint8_t *)T[i].text, strlen(T[i].text), T[i].prior);
        if (e != T[i].e)
            fail_msg("'%s' is judged %s", T[i].text, pgn_encoding_name(e));
    }
    assert_int_equal(pgn_encoding_judge((const uint8_t *)"[\0R\0e\0d\0 \0\"\0",
                                        12, PGN_ENC_AUTO),
                     PGN_ENC_UTF16LE);
    assert_int_equal(pgn_encoding_judge((const uint8_t *)"\0[\0R\0e\0d\0 \0\"",
                                        12, PGN_ENC_AUTO),
                     PGN_ENC_UTF16BE);
}

static void names_are_known_in_all_spellings(void **state)
{
    static const struct {
        const char *name;
        pgn_encoding e;
    } T[] = {
        {"auto", PGN_ENC_AUTO},        {"UTF-8", PGN_ENC_UTF8},
        {"utf8", PGN_ENC_UTF8},        {"GB18030", PGN_ENC_GB18030},
        {"gb2312", PGN_ENC_GBK},       {"GBK", PGN_ENC_GBK},
        {"cp936", PGN_ENC_GBK},        {"windows-936", PGN_ENC_GBK},
        {"Big5", PGN_ENC_BIG5},        {"big-5", PGN_ENC_BIG5},
        {"CP950", PGN_ENC_BIG5},       {"Big5-HKSCS", PGN_ENC_BIG5},
        {"hkscs", PGN_ENC_BIG5},       {"utf-16le", PGN_ENC_UTF16LE},
        {"UTF_16BE", PGN_ENC_UTF16BE}, {"bytes", PGN_ENC_BYTES},
    };
    static const char *const SAME[][2] = {
        {"windows-1258", "cp1258"},  {"WINDOWS_1252", "cp1252"},
        {"latin1", "iso-8859-1"},    {"latin-9", "iso-8859-15"},
        {"ISO8859-5", "iso-8859-5"}, {"KOI8R", "koi8-r"},
    };
    static const char *const UNKNOWN[] = {
        "",        "utf-9",
        "latin",   "latin0",
        "latin11", "big6",
        "windows", "a name that is much longer than any encoding has",
    };
    (void)state;
    pgn_encoding e;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        if (!pgn_encoding_of(T[i].name, &e) || e != T[i].e)
            fail_msg("%s", T[i].name);
    }
    for (size_t i = 0; i < sizeof SAME / sizeof *SAME; i++) {
        assert_true(pgn_encoding_of(SAME[i][0], &e));
        assert_string_equal(pgn_encoding_name(e), SAME[i][1]);
    }
    for (size_t i = 0; i < sizeof UNKNOWN / sizeof *UNKNOWN; i++)
        if (pgn_encoding_of(UNKNOWN[i], &e))
            fail_msg("'%s' is known", UNKNOWN[i]);
}

/* S10: with its name given, the text is Vietnamese, composed or not. */
static void a_code_page_can_be_named(void **state)
{
    (void)state;
    size_t n, len, bad;
    pgn_encoding e;
    assert_true(pgn_encoding_of("cp1258", &e));
    uint8_t *s = read_file("tests/data/cases/s10_cp1258.pgn", &n);
    char *text = decode(e, s, n, &len, &bad);
    assert_int_equal(bad, 0);
    assert_non_null(
        strstr(text, "C\xC6\xA1\xCC\x80 t\xC6\xB0\xC6\xA1\xCC\x81ng"));
    free(text);
    free(s);
}

/* ---- encoding ---- */

static void encode(pgn_encoding e, const char *s, size_t n, pgn_buf *b,
                   size_t *lost)
{
    *lost = 0;
    b->n = 0;
    assert_int_equal(pgn_encode(e, (xq_str){s, n}, b, lost), XQ_OK);
}

/* Each code point: what is written reads back, or is '?' and counted. */
static void what_is_written_reads_back(void **state)
{
    static const pgn_encoding E[] = {PGN_ENC_UTF8,    PGN_ENC_GB18030,
                                     PGN_ENC_GBK,     PGN_ENC_BIG5,
                                     PGN_ENC_UTF16LE, PGN_ENC_UTF16BE};
    (void)state;
    for (size_t k = 0; k < sizeof E / sizeof *E; k++) {
        pgn_buf b = {0};
        unsigned good = 0;
        for (uint32_t cp = 0; cp <= 0x10FFFF; cp += cp < 0x30000 ? 1 : 97) {
            if ((cp >= 0xD800 && cp <= 0xDFFF) || cp == 0xFEFF)
                continue;
            char utf8[5];
            size_t lost, len, bad;
            const size_t n = pgn_utf8_put(cp, utf8);
            utf8[n] = 0;
            encode(E[k], utf8, n, &b, &lost);
            char *back = decode(E[k], b.s, b.n, &len, &bad);
            if (lost ? strcmp(back, "?") != 0
                     : len != n || memcmp(back, utf8, n) != 0)
                fail_msg("%s: U+%04X reads back as '%s'",
                         pgn_encoding_name(E[k]), (unsigned)cp, back);
            if (E[k] == PGN_ENC_GBK && cp >= 0x80 && !lost)
                assert_int_equal(b.n, 2);
            good += !lost;
            free(back);
        }
        const unsigned least = E[k] == PGN_ENC_GBK    ? 21000
                               : E[k] == PGN_ENC_BIG5 ? 18000
                                                      : 190000;
        /* glibc's GB18030 lacks a few dozen private characters */
        if (good < least)
            fail_msg("%s: only %u", pgn_encoding_name(E[k]), good);
        pgn_buf_free(&b);
    }
}

/* Where several pairs mean one character, ours is the one iconv writes. */
static void pairs_are_written_as_iconv_writes_them(void **state)
{
    static const struct {
        pgn_encoding e;
        const char *name;
    } T[] = {{PGN_ENC_GBK, "GBK"},
             {PGN_ENC_GB18030, "GB18030"},
             {PGN_ENC_BIG5, "CP950"}};
    (void)state;
    for (size_t t = 0; t < sizeof T / sizeof *T; t++) {
        const iconv_t cd = iconv_open(T[t].name, "UTF-8");
        assert_true(cd != (iconv_t)-1);
        pgn_buf b = {0};
        for (uint32_t cp = 0x80; cp < 0x10000; cp++) {
            char utf8[4], want[32];
            if ((cp >= 0xD800 && cp <= 0xDFFF) || cp == 0xFEFF)
                continue;
            const size_t n = pgn_utf8_put(cp, utf8);
            ask_iconv(cd, (const uint8_t *)utf8, n, want);
            size_t lost;
            encode(T[t].e, utf8, n, &b, &lost);
            if (*want && strlen(want) > 1 &&
                (lost || b.n != strlen(want) || memcmp(b.s, want, b.n) != 0))
                fail_msg("%s: U+%04X", T[t].name, (unsigned)cp);
        }
        pgn_buf_free(&b);
        iconv_close(cd);
    }
}

static void what_cannot_be_written_is_counted(void **state)
{
    (void)state;
    pgn_buf b = {0};
    size_t lost;
    encode(PGN_ENC_BIG5, "帅五进一", strlen("帅五进一"), &b, &lost);
    assert_int_equal(lost, 2);
    assert_int_equal(b.n, 6);
    assert_memory_equal(b.s, "?\xA4\xAD?\xA4\x40", 6);
    encode(PGN_ENC_GBK, "a\xFF\xE7\x82 炮", 8, &b, &lost);
    assert_int_equal(lost, 3);
    assert_memory_equal(b.s, "a??? \xC5\xDA", 7);
    encode(PGN_ENC_UTF16LE, "\xFF", 1, &b, &lost);
    assert_memory_equal(b.s, "?\0", 2);
    /* the four letters of HKSCS that are two characters */
    const char *ring = "Ê\xCC\x84ê\xCC\x8CÊ";
    encode(PGN_ENC_BIG5, ring, strlen(ring), &b, &lost);
    assert_int_equal(lost, 0);
    assert_memory_equal(b.s, "\x88\x62\x88\xA5\x88\x66", 6);
    pgn_buf_free(&b);
}

/* ---- buf.h ---- */

static void buffers_grow_and_quote(void **state)
{
    (void)state;
    pgn_buf b = {0};
    pgn_buf_printf(&b, "%s", "");
    for (int i = 0; i < 1000; i++)
        pgn_buf_printf(&b, "%d,", i);
    assert_int_equal(b.n, 3890);
    b.n = 0;
    pgn_buf_json(&b, (xq_str){"a\"\\\n\t\x01炮\xFF\uFFFD", 13});
    assert_int_equal(b.n, strlen("\"a\\\"\\\\\\n\\t\\u0001炮" BAD BAD "\""));
    assert_memory_equal(b.s, "\"a\\\"\\\\\\n\\t\\u0001炮" BAD BAD "\"", b.n);
    b.n = 0;
    pgn_buf_visible(&b, xq_str_of("炮\x1b[1m\xFF\xC2\x85\xE2\x80\xAE"));
    assert_memory_equal(b.s, "炮\\x1B[1m\\xFF\\xC2\\x85\\xE2\\x80\\xAE", b.n);
    char big[600];
    memset(big, 'x', sizeof big);
    big[599] = 0;
    b.n = 0;
    pgn_buf_printf(&b, "%s%s", big, big);
    assert_int_equal(b.n, 1198);
    assert_null(pgn_buf_room(&b, SIZE_MAX));
    assert_true(b.failed);
    pgn_buf_free(&b);
    assert_int_equal(b.cap, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(move_characters_have_their_bytes),
        cmocka_unit_test(pairs_are_read_as_iconv_reads_them),
        cmocka_unit_test(four_byte_codes_are_read_as_iconv_reads_them),
        cmocka_unit_test(code_pages_are_read_as_iconv_reads_them),
        cmocka_unit_test(bad_bytes_are_lost_alone),
        cmocka_unit_test(utf16_is_read),
        cmocka_unit_test(byte_order_marks_are_dropped_anywhere),
        cmocka_unit_test(pieces_give_the_same_as_the_whole),
        cmocka_unit_test(output_leads_back_to_input),
        cmocka_unit_test(bad_bytes_are_found),
        cmocka_unit_test(characters_may_straddle_any_boundary),
        cmocka_unit_test(files_are_judged),
        cmocka_unit_test(pieces_of_text_are_judged),
        cmocka_unit_test(names_are_known_in_all_spellings),
        cmocka_unit_test(a_code_page_can_be_named),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(pairs_are_written_as_iconv_writes_them),
        cmocka_unit_test(what_cannot_be_written_is_counted),
        cmocka_unit_test(buffers_grow_and_quote),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
