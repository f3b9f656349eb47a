/* pgn_chess.c - is it international chess, not Xiangqi? */
#include "libpgn/pgn_scan.h"

#include <string.h>

/* A move of international chess in SAN. */
static bool is_chess_san(const char *p, const char *e)
{
    static const char *const CASTLING[] = {"O-O", "O-O-O", "0-0", "0-0-0"};
    while (e > p && (e[-1] == '+' || e[-1] == '#'))
        e--;
    size_t n = (size_t)(e - p);
    for (size_t i = 0; i < sizeof CASTLING / sizeof *CASTLING; i++)
        if (n == strlen(CASTLING[i]) && memcmp(p, CASTLING[i], n) == 0)
            return true;
    if (n >= 4 && e[-2] == '=' && strchr("QRBN", e[-1]))
        e -= 2;
    const bool pawn = p < e && !strchr("KQRBN", *p);
    if (!pawn)
        p++;
    if (e - p < 2 || e[-1] < '1' || e[-1] > '8' || e[-2] < 'a' || e[-2] > 'h')
        return false;
    e -= 2;
    const bool takes = p < e && e[-1] == 'x';
    e -= takes;
    if (pawn) /* e4, exd5; but h2e2 is a move of ours */
        return takes ? e - p == 1 && *p >= 'a' && *p <= 'h' : p == e;
    if (p < e && *p >= 'a' && *p <= 'h')
        p++;
    if (p < e && *p >= '1' && *p <= '8')
        p++;
    return p == e;
}

/* A word of letters begins with it. */
static bool is_word(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* The movetext from p on reads as chess throughout.  Asked when a move was
 * not legal in Xiangqi. */
bool pgn_reads_as_chess(const char *p, const char *end)
{
    unsigned moves = 0;
    while (p < end) {
        unsigned char c = (unsigned char)*p;
        if (c == '{') {
            p = memchr(p, '}', (size_t)(end - p));
            if (!p)
                break;
            p++;
        } else if (c == '*' || c == '[' || c >= 0x80) {
            if (c >= 0x80)
                return false;
            break;
        } else if (is_word(c) || (c == '0' && p[1] == '-')) {
            const char *e = pgn_ascii_word_end(p, end);
            if (c == '0' && e - p == 3 && p[2] == '1')
                break; /* 0-1 */
            if (!is_chess_san(p, e))
                return false;
            moves++;
            p = e;
        } else if (c == '1' && (p[1] == '-' || p[1] == '/')) {
            break;
        } else {
            p++;
        }
    }
    return moves >= 2;
}
