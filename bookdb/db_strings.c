/* db_strings.c - the string tables: blocks of strings, packed by zstd, and
 * the intern table of a writer.
 *
 * A value of `text` or `notes`, under the id of its first string:
 *   0   CRC-32 of what follows (4)
 *   4   number of strings, varint
 *       size of the packed bytes unpacked, varint
 *       zstd frame of: for each string its length (varint) and its bytes
 *
 * Blocks are cut so that a value fills one overflow page.  For CCPD zstd at
 * level 3 takes them to 41 % in 9 ms, zlib in the same blocks to 43 % in 45 ms.
 */
#include "bookdb/db_internal.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define CACHE_BYTES ((size_t)8 << 20)
#define RAW_MAX     ((uint64_t)512 << 20) /* beyond any game's text */
#define ZSTD_LEVEL  3

/* ---- reading ---- */

xq_status bk_strings_unpack(const uint8_t *value, size_t n, uint64_t first,
                            struct bk_strings **out, xq_err *err)
{
    const uint8_t *p = value + BK_SEAL, *end = value + n;
    uint64_t count = 0, raw = 0;
    *out = NULL;
    if (!bk_unseal(value, n) || !(p = bk_get_varint(p, end, &count)) ||
        !(p = bk_get_varint(p, end, &raw)) || raw > RAW_MAX || count > raw ||
        count == 0 || ZSTD_getFrameContentSize(p, (size_t)(end - p)) != raw)
        return xq_fail(err, XQ_ECORRUPT, "a block of strings is damaged");
    size_t size = sizeof **out + count * sizeof(uint32_t) + raw;
    struct bk_strings *s = malloc(size);
    if (!s)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    s->first = first;
    s->n = (uint32_t)count;
    s->size = size;
    s->end = (uint32_t *)(s + 1);
    s->bytes = (char *)(s->end + count);
    size_t got = ZSTD_decompress(s->bytes, raw, p, (size_t)(end - p));
    if (ZSTD_isError(got) || got != raw)
        goto damaged;
    /* Take the lengths out, so that strings stand end to end. */
    const uint8_t *q = (const uint8_t *)s->bytes, *qend = q + raw;
    char *to = s->bytes;
    for (uint32_t i = 0; i < s->n; i++) {
        uint64_t len;
        q = bk_get_varint(q, qend, &len);
        if (!q || len > (uint64_t)(qend - q))
            goto damaged;
        memmove(to, q, len);
        to += len;
        q += len;
        s->end[i] = (uint32_t)(to - s->bytes);
    }
    if (q != qend)
        goto damaged;
    *out = s;
    return XQ_OK;
damaged:
    free(s);
    return xq_fail(err, XQ_ECORRUPT, "a block of strings is damaged");
}

void bk_strings_cache_clear(struct bk_strings_cache *c)
{
    for (size_t i = 0; i < c->n; i++)
        free(c->v[i]);
    c->n = c->size = 0;
}

void bk_strings_cache_free(struct bk_strings_cache *c)
{
    bk_strings_cache_clear(c);
    free(c->v);
    *c = (struct bk_strings_cache){0};
}

/* The last block that begins at or before id, and the place behind it. */
static size_t cache_place(const struct bk_strings_cache *c, uint64_t id)
{
    size_t lo = 0, hi = c->n;
    while (lo < hi) {
        size_t mid = (lo + hi) / 2;
        if (c->v[mid]->first <= id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

xq_status bk_strings_get(struct bk_strings_cache *c, MDB_cursor *cur,
                         uint64_t id, xq_str *out, xq_err *err)
{
    size_t at = cache_place(c, id);
    struct bk_strings *s = at ? c->v[at - 1] : NULL;
    if (!s || id - s->first >= s->n) {
        uint64_t first;
        MDB_val v;
        if (bk_seek_block(cur, id, &first, &v) != 0)
            return xq_fail(err, XQ_ECORRUPT, "string %llu is missing",
                           (unsigned long long)id);
        xq_status rc = bk_strings_unpack(v.mv_data, v.mv_size, first, &s, err);
        if (rc != XQ_OK)
            return rc;
        if (id - first >= s->n) {
            free(s);
            return xq_fail(err, XQ_ECORRUPT, "string %llu is missing",
                           (unsigned long long)id);
        }
        if (c->size > CACHE_BYTES) {
            bk_strings_cache_clear(c);
            at = 0;
        }
        if (c->n == c->cap) {
            size_t cap = c->cap ? 2 * c->cap : 64;
            struct bk_strings **t = realloc(c->v, cap * sizeof(*t));
            if (!t) {
                free(s);
                return xq_fail(err, XQ_ENOMEM, "out of memory");
            }
            c->v = t;
            c->cap = cap;
        }
        memmove(c->v + at + 1, c->v + at, (c->n - at) * sizeof(*c->v));
        c->v[at] = s;
        c->n++;
        c->size += s->size;
    }
    size_t i = (size_t)(id - s->first);
    uint32_t from = i ? s->end[i - 1] : 0;
    *out = (xq_str){s->bytes + from, s->end[i] - from};
    return XQ_OK;
}

/* ---- values on their way ---- */

bool bk_blocks_add(struct bk_blocks *b, uint64_t key, const uint8_t *value,
                   size_t n)
{
    if (b->n == b->cap) {
        size_t cap = b->cap ? 2 * b->cap : 256;
        struct bk_block *v = realloc(b->v, cap * sizeof *v);
        if (!v)
            return false;
        b->v = v;
        b->cap = cap;
    }
    b->v[b->n++] = (struct bk_block){key, b->bytes.n, n};
    pgn_buf_add(&b->bytes, value, n);
    return !b->bytes.failed;
}

void bk_blocks_clear(struct bk_blocks *b)
{
    b->n = 0;
    b->bytes.n = 0;
}

void bk_blocks_free(struct bk_blocks *b)
{
    free(b->v);
    pgn_buf_free(&b->bytes);
    *b = (struct bk_blocks){0};
}

/* ---- writing ---- */

/* Pack the first n strings of raw; 0 when memory is short. */
static size_t pack_strings(struct bk_strings_writer *w, uint32_t n)
{
    size_t raw = w->ends[n - 1];
    uint8_t *p = w->packed + BK_SEAL;
    p = bk_put_varint(p, n);
    p = bk_put_varint(p, raw);
    size_t got =
        ZSTD_compressCCtx(w->ctx, p, w->packed_cap - (size_t)(p - w->packed),
                          w->raw.s, raw, ZSTD_LEVEL);
    return ZSTD_isError(got) ? 0 : (size_t)(p - w->packed) + got;
}

/* Write a block; strings that do not fit stay for the next one. */
static bool flush_block(struct bk_strings_writer *w)
{
    if (!w->ctx && !(w->ctx = ZSTD_createCCtx()))
        return false;
    size_t bound = ZSTD_compressBound(w->raw.n) + 32;
    if (bound > w->packed_cap) {
        uint8_t *p = realloc(w->packed, bound);
        if (!p)
            return false;
        w->packed = p;
        w->packed_cap = bound;
    }
    uint32_t n = w->n;
    size_t size = pack_strings(w, n);
    /* More than a page holds: a few less, as often as it takes. */
    while (size > BK_OVERFLOW && n > 1) {
        size_t fits = (size_t)((double)w->ends[n - 1] / (double)size *
                               (BK_OVERFLOW - 24));
        uint32_t m = n - 1;
        while (m > 1 && w->ends[m - 1] > fits)
            m--;
        n = m;
        size = pack_strings(w, n);
    }
    if (size == 0)
        return false;
    size_t raw = w->ends[n - 1];
    bk_seal(w->packed, size);
    if (!bk_blocks_add(&w->blocks, w->first, w->packed, size))
        return false;
    if (raw >= 4096) {
        size_t t = (size_t)((double)raw / (double)size * (BK_OVERFLOW + 16));
        w->target = t < 4096 ? 4096 : t > 65536 ? 65536 : t;
    }
    memmove(w->raw.s, w->raw.s + raw, w->raw.n - raw);
    w->raw.n -= raw;
    w->n -= n;
    w->first += n;
    for (uint32_t i = 0; i < w->n; i++)
        w->ends[i] = w->ends[n + i] - (uint32_t)raw;
    return true;
}

bool bk_strings_flush(struct bk_strings_writer *w)
{
    while (w->n)
        if (!flush_block(w))
            return false;
    return true;
}

bool bk_strings_add(struct bk_strings_writer *w, uint64_t id, xq_str s)
{
    if (w->target == 0)
        w->target = 8192;
    while (w->n && w->raw.n + s.n + 2 > w->target)
        if (!flush_block(w))
            return false;
    if (w->n == w->ends_cap) {
        size_t cap = w->ends_cap ? 2 * w->ends_cap : 512;
        uint32_t *e = realloc(w->ends, cap * sizeof *e);
        if (!e)
            return false;
        w->ends = e;
        w->ends_cap = cap;
    }
    if (w->n == 0)
        w->first = id;
    uint8_t len[10];
    pgn_buf_add(&w->raw, len, (size_t)(bk_put_varint(len, s.n) - len));
    pgn_buf_add(&w->raw, s.s, s.n);
    w->ends[w->n++] = (uint32_t)w->raw.n;
    return !w->raw.failed && w->raw.n <= RAW_MAX;
}

void bk_strings_writer_clear(struct bk_strings_writer *w)
{
    bk_blocks_clear(&w->blocks);
    w->raw.n = 0;
    w->n = 0;
}

void bk_strings_writer_free(struct bk_strings_writer *w)
{
    bk_blocks_free(&w->blocks);
    pgn_buf_free(&w->raw);
    free(w->packed);
    free(w->ends);
    ZSTD_freeCCtx(w->ctx);
    *w = (struct bk_strings_writer){0};
}

/* ---- interning ---- */

uint32_t bk_intern_hash(xq_str s)
{
    const char *p = s.s;
    size_t n = s.n;
    uint64_t h = n * UINT64_C(0x9E3779B97F4A7C15);
    for (; n > 8; p += 8, n -= 8) {
        uint64_t v;
        memcpy(&v, p, 8);
        h = (h ^ v) * UINT64_C(0xD6E8FEB86659FD93);
        h ^= h >> 32;
    }
    uint64_t v = 0;
    if (n)
        memcpy(&v, p, n);
    h = (h ^ v) * UINT64_C(0xD6E8FEB86659FD93);
    return (uint32_t)(h >> 32 ^ h >> 13);
}

uint64_t bk_intern_find(struct bk_intern *t, xq_str s, uint32_t hash)
{
    if (!t->nslots)
        return 0;
    for (size_t i = hash & (t->nslots - 1);; i = (i + 1) & (t->nslots - 1)) {
        const struct bk_intern_slot *e = &t->slots[i];
        if (e->id == 0)
            return 0;
        if (e->hash == hash && e->len == s.n &&
            (s.n == 0 || memcmp(t->bytes.s + e->at, s.s, s.n) == 0))
            return e->id;
    }
}

static void intern_place(struct bk_intern_slot *slots, size_t nslots,
                         struct bk_intern_slot e)
{
    size_t i = e.hash & (nslots - 1);
    while (slots[i].id)
        i = (i + 1) & (nslots - 1);
    slots[i] = e;
}

bool bk_intern_put(struct bk_intern *t, xq_str s, uint32_t hash, uint64_t id)
{
    if (s.n > 1024) /* long texts hardly come twice */
        return true;
    if (t->bytes.n + s.n + (t->n + 1) * 2 * sizeof *t->slots > t->limit &&
        t->nslots) {
        memset(t->slots, 0, t->nslots * sizeof *t->slots);
        t->n = 0;
        t->bytes.n = 0;
    }
    if (2 * t->n + 2 > t->nslots) {
        size_t n = t->nslots ? 2 * t->nslots : 4096;
        struct bk_intern_slot *slots = calloc(n, sizeof *slots);
        if (!slots)
            return false;
        for (size_t i = 0; i < t->nslots; i++)
            if (t->slots[i].id)
                intern_place(slots, n, t->slots[i]);
        free(t->slots);
        t->slots = slots;
        t->nslots = n;
    }
    intern_place(t->slots, t->nslots,
                 (struct bk_intern_slot){hash, (uint32_t)s.n, id, t->bytes.n});
    t->n++;
    pgn_buf_add(&t->bytes, s.s, s.n);
    return !t->bytes.failed;
}

void bk_intern_free(struct bk_intern *t)
{
    free(t->slots);
    pgn_buf_free(&t->bytes);
    *t = (struct bk_intern){0};
}
