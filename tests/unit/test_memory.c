/* test_memory.c - how much memory is left, as systems tell it, and tables that
 * would not fit. */
#include "engine/memory.h"
#include "engine/search.h"
#include "tests/unit/engine_util.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/qipu-memory-XXXXXX";

/* A file below root, with the folders it needs. */
static void put(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *at = strchr(path + sizeof root, '/'); at;
         at = strchr(at + 1, '/')) {
        *at = '\0';
        (void)mkdir(path, 0777);
        *at = '/';
    }
    FILE *const f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void fresh(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", root);
    assert_int_equal(system(command), 0);
    assert_int_equal(mkdir(root, 0700), 0);
}

static int teardown(void **state)
{
    (void)state;
    fresh();
    return rmdir(root);
}

#define MIB UINT64_C(1048576)

static void the_machine_tells(void **state)
{
    (void)state;
    fresh();
    assert_int_equal(xq_memory_left(root), UINT64_MAX);
    put("proc/meminfo", "MemTotal:  24684096 kB\nMemFree:  9 kB\n"
                        "MemAvailable:   2048 kB\nBuffers: 7 kB\n");
    assert_int_equal(xq_memory_left(root), 2 * MIB);
    put("proc/meminfo", "MemTotal:  24684096 kB\n"); /* Linux before 3.14 */
    assert_int_equal(xq_memory_left(root), UINT64_MAX);
}

static void groups_have_limits_of_their_own(void **state)
{
    (void)state;
    fresh();
    put("proc/meminfo", "MemAvailable:   8192 kB\n");
    put("proc/self/cgroup", "0::/a/b\n");
    put("sys/fs/cgroup/a/b/memory.max", "max\n");
    put("sys/fs/cgroup/a/b/memory.current", "1048576\n");
    assert_int_equal(xq_memory_left(root), 8 * MIB);
    put("sys/fs/cgroup/a/memory.max", "6291456\n");
    put("sys/fs/cgroup/a/memory.current", "5242880\n");
    assert_int_equal(xq_memory_left(root), 1 * MIB);
    put("sys/fs/cgroup/a/memory.stat",
        "file 9\ninactive_file 2097152\ninactive_file_x 7\n");
    assert_int_equal(xq_memory_left(root), 3 * MIB);
    put("sys/fs/cgroup/a/b/memory.max", "1048576\n");
    assert_int_equal(xq_memory_left(root), 0);
    /* in a container: the group is mounted as the root */
    put("proc/self/cgroup", "0::/elsewhere/c\n");
    assert_int_equal(xq_memory_left(root), 8 * MIB);
    put("sys/fs/cgroup/memory.max", "4194304\n");
    put("sys/fs/cgroup/memory.current", "0\n");
    assert_int_equal(xq_memory_left(root), 4 * MIB);
    /* version 1 */
    put("proc/self/cgroup", "5:devices:/x\n4:cpu,memory:/d\n0::/\n");
    put("sys/fs/cgroup/memory/d/memory.limit_in_bytes", "9437184\n");
    put("sys/fs/cgroup/memory/d/memory.usage_in_bytes", "7340032\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "7340032\n");
    assert_int_equal(xq_memory_left(root), 2 * MIB);
}

/* All the memory of this machine, which it cannot have: refused before it is
 * touched, and all stays as it was. */
static void a_table_that_does_not_fit_is_refused(void **state)
{
    const uint64_t all =
        (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    xq_search_options o = {.hash = MIB};
    xq_search *s;
    xq_err err;
    (void)state;
    if (xq_memory_left("") >= all || all > SIZE_MAX)
        skip();
    assert_int_equal(xq_search_open(&s, &o, &err), XQ_OK);
    o.hash = (size_t)all;
    assert_int_equal(xq_search_set(s, &o, &err), XQ_ENOMEM);
    assert_non_null(strstr(err.msg, "MiB of memory are left"));
    xq_pos p;
    xq_pos_start(&p);
    const xq_game_line game = {&p, NULL, 0};
    const xq_limits lim = {.depth = 3};
    xq_answer a;
    assert_int_equal(xq_search_go(s, &game, &lim, NULL, NULL, &a), XQ_OK);
    assert_true(xq_move_is_legal(&p, a.best));
    o.hash = 40 * MIB;
    assert_int_equal(xq_search_set(s, &o, &err), XQ_OK);
    xq_search_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_machine_tells),
        cmocka_unit_test(groups_have_limits_of_their_own),
        cmocka_unit_test(a_table_that_does_not_fit_is_refused),
    };
    if (!mkdtemp(root))
        return 1;
    return cmocka_run_group_tests(tests, NULL, teardown);
}
