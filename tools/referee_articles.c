/* referee_articles.c - what each article says, in one sentence.
 *
 * Some articles say when a thing is forbidden and when it is not: then there
 * is a row for either outcome.  Sources: rule books as stated in
 * engine/README.md; the sentences are ours. */
#include "tools/referee_text.h"

#include <string.h>

enum when { ALWAYS, LOSS, DRAW, OPEN };

static const struct article {
    const char *no;
    enum when when;
    const char *en, *zh;
} ARTICLES[] = {
    {"G-10", ALWAYS, "who has no legal move has lost, in check or not",
     "无合法着法可走的一方作负，被将死、困毙相同"},
    {"G-11", ALWAYS, "no piece that can cross the river is left: draw",
     "双方均无可过河之子，作和"},
    {"L-01", ALWAYS,
     "the natural limit of moves without a capture is reached: "
     "draw",
     "达到自然限着，作和"},
    {"R-02", ALWAYS, "a verdict falls when a position occurs often enough",
     "同一局面未达到规定的重复次数，不作裁决"},

    {"A-02", ALWAYS, "neither side does what is forbidden: draw",
     "双方均无禁止着法，作和"},
    {"A-12", ALWAYS, "an attack that is simply left standing is no chase: draw",
     "攻击一直存在而未被应对，不算捉，作和"},
    {"A-20", ALWAYS,
     "perpetual check, and the other side does not always check: the checking "
     "side loses",
     "单方长将，长将方作负"},
    {"A-21", ALWAYS, "both sides give perpetual check: draw", "双方长将，作和"},
    {"A-22", ALWAYS,
     "perpetual check, answered by a check now and then: the perpetual checker "
     "loses",
     "一方长将，另一方间有反将，长将方作负"},
    {"A-23", ALWAYS, "perpetual mate threats are allowed: draw",
     "长杀为允许着法，作和"},
    {"A-24", ALWAYS,
     "checks, mate threats and chases mixed with each other or with other "
     "moves are allowed: draw",
     "一将一杀、一将一捉、一将一闲、一捉一闲等均为允许着法，作和"},
    {"A-30", ALWAYS, "perpetual chase of a piece: the chasing side loses",
     "单方长捉一子，长捉方作负"},
    {"A-31", LOSS,
     "perpetual chase of a piece without a true root: the chasing side loses",
     "长捉无根子，长捉方作负"},
    {"A-31", DRAW,
     "the piece attacked has a true root, which is no chase: "
     "draw",
     "被攻之子有真根，不算捉，作和"},
    {"A-32", ALWAYS,
     "perpetual chase of a piece whose root is false: the chasing side loses",
     "长捉假根子，假根等于无根，长捉方作负"},
    {"A-33", ALWAYS,
     "perpetual chase of a piece worth more, protected or not: the chasing "
     "side loses",
     "马、炮捉车等以低值子捉高值子，有根亦为捉；长捉方作负"},
    {"A-34", ALWAYS,
     "perpetual chase by a line that the move opens: the chasing side loses",
     "闪开线路、炮架等所成之捉（闪捉）亦为捉；长捉方作负"},
    {"A-35", LOSS,
     "a chase that is an exchange offer as well is a chase: the chasing side "
     "loses",
     "兑而兼捉者为捉；长捉方作负"},
    {"A-35", DRAW, "an exchange offer is no chase: draw",
     "单纯兑子不算捉，长兑作和"},
    {"A-36", LOSS,
     "perpetual chase of a pawn that has crossed the river: the chasing side "
     "loses",
     "长捉过河兵（卒），长捉方作负"},
    {"A-36", DRAW, "pawns that have not crossed the river may be chased: draw",
     "长捉未过河的兵（卒），作和"},
    {"A-37", ALWAYS,
     "several pieces in turn chase the same piece: the chasing side loses",
     "两子或多子轮流长捉一子，长捉方作负"},
    {"A-38", ALWAYS, "different pieces are chased in turn: draw",
     "轮流捉两子或多子，作和"},
    {"A-39", ALWAYS, "both sides chase perpetually: draw", "双方长捉，作和"},
    {"A-40", LOSS,
     "perpetual chase of a rook that a cannon ties to a line: the chasing side "
     "loses",
     "车长捉被牵之车，长捉方作负"},
    {"A-40", DRAW,
     "the rook that a cannon ties to a line is protected, and its own moves "
     "along the line are no chase: draw",
     "被牵之车有根，其沿线移动亦不算捉，作和"},
    {"A-41", ALWAYS,
     "perpetual chase; that the answers cut a root is a side effect and no "
     "counter-chase: the chasing side loses",
     "长捉方作负；应着附带去根，不算反捉"},
    {"A-42", ALWAYS,
     "perpetual chase of a rook on the leg of a horse's check; its own attack "
     "on that horse excuses nothing: the chasing side loses",
     "长捉蹩马腿挡将之车，长捉方作负；该车对马的攻击不算反捉"},
    {"A-43", ALWAYS, "king and pawns may chase: draw",
     "将（帅）、兵（卒）长捉，作和"},
    {"A-44", ALWAYS,
     "king or pawn moves, but another piece chases: the chasing side loses",
     "将（帅）、兵（卒）移动而由他子长捉，长捉方作负"},
    {"A-45", ALWAYS,
     "the capture becomes possible only after another check, which is no "
     "chase: draw",
     "须再将军方能得子，不算捉，作和"},
    {"A-46", ALWAYS,
     "perpetual block, exchange offer, sacrifice offer and idle moves are "
     "allowed: draw",
     "长拦、长兑、长献、闲着均为允许着法，作和"},

    {"C-20", ALWAYS,
     "perpetual check, and the other side does not always check: the checking "
     "side loses",
     "单方长将，不论对方如何应着，长将方作负"},
    {"C-21", ALWAYS, "both sides give perpetual check: draw", "双方长将，作和"},
    {"C-22", ALWAYS,
     "one side has no idle move, the other has: the side that always checks, "
     "threatens or chases loses",
     "单方长打（将、杀、捉而无闲着），对方有闲着，长打方作负"},
    {"C-23", ALWAYS, "neither side has an idle move: draw",
     "双方长打，不变作和"},
    {"C-24", ALWAYS, "both sides have an idle move: draw",
     "双方均为允许着法，不变作和"},
    {"C-25", LOSS,
     "neither side has an idle move, but one chases directly on every move, "
     "the other jointly or an under-protected piece: the former has to change "
     "and loses",
     "双方长打，一方均为直接捉，另一方有联合捉子或捉少根子；前者应变，不变作"
     "负"},
    {"C-25", DRAW,
     "neither side has an idle move, and both or neither chase jointly or an "
     "under-protected piece: draw",
     "双方长打，性质相同，不变作和"},
    {"C-25", OPEN,
     "neither side has an idle move, and one chases jointly or an "
     "under-protected piece; the other does not chase directly on every move, "
     "and of that the text says nothing: no verdict",
     "双方长打，一方有联合捉子或捉少根子，另一方并非着着直接捉，条文未规定，不"
     "作裁决"},
    {"C-30", ALWAYS, "what could be won before as well is no new chase",
     "着前已可得之子，着后仍可得，不算新捉"},
    {"C-31", ALWAYS, "pieces of equal worth are no gain", "等值交换，不算得子"},
    {"C-32", ALWAYS, "material is won by force in a way not decided here",
     "是否属于得子，条文未能确定"},
    {"C-33", ALWAYS, "chase of an under-protected piece", "捉少根子"},
    {"C-35", ALWAYS, "a protector that captures is judged like any attacker",
     "有根子之根兼为攻子，按攻子论"},
    {"C-36", ALWAYS,
     "incidental attacks of a defender with one attacking piece are idle",
     "守和一方仅有一个强子时，附带攻击士象为闲着"},
    {"C-41", ALWAYS,
     "the verdict hangs on a tactical point that the text does not decide: no "
     "verdict",
     "取决于条文未能确定的得子手段，不作裁决"},
};

const char *ref_article(const char *no, xq_outcome o, ref_lang l)
{
    const enum when when = o == XQ_RED_LOSES || o == XQ_BLACK_LOSES ? LOSS
                           : o == XQ_NO_VERDICT                     ? OPEN
                                                                    : DRAW;
    for (size_t i = 0; i < sizeof ARTICLES / sizeof *ARTICLES; i++) {
        const struct article *a = &ARTICLES[i];
        if (strcmp(a->no, no) == 0 && (a->when == ALWAYS || a->when == when))
            return l == REF_ZH ? a->zh : a->en;
    }
    return "";
}
