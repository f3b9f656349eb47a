/* search_mate.c - looking for a mate and nothing else (xq_limits.mate).
 *
 * The ordinary search prunes what looks hopeless, and a quiet move after two
 * sacrifices looks so.  This one prunes nothing: the attacker must have a
 * move to which every answer is met by a mate in time.  Its budget is counted
 * in quiet moves of the attacker; checks are free.  So long chains of checks
 * are found at once, and short mates with quiet moves soon after.
 *
 * Found within the budget, a mate is proved.  The hash table holds both
 * answers under keys of their own:
 *   LOWER  mates in `score` plies
 *   UPPER  no mate in `score` plies with `depth` quiet moves
 *
 * Where the natural limit may come first, and is a draw, a position is worth
 * what its count of plies makes of it: the count is part of the key then. */
#include "engine/search_parts.h"

static const uint64_t SALT = UINT64_C(0x9e3779b97f4a7c15);

static xq_key table_key(const struct worker *w, int plies)
{
    const xq_key key = w->pos.key ^ SALT;
    const uint32_t count = w->pos.halfmove;
    return (uint64_t)count + (unsigned)plies < w->s->limit_at
               ? key
               : key ^ (count + 1) * SALT;
}

/* Is there time left, and are there nodes left of what was granted? */
static bool may_go_on(struct worker *w)
{
    if (w->nodes >= w->next_look)
        xq_timer_look(w);
    if (!w->stopped && w->nodes >= w->mate_until)
        w->stopped = w->mate_cut = true;
    return !w->stopped;
}

static void take_line(struct frame *f, xq_move m)
{
    f->pv[0] = m;
    for (unsigned i = 0; i < f[1].npv; i++)
        f->pv[i + 1] = f[1].pv[i];
    f->npv = (uint16_t)(f[1].npv + 1);
}

static bool attack(struct worker *w, struct frame *f, int plies, int quiet);

/* Is every answer met?  The longest line stands in f->pv. */
static bool defend(struct worker *w, struct frame *f, int plies, int quiet)
{
    struct picker k;
    xq_move m;
    bool lost = true;
    f->npv = 0;
    if (plies == 0)
        return !xq_has_legal_move(&w->pos);
    if (path_at_limit(w))
        return false;
    f[1].killer[0] = f[1].killer[1] = XQ_NOMOVE;
    xq_pick_all(&k, w, f, XQ_NOMOVE);
    while (lost && (m = xq_pick_next(&k, false)) != XQ_NOMOVE) {
        path_make(w, f, m, gives_check(&w->pos, m));
        lost = attack(w, f + 1, plies - 1, quiet);
        path_unmake(w, f);
        if (lost && f[1].npv + 1 > f->npv)
            take_line(f, m);
        if (!lost && w->pos.at[xq_move_to(m)] == XQ_EMPTY)
            f->killer[0] = m; /* a defence often serves again */
    }
    pick_end(&k);
    return lost && !w->stopped;
}

static bool attack(struct worker *w, struct frame *f, int plies, int quiet)
{
    const xq_key key = table_key(w, plies);
    struct xq_tt_hit hit = {.move = XQ_NOMOVE};
    struct picker k;
    xq_move m;
    f->npv = 0;
    if (!may_go_on(w) || (int)(f - w->root) + plies >= XQ_MAX_PLY ||
        path_at_limit(w))
        return false;
    if (xq_tt_probe(&w->s->tt, key, 0, &hit) && hit.bound == XQ_TT_UPPER &&
        hit.score >= plies && hit.depth >= quiet)
        return false;
    bool won = false;
    f[1].killer[0] = f[1].killer[1] = XQ_NOMOVE;
    xq_pick_all(&k, w, f, hit.move);
    while (!won && !w->stopped && (m = xq_pick_next(&k, false)) != XQ_NOMOVE) {
        const bool check = gives_check(&w->pos, m);
        if (!check && quiet == 0)
            continue;
        path_make(w, f, m, check);
        won = defend(w, f + 1, plies - 1, check ? quiet : quiet - 1);
        path_unmake(w, f);
        if (won) {
            take_line(f, m);
            hit.move = m;
        }
    }
    pick_end(&k);
    if (w->stopped)
        return false;
    hit.score = (int16_t)plies;
    hit.depth = (int8_t)quiet;
    hit.bound = won ? XQ_TT_LOWER : XQ_TT_UPPER;
    hit.eval = XQ_TT_NO_EVAL;
    hit.pv = false;
    xq_tt_store(&w->s->tt, key, 0, &hit);
    return won;
}

/* The root moves are tried as the caller limits them. */
static struct root_move *attack_root(struct worker *w, int plies, int quiet)
{
    struct frame *f = w->root;
    for (unsigned i = 0; i < w->nroot; i++) {
        struct root_move *r = &w->root_moves[i];
        const bool check = gives_check(&w->pos, r->move);
        if ((!check && quiet == 0) || r->ruled != XQ_INFINITE)
            continue;
        path_make(w, f, r->move, check);
        const bool won = defend(w, f + 1, plies - 1, check ? quiet : quiet - 1);
        path_unmake(w, f);
        if (w->stopped)
            return NULL;
        if (won) {
            take_line(f, r->move);
            return r;
        }
    }
    return NULL;
}

/* True: found, and put in front. */
static bool look_for_mate(struct worker *w)
{
    const struct xq_search *s = w->s;
    const unsigned own =
        s->lim->mate < XQ_MAX_PLY / 2 ? s->lim->mate : XQ_MAX_PLY / 2;
    for (unsigned quiet = 0; quiet <= own; quiet++)
        for (unsigned n = quiet ? quiet : 1; n <= own; n++) {
            struct root_move *r = attack_root(w, (int)(2 * n - 1), (int)quiet),
                             found;
            if (w->stopped)
                return false;
            if (!r)
                continue;
            found = *r;
            found.npv = w->root->npv;
            for (unsigned i = 0; i < found.npv; i++)
                found.pv[i] = w->root->pv[i];
            found.score = XQ_MATE_IN(found.npv);
            found.seldepth = found.npv - 1;
            found.depth = found.npv;
            *r = w->root_moves[0];
            w->root_moves[0] = found;
            w->depth = w->done = found.npv;
            return true;
        }
    return false;
}

enum xq_mate_search xq_search_mate(struct worker *w, uint64_t nodes)
{
    w->mate_until = w->nodes + nodes;
    w->mate_cut = false;
    const bool found = look_for_mate(w);
    if (w->mate_cut) { /* the search as a whole goes on */
        w->stopped = w->mate_cut = false;
        return XQ_MATE_OPEN;
    }
    return found ? XQ_MATE_FOUND : w->stopped ? XQ_MATE_OPEN : XQ_MATE_NONE;
}
