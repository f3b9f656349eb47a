/* fmt_chn.c - .chn and .xqi of Lianzhong (formats reference 6.7).
 *
 *   0x000 "GL"  0x024 title  0x078 Red  0x0A0 Black  0x008 time as ctime(3)
 *   0x0B4 board at the start, file by file from the top
 *   0x16C u32 plies
 *   0x1FC records of 36 bytes; byte 14 from, 15 to: row from the top, file
 *
 * What else there is (result, clocks) no sample explains. */
#include "libpgn/binary.h"
#include "libpgn/bytes.h"

#include <string.h>

enum { BOARD = 0xB4, PLIES = 0x16C, RECORDS = 0x1FC, RECORD = 36 };

static const struct {
    uint16_t at, size;
    const char *tag;
} FIELDS[] = {{0x24, 64, "Title"},
              {0x08, 28, "Date"},
              {0x78, 20, "Red"},
              {0xA0, 20, "Black"}};

static xq_sq square_of(uint8_t v)
{
    const unsigned row = v >> 4, file = v & 15;
    return row < 10 && file < 9 ? xq_sq_of((int)file, 9 - (int)row) : XQ_NOSQ;
}

/* The low three bits are the kind, 8 is Black, the rest counts equal ones. */
static void read_board(const uint8_t *s, uint8_t at[XQ_SQUARES])
{
    static const uint8_t KIND[8] = {0,       XQ_ROOK,    XQ_HORSE,    XQ_CANNON,
                                    XQ_KING, XQ_ADVISOR, XQ_ELEPHANT, XQ_PAWN};
    for (int i = 0; i < XQ_SQUARES; i++) {
        const unsigned kind = s[i] & 7;
        at[xq_sq_of(i / 10, 9 - i % 10)] =
            kind
                ? xq_piece_of(s[i] & 8 ? XQ_BLACK : XQ_RED, (xq_kind)KIND[kind])
                : XQ_EMPTY;
    }
}

/* A text ends at its NUL. */
static size_t length(const uint8_t *s, size_t n)
{
    const uint8_t *end = memchr(s, 0, n);
    return end ? (size_t)(end - s) : n;
}

static void read_game(pgn_reader *r)
{
    const uint8_t *s = r->raw;
    const uint32_t plies = pgn_u32(s + PLIES);
    const size_t there = (r->nraw - RECORDS) / RECORD;
    const size_t n = sizeof FIELDS / sizeof *FIELDS;
    pgn_setup setup = {.side = XQ_RED};
    for (size_t i = 0; i < there && i < plies && !r->failed; i++) {
        const size_t at = RECORDS + i * RECORD + 14;
        pgn_stored_put(r, square_of(s[at]), square_of(s[at + 1]), at, true,
                       false);
    }
    pgn_stored_close(r->binary);
    for (size_t i = 0; i < n; i++)
        pgn_binary_sample(r, s + FIELDS[i].at,
                          length(s + FIELDS[i].at, FIELDS[i].size));
    pgn_binary_start(r, 0, pgn_binary_judge(r, PGN_ENC_GB18030));
    for (size_t i = 0; i < n; i++)
        pgn_binary_tag(r, FIELDS[i].tag, s + FIELDS[i].at,
                       length(s + FIELDS[i].at, FIELDS[i].size), PGN_TEXT_CUT,
                       FIELDS[i].at);
    if (there < plies)
        pgn_binary_damaged(r, r->nraw, "the file ends after %zu of %u plies",
                           there, (unsigned)plies);
    read_board(s + BOARD, setup.at);
    pgn_binary_setup(r, &setup, BOARD);
    pgn_binary_play(r, s, 0);
    pgn_build_finish(r, r->nraw);
}

static void read_cut(pgn_reader *r)
{
    pgn_binary_start(r, 0, PGN_ENC_UTF8);
    pgn_binary_damaged(r, r->nraw, "the file ends inside its header");
    pgn_build_setup(r);
    pgn_build_marker(r, PGN_UNKNOWN, r->nraw);
    pgn_build_finish(r, r->nraw);
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    return pgn_binary_whole(r, false, r->nraw < RECORDS ? read_cut : read_game,
                            err);
}

const pgn_fmt pgn_fmt_chn = {PGN_FMT_CHN, next};
