/* xengine_parts.h - what the files of xengine.h share.
 *
 *   xengine.c           opens, asks, starts again
 *   xengine_hello.c     who is there, by which protocol
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
    char *name; /* its own, or its program's */
    struct xe_offer *offers;
    size_t noffers;
    unsigned failures; /* in a row */
    uint64_t pings;    /* CECP */
    /* What the search spoke of last, when it is no score yet; n is 0: nothing,
     * or its score came. */
    analysis_line bound;
};

/* How long any answer may take: ms. */
static inline uint64_t xe_limit_ms(const xengine *e)
{
    return e->setup.timeout * UINT64_C(1000);
}
/* And one after the word to stop, before it is killed. */
enum { XE_STOP_MS = 2000 };

/* Start it and greet it in these protocols; what was heard of an earlier
 * process is forgotten, but for its name.  XQ_ELIMIT: no answer in time;
 * XQ_ENOTFOUND: it ends, whatever it is asked; XQ_EIO: it cannot be
 * started. */
xq_status xe_hello(xengine *e, xengine_dialect first, xengine_dialect last,
                   xq_err *err);

/* Look at the files that words and options name, before it is started. */
xq_status xe_files_look(xengine *e, xq_err *err);

/* Remember an offered option; the first of a name counts. */
xq_status xe_offer_add(xengine *e, xq_str line, xq_err *err);
void xe_offers_free(xengine *e);
bool xe_offers(const xengine *e, const char *name);
/* Send the user's options and ours.  XQ_ESYNTAX names what is not offered. */
xq_status xe_options_send(xengine *e, xq_err *err);

/* Its silence or end as an error: "no answer within 5 s", "has ended". */
xq_status xe_unheard(xq_status heard, uint64_t ms, xq_err *err);

/* Is `line` the last that is waited for? */
typedef bool xe_hear(xengine *e, xq_str line, void *arg);
/* Hear lines until one is, for so many ms; then say `stop`, unless it is NULL,
 * and hear more for XE_STOP_MS.  As child_hear: XQ_ELIMIT, XQ_EIO ... */
xq_status xe_await(xengine *e, uint64_t ms, const char *stop, xe_hear *hear,
                   void *arg);

/* A question, and its answer as far as it is known. */
typedef struct xe_question {
    const xq_pos *p;
    analysis *a;
    xengine_said *said;
    xq_str best; /* the move, as it was written; n is 0: none */
} xe_question;

/* Is it a legal first move, in one count of ranks?  Then that is e's. */
bool xe_read_ranks(xengine *e, xq_str first_move);
/* The error when no move was. */
xq_status xe_no_ranks(xq_err *err);

/* Fill in what an info says of its line. */
void xe_take_info(xengine *e, const engine_info *info, const xq_pos *p,
                  analysis *a, xengine_said *said);
/* The answer is there.  `best` is it, and the first line will begin with it
 * (best.n is 0: it gave none, and the lines are what there is). */
xq_status xe_finish(const xengine *e, xq_str best, const xq_pos *p, analysis *a,
                    xengine_said *said, xq_err *err);

xq_status xe_uci_ask(xengine *e, const xq_pos *p, analysis *a,
                     xengine_said *said, xq_err *err);
/* Which ranks?  Asked once. */
xq_status xe_uci_probe(xengine *e, xq_err *err);

/* CECP: one NAME=VALUE of a feature line; quotes around the value are
 * dropped. */
bool xe_cecp_feature(xq_str *rest, xq_str *name, xq_str *value);
/* It has said hello: ready for questions. */
xq_status xe_cecp_begin(xengine *e, xq_err *err);
xq_status xe_cecp_ask(xengine *e, const xq_pos *p, analysis *a,
                      xengine_said *said, xq_err *err);
xq_status xe_cecp_probe(xengine *e, xq_err *err);

#endif
