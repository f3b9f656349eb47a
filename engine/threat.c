/* threat.c - does the side that just moved threaten mate (C-11, C-40)?
 *
 * It would mate if it could move again, giving check with every move, whatever
 * is answered.  Such a tree is narrow: few moves give check, fewer answer it.
 * So moves that might check are picked by what the other king sees (aims),
 * tried in full, and of the answers the one that helped last time is tried
 * first. */
#include "engine/threat.h"

#include "engine/referee.h"

struct hunt {
    xq_pos p;
    uint64_t visits;
    xq_move saved[XQ_MAX_THREAT_DEPTH]; /* the answer that refuted last */
};

/* ---- moves that give check ---- */

/* What the hunted king sees.  Every checking move goes to a square that fits
 * its piece, to one of `land`, or starts from one of `leave`. */
struct aims {
    xq_sq king;
    xq_set rook, cannon, line; /* `line`: rank and file of the king */
    xq_set land;               /* a screen there serves a cannon (G-06) */
    xq_set leave;              /* a piece that hides a rook, cannon, horse */
};

/* The same on one line, as bits of it. */
struct line_aims {
    unsigned rook, cannon, land, leave;
};

/* king . A . B . C, on both sides; the hunter is `side`.
 *   a rook checks before and on A, a cannon between A and B and on B;
 *   A is his cannon: whatever lands before it is its screen;
 *   B is his rook: A hides it; C is his cannon: A or B is one too many. */
static struct line_aims aims_along(uint64_t line, unsigned place, unsigned side)
{
    unsigned occ = line_occ(line), own = line_own(line, side);
    struct xq_reach reach = xq_reach[place][occ];
    unsigned a = reach.rook & occ, b = reach.cannon & occ;
    unsigned c = xq_third[place][occ];
    unsigned cannons = line_cannons(line, side);
    struct line_aims out = {reach.rook, 0, 0, 0};
    out.cannon = xq_reach[place][occ & ~a].rook & ~reach.rook;
    unsigned served = a & cannons, below = (1u << place) - 1;
    unsigned hidden = b & line_rooks(line, side), far = c & cannons;
    if (!(served | hidden | far))
        return out; /* the usual case */
    for (int up = 0; up < 2; up++) {
        unsigned ray = up ? ~below & ~(1u << place) : below;
        if (served & ray)
            out.land |= reach.rook & ~occ & ray;
        if (hidden & ray)
            out.leave |= a & own & ray;
        if (far & ray)
            out.leave |= (a | b) & own & ray;
    }
    return out;
}

static xq_set on_lines(unsigned rank_bits, unsigned file_bits, xq_sq king)
{
    unsigned f = xq_file_of[king], r = xq_rank_of[king], half = r >= 5;
    xq_set set = xq_file_spread[file_bits & XQ_LINE_OCC];
    set.half[0] <<= f;
    set.half[1] <<= f;
    set.half[half] |= (uint64_t)(rank_bits & XQ_RANK_BITS)
                      << 9 * (r - 5 * half);
    return set;
}

/* Where the side to move aims at the other king, which is not in check. */
static void take_aim(const xq_pos *p, struct aims *out)
{
    unsigned side = p->side;
    xq_sq king = xq_pos_king(p, (xq_side)(side ^ 1));
    unsigned f = xq_file_of[king], r = xq_rank_of[king];
    struct line_aims rank = aims_along(p->line[r], f, side);
    struct line_aims file = aims_along(p->line[10 + f], r, side);
    out->king = king;
    out->rook = on_lines(rank.rook, file.rook, king);
    out->cannon = on_lines(rank.cannon, file.cannon, king);
    out->line = on_lines(XQ_LINE_OCC, XQ_LINE_OCC, king);
    out->land = on_lines(rank.land, file.land, king);
    out->leave = on_lines(rank.leave, file.leave, king);
    unsigned horse = xq_piece_of((xq_side)side, XQ_HORSE);
    for (unsigned i = p->first[horse]; i < p->first[horse + 1]; i++) {
        xq_sq leg = xq_horse_leg[king][p->sq[i]];
        if (leg != XQ_NOSQ && p->at[leg] &&
            xq_piece_side(p->at[leg]) == (xq_side)side)
            set_add(&out->leave, leg);
    }
}

/* Of the squares a horse goes to, those from which it attacks the king. */
static xq_set horse_aims(const xq_pos *p, xq_sq king, xq_set targets)
{
    xq_set out = {{0, 0}};
    while (set_any(targets)) {
        xq_sq t = set_pop(&targets), leg = xq_horse_leg[king][t];
        if (leg != XQ_NOSQ && p->at[leg] == XQ_EMPTY)
            set_add(&out, t);
    }
    return out;
}

/* Where the piece on s should go to give check; a few squares too many. */
static xq_set aimed_targets(const xq_pos *p, const struct aims *aims, xq_sq s)
{
    xq_set targets = xq_targets(p, s), fit = aims->land;
    if (set_has(aims->leave, s))
        return targets;
    switch (xq_piece_kind(p->at[s])) {
    case XQ_ROOK:
        fit = set_or(fit, aims->rook);
        break;
    case XQ_CANNON: /* on the king's line it is itself in the way */
        fit = set_or(fit, set_has(aims->line, s) ? aims->line : aims->cannon);
        break;
    case XQ_HORSE:
        fit = set_or(fit, horse_aims(p, aims->king, targets));
        break;
    case XQ_PAWN:
        fit.half[half_of(aims->king)] |= xq_pawn_from[aims->king];
        break;
    case XQ_KING:
    case XQ_ADVISOR:
    case XQ_ELEPHANT:
        break;
    }
    return set_and(targets, fit);
}

void xq_gen_checks(xq_pos *p, xq_movelist *list)
{
    struct aims aims;
    unsigned side = p->side, end = p->first[8 * side + 8];
    xq_sq own_king = xq_pos_king(p, (xq_side)side);
    take_aim(p, &aims);
    list->n = 0;
    for (unsigned i = p->first[8 * side]; i < end; i++) {
        xq_sq from = p->sq[i];
        if (from == XQ_NOSQ)
            continue;
        for (xq_set t = aimed_targets(p, &aims, from); set_any(t);) {
            xq_sq to = set_pop(&t);
            if (king_hit_after(p, from == own_king ? to : own_king, from, to))
                continue;
            struct board_undo u;
            xq_move m = xq_move_make(from, to);
            board_make(p, m, &u);
            if (xq_in_check(p, (xq_side)p->side))
                list->m[list->n++] = m;
            board_unmake(p, &u);
        }
    }
}

/* ---- the search ---- */

/* The move that helped here last time comes first, then captures. */
static void order_answers(const struct hunt *h, unsigned depth,
                          xq_movelist *list)
{
    unsigned front = 0;
    for (unsigned i = 0; i < list->n; i++) {
        xq_move m = list->m[i];
        bool saved = m == h->saved[depth - 1];
        if (!saved && !h->p.at[xq_move_to(m)])
            continue;
        list->m[i] = list->m[front];
        list->m[front++] = m;
        if (saved) {
            list->m[front - 1] = list->m[0];
            list->m[0] = m;
        }
    }
}

static bool hunts(struct hunt *h, unsigned depth);

/* Check was given: is every answer met by a mate within `depth` moves? */
static bool all_lose(struct hunt *h, unsigned depth, xq_movelist *answers)
{
    order_answers(h, depth, answers);
    for (unsigned i = 0; i < answers->n; i++) {
        struct board_undo u;
        board_make(&h->p, answers->m[i], &u);
        bool lost = hunts(h, depth);
        board_unmake(&h->p, &u);
        if (!lost) {
            h->saved[depth - 1] = answers->m[i];
            return false;
        }
    }
    return true;
}

/* The move with which the side to move mates by checks within `depth` moves;
 * XQ_NOMOVE: it does not. */
static xq_move hunted(struct hunt *h, unsigned depth)
{
    xq_movelist checks;
    struct board_undo u;
    h->visits++;
    xq_gen_checks(&h->p, &checks);
    for (unsigned i = 0; i < checks.n; i++) { /* a mate at once? */
        board_make(&h->p, checks.m[i], &u);
        bool mate = !xq_has_legal_move(&h->p);
        h->visits++;
        board_unmake(&h->p, &u);
        if (mate)
            return checks.m[i];
    }
    if (depth == 1)
        return XQ_NOMOVE;
    for (unsigned i = 0; i < checks.n; i++) {
        xq_movelist answers;
        board_make(&h->p, checks.m[i], &u);
        xq_gen_legal(&h->p, &answers);
        bool mate = all_lose(h, depth - 1, &answers);
        board_unmake(&h->p, &u);
        if (mate)
            return checks.m[i];
    }
    return XQ_NOMOVE;
}

static bool hunts(struct hunt *h, unsigned depth)
{
    return hunted(h, depth) != XQ_NOMOVE;
}

bool xq_mates_at_once(xq_pos *p)
{
    xq_movelist checks;
    struct board_undo u;
    bool mate = false;
    xq_gen_checks(p, &checks);
    for (unsigned i = 0; i < checks.n && !mate; i++) {
        board_make(p, checks.m[i], &u);
        mate = !xq_has_legal_move(p);
        board_unmake(p, &u);
    }
    return mate;
}

bool xq_threatens_mate(const xq_pos *p, uint32_t depth, uint64_t *visits)
{
    struct hunt h = {*p, 0, {0}};
    bool found = false;
    if (depth > XQ_MAX_THREAT_DEPTH)
        depth = XQ_MAX_THREAT_DEPTH;
    /* A check is more than a threat (C-14): no second move is asked for. */
    if (depth > 0 && !xq_in_check(p, (xq_side)p->side)) {
        h.p.side ^= 1;
        found = hunts(&h, depth);
    }
    if (visits)
        *visits = h.visits;
    return found;
}

xq_move xq_mate_threatened(const xq_pos *p, uint32_t depth, uint32_t *moves)
{
    struct hunt h = {*p, 0, {0}};
    xq_move first = XQ_NOMOVE;
    uint32_t d = 0;
    if (depth > XQ_MAX_THREAT_DEPTH)
        depth = XQ_MAX_THREAT_DEPTH;
    if (!xq_in_check(p, (xq_side)p->side)) {
        h.p.side ^= 1;
        while (first == XQ_NOMOVE && d < depth)
            first = hunted(&h, ++d);
    }
    if (moves)
        *moves = first == XQ_NOMOVE ? 0 : d;
    return first;
}
