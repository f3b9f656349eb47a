/* xengine_cecp.c - questions by CECP, XBoard's protocol, version 2. */
#include "tools/xengine_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- features ---- */

bool xe_cecp_feature(xq_str *rest, xq_str *name, xq_str *value)
{
    xq_str s = *rest;
    while (s.n && (s.s[0] == ' ' || s.s[0] == '\t'))
        s = (xq_str){s.s + 1, s.n - 1};
    const char *eq = s.n ? memchr(s.s, '=', s.n) : NULL;
    if (!eq)
        return false;
    *name = (xq_str){s.s, (size_t)(eq - s.s)};
    xq_str v = {eq + 1, s.n - name->n - 1};
    const bool quoted = v.n && v.s[0] == '"';
    if (quoted)
        v = (xq_str){v.s + 1, v.n - 1};
    const char *end = v.n ? memchr(v.s, quoted ? '"' : ' ', v.n) : NULL;
    *value = (xq_str){v.s, end ? (size_t)(end - v.s) : v.n};
    const size_t used = (size_t)(value->s - s.s) + value->n + (quoted && end);
    *rest = (xq_str){s.s + used, s.n - used};
    return true;
}

xq_status xe_cecp_begin(xengine *e, xq_err *err)
{
    /* Analysis is what is wanted: no thinking on the opponent's time, all lines
     * shown. */
    child_say(&e->c, "new");
    child_say(&e->c, "variant xiangqi");
    child_say(&e->c, "easy");
    return child_say(&e->c, "post") ? XQ_OK : xe_unheard(XQ_EIO, 0, err);
}

/* ---- questions ---- */

/* arg: the number of the ping */
static bool hear_pong(xengine *e, xq_str line, void *arg)
{
    xq_str rest;
    (void)e;
    return engine_begins(line, "pong", &rest) && engine_begins(rest, arg, NULL);
}

static xq_status get_ready(xengine *e, xq_err *err)
{
    const uint64_t ms = xe_limit_ms(e);
    char text[40], wanted[24];
    snprintf(wanted, sizeof wanted, "%" PRIu64, ++e->pings);
    snprintf(text, sizeof text, "ping %s", wanted);
    child_say(&e->c, "force");
    if (!child_say(&e->c, text))
        return xe_unheard(XQ_EIO, 0, err);
    const xq_status rc = xe_await(e, ms, NULL, hear_pong, wanted);
    return rc == XQ_OK ? XQ_OK : xe_unheard(rc, ms, err);
}

/* Four fields, horses and elephants as XBoard has them: rheakaehr. */
static bool say_position(xengine *e, const xq_pos *p)
{
    char fen[XQ_FEN_MAX], text[XQ_FEN_MAX + 32];
    xq_fen_format(p, fen);
    for (char *c = fen; *c && *c != ' '; c++)
        *c = *c == 'n'   ? 'h'
             : *c == 'N' ? 'H'
             : *c == 'b' ? 'e'
             : *c == 'B' ? 'E'
                         : *c;
    snprintf(text, sizeof text, "setboard %.*s %c 0 1", (int)strcspn(fen, " "),
             fen, p->side == XQ_RED ? 'w' : 'b');
    return child_say(&e->c, text);
}

/* With a depth the clock must not end the search. */
static bool say_go(xengine *e, unsigned depth)
{
    const xengine_setup *s = &e->setup;
    char text[40];
    bool ok;
    if (depth) {
        snprintf(text, sizeof text, "sd %u", depth);
        ok = child_say(&e->c, "st 86400") && child_say(&e->c, text);
    } else { /* in seconds */
        snprintf(text, sizeof text, "st %" PRIu64, (s->movetime + 999) / 1000);
        ok = child_say(&e->c, text);
    }
    return ok && child_say(&e->c, "go");
}

static bool hear_answer(xengine *e, xq_str line, void *arg)
{
    xe_question *const q = arg;
    engine_info info;
    if (engine_read_thinking(line, &info)) {
        xe_take_info(e, &info, q->p, q->a, q->said);
        return false;
    }
    if (engine_begins(line, "move", &q->best))
        return true;
    q->best = (xq_str){NULL, 0};
    return engine_begins(line, "tellusererror", NULL) ||
           engine_begins(line, "resign", NULL);
}

static xq_status ask(xengine *e, unsigned depth, xe_question *q, xq_err *err)
{
    const uint64_t ms = xe_limit_ms(e) + e->setup.movetime;
    xq_status rc = get_ready(e, err);
    if (rc != XQ_OK)
        return rc;
    if (!say_position(e, q->p) || !say_go(e, depth))
        return xe_unheard(XQ_EIO, 0, err);
    rc = xe_await(e, ms, "?", hear_answer, q); /* "?": move now */
    return rc == XQ_OK ? XQ_OK : xe_unheard(rc, ms, err);
}

xq_status xe_cecp_ask(xengine *e, const xq_pos *p, analysis *a,
                      xengine_said *said, xq_err *err)
{
    xe_question q = {p, a, said, {NULL, 0}};
    const xq_status rc = ask(e, e->setup.depth, &q, err);
    return rc == XQ_OK ? xe_finish(e, q.best, p, a, said, err) : rc;
}

xq_status xe_cecp_probe(xengine *e, xq_err *err)
{
    xq_pos p;
    xengine_said said;
    analysis *a = calloc(1, sizeof *a);
    if (!a)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    xq_pos_start(&p);
    xe_question q = {&p, a, &said, {NULL, 0}};
    const xq_status rc = ask(e, 1, &q, err);
    free(a);
    if (rc != XQ_OK)
        return rc;
    return xe_read_ranks(e, q.best) ? XQ_OK : xe_no_ranks(err);
}
