/* xengine_uci.c - questions by UCI and UCCI. */
#include "tools/xengine_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* It forgets the game and says that it is ready; what it still had to say of an
 * earlier question is thrown away. */
static xq_status get_ready(xengine *e, xq_err *err)
{
    const uint64_t until = child_now() + xe_limit_ms(e);
    xq_str line;
    xq_status rc;
    if (e->dialect == XE_UCI)
        child_say(&e->c, "ucinewgame");
    else if (xe_offers(e, "newgame"))
        child_say(&e->c, "setoption newgame");
    if (!child_say(&e->c, "isready"))
        return xe_unheard(XQ_EIO, 0, err);
    while ((rc = child_hear(&e->c, until, &line)) == XQ_OK)
        if (engine_begins(line, "readyok", NULL))
            return XQ_OK;
    return xe_unheard(rc, xe_limit_ms(e), err);
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

/* Listen until the answer; *best is empty for "no move".  XQ_ELIMIT: none. */
static xq_status listen(xengine *e, uint64_t until, const xq_pos *p,
                        analysis *a, xengine_said *said, xq_str *best)
{
    xq_str line;
    xq_status rc;
    engine_info info;
    while ((rc = child_hear(&e->c, until, &line)) == XQ_OK) {
        if (engine_read_info(line, &info)) {
            xe_take_info(e, &info, p, a, said);
            continue;
        }
        *best = (xq_str){NULL, 0};
        const engine_answer answer = engine_read_best(line, best);
        if (answer == ENGINE_NO_MOVE)
            *best = (xq_str){NULL, 0};
        if (answer != ENGINE_NO_ANSWER)
            return XQ_OK;
    }
    return rc;
}

xq_status xe_uci_ask(xengine *e, const xq_pos *p, analysis *a,
                     xengine_said *said, xq_err *err)
{
    const uint64_t ms = xe_limit_ms(e) + e->setup.movetime;
    xq_str best;
    xq_status rc = get_ready(e, err);
    if (rc != XQ_OK)
        return rc;
    if (!say_position(e, p) || !say_go(e))
        return xe_unheard(XQ_EIO, 0, err);
    rc = listen(e, child_now() + ms, p, a, said, &best);
    if (rc == XQ_ELIMIT && child_say(&e->c, "stop"))
        rc = listen(e, child_now() + XE_STOP_MS, p, a, said, &best);
    if (rc != XQ_OK)
        return xe_unheard(rc, ms, err);
    return xe_finish(e, best, p, a, said, err);
}

/* ---- which ranks ---- */

/* No text is a legal first move both ways: from rank 3 pawns start if ranks
 * count from 0, cannons if from 1, on other files; from rank 0 or 2, and from
 * rank 1 or 4, something starts in one way only. */
static bool read_first_move(xengine *e, xq_str word)
{
    xq_pos p;
    xq_move m;
    xq_pos_start(&p);
    for (int r = ENGINE_RANKS_0; r <= ENGINE_RANKS_1; r++)
        if (engine_moves(word, (engine_ranks)r, &p, &m, 1) == 1) {
            e->ranks = (engine_ranks)r;
            return true;
        }
    return false;
}

static xq_status listen_for_ranks(xengine *e, uint64_t until, bool *known)
{
    xq_str line, best, pv;
    xq_status rc;
    engine_info info;
    while ((rc = child_hear(&e->c, until, &line)) == XQ_OK) {
        if (engine_read_info(line, &info)) {
            pv = info.pv;
            *known = *known || read_first_move(e, engine_word(&pv));
            continue;
        }
        const engine_answer answer = engine_read_best(line, &best);
        if (answer == ENGINE_MOVE)
            *known = *known || read_first_move(e, best);
        if (answer != ENGINE_NO_ANSWER)
            return XQ_OK;
    }
    return rc;
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
    rc = listen_for_ranks(e, child_now() + xe_limit_ms(e), &known);
    if (rc == XQ_ELIMIT && child_say(&e->c, "stop"))
        rc = listen_for_ranks(e, child_now() + XE_STOP_MS, &known);
    if (rc != XQ_OK && rc != XQ_EIO)
        return xe_unheard(rc, xe_limit_ms(e), err);
    if (!known)
        return xq_fail(err, XQ_EIO,
                       "the engine makes no legal move in the start position");
    if (rc == XQ_EIO)
        child_kill(&e->c); /* it will be started again */
    return XQ_OK;
}
