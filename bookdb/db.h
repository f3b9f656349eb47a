/* db.h - the game database: games, names, position -> games.
 *
 * Import:                                   Search:
 *   bk_db_open(&db, path, BK_CREATE,..)       bk_db_open(&db, path, BK_READ,..)
 *   bk_prepare(prep, game,..)  any thread     bk_find_open(&f, db, &query,..)
 *   bk_db_add(db, prep,..)     one thread     while (bk_find_next(f, &hit,..)
 *   bk_db_commit(db,..)                              == XQ_OK) ...
 *   bk_db_close(db)                           bk_find_close(f)
 *
 * One LMDB file.  Games have ids from 1 in the order they were added; an id
 * is never used again.  An import works in batches: games collect in memory
 * and are written with their names, digests and a sorted index segment in
 * one transaction, so that a process killed at any moment leaves whole
 * games only, all of them indexed.  Segments are merged when they are many.
 * Layout: drawn in db_internal.h and beside the code that writes it.
 * One object, one thread; other processes may read while one writes. */
#ifndef BK_DB_H
#define BK_DB_H

#include "bookdb/store.h"
#include "libpgn/game.h"

typedef struct bk_db bk_db;

typedef struct bk_db_options {
    size_t memory;    /* everything a batch may hold; 0: 256 MiB */
    unsigned threads; /* for sorting a batch */
    /* Called when another process holds the write lock, before waiting for
     * it (so that a tool can say so); NULL: return XQ_EIO "locked by pid N"
     * instead of waiting. */
    void (*waiting)(long pid);
    bool (*stop)(void); /* asked now and then while compacting; or NULL */
} bk_db_options;

/* mode: BK_READ, BK_WRITE (must exist), BK_CREATE (or create).  A writer
 * also cleans up what a killed one left unfinished. */
xq_status bk_db_open(bk_db **db, const char *path, int mode,
                     const bk_db_options *opts, xq_err *err);
void bk_db_close(bk_db *db); /* what was not committed is dropped */

/* ---- adding ---- */

/* A game ready to be stored: made by any thread, without the database. */
typedef struct bk_prep {
    pgn_buf bytes; /* tags and encoded moves; layout private to db.c */
    xq_key *keys;  /* canonical keys of its positions, each once, ply order */
    uint32_t nkeys, cap;
    uint32_t plies;
    pgn_digest digest;
} bk_prep;

xq_status bk_prepare(bk_prep *p, const pgn_game *g, xq_err *err);
void bk_prep_free(bk_prep *p);

typedef enum bk_added { BK_ADDED, BK_DUPLICATE } bk_added;

/* Add to the current batch, unless an exact duplicate is in the database or
 * the batch (keep_duplicates adds it all the same).  Commits by itself when
 * the batch is full. */
xq_status bk_db_add(bk_db *db, const bk_prep *p, bool keep_duplicates,
                    bk_added *out, xq_err *err);
xq_status bk_db_commit(bk_db *db, xq_err *err);

/* ---- reading ---- */

typedef struct bk_db_info {
    uint64_t games; /* not deleted */
    uint64_t deleted;
    uint64_t last_id;
    uint64_t plies;     /* of main lines */
    uint64_t positions; /* postings: (position, game) pairs */
    uint64_t segments;
    uint64_t bytes, bytes_games, bytes_names, bytes_index, bytes_free;
    unsigned version;
} bk_db_info;

/* Sizes count whole pages, slack included; they are read from LMDB's own
 * statistics. */
xq_status bk_db_get_info(bk_db *db, bk_db_info *info, xq_err *err);

/* A stored game as libpgn knows it, in memory of `arena`.  problems are not
 * stored.  XQ_ENOTFOUND when the id is unknown or deleted. */
xq_status bk_db_get(bk_db *db, uint64_t id, xq_arena *arena, pgn_game **game,
                    xq_err *err);

/* Change tags / take out.  Small transactions of their own.  set: a value
 * with s == NULL removes the tag. */
xq_status bk_db_set_tag(bk_db *db, uint64_t id, xq_str name, xq_str value,
                        xq_err *err);
xq_status bk_db_delete(bk_db *db, uint64_t id, xq_err *err);
/* Would set take it?  For who sets several, and all or none. */
xq_status bk_db_tag_check(xq_str name, xq_str value, xq_err *err);

/* Write a compact copy (no deleted games, one index segment, no free pages)
 * to the file new_path, over what a killed one left there; ids stay.  The
 * caller renames it.  XQ_DONE: stopped. */
xq_status bk_db_compact(bk_db *db, const char *new_path, xq_err *err);

/* Every page, every checksum, every count: pages by pread first, then each
 * value decoded, games replayed, and the index compared with the games it
 * was made from.  XQ_ECORRUPT with the first fault named. */
xq_status bk_db_check(const char *path, bool deep, bk_db_info *info,
                      xq_err *err);

/* ---- searching ---- */

typedef struct bk_query {
    const xq_pos *pos; /* games that reach this position; NULL: all games */
    bool one_wing;     /* not its mirror image */
    bool variations;   /* look into variations too (reads every game) */
    /* Tag filters: NULL or text.  Matching is by part of the value, ASCII
     * case aside.  `player` is Red or Black. */
    const char *red, *black, *player, *event;
    int year_from, year_to;        /* 0: open */
    int result;                    /* -1: any, else pgn_result */
    uint32_t min_plies, max_plies; /* 0: any */
#define BK_NO_PLIES UINT32_MAX     /* max_plies: games without moves only */
} bk_query;

typedef struct bk_hit {
    uint64_t id;
    uint32_t ply;  /* moves played when the position stands, first time */
    bool mirrored; /* it is the mirror image that stands */
    xq_move next;  /* the move played there, on the asker's wing; or none */
    pgn_result result;
    uint32_t plies;
    xq_str red, black, event, date; /* valid until the next call */
} bk_hit;

typedef struct bk_find bk_find;
/* Hits come by rising id.  Sorting by anything else is the caller's. */
xq_status bk_find_open(bk_find **f, bk_db *db, const bk_query *q, xq_err *err);
xq_status bk_find_next(bk_find *f, bk_hit *hit, xq_err *err);
/* How many hits there are, without making them where the index can tell. */
xq_status bk_find_count(bk_find *f, uint64_t *n, xq_err *err);
void bk_find_close(bk_find *f);

/* Year, month and day out of a Date tag as people write it; 0 for unknown
 * parts.  False when it tells no date. */
bool bk_date_parse(xq_str text, int *year, int *month, int *day);

/* ---- near duplicates ---- */

typedef enum bk_near_kind {
    BK_NEAR_SAME,      /* the same moves, something else differs */
    BK_NEAR_MIRROR,    /* the same moves on the other wing */
    BK_NEAR_CONTAINED, /* the first plies of `other`, same players */
} bk_near_kind;

typedef struct bk_near_pair {
    bk_near_kind kind;
    uint64_t id, other; /* other < id, save for BK_NEAR_CONTAINED */
    uint32_t plies;     /* they have in common */
} bk_near_pair;

/* Games of at least min_plies plies that are probably others once more; of
 * several equal ones each is named beside the first.  Pairs come by the
 * rising id of the game that was looked at (`other` for contained ones).
 * Nothing is changed.  Memory: 32 bytes a game. */
typedef struct bk_near bk_near;
xq_status bk_near_open(bk_near **n, bk_db *db, uint32_t min_plies, xq_err *err);
xq_status bk_near_next(bk_near *n, bk_near_pair *pair, xq_err *err);
void bk_near_close(bk_near *n);

#endif
