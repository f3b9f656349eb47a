/* xengine.c - another engine as a program: started, asked who it is, restarted.
 */
#include "tools/xengine_parts.h"

#include "tools/command_words.h"

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

static xq_status take_name(xengine *e, xq_str rest, xq_err *err)
{
    while (rest.n && rest.s[rest.n - 1] == ' ')
        rest.n--;
    if (e->name || rest.n == 0)
        return XQ_OK;
    e->name = strndup(rest.s, rest.n);
    return e->name ? XQ_OK : xq_fail(err, XQ_ENOMEM, "out of memory");
}

/* What programs that do not know the word "uci" say. */
static bool is_refusal(xq_str line)
{
    return engine_begins(line, "Error", NULL) ||
           engine_begins(line, "Illegal", NULL) ||
           engine_begins(line, "Unknown", NULL);
}

/* UCI or UCCI: everything up to the closing word.  A wrapper may print what it
 * likes before.  XQ_ENOTFOUND: it does not speak so. */
static xq_status hear_hello(xengine *e, xq_err *err)
{
    const uint64_t until = child_now() + xe_start_ms(e);
    xq_str line, rest;
    xq_status rc, ok = XQ_OK;
    while ((rc = child_hear(&e->c, until, &line)) == XQ_OK && ok == XQ_OK) {
        /* One that was asked in both dialects may answer the first late. */
        if (engine_begins(line, "uciok", NULL) ||
            engine_begins(line, "ucciok", NULL)) {
            e->dialect = engine_begins(line, "uciok", NULL) ? XE_UCI : XE_UCCI;
            return XQ_OK;
        }
        if (engine_begins(line, "id", &rest) &&
            engine_begins(rest, "name", &rest))
            ok = take_name(e, rest, err);
        else if (engine_begins(line, "option", NULL))
            ok = xe_offer_add(e, line, err);
        else if (is_refusal(line))
            return XQ_ENOTFOUND;
    }
    if (ok != XQ_OK)
        return ok;
    if (rc == XQ_DONE || rc == XQ_ENOMEM)
        return xe_unheard(rc, 0, err);
    return XQ_ENOTFOUND;
}

static xq_status hello(xengine *e, xengine_dialect d, xq_err *err)
{
    xq_status rc = XQ_OK;
    if (!child_is_running(&e->c))
        rc = child_start(&e->c, e->words, err);
    if (rc != XQ_OK)
        return rc;
    e->dialect = d;
    if (d == XE_CECP)
        return xe_cecp_hello(e, err);
    if (!child_say(&e->c, d == XE_UCI ? "uci" : "ucci"))
        return XQ_ENOTFOUND;
    return hear_hello(e, err);
}

static xq_status ask_who(xengine *e, xq_err *err)
{
    for (int d = XE_UCI; d <= XE_CECP; d++) {
        const xq_status rc = hello(e, (xengine_dialect)d, err);
        if (rc != XQ_ENOTFOUND)
            return rc;
        /* Some end at a word they do not know. */
        xq_str line;
        while (child_hear(&e->c, child_now(), &line) == XQ_OK)
            ;
        if (child_hear(&e->c, child_now() + 50, &line) == XQ_EIO)
            child_kill(&e->c);
    }
    return xq_fail(err, XQ_EIO,
                   "'%s' answers neither to UCI nor to UCCI nor to CECP",
                   e->words[0]);
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

const char *xengine_name(const xengine *e)
{
    return e->name ? e->name : e->words[0];
}

const char *xengine_protocol(const xengine *e)
{
    static const char *const NAMES[] = {"uci", "ucci", "cecp"};
    return NAMES[e->dialect];
}

/* ---- asking, and starting again ---- */

static xq_status start_again(xengine *e, xq_err *err)
{
    xq_status rc = hello(e, e->dialect, err);
    if (rc == XQ_ENOTFOUND)
        rc = xq_fail(err, XQ_EIO, "the engine does not start again");
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
