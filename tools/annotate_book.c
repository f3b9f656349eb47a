/* annotate_book.c - up to which move does a book know a game? */
#include "tools/annotate_book.h"

#include "engine/key.h"

#include <stdlib.h>

/* Does the book say of a position what it says of its mirror image?  Then it
 * says of one move in a symmetric position what it says of the other wing's. */
static xq_status folds(annotate_book *b, bool *yes, xq_err *err)
{
    bk_book_info info = {0}; /* a BOOK.DAT is looked up on both wings */
    const xq_status rc = b->dat ? XQ_OK : bk_book_get_info(b->book, &info, err);
    *yes = !info.one_wing;
    return rc;
}

xq_status annotate_book_open(annotate_book *b, const char *path, xq_err *err)
{
    *b = (annotate_book){.entry = malloc(sizeof *b->entry)};
    if (!b->entry)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    xq_status rc = bk_bookdat_open(&b->dat, path, err);
    if (rc == XQ_ESYNTAX) /* it is none, but can be opened */
        rc = bk_book_open(&b->book, path, err);
    return rc == XQ_OK ? folds(b, &b->folds, err) : rc;
}

void annotate_book_close(annotate_book *b)
{
    bk_book_close(b->book);
    bk_bookdat_close(b->dat);
    free(b->entry);
    *b = (annotate_book){0};
}

static xq_status knows(annotate_book *b, const xq_pos *p, xq_move m, bool *yes,
                       xq_err *err)
{
    const xq_status rc = b->dat
                             ? bk_bookdat_find(b->dat, p, b->entry, NULL, err)
                             : bk_book_find(b->book, p, b->entry, NULL, err);
    *yes = false;
    for (unsigned i = 0; rc == XQ_OK && i < b->entry->n && !*yes; i++)
        *yes = b->folds ? xq_pos_same_move(p, b->entry->moves[i].move, m)
                        : b->entry->moves[i].move == m;
    return rc == XQ_ENOTFOUND ? XQ_OK : rc;
}

xq_status annotate_book_leaves(annotate_book *b, const pgn_game *g,
                               uint32_t *ply, xq_err *err)
{
    xq_pos p = g->start;
    *ply = 0;
    if (!b->book && !b->dat)
        return XQ_OK;
    for (uint32_t i = 0; i < g->plies; i++) {
        bool yes;
        const xq_status rc = knows(b, &p, g->main[i], &yes, err);
        if (rc != XQ_OK)
            return rc;
        if (!yes) {
            *ply = i + 1;
            return XQ_OK;
        }
        xq_pos_make(&p, g->main[i], NULL);
    }
    return XQ_OK;
}
