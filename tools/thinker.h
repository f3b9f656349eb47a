/* thinker.h - who is asked about positions: our own engine, or another's.
 *
 *   const thinker_options o = {.nodes = 100000, .multipv = 2};
 *   thinker *t;
 *   thinker_open(&t, &o, &err);
 *   thinker_ask(t, &p, &a, &err);       a: analysis.h, about p itself
 *   thinker_close(t);
 *
 * The answer is the same whatever was asked before, where the limit is nodes or
 * depth and the engine is deterministic: its memory is cleared each time.
 *
 * Mates.  Our own engine, when it has found one, looks for a shorter one until
 * there is none within the limit.  Another engine's is believed when its line
 * ends in it, or when our own engine finds it; otherwise the position is worth
 * what the engine said before, and `claim` keeps what it claimed.
 *
 * An engine that plays a forced move without a word is asked about the position
 * behind it.
 *
 * Threads: one at a time per thinker; each thread has its own. */
#ifndef THINKER_H
#define THINKER_H

#include "tools/analysis.h"

typedef struct thinker thinker;

typedef struct thinker_options {
    const char *engine;         /* command line; NULL: our own engine */
    const char *const *options; /* NAME=VALUE, for `engine` */
    size_t noptions;
    unsigned timeout; /* seconds any answer of `engine` may take (xengine.h) */
    /* Exactly one of these. */
    unsigned depth;
    uint64_t nodes, movetime; /* movetime: ms */
    unsigned multipv;         /* lines wanted, 1 to ANALYSIS_LINES */
    size_t hash;              /* bytes of the hash table; 0: 16 MiB */
} thinker_options;

/* XQ_EIO: the engine cannot be started or does not speak; XQ_ESYNTAX: it does
 * not offer an option, or not that value; XQ_ENOMEM. */
xq_status thinker_open(thinker **t, const thinker_options *o, xq_err *err);

/* Who it is and how it is asked, in one line: what changes this line changes
 * the answers.  Valid until thinker_close. */
const char *thinker_identity(const thinker *t);
/* Its name, for people. */
const char *thinker_name(const thinker *t);

/* Ask about p as it stands (analysis_frame).  XQ_OK with a->state DONE, OVER,
 * or FAILED: then *err says why, and the next question may be asked. XQ_ENOMEM;
 * XQ_DONE: interrupted (cli.h). */
xq_status thinker_ask(thinker *t, const xq_pos *p, analysis *a, xq_err *err);

/* From any thread: let the search under way end soon, whose answer then means
 * nothing.  (One that is about to begin may miss it: say it until it is idle.)
 * Another engine needs no such word: it is not listened to any more. */
void thinker_stop(thinker *t);

void thinker_close(thinker *t);

#endif
