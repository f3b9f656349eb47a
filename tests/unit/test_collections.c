/* test_collections.c - whole collections of real games against what is known
 * of them: ../shared/data/manifest.tsv (QIPU_SHARED names another place).
 * Skipped, saying so, where they are absent. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libpgn/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *shared(void)
{
    const char *s = getenv("QIPU_SHARED");
    return s ? s : "../shared";
}

/* The collections, or the test is skipped. */
static FILE *manifest(void)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/data/manifest.tsv", shared());
    FILE *f = fopen(path, "r");
    if (!f) {
        print_message("%s is absent: skipped\n", path);
        skip();
    }
    return f;
}

struct counts {
    uint64_t games, faulty, warnings, plies, dropped;
    uint64_t refused, illegal, odd, other; /* by kind of error, odd FENs */
};

/* Moves that are written behind a refused FEN: what the manifest counts. */
static void count_game(struct counts *c, const pgn_game *g)
{
    c->games++;
    c->plies += g->plies;
    c->faulty += g->faulty;
    for (uint32_t i = 0; i < g->nproblems; i++) {
        const pgn_problem *p = &g->problems[i];
        if (p->level == PGN_WARNING) {
            c->warnings++;
            c->odd += p->kind == PGN_P_FEN;
        } else if (p->kind == PGN_P_FEN) {
            c->refused++;
        } else if (p->kind == PGN_P_ILLEGAL) {
            c->illegal++;
        } else {
            c->other++;
        }
    }
}

static void count_file(const char *rel, struct counts *c)
{
    char path[2000];
    pgn_reader *r = NULL;
    const pgn_game *g = NULL;
    xq_err err = {.msg = ""};
    snprintf(path, sizeof path, "%s/data/%s", shared(), rel);
    xq_status rc = pgn_reader_open(&r, path, NULL, &err);
    while (rc == XQ_OK && (rc = pgn_reader_next(r, &g, &err)) == XQ_OK)
        count_game(c, g);
    pgn_reader_close(r);
    if (rc != XQ_DONE)
        fail_msg("%s: %s", rel, err.msg);
}

/* Columns 1, 4 and 5 of a row: path, games, plies (0: not said). */
static bool row(FILE *f, char *path, unsigned long *games, unsigned long *plies)
{
    char line[4000];
    if (!fgets(line, sizeof line, f))
        return false;
    char none[] = "", *col[6] = {line, none, none, none, none, none};
    int n = 1;
    for (char *p = line; *p && n < 6; p++)
        if (*p == '\t') {
            *p = 0;
            col[n++] = p + 1;
        }
    strcpy(path, col[0]);
    *games = strtoul(col[3], NULL, 10);
    *plies = strtoul(col[4], NULL, 10);
    return true;
}

/* CCPD: 41,959 games in Big5, 12 of them faulty.  Six start without a king:
 * their 153 written plies are counted by the manifest, and are not kept. */
static void ccpd(void **state)
{
    FILE *f = manifest();
    char path[4000];
    unsigned long games, plies, in_manifest = 0;
    struct counts all = {0};
    (void)state;
    while (row(f, path, &games, &plies)) {
        if (strncmp(path, "pgn/ccpd/ccpd-", 14) != 0)
            continue;
        struct counts c = {0};
        count_file(path, &c);
        if (c.games != games || (!c.refused && c.plies != plies))
            fail_msg("%s: %lu games, %lu plies; want %lu, %lu", path,
                     (unsigned long)c.games, (unsigned long)c.plies, games,
                     plies);
        in_manifest += plies;
        all.games += c.games;
        all.plies += c.plies;
        all.faulty += c.faulty;
        all.refused += c.refused;
        all.illegal += c.illegal;
        all.other += c.other;
        all.odd += c.odd;
    }
    fclose(f);
    assert_int_equal(all.games, 41959);
    assert_int_equal(in_manifest, 3383834);
    assert_int_equal(all.plies, 3383834 - 153);
    assert_int_equal(all.faulty, 12);
    assert_int_equal(all.refused, 6);
    assert_int_equal(all.illegal, 6);
    assert_int_equal(all.other, 0);
    assert_int_equal(all.odd, 2);
}

/* Everything else: no game is faulty, single files of CCPD aside. */
static void all_other_pgn(void **state)
{
    FILE *f = manifest();
    char path[4000];
    unsigned long games, plies, files = 0;
    (void)state;
    while (row(f, path, &games, &plies)) {
        if (strncmp(path, "pgn/", 4) != 0 || games == 0 ||
            strncmp(path, "pgn/ccpd/ccpd-", 14) == 0)
            continue;
        struct counts c = {0};
        count_file(path, &c);
        files++;
        if (c.games != games)
            fail_msg("%s: %lu games, want %lu", path, (unsigned long)c.games,
                     games);
        /* the manifest's own count of this one stops at 25 pawn moves that
         * fit two pawns by its checker */
        if (strcmp(path, "pgn/winboard/mrxq/game01.pgn.gz") != 0 && plies &&
            c.plies != plies)
            fail_msg("%s: %lu plies, want %lu", path, (unsigned long)c.plies,
                     plies);
        if (c.faulty && strncmp(path, "pgn/ccpd/raw/", 13) != 0)
            fail_msg("%s: %lu faulty games", path, (unsigned long)c.faulty);
    }
    fclose(f);
    assert_true(files > 100);
}

/* The same 15 games in three notations: the same moves but for one.  At ply 71
 * of the second game, pawns on e5 and e3, the coordinates say e5e6 and the
 * others 后兵进一, e3e4.  The page all three were made from (dhtmlxq's
 * wukong-html/45.html: 4645) says e3e4: the coordinates are in error. */
static void three_notations_of_wukong(void **state)
{
    static const char *const FILES[3] = {
        "bulk_games_uci.pgn", "xqdb_international.pgn", "xqdb_traditional.pgn"};
    pgn_reader *r[3] = {NULL, NULL, NULL};
    const pgn_game *g[3];
    unsigned games = 0;
    (void)state;
    fclose(manifest());
    for (int i = 0; i < 3; i++) {
        char path[2000];
        snprintf(path, sizeof path, "%s/data/pgn/wukong/%s", shared(),
                 FILES[i]);
        assert_int_equal(pgn_reader_open(&r[i], path, NULL, NULL), XQ_OK);
    }
    for (;; games++) {
        xq_status rc[3];
        for (int i = 0; i < 3; i++)
            rc[i] = pgn_reader_next(r[i], &g[i], NULL);
        assert_int_equal(rc[0], rc[1]);
        assert_int_equal(rc[0], rc[2]);
        if (rc[0] != XQ_OK)
            break;
        for (int i = 1; i < 3; i++) {
            assert_int_equal(g[i]->plies, g[0]->plies);
            for (uint32_t k = 0; k < g[0]->plies; k++)
                if (games == 1 && k == 70)
                    assert_int_equal(g[i]->main[k], xq_move_parse("e3e4"));
                else
                    assert_int_equal(g[i]->main[k], g[0]->main[k]);
        }
    }
    assert_int_equal(games, 15);
    for (int i = 0; i < 3; i++)
        pgn_reader_close(r[i]);
}

/* anomalies.tsv: each faulty game of CCPD is named with a line inside it. */
static void anomalies_are_named(void **state)
{
    static const struct {
        const char *file;
        unsigned line, ply;
        pgn_problem_kind kind;
    } T[] = {
        {"ccpd-midgame", 60696, 0, PGN_P_FEN},
        {"ccpd-midgame", 63298, 18, PGN_P_ILLEGAL},
        {"ccpd-midgame", 79867, 19, PGN_P_ILLEGAL},
        {"ccpd-opening", 2145, 0, PGN_P_FEN},
        {"ccpd-opening", 3190, 0, PGN_P_FEN},
        {"ccpd-opening", 6473, 0, PGN_P_FEN},
        {"ccpd-opening", 7072, 0, PGN_P_FEN},
        {"ccpd-opening", 7484, 0, PGN_P_FEN},
        {"ccpd-event-other", 0, 70, PGN_P_ILLEGAL},
        {"ccpd-computer", 0, 115, PGN_P_ILLEGAL},
        {"ccpd-computer", 0, 72, PGN_P_ILLEGAL},
        {"ccpd-computer", 0, 72, PGN_P_ILLEGAL},
    };
    size_t k = 0;
    (void)state;
    fclose(manifest());
    while (k < sizeof T / sizeof *T) {
        char path[2000];
        const char *file = T[k].file;
        pgn_reader *r = NULL;
        const pgn_game *g = NULL;
        snprintf(path, sizeof path, "%s/data/pgn/ccpd/%s.pgn.gz", shared(),
                 file);
        assert_int_equal(pgn_reader_open(&r, path, NULL, NULL), XQ_OK);
        while (pgn_reader_next(r, &g, NULL) == XQ_OK)
            for (uint32_t i = 0; i < g->nproblems; i++) {
                const pgn_problem *p = &g->problems[i];
                if (p->level == PGN_WARNING)
                    continue;
                assert_true(k < sizeof T / sizeof *T);
                assert_string_equal(T[k].file, file);
                assert_int_equal(p->kind, T[k].kind);
                assert_int_equal(p->ply, T[k].ply);
                if (T[k].line)
                    assert_int_equal(p->line, T[k].line);
                k++;
            }
        pgn_reader_close(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ccpd),
        cmocka_unit_test(all_other_pgn),
        cmocka_unit_test(three_notations_of_wukong),
        cmocka_unit_test(anomalies_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
