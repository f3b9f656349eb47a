/* buf_util.h - functions that append a text to a buffer.  Include it behind
 * cmocka.h. */
#ifndef BUF_UTIL_H
#define BUF_UTIL_H

#include "tools/cli.h"

/* `add` makes `want` of the n bytes at `in`. */
static inline void check_text(void (*add)(cli_buf *, xq_str), const char *in,
                              size_t n, const char *want)
{
    cli_buf b = {0};
    add(&b, (xq_str){in, n});
    assert_false(b.failed);
    assert_string_equal(b.s ? b.s : "", want);
    cli_buf_free(&b);
}

#endif
