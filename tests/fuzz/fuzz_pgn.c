/* fuzz_pgn.c - whatever bytes come as PGN, the reader comes to an end, and the
 * games it gives keep what they promise: every move legal, indices inside
 * their arrays, text in UTF-8, problems inside the file. */
#include "engine/rules.h"
#include "libpgn/reader.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(bool ok)
{
    if (!ok)
        abort();
}

static void check_tree(const pgn_game *g)
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
    for (uint32_t i = 0; i < g->nnodes; i++) {
        check(g->nodes[i].next < g->nnodes && g->nodes[i].alt < g->nnodes);
        uint32_t k = 0;
        for (uint32_t j = g->nodes[i].notes; j; j = g->notes[j].next)
            check(j < g->nnotes && ++k < g->nnotes);
    }
    for (uint32_t i = 1; i < g->nnotes; i++)
        check(pgn_utf8_valid(g->notes[i].text));
}

static void check_game(const pgn_game *g, size_t n)
{
    bool faulty = false;
    check(g->byte + g->bytes <= n);
    check_tree(g);
    for (uint32_t i = 0; i < g->ntags; i++) {
        check(pgn_utf8_valid(g->tags[i].name));
        check(pgn_utf8_valid(g->tags[i].value));
    }
    for (uint32_t i = 0; i < g->nproblems; i++) {
        const pgn_problem *p = &g->problems[i];
        faulty = faulty || p->level == PGN_ERROR;
        check(p->byte <= n && p->line > 0 && p->line <= n + 1);
        check(pgn_utf8_valid(p->text) && pgn_utf8_valid(p->message));
    }
    check(faulty == g->faulty);
}

/* Read all of it as one segment. */
static void read_with(const uint8_t *data, size_t n, pgn_encoding e,
                      pgn_reader_options opts)
{
    char name[] = "fuzz";
    pgn_segment seg = {.name = name,
                       .bytes = (uint8_t *)(uintptr_t)data,
                       .n = n,
                       .first = true,
                       .last = true,
                       .format = PGN_FMT_PGN,
                       .encoding = e};
    pgn_reader *r = NULL;
    const pgn_game *g = NULL;
    uint64_t end = 0;
    if (pgn_reader_new(&r, &opts, NULL) != XQ_OK)
        return;
    pgn_reader_load(r, &seg);
    while (pgn_reader_next(r, &g, NULL) == XQ_OK) {
        check_game(g, n);
        check(g->byte >= end); /* games do not overlap */
        end = g->byte + g->bytes;
    }
    pgn_reader_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static const pgn_encoding E[] = {PGN_ENC_UTF8, PGN_ENC_GB18030,
                                     PGN_ENC_BIG5, PGN_ENC_UTF16LE};
    if (n < 1)
        return 0;
    /* the first byte chooses how the rest is read */
    const pgn_reader_options opts = {.strict_fen = (data[0] & 4) != 0,
                                     .main_only = (data[0] & 8) != 0,
                                     .repair = (data[0] & 16) != 0};
    read_with(data + 1, n - 1, E[data[0] & 3], opts);
    return 0;
}
