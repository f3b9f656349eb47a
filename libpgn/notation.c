/* notation.c - names of the notations, and the short way to read a move. */
#include "engine/rules.h"
#include "libpgn/notation_internal.h"

#include <string.h>

static const char *const NAME[PGN_NOTATIONS] = {
    [PGN_NOTATION_ANY] = "any", [PGN_ICCS] = "iccs",
    [PGN_UCI] = "uci",          [PGN_UCI10] = "uci10",
    [PGN_WXF] = "wxf",          [PGN_WXF2018] = "wxf2018",
    [PGN_FAIRY] = "fairy",      [PGN_SAN] = "san",
    [PGN_SAN10] = "san10",      [PGN_CHINESE] = "chinese",
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

xq_move pgn_move_quick(const xq_pos *p, const uint8_t cls[4])
{
    /* Of another class they become huge. */
    const unsigned kind = cls[0] - (unsigned)PGN_C_PIECE;
    const unsigned number = cls[1] - (unsigned)PGN_C_DIGIT;
    const unsigned dir = cls[2] - (unsigned)PGN_C_DIR;
    const unsigned target = cls[3] - (unsigned)PGN_C_DIGIT;
    const xq_side side = (xq_side)p->side;

    if (kind - 1 > 6 || number - 1 > 8 || dir - 1 > 2 || target - 1 > 8)
        return XQ_NOMOVE;
    const unsigned file = pgn_file_numbered(side, number);
    const xq_piece piece = xq_piece_of(side, (xq_kind)kind);
    xq_sq here[2];
    unsigned n = 0;
    for (unsigned s = p->first[piece]; s < p->first[piece + 1]; s++) {
        xq_sq sq = p->sq[s];
        if (sq == XQ_NOSQ || xq_file_of[sq] != file)
            continue;
        if (n == 2)
            return XQ_NOMOVE;
        here[n++] = sq;
    }
    if (n == 2 && kind != XQ_ADVISOR && kind != XQ_ELEPHANT)
        return XQ_NOMOVE;

    xq_move found = XQ_NOMOVE;
    while (n--) {
        xq_sq to = pgn_part_target(side, (xq_kind)kind, here[n], dir, target);
        xq_move m = xq_move_make(here[n], to);
        if (to == XQ_NOSQ || !xq_move_is_pseudo(p, m))
            continue;
        if (found)
            return XQ_NOMOVE;
        found = m;
    }
    return found;
}
