/* search_tree.c - the tree: principal variation search with its pruning.
 *
 * Methods are the common ones of chess programs, their constants chosen for
 * this game and evaluation (a pawn 100, a rook 1000). */
#include "engine/search_parts.h"

static int min(int a, int b) { return a < b ? a : b; }
static int max(int a, int b) { return a > b ? a : b; }

static bool is_decided(int score) /* mate or rule */
{
    return score > XQ_EVAL_MAX || score < -XQ_EVAL_MAX;
}

/* The side to move has pieces whose loss of a tempo costs little: without,
 * passing may be the best move there is. */
static bool may_pass(const struct worker *w)
{
    const xq_pos *p = &w->pos;
    unsigned base = 8u * p->side, n = 0;
    for (unsigned i = p->first[base + XQ_HORSE];
         i < p->first[base + XQ_CANNON + 1]; i++)
        n += p->sq[i] != XQ_NOSQ;
    return n > 0;
}

/* Better than two plies ago? */
static bool is_improving(const struct frame *f)
{
    if (f->check)
        return false;
    for (unsigned back = 2; back <= 4; back += 2)
        if (f[-(int)back].eval != XQ_TT_NO_EVAL)
            return f->eval > f[-(int)back].eval;
    return true;
}

static void take_line(struct frame *f, xq_move m)
{
    f->pv[0] = m;
    for (unsigned i = 0; i < f[1].npv; i++)
        f->pv[i + 1] = f[1].pv[i];
    f->npv = (uint16_t)(f[1].npv + 1);
}

static void pass(struct worker *w, struct frame *f)
{
    f->key = w->pos.key;
    f->move = XQ_NOMOVE;
    f->where = 0;
    w->pos.side ^= 1;
    w->pos.key ^= xq_zobrist_black;
    xq_tt_prefetch(&w->s->tt, w->pos.key);
    f[1].st = f->st;
    f[1].reversible = 0;
    f[1].check = false;
    push_key(w, XQ_NOMOVE, false);
    w->nodes++;
}

static void unpass(struct worker *w, struct frame *f)
{
    pop_key(w);
    w->pos.side ^= 1;
    w->pos.key = f->key;
}

/* If the enemy could move twice and would still be too bad, cut.  Deep cuts
 * are verified without passing, against zugzwang (a stalemate loses here). */
static int try_pass(struct worker *w, struct frame *f, int beta, int depth,
                    int eval)
{
    const int ply = (int)(f - w->root);
    const int reduced = depth - (4 + depth / 4 + min((eval - beta) / 180, 3));
    pass(w, f);
    int score = -xq_search_tree(w, f + 1, -beta, -beta + 1, reduced, true);
    unpass(w, f);
    if (w->stopped || score < beta)
        return -XQ_INFINITE;
    if (is_decided(score))
        score = beta;
    if (w->null_until || depth < 12)
        return score;
    w->null_until = (unsigned)(ply + 3 * max(reduced, 1) / 4);
    w->null_side = w->pos.side;
    const int verified = xq_search_tree(w, f, beta - 1, beta, reduced, false);
    w->null_until = 0;
    return verified >= beta ? score : -XQ_INFINITE;
}

/* How many quiet moves are worth a look. */
static unsigned quiet_limit(int depth, bool improving)
{
    const unsigned d = (unsigned)depth;
    return improving ? 4 + d * d : (4 + d * d) / 2;
}

int xq_search_tree(struct worker *w, struct frame *f, int alpha, int beta,
                   int depth, bool cut)
{
    if (depth <= 0)
        return xq_search_quiet(w, f, alpha, beta, 0);

    struct xq_search *s = w->s;
    const bool pv = beta - alpha > 1;
    const unsigned ply = (unsigned)(f - w->root);
    const xq_move excluded = f->excluded;
    /* An answer may end the game, by the moves before the root: then neither
     * the hash table nor guesses tell what this node is worth. */
    const bool critical = ply == 1 && w->twice;
    int score, old_alpha;
    if (!enter_node(w, f, ply, pv))
        return 0;
    if (!excluded &&
        xq_path_ruled(w, f, pv || ply <= 2 || s->o.rules == XQ_ASIAN, &score))
        return score;
    if (ply >= XQ_MAX_PLY)
        return f->check ? 0 : xq_eval_by(&w->pos, &f->st, &w->shapes);

    /* A mate found elsewhere cannot be bettered from here. */
    alpha = max(alpha, -XQ_MATE_IN(ply));
    beta = min(beta, XQ_MATE_IN(ply + 1));
    if (alpha >= beta)
        return alpha;
    old_alpha = alpha;

    /* ---- the hash table ---- */
    const xq_key key = w->pos.key;
    if (depth >= 3 && !pv && !f->check) /* for try_pass */
        xq_tt_prefetch(&s->tt, key ^ xq_zobrist_black);
    struct xq_tt_hit hit = {.move = XQ_NOMOVE, .eval = XQ_TT_NO_EVAL};
    const bool found = !excluded && xq_tt_probe(&s->tt, key, ply, &hit);
    const bool was_pv = pv || (found && hit.pv);
    if (found && !pv && !critical && hit.depth >= depth && hit.bound &&
        (hit.score >= beta ? hit.bound & XQ_TT_LOWER : hit.bound & XQ_TT_UPPER))
        return hit.score;

    /* ---- static evaluation ---- */
    int eval = -XQ_INFINITE;
    if (f->check) {
        f->eval = XQ_TT_NO_EVAL;
    } else if (!excluded) {
        f->eval = hit.eval != XQ_TT_NO_EVAL
                      ? hit.eval
                      : (int16_t)xq_eval_by(&w->pos, &f->st, &w->shapes);
        eval = f->eval;
        if (found && hit.bound &&
            (hit.score > eval ? hit.bound & XQ_TT_LOWER
                              : hit.bound & XQ_TT_UPPER))
            eval = hit.score;
    } else {
        eval = f->eval;
    }
    const bool improving = is_improving(f);
    f[1].excluded = XQ_NOMOVE;
    f[2].killer[0] = f[2].killer[1] = XQ_NOMOVE;
    f[2].cutoffs = 0;
    f[1].doubles = f->doubles;

    /* ---- cuts without a move ---- */
    if (!pv && !f->check && !excluded && !critical) {
        if (depth <= 3 && eval + 150 + 180 * depth * depth <= alpha) {
            score = xq_search_quiet(w, f, alpha, alpha + 1, 0);
            if (w->stopped)
                return 0;
            if (score <= alpha)
                return score;
        }
        if (depth <= 8 && eval - 80 * (depth - improving) >= beta &&
            eval <= XQ_EVAL_MAX && beta > -XQ_EVAL_MAX)
            return (eval + beta) / 2;
        if (depth >= 3 && eval >= beta && f->eval >= beta - 20 * depth + 100 &&
            f[-1].where != 0 && beta > -XQ_EVAL_MAX && may_pass(w) &&
            (ply >= w->null_until || w->pos.side != w->null_side)) {
            score = try_pass(w, f, beta, depth, eval);
            if (w->stopped)
                return 0;
            if (score > -XQ_INFINITE)
                return score;
        }
    }
    if (depth >= 4 && !hit.move && !excluded && (pv || cut))
        depth--;

    /* ---- the moves ---- */
    struct picker k;
    xq_move tried_quiets[64], tried_captures[32], m, best_move = XQ_NOMOVE;
    unsigned nquiets = 0, ncaptures = 0, moves = 0;
    int best = -XQ_INFINITE;
    bool skip_quiets = false;
    const bool hash_takes = hit.move && w->pos.at[xq_move_to(hit.move)];
    xq_pick_all(&k, w, f, hit.move);
    while ((m = xq_pick_next(&k, skip_quiets)) != XQ_NOMOVE) {
        if (m == excluded)
            continue;
        const bool quiet = w->pos.at[xq_move_to(m)] == XQ_EMPTY;
        const bool check = gives_check(&w->pos, m);
        const int history =
            quiet ? xq_history_quiet(w->history, f, &w->pos, m) : 0;
        int new_depth = depth - 1, reduction, extension = 0;
        moves++;
        reduction = s->lmr[min(depth, 63)][min((int)moves, 63)];

        /* ---- moves not worth a try ---- */
        if (best > -XQ_EVAL_MAX && !critical) {
            if (quiet && !check && !f->check) {
                const int left = max(new_depth - reduction, 0);
                if (moves > quiet_limit(depth, improving))
                    skip_quiets = true;
                if (depth <= 5 && history < -4000 * depth)
                    continue;
                if (left <= 7 && f->eval + 110 + 110 * left <= alpha) {
                    skip_quiets = true;
                    continue;
                }
                if (left <= 7 && !xq_see(&w->pos, m, -30 * left * left))
                    continue;
            } else if (depth <= 8 &&
                       !xq_see(&w->pos, m, quiet ? -60 * depth : -130 * depth))
                continue;
        }

        /* ---- extensions ---- */
        if (ply < 2 * w->depth) {
            if (m == hit.move && !excluded && depth >= 7 &&
                hit.depth >= depth - 3 && hit.bound & XQ_TT_LOWER &&
                !is_decided(hit.score)) {
                /* Is it the only good one? */
                const int singular = hit.score - 2 * depth;
                f->excluded = m;
                score = xq_search_tree(w, f, singular - 1, singular,
                                       (depth - 1) / 2, cut);
                f->excluded = XQ_NOMOVE;
                if (w->stopped)
                    break;
                if (score < singular) {
                    extension = 1;
                    if (!pv && score < singular - 30 && f->doubles < 6) {
                        extension = 2;
                        f[1].doubles = (uint8_t)(f->doubles + 1);
                    }
                } else if (singular >= beta) {
                    pick_end(&k);
                    return singular;
                } else if (hit.score >= beta) {
                    extension = -1;
                }
            } else if (check && (depth <= 6 || pv) && xq_see(&w->pos, m, 0)) {
                extension = 1;
            }
        }
        new_depth += extension;

        f->history = history;
        path_make(w, f, m, check);

        /* ---- search it, reduced at first ---- */
        if (depth >= 2 && moves > 1u + pv && (quiet || moves > 4)) {
            int r = reduction;
            if (cut)
                r += 1 + !hash_takes;
            if (!improving)
                r++;
            if (hash_takes && quiet)
                r++;
            if (f[1].cutoffs > 3)
                r++;
            if (was_pv)
                r -= 1 + pv;
            if (check || f->check)
                r--;
            if (m == k.killer[0] || m == k.killer[1])
                r--;
            r -= history / 9000;
            if (!quiet)
                r -= 1;
            const int d = min(max(new_depth - r, 1), new_depth);
            score = -xq_search_tree(w, f + 1, -alpha - 1, -alpha, d, true);
            if (score > alpha && d < new_depth && !w->stopped)
                score = -xq_search_tree(w, f + 1, -alpha - 1, -alpha, new_depth,
                                        !cut);
        } else if (!pv || moves > 1) {
            score =
                -xq_search_tree(w, f + 1, -alpha - 1, -alpha, new_depth, !cut);
        }
        if (pv && !w->stopped && (moves == 1 || score > alpha))
            score = -xq_search_tree(w, f + 1, -beta, -alpha, new_depth, false);
        path_unmake(w, f);
        f[1].doubles = f->doubles;
        if (w->stopped)
            break;

        if (score > best) {
            best = score;
            if (score > alpha) {
                best_move = m;
                if (pv)
                    take_line(f, m);
                if (score >= beta) {
                    f->cutoffs++;
                    break;
                }
                alpha = score;
                /* What is not better will hardly be deep. */
                if (depth > 2 && depth < 10 && !is_decided(score))
                    depth--;
            }
        }
        if (quiet && nquiets < 64)
            tried_quiets[nquiets++] = m;
        else if (!quiet && ncaptures < 32)
            tried_captures[ncaptures++] = m;
    }
    pick_end(&k);
    if (w->stopped)
        return 0;

    if (moves == 0) /* G-10: mate or stalemate; or only the excluded move */
        return excluded ? alpha : -XQ_MATE_IN(ply);
    if (best_move && best >= beta)
        xq_history_reward(w, f, depth, best_move, tried_quiets, nquiets,
                          tried_captures, ncaptures);
    if (!excluded) {
        hit = (struct xq_tt_hit){
            .move = best_move,
            .score = (int16_t)best,
            .eval = f->eval,
            .depth = (int8_t)depth,
            .bound = best >= beta             ? XQ_TT_LOWER
                     : pv && best > old_alpha ? XQ_TT_EXACT
                                              : XQ_TT_UPPER,
            .pv = was_pv,
        };
        xq_tt_store(&s->tt, key, ply, &hit);
    }
    return best;
}
