/* test_referee_collections.c - the referee against those who judged real games:
 * WinBoard's adjudications of engine games and a playing site's endings, in
 * ../shared/data (QIPU_SHARED names another place; skipped, saying so, where
 * they are absent).
 *
 * Neither is the rule book.  What is asserted is how often they agree, and
 * that each disagreement has a reason that the articles give.  QIPU_SLOW=1
 * prints both tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/referee.h"
#include "libpgn/reader.h"
#include "tools/referee_text.h"
#include "tools/rulings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool verbose(void) { return getenv("QIPU_SLOW") != NULL; }

static void path_of(const char *rel, char out[1000])
{
    const char *s = getenv("QIPU_SHARED");
    snprintf(out, 1000, "%s/data/%s", s ? s : "../shared", rel);
    FILE *f = fopen(out, "r");
    if (!f) {
        print_message("%s is absent: skipped\n", out);
        skip();
    }
    fclose(f);
}

static bool has_text(xq_str s, const char *part)
{
    const size_t n = strlen(part);
    for (size_t i = 0; i + n <= s.n; i++)
        if (memcmp(s.s + i, part, n) == 0)
            return true;
    return false;
}

/* ---- why a side is no perpetual chaser ---- */

/* What the Asian rules say of a ply of a side that somebody took for a
 * perpetual chaser. */
enum why {
    IS_CHASE,    /* a chase it is */
    IS_CHECK,    /* a check: the window is mixed (A-24, U-3) */
    LEFT,        /* an attack is new, and left standing */
    AFTER_CHECK, /* answers a check; what it attacks it attacked before (A-11,
                    that it was in check does not matter) */
    NOTHING,     /* attacks nothing anew */
    WHYS
};
static const char *const WHY[WHYS] = {
    "chase",
    "check A-24",
    "left standing A-12",
    "answers a check, nothing new A-11",
    "nothing new A-11",
};

static enum why why_of(const xq_ply *p)
{
    if (p->nature == XQ_CHECK)
        return IS_CHECK;
    if (p->nature == XQ_CHASE)
        return IS_CHASE;
    if (p->count)
        return LEFT;
    return p->traits & XQ_TRAIT_ANSWERS_CHECK ? AFTER_CHECK : NOTHING;
}

/* Of the plies of side s in the window of a ruling, how many are what. */
static void explain(const xq_profile *pr, const pgn_game *g, const xq_ruling *r,
                    xq_side s, unsigned count[WHYS])
{
    xq_pos first = g->start;
    const uint32_t begin = r->from_ply - 1, n = r->to_ply - begin;
    memset(count, 0, WHYS * sizeof *count);
    for (uint32_t i = 0; i < begin; i++)
        xq_pos_make(&first, g->main[i], NULL);
    for (uint32_t i = first.side == s ? 0 : 1; i < n; i += 2) {
        xq_ply ply;
        xq_explain_ply(pr, &first, g->main + begin, n, i, &ply);
        count[why_of(&ply)]++;
    }
}

/* ---- WinBoard: "Xboard adjudication: perpetual chasing" ---- */

enum { ARTICLES = 40 };

struct tally {
    unsigned games, agree, draw, opposite, none;
    unsigned unexplained;
    /* by article: how often it decides, as the adjudicator and otherwise */
    struct {
        char no[8];
        unsigned agree, differ;
    } by[ARTICLES];
};

static void count_article(struct tally *t, const char *no, bool agree)
{
    size_t i = 0;
    while (t->by[i].no[0] && strcmp(t->by[i].no, no) != 0)
        i++;
    assert_true(i + 1 < ARTICLES);
    snprintf(t->by[i].no, sizeof t->by[i].no, "%s", no);
    if (agree)
        t->by[i].agree++;
    else
        t->by[i].differ++;
}

static bool is_adjudicated(const pgn_game *g)
{
    for (uint32_t i = 1; i < g->nnotes; i++)
        if (has_text(g->notes[i].text, "perpetual chasing"))
            return true;
    return false;
}

/* The ruling that the game ends with, or its first one. */
static xq_ruling ruling_on(rulings *r, const xq_profile *pr, const pgn_game *g)
{
    ruling_run run;
    assert_true(rulings_begin(r, pr, g));
    if (rulings_at_end(r, &run))
        return run.ruling;
    assert_true(rulings_begin(r, pr, g));
    rulings_next(r, &run);
    return run.ruling;
}

static void print_moves(const pgn_game *g, const xq_ruling *r)
{
    xq_pos p = g->start;
    char fen[XQ_FEN_MAX], move[5];
    for (uint32_t i = 0; i + 1 < r->from_ply; i++)
        xq_pos_make(&p, g->main[i], NULL);
    xq_fen_format(&p, fen);
    print_message("      %s |", fen);
    for (uint32_t i = r->from_ply - 1; i < r->to_ply; i++) {
        xq_move_format(g->main[i], move);
        print_message(" %s", move);
    }
    print_message("\n");
}

static void print_difference(const pgn_game *g, const xq_ruling *r,
                             const unsigned why[WHYS], xq_side loser)
{
    print_message(
        "   game %u: %s was to lose; %s by %s; its moves:", (unsigned)g->number,
        ref_side(loser, REF_EN), ref_outcome(r->outcome, REF_EN), r->article);
    for (int w = 0; w < WHYS; w++)
        if (why[w])
            print_message(" %u %s;", why[w], WHY[w]);
    print_message("\n");
    print_moves(g, r);
}

static void compare(struct tally *t, rulings *r, const xq_profile *pr,
                    const pgn_game *g)
{
    const xq_side loser = g->result == PGN_RED_WINS ? XQ_BLACK : XQ_RED;
    const xq_outcome due = loser == XQ_RED ? XQ_RED_LOSES : XQ_BLACK_LOSES;
    const xq_ruling ruling = ruling_on(r, pr, g);
    unsigned why[WHYS];
    t->games++;
    count_article(t, ruling.article, ruling.outcome == due);
    if (ruling.outcome == due) {
        t->agree++;
        return;
    }
    if (ruling.outcome == XQ_DRAW)
        t->draw++;
    else if (ruling.outcome == XQ_NO_VERDICT)
        t->none++;
    else
        t->opposite++;
    if (pr->rules == XQ_CXA)
        return; /* another book: any side without an idle move may lose */
    assert_int_equal(ruling.ending, XQ_REPEATED);
    explain(pr, g, &ruling, loser, why);
    t->unexplained +=
        !why[IS_CHECK] && !why[LEFT] && !why[AFTER_CHECK] && !why[NOTHING];
    if (verbose())
        print_difference(g, &ruling, why, loser);
}

static struct tally compare_file(const char *rel, xq_ruleset rules)
{
    struct tally t = {.games = 0};
    xq_profile pr;
    rulings r = {0};
    pgn_reader *reader = NULL;
    const pgn_game *g;
    xq_err err = {.msg = ""};
    char path[1000];
    path_of(rel, path);
    xq_profile_init(&pr, rules);
    xq_status rc = pgn_reader_open(&reader, path, NULL, &err);
    while (rc == XQ_OK && (rc = pgn_reader_next(reader, &g, &err)) == XQ_OK)
        if (is_adjudicated(g))
            compare(&t, &r, &pr, g);
    pgn_reader_close(reader);
    rulings_free(&r);
    if (rc != XQ_DONE)
        fail_msg("%s: %s", rel, err.msg);
    return t;
}

static void print_tally(const char *what, const struct tally *t)
{
    if (!verbose())
        return;
    print_message("%s: %u games, %u as adjudicated, %u draws, %u the other "
                  "side loses, %u no verdict\n",
                  what, t->games, t->agree, t->draw, t->opposite, t->none);
    for (size_t i = 0; t->by[i].no[0]; i++)
        print_message("   %-5s  as adjudicated %3u  otherwise %3u\n",
                      t->by[i].no, t->by[i].agree, t->by[i].differ);
}

#define MRXQ "pgn/winboard/mrxq/game01.pgn.gz"

/* All disagreements are draws: the side that was to lose answers checks, and
 * WinBoard takes what it attacks then for new attacks. */
static void winboards_chasers_lose_by_asian_rules(void **state)
{
    const struct tally t = compare_file(MRXQ, XQ_ASIAN);
    (void)state;
    print_tally("WinBoard, Asian rules", &t);
    assert_int_equal(t.games, 682);
    assert_int_equal(t.agree, 641);
    assert_int_equal(t.draw, 41);
    assert_int_equal(t.opposite + t.none, 0);
    assert_int_equal(t.unexplained, 0);
}

/* By the Chinese rules threats of mate, and checks mixed with chases, are
 * forbidden as well, and some windows stay undecided. */
static void winboards_chasers_mostly_lose_by_chinese_rules(void **state)
{
    const struct tally t = compare_file(MRXQ, XQ_CXA);
    (void)state;
    print_tally("WinBoard, Chinese rules", &t);
    assert_int_equal(t.games, 682);
    assert_true(t.agree > 500);
}

/* ---- elephantchess.io: how its games ended ---- */

struct ending {
    const char *status;
    unsigned games, as_result, against, none;
};

static struct ending ENDINGS[] = {
    {"CHECKMATED", 0, 0, 0, 0},
    {"STALEMATED", 0, 0, 0, 0},
    {"PERPETUAL_CHECKING", 0, 0, 0, 0},
    {"RESIGNED", 0, 0, 0, 0},
    {"FLAGGED", 0, 0, 0, 0},
    {"DRAW_ACCEPTED", 0, 0, 0, 0},
    {"JOINED", 0, 0, 0, 0},
};
enum { STATUSES = sizeof ENDINGS / sizeof *ENDINGS };

static struct ending *ending_of(const pgn_game *g)
{
    const xq_str status = pgn_game_tag(g, "Termination");
    for (size_t i = 0; i < STATUSES; i++)
        if (xq_str_eq(status, xq_str_of(ENDINGS[i].status)))
            return &ENDINGS[i];
    fail_msg("unknown status '%.*s'", (int)status.n, status.s);
    return NULL;
}

/* How the first ruling of a game compares with its result. */
static void compare_ending(rulings *r, const xq_profile *pr, const pgn_game *g)
{
    struct ending *e = ending_of(g);
    ruling_run run;
    e->games++;
    assert_true(rulings_begin(r, pr, g));
    if (!rulings_next(r, &run)) {
        e->none++;
        return;
    }
    const bool as_result = rulings_result(run.ruling.outcome) == g->result;
    if (as_result)
        e->as_result++;
    else
        e->against++;
    if (verbose() && run.ruling.ending == XQ_REPEATED) {
        print_message(
            "   game %u, %s, %s: %s by %s after ply %u of %u\n",
            (unsigned)g->number, e->status, pgn_result_text(g->result),
            ref_outcome(run.ruling.outcome, REF_EN), run.ruling.article,
            (unsigned)run.ruling.to_ply, (unsigned)g->plies);
        print_moves(g, &run.ruling);
    }
}

/* Mates and stalemates as the site has them.  Of its two "perpetual checking"
 * one is a perpetual check; in the other no position stands three times, only
 * checks follow each other (R-02: no verdict). */
static void a_sites_endings_are_ours(void **state)
{
    pgn_reader *reader = NULL;
    const pgn_game *g;
    xq_profile pr;
    rulings r = {0};
    xq_err err = {.msg = ""};
    char path[1000];
    (void)state;
    path_of("csv/elephantchess/pvp_game_moves_xiangqi_059.csv.gz", path);
    xq_profile_init(&pr, XQ_ASIAN);
    xq_status rc = pgn_reader_open(&reader, path, NULL, &err);
    while (rc == XQ_OK && (rc = pgn_reader_next(reader, &g, &err)) == XQ_OK)
        compare_ending(&r, &pr, g);
    pgn_reader_close(reader);
    rulings_free(&r);
    assert_int_equal(rc, XQ_DONE);
    for (size_t i = 0; verbose() && i < STATUSES; i++)
        print_message("%-18s  %3u games: %3u as the result, %u against, %u no "
                      "ruling\n",
                      ENDINGS[i].status, ENDINGS[i].games, ENDINGS[i].as_result,
                      ENDINGS[i].against, ENDINGS[i].none);
    assert_int_equal(ENDINGS[0].games, 86);
    assert_int_equal(ENDINGS[0].as_result, 86);
    assert_int_equal(ENDINGS[1].games, 2);
    assert_int_equal(ENDINGS[1].as_result, 2);
    assert_int_equal(ENDINGS[2].as_result, 1);
    assert_int_equal(ENDINGS[2].none, 1);
    for (size_t i = 5; i < STATUSES; i++)
        assert_int_equal(ENDINGS[i].none, ENDINGS[i].games);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(winboards_chasers_lose_by_asian_rules),
        cmocka_unit_test(winboards_chasers_mostly_lose_by_chinese_rules),
        cmocka_unit_test(a_sites_endings_are_ours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
