/* referee_report.c - the referee's report, as text for people. */
#include "tools/referee_case.h"

#include "tools/board.h"

#include <inttypes.h>

/* The text in the language asked for.  A macro, because formats are only
 * checked where the compiler sees both of them. */
#define SAY(c, en, zh) ((c)->how.lang == REF_ZH ? (zh) : (en))

/* The name of a line, padded. */
static void label(cli_buf *b, const ref_case *c, const char *en, const char *zh)
{
    board_pad(b, SAY(c, en, zh), 11);
}

/* ---- the plies of the window ---- */

/* "  5  Red    车二进一    check      answers a check" */
static void add_ply(cli_buf *b, const ref_case *c, const xq_pos *before,
                    uint32_t number, const xq_ply *ply)
{
    char text[PGN_MOVE_TEXT_MAX];
    cli_buf line = {0};
    cli_buf_printf(&line, "%5" PRIu32 "  ", number);
    board_pad(&line, ref_side((xq_side)before->side, c->how.lang), 7);
    pgn_move_write(before, ply->move, c->how.notation, c->how.script, text);
    board_pad(&line, text, 11);
    board_pad(&line, ref_nature(ply->nature, c->how.lang),
              c->how.lang == REF_ZH ? 4 : 13);
    ref_traits(&line, ply, c->how.lang);
    while (line.n && line.s[line.n - 1] == ' ')
        line.n--;
    cli_buf_add(b, line.s, line.n);
    cli_buf_puts(b, "\n");
    b->failed |= line.failed;
    cli_buf_free(&line);

    const unsigned listed =
        ply->count < XQ_MAX_ATTACKS ? ply->count : XQ_MAX_ATTACKS;
    for (unsigned i = 0; i < listed; i++) {
        cli_buf_printf(b, "%14s", "");
        ref_attack(b, c->how.rules.rules, &ply->attacks[i], c->how.lang);
        cli_buf_puts(b, "\n");
    }
    if (ply->count > listed)
        cli_buf_printf(b, SAY(c, "%14sand %u attacks more\n", "%14s另有%u处\n"),
                       "", ply->count - listed);
}

static void add_conduct(cli_buf *b, const ref_case *c, xq_side s,
                        const uint32_t plies[4], bool open)
{
    const ref_lang l = c->how.lang;
    const xq_ruleset r = c->how.rules.rules;
    const uint8_t level = c->ruling.side[s].level;
    board_pad(b, ref_side(s, l), 11);
    ref_conduct(b, r, plies, level, l);
    cli_buf_printf(b, SAY(c, ": %s\n", "：%s\n"), ref_level(r, level, open, l));
}

void ref_report_plies(cli_buf *b, const ref_case *c)
{
    uint32_t plies[2][4] = {{0}};
    bool open[2] = {false, false};
    xq_pos p = c->first;
    for (uint32_t i = c->ruling.from_ply - 1; i < c->ruling.to_ply; i++) {
        xq_ply ply;
        ref_case_explain(c, i - (c->ruling.from_ply - 1), &ply);
        plies[p.side][ply.nature]++;
        open[p.side] |= ref_case_is_open(c, &ply);
        add_ply(b, c, &p, i + 1, &ply);
        xq_pos_make(&p, ply.move, NULL);
    }
    for (int s = XQ_RED; s <= XQ_BLACK; s++)
        add_conduct(b, c, (xq_side)s, plies[s], open[s]);
}

/* ---- the rest ---- */

static void add_occurrences(cli_buf *b, const ref_case *c)
{
    label(b, c, "position", "局面");
    if (c->occurrences == 1) {
        cli_buf_puts(b, SAY(c, "occurred once\n", "出现一次\n"));
        return;
    }
    cli_buf_printf(b,
                   SAY(c, "occurred %" PRIu32 " times, after plies ",
                       "出现%" PRIu32 "次，分别在以下各着之后："),
                   c->occurrences);
    ref_plies(b, c->after, c->occurrences, c->how.lang);
    cli_buf_puts(b, "\n");
}

static void add_limit(cli_buf *b, const ref_case *c)
{
    const xq_ruling *r = &c->ruling;
    const uint32_t limit = c->how.rules.natural_limit;
    if (!limit)
        return;
    label(b, c, "limit", "限着");
    cli_buf_printf(b,
                   SAY(c,
                       "%" PRIu32 " of %" PRIu32
                       " (plies without a capture that count); checks: Red "
                       "%" PRIu32 ", Black %" PRIu32 "\n",
                       "未吃子计%" PRIu32 "着，限%" PRIu32
                       "着；其间将军：红方%" PRIu32 "，黑方%" PRIu32 "\n"),
                   r->counted, limit, r->checks[XQ_RED], r->checks[XQ_BLACK]);
}

static void add_verdict(cli_buf *b, const ref_case *c)
{
    const xq_ruling *r = &c->ruling;
    label(b, c, "verdict", "裁决");
    cli_buf_puts(b, ref_outcome(r->outcome, c->how.lang));
    if (r->unsupported)
        cli_buf_printf(
            b, SAY(c, ", unsupported: see %s", "，超出所支持的条文：见%s"),
            r->article);
    cli_buf_puts(b, "\n");
    if (!r->article[0])
        return;
    label(b, c, "article", "条款");
    cli_buf_printf(b, SAY(c, "%s: %s\n", "%s：%s\n"), r->article,
                   ref_article(r->article, r->outcome, c->how.lang));
}

void ref_report_text(cli_buf *b, const ref_case *c)
{
    const xq_ruling *r = &c->ruling;
    label(b, c, "rules", "规则");
    cli_buf_printf(b, "%s\n", ref_rules(c->how.rules.rules, c->how.lang));
    add_verdict(b, c);
    if (r->ending == XQ_GOES_ON) {
        label(b, c, "reason", "理由");
        ref_report_reason(b, c);
        cli_buf_puts(b, "\n");
    } else {
        label(b, c, "ended", "终局");
        cli_buf_printf(
            b,
            SAY(c, "after ply %" PRIu32 ", by %s", "第%" PRIu32 "着之后，%s"),
            r->to_ply, ref_ending(r->ending, c->how.lang));
        if (r->to_ply + 1 == c->n)
            cli_buf_puts(b, SAY(c, "; one ply follows", "；其后尚有一着"));
        else if (r->to_ply < c->n)
            cli_buf_printf(
                b,
                SAY(c, "; %" PRIu32 " plies follow", "；其后尚有%" PRIu32 "着"),
                c->n - r->to_ply);
        cli_buf_puts(b, "\n");
    }
    if (r->ending == XQ_REPEATED) {
        add_occurrences(b, c);
        label(b, c, "window", "循环");
        cli_buf_printf(b,
                       SAY(c, "plies %" PRIu32 "-%" PRIu32 "\n",
                           "第%" PRIu32 "-%" PRIu32 "着\n"),
                       r->from_ply, r->to_ply);
        ref_report_plies(b, c);
    }
    add_limit(b, c);
}

/* Nothing ended the line: how near to a repetition it came. */
static void add_nothing(cli_buf *b, const ref_case *c)
{
    cli_buf_printf(b,
                   SAY(c, "no position occurred %" PRIu32 " times (R-02)",
                       "没有局面出现%" PRIu32 "次（R-02）"),
                   c->how.rules.repetitions);
    if (c->occurrences < 2)
        return;
    cli_buf_puts(b, SAY(c, "; most often the one after plies ",
                        "；最多的一个出现在以下各着之后："));
    ref_plies(b, c->after, c->occurrences, c->how.lang);
}

void ref_report_conduct(cli_buf *b, const ref_case *c)
{
    uint32_t plies[2][4];
    const ref_lang l = c->how.lang;
    ref_case_natures(c, plies);
    for (int s = XQ_RED; s <= XQ_BLACK; s++) {
        cli_buf_printf(b, SAY(c, "%s%s: ", "%s%s："),
                       s == XQ_RED ? "" : SAY(c, "; ", "；"),
                       ref_side((xq_side)s, l));
        ref_conduct(b, c->how.rules.rules, plies[s], c->ruling.side[s].level,
                    l);
    }
}

void ref_report_reason(cli_buf *b, const ref_case *c)
{
    const xq_ruling *r = &c->ruling;
    if (r->ending == XQ_GOES_ON) {
        add_nothing(b, c);
        return;
    }
    if (r->ending == XQ_REPEATED) {
        ref_report_conduct(b, c);
        cli_buf_puts(b, SAY(c, "; ", "；"));
    }
    cli_buf_puts(b, ref_article(r->article, r->outcome, c->how.lang));
}
