/* tactic.c - chases that the text leaves open (tactic.h, C-41). */
#include "engine/tactic.h"

#include "engine/gain.h"
#include "engine/threat.h"

/* One question: can the side to move win some of `prey`?  What else it takes
 * on the way counts nothing: it could have been won before (C-30).  What it
 * loses counts. */
struct quest {
    xq_pos *p;
    xq_slots prey;
    const struct xq_worth *w;
    unsigned *budget; /* answers to checks that may be tried; then: perhaps */
    xq_move first;    /* the first move of the win found */
};
/* Real positions need some hundreds; this bounds boards full of rooks. */
enum { QUEST_BUDGET = 20000 };

static int prize_on(const struct quest *q, xq_sq s)
{
    const xq_pos *p = q->p;
    return p->at[s] && xq_slots_has(q->prey, p->slot[s])
               ? xq_worth_of(q->w, p->at[s], s)
               : 0;
}

/* What the side to move wins with a capture, the exchange on the square
 * included; 0 when it is answered by mate (C-34). */
static int won_by(const struct quest *q, xq_sq from, xq_sq to)
{
    struct board_undo u;
    unsigned budget = XQ_EXCHANGE_BUDGET;
    int value = prize_on(q, to);
    board_make(q->p, xq_move_make(from, to), &u);
    value -= xq_exchange(q->p, to, q->w, &budget);
    if (value > 0 && xq_mates_at_once(q->p))
        value = 0;
    board_unmake(q->p, &u);
    return value;
}

/* Is there a capture of prey that wins more than `need`? */
static bool wins_more(const struct quest *q, int need)
{
    const xq_pos *p = q->p;
    unsigned side = p->side, end = p->first[8 * side + 8];
    xq_set enemy = {{p->own[side ^ 1][0], p->own[side ^ 1][1]}};
    for (unsigned i = p->first[8 * side]; i < end; i++) {
        xq_sq from = p->sq[i];
        if (from == XQ_NOSQ || !xq_may_threaten(p, from)) /* C-16 */
            continue;
        for (xq_set t = set_and(xq_targets(p, from), enemy); set_any(t);) {
            xq_sq to = set_pop(&t);
            if (prize_on(q, to) > need &&
                xq_move_is_legal(p, xq_move_make(from, to)) &&
                won_by(q, from, to) > need)
                return true;
        }
    }
    return false;
}

/* ---- by checks ---- */

/* Can the side to move, by checks, come out with more than `need`, the last
 * of at most `depth` moves being the capture? */
static bool wins_by_checks(struct quest *q, unsigned depth, int need)
{
    xq_pos *p = q->p;
    xq_movelist checks, answers;
    if (depth < 2)
        return false;
    xq_gen_checks(p, &checks);
    for (unsigned i = 0; i < checks.n; i++) {
        struct board_undo u, v;
        int got = prize_on(q, xq_move_to(checks.m[i]));
        board_make(p, checks.m[i], &u);
        xq_gen_legal(p, &answers);
        bool all = true;
        for (unsigned k = 0; k < answers.n && all; k++) {
            if (!*q->budget)
                break; /* perhaps */
            --*q->budget;
            board_make(p, answers.m[k], &v);
            int lost = v.captured
                           ? xq_worth_of(q->w, v.captured, xq_move_to(v.move))
                           : 0;
            int now = need - got + lost;
            all = wins_more(q, now) || wins_by_checks(q, depth - 1, now);
            board_unmake(p, &v);
        }
        board_unmake(p, &u);
        if (all) {
            q->first = checks.m[i]; /* the outermost is written last */
            return true;
        }
    }
    return false;
}

/* ---- by an exchange that goes on elsewhere ---- */

/* The piece on a takes the one on v, which is protected; whoever takes back,
 * is something else lost that the exchange pays for? */
static bool deflects(struct quest *q, xq_sq a, xq_sq v)
{
    xq_pos *p = q->p;
    struct board_undo u, w;
    bool all = true, any = false;
    int got = prize_on(q, v);
    board_make(p, xq_move_make(a, v), &u);
    int lost = xq_worth_of(q->w, p->at[v], v);
    unsigned end = p->first[8 * p->side + 8];
    for (unsigned i = p->first[8 * p->side]; i < end && all; i++) {
        xq_sq from = p->sq[i];
        if (from == XQ_NOSQ || !reaches(p, from, v) ||
            !xq_move_is_legal(p, xq_move_make(from, v)))
            continue;
        any = true;
        board_make(p, xq_move_make(from, v), &w);
        all = wins_more(q, lost - got);
        board_unmake(p, &w);
    }
    board_unmake(p, &u);
    return any && all;
}

static bool wins_by_exchange(struct quest *q)
{
    xq_pos *p = q->p;
    unsigned side = p->side, end = p->first[8 * side + 8];
    xq_set enemy = {{p->own[side ^ 1][0], p->own[side ^ 1][1]}};
    for (unsigned i = p->first[8 * side]; i < end; i++) {
        xq_sq from = p->sq[i];
        if (from == XQ_NOSQ || !xq_may_threaten(p, from))
            continue;
        for (xq_set t = set_and(xq_targets(p, from), enemy); set_any(t);) {
            xq_sq to = set_pop(&t);
            if (prize_on(q, to) > 0 &&
                xq_move_is_legal(p, xq_move_make(from, to)) &&
                !xq_is_exchange_offer(p, from, to) && deflects(q, from, to)) {
                q->first = xq_move_make(from, to);
                return true;
            }
        }
    }
    return false;
}

/* ---- both ---- */

/* Does the side to move win some of the prey, as far as can be said at all?
 * Guards are worth much when they are taken and little when they are given;
 * a pawn is less than any piece when it is taken, and given away for a rook
 * only (C-31).  *first (may be NULL) receives the move it begins with. */
static bool wins(xq_pos *p, xq_slots prey, unsigned depth, unsigned *budget,
                 xq_move *first)
{
    struct xq_worth w;
    unsigned own = p->side, enemy = own ^ 1u;
    struct quest q = {p, prey, &w, budget, XQ_NOMOVE};
    w.guard[own] = XQ_GUARD_LOW;
    w.guard[enemy] = XQ_GUARD_HIGH;
    w.pawn[own] = (XQ_WORTH_MINOR + XQ_WORTH_ROOK) / 2;
    w.pawn[enemy] = XQ_PAWN_LOW;
    const bool found = wins_by_exchange(&q) || wins_by_checks(&q, depth, 0);
    if (first)
        *first = q.first;
    return found;
}

/* Those of the prey that the side to move could not win at once. */
static xq_slots not_won_at_once(xq_pos *p, xq_slots prey)
{
    unsigned enemy = p->side ^ 1u, end = p->first[8 * enemy + 8];
    xq_slots rest = {{0, 0}};
    for (unsigned i = p->first[8 * enemy]; i < end; i++)
        if (xq_slots_has(prey, (uint8_t)i) &&
            xq_way_to(p, p->sq[i]) == XQ_WAY_NONE)
            xq_slots_add(&rest, (uint8_t)i);
    return rest;
}

bool xq_may_chase(xq_pos *b0, xq_pos *b1, xq_slots prey, unsigned depth)
{
    unsigned budget = QUEST_BUDGET;
    if (!wins(b1, prey, depth, &budget, NULL))
        return false; /* the usual case, and no less with fewer prey */
    prey = not_won_at_once(b0, prey);
    if (!wins(b1, prey, depth, &budget, NULL))
        return false;
    if (!wins(b0, prey, depth, &budget, NULL))
        return true;
    /* Something could be won before, and is still (C-30): the same? */
    unsigned enemy = b1->side ^ 1u, end = b1->first[8 * enemy + 8];
    for (unsigned i = b1->first[8 * enemy]; i < end; i++) {
        xq_slots one = {{0, 0}};
        xq_slots_add(&one, (uint8_t)i);
        if (xq_slots_has(prey, (uint8_t)i) &&
            wins(b1, one, depth, &budget, NULL) &&
            !wins(b0, one, depth, &budget, NULL))
            return true;
    }
    return budget == 0; /* cut short: perhaps */
}

bool xq_chase_plan(xq_pos *b0, xq_pos *b1, xq_slots prey, unsigned depth,
                   struct xq_plan *out)
{
    unsigned budget = QUEST_BUDGET;
    bool found = false;
    prey = not_won_at_once(b0, prey);
    const unsigned enemy = b1->side ^ 1u, end = b1->first[8 * enemy + 8];
    for (unsigned i = b1->first[8 * enemy]; i < end; i++) {
        xq_slots one = {{0, 0}};
        xq_move first;
        xq_slots_add(&one, (uint8_t)i);
        if (!xq_slots_has(prey, (uint8_t)i) ||
            !wins(b1, one, depth, &budget, &first))
            continue;
        const bool is_new = !wins(b0, one, depth, &budget, NULL);
        if (!budget)
            break; /* cut short: nothing sure */
        if (is_new || !found)
            *out = (struct xq_plan){b1->sq[i], first};
        found = true;
        if (is_new)
            return true;
    }
    if (found || !budget || !wins(b1, prey, depth, &budget, &out->move))
        return found;
    const xq_sq to = xq_move_to(out->move); /* it takes several to win */
    out->victim = b1->at[to] ? to : XQ_NOSQ;
    return true;
}
