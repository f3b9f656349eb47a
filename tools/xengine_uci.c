/* xengine_uci.c - questions by UCI and UCCI. */
#include "tools/xengine_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool hear_ready(xengine *e, xq_str line, void *arg)
{
    (void)e, (void)arg;
    return engine_begins(line, "readyok", NULL);
}

/* It forgets the game and says that it is ready; what it still had to say of an
 * earlier question is thrown away. */
static xq_status get_ready(xengine *e, xq_err *err)
{
    const uint64_t ms = xe_limit_ms(e);
    if (e->dialect == XE_UCI)
        child_say(&e->c, "ucinewgame");
    else if (xe_offers(e, "newgame"))
        child_say(&e->c, "setoption newgame");
    if (!child_say(&e->c, "isready"))
        return xe_unheard(XQ_EIO, 0, err);
    const xq_status rc = xe_await(e, ms, NULL, hear_ready, NULL);
    return rc == XQ_OK ? XQ_OK : xe_unheard(rc, ms, err);
}

static bool say_position(xengine *e, const xq_pos *p)
{
    char fen[XQ_FEN_MAX], text[XQ_FEN_MAX + 32];
    xq_fen_format(p, fen);
    snprintf(text, sizeof text, "position fen %s", fen);
    return child_say(&e->c, text);
}

static bool say_go(xengine *e)
{
    const xengine_setup *s = &e->setup;
    char text[80];
    if (s->depth)
        snprintf(text, sizeof text, "go depth %u", s->depth);
    else if (s->nodes)
        snprintf(text, sizeof text, "go nodes %" PRIu64, s->nodes);
    else if (e->dialect == XE_UCI)
        snprintf(text, sizeof text, "go movetime %" PRIu64, s->movetime);
    else /* a clock that is given anew for each move; without the option
            usemillisec UCCI counts seconds */
        snprintf(text, sizeof text, "go time %" PRIu64 " movestogo 1",
                 xe_offers(e, "usemillisec") ? s->movetime
                                             : (s->movetime + 999) / 1000);
    return child_say(&e->c, text);
}

static bool hear_answer(xengine *e, xq_str line, void *arg)
{
    xe_question *const q = arg;
    engine_info info;
    if (engine_read_info(line, &info)) {
        xe_take_info(e, &info, q->p, q->a, q->said);
        return false;
    }
    q->best = (xq_str){NULL, 0};
    const engine_answer answer = engine_read_best(line, &q->best);
    if (answer == ENGINE_NO_MOVE)
        q->best = (xq_str){NULL, 0};
    return answer != ENGINE_NO_ANSWER;
}

xq_status xe_uci_ask(xengine *e, const xq_pos *p, analysis *a,
                     xengine_said *said, xq_err *err)
{
    const uint64_t ms = xe_limit_ms(e) + e->setup.movetime;
    xe_question q = {p, a, said, {NULL, 0}};
    xq_status rc = get_ready(e, err);
    if (rc != XQ_OK)
        return rc;
    if (!say_position(e, p) || !say_go(e))
        return xe_unheard(XQ_EIO, 0, err);
    rc = xe_await(e, ms, "stop", hear_answer, &q);
    if (rc != XQ_OK)
        return xe_unheard(rc, ms, err);
    return xe_finish(e, q.best, p, a, said, err);
}

/* ---- which ranks ---- */

/* arg: are they known? */
static bool hear_ranks(xengine *e, xq_str line, void *arg)
{
    bool *const known = arg;
    xq_str best, pv;
    engine_info info;
    if (engine_read_info(line, &info)) {
        pv = info.pv;
        *known = *known || xe_read_ranks(e, engine_word(&pv));
        return false;
    }
    const engine_answer answer = engine_read_best(line, &best);
    if (answer == ENGINE_MOVE)
        *known = *known || xe_read_ranks(e, best);
    return answer != ENGINE_NO_ANSWER;
}

xq_status xe_uci_probe(xengine *e, xq_err *err)
{
    xq_pos p;
    bool known = false;
    xq_pos_start(&p);
    xq_status rc = get_ready(e, err);
    if (rc != XQ_OK)
        return rc;
    if (!say_position(e, &p) || !child_say(&e->c, "go depth 1"))
        return xe_unheard(XQ_EIO, 0, err);
    rc = xe_await(e, xe_limit_ms(e), "stop", hear_ranks, &known);
    if (rc != XQ_OK && rc != XQ_EIO)
        return xe_unheard(rc, xe_limit_ms(e), err);
    if (!known)
        return xe_no_ranks(err);
    if (rc == XQ_EIO)
        child_kill(&e->c); /* it will be started again */
    return XQ_OK;
}
