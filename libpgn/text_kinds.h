/* text_kinds.h - text formats beside PGN and JSON: which one a file is, and
 * where it may be cut.  What the splitter and the readers must agree on.
 *
 *   PGN_FMT_DHTMLXQ  [DhtmlXQ] ... [/DhtmlXQ], also inside web pages
 *   PGN_FMT_WXF      FORMAT WXF ... START{ }END
 *   PGN_FMT_MOVES    a game a line in squares, its FEN perhaps on the next
 *   PGN_FMT_CSV      a move a row
 *   PGN_FMT_FENS     a position a line, perhaps with a name or moves
 *   PGN_FMT_SCORE    Chinese score sheets: lines like 红方：..., then moves
 *
 * Hard boundaries, where a new game begins whatever stood before:
 *
 *   DHTMLXQ  [DhtmlXQ] and [DHJHtmlXQ]
 *   WXF      a line that begins with FORMAT and a blank
 *   MOVES    a line that is neither blank nor a FEN
 *   FENS     a line that is not blank
 *   SCORE    a line that begins with 标题： or the heading of Lianzhong
 *   CSV      a row whose game differs from that of the row before it
 *
 * The first line with something on it decides (DhtmlXQ: its mark anywhere in
 * the head).  Lists of bare moves with numbers are PGN without tags.  All are
 * read on the calls of reader_internal.h, so that faults, sides and notations
 * behave as in PGN.  Tags Result and FEN are always made, in our own spelling,
 * so that a game comes back from PGN with the tags it had.
 *
 * The searches look at raw bytes of any encoding but UTF-16.  Lines end at LF
 * or CR. */
#ifndef PGN_TEXT_KINDS_H
#define PGN_TEXT_KINDS_H

#include "libpgn/split.h"

/* What a decoded head of a file is; PGN_FMT_UNKNOWN when none of these.  A
 * file that is not `meant` for games (by the user who names it, or by its own
 * name) has to show more than one that is. */
pgn_format pgn_text_kind(xq_str head, bool meant);

/* The last hard boundary in s[0..n) that stands in s[from..to); 0: none.
 * `csv` is the header row of a CSV file. */
size_t pgn_text_boundary_last(pgn_format f, xq_str csv, const uint8_t *s,
                              size_t n, size_t from, size_t to);
/* The first one at or behind s[from] (not for CSV); n: nowhere. */
size_t pgn_text_boundary_next(pgn_format f, const uint8_t *s, size_t n,
                              size_t from);

/* Does the board of a FEN stand at p, with at least so many '/' in it?  Pieces
 * are on it, or it has ten ranks.  Returns its end, or NULL.  Looks at no more
 * than 128 bytes. */
const char *pgn_fen_board(const char *p, const char *end, unsigned slashes);

/* Is the line s[p..end) the FEN of the moves on the line before it? */
bool pgn_moves_fen_line(const char *p, const char *end);

/* ---- fmt_csv.c ---- */

/* Is this line the header of a list of moves?  Fills *header with it. */
bool pgn_csv_header(xq_str text, xq_str *header);
size_t pgn_csv_boundary_last(xq_str header, const uint8_t *s, size_t n,
                             size_t to);

/* ---- fmt_score.c ---- */

/* Does the text begin like a score sheet? */
bool pgn_score_kind(xq_str text);
/* Does a line that begins a score sheet stand at s[at]? */
bool pgn_score_boundary(const uint8_t *s, size_t n, size_t at);

#endif
