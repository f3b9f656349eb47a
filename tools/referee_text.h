/* referee_text.h - the referee's words, in English and Chinese.
 *
 * Codes are for JSON and never change; words are for people.  Squares are
 * named a0-i9 in both languages, moves are written by the caller.  Chinese is
 * simplified, with the terms of the rule books: 将 杀 捉 闲 兑 献 拦.
 * Articles: engine/README.md. */
#ifndef REFEREE_TEXT_H
#define REFEREE_TEXT_H

#include "tools/cli.h"

#include "engine/referee.h"

typedef enum ref_lang { REF_EN, REF_ZH } ref_lang;

/* "asian", "cxa"; false when the name is none. */
bool ref_rules_find(const char *name, xq_ruleset *out);
/* Values of --rules, and of --lang ("en", "zh").  A name that is none: usage
 * message, false. */
bool ref_rules_of(const struct cli_cmd *cmd, const char *name, xq_ruleset *out);
bool ref_lang_of(const struct cli_cmd *cmd, const char *name, ref_lang *out);

const char *ref_rules_code(xq_ruleset r);   /* "asian" */
const char *ref_outcome_code(xq_outcome o); /* "red_loses" */
const char *ref_ending_code(xq_ending e);   /* "repetition" */
const char *ref_nature_code(xq_nature n);   /* "mate_threat" */
const char *ref_kind_code(xq_piece p);      /* "rook" */
const char *ref_side_code(xq_side s);       /* "red" */

const char *ref_rules(xq_ruleset r, ref_lang l);   /* "Asian rules" */
const char *ref_outcome(xq_outcome o, ref_lang l); /* "Red loses", 红方作负 */
/* Of several, bits 1 << xq_outcome: "draw or Red loses", 和棋或红方作负 */
void ref_outcomes(cli_buf *b, unsigned outcomes, ref_lang l);
const char *ref_ending(xq_ending e, ref_lang l); /* "mate", 将死 */
const char *ref_nature(xq_nature n, ref_lang l); /* "mate threat", 杀 */
const char *ref_side(xq_side s, ref_lang l);     /* "Red", 红方 */

/* What an article says, of the two sides of it the one that leads to this
 * outcome; one sentence without a full stop, "" for an unknown article. */
const char *ref_article(const char *no, xq_outcome o, ref_lang l);

/* What the articles say as rules, a line each: one of them ("A-30", in capital
 * letters or small), or "all"; of a rule set (NULL: both) and those that both
 * share.  False when there is none of that name. */
bool ref_articles(cli_buf *b, const char *no, const xq_ruleset *rules,
                  bool json, ref_lang l);

/* What a side did in a window: "perpetual check", "one check, one chase";
 * 长将, 一将一捉.  plies: how many of each nature, as xq_explain_ply gives
 * them; level: xq_conduct's. */
void ref_conduct(cli_buf *b, xq_ruleset r, const uint32_t plies[4],
                 uint8_t level, ref_lang l);
/* Whether that is allowed: "forbidden", "allowed"; 禁止着法, 允许着法.  open:
 * some ply is XQ_TRAIT_UNDECIDED, and the verdict hangs on it. */
const char *ref_level(xq_ruleset r, uint8_t level, bool open, ref_lang l);

/* What else a ply is: "exchange offer, answers a check"; nothing when it is
 * nothing. */
void ref_traits(cli_buf *b, const xq_ply *ply, ref_lang l);
/* "rook e3 attacks cannon e7: no root, on every move". */
void ref_attack(cli_buf *b, xq_ruleset r, const xq_attack *a, ref_lang l);
/* What a trait is about: "offers rook a1 for rook a5".  move: the note's, as
 * text; "" for none. */
void ref_note(cli_buf *b, xq_ruleset r, const xq_ply_note *note,
              const char *move, ref_lang l);
const char *ref_trait_code(unsigned trait); /* "exchange"; one bit */
/* The codes of traits and XQ_HOW_ bits, as the members of a JSON array. */
void ref_traits_json(cli_buf *b, unsigned traits);
void ref_how_json(cli_buf *b, unsigned how);

/* "0, 4 and 8"; 0、4、8 */
void ref_plies(cli_buf *b, const uint32_t *ply, uint32_t n, ref_lang l);

#endif
