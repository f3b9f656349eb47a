/* fuzz_split.c - whatever comes as a file, its segments join to the whole, and
 * the games of a PGN file are the same wherever it is cut. */
#include "libpgn/reader.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 29;
}

/* All that a user could see of a game, save its number in the segment. */
static uint64_t hash_game(uint64_t h, const pgn_game *g)
{
    h = mix(mix(h, g->line), mix(g->byte, g->bytes));
    h = mix(mix(h, g->plies), mix(g->ntags, g->nnodes));
    h = mix(mix(h, g->result), mix(g->faulty, g->skipped));
    for (uint32_t i = 0; i < g->plies; i++)
        h = mix(h, g->main[i]);
    for (uint32_t i = 0; i < g->nproblems; i++)
        h = mix(mix(h, g->problems[i].line),
                mix(g->problems[i].byte, g->problems[i].ply));
    return h;
}

/* The games of all segments of about `size` bytes; 0: as it comes. */
static uint64_t read_all(const uint8_t *data, size_t n, size_t size,
                         uint64_t *games)
{
    pgn_split *sp = NULL;
    pgn_reader *r = NULL;
    pgn_segment seg = {0};
    xq_err err;
    uint64_t h = 1, at = 0;
    *games = 0;
    if (pgn_split_open_mem(&sp, "f", data, n, PGN_ENC_AUTO, &err) != XQ_OK)
        return 0;
    if (size)
        pgn_split_size(sp, size);
    must(pgn_reader_new(&r, NULL, &err) == XQ_OK);
    xq_status rc;
    while ((rc = pgn_split_next(sp, &seg, &err)) != XQ_DONE) {
        if (rc != XQ_OK) {
            must(err.msg[0] != 0);
            h = mix(h, (uint64_t)-rc);
            continue;
        }
        if (seg.first)
            at = 0;
        must(seg.byte0 == at);
        at += seg.n;
        const pgn_game *g;
        if (seg.format != PGN_FMT_PGN)
            continue;
        pgn_reader_load(r, &seg);
        while (pgn_reader_next(r, &g, &err) == XQ_OK) {
            h = hash_game(h, g);
            ++*games;
        }
    }
    pgn_reader_close(r);
    pgn_segment_free(&seg);
    pgn_split_close(sp);
    return h;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n > 16384)
        return 0;
    uint64_t games, cut_games;
    const uint64_t whole = read_all(data, n, 0, &games);
    static const size_t SIZES[] = {2, 50, 333};
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++)
        must(read_all(data, n, SIZES[i], &cut_games) == whole &&
             cut_games == games);
    return 0;
}
