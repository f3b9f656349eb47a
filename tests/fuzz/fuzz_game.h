/* fuzz_game.h - what every game that a reader gives must keep, whatever bytes
 * it came from; and what the writers of files must make of it. */
#ifndef FUZZ_GAME_H
#define FUZZ_GAME_H

#include "engine/rules.h"
#include "libpgn/reader.h"
#include "libpgn/writer.h"

#include <stdlib.h>

static inline void check(bool ok)
{
    if (!ok)
        abort();
}

static inline void check_tree(const pgn_game *g)
{
    pgn_walk w;
    uint32_t seen = 0, main = 0;
    pgn_walk_start(&w, g);
    while (pgn_walk_next(&w)) {
        check(w.node > 0 && w.node < g->nnodes);
        check(xq_move_is_legal(&w.pos, w.move));
        if (w.depth == 0)
            check(g->main[main++] == w.move);
        seen++;
    }
    check(w.failed || (seen == g->nnodes - 1 && main == g->plies));
    pgn_walk_end(&w);
    for (uint32_t i = 1; i < g->nnotes; i++)
        check(pgn_utf8_valid(g->notes[i].text));
}

static inline void check_game(const pgn_game *g)
{
    bool faulty = false;
    check_tree(g);
    for (uint32_t i = 0; i < g->ntags; i++) {
        check(pgn_utf8_valid(g->tags[i].name));
        check(pgn_utf8_valid(g->tags[i].value));
    }
    for (uint32_t i = 0; i < g->nproblems; i++) {
        const pgn_problem *p = &g->problems[i];
        faulty = faulty || p->level == PGN_ERROR;
        check(pgn_utf8_valid(p->text) && pgn_utf8_valid(p->message));
    }
    check(faulty == g->faulty);
}

/* A reader for each set of options, kept from run to run: its tables cost more
 * than a small file.  `inner` ones are for what `each` reads. */
static inline pgn_reader *reader_for(pgn_reader_options opts, bool inner)
{
    static pgn_reader *readers[2][PGN_ENC_OTHER][2][2][2];
    pgn_reader **r = &readers[inner][opts.encoding][opts.strict_fen]
                             [opts.main_only][opts.repair];
    if (!*r)
        check(pgn_reader_new(r, &opts, NULL) == XQ_OK);
    return *r;
}

/* All games of a segment; each is checked, and handed to `each` (may be
 * NULL). */
static inline void read_segment(const uint8_t *s, size_t n, pgn_format f,
                                pgn_reader_options opts,
                                void (*each)(const pgn_game *g))
{
    static char name[] = "fuzz";
    static unsigned depth;
    const pgn_segment seg = {.name = name,
                             .bytes = (uint8_t *)(uintptr_t)s,
                             .n = n,
                             .first = true,
                             .last = true,
                             .format = f,
                             .encoding = opts.encoding};
    pgn_reader *r = reader_for(opts, depth++ > 0);
    const pgn_game *g = NULL;
    pgn_reader_load(r, &seg);
    while (pgn_reader_next(r, &g, NULL) == XQ_OK) {
        check_game(g);
        if (each)
            each(g);
    }
    depth--;
}

static inline pgn_reader_options options_of(uint8_t c)
{
    static const pgn_encoding E[] = {PGN_ENC_AUTO, PGN_ENC_GB18030,
                                     PGN_ENC_BIG5, PGN_ENC_UTF16LE};
    return (pgn_reader_options){.encoding = E[c & 3],
                                .strict_fen = (c & 4) != 0,
                                .main_only = (c & 8) != 0,
                                .repair = (c & 16) != 0};
}

/* The tree of the game that was written last. */
static uint32_t written_nodes;

static inline void same_tree(const pgn_game *g)
{
    check(g->nnodes == written_nodes && !g->faulty);
}

/* As a file of XQF and of CBF: read again it has the same tree. */
static inline void write_and_read(const pgn_game *g)
{
    const pgn_reader_options opts = {.encoding = PGN_ENC_AUTO};
    for (int xqf = 0; xqf < 2; xqf++) {
        pgn_buf out = {0};
        pgn_lost lost = {0};
        if (xqf)
            check(pgn_write_xqf(g, PGN_ENC_GBK, &out, &lost) == XQ_OK);
        else
            check(pgn_write_cbf(g, &out, &lost) == XQ_OK);
        check((out.n == 0) == (lost.games == 1));
        written_nodes = g->nnodes;
        if (out.n)
            read_segment((const uint8_t *)out.s, out.n,
                         xqf ? PGN_FMT_XQF : PGN_FMT_CBF, opts, same_tree);
        pgn_buf_free(&out);
    }
}

#endif
