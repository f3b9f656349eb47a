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
    r->table = malloc(2 * cap * sizeof *r->table);
    if (!r->keys || !r->mirror || !r->times || !r->table) {
        rulings_free(r);
        return false;
    }
    r->cap = cap;
    return true;
}

/* Fill in times[]; returns the highest. */
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
        r->times[i] = r->table[at] ? r->times[r->table[at] - 1] + 1 : 1;
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
    r->quiet = count_times(r, g->plies) < profile->repetitions &&
               !may_reach(g, profile->natural_limit) && !profile->bare_draw;
    return true;
}

bool rulings_quiet(const rulings *r) { return r->quiet; }

bool rulings_next(rulings *r, ruling_run *run)
{
    const pgn_game *g = r->game;
    if (r->at > g->plies)
        return false;
    xq_referee(&r->profile, &g->start, g->main, g->plies, r->at, r->keys,
               &run->ruling);
    run->last = run->ruling.to_ply;
    switch (run->ruling.ending) {
    case XQ_GOES_ON:
        r->at = g->plies + 1;
        return false;
    case XQ_REPEATED:
        while (run->last < g->plies &&
               r->times[run->last + 1] >= r->profile.repetitions)
            run->last++;
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
    const uint32_t need = r->profile.repetitions;
    uint32_t ply = r->game->plies;
    while (ply > 0 && r->times[ply] >= need && r->times[ply - 1] >= need)
        ply--;
    r->at = ply;
    return rulings_next(r, run) && run->last == r->game->plies;
}

void rulings_free(rulings *r)
{
    free(r->keys);
    free(r->mirror);
    free(r->times);
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
