/* cmd_engine.c - qipu engine, and the program qipu-engine: UCI and UCCI on the
 * standard input and output. */
#include "tools/cmd.h"
#include "tools/engine_book.h"
#include "tools/version.h"

#include "engine/protocol.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

struct args {
    char none;
};

static const struct cli_opt OPTS[] = {{0}};

/* For drawing moves from books, which shall not be the same in every game. */
static uint64_t seed(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec << 32 ^ (uint64_t)t.tv_nsec ^
           (uint64_t)getpid() << 20;
}

int cmd_engine(const struct cli_cmd *self, int argc, char **argv)
{
    struct args a = {0};
    int rc = cli_parse(self, OPTS, &a, &argc, &argv);
    if (rc >= 0)
        return rc;
    if (argc)
        return cli_usage(self, "unexpected argument '%s'", argv[0]);
    /* A GUI that is gone is the end of the game, not a fault. */
    signal(SIGPIPE, SIG_IGN);
    engine_books books = {0};
    const xq_book_source source = engine_books_source(&books);
    const xq_protocol io = {
        .in = STDIN_FILENO,
        .out = STDOUT_FILENO,
        .name = "qipu " QIPU_VERSION,
        .author = "the qipu authors",
        .book = &source,
        .seed = seed(),
    };
    xq_err err;
    const xq_status status = xq_protocol_run(&io, &err);
    engine_books_close(&books);
    if (status != XQ_OK) {
        cli_error("%s", err.msg);
        return CLI_FAIL;
    }
    return CLI_OK;
}
