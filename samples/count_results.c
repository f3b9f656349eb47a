/* count_results.c - games file by file: how those ended that began with each
 * first move.
 *
 *   count_results FILE...        PGN or JSON in any encoding, compressed or
 *                                not, archives; "-" is standard input
 *
 * A game and its mirror image are the same to us: 炮八平五 counts as 炮二平五.
 * Faulty games are named and left out; exit status 1 when there are any. */
#include "engine/key.h"
#include "libpgn/reader.h"

#include <stdio.h>
#include <string.h>

/* By the move's text; the start position has 44 moves. */
struct first {
    char text[PGN_MOVE_TEXT_MAX];
    unsigned by_result[4]; /* indexed by pgn_result */
};
static struct first first[44];
static unsigned firsts, games, faulty, other;

static void count(const pgn_game *g)
{
    char text[PGN_MOVE_TEXT_MAX];
    unsigned i = 0;
    if (!g->standard || g->plies == 0) {
        other++;
        return;
    }
    xq_move m = xq_canon_move(&g->start, g->main[0]);
    pgn_move_write(&g->start, m, PGN_CHINESE, PGN_SIMPLIFIED, text);
    while (i < firsts && strcmp(first[i].text, text) != 0)
        i++;
    if (i == firsts)
        memcpy(first[firsts++].text, text, sizeof text);
    first[i].by_result[g->result]++;
}

/* The problems that made it faulty; warnings cost nothing. */
static void name_faults(const char *file, const pgn_game *g)
{
    for (uint32_t i = 0; i < g->nproblems; i++) {
        const pgn_problem *p = &g->problems[i];
        if (p->level == PGN_ERROR)
            fprintf(stderr, "%s:%llu: game %llu: %.*s\n", file,
                    (unsigned long long)p->line, (unsigned long long)g->number,
                    (int)p->message.n, p->message.s);
    }
}

static int read_file(const char *path)
{
    pgn_reader *r;
    const pgn_game *g; /* the reader's; good until its next step */
    xq_err err;
    pgn_reader_options o = {.main_only = true};
    xq_status rc = pgn_reader_open(&r, path, &o, &err);
    if (rc == XQ_OK) {
        while ((rc = pgn_reader_next(r, &g, &err)) == XQ_OK) {
            games++;
            if (!g->faulty) {
                count(g);
                continue;
            }
            faulty++;
            name_faults(pgn_reader_name(r), g);
        }
        pgn_reader_close(r);
    }
    if (rc >= XQ_OK)
        return 0;
    fprintf(stderr, "%s: %s\n", path, err.msg);
    return 2;
}

int main(int argc, char **argv)
{
    int rc = 0;
    for (int i = 1; i < argc && rc == 0; i++)
        rc = read_file(argv[i]);
    if (argc < 2 || rc != 0)
        return 2;
    puts("   red  draw black    ?  first move");
    for (unsigned i = 0; i < firsts; i++) {
        const unsigned *n = first[i].by_result;
        printf("%6u%6u%6u%5u  %s\n", n[PGN_RED_WINS], n[PGN_DRAW],
               n[PGN_BLACK_WINS], n[PGN_UNKNOWN], first[i].text);
    }
    printf("games %u, faulty %u, without a first move from the start %u\n",
           games, faulty, other);
    return fclose(stdout) ? 2 : faulty > 0;
}
