/* referee.h - how a game ends by rule, and why: mate, repetition judged by a
 * named rule set, move limits.
 *
 *   xq_profile rules;
 *   xq_ruling r;
 *   xq_profile_init(&rules, XQ_ASIAN);
 *   xq_referee(&rules, &start, moves, n, 0, keys, &r);     keys: n + 1 of them
 *   if (r.ending != XQ_GOES_ON)
 *       ...it ended after ply r.to_ply by article r.article, as r.outcome says
 *
 * A *window* is what is judged: the plies between the last two occurrences of
 * a position.  Every ply of it belongs to its mover and has a *nature*:
 * check, mate threat, chase or idle.  A rule set makes a verdict of them.
 *
 * Nothing here allocates, fails or keeps state; moves must be legal (rules.h).
 * Plies count from 1; "after ply 0" is the start.  Articles ("A-20", "R-02")
 * are those of engine/README.md.  Source: Asian / World rule book, Chinese
 * national rules 2020, as stated there. */
#ifndef XQ_REFEREE_H
#define XQ_REFEREE_H

#include "engine/pos.h"

typedef enum xq_ruleset {
    XQ_ASIAN, /* Asian (AXF), also used by the WXF */
    XQ_CXA,   /* Chinese national rules, 2020 edition: the exact core (C-40) and
                 as much of the tactical part (C-41) as the text decides */
} xq_ruleset;

/* Which rules apply.  Start with xq_profile_init, then change fields. */
typedef struct xq_profile {
    xq_ruleset rules;
    uint32_t repetitions;   /* the occurrence that is judged, from 2; 3 */
    uint32_t natural_limit; /* L-01: plies without a capture, 0: none; 120 */
    uint32_t limit_checks;  /* L-02: checks of a side that count; 10 */
    uint32_t threat_depth;  /* C-40: own moves of the searches for a mate by
                               checks and for a win by checks, 1 to
                               XQ_MAX_THREAT_DEPTH; 2 by Chinese rules, where
                               it decides; 4 by Asian, where it is shown */
    bool bare_draw;         /* G-11: draw when nothing can cross the river;
                               false */
} xq_profile;
#define XQ_MAX_THREAT_DEPTH 8
void xq_profile_init(xq_profile *out, xq_ruleset rules);

typedef enum xq_outcome {
    XQ_NO_VERDICT = 0,
    XQ_DRAW,
    XQ_RED_LOSES,
    XQ_BLACK_LOSES,
} xq_outcome;

typedef enum xq_ending {
    XQ_GOES_ON = 0,   /* nothing has ended the game */
    XQ_MATED,         /* G-10, in check */
    XQ_STALEMATED,    /* G-10, not in check */
    XQ_REPEATED,      /* a window was judged; outcome may be XQ_NO_VERDICT:
                         `unsupported` then says so */
    XQ_LIMIT_REACHED, /* L-01 */
    XQ_BARE,          /* G-11 */
} xq_ending;

/* Nature of a ply.  Chinese rules: the more serious the higher (C-14).  Asian
 * rules: a mate threat is no fault, so a chase comes before it, and only
 * xq_explain_ply looks for one; in an xq_conduct it counts as idle. */
typedef enum xq_nature {
    XQ_IDLE = 0,
    XQ_CHASE,
    XQ_MATE_THREAT,
    XQ_CHECK,
} xq_nature;

/* What a side did in a window: how many of its plies were of each nature. */
typedef struct xq_conduct {
    uint32_t plies[4]; /* by xq_nature */
    uint8_t level;     /* Asian: 2 perpetual check, 1 perpetual chase, 0 other
                          Chinese: 2 perpetual check, 1 forbidden,
                          0 allowed (C-20, C-22) */
} xq_conduct;

typedef struct xq_ruling {
    xq_outcome outcome;
    xq_ending ending;
    bool unsupported;     /* the verdict hangs on a point that the text does not
                             decide (C-41): outcome is XQ_NO_VERDICT */
    unsigned outcomes;    /* between which outcomes it hangs then: bits 1 <<
                             xq_outcome; else 0 */
    const char *article;  /* the article that decides; static, never NULL,
                             "" when the game goes on */
    uint32_t from_ply;    /* the window's first ply (ends by repetition); else
                             to_ply */
    uint32_t to_ply;      /* the ply that ended the game; the last ply when it
                             goes on */
    uint32_t occurrences; /* how often the position after to_ply occurred */
    uint32_t counted;     /* L-01: plies without a capture that count */
    uint32_t checks[2];   /* L-02: checks by each side among them, counted or
                             not, by xq_side */
    xq_conduct side[2];   /* in the window, by xq_side */
} xq_ruling;

/* How the game ends at or after ply `from`, at the first ruling that is not
 * "goes on"; with 0 the start itself may be the end.  After each ply the tests
 * come in the order of G-12: mate or stalemate, repetition, limit.  keys: n + 1
 * keys, written; keys[i] is the position's Zobrist key after ply i.  To hear
 * what comes behind a ruling, call again with from = out->to_ply + 1. */
void xq_referee(const xq_profile *pr, const xq_pos *start, const xq_move *moves,
                uint32_t n, uint32_t from, xq_key *keys, xq_ruling *out);

/* The plies (ascending, at most max) after which the position of keys[ply]
 * stood, up to `ply`; returns how many there are. */
uint32_t xq_occurrences(const xq_key *keys, uint32_t ply, uint32_t *out,
                        uint32_t max);

/* Judge a window by itself: moves[0..n-1] from `first`, which lead back to it
 * (n even, at least 2; no captures).  For a search, which knows its own keys.
 * out: to_ply = n, from_ply = 1, counts of limits 0. */
void xq_judge_window(const xq_profile *pr, const xq_pos *first,
                     const xq_move *moves, uint32_t n, xq_ruling *out);

/* ---- why: one ply of a window, for people ---- */

/* One piece that newly attacks another with profit, on the board after the
 * ply.  Asian rules: it makes the ply a chase when it is XQ_HOW_ANSWERED and
 * neither XQ_HOW_EXCUSED nor XQ_HOW_SPARED.  Chinese rules: when it is not
 * XQ_HOW_OPEN, unless C-15 or C-36 speak for the ply. */
typedef struct xq_attack {
    xq_sq attacker, victim;
    xq_piece attacker_piece, victim_piece;
    unsigned how; /* XQ_HOW_ bits */
} xq_attack;
enum {
    XQ_HOW_MOVED = 1,       /* the attacker is the piece that moved */
    XQ_HOW_DISCOVERED = 2,  /* a screen, leg, eye or line changed */
    XQ_HOW_UNROOTED = 4,    /* it attacked before; the root went */
    XQ_HOW_NO_ROOT = 8,     /* nothing protects the victim */
    XQ_HOW_FALSE_ROOT = 16, /* a protector could not take back */
    XQ_HOW_PROTECTED = 32,  /* protected, and yet profitable (A-16, C-32) */
    XQ_HOW_EXCHANGE = 64,  /* the victim could take the attacker */
    XQ_HOW_ANSWERED = 128, /* the reply ended it */
    XQ_HOW_LASTING = 256,  /* counts against its side: the victim is chased by
                              every ply of the side */
    XQ_HOW_JOINT = 512,    /* needs two attackers (C-32, C-33) */
    XQ_HOW_EXCUSED = 1024, /* a root lost to an answer: not counted */
    XQ_HOW_OPEN = 2048,    /* the text does not decide whether it wins, or is
                              new (C-41) */
    XQ_HOW_SPARED = 4096, /* Asian: with all its like a perpetual chase, were it
                             not for the article of the ruling (A-12, A-31,
 */
};

/* Which pieces a trait is about, on the board after the ply, where more can be
 * said than the trait's name:
 *   XQ_TRAIT_MATE_THREAT   attacker and move: the first move of a shortest
 *                          mate; moves: own moves it takes
 *   XQ_TRAIT_KING_OR_PAWN  attacker: the king or pawn; victim
 *   XQ_TRAIT_EXCHANGE      attacker: of the side that moved; victim: the like
 *                          piece for which it is offered
 *   XQ_TRAIT_SACRIFICE     victim: the piece moved; attacker: who may take it
 *   XQ_TRAIT_BLOCK         attacker: whose way is barred; victim: its aim, none
 *                          where a threat of mate is barred
 *   XQ_TRAIT_UNDECIDED     attacker and move: the first move of what may win
 *                          the victim; none of it where xq_attack says all */
typedef struct xq_ply_note {
    unsigned trait;                        /* one XQ_TRAIT_ bit */
    xq_sq attacker, victim;                /* XQ_NOSQ: none */
    xq_piece attacker_piece, victim_piece; /* XQ_EMPTY: none */
    xq_move move;                          /* XQ_NOMOVE: none */
    uint32_t moves;                        /* 0: not counted */
} xq_ply_note;

typedef struct xq_ply {
    xq_move move;
    xq_nature nature;
    unsigned traits; /* XQ_TRAIT_ bits: what else it is */
    unsigned count;  /* attacks there are; the first XQ_MAX_ATTACKS stand in */
#define XQ_MAX_ATTACKS 24
    xq_attack attacks[XQ_MAX_ATTACKS];
    unsigned note_count; /* at most XQ_MAX_NOTES; what is more is left out */
#define XQ_MAX_NOTES 16
    xq_ply_note notes[XQ_MAX_NOTES];
} xq_ply;
enum {
    XQ_TRAIT_ANSWERS_CHECK = 1, /* the mover was in check */
    XQ_TRAIT_MATE_THREAT = 2,   /* threatens mate, whatever its nature */
    XQ_TRAIT_CHASES = 4,        /* chases, whatever its nature */
    XQ_TRAIT_KING_OR_PAWN = 8,  /* the king's or a pawn's own attack: idle
                                   (A-43, C-16) */
    XQ_TRAIT_EXCHANGE = 16,     /* offers an exchange of like pieces */
    XQ_TRAIT_SACRIFICE = 32,    /* puts a piece where it may be taken */
    XQ_TRAIT_BLOCK = 64,        /* steps between an attacker and its aim */
    XQ_TRAIT_UNDECIDED = 128,   /* may be a chase by C-41, which the text does
                                   not decide; counted as idle */
};

/* What ply `i` (from 0) of a window is, and why.  Arguments as for
 * xq_judge_window. */
void xq_explain_ply(const xq_profile *pr, const xq_pos *first,
                    const xq_move *moves, uint32_t n, uint32_t i, xq_ply *out);

/* Would the side that just moved (not p->side) mate if it could move again,
 * at once or by checks only, within `depth` own moves (C-11, C-40)?  Not when
 * it gives check: that is more than a threat (C-14).  Stalemate is no mate.
 * `visits` (may be NULL) receives the positions visited. */
bool xq_threatens_mate(const xq_pos *p, uint32_t depth, uint64_t *visits);

/* The same question: the first move of a shortest such mate, XQ_NOMOVE when
 * there is none.  *moves (may be NULL) receives how many own moves it takes, 0
 * for none.  Of several first moves any one, always the same. */
xq_move xq_mate_threatened(const xq_pos *p, uint32_t depth, uint32_t *moves);

#endif
