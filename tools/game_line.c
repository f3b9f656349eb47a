/* game_line.c - the moves of one game of a file, as a line. */
#include "tools/game_line.h"

#include "tools/pipe_files.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const pgn_problem *first_error(const pgn_game *g)
{
    for (uint32_t i = 0; i < g->nproblems; i++)
        if (g->problems[i].level == PGN_ERROR)
            return &g->problems[i];
    return NULL;
}

/* Can the game be taken, at least its beginning?  Says what is wrong. */
static bool is_usable(const pgn_game *g, const char *path, uint64_t number)
{
    const pgn_problem *fault = first_error(g);
    if (fault && (fault->kind == PGN_P_FEN || g->skipped)) {
        cli_error("%s: game %" PRIu64 ": %.*s", path, number,
                  (int)fault->message.n, fault->message.s);
        return false;
    }
    if (fault)
        cli_note("%s: game %" PRIu64 " is faulty, its first %" PRIu32
                 " plies are taken: %.*s",
                 path, number, g->plies, (int)fault->message.n,
                 fault->message.s);
    return true;
}

const pgn_game *game_open(pgn_reader **r, const char *path, uint64_t number,
                          const pgn_reader_options *options)
{
    const pgn_game *g = NULL;
    xq_err err = {0};
    uint64_t n = 0;
    *r = NULL;
    xq_status rc = pgn_reader_open(r, path, options, &err);
    while (rc == XQ_OK && n < number) {
        rc = pgn_reader_next(*r, &g, &err);
        n += rc == XQ_OK;
    }
    if (rc == XQ_OK)
        return is_usable(g, path, number) ? g : NULL;
    if (rc == XQ_DONE)
        cli_error("%s: there is no game %" PRIu64 ", only %" PRIu64, path,
                  number, n);
    else
        pipe_files_failed(path, &err);
    return NULL;
}

static bool take(cli_line *l, const pgn_game *g)
{
    *l = (cli_line){.start = g->start, .n = g->plies};
    if (!g->plies)
        return true;
    l->moves = malloc(g->plies * sizeof *l->moves);
    if (!l->moves) {
        cli_error("out of memory");
        return false;
    }
    memcpy(l->moves, g->main, g->plies * sizeof *l->moves);
    return true;
}

bool game_line_read(cli_line *l, const char *path, uint64_t number,
                    const pgn_reader_options *options)
{
    pgn_reader *r;
    *l = (cli_line){0};
    const pgn_game *g = game_open(&r, path, number, options);
    const bool ok = g && take(l, g);
    pgn_reader_close(r);
    return ok;
}
