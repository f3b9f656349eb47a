/* pos.h - squares, moves, pieces and the board.
 *
 *   xq_pos p;
 *   xq_pos_start(&p);
 *   xq_undo u;
 *   xq_move m = xq_move_make(xq_sq_of(7, 2), xq_sq_of(4, 2));   h2e2
 *   if (xq_move_is_legal(&p, m))
 *       xq_pos_make(&p, m, &u);
 *
 * A square is file + 9 * rank: a0 (Red's left rook) is 0, i0 8, a9 81, i9 89.
 * Files and ranks are as Red sees them.  xq_pos is a plain value: copy it,
 * forget it; nothing in it points anywhere.  All tables are const, so any
 * number of threads may work on different positions.
 * Rules: rules.h.  Source of the rules: "G-" articles in engine/README.md. */
#ifndef XQ_POS_H
#define XQ_POS_H

#include "engine/base.h"

typedef uint8_t xq_sq;
#define XQ_NOSQ    ((xq_sq)255)
#define XQ_SQUARES 90

static inline xq_sq xq_sq_of(int file, int rank)
{
    return (xq_sq)(file + 9 * rank);
}
extern const uint8_t xq_file_of[XQ_SQUARES]; /* 0..8 for a..i */
extern const uint8_t xq_rank_of[XQ_SQUARES]; /* 0..9 */
/* The square's left-right mirror image: same rank, file 8 - file. */
extern const uint8_t xq_sq_mirror[XQ_SQUARES];

typedef enum xq_side { XQ_RED = 0, XQ_BLACK = 1 } xq_side;

typedef enum xq_kind {
    XQ_KING = 1,
    XQ_ADVISOR,
    XQ_ELEPHANT,
    XQ_HORSE,
    XQ_ROOK,
    XQ_CANNON,
    XQ_PAWN,
} xq_kind;

/* A piece in a byte.  0 is an empty square.
 *   0000 0111  kind, 1..7
 *   0000 1000  Black */
typedef uint8_t xq_piece;
#define XQ_EMPTY ((xq_piece)0)
static inline xq_piece xq_piece_of(xq_side s, xq_kind k)
{
    return (xq_piece)(((unsigned)s << 3) | (unsigned)k);
}
static inline xq_kind xq_piece_kind(xq_piece p) { return (xq_kind)(p & 7); }
static inline xq_side xq_piece_side(xq_piece p) { return (xq_side)(p >> 3); }

/* A move in 16 bits.  0 means "no move": a0a0 cannot be played.
 *   0000 0000 0111 1111  from
 *   0011 1111 1000 0000  to
 *   1100 0000 0000 0000  always 0 (written to disk: keep it so) */
typedef uint16_t xq_move;
#define XQ_NOMOVE ((xq_move)0)
static inline xq_move xq_move_make(xq_sq from, xq_sq to)
{
    return (xq_move)((unsigned)from | (unsigned)to << 7);
}
static inline xq_sq xq_move_from(xq_move m) { return (xq_sq)(m & 127); }
static inline xq_sq xq_move_to(xq_move m) { return (xq_sq)(m >> 7 & 127); }
static inline xq_move xq_move_mirror(xq_move m)
{
    return xq_move_make(xq_sq_mirror[xq_move_from(m)],
                        xq_sq_mirror[xq_move_to(m)]);
}

typedef uint64_t xq_key;

/* The board.
 *
 * Pieces are listed by slot.  Slots of one side and kind stand together, so
 * `for (s = first[piece]; s < first[piece] + count...)` visits "the two red
 * rooks" without searching the board, and a slot follows one piece through
 * its moves until it is captured.  Slots are given out when the position is
 * set up, for each piece code in rising order, and within one code by rising
 * square.  Any number of pieces fits: odd positions need no special case.
 *
 * Other code may read every field; only pos.c and fen.c write them. */
typedef struct xq_pos {
    uint8_t at[XQ_SQUARES];   /* xq_piece on each square */
    uint8_t slot[XQ_SQUARES]; /* its slot; meaningless on empty squares */
    uint8_t sq[XQ_SQUARES];   /* slot -> square, XQ_NOSQ once captured */
    uint8_t first[17];        /* piece code -> its first slot;
                                 first[code + 1] is one past its last */
    uint8_t side;             /* xq_side to move */
    uint16_t halfmove;        /* plies since the last capture (L-05) */
    uint32_t fullmove;        /* round number, from 1 */
    uint64_t line[19];        /* what stands on ranks 0-9 (bit 0: file a),
                                 then on files a-i (bit 0: rank 0) */
    uint64_t own[2][2];       /* [side][half]: its pieces; the halves are
                                 squares 0-44 and 45-89, bit 0 first */
    xq_key key;               /* Zobrist key (key.h), side included */
    xq_key mirror_key;        /* the mirror image's Zobrist key */
} xq_pos;

/* A line (rank or file) in a word: five fields of ten bits, so that one XOR
 * with a piece's word, shifted to its place, puts it there or takes it away.
 *   bits  0-9   any piece      10-19 red       20-29 black
 *   bits 30-39  rook or king   40-49 cannon */
#define XQ_LINE_OCC 0x3ffu
static inline unsigned xq_rank_occ(const xq_pos *p, unsigned rank)
{
    return (unsigned)p->line[rank] & XQ_LINE_OCC;
}
static inline unsigned xq_file_occ(const xq_pos *p, unsigned file)
{
    return (unsigned)p->line[10 + file] & XQ_LINE_OCC;
}

/* What xq_pos_unmake needs to take a move back. */
typedef struct xq_undo {
    xq_key key, mirror_key;
    uint32_t fullmove;
    uint16_t halfmove;
    xq_move move;
    uint8_t captured;      /* xq_piece, XQ_EMPTY when nothing was taken */
    uint8_t captured_slot; /* meaningful with captured only */
} xq_undo;

/* The start position, Red to move. */
void xq_pos_start(xq_pos *p);

/* Play a move.  The move must be pseudo-legal: own piece on `from`, no own
 * piece and no king on `to`... the board does not test it.  Capturing a king
 * must not happen; a caller with unverified input asks rules.h first.
 * *u may be NULL when the move will not be taken back. */
void xq_pos_make(xq_pos *p, xq_move m, xq_undo *u);
void xq_pos_unmake(xq_pos *p, const xq_undo *u);

/* Give the turn to the other side without moving (a null move; also "what if
 * the other side were to move").  The caller may call it again to go back;
 * counters stay as they are. */
void xq_pos_pass(xq_pos *p);

/* Set *out to the left-right mirror image of p.  Slots are renumbered. */
void xq_pos_mirror(xq_pos *out, const xq_pos *p);

/* Square of the king of `side`.  Every position that xq_fen_parse accepts
 * has exactly one king a side. */
static inline xq_sq xq_pos_king(const xq_pos *p, xq_side side)
{
    return p->sq[p->first[xq_piece_of(side, XQ_KING)]];
}

/* Build a position from a plain board (90 piece codes by square).  Refused
 * with XQ_EILLEGAL and a message that names rank and file: a piece code out
 * of range, a king missing, double or outside its palace.  Counters become
 * 0 and 1. */
xq_status xq_pos_set(xq_pos *p, const uint8_t at[XQ_SQUARES], xq_side side,
                     xq_err *err);

/* ---- FEN ---- */

/* How a FEN text was read: what was unusual about it. */
enum {
    XQ_FEN_NO_SIDE = 1,  /* no side letter: Red was assumed */
    XQ_FEN_TRAILING = 2, /* text behind the last field was ignored */
    XQ_FEN_COUNTERS = 4, /* counters unreadable: 0 and 1 were assumed */
};

/* Read a FEN of 1 to 6 fields in any known dialect: letters K A B/E/M N/H R C
 * P G in any mix; side w, r (any case) for Red and b for Black, also glued to
 * the tenth rank; "%20" and tabs as blanks; counters with or without the two
 * dashes; digits side by side.  An unreadable or missing counter is 0 or 1.
 * *flags (may be NULL) receives XQ_FEN_ bits.
 *
 * Refused, with *err naming rank and file (as in "rank 3, file e"):
 * XQ_ESYNTAX for text that is no board (not 10 ranks, a rank not 9 wide, an
 * unknown letter); XQ_EILLEGAL for a king missing, double or outside its
 * palace.  Odd positions are accepted: ask xq_pos_odd.
 * Source: formats reference 1.2-1.5. */
xq_status xq_fen_parse(xq_pos *p, xq_str text, unsigned *flags, xq_err *err);

/* Longest text xq_fen_format writes, final NUL included. */
#define XQ_FEN_MAX 128
/* Write the one form we write: six fields, letters K A B N R C P, side w or
 * b, "- -", counters.  Returns the length without the NUL. */
size_t xq_fen_format(const xq_pos *p, char out[XQ_FEN_MAX]);

/* FEN of the start position, in the form xq_fen_format writes. */
#define XQ_FEN_START                                                           \
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"

/* Odd positions (formats reference 1.5): legal to work with, impossible in a
 * game.  Call with *it = 0 until it returns false; each call that returns
 * true writes one reason into msg (UTF-8, names the square). */
bool xq_pos_odd(const xq_pos *p, unsigned *it, char msg[128]);

/* "h2e2" (four characters and NUL). */
void xq_move_format(xq_move m, char out[5]);
/* Read "h2e2" exactly (lower case, ranks 0-9); XQ_NOMOVE when it is not.
 * People's spellings are read by libpgn/notation.h. */
xq_move xq_move_parse(const char *text);
/* "e4" (two characters and NUL). */
void xq_sq_format(xq_sq s, char out[3]);

#endif
