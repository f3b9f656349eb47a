/* cmd_book.c - qipu book merge, info, check: whole books. */
#include "tools/cmd.h"

#include "bookdb/book.h"

#include <inttypes.h>

struct args {
    const char *out;
    bool json;
};

static const struct cli_opt MERGE_OPTS[] = {
    {"output", 'o', CLI_STR, offsetof(struct args, out), "BOOK",
     "the book, which appears when complete"},
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL,
     "the summary as JSON"},
    {0},
};

static const struct cli_opt INFO_OPTS[] = {
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL,
     "JSON, one object a line"},
    {0},
};

static void print_info(const bk_book_info *info, const char *path, bool json)
{
    if (json) {
        cli_printf(stdout,
                   "{\"summary\":{\"positions\":%" PRIu64 ",\"moves\":%" PRIu64
                   ",\"games\":%" PRIu64 ",\"bytes\":%" PRIu64
                   ",\"one_wing\":%s,\"version\":%u}}\n",
                   info->positions, info->moves, info->games, info->bytes,
                   info->one_wing ? "true" : "false", info->version);
        return;
    }
    cli_printf(stdout,
               "%s: positions %" PRIu64 ", moves %" PRIu64 ", games %" PRIu64
               ", bytes %" PRIu64,
               path, info->positions, info->moves, info->games, info->bytes);
    if (info->moves)
        cli_printf(stdout, " (%.2f a move)",
                   (double)info->bytes / (double)info->moves);
    cli_printf(stdout, ", %s, format version %u\n",
               info->one_wing ? "wings apart" : "mirror images as one",
               info->version);
}

static int fail(const xq_err *err)
{
    cli_error("%s", err->msg);
    return CLI_FAIL;
}

int cmd_book_merge(const struct cli_cmd *self, int argc, char **argv)
{
    struct args a = {0};
    bk_book *b = NULL;
    bk_book_info info = {0};
    uint64_t both = 0;
    xq_err err;
    int rc = cli_parse(self, MERGE_OPTS, &a, &argc, &argv);
    if (rc >= 0)
        return rc;
    if (!a.out)
        return cli_usage(self, "no book to write: name it with -o BOOK");
    if (argc == 0)
        return cli_usage(self, "no books to merge");
    cli_catch_interrupts();
    const xq_status st =
        bk_book_merge(a.out, (const char *const *)argv, (size_t)argc,
                      cli_interrupted, &both, &err);
    if (st == XQ_DONE) {
        cli_error("interrupted: '%s' is not written", a.out);
        return CLI_INTERRUPTED;
    }
    if (st != XQ_OK)
        return fail(&err);
    if (both > 0)
        cli_note("%" PRIu64 " game%s in more than one of the books and counted "
                 "more than once",
                 both, both == 1 ? " is" : "s are");
    if (bk_book_open(&b, a.out, &err) != XQ_OK)
        return fail(&err);
    (void)bk_book_get_info(b, &info, &err);
    bk_book_close(b);
    print_info(&info, a.out, a.json);
    return cli_finish(CLI_OK);
}

int cmd_book_info(const struct cli_cmd *self, int argc, char **argv)
{
    struct args a = {0};
    int rc = cli_parse(self, INFO_OPTS, &a, &argc, &argv);
    if (rc >= 0)
        return rc;
    if (argc == 0)
        return cli_usage(self, "no book");
    rc = CLI_OK;
    for (int i = 0; i < argc; i++) {
        bk_book *b = NULL;
        bk_book_info info;
        xq_err err;
        if (bk_book_open(&b, argv[i], &err) != XQ_OK)
            rc = fail(&err);
        else if (bk_book_get_info(b, &info, &err) == XQ_OK)
            print_info(&info, argv[i], a.json);
        bk_book_close(b);
    }
    return cli_finish(rc);
}

int cmd_book_check(const struct cli_cmd *self, int argc, char **argv)
{
    struct args a = {0};
    int rc = cli_parse(self, INFO_OPTS, &a, &argc, &argv);
    if (rc >= 0)
        return rc;
    if (argc == 0)
        return cli_usage(self, "no book");
    rc = CLI_OK;
    for (int i = 0; i < argc; i++) {
        bk_book_info info;
        xq_err err;
        const xq_status s = bk_book_check(argv[i], &info, &err);
        if (s == XQ_OK) {
            if (!a.json)
                cli_puts(stdout, "ok: ");
            print_info(&info, argv[i], a.json);
            continue;
        }
        cli_error("%s", err.msg);
        /* That it is damaged is an answer; that it cannot be read is none. */
        if (s != XQ_ECORRUPT)
            rc = CLI_FAIL;
        else if (rc == CLI_OK)
            rc = CLI_FOUND;
    }
    return cli_finish(rc);
}
