/* rules.c - one move: legal or why not; check and who gives it. */
#include "engine/internal.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- fast answers ---- */

/* Sets of piece codes: a side's own, what it may land on, and what it may
 * land on in a game. */
static const uint16_t OWN[2] = {0x00fe, 0xfe00};
static const uint16_t LANDING[2] = {0xfe01, 0x00ff};
static const uint16_t LANDING_IN_GAME[2] = {0xfc01, 0x00fd};

XQ_INLINE bool is_pseudo(const xq_pos *p, xq_move m, const uint16_t landing[2])
{
    unsigned from = m & 127, to = m >> 7; /* spare bits make `to` too large */
    if (from >= XQ_SQUARES || to >= XQ_SQUARES)
        return false;
    return OWN[p->side] >> p->at[from] & landing[p->side] >> p->at[to] & 1 &
           reaches(p, (xq_sq)from, (xq_sq)to);
}

bool xq_move_is_pseudo(const xq_pos *p, xq_move m)
{
    return is_pseudo(p, m, LANDING);
}

bool xq_move_is_legal(const xq_pos *p, xq_move m)
{
    if (!is_pseudo(p, m, LANDING_IN_GAME))
        return false;
    xq_sq from = xq_move_from(m), to = xq_move_to(m);
    xq_sq king = xq_pos_king(p, (xq_side)p->side);
    return !king_hit_after(p, from == king ? to : king, from, to);
}

/* ---- reasons ---- */

static bool same_line(xq_sq a, xq_sq b)
{
    return xq_file_of[a] == xq_file_of[b] || xq_rank_of[a] == xq_rank_of[b];
}

/* Pieces strictly between two squares of one line. */
static int count_between(const xq_pos *p, xq_sq a, xq_sq b)
{
    int step = xq_rank_of[a] == xq_rank_of[b] ? 1 : 9, n = 0;
    int low = a < b ? a : b, high = a < b ? b : a;
    for (int s = low + step; s < high; s += step)
        n += p->at[s] != XQ_EMPTY;
    return n;
}

/* Why `reaches` said no. */
static xq_verdict why_not(const xq_pos *p, xq_sq from, xq_sq to)
{
    xq_side side = (xq_side)p->side;
    int df = xq_file_of[to] - xq_file_of[from];
    int dr = xq_rank_of[to] - xq_rank_of[from];
    int forward = side == XQ_RED ? 1 : -1;
    switch (xq_piece_kind(p->at[from])) {
    case XQ_KING:
        return abs(df) + abs(dr) == 1 ? XQ_PALACE : XQ_NO_REACH;
    case XQ_ADVISOR:
        return abs(df) == 1 && abs(dr) == 1 ? XQ_PALACE : XQ_NO_REACH;
    case XQ_ELEPHANT:
        if (abs(df) != 2 || abs(dr) != 2)
            return XQ_NO_REACH;
        return half_of(to) != (unsigned)side ? XQ_RIVER : XQ_EYE;
    case XQ_HORSE:
        return xq_horse_leg[to][from] != XQ_NOSQ ? XQ_LEG : XQ_NO_REACH;
    case XQ_ROOK:
        return same_line(from, to) ? XQ_JUMP : XQ_NO_REACH;
    case XQ_CANNON:
        if (!same_line(from, to))
            return XQ_NO_REACH;
        return p->at[to] == XQ_EMPTY ? XQ_JUMP : XQ_SCREEN;
    case XQ_PAWN:
        if (abs(df) + abs(dr) != 1)
            return XQ_NO_REACH;
        return dr != forward ? XQ_BACKWARD : XQ_NO_REACH;
    }
    return XQ_NO_REACH;
}

/* Who would hit the mover's king: only the other king, or a piece? */
static xq_verdict why_unsafe(const xq_pos *p, xq_move m)
{
    xq_pos after = *p;
    struct board_undo u;
    xq_sq checkers[XQ_MAX_CHECKERS];
    board_make(&after, m, &u);
    after.side ^= 1;
    unsigned n = xq_checkers(&after, checkers);
    for (unsigned i = 0; i < n; i++)
        if (xq_piece_kind(after.at[checkers[i]]) != XQ_KING)
            return XQ_SELF_CHECK;
    return XQ_FACING;
}

xq_verdict xq_move_judge(const xq_pos *p, xq_move m)
{
    xq_sq from = xq_move_from(m), to = xq_move_to(m);
    if (from >= XQ_SQUARES || p->at[from] == XQ_EMPTY)
        return XQ_NO_PIECE;
    if (xq_piece_side(p->at[from]) != p->side)
        return XQ_NOT_YOURS;
    if (m >> 14 || to >= XQ_SQUARES || from == to)
        return XQ_NO_REACH;
    if (p->at[to] && xq_piece_side(p->at[to]) == p->side)
        return XQ_OWN_PIECE;
    if (!reaches(p, from, to))
        return why_not(p, from, to);
    if (xq_piece_kind(p->at[to]) == XQ_KING)
        return XQ_TAKES_KING;
    return xq_move_is_legal(p, m) ? XQ_LEGAL : why_unsafe(p, m);
}

/* "a piece", "two pieces", ... for pieces that stand in the way. */
static const char *pieces_text(int n)
{
    static const char *const WORDS[9] = {
        "no piece",     "a piece",      "two pieces",
        "three pieces", "four pieces",  "five pieces",
        "six pieces",   "seven pieces", "eight pieces",
    };
    return WORDS[n < 0 || n > 8 ? 8 : n];
}

void xq_verdict_text(const xq_pos *p, xq_move m, xq_verdict v, char out[128])
{
    xq_sq from = xq_move_from(m), to = xq_move_to(m), leg = XQ_NOSQ;
    char f[3], t[3], l[3];
    xq_piece piece = from < XQ_SQUARES ? p->at[from] : XQ_EMPTY;
    const char *kind = xq_kind_name(xq_piece_kind(piece));
    const char *mover = xq_side_name((xq_side)p->side);
    const char *other = xq_side_name((xq_side)(p->side ^ 1));
    bool on_board = from < XQ_SQUARES && to < XQ_SQUARES;
    int between =
        on_board && same_line(from, to) ? count_between(p, from, to) : 0;
    xq_sq_format(from, f);
    xq_sq_format(to, t);
    if (v == XQ_LEG && on_board)
        leg = xq_horse_leg[to][from];
    else if (v == XQ_EYE && on_board)
        leg = (xq_sq)((from + to) / 2);
    xq_sq_format(leg, l);
    switch (v) {
    case XQ_LEGAL:
        snprintf(out, 128, "legal");
        return;
    case XQ_NO_PIECE:
        snprintf(out, 128, "no %s piece on %s, the square is empty", mover, f);
        return;
    case XQ_NOT_YOURS:
        snprintf(out, 128, "no %s piece on %s: the %s there is %s", mover, f,
                 kind, other);
        return;
    case XQ_OWN_PIECE:
        snprintf(out, 128, "%s cannot go to %s: an own piece stands there",
                 kind, t);
        return;
    case XQ_NO_REACH:
        snprintf(out, 128, "%s cannot reach %s from %s", kind, t, f);
        return;
    case XQ_LEG:
        snprintf(out, 128, "horse's leg on %s is blocked", l);
        return;
    case XQ_EYE:
        snprintf(out, 128, "elephant's eye on %s is blocked", l);
        return;
    case XQ_RIVER:
        snprintf(out, 128, "elephant may not cross the river");
        return;
    case XQ_PALACE:
        snprintf(out, 128, "%s may not leave the palace", kind);
        return;
    case XQ_JUMP:
        snprintf(out, 128, "%s would jump %s", kind, pieces_text(between));
        return;
    case XQ_SCREEN:
        if (between)
            snprintf(out, 128, "cannon would jump %s", pieces_text(between));
        else
            snprintf(out, 128,
                     "cannon takes over exactly one piece, here is "
                     "none between");
        return;
    case XQ_BACKWARD:
        if (on_board && xq_rank_of[from] == xq_rank_of[to])
            snprintf(out, 128, "pawn may not move sideways before the river");
        else
            snprintf(out, 128, "pawn may not move backward");
        return;
    case XQ_SELF_CHECK:
        snprintf(out, 128, "the %s king would be in check", mover);
        return;
    case XQ_FACING:
        snprintf(out, 128, "the kings would face each other");
        return;
    case XQ_TAKES_KING:
        snprintf(out, 128, "a king is never captured");
        return;
    }
    snprintf(out, 128, "not legal");
}

/* ---- check ---- */

bool xq_in_check(const xq_pos *p, xq_side side)
{
    xq_sq king = xq_pos_king(p, side);
    unsigned enemy = side ^ 1u, f = xq_file_of[king], r = xq_rank_of[king];
    return line_attacks(p->line[10 + f], r, enemy) ||
           line_attacks(p->line[r], f, enemy) ||
           pawn_attacks(p, king, side, XQ_NOSQ) ||
           horse_attacks(p, king, side, XQ_NOSQ, XQ_NOSQ);
}

unsigned xq_checkers(const xq_pos *p, xq_sq out[XQ_MAX_CHECKERS])
{
    unsigned enemy = p->side ^ 1u, n = 0;
    xq_sq king = xq_pos_king(p, (xq_side)p->side);
    unsigned end = p->first[8 * enemy + 8];
    for (unsigned i = p->first[8 * enemy]; i < end && n < XQ_MAX_CHECKERS; i++)
        if (p->sq[i] != XQ_NOSQ && hits_king(p, p->sq[i], king))
            out[n++] = p->sq[i];
    return n;
}
