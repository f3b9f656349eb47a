/* notation_internal.h - what the files of the move notations share.
 *
 *   text --pgn_scan--> symbols --pgn_parts, pgn_squares--> readings
 *        --pgn_picked, pgn_target--> moves --rules.h--> the one that is legal
 *        (notation_read.c), or why there is none (notation_explain.c)
 *
 * A reading is one way to understand a text in one notation: which pieces it
 * may mean and where they go.  Most texts have one; "33.4" has two.  When
 * several of the moves are legal,
 *
 * 1. the hint, the notation used so far, decides what notations use
 *    differently: 33.4, and whether ranks count from 0 or from 1.  A move that
 *    fits only the other one is illegal then, unless a 0 or 10 settles it;
 * 2. else what only one of them writes: capitals and hyphens (H2-E2) mean
 *    ranks 0-9, '=' means Fairy's 33=4, '.' the WXF's;
 * 3. else a move that its notation would spell exactly so: Rii2 needs its
 *    second i with ranks 0-9 only;
 * 4. else the text is ambiguous, and the error names the moves.
 *
 * P+ is the second pawn when four or more stand on the file (the WXF), 前兵
 * the first.  A piece code (62.5) is tried where no pawn can be meant.  A plain
 * file digit with two on the file is taken when only one can move so. */
#ifndef PGN_NOTATION_INTERNAL_H
#define PGN_NOTATION_INTERNAL_H

#include "libpgn/notation.h"

/* ---- chars.c ---- */

/* Signs of WXF: 1 "+", 2 "-", 3 "." or "=", as in PGN_C_DIR. */
enum { PGN_C_SIGN = 0x50 };

typedef struct pgn_sym {
    size_t byte; /* offset in the text */
    uint32_t cp; /* code point, folded to ASCII where it has a twin there */
    uint8_t len; /* bytes */
    uint8_t cls; /* class byte, as pgn_class_of, or PGN_C_SIGN | value */
} pgn_sym;

static inline unsigned pgn_sym_class(pgn_sym s) { return s.cls & 0xF0; }
static inline unsigned pgn_sym_value(pgn_sym s) { return s.cls & 0x0F; }

#define PGN_SYMS 20 /* the longest move has 9: Ra10xa10+, and marks follow */
unsigned pgn_scan(xq_str text, pgn_sym out[PGN_SYMS]);

/* ---- files.c: files as the mover counts them, pieces one behind another - */

/* 1..9 from the mover's right; 0..8 for a..i. */
static inline unsigned pgn_file_number(xq_side s, unsigned file)
{
    return s == XQ_RED ? 9 - file : file + 1;
}
static inline unsigned pgn_file_numbered(xq_side s, unsigned number)
{
    return s == XQ_RED ? 9 - number : number - 1;
}

/* The mover's pieces of one kind on one file, front first. */
unsigned pgn_on_file(const xq_pos *p, xq_kind k, unsigned file, xq_sq out[10]);
/* The mover's pieces of one kind on all files that hold two of them or more:
 * files from the mover's right, front to rear (formats reference 2.5). */
unsigned pgn_tandem(const xq_pos *p, xq_kind k, xq_sq out[XQ_SQUARES]);
/* How many files hold two or more. */
unsigned pgn_tandem_files(const xq_pos *p, xq_kind k);

/* Where direction (1 forward, 2 back, 3 sideways) and target (1..9) of a
 * four-part move lead from a square; XQ_NOSQ when that piece never moves so.
 * Advisor, elephant and horse name the file they go to; the others a number
 * of ranks, unless they go sideways.  Masks in place of branches, and in the
 * header, for the short way (notation.c). */
static inline xq_sq pgn_part_target(xq_side s, xq_kind k, xq_sq from,
                                    unsigned dir, unsigned target)
{
    /* Ranks that change with 0, 1, 2... files; 0: it never does that. */
    static const int8_t RANKS[8][9] = {[XQ_ADVISOR] = {0, 1},
                                       [XQ_ELEPHANT] = {0, 0, 2},
                                       [XQ_HORSE] = {0, 2, 1}};
    /* Is the target a number of ranks?  Is it a file, by direction? */
    static const int8_t BY_RANKS[8] = {
        [XQ_KING] = -1, [XQ_ROOK] = -1, [XQ_CANNON] = -1, [XQ_PAWN] = -1};
    static const int8_t TO_FILE[8][4] = {
        [XQ_KING] = {0, 0, 0, -1},      [XQ_ADVISOR] = {0, -1, -1, 0},
        [XQ_ELEPHANT] = {0, -1, -1, 0}, [XQ_HORSE] = {0, -1, -1, 0},
        [XQ_ROOK] = {0, 0, 0, -1},      [XQ_CANNON] = {0, 0, 0, -1},
        [XQ_PAWN] = {0, 0, 0, -1}};
    static const int8_t RISE[2][4] = {
        [XQ_RED] = {0, 9, -9, 0}, [XQ_BLACK] = {0, -9, 9, 0}};
    int across = (int)pgn_file_numbered(s, target) - (int)xq_file_of[from];
    int ranks =
        RANKS[k][across < 0 ? -across : across] + ((int)target & BY_RANKS[k]);
    unsigned to =
        (unsigned)(from + (across & TO_FILE[k][dir]) + RISE[s][dir] * ranks);
    return ranks == 0 || to >= XQ_SQUARES || to == from ? XQ_NOSQ : (xq_sq)to;
}

/* ---- readings ---- */

typedef enum pgn_pick {
    PGN_PICK_ALL, /* every piece of the kind, on .file and .rank if set */
    /* A place on a file that holds two or more: on .file, or on each. */
    PGN_PICK_FRONT,
    PGN_PICK_MIDDLE,
    PGN_PICK_REAR,
    PGN_PICK_PLUS,  /* WXF's P+: front of two or three, second of more */
    PGN_PICK_MINUS, /* WXF's P-: rear of two or three, last but one of more */
    PGN_PICK_FIRST, /* WXF's ++: front of four or more */
    PGN_PICK_LAST,  /* WXF's --: rear of four or more */
    PGN_PICK_INDEX, /* .index from the front */
    PGN_PICK_SET,   /* .index in the order of pgn_tandem */
} pgn_pick;

#define PGN_UNSET 255
#define PGN_TIERS 3

typedef struct pgn_reading {
    uint8_t tier;   /* 0..2: readings of a smaller tier are tried first */
    uint8_t pick;   /* pgn_pick */
    uint8_t kind;   /* xq_kind; 0: whatever stands on the square */
    uint8_t file;   /* 0..8 or PGN_UNSET */
    uint8_t rank;   /* 0..9 or PGN_UNSET */
    uint8_t index;  /* from 1 */
    uint8_t to;     /* square, or XQ_NOSQ: dir and target say where */
    uint8_t dir;    /* 1 forward, 2 back, 3 sideways */
    uint8_t target; /* as written: file or steps */
    uint8_t at_piece, at_from, at_dir, at_to; /* symbols they stand in */
} pgn_reading;

typedef struct pgn_readings {
    pgn_reading r[6];
    unsigned n;
    unsigned reached; /* the first symbol that no grammar could use */
} pgn_readings;

static inline void pgn_add_reading(pgn_readings *rs, pgn_reading r)
{
    if (rs->n < sizeof rs->r / sizeof *rs->r)
        rs->r[rs->n++] = r;
}

/* Only annotation marks follow? */
bool pgn_only_marks(const pgn_sym *s, unsigned from, unsigned n);

/* Four-part moves, Chinese and WXF (notation_parts.c). */
void pgn_parts(const xq_pos *p, const pgn_sym *s, unsigned n, pgn_notation hint,
               pgn_readings *out);
/* Coordinates and SAN (notation_squares.c). */
void pgn_squares(const pgn_sym *s, unsigned n, pgn_notation hint,
                 pgn_readings *out);

/* The squares of the pieces that a reading may mean (notation_pick.c). */
unsigned pgn_picked(const xq_pos *p, const pgn_reading *r,
                    xq_sq out[XQ_SQUARES]);
/* Where it sends the piece on `from`; XQ_NOSQ when that never moves so. */
xq_sq pgn_target(const xq_pos *p, const pgn_reading *r, xq_sq from);

/* ---- moves that fit, each once ---- */

typedef struct pgn_found {
    unsigned n;
    xq_move m[XQ_SQUARES];
} pgn_found;

static inline void pgn_add_move(pgn_found *f, xq_move m)
{
    for (unsigned i = 0; i < f->n; i++)
        if (f->m[i] == m)
            return;
    if (f->n < XQ_SQUARES)
        f->m[f->n++] = m;
}

/* Is m the one legal move that fits, spelling apart (notation_read.c)?  The
 * writer asks, and the reader compares spellings by writing: so this one must
 * not. */
bool pgn_means_only(const xq_pos *p, xq_str text, pgn_notation hint, xq_move m);

/* ---- notation_explain.c: each fills *err and returns its code ---- */

/* Reading r names no legal move; *m gets the move it names, if just one. */
xq_status pgn_explain(const xq_pos *p, const pgn_sym *s, const pgn_reading *r,
                      xq_move *m, xq_err *err);
/* No notation; symbol k of n is the first that none can use. */
xq_status pgn_explain_syntax(xq_str text, const pgn_sym *s, unsigned n,
                             unsigned k, xq_err *err);
/* More than one move; they are copied to *amb (may be NULL). */
xq_status pgn_explain_ambiguous(const pgn_found *f, size_t byte,
                                pgn_candidates *amb, xq_err *err);

#endif
