/* foreign.h - opening books of other programs, read and written.
 *
 *   bk_foreign_kind(path, &format, &one_wing, &err);     what is it?
 *   bk_maker_open(&m, out, &opts, &err);
 *   bk_foreign_import(m, path, &o, &report, &err);        as often as needed
 *   bk_maker_finish(m, &err);
 *
 *   bk_foreign_export(book, BK_F_OBK, out, &o, &report, &err);
 *
 * Files are told by their content, compressed ones too.  Books that hold only
 * keys of their own (BOOK.DAT, OBK) are read by walking from the start
 * position, and from other given ones, through legal moves, and working out
 * the other program's key of each position.
 * One file a format: bookdat.c, obk.c, xqb.c, booktable.c (CSV, JSON),
 * booktext.c (text, move lists, Chess2.0).  Layouts: formats reference 5. */
#ifndef BK_FOREIGN_H
#define BK_FOREIGN_H

#include "bookdb/book.h"

typedef enum bk_format {
    BK_F_UNKNOWN,
    BK_F_BOOKDAT,  /* ElephantEye, XQWizard */
    BK_F_OBK,      /* BHGUI */
    BK_F_XQB,      /* fisherfan/xqbook */
    BK_F_CSV,      /* one row a move */
    BK_F_JSON,     /* one object a position */
    BK_F_TEXT,     /* "b2e2 5895 FEN" a line: BOOK.DAT before version 2.0 */
    BK_F_LINES,    /* a line of moves a game */
    BK_F_TREE,     /* Chess2.0 OpenBook.dat */
    BK_F_TREETEXT, /* Chess2.0 OpenBook.txt */
} bk_format;

/* "obk"; the name that --to takes. */
const char *bk_format_name(bk_format f);
/* "OBK (BHGUI)": for people. */
const char *bk_format_title(bk_format f);
/* A format that can be written, by its name. */
bool bk_format_of(const char *name, bk_format *f);

/* What is in the file?  *one_wing: it is a table of a --one-wing book, which
 * needs a maker of that kind.  XQ_EIO, also for a pipe; XQ_ESYNTAX: no book
 * that can be read, the message says what it is, or what was tried. */
xq_status bk_foreign_kind(const char *path, bk_format *f, bool *one_wing,
                          xq_err *err);

/* BOOK.DAT asked where it lies, unpacked, without importing it: for engines. */
typedef struct bk_bookdat bk_bookdat;
/* XQ_EIO; XQ_ESYNTAX: it is none. */
xq_status bk_bookdat_open(bk_bookdat **b, const char *path, xq_err *err);
void bk_bookdat_close(bk_bookdat *b);
/* Bytes behind the last whole record, 0 to 7: not 0 where the file was cut. */
unsigned bk_bookdat_trailing(const bk_bookdat *b);
/* As bk_book_find: moves with their weights, without counts.  (Keys have 32
 * bits: a position may be taken for another one, whose moves it allows.) */
xq_status bk_bookdat_find(const bk_bookdat *b, const xq_pos *p, bk_entry *e,
                          unsigned *dropped, xq_err *err);

typedef struct bk_import_options {
    size_t memory;        /* for rows of keyed books; 0: 64 MiB */
    const xq_pos *starts; /* more positions to walk from */
    size_t nstarts;
    bool deep;          /* see bk_walk_open */
    bool (*stop)(void); /* asked now and then; NULL: never.  XQ_EIO */
} bk_import_options;

/* records = taken + unreached + illegal + unreadable + keyless */
typedef struct bk_import_report {
    bk_format format;
    uint64_t records;    /* read: a move in a position */
    uint64_t taken;      /* went into the book */
    uint64_t unreached;  /* of positions that the walk did not meet, or behind
                            an illegal move */
    uint64_t illegal;    /* moves that the rules forbid there */
    uint64_t unreadable; /* no position or no move can be made of them */
    uint64_t chance;     /* keyed books: at least so many were found for two
                            positions, whose keys are equal */
    uint64_t keyless;    /* OBK: key is NULL (it was a NaN) */
    uint64_t positions;  /* keyed books: met by the walk */
    uint64_t barred;     /* marked as not usable: weight 0 */
    uint64_t negative;   /* scores below 0: weight 0 */
    uint64_t real_keys;  /* OBK: keys stored as floating-point numbers */
    uint64_t memos;      /* texts beside moves, not kept */
    uint64_t first_fault_line; /* of text: the first illegal or unreadable */
    unsigned trailing;         /* bytes behind the last whole record */
    bool swapped; /* OBK: vmove has its bytes the other way round */
} bk_import_report;

/* Give m everything of the book in the file.
 * XQ_ENOTFOUND: not one move of it could be taken (said, with the reason);
 * XQ_ESYNTAX, XQ_ECORRUPT, XQ_EIO, XQ_ENOMEM. */
xq_status bk_foreign_import(bk_maker *m, const char *path,
                            const bk_import_options *o, bk_import_report *r,
                            xq_err *err);

typedef struct bk_export_report {
    uint64_t positions, moves; /* of the book, positions with moves only */
    uint64_t ends;             /* positions without moves */
    uint64_t walked_positions; /* met by the walk, with their moves */
    uint64_t walked_moves;
    uint64_t illegal;  /* moves of those that the rules forbid */
    uint64_t records;  /* written, mirror images and all */
    uint64_t scaled;   /* positions whose weights were scaled down */
    uint64_t raised;   /* positions whose weights were all 0: written as 1 */
    uint64_t joined;   /* positions that are one in the other format */
    uint64_t collided; /* positions whose key is that of another, too */
    /* moves that have such numbers, which the format does not hold */
    uint64_t counted, unknown, rated, dated;
    uint64_t games; /* digests of games */
} bk_export_report;

/* Write the book to `path` (beside it, then renamed), read it back and
 * compare: XQ_ECORRUPT when what was read is not what was written.  Formats of
 * bk_format_of. */
typedef struct bk_export_options {
    size_t memory;      /* for the walk and for sorting; 0: 64 MiB */
    bool (*stop)(void); /* as above */
} bk_export_options;
xq_status bk_foreign_export(bk_book *b, bk_format f, const char *path,
                            const bk_export_options *o, bk_export_report *r,
                            xq_err *err);

#endif
