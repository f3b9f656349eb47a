/* suffix.c - does the name of a file say that games are in it? */
#include "libpgn/suffix.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static const char *const GAMES[] = {
    "pgn", "wxf", "ubb", "xqf", "cbr", "cbl", "cbf",
    "pfc", "che", "chn", "xqi", "ccm", "mxq", "xgf",
};
static const char *const PACKED[] = {"gz", "zst", "bz2", "xz", "lz4"};

/* Where the suffix of s[0..n) begins, behind its dot; n: it has none. */
static size_t suffix_at(const char *s, size_t n)
{
    for (size_t i = n; i > 0 && s[i - 1] != '/'; i--)
        if (s[i - 1] == '.')
            return i;
    return n;
}

static bool is_one_of(const char *s, size_t n, const char *const *set,
                      size_t nset)
{
    for (size_t i = 0; i < nset; i++)
        if (strlen(set[i]) == n && strncasecmp(s, set[i], n) == 0)
            return true;
    return false;
}

bool pgn_suffix_is_game(const char *name)
{
    size_t n = strlen(name), at = suffix_at(name, n);
    if (is_one_of(name + at, n - at, PACKED, sizeof PACKED / sizeof *PACKED)) {
        n = at - 1;
        at = suffix_at(name, n);
    }
    return is_one_of(name + at, n - at, GAMES, sizeof GAMES / sizeof *GAMES);
}
