/* fuzz_cbr.c - whatever bytes come as CBR: the reader comes to an end, its
 * games keep what they promise, and XQF and CBF hold their trees. */
#include "tests/fuzz/fuzz_game.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n > 0) /* the first byte chooses how the rest is read */
        read_segment(data + 1, n - 1, PGN_FMT_CBR, options_of(data[0]),
                     write_and_read);
    return 0;
}
