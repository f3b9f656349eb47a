/* verify_rules.c - what qipu verify --rules has to say about a game. */
#include "tools/verify_rules.h"

#include <inttypes.h>
#include <stdlib.h>

/* A game made of nothing but repetitions would be a list without end. */
enum { LISTED = 16 };

void rule_check_init(struct rule_check *k, xq_ruleset rules)
{
    *k = (struct rule_check){.listed = 0};
    xq_profile_init(&k->profile, rules);
}

xq_status rule_check_begin(struct rule_check *k, const pgn_game *g)
{
    k->game = g;
    k->listed = 0;
    k->contradicts = false;
    if (!rulings_begin(&k->rulings, &k->profile, g))
        return XQ_ENOMEM;
    return XQ_OK;
}

/* The next run that is not a mate's. */
static bool next_run(struct rule_check *k)
{
    if (rulings_quiet(&k->rulings))
        return false;
    while (k->listed < LISTED && rulings_next(&k->rulings, &k->run))
        if (k->run.ruling.ending != XQ_MATED &&
            k->run.ruling.ending != XQ_STALEMATED)
            return true;
    return false;
}

/* What the losing side did.  (What the other did is the referee's to tell: a
 * window costs him far more than the verdict.) */
static void add_offence(cli_buf *b, const struct rule_check *k)
{
    const xq_ruling *r = &k->run.ruling;
    if (r->outcome != XQ_RED_LOSES && r->outcome != XQ_BLACK_LOSES)
        return;
    const xq_side s = r->outcome == XQ_RED_LOSES ? XQ_RED : XQ_BLACK;
    cli_buf_puts(b, ": ");
    ref_conduct(b, k->profile.rules, r->side[s].plies, r->side[s].level,
                REF_EN);
}

/* The plies after which the position stood. */
static bool add_repetition(struct rule_check *k)
{
    const xq_ruling *r = &k->run.ruling;
    uint32_t *after = malloc(r->occurrences * sizeof *after);
    if (!after)
        return false;
    const uint32_t n =
        xq_occurrences(k->rulings.keys, r->to_ply, after, r->occurrences);
    cli_buf_puts(&k->message, "the same position after plies ");
    ref_plies(&k->message, after, n, REF_EN);
    for (uint32_t i = 0; i < n; i++)
        cli_buf_printf(&k->json, "%s%" PRIu32, i ? "," : "", after[i]);
    free(after);
    return true;
}

static void add_verdict(cli_buf *b, const struct rule_check *k)
{
    const xq_ruling *r = &k->run.ruling;
    cli_buf_printf(b,
                   ",\"verdict\":\"%s\",\"rules\":\"%s\",\"article\":\"%s\","
                   "\"from_ply\":%" PRIu32 ",\"to_ply\":%" PRIu32,
                   ref_outcome_code(r->outcome),
                   ref_rules_code(k->profile.rules), r->article, r->from_ply,
                   r->to_ply);
}

/* The ruling of k->run. */
static bool describe(struct rule_check *k)
{
    const xq_ruling *r = &k->run.ruling;
    add_verdict(&k->json, k);
    cli_buf_puts(&k->json, ",\"occurrences\":[");
    if (r->ending != XQ_REPEATED)
        cli_buf_printf(&k->message,
                       "%" PRIu32 " plies without a capture that count",
                       r->counted);
    else if (!add_repetition(k))
        return false;
    cli_buf_puts(&k->json, "]");
    cli_buf_printf(&k->message, ": %s by %s (%s)",
                   ref_outcome(r->outcome, REF_EN),
                   ref_rules(k->profile.rules, REF_EN), r->article);
    add_offence(&k->message, k);
    return true;
}

static void contradict(struct rule_check *k)
{
    const xq_ruling *r = &k->run.ruling;
    cli_buf_printf(
        &k->message, "result is %s, but the game ends here: %s by %s (%s)",
        pgn_result_text(k->game->result), ref_outcome(r->outcome, REF_EN),
        ref_rules(k->profile.rules, REF_EN), r->article);
    add_verdict(&k->json, k);
}

xq_status rule_check_next(struct rule_check *k, pgn_problem *out)
{
    uint32_t ply;
    k->message.n = k->json.n = 0;
    if (k->contradicts) {
        k->contradicts = false;
        ply = k->game->plies;
        contradict(k);
    } else if (next_run(k)) {
        k->listed++;
        k->contradicts = rulings_contradict(k->game, &k->run);
        ply = k->run.ruling.to_ply;
        if (!describe(k))
            return XQ_ENOMEM;
    } else
        return XQ_DONE;
    if (k->message.failed || k->json.failed)
        return XQ_ENOMEM;
    *out = (pgn_problem){
        .level = PGN_WARNING,
        .kind = PGN_P_RULE,
        .line = k->game->line,
        .byte = k->game->byte,
        .ply = ply,
        .message = {k->message.s, k->message.n},
    };
    return XQ_OK;
}

void rule_check_free(struct rule_check *k)
{
    rulings_free(&k->rulings);
    cli_buf_free(&k->message);
    cli_buf_free(&k->json);
}
