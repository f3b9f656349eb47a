/* bytes.h - numbers in files, and where XGF keeps its table of moves. */
#ifndef PGN_BYTES_H
#define PGN_BYTES_H

#include <stddef.h>
#include <stdint.h>

static inline unsigned pgn_u16(const uint8_t *s)
{
    return s[0] | (unsigned)s[1] << 8;
}
static inline uint32_t pgn_u32(const uint8_t *s)
{
    return s[0] | (uint32_t)s[1] << 8 | (uint32_t)s[2] << 16 |
           (uint32_t)s[3] << 24;
}

/* XieXie's header has no fixed length: the table of moves is found from the
 * end, 20 bytes a ply, behind the number of plies that is written twice and
 * the squares of 32 pieces.  0: there is none. */
static inline size_t pgn_xgf_table(const uint8_t *s, size_t n)
{
    for (size_t plies = 0; plies < n / 20 && plies < 100000; plies++) {
        const size_t at = n - 20 * plies;
        if (at >= 160 && pgn_u32(s + at - 4) == plies &&
            pgn_u32(s + at - 8) == plies)
            return at;
    }
    return 0;
}

#endif
