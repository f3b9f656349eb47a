/* page.h - annotated games as one web page that needs nothing else.
 *
 *   page_begin(&b, &style);
 *   page_add_game(&b, game, &style)      for each game, in their order
 *   page_end(&b);
 *
 * Each appends its part of the page, HTML in UTF-8, to a buffer: parts may be
 * made by several threads and written one after the other.  A page opens from
 * disk, loads nothing and sends nothing: style, scripts and pieces stand in it,
 * and its Content-Security-Policy allows no others.
 *
 * What a game holds is shown as it is: tags, main line, variations, comments,
 * NAGs, problems.  [%eval 0.35] and [%eval #-3] in a comment, pawns and moves
 * to mate as Red sees them, become the graph (page_eval.h).  All of it stays
 * readable where scripts do not run; with them (tools/web/) the board steps.
 *
 * Texts are strangers': they are escaped here and only ever put into the page
 * as text.  The script in the page knows no rules: it is given
 *
 *   {"start":"rnbakabnr/9/...",         the board of FEN before the first move
 *    "side":"red","round":1,            who moves first, and that move's number
 *    "nodes":[{                         the start, then every move, those of
 *                                       variations before what follows the
 *                                       move that they replace
 *       "u":3,                          the node that it is played in; left
 *                                       out where that is the one before
 *       "m":"h2e2",                     from and to
 *       "w":"C2.5",                     as WXF
 *       "t":"...",                      in the other script, where exchanging
 *                                       characters does not give that
 *       "k":"e9",                       where a king stands in check after it
 *       "o":"mate",                     or "stalemate": the game ends so
 *       "e":"0.35","p":541}],           evaluation, Red's expected share of the
 *                                       point in thousandths
 *    "red":"...","black":"..."}          characters to exchange in a side's
 *                                       moves for the other script, in pairs
 *
 * and the n-th <a> of the game's moves is node n: its text the move in the
 * script of the article's data-lang, its <i> the NAGs as signs. */
#ifndef PAGE_H
#define PAGE_H

#include "libpgn/game.h"
#include "tools/cli.h"

typedef struct page_style {
    pgn_script script;   /* of moves and pieces at first; a reader may change
                            it */
    bool script_as_game; /* moves: game->script instead */
    const char *title;   /* UTF-8, of anybody; NULL: "qipu" */
} page_style;

void page_begin(cli_buf *b, const page_style *st);
/* Append a game.  XQ_ENOMEM, with what was written incomplete.  Some 60 bytes
 * a move, 40 more where it is evaluated, and 3,000 a game. */
xq_status page_add_game(cli_buf *b, const pgn_game *g, const page_style *st);
void page_end(cli_buf *b);
/* page_begin or page_end, to a file of cli_out.  False: no memory, nothing is
 * written; a failed write is told by the file (cli_write). */
bool page_write_frame(FILE *f, const page_style *st, bool begin);

#endif
