/* rules.h - which moves the rules allow, and whether the game is over.
 *
 *   xq_movelist list;
 *   xq_gen_legal(&p, &list);
 *   if (list.n == 0) ...the side to move has lost: mate or stalemate (G-10)
 *
 * Nothing here allocates or fails.  "Legal" is the full rule: the piece's own
 * movement (G-01..G-07), no check left standing on one's own king (G-09), and
 * the kings never facing each other (G-08).  Capturing a king is never legal;
 * the question only arises in odd positions. */
#ifndef XQ_RULES_H
#define XQ_RULES_H

#include "engine/pos.h"

/* No position has more moves: 90 squares, at most 17 targets each. */
#define XQ_MAX_MOVES 1536

typedef struct xq_movelist {
    unsigned n;
    xq_move m[XQ_MAX_MOVES];
} xq_movelist;

/* All legal moves of the side to move, in a fixed order. */
void xq_gen_legal(const xq_pos *p, xq_movelist *list);
/* All pseudo-legal moves: the king's safety and facing kings are not tested.
 * Captures of the king are among them. */
void xq_gen_pseudo(const xq_pos *p, xq_movelist *list);

/* Why a move is not allowed. */
typedef enum xq_verdict {
    XQ_LEGAL = 0,
    XQ_NO_PIECE,   /* nothing stands on the from-square */
    XQ_NOT_YOURS,  /* the other side's piece stands there */
    XQ_OWN_PIECE,  /* an own piece stands on the target */
    XQ_NO_REACH,   /* that kind of piece does not move so */
    XQ_LEG,        /* the horse's leg is blocked (G-04) */
    XQ_EYE,        /* the elephant's eye is blocked (G-03) */
    XQ_RIVER,      /* an elephant may not cross the river (G-03) */
    XQ_PALACE,     /* king or advisor would leave the palace */
    XQ_JUMP,       /* a rook, or a moving cannon, would jump a piece */
    XQ_SCREEN,     /* a cannon takes over exactly one piece (G-06) */
    XQ_BACKWARD,   /* a pawn never moves back, nor sideways before the river */
    XQ_SELF_CHECK, /* the own king would be in check (G-09) */
    XQ_FACING,     /* the kings would face each other (G-08) */
    XQ_TAKES_KING, /* a king is never captured: the game ended before */
} xq_verdict;

/* Fast: does the full rule allow m?  Any 16-bit value may be passed. */
bool xq_move_is_legal(const xq_pos *p, xq_move m);
/* Fast: does the piece move so, the king's safety aside? */
bool xq_move_is_pseudo(const xq_pos *p, xq_move m);
/* Slower: the reason.  XQ_LEGAL exactly when xq_move_is_legal. */
xq_verdict xq_move_judge(const xq_pos *p, xq_move m);
/* The reason as words: "cannon would jump two pieces", "horse's leg on c0 is
 * blocked", "the kings would face each other"...  Never empty. */
void xq_verdict_text(const xq_pos *p, xq_move m, xq_verdict v, char out[128]);

/* Is the king of `side` attacked (facing kings count)? */
bool xq_in_check(const xq_pos *p, xq_side side);
/* Squares of the pieces that give check to the side to move (at most as many
 * as XQ_MAX_CHECKERS; an odd position may have more).  Returns how many. */
#define XQ_MAX_CHECKERS 16
unsigned xq_checkers(const xq_pos *p, xq_sq out[XQ_MAX_CHECKERS]);

/* Does the side to move have a legal move?  If not it has lost, in check
 * (mate) or not (stalemate): G-10. */
bool xq_has_legal_move(const xq_pos *p);

/* Leaves of the tree of legal moves, `depth` plies deep; depth 0 is 1.  At
 * the last ply moves are counted, not generated. */
uint64_t xq_perft(const xq_pos *p, unsigned depth);

#endif
