/* article.c - which article decides a window by the Asian rules (article.h).
 *
 * Levels alone make the verdict; this file finds the words for it.  A chase
 * that loses is described by who chases whom, and how.  For a window that is
 * no perpetual chase, the conditions of a chase are lifted one after the
 * other: the first one without which it would be is the article. */
#include "engine/article.h"
#include "engine/traits.h"

struct window_of {
    const xq_pos *first;
    const xq_move *moves;
    uint32_t n;
};

static struct xq_window open_at(const struct window_of *of)
{
    struct xq_window w;
    xq_window_open(&w, of->first, of->moves, of->n);
    return w;
}

/* ---- a chase that loses ---- */

/* The plies of a chase, seen together. */
struct manner {
    bool by_king_or_pawn; /* all move the king or a pawn */
    bool uncovers;        /* no piece attacks that moves itself */
    bool exchange;        /* one offers an exchange as well */
    bool by_turns;        /* no piece attacks on all of them */
    bool on_tied_rook;    /* rook on a rook that is tied */
    bool on_like;         /* cannon on cannon and so on */
    bool on_rooted_rook;  /* horse or cannon on a protected rook */
    bool on_dearer;       /* protected or not */
    bool on_false_root;   /* */
    bool on_pawn;         /* */
};

static void add_chase(struct manner *out, const struct xq_window *w,
                      struct xq_chase c)
{
    const xq_kind a = xq_slot_kind(&w->b1, c.a), v = xq_slot_kind(&w->b1, c.v);
    out->uncovers &= (c.how & XQ_HOW_DISCOVERED) != 0;
    out->on_tied_rook |= a == v && v == XQ_ROOK;
    out->on_like |= a == v;
    out->on_dearer |= xq_is_worth_more(a, v);
    out->on_rooted_rook |= (c.how & XQ_HOW_PROTECTED) != 0;
    out->on_false_root |= (c.how & XQ_HOW_FALSE_ROOT) != 0;
    out->on_pawn |= v == XQ_PAWN;
}

static struct manner manner_of(const struct window_of *of, xq_side m,
                               xq_slots victims, unsigned lift)
{
    struct manner out = {.by_king_or_pawn = true, .uncovers = true};
    xq_slots on_all = {{~UINT64_C(0), ~UINT64_C(0)}};
    struct xq_window w = open_at(of);
    while (xq_window_next(&w)) {
        struct xq_chase chases[XQ_MAX_RELATIONS];
        if (w.mover != m)
            continue;
        const unsigned count = xq_ply_chases(&w, lift, chases);
        const xq_kind moved = xq_piece_kind(w.b1.at[xq_move_to(w.move)]);
        xq_slots attackers = {{0, 0}};
        for (unsigned i = 0; i < count; i++)
            if (chases[i].how & XQ_HOW_ANSWERED &&
                xq_slots_has(victims, chases[i].v)) {
                xq_slots_add(&attackers, chases[i].a);
                add_chase(&out, &w, chases[i]);
            }
        on_all = xq_slots_and(on_all, attackers);
        out.by_king_or_pawn &= moved == XQ_KING || moved == XQ_PAWN;
        out.exchange |= (xq_ply_traits(&w, 0) & XQ_TRAIT_EXCHANGE) != 0;
    }
    out.by_turns = !xq_slots_any(on_all);
    return out;
}

/* Does a rook among `victims` stand on the leg of a horse that would check its
 * king? */
static bool blocks_a_horse(const xq_pos *p, xq_side m, xq_slots victims)
{
    const xq_sq king = xq_pos_king(p, (xq_side)(m ^ 1));
    const unsigned horse = xq_piece_of(m, XQ_HORSE);
    for (unsigned i = p->first[horse]; i < p->first[horse + 1]; i++) {
        const xq_sq leg = xq_horse_leg[king][p->sq[i]];
        if (leg != XQ_NOSQ && xq_piece_kind(p->at[leg]) == XQ_ROOK &&
            xq_slots_has(victims, p->slot[leg]))
            return true;
    }
    return false;
}

static const char *chase_article(const struct window_of *of, xq_side m,
                                 xq_slots victims)
{
    struct xq_pursuit all[2];
    xq_pursuits(of->first, of->moves, of->n, LIFT_EXCUSE, all);
    if (xq_chases_forever(&all[m ^ 1])) /* but for A-41 it would be a draw */
        return blocks_a_horse(of->first, m, victims) ? "A-42" : "A-41";

    const struct manner how = manner_of(of, m, victims, 0);
    const struct {
        bool is;
        const char *article;
    } ARTICLES[] = {
        {how.by_king_or_pawn, "A-44"},
        {how.on_tied_rook, "A-40"},
        {how.exchange, "A-35"},
        {how.on_like, "A-35"},
        {how.on_rooted_rook, "A-33"},
        {how.uncovers, "A-34"},
        {how.by_turns, "A-37"},
        {how.on_dearer, "A-33"},
        {how.on_false_root, "A-32"},
        {how.on_pawn, "A-36"},
        {true, "A-30"},
    };
    size_t i = 0;
    while (!ARTICLES[i].is)
        i++;
    return ARTICLES[i].article;
}

/* ---- a draw ---- */

/* Would a side chase forever with these conditions lifted?  Then `out` says
 * which, and what. */
static bool lifted(const struct window_of *of, unsigned lift,
                   struct xq_why *out)
{
    struct xq_pursuit side[2];
    xq_pursuits(of->first, of->moves, of->n, lift, side);
    for (int s = 0; s < 2; s++)
        if (xq_chases_forever(&side[s])) {
            out->lift = lift;
            out->side = (xq_side)s;
            out->victims = side[s].common;
            return true;
        }
    return false;
}

/* The condition for which it is no perpetual chase, if it is only one. */
static bool missing_condition(const struct window_of *of, struct xq_why *out)
{
    static const struct {
        unsigned lift;
        const char *article;
    } LIFTS[] = {
        {LIFT_EXCHANGE, "A-35"},
        {LIFT_ROOT, "A-31"},
        {LIFT_EXCHANGE | LIFT_ROOT, "A-35"}, /* of protected pieces */
        {LIFT_VICTIM, "A-36"},
        {LIFT_ATTACKER, "A-43"},
    };
    for (size_t i = 0; i < sizeof LIFTS / sizeof *LIFTS; i++) {
        const unsigned lift = LIFTS[i].lift;
        if (!lifted(of, lift, out))
            continue;
        out->article = LIFTS[i].article;
        if (lift == LIFT_ROOT &&
            manner_of(of, out->side, out->victims, lift).on_tied_rook)
            out->article = "A-40"; /* the root stands on some squares only */
        return true;
    }
    return false;
}

/* Does every ply of the side threaten mate? */
static bool threatens_forever(const struct window_of *of, xq_side s,
                              uint32_t depth)
{
    struct xq_window w = open_at(of);
    while (xq_window_next(&w))
        if (w.mover == s && !xq_ply_threatens(&w, depth))
            return false;
    return true;
}

/* Does every ply of the side offer something, or block? */
static bool offers_forever(const struct window_of *of, xq_side s)
{
    struct xq_window w = open_at(of);
    while (xq_window_next(&w))
        if (w.mover == s &&
            !(xq_ply_traits(&w, 0) &
              (XQ_TRAIT_EXCHANGE | XQ_TRAIT_SACRIFICE | XQ_TRAIT_BLOCK)))
            return false;
    return true;
}

static struct xq_why why_drawn(const xq_profile *pr, const struct window_of *of,
                               const struct xq_pursuit side[2])
{
    struct xq_why why = {.article = "A-24"};
    if (side[0].checks || side[1].checks)
        return why;
    why.article = "A-38";
    for (int s = 0; s < 2; s++)
        if (side[s].chasing == side[s].plies)
            return why;
    if (missing_condition(of, &why))
        return why;
    why.article = "A-23";
    for (int s = 0; s < 2; s++)
        if (threatens_forever(of, (xq_side)s, pr->threat_depth))
            return why;
    why.article = "A-24";
    if (side[0].chasing || side[1].chasing)
        return why;
    why.article = "A-12";
    if (lifted(of, LIFT_ANSWER, &why))
        return why;
    why.article = "A-46";
    for (int s = 0; s < 2; s++)
        if (offers_forever(of, (xq_side)s))
            return why;
    why.article = "A-02";
    return why;
}

/* ---- all together ---- */

struct xq_why xq_asian_why(const xq_profile *pr, const xq_pos *first,
                           const xq_move *moves, uint32_t n,
                           const struct xq_pursuit side[2])
{
    const struct window_of of = {first, moves, n};
    struct xq_why why = {.article = "A-20"};
    for (int s = 0; s < 2; s++)
        if (xq_checks_forever(&side[s])) {
            if (xq_checks_forever(&side[!s]))
                why.article = "A-21";
            else if (side[!s].checks)
                why.article = "A-22";
            return why;
        }
    for (int s = 0; s < 2; s++)
        if (xq_chases_forever(&side[s])) {
            why.article = xq_chases_forever(&side[!s])
                              ? "A-39"
                              : chase_article(&of, (xq_side)s, side[s].common);
            return why;
        }
    return why_drawn(pr, &of, side);
}
