/* test_manifest.c - `qipu verify` on every file of ../shared against what its
 * manifest says: games, plies, faulty games, memory.
 *
 * The manifest counts what is written, verify what is kept: behind a fault
 * nothing is.  So a row agrees when games are the same, and plies are but for
 * those behind faults.  Every file with a fault is named below, with how many
 * games are faulty and how many plies they cost; every other one must be
 * without.  The totals of each kind are printed. */
#include "libpgn/reader.h"
#include "tests/unit/shared_util.h"
#include "tools/cmd.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* ---- the command, in a process of its own ---- */

struct answer {
    unsigned long games, faulty, plies;
    int status;
    long kib; /* peak memory */
};

static unsigned long number(const char *line, const char *field)
{
    const char *p = strstr(line, field);
    if (!p)
        fail_msg("no %s in %s", field, line);
    return strtoul(p + strlen(field), NULL, 10);
}

/* qipu verify --json PATH; messages go nowhere. */
static int child(const char *path, int out)
{
    static const struct cli_cmd SELF = {.name = "verify", .run = cmd_verify};
    char *args[] = {strdup("--json"), strdup("--"), strdup(path), NULL};
    const int none = open("/dev/null", O_WRONLY);
    if (none < 0 || dup2(out, 1) < 0 || dup2(none, 2) < 0)
        return 127;
    return cmd_verify(&SELF, 3, args);
}

static struct answer verify(const char *path)
{
    struct answer a = {0};
    int ends[2], status;
    struct rusage u;
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    const pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(ends[0]);
        _exit(child(path, ends[1]));
    }
    close(ends[1]);
    FILE *f = fdopen(ends[0], "r");
    char *line = NULL;
    size_t cap = 0;
    assert_non_null(f);
    while (getline(&line, &cap, f) >= 0)
        if (starts(line, "{\"summary\"")) {
            a.games = number(line, "\"games\":");
            a.faulty = number(line, "\"faulty\":");
            a.plies = number(line, "\"plies\":");
        }
    free(line);
    fclose(f);
    assert_int_equal(wait4(pid, &status, 0, &u), pid);
    if (!WIFEXITED(status))
        fail_msg("%s: signal %d", path, WTERMSIG(status));
    a.status = WEXITSTATUS(status);
    a.kib = u.ru_maxrss;
    return a;
}

/* ---- what is faulty ---- */

struct known {
    const char *path;
    unsigned faulty;
    long behind; /* plies that the manifest counts and verify does not */
};

/* clang-format off */
static const struct known KNOWN[] = {
    /* 44 illegal moves, of which anomalies.tsv has 43 and the last one takes
     * a king; 2 FENs without both kings */
    {"movelist/niu2x-chinese-qipu.tar.gz", 46, 418},
    {"movelist/elephantchess/uci.txt.gz", 4, 0}, /* counted as kept */
    /* CCPD, as anomalies.tsv: an illegal last move is not counted; FENs
     * without a king */
    {"pgn/ccpd/ccpd-computer.pgn.gz", 3, 0},
    {"pgn/ccpd/ccpd-event-other.pgn.gz", 1, 0},
    {"pgn/ccpd/ccpd-midgame.pgn.gz", 3, 11},
    {"pgn/ccpd/ccpd-opening.pgn.gz", 5, 142},
    /* six of those games again */
    {"pgn/ccpd/raw/computer/00000011.pgn", 1, 0},
    {"pgn/ccpd/raw/computer/00000019.pgn", 1, 0},
    {"pgn/ccpd/raw/computer/00000048.pgn", 1, 0},
    {"pgn/ccpd/raw/event-other/00000753.pgn", 1, 0},
    {"pgn/ccpd/raw/midgame/00002173.pgn", 1, 0},
    {"pgn/ccpd/raw/midgame/00002680.pgn", 1, 0},
    /* the manifest's checker stopped at 25 pawn moves that fit two pawns by
     * the piece's letter ("64662+"): none is faulty */
    {"pgn/winboard/mrxq/game01.pgn.gz", 0, -1509},
    /* a move leaves the king in check, or the kings face each other: the
     * solution of an endgame that fails */
    {"cbl/chess2.0/endgames/JZMC.CBL", 1, 0},
    {"cbl/chess2.0/endgames/TLYJC.CBL", 5, 0},
    {"cbl/chess2.0/endgames/cjgs.CBL", 1, 0},
    {"cbl/chess2.0/endgames/sqyq.CBL", 2, 0},
    /* illegal moves in variations only, which the manifest does not tell */
    {"xqf/hbsxcjp/棋谱文件/疑难文件.xqf/中炮【马8进7】.XQF", 1, 0},
    {"xqf/hbsxcjp/棋谱文件/疑难文件.xqf/中炮对屏风马.XQF", 1, 0},
    {"xqf/hbsxcjp/棋谱文件/疑难文件.xqf/"
     "仙人指路全集（史上最全最新版）.XQF", 1, 0},
    {"xqf/hbsxcjp/棋谱文件/疑难文件.xqf/黑用开局库.XQF", 1, 0},
    {"xqf/walker8088-ChessQ-gamebooks.tar.gz", 1, 0},
    {"xqf/walker8088-cchess/WildHouse.xqf", 1, 0},
    {"xqf/zfdang-raw/仙人指路全集（史上最全最新版）.xqf/"
     "仙人指路全集（史上最全最新版）.xqf", 1, 0},
    /* anomalies.tsv (test_anomalies.c goes through it row by row): boards
     * without kings, illegal moves, files cut at their root; the rest is
     * variations again */
    {"xqf/zfdang-ancient-books.tar.gz", 6 + 7, 21},
    {"xqf/zfdang-big-trees.tar.gz", 1 + 2, 18},
    {"xqf/zfdang-collections.tar.gz", 18 + 11 + 7 + 4, 155},
    {"xqf/zfdang-dacidian-6655.tar.gz", 7 + 2 + 9, 216},
};

/* Files for which the manifest gives no number of games. */
static const struct {
    const char *path;
    unsigned long games, plies, faulty;
} UNCOUNTED[] = {
    {"cbf/sample_22_ccbridge.cbf.gz", 1, 45, 1}, /* in a variation */
    {"cbl/sample_21_MeiHuaPu.cbl", 47, 1970, 0},
    {"cbr/sample_23_ccbridge.cbr", 1, 45, 1}, /* the same game */
    {"epd/chessq/基本杀法.eglib", 321, 0, 0}, /* positions */
    /* kings face each other, six times, or are left in check */
    {"epd/chessq/杀局谱.eglib", 6043, 146541, 8},
    {"epd/chessq/梦入神机杀局.eglib", 135, 1971, 0},
    {"epd/chessq/车马专集.eglib", 575, 13098, 0},
    {"epd/chessq/适情雅趣360.eglib", 475, 6078, 0},
    {"epd/xqwlight/FUNNY.EPD", 240, 0, 0},
    {"other/xqr/1.xqr", 1, 543, 0},
    {"other/zfdang-samples/sample_04x.txt", 1, 45, 0},
    {"other/zfdang-samples/sample_08_movesky.mxq", 1, 68, 0},
    {"other/zfdang-samples/sample_10_17pk.CCM", 1, 100, 0},
    {"other/zfdang-samples/sample_11_ourgame-chess.chn", 1, 45, 0},
    {"other/zfdang-samples/sample_12x_ourgame-chess.txt", 1, 44, 0},
    {"other/zfdang-samples/sample_13_ourgame-chess.xqi", 1, 44, 0},
    /* formats.md 6.7: ply 61 leaves the king en prise */
    {"other/zfdang-samples/sample_14_QQchess.che", 1, 60, 1},
    {"other/zfdang-samples/sample_31_pengfei.pfc", 1, 3, 0},
    {"other/zfdang-samples/sample_32_xiexieXiangqi.xgf", 1, 53, 0},
    {"other/zfdang-samples/sample_41_fen.fen", 2, 0, 0},
    /* letters of marked squares and hidden pieces: refused by name */
    {"other/zfdang-samples/sample_42_xfen.xfen", 2, 0, 2},
    {"pgn/misc/zfdang/sample_01x_gmchess.pgn", 1, 37, 0},
    {"pgn/misc/zfdang/sample_02_pgn.pgn", 1, 45, 0},
    {"pgn/misc/zfdang/sample_03_pgn.pgn", 1, 131, 0},
    {"pgn/wukong/games.pgn", 15, 1378, 0}, /* as bulk_games_uci.pgn */
    {"wxf/xiangqi-setup/demo.wxf", 1, 0, 0},
    {"xqf/zfdang-raw/sample_07_XQStudio.xqf", 1, 33, 0},
};
/* clang-format on */

/* What the row's own note says of its one game (XQF): "PARSE truncated",
 * "kings K=0 k=1", "ply 12 e8f8: leaves king in check".  Returns how many
 * plies of it are kept, -1 when nothing is wrong. */
static long kept_by_note(const struct table *t, unsigned long plies)
{
    const char *note = t->col[ROW_NOTE];
    unsigned long ply;
    if (!starts(t->col[ROW_FORMAT], "XQF v"))
        return -1;
    if (starts(note, "PARSE truncated") || starts(note, "kings "))
        return 0;
    if (sscanf(note, "ply %lu ", &ply) == 1 && ply >= 1 && ply <= plies)
        return (long)ply - 1;
    assert_string_equal(note, "");
    return -1;
}

/* ---- totals ---- */

struct total {
    char kind[20];
    unsigned long files, games, plies, faulty, behind;
};

static struct total *total_of(struct total all[20], const char *path)
{
    const size_t n = strcspn(path, "/");
    struct total *t = all;
    assert_true(n < sizeof t->kind);
    while (t->kind[0] && strncmp(t->kind, path, n) != 0)
        t++;
    assert_true(t < all + 20);
    memcpy(t->kind, path, n);
    return t;
}

static void print_totals(const struct total *t)
{
    print_message("%-10s %6s %8s %9s %7s %7s\n", "kind", "files", "games",
                  "plies", "faulty", "behind");
    for (; t->kind[0]; t++)
        print_message("%-10s %6lu %8lu %9lu %7lu %7ld\n", t->kind, t->files,
                      t->games, t->plies, t->faulty, (long)t->behind);
}

/* ---- the rows ---- */

struct want {
    unsigned long games, plies, faulty;
    bool any_plies;
    long behind;
};

/* What verify must say of the row; marks the names that were used. */
static struct want wanted(const struct table *t, bool *known, bool *uncounted)
{
    const char *path = t->col[ROW_PATH];
    struct want w = {.games = strtoul(t->col[ROW_GAMES], NULL, 10),
                     .plies = strtoul(t->col[ROW_PLIES], NULL, 10),
                     .any_plies = !*t->col[ROW_PLIES]};
    const long kept = kept_by_note(t, w.plies);
    for (size_t i = 0; i < COUNT_OF(UNCOUNTED); i++)
        if (strcmp(UNCOUNTED[i].path, path) == 0) {
            assert_string_equal(t->col[ROW_GAMES], "");
            uncounted[i] = true;
            return (struct want){.games = UNCOUNTED[i].games,
                                 .plies = UNCOUNTED[i].plies,
                                 .faulty = UNCOUNTED[i].faulty};
        }
    for (size_t i = 0; i < COUNT_OF(KNOWN); i++)
        if (strcmp(KNOWN[i].path, path) == 0) {
            known[i] = true;
            w.faulty = KNOWN[i].faulty;
            w.behind = KNOWN[i].behind;
        }
    if (kept >= 0) {
        w.faulty = 1;
        w.behind = (long)w.plies - kept;
        w.any_plies = false;
    }
    w.plies -= (unsigned long)w.behind;
    return w;
}

static void every_file_as_the_manifest_says(void **state)
{
    struct table t = table_open("manifest.tsv");
    struct total totals[20] = {{{0}, 0, 0, 0, 0, 0}};
    bool known[COUNT_OF(KNOWN)] = {0}, uncounted[COUNT_OF(UNCOUNTED)] = {0};
    unsigned long rows = 0, counted = 0;
    long most = 0;
    char path[4000], largest[4000] = "";
    (void)state;
    while (table_next(&t)) {
        const char *rel = t.col[ROW_PATH];
        rows++;
        if (!is_of_games(rel)) {
            assert_string_equal(t.col[ROW_GAMES], "");
            continue;
        }
        const struct want w = wanted(&t, known, uncounted);
        const struct answer a = verify(shared_path(rel, path));
        if (a.games != w.games || a.faulty != w.faulty ||
            (!w.any_plies && a.plies != w.plies) || a.status != (a.faulty > 0))
            fail_msg("%s: %lu games, %lu faulty, %lu plies, status %d; want "
                     "%lu, %lu, %lu",
                     rel, a.games, a.faulty, a.plies, a.status, w.games,
                     w.faulty, w.plies);
        struct total *sum = total_of(totals, rel);
        sum->files++;
        sum->games += a.games;
        sum->plies += a.plies;
        sum->faulty += a.faulty;
        sum->behind += (unsigned long)w.behind;
        counted += *t.col[ROW_GAMES] != 0;
        if (a.kib > most) {
            most = a.kib;
            snprintf(largest, sizeof largest, "%s", rel);
        }
    }
    table_close(&t);
    for (size_t i = 0; i < COUNT_OF(KNOWN); i++)
        if (!known[i])
            fail_msg("%s is not in the manifest", KNOWN[i].path);
    for (size_t i = 0; i < COUNT_OF(UNCOUNTED); i++)
        if (!uncounted[i])
            fail_msg("%s is not in the manifest", UNCOUNTED[i].path);
    print_totals(totals);
    print_message("rows %lu, with a number of games %lu; most memory %ld KiB: "
                  "%s\n",
                  rows, counted, most, largest);
    assert_int_equal(total_of(totals, "cbl/")->games, 7964);
    assert_int_equal(total_of(totals, "movelist/")->games +
                         total_of(totals, "csv/")->games,
                     15952);
    /* 20,406 in archives, and 230 files, 73 of them copies of members or
     * without a count */
    assert_int_equal(total_of(totals, "xqf/")->games - 73, 20563);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    assert_true(most < 64L << 10);
#endif
}

/* "trees hold 195967 nodes" is a row's note: all of them are read, but for
 * those behind the faults of the games that KNOWN counts. */
static void trees_as_the_manifest_notes(void **state)
{
    static const struct {
        const char *path;
        unsigned long behind;
    } BEHIND[] = {
        {"xqf/zfdang-ancient-books.tar.gz", 59},
        {"xqf/zfdang-big-trees.tar.gz", 322},
        {"xqf/zfdang-collections.tar.gz", 211},
        {"xqf/zfdang-dacidian-6655.tar.gz", 693},
    };
    struct table t = table_open("manifest.tsv");
    unsigned rows = 0;
    (void)state;
    while (table_next(&t)) {
        const char *note = strstr(t.col[ROW_NOTE], "trees hold ");
        unsigned long nodes = 0, want = 0;
        char path[4000];
        pgn_reader *r = NULL;
        const pgn_game *g;
        if (!note || sscanf(note, "trees hold %lu nodes", &want) != 1)
            continue;
        for (size_t i = 0; i < COUNT_OF(BEHIND); i++)
            if (strcmp(BEHIND[i].path, t.col[ROW_PATH]) == 0)
                want -= BEHIND[i].behind;
        shared_path(t.col[ROW_PATH], path);
        assert_int_equal(pgn_reader_open(&r, path, NULL, NULL), XQ_OK);
        while (pgn_reader_next(r, &g, NULL) == XQ_OK)
            nodes += g->nnodes - 1; /* the root has no move */
        pgn_reader_close(r);
        if (nodes != want)
            fail_msg("%s: %lu nodes, want %lu", t.col[ROW_PATH], nodes, want);
        rows++;
    }
    table_close(&t);
    assert_int_equal(rows, 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_as_the_manifest_says),
        cmocka_unit_test(trees_as_the_manifest_notes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
