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

/* ---- what a ply is ---- */

struct bit_word {
    unsigned bit;
    const char *code, *en, *zh;
};

static const struct bit_word TRAITS[] = {
    {XQ_TRAIT_EXCHANGE, "exchange", "exchange offer", "兑"},
    {XQ_TRAIT_SACRIFICE, "sacrifice", "sacrifice offer", "献"},
    {XQ_TRAIT_BLOCK, "block", "block", "拦"},
    {XQ_TRAIT_MATE_THREAT, "mate_threat", "threatens mate", "杀"},
    {XQ_TRAIT_CHASES, "chases", "chases", "捉"},
    {XQ_TRAIT_KING_OR_PAWN, "king_or_pawn", "king or pawn attacks",
     "将（帅）、兵（卒）捉"},
    {XQ_TRAIT_ANSWERS_CHECK, "answers_check", "answers a check", "应将"},
    {XQ_TRAIT_UNDECIDED, "undecided", "perhaps a chase (C-41)",
     "是否为捉未定（C-41）"},
};

static const struct bit_word HOW[] = {
    {XQ_HOW_MOVED, "moved", NULL, NULL}, /* the squares tell people */
    {XQ_HOW_DISCOVERED, "discovered", "by an opened line", "闪捉"},
    {XQ_HOW_UNROOTED, "unrooted", "its root is gone", "去根"},
    {XQ_HOW_NO_ROOT, "no_root", "no root", "无根"},
    {XQ_HOW_FALSE_ROOT, "false_root", "false root", "假根"},
    {XQ_HOW_PROTECTED, "protected", "protected, but worth more", "有根而值高"},
    {XQ_HOW_EXCHANGE, "exchange", "could take the attacker", "可反捉"},
    {XQ_HOW_JOINT, "joint", "won by two attackers", "联合捉子"},
    {XQ_HOW_EXCUSED, "excused", "not counted: an answer cut the root (A-41)",
     "应着附带去根，不计（A-41）"},
    {XQ_HOW_OPEN, "open", "open whether it wins anything (C-41)",
     "能否得子未定（C-41）"},
    {XQ_HOW_ANSWERED, "answered", NULL, NULL}, /* told when missing */
    {XQ_HOW_LASTING, "lasting", "on every move", "着着皆捉"},
};

static void add_word(cli_buf *b, const char *word, unsigned *count, ref_lang l)
{
    if ((*count)++)
        cli_buf_puts(b, l == REF_ZH ? "，" : ", ");
    cli_buf_puts(b, word);
}

void ref_traits(cli_buf *b, const xq_ply *ply, ref_lang l)
{
    unsigned count = 0;
    unsigned traits = ply->traits;
    /* Not what the nature says already. */
    if (ply->nature == XQ_MATE_THREAT)
        traits &= ~(unsigned)XQ_TRAIT_MATE_THREAT;
    if (ply->nature == XQ_CHASE || traits & XQ_TRAIT_UNDECIDED)
        traits &= ~(unsigned)XQ_TRAIT_CHASES;
    for (size_t i = 0; i < COUNT(TRAITS); i++)
        if (traits & TRAITS[i].bit)
            add_word(b, l == REF_ZH ? TRAITS[i].zh : TRAITS[i].en, &count, l);
}

static void add_piece(cli_buf *b, xq_piece p, xq_sq s, ref_lang l)
{
    char sq[3];
    xq_sq_format(s, sq);
    if (l == REF_ZH)
        cli_buf_printf(b, "%s%s", board_piece(p, PGN_SIMPLIFIED), sq);
    else
        cli_buf_printf(b, "%s %s", ref_kind_code(p), sq);
}

/* Is the victim worth more than the attacker, by either book (A-16, C-31)? */
static bool is_worth_more(const xq_attack *a)
{
    static const uint8_t WORTH[8] = {
        [XQ_ADVISOR] = 1, [XQ_ELEPHANT] = 1, [XQ_HORSE] = 2,
        [XQ_CANNON] = 2,  [XQ_ROOK] = 4,
    };
    return WORTH[xq_piece_kind(a->victim_piece)] >
           WORTH[xq_piece_kind(a->attacker_piece)];
}

void ref_attack(cli_buf *b, xq_ruleset r, const xq_attack *a, ref_lang l)
{
    unsigned count = 0;
    add_piece(b, a->attacker_piece, a->attacker, l);
    cli_buf_puts(b, l == REF_ZH ? "捉" : " attacks ");
    add_piece(b, a->victim_piece, a->victim, l);
    cli_buf_puts(b, l == REF_ZH ? "：" : ": ");
    for (size_t i = 0; i < COUNT(HOW); i++) {
        const char *word = l == REF_ZH ? HOW[i].zh : HOW[i].en;
        if (HOW[i].bit == XQ_HOW_PROTECTED && !is_worth_more(a))
            word = l == REF_ZH ? "有根" : "protected";
        if (a->how & HOW[i].bit && word)
            add_word(b, word, &count, l);
    }
    /* Asian rules: what the reply does not end is no chase. */
    if (r == XQ_ASIAN && !(a->how & XQ_HOW_ANSWERED))
        add_word(b,
                 l == REF_ZH ? "未应，不计（A-12）"
                             : "not counted: not answered (A-12)",
                 &count, l);
}

static void add_codes(cli_buf *b, const struct bit_word *words, size_t n,
                      unsigned bits)
{
    const char *comma = "";
    for (size_t i = 0; i < n; i++) {
        if (!(bits & words[i].bit))
            continue;
        cli_buf_printf(b, "%s\"%s\"", comma, words[i].code);
        comma = ",";
    }
}

void ref_traits_json(cli_buf *b, unsigned traits)
{
    add_codes(b, TRAITS, COUNT(TRAITS), traits);
}

void ref_how_json(cli_buf *b, unsigned how)
{
    add_codes(b, HOW, COUNT(HOW), how);
}

void ref_plies(cli_buf *b, const uint32_t *ply, uint32_t n, ref_lang l)
{
    for (uint32_t i = 0; i < n; i++) {
        if (i)
            cli_buf_puts(b, l == REF_ZH ? "、" : i + 1 < n ? ", " : " and ");
        cli_buf_printf(b, "%" PRIu32, ply[i]);
    }
}
