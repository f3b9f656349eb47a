/* fuzz_moves.c - any bytes as lists of moves and of positions, and as score
 * sheets (text_fuzz.h says what must hold). */
#include "tests/fuzz/text_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const xq_str text = {(const char *)data, n};
    check_text(text, PGN_FMT_MOVES);
    check_text(text, PGN_FMT_FENS);
    check_text(text, PGN_FMT_SCORE);
    check_cuts(text);
    return 0;
}
