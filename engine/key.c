/* key.c - Zobrist keys and the canonical form (key.h). */
#include "engine/key.h"
#include "engine/internal.h"

#include <string.h>

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

xq_move xq_canon_move_by(xq_key key, xq_key mirror_key, xq_move m)
{
    if (mirror_key < key)
        return xq_move_mirror(m);
    if (mirror_key != key)
        return m;
    /* A wing is where the move starts or, from the middle file, ends. */
    xq_sq from = xq_move_from(m), to = xq_move_to(m);
    bool left = is_middle(from) ? is_left(to) : is_left(from);
    return left ? xq_move_mirror(m) : m;
}

xq_move xq_canon_move(const xq_pos *p, xq_move m)
{
    return xq_canon_move_by(p->key, p->mirror_key, m);
}

void xq_line_keys(const xq_pos *start, const xq_move *moves, size_t n,
                  xq_key *keys, xq_key *mirror_keys)
{
    uint8_t at[XQ_SQUARES];
    xq_key key = start->key, mirror = start->mirror_key;
    memcpy(at, start->at, sizeof at);
    keys[0] = key;
    mirror_keys[0] = mirror;
    for (size_t i = 0; i < n; i++) {
        const xq_sq from = xq_move_from(moves[i]), to = xq_move_to(moves[i]);
        const struct xq_zobrist *own = xq_zobrist[at[from]];
        const struct xq_zobrist *taken = xq_zobrist[at[to]]; /* 0: nothing */
        at[to] = at[from];
        at[from] = XQ_EMPTY;
        key ^= own[from].key ^ own[to].key ^ taken[to].key ^ xq_zobrist_black;
        mirror ^= own[from].mirror ^ own[to].mirror ^ taken[to].mirror ^
                  xq_zobrist_black;
        keys[i + 1] = key;
        mirror_keys[i + 1] = mirror;
    }
}
