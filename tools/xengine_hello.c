/* xengine_hello.c - which protocol an engine speaks, what it is called, and
 * what it offers.
 *
 * Each protocol has a process of its own, which hears its own greeting and no
 * other: some programs know several and would change over, some end at a word
 * they do not know, some take long to start.  The second process is started
 * when the first has been silent for a while, the third likewise, and the first
 * answer counts. */
#include "tools/xengine_parts.h"

#include "tools/engine_name.h"

#include <stdlib.h>
#include <string.h>

/* How long it is waited before another protocol is tried; and when the program
 * has said that it does not know the word. */
enum { NEXT_MS = 5000, REFUSED_MS = 300 };
/* CECP: one that has features and does not say when they are complete. */
enum { FEATURES_MS = 2000 };
/* Several are listened to in turns. */
enum { TURN_MS = 20 };

struct caller {
    xengine e; /* of this protocol; setup and words are another's */
    bool over; /* it has ended, or its time has */
    bool refused;
    uint64_t until;
    bool any, delayed; /* CECP: features; more of them will come late */
    uint64_t heard;    /* ...the last ones */
};

/* ---- one ---- */

static xq_status begin(struct caller *c, const xengine *e, xengine_dialect d,
                       xq_err *err)
{
    static const char *const GREETINGS[] = {"uci", "ucci",
                                            "xboard\nprotover 2"};
    c->e = (xengine){.setup = e->setup,
                     .words = e->words,
                     .dialect = d,
                     .c = {.to = -1, .from = -1, .leash = -1}};
    c->until = child_now() + xe_limit_ms(e);
    const xq_status rc = child_start(&c->e.c, e->words, err);
    c->over = rc != XQ_OK || !child_say(&c->e.c, GREETINGS[d]);
    return rc;
}

static void end(struct caller *c)
{
    child_kill(&c->e.c);
    c->over = true;
}

static void forget(struct caller *c)
{
    child_kill(&c->e.c);
    xe_offers_free(&c->e);
    free(c->e.name);
}

static xq_status take_name(xengine *e, xq_str said, xq_err *err)
{
    if (e->name)
        return XQ_OK;
    e->name = engine_name(said);
    if (!e->name)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    if (!*e->name) {
        free(e->name);
        e->name = NULL;
    }
    return XQ_OK;
}

/* What programs that do not know a word say; others say it of their own
 * troubles, so it proves nothing. */
static bool is_refusal(xq_str line)
{
    return engine_begins(line, "Error", NULL) ||
           engine_begins(line, "Illegal", NULL) ||
           engine_begins(line, "Unknown", NULL);
}

static xq_status take_uci(struct caller *c, xq_str line, bool *done,
                          xq_err *err)
{
    xq_str rest;
    *done =
        engine_begins(line, c->e.dialect == XE_UCI ? "uciok" : "ucciok", NULL);
    if (engine_begins(line, "id", &rest) && engine_begins(rest, "name", &rest))
        return take_name(&c->e, rest, err);
    if (engine_begins(line, "option", NULL))
        return xe_offer_add(&c->e, line, err);
    return XQ_OK;
}

static xq_status take_cecp(struct caller *c, xq_str line, bool *done,
                           xq_err *err)
{
    xq_str rest, name, value;
    xq_status rc = XQ_OK;
    if (!engine_begins(line, "feature", &rest))
        return XQ_OK;
    c->any = true;
    c->heard = child_now();
    while (rc == XQ_OK && xe_cecp_feature(&rest, &name, &value)) {
        if (xq_str_eq(name, xq_str_of("option"))) {
            rc = xe_offer_add(&c->e, value, err);
        } else if (xq_str_eq(name, xq_str_of("myname"))) {
            rc = take_name(&c->e, value, err);
        } else if (xq_str_eq(name, xq_str_of("done"))) {
            *done = xq_str_eq(value, xq_str_of("1"));
            c->delayed = !*done;
        }
    }
    return rc;
}

/* Listen for a moment.  XQ_OK: it has said hello; XQ_ELIMIT: not yet;
 * XQ_EIO: it has ended. */
static xq_status hear(struct caller *c, xq_err *err)
{
    const uint64_t turn = child_now() + TURN_MS;
    xq_str line;
    xq_status rc = XQ_ELIMIT;
    bool done = false;
    while (child_now() < turn && !done &&
           (rc = child_hear(&c->e.c, turn, &line)) == XQ_OK) {
        c->refused |= is_refusal(line);
        rc = c->e.dialect == XE_CECP ? take_cecp(c, line, &done, err)
                                     : take_uci(c, line, &done, err);
        if (rc != XQ_OK)
            return rc;
    }
    if (done)
        return XQ_OK;
    if (rc == XQ_OK)
        rc = XQ_ELIMIT;
    if (rc == XQ_ELIMIT && c->any &&
        child_now() >= (c->delayed ? c->until : c->heard + FEATURES_MS))
        return XQ_OK;
    return rc;
}

/* ---- all ---- */

/* Hear all that are there, once.  *which: who has said hello. */
static xq_status hear_all(struct caller *v, unsigned n, unsigned *which,
                          bool *late, xq_err *err)
{
    for (unsigned i = 0; i < n; i++) {
        if (v[i].over)
            continue;
        const xq_status rc = hear(&v[i], err);
        *which = i;
        if (rc == XQ_OK || rc == XQ_ENOMEM)
            return rc;
        if (rc == XQ_DONE)
            return XQ_DONE;
        if (rc == XQ_EIO) {
            end(&v[i]);
        } else if (child_now() >= v[i].until) {
            end(&v[i]);
            *late = true;
        }
    }
    return XQ_ELIMIT;
}

static bool all_over(const struct caller *v, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (!v[i].over)
            return false;
    return true;
}

static xq_status call(struct caller *v, const xengine *e, xengine_dialect first,
                      unsigned most, unsigned *which, xq_err *err)
{
    const uint64_t limit = xe_limit_ms(e),
                   wait = e->setup.patience ? e->setup.patience : NEXT_MS;
    unsigned n = 0;
    uint64_t due = 0;
    bool late = false;
    for (;;) {
        if (n < most && child_now() >= due) {
            const xq_status rc =
                begin(&v[n], e, (xengine_dialect)(first + n), err);
            if (rc != XQ_OK && (n == 0 || rc == XQ_ENOMEM))
                return rc;
            n++;
            due = child_now() + (wait < limit ? wait : limit);
        }
        xq_status rc = hear_all(v, n, which, &late, err);
        if (rc != XQ_ELIMIT)
            return rc == XQ_ENOMEM ? xe_unheard(rc, 0, err) : rc;
        if (n == most && all_over(v, n))
            return late ? XQ_ELIMIT : XQ_ENOTFOUND;
        if (v[n - 1].over)
            due = 0;
        else if (v[n - 1].refused && due > child_now() + REFUSED_MS)
            due = child_now() + REFUSED_MS;
    }
}

xq_status xe_hello(xengine *e, xengine_dialect first, xengine_dialect last,
                   xq_err *err)
{
    const unsigned most = (unsigned)(last - first) + 1;
    unsigned which = 0;
    struct caller *v = calloc(most, sizeof *v);
    if (!v)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    for (unsigned i = 0; i < most; i++)
        v[i].e.c = (child){.to = -1, .from = -1, .leash = -1};
    const xq_status rc = call(v, e, first, most, &which, err);
    if (rc == XQ_OK) { /* e is that one from now on, under its first name */
        xengine *from = &v[which].e;
        child_kill(&e->c);
        e->c = from->c;
        from->c = (child){.to = -1, .from = -1, .leash = -1};
        e->dialect = from->dialect;
        xe_offers_free(e);
        e->offers = from->offers;
        e->noffers = from->noffers;
        from->offers = NULL;
        from->noffers = 0;
        if (!e->name) {
            e->name = from->name;
            from->name = NULL;
        }
    }
    for (unsigned i = 0; i < most; i++)
        forget(&v[i]);
    free(v);
    if (rc == XQ_OK && e->dialect == XE_CECP)
        return xe_cecp_begin(e, err);
    return rc;
}
