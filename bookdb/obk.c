/* obk.c - OBK books of BHGUI (formats reference 5.2): SQLite, one row a move.
 *
 * A key with its top bit set is stored as the floating-point number of the
 * same bits (BHGUI's SQLite seems to be built without floating point, where
 * such a number is an integer to it); other writers store a negative integer.
 * Both are read.  The file's own index is no use: its order is that of the
 * bits.  All rows are read once. */
#include "bookdb/book_block.h"
#include "bookdb/foreign_parts.h"
#include "engine/rules.h"

#include <stdlib.h>
#include <string.h>

uint64_t bk_obk_key(const xq_pos *p)
{
    uint64_t k = p->side == XQ_RED ? bk_obk_red : 0;
    for (unsigned s = 0; s < XQ_SQUARES; s++)
        if (p->at[s] != XQ_EMPTY)
            k ^= bk_obk_keys[bk_piece14(p->at[s])][s];
    return k;
}

static void keys(const xq_pos *p, uint64_t out[2])
{
    out[0] = out[1] = p->side == XQ_RED ? bk_obk_red : 0;
    for (unsigned s = 0; s < XQ_SQUARES; s++)
        if (p->at[s] != XQ_EMPTY) {
            const uint64_t *const k = bk_obk_keys[bk_piece14(p->at[s])];
            out[0] ^= k[s];
            out[1] ^= k[xq_sq_mirror[s]];
        }
}

/* The move of a vmove; XQ_NOMOVE. */
static xq_move decode_move(int64_t v, bool swapped)
{
    if (v < 0 || v > 0xffff)
        return XQ_NOMOVE;
    const unsigned high = (unsigned)v >> 8, low = (unsigned)v & 255;
    const xq_sq from = bk_xqbase_sq(swapped ? low : high);
    const xq_sq to = bk_xqbase_sq(swapped ? high : low);
    if (from == XQ_NOSQ || to == XQ_NOSQ)
        return XQ_NOMOVE;
    const xq_move m = xq_move_make(from, to);
    return bk_move_storable(m) ? m : XQ_NOMOVE;
}

bool bk_obk_decode(const bk_obk_cells *c, bool swapped, bk_row *row)
{
    memset(row, 0, sizeof *row);
    row->key = c->key;
    row->move = decode_move(c->move, swapped);
    row->win = bk_count(c->win);
    row->draw = bk_count(c->draw);
    row->lost = bk_count(c->lost);
    return row->move != XQ_NOMOVE &&
           (c->key_type == SQLITE_INTEGER || c->key_type == SQLITE_FLOAT);
}

/* The key in a column: an integer, or the bits of a number. */
static uint64_t column_key(sqlite3_stmt *st, int i, int *type)
{
    *type = sqlite3_column_type(st, i);
    if (*type == SQLITE_INTEGER)
        return (uint64_t)sqlite3_column_int64(st, i);
    const double d = *type == SQLITE_FLOAT ? sqlite3_column_double(st, i) : 0;
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return bits;
}

/* ---- which byte of vmove is where a move comes from? ---- */

enum { AROUND_MAX = 2600 }; /* positions up to two plies from the start */

struct around {
    uint64_t key;
    unsigned pos;
};

static int by_key(const void *a, const void *b)
{
    const uint64_t x = ((const struct around *)a)->key;
    const uint64_t y = ((const struct around *)b)->key;
    return (x > y) - (x < y);
}

static unsigned collect(const xq_pos *p, unsigned depth, xq_pos *out,
                        unsigned n)
{
    xq_movelist list;
    if (n == AROUND_MAX)
        return n;
    out[n++] = *p;
    if (depth == 0)
        return n;
    xq_gen_legal(p, &list);
    for (unsigned i = 0; i < list.n; i++) {
        xq_pos q = *p;
        xq_pos_make(&q, list.m[i], NULL);
        n = collect(&q, depth - 1, out, n);
    }
    return n;
}

/* Count for which order the moves of known positions are legal. */
static xq_status vote(bk_import *im, sqlite3 *db, const struct around *around,
                      const xq_pos *pos, unsigned n, uint64_t votes[2],
                      xq_err *err)
{
    sqlite3_stmt *st = NULL;
    xq_status rc =
        bk_sql_prepare(db, im->in->path,
                       "SELECT vkey, vmove FROM bhobk NOT INDEXED", &st, err);
    int step = SQLITE_DONE;
    while (rc == XQ_OK && (step = sqlite3_step(st)) == SQLITE_ROW) {
        int type;
        const struct around want = {column_key(st, 0, &type), 0};
        if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
            continue;
        const struct around *const a =
            bsearch(&want, around, n, sizeof *around, by_key);
        const int64_t v = sqlite3_column_int64(st, 1);
        /* the start position, which is pos[0], outweighs all others */
        const uint64_t one = a && a->pos == 0 ? 1000000 : 1;
        for (unsigned k = 0; a && k < 2; k++)
            if (xq_move_is_legal(&pos[a->pos], decode_move(v, k == 1)))
                votes[k] += one;
    }
    if (rc == XQ_OK && step != SQLITE_DONE)
        rc = bk_sql_fail(db, im->in->path, err);
    sqlite3_finalize(st);
    return rc;
}

static xq_status find_order(bk_import *im, sqlite3 *db, xq_err *err)
{
    uint64_t votes[2] = {0, 0};
    struct around *const around = malloc(AROUND_MAX * sizeof *around);
    xq_pos *const pos = malloc(AROUND_MAX * sizeof *pos);
    xq_status rc =
        around && pos ? XQ_OK : xq_fail(err, XQ_ENOMEM, "out of memory");
    if (rc == XQ_OK) {
        xq_pos start;
        xq_pos_start(&start);
        unsigned n = collect(&start, 2, pos, 0);
        for (size_t i = 0; i < im->o->nstarts && n < AROUND_MAX; i++)
            pos[n++] = im->o->starts[i];
        for (unsigned i = 0; i < n; i++)
            around[i] = (struct around){bk_obk_key(&pos[i]), i};
        qsort(around, n, sizeof *around, by_key);
        rc = vote(im, db, around, pos, n, votes, err);
    }
    im->r->swapped = votes[1] > votes[0];
    free(around);
    free(pos);
    return rc;
}

/* ---- import ---- */

/* YFK writes no vmemo, and in vvalid the number of one. */
static xq_status prepare_rows(bk_import *im, sqlite3 *db, sqlite3_stmt **st,
                              xq_err *err)
{
    static const char *const COLUMNS[] = {"vscore", "vwin", "vdraw", "vlost"};
    char sql[300] = "SELECT vkey, vmove";
    for (unsigned i = 0; i < 4; i++) {
        const bool there = bk_sql_has_column(db, "bhobk", COLUMNS[i]);
        strcat(sql, ", ");
        strcat(sql, there ? COLUMNS[i] : "0");
    }
    const bool memo = bk_sql_has_column(db, "bhobk", "vmemo");
    const bool valid = memo && bk_sql_has_column(db, "bhobk", "vvalid");
    strcat(sql, valid ? ", ifnull(vvalid, 1)" : ", 1");
    strcat(sql, memo ? ", length(vmemo)" : ", 0");
    strcat(sql, " FROM bhobk NOT INDEXED");
    return bk_sql_prepare(db, im->in->path, sql, st, err);
}

static xq_status take(bk_import *im, bk_keyed *k, sqlite3_stmt *st, xq_err *err)
{
    bk_import_report *const r = im->r;
    bk_obk_cells c;
    bk_row row;
    c.key = column_key(st, 0, &c.key_type);
    c.move = sqlite3_column_int64(st, 1);
    c.score = sqlite3_column_int64(st, 2);
    c.win = sqlite3_column_int64(st, 3);
    c.draw = sqlite3_column_int64(st, 4);
    c.lost = sqlite3_column_int64(st, 5);
    c.usable = sqlite3_column_int64(st, 6) != 0;
    r->records++;
    r->memos += sqlite3_column_int64(st, 7) > 0;
    r->real_keys += c.key_type == SQLITE_FLOAT;
    if (c.key_type == SQLITE_NULL) {
        r->keyless++;
        return XQ_OK;
    }
    if (!bk_obk_decode(&c, r->swapped, &row)) {
        r->unreadable++;
        return XQ_OK;
    }
    bk_row_score(&row, c.score, c.usable, r);
    return bk_keyed_add(k, &row, err);
}

xq_status bk_obk_import(bk_import *im, sqlite3 *db, xq_err *err)
{
    bk_keyed *k = NULL;
    sqlite3_stmt *st = NULL;
    int step = SQLITE_DONE;
    xq_status rc = find_order(im, db, err);
    if (rc == XQ_OK)
        rc = bk_keyed_open(&k, keys, false, im->o, err);
    if (rc == XQ_OK)
        rc = prepare_rows(im, db, &st, err);
    while (rc == XQ_OK && (step = sqlite3_step(st)) == SQLITE_ROW)
        rc = take(im, k, st, err);
    if (rc == XQ_OK && step != SQLITE_DONE)
        rc = bk_sql_fail(db, im->in->path, err);
    sqlite3_finalize(st);
    if (rc == XQ_OK)
        rc = bk_keyed_import(k, im, err);
    bk_keyed_close(k);
    return rc;
}

/* ---- export ---- */

/* The key as BHGUI stores it.  A NaN cannot be stored (SQLite makes NULL of
 * it): as an integer it is found by everything else. */
static int bind_key(sqlite3_stmt *st, int i, uint64_t key)
{
    double d;
    memcpy(&d, &key, sizeof d);
    if (key >> 63 && d == d)
        return sqlite3_bind_double(st, i, d);
    return sqlite3_bind_int64(st, i, (int64_t)key);
}

/* key, vmove, vscore, vwin, vdraw, vlost, vvalid */
static xq_status insert(bk_export *x, sqlite3 *db, sqlite3_stmt *st,
                        const uint64_t v[7], xq_err *err)
{
    int rc = bind_key(st, 1, v[0]);
    for (int i = 1; i < 7 && rc == SQLITE_OK; i++)
        rc = sqlite3_bind_int64(st, i + 1, (int64_t)v[i]);
    if (rc == SQLITE_OK && sqlite3_step(st) == SQLITE_DONE)
        rc = sqlite3_reset(st);
    else
        rc = SQLITE_ERROR;
    if (rc != SQLITE_OK)
        return bk_sql_fail(db, x->path, err);
    x->r->records++;
    x->sum += bk_hash_words(v, 7);
    return XQ_OK;
}

static xq_status insert_position(bk_export *x, sqlite3 *db, sqlite3_stmt *st,
                                 const xq_pos *p, const bk_entry *e,
                                 xq_err *err)
{
    uint64_t k[2];
    uint32_t weights[BK_BOOK_MOVES];
    const bool symmetric = p->key == p->mirror_key;
    xq_status rc = XQ_OK;
    keys(p, k);
    bk_export_weights(x, e, INT32_MAX, false, weights);
    for (unsigned i = 0; i < e->n && rc == XQ_OK; i++) {
        const bk_book_move *const m = &e->moves[i];
        bk_row row = {0};
        bk_counts_of_mover(&m->counts, (xq_side)p->side, &row);
        const bool barred = m->weight_given && m->weight == 0;
        for (unsigned w = 0; w < 2 && rc == XQ_OK; w++) {
            const xq_move move = w ? xq_move_mirror(m->move) : m->move;
            if (w == 1 && (x->one_wing || (symmetric && move == m->move)))
                break;
            const uint64_t v[7] = {k[w],
                                   (unsigned)bk_xqbase_of(xq_move_from(move))
                                           << 8 |
                                       bk_xqbase_of(xq_move_to(move)),
                                   weights[i],
                                   row.win,
                                   row.draw,
                                   row.lost,
                                   !barred};
            rc = insert(x, db, st, v, err);
        }
    }
    return rc;
}

/* The table is made with a column of no type and gets its real declaration at
 * the end: an INTEGER column turns whole floating-point numbers, of which
 * some keys have the bits, into integers. */
static const char MAKE[] =
    "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN;"
    "CREATE TABLE bhobk([id] INTEGER PRIMARY KEY AUTOINCREMENT, [vkey], "
    "[vmove] INTEGER, [vscore] INTEGER, [vwin] INTEGER, [vdraw] INTEGER, "
    "[vlost] INTEGER, [vvalid] INTEGER, [vmemo] BLOB, [vindex] INTEGER)";
static const char DECLARE[] =
    "PRAGMA writable_schema=ON;"
    "UPDATE sqlite_master SET sql=replace(sql, '[vkey],', '[vkey] INTEGER,') "
    "WHERE name='bhobk'; PRAGMA writable_schema=RESET; COMMIT";

static xq_status write_rows(bk_export *x, sqlite3 *db, xq_err *err)
{
    sqlite3_stmt *st = NULL;
    const xq_pos *p;
    const bk_entry *e;
    xq_status rc = bk_sql_run(db, x->path, MAKE, err);
    if (rc == XQ_OK)
        rc = bk_sql_prepare(db, x->path,
                            "INSERT INTO bhobk(vkey, vmove, vscore, vwin, "
                            "vdraw, vlost, vvalid) VALUES(?,?,?,?,?,?,?)",
                            &st, err);
    while (rc == XQ_OK && (rc = bk_export_next(x, &p, &e, err)) == XQ_OK)
        rc = insert_position(x, db, st, p, e, err);
    sqlite3_finalize(st);
    if (rc == XQ_DONE)
        rc = bk_sql_run(db, x->path, DECLARE, err);
    return rc;
}

static xq_status read_back(bk_export *x, xq_err *err)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *st = NULL;
    int step = SQLITE_DONE;
    xq_status rc = bk_sql_open(&db, x->tmp, NULL, err);
    if (rc == XQ_OK)
        rc = bk_sql_prepare(db, x->path,
                            "SELECT vkey, vmove, vscore, vwin, vdraw, vlost, "
                            "vvalid FROM bhobk NOT INDEXED",
                            &st, err);
    while (rc == XQ_OK && (step = sqlite3_step(st)) == SQLITE_ROW) {
        int type;
        uint64_t v[7] = {column_key(st, 0, &type)};
        for (int i = 1; i < 7; i++)
            v[i] = (uint64_t)sqlite3_column_int64(st, i);
        x->check += bk_hash_words(v, 7);
    }
    if (rc == XQ_OK && step != SQLITE_DONE)
        rc = bk_sql_fail(db, x->path, err);
    sqlite3_finalize(st);
    sqlite3_close(db);
    return rc;
}

xq_status bk_obk_export(bk_export *x, xq_err *err)
{
    return bk_sql_export(x, write_rows, read_back, err);
}
