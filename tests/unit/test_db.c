/* test_db.c - the game database against a plain array of games. */
#include "bookdb/db.h"
#include "bookdb/db_internal.h"

#include "engine/key.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/game_util.h"

static char dir[] = "/tmp/qipu-db-XXXXXX";
static char path[64], other[64];
static uint64_t seed = 31;

static uint64_t rnd(void)
{
    uint64_t z = (seed += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static int setup(void **state)
{
    (void)state;
    if (!mkdtemp(dir))
        return -1;
    snprintf(path, sizeof path, "%s/t.db", dir);
    snprintf(other, sizeof other, "%s/o.db", dir);
    return 0;
}
static int clean(void **state)
{
    (void)state;
    static const char *const NAMES[] = {"t.db", "t.db-lock", "o.db",
                                        "o.db-lock"};
    for (size_t i = 0; i < 4; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s/%s", dir, NAMES[i]);
        unlink(name);
    }
    return 0;
}
static int teardown(void **state)
{
    clean(state);
    return rmdir(dir);
}

static void ok(xq_status rc, const xq_err *err)
{
    if (rc != XQ_OK)
        fail_msg("%s", err->msg);
}

static bk_db *open_db(const char *p, int mode)
{
    bk_db *db;
    xq_err err = {0};
    const bk_db_options o = {.memory = (size_t)8 << 20};
    ok(bk_db_open(&db, p, mode, &o, &err), &err);
    return db;
}

static bk_added add(bk_db *db, const pgn_game *g, bool keep)
{
    static bk_prep prep;
    bk_added what;
    xq_err err = {0};
    ok(bk_prepare(&prep, g, &err), &err);
    ok(bk_db_add(db, &prep, keep, &what, &err), &err);
    if (!g) /* never */
        bk_prep_free(&prep);
    pgn_buf_free(&prep.bytes);
    free(prep.keys);
    prep = (bk_prep){0};
    return what;
}

static void check_db(const char *p)
{
    xq_err err = {0};
    bk_db_info info;
    ok(bk_db_check(p, true, &info, &err), &err);
}

/* ---- a collection ---- */

static const char *const NAMES[] = {
    "胡测试", "王测试", "北京 王测试", "Li Test", "li other", "", "许测试"};
static const char *const EVENTS[] = {"第1届测试", "Test Open 1998", "全国赛"};
static const char *const DATES[] = {
    "1998-12-13", "2022.6.16", "2014.??.??", "-", "1999年12月9日",
    "30.2.2020",  ""};
enum { GAMES = 250, LENGTH = 24, TEXT = LENGTH * 16 + 8 };

/* Short random games from few openings: positions meet often.  A third are
 * another's mirror image, some begin elsewhere. */
static struct made *random_game(struct made *const *before, size_t n,
                                char text[TEXT])
{
    static const char *const STARTS[] = {NULL,
                                         NULL,
                                         NULL,
                                         NULL,
                                         "4k4/9/9/9/9/4P4/9/9/4R4/3K5 w",
                                         "3k5/9/9/9/9/9/9/4p4/9/4K4 b"};
    size_t at = 0;
    text[0] = 0;
    const char *fen = STARTS[rnd() % 6];
    xq_pos p;
    if (fen)
        assert_int_equal(xq_fen_parse(&p, xq_str_of(fen), NULL, NULL), XQ_OK);
    else
        xq_pos_start(&p);
    const pgn_game *twin = n && rnd() % 3 == 0 ? &before[rnd() % n]->g : NULL;
    if (twin && twin->standard && !twin->has_variations) {
        xq_pos_start(&p);
        fen = NULL;
        for (uint32_t i = 0; i < twin->plies; i++) {
            char move[5];
            xq_move_format(xq_move_mirror(twin->main[i]), move);
            at += (size_t)snprintf(text + at, TEXT - at, "%s ", move);
        }
    } else {
        unsigned want = (unsigned)(rnd() % LENGTH);
        for (unsigned i = 0; i < want; i++) {
            xq_movelist list;
            char move[5], alt[5];
            xq_gen_legal(&p, &list);
            if (list.n == 0)
                break;
            unsigned few = list.n < 3 ? list.n : 3;
            xq_move m = list.m[rnd() % (i < 8 ? few : list.n)];
            xq_move_format(m, move);
            at += (size_t)snprintf(text + at, TEXT - at, "%s ", move);
            if (rnd() % 12 == 0) {
                xq_move_format(list.m[rnd() % list.n], alt);
                at += (size_t)snprintf(text + at, TEXT - at, "(%s) {a} ", alt);
            }
            xq_pos_make(&p, m, NULL);
        }
    }
    struct made *m = make_game(fen, text);
    m->g.result = (pgn_result)(rnd() % 4);
    if (rnd() % 10)
        add_tag(m, "Event", EVENTS[rnd() % 3]);
    add_tag(m, rnd() % 8 ? "Red" : "White", NAMES[rnd() % 7]);
    add_tag(m, "Black", NAMES[rnd() % 7]);
    add_tag(m, "Date", DATES[rnd() % 7]);
    add_tag(m, "Result", pgn_result_text(m->g.result));
    m->g.tags = m->tags;
    return m;
}

struct collection {
    struct made *v[GAMES];
    char text[GAMES][TEXT]; /* comments point there */
    bool there[GAMES];      /* added, not deleted */
    uint64_t id[GAMES];
};

static struct collection *make_collection(void)
{
    struct collection *c = calloc(1, sizeof *c);
    assert_non_null(c);
    for (size_t i = 0; i < GAMES; i++)
        c->v[i] = random_game(c->v, i, c->text[i]);
    return c;
}
static void free_collection(struct collection *c)
{
    for (size_t i = 0; i < GAMES; i++)
        free_game(c->v[i]);
    free(c);
}

static bool same_digest(const pgn_game *a, const pgn_game *b)
{
    pgn_digest x = pgn_game_digest(a), y = pgn_game_digest(b);
    return x.hi == y.hi && x.lo == y.lo;
}

/* In random order, committing now and then. */
static void add_all(bk_db *db, struct collection *c, unsigned commit_every)
{
    size_t order[GAMES];
    uint64_t next = 1;
    xq_err err = {0};
    for (size_t i = 0; i < GAMES; i++)
        order[i] = i;
    for (size_t i = GAMES; i-- > 1;) {
        size_t k = rnd() % (i + 1), t = order[i];
        order[i] = order[k];
        order[k] = t;
    }
    for (size_t i = 0; i < GAMES; i++) {
        size_t g = order[i];
        bool seen = false;
        for (size_t k = 0; k < GAMES && !seen; k++)
            seen = c->there[k] && same_digest(&c->v[k]->g, &c->v[g]->g);
        assert_int_equal(add(db, &c->v[g]->g, false),
                         seen ? BK_DUPLICATE : BK_ADDED);
        if (!seen) {
            c->there[g] = true;
            c->id[g] = next++;
        }
        if (rnd() % commit_every == 0)
            ok(bk_db_commit(db, &err), &err);
    }
    ok(bk_db_commit(db, &err), &err);
}

/* ---- the obvious search ---- */

static bool same_board(const xq_pos *a, const xq_pos *b)
{
    return a->side == b->side && memcmp(a->at, b->at, sizeof a->at) == 0;
}

static bool has(const char *hay, size_t n, const char *needle)
{
    char a[100] = "", b[100] = "";
    for (size_t i = 0; i < n && i < 99; i++)
        a[i] = (char)(hay[i] >= 'A' && hay[i] <= 'Z' ? hay[i] + 32 : hay[i]);
    for (size_t i = 0; needle[i] && i < 99; i++)
        b[i] = (char)(needle[i] >= 'A' && needle[i] <= 'Z' ? needle[i] + 32
                                                           : needle[i]);
    return strstr(a, b) != NULL;
}

static bool tag_has(const pgn_game *g, const char *tag, const char *needle)
{
    xq_str v = pgn_game_tag(g, tag);
    return v.s && has(v.s, v.n, needle);
}

static int obvious_year(const pgn_game *g)
{
    xq_str v = pgn_game_tag(g, "Date");
    static const int YEARS[] = {1998, 2022, 2014, 0, 1999, 0, 0};
    for (int i = 0; i < 7; i++)
        if (v.s && v.n == strlen(DATES[i]) && memcmp(v.s, DATES[i], v.n) == 0)
            return YEARS[i];
    return 0;
}

/* Does it stand, and where first?  ply -1: not. */
static void obvious_place(const pgn_game *g, const bk_query *q, int *ply,
                          bool *mirrored, xq_move *next)
{
    xq_pos want[2], p = g->start;
    want[0] = *q->pos;
    xq_pos_mirror(&want[1], q->pos);
    *ply = -1;
    for (uint32_t i = 0; i <= g->plies; i++) {
        for (int k = 0; k < (q->one_wing ? 1 : 2); k++)
            if (same_board(&p, &want[k])) {
                *ply = (int)i;
                *mirrored = k == 1;
                *next = i < g->plies ? g->main[i] : XQ_NOMOVE;
                if (k && *next)
                    *next = xq_move_mirror(*next);
                return;
            }
        if (i < g->plies)
            xq_pos_make(&p, g->main[i], NULL);
    }
    if (!q->variations)
        return;
    pgn_walk w;
    pgn_walk_start(&w, g);
    while (pgn_walk_next(&w)) {
        xq_pos after = w.pos;
        xq_pos_make(&after, w.move, NULL);
        for (int k = 0; k < (q->one_wing ? 1 : 2); k++)
            if (same_board(&w.pos, &want[k]) || same_board(&after, &want[k]))
                *ply = 1000; /* somewhere in a variation */
    }
    pgn_walk_end(&w);
}

static bool obvious(const pgn_game *g, const bk_query *q)
{
    int year = obvious_year(g);
    return (q->result < 0 || (int)g->result == q->result) &&
           (!q->min_plies || g->plies >= q->min_plies) &&
           (!q->max_plies ||
            g->plies <= (q->max_plies == BK_NO_PLIES ? 0 : q->max_plies)) &&
           (!q->red || tag_has(g, "Red", q->red)) &&
           (!q->black || tag_has(g, "Black", q->black)) &&
           (!q->event || tag_has(g, "Event", q->event)) &&
           (!q->player || tag_has(g, "Red", q->player) ||
            tag_has(g, "Black", q->player)) &&
           (!(q->year_from || q->year_to) ||
            (year && (!q->year_from || year >= q->year_from) &&
             (!q->year_to || year <= q->year_to)));
}

static void compare(bk_db *db, const struct collection *c, const bk_query *q)
{
    bk_find *f;
    bk_hit hit;
    xq_err err = {0};
    xq_status rc;
    uint64_t last = 0, n = 0, want = 0, count;
    ok(bk_find_open(&f, db, q, &err), &err);
    while ((rc = bk_find_next(f, &hit, &err)) == XQ_OK) {
        assert_true(hit.id > last);
        last = hit.id;
        n++;
        size_t i = 0;
        while (i < GAMES && (!c->there[i] || c->id[i] != hit.id))
            i++;
        assert_true(i < GAMES);
        const pgn_game *g = &c->v[i]->g;
        assert_true(obvious(g, q));
        if (q->pos) {
            int ply = -1;
            bool mirrored = false;
            xq_move next = XQ_NOMOVE;
            obvious_place(g, q, &ply, &mirrored, &next);
            assert_int_not_equal(ply, -1);
            if (ply < 1000) {
                assert_int_equal(hit.ply, ply);
                assert_int_equal(hit.mirrored, mirrored);
                assert_int_equal(hit.next, next);
            }
        }
        assert_int_equal(hit.plies, g->plies);
        assert_int_equal(hit.result, g->result);
        xq_str red = pgn_game_tag(g, "Red");
        assert_true(xq_str_eq(hit.red, red));
    }
    assert_int_equal(rc, XQ_DONE);
    bk_find_close(f);
    for (size_t i = 0; i < GAMES; i++) {
        int ply = 0;
        bool mirrored;
        xq_move next;
        if (!c->there[i] || !obvious(&c->v[i]->g, q))
            continue;
        if (q->pos)
            obvious_place(&c->v[i]->g, q, &ply, &mirrored, &next);
        want += ply >= 0;
    }
    assert_int_equal(n, want);
    ok(bk_find_open(&f, db, q, &err), &err);
    ok(bk_find_count(f, &count, &err), &err);
    bk_find_close(f);
    assert_int_equal(count, want);
}

static void random_queries(bk_db *db, const struct collection *c, int times)
{
    for (int i = 0; i < times; i++) {
        bk_query q = {.result = -1};
        xq_pos p;
        if (rnd() % 4) {
            const pgn_game *g = &c->v[rnd() % GAMES]->g;
            p = g->start;
            uint32_t to = g->plies ? (uint32_t)(rnd() % (g->plies + 1)) : 0;
            for (uint32_t k = 0; k < to; k++)
                xq_pos_make(&p, g->main[k], NULL);
            if (rnd() % 3 == 0) {
                xq_pos m;
                xq_pos_mirror(&m, &p);
                p = m;
            }
            q.pos = &p;
            q.one_wing = rnd() % 4 == 0;
            q.variations = rnd() % 4 == 0;
        }
        if (rnd() % 4 == 0)
            q.red = "王测试";
        if (rnd() % 5 == 0)
            q.black = "LI";
        if (rnd() % 5 == 0)
            q.player = "test";
        if (rnd() % 5 == 0)
            q.event = "open";
        if (rnd() % 4 == 0)
            q.result = (int)(rnd() % 4);
        if (rnd() % 5 == 0)
            q.min_plies = (uint32_t)(rnd() % LENGTH);
        if (rnd() % 5 == 0)
            q.max_plies =
                rnd() % 8 ? 1 + (uint32_t)(rnd() % LENGTH) : BK_NO_PLIES;
        if (rnd() % 5 == 0) {
            q.year_from = rnd() % 2 ? 1999 : 0;
            q.year_to = 2014;
        }
        compare(db, c, &q);
    }
}

static void search_equals_a_scan(void **state)
{
    (void)state;
    xq_err err = {0};
    for (int round = 0; round < 6; round++) {
        struct collection *c = make_collection();
        bk_db *db = open_db(path, BK_CREATE);
        /* one batch; a few; so many that segments are merged */
        static const unsigned COMMITS[] = {1000000, 40, 2};
        add_all(db, c, COMMITS[round % 3]);
        random_queries(db, c, 60);
        check_db(path);
        ok(bk_db_merge(db, true, &err), &err);
        random_queries(db, c, 60);
        bk_db_close(db);
        db = open_db(path, BK_READ);
        random_queries(db, c, 30);
        bk_db_close(db);
        check_db(path);
        free_collection(c);
        clean(state);
    }
}

static void games_come_back(void **state)
{
    (void)state;
    struct collection *c = make_collection();
    bk_db *db = open_db(path, BK_CREATE);
    xq_arena arena = {0};
    xq_err err = {0};
    pgn_game *g;
    add_all(db, c, 30);
    bk_db_close(db);
    db = open_db(path, BK_READ);
    for (size_t i = 0; i < GAMES; i++) {
        if (!c->there[i])
            continue;
        xq_arena_reset(&arena);
        ok(bk_db_get(db, c->id[i], &arena, &g, &err), &err);
        assert_true(same_digest(g, &c->v[i]->g));
        assert_int_equal(g->ntags, c->v[i]->g.ntags);
        assert_int_equal(g->standard, c->v[i]->g.standard);
    }
    bk_db_info info;
    ok(bk_db_get_info(db, &info, &err), &err);
    assert_int_equal(bk_db_get(db, 0, &arena, &g, &err), XQ_ENOTFOUND);
    assert_int_equal(bk_db_get(db, info.last_id + 1, &arena, &g, &err),
                     XQ_ENOTFOUND);
    assert_int_equal(bk_db_commit(db, &err), XQ_EIO); /* only for reading */
    bk_db_close(db);
    /* the same games again, and kept on purpose */
    db = open_db(path, BK_CREATE);
    for (size_t i = 0; i < GAMES; i++)
        assert_int_equal(add(db, &c->v[i]->g, false), BK_DUPLICATE);
    for (size_t i = 0; i < 5; i++)
        for (int k = 0; k < 300; k++)
            assert_int_equal(add(db, &c->v[i]->g, true), BK_ADDED);
    ok(bk_db_commit(db, &err), &err);
    ok(bk_db_merge(db, true, &err), &err);
    bk_db_close(db);
    check_db(path);
    xq_arena_free(&arena);
    free_collection(c);
}

static void editing(void **state)
{
    (void)state;
    struct collection *c = make_collection();
    bk_db *db = open_db(path, BK_CREATE);
    xq_arena arena = {0};
    xq_err err = {0};
    pgn_game *g;
    add_all(db, c, 30);
    for (int i = 0; i < 120; i++) {
        size_t k = rnd() % GAMES;
        if (!c->there[k])
            continue;
        if (i % 3 == 0) {
            ok(bk_db_delete(db, c->id[k], &err), &err);
            c->there[k] = false;
            assert_int_equal(bk_db_delete(db, c->id[k], &err), XQ_ENOTFOUND);
            assert_int_equal(bk_db_get(db, c->id[k], &arena, &g, &err),
                             XQ_ENOTFOUND);
            continue;
        }
        /* the model changes alike */
        struct made *m = c->v[k];
        static const char *const TAGS[] = {"Event", "Black", "Date", "New"};
        const char *tag = TAGS[rnd() % 4];
        bool remove = rnd() % 4 == 0;
        const char *value = strcmp(tag, "Date") == 0    ? DATES[rnd() % 7]
                            : strcmp(tag, "Event") == 0 ? EVENTS[rnd() % 3]
                                                        : NAMES[rnd() % 7];
        ok(bk_db_set_tag(db, c->id[k], xq_str_of(tag),
                         remove ? (xq_str){NULL, 0} : xq_str_of(value), &err),
           &err);
        uint32_t at = 0;
        while (at < m->g.ntags && !xq_str_eq(m->tags[at].name, xq_str_of(tag)))
            at++;
        if (remove && at < m->g.ntags) {
            memmove(m->tags + at, m->tags + at + 1,
                    (m->g.ntags - at - 1) * sizeof *m->tags);
            m->g.ntags--;
        } else if (!remove) {
            if (at == m->g.ntags)
                m->g.ntags++;
            m->tags[at] = (pgn_tag){xq_str_of(tag), xq_str_of(value)};
        }
        xq_arena_reset(&arena);
        ok(bk_db_get(db, c->id[k], &arena, &g, &err), &err);
        assert_true(same_digest(g, &m->g));
    }
    assert_int_equal(
        bk_db_set_tag(db, 1, xq_str_of("FEN"), xq_str_of("x"), &err),
        XQ_EILLEGAL);
    assert_int_equal(
        bk_db_set_tag(db, UINT64_MAX, xq_str_of("Event"), xq_str_of("x"), &err),
        XQ_ENOTFOUND);
    random_queries(db, c, 60);
    bk_db_close(db);
    check_db(path);
    /* compact: ids stay, search finds the same */
    db = open_db(path, BK_WRITE);
    bk_db_info before, after;
    ok(bk_db_get_info(db, &before, &err), &err);
    ok(bk_db_compact(db, other, &err), &err);
    bk_db_close(db);
    check_db(other);
    assert_int_equal(rename(other, path), 0);
    db = open_db(path, BK_WRITE);
    ok(bk_db_get_info(db, &after, &err), &err);
    assert_int_equal(after.games, before.games);
    assert_int_equal(after.plies, before.plies);
    assert_int_equal(after.positions, before.positions);
    assert_int_equal(after.last_id, before.last_id);
    assert_true(after.bytes <= before.bytes);
    random_queries(db, c, 60);
    /* a deleted game may come again; others are known */
    for (size_t i = 0; i < GAMES; i++) {
        bool seen = false;
        for (size_t k = 0; k < GAMES && !seen; k++)
            seen = c->there[k] && same_digest(&c->v[k]->g, &c->v[i]->g);
        if (!c->there[i] && !seen) {
            assert_int_equal(add(db, &c->v[i]->g, false), BK_ADDED);
            c->there[i] = true;
            c->id[i] = ++after.last_id;
        } else {
            assert_int_equal(add(db, &c->v[i]->g, false), BK_DUPLICATE);
        }
    }
    ok(bk_db_commit(db, &err), &err);
    random_queries(db, c, 60);
    bk_db_close(db);
    check_db(path);
    xq_arena_free(&arena);
    free_collection(c);
}

/* S82 */
static void near_duplicates(void **state)
{
    (void)state;
    static const char *const LINE =
        "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 b0c2 a9b9 a0b0 c6c5 g3g4 b7b3 "
        "c3c4 c5c4 e2e6 c7e6";
    static const char *const MIRROR =
        "b2e2 b9c7 b0c2 a9b9 a0b0 h9g7 h0g2 i9h9 i0h0 g6g5 c3c4 h7h3 "
        "g3g4 g5g4 e2e6 g7e6";
    static const char *const LONGER =
        "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 b0c2 a9b9 a0b0 c6c5 g3g4 b7b3 "
        "c3c4 c5c4 e2e6 c7e6 a3a4 a6a5";
    static const struct {
        const char *line, *red;
    } T[] = {{LINE, "Wang Ceshi"},   {LINE, "王测试"},
             {LINE, "北京 王测试"},  {MIRROR, "王测试"},
             {LONGER, "Wang Ceshi"}, {LONGER, "nobody"},
             {"h2e2 h9g7", "a"},     {"h2e2 h9g7", "b"}};
    static const bk_near_pair WANT[] = {
        {BK_NEAR_SAME, 2, 1, 16},   {BK_NEAR_SAME, 3, 1, 16},
        {BK_NEAR_MIRROR, 4, 1, 16}, {BK_NEAR_CONTAINED, 1, 5, 16},
        {BK_NEAR_SAME, 6, 5, 18},
    };
    bk_db *db = open_db(path, BK_CREATE);
    xq_err err = {0};
    bk_near *n;
    bk_near_pair p;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        struct made *m = make_game(NULL, T[i].line);
        add_tag(m, "Red", T[i].red);
        add_tag(m, "Black", "许测试");
        assert_int_equal(add(db, &m->g, false), BK_ADDED);
        free_game(m);
    }
    ok(bk_db_commit(db, &err), &err);
    ok(bk_near_open(&n, db, 10, &err), &err);
    for (size_t i = 0; i < sizeof WANT / sizeof *WANT; i++) {
        ok(bk_near_next(n, &p, &err), &err);
        assert_int_equal(p.kind, WANT[i].kind);
        assert_int_equal(p.id, WANT[i].id);
        assert_int_equal(p.other, WANT[i].other);
        assert_int_equal(p.plies, WANT[i].plies);
    }
    assert_int_equal(bk_near_next(n, &p, &err), XQ_DONE);
    bk_near_close(n);
    bk_db_close(db);
}

/* S47 and forms of the dates reference */
static void dates(void **state)
{
    static const struct {
        const char *text;
        int y, m, d;
    } T[] = {
        {"1998-12-13", 1998, 12, 13},
        {"2022.6.16", 2022, 6, 16},
        {"2014.??.??", 2014, 0, 0},
        {"-", 0, 0, 0},
        {"1999年12月9日", 1999, 12, 9},
        {"30.2.2020", 0, 0, 0},
        {"", 0, 0, 0},
        {"１９９５．０３．０１", 1995, 3, 1},
        {"20050312", 2005, 3, 12},
        {"1956", 1956, 0, 0},
        {"1964年", 1964, 0, 0},
        {"1988.13.5", 1988, 0, 0},
        {"1988.2.30", 1988, 2, 0},
        {"13.2.2001", 2001, 2, 13},
        {"3/4/2001", 2001, 0, 0},
        {"4/4/2001", 2001, 4, 4},
        {"2010-03-11 15:0", 2010, 3, 11},
        {"????.??.??", 0, 0, 0},
        {"30年代", 0, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        int y, m, d;
        bool is = bk_date_parse(xq_str_of(T[i].text), &y, &m, &d);
        if (y != T[i].y || m != T[i].m || d != T[i].d || is != (T[i].y != 0))
            fail_msg("'%s': %d %d %d", T[i].text, y, m, d);
    }
}

/* What begins as a transaction that is never finished must not be seen; an
 * unfinished segment is removed by the next writer. */
static void orphans(void **state)
{
    (void)state;
    struct collection *c = make_collection();
    bk_db *db = open_db(path, BK_CREATE);
    MDB_txn *txn;
    MDB_dbi dbi;
    xq_err err = {0};
    uint8_t key[3] = {9, 9, 9};
    MDB_val k = {3, key}, v = {3, key};
    add_all(db, c, 60);
    ok(bk_store_begin(&db->store, true, &txn, &err), &err);
    assert_int_equal(mdb_dbi_open(txn, "seg0000ffff", MDB_CREATE, &dbi), 0);
    assert_int_equal(mdb_put(txn, dbi, &k, &v, 0), 0);
    assert_int_equal(mdb_txn_commit(txn), 0);
    bk_db_close(db);
    check_db(path);
    db = open_db(path, BK_WRITE);
    ok(bk_store_begin(&db->store, false, &txn, &err), &err);
    assert_int_equal(mdb_dbi_open(txn, "seg0000ffff", 0, &dbi), MDB_NOTFOUND);
    mdb_txn_abort(txn);
    random_queries(db, c, 20);
    bk_db_close(db);
    check_db(path);
    free_collection(c);
}

/* S79: nobody makes room in the map beforehand, each batch and each merge
 * finds it full, and is repeated. */
static void full_map(void **state)
{
    (void)state;
    xq_err err = {0};
    bk_db *db = open_db(path, BK_CREATE);
    db->store.tight = true;
    struct made *m = make_game(NULL, "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7");
    static char noise[2000];
    add_tag(m, "Event", "");
    uint64_t want = 0;
    for (int batch = 0; batch < 20; batch++) {
        for (int i = 0; i < 400; i++) {
            for (size_t k = 0; k < sizeof noise; k++)
                noise[k] = (char)('!' + rnd() % 90);
            m->tags[0].value = (xq_str){noise, 900 + rnd() % 1000};
            assert_int_equal(add(db, &m->g, false), BK_ADDED);
            want++;
        }
        ok(bk_db_commit(db, &err), &err);
    }
    MDB_envinfo map;
    assert_int_equal(mdb_env_info(db->store.env, &map), 0);
    assert_true(map.me_mapsize > (size_t)8 << 20);
    bk_query q = {.result = -1};
    xq_pos p;
    bk_find *f;
    uint64_t n;
    xq_pos_start(&p);
    q.pos = &p;
    ok(bk_find_open(&f, db, &q, &err), &err);
    ok(bk_find_count(f, &n, &err), &err);
    assert_int_equal(n, want);
    bk_find_close(f);
    bk_db_close(db);
    check_db(path);
    free_game(m);
}

/* An empty database: created, nothing added. */
static void empty(void **state)
{
    (void)state;
    bk_db *db = open_db(path, BK_CREATE);
    bk_db_close(db);
    check_db(path);
    db = open_db(path, BK_READ);
    bk_query q = {.result = -1};
    bk_find *f;
    bk_hit hit;
    xq_err err = {0};
    xq_pos p;
    xq_pos_start(&p);
    for (int i = 0; i < 2; i++) {
        ok(bk_find_open(&f, db, &q, &err), &err);
        assert_int_equal(bk_find_next(f, &hit, &err), XQ_DONE);
        bk_find_close(f);
        q.pos = &p;
    }
    bk_db_close(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(empty, clean),
        cmocka_unit_test_teardown(search_equals_a_scan, clean),
        cmocka_unit_test_teardown(games_come_back, clean),
        cmocka_unit_test_teardown(editing, clean),
        cmocka_unit_test_teardown(near_duplicates, clean),
        cmocka_unit_test_teardown(orphans, clean),
        cmocka_unit_test_teardown(full_map, clean),
        cmocka_unit_test(dates),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
