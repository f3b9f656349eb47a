/* test_pages.c - the page walker sees what LMDB sees, and every damage that
 * LMDB would stumble over. */
#include "bookdb/store.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/qipu-pages-XXXXXX";
static uint8_t *image;
static size_t image_n;
static uint64_t seed = 5;

static uint64_t rnd(void)
{
    uint64_t z = (seed += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static void put(MDB_txn *txn, MDB_dbi dbi, uint64_t key, size_t n)
{
    static uint8_t value[20000];
    uint8_t k8[8];
    bk_put64(k8, key);
    bk_put64(value, key * 7);
    MDB_val k = {8, k8}, v = {n, value};
    assert_int_equal(mdb_put(txn, dbi, &k, &v, 0), 0);
}

/* Several transactions with insertions and deletions: free pages, branches,
 * long values, two named databases. */
static int setup(void **state)
{
    (void)state;
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi a, b;
    int fd = mkstemp(path);
    if (fd < 0)
        return -1;
    close(fd);
    unlink(path);
    assert_int_equal(mdb_env_create(&env), 0);
    assert_int_equal(mdb_env_set_maxdbs(env, 4), 0);
    assert_int_equal(mdb_env_set_mapsize(env, 64 << 20), 0);
    assert_int_equal(mdb_env_open(env, path, MDB_NOSUBDIR | MDB_NOLOCK, 0600),
                     0);
    for (int round = 0; round < 6; round++) {
        assert_int_equal(mdb_txn_begin(env, NULL, 0, &txn), 0);
        assert_int_equal(mdb_dbi_open(txn, "a", MDB_CREATE, &a), 0);
        assert_int_equal(mdb_dbi_open(txn, "bee", MDB_CREATE, &b), 0);
        for (int i = 0; i < 1500; i++)
            put(txn, a, rnd() % 4000, 8 + rnd() % 60);
        for (int i = 0; i < 30; i++)
            put(txn, b, rnd() % 60, 3000 + rnd() % 15000);
        for (int i = 0; i < 600; i++) {
            uint8_t k8[8];
            bk_put64(k8, rnd() % 4000);
            MDB_val k = {8, k8};
            int e = mdb_del(txn, a, &k, NULL);
            assert_true(e == 0 || e == MDB_NOTFOUND);
        }
        assert_int_equal(mdb_txn_commit(txn), 0);
    }
    mdb_env_close(env);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    image_n = (size_t)ftell(f);
    rewind(f);
    image = malloc(image_n);
    assert_non_null(image);
    assert_int_equal(fread(image, 1, image_n, f), image_n);
    fclose(f);
    return 0;
}
static int teardown(void **state)
{
    (void)state;
    free(image);
    return unlink(path);
}

static void write_image(const uint8_t *p, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, n, f), n);
    fclose(f);
}

/* All items hashed; XQ_DONE or what went wrong. */
static xq_status walk(uint64_t *hash, uint64_t *items)
{
    bk_pages *w;
    bk_page_item it;
    xq_err err = {0};
    *hash = *items = 0;
    xq_status rc = bk_pages_open(&w, path, &err);
    if (rc != XQ_OK) {
        assert_true(err.msg[0]);
        return rc;
    }
    while ((rc = bk_pages_next(w, &it, &err)) == XQ_OK) {
        uint64_t h = strlen(it.db);
        for (size_t i = 0; i < it.nkey; i++)
            h = h * 31 + it.key[i];
        for (size_t i = 0; i < it.nvalue; i++)
            h = h * 31 + it.value[i];
        *hash = *hash * 1000003 + h;
        ++*items;
    }
    assert_true(rc == XQ_DONE || err.msg[0]);
    bk_pages_close(w);
    return rc;
}

static void sees_what_lmdb_sees(void **state)
{
    (void)state;
    MDB_env *env;
    MDB_txn *txn;
    bk_pages *w;
    bk_page_item it;
    xq_err err = {0};
    static const char *const NAMES[] = {"a", "bee"};
    write_image(image, image_n);
    assert_int_equal(bk_pages_open(&w, path, &err), XQ_OK);
    assert_int_equal(mdb_env_create(&env), 0);
    assert_int_equal(mdb_env_set_maxdbs(env, 4), 0);
    assert_int_equal(
        mdb_env_open(env, path, MDB_NOSUBDIR | MDB_NOLOCK | MDB_RDONLY, 0600),
        0);
    assert_int_equal(mdb_txn_begin(env, NULL, MDB_RDONLY, &txn), 0);
    MDB_stat st[2];
    for (int i = 0; i < 2; i++) {
        MDB_dbi dbi;
        MDB_cursor *c;
        MDB_val k, v;
        assert_int_equal(mdb_dbi_open(txn, NAMES[i], 0, &dbi), 0);
        assert_int_equal(mdb_stat(txn, dbi, &st[i]), 0);
        assert_int_equal(mdb_cursor_open(txn, dbi, &c), 0);
        while (mdb_cursor_get(c, &k, &v, MDB_NEXT) == 0) {
            if (bk_pages_next(w, &it, &err) != XQ_OK)
                fail_msg("%s", err.msg);
            assert_string_equal(it.db, NAMES[i]);
            assert_int_equal(it.nkey, k.mv_size);
            assert_int_equal(it.nvalue, v.mv_size);
            assert_memory_equal(it.key, k.mv_data, it.nkey);
            assert_memory_equal(it.value, v.mv_data, it.nvalue);
        }
        mdb_cursor_close(c);
    }
    assert_int_equal(bk_pages_next(w, &it, &err), XQ_DONE);
    for (int i = 0; i < 2; i++) {
        uint64_t pages, entries;
        assert_true(bk_pages_count(w, NAMES[i], &pages, &entries));
        assert_int_equal(entries, st[i].ms_entries);
        assert_int_equal(pages, st[i].ms_branch_pages + st[i].ms_leaf_pages +
                                    st[i].ms_overflow_pages);
    }
    uint64_t pages, entries;
    assert_false(bk_pages_count(w, "c", &pages, &entries));
    mdb_txn_abort(txn);
    mdb_env_close(env);
    bk_pages_close(w);
}

static void cuts(void **state)
{
    (void)state;
    uint64_t hash, items;
    for (size_t n = 0; n < image_n; n += 1 + image_n / 97) {
        write_image(image, n);
        assert_int_not_equal(walk(&hash, &items), XQ_DONE);
    }
}

/* Any bytes anywhere: no crash, and where the walk comes to its end it saw as
 * many values as there are, with perhaps other bytes in them. */
static void noise(void **state)
{
    (void)state;
    uint64_t want, nwant, hash, items, refused = 0;
    uint8_t *copy = malloc(image_n);
    assert_non_null(copy);
    write_image(image, image_n);
    assert_int_equal(walk(&want, &nwant), XQ_DONE);
    for (int round = 0; round < 1500; round++) {
        memcpy(copy, image, image_n);
        int hits = 1 + (int)(rnd() % 4);
        size_t at = 0;
        for (int i = 0; i < hits; i++) {
            at = rnd() % image_n;
            if (round % 2) /* the heads of pages matter most */
                at = at / 4096 * 4096 + rnd() % 64;
            copy[at] = (uint8_t)rnd();
        }
        write_image(copy, image_n);
        xq_status rc = walk(&hash, &items);
        if (rc == XQ_DONE && items != nwant)
            fail_msg("round %d: last hit at %zu", round, at);
        if (rc != XQ_DONE)
            refused++;
    }
    assert_in_range(refused, 200, 1500);
    free(copy);
}

/* One page's bytes over another's: a write that went astray. */
static void swapped_pages(void **state)
{
    (void)state;
    uint64_t want, nwant, hash, items;
    uint8_t *copy = malloc(image_n);
    assert_non_null(copy);
    write_image(image, image_n);
    assert_int_equal(walk(&want, &nwant), XQ_DONE);
    for (int round = 0; round < 200; round++) {
        memcpy(copy, image, image_n);
        size_t n = image_n / 4096;
        memcpy(copy + rnd() % n * 4096, image + rnd() % n * 4096, 4096);
        write_image(copy, image_n);
        /* Long values have pages without a number of their own: what is in
         * them is for the values' own checksums. */
        if (walk(&hash, &items) == XQ_DONE)
            assert_true(items == nwant);
    }
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sees_what_lmdb_sees),
        cmocka_unit_test(cuts),
        cmocka_unit_test(noise),
        cmocka_unit_test(swapped_pages),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
