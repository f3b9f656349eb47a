/* foreign_parts.h - what the files of foreign.h share: bytes and lines of a
 * file, rows, books that are found by their own keys, the walk of an export. */
#ifndef BK_FOREIGN_PARTS_H
#define BK_FOREIGN_PARTS_H

#include "bookdb/foreign.h"
#include "bookdb/walk.h"
#include "libpgn/source.h"

#include <sqlite3.h>
#include <stdio.h>

/* ---- input: a file, unpacked ---- */

typedef struct bk_input {
    const char *path;
    pgn_source *source;
    uint8_t buf[1 << 16]; /* at first: the head of the file */
    size_t at, n;
    char *line; /* one that did not lie in buf as a whole */
    size_t cap;
    uint64_t line_number; /* of the line given out last, from 1 */
} bk_input;

xq_status bk_input_open(bk_input **in, const char *path, xq_err *err);
/* n bytes; fewer at the end only. */
xq_status bk_input_read(bk_input *in, void *out, size_t n, size_t *got,
                        xq_err *err);
/* Without its end; XQ_DONE.  A BOM before the first one is dropped.  Lives
 * until the next call. */
xq_status bk_input_line(bk_input *in, xq_str *line, xq_err *err);
void bk_input_close(bk_input *in);

/* By the first bytes of a file; SQLite files need a closer look (told as
 * BK_F_OBK).  BK_F_UNKNOWN: *what says what it is, when that is known. */
bk_format bk_sniff(const uint8_t *head, size_t n, bool *one_wing,
                   const char **what);

/* ---- rows ---- */

/* A move as another book has it; counts are the mover's. */
typedef struct bk_row {
    uint64_t key; /* keyed books: the other program's */
    xq_move move;
    bool given; /* a weight */
    uint64_t weight;
    uint64_t win, draw, lost, unknown;
} bk_row;

typedef struct bk_import {
    bk_maker *m;
    bool one_wing;
    const bk_import_options *o;
    bk_import_report *r;
    bk_input *in;
} bk_import;

/* Pass on one row of position p, whose move is legal there. */
xq_status bk_put_row(bk_import *im, const xq_pos *p, const bk_row *row,
                     xq_err *err);
/* The same with the rules asked, and counted in the report. */
xq_status bk_take_row(bk_import *im, const xq_pos *p, const bk_row *row,
                      xq_err *err);
/* A tally of p's move m with everything but the numbers. */
void bk_tally_of(bk_tally *t, const xq_pos *p, xq_move m, bool one_wing);
/* XQ_EIO when the caller wants to stop. */
xq_status bk_stopped(bool (*stop)(void), xq_err *err);
/* Count a record as faulty; `which` is &r->illegal or &r->unreadable. */
void bk_fault(bk_import *im, uint64_t *which);
/* Weight of a row out of a score, a mark "usable", and its counts, which are
 * there already: no score, and no counts either, is weight 1. */
void bk_row_score(bk_row *row, int64_t score, bool usable, bk_import_report *r);
/* A count of a database: below 0 is 0. */
static inline uint64_t bk_count(int64_t v) { return v > 0 ? (uint64_t)v : 0; }

xq_status bk_bookdat_import(bk_import *im, xq_err *err);
xq_status bk_sql_import(bk_import *im, xq_err *err);
xq_status bk_obk_import(bk_import *im, sqlite3 *db, xq_err *err);
xq_status bk_xqb_import(bk_import *im, sqlite3 *db, xq_err *err);
xq_status bk_csv_import(bk_import *im, xq_err *err);
xq_status bk_json_import(bk_import *im, xq_err *err);
xq_status bk_text_import(bk_import *im, xq_err *err);
xq_status bk_lines_import(bk_import *im, xq_err *err);
xq_status bk_tree_import(bk_import *im, xq_err *err);
xq_status bk_treetext_import(bk_import *im, xq_err *err);

/* ---- books that are found by keys of their own ---- */

typedef struct bk_keyed bk_keyed;

/* keys: of p and of its mirror image.  `folded`: the book has one of the two
 * only. */
xq_status bk_keyed_open(bk_keyed **k,
                        void (*keys)(const xq_pos *p, uint64_t out[2]),
                        bool folded, const bk_import_options *o, xq_err *err);
xq_status bk_keyed_add(bk_keyed *k, const bk_row *row, xq_err *err);
/* Walk, and pass on what is met; counts taken, unreached, positions. */
xq_status bk_keyed_import(bk_keyed *k, bk_import *im, xq_err *err);
void bk_keyed_close(bk_keyed *k);

/* ---- the formats' own numbers; `sq90` counts a0 as 0 ---- */

/* The byte 0x33..0xcb of xqbase's 16 x 16 board; XQ_NOSQ for others. */
static inline uint8_t bk_xqbase_of(xq_sq s)
{
    return (uint8_t)((12 - s / 9) * 16 + s % 9 + 3);
}
xq_sq bk_xqbase_sq(unsigned byte);
/* K A B N R C P of Red are 0-6, Black's 7-13. */
unsigned bk_piece14(xq_piece p);

void bk_bookdat_locks(const xq_pos *p, uint32_t *lock0, uint32_t *lock1);
/* A record of 8 bytes; false: no move. */
bool bk_bookdat_decode(const uint8_t rec[8], bk_row *row);

extern const uint64_t bk_obk_keys[14][XQ_SQUARES];
extern const uint64_t bk_obk_red;
uint64_t bk_obk_key(const xq_pos *p);
/* What stands in a row of the table bhobk. */
typedef struct bk_obk_cells {
    int key_type; /* SQLITE_INTEGER, SQLITE_FLOAT, SQLITE_NULL... */
    uint64_t key; /* its 64 bits */
    int64_t move, score, win, draw, lost;
    bool usable;
} bk_obk_cells;
/* False: no key, or no move. */
bool bk_obk_decode(const bk_obk_cells *c, bool swapped, bk_row *row);

#define BK_XQB_KEY_MAX 57 /* 90 squares, 5 bits each */
/* The normalised position's bits; returns the bytes. *mirrored: it had to be
 * (after the rotation of Black's). */
size_t bk_xqb_key(const xq_pos *p, uint8_t out[BK_XQB_KEY_MAX], bool *mirrored);
/* Red to move. */
bool bk_xqb_pos(const uint8_t *key, size_t n, xq_pos *p);
unsigned bk_xqb_move(const xq_pos *p, bool mirrored, xq_move m);
xq_move bk_xqb_move_of(int64_t v); /* for bk_xqb_pos; or XQ_NOMOVE */

/* ---- SQLite ---- */

xq_status bk_sql_fail(sqlite3 *db, const char *path, xq_err *err);
/* Open to read, unpacked to a temporary file where needed. */
xq_status bk_sql_open(sqlite3 **db, const char *path, bk_input *in,
                      xq_err *err);
/* Has it such a table (not a view)? */
bool bk_sql_has_table(sqlite3 *db, const char *table);
bool bk_sql_has_column(sqlite3 *db, const char *table, const char *column);
xq_status bk_sql_run(sqlite3 *db, const char *path, const char *sql,
                     xq_err *err);
xq_status bk_sql_prepare(sqlite3 *db, const char *path, const char *sql,
                         sqlite3_stmt **st, xq_err *err);

/* ---- export ---- */

typedef struct bk_export {
    bk_book *book;
    const char *path;
    char *tmp; /* written beside it */
    FILE *f;   /* NULL: a database writes it */
    size_t memory;
    bool (*stop)(void);
    bool one_wing;
    bk_export_report *r;
    bk_sieve sieve;
    bk_walk *walk;
    unsigned dropped;    /* moves of the position found last, as illegal */
    uint64_t sum, check; /* of what was written, and read back */
} bk_export;

/* Fill the empty file x->tmp through SQLite by `write`, then close it, open it
 * anew and compare by `read_back`. */
xq_status
bk_sql_export(bk_export *x,
              xq_status (*write)(bk_export *x, sqlite3 *db, xq_err *err),
              xq_status (*read_back)(bk_export *x, xq_err *err), xq_err *err);

xq_status bk_bookdat_export(bk_export *x, xq_err *err);
xq_status bk_obk_export(bk_export *x, xq_err *err);
xq_status bk_xqb_export(bk_export *x, xq_err *err);
xq_status bk_csv_export(bk_export *x, xq_err *err);
xq_status bk_json_export(bk_export *x, xq_err *err);
xq_status bk_text_export(bk_export *x, xq_err *err);

/* The next position that the walk meets, with moves; counts it. */
xq_status bk_export_next(bk_export *x, const xq_pos **p, const bk_entry **e,
                         xq_err *err);
xq_status bk_export_failed(const bk_export *x, xq_err *err); /* a write */
/* Weights of e's moves, none above `limit`: scaled all alike, none to 0; with
 * `some`, 1 each where all are 0.  Counts both in the report. */
void bk_export_weights(bk_export *x, const bk_entry *e, uint32_t limit,
                       bool some, uint32_t *out);
void bk_counts_of_mover(const bk_counts *c, xq_side mover, bk_row *row);

/* Sums of these tell whether the same rows were read as written. */
uint64_t bk_hash_words(const uint64_t *v, size_t n);
uint64_t bk_hash_tally(const bk_tally *t);

#endif
