/* internal.h - what the files of the rules core share.
 *
 * A set of squares is kept in two halves of 45 bits, Red's half (ranks 0-4)
 * and Black's (5-9): palace, elephants and uncrossed pawns live in one half
 * only.  Sliders work by line: what stands on a rank or file is an index
 * into tables of what a piece at a given place on it reaches.
 *
 * Tables named in this file come from mktables.c (written into the build
 * folder) or are literals in pos.c. */
#ifndef XQ_ENGINE_INTERNAL_H
#define XQ_ENGINE_INTERNAL_H

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

XQ_INLINE unsigned half_of(xq_sq s) { return s >= 45; }
XQ_INLINE uint64_t bit_of(xq_sq s)
{
    return UINT64_C(1) << (s < 45 ? s : s - 45);
}

XQ_INLINE bool set_has(xq_set a, xq_sq s)
{
    return (a.half[half_of(s)] & bit_of(s)) != 0;
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
 * Ownership is not looked at. */
struct xq_reach {
    uint16_t rook, cannon;
};
extern const struct xq_reach xq_rank_reach[9][512];
extern const struct xq_reach xq_file_reach[10][1024];
/* The third piece on either side, for places where a king can stand. */
extern const uint16_t xq_rank_third[9][512];
extern const uint16_t xq_file_third[10][1024];
/* A file's ten bits spread over the two halves, for file a. */
extern const xq_set xq_file_spread[1024];

/* Targets by square and blocked neighbours.  Horse: bit 0 the leg at file - 1,
 * 1 rank - 1, 2 file + 1, 3 rank + 1.  Elephant: the eye at 0 (-1, -1),
 * 1 (-1, +1), 2 (+1, -1), 3 (+1, +1) in files and ranks; elephants by side. */
extern const xq_set xq_horse_to[90][16];
extern const xq_set xq_elephant_to[2][90][16];
/* King, advisor and pawn by side. */
extern const xq_set xq_king_to[2][90], xq_advisor_to[2][90], xq_pawn_to[2][90];
/* The leg of a horse that goes from one square to another; XQ_NOSQ when no
 * horse goes so.  Row XQ_NOSQ is there for captured horses, so that loops
 * over slots need not skip them. */
extern const uint8_t xq_horse_leg[256][90];

/* What may step from one square to another, rooks and cannons aside. */
struct xq_step {
    uint16_t codes; /* bit c: a piece of code c goes so */
    uint8_t via;    /* the leg or eye; the from-square where there is none */
};
extern const struct xq_step xq_step[90][90];

/* Zobrist constants by piece code and square: own and mirror image's side by
 * side, so that both keys cost one cache line (key.h). */
struct xq_zobrist {
    uint64_t key, mirror;
};
extern const struct xq_zobrist xq_zobrist[16][90];
extern const uint64_t xq_zobrist_black;

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
XQ_INLINE bool line_attacks(uint64_t line, struct xq_reach reach,
                            unsigned enemy)
{
    return ((reach.rook & line_rooks(line, enemy)) |
            (reach.cannon & line_cannons(line, enemy))) != 0;
}
XQ_INLINE bool rank_attacks(uint64_t line, unsigned file, unsigned enemy)
{
    return line_attacks(line, xq_rank_reach[file][line & 511], enemy);
}
XQ_INLINE bool file_attacks(uint64_t line, unsigned rank, unsigned enemy)
{
    return line_attacks(line, xq_file_reach[rank][line_occ(line)], enemy);
}

/* ---- the board ---- */

/* Put a piece on a square or take it away: lines and sets only. */
XQ_INLINE void board_toggle(xq_pos *p, xq_piece piece, xq_sq s)
{
    unsigned f = xq_file_of[s], r = xq_rank_of[s];
    uint64_t word = xq_line_word[piece];
    p->rank_line[r] ^= word << f;
    p->file_line[f] ^= word << r;
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
    return ((line_occ(p->rank_line[r]) << 1) >> f & 5) |
           ((line_occ(p->file_line[f]) << 1) >> r & 5) << 1;
}
XQ_INLINE unsigned blocked_eyes(const xq_pos *p, xq_sq s)
{
    unsigned f = xq_file_of[s], r = xq_rank_of[s];
    return ((line_occ(p->rank_line[r - (r > 0)]) << 1) >> f & 5) |
           ((line_occ(p->rank_line[r + (r < 9)]) << 1) >> f & 5) << 1;
}

/* ---- attacks on a king ---- */

/* A pawn of `enemy` beside `t` or in front of it.  `gone` is a square whose
 * piece does not count (it is captured); t is a palace square. */
XQ_INLINE bool pawn_attacks(const xq_pos *p, xq_sq t, unsigned enemy,
                            xq_sq gone)
{
    xq_piece pawn = xq_piece_of((xq_side)enemy, XQ_PAWN);
    xq_sq front = (xq_sq)(enemy == XQ_BLACK ? t + 9 : t - 9);
    return ((p->at[front] == pawn) & (front != gone)) |
           ((p->at[t - 1] == pawn) & (t - 1 != gone)) |
           ((p->at[t + 1] == pawn) & (t + 1 != gone));
}

/* Would the king of the side to move be attacked after a move?  `king` is
 * its square then.  Facing kings count. */
XQ_INLINE bool king_hit_after(const xq_pos *p, xq_sq king, xq_sq from, xq_sq to)
{
    unsigned enemy = p->side ^ 1u;
    unsigned kf = xq_file_of[king], kr = xq_rank_of[king];
    unsigned ff = xq_file_of[from], fr = xq_rank_of[from];
    unsigned tf = xq_file_of[to], tr = xq_rank_of[to];
    uint64_t word = xq_line_word[p->at[from]];
    uint64_t lands = word ^ xq_line_word[p->at[to]];
    uint64_t file = p->file_line[kf], rank = p->rank_line[kr];
    /* Masks, not branches: where moves go is not to be foreseen. */
    file ^= (word << fr & -(uint64_t)(ff == kf)) ^
            (lands << tr & -(uint64_t)(tf == kf));
    rank ^= (word << ff & -(uint64_t)(fr == kr)) ^
            (lands << tf & -(uint64_t)(tr == kr));
    unsigned hit = file_attacks(file, kr, enemy) |
                   rank_attacks(rank, kf, enemy) |
                   pawn_attacks(p, king, enemy, to);
    unsigned horse = xq_piece_of((xq_side)enemy, XQ_HORSE);
    for (unsigned i = p->first[horse]; i < p->first[horse + 1]; i++) {
        xq_sq leg = xq_horse_leg[p->sq[i]][king];
        if (leg != XQ_NOSQ && p->sq[i] != to && leg != to)
            hit |= p->at[leg] == XQ_EMPTY || leg == from;
    }
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

/* Longest move text pieces in messages. */
const char *xq_kind_name(xq_kind k);
const char *xq_side_name(xq_side s);

#endif
