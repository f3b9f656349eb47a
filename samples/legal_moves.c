/* legal_moves.c - the rules core in one page: read a position, list its legal
 * moves in three notations, say whether the game is over.
 *
 *   legal_moves [FEN]        default: the start position */
#include "engine/pos.h"
#include "engine/rules.h"
#include "libpgn/notation.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    xq_pos p;
    xq_err err;
    if (xq_fen_parse(&p, xq_str_of(argc > 1 ? argv[1] : XQ_FEN_START), NULL,
                     &err) < 0) {
        fprintf(stderr, "legal_moves: %s\n", err.msg);
        return 2;
    }
    xq_movelist list;
    xq_gen_legal(&p, &list);
    for (unsigned i = 0; i < list.n; i++) {
        char iccs[5], wxf[PGN_MOVE_TEXT_MAX], chinese[PGN_MOVE_TEXT_MAX];
        xq_move_format(list.m[i], iccs);
        pgn_move_write(&p, list.m[i], PGN_WXF, PGN_SIMPLIFIED, wxf);
        pgn_move_write(&p, list.m[i], PGN_CHINESE, PGN_SIMPLIFIED, chinese);
        printf("%s  %-6s %s\n", iccs, wxf, chinese);
    }
    const char *side = p.side == XQ_RED ? "Red" : "Black";
    if (list.n == 0)
        printf("%s has lost by %s\n", side,
               xq_in_check(&p, (xq_side)p.side) ? "mate" : "stalemate");
    else
        printf("%s has %u legal moves\n", side, list.n);
    return fclose(stdout) ? 2 : 0;
}
