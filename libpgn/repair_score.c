/* repair_score.c - how much a text looks like Chinese in game records. */
#include "libpgn/repair_score.h"

#include "libpgn/text.h"

#include <uchar.h>

/* Characters that tags, comments and moves of game records are full of, in both
 * scripts, by code point: those found in most different texts of the
 * collections (CCPD, XQF, CBL), with their other forms. */
static const char16_t FREQUENT[] =
    /* clang-format off */
    u"一七三上下不与世东两个中为主之乙九也了争二于互五亞亦京人介仍"
    u"从仕付仙代以们伏优会似但位住体何作佳使來例便保俥個們候健傌優"
    u"先光兌兑入全兩八六关兵其具再军冠决准出击分列刘则利到制前劉力"
    u"功加动势勇動務勝包化北十华卒单南卜占即压原去又及双反发取受变"
    u"另只叫可右吃各合吉同名后吕否呂呢和嘉四回因国图國團在地均型增"
    u"士处备复外多大天失头夺好如妙姚威子孙孫它守安宏官定宜实宫宮家"
    u"容實寫对封将將對小少尚就局屆届屏展山川州巡左巧已布帅师帥常平"
    u"年并幼广庄应底度廣建开弃弈式引张弱張強强当形很後徐得從德心必"
    u"志快思急性情想意應成我或战戰所手才打抓抗抢抽招择持指挺捉换掉"
    u"接控提擊擔支改攻效文斗新方於无日时明易星春是显智更最會月有期"
    u"未本术机杀李来杨杯東松极林果柳标样棄棋楊業榮樂標樣横機橫次欽"
    u"止正此步武死残段殺比永求江決沒没河法波注泰洪洲活流浙海消深淺"
    u"清湖滅演漢火灵炮点為無然照牵特獨玉王现現理璘生用由甲男界略當"
    u"發的盘盤目直相看着砲破确种程稍稳穩空立第等简算節类精紅級紧組"
    u"結絕給經線總繼續红线绍经结绝续缺置羊群義翼老者而聂联聯聶聽肋"
    u"胁胜胡能腳自至致與舉良苗若苹荣莊获華著蒋蔣蘇虎處號虽蛇行补被"
    u"裡西要见角解許認誤說請謀謝識護變计让许误说调谢谱象負貼賽贏负"
    u"败赛走赵起超趙趣跃路跳踩身車軍輕輪轉车轮较農边过运还这进连退"
    u"适选這通速進逼運過道達遠適選避邀還邊郑都鄭里重金銀鋒錄錦银键"
    u"長长門閃閉間關间防阵陈陣陳陶陽隊際难雅雙難雲電靜非面響順須預"
    u"頭類顺顾题風风飛飞餘首香馬駕驚马體高黃黄黑點黨齊龍龙";
/* clang-format on */

static bool is_frequent(uint32_t cp)
{
    size_t a = 0, b = sizeof FREQUENT / sizeof *FREQUENT - 1;
    while (a < b) {
        const size_t m = (a + b) / 2;
        if (FREQUENT[m] < cp)
            a = m + 1;
        else
            b = m;
    }
    return FREQUENT[a] == cp;
}

/* The first level of GB 2312, rows 16 to 55; of Big5, A440 to C67E. */
static bool is_common(uint32_t cp)
{
    const unsigned gb = pgn_encode_pair(PGN_ENC_GB18030, cp);
    if (gb >= 0xB0A1 && gb <= 0xD7F9 && (gb & 255) >= 0xA1)
        return true;
    const unsigned big5 = pgn_encode_pair(PGN_ENC_BIG5, cp);
    return big5 >= 0xA440 && big5 <= 0xC67E;
}

static bool is_hanzi(uint32_t cp)
{
    return (cp >= 0x4E00 && cp <= 0x9FFF) || (cp >= 0x3400 && cp <= 0x4DBF) ||
           (cp >= 0xF900 && cp <= 0xFAFF) || (cp >= 0x20000 && cp <= 0x3FFFF) ||
           cp == 0x3007;
}

static bool is_punctuation(uint32_t cp)
{
    return (cp >= 0x3000 && cp <= 0x3015 && cp != 0x3007) ||
           (cp >= 0xFF01 && cp <= 0xFF5E) || cp == 0xB7 ||
           (cp >= 0x2013 && cp <= 0x2026);
}

/* Lines, arrows, circled numbers, stars. */
static bool is_ornament(uint32_t cp)
{
    return (cp >= 0x2190 && cp <= 0x2193) || (cp >= 0x2460 && cp <= 0x2473) ||
           (cp >= 0x2500 && cp <= 0x2503) || (cp >= 0x25A0 && cp <= 0x2606) ||
           cp == 0xD7 || cp == 0xB0;
}

static int value_of(uint32_t cp)
{
    if (is_hanzi(cp))
        return is_frequent(cp) ? 3 : is_common(cp) ? 1 : -1;
    return is_punctuation(cp) ? 1 : is_ornament(cp) ? 0 : -2;
}

/* Latin beyond ASCII, Greek, Cyrillic, kana. */
static bool is_of_alphabet(uint32_t cp)
{
    return (cp >= 0xC0 && cp < 0x250) || (cp >= 0x370 && cp < 0x530) ||
           (cp >= 0x3041 && cp < 0x3100);
}

/* What follows 第. */
static bool is_number(uint32_t cp)
{
    static const char16_t CHINESE[] = u"一二三四五六七八九十百";
    if ((cp >= '0' && cp <= '9') || (cp >= 0xFF10 && cp <= 0xFF19))
        return true;
    for (const char16_t *c = CHINESE; *c; c++)
        if (*c == cp)
            return true;
    return false;
}

static bool is_counter(uint32_t cp)
{
    static const char16_t COUNTERS[] = u"轮輪局台盘盤场場届屆回天名";
    for (const char16_t *c = COUNTERS; *c; c++)
        if (*c == cp)
            return true;
    return false;
}

pgn_looks pgn_looks_of(xq_str utf8)
{
    pgn_looks k = {.capitals = true};
    uint32_t first = 0; /* common character */
    enum { NONE, ORDER, NUMBER } ordinal = NONE;
    bool lost = false; /* the last one was U+FFFD */
    for (size_t i = 0, len; i < utf8.n; i += len) {
        const uint32_t cp = pgn_utf8_next(utf8.s + i, utf8.n - i, &len);
        if (ordinal == NUMBER && is_counter(cp))
            k.ordinal = true;
        ordinal = cp == 0x7B2C                       ? ORDER
                  : ordinal != NONE && is_number(cp) ? NUMBER
                                                     : NONE;
        if (cp < 0x80) {
            lost = false;
            k.letters += (cp | 32) >= 'a' && (cp | 32) <= 'z';
            continue;
        }
        if (cp == 0xFEFF && i == 0) {
            k.mark = true;
            continue;
        }
        if (cp == 0xFFFD && lost)
            continue;
        lost = cp == 0xFFFD;
        const int value = value_of(cp);
        k.sum += value;
        k.n++;
        k.asian += cp >= 0x2E80 && cp != 0xFFFD;
        k.lost += lost;
        k.strange += value == -2 && !lost;
        k.alphabet += is_of_alphabet(cp);
        k.signs +=
            (cp >= 0x3100 && cp < 0x3130) || (cp >= 0xFE30 && cp < 0xFE70);
        k.private_use += cp >= 0xE000 && cp <= 0xF8FF;
        k.capitals = k.capitals && cp >= 0xC0 && cp <= 0xDE;
        if (!is_hanzi(cp))
            continue;
        k.hanzi++;
        k.rare += value < 0;
        if (value > 0 && first == 0)
            first = cp;
        else if (value > 0 && cp != first)
            k.two = true;
    }
    if (k.ordinal)
        k.sum += 4;
    return k;
}
