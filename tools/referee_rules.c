/* referee_rules.c - the articles as rules: what qipu referee --article prints.
 * What one of them says of a verdict is in referee_articles.c.
 *
 * The wording is ours; sources and editions: engine/README.md. */
#include "tools/referee_text.h"

#include <string.h>

static const struct rule {
    const char *no, *en, *zh;
} RULES[] = {
    {"G-01", "The king steps one point up, down or sideways inside its palace.",
     "将（帅）每步走一格，可进可退可平，不得出九宫。"},
    {"G-02", "The advisor steps one point diagonally inside the palace.",
     "士（仕）每步斜走一格，不得出九宫。"},
    {"G-03",
     "The elephant goes exactly two points diagonally, over an empty eye, "
     "never "
     "across the river.",
     "象（相）每步斜走两格，象眼须空，不得过河。"},
    {"G-04",
     "The horse goes one point straight, then one diagonally outward; the "
     "straight point, its leg, must be empty.",
     "马走日字，先直一格再斜一格，马腿须空。"},
    {"G-05", "The rook goes any distance along a rank or file.",
     "车沿直线、横线走，步数不限，不得越子。"},
    {"G-06",
     "The cannon moves like a rook, but captures over exactly one piece of "
     "either side.",
     "炮走法同车，吃子须隔一子，炮架不论己方对方。"},
    {"G-07",
     "The pawn steps forward, beyond the river sideways too, never back.",
     "兵（卒）每步向前一格，过河后可平走一格，不得后退。"},
    {"G-08", "The kings never face each other on a file with nothing between.",
     "将帅不得在同一直线上直接对面。"},
    {"G-09",
     "No move may leave the mover's king where it could be captured next.",
     "走子后己方将（帅）不得仍被将军。"},
    {"G-10", "Who has no legal move has lost, in check or not.",
     "无合法着法可走者作负，将死、困毙相同。"},
    {"G-11",
     "When nothing on the board can cross the river the game is a draw, if the "
     "competition asks for it (--bare-draw).",
     "双方均无可过河之子时作和（竞赛有此规定时，--bare-draw）。"},
    {"G-12",
     "After a ply: mate or stalemate first, then repetition, then the limit.",
     "每着之后依次判定：将死或困毙，重复局面，自然限着。"},

    {"R-01",
     "Positions are equal when the same kinds of pieces stand on the same "
     "points and the same side moves; which piece is chased is asked of single "
     "pieces.",
     "同类棋子在同样的位置，且同一方走子，为相同局面；捉何子则按具体棋子论。"},
    {"R-02",
     "The third occurrence of a position is judged (--repetitions); before it "
     "there is no verdict.",
     "同一局面第三次出现时裁决（--repetitions）；此前不作裁决。"},
    {"R-03",
     "Occurrences may lie apart and come from different loops; captures and "
     "pawns' steps forward cut off what was before.",
     "重复不必相连，亦可来自不同循环；吃子或兵（卒）前进之后，此前局面不计。"},
    {"R-04", "The window judged lies between the last two occurrences.",
     "裁决最近两次出现之间的着法。"},
    {"R-05",
     "A side offends only if each of its plies in the window has the forbidden "
     "quality.",
     "一方在循环中着着均属禁止着法，方为违例。"},
    {"R-07", "A window has an even number of plies, four or more.",
     "循环的着数为偶数，至少四着。"},

    {"A-02", "Where nothing below applies the game is a draw.",
     "不属以下各条者作和。"},
    {"A-10",
     "A piece attacks another when it could take it on its next move without "
     "adding a new attack on its own king; a check that stands is overlooked.",
     "一子下着可吃对方另一子，且不因此使己方将（帅）新受攻击，为攻击；已有的"
     "将军不论。"},
    {"A-11",
     "An attack counts when it is new for this pair of pieces: one came, a "
     "screen, leg or eye changed, or a root went.",
     "攻击须为该两子之间所新成：走到、炮架马腿象眼变动，或去根。"},
    {"A-12",
     "... and is gone after the reply; one that is left standing is no chase.",
     "且对方应着之后已不成立；一直存在而未被应对者不算捉。"},
    {"A-14",
     "Victims are all pieces but the king and pawns that have not crossed the "
     "river.",
     "将（帅）及未过河的兵（卒）之外，各子均可被捉。"},
    {"A-15", "Attackers are all pieces but king and pawns.",
     "将（帅）、兵（卒）之外，各子均可为捉子者。"},
    {"A-16",
     "An attack is profitable, whatever protects the victim, by horse or "
     "cannon on rook, and by advisor or elephant on rook, horse or cannon; "
     "else when the victim has no true root.",
     "马、炮攻车，士、象攻车、马、炮，不论有根无根均为得子；其余须被攻之子无真"
     "根。"},
    {"A-17",
     "Like pieces that could take each other only offer an exchange; if one of "
     "them cannot, tied or with its leg blocked, the other attacks.",
     "同类子互可吃为兑子；一方被牵或蹩腿而不能吃，则另一方为捉。"},
    {"A-20",
     "All plies check, and not all of the other side: the checking side loses.",
     "单方长将，长将方作负。"},
    {"A-21", "Both sides check on all plies: draw.", "双方长将，作和。"},
    {"A-22",
     "Perpetual check against counter-checks now and then: the perpetual "
     "checker loses.",
     "一方长将，另一方间有反将，长将方作负。"},
    {"A-23", "Mate threats on all plies, also of both sides: draw.",
     "长杀，包括双方长杀，作和。"},
    {"A-24",
     "Checks mixed with mate threats, chases or other moves, and chases mixed "
     "with other moves: draw.",
     "一将一杀、一将一捉、一将一闲、数将一捉、一捉一闲等，作和。"},
    {"A-30",
     "One and the same piece is chased on all plies: the chasing side loses, "
     "also against mate threats and checks now and then.",
     "着着捉同一子为长捉，长捉方作负；对方长杀或间有将军亦同。"},
    {"A-31",
     "A root is true when the owner of the victim could take back, by a legal "
     "move, on the board after the capture.",
     "吃去之后，对方能以合法着法吃回者，为真根。"},
    {"A-32",
     "A root is false when the protector could not take back: pinned, blocked, "
     "without its screen, or with a check to answer. The victim counts as "
     "unprotected.",
     "保护之子被牵、被蹩、失去炮架或须应将而不能吃回者，为假根，以无根论。"},
    {"A-33",
     "Horse or cannon chases a rook on all plies, protected or not: the "
     "chasing side loses.",
     "马、炮长捉车，不论有根无根，长捉方作负。"},
    {"A-34",
     "A chase by a piece that does not move itself, a line, leg or screen "
     "being opened for it, is a chase.",
     "走动一子而闪开线路、马腿或成炮架，使他子捉，亦为捉。"},
    {"A-35",
     "A chase that offers an exchange as well is a chase; a mere exchange "
     "offer of like pieces is none.",
     "兑而兼捉者为捉；单纯兑子不为捉。"},
    {"A-36",
     "A pawn that has crossed the river may not be chased perpetually; one at "
     "home may.",
     "不得长捉过河兵（卒）；未过河者可以。"},
    {"A-37",
     "Two or more pieces by turns chase the same piece: the chasing side "
     "loses.",
     "两子或多子轮流长捉一子，长捉方作负。"},
    {"A-38", "Two or more pieces are chased by turns: draw.",
     "轮流捉两子或多子，作和。"},
    {"A-39", "Both sides chase perpetually: draw.", "双方长捉，作和。"},
    {"A-40",
     "A rook tied to a line by a cannon: its moves along the line are no "
     "chases; the other rook may not chase it, unless it is protected on one "
     "of its points.",
     "车被炮牵于一线，沿线移动不算捉；对方之车不得长捉该车，但该车在某处有根"
     "者除外。"},
    {"A-41",
     "A root that goes as a side effect of answering a check or a chase is not "
     "counted.",
     "应将或应捉之着附带去根，不算捉。"},
    {"A-42",
     "A rook on the leg of a horse's check may not be chased by anything; its "
     "own attack on that horse excuses nothing.",
     "车蹩马腿挡将，任何子不得长捉；该车对马的攻击不算反捉。"},
    {"A-43", "King and pawns may chase perpetually: draw.",
     "将（帅）、兵（卒）长捉，作和。"},
    {"A-44",
     "King or pawn moves, but another piece chases on all plies: the chasing "
     "side loses.",
     "将（帅）、兵（卒）移动而由他子长捉，长捉方作负。"},
    {"A-45",
     "The capture becomes possible only after another check: no chase, draw.",
     "须再将军方能得子者，不算捉，作和。"},
    {"A-46",
     "Perpetual block, exchange offer, sacrifice offer and idle moves: draw.",
     "长拦、长兑、长献、闲着，作和。"},

    {"C-10", "A ply that attacks the king is a check.", "攻击将（帅）为将军。"},
    {"C-11",
     "A mate threat: could the mover move again, he would mate, at once or by "
     "checks only.",
     "再走一着即可将死，或连续将军可将死者，为杀着。"},
    {"C-12", "A chase: a new threat to win material with the next move (C-30).",
     "着后形成下一着得子的新威胁，为捉（C-30）。"},
    {"C-13",
     "All else is idle: exchange offer, sacrifice offer, block, following, "
     "plain moves.",
     "其余为闲着：兑、献、拦、跟等。"},
    {"C-14",
     "A ply of several qualities has the most serious: check, mate threat, "
     "chase, idle.",
     "一着兼有数种性质，按将、杀、捉、闲之序从重而论。"},
    {"C-15",
     "A king that answers a check by its own move is idle, whatever it "
     "uncovers.",
     "将（帅）自行应将而成杀、成捉，为闲着。"},
    {"C-16",
     "What king or pawn themselves attack is idle; a pawn's check or mate "
     "threat is not.",
     "将（帅）、兵（卒）自身捉子为闲着；兵（卒）将军、杀着除外。"},
    {"C-17",
     "A move of king or pawn that makes another piece chase is a chase.",
     "将（帅）、兵（卒）移动而使他子捉，为捉。"},
    {"C-20",
     "All plies check, and not all of the other side: the checking side loses, "
     "whatever the other does.",
     "单方长将，不论对方如何应着，长将方作负。"},
    {"C-21", "Both sides check on all plies: draw.", "双方长将，作和。"},
    {"C-22",
     "One side has no idle ply, the other has one or more: the former loses.",
     "单方长打，对方有闲着，长打方作负。"},
    {"C-23", "Neither side has an idle ply: draw, but for C-25.",
     "双方长打，不变作和，C-25所列除外。"},
    {"C-24", "Both sides have an idle ply: draw.",
     "双方均为允许着法，不变作和。"},
    {"C-25",
     "Neither side has an idle ply; one has a ply that only chases jointly or "
     "what is under-protected, the other chases rooks or unprotected pieces on "
     "all plies: the latter has to change and loses.",
     "双方长打，一方有联合捉子或捉少根子，另一方着着直接捉车或捉无根子，后者应"
     "变，不变作负。"},
    {"C-30",
     "What could be won before the ply and still can is no new chase; a "
     "capture that a check in between had prevented is new.",
     "着前已可得之子，着后仍可得，为由捉到捉，不算新捉；中间因应将而未能吃者除"
     "外。"},
    {"C-31",
     "A rook is two of horse and cannon, a horse a cannon, an advisor an "
     "elephant; a crossed pawn floats; kings and pawns at home are nothing.",
     "一车等于两个马、炮，马等于炮，士等于象；过河兵（卒）价值不定；将（帅）及"
     "未过河兵（卒）不计。"},
    {"C-32",
     "Ways to win: an unprotected piece, one worth more, by a series of "
     "checks, or by a full exchange that ends ahead (jointly, where it takes "
     "two attackers).",
     "得子方式：吃无根子，吃高值子，连续将军得子，交换后净得（需两子者为联合捉"
     "子）。"},
    {"C-33",
     "Roots as in A-31 and A-32; under-protected: more attackers than real "
     "protectors.",
     "真根、假根同A-31、A-32；攻子多于真根者为少根子。"},
    {"C-34", "A capture that is answered by mate at once wins nothing.",
     "吃子后立即被将死者，不算得子。"},
    {"C-35", "A protector that itself captures is judged like any attacker.",
     "有根子之根兼为攻子，按攻子论。"},
    {"C-36",
     "A defender with one attacking piece left that takes up the drawing post: "
     "incidental attacks on advisors and elephants are idle.",
     "守和一方仅余一个攻子，占据守和要点时附带攻击士、象，为闲着。"},
    {"C-37",
     "A victim that became capturable only through its owner's own move is not "
     "newly chased.",
     "因己方走子而自行可被吃者，不算对方新捉。"},
    {"C-40",
     "What qipu judges in full: checks, mate threats (--threat-depth), direct "
     "chases, C-15 to C-17, C-30, C-34, C-20 to C-24.",
     "qipu完全裁决者：将军，杀着（--threat-depth），直接捉，C-15至C-17，C-30，"
     "C-34，C-20至C-24。"},
    {"C-41",
     "What the text does not lay down, wins by checks, by exchanges elsewhere "
     "and the like: no verdict where the outcome hangs on it.",
     "条文未能确定者，如连将得子、他处交换得子等：结果取决于此时，不作裁决。"},

    {"L-01",
     "So many moves of each side without a capture are the natural limit: "
     "draw. 60 here, 50 and 40 are seen (--natural-limit); pawn moves count.",
     "双方各走一定步数未吃子为自然限着，作和；此处60步，亦有50、40步"
     "（--natural-limit）；兵（卒）走动照计。"},
    {"L-02",
     "Within the limit at most ten checks of a side count; further checks, and "
     "the replies to them, are not counted.",
     "自然限着内每方将军至多计十次，其余将军及其应着不计。"},
    {"L-03", "A mate or stalemate on the last ply comes before the limit.",
     "最后一着将死或困毙，先于自然限着。"},
    {"L-04", "Over the board the draw has to be claimed and checked.",
     "临场须由棋手提出，经核实后作和。"},
    {"L-05", "The count begins with that of the FEN.",
     "计数自FEN所记步数开始。"},
};
enum { RULE_COUNT = sizeof RULES / sizeof *RULES };

static char capital(char c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }

static bool is_same_number(const char *a, const char *b)
{
    for (; *a && capital(*a) == capital(*b); a++)
        b++;
    return !*a && !*b;
}

/* A- and C- are those of one set, all others of both. */
static bool belongs(const struct rule *r, const xq_ruleset *rules)
{
    return !rules || r->no[0] != (*rules == XQ_ASIAN ? 'C' : 'A');
}

static void add_rule(cli_buf *b, const struct rule *r, bool json, ref_lang l)
{
    const char *text = l == REF_ZH ? r->zh : r->en;
    if (!json) {
        cli_buf_printf(b, "%s  %s\n", r->no, text);
        return;
    }
    cli_buf_printf(b, "{\"article\":\"%s\",\"text\":", r->no);
    cli_buf_json(b, xq_str_of(text));
    cli_buf_puts(b, "}\n");
}

bool ref_articles(cli_buf *b, const char *no, const xq_ruleset *rules,
                  bool json, ref_lang l)
{
    const bool all = strcmp(no, "all") == 0;
    bool any = false;
    for (size_t i = 0; i < RULE_COUNT; i++) {
        const struct rule *r = &RULES[i];
        if (all ? !belongs(r, rules) : !is_same_number(r->no, no))
            continue;
        add_rule(b, r, json, l);
        any = true;
    }
    return any;
}
