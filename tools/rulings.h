/* rulings.h - all rulings on a game, from its first ply to its last.
 *
 *   rulings r = {0};                            one a thread, used again
 *   if (!rulings_begin(&r, &profile, g)) ...no memory
 *   while (rulings_next(&r, &run))
 *       ...after run.ruling.to_ply, and after every ply up to run.last
 *   rulings_free(&r);
 *
 * A game does not end by itself where a position occurs for the third time:
 * it may go on in the same way, or in another.  Plies that follow each other
 * and at each of which a repetition would be ruled upon alike, by the same
 * article, are one *run*.  The natural limit is ruled
 * upon once.
 *
 * Most games have no ruling but a mate at their end: for these, begin costs
 * about as much as their keys. */
#ifndef RULINGS_H
#define RULINGS_H

#include "engine/referee.h"
#include "libpgn/game.h"

typedef struct rulings {
    xq_key *keys;    /* ours; after each ply */
    uint32_t *times; /* ours; how often that position has stood by then */
    uint32_t *back;  /* ours; plies since it last stood, 0 the first time */
    xq_key *mirror;
    uint32_t *table;
    size_t cap;
    /* the game */
    xq_profile profile;
    const pgn_game *game;
    uint32_t at;       /* the next ply to rule upon */
    bool quiet;        /* nothing to rule upon, the end of the game aside */
    bool may_limit;    /* the natural limit may be reached */
    xq_pos here;       /* the position after here_ply plies, the last capture */
    uint32_t here_ply; /* of which is that of quiet_ply */
    uint32_t quiet_ply;
} rulings;

typedef struct ruling_run {
    xq_ruling ruling; /* at its first ply, ruling.to_ply */
    uint32_t last;    /* its last ply */
} ruling_run;

/* The game must stay until the last rulings_next.  False: no memory. */
bool rulings_begin(rulings *r, const xq_profile *profile, const pgn_game *g);
/* Nothing but what the final position shows (mate, stalemate) can be ruled:
 * who is not interested in that need not ask rulings_next. */
bool rulings_quiet(const rulings *r);
bool rulings_next(rulings *r, ruling_run *run);
/* The run that the game ends in; false when it ends in none. */
bool rulings_at_end(rulings *r, ruling_run *run);
void rulings_free(rulings *r);

/* The result that an outcome asks for; PGN_UNKNOWN for no verdict. */
pgn_result rulings_result(xq_outcome o);
/* Is the game over with this run, and does its result say otherwise?  Never
 * for a faulty game, whose end is not known. */
bool rulings_contradict(const pgn_game *g, const ruling_run *run);

#endif
