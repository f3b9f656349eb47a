/* traits.c - offers, blocks and mate threats (traits.h). */
#include "engine/traits.h"
#include "engine/chase.h"

/* ---- notes ---- */

/* Between which pieces of b1 it is. */
static void tell(xq_ply_note *out, const xq_pos *b1, unsigned trait,
                 xq_sq attacker, xq_sq victim)
{
    *out = (xq_ply_note){
        .trait = trait,
        .attacker = attacker,
        .victim = victim,
        .attacker_piece = b1->at[attacker],
        .victim_piece = victim == XQ_NOSQ ? XQ_EMPTY : b1->at[victim],
    };
}

/* ---- offers ---- */

/* Rook and rook, horse and horse, cannon and cannon, each of which could take
 * the other. */
static bool is_exchange(const xq_pos *p, struct xq_relation r)
{
    const xq_kind a = xq_slot_kind(p, r.a);
    return r.flags & REL_RETURN && a == xq_slot_kind(p, r.v) &&
           (a == XQ_ROOK || a == XQ_HORSE || a == XQ_CANNON);
}

/* Is there an exchange now that was not there before? */
static bool offers_exchange(const struct xq_window *w, xq_ply_note *out)
{
    struct xq_relation all[XQ_MAX_RELATIONS], before;
    const unsigned n = xq_relations(&w->b1, w->mover, false, all);
    for (unsigned i = 0; i < n; i++)
        if (is_exchange(&w->b1, all[i]) &&
            !(xq_relation_of(&w->b0, all[i].a, all[i].v, false, &before) &&
              before.flags & REL_RETURN)) {
            tell(out, &w->b1, XQ_TRAIT_EXCHANGE, w->b1.sq[all[i].a],
                 w->b1.sq[all[i].v]);
            return true;
        }
    return false;
}

/* Could the piece just moved be taken with profit?  An exchange is
 * none. */
static bool offers_sacrifice(const struct xq_window *w, xq_ply_note *out)
{
    const xq_sq to = xq_move_to(w->move);
    const unsigned enemy = w->mover ^ 1u;
    const unsigned end = w->b1.first[8 * enemy + 8];
    for (unsigned a = w->b1.first[8 * enemy]; a < end; a++) {
        const xq_sq from = w->b1.sq[a];
        if (from != XQ_NOSQ &&
            xq_move_is_legal(&w->b1, xq_move_make(from, to)) &&
            xq_is_profitable(&w->b1, (uint8_t)a, w->b1.slot[to])) {
            tell(out, &w->b1, XQ_TRAIT_SACRIFICE, from, to);
            return true;
        }
    }
    return false;
}

/* ---- blocks ---- */

/* Does `s` lie between the squares: on the line, or on the leg or eye? */
static bool lies_between(xq_sq s, xq_sq from, xq_sq to)
{
    const struct xq_pair *pair = &xq_pair[from][to];
    if (pair->via != from)
        return pair->via == s;
    const unsigned bit = pair->there < 10 ? xq_line_bit[pair->line][s] : 0;
    const unsigned below_here = (1u << pair->here) - 1;
    const unsigned below_there = (1u << pair->there) - 1;
    return bit & (below_here ^ below_there) & ~(1u << pair->here) &
           ~(1u << pair->there);
}

/* Was this piece attacked so that taking it would win something? */
static bool was_aimed_at(const xq_pos *b0, uint8_t a, uint8_t v)
{
    return xq_slot_kind(b0, v) == XQ_KING ? hits_king(b0, b0->sq[a], b0->sq[v])
                                          : xq_is_profitable(b0, a, v);
}

/* Did the piece moved step between an enemy and his aim? */
static bool closes_a_line(const struct xq_window *w, xq_ply_note *out)
{
    const unsigned own = w->mover, enemy = own ^ 1u;
    const xq_pos *b0 = &w->b0;
    const xq_sq from = xq_move_from(w->move), to = xq_move_to(w->move);
    for (unsigned a = b0->first[8 * enemy]; a < b0->first[8 * enemy + 8]; a++)
        for (unsigned v = b0->first[8 * own]; v < b0->first[8 * own + 8]; v++) {
            const xq_sq x = b0->sq[a], y = b0->sq[v];
            if (x != XQ_NOSQ && y != XQ_NOSQ && y != from && x != to &&
                lies_between(to, x, y) && !reaches(&w->b1, x, y) &&
                was_aimed_at(b0, (uint8_t)a, (uint8_t)v)) {
                tell(out, &w->b1, XQ_TRAIT_BLOCK, x, y);
                return true;
            }
        }
    return false;
}

/* Did it step into the way of a rook or cannon that was free to go there? */
static bool stands_in_the_way(const struct xq_window *w, xq_ply_note *out)
{
    const unsigned enemy = w->mover ^ 1u;
    const xq_pos *b0 = &w->b0;
    const xq_sq to = xq_move_to(w->move);
    for (unsigned a = b0->first[8 * enemy]; a < b0->first[8 * enemy + 8]; a++)
        if (b0->sq[a] != XQ_NOSQ && reaches(b0, b0->sq[a], to) &&
            (xq_slot_kind(b0, (uint8_t)a) == XQ_ROOK ||
             xq_slot_kind(b0, (uint8_t)a) == XQ_CANNON)) {
            tell(out, &w->b1, XQ_TRAIT_BLOCK, b0->sq[a], XQ_NOSQ);
            return true;
        }
    return false;
}

/* Did the other side's threat of mate end with this ply? */
static bool ends_mate_threat(const struct xq_window *w, uint32_t depth)
{
    if (w->check || w->answers_check || !xq_threatens_mate(&w->b0, depth, NULL))
        return false;
    xq_pos again = w->b1;
    xq_pos_pass(&again);
    return !xq_threatens_mate(&again, depth, NULL);
}

/* ---- together ---- */

bool xq_ply_threatens(const struct xq_window *w, uint32_t threat_depth)
{
    return !w->check && xq_threatens_mate(&w->b1, threat_depth, NULL);
}

void xq_ply_add_note(xq_ply *out, const xq_ply_note *note)
{
    if (out->note_count < XQ_MAX_NOTES)
        out->notes[out->note_count++] = *note;
}

/* The move that would mate, for people. */
static void note_mate(const struct xq_window *w, uint32_t depth, xq_ply *out)
{
    xq_ply_note note;
    uint32_t moves;
    const xq_move m = xq_mate_threatened(&w->b1, depth, &moves);
    if (m == XQ_NOMOVE)
        return;
    tell(&note, &w->b1, XQ_TRAIT_MATE_THREAT, xq_move_from(m), XQ_NOSQ);
    note.move = m;
    note.moves = moves;
    xq_ply_add_note(out, &note);
}

/* out: where the notes go, NULL when nobody asks. */
static unsigned traits_of(const struct xq_window *w, uint32_t threat_depth,
                          xq_ply *out)
{
    unsigned traits = 0;
    xq_ply_note note;
    if (w->answers_check)
        traits |= XQ_TRAIT_ANSWERS_CHECK;
    if (offers_exchange(w, &note)) {
        traits |= XQ_TRAIT_EXCHANGE;
        if (out)
            xq_ply_add_note(out, &note);
    }
    if (offers_sacrifice(w, &note)) {
        traits |= XQ_TRAIT_SACRIFICE;
        if (out)
            xq_ply_add_note(out, &note);
    }
    if (closes_a_line(w, &note) ||
        (threat_depth && stands_in_the_way(w, &note) &&
         ends_mate_threat(w, threat_depth))) {
        traits |= XQ_TRAIT_BLOCK;
        if (out)
            xq_ply_add_note(out, &note);
    }
    if (threat_depth && xq_ply_threatens(w, threat_depth)) {
        traits |= XQ_TRAIT_MATE_THREAT;
        if (out)
            note_mate(w, threat_depth, out);
    }
    return traits;
}

unsigned xq_ply_traits(const struct xq_window *w, uint32_t threat_depth)
{
    return traits_of(w, threat_depth, NULL);
}

void xq_ply_explain(const struct xq_window *w, uint32_t threat_depth,
                    xq_ply *out)
{
    out->traits |= traits_of(w, threat_depth, out);
}
