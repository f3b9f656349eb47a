/* perft.c - counting leaves.
 *
 * One ply before the leaves nothing is generated.  Pseudo-legal moves are
 * counted by table, and the look out from the king tells whether some of
 * them need a closer look: in most positions only the king's own steps do. */
#include "engine/internal.h"

/* ---- pseudo-legal moves, the king's left out ---- */

XQ_INLINE unsigned count_sliders(const xq_pos *p, unsigned code, unsigned side,
                                 bool cannon)
{
    unsigned n = 0;
    for (unsigned i = p->first[code]; i < p->first[code + 1]; i++) {
        xq_sq s = p->sq[i];
        if (s == XQ_NOSQ)
            continue;
        unsigned f = xq_file_of[s], r = xq_rank_of[s];
        uint64_t rank = p->line[r], file = p->line[10 + f];
        struct xq_reach a = xq_reach[f][line_occ(rank)];
        struct xq_reach b = xq_reach[r][line_occ(file)];
        unsigned on_rank = cannon ? a.cannon : a.rook;
        unsigned on_file = cannon ? b.cannon : b.rook;
        n += (unsigned)__builtin_popcount(
            (on_rank & XQ_RANK_BITS & ~line_own(rank, side)) |
            (on_file & ~line_own(file, side)) << 16);
    }
    return n;
}

XQ_INLINE unsigned count_free(const xq_set *to, xq_set own)
{
    return set_count(set_minus(*to, own));
}

XQ_INLINE unsigned count_pieces(const xq_pos *p)
{
    unsigned side = p->side, base = 8 * side, n = 0, i;
    xq_set own = {{p->own[side][0], p->own[side][1]}};
    const uint8_t *first = p->first + base;
    for (i = first[XQ_ADVISOR]; i < first[XQ_ADVISOR + 1]; i++)
        if (p->sq[i] != XQ_NOSQ)
            n += count_free(&xq_advisor_to[side][p->sq[i]], own);
    for (i = first[XQ_ELEPHANT]; i < first[XQ_ELEPHANT + 1]; i++)
        if (p->sq[i] != XQ_NOSQ)
            n += count_free(
                &xq_elephant_to[side][p->sq[i]][blocked_eyes(p, p->sq[i])],
                own);
    for (i = first[XQ_HORSE]; i < first[XQ_HORSE + 1]; i++)
        if (p->sq[i] != XQ_NOSQ)
            n += count_free(&xq_horse_to[p->sq[i]][blocked_legs(p, p->sq[i])],
                            own);
    for (i = first[XQ_PAWN]; i < first[XQ_PAWN + 1]; i++)
        if (p->sq[i] != XQ_NOSQ)
            n += count_free(&xq_pawn_to[side][p->sq[i]], own);
    return n + count_sliders(p, base + XQ_ROOK, side, false) +
           count_sliders(p, base + XQ_CANNON, side, true);
}

/* ---- legal moves ---- */

XQ_INLINE unsigned count_king(const xq_pos *p, xq_sq king)
{
    unsigned n = 0;
    xq_set to = xq_targets(p, king);
    while (set_any(to))
        n += !king_hit_at(p, king, set_pop(&to));
    return n;
}

/* Moves of other pieces that leave the king attacked, when it is not in
 * check now. */
XQ_INLINE unsigned count_unsafe(const xq_pos *p, xq_sq king,
                                const struct xq_lookout *look)
{
    unsigned n = 0, base = 8u * p->side;
    for (unsigned i = p->first[base + XQ_ADVISOR]; i < p->first[base + 8];
         i++) {
        xq_sq s = p->sq[i];
        if (s == XQ_NOSQ)
            continue;
        if (!set_has(look->leave, s)) {
            if (set_any(look->land))
                n += set_count(set_and(xq_targets(p, s), look->land));
            continue;
        }
        for (xq_set to = xq_targets(p, s); set_any(to);)
            n += king_hit_after(p, king, s, set_pop(&to));
    }
    return n;
}

/* Moves of other pieces that answer a check. */
XQ_INLINE unsigned count_answers(const xq_pos *p, xq_sq king,
                                 const struct xq_lookout *look)
{
    unsigned n = 0, base = 8u * p->side;
    for (unsigned i = p->first[base + XQ_ADVISOR]; i < p->first[base + 8];
         i++) {
        xq_sq s = p->sq[i];
        if (s == XQ_NOSQ)
            continue;
        xq_set to = xq_targets(p, s);
        if (!set_has(look->leave, s))
            to = set_and(to, look->resolve);
        while (set_any(to))
            n += !king_hit_after(p, king, s, set_pop(&to));
    }
    return n;
}

/* Legal moves, in a position where the enemy's king cannot be captured. */
XQ_INLINE unsigned count_legal(const xq_pos *p)
{
    xq_sq king = xq_pos_king(p, (xq_side)p->side);
    struct xq_lookout look;
    xq_look_out(p, king, &look);
    unsigned n = count_king(p, king);
    if (look.check)
        return n + count_answers(p, king, &look);
    n += count_pieces(p);
    return look.quiet ? n : n - count_unsafe(p, king, &look);
}

/* ---- the tree ---- */

typedef unsigned count_fn(const xq_pos *p);

static unsigned count_portable(const xq_pos *p) { return count_legal(p); }

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("popcnt,bmi"))) static unsigned
count_popcnt(const xq_pos *p)
{
    return count_legal(p);
}
static count_fn *best_count(void)
{
    return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi")
               ? count_popcnt
               : count_portable;
}
#else
static count_fn *best_count(void) { return count_portable; }
#endif

/* Leaves below *p, depth >= 2; *p is changed and put back. */
static uint64_t walk(xq_pos *p, unsigned depth, count_fn *count)
{
    xq_movelist list;
    struct board_undo u;
    uint64_t n = 0;
    xq_gen_legal(p, &list);
    for (unsigned i = 0; i < list.n; i++) {
        board_make(p, list.m[i], &u);
        n += depth == 2 ? count(p) : walk(p, depth - 1, count);
        board_unmake(p, &u);
    }
    return n;
}

static uint64_t perft(const xq_pos *p, unsigned depth, count_fn *count)
{
    if (depth == 0)
        return 1;
    if (depth == 1) { /* the position may be odd */
        xq_movelist list;
        xq_gen_legal(p, &list);
        return list.n;
    }
    xq_pos copy = *p;
    return walk(&copy, depth, count);
}

uint64_t xq_perft(const xq_pos *p, unsigned depth)
{
    return perft(p, depth, best_count());
}

uint64_t xq_perft_portable(const xq_pos *p, unsigned depth)
{
    return perft(p, depth, count_portable);
}
