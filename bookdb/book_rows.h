/* book_rows.h - how a row of a book lies in a record's data (drawn in
 * book_rows.c); for the files of the book. */
#ifndef BK_BOOK_ROWS_H
#define BK_BOOK_ROWS_H

#include "bookdb/book.h"

enum { /* the lowest bit of each field */
       BK_ROW_MOVE = 50,
       BK_ROW_AGAIN = 49,
       BK_ROW_RESULT = 47,
       BK_ROW_YEAR = 36,
       BK_ROW_ELO = 23,
};

/* A row of another kind: one number of a bk_tally.  Bits 50-63 hold the move
 * as above, so that both kinds sort together. */
enum {
    BK_TALLY_KIND = 46, /* 4 bits */
    BK_TALLY_WING = 45, /* 1: said of the mirror image */
    BK_TALLY_VALUE = 1, /* 32 bits */
    BK_TALLY_FLAG = 1,  /* bit 0 is set (a game's row has 0) */
};
enum bk_tally_kind { /* 0-3: games, by result */
                     BK_T_WEIGHT = 4,
                     BK_T_WEIGHT_HIGH, /* the upper half of a 64-bit number */
                     BK_T_ELO_GAMES,
                     BK_T_ELO_SUM,
                     BK_T_ELO_SUM_HIGH,
                     BK_T_YEAR,
                     BK_T_KINDS,
};

static inline xq_move bk_row_move(uint64_t d)
{
    return (xq_move)(d >> BK_ROW_MOVE);
}
static inline bool bk_row_again(uint64_t d) { return d >> BK_ROW_AGAIN & 1; }
static inline unsigned bk_row_result(uint64_t d)
{
    return (unsigned)(d >> BK_ROW_RESULT) & 3;
}
static inline unsigned bk_row_year(uint64_t d)
{
    return (unsigned)(d >> BK_ROW_YEAR) & 2047;
}
static inline unsigned bk_row_elo(uint64_t d)
{
    return (unsigned)(d >> BK_ROW_ELO) & 8191;
}

#endif
