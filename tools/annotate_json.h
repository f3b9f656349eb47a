/* annotate_json.h - an annotated game for programs.
 *
 * The JSON of pgn_write_json, with three fields more:
 *
 *   "evals":[{"ply":0,"eval":0.12,"chances":0.523,"best":"h2e2"},
 *            {"ply":1,"lost":0.210,"mate":-3,"chances":0.000,
 *             "best":"h9g7"}, ...]
 *   "red":{"player":"...","moves":20, ... ,"accuracy":93.1}   "black" likewise
 *
 * evals: of the position after each ply of the main line, 0 the start's: pawns
 * from Red's view, or mate in so many moves (> 0: Red mates, < 0: Black does;
 * 0: it stands on the board), Red's share of a point (chance to win + half the
 * chance to draw, eval.h), and the engine's move there.  lost: what the move to
 * it cost its side of the point (annotate.h); left out where it is not known.
 * "failed" instead: no answer; "unconfirmed": the mate that was claimed. */
#ifndef ANNOTATE_JSON_H
#define ANNOTATE_JSON_H

#include "libpgn/writer.h"
#include "tools/annotate.h"

/* v, lost: as annotate_game has left them.  XQ_ENOMEM. */
xq_status annotate_json_game(pgn_buf *out, const pgn_game *g, const analysis *v,
                             const uint16_t *lost, const annotate_report *r);

/* ,"red":{...} with what is counted of a side; accuracy: the mean.  player
 * NULL: of several games. */
void annotate_json_side(pgn_buf *out, xq_side side, const annotate_side *s,
                        const xq_str *player);

#endif
