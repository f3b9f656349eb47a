/* fuzz_kinds.c - whatever bytes come: told apart by what they look like, and
 * read; or read as the kind that the first byte names. */
#include "tests/fuzz/fuzz_game.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void read_any(const uint8_t *s, size_t n)
{
    pgn_split *sp = NULL;
    pgn_segment seg = {0};
    xq_status rc;
    if (pgn_split_open_mem(&sp, "fuzz", s, n, PGN_ENC_AUTO, NULL) != XQ_OK)
        return;
    while ((rc = pgn_split_next(sp, &seg, NULL)) != XQ_DONE && rc != XQ_ENOMEM)
        if (rc == XQ_OK)
            read_segment(seg.bytes, seg.n, seg.format,
                         (pgn_reader_options){.encoding = PGN_ENC_AUTO}, NULL);
    pgn_segment_free(&seg);
    pgn_split_close(sp);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const pgn_format F[] = {PGN_FMT_PFC, PGN_FMT_CHE, PGN_FMT_CHN,
                                   PGN_FMT_CCM, PGN_FMT_MXQ, PGN_FMT_XGF,
                                   PGN_FMT_XQR};
    if (n == 0)
        return 0;
    if (data[0] / 16 < 7)
        read_segment(data + 1, n - 1, F[data[0] / 16], options_of(data[0]),
                     write_and_read);
    else
        read_any(data + 1, n - 1);
    return 0;
}
