/* reader.h - pull games one by one out of a file in any supported format.
 *
 *   pgn_reader_open -> reader       (caller owns; end with pgn_reader_close)
 *   pgn_reader_next -> next game    (reader owns; valid until the next call)
 *
 * Units: bytes in the unpacked file from 0; lines, games and plies from 1.
 * Text handed out is UTF-8 whatever the file's encoding.
 * Threads: one at a time per reader.  Memory: one segment (about 1 MiB) or
 * one game, whichever is larger. */
#ifndef PGN_READER_H
#define PGN_READER_H

#include "libpgn/game.h"
#include "libpgn/split.h"

typedef struct pgn_reader pgn_reader;

typedef struct pgn_reader_options {
    pgn_encoding encoding; /* PGN_ENC_AUTO: judge per file and per game */
    bool strict_fen;       /* refuse odd start positions */
    bool repair;           /* undo double encoding of tags, comments and
                              moves (repair.h); pgn_game.repaired counts */
    bool main_only;        /* skip variations, comments and NAGs: they are
                              read over, not kept (book building) */
} pgn_reader_options;

/* Open a file (or "-") and read all its games, members of archives one after
 * the other.  opts may be NULL. */
xq_status pgn_reader_open(pgn_reader **r, const char *path,
                          const pgn_reader_options *opts, xq_err *err);

/* For segments: a reader without a file. */
xq_status pgn_reader_new(pgn_reader **r, const pgn_reader_options *opts,
                         xq_err *err);
/* Read from this segment next.  Its bytes must stay until its games are read.
 * Games count from 1 in the segment; lines and bytes are the file's. */
void pgn_reader_load(pgn_reader *r, const pgn_segment *seg);

/* Read the next game.
 *
 * On XQ_OK *game is owned by the reader; it and every string in it stay
 * valid until the next pgn_reader_next(), _load() or _close().  A move the
 * rules forbid does not stop the reading: it is noted in game->problems and
 * the moves before it are kept.  Bytes between games that belong to none are
 * noted on the next game, or passed over (adverts behind a result).
 *
 * An error, so that the game is faulty: a move that is none or not legal (in a
 * variation it costs that variation), a null move, a start position that is
 * refused (then no move is kept), another game than Xiangqi, damage to the
 * file, variations more than 65,536 deep.  Everything else is a warning: a
 * result that contradicts the tag's, which counts, or the final position; no
 * result; an odd start position; a move number that breaks the count; an open
 * comment; an encoding that only part of the game has.  200 of each are
 * listed, the rest is counted.
 *
 * Returns XQ_OK; XQ_DONE at the end; XQ_EIO, XQ_ENOMEM or XQ_ELIMIT with
 * *err filled (err may be NULL).  Formats: formats reference 3.  Legality:
 * rules.h. */
xq_status pgn_reader_next(pgn_reader *r, const pgn_game **game, xq_err *err);

/* The name of the file or member the last game came from. */
const char *pgn_reader_name(const pgn_reader *r);

void pgn_reader_close(pgn_reader *r);

#endif
