/* text.c - bytes of unknown encoding to UTF-8, and back.
 *
 * Every encoding has one function that reads one character slowly and
 * completely (`step`); the decoders of the three that matter run fast over
 * what is plain (ASCII, good pairs, three-byte UTF-8) and call it for the
 * rest.  Everything else here is built on the two. */
#include "libpgn/text.h"

#include <string.h>

#include "libpgn/notation.h"
#include "libpgn_text.inc"

/* libpgn_text.inc, written by mktext.c:
 *   gb_utf8, big5_utf8   [(lead & 127) << 8 | trail] -> up to four bytes of
 *                        UTF-8, the first lowest; 0: no character
 *   gb_runs              four-byte GB18030 below U+10000
 *   gb_rows, gb_row_of, big5_rows, ...   code point -> pair
 *   big5_web             where browsers read Big5 otherwise
 *   pages                single-byte code pages */

enum { NPAGES = sizeof pages / sizeof *pages };

/* ---- bits ---- */

#define HIGH_BITS UINT64_C(0x8080808080808080)

/* Eight bytes, the first one lowest. */
static inline uint64_t load8(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    v = __builtin_bswap64(v);
#endif
    return v;
}

static inline uint32_t load4(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
           (uint32_t)p[3] << 24;
}

static inline void store4(char *o, uint32_t v)
{
    o[0] = (char)v;
    o[1] = (char)(v >> 8);
    o[2] = (char)(v >> 16);
    o[3] = (char)(v >> 24);
}

/* How many of the eight bytes are ASCII before the first that is not; high
 * is v & HIGH_BITS, not 0. */
static inline unsigned ascii_before(uint64_t high)
{
    return (unsigned)__builtin_ctzll(high) >> 3;
}

/* A packed character of three bytes, as nearly all are. */
static inline bool is_packed_3(uint32_t v) { return v - 0x10000 < 0xFF0000; }

/* Length of a packed character (v != 0). */
static inline unsigned packed_len(uint32_t v)
{
    return 4 - ((unsigned)__builtin_clz(v) >> 3);
}

/* The code point of a packed character; of two, the first. */
static uint32_t packed_cp(uint32_t v)
{
    const uint32_t a = v & 255, b = v >> 8 & 63, c = v >> 16 & 63,
                   d = v >> 24 & 63;
    if (a < 0xE0)
        return (a & 31) << 6 | b;
    if (a < 0xF0)
        return (a & 15) << 12 | b << 6 | c;
    return (a & 7) << 18 | b << 12 | c << 6 | d;
}

/* ---- UTF-8 ---- */

size_t pgn_utf8_put(uint32_t cp, char out[4])
{
    if (cp < 0x80) {
        out[0] = (char)cp;
        return 1;
    }
    if (cp < 0x800) {
        out[0] = (char)(0xC0 | cp >> 6);
        out[1] = (char)(0x80 | (cp & 63));
        return 2;
    }
    if (cp < 0x10000) {
        out[0] = (char)(0xE0 | cp >> 12);
        out[1] = (char)(0x80 | (cp >> 6 & 63));
        out[2] = (char)(0x80 | (cp & 63));
        return 3;
    }
    out[0] = (char)(0xF0 | cp >> 18);
    out[1] = (char)(0x80 | (cp >> 12 & 63));
    out[2] = (char)(0x80 | (cp >> 6 & 63));
    out[3] = (char)(0x80 | (cp & 63));
    return 4;
}

/* Length of the character at p[0..n), n > 0: 1 to 4; 0 when it is bad, -1
 * when it is good as far as it goes and the end cuts it. */
static int utf8_len(const uint8_t *p, size_t n)
{
    const uint8_t a = p[0];
    if (a < 0x80)
        return 1;
    const int len = a < 0xC2   ? 0
                    : a < 0xE0 ? 2
                    : a < 0xF0 ? 3
                    : a < 0xF5 ? 4
                               : 0;
    if (!len)
        return 0;
    if (n < 2)
        return -1;
    /* No overlong forms, no surrogates, nothing above U+10FFFF. */
    const uint8_t low = a == 0xE0 ? 0xA0 : a == 0xF0 ? 0x90 : 0x80;
    const uint8_t high = a == 0xED ? 0x9F : a == 0xF4 ? 0x8F : 0xBF;
    if (p[1] < low || p[1] > high)
        return 0;
    for (int i = 2; i < len; i++) {
        if ((size_t)i >= n)
            return -1;
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    }
    return len;
}

uint32_t pgn_utf8_next(const char *s, size_t n, size_t *len)
{
    const uint8_t *p = (const uint8_t *)s;
    const int k = utf8_len(p, n);
    *len = k > 0 ? (size_t)k : 1;
    switch (k) {
    case 1:
        return p[0];
    case 2:
        return (p[0] & 31u) << 6 | (p[1] & 63u);
    case 3:
        return (p[0] & 15u) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u);
    case 4:
        return (p[0] & 7u) << 18 | (p[1] & 63u) << 12 | (p[2] & 63u) << 6 |
               (p[3] & 63u);
    default:
        return 0xFFFD;
    }
}

/* Three-byte characters, most of Chinese text.  v: four bytes. */
static inline bool is_utf8_3(uint32_t v)
{
    if ((v & 0xC0C0F0) != 0x8080E0)
        return false;
    const uint32_t top = v & 0x200F; /* E0: A0.. only; ED: ..9F only */
    return top != 0 && top != 0x200D;
}

/* Behind the longest good and complete beginning of p[0..n). */
static size_t utf8_good(const uint8_t *p, size_t n)
{
    size_t i = 0;
    while (i < n) {
        if (n - i >= 8) {
            const uint64_t high = load8(p + i) & HIGH_BITS;
            if (!high) {
                i += 8;
                continue;
            }
            i += ascii_before(high);
            while (n - i >= 4 && is_utf8_3(load4(p + i)))
                i += 3;
            if (i == n)
                break;
        }
        const int len = utf8_len(p + i, n - i);
        if (len <= 0)
            break;
        i += (size_t)len;
    }
    return i;
}

bool pgn_utf8_valid(xq_str s)
{
    return utf8_good((const uint8_t *)s.s, s.n) == s.n;
}

/* ---- one character of any encoding ---- */

/* What step found. */
struct step {
    unsigned in;  /* bytes taken; 0: cut by the end of input */
    unsigned out; /* bytes written */
    bool bad;     /* replaced */
};

static struct step step_bad(unsigned in, char *o)
{
    memcpy(o, "\xEF\xBF\xBD", 3);
    return (struct step){in, 3, true};
}

static struct step step_cut(bool final, char *o)
{
    return final ? step_bad(1, o) : (struct step){0};
}

static struct step step_cp(unsigned in, uint32_t cp, char *o)
{
    if (cp == 0xFEFF) /* a byte order mark */
        return (struct step){in, 0, false};
    return (struct step){in, (unsigned)pgn_utf8_put(cp, o), false};
}

static struct step step_utf8(const uint8_t *p, size_t n, bool final, char *o)
{
    const int len = utf8_len(p, n);
    if (len < 0)
        return step_cut(final, o);
    if (len == 0)
        return step_bad(1, o);
    if (len == 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0)
        return (struct step){3, 0, false};
    memcpy(o, p, (size_t)len);
    return (struct step){(unsigned)len, (unsigned)len, false};
}

static bool is_lead(uint8_t c) { return c > 0x80 && c < 0xFF; }

/* Four-byte GB18030: lead, digit, lead, digit count linearly. */
static uint32_t gb_four(const uint8_t p[4])
{
    const uint32_t linear =
        (((p[0] - 0x81u) * 10 + (p[1] - 0x30u)) * 126 + (p[2] - 0x81u)) * 10 +
        (p[3] - 0x30u);
    if (linear >= 189000)
        return linear - 189000 < 0x100000 ? linear - 189000 + 0x10000 : 0;
    size_t a = 0, b = sizeof gb_runs / sizeof *gb_runs;
    while (a < b) {
        const size_t m = (a + b) / 2;
        const struct gb_run *r = &gb_runs[m];
        if (linear < r->linear)
            b = m;
        else if (linear - r->linear >= r->n)
            a = m + 1;
        else
            return r->cp + (linear - r->linear);
    }
    return 0;
}

/* GB18030 (`four`) or Big5. */
static struct step step_pair(const uint32_t *table, bool four, const uint8_t *p,
                             size_t n, bool final, char *o)
{
    if (p[0] < 0x80) {
        o[0] = (char)p[0];
        return (struct step){1, 1, false};
    }
    if (!is_lead(p[0]))
        return step_bad(1, o);
    if (n < 2)
        return step_cut(final, o);
    if (four && p[1] >= 0x30 && p[1] <= 0x39) {
        if (n > 2 && !is_lead(p[2]))
            return step_bad(1, o);
        if (n < 4)
            return step_cut(final, o);
        const uint32_t cp = p[3] >= 0x30 && p[3] <= 0x39 ? gb_four(p) : 0;
        return cp ? step_cp(4, cp, o) : step_bad(1, o);
    }
    const uint32_t v = table[(p[0] & 127u) << 8 | p[1]];
    if (!v)
        return step_bad(1, o);
    store4(o, v);
    return (struct step){2, packed_len(v), false};
}

static struct step step_utf16(bool big, const uint8_t *p, size_t n, bool final,
                              char *o)
{
    if (n < 2)
        return step_cut(final, o);
    const uint32_t a = big ? p[0] << 8 | p[1] : p[1] << 8 | p[0];
    if (a < 0xD800 || a > 0xDFFF)
        return step_cp(2, a, o);
    if (a > 0xDBFF)
        return step_bad(2, o);
    if (n < 4 && !final)
        return (struct step){0};
    const uint32_t b =
        n < 4 ? 0 : (uint32_t)(big ? p[2] << 8 | p[3] : p[3] << 8 | p[2]);
    if (b < 0xDC00 || b > 0xDFFF)
        return step_bad(2, o);
    return step_cp(4, 0x10000 + ((a - 0xD800) << 10) + (b - 0xDC00), o);
}

static struct step step_byte(uint8_t c, char *o)
{
    static const char HEX[] = "0123456789ABCDEF";
    if (c < 0x80) {
        o[0] = (char)c;
        return (struct step){1, 1, false};
    }
    o[0] = '\\';
    o[1] = 'x';
    o[2] = HEX[c >> 4];
    o[3] = HEX[c & 15];
    return (struct step){1, 4, true};
}

static struct step step_page(unsigned page, uint8_t c, char *o)
{
    if (c < 0x80) {
        o[0] = (char)c;
        return (struct step){1, 1, false};
    }
    const uint32_t v = page < NPAGES ? pages[page].utf8[c - 0x80] : 0;
    if (!v)
        return step_bad(1, o);
    store4(o, v);
    return (struct step){1, packed_len(v), false};
}

/* Decode the character at p[0..n), n > 0, to o, which has room for 8. */
static struct step step(pgn_encoding e, const uint8_t *p, size_t n, bool final,
                        char *o)
{
    switch (e) {
    case PGN_ENC_AUTO:
    case PGN_ENC_UTF8:
        return step_utf8(p, n, final, o);
    case PGN_ENC_GB18030:
    case PGN_ENC_GBK:
        return step_pair(gb_utf8, true, p, n, final, o);
    case PGN_ENC_BIG5:
        return step_pair(big5_utf8, false, p, n, final, o);
    case PGN_ENC_UTF16LE:
    case PGN_ENC_UTF16BE:
        return step_utf16(e == PGN_ENC_UTF16BE, p, n, final, o);
    case PGN_ENC_BYTES:
        return step_byte(p[0], o);
    case PGN_ENC_OTHER:
        break;
    }
    return step_page((unsigned)e - PGN_ENC_OTHER, p[0], o);
}

/* ---- decoding ---- */

/* A run: how far reading and writing have come. */
struct run {
    const uint8_t *p, *end;
    char *o;
};

/* Take all that is plain; stop where `step` has to look, or near the end.
 * Stores may reach 8 bytes beyond r->o: pgn_decode_bound allows for it. */
static inline void run_pairs(struct run *r, const uint32_t *table)
{
    const uint8_t *p = r->p, *const end = r->end;
    char *o = r->o;
    while (end - p >= 8) {
        const uint64_t high = load8(p) & HIGH_BITS;
        memcpy(o, p, 8);
        if (!high) {
            p += 8;
            o += 8;
            continue;
        }
        p += ascii_before(high);
        o += ascii_before(high);
        while (end - p >= 2 && p[0] >= 0x80) {
            const uint32_t v = table[(p[0] & 127u) << 8 | p[1]];
            if (!v)
                goto out;
            store4(o, v);
            o += is_packed_3(v) ? 3 : packed_len(v);
            p += 2;
        }
    }
out:
    r->p = p;
    r->o = o;
}

static inline void run_utf8(struct run *r)
{
    const uint8_t *p = r->p, *const end = r->end;
    char *o = r->o;
    while (end - p >= 8) {
        const uint64_t high = load8(p) & HIGH_BITS;
        memcpy(o, p, 8);
        if (!high) {
            p += 8;
            o += 8;
            continue;
        }
        p += ascii_before(high);
        o += ascii_before(high);
        const uint8_t *const from = p;
        while (end - p >= 4) {
            const uint32_t v = load4(p);
            if (!is_utf8_3(v) || (v & 0xFFFFFF) == 0xBFBBEF)
                break;
            memcpy(o, p, 4);
            o += 3;
            p += 3;
        }
        if (p == from)
            break;
    }
    r->p = p;
    r->o = o;
}

size_t pgn_decode(pgn_encoding e, const uint8_t *in, size_t n, bool final,
                  char *out, size_t *used, size_t *bad)
{
    *used = 0;
    if (!n)
        return 0; /* `in` may be NULL */
    struct run r = {in, in + n, out};
    while (r.p < r.end) {
        if (e == PGN_ENC_GB18030 || e == PGN_ENC_GBK)
            run_pairs(&r, gb_utf8);
        else if (e == PGN_ENC_BIG5)
            run_pairs(&r, big5_utf8);
        else if (e == PGN_ENC_UTF8 || e == PGN_ENC_AUTO)
            run_utf8(&r);
        if (r.p == r.end)
            break;
        const struct step s = step(e, r.p, (size_t)(r.end - r.p), final, r.o);
        if (!s.in)
            break;
        r.p += s.in;
        r.o += s.out;
        *bad += s.bad;
    }
    *used = (size_t)(r.p - in);
    return (size_t)(r.o - out);
}

size_t pgn_decode_offset(pgn_encoding e, const uint8_t *in, size_t n, size_t at)
{
    enum { PIECE = 1024 };
    char out[4 * PIECE + 8];
    size_t i = 0, written = 0;
    /* Pieces at full speed, none beyond `at` (a byte becomes four at most);
     * the rest character by character. */
    while (at - written >= 64) {
        size_t used, bad = 0;
        size_t piece = (at - written) / 4;
        piece = piece < PIECE ? piece : PIECE;
        if (piece >= n - i)
            break;
        const size_t got =
            pgn_decode(e, in + i, piece, false, out, &used, &bad);
        if (written + got > at || !used)
            break;
        i += used;
        written += got;
    }
    while (i < n) {
        const struct step s = step(e, in + i, n - i, true, out);
        if (written + s.out > at)
            break;
        i += s.in;
        written += s.out;
    }
    return i;
}

size_t pgn_decode_bad(pgn_encoding e, const uint8_t *in, size_t n, size_t *from)
{
    char out[8];
    size_t i = *from;
    while (i < n) {
        const struct step s = step(e, in + i, n - i, true, out);
        i += s.in;
        if (s.bad) {
            *from = i;
            return i - s.in;
        }
    }
    *from = n;
    return n;
}

/* ---- judging ---- */

/* Classes of the characters that moves are written with (notation.h). */
enum {
    NOTHING = 0,
    PIECE = PGN_C_PIECE >> 4,
    DIGIT = PGN_C_DIGIT >> 4,
    DIRECTION = PGN_C_DIR >> 4,
    ORDER = PGN_C_ORDER >> 4,
};

static unsigned move_class(uint32_t cp)
{
    return cp < 0x10000 ? pgn_class_of[cp] >> 4 : NOTHING;
}

/* What a piece of text is worth in one encoding. */
struct score {
    pgn_encoding e;
    size_t moves;     /* readable: piece, place, direction, target */
    size_t good, bad; /* characters outside ASCII */
};

static void score_text(struct score *s, const uint8_t *in, size_t n)
{
    const uint32_t *table = s->e == PGN_ENC_BIG5 ? big5_utf8 : gb_utf8;
    uint32_t seen = 0; /* the classes of the last characters, a byte each */
    s->moves = s->good = s->bad = 0;
    for (size_t i = 0; i < n;) {
        unsigned cls = NOTHING;
        const uint8_t c = in[i];
        if (c < 0x80) {
            /* Of a run of ASCII only the two ends stand beside a move. */
            if ((seen & 255) != DIRECTION && n - i >= 16 &&
                !(load8(in + i) & HIGH_BITS)) {
                i += 5;
                seen = NOTHING;
            }
            cls = in[i] >= '1' && in[i] <= '9' ? DIGIT : NOTHING;
            i++;
        } else {
            char out[8];
            uint32_t v = 0;
            if (s->e != PGN_ENC_UTF8 && n - i >= 2)
                v = table[(c & 127u) << 8 | in[i + 1]];
            struct step st = {2, 0, false};
            if (!v) {
                st = step(s->e, in + i, n - i, false, out);
                if (!st.in)
                    break;
                if (st.out >= 3)
                    v = load4((const uint8_t *)out);
            }
            if (st.bad)
                s->bad++;
            else
                s->good++;
            if (v && !st.bad)
                cls = move_class(packed_cp(v));
            i += st.in;
        }
        seen = seen << 8 | cls;
        if (cls == DIGIT && (seen >> 8 & 255) == DIRECTION) {
            const unsigned a = seen >> 24, b = seen >> 16 & 255;
            s->moves += (a == PIECE && (b == DIGIT || b == ORDER)) ||
                        (b == PIECE && (a == DIGIT || a == ORDER));
        }
    }
}

pgn_worth pgn_encoding_worth(pgn_encoding e, const uint8_t *in, size_t n)
{
    struct score s = {.e = e};
    if (e == PGN_ENC_UTF8 || e == PGN_ENC_GB18030 || e == PGN_ENC_GBK ||
        e == PGN_ENC_BIG5)
        score_text(&s, in, n);
    else /* no moves can be written in it */
        for (size_t i = 0; i < n; i++)
            s.bad += in[i] >= 0x80;
    return (pgn_worth){s.moves, s.good, s.bad};
}

size_t pgn_count_moves(xq_str utf8)
{
    struct score s = {.e = PGN_ENC_UTF8};
    score_text(&s, (const uint8_t *)utf8.s, utf8.n);
    return s.moves;
}

enum { UTF8, GB, B5, CANDIDATES };

static void score_all(struct score s[CANDIDATES], const uint8_t *in, size_t n)
{
    s[UTF8].e = PGN_ENC_UTF8;
    s[GB].e = PGN_ENC_GB18030;
    s[B5].e = PGN_ENC_BIG5;
    for (int k = 0; k < CANDIDATES; k++)
        score_text(&s[k], in, n);
}

/* The candidate that makes more moves readable than the other two. */
static const struct score *most_moves(const struct score s[CANDIDATES],
                                      size_t *second)
{
    const struct score *best = &s[0];
    for (int k = 1; k < CANDIDATES; k++)
        if (s[k].moves > best->moves)
            best = &s[k];
    *second = 0;
    for (int k = 0; k < CANDIDATES; k++)
        if (&s[k] != best && s[k].moves > *second)
            *second = s[k].moves;
    return best;
}

/* No moves tell: what is clean, what came before, what is nearly clean. */
static pgn_encoding judge_without_moves(const struct score s[CANDIDATES],
                                        pgn_encoding prior)
{
    for (int k = 0; k < CANDIDATES; k++)
        if (s[k].e == prior && !s[k].bad)
            return prior;
    if (!s[GB].bad)
        return PGN_ENC_GB18030;
    if (!s[B5].bad)
        return PGN_ENC_BIG5;
    /* A few bad bytes in much good text are damage; in an unknown code page
     * about every other accented letter is bad. */
    const struct score *best = &s[UTF8];
    for (int k = 1; k < CANDIDATES; k++)
        if (s[k].bad < best->bad || (s[k].bad == best->bad && s[k].e == prior))
            best = &s[k];
    if (best->good > 16 * best->bad)
        return best->e;
    if (s[UTF8].good > 2 * s[UTF8].bad) /* good by chance: one in many */
        return PGN_ENC_UTF8;
    return PGN_ENC_BYTES;
}

/* UTF-16 without a mark: the ASCII of tags and numbers shows as NULs on one
 * side. */
static pgn_encoding judge_utf16(const uint8_t *in, size_t n)
{
    if (n >= 2 && in[0] == 0xFF && in[1] == 0xFE)
        return PGN_ENC_UTF16LE;
    if (n >= 2 && in[0] == 0xFE && in[1] == 0xFF)
        return PGN_ENC_UTF16BE;
    const size_t units = (n < 512 ? n : 512) / 2;
    size_t even = 0, odd = 0;
    for (size_t i = 0; i < units; i++) {
        even += in[2 * i] == 0;
        odd += in[2 * i + 1] == 0;
    }
    if (odd > units / 5 && odd > 1 && !even)
        return PGN_ENC_UTF16LE;
    if (even > units / 5 && even > 1 && !odd)
        return PGN_ENC_UTF16BE;
    return PGN_ENC_AUTO;
}

static size_t first_high(const uint8_t *in, size_t n)
{
    size_t i = 0;
    while (n - i >= 8 && !(load8(in + i) & HIGH_BITS))
        i += 8;
    while (i < n && in[i] < 0x80)
        i++;
    return i;
}

pgn_encoding pgn_encoding_judge(const uint8_t *in, size_t n, pgn_encoding prior)
{
    const pgn_encoding wide = judge_utf16(in, n);
    if (wide != PGN_ENC_AUTO)
        return wide;
    if (prior == PGN_ENC_UTF16LE || prior == PGN_ENC_UTF16BE)
        prior = PGN_ENC_AUTO;
    if (n >= 3 && memcmp(in, "\xEF\xBB\xBF", 3) == 0)
        return PGN_ENC_UTF8;
    if (first_high(in, n) == n)
        return prior == PGN_ENC_AUTO ? PGN_ENC_UTF8 : prior;
    const size_t good = utf8_good(in, n);
    if (good == n || (n - good < 4 && utf8_len(in + good, n - good) < 0))
        return PGN_ENC_UTF8;

    /* A few moves settle it: look at growing beginnings. */
    struct score s[CANDIDATES];
    size_t second;
    if (prior != PGN_ENC_AUTO && prior <= PGN_ENC_BIG5) {
        s[0].e = prior;
        score_text(&s[0], in, n < 768 ? n : 768);
        if (s[0].moves >= 4)
            return prior;
    }
    for (size_t part = 768; part < n; part *= 2) {
        score_all(s, in, part);
        const struct score *best = most_moves(s, &second);
        if (best->moves >= 4 && !second)
            return best->e;
    }
    score_all(s, in, n);
    const struct score *best = most_moves(s, &second);
    return best->moves > second ? best->e : judge_without_moves(s, prior);
}

/* ---- names ---- */

static const char *const NAMES[PGN_ENC_OTHER] = {
    "auto", "utf-8", "gb18030", "big5", "utf-16le", "utf-16be", "gbk", "bytes",
};

const char *pgn_encoding_name(pgn_encoding e)
{
    if ((unsigned)e < PGN_ENC_OTHER)
        return NAMES[e];
    const unsigned page = (unsigned)e - PGN_ENC_OTHER;
    return page < NPAGES ? pages[page].name : "unknown";
}

/* Lower case, without '-', '_', '.', ':' and blanks; false when too long. */
static bool fold_name(const char *name, char out[32])
{
    size_t n = 0;
    for (; *name; name++) {
        const char c = *name;
        if (strchr("-_.: ", c))
            continue;
        if (n == 31)
            return false;
        out[n++] = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
    out[n] = 0;
    return true;
}

static bool is_name(const char *folded, const char *name)
{
    char other[32];
    return fold_name(name, other) && strcmp(folded, other) == 0;
}

bool pgn_encoding_of(const char *name, pgn_encoding *e)
{
    static const struct {
        const char *name; /* folded */
        pgn_encoding e;
    } ALIASES[] = {
        {"utf8bom", PGN_ENC_UTF8},
        {"unicode", PGN_ENC_UTF16LE},
        {"utf16", PGN_ENC_UTF16LE},
        {"ucs2", PGN_ENC_UTF16LE},
        {"ucs2le", PGN_ENC_UTF16LE},
        {"ucs2be", PGN_ENC_UTF16BE},
        {"gb180302000", PGN_ENC_GB18030},
        {"gb180302005", PGN_ENC_GB18030},
        {"gb180302022", PGN_ENC_GB18030},
        {"gb18030", PGN_ENC_GB18030},
        {"cp54936", PGN_ENC_GB18030},
        {"gb2312", PGN_ENC_GBK},
        {"gb231280", PGN_ENC_GBK},
        {"euccn", PGN_ENC_GBK},
        {"cp936", PGN_ENC_GBK},
        {"936", PGN_ENC_GBK},
        {"ms936", PGN_ENC_GBK},
        {"gb", PGN_ENC_GBK},
        {"cngb", PGN_ENC_GBK},
        {"bigfive", PGN_ENC_BIG5},
        {"cp950", PGN_ENC_BIG5},
        {"950", PGN_ENC_BIG5},
        {"ms950", PGN_ENC_BIG5},
        {"cnbig5", PGN_ENC_BIG5},
        {"big5hkscs", PGN_ENC_BIG5},
        {"hkscs", PGN_ENC_BIG5},
        {"cp951", PGN_ENC_BIG5},
        {"big5eten", PGN_ENC_BIG5},
    };
    char f[32];
    if (!fold_name(name, f))
        return false;
    /* windows-936 and the like are what Microsoft calls cp936. */
    if (strncmp(f, "windows", 7) == 0) {
        memmove(f + 2, f + 7, strlen(f + 7) + 1);
        memcpy(f, "cp", 2);
    }
    if (strncmp(f, "latin", 5) == 0 && (!f[6] || !strcmp(f + 5, "10"))) {
        /* ISO 8859 counts otherwise: Latin-5 is part 9, Latin-9 part 15. */
        static const char *const PART[] = {"",   "1",  "2",  "3",  "4", "9",
                                           "10", "13", "14", "15", "16"};
        const unsigned k = f[6] ? 10 : (unsigned)(f[5] - '0');
        if (k < 1 || k > 10)
            return false;
        memcpy(f, "iso8859", 7);
        memcpy(f + 7, PART[k], strlen(PART[k]) + 1);
    }
    for (unsigned k = 0; k < PGN_ENC_OTHER; k++)
        if (is_name(f, NAMES[k])) {
            *e = (pgn_encoding)k;
            return true;
        }
    for (size_t k = 0; k < sizeof ALIASES / sizeof *ALIASES; k++)
        if (strcmp(f, ALIASES[k].name) == 0) {
            *e = ALIASES[k].e;
            return true;
        }
    for (unsigned k = 0; k < NPAGES; k++)
        if (is_name(f, pages[k].name)) {
            *e = (pgn_encoding)(PGN_ENC_OTHER + k);
            return true;
        }
    return false;
}

/* ---- encoding ---- */

/* A code point's bytes in e; 0 when e lacks it. */
static size_t encode_gb(uint32_t cp, bool gbk, uint8_t out[4])
{
    const unsigned v = cp < 0x30000 ? gb_rows[gb_row_of[cp >> 8]][cp & 255] : 0;
    if (v && (!gbk || v & 0x8000)) { /* bit 15 says: GBK has it too */
        out[0] = (uint8_t)(0x80 | v >> 8);
        out[1] = (uint8_t)v;
        return 2;
    }
    if (gbk)
        return 0;
    uint32_t linear = 0;
    if (cp >= 0x10000) {
        linear = cp - 0x10000 + 189000;
    } else {
        const struct gb_run *r = gb_runs,
                            *end = r + sizeof gb_runs / sizeof *gb_runs;
        while (r < end && (cp < r->cp || cp - r->cp >= r->n))
            r++;
        if (r == end)
            return 0;
        linear = r->linear + (cp - r->cp);
    }
    out[0] = (uint8_t)(0x81 + linear / 12600);
    out[1] = (uint8_t)(0x30 + linear / 1260 % 10);
    out[2] = (uint8_t)(0x81 + linear / 10 % 126);
    out[3] = (uint8_t)(0x30 + linear % 10);
    return 4;
}

static size_t encode_big5(uint32_t cp, uint8_t out[4])
{
    const unsigned v =
        cp < 0x30000 ? big5_rows[big5_row_of[cp >> 8]][cp & 255] : 0;
    out[0] = (uint8_t)(v >> 8);
    out[1] = (uint8_t)v;
    return v ? 2 : 0;
}

static size_t encode_utf16(uint32_t cp, bool big, uint8_t out[4])
{
    uint32_t unit[2] = {cp, 0};
    size_t n = 1;
    if (cp >= 0x10000) {
        unit[0] = 0xD800 + ((cp - 0x10000) >> 10);
        unit[1] = 0xDC00 + ((cp - 0x10000) & 0x3FF);
        n = 2;
    }
    for (size_t i = 0; i < n; i++) {
        out[2 * i + !big] = (uint8_t)(unit[i] >> 8);
        out[2 * i + big] = (uint8_t)unit[i];
    }
    return 2 * n;
}

static size_t encode_cp(pgn_encoding e, uint32_t cp, uint8_t out[4])
{
    switch (e) {
    case PGN_ENC_GB18030:
    case PGN_ENC_GBK:
        return encode_gb(cp, e == PGN_ENC_GBK, out);
    case PGN_ENC_BIG5:
        return encode_big5(cp, out);
    default:
        return pgn_utf8_put(cp, (char *)out);
    }
}

unsigned pgn_encode_pair(pgn_encoding e, uint32_t cp)
{
    uint8_t out[4];
    const size_t n = e == PGN_ENC_BIG5 ? encode_big5(cp, out)
                                       : encode_gb(cp, e == PGN_ENC_GBK, out);
    return n == 2 ? (unsigned)out[0] << 8 | out[1] : 0;
}

uint32_t pgn_big5_web_char(unsigned pair)
{
    for (size_t i = 0; i < sizeof big5_web / sizeof *big5_web; i++)
        if (big5_web[i].pair == pair)
            return big5_web[i].cp;
    return 0;
}

unsigned pgn_big5_web_pair(uint32_t cp)
{
    for (size_t i = 0; i < sizeof big5_web / sizeof *big5_web; i++)
        if (big5_web[i].cp == cp)
            return big5_web[i].pair;
    return 0;
}

/* HKSCS has four letters with marks that Unicode writes as two characters. */
static size_t encode_composed(const char *s, size_t n, uint8_t out[4])
{
    if (n < 4)
        return 0;
    const uint32_t v = load4((const uint8_t *)s);
    for (size_t i = 0; i < sizeof big5_composed / sizeof *big5_composed; i++)
        if (v == big5_composed[i].utf8) {
            out[0] = (uint8_t)(big5_composed[i].pair >> 8);
            out[1] = (uint8_t)big5_composed[i].pair;
            return 2;
        }
    return 0;
}

xq_status pgn_encode(pgn_encoding e, xq_str utf8, pgn_buf *out, size_t *lost)
{
    const bool wide = e == PGN_ENC_UTF16LE || e == PGN_ENC_UTF16BE;
    for (size_t i = 0; i < utf8.n;) {
        /* No encoding needs more than four bytes for a character. */
        const size_t part = utf8.n - i < 4096 ? utf8.n - i : 4096;
        uint8_t *o = (uint8_t *)pgn_buf_room(out, 4 * part);
        if (!o)
            return XQ_ENOMEM;
        uint8_t *const o0 = o;
        for (const size_t end = i + part; i < end;) {
            const char *s = utf8.s + i;
            if ((unsigned char)*s < 0x80 && !wide) {
                *o++ = (uint8_t)*s;
                i++;
                continue;
            }
            size_t len, n = 0;
            const uint32_t cp = pgn_utf8_next(s, utf8.n - i, &len);
            const bool bad = cp == 0xFFFD && len == 1;
            if (e == PGN_ENC_BIG5 && (cp == 0xCA || cp == 0xEA)) {
                n = encode_composed(s, utf8.n - i, o);
                if (n)
                    len = 4;
            }
            if (!n && !bad)
                n = wide ? encode_utf16(cp, e == PGN_ENC_UTF16BE, o)
                         : encode_cp(e, cp, o);
            if (!n) {
                n = wide ? encode_utf16('?', e == PGN_ENC_UTF16BE, o) : 1;
                if (!wide)
                    *o = '?';
                (*lost)++;
            }
            o += n;
            i += len;
        }
        out->n += (size_t)(o - o0);
    }
    return XQ_OK;
}
