/* db_edit.c - changing what is there: tags, deleting, a compact copy.
 *
 * A changed header rewrites its block; the moves and the index stay.  The
 * digest of a changed game leaves its segment and goes to the table `extra`,
 * under the digest, with how many games have it.  A deleted game keeps its
 * moves and its place in the index until db compact: its header says that
 * it is deleted. */
#include "bookdb/db_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- digests ---- */

static int digest_key(const bk_rec *a, pgn_digest d)
{
    if (a->key != d.hi)
        return a->key < d.hi ? -1 : 1;
    return a->data < d.lo ? -1 : a->data > d.lo;
}

/* Take one d out of a segment's blocks. */
static int segment_remove(MDB_txn *txn, MDB_dbi dbi, pgn_digest d, bool *done)
{
    MDB_cursor *c;
    uint8_t want[17] = {0};
    MDB_val k = {sizeof want, want}, v;
    int e = mdb_cursor_open(txn, dbi, &c);
    if (e)
        return e;
    bk_put64(want + 1, d.hi);
    bk_put64(want + 9, d.lo);
    e = mdb_cursor_get(c, &k, &v, MDB_SET_RANGE);
    if (e == MDB_NOTFOUND)
        e = mdb_cursor_get(c, &k, &v, MDB_LAST);
    else if (!e && (k.mv_size != 17 || memcmp(k.mv_data, want, 17) != 0))
        e = mdb_cursor_get(c, &k, &v, MDB_PREV);
    if (!e && k.mv_size == 17 && *(uint8_t *)k.mv_data == 0) {
        const uint8_t *p = v.mv_data;
        size_t n = v.mv_size, at = BK_SEAL;
        if (n < BK_SEAL || (n - BK_SEAL) % 16 || !bk_unseal(p, n))
            e = MDB_CORRUPTED;
        for (; !e && at < n; at += 16) {
            bk_rec r = {bk_get64(p + at), bk_get64(p + at + 8)};
            if (digest_key(&r, d) == 0)
                break;
        }
        if (!e && at < n) {
            uint8_t key[17], *copy = malloc(n);
            if (!copy) {
                mdb_cursor_close(c);
                return ENOMEM;
            }
            memcpy(key, k.mv_data, 17);
            memcpy(copy, p, at);
            memcpy(copy + at, p + at + 16, n - at - 16);
            n -= 16;
            *done = true;
            /* The key stays: it is not above what is left. */
            k = (MDB_val){17, key};
            v = (MDB_val){n, copy};
            if (n == BK_SEAL) {
                e = mdb_cursor_del(c, 0);
            } else {
                bk_seal(copy, n);
                e = mdb_cursor_put(c, &k, &v, MDB_CURRENT);
            }
            free(copy);
        }
    }
    mdb_cursor_close(c);
    return e == MDB_NOTFOUND ? 0 : e;
}

static int extra_change(MDB_txn *txn, MDB_dbi dbi, pgn_digest d, int by,
                        bool *done)
{
    uint8_t key[16], value[BK_SEAL + 8];
    MDB_val k = {16, key}, v;
    uint64_t count = 0;
    bk_put64(key, d.hi);
    bk_put64(key + 8, d.lo);
    int e = mdb_get(txn, dbi, &k, &v);
    if (e && e != MDB_NOTFOUND)
        return e;
    if (!e && (v.mv_size != sizeof value || !bk_unseal(v.mv_data, v.mv_size)))
        return MDB_CORRUPTED;
    if (!e)
        count = bk_get64((uint8_t *)v.mv_data + BK_SEAL);
    if (by < 0 && count == 0)
        return 0;
    *done = true;
    count += by < 0 ? UINT64_MAX : 1;
    if (count == 0)
        return mdb_del(txn, dbi, &k, NULL);
    bk_put64(value + BK_SEAL, count);
    bk_seal(value, sizeof value);
    v = (MDB_val){sizeof value, value};
    return mdb_put(txn, dbi, &k, &v, 0);
}

static int digest_remove(struct bk_view *v, uint64_t id, pgn_digest d)
{
    bool done = false;
    int e = extra_change(v->txn, v->db->extra, d, -1, &done);
    for (uint32_t i = 0; i < v->meta.nsegs && !e && !done; i++) {
        const struct bk_segment *s = &v->meta.segs[i];
        MDB_dbi dbi;
        if (id < s->first || id - s->first >= s->games)
            continue;
        e = bk_segment_dbi(v->db, s->id, &dbi)
                ? segment_remove(v->txn, dbi, d, &done)
                : MDB_BAD_DBI;
    }
    return e ? e : done ? 0 : MDB_CORRUPTED;
}

/* ---- headers ---- */

/* Write the block that holds `changed` anew. */
static xq_status rewrite_head(struct bk_view *v, const struct bk_head *changed,
                              xq_err *err)
{
    uint64_t first;
    MDB_val value;
    struct bk_heads_reader r = {.left = 0};
    struct bk_head_state state = {0};
    pgn_buf out = {0};
    uint8_t head[BK_SEAL + 20] = {0}, *p = head + BK_SEAL;
    int e = bk_seek_block(v->heads, changed->id, &first, &value);
    if (e)
        return bk_store_fail(&v->db->store, e, "read", err);
    bool ok = bk_heads_start(&r, value.mv_data, value.mv_size, first);
    p = bk_put_varint(p, r.left);
    p = bk_put_varint(p, r.state.running);
    pgn_buf_add(&out, head, (size_t)(p - head));
    state.running = r.state.running;
    while (ok && bk_heads_next(&r))
        ok = bk_head_put(&state, r.head.id == changed->id ? changed : &r.head,
                         &out);
    xq_status rc = XQ_OK;
    if (r.bad)
        rc = xq_fail(err, XQ_ECORRUPT,
                     "'%s' is damaged: header of game %" PRIu64,
                     v->db->store.path, changed->id);
    else if (!ok || out.failed)
        rc = xq_fail(err, XQ_ENOMEM, "out of memory");
    if (rc == XQ_OK) {
        uint8_t key[8];
        MDB_val k = {8, key};
        bk_seal((uint8_t *)out.s, out.n);
        bk_put64(key, first);
        value = (MDB_val){out.n, out.s};
        rc = bk_store_fail(&v->db->store,
                           mdb_put(v->txn, v->db->heads, &k, &value, 0),
                           "write to", err);
    }
    bk_heads_free(&r);
    bk_head_state_free(&state);
    pgn_buf_free(&out);
    return rc;
}

/* ---- a small transaction ---- */

struct edit {
    bk_db *db;
    struct bk_view v;
    xq_arena arena;
    pgn_game *game;
    bk_prep prep;
};

static void edit_end(struct edit *e)
{
    bk_view_close(&e->v); /* aborts what was not committed */
    xq_arena_free(&e->arena);
    bk_prep_free(&e->prep);
}

/* Begin to change a game: its head is current, e->game is it.  With
 * XQ_DONE the map was full: it is grown, begin again. */
static xq_status edit_begin(struct edit *e, bk_db *db, uint64_t id, xq_err *err)
{
    MDB_txn *txn;
    memset(e, 0, sizeof *e);
    e->db = db;
    if (!db->batch)
        return xq_fail(err, XQ_EIO, "'%s' is not open for writing",
                       db->store.path);
    xq_status rc = bk_db_commit(db, err);
    if (rc == XQ_OK)
        rc = bk_store_reserve(&db->store, (size_t)1 << 20, err);
    if (rc == XQ_OK)
        rc = bk_open_handles(db, err);
    if (rc == XQ_OK)
        rc = bk_store_begin(&db->store, true, &txn, err);
    if (rc != XQ_OK)
        return rc;
    rc = bk_view_join(&e->v, db, txn, err);
    if (rc == XQ_OK)
        rc = bk_view_head(&e->v, id, err);
    if (rc == XQ_OK && (e->v.head.head.flags & (BK_H_DELETED | BK_H_GONE)))
        rc = xq_fail(err, XQ_ENOTFOUND, "there is no game %" PRIu64, id);
    if (rc == XQ_OK)
        rc = bk_view_game(&e->v, &e->arena, &e->game, err);
    if (rc == XQ_OK)
        rc = bk_prepare(&e->prep, e->game, err);
    return rc;
}

static xq_status edit_commit(struct edit *e, xq_err *err)
{
    int rc = bk_meta_put(e->v.txn, &e->v.meta);
    struct bk_view *v = &e->v;
    MDB_cursor **cursors[] = {&v->text, &v->notes, &v->heads, &v->moves};
    for (int i = 0; i < 4; i++) { /* they end with the transaction */
        mdb_cursor_close(*cursors[i]);
        *cursors[i] = NULL;
    }
    if (rc == 0) {
        rc = mdb_txn_commit(v->txn);
        v->txn = NULL;
    }
    if (rc == 0)
        bk_store_settle(&e->db->store);
    return bk_store_fail(&e->db->store, rc, "write to", err);
}

xq_status bk_db_delete(bk_db *db, uint64_t id, xq_err *err)
{
    struct edit e;
    xq_status rc = edit_begin(&e, db, id, err);
    if (rc == XQ_OK) {
        struct bk_head h = e.v.head.head;
        h.flags |= BK_H_DELETED;
        e.v.meta.games--;
        e.v.meta.deleted++;
        e.v.meta.plies -= e.prep.plies;
        e.v.meta.positions -= e.prep.nkeys;
        rc = bk_store_fail(&db->store, digest_remove(&e.v, id, e.prep.digest),
                           "write to", err);
        if (rc == XQ_OK)
            rc = rewrite_head(&e.v, &h, err);
    }
    if (rc == XQ_OK)
        rc = edit_commit(&e, err);
    edit_end(&e);
    return rc == XQ_OK ? bk_batch_reload(db, err) : rc;
}

/* ---- tags ---- */

/* A string that is not in the dictionary yet, as a block of its own. */
static xq_status new_string(struct edit *e, xq_str s, uint64_t *id, xq_err *err)
{
    struct bk_strings_writer w = {.n = 0};
    uint8_t key[8];
    xq_status rc = XQ_OK;
    *id = e->v.meta.next_text++;
    if (!bk_strings_add(&w, *id, s) || !bk_strings_flush(&w) ||
        w.blocks.n != 1) {
        rc = xq_fail(err, XQ_ENOMEM, "out of memory");
    } else {
        MDB_val k = {8, key}, v = {w.blocks.bytes.n, w.blocks.bytes.s};
        bk_put64(key, *id);
        rc = bk_store_fail(&e->db->store,
                           mdb_put(e->v.txn, e->db->text, &k, &v, MDB_APPEND),
                           "write to", err);
    }
    bk_strings_writer_free(&w);
    return rc;
}

/* The game's tags with one changed, in e->game; *changed is its place, or
 * UINT32_MAX when one was removed. */
static xq_status change_tags(struct edit *e, xq_str name, xq_str value,
                             uint32_t *changed, xq_err *err)
{
    pgn_game *g = e->game;
    pgn_tag *t = xq_arena_calloc(&e->arena, (size_t)g->ntags + 1, sizeof *t);
    uint32_t n = 0;
    if (!t)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    *changed = UINT32_MAX;
    for (uint32_t i = 0; i < g->ntags; i++) {
        bool it = xq_str_eq_nocase(g->tags[i].name, name);
        if (it && (!value.s || *changed != UINT32_MAX))
            continue;
        t[n] = g->tags[i];
        if (it) {
            t[n].value = value;
            *changed = n;
        }
        n++;
    }
    if (value.s && *changed == UINT32_MAX) {
        *changed = n;
        t[n++] = (pgn_tag){name, value};
    }
    g->tags = t;
    g->ntags = n;
    return XQ_OK;
}

/* A name that a PGN file can hold; others would be written altered. */
static bool is_name(xq_str name)
{
    for (size_t i = 0; i < name.n; i++) {
        const char c = name.s[i], low = (char)(c | 32);
        const bool letter = low >= 'a' && low <= 'z';
        const bool inner = (c >= '0' && c <= '9') || c == '_' || c == '-';
        if (!letter && (i == 0 || !inner))
            return false;
    }
    return name.n > 0;
}

/* How much of s a message shows: whole characters. */
static int shown(xq_str s)
{
    size_t n = s.n < 40 ? s.n : 40;
    while (n > 0 && n < s.n && ((unsigned char)s.s[n] & 0xC0) == 0x80)
        n--;
    return (int)n;
}

xq_status bk_db_tag_check(xq_str name, xq_str value, xq_err *err)
{
    pgn_result result;
    if (name.n == 0)
        return xq_fail(err, XQ_ESYNTAX, "a tag needs a name");
    /* What is there can be removed whatever it is called. */
    if (value.s && !is_name(name))
        return xq_fail(err, XQ_ESYNTAX,
                       "'%.*s' is no tag's name: a letter, then letters, "
                       "digits, _ and -",
                       shown(name), name.s);
    if (xq_str_eq_nocase(name, xq_str_of("FEN")) ||
        xq_str_eq_nocase(name, xq_str_of("SetUp")))
        return xq_fail(err, XQ_EILLEGAL,
                       "the start position of a game cannot be changed");
    if (xq_str_eq_nocase(name, xq_str_of("Result")) &&
        !pgn_result_parse(value, &result))
        return xq_fail(err, XQ_ESYNTAX, "'%.*s' is no result", shown(value),
                       value.s);
    return XQ_OK;
}

xq_status bk_db_set_tag(bk_db *db, uint64_t id, xq_str name, xq_str value,
                        xq_err *err)
{
    struct edit e;
    uint32_t changed = 0;
    bool done = false;
    xq_status rc = bk_db_tag_check(name, value, err);
    if (rc == XQ_OK)
        rc = edit_begin(&e, db, id, err);
    else
        memset(&e, 0, sizeof e);
    pgn_result result = rc == XQ_OK ? e.game->result : PGN_UNKNOWN;
    if (rc == XQ_OK && xq_str_eq_nocase(name, xq_str_of("Result")))
        (void)pgn_result_parse(value, &result);
    pgn_digest old = e.prep.digest;
    uint64_t *values = NULL;
    if (rc == XQ_OK) {
        struct bk_head h = e.v.head.head;
        const pgn_tag *before = e.game->tags;
        uint32_t nbefore = e.game->ntags;
        rc = change_tags(&e, name, value, &changed, err);
        e.game->result = result;
        if (rc == XQ_OK)
            rc = bk_prepare(&e.prep, e.game, err);
        values = malloc(((size_t)e.game->ntags + 1) * sizeof *values);
        if (!values && rc == XQ_OK)
            rc = xq_fail(err, XQ_ENOMEM, "out of memory");
        /* Values keep their strings, all but the changed one. */
        uint32_t from = 0;
        for (uint32_t i = 0; i < e.game->ntags && rc == XQ_OK; i++) {
            if (i == changed) {
                rc = new_string(&e, value, &values[i], err);
                if (from < nbefore && xq_str_eq_nocase(before[from].name, name))
                    from++;
                continue;
            }
            while (from < nbefore &&
                   before[from].value.s != e.game->tags[i].value.s)
                from++;
            if (from < nbefore)
                values[i] = h.values[from++];
        }
        if (rc == XQ_OK && e.game->ntags != nbefore) {
            xq_str shape;
            rc = bk_prep_shape(&e.prep, &shape)
                     ? new_string(&e, shape, &h.shape, err)
                     : xq_fail(err, XQ_ENOMEM, "out of memory");
        }
        h.values = values;
        h.ntags = e.game->ntags;
        h.flags = (h.flags & ~(unsigned)BK_H_RESULT) | (unsigned)result;
        if (rc == XQ_OK)
            rc = bk_store_fail(&db->store, digest_remove(&e.v, id, old),
                               "write to", err);
        if (rc == XQ_OK)
            rc = bk_store_fail(
                &db->store,
                extra_change(e.v.txn, db->extra, e.prep.digest, 1, &done),
                "write to", err);
        if (rc == XQ_OK)
            rc = rewrite_head(&e.v, &h, err);
    }
    if (rc == XQ_OK)
        rc = edit_commit(&e, err);
    free(values);
    edit_end(&e);
    return rc == XQ_OK ? bk_batch_reload(db, err) : rc;
}

/* ---- a compact copy ---- */

static bool stopped(const bk_db *db)
{
    return db->opts.stop && db->opts.stop();
}

static xq_status copy_games(bk_db *to, bk_db *from, xq_err *err)
{
    struct bk_view v;
    xq_arena arena = {0};
    bk_prep prep = {.nkeys = 0};
    xq_status rc = bk_view_open(&v, from, err);
    if (rc != XQ_OK)
        return rc;
    for (uint64_t id = 1; id <= v.meta.last_id && rc == XQ_OK; id++) {
        pgn_game *g;
        bk_added what;
        if (stopped(from)) {
            rc = XQ_DONE;
            break;
        }
        rc = bk_view_head(&v, id, err);
        if (rc == XQ_OK && (v.head.head.flags & (BK_H_DELETED | BK_H_GONE))) {
            rc = bk_batch_add_gone(to, err);
            continue;
        }
        xq_arena_reset(&arena);
        if (rc == XQ_OK)
            rc = bk_view_game(&v, &arena, &g, err);
        if (rc == XQ_OK)
            rc = bk_prepare(&prep, g, err);
        if (rc == XQ_OK)
            rc = bk_db_add(to, &prep, true, &what, err);
    }
    if (rc == XQ_OK)
        rc = bk_db_commit(to, err);
    bk_view_close(&v);
    bk_prep_free(&prep);
    xq_arena_free(&arena);
    return rc;
}

/* The copy begins to count transactions anew.  Whoever has the old file open
 * shares the lock file with those who will open the new one, and in it the
 * number of the last transaction, whose lowest bit also tells which meta page
 * counts.  So the copy goes on counting where the old file is: both its meta
 * pages become the same, but for that number. */
static xq_status renumber(const char *path, uint64_t txnid, xq_err *err)
{
    uint8_t page[2][BK_META_BYTES];
    bk_meta m;
    uint64_t size;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return xq_fail(err, XQ_EIO, "cannot open '%s': %s", path,
                       strerror(errno));
    xq_status rc = bk_meta_read(fd, path, BK_WANTED, &m, &size, err);
    for (int i = 0; i < 2 && rc == XQ_OK; i++)
        if (!bk_pread_all(fd, page[i], BK_META_BYTES, (uint64_t)i * m.psize))
            rc = xq_fail(err, XQ_EIO, "cannot read '%s'", path);
    if (rc == XQ_OK) {
        unsigned newer = (unsigned)(m.txnid & 1);
        memcpy(page[!newer] + BK_PAGE_HEAD, page[newer] + BK_PAGE_HEAD,
               BK_META_BYTES - BK_PAGE_HEAD);
        for (unsigned i = 0; i < 2 && rc == XQ_OK; i++) {
            uint64_t id = (txnid & 1) == i ? txnid : txnid - 1;
            memcpy(page[i] + BK_META_TXNID, &id, 8);
            if (pwrite(fd, page[i], BK_META_BYTES, (off_t)i * m.psize) !=
                BK_META_BYTES)
                rc = xq_fail(err, XQ_EIO, "cannot write '%s': %s", path,
                             strerror(errno));
        }
    }
    if (rc == XQ_OK && fsync(fd) != 0)
        rc = xq_fail(err, XQ_EIO, "cannot write '%s': %s", path,
                     strerror(errno));
    close(fd);
    return rc;
}

xq_status bk_db_compact(bk_db *db, const char *new_path, xq_err *err)
{
    size_t n = strlen(new_path) + 32;
    char *tmp = malloc(n), *lock = malloc(n);
    bk_db *to = NULL;
    xq_status rc;
    if (!tmp || !lock) {
        rc = xq_fail(err, XQ_ENOMEM, "out of memory");
        goto out;
    }
    /* Built beside, then copied by LMDB without the free pages that merging
     * left. */
    snprintf(tmp, n, "%s.work", new_path);
    snprintf(lock, n, "%s-lock", tmp);
    unlink(new_path);
    unlink(tmp);
    rc = bk_db_open(&to, tmp, BK_CREATE, &db->opts, err);
    if (rc == XQ_OK)
        rc = copy_games(to, db, err);
    if (rc == XQ_OK)
        rc = bk_db_merge(to, true, err);
    if (rc == XQ_OK && stopped(db))
        rc = XQ_DONE;
    if (rc == XQ_OK) {
        int e = mdb_env_copy2(to->store.env, new_path, MDB_CP_COMPACT);
        MDB_envinfo info;
        rc = bk_store_fail(&to->store, e, "copy", err);
        if (rc == XQ_OK)
            rc = bk_store_fail(&db->store, mdb_env_info(db->store.env, &info),
                               "copy", err);
        if (rc == XQ_OK)
            rc = renumber(new_path, info.me_last_txnid, err);
        if (rc != XQ_OK)
            unlink(new_path);
    }
    bk_db_close(to);
    unlink(tmp);
    unlink(lock);
out:
    free(tmp);
    free(lock);
    return rc;
}
