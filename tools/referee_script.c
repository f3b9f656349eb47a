/* referee_script.c - the referee's own words in traditional characters. */
#include "tools/referee_case.h"

#include <string.h>

/* The characters of the referee's words that differ, in pairs; both of a pair
 * have three bytes.  Words are ours, so that each has one counterpart only:
 * what strangers wrote is not to be turned by it. */
static const char PAIRS[] =
    "与與两兩为為书書于於亚亞仅僅决決击擊则則动動单單双雙变變处處对對将將"
    "属屬帅帥带帶应應开開当當护護数數无無时時杀殺条條毙斃汉漢没沒现現环環"
    "确確种種竞競签簽红紅纯純线線终終结結规規计計记記许許论論该該误誤负負"
    "质質赛賽车車轮輪达達过過进進连連长長闪閃闲閒间間须須马馬献獻后後国國"
    "实實别別拦攔换換个個续續从從复複兑兌并並牵牽难難点點体體关關价價总總"
    "宫宮横橫经經够夠级級围圍绝絕暂暫叠疊认認设設优優险險补補"
    "军軍类類临臨胁脅强強净淨内內违違余餘来來层層务務项項据據异異约約还還随隨响"
    "響损損转"
    "轉离離杂雜虽雖这這";
enum { CHAR = 3 };

static const char *counterpart(const char *s)
{
    for (const char *p = PAIRS; *p; p += 2 * CHAR)
        if (memcmp(p, s, CHAR) == 0)
            return p + CHAR;
    return NULL;
}

void ref_script(cli_buf *b, size_t from, const ref_how *how)
{
    if (how->script != PGN_TRADITIONAL)
        return;
    for (size_t i = from; i + CHAR <= b->n;) {
        /* UTF-8: the characters in question begin with E4 to E9. */
        if ((unsigned char)b->s[i] < 0xE4 || (unsigned char)b->s[i] > 0xE9) {
            i++;
            continue;
        }
        const char *other = counterpart(b->s + i);
        if (other)
            memcpy(b->s + i, other, CHAR);
        i += CHAR;
    }
}
