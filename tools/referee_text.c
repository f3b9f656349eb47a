/* referee_text.c - the referee's words, in English and Chinese. */
#include "tools/referee_text.h"

#include "tools/board.h"

#include <inttypes.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- codes ---- */

static const char *const RULES[] = {"asian", "cxa"};
static const char *const LANGS[] = {"en", "zh"};

bool ref_rules_find(const char *name, xq_ruleset *out)
{
    for (size_t i = 0; i < COUNT(RULES); i++)
        if (strcmp(name, RULES[i]) == 0) {
            *out = (xq_ruleset)i;
            return true;
        }
    return false;
}

bool ref_rules_of(const struct cli_cmd *cmd, const char *name, xq_ruleset *out)
{
    if (ref_rules_find(name, out))
        return true;
    cli_usage(cmd, "option '--rules' takes asian or cxa, not '%s'", name);
    return false;
}

bool ref_lang_of(const struct cli_cmd *cmd, const char *name, ref_lang *out)
{
    for (size_t i = 0; i < COUNT(LANGS); i++)
        if (strcmp(name, LANGS[i]) == 0) {
            *out = (ref_lang)i;
            return true;
        }
    cli_usage(cmd, "option '--lang' takes en or zh, not '%s'", name);
    return false;
}

const char *ref_rules_code(xq_ruleset r) { return RULES[r]; }

const char *ref_outcome_code(xq_outcome o)
{
    static const char *const CODE[] = {"no_verdict", "draw", "red_loses",
                                       "black_loses"};
    return CODE[o];
}

const char *ref_ending_code(xq_ending e)
{
    static const char *const CODE[] = {"goes_on",    "mate",  "stalemate",
                                       "repetition", "limit", "bare"};
    return CODE[e];
}

const char *ref_nature_code(xq_nature n)
{
    static const char *const CODE[] = {"idle", "chase", "mate_threat", "check"};
    return CODE[n];
}

const char *ref_kind_code(xq_piece p)
{
    static const char *const CODE[] = {"",      "king", "advisor", "elephant",
                                       "horse", "rook", "cannon",  "pawn"};
    return CODE[xq_piece_kind(p)];
}

const char *ref_side_code(xq_side s) { return s == XQ_RED ? "red" : "black"; }

/* ---- words ---- */

const char *ref_rules(xq_ruleset r, ref_lang l)
{
    static const char *const WORDS[][2] = {
        {"Asian rules", "亚洲规则"},
        {"Chinese national rules 2020", "中国象棋竞赛规则2020版"},
    };
    return WORDS[r][l];
}

const char *ref_outcome(xq_outcome o, ref_lang l)
{
    static const char *const WORDS[][2] = {
        {"no verdict", "不作裁决"},
        {"draw", "和棋"},
        {"Red loses", "红方作负"},
        {"Black loses", "黑方作负"},
    };
    return WORDS[o][l];
}

void ref_outcomes(cli_buf *b, unsigned outcomes, ref_lang l)
{
    bool any = false;
    for (int o = XQ_DRAW; o <= XQ_BLACK_LOSES; o++) {
        if (!(outcomes >> o & 1))
            continue;
        cli_buf_printf(b, "%s%s",
                       !any          ? ""
                       : l == REF_ZH ? "或"
                                     : " or ",
                       ref_outcome((xq_outcome)o, l));
        any = true;
    }
}

const char *ref_ending(xq_ending e, ref_lang l)
{
    static const char *const WORDS[][2] = {
        {"nothing", "未终局"},
        {"mate", "将死"},
        {"stalemate", "困毙"},
        {"repetition", "重复局面"},
        {"the natural limit", "自然限着"},
        {"lack of material", "子力不足"},
    };
    return WORDS[e][l];
}

const char *ref_nature(xq_nature n, ref_lang l)
{
    static const char *const WORDS[][2] = {
        {"idle", "闲"},
        {"chase", "捉"},
        {"mate threat", "杀"},
        {"check", "将"},
    };
    return WORDS[n][l];
}

const char *ref_side(xq_side s, ref_lang l)
{
    static const char *const WORDS[][2] = {{"Red", "红方"}, {"Black", "黑方"}};
    return WORDS[s][l];
}

const char *ref_level(xq_ruleset r, uint8_t level, bool open, ref_lang l)
{
    static const char *const FORBIDDEN[2][2] = {
        {"forbidden", "禁止着法"}, /* Asian */
        {"forbidden", "长打"},     /* Chinese */
    };
    static const char *const ALLOWED[2] = {"allowed", "允许着法"};
    static const char *const OPEN[2] = {"not decided", "未定"};
    if (open)
        return OPEN[l];
    return level ? FORBIDDEN[r][l] : ALLOWED[l];
}

/* ---- what a side did ---- */

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void add_number(cli_buf *b, uint32_t n, ref_lang l)
{
    static const char *const WORDS[][2] = {
        {"one", "一"},  {"two", "二"}, {"three", "三"}, {"four", "四"},
        {"five", "五"}, {"six", "六"}, {"seven", "七"}, {"eight", "八"},
        {"nine", "九"}, {"ten", "十"},
    };
    if (n >= 1 && n <= COUNT(WORDS))
        cli_buf_puts(b, WORDS[n - 1][l]);
    else
        cli_buf_printf(b, "%" PRIu32, n);
}

/* "one check, two chases": in lowest terms, the more serious first. */
static void add_mixture(cli_buf *b, const uint32_t plies[4], ref_lang l)
{
    static const char *const MANY[] = {"idle moves", "chases", "mate threats",
                                       "checks"};
    static const char *const ONE[] = {"idle move", "chase", "mate threat",
                                      "check"};
    uint32_t divisor = 0;
    const char *comma = "";
    for (int n = XQ_IDLE; n <= XQ_CHECK; n++)
        divisor = common_divisor(plies[n], divisor);
    for (int n = XQ_CHECK; n >= XQ_IDLE; n--) {
        if (!plies[n])
            continue;
        const uint32_t count = plies[n] / divisor;
        if (l == REF_EN)
            cli_buf_puts(b, comma);
        add_number(b, count, l);
        if (l == REF_ZH)
            cli_buf_puts(b, ref_nature((xq_nature)n, l));
        else
            cli_buf_printf(b, " %s", count == 1 ? ONE[n] : MANY[n]);
        comma = ", ";
    }
}

void ref_conduct(cli_buf *b, xq_ruleset r, const uint32_t plies[4],
                 uint8_t level, ref_lang l)
{
    static const char *const PERPETUAL[][2] = {
        {"idle moves", "均为闲着"},
        {"perpetual chase", "长捉"},
        {"perpetual mate threat", "长杀"},
        {"perpetual check", "长将"},
    };
    static const char *const IN_TURN[] = {"chases of different pieces",
                                          "轮捉数子"};
    const uint32_t sum = plies[XQ_IDLE] + plies[XQ_CHASE] +
                         plies[XQ_MATE_THREAT] + plies[XQ_CHECK];
    for (int n = XQ_IDLE; n <= XQ_CHECK; n++) {
        if (plies[n] != sum)
            continue;
        /* Under Asian rules a perpetual chase is one of the same piece. */
        const bool in_turn = n == XQ_CHASE && r == XQ_ASIAN && !level;
        cli_buf_puts(b, in_turn ? IN_TURN[l] : PERPETUAL[n][l]);
        return;
    }
    add_mixture(b, plies, l);
}

void ref_plies(cli_buf *b, const uint32_t *ply, uint32_t n, ref_lang l)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            cli_buf_puts(b, l == REF_ZH ? "、" : i + 1 < n ? ", " : " and ");
        cli_buf_printf(b, "%" PRIu32, ply[i]);
    }
}
