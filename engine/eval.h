/* eval.h - what a position is worth without looking ahead.
 *
 *   xq_eval_state st;
 *   xq_eval_init(&st, &pos);
 *   int cp = xq_eval(&pos, &st);           Red to move: good for Red is > 0
 *
 * A score is in hundredths of a pawn, from the side to move's point of view,
 * always within +-XQ_EVAL_MAX; a rook is worth about ten pawns, a pawn beyond
 * the river about two.  Middle-game and endgame values are blended by the
 * pieces left ("tapered"), then drawn towards zero where the stronger side
 * can hardly win (xq_eval_scale).
 *
 * Weights are numbers in weights.c, named in weights.h.  Nothing here
 * allocates or fails; any position may be asked, odd ones included. */
#ifndef XQ_EVAL_H
#define XQ_EVAL_H

#include "engine/key.h"
#include "engine/weights.h"

#define XQ_EVAL_MAX  15000
#define XQ_PHASE_MAX 32 /* all attackers of the start position */

/* The part that moves change by sums: kept along the search's path. */
typedef struct xq_eval_state {
    xq_weight sum; /* pieces and places, Red minus Black */
    int32_t phase; /* attackers left: rook 4, horse and cannon 2 */
    xq_key shape;  /* sum of the keys of kings, advisors and pawns; of other
                      pieces as if all stood on a0 */
} xq_eval_state;
extern const uint8_t xq_phase_of[8];  /* by kind */
extern const xq_sq xq_shape_place[8]; /* by kind: 0 if its place is nothing
                                         to the shape, else all bits */

void xq_eval_init(xq_eval_state *st, const xq_pos *p);
/* *st of the position before m becomes that after it.  Call before
 * xq_pos_make, with the position still unmoved. */
static inline void xq_eval_move(xq_eval_state *st, const xq_pos *p, xq_move m)
{
    const xq_sq from = xq_move_from(m), to = xq_move_to(m);
    const xq_piece taken = p->at[to];
    const uint8_t *place = xq_place_of[p->side];
    const xq_weight *worth =
        xq_weights + XQ_W_PLACE + XQ_PLACES * ((p->at[from] & 7) - XQ_KING);
    const struct xq_zobrist *z = xq_zobrist[p->at[from]];
    xq_weight sum = worth[place[to]] - worth[place[from]];
    const xq_sq mover = xq_shape_place[p->at[from] & 7];
    st->shape += z[to & mover].key - z[from & mover].key -
                 xq_zobrist[taken][to & xq_shape_place[taken & 7]].key;
    if (taken != XQ_EMPTY) {
        const xq_kind k = xq_piece_kind(taken);
        sum += xq_weight_at(k, xq_place_of[p->side ^ 1][to]);
        st->phase -= xq_phase_of[k];
    }
    st->sum += p->side == XQ_RED ? sum : -sum;
}

/* *st must belong to *p.  Terms beyond st are computed here. */
int xq_eval(const xq_pos *p, const xq_eval_state *st);

/* ---- shapes ----
 *
 * Where kings, advisors and pawns stand and which other pieces there are
 * changes seldom along a search: what was found out about one such shape is
 * kept for the next position that has it.  The answer is xq_eval's.
 *
 *   xq_shapes *known = calloc(1, sizeof *known);    empty: all bytes 0
 *   int cp = xq_eval_by(&pos, &st, known);
 *
 * One thread at a time. */
struct xq_shape_side {
    uint64_t reach[2]; /* what they reach, by halves of the board */
    uint64_t crossed;  /* pawns beyond the river, in the enemy's half */
    uint8_t attackers; /* pawns that attack the enemy's palace */
    uint8_t advisors, elephants, horses, rooks, cannons; /* how many */
    uint8_t lacking; /* advisors and elephants missing of two of each */
};
struct xq_shape {
    xq_key key;    /* xq_eval_state.shape */
    xq_weight sum; /* terms known by that alone, Red minus Black */
    struct xq_shape_side side[2];
};
#define XQ_SHAPES 2048
typedef struct xq_shapes {
    struct xq_shape of[XQ_SHAPES];
} xq_shapes;
int xq_eval_by(const xq_pos *p, const xq_eval_state *st, xq_shapes *known);

/* Every term, for people and for the tuner: a term's share is
 * count * weight, for Red and for Black. */
typedef struct xq_eval_term {
    unsigned weight;  /* its index in weights.h */
    const char *name; /* "hollow cannon, far"; static */
    int red, black;   /* how often, or how much of it, each side has */
    int mg, eg;       /* worth of one */
} xq_eval_term;
/* Terms that a side has, in the order of weights.h; at most max are written
 * (XQ_WEIGHTS is always enough).  Returns how many there are. */
unsigned xq_eval_trace(const xq_pos *p, xq_eval_term *out, unsigned max);

/* The share of a blended score that counts, in 64ths: fewer where the
 * stronger side (Red if score > 0, absolute, not relative to the mover) has
 * too little left to win.
 * xq_eval = +-(mg * phase + eg * (MAX - phase)) / MAX * scale / 64. */
int xq_eval_scale(const xq_pos *p, int score);

/* What a score means for people: chances of the side to move out of 1000,
 * fitted on games; they sum to 1000. */
typedef struct xq_chances {
    unsigned win, draw, loss;
} xq_chances;
xq_chances xq_chances_of(int score, const xq_pos *p);

#endif
