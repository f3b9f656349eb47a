/* page_eval.h - what the comments and NAGs of a game say about its moves. */
#ifndef PAGE_EVAL_H
#define PAGE_EVAL_H

#include "engine/pos.h"
#include "tools/cli.h"

typedef struct page_eval {
    enum { PAGE_NONE = 0, PAGE_PAWNS, PAGE_MATE } kind;
    bool black;    /* the sign: good for Black */
    double amount; /* pawns, or moves to mate; not negative */
    char text[24]; /* as a page shows it: "0.35", "-12.5", "#3", "#-3" */
} page_eval;

/* Look for [%eval 0.35] or [%eval #-3] in a comment, as Red sees it; what
 * follows the number (",20", the depth) is passed over.  On true the command is
 * comment[*from..*to), without the blanks around it.  Commands that are not
 * understood are text. */
bool page_eval_find(xq_str comment, page_eval *e, size_t *from, size_t *to);

/* Does a comment begin with "+0.30/12" or "-M5/20": score/depth as the mover
 * sees it (M: plies to mate), which cutechess writes behind an engine's move?
 * It is turned round for Black.  A score with neither sign nor point is none
 * ("1/2"). */
bool page_eval_of_mover(xq_str comment, xq_side mover, page_eval *e,
                        size_t *from, size_t *to);

/* Red's expected share of the point in thousandths: what the engine's curve
 * says (xq_chances_of), draws counting half; mate is 1000 or 0.  p: the
 * position that was evaluated; mate in 0 goes against its side to move. */
unsigned page_eval_share(const page_eval *e, const xq_pos *p);

/* "!", "?", "!!", "??", "!?", "?!" for $1 to $6, "\u25a1" for $7 and $8 (only
 * move), "=" for $10; "$14" for others, written into `room`. */
const char *page_nag(uint32_t nag, char room[16]);

#endif
