/* score.h - the words of Chinese score sheets, for their reader and the
 * writer of plain text. */
#ifndef PGN_SCORE_H
#define PGN_SCORE_H

#include "libpgn/game.h"

/* A key as it stands before '：', and the tag that it is. */
typedef struct pgn_score_key {
    const char *simplified, *traditional, *tag;
} pgn_score_key;

/* Ended by a row of NULLs; the first row of a tag is what we write. */
extern const pgn_score_key pgn_score_keys[];

/* 红胜, 黑胜, 和棋, 未知. */
const char *pgn_score_result(pgn_result r, bool traditional);

#endif
