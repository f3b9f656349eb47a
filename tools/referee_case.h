/* referee_case.h - a line of moves before the referee, and his report.
 *
 *   ref_case c = {.how = how, .start = &start, .moves = moves, .n = n};
 *   if (!ref_case_judge(&c, 0))
 *       ...out of memory
 *   ref_report_text(&b, &c);
 *   ref_case_free(&c);
 *
 * A case with a window (c.ruling.ending is XQ_REPEATED) can be explained ply
 * by ply.  Threads: a case belongs to one. */
#ifndef REFEREE_CASE_H
#define REFEREE_CASE_H

#include "tools/cli.h"
#include "tools/referee_text.h"
#include "tools/rulings.h"

#include "engine/referee.h"

/* How to judge, and how to say it. */
typedef struct ref_how {
    xq_profile rules; /* ref_how_rules sets it from the next four */
    uint32_t repetitions, natural_limit; /* as in xq_profile */
    uint32_t threat_depth;               /* 0: the rule set's own */
    bool bare_draw;
    pgn_notation notation; /* of the moves for people */
    pgn_script script;
    ref_lang lang;
} ref_how;

/* Judge by this rule set, whose own threat depth counts when none is named. */
void ref_how_rules(ref_how *how, xq_ruleset rules);

typedef struct ref_case {
    ref_how how;
    const xq_pos *start; /* the line; must outlive the case */
    const xq_move *moves;
    uint32_t n;
    const pgn_game *game; /* whose line it is, for its tags; or NULL */
    /* Rulings behind this one, each with another outcome than the one before;
     * ours to read only.  Those that reach ply n are how the line ends. */
    const ruling_run *later;
    size_t nlater;
    bool contradicts; /* the game ends in a ruling, its result says otherwise */

    xq_ruling ruling;
    xq_pos first; /* the board before the window, when there is one */
    /* The plies after which the position stood that the ruling is about, up
     * to ruling.to_ply, ascending; when the game goes on, the position that
     * has come up most often. */
    uint32_t *after; /* ours */
    uint32_t occurrences;
    xq_key *keys; /* ours: n + 1 of them */
} ref_case;

/* Find the first ruling at or after ply `from`.  False: no memory. */
bool ref_case_judge(ref_case *c, uint32_t from);
/* Judge nothing but the last cycle: the plies behind the last ply after which
 * a position stood for the second time or more, back to where it stood
 * before.  ruling.ending is XQ_GOES_ON when no position stood twice.  False:
 * no memory. */
bool ref_case_cycle(ref_case *c);
void ref_case_free(ref_case *c); /* safe on a zeroed struct */

/* The board after `ply`; for plies of the window use `first` and go on. */
void ref_case_board(const ref_case *c, uint32_t ply, xq_pos *out);

/* Ply `i` of the window, from 0; only with a window. */
void ref_case_explain(const ref_case *c, uint32_t i, xq_ply *out);
/* Does the verdict hang on what this ply is, which the text leaves open? */
bool ref_case_is_open(const ref_case *c, const xq_ply *ply);
/* What a side did in the window, as explained. */
typedef struct ref_doings {
    uint32_t plies[4]; /* by nature; what fits the article that decides: by
                          A-23 a ply that threatens mate is not counted as the
                          chase that it may be as well */
    bool open;         /* one of them is (ref_case_is_open) */
} ref_doings;
void ref_case_doings(const ref_case *c, ref_doings out[2]);

/* How the count of the natural limit came about (L-01, L-02), after to_ply:
 * ruling.counted = base + played - checks_off[0] - checks_off[1] - replies. */
typedef struct ref_count {
    uint32_t base;          /* from the FEN of the start; 0 behind a capture */
    uint32_t played;        /* plies since, or since the last capture */
    uint32_t checks_off[2]; /* checks beyond profile.limit_checks, by side */
    uint32_t replies;       /* the replies to them, when no such checks */
} ref_count;
void ref_case_count(const ref_case *c, ref_count *out);

/* Own words, written in simplified characters from byte `from` on, in the
 * script asked for; nothing changes its length. */
void ref_script(cli_buf *b, size_t from, const ref_how *how);

/* ---- reports: text for people and JSON objects ---- */

/* The whole report. */
void ref_report_text(cli_buf *b, const ref_case *c);
/* The lines of it that name each ply of the window, and what each side did. */
void ref_report_plies(cli_buf *b, const ref_case *c);
/* What there is to say of a ply besides its nature and traits, a piece at a
 * time: `i` below ref_details_of.  after: the board after the ply. */
unsigned ref_details_of(const xq_ply *ply);
void ref_detail(cli_buf *b, const ref_case *c, const xq_pos *after,
                const xq_ply *ply, unsigned i, ref_lang l);
/* "whether ply 7 is a chase: draw or Red loses"; only with an unsupported
 * ruling. */
void ref_report_open(cli_buf *b, const ref_case *c, ref_lang l);
/* How the natural limit was counted, a line at a time: false when there is no
 * line i. */
bool ref_report_count(cli_buf *b, const ref_case *c, unsigned i, ref_lang l);
/* A line about what came behind the ruling: false when there is no line i. */
bool ref_report_later(cli_buf *b, const ref_case *c, size_t i, ref_lang l);
/* What each side did in the window: "Red: perpetual check; Black: idle". */
void ref_report_conduct(cli_buf *b, const ref_case *c);
/* One sentence: the same, and what follows by the article. */
void ref_report_reason(cli_buf *b, const ref_case *c);

/* The object's members, no braces. */
void ref_report_json(cli_buf *b, const ref_case *c);
/* "verdict", "rules", "article", "from_ply", "to_ply" of it. */
void ref_report_json_verdict(cli_buf *b, const ref_case *c);
/* Natures of a side's moves: ["check","idle"]. */
void ref_report_json_natures(cli_buf *b, const ref_case *c, xq_side s);
/* What is known of each ply: [{"ply","side","move","text","nature",...},...] */
void ref_report_json_plies(cli_buf *b, const ref_case *c);

/* The sheet that an arbiter signs, in both languages. */
void ref_sheet(cli_buf *b, const ref_case *c);

#endif
