/* book_make.c - writing books: from rows, from books, from both.
 *
 * Sources give positions in rising key order: the sorted rows, counted in one
 * pass, or a book read from front to back.  An ordered merge of them feeds
 * the writer, which fills blocks and appends them to a fresh LMDB file beside
 * the target, at most COMMIT bytes a transaction (LMDB keeps the pages of a
 * transaction in memory), and renames it at the end.
 *
 * The fresh file is called PATH.tmp and is locked while it is written: what a
 * killed process left there is overwritten, what a living one writes is not.
 *
 * The file: LMDB, three databases.  Numbers are big-endian; every value begins
 * with its seal, the CRC-32 of the rest.
 *
 *   main       "format"  BKB1 and the key of the start position (store.c)
 *              "book"    seal 4 | flags 1 (bit 0: one wing) | positions 8 |
 *                        moves 8 | games 8
 *   positions  key of the block's first position 8 -> block (book_block.c), at
 *              most 1002 bytes: four with their keys fill a page of 4096
 * exactly games      running number 8 -> seal 4 | up to 62 digests of 16 bytes,
 * rising
 *
 * Tried: transactions of 8 MB in place of 2 (pages of a transaction are memory
 * that must be cleared). */
#include "bookdb/book_block.h"
#include "bookdb/book_rows.h"
#include "bookdb/internal.h"
#include "bookdb/seen.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define COMMIT         ((size_t)2 << 20)
#define DEFAULT_MEMORY ((size_t)256 << 20)

static xq_status no_memory(xq_err *err)
{
    return xq_fail(err, XQ_ENOMEM, "out of memory while making a book");
}

/* ---- the writer ---- */

struct writer {
    char *path;   /* as the caller says it, for messages */
    char *target; /* where it leads: links keep pointing where they point */
    char *tmp;
    int lock_fd; /* the fresh file, locked; -1 */
    bk_store store;
    MDB_txn *txn;
    MDB_dbi positions_db, games_db;
    size_t dirty; /* bytes put in this transaction */
    bool one_wing;
    bool (*stop)(void);
    uint64_t positions, moves, games;
    uint64_t games_blocks;
    uint8_t games_value[BK_SEAL + BK_GAMES_BLOCK * BK_DIGEST_BYTES];
    unsigned games_n; /* digests in it */
    bk_block_writer block;
};

static xq_status lmdb_fail(const struct writer *w, int rc, xq_err *err)
{
    if (rc == 0)
        return XQ_OK;
    if (rc == ENOMEM)
        return no_memory(err);
    /* LMDB calls a write that was cut short EIO. */
    return xq_fail(err, XQ_EIO, "cannot write '%s': %s", w->path,
                   rc == ENOSPC || rc == EDQUOT ? "no room on the disk"
                   : rc == EIO ? "a write failed; the disk may be full"
                               : mdb_strerror(rc));
}

static xq_status begin(struct writer *w, xq_err *err)
{
    /* Slack for pages that are not full, and for branches. */
    xq_status rc = bk_store_reserve(
        &w->store, 2 * COMMIT + 4 * (BK_BLOCK_BYTES + BK_ENTRY_BYTES), err);
    if (rc == XQ_OK)
        rc = bk_store_begin(&w->store, true, &w->txn, err);
    w->dirty = 0;
    return rc;
}

static xq_status commit(struct writer *w, xq_err *err)
{
    const int e = mdb_txn_commit(w->txn);
    w->txn = NULL;
    return lmdb_fail(w, e, err);
}

/* Where shall it go?  What stands there is replaced if it is a book, and
 * nothing else is: names are mixed up easily, a database is not made twice. */
static xq_status find_target(struct writer *w, struct stat *st, xq_err *err)
{
    bk_store old = {.lock_fd = -1};
    const char *why = NULL;
    xq_err ignored;
    if (strcmp(w->path, "-") == 0)
        return xq_fail(err, XQ_EIO,
                       "a book cannot be written to standard output");
    if (*w->path == 0)
        return xq_fail(err, XQ_EIO, "cannot write a book without a name");
    const bool exists = stat(w->path, st) == 0;
    if (!exists)
        st->st_mode = 0;
    else if (S_ISDIR(st->st_mode))
        why = "it is a folder";
    else if (!S_ISREG(st->st_mode))
        why = "not a regular file";
    else if (access(w->path, W_OK) != 0)
        why = strerror(errno);
    else if (st->st_size > 0 &&
             bk_store_open(&old, w->path, BK_STATIC, BK_BOOK_MAGIC, 2,
                           &ignored) != XQ_OK)
        why = "what stands there is no book, or a damaged one; remove it first";
    bk_store_close(&old);
    if (why)
        return xq_fail(err, XQ_EIO, "cannot write '%s': %s", w->path, why);
    w->target = exists ? realpath(w->path, NULL) : strdup(w->path);
    return w->target ? XQ_OK : no_memory(err);
}

/* Did a killed process leave it, before or after the first write? */
static bool is_leftover(int fd)
{
    uint32_t head[5];
    const ssize_t n = pread(fd, head, sizeof head, 0);
    return n == 0 ||
           (n == sizeof head && (head[4] == BK_LMDB_MAGIC || head[4] == 0));
}

/* Make PATH.tmp, empty and ours alone. */
static xq_status lock_tmp(struct writer *w, xq_err *err)
{
    for (;;) {
        struct stat a, b;
        w->lock_fd =
            open(w->tmp, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (w->lock_fd < 0)
            return xq_fail(err, XQ_EIO, "cannot create '%s': %s", w->tmp,
                           strerror(errno));
        if (flock(w->lock_fd, LOCK_EX | LOCK_NB) != 0) {
            const int e = errno;
            close(w->lock_fd);
            w->lock_fd = -1; /* not ours: it must stay */
            return xq_fail(err, XQ_EIO, "cannot write '%s': %s", w->path,
                           e == EWOULDBLOCK ? "another process is writing it"
                                            : strerror(e));
        }
        /* Has it been renamed or removed meanwhile?  Then again. */
        if (fstat(w->lock_fd, &a) == 0 && stat(w->tmp, &b) == 0 &&
            a.st_ino == b.st_ino && a.st_dev == b.st_dev)
            break;
        close(w->lock_fd);
    }
    if (!is_leftover(w->lock_fd)) {
        close(w->lock_fd);
        w->lock_fd = -1; /* not ours: it must stay */
        return xq_fail(err, XQ_EIO, "cannot write '%s': '%s' is in the way",
                       w->path, w->tmp);
    }
    if (ftruncate(w->lock_fd, 0) != 0)
        return xq_fail(err, XQ_EIO, "cannot empty '%s': %s", w->tmp,
                       strerror(errno));
    return XQ_OK;
}

/* Take back what is unfinished; NULL is allowed. */
static void writer_free(struct writer *w)
{
    if (!w)
        return;
    if (w->txn)
        mdb_txn_abort(w->txn);
    if (w->store.env)
        mdb_env_close(w->store.env);
    if (w->lock_fd >= 0) {
        unlink(w->tmp);
        close(w->lock_fd);
    }
    free(w->path);
    free(w->target);
    free(w->tmp);
    free(w);
}

static xq_status open_env(struct writer *w, xq_err *err)
{
    uint8_t format[BK_FORMAT_BYTES];
    MDB_val key = {6, (void *)(uintptr_t) "format"},
            v = {sizeof format, format};
    MDB_dbi main_db;
    bk_format_make(format, BK_BOOK_MAGIC);
    w->store.path = w->tmp;
    w->store.writable = true;
    int e = mdb_env_create(&w->store.env);
    if (!e)
        e = mdb_env_set_maxdbs(w->store.env, 2);
    if (!e) /* nobody else looks at it, and it is synced once, at the end */
        e = mdb_env_open(w->store.env, w->tmp,
                         MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOSYNC, 0666);
    xq_status rc = lmdb_fail(w, e, err);
    if (rc == XQ_OK)
        rc = begin(w, err);
    if (rc != XQ_OK)
        return rc;
    e = mdb_dbi_open(w->txn, NULL, 0, &main_db);
    if (!e)
        e = mdb_put(w->txn, main_db, &key, &v, 0);
    if (!e)
        e = mdb_dbi_open(w->txn, BK_DB_POSITIONS, MDB_CREATE, &w->positions_db);
    if (!e)
        e = mdb_dbi_open(w->txn, BK_DB_GAMES, MDB_CREATE, &w->games_db);
    return lmdb_fail(w, e, err);
}

static xq_status writer_new(struct writer **out, const char *path,
                            bool one_wing, bool (*stop)(void), xq_err *err)
{
    struct writer *w = calloc(1, sizeof *w);
    struct stat st = {0};
    if (!w)
        return no_memory(err);
    w->lock_fd = w->store.lock_fd = -1;
    w->one_wing = one_wing;
    w->stop = stop;
    bk_block_start(&w->block);
    w->path = strdup(path);
    xq_status rc = w->path ? find_target(w, &st, err) : no_memory(err);
    if (rc == XQ_OK) {
        const size_t n = strlen(w->target) + 8;
        w->tmp = malloc(n);
        if (w->tmp)
            snprintf(w->tmp, n, "%s.tmp", w->target);
        rc = w->tmp ? lock_tmp(w, err) : no_memory(err);
    }
    if (rc == XQ_OK && st.st_mode)
        (void)fchmod(w->lock_fd, st.st_mode & 07777);
    if (rc == XQ_OK)
        rc = open_env(w, err);
    if (rc != XQ_OK) {
        writer_free(w);
        return rc;
    }
    *out = w;
    return XQ_OK;
}

static xq_status append(struct writer *w, MDB_dbi dbi, uint64_t number,
                        uint8_t *value, size_t n, xq_err *err)
{
    uint8_t key[8];
    MDB_val k = {sizeof key, key}, v = {n, value};
    bk_put64(key, number);
    xq_status rc = lmdb_fail(w, mdb_put(w->txn, dbi, &k, &v, MDB_APPEND), err);
    w->dirty += n + 18; /* key, node head, pointer */
    if (rc == XQ_OK && w->dirty >= COMMIT) {
        rc = commit(w, err);
        if (rc == XQ_OK)
            rc = begin(w, err);
    }
    return rc;
}

static xq_status flush_block(struct writer *w, xq_err *err)
{
    if (w->block.n == 0)
        return XQ_OK;
    bk_block_seal(&w->block);
    const xq_status rc = append(w, w->positions_db, w->block.key,
                                w->block.value, w->block.size, err);
    bk_block_start(&w->block);
    return rc;
}

static xq_status write_entry(struct writer *w, const bk_entry *e, xq_err *err)
{
    w->positions++;
    w->moves += e->n;
    if (bk_block_put(&w->block, e))
        return XQ_OK;
    const xq_status rc = flush_block(w, err);
    (void)bk_block_put(&w->block, e); /* an empty block takes anything */
    return rc;
}

static xq_status flush_games(struct writer *w, xq_err *err)
{
    if (w->games_n == 0)
        return XQ_OK;
    const size_t n = BK_SEAL + w->games_n * (size_t)BK_DIGEST_BYTES;
    bk_seal(w->games_value, n);
    w->games_n = 0;
    return append(w, w->games_db, w->games_blocks++, w->games_value, n, err);
}

static xq_status write_digest(struct writer *w, pgn_digest d, xq_err *err)
{
    uint8_t *p =
        w->games_value + BK_SEAL + w->games_n * (size_t)BK_DIGEST_BYTES;
    bk_put64(p, d.hi);
    bk_put64(p + 8, d.lo);
    w->games++;
    return ++w->games_n == BK_GAMES_BLOCK ? flush_games(w, err) : XQ_OK;
}

/* Make the rename last: sync the folder.  Not every file system can. */
static void sync_folder(const char *path)
{
    const char *const slash = strrchr(path, '/');
    char *dir = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    const int fd = dir ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        (void)fsync(fd);
        close(fd);
    }
    free(dir);
}

static xq_status writer_finish(struct writer *w, xq_err *err)
{
    uint8_t head[BK_BOOK_HEAD];
    MDB_val key = {4, (void *)(uintptr_t) "book"}, v = {sizeof head, head};
    MDB_dbi main_db;
    xq_status rc = flush_block(w, err);
    if (rc == XQ_OK)
        rc = flush_games(w, err);
    if (rc != XQ_OK)
        return rc;
    head[BK_SEAL] = w->one_wing;
    bk_put64(head + BK_SEAL + 1, w->positions);
    bk_put64(head + BK_SEAL + 9, w->moves);
    bk_put64(head + BK_SEAL + 17, w->games);
    bk_seal(head, sizeof head);
    int e = mdb_dbi_open(w->txn, NULL, 0, &main_db);
    if (!e)
        e = mdb_put(w->txn, main_db, &key, &v, 0);
    rc = lmdb_fail(w, e, err);
    if (rc == XQ_OK)
        rc = commit(w, err);
    if (rc != XQ_OK)
        return rc;
    bk_store_settle(&w->store);
    mdb_env_close(w->store.env);
    w->store.env = NULL;
    if (fsync(w->lock_fd) != 0 || rename(w->tmp, w->target) != 0)
        return xq_fail(err, XQ_EIO, "cannot write '%s': %s", w->path,
                       strerror(errno));
    sync_folder(w->target);
    close(w->lock_fd);
    w->lock_fd = -1; /* complete: nothing to take back */
    return XQ_OK;
}

/* ---- sources ---- */

/* What other books said of a move, or of the position: of the position as
 * its key has it, and of its mirror image. */
struct sums {
    bool said[2];
    uint64_t v[2][BK_T_KINDS]; /* by bk_tally_kind, halves joined */
    bool given[2];             /* a weight */
};

/* Positions in rising key order, out of sorted rows or out of a book. */
struct source {
    bk_sort *sort;     /* NULL: a book */
    struct sums *sums; /* [i]: of move i; [BK_BOOK_MOVES]: of the position */
    bool summed;       /* some are in use */
    uint64_t scaled;   /* positions whose weights were too large */
    const bk_rec *recs;
    size_t n, i;
    bk_book *book;
    bk_cursor *cursor;
    bool ended;
    bk_entry e; /* the current one */
};

static xq_status more_rows(struct source *s, xq_err *err)
{
    const xq_status rc = bk_sort_next(s->sort, &s->recs, &s->n, err);
    s->i = 0;
    if (rc != XQ_OK)
        s->n = 0;
    return rc;
}

/* The place of a move in the entry, which is its last one or comes behind it;
 * NULL when there are too many. */
static inline bk_book_move *take_move(bk_entry *e, xq_move move)
{
    if (e->n == 0 || e->moves[e->n - 1].move != move) {
        if (e->n == BK_BOOK_MOVES)
            return NULL;
        e->moves[e->n++] = (bk_book_move){.move = move};
    }
    return &e->moves[e->n - 1];
}

static uint64_t add64(uint64_t a, uint64_t b)
{
    return b > UINT64_MAX - a ? UINT64_MAX : a + b;
}

static void count_tally(struct source *s, uint64_t data)
{
    const xq_move move = bk_row_move(data);
    const unsigned wing = data >> BK_TALLY_WING & 1;
    const uint64_t v = data >> BK_TALLY_VALUE & UINT32_MAX;
    unsigned kind = data >> BK_TALLY_KIND & 15;
    struct sums *t = &s->sums[BK_BOOK_MOVES];
    if (move != XQ_NOMOVE) {
        const bk_book_move *const m = take_move(&s->e, move);
        if (!m)
            return;
        t = &s->sums[m - s->e.moves];
    }
    s->summed = t->said[wing] = true;
    t->given[wing] |= kind == BK_T_WEIGHT;
    const bool high = kind == BK_T_WEIGHT_HIGH || kind == BK_T_ELO_SUM_HIGH;
    uint64_t *const sum = &t->v[wing][kind - high];
    if (kind != BK_T_YEAR)
        *sum = add64(*sum, high ? v << 32 : v);
    else if (v > *sum)
        *sum = v;
}

static bool same_sums(const struct sums *t)
{
    return t->given[0] == t->given[1] &&
           memcmp(t->v[0], t->v[1], sizeof t->v[0]) == 0;
}

/* Do both wings say the same of every move?  A move that is its own mirror
 * image is said once where the position is too. */
static bool wings_agree(const struct source *s)
{
    bool both = false;
    for (unsigned i = 0; i < s->e.n; i++) {
        const struct sums *const t = &s->sums[i];
        const xq_move m = s->e.moves[i].move;
        if (t->said[0] && t->said[1]) {
            both = true;
            if (!same_sums(t))
                return false;
        } else if ((t->said[0] || t->said[1]) && xq_move_mirror(m) != m) {
            return false;
        }
    }
    return both || (s->e.n == 0 && same_sums(&s->sums[BK_BOOK_MOVES]));
}

/* Join what both wings say of a move.  `once`: they say the same; of the
 * position too, but for moves that only one of them names. */
static void join_wings(struct sums *t, bool once)
{
    once = once && t->said[0];
    for (unsigned k = 0; t->said[1] && k < BK_T_KINDS; k++) {
        const uint64_t a = t->v[0][k], b = t->v[1][k];
        t->v[0][k] = once || k == BK_T_YEAR ? (a > b ? a : b) : add64(a, b);
    }
}

static void add_sums(bk_counts *c, const uint64_t v[BK_T_KINDS])
{
    for (unsigned r = 0; r < 4; r++)
        c->by_result[r] = bk_add32(
            c->by_result[r], v[r] > UINT32_MAX ? UINT32_MAX : (uint32_t)v[r]);
}

/* Put what other books said into the entry. */
static void add_tallies(struct source *s)
{
    bk_entry *const e = &s->e;
    const bool once = wings_agree(s);
    uint64_t largest = 0;
    unsigned shift = 0;
    for (unsigned i = 0; i <= BK_BOOK_MOVES; i++) {
        if (i == e->n)
            i = BK_BOOK_MOVES;
        struct sums *const t = &s->sums[i];
        join_wings(t, once);
        if (i < e->n && t->v[0][BK_T_WEIGHT] > largest)
            largest = t->v[0][BK_T_WEIGHT];
    }
    while (largest >> shift > UINT32_MAX)
        shift++;
    s->scaled += shift > 0;
    add_sums(&e->counts, s->sums[BK_BOOK_MOVES].v[0]);
    for (unsigned i = 0; i < e->n; i++) {
        struct sums *const t = &s->sums[i];
        bk_book_move *const m = &e->moves[i];
        const uint64_t w = t->v[0][BK_T_WEIGHT], elo = t->v[0][BK_T_ELO_GAMES];
        add_sums(&m->counts, t->v[0]);
        if (t->given[0] || t->given[1]) {
            m->weight_given = true;
            m->weight = w >> shift == 0 && w > 0 ? 1 : (uint32_t)(w >> shift);
        }
        m->elo_games = bk_add32(m->elo_games,
                                elo > UINT32_MAX ? UINT32_MAX : (uint32_t)elo);
        m->elo_sum = add64(m->elo_sum, t->v[0][BK_T_ELO_SUM]);
        if (t->v[0][BK_T_YEAR] > m->last_year)
            m->last_year = (uint16_t)t->v[0][BK_T_YEAR];
        memset(t, 0, sizeof *t);
    }
    memset(&s->sums[BK_BOOK_MOVES], 0, sizeof *s->sums);
    s->summed = false;
}

static inline void count_row(struct source *s, uint64_t data)
{
    if (data & BK_TALLY_FLAG) {
        count_tally(s, data);
        return;
    }
    bk_entry *const e = &s->e;
    const unsigned result = bk_row_result(data), elo = bk_row_elo(data);
    const unsigned year = bk_row_year(data);
    const xq_move move = bk_row_move(data);
    uint32_t *const position = &e->counts.by_result[result];
    if (!bk_row_again(data))
        *position = bk_add32(*position, 1);
    if (move == XQ_NOMOVE)
        return;
    bk_book_move *const m = take_move(e, move);
    if (!m)
        return;
    uint32_t *const played = &m->counts.by_result[result];
    *played = bk_add32(*played, 1);
    if (elo > 0) {
        m->elo_games = bk_add32(m->elo_games, 1);
        m->elo_sum += elo;
    }
    if (year > m->last_year)
        m->last_year = (uint16_t)year;
}

/* Count the rows of one position. */
static xq_status count_position(struct source *s, xq_err *err)
{
    if (s->i == s->n) {
        const xq_status rc = more_rows(s, err);
        if (rc != XQ_OK)
            return rc;
    }
    bk_entry *const e = &s->e;
    e->key = s->recs[s->i].key;
    e->n = 0;
    e->counts = (bk_counts){0};
    for (;;) {
        for (; s->i < s->n && s->recs[s->i].key == e->key; s->i++)
            count_row(s, s->recs[s->i].data);
        if (s->i < s->n)
            return XQ_OK;
        const xq_status rc = more_rows(s, err);
        if (rc != XQ_OK)
            return rc == XQ_DONE ? XQ_OK : rc; /* DONE again next time */
    }
}

static xq_status next_counted(struct source *s, xq_err *err)
{
    const xq_status rc = count_position(s, err);
    if (rc == XQ_OK && s->summed)
        add_tallies(s);
    return rc;
}

static xq_status next_entry(struct source *s, xq_err *err)
{
    const xq_status rc =
        s->sort ? next_counted(s, err) : bk_cursor_next(s->cursor, &s->e, err);
    s->ended = rc != XQ_OK;
    return rc == XQ_DONE ? XQ_OK : rc;
}

static void close_sources(struct source *v, size_t n)
{
    for (size_t i = 0; v && i < n; i++) {
        bk_cursor_close(v[i].cursor);
        bk_book_close(v[i].book);
        free(v[i].sums);
    }
    free(v);
}

/* ---- merging entries ---- */

static void add_move(bk_book_move *a, const bk_book_move *b)
{
    bk_add_counts(&a->counts, &b->counts);
    if (b->weight_given) {
        a->weight = bk_add32(a->weight, b->weight);
        a->weight_given = true;
    }
    a->elo_games = bk_add32(a->elo_games, b->elo_games);
    a->elo_sum += b->elo_sum;
    if (b->last_year > a->last_year)
        a->last_year = b->last_year;
}

/* *out = a + b, for the same position; out is neither of them. */
static void add_entries(bk_entry *out, const bk_entry *a, const bk_entry *b)
{
    unsigned i = 0, j = 0;
    out->key = a->key;
    out->counts = a->counts;
    bk_add_counts(&out->counts, &b->counts);
    for (out->n = 0; (i < a->n || j < b->n) && out->n < BK_BOOK_MOVES;) {
        bk_book_move *const m = &out->moves[out->n++];
        if (j == b->n || (i < a->n && a->moves[i].move <= b->moves[j].move)) {
            *m = a->moves[i++];
            if (j < b->n && b->moves[j].move == m->move)
                add_move(m, &b->moves[j++]);
        } else {
            *m = b->moves[j++];
        }
    }
}

/* Leave out moves of too few games; is anything left? */
static bool enough(bk_entry *e, uint32_t min_games)
{
    if (min_games <= 1)
        return true;
    unsigned n = 0;
    for (unsigned i = 0; i < e->n; i++)
        if (bk_total(&e->moves[i].counts) >= min_games ||
            e->moves[i].weight_given)
            e->moves[n++] = e->moves[i];
    e->n = n;
    return n > 0 || bk_total(&e->counts) >= min_games;
}

/* Write everything the sources have.  XQ_DONE: stopped. */
static xq_status merge(struct writer *w, struct source *v, size_t n,
                       uint32_t min_games, xq_err *err)
{
    uint32_t turns = 0;
    bk_entry sum[2];
    xq_status rc = XQ_OK;
    for (size_t i = 0; i < n && rc == XQ_OK; i++)
        rc = next_entry(&v[i], err);
    while (rc == XQ_OK) {
        struct source *first = NULL;
        bool shared = false;
        for (size_t i = 0; i < n; i++) {
            if (v[i].ended)
                continue;
            if (!first || v[i].e.key < first->e.key) {
                first = &v[i];
                shared = false;
            } else if (v[i].e.key == first->e.key) {
                shared = true;
            }
        }
        if (!first)
            return XQ_OK;
        if (++turns % 1024 == 0 && w->stop && w->stop())
            return XQ_DONE;
        bk_entry *e = &first->e;
        if (!shared) {
            if (enough(e, min_games))
                rc = write_entry(w, e, err);
            if (rc == XQ_OK)
                rc = next_entry(first, err);
            continue;
        }
        const xq_key key = e->key;
        unsigned k = 0;
        for (struct source *s = first + 1; s < v + n; s++)
            if (!s->ended && s->e.key == key) {
                add_entries(&sum[k], e, &s->e);
                e = &sum[k];
                k ^= 1;
            }
        if (enough(e, min_games))
            rc = write_entry(w, e, err);
        for (struct source *s = first; s < v + n && rc == XQ_OK; s++)
            if (!s->ended && s->e.key == key)
                rc = next_entry(s, err);
    }
    return rc;
}

/* ---- the maker ---- */

struct bk_maker {
    struct writer *w; /* open from the start: a bad path is told at once */
    bk_sort *sort;
    bk_seen *seen;
    bk_maker_options o;
    char *base;
    bool tallies; /* some were put */
    uint64_t scaled;
};

/* The games of the book that is added to. */
static xq_status take_base(bk_maker *m, xq_err *err)
{
    bk_book *b = NULL;
    bk_book_info info;
    bk_digests d = {0};
    pgn_digest digest;
    bool fresh;
    xq_status rc = bk_book_open(&b, m->base, err);
    if (rc == XQ_OK)
        rc = bk_book_get_info(b, &info, err);
    if (rc == XQ_OK)
        m->o.one_wing = info.one_wing;
    if (rc == XQ_OK)
        rc = bk_digests_open(&d, b, err);
    while (rc == XQ_OK && (rc = bk_digests_next(&d, &digest, err)) == XQ_OK)
        rc = bk_seen_add(m->seen, digest, &fresh, err);
    bk_digests_close(&d);
    bk_book_close(b);
    return rc == XQ_DONE ? XQ_OK : rc;
}

xq_status bk_maker_open(bk_maker **out, const char *path,
                        const bk_maker_options *o, xq_err *err)
{
    bk_maker *m = calloc(1, sizeof *m);
    if (!m)
        return no_memory(err);
    m->o = *o;
    const size_t memory = o->memory ? o->memory : DEFAULT_MEMORY;
    m->base = o->base ? strdup(o->base) : NULL;
    xq_status rc = m->base || !o->base ? XQ_OK : no_memory(err);
    /* What is left over is for the caller's rows and for LMDB's pages. */
    const bk_sort_options so = {.memory = memory / 8 * 5,
                                .threads = o->threads};
    if (rc == XQ_OK)
        rc = bk_sort_open(&m->sort, &so, err);
    if (rc == XQ_OK)
        rc = bk_seen_open(&m->seen, memory / 8, NULL, err);
    if (rc == XQ_OK && m->base)
        rc = take_base(m, err);
    if (rc == XQ_OK)
        rc = writer_new(&m->w, path, m->o.one_wing, m->o.stop, err);
    if (rc != XQ_OK) {
        bk_maker_close(m);
        return rc;
    }
    *out = m;
    return XQ_OK;
}

bool bk_maker_one_wing(const bk_maker *m) { return m->o.one_wing; }

xq_status bk_maker_add(bk_maker *m, const bk_rows *rows, uint64_t *added,
                       uint64_t *duplicates, xq_err *err)
{
    uint32_t from = 0, at = 0; /* rows from..at wait to be added */
    xq_status rc = XQ_OK;
    for (uint32_t i = 0; i < rows->ngames && rc == XQ_OK; i++) {
        bool fresh;
        rc = bk_seen_add(m->seen, rows->digests[i], &fresh, err);
        if (rc != XQ_OK)
            return rc;
        if (fresh || m->o.keep_duplicates) {
            ++*added;
        } else {
            ++*duplicates;
            rc = bk_sort_add(m->sort, rows->recs + from, at - from, err);
            from = rows->ends[i];
        }
        at = rows->ends[i];
    }
    if (rc == XQ_OK)
        rc = bk_sort_add(m->sort, rows->recs + from, at - from, err);
    return rc;
}

/* One number of a tally; halves are told apart by their kind. */
static xq_status put_number(bk_maker *m, const bk_tally *t, unsigned kind,
                            uint64_t v, xq_err *err)
{
    const bk_rec r = {t->key, (uint64_t)t->move << BK_ROW_MOVE |
                                  (uint64_t)kind << BK_TALLY_KIND |
                                  (uint64_t)t->mirrored << BK_TALLY_WING |
                                  (v & UINT32_MAX) << BK_TALLY_VALUE |
                                  BK_TALLY_FLAG};
    return bk_sort_add(m->sort, &r, 1, err);
}

xq_status bk_maker_put(bk_maker *m, const bk_tally *t, xq_err *err)
{
    xq_status rc = XQ_OK;
    m->tallies = true;
    for (unsigned r = 0; r < 4 && rc == XQ_OK; r++) {
        const uint64_t v = t->games[r] > UINT32_MAX ? UINT32_MAX : t->games[r];
        if (v > 0)
            rc = put_number(m, t, r, v, err);
    }
    if (t->move == XQ_NOMOVE || rc != XQ_OK)
        return rc;
    if (t->weight_given)
        rc = put_number(m, t, BK_T_WEIGHT, t->weight, err);
    if (rc == XQ_OK && t->weight_given && t->weight > UINT32_MAX)
        rc = put_number(m, t, BK_T_WEIGHT_HIGH, t->weight >> 32, err);
    if (rc == XQ_OK && t->elo_games > 0)
        rc = put_number(m, t, BK_T_ELO_GAMES,
                        t->elo_games > UINT32_MAX ? UINT32_MAX : t->elo_games,
                        err);
    if (rc == XQ_OK && t->elo_games > 0)
        rc = put_number(m, t, BK_T_ELO_SUM, t->elo_sum, err);
    if (rc == XQ_OK && t->elo_games > 0 && t->elo_sum > UINT32_MAX)
        rc = put_number(m, t, BK_T_ELO_SUM_HIGH, t->elo_sum >> 32, err);
    /* a move without any number is still a move: the year is always there */
    if (rc == XQ_OK)
        rc = put_number(m, t, BK_T_YEAR, t->year > UINT16_MAX ? 0 : t->year,
                        err);
    return rc;
}

uint64_t bk_maker_scaled(const bk_maker *m) { return m->scaled; }

static xq_status write_digests(struct writer *w, bk_seen *seen, xq_err *err)
{
    pgn_digest digest;
    xq_status rc = bk_seen_rewind(seen, err);
    while (rc == XQ_OK && (rc = bk_seen_next(seen, &digest, err)) == XQ_OK)
        rc = write_digest(w, digest, err);
    return rc == XQ_DONE ? XQ_OK : rc;
}

xq_status bk_maker_finish(bk_maker *m, xq_err *err)
{
    const size_t n = m->base ? 2 : 1;
    struct source *v = calloc(n, sizeof *v);
    struct writer *const w = m->w;
    if (!v)
        return no_memory(err);
    v[0].sort = m->sort;
    if (m->tallies)
        v[0].sums = calloc(BK_BOOK_MOVES + 1, sizeof *v[0].sums);
    xq_status rc = m->tallies && !v[0].sums ? no_memory(err)
                                            : bk_sort_finish(m->sort, err);
    if (rc == XQ_OK && m->base)
        rc = bk_book_open(&v[1].book, m->base, err);
    if (rc == XQ_OK && m->base)
        rc = bk_cursor_open(&v[1].cursor, v[1].book, err);
    if (rc == XQ_OK)
        rc = merge(w, v, n, m->o.min_games, err);
    m->scaled = v[0].scaled;
    if (rc == XQ_OK)
        rc = write_digests(w, m->seen, err);
    if (rc == XQ_OK)
        rc = writer_finish(w, err);
    close_sources(v, n);
    return rc;
}

void bk_maker_close(bk_maker *m)
{
    if (!m)
        return;
    writer_free(m->w);
    bk_sort_close(m->sort);
    bk_seen_close(m->seen);
    free(m->base);
    free(m);
}

/* ---- merging books ---- */

/* Write the union of the books' games; *both: how many stand in several. */
static xq_status merge_games(struct writer *w, struct source *v, size_t n,
                             uint64_t *both, xq_err *err)
{
    struct games {
        bk_digests d;
        pgn_digest now;
        bool ended;
    } *g = calloc(n, sizeof *g);
    xq_status rc = g ? XQ_OK : no_memory(err);
    for (size_t i = 0; i < n && rc == XQ_OK; i++) {
        rc = bk_digests_open(&g[i].d, v[i].book, err);
        if (rc == XQ_OK)
            rc = bk_digests_next(&g[i].d, &g[i].now, err);
        g[i].ended = rc != XQ_OK;
        rc = rc == XQ_DONE ? XQ_OK : rc;
    }
    while (rc == XQ_OK) {
        const struct games *first = NULL;
        for (size_t i = 0; i < n; i++)
            if (!g[i].ended &&
                (!first || bk_digest_cmp(g[i].now, first->now) < 0))
                first = &g[i];
        if (!first)
            break;
        const pgn_digest d = first->now;
        unsigned times = 0;
        rc = write_digest(w, d, err);
        for (size_t i = 0; i < n && rc == XQ_OK; i++) {
            if (g[i].ended || bk_digest_cmp(g[i].now, d) != 0)
                continue;
            times++;
            rc = bk_digests_next(&g[i].d, &g[i].now, err);
            g[i].ended = rc != XQ_OK;
            rc = rc == XQ_DONE ? XQ_OK : rc;
        }
        *both += times > 1;
    }
    for (size_t i = 0; g && i < n; i++)
        bk_digests_close(&g[i].d);
    free(g);
    return rc;
}

xq_status bk_book_merge(const char *out, const char *const *in, size_t n,
                        bool (*stop)(void), uint64_t *both, xq_err *err)
{
    struct source *v = calloc(n ? n : 1, sizeof *v);
    struct writer *w = NULL;
    xq_status rc = v ? XQ_OK : no_memory(err);
    bool one_wing = false;
    *both = 0;
    for (size_t i = 0; i < n && rc == XQ_OK; i++) {
        bk_book_info info;
        rc = bk_book_open(&v[i].book, in[i], err);
        if (rc == XQ_OK)
            rc = bk_book_get_info(v[i].book, &info, err);
        if (rc == XQ_OK)
            rc = bk_cursor_open(&v[i].cursor, v[i].book, err);
        if (rc != XQ_OK)
            break;
        if (i == 0)
            one_wing = info.one_wing;
        else if (info.one_wing != one_wing)
            rc = xq_fail(err, XQ_EILLEGAL,
                         "cannot merge '%s' and '%s': one of them keeps the "
                         "wings apart (--one-wing), the other does not",
                         in[0], in[i]);
    }
    if (rc == XQ_OK)
        rc = writer_new(&w, out, one_wing, stop, err);
    if (rc == XQ_OK)
        rc = merge(w, v, n, 0, err);
    if (rc == XQ_OK)
        rc = merge_games(w, v, n, both, err);
    if (rc == XQ_OK)
        rc = writer_finish(w, err);
    writer_free(w);
    close_sources(v, n);
    return rc;
}
