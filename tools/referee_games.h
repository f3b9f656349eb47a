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
    unsigned only;    /* REF_ONLY_: games of these kinds only are listed, all of
                         them counted; 0: all kinds */
};

enum {
    REF_ONLY_CONTRADICTIONS = 1, /* the result is not what follows */
    REF_ONLY_DIFFERENCES = 2,    /* both rule sets decide, and not alike */
    REF_ONLY_LOSSES = 4,         /* by the first ruling, a side loses */
    REF_ONLY_DRAWS = 8,
    REF_ONLY_NO_VERDICT = 16,
    REF_ONLY_AT_END = 32, /* the game ends in a ruling */
};
#define REF_ONLY_NAMES                                                         \
    "contradictions, differences, losses, draws, no-verdict, at-end"
/* "losses,draws"; false when a word is none of the names. */
bool ref_only_of(const char *list, unsigned *only);

/* Returns the command's exit status. */
int ref_games_run(const struct ref_games *g, const char *const *paths,
                  size_t n);

#endif
