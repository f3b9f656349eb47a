/* xqb.c - .xqb books of fisherfan/xqbook (formats reference 5.4): SQLite.
 *
 * The key is the position itself, normalised: turned and recoloured so that
 * the mover is Red, below; then mirrored when the left half is the larger.
 * The bits of the squares follow from the top left: 0 empty, 1 and four bits
 * of the piece otherwise.  So one key stands for a position of Red's and one
 * of Black's: both are imported. */
#include "bookdb/book_block.h"
#include "bookdb/foreign_parts.h"
#include "engine/rules.h"

#include <string.h>

/* by xq_piece */
static const uint8_t CODE_OF[16] = {
    [1] = 5,  [2] = 4,   [3] = 3,   [4] = 2,   [5] = 1,  [6] = 6,   [7] = 7,
    [9] = 13, [10] = 12, [11] = 11, [12] = 10, [13] = 9, [14] = 14, [15] = 15,
};
static const uint8_t PIECE_OF[16] = {
    [5] = 1,  [4] = 2,   [3] = 3,   [2] = 4,   [1] = 5,  [6] = 6,   [7] = 7,
    [13] = 9, [12] = 10, [11] = 11, [10] = 12, [9] = 13, [14] = 14, [15] = 15,
};

/* ---- the normalised frame: row 0 at the top, square row * 9 + column ---- */

static unsigned grid_of(const xq_pos *p, xq_sq s, bool mirrored)
{
    const unsigned t = p->side == XQ_BLACK ? 89u - s : s;
    const unsigned row = 9 - t / 9, column = t % 9;
    return row * 9 + (mirrored ? 8 - column : column);
}

size_t bk_xqb_key(const xq_pos *p, uint8_t out[BK_XQB_KEY_MAX], bool *mirrored)
{
    uint8_t grid[90] = {0};
    for (unsigned s = 0; s < XQ_SQUARES; s++)
        if (p->at[s] != XQ_EMPTY)
            grid[grid_of(p, (xq_sq)s, false)] =
                CODE_OF[p->at[s] ^ (p->side == XQ_BLACK ? 8u : 0u)];
    /* empty counts as less than any piece */
    *mirrored = false;
    for (unsigned i = 0; i < 40; i++) {
        const unsigned row = i / 4, column = i % 4;
        const uint8_t left = grid[row * 9 + column];
        const uint8_t right = grid[row * 9 + 8 - column];
        if (left != right) {
            *mirrored = right > left;
            break;
        }
    }
    unsigned n = 0;
    memset(out, 0, BK_XQB_KEY_MAX);
    for (unsigned i = 0; i < 90; i++) {
        const uint8_t code = grid[*mirrored ? i - i % 9 + 8 - i % 9 : i];
        const unsigned bits = code ? 16u | code : 0, width = code ? 5 : 1;
        for (unsigned k = width; k-- > 0; n++)
            out[n / 8] |= (uint8_t)((bits >> k & 1) << (7 - n % 8));
    }
    return (n + 7) / 8;
}

bool bk_xqb_pos(const uint8_t *key, size_t n, xq_pos *p)
{
    uint8_t at[XQ_SQUARES];
    size_t bit = 0;
    for (unsigned i = 0; i < 90; i++) {
        unsigned code = 0;
        if (bit >= 8 * n)
            return false;
        const bool piece = key[bit / 8] >> (7 - bit % 8) & 1;
        bit++;
        for (unsigned k = 0; piece && k < 4; k++, bit++) {
            if (bit >= 8 * n)
                return false;
            code = code << 1 | (key[bit / 8] >> (7 - bit % 8) & 1u);
        }
        at[(9 - i / 9) * 9 + i % 9] = PIECE_OF[code];
        if (piece && PIECE_OF[code] == 0)
            return false;
    }
    return (bit + 7) / 8 == n && xq_pos_set(p, at, XQ_RED, NULL) == XQ_OK;
}

static unsigned pack_move(const xq_pos *p, bool mirrored, xq_move m)
{
    const unsigned from = grid_of(p, xq_move_from(m), mirrored);
    const unsigned to = grid_of(p, xq_move_to(m), mirrored);
    return from / 9 << 12 | from % 9 << 8 | to / 9 << 4 | to % 9;
}

/* Where the position is its own mirror image, one of two moves stands for
 * both: the one on the mover's right, as in xqbook's own book. */
unsigned bk_xqb_move(const xq_pos *p, bool mirrored, xq_move m)
{
    const unsigned v = pack_move(p, mirrored, m);
    const unsigned other = pack_move(p, !mirrored, m);
    return p->key == p->mirror_key && other > v ? other : v;
}

xq_move bk_xqb_move_of(int64_t v)
{
    if (v < 0 || v > 0xffff)
        return XQ_NOMOVE;
    const int fr = (int)(v >> 12), fc = (int)(v >> 8 & 15);
    const int tr = (int)(v >> 4 & 15), tc = (int)(v & 15);
    if (fr > 9 || tr > 9 || fc > 8 || tc > 8)
        return XQ_NOMOVE;
    return xq_move_make(xq_sq_of(fc, 9 - fr), xq_sq_of(tc, 9 - tr));
}

/* ---- import ---- */

/* The same position with the colours changed, Black to move. */
static bool turn(const xq_pos *p, xq_pos *out)
{
    uint8_t at[XQ_SQUARES];
    for (unsigned s = 0; s < XQ_SQUARES; s++)
        at[89 - s] = (uint8_t)(p->at[s] == XQ_EMPTY ? XQ_EMPTY : p->at[s] ^ 8u);
    return xq_pos_set(out, at, XQ_BLACK, NULL) == XQ_OK;
}

static xq_status take(bk_import *im, sqlite3_stmt *st, xq_err *err)
{
    bk_import_report *const r = im->r;
    bk_row row = {.win = bk_count(sqlite3_column_int64(st, 3)),
                  .draw = bk_count(sqlite3_column_int64(st, 4)),
                  .lost = bk_count(sqlite3_column_int64(st, 5))};
    xq_pos p, other;
    r->records++;
    r->memos += sqlite3_column_int64(st, 7) > 0;
    const uint8_t *const key = sqlite3_column_blob(st, 0);
    const int n = sqlite3_column_bytes(st, 0);
    row.move = bk_xqb_move_of(sqlite3_column_int64(st, 1));
    if (!key || n <= 0 || row.move == XQ_NOMOVE ||
        !bk_xqb_pos(key, (size_t)n, &p)) {
        r->unreadable++;
        return XQ_OK;
    }
    bk_row_score(&row, sqlite3_column_int64(st, 2),
                 sqlite3_column_int64(st, 6) != 0, r);
    const uint64_t before = r->taken;
    xq_status rc = bk_take_row(im, &p, &row, err);
    if (rc != XQ_OK || r->taken == before || !turn(&p, &other))
        return rc;
    row.move = xq_move_make((xq_sq)(89 - xq_move_from(row.move)),
                            (xq_sq)(89 - xq_move_to(row.move)));
    return bk_put_row(im, &other, &row, err);
}

xq_status bk_xqb_import(bk_import *im, sqlite3 *db, xq_err *err)
{
    sqlite3_stmt *st = NULL;
    int step = SQLITE_DONE;
    xq_status rc =
        bk_sql_prepare(db, im->in->path,
                       "SELECT key, move, score, win, draw, lost, "
                       "ifnull(valid, 1), length(memo) FROM book NOT INDEXED",
                       &st, err);
    while (rc == XQ_OK && (step = sqlite3_step(st)) == SQLITE_ROW)
        rc = take(im, st, err);
    if (rc == XQ_OK && step != SQLITE_DONE)
        rc = bk_sql_fail(db, im->in->path, err);
    sqlite3_finalize(st);
    return rc;
}

/* ---- export ---- */

struct statements {
    sqlite3_stmt *find, *insert, *update;
};

enum { MOVE, SCORE, WIN, DRAW, LOST, VALID, NUMBERS };

static uint64_t hash_row(const uint8_t *key, size_t n,
                         const uint64_t v[NUMBERS])
{
    uint64_t words[1 + 8 + NUMBERS] = {n};
    for (size_t i = 0; i < n && i < 64; i++)
        words[1 + i / 8] = words[1 + i / 8] << 8 | key[i];
    memcpy(words + 9, v, NUMBERS * sizeof *v);
    return bk_hash_words(words, 9 + NUMBERS);
}

static bool bind_row(sqlite3_stmt *st, const uint8_t *key, size_t n,
                     const uint64_t v[NUMBERS])
{
    if (sqlite3_bind_blob(st, 1, key, (int)n, SQLITE_STATIC) != SQLITE_OK)
        return false;
    for (int i = 0; i < NUMBERS; i++)
        if (sqlite3_bind_int64(st, 2 + i, (int64_t)v[i]) != SQLITE_OK)
            return false;
    return true;
}

static bool run(sqlite3_stmt *st)
{
    return sqlite3_step(st) == SQLITE_DONE && sqlite3_reset(st) == SQLITE_OK;
}

/* Another position may have the same key: one of the other side's, and, in a
 * --one-wing book, the mirror image.  The same twice is one entry (an imported
 * .xqb has both sides'), else numbers add up. */
static xq_status put(bk_export *x, sqlite3 *db, struct statements *s,
                     const uint8_t *key, size_t n, uint64_t v[NUMBERS],
                     bool *joined, xq_err *err)
{
    uint64_t old[NUMBERS];
    if (sqlite3_bind_blob(s->find, 1, key, (int)n, SQLITE_STATIC) !=
            SQLITE_OK ||
        sqlite3_bind_int64(s->find, 2, (int64_t)v[MOVE]) != SQLITE_OK)
        return bk_sql_fail(db, x->path, err);
    const int step = sqlite3_step(s->find);
    if (step != SQLITE_ROW && step != SQLITE_DONE)
        return bk_sql_fail(db, x->path, err);
    for (int i = 0; i < NUMBERS && step == SQLITE_ROW; i++)
        old[i] = (uint64_t)sqlite3_column_int64(s->find, i);
    if (sqlite3_reset(s->find) != SQLITE_OK)
        return bk_sql_fail(db, x->path, err);
    bool ok;
    if (step == SQLITE_DONE) {
        ok = bind_row(s->insert, key, n, v) && run(s->insert);
        x->r->records++;
    } else {
        *joined = true;
        if (memcmp(old, v, sizeof old) == 0)
            return XQ_OK;
        for (int i = SCORE; i <= LOST; i++)
            v[i] += old[i];
        if (v[SCORE] > INT32_MAX)
            v[SCORE] = INT32_MAX;
        v[VALID] |= old[VALID];
        ok = bind_row(s->update, key, n, v) && run(s->update);
        x->sum -= hash_row(key, n, old);
    }
    x->sum += hash_row(key, n, v);
    return ok ? XQ_OK : bk_sql_fail(db, x->path, err);
}

static xq_status put_position(bk_export *x, sqlite3 *db, struct statements *s,
                              const xq_pos *p, const bk_entry *e, xq_err *err)
{
    uint8_t key[BK_XQB_KEY_MAX];
    uint32_t weights[BK_BOOK_MOVES];
    bool mirrored, joined = false;
    const size_t n = bk_xqb_key(p, key, &mirrored);
    xq_status rc = XQ_OK;
    bk_export_weights(x, e, INT32_MAX, false, weights);
    for (unsigned i = 0; i < e->n && rc == XQ_OK; i++) {
        const bk_book_move *const m = &e->moves[i];
        bk_row row = {0};
        bk_counts_of_mover(&m->counts, (xq_side)p->side, &row);
        uint64_t v[NUMBERS] = {bk_xqb_move(p, mirrored, m->move),
                               weights[i],
                               row.win,
                               row.draw,
                               row.lost,
                               !m->weight_given || m->weight > 0};
        rc = put(x, db, s, key, n, v, &joined, err);
    }
    x->r->joined += joined;
    return rc;
}

static const char MAKE[] =
    "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN;"
    "CREATE TABLE \"book\" (\"id\" INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL,"
    " \"key\" BLOB, \"move\" INTEGER, \"score\" INTEGER, \"win\" INTEGER,"
    " \"draw\" INTEGER, \"lost\" INTEGER, \"valid\" INTEGER, \"memo\" TEXT);"
    "CREATE TABLE \"information\" (\"name\" TEXT, \"value\" TEXT);"
    "INSERT INTO information VALUES('version','1'),('type','xiangqi');"
    "CREATE INDEX \"idxkey\" ON \"book\" (\"key\" ASC)";

static xq_status write_rows(bk_export *x, sqlite3 *db, xq_err *err)
{
    struct statements s = {NULL, NULL, NULL};
    const xq_pos *p;
    const bk_entry *e;
    xq_status rc = bk_sql_run(db, x->path, MAKE, err);
    if (rc == XQ_OK)
        rc = bk_sql_prepare(db, x->path,
                            "SELECT move, score, win, draw, lost, valid FROM "
                            "book WHERE key=? AND move=?",
                            &s.find, err);
    if (rc == XQ_OK)
        rc = bk_sql_prepare(db, x->path,
                            "INSERT INTO book(key, move, score, win, draw, "
                            "lost, valid) VALUES(?,?,?,?,?,?,?)",
                            &s.insert, err);
    if (rc == XQ_OK)
        rc = bk_sql_prepare(db, x->path,
                            "UPDATE book SET score=?3, win=?4, draw=?5, "
                            "lost=?6, valid=?7 WHERE key=?1 AND move=?2",
                            &s.update, err);
    while (rc == XQ_OK && (rc = bk_export_next(x, &p, &e, err)) == XQ_OK)
        rc = put_position(x, db, &s, p, e, err);
    sqlite3_finalize(s.find);
    sqlite3_finalize(s.insert);
    sqlite3_finalize(s.update);
    return rc == XQ_DONE ? bk_sql_run(db, x->path, "COMMIT", err) : rc;
}

static xq_status read_back(bk_export *x, xq_err *err)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *st = NULL;
    int step = SQLITE_DONE;
    xq_status rc = bk_sql_open(&db, x->tmp, NULL, err);
    if (rc == XQ_OK)
        rc = bk_sql_prepare(db, x->path,
                            "SELECT key, move, score, win, draw, lost, valid "
                            "FROM book NOT INDEXED",
                            &st, err);
    while (rc == XQ_OK && (step = sqlite3_step(st)) == SQLITE_ROW) {
        uint64_t v[NUMBERS];
        for (int i = 0; i < NUMBERS; i++)
            v[i] = (uint64_t)sqlite3_column_int64(st, 1 + i);
        const uint8_t *const key = sqlite3_column_blob(st, 0);
        const int n = sqlite3_column_bytes(st, 0);
        x->check += key && n > 0 ? hash_row(key, (size_t)n, v) : 1;
    }
    if (rc == XQ_OK && step != SQLITE_DONE)
        rc = bk_sql_fail(db, x->path, err);
    sqlite3_finalize(st);
    sqlite3_close(db);
    return rc;
}

xq_status bk_xqb_export(bk_export *x, xq_err *err)
{
    return bk_sql_export(x, write_rows, read_back, err);
}
