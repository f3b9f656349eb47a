/* fuzz_record.c - bytes from a damaged database as a game's moves: refused
 * with a reason, or a legal game that comes back from its own bytes. */
#include "bookdb/record.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(bool ok)
{
    if (!ok)
        abort();
}

/* The first byte chooses the start position. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const char *const STARTS[] = {
        XQ_FEN_START,
        "4k4/9/9/9/9/4P4/9/9/4R4/3K5 w",
        "2R1k4/RRRR5/CCCC5/9/PPPPPPPPP/9/9/9/9/3K5 w",
    };
    if (n == 0 || n > 1 << 16)
        return 0;
    pgn_game g = {.standard = data[0] % 3 == 0};
    check(xq_fen_parse(&g.start, xq_str_of(STARTS[data[0] % 3]), NULL, NULL) ==
          XQ_OK);
    data++;
    n--;
    uint32_t ncomments = bk_record_comments(data, n);
    xq_str *texts = calloc((size_t)ncomments + 1, sizeof *texts);
    check(texts != NULL);
    for (uint32_t i = 0; i < ncomments; i++)
        texts[i] = xq_str_of(i % 2 ? "a" : "bc");
    xq_arena arena = {0};
    xq_err err = {0};
    xq_move m;
    bk_replay r;
    bk_replay_start(&r, &g.start, data, n);
    while (bk_replay_next(&r, &m))
        ;
    xq_status rc =
        bk_record_decode(data, n, texts, ncomments, &arena, &g, &err);
    if (rc == XQ_OK) {
        check(!r.bad && r.ply == g.plies);
        pgn_buf out = {0};
        check(bk_record_encode(&g, &out, NULL) == XQ_OK);
        pgn_game back = {.standard = g.standard, .start = g.start};
        check(bk_record_comments((uint8_t *)out.s, out.n) == ncomments);
        check(bk_record_decode((uint8_t *)out.s, out.n, texts, ncomments,
                               &arena, &back, &err) == XQ_OK);
        pgn_digest x = pgn_game_digest(&g), y = pgn_game_digest(&back);
        check(x.hi == y.hi && x.lo == y.lo);
        pgn_buf_free(&out);
    } else {
        check(rc == XQ_ECORRUPT && err.msg[0]);
    }
    xq_arena_free(&arena);
    free(texts);
    return 0;
}
