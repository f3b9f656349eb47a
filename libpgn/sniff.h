/* sniff.h - which of the binary and XML kinds a file is, by its bytes.
 *
 * Text without such marks (PGN, move lists) is judged by split.c. */
#ifndef PGN_SNIFF_H
#define PGN_SNIFF_H

#include "libpgn/split.h"

/* For messages: what pgn_sniff looks for. */
#define PGN_SNIFFED_KINDS                                                      \
    "XQF, CBR, CBL, CBF, PFC, QQ CHE, CHN/XQI, CCM, MXQ, XGF, XQR"

/* The first n bytes of a file, all of it when it is shorter than 1 MiB.
 * PGN_FMT_UNKNOWN: none of them. */
pgn_format pgn_sniff(const uint8_t *s, size_t n);

/* There are no lines of text: places in the file are bytes alone. */
bool pgn_format_is_binary(pgn_format f);
/* Hard boundaries of PGN mean nothing in it; cut before records, if at all. */
bool pgn_format_is_whole(pgn_format f);

/* What a record of CCBridge (single, or in a library) begins with. */
#define PGN_CBR_MAGIC   "CCBridge Record" /* and a NUL */
#define PGN_CBR_MAGIC_N ((size_t)16)

/* The next record of a CCBridge library at or behind s[from]; n: none. */
size_t pgn_record_next(const uint8_t *s, size_t n, size_t from);
/* The last place in s[0..to) where a segment may be cut, 0: none.  What stands
 * before `from` was looked at already. */
size_t pgn_record_last(pgn_format f, const uint8_t *s, size_t from, size_t to);

#endif
