/* binary_util.h - files of the binary kinds, made by hand for tests and fuzz
 * seeds: what formats.md says of their bytes, written down a second time.
 *
 *   struct bytes b = xqf_file(&XQF_SAMPLE_KEYS);
 *   xqf_node(&b, &keys, 0, 0, 0xA0, "comment");
 *   use(b.s, b.n);
 *   free(b.s);  */
#ifndef BINARY_UTIL_H
#define BINARY_UTIL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct bytes {
    uint8_t *s;
    size_t n;
};

/* The room of n bytes: a power of two, so that adding bytes one by one costs
 * little. */
static inline size_t room_of(size_t n)
{
    size_t cap = 64;
    while (cap <= n)
        cap *= 2;
    return cap;
}

static inline void put_bytes(struct bytes *b, const void *s, size_t n)
{
    if (!b->s || room_of(b->n + n) != room_of(b->n))
        b->s = realloc(b->s, room_of(b->n + n));
    if (!b->s)
        abort();
    if (n)
        memcpy(b->s + b->n, s, n);
    b->n += n;
}
static inline void put_zeros(struct bytes *b, size_t n)
{
    while (n-- > 0)
        put_bytes(b, "", 1);
}
static inline void put_u8(struct bytes *b, unsigned v)
{
    const uint8_t c = (uint8_t)v;
    put_bytes(b, &c, 1);
}
static inline void put_u32(struct bytes *b, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        put_u8(b, v >> 8 * i);
}

/* ---- XQF ---- */

/* A header's first 16 bytes, and what follows from them by formats.md. */
struct xqf_keys {
    uint8_t head[16];
    uint8_t p, f, t;
    uint32_t r;
    uint8_t s[32];
};

static const struct xqf_keys XQF_PLAIN = {.head = {'X', 'Q', 0x0A}};

/* SAMPLE.XQF of ElephantEye. */
static const struct xqf_keys XQF_SAMPLE = {
    .head = {0x58, 0x51, 0x12, 0xBE, 0, 0, 0, 0, 0xE8, 0xD8, 0xBC, 0x84, 0xA5,
             0x9C, 0xE7, 0xD8},
    .p = 44,
    .f = 196,
    .t = 52,
    .r = 11163,
    .s = {0x48, 0x08, 0x02, 0x08, 0x20, 0x40, 0x2e, 0x10, 0x68, 0x50, 0x28,
          0x04, 0x68, 0x54, 0x20, 0x0c, 0x60, 0x0c, 0x20, 0x04, 0x6c, 0x4c,
          0x26, 0x00, 0x40, 0x48, 0x28, 0x14, 0x64, 0x48, 0x2e, 0x1c}};

static const uint8_t XQF_START[32] = {
    0x00, 0x0A, 0x14, 0x1E, 0x28, 0x32, 0x3C, 0x46, 0x50, 0x0C, 0x48,
    0x03, 0x17, 0x2B, 0x3F, 0x53, 0x09, 0x13, 0x1D, 0x27, 0x31, 0x3B,
    0x45, 0x4F, 0x59, 0x11, 0x4D, 0x06, 0x1A, 0x2E, 0x42, 0x56};

/* The header; `pieces` in the order of slots. */
static inline struct bytes xqf_file(const struct xqf_keys *k,
                                    const uint8_t pieces[32])
{
    struct bytes b = {NULL, 0};
    put_bytes(&b, k->head, 16);
    put_zeros(&b, 0x400 - 16);
    for (unsigned i = 0; i < 32; i++) {
        const unsigned slot = k->head[2] >= 0x0C ? (k->p + 1u + i) % 32 : i;
        b.s[0x10 + i] = (uint8_t)(pieces[slot] + k->p);
    }
    return b;
}

static inline void xqf_field(struct bytes *b, size_t at, const char *s)
{
    b->s[at] = (uint8_t)strlen(s);
    memcpy(b->s + at + 1, s, strlen(s));
}

/* Bytes of the body, disguised. */
static inline void xqf_body(struct bytes *b, const struct xqf_keys *k,
                            const void *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        put_u8(b, ((const uint8_t *)s)[i] + k->s[(b->n - 0x400) % 32]);
}

/* from, to: 10 * file + rank.  Flags as in the file, save the comment's. */
static inline void xqf_node(struct bytes *b, const struct xqf_keys *k,
                            unsigned from, unsigned to, unsigned flags,
                            const char *comment)
{
    const bool v10 = k->head[2] == 0x0A;
    const uint32_t len = comment ? (uint32_t)strlen(comment) : 0;
    if (!v10 && comment)
        flags |= 0x20;
    const uint32_t n = len + k->r;
    const uint8_t node[8] = {(uint8_t)(from + 24 + k->f),
                             (uint8_t)(to + 32 + k->t),
                             (uint8_t)flags,
                             0,
                             (uint8_t)n,
                             (uint8_t)(n >> 8),
                             (uint8_t)(n >> 16),
                             (uint8_t)(n >> 24)};
    xqf_body(b, k, node, v10 || comment ? 8 : 4);
    if (comment)
        xqf_body(b, k, comment, len);
}

/* ---- CBR ---- */

/* Text of ASCII as UTF-16LE, into a field. */
static inline void utf16_at(struct bytes *b, size_t at, const char *s)
{
    for (size_t i = 0; s[i]; i++) {
        b->s[at + 2 * i] = (uint8_t)s[i];
        b->s[at + 2 * i + 1] = 0;
    }
}

/* "rnbakabnr/..." as CBR's board. */
static inline void cbr_board(uint8_t *to, const char *fen)
{
    static const char LETTERS[] = "?RNBAKCP";
    for (; *fen && *fen != ' '; fen++) {
        if (*fen >= '1' && *fen <= '9') {
            for (int k = *fen - '0'; k > 0; k--)
                *to++ = 0;
        } else if (*fen != '/') {
            const char *p = strchr(LETTERS, *fen & ~32);
            *to++ = (uint8_t)((*fen & 32 ? 0x20 : 0x10) + (p - LETTERS));
        }
    }
}

#define CBR_START "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"

static inline struct bytes cbr_record(unsigned version, const char *fen)
{
    struct bytes b = {NULL, 0};
    const size_t board = version == 1 ? 1864 : 2120;
    put_bytes(&b, "CCBridge Record", 16);
    put_zeros(&b, board + 90 - 16);
    b.s[19] = (uint8_t)version;
    b.s[version == 1 ? 1856 : 2112] = 1;
    if (version == 2)
        b.s[2116] = 1;
    cbr_board(b.s + board, fen);
    put_bytes(&b, "\xFF\xFF\xFF\xFF", 4);
    return b;
}

static inline void cbr_node(struct bytes *b, unsigned flags, unsigned from,
                            unsigned to, const char *comment)
{
    put_u8(b, flags | (comment ? 4 : 0));
    put_u8(b, 0);
    put_u8(b, from);
    put_u8(b, to);
    if (!comment)
        return;
    put_u32(b, 2 * (uint32_t)strlen(comment));
    const size_t at = b->n;
    put_zeros(b, 2 * strlen(comment));
    utf16_at(b, at, comment);
}

/* ---- CBL, the packed one ---- */

static inline void put_text(struct bytes *b, const char *s)
{
    put_u32(b, (uint32_t)strlen(s));
    put_bytes(b, s, strlen(s));
}

/* The library's own texts, before pack. */
static inline struct bytes cbl_library(unsigned games)
{
    struct bytes b = {NULL, 0};
    for (int i = 0; i < 5; i++)
        put_text(&b, i ? "" : "library");
    put_bytes(&b, "2001-01-01 00:00:00                   ", 38);
    put_u32(&b, games);
    put_text(&b, "");
    return b;
}

static const uint8_t CBL_START[32] = {
    0x1A, 0x2A, 0x3A, 0x4A, 0x5A, 0x6A, 0x7A, 0x8A, 0x9A, 0x28, 0x88,
    0x17, 0x37, 0x57, 0x77, 0x97, 0x11, 0x21, 0x31, 0x41, 0x51, 0x61,
    0x71, 0x81, 0x91, 0x23, 0x83, 0x14, 0x34, 0x54, 0x74, 0x94};

/* moves: n times {ply, from, to}; comments: their lines. */
static inline void cbl_game(struct bytes *b, const uint8_t pieces[32],
                            const uint8_t (*moves)[3], unsigned n,
                            const char *comments)
{
    const size_t at = b->n;
    put_u32(b, 0);
    put_bytes(b, pieces, 32);
    put_u32(b, 1);
    put_text(b, "event");
    put_u32(b, 1);
    put_text(b, "title");
    for (int i = 0; i < 4; i++)
        put_text(b, "");
    put_text(b, "\xBA\xFA\xC8\xD9\xBB\xAA"); /* Hu Ronghua in GBK */
    put_text(b, "black");
    put_u32(b, 1);
    for (int i = 0; i < 5; i++)
        put_text(b, i == 4 ? "a||b" : "");
    put_u8(b, 1);
    put_bytes(b, "2001-01-01 00:00:00                   ", 38);
    put_u32(b, n);
    for (unsigned i = 0; i < n; i++) {
        put_u8(b, moves[i][0]);
        put_u8(b, 0);
        put_bytes(b, moves[i] + 1, 2);
        put_zeros(b, 2);
    }
    put_bytes(b, comments, strlen(comments));
    const uint32_t size = (uint32_t)(b->n - at);
    for (int i = 0; i < 4; i++)
        b->s[at + (size_t)i] = (uint8_t)(size >> 8 * i);
}

/* The file; frees what it packs. */
static inline struct bytes cbl_pack(struct bytes *library)
{
    struct bytes b = {NULL, 0};
    uLongf n = compressBound((uLong)library->n);
    uint8_t *z = malloc(n);
    put_bytes(&b, "CCBridge", 8);
    put_u32(&b, 21);
    put_u32(&b, 1);
    put_u32(&b, (uint32_t)library->n);
    if (!z || compress(z, &n, library->s, (uLong)library->n) != Z_OK)
        abort();
    put_bytes(&b, z, n);
    free(z);
    free(library->s);
    *library = (struct bytes){NULL, 0};
    return b;
}

#endif
