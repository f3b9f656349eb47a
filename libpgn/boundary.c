/* boundary.c - where games may be cut apart, whatever stands before. */
#include "libpgn/boundary.h"

static bool is_blank(uint8_t c) { return c == ' ' || c == '\t'; }
static bool is_letter(uint8_t c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
static bool is_bom(const uint8_t *s) { return !memcmp(s, "\xEF\xBB\xBF", 3); }

bool pgn_tag_at(const uint8_t *s, size_t n, size_t at)
{
    size_t i = at + 1;
    if (n - at > PGN_TAG_HEAD)
        n = at + PGN_TAG_HEAD;
    if (i >= n || !is_letter(s[i]))
        return false;
    while (i < n &&
           (is_letter(s[i]) || (s[i] >= '0' && s[i] <= '9') || s[i] == '_'))
        i++;
    const size_t name_end = i;
    while (i < n && is_blank(s[i]))
        i++;
    return i > name_end && i < n && s[i] == '"';
}

size_t pgn_boundary_at(const uint8_t *s, size_t n, size_t at)
{
    size_t i = at;
    while (i >= 3 && is_bom(s + i - 3))
        i -= 3;
    if (i == 0 || !pgn_byte_breaks(s[i - 1]) || !pgn_tag_at(s, n, at))
        return 0;
    const size_t begin = i;
    unsigned lines = 0; /* one ends the text before, two leave one blank */
    while (i > 0 && (pgn_byte_breaks(s[i - 1]) || is_blank(s[i - 1]))) {
        i--;
        lines += pgn_ends_line(s, begin, i);
    }
    if (i == 0 || lines < 2)
        return 0;
    size_t line = i;
    while (line > 0 && !pgn_byte_breaks(s[line - 1]))
        line--;
    while (i - line >= 3 && is_bom(s + line))
        line += 3;
    return line < i && s[line] != '[' ? begin : 0;
}

size_t pgn_boundary_next(const uint8_t *s, size_t n, size_t from)
{
    for (size_t i = from + 1; i < n; i++) {
        const uint8_t *p = memchr(s + i, '[', n - i);
        if (!p)
            return n;
        i = (size_t)(p - s);
        const size_t at = pgn_boundary_at(s, n, i);
        if (at > from)
            return at;
    }
    return n;
}

size_t pgn_boundary_last(const uint8_t *s, size_t n, size_t from, size_t to)
{
    for (size_t end = to; end > from;) {
        const uint8_t *p = memrchr(s + from, '[', end - from);
        if (!p)
            return 0;
        end = (size_t)(p - s);
        const size_t at = pgn_boundary_at(s, n, end);
        if (at)
            return at;
    }
    return 0;
}

/* s[0..i) ends with a result. */
static bool behind_result(const uint8_t *s, size_t i)
{
    static const char *const RESULTS[] = {"1-0", "0-1", "1/2-1/2", "*"};
    for (size_t k = 0; k < sizeof RESULTS / sizeof *RESULTS; k++) {
        const size_t len = strlen(RESULTS[k]);
        if (i > len && !memcmp(s + i - len, RESULTS[k], len) &&
            (is_blank(s[i - len - 1]) || pgn_byte_breaks(s[i - len - 1])))
            return true;
    }
    return false;
}

static bool is_soft(const uint8_t *s, size_t n, size_t at)
{
    size_t i = at;
    while (i > 0 && (is_blank(s[i - 1]) || pgn_byte_breaks(s[i - 1])))
        i--;
    if (i == 0 || i == at || !pgn_tag_at(s, n, at))
        return false;
    if (behind_result(s, i))
        return true;
    if (!pgn_byte_breaks(s[at - 1]))
        return false;
    while (i > 0 && !pgn_byte_breaks(s[i - 1]))
        i--;
    while (is_blank(s[i]))
        i++;
    return s[i] != '[';
}

size_t pgn_boundary_soft(const uint8_t *s, size_t n, size_t to)
{
    for (size_t end = to; end > 0;) {
        const uint8_t *p = memrchr(s, '[', end);
        if (!p)
            return 0;
        end = (size_t)(p - s);
        if (is_soft(s, n, end))
            return end;
    }
    return 0;
}
