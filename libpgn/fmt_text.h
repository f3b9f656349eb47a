/* fmt_text.h - what the readers of text formats share: blocks, lines, places,
 * moves in squares, start positions. */
#ifndef PGN_FMT_TEXT_H
#define PGN_FMT_TEXT_H

#include "libpgn/reader_internal.h"
#include "libpgn/text_kinds.h"

/* Decode raw[from..to) into r->text, in the encoding that it reads best in.
 * False: no memory. */
bool pgn_text_load(pgn_reader *r, size_t from, size_t to);

/* The next line of raw that is not blank, from r->at on: [*from, *to) without
 * its break.  False at the end. */
bool pgn_text_line(const pgn_reader *r, size_t *from, size_t *to);

static inline size_t pgn_text_at(const pgn_reader *r, const char *p)
{
    return (size_t)(p - r->text);
}

/* Without the blanks and breaks around it. */
xq_str pgn_text_trim(xq_str s);
/* The same, and breaks inside become blanks (a copy then): a tag's value. */
xq_str pgn_text_value(pgn_reader *r, xq_str s);
/* The same for comments: breaks are LF. */
xq_str pgn_text_comment(pgn_reader *r, xq_str s);

/* Add the tag unless the value is empty; `s` is trimmed.  `at`: where it
 * stands. */
void pgn_text_tag(pgn_reader *r, const char *name, xq_str value, size_t at);

/* A FEN in whatever spelling as the tag FEN, in our own where it says all. */
void pgn_text_fen(pgn_reader *r, xq_str fen, size_t at);

/* A result as some program spells it ("W", "RED_WINS", 和局): tag Result and
 * what counts.  What says nothing is PGN_UNKNOWN, with a warning where it is
 * more than a word for that.  Empty: nothing happens. */
void pgn_text_result(pgn_reader *r, xq_str value, size_t at);

/* Play one move that is known by its squares; `at` is where it is written.
 * False: it was noted why not, the line is dead. */
bool pgn_text_play(pgn_reader *r, xq_move m, size_t at);

/* Play the moves at p: squares (h2e2, H2-E2, h10g8) glued or with blanks and
 * commas between them, digits (7747), or words in any notation.  Stops at the
 * end, or behind a move that failed. */
void pgn_text_moves(pgn_reader *r, const char *p, const char *end);
/* Does a move in squares, or do digits of DhtmlXQ, stand at p?  Its end. */
const char *pgn_text_square_move(const char *p, const char *end);

/* The game ends: tags Result and FEN say what it says, so that it has the
 * same tags when it comes back from PGN.  `list`: a format that has no place
 * for a result. */
void pgn_text_finish(pgn_reader *r, size_t at, bool list);

#endif
