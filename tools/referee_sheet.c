/* referee_sheet.c - the sheet that an arbiter signs: position, window, article
 * and verdict in both languages, and lines to write on.
 *
 * It says what the rules say of the moves, and leaves names, date and
 * signature to people.  The same input gives the same sheet: no clock is
 * asked. */
#include "tools/referee_case.h"

#include "tools/board.h"

#include <inttypes.h>
#include <string.h>

#define RULE                                                                   \
    "----------------------------------------------------------------------\n"

static void label(cli_buf *b, const char *zh_en) { board_pad(b, zh_en, 20); }

/* "?", "????.??.??" and "-" say nothing. */
static bool says_nothing(xq_str s)
{
    size_t i = 0;
    while (i < s.n && memchr("?.- ", s.s[i], 4))
        i++;
    return i == s.n;
}

/* A line about the game: what its tag says, or room to write on. */
static void add_tag(cli_buf *b, const ref_case *c, const char *words,
                    const char *tag)
{
    const xq_str value = c->game ? pgn_game_tag(c->game, tag) : (xq_str){0};
    const size_t from = b->n;
    label(b, words);
    ref_script(b, from, &c->how); /* not the names */
    if (says_nothing(value))
        cli_buf_puts(b, "______________________________");
    else
        cli_buf_text(b, value);
    cli_buf_puts(b, "\n");
}

static void add_head(cli_buf *b, const ref_case *c)
{
    size_t from = b->n;
    cli_buf_puts(b, "裁判判定书   Arbiter's decision\n" RULE);
    ref_script(b, from, &c->how);
    add_tag(b, c, "赛事 Event", "Event");
    add_tag(b, c, "日期 Date", "Date");
    add_tag(b, c, "轮次 Round", "Round");
    add_tag(b, c, "台次 Board", "Board");
    add_tag(b, c, "红方 Red", "Red");
    add_tag(b, c, "黑方 Black", "Black");
    cli_buf_puts(b, RULE);
}

static void add_rules(cli_buf *b, const ref_case *c)
{
    label(b, "规则 Rules");
    cli_buf_printf(b, "%s   %s\n", ref_rules(c->how.rules.rules, REF_ZH),
                   ref_rules(c->how.rules.rules, REF_EN));
}

/* The position that repeats, or in which the game ended, and how often. */
static void add_position(cli_buf *b, const ref_case *c)
{
    const xq_ruling *r = &c->ruling;
    xq_pos p;
    char fen[XQ_FEN_MAX];
    if (r->ending == XQ_REPEATED)
        p = c->first;
    else
        ref_case_board(c, r->to_ply, &p);
    xq_fen_format(&p, fen);
    label(b, "局面 Position");
    if (c->occurrences > 1 || r->ending == XQ_REPEATED) {
        cli_buf_printf(b, "出现%" PRIu32 "次，在第", c->occurrences);
        ref_plies(b, c->after, c->occurrences, REF_ZH);
        cli_buf_puts(b, "着之后\n");
        label(b, "");
        cli_buf_printf(b, "occurred %" PRIu32 " times, after plies ",
                       c->occurrences);
        ref_plies(b, c->after, c->occurrences, REF_EN);
        cli_buf_puts(b, "\n");
    } else {
        cli_buf_printf(b, "第%" PRIu32 "着之后   after ply %" PRIu32 "\n",
                       r->to_ply, r->to_ply);
    }
    label(b, "FEN");
    cli_buf_printf(b, "%s\n", fen);
    label(b, "走子 To move");
    cli_buf_printf(b, "%s   %s\n\n", ref_side((xq_side)p.side, REF_ZH),
                   ref_side((xq_side)p.side, REF_EN));
    board_draw(b, &p, c->how.script);
    cli_buf_puts(b, "\n");
}

/* One ply: number, move, nature, and what else it is, in both languages. */
static void add_ply(cli_buf *b, const ref_case *c, const xq_pos *before,
                    uint32_t number, const xq_ply *ply)
{
    char text[PGN_MOVE_TEXT_MAX], iccs[5];
    static const ref_lang LANGS[] = {REF_ZH, REF_EN};
    pgn_move_write(before, ply->move, c->how.notation, c->how.script, text);
    xq_move_format(ply->move, iccs);
    cli_buf_printf(b, "%5" PRIu32 "  ", number);
    board_pad(b, ref_side((xq_side)before->side, REF_ZH), 6);
    board_pad(b, text, 10);
    cli_buf_printf(b, "%s  %s %s", iccs, ref_nature(ply->nature, REF_ZH),
                   ref_nature(ply->nature, REF_EN));
    for (size_t l = 0; l < 2; l++) {
        cli_buf more = {0};
        ref_traits(&more, ply, LANGS[l]);
        if (more.n)
            cli_buf_printf(b, "%s%s", l == 0 ? "；" : "   ", more.s);
        b->failed |= more.failed;
        cli_buf_free(&more);
    }
    cli_buf_puts(b, "\n");
    xq_pos after = *before;
    xq_pos_make(&after, ply->move, NULL);
    for (unsigned i = 0; i < ref_details_of(ply); i++)
        for (size_t l = 0; l < 2; l++) {
            cli_buf_printf(b, "%29s", "");
            ref_detail(b, c, &after, ply, i, LANGS[l]);
            cli_buf_puts(b, "\n");
        }
}

static void add_window(cli_buf *b, const ref_case *c)
{
    const xq_ruling *r = &c->ruling;
    ref_doings side[2];
    xq_pos p = c->first;
    label(b, "循环 Window");
    cli_buf_printf(
        b, "第%" PRIu32 "-%" PRIu32 "着   plies %" PRIu32 "-%" PRIu32 "\n",
        r->from_ply, r->to_ply, r->from_ply, r->to_ply);
    for (uint32_t i = r->from_ply - 1; i < r->to_ply; i++) {
        xq_ply ply;
        ref_case_explain(c, i - (r->from_ply - 1), &ply);
        add_ply(b, c, &p, i + 1, &ply);
        xq_pos_make(&p, ply.move, NULL);
    }
    ref_case_doings(c, side);
    for (int s = XQ_RED; s <= XQ_BLACK; s++) {
        const uint8_t level = r->side[s].level;
        const xq_ruleset rules = c->how.rules.rules;
        label(b, s == XQ_RED ? "红方 Red" : "黑方 Black");
        ref_conduct(b, rules, side[s].plies, level, REF_ZH);
        cli_buf_printf(b, "：%s   ",
                       ref_level(rules, level, side[s].open, REF_ZH));
        ref_conduct(b, rules, side[s].plies, level, REF_EN);
        cli_buf_printf(b, ": %s\n",
                       ref_level(rules, level, side[s].open, REF_EN));
    }
}

/* A line in Chinese, and one in English under it. */
static void add_count(cli_buf *b, const ref_case *c)
{
    static const ref_lang LANGS[] = {REF_ZH, REF_EN};
    cli_buf line = {0};
    for (unsigned i = 0; ref_report_count(&line, c, i, REF_ZH); i++) {
        for (size_t l = 0; l < 2; l++) {
            line.n = 0;
            ref_report_count(&line, c, i, LANGS[l]);
            label(b, i || l ? "" : "限着 Limit");
            cli_buf_add(b, line.s, line.n);
            cli_buf_puts(b, "\n");
        }
        line.n = 0;
    }
    b->failed |= line.failed;
    cli_buf_free(&line);
}

static void add_later(cli_buf *b, const ref_case *c)
{
    static const ref_lang LANGS[] = {REF_ZH, REF_EN};
    for (size_t i = 0; i < c->nlater + c->contradicts; i++)
        for (size_t l = 0; l < 2; l++) {
            label(b, l                ? ""
                     : i == c->nlater ? "结果 Result"
                     : i              ? ""
                                      : "其后 Later");
            ref_report_later(b, c, i, LANGS[l]);
            cli_buf_puts(b, "\n");
        }
}

static void add_decision(cli_buf *b, const ref_case *c)
{
    const xq_ruling *r = &c->ruling;
    if (r->ending != XQ_GOES_ON) {
        label(b, "终局 Ended");
        cli_buf_printf(
            b, "第%" PRIu32 "着之后，%s   after ply %" PRIu32 ", by %s\n",
            r->to_ply, ref_ending(r->ending, REF_ZH), r->to_ply,
            ref_ending(r->ending, REF_EN));
    }
    label(b, "条款 Article");
    if (r->ending == XQ_GOES_ON) {
        cli_buf_printf(b,
                       "R-02   没有局面出现%" PRIu32 "次\n%20s"
                       "       no position occurred %" PRIu32 " times\n",
                       c->how.rules.repetitions, "", c->how.rules.repetitions);
    } else {
        cli_buf_printf(b, "%-6s %s\n%27s%s\n", r->article,
                       ref_article(r->article, r->outcome, REF_ZH), "",
                       ref_article(r->article, r->outcome, REF_EN));
    }
    if (r->unsupported) {
        label(b, "取决于 Hangs on");
        ref_report_open(b, c, REF_ZH);
        cli_buf_puts(b, "\n");
        label(b, "");
        ref_report_open(b, c, REF_EN);
        cli_buf_puts(b, "\n");
    }
    label(b, "判定 Verdict");
    cli_buf_printf(b, "%s   %s\n", ref_outcome(r->outcome, REF_ZH),
                   ref_outcome(r->outcome, REF_EN));
}

void ref_sheet(cli_buf *b, const ref_case *c)
{
    add_head(b, c);
    const size_t from = b->n;
    add_rules(b, c);
    add_position(b, c);
    if (c->ruling.ending == XQ_REPEATED)
        add_window(b, c);
    add_count(b, c);
    add_later(b, c);
    cli_buf_puts(b, RULE);
    add_decision(b, c);
    cli_buf_puts(b, RULE);
    cli_buf_puts(b, "裁判 Arbiter        ____________________   签名 Signature "
                    "____________________\n"
                    "裁判长 Chief        ____________________   签名 Signature "
                    "____________________\n"
                    "签署日期 Signed     ____________________\n");
    ref_script(b, from, &c->how);
}
