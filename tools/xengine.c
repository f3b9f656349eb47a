/* xengine.c - another engine as a program: opened, asked, restarted. */
#include "tools/xengine_parts.h"

#include "tools/command_words.h"
#include "tools/engine_name.h"

#include <stdlib.h>
#include <string.h>

xq_status xe_unheard(xq_status heard, uint64_t ms, xq_err *err)
{
    switch (heard) {
    case XQ_ELIMIT:
        return xq_fail(err, XQ_EIO, "the engine gave no answer within %llu s",
                       (unsigned long long)((ms + 999) / 1000));
    case XQ_ENOMEM:
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    case XQ_DONE:
        return XQ_DONE;
    default:
        return xq_fail(err, XQ_EIO, "the engine has ended");
    }
}

/* ---- who is there ---- */

static xq_status ask_who(xengine *e, xq_err *err)
{
    const xq_status rc = xe_hello(e, XE_UCI, XE_CECP, err);
    if (rc == XQ_ELIMIT)
        return xq_fail(err, XQ_EIO,
                       "'%s' answers neither to UCI nor to UCCI nor to CECP "
                       "within %u s",
                       e->words[0], e->setup.timeout);
    if (rc == XQ_ENOTFOUND)
        return xq_fail(err, XQ_EIO,
                       "'%s' answers neither to UCI nor to UCCI nor to CECP",
                       e->words[0]);
    if (rc != XQ_OK || e->name)
        return rc;
    e->name = engine_name(xq_str_of(e->words[0]));
    return e->name ? XQ_OK : xq_fail(err, XQ_ENOMEM, "out of memory");
}

/* ---- limits ---- */

static xq_status check_limits(const xengine *e, xq_err *err)
{
    if (e->dialect == XE_CECP && e->setup.nodes)
        return xq_fail(err, XQ_ESYNTAX,
                       "the engine speaks CECP, which has no limit of nodes: "
                       "use --depth or --movetime");
    return XQ_OK;
}

xq_status xengine_open(xengine **out, const xengine_setup *s, xq_err *err)
{
    xengine *e = calloc(1, sizeof *e);
    if (!e)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    e->setup = *s;
    e->c = (child){.to = -1, .from = -1, .leash = -1};
    xq_status rc = command_words(&e->words, &e->nwords, s->command, err);
    if (rc == XQ_OK)
        rc = xe_files_look(e, err);
    if (rc == XQ_OK)
        rc = ask_who(e, err);
    if (rc == XQ_OK)
        rc = check_limits(e, err);
    if (rc == XQ_OK)
        rc = xe_options_send(e, err);
    if (rc == XQ_OK)
        rc = e->dialect == XE_CECP ? xe_cecp_probe(e, err)
                                   : xe_uci_probe(e, err);
    if (rc != XQ_OK) {
        xengine_close(e);
        return rc;
    }
    *out = e;
    return XQ_OK;
}

void xengine_close(xengine *e)
{
    if (!e)
        return;
    child_kill(&e->c);
    xe_offers_free(e);
    free(e->words);
    free(e->files);
    free(e->name);
    free(e);
}

const char *xengine_name(const xengine *e) { return e->name; }

const char *xengine_protocol(const xengine *e)
{
    static const char *const NAMES[] = {"uci", "ucci", "cecp"};
    return NAMES[e->dialect];
}

/* ---- asking, and starting again ---- */

static xq_status start_again(xengine *e, xq_err *err)
{
    const xq_status rc = xe_hello(e, e->dialect, e->dialect, err);
    if (rc == XQ_ELIMIT)
        return xe_unheard(rc, xe_limit_ms(e), err);
    if (rc == XQ_ENOTFOUND)
        return xq_fail(err, XQ_EIO, "the engine does not start again");
    return rc == XQ_OK ? xe_options_send(e, err) : rc;
}

xq_status xengine_ask(xengine *e, const xq_pos *p, analysis *a,
                      xengine_said *said, xq_err *err)
{
    xq_status rc = XQ_OK;
    a->state = ANALYSIS_FAILED;
    a->nlines = 0;
    a->depth = 0;
    a->nodes = 0;
    a->claim = 0;
    *said = (xengine_said){0};
    e->bound.n = 0;
    if (e->failures >= XENGINE_FAILURES)
        return xq_fail(err, XQ_EIO,
                       "the engine failed %d times in a row and is not started "
                       "again",
                       XENGINE_FAILURES);
    if (!child_is_running(&e->c))
        rc = start_again(e, err);
    if (rc == XQ_OK)
        rc = e->dialect == XE_CECP ? xe_cecp_ask(e, p, a, said, err)
                                   : xe_uci_ask(e, p, a, said, err);
    if (rc == XQ_OK) {
        e->failures = 0;
        return XQ_OK;
    }
    a->state = ANALYSIS_FAILED;
    a->nlines = 0;
    child_kill(&e->c);
    e->failures++;
    return rc == XQ_ESYNTAX ? XQ_EIO : rc;
}
