/* test_foreign.c - books of other programs: the known answers of the formats
 * reference (5.1, 5.2, 5.4), what is exported read back by small readers of
 * the test's own, and real books (../shared/data/book, QIPU_SHARED names
 * another place; skipped, saying so, where they are absent).
 * QIPU_SEED sets the seed of the random games. */
#include "bookdb/foreign_parts.h"
#include "tests/unit/engine_util.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[] = "/tmp/qipu-foreign-XXXXXX";

static const char *path_of(const char *name)
{
    static char buf[8][96];
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

static void write_file(const char *name, const void *s, size_t n)
{
    FILE *f = fopen(path_of(name), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(s, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

static xq_pos after(const char *moves)
{
    xq_pos p;
    xq_pos_start(&p);
    for (; *moves; moves += 4 + (moves[4] == ' ')) {
        char text[5] = {moves[0], moves[1], moves[2], moves[3]};
        const xq_move m = xq_move_parse(text);
        assert_true(xq_move_is_legal(&p, m));
        xq_pos_make(&p, m, NULL);
    }
    return p;
}

static xq_pos mirror_of(const xq_pos *p)
{
    xq_pos q;
    xq_pos_mirror(&q, p);
    return q;
}

/* ---- known answers ---- */

static void bookdat_locks_are_the_known_ones(void **state)
{
    uint32_t lock0, lock1;
    (void)state;
    xq_pos p = after("");
    bk_bookdat_locks(&p, &lock0, &lock1);
    assert_int_equal(lock0, 0x8f899c24);
    assert_int_equal(lock1, 0x052656d5);
    /* the item of the player, and of Red's king on e0 (against d0) */
    xq_pos_pass(&p);
    bk_bookdat_locks(&p, &lock0, &lock1);
    assert_int_equal(lock0, 0x8f899c24 ^ 0x3a5d37a3);
    assert_int_equal(lock1, 0x052656d5 ^ 0x671e068a);
    /* after h2e2 only the mirror image's lock stands in the book */
    p = after("h2e2");
    p = mirror_of(&p);
    bk_bookdat_locks(&p, &lock0, &lock1);
    assert_int_equal(lock1, 0x5396644f);
    bk_row row;
    static const uint8_t FIRST[8] = {0x40, 0x32, 6, 0, 0xb5, 0x85, 6, 0};
    assert_true(bk_bookdat_decode(FIRST, &row));
    assert_int_equal(row.key, 0x00063240);
    assert_int_equal(row.move, xq_move_parse("c1c4"));
    assert_int_equal(row.weight, 6);
}

static void obk_keys_are_the_known_ones(void **state)
{
    static const struct {
        const char *fen, *moves;
        uint64_t key;
        int64_t number;
    } KNOWN[] = {
        {NULL, "", 0x628d04d7c9c144ae, 7101337512282506414},
        {"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b", NULL,
         0xc2432e2ec5846bf6, -4448661228494754826},
        {NULL, "h2e2", 0xa1ead1f6470e07ee, -6779375433368598546},
        {NULL, "b2e2", 0x29d430b1d3af9b9e, 3014087590936550302},
        {"4k4/9/9/9/9/9/9/9/9/4K4 w", NULL, 0x5d28dcdb03bdbaa6,
         6712858077814438566},
        {"4k4/9/9/9/9/9/9/9/9/4K4 b", NULL, 0xfde6f6220ff895fe,
         -151162911313062402},
    };
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(KNOWN); i++) {
        const xq_pos p =
            KNOWN[i].fen ? pos_of(KNOWN[i].fen) : after(KNOWN[i].moves);
        const uint64_t key = bk_obk_key(&p);
        assert_true(key == KNOWN[i].key);
        assert_true((int64_t)key == KNOWN[i].number);
    }
    bk_row row;
    bk_obk_cells c = {.key_type = SQLITE_INTEGER, .move = 43687};
    assert_true(bk_obk_decode(&c, false, &row));
    assert_int_equal(row.move, xq_move_parse("h2e2"));
    c.move = 42922;
    assert_true(bk_obk_decode(&c, true, &row));
    assert_int_equal(row.move, xq_move_parse("h2e2"));
}

static void assert_xqb_key(const xq_pos *p, const char *want)
{
    uint8_t key[BK_XQB_KEY_MAX];
    char text[2 * BK_XQB_KEY_MAX + 1] = "";
    bool mirrored;
    const size_t n = bk_xqb_key(p, key, &mirrored);
    for (size_t i = 0; i < n; i++)
        sprintf(text + 2 * i, "%02x", key[i]);
    assert_string_equal(text, want);
}

static void xqb_keys_are_the_known_ones(void **state)
{
    (void)state;
    xq_pos p = after("");
    assert_xqb_key(&p,
                   "ceb7cef37ac801e079f7df7df00002ebaebaeb02c004653a56939440");
    assert_int_equal(bk_xqb_move(&p, false, xq_move_parse("h2e2")), 0x7774);
    assert_int_equal(bk_xqb_move_of(0x7774), xq_move_parse("h2e2"));
    p = after("h2e2");
    assert_xqb_key(&p,
                   "ceb7cef37ac801e3c1f7df7df00002ebaebaeb02c004653a56939440");
    p = after("b2e2");
    assert_xqb_key(&p,
                   "ceb7cef37ac801e3c1f7df7df00002ebaebaeb02c004653a56939440");
}

/* What a key is turned into has that key, and as many legal moves. */
static void xqb_keys_give_their_position_back(void **state)
{
    uint64_t seed = seed_of_run();
    (void)state;
    for (unsigned i = 0; i < 2000; i++) {
        const xq_pos p = random_odd(&seed, 40);
        uint8_t key[BK_XQB_KEY_MAX], again[BK_XQB_KEY_MAX];
        bool mirrored, other;
        xq_pos q;
        xq_movelist a, b;
        const size_t n = bk_xqb_key(&p, key, &mirrored);
        assert_true(bk_xqb_pos(key, n, &q));
        assert_int_equal(bk_xqb_key(&q, again, &other), n);
        assert_memory_equal(key, again, n);
        xq_gen_legal(&p, &a);
        xq_gen_legal(&q, &b);
        assert_int_equal(a.n, b.n);
        for (unsigned k = 0; k < a.n; k++)
            assert_true(xq_move_is_legal(
                &q, bk_xqb_move_of(bk_xqb_move(&p, mirrored, a.m[k]))));
        assert_false(bk_xqb_pos(key, n - 1, &q));
    }
}

/* ---- making books ---- */

static bk_maker *new_maker(const char *name, bool one_wing)
{
    const bk_maker_options o = {
        .memory = 1 << 20, .threads = 1, .one_wing = one_wing};
    bk_maker *m = NULL;
    xq_err err;
    if (bk_maker_open(&m, path_of(name), &o, &err) != XQ_OK)
        fail_msg("%s", err.msg);
    return m;
}

static void put(bk_maker *m, const xq_pos *p, xq_move move, uint64_t weight,
                uint64_t red)
{
    bk_tally t;
    xq_err err;
    bk_tally_of(&t, p, move, bk_maker_one_wing(m));
    t.weight_given = true;
    t.weight = weight;
    t.games[PGN_RED_WINS] = red;
    assert_int_equal(bk_maker_put(m, &t, &err), XQ_OK);
}

static bk_book *finish(bk_maker *m, const char *name, uint64_t *scaled)
{
    bk_book *b = NULL;
    bk_book_info info;
    xq_err err;
    if (bk_maker_finish(m, &err) != XQ_OK)
        fail_msg("%s", err.msg);
    if (scaled)
        *scaled = bk_maker_scaled(m);
    bk_maker_close(m);
    if (bk_book_check(path_of(name), &info, &err) != XQ_OK ||
        bk_book_open(&b, path_of(name), &err) != XQ_OK)
        fail_msg("%s", err.msg);
    return b;
}

static const bk_book_move *find_move(bk_book *b, const xq_pos *p,
                                     const char *text, bk_entry *e)
{
    xq_err err;
    assert_int_equal(bk_book_find(b, p, e, NULL, &err), XQ_OK);
    for (unsigned i = 0; i < e->n; i++)
        if (e->moves[i].move == xq_move_parse(text))
            return &e->moves[i];
    fail_msg("%s is not there", text);
    return NULL;
}

static void wings_that_agree_count_once(void **state)
{
    bk_entry e;
    (void)state;
    bk_maker *m = new_maker("wings", false);
    const xq_pos p = after("h2e2"), q = mirror_of(&p);
    const xq_pos r = after("c3c4"), s = mirror_of(&r);
    xq_pos start = after("");
    /* the same on both wings */
    put(m, &p, xq_move_parse("h9g7"), 70, 3);
    put(m, &q, xq_move_parse("b9c7"), 70, 3);
    put(m, &p, xq_move_parse("e6e5"), 5, 0);
    put(m, &q, xq_move_parse("e6e5"), 5, 0);
    /* not the same */
    put(m, &r, xq_move_parse("h9g7"), 70, 3);
    put(m, &s, xq_move_parse("b9c7"), 70, 2);
    /* a position that is its own image: e3e4 stands there once */
    put(m, &start, xq_move_parse("h2e2"), 9, 0);
    put(m, &start, xq_move_parse("b2e2"), 9, 0);
    put(m, &start, xq_move_parse("e3e4"), 4, 0);
    bk_book *b = finish(m, "wings", NULL);
    const bk_book_move *v = find_move(b, &p, "h9g7", &e);
    assert_int_equal(v->weight, 70);
    assert_int_equal(v->counts.red, 3);
    assert_int_equal(find_move(b, &p, "e6e5", &e)->weight, 5);
    v = find_move(b, &r, "h9g7", &e);
    assert_int_equal(v->weight, 140);
    assert_int_equal(v->counts.red, 5);
    assert_int_equal(find_move(b, &start, "h2e2", &e)->weight, 9);
    assert_int_equal(find_move(b, &start, "e3e4", &e)->weight, 4);
    bk_book_close(b);
}

static void large_weights_are_scaled_not_wrapped(void **state)
{
    bk_entry e;
    uint64_t scaled = 0;
    (void)state;
    bk_maker *m = new_maker("large", false);
    const xq_pos p = after(""), q = after("h2e2");
    put(m, &p, xq_move_parse("h2e2"), UINT64_C(1) << 40, 0);
    put(m, &p, xq_move_parse("c3c4"), UINT64_C(1) << 39, 0);
    put(m, &p, xq_move_parse("a0a1"), 1, 0);
    put(m, &p, xq_move_parse("e3e4"), 0, 0);
    put(m, &q, xq_move_parse("h9g7"), UINT32_MAX, 0);
    bk_book *b = finish(m, "large", &scaled);
    assert_int_equal(scaled, 1);
    const uint32_t most = find_move(b, &p, "h2e2", &e)->weight;
    assert_true(most >= UINT32_C(1) << 31);
    /* canonical moves stand on Red's right */
    assert_int_equal(find_move(b, &p, "g3g4", &e)->weight, most / 2);
    assert_int_equal(find_move(b, &p, "i0i1", &e)->weight, 1);
    assert_int_equal(find_move(b, &p, "e3e4", &e)->weight, 0);
    assert_true(find_move(b, &p, "e3e4", &e)->weight_given);
    assert_int_equal(find_move(b, &q, "h9g7", &e)->weight, UINT32_MAX);
    bk_book_close(b);
}

/* ---- a book of random games, and what it says as an array ---- */

enum { GAMES = 60, PLIES = 30 };

static xq_pos met[GAMES * PLIES];
static unsigned nmet;

static bk_book *random_book(const char *name, bool one_wing)
{
    uint64_t seed = seed_of_run();
    bk_maker *m = new_maker(name, one_wing);
    xq_err err;
    nmet = 0;
    for (unsigned g = 0; g < GAMES; g++) {
        xq_pos p = after("");
        for (unsigned i = 0; i < PLIES; i++) {
            const xq_move move = random_move(&p, &seed);
            const unsigned kind = random_below(&seed, 12);
            bk_tally t;
            if (move == XQ_NOMOVE)
                break;
            bk_tally_of(&t, &p, move, one_wing);
            t.weight_given = kind < 4;
            t.weight = kind == 0   ? random_next(&seed) >> 34 /* over 16 bits */
                       : kind == 1 ? 0
                                   : random_below(&seed, 200);
            for (unsigned r = 0; r < 4; r++)
                t.games[r] = random_below(&seed, 3);
            t.year = random_below(&seed, 2) ? 1999 : 0;
            t.elo_games = random_below(&seed, 2);
            t.elo_sum = t.elo_games * 2400;
            assert_int_equal(bk_maker_put(m, &t, &err), XQ_OK);
            t.move = XQ_NOMOVE;
            assert_int_equal(bk_maker_put(m, &t, &err), XQ_OK);
            met[nmet++] = p;
            xq_pos_make(&p, move, NULL);
        }
    }
    return finish(m, name, NULL);
}

static void export_to(bk_book *b, bk_format f, const char *name,
                      bk_export_report *r)
{
    const bk_export_options o = {0};
    xq_err err;
    if (bk_foreign_export(b, f, path_of(name), &o, r, &err) != XQ_OK)
        fail_msg("%s", err.msg);
}

/* A move that a reader found, by name of its squares; up to 128 a position. */
struct found {
    char text[5];
    uint64_t weight;
    int64_t win, draw, lost;
};

/* The entry of p, and what was found for it by someone else: the same moves;
 * weights alike, up to scaling.  In a symmetric position either wing will
 * do, but both must be there. */
static void assert_same_moves(const xq_pos *p, const bk_entry *e,
                              const struct found *f, unsigned n)
{
    const bool symmetric = p->key == p->mirror_key;
    unsigned wanted = 0;
    for (unsigned i = 0; i < e->n; i++) {
        const xq_move m = e->moves[i].move, other = xq_move_mirror(m);
        unsigned hits = 0;
        for (unsigned k = 0; k < n; k++) {
            const xq_move g = xq_move_parse(f[k].text);
            if (g == m || (symmetric && g == other))
                hits++;
        }
        const unsigned want = symmetric && m != other ? 2 : 1;
        assert_int_equal(hits, want);
        wanted += want;
    }
    assert_int_equal(n, wanted);
}

/* ---- BOOK.DAT, read as formats reference 5.1 has it ---- */

static uint32_t item[14][256][3], item_player[3];

static void make_items(void)
{
    uint8_t s[256];
    for (int i = 0; i < 256; i++)
        s[i] = (uint8_t)i;
    for (int i = 0, j = 0; i < 256; i++) {
        j = (j + s[i] + 0) % 256;
        const uint8_t t = s[i];
        s[i] = s[j];
        s[j] = t;
    }
    int i = 0, j = 0;
    for (int k = -1; k < 14 * 256; k++)
        for (int w = 0; w < 3; w++) {
            uint32_t v = 0;
            for (int b = 0; b < 4; b++) {
                i = (i + 1) % 256;
                j = (j + s[i]) % 256;
                const uint8_t t = s[i];
                s[i] = s[j];
                s[j] = t;
                v |= (uint32_t)s[(s[i] + s[j]) % 256] << 8 * b;
            }
            if (k < 0)
                item_player[w] = v;
            else
                item[k / 256][k % 256][w] = v;
        }
}

/* From a FEN, on purpose: nothing of qipu's board is used. */
static uint32_t lock_of_fen(const char *fen, bool mirrored)
{
    static const char PIECES[] = "KABNRCPkabnrcp";
    uint32_t lock = 0;
    int row = 3, column = 0;
    for (; *fen != ' '; fen++) {
        if (*fen == '/') {
            row++;
            column = 0;
        } else if (*fen <= '9') {
            column += *fen - '0';
        } else {
            const int piece = (int)(strchr(PIECES, *fen) - PIECES);
            const int x = 3 + (mirrored ? 8 - column : column);
            lock ^= item[piece][row * 16 + x][2];
            column++;
        }
    }
    return fen[1] == 'b' ? lock ^ item_player[2] : lock;
}

static void square_text(unsigned byte, bool mirrored, char *out)
{
    const unsigned x = byte % 16 - 3, row = byte / 16 - 3;
    out[0] = (char)('a' + (mirrored ? 8 - x : x));
    out[1] = (char)('0' + 9 - row);
}

struct bookdat {
    uint8_t *bytes;
    size_t n; /* records */
};

static struct bookdat load(const char *path)
{
    struct bookdat d = {NULL, 0};
    struct stat st;
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fstat(fileno(f), &st), 0);
    assert_int_equal(st.st_size % 8, 0);
    d.n = (size_t)st.st_size / 8;
    d.bytes = malloc(8 * d.n + 1);
    assert_non_null(d.bytes);
    assert_int_equal(fread(d.bytes, 8, d.n, f), d.n);
    fclose(f);
    return d;
}

static uint32_t record_lock(const struct bookdat *d, size_t i)
{
    const uint8_t *r = d->bytes + 8 * i;
    return r[0] | (uint32_t)r[1] << 8 | (uint32_t)r[2] << 16 |
           (uint32_t)r[3] << 24;
}

/* As an engine probes: the lock by halving, then the mirror image's. */
static unsigned probe_bookdat(const struct bookdat *d, const xq_pos *p,
                              struct found *out)
{
    char fen[XQ_FEN_MAX];
    unsigned n = 0;
    xq_fen_format(p, fen);
    for (int mirrored = 0; mirrored < 2 && n == 0; mirrored++) {
        const uint32_t lock = lock_of_fen(fen, mirrored);
        size_t low = 0, high = d->n;
        while (low < high) {
            const size_t mid = (low + high) / 2;
            if (record_lock(d, mid) < lock)
                low = mid + 1;
            else
                high = mid;
        }
        for (; low < d->n && record_lock(d, low) == lock; low++) {
            const uint8_t *r = d->bytes + 8 * low;
            struct found *f = &out[n];
            square_text(r[4], mirrored, f->text);
            square_text(r[5], mirrored, f->text + 2);
            f->text[4] = '\0';
            f->weight = r[6] | (unsigned)r[7] << 8;
            if (xq_move_is_legal(p, xq_move_parse(f->text)))
                n++;
        }
    }
    return n;
}

static void assert_weights(const xq_pos *p, const bk_entry *e,
                           const struct found *f, unsigned n, uint64_t limit)
{
    uint64_t most = 0;
    for (unsigned i = 0; i < e->n; i++)
        most = e->moves[i].weight > most ? e->moves[i].weight : most;
    for (unsigned i = 0; i < e->n; i++)
        for (unsigned k = 0; k < n; k++) {
            const uint64_t w = e->moves[i].weight;
            const xq_move m = e->moves[i].move, g = xq_move_parse(f[k].text);
            if (g != m && (p->key != p->mirror_key || g != xq_move_mirror(m)))
                continue;
            if (most == 0)
                assert_int_equal(f[k].weight, 1);
            else if (most <= limit)
                assert_int_equal(f[k].weight, w);
            else if (w > 0)
                assert_in_range(f[k].weight, w * limit / most,
                                w * limit / most + 1);
        }
}

/* bk_bookdat_find says what this test reads. */
static void assert_asked(const bk_bookdat *asked, const struct bookdat *d,
                         const xq_pos *p)
{
    struct found f[2 * BK_BOOK_MOVES];
    bk_entry e;
    xq_err err;
    unsigned dropped;
    const unsigned n = probe_bookdat(d, p, f);
    assert_int_equal(bk_bookdat_find(asked, p, &e, &dropped, &err),
                     n ? XQ_OK : XQ_ENOTFOUND);
    assert_int_equal(e.n, n);
    for (unsigned i = 0; i < n; i++) {
        unsigned k = 0;
        while (k < n && e.moves[k].move != xq_move_parse(f[i].text))
            k++;
        assert_true(k < n);
        assert_int_equal(e.moves[k].weight, f[i].weight);
        assert_true(e.moves[k].weight_given);
        assert_true(i == 0 || e.moves[i - 1].weight >= e.moves[i].weight);
    }
}

static bk_bookdat *open_bookdat(const char *path)
{
    bk_bookdat *b = NULL;
    xq_err err;
    if (bk_bookdat_open(&b, path, &err) != XQ_OK)
        fail_msg("%s", err.msg);
    return b;
}

static void exported_bookdat_has_the_same_moves(void **state)
{
    struct found f[2 * BK_BOOK_MOVES];
    bk_export_report r;
    bk_entry e;
    xq_err err;
    (void)state;
    make_items();
    for (int one_wing = 0; one_wing < 2; one_wing++) {
        bk_book *b = random_book("b1.book", one_wing);
        export_to(b, BK_F_BOOKDAT, "BOOK.DAT", &r);
        assert_int_equal(r.positions, r.walked_positions);
        assert_int_equal(r.moves, r.walked_moves);
        assert_int_equal(r.collided, 0);
        const struct bookdat d = load(path_of("BOOK.DAT"));
        assert_int_equal(d.n, r.records);
        for (size_t i = 1; i < d.n; i++)
            assert_true(record_lock(&d, i) >= record_lock(&d, i - 1));
        bk_bookdat *const asked = open_bookdat(path_of("BOOK.DAT"));
        for (unsigned i = 0; i < nmet; i++) {
            const xq_pos q = mirror_of(&met[i]);
            assert_asked(asked, &d, &met[i]);
            assert_asked(asked, &d, &q);
        }
        bk_bookdat_close(asked);
        for (unsigned i = 0; i < nmet && !one_wing; i++) {
            assert_int_equal(bk_book_find(b, &met[i], &e, NULL, &err), XQ_OK);
            const unsigned n = probe_bookdat(&d, &met[i], f);
            assert_same_moves(&met[i], &e, f, n);
            assert_weights(&met[i], &e, f, n, UINT16_MAX);
            const xq_pos q = mirror_of(&met[i]);
            assert_int_equal(bk_book_find(b, &q, &e, NULL, &err), XQ_OK);
            assert_same_moves(&q, &e, f, probe_bookdat(&d, &q, f));
        }
        /* wings apart: there all the moves are, some from the other wing */
        for (unsigned i = 0; i < nmet && one_wing; i++) {
            assert_int_equal(bk_book_find(b, &met[i], &e, NULL, &err), XQ_OK);
            assert_true(probe_bookdat(&d, &met[i], f) >= e.n);
        }
        free(d.bytes);
        bk_book_close(b);
    }
}

/* ---- OBK, by plain SQL ---- */

static void sql(sqlite3 *db, const char *text)
{
    char *message = NULL;
    if (sqlite3_exec(db, text, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", text, message);
}

static sqlite3 *open_sql(const char *name)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path_of(name), &db), SQLITE_OK);
    return db;
}

/* The key with numbers of the file of constants where that is at hand. */
static uint64_t constants[14][10][9], red_to_move;

static void load_constants(void)
{
    static const char PIECES[] = "KABNRCPkabnrcp";
    char path[500], line[400];
    const char *s = getenv("QIPU_SHARED");
    snprintf(path, sizeof path, "%s/data/obk/obk_zobrist.txt",
             s ? s : "../shared");
    FILE *f = fopen(path, "r");
    for (int k = 0; k < 14; k++) /* ours, unless the file is there */
        for (int rank = 0; rank < 10; rank++)
            for (int x = 0; x < 9; x++)
                constants[k][rank][x] = bk_obk_keys[k][rank * 9 + x];
    red_to_move = bk_obk_red;
    if (!f) {
        print_message("%s is absent: the library's own table is used\n", path);
        return;
    }
    while (fgets(line, sizeof line, f)) {
        char *at = line + 4;
        if (strncmp(line, "RED_TO_MOVE ", 12) == 0)
            red_to_move = strtoull(line + 12, NULL, 16);
        else if (line[1] == ' ' && strchr(PIECES, line[0]))
            for (int x = 0; x < 9; x++)
                constants[strchr(PIECES, line[0]) - PIECES][line[2] - '0'][x] =
                    strtoull(at, &at, 16);
    }
    fclose(f);
}

static uint64_t obk_key_of_fen(const char *fen)
{
    static const char PIECES[] = "KABNRCPkabnrcp";
    uint64_t key = 0;
    int rank = 9, x = 0;
    for (; *fen != ' '; fen++) {
        if (*fen == '/') {
            rank--;
            x = 0;
        } else if (*fen <= '9') {
            x += *fen - '0';
        } else {
            key ^= constants[strchr(PIECES, *fen) - PIECES][rank][x++];
        }
    }
    return fen[1] == 'w' ? key ^ red_to_move : key;
}

/* All rows: the file is read once, as the reference advises. */
struct obk_row {
    uint64_t key;
    unsigned move;
    int64_t score, win, draw, lost;
};

static struct obk_row *load_obk(const char *name, size_t *n, size_t *reals)
{
    sqlite3 *db = open_sql(name);
    sqlite3_stmt *st = NULL;
    struct obk_row *v = NULL;
    size_t cap = 0;
    *n = *reals = 0;
    assert_int_equal(
        sqlite3_prepare_v2(db,
                           "SELECT vkey, vmove, vscore, vwin, vdraw, vlost "
                           "FROM bhobk NOT INDEXED WHERE vvalid IN (0, 1)",
                           -1, &st, NULL),
        SQLITE_OK);
    while (sqlite3_step(st) == SQLITE_ROW) {
        if (*n == cap) {
            cap = cap ? 2 * cap : 256;
            v = realloc(v, cap * sizeof *v);
            assert_non_null(v);
        }
        struct obk_row *r = &v[(*n)++];
        const double d = sqlite3_column_double(st, 0);
        r->key = (uint64_t)sqlite3_column_int64(st, 0);
        if (sqlite3_column_type(st, 0) == SQLITE_FLOAT) {
            memcpy(&r->key, &d, sizeof d);
            ++*reals;
        }
        r->move = (unsigned)sqlite3_column_int(st, 1);
        r->score = sqlite3_column_int64(st, 2);
        r->win = sqlite3_column_int64(st, 3);
        r->draw = sqlite3_column_int64(st, 4);
        r->lost = sqlite3_column_int64(st, 5);
    }
    sqlite3_finalize(st);
    sqlite3_close(db);
    return v;
}

static unsigned probe_obk(const struct obk_row *v, size_t n, const xq_pos *p,
                          struct found *out)
{
    char fen[XQ_FEN_MAX];
    unsigned k = 0;
    xq_fen_format(p, fen);
    const uint64_t key = obk_key_of_fen(fen);
    for (size_t i = 0; i < n; i++)
        if (v[i].key == key) {
            struct found *f = &out[k++];
            square_text(v[i].move >> 8, false, f->text);
            square_text(v[i].move & 255, false, f->text + 2);
            f->text[4] = '\0';
            f->weight = (uint64_t)v[i].score;
            f->win = v[i].win;
            f->draw = v[i].draw;
            f->lost = v[i].lost;
        }
    return k;
}

static void assert_counts(const xq_pos *p, const bk_entry *e,
                          const struct found *f, unsigned n)
{
    for (unsigned i = 0; i < e->n; i++)
        for (unsigned k = 0; k < n; k++) {
            const bk_book_move *m = &e->moves[i];
            if (xq_move_parse(f[k].text) != m->move)
                continue;
            const bool red = p->side == XQ_RED;
            assert_int_equal(f[k].win, red ? m->counts.red : m->counts.black);
            assert_int_equal(f[k].lost, red ? m->counts.black : m->counts.red);
            assert_int_equal(f[k].draw, m->counts.draw);
            assert_int_equal(f[k].weight, m->weight);
        }
}

static void exported_obk_has_the_same_moves(void **state)
{
    struct found f[2 * BK_BOOK_MOVES];
    bk_export_report r;
    bk_entry e;
    xq_err err;
    size_t n, reals;
    (void)state;
    load_constants();
    for (int one_wing = 0; one_wing < 2; one_wing++) {
        bk_book *b = random_book("b2.book", one_wing);
        export_to(b, BK_F_OBK, "book.obk", &r);
        assert_int_equal(r.moves, r.walked_moves);
        struct obk_row *v = load_obk("book.obk", &n, &reals);
        assert_int_equal(n, r.records);
        assert_true(reals > n / 3);
        for (unsigned i = 0; i < nmet; i++) {
            assert_int_equal(bk_book_find(b, &met[i], &e, NULL, &err), XQ_OK);
            const unsigned k = probe_obk(v, n, &met[i], f);
            if (one_wing)
                assert_int_equal(k, e.n);
            else
                assert_same_moves(&met[i], &e, f, k);
            assert_counts(&met[i], &e, f, k);
            if (one_wing)
                continue;
            const xq_pos q = mirror_of(&met[i]);
            assert_int_equal(bk_book_find(b, &q, &e, NULL, &err), XQ_OK);
            assert_same_moves(&q, &e, f, probe_obk(v, n, &q, f));
        }
        free(v);
        bk_book_close(b);
    }
}

/* Keys whose bits are a whole floating-point number must not become that
 * number, as an INTEGER column would have it: the bits stay. */
static void obk_declares_what_bhguis_do(void **state)
{
    bk_export_report r;
    (void)state;
    bk_book *b = random_book("b3.book", false);
    export_to(b, BK_F_OBK, "b3.obk", &r);
    bk_book_close(b);
    sqlite3 *db = open_sql("b3.obk");
    sqlite3_stmt *st = NULL;
    assert_int_equal(sqlite3_prepare_v2(
                         db, "SELECT sql FROM sqlite_master WHERE name='bhobk'",
                         -1, &st, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(st), SQLITE_ROW);
    assert_string_equal(
        (const char *)sqlite3_column_text(st, 0),
        "CREATE TABLE bhobk([id] INTEGER PRIMARY KEY AUTOINCREMENT, [vkey] "
        "INTEGER, [vmove] INTEGER, [vscore] INTEGER, [vwin] INTEGER, [vdraw] "
        "INTEGER, [vlost] INTEGER, [vvalid] INTEGER, [vmemo] BLOB, [vindex] "
        "INTEGER)");
    sqlite3_finalize(st);
    assert_int_equal(
        sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &st, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_step(st), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(st, 0), "ok");
    sqlite3_finalize(st);
    sqlite3_close(db);
}

/* ---- reading ---- */

static xq_status import(const char *name, const char *book, bool one_wing,
                        bk_import_report *r, xq_err *err)
{
    const bk_import_options o = {0};
    bk_maker *m = new_maker(book, one_wing);
    xq_status rc = bk_foreign_import(m, path_of(name), &o, r, err);
    if (rc == XQ_OK)
        rc = bk_maker_finish(m, err);
    bk_maker_close(m);
    return rc;
}

static bk_book *open_book(const char *name)
{
    bk_book *b = NULL;
    xq_err err;
    if (bk_book_open(&b, path_of(name), &err) != XQ_OK)
        fail_msg("%s", err.msg);
    return b;
}

/* An OBK with keys stored in every way there is, and moves either way. */
static void obk_keys_and_moves_of_all_kinds_are_read(void **state)
{
    static const char *const LINE[] = {
        "", "h2e2", "h2e2 h9g7", "h2e2 h9g7 h0g2", "b2e2", "c3c4"};
    static const char *const MOVE[] = {"h2e2", "h9g7", "h0g2",
                                       "i9h9", "h9g7", "g6g5"};
    (void)state;
    for (int swapped = 0; swapped < 2; swapped++)
        for (int real = 0; real < 2; real++) {
            unlink(path_of("own.obk"));
            sqlite3 *db = open_sql("own.obk");
            sqlite3_stmt *st = NULL;
            unsigned negative = 0;
            sql(db, "CREATE TABLE bhobk(id INTEGER PRIMARY KEY, vkey, vmove "
                    "INTEGER, vscore INTEGER, vwin INTEGER, vdraw INTEGER, "
                    "vlost INTEGER, vvalid INTEGER, vmemo BLOB, vindex "
                    "INTEGER)");
            assert_int_equal(
                sqlite3_prepare_v2(db,
                                   "INSERT INTO bhobk(vkey, vmove, vscore, "
                                   "vwin, vdraw, vlost, vvalid) "
                                   "VALUES(?,?,100,1,2,3,1)",
                                   -1, &st, NULL),
                SQLITE_OK);
            for (unsigned i = 0; i < COUNT_OF(LINE); i++) {
                const xq_pos p = after(LINE[i]);
                const uint64_t key = bk_obk_key(&p);
                const xq_move m = xq_move_parse(MOVE[i]);
                unsigned from = bk_xqbase_of(xq_move_from(m));
                unsigned to = bk_xqbase_of(xq_move_to(m));
                double d;
                memcpy(&d, &key, sizeof d);
                negative += key >> 63;
                if (real && key >> 63)
                    sqlite3_bind_double(st, 1, d);
                else
                    sqlite3_bind_int64(st, 1, (int64_t)key);
                sqlite3_bind_int(
                    st, 2, (int)(swapped ? to << 8 | from : from << 8 | to));
                assert_int_equal(sqlite3_step(st), SQLITE_DONE);
                sqlite3_reset(st);
            }
            sqlite3_finalize(st);
            sql(db, "INSERT INTO bhobk(vkey, vmove) VALUES(NULL, 34663)");
            sql(db, "INSERT INTO bhobk(vkey, vmove) VALUES(7, 34663)");
            sql(db, "INSERT INTO bhobk(vkey, vmove) VALUES(8, 1)");
            sqlite3_close(db);
            bk_import_report r;
            bk_entry e;
            xq_err err;
            if (import("own.obk", "own.book", false, &r, &err) != XQ_OK)
                fail_msg("%s", err.msg);
            assert_int_equal(r.records, COUNT_OF(LINE) + 3);
            assert_int_equal(r.taken, COUNT_OF(LINE));
            assert_int_equal(r.unreached, 1);
            assert_int_equal(r.unreadable, 1);
            assert_int_equal(r.keyless, 1);
            assert_int_equal(r.real_keys, real ? negative : 0);
            assert_int_equal(r.swapped, swapped);
            assert_true(negative > 0);
            bk_book *b = open_book("own.book");
            for (unsigned i = 0; i < COUNT_OF(LINE); i++) {
                const xq_pos p = after(LINE[i]);
                const bk_book_move *m = find_move(b, &p, MOVE[i], &e);
                assert_int_equal(m->weight, 100);
                assert_int_equal(
                    p.side == XQ_RED ? m->counts.red : m->counts.black, 1);
            }
            bk_book_close(b);
        }
}

/* Only Red's moves, as repertoire books have them: the walk bridges. */
static void books_of_one_side_are_walked(void **state)
{
    static const char *const LINE[] = {"", "h2e2 h9g7", "h2e2 h9g7 h0g2 i9h9"};
    static const char *const MOVE[] = {"h2e2", "h0g2", "i0h0"};
    uint8_t bytes[3][8];
    bk_import_report r;
    xq_err err;
    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        xq_pos p = after(LINE[i]), q = mirror_of(&p);
        uint32_t a, b, other;
        xq_move m = xq_move_parse(MOVE[i]);
        bk_bookdat_locks(&p, &a, &b);
        bk_bookdat_locks(&q, &a, &other);
        if (other < b) {
            b = other;
            m = xq_move_mirror(m);
        }
        memcpy(bytes[i],
               (uint8_t[8]){(uint8_t)b, (uint8_t)(b >> 8), (uint8_t)(b >> 16),
                            (uint8_t)(b >> 24), bk_xqbase_of(xq_move_from(m)),
                            bk_xqbase_of(xq_move_to(m)), 5, 0},
               8);
    }
    /* by rising lock */
    for (unsigned i = 0; i < 3; i++)
        for (unsigned k = i + 1; k < 3; k++) {
            const struct bookdat d = {bytes[0], 3};
            uint8_t t[8];
            if (record_lock(&d, k) >= record_lock(&d, i))
                continue;
            memcpy(t, bytes[i], 8);
            memcpy(bytes[i], bytes[k], 8);
            memcpy(bytes[k], t, 8);
        }
    write_file("red.dat", bytes, sizeof bytes);
    if (import("red.dat", "red.book", false, &r, &err) != XQ_OK)
        fail_msg("%s", err.msg);
    assert_int_equal(r.taken, 3);
    assert_int_equal(r.unreached, 0);
}

/* S69: never nothing as success, and no other file taken for a book. */
static void what_is_no_book_is_refused_by_name(void **state)
{
    static const uint8_t XOB[128] = {0x0b, 0x35};
    static const uint8_t POLYGLOT[32] = {
        0xf0, 0xab, 0xa4, 0xff, 0xa5, 0xf2, 0x74, 0xf5, 8,    0xe0, 0,
        1,    0,    0,    0,    0,    0xf1, 0xab, 0xa4, 0xff, 0xa5, 0xf2,
        0x74, 0xf5, 8,    0xe0, 0,    1,    0,    0,    0,    0};
    static const uint8_t NOWHERE[8] = {1, 2, 3, 4, 0xb5, 0x85, 6, 0};
    static const struct {
        const char *bytes;
        size_t n;
        const char *message; /* part of it */
    } CASES[] = {
        {"", 0, "empty"},
        {(const char *)XOB, sizeof XOB, "MoonRiver"},
        {(const char *)POLYGLOT, sizeof POLYGLOT, "Polyglot"},
        {(const char *)NOWHERE, sizeof NOWHERE, "of 1 records none"},
        {"{\"tags\":[],\"moves\":[\"h2e2\"]}\n", 30, "not of book positions"},
        {"[Event \"x\"]\n\n1. h2e2 *\n", 23, "games"},
        {"hello, world\n", 13, "tried: BOOK.DAT"},
        {"move,weight\nh2e2,1\n", 19, "tried"},
    };
    bk_import_report r;
    xq_err err;
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(CASES); i++) {
        write_file("foreign", CASES[i].bytes, CASES[i].n);
        assert_true(import("foreign", "none.book", false, &r, &err) < XQ_OK);
        if (!strstr(err.msg, CASES[i].message))
            fail_msg("case %u: %s", i, err.msg);
        assert_int_not_equal(access(path_of("none.book"), F_OK), 0);
    }
    bk_format f;
    bool one_wing;
    unlink(path_of("other.db"));
    sqlite3 *db = open_sql("other.db");
    sql(db, "CREATE TABLE books(a)");
    sqlite3_close(db);
    assert_int_equal(bk_foreign_kind(path_of("other.db"), &f, &one_wing, &err),
                     XQ_ESYNTAX);
    assert_non_null(strstr(err.msg, "SQLite"));
}

/* ---- there and back again ---- */

static void assert_same_books(const char *x, const char *y)
{
    bk_book *b[2] = {open_book(x), open_book(y)};
    bk_cursor *c[2] = {NULL, NULL};
    bk_entry e[2];
    xq_status rc[2];
    xq_err err;
    for (int k = 0; k < 2; k++)
        assert_int_equal(bk_cursor_open(&c[k], b[k], &err), XQ_OK);
    for (;;) {
        for (int k = 0; k < 2; k++)
            rc[k] = bk_cursor_next(c[k], &e[k], &err);
        assert_int_equal(rc[0], rc[1]);
        if (rc[0] != XQ_OK)
            break;
        assert_true(e[0].key == e[1].key);
        assert_int_equal(e[0].n, e[1].n);
        assert_memory_equal(&e[0].counts, &e[1].counts, sizeof e[0].counts);
        for (unsigned i = 0; i < e[0].n; i++) {
            const bk_book_move *m = &e[0].moves[i], *o = &e[1].moves[i];
            assert_int_equal(m->move, o->move);
            assert_memory_equal(&m->counts, &o->counts, sizeof m->counts);
            assert_int_equal(m->weight_given, o->weight_given);
            assert_int_equal(m->weight, o->weight);
            assert_int_equal(m->elo_games, o->elo_games);
            assert_int_equal(m->elo_sum, o->elo_sum);
            assert_int_equal(m->last_year, o->last_year);
        }
    }
    for (int k = 0; k < 2; k++) {
        bk_cursor_close(c[k]);
        bk_book_close(b[k]);
    }
}

/* Tables lose nothing, positions that the walk cannot meet included. */
static void tables_give_the_same_book_back(void **state)
{
    static const bk_format TABLES[] = {BK_F_CSV, BK_F_JSON};
    const xq_pos far = pos_of("4k4/9/9/9/9/9/9/9/4R4/3K5 w");
    (void)state;
    for (unsigned t = 0; t < 2; t++)
        for (int one_wing = 0; one_wing < 2; one_wing++) {
            bk_export_report x;
            bk_import_report r;
            bk_format f;
            bool apart;
            xq_err err;
            bk_book_close(random_book("t1.book", one_wing));
            const bk_maker_options o = {
                .memory = 1 << 20, .threads = 1, .base = path_of("t1.book")};
            bk_maker *m = NULL;
            assert_int_equal(bk_maker_open(&m, path_of("t2.book"), &o, &err),
                             XQ_OK);
            put(m, &far, xq_move_parse("e1e5"), 77, 2);
            bk_book *b = finish(m, "t2.book", NULL);
            export_to(b, TABLES[t], "table", &x);
            bk_book_close(b);
            assert_int_equal(x.walked_positions + 1, x.positions);
            assert_int_equal(x.records, x.moves);
            assert_int_equal(
                bk_foreign_kind(path_of("table"), &f, &apart, &err), XQ_OK);
            assert_int_equal(f, TABLES[t]);
            assert_int_equal(apart, one_wing);
            if (import("table", "t3.book", apart, &r, &err) != XQ_OK)
                fail_msg("%s", err.msg);
            assert_int_equal(r.taken, x.moves);
            assert_same_books("t2.book", "t3.book");
        }
}

/* The formats that know weights and results only: exported, read and exported
 * again, they are the same file's contents. */
static void other_formats_are_stable(void **state)
{
    static const bk_format FORMATS[] = {BK_F_BOOKDAT, BK_F_OBK, BK_F_XQB,
                                        BK_F_TEXT};
    (void)state;
    for (unsigned t = 0; t < COUNT_OF(FORMATS); t++) {
        bk_export_report x, y;
        bk_import_report r;
        xq_err err;
        bk_book *b = random_book("s1.book", false);
        export_to(b, FORMATS[t], "s1", &x);
        bk_book_close(b);
        if (import("s1", "s2.book", false, &r, &err) != XQ_OK)
            fail_msg("%s", err.msg);
        assert_int_equal(r.format, FORMATS[t]);
        assert_int_equal(r.records, x.records);
        assert_int_equal(r.taken, x.records);
        b = open_book("s2.book");
        export_to(b, FORMATS[t], "s2", &y);
        bk_book_close(b);
        assert_int_equal(y.records, x.records);
        if (import("s2", "s3.book", false, &r, &err) != XQ_OK)
            fail_msg("%s", err.msg);
        assert_same_books("s2.book", "s3.book");
    }
}

/* ---- real books ---- */

static const struct real {
    const char *file;
    bk_format format;
    uint64_t records, taken, positions; /* the last met by a walk */
    uint64_t keyless, reals;
} REAL[] = {
    {"chess2.0/OpenBook.dat", BK_F_TREE, 8933, 8933, 0, 0, 0},
    {"chess2.0/OpenBook.txt.gz", BK_F_TREETEXT, 8933, 8933, 0, 0, 0},
    {"eleeye/BOOK.DAT", BK_F_BOOKDAT, 12081, 9938, 8706, 0, 0},
    {"harmless/BOOK.DAT.gz", BK_F_TEXT, 20618, 20618, 0, 0, 0},
    {"obk/\346\212\233\345\206\222\345\272\22320241006.obk.gz", BK_F_OBK, 8504,
     8299, 8074, 1, 4210},
    {"text/opening_book.txt", BK_F_LINES, 1378, 1378, 0, 0, 0},
    {"xqb/book.xqb", BK_F_XQB, 2, 2, 0, 0, 0},
};

static void link_real(const char *file, const char *name)
{
    char path[600];
    const char *s = getenv("QIPU_SHARED");
    snprintf(path, sizeof path, "%s/data/book/%s", s ? s : "../shared", file);
    if (access(path, R_OK) != 0) {
        print_message("%s is absent: skipped\n", path);
        skip();
    }
    unlink(path_of(name));
    char *real = realpath(path, NULL);
    assert_non_null(real);
    assert_int_equal(symlink(real, path_of(name)), 0);
    free(real);
}

static void real_books_are_read(void **state)
{
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(REAL); i++) {
        bk_import_report r;
        xq_err err;
        link_real(REAL[i].file, "real");
        if (import("real", "real.book", false, &r, &err) != XQ_OK)
            fail_msg("%s: %s", REAL[i].file, err.msg);
        assert_int_equal(r.format, REAL[i].format);
        assert_int_equal(r.records, REAL[i].records);
        assert_int_equal(r.taken, REAL[i].taken);
        assert_int_equal(r.positions, REAL[i].positions);
        assert_int_equal(r.keyless, REAL[i].keyless);
        assert_int_equal(r.real_keys, REAL[i].reals);
        assert_int_equal(r.illegal + r.unreadable, 0);
        assert_int_equal(r.taken + r.unreached + r.keyless, r.records);
    }
}

/* What formats reference 5.1 lists of ElephantEye's book. */
static void eleeyes_book_says_what_is_known(void **state)
{
    static const struct {
        const char *line, *move;
        uint32_t weight;
    } KNOWN[] = {
        {"", "g3g4", 546},     {"", "h0i2", 18},     {"", "h2c2", 2},
        {"", "h0g2", 89},      {"", "h2f2", 37},     {"", "h2d2", 42},
        {"", "h2e2", 1473},    {"", "g0e2", 311},    {"h2e2", "h9g7", 761},
        {"h2e2", "b9c7", 172}, {"h2e2", "h7e7", 97}, {"h2e2", "b7e7", 1},
    };
    bk_import_report r;
    bk_entry e;
    xq_err err;
    (void)state;
    link_real("eleeye/BOOK.DAT", "real");
    assert_int_equal(import("real", "real.book", false, &r, &err), XQ_OK);
    bk_book *b = open_book("real.book");
    for (unsigned i = 0; i < COUNT_OF(KNOWN); i++) {
        const xq_pos p = after(KNOWN[i].line);
        assert_int_equal(find_move(b, &p, KNOWN[i].move, &e)->weight,
                         KNOWN[i].weight);
        assert_int_equal(e.n, *KNOWN[i].line ? 4 : 8);
    }
    bk_book_close(b);
    /* the reader of this test finds the same */
    make_items();
    struct found f[2 * BK_BOOK_MOVES];
    const struct bookdat d = load(path_of("real"));
    const xq_pos p = after(""), q = after("h2e2");
    assert_int_equal(probe_bookdat(&d, &p, f), 16);
    assert_int_equal(probe_bookdat(&d, &q, f), 4);
    bk_bookdat *const asked = open_bookdat(path_of("real"));
    assert_asked(asked, &d, &p);
    assert_asked(asked, &d, &q);
    bk_bookdat_close(asked);
    free(d.bytes);
}

static void what_is_no_bookdat_is_not_asked(void **state)
{
    static const struct {
        const char *name, *bytes;
        size_t n;
        xq_status want;
    } T[] = {
        {"text", "h2e2 1 rnbakabnr\n", 17, XQ_ESYNTAX},
        {"empty", "", 0, XQ_ESYNTAX},
        {"short", "\1\0\0\0\x33", 5, XQ_ESYNTAX},
        {"square", "\1\0\0\0\x33\xff\1\0", 8, XQ_ESYNTAX},
        {"order", "\2\0\0\0\xc3\xb3\1\0\1\0\0\0\xc3\xb3\1\0", 16, XQ_ESYNTAX},
        {"good", "\1\0\0\0\xc3\xb3\1\0\2\0\0\0\xc3\xb3\1\0tail", 20, XQ_OK},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(T); i++) {
        bk_bookdat *b = NULL;
        xq_err err;
        FILE *f = fopen(path_of(T[i].name), "wb");
        assert_non_null(f);
        assert_int_equal(fwrite(T[i].bytes, 1, T[i].n, f), T[i].n);
        fclose(f);
        if (bk_bookdat_open(&b, path_of(T[i].name), &err) != T[i].want)
            fail_msg("%s", T[i].name);
        bk_bookdat_close(b);
    }
    bk_bookdat *b = NULL;
    xq_err err;
    assert_int_equal(bk_bookdat_open(&b, path_of("absent"), &err), XQ_EIO);
    assert_int_equal(bk_bookdat_open(&b, path_of("."), &err), XQ_ESYNTAX);
    /* cut under way */
    b = open_bookdat(path_of("good"));
    assert_int_equal(truncate(path_of("good"), 3), 0);
    bk_entry e;
    const xq_pos p = after("");
    assert_int_equal(bk_bookdat_find(b, &p, &e, NULL, &err), XQ_EIO);
    bk_bookdat_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bookdat_locks_are_the_known_ones),
        cmocka_unit_test(obk_keys_are_the_known_ones),
        cmocka_unit_test(xqb_keys_are_the_known_ones),
        cmocka_unit_test(xqb_keys_give_their_position_back),
        cmocka_unit_test(wings_that_agree_count_once),
        cmocka_unit_test(large_weights_are_scaled_not_wrapped),
        cmocka_unit_test(exported_bookdat_has_the_same_moves),
        cmocka_unit_test(what_is_no_bookdat_is_not_asked),
        cmocka_unit_test(exported_obk_has_the_same_moves),
        cmocka_unit_test(obk_declares_what_bhguis_do),
        cmocka_unit_test(obk_keys_and_moves_of_all_kinds_are_read),
        cmocka_unit_test(books_of_one_side_are_walked),
        cmocka_unit_test(what_is_no_book_is_refused_by_name),
        cmocka_unit_test(tables_give_the_same_book_back),
        cmocka_unit_test(other_formats_are_stable),
        cmocka_unit_test(real_books_are_read),
        cmocka_unit_test(eleeyes_book_says_what_is_known),
    };
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
