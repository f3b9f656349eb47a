/* walk.h - from the start position through a book that knows keys only.
 *
 *   bk_walk_open(&w, &lookup, one_wing, false, 0, &err);
 *   bk_walk_from(w, &pos, &err);                     as often as needed
 *   while (bk_walk_next(w, &pos, &entry, &err) == XQ_OK)
 *       ...pos is known to the book, entry is what it says
 *   bk_walk_close(w);
 *
 * Every position is met once (with its mirror image, unless one_wing).  From
 * a position that the book knows the walk goes to each that it knows one
 * legal move on, and one reply behind a move of the book: books of one
 * side's moves are walked too.  What is met depends neither on the order of
 * the start positions nor on where bk_lookup.maybe is wrong.  Depth first;
 * memory: the set of keys is bounded (seen.h), the line at hand takes some 50
 * bytes a ply. */
#ifndef BK_WALK_H
#define BK_WALK_H

#include "bookdb/book.h"

/* How the walk asks the book. */
typedef struct bk_lookup {
    void *ctx;
    /* May the book know p?  Called for every legal move: must be fast.  True
     * for all that find() finds; true for others costs a call of that. */
    bool (*maybe)(void *ctx, const xq_pos *p);
    /* Its moves on p's wing, all legal.  XQ_OK, XQ_ENOTFOUND or a failure.
     * Called again for a position each time that a move leads to it; the last
     * call before bk_walk_next() returns is that for the position it gives. */
    xq_status (*find)(void *ctx, const xq_pos *p, bk_entry *e, xq_err *err);
} bk_lookup;

typedef struct bk_walk bk_walk;

/* deep: look for replies behind every legal move, also such as the book does
 * not know; 40 times the look-ups. */
xq_status bk_walk_open(bk_walk **w, const bk_lookup *l, bool one_wing,
                       bool deep, size_t memory, xq_err *err);
xq_status bk_walk_from(bk_walk *w, const xq_pos *p, xq_err *err);
/* *p and *e live until the next call.  XQ_DONE at the end. */
xq_status bk_walk_next(bk_walk *w, const xq_pos **p, const bk_entry **e,
                       xq_err *err);
/* After the end: was a position with this key given out? */
xq_status bk_walk_met(bk_walk *w, xq_key key, bool *met, xq_err *err);
void bk_walk_close(bk_walk *w);

/* A set of keys that may say yes wrongly, now and then (Bloom, 1970). */
typedef struct bk_sieve {
    uint64_t *words;
    uint64_t mask; /* bits - 1 */
} bk_sieve;

/* For n keys, in at most `memory` bytes. */
bool bk_sieve_init(bk_sieve *s, uint64_t n, size_t memory);
void bk_sieve_add(bk_sieve *s, uint64_t key);
bool bk_sieve_has(const bk_sieve *s, uint64_t key);
void bk_sieve_free(bk_sieve *s);

#endif
