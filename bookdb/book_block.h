/* book_block.h - a block: a few dozen positions of a book in about 1 KB.
 *
 *   bk_block_start(&w);                      bk_block_open(&r, key, value, n);
 *   while (!bk_block_put(&w, &entry))        while (bk_block_next(&r, &entry)
 *       write out w.key, w.value..w.size,             == XQ_OK)
 *       which ends in a new, empty block         ...
 *
 * The layout is drawn in book_block.c.  Values come from files: whatever the
 * bytes are, reading ends in XQ_DONE or XQ_ECORRUPT. */
#ifndef BK_BOOK_BLOCK_H
#define BK_BOOK_BLOCK_H

#include "bookdb/book.h"

/* Four values of this size, with their keys and LMDB's node heads, fill a
 * page of 4096 bytes to the last byte. */
#define BK_BLOCK_BYTES 1002
/* What one position takes at most: 128 moves with every field, and its own
 * counts.  A position larger than a block has a block of its own. */
#define BK_ENTRY_BYTES (BK_BOOK_MOVES * 48 + 32)
/* The smallest position takes 2 bytes, and 1 for its key. */
#define BK_BLOCK_POSITIONS 512

typedef struct bk_block_writer {
    uint64_t key;   /* of the first position */
    uint8_t *value; /* sealed, after bk_block_seal */
    size_t size;
    unsigned n; /* positions */
    /* private */
    unsigned width; /* bytes of a key difference */
    bool years;     /* some move has a year */
    uint64_t keys[BK_BLOCK_POSITIONS];
    uint32_t ends[BK_BLOCK_POSITIONS];
    uint32_t ends_without[BK_BLOCK_POSITIONS];
    uint8_t with[2 * BK_BLOCK_BYTES + BK_ENTRY_BYTES];    /* years written */
    uint8_t without[2 * BK_BLOCK_BYTES + BK_ENTRY_BYTES]; /* left out */
    uint8_t out[BK_BLOCK_BYTES + BK_ENTRY_BYTES];
} bk_block_writer;

/* Can the block code hold m?  It can any move that some piece could make on
 * an empty board; what else a foreign book names is no move. */
bool bk_move_storable(xq_move m);

void bk_block_start(bk_block_writer *w);
/* Add a position; keys must rise, moves stand by rising move and
 * are storable.  False when it
 * does not fit: seal the block, use it, start, put again. */
bool bk_block_put(bk_block_writer *w, const bk_entry *e);
/* Make value and size of what was put (n > 0). */
void bk_block_seal(bk_block_writer *w);

typedef struct bk_block_reader {
    uint64_t key; /* of the position read last */
    /* private */
    const uint8_t *p, *end;
    unsigned width;
    bool years, first;
} bk_block_reader;

/* XQ_ECORRUPT when the head makes no sense.  The seal is not looked at: who
 * wants it tested asks bk_unseal. */
xq_status bk_block_open(bk_block_reader *r, uint64_t first_key,
                        const uint8_t *value, size_t n);
/* The next position, moves by rising move; XQ_DONE at the end. */
xq_status bk_block_next(bk_block_reader *r, bk_entry *e);
/* Skip to the position with that key: XQ_OK and *e filled, XQ_ENOTFOUND. */
xq_status bk_block_find(bk_block_reader *r, uint64_t key, bk_entry *e);

/* a + b, or the largest number. */
static inline uint32_t bk_add32(uint32_t a, uint32_t b)
{
    return b > UINT32_MAX - a ? UINT32_MAX : a + b;
}
static inline void bk_add_counts(bk_counts *a, const bk_counts *b)
{
    a->red = bk_add32(a->red, b->red);
    a->draw = bk_add32(a->draw, b->draw);
    a->black = bk_add32(a->black, b->black);
    a->unknown = bk_add32(a->unknown, b->unknown);
}
static inline uint64_t bk_total(const bk_counts *c)
{
    return (uint64_t)c->red + c->draw + c->black + c->unknown;
}

/* ---- the file around the blocks ----
 *
 * Main database: "format" (store.c), "book": seal (4), flags (1; bit 0: one
 * wing), positions (8), moves (8), games (8).
 * "positions": key of a block's first position (8) -> block.
 * "games": number of the block from 0 (8) -> seal (4), then digests of games,
 * 16 bytes each, rising, at most 62. */
#define BK_BOOK_MAGIC   "BKB1"
#define BK_BOOK_HEAD    (BK_SEAL + 1 + 3 * 8)
#define BK_GAMES_BLOCK  62
#define BK_DIGEST_BYTES 16
#define BK_DB_POSITIONS "positions"
#define BK_DB_GAMES     "games"

/* The digests of a book's games in rising order. */
typedef struct bk_digests {
    bk_book *book;
    MDB_cursor *cursor;
    const uint8_t *p, *end;
} bk_digests;
xq_status bk_digests_open(bk_digests *d, bk_book *b, xq_err *err);
xq_status bk_digests_next(bk_digests *d, pgn_digest *out, xq_err *err);
void bk_digests_close(bk_digests *d);

static inline int bk_digest_cmp(pgn_digest a, pgn_digest b)
{
    if (a.hi != b.hi)
        return a.hi < b.hi ? -1 : 1;
    return a.lo < b.lo ? -1 : a.lo > b.lo;
}

#endif
