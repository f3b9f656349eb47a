/* traits.h - what a ply is besides check and chase: an offer, a block.  The
 * same under both rule sets.  Not public. */
#ifndef XQ_TRAITS_H
#define XQ_TRAITS_H

#include "engine/referee.h"
#include "engine/window.h"

/* XQ_TRAIT_ANSWERS_CHECK, _EXCHANGE, _SACRIFICE, _BLOCK; _MATE_THREAT as well
 * when threat_depth is not 0. */
unsigned xq_ply_traits(const struct xq_window *w, uint32_t threat_depth);

/* The same into out->traits, and what they are about into out->notes. */
void xq_ply_explain(const struct xq_window *w, uint32_t threat_depth,
                    xq_ply *out);
/* Add a note, if there is room. */
void xq_ply_add_note(xq_ply *out, const xq_ply_note *note);

/* Does the ply threaten mate without giving check? */
bool xq_ply_threatens(const struct xq_window *w, uint32_t threat_depth);

#endif
