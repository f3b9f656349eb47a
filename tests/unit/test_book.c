/* test_book.c - the book against a slow, obvious count, and the cases
 * S62-S68 of users.  QIPU_SEED sets the seed of the random games. */
#include "bookdb/book_block.h"
#include "bookdb/book_rows.h"
#include "tests/unit/engine_util.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a folder of its own ---- */

static char dir[] = "/tmp/qipu-book-XXXXXX";

static const char *path_of(const char *name)
{
    static char buf[8][64];
    static unsigned k;
    char *p = buf[k++ % 8];
    snprintf(p, sizeof buf[0], "%s/%s", dir, name);
    return p;
}

static int make_dir(void **state)
{
    (void)state;
    return mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
    char cmd[96];
    (void)state;
    snprintf(cmd, sizeof cmd, "rm -rf '%s'", dir);
    return system(cmd) == 0 ? 0 : -1;
}

static void *room(size_t n)
{
    void *p = calloc(1, n ? n : 1);
    assert_non_null(p);
    return p;
}

/* Without bytes that differ although the books do not: all of them. */
static void assert_same_file(const char *a, const char *b)
{
    char cmd[200];
    snprintf(cmd, sizeof cmd, "cmp '%s' '%s'", a, b);
    if (system(cmd) != 0)
        fail_msg("%s and %s differ", a, b);
}

/* ---- games without a file ---- */

struct game {
    pgn_game g;
    xq_move moves[120];
    pgn_tag tags[5];
    char number[16], date[8], elo[2][8];
};

static void set_tag(struct game *t, const char *name, const char *value)
{
    t->tags[t->g.ntags++] = (pgn_tag){xq_str_of(name), xq_str_of(value)};
}

static void start_game(struct game *t, const char *fen, pgn_result result)
{
    memset(t, 0, sizeof *t);
    t->g.main = t->moves;
    t->g.tags = t->tags;
    t->g.result = result;
    t->g.standard = !fen;
    if (fen)
        t->g.start = pos_of(fen);
    else
        xq_pos_start(&t->g.start);
}

/* Moves as "h2e2 h9g7". */
static void make_game(struct game *t, const char *fen, const char *moves,
                      pgn_result result)
{
    start_game(t, fen, result);
    for (; strlen(moves) >= 4; moves += moves[4] ? 5 : 4) {
        const char m[5] = {moves[0], moves[1], moves[2], moves[3], 0};
        t->moves[t->g.plies++] = xq_move_parse(m);
        assert_true(t->moves[t->g.plies - 1] != XQ_NOMOVE);
    }
}

/* Games that share beginnings, repeat positions, are mirrored, start
 * elsewhere, and are there twice. */
static struct game *random_games(unsigned n, uint64_t *seed)
{
    struct game *v = room(n * sizeof *v);
    for (unsigned i = 0; i < n; i++) {
        struct game *t = &v[i];
        start_game(t,
                   random_below(seed, 8) ? NULL : "3k5/9/9/9/9/9/9/9/9/4K2R1 w",
                   (pgn_result)random_below(seed, 4));
        const unsigned plies = random_below(seed, 100);
        const bool mirror = random_below(seed, 2);
        xq_pos p = t->g.start;
        for (unsigned k = 0; k < plies; k++) {
            xq_move m = XQ_NOMOVE;
            if (k < 6 && random_below(seed, 4)) {
                /* the first of a few moves: games share beginnings */
                xq_movelist list;
                xq_gen_legal(&p, &list);
                m = list.n ? list.m[random_below(seed, 2) % list.n] : m;
            } else if (k >= 2 && random_below(seed, 2)) {
                const xq_move b = t->moves[k - 2]; /* back again */
                m = xq_move_make(xq_move_to(b), xq_move_from(b));
            }
            if (!m || !xq_move_is_legal(&p, m))
                m = random_move(&p, seed);
            if (!m)
                break;
            t->moves[t->g.plies++] = m;
            xq_pos_make(&p, m, NULL);
        }
        if (mirror && t->g.standard)
            for (unsigned k = 0; k < t->g.plies; k++)
                t->moves[k] = xq_move_mirror(t->moves[k]);
        /* An eighth of the games has no number: some are exact duplicates. */
        if (random_below(seed, 8)) {
            snprintf(t->number, sizeof t->number, "%u", i);
            set_tag(t, "Event", t->number);
        }
        if (random_below(seed, 3)) {
            snprintf(t->date, sizeof t->date, "%u",
                     random_below(seed, 9) ? 1990 + random_below(seed, 30)
                                           : 1850);
            set_tag(t, "Date", t->date);
        }
        if (random_below(seed, 3) == 0)
            for (unsigned k = 0; k < 2; k++) {
                snprintf(t->elo[k], sizeof t->elo[k], "%u",
                         1500 + random_below(seed, 1000));
                set_tag(t, k ? "BlackElo" : "RedElo", t->elo[k]);
            }
    }
    return v;
}

/* ---- building ---- */

struct count {
    uint64_t added, duplicates;
};

static struct count build(const char *path, struct game *v, size_t n,
                          const size_t *order, bk_maker_options o, bk_filter f)
{
    struct count c = {0};
    bk_maker *m;
    bk_rows rows = {0};
    xq_err err;
    if (bk_maker_open(&m, path, &o, &err) != XQ_OK)
        fail_msg("%s", err.msg);
    f.one_wing = bk_maker_one_wing(m);
    for (size_t i = 0; i < n; i++) {
        bk_rows_add(&rows, &v[order ? order[i] : i].g, &f);
        assert_false(rows.failed);
        if (i % 7 == 6 || i + 1 == n) {
            const xq_status rc =
                bk_maker_add(m, &rows, &c.added, &c.duplicates, &err);
            if (rc != XQ_OK)
                fail_msg("%s", err.msg);
            bk_rows_clear(&rows);
        }
    }
    if (bk_maker_finish(m, &err) != XQ_OK)
        fail_msg("%s", err.msg);
    bk_maker_close(m);
    bk_rows_free(&rows);
    return c;
}

static struct count build_plain(const char *path, struct game *v, size_t n)
{
    return build(path, v, n, NULL, (bk_maker_options){0}, (bk_filter){0});
}

static bk_book *open_book(const char *path)
{
    bk_book *b;
    xq_err err;
    if (bk_book_open(&b, path, &err) != XQ_OK)
        fail_msg("%s", err.msg);
    return b;
}

/* ---- the slow, obvious count ---- */

struct oracle {
    bk_entry *v;
    size_t n, cap;
    bool one_wing;
};

static bk_entry *entry_of(struct oracle *o, xq_key key)
{
    for (size_t i = 0; i < o->n; i++)
        if (o->v[i].key == key)
            return &o->v[i];
    if (o->n == o->cap) {
        o->cap = o->cap ? 2 * o->cap : 256;
        o->v = realloc(o->v, o->cap * sizeof *o->v);
        assert_non_null(o->v);
    }
    o->v[o->n] = (bk_entry){.key = key};
    return &o->v[o->n++];
}

static bk_book_move *move_of(bk_entry *e, xq_move m)
{
    for (unsigned i = 0; i < e->n; i++)
        if (e->moves[i].move == m)
            return &e->moves[i];
    e->moves[e->n] = (bk_book_move){.move = m};
    return &e->moves[e->n++];
}

static void count_result(bk_counts *c, pgn_result r)
{
    if (r == PGN_RED_WINS)
        c->red++;
    else if (r == PGN_BLACK_WINS)
        c->black++;
    else if (r == PGN_DRAW)
        c->draw++;
    else
        c->unknown++;
}

static void oracle_add(struct oracle *o, const struct game *t)
{
    xq_key seen[121];
    xq_move played[121];
    xq_pos p = t->g.start;
    for (unsigned k = 0; k <= t->g.plies; k++) {
        bool mirrored = false, position = false, move = false;
        seen[k] = o->one_wing ? p.key : xq_canon_key(&p, &mirrored);
        played[k] = XQ_NOMOVE;
        if (k < t->g.plies)
            played[k] =
                o->one_wing ? t->moves[k] : xq_canon_move(&p, t->moves[k]);
        for (unsigned i = 0; i < k; i++)
            if (seen[i] == seen[k]) {
                position = true;
                move = move || played[i] == played[k];
            }
        bk_entry *e = entry_of(o, seen[k]);
        if (!position)
            count_result(&e->counts, t->g.result);
        if (k == t->g.plies)
            break;
        if (!move) {
            bk_book_move *m = move_of(e, played[k]);
            count_result(&m->counts, t->g.result);
            if (t->elo[0][0]) {
                m->elo_games++;
                m->elo_sum += (uint64_t)atoi(t->elo[p.side]);
            }
            const int year = atoi(t->date);
            if (year > m->last_year)
                m->last_year = (uint16_t)year;
        }
        xq_pos_make(&p, t->moves[k], NULL);
    }
}

static void assert_counts(const bk_counts *a, const bk_counts *b)
{
    assert_int_equal(a->red, b->red);
    assert_int_equal(a->draw, b->draw);
    assert_int_equal(a->black, b->black);
    assert_int_equal(a->unknown, b->unknown);
}

static void assert_entry(const bk_entry *a, bk_entry *b)
{
    assert_true(a->key == b->key);
    assert_counts(&a->counts, &b->counts);
    assert_int_equal(a->n, b->n);
    for (unsigned i = 0; i < a->n; i++) {
        const bk_book_move *x = &a->moves[i], *y = move_of(b, x->move);
        assert_counts(&x->counts, &y->counts);
        assert_int_equal(x->elo_games, y->elo_games);
        assert_int_equal(x->elo_sum, y->elo_sum);
        assert_int_equal(x->last_year, y->last_year);
        assert_int_equal(x->weight_given, y->weight_given);
    }
    assert_int_equal(a->n, b->n);
}

static void assert_book(const char *path, struct oracle *o)
{
    bk_book *b = open_book(path);
    bk_cursor *c;
    bk_book_info info, checked;
    xq_err err;
    bk_entry *e = room(sizeof *e);
    size_t n = 0;
    uint64_t moves = 0;
    xq_status rc;
    assert_int_equal(bk_cursor_open(&c, b, &err), XQ_OK);
    while ((rc = bk_cursor_next(c, e, &err)) == XQ_OK) {
        bk_entry *want = entry_of(o, e->key);
        assert_entry(e, want);
        n++;
        moves += e->n;
    }
    assert_int_equal(rc, XQ_DONE);
    assert_int_equal(n, o->n); /* entry_of would have added one */
    assert_int_equal(bk_book_get_info(b, &info, &err), XQ_OK);
    assert_int_equal(info.positions, n);
    assert_int_equal(info.moves, moves);
    assert_int_equal(info.one_wing, o->one_wing);
    bk_cursor_close(c);
    bk_book_close(b);
    if (bk_book_check(path, &checked, &err) != XQ_OK)
        fail_msg("%s", err.msg);
    free(e);
}

static void shuffle(size_t *order, size_t n, uint64_t *seed)
{
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = n; i > 1; i--) {
        const size_t j = random_below(seed, (unsigned)i), x = order[j];
        order[j] = order[i - 1];
        order[i - 1] = x;
    }
}

static void counts_equal_the_slow_count(void **state)
{
    enum { N = 250 };
    uint64_t seed = seed_of_run();
    struct game *v = random_games(N, &seed);
    (void)state;
    for (int one_wing = 0; one_wing < 2; one_wing++) {
        struct oracle o = {.one_wing = one_wing};
        size_t order[N], distinct = 0;
        for (size_t i = 0; i < N; i++) {
            const pgn_digest d = pgn_game_digest(&v[i].g);
            bool known = false;
            for (size_t k = 0; k < i && !known; k++)
                known = bk_digest_cmp(d, pgn_game_digest(&v[k].g)) == 0;
            distinct += !known;
            if (!known)
                oracle_add(&o, &v[i]);
        }
        const char *first = path_of("first.book");
        for (int turn = 0; turn < 4; turn++) {
            const char *path = turn ? path_of("other.book") : first;
            const bk_maker_options opts = {.one_wing = one_wing,
                                           .memory = turn % 2 ? 1 : 0};
            shuffle(order, N, &seed);
            const struct count c =
                build(path, v, N, order, opts, (bk_filter){0});
            assert_int_equal(c.added, distinct);
            assert_int_equal(c.duplicates, N - distinct);
            if (turn == 0)
                assert_book(path, &o);
            else
                assert_same_file(first, path);
        }
        free(o.v);
    }
    free(v);
}

static bool at_once(void) { return true; }

static void adding_and_merging_equal_building(void **state)
{
    enum { N = 300, HALF = 130 };
    uint64_t seed = seed_of_run() + 1;
    struct game *v = random_games(N, &seed);
    xq_err err;
    uint64_t both = 0;
    (void)state;
    /* no duplicates across the halves: merging counts them twice */
    for (unsigned i = 0; i < N; i++) {
        snprintf(v[i].number, sizeof v[i].number, "n%u", i);
        set_tag(&v[i], "Site", v[i].number);
    }
    build_plain(path_of("all.book"), v, N);
    build_plain(path_of("a.book"), v, HALF);
    build_plain(path_of("b.book"), v + HALF, N - HALF);
    const char *in[] = {path_of("b.book"), path_of("a.book")};
    assert_int_equal(
        bk_book_merge(path_of("merged.book"), in, 2, NULL, &both, &err), XQ_OK);
    assert_int_equal(both, 0);
    assert_same_file(path_of("all.book"), path_of("merged.book"));

    /* add to a, in place */
    const char *a = path_of("a.book");
    struct count c = build(a, v + HALF, N - HALF, NULL,
                           (bk_maker_options){.base = a}, (bk_filter){0});
    assert_int_equal(c.added, N - HALF);
    assert_same_file(path_of("all.book"), a);
    /* S68: the same games again add nothing */
    c = build(a, v, N, NULL, (bk_maker_options){.base = a}, (bk_filter){0});
    assert_int_equal(c.added, 0);
    assert_int_equal(c.duplicates, N);
    assert_same_file(path_of("all.book"), a);

    /* a book with itself: every game in both */
    const char *twice[] = {path_of("b.book"), path_of("b.book")};
    assert_int_equal(
        bk_book_merge(path_of("twice.book"), twice, 2, NULL, &both, &err),
        XQ_OK);
    assert_int_equal(both, N - HALF);
    /* stopped: nothing is left */
    assert_int_equal(
        bk_book_merge(path_of("stop.book"), twice, 2, at_once, &both, &err),
        XQ_DONE);
    assert_int_not_equal(access(path_of("stop.book"), F_OK), 0);
    assert_int_not_equal(access(path_of("stop.book.tmp"), F_OK), 0);
    /* several at once, and the kinds are not mixed */
    const char *none[] = {path_of("all.book"), path_of("wing.book")};
    build(none[1], v, N, NULL, (bk_maker_options){.one_wing = true},
          (bk_filter){0});
    assert_int_equal(
        bk_book_merge(path_of("no.book"), none, 2, NULL, &both, &err),
        XQ_EILLEGAL);
    assert_int_not_equal(access(path_of("no.book"), F_OK), 0);
    assert_int_not_equal(access(path_of("no.book.tmp"), F_OK), 0);
    free(v);
}

/* ---- looking up ---- */

static xq_pos after(const char *moves)
{
    xq_pos p;
    xq_pos_start(&p);
    for (; *moves; moves += moves[4] ? 5 : 4) {
        const char m[5] = {moves[0], moves[1], moves[2], moves[3], 0};
        xq_pos_make(&p, xq_move_parse(m), NULL);
    }
    return p;
}

/* What a book says; *e is the caller's. */
static void find(const char *path, const xq_pos *p, bk_entry *e)
{
    bk_book *b = open_book(path);
    xq_err err;
    if (bk_book_find(b, p, e, NULL, &err) != XQ_OK ||
        bk_book_reached(b, p, e, &err) != XQ_OK)
        fail_msg("%s", err.msg);
    bk_book_close(b);
}

static void assert_move(const bk_entry *e, unsigned i, const char *move,
                        uint32_t games)
{
    char text[5];
    assert_true(i < e->n);
    xq_move_format(e->moves[i].move, text);
    assert_string_equal(text, move);
    assert_int_equal(bk_total(&e->moves[i].counts), games);
}

static void mirror_games_count_in_one_entry(void **state)
{
    static struct game v[2];
    bk_entry e;
    (void)state;
    make_game(&v[0], NULL, "h2e2 h9g7 h0g2", PGN_RED_WINS);
    make_game(&v[1], NULL, "b2e2 b9c7 b0c2", PGN_BLACK_WINS);
    build_plain(path_of("m.book"), v, 2);
    xq_pos p = after("");
    find(path_of("m.book"), &p, &e);
    assert_int_equal(e.n, 1); /* on Red's right */
    assert_move(&e, 0, "h2e2", 2);
    assert_int_equal(e.moves[0].counts.red, 1);
    assert_int_equal(e.moves[0].counts.black, 1);
    assert_int_equal(e.moves[0].reached, 2);
    p = after("h2e2");
    find(path_of("m.book"), &p, &e);
    assert_move(&e, 0, "h9g7", 2);
    p = after("b2e2"); /* the asker's wing */
    find(path_of("m.book"), &p, &e);
    assert_move(&e, 0, "b9c7", 2);
    p = after("h2e2 h9g7 h0g2"); /* where both ended */
    find(path_of("m.book"), &p, &e);
    assert_int_equal(e.n, 0);
    assert_int_equal(bk_total(&e.counts), 2);
    /* --one-wing keeps them apart */
    build(path_of("w.book"), v, 2, NULL, (bk_maker_options){.one_wing = true},
          (bk_filter){0});
    p = after("");
    find(path_of("w.book"), &p, &e);
    assert_int_equal(e.n, 2);
    p = after("b2e2");
    find(path_of("w.book"), &p, &e);
    assert_move(&e, 0, "b9c7", 1);
}

static void seventy_thousand_games_overflow_nothing(void **state)
{
    struct game *t = room(sizeof *t);
    bk_maker *m;
    bk_rows rows = {0};
    xq_err err;
    uint64_t added = 0, dup = 0;
    bk_entry e;
    (void)state;
    make_game(t, NULL, "h2e2 h9g7 h0g2 i9h9", PGN_RED_WINS);
    set_tag(t, "Event", "");
    const bk_maker_options o = {.memory = 1 << 20};
    assert_int_equal(bk_maker_open(&m, path_of("70k.book"), &o, &err), XQ_OK);
    for (int i = 0; i < 70000; i++) {
        snprintf(t->number, sizeof t->number, "%d", i);
        t->tags[0].value = xq_str_of(t->number);
        assert_true(bk_rows_add(&rows, &t->g, &(bk_filter){0}));
        if (i % 100 == 99) {
            assert_int_equal(bk_maker_add(m, &rows, &added, &dup, &err), XQ_OK);
            bk_rows_clear(&rows);
        }
    }
    assert_int_equal(bk_maker_finish(m, &err), XQ_OK);
    bk_maker_close(m);
    bk_rows_free(&rows);
    assert_int_equal(added, 70000);
    assert_int_equal(dup, 0);
    xq_pos p = after("h2e2 h9g7");
    find(path_of("70k.book"), &p, &e);
    assert_move(&e, 0, "h0g2", 70000);
    assert_int_equal(e.moves[0].counts.red, 70000);
    assert_int_equal(e.moves[0].reached, 70000);
    assert_int_equal(e.moves[0].weight, 140000);
    free(t);
}

static void s63_the_rate_is_the_movers(void **state)
{
    static struct game v[3];
    bk_entry e;
    (void)state;
    make_game(&v[0], NULL, "h2e2 h9g7", PGN_BLACK_WINS);
    make_game(&v[1], NULL, "h2e2 h9g7", PGN_BLACK_WINS);
    make_game(&v[2], NULL, "h2e2 b9c7", PGN_RED_WINS);
    set_tag(&v[1], "Event", "another");
    build_plain(path_of("s63.book"), v, 3);
    const xq_pos p = after("h2e2");
    find(path_of("s63.book"), &p, &e);
    assert_move(&e, 0, "h9g7", 2);
    assert_move(&e, 1, "b9c7", 1);
    assert_int_equal(e.moves[0].weight, 4); /* Black won both */
    assert_int_equal(e.moves[1].weight, 0); /* known, never choose */
}

static void s64_both_counts_stand_side_by_side(void **state)
{
    static struct game v[3];
    bk_entry e;
    (void)state;
    make_game(&v[0], NULL, "h2e2 b9c7 b0c2", PGN_RED_WINS);
    make_game(&v[1], NULL, "b0c2 b9c7 h2e2", PGN_BLACK_WINS);
    make_game(&v[2], NULL, "b0c2 b9c7 h2e2", PGN_BLACK_WINS);
    set_tag(&v[2], "Event", "another");
    build_plain(path_of("s64.book"), v, 3);
    xq_pos p = after("h2e2 b9c7");
    find(path_of("s64.book"), &p, &e);
    assert_move(&e, 0, "b0c2", 1);
    assert_int_equal(e.moves[0].counts.red, 1);
    assert_int_equal(e.moves[0].reached, 3);
    p = after("h2e2 b9c7 b0c2");
    find(path_of("s64.book"), &p, &e);
    assert_int_equal(e.counts.red, 1);
    assert_int_equal(e.counts.black, 2);
}

static void s65_unknown_results_are_no_losses(void **state)
{
    static struct game v[4];
    bk_entry e;
    (void)state;
    make_game(&v[0], NULL, "h2e2", PGN_RED_WINS);
    make_game(&v[1], NULL, "h2e2", PGN_DRAW);
    make_game(&v[2], NULL, "h2e2", PGN_UNKNOWN);
    make_game(&v[3], NULL, "h2e2", PGN_BLACK_WINS);
    build_plain(path_of("s65.book"), v, 4);
    const xq_pos p = after("");
    find(path_of("s65.book"), &p, &e);
    const bk_counts want = {.red = 1, .draw = 1, .black = 1, .unknown = 1};
    assert_counts(&e.moves[0].counts, &want);
    assert_int_equal(e.moves[0].weight, 3); /* 1.5 of 3, doubled */
}

static void s66_a_game_counts_where_it_starts(void **state)
{
    static struct game v[2];
    const char *handicap = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/"
                           "RNBAKAB1R w";
    bk_entry e;
    (void)state;
    make_game(&v[0], NULL, "h2e2", PGN_RED_WINS);
    make_game(&v[1], handicap, "h2e2", PGN_RED_WINS);
    build_plain(path_of("s66.book"), v, 2);
    xq_pos p = after("");
    find(path_of("s66.book"), &p, &e);
    assert_int_equal(bk_total(&e.counts), 1);
    p = pos_of(handicap);
    find(path_of("s66.book"), &p, &e);
    assert_int_equal(bk_total(&e.counts), 1);
}

static void s67_a_move_that_is_not_legal_stays_inside(void **state)
{
    bk_maker *m;
    bk_book *b;
    bk_rows rows = {0};
    xq_err err;
    uint64_t added = 0, dup = 0;
    unsigned dropped;
    bk_entry e;
    (void)state;
    const xq_pos p = after("h2e2 h9g7");
    bool mirrored;
    const xq_key key = xq_canon_key(&p, &mirrored);
    assert_true(bk_rows_add(&rows, &(pgn_game){.start = p}, &(bk_filter){0}));
    const uint64_t bad = xq_canon_move(&p, xq_move_parse("e6e5"));
    const uint64_t good = xq_canon_move(&p, xq_move_parse("h0g2"));
    rows.recs = realloc(rows.recs, 2 * sizeof *rows.recs);
    assert_non_null(rows.recs);
    rows.recs[0] = (bk_rec){key, bad << BK_ROW_MOVE};
    rows.recs[1] = (bk_rec){key, good << BK_ROW_MOVE};
    rows.n = rows.cap = rows.ends[0] = 2;
    const bk_maker_options o = {0};
    assert_int_equal(bk_maker_open(&m, path_of("s67.book"), &o, &err), XQ_OK);
    assert_int_equal(bk_maker_add(m, &rows, &added, &dup, &err), XQ_OK);
    assert_int_equal(bk_maker_finish(m, &err), XQ_OK);
    bk_maker_close(m);
    bk_rows_free(&rows);
    b = open_book(path_of("s67.book"));
    assert_int_equal(bk_book_find(b, &p, &e, &dropped, &err), XQ_OK);
    assert_int_equal(dropped, 1);
    assert_int_equal(e.n, 1);
    assert_move(&e, 0, "h0g2", 1);
    bk_book_close(b);
}

static void filters_leave_games_out(void **state)
{
    static struct game v[3];
    bk_entry e;
    (void)state;
    make_game(&v[0], NULL, "h2e2 h9g7 h0g2", PGN_RED_WINS);
    set_tag(&v[0], "Red", "Wang Test");
    set_tag(&v[0], "Date", "1999.??.??");
    make_game(&v[1], NULL, "h2e2 b9c7", PGN_RED_WINS);
    set_tag(&v[1], "RedElo", "2400");
    set_tag(&v[1], "BlackElo", "2300");
    set_tag(&v[1], "Date", "20030501");
    make_game(&v[2], NULL, "b0c2", PGN_RED_WINS);
    const struct {
        bk_filter f;
        unsigned games;
    } T[] = {
        {{0}, 3},
        {{.since = 1999}, 2},
        {{.since = 2000}, 1},
        {{.min_elo = 2300}, 1},
        {{.min_elo = 2301}, 0},
        {{.player = "wang"}, 1},
        {{.player = "li"}, 0},
    };
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        const struct count c =
            build(path_of("f.book"), v, 3, NULL, (bk_maker_options){0}, T[i].f);
        assert_int_equal(c.added, T[i].games);
    }
    build(path_of("f.book"), v, 3, NULL, (bk_maker_options){0},
          (bk_filter){.max_ply = 1});
    xq_pos p = after("h2e2");
    find(path_of("f.book"), &p, &e);
    assert_int_equal(e.n, 0);
    assert_int_equal(bk_total(&e.counts), 2);
    build(path_of("f.book"), v, 3, NULL, (bk_maker_options){.min_games = 2},
          (bk_filter){0});
    p = after("");
    find(path_of("f.book"), &p, &e);
    assert_int_equal(e.n, 1);
    assert_move(&e, 0, "h2e2", 2);
    assert_int_equal(bk_total(&e.counts), 3); /* three stood here */
}

/* ---- blocks ---- */

static void random_entry(bk_entry *e, uint64_t *seed)
{
    const unsigned kind = random_below(seed, 8);
    memset(e, 0, sizeof *e);
    e->n = kind < 5    ? 1
           : kind == 5 ? 0
                       : random_below(seed, kind == 6 ? 5 : 129);
    unsigned move = 0;
    for (unsigned i = 0; i < e->n; i++) {
        bk_book_move *m = &e->moves[i];
        do { /* rising */
            move += 1 + random_below(seed, 60);
        } while (move < 90 << 7 && !bk_move_storable((xq_move)move));
        if (move >= 90 << 7) {
            e->n = i;
            break;
        }
        m->move = (xq_move)move;
        for (unsigned r = 0; r < 4; r++)
            if (random_below(seed, 3) == 0)
                m->counts.by_result[r] =
                    random_below(seed, 9) ? 1 : (uint32_t)random_next(seed);
        if (random_below(seed, 2))
            m->last_year = (uint16_t)(1800 + random_below(seed, 400));
        if (random_below(seed, 9) == 0) {
            m->weight_given = true;
            m->weight = (uint32_t)random_next(seed);
        }
        if (random_below(seed, 4) == 0 && bk_total(&m->counts) <= UINT32_MAX &&
            bk_total(&m->counts) > 0) {
            m->elo_games =
                random_below(seed, 2) ? (uint32_t)bk_total(&m->counts) : 1;
            m->elo_sum = random_below(seed, 30000);
        }
        bk_add_counts(&e->counts, &m->counts);
    }
    if (random_below(seed, 4) == 0)
        e->counts.draw += random_below(seed, 300);
}

static void moves_of_pieces_can_be_stored(void **state)
{
    /* 1530 along lines, 508 of horses, 4 and 4 ways aslant */
    unsigned n = 0;
    (void)state;
    for (unsigned from = 0; from < 90; from++)
        for (unsigned to = 0; to < 90; to++) {
            const xq_move m = xq_move_make((xq_sq)from, (xq_sq)to);
            bk_block_writer *w = room(sizeof *w);
            bk_block_reader r;
            bk_entry e = {.key = 1, .n = 1, .counts = {.red = 1}}, got;
            if (!bk_move_storable(m)) {
                free(w);
                continue;
            }
            n++;
            e.moves[0] = (bk_book_move){.move = m, .counts = {.red = 1}};
            bk_block_start(w);
            assert_true(bk_block_put(w, &e));
            bk_block_seal(w);
            assert_int_equal(bk_block_open(&r, 1, w->value, w->size), XQ_OK);
            assert_int_equal(bk_block_next(&r, &got), XQ_OK);
            assert_int_equal(got.moves[0].move, m);
            free(w);
        }
    assert_int_equal(n, 1530 + 508 + 4 * 8 * 9 + 4 * 7 * 8);
    assert_false(bk_move_storable(XQ_NOMOVE));
    assert_false(bk_move_storable(xq_move_make(0, 90)));
}

static void blocks_give_back_what_was_put(void **state)
{
    enum { N = 20000 };
    uint64_t seed = seed_of_run() + 2, key = 0;
    bk_entry *e = room(N * sizeof *e), *got = room(sizeof *got);
    bk_block_writer *w = room(sizeof *w);
    bk_block_reader r;
    size_t from = 0, blocks = 0;
    (void)state;
    bk_block_start(w);
    for (size_t i = 0; i <= N; i++) {
        if (i < N) {
            const unsigned bits = random_below(&seed, 100) ? 44 : 62;
            random_entry(&e[i], &seed);
            key += 1 + random_next(&seed) % (UINT64_C(1) << (bits - 6));
            e[i].key = key;
            if (bk_block_put(w, &e[i]))
                continue;
        }
        bk_block_seal(w);
        blocks++;
        assert_true(w->size <= BK_BLOCK_BYTES || w->n == 1);
        assert_true(bk_unseal(w->value, w->size));
        assert_true(w->key == e[from].key);
        assert_int_equal(bk_block_open(&r, w->key, w->value, w->size), XQ_OK);
        for (size_t k = from; k < i; k++) {
            assert_int_equal(bk_block_next(&r, got), XQ_OK);
            assert_entry(got, &e[k]);
        }
        assert_int_equal(bk_block_next(&r, got), XQ_DONE);
        for (size_t k = from; k < i; k++) {
            bk_block_open(&r, w->key, w->value, w->size);
            assert_int_equal(bk_block_find(&r, e[k].key, got), XQ_OK);
            assert_entry(got, &e[k]);
            bk_block_open(&r, w->key, w->value, w->size);
            if (k + 1 == i || e[k].key + 1 != e[k + 1].key)
                assert_int_equal(bk_block_find(&r, e[k].key + 1, got),
                                 XQ_ENOTFOUND);
        }
        bk_block_start(w);
        from = i;
        if (i < N)
            assert_true(bk_block_put(w, &e[i]));
    }
    assert_true(blocks > 100);
    free(e);
    free(got);
    free(w);
}

/* ---- faults ---- */

static void damaged_and_foreign_files_are_errors(void **state)
{
    uint64_t seed = seed_of_run() + 3;
    struct game *v = random_games(60, &seed);
    const char *whole = path_of("whole.book"), *cut = path_of("cut.book");
    struct stat st;
    bk_book *b;
    bk_book_info info;
    xq_err err;
    (void)state;
    build_plain(whole, v, 60);
    assert_int_equal(stat(whole, &st), 0);
    uint8_t *bytes = room((size_t)st.st_size);
    int fd = open(whole, O_RDONLY);
    assert_int_equal(read(fd, bytes, (size_t)st.st_size), st.st_size);
    close(fd);
    for (off_t n = 0; n < st.st_size; n += 1 + n / 3) {
        fd = open(cut, O_RDWR | O_CREAT | O_TRUNC, 0666);
        assert_int_equal(write(fd, bytes, (size_t)n), n);
        close(fd);
        assert_true(bk_book_open(&b, cut, &err) < 0);
        assert_non_null(strstr(err.msg, cut));
        assert_true(bk_book_check(cut, &info, &err) < 0);
    }
    assert_int_equal(bk_book_open(&b, path_of("nothing"), &err), XQ_ENOTFOUND);
    assert_true(bk_book_open(&b, dir, &err) < 0);
    assert_true(bk_book_open(&b, "/etc/passwd", &err) < 0);
    /* a base that is no book leaves nothing behind */
    bk_maker *m;
    const bk_maker_options o = {.base = "/etc/passwd"};
    assert_true(bk_maker_open(&m, path_of("x.book"), &o, &err) < 0);
    /* a folder that is not there: told before any work is done */
    assert_int_equal(
        bk_maker_open(&m, "/nonexistent/x.book", &(bk_maker_options){0}, &err),
        XQ_EIO);
    /* what a killed writer left is no obstacle */
    fd = open(path_of("whole.book.tmp"), O_RDWR | O_CREAT, 0666);
    assert_int_equal(write(fd, bytes, 5000), 5000);
    close(fd);
    build_plain(whole, v, 60);
    /* somebody else's file of that name is */
    fd = open(path_of("whole.book.tmp"), O_RDWR | O_CREAT, 0666);
    assert_int_equal(write(fd, "junk", 4), 4);
    close(fd);
    assert_int_equal(bk_maker_open(&m, whole, &(bk_maker_options){0}, &err),
                     XQ_EIO);
    assert_int_equal(unlink(path_of("whole.book.tmp")), 0);
    build_plain(whole, v, 60);
    assert_int_not_equal(access(path_of("whole.book.tmp"), F_OK), 0);
    bk_book_close(open_book(whole));
    free(bytes);
    free(v);
}

static void a_book_without_games_is_a_book(void **state)
{
    bk_entry e;
    xq_err err;
    (void)state;
    build_plain(path_of("empty.book"), NULL, 0);
    bk_book *b = open_book(path_of("empty.book"));
    const xq_pos p = after("");
    assert_int_equal(bk_book_find(b, &p, &e, NULL, &err), XQ_ENOTFOUND);
    bk_book_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_of_pieces_can_be_stored),
        cmocka_unit_test(blocks_give_back_what_was_put),
        cmocka_unit_test(counts_equal_the_slow_count),
        cmocka_unit_test(adding_and_merging_equal_building),
        cmocka_unit_test(mirror_games_count_in_one_entry),
        cmocka_unit_test(seventy_thousand_games_overflow_nothing),
        cmocka_unit_test(s63_the_rate_is_the_movers),
        cmocka_unit_test(s64_both_counts_stand_side_by_side),
        cmocka_unit_test(s65_unknown_results_are_no_losses),
        cmocka_unit_test(s66_a_game_counts_where_it_starts),
        cmocka_unit_test(s67_a_move_that_is_not_legal_stays_inside),
        cmocka_unit_test(filters_leave_games_out),
        cmocka_unit_test(damaged_and_foreign_files_are_errors),
        cmocka_unit_test(a_book_without_games_is_a_book),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
