/* cycle.h - a random legal cycle out of bytes: what a referee judges.
 *
 *   byte 0      bits 0-1 its shape (below), bit 2 who begins,
 *               bits 3-7 how many pieces
 *   bytes 1, 2  where the kings stand
 *   then        two bytes a piece: its square, its colour and kind
 *   then        a byte a move: which of those that can be taken back
 *
 * Shapes: both sides go N moves out and the same way back, N = 1, 2, 3; or
 * both go round a line in three moves (rook, cannon, king). */
#ifndef CYCLE_H
#define CYCLE_H

#include <string.h>

#include "engine/rules.h"

enum { MAX_CYCLE = 12 };

struct cycle {
    xq_pos start;
    xq_move moves[MAX_CYCLE];
    unsigned n;
};

struct cycle_bytes {
    const uint8_t *at;
    size_t n;
};

static inline unsigned next_byte(struct cycle_bytes *b)
{
    if (!b->n)
        return 0;
    b->n--;
    return *b->at++;
}

static inline bool cycle_board(struct cycle_bytes *b, unsigned head,
                               xq_pos *out)
{
    static const uint8_t PALACE[9] = {3, 4, 5, 12, 13, 14, 21, 22, 23};
    uint8_t at[XQ_SQUARES] = {0};
    at[PALACE[next_byte(b) % 9]] = xq_piece_of(XQ_RED, XQ_KING);
    at[89 - PALACE[next_byte(b) % 9]] = xq_piece_of(XQ_BLACK, XQ_KING);
    for (unsigned i = head >> 3; i > 0 && b->n >= 2; i--) {
        const unsigned s = next_byte(b) % XQ_SQUARES, piece = next_byte(b);
        if (!at[s])
            at[s] = xq_piece_of((xq_side)(piece & 1),
                                (xq_kind)(XQ_ADVISOR + (piece >> 1) % 6));
    }
    return xq_pos_set(out, at, (xq_side)(head >> 2 & 1), NULL) == XQ_OK &&
           !xq_in_check(out, (xq_side)(out->side ^ 1));
}

static inline xq_move turned_back(xq_move m)
{
    return xq_move_make(xq_move_to(m), xq_move_from(m));
}

/* Legal, no capture, and not a pawn's step forward. */
static inline bool can_return(const xq_pos *p, xq_move m)
{
    const xq_sq from = xq_move_from(m), to = xq_move_to(m);
    return xq_move_is_legal(p, m) && !p->at[to] &&
           (xq_piece_kind(p->at[from]) != XQ_PAWN ||
            xq_rank_of[from] == xq_rank_of[to]);
}

/* The byte's choice among such moves (of the piece on `only`, if any). */
static inline xq_move choose_move(const xq_pos *p, struct cycle_bytes *b,
                                  xq_sq only)
{
    xq_movelist list;
    unsigned n = 0;
    xq_gen_legal(p, &list);
    for (unsigned i = 0; i < list.n; i++)
        if (can_return(p, list.m[i]) &&
            (only == XQ_NOSQ || xq_move_from(list.m[i]) == only))
            list.m[n++] = list.m[i];
    return n ? list.m[next_byte(b) % n] : XQ_NOMOVE;
}

/* The move of ply i, when the side makes `half` moves out and back or, with
 * round, three along a line. */
static inline xq_move cycle_move(const struct cycle *c, const xq_pos *p,
                                 struct cycle_bytes *b, unsigned i,
                                 unsigned half, bool round)
{
    const unsigned k = i / 2; /* the side's own count */
    if (round) {
        const xq_move one = k > 0 ? c->moves[i & 1] : XQ_NOMOVE;
        if (k == 0)
            return choose_move(p, b, XQ_NOSQ);
        if (k == 1)
            return choose_move(p, b, xq_move_to(one));
        return xq_move_make(xq_move_to(c->moves[i - 2]), xq_move_from(one));
    }
    if (k < half)
        return choose_move(p, b, XQ_NOSQ);
    return turned_back(c->moves[2 * (2 * half - 1 - k) + (i & 1)]);
}

/* False when the bytes make no cycle. */
static inline bool cycle_of(const uint8_t *data, size_t n, struct cycle *out)
{
    struct cycle_bytes b = {data, n};
    const unsigned head = next_byte(&b), shape = head & 3;
    if (!cycle_board(&b, head, &out->start))
        return false;
    xq_pos p = out->start;
    const bool round = shape == 3;
    out->n = 0;
    for (unsigned i = 0; i < (round ? 6 : 4 * (shape + 1)); i++) {
        const xq_move m = cycle_move(out, &p, &b, i, shape + 1, round);
        if (!can_return(&p, m))
            return false;
        xq_pos_make(&p, m, NULL);
        out->moves[out->n++] = m;
    }
    return p.key == out->start.key;
}

#endif
