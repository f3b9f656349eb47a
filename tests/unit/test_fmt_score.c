/* test_fmt_score.c - Chinese score sheets, read and written (formats
 * reference 6.7). */
#include "tests/unit/text_util.h"

static void ccbridge(void **state)
{
    static const char TEXT[] =
        "\xEF\xBB\xBF标题：例局\r\n赛事：杯赛\r\n红方：甲\r\n黑方：乙\r\n"
        "解说：(Email:)\r\nECCO：C66 五七炮对屏风马\r\n结果：红胜\r\n"
        "FEN ：rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - "
        "- 0 1\r\n\r\n一句话\r\n\r\n  1. 炮二平五 马８进７\r\n  2. 马二进三"
        " 车９平８\r\n 3. 车一平二 \r\n";
    (void)state;
    assert_int_equal(kind_of(TEXT), PGN_FMT_SCORE);
    char *json = games_in(TEXT);
    has(json, "[[\"Title\",\"例局\"],[\"Event\",\"杯赛\"],[\"Red\",\"甲\"],"
              "[\"Black\",\"乙\"],[\"ECCO\",\"C66\"],[\"Opening\",\"五七炮对"
              "屏风马\"],[\"Result\",\"1-0\"]]");
    has(json, "{\"ply\":0,\"text\":\"一句话\"}");
    has(json, "[\"h2e2\",\"h9g7\",\"h0g2\",\"i9h9\",\"i0h0\"]");
    has(json, "\"result\":\"1-0\"");
    has(json, "\"problems\":[]");
    free(json);
    same_through_pgn(TEXT);
}

static void lianzhong(void **state)
{
    (void)state;
    char *json = games_in(
        "中 国 象 棋 对 局 记 录\n-------\n对局名称：红方[689] - 黑方[811]\n"
        "比赛日期：2016年12月27日20时  比赛地点：\n"
        "红    方：甲乙(05)  耗时：  2分 24秒\n"
        "黑    方：丙(jy)  耗时：  4分  1秒\n比赛结果：    裁判员：\n------\n"
        "棋谱   红方           黑方\n  1.  炮二平五       马２进３\n");
    has(json, "[\"Title\",\"红方[689] - 黑方[811]\"],[\"Date\",\"2016年12月27日"
              "20时\"],[\"Red\",\"甲乙(05)\"],[\"RedTime\",\"2分 24秒\"],"
              "[\"Black\",\"丙(jy)\"],[\"BlackTime\",\"4分  1秒\"]");
    has(json, "[\"h2e2\",\"b9c7\"]");
    has(json, "\"comments\":[]");
    free(json);
}

static void faults(void **state)
{
    (void)state;
    char *json = games_in("标题：一\n红方：甲\n1. 炮二平五 马8进7 2. 炮二平五\n"
                          "标题：二\n黑方：乙\n1. 炮二平五 *\nadvert\n"
                          "标题：三\nFEN：x/y\n1. 炮二平五\n");
    assert_int_equal(count_of(json, "\n"), 3);
    has(json, "kept 2 plies");
    has(json, "[[\"Title\",\"二\"],[\"Black\",\"乙\"],[\"Result\",\"*\"]]");
    has(json, "start position refused");
    free(json);
    /* prose with a colon is no score sheet */
    assert_int_equal(kind_of("红方：甲\n这是一封信。\n"), PGN_FMT_UNKNOWN);
    assert_int_equal(kind_of("日期：1\n"), PGN_FMT_UNKNOWN);
}

static xq_status simplified(const pgn_game *g, pgn_buf *out, size_t *lost)
{
    static const pgn_style ST = {.notation = PGN_CHINESE};
    return pgn_write_text(g, &ST, out, lost);
}

static xq_status traditional(const pgn_game *g, pgn_buf *out, size_t *lost)
{
    static const pgn_style ST = {.notation = PGN_CHINESE,
                                 .script = PGN_TRADITIONAL};
    return pgn_write_text(g, &ST, out, lost);
}

static void there_and_back(void **state)
{
    static const char GAMES[] =
        "{\"tags\":[[\"Title\",\"t\"],[\"Red\",\"甲\"],[\"Own-Tag\",\"a：b\"],"
        "[\"Remark\",\"黑方：宋  比赛结果：红胜\"],[\"Event\",\"x 结果：y\"],"
        "[\"ECCO\",\"B05\"],[\"Result\",\"1-0\"]],"
        "\"moves\":[\"h2e2\",\"h9g7\",\"h0g2\"],\"nags\":[{\"ply\":1,\"nag\":3"
        "}],\"comments\":[{\"ply\":0,\"text\":\"all\"},{\"ply\":2,\"text\":"
        "\"a\\n\\n 标题：x\\n红方：y\"}],"
        "\"variations\":[{\"ply\":2,\"moves\":[\"h7e7\",\"b0c2\"],"
        "\"comments\":[{\"ply\":0,\"text\":\"before\"}],\"variations\":"
        "[{\"ply\":2,\"moves\":[\"b2e2\"]}]}],\"result\":\"1-0\"}\n"
        "{\"tags\":[[\"Result\",\"*\"],[\"FEN\",\"3k5/9/9/9/9/9/9/9/9/4K3R b - "
        "- 0 1\"]],\"fen\":\"3k5/9/9/9/9/9/9/9/9/4K3R b - - 0 1\",\"moves\":"
        "[\"d9d8\"],\"result\":\"*\"}\n"
        "{\"tags\":[[\"Result\",\"1/2-1/2\"]],\"moves\":[],\"result\":"
        "\"1/2-1/2\"}\n";
    static game_writer *const WRITERS[] = {simplified, traditional};
    (void)state;
    char *json = games_cut(GAMES, sizeof GAMES - 1, 0, false);
    for (int i = 0; i < 2; i++) {
        size_t lost;
        char *text = written_by(GAMES, WRITERS[i], &lost);
        char *back = games_cut(text, strlen(text), 0, false);
        assert_int_equal(lost, 0);
        assert_string_equal(json, back);
        free(text);
        free(back);
    }
    free(json);
}

/* In a comment a line that begins a sheet would end the game. */
static void comments_begin_no_game(void **state)
{
    size_t lost;
    (void)state;
    char *text = written_by("[Result \"*\"]\n\n1. h2e2 {a\n标题：x} *\n",
                            simplified, &lost);
    assert_int_equal(lost, 1);
    char *json = games_in(text);
    assert_int_equal(count_of(json, "\n"), 1);
    has(json, "a\\n 标题：x");
    free(json);
    free(text);
}

/* Blanks around a value and breaks inside it do not come back. */
static void blanks_are_counted(void **state)
{
    static const char GAME[] =
        "{\"tags\":[[\"Title\",\" t\"],[\"Red\",\"甲 \"],[\"Site\",\"a  b\"],"
        "[\"Black\",\"a\\nb\"],[\"Date\",\"\\u0008c\"]]}";
    size_t lost;
    (void)state;
    char *text = written_by(GAME, simplified, &lost);
    assert_int_equal(lost, 4);
    free(text);
}

static void cut_anywhere(void **state)
{
    pgn_buf b = {0};
    (void)state;
    for (int i = 0; i < 30; i++)
        pgn_buf_printf(&b,
                       "标题：%d\r\n红方：甲\r\n\r\n1. 炮二平五 马8进7 %s\r\n"
                       "%s\r\n",
                       i, i % 5 ? "1-0" : "{open", i % 7 ? "" : "advert");
    same_when_cut(b.s, b.n);
    char *json = games_cut(b.s, b.n, 0, true);
    assert_int_equal(count_of(json, "\n"), 30);
    free(json);
    pgn_buf gbk = {0};
    assert_int_equal(
        pgn_encode(PGN_ENC_GBK, (xq_str){b.s, b.n}, &gbk, &(size_t){0}), XQ_OK);
    same_when_cut(gbk.s, gbk.n);
    pgn_buf_free(&gbk);
    pgn_buf_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ccbridge),
        cmocka_unit_test(lianzhong),
        cmocka_unit_test(faults),
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(comments_begin_no_game),
        cmocka_unit_test(blanks_are_counted),
        cmocka_unit_test(cut_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
