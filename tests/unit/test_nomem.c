/* The n-th allocation fails, for every n: reading, repairing and writing games
 * says so and goes down in order, and the engine too, or it goes on.
 *
 * malloc and its kin are replaced for the whole program, which the sanitizers
 * do themselves: under them there is one empty run. */
#include "tests/unit/engine_util.h"
#include "tests/unit/read_util.h"

#include "engine/protocol.h"
#include "tools/page.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif

#if defined(__GLIBC__) && !defined(SANITIZED)

static long left = -1; /* allocations that still succeed; -1: all */

static bool refuse(void)
{
    if (left < 0)
        return false;
    if (left != 0 && left-- != 0)
        return false;
    errno = ENOMEM; /* the C library itself relies on it */
    return true;
}

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t count, size_t n);
extern void *__libc_realloc(void *p, size_t n);

void *malloc(size_t n) { return refuse() ? NULL : __libc_malloc(n); }
void *calloc(size_t count, size_t n)
{
    return refuse() ? NULL : __libc_calloc(count, n);
}
void *realloc(void *p, size_t n)
{
    return refuse() ? NULL : __libc_realloc(p, n);
}

static const char *const TEXTS[] = {
    "{\"tags\":[[\"Event\",\"²âÊÔÈü\"]],\"moves\":[\"h2e2\"],"
    "\"comments\":[{\"ply\":0,\"text\":\"鐜嬫祴璇�\"}]}\n",
    "[Event \"²âÊÔÈü\"]\n[Red \"鐜嬫祴璇�\"]\n[Result \"*\"]\n\n"
    "1. ÅÚ¶þÆ½Îå {ºÃÆå} Âí£¸½ø£· *\n",
    "[Event \"The \\\"x\\\"\"]\n[Result \"1-0\"]\n\n"
    "1. 炮二平五 {a\r\nb} $1 (1. 炮八平五 {c} 1... 马８进７ (1... 马２进３)) "
    "1... 马８进７ 2. 炮五进五 1-0\n",
    "{\"tags\":[[\"Event\",\"\\u70ae\"]],\"moves\":[\"h2e2\",\"h9g7\",\"a0a9\"]"
    ","
    "\"nags\":[{\"ply\":1,\"nag\":1}],\"comments\":[{\"ply\":0,\"text\":\"x\"}]"
    ","
    "\"variations\":[{\"ply\":1,\"moves\":[\"b2e2\",\"h9g7\"],\"variations\":"
    "[{\"ply\":2,\"moves\":[\"b9c7\"]}]}],\"problems\":[{\"message\":\"m\"}]}"
    "\n",
};

/* One game in and out; false when some step ran out of memory. */
static bool turn(xq_str text, pgn_format f)
{
    pgn_segment seg = {.name = (char *)(uintptr_t) "memory",
                       .bytes = (uint8_t *)(uintptr_t)text.s,
                       .n = text.n,
                       .first = true,
                       .last = true,
                       .format = f,
                       .encoding = PGN_ENC_UTF8};
    pgn_reader *r = NULL;
    const pgn_game *g;
    pgn_style st = {.notation = PGN_CHINESE};
    const pgn_reader_options opts = {.repair = true};
    pgn_buf out = {0};
    cli_buf page = {0};
    xq_err err = {0};
    if (pgn_reader_new(&r, &opts, &err) != XQ_OK)
        return false;
    pgn_reader_load(r, &seg);
    xq_status rc = pgn_reader_next(r, &g, &err);
    bool ok = rc == XQ_OK;
    if (ok) {
        ok = pgn_write_pgn(g, &st, &out, NULL) == XQ_OK &&
             pgn_write_json(g, &out) == XQ_OK &&
             page_add_game(&page, g, &(page_style){.title = NULL}) == XQ_OK;
        pgn_digest d = pgn_game_digest(g); /* shallow: needs no memory */
        if (!d.hi && !d.lo)
            abort();
    } else if (rc != XQ_ENOMEM) {
        abort();
    }
    pgn_buf_free(&out);
    cli_buf_free(&page);
    pgn_reader_close(r);
    return ok;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(TEXTS); i++) {
        pgn_format f = *TEXTS[i] == '{' ? PGN_FMT_JSON : PGN_FMT_PGN;
        bool ok = false;
        long n = 0;
        for (; !ok && n < 10000; n++) {
            left = n;
            ok = turn(xq_str_of(TEXTS[i]), f);
            left = -1;
        }
        assert_true(ok);
        assert_true(n > 5);
    }
}

/* Allocations fail from the n-th on: a short dialogue comes to its end. */
static void the_engine_goes_on_without_memory(void **state)
{
    static const char TALK[] =
        "uci\nsetoption name Hash value 1\nposition startpos moves h2e2 h9g7\n"
        "banmoves h0g2\ngo depth 2 searchmoves h0g2 b0c2\neval\nucci\n"
        "banmoves h0g2\ngo depth 2\nposition startpos\ngo depth 1\nquit\n";
    FILE *const in = tmpfile();
    const int out = open("/dev/null", O_WRONLY);
    const xq_protocol io = {.in = fileno(in), .out = out, .max_hash = 1};
    unsigned failures = 0;
    (void)state;
    assert_int_equal(fwrite(TALK, 1, sizeof TALK - 1, in), sizeof TALK - 1);
    fflush(in);
    for (long n = 0; n < 60; n++) {
        xq_err err;
        assert_int_equal(lseek(io.in, 0, SEEK_SET), 0);
        left = n;
        const xq_status rc = xq_protocol_run(&io, &err);
        left = -1;
        assert_true(rc == XQ_OK || rc == XQ_ENOMEM || rc == XQ_EIO);
        failures += rc != XQ_OK;
    }
    assert_true(failures > 0 && failures < 60);
    fclose(in);
    close(out);
}

#else

static void every_allocation_may_fail(void **state)
{
    (void)state;
    skip();
}

static void the_engine_goes_on_without_memory(void **state)
{
    (void)state;
    skip();
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(the_engine_goes_on_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
