/* seen.h - a set of digests in bounded memory.
 *
 *   bk_seen_open(&s, 32 << 20, NULL, &err);
 *   bk_seen_add(s, digest, &fresh, &err);       fresh: it was not there
 *   bk_seen_rewind(s, &err);
 *   while (bk_seen_next(s, &digest, &err) == XQ_OK)     in rising order
 *       ...
 *   bk_seen_close(s);
 *
 * A hash table; when it is full, its digests go to a temporary file (unlinked
 * at once) as a sorted run, and a Bloom filter says which digests need not be
 * looked for there.  Past a few runs they are merged into one.  Digests are
 * taken to be well mixed. */
#ifndef BK_SEEN_H
#define BK_SEEN_H

#include "libpgn/game.h"

typedef struct bk_seen bk_seen;

/* memory: bytes for all, 0: 32 MiB; tmpdir as in sort.h. */
xq_status bk_seen_open(bk_seen **s, size_t memory, const char *tmpdir,
                       xq_err *err);
xq_status bk_seen_add(bk_seen *s, pgn_digest d, bool *fresh, xq_err *err);
uint64_t bk_seen_count(const bk_seen *s);
/* Begin to list them.  Nothing may be added from here on. */
xq_status bk_seen_rewind(bk_seen *s, xq_err *err);
xq_status bk_seen_next(bk_seen *s, pgn_digest *d, xq_err *err);
void bk_seen_close(bk_seen *s);

#endif
