/* repair_find.h - what a run is on each way back (repair.h). */
#ifndef PGN_REPAIR_FIND_H
#define PGN_REPAIR_FIND_H

#include "libpgn/repair.h"
#include "libpgn/repair_score.h"

typedef enum pgn_verdict {
    PGN_NO,     /* nothing shows */
    PGN_LOST,   /* damaged, and bytes are missing */
    PGN_WEAK,   /* the way back is exact, what comes out looks no worse */
    PGN_STRONG, /* and better by far */
} pgn_verdict;

/* What a run is on each way back. */
typedef struct pgn_findings {
    pgn_verdict v[PGN_DAMAGES];
    int64_t value[PGN_DAMAGES]; /* what is gained, in all */
    bool likely[PGN_DAMAGES];   /* with few rare characters */
    bool word[PGN_DAMAGES];     /* like Müller: a Western word */
    bool doubted[PGN_DAMAGES];  /* rather UTF-8 with bytes missing */
} pgn_findings;

/* What is to be thought of the run, which looks so, on every way. */
void pgn_find(pgn_repair *rp, xq_str run, const pgn_looks *is, pgn_findings *f);
/* rp->back gets what the run was before d, rp->bytes its bytes then.  False:
 * not all of it is known. */
bool pgn_undo(pgn_repair *rp, pgn_damage d, xq_str run);

#endif
