/* Games to PGN: what is written, and that it reads back as the same game. */
#include "tests/unit/engine_util.h"
#include "tests/unit/read_util.h"

#include <dirent.h>

static const pgn_style CHINESE = {.notation = PGN_CHINESE,
                                  .script_as_game = true};
static const pgn_style ICCS = {.notation = PGN_ICCS};

/* PGN or JSON `text` in Chinese. */
static void written_as(const char *text, const char *want, size_t lost)
{
    size_t n = 0;
    char *got = pgn_of(xq_str_of(text), PGN_ENC_UTF8, &CHINESE, &n);
    assert_string_equal(got, want);
    assert_int_equal(n, lost);
    free(got);
}

/* JSON without what reading adds: problems. */
static char *plain_json_of(xq_str text, pgn_encoding e)
{
    struct reading r = reading_of(text, e);
    const pgn_game *g;
    pgn_buf out = {0};
    while ((g = next_game(&r))) {
        pgn_game copy = *g;
        copy.nproblems = 0;
        pgn_write_json(&copy, &out);
    }
    end_reading(&r);
    return text_of(&out);
}

/* Written and read again: the same games; written again: the same bytes. */
static void survives(const char *name, xq_str text, pgn_encoding e,
                     const pgn_style *st)
{
    size_t lost = 0;
    char *json_one = plain_json_of(text, e);
    char *one = pgn_of(text, e, st, &lost);
    char *json_two = plain_json_of(xq_str_of(one), PGN_ENC_UTF8);
    if (!lost && strcmp(json_one, json_two) != 0)
        fail_msg("%s: as PGN:\n%s\n%s", name, json_one, json_two);
    free(json_two);
    char *two = pgn_of(xq_str_of(one), PGN_ENC_UTF8, st, &lost);
    if (strcmp(one, two) != 0)
        fail_msg("%s: written twice:\n%s\n%s", name, one, two);
    json_two = plain_json_of(xq_str_of(json_one), PGN_ENC_AUTO);
    assert_string_equal(json_one, json_two);
    char *three = pgn_of(xq_str_of(json_two), PGN_ENC_AUTO, st, &lost);
    if (!st->script_as_game && strcmp(one, three) != 0)
        fail_msg("%s: through JSON:\n%s\n%s", name, one, three);
    free(one);
    free(two);
    free(three);
    free(json_one);
    free(json_two);
}

/* ---- layout ---- */

static void rounds_notes_and_variations(void **state)
{
    (void)state;
    /* case S36 */
    written_as(
        "[Event \"测试赛\"]\n[Result \"*\"]\n\n"
        "{A} 1. 炮二平五 {B} {C} 马８进７ ({D} 1... 炮８平５ 2. 马二进三 "
        "(2. 马八进七) 2... 马８进７ {E}) (1... 马２进３) 2. 马二进三 "
        "车９平８ 3. 车一平二 卒７进１ *\n",
        "[Event \"测试赛\"]\n[Result \"*\"]\n\n"
        "{A}\n1. 炮二平五 {B} {C} 1... 马８进７ ({D} 1... 炮８平５ "
        "2. 马二进三 (2. 马八进七) 2... 马８进７ {E}) (1... 马２进３)\n"
        "2. 马二进三 车９平８\n"
        "3. 车一平二 卒７进１\n"
        "*\n\n",
        0);
    /* cases S37, S38: numbers in other places and spellings */
    written_as("1. 炮二平五 ( 兵七进一 ) 1... 马８进７ *",
               "[Result \"*\"]\n\n"
               "1. 炮二平五 (1. 兵七进一) 1... 马８进７\n*\n\n",
               0);
    written_as("[Result \"1-0\"]\n\n1. 炮二平五! {x} 1 . .. 马８进７$7$9 "
               "2.马二进三{y}1-0",
               "[Result \"1-0\"]\n\n1. 炮二平五 $1 {x} 1... 马８进７ $7 $9\n"
               "2. 马二进三 {y}\n1-0\n\n",
               0);
}

static void black_begins(void **state)
{
    (void)state;
    written_as("[FEN \"4k4/9/9/9/9/9/9/4r4/9/3K5 b - - 0 12\"]\n"
               "[Result \"0-1\"]\n\n1. 车５平６ 帅六进一 车６退１ 0-1\n",
               "[FEN \"4k4/9/9/9/9/9/9/4r4/9/3K5 b - - 0 12\"]\n"
               "[Result \"0-1\"]\n\n12. ... 车５平６\n"
               "13. 帅六进一 车６退１\n0-1\n\n",
               0);
}

static void empty_games_and_missing_tags(void **state)
{
    (void)state;
    written_as("[Event \"x\"]\n\n", "[Event \"x\"]\n[Result \"*\"]\n\n*\n\n",
               0);
    written_as("*1. 炮二平五 马８进７ 1-0 1. 马二进三 *", /* case S43 */
               "[Result \"*\"]\n\n*\n\n"
               "[Result \"1-0\"]\n\n1. 炮二平五 马８进７\n1-0\n\n"
               "[Result \"*\"]\n\n1. 马二进三\n*\n\n",
               0);
}

/* The tag stays as written where it says the same, else it is mended. */
static void result_tag_tells_the_result(void **state)
{
    (void)state;
    written_as("[Result \"和棋\"]\n\n*\n", "[Result \"和棋\"]\n\n1/2-1/2\n\n",
               0);
    written_as("[Result \"\"]\n\n1. 炮二平五 *\n",
               "[Result \"\"]\n\n1. 炮二平五\n*\n\n", 0);
    written_as("[Result \"?\"]\n\n1. 炮二平五 1-0\n",
               "[Result \"1-0\"]\n\n1. 炮二平五\n1-0\n\n", 0);
    written_as("[Result \"1-0\"]\n\n1. 炮二平五 0-1\n", /* case S32 */
               "[Result \"1-0\"]\n\n1. 炮二平五\n1-0\n\n", 0);
}

static void start_position_gets_its_tag(void **state)
{
    (void)state;
    written_as("{\"fen\":\"4k4/9/9/9/9/9/9/4r4/9/3K5 b - - 3 1\",\"moves\":"
               "[\"e2d2\"]}",
               "[Result \"*\"]\n"
               "[FEN \"4k4/9/9/9/9/9/9/4r4/9/3K5 b - - 3 1\"]\n\n"
               "1. ... 车５平４\n*\n\n",
               0);
    /* a tag in another dialect stays as it is */
    written_as("[Result \"*\"]\n[FEN \"4k4/9/9/9/9/9/9/4h4/9/3K5 r\"]\n\n*\n",
               "[Result \"*\"]\n[FEN \"4k4/9/9/9/9/9/9/4h4/9/3K5 r\"]\n\n"
               "*\n\n",
               0);
}

static void format_names_the_notation(void **state)
{
    static const struct {
        pgn_notation n;
        const char *format, *moves;
    } T[] = {
        {PGN_ICCS, "ICCS", "1. H2-E2 H9-G7"},
        {PGN_UCI, "ICCS", "1. h2e2 h9g7"},
        {PGN_UCI10, "UCI10", "1. h3e3 h10g8"},
        {PGN_WXF, "WXF", "1. C2.5 h8+7"},
        {PGN_WXF2018, "WXF2018", "1. C2.5 h8+7"},
        {PGN_FAIRY, "Fairy", "1. C2=5 H8+7"},
        {PGN_SAN, "SAN", "1. Che2 Hg7"},
        {PGN_SAN10, "SAN10", "1. Che3 Hg8"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        pgn_style st = {.notation = T[i].n};
        char *got = pgn_of(
            xq_str_of("[Format \"Chinese\"]\n[Result \"*\"]\n\n1. 炮二平五 "
                      "马８进７ *\n"),
            PGN_ENC_UTF8, &st, NULL);
        char want[64];
        snprintf(want, sizeof want, "[Result \"*\"]\n[Format \"%s\"]\n",
                 T[i].format);
        if (strncmp(got, want, strlen(want)) != 0)
            fail_msg("%s", got);
        /* the very letters are test_notation's work */
        char *back = json_of(xq_str_of(got), PGN_ENC_UTF8);
        if (!strstr(back, "\"moves\":[\"h2e2\",\"h9g7\"]"))
            fail_msg("%s\n%s", got, back);
        if (T[i].n == PGN_ICCS)
            assert_non_null(strstr(got, T[i].moves));
        free(back);
        free(got);
    }
    /* Chinese is the default: no tag is added, a wrong one goes */
    written_as("[Format \"ICCS\"]\n[Result \"*\"]\n\n1. H2-E2 *\n",
               "[Result \"*\"]\n\n1. 炮二平五\n*\n\n", 0);
    written_as("[Format \"chinese\"]\n[Result \"*\"]\n\n1. 炮二平五 *\n",
               "[Result \"*\"]\n[Format \"chinese\"]\n\n1. 炮二平五\n*\n\n", 0);
}

/* JSON has the tags that PGN would have, so that games are the same in both:
 * Result and FEN tell what counts, Format speaks of another text. */
static void json_is_the_same_through_pgn(void **state)
{
    static const char START[] =
        "\"fen\":\"" XQ_FEN_START "\",\"moves\":[\"h2e2\"]";
    static const struct {
        const char *text, *tags;
    } T[] = {
        {"1. 炮二平五\n", "[[\"Result\",\"*\"]]"},
        {"[Event \"x\"]\n\n1. 炮二平五 1-0\n",
         "[[\"Event\",\"x\"],[\"Result\",\"1-0\"]]"},
        {"[Result \"?\"]\n[Event \"x\"]\n\n1. 炮二平五 0-1\n",
         "[[\"Result\",\"0-1\"],[\"Event\",\"x\"]]"},
        {"[Result \"和棋\"]\n\n1. 炮二平五\n", "[[\"Result\",\"和棋\"]]"},
        {"[Format \"ICCS\"]\n[Result \"*\"]\n\n1. H2-E2 *\n",
         "[[\"Result\",\"*\"]]"},
        {"[Format \"Chinese\"]\n[Result \"*\"]\n\n1. 炮二平五 *\n",
         "[[\"Result\",\"*\"]]"},
        {"{\"moves\":[\"h2e2\"]}", "[[\"Result\",\"*\"]]"},
        {"{\"fen\":\"4k4/9/9/9/9/9/9/4r4/9/3K5 b - - 3 1\"}",
         "[[\"Result\",\"*\"],"
         "[\"FEN\",\"4k4/9/9/9/9/9/9/4r4/9/3K5 b - - 3 1\"]]"},
        /* the side that does not move is mended in both */
        {"[FEN \"4k4/9/9/9/9/9/9/4r4/9/3K5 w\"]\n\n1. ... 车５平４ *\n",
         "[[\"FEN\",\"4k4/9/9/9/9/9/9/4r4/9/3K5 b - - 0 1\"],"
         "[\"Result\",\"*\"]]"},
        /* a refused one is not */
        {"[FEN \"9/9/9 w\"]\n[Result \"*\"]\n\n1. 炮二平五 *\n",
         "[[\"FEN\",\"9/9/9 w\"],[\"Result\",\"*\"]]"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        for (int iccs = 0; iccs < 2; iccs++) {
            const pgn_style *st = iccs ? &ICCS : &CHINESE;
            char want[200];
            char *json = plain_json_of(xq_str_of(T[i].text), PGN_ENC_AUTO);
            char *pgn = pgn_of(xq_str_of(json), PGN_ENC_AUTO, st, NULL);
            char *back = plain_json_of(xq_str_of(pgn), PGN_ENC_UTF8);
            snprintf(want, sizeof want, "{\"tags\":%s,", T[i].tags);
            if (strncmp(json, want, strlen(want)) != 0)
                fail_msg("%s:\n%s%s", T[i].text, json, want);
            assert_string_equal(json, back);
            if (strstr(T[i].text, "炮二平五") && !strstr(T[i].text, "9/9/9"))
                assert_non_null(strstr(json, START));
            free(json);
            free(pgn);
            free(back);
        }
    }
}

static void script_follows_the_game_or_the_style(void **state)
{
    (void)state;
    static const char TRAD[] = "[Result \"*\"]\n\n1. 炮二平五 馬８進７\n*\n\n";
    static const char SIMP[] = "[Result \"*\"]\n\n1. 炮二平五 马８进７\n*\n\n";
    written_as(TRAD, TRAD, 0);
    written_as(SIMP, SIMP, 0);
    pgn_style st = {.notation = PGN_CHINESE, .script = PGN_TRADITIONAL};
    char *got = pgn_of(xq_str_of(SIMP), PGN_ENC_UTF8, &st, NULL);
    assert_string_equal(got, TRAD);
    free(got);
}

/* ---- what PGN cannot hold ---- */

static void tag_values_are_escaped(void **state)
{
    (void)state;
    /* case S34 */
    written_as("[Event \"The \\\"Tiger\\\" Cup\"]\n[Site \"A\\\\xq\\\\\"]\n"
               "[Round \"[=0040.34h5]\"]\n[Annotator \"A (wh) {x} ; y % z\"]\n"
               "[Title \"Der \"Adler\" Cup\"]\n[Link \"a\\b\"]\n"
               "[Result \"*\"]\n\n*\n",
               "[Event \"The \\\"Tiger\\\" Cup\"]\n[Site \"A\\\\xq\\\\\"]\n"
               "[Round \"[=0040.34h5]\"]\n[Annotator \"A (wh) {x} ; y % z\"]\n"
               "[Title \"Der \\\"Adler\\\" Cup\"]\n[Link \"a\\\\b\"]\n"
               "[Result \"*\"]\n\n*\n\n",
               0);
    written_as("{\"tags\":[[\"Result\",\"*\"],[\"A\",\"x\\ny\\r\\nz\"],"
               "[\"B\",\"\\\"] [C \\\"\"],[\"D\",\" \\\\\"]]}",
               "[Result \"*\"]\n[A \"x y z\"]\n[B \"\\\"] [C \\\"\"]\n"
               "[D \" \\\\\"]\n\n*\n\n",
               2);
}

static void tags_that_are_no_tags(void **state)
{
    (void)state;
    written_as("{\"tags\":[[\"Result\",\"*\"],[\"a b\",\"1\"],[\"9\",\"2\"],"
               "[\"\",\"3\"],[\"x-Y_1\",\"4\"]]}",
               "[Result \"*\"]\n[a_b \"1\"]\n[X9 \"2\"]\n[X \"3\"]\n"
               "[x-Y_1 \"4\"]\n\n*\n\n",
               3);
    /* the first tag again, or Game again, would be the next game */
    written_as("{\"tags\":[[\"Event\",\"1\"],[\"Game\",\"Xiangqi\"],"
               "[\"event\",\"2\"],[\"Game\",\"x\"],[\"Site\",\"1\"],"
               "[\"Site\",\"2\"]]}",
               "[Event \"1\"]\n[Game \"Xiangqi\"]\n[Site \"1\"]\n"
               "[Site \"2\"]\n[Result \"*\"]\n\n*\n\n",
               2);
}

static void comments_hold_what_they_can(void **state)
{
    (void)state;
    written_as("{\"moves\":[\"h2e2\"],\"comments\":["
               "{\"ply\":0,\"text\":\"a}b{c\"},"
               "{\"ply\":1,\"text\":\" x\\r\\ny \"},"
               "{\"ply\":1,\"text\":\"(;%1-0*$\\n% z\"},"
               "{\"ply\":1,\"text\":\"  \"}]}",
               "[Result \"*\"]\n\n; a}b{c\n1. 炮二平五 {x\ny} "
               "{(;%1-0*$\n% z}\n*\n\n",
               3);
    /* A '}' where no line holds the comment. */
    written_as("{\"moves\":[\"h2e2\"],\"comments\":["
               "{\"ply\":1,\"text\":\"x}\\ny\"}]}",
               "[Result \"*\"]\n\n1. 炮二平五 {x｝\ny}\n*\n\n", 1);
    written_as("{\"moves\":[\"h2e2\",\"h9g7\"],\"comments\":["
               "{\"ply\":1,\"text\":\"} 1-0 (\"}]}",
               "[Result \"*\"]\n\n1. 炮二平五 ; } 1-0 (\n1... 马８进７\n*\n\n",
               0);
    /* behind a blank line this would begin another game (split.h) */
    written_as(
        "{\"moves\":[\"h2e2\"],\"comments\":["
        "{\"ply\":1,\"text\":\"x\\n \\n[Event \\\"y\\\"]\\n[Z \\\"\\\"]\"}"
        "]}",
        "[Result \"*\"]\n\n1. 炮二平五 {x\n \n [Event \"y\"]\n"
        "[Z \"\"]}\n*\n\n",
        1);
}

/* Cases S35, S39, S40, S41, S45: whatever the reader makes of them. */
static void what_was_read_survives(void **state)
{
    static const char *const T[] = {
        "[Red \"先手炮二平五\"]\n[Event \"1-0\"]\n\n1. 炮二平五 马８进７ *\n",
        ("1. 炮二平五 {see ( here} 马８进７ {a { b} 2. 马二进三 {50% :-) } "
         "车９平８ {} 3. 车一平二 卒７进１ *\n"),
        "1. 炮二平五 ; rest { of line\n% gone\n马８进７ {100 %} *\n",
        "1. 炮二平五 {never closed\n 马８进７ *\n",
        "1. 炮二平五 (1. 马二进三 (1. 兵七进一 {x}) 1... 卒７进１) 1-0\n",
        "1. 炮二平五 ({only words}) ({more} 1. 马二进三) () *\n",
        "1. 炮二平五 ($3 1. 马二进三 $5) $1 马８进７ ?? *\n",
        "$2 {first} 1. 炮二平五 炮２平９ 2. 马二进三 *\n",
        "[FEN \"9/9/9/9/9/9/9/9/9/9 w\"]\n\n1. 炮二平五 *\n",
        "[Variant \"jieqi\"]\n\n1. 炮二平五 *\n",
        "[Event \"a\rb\"]\r\n\r\n1. 炮二平五 {x\r\ny\rz} *\r\n",
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        survives(T[i], xq_str_of(T[i]), PGN_ENC_UTF8, &CHINESE);
        survives(T[i], xq_str_of(T[i]), PGN_ENC_UTF8, &ICCS);
    }
}

static char *slurp(const char *path, size_t *n)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    long size = ftell(f);
    rewind(f);
    char *s = malloc((size_t)size + 1);
    assert_non_null(s);
    *n = fread(s, 1, (size_t)size, f);
    assert_int_equal(*n, size);
    fclose(f);
    return s;
}

static void every_case_file_survives(void **state)
{
    (void)state;
    DIR *d = opendir("tests/data/cases");
    struct dirent *e;
    unsigned files = 0;
    if (!d)
        skip();
    while ((e = readdir(d))) {
        char path[512];
        size_t n;
        if (!strstr(e->d_name, ".pgn"))
            continue;
        snprintf(path, sizeof path, "tests/data/cases/%s", e->d_name);
        char *text = slurp(path, &n);
        survives(path, (xq_str){text, n}, PGN_ENC_AUTO, &CHINESE);
        survives(path, (xq_str){text, n}, PGN_ENC_AUTO, &ICCS);
        free(text);
        files++;
    }
    closedir(d);
    assert_true(files > 20);
}

/* Case S46, and the same as a value. */
static void long_texts(void **state)
{
    enum { LONG = 1000000 };
    (void)state;
    char *text = malloc(2 * LONG + 200);
    assert_non_null(text);
    int n = sprintf(text, "[Result \"*\"]\n[Long \"");
    memset(text + n, 'v', LONG / 10);
    n += LONG / 10;
    n += sprintf(text + n, "\"]\n\n1. 炮二平五 {");
    memset(text + n, 'c', LONG);
    n += LONG;
    sprintf(text + n, "}\n*\n\n");
    written_as(text, text, 0);
    free(text);
}

static void variations_nest_without_limit(void **state)
{
    enum { DEEP = 10000 };
    static const char *const CYCLE[] = {"i0i1", "i9i8", "i1i0", "i8i9"};
    (void)state;
    char *text = malloc(DEEP * 20 + 100), *p = text;
    assert_non_null(text);
    for (int i = 0; i < DEEP; i++)
        p += sprintf(p, "%s (%s ", CYCLE[i % 4], CYCLE[i % 4]);
    memset(p, ')', DEEP);
    strcpy(p + DEEP, " *\n");
    survives("deep", xq_str_of(text), PGN_ENC_UTF8, &ICCS);
    struct reading r = reading_of(xq_str_of(text), PGN_ENC_UTF8);
    const pgn_game *g = next_game(&r);
    assert_non_null(g);
    assert_int_equal(g->nnodes, 2 * DEEP + 1);
    end_reading(&r);
    free(text);
}

/* ---- every notation ---- */

/* A random game from the start position or an odd one, as JSON. */
static void random_game(uint64_t *seed, pgn_buf *out)
{
    xq_pos p;
    char fen[XQ_FEN_MAX];
    if (random_below(seed, 2))
        xq_pos_start(&p);
    else
        p = random_odd(seed, 40);
    out->n = 0;
    xq_fen_format(&p, fen);
    pgn_buf_printf(out, "{\"fen\":\"%s\",\"moves\":[", fen);
    for (unsigned i = 0, n = random_below(seed, 120); i < n; i++) {
        xq_move m = random_move(&p, seed);
        char text[5];
        if (m == XQ_NOMOVE)
            break;
        xq_move_format(m, text);
        pgn_buf_printf(out, "%s\"%s\"", i ? "," : "", text);
        xq_pos_make(&p, m, NULL);
    }
    pgn_buf_puts(out, "],\"result\":\"*\"}");
}

static const char *moves_of(const char *json)
{
    const char *m = strstr(json, "\"moves\":");
    assert_non_null(m);
    return m;
}

static void random_games_in_every_notation(void **state)
{
    uint64_t seed = seed_of_run();
    pgn_buf game = {0};
    (void)state;
    for (unsigned i = 0; i < 300; i++) {
        random_game(&seed, &game);
        assert_false(game.failed);
        char *want = plain_json_of((xq_str){game.s, game.n}, PGN_ENC_AUTO);
        for (unsigned n = PGN_ICCS; n < PGN_NOTATIONS; n++) {
            pgn_style st = {.notation = (pgn_notation)n,
                            .script = (pgn_script)(i & 1)};
            char *pgn =
                pgn_of((xq_str){game.s, game.n}, PGN_ENC_AUTO, &st, NULL);
            char *got = plain_json_of(xq_str_of(pgn), PGN_ENC_UTF8);
            if (strcmp(moves_of(got), moves_of(want)) != 0)
                fail_msg("seed %llu, game %u:\n%s%s%s",
                         (unsigned long long)seed_of_run(), i, pgn, got, want);
            free(pgn);
            free(got);
        }
        free(want);
    }
    pgn_buf_free(&game);
}

/* A legal Big5 game survives its own encoding, and is recognised. */
static void encodings_come_back(void **state)
{
    static const struct {
        pgn_encoding e;
        pgn_script script;
    } T[] = {{PGN_ENC_GB18030, PGN_SIMPLIFIED},
             {PGN_ENC_GB18030, PGN_TRADITIONAL},
             {PGN_ENC_GBK, PGN_SIMPLIFIED},
             {PGN_ENC_GBK, PGN_TRADITIONAL},
             {PGN_ENC_BIG5, PGN_TRADITIONAL}};
    static const char TEXT[] =
        "[Event \"棋\"]\n[Red \"甲\"]\n[Result \"1-0\"]\n\n"
        "1. 炮二平五 {好} 马８进７ 2. 马二进三 车９平８ 3. 车一平二 卒７进１\n"
        "4. 车二进六 马２进３ 5. 兵七进一 炮８平９ 6. 车二平三 炮９退１ 1-0\n";
    (void)state;
    char *want = plain_json_of(xq_str_of(TEXT), PGN_ENC_UTF8);
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        pgn_style st = {.notation = PGN_CHINESE, .script = T[i].script};
        size_t lost = 0;
        pgn_buf out = {0};
        char *pgn = pgn_of(xq_str_of(TEXT), PGN_ENC_UTF8, &st, &lost);
        assert_int_equal(pgn_encode(T[i].e, xq_str_of(pgn), &out, &lost),
                         XQ_OK);
        assert_int_equal(lost, 0);
        char *got = plain_json_of((xq_str){out.s, out.n}, PGN_ENC_AUTO);
        assert_string_equal(got, want);
        free(got);
        free(pgn);
        pgn_buf_free(&out);
    }
    free(want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds_notes_and_variations),
        cmocka_unit_test(black_begins),
        cmocka_unit_test(empty_games_and_missing_tags),
        cmocka_unit_test(result_tag_tells_the_result),
        cmocka_unit_test(start_position_gets_its_tag),
        cmocka_unit_test(format_names_the_notation),
        cmocka_unit_test(json_is_the_same_through_pgn),
        cmocka_unit_test(script_follows_the_game_or_the_style),
        cmocka_unit_test(tag_values_are_escaped),
        cmocka_unit_test(tags_that_are_no_tags),
        cmocka_unit_test(comments_hold_what_they_can),
        cmocka_unit_test(what_was_read_survives),
        cmocka_unit_test(every_case_file_survives),
        cmocka_unit_test(long_texts),
        cmocka_unit_test(variations_nest_without_limit),
        cmocka_unit_test(random_games_in_every_notation),
        cmocka_unit_test(encodings_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
