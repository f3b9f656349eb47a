/* index.c - packing of the position index (index.h).
 *
 * Keys are spread evenly, so the step from one to the next is a Rice code: a
 * quotient in unary, the rest in `kbits` bits, 1.5 bits above the rest's on
 * average, within 0.03 of the entropy.
 *
 * A block:
 *   0   CRC-32 of what follows (4)
 *   4   kbits, idbits, gbits (a byte each)
 *   7   number of lists (2, big-endian)
 *   9   bits, low bit of a byte first:
 *       for each list
 *         step of the key        (not in the first list)
 *                                q ones, a zero, kbits bits; or QUOT_MAX
 *                                ones and 64 bits
 *         games in the list      Elias gamma
 *         first game             idbits  (not in the first list)
 *         for each further game  its distance - 1, Exp-Golomb of order gbits
 *
 * Elias gamma of v > 0: as many zeros as v has bits after the first, then v,
 * first bit first; here the leading one, then the bits after it, low first.
 * Exp-Golomb of order k of v: gamma of (v >> k) + 1, then k bits. */
#include "bookdb/index.h"

#include "bookdb/store.h"

#include <string.h>

#define HEAD      9
#define QUOT_MAX  24u
#define LISTS_MAX 65535u

/* ---- writing ---- */

struct bits {
    uint8_t *p;
    uint64_t acc;
    unsigned n; /* bits in acc, below 8 between calls */
};

/* n <= 56; the caller has counted that there is room.  Writes 8 bytes. */
static inline void put(struct bits *b, uint64_t v, unsigned n)
{
    uint64_t acc = b->acc | v << b->n;
    n += b->n;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    uint64_t le = __builtin_bswap64(acc);
#else
    uint64_t le = acc;
#endif
    memcpy(b->p, &le, 8);
    b->p += n >> 3;
    b->acc = acc >> (n & 56);
    b->n = n & 7;
}

static inline unsigned log2_of(uint64_t v)
{
    return 63u - (unsigned)__builtin_clzll(v);
}

static inline void put_long(struct bits *b, uint64_t v, unsigned n)
{
    if (n > 56) {
        put(b, v & 0xffffffffu, 32);
        v >>= 32;
        n -= 32;
    }
    put(b, v, n);
}

static inline void put_gamma(struct bits *b, uint32_t v)
{
    unsigned l = log2_of(v);
    if (l > 24) {
        put(b, UINT64_C(1) << l, l + 1); /* l zeros, a one */
        put(b, v ^ (UINT64_C(1) << l), l);
        return;
    }
    put(b, ((uint64_t)(v ^ (UINT64_C(1) << l)) << 1 | 1) << l, 2 * l + 1);
}

static inline unsigned gamma_bits(uint64_t v) { return 2 * log2_of(v) + 1; }

static inline unsigned gap_bits(uint32_t v, unsigned k)
{
    return gamma_bits((uint64_t)(v >> k) + 1) + k;
}

/* What suits the pairs that will probably go into the block. */
static void choose(const bk_rec *recs, size_t n, size_t cap, unsigned *kbits,
                   unsigned *gbits)
{
    /* A pair takes 30-60 bits. */
    size_t look = cap / 5 < n ? cap / 5 : n;
    uint64_t lists = 1, gaps = 0, sum_log = 0;
    for (size_t i = 1; i < look; i++) {
        if (recs[i].key != recs[i - 1].key) {
            lists++;
        } else {
            gaps++;
            sum_log += log2_of(recs[i].data - recs[i - 1].data);
        }
    }
    uint64_t span = recs[look - 1].key - recs[0].key;
    uint64_t mean = lists > 1 ? span / (lists - 1) : 0;
    mean -= mean / 4; /* about the median: ln 2 */
    *kbits = mean ? log2_of(mean) : 0;
    *gbits = gaps ? (unsigned)(sum_log / gaps) : 0;
    /* Lists of neighbours cost a bit a game with order 0. */
    *gbits -= *gbits > 1 ? 1 : *gbits;
}

size_t bk_index_encode(const bk_rec *recs, size_t n, uint32_t max_game,
                       uint8_t *out, size_t cap, size_t *size)
{
    unsigned kbits, gbits, idbits = max_game ? log2_of(max_game) + 1 : 0;
    choose(recs, n, cap, &kbits, &gbits);
    struct bits b = {.p = out + HEAD};
    size_t room = (cap - HEAD) * 8, taken = 0, lists = 0;
    while (taken < n && lists < LISTS_MAX) {
        const bk_rec *r = recs + taken;
        /* The list's cost without its further games. */
        unsigned head = 0;
        uint64_t step = 0, quot = 0;
        if (lists) {
            step = r->key - r[-1].key;
            quot = kbits < 64 ? step >> kbits : 0;
            head = quot < QUOT_MAX ? (unsigned)quot + 1 + kbits : QUOT_MAX + 64;
            head += idbits;
        }
        /* How many of its games fit. */
        size_t count = 1, cost = 0;
        if (head + 1 > room)
            break;
        while (taken + count < n && r[count].key == r->key &&
               count < UINT32_MAX) {
            size_t more =
                cost +
                gap_bits((uint32_t)(r[count].data - r[count - 1].data - 1),
                         gbits);
            if (head + gamma_bits(count + 1) + more > room)
                break;
            cost = more;
            count++;
        }
        room -= head + gamma_bits(count) + cost;
        if (lists) {
            if (quot < QUOT_MAX) {
                /* at most 25 bits, and 63 */
                put(&b, (UINT64_C(1) << quot) - 1, (unsigned)quot + 1);
                put_long(&b, step & ((UINT64_C(1) << kbits) - 1), kbits);
            } else {
                put(&b, (UINT64_C(1) << QUOT_MAX) - 1, QUOT_MAX);
                put_long(&b, step, 64);
            }
        }
        put_gamma(&b, (uint32_t)count);
        if (lists)
            put(&b, r->data, idbits);
        for (size_t i = 1; i < count; i++) {
            uint32_t gap = (uint32_t)(r[i].data - r[i - 1].data - 1);
            put_gamma(&b, (gap >> gbits) + 1);
            put(&b, gap & ((1u << gbits) - 1), gbits);
        }
        taken += count;
        lists++;
        if (taken < n && r[count].key == r->key)
            break; /* the rest begins the next block */
    }
    if (b.n)
        put(&b, 0, 8 - b.n);
    out[4] = (uint8_t)kbits;
    out[5] = (uint8_t)idbits;
    out[6] = (uint8_t)gbits;
    out[7] = (uint8_t)(lists >> 8);
    out[8] = (uint8_t)lists;
    *size = (size_t)(b.p - out);
    bk_seal(out, *size);
    return taken;
}

/* ---- reading ---- */

/* The next 57 bits or more, zeros behind the end; at least `bit` is inside. */
static inline uint64_t peek(const bk_index_reader *r)
{
    size_t byte = r->bit / 8, left = (r->bits - r->bit + r->bit % 8) / 8;
    uint64_t v = 0;
    if (left >= 8) {
        memcpy(&v, r->p + byte, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
        v = __builtin_bswap64(v);
#endif
    } else {
        for (size_t i = 0; i < left; i++)
            v |= (uint64_t)r->p[byte + i] << (8 * i);
    }
    return v >> (r->bit % 8);
}

static inline bool skip(bk_index_reader *r, unsigned n)
{
    if (n > r->bits - r->bit) {
        r->bad = true;
        return false;
    }
    r->bit += n;
    return true;
}

static inline bool take(bk_index_reader *r, unsigned n, uint64_t *v)
{
    *v = 0;
    if (n > 32) {
        *v = peek(r) & 0xffffffffu;
        if (!skip(r, 32))
            return false;
        n -= 32;
        uint64_t high = peek(r) & ((UINT64_C(1) << n) - 1);
        *v |= high << 32;
    } else {
        *v = peek(r) & ((UINT64_C(1) << n) - 1);
    }
    return skip(r, n);
}

static inline bool take_gamma(bk_index_reader *r, uint32_t *v)
{
    uint64_t w = peek(r);
    unsigned l = w ? (unsigned)__builtin_ctzll(w) : 64;
    uint64_t rest;
    if (l > 31 || !skip(r, l + 1) || !take(r, l, &rest)) {
        r->bad = true;
        return false;
    }
    *v = (uint32_t)(rest | UINT64_C(1) << l);
    return true;
}

static bool take_step(bk_index_reader *r, uint64_t *step)
{
    uint64_t w = peek(r);
    unsigned q = ~w ? (unsigned)__builtin_ctzll(~w) : 64;
    uint64_t rest;
    if (q >= QUOT_MAX)
        return skip(r, QUOT_MAX) && take(r, 64, step);
    if (!skip(r, q + 1) || !take(r, r->kbits, &rest))
        return false;
    *step = ((uint64_t)q << r->kbits) | rest;
    if (r->kbits > 0 && (uint64_t)q >> (64 - r->kbits)) {
        r->bad = true;
        return false;
    }
    return true;
}

bool bk_index_start(bk_index_reader *r, const uint8_t *block, size_t size,
                    uint64_t first_key, uint32_t first_game)
{
    memset(r, 0, sizeof *r);
    r->bad = size < HEAD || !bk_unseal(block, size) || block[4] > 63 ||
             block[5] > 32 || block[6] > 31;
    if (r->bad)
        return false;
    r->kbits = block[4];
    r->idbits = block[5];
    r->gbits = block[6];
    r->lists = (uint32_t)block[7] << 8 | block[8];
    r->p = block + HEAD;
    r->bits = 8 * (size - HEAD);
    r->key = first_key;
    r->first_game = first_game;
    r->first = true;
    return true;
}

bool bk_index_list(bk_index_reader *r)
{
    uint32_t game;
    uint64_t v;
    while (r->left && bk_index_game(r, &game))
        ;
    if (r->bad || r->lists == 0)
        return false;
    r->lists--;
    bool first = r->first;
    r->first = false;
    if (!first) {
        uint64_t step;
        if (!take_step(r, &step) || step == 0 || step > UINT64_MAX - r->key) {
            r->bad = true;
            return false;
        }
        r->key += step;
    }
    if (!take_gamma(r, &r->count))
        return false;
    if (first)
        v = r->first_game;
    else if (!take(r, r->idbits, &v))
        return false;
    r->game = (uint32_t)v;
    r->left = r->count;
    r->at_first = true;
    return true;
}

bool bk_index_game(bk_index_reader *r, uint32_t *game)
{
    if (r->left == 0 || r->bad)
        return false;
    r->left--;
    if (r->at_first) {
        r->at_first = false;
        *game = r->game;
        return true;
    }
    uint32_t high;
    uint64_t low;
    if (!take_gamma(r, &high) || !take(r, r->gbits, &low))
        return false;
    uint64_t gap = ((uint64_t)(high - 1) << r->gbits | low) + 1;
    if (gap > UINT32_MAX - (uint64_t)r->game) {
        r->bad = true;
        return false;
    }
    r->game += (uint32_t)gap;
    *game = r->game;
    return true;
}
