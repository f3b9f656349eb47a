/* index.h - blocks of the position index: sorted (key, game) pairs, packed.
 *
 *   used = bk_index_encode(recs, n, max_game, block, BK_INDEX_BLOCK, &size);
 *   bk_index_reader r;
 *   bk_index_start(&r, block, size, first_key, first_game);
 *   while (bk_index_list(&r)) {                 a position: r.key, r.count
 *       while (bk_index_game(&r, &game)) ...    may be left early
 *   }
 *   if (r.bad) ...the block is damaged
 *
 * The games of a position rise, each once.  A position whose games do not fit
 * goes on in the next block, which then begins with the same key.
 *
 * 5.1 bytes a pair for CCPD, 7.5 where nearly every position is a game's own
 * (with steps of whole bytes: 5.9 and 9.0).  Keys are whole: what the index
 * says of a position is true but for equal 64-bit keys, and a search replays
 * each game anyway. */
#ifndef BK_INDEX_H
#define BK_INDEX_H

#include "bookdb/sort.h"

/* Two values of this size with keys of BK_INDEX_KEY bytes fill a page of LMDB
 * to the last byte: 2 x (2 + 8 + 13 + 2017) = 4080. */
#define BK_INDEX_BLOCK 2017
#define BK_INDEX_KEY   13

/* Bytes behind a block that packing may write to. */
#define BK_INDEX_SLACK 8

/* Pack as many of recs[0..n), n > 0, as fit into `cap` (at least 64) bytes;
 * `out` has BK_INDEX_SLACK more.
 * rec.key is the position, rec.data the game, at most max_game.  Returns how
 * many were taken, *size receives the bytes used.  The block is sealed. */
size_t bk_index_encode(const bk_rec *recs, size_t n, uint32_t max_game,
                       uint8_t *out, size_t cap, size_t *size);

typedef struct bk_index_reader {
    uint64_t key;   /* of the current list */
    uint32_t count; /* games in it, in this block */
    bool bad;
    /* private */
    const uint8_t *p;
    size_t bit, bits;
    uint32_t lists, left, game, first_game;
    unsigned kbits, idbits, gbits;
    bool first, at_first;
} bk_index_reader;

/* Begin to read a block whose first pair the database's key tells.  The seal
 * is tested.  False (and bad) when it is damaged. */
bool bk_index_start(bk_index_reader *r, const uint8_t *block, size_t size,
                    uint64_t first_key, uint32_t first_game);
/* The next position; what was not read of the one before is passed over. */
bool bk_index_list(bk_index_reader *r);
bool bk_index_game(bk_index_reader *r, uint32_t *game);

#endif
