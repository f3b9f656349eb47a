/* record.c - trees of moves to bytes and back (record.h). */
#include "bookdb/record.h"

#include "bookdb/store.h"
#include "engine/key.h"
#include "engine/rules.h"

#include <stdlib.h>
#include <string.h>

enum {
    CODE_MOVES = 119, /* below: a move */
    CODE_ESCAPE = 119,
    CODE_BEGIN,
    CODE_END,
    CODE_AFTER,
    CODE_BEFORE,
    CODE_NAG,
};

/* By kind: first code, pieces that have codes, codes a piece; 1 when ranks are
 * counted from the mover's side. */
static const struct kind_codes {
    uint8_t base, pieces, each, turns;
} KIND[8] = {
    [XQ_KING] = {0, 1, 4, 0},      [XQ_ADVISOR] = {4, 2, 4, 0},
    [XQ_ELEPHANT] = {12, 2, 4, 0}, [XQ_HORSE] = {20, 2, 8, 0},
    [XQ_ROOK] = {36, 2, 17, 0},    [XQ_CANNON] = {70, 2, 17, 0},
    [XQ_PAWN] = {104, 5, 3, 1},
};

/* Steps in files and ranks, by kind; the pawn's are Red's. */
struct step {
    int8_t df, dr;
};
static const struct step STEP[8][8] = {
    [XQ_KING] = {{0, 1}, {0, -1}, {-1, 0}, {1, 0}},
    [XQ_ADVISOR] = {{1, 1}, {-1, 1}, {1, -1}, {-1, -1}},
    [XQ_ELEPHANT] = {{2, 2}, {-2, 2}, {2, -2}, {-2, -2}},
    [XQ_HORSE] =
        {
            {1, 2},
            {-1, 2},
            {2, 1},
            {-2, 1},
            {2, -1},
            {-2, -1},
            {1, -2},
            {-1, -2},
        },
    [XQ_PAWN] = {{0, 1}, {-1, 0}, {1, 0}},
};

/* Code -> kind * 8 + piece of the kind (moves only). */
/* clang-format off */
#define T4(x) x, x, x, x
#define T8(x) T4(x), T4(x)
#define T17(x) T8(x), T8(x), x
#define P(kind, i) ((kind) * 8 + (i))
static const uint8_t PIECE_OF[CODE_MOVES] = {
    T4(P(XQ_KING, 0)),
    T4(P(XQ_ADVISOR, 0)), T4(P(XQ_ADVISOR, 1)),
    T4(P(XQ_ELEPHANT, 0)), T4(P(XQ_ELEPHANT, 1)),
    T8(P(XQ_HORSE, 0)), T8(P(XQ_HORSE, 1)),
    T17(P(XQ_ROOK, 0)), T17(P(XQ_ROOK, 1)),
    T17(P(XQ_CANNON, 0)), T17(P(XQ_CANNON, 1)),
    P(XQ_PAWN, 0), P(XQ_PAWN, 0), P(XQ_PAWN, 0),
    P(XQ_PAWN, 1), P(XQ_PAWN, 1), P(XQ_PAWN, 1),
    P(XQ_PAWN, 2), P(XQ_PAWN, 2), P(XQ_PAWN, 2),
    P(XQ_PAWN, 3), P(XQ_PAWN, 3), P(XQ_PAWN, 3),
    P(XQ_PAWN, 4), P(XQ_PAWN, 4), P(XQ_PAWN, 4),
};
/* clang-format on */

/* ---- moves ---- */

/* Where a piece that is no rook or cannon goes, by (ranks + 2) * 5 + files +
 * 2; Red's pawn, Black's is seen from the other side.  No such step: 15. */
#define NONE 15
/* clang-format off */
#define _ NONE
static const uint8_t STEP_CODE[8][32] = {
    [XQ_KING]     = {_,_,_,_,_,  _,_,1,_,_,  _,2,_,3,_,  _,_,0,_,_,  _,_,_,_,_,
                     _,_,_,_,_,_,_},
    [XQ_ADVISOR]  = {_,_,_,_,_,  _,3,_,2,_,  _,_,_,_,_,  _,1,_,0,_,  _,_,_,_,_,
                     _,_,_,_,_,_,_},
    [XQ_ELEPHANT] = {3,_,_,_,2,  _,_,_,_,_,  _,_,_,_,_,  _,_,_,_,_,  1,_,_,_,0,
                     _,_,_,_,_,_,_},
    [XQ_HORSE]    = {_,7,_,6,_,  5,_,_,_,4,  _,_,_,_,_,  3,_,_,_,2,  _,1,_,0,_,
                     _,_,_,_,_,_,_},
    [XQ_PAWN]     = {_,_,_,_,_,  _,_,_,_,_,  _,1,_,2,_,  _,_,0,_,_,  _,_,_,_,_,
                     _,_,_,_,_,_,_},
};
#undef _
/* clang-format on */

/* The code of a legal move of piece number i of its kind, or CODE_ESCAPE. */
static inline unsigned code_for(xq_piece piece, unsigned i, xq_sq from,
                                xq_sq to)
{
    xq_kind kind = xq_piece_kind(piece);
    const struct kind_codes *k = &KIND[kind];
    unsigned f0 = xq_file_of[from], r0 = xq_rank_of[from], f1 = xq_file_of[to],
             r1 = xq_rank_of[to];
    if (i >= k->pieces)
        return CODE_ESCAPE;
    /* Both ways are worked out: which it is, is a coin's throw. */
    unsigned across = f1 - (f1 > f0), along = 8 + r1 - (r1 > r0);
    unsigned line = r0 == r1 ? across : along;
    unsigned turn = k->turns & piece >> 3; /* 1: ranks seen from Black */
    unsigned df = f1 - f0, dr = ((r1 - r0) ^ (0u - turn)) + turn;
    unsigned step = STEP_CODE[kind][(dr * 5 + df + 12) & 31];
    return k->base + i * k->each + (k->each == 17 ? line : step);
}

static unsigned code_of(const xq_pos *p, xq_move m)
{
    xq_sq from = xq_move_from(m);
    xq_piece piece = p->at[from];
    return code_for(piece, (unsigned)p->slot[from] - p->first[piece], from,
                    xq_move_to(m));
}

/* The move of a code; XQ_NOMOVE when the piece is gone or would leave the
 * board. */
static xq_move move_of(const xq_pos *p, unsigned code)
{
    unsigned at = PIECE_OF[code], kind = at >> 3, i = at & 7;
    xq_piece piece = xq_piece_of((xq_side)p->side, (xq_kind)kind);
    unsigned slot = p->first[piece] + i;
    if (slot >= p->first[piece + 1])
        return XQ_NOMOVE;
    xq_sq from = p->sq[slot];
    if (from == XQ_NOSQ)
        return XQ_NOMOVE;
    unsigned to_code = code - KIND[kind].base - i * KIND[kind].each;
    int f = xq_file_of[from], r = xq_rank_of[from];
    if (kind == XQ_ROOK || kind == XQ_CANNON) {
        int t = (int)to_code;
        if (t < 8)
            return xq_move_make(from, xq_sq_of(t + (t >= f), r));
        t -= 8;
        return xq_move_make(from, xq_sq_of(f, t + (t >= r)));
    }
    struct step s = STEP[kind][to_code];
    f += s.df;
    r += kind == XQ_PAWN && p->side == XQ_BLACK ? -s.dr : s.dr;
    if (f < 0 || f > 8 || r < 0 || r > 9)
        return XQ_NOMOVE;
    return xq_move_make(from, xq_sq_of(f, r));
}

/* Read a move at *p, whose first byte is `code`, a move's. */
static xq_move take_move(const xq_pos *pos, unsigned code, const uint8_t **p,
                         const uint8_t *end)
{
    if (code < CODE_MOVES)
        return move_of(pos, code);
    if (end - *p < 2)
        return XQ_NOMOVE;
    unsigned m = (unsigned)(*p)[0] | (unsigned)(*p)[1] << 8;
    *p += 2;
    xq_sq from = xq_move_from((xq_move)m), to = xq_move_to((xq_move)m);
    if (m >> 14 || from >= XQ_SQUARES || to >= XQ_SQUARES || from == to)
        return XQ_NOMOVE;
    return (xq_move)m;
}

/* ---- encoding ---- */

/* As in game.c's walk: a variation that is being written, or (node 0) a move
 * of it to take back. */
struct level {
    uint32_t node, alt;
    xq_undo undo;
};

struct encoder {
    const pgn_game *g;
    pgn_buf *out;
    xq_pos pos;
    struct level *stack;
    size_t n, cap;
};

static struct level *enc_push(struct encoder *e)
{
    if (e->n == e->cap) {
        size_t cap = e->cap ? 2 * e->cap : 64;
        struct level *s = realloc(e->stack, cap * sizeof *s);
        if (!s)
            return NULL;
        e->stack = s;
        e->cap = cap;
    }
    return &e->stack[e->n++];
}

static void put_byte(pgn_buf *out, unsigned b)
{
    uint8_t byte = (uint8_t)b;
    pgn_buf_add(out, &byte, 1);
}

static void put_notes(struct encoder *e, uint32_t node)
{
    const pgn_game *g = e->g;
    for (uint32_t i = g->nodes[node].notes; i; i = g->notes[i].next) {
        switch (g->notes[i].kind) {
        case PGN_NOTE_AFTER:
            put_byte(e->out, CODE_AFTER);
            break;
        case PGN_NOTE_BEFORE:
            put_byte(e->out, CODE_BEFORE);
            break;
        case PGN_NOTE_NAG: {
            uint8_t b[11], *q = b;
            *q++ = CODE_NAG;
            q = bk_put_varint(q, g->notes[i].nag);
            pgn_buf_add(e->out, b, (size_t)(q - b));
            break;
        }
        }
    }
}

static void put_move(struct encoder *e, xq_move m)
{
    unsigned code = code_of(&e->pos, m);
    put_byte(e->out, code);
    if (code == CODE_ESCAPE) {
        uint8_t b[2] = {(uint8_t)m, (uint8_t)(m >> 8)};
        pgn_buf_add(e->out, b, 2);
    }
}

static xq_key canon(const xq_pos *p)
{
    return p->mirror_key < p->key ? p->mirror_key : p->key;
}

static xq_status encode_tree(struct encoder *e, xq_key *keys)
{
    const pgn_node *nodes = e->g->nodes;
    uint32_t node = nodes[0].next, depth = 0, ply = 0;
    bool alternative = false; /* node is a variation's first move */
    put_notes(e, 0);
    while (node) {
        put_move(e, nodes[node].move);
        put_notes(e, node);
        if (nodes[node].alt && !alternative) {
            struct level *l = enc_push(e);
            if (!l)
                return XQ_ENOMEM;
            *l = (struct level){.node = node, .alt = nodes[node].alt};
            put_byte(e->out, CODE_BEGIN);
            node = nodes[node].alt;
            alternative = true;
            depth++;
            continue;
        }
        for (;;) { /* to the next move to write */
            uint32_t next = nodes[node].next;
            if (next || depth == 0) {
                struct level *l = NULL;
                if (depth) {
                    if (!(l = enc_push(e)))
                        return XQ_ENOMEM;
                    l->node = 0;
                }
                xq_pos_make(&e->pos, nodes[node].move, l ? &l->undo : NULL);
                if (depth == 0 && keys)
                    keys[++ply] = canon(&e->pos);
                node = next;
                alternative = false;
                break;
            }
            while (e->stack[e->n - 1].node == 0)
                xq_pos_unmake(&e->pos, &e->stack[--e->n].undo);
            struct level *l = &e->stack[e->n - 1];
            put_byte(e->out, CODE_END);
            if (nodes[l->alt].alt) {
                l->alt = node = nodes[l->alt].alt;
                put_byte(e->out, CODE_BEGIN);
                alternative = true;
                break;
            }
            node = l->node;
            e->n--;
            depth--;
        }
    }
    return XQ_OK;
}

/* A main line alone, which is most games: a board of just pieces, their
 * numbers and both keys, half the work of xq_pos_make. */
static xq_status encode_main(struct encoder *e, xq_key *keys)
{
    const pgn_game *g = e->g;
    uint8_t *to = (uint8_t *)pgn_buf_room(e->out, 3 * (size_t)g->plies + 1);
    uint8_t *q = to, at[XQ_SQUARES], number[XQ_SQUARES];
    if (!to)
        return XQ_ENOMEM;
    memcpy(at, e->pos.at, sizeof at);
    for (xq_sq s = 0; s < XQ_SQUARES; s++)
        number[s] = (uint8_t)(e->pos.slot[s] - e->pos.first[at[s]]);
    uint64_t key = e->pos.key, mirror = e->pos.mirror_key;
    for (uint32_t i = 0; i < g->plies; i++) {
        xq_move m = g->main[i];
        xq_sq from = xq_move_from(m), sq = xq_move_to(m);
        xq_piece piece = at[from], taken = at[sq];
        unsigned code = code_for(piece, number[from], from, sq);
        *q++ = (uint8_t)code;
        if (code == CODE_ESCAPE) {
            *q++ = (uint8_t)m;
            *q++ = (uint8_t)(m >> 8);
        }
        const struct xq_zobrist *z = xq_zobrist[piece];
        /* the constants of the empty square are 0 */
        key ^= z[from].key ^ z[sq].key ^ xq_zobrist[taken][sq].key ^
               xq_zobrist_black;
        mirror ^= z[from].mirror ^ z[sq].mirror ^ xq_zobrist[taken][sq].mirror ^
                  xq_zobrist_black;
        at[sq] = piece;
        number[sq] = number[from];
        at[from] = XQ_EMPTY;
        if (keys)
            keys[i + 1] = mirror < key ? mirror : key;
    }
    e->out->n += (size_t)(q - to);
    return XQ_OK;
}

xq_status bk_record_encode(const pgn_game *g, pgn_buf *out, xq_key *keys)
{
    struct encoder e = {.g = g, .out = out, .pos = g->start};
    if (keys)
        keys[0] = canon(&e.pos);
    bool tree = g->nnodes && (g->has_variations || g->nnotes > 1);
    xq_status rc = tree ? encode_tree(&e, keys) : encode_main(&e, keys);
    free(e.stack);
    return out->failed ? XQ_ENOMEM : rc;
}

/* ---- decoding ---- */

/* Pass over what follows a code.  False when the bytes end too early. */
static bool skip_code(unsigned code, const uint8_t **p, const uint8_t *end)
{
    uint64_t nag;
    if (code == CODE_ESCAPE) {
        if (end - *p < 2)
            return false;
        *p += 2;
    } else if (code == CODE_NAG) {
        *p = bk_get_varint(*p, end, &nag);
        if (!*p)
            return false;
    }
    return code <= CODE_NAG;
}

uint32_t bk_record_comments(const uint8_t *p, size_t n)
{
    const uint8_t *end = p + n;
    uint32_t count = 0;
    while (p < end) {
        unsigned code = *p++;
        count += code == CODE_AFTER || code == CODE_BEFORE;
        if (!skip_code(code, &p, end))
            break;
    }
    return count;
}

struct decoder {
    const uint8_t *p, *end;
    const xq_str *texts;
    uint32_t ntexts, text;
    pgn_game *g;
    xq_pos pos;
    xq_undo *undo; /* of every move made and not taken back */
    size_t nundo;
    /* variations under way */
    struct open {
        uint32_t node;  /* replaced */
        uint32_t first; /* the variation's first move, 0: none yet */
        uint32_t last_alt;
    } * open;
    size_t depth;
    uint32_t last; /* node of the last move in this line, 0: none */
    uint32_t note_of, note_tail;
};

static const char *dec_move(struct decoder *d, unsigned code)
{
    pgn_game *g = d->g;
    xq_move m = take_move(&d->pos, code, &d->p, d->end);
    if (m == XQ_NOMOVE || !xq_move_is_legal(&d->pos, m))
        return "a move is not legal";
    uint32_t node = g->nnodes++;
    g->nodes[node] = (pgn_node){.move = m};
    if (d->depth && !d->open[d->depth - 1].first) {
        struct open *o = &d->open[d->depth - 1];
        g->nodes[o->last_alt].alt = node;
        o->first = o->last_alt = node;
    } else {
        g->nodes[d->last].next = node;
    }
    if (d->depth == 0)
        g->main[g->plies++] = m;
    d->last = node;
    xq_pos_make(&d->pos, m, &d->undo[d->nundo++]);
    return NULL;
}

static const char *dec_begin(struct decoder *d)
{
    if (d->last == 0 || (d->depth && d->last == d->open[d->depth - 1].first))
        return "a variation replaces nothing";
    pgn_game *g = d->g;
    uint32_t tail = d->last;
    while (g->nodes[tail].alt)
        tail = g->nodes[tail].alt;
    xq_pos_unmake(&d->pos, &d->undo[--d->nundo]);
    d->open[d->depth++] = (struct open){.node = d->last, .last_alt = tail};
    d->last = 0;
    g->has_variations = true;
    return NULL;
}

static const char *dec_end(struct decoder *d)
{
    if (d->depth == 0 || d->last == 0)
        return "an empty variation";
    const struct open *o = &d->open[--d->depth];
    /* Take back down to the variation's first move, itself included. */
    for (uint32_t node = o->first; node; node = d->g->nodes[node].next)
        xq_pos_unmake(&d->pos, &d->undo[--d->nundo]);
    d->last = o->node;
    xq_pos_make(&d->pos, d->g->nodes[o->node].move, &d->undo[d->nundo++]);
    return NULL;
}

static const char *dec_note(struct decoder *d, unsigned code)
{
    pgn_game *g = d->g;
    pgn_note note = {.kind = code == CODE_AFTER    ? PGN_NOTE_AFTER
                             : code == CODE_BEFORE ? PGN_NOTE_BEFORE
                                                   : PGN_NOTE_NAG};
    if (d->depth && d->last == 0)
        return "a comment belongs to no move";
    if (g->nodes[d->last].alt) /* they are written before */
        return "a comment stands behind a variation";
    if (code == CODE_NAG) {
        uint64_t nag;
        d->p = bk_get_varint(d->p, d->end, &nag);
        if (!d->p || nag > UINT32_MAX)
            return "a NAG is unreadable";
        note.nag = (uint32_t)nag;
    } else {
        if (d->text == d->ntexts)
            return "a comment's text is missing";
        note.text = d->texts[d->text++];
    }
    uint32_t i = g->nnotes++;
    g->notes[i] = note;
    if (g->nodes[d->last].notes == 0)
        g->nodes[d->last].notes = i;
    else if (d->note_of == d->last)
        g->notes[d->note_tail].next = i;
    else
        return "a comment stands apart from its move";
    d->note_of = d->last;
    d->note_tail = i;
    return NULL;
}

xq_status bk_record_decode(const uint8_t *p, size_t n, const xq_str *texts,
                           uint32_t ntexts, xq_arena *arena, pgn_game *g,
                           xq_err *err)
{
    /* What there can be at most: a byte is a move, a note, or an end. */
    size_t moves = 0, notes = 0, begins = 0;
    for (size_t i = 0; i < n; i++) {
        moves += p[i] <= CODE_ESCAPE;
        begins += p[i] == CODE_BEGIN;
        notes += p[i] >= CODE_AFTER && p[i] <= CODE_NAG;
    }
    struct decoder d = {
        .p = p,
        .end = p + n,
        .texts = texts,
        .ntexts = ntexts,
        .g = g,
        .pos = g->start,
        .note_of = UINT32_MAX,
    };
    if (n >= UINT32_MAX)
        return xq_fail(err, XQ_ECORRUPT, "a record is too long");
    g->main = xq_arena_calloc(arena, moves + 1, sizeof *g->main);
    g->nodes = xq_arena_calloc(arena, moves + 1, sizeof *g->nodes);
    g->notes = xq_arena_calloc(arena, notes + 1, sizeof *g->notes);
    d.undo = xq_arena_calloc(arena, moves + 1, sizeof *d.undo);
    d.open = xq_arena_calloc(arena, begins + 1, sizeof *d.open);
    if (!g->main || !g->nodes || !g->notes || !d.undo || !d.open)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    g->plies = 0;
    g->nnodes = 1;
    g->nnotes = 1;
    g->has_variations = false;
    const char *wrong = NULL;
    while (!wrong && d.p < d.end) {
        unsigned code = *d.p++;
        if (code <= CODE_ESCAPE)
            wrong = dec_move(&d, code);
        else if (code == CODE_BEGIN)
            wrong = dec_begin(&d);
        else if (code == CODE_END)
            wrong = dec_end(&d);
        else if (code <= CODE_NAG)
            wrong = dec_note(&d, code);
        else
            wrong = "a code is unknown";
    }
    if (!wrong && d.depth)
        wrong = "a variation does not end";
    if (!wrong && d.text != ntexts)
        wrong = "there are more comments than places for them";
    return wrong ? xq_fail(err, XQ_ECORRUPT, "%s", wrong) : XQ_OK;
}

/* ---- main line only ---- */

void bk_replay_start(bk_replay *r, const xq_pos *start, const uint8_t *p,
                     size_t n)
{
    r->pos = *start;
    r->ply = 0;
    r->bad = false;
    r->p = p;
    r->end = p + n;
}

/* To the code behind the end of a variation, whose begin was read. */
static bool skip_variation(bk_replay *r)
{
    for (size_t depth = 1; depth && r->p < r->end;) {
        unsigned code = *r->p++;
        depth += code == CODE_BEGIN;
        depth -= code == CODE_END;
        if (!skip_code(code, &r->p, r->end))
            return false;
        if (depth == 0)
            return true;
    }
    return false;
}

bool bk_replay_next(bk_replay *r, xq_move *m)
{
    while (!r->bad && r->p < r->end) {
        unsigned code = *r->p++;
        if (code <= CODE_ESCAPE) {
            *m = take_move(&r->pos, code, &r->p, r->end);
            xq_piece piece = r->pos.at[xq_move_from(*m)],
                     target = r->pos.at[xq_move_to(*m)];
            r->bad = *m == XQ_NOMOVE || piece == XQ_EMPTY ||
                     piece >> 3 != r->pos.side ||
                     (target && (target >> 3 == r->pos.side ||
                                 xq_piece_kind(target) == XQ_KING));
            if (r->bad)
                return false;
            xq_pos_make(&r->pos, *m, NULL);
            r->ply++;
            return true;
        }
        r->bad = code == CODE_BEGIN
                     ? !skip_variation(r)
                     : code == CODE_END || !skip_code(code, &r->p, r->end);
    }
    return false;
}
