/* cmd_book_foreign.c - qipu book import, qipu book export: books of other
 * programs. */
#include "tools/cmd.h"

#include "bookdb/foreign.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- clauses of a sentence: ", 3 moves without a key" ---- */

static void add_clause(cli_buf *b, uint64_t n, const char *one,
                       const char *many)
{
    if (n > 0)
        cli_buf_printf(b, "%s%" PRIu64 " %s", b->n ? ", " : "", n,
                       n == 1 ? one : many);
}

static const char *text_of(cli_buf *b)
{
    cli_buf_add(b, "", 1);
    return b->failed ? "(out of memory)" : b->s;
}

/* ---- import ---- */

struct import_args {
    const char *out;
    struct cli_list fens;
    uint64_t memory, threads;
    bool deep, json;
};

static const struct cli_opt IMPORT_OPTS[] = {
    {"output", 'o', CLI_STR, offsetof(struct import_args, out), "BOOK",
     "the book, which appears when complete"},
    {"fen", 0, CLI_LIST, offsetof(struct import_args, fens), "FEN",
     "walk from this position too (may be given several times)"},
    {"deep", 0, CLI_FLAG, offsetof(struct import_args, deep), NULL,
     "look two plies past every position (books of keys; slow)"},
    {"jobs", 'j', CLI_UINT, offsetof(struct import_args, threads), "N",
     "threads (default: one a processor)"},
    {"memory", 0, CLI_SIZE, offsetof(struct import_args, memory), "SIZE",
     "memory to use (default: 256M)"},
    {"json", 0, CLI_FLAG, offsetof(struct import_args, json), NULL,
     "JSON, one object a line"},
    {0},
};

static void print_report(const char *path, const bk_import_report *r, bool json)
{
    cli_buf b = {0};
    if (json) {
        cli_buf_puts(&b, "{\"file\":");
        cli_buf_json(&b, xq_str_of(path));
        cli_printf(stdout,
                   "%s,\"format\":\"%s\",\"records\":%" PRIu64
                   ",\"taken\":%" PRIu64 ",\"unreached\":%" PRIu64
                   ",\"illegal\":%" PRIu64 ",\"unreadable\":%" PRIu64
                   ",\"keyless\":%" PRIu64 ",\"real_keys\":%" PRIu64
                   ",\"positions\":%" PRIu64 ",\"barred\":%" PRIu64
                   ",\"negative\":%" PRIu64 ",\"memos\":%" PRIu64
                   ",\"chance\":%" PRIu64 ",\"trailing\":%u,\"swapped\":%s}\n",
                   text_of(&b), bk_format_name(r->format), r->records, r->taken,
                   r->unreached, r->illegal, r->unreadable, r->keyless,
                   r->real_keys, r->positions, r->barred, r->negative, r->memos,
                   r->chance, r->trailing, r->swapped ? "true" : "false");
        cli_buf_free(&b);
        return;
    }
    const char *const unreached =
        r->format == BK_F_BOOKDAT || r->format == BK_F_OBK
            ? "not reached from the start position by legal moves"
            : "behind a move that was left out";
    add_clause(&b, r->unreached, unreached, unreached);
    add_clause(&b, r->chance,
               "or more found by chance for a second position (keys of 32 "
               "bits)",
               "or more found by chance for a second position (keys of 32 "
               "bits)");
    add_clause(&b, r->illegal, "illegal", "illegal");
    add_clause(&b, r->unreadable, "unreadable", "unreadable");
    add_clause(&b, r->keyless, "lost: its key is NULL (it was a NaN)",
               "lost: their keys are NULL (they were NaNs)");
    add_clause(&b, r->barred, "marked as not usable: weight 0",
               "marked as not usable: weight 0");
    add_clause(&b, r->negative, "with a negative score: weight 0",
               "with negative scores: weight 0");
    add_clause(&b, r->memos, "memo not kept", "memos not kept");
    add_clause(&b, r->trailing, "byte behind the last whole record",
               "bytes behind the last whole record");
    cli_printf(stdout, "%s: %s: %" PRIu64 " records read, %" PRIu64 " imported",
               path, bk_format_title(r->format), r->records, r->taken);
    if (r->positions > 0)
        cli_printf(stdout, " (%" PRIu64 " position%s met)", r->positions,
                   r->positions == 1 ? "" : "s");
    if (r->format == BK_F_XQB)
        cli_printf(stdout, ", each for both sides");
    if (r->real_keys > 0)
        cli_printf(stdout,
                   ", %" PRIu64 " key%s stored as a floating-point number",
                   r->real_keys, r->real_keys == 1 ? "" : "s");
    if (r->swapped)
        cli_printf(stdout, ", moves with the low byte first");
    if (b.n > 0)
        cli_printf(stdout, "; %s", text_of(&b));
    cli_puts(stdout, "\n");
    cli_buf_free(&b);
}

static int fail(const xq_err *err)
{
    if (cli_interrupted()) {
        cli_error("interrupted: nothing was written");
        return CLI_INTERRUPTED;
    }
    cli_error("%s", err->msg);
    return CLI_FAIL;
}

/* The maker must be of the kind that the files are. */
static bool find_wings(char **files, int n, bool *one_wing, xq_err *err)
{
    *one_wing = n > 0;
    for (int i = 0; i < n; i++) {
        bk_format f;
        bool apart;
        if (strcmp(files[i], "-") == 0) {
            (void)xq_fail(err, XQ_EIO,
                          "books are read twice: standard input will not do, "
                          "name a file");
            return false;
        }
        if (bk_foreign_kind(files[i], &f, &apart, err) != XQ_OK)
            return false;
        *one_wing &= apart;
    }
    return true;
}

static void print_import(const char *out, uint64_t files, uint64_t records,
                         uint64_t taken, uint64_t scaled, bool json)
{
    bk_book *b = NULL;
    bk_book_info info = {0};
    xq_err err;
    if (bk_book_open(&b, out, &err) == XQ_OK)
        (void)bk_book_get_info(b, &info, &err);
    bk_book_close(b);
    if (json) {
        cli_printf(stdout,
                   "{\"summary\":{\"files\":%" PRIu64 ",\"records\":%" PRIu64
                   ",\"taken\":%" PRIu64 ",\"scaled\":%" PRIu64
                   ",\"positions\":%" PRIu64 ",\"moves\":%" PRIu64
                   ",\"bytes\":%" PRIu64 "}}\n",
                   files, records, taken, scaled, info.positions, info.moves,
                   info.bytes);
        return;
    }
    if (scaled > 0)
        cli_printf(stdout,
                   "weights of %" PRIu64 " position%s were scaled down to 32 "
                   "bits\n",
                   scaled, scaled == 1 ? "" : "s");
    cli_printf(stdout,
               "%s: positions %" PRIu64 ", moves %" PRIu64 ", bytes %" PRIu64
               "\n",
               out, info.positions, info.moves, info.bytes);
}

static int import_files(const struct import_args *a, char **files, int n,
                        const bk_import_options *o)
{
    bk_maker *m = NULL;
    xq_err err;
    uint64_t records = 0, taken = 0;
    bool faulty = false, one_wing;
    if (!find_wings(files, n, &one_wing, &err))
        return fail(&err);
    const bk_maker_options mo = {.memory = a->memory / 2,
                                 .threads = cli_threads(a->threads),
                                 .one_wing = one_wing};
    xq_status rc = bk_maker_open(&m, a->out, &mo, &err);
    for (int i = 0; i < n && rc == XQ_OK; i++) {
        bk_import_report r;
        rc = bk_foreign_import(m, files[i], o, &r, &err);
        if (rc != XQ_OK)
            break;
        print_report(files[i], &r, a->json);
        records += r.records;
        taken += r.taken;
        faulty |= r.illegal > 0 || r.unreadable > 0;
        if (r.first_fault_line > 0)
            cli_note("%s:%" PRIu64 ": first record that is left out, illegal "
                     "or unreadable",
                     files[i], r.first_fault_line);
    }
    if (rc == XQ_OK)
        rc = bk_maker_finish(m, &err);
    const uint64_t scaled = rc == XQ_OK ? bk_maker_scaled(m) : 0;
    bk_maker_close(m);
    if (rc != XQ_OK)
        return fail(&err);
    print_import(a->out, (uint64_t)n, records, taken, scaled, a->json);
    return faulty ? CLI_FOUND : CLI_OK;
}

static int import(const struct cli_cmd *self, struct import_args *a, int argc,
                  char **argv)
{
    if (!a->out)
        return cli_usage(self, "no book to write: name it with -o BOOK");
    if (argc == 0)
        return cli_usage(self, "no book to import");
    xq_pos *const starts = calloc(a->fens.n + 1, sizeof *starts);
    if (!starts) {
        cli_error("out of memory");
        return CLI_FAIL;
    }
    bool good = true;
    for (size_t i = 0; i < a->fens.n && good; i++)
        good = cli_position(a->fens.v[i], NULL, false, &starts[i]);
    if (a->memory == 0)
        a->memory = (uint64_t)256 << 20;
    const bk_import_options o = {.memory = a->memory / 2,
                                 .starts = starts,
                                 .nstarts = a->fens.n,
                                 .deep = a->deep,
                                 .stop = cli_interrupted};
    cli_catch_interrupts();
    const int rc = good ? import_files(a, argv, argc, &o) : CLI_FAIL;
    free(starts);
    return cli_finish(rc);
}

int cmd_book_import(const struct cli_cmd *self, int argc, char **argv)
{
    struct import_args a = {0};
    int rc = cli_parse(self, IMPORT_OPTS, &a, &argc, &argv);
    if (rc >= 0)
        return rc;
    rc = import(self, &a, argc, argv);
    cli_list_free(&a.fens);
    return rc;
}

/* ---- export ---- */

struct export_args {
    const char *to, *out;
    uint64_t memory;
    bool json;
};

static const struct cli_opt EXPORT_OPTS[] = {
    {"to", 0, CLI_STR, offsetof(struct export_args, to), "FORMAT",
     "bookdat, obk, xqb, csv, json or text"},
    {"output", 'o', CLI_STR, offsetof(struct export_args, out), "OUT",
     "the file, which appears when complete"},
    {"memory", 0, CLI_SIZE, offsetof(struct export_args, memory), "SIZE",
     "memory to use (default: 256M)"},
    {"json", 0, CLI_FLAG, offsetof(struct export_args, json), NULL,
     "the summary as JSON"},
    {0},
};

/* What of the book does not stand in the file. */
static void add_losses(cli_buf *b, bk_format f, const bk_export_report *r)
{
    const bool table = f == BK_F_CSV || f == BK_F_JSON;
    const bool counts = table || f == BK_F_OBK || f == BK_F_XQB;
    if (!table) {
        add_clause(b, r->positions - r->walked_positions,
                   "position with moves that the start position does not "
                   "lead to",
                   "positions with moves that the start position does not "
                   "lead to");
        add_clause(b, r->ends, "position without moves",
                   "positions without moves");
    }
    if (!counts)
        add_clause(b, r->counted, "move's results", "moves' results");
    if (!table) {
        add_clause(b, r->unknown, "move's games of unknown result",
                   "moves' games of unknown result");
        add_clause(b, r->rated, "move's ratings", "moves' ratings");
        add_clause(b, r->dated, "move's last year", "moves' last years");
    }
    add_clause(b, r->games, "digest of a game (duplicates are told by them)",
               "digests of games (duplicates are told by them)");
    add_clause(b, r->illegal, "illegal move", "illegal moves");
}

static void print_export(const struct export_args *a, bk_format f,
                         const bk_export_report *r)
{
    cli_buf b = {0};
    if (a->json) {
        cli_printf(stdout,
                   "{\"summary\":{\"format\":\"%s\",\"positions\":%" PRIu64
                   ",\"moves\":%" PRIu64 ",\"walked_positions\":%" PRIu64
                   ",\"walked_moves\":%" PRIu64 ",\"records\":%" PRIu64
                   ",\"ends\":%" PRIu64 ",\"illegal\":%" PRIu64
                   ",\"scaled\":%" PRIu64 ",\"raised\":%" PRIu64
                   ",\"joined\":%" PRIu64 ",\"collided\":%" PRIu64
                   ",\"counted\":%" PRIu64 ",\"unknown\":%" PRIu64
                   ",\"rated\":%" PRIu64 ",\"dated\":%" PRIu64
                   ",\"games\":%" PRIu64 "}}\n",
                   bk_format_name(f), r->positions, r->moves,
                   r->walked_positions, r->walked_moves, r->records, r->ends,
                   r->illegal, r->scaled, r->raised, r->joined, r->collided,
                   r->counted, r->unknown, r->rated, r->dated, r->games);
        return;
    }
    cli_printf(
        stdout,
        "%s: %s: %" PRIu64 " of %" PRIu64 " positions with moves reached "
        "from the start position, %" PRIu64 " records written, read back "
        "and compared\n",
        a->out, bk_format_title(f), r->walked_positions, r->positions,
        r->records);
    add_losses(&b, f, r);
    if (b.n > 0)
        cli_printf(stdout, "not in %s: %s\n", bk_format_name(f), text_of(&b));
    cli_buf_free(&b);
    add_clause(&b, r->scaled, "position's weights scaled down",
               "positions' weights scaled down");
    add_clause(&b, r->raised,
               "position's weights, all 0, written as 1 (readers divide by "
               "the sum)",
               "positions' weights, all 0, written as 1 (readers divide by "
               "the sum)");
    add_clause(&b, r->joined, "position joined with another of the same key",
               "positions joined with others of the same key");
    add_clause(&b, r->collided, "position whose key is another's too",
               "positions whose keys are others' too");
    if (b.n > 0)
        cli_printf(stdout, "changed: %s\n", text_of(&b));
    cli_buf_free(&b);
}

int cmd_book_export(const struct cli_cmd *self, int argc, char **argv)
{
    struct export_args a = {0};
    bk_export_report r;
    bk_book *b = NULL;
    bk_format f;
    xq_err err;
    int rc = cli_parse(self, EXPORT_OPTS, &a, &argc, &argv);
    if (rc >= 0)
        return rc;
    if (argc != 1)
        return cli_usage(self, "name one book");
    if (!a.to || !bk_format_of(a.to, &f))
        return cli_usage(self, "--to %s: bookdat, obk, xqb, csv, json or text",
                         a.to ? a.to : "is missing");
    if (!a.out)
        return cli_usage(self, "no file to write: name it with -o OUT");
    if (a.memory == 0)
        a.memory = (uint64_t)256 << 20;
    const bk_export_options o = {.memory = a.memory, .stop = cli_interrupted};
    cli_catch_interrupts();
    xq_status s = bk_book_open(&b, argv[0], &err);
    if (s == XQ_OK)
        s = bk_foreign_export(b, f, a.out, &o, &r, &err);
    bk_book_close(b);
    if (s != XQ_OK)
        return fail(&err);
    print_export(&a, f, &r);
    return cli_finish(CLI_OK);
}
