/* annotate.h - what evaluations say of a game, written into it.
 *
 *   analysis *v = ...;                       plies + 1 of them: after each ply
 *   if (annotate_doubts(&v[i], &p, m, &v[i + 1], &q, &other))
 *       better[i] = ...                      what is said of `other`
 *   annotate_report r;
 *   annotate_game(&edit, v, better, &opts, lost, &r);
 *
 * Every position of the main line gets [%eval] in a comment behind its move
 * (the start's before the first): pawns from Red's view, "[%eval -0.30]", or
 * mate, "[%eval #3]" Red mates in 3, "[%eval #-3]" Black does.
 *
 * A move is judged by the chances it loses: the mover's expected points, chance
 * to win + half the chance to draw by eval.h, in the position before it and in
 * the one after it, in hundredths of a point:
 *
 *   from  5   inaccuracy   $6
 *   from 10   mistake      $2
 *   from 20   blunder      $4
 *
 * The engine's best move loses nothing, whatever is found one ply later, nor
 * does a mate that takes longer: there are no marks between mates.  Who had a
 * mate and has none after his move has missed it, at least an inaccuracy. Where
 * something is lost, the engine's line stands as a variation, the [%eval] after
 * its first move like all others.
 *
 * A search thinks better of its side to move than the next one will, one ply
 * later.  So a move that seems to lose is compared with like: with the position
 * after the better move, searched as far as the one after the move itself
 * (annotate_doubts).
 * A mate seen one ply later is a mate now, when the move that was played leads
 * there: evaluations are mended from the end of the game backwards.
 *
 *   $7    the only move: all others lose 20 or more (needs two lines)
 *   $146  the first move that the book does not know
 *
 * Accuracy of a side: the mean over its moves of
 *   103.1668 * exp(-0.04354 * lost) - 3.1669       0 to 100
 * as lichess.org has it, in [RedAccuracy "93.1"], [BlackAccuracy "88.0"].
 *
 * What the game had stays: its own comments, marks and variations come first,
 * and a variation is not added where one begins with the same move.  [%eval] of
 * the main line is replaced, and what an earlier run has added is taken out
 * first: a tag says what that was (annotate_record.h).  The tag Annotator names
 * us behind whoever was there: "somebody / qipu 0.1.0". */
#ifndef ANNOTATE_H
#define ANNOTATE_H

#include "tools/analysis.h"
#include "tools/game_edit.h"

typedef enum annotate_mark {
    ANNOTATE_FINE,
    ANNOTATE_INACCURACY,
    ANNOTATE_MISTAKE,
    ANNOTATE_BLUNDER,
    ANNOTATE_MARKS
} annotate_mark;

/* In thousandths of a point. */
enum { ANNOTATE_LOST_5 = 50, ANNOTATE_LOST_10 = 100, ANNOTATE_LOST_20 = 200 };

annotate_mark annotate_judge(unsigned lost);

/* Accuracy of a move that lost so much, in thousandths of a point: 0 to 100. */
double annotate_accuracy(unsigned lost);

typedef struct annotate_options {
    const char *annotator; /* for the tag Annotator */
    unsigned variation;    /* plies of a variation; 0: all */
    uint32_t out_of_book;  /* the first ply that the book does not know, from
                              1; 0: none, or no book */
} annotate_options;

typedef struct annotate_side {
    uint32_t moves; /* that were judged */
    uint32_t marks[ANNOTATE_MARKS];
    uint32_t missed_mates;
    double accuracy; /* 0 to 100; meaningless without moves */
} annotate_side;

typedef struct annotate_report {
    annotate_side side[2]; /* by xq_side */
    uint32_t failed;       /* positions without an answer */
    uint32_t unconfirmed;  /* claims of mate */
} annotate_report;

/* m, played in p, led to q; are the analyses of both not enough to judge it?
 * Then *other is the position after the better move, and its analysis is needed
 * too. */
bool annotate_doubts(const analysis *before, const xq_pos *p, xq_move m,
                     const analysis *after, const xq_pos *q, xq_pos *other);

/* v[i]: of the position after ply i, on the game's own wing; v is changed
 * (mates are mended).  better[i]: of the one that annotate_doubts wanted for
 * ply i + 1, NULL where it wanted none.  lost[i]: what that ply has lost, or
 * ANNOTATE_UNJUDGED.  e->failed tells of memory. */
#define ANNOTATE_UNJUDGED UINT16_MAX
void annotate_game(game_edit *e, analysis *v, analysis *const *better,
                   const annotate_options *o, uint16_t *lost,
                   annotate_report *r);

#endif
