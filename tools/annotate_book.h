/* annotate_book.h - up to which move does a book know a game?
 *
 * A book of `qipu book`, or a BOOK.DAT.  A move counts as known whatever its
 * weight: 0 means "known, never choose". */
#ifndef ANNOTATE_BOOK_H
#define ANNOTATE_BOOK_H

#include "bookdb/foreign.h"
#include "libpgn/game.h"

typedef struct annotate_book {
    bk_book *book; /* one of these two, or neither: no book */
    bk_bookdat *dat;
    bk_entry *entry;
    bool folds; /* a move of a symmetric position is known on both wings */
} annotate_book;

xq_status annotate_book_open(annotate_book *b, const char *path, xq_err *err);
void annotate_book_close(annotate_book *b); /* also of a zeroed one */

/* The first ply of the main line that the book does not know, from 1; *ply is 0
 * when it knows them all.  A failure of the book is a status. */
xq_status annotate_book_leaves(annotate_book *b, const pgn_game *g,
                               uint32_t *ply, xq_err *err);

#endif
