/* book.h - the opening book: position -> moves with their results.
 *
 *   bk_maker_open(&m, path, &opts, &err);        build
 *   bk_rows_add(&rows, game, &filter);           any thread
 *   bk_maker_add(m, &rows, &added, &dup, &err);  one thread
 *   bk_maker_put(m, &tally, &err);               what another book says
 *   bk_maker_finish(m, &err);                    writes beside, renames
 *
 *   bk_book_open(&b, path, &err);                look up
 *   bk_book_find(b, &pos, &entry, NULL, &err);   copies out; about 1 us warm
 *   bk_book_close(b);
 *
 * Keys are canonical (key.h): a game and its mirror image count in the same
 * entries, moves are stored mirrored to match and turned back to the asker's
 * wing.  A --one-wing book keeps plain keys and says so in its header.
 * A game counts once for a position and once for a (position, move), however
 * often it repeats them.  The position in which a game ends is stored too.
 * Exact duplicates (game.h) are counted once: a book keeps the digests of
 * its games.  The same games give the same bytes in any order. */
#ifndef BK_BOOK_H
#define BK_BOOK_H

#include "bookdb/sort.h"
#include "bookdb/store.h"
#include "libpgn/game.h"

/* Games by result; by_result is indexed by pgn_result. */
typedef struct bk_counts {
    union {
        struct {
            uint32_t unknown, red, black, draw;
        };
        uint32_t by_result[4];
    };
} bk_counts;

typedef struct bk_book_move {
    xq_move move;
    bk_counts counts;   /* games that played it here */
    uint32_t reached;   /* games that reached the position after it by any
                           order of moves (0: not looked up) */
    uint32_t weight;    /* for choosing; see bk_book_weight */
    bool weight_given;  /* stored (imported), not worked out from counts */
    uint32_t elo_games; /* games whose mover had a rating, and their sum */
    uint64_t elo_sum;
    uint16_t last_year; /* 0 unknown */
} bk_book_move;

/* No position of a game has more moves.  (An odd one can: of its moves those
 * with the lowest numbers are kept.) */
#define BK_BOOK_MOVES 128

typedef struct bk_entry {
    xq_key key;       /* as stored */
    bk_counts counts; /* games that reached this position */
    unsigned n;
    bk_book_move moves[BK_BOOK_MOVES]; /* find: most played first, ties by
                                          the mover's score, then by move;
                                          cursor: by move */
} bk_entry;

/* ---- building ---- */

typedef struct bk_filter {
    uint32_t max_ply; /* moves after it are left out; 0: all */
    uint32_t min_elo; /* both players' ratings, where the option is given */
    int since;        /* year; games without a date are left out then */
    const char *player;
    bool one_wing;
} bk_filter;

/* The rows of one or more games, made by any thread. */
typedef struct bk_rows {
    bk_rec *recs;
    uint32_t n, cap;
    pgn_digest *digests; /* a game each */
    uint32_t *ends;      /* recs of game i end before ends[i] */
    uint32_t ngames, games_cap;
    bool failed; /* memory ran out: something is missing */
    /* private: what the game at hand has counted */
    struct bk_rows_slot {
        uint32_t stamp, rec;
    } * slots;
    uint32_t nslots, stamp;
    xq_key *keys;
    uint64_t nkeys;
} bk_rows;

/* Append one game's rows; a game that the filter leaves out adds nothing and
 * returns false. */
bool bk_rows_add(bk_rows *rows, const pgn_game *g, const bk_filter *f);
void bk_rows_clear(bk_rows *rows);
void bk_rows_free(bk_rows *rows);

typedef struct bk_maker bk_maker;

typedef struct bk_maker_options {
    size_t memory; /* 0: 256 MiB; bounds rows, digests and output */
    unsigned threads;
    bool one_wing;
    bool keep_duplicates; /* count a game as often as it comes */
    uint32_t min_games;   /* moves with fewer games are left out */
    const char *base;     /* add to this book: its entries and digests go in */
    bool (*stop)(void);   /* asked now and then by bk_maker_finish; or NULL */
} bk_maker_options;

xq_status bk_maker_open(bk_maker **m, const char *path,
                        const bk_maker_options *o, xq_err *err);
/* *added and *duplicates are increased. */
xq_status bk_maker_add(bk_maker *m, const bk_rows *rows, uint64_t *added,
                       uint64_t *duplicates, xq_err *err);

/* What another book says of a move in a position, or (move XQ_NOMOVE, only
 * `games` counts) of the position itself. */
typedef struct bk_tally {
    xq_key key;        /* canonical, or the plain one in a --one-wing book */
    xq_move move;      /* in that key's frame */
    bool mirrored;     /* said of the mirror image */
    bool weight_given; /* `weight` is stored and stands for the counts */
    uint64_t weight;
    uint64_t games[4]; /* by pgn_result */
    uint64_t elo_games, elo_sum;
    unsigned year; /* 0 unknown */
} bk_tally;

/* Add it to whatever else the maker hears of the move.  Moves that no piece
 * can make (bk_move_storable) are the caller's to leave out.
 *   Many books write a position and its mirror image both.  Where all moves
 * of the two agree in every number they are one entry and count once;
 * otherwise their numbers are added up.
 *   Counts are cut at 32 bits.  Weights that are larger are scaled down, all
 * of a position alike, and none to 0: bk_maker_scaled tells of how many
 * positions, after bk_maker_finish. */
xq_status bk_maker_put(bk_maker *m, const bk_tally *t, xq_err *err);
uint64_t bk_maker_scaled(const bk_maker *m);

/* Sort, count, write beside `path`, rename.  Nothing stands at `path` before
 * this succeeds (a book that was there stays until then).  XQ_DONE: stopped. */
xq_status bk_maker_finish(bk_maker *m, xq_err *err);
/* The kind it makes: with a base the base's, which rows must follow. */
bool bk_maker_one_wing(const bk_maker *m);
void bk_maker_close(
    bk_maker *m); /* after a failure: removes what is unfinished */

/* Merge books of the same kind (one-wing or not; refused otherwise) into a
 * new file: an ordered merge, memory does not grow.  *both receives how many
 * games (digests) stand in more than one book and are therefore counted more
 * than once.  `stop` (or NULL) is asked now and then; XQ_DONE: stopped. */
xq_status bk_book_merge(const char *out, const char *const *in, size_t n,
                        bool (*stop)(void), uint64_t *both, xq_err *err);

/* ---- reading ---- */

typedef struct bk_book bk_book;

/* The file is mapped.  When it is replaced at its path the open book stays as
 * it is; when it is cut short or written over, all that follows is XQ_EIO
 * (bk_store_whole tells what cannot be noticed). */
xq_status bk_book_open(bk_book **b, const char *path, xq_err *err);
void bk_book_close(bk_book *b);

/* What the book knows of p, moves on p's wing, each tested by the rules: one
 * that p does not allow is left out and counted in *dropped (may be NULL).
 * XQ_ENOTFOUND when the position is unknown. */
xq_status bk_book_find(bk_book *b, const xq_pos *p, bk_entry *e,
                       unsigned *dropped, xq_err *err);
/* The entry under a key, moves as stored and not tested by the rules.
 * XQ_OK, XQ_ENOTFOUND or a failure. */
xq_status bk_book_find_key(bk_book *b, xq_key key, bk_entry *e, xq_err *err);
/* Fill `reached` of every move: one more look-up each. */
xq_status bk_book_reached(bk_book *b, const xq_pos *p, bk_entry *e,
                          xq_err *err);

/* The weight of a move for choosing: the stored one, or worked out from the
 * mover's results: 2 * games won + games drawn; games with an unknown result do
 * not count.  0: known, never choose.  Stored ones come from imported books;
 * merging adds them up. */
uint32_t bk_book_weight(const bk_book_move *m, xq_side mover);

/* Sort the moves as bk_book_find does, and fill in `weight`. */
void bk_entry_sort(bk_entry *e, xq_side mover);

/* All entries in key order; moves as stored (canonical frame). */
typedef struct bk_cursor bk_cursor;
xq_status bk_cursor_open(bk_cursor **c, bk_book *b, xq_err *err);
xq_status bk_cursor_next(bk_cursor *c, bk_entry *e, xq_err *err);
void bk_cursor_close(bk_cursor *c);

typedef struct bk_book_info {
    uint64_t positions, moves, games; /* games: digests kept */
    uint64_t bytes;
    bool one_wing;
    unsigned version;
} bk_book_info;
xq_status bk_book_get_info(bk_book *b, bk_book_info *info, xq_err *err);

/* Every page by pread, every checksum, order of keys, counts. */
xq_status bk_book_check(const char *path, bk_book_info *info, xq_err *err);

#endif
