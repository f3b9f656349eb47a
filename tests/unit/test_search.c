/* test_search.c - the search: mates, limits, stop, repetitions, lines.
 *
 * Mates of tests/data/mates.tsv (its head says where they are from) are looked
 * for in a few thousand nodes; QIPU_SLOW=1 looks for all of them, within five
 * CPU seconds each. */
#include "engine/search.h"
#include "tests/unit/engine_util.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

static xq_search *open_search(unsigned threads, unsigned multipv)
{
    xq_search *s;
    xq_err err;
    xq_search_options o = {
        .hash = (size_t)4 << 20,
        .threads = threads,
        .multipv = multipv,
        .natural_limit = 120,
    };
    if (xq_search_open(&s, &o, &err) < 0)
        fail_msg("%s", err.msg);
    return s;
}

static xq_answer answer_of(xq_search *s, const xq_pos *p, const xq_limits *lim)
{
    const xq_game_line game = {p, NULL, 0};
    xq_answer a;
    xq_search_ready(s);
    assert_int_equal(xq_search_go(s, &game, lim, NULL, NULL, &a), XQ_OK);
    return a;
}

static void assert_move(xq_move m, const char *want)
{
    char text[5];
    xq_move_format(m, text);
    assert_string_equal(text, want);
}

/* ---- mates ---- */

static bool is_listed(const char *list, xq_move m)
{
    char text[5];
    xq_move_format(m, text);
    return strstr(list, text) != NULL;
}

static void check_mate(xq_search *s, const char *fen, unsigned plies,
                       bool exact, const char *first)
{
    const xq_pos p = pos_of(fen);
    const xq_limits lim = {.mate = (plies + 1) / 2};
    xq_search_clear(s);
    const clock_t start = clock();
    const xq_answer a = answer_of(s, &p, &lim);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (exact ? a.score != XQ_MATE_IN(plies) : a.score < XQ_MATE_IN(plies))
        fail_msg("%s: score %d, not mate in %u plies", fen, a.score, plies);
    /* The list of first moves is complete for short mates only. */
    if (plies <= 5 && !is_listed(first, a.best))
        fail_msg("%s: the first move is %s", fen, first);
    if (seconds > 5)
        fail_msg("%s: %.1f seconds", fen, seconds);
}

static void look_for_mates(unsigned threads)
{
    char path[4096], line[512];
    const char *src = getenv("QIPU_SRC"), *slow = getenv("QIPU_SLOW");
    const bool all = slow && *slow == '1';
    xq_search *s = open_search(threads, 1);
    snprintf(path, sizeof path, "%s/tests/data/mates.tsv", src ? src : ".");
    FILE *f = fopen(path, "r");
    if (!f)
        fail_msg("cannot open '%s'", path);
    unsigned rows = 0;
    while (fgets(line, sizeof line, f)) {
        char fen[128], kind[16], first[64];
        unsigned plies;
        if (line[0] == '#' ||
            sscanf(line, "%127[^\t]\t%u\t%*[^\t]\t%15[^\t]\t%63s", fen, &plies,
                   kind, first) != 4)
            continue;
        rows++;
        if (all || plies <= 9)
            check_mate(s, fen, plies, strcmp(kind, "exact") == 0, first);
    }
    fclose(f);
    xq_search_close(s);
    assert_int_equal(rows, 117);
}

static void mates_are_found(void **state)
{
    (void)state;
    look_for_mates(1);
}

/* The threads that look for none, and get deeper, are not believed. */
static void mates_are_found_by_several_threads(void **state)
{
    (void)state;
    look_for_mates(3);
}

/* The mate is longer, or there is none: the search ends all the same, a little
 * behind the length that was asked for. */
static void a_search_for_no_mate_ends(void **state)
{
    static const struct {
        const char *fen;
        unsigned mate;
    } T[] = {
        {"8N/4R4/3k5/6Rr1/6b2/3n5/9/B8/4K4/p4A3 w - - 0 1", 1},
        {"3ak1b2/4aR3/4b4/p3N4/9/9/P3P4/8B/4r1r2/cR1A1K3 b - - 0 1", 2},
        {XQ_FEN_START, 1},
        {XQ_FEN_START, 3},
        /* mated itself */
        {"4k4/9/R8/1R7/9/9/9/9/9/3K5 b - - 0 1", 1},
    };
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        xq_search *s = open_search(threads, 1);
        for (size_t i = 0; i < COUNT_OF(T); i++) {
            const xq_pos p = pos_of(T[i].fen);
            const xq_limits lim = {.mate = T[i].mate};
            const xq_answer a = answer_of(s, &p, &lim);
            assert_true(xq_move_is_legal(&p, a.best));
            assert_int_equal(a.depth, 2 * T[i].mate - 1 + XQ_MATE_BEYOND);
            assert_true(a.score < XQ_MATE_IN(2 * T[i].mate - 1));
        }
        xq_search_close(s);
    }
}

/* Without being told that there is a mate. */
static void mates_are_met_in_ordinary_search(void **state)
{
    static const struct {
        const char *fen, *first;
        int score;
    } T[] = {
        {"C5b2/1N1k5/5a3/4R1p1p/9/2P3P2/P3P3r/4n4/4A4/4KACc1 w - - 0 1", "a9a8",
         XQ_MATE_IN(1)},
        {"8N/4R4/3k5/6Rr1/6b2/3n5/9/B8/4K4/p4A3 w - - 0 1", "g6g7",
         XQ_MATE_IN(3)},
        {"3ak1b2/4aR3/4b4/p3N4/9/9/P3P4/8B/4r1r2/cR1A1K3 b - - 0 1", "g1h1",
         XQ_MATE_IN(5)},
        /* stalemate is as good: the king has no move left */
        {"3k5/9/4P4/9/9/9/9/9/9/4K4 w - - 0 1", NULL, XQ_MATE_IN(1)},
    };
    xq_search *s = open_search(1, 1);
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        const xq_pos p = pos_of(T[i].fen);
        /* Reductions hide quiet moves for some plies; for how many depends on
         * the evaluation. */
        const xq_limits lim = {.depth = 12};
        const xq_answer a = answer_of(s, &p, &lim);
        if (T[i].first)
            assert_move(a.best, T[i].first);
        assert_int_equal(a.score, T[i].score);
    }
    xq_search_close(s);
}

/* ---- root moves ---- */

static void no_move_is_no_answer(void **state)
{
    /* mated; stalemated; all moves banned */
    static const char *const T[] = {
        "R3k4/9/4R4/9/9/9/9/9/9/4K4 b - - 0 1",
        "3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1",
    };
    xq_search *s = open_search(1, 1);
    const xq_limits lim = {.depth = 5};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        const xq_pos p = pos_of(T[i]);
        xq_movelist list;
        xq_gen_legal(&p, &list);
        assert_int_equal(list.n, 0);
        const xq_answer a = answer_of(s, &p, &lim);
        assert_int_equal(a.best, XQ_NOMOVE);
        assert_int_equal(a.ponder, XQ_NOMOVE);
    }
    xq_pos p;
    xq_movelist list;
    xq_pos_start(&p);
    xq_gen_legal(&p, &list);
    const xq_limits none = {.depth = 5, .banned = list.m, .nbanned = list.n};
    assert_int_equal(answer_of(s, &p, &none).best, XQ_NOMOVE);
    xq_search_close(s);
}

static void banned_and_wanted_moves(void **state)
{
    const xq_pos p = pos_of("3k5/9/9/9/r8/9/9/9/9/R4K3 w - - 0 1");
    const xq_move take = xq_move_parse("a0a5"), side = xq_move_parse("a0b0");
    xq_search *s = open_search(1, 1);
    (void)state;
    xq_limits lim = {.depth = 6};
    assert_int_equal(answer_of(s, &p, &lim).best, take);
    lim.banned = &take;
    lim.nbanned = 1;
    assert_int_not_equal(answer_of(s, &p, &lim).best, take);
    lim = (xq_limits){.depth = 6, .only = &side, .nonly = 1};
    assert_int_equal(answer_of(s, &p, &lim).best, side);
    lim.banned = &side;
    lim.nbanned = 1;
    assert_int_equal(answer_of(s, &p, &lim).best, XQ_NOMOVE);
    xq_search_close(s);
}

/* ---- lines ---- */

struct lines {
    unsigned depth, count, calls;
    xq_move first[8];
    int score[8];
    const xq_pos *start;
};

static void keep_lines(void *arg, const xq_info *info)
{
    struct lines *l = arg;
    l->calls++;
    assert_true(info->multipv >= 1 && info->npv >= 1);
    assert_true(info->seldepth + 1 >= info->npv || info->bound);
    /* Every move of a line is legal. */
    xq_pos p = *l->start;
    for (unsigned i = 0; i < info->npv; i++) {
        assert_true(xq_move_is_legal(&p, info->pv[i]));
        xq_pos_make(&p, info->pv[i], NULL);
    }
    if (info->bound || info->multipv > 8)
        return;
    l->depth = info->depth;
    l->count = info->multipv;
    l->first[info->multipv - 1] = info->pv[0];
    l->score[info->multipv - 1] = info->score;
}

static void several_lines_are_in_order(void **state)
{
    xq_pos p;
    struct lines l = {.start = &p};
    xq_search *s = open_search(1, 5);
    const xq_game_line game = {&p, NULL, 0};
    const xq_limits lim = {.depth = 8};
    xq_answer a;
    (void)state;
    xq_pos_start(&p);
    assert_int_equal(xq_search_go(s, &game, &lim, keep_lines, &l, &a), XQ_OK);
    assert_int_equal(l.depth, 8);
    assert_int_equal(l.count, 5);
    assert_int_equal(l.first[0], a.best);
    assert_int_equal(l.score[0], a.score);
    for (unsigned i = 1; i < 5; i++) {
        assert_true(l.score[i - 1] >= l.score[i]);
        for (unsigned j = 0; j < i; j++)
            assert_int_not_equal(l.first[i], l.first[j]);
    }
    /* More lines wanted than there are moves. */
    p = pos_of("3k5/9/9/9/9/9/9/9/9/4K4 w - - 0 1");
    l = (struct lines){.start = &p};
    assert_int_equal(xq_search_go(s, &game, &lim, keep_lines, &l, &a), XQ_OK);
    assert_true(l.count >= 1 && l.count <= 2);
    xq_search_close(s);
}

static void keep_last(void *arg, const xq_info *info)
{
    struct lines *l = arg;
    assert_true(info->depth >= 1 && info->multipv >= 1 && info->multipv <= 8);
    l->calls = (unsigned)info->nodes;
    l->first[info->multipv - 1] = info->pv[0];
    l->score[info->multipv - 1] = info->score;
}

/* A limit may cut an iteration that has found a better move. */
static void the_last_lines_are_the_answer(void **state)
{
    static const char *const T[] = {
        XQ_FEN_START,
        "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1CN1C1N2/9/R1BAKABR1 b",
        "4ka3/4a4/9/9/4C4/9/9/4B4/3p5/2pAK4 w - - 0 1",
    };
    (void)state;
    for (unsigned multipv = 1; multipv <= 3; multipv += 2) {
        xq_search *s = open_search(1, multipv);
        for (size_t i = 0; i < COUNT_OF(T); i++)
            for (uint64_t n = 500; n < 40000; n += 1 + n / 9) {
                const xq_pos p = pos_of(T[i]);
                const xq_game_line game = {&p, NULL, 0};
                const xq_limits lim = {.nodes = n};
                struct lines l = {0};
                xq_answer a;
                assert_int_equal(
                    xq_search_go(s, &game, &lim, keep_last, &l, &a), XQ_OK);
                assert_int_equal(l.first[0], a.best);
                assert_int_equal(l.score[0], a.score);
                assert_int_equal(l.calls, a.nodes);
                for (unsigned j = 1; j < multipv; j++)
                    for (unsigned k = 0; k < j; k++)
                        assert_int_not_equal(l.first[j], l.first[k]);
            }
        xq_search_close(s);
    }
}

/* ---- limits ---- */

static uint64_t digest(xq_search *s, const xq_limits *lim)
{
    static const char *const T[] = {
        XQ_FEN_START,
        "r1bakab1r/9/1cn3nc1/p1p1p1p1p/9/9/P1P1P1P1P/1CN1C1N2/9/R1BAKABR1 b - "
        "- 0 1",
        "2bak4/4a4/2n1b1n2/p1p1p3p/6p2/2PN5/P3P1P1P/1C2C1N2/4A4/2BAK1B2 b - - "
        "0 1",
    };
    uint64_t sum = 0;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        const xq_pos p = pos_of(T[i]);
        const xq_answer a = answer_of(s, &p, lim);
        sum = sum * 31 + a.best;
        sum = sum * 31 + a.ponder;
        sum = sum * 31 + (uint64_t)(a.score + XQ_MATE);
        sum = sum * 31 + a.nodes;
        if (lim->nodes)
            assert_int_equal(a.nodes, lim->nodes);
        if (lim->depth)
            assert_int_equal(a.depth, lim->depth);
    }
    return sum;
}

static void one_thread_is_deterministic(void **state)
{
    const xq_limits by_depth = {.depth = 9}, by_nodes = {.nodes = 20011};
    xq_search *s = open_search(1, 1), *other = open_search(1, 1);
    (void)state;
    const uint64_t depth = digest(s, &by_depth);
    xq_search_clear(s);
    const uint64_t nodes = digest(s, &by_nodes);
    xq_search_clear(s);
    assert_int_equal(digest(s, &by_depth), depth);
    assert_int_equal(digest(other, &by_depth), depth);
    xq_search_clear(other);
    assert_int_equal(digest(other, &by_nodes), nodes);
    xq_search_close(s);
    xq_search_close(other);
}

/* Any number of nodes, also too few for the first iteration, gives a move. */
static void few_nodes_are_enough_for_a_move(void **state)
{
    xq_search *s = open_search(1, 1);
    xq_pos p;
    (void)state;
    xq_pos_start(&p);
    for (uint64_t n = 1; n < 3000; n += 1 + n / 7) {
        const xq_limits lim = {.nodes = n};
        const xq_answer a = answer_of(s, &p, &lim);
        assert_true(xq_move_is_legal(&p, a.best));
        assert_int_equal(a.nodes, n);
    }
    xq_search_close(s);
}

static void options_have_bounds(void **state)
{
    xq_search *s;
    xq_err err;
    xq_search_options o = {.threads = XQ_MAX_THREADS + 1};
    (void)state;
    assert_int_equal(xq_search_open(&s, &o, &err), XQ_ELIMIT);
    o = (xq_search_options){.hash = 1};
    assert_int_equal(xq_search_open(&s, &o, &err), XQ_OK);
    o.threads = XQ_MAX_THREADS + 1;
    assert_int_equal(xq_search_set(s, &o, &err), XQ_ELIMIT);
    o = (xq_search_options){.threads = 3, .hash = (size_t)2 << 20};
    assert_int_equal(xq_search_set(s, &o, &err), XQ_OK);
    xq_pos p;
    const xq_limits lim = {.depth = 6};
    xq_pos_start(&p);
    assert_true(xq_move_is_legal(&p, answer_of(s, &p, &lim).best));
    xq_search_close(s);
    xq_search_close(NULL);
}

/* ---- stop ---- */

struct errand {
    xq_search *s;
    const xq_limits *lim;
    xq_pos p;
    xq_answer a;
};

static void *run_errand(void *arg)
{
    struct errand *e = arg;
    const xq_game_line game = {&e->p, NULL, 0};
    if (xq_search_go(e->s, &game, e->lim, NULL, NULL, &e->a) != XQ_OK)
        e->a.best = XQ_NOMOVE;
    return NULL;
}

static void nap(long us)
{
    const struct timespec t = {us / 1000000, us % 1000000 * 1000};
    nanosleep(&t, NULL);
}

static void a_stop_ends_any_search(void **state)
{
    static const xq_limits T[] = {
        {.infinite = true},
        {.infinite = true, .depth = 1},
        {.infinite = true, .mate = 1},
        {.ponder = true, .depth = 2},
        {.ponder = true, .mate = 1},
        {.ponder = true, .clock = {1000, 1000}},
        {.mate = 100},
        {.depth = 100},
        {.movetime = 100000},
    };
    (void)state;
    for (unsigned threads = 1; threads <= 3; threads += 2) {
        xq_search *s = open_search(threads, 1);
        for (size_t i = 0; i < COUNT_OF(T); i++)
            for (long wait = 0; wait < 20000; wait = 4 * wait + 300) {
                struct errand e = {.s = s, .lim = &T[i]};
                pthread_t thread;
                xq_pos_start(&e.p);
                xq_search_ready(s);
                assert_int_equal(pthread_create(&thread, NULL, run_errand, &e),
                                 0);
                nap(wait);
                xq_search_stop(s);
                pthread_join(thread, NULL);
                assert_true(xq_move_is_legal(&e.p, e.a.best));
            }
        xq_search_close(s);
    }
}

/* Far more threads than processors, some of which may never get to start, and
 * each with a long game to prepare for. */
static void many_threads_end_as_one_does(void **state)
{
    static const char *const TOUR[] = {"h0g2", "h9g7", "g2h0", "g7h9"};
    static const xq_limits T[] = {{.movetime = 1}, {.movetime = 20},
                                  {.nodes = 1},    {.nodes = 5000},
                                  {.depth = 1},    {.depth = 5}};
    enum { PLIES = 4001 };
    static xq_move moves[PLIES];
    xq_search *s = open_search(48, 1);
    (void)state;
    xq_pos start, now;
    xq_pos_start(&start);
    now = start;
    for (unsigned i = 0; i < PLIES; i++) {
        moves[i] = xq_move_parse(TOUR[i % 4]);
        xq_pos_make(&now, moves[i], NULL);
    }
    const xq_game_line game = {&start, moves, PLIES};
    for (size_t i = 0; i < 3 * COUNT_OF(T); i++) {
        xq_answer a;
        xq_search_ready(s);
        assert_int_equal(
            xq_search_go(s, &game, &T[i % COUNT_OF(T)], NULL, NULL, &a), XQ_OK);
        assert_true(xq_move_is_legal(&now, a.best));
    }
    xq_search_close(s);
}

/* A stop before the search is one for it; it is used up by it. */
static void a_stop_may_come_first(void **state)
{
    xq_search *s = open_search(1, 1);
    struct errand e = {.s = s, .lim = &(xq_limits){.infinite = true}};
    (void)state;
    xq_pos_start(&e.p);
    xq_search_stop(s);
    run_errand(&e);
    assert_true(xq_move_is_legal(&e.p, e.a.best));
    /* There is a score to tell. */
    assert_true(e.a.depth >= 1 && e.a.nodes < 20000);
    e.lim = &(xq_limits){.depth = 7};
    run_errand(&e);
    assert_int_equal(e.a.depth, 7);
    xq_search_stop(s);
    xq_search_ready(s); /* forgotten */
    run_errand(&e);
    assert_int_equal(e.a.depth, 7);
    xq_search_close(s);
}

static void a_ponderhit_starts_the_clock(void **state)
{
    static const xq_limits T[] = {
        {.ponder = true, .clock = {50, 50}}, {.ponder = true, .movetime = 20},
        {.ponder = true, .depth = 3},        {.ponder = true, .nodes = 1000},
        {.ponder = true, .mate = 1},
    };
    xq_search *s = open_search(2, 1);
    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(T); i++) {
        struct errand e = {.s = s, .lim = &T[i / 2]};
        pthread_t thread;
        xq_pos_start(&e.p);
        xq_search_ready(s);
        assert_int_equal(pthread_create(&thread, NULL, run_errand, &e), 0);
        nap(i % 2 ? 5000 : 0); /* perhaps before it is under way */
        xq_search_ponderhit(s);
        pthread_join(thread, NULL); /* ends by itself */
        assert_true(xq_move_is_legal(&e.p, e.a.best));
    }
    xq_search_close(s);
}

/* ---- rules ---- */

/* Play out moves "h2e2 h9g7" and ask for the next one. */
static xq_answer limited_after(xq_search *s, const char *fen, const char *moves,
                               const xq_limits *lim)
{
    const xq_pos p = pos_of(fen);
    xq_move m[64];
    xq_game_line game = {&p, m, 0};
    xq_answer a;
    for (const char *t = moves; *t; t += strlen(t) > 4 ? 5 : 4) {
        char word[5] = {0};
        memcpy(word, t, 4);
        m[game.n++] = xq_move_parse(word);
    }
    assert_int_equal(xq_search_go(s, &game, lim, NULL, NULL, &a), XQ_OK);
    return a;
}

static xq_answer answer_after(xq_search *s, const char *fen, const char *moves,
                              unsigned depth)
{
    const xq_limits lim = {.depth = depth};
    return limited_after(s, fen, moves, &lim);
}

/* Red is mated next move but for checks with the rook, which it may not give
 * for ever.  The last move of each line would bring the position about for
 * the third time. */
static void perpetual_check_is_no_way_out(void **state)
{
    static const struct {
        const char *fen, *moves, *third;
    } T[] = {
        /* the check itself is the third */
        {"3k5/9/7R1/9/9/9/9/r8/1r7/5K3 w - - 0 1",
         "h7d7 d9e9 d7e7 e9d9 e7d7 d9e9 d7e7 e9d9", "e7d7"},
        /* the answer to it, which is forced, is */
        {"4k4/9/3R5/9/9/9/9/r8/1r7/5K3 w - - 0 1",
         "d7e7 e9d9 e7d7 d9e9 d7e7 e9d9", "e7d7"},
    };
    xq_search *s = open_search(1, 1);
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++)
        for (unsigned depth = 1; depth < 9; depth++) {
            const xq_answer a = answer_after(s, T[i].fen, T[i].moves, depth);
            assert_int_not_equal(a.best, XQ_NOMOVE);
            assert_int_not_equal(a.best, xq_move_parse(T[i].third));
        }
    /* Nor where there is no time to find that out. */
    for (size_t i = 0; i < COUNT_OF(T); i++)
        for (uint64_t nodes = 1; nodes < 200; nodes += 1 + nodes / 4) {
            const xq_limits lim = {.nodes = nodes};
            const xq_answer a = limited_after(s, T[i].fen, T[i].moves, &lim);
            assert_int_not_equal(a.best, XQ_NOMOVE);
            assert_int_not_equal(a.best, xq_move_parse(T[i].third));
        }
    xq_search_close(s);
}

/* Black, a rook up, need not fear them. */
static void perpetual_checks_of_the_other_side_lose(void **state)
{
    xq_search *s = open_search(1, 1);
    (void)state;
    const xq_answer a =
        answer_after(s, "3k5/9/7R1/9/9/9/9/r8/1r7/5K3 w - - 0 1",
                     "h7d7 d9e9 d7e7 e9d9 e7d7", 8);
    assert_move(a.best, "d9e9");
    assert_true(a.score > 1000);
    xq_search_close(s);
}

/* L-01, L-03: a mate counts up to the last ply and not beyond.  The same table
 * of a search serves all. */
static void the_limit_comes_before_a_longer_mate(void **state)
{
    static const struct {
        const char *board;
        unsigned halfmove;
        bool mates;
    } T[] = {
        {"3ak1b2/4a4/4b1n2/p7p/3CP4/2B6/P7P/1R4p2/6r2/3p1K3 b", 0, true},
        {"3ak1b2/4a4/4b1n2/p7p/3CP4/2B6/P7P/1R4p2/6r2/3p1K3 b", 117, false},
        {"3ak1b2/4a4/4b1n2/p7p/3CP4/2B6/P7P/1R4p2/6r2/3p1K3 b", 115, true},
        {"3ak1b2/4a4/4b1n2/p7p/3CP4/2B6/P7P/1R4p2/6r2/3p1K3 b", 116, false},
        {"3ak1b2/4a4/4b1n2/p7p/3CP4/2B6/P7P/1R4p2/6r2/3p1K3 b", 0, true},
        /* seen by captures and checks alone */
        {"2bakab2/9/4n4/p3p3p/5n3/2P2CP2/P3P3P/C3K4/7r1/2Br5 b", 117, false},
    };
    xq_search *s = open_search(1, 1);
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        char fen[160];
        snprintf(fen, sizeof fen, "%s - - %u 70", T[i].board, T[i].halfmove);
        const xq_limits mate = {.mate = 3, .depth = 6}, shallow = {.depth = 1};
        const xq_pos p = pos_of(fen);
        if (XQ_IS_MATE(answer_of(s, &p, &mate).score) != T[i].mates)
            fail_msg("%s", fen);
        if (!T[i].mates && XQ_IS_MATE(answer_of(s, &p, &shallow).score))
            fail_msg("%s, one ply", fen);
    }
    xq_search_close(s);
}

/* A line of the depth asked for, whichever thread is there first. */
static void threads_and_lines_reach_the_depth(void **state)
{
    xq_search *s = open_search(2, 3);
    const xq_limits lim = {.depth = 8};
    xq_pos p;
    (void)state;
    xq_pos_start(&p);
    for (int i = 0; i < 20; i++) {
        xq_search_clear(s);
        assert_int_equal(answer_of(s, &p, &lim).depth, 8);
    }
    xq_search_close(s);
}

static void the_limit_draws(void **state)
{
    xq_search *s = open_search(1, 1);
    (void)state;
    /* A rook up, but the next ply is the 120th without a capture. */
    xq_pos p = pos_of("3k5/9/9/9/9/9/9/9/9/R4K3 w - - 119 80");
    const xq_limits lim = {.depth = 6};
    assert_int_equal(answer_of(s, &p, &lim).score, 0);
    p = pos_of("3k5/9/9/9/9/9/9/9/9/R4K3 w - - 0 1");
    assert_true(answer_of(s, &p, &lim).score > 300);
    /* A mate on the last ply comes before the limit (L-03). */
    p = pos_of("3k5/R8/9/9/9/9/9/9/1R7/4K4 w - - 119 80");
    assert_int_equal(answer_of(s, &p, &lim).score, XQ_MATE_IN(1));
    xq_search_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mates_are_found),
        cmocka_unit_test(mates_are_found_by_several_threads),
        cmocka_unit_test(a_search_for_no_mate_ends),
        cmocka_unit_test(mates_are_met_in_ordinary_search),
        cmocka_unit_test(no_move_is_no_answer),
        cmocka_unit_test(banned_and_wanted_moves),
        cmocka_unit_test(several_lines_are_in_order),
        cmocka_unit_test(the_last_lines_are_the_answer),
        cmocka_unit_test(one_thread_is_deterministic),
        cmocka_unit_test(few_nodes_are_enough_for_a_move),
        cmocka_unit_test(options_have_bounds),
        cmocka_unit_test(a_stop_ends_any_search),
        cmocka_unit_test(many_threads_end_as_one_does),
        cmocka_unit_test(a_stop_may_come_first),
        cmocka_unit_test(a_ponderhit_starts_the_clock),
        cmocka_unit_test(perpetual_check_is_no_way_out),
        cmocka_unit_test(perpetual_checks_of_the_other_side_lose),
        cmocka_unit_test(the_limit_draws),
        cmocka_unit_test(the_limit_comes_before_a_longer_mate),
        cmocka_unit_test(threads_and_lines_reach_the_depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
