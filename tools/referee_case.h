/* referee_case.h - a line of moves before the referee, and his report.
 *
 *   ref_case c = {.how = how, .line = line};
 *   if (!ref_case_judge(&c))
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
/* How many plies of each nature each side has in the window, as explained. */
void ref_case_natures(const ref_case *c, uint32_t plies[2][4]);

/* ---- reports: text for people and JSON objects ---- */

/* The whole report. */
void ref_report_text(cli_buf *b, const ref_case *c);
/* The lines of it that name each ply of the window, and what each side did. */
void ref_report_plies(cli_buf *b, const ref_case *c);
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
