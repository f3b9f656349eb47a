/* fmt_xqr.c - .xqr of github.com/pengguang001/xqr, as far as its one sample
 * goes (formats reference 6.7).
 *
 *   {tag, length, bytes}: 0 magic 20 17, 1 ?, 2 event, 3 place, 4 date, 5 Red,
 *   6 Black, 7 result (1: Red), 9 nodes, 10 CRC-32 of what stands before
 *   node, 4 bytes: from, to, flags, 0; square: row from the top * 16 + file;
 *   flags 1: a move follows.  The first one is the root.
 *
 * Flags that would make variations are in no sample: refused. */
#include "libpgn/binary.h"
#include "libpgn/bytes.h"

#include <zlib.h>

enum { NODES = 9, SUM = 10 };

static xq_sq square_of(uint8_t v)
{
    const unsigned row = v >> 4, file = v & 15;
    return row < 10 && file < 9 ? xq_sq_of((int)file, 9 - (int)row) : XQ_NOSQ;
}

/* The texts; returns where the nodes begin, or 0. */
static size_t each_text(pgn_reader *r, bool sample, pgn_result *res)
{
    static const char *const TAGS[] = {NULL,   NULL,  "Event", "Site",
                                       "Date", "Red", "Black"};
    size_t i = 0;
    while (r->nraw - i >= 2) {
        const uint8_t tag = r->raw[i], n = r->raw[i + 1];
        if (tag == NODES)
            return i + 2;
        if (n > r->nraw - i - 2)
            return 0;
        if (sample)
            pgn_binary_sample(r, r->raw + i + 2, n);
        else if (tag < 7 && TAGS[tag])
            pgn_binary_tag(r, TAGS[tag], r->raw + i + 2, n, 0, i);
        if (tag == 7 && n == 1 && r->raw[i + 2] == 1)
            *res = PGN_RED_WINS;
        i += 2 + n;
    }
    return 0;
}

/* NULL, or what is wrong at *i. */
static const char *read_nodes(pgn_reader *r, size_t *i)
{
    bool root = true, more = true;
    while (more && !r->failed) {
        if (r->nraw - *i < 4)
            return "the file ends in the middle of the moves";
        const uint8_t *p = r->raw + *i;
        if (p[2] > 1 || p[3])
            return "a variation, or what else no known XQR file has: not read "
                   "further";
        if (!root)
            pgn_stored_put(r, square_of(p[0]), square_of(p[1]), *i, true,
                           false);
        root = false;
        more = p[2] == 1;
        *i += 4;
    }
    return NULL;
}

/* Does the sum behind the nodes, if there is one, fit? */
static bool sum_fits(const pgn_reader *r, size_t i)
{
    if (r->nraw - i < 6 || r->raw[i] != SUM || r->raw[i + 1] != 4)
        return true;
    return crc32(0, r->raw, (uInt)i) == pgn_u32(r->raw + i + 2);
}

static void read_game(pgn_reader *r)
{
    pgn_setup setup;
    pgn_setup_usual(&setup);
    size_t i = each_text(r, true, &setup.result);
    const char *wrong = i ? read_nodes(r, &i) : "no moves";
    pgn_stored_close(r->binary);
    pgn_binary_start(r, 0, pgn_binary_judge(r, PGN_ENC_UTF8));
    each_text(r, false, &setup.result);
    if (wrong)
        pgn_binary_damaged(r, i, "%s", wrong);
    else if (!sum_fits(r, i))
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, i, 0,
                          (xq_str){NULL, 0},
                          "the file's sum does not fit its contents");
    pgn_binary_setup(r, &setup, 0);
    pgn_binary_play(r, r->raw, 0);
    pgn_build_finish(r, r->nraw);
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    return pgn_binary_whole(r, false, read_game, err);
}

const pgn_fmt pgn_fmt_xqr = {PGN_FMT_XQR, next};
