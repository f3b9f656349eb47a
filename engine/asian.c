/* asian.c - the Asian rules (engine/README.md): levels and verdict, and what a
 * ply is. */
#include "engine/article.h"
#include "engine/judge.h"
#include "engine/traits.h"

/* ---- the verdict (A-20 to A-39) ---- */

static uint8_t level_of(const struct xq_pursuit *side)
{
    return xq_checks_forever(side) ? 2 : xq_chases_forever(side) ? 1 : 0;
}

static xq_outcome outcome_of(uint8_t red, uint8_t black)
{
    if (red == black)
        return XQ_DRAW;
    return red > black ? XQ_RED_LOSES : XQ_BLACK_LOSES;
}

void xq_asian_judge(const xq_profile *pr, const xq_pos *first,
                    const xq_move *moves, uint32_t n, xq_ruling *out)
{
    struct xq_pursuit side[2];
    xq_pursuits(first, moves, n, 0, side);
    for (int s = 0; s < 2; s++) {
        xq_conduct *c = &out->side[s];
        c->plies[XQ_CHECK] = side[s].checks;
        c->plies[XQ_CHASE] = side[s].chasing;
        c->plies[XQ_IDLE] = side[s].plies - side[s].checks - side[s].chasing;
        c->level = level_of(&side[s]);
    }
    out->outcome =
        outcome_of(out->side[XQ_RED].level, out->side[XQ_BLACK].level);
    out->article = xq_asian_why(pr, first, moves, n, side).article;
}

/* ---- one ply ---- */

static bool counts(unsigned how)
{
    return how & XQ_HOW_ANSWERED && !(how & XQ_HOW_EXCUSED);
}

static xq_attack attack_of(const xq_pos *b1, struct xq_chase c)
{
    const xq_sq a = b1->sq[c.a], v = b1->sq[c.v];
    return (xq_attack){a, v, b1->at[a], b1->at[v], c.how};
}

/* The attacks of a ply; true when one of them counts. */
static bool list_attacks(const struct xq_window *w, bool excused,
                         xq_slots lasting, xq_ply *out)
{
    struct xq_chase chases[XQ_MAX_RELATIONS];
    bool any = false;
    out->count = xq_ply_chases(w, 0, chases);
    for (unsigned i = 0; i < out->count; i++) {
        struct xq_chase c = chases[i];
        if (excused && c.how & XQ_HOW_UNROOTED)
            c.how |= XQ_HOW_EXCUSED;
        if (counts(c.how) && xq_slots_has(lasting, c.v))
            c.how |= XQ_HOW_LASTING;
        any |= counts(c.how);
        if (i < XQ_MAX_ATTACKS)
            out->attacks[i] = attack_of(&w->b1, c);
    }
    return any;
}

static bool is_listed(const xq_ply *p, const xq_attack *t)
{
    for (unsigned i = 0; i < p->count && i < XQ_MAX_ATTACKS; i++)
        if (p->attacks[i].attacker == t->attacker &&
            p->attacks[i].victim == t->victim)
            return true;
    return false;
}

/* The attacks for which the window would be a perpetual chase if it were not
 * for the article that decides.  (Those of kings and pawns are notes.) */
static void list_spared(const struct xq_window *w, const struct xq_why *why,
                        xq_ply *out)
{
    struct xq_chase chases[XQ_MAX_RELATIONS];
    if (!why->lift || why->lift == LIFT_ATTACKER || why->side != w->mover)
        return;
    const unsigned n = xq_ply_chases(w, why->lift, chases);
    for (unsigned i = 0; i < n; i++) {
        struct xq_chase c = chases[i];
        c.how |= XQ_HOW_SPARED;
        const xq_attack t = attack_of(&w->b1, c);
        if (!(c.how & XQ_HOW_ANSWERED) || !xq_slots_has(why->victims, c.v) ||
            is_listed(out, &t))
            continue;
        if (out->count < XQ_MAX_ATTACKS)
            out->attacks[out->count] = t;
        out->count++;
    }
}

/* Would the ply chase if the king's and pawns' attacks counted? */
static void list_king_and_pawns(const struct xq_window *w, xq_ply *out)
{
    struct xq_chase chases[XQ_MAX_RELATIONS];
    const unsigned n = xq_ply_chases(w, LIFT_ATTACKER, chases);
    for (unsigned i = 0; i < n; i++) {
        const xq_kind a = xq_slot_kind(&w->b1, chases[i].a);
        if (!counts(chases[i].how) || (a != XQ_KING && a != XQ_PAWN))
            continue;
        const xq_attack t = attack_of(&w->b1, chases[i]);
        const xq_ply_note note = {
            .trait = XQ_TRAIT_KING_OR_PAWN,
            .attacker = t.attacker,
            .victim = t.victim,
            .attacker_piece = t.attacker_piece,
            .victim_piece = t.victim_piece,
        };
        out->traits |= XQ_TRAIT_KING_OR_PAWN;
        xq_ply_add_note(out, &note);
    }
}

static xq_nature nature_of(bool check, unsigned traits)
{
    if (check)
        return XQ_CHECK;
    if (traits & XQ_TRAIT_CHASES)
        return XQ_CHASE;
    return traits & XQ_TRAIT_MATE_THREAT ? XQ_MATE_THREAT : XQ_IDLE;
}

void xq_asian_explain(const xq_profile *pr, const xq_pos *first,
                      const xq_move *moves, uint32_t n, uint32_t i, xq_ply *out)
{
    const bool excused = xq_answers_attack(first, moves, n, i);
    struct xq_pursuit side[2];
    struct xq_window w;
    xq_slots lasting = {{0, 0}};
    xq_pursuits(first, moves, n, 0, side);
    xq_window_open(&w, first, moves, n);
    while (xq_window_next(&w) && w.i < i)
        ;
    if (xq_chases_forever(&side[w.mover]))
        lasting = side[w.mover].common;
    if (list_attacks(&w, excused, lasting, out))
        out->traits |= XQ_TRAIT_CHASES;
    const struct xq_why why = xq_asian_why(pr, first, moves, n, side);
    list_spared(&w, &why, out);
    list_king_and_pawns(&w, out);
    xq_ply_explain(&w, pr->threat_depth, out);
    out->nature = nature_of(w.check, out->traits);
}
