/* fuzz_wxf.c - any bytes as WXF (text_fuzz.h says what must hold). */
#include "tests/fuzz/text_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const xq_str text = {(const char *)data, n};
    check_text(text, PGN_FMT_WXF);
    check_cuts(text);
    return 0;
}
