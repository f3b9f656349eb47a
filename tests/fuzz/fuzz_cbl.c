/* fuzz_cbl.c - whatever bytes come as a packed library, or are packed into
 * one: the reader comes to an end, and its games keep what they promise. */
#include "tests/fuzz/fuzz_game.h"

#include <string.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* A fuzzer does not find its way through zlib: most inputs are packed here. */
static void read_packed(const uint8_t *s, size_t n, pgn_reader_options opts)
{
    uLongf packed = compressBound((uLong)n);
    uint8_t *file = malloc(20 + packed);
    if (!file)
        return;
    memcpy(file, "CCBridge\x15\0\0\0\1\0\0\0\0\0\0\0", 20);
    check(compress2(file + 20, &packed, s, (uLong)n, 1) == Z_OK);
    read_segment(file, 20 + packed, PGN_FMT_CBL, opts, write_and_read);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n == 0)
        return 0;
    if (data[0] & 16)
        read_segment(data + 1, n - 1, PGN_FMT_CBL, options_of(data[0]), NULL);
    else
        read_packed(data + 1, n - 1, options_of(data[0]));
    return 0;
}
