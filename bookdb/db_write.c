/* db_write.c - adding games: preparing them, batches, committing.
 *
 * bk_prep.bytes, made by any thread:
 *   flags (1): BK_H_..., result in its two low bits
 *   plies, varint
 *   shape: length, varint, and bytes (db_internal.h)
 *   number of tags, varint; for each: length, varint, and bytes
 *   unless BK_H_STANDARD: length, varint, and FEN of the start
 *   number of comments, varint; for each: length, varint, and bytes
 *   length of the moves, varint, and their bytes (record.h) */
#include "bookdb/db_internal.h"
#include "bookdb/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- preparing ---- */

static void put_str(pgn_buf *b, xq_str s)
{
    uint8_t *to = (uint8_t *)pgn_buf_room(b, s.n + 10);
    if (!to)
        return;
    uint8_t *p = bk_put_varint(to, s.n);
    if (s.n)
        memcpy(p, s.s, s.n);
    b->n += (size_t)(p - to) + s.n;
}

static void put_number(pgn_buf *b, uint64_t v)
{
    uint8_t *to = (uint8_t *)pgn_buf_room(b, 10);
    if (to)
        b->n += (size_t)(bk_put_varint(to, v) - to);
}

static void put_shape(pgn_buf *b, const pgn_game *g)
{
    size_t n = 2;
    for (uint32_t i = 0; i < g->ntags; i++) {
        uint8_t len[10];
        n += (size_t)(bk_put_varint(len, g->tags[i].name.n) - len) +
             g->tags[i].name.n;
    }
    put_number(b, n);
    uint8_t head[2] = {(uint8_t)g->notation, (uint8_t)g->script};
    pgn_buf_add(b, head, 2);
    for (uint32_t i = 0; i < g->ntags; i++)
        put_str(b, g->tags[i].name);
}

/* Comments in the order in which bk_record_encode tells of them. */
static void put_comments(pgn_buf *b, const pgn_game *g)
{
    uint32_t n = 0;
    for (uint32_t i = 1; i < g->nnotes; i++)
        n += g->notes[i].kind != PGN_NOTE_NAG;
    put_number(b, n);
    if (n == 0)
        return;
    for (uint32_t k = g->nodes[0].notes; k; k = g->notes[k].next)
        if (g->notes[k].kind != PGN_NOTE_NAG)
            put_str(b, g->notes[k].text);
    pgn_walk w;
    pgn_walk_start(&w, g);
    while (pgn_walk_next(&w))
        for (uint32_t k = g->nodes[w.node].notes; k; k = g->notes[k].next)
            if (g->notes[k].kind != PGN_NOTE_NAG)
                put_str(b, g->notes[k].text);
    b->failed |= w.failed;
    pgn_walk_end(&w);
}

static int compare_keys(const void *a, const void *b)
{
    xq_key x = *(const xq_key *)a, y = *(const xq_key *)b;
    return x < y ? -1 : x > y;
}

/* Keep each key once.  Repetitions are near each other: look back among the
 * positions with the same side to move.  For very long games that would take
 * too long, and the order of keys does not matter. */
static uint32_t unique(xq_key *k, uint32_t n)
{
    uint32_t m = 0;
    if (n > 1024) {
        qsort(k, n, sizeof *k, compare_keys);
        for (uint32_t i = 0; i < n; i++)
            if (m == 0 || k[m - 1] != k[i])
                k[m++] = k[i];
        return m;
    }
    /* A hash of a few bits tells most keys to be new. */
    uint64_t seen[64] = {0};
    for (uint32_t i = 0; i < n; i++) {
        uint64_t *word = &seen[k[i] >> 58], bit = UINT64_C(1)
                                                  << (k[i] >> 52 & 63);
        bool old = false;
        if (*word & bit)
            for (uint32_t j = m; j-- > 0 && !old;)
                old = k[j] == k[i];
        *word |= bit;
        if (!old)
            k[m++] = k[i];
    }
    return m;
}

xq_status bk_prepare(bk_prep *p, const pgn_game *g, xq_err *err)
{
    pgn_buf *b = &p->bytes;
    b->n = 0;
    b->failed = false;
    if ((uint64_t)g->plies + 1 > p->cap) {
        uint32_t cap =
            g->plies + 1 > UINT32_MAX / 2 ? UINT32_MAX : 2 * (g->plies + 1);
        xq_key *k = realloc(p->keys, cap * sizeof *k);
        if (!k)
            return xq_fail(err, XQ_ENOMEM, "out of memory");
        p->keys = k;
        p->cap = cap;
    }
    bool notes = false;
    for (uint32_t i = 1; i < g->nnotes && !notes; i++)
        notes = g->notes[i].kind != PGN_NOTE_NAG;
    uint8_t flags = (uint8_t)((g->result & BK_H_RESULT) |
                              (g->standard ? BK_H_STANDARD : 0) |
                              (g->has_variations ? BK_H_VARIATIONS : 0) |
                              (notes ? BK_H_NOTES : 0));
    pgn_buf_add(b, &flags, 1);
    put_number(b, g->plies);
    put_shape(b, g);
    put_number(b, g->ntags);
    for (uint32_t i = 0; i < g->ntags; i++)
        put_str(b, g->tags[i].value);
    if (!g->standard) {
        char fen[XQ_FEN_MAX];
        size_t n = xq_fen_format(&g->start, fen);
        put_str(b, (xq_str){fen, n});
    }
    put_comments(b, g);
    /* The length before the moves: a byte or two are left for it. */
    size_t at = b->n;
    const size_t gap = 5;
    if (!pgn_buf_room(b, gap))
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    b->n += gap;
    xq_status rc = bk_record_encode(g, b, p->keys);
    if (rc != XQ_OK || b->failed || b->n - at - gap > UINT32_MAX)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    size_t n = b->n - at - gap;
    /* A varint of always five bytes. */
    for (unsigned i = 0; i < gap; i++)
        b->s[at + i] =
            (char)(uint8_t)((n >> 7 * i & 127) | (i + 1 < gap ? 128u : 0u));
    p->plies = g->plies;
    p->nkeys = unique(p->keys, g->plies + 1);
    p->digest = pgn_game_digest(g);
    return XQ_OK;
}

void bk_prep_free(bk_prep *p)
{
    pgn_buf_free(&p->bytes);
    free(p->keys);
    *p = (bk_prep){0};
}

/* ---- a batch ---- */

/* Digests of the batch, to find those that come again; and a filter that
 * tells most digests not to be in the file without looking. */
struct digests {
    bk_rec *v; /* in the order added */
    size_t n, cap;
    uint32_t *slots; /* index + 1 */
    size_t nslots;   /* power of two */
};

struct filter {
    uint64_t *bits;
    size_t nbits; /* power of two, 0: not made */
    uint64_t lookups;
};

struct bk_batch {
    struct bk_db_meta meta; /* as it will be committed */
    bk_sort *sort;          /* postings: key, game in the batch */
    size_t nrecs, cap, bytes, bytes_max;
    pgn_buf index;         /* the segment's blocks, once it is sorted */
    uint64_t first, games; /* ids of this batch */
    uint64_t plies;
    struct digests digests;
    struct filter filter;
    struct bk_strings_writer text, notes;
    struct bk_heads_writer heads;
    struct bk_moves_writer moves;
    struct bk_intern intern;
    uint64_t *values;
    size_t values_cap;
    struct bk_view view; /* for digests; open while adding */
    bool view_open;
    bool broken; /* an add failed half way */
};

/* Let the last part of the dictionary into the intern table. */
static xq_status load_intern(bk_db *db, struct bk_batch *b, xq_err *err)
{
    struct bk_view v;
    xq_status rc = bk_view_open(&v, db, err);
    if (rc != XQ_OK)
        return rc;
    MDB_val key, value;
    size_t raw = 0;
    int e =
        v.empty ? MDB_NOTFOUND : mdb_cursor_get(v.text, &key, &value, MDB_LAST);
    /* Backwards, so that the newest are in for sure. */
    while (!e && rc == XQ_OK && raw < b->intern.limit / 3) {
        struct bk_strings *s = NULL;
        if (key.mv_size != 8)
            rc = xq_fail(err, XQ_ECORRUPT, "'%s' is damaged: strings",
                         db->store.path);
        else
            rc = bk_strings_unpack(value.mv_data, value.mv_size,
                                   bk_get64(key.mv_data), &s, err);
        for (uint32_t i = 0; rc == XQ_OK && i < s->n; i++) {
            uint32_t from = i ? s->end[i - 1] : 0;
            xq_str str = {s->bytes + from, s->end[i] - from};
            uint32_t h = bk_intern_hash(str);
            if (!bk_intern_find(&b->intern, str, h) &&
                !bk_intern_put(&b->intern, str, h, s->first + i))
                rc = xq_fail(err, XQ_ENOMEM, "out of memory");
        }
        if (s)
            raw += s->size;
        free(s);
        e = mdb_cursor_get(v.text, &key, &value, MDB_PREV);
    }
    bk_view_close(&v);
    return rc;
}

xq_status bk_batch_new(bk_db *db, xq_err *err)
{
    struct bk_batch *b = calloc(1, sizeof *b);
    if (!b)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    db->batch = b;
    /* Of the memory 5/16 go to the postings while they are sorted; packed they
     * take half of that in blocks, and once more in LMDB's pages; strings,
     * games and the filter of digests take 3/16. */
    b->cap = db->memory / 16 * 4 / sizeof(bk_rec);
    if (b->cap < 16384)
        b->cap = 16384;
    b->bytes_max = db->memory / 16;
    b->intern.limit = db->memory / 16;
    MDB_txn *txn;
    xq_status rc = bk_store_begin(&db->store, false, &txn, err);
    if (rc != XQ_OK)
        return rc;
    int e = bk_meta_get(txn, &b->meta);
    mdb_txn_abort(txn);
    rc = bk_store_fail(&db->store, e, "read", err);
    if (rc == XQ_OK)
        rc = load_intern(db, b, err);
    b->first = b->meta.last_id + 1;
    return rc;
}

static void close_view(struct bk_batch *b)
{
    if (b->view_open)
        bk_view_close(&b->view);
    b->view_open = false;
}

void bk_batch_free(struct bk_batch *b)
{
    if (!b)
        return;
    close_view(b);
    bk_sort_close(b->sort);
    pgn_buf_free(&b->index);
    free(b->digests.v);
    free(b->digests.slots);
    free(b->filter.bits);
    free(b->values);
    bk_strings_writer_free(&b->text);
    bk_strings_writer_free(&b->notes);
    bk_heads_writer_free(&b->heads);
    bk_moves_writer_free(&b->moves);
    bk_intern_free(&b->intern);
    free(b);
}

/* ---- duplicates ---- */

static bool digests_has(const struct digests *d, pgn_digest x)
{
    if (!d->nslots)
        return false;
    for (size_t i = x.lo & (d->nslots - 1); d->slots[i];
         i = (i + 1) & (d->nslots - 1)) {
        const bk_rec *r = &d->v[d->slots[i] - 1];
        if (r->key == x.hi && r->data == x.lo)
            return true;
    }
    return false;
}

static bool digests_add(struct digests *d, pgn_digest x)
{
    if (d->n == d->cap) {
        size_t cap = d->cap ? 2 * d->cap : 1024;
        bk_rec *v = realloc(d->v, cap * sizeof *v);
        if (!v)
            return false;
        d->v = v;
        d->cap = cap;
        uint32_t *slots = calloc(2 * cap, sizeof *slots);
        if (!slots)
            return false;
        for (size_t k = 0; k < d->n; k++) {
            size_t i = v[k].data & (2 * cap - 1);
            while (slots[i])
                i = (i + 1) & (2 * cap - 1);
            slots[i] = (uint32_t)(k + 1);
        }
        free(d->slots);
        d->slots = slots;
        d->nslots = 2 * cap;
    }
    d->v[d->n++] = (bk_rec){x.hi, x.lo};
    size_t i = x.lo & (d->nslots - 1);
    while (d->slots[i])
        i = (i + 1) & (d->nslots - 1);
    d->slots[i] = (uint32_t)d->n;
    return true;
}

static void digests_clear(struct digests *d)
{
    d->n = 0;
    if (d->slots)
        memset(d->slots, 0, d->nslots * sizeof *d->slots);
}

/* Three bits a digest, out of its 128. */
static void filter_add(struct filter *f, uint64_t hi, uint64_t lo)
{
    size_t mask = f->nbits - 1, a = lo & mask, b = lo >> 32 & mask,
           c = hi & mask;
    f->bits[a / 64] |= UINT64_C(1) << a % 64;
    f->bits[b / 64] |= UINT64_C(1) << b % 64;
    f->bits[c / 64] |= UINT64_C(1) << c % 64;
}

static bool filter_has(const struct filter *f, pgn_digest x)
{
    size_t mask = f->nbits - 1, a = x.lo & mask, b = x.lo >> 32 & mask,
           c = x.hi & mask;
    return (f->bits[a / 64] >> a % 64 & 1) && (f->bits[b / 64] >> b % 64 & 1) &&
           (f->bits[c / 64] >> c % 64 & 1);
}

static xq_status filter_table(bk_db *db, struct filter *f, MDB_txn *txn,
                              MDB_dbi dbi, bool extra, xq_err *err)
{
    MDB_cursor *c;
    MDB_val k, v;
    int e = mdb_cursor_open(txn, dbi, &c);
    if (e)
        return bk_store_fail(&db->store, e, "read", err);
    for (e = mdb_cursor_get(c, &k, &v, MDB_FIRST); !e;
         e = mdb_cursor_get(c, &k, &v, MDB_NEXT)) {
        const uint8_t *p = v.mv_data;
        if (extra) {
            if (k.mv_size == 16)
                filter_add(f, bk_get64(k.mv_data),
                           bk_get64((uint8_t *)k.mv_data + 8));
            continue;
        }
        if (k.mv_size != 17 || *(uint8_t *)k.mv_data != 0)
            break; /* the postings begin */
        for (size_t i = BK_SEAL; i + 16 <= v.mv_size; i += 16)
            filter_add(f, bk_get64(p + i), bk_get64(p + i + 8));
    }
    mdb_cursor_close(c);
    return e == MDB_NOTFOUND ? XQ_OK
                             : bk_store_fail(&db->store, e, "read", err);
}

/* Made from all digests of the file, once enough was looked up to pay for
 * it; 16 bits a game, room for as many games again. */
static xq_status filter_make(bk_db *db, struct bk_batch *b, xq_err *err)
{
    struct filter *f = &b->filter;
    size_t want = 1 << 16, most = db->memory / 16 * 8;
    while (want < 32 * (b->view.meta.last_id + 1024) && 2 * want <= most)
        want *= 2;
    uint64_t *bits = calloc(want / 64, sizeof *bits);
    if (!bits)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    free(f->bits);
    f->bits = bits;
    f->nbits = want;
    xq_status rc = XQ_OK;
    for (uint32_t i = 0; i < b->view.meta.nsegs && rc == XQ_OK; i++) {
        MDB_dbi dbi;
        if (bk_segment_dbi(db, b->view.meta.segs[i].id, &dbi))
            rc = filter_table(db, f, b->view.txn, dbi, false, err);
    }
    if (rc == XQ_OK && !b->view.empty)
        rc = filter_table(db, f, b->view.txn, db->extra, true, err);
    if (rc != XQ_OK)
        f->nbits = 0;
    return rc;
}

static xq_status is_duplicate(bk_db *db, struct bk_batch *b, pgn_digest d,
                              bool *dup, xq_err *err)
{
    xq_status rc = XQ_OK;
    *dup = digests_has(&b->digests, d);
    if (*dup || b->meta.nsegs == 0)
        return XQ_OK;
    if (!b->view_open) {
        rc = bk_view_open(&b->view, db, err);
        if (rc != XQ_OK)
            return rc;
        b->view_open = true;
    }
    struct filter *f = &b->filter;
    if (f->nbits && f->nbits < 16 * b->meta.last_id &&
        f->nbits * 2 <= db->memory / 16 * 8)
        f->nbits = 0; /* grown out of it */
    if (!f->nbits && ++f->lookups * 64 > b->meta.last_id) {
        rc = filter_make(db, b, err);
        if (rc != XQ_OK)
            return rc;
    }
    if (f->nbits && !filter_has(f, d))
        return XQ_OK;
    rc = bk_view_digest(&b->view, d, err);
    *dup = rc == XQ_OK;
    return rc == XQ_ENOTFOUND ? XQ_OK : rc;
}

/* ---- adding ---- */

static bool intern(struct bk_batch *b, xq_str s, uint64_t *id)
{
    uint32_t h = bk_intern_hash(s);
    *id = bk_intern_find(&b->intern, s, h);
    if (*id)
        return true;
    *id = b->meta.next_text++;
    return bk_strings_add(&b->text, *id, s) &&
           bk_intern_put(&b->intern, s, h, *id);
}

/* bk_prepare wrote it, so lengths are not in doubt; all the same nothing
 * behind its end is read. */
static const uint8_t *take_str(const uint8_t *p, const uint8_t *end, xq_str *s)
{
    uint64_t n;
    p = p ? bk_get_varint(p, end, &n) : NULL;
    if (!p || n > (uint64_t)(end - p))
        return NULL;
    *s = (xq_str){(const char *)p, (size_t)n};
    return p + n;
}

static xq_status add_postings(bk_db *db, struct bk_batch *b,
                              const bk_prep *prep, uint64_t local, xq_err *err)
{
    bk_rec recs[256];
    xq_status rc = XQ_OK;
    if (!b->sort) {
        const bk_sort_options o = {.memory = db->memory / 16 * 5,
                                   .threads = db->opts.threads};
        rc = bk_sort_open(&b->sort, &o, err);
    }
    for (uint32_t i = 0; i < prep->nkeys && rc == XQ_OK;) {
        uint32_t n = 0;
        for (; n < 256 && i < prep->nkeys; n++, i++)
            recs[n] = (bk_rec){prep->keys[i], local};
        rc = bk_sort_add(b->sort, recs, n, err);
    }
    b->nrecs += prep->nkeys;
    return rc;
}

static xq_status add_game(bk_db *db, struct bk_batch *b, const bk_prep *prep,
                          xq_err *err)
{
    const uint8_t *p = (const uint8_t *)prep->bytes.s, *end = p + prep->bytes.n;
    struct bk_head h = {.id = b->meta.last_id + 1, .plies = prep->plies};
    uint64_t running = b->meta.next_text, v;
    xq_str s;
    h.flags = *p++;
    p = bk_get_varint(p, end, &v);
    p = take_str(p, end, &s);
    if (!p || !intern(b, s, &h.shape))
        goto failed;
    p = bk_get_varint(p, end, &v);
    if (!p || v > UINT32_MAX)
        goto failed;
    h.ntags = (uint32_t)v;
    if (h.ntags > b->values_cap) {
        uint64_t *t = realloc(b->values, 2 * (size_t)h.ntags * sizeof *t);
        if (!t)
            goto failed;
        b->values = t;
        b->values_cap = 2 * (size_t)h.ntags;
    }
    h.values = b->values;
    const uint8_t *tags = p;
    /* The start's string comes first in the header, so also here. */
    for (uint32_t i = 0; i < h.ntags; i++)
        p = take_str(p, end, &s);
    if (!(h.flags & BK_H_STANDARD)) {
        p = take_str(p, end, &s);
        if (!p || !intern(b, s, &h.start))
            goto failed;
    }
    for (uint32_t i = 0; i < h.ntags; i++) {
        tags = take_str(tags, end, &s);
        if (!tags || !intern(b, s, &h.values[i]))
            goto failed;
    }
    p = p ? bk_get_varint(p, end, &v) : NULL;
    if (!p || v > UINT32_MAX)
        goto failed;
    h.nnotes = (uint32_t)v;
    h.first_note = b->meta.next_note;
    for (uint32_t i = 0; i < h.nnotes; i++) {
        p = take_str(p, end, &s);
        if (!p || !bk_strings_add(&b->notes, b->meta.next_note++, s))
            goto failed;
        b->bytes += s.n;
    }
    p = take_str(p, end, &s);
    if (!p || !bk_heads_add(&b->heads, &h, running) ||
        !bk_moves_add(&b->moves, h.id, (const uint8_t *)s.s, s.n))
        goto failed;
    b->bytes += s.n + 64;
    if (!digests_add(&b->digests, prep->digest))
        goto failed;
    xq_status rc = add_postings(db, b, prep, h.id - b->first, err);
    if (rc != XQ_OK) {
        b->broken = true;
        return rc;
    }
    b->meta.last_id++;
    b->meta.games++;
    b->meta.plies += prep->plies;
    b->meta.positions += prep->nkeys;
    b->games++;
    return XQ_OK;
failed:
    b->broken = true;
    return xq_fail(err, XQ_ENOMEM, "out of memory");
}

xq_status bk_db_add(bk_db *db, const bk_prep *p, bool keep_duplicates,
                    bk_added *out, xq_err *err)
{
    struct bk_batch *b = db->batch;
    if (!b || b->broken)
        return xq_fail(err, XQ_EIO, "'%s' is not open for writing",
                       db->store.path);
    bool dup = false;
    if (!keep_duplicates) {
        xq_status rc = is_duplicate(db, b, p->digest, &dup, err);
        if (rc != XQ_OK)
            return rc;
    }
    *out = dup ? BK_DUPLICATE : BK_ADDED;
    if (dup)
        return XQ_OK;
    if (b->games && (b->nrecs + p->nkeys > b->cap || b->bytes > b->bytes_max)) {
        xq_status rc = bk_db_commit(db, err);
        if (rc != XQ_OK)
            return rc;
    }
    return add_game(db, b, p, err);
}

xq_status bk_batch_add_gone(bk_db *db, xq_err *err)
{
    struct bk_batch *b = db->batch;
    struct bk_head h = {.id = b->meta.last_id + 1, .flags = BK_H_GONE};
    if (b->broken)
        return xq_fail(err, XQ_EIO, "'%s' is not open for writing",
                       db->store.path);
    if (!bk_heads_add(&b->heads, &h, b->meta.next_text) ||
        !bk_moves_add(&b->moves, h.id, (const uint8_t *)"", 0)) {
        b->broken = true;
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    }
    b->meta.last_id++;
    b->meta.deleted++;
    b->games++;
    return b->games < UINT32_MAX / 2 ? XQ_OK : bk_db_commit(db, err);
}

xq_status bk_batch_reload(bk_db *db, xq_err *err)
{
    struct bk_batch *b = db->batch;
    MDB_txn *txn;
    close_view(b);
    xq_status rc = bk_store_begin(&db->store, false, &txn, err);
    if (rc == XQ_OK) {
        int e = bk_meta_get(txn, &b->meta);
        mdb_txn_abort(txn);
        rc = bk_store_fail(&db->store, e, "read", err);
    }
    b->first = b->meta.last_id + 1;
    b->broken = b->broken || rc != XQ_OK;
    return rc;
}

bool bk_prep_shape(const bk_prep *p, xq_str *shape)
{
    const uint8_t *q = (const uint8_t *)p->bytes.s, *end = q + p->bytes.n;
    uint64_t plies;
    q = bk_get_varint(q + 1, end, &plies);
    return take_str(q, end, shape) != NULL;
}

/* ---- committing ---- */

static int put_blocks(MDB_txn *txn, MDB_dbi dbi, const struct bk_blocks *b)
{
    for (size_t i = 0; i < b->n; i++) {
        uint8_t key[8];
        MDB_val k = {8, key}, v = {b->v[i].n, b->bytes.s + b->v[i].at};
        bk_put64(key, b->v[i].key);
        int e = mdb_put(txn, dbi, &k, &v, MDB_APPEND);
        if (e)
            return e;
    }
    return 0;
}

/* Pack digests and sorted postings into the blocks of a segment, in memory:
 * writing them can be repeated, sorting cannot. */
static xq_status pack_segment(struct bk_batch *b, xq_err *err)
{
    struct bk_segment_writer w = {.hold = &b->index,
                                  .max_game = (uint32_t)(b->games - 1)};
    enum { ROOM = 16384 };
    size_t n = 0, taken;
    bk_rec *recs = malloc(ROOM * sizeof *recs);
    bk_rec *digests = malloc((2 * b->digests.n + 1) * sizeof *digests);
    xq_status rc = XQ_OK;
    b->index.n = 0;
    if (!recs || !digests) {
        rc = xq_fail(err, XQ_ENOMEM, "out of memory");
    } else if (b->digests.n) { /* a digest has its postings' form */
        memcpy(digests, b->digests.v, b->digests.n * sizeof *digests);
        bk_radix_sort(digests, digests + b->digests.n, b->digests.n);
        bk_segment_put_digests(&w, digests, b->digests.n, true, &taken);
    }
    if (rc == XQ_OK && b->sort)
        rc = bk_sort_finish(b->sort, err);
    const bk_rec *got = NULL;
    size_t left = 0;
    while (rc == XQ_OK && b->sort) {
        if (left == 0) {
            rc = bk_sort_next(b->sort, &got, &left, err);
            if (rc != XQ_OK)
                break;
        }
        size_t m = left < ROOM - n ? left : ROOM - n;
        memcpy(recs + n, got, m * sizeof *recs);
        n += m;
        got += m;
        left -= m;
        if (n == ROOM) {
            bk_segment_put_postings(&w, recs, n, false, &taken);
            memmove(recs, recs + taken, (n - taken) * sizeof *recs);
            n -= taken;
        }
    }
    if (rc == XQ_DONE)
        rc = XQ_OK;
    if (rc == XQ_OK && n)
        bk_segment_put_postings(&w, recs, n, true, &taken);
    if (rc == XQ_OK && b->index.failed)
        rc = xq_fail(err, XQ_ENOMEM, "out of memory");
    bk_sort_close(b->sort);
    b->sort = NULL;
    free(recs);
    free(digests);
    return rc;
}

static int write_batch(bk_db *db, struct bk_batch *b, MDB_txn *txn,
                       MDB_dbi *segment)
{
    char name[16];
    MDB_dbi dbi = 0;
    bk_segment_name(name, b->meta.segs[b->meta.nsegs - 1].id);
    int e = put_blocks(txn, db->text, &b->text.blocks);
    if (!e)
        e = put_blocks(txn, db->notes, &b->notes.blocks);
    if (!e)
        e = put_blocks(txn, db->heads, &b->heads.blocks);
    if (!e)
        e = put_blocks(txn, db->moves, &b->moves.blocks);
    if (!e)
        e = mdb_dbi_open(txn, name, MDB_CREATE, &dbi);
    if (!e)
        e = mdb_drop(txn, dbi, 0); /* what a failed merge left */
    if (!e)
        e = bk_segment_put_held(txn, dbi, &b->index);
    if (!e)
        e = bk_meta_put(txn, &b->meta);
    *segment = dbi;
    return e;
}

static void batch_reset(struct bk_batch *b)
{
    b->nrecs = b->bytes = 0;
    b->games = 0;
    b->first = b->meta.last_id + 1;
    digests_clear(&b->digests);
    bk_strings_writer_clear(&b->text);
    bk_strings_writer_clear(&b->notes);
    bk_heads_writer_clear(&b->heads);
    bk_moves_writer_clear(&b->moves);
}

xq_status bk_db_commit(bk_db *db, xq_err *err)
{
    struct bk_batch *b = db->batch;
    if (!b || b->broken)
        return xq_fail(err, XQ_EIO, "'%s' is not open for writing",
                       db->store.path);
    if (b->games == 0)
        return XQ_OK;
    close_view(b);
    if (!bk_strings_flush(&b->text) || !bk_strings_flush(&b->notes) ||
        !bk_heads_flush(&b->heads) || !bk_moves_flush(&b->moves)) {
        b->broken = true;
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    }
    xq_status rc = pack_segment(b, err);
    if (rc != XQ_OK) {
        b->broken = true;
        return rc;
    }
    b->meta.segs[b->meta.nsegs++] =
        (struct bk_segment){b->meta.next_seg++, b->first, b->games, b->nrecs};
    size_t blocks = b->text.blocks.bytes.n + b->notes.blocks.bytes.n +
                    b->heads.blocks.bytes.n + b->moves.blocks.bytes.n;
    rc = bk_store_reserve(
        &db->store, 2 * blocks + b->index.n / 8 * 9 + ((size_t)1 << 20), err);
    while (rc == XQ_OK) {
        MDB_txn *txn;
        MDB_dbi segment;
        rc = bk_store_begin(&db->store, true, &txn, err);
        if (rc != XQ_OK)
            break;
        int e = write_batch(db, b, txn, &segment);
        if (e)
            mdb_txn_abort(txn);
        else
            e = mdb_txn_commit(txn);
        if (e == MDB_MAP_FULL) {
            rc = bk_store_grow(&db->store, err);
            continue;
        }
        rc = bk_store_fail(&db->store, e, "write to", err);
        if (rc == XQ_OK &&
            !bk_handle_add(db, b->meta.segs[b->meta.nsegs - 1].id, segment))
            mdb_dbi_close(db->store.env, segment);
        break;
    }
    if (rc != XQ_OK) {
        b->broken = true; /* nothing of it counts */
        return rc;
    }
    bk_store_settle(&db->store);
    if (b->filter.nbits)
        for (size_t i = 0; i < b->digests.n; i++)
            filter_add(&b->filter, b->digests.v[i].key, b->digests.v[i].data);
    batch_reset(b);
    rc = bk_db_merge(db, false, err);
    if (rc != XQ_OK) {
        b->broken = true;
        return rc;
    }
    return bk_batch_reload(db, err); /* another table of segments */
}
