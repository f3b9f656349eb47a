/* relation.h - who could take what, and would be taken back: what both rule
 * sets are made of.  Not public.
 *
 * All functions ask "what if side m were to move", whoever's turn it is. */
#ifndef XQ_RELATION_H
#define XQ_RELATION_H

#include "engine/internal.h"

/* A set of slots of a position (pos.h): a piece keeps its bit for as long as
 * nothing is captured. */
typedef struct xq_slots {
    uint64_t w[2];
} xq_slots;

XQ_INLINE void xq_slots_add(xq_slots *s, uint8_t slot)
{
    s->w[slot / 64] |= UINT64_C(1) << slot % 64;
}
XQ_INLINE bool xq_slots_has(xq_slots s, uint8_t slot)
{
    return s.w[slot / 64] >> slot % 64 & 1;
}
XQ_INLINE bool xq_slots_any(xq_slots s) { return (s.w[0] | s.w[1]) != 0; }
XQ_INLINE xq_slots xq_slots_and(xq_slots a, xq_slots b)
{
    return (xq_slots){{a.w[0] & b.w[0], a.w[1] & b.w[1]}};
}
XQ_INLINE xq_slots xq_slots_or(xq_slots a, xq_slots b)
{
    return (xq_slots){{a.w[0] | b.w[0], a.w[1] | b.w[1]}};
}
XQ_INLINE xq_slots xq_slots_minus(xq_slots a, xq_slots b)
{
    return (xq_slots){{a.w[0] & ~b.w[0], a.w[1] & ~b.w[1]}};
}

/* The kind of a piece that is on the board. */
XQ_INLINE xq_kind xq_slot_kind(const xq_pos *p, uint8_t slot)
{
    return xq_piece_kind(p->at[p->sq[slot]]);
}

/* A pair of pieces on a board: a, of side m, could take v: by a
 * pseudo-legal move that adds no new attack on m's king, facing kings
 * included; an attack that already stands is ignored. */
struct xq_relation {
    uint8_t a, v;  /* slots */
    uint8_t flags; /* REL_ */
};
enum {
    REL_ROOT = 1,       /* v has a true root against a */
    REL_FALSE_ROOT = 2, /* only protectors that could not: their own king would
                           be open, or the capture itself cuts them off */
    REL_RETURN = 4,     /* v could just as well take a: pseudo-legal and, for
                           its own king, legal */
};

/* All pairs of side m, victims and attackers of every kind except kings as
 * victims, in the order of (a, v).  Roots are tested when `roots` is true.
 * out must hold XQ_MAX_RELATIONS. */
#define XQ_MAX_RELATIONS 720 /* 90 pieces, 8 targets each */
unsigned xq_relations(const xq_pos *p, xq_side m, bool roots,
                      struct xq_relation *out);

/* The same for one pair of enemies; either may have been captured by now.
 * False: a could not take v, and *out is left alone. */
bool xq_relation_of(const xq_pos *p, uint8_t a, uint8_t v, bool roots,
                    struct xq_relation *out);

/* After piece a of side m takes v: can v's owner take back on that square by
 * a legal move? (A-31: tested on the board after the capture.) */
bool xq_true_root(const xq_pos *p, uint8_t a, uint8_t v);

#endif
