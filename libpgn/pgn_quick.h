/* pgn_quick.h - where a plain written move would go, without branches.
 *
 * Which piece moves, and how, differs at every ply of a game, so every branch
 * on it is mispredicted half the time: a table of steps and fixed loops take
 * half the time of a switch.  Whether the piece may go there is the rules
 * core's to say, also in a few steps without branches. */
#ifndef PGN_QUICK_H
#define PGN_QUICK_H

#include "engine/pos.h"
#include "libpgn/notation.h"

/* File of a square, 15 for XQ_NOSQ: pgn_quick.c. */
extern const uint8_t pgn_file_of[256];

/* [kind][direction][target or file distance]: ranks forward; NO: none. */
enum { PGN_NO_STEP = 64 };
extern const int8_t pgn_rank_step[8][4][10];

/* The move that kind, file number, direction and target name when exactly one
 * own piece of the kind stands on the file; XQ_NOMOVE when the complete
 * reader has to look.  kind 1..7, number and target 1..9, dir 1..3.  Neither
 * the piece's path nor the king's safety are tested: ask xq_move_is_legal. */
static inline xq_move pgn_quick_move(const xq_pos *p, unsigned kind,
                                     unsigned number, unsigned dir,
                                     unsigned target)
{
    const unsigned side = p->side;
    const unsigned piece = side << 3 | kind;
    const unsigned mirror = side ? 0 : 9; /* file 1 is at the own right hand */
    const unsigned file = side ? number - 1 : mirror - number;
    const unsigned to_file = side ? target - 1 : mirror - target;
    const unsigned first = p->first[piece], n = p->first[piece + 1] - first;
    unsigned from = 0, found = 0;
    if (first > XQ_SQUARES - 5) /* a board of nothing but pieces */
        return XQ_NOMOVE;
    for (unsigned i = 0; i < 5; i++) { /* pieces of one kind: mostly two */
        unsigned sq = p->sq[first + i];
        unsigned here = (pgn_file_of[sq] == file) & (i < n);
        found += here;
        from |= sq & (0u - here);
    }
    const bool diagonal = kind >= XQ_ADVISOR && kind <= XQ_HORSE;
    const unsigned distance = to_file > file ? to_file - file : file - to_file;
    const int step = pgn_rank_step[kind][dir][diagonal ? distance : target];
    const unsigned goal = diagonal | (dir == 3) ? to_file : file;
    const int rank = xq_rank_of[from < XQ_SQUARES ? from : 0] +
                     (side ? -step : step);
    if (found != 1 || n > 5 || rank < 0 || rank > 9)
        return XQ_NOMOVE;
    return xq_move_make((xq_sq)from, (xq_sq)(goal + 9 * (unsigned)rank));
}

/* 前车进一, 后马退４: piece of a kind of which two stand on one file, and no
 * other pair.  order 1 front, 3 rear.  As above. */
xq_move pgn_quick_tandem(const xq_pos *p, unsigned order, unsigned kind,
                         unsigned dir, unsigned target);

#endif
