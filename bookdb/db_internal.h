/* db_internal.h - what the files of the game database share.
 *
 * The file: LMDB, several databases.  Keys are big-endian; every value begins
 * with its seal, the CRC-32 of the rest.
 *
 *   main         "format"  QGM1, key of the start position, CRC-32
 *                "meta"    counts; the segments: id, first game, games, pairs
 *   text         first id 8 -> up to a page of strings, zstd: values of
 *                              tags, lists of names
 *   notes        first id 8 -> the same for comments
 *   heads        first game 8 -> headers: flags, plies, and string ids told by
 *                                what is new since, or differs from, the game
 *                                before
 *   moves        first game 8 -> games, each its length and its bytes
 *   extra        digest 16 -> how many games whose tags were changed have it
 *   segNNNNNNNN  00 digest 16 -> rising digests of the segment's games
 *                01 key 8, game 4 -> pairs (canonical key, game), from this on
 *
 * Blocks have 2022 bytes (2017 in segments): two of them with their keys fill a
 * page of 4096 bytes to the last one.  All writing is appending, save for db
 * set and db delete, which rewrite one block of headers.
 *
 * Batches.  Games collect in memory until the pairs fill a quarter of it.  Then
 * everything is written in one transaction with a segment of its own.  When
 * eight segments of a size class stand at the end, they are merged into one, in
 * transactions of at most 40 MB; it counts once it stands in the table, which
 * the last of them writes while it drops the old ones.  What a killed process
 * leaves is a table that no record names: the next writer drops it.
 *
 * Duplicates are found by the digest of a game (libpgn/game.h): in the batch by
 * a hash table, in the file by a filter in memory that says "no" to nearly all,
 * then by a look-up in each segment. */
#ifndef BK_DB_INTERNAL_H
#define BK_DB_INTERNAL_H

#include "bookdb/db.h"
#include "bookdb/index.h"
#include "bookdb/internal.h"
#include "bookdb/sort.h"

#define BK_DB_MAGIC   "QGM1"
#define BK_DB_VERSION 1
/* Values with a key of 8 bytes: two fill a page (index.h has the sum). */
#define BK_BLOCK 2022
/* Largest value on one overflow page. */
#define BK_OVERFLOW 4080
#define BK_SEGS_MAX 200

/* ---- strings: tables `text` and `notes` ---- */

/* A block, unpacked. */
struct bk_strings {
    uint64_t first;
    uint32_t n;
    size_t size;   /* of this object */
    uint32_t *end; /* end[i]: of string i in bytes; begins at end[i - 1] */
    char *bytes;
};

struct bk_strings_cache {
    struct bk_strings **v; /* by first id */
    size_t n, cap, size;
};
void bk_strings_cache_clear(struct bk_strings_cache *c);
void bk_strings_cache_free(struct bk_strings_cache *c);

/* Unpack a value; every length is tested.  XQ_ECORRUPT, XQ_ENOMEM. */
xq_status bk_strings_unpack(const uint8_t *value, size_t n, uint64_t first,
                            struct bk_strings **out, xq_err *err);

/* String `id` of a table; valid until the cache is cleared or another string
 * is got (it empties itself when full). */
xq_status bk_strings_get(struct bk_strings_cache *c, MDB_cursor *cur,
                         uint64_t id, xq_str *s, xq_err *err);

/* Values on their way to a table: written when the batch is committed. */
struct bk_blocks {
    pgn_buf bytes;
    struct bk_block {
        uint64_t key;
        size_t at, n;
    } * v;
    size_t n, cap;
};
bool bk_blocks_add(struct bk_blocks *b, uint64_t key, const uint8_t *value,
                   size_t n);
void bk_blocks_clear(struct bk_blocks *b);
void bk_blocks_free(struct bk_blocks *b);

/* Strings being packed into blocks. */
struct bk_strings_writer {
    struct bk_blocks blocks;
    pgn_buf raw;
    uint64_t first; /* id of raw's first string */
    uint32_t n;
    size_t target;  /* raw size that packs into a page */
    uint32_t *ends; /* of the strings in raw */
    size_t ends_cap;
    uint8_t *packed;
    size_t packed_cap;
    void *ctx; /* ZSTD_CCtx */
};
bool bk_strings_add(struct bk_strings_writer *w, uint64_t id, xq_str s);
bool bk_strings_flush(struct bk_strings_writer *w);
void bk_strings_writer_clear(struct bk_strings_writer *w);
void bk_strings_writer_free(struct bk_strings_writer *w);

/* String -> id, bounded: emptied when full. */
struct bk_intern {
    struct bk_intern_slot {
        uint32_t hash, len; /* of bytes at `at` */
        uint64_t id;        /* 0: free slot */
        size_t at;
    } * slots;
    size_t nslots, n; /* nslots a power of two */
    pgn_buf bytes;
    size_t limit;
};
/* The id of s, or 0 with the place where bk_intern_put will put it. */
uint64_t bk_intern_find(struct bk_intern *t, xq_str s, uint32_t hash);
bool bk_intern_put(struct bk_intern *t, xq_str s, uint32_t hash, uint64_t id);
uint32_t bk_intern_hash(xq_str s);
void bk_intern_free(struct bk_intern *t);

/* ---- heads: table `heads` ---- */

enum {
    BK_H_RESULT = 3, /* pgn_result */
    BK_H_STANDARD = 4,
    BK_H_VARIATIONS = 8,
    BK_H_NOTES = 16,
    BK_H_DELETED = 32,
    BK_H_SAME = 64,  /* shape of the game before */
    BK_H_GONE = 128, /* deleted, and nothing kept (compact) */
};

struct bk_head {
    uint64_t id;
    unsigned flags;
    uint32_t plies;
    uint64_t shape, start; /* string ids; start 0: the usual position */
    uint32_t nnotes;
    uint64_t first_note;
    uint32_t ntags;
    uint64_t *values; /* of the state: string ids */
};

/* What one entry leaves for the next. */
struct bk_head_state {
    uint64_t running, shape;
    uint32_t ntags, cap;
    uint64_t *values;
};
void bk_head_state_free(struct bk_head_state *s);
bool bk_head_put(struct bk_head_state *s, const struct bk_head *h,
                 pgn_buf *out);

struct bk_heads_reader {
    struct bk_head_state state;
    struct bk_head head; /* the current one */
    const uint8_t *p, *end;
    uint64_t first, next;
    uint32_t left;
    bool bad;
};
/* Begin a block; the seal is tested. */
bool bk_heads_start(struct bk_heads_reader *r, const uint8_t *value, size_t n,
                    uint64_t first);
bool bk_heads_next(struct bk_heads_reader *r);
void bk_heads_free(struct bk_heads_reader *r);

struct bk_heads_writer {
    struct bk_blocks blocks;
    struct bk_head_state state;
    pgn_buf cur;
    uint64_t first, base;
    uint32_t n;
};
bool bk_heads_add(struct bk_heads_writer *w, const struct bk_head *h,
                  uint64_t running);
bool bk_heads_flush(struct bk_heads_writer *w);
void bk_heads_writer_clear(struct bk_heads_writer *w);
void bk_heads_writer_free(struct bk_heads_writer *w);

/* ---- moves: table `moves` ---- */

struct bk_moves_writer {
    struct bk_blocks blocks;
    pgn_buf cur;
    uint64_t first;
    uint32_t n;
};
bool bk_moves_add(struct bk_moves_writer *w, uint64_t id, const uint8_t *p,
                  size_t n);
bool bk_moves_flush(struct bk_moves_writer *w);
void bk_moves_writer_clear(struct bk_moves_writer *w);
void bk_moves_writer_free(struct bk_moves_writer *w);

struct bk_moves_reader {
    const uint8_t *p, *end;
    uint64_t first, next;
    uint32_t left;
    bool bad;
};
bool bk_moves_start(struct bk_moves_reader *r, const uint8_t *value, size_t n,
                    uint64_t first);
/* The next game's bytes. */
bool bk_moves_next(struct bk_moves_reader *r, const uint8_t **p, size_t *n);

/* ---- the record "meta" ---- */

struct bk_segment {
    uint32_t id;
    uint64_t first, games; /* ids first .. first + games - 1 */
    uint64_t postings;
};

struct bk_db_meta {
    uint64_t games, deleted, last_id, plies, positions;
    uint64_t next_text, next_note;
    uint32_t next_seg, nsegs;
    struct bk_segment segs[BK_SEGS_MAX];
};
#define BK_META_MAX (4 + 10 * (9 + 4 * BK_SEGS_MAX))
size_t bk_db_meta_format(const struct bk_db_meta *m, uint8_t out[BK_META_MAX]);
bool bk_db_meta_parse(struct bk_db_meta *m, const uint8_t *p, size_t n);

/* ---- the shape: how a game's tags are called ---- */

/* notation, script (a byte each), then names, each a varint length and its
 * bytes. */
struct bk_shape {
    uint64_t id;
    pgn_notation notation;
    pgn_script script;
    uint32_t n;
    xq_str *names;
    /* places of tags, UINT32_MAX: none */
    uint32_t red, black, event, date;
    char *bytes;
};
bool bk_shape_parse(struct bk_shape *s, uint64_t id, xq_str text);
void bk_shape_free(struct bk_shape *s);

/* ---- the database ---- */

/* Tables as one read transaction sees them. */
struct bk_view {
    bk_db *db;
    MDB_txn *txn;
    MDB_cursor *text, *notes, *heads, *moves;
    struct bk_db_meta meta;
    bool empty;                  /* nothing was ever committed */
    bool counted;                /* among db->views */
    struct bk_heads_reader head; /* current block */
    struct bk_moves_reader move;
    MDB_val head_block, move_block;
};

struct bk_batch;

/* Handles of LMDB's named databases must not be opened by two transactions
 * that overlap.  So all of them are opened, by a short transaction, before
 * a view begins, and stay open until their segment is gone. */
struct bk_handle {
    uint32_t id; /* of the segment */
    MDB_dbi dbi;
};

struct bk_db {
    bk_store store;
    MDB_dbi text, notes, heads, moves, extra;
    bool tables; /* the five are open */
    struct bk_handle handles[2 * BK_SEGS_MAX];
    unsigned nhandles, views; /* views: open ones */
    bk_db_options opts;
    size_t memory;
    struct bk_strings_cache text_cache, notes_cache;
    struct bk_shape shapes[64]; /* by id modulo */
    struct bk_batch *batch;     /* writers */
};

/* Open the handles of all tables and segments.  No transaction may be open
 * that opens handles itself. */
xq_status bk_open_handles(bk_db *db, xq_err *err);
/* The handle of a segment; false when it is not open. */
bool bk_segment_dbi(const bk_db *db, uint32_t id, MDB_dbi *dbi);
bool bk_handle_add(bk_db *db, uint32_t id, MDB_dbi dbi);
void bk_handle_drop(bk_db *db, uint32_t id); /* LMDB closed it already */

xq_status bk_view_open(struct bk_view *v, bk_db *db, xq_err *err);
/* The same inside a transaction of the caller's. */
xq_status bk_view_join(struct bk_view *v, bk_db *db, MDB_txn *txn, xq_err *err);
void bk_view_close(struct bk_view *v);

/* Head and moves of a game: v->head.head, and *p, *n; valid while the view
 * is and until the next call.  Rising ids are fast.  XQ_ENOTFOUND. */
xq_status bk_view_head(struct bk_view *v, uint64_t id, xq_err *err);
xq_status bk_view_moves(struct bk_view *v, uint64_t id, const uint8_t **p,
                        size_t *n, xq_err *err);
xq_status bk_view_text(struct bk_view *v, uint64_t id, xq_str *s, xq_err *err);
xq_status bk_view_shape(struct bk_view *v, uint64_t id,
                        const struct bk_shape **s, xq_err *err);
xq_status bk_view_start(struct bk_view *v, const struct bk_head *h,
                        xq_pos *start, xq_err *err);
/* The game whose head is current. */
xq_status bk_view_game(struct bk_view *v, xq_arena *arena, pgn_game **game,
                       xq_err *err);

/* The block of a table that holds id, or the last one before it. */
int bk_seek_block(MDB_cursor *c, uint64_t id, uint64_t *first, MDB_val *value);

void bk_segment_name(char out[16], uint32_t id);

/* Position's games in one segment, in rising order. */
struct bk_posting_reader {
    MDB_cursor *cur;
    uint64_t key;
    bk_index_reader r;
    bool in_list, done;
};
/* XQ_OK, XQ_DONE when there are no more; game is the number in the segment. */
xq_status bk_posting_start(struct bk_posting_reader *p, MDB_txn *txn,
                           MDB_dbi dbi, uint64_t key, xq_err *err);
xq_status bk_posting_next(struct bk_posting_reader *p, uint32_t *game,
                          xq_err *err);
/* Games left in the current list: passed over and counted. */
xq_status bk_posting_skip(struct bk_posting_reader *p, uint64_t *count,
                          xq_err *err);
void bk_posting_end(struct bk_posting_reader *p);

/* Postings and digests written in order to a segment's table. */
struct bk_segment_writer {
    MDB_txn *txn;
    MDB_dbi dbi;
    pgn_buf *hold; /* instead: keys and blocks, for bk_segment_put_held */
    uint32_t max_game;
    size_t written; /* bytes */
};
int bk_segment_put_postings(struct bk_segment_writer *w, const bk_rec *recs,
                            size_t n, bool all, size_t *taken);
int bk_segment_put_digests(struct bk_segment_writer *w, const bk_rec *digests,
                           size_t n, bool all, size_t *taken);

int bk_segment_put_held(MDB_txn *txn, MDB_dbi dbi, const pgn_buf *hold);

xq_status bk_batch_new(bk_db *db, xq_err *err);
void bk_batch_free(struct bk_batch *b);
/* The next id is that of a game that is no more. */
xq_status bk_batch_add_gone(bk_db *db, xq_err *err);
/* After another kind of write: read the record "meta" again. */
xq_status bk_batch_reload(bk_db *db, xq_err *err);
/* The shape inside a prepared game. */
bool bk_prep_shape(const bk_prep *p, xq_str *shape);
/* Merge segments when they are many; all of them with `all`. */
xq_status bk_db_merge(bk_db *db, bool all, xq_err *err);
/* Read or write the record "meta". */
int bk_meta_get(MDB_txn *txn, struct bk_db_meta *m);
int bk_meta_put(MDB_txn *txn, const struct bk_db_meta *m);

/* Is a digest among the games of the view?  XQ_OK or XQ_ENOTFOUND. */
xq_status bk_view_digest(struct bk_view *v, pgn_digest d, xq_err *err);

#endif
