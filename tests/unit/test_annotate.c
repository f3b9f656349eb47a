/* test_annotate.c - evaluations written into games: judgement, mates, what was
 * there before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libpgn/reader.h"
#include "libpgn/writer.h"
#include "tools/annotate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a game from text, evaluations from a list ---- */

static pgn_reader *reader;

static const pgn_game *game_of(const char *text)
{
    static pgn_segment seg;
    const pgn_game *g = NULL;
    seg = (pgn_segment){.bytes = (uint8_t *)(uintptr_t)text,
                        .n = strlen(text),
                        .format = PGN_FMT_PGN,
                        .first = true,
                        .last = true};
    pgn_reader_close(reader);
    reader = NULL;
    assert_int_equal(pgn_reader_new(&reader, NULL, NULL), XQ_OK);
    pgn_reader_load(reader, &seg);
    assert_int_equal(pgn_reader_next(reader, &g, NULL), XQ_OK);
    assert_false(g->faulty);
    return g;
}

/* "best score" of each position: "h2e2 30", "h2e2 #3", "-" failed, "." over;
 * with a second line behind a comma; behind a '|' what is said of the position
 * after the best move. */
static void say_line(analysis_line *l, const char *text)
{
    char *end;
    assert_true(strlen(text) > 5);
    l->pv[0] = xq_move_parse((char[5]){text[0], text[1], text[2], text[3], 0});
    l->n = 1;
    l->score.mate = text[5] == '#';
    l->score.value = (int)strtol(text + 5 + l->score.mate, &end, 10);
}

static analysis *say(const char *const *texts, size_t n)
{
    analysis *v = calloc(n, sizeof *v);
    assert_non_null(v);
    for (size_t i = 0; i < n; i++) {
        const char *comma = strchr(texts[i], ',');
        if (texts[i][0] == '-' || texts[i][0] == '.') {
            v[i].state = texts[i][0] == '-' ? ANALYSIS_FAILED : ANALYSIS_OVER;
            continue;
        }
        v[i].state = ANALYSIS_DONE;
        v[i].nlines = comma ? 2 : 1;
        say_line(&v[i].lines[0], texts[i]);
        if (comma)
            say_line(&v[i].lines[1], comma + 2);
    }
    return v;
}

/* What stands behind a '|', where it is asked for; its place in *room. */
static analysis **say_better(const char *const *texts, const pgn_game *g,
                             const analysis *v, analysis *room)
{
    analysis **better = calloc(g->plies + 1, sizeof *better);
    assert_non_null(better);
    xq_pos p = g->start, q, other;
    for (uint32_t i = 0; i < g->plies; i++, p = q) {
        const char *bar = strchr(texts[i], '|');
        q = p;
        xq_pos_make(&q, g->main[i], NULL);
        const bool asked =
            annotate_doubts(&v[i], &p, g->main[i], &v[i + 1], &q, &other);
        if (bar && !asked)
            fail_msg("'%s' is not asked for", bar);
        if (!bar)
            continue;
        xq_pos r = p;
        xq_pos_make(&r, v[i].lines[0].pv[0], NULL);
        assert_true(r.key == other.key);
        analysis *one = say((const char *const[]){bar + 2}, 1);
        room[i] = *one;
        better[i] = &room[i];
        free(one);
    }
    return better;
}

static annotate_report report;

static void assert_annotated(const char *pgn, const char *const *said,
                             uint32_t out_of_book, const char *movetext)
{
    game_edit e = {0};
    pgn_buf b = {0};
    const pgn_style st = {.notation = PGN_ICCS};
    const annotate_options o = {.variation = 10, .out_of_book = out_of_book};
    game_edit_copy(&e, game_of(pgn));
    analysis *v = say(said, e.g.plies + 1);
    analysis *room = calloc(e.g.plies + 1, sizeof *room);
    assert_non_null(room);
    analysis **better = say_better(said, &e.g, v, room);
    uint16_t *lost = calloc(e.g.plies + 1, sizeof *lost);
    assert_non_null(lost);
    annotate_game(&e, v, better, &o, lost, &report);
    for (uint32_t i = 0; i < e.g.plies; i++) {
        const bool judged =
            v[i].state == ANALYSIS_DONE && v[i + 1].state != ANALYSIS_FAILED;
        assert_int_equal(lost[i] != ANNOTATE_UNJUDGED, judged);
    }
    free(lost);
    free(better);
    free(room);
    assert_false(e.failed);
    assert_int_equal(pgn_write_movetext(&e.g, &st, &b, NULL), XQ_OK);
    pgn_buf_add(&b, "", 1);
    assert_string_equal(b.s, movetext);
    pgn_buf_free(&b);
    free(v);
    game_edit_free(&e);
}

/* ---- tests ---- */

static void every_position_gets_its_evaluation_from_reds_view(void **state)
{
    /* S76: ply 0 too */
    static const char *const SAID[] = {"h2e2 12", "h9g7 -30", "h0g2 -25",
                                       "i9h9 5"};
    (void)state;
    assert_annotated("[Red \"a\"]\n\n1. h2e2 h9g7 2. h0g2 *\n", SAID, 0,
                     "{[%eval 0.12]}\n1. H2-E2 {[%eval -0.30]} 1... H9-G7 "
                     "{[%eval -0.25]}\n2. H0-G2 {[%eval 0.05]}\n*\n\n");
}

static void marks_follow_the_chances_lost(void **state)
{
    (void)state;
    assert_int_equal(annotate_judge(49), ANNOTATE_FINE);
    assert_int_equal(annotate_judge(50), ANNOTATE_INACCURACY);
    assert_int_equal(annotate_judge(99), ANNOTATE_INACCURACY);
    assert_int_equal(annotate_judge(100), ANNOTATE_MISTAKE);
    assert_int_equal(annotate_judge(199), ANNOTATE_MISTAKE);
    assert_int_equal(annotate_judge(200), ANNOTATE_BLUNDER);
    /* all is lost, nothing is lost */
    assert_true(annotate_accuracy(1000) < 0.001);
    assert_true(fabs(annotate_accuracy(0) - 100) < 0.001);
    assert_true(annotate_accuracy(50) > annotate_accuracy(100));
}

static void what_loses_chances_is_marked_and_bettered(void **state)
{
    static const char *const SAID[] = {"h2e2 0", "h9g7 -1500", "h0g2 -1500",
                                       "i9h9 -1500"};
    (void)state;
    assert_annotated("[Red \"a\"]\n\n1. a3a4 h9g7 2. h0g2 *\n", SAID, 0,
                     "{[%eval 0.00]}\n1. A3-A4 $4 {[%eval -15.00]} (1. H2-E2 "
                     "{[%eval 0.00]}) 1... H9-G7 {[%eval -15.00]}\n2. H0-G2 "
                     "{[%eval -15.00]}\n*\n\n");
    assert_int_equal(report.side[XQ_RED].marks[ANNOTATE_BLUNDER], 1);
    assert_int_equal(report.side[XQ_RED].moves, 2);
    assert_int_equal(report.side[XQ_BLACK].moves, 1);
    assert_true(report.side[XQ_BLACK].accuracy > 99.9);
}

/* A search one ply later is the other side's: it is compared with one of its
 * kind. */
static void what_seems_to_lose_is_compared_with_the_better_move(void **state)
{
    static const char *const NOTHING[] = {"h2e2 100 | h9g7 -60", "h9g7 -50"};
    static const char *const MUCH[] = {"h2e2 900 | b9c7 700", "h9g7 -900"};
    static const char *const MATE[] = {"h2e2 900 | b9c7 #4", "h9g7 -900"};
    static const char *const FAILED[] = {"h2e2 0 | -", "h9g7 -1500"};
    (void)state;
    assert_annotated("[Red \"a\"]\n\n1. a3a4 *\n", NOTHING, 0,
                     "{[%eval 1.00]}\n1. A3-A4 {[%eval -0.50]}\n*\n\n");
    assert_annotated("[Red \"a\"]\n\n1. a3a4 *\n", MUCH, 0,
                     "{[%eval 9.00]}\n1. A3-A4 $4 {[%eval -9.00]} (1. H2-E2 "
                     "{[%eval 7.00]} 1... B9-C7)\n*\n\n");
    assert_annotated("[Red \"a\"]\n\n1. a3a4 *\n", MATE, 0,
                     "{[%eval #5]}\n1. A3-A4 $4 {[%eval -9.00]} (1. H2-E2 "
                     "{[%eval #4]} 1... B9-C7)\n*\n\n");
    assert_int_equal(report.side[XQ_RED].missed_mates, 1);
    assert_annotated("[Red \"a\"]\n\n1. a3a4 *\n", FAILED, 0,
                     "{[%eval 0.00]}\n1. A3-A4 $4 {[%eval -15.00]} (1. H2-E2 "
                     "{[%eval 0.00]})\n*\n\n");
    assert_int_equal(report.failed, 1);
}

/* Neither what loses nothing, nor the best move, nor a proved mate. */
static void only_doubtful_moves_are_asked_about_twice(void **state)
{
    static const struct {
        const char *before, *after;
        bool doubted;
    } T[] = {
        {"h2e2 100", "h9g7 95", false},  {"a3a4 100", "h9g7 -900", false},
        {"h2e2 100", "h9g7 -900", true}, {"h2e2 #3", "h9g7 -900", false},
        {"h2e2 100", "-", false},        {"-", "h9g7 -900", false},
        {"h2e2 100", "h9g7 #-3", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        analysis *v = say((const char *const[]){T[i].before, T[i].after}, 2);
        xq_pos p, q, other;
        xq_pos_start(&p);
        q = p;
        const xq_move m = xq_move_parse("a3a4");
        xq_pos_make(&q, m, NULL);
        assert_int_equal(annotate_doubts(&v[0], &p, m, &v[1], &q, &other),
                         T[i].doubted);
        free(v);
    }
}

/* The best move loses nothing, whatever is found one ply later. */
static void the_best_move_is_never_marked(void **state)
{
    static const char *const SAID[] = {"h2e2 400", "h9g7 -400"};
    (void)state;
    assert_annotated("[Red \"a\"]\n\n1. h2e2 *\n", SAID, 0,
                     "{[%eval 4.00]}\n1. H2-E2 {[%eval -4.00]}\n*\n\n");
}

#define MATE_GAME "[FEN \"4k4/9/9/9/9/9/9/9/R8/1R2K4 w - - 0 1\"]\n\n1. "

static void no_marks_between_mates(void **state)
{
    /* both mate; the one played takes longer */
    static const char *const SAID[] = {"a1e1 #2", "e9d9 #3"};
    (void)state;
    assert_annotated(MATE_GAME "e0f0 *\n", SAID, 0,
                     "{[%eval #2]}\n1. E0-F0 {[%eval #3]}\n*\n\n");
}

static void a_missed_mate_is_marked_however_good_the_rest(void **state)
{
    static const char *const SAID[] = {"a1e1 #2", "e9d9 9000"};
    (void)state;
    assert_annotated(MATE_GAME "e0f0 *\n", SAID, 0,
                     "{[%eval #2]}\n1. E0-F0 $6 {[%eval 90.00]} (1. A1-E1 "
                     "{[%eval #1]})\n*\n\n");
    assert_int_equal(report.side[XQ_RED].missed_mates, 1);
}

static void mates_are_mended_from_the_end(void **state)
{
    /* seen one ply later only: a mate in 3 is one in 4 before the move */
    static const char *const SAID[] = {"a1e1 900", "e9d9 #3"};
    static const char *const OVER[] = {"a1a2 900", "."};
    (void)state;
    assert_annotated(MATE_GAME "e0f0 *\n", SAID, 0,
                     "{[%eval #4]}\n1. E0-F0 {[%eval #3]}\n*\n\n");
    assert_annotated("[FEN \"3k5/9/9/9/9/9/9/9/R8/1R2K4 w - - 0 1\"]\n\n1. "
                     "b0d0 *\n",
                     OVER, 0, "{[%eval #1]}\n1. B0-D0 {[%eval #0]}\n*\n\n");
}

/* Where a position is its own mirror image, so are its moves. */
static void the_other_wing_is_as_good(void **state)
{
    static const char *const SAID[] = {"h2e2 0, b2e2 -900", "h9g7 -1500"};
    (void)state;
    assert_annotated("[Red \"a\"]\n\n1. b2e2 *\n", SAID, 0,
                     "{[%eval 0.00]}\n1. B2-E2 {[%eval -15.00]}\n*\n\n");
}

static void the_only_move_and_the_first_out_of_book(void **state)
{
    static const char *const SAID[] = {"h2e2 0, h0g2 -900", "h9g7 0, b9c7 10"};
    (void)state;
    assert_annotated("[Red \"a\"]\n\n1. h2e2 *\n", SAID, 1,
                     "{[%eval 0.00]}\n1. H2-E2 $7 $146 {[%eval 0.00]}\n*\n\n");
}

static void what_failed_is_said_and_not_judged(void **state)
{
    static const char *const SAID[] = {"h2e2 0", "-", "h0g2 -1500"};
    (void)state;
    assert_annotated("[Red \"a\"]\n\n1. a3a4 h9g7 *\n", SAID, 0,
                     "{[%eval 0.00]}\n1. A3-A4 {engine failed} 1... H9-G7 "
                     "{[%eval -15.00]}\n*\n\n");
    assert_int_equal(report.failed, 1);
    assert_int_equal(report.side[XQ_RED].moves, 0);
}

static void comments_and_variations_stay(void **state)
{
    static const char *const SAID[] = {"h2e2 0", "h9g7 -1500", "h0g2 -1500"};
    (void)state;
    assert_annotated(
        "[Red \"a\"]\n\n{before} 1. a3a4 $1 {why [%eval 9.00] this [%clk 1]} "
        "(1. h2e2 {mine}) 1... h9g7 {engine failed} *\n",
        SAID, 0,
        "{before} {[%eval 0.00]}\n1. A3-A4 $1 $4 {why  this [%clk 1]} {[%eval "
        "-15.00]} (1. H2-E2 {mine}) 1... H9-G7 {[%eval -15.00]}\n*\n\n");
}

/* Only what is written as a program writes it is taken out, however often. */
static void words_that_look_like_commands_stay(void **state)
{
    static const char *const SAID[] = {"h2e2 0", "h9g7 0"};
    static const char REPEATED[] = "[%eval 1.00] ";
    enum { TIMES = 50000 };
    char *text = malloc(TIMES * sizeof REPEATED + 100), *end = text;
    (void)state;
    assert_non_null(text);
    assert_annotated("[Red \"a\"]\n\n1. h2e2 {[%evaluation of mine: good]} "
                     "{[%eval here is open, [%clk 1] [%eval 2,30] tail} "
                     "{[%eval #-3]} *\n",
                     SAID, 0,
                     "{[%eval 0.00]}\n1. H2-E2 {[%evaluation of mine: good]} "
                     "{[%eval here is open, [%clk 1]  tail} {[%eval "
                     "0.00]}\n*\n\n");
    end += sprintf(end, "[Red \"a\"]\n\n1. h2e2 {");
    for (int i = 0; i < TIMES; i++)
        end += sprintf(end, "%s", REPEATED);
    sprintf(end, "} *\n");
    assert_annotated(text, SAID, 0,
                     "{[%eval 0.00]}\n1. H2-E2 {[%eval 0.00]}\n*\n\n");
    free(text);
}

/* The whole game with what is said of it; the caller's. */
static char *annotated(const char *pgn, const char *const *said,
                       uint32_t out_of_book, const char *annotator)
{
    game_edit e = {0};
    pgn_buf b = {0};
    const pgn_style st = {.notation = PGN_ICCS};
    const annotate_options o = {
        .variation = 10, .annotator = annotator, .out_of_book = out_of_book};
    game_edit_copy(&e, game_of(pgn));
    analysis *v = say(said, e.g.plies + 1);
    analysis **better = calloc(e.g.plies + 1, sizeof *better);
    uint16_t *lost = calloc(e.g.plies + 1, sizeof *lost);
    assert_non_null(better);
    assert_non_null(lost);
    annotate_game(&e, v, better, &o, lost, &report);
    assert_false(e.failed);
    assert_int_equal(pgn_write_pgn(&e.g, &st, &b, NULL), XQ_OK);
    pgn_buf_add(&b, "", 1);
    free(better);
    free(lost);
    free(v);
    game_edit_free(&e);
    return b.s;
}

/* Whatever a user has written, a run is not to be told from the first one by
 * what earlier runs have left, also where engine and limit were others. */
static void an_earlier_run_leaves_nothing(void **state)
{
    static const char *const SAID[] = {"h2e2 0, h0g2 -900", "h9g7 -1500",
                                       "h0g2 0", "i9h9 -1500"};
    static const char *const OTHER[] = {"b2e2 0", "b9c7 10", "b0c2 900",
                                        "h9g7 0"};
    static const char *const NONE[] = {"-", "-", "-", "-"};
    static const char *const *const RUNS[] = {SAID, OTHER, NONE};
    static const char *const GAMES[] = {
        "[Red \"a\"]\n\n1. a3a4 h9g7 2. i0i1 *\n",
        /* a line, marks and a name that a run would write, too */
        "[Annotator \"Ju\"]\n\n1. a3a4 $4 $7 $146 (1. h2e2 {mine} 1... h9g7) "
        "1... h9g7 $6 2. i0i1 $2 {good} (2. h0g2) (2. b0c2 {[%eval 0.30]}) *\n",
        "[RedAccuracy \"12\"]\n[Annotator \"a / b\"]\n\n1. h2e2 $7 h9g7 $146 "
        "2. i0i1 $4 *\n",
    };
    (void)state;
    for (size_t g = 0; g < sizeof GAMES / sizeof *GAMES; g++)
        for (int first = 0; first < 3; first++)
            for (int second = 0; second < 3; second++) {
                char *once =
                    annotated(GAMES[g], RUNS[first], 2, "Fish, 3 nodes");
                char *twice = annotated(once, RUNS[second], 3, "qipu");
                char *fresh = annotated(GAMES[g], RUNS[second], 3, "qipu");
                char *again = annotated(twice, RUNS[second], 3, "qipu");
                assert_string_equal(again, twice);
                /* the tags' order aside */
                assert_string_equal(strstr(twice, "\n\n"),
                                    strstr(fresh, "\n\n"));
                assert_int_equal(strlen(twice), strlen(fresh));
                free(once);
                free(twice);
                free(fresh);
                free(again);
            }
}

/* What a user does to what we have written is his. */
static void a_line_that_was_commented_stays(void **state)
{
    static const char *const SAID[] = {"h2e2 0", "h9g7 -1500"};
    static const char *const OTHER[] = {"a3a4 0", "h9g7 0"};
    (void)state;
    char *once = annotated("[Red \"a\"]\n\n1. a3a4 *\n", SAID, 0, "qipu");
    char *at = strstr(once, "(1. H2-E2 {[%eval");
    assert_non_null(at);
    memcpy(at, "(1. H2-E2 {[%oval", 17);
    char *twice = annotated(once, OTHER, 0, "qipu");
    assert_non_null(
        strstr(twice, "\n1. A3-A4 {[%eval 0.00]} (1. H2-E2 {[%oval"));
    free(once);
    free(twice);
}

/* A tag that others have written leads nowhere. */
static void records_may_be_wrong(void **state)
{
    static const char *const SAID[] = {"h2e2 0", "h9g7 0"};
    static const char *const TAGS[] = {
        "9$4; x",   "1$; x",      "$4", ";",     "; ",        "1$4 0$2; y",
        "2$4 1$4;", "1zzzz 1$99", "1",  "1$4$4", "1h2e2h2e2", "99999999999$4",
    };
    (void)state;
    for (size_t i = 0; i < sizeof TAGS / sizeof *TAGS; i++) {
        char pgn[200];
        snprintf(pgn, sizeof pgn,
                 "[AnnotatorAdded \"%s\"]\n\n1. h2e2 $2 (1. a3a4) *\n",
                 TAGS[i]);
        char *text = annotated(pgn, SAID, 0, "qipu");
        assert_non_null(
            strstr(text, "\n1. H2-E2 $2 {[%eval 0.00]} (1. A3-A4)"));
        free(text);
    }
}

static void assert_annotator(const char *tags, const char *want)
{
    game_edit e = {0};
    char pgn[200];
    static const char *const SAID[] = {"h2e2 12", "h9g7 -30"};
    const annotate_options o = {.annotator = "qipu"};
    snprintf(pgn, sizeof pgn, "%s\n1. h2e2 *\n", tags);
    game_edit_copy(&e, game_of(pgn));
    analysis *v = say(SAID, 2), *better[2] = {NULL, NULL};
    uint16_t lost[1];
    annotate_game(&e, v, better, &o, lost, &report);
    assert_false(e.failed);
    const xq_str got = pgn_game_tag(&e.g, "Annotator");
    assert_int_equal(got.n, strlen(want));
    assert_memory_equal(got.s, want, got.n);
    free(v);
    game_edit_free(&e);
}

static void who_annotated_before_is_not_forgotten(void **state)
{
    (void)state;
    assert_annotator("[Red \"a\"]\n", "qipu");
    assert_annotator("[Annotator \"Ju\"]\n", "Ju / qipu");
    assert_annotator("[Annotator \"\"]\n", "qipu");
    assert_annotator("[Annotator \"a / b\"]\n", "a / b / qipu");
#define ADDED "[AnnotatorAdded \"; Fish; 3\"]\n"
    assert_annotator(ADDED "[Annotator \"Fish; 3\"]\n", "qipu");
    assert_annotator(ADDED "[Annotator \"Ju / Fish; 3\"]\n", "Ju / qipu");
    assert_annotator(ADDED "[Annotator \"Jane\"]\n", "Jane / qipu");
    assert_annotator(ADDED "[Annotator \"Big Fish; 3\"]\n",
                     "Big Fish; 3 / qipu");
#undef ADDED
}

static void scores_have_one_text(void **state)
{
    static const struct {
        analysis_score s;
        xq_side side;
        const char *text;
    } T[] = {
        {{false, 30}, XQ_RED, "0.30"}, {{false, -5}, XQ_BLACK, "-0.05"},
        {{false, 0}, XQ_RED, "0.00"},  {{false, -1205}, XQ_RED, "-12.05"},
        {{true, 3}, XQ_RED, "#3"},     {{true, -2}, XQ_RED, "#-2"},
        {{true, 0}, XQ_BLACK, "#0"},   {{true, 0}, XQ_RED, "#-0"},
    };
    char text[ANALYSIS_TEXT];
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        analysis_text(T[i].s, T[i].side, text);
        assert_string_equal(text, T[i].text);
    }
    /* the mover's +0.30 after ply 1 is Black's: S76 */
    assert_int_equal(analysis_cp(30, XQ_BLACK).value, -30);
    assert_int_equal(analysis_mate(2, XQ_BLACK).value, -2);
    assert_int_equal(analysis_of_search(XQ_MATE_IN(3), XQ_RED).value, 2);
    assert_int_equal(analysis_of_search(-XQ_MATE_IN(4), XQ_RED).value, -2);
    assert_int_equal(analysis_of_search(XQ_RULE_IN(5), XQ_RED).value,
                     XQ_EVAL_MAX);
}

static int close_reader(void **state)
{
    (void)state;
    pgn_reader_close(reader);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_position_gets_its_evaluation_from_reds_view),
        cmocka_unit_test(marks_follow_the_chances_lost),
        cmocka_unit_test(what_loses_chances_is_marked_and_bettered),
        cmocka_unit_test(what_seems_to_lose_is_compared_with_the_better_move),
        cmocka_unit_test(only_doubtful_moves_are_asked_about_twice),
        cmocka_unit_test(the_best_move_is_never_marked),
        cmocka_unit_test(no_marks_between_mates),
        cmocka_unit_test(a_missed_mate_is_marked_however_good_the_rest),
        cmocka_unit_test(mates_are_mended_from_the_end),
        cmocka_unit_test(the_other_wing_is_as_good),
        cmocka_unit_test(the_only_move_and_the_first_out_of_book),
        cmocka_unit_test(what_failed_is_said_and_not_judged),
        cmocka_unit_test(comments_and_variations_stay),
        cmocka_unit_test(words_that_look_like_commands_stay),
        cmocka_unit_test(an_earlier_run_leaves_nothing),
        cmocka_unit_test(a_line_that_was_commented_stays),
        cmocka_unit_test(records_may_be_wrong),
        cmocka_unit_test(who_annotated_before_is_not_forgotten),
        cmocka_unit_test(scores_have_one_text),
    };
    return cmocka_run_group_tests(tests, NULL, close_reader);
}
