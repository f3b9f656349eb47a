/* national.c - the Chinese national rules, 2020 edition: what each ply of a
 * window is (engine/README.md, C-10 to C-17, C-30, C-36, C-37).  What follows
 * from that is in conduct.c. */
#include "engine/conduct.h"
#include "engine/gain.h"
#include "engine/judge.h"
#include "engine/relation.h"
#include "engine/tactic.h"
#include "engine/traits.h"

/* ---- a ply ---- */

/* A ply in its surroundings, the mover to move on all three boards. */
struct ply {
    xq_pos *b0, *b1; /* before and after it */
    xq_pos *earlier; /* before `last`, the ply that led to b0 */
    xq_move last;
    bool answers_check; /* the mover is in check on b0 */
};

enum when { BEFORE, NOW, UNCLEAR };

/* Is the win of the piece on v, possible on b1, due to the ply (C-30)?  A
 * capture or full exchange before it counts against that; a win by checks does
 * not: else rows cg-011 and co-30b of tests/data/repetition.tsv would not be
 * what they are. */
static enum when arises(const struct ply *ply, xq_sq v, enum xq_way way)
{
    switch (xq_way_to(ply->b0, v)) {
    case XQ_WAY_NONE:
        break;
    case XQ_WAY_OPEN:
        return UNCLEAR;
    default:
        return BEFORE; /* "from chase to chase" */
    }
    if (!ply->answers_check)
        return NOW;
    /* Was the check all that stood in the way?  Then it is a new chase if the
     * check came in between (C-30), none if the owner moved into it (C-37). */
    enum xq_way checks_aside = xq_way_aside_check(ply->b0, v);
    if (checks_aside == XQ_WAY_NONE)
        return way == XQ_WAY_JOINT ? UNCLEAR : NOW;
    bool came = xq_move_to(ply->last) == v;
    switch (xq_way_to(ply->earlier, came ? xq_move_from(ply->last) : v)) {
    case XQ_WAY_NONE:
        return BEFORE;
    case XQ_WAY_OPEN:
        return UNCLEAR;
    default:
        return NOW;
    }
}

/* Pieces of a side that attack; pawns may all come to it. */
static unsigned attackers_left(const xq_pos *p, unsigned side)
{
    unsigned n = 0, begin = p->first[8 * side + XQ_HORSE];
    for (unsigned i = begin; i < p->first[8 * side + 8]; i++)
        n += p->sq[i] != XQ_NOSQ;
    return n;
}

/* What a ply that neither checks nor threatens mate may count as (C-12).
 * *spared receives the pieces that no capture wins on b1. */
static unsigned as_chase(const struct ply *ply, xq_slots *spared)
{
    xq_pos *p = ply->b1;
    unsigned enemy = p->side ^ 1u, end = p->first[8 * enemy + 8];
    enum xq_way sure = XQ_WAY_NONE;
    bool open = false, guards_only = true;
    *spared = (xq_slots){{0, 0}};
    for (unsigned i = p->first[8 * enemy]; i < end; i++) {
        xq_sq v = p->sq[i];
        if (v == XQ_NOSQ || !xq_is_material(p, v))
            continue;
        enum xq_way way = xq_way_to(p, v);
        if (way == XQ_WAY_NONE) {
            xq_slots_add(spared, (uint8_t)i);
            continue;
        }
        enum when when = arises(ply, v, way);
        if (when == BEFORE)
            continue;
        if (when == UNCLEAR || way == XQ_WAY_OPEN) {
            open = true;
            continue;
        }
        xq_kind kind = xq_piece_kind(p->at[v]);
        guards_only &= kind == XQ_ADVISOR || kind == XQ_ELEPHANT;
        if (way > sure)
            sure = way;
    }
    unsigned as = sure == XQ_WAY_DIRECT  ? XQ_AS_DIRECT
                  : sure == XQ_WAY_WORTH ? XQ_AS_WORTH
                  : sure == XQ_WAY_JOINT ? XQ_AS_JOINT
                                         : XQ_AS_IDLE;
    if (open)
        as |= as == XQ_AS_IDLE ? XQ_AS_JOINT | XQ_AS_DIRECT : XQ_AS_DIRECT;
    /* A defender's last attacker that goes to its drawing post may hit guards
     * on the way (C-36); which posts draw is for no text to say. */
    if (as != XQ_AS_IDLE && guards_only && attackers_left(p, p->side) == 1 &&
        attackers_left(p, enemy) > 0)
        as |= XQ_AS_IDLE;
    return as;
}

/* ---- a window ply by ply ---- */

struct walk {
    struct xq_window w;
    xq_pos earlier; /* before the ply before this one */
    uint32_t depth;
    struct ply ply; /* the sides of its boards are turned: see walk_turn */
};

static void walk_open(struct walk *k, const xq_profile *pr, const xq_pos *first,
                      const xq_move *moves, uint32_t n)
{
    xq_window_open(&k->w, first, moves, n);
    k->depth = pr->threat_depth;
    k->earlier = *first;
    for (uint32_t i = 0; i + 1 < n; i++) /* the window goes round */
        xq_pos_make(&k->earlier, moves[i], NULL);
}

static bool walk_next(struct walk *k)
{
    if (k->w.i != UINT32_MAX)
        k->earlier = k->w.b0;
    return xq_window_next(&k->w);
}

/* The boards of the ply with the mover to move, and back: call it twice. */
static void walk_turn(struct walk *k)
{
    k->w.b1.side ^= 1;
    k->earlier.side ^= 1;
    k->ply = (struct ply){&k->w.b0, &k->w.b1, &k->earlier,
                          k->w.moves[(k->w.i + k->w.n - 1) % k->w.n],
                          k->w.answers_check};
}

/* What the ply may count as.  `doubt`: an idle ply is looked through for
 * chases that the text leaves open, too: of *spared, received here, those
 * pieces that no capture wins. */
static unsigned ply_as(struct walk *k, bool doubt, xq_slots *spared)
{
    *spared = (xq_slots){{0, 0}};
    const struct xq_window *w = &k->w;
    if (w->check)
        return XQ_AS_CHECK; /* C-10, C-14 */
    xq_sq to = xq_move_to(w->move);
    if (w->answers_check && xq_piece_kind(w->b1.at[to]) == XQ_KING)
        return XQ_AS_IDLE; /* C-15 */
    if (xq_threatens_mate(&w->b1, k->depth, NULL))
        return XQ_AS_THREAT; /* C-11 */
    walk_turn(k);
    unsigned as = as_chase(&k->ply, spared);
    if (as == XQ_AS_IDLE && doubt &&
        xq_may_chase(&k->w.b0, &k->w.b1, *spared, k->depth))
        as |= XQ_AS_JOINT | XQ_AS_DIRECT;
    walk_turn(k);
    return as;
}

/* ---- a window, judged ---- */

void xq_cxa_judge(const xq_profile *pr, const xq_pos *first,
                  const xq_move *moves, uint32_t n, xq_ruling *out)
{
    struct xq_doings side[2] = {XQ_NO_DOINGS, XQ_NO_DOINGS};
    struct walk k;
    xq_slots spared;
    walk_open(&k, pr, first, moves, n);
    while (walk_next(&k)) {
        struct xq_doings *mover = &side[k.w.mover];
        /* One idle ply beyond doubt allows all: no need to doubt others. */
        xq_doings_add(mover, ply_as(&k, !xq_doings_allowed(mover), &spared));
    }
    for (unsigned s = 0; s < 2; s++)
        out->side[s] = side[s].conduct;
    const struct xq_decision d = xq_decide(side);
    out->outcome = d.outcome;
    out->article = d.article;
    out->unsupported = d.outcome == XQ_NO_VERDICT;
    out->outcomes = d.outcomes;
}

/* ---- one ply, for people ---- */

/* XQ_HOW_ bits of a new attack that wins something; slots. */
static unsigned how_of(const struct xq_window *w, uint8_t a, uint8_t v,
                       enum xq_way way)
{
    struct xq_relation before, now;
    unsigned how = way == XQ_WAY_JOINT ? XQ_HOW_JOINT : 0;
    bool moved = w->b1.sq[a] == xq_move_to(w->move);
    if (moved)
        how |= XQ_HOW_MOVED;
    if (xq_relation_of(&w->b0, a, v, false, &before))
        how |= XQ_HOW_UNROOTED;
    else if (!moved)
        how |= XQ_HOW_DISCOVERED;
    if (!xq_relation_of(&w->b1, a, v, true, &now))
        return how;
    if (now.flags & REL_RETURN)
        how |= XQ_HOW_EXCHANGE;
    return how | (now.flags & REL_ROOT         ? XQ_HOW_PROTECTED
                  : now.flags & REL_FALSE_ROOT ? XQ_HOW_FALSE_ROOT
                                               : XQ_HOW_NO_ROOT);
}

/* Could the reply have left it standing?  On b2 the mover is to move. */
static bool is_answered(struct xq_window *w, uint8_t a, uint8_t v)
{
    xq_sq from = w->b2.sq[a], to = w->b2.sq[v];
    return from == XQ_NOSQ || to == XQ_NOSQ ||
           xq_way_of(&w->b2, from, to) == XQ_WAY_NONE;
}

static void note_pair(const struct xq_window *w, unsigned trait, xq_sq attacker,
                      xq_sq victim, xq_ply *out)
{
    const xq_ply_note note = {
        .trait = trait,
        .attacker = attacker,
        .victim = victim,
        .attacker_piece = w->b1.at[attacker],
        .victim_piece = w->b1.at[victim],
    };
    xq_ply_add_note(out, &note);
}

/* What takes the piece of slot v, now and not before. */
static void list_attacks_on(struct walk *k, uint8_t v, xq_ply *out)
{
    struct xq_window *w = &k->w;
    unsigned end = w->b1.first[8 * w->mover + 8];
    xq_sq victim = w->b1.sq[v];
    for (unsigned i = w->b1.first[8 * w->mover]; i < end; i++) {
        xq_sq s = w->b1.sq[i];
        enum xq_way way =
            s == XQ_NOSQ ? XQ_WAY_NONE : xq_way_of(&w->b1, s, victim);
        if (way == XQ_WAY_NONE)
            continue;
        if (!xq_may_threaten(&w->b1, s)) { /* C-16 */
            if (xq_way_of(&w->b0, w->b0.sq[i], victim) == XQ_WAY_NONE) {
                out->traits |= XQ_TRAIT_KING_OR_PAWN;
                note_pair(w, XQ_TRAIT_KING_OR_PAWN, s, victim, out);
            }
            continue;
        }
        enum when when = arises(&k->ply, victim, way);
        if (when == BEFORE)
            continue;
        if (when != UNCLEAR && way != XQ_WAY_OPEN)
            out->traits |= XQ_TRAIT_CHASES;
        if (out->count < XQ_MAX_ATTACKS) {
            xq_attack *t = &out->attacks[out->count];
            *t = (xq_attack){s, victim, w->b1.at[s], w->b1.at[victim],
                             how_of(w, (uint8_t)i, v, way)};
            if (is_answered(w, (uint8_t)i, v))
                t->how |= XQ_HOW_ANSWERED;
            if (when == UNCLEAR || way == XQ_WAY_OPEN)
                t->how |= XQ_HOW_OPEN;
        }
        out->count++;
    }
}

/* Would the piece on a win the one on v if like pieces could not be offered? */
static bool would_win(xq_pos *p, xq_sq a, xq_sq v)
{
    return xq_way_aside_offer(p, a, v) != XQ_WAY_NONE;
}

/* Between two like pieces that could take each other before: did the ply make
 * it worth while to take for the mover, or no more worth while for the other
 * side?  Then it offers the exchange, though no new one (the Chinese
 * rule book's example 30). */
static bool renews_offer(struct walk *k, xq_sq own, xq_sq enemy)
{
    xq_pos *b0 = &k->w.b0, *b1 = &k->w.b1;
    if (!b0->at[own] || !xq_move_is_legal(b1, xq_move_make(own, enemy)) ||
        !xq_is_exchange_offer(b1, own, enemy))
        return false; /* or the mover's own piece: a new offer, if any */
    bool wins_now = would_win(b1, own, enemy);
    if (wins_now && !would_win(b0, own, enemy))
        return true;
    b0->side ^= 1;
    b1->side ^= 1;
    bool saved = would_win(b0, enemy, own) && !would_win(b1, enemy, own);
    b0->side ^= 1;
    b1->side ^= 1;
    return saved;
}

static void note_renewed_offer(struct walk *k, xq_ply *out)
{
    const xq_pos *p = &k->w.b1;
    unsigned own = k->w.mover;
    for (unsigned kind = XQ_HORSE; kind <= XQ_CANNON; kind++) {
        unsigned mine = 8 * own + kind, theirs = 8 * (own ^ 1) + kind;
        for (unsigned i = p->first[mine]; i < p->first[mine + 1]; i++)
            for (unsigned j = p->first[theirs]; j < p->first[theirs + 1]; j++)
                if (p->sq[i] != XQ_NOSQ && p->sq[j] != XQ_NOSQ &&
                    renews_offer(k, p->sq[i], p->sq[j])) {
                    out->traits |= XQ_TRAIT_EXCHANGE;
                    note_pair(&k->w, XQ_TRAIT_EXCHANGE, p->sq[i], p->sq[j],
                              out);
                    return;
                }
    }
}

/* Whom an open ply without an attack may chase, and how it would begin. */
static void note_undecided(struct walk *k, xq_slots spared, xq_ply *out)
{
    struct xq_plan plan;
    if (!xq_chase_plan(&k->w.b0, &k->w.b1, spared, k->depth, &plan))
        return;
    const xq_pos *b1 = &k->w.b1;
    const xq_sq from = xq_move_from(plan.move);
    const xq_ply_note note = {
        .trait = XQ_TRAIT_UNDECIDED,
        .attacker = from,
        .victim = plan.victim,
        .attacker_piece = b1->at[from],
        .victim_piece = plan.victim == XQ_NOSQ ? XQ_EMPTY : b1->at[plan.victim],
        .move = plan.move,
    };
    xq_ply_add_note(out, &note);
}

void xq_cxa_explain(const xq_profile *pr, const xq_pos *first,
                    const xq_move *moves, uint32_t n, uint32_t i, xq_ply *out)
{
    struct walk k;
    walk_open(&k, pr, first, moves, n);
    while (walk_next(&k) && k.w.i < i)
        ;
    xq_slots spared;
    unsigned as = ply_as(&k, true, &spared), enemy = k.w.mover ^ 1u;
    const bool open = as & XQ_AS_IDLE && as != XQ_AS_IDLE;
    out->nature = xq_nature_as(as);
    walk_turn(&k);
    for (unsigned v = k.w.b1.first[8 * enemy]; v < k.w.b1.first[8 * enemy + 8];
         v++)
        if (k.w.b1.sq[v] != XQ_NOSQ && xq_is_material(&k.w.b1, k.w.b1.sq[v]))
            list_attacks_on(&k, (uint8_t)v, out);
    note_renewed_offer(&k, out);
    if (open && !out->count)
        note_undecided(&k, spared, out);
    walk_turn(&k);
    xq_ply_explain(&k.w, pr->threat_depth, out);
    if (open)
        out->traits |= XQ_TRAIT_UNDECIDED;
}
