/* book.c - looking up positions in a book, reading it through, checking it.
 *
 * A book file is only ever replaced as a whole, so one read transaction and
 * its cursor live as long as the bk_book.  Others may treat the file worse, so
 * each reading of the map asks first whether it is as it was. */
#include "bookdb/book_block.h"
#include "engine/rules.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct bk_book {
    bk_store store;
    MDB_txn *txn;
    MDB_dbi positions, games;
    MDB_cursor *cursor; /* for look-ups */
    bk_book_info info;
};

static xq_status no_memory(xq_err *err)
{
    return xq_fail(err, XQ_ENOMEM, "out of memory while reading a book");
}

static xq_status damaged(const bk_book *b, const char *what, xq_err *err)
{
    return xq_fail(err, XQ_ECORRUPT, "'%s' is damaged: %s", b->store.path,
                   what);
}

static bool head_parse(bk_book_info *info, const uint8_t *p, size_t n)
{
    if (n != BK_BOOK_HEAD || !bk_unseal(p, n) || p[BK_SEAL] > 1)
        return false;
    info->one_wing = p[BK_SEAL];
    info->positions = bk_get64(p + BK_SEAL + 1);
    info->moves = bk_get64(p + BK_SEAL + 9);
    info->games = bk_get64(p + BK_SEAL + 17);
    info->version = BK_BOOK_MAGIC[3] - '0';
    return true;
}

xq_status bk_book_open(bk_book **out, const char *path, xq_err *err)
{
    MDB_val key = {4, (void *)(uintptr_t) "book"}, v;
    MDB_dbi main_db;
    struct stat st;
    bk_book *b = calloc(1, sizeof *b);
    if (!b)
        return no_memory(err);
    b->store.lock_fd = -1;
    xq_status rc =
        bk_store_open(&b->store, path, BK_STATIC, BK_BOOK_MAGIC, 2, err);
    if (rc == XQ_OK)
        rc = bk_store_begin(&b->store, false, &b->txn, err);
    if (rc == XQ_OK) {
        int e = mdb_dbi_open(b->txn, NULL, 0, &main_db);
        if (!e)
            e = mdb_get(b->txn, main_db, &key, &v);
        if (!e && !head_parse(&b->info, v.mv_data, v.mv_size))
            rc = damaged(b, "head of the book", err);
        if (!e)
            e = mdb_dbi_open(b->txn, BK_DB_POSITIONS, 0, &b->positions);
        if (!e)
            e = mdb_dbi_open(b->txn, BK_DB_GAMES, 0, &b->games);
        if (!e)
            e = mdb_cursor_open(b->txn, b->positions, &b->cursor);
        if (e == MDB_NOTFOUND)
            rc = damaged(b, "a part is missing", err);
        else if (e)
            rc = bk_store_fail(&b->store, e, "open", err);
    }
    if (rc != XQ_OK) {
        bk_book_close(b);
        return rc;
    }
    b->info.bytes = stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
    *out = b;
    return XQ_OK;
}

void bk_book_close(bk_book *b)
{
    if (!b)
        return;
    if (b->cursor)
        mdb_cursor_close(b->cursor);
    if (b->txn)
        mdb_txn_abort(b->txn);
    bk_store_close(&b->store);
    free(b);
}

xq_status bk_book_get_info(bk_book *b, bk_book_info *info, xq_err *err)
{
    (void)err;
    *info = b->info;
    return XQ_OK;
}

/* ---- looking up ---- */

/* The entry of a key, moves as stored. */
xq_status bk_book_find_key(bk_book *b, xq_key key, bk_entry *e, xq_err *err)
{
    uint8_t bytes[8];
    MDB_val k = {sizeof bytes, bytes}, v;
    bk_block_reader r;
    const xq_status whole = bk_store_whole(&b->store, err);
    if (whole != XQ_OK)
        return whole;
    bk_put64(bytes, key);
    /* The block that begins at the key or, else, the one before. */
    int rc = mdb_cursor_get(b->cursor, &k, &v, MDB_SET_RANGE);
    if (rc == MDB_NOTFOUND)
        rc = mdb_cursor_get(b->cursor, &k, &v, MDB_LAST);
    else if (rc == 0 && k.mv_size == 8 && bk_get64(k.mv_data) != key)
        rc = mdb_cursor_get(b->cursor, &k, &v, MDB_PREV);
    if (rc == MDB_NOTFOUND)
        return xq_fail(err, XQ_ENOTFOUND, "position not in the book");
    if (rc != 0)
        return bk_store_fail(&b->store, rc, "read", err);
    xq_status s = XQ_ECORRUPT;
    if (k.mv_size == 8)
        s = bk_block_open(&r, bk_get64(k.mv_data), v.mv_data, v.mv_size);
    if (s == XQ_OK)
        s = bk_block_find(&r, key, e);
    if (s == XQ_ENOTFOUND)
        return xq_fail(err, XQ_ENOTFOUND, "position not in the book");
    return s == XQ_OK ? s : damaged(b, "a block of positions", err);
}

/* Twice the mover's points in decided games. */
static uint64_t points(const bk_book_move *m, xq_side mover)
{
    const uint32_t wins = mover == XQ_RED ? m->counts.red : m->counts.black;
    return 2 * (uint64_t)wins + m->counts.draw;
}

uint32_t bk_book_weight(const bk_book_move *m, xq_side mover)
{
    if (m->weight_given)
        return m->weight;
    const uint64_t w = points(m, mover);
    return w > UINT32_MAX ? UINT32_MAX : (uint32_t)w;
}

/* Does a stand before b?  More games first, then the better rate, the
 * larger weight, the lower number. */
static bool before(const bk_book_move *a, const bk_book_move *b, xq_side mover)
{
    const uint64_t ga = bk_total(&a->counts), gb = bk_total(&b->counts);
    if (ga != gb)
        return ga > gb;
    const uint64_t da = ga - a->counts.unknown, db = gb - b->counts.unknown;
    const uint64_t pa = points(a, mover), pb = points(b, mover);
    if (pa != pb || da != db) {
        const double ra = da ? (double)pa / (double)da : 0;
        const double rb = db ? (double)pb / (double)db : 0;
        if (ra != rb)
            return ra > rb;
    }
    if (a->weight != b->weight)
        return a->weight > b->weight;
    return a->move < b->move;
}

void bk_entry_sort(bk_entry *e, xq_side mover)
{
    for (unsigned i = 0; i < e->n; i++)
        e->moves[i].weight = bk_book_weight(&e->moves[i], mover);
    for (unsigned i = 1; i < e->n; i++) {
        if (!before(&e->moves[i], &e->moves[i - 1], mover))
            continue;
        const bk_book_move m = e->moves[i];
        unsigned j = i;
        for (; j > 0 && before(&m, &e->moves[j - 1], mover); j--)
            e->moves[j] = e->moves[j - 1];
        e->moves[j] = m;
    }
}

static xq_key key_in(const bk_book *b, const xq_pos *p)
{
    bool mirrored;
    return b->info.one_wing ? p->key : xq_canon_key(p, &mirrored);
}

xq_status bk_book_find(bk_book *b, const xq_pos *p, bk_entry *e,
                       unsigned *dropped, xq_err *err)
{
    if (dropped)
        *dropped = 0;
    const xq_status rc = bk_book_find_key(b, key_in(b, p), e, err);
    if (rc != XQ_OK)
        return rc;
    /* A key that collides, or a bad source: the rules have the last word. */
    unsigned n = 0;
    for (unsigned i = 0; i < e->n; i++) {
        bk_book_move *const m = &e->moves[i];
        if (!b->info.one_wing)
            m->move = xq_canon_move_back(p, m->move);
        if (xq_move_is_legal(p, m->move)) {
            if (n != i)
                e->moves[n] = *m;
            n++;
        } else if (dropped) {
            ++*dropped;
        }
    }
    e->n = n;
    bk_entry_sort(e, (xq_side)p->side);
    return XQ_OK;
}

xq_status bk_book_reached(bk_book *b, const xq_pos *p, bk_entry *e, xq_err *err)
{
    bk_entry *const after = malloc(sizeof *after);
    if (!after)
        return no_memory(err);
    xq_status rc = XQ_OK;
    for (unsigned i = 0; i < e->n && rc == XQ_OK; i++) {
        xq_pos q = *p;
        xq_pos_make(&q, e->moves[i].move, NULL);
        rc = bk_book_find_key(b, key_in(b, &q), after, err);
        const uint64_t n = rc == XQ_OK ? bk_total(&after->counts) : 0;
        e->moves[i].reached = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
        if (rc == XQ_ENOTFOUND)
            rc = XQ_OK;
    }
    free(after);
    return rc;
}

/* ---- reading through ---- */

struct bk_cursor {
    bk_book *book;
    MDB_cursor *cursor;
    bk_block_reader r;
    bool open;    /* r has a block */
    uint64_t key; /* the last one, for the order */
    bool any;
};

xq_status bk_cursor_open(bk_cursor **out, bk_book *b, xq_err *err)
{
    bk_cursor *c = calloc(1, sizeof *c);
    if (!c)
        return no_memory(err);
    c->book = b;
    const int e = mdb_cursor_open(b->txn, b->positions, &c->cursor);
    if (e) {
        free(c);
        return bk_store_fail(&b->store, e, "read", err);
    }
    *out = c;
    return XQ_OK;
}

void bk_cursor_close(bk_cursor *c)
{
    if (!c)
        return;
    mdb_cursor_close(c->cursor);
    free(c);
}

xq_status bk_cursor_next(bk_cursor *c, bk_entry *e, xq_err *err)
{
    for (;;) {
        if (c->open) {
            const xq_status rc = bk_block_next(&c->r, e);
            if (rc == XQ_OK && (!c->any || e->key > c->key)) {
                c->key = e->key;
                c->any = true;
                return XQ_OK;
            }
            if (rc != XQ_DONE)
                return damaged(c->book, "a block of positions", err);
        }
        MDB_val k, v;
        const xq_status whole = bk_store_whole(&c->book->store, err);
        if (whole != XQ_OK)
            return whole;
        const int rc = mdb_cursor_get(c->cursor, &k, &v, MDB_NEXT);
        if (rc == MDB_NOTFOUND)
            return XQ_DONE;
        if (rc)
            return bk_store_fail(&c->book->store, rc, "read", err);
        if (k.mv_size != 8 || !bk_unseal(v.mv_data, v.mv_size) ||
            bk_block_open(&c->r, bk_get64(k.mv_data), v.mv_data, v.mv_size) !=
                XQ_OK)
            return damaged(c->book, "checksum of a block of positions", err);
        c->open = true;
    }
}

/* The digests that the value of a block of games holds, or 0. */
static size_t games_in(const uint8_t *value, size_t n)
{
    if (n <= BK_SEAL || (n - BK_SEAL) % BK_DIGEST_BYTES != 0 ||
        !bk_unseal(value, n))
        return 0;
    return (n - BK_SEAL) / BK_DIGEST_BYTES;
}

static pgn_digest digest_at(const uint8_t *p)
{
    return (pgn_digest){bk_get64(p), bk_get64(p + 8)};
}

xq_status bk_digests_open(bk_digests *d, bk_book *b, xq_err *err)
{
    *d = (bk_digests){.book = b};
    const int e = mdb_cursor_open(b->txn, b->games, &d->cursor);
    return bk_store_fail(&b->store, e, "read", err);
}

xq_status bk_digests_next(bk_digests *d, pgn_digest *out, xq_err *err)
{
    if (d->p == d->end) {
        MDB_val k, v;
        const xq_status whole = bk_store_whole(&d->book->store, err);
        if (whole != XQ_OK)
            return whole;
        const int rc = mdb_cursor_get(d->cursor, &k, &v, MDB_NEXT);
        if (rc == MDB_NOTFOUND)
            return XQ_DONE;
        if (rc)
            return bk_store_fail(&d->book->store, rc, "read", err);
        if (games_in(v.mv_data, v.mv_size) == 0)
            return damaged(d->book, "checksum of a block of games", err);
        d->p = (const uint8_t *)v.mv_data + BK_SEAL;
        d->end = (const uint8_t *)v.mv_data + v.mv_size;
    }
    *out = digest_at(d->p);
    d->p += BK_DIGEST_BYTES;
    return XQ_OK;
}

void bk_digests_close(bk_digests *d)
{
    if (d->cursor)
        mdb_cursor_close(d->cursor);
    *d = (bk_digests){0};
}

/* ---- checking ---- */

struct check {
    const char *path;
    bk_book_info found, head;
    bool has_head, has_position, has_game;
    uint64_t last_key;
    pgn_digest last_game;
    bk_entry e;
};

static xq_status bad(const struct check *c, xq_err *err, const char *what)
{
    return xq_fail(err, XQ_ECORRUPT, "'%s' is damaged: %s", c->path, what);
}

static xq_status check_positions(struct check *c, const bk_page_item *it,
                                 xq_err *err)
{
    bk_block_reader r;
    if (it->nkey != 8 || !bk_unseal(it->value, it->nvalue))
        return bad(c, err, "checksum of a block of positions");
    xq_status rc = bk_block_open(&r, bk_get64(it->key), it->value, it->nvalue);
    while (rc == XQ_OK && (rc = bk_block_next(&r, &c->e)) == XQ_OK) {
        if (c->has_position && c->e.key <= c->last_key)
            return bad(c, err, "positions out of order");
        c->has_position = true;
        c->last_key = c->e.key;
        c->found.positions++;
        c->found.moves += c->e.n;
    }
    return rc == XQ_DONE ? XQ_OK : bad(c, err, "a block of positions");
}

static xq_status check_games(struct check *c, const bk_page_item *it,
                             xq_err *err)
{
    const size_t n = games_in(it->value, it->nvalue);
    if (n == 0)
        return bad(c, err, "checksum of a block of games");
    for (size_t i = 0; i < n; i++) {
        const pgn_digest d =
            digest_at(it->value + BK_SEAL + i * BK_DIGEST_BYTES);
        if (c->has_game && bk_digest_cmp(d, c->last_game) <= 0)
            return bad(c, err, "games out of order");
        c->has_game = true;
        c->last_game = d;
    }
    c->found.games += n;
    return XQ_OK;
}

xq_status bk_book_check(const char *path, bk_book_info *info, xq_err *err)
{
    struct check *c = calloc(1, sizeof *c);
    bk_pages *w = NULL;
    bk_page_item it;
    if (!c)
        return no_memory(err);
    c->path = path;
    xq_status rc = bk_pages_open(&w, path, err);
    while (rc == XQ_OK && (rc = bk_pages_next(w, &it, err)) == XQ_OK) {
        if (strcmp(it.db, BK_DB_POSITIONS) == 0)
            rc = check_positions(c, &it, err);
        else if (strcmp(it.db, BK_DB_GAMES) == 0)
            rc = check_games(c, &it, err);
        else if (it.nkey == 4 && memcmp(it.key, "book", 4) == 0)
            c->has_head = head_parse(&c->head, it.value, it.nvalue);
    }
    bk_pages_close(w);
    /* Kind and version are for the ordinary way of opening to judge. */
    bk_book *b = NULL;
    if (rc == XQ_DONE)
        rc = bk_book_open(&b, path, err);
    if (rc == XQ_OK) {
        if (!c->has_head || c->head.positions != c->found.positions ||
            c->head.moves != c->found.moves || c->head.games != c->found.games)
            rc = bad(c, err, "its head counts other than what is there");
        *info = b->info;
    }
    bk_book_close(b);
    free(c);
    return rc;
}
