/* test_referee_games.c - the referee over random games, against the slow and
 * obvious way: each ply by itself, from the start of the game. */
#include "tests/unit/referee_util.h"

/* Few pieces, with room to wander, check, capture, repeat. */
static const char *const STARTS[] = {
    "4k4/7R1/9/9/9/9/9/9/9/3K5 w - - 0 1",
    "3ak4/4r4/9/9/9/9/9/9/4R4/3KA4 w - - 3 1",
    "2bak4/9/4b4/2P6/9/6p2/9/4B4/4A4/3A1KB2 w - - 19 9",
    "4k4/9/4c4/9/2n6/6N2/9/4C4/9/4K4 b - - 0 1",
    "2bak4/9/4b4/9/9/9/9/4B4/2p1A4/3A1KB2 w - - 6 1",
    "2bak4/4P4/9/9/9/9/9/9/4A4/3A1KB2 b - - 0 1",
    XQ_FEN_START,
};

static struct line_of_play random_game(uint64_t *x)
{
    struct line_of_play out = {
        .start = pos_of(STARTS[random_below(x, COUNT_OF(STARTS))])};
    xq_pos p = out.start;
    const uint32_t n = random_below(x, 120);
    while (out.n < n) {
        xq_move m = XQ_NOMOVE;
        if (out.n >= 2 && random_below(x, 3)) { /* back again, to repeat */
            const xq_move last = out.moves[out.n - 2];
            m = xq_move_make(xq_move_to(last), xq_move_from(last));
        }
        if (!m || !xq_move_is_legal(&p, m))
            m = random_move(&p, x);
        if (!m)
            break;
        xq_pos_make(&p, m, NULL);
        out.moves[out.n++] = m;
    }
    return out;
}

/* ---- the obvious way ---- */

static bool is_capture(const struct line_of_play *l, uint32_t i)
{
    return pos_after(l, i).at[xq_move_to(l->moves[i])] != XQ_EMPTY;
}

static bool is_check_after(const struct line_of_play *l, uint32_t ply)
{
    const xq_pos p = pos_after(l, ply);
    return xq_in_check(&p, (xq_side)p.side);
}

static void slow_count(const xq_profile *pr, const struct line_of_play *l,
                       uint32_t ply, xq_ruling *out)
{
    bool free_reply = false;
    out->counted = l->start.halfmove;
    out->checks[0] = out->checks[1] = 0;
    for (uint32_t i = 0; i < ply; i++) {
        const xq_side mover = (xq_side)(l->start.side ^ (i & 1));
        if (is_capture(l, i)) {
            out->counted = out->checks[0] = out->checks[1] = 0;
            free_reply = false;
            continue;
        }
        const bool check = is_check_after(l, i + 1);
        if (check)
            out->checks[mover]++;
        const bool beyond = check && out->checks[mover] > pr->limit_checks;
        if (!beyond && !free_reply)
            out->counted++;
        free_reply = beyond;
    }
}

static bool slow_bare(const xq_pos *p)
{
    for (int s = 0; s < XQ_SQUARES; s++)
        if (p->at[s] && strchr("\4\5\6\7", p->at[s] & 7))
            return false;
    return true;
}

/* The ruling at `ply`, whatever came before. */
static xq_ruling slow_ruling(const xq_profile *pr, const struct line_of_play *l,
                             uint32_t ply)
{
    const xq_pos p = pos_after(l, ply);
    struct line_of_play sofar = *l;
    xq_ruling out = {.article = "", .from_ply = ply};
    uint32_t seen = 0;
    sofar.n = ply;
    for (uint32_t i = 0; i <= ply; i++)
        seen += pos_after(l, i).key == p.key;
    if (!xq_has_legal_move(&p)) {
        out.ending =
            xq_in_check(&p, (xq_side)p.side) ? XQ_MATED : XQ_STALEMATED;
    } else if (seen >= pr->repetitions) {
        const struct line_of_play w = window_of(&sofar);
        xq_judge_window(pr, &w.start, w.moves, w.n, &out);
        out.from_ply = ply - w.n + 1;
    } else if (pr->bare_draw && slow_bare(&p)) {
        out.ending = XQ_BARE;
    }
    slow_count(pr, l, ply, &out);
    if (out.ending == XQ_GOES_ON && pr->natural_limit &&
        out.counted >= pr->natural_limit)
        out.ending = XQ_LIMIT_REACHED;
    out.occurrences = seen;
    out.to_ply = ply;
    return out;
}

/* ---- compared ---- */

static void random_games_agree(void **state)
{
    uint64_t x = seed_of_run();
    unsigned endings[XQ_BARE + 1] = {0};
    (void)state;
    for (int game = 0; game < 2000; game++) {
        const struct line_of_play l = random_game(&x);
        xq_profile pr;
        xq_profile_init(&pr, XQ_ASIAN);
        pr.repetitions = 2 + random_below(&x, 6);
        pr.natural_limit = random_below(&x, 4) ? 8 + random_below(&x, 40) : 0;
        pr.limit_checks = random_below(&x, 5);
        pr.bare_draw = random_below(&x, 2);
        pr.threat_depth = 1;
        /* From some ply on: what is not over before it is of no matter. */
        const uint32_t from = random_below(&x, l.n + 2);
        const xq_ruling got = ruling_from(&pr, &l, from);
        xq_ruling want = {0};
        for (uint32_t ply = from < l.n ? from : l.n;; ply++) {
            want = slow_ruling(&pr, &l, ply);
            if (ply < from) { /* behind the last */
                want.ending = XQ_GOES_ON;
                want.from_ply = ply;
            }
            if (want.ending != XQ_GOES_ON || ply == l.n)
                break;
        }
        endings[got.ending]++;
        if (got.ending != want.ending || got.from_ply != want.from_ply ||
            got.to_ply != want.to_ply || got.counted != want.counted ||
            got.occurrences != want.occurrences ||
            memcmp(got.checks, want.checks, sizeof got.checks) != 0)
            fail_msg("game %d of seed %llu, from %u: ending %d after %u (from "
                     "%u, count %u), not %d after %u (%u, %u)",
                     game, (unsigned long long)seed_of_run(), (unsigned)from,
                     (int)got.ending, (unsigned)got.to_ply,
                     (unsigned)got.from_ply, (unsigned)got.counted,
                     (int)want.ending, (unsigned)want.to_ply,
                     (unsigned)want.from_ply, (unsigned)want.counted);
    }
    for (int e = XQ_GOES_ON; e <= XQ_BARE; e++)
        if (e != XQ_STALEMATED && e != XQ_MATED)
            assert_true(endings[e] > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_games_agree),
    };
    return cmocka_run_group_tests_name("referee, games", tests, NULL, NULL);
}
