/* db_segment.c - segments: their tables, look-ups, merging.
 *
 * A segment indexes the games first .. first + games - 1, which it counts
 * from 0.  Its table holds, in this order:
 *   00 digest (16)                    -> CRC-32, then rising digests
 *   01 position key (8) game (4)      -> a block of index.h
 * both under what they begin with. */
#include "bookdb/db_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define DIGESTS_A_BLOCK ((2038 - 8 - 17 - BK_SEAL) / 16)

static void posting_key(uint8_t out[BK_INDEX_KEY], uint64_t key, uint32_t game)
{
    out[0] = 1;
    bk_put64(out + 1, key);
    bk_put32(out + 9, game);
}

/* ---- look-ups ---- */

/* Begin with the block under the cursor. */
static xq_status enter_block(struct bk_posting_reader *p, const MDB_val *key,
                             const MDB_val *value, xq_err *err)
{
    const uint8_t *k = key->mv_data;
    if (key->mv_size != BK_INDEX_KEY ||
        !bk_index_start(&p->r, value->mv_data, value->mv_size, bk_get64(k + 1),
                        bk_get32(k + 9)))
        return xq_fail(err, XQ_ECORRUPT, "a block of the index is damaged");
    return XQ_OK;
}

xq_status bk_posting_start(struct bk_posting_reader *p, MDB_txn *txn,
                           MDB_dbi dbi, uint64_t key, xq_err *err)
{
    memset(p, 0, sizeof *p);
    p->key = key;
    int e = mdb_cursor_open(txn, dbi, &p->cur);
    if (e)
        return xq_fail(err, e == ENOMEM ? XQ_ENOMEM : XQ_EIO,
                       "cannot read the index: %s", mdb_strerror(e));
    uint8_t want[BK_INDEX_KEY];
    posting_key(want, key, 0);
    MDB_val k = {sizeof want, want}, v;
    /* The list may begin inside the block before. */
    e = mdb_cursor_get(p->cur, &k, &v, MDB_SET_RANGE);
    if (e == MDB_NOTFOUND)
        e = mdb_cursor_get(p->cur, &k, &v, MDB_LAST);
    else if (!e && (k.mv_size != sizeof want ||
                    memcmp(k.mv_data, want, sizeof want) != 0))
        e = mdb_cursor_get(p->cur, &k, &v, MDB_PREV);
    if (e == MDB_NOTFOUND ||
        (!e && (k.mv_size == 0 || *(uint8_t *)k.mv_data != 1))) {
        /* No block before: the first one may begin with the key. */
        memcpy(want, "\1\0\0\0\0\0\0\0\0\0\0\0\0", sizeof want);
        k = (MDB_val){sizeof want, want};
        e = mdb_cursor_get(p->cur, &k, &v, MDB_SET_RANGE);
    }
    if (e == MDB_NOTFOUND) {
        p->done = true;
        return XQ_OK;
    }
    if (e)
        return xq_fail(err, XQ_ECORRUPT, "cannot read the index: %s",
                       mdb_strerror(e));
    return enter_block(p, &k, &v, err);
}

/* To a list of the key: in this block or the next. */
static xq_status find_list(struct bk_posting_reader *p, xq_err *err)
{
    while (!p->done) {
        while (bk_index_list(&p->r)) {
            if (p->r.key == p->key) {
                p->in_list = true;
                return XQ_OK;
            }
            if (p->r.key > p->key) {
                p->done = true;
                return XQ_DONE;
            }
        }
        if (p->r.bad)
            return xq_fail(err, XQ_ECORRUPT, "a block of the index is damaged");
        MDB_val k, v;
        int e = mdb_cursor_get(p->cur, &k, &v, MDB_NEXT);
        if (e == MDB_NOTFOUND ||
            (!e && k.mv_size == BK_INDEX_KEY &&
             bk_get64((uint8_t *)k.mv_data + 1) > p->key)) {
            p->done = true;
            return XQ_DONE;
        }
        if (e)
            return xq_fail(err, XQ_ECORRUPT, "cannot read the index: %s",
                           mdb_strerror(e));
        xq_status rc = enter_block(p, &k, &v, err);
        if (rc != XQ_OK)
            return rc;
    }
    return XQ_DONE;
}

xq_status bk_posting_next(struct bk_posting_reader *p, uint32_t *game,
                          xq_err *err)
{
    for (;;) {
        if (p->in_list && bk_index_game(&p->r, game))
            return XQ_OK;
        if (p->in_list && p->r.bad)
            return xq_fail(err, XQ_ECORRUPT, "a block of the index is damaged");
        p->in_list = false;
        xq_status rc = find_list(p, err);
        if (rc != XQ_OK)
            return rc;
    }
}

xq_status bk_posting_skip(struct bk_posting_reader *p, uint64_t *count,
                          xq_err *err)
{
    xq_status rc;
    while ((rc = find_list(p, err)) == XQ_OK)
        *count += p->r.count;
    return rc == XQ_DONE ? XQ_OK : rc;
}

void bk_posting_end(struct bk_posting_reader *p)
{
    if (p->cur)
        mdb_cursor_close(p->cur);
    p->cur = NULL;
}

static int compare_digest(const uint8_t *p, pgn_digest d)
{
    uint64_t hi = bk_get64(p), lo = bk_get64(p + 8);
    if (hi != d.hi)
        return hi < d.hi ? -1 : 1;
    return lo < d.lo ? -1 : lo > d.lo;
}

static int segment_digest(MDB_txn *txn, MDB_dbi dbi, pgn_digest d, bool *found)
{
    MDB_cursor *c;
    uint8_t want[17] = {0};
    MDB_val k = {sizeof want, want}, v;
    *found = false;
    int e = mdb_cursor_open(txn, dbi, &c);
    if (e)
        return e;
    bk_put64(want + 1, d.hi);
    bk_put64(want + 9, d.lo);
    e = mdb_cursor_get(c, &k, &v, MDB_SET_RANGE);
    if (!e && k.mv_size == sizeof want &&
        memcmp(k.mv_data, want, sizeof want) == 0)
        *found = true; /* the rest would say no more */
    else if (e == MDB_NOTFOUND)
        e = mdb_cursor_get(c, &k, &v, MDB_LAST);
    else if (!e)
        e = mdb_cursor_get(c, &k, &v, MDB_PREV);
    if (e == MDB_NOTFOUND) {
        e = 0;
    } else if (!e) {
        const uint8_t *p = v.mv_data;
        size_t n = v.mv_size;
        *found = false;
        if (k.mv_size == sizeof want && *(uint8_t *)k.mv_data == 0) {
            if (n < BK_SEAL || (n - BK_SEAL) % 16 || !bk_unseal(p, n)) {
                e = MDB_CORRUPTED;
            } else {
                size_t lo = 0, hi = (n - BK_SEAL) / 16;
                while (lo < hi && !*found) {
                    size_t mid = (lo + hi) / 2;
                    int cmp = compare_digest(p + BK_SEAL + 16 * mid, d);
                    if (cmp < 0)
                        lo = mid + 1;
                    else if (cmp > 0)
                        hi = mid;
                    else
                        *found = true;
                }
            }
        }
    }
    mdb_cursor_close(c);
    return e;
}

xq_status bk_view_digest(struct bk_view *v, pgn_digest d, xq_err *err)
{
    uint8_t key[16];
    MDB_val k = {16, key}, value;
    if (v->empty)
        return XQ_ENOTFOUND;
    for (uint32_t i = v->meta.nsegs; i-- > 0;) {
        bool found = false;
        MDB_dbi dbi;
        int e = bk_segment_dbi(v->db, v->meta.segs[i].id, &dbi)
                    ? segment_digest(v->txn, dbi, d, &found)
                    : MDB_BAD_DBI;
        if (e)
            return bk_store_fail(&v->db->store, e, "read", err);
        if (found)
            return XQ_OK;
    }
    bk_put64(key, d.hi);
    bk_put64(key + 8, d.lo);
    int e = mdb_get(v->txn, v->db->extra, &k, &value);
    if (e == MDB_NOTFOUND)
        return XQ_ENOTFOUND;
    return bk_store_fail(&v->db->store, e, "read", err);
}

/* ---- writing ---- */

/* Held blocks: length of the key (1), of the value (4), key, value. */
static int put_block(struct bk_segment_writer *w, const uint8_t *key,
                     size_t nkey, uint8_t *block, size_t size)
{
    w->written += size;
    if (w->hold) {
        uint8_t head[5] = {(uint8_t)nkey};
        bk_put32(head + 1, (uint32_t)size);
        pgn_buf_add(w->hold, head, sizeof head);
        pgn_buf_add(w->hold, key, nkey);
        pgn_buf_add(w->hold, block, size);
        return 0; /* asked of the buffer at the end */
    }
    MDB_val k = {nkey, (void *)(uintptr_t)key}, v = {size, block};
    return mdb_put(w->txn, w->dbi, &k, &v, MDB_APPEND);
}

int bk_segment_put_held(MDB_txn *txn, MDB_dbi dbi, const pgn_buf *hold)
{
    uint8_t *p = (uint8_t *)hold->s, *end = p + hold->n;
    while (p < end) {
        size_t nkey = p[0], size = bk_get32(p + 1);
        MDB_val k = {nkey, p + 5}, v = {size, p + 5 + nkey};
        int e = mdb_put(txn, dbi, &k, &v, MDB_APPEND);
        if (e)
            return e;
        p += 5 + nkey + size;
    }
    return 0;
}

/* Write blocks while there is a full one to be had, or all. */
int bk_segment_put_postings(struct bk_segment_writer *w, const bk_rec *recs,
                            size_t n, bool all, size_t *taken)
{
    uint8_t block[BK_INDEX_BLOCK + BK_INDEX_SLACK], key[BK_INDEX_KEY];
    size_t at = 0;
    while (at < n) {
        size_t size, m = bk_index_encode(recs + at, n - at, w->max_game, block,
                                         BK_INDEX_BLOCK, &size);
        if (at + m == n && !all)
            break; /* more may fit */
        posting_key(key, recs[at].key, (uint32_t)recs[at].data);
        int e = put_block(w, key, sizeof key, block, size);
        if (e)
            return e;
        at += m;
    }
    *taken = at;
    return 0;
}

/* Equal digests (duplicates kept on purpose) stay in one block, so that no
 * two blocks begin with the same; a block may then be longer than others. */
int bk_segment_put_digests(struct bk_segment_writer *w, const bk_rec *digests,
                           size_t n, bool all, size_t *taken)
{
    uint8_t key[17] = {0};
    size_t at = 0;
    while (n - at > (all ? 0 : DIGESTS_A_BLOCK)) {
        size_t m = n - at < DIGESTS_A_BLOCK ? n - at : DIGESTS_A_BLOCK;
        while (at + m < n && digests[at + m].key == digests[at + m - 1].key &&
               digests[at + m].data == digests[at + m - 1].data)
            m++;
        if (at + m == n && !all)
            break;
        uint8_t few[BK_SEAL + 16 * DIGESTS_A_BLOCK] = {0}, *block = few;
        if (m > DIGESTS_A_BLOCK && !(block = malloc(BK_SEAL + 16 * m)))
            return ENOMEM;
        for (size_t i = 0; i < m; i++) {
            bk_put64(block + BK_SEAL + 16 * i, digests[at + i].key);
            bk_put64(block + BK_SEAL + 16 * i + 8, digests[at + i].data);
        }
        memcpy(key + 1, block + BK_SEAL, 16);
        bk_seal(block, BK_SEAL + 16 * m);
        int e = put_block(w, key, sizeof key, block, BK_SEAL + 16 * m);
        if (block != few)
            free(block);
        if (e)
            return e;
        at += m;
    }
    *taken = at;
    return 0;
}

/* ---- merging ---- */

/* One segment being read from end to end.  What is read lies in LMDB's map
 * and would count as resident: it is let go after a while. */
struct source {
    MDB_cursor *cur;
    uint32_t offset; /* of its games in the new segment */
    bool digests;    /* the cursor is still among them */
    bk_rec *recs;    /* unpacked: the current block */
    size_t n, at, cap;
};

struct merger {
    bk_db *db;
    MDB_txn *in;
    struct source *src;
    size_t nsrc;
    struct bk_segment_writer w;
    bk_rec *out;
    size_t nout, cap;
    uintptr_t low, high; /* of the map that was read */
    size_t read;
};

#define MERGE_OUT (64u * 1024u)
/* LMDB keeps what a transaction writes in memory. */
static size_t merge_txn(const bk_db *db)
{
    size_t n = db->memory / 8, most = (size_t)40 << 20;
    return n < most ? n : most;
}

static void let_go(struct merger *m, const MDB_val *v)
{
    uintptr_t p = (uintptr_t)v->mv_data;
    if (m->low == 0 || p < m->low)
        m->low = p;
    if (p + v->mv_size > m->high)
        m->high = p + v->mv_size;
    m->read += v->mv_size;
    if (m->read < m->db->memory / 32)
        return;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t from = m->low & ~(page - 1);
    /* The map is shared and clean: pages come back from the file. */
    (void)madvise((void *)from, m->high - from, MADV_DONTNEED);
    m->read = 0;
    m->low = m->high = 0;
}

static bool source_push(struct source *s, bk_rec r)
{
    if (s->n == s->cap) {
        size_t cap = s->cap ? 2 * s->cap : 1024;
        bk_rec *v = realloc(s->recs, cap * sizeof *v);
        if (!v)
            return false;
        s->recs = v;
        s->cap = cap;
    }
    s->recs[s->n++] = r;
    return true;
}

/* Unpack the next block of digests or postings; n == 0 at the end. */
static xq_status source_fill(struct merger *m, struct source *s, bool digests,
                             xq_err *err)
{
    MDB_val k, v;
    s->n = s->at = 0;
    int e = mdb_cursor_get(s->cur, &k, &v,
                           s->digests == digests ? MDB_NEXT : MDB_GET_CURRENT);
    s->digests = digests;
    if (e == MDB_NOTFOUND || e == EINVAL)
        return XQ_OK;
    if (e)
        return bk_store_fail(&m->db->store, e, "merge segments of", err);
    const uint8_t *key = k.mv_data, *p = v.mv_data;
    if (k.mv_size == 17 && key[0] == 0) {
        if (!digests)
            return xq_fail(err, XQ_ECORRUPT, "the index is out of order");
        if (v.mv_size < BK_SEAL || (v.mv_size - BK_SEAL) % 16 ||
            !bk_unseal(p, v.mv_size))
            return xq_fail(err, XQ_ECORRUPT, "a block of digests is damaged");
        for (size_t i = BK_SEAL; i < v.mv_size; i += 16)
            if (!source_push(s, (bk_rec){bk_get64(p + i), bk_get64(p + i + 8)}))
                return xq_fail(err, XQ_ENOMEM, "out of memory");
    } else if (digests) {
        return XQ_OK; /* the postings begin: read again from here */
    } else {
        bk_index_reader r;
        uint32_t game;
        if (k.mv_size == BK_INDEX_KEY &&
            bk_index_start(&r, p, v.mv_size, bk_get64(key + 1),
                           bk_get32(key + 9)))
            while (bk_index_list(&r))
                while (bk_index_game(&r, &game))
                    if (!source_push(s, (bk_rec){r.key, game + s->offset}))
                        return xq_fail(err, XQ_ENOMEM, "out of memory");
        if (k.mv_size != BK_INDEX_KEY || r.bad)
            return xq_fail(err, XQ_ECORRUPT, "a block of the index is damaged");
    }
    let_go(m, &v);
    return XQ_OK;
}

static bool before(const bk_rec *a, const bk_rec *b)
{
    return a->key < b->key || (a->key == b->key && a->data < b->data);
}

/* Write what is ready; a transaction that has grown large is committed and
 * the next begun. */
static xq_status merge_write(struct merger *m, bool digests, bool all,
                             const char *name, xq_err *err)
{
    size_t taken = 0;
    int e = digests
                ? bk_segment_put_digests(&m->w, m->out, m->nout, all, &taken)
                : bk_segment_put_postings(&m->w, m->out, m->nout, all, &taken);
    if (e)
        return e == MDB_MAP_FULL
                   ? XQ_DONE
                   : bk_store_fail(&m->db->store, e, "write to", err);
    memmove(m->out, m->out + taken, (m->nout - taken) * sizeof *m->out);
    m->nout -= taken;
    if (m->nout == m->cap) { /* so many equal digests */
        bk_rec *out = realloc(m->out, 2 * m->cap * sizeof *out);
        if (!out)
            return xq_fail(err, XQ_ENOMEM, "out of memory");
        m->out = out;
        m->cap *= 2;
    }
    if (m->w.written < merge_txn(m->db))
        return XQ_OK;
    e = mdb_txn_commit(m->w.txn);
    m->w.txn = NULL;
    m->w.written = 0;
    if (e)
        return bk_store_fail(&m->db->store, e, "write to", err);
    xq_status rc = bk_store_begin(&m->db->store, true, &m->w.txn, err);
    if (rc == XQ_OK)
        rc = bk_store_fail(&m->db->store,
                           mdb_dbi_open(m->w.txn, name, 0, &m->w.dbi),
                           "write to", err);
    return rc;
}

static xq_status merge_pass(struct merger *m, bool digests, const char *name,
                            xq_err *err)
{
    xq_status rc = XQ_OK;
    for (size_t i = 0; i < m->nsrc && rc == XQ_OK; i++)
        rc = source_fill(m, &m->src[i], digests, err);
    while (rc == XQ_OK) {
        struct source *best = NULL;
        for (size_t i = 0; i < m->nsrc; i++) {
            struct source *s = &m->src[i];
            if (s->n &&
                (!best || before(&s->recs[s->at], &best->recs[best->at])))
                best = s;
        }
        if (!best)
            break;
        m->out[m->nout++] = best->recs[best->at++];
        if (best->at == best->n)
            rc = source_fill(m, best, digests, err);
        if (rc == XQ_OK && m->nout == m->cap)
            rc = merge_write(m, digests, false, name, err);
    }
    if (rc == XQ_OK)
        rc = merge_write(m, digests, true, name, err);
    return rc;
}

/* Merge the segments from..to of the table into one.  XQ_DONE: the map is
 * full. */
static xq_status merge_range(bk_db *db, struct bk_db_meta *meta, uint32_t from,
                             uint32_t to, xq_err *err)
{
    struct merger m = {.db = db, .nsrc = to - from, .cap = MERGE_OUT};
    struct bk_segment seg = {.id = meta->next_seg,
                             .first = meta->segs[from].first};
    char name[16];
    for (uint32_t i = from; i < to; i++) {
        seg.games += meta->segs[i].games;
        seg.postings += meta->segs[i].postings;
    }
    /* All the pages that hold the old ones once more, in the worst case. */
    xq_status rc = bk_store_reserve(
        &db->store, seg.postings * 8 + seg.games * 20 + ((size_t)4 << 20), err);
    if (rc != XQ_OK)
        return rc;
    bk_segment_name(name, seg.id);
    m.src = calloc(m.nsrc, sizeof *m.src);
    m.out = malloc(m.cap * sizeof *m.out);
    m.w.max_game = (uint32_t)(seg.games - 1);
    if (!m.src || !m.out)
        rc = xq_fail(err, XQ_ENOMEM, "out of memory");
    if (rc == XQ_OK)
        rc = bk_open_handles(db, err);
    if (rc == XQ_OK)
        rc = bk_store_begin(&db->store, false, &m.in, err);
    int e = 0;
    for (uint32_t i = 0; i < m.nsrc && rc == XQ_OK && !e; i++) {
        MDB_dbi dbi;
        MDB_val k, v;
        m.src[i].offset = (uint32_t)(meta->segs[from + i].first - seg.first);
        e = bk_segment_dbi(db, meta->segs[from + i].id, &dbi)
                ? mdb_cursor_open(m.in, dbi, &m.src[i].cur)
                : MDB_BAD_DBI;
        if (!e)
            e = mdb_cursor_get(m.src[i].cur, &k, &v, MDB_FIRST);
        if (e == MDB_NOTFOUND)
            e = 0; /* all its games are gone */
    }
    if (rc == XQ_OK)
        rc = bk_store_fail(&db->store, e, "merge segments of", err);
    if (rc == XQ_OK)
        rc = bk_store_begin(&db->store, true, &m.w.txn, err);
    if (rc == XQ_OK) {
        /* An earlier attempt left a part of it, perhaps. */
        e = mdb_dbi_open(m.w.txn, name, MDB_CREATE, &m.w.dbi);
        if (!e)
            e = mdb_drop(m.w.txn, m.w.dbi, 0);
        rc = e == MDB_MAP_FULL
                 ? XQ_DONE
                 : bk_store_fail(&db->store, e, "merge segments of", err);
    }
    if (rc == XQ_OK)
        rc = merge_pass(&m, true, name, err);
    if (rc == XQ_OK)
        rc = merge_pass(&m, false, name, err);
    for (size_t i = 0; m.src && i < m.nsrc; i++) {
        if (m.src[i].cur)
            mdb_cursor_close(m.src[i].cur);
        free(m.src[i].recs);
    }
    if (m.in)
        mdb_txn_abort(m.in);
    /* The table of segments changes, and the old ones go, at once. */
    struct bk_db_meta *next = malloc(sizeof *next);
    if (!next && rc == XQ_OK)
        rc = xq_fail(err, XQ_ENOMEM, "out of memory");
    if (rc == XQ_OK) {
        *next = *meta;
        next->segs[from] = seg;
        memmove(next->segs + from + 1, next->segs + to,
                (meta->nsegs - to) * sizeof *next->segs);
        next->nsegs -= to - from - 1;
        next->next_seg++;
        for (uint32_t i = from; i < to && !e; i++) {
            MDB_dbi dbi;
            e = bk_segment_dbi(db, meta->segs[i].id, &dbi)
                    ? mdb_drop(m.w.txn, dbi, 1)
                    : MDB_BAD_DBI;
            bk_handle_drop(db, meta->segs[i].id);
        }
        if (!e)
            e = bk_meta_put(m.w.txn, next);
        if (!e) {
            e = mdb_txn_commit(m.w.txn);
            m.w.txn = NULL;
        }
        rc = e == MDB_MAP_FULL
                 ? XQ_DONE
                 : bk_store_fail(&db->store, e, "merge segments of", err);
        if (rc == XQ_OK) {
            bk_store_settle(&db->store);
            *meta = *next;
            if (!bk_handle_add(db, seg.id, m.w.dbi))
                mdb_dbi_close(db->store.env, m.w.dbi);
        }
    }
    if (m.w.txn)
        mdb_txn_abort(m.w.txn);
    free(next);
    free(m.src);
    free(m.out);
    return rc;
}

/* Size class: segments of one class differ by less than MERGE_WAYS times. */
#define MERGE_WAYS 8

static unsigned class_of(const struct bk_segment *s)
{
    unsigned c = 0;
    for (uint64_t n = s->postings / 4096; n; n /= MERGE_WAYS)
        c++;
    return c;
}

/* The neighbours to merge: the last ones, when MERGE_WAYS of them are of the
 * same class or smaller. */
static bool choose_range(const struct bk_db_meta *m, uint32_t *from)
{
    for (unsigned c = 0; c < 24; c++) {
        uint32_t i = m->nsegs;
        while (i > 0 && class_of(&m->segs[i - 1]) <= c)
            i--;
        if (m->nsegs - i >= MERGE_WAYS) {
            *from = i;
            return true;
        }
    }
    return false;
}

xq_status bk_db_merge(bk_db *db, bool all, xq_err *err)
{
    struct bk_db_meta *meta = malloc(sizeof *meta);
    MDB_txn *txn;
    if (!meta)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    xq_status rc = bk_store_begin(&db->store, false, &txn, err);
    if (rc == XQ_OK) {
        int e = bk_meta_get(txn, meta);
        mdb_txn_abort(txn);
        rc = bk_store_fail(&db->store, e, "read", err);
    }
    uint32_t from = 0;
    while (rc == XQ_OK && meta->nsegs > 1 &&
           (all || choose_range(meta, &from))) {
        rc = merge_range(db, meta, from, meta->nsegs, err);
        while (rc == XQ_DONE) { /* the map was full */
            rc = bk_store_grow(&db->store, err);
            if (rc == XQ_OK)
                rc = merge_range(db, meta, from, meta->nsegs, err);
        }
    }
    free(meta);
    return rc;
}
