/* search.h - find the best move.
 *
 *   xq_search *s;
 *   xq_search_options o = {.hash = 64 << 20, .threads = 1};
 *   if (xq_search_open(&s, &o, &err) < 0) ...
 *   xq_limits lim = {.depth = 12};
 *   xq_answer a;
 *   xq_search_go(s, &game, &lim, NULL, NULL, &a);
 *   ... a.best, a.score ...
 *   xq_search_close(s);
 *
 * Scores are from the side to move, in hundredths of a pawn (eval.h), within
 * +-XQ_EVAL_MAX, but for two bands beyond:
 *   mates   XQ_MATE_IN(n) mates in n plies, -XQ_MATE_IN(n) is mated; stalemate
 *           loses too (G-10)
 *   rules   XQ_RULE_IN(n) wins in n plies because the other side may not go on
 *           repeating (perpetual check, chase).  No mate: it can deviate, and
 *           then loses in another way or lasts longer.  Such a score hangs on
 *           the moves before and is never stored in the hash table.
 *
 * With one thread and a depth or node limit the answer is deterministic: same
 * game, same options, same hash contents (xq_search_clear), same bytes. */
#ifndef XQ_SEARCH_H
#define XQ_SEARCH_H

#include "engine/eval.h"
#include "engine/referee.h"

#define XQ_MAX_PLY     128 /* deepest line searched from the root */
#define XQ_MATE        30000
#define XQ_MATE_IN(n)  (XQ_MATE - (int)(n))
#define XQ_IS_MATE(s)  ((s) >= XQ_MATE_IN(2 * XQ_MAX_PLY))
#define XQ_IS_MATED(s) XQ_IS_MATE(-(s))
#define XQ_RULE_IN(n)  (XQ_MATE - 1000 - (int)(n))
#define XQ_IS_RULE(s)                                                          \
    (((s) >= XQ_RULE_IN(2 * XQ_MAX_PLY) && (s) <= XQ_RULE_IN(0)) ||            \
     ((s) <= -XQ_RULE_IN(2 * XQ_MAX_PLY) && (s) >= -XQ_RULE_IN(0)) ||          \
     (s) > XQ_MATE || (s) < -XQ_MATE)

typedef struct xq_search xq_search;

typedef struct xq_search_options {
    size_t hash;            /* bytes of the hash table, from 1 MiB; 0: 16 MiB */
    unsigned threads;       /* 1 to XQ_MAX_THREADS; 0: 1 */
    unsigned multipv;       /* best lines wanted, from 1; 0: 1 */
    xq_ruleset rules;       /* who loses a repetition */
    uint32_t natural_limit; /* plies without a capture that make a draw; 0:
                               there is no such rule, and no default */
    int contempt;           /* what a draw costs the side to move at the root */
} xq_search_options;
#define XQ_MAX_THREADS 256

xq_status xq_search_open(xq_search **out, const xq_search_options *o,
                         xq_err *err);
/* Change options between searches.  On failure the old ones stay: XQ_ELIMIT,
 * or XQ_ENOMEM, also where the system would promise a hash table that it has
 * no memory for. */
xq_status xq_search_set(xq_search *s, const xq_search_options *o, xq_err *err);
/* Forget what earlier searches learned: hash table and histories. */
void xq_search_clear(xq_search *s);
void xq_search_close(xq_search *s);

/* A game up to now: the position where it started (or after the last capture)
 * and the moves since, all legal. */
typedef struct xq_game_line {
    const xq_pos *start;
    const xq_move *moves;
    uint32_t n;
} xq_game_line;

#define XQ_MATE_BEYOND 8 /* plies */
/* When to stop: at the first of those that are not 0. */
typedef struct xq_limits {
    unsigned depth;            /* plies */
    uint64_t nodes;            /* of all threads together */
    uint64_t movetime;         /* ms, spent whole */
    uint64_t clock[2], inc[2]; /* ms left and ms a move, by xq_side */
    unsigned moves_to_go;      /* until the next time control; 0: all */
    unsigned mate;             /* own moves: stop once such a mate is found;
                                  if this is the only limit, also when plies
                                  2 * mate - 1 + XQ_MATE_BEYOND are searched */
    bool infinite;             /* only xq_search_stop ends it, a found mate or a
                                  reached depth does not */
    bool ponder;               /* as infinite, until xq_search_ponderhit */
    uint64_t overhead;         /* ms kept back for the way to the GUI */
    const xq_move *only;       /* search these root moves only (searchmoves) */
    unsigned nonly;
    const xq_move *banned; /* not these (UCCI banmoves) */
    unsigned nbanned;
} xq_limits;

/* A line of the search, whenever one is found; an iteration that a limit or a
 * stop cuts short says last what it came to, so that the last of multipv 1 is
 * the answer, and its nodes are all nodes. */
typedef struct xq_info {
    unsigned depth, seldepth; /* plies */
    unsigned multipv;         /* 1: the best */
    int score;
    int bound; /* -1: score is an upper bound, 1: a lower, 0: it
                  is exact */
    uint64_t nodes, ms;
    unsigned hashfull; /* thousandths of the table used */
    const xq_move *pv; /* valid during the call */
    unsigned npv;
} xq_info;
typedef void xq_info_fn(void *arg, const xq_info *info);

typedef struct xq_answer {
    xq_move best, ponder; /* XQ_NOMOVE: none */
    int score;
    unsigned depth;
    uint64_t nodes, ms;
} xq_answer;

/* Search.  Returns when it is done; `info` (may be NULL) is called from this
 * thread only.  A position without a legal move (or with all of them banned)
 * gives best = XQ_NOMOVE.  XQ_OK or XQ_ENOMEM. */
xq_status xq_search_go(xq_search *s, const xq_game_line *game,
                       const xq_limits *lim, xq_info_fn *info, void *arg,
                       xq_answer *out);
/* From any thread, at any moment: the search under way, or the next one if none
 * is, ends as soon as it has a move. */
void xq_search_stop(xq_search *s);
/* The opponent played the move we pondered on: the clock counts from now; if no
 * search is under way, that of the next one does from its start. */
void xq_search_ponderhit(xq_search *s);
/* Forget an earlier stop and ponderhit.  Called before the thread is started
 * that calls xq_search_go, so that one meant for that search is not lost. */
void xq_search_ready(xq_search *s);

/* What the hash table holds of a position; a score that is not known is 0. */
typedef struct xq_recall {
    xq_move move;      /* legal; XQ_NOMOVE: unknown */
    bool lower, upper; /* the true score is at least, at most `score` */
    int score;
    unsigned depth; /* plies that were searched */
} xq_recall;
/* From any thread that is not about to change options, also during a search.
 * False: the position is not there. */
bool xq_search_recall(const xq_search *s, const xq_pos *p, xq_recall *out);

/* Static exchange evaluation: is the material that m wins or loses on its
 * target square, both sides taking back with the least piece, at least
 * `least`?  In the values of search (rook 1000 or so). */
bool xq_see(const xq_pos *p, xq_move m, int least);

#endif
