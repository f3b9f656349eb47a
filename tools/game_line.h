/* game_line.h - one game of a file, and its moves as a line (cli.h). */
#ifndef GAME_LINE_H
#define GAME_LINE_H

#include "tools/cli.h"

#include "libpgn/reader.h"

/* Game `number` of a file (or "-"), games counted from 1 through the whole
 * file, all members of an archive.  That the game is faulty is noted on stderr:
 * its moves are those before the fault.  NULL, with a message: no such game, or
 * it cannot be read.  Close *r whatever comes back; the game lives as long. */
const pgn_game *game_open(pgn_reader **r, const char *path, uint64_t number,
                          const pgn_reader_options *options);

/* Its main line, as a copy.  False: as game_open, or no memory. */
bool game_line_read(cli_line *l, const char *path, uint64_t number,
                    const pgn_reader_options *options);

#endif
