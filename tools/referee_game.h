/* referee_game.h - a game of a file before the referee: its first ruling, the
 * same window by the other rules, and how the game really ended. */
#ifndef REFEREE_GAME_H
#define REFEREE_GAME_H

#include "tools/referee_case.h"

typedef struct ref_game {
    const pgn_game *game;
    ref_case mine, other; /* the ruling, by the rules asked for; the same window
                             by the other rules */
    bool has_other;       /* there is a window */
    bool differs;         /* both decide it, and not alike */
    bool at_end;          /* the game ends in the run of the ruling */
    bool contradicts;     /* the result says otherwise than the end */
    bool has_last;        /* it ends in another ruling than this one */
    xq_ruling last;
} ref_game;

/* Judge at `first`, the run that rulings_next gave (NULL: it gave none).  *r is
 * asked for the game's end, and of no use after that.  The game must outlive
 * *f, which is zeroed before but for what the caller knows of mine.later.
 * False: no memory; ref_game_free all the same. */
bool ref_game_judge(ref_game *f, const ref_how *how, const pgn_game *g,
                    rulings *r, const ruling_run *first);
void ref_game_free(ref_game *f);

/* The members of its JSON object, but for "file", "line" and "game". */
void ref_game_json(cli_buf *b, const ref_game *f);

#endif
