/* db_view.c - opening the game database, and reading games out of it. */
#include "bookdb/db_internal.h"
#include "bookdb/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void bk_segment_name(char out[16], uint32_t id)
{
    snprintf(out, 16, "seg%08" PRIx32, id);
}

/* ---- the record "meta" ---- */

static MDB_val meta_key(void)
{
    return (MDB_val){4, (void *)(uintptr_t) "meta"};
}

int bk_meta_get(MDB_txn *txn, struct bk_db_meta *m)
{
    MDB_dbi dbi;
    MDB_val key = meta_key(), v;
    memset(m, 0, sizeof *m);
    m->next_text = m->next_note = 1;
    int e = mdb_dbi_open(txn, NULL, 0, &dbi);
    if (!e)
        e = mdb_get(txn, dbi, &key, &v);
    if (!e && !bk_db_meta_parse(m, v.mv_data, v.mv_size))
        e = MDB_CORRUPTED;
    return e;
}

int bk_meta_put(MDB_txn *txn, const struct bk_db_meta *m)
{
    uint8_t buf[BK_META_MAX];
    MDB_dbi dbi;
    MDB_val key = meta_key(), v = {bk_db_meta_format(m, buf), buf};
    int e = mdb_dbi_open(txn, NULL, 0, &dbi);
    return e ? e : mdb_put(txn, dbi, &key, &v, 0);
}

/* ---- opening ---- */

static const char *const TABLES[5] = {"text", "notes", "heads", "moves",
                                      "extra"};

static int open_tables(bk_db *db, MDB_txn *txn, unsigned flags)
{
    MDB_dbi *const to[5] = {&db->text, &db->notes, &db->heads, &db->moves,
                            &db->extra};
    for (int i = 0; i < 5; i++) {
        int e = mdb_dbi_open(txn, TABLES[i], flags, to[i]);
        if (e)
            return e;
    }
    return 0;
}

/* Make the tables, the first time; remove segments that do not stand in the
 * table of segments: a writer was killed before it had finished them. */
static xq_status writer_tidy(bk_db *db, xq_err *err)
{
    MDB_txn *txn;
    struct bk_db_meta *m = calloc(1, sizeof *m);
    if (!m)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    xq_status rc = bk_store_begin(&db->store, true, &txn, err);
    if (rc != XQ_OK) {
        free(m);
        return rc;
    }
    bool changed = false;
    int e = bk_meta_get(txn, m);
    if (e == MDB_NOTFOUND) {
        e = open_tables(db, txn, MDB_CREATE);
        if (!e)
            e = bk_meta_put(txn, m);
        changed = true;
    } else if (!e) {
        e = open_tables(db, txn, 0);
    }
    MDB_cursor *c = NULL;
    MDB_dbi main;
    uint32_t orphans[64];
    size_t n = 0;
    if (!e)
        e = mdb_dbi_open(txn, NULL, 0, &main);
    if (!e)
        e = mdb_cursor_open(txn, main, &c);
    MDB_val key = {3, (void *)(uintptr_t) "seg"}, v;
    if (!e) {
        int f = mdb_cursor_get(c, &key, &v, MDB_SET_RANGE);
        while (f == 0 && key.mv_size >= 3 &&
               memcmp(key.mv_data, "seg", 3) == 0) {
            char name[16] = {0};
            unsigned long id = 0;
            bool known = false;
            if (key.mv_size == 11) {
                memcpy(name, key.mv_data, 11);
                id = strtoul(name + 3, NULL, 16);
                for (uint32_t i = 0; i < m->nsegs; i++)
                    known |= m->segs[i].id == id;
                if (!known && n < 64)
                    orphans[n++] = (uint32_t)id;
            }
            f = mdb_cursor_get(c, &key, &v, MDB_NEXT);
        }
        mdb_cursor_close(c);
        if (f != 0 && f != MDB_NOTFOUND)
            e = f;
    }
    for (size_t i = 0; !e && i < n; i++) {
        char name[16];
        MDB_dbi dbi;
        bk_segment_name(name, orphans[i]);
        e = mdb_dbi_open(txn, name, 0, &dbi);
        if (!e)
            e = mdb_drop(txn, dbi, 1);
        changed = true;
    }
    if (!e && changed) {
        e = mdb_txn_commit(txn);
        bk_store_settle(&db->store);
    } else if (!e) {
        e = mdb_txn_commit(txn); /* keeps the handles */
    } else {
        mdb_txn_abort(txn);
    }
    free(m);
    db->tables = e == 0;
    return bk_store_fail(&db->store, e, "open", err);
}

xq_status bk_db_open(bk_db **out, const char *path, int mode,
                     const bk_db_options *opts, xq_err *err)
{
    *out = NULL;
    bk_db *db = calloc(1, sizeof *db);
    if (!db)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    if (opts)
        db->opts = *opts;
    db->memory = db->opts.memory ? db->opts.memory : (size_t)256 << 20;
    db->store.lock_fd = -1;
    xq_status rc = bk_store_open(&db->store, path, mode, BK_DB_MAGIC,
                                 2 * BK_SEGS_MAX + 8, err);
    if (rc == XQ_OK && mode != BK_READ) {
        rc = bk_store_lock(&db->store, db->opts.waiting, err);
        while (rc == XQ_OK && !bk_store_current(&db->store)) {
            /* Replaced (db compact) while this process waited. */
            bk_store_close(&db->store);
            rc = bk_store_open(&db->store, path, mode, BK_DB_MAGIC,
                               2 * BK_SEGS_MAX + 8, err);
            if (rc == XQ_OK)
                rc = bk_store_lock(&db->store, db->opts.waiting, err);
        }
        if (rc == XQ_OK)
            rc = bk_store_reserve(&db->store, (size_t)1 << 20, err);
        if (rc == XQ_OK)
            rc = writer_tidy(db, err);
        if (rc == XQ_OK)
            rc = bk_batch_new(db, err);
    }
    if (rc != XQ_OK) {
        bk_db_close(db);
        return rc;
    }
    *out = db;
    return XQ_OK;
}

void bk_db_close(bk_db *db)
{
    if (!db)
        return;
    bk_batch_free(db->batch);
    for (size_t i = 0; i < sizeof db->shapes / sizeof *db->shapes; i++)
        bk_shape_free(&db->shapes[i]);
    bk_strings_cache_free(&db->text_cache);
    bk_strings_cache_free(&db->notes_cache);
    bk_store_close(&db->store);
    free(db);
}

/* ---- handles ---- */

bool bk_segment_dbi(const bk_db *db, uint32_t id, MDB_dbi *dbi)
{
    for (unsigned i = 0; i < db->nhandles; i++)
        if (db->handles[i].id == id) {
            *dbi = db->handles[i].dbi;
            return true;
        }
    return false;
}

bool bk_handle_add(bk_db *db, uint32_t id, MDB_dbi dbi)
{
    if (db->nhandles == sizeof db->handles / sizeof *db->handles)
        return false;
    db->handles[db->nhandles++] = (struct bk_handle){id, dbi};
    return true;
}

void bk_handle_drop(bk_db *db, uint32_t id)
{
    for (unsigned i = 0; i < db->nhandles; i++)
        if (db->handles[i].id == id) {
            db->handles[i] = db->handles[--db->nhandles];
            return;
        }
}

static bool in_table(const struct bk_db_meta *m, uint32_t id)
{
    for (uint32_t i = 0; i < m->nsegs; i++)
        if (m->segs[i].id == id)
            return true;
    return false;
}

xq_status bk_open_handles(bk_db *db, xq_err *err)
{
    struct bk_db_meta *m = malloc(sizeof *m);
    MDB_txn *txn;
    if (!m)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    xq_status rc = bk_store_begin(&db->store, false, &txn, err);
    if (rc != XQ_OK) {
        free(m);
        return rc;
    }
    int e = bk_meta_get(txn, m);
    bool empty = e == MDB_NOTFOUND;
    unsigned before = db->nhandles;
    if (!e && !db->tables)
        e = open_tables(db, txn, 0);
    for (uint32_t i = 0; i < m->nsegs && !e; i++) {
        MDB_dbi dbi;
        char name[16];
        if (bk_segment_dbi(db, m->segs[i].id, &dbi))
            continue;
        bk_segment_name(name, m->segs[i].id);
        e = mdb_dbi_open(txn, name, 0, &dbi);
        if (!e && !bk_handle_add(db, m->segs[i].id, dbi))
            e = MDB_DBS_FULL;
        if (e == MDB_NOTFOUND)
            e = MDB_CORRUPTED;
    }
    if (e)
        mdb_txn_abort(txn);
    else
        e = mdb_txn_commit(txn); /* keeps the handles */
    if (e)
        db->nhandles = before;
    else
        db->tables = true;
    /* Those of segments that another process has merged. */
    for (unsigned i = 0; !e && db->views == 0 && i < db->nhandles;) {
        if (in_table(m, db->handles[i].id)) {
            i++;
            continue;
        }
        mdb_dbi_close(db->store.env, db->handles[i].dbi);
        db->handles[i] = db->handles[--db->nhandles];
    }
    free(m);
    return empty ? XQ_OK : bk_store_fail(&db->store, e, "read", err);
}

/* ---- a view ---- */

xq_status bk_view_join(struct bk_view *v, bk_db *db, MDB_txn *txn, xq_err *err)
{
    memset(v, 0, sizeof *v);
    v->db = db;
    v->txn = txn;
    int e = bk_meta_get(txn, &v->meta);
    if (e == MDB_NOTFOUND) {
        v->empty = true;
        return XQ_OK;
    }
    if (!e)
        e = mdb_cursor_open(txn, db->text, &v->text);
    if (!e)
        e = mdb_cursor_open(txn, db->notes, &v->notes);
    if (!e)
        e = mdb_cursor_open(txn, db->heads, &v->heads);
    if (!e)
        e = mdb_cursor_open(txn, db->moves, &v->moves);
    return bk_store_fail(&db->store, e, "read", err);
}

/* Are the handles of all the view's segments open? */
static bool handles_there(const struct bk_view *v)
{
    MDB_dbi dbi;
    for (uint32_t i = 0; i < v->meta.nsegs; i++)
        if (!bk_segment_dbi(v->db, v->meta.segs[i].id, &dbi))
            return false;
    return v->empty || v->db->tables;
}

xq_status bk_view_open(struct bk_view *v, bk_db *db, xq_err *err)
{
    memset(v, 0, sizeof *v);
    for (int tries = 0; tries < 1000; tries++) {
        MDB_txn *txn;
        xq_status rc = bk_open_handles(db, err);
        if (rc == XQ_OK)
            rc = bk_store_begin(&db->store, false, &txn, err);
        if (rc != XQ_OK)
            return rc;
        int e = bk_meta_get(txn, &v->meta);
        v->db = db;
        v->txn = txn;
        v->empty = e == MDB_NOTFOUND;
        if (!e && !handles_there(v)) {
            /* A writer committed in between. */
            bk_view_close(v);
            continue;
        }
        rc = bk_view_join(v, db, txn, err);
        if (rc != XQ_OK) {
            bk_view_close(v);
            return rc;
        }
        db->views++;
        v->counted = true;
        return XQ_OK;
    }
    return xq_fail(err, XQ_EIO, "cannot read '%s': it changes all the time",
                   db->store.path);
}

void bk_view_close(struct bk_view *v)
{
    if (v->text)
        mdb_cursor_close(v->text);
    if (v->notes)
        mdb_cursor_close(v->notes);
    if (v->heads)
        mdb_cursor_close(v->heads);
    if (v->moves)
        mdb_cursor_close(v->moves);
    if (v->txn)
        mdb_txn_abort(v->txn);
    bk_heads_free(&v->head);
    if (v->counted)
        v->db->views--;
    memset(v, 0, sizeof *v);
}

int bk_seek_block(MDB_cursor *c, uint64_t id, uint64_t *first, MDB_val *value)
{
    uint8_t want[8];
    MDB_val key = {8, want};
    bk_put64(want, id);
    int e = mdb_cursor_get(c, &key, value, MDB_SET_RANGE);
    if (e == MDB_NOTFOUND)
        e = mdb_cursor_get(c, &key, value, MDB_LAST);
    else if (!e && (key.mv_size != 8 || bk_get64(key.mv_data) != id))
        e = mdb_cursor_get(c, &key, value, MDB_PREV);
    if (e)
        return e;
    if (key.mv_size != 8)
        return MDB_CORRUPTED;
    *first = bk_get64(key.mv_data);
    return *first <= id ? 0 : MDB_NOTFOUND;
}

static xq_status no_game(uint64_t id, xq_err *err)
{
    return xq_fail(err, XQ_ENOTFOUND, "there is no game %" PRIu64, id);
}

static xq_status damaged(const struct bk_view *v, uint64_t id, const char *what,
                         xq_err *err)
{
    return xq_fail(err, XQ_ECORRUPT, "'%s' is damaged: %s of game %" PRIu64,
                   v->db->store.path, what, id);
}

xq_status bk_view_head(struct bk_view *v, uint64_t id, xq_err *err)
{
    struct bk_heads_reader *r = &v->head;
    if (v->empty || id == 0 || id > v->meta.last_id)
        return no_game(id, err);
    if (r->head.id == id && !r->bad && r->first && r->first <= id &&
        r->next == id + 1)
        return XQ_OK;
    bool here = r->first && !r->bad && r->next <= id && id - r->next < r->left;
    if (!here) {
        MDB_val value;
        uint64_t first;
        int e = bk_seek_block(v->heads, id, &first, &value);
        if (e && e != MDB_NOTFOUND)
            return bk_store_fail(&v->db->store, e, "read", err);
        if (e || !bk_heads_start(r, value.mv_data, value.mv_size, first) ||
            id - first >= r->left)
            return damaged(v, id, "header", err);
    }
    while (r->next <= id)
        if (!bk_heads_next(r))
            return damaged(v, id, "header", err);
    return XQ_OK;
}

xq_status bk_view_moves(struct bk_view *v, uint64_t id, const uint8_t **p,
                        size_t *n, xq_err *err)
{
    struct bk_moves_reader *r = &v->move;
    if (v->empty || id == 0 || id > v->meta.last_id)
        return no_game(id, err);
    bool here = r->first && !r->bad && r->next <= id && id - r->next < r->left;
    if (!here) {
        MDB_val value;
        uint64_t first;
        int e = bk_seek_block(v->moves, id, &first, &value);
        if (e && e != MDB_NOTFOUND)
            return bk_store_fail(&v->db->store, e, "read", err);
        if (e || !bk_moves_start(r, value.mv_data, value.mv_size, first) ||
            id - first >= r->left)
            return damaged(v, id, "moves", err);
    }
    while (r->next <= id)
        if (!bk_moves_next(r, p, n))
            return damaged(v, id, "moves", err);
    return XQ_OK;
}

xq_status bk_view_text(struct bk_view *v, uint64_t id, xq_str *s, xq_err *err)
{
    return bk_strings_get(&v->db->text_cache, v->text, id, s, err);
}

xq_status bk_view_shape(struct bk_view *v, uint64_t id,
                        const struct bk_shape **out, xq_err *err)
{
    struct bk_shape *s = &v->db->shapes[id % 64];
    xq_str text;
    *out = s;
    if (s->id == id && id)
        return XQ_OK;
    xq_status rc = bk_view_text(v, id, &text, err);
    if (rc == XQ_OK && !bk_shape_parse(s, id, text)) {
        bk_shape_free(s);
        rc = xq_fail(err, XQ_ECORRUPT, "'%s' is damaged: list of tags",
                     v->db->store.path);
    }
    return rc;
}

xq_status bk_view_start(struct bk_view *v, const struct bk_head *h,
                        xq_pos *start, xq_err *err)
{
    xq_str fen;
    if (h->flags & BK_H_STANDARD) {
        xq_pos_start(start);
        return XQ_OK;
    }
    xq_status rc = bk_view_text(v, h->start, &fen, err);
    if (rc == XQ_OK && xq_fen_parse(start, fen, NULL, NULL) != XQ_OK)
        rc = damaged(v, h->id, "start position", err);
    return rc;
}

xq_status bk_view_game(struct bk_view *v, xq_arena *arena, pgn_game **out,
                       xq_err *err)
{
    const struct bk_head *h = &v->head.head;
    const struct bk_shape *shape;
    pgn_game *g = xq_arena_calloc(arena, 1, sizeof *g);
    xq_str *notes =
        xq_arena_calloc(arena, (size_t)h->nnotes + 1, sizeof *notes);
    pgn_tag *tags = xq_arena_calloc(arena, (size_t)h->ntags + 1, sizeof *tags);
    if (!g || !notes || !tags)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    xq_status rc = bk_view_shape(v, h->shape, &shape, err);
    if (rc == XQ_OK && shape->n != h->ntags)
        rc = damaged(v, h->id, "header", err);
    if (rc != XQ_OK)
        return rc;
    g->number = h->id;
    g->notation =
        shape->notation < PGN_NOTATIONS ? shape->notation : PGN_NOTATION_ANY;
    g->script =
        shape->script == PGN_TRADITIONAL ? PGN_TRADITIONAL : PGN_SIMPLIFIED;
    g->encoding = PGN_ENC_UTF8;
    g->tags = tags;
    g->ntags = h->ntags;
    g->result = (pgn_result)(h->flags & BK_H_RESULT);
    g->standard = h->flags & BK_H_STANDARD;
    for (uint32_t i = 0; i < h->ntags; i++) {
        xq_str value;
        rc = bk_view_text(v, h->values[i], &value, err);
        if (rc != XQ_OK)
            return rc;
        tags[i].name = xq_arena_copy(arena, shape->names[i]);
        tags[i].value = xq_arena_copy(arena, value);
        if (!tags[i].name.s || !tags[i].value.s)
            return xq_fail(err, XQ_ENOMEM, "out of memory");
    }
    rc = bk_view_start(v, h, &g->start, err);
    for (uint32_t i = 0; i < h->nnotes && rc == XQ_OK; i++) {
        xq_str text;
        rc = bk_strings_get(&v->db->notes_cache, v->notes, h->first_note + i,
                            &text, err);
        if (rc == XQ_OK) {
            notes[i] = xq_arena_copy(arena, text);
            if (!notes[i].s)
                rc = xq_fail(err, XQ_ENOMEM, "out of memory");
        }
    }
    const uint8_t *p;
    size_t n;
    if (rc == XQ_OK)
        rc = bk_view_moves(v, h->id, &p, &n, err);
    xq_err inner = {0};
    if (rc == XQ_OK) {
        rc = bk_record_decode(p, n, notes, h->nnotes, arena, g, &inner);
        if (rc == XQ_OK && g->plies != h->plies)
            rc = damaged(v, h->id, "number of plies", err);
        else if (rc != XQ_OK)
            rc = xq_fail(err, rc, "'%s' is damaged: game %" PRIu64 ": %s",
                         v->db->store.path, h->id, inner.msg);
    }
    *out = g;
    return rc;
}

xq_status bk_db_get(bk_db *db, uint64_t id, xq_arena *arena, pgn_game **game,
                    xq_err *err)
{
    struct bk_view v;
    xq_status rc = bk_view_open(&v, db, err);
    if (rc != XQ_OK)
        return rc;
    rc = bk_view_head(&v, id, err);
    if (rc == XQ_OK && (v.head.head.flags & BK_H_DELETED))
        rc = no_game(id, err);
    if (rc == XQ_OK)
        rc = bk_view_game(&v, arena, game, err);
    bk_view_close(&v);
    return rc;
}

/* ---- info ---- */

static int table_bytes(MDB_txn *txn, MDB_dbi dbi, uint64_t *bytes)
{
    MDB_stat st;
    int e = mdb_stat(txn, dbi, &st);
    if (!e)
        *bytes +=
            (st.ms_branch_pages + st.ms_leaf_pages + st.ms_overflow_pages) *
            (uint64_t)st.ms_psize;
    return e;
}

xq_status bk_db_get_info(bk_db *db, bk_db_info *info, xq_err *err)
{
    struct bk_view v;
    memset(info, 0, sizeof *info);
    xq_status rc = bk_view_open(&v, db, err);
    if (rc != XQ_OK)
        return rc;
    MDB_envinfo env;
    MDB_stat st;
    int e = mdb_env_info(db->store.env, &env);
    if (!e)
        e = mdb_env_stat(db->store.env, &st);
    uint64_t used = 0;
    if (!e) {
        info->version = BK_DB_VERSION;
        info->games = v.meta.games;
        info->deleted = v.meta.deleted;
        info->last_id = v.meta.last_id;
        info->plies = v.meta.plies;
        info->positions = v.meta.positions;
        info->segments = v.meta.nsegs;
        info->bytes = (env.me_last_pgno + 1) * (uint64_t)st.ms_psize;
        used = 2 * (uint64_t)st.ms_psize; /* meta pages */
        e = table_bytes(v.txn, 0, &used); /* the free list */
    }
    if (!e)
        e = table_bytes(v.txn, 1, &used); /* the main database */
    if (!e && !v.empty) {
        e = table_bytes(v.txn, db->heads, &info->bytes_games);
        if (!e)
            e = table_bytes(v.txn, db->moves, &info->bytes_games);
        if (!e)
            e = table_bytes(v.txn, db->notes, &info->bytes_games);
        if (!e)
            e = table_bytes(v.txn, db->text, &info->bytes_names);
        if (!e)
            e = table_bytes(v.txn, db->extra, &info->bytes_index);
    }
    for (uint32_t i = 0; !e && i < v.meta.nsegs; i++) {
        MDB_dbi dbi;
        if (bk_segment_dbi(db, v.meta.segs[i].id, &dbi))
            e = table_bytes(v.txn, dbi, &info->bytes_index);
    }
    used += info->bytes_games + info->bytes_names + info->bytes_index;
    info->bytes_free = info->bytes > used ? info->bytes - used : 0;
    bk_view_close(&v);
    return bk_store_fail(&db->store, e, "read", err);
}
