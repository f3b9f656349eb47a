/* tune_sample.c - quiet positions of games, with result and score.
 *
 * A position stands for itself only when nothing is about to be taken: what
 * hangs is the search's business, and would teach the weights wrong.  Hence
 * those in check, those with a capture that wins something and those whose
 * best move is a capture stay out.
 *
 * Masters seldom stand a piece down or put one where it is bad, so their games
 * say little about what the search meets all the time.  For each position of a
 * game another one is taken that strays from it by a few random moves: it has
 * a score of its own, but the game's result is not its result. */
#include "tools/tune.h"

#include "engine/rules.h"
#include "engine/search.h"
#include "libpgn/reader.h"

#include <inttypes.h>
#include <stdlib.h>

/* Openings are played from memory, and a book knows them better. */
enum { FIRST_PLY = 10, STRAY_PLIES = 4 };
/* What is won is won: such scores say nothing of single terms. */
enum { SCORE_MAX = 1500 };

/* ---- positions met ---- */

static bool seen_put(tune_seen *s, xq_key key)
{
    size_t i = (size_t)(key % s->cap);
    while (s->keys[i] && s->keys[i] != key)
        i = i + 1 == s->cap ? 0 : i + 1;
    if (s->keys[i])
        return false;
    s->keys[i] = key;
    s->n++;
    return true;
}

/* XQ_OK when the key is new, XQ_DONE when it was there. */
static xq_status seen_add(tune_seen *s, xq_key key, xq_err *err)
{
    if (s->n >= s->cap / 2) {
        tune_seen more = {.cap = s->cap ? 2 * s->cap : 1 << 16};
        more.keys = calloc(more.cap, sizeof *more.keys);
        if (!more.keys)
            return xq_fail(err, XQ_ENOMEM, "out of memory");
        for (size_t i = 0; i < s->cap; i++)
            if (s->keys[i])
                seen_put(&more, s->keys[i]);
        free(s->keys);
        *s = more;
    }
    /* One key is lost to "free": no harm is done. */
    return seen_put(s, key ? key : 1) ? XQ_OK : XQ_DONE;
}

/* ---- one position ---- */

static bool is_calm(const xq_pos *p)
{
    if (xq_in_check(p, p->side))
        return false;
    xq_movelist list;
    xq_gen_legal(p, &list);
    for (unsigned i = 0; i < list.n; i++)
        if (p->at[xq_move_to(list.m[i])] != XQ_EMPTY && xq_see(p, list.m[i], 1))
            return false;
    return list.n > 0;
}

/* Write the position if it is fit and new. */
static xq_status take(tune_sampler *s, const xq_pos *p, pgn_result result,
                      FILE *f, xq_err *err)
{
    if (!is_calm(p))
        return XQ_OK;
    bool mirrored;
    xq_status rc = seen_add(&s->seen, xq_canon_key(p, &mirrored), err);
    if (rc != XQ_OK)
        return rc == XQ_DONE ? XQ_OK : rc;
    /* Searched as if it were the first: its score must not hang on others. */
    xq_search_clear(s->search);
    const xq_game_line line = {p, NULL, 0};
    const xq_limits lim = {.nodes = s->recipe.nodes};
    xq_answer a;
    rc = xq_search_go(s->search, &line, &lim, NULL, NULL, &a);
    if (rc != XQ_OK)
        return xq_fail(err, rc, "out of memory");
    if (a.best == XQ_NOMOVE || p->at[xq_move_to(a.best)] != XQ_EMPTY ||
        abs(a.score) > SCORE_MAX)
        return XQ_OK;
    char fen[XQ_FEN_MAX];
    xq_fen_format(p, fen);
    cli_printf(f, "%s\t%s\t%d\n", fen, pgn_result_text(result),
               p->side == XQ_RED ? a.score : -a.score);
    s->taken++;
    return XQ_OK;
}

/* Some random moves from here; false when the game ended by them. */
static bool stray(xq_pos *p, uint64_t *rnd)
{
    for (unsigned n = 1 + (unsigned)(tune_rnd(rnd) % STRAY_PLIES); n; n--) {
        xq_movelist list;
        xq_gen_legal(p, &list);
        if (list.n == 0)
            return false;
        xq_pos_make(p, list.m[tune_rnd(rnd) % list.n], NULL);
    }
    return true;
}

/* ---- one game ---- */

/* What is drawn depends on the moves alone, so that a game that stands in two
 * collections gives the same positions twice, and counts once. */
static xq_status take_game(tune_sampler *s, const pgn_game *g, FILE *f,
                           xq_err *err)
{
    xq_pos end = g->start;
    for (uint32_t i = 0; i < g->plies; i++)
        xq_pos_make(&end, g->main[i], NULL);
    uint64_t rnd = s->recipe.seed * UINT64_C(0x2545F4914F6CDD1D) ^ end.key;
    xq_status rc = XQ_OK;
    for (uint64_t n = 0; n < s->recipe.each && rc == XQ_OK; n++) {
        const uint32_t ply =
            FIRST_PLY + (uint32_t)(tune_rnd(&rnd) % (g->plies - FIRST_PLY));
        xq_pos p = g->start;
        for (uint32_t i = 0; i < ply; i++)
            xq_pos_make(&p, g->main[i], NULL);
        rc = take(s, &p, g->result, f, err);
        if (rc == XQ_OK && stray(&p, &rnd))
            rc = take(s, &p, PGN_UNKNOWN, f, err);
    }
    s->games++;
    return rc;
}

static bool is_fit(tune_sampler *s, const pgn_game *g)
{
    s->read++;
    if (g->faulty)
        s->faulty++;
    else if (g->result == PGN_UNKNOWN)
        s->no_result++;
    else if (!g->standard)
        s->set_up++;
    else if (g->plies <= 2 * FIRST_PLY)
        s->too_short++;
    else
        return true;
    return false;
}

/* ---- files ---- */

xq_status tune_sample_open(tune_sampler *s, const tune_recipe *r, xq_err *err)
{
    *s = (tune_sampler){.recipe = *r};
    /* Small: it is emptied for each position. */
    const xq_search_options o = {.hash = 1 << 20, .threads = 1};
    return xq_search_open(&s->search, &o, err);
}

xq_status tune_sample_file(tune_sampler *s, const char *path, FILE *f,
                           xq_err *err)
{
    const pgn_reader_options o = {.main_only = true};
    pgn_reader *r = NULL;
    const pgn_game *g;
    xq_status rc = pgn_reader_open(&r, path, &o, err);
    while (rc == XQ_OK && (rc = pgn_reader_next(r, &g, err)) == XQ_OK) {
        if (cli_interrupted())
            break;
        if (is_fit(s, g))
            rc = take_game(s, g, f, err);
    }
    pgn_reader_close(r);
    return rc == XQ_DONE ? XQ_OK : rc;
}

void tune_sample_close(tune_sampler *s)
{
    xq_search_close(s->search);
    free(s->seen.keys);
    s->search = NULL;
    s->seen = (tune_seen){0};
}
