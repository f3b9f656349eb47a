/* record.h - a game's tree of moves as bytes, a byte a move.
 *
 *   bk_record_encode(g, &buf, keys)         tree -> bytes
 *   bk_record_decode(...)                   bytes -> tree, every move tested
 *   bk_replay r; bk_replay_start(&r, &g->start, bytes, n);
 *   while (bk_replay_next(&r, &move))       main line only, fast
 *       use(&r.pos, r.ply);                 r.pos: after the move
 *
 * A move is a code of 0..118: which piece of its kind, and where to, seen
 * from the piece.  Pieces are counted as xq_pos hands out slots for the
 * start position.
 *
 *   0-3      king      4 directions
 *   4-11     advisor   2 pieces x 4      12-19    elephant  2 x 4
 *   20-35    horse     2 x 8
 *   36-69    rook      2 x 17 (8 other files, then 9 other ranks)
 *   70-103   cannon    2 x 17
 *   104-118  pawn      5 x 3
 *   119      any other move (surplus pieces): xq_move in two bytes, low first
 *   120 121  a variation begins, ends; it replaces the move before it
 *   122 123  a comment behind the move before; before the first move of a
 *            variation, standing behind that move.  Texts lie elsewhere, in
 *            the order of these codes
 *   124      a NAG: its number follows as varint
 *
 * 125-255 are free. */
#ifndef BK_RECORD_H
#define BK_RECORD_H

#include "libpgn/game.h"

/* Append the tree of g to *out.  keys (may be NULL) receives the canonical
 * keys of the main line's plies + 1 positions.  XQ_ENOMEM. */
xq_status bk_record_encode(const pgn_game *g, pgn_buf *out, xq_key *keys);

/* How many comments the bytes tell of. */
uint32_t bk_record_comments(const uint8_t *p, size_t n);

/* Fill main line, nodes and notes of g, whose start is set, from the bytes.
 * texts are the comments (their memory must outlive g), exactly as many as
 * the bytes tell of.  All else is allocated in `arena`.
 * XQ_ECORRUPT with what is wrong; XQ_ENOMEM. */
xq_status bk_record_decode(const uint8_t *p, size_t n, const xq_str *texts,
                           uint32_t ntexts, xq_arena *arena, pgn_game *g,
                           xq_err *err);

typedef struct bk_replay {
    xq_pos pos;
    uint32_t ply;
    bool bad; /* the bytes are none of bk_record_encode's */
    const uint8_t *p, *end;
} bk_replay;

void bk_replay_start(bk_replay *r, const xq_pos *start, const uint8_t *p,
                     size_t n);
/* Play the next move of the main line.  False at the end, or when `bad`.
 * Moves are only tested as far as memory safety needs. */
bool bk_replay_next(bk_replay *r, xq_move *m);

#endif
