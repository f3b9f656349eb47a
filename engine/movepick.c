/* movepick.c - moves of a node, the most promising first.
 *
 * Most nodes need one move, so moves are made in stages and only when asked
 * for: the move of the hash table, captures that win something, killers and
 * the counter-move, quiet moves by history, captures that lose something.
 * Whether a move leaves the own king in check is tested last, by one look out
 * from the king (internal.h): most moves need no test. */
#include "engine/search_parts.h"

enum stage {
    TREE_HASH,
    TREE_CAPTURES,
    TREE_GOOD,
    TREE_KILLER_1,
    TREE_KILLER_2,
    TREE_COUNTER,
    TREE_QUIETS,
    TREE_QUIET,
    TREE_BAD,
    EVADE_HASH,
    EVADE_ALL,
    EVADE,
    QUIET_HASH,
    QUIET_CAPTURES,
    QUIET_GOOD,
    QUIET_CHECKS,
    QUIET_CHECK,
    DONE,
};

/* ---- making moves ---- */

/* Moves of one piece. */
XQ_INLINE struct scored *emit(struct scored *m, xq_sq from, xq_set to)
{
    for (unsigned half = 0; half < 2; half++)
        for (uint64_t t = to.half[half]; t; t &= t - 1)
            (m++)->move = xq_move_make(
                from, (xq_sq)((unsigned)__builtin_ctzll(t) + 45 * half));
    return m;
}

XQ_INLINE xq_set slides_of(const xq_pos *p, xq_sq s, bool cannon)
{
    unsigned f = xq_file_of[s], r = xq_rank_of[s];
    struct xq_reach a = xq_reach[f][line_occ(p->line[r])];
    struct xq_reach b = xq_reach[r][line_occ(p->line[10 + f])];
    return cannon ? lines_to_set(a.cannon, b.cannon, s)
                  : lines_to_set(a.rook, b.rook, s);
}

/* Pseudo-legal moves to squares of `mask`. */
static struct scored *make_moves(const xq_pos *p, xq_set mask, struct scored *m)
{
    unsigned side = p->side, base = 8 * side;
    const uint8_t *first = p->first + base;
    unsigned i = first[XQ_KING];
    xq_sq s = p->sq[i++];
    m = emit(m, s, set_and(xq_king_to[side][s], mask));
    for (; i < first[XQ_ADVISOR + 1]; i++)
        if ((s = p->sq[i]) != XQ_NOSQ)
            m = emit(m, s, set_and(xq_advisor_to[side][s], mask));
    for (; i < first[XQ_ELEPHANT + 1]; i++)
        if ((s = p->sq[i]) != XQ_NOSQ)
            m = emit(
                m, s,
                set_and(xq_elephant_to[side][s][blocked_eyes(p, s)], mask));
    for (; i < first[XQ_HORSE + 1]; i++)
        if ((s = p->sq[i]) != XQ_NOSQ)
            m = emit(m, s, set_and(xq_horse_to[s][blocked_legs(p, s)], mask));
    for (; i < first[XQ_ROOK + 1]; i++)
        if ((s = p->sq[i]) != XQ_NOSQ)
            m = emit(m, s, set_and(slides_of(p, s, false), mask));
    for (; i < first[XQ_CANNON + 1]; i++)
        if ((s = p->sq[i]) != XQ_NOSQ)
            m = emit(m, s, set_and(slides_of(p, s, true), mask));
    for (; i < first[XQ_PAWN + 1]; i++)
        if ((s = p->sq[i]) != XQ_NOSQ)
            m = emit(m, s, set_and(xq_pawn_to[side][s], mask));
    return m;
}

static xq_set side_set(const xq_pos *p, unsigned side)
{
    return (xq_set){{p->own[side][0], p->own[side][1]}};
}

/* A king is never taken: in odd positions it could be. */
static xq_set victims(const xq_pos *p)
{
    xq_set set = side_set(p, p->side ^ 1u);
    xq_sq king = xq_pos_king(p, (xq_side)(p->side ^ 1));
    set.half[half_of(king)] &= ~bit_of(king);
    return set;
}

static xq_set empties(const xq_pos *p)
{
    const uint64_t half = (UINT64_C(1) << 45) - 1;
    xq_set set = set_or(side_set(p, 0), side_set(p, 1));
    return (xq_set){{~set.half[0] & half, ~set.half[1] & half}};
}

/* Answers to a check: of the pieces that need not stay, only moves to where it
 * is met. */
static struct scored *make_evasions(const struct picker *k, struct scored *m)
{
    const xq_pos *p = k->p;
    struct scored *all = make_moves(p, set_or(victims(p), empties(p)), m), *to;
    for (to = m; m < all; m++) {
        xq_sq from = xq_move_from(m->move);
        if (from == k->king || set_has(k->look.leave, from) ||
            set_has(k->look.resolve, xq_move_to(m->move)))
            *to++ = *m;
    }
    return to;
}

/* Quiet moves by which the moving piece attacks the enemy's king.  (Discovered
 * checks are left out: they cost more to find than they bring at a leaf.) */
static struct scored *make_checks(const xq_pos *p, struct scored *m)
{
    unsigned side = p->side, base = 8 * side;
    const uint8_t *first = p->first + base;
    xq_sq king = xq_pos_king(p, (xq_side)(side ^ 1)), s;
    unsigned f = xq_file_of[king], r = xq_rank_of[king];
    unsigned file = line_occ(p->line[10 + f]), rank = line_occ(p->line[r]);
    unsigned near_f = xq_reach[r][file].rook, near_r = xq_reach[f][rank].rook;
    xq_set rooks = lines_to_set(near_r & ~rank, near_f & ~file, king);
    /* Beyond one screen. */
    unsigned far_f = xq_reach[r][file & ~near_f].rook & ~near_f & ~file;
    unsigned far_r = xq_reach[f][rank & ~near_r].rook & ~near_r & ~rank;
    xq_set cannons = lines_to_set(far_r, far_f, king), free = empties(p);
    unsigned i;
    for (i = first[XQ_HORSE]; i < first[XQ_HORSE + 1]; i++) {
        if ((s = p->sq[i]) == XQ_NOSQ)
            continue;
        xq_set to = set_and(xq_horse_to[s][blocked_legs(p, s)], free);
        while (set_any(to)) {
            xq_sq t = set_pop(&to), leg = xq_horse_leg[king][t];
            if (leg != XQ_NOSQ && (p->at[leg] == XQ_EMPTY || leg == s))
                (m++)->move = xq_move_make(s, t);
        }
    }
    for (; i < first[XQ_ROOK + 1]; i++)
        if ((s = p->sq[i]) != XQ_NOSQ)
            m = emit(m, s, set_and(slides_of(p, s, false), rooks));
    if (set_any(cannons))
        for (; i < first[XQ_CANNON + 1]; i++)
            if ((s = p->sq[i]) != XQ_NOSQ)
                m = emit(
                    m, s,
                    set_and(slides_of(p, s, true), set_and(cannons, free)));
    for (i = first[XQ_PAWN]; i < first[XQ_PAWN + 1]; i++)
        if ((s = p->sq[i]) != XQ_NOSQ && half_of(s) != side) {
            xq_set to = set_and(xq_pawn_to[side][s], free);
            to.half[side] = 0;
            to.half[side ^ 1] &= xq_pawn_from[king];
            m = emit(m, s, to);
        }
    return m;
}

/* ---- their order ---- */

static void score_captures(const struct picker *k, struct scored *m)
{
    const xq_pos *p = k->p;
    for (; m < k->end; m++) {
        xq_sq from = xq_move_from(m->move), to = xq_move_to(m->move);
        unsigned taken = p->at[to] & 7u;
        m->score =
            16 * xq_see_value[taken] + k->h->capture[p->at[from]][to][taken];
    }
}

static void score_quiets(const struct picker *k, struct scored *m)
{
    const xq_pos *p = k->p;
    const struct history *h = k->h;
    const int16_t *before = h->after[0][k->f[-1].where];
    const int16_t *earlier = h->after[1][k->f[-2].where];
    for (; m < k->end; m++) {
        xq_sq from = xq_move_from(m->move), to = xq_move_to(m->move);
        unsigned what = where_of(p->at[from] & 7, to);
        m->score = h->quiet[p->side][from][to] + before[what] + earlier[what];
    }
}

static void score_evasions(const struct picker *k, struct scored *m)
{
    const xq_pos *p = k->p;
    for (; m < k->end; m++) {
        xq_sq from = xq_move_from(m->move), to = xq_move_to(m->move);
        unsigned piece = p->at[from], taken = p->at[to] & 7u;
        unsigned what = where_of(piece & 7, to);
        m->score = taken ? (1 << 20) + 16 * xq_see_value[taken] -
                               xq_see_value[piece & 7]
                         : k->h->quiet[p->side][from][to] +
                               k->h->after[0][k->f[-1].where][what];
    }
}

/* The best of the rest, the first of equals, swapped to the front.  Which one
 * it is cannot be foreseen: score and place make one number, and the greatest
 * is found without branches. */
static xq_move take_best(struct picker *k)
{
    struct scored *list = k->next;
    const int64_t n = k->end - list;
    int64_t best = INT64_MIN;
    for (int64_t i = 0; i < n; i++) {
        const int64_t rank = (int64_t)list[i].score * 65536 + (n - i);
        best = rank > best ? rank : best;
    }
    struct scored *at = &list[n - (best & 65535)], top = *at;
    *at = *list;
    k->next++;
    return top.move;
}

/* ---- the king's safety ---- */

static void look_out(struct picker *k)
{
    if (k->looked)
        return;
    k->looked = true;
    k->king = xq_pos_king(k->p, (xq_side)k->p->side);
    xq_look_out(k->p, k->king, &k->look);
}

/* Is a pseudo-legal move legal? */
static bool is_safe(const struct picker *k, xq_move m)
{
    xq_sq from = xq_move_from(m), to = xq_move_to(m);
    if (from == k->king)
        return !king_hit_at(k->p, from, to);
    if (k->look.quiet)
        return true;
    if (set_has(k->look.leave, from))
        return !king_hit_after(k->p, k->king, from, to);
    if (k->look.check)
        return set_has(k->look.resolve, to) &&
               !king_hit_after(k->p, k->king, from, to);
    return !set_has(k->look.land, to);
}

/* ---- stages ---- */

/* A list ends at `end`; those of deeper nodes begin there. */
static void listed(struct picker *k, struct scored *end)
{
    k->end = end;
    k->w->moves_top = end;
}

static void make_captures(struct picker *k)
{
    look_out(k);
    listed(k, make_moves(k->p, victims(k->p), k->next));
    score_captures(k, k->next);
}

static void start(struct picker *k, struct worker *w, struct frame *f,
                  xq_move hash, unsigned stage)
{
    k->w = w;
    k->p = &w->pos;
    k->h = w->history;
    k->f = f;
    k->hash = hash && xq_move_is_legal(&w->pos, hash) ? hash : XQ_NOMOVE;
    k->stage = k->hash ? stage : stage + 1;
    k->looked = false;
    k->begin = k->next = k->end = k->bad_end = w->moves_top;
}

void xq_pick_all(struct picker *k, struct worker *w, struct frame *f,
                 xq_move hash)
{
    start(k, w, f, hash, f->check ? EVADE_HASH : TREE_HASH);
    k->least = 0;
    /* out of check all moves are sorted by history; the caller asks for the
     * killers all the same */
    k->killer[0] = f->check ? XQ_NOMOVE : f->killer[0];
    k->killer[1] = f->check ? XQ_NOMOVE : f->killer[1];
    k->counter = w->history->counter[f[-1].where];
}

void xq_pick_captures(struct picker *k, struct worker *w, struct frame *f,
                      xq_move hash, int least, bool checks)
{
    start(k, w, f, hash, QUIET_HASH);
    k->least = least;
    k->checks = checks;
}

/* Hand out a move; the hash table has time to look for what comes of it. */
static xq_move give(const struct picker *k, xq_move m)
{
    expect(k->w, m);
    return m;
}

/* A quiet move remembered from elsewhere: is it one here? */
static bool suits(struct picker *k, xq_move m)
{
    return m != XQ_NOMOVE && m != k->hash &&
           k->p->at[xq_move_to(m)] == XQ_EMPTY && xq_move_is_pseudo(k->p, m) &&
           is_safe(k, m);
}

xq_move xq_pick_next(struct picker *k, bool skip_quiets)
{
    xq_move m;
    switch ((enum stage)k->stage) {
    case TREE_HASH:
    case EVADE_HASH:
    case QUIET_HASH:
        k->stage++;
        return give(k, k->hash);

    case TREE_CAPTURES:
        make_captures(k);
        k->stage = TREE_GOOD;
        /* fall through */
    case TREE_GOOD:
        while (k->next < k->end) {
            m = take_best(k);
            if (m == k->hash || !is_safe(k, m))
                continue;
            expect(k->w, m);
            if (xq_see(k->p, m, k->least))
                return m;
            (k->bad_end++)->move = m; /* over moves already taken */
        }
        k->stage++;
        /* fall through */
    case TREE_KILLER_1:
        k->stage = TREE_KILLER_2;
        if (!skip_quiets && suits(k, k->killer[0]))
            return give(k, k->killer[0]);
        /* fall through */
    case TREE_KILLER_2:
        k->stage = TREE_COUNTER;
        if (!skip_quiets && suits(k, k->killer[1]))
            return give(k, k->killer[1]);
        /* fall through */
    case TREE_COUNTER:
        k->stage = TREE_QUIETS;
        if (!skip_quiets && k->counter != k->killer[0] &&
            k->counter != k->killer[1] && suits(k, k->counter))
            return give(k, k->counter);
        /* fall through */
    case TREE_QUIETS:
        k->stage = TREE_QUIET;
        k->next = k->end = k->bad_end;
        if (!skip_quiets) {
            listed(k, make_moves(k->p, empties(k->p), k->next));
            score_quiets(k, k->next);
        }
        /* fall through */
    case TREE_QUIET:
        while (!skip_quiets && k->next < k->end) {
            m = take_best(k);
            if (m != k->hash && m != k->killer[0] && m != k->killer[1] &&
                m != k->counter && is_safe(k, m))
                return give(k, m);
        }
        k->stage = TREE_BAD;
        k->next = k->begin;
        k->end = k->bad_end;
        /* fall through */
    case TREE_BAD:
        if (k->next < k->end)
            return give(k, (k->next++)->move);
        k->stage = DONE;
        return XQ_NOMOVE;

    case EVADE_ALL:
        look_out(k);
        listed(k, make_evasions(k, k->next));
        score_evasions(k, k->next);
        k->stage++;
        /* fall through */
    case EVADE:
        while (k->next < k->end) {
            m = take_best(k);
            if (m != k->hash && is_safe(k, m))
                return give(k, m);
        }
        k->stage = DONE;
        return XQ_NOMOVE;

    case QUIET_CAPTURES:
        make_captures(k);
        k->stage = QUIET_GOOD;
        /* fall through */
    case QUIET_GOOD:
        while (k->next < k->end) {
            m = take_best(k);
            if (m == k->hash)
                continue;
            expect(k->w, m); /* while the exchange is counted */
            if (xq_see(k->p, m, k->least) && is_safe(k, m))
                return m;
        }
        if (!k->checks) {
            k->stage = DONE;
            return XQ_NOMOVE;
        }
        /* fall through */
    case QUIET_CHECKS:
        k->stage = QUIET_CHECK;
        k->next = k->begin;
        listed(k, make_checks(k->p, k->next));
        score_quiets(k, k->next);
        /* fall through */
    case QUIET_CHECK:
        while (k->next < k->end) {
            m = take_best(k);
            if (m == k->hash || !is_safe(k, m))
                continue;
            expect(k->w, m);
            if (xq_see(k->p, m, 0))
                return m;
        }
        k->stage = DONE;
        return XQ_NOMOVE;

    case DONE:
        break;
    }
    return XQ_NOMOVE;
}
