/* quarantine.h - faulty games as PGN that a person mends and imports.
 *
 *   quarantine q = {.options = reader's};
 *   quarantine_add(&q, g, at, &buf) ...
 *   quarantine_free(&q);
 *
 * What is added reads back as one game, and as a faulty one, whatever stands
 * before and behind it. */
#ifndef QUARANTINE_H
#define QUARANTINE_H

#include "libpgn/buf.h"
#include "tools/pipe.h"

typedef struct quarantine {
    pgn_reader_options options; /* what the games are read with */
    /* private */
    pgn_reader *as_read, *plain; /* read back with options; as UTF-8 */
    pgn_buf text;
} quarantine; /* one thread at a time */

/* Append the game: as it stood in the file where that was PGN, with a result
 * behind it where
 * nothing else ends it.  Where its text cannot be copied (binary and other
 * kinds, UTF-16), as PGN of the moves before the fault, then a comment that
 * says file, place, ply and fault, then the faulty move as it was written, or
 * "--" where that alone would not make the game faulty.  XQ_ENOMEM. */
xq_status quarantine_add(quarantine *q, const pgn_game *g, const pipe_at *at,
                         pgn_buf *out);
void quarantine_free(quarantine *q);

#endif
