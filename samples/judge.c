/* judge.c - the referee in one page: a FEN and moves, how the game ends by the
 * Asian rules, and what each ply of the repetition is.
 *
 *   judge FEN MOVE...        moves as h2e2 */
#include "engine/referee.h"
#include "engine/rules.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const OUTCOME[] = {"no verdict", "draw", "Red loses",
                                      "Black loses"};
static const char *const NATURE[] = {"idle", "chase", "mate threat", "check"};

static void explain(const xq_profile *rules, const xq_pos *start,
                    const xq_move *moves, const xq_ruling *r)
{
    const uint32_t begin = r->from_ply - 1, n = r->to_ply - begin;
    xq_pos first = *start;
    for (uint32_t i = 0; i < begin; i++)
        xq_pos_make(&first, moves[i], NULL);
    for (uint32_t i = 0; i < n; i++) {
        char move[5];
        xq_ply ply;
        xq_explain_ply(rules, &first, moves + begin, n, i, &ply);
        xq_move_format(ply.move, move);
        printf("%4u  %s  %s\n", (unsigned)(begin + i + 1), move,
               NATURE[ply.nature]);
    }
}

/* Read the moves and play them; false, with a message, at one that is wrong. */
static bool read_moves(const xq_pos *start, char **text, xq_move *moves,
                       uint32_t n)
{
    xq_pos p = *start;
    for (uint32_t i = 0; i < n; i++) {
        moves[i] = xq_move_parse(text[i]);
        if (!xq_move_is_legal(&p, moves[i])) {
            fprintf(stderr, "judge: %s is no legal move\n", text[i]);
            return false;
        }
        xq_pos_make(&p, moves[i], NULL);
    }
    return true;
}

int main(int argc, char **argv)
{
    xq_pos start;
    xq_err err;
    if (argc < 2) {
        fputs("usage: judge FEN MOVE...\n", stderr);
        return 2;
    }
    if (xq_fen_parse(&start, xq_str_of(argv[1]), NULL, &err) < 0) {
        fprintf(stderr, "judge: %s\n", err.msg);
        return 2;
    }
    const uint32_t n = (uint32_t)argc - 2;
    xq_move *moves = malloc((n + 1) * sizeof *moves);
    xq_key *keys = malloc((n + 1) * sizeof *keys);
    int status = 2;
    if (!moves || !keys) {
        fputs("judge: out of memory\n", stderr);
    } else if (read_moves(&start, argv + 2, moves, n)) {
        xq_profile rules;
        xq_ruling r;
        xq_profile_init(&rules, XQ_ASIAN);
        xq_referee(&rules, &start, moves, n, 0, keys, &r);
        printf("%s%s%s\n", OUTCOME[r.outcome], *r.article ? " by " : "",
               r.article);
        if (r.ending == XQ_REPEATED)
            explain(&rules, &start, moves, &r);
        status = 0;
    }
    free(moves);
    free(keys);
    return status;
}
