/* referee_games.h - qipu referee over collections: a line a game whose end is
 * decided by rule, or whose end the two rule sets see differently. */
#ifndef REFEREE_GAMES_H
#define REFEREE_GAMES_H

#include "tools/referee_case.h"

#include "libpgn/reader.h"

struct ref_games {
    ref_how how;
    bool json, progress;
    pgn_reader_options options;
    uint64_t threads; /* 0: one a processor */
    const char *out;  /* NULL: stdout */
};

/* Returns the command's exit status. */
int ref_games_run(const struct ref_games *g, const char *const *paths,
                  size_t n);

#endif
