/* rulings.c - all rulings on a game, from its first ply to its last. */
#include "tools/rulings.h"

#include <stdlib.h>
#include <string.h>

/* ---- how often a position has stood ---- */

/* The table maps keys to the last ply at which they stood, plus 1; open
 * addressing, at most half full, emptied for each game. */
static bool make_room(rulings *r, uint32_t plies)
{
    const size_t n = (size_t)plies + 1;
    if (n <= r->cap)
        return true;
    size_t cap = 256;
    while (cap < n)
        cap *= 2;
    rulings_free(r);
    r->keys = malloc(cap * sizeof *r->keys);
    r->mirror = malloc(cap * sizeof *r->mirror);
    r->times = malloc(cap * sizeof *r->times);
    r->back = malloc(cap * sizeof *r->back);
    r->table = malloc(2 * cap * sizeof *r->table);
    if (!r->keys || !r->mirror || !r->times || !r->back || !r->table) {
        rulings_free(r);
        return false;
    }
    r->cap = cap;
    return true;
}

/* Fill in times[] and back[]; returns the highest times[]. */
static uint32_t count_times(rulings *r, uint32_t plies)
{
    size_t slots = 256;
    uint32_t most = 0;
    while (slots < 2 * ((size_t)plies + 1))
        slots *= 2;
    memset(r->table, 0, slots * sizeof *r->table);
    for (uint32_t i = 0; i <= plies; i++) {
        size_t at = (size_t)r->keys[i] & (slots - 1);
        while (r->table[at] && r->keys[r->table[at] - 1] != r->keys[i])
            at = (at + 1) & (slots - 1);
        const uint32_t before = r->table[at]; /* plus 1 */
        r->times[i] = before ? r->times[before - 1] + 1 : 1;
        r->back[i] = before ? i - (before - 1) : 0;
        r->table[at] = i + 1;
        if (r->times[i] > most)
            most = r->times[i];
    }
    return most;
}

/* ---- runs ---- */

/* Can `limit` plies without a capture have come together?  (Not all of them
 * need count: L-02.) */
static bool may_reach(const pgn_game *g, uint32_t limit)
{
    const uint64_t before = g->start.halfmove;
    if (!limit || before + g->plies < limit)
        return false;
    bool taken[XQ_SQUARES];
    uint64_t quiet = before;
    for (xq_sq s = 0; s < XQ_SQUARES; s++)
        taken[s] = g->start.at[s] != XQ_EMPTY;
    for (uint32_t i = 0; i < g->plies && quiet < limit; i++) {
        const xq_sq to = xq_move_to(g->main[i]);
        quiet = taken[to] ? 0 : quiet + 1;
        taken[xq_move_from(g->main[i])] = false;
        taken[to] = true;
    }
    return quiet >= limit;
}

bool rulings_begin(rulings *r, const xq_profile *profile, const pgn_game *g)
{
    if (!make_room(r, g->plies))
        return false;
    r->profile = *profile;
    r->game = g;
    r->at = 0;
    xq_line_keys(&g->start, g->main, g->plies, r->keys, r->mirror);
    r->here = g->start;
    r->here_ply = r->quiet_ply = 0;
    r->may_limit = may_reach(g, profile->natural_limit);
    r->quiet = count_times(r, g->plies) < profile->repetitions &&
               !r->may_limit && !profile->bare_draw;
    return true;
}

bool rulings_quiet(const rulings *r) { return r->quiet; }

/* Does the repetition at `ply` go on as the one at the ply before, round the
 * same cycle?  Then it is judged the same. */
static bool same_cycle(const rulings *r, uint32_t ply)
{
    return r->times[ply] >= r->profile.repetitions &&
           r->times[ply - 1] >= r->profile.repetitions &&
           r->back[ply] == r->back[ply - 1];
}

/* ---- a cursor, so that ruling on every ply does not replay the game ---- */

static void go_to(rulings *r, uint32_t ply)
{
    if (r->here_ply > ply) {
        r->here = r->game->start;
        r->here_ply = r->quiet_ply = 0;
    }
    while (r->here_ply < ply) {
        const xq_move m = r->game->main[r->here_ply++];
        if (r->here.at[xq_move_to(m)] != XQ_EMPTY)
            r->quiet_ply = r->here_ply;
        xq_pos_make(&r->here, m, NULL);
    }
}

/* Judge the plies since the position after `ply` last stood; false when a
 * capture lies between (then two keys are equal by chance). */
static bool judge_window(rulings *r, uint32_t ply, xq_ruling *out)
{
    const uint32_t n = r->back[ply];
    go_to(r, ply);
    if (!n || n % 2 || ply - n < r->quiet_ply)
        return false;
    xq_pos first = r->here;
    for (uint32_t i = ply; i-- > ply - n;) { /* nothing was taken: go back */
        const xq_move m = r->game->main[i];
        xq_pos_make(&first, xq_move_make(xq_move_to(m), xq_move_from(m)), NULL);
    }
    xq_judge_window(&r->profile, &first, r->game->main + (ply - n), n, out);
    return true;
}

/* ---- runs, one after the other ---- */

/* The last ply of a run of repetitions that begins at `ply`: another way
 * through the same positions is judged anew. */
static uint32_t run_end(rulings *r, const xq_ruling *first, uint32_t ply)
{
    xq_ruling next;
    for (; ply < r->game->plies; ply++) {
        if (r->times[ply + 1] < r->profile.repetitions)
            break;
        if (same_cycle(r, ply + 1))
            continue;
        if (!judge_window(r, ply + 1, &next) ||
            next.outcome != first->outcome ||
            strcmp(next.article, first->article) != 0)
            break;
    }
    return ply;
}

/* The next ply that a rule may end the game at. */
static uint32_t next_test(const rulings *r)
{
    uint32_t ply = r->at;
    if (r->profile.bare_draw || (r->profile.natural_limit && r->may_limit))
        return ply;
    while (ply < r->game->plies && r->times[ply] < r->profile.repetitions)
        ply++;
    return ply;
}

bool rulings_next(rulings *r, ruling_run *run)
{
    const pgn_game *g = r->game;
    if (r->at > g->plies)
        return false;
    xq_referee(&r->profile, &g->start, g->main, g->plies, next_test(r), r->keys,
               &run->ruling);
    run->last = run->ruling.to_ply;
    switch (run->ruling.ending) {
    case XQ_GOES_ON:
        r->at = g->plies + 1;
        return false;
    case XQ_REPEATED:
        run->last = run_end(r, &run->ruling, run->last);
        break;
    case XQ_LIMIT_REACHED:
        r->profile.natural_limit = 0;
        break;
    case XQ_BARE:
        r->profile.bare_draw = false;
        break;
    default:
        break;
    }
    r->at = run->last + 1;
    return true;
}

bool rulings_at_end(rulings *r, ruling_run *run)
{
    uint32_t ply = r->game->plies;
    while (ply > 0 && same_cycle(r, ply))
        ply--;
    r->at = ply;
    return rulings_next(r, run) && run->last == r->game->plies;
}

void rulings_free(rulings *r)
{
    free(r->keys);
    free(r->mirror);
    free(r->times);
    free(r->back);
    free(r->table);
    *r = (rulings){0};
}

/* ---- and the result ---- */

pgn_result rulings_result(xq_outcome o)
{
    switch (o) {
    case XQ_DRAW:
        return PGN_DRAW;
    case XQ_RED_LOSES:
        return PGN_BLACK_WINS;
    case XQ_BLACK_LOSES:
        return PGN_RED_WINS;
    default:
        return PGN_UNKNOWN;
    }
}

bool rulings_contradict(const pgn_game *g, const ruling_run *run)
{
    const pgn_result due = rulings_result(run->ruling.outcome);
    return run->last == g->plies && !g->faulty && !g->skipped &&
           due != PGN_UNKNOWN && g->result != PGN_UNKNOWN && g->result != due;
}
