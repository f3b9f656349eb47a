/* ucci.c - what UCCI has for itself.  Source: UCCI 3.0. */
#include "engine/uci_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- go [ponder | draw] {depth | nodes | time ...} ---- */

/* "depth N", "time T"...: false when it is no limit. */
static bool set_limit(xq_session *s, xq_str name, uint64_t v)
{
    xq_limits *const l = &s->job.lim;
    const unsigned own = s->game.now.side, other = own ^ 1;
    const uint64_t unit = s->set.millisec ? 1 : 1000;
    if (xq_word_is(name, "depth")) {
        l->depth = v < XQ_MAX_PLY ? (unsigned)v : XQ_MAX_PLY;
        s->job.evaluate = v == 0;
    } else if (xq_word_is(name, "nodes"))
        l->nodes = v ? v : 1;
    else if (xq_word_is(name, "time"))
        l->clock[own] = xq_job_ms(v, unit);
    else if (xq_word_is(name, "opptime"))
        l->clock[other] = xq_job_ms(v, unit);
    else if (xq_word_is(name, "increment"))
        l->inc[own] = v ? xq_job_ms(v, unit) : 0;
    else if (xq_word_is(name, "oppincrement"))
        l->inc[other] = v ? xq_job_ms(v, unit) : 0;
    else if (xq_word_is(name, "movestogo"))
        l->moves_to_go = v < 10000 ? (unsigned)v : 10000;
    else if (!xq_word_is(name, "oppmovestogo"))
        return false;
    return true;
}

static bool is_limit(xq_str word)
{
    static const char *const LIMITS[] = {
        "depth",     "nodes",        "time",      "opptime",
        "increment", "oppincrement", "movestogo", "oppmovestogo",
    };
    for (size_t i = 0; i < sizeof LIMITS / sizeof *LIMITS; i++)
        if (xq_word_is(word, LIMITS[i]))
            return true;
    return false;
}

static void go(xq_session *s, xq_str rest)
{
    bool unreadable = false;
    xq_str word, value;
    xq_job_clear(s);
    while (xq_word(&rest, &word)) {
        xq_str behind = rest;
        uint64_t v = 0;
        const bool more = xq_word(&behind, &value);
        if (is_limit(word) && more && xq_word_number(value, &v)) {
            set_limit(s, word, v);
            rest = behind;
        } else if (is_limit(word) && more && xq_word_is(value, "infinite")) {
            s->job.lim.infinite = true;
            rest = behind;
        } else if (is_limit(word)) {
            xq_note(s, "error: go: no number behind '%s'", xq_show(word).s);
            unreadable = true;
        } else if (xq_word_is(word, "ponder")) {
            s->job.lim.ponder = true;
        } else if (xq_word_is(word, "draw")) {
            s->draw_offered = true;
        } else if (xq_word_is(word, "infinite")) {
            s->job.lim.infinite = true;
        } else {
            xq_note(s, "error: go: '%s' is unknown", xq_show(word).s);
            unreadable = true;
        }
    }
    xq_job_start(s, unreadable);
}

/* ---- answers ---- */

/* Plain numbers; a mate is XQ_MATE less the plies to it.  Bounds cannot be
 * said, so lines that are one are left out. */
static void info(xq_session *s, const xq_info *i)
{
    char pv[6 * XQ_MAX_PLY + 4] = "", line[24] = "";
    size_t n = 0;
    if (i->bound != 0)
        return;
    if (i->npv > 0)
        n = (size_t)snprintf(pv, sizeof pv, " pv");
    for (unsigned k = 0; k < i->npv && n + 6 < sizeof pv; k++) {
        pv[n++] = ' ';
        xq_move_format(i->pv[k], pv + n);
        n += 4;
    }
    if (i->depth > 0)
        xq_say(s, "info time %" PRIu64 " nodes %" PRIu64, i->ms, i->nodes);
    if (s->search_set.multipv > 1) /* not in the specification, and asked for */
        snprintf(line, sizeof line, " multipv %u", i->multipv);
    xq_say(s, "info depth %u%s score %d%s", i->depth, line, i->score, pv);
}

/* A draw is accepted by who does not think to stand better. */
static void best(xq_session *s, const xq_answer *a)
{
    char move[5], ponder[5];
    if (a->best == XQ_NOMOVE) {
        xq_say(s, "nobestmove");
        return;
    }
    const char *const draw =
        s->draw_offered && a->depth > 0 && a->score <= 0 ? " draw" : "";
    xq_move_format(a->best, move);
    if (a->ponder == XQ_NOMOVE) {
        xq_say(s, "bestmove %s%s", move, draw);
        return;
    }
    xq_move_format(a->ponder, ponder);
    xq_say(s, "bestmove %s ponder %s%s", move, ponder, draw);
}

/* ---- commands ---- */

/* "NAME [VALUE]"; the value may hold blanks. */
static bool option(xq_session *s, xq_str rest, xq_str *name, xq_str *value)
{
    if (!xq_word(&rest, name)) {
        xq_note(s, "error: setoption: the option's name is missing");
        return false;
    }
    *value = xq_trim(rest);
    return true;
}

static void ban(xq_session *s, xq_str rest)
{
    xq_str word;
    free(s->banned);
    s->nbanned = xq_read_moves(s, &rest, "banmoves", &s->banned);
    if (xq_word(&rest, &word))
        xq_note(s, "error: banmoves: '%s' is no move", xq_show(word).s);
}

/* "pophash [bestmove M] [lowerbound B depth D] [upperbound A depth D]": what
 * the hash table holds of a position, which stays apart from that of the
 * game. */
static void probe(xq_session *s, xq_str rest)
{
    xq_game g = {0};
    xq_recall r;
    xq_err err;
    char best[24] = "", lower[48] = "", upper[48] = "", move[5];
    unsigned flags;
    if (xq_game_read(&g, rest, &flags, &err) != XQ_OK) {
        xq_note(s, "error: probe: %s", err.msg);
        return;
    }
    xq_search_recall(s->search, &g.now, &r);
    free(g.moves);
    if (r.move != XQ_NOMOVE) {
        xq_move_format(r.move, move);
        snprintf(best, sizeof best, " bestmove %s", move);
    }
    if (r.lower)
        snprintf(lower, sizeof lower, " lowerbound %d depth %u", r.score,
                 r.depth);
    if (r.upper)
        snprintf(upper, sizeof upper, " upperbound %d depth %u", r.score,
                 r.depth);
    xq_say(s, "pophash%s%s%s", best, lower, upper);
}

static bool command(xq_session *s, xq_str word, xq_str rest)
{
    if (xq_word_is(word, "banmoves"))
        ban(s, rest);
    else if (xq_word_is(word, "probe"))
        probe(s, rest);
    else
        return false;
    return true;
}

static void idle_stop(xq_session *s) { xq_say(s, "nobestmove"); }
static void bye(xq_session *s) { xq_say(s, "bye"); }

const xq_dialect xq_dialect_ucci = {
    .note = "info message",
    .ucci = true,
    .command = command,
    .go = go,
    .option = option,
    .info = info,
    .best = best,
    .idle_stop = idle_stop,
    .bye = bye,
};
