/* notation.h - written moves: 炮二平五, C2.5, h2e2, Cbe2 <-> xq_move.
 *
 *   xq_move m;
 *   rc = pgn_move_read(&p, text, PGN_NOTATION_ANY, &m, &amb, &err);
 *   char out[PGN_MOVE_TEXT_MAX];
 *   pgn_move_write(&p, m, PGN_CHINESE, PGN_TRADITIONAL, out);
 *
 * Text is UTF-8.  Reading never guesses: text that fits two legal moves is
 * XQ_EAMBIGUOUS with both named, text that fits none says why.  Nothing
 * allocates.  Sources: formats reference 2; xqbase's, the WXF's and
 * Fairy-Stockfish's notations.
 *
 *   name       writes        tells pieces one behind another apart by
 *   iccs, uci  h2e2          squares (files of games: H2-E2)
 *   uci10      h3e3          squares, ranks 1-10
 *   wxf        C2.5 N2+3     R+.5 P..6; four or more: Pa.5
 *   wxf2018    C2.5 H2+3     P+ P5 P-; ++ P+ P- --; on several files 3+.4 33.4
 *   fairy      C2=5 H2+3     R+=5 where the other one could go so too; 15=4
 *   san        Che2 c4 exe5  file, else rank; '#' for stalemate too
 *   san10      Che3 Pc5      the same
 *   chinese    炮二平五      前车进一; pawns 中兵平六, 三兵平五
 *
 * Advisors and elephants keep their file digit: the direction tells them
 * apart.  In odd positions that a notation has no names for, squares are
 * written, H2-E2. */
#ifndef PGN_NOTATION_H
#define PGN_NOTATION_H

#include "engine/pos.h"

typedef enum pgn_notation {
    PGN_NOTATION_ANY = 0, /* reading only */
    PGN_ICCS,             /* h2e2 (files of games: H2-E2, see pgn_iccs_upper) */
    PGN_UCI,              /* h2e2, ranks 0-9 */
    PGN_UCI10,            /* h3e3, ranks 1-10 (Fairy-Stockfish) */
    PGN_WXF,              /* C2.5 P..6 Pa.5 (xqbase) */
    PGN_WXF2018,          /* P5.6 ++.4 3+.4 (wxf.org) */
    PGN_FAIRY,            /* C2=5 14=5 (Fairy-Stockfish's WXF) */
    PGN_SAN,              /* Cbe2, pawns bare, ranks 0-9 (XBoard) */
    PGN_SAN10,            /* Cbe3 Pc5, ranks 1-10 (PyChess) */
    PGN_CHINESE,          /* 炮二平五 */
    PGN_NOTATIONS         /* how many */
} pgn_notation;

/* The name used on the command line ("iccs", "wxf2018", ...), and back.
 * PGN_NOTATIONS when `name` is none of them. */
const char *pgn_notation_name(pgn_notation n);
pgn_notation pgn_notation_of(const char *name);

typedef enum pgn_script { PGN_SIMPLIFIED = 0, PGN_TRADITIONAL } pgn_script;

/* Candidates of an ambiguous text. */
typedef struct pgn_candidates {
    unsigned n; /* how many moves fit, at most 8 are kept */
    xq_move m[8];
} pgn_candidates;

/* Read one written move in position p.
 *
 * `text` is one move without move number; blanks around it, and annotation
 * marks (! ? + #) behind it, are skipped.  `hint` names the notation that
 * the game has used so far: it is tried first and decides where notations
 * contradict each other (33.4; ranks 0-9 against 1-10: a move that only fits
 * the other count is illegal then, unless a 0 or 10 in it settles the matter);
 * every other notation is still tried.  Reads every piece character of formats
 * reference 2.2 for either colour, any digits for either colour, half or full
 * width, all the tandem schemes of 2.4-2.7, letters N/H and B/E, signs before
 * or after.
 *
 * XQ_OK           *m is a legal move.
 * XQ_EILLEGAL     the text names a move (kept in *m when it names exactly
 *                 one, else XQ_NOMOVE) that the rules forbid; *err says why
 *                 ("horse cannot reach file 4").
 * XQ_EAMBIGUOUS   several legal moves fit; *amb (may be NULL) lists them and
 *                 the message names them.
 * XQ_ESYNTAX      not a move in any notation; names the first character that
 *                 does not fit ("unknown piece '卯'").
 * err->byte is the offset in `text` of what is wrong. */
xq_status pgn_move_read(const xq_pos *p, xq_str text, pgn_notation hint,
                        xq_move *m, pgn_candidates *amb, xq_err *err);

/* Longest text pgn_move_write produces, NUL included. */
#define PGN_MOVE_TEXT_MAX 24
/* Write a legal move of p.  Chinese follows the xqbase rule (formats
 * reference 2.4, 2.5): Red's numerals Chinese, Black's full-width digits;
 * the script chooses 马 or 馬 (and 車 for both sides: 俥 has no Big5 code).
 * PGN_ICCS and PGN_UCI give h2e2.  Returns the length without the NUL. */
size_t pgn_move_write(const xq_pos *p, xq_move m, pgn_notation n, pgn_script s,
                      char out[PGN_MOVE_TEXT_MAX]);
/* "H2-E2", the form of games with [Format "ICCS"]. */
size_t pgn_iccs_upper(xq_move m, char out[PGN_MOVE_TEXT_MAX]);

/* ---- for readers of movetext ---- */

/* Which notations write m just so, marks behind it aside: bit 1 << notation.
 * Bits common to the moves of a game tell the hint for those that follow; 0
 * (half-width digits, a superfluous file letter) tells nothing.  About as slow
 * as writing the move in every notation. */
unsigned pgn_move_spelt_in(const xq_pos *p, xq_str text, xq_move m);

/* What a character means inside a move (class of each character of the input
 * set, formats reference 2.2): used by the fast path of the PGN reader. */
enum pgn_class {
    PGN_C_NONE = 0,
    PGN_C_PIECE = 0x10, /* | xq_kind */
    PGN_C_DIGIT = 0x20, /* | 1..9 (二, ２, 贰) */
    PGN_C_DIR = 0x30,   /* | 1 forward (进), 2 back (退), 3 sideways (平) */
    PGN_C_ORDER = 0x40, /* | 1 front (前), 2 middle (中), 3 rear (后 底) */
};
/* Class byte of a code point below 0x10000: class | value.  Only characters
 * outside ASCII are in the table. */
extern const uint8_t pgn_class_of[0x10000];

/* The short way: piece character, file digit, direction, target as class
 * bytes, e.g. {PIECE|CANNON, DIGIT|2, DIR|3, DIGIT|5}.  Returns the move when
 * exactly one own piece of that kind stands on that file (two for advisor
 * and elephant, where the direction decides) and the piece moves so
 * (pseudo-legal); XQ_NOMOVE when the complete reader has to look.  The
 * king's safety is not tested. */
xq_move pgn_move_quick(const xq_pos *p, const uint8_t cls[4]);

#endif
