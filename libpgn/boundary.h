/* boundary.h - lines, and where games may be cut apart: what the splitter and
 * the reader must agree on (split.h says what a hard boundary is). */
#ifndef PGN_BOUNDARY_H
#define PGN_BOUNDARY_H

#include "engine/base.h"

#include <string.h>

/* The longest beginning of a tag that is looked at. */
enum { PGN_TAG_HEAD = 512 };

static inline bool pgn_byte_breaks(uint8_t c) { return c == '\n' || c == '\r'; }

/* Is s[i] the last byte of a line break?  LF, CR LF, CR CR LF, CR. */
static inline bool pgn_ends_line(const uint8_t *s, size_t n, size_t i)
{
    if (s[i] == '\n')
        return true;
    if (s[i] != '\r')
        return false;
    if (i + 1 < n && s[i + 1] == '\n')
        return false;
    return !(i + 2 < n && s[i + 1] == '\r' && s[i + 2] == '\n');
}

/* Does a tag begin at s[at], a '['?  '[', a name, blanks, '"'. */
bool pgn_tag_at(const uint8_t *s, size_t n, size_t at);

/* The hard boundary that belongs to the '[' at s[at]: 0 when there is none,
 * else where it stands (byte order marks before the '[' go with it). */
size_t pgn_boundary_at(const uint8_t *s, size_t n, size_t at);
/* Where the next hard boundary behind s[from] stands; n: nowhere.  The bytes
 * are in any encoding but UTF-16. */
size_t pgn_boundary_next(const uint8_t *s, size_t n, size_t from);
/* The last one in s[0..n) whose '[' stands in s[from..to); 0: none. */
size_t pgn_boundary_last(const uint8_t *s, size_t n, size_t from, size_t to);
/* The last *soft* boundary in s[0..to): a tag behind a result, or that begins
 * a line behind a line that is no tag.  It may stand in a comment. */
size_t pgn_boundary_soft(const uint8_t *s, size_t n, size_t to);

#endif
