/* engine_name.c - what an engine calls itself, made fit for people. */
#include "tools/engine_name.h"

#include "libpgn/text.h"

#include <stdlib.h>
#include <string.h>

/* What ends lines, drives terminals, or turns the direction of writing. */
static bool is_control(uint32_t cp)
{
    return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) ||
           (cp >= 0x2028 && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069);
}

static void copy_visible(char *out, const char *s, size_t n)
{
    size_t at = 0, len;
    for (size_t i = 0; i < n; i += len) {
        char c[4];
        const uint32_t cp = pgn_utf8_next(s + i, n - i, &len);
        const size_t size = pgn_utf8_put(cp, c);
        if (is_control(cp) || (at == 0 && cp == ' '))
            continue;
        if (at + size > ENGINE_NAME_MAX)
            break;
        memcpy(out + at, c, size);
        at += size;
    }
    while (at > 0 && out[at - 1] == ' ')
        at--;
    out[at] = '\0';
}

char *engine_name(xq_str said)
{
    const uint8_t *bytes = (const uint8_t *)said.s;
    size_t used, bad = 0;
    char *name = calloc(1, ENGINE_NAME_MAX + 1),
         *text = malloc(pgn_decode_bound(said.n));
    if (name && text && said.n > 0) {
        const pgn_encoding e = pgn_encoding_judge(bytes, said.n, PGN_ENC_AUTO);
        copy_visible(name, text,
                     pgn_decode(e, bytes, said.n, true, text, &used, &bad));
    }
    if (!text) {
        free(name);
        name = NULL;
    }
    free(text);
    return name;
}
