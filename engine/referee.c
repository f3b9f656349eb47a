/* referee.c - how a game ends (referee.h): the tests of G-12 after each ply,
 * and the way to the rule set asked for. */
#include "engine/referee.h"
#include "engine/judge.h"
#include "engine/limits.h"
#include "engine/rules.h"

#include <string.h>

void xq_profile_init(xq_profile *out, xq_ruleset rules)
{
    *out = (xq_profile){
        .rules = rules,
        .repetitions = 3,
        .natural_limit = 120,
        .limit_checks = 10,
        .threat_depth = 4,
        .bare_draw = false,
    };
}

/* ---- one window, by the rule set ---- */

void xq_judge_window(const xq_profile *pr, const xq_pos *first,
                     const xq_move *moves, uint32_t n, xq_ruling *out)
{
    *out = (xq_ruling){
        .ending = XQ_REPEATED, .article = "", .from_ply = 1, .to_ply = n};
    if (pr->rules == XQ_CXA)
        xq_cxa_judge(pr, first, moves, n, out);
    else
        xq_asian_judge(pr, first, moves, n, out);
}

void xq_explain_ply(const xq_profile *pr, const xq_pos *first,
                    const xq_move *moves, uint32_t n, uint32_t i, xq_ply *out)
{
    memset(out, 0, sizeof *out);
    out->move = moves[i];
    if (pr->rules == XQ_CXA)
        xq_cxa_explain(pr, first, moves, n, i, out);
    else
        xq_asian_explain(pr, first, moves, n, i, out);
}

/* ---- occurrences ---- */

uint32_t xq_occurrences(const xq_key *keys, uint32_t ply, uint32_t *out,
                        uint32_t max)
{
    uint32_t n = 0;
    for (uint32_t i = ply % 2; i <= ply; i += 2) {
        if (keys[i] != keys[ply])
            continue;
        if (n < max)
            out[n] = i;
        n++;
        if (i == UINT32_MAX - 1)
            break; /* i + 2 would start again */
    }
    return n < max ? n : max;
}

/* ---- a game ---- */

/* A game on its way. */
struct course {
    const xq_profile *pr;
    const xq_move *moves;
    const xq_key *keys;
    uint32_t ply;       /* moves[0..ply-1] are played */
    xq_pos p;           /* and this is where it stands */
    xq_pos quiet;       /* the board after the last capture, or the start */
    uint32_t quiet_ply; /* and its ply */
    uint32_t turn;      /* ply of the last irreversible move: capture or pawn
                           forward */
    bool bare;
    struct xq_count count;
};

static bool is_pawn_forward(const xq_pos *before, xq_move m)
{
    return xq_piece_kind(before->at[xq_move_from(m)]) == XQ_PAWN &&
           xq_rank_of[xq_move_from(m)] != xq_rank_of[xq_move_to(m)];
}

static void play(struct course *c)
{
    const xq_move m = c->moves[c->ply];
    const xq_side mover = (xq_side)c->p.side;
    const bool capture = c->p.at[xq_move_to(m)] != XQ_EMPTY;
    const bool forward = is_pawn_forward(&c->p, m);
    xq_pos_make(&c->p, m, NULL);
    c->ply++;
    xq_count_ply(&c->count, c->pr, mover, capture,
                 xq_in_check(&c->p, (xq_side)(mover ^ 1)));
    if (capture || forward)
        c->turn = c->ply;
    if (capture) {
        c->quiet = c->p;
        c->quiet_ply = c->ply;
        c->bare = xq_is_bare(&c->p);
    }
}

/* How often the position at hand has occurred, and where last before. */
static uint32_t occurrences_of(const struct course *c, uint32_t *last)
{
    uint32_t n = 1;
    for (uint32_t i = c->ply; i - c->turn >= 2;) {
        i -= 2;
        if (c->keys[i] != c->keys[c->ply])
            continue;
        if (n++ == 1)
            *last = i;
    }
    return n;
}

/* Judge the plies behind ply `last`, at which the same position stood. */
static void judge_from(const struct course *c, uint32_t last, xq_ruling *out)
{
    xq_pos first = c->quiet;
    for (uint32_t i = c->quiet_ply; i < last; i++)
        xq_pos_make(&first, c->moves[i], NULL);
    xq_judge_window(c->pr, &first, c->moves + last, c->ply - last, out);
    out->from_ply = last + 1;
}

/* The tests of G-12 on the position at hand, `occurrences` of which there have
 * been, the one before at ply `last`.  end: no move follows. */
static void test(const struct course *c, uint32_t occurrences, uint32_t last,
                 bool end, xq_ruling *out)
{
    const uint32_t limit = c->pr->natural_limit;
    /* A legal move that follows has shown that it is no mate. */
    if (end && !xq_has_legal_move(&c->p)) {
        const xq_side loser = (xq_side)c->p.side;
        out->ending = xq_in_check(&c->p, loser) ? XQ_MATED : XQ_STALEMATED;
        out->outcome = loser == XQ_RED ? XQ_RED_LOSES : XQ_BLACK_LOSES;
        out->article = "G-10";
    } else if (occurrences >= 2 && occurrences >= c->pr->repetitions) {
        judge_from(c, last, out);
    } else if (c->pr->bare_draw && c->bare) {
        out->ending = XQ_BARE;
        out->outcome = XQ_DRAW;
        out->article = "G-11";
    } else if (limit && c->count.counted >= limit) {
        out->ending = XQ_LIMIT_REACHED;
        out->outcome = XQ_DRAW;
        out->article = "L-01";
    }
}

/* Judge the game where it stands; "goes on" before `from`. */
static void rule_on(const struct course *c, uint32_t from, bool end,
                    xq_ruling *out)
{
    uint32_t last = 0;
    const uint32_t occurrences = occurrences_of(c, &last);
    *out = (xq_ruling){.ending = XQ_GOES_ON, .article = "", .from_ply = c->ply};
    if (c->ply >= from)
        test(c, occurrences, last, end, out);
    out->to_ply = c->ply;
    out->occurrences = occurrences;
    out->counted = c->count.counted;
    memcpy(out->checks, c->count.checks, sizeof out->checks);
}

void xq_referee(const xq_profile *pr, const xq_pos *start, const xq_move *moves,
                uint32_t n, uint32_t from, xq_key *keys, xq_ruling *out)
{
    struct course c = {.pr = pr, .moves = moves, .keys = keys};
    bool decided = false;
    c.p = c.quiet = *start;
    c.bare = xq_is_bare(start);
    xq_count_init(&c.count, start);
    keys[0] = start->key;
    for (;;) {
        if (!decided && (c.ply >= from || c.ply == n)) {
            rule_on(&c, from, c.ply == n, out);
            decided = out->ending != XQ_GOES_ON;
        }
        if (c.ply == n)
            return;
        play(&c);
        keys[c.ply] = c.p.key;
    }
}
