/* tables.c - the const tables of pos.h and internal.h. */
#include "engine/internal.h"

#include "engine_tables.inc" /* written by mktables.c */

const char xq_zone_map[10][10] = XQ_ZONE_MAP;

/* clang-format off */
const uint8_t xq_file_of[XQ_SQUARES] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8,  0, 1, 2, 3, 4, 5, 6, 7, 8,
    0, 1, 2, 3, 4, 5, 6, 7, 8,  0, 1, 2, 3, 4, 5, 6, 7, 8,
    0, 1, 2, 3, 4, 5, 6, 7, 8,  0, 1, 2, 3, 4, 5, 6, 7, 8,
    0, 1, 2, 3, 4, 5, 6, 7, 8,  0, 1, 2, 3, 4, 5, 6, 7, 8,
    0, 1, 2, 3, 4, 5, 6, 7, 8,  0, 1, 2, 3, 4, 5, 6, 7, 8,
};
const uint8_t xq_rank_of[XQ_SQUARES] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0,  1, 1, 1, 1, 1, 1, 1, 1, 1,
    2, 2, 2, 2, 2, 2, 2, 2, 2,  3, 3, 3, 3, 3, 3, 3, 3, 3,
    4, 4, 4, 4, 4, 4, 4, 4, 4,  5, 5, 5, 5, 5, 5, 5, 5, 5,
    6, 6, 6, 6, 6, 6, 6, 6, 6,  7, 7, 7, 7, 7, 7, 7, 7, 7,
    8, 8, 8, 8, 8, 8, 8, 8, 8,  9, 9, 9, 9, 9, 9, 9, 9, 9,
};
const uint8_t xq_sq_mirror[XQ_SQUARES] = {
     8,  7,  6,  5,  4,  3,  2,  1,  0, 17, 16, 15, 14, 13, 12, 11, 10,  9,
    26, 25, 24, 23, 22, 21, 20, 19, 18, 35, 34, 33, 32, 31, 30, 29, 28, 27,
    44, 43, 42, 41, 40, 39, 38, 37, 36, 53, 52, 51, 50, 49, 48, 47, 46, 45,
    62, 61, 60, 59, 58, 57, 56, 55, 54, 71, 70, 69, 68, 67, 66, 65, 64, 63,
    80, 79, 78, 77, 76, 75, 74, 73, 72, 89, 88, 87, 86, 85, 84, 83, 82, 81,
};
/* clang-format on */

#define RED      (UINT64_C(1) | UINT64_C(1) << 10)
#define BLACK    (UINT64_C(1) | UINT64_C(1) << 20)
#define ROOKLIKE (UINT64_C(1) << 30)
#define CANNON   (UINT64_C(1) << 40)
const uint64_t xq_line_word[16] = {
    [XQ_KING] = RED | ROOKLIKE,
    [XQ_ADVISOR] = RED,
    [XQ_ELEPHANT] = RED,
    [XQ_HORSE] = RED,
    [XQ_ROOK] = RED | ROOKLIKE,
    [XQ_CANNON] = RED | CANNON,
    [XQ_PAWN] = RED,
    [8 | XQ_KING] = BLACK | ROOKLIKE,
    [8 | XQ_ADVISOR] = BLACK,
    [8 | XQ_ELEPHANT] = BLACK,
    [8 | XQ_HORSE] = BLACK,
    [8 | XQ_ROOK] = BLACK | ROOKLIKE,
    [8 | XQ_CANNON] = BLACK | CANNON,
    [8 | XQ_PAWN] = BLACK,
};
