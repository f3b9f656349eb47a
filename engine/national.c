/* national.c - the Chinese national rules, 2020 edition: the nature of each
 * ply, and the verdict (engine/README.md, C-10 to C-37).
 *
 * Not every ply has one nature: where the text leaves it open, a ply has
 * several possible ones.  A verdict is given when it is the same whichever way
 * the open plies fall, else there is none (C-41). */
#include "engine/gain.h"
#include "engine/judge.h"
#include "engine/relation.h"
#include "engine/tactic.h"
#include "engine/traits.h"

/* ---- a ply ---- */

/* What a ply may count as, finer than its nature: C-25 looks at how a piece is
 * chased. */
enum {
    AS_IDLE = 1,
    AS_JOINT = 2,  /* chases under-protected or jointly only */
    AS_WORTH = 4,  /* chases what is worth more, but no rook: C-25 does not
                      say whether that is direct */
    AS_DIRECT = 8, /* chases the rook or something unprotected */
    AS_THREAT = 16,
    AS_CHECK = 32,
};

/* A ply in its surroundings, the mover to move on all three boards. */
struct ply {
    xq_pos *b0, *b1; /* before and after it */
    xq_pos *earlier; /* before `last`, the ply that led to b0 */
    xq_move last;
    bool answers_check; /* the mover is in check on b0 */
};

enum when { BEFORE, NOW, UNCLEAR };

/* Is the win of the piece on v, possible on b1, due to the ply (C-30)? */
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

/* Has a side one piece left that attacks?  Pawns may all come to it. */
static bool has_one_attacker(const xq_pos *p, unsigned side)
{
    unsigned n = 0, begin = p->first[8 * side + XQ_HORSE];
    for (unsigned i = begin; i < p->first[8 * side + 8]; i++)
        n += p->sq[i] != XQ_NOSQ;
    return n == 1;
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
    unsigned as = sure == XQ_WAY_DIRECT  ? AS_DIRECT
                  : sure == XQ_WAY_WORTH ? AS_WORTH
                  : sure == XQ_WAY_JOINT ? AS_JOINT
                                         : AS_IDLE;
    if (open)
        as |= as == AS_IDLE ? AS_JOINT | AS_DIRECT : AS_DIRECT;
    /* A defender's last attacker that goes to its drawing post may hit guards
     * on the way (C-36); which posts draw is for no text to say. */
    if (as != AS_IDLE && guards_only && has_one_attacker(p, p->side))
        as |= AS_IDLE;
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

/* What the ply may count as.  `sound`: an idle ply is looked through for
 * chases that the text leaves open, too. */
static unsigned ply_as(struct walk *k, bool sound)
{
    const struct xq_window *w = &k->w;
    if (w->check)
        return AS_CHECK; /* C-10, C-14 */
    xq_sq to = xq_move_to(w->move);
    if (w->answers_check && xq_piece_kind(w->b1.at[to]) == XQ_KING)
        return AS_IDLE; /* C-15 */
    if (xq_threatens_mate(&w->b1, k->depth, NULL))
        return AS_THREAT; /* C-11 */
    walk_turn(k);
    xq_slots spared;
    unsigned as = as_chase(&k->ply, &spared);
    if (as == AS_IDLE && sound &&
        xq_may_chase(&k->w.b0, &k->w.b1, spared, k->depth))
        as |= AS_JOINT | AS_DIRECT;
    walk_turn(k);
    return as;
}

/* Open plies are shown as idle. */
static xq_nature nature_of(unsigned as)
{
    return as & AS_IDLE      ? XQ_IDLE
           : as == AS_CHECK  ? XQ_CHECK
           : as == AS_THREAT ? XQ_MATE_THREAT
                             : XQ_CHASE;
}

/* ---- a side ---- */

/* What the plies of a side leave behind, taken together. */
enum {
    HAS_QUIET = 1, /* a ply that is no check */
    HAS_IDLE = 2,
    HAS_JOINT = 4, /* chases jointly or under-protected only */
    HAS_FIRM = 8,  /* checks or threatens mate */
    HAS_WORTH = 16,
    MARKS = 32,
};

static unsigned mark_of(unsigned as)
{
    switch (as) {
    case AS_CHECK:
        return HAS_FIRM;
    case AS_THREAT:
        return HAS_QUIET | HAS_FIRM;
    case AS_JOINT:
        return HAS_QUIET | HAS_JOINT;
    case AS_WORTH:
        return HAS_QUIET | HAS_WORTH;
    case AS_DIRECT:
        return HAS_QUIET;
    default:
        return HAS_QUIET | HAS_IDLE;
    }
}

struct side {
    uint32_t possible; /* bit m: the marks m are possible */
    unsigned shown;    /* the marks when open plies are idle */
    bool idle;         /* has an idle ply beyond doubt */
    xq_conduct conduct;
};

static void side_add(struct side *s, unsigned as)
{
    uint32_t next = 0;
    for (unsigned one = AS_IDLE; one <= AS_CHECK; one <<= 1)
        if (as & one)
            for (unsigned m = 0; m < MARKS; m++)
                if (s->possible >> m & 1)
                    next |= UINT32_C(1) << (m | mark_of(one));
    s->possible = next;
    s->shown |= mark_of(as & AS_IDLE ? AS_IDLE : as & -as);
    s->idle |= as == AS_IDLE;
    s->conduct.plies[nature_of(as)]++;
}

/* ---- the verdict (4.2) ---- */

struct verdict {
    xq_outcome outcome;
    const char *article;
};

/* `red` and `black` are marks. */
static struct verdict decide(unsigned red, unsigned black)
{
    static const xq_outcome LOSES[2] = {XQ_RED_LOSES, XQ_BLACK_LOSES};
    bool red_checks = !(red & HAS_QUIET), black_checks = !(black & HAS_QUIET);
    if (red_checks && black_checks)
        return (struct verdict){XQ_DRAW, "C-21"};
    if (red_checks || black_checks)
        return (struct verdict){LOSES[black_checks], "C-20"};
    bool red_idle = red & HAS_IDLE, black_idle = black & HAS_IDLE;
    if (red_idle && black_idle)
        return (struct verdict){XQ_DRAW, "C-24"};
    if (red_idle || black_idle)
        return (struct verdict){LOSES[red_idle], "C-22"};
    if ((red & HAS_JOINT) == (black & HAS_JOINT))
        return (struct verdict){XQ_DRAW, "C-23"};
    /* One side has a joint chase.  The other one must change if all its moves
     * are direct chases; if not, the text is silent. */
    unsigned other = red & HAS_JOINT ? black : red;
    if (other & (HAS_FIRM | HAS_WORTH))
        return (struct verdict){XQ_NO_VERDICT, "C-25"};
    return (struct verdict){LOSES[other == black && (red & HAS_JOINT)], "C-25"};
}

/* Is the outcome the same whichever way the open plies fall? */
static struct verdict decide_all(const struct side side[2])
{
    struct verdict shown = decide(side[XQ_RED].shown, side[XQ_BLACK].shown);
    for (unsigned r = 0; r < MARKS; r++)
        for (unsigned b = 0; b < MARKS; b++)
            if (side[XQ_RED].possible >> r & 1 &&
                side[XQ_BLACK].possible >> b & 1 &&
                decide(r, b).outcome != shown.outcome)
                return (struct verdict){XQ_NO_VERDICT, "C-41"};
    return shown;
}

void xq_cxa_judge(const xq_profile *pr, const xq_pos *first,
                  const xq_move *moves, uint32_t n, xq_ruling *out)
{
    struct side side[2] = {{1, 0, false, {{0}, 0}}, {1, 0, false, {{0}, 0}}};
    struct walk k;
    walk_open(&k, pr, first, moves, n);
    while (walk_next(&k)) {
        struct side *mover = &side[k.w.mover];
        /* One idle ply beyond doubt allows all: no need to doubt others. */
        side_add(mover, ply_as(&k, !mover->idle));
    }
    for (unsigned s = 0; s < 2; s++) {
        side[s].conduct.level = side[s].shown & HAS_IDLE    ? 0
                                : side[s].shown & HAS_QUIET ? 1
                                                            : 2;
        out->side[s] = side[s].conduct;
    }
    struct verdict v = decide_all(side);
    out->outcome = v.outcome;
    out->article = v.article;
    out->unsupported = v.outcome == XQ_NO_VERDICT;
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
            if (xq_way_of(&w->b0, w->b0.sq[i], victim) == XQ_WAY_NONE)
                out->traits |= XQ_TRAIT_KING_OR_PAWN;
            continue;
        }
        enum when when = arises(&k->ply, victim, way);
        if (when == BEFORE)
            continue;
        if (when == NOW && way != XQ_WAY_OPEN)
            out->traits |= XQ_TRAIT_CHASES;
        if (out->count < XQ_MAX_ATTACKS) {
            xq_attack *t = &out->attacks[out->count];
            *t = (xq_attack){s, victim, w->b1.at[s], w->b1.at[victim],
                             how_of(w, (uint8_t)i, v, way)};
            if (is_answered(w, (uint8_t)i, v))
                t->how |= XQ_HOW_ANSWERED;
        }
        out->count++;
    }
}

void xq_cxa_explain(const xq_profile *pr, const xq_pos *first,
                    const xq_move *moves, uint32_t n, uint32_t i, xq_ply *out)
{
    struct walk k;
    walk_open(&k, pr, first, moves, n);
    while (walk_next(&k) && k.w.i < i)
        ;
    unsigned as = ply_as(&k, true), enemy = k.w.mover ^ 1u;
    out->nature = nature_of(as);
    walk_turn(&k);
    for (unsigned v = k.w.b1.first[8 * enemy]; v < k.w.b1.first[8 * enemy + 8];
         v++)
        if (k.w.b1.sq[v] != XQ_NOSQ && xq_is_material(&k.w.b1, k.w.b1.sq[v]))
            list_attacks_on(&k, (uint8_t)v, out);
    walk_turn(&k);
    out->traits |= xq_ply_traits(&k.w, pr->threat_depth);
    if (as & AS_IDLE && as != AS_IDLE)
        out->traits |= XQ_TRAIT_UNDECIDED;
}
