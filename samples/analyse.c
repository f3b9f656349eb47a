/* analyse.c - the engine in one page: what a position is worth without looking
 * ahead, and the three best lines of a search.
 *
 *   analyse [FEN [DEPTH]]    default: the start position, 10 plies */
#include "engine/rules.h"
#include "engine/search.h"
#include "libpgn/notation.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINES = 3 };

struct line {
    int score;
    unsigned n;
    xq_move moves[XQ_MAX_PLY];
};

/* Called whenever a line is found: the last of each rank counts. */
static void keep(void *arg, const xq_info *info)
{
    struct line *const l = (struct line *)arg + info->multipv - 1;
    l->score = info->score;
    l->n = info->npv < XQ_MAX_PLY ? info->npv : XQ_MAX_PLY;
    for (unsigned i = 0; i < l->n; i++)
        l->moves[i] = info->pv[i];
}

/* Scores are those of the side to move; chances are of 1000. */
static void print_score(int score, const xq_pos *p)
{
    const xq_chances c = xq_chances_of(score, p);
    if (XQ_IS_MATE(score))
        printf("mate at ply %d", XQ_MATE - score);
    else if (XQ_IS_MATED(score))
        printf("mated at ply %d", XQ_MATE + score);
    else if (XQ_IS_RULE(score))
        printf("%s by the rules of repetition", score > 0 ? "wins" : "loses");
    else
        printf("%+.2f, win %u draw %u loss %u", score / 100.0, c.win, c.draw,
               c.loss);
}

static void print_line(const struct line *l, const xq_pos *start)
{
    xq_pos p = *start;
    print_score(l->score, start);
    for (unsigned i = 0; i < l->n; i++) {
        char text[PGN_MOVE_TEXT_MAX];
        pgn_move_write(&p, l->moves[i], PGN_CHINESE, PGN_SIMPLIFIED, text);
        printf("%s%s", i ? " " : ": ", text);
        xq_pos_make(&p, l->moves[i], NULL);
    }
    putchar('\n');
}

static xq_status analyse(const xq_pos *p, unsigned depth, xq_err *err)
{
    const xq_search_options o = {
        .multipv = LINES, .rules = XQ_ASIAN, .natural_limit = 120};
    const xq_game_line game = {.start = p}; /* no moves since */
    const xq_limits limits = {.depth = depth};
    struct line lines[LINES] = {0};
    xq_search *s;
    xq_answer answer;
    xq_status rc = xq_search_open(&s, &o, err);
    if (rc < 0)
        return rc;
    rc = xq_search_go(s, &game, &limits, keep, lines, &answer);
    xq_search_close(s);
    if (rc < 0)
        return xq_fail(err, rc, "the search failed");
    for (unsigned i = 0; i < LINES && lines[i].n > 0; i++) {
        printf("%u. ", i + 1);
        print_line(&lines[i], p);
    }
    if (answer.best == XQ_NOMOVE)
        puts("no legal move: the game is lost");
    return XQ_OK;
}

int main(int argc, char **argv)
{
    const char *const fen = argc > 1 ? argv[1] : XQ_FEN_START;
    const int depth = argc > 2 ? atoi(argv[2]) : 10;
    xq_pos p;
    xq_err err;
    if (depth < 1) {
        fputs("usage: analyse [FEN [DEPTH]]\n", stderr);
        return 2;
    }
    if (xq_fen_parse(&p, xq_str_of(fen), NULL, &err) < 0) {
        fprintf(stderr, "analyse: %s\n", err.msg);
        return 2;
    }
    xq_eval_state st;
    xq_eval_init(&st, &p);
    printf("%s to move, at first sight ", p.side == XQ_RED ? "Red" : "Black");
    print_score(xq_eval(&p, &st), &p);
    putchar('\n');
    if (analyse(&p, (unsigned)depth, &err) < 0) {
        fprintf(stderr, "analyse: %s\n", err.msg);
        return 2;
    }
    return fclose(stdout) ? 2 : 0;
}
