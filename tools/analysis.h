/* analysis.h - one position and what an engine says of it.
 *
 *   analysis a;
 *   xq_pos q;
 *   const bool mirrored = analysis_frame(&q, &p);     ask an engine about q
 *   ...
 *   a.lines[0].score = analysis_score(cp, side);      Red's view, only here
 *   ...
 *   if (mirrored) analysis_mirror(&a);                 now it is about p
 *
 * A position stands by itself: without the moves before it, its counters 0
 * and 1, on the wing of its canonical key, its pieces numbered by the board.
 * So what is said of it depends neither on the game it was met in nor on the
 * order of the work, and may be kept under the key (evalcache.h).
 *
 * Scores are Red's, whoever is to move: analysis_cp and analysis_mate turn
 * them round, and nothing else does.  Units: hundredths of a pawn, or own
 * moves to mate. */
#ifndef ANALYSIS_H
#define ANALYSIS_H

#include "engine/search.h"

/* What a position is worth, for Red. */
typedef struct analysis_score {
    bool mate;
    int32_t value; /* hundredths of a pawn; mate: in so many moves of the side
                      that mates, > 0 Red mates, < 0 Black does.  0: it is mate
                      or stalemate already, the side to move has lost */
} analysis_score;

/* One bound for all numbers of engines: scores beyond it are cut there, ten
 * thousand pawns, and no mate is longer than XQ_MAX_PLY moves. */
#define ANALYSIS_CP_MAX 1000000

/* Of a score from the side to move's view. */
analysis_score analysis_cp(int cp, xq_side to_move);
/* In n moves of the side that mates; n < 0: the side to move is mated.  Longer
 * than XQ_MAX_PLY it is no mate that anybody has seen: then the score is
 * ANALYSIS_CP_MAX for that side. */
analysis_score analysis_mate(int n, xq_side to_move);
/* Of our own search's numbers (search.h): mates, wins by rule, hundredths. */
analysis_score analysis_of_search(int score, xq_side to_move);

/* The other way: what the side to move may hope for, in thousandths of a
 * point: chance to win + half the chance to draw (eval.h).  1000: it mates. */
unsigned analysis_chances(analysis_score s, const xq_pos *p);

/* "0.30", "-12.05", "#3", "#-2"; of a side that is mated "#0" (Red has won) or
 * "#-0".  The value of [%eval]. */
#define ANALYSIS_TEXT 24
void analysis_text(analysis_score s, xq_side to_move, char out[ANALYSIS_TEXT]);

/* An engine's line; a search looks no further than XQ_MAX_PLY. */
typedef struct analysis_line {
    analysis_score score;
    uint16_t n;
    xq_move pv[XQ_MAX_PLY]; /* all legal, one after the other */
} analysis_line;

/* --multipv takes up to so many: more says nothing about a move. */
#define ANALYSIS_LINES 8

typedef enum analysis_state {
    ANALYSIS_NONE,   /* not asked yet */
    ANALYSIS_DONE,   /* lines[0] is there */
    ANALYSIS_OVER,   /* no legal move: nobody was asked */
    ANALYSIS_FAILED, /* the engine gave no answer that can be used */
} analysis_state;

typedef struct analysis {
    analysis_state state;
    uint8_t nlines; /* the best first */
    uint16_t depth; /* plies */
    uint64_t nodes;
    int32_t claim; /* a mate that the engine claimed and nobody could confirm:
                      score of lines[0] as analysis_mate gives it, 0: none */
    analysis_line lines[ANALYSIS_LINES];
} analysis;

/* The position to ask about for p; is it p's mirror image? */
bool analysis_frame(xq_pos *out, const xq_pos *p);
/* Turn all moves to the other wing. */
void analysis_mirror(analysis *a);

/* Cut every line before its first move that is not legal from p; a line
 * without any is dropped, but for the first. */
void analysis_check(analysis *a, const xq_pos *p);

/* Do the moves of the line end in mate or stalemate just when its score says
 * so?  (A line that is cut short proves nothing.) */
bool analysis_line_mates(const analysis_line *l, const xq_pos *p);

#endif
