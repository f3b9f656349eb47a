/* notation.c - names of the notations, and the short way to read a move. */
#include "engine/rules.h"
#include "libpgn/notation_internal.h"

#include <string.h>

static const char *const NAME[PGN_NOTATIONS] = {
    [PGN_NOTATION_ANY] = "any", [PGN_ICCS] = "iccs", [PGN_UCI] = "uci",
    [PGN_UCI10] = "uci10",      [PGN_WXF] = "wxf",   [PGN_WXF2018] = "wxf2018",
    [PGN_FAIRY] = "fairy",      [PGN_SAN] = "san",   [PGN_SAN10] = "san10",
    [PGN_CHINESE] = "chinese",
};

const char *pgn_notation_name(pgn_notation n)
{
    return (unsigned)n < PGN_NOTATIONS ? NAME[n] : "unknown";
}

pgn_notation pgn_notation_of(const char *name)
{
    unsigned n = 0;
    while (n < PGN_NOTATIONS && strcmp(NAME[n], name) != 0)
        n++;
    return (pgn_notation)n;
}

/* ---- the short way ----
 *
 * What costs time here is not work but wrong guesses of the processor: which
 * kind moves and which piece of it stands on the file cannot be foreseen.  So
 * the common way has masks and tables in place of branches. */

/* Bit `file` of FILES[square]; nothing for XQ_NOSQ. */
#define ROW 1, 2, 4, 8, 16, 32, 64, 128, 256
static const uint16_t FILES[256] = {ROW, ROW, ROW, ROW, ROW,
                                    ROW, ROW, ROW, ROW, ROW};
#undef ROW

/* The pieces of one code on a file: how many, and where, ORed together. */
static inline unsigned on_file(const xq_pos *p, const uint8_t *first,
                               unsigned file, unsigned *where)
{
    const uint8_t *s = p->sq + first[0], *end = p->sq + first[1];
    unsigned n = 0, at = 0;
    for (; s < end; s++) {
        unsigned hit = FILES[*s] >> file & 1;
        n += hit;
        at |= *s & -hit;
    }
    *where = at;
    return n;
}

static inline xq_move quick_from(const xq_pos *p, unsigned kind, xq_sq from,
                                 unsigned dir, unsigned target)
{
    xq_sq to =
        pgn_part_target((xq_side)p->side, (xq_kind)kind, from, dir, target);
    xq_move m = xq_move_make(from, to & 127);
    return to != XQ_NOSQ && xq_move_is_pseudo(p, m) ? m : XQ_NOMOVE;
}

/* Two advisors or elephants on a file: one of them goes that way. */
static xq_move quick_of_two(const xq_pos *p, unsigned kind, unsigned file,
                            unsigned dir, unsigned target)
{
    xq_sq here[10];
    pgn_on_file(p, (xq_kind)kind, file, here);
    xq_move a = quick_from(p, kind, here[0], dir, target);
    xq_move b = quick_from(p, kind, here[1], dir, target);
    return a && b ? XQ_NOMOVE : a | b;
}

xq_move pgn_move_quick(const xq_pos *p, const uint8_t cls[4])
{
    /* Of another class they become huge. */
    const unsigned kind = cls[0] - (unsigned)PGN_C_PIECE;
    const unsigned number = cls[1] - (unsigned)PGN_C_DIGIT;
    const unsigned dir = cls[2] - (unsigned)PGN_C_DIR;
    const unsigned target = cls[3] - (unsigned)PGN_C_DIGIT;

    if (kind - 1 > 6 || number - 1 > 8 || dir - 1 > 2 || target - 1 > 8)
        return XQ_NOMOVE;
    const xq_side side = (xq_side)p->side;
    const unsigned file = pgn_file_numbered(side, number);
    const xq_piece piece = xq_piece_of(side, (xq_kind)kind);
    unsigned where, n = on_file(p, p->first + piece, file, &where);
    if (n == 1)
        return quick_from(p, kind, (xq_sq)where, dir, target);
    if (n == 2 && (kind == XQ_ADVISOR || kind == XQ_ELEPHANT))
        return quick_of_two(p, kind, file, dir, target);
    return XQ_NOMOVE;
}
