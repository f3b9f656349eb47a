/* engine_book.h - the books that the engine plays from.
 *
 *   engine_books books = {0};
 *   const xq_book_source source = engine_books_source(&books);
 *   ...
 *   engine_books_close(&books);
 *
 * The list is what the user writes as option Book: files apart by ';', each a
 * book of `qipu book` or a BOOK.DAT, "mine.book; BOOK.DAT".  The first one that
 * has a move to play in the position answers.  With factors, "mine.book*3;
 * BOOK.DAT*1", all are asked: a move's weight is the sum, over the books, of
 * its share there times the book's factor (1 where none is given; with 0 a
 * book is not asked). */
#ifndef ENGINE_BOOK_H
#define ENGINE_BOOK_H

#include "engine/protocol.h"

typedef struct engine_books {
    struct engine_one_book *v;
    size_t n;
    bool mixed; /* some factor was given */
} engine_books;

xq_book_source engine_books_source(engine_books *b);
void engine_books_close(engine_books *b);

#endif
