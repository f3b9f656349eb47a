/* fmt_ccm.c - .CCM of the China Game Centre (formats reference 6.7).
 *
 *   01 00 12 00, u32 Unix time, u32 plies, then 9 bytes a ply:
 *   id side type x r x r captured-id captured-type    r from the top
 *
 * There are no names, no result, no other start. */
#include "libpgn/binary.h"
#include "libpgn/bytes.h"

#include <stdio.h>
#include <time.h>

enum { HEADER = 12, RECORD = 9 };

static xq_sq square_of(const uint8_t *s)
{
    return s[0] < 9 && s[1] < 10 ? xq_sq_of(s[0], 9 - s[1]) : XQ_NOSQ;
}

static void read_date(pgn_reader *r, uint32_t unix_time)
{
    const time_t t = (time_t)unix_time;
    struct tm tm;
    char text[16];
    if (!unix_time || !gmtime_r(&t, &tm))
        return;
    const int n =
        snprintf(text, sizeof text, "%04d.%02d.%02d",
                 (tm.tm_year + 1900) % 10000, tm.tm_mon + 1, tm.tm_mday);
    pgn_binary_tag(r, "Date", (const uint8_t *)text, (size_t)n, 0, 4);
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    if (r->at >= r->nraw || r->nraw < HEADER)
        return XQ_DONE;
    r->at = r->nraw;
    if (!pgn_binary_reset(r))
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    pgn_setup setup;
    const uint32_t plies = pgn_u32(r->raw + 8);
    const size_t there = (r->nraw - HEADER) / RECORD;
    for (size_t k = 0; k < there && k < plies && !r->failed; k++) {
        const size_t i = HEADER + k * RECORD;
        pgn_stored_put(r, square_of(r->raw + i + 3), square_of(r->raw + i + 5),
                       i, true, false);
    }
    pgn_stored_close(r->binary);
    pgn_binary_start(r, 0, PGN_ENC_UTF8);
    read_date(r, pgn_u32(r->raw + 4));
    if (there < plies)
        pgn_binary_damaged(r, r->nraw, "the file ends after %zu of %u plies",
                           there, (unsigned)plies);
    pgn_setup_usual(&setup);
    pgn_binary_setup(r, &setup, 0);
    pgn_binary_play(r, r->raw, 0);
    pgn_build_finish(r, r->nraw);
    if (r->failed)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    r->game.notation = PGN_ICCS;
    return XQ_OK;
}

const pgn_fmt pgn_fmt_ccm = {PGN_FMT_CCM, next};
