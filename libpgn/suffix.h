/* suffix.h - does the name of a file say that games are in it?
 *
 * What a file is, is told by its content.  The name only stands in for the
 * user who names a file: where one is sure to mean games, less of them has to
 * show (split.c).  Hence ".txt", ".csv" and ".json", which may be anything,
 * are no such names. */
#ifndef PGN_SUFFIX_H
#define PGN_SUFFIX_H

#include <stdbool.h>

/* "a/Games.PGN", "b.wxf.gz": yes.  Capitals or not; behind the name of a
 * compressed file the one before counts. */
bool pgn_suffix_is_game(const char *name);

#endif
