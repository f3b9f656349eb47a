/* referee_ply.c - what a ply is, in the referee's words. */
#include "tools/referee_text.h"

#include "tools/board.h"

#include <inttypes.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

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
    {XQ_HOW_SPARED, "spared", "no chase by the article that decides",
     "依裁决条款不算捉"},
    {XQ_HOW_ANSWERED, "answered", NULL, NULL}, /* told when missing */
    {XQ_HOW_LASTING, "lasting", "on every move", "着着皆捉"},
};

static void add_word(cli_buf *b, const char *word, unsigned *count, ref_lang l)
{
    if ((*count)++)
        cli_buf_puts(b, l == REF_ZH ? "，" : ", ");
    cli_buf_puts(b, word);
}

/* Is it open for C-36 alone? */
static bool only_guards(const xq_ply *ply)
{
    return ply->traits & XQ_TRAIT_UNDECIDED && ply->traits & XQ_TRAIT_CHASES;
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
    if (only_guards(ply))
        add_word(b,
                 l == REF_ZH
                     ? "守方仅余一攻子，只攻士象（C-36）"
                     : "by a defender's last attacker, of guards only (C-36)",
                 &count, l);
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

/* ---- what the traits are about ---- */

/* "rook a1", 车a1; nothing for no piece */
static void add_attacker(cli_buf *b, const xq_ply_note *note, ref_lang l)
{
    if (note->attacker != XQ_NOSQ)
        add_piece(b, note->attacker_piece, note->attacker, l);
}

static void add_victim(cli_buf *b, const xq_ply_note *note, ref_lang l)
{
    if (note->victim != XQ_NOSQ)
        add_piece(b, note->victim_piece, note->victim, l);
}

static void add_mate(cli_buf *b, const xq_ply_note *note, const char *move,
                     ref_lang l)
{
    if (note->moves <= 1)
        cli_buf_printf(b, l == REF_ZH ? "再走%s即杀" : "%s would mate", move);
    else
        cli_buf_printf(b,
                       l == REF_ZH ? "再走%s起，连将%" PRIu32 "步成杀"
                                   : "%s and more checks would mate in %" PRIu32
                                     " moves",
                       move, note->moves);
}

static void add_block(cli_buf *b, const xq_ply_note *note, ref_lang l)
{
    const bool mate = note->victim == XQ_NOSQ;
    cli_buf_puts(b, l == REF_ZH ? "拦" : "bars the way of ");
    add_attacker(b, note, l);
    cli_buf_puts(b, l == REF_ZH ? (mate ? "，解杀" : "攻")
                    : mate      ? ", and with it the mate threatened"
                                : " to ");
    add_victim(b, note, l);
}

/* The article by which the king's and pawns' own attacks are allowed. */
static const char *own_attack_article(xq_ruleset r)
{
    return r == XQ_ASIAN ? "A-43" : "C-16";
}

void ref_note(cli_buf *b, xq_ruleset r, const xq_ply_note *note,
              const char *move, ref_lang l)
{
    const bool zh = l == REF_ZH;
    switch (note->trait) {
    case XQ_TRAIT_MATE_THREAT:
        add_mate(b, note, move, l);
        break;
    case XQ_TRAIT_KING_OR_PAWN:
        add_attacker(b, note, l);
        cli_buf_puts(b, zh ? "捉" : " attacks ");
        add_victim(b, note, l);
        cli_buf_printf(b, zh ? "：允许（%s）" : ": allowed (%s)",
                       own_attack_article(r));
        break;
    case XQ_TRAIT_EXCHANGE:
        cli_buf_puts(b, zh ? "以" : "offers ");
        add_attacker(b, note, l);
        cli_buf_puts(b, zh ? "兑" : " for ");
        add_victim(b, note, l);
        break;
    case XQ_TRAIT_SACRIFICE:
        cli_buf_puts(b, zh ? "献" : "offers ");
        add_victim(b, note, l);
        cli_buf_puts(b, zh ? "与" : " to ");
        add_attacker(b, note, l);
        break;
    case XQ_TRAIT_BLOCK:
        add_block(b, note, l);
        break;
    case XQ_TRAIT_UNDECIDED:
        cli_buf_printf(b, zh ? "%s起，或可得子" : "%s might begin to win ",
                       move);
        if (note->victim == XQ_NOSQ)
            cli_buf_puts(b, zh ? "" : "a piece");
        else
            cli_buf_puts(b, zh ? "：" : "");
        add_victim(b, note, l);
        break;
    default:
        break;
    }
}

/* ---- codes ---- */

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

const char *ref_trait_code(unsigned trait)
{
    size_t i = 0;
    while (i + 1 < COUNT(TRAITS) && TRAITS[i].bit != trait)
        i++;
    return TRAITS[i].code;
}
