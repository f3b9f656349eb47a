/* fmt_xgf.c - .xgf of XieXie (formats reference 6.7).
 *
 *   06 0B, then {tag, length, GBK}: 1 event 2 place 3 date 4 round 5 Red
 *   6 rating 7 Black 8 rating; from 9 on nothing is known
 *   ...tables; 32 squares as u32, Red's king first; u32; u32 plies, twice
 *   20 bytes a ply: u16 from, u16 to
 *
 * A square is (file + 2) * 16 + 11 - rank.  The end is what is certain: the
 * table of moves is found from there.  Of start positions only the usual one
 * is known; another is refused rather than guessed. */
#include "libpgn/binary.h"
#include "libpgn/bytes.h"

#include <string.h>

enum { RECORD = 20, PIECES = 140 /* before the moves */ };

static xq_sq square_of(unsigned v)
{
    const unsigned file = v >> 4, rank = 11 - (v & 15);
    return file >= 2 && file <= 10 && rank <= 9
               ? xq_sq_of((int)file - 2, (int)rank)
               : XQ_NOSQ;
}

/* Do the pieces stand as at the start? */
static bool is_usual(const uint8_t *s, const uint8_t usual[XQ_SQUARES])
{
    static const uint8_t KIND[16] = {
        XQ_KING,  XQ_ADVISOR, XQ_ADVISOR, XQ_ELEPHANT, XQ_ELEPHANT, XQ_HORSE,
        XQ_HORSE, XQ_ROOK,    XQ_ROOK,    XQ_CANNON,   XQ_CANNON,   XQ_PAWN,
        XQ_PAWN,  XQ_PAWN,    XQ_PAWN,    XQ_PAWN};
    uint8_t at[XQ_SQUARES] = {0};
    for (unsigned i = 0; i < 32; i++) {
        const xq_sq sq = square_of(pgn_u32(s + 4 * i) & 0xFF);
        if (sq == XQ_NOSQ)
            return false;
        at[sq] = xq_piece_of(i < 16 ? XQ_RED : XQ_BLACK, (xq_kind)KIND[i % 16]);
    }
    return memcmp(at, usual, sizeof at) == 0;
}

/* Each tag once, in rising order; up to 8. */
static void each_text(pgn_reader *r, size_t end, bool sample)
{
    static const char *const TAGS[] = {NULL,     "Event", "Site",
                                       "Date",   "Round", "Red",
                                       "RedElo", "Black", "BlackElo"};
    size_t i = 2;
    for (uint8_t tag = 1; tag <= 8; tag++) {
        if (end - i < 2 || r->raw[i] != tag || r->raw[i + 1] > end - i - 2)
            return;
        const size_t n = r->raw[i + 1];
        if (sample)
            pgn_binary_sample(r, r->raw + i + 2, n);
        else
            pgn_binary_tag(r, TAGS[tag], r->raw + i + 2, n, 0, i);
        i += 2 + n;
    }
}

static void read_game(pgn_reader *r, size_t table)
{
    pgn_setup setup;
    pgn_setup_usual(&setup);
    for (size_t i = table; r->nraw - i >= RECORD && !r->failed; i += RECORD)
        pgn_stored_put(r, square_of(pgn_u16(r->raw + i)),
                       square_of(pgn_u16(r->raw + i + 2)), i, true, false);
    pgn_stored_close(r->binary);
    each_text(r, table - PIECES, true);
    pgn_binary_start(r, 0, pgn_binary_judge(r, PGN_ENC_GB18030));
    each_text(r, table - PIECES, false);
    const bool usual = is_usual(r->raw + table - PIECES, setup.at);
    pgn_binary_setup(r, &setup, 0);
    if (usual) {
        pgn_binary_play(r, r->raw, 0);
    } else {
        pgn_build_problem(r, PGN_ERROR, PGN_P_FEN, table - PIECES, 0,
                          (xq_str){NULL, 0},
                          "start position refused: only the usual one is known "
                          "in XGF");
        r->broken = true;
    }
    pgn_build_finish(r, r->nraw);
}

/* The tags, and that no moves are there. */
static void read_cut(pgn_reader *r)
{
    pgn_setup setup;
    pgn_setup_usual(&setup);
    pgn_stored_close(r->binary);
    each_text(r, r->nraw, true);
    pgn_binary_start(r, 0, pgn_binary_judge(r, PGN_ENC_GB18030));
    each_text(r, r->nraw, false);
    pgn_binary_damaged(r, r->nraw, "no table of moves ends the file");
    pgn_binary_setup(r, &setup, 0);
    pgn_build_finish(r, r->nraw);
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    if (r->at >= r->nraw || r->nraw < 2)
        return XQ_DONE;
    r->at = r->nraw;
    const size_t table = pgn_xgf_table(r->raw, r->nraw);
    if (pgn_binary_reset(r)) {
        if (table)
            read_game(r, table);
        else
            read_cut(r);
    }
    if (r->failed)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    r->game.notation = PGN_ICCS;
    return XQ_OK;
}

const pgn_fmt pgn_fmt_xgf = {PGN_FMT_XGF, next};
