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
        .threat_depth = rules == XQ_CXA ? 2 : 4,
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
    uint32_t ply;         /* moves[0..ply-1] are played */
    xq_pos p;             /* and this is where it stands */
    uint32_t occurrences; /* of this position so far */
    uint32_t last;        /* the ply after which it stood before */
    uint32_t turn;        /* the last capture or pawn's step forward: nothing
                             before it can come again */
    xq_pos quiet;         /* the board after the last capture, or the start */
    uint32_t quiet_ply;   /* and its ply */
    bool bare;
    struct xq_count count; /* up to ply `count_ply`, brought up when needed */
    uint32_t count_ply;
};

static bool is_pawn_forward(const xq_pos *before, xq_move m)
{
    return xq_piece_kind(before->at[xq_move_from(m)]) == XQ_PAWN &&
           xq_rank_of[xq_move_from(m)] != xq_rank_of[xq_move_to(m)];
}

static void play(struct course *c)
{
    const xq_move m = c->moves[c->ply];
    const bool capture = c->p.at[xq_move_to(m)] != XQ_EMPTY;
    const bool forward = is_pawn_forward(&c->p, m);
    xq_pos_make(&c->p, m, NULL);
    c->ply++;
    if (capture || forward)
        c->turn = c->ply;
    if (capture) {
        c->quiet = c->p;
        c->quiet_ply = c->ply;
        c->bare = c->pr->bare_draw && xq_is_bare(&c->p);
    }
}

static void find_occurrences(struct course *c)
{
    c->occurrences = 1;
    for (uint32_t i = c->ply; i - c->turn >= 2;) {
        i -= 2;
        if (c->keys[i] == c->keys[c->ply] && c->occurrences++ == 1)
            c->last = i;
    }
}

/* ---- counting for the limit ---- */

static void count_one(struct course *c, const xq_pos *after)
{
    const xq_side mover = (xq_side)(after->side ^ 1);
    xq_count_ply(&c->count, c->pr, mover, xq_in_check(after, (xq_side)!mover));
    c->count_ply++;
}

static void count_up(struct course *c)
{
    if (c->count_ply == c->ply)
        return;
    if (c->count_ply + 1 == c->ply && c->count_ply >= c->quiet_ply) {
        count_one(c, &c->p);
        return;
    }
    xq_pos p = c->quiet;
    c->count = (struct xq_count){.counted = p.halfmove};
    c->count_ply = c->quiet_ply;
    while (c->count_ply < c->ply) {
        xq_pos_make(&p, c->moves[c->count_ply], NULL);
        count_one(c, &p);
    }
}

/* Most games never come near the limit, so checks are not looked at before
 * there are plies enough. */
static bool reaches_limit(struct course *c)
{
    const uint32_t limit = c->pr->natural_limit;
    if (!limit || c->quiet.halfmove + (c->ply - c->quiet_ply) < limit)
        return false;
    count_up(c);
    return c->count.counted >= limit;
}

/* ---- the ruling ---- */

/* Judge the plies since the position at hand last stood. */
static void judge(const struct course *c, xq_ruling *out)
{
    xq_pos first = c->quiet;
    for (uint32_t i = c->quiet_ply; i < c->last; i++)
        xq_pos_make(&first, c->moves[i], NULL);
    xq_judge_window(c->pr, &first, c->moves + c->last, c->ply - c->last, out);
    out->from_ply = c->last + 1;
}

static void end_by(xq_ruling *out, xq_ending ending, xq_outcome outcome,
                   const char *article)
{
    out->ending = ending;
    out->outcome = outcome;
    out->article = article;
}

/* The tests of G-12 on the position at hand; true when one ends the game.
 * end: no move follows. */
static bool test(struct course *c, bool end, xq_ruling *out)
{
    find_occurrences(c);
    if (end && !xq_has_legal_move(&c->p)) { /* else a move has shown it */
        const xq_side loser = (xq_side)c->p.side;
        end_by(out, xq_in_check(&c->p, loser) ? XQ_MATED : XQ_STALEMATED,
               loser == XQ_RED ? XQ_RED_LOSES : XQ_BLACK_LOSES, "G-10");
    } else if (c->occurrences >= 2 && c->occurrences >= c->pr->repetitions) {
        judge(c, out);
    } else if (c->bare) {
        end_by(out, XQ_BARE, XQ_DRAW, "G-11");
    } else if (reaches_limit(c)) {
        end_by(out, XQ_LIMIT_REACHED, XQ_DRAW, "L-01");
    } else {
        return false;
    }
    return true;
}

/* What is to be said at the position at hand, whatever the ruling. */
static void add_facts(struct course *c, xq_ruling *out)
{
    find_occurrences(c);
    count_up(c);
    if (out->ending != XQ_REPEATED)
        out->from_ply = c->ply;
    out->to_ply = c->ply;
    out->occurrences = c->occurrences;
    out->counted = c->count.counted;
    memcpy(out->checks, c->count.checks, sizeof out->checks);
}

void xq_referee(const xq_profile *pr, const xq_pos *start, const xq_move *moves,
                uint32_t n, uint32_t from, xq_key *keys, xq_ruling *out)
{
    struct course c = {.pr = pr, .moves = moves, .keys = keys};
    *out = (xq_ruling){.ending = XQ_GOES_ON, .article = ""};
    c.p = c.quiet = *start;
    c.bare = pr->bare_draw && xq_is_bare(start);
    c.count.counted = start->halfmove; /* L-05 */
    keys[0] = start->key;
    for (;;) {
        const bool end = c.ply == n;
        if ((c.ply >= from && test(&c, end, out)) || end)
            break;
        play(&c);
        keys[c.ply] = c.p.key;
    }
    add_facts(&c, out);
    while (c.ply < n) {
        play(&c);
        keys[c.ply] = c.p.key;
    }
}
