/* cmd_db.c - qipu db: looking after a game database. */
#include "tools/cmd.h"

#include "bookdb/db.h"
#include "libpgn/writer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct args {
    bool json, quick;
    const char *out, *to, *notation, *script, *encoding, *remove;
    uint64_t min_plies, memory;
};

static int report(const xq_err *err)
{
    cli_error("%s", err->msg);
    return CLI_FAIL;
}

static void on_wait(long pid)
{
    cli_note("waiting: pid %ld is writing to the database", pid);
}

/* The operand DB, and nothing more unless `more`.  -1: go on. */
static int operands(const struct cli_cmd *self, int argc, char **argv, int min,
                    int max)
{
    if (argc == 0)
        return cli_usage(self, "no database");
    if (argc < min)
        return cli_usage(self, "too few arguments");
    if (argc > max)
        return cli_usage(self, "what is '%s'?", argv[max]);
    return -1;
}

static bool parse_id(const char *s, uint64_t *id)
{
    char *end;
    errno = 0;
    *id = strtoull(s, &end, 10);
    return *s >= '0' && *s <= '9' && *end == 0 && errno == 0;
}

/* ---- info ---- */

static const struct cli_opt JSON_OPTS[] = {
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL, "as JSON"},
    {0},
};

static void info_json(const bk_db_info *i)
{
    cli_printf(stdout,
               "{\"summary\":{\"games\":%" PRIu64 ",\"plies\":%" PRIu64
               ",\"positions\":%" PRIu64 ",\"bytes\":%" PRIu64
               ",\"bytes_games\":%" PRIu64 ",\"bytes_names\":%" PRIu64
               ",\"bytes_index\":%" PRIu64 ",\"bytes_free\":%" PRIu64
               ",\"deleted\":%" PRIu64 ",\"last_id\":%" PRIu64
               ",\"segments\":%" PRIu64 ",\"version\":%u}}\n",
               i->games, i->plies, i->positions, i->bytes, i->bytes_games,
               i->bytes_names, i->bytes_index, i->bytes_free, i->deleted,
               i->last_id, i->segments, i->version);
}

static void info_text(const bk_db_info *i)
{
    double g = i->games ? (double)i->games : 1,
           p = i->plies ? (double)i->plies : 1;
    cli_printf(stdout, "games      %12" PRIu64 "\n", i->games);
    cli_printf(stdout, "deleted    %12" PRIu64 "\n", i->deleted);
    cli_printf(stdout, "last id    %12" PRIu64 "\n", i->last_id);
    cli_printf(stdout, "plies      %12" PRIu64 "\n", i->plies);
    cli_printf(stdout, "positions  %12" PRIu64 "  in %" PRIu64 " segments\n",
               i->positions, i->segments);
    cli_printf(stdout, "bytes      %12" PRIu64 "\n", i->bytes);
    cli_printf(stdout, "  games    %12" PRIu64 "  %.1f a game\n",
               i->bytes_games, (double)i->bytes_games / g);
    cli_printf(stdout, "  names    %12" PRIu64 "  %.1f a game\n",
               i->bytes_names, (double)i->bytes_names / g);
    cli_printf(stdout, "  index    %12" PRIu64 "  %.2f a ply\n", i->bytes_index,
               (double)i->bytes_index / p);
    cli_printf(stdout, "  free     %12" PRIu64 "\n", i->bytes_free);
    cli_printf(stdout, "version    %12u\n", i->version);
}

int cmd_db_info(const struct cli_cmd *self, int argc, char **argv)
{
    struct args a = {0};
    bk_db *db;
    bk_db_info info;
    xq_err err;
    int rc = cli_parse(self, JSON_OPTS, &a, &argc, &argv);
    if (rc < 0)
        rc = operands(self, argc, argv, 1, 1);
    if (rc >= 0)
        return rc;
    if (bk_db_open(&db, argv[0], BK_READ, NULL, &err) != XQ_OK)
        return report(&err);
    xq_status st = bk_db_get_info(db, &info, &err);
    bk_db_close(db);
    if (st != XQ_OK)
        return report(&err);
    (a.json ? info_json : info_text)(&info);
    return cli_finish(CLI_OK);
}

/* ---- check ---- */

static const struct cli_opt CHECK_OPTS[] = {
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL, "as JSON"},
    {"quick", 0, CLI_FLAG, offsetof(struct args, quick), NULL,
     "pages and checksums only: do not replay the games"},
    {0},
};

int cmd_db_check(const struct cli_cmd *self, int argc, char **argv)
{
    struct args a = {0};
    bk_db_info info;
    xq_err err = {0};
    int rc = cli_parse(self, CHECK_OPTS, &a, &argc, &argv);
    if (rc < 0)
        rc = operands(self, argc, argv, 1, 1);
    if (rc >= 0)
        return rc;
    xq_status st = bk_db_check(argv[0], !a.quick, &info, &err);
    if (st == XQ_OK && !a.json)
        cli_printf(stdout,
                   "ok: games %" PRIu64 ", plies %" PRIu64
                   ", positions %" PRIu64 ", segments %" PRIu64 "\n",
                   info.games, info.plies, info.positions, info.segments);
    if (st != XQ_OK)
        cli_error("%s", err.msg);
    if (a.json && (st == XQ_OK || st == XQ_ECORRUPT)) {
        pgn_buf b = {0};
        pgn_buf_printf(&b,
                       "{\"summary\":{\"ok\":%s,\"games\":%" PRIu64
                       ",\"plies\":%" PRIu64 ",\"positions\":%" PRIu64
                       ",\"fault\":",
                       st == XQ_OK ? "true" : "false", info.games, info.plies,
                       info.positions);
        if (st == XQ_OK)
            pgn_buf_puts(&b, "null");
        else
            pgn_buf_json(&b, xq_str_of(err.msg));
        pgn_buf_puts(&b, "}}\n");
        cli_write(stdout, b.s, b.n);
        pgn_buf_free(&b);
    }
    return cli_finish(st == XQ_OK         ? CLI_OK
                      : st == XQ_ECORRUPT ? CLI_FOUND
                                          : CLI_FAIL);
}

/* ---- get, export ---- */

static const struct cli_opt GET_OPTS[] = {
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL,
     "JSON, one object a line (same as --to json)"},
    {"notation", 0, CLI_STR, offsetof(struct args, notation), "N",
     "of the moves (default: as the games were written)"},
    {"output", 'o', CLI_STR, offsetof(struct args, out), "FILE",
     "write to FILE, which appears when complete"},
    {"script", 0, CLI_STR, offsetof(struct args, script), "S",
     "simplified or traditional"},
    {"to", 0, CLI_STR, offsetof(struct args, to), "FORMAT",
     "pgn (default) or json"},
    {0},
};

struct writer {
    pgn_style style;
    bool json;
    cli_out out;
    pgn_buf text;
};

static int writer_args(const struct cli_cmd *self, const struct args *a,
                       struct writer *w)
{
    w->json = a->json;
    w->style = (pgn_style){.script_as_game = true};
    if (a->to && strcmp(a->to, "json") == 0)
        w->json = true;
    else if (a->to && strcmp(a->to, "pgn") != 0)
        return cli_usage(self, "option '--to' takes pgn or json, not '%s'",
                         a->to);
    if (a->notation &&
        !cli_notation(self, "--notation", a->notation, &w->style.notation))
        return CLI_FAIL;
    if (a->script) {
        w->style.script_as_game = false;
        if (!cli_script(self, a->script, &w->style.script))
            return CLI_FAIL;
    }
    return -1;
}

static xq_status write_game(struct writer *w, const pgn_game *g, xq_err *err)
{
    w->text.n = 0;
    xq_status rc = w->json ? pgn_write_json(g, &w->text)
                           : pgn_write_pgn(g, &w->style, &w->text, NULL);
    if (rc != XQ_OK || w->text.failed)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    cli_write(w->out.f, w->text.s, w->text.n);
    return XQ_OK;
}

static int writer_end(struct writer *w, int status)
{
    xq_err err;
    if (status != CLI_FAIL && cli_out_commit(&w->out, &err) != XQ_OK)
        status = report(&err);
    cli_out_abort(&w->out);
    pgn_buf_free(&w->text);
    return cli_finish(status);
}

int cmd_db_get(const struct cli_cmd *self, int argc, char **argv)
{
    struct args a = {0};
    struct writer w = {.json = false};
    bk_db *db;
    xq_err err;
    int rc = cli_parse(self, GET_OPTS, &a, &argc, &argv);
    if (rc < 0)
        rc = operands(self, argc, argv, 2, 1 << 20);
    if (rc < 0)
        rc = writer_args(self, &a, &w);
    if (rc >= 0)
        return rc;
    for (int i = 1; i < argc; i++) {
        uint64_t id;
        if (!parse_id(argv[i], &id))
            return cli_usage(self, "'%s' is no game's number", argv[i]);
    }
    if (bk_db_open(&db, argv[0], BK_READ, NULL, &err) != XQ_OK)
        return report(&err);
    int status = CLI_OK;
    xq_arena arena = {0};
    if (cli_out_open(&w.out, a.out, &err) != XQ_OK) {
        bk_db_close(db);
        return report(&err);
    }
    for (int i = 1; i < argc && status != CLI_FAIL; i++) {
        uint64_t id = 0;
        pgn_game *g;
        parse_id(argv[i], &id);
        xq_arena_reset(&arena);
        xq_status st = bk_db_get(db, id, &arena, &g, &err);
        if (st == XQ_OK)
            st = write_game(&w, g, &err);
        if (st == XQ_ENOTFOUND) {
            cli_error("%s", err.msg);
            status = CLI_FOUND;
        } else if (st != XQ_OK) {
            status = report(&err);
        }
    }
    xq_arena_free(&arena);
    bk_db_close(db);
    return writer_end(&w, status);
}

int cmd_db_export(const struct cli_cmd *self, int argc, char **argv)
{
    struct args a = {0};
    struct writer w = {.json = false};
    bk_db *db;
    bk_db_info info;
    xq_err err;
    int rc = cli_parse(self, GET_OPTS, &a, &argc, &argv);
    if (rc < 0)
        rc = operands(self, argc, argv, 1, 1);
    if (rc < 0)
        rc = writer_args(self, &a, &w);
    if (rc >= 0)
        return rc;
    if (bk_db_open(&db, argv[0], BK_READ, NULL, &err) != XQ_OK)
        return report(&err);
    int status = CLI_OK;
    xq_arena arena = {0};
    if (cli_out_open(&w.out, a.out, &err) != XQ_OK ||
        bk_db_get_info(db, &info, &err) != XQ_OK) {
        bk_db_close(db);
        cli_out_abort(&w.out);
        return report(&err);
    }
    cli_catch_interrupts();
    for (uint64_t id = 1; id <= info.last_id && status == CLI_OK; id++) {
        pgn_game *g;
        xq_arena_reset(&arena);
        xq_status st = bk_db_get(db, id, &arena, &g, &err);
        if (st == XQ_ENOTFOUND)
            continue;
        if (st == XQ_OK)
            st = write_game(&w, g, &err);
        if (st != XQ_OK)
            status = report(&err);
        else if (cli_interrupted())
            status = CLI_INTERRUPTED;
        else if (ferror(w.out.f))
            break; /* reported when it is closed */
    }
    xq_arena_free(&arena);
    bk_db_close(db);
    return writer_end(&w, status);
}

/* ---- set, delete ---- */

static const struct cli_opt SET_OPTS[] = {
    {"remove", 0, CLI_STR, offsetof(struct args, remove), "NAME",
     "take a tag away"},
    {0},
};

static int open_writer(bk_db **db, const char *path, xq_err *err)
{
    const bk_db_options opts = {.memory = (size_t)16 << 20, .waiting = on_wait};
    return bk_db_open(db, path, BK_WRITE, &opts, err) == XQ_OK ? -1
                                                               : report(err);
}

/* The two sides of NAME=VALUE. */
static xq_str tag_name(const char *s)
{
    return (xq_str){s, (size_t)(strchr(s, '=') - s)};
}
static xq_str tag_value(const char *s) { return xq_str_of(strchr(s, '=') + 1); }

int cmd_db_set(const struct cli_cmd *self, int argc, char **argv)
{
    struct args a = {0};
    bk_db *db;
    xq_err err;
    uint64_t id;
    int rc = cli_parse(self, SET_OPTS, &a, &argc, &argv);
    if (rc < 0)
        rc = operands(self, argc, argv, a.remove ? 2 : 3, 1 << 20);
    if (rc >= 0)
        return rc;
    if (!parse_id(argv[1], &id))
        return cli_usage(self, "'%s' is no game's number", argv[1]);
    for (int i = 2; i < argc; i++) {
        const char *eq = strchr(argv[i], '=');
        if (!eq || eq == argv[i])
            return cli_usage(self, "'%s' is not of the form NAME=VALUE",
                             argv[i]);
        if (!pgn_utf8_valid(xq_str_of(argv[i])))
            return cli_usage(self, "a tag's text must be UTF-8");
    }
    const xq_str remove = a.remove ? xq_str_of(a.remove) : (xq_str){NULL, 0};
    const xq_str nothing = {NULL, 0};
    /* All or none: a mistake in the third shall not leave two changed. */
    xq_status st = a.remove ? bk_db_tag_check(remove, nothing, &err) : XQ_OK;
    for (int i = 2; i < argc && st == XQ_OK; i++)
        st = bk_db_tag_check(tag_name(argv[i]), tag_value(argv[i]), &err);
    if (st != XQ_OK)
        return report(&err);
    rc = open_writer(&db, argv[0], &err);
    if (rc >= 0)
        return rc;
    if (a.remove)
        st = bk_db_set_tag(db, id, remove, nothing, &err);
    for (int i = 2; i < argc && st == XQ_OK; i++)
        st = bk_db_set_tag(db, id, tag_name(argv[i]), tag_value(argv[i]), &err);
    bk_db_close(db);
    if (st == XQ_OK)
        return cli_finish(CLI_OK);
    report(&err);
    return cli_finish(st == XQ_ENOTFOUND ? CLI_FOUND : CLI_FAIL);
}

static const struct cli_opt NO_OPTS[] = {{0}};

int cmd_db_delete(const struct cli_cmd *self, int argc, char **argv)
{
    struct args a = {0};
    bk_db *db;
    xq_err err;
    int rc = cli_parse(self, NO_OPTS, &a, &argc, &argv);
    if (rc < 0)
        rc = operands(self, argc, argv, 2, 1 << 20);
    if (rc >= 0)
        return rc;
    for (int i = 1; i < argc; i++) {
        uint64_t id;
        if (!parse_id(argv[i], &id))
            return cli_usage(self, "'%s' is no game's number", argv[i]);
    }
    rc = open_writer(&db, argv[0], &err);
    if (rc >= 0)
        return rc;
    int status = CLI_OK;
    for (int i = 1; i < argc && status != CLI_FAIL; i++) {
        uint64_t id = 0;
        parse_id(argv[i], &id);
        xq_status st = bk_db_delete(db, id, &err);
        if (st != XQ_OK) {
            cli_error("%s", err.msg);
            status = st == XQ_ENOTFOUND ? CLI_FOUND : CLI_FAIL;
        }
    }
    bk_db_close(db);
    return cli_finish(status);
}

/* ---- duplicates ---- */

static const struct cli_opt NEAR_OPTS[] = {
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL,
     "JSON, one object a line"},
    {"min-plies", 0, CLI_UINT, offsetof(struct args, min_plies), "N",
     "leave out games of fewer plies (default 20)"},
    {0},
};

static void print_pair(const bk_near_pair *p, bool json)
{
    static const char *const JSON[] = {"same", "mirror", "contained"};
    static const char *const TEXT[] = {
        "probably the same as", "probably the mirror image of", "contained in"};
    if (json)
        cli_printf(stdout,
                   "{\"id\":%" PRIu64 ",\"other\":%" PRIu64
                   ",\"kind\":\"%s\",\"plies\":%" PRIu32 "}\n",
                   p->id, p->other, JSON[p->kind], p->plies);
    else
        cli_printf(stdout,
                   "game %" PRIu64 " is %s game %" PRIu64 " (%" PRIu32
                   " plies)\n",
                   p->id, TEXT[p->kind], p->other, p->plies);
}

int cmd_db_duplicates(const struct cli_cmd *self, int argc, char **argv)
{
    struct args a = {.min_plies = 20};
    bk_db *db;
    bk_near *n = NULL;
    bk_near_pair pair;
    xq_err err;
    uint64_t counts[3] = {0, 0, 0};
    int rc = cli_parse(self, NEAR_OPTS, &a, &argc, &argv);
    if (rc < 0)
        rc = operands(self, argc, argv, 1, 1);
    if (rc >= 0)
        return rc;
    if (bk_db_open(&db, argv[0], BK_READ, NULL, &err) != XQ_OK)
        return report(&err);
    uint32_t min =
        a.min_plies > UINT32_MAX ? UINT32_MAX : (uint32_t)a.min_plies;
    xq_status st = bk_near_open(&n, db, min, &err);
    while (st == XQ_OK && (st = bk_near_next(n, &pair, &err)) == XQ_OK) {
        print_pair(&pair, a.json);
        counts[pair.kind]++;
    }
    bk_near_close(n);
    bk_db_close(db);
    if (st != XQ_DONE)
        return report(&err);
    cli_printf(stdout,
               a.json ? "{\"summary\":{\"same\":%" PRIu64 ",\"mirror\":%" PRIu64
                        ",\"contained\":%" PRIu64 "}}\n"
                      : "same %" PRIu64 ", mirror %" PRIu64
                        ", contained %" PRIu64 "\n",
               counts[BK_NEAR_SAME], counts[BK_NEAR_MIRROR],
               counts[BK_NEAR_CONTAINED]);
    return cli_finish(counts[0] + counts[1] + counts[2] ? CLI_FOUND : CLI_OK);
}

/* ---- compact ---- */

static const struct cli_opt COMPACT_OPTS[] = {
    {"memory", 0, CLI_SIZE, offsetof(struct args, memory), "SIZE",
     "use at most SIZE (default 256M)"},
    {0},
};

/* The writer's lock is ours: nobody else uses the copy's name. */
static int compact(bk_db *db, const char *path)
{
    struct stat st;
    xq_err err;
    char *real = realpath(path, NULL); /* a link stays a link */
    const size_t n = real ? strlen(real) + 16 : 0;
    char *copy = real ? malloc(n) : NULL;
    int status = CLI_OK;
    if (!copy) {
        cli_error("cannot compact '%s': %s", path, strerror(errno));
        free(real);
        return CLI_FAIL;
    }
    snprintf(copy, n, "%s.compact.tmp", real);
    const xq_status rc = bk_db_compact(db, copy, &err);
    if (rc == XQ_DONE) {
        cli_error("interrupted: '%s' is not changed", path);
        status = CLI_INTERRUPTED;
    } else if (rc != XQ_OK) {
        cli_error("cannot compact '%s', which stays as it was: %s", path,
                  err.msg);
        status = CLI_FAIL;
    } else if (stat(real, &st) != 0 ||
               (chown(copy, st.st_uid, st.st_gid) != 0 && errno != EPERM) ||
               chmod(copy, st.st_mode & 07777) != 0 ||
               rename(copy, real) != 0) {
        cli_error("cannot replace '%s': %s", path, strerror(errno));
        unlink(copy);
        status = CLI_FAIL;
    }
    free(copy);
    free(real);
    return status;
}

int cmd_db_compact(const struct cli_cmd *self, int argc, char **argv)
{
    struct args a = {0};
    bk_db *db;
    xq_err err;
    int rc = cli_parse(self, COMPACT_OPTS, &a, &argc, &argv);
    if (rc < 0)
        rc = operands(self, argc, argv, 1, 1);
    if (rc >= 0)
        return rc;
    const bk_db_options opts = {.memory = (size_t)a.memory,
                                .waiting = on_wait,
                                .stop = cli_interrupted};
    if (bk_db_open(&db, argv[0], BK_WRITE, &opts, &err) != XQ_OK)
        return report(&err);
    cli_catch_interrupts();
    rc = compact(db, argv[0]);
    bk_db_close(db);
    return cli_finish(rc);
}
