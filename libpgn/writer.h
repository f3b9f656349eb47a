/* writer.h - games to text.
 *
 *   pgn_style st = {.notation = PGN_CHINESE, .script = PGN_SIMPLIFIED};
 *   pgn_write_pgn(g, &st, &buf);                    UTF-8
 *   pgn_encode(PGN_ENC_BIG5, text, &out, &lost);    then to its encoding
 *
 * What is written reads back to an equal game: tags (escaped), comments,
 * variations, NAGs, start position and result survive.  A faulty game is
 * written with its good prefix. */
#ifndef PGN_WRITER_H
#define PGN_WRITER_H

#include "libpgn/game.h"

typedef struct pgn_style {
    pgn_notation notation; /* PGN_NOTATION_ANY: as the game was written */
    pgn_script script;
    bool script_as_game; /* use game->script instead */
} pgn_style;

/* Append the game as PGN in UTF-8: tags in the order of the game, with Result
 * and (for another start) FEN added or mended; Format names the notation
 * unless that is Chinese; a line a round as the Chinese programs write it;
 * result at the end; blank line.  Ends of lines are LF.  What PGN cannot hold
 * is changed once (README.md lists it: a '}' inside a comment becomes the
 * full-width one, ...); *lost (may be NULL) is increased by the number of such
 * changes.  XQ_ENOMEM. */
xq_status pgn_write_pgn(const pgn_game *g, const pgn_style *st, pgn_buf *out,
                        size_t *lost);

/* The part of it behind the tags: moves, notes, result, blank line. */
xq_status pgn_write_movetext(const pgn_game *g, const pgn_style *st,
                             pgn_buf *out, size_t *lost);

/* Append the game as DhtmlXQ in UTF-8, [DhtmlXQ] ... [/DhtmlXQ] and a blank
 * line, lines numbered in the order in which the tree is walked.  The start
 * position stands in `binit` where that can say it, and in `fen` where it is
 * not the usual one.  *lost counts what DhtmlXQ cannot hold: NAGs, and further
 * comments of one move, which are joined.  Of the style only the script
 * counts, for the word of the result.  XQ_ENOMEM. */
xq_status pgn_write_dhtmlxq(const pgn_game *g, const pgn_style *st,
                            pgn_buf *out, size_t *lost);

/* Append the game as a Chinese score sheet: lines like 红方：..., then moves,
 * variations and notes as PGN has them.  Reads back as the same game, the
 * title first among its tags. */
xq_status pgn_write_text(const pgn_game *g, const pgn_style *st, pgn_buf *out,
                         size_t *lost);

/* Append the game as one line of JSON (the layout is in cli.md's contract,
 * repeated in libpgn/README.md). */
xq_status pgn_write_json(const pgn_game *g, pgn_buf *out);

/* Append one problem as the fields of a JSON object, without braces:
 * "level":..,"kind":..,"line":..,"byte":..,"ply":..,"text":..,"message":.. */
void pgn_write_problem(const pgn_problem *p, pgn_buf *out);

#endif
