/* test_mend.c - games repaired while they are read (the reader's option). */
#include "tests/unit/engine_util.h"
#include "tests/unit/text_util.h"

/* ---- reading ---- */

/* Games as JSON, problems included, with what was repaired behind each:
 * "! 2 GBK read as Latin-1".  free() it. */
static char *mended_cut(const char *text, size_t n, size_t size, bool repair)
{
    struct reading r = {0};
    const pgn_reader_options opts = {.repair = repair};
    const pgn_game *g;
    pgn_buf out = {0};
    xq_err err = {0};
    must(pgn_split_open_mem(&r.split, "memory", text, n, PGN_ENC_AUTO, &err) ==
             XQ_OK,
         "split", &err);
    must(pgn_reader_new(&r.reader, &opts, &err) == XQ_OK, "reader", &err);
    if (repair)
        pgn_split_repair(r.split);
    if (size)
        pgn_split_size(r.split, size);
    while ((g = next_game(&r))) {
        assert_int_equal(pgn_write_json(g, &out), XQ_OK);
        for (int k = 1; k < PGN_DAMAGES; k++)
            if (g->repaired[k])
                pgn_buf_printf(&out, "! %u %s\n", (unsigned)g->repaired[k],
                               pgn_damage_name((pgn_damage)k));
    }
    end_reading(&r);
    return text_of(&out);
}

static char *mended(const char *text)
{
    return mended_cut(text, strlen(text), 0, true);
}

/* The same games wherever the text is cut. */
static void mended_the_same(const char *text)
{
    char *whole = mended(text);
    for (size_t size = 2; size <= 2 * strlen(text); size += 1 + size / 3) {
        char *cut = mended_cut(text, strlen(text), size, true);
        assert_string_equal(whole, cut);
        free(cut);
    }
    free(whole);
}

/* ---- text files ---- */

/* A file in GBK, opened as Latin-1 and saved: moves and all. */
#define DOUBLE                                                                 \
    "[Event \"²âÊÔÈü\"]\n[Red \"Íõ²âÊÔ\"]\n[Black \"René\"]\n"    \
    "[Result \"1-0\"]\n\n"                                                     \
    "1. ÅÚ¶þÆ½Îå {ºÃÆå} Âí£¸½ø£·\n2. Âí¶þ½øÈý ³µ£¹Æ½£¸\n1-0\n"

static void a_whole_file(void **state)
{
    (void)state;
    char *json = mended(DOUBLE);
    has(json, "[\"Event\",\"测试赛\"],[\"Red\",\"王测试\"],"
              "[\"Black\",\"René\"]");
    has(json, "\"moves\":[\"h2e2\",\"h9g7\",\"h0g2\",\"i9h9\"]");
    has(json, "\"comments\":[{\"ply\":1,\"text\":\"好棋\"}]");
    has(json, "\"problems\":[]");
    has(json, "! 4 GBK read as Latin-1\n"); /* lines */
    free(json);
    mended_the_same(DOUBLE "\n" DOUBLE "\n[Event \"王测试\"]\n\n*\n");
}

static void nothing_without_the_option(void **state)
{
    (void)state;
    char *json = mended_cut(DOUBLE, strlen(DOUBLE), 0, false);
    has(json, "²âÊÔÈü");
    has(json, "\"moves\":[]");
    has_not(json, "!");
    free(json);
}

/* UTF-8 read as GBK: the byte order mark took the first bracket, 试 the brace
 * behind it. */
static void what_damage_took_in(void **state)
{
    static const char T[] =
        "锘縖Event \"瀹嬪浗\"]\n[Red \"鍛ㄤ竴\"]\n[Result \"*\"]\n\n"
        "1. 鐐\xEE\x86\xBB簩骞充簲 {鐜嬫祴璇晑 *\n";
    (void)state;
    char *json = mended(T);
    has(json, "[[\"Event\",\"宋国\"],[\"Red\",\"周一\"],[\"Result\",\"*\"]]");
    has(json, "\"moves\":[\"h2e2\"]");
    has(json, "\"text\":\"王测试\"");
    has(json, "\"problems\":[]");
    free(json);
    mended_the_same(T);
}

/* Lines and bytes are those of the file, whatever stands before them. */
static void places_in_the_file(void **state)
{
    static const char T[] =
        DOUBLE "\n[Event \"²âÊÔÈü\"]\n[Red \"鐜嬫祴璇�\"]\n[Result \"*\"]\n\n"
               "1. ÅÚ¶þÆ½Îå {ºÃÆå} Âí£¸½ø£µ *\n";
    char want[100];
    (void)state;
    char *json = mended(T);
    const size_t at = (size_t)(strstr(T, "Âí£¸½ø£µ") - T);
    snprintf(want, sizeof want, "\"kind\":\"illegal\",\"line\":14,\"byte\":%zu",
             at);
    has(json, want);
    has(json, "\"text\":\"马８进５\"");
    const size_t lost = (size_t)(strstr(T, "鐜嬫祴璇�") - T);
    snprintf(want, sizeof want,
             "\"kind\":\"encoding\",\"line\":11,\"byte\":%zu", lost);
    has(json, want);
    has(json, "text encoded twice (UTF-8 read as GBK), bytes are missing");
    has(json, "[\"Red\",\"鐜嬫祴璇�\"]");
    free(json);
}

/* CCPD: files in Big5 whose Round alone is in GBK. */
static void one_tag_in_another_encoding(void **state)
{
    static const char T[] =
        "[Event \"\xB4\xFA\xB8\xD5\xC1\xC9\"]\n[Round \"\xB5\xDA"
        "3\xC2\xD6\"]\n"
        "[Result \"*\"]\n\n1. \xAC\xB6\xA4G\xA5\xAD\xA4\xAD *\n";
    (void)state;
    char *json = mended(T);
    has(json, "[\"Event\",\"測試賽\"],[\"Round\",\"第3轮\"]");
    has(json, "! 1 GBK read as Big5\n");
    free(json);
    json = mended_cut(T, sizeof T - 1, 0, false);
    has(json, "[\"Round\",\"菴3謫\"]");
    free(json);
}

/* Files of several encodings are no damage: the reader judges each game. */
static void mixed_files_are_not_repaired(void **state)
{
    static const char T[] = "[Event \"\xB4\xFA\xB8\xD5\xC1\xC9\"]\n\n1. "
                            "\xAC\xB6\xA4G\xA5\xAD\xA4\xAD "
                            "\xB0\xA8\xA2\xB7\xB6i\xA2\xB6 *\n\n"
                            "[Event \"\xB2\xE2\xCA\xD4\xC8\xFC\"]\n\n1. "
                            "\xC5\xDA\xB6\xFE\xC6\xBD\xCE\xE5 "
                            "\xC2\xED\xA3\xB8\xBD\xF8\xA3\xB7 2. "
                            "\xC2\xED\xB6\xFE\xBD\xF8\xC8\xFD *\n";
    (void)state;
    char *with = mended(T), *without = mended_cut(T, sizeof T - 1, 0, false);
    assert_string_equal(with, without);
    has(with, "測試賽");
    has(with, "测试赛");
    free(with);
    free(without);
}

/* Kinds that are told by their words: a score sheet, moves without tags. */
static void kinds_of_text(void **state)
{
    static const char SHEET[] =
        "±êÌâ£º²âÊÔ\nÈüÊÂ£º²âÊÔÈü\nºì·½£ºÍõ²âÊÔ\nºÚ·½£ºÀîÑù±¾\n\n"
        "1. ÅÚ¶þÆ½Îå Âí£¸½ø£·\nºìÊ¤\n";
    static const char MOVES[] =
        "1. ÅÚ¶þÆ½Îå Âí£¸½ø£·\n2. Âí¶þ½øÈý ³µ£¹Æ½£¸\n3. ³µÒ»Æ½¶þ ×ä£·½ø£±\n";
    (void)state;
    char *json = mended(SHEET);
    has(json, "[\"Title\",\"测试\"]");
    has(json, "[\"Red\",\"王测试\"],[\"Black\",\"李样本\"]");
    has(json, "\"moves\":[\"h2e2\",\"h9g7\"]");
    free(json);
    json = mended(MOVES);
    has(json, "\"moves\":[\"h2e2\",\"h9g7\",\"h0g2\",\"i9h9\",");
    free(json);
}

/* ---- fields ---- */

static void json_fields(void **state)
{
    static const char T[] =
        "{\"tags\":[[\"Event\",\"\\u00b2\\u00e2\\u00ca\\u00d4\\u00c8\\u00fc\"],"
        "[\"Red\",\"Íõ\"],[\"Black\",\"René\"]],\"moves\":[\"h2e2\"],"
        "\"comments\":[{\"ply\":1,\"text\":\"Íõ²âÊÔ£¬ºÃÆå\\nºÃ\"}]}\n"
        "{\"tags\":[[\"Red\",\"李样本\"],[\"Site\",\"鐜嬫祴璇�\"]],"
        "\"moves\":[\"h2e2\"],\"result\":\"*\"}\n";
    (void)state;
    char *json = mended(T);
    has(json, "[[\"Event\",\"测试赛\"],[\"Red\",\"王\"],"
              "[\"Black\",\"René\"],[\"Result\",\"*\"]]");
    has(json, "\"text\":\"王测试，好棋\\n好\"");
    has(json, "! 3 GBK read as Latin-1\n");
    has(json, "[[\"Red\",\"李样本\"],[\"Site\",\"鐜嬫祴璇�\"],"
              "[\"Result\",\"*\"]]");
    has(json, "\"kind\":\"encoding\",\"line\":2,");
    free(json);
}

/* What XQF holds in Big5 beside text in GBK. */
static void xqf_fields(void **state)
{
    static const char T[] =
        "{\"tags\":[[\"Title\",\"約狥\xEE\x9C\xAC窜 \xEE\x9E\x83璽 "
        "\xEE\x99\xA5ㄊ奖\xEE\x98\x9A\"]],\"moves\":[\"h2e2\"]}\n";
    struct reading r = reading_of((xq_str){T, sizeof T - 1}, PGN_ENC_AUTO);
    const pgn_game *g = next_game(&r);
    pgn_buf xqf = {0};
    pgn_lost lost = {0};
    (void)state;
    assert_int_equal(pgn_write_xqf(g, PGN_ENC_GB18030, &xqf, &lost), XQ_OK);
    end_reading(&r);
    char *json = mended_cut(xqf.s, xqf.n, 0, true);
    has(json, "廣東呂欽 先負 北京蔣川");
    has(json, "! 1 Big5 read as GBK\n");
    free(json);
    pgn_buf_free(&xqf);
}

/* ---- the collections ---- */

static const char *shared(void)
{
    const char *s = getenv("QIPU_SHARED");
    return s ? s : "../shared";
}

/* All games of a file or folder; what was repaired. */
static void count_repairs(const char *rel, uint64_t done[PGN_DAMAGES],
                          uint64_t *left)
{
    char path[1000];
    const char *const paths[] = {path};
    const pgn_reader_options opts = {.repair = true};
    struct reading r = {0};
    const pgn_game *g;
    xq_err err = {0};
    snprintf(path, sizeof path, "%s/data/%s", shared(), rel);
    must(pgn_split_open(&r.split, paths, 1, PGN_ENC_AUTO, &err) == XQ_OK, rel,
         &err);
    must(pgn_reader_new(&r.reader, &opts, &err) == XQ_OK, "reader", &err);
    pgn_split_repair(r.split);
    while ((g = next_game(&r))) {
        for (int k = 1; k < PGN_DAMAGES; k++)
            done[k] += g->repaired[k];
        for (uint32_t i = 0; i < g->nproblems; i++)
            *left += strncmp(g->problems[i].message.s, "text encoded twice",
                             18) == 0;
    }
    end_reading(&r);
}

/* Of 130,000 games, each repair looked at: in CCPD the Round of 597 (菴3謫),
 * and 25 texts of eleven single files without moves, in Big5 and read as
 * GB18030 because nothing tells; in XQF two texts and in CBL 182 that are Big5
 * among GBK.  Nothing else is taken for damaged. */
static void the_collections(void **state)
{
    static const char *const REST[] = {"pgn/eleeye-ccgc",
                                       "pgn/misc",
                                       "pgn/wukong",
                                       "pgn/winboard",
                                       "pgn/pychess",
                                       "dhtmlxq",
                                       "other",
                                       "cbf",
                                       "cbr",
                                       "wxf",
                                       "csv"};
    uint64_t ccpd[PGN_DAMAGES] = {0}, fields[PGN_DAMAGES] = {0},
             rest[PGN_DAMAGES] = {0}, left = 0;
    char path[1000];
    (void)state;
    snprintf(path, sizeof path, "%s/data/manifest.tsv", shared());
    FILE *f = fopen(path, "r");
    if (!f) {
        print_message("%s is absent: skipped\n", path);
        skip();
    }
    fclose(f);
    count_repairs("pgn/ccpd", ccpd, &left);
    count_repairs("xqf", fields, &left);
    count_repairs("cbl", fields, &left);
    for (size_t i = 0; i < COUNT_OF(REST); i++)
        count_repairs(REST[i], rest, &left);
    for (int k = 1; k < PGN_DAMAGES; k++) {
        assert_int_equal(ccpd[k], k == PGN_GBK_AS_BIG5   ? 597
                                  : k == PGN_BIG5_AS_GBK ? 25
                                                         : 0);
        assert_int_equal(fields[k], k == PGN_BIG5_AS_GBK ? 184 : 0);
        assert_int_equal(rest[k], 0);
    }
    assert_int_equal(left, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_file),
        cmocka_unit_test(nothing_without_the_option),
        cmocka_unit_test(what_damage_took_in),
        cmocka_unit_test(places_in_the_file),
        cmocka_unit_test(one_tag_in_another_encoding),
        cmocka_unit_test(mixed_files_are_not_repaired),
        cmocka_unit_test(kinds_of_text),
        cmocka_unit_test(json_fields),
        cmocka_unit_test(xqf_fields),
        cmocka_unit_test(the_collections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
