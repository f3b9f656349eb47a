/* pos.c - the board: set up, make and take back moves, mirror. */
#include "engine/internal.h"
#include "engine/key.h"

#include <string.h>

const char *xq_kind_name(xq_kind k)
{
    static const char *const NAMES[8] = {
        "piece", "king", "advisor", "elephant",
        "horse", "rook", "cannon",  "pawn",
    };
    return NAMES[k & 7];
}

const char *xq_side_name(xq_side s) { return s == XQ_RED ? "red" : "black"; }

/* ---- setting up ---- */

/* One king a side, in its palace; piece codes in range. */
static xq_status check_board(const uint8_t at[XQ_SQUARES], xq_err *err)
{
    bool seen[2] = {false, false};
    for (xq_sq s = 0; s < XQ_SQUARES; s++) {
        int rank = xq_rank_of[s], file = 'a' + xq_file_of[s];
        xq_piece piece = at[s];
        if (piece == XQ_EMPTY)
            continue;
        if (piece > 15 || xq_piece_kind(piece) == 0)
            return xq_fail(err, XQ_EILLEGAL,
                           "rank %d, file %c: piece code %d is out of range",
                           rank, file, piece);
        if (xq_piece_kind(piece) != XQ_KING)
            continue;
        xq_side side = xq_piece_side(piece);
        if (seen[side])
            return xq_fail(err, XQ_EILLEGAL,
                           "rank %d, file %c: a second %s king", rank, file,
                           xq_side_name(side));
        if (!in_palace(side, s))
            return xq_fail(err, XQ_EILLEGAL,
                           "rank %d, file %c: %s king outside its palace", rank,
                           file, xq_side_name(side));
        seen[side] = true;
    }
    for (int side = 0; side < 2; side++)
        if (!seen[side])
            return xq_fail(err, XQ_EILLEGAL,
                           "rank %d, file e: no %s king, here or elsewhere",
                           side == XQ_RED ? 0 : 9, xq_side_name((xq_side)side));
    return XQ_OK;
}

/* Fill *p from a board that check_board has passed. */
static void fill(xq_pos *p, const uint8_t at[XQ_SQUARES], xq_side side)
{
    uint8_t next[16] = {0};
    memset(p, 0, sizeof *p);
    memset(p->sq, XQ_NOSQ, sizeof p->sq);
    for (xq_sq s = 0; s < XQ_SQUARES; s++)
        if (at[s])
            next[at[s]]++; /* first a count... */
    for (int code = 0, slot = 0; code < 16; code++) {
        int count = next[code];
        p->first[code] = next[code] = (uint8_t)slot; /* ...then a slot */
        slot += count;
        p->first[code + 1] = (uint8_t)slot;
    }
    for (xq_sq s = 0; s < XQ_SQUARES; s++) {
        if (!at[s])
            continue;
        uint8_t slot = next[at[s]]++;
        p->at[s] = at[s];
        p->slot[s] = slot;
        p->sq[slot] = s;
        board_toggle(p, at[s], s);
        p->key ^= xq_zobrist[at[s]][s].key;
        p->mirror_key ^= xq_zobrist[at[s]][s].mirror;
    }
    p->side = (uint8_t)side;
    if (side == XQ_BLACK) {
        p->key ^= xq_zobrist_black;
        p->mirror_key ^= xq_zobrist_black;
    }
    p->fullmove = 1;
}

xq_status xq_pos_set(xq_pos *p, const uint8_t at[XQ_SQUARES], xq_side side,
                     xq_err *err)
{
    xq_status rc = check_board(at, err);
    if (rc == XQ_OK)
        fill(p, at, side == XQ_BLACK ? XQ_BLACK : XQ_RED);
    return rc;
}

void xq_pos_start(xq_pos *p)
{
    /* clang-format off */
    enum { K = XQ_KING, A, B, N, R, C, P, k = 8 | K, a, b, n, r, c, q };
    static const uint8_t START[XQ_SQUARES] = {
        R, N, B, A, K, A, B, N, R,
        0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, C, 0, 0, 0, 0, 0, C, 0,
        P, 0, P, 0, P, 0, P, 0, P,
        0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0,
        q, 0, q, 0, q, 0, q, 0, q,
        0, c, 0, 0, 0, 0, 0, c, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0,
        r, n, b, a, k, a, b, n, r,
    };
    /* clang-format on */
    fill(p, START, XQ_RED);
}

void xq_pos_mirror(xq_pos *out, const xq_pos *p)
{
    uint8_t at[XQ_SQUARES];
    uint32_t fullmove = p->fullmove;
    uint16_t halfmove = p->halfmove;
    for (xq_sq s = 0; s < XQ_SQUARES; s++)
        at[s] = p->at[xq_sq_mirror[s]];
    fill(out, at, (xq_side)p->side); /* out may be p */
    out->fullmove = fullmove;
    out->halfmove = halfmove;
}

/* ---- moves ---- */

void xq_pos_make(xq_pos *p, xq_move m, xq_undo *u)
{
    xq_sq from = xq_move_from(m), to = xq_move_to(m);
    xq_piece piece = p->at[from], captured = p->at[to];
    if (u) {
        u->key = p->key;
        u->mirror_key = p->mirror_key;
        u->fullmove = p->fullmove;
        u->halfmove = p->halfmove;
        u->move = m;
        u->captured = captured;
        u->captured_slot = p->slot[to];
    }
    const struct xq_zobrist *z = xq_zobrist[piece];
    p->key ^= z[from].key ^ z[to].key ^ xq_zobrist_black;
    p->mirror_key ^= z[from].mirror ^ z[to].mirror ^ xq_zobrist_black;
    if (captured) {
        p->key ^= xq_zobrist[captured][to].key;
        p->mirror_key ^= xq_zobrist[captured][to].mirror;
        p->halfmove = 0;
    } else if (p->halfmove < UINT16_MAX) {
        p->halfmove++;
    }
    p->fullmove += p->side;
    struct board_undo unused;
    board_make(p, m, &unused);
}

void xq_pos_unmake(xq_pos *p, const xq_undo *u)
{
    struct board_undo b = {u->move, u->captured, u->captured_slot};
    board_unmake(p, &b);
    p->key = u->key;
    p->mirror_key = u->mirror_key;
    p->fullmove = u->fullmove;
    p->halfmove = u->halfmove;
}

void xq_pos_pass(xq_pos *p)
{
    p->side ^= 1;
    p->key ^= xq_zobrist_black;
    p->mirror_key ^= xq_zobrist_black;
}

/* ---- text ---- */

void xq_sq_format(xq_sq s, char out[3])
{
    bool ok = s < XQ_SQUARES;
    out[0] = ok ? (char)('a' + xq_file_of[s]) : '?';
    out[1] = ok ? (char)('0' + xq_rank_of[s]) : '?';
    out[2] = 0;
}

void xq_move_format(xq_move m, char out[5])
{
    xq_sq_format(xq_move_from(m), out);
    xq_sq_format(xq_move_to(m), out + 2);
}

xq_move xq_move_parse(const char *text)
{
    for (int i = 0; i < 4; i++) { /* stops at a NUL as well */
        char low = i % 2 ? '0' : 'a', high = i % 2 ? '9' : 'i';
        if (text[i] < low || text[i] > high)
            return XQ_NOMOVE;
    }
    if (text[4])
        return XQ_NOMOVE;
    return xq_move_make(xq_sq_of(text[0] - 'a', text[1] - '0'),
                        xq_sq_of(text[2] - 'a', text[3] - '0'));
}
