/* writer_tags.h - the tags of a game as PGN and JSON write them.
 *
 *   pgn_written_tags w;
 *   pgn_written_tags_start(&w, g);
 *   while (pgn_written_tags_next(&w))
 *       put(w.tag.name, w.tag.value);
 *
 * They come in the order of the game.  Of Result and FEN the first of the
 * name is mended where it does not say what the game says; where there is
 * none it follows behind the others, FEN for another start than the usual
 * one only.  Both formats ask here, so that a game has the same tags in
 * both. */
#ifndef PGN_WRITER_TAGS_H
#define PGN_WRITER_TAGS_H

#include "libpgn/game.h"

typedef struct pgn_written_tags {
    pgn_tag tag; /* dies at the next step */
    /* private */
    const pgn_game *g;
    uint32_t next;
    bool result, fen; /* seen, or added */
    char start[XQ_FEN_MAX];
} pgn_written_tags;

void pgn_written_tags_start(pgn_written_tags *w, const pgn_game *g);
/* False at the end. */
bool pgn_written_tags_next(pgn_written_tags *w);

/* The FEN that was refused, where one was: the game has no moves then, and its
 * start is the usual one only for want of another.  Else its s is NULL. */
xq_str pgn_refused_fen(const pgn_game *g);

#endif
