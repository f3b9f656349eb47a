/* tt.h - the hash table of the search.  Not public.
 *
 *   xq_tt t = {0};
 *   xq_tt_open(&t, bytes, &err);
 *   struct xq_tt_hit h;
 *   if (xq_tt_probe(&t, key, ply, &h)) ...
 *   xq_tt_store(&t, key, ply, &h);
 *   xq_tt_close(&t);
 *
 * Any number of threads may probe and store at once, without locks: an entry
 * is two words, the key and the data XORed, so that halves of two writers do
 * not pass for an entry (Hyatt and Mann 2002).
 *
 * Scores of mates are kept relative to the position (ply is its distance from
 * the root).  Scores won or lost by rule hang on the moves that led to the
 * position: those are never stored, only the move is (see xq_tt_store). */
#ifndef XQ_TT_H
#define XQ_TT_H

#include "engine/pos.h"

#include <stdatomic.h>

/* Entries of a cluster share a cache line. */
struct xq_tt_entry {
    _Atomic uint64_t check; /* key ^ data */
    _Atomic uint64_t data;  /* layout: tt.c */
};
struct xq_tt_cluster {
    struct xq_tt_entry entry[4];
};

typedef struct xq_tt {
    struct xq_tt_cluster *clusters;
    uint32_t count; /* of clusters */
    uint8_t age;    /* 0 to 63 */
} xq_tt;

/* What a stored score says of the true one. */
enum { XQ_TT_NONE = 0, XQ_TT_UPPER = 1, XQ_TT_LOWER = 2, XQ_TT_EXACT = 3 };

struct xq_tt_hit {
    xq_move move;  /* XQ_NOMOVE: unknown */
    int16_t score; /* meaningful unless the bound is XQ_TT_NONE */
    int16_t eval;  /* static evaluation, XQ_TT_NO_EVAL when in check */
    int8_t depth;
    uint8_t bound;
    bool pv; /* once stood on the principal line */
};
#define XQ_TT_NO_EVAL INT16_MIN

/* An empty table of at most `bytes` (from 64 up, at most 256 GiB are used).
 * XQ_ENOMEM. */
xq_status xq_tt_open(xq_tt *t, size_t bytes, xq_err *err);
/* The same, but for its contents: nothing is touched before xq_tt_clear, which
 * must follow.  So a new table and an old one need no memory at once. */
xq_status xq_tt_reserve(xq_tt *t, size_t bytes, xq_err *err);
void xq_tt_close(xq_tt *t);
/* Empty it.  No other thread may use it meanwhile. */
void xq_tt_clear(xq_tt *t);
/* A new search begins: what older ones left is replaced first. */
void xq_tt_age(xq_tt *t);
/* Thousandths that the current search has filled, by a sample. */
unsigned xq_tt_full(const xq_tt *t);

static inline struct xq_tt_cluster *xq_tt_at(const xq_tt *t, xq_key key)
{
    return &t->clusters[(key >> 32) * t->count >> 32];
}
/* Ask the processor to fetch what a probe of `key` will read. */
static inline void xq_tt_prefetch(const xq_tt *t, xq_key key)
{
#if defined(__GNUC__)
    __builtin_prefetch(xq_tt_at(t, key));
#else
    (void)t;
    (void)key;
#endif
}
bool xq_tt_probe(const xq_tt *t, xq_key key, unsigned ply,
                 struct xq_tt_hit *out);
/* A score won or lost by rule is stored without its bound.  A missing move
 * does not replace a known one of the same position. */
void xq_tt_store(xq_tt *t, xq_key key, unsigned ply,
                 const struct xq_tt_hit *hit);

#endif
