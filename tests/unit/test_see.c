/* test_see.c - exchanges on one square, against a slow and obvious count. */
#include "engine/search.h"
#include "tests/unit/engine_util.h"

static const int VALUE[8] = {0, 0, 200, 200, 450, 1000, 450, 120};

/* Where taking may begin with one of several equal pieces the outcome can
 * differ: the least and the most a side can be left with. */
struct range {
    int low, high;
};

/* The order of taking: by value, the king last. */
static int rank_of(const xq_pos *p, xq_sq s)
{
    const xq_kind k = xq_piece_kind(p->at[s]);
    return k == XQ_KING ? 10000 : VALUE[k];
}

/* May a king that has just taken on `to` be taken there? */
static bool is_retaken(const xq_pos *p, xq_sq to)
{
    for (xq_sq s = 0; s < XQ_SQUARES; s++)
        if (xq_move_is_pseudo(p, xq_move_make(s, to)))
            return true;
    return false;
}

/* What the side to move gains by taking on `to`, with pieces of the least
 * value only, or by not taking. */
static struct range slow_gain(const xq_pos *p, xq_sq to)
{
    struct range best = {0, 0};
    int least = 20000;
    bool any = false;
    for (xq_sq s = 0; s < XQ_SQUARES; s++)
        if (xq_move_is_pseudo(p, xq_move_make(s, to)) && rank_of(p, s) < least)
            least = rank_of(p, s);
    for (xq_sq s = 0; s < XQ_SQUARES; s++) {
        const xq_move m = xq_move_make(s, to);
        if (!xq_move_is_pseudo(p, m) || rank_of(p, s) != least)
            continue;
        xq_pos after = *p;
        xq_pos_make(&after, m, NULL);
        if (least == 10000 && is_retaken(&after, to))
            continue;
        struct range theirs = slow_gain(&after, to);
        struct range mine = {VALUE[p->at[to] & 7] - theirs.high,
                             VALUE[p->at[to] & 7] - theirs.low};
        if (mine.low < 0)
            mine.low = 0;
        if (mine.high < 0)
            mine.high = 0;
        if (!any || mine.low < best.low)
            best.low = mine.low;
        if (!any || mine.high > best.high)
            best.high = mine.high;
        any = true;
    }
    return best;
}

static struct range slow_see(const xq_pos *p, xq_move m)
{
    xq_pos after = *p;
    const int taken = VALUE[p->at[xq_move_to(m)] & 7];
    xq_pos_make(&after, m, NULL);
    struct range theirs = slow_gain(&after, xq_move_to(m));
    return (struct range){taken - theirs.high, taken - theirs.low};
}

static void exchanges(void **state)
{
    static const struct {
        const char *fen, *move;
        int gain;
    } T[] = {
        /* a free rook, a protected one */
        {"3k5/9/9/9/r8/9/9/9/9/R4K3 w", "a0a5", 1000},
        {"3k5/9/9/9/r7r/9/9/9/9/R4K3 w", "a0a5", 0},
        {"3k5/9/9/9/p7r/9/9/9/9/R4K3 w", "a0a5", -880},
        /* rooks behind rooks */
        {"3k5/9/9/9/p7r/9/9/9/R8/R4K3 w", "a1a5", 120},
        /* the first capture takes the screen of the cannon behind: it stays
         * one, the pawn is free */
        {"3k5/9/9/p8/9/R8/9/C8/9/5K3 w", "a4a6", 120},
        /* the horse guards, but its leg is blocked */
        {"3k5/9/2n6/p8/9/9/9/9/9/R4K3 w", "a0a6", -880},
        {"3k5/9/1pn6/p8/9/9/9/9/9/R4K3 w", "a0a6", 120},
        /* a cannon takes over a screen, the screen then loses its own use */
        {"3k5/9/9/p7r/9/P8/9/C8/9/5K3 w", "a2a6", -330},
        /* the elephant guards over an empty eye */
        {"3k5/9/4b4/9/6p2/9/9/9/9/5KR2 w", "g0g5", -880},
        {"3k5/9/4b4/5p3/6p2/9/9/9/9/5KR2 w", "g0g5", 120},
        /* a pawn takes back sideways once over the river */
        {"3k5/9/9/9/9/1pn6/9/2R6/9/5K3 w", "c2c4", -550},
        {"3k5/9/9/1pn6/9/9/2R6/9/9/5K3 w", "c3c6", 450},
        /* the king guards, unless the square stays attacked */
        {"4k4/4a4/9/9/9/4R4/9/9/9/3K5 w", "e4e8", -800},
        {"4k4/4a4/9/9/4R4/4R4/9/9/9/3K5 w", "e5e8", 200},
        /* a quiet move where a pawn waits */
        {"3k5/9/9/9/9/9/2p6/R8/9/5K3 w", "a2c2", -1000},
        {"3k5/9/9/9/9/9/2p6/R8/9/5K3 w", "a2b2", 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        xq_pos p = pos_of(T[i].fen);
        xq_move m = xq_move_parse(T[i].move);
        assert_true(xq_move_is_legal(&p, m));
        if (!xq_see(&p, m, T[i].gain) || xq_see(&p, m, T[i].gain + 1)) {
            struct range slow = slow_see(&p, m);
            fail_msg("%s in %s: not %d; slow count: %d to %d", T[i].move,
                     T[i].fen, T[i].gain, slow.low, slow.high);
        }
    }
}

static void check_all(const xq_pos *p)
{
    xq_movelist list;
    xq_gen_legal(p, &list);
    for (unsigned i = 0; i < list.n; i++) {
        const struct range slow = slow_see(p, list.m[i]);
        if (xq_see(p, list.m[i], slow.low) &&
            !xq_see(p, list.m[i], slow.high + 1))
            continue;
        char fen[XQ_FEN_MAX], move[5];
        xq_fen_format(p, fen);
        xq_move_format(list.m[i], move);
        fail_msg("%s in %s: not from %d to %d, seed %llu", move, fen, slow.low,
                 slow.high, (unsigned long long)seed_of_run());
    }
}

static void agrees_with_the_slow_count(void **state)
{
    uint64_t seed = seed_of_run();
    (void)state;
    for (int game = 0; game < 20; game++) {
        xq_pos p;
        xq_pos_start(&p);
        for (int ply = 0; ply < 100; ply++) {
            xq_move m = random_move(&p, &seed);
            if (m == XQ_NOMOVE)
                break;
            xq_pos_make(&p, m, NULL);
            check_all(&p);
        }
    }
    for (int i = 0; i < 300; i++) {
        xq_pos p = random_odd(&seed, 24);
        check_all(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exchanges),
        cmocka_unit_test(agrees_with_the_slow_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
