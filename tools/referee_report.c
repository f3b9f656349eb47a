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

static unsigned attacks_listed(const xq_ply *ply)
{
    return ply->count < XQ_MAX_ATTACKS ? ply->count : XQ_MAX_ATTACKS;
}

unsigned ref_details_of(const xq_ply *ply)
{
    const unsigned listed = attacks_listed(ply);
    return listed + (ply->count > listed) + ply->note_count;
}

void ref_detail(cli_buf *b, const ref_case *c, const xq_pos *after,
                const xq_ply *ply, unsigned i, ref_lang l)
{
    const unsigned listed = attacks_listed(ply);
    const xq_ruleset rules = c->how.rules.rules;
    char move[PGN_MOVE_TEXT_MAX] = "";
    if (i < listed) {
        ref_attack(b, rules, &ply->attacks[i], l);
        return;
    }
    i -= listed;
    if (ply->count > listed && i-- == 0) {
        cli_buf_printf(b, l == REF_ZH ? "另有%u处" : "and %u attacks more",
                       ply->count - listed);
        return;
    }
    const xq_ply_note *note = &ply->notes[i];
    if (note->move != XQ_NOMOVE) { /* the mover's, could he move again */
        xq_pos again = *after;
        again.side ^= 1;
        pgn_move_write(&again, note->move, c->how.notation, c->how.script,
                       move);
    }
    ref_note(b, rules, note, move, l);
}

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

    xq_pos after = *before;
    xq_pos_make(&after, ply->move, NULL);
    for (unsigned i = 0; i < ref_details_of(ply); i++) {
        cli_buf_printf(b, "%14s", "");
        ref_detail(b, c, &after, ply, i, c->how.lang);
        cli_buf_puts(b, "\n");
    }
}

static void add_conduct(cli_buf *b, const ref_case *c, xq_side s,
                        const ref_doings *d)
{
    const ref_lang l = c->how.lang;
    const xq_ruleset r = c->how.rules.rules;
    const uint8_t level = c->ruling.side[s].level;
    board_pad(b, ref_side(s, l), 11);
    ref_conduct(b, r, d->plies, level, l);
    cli_buf_printf(b, SAY(c, ": %s\n", "：%s\n"),
                   ref_level(r, level, d->open, l));
}

void ref_report_plies(cli_buf *b, const ref_case *c)
{
    ref_doings side[2];
    xq_pos p = c->first;
    for (uint32_t i = c->ruling.from_ply - 1; i < c->ruling.to_ply; i++) {
        xq_ply ply;
        ref_case_explain(c, i - (c->ruling.from_ply - 1), &ply);
        add_ply(b, c, &p, i + 1, &ply);
        xq_pos_make(&p, ply.move, NULL);
    }
    ref_case_doings(c, side);
    for (int s = XQ_RED; s <= XQ_BLACK; s++)
        add_conduct(b, c, (xq_side)s, &side[s]);
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

/* Of a side's checks, those beyond the tenth: "4 checks by Red". */
static void add_checks_off(cli_buf *b, const ref_count *count, ref_lang l)
{
    for (int s = XQ_RED; s <= XQ_BLACK; s++)
        if (count->checks_off[s])
            cli_buf_printf(b,
                           l == REF_ZH ? " - %s将军%" PRIu32
                                       : " - checks by %s %" PRIu32,
                           ref_side((xq_side)s, l), count->checks_off[s]);
}

bool ref_report_count(cli_buf *b, const ref_case *c, unsigned i, ref_lang l)
{
    const xq_ruling *r = &c->ruling;
    const xq_profile *pr = &c->how.rules;
    const bool zh = l == REF_ZH;
    ref_count count;
    if (!pr->natural_limit || i > 2)
        return false;
    ref_case_count(c, &count);
    const bool beyond = count.checks_off[XQ_RED] || count.checks_off[XQ_BLACK];
    if (i == 0) {
        cli_buf_printf(b,
                       zh ? "未吃子%" PRIu32 "着，限%" PRIu32
                            "着（双方各%" PRIu32 "步，L-01）；其间将军：红方"
                            "%" PRIu32 "，黑方%" PRIu32
                          : "%" PRIu32 " of %" PRIu32
                            " plies without a capture (%" PRIu32
                            " moves of each side, L-01); checks: Red "
                            "%" PRIu32 ", Black %" PRIu32,
                       r->counted, pr->natural_limit, pr->natural_limit / 2,
                       r->checks[XQ_RED], r->checks[XQ_BLACK]);
        return true;
    }
    if (!count.base && !beyond)
        return false;
    if (i == 1) {
        cli_buf_printf(b,
                       zh ? "%" PRIu32 " = FEN所记%" PRIu32 " + 所走%" PRIu32
                          : "%" PRIu32 " = by the FEN %" PRIu32
                            " + played %" PRIu32,
                       r->counted, count.base, count.played);
        add_checks_off(b, &count, l);
        if (beyond)
            cli_buf_printf(
                b, zh ? " - 应将%" PRIu32 : " - replies to these %" PRIu32,
                count.replies);
        return true;
    }
    if (beyond)
        cli_buf_printf(b,
                       zh ? "每方将军至多计%" PRIu32
                            "次，其余将军及其应着不计（L-02）"
                          : "of each side's checks %" PRIu32
                            " count; others, and the replies to them, do not "
                            "(L-02)",
                       pr->limit_checks);
    return beyond;
}

static void add_limit(cli_buf *b, const ref_case *c)
{
    cli_buf line = {0};
    for (unsigned i = 0; ref_report_count(&line, c, i, c->how.lang); i++) {
        label(b, c, i ? "" : "limit", i ? "" : "限着");
        cli_buf_add(b, line.s, line.n);
        cli_buf_puts(b, "\n");
        line.n = 0;
    }
    b->failed |= line.failed;
    cli_buf_free(&line);
}

/* Does the verdict hang on how this ply is looked at? */
static bool hangs_on(const ref_case *c, const xq_ply *ply)
{
    bool open = ref_case_is_open(c, ply);
    for (unsigned i = 0; i < attacks_listed(ply); i++)
        open |= (ply->attacks[i].how & XQ_HOW_OPEN) != 0;
    return open;
}

void ref_report_open(cli_buf *b, const ref_case *c, ref_lang l)
{
    const uint32_t begin = c->ruling.from_ply - 1;
    unsigned n = 0;
    cli_buf plies = {0};
    for (uint32_t i = begin; i < c->ruling.to_ply; i++) {
        xq_ply ply;
        ref_case_explain(c, i - begin, &ply);
        if (hangs_on(c, &ply))
            cli_buf_printf(&plies, "%s%" PRIu32,
                           !n++          ? ""
                           : l == REF_ZH ? "、"
                                         : ", ",
                           i + 1);
    }
    if (n == 0)
        cli_buf_puts(b,
                     l == REF_ZH ? "如何论处：" : "what follows from that: ");
    else
        cli_buf_printf(b,
                       l == REF_ZH ? "第%s着是否为捉："
                       : n == 1    ? "whether ply %s is a chase: "
                                   : "whether plies %s are chases: ",
                       plies.s ? plies.s : "");
    ref_outcomes(b, c->ruling.outcomes, l);
    b->failed |= plies.failed;
    cli_buf_free(&plies);
}

static void add_verdict(cli_buf *b, const ref_case *c)
{
    const xq_ruling *r = &c->ruling;
    label(b, c, "verdict", "裁决");
    cli_buf_printf(b, "%s\n", ref_outcome(r->outcome, c->how.lang));
    if (!r->article[0])
        return;
    label(b, c, "article", "条款");
    cli_buf_printf(b, SAY(c, "%s: %s\n", "%s：%s\n"), r->article,
                   ref_article(r->article, r->outcome, c->how.lang));
    if (!r->unsupported)
        return;
    label(b, c, "hangs on", "取决于");
    ref_report_open(b, c, c->how.lang);
    cli_buf_puts(b, "\n");
}

bool ref_report_later(cli_buf *b, const ref_case *c, size_t i, ref_lang l)
{
    const bool zh = l == REF_ZH;
    if (i == c->nlater && c->contradicts) {
        cli_buf_printf(b,
                       zh ? "%s，与终局不符" : "%s, which contradicts the end",
                       pgn_result_text(c->game->result));
        return true;
    }
    if (i >= c->nlater)
        return false;
    const ruling_run *run = &c->later[i];
    const uint32_t at = run->ruling.to_ply;
    if (run->last == c->n)
        cli_buf_printf(b,
                       zh ? "第%" PRIu32 "着之后，至终局：%s（%s）"
                          : "after ply %" PRIu32 ", and so at the end: %s (%s)",
                       at, ref_outcome(run->ruling.outcome, l),
                       run->ruling.article);
    else
        cli_buf_printf(b,
                       zh ? "第%" PRIu32 "着之后：%s（%s）"
                          : "after ply %" PRIu32 ": %s (%s)",
                       at, ref_outcome(run->ruling.outcome, l),
                       run->ruling.article);
    return true;
}

static void add_later(cli_buf *b, const ref_case *c)
{
    cli_buf line = {0};
    for (size_t i = 0; ref_report_later(&line, c, i, c->how.lang); i++) {
        const bool result = i == c->nlater;
        label(b, c,
              result ? "result"
              : i    ? ""
                     : "later",
              result ? "结果"
              : i    ? ""
                     : "其后");
        cli_buf_add(b, line.s, line.n);
        cli_buf_puts(b, "\n");
        line.n = 0;
    }
    b->failed |= line.failed;
    cli_buf_free(&line);
}

void ref_report_text(cli_buf *b, const ref_case *c)
{
    const xq_ruling *r = &c->ruling;
    const size_t from = b->n;
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
    add_later(b, c);
    ref_script(b, from, &c->how);
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
    ref_doings side[2];
    const ref_lang l = c->how.lang;
    ref_case_doings(c, side);
    for (int s = XQ_RED; s <= XQ_BLACK; s++) {
        cli_buf_printf(b, SAY(c, "%s%s: ", "%s%s："),
                       s == XQ_RED ? "" : SAY(c, "; ", "；"),
                       ref_side((xq_side)s, l));
        ref_conduct(b, c->how.rules.rules, side[s].plies,
                    c->ruling.side[s].level, l);
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
    if (r->unsupported) {
        cli_buf_puts(b, SAY(c, "; it hangs on ", "；取决于"));
        ref_report_open(b, c, c->how.lang);
    }
}
