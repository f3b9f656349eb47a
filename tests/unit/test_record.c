/* test_record.c - trees to bytes and back, and the fast replay. */
#include "bookdb/record.h"

#include "engine/key.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/game_util.h"

static uint64_t seed = 20240607;

static uint64_t rnd(void)
{
    uint64_t z = (seed += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* The texts of the comments in the order the record has them. */
static uint32_t texts_of(const pgn_game *g, xq_str *out)
{
    uint32_t n = 0;
    for (uint32_t k = g->nodes[0].notes; k; k = g->notes[k].next)
        if (g->notes[k].kind != PGN_NOTE_NAG)
            out[n++] = g->notes[k].text;
    pgn_walk w;
    pgn_walk_start(&w, g);
    while (pgn_walk_next(&w))
        for (uint32_t k = g->nodes[w.node].notes; k; k = g->notes[k].next)
            if (g->notes[k].kind != PGN_NOTE_NAG)
                out[n++] = g->notes[k].text;
    pgn_walk_end(&w);
    return n;
}

/* Bytes and back: an equal game (the digest sees all of the tree). */
static void check_round_trip(const pgn_game *g)
{
    pgn_buf b = {0};
    xq_key *keys = calloc(g->plies + 1, sizeof *keys);
    xq_str *texts = calloc(g->nnotes + 1, sizeof *texts);
    assert_true(keys && texts);
    assert_int_equal(bk_record_encode(g, &b, keys), XQ_OK);
    const uint8_t *p = (const uint8_t *)b.s;
    uint32_t n = texts_of(g, texts);
    assert_int_equal(bk_record_comments(p, b.n), n);
    xq_arena arena = {0};
    xq_err err = {0};
    pgn_game back = *g;
    back.main = NULL;
    back.nodes = NULL;
    if (bk_record_decode(p, b.n, texts, n, &arena, &back, &err) != XQ_OK)
        fail_msg("%s", err.msg);
    assert_int_equal(back.plies, g->plies);
    if (g->plies)
        assert_memory_equal(back.main, g->main, g->plies * sizeof *g->main);
    pgn_digest x = pgn_game_digest(g), y = pgn_game_digest(&back);
    assert_true(x.hi == y.hi && x.lo == y.lo);
    /* the replay gives the same main line and keys */
    bk_replay r;
    xq_move m;
    bool mirrored;
    bk_replay_start(&r, &g->start, p, b.n);
    assert_true(keys[0] == xq_canon_key(&r.pos, &mirrored));
    for (uint32_t i = 0; i < g->plies; i++) {
        assert_true(bk_replay_next(&r, &m));
        assert_int_equal(m, g->main[i]);
        assert_int_equal(r.ply, i + 1);
        assert_true(keys[i + 1] == xq_canon_key(&r.pos, &mirrored));
    }
    assert_false(bk_replay_next(&r, &m));
    assert_false(r.bad);
    xq_arena_free(&arena);
    pgn_buf_free(&b);
    free(texts);
    free(keys);
}

static void trees(void **state)
{
    static const char *const T[] = {
        "",
        "{before} $3 {the first}",
        "h2e2 h9g7 h0g2 i9h9",
        "h2e2 {a} $1 {b} h9g7",
        "h2e2 (b2e2 b9c7) h9g7 (b9c7 (h9g7) (h9i7 {deep}) b0c2) h0g2",
        "h2e2 (b2e2) (c3c4 g6g5) ($2 {y} i3i4 i9i8)",
        "h2e2 h9g7 (b9c7 h0g2 (b0c2 a9a8) i9i8 (a9a8))",
    };
    (void)state;
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        struct made *m = make_game(NULL, T[i]);
        check_round_trip(&m->g);
        free_game(m);
    }
}

/* Boards from nowhere: any number of any piece, anywhere. */
static void odd_board(xq_pos *p)
{
    for (;;) {
        uint8_t at[XQ_SQUARES] = {0};
        unsigned n = 2 + (unsigned)(rnd() % 40);
        for (unsigned i = 0; i < n; i++)
            at[rnd() % XQ_SQUARES] = xq_piece_of(
                (xq_side)(rnd() & 1), (xq_kind)(XQ_ADVISOR + rnd() % 6));
        at[xq_sq_of(3 + (int)(rnd() % 3), (int)(rnd() % 3))] =
            xq_piece_of(XQ_RED, XQ_KING);
        at[xq_sq_of(3 + (int)(rnd() % 3), 7 + (int)(rnd() % 3))] =
            xq_piece_of(XQ_BLACK, XQ_KING);
        if (xq_pos_set(p, at, (xq_side)(rnd() & 1), NULL) == XQ_OK &&
            xq_has_legal_move(p))
            return;
    }
}

enum { MOST = 400 };
struct random_game {
    pgn_game g;
    xq_move main[MOST];
    pgn_node nodes[MOST];
    pgn_note notes[MOST];
};

/* A line of up to n moves behind `node`; sometimes each move gets notes and
 * alternatives with lines of their own. */
static void grow(struct random_game *r, uint32_t node, xq_pos p, unsigned n,
                 unsigned depth)
{
    pgn_game *g = &r->g;
    for (; n > 0 && g->nnodes + 4 < MOST; n--) {
        xq_movelist list;
        xq_gen_legal(&p, &list);
        if (list.n == 0)
            return;
        xq_move m = list.m[rnd() % list.n];
        uint32_t i = g->nnodes++;
        g->nodes[i] = (pgn_node){.move = m};
        g->nodes[node].next = i;
        if (depth == 0)
            g->main[g->plies++] = m;
        for (uint32_t *link = &g->nodes[i].notes;
             rnd() % 6 == 0 && g->nnotes < MOST; link = &g->notes[*link].next) {
            g->notes[g->nnotes] =
                (pgn_note){.kind = rnd() % 2 ? PGN_NOTE_NAG : PGN_NOTE_AFTER,
                           .nag = (uint32_t)(rnd() % 300),
                           .text = xq_str_of("text")};
            *link = g->nnotes++;
        }
        uint32_t *alt = &g->nodes[i].alt;
        while (rnd() % (4 + 8 * depth) == 0 && g->nnodes + 4 < MOST) {
            uint32_t a = g->nnodes++;
            xq_move other = list.m[rnd() % list.n];
            g->nodes[a] = (pgn_node){.move = other};
            *alt = a;
            alt = &g->nodes[a].alt;
            g->has_variations = true;
            xq_pos q = p;
            xq_pos_make(&q, other, NULL);
            grow(r, a, q, (unsigned)(rnd() % 6), depth + 1);
        }
        xq_pos_make(&p, m, NULL);
        node = i;
    }
}

static void random_trees(void **state)
{
    (void)state;
    struct random_game *r = malloc(sizeof *r);
    assert_non_null(r);
    for (int i = 0; i < 3000; i++) {
        memset(&r->g, 0, sizeof r->g);
        memset(r->nodes, 0, sizeof r->nodes);
        r->g.main = r->main;
        r->g.nodes = r->nodes;
        r->g.notes = r->notes;
        r->g.nnodes = r->g.nnotes = 1;
        if (i % 3)
            odd_board(&r->g.start);
        else
            xq_pos_start(&r->g.start);
        r->g.standard = i % 3 == 0;
        grow(r, 0, r->g.start, (unsigned)(rnd() % 120), 0);
        check_round_trip(&r->g);
    }
    free(r);
}

/* One byte a move: what storage rests on. */
static void a_byte_a_move(void **state)
{
    (void)state;
    for (int i = 0; i < 50; i++) {
        xq_pos p;
        xq_move main[300];
        pgn_game g = {.main = main, .standard = true};
        xq_pos_start(&p);
        g.start = p;
        while (g.plies < 300) {
            xq_movelist list;
            xq_gen_legal(&p, &list);
            if (list.n == 0)
                break;
            main[g.plies] = list.m[rnd() % list.n];
            xq_pos_make(&p, main[g.plies++], NULL);
        }
        pgn_buf b = {0};
        assert_int_equal(bk_record_encode(&g, &b, NULL), XQ_OK);
        assert_int_equal(b.n, g.plies);
        pgn_buf_free(&b);
    }
}

/* Any bytes: refused, or a game that is legal to the end. */
static void noise(void **state)
{
    (void)state;
    xq_arena arena = {0};
    xq_str texts[64];
    for (int i = 0; i < 64; i++)
        texts[i] = xq_str_of("t");
    for (int i = 0; i < 20000; i++) {
        uint8_t bytes[64];
        size_t n = rnd() % sizeof bytes;
        for (size_t k = 0; k < n; k++)
            bytes[k] = (uint8_t)(rnd() % (i % 2 ? 256 : 126));
        pgn_game g = {.standard = true};
        xq_err err = {0};
        xq_move m;
        bk_replay r;
        xq_pos_start(&g.start);
        xq_arena_reset(&arena);
        if (bk_record_decode(bytes, n, texts, bk_record_comments(bytes, n),
                             &arena, &g, &err) == XQ_OK)
            check_round_trip(&g);
        else
            assert_true(err.msg[0]);
        bk_replay_start(&r, &g.start, bytes, n);
        while (bk_replay_next(&r, &m))
            ;
        assert_true(r.pos.key == xq_key_of(&r.pos));
    }
    xq_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees),
        cmocka_unit_test(random_trees),
        cmocka_unit_test(a_byte_a_move),
        cmocka_unit_test(noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
