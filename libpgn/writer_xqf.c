/* writer_xqf.c - a game as a file of XQF 1.0 (layout: fmt_xqf.c).
 *
 * Node of 1.0: from + 24, to + 32, flags F0 continues, 0F sibling later, 0,
 * u32 length and bytes of the comment.  The root has no squares: 18 20. */
#include "libpgn/writer_tree.h"
#include "libpgn/xqf.h"

#include <string.h>

struct writer {
    const pgn_game *g;
    pgn_encoding encoding;
    pgn_lost *lost;
    pgn_buf *out;
    pgn_buf text, coded; /* a comment or value, and it in the encoding */
};

static unsigned square_byte(xq_sq s)
{
    return 10u * xq_file_of[s] + xq_rank_of[s];
}

/* False: more pieces of a kind than the header has places for. */
static bool put_board(const xq_pos *p, uint8_t *h)
{
    memset(h + 0x10, 0xFF, 32);
    for (xq_sq s = 0; s < XQ_SQUARES; s++) {
        if (p->at[s] == XQ_EMPTY)
            continue;
        const unsigned base = xq_piece_side(p->at[s]) == XQ_RED ? 0 : 16;
        unsigned i = 0;
        while (i < 16 && (pgn_xqf_slots[i] != xq_piece_kind(p->at[s]) ||
                          h[0x10 + base + i] != 0xFF))
            i++;
        if (i == 16)
            return false;
        h[0x10 + base + i] = (uint8_t)square_byte(s);
    }
    return true;
}

/* ---- texts ---- */

/* Append one character in the writer's encoding.  GBK: what GB18030 writes in
 * two bytes is in every program's table, its private characters too. */
static void put_char(struct writer *w, xq_str c)
{
    const size_t before = w->coded.n;
    size_t lost = 0;
    pgn_encode(w->encoding, c, &w->coded, &lost);
    if (lost && w->encoding == PGN_ENC_GBK && !w->coded.failed) {
        const size_t end = w->coded.n;
        size_t none = 0;
        pgn_encode(PGN_ENC_GB18030, c, &w->coded, &none);
        const size_t n = w->coded.n - end;
        if (n == 2 && !none && !w->coded.failed) {
            memmove(w->coded.s + before, w->coded.s + end, n);
            w->coded.n = before + n;
            return;
        }
        w->coded.n = end;
    }
    w->lost->characters += lost;
}

static void put_text(struct writer *w, xq_str s)
{
    const size_t before = w->coded.n;
    size_t lost = 0, len;
    pgn_encode(w->encoding, s, &w->coded, &lost);
    if (!lost || w->coded.failed)
        return;
    w->coded.n = before;
    for (size_t i = 0; i < s.n; i += len) {
        pgn_utf8_next(s.s + i, s.n - i, &len);
        put_char(w, (xq_str){s.s + i, len});
    }
}

/* ---- tags ---- */

static const pgn_xqf_field *field_of(const pgn_tag *t)
{
    const bool white = xq_str_eq_nocase(t->name, xq_str_of("White"));
    const xq_str name = white ? xq_str_of("Red") : t->name;
    for (unsigned i = 0; i < PGN_XQF_FIELDS; i++)
        if (xq_str_eq_nocase(name, xq_str_of(pgn_xqf_fields[i].tag)))
            return &pgn_xqf_fields[i];
    return NULL;
}

/* As many whole characters of v as fit. */
static void put_value(struct writer *w, const pgn_xqf_field *f, xq_str v,
                      uint8_t *h)
{
    size_t i = 0, n = 0, len;
    w->lost->blanks += !pgn_text_comes_back(v, false);
    while (i < v.n) {
        const size_t lost = w->lost->characters;
        pgn_utf8_next(v.s + i, v.n - i, &len);
        w->coded.n = 0;
        put_char(w, (xq_str){v.s + i, len});
        if (w->coded.failed)
            return; /* asked at the end */
        if (w->coded.n > f->most - n) {
            w->lost->characters = lost;
            break;
        }
        memcpy(h + f->at + 1 + n, w->coded.s, w->coded.n);
        n += w->coded.n;
        i += len;
    }
    w->lost->cut += i < v.n;
    h[f->at] = (uint8_t)n;
}

static bool put_type(const pgn_tag *t, uint8_t *h)
{
    for (unsigned i = 1; i < PGN_XQF_TYPES; i++)
        if (xq_str_eq(t->value, xq_str_of(pgn_xqf_types[i]))) {
            h[0x40] = (uint8_t)i;
            return true;
        }
    return false;
}

static void put_tags(struct writer *w, uint8_t *h)
{
    for (uint32_t i = 0; i < w->g->ntags; i++) {
        const pgn_tag *t = &w->g->tags[i];
        const pgn_xqf_field *f = field_of(t);
        if (pgn_tag_is_layout(t) || t->value.n == 0)
            continue;
        if (f && h[f->at] == 0)
            put_value(w, f, t->value, h);
        else if (!xq_str_eq_nocase(t->name, xq_str_of("Type")) ||
                 !put_type(t, h))
            w->lost->tags++;
    }
}

/* ---- nodes ---- */

/* The comment as bytes in w->coded, lines ended by CR LF. */
static void encode_comment(struct writer *w, uint32_t node)
{
    pgn_joined_comment(w->g, node, &w->text, w->lost);
    const xq_str s = {w->text.s, w->text.n};
    size_t from = 0;
    w->lost->blanks += !pgn_text_comes_back(s, true);
    w->coded.n = 0;
    for (size_t i = 0; s.n && i <= s.n; i++) {
        if (i < s.n && s.s[i] != '\n')
            continue;
        put_text(w, (xq_str){s.s + from, i - from});
        if (i < s.n)
            pgn_buf_puts(&w->coded, "\r\n");
        from = i + 1;
    }
}

static void put_node(struct writer *w, uint32_t node, bool goes_on,
                     bool sibling)
{
    const xq_move m = w->g->nodes[node].move;
    const unsigned from = node ? square_byte(xq_move_from(m)) : 0;
    const unsigned to = node ? square_byte(xq_move_to(m)) : 0;
    encode_comment(w, node);
    const uint32_t n = (uint32_t)w->coded.n;
    const uint8_t head[8] = {
        (uint8_t)(from + 24),
        (uint8_t)(to + 32),
        (uint8_t)((goes_on ? 0xF0 : 0) | (sibling ? 0x0F : 0)),
        node ? 0 : 0xFF,
        (uint8_t)n,
        (uint8_t)(n >> 8),
        (uint8_t)(n >> 16),
        (uint8_t)(n >> 24)};
    pgn_buf_add(w->out, head, sizeof head);
    pgn_buf_add(w->out, w->coded.s, w->coded.n);
}

static void put_nodes(struct writer *w)
{
    pgn_stored_walk walk;
    put_node(w, 0, w->g->nodes[0].next != 0, false);
    pgn_stored_walk_start(&walk, w->g);
    while (pgn_stored_walk_next(&walk))
        put_node(w, walk.node, walk.goes_on, walk.sibling);
    w->out->failed = w->out->failed || walk.failed;
    pgn_stored_walk_end(&walk);
}

xq_status pgn_write_xqf(const pgn_game *g, pgn_encoding e, pgn_buf *out,
                        pgn_lost *lost)
{
    uint8_t h[PGN_XQF_HEADER] = {'X', 'Q', 0x0A};
    static const uint8_t RESULTS[] = {[PGN_UNKNOWN] = 0,
                                      [PGN_RED_WINS] = 1,
                                      [PGN_BLACK_WINS] = 2,
                                      [PGN_DRAW] = 3};
    struct writer w = {g, e, lost, out, {0}, {0}};
    if (!pgn_has_start(g) || !put_board(&g->start, h)) {
        lost->games++;
        return XQ_OK;
    }
    lost->counters += g->start.fullmove != 1 || g->start.halfmove != 0;
    h[0x32] = g->start.side == XQ_BLACK;
    h[0x33] = RESULTS[g->result];
    put_tags(&w, h);
    pgn_buf_add(out, h, sizeof h);
    put_nodes(&w);
    const bool failed = out->failed || w.text.failed || w.coded.failed;
    pgn_buf_free(&w.text);
    pgn_buf_free(&w.coded);
    return failed ? XQ_ENOMEM : XQ_OK;
}
