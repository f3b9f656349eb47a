/* notation_pick.c - which pieces a reading means, and where they go. */
#include "libpgn/notation_internal.h"

/* The place from the front that `r` picks among n pieces on one file; 0 when
 * it picks none of them. */
static unsigned place(const pgn_reading *r, unsigned n)
{
    switch ((pgn_pick)r->pick) {
    case PGN_PICK_FRONT:
        return 1;
    case PGN_PICK_MIDDLE:
        return n % 2 == 1 ? (n + 1) / 2 : 0;
    case PGN_PICK_REAR:
        return n;
    case PGN_PICK_PLUS:
        return n >= 4 ? 2 : 1;
    case PGN_PICK_MINUS:
        return n >= 4 ? n - 1 : n;
    case PGN_PICK_FIRST:
        return n >= 4 ? 1 : 0;
    case PGN_PICK_LAST:
        return n >= 4 ? n : 0;
    case PGN_PICK_INDEX:
        return r->index <= n ? r->index : 0;
    case PGN_PICK_ALL:
    case PGN_PICK_SET:
        break;
    }
    return 0;
}

static unsigned pick_all(const xq_pos *p, const pgn_reading *r,
                         xq_sq out[XQ_SQUARES])
{
    const xq_piece piece = xq_piece_of((xq_side)p->side, (xq_kind)r->kind);
    unsigned n = 0;
    for (unsigned i = p->first[piece]; i < p->first[piece + 1]; i++) {
        xq_sq s = p->sq[i];
        if (s != XQ_NOSQ &&
            (r->file == PGN_UNSET || r->file == xq_file_of[s]) &&
            (r->rank == PGN_UNSET || r->rank == xq_rank_of[s]))
            out[n++] = s;
    }
    return n;
}

static unsigned pick_in_files(const xq_pos *p, const pgn_reading *r,
                              xq_sq out[XQ_SQUARES])
{
    unsigned n = 0;
    for (unsigned file = 0; file < 9; file++) {
        xq_sq here[10];
        if (r->file != PGN_UNSET && r->file != file)
            continue;
        unsigned count = pgn_on_file(p, (xq_kind)r->kind, file, here);
        unsigned k = count >= 2 ? place(r, count) : 0;
        if (k)
            out[n++] = here[k - 1];
    }
    return n;
}

unsigned pgn_picked(const xq_pos *p, const pgn_reading *r,
                    xq_sq out[XQ_SQUARES])
{
    if (r->kind == 0) {
        out[0] = xq_sq_of(r->file, r->rank);
        return 1;
    }
    if (r->pick == PGN_PICK_ALL)
        return pick_all(p, r, out);
    if (r->pick != PGN_PICK_SET)
        return pick_in_files(p, r, out);
    xq_sq set[XQ_SQUARES];
    unsigned n = pgn_tandem(p, (xq_kind)r->kind, set);
    if (r->index < 1 || r->index > n)
        return 0;
    out[0] = set[r->index - 1];
    return 1;
}

xq_sq pgn_target(const xq_pos *p, const pgn_reading *r, xq_sq from)
{
    if (r->to != XQ_NOSQ)
        return r->to;
    if (r->target < 1 || r->target > 9)
        return XQ_NOSQ;
    return pgn_part_target((xq_side)p->side, (xq_kind)r->kind, from, r->dir,
                           r->target);
}
