/* pgn_quick.h - where a plain written move would go, nearly without branches.
 *
 * Which piece moves, and how, differs at every ply of a game, so every branch
 * on it is mispredicted half the time: a table of all plain moves takes a
 * third of the time of a switch.  Whether the piece may go there is the rules
 * core's to say. */
#ifndef PGN_QUICK_H
#define PGN_QUICK_H

#include "engine/pos.h"
#include "libpgn/notation.h"

/* All plain moves: how many squares on, by side, kind, file number,
 * direction and target; PGN_NO_MOVE when nothing moves so. */
enum { PGN_NO_MOVE = 127 };
struct pgn_quick {
    int8_t on[2][8][16][4][16];
};
void pgn_quick_init(struct pgn_quick *q);

/* The move that kind, file number, direction and target name when exactly one
 * own piece of the kind stands on the file; XQ_NOMOVE when the complete
 * reader has to look.  kind 1..7, number and target 1..9, dir 1..3.  Neither
 * the piece's path nor the king's safety are tested: ask xq_move_is_legal. */
xq_move pgn_quick_move(const struct pgn_quick *q, const xq_pos *p,
                       unsigned kind, unsigned number, unsigned dir,
                       unsigned target);

/* 前车进一, 后马退４: piece of a kind of which two stand on one file, and no
 * other pair.  order 1 front, 3 rear.  As above. */
xq_move pgn_quick_tandem(const struct pgn_quick *q, const xq_pos *p,
                         unsigned order, unsigned kind, unsigned dir,
                         unsigned target);

#endif
