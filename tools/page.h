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
 *   {"start":"rnbakabnr/9/...",     the board of FEN before the first move
 *    "side":"red","round":1,        who moves first, and that move's number
 *    "moves":"=9}j wf!*;",          two characters a move, from and to: a0 to
 *                                   i0, then a1 and so on to i9 are the
 *                                   characters from # to ~ without < and \;
 *                                   between a blank and ! a variation, the
 *                                   moves that may be played instead of the one
 *                                   before it
 *    "evals":"0.28/51 0.31/52 2 #3/100",
 *                                   of the start, then of each move:
 *                                   evaluation, stroke, Red's expected share of
 *                                   the point in hundredths; how many have
 *                                   none, before the next that has
 *    "king":{"7":"e9"},             after which move which king is in check
 *    "end":{"14":"mate"},           or "stalemate": the move ends the game so
 *    "red":"马馬进進",              pairs of characters: each first is to be
 *    "black":"炮砲马馬",            replaced by the second in a side's moves to
 *                                   have them in the other script
 *    "redwxf":"炮C二2平.",          and the same to have them in WXF
 *    "blackwxf":"...",
 *    "other":{"7":"..."},           moves in the other script, and in WXF, that
 *    "wxf":{"7":"C+.5"}}            exchanging characters does not give
 *
 * where "king", "end", "other" and "wxf" are left out when they would be empty.
 * Moves are numbered from 1 as they stand in "moves"; 0 is the start.  In
 * <div class="moves"> the n-th word is move n in the script of the article's
 * data-lang: words are parted by blanks, and by elements, of which each
 * <div> is a variation, <i> behind a word the NAGs as signs, <q> a
 * comment and <b> the result.  A word may have its number before it, with a
 * no-break space in between; in a variation only the first has it, and those
 * behind comments and variations. */
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
/* Append a game.  XQ_ENOMEM, with what was written incomplete.  Some 20
 * bytes a move, 15 more where it is evaluated, and 3,000 a game. */
xq_status page_add_game(cli_buf *b, const pgn_game *g, const page_style *st);
void page_end(cli_buf *b);
/* page_begin or page_end, to a file of cli_out.  False: no memory, nothing is
 * written; a failed write is told by the file (cli_write). */
bool page_write_frame(FILE *f, const page_style *st, bool begin);

#endif
