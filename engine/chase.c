/* chase.c - chases by the Asian rules: articles,
 * A-41 (chase.h). */
#include "engine/chase.h"

/* ---- who may attack whom ---- */

#define KIND(k) (1u << (k))

/* all but king and pawn. */
static bool may_attack(xq_kind a, unsigned lift)
{
    return lift & LIFT_ATTACKER || !(KIND(a) & (KIND(XQ_KING) | KIND(XQ_PAWN)));
}

/* all but the king and a pawn before the river.  (No relation has the
 * king as its victim.) */
static bool may_be_victim(const xq_pos *p, uint8_t v, unsigned lift)
{
    const xq_sq s = p->sq[v];
    return lift & LIFT_VICTIM || xq_piece_kind(p->at[s]) != XQ_PAWN ||
           half_of(s) != (unsigned)xq_piece_side(p->at[s]);
}

/* A-16 (1) and (2): taking wins even if it costs the attacker.  (A pawn is
 * only asked about when A-15 is lifted.) */
bool xq_is_worth_more(xq_kind a, xq_kind v)
{
    static const uint16_t PREY[8] = {
        [XQ_ADVISOR] = KIND(XQ_ROOK) | KIND(XQ_HORSE) | KIND(XQ_CANNON),
        [XQ_ELEPHANT] = KIND(XQ_ROOK) | KIND(XQ_HORSE) | KIND(XQ_CANNON),
        [XQ_HORSE] = KIND(XQ_ROOK),
        [XQ_CANNON] = KIND(XQ_ROOK),
        [XQ_PAWN] = KIND(XQ_ROOK) | KIND(XQ_HORSE) | KIND(XQ_CANNON),
    };
    return PREY[a] >> v & 1;
}

/* ---- one board ---- */

/* Is the relation profitable? */
static bool pays(const xq_pos *p, struct xq_relation r, unsigned lift)
{
    const xq_kind a = xq_slot_kind(p, r.a), v = xq_slot_kind(p, r.v);
    if (xq_is_worth_more(a, v))
        return true;
    if (a == v && r.flags & REL_RETURN && !(lift & LIFT_EXCHANGE))
        return false;
    return lift & LIFT_ROOT || !xq_true_root(p, r.a, r.v);
}

/* How a pair stands on a board. */
enum standing { APART, COULD_TAKE, PROFITABLE };

static enum standing standing_of(const xq_pos *p, uint8_t a, uint8_t v,
                                 unsigned lift)
{
    struct xq_relation r;
    if (!xq_relation_of(p, a, v, false, &r))
        return APART;
    return pays(p, r, lift) ? PROFITABLE : COULD_TAKE;
}

bool xq_is_profitable(const xq_pos *p, uint8_t a, uint8_t v)
{
    return standing_of(p, a, v, 0) == PROFITABLE;
}

/* ---- one ply ---- */

/* XQ_HOW_ bits of how the victim stands in b1. */
static unsigned how_protected(const xq_pos *b1, struct xq_relation r)
{
    struct xq_relation full = r;
    unsigned how = r.flags & REL_RETURN ? XQ_HOW_EXCHANGE : 0;
    xq_relation_of(b1, r.a, r.v, true, &full);
    if (full.flags & REL_ROOT)
        return how | XQ_HOW_PROTECTED;
    return how |
           (full.flags & REL_FALSE_ROOT ? XQ_HOW_FALSE_ROOT : XQ_HOW_NO_ROOT);
}

unsigned xq_ply_chases(const struct xq_window *w, unsigned lift,
                       struct xq_chase out[XQ_MAX_RELATIONS])
{
    struct xq_relation all[XQ_MAX_RELATIONS];
    const unsigned count = xq_relations(&w->b1, w->mover, false, all);
    const uint8_t moved = w->b1.slot[xq_move_to(w->move)];
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct xq_relation r = all[i];
        if (!may_attack(xq_slot_kind(&w->b1, r.a), lift) ||
            !may_be_victim(&w->b1, r.v, lift) || !pays(&w->b1, r, lift))
            continue;
        const enum standing before = standing_of(&w->b0, r.a, r.v, lift);
        if (before == PROFITABLE && !(lift & LIFT_ANSWER && r.a == moved))
            continue;
        unsigned how = how_protected(&w->b1, r);
        if (r.a == moved)
            how |= XQ_HOW_MOVED;
        if (before == COULD_TAKE)
            how |= XQ_HOW_UNROOTED;
        else if (r.a != moved)
            how |= XQ_HOW_DISCOVERED;
        if (lift & LIFT_ANSWER ||
            standing_of(&w->b2, r.a, r.v, lift) != PROFITABLE)
            how |= XQ_HOW_ANSWERED;
        out[n++] = (struct xq_chase){r.a, r.v, (uint16_t)how};
    }
    return n;
}

/* ---- a window ---- */

/* What a ply does that counts. */
struct deed {
    bool check, answers_check;
    xq_slots direct;   /* victims of an attack that is new itself */
    xq_slots unrooted; /* victims by loss of root: A-41 may excuse it */
};

static struct deed deed_of(const struct xq_window *w, unsigned lift)
{
    struct xq_chase chases[XQ_MAX_RELATIONS];
    struct deed out = {w->check, w->answers_check, {{0, 0}}, {{0, 0}}};
    if (w->check)
        return out; /* it is a check, whatever else it attacks */
    const unsigned n = xq_ply_chases(w, lift, chases);
    for (unsigned i = 0; i < n; i++) {
        if (!(chases[i].how & XQ_HOW_ANSWERED))
            continue;
        if (chases[i].how & XQ_HOW_UNROOTED)
            xq_slots_add(&out.unrooted, chases[i].v);
        else
            xq_slots_add(&out.direct, chases[i].v);
    }
    return out;
}

/* Does the ply behind `last` answer a check or a chase?  What is chased by
 * loss of root alone does not count here: else two sides, each cutting roots
 * with every move, would excuse each other in turn, as whoever is asked first
 * decides. */
static bool answers(const struct deed *ply, const struct deed *last)
{
    return ply->answers_check || xq_slots_any(last->direct);
}

/* Enter a ply behind `last`, the other side's. */
static void enter(struct xq_pursuit *side, const struct deed *ply,
                  const struct deed *last, unsigned lift)
{
    xq_slots set = ply->direct;
    if (!answers(ply, last) || lift & LIFT_EXCUSE)
        set = xq_slots_or(set, ply->unrooted);
    side->common = side->plies ? xq_slots_and(side->common, set) : set;
    side->plies++;
    side->checks += ply->check;
    side->chasing += xq_slots_any(set);
}

void xq_pursuits(const xq_pos *first, const xq_move *moves, uint32_t n,
                 unsigned lift, struct xq_pursuit out[2])
{
    struct xq_window w;
    struct deed opening = {0}, last = {0};
    out[0] = out[1] = (struct xq_pursuit){0, 0, 0, {{0, 0}}};
    xq_window_open(&w, first, moves, n);
    while (xq_window_next(&w)) {
        const struct deed ply = deed_of(&w, lift);
        if (w.i == 0)
            opening = ply; /* what it answers the last ply will tell */
        else
            enter(&out[w.mover], &ply, &last, lift);
        last = ply;
    }
    enter(&out[first->side], &opening, &last, lift);
}

bool xq_answers_attack(const xq_pos *first, const xq_move *moves, uint32_t n,
                       uint32_t i)
{
    const uint32_t before = (i + n - 1) % n;
    struct xq_window w;
    struct deed ply = {0}, last = {0};
    xq_window_open(&w, first, moves, n);
    while (xq_window_next(&w)) {
        if (w.i == before)
            last = deed_of(&w, 0);
        if (w.i == i)
            ply = deed_of(&w, 0);
    }
    return answers(&ply, &last);
}
