/* mktext.c - writes libpgn_text.inc, the tables of text.c.
 *
 * A host program: the build runs it once.  What each byte pair means is
 * asked of iconv(3), so that the tables are nobody's typing; the library
 * itself then needs no iconv. */
#include <iconv.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static iconv_t open_iconv(const char *to, const char *from)
{
    const iconv_t cd = iconv_open(to, from);
    if (cd == (iconv_t)-1) {
        fprintf(stderr, "mktext: this system's iconv lacks %s -> %s\n", from,
                to);
        exit(1);
    }
    return cd;
}

/* Convert in[0..n); the length of the result, 0 when it is not exact. */
static size_t convert(iconv_t cd, const uint8_t *in, size_t n, uint8_t out[16])
{
    char *from = (char *)(uintptr_t)in, *to = (char *)out;
    size_t left = n, room = 16;
    iconv(cd, NULL, NULL, NULL, NULL);
    /* A positive result: something was approximated. */
    if (iconv(cd, &from, &left, &to, &room) != 0 || left)
        return 0;
    if (iconv(cd, NULL, NULL, &to, &room) != 0)
        return 0;
    return 16 - room;
}

/* Up to four bytes of UTF-8, the first one lowest; 0: nothing. */
static uint32_t pack(const uint8_t *s, size_t n)
{
    uint32_t v = 0;
    for (size_t i = 0; i < n && n <= 4; i++)
        v |= (uint32_t)s[i] << (8 * i);
    return v;
}

static size_t put_utf8(uint32_t cp, uint8_t out[4])
{
    if (cp < 0x80)
        return out[0] = (uint8_t)cp, 1;
    if (cp < 0x800) {
        out[0] = (uint8_t)(0xC0 | cp >> 6);
        out[1] = (uint8_t)(0x80 | (cp & 63));
        return 2;
    }
    if (cp < 0x10000) {
        out[0] = (uint8_t)(0xE0 | cp >> 12);
        out[1] = (uint8_t)(0x80 | (cp >> 6 & 63));
        out[2] = (uint8_t)(0x80 | (cp & 63));
        return 3;
    }
    out[0] = (uint8_t)(0xF0 | cp >> 18);
    out[1] = (uint8_t)(0x80 | (cp >> 12 & 63));
    out[2] = (uint8_t)(0x80 | (cp >> 6 & 63));
    out[3] = (uint8_t)(0x80 | (cp & 63));
    return 4;
}

/* The single code point in v, 0 when it is two (base and mark) or none. */
static uint32_t unpack(uint32_t v)
{
    const uint32_t a = v & 255, b = v >> 8 & 63, c = v >> 16 & 63,
                   d = v >> 24 & 63;
    if (a >= 0xF0)
        return (a & 7) << 18 | b << 12 | c << 6 | d;
    if (a >= 0xE0)
        return (a & 15) << 12 | b << 6 | c;
    if (a >= 0xC0 && v < 0x10000)
        return (a & 31) << 6 | b;
    return 0;
}

/* ---- two-byte tables, index (lead & 127) << 8 | trail ---- */

enum { PAIRS = 0x8000 };
static uint32_t gb[PAIRS], big5[PAIRS], hkscs[PAIRS];

static void fill_pairs(uint32_t *t, const char *encoding)
{
    const iconv_t cd = open_iconv("UTF-8", encoding);
    for (uint32_t i = 0; i < PAIRS; i++) {
        const uint8_t in[2] = {(uint8_t)(0x80 | i >> 8), (uint8_t)i};
        uint8_t out[16];
        if (t[i] || in[0] == 0x80 || in[0] == 0xFF || in[1] < 0x30)
            continue;
        /* A lead byte that stands for a character of its own, as FF does in
         * some tables, would give two characters here. */
        const size_t alone = convert(cd, in, 1, out);
        const size_t n = alone ? 0 : convert(cd, in, 2, out);
        if (n >= 2)
            t[i] = pack(out, n);
    }
    iconv_close(cd);
}

static void print_u32(const char *name, const uint32_t *v, size_t n)
{
    printf("static const uint32_t %s[%zu] = {", name, n);
    for (size_t i = 0; i < n; i++)
        v[i] ? printf("%s0x%X,", i % 8 ? "" : "\n", v[i])
             : printf("%s0,", i % 8 ? "" : "\n");
    printf("\n};\n");
}

/* ---- the way back: pages of 256 code points ---- */

enum { ROWS = 0x300 }; /* planes 0 to 2 */
static uint16_t back[ROWS * 256];

/* in_gbk: bit 15, set in every pair, is kept only where GBK has it too. */
static void print_back(const char *name, const uint32_t *t, iconv_t first,
                       iconv_t second, iconv_t in_gbk)
{
    memset(back, 0, sizeof back);
    for (uint32_t i = 0; i < PAIRS; i++) {
        const uint32_t cp = unpack(t[i]);
        if (!cp || cp >= ROWS * 256)
            continue;
        /* Several pairs may mean one character: write the one that iconv
         * writes. */
        uint8_t utf8[4], out[16];
        const size_t n = put_utf8(cp, utf8);
        uint16_t pair = (uint16_t)(0x8000 | i);
        for (int k = 0; k < 2; k++) {
            if (convert(k ? second : first, utf8, n, out) != 2)
                continue;
            if (t[(out[0] & 127) << 8 | out[1]] != t[i])
                continue;
            pair = (uint16_t)(out[0] << 8 | out[1]);
            break;
        }
        if (in_gbk && convert(in_gbk, utf8, n, out) != 2)
            pair &= 0x7FFF;
        if (!back[cp])
            back[cp] = pair;
    }
    printf("static const uint16_t %s_rows[][256] = {\n{0},\n", name);
    uint16_t row_of[ROWS] = {0};
    unsigned rows = 1;
    for (size_t r = 0; r < ROWS; r++) {
        bool used = false;
        for (size_t i = 0; i < 256; i++)
            used |= back[r * 256 + i] != 0;
        if (!used)
            continue;
        row_of[r] = (uint16_t)rows++;
        printf("{");
        for (size_t i = 0; i < 256; i++)
            printf("%s%u,", i % 16 ? "" : "\n", back[r * 256 + i]);
        printf("\n},\n");
    }
    printf("};\nstatic const uint16_t %s_row_of[%d] = {", name, ROWS);
    for (size_t r = 0; r < ROWS; r++)
        printf("%s%u,", r % 16 ? "" : "\n", row_of[r]);
    printf("\n};\n");
}

/* ---- GB18030's four-byte codes below U+10000, as runs ---- */

static void print_gb_runs(void)
{
    const iconv_t cd = open_iconv("UTF-8", "GB18030");
    printf("/* linear code, code point, how many */\n"
           "static const struct gb_run { uint16_t linear, cp, n; } "
           "gb_runs[] = {\n");
    uint32_t at = 0, cp0 = 0, n = 0;
    for (uint32_t i = 0; i <= 39420; i++) {
        const uint8_t in[4] = {
            (uint8_t)(0x81 + i / 12600), (uint8_t)(0x30 + i / 1260 % 10),
            (uint8_t)(0x81 + i / 10 % 126), (uint8_t)(0x30 + i % 10)};
        uint8_t out[16];
        const size_t len = i < 39420 ? convert(cd, in, 4, out) : 0;
        const uint32_t cp = len >= 2 && len <= 3 ? unpack(pack(out, len)) : 0;
        if (n && cp == cp0 + n) {
            n++;
            continue;
        }
        if (n)
            printf("{%u, 0x%X, %u},\n", at, cp0, n);
        at = i;
        cp0 = cp;
        n = cp != 0;
    }
    printf("};\n");
    iconv_close(cd);
}

/* Big5-HKSCS pairs that are a letter and a combining mark. */
static void print_composed(void)
{
    printf("static const struct big5_composed { uint32_t utf8; uint16_t pair; "
           "} big5_composed[] = {\n");
    for (uint32_t i = 0; i < PAIRS; i++)
        if (big5[i] && !unpack(big5[i]))
            printf("{0x%X, 0x%X},\n", big5[i], 0x8000 | i);
    printf("};\n");
}

/* Where CP950 has characters for private use only, and browsers, which go by
 * HKSCS there, others. */
static void print_web(void)
{
    printf("static const struct big5_web { uint16_t pair; uint32_t cp; } "
           "big5_web[] = {\n");
    for (uint32_t i = 0; i < PAIRS; i++) {
        const uint32_t own = unpack(big5[i]), web = unpack(hkscs[i]);
        if (own >= 0xE000 && own <= 0xF8FF && web && web != own)
            printf("{0x%X, 0x%X},\n", 0x8000 | i, web);
    }
    printf("};\n");
}

/* ---- single-byte code pages ---- */

static void print_pages(void)
{
    static const char *const PAGES[] = {
        "cp1250",      "cp1251",      "cp1252",      "cp1253",
        "cp1254",      "cp1255",      "cp1256",      "cp1257",
        "cp1258",      "iso-8859-1",  "iso-8859-2",  "iso-8859-3",
        "iso-8859-4",  "iso-8859-5",  "iso-8859-6",  "iso-8859-7",
        "iso-8859-8",  "iso-8859-9",  "iso-8859-10", "iso-8859-11",
        "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16",
        "koi8-r",      "koi8-u",      "cp437",       "cp850",
        "cp852",       "cp855",       "cp858",       "cp866",
        "cp874",
    };
    printf("static const struct page { const char *name; uint32_t utf8[128]; "
           "} pages[] = {\n");
    for (size_t k = 0; k < sizeof PAGES / sizeof *PAGES; k++) {
        const iconv_t cd = iconv_open("UTF-8", PAGES[k]);
        if (cd == (iconv_t)-1)
            continue; /* text.c has one encoding less */
        printf("{\"%s\", {", PAGES[k]);
        for (unsigned i = 0; i < 128; i++) {
            const uint8_t in = (uint8_t)(0x80 + i);
            uint8_t out[16];
            const size_t n = convert(cd, &in, 1, out);
            printf("%s0x%X,", i % 8 ? "" : "\n", n ? pack(out, n) : 0);
        }
        printf("\n}},\n");
        iconv_close(cd);
    }
    printf("};\n");
}

int main(void)
{
    fill_pairs(gb, "GB18030");
    fill_pairs(big5, "CP950");
    fill_pairs(big5, "BIG5-HKSCS"); /* only what is still free */
    fill_pairs(hkscs, "BIG5-HKSCS");
    printf("/* Written by libpgn/mktext.c. */\n");
    print_u32("gb_utf8", gb, PAIRS);
    print_u32("big5_utf8", big5, PAIRS);
    print_gb_runs();
    print_composed();
    print_web();
    print_back("gb", gb, open_iconv("GB18030", "UTF-8"),
               open_iconv("GBK", "UTF-8"), open_iconv("GBK", "UTF-8"));
    print_back("big5", big5, open_iconv("CP950", "UTF-8"),
               open_iconv("BIG5-HKSCS", "UTF-8"), NULL);
    print_pages();
    return fflush(stdout) || ferror(stdout);
}
