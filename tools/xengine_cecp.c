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

static xq_status get_ready(xengine *e, xq_err *err)
{
    const uint64_t until = child_now() + xe_limit_ms(e);
    char text[40], wanted[24];
    xq_str line, rest;
    xq_status rc;
    snprintf(wanted, sizeof wanted, "%" PRIu64, ++e->pings);
    snprintf(text, sizeof text, "ping %s", wanted);
    child_say(&e->c, "force");
    if (!child_say(&e->c, text))
        return xe_unheard(XQ_EIO, 0, err);
    while ((rc = child_hear(&e->c, until, &line)) == XQ_OK)
        if (engine_begins(line, "pong", &rest) &&
            engine_begins(rest, wanted, NULL))
            return XQ_OK;
    return xe_unheard(rc, xe_limit_ms(e), err);
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

static xq_status listen(xengine *e, uint64_t until, const xq_pos *p,
                        analysis *a, xengine_said *said, xq_str *best)
{
    xq_str line;
    xq_status rc;
    engine_info info;
    while ((rc = child_hear(&e->c, until, &line)) == XQ_OK) {
        if (engine_read_thinking(line, &info)) {
            xe_take_info(e, &info, p, a, said);
        } else if (engine_begins(line, "move", best)) {
            return XQ_OK;
        } else if (engine_begins(line, "tellusererror", NULL) ||
                   engine_begins(line, "resign", NULL)) {
            *best = (xq_str){NULL, 0};
            return XQ_OK;
        }
    }
    return rc;
}

static xq_status ask(xengine *e, const xq_pos *p, unsigned depth, analysis *a,
                     xengine_said *said, xq_str *best, xq_err *err)
{
    const uint64_t ms = xe_limit_ms(e) + e->setup.movetime;
    xq_status rc = get_ready(e, err);
    if (rc != XQ_OK)
        return rc;
    if (!say_position(e, p) || !say_go(e, depth))
        return xe_unheard(XQ_EIO, 0, err);
    rc = listen(e, child_now() + ms, p, a, said, best);
    if (rc == XQ_ELIMIT && child_say(&e->c, "?")) /* move now */
        rc = listen(e, child_now() + XE_STOP_MS, p, a, said, best);
    return rc == XQ_OK ? XQ_OK : xe_unheard(rc, ms, err);
}

xq_status xe_cecp_ask(xengine *e, const xq_pos *p, analysis *a,
                      xengine_said *said, xq_err *err)
{
    xq_str best;
    const xq_status rc = ask(e, p, e->setup.depth, a, said, &best, err);
    return rc == XQ_OK ? xe_finish(e, best, p, a, said, err) : rc;
}

xq_status xe_cecp_probe(xengine *e, xq_err *err)
{
    xq_pos p;
    xq_str best;
    xq_move m;
    xengine_said said;
    analysis *a = calloc(1, sizeof *a);
    if (!a)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    xq_pos_start(&p);
    xq_status rc = ask(e, &p, 1, a, &said, &best, err);
    free(a);
    if (rc != XQ_OK)
        return rc;
    for (int r = ENGINE_RANKS_0; r <= ENGINE_RANKS_1; r++)
        if (engine_moves(best, (engine_ranks)r, &p, &m, 1) == 1) {
            e->ranks = (engine_ranks)r;
            return XQ_OK;
        }
    return xq_fail(err, XQ_EIO,
                   "the engine makes no legal move in the start position");
}
