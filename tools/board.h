/* board.h - a board drawn with characters, and text in columns.
 *
 *    9   [车]-[马]-[象]-[士]-[将]-...
 *         |    |    |    | \  |  / |
 *
 * Red pieces stand in ( ), Black's in [ ]; a Chinese character takes two
 * columns, lines are ASCII, whose width no font or locale changes. */
#ifndef BOARD_H
#define BOARD_H

#include "tools/cli.h"

/* 21 lines: files above in Black's count, below in Red's and as letters. */
void board_draw(cli_buf *b, const xq_pos *p, pgn_script s);

/* The character of a piece: 车, 帅; "" for an empty square. */
const char *board_piece(xq_piece p, pgn_script s);

/* Columns that a text takes: Chinese and full-width characters two. */
int board_columns(const char *s);
/* Add the text, then blanks up to `width` columns. */
void board_pad(cli_buf *b, const char *s, int width);

#endif
