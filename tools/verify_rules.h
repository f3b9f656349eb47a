/* verify_rules.h - what qipu verify --rules has to say about a game: warnings
 * of kind `rule`.
 *
 *   struct rule_check k;
 *   rule_check_init(&k, XQ_ASIAN);              one a thread, used again
 *   rc = rule_check_begin(&k, g);
 *   while (rc == XQ_OK && (rc = rule_check_next(&k, &problem)) == XQ_OK)
 *       ...until XQ_DONE
 *   rule_check_free(&k);
 *
 * Named are the ply of a third occurrence, with the plies after which the
 * position stood and the verdict, and that of the natural limit: neither ends
 * a game by itself (S61).  When the game ends in one of them and its result
 * says otherwise, that is a second warning; the result stays (S60).  A result
 * against a mate or stalemate is a warning of the reader's (game.h), and not
 * repeated here. */
#ifndef VERIFY_RULES_H
#define VERIFY_RULES_H

#include "tools/referee_text.h"
#include "tools/rulings.h"

struct rule_check {
    xq_profile profile;
    rulings rulings;
    const pgn_game *game;
    ruling_run run;
    unsigned listed;  /* rulings so far */
    bool contradicts; /* the result's warning is due */
    cli_buf message;  /* of the last problem */
    cli_buf json;     /* members of its JSON object: "verdict", "rules",
                         "article", "from_ply", "to_ply"; not of a result's
                         warning: "occurrences" */
};

void rule_check_init(struct rule_check *k, xq_ruleset rules);
/* The game must stay until the last rule_check_next.  XQ_OK or XQ_ENOMEM. */
xq_status rule_check_begin(struct rule_check *k, const pgn_game *g);
/* The next warning, valid until the next call.  XQ_OK, XQ_DONE, XQ_ENOMEM. */
xq_status rule_check_next(struct rule_check *k, pgn_problem *out);
void rule_check_free(struct rule_check *k);

#endif
