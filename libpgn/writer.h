/* writer.h - games to text.
 *
 *   pgn_style st = {.notation = PGN_CHINESE, .script = PGN_SIMPLIFIED};
 *   pgn_write_pgn(g, &st, &buf, NULL);              UTF-8
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
    /* PGN only, behind the moves: a comment, and a word as it stands, which
     * may make the game faulty.  Empty: none. */
    xq_str remark, word;
} pgn_style;

/* Append the game as PGN in UTF-8: tags in the order of the game, with Result
 * and (for another start) FEN added or mended; Format names the notation
 * unless that is Chinese; a line a round as the Chinese programs write it;
 * result at the end; blank line.  Ends of lines are LF.  XQ_ENOMEM.
 *
 * What PGN cannot hold is changed once, and *lost (may be NULL) increased by
 * the number of such changes: '}' in a comment becomes the full-width one; a
 * line of a comment that would begin the next game (split.h) gets a blank in
 * front; blanks around a comment go; a line break in a value becomes a blank,
 * as NUL does anywhere; names of tags are made of letters, digits, '_' and '-';
 * a second tag of the first one's name is left out. */
xq_status pgn_write_pgn(const pgn_game *g, const pgn_style *st, pgn_buf *out,
                        size_t *lost);

/* The part of it behind the tags: moves, notes, result, blank line. */
xq_status pgn_write_movetext(const pgn_game *g, const pgn_style *st,
                             pgn_buf *out, size_t *lost);

/* Append the game as DhtmlXQ in UTF-8, [DhtmlXQ] ... [/DhtmlXQ] and a blank
 * line, lines numbered in the order in which the tree is walked.  The start
 * position stands in `binit` where that can say it, and in `fen` where it is
 * not the usual one.  *lost counts what DhtmlXQ cannot hold: NAGs, further
 * comments of one move, which are joined, blanks around texts.  Of the style
 * only the script counts, for the word of the result.  XQ_ENOMEM. */
xq_status pgn_write_dhtmlxq(const pgn_game *g, const pgn_style *st,
                            pgn_buf *out, size_t *lost);

/* Append the game as a Chinese score sheet: lines like 红方：..., then moves,
 * variations and notes as PGN has them.  Reads back as the same game, the
 * title first among its tags. */
xq_status pgn_write_text(const pgn_game *g, const pgn_style *st, pgn_buf *out,
                         size_t *lost);

/* What a format of one game a file could not hold, summed up over games. */
typedef struct pgn_lost {
    size_t characters; /* not in the encoding, written as '?' */
    size_t cut;        /* values longer than their field */
    size_t blanks;     /* texts with blanks around them, values of several
                          lines: they come back without */
    size_t tags;       /* that have no field */
    size_t nags;
    size_t comments; /* joined with another, or moved behind the move */
    size_t counters; /* numbers of the start position */
    size_t games;    /* not written: their position has no place in it */
} pgn_lost;
bool pgn_lost_any(const pgn_lost *l);
void pgn_lost_add(pgn_lost *to, const pgn_lost *l);
/* In words: "2 tags without a field, 1 NAG".  `encoding` names the target's. */
void pgn_lost_text(const pgn_lost *l, const char *encoding, char out[400]);

/* Append the game as a file of XQF, texts in encoding e (GBK is what programs
 * read).  Version 1.0: every program that reads XQF reads it, it needs no
 * keys, and later versions hold nothing more.  A game whose start position
 * has no place in it (more pieces of a kind than a set has, or none that was
 * understood) is not written, and counted.  XQ_ENOMEM. */
xq_status pgn_write_xqf(const pgn_game *g, pgn_encoding e, pgn_buf *out,
                        pgn_lost *lost);
/* The same as CBF, in UTF-8 with a byte order mark as CCBridge writes it.  Not
 * written is only a game whose start position was refused. */
xq_status pgn_write_cbf(const pgn_game *g, pgn_buf *out, pgn_lost *lost);

/* Append the game as one line of JSON in UTF-8, which fmt_json.c reads:
 *
 *   {"tags":[["Event","..."],...],     as the source has them, in its order
 *    "fen":"...",                      start position, always there
 *    "moves":["h2e2",...],             ranks 0-9
 *    "nags":[{"ply":1,"nag":1}],
 *    "comments":[{"ply":0,"text":"..."}],
 *    "variations":[{"ply":2,"moves":[],"nags":[],"comments":[],
 *                   "variations":[]}],
 *    "result":"1-0",                   what counts, however the tag spells it
 *    "problems":[{"level","kind","line","byte","ply","text","message"}]}
 *
 * Plies count from 1 in their line; a note of ply 0 stands before the first
 * move.  A variation replaces ply `ply` of the line it is listed in.  One that
 * is written before its brother's second move (1. a (1. b (1. c))) replaces the
 * same move: all three are brothers here and in pgn_node.alt. */
xq_status pgn_write_json(const pgn_game *g, pgn_buf *out);

/* Append one problem as the fields of a JSON object, without braces:
 * "level":..,"kind":..,"line":..,"byte":..,"ply":..,"text":..,"message":.. */
void pgn_write_problem(const pgn_problem *p, pgn_buf *out);

#endif
