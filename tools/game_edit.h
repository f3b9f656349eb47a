/* game_edit.h - a game of one's own: a copy that outlives the reader's, and to
 * which notes, variations and tags are added.
 *
 *   game_edit e = {0};
 *   game_edit_copy(&e, g);
 *   game_edit_comment(&e, node, "[%eval 0.30]");
 *   pgn_write_pgn(&e.g, ...);
 *   game_edit_free(&e);
 *
 * The copy owns all it refers to.  Adding never fails on the spot: ask `failed`
 * once, at the end; memory ran out then, and the game is not to be used.  A
 * struct that was copied into may be copied into again: memory is kept. */
#ifndef GAME_EDIT_H
#define GAME_EDIT_H

#include "libpgn/game.h"

typedef struct game_edit {
    pgn_game g;
    bool failed;
    /* private */
    xq_arena arena;
    uint32_t cap_nodes, cap_notes, cap_tags;
} game_edit;

void game_edit_copy(game_edit *e, const pgn_game *g);
void game_edit_free(game_edit *e);

/* A comment behind the node's move (the root, 0: before the first), behind the
 * ones that are there. */
void game_edit_comment(game_edit *e, uint32_t node, const char *text);
/* A NAG, unless the node has it.  True: it is new. */
bool game_edit_nag(game_edit *e, uint32_t node, uint32_t nag);
/* Set a tag: the first of that name, or a new one behind the others. */
void game_edit_tag(game_edit *e, const char *name, const char *value);

/* A variation in place of the move of `node`, which belongs to the main line:
 * n moves, legal one after the other.  Its first node, or 0 when there is
 * another move already that begins the same way (or memory ran out). */
uint32_t game_edit_variation(game_edit *e, uint32_t node, const xq_move *moves,
                             size_t n);

/* A command is `open` ("[%eval "), then nothing but numbers, signs and blanks
 * up to the next ']': what else looks like it is somebody's words.
 *
 * Take all such commands out of the node's comments; comments that are empty
 * then go. */
void game_edit_strip(game_edit *e, uint32_t node, const char *open);
/* Take away comments that are just this text. */
void game_edit_uncomment(game_edit *e, uint32_t node, const char *text);
/* Take away the last NAG of the node that is this one. */
void game_edit_unnag(game_edit *e, uint32_t node, uint32_t nag);
/* Take away the variation in place of the main line's `node` that begins with
 * this move, when it is nothing but moves with one comment, behind the first,
 * which is just such a command. */
void game_edit_prune(game_edit *e, uint32_t node, xq_move first,
                     const char *open);
/* Take away all tags of that name. */
void game_edit_untag(game_edit *e, const char *name);

#endif
