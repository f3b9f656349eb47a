/* key.h - one position, one key.
 *
 * The Zobrist key of a position is the XOR of one 64-bit constant for each
 * piece on its square, and of XQ_KEY_BLACK when Black is to move.  The
 * constants are drawn from SplitMix64 (Steele, Lea, Flood 2014; reference
 * code by Vigna) seeded with XQ_KEY_SEED, in the order: piece code 1..7,
 * 9..15, squares a0..i9 for each, then XQ_KEY_BLACK.  They are part of the
 * file formats of bookdb/ and never change; tests hold vectors.
 *
 * xq_pos keeps its own key and its left-right mirror image's, move by move.
 * The canonical key is the smaller of the two: a line learnt on one wing is
 * found on the other.  Colours are never exchanged. */
#ifndef XQ_KEY_H
#define XQ_KEY_H

#include "engine/pos.h"

#define XQ_KEY_SEED UINT64_C(0x71697075) /* "qipu" */

/* The constants, by piece code and square: own and mirror image's side by
 * side, so that both keys cost one cache line. */
struct xq_zobrist {
    uint64_t key, mirror;
};
extern const struct xq_zobrist xq_zobrist[16][XQ_SQUARES];
extern const uint64_t xq_zobrist_black; /* = XQ_KEY_BLACK */

/* Key of p computed from scratch (pos->key must always equal it). */
xq_key xq_key_of(const xq_pos *p);

/* The canonical key.  *mirrored tells whether it is the mirror image's; it
 * is false when the position is its own mirror image. */
static inline xq_key xq_canon_key(const xq_pos *p, bool *mirrored)
{
    *mirrored = p->mirror_key < p->key;
    return *mirrored ? p->mirror_key : p->key;
}

/* The position is its own mirror image. */
static inline bool xq_pos_is_symmetric(const xq_pos *p)
{
    return p->key == p->mirror_key;
}

/* Turn a move of p into the frame of the canonical key: mirrored along with
 * the position.  Where the position is its own mirror image both wings are
 * one move, written on Red's right (files f-i): h2e2, not b2e2. */
xq_move xq_canon_move(const xq_pos *p, xq_move m);
/* The same from the two keys of a position, for who has no board at hand. */
xq_move xq_canon_move_by(xq_key key, xq_key mirror_key, xq_move m);

/* Are a and b the same move of p?  Where p is its own mirror image, so are a
 * move and that of the other wing: what is known of one is known of the
 * other. */
static inline bool xq_pos_same_move(const xq_pos *p, xq_move a, xq_move b)
{
    return a == b || (xq_pos_is_symmetric(p) && a == xq_move_mirror(b));
}

/* Keys of all positions of a line: n + 1 of each, the first are start's.
 * Every move must be legal.  Several times faster than playing the moves on
 * a board. */
void xq_line_keys(const xq_pos *start, const xq_move *moves, size_t n,
                  xq_key *keys, xq_key *mirror_keys);

/* Back again: a move in the canonical frame as a move of p.  (For a
 * symmetric position: the move on Red's right.) */
static inline xq_move xq_canon_move_back(const xq_pos *p, xq_move m)
{
    return p->mirror_key < p->key ? xq_move_mirror(m) : m;
}

#endif
