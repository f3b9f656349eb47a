/* fmt_che.c - .CHE of QQ (formats reference 6.7): numbers in ASCII.
 *
 *   1 PLIES, then ten a ply: piece 32 side y x y x 0 ply 0
 *
 * y counts from Red's side, x from the left (by che2pgn of ElephantEye; from
 * the symmetric start position no file can prove it).  There are no names, no
 * result, no other start. */
#include "libpgn/binary.h"

/* The next number, or -1. */
static long next_number(const uint8_t *s, size_t n, size_t *i)
{
    long v = 0;
    while (*i < n && (s[*i] == ' ' || s[*i] == '\r' || s[*i] == '\n'))
        ++*i;
    if (*i == n || s[*i] < '0' || s[*i] > '9')
        return -1;
    for (; *i < n && s[*i] >= '0' && s[*i] <= '9'; ++*i)
        v = v < 1000000 ? v * 10 + (s[*i] - '0') : v;
    return v;
}

static xq_sq square_of(long y, long x)
{
    return y >= 0 && y <= 9 && x >= 0 && x <= 8 ? xq_sq_of((int)x, (int)y)
                                                : XQ_NOSQ;
}

/* Returns the plies read. */
static long read_moves(pgn_reader *r, long plies, size_t *i)
{
    long k = 0;
    for (; k < plies && !r->failed; k++) {
        const size_t at = *i;
        long v[10];
        for (int j = 0; j < 10; j++)
            if ((v[j] = next_number(r->raw, r->nraw, i)) < 0)
                return k;
        pgn_stored_put(r, square_of(v[3], v[4]), square_of(v[5], v[6]), at,
                       true, false);
    }
    return k;
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    if (r->at >= r->nraw)
        return XQ_DONE;
    r->at = r->nraw;
    if (!pgn_binary_reset(r))
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    size_t i = 0;
    pgn_setup setup;
    next_number(r->raw, r->nraw, &i);
    const long plies = next_number(r->raw, r->nraw, &i);
    const long read = read_moves(r, plies, &i);
    pgn_stored_close(r->binary);
    pgn_binary_start(r, 0, PGN_ENC_UTF8);
    if (read < plies)
        pgn_binary_damaged(r, i, "the file ends after %ld of %ld plies", read,
                           plies);
    pgn_setup_usual(&setup);
    pgn_binary_setup(r, &setup, 0);
    pgn_binary_play(r, r->raw, 0);
    pgn_build_finish(r, r->nraw);
    if (r->failed)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    r->game.notation = PGN_ICCS;
    return XQ_OK;
}

const pgn_fmt pgn_fmt_che = {PGN_FMT_CHE, next};
