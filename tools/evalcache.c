/* evalcache.c - what engines said of positions, kept in a file.
 *
 * A database "answers" of LMDB:
 *
 *   key     8 bytes  canonical key          8 bytes  digest of the identity
 *   value   4 bytes  checksum (store.h)     then, as varints (store.h):
 *           depth, nodes, claim, number of lines; for each line
 *           its score * 2 + (mate), number of moves, and 2 bytes a move
 *
 * Signed numbers are folded: 0, -1, 1, -2 ... as 0, 1, 2, 3 ...  And one,
 * "engines": digest of the identity -> identity, for people who wonder. */
#include "tools/evalcache.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "bookdb/store.h"
#include "engine/key.h"
#include "tools/child.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char MAGIC[4] = {'q', 'a', 'n', '1'};

enum { KEY = 16 };

/* A batch is written when it has so many answers, or when its first one has
 * waited so long. */
enum { BATCH = 1000, BATCH_MS = 300 };

struct pending {
    uint8_t key[KEY];
    size_t at, n; /* its value in `bytes` */
};

struct evalcache {
    bk_store store;
    uint64_t who;
    pthread_mutex_t lock;
    bool has_lock;
    struct pending *v;
    size_t n, cap;
    uint8_t *bytes;
    size_t nbytes, capbytes;
    uint64_t since; /* when the first pending one came */
};

/* ---- the record ---- */

static uint64_t fold(int64_t v)
{
    return v < 0 ? ~((uint64_t)v << 1) : (uint64_t)v << 1;
}

static int64_t unfold(uint64_t v)
{
    return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

size_t evalcache_pack(const analysis *a, uint8_t out[EVALCACHE_RECORD_MAX])
{
    uint8_t *p = out + BK_SEAL;
    p = bk_put_varint(p, a->depth);
    p = bk_put_varint(p, a->nodes);
    p = bk_put_varint(p, fold(a->claim));
    p = bk_put_varint(p, a->nlines);
    for (unsigned i = 0; i < a->nlines; i++) {
        const analysis_line *l = &a->lines[i];
        p = bk_put_varint(p, fold(l->score.value) << 1 | l->score.mate);
        p = bk_put_varint(p, l->n);
        for (unsigned k = 0; k < l->n; k++) {
            *p++ = (uint8_t)(l->pv[k] >> 8);
            *p++ = (uint8_t)l->pv[k];
        }
    }
    const size_t n = (size_t)(p - out);
    bk_seal(out, n);
    return n;
}

/* NULL: it does not end, or is larger than `most`. */
static const uint8_t *get(const uint8_t *p, const uint8_t *end, uint64_t most,
                          uint64_t *v)
{
    p = p ? bk_get_varint(p, end, v) : NULL;
    return p && *v <= most ? p : NULL;
}

bool evalcache_unpack(const uint8_t *in, size_t n, analysis *a)
{
    uint64_t depth, nodes, claim, lines, score, moves;
    if (n <= BK_SEAL || !bk_unseal(in, n))
        return false;
    const uint8_t *p = in + BK_SEAL, *const end = in + n;
    p = get(p, end, UINT16_MAX, &depth);
    p = get(p, end, UINT64_MAX, &nodes);
    p = get(p, end, 2 * XQ_MAX_PLY, &claim);
    p = get(p, end, ANALYSIS_LINES, &lines);
    if (!p || lines == 0)
        return false;
    a->depth = (uint16_t)depth;
    a->nodes = nodes;
    a->claim = (int32_t)unfold(claim);
    a->nlines = (uint8_t)lines;
    for (unsigned i = 0; i < lines; i++) {
        analysis_line *l = &a->lines[i];
        p = get(p, end, UINT32_MAX, &score);
        p = get(p, end, XQ_MAX_PLY, &moves);
        if (!p || (size_t)(end - p) < 2 * moves)
            return false;
        l->score = (analysis_score){score & 1, (int32_t)unfold(score >> 1)};
        if (abs(l->score.value) >
            (l->score.mate ? XQ_MAX_PLY : ANALYSIS_CP_MAX))
            return false;
        l->n = (uint16_t)moves;
        for (unsigned k = 0; k < moves; k++, p += 2)
            l->pv[k] = (xq_move)((p[0] << 8 | p[1]) & 0x3fff);
    }
    a->state = ANALYSIS_DONE;
    return p == end;
}

/* ---- opening ---- */

static xq_status open_tables(evalcache *c, const char *identity, xq_err *err)
{
    MDB_txn *txn;
    MDB_dbi dbi;
    uint8_t digest[8];
    bk_put64(digest, c->who);
    xq_status rc = bk_store_begin(&c->store, true, &txn, err);
    if (rc != XQ_OK)
        return rc;
    int e = mdb_dbi_open(txn, "answers", MDB_CREATE, &dbi);
    if (!e)
        e = mdb_dbi_open(txn, "engines", MDB_CREATE, &dbi);
    MDB_val k = {sizeof digest, digest},
            v = {strlen(identity), (void *)(uintptr_t)identity};
    if (!e)
        e = mdb_put(txn, dbi, &k, &v, 0);
    if (!e) {
        e = mdb_txn_commit(txn);
        txn = NULL;
    }
    if (txn)
        mdb_txn_abort(txn);
    return e ? bk_store_fail(&c->store, e, "open", err) : XQ_OK;
}

xq_status evalcache_open(evalcache **out, const char *path,
                         const char *identity, xq_err *err)
{
    evalcache *c = calloc(1, sizeof *c);
    if (!c)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    c->store.lock_fd = -1;
    c->who = XXH3_64bits(identity, strlen(identity));
    c->has_lock = pthread_mutex_init(&c->lock, NULL) == 0;
    xq_status rc =
        c->has_lock ? XQ_OK : xq_fail(err, XQ_ENOMEM, "out of memory");
    if (rc == XQ_OK)
        rc = bk_store_open(&c->store, path, BK_CREATE, MAGIC, 2, err);
    if (rc == XQ_OK)
        rc = bk_store_reserve(&c->store, 1 << 20, err);
    if (rc == XQ_OK)
        rc = open_tables(c, identity, err);
    if (rc != XQ_OK) {
        evalcache_close(c, NULL);
        return rc;
    }
    *out = c;
    return XQ_OK;
}

static void make_key(const evalcache *c, const xq_pos *q, uint8_t key[KEY])
{
    bool mirrored;
    bk_put64(key, xq_canon_key(q, &mirrored));
    bk_put64(key + 8, c->who);
}

/* ---- writing ---- */

static int write_all(evalcache *c, MDB_txn *txn)
{
    MDB_dbi dbi;
    int e = mdb_dbi_open(txn, "answers", 0, &dbi);
    for (size_t i = 0; i < c->n && !e; i++) {
        const struct pending *p = &c->v[i];
        MDB_val k = {KEY, (void *)(uintptr_t)p->key},
                v = {p->n, c->bytes + p->at};
        e = mdb_put(txn, dbi, &k, &v, 0);
    }
    return e;
}

/* With the lock held. */
static xq_status flush(evalcache *c, xq_err *err)
{
    MDB_txn *txn;
    if (c->n == 0)
        return XQ_OK;
    /* each may split a page of its own */
    xq_status rc = bk_store_reserve(&c->store, c->n * 8192 + c->nbytes, err);
    if (rc == XQ_OK)
        rc = bk_store_begin(&c->store, true, &txn, err);
    if (rc != XQ_OK)
        return rc;
    int e = write_all(c, txn);
    if (e)
        mdb_txn_abort(txn);
    else
        e = mdb_txn_commit(txn);
    if (e)
        return bk_store_fail(&c->store, e, "write", err);
    bk_store_settle(&c->store);
    c->n = c->nbytes = 0;
    return XQ_OK;
}

static bool make_room(evalcache *c, size_t bytes)
{
    if (c->n == c->cap) {
        const size_t cap = c->cap ? 2 * c->cap : 256;
        struct pending *v = realloc(c->v, cap * sizeof *v);
        if (!v)
            return false;
        c->v = v;
        c->cap = cap;
    }
    if (c->capbytes - c->nbytes < bytes) {
        const size_t cap = 2 * c->capbytes + bytes;
        uint8_t *b = realloc(c->bytes, cap);
        if (!b)
            return false;
        c->bytes = b;
        c->capbytes = cap;
    }
    return true;
}

/* With the lock held. */
static xq_status put(evalcache *c, const xq_pos *q, const uint8_t *record,
                     size_t n, xq_err *err)
{
    const uint64_t now = child_now();
    if (!make_room(c, n))
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    struct pending *p = &c->v[c->n];
    make_key(c, q, p->key);
    p->at = c->nbytes;
    p->n = n;
    memcpy(c->bytes + p->at, record, n);
    c->nbytes += n;
    if (c->n++ == 0)
        c->since = now;
    if (c->n >= BATCH || now - c->since >= BATCH_MS)
        return flush(c, err);
    return XQ_OK;
}

xq_status evalcache_put(evalcache *c, const xq_pos *q, const analysis *a,
                        xq_err *err)
{
    uint8_t record[EVALCACHE_RECORD_MAX];
    if (a->state != ANALYSIS_DONE)
        return XQ_OK;
    const size_t n = evalcache_pack(a, record);
    pthread_mutex_lock(&c->lock);
    const xq_status rc = put(c, q, record, n, err);
    pthread_mutex_unlock(&c->lock);
    return rc;
}

/* ---- reading ---- */

/* With the lock held: what waits to be written, too. */
static bool find(evalcache *c, const uint8_t key[KEY], analysis *a)
{
    for (size_t i = c->n; i-- > 0;)
        if (memcmp(c->v[i].key, key, KEY) == 0)
            return evalcache_unpack(c->bytes + c->v[i].at, c->v[i].n, a);
    MDB_txn *txn;
    MDB_dbi dbi;
    MDB_val k = {KEY, (void *)(uintptr_t)key}, v;
    if (bk_store_begin(&c->store, false, &txn, NULL) != XQ_OK)
        return false;
    const bool found = mdb_dbi_open(txn, "answers", 0, &dbi) == 0 &&
                       mdb_get(txn, dbi, &k, &v) == 0 &&
                       evalcache_unpack(v.mv_data, v.mv_size, a);
    mdb_txn_abort(txn);
    return found;
}

bool evalcache_find(evalcache *c, const xq_pos *q, analysis *a)
{
    uint8_t key[KEY];
    make_key(c, q, key);
    pthread_mutex_lock(&c->lock);
    const bool found = find(c, key, a);
    pthread_mutex_unlock(&c->lock);
    if (!found)
        return false;
    const unsigned n = a->nlines;
    analysis_check(a, q);
    return a->nlines == n && a->lines[0].n > 0;
}

xq_status evalcache_close(evalcache *c, xq_err *err)
{
    if (!c)
        return XQ_OK;
    const xq_status rc = c->store.env ? flush(c, err) : XQ_OK;
    bk_store_close(&c->store);
    if (c->has_lock)
        pthread_mutex_destroy(&c->lock);
    free(c->v);
    free(c->bytes);
    free(c);
    return rc;
}
