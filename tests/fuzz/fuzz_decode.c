/* fuzz_decode.c - whatever bytes come, decoding gives valid UTF-8 within its
 * bound, the same in pieces as in whole, and leads back to the input.  The
 * first byte chooses the encoding and the cut. */
#include "libpgn/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static void check_pieces(pgn_encoding e, const uint8_t *s, size_t n, size_t cut,
                         const char *want, size_t want_n, size_t want_bad)
{
    char *out = malloc(pgn_decode_bound(n) + 16);
    must(out != NULL);
    size_t used = 0, bad = 0;
    size_t k = pgn_decode(e, s, cut, false, out, &used, &bad);
    must(used <= cut && cut - used < 4);
    const size_t first = used;
    k += pgn_decode(e, s + first, n - first, true, out + k, &used, &bad);
    must(first + used == n && k == want_n && bad == want_bad);
    must(memcmp(out, want, k) == 0);
    free(out);
}

static void check_bad(pgn_encoding e, const uint8_t *s, size_t n, size_t bad)
{
    size_t from = 0, found = 0;
    while (pgn_decode_bad(e, s, n, &from) < n)
        found++;
    must(found == bad);
}

/* Text without bad bytes survives being written and read again. */
static void check_way_back(pgn_encoding e, const char *text, size_t n)
{
    pgn_buf b = {0};
    size_t lost = 0, used = 0, bad = 0;
    must(pgn_encode(e, (xq_str){text, n}, &b, &lost) == XQ_OK);
    char *again = malloc(pgn_decode_bound(b.n));
    must(again != NULL);
    const size_t k =
        pgn_decode(e, (uint8_t *)b.s, b.n, true, again, &used, &bad);
    must(bad == 0);
    if (!lost)
        must(k == n && memcmp(again, text, n) == 0);
    free(again);
    pgn_buf_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n < 2 || n > 4096)
        return 0;
    const pgn_encoding e = (pgn_encoding)(data[0] % 12);
    const size_t cut = data[1] % (n - 1);
    data += 2;
    n -= 2;
    /* exactly the size that is promised, so that sanitizers see overruns */
    char *out = malloc(pgn_decode_bound(n));
    must(out != NULL);
    size_t used = 0, bad = 0;
    const size_t k = pgn_decode(e, data, n, true, out, &used, &bad);
    must(used == n && k <= pgn_decode_bound(n));
    must(pgn_utf8_valid((xq_str){out, k}));
    check_pieces(e, data, n, cut < n ? cut : n, out, k, bad);
    check_bad(e, data, n, bad);
    size_t last = 0;
    for (size_t at = 0; at <= k; at += 1 + at / 4) {
        const size_t from = pgn_decode_offset(e, data, n, at);
        must(from >= last && from <= n);
        last = from;
    }
    if (!bad && e != PGN_ENC_AUTO && e != PGN_ENC_BYTES && e < PGN_ENC_OTHER)
        check_way_back(e, out, k);
    free(out);
    pgn_encoding_judge(data, n, (pgn_encoding)(cut % 8));
    pgn_count_moves((xq_str){(const char *)data, n});
    return 0;
}
