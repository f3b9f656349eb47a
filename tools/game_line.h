/* game_line.h - the moves of one game of a file, as a line (cli.h). */
#ifndef GAME_LINE_H
#define GAME_LINE_H

#include "tools/cli.h"

#include "libpgn/reader.h"

/* The main line of game `number` of a file (or "-"), games counted from 1
 * through the whole file, all members of an archive.  That the game is faulty
 * is noted on stderr: the moves before the fault are the line then.  False,
 * with a message: no such game, or it cannot be read. */
bool game_line_read(cli_line *l, const char *path, uint64_t number,
                    const pgn_reader_options *options);

#endif
