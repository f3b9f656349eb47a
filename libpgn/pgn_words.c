/* pgn_words.c - words of movetext: where they end, and what they look like. */
#include "libpgn/pgn_scan.h"

#include <string.h>

/* Separators that are not ASCII: 、 。 , : ; . · … — and their kin. */
bool pgn_is_separator(uint32_t cp)
{
    switch (cp) {
    case 0x3001:
    case 0x3002:
    case 0xFF0C:
    case 0xFF1A:
    case 0xFF1B:
    case 0xFF0E:
    case 0xFF61:
    case 0xFF64:
    case 0x00B7:
    case 0x30FB:
    case 0x2022:
    case 0x2026:
    case 0x22EF:
    case 0x2014:
    case 0x2015:
    case 0x2500:
        return true;
    default:
        return pgn_is_blank(cp);
    }
}

/* A word ends before it. */
bool pgn_ends_word(uint32_t cp)
{
    if (cp >= 0x80)
        return pgn_is_separator(cp) || cp == 0xFF01 || cp == 0xFF1F ||
               cp == 0xFF08 || cp == 0xFF09;
    switch (cp) {
    case '\n':
    case '\r':
    case '{':
    case '}':
    case '(':
    case ')':
    case ';':
    case '[':
    case ']':
    case '$':
    case '!':
    case '?':
    case ',':
    case '%':
    case '*':
    case '"':
        return true;
    default:
        return pgn_is_blank(cp);
    }
}

/* The word at p: up to a blank or delimiter.  A Chinese move ends with the
 * character behind its direction (进退平), for moves may be written without
 * blanks. */
const char *pgn_word_end(const char *p, const char *end)
{
    bool direction = false, chinese = false;
    const char *begin = p;
    while (p < end) {
        size_t len = 1;
        uint32_t cp = pgn_peek(p, end, &len);
        if (pgn_ends_word(cp) && p > begin)
            break;
        p += len;
        if (cp < 0x80 || cp >= 0xFF00) {
            if (direction)
                return p;
            if (chinese && cp == '.')
                return p - 1;
            continue;
        }
        chinese = true;
        if (direction)
            return p;
        direction = (pgn_class(cp) & 0xF0) == PGN_C_DIR;
    }
    return p;
}

/* A word of ASCII without Chinese: up to a blank or delimiter. */
const char *pgn_ascii_word_end(const char *p, const char *end)
{
    while (p < end && !(*p & 0x80) && !pgn_ends_word((unsigned char)*p))
        p++;
    return p;
}

bool pgn_is_square(const char *p)
{
    char f = (char)(*p | 32);
    return f >= 'a' && f <= 'i' && p[1] >= '0' && p[1] <= '9';
}

/* 1-0, 0-1, 1/2-1/2, 1/2, 0.5-0.5 at p, where a '0' or '1' stands; returns
 * what is behind it, else NULL. */
const char *pgn_result_digits(const char *p, const char *end, pgn_result *res)
{
    if (p[1] != '-' && p[1] != '/' && !(p[1] == '.' && p[2] == '5'))
        return NULL;
    const char *e = p; /* "1-0{...}" and "1-0 ..." but not "1-0x" */
    while (e < end &&
           ((*e >= '0' && *e <= '9') || *e == '-' || *e == '/' || *e == '.'))
        e++;
    while (e > p && e[-1] == '.')
        e--;
    xq_str word = {p, (size_t)(e - p)};
    return pgn_result_parse(word, res) && *res != PGN_UNKNOWN ? e : NULL;
}

/* Moves that begin with a digit: 33.4, 15=4, 3+.4, 62.5. */
bool pgn_digit_move(const char *p, const char *end)
{
    char c[5] = {0};
    for (unsigned i = 0; i < 5 && p < end; i++) {
        size_t len = 1;
        uint32_t cp = pgn_peek_narrow(p, end, &len);
        if (i == 4)
            return pgn_ends_word(cp) && c[3] >= '1' && c[3] <= '9' &&
                   strchr(".=+-", c[2]) &&
                   ((c[1] >= '1' && c[1] <= '9') || c[1] == '+' || c[1] == '-');
        if (cp >= 0x80 || cp == 0)
            return false;
        c[i] = (char)cp;
        p += len;
    }
    return c[3] >= '1' && c[3] <= '9' && strchr(".=+-", c[2]) != NULL;
}
