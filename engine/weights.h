/* weights.h - the numbers the evaluation is made of, and their names.
 *
 * A weight is what one unit of a term is worth, in the middle game and in the
 * endgame; the evaluation is the sum of count * weight over all terms, Red's
 * minus Black's.  They are fitted to games by `make tune` (tools/tune.h), by
 * the counts that xq_eval_trace (eval.h) tells: only weights.c changes then,
 * nothing else holds a number of the evaluation.
 *
 * Units: hundredths of a pawn, within 16 bits.  Order and meaning are fixed by
 * the list below; names stand beside the numbers in weights.c. */
#ifndef XQ_WEIGHTS_H
#define XQ_WEIGHTS_H

#include "engine/pos.h"

/* Both worths in one number, so that one addition or multiplication serves
 * both: mg + eg * 2^32. */
typedef int64_t xq_weight;
#define XQ_WEIGHT(mg, eg) ((xq_weight)(eg)*4294967296 + (mg))
static inline int xq_mg(xq_weight w) { return (int32_t)(uint32_t)w; }
static inline int xq_eg(xq_weight w)
{
    return (int)((w - xq_mg(w)) / 4294967296);
}

/* Points of the board as a side sees it, left and right wing folded: rank
 * (own back rank 0) * 5 + file a-e. */
#define XQ_PLACES 50

enum xq_weight_index {
    /* One for each piece: advisor, elephant, horse, rook, cannon, pawn. */
    XQ_W_PIECE = 0,
    /* Where it stands, by kind (king first) and place. */
    XQ_W_PLACE = XQ_W_PIECE + 6,
    /* How many moves a piece has, captures included: exactly one of each
     * table counts for each horse, rook.  A cannon's: without captures. */
    XQ_W_HORSE_MOVES = XQ_W_PLACE + 7 * XQ_PLACES,
    XQ_W_ROOK_MOVES = XQ_W_HORSE_MOVES + 9,
    XQ_W_CANNON_MOVES = XQ_W_ROOK_MOVES + 18,
    /* Own horses whose forward leg is blocked; blocked eyes of elephants. */
    XQ_W_LEG = XQ_W_CANNON_MOVES + 18,
    XQ_W_EYE,
    /* Cannons on the enemy king's file with nothing between, by distance:
     * up to 3, 4 or 5, more. */
    XQ_W_HOLLOW,
    /* The same with two pieces between. */
    XQ_W_TWO_SCREENS = XQ_W_HOLLOW + 3,
    /* Cannons on the enemy king's rank with nothing between, with two pieces
     * between. */
    XQ_W_BOTTOM_HOLLOW,
    XQ_W_BOTTOM_SCREENS,
    /* Cannons on the enemy's back rank, by his advisors left: 0, 1, 2. */
    XQ_W_BOTTOM,
    /* Rooks on the enemy king's rank or file behind one piece. */
    XQ_W_ROOK_BEHIND = XQ_W_BOTTOM + 3,
    /* Points of the enemy palace that rooks, horses, cannons (over a screen)
     * and pawns attack. */
    XQ_W_PALACE_ROOK,
    XQ_W_PALACE_HORSE,
    XQ_W_PALACE_CANNON,
    XQ_W_PALACE_PAWN,
    /* How many pieces attack the palace: exactly one counts, 0 to 5 or more;
     * and that number * defenders the enemy lacks. */
    XQ_W_ATTACKERS,
    XQ_W_ATTACK_OPEN = XQ_W_ATTACKERS + 6,
    /* Pawns beyond the river that stand side by side. */
    XQ_W_PAWN_PAIR,
    /* Both advisors, both elephants. */
    XQ_W_ADVISORS,
    XQ_W_ELEPHANTS,
    /* Defence against attack: own rooks, horses * advisors the enemy lacks;
     * own cannons * advisors he has; own cannons, pawns beyond the river *
     * elephants he lacks. */
    XQ_W_ROOK_OPEN,
    XQ_W_HORSE_OPEN,
    XQ_W_CANNON_ADVISORS,
    XQ_W_CANNON_OPEN,
    XQ_W_PAWN_OPEN,
    /* Two rooks, two horses, two cannons; horse and cannon; no rook where the
     * enemy has one. */
    XQ_W_ROOKS,
    XQ_W_HORSES,
    XQ_W_CANNONS,
    XQ_W_MIXED,
    XQ_W_NO_ROOK,
    /* Enemy pieces attacked and not guarded: advisor to pawn. */
    XQ_W_HANGING,
    /* A guarded rook attacked by something less; a guarded horse or cannon by
     * pawn, advisor or elephant. */
    XQ_W_ROOK_CHASED = XQ_W_HANGING + 6,
    XQ_W_MINOR_CHASED,
    /* Own horses, cannons, pawns beyond the river that are guarded. */
    XQ_W_GUARDED,
    /* The right to move. */
    XQ_W_TEMPO = XQ_W_GUARDED + 3,
    XQ_WEIGHTS
};

extern const xq_weight xq_weights[XQ_WEIGHTS];
extern const char *const xq_weight_names[XQ_WEIGHTS];

/* What a score means: chances are curves (eval_chances.c), tapered as weights
 * are.  In hundredths of a pawn. */
extern const xq_weight xq_chance_shift, xq_chance_spread;

/* Place of a square, by side. */
extern const uint8_t xq_place_of[2][XQ_SQUARES];

/* What a piece of a kind is worth at a place, as its own side sees it. */
static inline xq_weight xq_weight_at(xq_kind k, unsigned place)
{
    const xq_weight w = xq_weights[XQ_W_PLACE + XQ_PLACES * (k - 1) + place];
    return k == XQ_KING ? w : w + xq_weights[XQ_W_PIECE + k - XQ_ADVISOR];
}

#endif
