/* page_tree.h - the moves of a game as a page has them: text and data.
 * Internal to page.c and its tests. */
#ifndef PAGE_TREE_H
#define PAGE_TREE_H

#include "tools/page.h"
#include "tools/page_eval.h"

/* A move of the main line, or the start (ply 0), for graph and counts. */
typedef struct page_ply {
    page_eval eval;
    unsigned share; /* of Red, in thousandths, where there is an eval */
    uint32_t mark;  /* the NAG $2, $4 or $6 that it has, or 0 */
    xq_side mover;
} page_ply;

typedef struct page_tree {
    cli_buf html;    /* what belongs into <div class="moves"> */
    cli_buf json;    /* the object that page.h describes, not yet inert */
    page_ply *plies; /* ours: the start and the main line */
    size_t n;
    xq_pos last; /* where the main line ends */
} page_tree;

/* False when memory ran out.  Free it in any case. */
bool page_tree_make(page_tree *t, const pgn_game *g, pgn_script script);
void page_tree_free(page_tree *t);

#endif
