/* test_threat.c - mate threats (C-11, C-40) against an obvious search, known
 * mates (tests/data/mates.tsv) and positions made from the words of the rule.
 * QIPU_SRC names the source folder when the test does not run there. */
#include "tests/unit/engine_util.h"

#include <stdio.h>

#include "engine/referee.h"

/* ---- the obvious search: every legal move, those that check go on ---- */

static bool slow_hunt(const xq_pos *p, unsigned depth)
{
    xq_movelist moves, answers;
    xq_gen_legal(p, &moves);
    for (unsigned i = 0; i < moves.n; i++) {
        xq_pos q = *p;
        xq_pos_make(&q, moves.m[i], NULL);
        if (!xq_in_check(&q, (xq_side)q.side))
            continue;
        xq_gen_legal(&q, &answers);
        bool all = true;
        for (unsigned k = 0; k < answers.n && all; k++) {
            xq_pos r = q;
            xq_pos_make(&r, answers.m[k], NULL);
            all = depth > 1 && slow_hunt(&r, depth - 1);
        }
        if (all)
            return true;
    }
    return false;
}

static bool slow_threat(const xq_pos *p, unsigned depth)
{
    xq_pos q = *p;
    if (depth == 0 || xq_in_check(p, (xq_side)p->side))
        return false;
    xq_pos_pass(&q);
    return slow_hunt(&q, depth);
}

/* Is the move, by the side that just moved, a check that is followed by mate
 * within `moves` own moves, itself counted? */
static bool begins_mate(const xq_pos *p, xq_move first, unsigned moves)
{
    xq_movelist answers;
    xq_pos q = *p;
    xq_pos_pass(&q);
    if (!xq_move_is_legal(&q, first))
        return false;
    xq_pos_make(&q, first, NULL);
    xq_gen_legal(&q, &answers);
    bool all = xq_in_check(&q, (xq_side)q.side);
    for (unsigned k = 0; k < answers.n && all; k++) {
        xq_pos r = q;
        xq_pos_make(&r, answers.m[k], NULL);
        all = moves > 1 && slow_hunt(&r, moves - 1);
    }
    return all;
}

static void compare(const xq_pos *p, unsigned depth, unsigned *found)
{
    bool want = slow_threat(p, depth);
    if (xq_threatens_mate(p, depth, NULL) != want) {
        char fen[XQ_FEN_MAX];
        xq_fen_format(p, fen);
        fail_msg("seed %llu: %s depth %u: %s",
                 (unsigned long long)seed_of_run(), fen, depth,
                 want ? "missed" : "no mate");
    }
    *found += want;

    uint32_t moves;
    const xq_move first = xq_mate_threatened(p, depth, &moves);
    assert_int_equal(first != XQ_NOMOVE, want);
    if (!want) {
        assert_int_equal(moves, 0);
        return;
    }
    assert_in_range(moves, 1, depth);
    if (slow_threat(p, moves - 1) || !begins_mate(p, first, moves))
        fail_msg("seed %llu: not a shortest mate",
                 (unsigned long long)seed_of_run());
}

/* Odd boards: many of a kind, pieces where no game brings them. */
static void agrees_on_odd_positions(void **state)
{
    uint64_t x = seed_of_run();
    unsigned found[4] = {0};
    (void)state;
    for (unsigned i = 0; i < 100000; i++) {
        xq_pos p = random_odd(&x, i % 3 ? 12 : 30);
        if (xq_in_check(&p, (xq_side)p.side))
            xq_pos_pass(&p); /* else most of them would tell nothing */
        compare(&p, 1, &found[1]);
        if (i % 4 == 0)
            compare(&p, 2, &found[2]);
        if (i % 50 == 0 && i % 3)
            compare(&p, 3, &found[3]);
    }
    assert_true(found[1] > 2000 && found[2] > 500 && found[3] > 20);
}

static void agrees_in_random_games(void **state)
{
    uint64_t x = seed_of_run();
    unsigned found[5] = {0};
    (void)state;
    for (unsigned game = 0; game < 40; game++) {
        xq_pos p;
        xq_move m;
        xq_pos_start(&p);
        for (unsigned ply = 0; ply < 300 && (m = random_move(&p, &x)); ply++) {
            xq_pos_make(&p, m, NULL);
            compare(&p, 1, &found[1]);
            if (ply % 3 == 0)
                compare(&p, 2, &found[2]);
            if (ply % 50 == 49)
                compare(&p, 4, &found[4]);
        }
    }
    assert_true(found[1] > 50 && found[2] > 20);
}

/* ---- known mates ---- */

static void known_mates_are_threats(void **state)
{
    char path[4096], line[1024];
    const char *src = getenv("QIPU_SRC");
    unsigned by_checks = 0, exact = 0;
    (void)state;
    snprintf(path, sizeof path, "%s/tests/data/mates.tsv", src ? src : ".");
    FILE *f = fopen(path, "r");
    if (!f)
        fail_msg("cannot open '%s'", path);
    while (fgets(line, sizeof line, f)) {
        char fen[128], source[256], kind[16];
        unsigned plies;
        if (sscanf(line, "%127[^\t]\t%u\t%255[^\t]\t%15[^\t]", fen, &plies,
                   source, kind) != 4)
            continue; /* head and comments */
        unsigned depth = (plies + 1) / 2;
        xq_pos p = pos_of(fen);
        if (xq_in_check(&p, (xq_side)p.side))
            continue;    /* not after a null move: the other king would hang */
        xq_pos_pass(&p); /* "if the side could move again" */
        bool known = strcmp(kind, "exact") == 0;
        if (!known) { /* proved with checks only */
            if (!xq_threatens_mate(&p, depth, NULL))
                fail_msg("%s: mate in %u plies by checks", fen, plies);
            by_checks++;
        } else if (depth > 1) { /* nothing shorter exists */
            if (xq_threatens_mate(&p, depth - 1, NULL))
                fail_msg("%s: no mate in fewer than %u plies", fen, plies);
            exact++;
        }
    }
    fclose(f);
    assert_true(by_checks >= 9 && exact > 60);
}

/* ---- the words of the rule ---- */

struct threat_case {
    const char *fen; /* the side that moved is not the one of the FEN */
    unsigned depth;
    bool threat;
};

static void check_cases(const struct threat_case *t, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        xq_pos p = pos_of(t[i].fen);
        if (xq_threatens_mate(&p, t[i].depth, NULL) != t[i].threat)
            fail_msg("%s depth %u", t[i].fen, t[i].depth);
    }
}

static void mate_at_once_is_threatened(void **state)
{
    static const struct threat_case T[] = {
        {"3k5/R8/9/9/9/9/9/9/1R7/4K4 b", 1, true}, /* b1b9 */
        {"4k4/R8/9/9/9/9/9/9/1R7/3K5 b", 1, true},
        {"4k4/R3a4/9/9/9/9/9/9/1R7/3K5 b", 1, false}, /* the advisor steps in */
        /* Stalemate wins the game, but is no mate: nothing checks. */
        {"4k4/9/9/3P1P3/9/9/9/9/9/3K5 b", 4, false},
    };
    (void)state;
    check_cases(T, COUNT_OF(T));
}

/* The same mate counts only if the moves before it are checks. */
static void only_checks_are_followed(void **state)
{
    static const struct threat_case T[] = {
        /* d4, then the rook behind on the same file: the king steps aside to
         * e9 once, and e-file and d-file are both taken. */
        {"3k5/9/9/9/2R6/1R7/9/9/9/5K3 b", 1, false},
        {"3k5/9/9/9/2R6/1R7/9/9/9/5K3 b", 2, true},
        /* With the own king on d0, f9 stays free. */
        {"4k4/9/9/9/2R6/1R7/9/9/9/3K5 b", 1, false},
        {"4k4/9/9/9/2R6/1R7/9/9/9/3K5 b", 4, true},
        /* a6a8 would win soon, but gives no check. */
        {"4k4/9/4b4/R7p/9/9/9/9/9/3K5 b", 4, false},
    };
    (void)state;
    check_cases(T, COUNT_OF(T));
}

/* A check is more than a threat (C-14): nothing is asked. */
static void a_check_is_not_a_threat(void **state)
{
    xq_pos p = pos_of("R2k5/8R/9/9/9/9/9/9/9/4K4 b");
    uint64_t visits = 1;
    (void)state;
    assert_false(xq_threatens_mate(&p, 4, &visits));
    assert_int_equal(visits, 0);
}

static void depth_is_bounded(void **state)
{
    xq_pos p = pos_of("3k5/R8/9/9/9/9/9/9/1R7/4K4 b");
    (void)state;
    assert_false(xq_threatens_mate(&p, 0, NULL));
    assert_true(xq_threatens_mate(&p, UINT32_MAX, NULL));
    assert_int_equal(xq_mate_threatened(&p, 0, NULL), XQ_NOMOVE);
    uint32_t moves;
    const xq_move m = xq_mate_threatened(&p, UINT32_MAX, &moves);
    assert_int_equal(moves, 1);
    assert_true(begins_mate(&p, m, 1));
}

/* The question changes nothing and does not hang on counters or keys. */
static void the_position_is_left_alone(void **state)
{
    xq_pos p = pos_of("3ak4/9/9/4C4/9/9/9/1R7/9/3K5 b"), before = p;
    (void)state;
    (void)xq_threatens_mate(&p, 4, NULL);
    assert_memory_equal(&p, &before, sizeof p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agrees_on_odd_positions),
        cmocka_unit_test(agrees_in_random_games),
        cmocka_unit_test(known_mates_are_threats),
        cmocka_unit_test(mate_at_once_is_threatened),
        cmocka_unit_test(only_checks_are_followed),
        cmocka_unit_test(a_check_is_not_a_threat),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(the_position_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
