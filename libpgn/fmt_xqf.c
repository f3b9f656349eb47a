/* fmt_xqf.c - XQF of XQStudio, versions 1.0 to 1.8 and what came after
 * (formats reference 6.1).
 *
 *   0x000  "XQ", version, key mask, product, four keys to OR
 *   0x00C  KeysSum KeyXY KeyXYf KeyXYt: their sum is 0 (mod 256)
 *   0x010  squares of 32 pieces, 10 * file + rank; above 89: taken
 *   0x032  side to move (not to be relied upon), 0x033 result
 *   0x040  kind of game, then short strings in fixed fields
 *   0x400  nodes: from + 24, to + 32, flags, 0, then maybe a comment
 *
 * From 1.1 on squares, nodes and comments are disguised by keys of the
 * header.  Versions above 1.8 are read as 1.8, those above 1.9 with a warning.
 */
#include "libpgn/xqf.h"

#include "libpgn/binary.h"
#include "libpgn/bytes.h"

#include <string.h>

enum {
    HEADER = PGN_XQF_HEADER,
    V11 = 0x0B,   /* disguised; before, a comment length in each node */
    LATEST = 0x13 /* the highest version seen */
};

const pgn_xqf_field pgn_xqf_fields[] = {
    {0x050, 63, "Title"},       {0x0D0, 63, "Event"},
    {0x110, 15, "Date"},        {0x120, 15, "Site"},
    {0x130, 15, "Red"},         {0x140, 15, "Black"},
    {0x150, 63, "TimeControl"}, {0x190, 15, "RedTime"},
    {0x1A0, 15, "BlackTime"},   {0x1D0, 15, "Annotator"},
    {0x1E0, 15, "Author"},
};

const char *const pgn_xqf_types[] = {NULL, "opening", "middle game", "endgame"};

const uint8_t pgn_xqf_slots[16] = {XQ_ROOK, XQ_HORSE,   XQ_ELEPHANT, XQ_ADVISOR,
                                   XQ_KING, XQ_ADVISOR, XQ_ELEPHANT, XQ_HORSE,
                                   XQ_ROOK, XQ_CANNON,  XQ_CANNON,   XQ_PAWN,
                                   XQ_PAWN, XQ_PAWN,    XQ_PAWN,     XQ_PAWN};

struct keys {
    uint8_t p, f, t; /* added to piece squares, to from, to to */
    uint32_t r;      /* added to lengths of comments */
    uint8_t s[32];   /* added to the bytes of the body */
};

static void find_keys(const uint8_t *h, struct keys *k)
{
    static const char TEXT[] = "[(C) Copyright Mr. Dong Shiwei.]";
    memset(k, 0, sizeof *k);
    if (h[2] < V11)
        return;
#define G(x) (54u * (x) * (x) + 221u)
    k->p = (uint8_t)(G((unsigned)h[0x0D]) * h[0x0D]);
    k->f = (uint8_t)(G((unsigned)h[0x0E]) * k->p);
    k->t = (uint8_t)(G((unsigned)h[0x0F]) * k->f);
#undef G
    k->r = (h[0x0C] * 256u + h[0x0D]) % 32000u + 767u;
    for (unsigned i = 0; i < 32; i++)
        k->s[i] = (uint8_t)TEXT[i] &
                  (uint8_t)((h[0x0C + i % 4] & h[3]) | h[0x08 + i % 4]);
}

/* Squares count file by file from Red's left: 10 * file + rank. */
static xq_sq square_of(uint8_t v)
{
    return v < XQ_SQUARES ? xq_sq_of(v / 10, v % 10) : XQ_NOSQ;
}

/* False: two pieces on one square, at slot *bad. */
static bool read_board(const uint8_t *h, const struct keys *k,
                       uint8_t at[XQ_SQUARES], unsigned *bad)
{
    bool good = true;
    memset(at, 0, XQ_SQUARES);
    for (unsigned i = 0; i < 32; i++) {
        const unsigned slot = h[2] > V11 ? (k->p + 1u + i) % 32 : i;
        const xq_sq sq = square_of((uint8_t)(h[0x10 + i] - k->p));
        if (sq == XQ_NOSQ)
            continue;
        if (at[sq] != XQ_EMPTY) {
            good = false;
            *bad = i;
        }
        at[sq] = xq_piece_of(slot < 16 ? XQ_RED : XQ_BLACK,
                             (xq_kind)pgn_xqf_slots[slot % 16]);
    }
    return good;
}

static size_t field_length(const uint8_t *h, const pgn_xqf_field *f)
{
    return h[f->at] < f->most ? h[f->at] : f->most;
}

static void read_tags(pgn_reader *r, const uint8_t *h)
{
    for (unsigned i = 0; i < PGN_XQF_FIELDS; i++) {
        const pgn_xqf_field *f = &pgn_xqf_fields[i];
        const size_t n = field_length(h, f);
        /* names are cut at the field's size, inside a character or not */
        pgn_binary_tag(r, f->tag, h + f->at + 1, n,
                       n == f->most ? PGN_TEXT_CUT : 0, f->at);
    }
    if (h[0x40] >= 1 && h[0x40] <= 3)
        pgn_build_tag(r, xq_str_of("Type"), xq_str_of(pgn_xqf_types[h[0x40]]),
                      0x40);
}

/* ---- the body ---- */

/* The bytes behind the header without their disguise. */
static const uint8_t *plain_body(pgn_reader *r, const struct keys *k, size_t n)
{
    const uint8_t *from = r->raw + HEADER;
    if (r->raw[2] < V11)
        return from;
    pgn_buf *b = &r->binary->body;
    b->n = 0;
    uint8_t *to = (uint8_t *)pgn_buf_room(b, n + 1);
    if (!to) {
        r->failed = true;
        return NULL;
    }
    size_t i = 0;
    for (; n - i >= 32; i += 32)
        for (size_t j = 0; j < 32; j++)
            to[i + j] = (uint8_t)(from[i + j] - k->s[j]);
    for (; i < n; i++)
        to[i] = (uint8_t)(from[i] - k->s[i % 32]);
    return to;
}

struct node {
    xq_sq from, to;
    bool goes_on, sibling;
    size_t text, ntext; /* in the body */
    bool cut;           /* the body ends inside it */
};

/* The node at *i, which is moved behind it.  False: it is not there. */
static bool read_node(const uint8_t *s, size_t n, size_t *i, bool v10,
                      const struct keys *k, struct node *node)
{
    if (n - *i < 4)
        return false;
    const uint8_t *p = s + *i;
    bool comment = v10;
    *node = (struct node){
        .from = square_of((uint8_t)(p[0] - 24u - k->f)),
        .to = square_of((uint8_t)(p[1] - 32u - k->t)),
    };
    if (v10) {
        node->goes_on = (p[2] & 0xF0) != 0;
        node->sibling = (p[2] & 0x0F) != 0;
    } else {
        node->goes_on = (p[2] & 0x80) != 0;
        node->sibling = (p[2] & 0x40) != 0;
        comment = (p[2] & 0x20) != 0;
    }
    *i += 4;
    if (!comment)
        return true;
    if (n - *i < 4) {
        node->cut = !v10 || *i < n || node->goes_on || node->sibling;
        *i = n;
        return true;
    }
    const uint32_t len = pgn_u32(s + *i) - k->r;
    *i += 4;
    node->text = *i;
    node->ntext = len;
    if (len > n - *i) {
        node->ntext = n - *i;
        node->cut = true;
    }
    *i += node->ntext;
    return true;
}

/* How far the nodes went. */
struct extent {
    size_t last, end; /* the last node, and what follows it */
    bool root, cut;   /* the root was read; the last node is not whole */
};

static struct extent read_nodes(pgn_reader *r, const uint8_t *s, size_t n,
                                const struct keys *k)
{
    struct pgn_binary *b = r->binary;
    const bool v10 = r->raw[2] < V11;
    struct extent e = {0};
    struct node node;
    size_t i = 0;
    while (!e.cut && !r->failed && pgn_stored_due(b) &&
           read_node(s, n, &i, v10, k, &node)) {
        uint32_t id = 0;
        e.last = e.end;
        e.end = i;
        e.cut = node.cut;
        if (!e.root) /* no move, hence no sibling either */
            b->goes_on = node.goes_on;
        else
            id = pgn_stored_put(r, node.from, node.to, HEADER + e.last,
                                node.goes_on, node.sibling);
        e.root = true;
        b->v[id].at = HEADER + e.last;
        if (node.ntext) {
            b->v[id].text = node.text;
            b->v[id].ntext = (uint32_t)node.ntext;
            pgn_binary_sample(r, s + node.text, node.ntext);
        }
    }
    return e;
}

/* Does the tree end where the file does? */
static void check_end(pgn_reader *r, size_t n, const struct extent *e)
{
    if (!e->root) {
        pgn_binary_damaged(r, r->nraw, "the file ends before its first node");
        r->binary->goes_on = false;
        return;
    }
    if (e->cut)
        pgn_binary_damaged(r, HEADER + e->last,
                           "the file ends inside a comment");
    if (pgn_stored_due(r->binary))
        pgn_stored_end(r, r->nraw);
    else if (e->end < n)
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, HEADER + e->end, 0,
                          (xq_str){NULL, 0},
                          "%zu byte%s behind the last move passed over",
                          n - e->end, n - e->end == 1 ? "" : "s");
}

/* ---- the game ---- */

static void refuse(pgn_reader *r, size_t at, const char *why)
{
    pgn_binary_start(r, 0, PGN_ENC_UTF8);
    pgn_binary_damaged(r, at, "%s", why);
    pgn_build_setup(r);
    pgn_build_marker(r, PGN_UNKNOWN, at);
    pgn_build_finish(r, r->nraw);
}

static void read_game(pgn_reader *r)
{
    const uint8_t *h = r->raw;
    const size_t n = r->nraw - HEADER;
    static const pgn_result RESULTS[] = {PGN_UNKNOWN, PGN_RED_WINS,
                                         PGN_BLACK_WINS, PGN_DRAW, PGN_DRAW};
    struct keys k;
    pgn_setup setup = {.side = h[0x32] == 1 ? XQ_BLACK : XQ_RED,
                       .result = h[0x33] < 5 ? RESULTS[h[0x33]] : PGN_UNKNOWN};
    unsigned slot = 0;
    find_keys(h, &k);
    const uint8_t *body = plain_body(r, &k, n);
    if (!body)
        return;
    for (unsigned i = 0; i < PGN_XQF_FIELDS; i++)
        pgn_binary_sample(r, h + pgn_xqf_fields[i].at + 1,
                          field_length(h, &pgn_xqf_fields[i]));
    const struct extent e = read_nodes(r, body, n, &k);
    pgn_binary_start(r, 0, pgn_binary_judge(r, PGN_ENC_GB18030));
    if (r->failed)
        return;
    const uint8_t sum = (uint8_t)(h[0x0C] + h[0x0D] + h[0x0E] + h[0x0F]);
    if (h[2] >= V11 && sum)
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, 0x0C, 0,
                          (xq_str){NULL, 0},
                          "the keys of the header do not fit each other");
    if (h[2] > LATEST)
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, 2, 0,
                          (xq_str){NULL, 0},
                          "unknown version %u of XQF, read as 1.8", h[2]);
    read_tags(r, h);
    check_end(r, n, &e);
    if (!read_board(h, &k, setup.at, &slot))
        pgn_build_problem(r, PGN_WARNING, PGN_P_FEN, 0x10 + slot, 0,
                          (xq_str){NULL, 0},
                          "two pieces stand on one square, the later counts");
    pgn_binary_setup(r, &setup, 0x10);
    pgn_binary_play(r, body, 0);
    pgn_build_finish(r, r->nraw);
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    if (r->at >= r->nraw)
        return XQ_DONE;
    r->at = r->nraw;
    if (!pgn_binary_reset(r))
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    if (r->nraw < HEADER)
        refuse(r, r->nraw, "the file ends inside its header");
    else
        read_game(r);
    if (r->failed)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    r->game.notation = PGN_ICCS;
    return XQ_OK;
}

const pgn_fmt pgn_fmt_xqf = {PGN_FMT_XQF, next};
