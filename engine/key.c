/* key.c - Zobrist keys and the canonical form (key.h). */
#include "engine/key.h"
#include "engine/internal.h"

xq_key xq_key_of(const xq_pos *p)
{
    xq_key key = p->side == XQ_BLACK ? xq_zobrist_black : 0;
    for (xq_sq s = 0; s < XQ_SQUARES; s++)
        if (p->at[s])
            key ^= xq_zobrist[p->at[s]][s].key;
    return key;
}

/* Files a-d lie left of the middle. */
static bool is_left(xq_sq s) { return xq_file_of[s] < 4; }
static bool is_middle(xq_sq s) { return xq_file_of[s] == 4; }

xq_move xq_canon_move(const xq_pos *p, xq_move m)
{
    if (p->mirror_key < p->key)
        return xq_move_mirror(m);
    if (!xq_pos_is_symmetric(p))
        return m;
    /* A wing is where the move starts or, from the middle file, ends. */
    xq_sq from = xq_move_from(m), to = xq_move_to(m);
    bool left = is_middle(from) ? is_left(to) : is_left(from);
    return left ? xq_move_mirror(m) : m;
}
