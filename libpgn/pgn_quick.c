/* pgn_quick.c - the table of plain moves, and two pieces on one file. */
#include "libpgn/pgn_quick.h"

#include <string.h>

/* File of a square, 15 for XQ_NOSQ. */
/* clang-format off */
#define FILES 0, 1, 2, 3, 4, 5, 6, 7, 8
#define F15 15, 15, 15, 15, 15, 15, 15, 15
static const uint8_t FILE_OF[256] = {
    FILES, FILES, FILES, FILES, FILES, FILES, FILES, FILES, FILES, FILES,
    15, 15, 15, 15, 15, 15, /* 90..95 */
    F15, F15, F15, F15, F15, F15, F15, F15, F15, F15,
    F15, F15, F15, F15, F15, F15, F15, F15, F15, F15};
#undef FILES
#undef F15
/* clang-format on */

/* Files are numbered from the mover's right hand. */
static int file_numbered(unsigned side, int number)
{
    return side == XQ_RED ? 9 - number : number - 1;
}

/* Ranks that a diagonal mover goes when it changes the file by so many; 0:
 * it does not. */
static int diagonal_ranks(unsigned kind, int files)
{
    switch (kind) {
    case XQ_ADVISOR:
        return files == 1 ? 1 : 0;
    case XQ_ELEPHANT:
        return files == 2 ? 2 : 0;
    default: /* horse */
        return files == 1 ? 2 : files == 2 ? 1 : 0;
    }
}

static int squares_on(unsigned side, unsigned kind, int number, unsigned dir,
                      int target)
{
    const int forward = (side == XQ_RED) == (dir == 1) ? 9 : -9;
    const int files = file_numbered(side, target) - file_numbered(side, number);
    if (kind >= XQ_ADVISOR && kind <= XQ_HORSE) {
        const int ranks = diagonal_ranks(kind, files < 0 ? -files : files);
        return ranks == 0 || dir == 3 ? PGN_NO_MOVE : files + forward * ranks;
    }
    return dir == 3 ? files : forward * target;
}

void pgn_quick_init(struct pgn_quick *q)
{
    memset(q, PGN_NO_MOVE, sizeof *q);
    for (unsigned side = 0; side < 2; side++)
        for (unsigned kind = XQ_KING; kind <= XQ_PAWN; kind++)
            for (int number = 1; number <= 9; number++)
                for (unsigned dir = 1; dir <= 3; dir++)
                    for (int target = 1; target <= 9; target++)
                        q->on[side][kind][number][dir][target] =
                            (int8_t)squares_on(side, kind, number, dir, target);
}

/* From a square so many on; outside the board there is no move.  (The file
 * of the target is always one of the board's.) */
static xq_move move_on(unsigned from, int on)
{
    const unsigned to = from + (unsigned)on;
    return to < XQ_SQUARES ? xq_move_make((xq_sq)from, (xq_sq)to) : XQ_NOMOVE;
}

xq_move pgn_quick_move(const struct pgn_quick *q, const xq_pos *p,
                       unsigned kind, unsigned number, unsigned dir,
                       unsigned target)
{
    const unsigned side = p->side, piece = side << 3 | kind;
    const unsigned file = side == XQ_RED ? 9 - number : number - 1;
    const unsigned first = p->first[piece], n = p->first[piece + 1] - first;
    if (n - 1 > 4 || first > XQ_SQUARES - 2) /* on odd boards only */
        return XQ_NOMOVE;
    unsigned sq = p->sq[first], here = FILE_OF[sq] == file;
    unsigned found = here, from = sq & (0u - here);
    sq = p->sq[first + 1]; /* nearly always two; one king */
    here = (FILE_OF[sq] == file) & (n > 1);
    found += here;
    from |= sq & (0u - here);
    for (unsigned i = 2; i < n; i++) {
        sq = p->sq[first + i];
        here = FILE_OF[sq] == file;
        found += here;
        from |= sq & (0u - here);
    }
    if (found != 1)
        return XQ_NOMOVE;
    return move_on(from, q->on[side][kind][number][dir][target]);
}

xq_move pgn_quick_tandem(const struct pgn_quick *q, const xq_pos *p,
                         unsigned order, unsigned kind, unsigned dir,
                         unsigned target)
{
    const unsigned side = p->side, piece = side << 3 | kind;
    uint8_t at[9] = {0}; /* by file: one past the first square met there */
    unsigned front = XQ_NOSQ, rear = XQ_NOSQ, pairs = 0;
    for (unsigned s = p->first[piece]; s < p->first[piece + 1]; s++) {
        const unsigned sq = p->sq[s];
        if (sq == XQ_NOSQ)
            continue;
        const unsigned f = xq_file_of[sq];
        if (at[f]) {
            const unsigned other = at[f] - 1u;
            const bool ahead = side == XQ_RED ? sq > other : sq < other;
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
    const unsigned number = side == XQ_RED ? 9 - file : file + 1;
    return move_on(from, q->on[side][kind][number][dir][target]);
}
