/* test_store.c - opening with distrust, the writer's lock, growing, seals. */
#include "bookdb/store.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char dir[] = "/tmp/qipu-store-XXXXXX";
static char path[64], lock[80];

static int setup(void **state)
{
    (void)state;
    if (!mkdtemp(dir))
        return -1;
    snprintf(path, sizeof path, "%s/t.db", dir);
    snprintf(lock, sizeof lock, "%s-lock", path);
    return 0;
}
static int clean(void **state)
{
    (void)state;
    unlink(path);
    unlink(lock);
    return 0;
}
static int teardown(void **state)
{
    clean(state);
    return rmdir(dir);
}

static void refused(const char *magic, int mode, xq_status want,
                    const char *words)
{
    bk_store s;
    xq_err err = {0};
    assert_int_equal(bk_store_open(&s, path, mode, magic, 4, &err), want);
    if (!strstr(err.msg, words))
        fail_msg("'%s' does not say '%s'", err.msg, words);
    bk_store_close(&s);
}

static void opened(bk_store *s, const char *magic, int mode)
{
    xq_err err = {0};
    if (bk_store_open(s, path, mode, magic, 4, &err) != XQ_OK)
        fail_msg("%s", err.msg);
}

/* n values of 1000 bytes in the database "t", from key `from` on. */
static int put(bk_store *s, uint32_t from, uint32_t n)
{
    MDB_txn *txn;
    MDB_dbi dbi;
    uint8_t key[4], value[1000] = {0};
    assert_int_equal(bk_store_begin(s, true, &txn, NULL), XQ_OK);
    int e = mdb_dbi_open(txn, "t", MDB_CREATE, &dbi);
    for (uint32_t i = from; !e && i < from + n; i++) {
        MDB_val k = {4, key}, v = {sizeof value, value};
        bk_put32(key, i);
        e = mdb_put(txn, dbi, &k, &v, 0);
    }
    if (e) {
        mdb_txn_abort(txn);
        return e;
    }
    e = mdb_txn_commit(txn);
    bk_store_settle(s);
    return e;
}

static void kinds_and_versions(void **state)
{
    (void)state;
    bk_store s;
    refused("QAA1", BK_READ, XQ_ENOTFOUND, "t.db");
    refused("QAA1", BK_WRITE, XQ_ENOTFOUND, "t.db");
    opened(&s, "QAA1", BK_CREATE);
    bk_store_close(&s);
    opened(&s, "QAA1", BK_CREATE); /* it exists */
    assert_true(bk_store_current(&s));
    bk_store_close(&s);
    opened(&s, "QAA1", BK_READ);
    bk_store_close(&s);
    refused("QBB1", BK_READ, XQ_ECORRUPT, "another kind");
    refused("QAA2", BK_WRITE, XQ_ECORRUPT, "version 1");
}

static void write_file(const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

static void foreign_files(void **state)
{
    (void)state;
    static char text[20000];
    memset(text, 'x', sizeof text);
    write_file("", 0);
    refused("QAA1", BK_READ, XQ_ECORRUPT, "no database");
    refused("QAA1", BK_CREATE, XQ_ECORRUPT, "no database");
    write_file("[Event \"x\"]\n", 12);
    refused("QAA1", BK_READ, XQ_ECORRUPT, "no database");
    write_file(text, sizeof text);
    refused("QAA1", BK_CREATE, XQ_ECORRUPT, "no database");
    unlink(path);
    mkdir(path, 0777);
    refused("QAA1", BK_READ, XQ_EIO, "regular");
    rmdir(path);
    /* an LMDB file of another program */
    MDB_env *env;
    MDB_txn *txn;
    MDB_dbi dbi;
    MDB_val k = {1, (void *)(uintptr_t) "a"}, v = {1, (void *)(uintptr_t) "b"};
    assert_int_equal(mdb_env_create(&env), 0);
    assert_int_equal(mdb_env_open(env, path, MDB_NOSUBDIR, 0666), 0);
    assert_int_equal(mdb_txn_begin(env, NULL, 0, &txn), 0);
    assert_int_equal(mdb_dbi_open(txn, NULL, 0, &dbi), 0);
    assert_int_equal(mdb_put(txn, dbi, &k, &v, 0), 0);
    assert_int_equal(mdb_txn_commit(txn), 0);
    mdb_env_close(env);
    refused("QAA1", BK_READ, XQ_ECORRUPT, "no database");
    refused("QAA1", BK_WRITE, XQ_ECORRUPT, "no database");
}

/* Cut at every page, and inside pages. */
static void cut_short(void **state)
{
    (void)state;
    bk_store s;
    struct stat st;
    opened(&s, "QAA1", BK_CREATE);
    assert_int_equal(put(&s, 0, 200), 0);
    bk_store_close(&s);
    assert_int_equal(stat(path, &st), 0);
    for (off_t n = st.st_size - 1; n > 8192; n -= 2500) {
        assert_int_equal(truncate(path, n), 0);
        refused("QAA1", BK_READ, XQ_ECORRUPT, "cut short");
    }
    assert_int_equal(truncate(path, 8192), 0);
    refused("QAA1", BK_READ, XQ_ECORRUPT, "cut short");
    assert_int_equal(truncate(path, 5000), 0);
    refused("QAA1", BK_READ, XQ_ECORRUPT, "cut short");
    assert_int_equal(truncate(path, 60), 0);
    refused("QAA1", BK_READ, XQ_ECORRUPT, "no database");
}

/* Somebody treats the file badly while it is mapped. */
static void cut_short_while_open(void **state)
{
    (void)state;
    bk_store s;
    struct stat st;
    MDB_txn *txn;
    xq_err err;
    opened(&s, "QAA1", BK_CREATE);
    assert_int_equal(put(&s, 0, 50), 0);
    bk_store_close(&s);
    assert_int_equal(stat(path, &st), 0);
    static const int MODES[] = {BK_READ, BK_WRITE, BK_STATIC};
    for (unsigned i = 0; i < 3; i++) {
        opened(&s, "QAA1", MODES[i]);
        assert_int_equal(bk_store_whole(&s, &err), XQ_OK);
        assert_int_equal(truncate(path, st.st_size - 1), 0);
        assert_int_equal(bk_store_whole(&s, &err), XQ_EIO);
        assert_non_null(strstr(err.msg, "was cut short after it was opened"));
        assert_int_equal(bk_store_begin(&s, false, &txn, &err), XQ_EIO);
        assert_int_equal(truncate(path, st.st_size), 0);
        bk_store_close(&s);
    }
    /* One that is only ever replaced must not change; others grow. */
    opened(&s, "QAA1", BK_STATIC);
    assert_int_equal(truncate(path, st.st_size + 1), 0);
    assert_int_equal(bk_store_whole(&s, &err), XQ_EIO);
    assert_non_null(strstr(err.msg, "was changed after it was opened"));
    bk_store_close(&s);
    opened(&s, "QAA1", BK_READ);
    assert_int_equal(truncate(path, st.st_size + 2), 0);
    assert_int_equal(bk_store_begin(&s, false, &txn, &err), XQ_OK);
    mdb_txn_abort(txn);
    bk_store_close(&s);
}

/* S79: from a map of 1 MiB. */
static void the_map_grows(void **state)
{
    (void)state;
    bk_store s;
    opened(&s, "QAA1", BK_CREATE);
    uint32_t done = 0;
    int full = 0;
    while (done < 20000) {
        int e = put(&s, done, 2000);
        if (e == MDB_MAP_FULL) {
            full++;
            assert_int_equal(bk_store_grow(&s, NULL), XQ_OK);
        } else {
            assert_int_equal(e, 0);
            done += 2000;
        }
    }
    assert_in_range(full, 1, 10);
    assert_int_equal(bk_store_reserve(&s, 50 << 20, NULL), XQ_OK);
    assert_int_equal(put(&s, done, 40000), 0);
    bk_store_close(&s);
    opened(&s, "QAA1", BK_READ);
    MDB_txn *txn;
    MDB_dbi dbi;
    MDB_stat st;
    assert_int_equal(bk_store_begin(&s, false, &txn, NULL), XQ_OK);
    assert_int_equal(mdb_dbi_open(txn, "t", 0, &dbi), 0);
    assert_int_equal(mdb_stat(txn, dbi, &st), 0);
    assert_int_equal(st.ms_entries, 60000);
    mdb_txn_abort(txn);
    bk_store_close(&s);
}

/* A reader whose map another process outgrew. */
static void a_reader_follows(void **state)
{
    (void)state;
    bk_store s;
    MDB_txn *txn;
    MDB_dbi dbi;
    MDB_stat st;
    int go[2], status;
    char c;
    opened(&s, "QAA1", BK_CREATE);
    assert_int_equal(put(&s, 0, 100), 0);
    bk_store_close(&s);
    assert_int_equal(pipe(go), 0);
    pid_t pid = fork();
    if (pid == 0) { /* the writer */
        if (read(go[0], &c, 1) != 1 ||
            bk_store_open(&s, path, BK_WRITE, "QAA1", 4, NULL) != XQ_OK ||
            bk_store_reserve(&s, 20 << 20, NULL) != XQ_OK)
            _exit(1);
        int e = put(&s, 100, 9900);
        bk_store_close(&s);
        _exit(e != 0);
    }
    opened(&s, "QAA1", BK_READ);
    assert_int_equal(bk_store_begin(&s, false, &txn, NULL), XQ_OK);
    mdb_txn_abort(txn);
    assert_int_equal(write(go[1], "x", 1), 1);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_int_equal(bk_store_begin(&s, false, &txn, NULL), XQ_OK);
    assert_int_equal(mdb_dbi_open(txn, "t", 0, &dbi), 0);
    assert_int_equal(mdb_stat(txn, dbi, &st), 0);
    assert_int_equal(st.ms_entries, 10000);
    mdb_txn_abort(txn);
    bk_store_close(&s);
    close(go[0]);
    close(go[1]);
}

static long waited_for;
static void note_pid(long pid) { waited_for = pid; }

/* S81 */
static void one_writer(void **state)
{
    (void)state;
    bk_store s;
    xq_err err = {0};
    char c, name[32];
    int ready[2], status;
    opened(&s, "QAA1", BK_CREATE);
    bk_store_close(&s);
    assert_int_equal(pipe(ready), 0);
    pid_t pid = fork();
    if (pid == 0) {
        if (bk_store_open(&s, path, BK_WRITE, "QAA1", 4, NULL) != XQ_OK ||
            bk_store_lock(&s, NULL, NULL) != XQ_OK ||
            write(ready[1], "x", 1) != 1)
            _exit(1);
        usleep(300000);
        _exit(0); /* without closing: the lock dies with the process */
    }
    assert_int_equal(read(ready[0], &c, 1), 1);
    opened(&s, "QAA1", BK_WRITE);
    assert_int_equal(bk_store_lock(&s, NULL, &err), XQ_EIO);
    snprintf(name, sizeof name, "locked by pid %ld", (long)pid);
    if (!strstr(err.msg, name))
        fail_msg("%s", err.msg);
    bk_store_close(&s);
    opened(&s, "QAA1", BK_WRITE);
    assert_int_equal(bk_store_lock(&s, note_pid, &err), XQ_OK);
    assert_int_equal(waited_for, pid);
    waitpid(pid, &status, 0);
    assert_int_equal(status, 0);
    bk_store_close(&s);
    close(ready[0]);
    close(ready[1]);
}

/* S80: more dead readers than the table has places. */
static void dead_readers(void **state)
{
    (void)state;
    bk_store s;
    MDB_txn *txn;
    opened(&s, "QAA1", BK_CREATE);
    assert_int_equal(put(&s, 0, 10), 0);
    bk_store_close(&s);
    for (int i = 0; i < 300; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            if (bk_store_open(&s, path, BK_READ, "QAA1", 4, NULL) != XQ_OK ||
                bk_store_begin(&s, false, &txn, NULL) != XQ_OK)
                _exit(1);
            _exit(0); /* its transaction stays open */
        }
        int status;
        waitpid(pid, &status, 0);
        assert_int_equal(status, 0);
    }
    opened(&s, "QAA1", BK_READ);
    assert_int_equal(bk_store_begin(&s, false, &txn, NULL), XQ_OK);
    mdb_txn_abort(txn);
    bk_store_close(&s);
}

static void numbers(void **state)
{
    (void)state;
    static const uint64_t T[] = {0,
                                 1,
                                 127,
                                 128,
                                 255,
                                 16383,
                                 16384,
                                 UINT32_MAX,
                                 UINT64_C(1) << 62,
                                 UINT64_C(1) << 63,
                                 UINT64_MAX};
    for (size_t i = 0; i < sizeof T / sizeof *T; i++) {
        uint8_t b[16];
        uint64_t v;
        uint8_t *end = bk_put_varint(b, T[i]);
        assert_in_range(end - b, 1, 10);
        assert_ptr_equal(bk_get_varint(b, end, &v), end);
        assert_true(v == T[i]);
        for (uint8_t *cut = b; cut < end; cut++)
            assert_null(bk_get_varint(b, cut, &v));
        bk_put64(b, T[i]);
        assert_true(bk_get64(b) == T[i]);
        bk_put32(b, (uint32_t)T[i]);
        assert_true(bk_get32(b) == (uint32_t)T[i]);
    }
    uint64_t v;
    uint8_t too_long[11];
    memset(too_long, 0x80, sizeof too_long);
    too_long[10] = 0;
    assert_null(bk_get_varint(too_long, too_long + 11, &v));
    memset(too_long, 0xff, 9);
    too_long[9] = 2; /* the 65th bit */
    assert_null(bk_get_varint(too_long, too_long + 11, &v));
    uint8_t value[100] = {0};
    bk_seal(value, sizeof value);
    assert_true(bk_unseal(value, sizeof value));
    for (size_t i = 0; i < sizeof value; i++) {
        value[i] ^= 16;
        assert_false(bk_unseal(value, sizeof value));
        value[i] ^= 16;
    }
    assert_false(bk_unseal(value, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(kinds_and_versions, clean),
        cmocka_unit_test_teardown(foreign_files, clean),
        cmocka_unit_test_teardown(cut_short, clean),
        cmocka_unit_test_teardown(cut_short_while_open, clean),
        cmocka_unit_test_teardown(the_map_grows, clean),
        cmocka_unit_test_teardown(a_reader_follows, clean),
        cmocka_unit_test_teardown(one_writer, clean),
        cmocka_unit_test_teardown(dead_readers, clean),
        cmocka_unit_test(numbers),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
