/* internal.h - what the files of the rules core share.
 *
 * A set of squares is kept in two halves of 45 bits, Red's half (ranks 0-4)
 * and Black's (5-9): palace, elephants and uncrossed pawns live in one half
 * only.  Sliders work by line: what stands on a rank or file is an index
 * into tables of what a piece at a given place on it reaches.
 *
 * Tables named in this file come from mktables.c, which writes them into the
 * build folder, or are literals in tables.c. */
#ifndef XQ_ENGINE_INTERNAL_H
#define XQ_ENGINE_INTERNAL_H

#include "engine/key.h"
#include "engine/rules.h"

#if defined(__GNUC__)
#define XQ_INLINE static inline __attribute__((always_inline))
#else
#define XQ_INLINE static inline
#endif

/* ---- sets of squares ---- */

typedef struct xq_set {
    uint64_t half[2];
} xq_set;

/* By sums, not by a comparison: of that compilers make a branch, and which
 * half a square lies in is not to be foreseen. */
XQ_INLINE unsigned half_of(xq_sq s) { return (s + 83u) >> 7; /* s >= 45 */ }
XQ_INLINE unsigned place_in_half(xq_sq s) { return s - 45 * half_of(s); }
XQ_INLINE uint64_t bit_of(xq_sq s) { return UINT64_C(1) << place_in_half(s); }

XQ_INLINE bool set_has(xq_set a, xq_sq s)
{
    return a.half[half_of(s)] >> place_in_half(s) & 1;
}
XQ_INLINE void set_add(xq_set *a, xq_sq s) { a->half[half_of(s)] |= bit_of(s); }
XQ_INLINE bool set_any(xq_set a) { return (a.half[0] | a.half[1]) != 0; }
XQ_INLINE xq_set set_and(xq_set a, xq_set b)
{
    return (xq_set){{a.half[0] & b.half[0], a.half[1] & b.half[1]}};
}
XQ_INLINE xq_set set_or(xq_set a, xq_set b)
{
    return (xq_set){{a.half[0] | b.half[0], a.half[1] | b.half[1]}};
}
XQ_INLINE xq_set set_minus(xq_set a, xq_set b)
{
    return (xq_set){{a.half[0] & ~b.half[0], a.half[1] & ~b.half[1]}};
}
XQ_INLINE unsigned set_count(xq_set a)
{
    return (unsigned)(__builtin_popcountll(a.half[0]) +
                      __builtin_popcountll(a.half[1]));
}
/* Take the lowest square out of a set that is not empty. */
XQ_INLINE xq_sq set_pop(xq_set *a)
{
    unsigned h = a->half[0] == 0;
    unsigned s = (unsigned)__builtin_ctzll(a->half[h]) + 45 * h;
    a->half[h] &= a->half[h] - 1;
    return (xq_sq)s;
}

/* ---- tables ---- */

/* What a piece at a place on a line reaches, by the line's occupancy: empty
 * squares up to the first piece on either side, and beyond them
 *   rook    the first piece,
 *   cannon  the second piece (over one screen).
 * Ownership is not looked at.  Ranks use the table of the longer files; bit 9
 * of the answer, off the board, is then to be ignored (XQ_RANK_BITS). */
struct xq_reach {
    uint16_t rook, cannon;
};
extern const struct xq_reach xq_reach[10][1024];
/* The third piece on either side. */
extern const uint16_t xq_third[10][1024];
#define XQ_RANK_BITS 0x1ffu
/* A file's ten bits spread over the two halves, for file a. */
extern const xq_set xq_file_spread[1024];

/* Targets by square and blocked neighbours.  Horse: bit 0 the leg at file - 1,
 * 1 rank - 1, 2 file + 1, 3 rank + 1.  Elephant: the eye at 0 (-1, -1),
 * 1 (-1, +1), 2 (+1, -1), 3 (+1, +1) in files and ranks; elephants by side. */
extern const xq_set xq_horse_to[90][16];
extern const xq_set xq_elephant_to[2][90][16];
/* King, advisor and pawn by side. */
extern const xq_set xq_king_to[2][90], xq_advisor_to[2][90], xq_pawn_to[2][90];
/* The leg of a horse that goes from the second square to the first; XQ_NOSQ
 * when no horse goes so.  XQ_NOSQ may be asked as well, so that loops over
 * slots need not skip captured horses. */
extern const uint8_t xq_horse_leg[90][256];

/* Where a pawn must stand to attack a king on the square; in the king's own
 * half. */
extern const uint64_t xq_pawn_from[90];

/* All about a pair of squares.  Rooks and cannons go along `line` (pos.h) if
 * what they reach from its place `here` includes its place `there`. */
struct xq_pair {
    uint16_t codes; /* bit c: a piece of code c steps so (no sliders) */
    uint8_t via;    /* the leg or eye; the from-square if there is none */
    uint8_t line;   /* the line both are on */
    uint8_t here;   /* the from-square's place on it */
    uint8_t there;  /* the to-square's; 15, never reached, if no line */
    uint8_t spare[2];
};
extern const struct xq_pair xq_pair[90][90];

/* The bit of a square on a line, 0 when it is not on it. */
extern const uint16_t xq_line_bit[19][90];

/* Which part a square plays, drawn as Red sees the board from below (a
 * literal, not arithmetic: Debian's gcc 12.2 -O2 gets a computed palace
 * wrong).  Row 0 is rank 0; a advisor point, k other palace point, e
 * elephant point, b both elephant and palace. */
#define XQ_ZONE_MAP                                                            \
    {                                                                          \
        "..eakae..", "...kak...", "e..aba..e", ".........", "..e...e..",       \
            "..e...e..", ".........", "e..aba..e", "...kak...", "..eakae..",   \
    }
extern const char xq_zone_map[10][10];

XQ_INLINE bool in_palace(xq_side side, xq_sq s)
{
    char z = xq_zone_map[xq_rank_of[s]][xq_file_of[s]];
    return half_of(s) == (unsigned)side && (z == 'a' || z == 'k' || z == 'b');
}

/* A piece's word in a line, by piece code (pos.h: XQ_LINE_OCC). */
extern const uint64_t xq_line_word[16];

/* ---- lines ---- */

/* Shift of a side's field in a line word. */
XQ_INLINE unsigned side_shift(unsigned side) { return 10 + 10 * side; }
XQ_INLINE unsigned line_occ(uint64_t line) { return line & XQ_LINE_OCC; }
XQ_INLINE unsigned line_own(uint64_t line, unsigned side)
{
    return line >> side_shift(side) & XQ_LINE_OCC;
}
/* Rooks and kings, or cannons, of a side. */
XQ_INLINE unsigned line_rooks(uint64_t line, unsigned side)
{
    return line >> 30 & line >> side_shift(side) & XQ_LINE_OCC;
}
XQ_INLINE unsigned line_cannons(uint64_t line, unsigned side)
{
    return line >> 40 & line >> side_shift(side) & XQ_LINE_OCC;
}

/* Is the place attacked along its line by a slider (or, along a file, faced
 * by a king) of `enemy`? */
XQ_INLINE bool line_attacks(uint64_t line, unsigned place, unsigned enemy)
{
    struct xq_reach reach = xq_reach[place][line_occ(line)];
    return (((reach.rook & line >> 30) | (reach.cannon & line >> 40)) &
            line_own(line, enemy)) != 0;
}

/* Five bits of a file to every ninth bit, as they stand in half a set: for
 * each bit one copy lands right, and no two land on each other. */
XQ_INLINE uint64_t every_ninth(unsigned bits)
{
    return bits * UINT64_C(0x0101010101) & UINT64_C(0x1008040201);
}

/* Bits of the rank and of the file of s as a set. */
XQ_INLINE xq_set lines_to_set(unsigned on_rank, unsigned on_file, xq_sq s)
{
    unsigned f = xq_file_of[s], half = half_of(s);
    /* Where the rank begins in its half. */
    uint64_t rank = (uint64_t)(on_rank & XQ_RANK_BITS)
                    << (place_in_half(s) - f);
    uint64_t black = (uint64_t)0 - half; /* all bits or none */
    return (xq_set){{every_ninth(on_file & 31) << f | (rank & ~black),
                     every_ninth(on_file >> 5) << f | (rank & black)}};
}

/* ---- the board ---- */

/* Put a piece on a square or take it away: lines and sets only. */
XQ_INLINE void board_toggle(xq_pos *p, xq_piece piece, xq_sq s)
{
    unsigned f = xq_file_of[s], r = xq_rank_of[s];
    uint64_t word = xq_line_word[piece];
    p->line[r] ^= word << f;
    p->line[10 + f] ^= word << r;
    p->own[xq_piece_side(piece)][half_of(s)] ^= bit_of(s);
}

/* A move without keys and counters, for perft. */
struct board_undo {
    xq_move move;
    uint8_t captured, captured_slot;
};
XQ_INLINE void board_make(xq_pos *p, xq_move m, struct board_undo *u)
{
    xq_sq from = xq_move_from(m), to = xq_move_to(m);
    xq_piece piece = p->at[from], captured = p->at[to];
    uint8_t slot = p->slot[from];
    u->move = m;
    u->captured = captured;
    u->captured_slot = p->slot[to];
    if (captured) {
        board_toggle(p, captured, to);
        p->sq[p->slot[to]] = XQ_NOSQ;
    }
    board_toggle(p, piece, from);
    board_toggle(p, piece, to);
    p->at[from] = XQ_EMPTY;
    p->at[to] = piece;
    p->slot[to] = slot;
    p->sq[slot] = to;
    p->side ^= 1;
}
XQ_INLINE void board_unmake(xq_pos *p, const struct board_undo *u)
{
    xq_sq from = xq_move_from(u->move), to = xq_move_to(u->move);
    xq_piece piece = p->at[to];
    uint8_t slot = p->slot[to];
    board_toggle(p, piece, to);
    board_toggle(p, piece, from);
    p->at[from] = piece;
    p->at[to] = u->captured;
    p->slot[from] = slot;
    p->slot[to] = u->captured_slot;
    p->sq[slot] = from;
    if (u->captured) {
        board_toggle(p, u->captured, to);
        p->sq[u->captured_slot] = to;
    }
    p->side ^= 1;
}

/* ---- legs and eyes ---- */

/* Indices into xq_horse_to and xq_elephant_to.  Bits that lie off the board
 * may come out either way: no target hangs on them. */
XQ_INLINE unsigned blocked_legs(const xq_pos *p, xq_sq s)
{
    unsigned f = xq_file_of[s], r = xq_rank_of[s];
    return ((line_occ(p->line[r]) << 1) >> f & 5) |
           ((line_occ(p->line[10 + f]) << 1) >> r & 5) << 1;
}
XQ_INLINE unsigned blocked_eyes(const xq_pos *p, xq_sq s)
{
    unsigned f = xq_file_of[s], r = xq_rank_of[s];
    return ((line_occ(p->line[r - (r > 0)]) << 1) >> f & 5) |
           ((line_occ(p->line[r + (r < 9)]) << 1) >> f & 5) << 1;
}

/* ---- one piece, one target ---- */

/* Does a rook (or cannon) go so, ownership aside? */
XQ_INLINE bool slides(const xq_pos *p, const struct xq_pair *pair, bool cannon)
{
    struct xq_reach reach = xq_reach[pair->here][line_occ(p->line[pair->line])];
    uint32_t both = reach.rook | (uint32_t)reach.cannon << 16;
    return both >> (pair->there + 16u * cannon) & 1;
}

/* Does the piece on `from` go to `to`, ownership aside?  Both are squares of
 * the board.  No branches: which piece moves is not to be foreseen. */
XQ_INLINE bool reaches(const xq_pos *p, xq_sq from, xq_sq to)
{
    unsigned piece = p->at[from];
    const struct xq_pair *pair = &xq_pair[from][to];
    unsigned step = pair->codes >> piece & 1 &
                    ((p->at[pair->via] == XQ_EMPTY) | (pair->via == from));
    unsigned slide = 0x6060u >> piece & 1 & /* rooks and cannons */
                     slides(p, pair, (piece & 7) == XQ_CANNON);
    return step | slide;
}

/* Does the piece on s attack the enemy's king on `king`?  A king does
 * when it faces the other. */
XQ_INLINE bool hits_king(const xq_pos *p, xq_sq s, xq_sq king)
{
    const struct xq_pair *pair = &xq_pair[s][king];
    return xq_piece_kind(p->at[s]) == XQ_KING
               ? xq_file_of[s] == xq_file_of[king] && slides(p, pair, false)
               : reaches(p, s, king);
}

/* ---- attacks on a king ---- */

/* A pawn of the other side attacks `king`, a square in the palace of `side`.
 * `gone` is a square whose piece does not count (it is captured). */
XQ_INLINE bool pawn_attacks(const xq_pos *p, xq_sq king, unsigned side,
                            xq_sq gone)
{
    uint64_t near = p->own[side ^ 1][side] & xq_pawn_from[king];
    for (; near; near &= near - 1) { /* seldom any */
        xq_sq s = (xq_sq)((unsigned)__builtin_ctzll(near) + 45 * side);
        if (xq_piece_kind(p->at[s]) == XQ_PAWN && s != gone)
            return true;
    }
    return false;
}

/* A horse of the other side attacks `king` after a move from `from` to `to`;
 * XQ_NOSQ for both: now. */
XQ_INLINE bool horse_attacks(const xq_pos *p, xq_sq king, unsigned side,
                             xq_sq from, xq_sq to)
{
    const uint8_t *legs = xq_horse_leg[king];
    unsigned horse = xq_piece_of((xq_side)(side ^ 1), XQ_HORSE);
    for (unsigned i = p->first[horse]; i < p->first[horse + 1]; i++) {
        xq_sq leg = legs[p->sq[i]];
        if (leg == XQ_NOSQ) /* as a rule */
            continue;
        if (p->sq[i] != to && leg != to &&
            (p->at[leg] == XQ_EMPTY || leg == from))
            return true;
    }
    return false;
}

/* Would the king of the side to move be attacked after a move?  `king` is
 * its square then.  Facing kings count. */
XQ_INLINE bool king_hit_after(const xq_pos *p, xq_sq king, xq_sq from, xq_sq to)
{
    unsigned side = p->side, enemy = side ^ 1;
    unsigned f = 10u + xq_file_of[king], r = xq_rank_of[king];
    /* Only the enemy's sliders and what blocks them matter: the mover leaves
     * a gap, and on its target stands something that is no enemy. */
    const uint64_t slider = UINT64_C(1) << 30 | UINT64_C(1) << 40;
    uint64_t gap = xq_line_bit[f][from], lands = xq_line_bit[f][to];
    uint64_t file = (p->line[f] & ~(gap | lands * slider)) | lands;
    gap = xq_line_bit[r][from];
    lands = xq_line_bit[r][to];
    uint64_t rank = (p->line[r] & ~(gap | lands * slider)) | lands;
    unsigned hit = line_attacks(file, r, enemy);
    hit |= line_attacks(rank, f - 10, enemy);
    hit |= pawn_attacks(p, king, side, to);
    hit |= horse_attacks(p, king, side, from, to);
    return hit;
}

/* Would the king, having stepped from `king` to `t`, be attacked there? */
XQ_INLINE bool king_hit_at(const xq_pos *p, xq_sq king, xq_sq t)
{
    return king_hit_after(p, t, king, t);
}

/* ---- looking out from the own king (gen.c) ---- */

/* What the king of the side to move sees along its lines and at the enemy's
 * horses.  Not in check: a move from outside `leave` to outside `land` is
 * safe; one from `leave` must be tried; any other to `land` puts a screen in
 * front of a cannon.  In check: a move helps only if it comes from `leave`
 * or goes to `resolve`, and must be tried. */
struct xq_lookout {
    bool check, quiet; /* quiet: no check, leave and land are empty */
    xq_set leave, land, resolve;
};
void xq_look_out(const xq_pos *p, xq_sq king, struct xq_lookout *out);

/* Pseudo-legal targets of the piece on s, the enemy's king among them. */
xq_set xq_targets(const xq_pos *p, xq_sq s);

/* xq_perft without machine-specific instructions, for tests. */
uint64_t xq_perft_portable(const xq_pos *p, unsigned depth);

/* Names in messages: "horse", "red". */
const char *xq_kind_name(xq_kind k);
const char *xq_side_name(xq_side s);

#endif
