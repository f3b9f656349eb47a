/* test_walk.c - the walk through a book that knows keys only: what it meets
 * is what can be reached (walk.h), worked out here by plain closure with exact
 * look-ups, whatever the sieve says yes to wrongly and wherever it starts.
 * QIPU_SEED sets the seed of the random books. */
#include "bookdb/walk.h"
#include "tests/unit/engine_util.h"

/* A book in memory: positions by key, with their moves. */
struct made {
    bool one_wing;
    struct known {
        xq_key key;
        xq_pos pos;
        xq_move moves[8];
        unsigned n;
    } * v;
    unsigned n, cap;
    bk_sieve sieve;
    bool (*lies)(const struct made *b, xq_key key);
    xq_key asked; /* what find() was asked for last */
};

static xq_key key_of(const struct made *b, const xq_pos *p)
{
    bool mirrored;
    return b->one_wing ? p->key : xq_canon_key(p, &mirrored);
}

static struct known *known(const struct made *b, const xq_pos *p)
{
    const xq_key key = key_of(b, p);
    for (unsigned i = 0; i < b->n; i++)
        if (b->v[i].key == key)
            return &b->v[i];
    return NULL;
}

/* Has k the move m, m being one of p, which is k's or its mirror image? */
static bool has_move(const struct known *k, const xq_pos *p, xq_move m)
{
    const xq_move at = k->pos.key == p->key ? m : xq_move_mirror(m);
    for (unsigned i = 0; i < k->n; i++)
        if (k->moves[i] == at)
            return true;
    return false;
}

static void put(struct made *b, const xq_pos *p, xq_move m)
{
    struct known *k = known(b, p);
    if (!k) {
        if (b->n == b->cap) {
            b->cap = b->cap ? 2 * b->cap : 64;
            b->v = realloc(b->v, b->cap * sizeof *b->v);
            assert_non_null(b->v);
        }
        k = &b->v[b->n++];
        *k = (struct known){.key = key_of(b, p), .pos = *p};
    }
    if (k->n < 8 && !has_move(k, p, m))
        k->moves[k->n++] = k->pos.key == p->key ? m : xq_move_mirror(m);
}

/* Lines from the start; some positions of each are left out, as in books of
 * one side, and with gaps of more than one ply too. */
static struct made make_book(uint64_t *r, bool one_wing, unsigned lines)
{
    struct made b = {.one_wing = one_wing};
    for (unsigned i = 0; i < lines; i++) {
        const unsigned side = random_below(r, 3);
        xq_pos p;
        xq_pos_start(&p);
        for (unsigned ply = 0; ply < 24; ply++) {
            xq_movelist list;
            xq_gen_legal(&p, &list);
            if (list.n == 0)
                break;
            /* few at first, so that lines share positions */
            const unsigned n = ply < 4 ? 3 : list.n;
            const xq_move m = list.m[random_below(r, n < list.n ? n : list.n)];
            if ((side == 2 || ply % 2 == side) && random_below(r, 8) > 0)
                put(&b, &p, m);
            xq_pos_make(&p, m, NULL);
        }
    }
    return b;
}

static void free_book(struct made *b)
{
    free(b->v);
    bk_sieve_free(&b->sieve);
}

/* ---- what can be reached ---- */

struct closure {
    const struct made *b;
    bool *met;
    unsigned *queue, n; /* indices of positions met, in the order met */
};

static void meet(struct closure *c, const xq_pos *p)
{
    const struct known *const k = known(c->b, p);
    if (!k || c->met[k - c->b->v])
        return;
    c->met[k - c->b->v] = true;
    c->queue[c->n++] = (unsigned)(k - c->b->v);
}

/* From p: one ply; behind moves of the book (unless any), or all, two. */
static void spread(struct closure *c, const xq_pos *p, const struct known *k,
                   bool all)
{
    xq_movelist first, second;
    xq_gen_legal(p, &first);
    for (unsigned i = 0; i < first.n; i++) {
        xq_pos q = *p;
        xq_pos_make(&q, first.m[i], NULL);
        meet(c, &q);
        if (known(c->b, &q) || !(all || (k && has_move(k, p, first.m[i]))))
            continue;
        xq_gen_legal(&q, &second);
        for (unsigned j = 0; j < second.n; j++) {
            xq_pos s = q;
            xq_pos_make(&s, second.m[j], NULL);
            meet(c, &s);
        }
    }
}

static struct closure close_over(const struct made *b, const xq_pos *roots,
                                 unsigned nroots, bool deep)
{
    struct closure c = {b, calloc(b->n + 1, sizeof *c.met),
                        calloc(b->n + 1, sizeof *c.queue), 0};
    assert_non_null(c.met);
    assert_non_null(c.queue);
    for (unsigned i = 0; i < nroots; i++) {
        if (!known(b, &roots[i]))
            spread(&c, &roots[i], NULL, true);
        meet(&c, &roots[i]);
    }
    for (unsigned i = 0; i < c.n; i++) {
        const struct known *const k = &b->v[c.queue[i]];
        spread(&c, &k->pos, k, deep);
    }
    return c;
}

static void free_closure(struct closure *c)
{
    free(c->met);
    free(c->queue);
}

/* ---- the walk, and what its sieve says ---- */

static bool never(const struct made *b, xq_key key)
{
    (void)b, (void)key;
    return false;
}
static bool always(const struct made *b, xq_key key)
{
    (void)b, (void)key;
    return true;
}
static bool half(const struct made *b, xq_key key)
{
    (void)b;
    return key >> 17 & 1;
}
static bool as_the_sieve(const struct made *b, xq_key key)
{
    return bk_sieve_has(&b->sieve, key);
}

static bool maybe(void *ctx, const xq_pos *p)
{
    const struct made *const b = ctx;
    return known(b, p) != NULL || b->lies(b, key_of(b, p));
}

static xq_status find(void *ctx, const xq_pos *p, bk_entry *e, xq_err *err)
{
    struct made *const b = ctx;
    const struct known *const k = known(b, p);
    (void)err;
    b->asked = key_of(b, p);
    e->n = 0;
    for (unsigned i = 0; k && i < k->n; i++) {
        const bool same = k->pos.key == p->key;
        e->key = k->key;
        e->moves[e->n++] = (bk_book_move){
            .move = same ? k->moves[i] : xq_move_mirror(k->moves[i])};
    }
    return k ? XQ_OK : XQ_ENOTFOUND;
}

/* Each position that can be reached is met, once, and no other. */
static void walk_is(struct made *b, const xq_pos *roots, unsigned nroots,
                    bool deep)
{
    const bk_lookup l = {b, maybe, find};
    struct closure c = close_over(b, roots, nroots, deep);
    const unsigned want = c.n;
    unsigned got = 0;
    const xq_pos *p;
    const bk_entry *e;
    xq_err err;
    bk_walk *w = NULL;
    xq_status rc;
    assert_int_equal(bk_walk_open(&w, &l, b->one_wing, deep, 1, &err), XQ_OK);
    for (unsigned i = 0; i < nroots; i++)
        assert_int_equal(bk_walk_from(w, &roots[i], &err), XQ_OK);
    while ((rc = bk_walk_next(w, &p, &e, &err)) == XQ_OK) {
        const struct known *const k = known(b, p);
        assert_non_null(k);
        assert_int_equal(e->key, k->key);
        assert_int_equal(b->asked, k->key); /* keyed.c builds on it */
        assert_int_equal(e->n, k->n);
        for (unsigned i = 0; i < e->n; i++)
            assert_true(has_move(k, p, e->moves[i].move));
        assert_true(c.met[k - b->v]);
        c.met[k - b->v] = false;
        got++;
    }
    assert_int_equal(rc, XQ_DONE);
    assert_int_equal(got, want);
    /* and after the end it still knows which */
    for (unsigned i = 0, k = 0; i < b->n; i++) {
        bool met, was = false;
        for (k = 0; k < want; k++)
            was |= c.queue[k] == i;
        assert_int_equal(bk_walk_met(w, b->v[i].key, &met, &err), XQ_OK);
        assert_int_equal(met, was);
    }
    bk_walk_close(w);
    free_closure(&c);
}

static bool (*const LIES[])(const struct made *,
                            xq_key) = {never, half, as_the_sieve, always};

/* A sieve that says yes too often costs time, never a position. */
static void a_lying_sieve_loses_nothing(void **state)
{
    uint64_t r = seed_of_run();
    (void)state;
    for (unsigned i = 0; i < 6; i++) {
        struct made b = make_book(&r, i % 2 == 1, 12);
        xq_pos start;
        xq_pos_start(&start);
        assert_true(bk_sieve_init(&b.sieve, b.n, 1));
        for (unsigned k = 0; k < b.n; k++)
            bk_sieve_add(&b.sieve, b.v[k].key);
        for (unsigned k = 0; k < COUNT_OF(LIES); k++) {
            b.lies = LIES[k];
            walk_is(&b, &start, 1, false);
        }
        free_book(&b);
    }
}

static void nor_when_it_looks_deep(void **state)
{
    uint64_t r = seed_of_run();
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct made b = make_book(&r, i % 2 == 1, 3);
        xq_pos start;
        xq_pos_start(&start);
        for (unsigned k = 0; k < 2; k++) { /* never, half */
            b.lies = LIES[k];
            walk_is(&b, &start, 1, true);
        }
        free_book(&b);
    }
}

/* Where the walk starts first makes no difference: a start that was met
 * before is nothing new. */
static void order_of_the_starts_is_free(void **state)
{
    uint64_t r = seed_of_run();
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        struct made b = make_book(&r, false, 8);
        xq_pos roots[4];
        xq_pos_start(&roots[0]);
        roots[1] = b.v[random_below(&r, b.n)].pos;
        roots[2] = b.v[random_below(&r, b.n)].pos;
        roots[3] = roots[0];
        for (unsigned k = 0; k < 2; k++) {
            b.lies = LIES[k];
            walk_is(&b, roots, 4, false);
            const xq_pos t = roots[0];
            roots[0] = roots[2];
            roots[2] = t;
            walk_is(&b, roots, 4, false);
        }
        free_book(&b);
    }
}

/* The same by hand: h2e2 leads where the book knows nothing, and a reply
 * there back into it.  A yes for the gap is no reason to stop. */
static void a_gap_of_one_ply_is_bridged(void **state)
{
    struct made b = {.lies = never};
    xq_pos p, start;
    (void)state;
    xq_pos_start(&start);
    p = start;
    put(&b, &p, xq_move_parse("h2e2"));
    xq_pos_make(&p, xq_move_parse("h2e2"), NULL);
    xq_pos_make(&p, xq_move_parse("h9g7"), NULL);
    put(&b, &p, xq_move_parse("h0g2"));
    for (unsigned k = 0; k < 2; k++) {
        b.lies = k ? always : never;
        struct closure c = close_over(&b, &start, 1, false);
        assert_int_equal(c.n, 2);
        free_closure(&c);
        walk_is(&b, &start, 1, false);
    }
    free_book(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gap_of_one_ply_is_bridged),
        cmocka_unit_test(a_lying_sieve_loses_nothing),
        cmocka_unit_test(nor_when_it_looks_deep),
        cmocka_unit_test(order_of_the_starts_is_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
