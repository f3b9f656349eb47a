/* fuzz_dhtmlxq.c - any bytes as DhtmlXQ (text_fuzz.h says what must hold). */
#include "tests/fuzz/text_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    const xq_str text = {(const char *)data, n};
    check_text(text, PGN_FMT_DHTMLXQ);
    check_cuts(text);
    return 0;
}
