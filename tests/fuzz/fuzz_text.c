/* fuzz_text.c - whatever bytes come, what the tools print is well-formed: JSON
 * strings are UTF-8 without raw control characters, text for people cannot
 * drive a terminal. */
#include "tools/cli.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

/* A slow, obvious reading of RFC 3629's table. */
static size_t utf8_length(const unsigned char *s, size_t n)
{
    static const struct {
        unsigned char from[4], to[4];
        size_t n;
    } T[] = {
        {{0x00}, {0x7F}, 1},
        {{0xC2, 0x80}, {0xDF, 0xBF}, 2},
        {{0xE0, 0xA0, 0x80}, {0xE0, 0xBF, 0xBF}, 3},
        {{0xE1, 0x80, 0x80}, {0xEC, 0xBF, 0xBF}, 3},
        {{0xED, 0x80, 0x80}, {0xED, 0x9F, 0xBF}, 3},
        {{0xEE, 0x80, 0x80}, {0xEF, 0xBF, 0xBF}, 3},
        {{0xF0, 0x90, 0x80, 0x80}, {0xF0, 0xBF, 0xBF, 0xBF}, 4},
        {{0xF1, 0x80, 0x80, 0x80}, {0xF3, 0xBF, 0xBF, 0xBF}, 4},
        {{0xF4, 0x80, 0x80, 0x80}, {0xF4, 0x8F, 0xBF, 0xBF}, 4},
    };
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        size_t k = 0;
        while (k < T[i].n && k < n && s[k] >= T[i].from[k] &&
               s[k] <= T[i].to[k])
            k++;
        if (k == T[i].n)
            return k;
    }
    return 0;
}

static void check(bool ok)
{
    if (!ok)
        abort();
}

static void check_utf8(const cli_buf *b)
{
    const unsigned char *s = (const unsigned char *)b->s;
    for (size_t i = 0, len; i < b->n; i += len) {
        len = utf8_length(s + i, b->n - i);
        check(len > 0);
        check(s[i] >= 0x20);
        check(s[i] != 0xC2 || s[i + 1] >= 0xA0 || b->s[0] == '"');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    xq_str in = {(const char *)data, n};
    cli_buf json = {0}, text = {0};
    cli_buf_json(&json, in);
    check(!json.failed);
    check_utf8(&json);
    /* Exactly one string: quotes inside are escaped. */
    check(json.s[0] == '"' && json.s[json.n - 1] == '"');
    for (size_t i = 1; i + 1 < json.n; i++) {
        check(json.s[i] != '"');
        if (json.s[i] == '\\')
            i++;
    }
    cli_buf_puts(&text, " ");
    cli_buf_text(&text, in);
    check(!text.failed);
    check_utf8(&text);
    cli_buf_free(&json);
    cli_buf_free(&text);
    return 0;
}
