/* repair_path.c - the ways on which text is encoded twice, back and forth.
 *
 * A way is an encoding that the text had and one that it was read in; what it
 * is saved in then, UTF-8 nearly always, does not matter. */
#include "libpgn/repair_path.h"

#include <string.h>

#include "libpgn/text.h"

/* The encoding that a text was read in. */
enum reader { LATIN1, GBK, BIG5 };

static const struct way {
    pgn_encoding real;
    enum reader wrong;
    const char *name;
} WAYS[PGN_DAMAGES] = {
    [PGN_UNDAMAGED] = {PGN_ENC_UTF8, LATIN1, "not damaged"},
    [PGN_UTF8_AS_LATIN1] = {PGN_ENC_UTF8, LATIN1, "UTF-8 read as Latin-1"},
    [PGN_GBK_AS_LATIN1] = {PGN_ENC_GB18030, LATIN1, "GBK read as Latin-1"},
    [PGN_BIG5_AS_LATIN1] = {PGN_ENC_BIG5, LATIN1, "Big5 read as Latin-1"},
    [PGN_UTF8_AS_GBK] = {PGN_ENC_UTF8, GBK, "UTF-8 read as GBK"},
    [PGN_BIG5_AS_GBK] = {PGN_ENC_BIG5, GBK, "Big5 read as GBK"},
    [PGN_UTF8_AS_BIG5] = {PGN_ENC_UTF8, BIG5, "UTF-8 read as Big5"},
    [PGN_GBK_AS_BIG5] = {PGN_ENC_GB18030, BIG5, "GBK read as Big5"},
};

const char *pgn_damage_name(pgn_damage d)
{
    return WAYS[d < PGN_DAMAGES ? d : PGN_UNDAMAGED].name;
}

bool pgn_path_was_utf8(pgn_damage d) { return WAYS[d].real == PGN_ENC_UTF8; }

bool pgn_path_was_latin1(pgn_damage d) { return WAYS[d].wrong == LATIN1; }

bool pgn_path_same_reader(pgn_damage a, pgn_damage b)
{
    return WAYS[a].wrong == WAYS[b].wrong;
}

/* No encoding has this byte: FF stands for what is not known. */
enum { UNKNOWN = 0xFF };

static void put(pgn_buf *b, unsigned c)
{
    const char byte = (char)c;
    pgn_buf_add(b, &byte, 1);
}

/* ---- Latin-1, Windows-1252 ---- */

/* What Windows-1252 has in place of the controls 80 to 9F; 0: nothing, and
 * Windows itself leaves the control there. */
static const uint16_t PAGE_1252[32] = {
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
    0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

static unsigned byte_of_1252(uint32_t cp)
{
    for (unsigned i = 0; i < 32; i++)
        if (PAGE_1252[i] == cp)
            return 0x80 + i;
    return UNKNOWN;
}

static void latin1_bytes(xq_str s, pgn_buf *out, bool *sure)
{
    for (size_t i = 0, len; i < s.n; i += len) {
        const uint32_t cp = pgn_utf8_next(s.s + i, s.n - i, &len);
        const unsigned c = cp < 0x100 ? cp : byte_of_1252(cp);
        *sure = *sure && !(cp >= 0x100 && c == UNKNOWN);
        put(out, c);
    }
}

/* As Windows-1252 where `windows`, else as Latin-1. */
static void latin1_text(const pgn_buf *b, bool windows, pgn_buf *out)
{
    for (size_t i = 0; i < b->n; i++) {
        const unsigned c = (unsigned char)b->s[i];
        const unsigned cp =
            windows && c >= 0x80 && c < 0xA0 ? PAGE_1252[c - 0x80] : 0;
        char u[4];
        pgn_buf_add(out, u, pgn_utf8_put(cp ? cp : c, u));
    }
}

/* ---- GBK, Big5 ---- */

/* How many bytes of UTF-8 are still due behind c when `due` were before it;
 * -1: c may not stand here. */
static int utf8_due(int due, unsigned c)
{
    if (due > 0)
        return (c & 0xC0) == 0x80 ? due - 1 : -1;
    return c < 0x80 ? 0 : c < 0xC2 ? -1 : c < 0xE0 ? 1 : c < 0xF0 ? 2 : 3;
}

enum { EURO = 0x20AC, EURO_PAIR = 0xA2E3 };

/* Does the text, from its next character on, begin with the second or a later
 * byte of a character of UTF-8? */
static bool goes_on(const char *s, size_t n)
{
    size_t len;
    const uint32_t cp = n ? pgn_utf8_next(s, n, &len) : 0;
    const unsigned c =
        cp == EURO ? 0x80 : pgn_encode_pair(PGN_ENC_GB18030, cp) >> 8;
    return (c & 0xC0) == 0x80;
}

/* The byte 80 and the pair A2E3 both show as the euro sign.  In UTF-8 only one
 * of them can stand in any place: A2 ends a character, and E3 begins one that
 * goes on; 80 ends one, or stands in the middle of it. */
static void utf8_from_gbk(xq_str s, pgn_buf *out, bool *sure)
{
    int due = 0;
    for (size_t i = 0, len; i < s.n; i += len) {
        const uint32_t cp = pgn_utf8_next(s.s + i, s.n - i, &len);
        unsigned v = cp < 0x80 ? cp : pgn_encode_pair(PGN_ENC_GB18030, cp);
        if (cp == EURO)
            v = due == 1 && goes_on(s.s + i + len, s.n - i - len) ? EURO_PAIR
                                                                  : 0x80;
        if (!v && cp) {
            v = UNKNOWN;
            *sure = false;
        }
        if (v > 0xFF) {
            put(out, v >> 8);
            due = utf8_due(due, v >> 8);
        }
        put(out, v & 0xFF);
        due = utf8_due(due < 0 ? 0 : due, v & 0xFF);
        due = due < 0 ? 0 : due;
    }
}

static void pair_bytes(pgn_encoding e, xq_str s, pgn_buf *out, bool *sure)
{
    for (size_t i = 0, len; i < s.n; i += len) {
        const uint32_t cp = pgn_utf8_next(s.s + i, s.n - i, &len);
        unsigned v = cp < 0x80 ? cp : pgn_encode_pair(e, cp);
        if (!v && e == PGN_ENC_BIG5)
            v = pgn_big5_web_pair(cp);
        if (v > 0xFF)
            put(out, v >> 8);
        *sure = *sure && (v || !cp);
        put(out, v || !cp ? v & 0xFF : UNKNOWN);
    }
}

/* ---- any encoding ---- */

/* Append in[0..n) of encoding e as UTF-8; true when all of it was good. */
static bool decode(pgn_encoding e, const char *in, size_t n, pgn_buf *out)
{
    size_t used, bad = 0;
    char *to = pgn_buf_room(out, pgn_decode_bound(n));
    if (!to)
        return false;
    out->n += pgn_decode(e, (const uint8_t *)in, n, true, to, &used, &bad);
    return bad == 0;
}

/* GBK with the euro sign as 80. */
static void gbk_text(const pgn_buf *b, pgn_buf *out)
{
    size_t from = 0, i = 0;
    while (i < b->n) {
        if ((unsigned char)b->s[i] == 0x80) {
            decode(PGN_ENC_GB18030, b->s + from, i - from, out);
            pgn_buf_puts(out, "€");
            from = ++i;
        } else {
            i += b->s[i] & 0x80 ? 2 : 1;
        }
    }
    decode(PGN_ENC_GB18030, b->s + from, b->n - from, out);
}

/* Big5 as browsers read it. */
static void big5_web_text(const pgn_buf *b, pgn_buf *out)
{
    for (size_t i = 0, n; i < b->n; i += n) {
        const uint8_t *s = (const uint8_t *)b->s + i;
        n = s[0] & 0x80 && b->n - i > 1 ? 2 : 1;
        const uint32_t cp =
            n == 2 ? pgn_big5_web_char((unsigned)s[0] << 8 | s[1]) : 0;
        char u[4];
        if (cp)
            pgn_buf_add(out, u, pgn_utf8_put(cp, u));
        else
            decode(PGN_ENC_BIG5, b->s + i, n, out);
    }
}

void pgn_path_bytes(pgn_damage d, xq_str text, pgn_buf *bytes, bool *sure)
{
    *sure = true;
    if (WAYS[d].wrong == LATIN1)
        latin1_bytes(text, bytes, sure);
    else if (d == PGN_UTF8_AS_GBK)
        utf8_from_gbk(text, bytes, sure);
    else
        pair_bytes(WAYS[d].wrong == GBK ? PGN_ENC_GB18030 : PGN_ENC_BIG5, text,
                   bytes, sure);
}

bool pgn_path_text(pgn_damage d, const pgn_buf *bytes, pgn_buf *text)
{
    const xq_str s = {bytes->s, bytes->n};
    if (WAYS[d].real == PGN_ENC_UTF8 && pgn_utf8_valid(s)) {
        pgn_buf_add(text, s.s, s.n); /* with its byte order mark */
        return true;
    }
    return decode(WAYS[d].real, s.s, s.n, text);
}

static bool same(const pgn_buf *b, xq_str s)
{
    return !b->failed && xq_str_eq((xq_str){b->s, b->n}, s);
}

bool pgn_path_leads(pgn_damage d, xq_str text, const pgn_buf *bytes,
                    xq_str wrong, pgn_buf *scratch)
{
    size_t lost = 0;
    scratch->n = 0;
    if (pgn_encode(WAYS[d].real, text, scratch, &lost) != XQ_OK || lost ||
        !same(scratch, (xq_str){bytes->s, bytes->n}))
        return false;
    scratch->n = 0;
    switch (WAYS[d].wrong) {
    case GBK:
        gbk_text(bytes, scratch);
        break;
    case BIG5:
        decode(PGN_ENC_BIG5, bytes->s, bytes->n, scratch);
        if (same(scratch, wrong))
            return true;
        scratch->n = 0;
        big5_web_text(bytes, scratch);
        break;
    case LATIN1:
        latin1_text(bytes, true, scratch);
        if (same(scratch, wrong))
            return true;
        scratch->n = 0;
        latin1_text(bytes, false, scratch);
        break;
    }
    return same(scratch, wrong);
}
