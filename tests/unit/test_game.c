/* Results, tags, the walk and the digest of games. */
#include "tests/unit/engine_util.h"
#include "tests/unit/game_util.h"

#include <stdio.h>
#include <time.h>

/* ---- results ---- */

/* Case S33 and more. */
static void results_in_any_spelling(void **state)
{
    static const struct {
        const char *text;
        pgn_result r;
    } T[] = {
        {"1-0", PGN_RED_WINS},
        {"0-1", PGN_BLACK_WINS},
        {"1/2-1/2", PGN_DRAW},
        {"*", PGN_UNKNOWN},
        {"", PGN_UNKNOWN},
        {"?", PGN_UNKNOWN},
        {"0.5-0.5", PGN_DRAW},
        {"½-½", PGN_DRAW},
        {"1/2", PGN_DRAW},
        {"红胜", PGN_RED_WINS},
        {"紅勝", PGN_RED_WINS},
        {"黑先胜", PGN_BLACK_WINS},
        {"黑先負", PGN_RED_WINS},
        {"红先负", PGN_BLACK_WINS},
        {"和棋", PGN_DRAW},
        {"和局", PGN_DRAW},
        {"红先和", PGN_DRAW},
        {"1-0 ", PGN_RED_WINS},
        {" 0 - 1\t", PGN_BLACK_WINS},
        {"１－０", PGN_RED_WINS},
        {"1–0", PGN_RED_WINS},
        {"先胜", PGN_RED_WINS},
        {"红方胜", PGN_RED_WINS},
        {"Draw", PGN_DRAW},
        {"Red wins", PGN_RED_WINS},
        {"黑方勝", PGN_BLACK_WINS},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        pgn_result r = (pgn_result)99;
        if (!pgn_result_parse(xq_str_of(T[i].text), &r) || r != T[i].r)
            fail_msg("'%s' read as %d", T[i].text, (int)r);
    }
}

static void what_is_no_result(void **state)
{
    static const char *const T[] = {"1-1", "2-0", "1-0-0",    "won",
                                    "红",  "1",   "炮二平五", "\xFF"};
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        pgn_result r;
        if (pgn_result_parse(xq_str_of(T[i]), &r))
            fail_msg("'%s' read as %d", T[i], (int)r);
    }
}

static void results_are_written_as_read(void **state)
{
    (void)state;
    for (int i = PGN_UNKNOWN; i <= PGN_DRAW; i++) {
        pgn_result r;
        assert_true(
            pgn_result_parse(xq_str_of(pgn_result_text((pgn_result)i)), &r));
        assert_int_equal(r, i);
    }
}

/* ---- tags ---- */

static void tag_is(const pgn_game *g, const char *name, const char *value)
{
    xq_str v = pgn_game_tag(g, name);
    if (!value) {
        assert_null(v.s);
        return;
    }
    assert_non_null(v.s);
    assert_true(xq_str_eq(v, xq_str_of(value)));
}

static void tags_are_found_by_either_name(void **state)
{
    (void)state;
    struct made *m = make_game(NULL, "");
    add_tag(m, "event", "E");
    add_tag(m, "White", "W");
    add_tag(m, "WhiteElo", "2400");
    add_tag(m, "Black", "B");
    add_tag(m, "Site", "");
    tag_is(&m->g, "Event", "E");
    tag_is(&m->g, "Red", "W");
    tag_is(&m->g, "redelo", "2400");
    tag_is(&m->g, "Black", "B");
    tag_is(&m->g, "Site", "");
    tag_is(&m->g, "BlackElo", NULL);
    tag_is(&m->g, "Even", NULL);
    add_tag(m, "Red", "R"); /* the own name comes first */
    tag_is(&m->g, "Red", "R");
    tag_is(&m->g, "White", "W");
    free_game(m);
}

/* ---- walk ---- */

/* The walk as text: depth, ply and move of each step. */
static void walk_is(const char *text, const char *want)
{
    struct made *m = make_game(NULL, text);
    char got[512];
    size_t n = 0;
    pgn_walk w;
    got[0] = 0;
    pgn_walk_start(&w, &m->g);
    while (pgn_walk_next(&w)) {
        char move[5];
        xq_move_format(w.move, move);
        assert_int_equal(w.move, m->g.nodes[w.node].move);
        assert_true(xq_move_is_legal(&w.pos, w.move));
        assert_int_equal(w.pos.key, xq_key_of(&w.pos));
        n += (size_t)snprintf(got + n, sizeof got - n, "%s%u.%u%s",
                              n ? " " : "", w.depth, w.ply, move);
    }
    assert_false(w.failed);
    assert_false(pgn_walk_next(&w)); /* and again */
    pgn_walk_end(&w);
    assert_string_equal(got, want);
    free_game(m);
}

static void walk_goes_in_written_order(void **state)
{
    (void)state;
    walk_is("", "");
    walk_is("h2e2 h9g7", "0.1h2e2 0.2h9g7");
    walk_is("h2e2 (b2e2)", "0.1h2e2 1.1b2e2");
    walk_is("h2e2 h9g7 (h7e7 h0g2 (b0c2) h9g7) (b9c7) h0g2 i9h9",
            "0.1h2e2 0.2h9g7 1.1h7e7 1.2h0g2 2.1b0c2 1.3h9g7 1.1b9c7 "
            "0.3h0g2 0.4i9h9");
    walk_is("h2e2 (b2e2 h9g7 (b9c7 h0g2)) (c3c4) h9g7",
            "0.1h2e2 1.1b2e2 1.2h9g7 2.1b9c7 2.2h0g2 1.1c3c4 0.2h9g7");
}

/* Each move is answered by a variation of the next: as deep as it is long. */
static char *deep_text(size_t levels)
{
    static const char *const CYCLE[] = {"i0i1", "i9i8", "i1i0", "i8i9"};
    static const char *const OTHER[] = {"a0a1", "a9a8", "a0a1", "a9a8"};
    char *s = malloc(levels * 16 + 16), *p = s;
    assert_non_null(s);
    for (size_t i = 0; i < levels; i++)
        p += sprintf(p, "%s (%s ", CYCLE[i % 4],
                     i + 1 < levels ? CYCLE[i % 4] : OTHER[i % 4]);
    memset(p, ')', levels);
    p[levels] = 0;
    return s;
}

static void walk_and_digest_at_any_depth(void **state)
{
    (void)state;
    enum { LEVELS = 20000 };
    char *text = deep_text(LEVELS);
    struct made *m = make_game(NULL, text);
    pgn_walk w;
    size_t n = 0;
    uint32_t deepest = 0;
    pgn_walk_start(&w, &m->g);
    while (pgn_walk_next(&w)) {
        n++;
        deepest = w.depth > deepest ? w.depth : deepest;
        if (n % 500 == 0)
            assert_int_equal(w.pos.key, xq_key_of(&w.pos));
    }
    assert_false(w.failed);
    assert_int_equal(n, 2 * LEVELS);
    assert_int_equal(deepest, LEVELS);
    assert_int_equal(w.pos.key, m->g.start.key); /* all taken back */
    pgn_walk_end(&w);
    pgn_digest d = pgn_game_digest(&m->g);
    assert_true(d.hi || d.lo);
    free_game(m);
    free(text);
}

static void walk_may_end_early(void **state)
{
    (void)state;
    struct made *m = make_game(NULL, "h2e2 (b2e2 h9g7 (b9c7)) h9g7");
    pgn_walk w;
    pgn_walk_start(&w, &m->g);
    for (int i = 0; i < 4; i++)
        assert_true(pgn_walk_next(&w));
    assert_int_equal(w.depth, 2);
    pgn_walk_end(&w);
    free_game(m);
}

/* ---- digest ---- */

static bool same(pgn_digest a, pgn_digest b)
{
    return a.hi == b.hi && a.lo == b.lo;
}

static pgn_digest digest_of(const char *fen, const char *text)
{
    struct made *m = make_game(fen, text);
    pgn_digest d = pgn_game_digest(&m->g);
    free_game(m);
    return d;
}

/* Games that must all differ: what is said, where, and how it hangs
 * together. */
static void digest_tells_games_apart(void **state)
{
    static const struct {
        const char *fen, *text;
    } T[] = {
        {NULL, ""},
        {NULL, "h2e2"},
        {NULL, "h2e2 h9g7"},
        {"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKAB1R w", ""},
        {"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b", ""},
        {NULL, "{a} h2e2"},
        {NULL, "h2e2 {a}"},
        {NULL, "h2e2 {b}"},
        {NULL, "h2e2 {a} {b}"},
        {NULL, "h2e2 {b} {a}"},
        {NULL, "h2e2 {ab}"},
        {NULL, "h2e2 {a} h9g7 {b}"},
        {NULL, "h2e2 h9g7 {a} {b}"},
        {NULL, "h2e2 h9g7 {ab}"},
        {NULL, "h2e2 $1"},
        {NULL, "h2e2 $2"},
        {NULL, "h2e2 $1 $2"},
        {NULL, "h2e2 $2 $1"},
        {NULL, "$1 h2e2"},
        {NULL, "h2e2 (b2e2)"},
        {NULL, "h2e2 ({a} b2e2)"},
        {NULL, "h2e2 (b2e2 {a})"},
        {NULL, "h2e2 (b2e2) {a}"},
        {NULL, "b2e2 (h2e2)"},
        {NULL, "h2e2 (b2e2 h9g7)"},
        {NULL, "h2e2 (b2e2) h9g7"},
        {NULL, "h2e2 (b2e2) (h0g2)"},
        {NULL, "h2e2 (h0g2) (b2e2)"},
        {NULL, "h2e2 (b2e2 h9g7 (b9c7)) h9g7"},
        {NULL, "h2e2 (b2e2 h9g7) h9g7 (b9c7)"},
        {NULL, "h2e2 (b2e2 h9g7) (b2e2 b9c7) h9g7"},
        {NULL, "h2e2 (b2e2 h9g7 b0c2 (h0g2)) h9g7"},
        {NULL, "h2e2 (b2e2 h9g7 (b9c7) b0c2) h9g7"},
        {NULL, "h2e2 (b2e2 h9g7 (b9c7 b0c2)) h9g7"},
    };
    enum { N = sizeof T / sizeof *T };
    pgn_digest d[N];
    (void)state;
    for (size_t i = 0; i < N; i++) {
        d[i] = digest_of(T[i].fen, T[i].text);
        assert_true(same(d[i], digest_of(T[i].fen, T[i].text)));
        for (size_t k = 0; k < i; k++)
            if (same(d[i], d[k]))
                fail_msg("one digest: \"%s\" and \"%s\"", T[i].text, T[k].text);
    }
}

static pgn_digest digest_of_tags(const char *const *tags, pgn_result r)
{
    struct made *m = make_game(NULL, "h2e2");
    for (; *tags; tags += 2)
        add_tag(m, tags[0], tags[1]);
    m->g.result = r;
    pgn_digest d = pgn_game_digest(&m->g);
    free_game(m);
    return d;
}

static void digest_of_tags_knows_no_order(void **state)
{
    static const char *const A[] = {"Red", "a", "Black", "b", NULL};
    static const char *const B[] = {"Black", "b", "Red", "a", NULL};
    static const char *const OTHERS[][5] = {
        {NULL},
        {"Red", "a", NULL},
        {"Red", "b", "Black", "a", NULL},
        {"Red", "ab", "Black", "", NULL},
        {"Red", "", "Black", "ab", NULL},
        {"Reda", "", "Black", "b", NULL},
        {"Red", "a", "Red", "a", NULL},
        {"red", "a", "Black", "b", NULL},
    };
    (void)state;
    pgn_digest a = digest_of_tags(A, PGN_DRAW);
    assert_true(same(a, digest_of_tags(B, PGN_DRAW)));
    assert_false(same(a, digest_of_tags(A, PGN_UNKNOWN)));
    enum { N = sizeof OTHERS / sizeof *OTHERS };
    pgn_digest d[N];
    for (size_t i = 0; i < N; i++) {
        d[i] = digest_of_tags(OTHERS[i], PGN_DRAW);
        assert_false(same(a, d[i]));
        for (size_t k = 0; k < i; k++)
            assert_false(same(d[i], d[k]));
    }
}

/* The JSON layout keeps NAGs and comments apart: their order among each
 * other is nothing of the game's. */
static void digest_ignores_how_notes_mix(void **state)
{
    (void)state;
    assert_true(same(digest_of(NULL, "h2e2 $1 {a} $3 {b}"),
                     digest_of(NULL, "h2e2 {a} {b} $1 $3")));
}

/* Text longer than the buffer, and a boundary anywhere in it. */
static void digest_of_long_comments(void **state)
{
    enum { LEN = 5000 };
    static char text[LEN + 64];
    pgn_digest last = {0, 0};
    (void)state;
    for (size_t cut = 1; cut < LEN; cut += 97) {
        memset(text, 'x', sizeof text);
        memcpy(text, "h2e2 {", 6);
        memcpy(text + 6 + cut, "} {", 3);
        memcpy(text + 6 + LEN + 3, "}", 2);
        pgn_digest d = digest_of(NULL, text);
        assert_false(same(d, last));
        last = d;
    }
}

/* Files hold digests: they never change. */
static void digest_vectors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t hi, lo;
    } T[] = {
        {"", UINT64_C(0xB3399BB337329948), UINT64_C(0xB3FEE3FC64776673)},
        {"h2e2 h9g7", UINT64_C(0x15EE5443D5EA2A87),
         UINT64_C(0x0B440308116D5BCD)},
        {"h2e2 {x} (b2e2 $1) h9g7", UINT64_C(0x07047C345D12EDA1),
         UINT64_C(0xE488768C46B6F50B)},
    };
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        pgn_digest d = digest_of(NULL, T[i].text);
        if (d.hi != T[i].hi || d.lo != T[i].lo)
            fail_msg("\"%s\": 0x%016llX, 0x%016llX", T[i].text,
                     (unsigned long long)d.hi, (unsigned long long)d.lo);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_in_any_spelling),
        cmocka_unit_test(what_is_no_result),
        cmocka_unit_test(results_are_written_as_read),
        cmocka_unit_test(tags_are_found_by_either_name),
        cmocka_unit_test(walk_goes_in_written_order),
        cmocka_unit_test(walk_and_digest_at_any_depth),
        cmocka_unit_test(walk_may_end_early),
        cmocka_unit_test(digest_tells_games_apart),
        cmocka_unit_test(digest_of_tags_knows_no_order),
        cmocka_unit_test(digest_ignores_how_notes_mix),
        cmocka_unit_test(digest_of_long_comments),
        cmocka_unit_test(digest_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
