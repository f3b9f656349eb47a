/* test_repair.c - text encoded twice.
 *
 * Damage is done here by iconv(3), which the library does not use: what comes
 * back must be what was there, or the text stays as it is.  Texts in which
 * nothing is damaged must stay in any case. */
#include "tests/unit/engine_util.h"
#include "tests/unit/read_util.h"

#include "libpgn/repair_path.h"

#include <iconv.h>

/* ---- one text ---- */

/* What becomes of a text; free() it. */
static char *repaired(const char *text, pgn_damage *d, bool *whole)
{
    pgn_buf out = {0};
    assert_int_equal(pgn_repair_one(xq_str_of(text), &out, d, whole), XQ_OK);
    return text_of(&out);
}

static void becomes(const char *text, pgn_damage want, const char *wanted)
{
    pgn_damage d;
    bool whole;
    char *out = repaired(text, &d, &whole);
    if (strcmp(out, wanted) != 0 || d != want || !whole)
        fail_msg("'%s' became '%s' (%s%s), want '%s' (%s)", text, out,
                 pgn_damage_name(d), whole ? "" : ", in part", wanted,
                 pgn_damage_name(want));
    free(out);
}

static void stays(const char *text) { becomes(text, PGN_UNDAMAGED, text); }

/* Recognised, and left alone. */
static void is_lost(const char *text, pgn_damage want)
{
    pgn_damage d;
    bool whole;
    char *out = repaired(text, &d, &whole);
    if (strcmp(out, text) != 0 || d != want || whole)
        fail_msg("'%s' became '%s' (%s)", text, out, pgn_damage_name(d));
    free(out);
}

/* Formats reference 8, and what browsers and Windows show. */
static void each_damage(void **state)
{
    (void)state;
    becomes("ÅÚ¶þÆ½Îå", PGN_GBK_AS_LATIN1, "炮二平五");
    becomes("Íõ²âÊÔ", PGN_GBK_AS_LATIN1, "王测试");
    becomes("ç‚®äºŒå¹³äº”", PGN_UTF8_AS_LATIN1, "炮二平五");
    /* 81 8D 8F 90 9D: Windows-1252 leaves them, Latin-1 has controls from 80 */
    becomes("å\xC2\x8D’å\xC2\x90Ž", PGN_UTF8_AS_LATIN1, "卒后");
    becomes("å\xC2\x8D\xC2\x92å\xC2\x90\xC2\x8E", PGN_UTF8_AS_LATIN1, "卒后");
    becomes("¬¶¤G¥­¤­", PGN_BIG5_AS_LATIN1, "炮二平五");
    becomes("瀹嬪浗寮鸿儨", PGN_UTF8_AS_GBK, "宋国强胜");
    /* AEE4 is for private use, 80 is the euro sign (so would be A2E3) */
    becomes("鐐\xEE\x86\xBB簩閫€涓€", PGN_UTF8_AS_GBK, "炮二退一");
    becomes("椹\xEE\x84\x84€€锛岀浉", PGN_UTF8_AS_GBK, "马退，相");
    becomes("涓€銆備簩", PGN_UTF8_AS_GBK, "一。二");
    becomes("約狥\xEE\x9C\xAC窜", PGN_BIG5_AS_GBK, "廣東呂欽");
    becomes("夢捚濂菴珨攫", PGN_GBK_AS_BIG5, "冠亚军第一盘");
    /* a number and what it counts are enough */
    becomes("菴3謫", PGN_GBK_AS_BIG5, "第3轮");
}

static void marks_and_ascii(void **state)
{
    (void)state;
    /* the byte order mark took the bracket with it */
    becomes("锘縖Event", PGN_UTF8_AS_GBK, "[Event");
    becomes("ï»¿[Event", PGN_UTF8_AS_LATIN1, "[Event");
    /* the last byte of 试 took the brace */
    becomes("鐜嬫祴璇晑", PGN_UTF8_AS_GBK, "王测试}");
    stays("");
    stays("[Event \"A (1-0)\"] {x}");
    stays("\xEF\xBB\xBF");
}

/* In an XQF of ../shared: a name in Big5, a rank in GBK behind it. */
static void run_by_run(void **state)
{
    (void)state;
    becomes("繷兵穝籇(3段)", PGN_BIG5_AS_GBK, "頭條新聞(3段)");
    becomes("René Íõ²âÊÔ", PGN_GBK_AS_LATIN1, "René 王测试");
    becomes("Müller Íõ²âÊÔ", PGN_GBK_AS_LATIN1, "Müller 王测试");
    becomes("ÏÈ Íõ²âÊÔ Ê¤ ÀîÑù±¾ ºÍ", PGN_GBK_AS_LATIN1,
            "先 王测试 胜 李样本 和");
}

static void what_is_lost(void **state)
{
    (void)state;
    is_lost("鐜嬫祴璇�", PGN_UTF8_AS_GBK);
    is_lost("鐜嬫祴璇?", PGN_UTF8_AS_GBK);
    is_lost("锟斤拷锟斤拷", PGN_UTF8_AS_GBK);
    is_lost("ï¿½ï¿½", PGN_UTF8_AS_LATIN1);
    is_lost("çŽ‹æµ‹è¯", PGN_UTF8_AS_LATIN1);
}

/* ---- what must not change ---- */

static void sound_texts(void **state)
{
    static const char *const T[] = {
        /* Western and other names and words, and long texts of them */
        "René",
        "Müller",
        "Noël",
        "São João",
        "CAMPEÃO DE XADREZ CHINÊS",
        "COMPETIÇÃO",
        "Ångström",
        "Þórður Ægisson",
        "ÞÝÐINGARMIKIÐ",
        "ÁÉÍÓÚ",
        "créée, déjà échouée",
        "«É» ÀÉ",
        "POUŽÍVÁTE",
        "Nguyễn Thị Ánh",
        "Cờ tướng",
        "C¶ tß¾ng",
        "caf\xC3\xA9”…",
        "SCHLÜSSEL |»ALL«|»OLD«",
        "Ж",
        "Иванов",
        "ШАХМАТЫ",
        "Έλληνας",
        "ΣΚΆΚΙ",
        "ÈÂÀÍÎÂ",
        "한국장기",
        "将棋",
        "シャンチー",
        "こんにちは世界",
        "描画した",
        "接続する",
        "初手から",
        /* Chinese, whole, short, rare, ornamented */
        "炮",
        "炮二平五",
        "炮８平５",
        "王测试",
        "呂欽",
        "忐忑",
        "眈眈",
        "佼佼",
        "赵鑫鑫",
        "謝巋",
        "陳姝璇",
        "華芮",
        "郭瑞霞",
        "欒楓",
        "蹇驴驮醉",
        "蓥霸(2段)",
        "举趾触罝",
        "驽马困厩",
        "━━━",
        "★★★",
        "（图）",
        "①②③",
        "⒈炮二平五 ⒉马二进三",
        "和。",
        "ㄅㄆㄇ",
        "O(∩_∩)O哈哈~",
        "\xEE\x80\x84 如改走卒７进１，红优",
        "\xEE\x80\x84",
        "联通",
        "鐜",
        "浣犲",
        "如改走車２進２，則炮五平六，紅方先手",
        "第91页 第146局",
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++)
        stays(T[i]);
}

/* ---- there and back ---- */

static const char *const SAMPLES[] = {
    "炮二平五",
    "马８进７",
    "車九平八",
    "前馬退六",
    "广东吕钦",
    "胡荣华先胜柳大华",
    "許銀川",
    "1995年全国象棋个人锦标赛第3轮",
    "第五屆五羊杯象棋賽",
    "如改走车１平２，则炮八进四，士６进５；马二进三，红方先手。",
    "黑方如果平包兌車，紅方的馬七進六就很好！",
    "飞相局对士角炮（先和）",
    "「名手」·《橘中秘》",
};

/* Convert; NULL when it is not exact.  free() it. */
static char *converted(const char *to, const char *from, const char *s)
{
    const iconv_t cd = iconv_open(to, from);
    char *in = (char *)(uintptr_t)s, *out = malloc(8 * strlen(s) + 16),
         *o = out;
    size_t n = strlen(s), room = 8 * n + 15;
    assert_true(cd != (iconv_t)-1);
    assert_non_null(out);
    const bool exact = iconv(cd, &in, &n, &o, &room) == 0;
    iconv_close(cd);
    *o = 0;
    if (exact)
        return out;
    free(out);
    return NULL;
}

/* The text, encoded as `real`, read as `wrong`; NULL: not exact. */
static char *damaged(const char *text, const char *real, const char *wrong)
{
    char *bytes = converted(real, "UTF-8", text);
    char *out = bytes ? converted("UTF-8", wrong, bytes) : NULL;
    free(bytes);
    return out;
}

static const struct {
    pgn_damage damage;
    const char *real, *wrong;
} WAYS[] = {
    {PGN_UTF8_AS_LATIN1, "UTF-8", "ISO-8859-1"},
    {PGN_UTF8_AS_LATIN1, "UTF-8", "CP1252"},
    {PGN_GBK_AS_LATIN1, "GBK", "ISO-8859-1"},
    {PGN_GBK_AS_LATIN1, "GBK", "CP1252"},
    {PGN_GBK_AS_LATIN1, "GB18030", "ISO-8859-1"},
    {PGN_BIG5_AS_LATIN1, "CP950", "ISO-8859-1"},
    {PGN_BIG5_AS_LATIN1, "CP950", "CP1252"},
    {PGN_UTF8_AS_GBK, "UTF-8", "GBK"},
    {PGN_UTF8_AS_GBK, "UTF-8", "GB18030"},
    {PGN_BIG5_AS_GBK, "CP950", "GB18030"},
    {PGN_UTF8_AS_BIG5, "UTF-8", "CP950"},
    {PGN_GBK_AS_BIG5, "GBK", "BIG5-HKSCS"},
    {PGN_GBK_AS_BIG5, "GBK", "CP950"},
};

/* Each sample, each way, where that is exact: back to what it was, save that
 * short ones may stay, as names that other characters stand for do. */
static void there_and_back(void **state)
{
    unsigned exact = 0, same = 0;
    (void)state;
    for (size_t w = 0; w < COUNT_OF(WAYS); w++)
        for (size_t i = 0; i < COUNT_OF(SAMPLES); i++) {
            char *wrong = damaged(SAMPLES[i], WAYS[w].real, WAYS[w].wrong);
            pgn_damage d = PGN_UNDAMAGED;
            bool whole = true;
            char *out = wrong ? repaired(wrong, &d, &whole) : NULL;
            exact += wrong != NULL;
            if (wrong && (d || strlen(SAMPLES[i]) > 12))
                becomes(wrong, WAYS[w].damage, SAMPLES[i]);
            same += d != PGN_UNDAMAGED;
            free(out);
            free(wrong);
        }
    print_message("%u of %u texts repaired\n", same, exact);
    assert_true(exact > 80 && 10 * same >= 9 * exact);
}

/* What was repaired leads to what it was made from, byte for byte. */
static void exact_or_not_at_all(void **state)
{
    (void)state;
    for (size_t w = 0; w < COUNT_OF(WAYS); w++)
        for (size_t i = 0; i < COUNT_OF(SAMPLES); i++) {
            char *wrong = damaged(SAMPLES[i], WAYS[w].real, WAYS[w].wrong);
            const size_t n = wrong ? strlen(wrong) : 0;
            for (size_t cut = 1; cut < n; cut++) {
                pgn_repair rp = {0};
                pgn_buf out = {0}, bytes = {0}, again = {0};
                const xq_str s = {wrong, cut};
                assert_int_equal(pgn_repair_look(&rp, s), XQ_OK);
                assert_int_equal(pgn_repair_text(&rp, s, &out), XQ_OK);
                for (size_t k = 0; k < rp.n; k++) {
                    const pgn_repair_place *p = &rp.v[k];
                    bool sure;
                    const xq_str from = {s.s + p->from, p->n};
                    const xq_str to = {out.s + p->to, p->nto};
                    if (p->lost) {
                        assert_true(xq_str_eq(from, to));
                        continue;
                    }
                    bytes.n = 0;
                    pgn_path_bytes(p->damage, from, &bytes, &sure);
                    assert_true(sure && pgn_path_leads(p->damage, to, &bytes,
                                                       from, &again));
                }
                pgn_buf_free(&out);
                pgn_buf_free(&bytes);
                pgn_buf_free(&again);
                pgn_repair_free(&rp);
            }
            free(wrong);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_damage),
        cmocka_unit_test(marks_and_ascii),
        cmocka_unit_test(run_by_run),
        cmocka_unit_test(what_is_lost),
        cmocka_unit_test(sound_texts),
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(exact_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
