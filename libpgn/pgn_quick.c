/* pgn_quick.c - tables of pgn_quick.h, and two pieces on one file. */
#include "libpgn/pgn_quick.h"

/* File of a square, 15 for XQ_NOSQ. */
/* clang-format off */
#define FILES 0, 1, 2, 3, 4, 5, 6, 7, 8
#define F15(n) 15, 15, 15, 15, 15, 15, 15, 15
static const uint8_t FILE_OF[256] = {
    FILES, FILES, FILES, FILES, FILES, FILES, FILES, FILES, FILES, FILES,
    15, 15, 15, 15, 15, 15,                                      /* 90..95 */
    F15(96), F15(104), F15(112), F15(120), F15(128), F15(136), F15(144),
    F15(152), F15(160), F15(168), F15(176), F15(184), F15(192), F15(200),
    F15(208), F15(216), F15(224), F15(232), F15(240), F15(248)};
#undef FILES
#undef F15

/* [kind][direction][target, or distance in files]: ranks forward. */
#define NO 64 /* no move */
#define NONE {NO, NO, NO, NO, NO, NO, NO, NO, NO, NO}
/* Straight movers step as many ranks as the target says, and none sideways. */
#define STRAIGHT                                                               \
    {NONE, {NO, 1, 2, 3, 4, 5, 6, 7, 8, 9},                                    \
     {NO, -1, -2, -3, -4, -5, -6, -7, -8, -9},                                 \
     {NO, 0, 0, 0, 0, 0, 0, 0, 0, 0}}
/* For the others the file they go to tells how many ranks: by distance. */
#define DIAGONAL(one, two)                                                     \
    {NONE, {NO, one, two, NO, NO, NO, NO, NO, NO, NO},                         \
     {NO, -(one), -(two), NO, NO, NO, NO, NO, NO, NO}, NONE}
static const int8_t RANK_STEP[8][4][10] = {
    [0] = {NONE, NONE, NONE, NONE},
    [XQ_KING] = STRAIGHT,
    [XQ_ADVISOR] = DIAGONAL(1, NO),
    [XQ_ELEPHANT] = DIAGONAL(NO, 2),
    [XQ_HORSE] = DIAGONAL(2, 1),
    [XQ_ROOK] = STRAIGHT,
    [XQ_CANNON] = STRAIGHT,
    [XQ_PAWN] = STRAIGHT,
};
/* clang-format on */

xq_move pgn_quick_move(const xq_pos *p, unsigned kind, unsigned number,
                       unsigned dir, unsigned target)
{
    const unsigned side = p->side;
    const unsigned piece = side << 3 | kind;
    /* file 1 is at the mover's right hand */
    const unsigned flip = side ? 0 : 10, sign = side ? 1 : ~0u;
    const unsigned file = flip + sign * number - 1u;
    const unsigned to_file = flip + sign * target - 1u;
    const unsigned first = p->first[piece], n = p->first[piece + 1] - first;
    if (n - 1 > 4 || first > XQ_SQUARES - 2) /* on odd boards only */
        return XQ_NOMOVE;
    unsigned sq = p->sq[first], here = FILE_OF[sq] == file;
    unsigned found = here, from = sq & (0u - here);
    for (unsigned i = 1; i < n; i++) { /* nearly always two in all */
        sq = p->sq[first + i];
        here = FILE_OF[sq] == file;
        found += here;
        from |= sq & (0u - here);
    }
    const bool diagonal = kind - XQ_ADVISOR <= XQ_HORSE - XQ_ADVISOR;
    const unsigned d = to_file - file;
    const unsigned distance = d > 8 ? 0u - d : d;
    const int step = RANK_STEP[kind][dir][diagonal ? distance : target];
    const unsigned goal = (diagonal | (dir == 3)) ? to_file : file;
    if (found != 1)
        return XQ_NOMOVE;
    const unsigned rank = xq_rank_of[from] + (unsigned)(side ? -step : step);
    return rank > 9 ? XQ_NOMOVE
                    : xq_move_make((xq_sq)from, (xq_sq)(goal + 9 * rank));
}

xq_move pgn_quick_tandem(const xq_pos *p, unsigned order, unsigned kind,
                         unsigned dir, unsigned target)
{
    const unsigned side = p->side, piece = side << 3 | kind;
    uint8_t at[9] = {0}; /* by file: one past the first square met there */
    unsigned front = XQ_NOSQ, rear = XQ_NOSQ, pairs = 0;
    for (unsigned s = p->first[piece]; s < p->first[piece + 1]; s++) {
        unsigned sq = p->sq[s];
        if (sq == XQ_NOSQ)
            continue;
        unsigned f = xq_file_of[sq];
        if (at[f]) {
            unsigned other = at[f] - 1u;
            bool ahead = side == XQ_RED ? sq > other : sq < other;
            front = ahead ? sq : other;
            rear = ahead ? other : sq;
            pairs++; /* a third piece on the file makes it two */
        }
        at[f] = (uint8_t)(sq + 1);
    }
    if (pairs != 1 || (order != 1 && order != 3))
        return XQ_NOMOVE;
    const unsigned from = order == 1 ? front : rear;
    const unsigned file = xq_file_of[from];
    const unsigned to_file = side ? target - 1 : 9 - target;
    const bool diagonal = kind >= XQ_ADVISOR && kind <= XQ_HORSE;
    const unsigned distance = to_file > file ? to_file - file : file - to_file;
    const int step = RANK_STEP[kind][dir][diagonal ? distance : target];
    const int rank = xq_rank_of[from] + (side ? -step : step);
    if (rank < 0 || rank > 9)
        return XQ_NOMOVE;
    const unsigned goal = diagonal || dir == 3 ? to_file : file;
    return xq_move_make((xq_sq)from, (xq_sq)(goal + 9 * (unsigned)rank));
}
