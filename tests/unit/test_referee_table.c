/* test_referee_table.c - the rows of tests/data/repetition.tsv through the
 * public functions, as they stand and changed in ways that must not matter. */
#include "tests/fuzz/cycle.h"
#include "tests/unit/referee_util.h"

static bool is_equal(const xq_ruling *a, const xq_ruling *b)
{
    return a->outcome == b->outcome && a->ending == b->ending &&
           a->unsupported == b->unsupported &&
           strcmp(a->article, b->article) == 0;
}

static void fail_row(const struct repetition_row *row, const xq_ruling *r)
{
    fail_msg("%s: outcome %d by %s after ply %u, not %d (%s)", row->id,
             (int)r->outcome, r->article, (unsigned)r->to_ply,
             (int)row->expected, row->reason);
}

/* ---- as it stands ---- */

/* Every Asian row is judged as published, the five of low confidence (dp-)
 * and as-033 too; which article decides is in the next test. */
static void asian_rows_are_judged_as_published(void **state)
{
    FILE *f = open_data("repetition.tsv");
    struct repetition_row row;
    unsigned n = 0;
    (void)state;
    while (next_row(f, &row)) {
        if (row.rules != XQ_ASIAN)
            continue;
        const xq_ruling r = ruling_of(XQ_ASIAN, &row.line);
        const bool judged = r.ending == XQ_REPEATED;
        if (r.outcome != row.expected ||
            judged != (row.expected != XQ_NO_VERDICT) || r.unsupported)
            fail_row(&row, &r);
        if (judged && (r.occurrences != 3 || (r.to_ply - r.from_ply) % 2 != 1))
            fail_row(&row, &r);
        n++;
    }
    fclose(f);
    assert_int_equal(n, 148);
}

/* Our article for each row.  Where it is not the one the table's reason names,
 * the file says why. */
static void articles_are_as_pinned(void **state)
{
    FILE *f = open_data("repetition.tsv"), *pins = open_data("articles.tsv");
    struct repetition_row row;
    char line[1024], *field[4];
    (void)state;
    while (next_row(f, &row)) {
        if (row.rules != XQ_ASIAN)
            continue;
        const xq_ruling r = ruling_of(XQ_ASIAN, &row.line);
        assert_true(next_fields(pins, line, sizeof line, field, 4));
        assert_string_equal(field[0], row.id);
        if (strcmp(field[1], r.article) != 0)
            fail_msg("%s: %s, pinned %s", row.id, r.article, field[1]);
        const size_t named = strcspn(row.reason, ":");
        const bool same = strlen(r.article) == named &&
                          strncmp(r.article, row.reason, named) == 0;
        if (same != (field[3][0] == '\0'))
            fail_msg("%s: explain the difference, and no more than that: %s",
                     row.id, field[3]);
    }
    assert_false(next_fields(pins, line, sizeof line, field, 4));
    fclose(f);
    fclose(pins);
}

/* ---- changed ---- */

static void both_wings_and_both_colours_are_alike(void **state)
{
    FILE *f = open_data("repetition.tsv");
    struct repetition_row row;
    (void)state;
    while (next_row(f, &row)) {
        const struct line_of_play other_wing = mirrored(&row.line);
        const struct line_of_play other_side = turned(&row.line);
        const xq_ruling r = ruling_of(row.rules, &row.line);
        const xq_ruling wing = ruling_of(row.rules, &other_wing);
        xq_ruling side = ruling_of(row.rules, &other_side);
        if (!is_equal(&r, &wing))
            fail_row(&row, &wing);
        side.outcome = outcome_turned(side.outcome);
        if (!is_equal(&r, &side))
            fail_row(&row, &side);
        for (int s = 0; s < 2; s++) {
            assert_memory_equal(&r.side[s], &wing.side[s], sizeof *r.side);
            assert_memory_equal(&r.side[s], &side.side[!s], sizeof *r.side);
        }
    }
    fclose(f);
}

/* The loop may be entered at any of its plies (T-11), may go on longer, and
 * may be judged sooner or later. */
static void where_the_loop_begins_and_ends_does_not_matter(void **state)
{
    FILE *f = open_data("repetition.tsv");
    struct repetition_row row;
    (void)state;
    while (next_row(f, &row)) {
        const struct line_of_play window = window_of(&row.line);
        if (row.rules != XQ_ASIAN || row.expected == XQ_NO_VERDICT ||
            strcmp(row.id, "id-a3") == 0) /* two loops, each its own window */
            continue;
        xq_profile pr;
        xq_profile_init(&pr, XQ_ASIAN);
        struct line_of_play line = repeated(&window, 3);
        xq_ruling r;
        for (uint32_t k = 0; k < window.n; k++) {
            const xq_pos first = pos_after(&line, k);
            xq_judge_window(&pr, &first, line.moves + k, window.n, &r);
            if (r.outcome != row.expected)
                fail_row(&row, &r);
            assert_int_equal(r.from_ply, 1);
            assert_int_equal(r.to_ply, window.n);
        }
        for (pr.repetitions = 2; pr.repetitions <= 4; pr.repetitions++) {
            r = ruling_from(&pr, &line, 0);
            if (r.outcome != row.expected)
                fail_row(&row, &r);
            assert_int_equal(r.occurrences, pr.repetitions);
            assert_true(r.to_ply <= window.n * (pr.repetitions - 1));
        }
    }
    fclose(f);
}

/* A loop that goes on is judged again at each ply, and the same. */
static void each_further_ply_is_judged_again(void **state)
{
    FILE *f = open_data("repetition.tsv");
    struct repetition_row row;
    (void)state;
    while (next_row(f, &row)) {
        const struct line_of_play window = window_of(&row.line);
        if (row.rules != XQ_ASIAN || window.n == 0 ||
            row.expected == XQ_NO_VERDICT || strcmp(row.id, "id-a3") == 0)
            continue;
        const struct line_of_play line = repeated(&window, 5);
        xq_profile pr;
        xq_profile_init(&pr, XQ_ASIAN);
        xq_ruling r = ruling_from(&pr, &line, 0);
        uint32_t rulings = 0;
        while (r.ending != XQ_GOES_ON) {
            rulings++;
            assert_int_equal(r.ending, XQ_REPEATED);
            if (r.outcome != row.expected)
                fail_row(&row, &r);
            r = ruling_from(&pr, &line, r.to_ply + 1);
        }
        assert_int_equal(r.to_ply, line.n);
        assert_true(rulings >= 3 * window.n + 1);
    }
    fclose(f);
}

/* ---- explained ---- */

/* Pieces by the square they stood on at first, from 1. */
struct names {
    uint8_t at[XQ_SQUARES];
};

static void move_name(struct names *names, xq_move m)
{
    names->at[xq_move_to(m)] = names->at[xq_move_from(m)];
    names->at[xq_move_from(m)] = 0;
}

/* Is it a draw by an article about an attack that is no chase? */
static bool names_an_attack(const xq_ruling *r)
{
    static const char *const ARTICLES[] = {"A-12", "A-31", "A-35", "A-36"};
    for (size_t i = 0; i < sizeof ARTICLES / sizeof *ARTICLES; i++)
        if (r->outcome == XQ_DRAW && strcmp(r->article, ARTICLES[i]) == 0)
            return true;
    return false;
}

/* What xq_explain_ply says of the plies adds up to the level, and shows the
 * attack that the article is about. */
static void check_explanation(const struct line_of_play *w, const char *id)
{
    xq_profile pr;
    xq_ruling r;
    xq_ply ply;
    struct names names = {{0}};
    uint32_t plies[2][4] = {{0}};
    unsigned chased[2][XQ_SQUARES + 1] = {{0}};
    unsigned attacked[2][XQ_SQUARES + 1] = {{0}};
    xq_profile_init(&pr, XQ_ASIAN);
    xq_judge_window(&pr, &w->start, w->moves, w->n, &r);
    for (xq_sq s = 0; s < XQ_SQUARES; s++)
        names.at[s] = w->start.at[s] ? (uint8_t)(s + 1) : 0;
    for (uint32_t i = 0; i < w->n; i++) {
        bool counted[XQ_SQUARES + 1] = {false}, any = false;
        bool shown[XQ_SQUARES + 1] = {false};
        const int side = w->start.side ^ (i & 1);
        xq_explain_ply(&pr, &w->start, w->moves, w->n, i, &ply);
        move_name(&names, w->moves[i]);
        assert_int_equal(ply.move, w->moves[i]);
        assert_true(ply.count <= XQ_MAX_ATTACKS);
        for (unsigned k = 0; k < ply.count; k++) {
            const xq_attack *a = &ply.attacks[k];
            const bool counts = a->how & XQ_HOW_ANSWERED &&
                                !(a->how & (XQ_HOW_EXCUSED | XQ_HOW_SPARED));
            assert_int_equal(xq_piece_side(a->attacker_piece), side);
            assert_int_equal(xq_piece_side(a->victim_piece), !side);
            counted[names.at[a->victim]] |= counts;
            shown[names.at[a->victim]] = true;
            any |= counts;
            if (a->how & XQ_HOW_LASTING && r.side[side].level != 1)
                fail_msg("%s: ply %u: lasting, but level %u", id, (unsigned)i,
                         r.side[side].level);
        }
        assert_int_equal(any, (ply.traits & XQ_TRAIT_CHASES) != 0);
        plies[side][ply.nature]++;
        for (int v = 1; v <= XQ_SQUARES; v++) {
            chased[side][v] += counted[v] && ply.nature != XQ_CHECK;
            attacked[side][v] += shown[v];
        }
    }
    if (names_an_attack(&r)) {
        bool found = false;
        for (int v = 1; v <= XQ_SQUARES; v++)
            found |= attacked[0][v] == w->n / 2 || attacked[1][v] == w->n / 2;
        if (!found)
            fail_msg("%s: %s, but no attack is shown on every ply", id,
                     r.article);
    }
    for (int s = 0; s < 2; s++) {
        bool lasting = false;
        for (int v = 1; v <= XQ_SQUARES; v++)
            lasting |= chased[s][v] == w->n / 2;
        const int level = plies[s][XQ_CHECK] == w->n / 2   ? 2
                          : lasting && !plies[s][XQ_CHECK] ? 1
                                                           : 0;
        if (r.side[s].level != level)
            fail_msg("%s: side %d: level %u, explained as %d", id, s,
                     r.side[s].level, level);
        assert_int_equal(r.side[s].plies[XQ_CHECK], plies[s][XQ_CHECK]);
        assert_int_equal(r.side[s].plies[XQ_CHASE], plies[s][XQ_CHASE]);
        assert_int_equal(r.side[s].plies[XQ_IDLE],
                         plies[s][XQ_IDLE] + plies[s][XQ_MATE_THREAT]);
    }
}

static void explanations_add_up(void **state)
{
    FILE *f = open_data("repetition.tsv");
    struct repetition_row row;
    (void)state;
    while (next_row(f, &row)) { /* those of the Chinese rules as well */
        const struct line_of_play window = window_of(&row.line);
        if (window.n)
            check_explanation(&window, row.id);
    }
    fclose(f);
}

static void explanations_of_random_cycles_add_up(void **state)
{
    uint64_t x = seed_of_run();
    unsigned cycles = 0;
    (void)state;
    while (cycles < 5000) {
        struct cycle c;
        uint8_t bytes[64];
        char id[64];
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(random_next(&x) >> 32);
        const unsigned pieces = 2 + random_below(&x, 12);
        bytes[0] = (uint8_t)((bytes[0] & 7) | pieces << 3);
        if (!cycle_of(bytes, sizeof bytes, &c))
            continue;
        struct line_of_play l = {.start = c.start, .n = c.n};
        memcpy(l.moves, c.moves, sizeof c.moves);
        snprintf(id, sizeof id, "cycle %u of seed %llu", cycles++,
                 (unsigned long long)seed_of_run());
        check_explanation(&l, id);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asian_rows_are_judged_as_published),
        cmocka_unit_test(articles_are_as_pinned),
        cmocka_unit_test(both_wings_and_both_colours_are_alike),
        cmocka_unit_test(where_the_loop_begins_and_ends_does_not_matter),
        cmocka_unit_test(each_further_ply_is_judged_again),
        cmocka_unit_test(explanations_add_up),
        cmocka_unit_test(explanations_of_random_cycles_add_up),
    };
    return cmocka_run_group_tests_name("referee, table", tests, NULL, NULL);
}
