/* xengine_parts.h - what the files of xengine.h share.
 *
 *   xengine.c           starts, asks who is there, restarts
 *   xengine_identity.c  who it is, for the cache
 *   xengine_answer.c    what it says while it searches, and its answer
 *   xengine_options.c   what is offered, and setting it
 *   xengine_uci.c       questions by UCI and UCCI
 *   xengine_cecp.c      questions by CECP */
#ifndef XENGINE_PARTS_H
#define XENGINE_PARTS_H

#include "tools/child.h"
#include "tools/engine_lines.h"
#include "tools/xengine.h"

#include <time.h>

typedef enum xengine_dialect { XE_UCI, XE_UCCI, XE_CECP } xengine_dialect;

/* An option it offers; the texts of `o` stand in `line`, ours. */
struct xe_offer {
    char *line;
    engine_option o;
};

/* A file as it was; not a regular one: it was not there. */
struct xe_file {
    bool regular;
    off_t size;
    struct timespec time;
};

struct xengine {
    xengine_setup setup;
    char **words; /* of the command */
    size_t nwords;
    struct xe_file *files; /* of words, then options, before it was started */
    child c;
    xengine_dialect dialect;
    engine_ranks ranks;
    char *name; /* NULL: it has not said one */
    struct xe_offer *offers;
    size_t noffers;
    unsigned failures; /* in a row */
    uint64_t pings;    /* CECP */
    /* What the search spoke of last, when it is no score yet; n is 0: nothing,
     * or its score came. */
    analysis_line bound;
};

/* How long it may take to start, to be ready, to stop: ms. */
enum { XE_START_MS = 5000, XE_READY_MS = 10000, XE_STOP_MS = 2000 };
/* One that is up and does not know the first protocol takes less for others. */
static inline unsigned xe_start_ms(const xengine *e)
{
    const unsigned ms = e->setup.patience ? e->setup.patience : XE_START_MS;
    return e->dialect == XE_UCI ? ms : ms / 2;
}

/* Look at the files that words and options name, before it is started. */
xq_status xe_files_look(xengine *e, xq_err *err);

/* Remember an offered option (an engine that is started again offers it
 * again). */
xq_status xe_offer_add(xengine *e, xq_str line, xq_err *err);
void xe_offers_free(xengine *e);
bool xe_offers(const xengine *e, const char *name);
/* Send the user's options and ours.  XQ_ESYNTAX names what is not offered. */
xq_status xe_options_send(xengine *e, xq_err *err);

/* Its silence or end as an error: "no answer within 5 s", "has ended". */
xq_status xe_unheard(xq_status heard, uint64_t ms, xq_err *err);

/* Fill in what an info says of its line. */
void xe_take_info(xengine *e, const engine_info *info, const xq_pos *p,
                  analysis *a, xengine_said *said);
/* The answer is there.  `best` is it, and the first line will begin with it
 * (best.n is 0: it gave none, and the lines are what there is). */
xq_status xe_finish(const xengine *e, xq_str best, const xq_pos *p, analysis *a,
                    xq_err *err);

xq_status xe_uci_ask(xengine *e, const xq_pos *p, analysis *a,
                     xengine_said *said, xq_err *err);
/* Which ranks?  Asked once. */
xq_status xe_uci_probe(xengine *e, xq_err *err);

/* CECP: introduce ourselves, read the features. */
xq_status xe_cecp_hello(xengine *e, xq_err *err);
xq_status xe_cecp_ask(xengine *e, const xq_pos *p, analysis *a,
                      xengine_said *said, xq_err *err);
xq_status xe_cecp_probe(xengine *e, xq_err *err);

#endif
