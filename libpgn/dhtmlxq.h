/* dhtmlxq.h - names of DhtmlXQ's tags, for its reader and its writer. */
#ifndef PGN_DHTMLXQ_H
#define PGN_DHTMLXQ_H

#include "engine/pos.h"

typedef struct pgn_dhtmlxq_name {
    const char *theirs, *ours;
    unsigned number; /* in DHJHtmlXQ, 0: none */
} pgn_dhtmlxq_name;

/* Ended by a row of NULLs. */
extern const pgn_dhtmlxq_name pgn_dhtmlxq_names[];

/* Kinds of the pieces of `binit` in their order, 16 a side, Red's first. */
extern const uint8_t pgn_dhtmlxq_kinds[16];

#endif
