/* writer_tree.h - what the writers of stored trees (XQF, CBF) share. */
#ifndef PGN_WRITER_TREE_H
#define PGN_WRITER_TREE_H

#include "libpgn/writer.h"

/* Visits the tree as these formats store it: a node, what continues it, then
 * what replaces it. */
typedef struct pgn_stored_walk {
    const pgn_game *g;
    uint32_t node, next; /* visited; due (0: none) */
    bool goes_on;        /* its continuation comes next */
    bool sibling;        /* another move in its place comes later */
    uint32_t *stack;     /* nodes whose sibling is due */
    size_t n, cap;
    bool failed; /* memory ran out */
} pgn_stored_walk;

void pgn_stored_walk_start(pgn_stored_walk *w, const pgn_game *g);
/* False at the end. */
bool pgn_stored_walk_next(pgn_stored_walk *w);
void pgn_stored_walk_end(pgn_stored_walk *w);

/* The comments of a node as one text, joined by line breaks, in *out (emptied
 * first); NAGs and what had to be joined or moved is counted. */
void pgn_joined_comment(const pgn_game *g, uint32_t node, pgn_buf *out,
                        pgn_lost *lost);

/* Does it come back from a text of these formats as it is?  Readers drop
 * blanks around it, and have line breaks (LF) in comments only, `lines`. */
bool pgn_text_comes_back(xq_str s, bool lines);

/* Has the game a start position that was understood?  If not, its moves are
 * not there and the start it shows means nothing. */
bool pgn_has_start(const pgn_game *g);

/* Tags that are not texts of the game: what they say is written otherwise. */
bool pgn_tag_is_layout(const pgn_tag *t);

#endif
