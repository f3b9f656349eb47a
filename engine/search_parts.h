/* search_parts.h - what the files of the search share.  Not public.
 *
 *   search.c        opening, options, threads, stop
 *   search_root.c   root moves, deepening, windows, reports
 *   search_tree.c   the tree: alpha-beta and all its pruning
 *   search_mate.c   looking for a mate only
 *   search_quiet.c  its leaves: captures until it is quiet
 *   repeat.c        repetitions and limits along a path
 *   movepick.c      moves, most promising first
 *   history.c       what was learned about moves
 *   see.c           exchanges on one square
 *   time.c          when to stop
 *   tt.c            the hash table
 *   memory.c        is there memory for it
 *
 * A worker is one thread with all it owns; workers share the hash table and a
 * few atomics of struct xq_search, nothing else. */
#ifndef XQ_SEARCH_PARTS_H
#define XQ_SEARCH_PARTS_H

#include "engine/internal.h"
#include "engine/search.h"
#include "engine/tt.h"

#include <pthread.h>
#include <stdatomic.h>

#define XQ_INFINITE 32000 /* beyond any score */

/* Two ways to lose by rule in n plies.  Inside the tree a position that comes
 * back once foretells it: there is time left to think of something better,
 * so it is not as bad as a mate (XQ_RULE_IN).  The occurrence that ends the
 * game is worse than any mate: another move may lose too, but not at
 * once.  The caller is shown both as XQ_RULE_IN. */
#define XQ_OVER_IN(n) (XQ_MATE + 1000 - (int)(n))

/* ---- moves in order (movepick.c) ---- */

struct scored {
    xq_move move;
    int32_t score;
};

/* Which piece went where: an index into the histories.  0 stands for a null
 * move and for what was before the root. */
#define XQ_WHERES (16 * XQ_SQUARES)
XQ_INLINE unsigned where_of(xq_piece piece, xq_sq to)
{
    return piece * 90u + to;
}

/* ---- what was learned about moves (history.c) ---- */

/* Each number lies within +-XQ_HISTORY_MAX and moves towards what happens. */
#define XQ_HISTORY_MAX 16384
struct history {
    int16_t quiet[2][XQ_SQUARES][XQ_SQUARES];    /* side, from, to */
    int16_t capture[16][XQ_SQUARES][8];          /* piece, to, kind taken */
    int16_t after[2][XQ_WHERES][8 * XQ_SQUARES]; /* one, two plies before;
                                                    kind and to */
    xq_move counter[XQ_WHERES];                  /* best answer to a move */
};

/* ---- one ply of the path ---- */

struct frame {
    xq_eval_state st;
    struct board_undo undo;
    xq_key key; /* of the position before the move */
    xq_move move;
    uint16_t where;    /* of the move */
    uint16_t halfmove; /* before it */
    xq_move killer[2], excluded;
    int16_t eval;        /* XQ_TT_NO_EVAL in check */
    bool check;          /* the side to move is in check */
    uint8_t doubles;     /* extensions by two so far on the path */
    uint16_t reversible; /* plies since the last capture or null move */
    uint16_t npv;
    int history;      /* of the move */
    unsigned cutoffs; /* of the children of this node's children */
    xq_move pv[XQ_MAX_PLY + 1];
};

struct root_move {
    xq_move move;
    int score, previous; /* -XQ_INFINITE: not better than the best */
    int bound;           /* of score, as in xq_info */
    unsigned depth;      /* of the iteration that it is from */
    int ruled;           /* XQ_INFINITE: not decided by rule */
    unsigned seldepth, npv;
    uint64_t nodes;
    xq_move pv[XQ_MAX_PLY + 1];
};

struct worker {
    struct xq_search *s;
    unsigned index; /* 0: the thread that called xq_search_go */
    pthread_t thread;
    bool started;

    xq_pos pos;
    struct frame frames[XQ_MAX_PLY + 12], *root; /* some before the root */
    struct history *history;
    xq_shapes shapes;
    struct scored *moves, *moves_top; /* a stack for all move lists */

    /* The game from its last capture, then the path: keys of positions, the
     * move that led to each, and whether it gave check. */
    xq_key *keys;
    xq_move *line;
    uint8_t *checks;
    uint32_t nkeys, root_key;
    bool twice; /* a position of the game occurred twice: the next may end it */
    uint16_t seen[4096]; /* how many of the keys fall here */

    struct root_move *root_moves;
    unsigned nroot, first_root; /* first: MultiPV's line being searched */
    unsigned depth, seldepth;   /* of the iteration under way */
    unsigned done;              /* the last iteration completed */
    unsigned null_until;        /* verifying a null move up to this ply */
    bool null_side;
    bool stopped;
    bool mate_cut;       /* stopped, but only the search for a mate is */
    uint64_t mate_until; /* the nodes at which that one ends */

    uint64_t nodes, next_look; /* look at the clock when nodes reach it */
    _Atomic uint64_t shared_nodes;
};

/* ---- time (time.c) ---- */

struct timer {
    _Atomic uint64_t start; /* ms */
    uint64_t soft, hard;    /* ms from the start, 0: none */
    uint64_t nodes;         /* 0: none */
    bool waits;             /* infinite */
    _Atomic bool ponder;
};

struct xq_search {
    xq_search_options o;
    xq_profile profile; /* o.rules */
    xq_tt tt;
    struct worker **workers;
    unsigned nworkers;
    uint8_t lmr[64][64]; /* by depth and number of the move */

    /* This search. */
    const xq_game_line *game;
    const xq_limits *lim;
    xq_info_fn *info;
    void *info_arg;
    struct timer timer;
    xq_side side;      /* to move at the root */
    uint32_t limit_at; /* value of pos.halfmove at the natural limit, with the
                          plies that it does not count; UINT32_MAX: none */
    unsigned max_depth;
    atomic_bool begun; /* there is something to answer with */
    atomic_bool halt;  /* this search must end: asked for, or done */

    /* Asked for from outside, perhaps before the search is under way. */
    atomic_bool stop, hit;
    pthread_mutex_t lock; /* for waiting */
    pthread_cond_t wake;
};

/* ---- the path ---- */

/* Would the other side's king be attacked after m, a legal move?  It is not
 * now. */
XQ_INLINE bool gives_check(const xq_pos *p, xq_move m)
{
    const uint64_t column = UINT64_C(1) | UINT64_C(1) << 10 |
                            UINT64_C(1) << 20 | UINT64_C(1) << 30 |
                            UINT64_C(1) << 40;
    xq_sq from = xq_move_from(m), to = xq_move_to(m);
    unsigned side = p->side;
    xq_piece piece = p->at[from];
    xq_sq king = xq_pos_king(p, (xq_side)(side ^ 1));
    unsigned f = 10u + xq_file_of[king], r = xq_rank_of[king];
    uint64_t lands = xq_line_bit[f][to], gone = xq_line_bit[f][from] | lands;
    uint64_t file =
        (p->line[f] & ~(gone * column)) | lands * xq_line_word[piece];
    unsigned hit = line_attacks(file, r, side);
    lands = xq_line_bit[r][to];
    gone = xq_line_bit[r][from] | lands;
    uint64_t rank =
        (p->line[r] & ~(gone * column)) | lands * xq_line_word[piece];
    hit |= line_attacks(rank, f - 10, side);
    if (hit)
        return true;
    const uint8_t *legs = xq_horse_leg[king];
    if (xq_piece_kind(piece) == XQ_PAWN && half_of(to) == half_of(king) &&
        xq_pawn_from[king] & bit_of(to))
        return true;
    if (xq_piece_kind(piece) == XQ_HORSE && legs[to] != XQ_NOSQ &&
        (p->at[legs[to]] == XQ_EMPTY || legs[to] == from))
        return true;
    unsigned horse = xq_piece_of((xq_side)side, XQ_HORSE);
    for (unsigned i = p->first[horse]; i < p->first[horse + 1]; i++)
        if (legs[p->sq[i]] == from && p->sq[i] != from)
            return true;
    return false;
}

XQ_INLINE void push_key(struct worker *w, xq_move m, bool check)
{
    w->keys[w->nkeys] = w->pos.key;
    w->line[w->nkeys] = m;
    w->checks[w->nkeys++] = check;
    w->seen[w->pos.key % 4096]++;
}
XQ_INLINE void pop_key(struct worker *w)
{
    w->seen[w->keys[--w->nkeys] % 4096]--;
}

/* The key after m; the hash table is asked to have it at hand. */
XQ_INLINE void expect(const struct worker *w, xq_move m)
{
    const xq_pos *p = &w->pos;
    xq_sq from = xq_move_from(m), to = xq_move_to(m);
    const struct xq_zobrist *z = xq_zobrist[p->at[from]];
    xq_tt_prefetch(&w->s->tt, p->key ^ z[from].key ^ z[to].key ^
                                  xq_zobrist[p->at[to]][to].key ^
                                  xq_zobrist_black);
}

/* Play m, a legal move, on the worker's board; f[1] becomes its frame.
 * Mirror keys and round numbers are not kept here. */
XQ_INLINE void path_make(struct worker *w, struct frame *f, xq_move m,
                         bool check)
{
    xq_pos *p = &w->pos;
    xq_sq from = xq_move_from(m), to = xq_move_to(m);
    xq_piece piece = p->at[from], taken = p->at[to];
    f->key = p->key;
    f->halfmove = p->halfmove;
    f->move = m;
    f->where = (uint16_t)where_of(piece, to);
    p->key ^= xq_zobrist[piece][from].key ^ xq_zobrist[piece][to].key ^
              xq_zobrist[taken][to].key ^ xq_zobrist_black;
    f[1].st = f->st;
    xq_eval_move(&f[1].st, p, m);
    board_make(p, m, &f->undo);
    p->halfmove =
        taken ? 0 : (uint16_t)(p->halfmove + (p->halfmove < UINT16_MAX));
    f[1].reversible = taken ? 0 : (uint16_t)(f->reversible + 1);
    f[1].check = check;
    push_key(w, m, check);
    w->nodes++;
}

XQ_INLINE void path_unmake(struct worker *w, struct frame *f)
{
    pop_key(w);
    board_unmake(&w->pos, &f->undo);
    w->pos.key = f->key;
    w->pos.halfmove = f->halfmove;
}

/* ---- repetitions and limits (repeat.c) ---- */

/* Put the worker at the end of the game.  XQ_ENOMEM. */
xq_status xq_path_begin(struct worker *w, const xq_game_line *game,
                        xq_err *err);
/* Is the position at the end of the path decided by rule?  exact: chases are
 * judged too, not checks only (which is always so when the game is over).
 * *score: from the side to move. */
bool xq_path_ruled(struct worker *w, const struct frame *f, bool exact,
                   int *score);
/* Just the natural limit of that (L-01): cheap. */
bool xq_path_over_limit(const struct worker *w);
XQ_INLINE bool path_at_limit(const struct worker *w)
{
    return w->pos.halfmove >= w->s->limit_at && xq_path_over_limit(w);
}
/* What a draw is worth to the side to move. */
XQ_INLINE int draw_score(const struct worker *w)
{
    int contempt = w->s->o.contempt;
    return w->pos.side == w->s->side ? -contempt : contempt;
}

/* ---- exchanges (see.c) ---- */

extern const int16_t xq_see_value[8]; /* by kind */

/* ---- picking moves (movepick.c) ---- */

struct picker {
    struct worker *w;
    const xq_pos *p;
    const struct history *h;
    const struct frame *f;
    xq_move hash, killer[2], counter;
    unsigned stage;
    int least;   /* captures that win less come last, or not at all */
    bool checks; /* quiet moves that give check are wanted */
    bool looked;
    xq_sq king;
    struct xq_lookout look;
    struct scored *next, *end, *bad_end, *begin;
};

/* All moves of a node of the tree; the answers to a check in any node. */
void xq_pick_all(struct picker *k, struct worker *w, struct frame *f,
                 xq_move hash);
/* Captures that win at least `least`; then, if wanted, quiet checks. */
void xq_pick_captures(struct picker *k, struct worker *w, struct frame *f,
                      xq_move hash, int least, bool checks);
/* The next legal move; XQ_NOMOVE at the end.  Bad captures come last. */
xq_move xq_pick_next(struct picker *k, bool skip_quiets);
/* Gives the picker's room on the stack of moves back. */
XQ_INLINE void pick_end(struct picker *k) { k->w->moves_top = k->begin; }

/* ---- histories (history.c) ---- */

void xq_history_clear(struct history *h);
int xq_history_quiet(const struct history *h, const struct frame *f,
                     const xq_pos *p, xq_move m);
/* `best` was too good, the others tried before it were not. */
void xq_history_reward(struct worker *w, struct frame *f, int depth,
                       xq_move best, const xq_move *quiets, unsigned nquiets,
                       const xq_move *captures, unsigned ncaptures);

/* ---- the tree ---- */

int xq_search_tree(struct worker *w, struct frame *f, int alpha, int beta,
                   int depth, bool cut);
int xq_search_quiet(struct worker *w, struct frame *f, int alpha, int beta,
                    int depth);
/* Deepen until there is reason to stop; the worker's root moves hold the
 * result, best first. */
void xq_search_deepen(struct worker *w);
/* Look for a mate in s->lim->mate own moves, for so many nodes.  Found: it is
 * proved, and stands in root_moves[0].  None: it is proved that there is none.
 * Open: the nodes did not suffice, or the search was stopped. */
enum xq_mate_search { XQ_MATE_FOUND, XQ_MATE_NONE, XQ_MATE_OPEN };
enum xq_mate_search xq_search_mate(struct worker *w, uint64_t nodes);
/* Does root_moves[0] mate as s->lim->mate wants it? */
bool xq_search_has_mate(const struct worker *w);
/* A score as the caller knows it. */
int xq_shown_score(int score);
/* Tell the caller of a line, from the thread that called xq_search_go. */
void xq_search_report(struct worker *w, unsigned line, int bound);

/* ---- time (time.c) ---- */

uint64_t xq_now_ms(void);
void xq_timer_start(struct timer *t, const xq_limits *lim, xq_side side,
                    uint32_t ply);
/* The time of pondering is over, the clock counts from now. */
void xq_timer_hit(struct timer *t);
/* Once in a while: may this worker go on?  Sets w->stopped. */
void xq_timer_look(struct worker *w);

/* What every node does first.  False: the search is over. */
XQ_INLINE bool enter_node(struct worker *w, struct frame *f, unsigned ply,
                          bool pv)
{
    if (pv)
        f->npv = 0;
    if (w->nodes >= w->next_look) {
        xq_timer_look(w);
        if (w->stopped)
            return false;
    }
    if (ply > w->seldepth)
        w->seldepth = ply;
    return true;
}
uint64_t xq_timer_elapsed(const struct timer *t);
/* After an iteration of the main thread: is another one worth starting?
 * stability: iterations in a row with the same best move; drop: how much the
 * score fell; share: thousandths of the nodes spent on the best move. */
bool xq_timer_enough(const struct timer *t, unsigned stability, int drop,
                     unsigned share);
uint64_t xq_search_nodes(const struct xq_search *s);

#endif
