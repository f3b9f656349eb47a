/* repair_path.h - the ways on which text is encoded twice, back and forth. */
#ifndef PGN_REPAIR_PATH_H
#define PGN_REPAIR_PATH_H

#include "libpgn/repair.h"

/* Was it UTF-8? */
bool pgn_path_was_utf8(pgn_damage d);
/* Was it read in Latin-1 (or Windows-1252)? */
bool pgn_path_was_latin1(pgn_damage d);
/* Were both read in the same wrong encoding? */
bool pgn_path_same_reader(pgn_damage a, pgn_damage b);

/* Append to *bytes what the text was before it was read wrongly, a byte FF
 * (which no encoding here uses) for each character that nothing was read as.
 * *sure: there was none.  Memory: bytes->failed. */
void pgn_path_bytes(pgn_damage d, xq_str text, pgn_buf *bytes, bool *sure);
/* Append to *text what those bytes say, U+FFFD where nothing; false when
 * there was such a place. */
bool pgn_path_text(pgn_damage d, const pgn_buf *bytes, pgn_buf *text);
/* Is `wrong` what becomes of `text` on this way, whose bytes are these?
 * *scratch is overwritten. */
bool pgn_path_leads(pgn_damage d, xq_str text, const pgn_buf *bytes,
                    xq_str wrong, pgn_buf *scratch);

#endif
