/* uci.c - what UCI has for itself. */
#include "engine/uci_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- go ---- */

/* Deeper trees cannot be walked in anyone's lifetime, only overflow. */
#define PERFT_MOST 64

static unsigned at_most(uint64_t v, unsigned most)
{
    return v < most ? (unsigned)v : most;
}

/* A limit and its value; false: it is no limit. */
static bool set_limit(xq_session *s, xq_str name, uint64_t v)
{
    xq_limits *const l = &s->job.lim;
    if (xq_word_is(name, "depth"))
        l->depth = at_most(v ? v : 1, XQ_MAX_PLY);
    else if (xq_word_is(name, "nodes"))
        l->nodes = v ? v : 1;
    else if (xq_word_is(name, "mate"))
        l->mate = at_most(v ? v : 1, XQ_MAX_PLY);
    else if (xq_word_is(name, "movetime"))
        l->movetime = xq_job_ms(v, 1);
    else if (xq_word_is(name, "wtime") || xq_word_is(name, "rtime"))
        l->clock[XQ_RED] = xq_job_ms(v, 1);
    else if (xq_word_is(name, "btime"))
        l->clock[XQ_BLACK] = xq_job_ms(v, 1);
    else if (xq_word_is(name, "winc") || xq_word_is(name, "rinc"))
        l->inc[XQ_RED] = v ? xq_job_ms(v, 1) : 0;
    else if (xq_word_is(name, "binc"))
        l->inc[XQ_BLACK] = v ? xq_job_ms(v, 1) : 0;
    else if (xq_word_is(name, "movestogo"))
        l->moves_to_go = at_most(v, 10000);
    else if (xq_word_is(name, "perft")) {
        if (s->io->max_perft && v > s->io->max_perft)
            v = s->io->max_perft;
        s->job.kind = XQ_JOB_PERFT;
        s->job.perft = at_most(v, PERFT_MOST);
    } else
        return false;
    return true;
}

static void go(xq_session *s, xq_str rest)
{
    static const char *const LIMITS[] = {
        "depth", "nodes", "mate", "movetime", "wtime",     "rtime",
        "btime", "winc",  "rinc", "binc",     "movestogo", "perft",
    };
    bool unreadable = false, searchmoves = false;
    xq_str word;
    xq_job_clear(s);
    while (xq_word(&rest, &word)) {
        bool limit = false;
        for (size_t i = 0; i < sizeof LIMITS / sizeof *LIMITS; i++)
            limit |= xq_word_is(word, LIMITS[i]);
        if (limit) {
            xq_str value, behind = rest;
            uint64_t v;
            if (xq_word(&behind, &value) && xq_word_number(value, &v)) {
                rest = behind;
                set_limit(s, word, v);
            } else {
                xq_note(s, "error: go: no number behind '%s'", xq_show(word).s);
                unreadable = true;
            }
        } else if (xq_word_is(word, "infinite")) {
            s->job.lim.infinite = true;
        } else if (xq_word_is(word, "ponder")) {
            s->job.lim.ponder = true;
        } else if (xq_word_is(word, "searchmoves")) {
            searchmoves = true;
            free(s->job.only); /* of several lists the last counts */
            s->job.lim.nonly =
                xq_read_moves(s, &rest, "searchmoves", &s->job.only);
        } else {
            xq_note(s, "error: go: '%s' is unknown", xq_show(word).s);
            unreadable = true;
        }
    }
    if (searchmoves && s->job.lim.nonly == 0 && xq_has_legal_move(&s->game.now))
        xq_note(s, "error: go: no legal move behind 'searchmoves': all moves "
                   "are searched");
    xq_job_start(s, unreadable);
}

/* ---- answers ---- */

static void format_score(char out[32], int score)
{
    /* Plies to mate are made moves of the side that mates; a side that has no
     * move left is "mate 0". */
    if (XQ_IS_MATE(score))
        snprintf(out, 32, "mate %d", (XQ_MATE - score + 1) / 2);
    else if (XQ_IS_MATED(score))
        snprintf(out, 32, "mate %d", -((XQ_MATE + score + 1) / 2));
    else
        snprintf(out, 32, "cp %d", score);
}

static void format_chances(char out[64], const xq_session *s, int score)
{
    xq_chances c = {0, 0, 0};
    if (XQ_IS_MATE(score) || (XQ_IS_RULE(score) && score > 0))
        c.win = 1000;
    else if (XQ_IS_MATED(score) || XQ_IS_RULE(score))
        c.loss = 1000;
    else
        c = xq_chances_of(score, &s->game.now);
    snprintf(out, 64, " wdl %u %u %u", c.win, c.draw, c.loss);
}

static void info(xq_session *s, const xq_info *i)
{
    char score[32], chances[64] = "", pv[6 * XQ_MAX_PLY + 4] = "";
    size_t n = 0;
    format_score(score, i->score);
    if (s->set.show_wdl)
        format_chances(chances, s, i->score);
    if (i->npv > 0)
        n = (size_t)snprintf(pv, sizeof pv, " pv");
    for (unsigned k = 0; k < i->npv && n + 6 < sizeof pv; k++) {
        pv[n++] = ' ';
        xq_move_format(i->pv[k], pv + n);
        n += 4;
    }
    if (i->depth == 0) { /* no search was made */
        xq_say(s, "info depth 0 score %s%s", score, chances);
        return;
    }
    xq_say(s,
           "info depth %u seldepth %u multipv %u score %s%s%s nodes %" PRIu64
           " nps %" PRIu64 " hashfull %u time %" PRIu64 "%s",
           i->depth, i->seldepth, i->multipv, score,
           i->bound > 0   ? " lowerbound"
           : i->bound < 0 ? " upperbound"
                          : "",
           chances, i->nodes, i->nodes * 1000 / (i->ms ? i->ms : 1),
           i->hashfull, i->ms, pv);
}

static void best(xq_session *s, const xq_answer *a)
{
    char move[5], ponder[5];
    if (a->best == XQ_NOMOVE) {
        xq_say(s, "bestmove (none)");
        return;
    }
    xq_move_format(a->best, move);
    if (a->ponder == XQ_NOMOVE) {
        xq_say(s, "bestmove %s", move);
        return;
    }
    xq_move_format(a->ponder, ponder);
    xq_say(s, "bestmove %s ponder %s", move, ponder);
}

/* ---- commands ---- */

/* "name NAME [value VALUE]"; both may hold blanks. */
static bool option(xq_session *s, xq_str rest, xq_str *name, xq_str *value)
{
    xq_str word;
    if (!xq_word(&rest, &word) || !xq_word_is(word, "name")) {
        xq_note(s, "error: setoption: 'name' is missing");
        return false;
    }
    *name = rest;
    *value = (xq_str){rest.s + rest.n, 0};
    while (xq_word(&rest, &word))
        if (xq_word_is(word, "value")) {
            name->n = (size_t)(word.s - name->s);
            *value = xq_trim(rest);
            break;
        }
    *name = xq_trim(*name);
    return true;
}

static bool command(xq_session *s, xq_str word, xq_str rest)
{
    (void)rest;
    if (xq_word_is(word, "ucinewgame")) {
        xq_search_clear(s->search);
        return true;
    }
    return xq_word_is(word, "debug") || xq_word_is(word, "register");
}

static void nothing(xq_session *s) { (void)s; }

const xq_dialect xq_dialect_uci = {
    .note = "info string",
    .command = command,
    .go = go,
    .option = option,
    .info = info,
    .best = best,
    .idle_stop = nothing,
    .bye = nothing,
};
