/* files.c - files as the mover counts them, and pieces one behind another.
 *
 * File numbers run from the mover's own right hand, front is nearer the
 * enemy (formats reference 2.2, 2.4). */
#include "libpgn/notation_internal.h"

unsigned pgn_on_file(const xq_pos *p, xq_kind k, unsigned file, xq_sq out[10])
{
    const xq_piece piece = xq_piece_of((xq_side)p->side, k);
    const bool red = p->side == XQ_RED;
    unsigned n = 0;
    for (int i = 0; i < 10; i++) {
        xq_sq s = xq_sq_of((int)file, red ? 9 - i : i);
        if (p->at[s] == piece)
            out[n++] = s;
    }
    return n;
}

unsigned pgn_tandem(const xq_pos *p, xq_kind k, xq_sq out[XQ_SQUARES])
{
    unsigned n = 0;
    for (unsigned number = 1; number <= 9; number++) {
        unsigned file = pgn_file_numbered((xq_side)p->side, number);
        xq_sq here[10];
        unsigned count = pgn_on_file(p, k, file, here);
        for (unsigned i = 0; count >= 2 && i < count; i++)
            out[n++] = here[i];
    }
    return n;
}

unsigned pgn_tandem_files(const xq_pos *p, xq_kind k)
{
    unsigned files = 0;
    xq_sq here[10];
    for (unsigned file = 0; file < 9; file++)
        files += pgn_on_file(p, k, file, here) >= 2;
    return files;
}
