/* fuzz_notation.c - a FEN, a newline, then the text of a move: whatever it
 * is, the answer is a legal move or a reason; what is read is also written,
 * and read back. */
#include "engine/rules.h"
#include "libpgn/notation.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(bool ok)
{
    if (!ok)
        abort();
}

static void check_round_trip(const xq_pos *p, xq_move m)
{
    for (unsigned k = PGN_ICCS; k < PGN_NOTATIONS; k++) {
        char out[PGN_MOVE_TEXT_MAX];
        pgn_script script = k % 2 ? PGN_SIMPLIFIED : PGN_TRADITIONAL;
        xq_move back;
        size_t len = pgn_move_write(p, m, (pgn_notation)k, script, out);
        check(len == strlen(out) && len < sizeof out);
        check(pgn_move_read(p, (xq_str){out, len}, (pgn_notation)k, &back, NULL,
                            NULL) == XQ_OK);
        check(back == m);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const char *text = (const char *)data;
    const char *end = n ? memchr(text, '\n', n) : NULL;
    size_t fen = end ? (size_t)(end - text) : 0;
    xq_pos p;
    if (!end || xq_fen_parse(&p, (xq_str){text, fen}, NULL, NULL) != XQ_OK)
        return 0;
    xq_str move = {text + fen + 1, n - fen - 1};

    for (unsigned hint = 0; hint < PGN_NOTATIONS; hint++) {
        xq_move m;
        pgn_candidates amb;
        xq_err err = {.code = XQ_OK};
        xq_status rc =
            pgn_move_read(&p, move, (pgn_notation)hint, &m, &amb, &err);
        check(pgn_move_read(&p, move, (pgn_notation)hint, &m, NULL, NULL) ==
              rc);
        if (rc == XQ_OK) {
            check(xq_move_is_legal(&p, m));
            check_round_trip(&p, m);
        } else {
            check(err.code == rc && err.msg[0] && err.byte <= move.n);
            check(!m || !xq_move_is_legal(&p, m));
        }
        check((rc == XQ_EAMBIGUOUS) == (amb.n > 1));
    }
    if (move.n >= 4) {
        xq_move m = pgn_move_quick(&p, (const uint8_t *)move.s);
        check(!m || xq_move_is_pseudo(&p, m));
    }
    return 0;
}
