/* fuzz_referee.c - random legal cycles before the referee, by both rule sets:
 * the verdict follows from the levels, never do both lose, it is the same on
 * the other wing and for the other colours, and what is explained ply by ply
 * adds up to it. */
#include "tests/fuzz/cycle.h"

#include <stdlib.h>

#include "engine/key.h"
#include "engine/referee.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(bool ok)
{
    if (!ok)
        abort();
}

/* ---- the same cycle, seen otherwise ---- */

static xq_sq sq_turned(xq_sq s)
{
    return xq_sq_of(xq_file_of[s], 9 - xq_rank_of[s]);
}

static struct cycle turned(const struct cycle *c)
{
    struct cycle out = *c;
    uint8_t at[XQ_SQUARES];
    for (xq_sq s = 0; s < XQ_SQUARES; s++)
        at[sq_turned(s)] = c->start.at[s] ? c->start.at[s] ^ 8 : XQ_EMPTY;
    check(xq_pos_set(&out.start, at, (xq_side)(c->start.side ^ 1), NULL) ==
          XQ_OK);
    for (unsigned i = 0; i < c->n; i++)
        out.moves[i] = xq_move_make(sq_turned(xq_move_from(c->moves[i])),
                                    sq_turned(xq_move_to(c->moves[i])));
    return out;
}

static struct cycle mirrored(const struct cycle *c)
{
    struct cycle out = *c;
    xq_pos_mirror(&out.start, &c->start);
    for (unsigned i = 0; i < c->n; i++)
        out.moves[i] = xq_move_mirror(c->moves[i]);
    return out;
}

/* ---- what must hold ---- */

static xq_ruling judge(const xq_profile *pr, const struct cycle *c)
{
    xq_ruling r;
    xq_judge_window(pr, &c->start, c->moves, c->n, &r);
    check(r.ending == XQ_REPEATED && r.article && *r.article);
    check(r.from_ply == 1 && r.to_ply == c->n);
    check(!r.unsupported || r.outcome == XQ_NO_VERDICT);
    check(r.unsupported || r.outcome != XQ_NO_VERDICT);
    return r;
}

static xq_outcome outcome_turned(xq_outcome o)
{
    return o == XQ_RED_LOSES     ? XQ_BLACK_LOSES
           : o == XQ_BLACK_LOSES ? XQ_RED_LOSES
                                 : o;
}

/* A higher level never wins against a lower one, and by the Asian rules
 * levels are all there is. */
static void check_levels(const xq_profile *pr, const xq_ruling *r)
{
    const int red = r->side[XQ_RED].level, black = r->side[XQ_BLACK].level;
    check(red <= 2 && black <= 2);
    check(r->outcome != XQ_RED_LOSES || red >= black);
    check(r->outcome != XQ_BLACK_LOSES || black >= red);
    if (pr->rules == XQ_ASIAN)
        check(r->outcome == (red == black  ? XQ_DRAW
                             : red > black ? XQ_RED_LOSES
                                           : XQ_BLACK_LOSES));
}

/* The game that repeats the cycle ends with the same verdict, at the second
 * and at the fourth occurrence. */
static void check_game(xq_profile pr, const struct cycle *c, const xq_ruling *r)
{
    xq_move moves[3 * MAX_CYCLE];
    xq_key keys[3 * MAX_CYCLE + 1];
    xq_ruling game;
    const unsigned n = 3 * c->n;
    for (unsigned i = 0; i < n; i++)
        moves[i] = c->moves[i % c->n];
    pr.repetitions = 4;
    xq_referee(&pr, &c->start, moves, n, n, keys, &game);
    check(game.ending == XQ_REPEATED && game.to_ply == n);
    check(keys[n] == c->start.key && game.occurrences >= 4);
    if (game.from_ply == 2 * c->n + 1) /* else a part of it was a loop */
        check(game.outcome == r->outcome && game.article == r->article);
}

static void check_plies(const xq_profile *pr, const struct cycle *c,
                        const xq_ruling *r)
{
    unsigned checks[2] = {0}, chases[2] = {0};
    xq_ply ply;
    for (unsigned i = 0; i < c->n; i++) {
        const unsigned side = c->start.side ^ (i & 1);
        xq_explain_ply(pr, &c->start, c->moves, c->n, i, &ply);
        check(ply.move == c->moves[i] && ply.nature <= XQ_CHECK);
        checks[side] += ply.nature == XQ_CHECK;
        chases[side] += ply.nature == XQ_CHASE;
        for (unsigned k = 0; k < ply.count && k < XQ_MAX_ATTACKS; k++)
            check(ply.attacks[k].attacker < XQ_SQUARES &&
                  ply.attacks[k].victim < XQ_SQUARES);
    }
    for (int s = 0; s < 2; s++) {
        check((r->side[s].level == 2) == (checks[s] == c->n / 2));
        if (pr->rules == XQ_ASIAN && r->side[s].level == 1)
            check(chases[s] == c->n / 2);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    struct cycle c;
    xq_profile pr;
    if (!cycle_of(data, n, &c))
        return 0;
    const struct cycle wing = mirrored(&c), side = turned(&c);
    for (int rules = XQ_ASIAN; rules <= XQ_CXA; rules++) {
        xq_profile_init(&pr, (xq_ruleset)rules);
        pr.threat_depth = 2; /* deep threats make a fuzzer slow */
        const xq_ruling r = judge(&pr, &c);
        const xq_ruling on_wing = judge(&pr, &wing);
        const xq_ruling on_side = judge(&pr, &side);
        check_levels(&pr, &r);
        check(on_wing.outcome == r.outcome);
        check(outcome_turned(on_side.outcome) == r.outcome);
        check(strcmp(on_wing.article, r.article) == 0);
        check(strcmp(on_side.article, r.article) == 0);
        check_game(pr, &c, &r);
        if (!r.unsupported)
            check_plies(&pr, &c, &r);
    }
    return 0;
}
