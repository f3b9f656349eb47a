/* db_heads.c - packed headers and moves of games, the record "meta", shapes.
 *
 * A value of `heads`, under the id of its first game:
 *   0   CRC-32 of what follows (4)
 *   4   number of games, varint
 *       running id, varint: new strings are told by "the next one"
 *       for each game
 *         flags (1): BK_H_...
 *         nothing more when BK_H_GONE
 *         plies, varint
 *         unless BK_H_SAME: shape, a string reference; number of tags, varint
 *         if BK_H_NOTES: number of comments, id of the first in `notes`
 *         unless BK_H_STANDARD: FEN of the start, a string reference
 *         if BK_H_SAME: a bit for each tag, set when its value is not that
 *         of the game before
 *         a string reference for each tag, or for those whose bit is set
 *
 * A string reference is a varint: 0 the string `running`, which then becomes
 * one more; 1 any string, its id follows; c the string running - (c - 1).
 *
 * A value of `moves`, likewise:
 *   0   CRC-32 (4)
 *   4   number of games, varint
 *       for each game its length, varint, and its bytes (record.h) */
#include "bookdb/db_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- string references ---- */

static uint8_t *put_ref(uint8_t *p, uint64_t *running, uint64_t id)
{
    if (id == *running) {
        ++*running;
        *p++ = 0;
        return p;
    }
    if (id < *running)
        return bk_put_varint(p, *running - id + 1);
    *p++ = 1;
    return bk_put_varint(p, id);
}

static const uint8_t *get_ref(const uint8_t *p, const uint8_t *end,
                              uint64_t *running, uint64_t *id)
{
    uint64_t c;
    p = bk_get_varint(p, end, &c);
    if (!p)
        return NULL;
    if (c == 0)
        *id = (*running)++;
    else if (c == 1)
        return bk_get_varint(p, end, id);
    else if (c - 1 <= *running)
        *id = *running - (c - 1);
    else
        return NULL;
    return p;
}

/* ---- heads ---- */

void bk_head_state_free(struct bk_head_state *s)
{
    free(s->values);
    *s = (struct bk_head_state){0};
}

static bool state_room(struct bk_head_state *s, uint64_t ntags)
{
    if (ntags <= s->cap)
        return true;
    if (ntags > UINT32_MAX / 2)
        return false;
    uint64_t *v = realloc(s->values, ntags * sizeof *v);
    if (!v)
        return false;
    s->values = v;
    s->cap = (uint32_t)ntags;
    return true;
}

bool bk_head_put(struct bk_head_state *s, const struct bk_head *h, pgn_buf *out)
{
    if (h->flags & BK_H_GONE) {
        uint8_t b = BK_H_GONE | BK_H_DELETED;
        pgn_buf_add(out, &b, 1);
        return !out->failed;
    }
    bool same = s->shape && s->shape == h->shape && s->ntags == h->ntags;
    if (!state_room(s, h->ntags))
        return false;
    uint8_t *to = (uint8_t *)pgn_buf_room(out, 96 + 12 * (size_t)h->ntags);
    uint8_t *p = to;
    if (!to)
        return false;
    *p++ =
        (uint8_t)((h->flags & ~(unsigned)BK_H_SAME) | (same ? BK_H_SAME : 0u));
    p = bk_put_varint(p, h->plies);
    if (!same) {
        p = put_ref(p, &s->running, h->shape);
        p = bk_put_varint(p, h->ntags);
    }
    if (h->flags & BK_H_NOTES) {
        p = bk_put_varint(p, h->nnotes);
        p = bk_put_varint(p, h->first_note);
    }
    if (!(h->flags & BK_H_STANDARD))
        p = put_ref(p, &s->running, h->start);
    uint8_t *mask = p;
    if (same) {
        size_t n = (h->ntags + 7) / 8;
        memset(mask, 0, n);
        p += n;
    }
    for (uint32_t i = 0; i < h->ntags; i++) {
        if (same) {
            if (s->values[i] == h->values[i])
                continue;
            mask[i / 8] |= (uint8_t)(1u << (i % 8));
        }
        p = put_ref(p, &s->running, h->values[i]);
        s->values[i] = h->values[i];
    }
    s->shape = h->shape;
    s->ntags = h->ntags;
    out->n += (size_t)(p - to);
    return true;
}

bool bk_heads_start(struct bk_heads_reader *r, const uint8_t *value, size_t n,
                    uint64_t first)
{
    uint64_t count = 0;
    r->bad = true;
    r->left = 0;
    if (!bk_unseal(value, n))
        return false;
    r->end = value + n;
    r->p = bk_get_varint(value + BK_SEAL, r->end, &count);
    if (r->p)
        r->p = bk_get_varint(r->p, r->end, &r->state.running);
    if (!r->p || count > n || first > UINT64_MAX - count)
        return false;
    r->state.shape = 0;
    r->state.ntags = 0;
    r->first = r->next = first;
    r->left = (uint32_t)count;
    r->bad = false;
    return true;
}

static bool heads_take(struct bk_heads_reader *r)
{
    struct bk_head *h = &r->head;
    struct bk_head_state *s = &r->state;
    const uint8_t *p = r->p, *end = r->end;
    uint64_t v;
    *h = (struct bk_head){.id = r->next};
    if (p == end)
        return false;
    h->flags = *p++;
    if (h->flags & BK_H_GONE) {
        r->p = p;
        return true;
    }
    p = bk_get_varint(p, end, &v);
    if (!p || v > UINT32_MAX)
        return false;
    h->plies = (uint32_t)v;
    if (!(h->flags & BK_H_SAME)) {
        p = get_ref(p, end, &s->running, &s->shape);
        if (p)
            p = bk_get_varint(p, end, &v);
        if (!p || v > (uint64_t)(end - p) || !state_room(s, v))
            return false;
        s->ntags = (uint32_t)v;
    } else if (s->shape == 0) {
        return false;
    }
    h->shape = s->shape;
    h->ntags = s->ntags;
    if (h->flags & BK_H_NOTES) {
        p = bk_get_varint(p, end, &v);
        if (p)
            p = bk_get_varint(p, end, &h->first_note);
        if (!p || v > UINT32_MAX)
            return false;
        h->nnotes = (uint32_t)v;
    }
    if (!(h->flags & BK_H_STANDARD) &&
        !(p = get_ref(p, end, &s->running, &h->start)))
        return false;
    const uint8_t *mask = NULL;
    if (h->flags & BK_H_SAME) {
        size_t n = (h->ntags + 7) / 8;
        if (n > (size_t)(end - p))
            return false;
        mask = p;
        p += n;
    }
    for (uint32_t i = 0; i < h->ntags; i++)
        if (!mask || (mask[i / 8] >> (i % 8) & 1)) {
            p = get_ref(p, end, &s->running, &s->values[i]);
            if (!p)
                return false;
        }
    h->values = s->values;
    r->p = p;
    return true;
}

bool bk_heads_next(struct bk_heads_reader *r)
{
    if (r->bad || r->left == 0) {
        r->bad = r->bad || r->p != r->end;
        return false;
    }
    if (!heads_take(r)) {
        r->bad = true;
        return false;
    }
    r->left--;
    r->next++;
    return true;
}

void bk_heads_free(struct bk_heads_reader *r)
{
    bk_head_state_free(&r->state);
    *r = (struct bk_heads_reader){0};
}

/* Seal head and body into a value. */
static bool add_value(struct bk_blocks *b, uint64_t key, const uint8_t *head,
                      size_t nhead, const pgn_buf *body)
{
    size_t n = BK_SEAL + nhead + body->n;
    size_t at = b->bytes.n;
    if (!pgn_buf_room(&b->bytes, n) || !bk_blocks_add(b, key, head, 0))
        return false;
    uint8_t *p = (uint8_t *)b->bytes.s + at;
    memcpy(p + BK_SEAL, head, nhead);
    memcpy(p + BK_SEAL + nhead, body->s, body->n);
    bk_seal(p, n);
    b->bytes.n = at + n;
    b->v[b->n - 1].n = n;
    return true;
}

bool bk_heads_flush(struct bk_heads_writer *w)
{
    if (w->n == 0)
        return true;
    uint8_t head[20], *p = head;
    p = bk_put_varint(p, w->n);
    p = bk_put_varint(p, w->base);
    if (!add_value(&w->blocks, w->first, head, (size_t)(p - head), &w->cur))
        return false;
    w->cur.n = 0;
    w->n = 0;
    return true;
}

static void heads_begin(struct bk_heads_writer *w, uint64_t id,
                        uint64_t running)
{
    w->first = id;
    w->base = w->state.running = running;
    w->state.shape = 0;
    w->state.ntags = 0;
}

bool bk_heads_add(struct bk_heads_writer *w, const struct bk_head *h,
                  uint64_t running)
{
    if (w->n == 0)
        heads_begin(w, h->id, running);
    size_t at = w->cur.n;
    if (!bk_head_put(&w->state, h, &w->cur))
        return false;
    if (w->n && w->cur.n > BK_BLOCK - BK_SEAL - 16) {
        /* It begins the next block. */
        w->cur.n = at;
        if (!bk_heads_flush(w))
            return false;
        heads_begin(w, h->id, running);
        if (!bk_head_put(&w->state, h, &w->cur))
            return false;
    }
    w->n++;
    return true;
}

void bk_heads_writer_clear(struct bk_heads_writer *w)
{
    bk_blocks_clear(&w->blocks);
    w->cur.n = 0;
    w->n = 0;
}

void bk_heads_writer_free(struct bk_heads_writer *w)
{
    bk_blocks_free(&w->blocks);
    bk_head_state_free(&w->state);
    pgn_buf_free(&w->cur);
    *w = (struct bk_heads_writer){0};
}

/* ---- moves ---- */

bool bk_moves_flush(struct bk_moves_writer *w)
{
    if (w->n == 0)
        return true;
    uint8_t head[10];
    if (!add_value(&w->blocks, w->first, head,
                   (size_t)(bk_put_varint(head, w->n) - head), &w->cur))
        return false;
    w->cur.n = 0;
    w->n = 0;
    return true;
}

bool bk_moves_add(struct bk_moves_writer *w, uint64_t id, const uint8_t *p,
                  size_t n)
{
    uint8_t len[10];
    size_t nlen = (size_t)(bk_put_varint(len, n) - len);
    if (w->n && w->cur.n + nlen + n > BK_BLOCK - BK_SEAL - 2 &&
        !bk_moves_flush(w))
        return false;
    if (w->n == 0)
        w->first = id;
    pgn_buf_add(&w->cur, len, nlen);
    pgn_buf_add(&w->cur, p, n);
    w->n++;
    return !w->cur.failed;
}

void bk_moves_writer_clear(struct bk_moves_writer *w)
{
    bk_blocks_clear(&w->blocks);
    w->cur.n = 0;
    w->n = 0;
}

void bk_moves_writer_free(struct bk_moves_writer *w)
{
    bk_blocks_free(&w->blocks);
    pgn_buf_free(&w->cur);
    *w = (struct bk_moves_writer){0};
}

bool bk_moves_start(struct bk_moves_reader *r, const uint8_t *value, size_t n,
                    uint64_t first)
{
    uint64_t count = 0;
    *r = (struct bk_moves_reader){.bad = true, .first = first, .next = first};
    if (!bk_unseal(value, n))
        return false;
    r->end = value + n;
    r->p = bk_get_varint(value + BK_SEAL, r->end, &count);
    if (!r->p || count > n || first > UINT64_MAX - count)
        return false;
    r->left = (uint32_t)count;
    r->bad = false;
    return true;
}

bool bk_moves_next(struct bk_moves_reader *r, const uint8_t **p, size_t *n)
{
    uint64_t len;
    if (r->bad || r->left == 0) {
        r->bad = r->bad || r->p != r->end;
        return false;
    }
    const uint8_t *q = bk_get_varint(r->p, r->end, &len);
    if (!q || len > (uint64_t)(r->end - q)) {
        r->bad = true;
        return false;
    }
    *p = q;
    *n = (size_t)len;
    r->p = q + len;
    r->left--;
    r->next++;
    return true;
}

/* ---- meta ---- */

/* CRC-32, then varints: games deleted last_id plies positions next_text
 * next_note next_seg nsegs; for each segment id first games postings. */
size_t bk_db_meta_format(const struct bk_db_meta *m, uint8_t out[BK_META_MAX])
{
    const uint64_t v[] = {m->games,     m->deleted,   m->last_id,
                          m->plies,     m->positions, m->next_text,
                          m->next_note, m->next_seg,  m->nsegs};
    uint8_t *p = out + BK_SEAL;
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        p = bk_put_varint(p, v[i]);
    for (uint32_t i = 0; i < m->nsegs; i++) {
        p = bk_put_varint(p, m->segs[i].id);
        p = bk_put_varint(p, m->segs[i].first);
        p = bk_put_varint(p, m->segs[i].games);
        p = bk_put_varint(p, m->segs[i].postings);
    }
    bk_seal(out, (size_t)(p - out));
    return (size_t)(p - out);
}

bool bk_db_meta_parse(struct bk_db_meta *m, const uint8_t *p, size_t n)
{
    const uint8_t *end = p + n;
    uint64_t v[9];
    memset(m, 0, sizeof *m);
    if (!bk_unseal(p, n))
        return false;
    p += BK_SEAL;
    for (size_t i = 0; i < 9; i++)
        if (!(p = bk_get_varint(p, end, &v[i])))
            return false;
    if (v[7] > UINT32_MAX || v[8] > BK_SEGS_MAX)
        return false;
    m->games = v[0];
    m->deleted = v[1];
    m->last_id = v[2];
    m->plies = v[3];
    m->positions = v[4];
    m->next_text = v[5];
    m->next_note = v[6];
    m->next_seg = (uint32_t)v[7];
    m->nsegs = (uint32_t)v[8];
    uint64_t next = 1; /* segments follow each other without a gap */
    for (uint32_t i = 0; i < m->nsegs; i++) {
        struct bk_segment *s = &m->segs[i];
        uint64_t id;
        if (!(p = bk_get_varint(p, end, &id)) ||
            !(p = bk_get_varint(p, end, &s->first)) ||
            !(p = bk_get_varint(p, end, &s->games)) ||
            !(p = bk_get_varint(p, end, &s->postings)) || id >= m->next_seg ||
            s->first != next || s->games == 0 || s->games > UINT32_MAX ||
            s->games > m->last_id - (next - 1))
            return false;
        s->id = (uint32_t)id;
        next += s->games;
    }
    return p == end && next == m->last_id + 1;
}

/* ---- shapes ---- */

void bk_shape_free(struct bk_shape *s)
{
    free(s->names);
    free(s->bytes);
    *s = (struct bk_shape){0};
}

static uint32_t tag_place(const struct bk_shape *s, const char *name,
                          const char *other)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (xq_str_eq_nocase(s->names[i], xq_str_of(name)))
            return i;
    return other ? tag_place(s, other, NULL) : UINT32_MAX;
}

bool bk_shape_parse(struct bk_shape *s, uint64_t id, xq_str text)
{
    uint32_t n = 0;
    bk_shape_free(s);
    if (text.n < 2 || !(s->bytes = malloc(text.n)))
        return false;
    memcpy(s->bytes, text.s, text.n);
    const uint8_t *p = (const uint8_t *)s->bytes, *end = p + text.n;
    s->notation = (pgn_notation)p[0];
    s->script = (pgn_script)p[1];
    p += 2;
    s->names = calloc(text.n, sizeof *s->names); /* a byte each at least */
    if (!s->names)
        return false;
    while (p < end) {
        uint64_t len;
        p = bk_get_varint(p, end, &len);
        if (!p || len > (uint64_t)(end - p))
            return false;
        s->names[n++] = (xq_str){(const char *)p, (size_t)len};
        p += len;
    }
    s->n = n;
    s->id = id;
    s->red = tag_place(s, "Red", "White");
    s->black = tag_place(s, "Black", NULL);
    s->event = tag_place(s, "Event", NULL);
    s->date = tag_place(s, "Date", NULL);
    return true;
}
