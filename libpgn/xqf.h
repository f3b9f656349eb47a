/* xqf.h - the layout of XQF, which its reader and its writer share. */
#ifndef PGN_XQF_H
#define PGN_XQF_H

#include "engine/pos.h"

enum { PGN_XQF_HEADER = 0x400, PGN_XQF_FIELDS = 11, PGN_XQF_TYPES = 4 };

/* A string of the header: a length byte, then room for `most` bytes. */
typedef struct pgn_xqf_field {
    uint16_t at;
    uint8_t most;
    const char *tag;
} pgn_xqf_field;

extern const pgn_xqf_field pgn_xqf_fields[PGN_XQF_FIELDS];
/* Values of the tag Type by the byte at 0x40; 0, a full game, has none. */
extern const char *const pgn_xqf_types[PGN_XQF_TYPES];
/* Kinds of 16 pieces of a side in the order of the header. */
extern const uint8_t pgn_xqf_slots[16];

#endif
