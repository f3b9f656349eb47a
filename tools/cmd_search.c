/* cmd_search.c - qipu search and qipu db list: games by position and tags. */
#include "tools/cmd.h"

#include "bookdb/db.h"
#include "libpgn/writer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct args {
    struct cli_list dbs;
    const char *fen, *moves, *red, *black, *player, *event, *year, *result;
    const char *sort, *pgn, *notation, *script;
    const char *limit;
    uint64_t min_plies, max_plies, skip;
    bool one_wing, variations, count, json;
};

#define ANY_PLIES UINT64_MAX /* --max-plies was not given */

static const struct cli_opt SEARCH_OPTS[] = {
    {"black", 0, CLI_STR, offsetof(struct args, black), "NAME",
     "Black's name contains NAME"},
    {"count", 0, CLI_FLAG, offsetof(struct args, count), NULL,
     "only how many there are"},
    {"database", 'd', CLI_LIST, offsetof(struct args, dbs), "DB",
     "a database; may be given again"},
    {"event", 0, CLI_STR, offsetof(struct args, event), "TEXT",
     "the event contains TEXT"},
    {"fen", 0, CLI_STR, offsetof(struct args, fen), "FEN",
     "games that reach this position"},
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL,
     "JSON, one object a line"},
    {"limit", 0, CLI_STR, offsetof(struct args, limit), "N", "at most N games"},
    {"max-plies", 0, CLI_UINT, offsetof(struct args, max_plies), "N",
     "games of at most N plies"},
    {"min-plies", 0, CLI_UINT, offsetof(struct args, min_plies), "N",
     "games of at least N plies"},
    {"moves", 0, CLI_STR, offsetof(struct args, moves), "MOVES",
     "the position after these moves"},
    {"notation", 0, CLI_STR, offsetof(struct args, notation), "N",
     "of the move played next (default chinese)"},
    {"one-wing", 0, CLI_FLAG, offsetof(struct args, one_wing), NULL,
     "not its mirror image"},
    {"pgn", 0, CLI_STR, offsetof(struct args, pgn), "FILE",
     "write the games to FILE as PGN"},
    {"player", 0, CLI_STR, offsetof(struct args, player), "NAME",
     "a player's name contains NAME"},
    {"red", 0, CLI_STR, offsetof(struct args, red), "NAME",
     "Red's name contains NAME"},
    {"result", 0, CLI_STR, offsetof(struct args, result), "R",
     "1-0 (red), 0-1 (black), 1/2-1/2 (draw) or *"},
    {"script", 0, CLI_STR, offsetof(struct args, script), "S",
     "simplified or traditional"},
    {"skip", 0, CLI_UINT, offsetof(struct args, skip), "N",
     "leave out the first N games"},
    {"sort", 0, CLI_STR, offsetof(struct args, sort), "KEY",
     "id (default), date, red, black, event or plies"},
    {"variations", 0, CLI_FLAG, offsetof(struct args, variations), NULL,
     "look into variations too"},
    {"year", 0, CLI_STR, offsetof(struct args, year), "A-B",
     "years A to B; A, A- and -B too"},
    {0},
};

static const struct cli_opt LIST_OPTS[] = {
    {"black", 0, CLI_STR, offsetof(struct args, black), "NAME",
     "Black's name contains NAME"},
    {"count", 0, CLI_FLAG, offsetof(struct args, count), NULL,
     "only how many there are"},
    {"event", 0, CLI_STR, offsetof(struct args, event), "TEXT",
     "the event contains TEXT"},
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL,
     "JSON, one object a line"},
    {"limit", 0, CLI_STR, offsetof(struct args, limit), "N", "at most N games"},
    {"max-plies", 0, CLI_UINT, offsetof(struct args, max_plies), "N",
     "games of at most N plies"},
    {"min-plies", 0, CLI_UINT, offsetof(struct args, min_plies), "N",
     "games of at least N plies"},
    {"pgn", 0, CLI_STR, offsetof(struct args, pgn), "FILE",
     "write the games to FILE as PGN"},
    {"player", 0, CLI_STR, offsetof(struct args, player), "NAME",
     "a player's name contains NAME"},
    {"red", 0, CLI_STR, offsetof(struct args, red), "NAME",
     "Red's name contains NAME"},
    {"result", 0, CLI_STR, offsetof(struct args, result), "R",
     "1-0 (red), 0-1 (black), 1/2-1/2 (draw) or *"},
    {"skip", 0, CLI_UINT, offsetof(struct args, skip), "N",
     "leave out the first N games"},
    {"sort", 0, CLI_STR, offsetof(struct args, sort), "KEY",
     "id (default), date, red, black, event or plies"},
    {"year", 0, CLI_STR, offsetof(struct args, year), "A-B",
     "years A to B; A, A- and -B too"},
    {0},
};

/* ---- what is found ---- */

/* A hit with copies of its strings, for sorting. */
struct found {
    bk_hit hit;
    size_t db;
    char date[16]; /* as it sorts */
};

struct search {
    const struct cli_cmd *self;
    struct args args;
    bk_query query;
    xq_pos pos;
    pgn_notation notation;
    pgn_script script;
    uint64_t limit, seen, printed;
    bk_db *db; /* being read */
    const char *name;
    cli_out pgn;
    xq_arena arena; /* of found's strings */
    xq_arena game;
    struct found *found;
    size_t nfound, cap;
    pgn_buf out;
    int status;
};

static void print_json(struct search *s, const char *db, const bk_hit *h)
{
    pgn_buf *b = &s->out;
    char move[5];
    pgn_buf_puts(b, "{\"db\":");
    pgn_buf_json(b, xq_str_of(db));
    pgn_buf_printf(b, ",\"id\":%" PRIu64 ",\"ply\":%" PRIu32 ",\"mirrored\":%s",
                   h->id, h->ply, h->mirrored ? "true" : "false");
    pgn_buf_puts(b, ",\"red\":");
    pgn_buf_json(b, h->red);
    pgn_buf_puts(b, ",\"black\":");
    pgn_buf_json(b, h->black);
    pgn_buf_printf(b,
                   ",\"result\":\"%s\",\"date\":", pgn_result_text(h->result));
    pgn_buf_json(b, h->date);
    pgn_buf_puts(b, ",\"event\":");
    pgn_buf_json(b, h->event);
    if (h->next) {
        xq_move_format(h->next, move);
        pgn_buf_printf(b, ",\"next\":\"%s\"", move);
    } else {
        pgn_buf_puts(b, ",\"next\":null");
    }
    pgn_buf_printf(b, ",\"plies\":%" PRIu32 "}\n", h->plies);
}

static void print_text(struct search *s, const char *db, const bk_hit *h)
{
    pgn_buf *b = &s->out;
    if (s->args.dbs.n > 1) {
        pgn_buf_visible(b, xq_str_of(db));
        pgn_buf_puts(b, "  ");
    }
    pgn_buf_printf(b, "%7" PRIu64 "  ", h->id);
    if (s->query.pos) {
        char move[PGN_MOVE_TEXT_MAX] = "-";
        if (h->next)
            pgn_move_write(&s->pos, h->next, s->notation, s->script, move);
        pgn_buf_printf(b, "ply %3" PRIu32 "%s  %s  ", h->ply,
                       h->mirrored ? " mirrored" : "", move);
    } else {
        pgn_buf_printf(b, "%3" PRIu32 " plies  ", h->plies);
    }
    pgn_buf_printf(b, "%-7s  ", pgn_result_text(h->result));
    pgn_buf_visible(b, h->date.n ? h->date : xq_str_of("-"));
    pgn_buf_puts(b, "  ");
    pgn_buf_visible(b, h->red.n ? h->red : xq_str_of("?"));
    pgn_buf_puts(b, " - ");
    pgn_buf_visible(b, h->black.n ? h->black : xq_str_of("?"));
    if (h->event.n) {
        pgn_buf_puts(b, "  ");
        pgn_buf_visible(b, h->event);
    }
    pgn_buf_puts(b, "\n");
}

static void flush_out(struct search *s)
{
    if (s->out.n)
        cli_write(stdout, s->out.s, s->out.n);
    s->out.n = 0;
}

static bool fail(struct search *s, const xq_err *err)
{
    cli_error("%s", err->msg);
    s->status = CLI_FAIL;
    return false;
}

/* Lines collect in memory, so that a reader of ours who is slow (a pager)
 * does not hold the database's pages; only very long lists come before the
 * end of the search. */
#define HOLD ((size_t)16 << 20)

static bool print_hit(struct search *s, bk_db *db, const char *name,
                      const bk_hit *h)
{
    if (s->seen++ < s->args.skip || s->printed >= s->limit)
        return true;
    s->printed++;
    if (s->args.json)
        print_json(s, name, h);
    else
        print_text(s, name, h);
    if (s->out.n > HOLD)
        flush_out(s);
    if (!s->pgn.f)
        return true;
    xq_err err;
    pgn_game *g;
    const pgn_style as_it_was = {.script_as_game = true};
    pgn_buf text = {0};
    xq_arena_reset(&s->game);
    xq_status rc = bk_db_get(db, h->id, &s->game, &g, &err);
    if (rc == XQ_OK && pgn_write_pgn(g, &as_it_was, &text, NULL) != XQ_OK)
        rc = xq_fail(&err, XQ_ENOMEM, "out of memory");
    if (rc == XQ_OK)
        cli_write(s->pgn.f, text.s, text.n);
    pgn_buf_free(&text);
    return rc == XQ_OK || fail(s, &err);
}

/* ---- sorting ---- */

static bool keep_hit(struct search *s, size_t db, const bk_hit *h)
{
    if (s->nfound == s->cap) {
        size_t cap = s->cap ? 2 * s->cap : 256;
        struct found *f = realloc(s->found, cap * sizeof *f);
        if (!f)
            goto nomem;
        s->found = f;
        s->cap = cap;
    }
    struct found *f = &s->found[s->nfound++];
    int y, m, d;
    *f = (struct found){.hit = *h, .db = db};
    f->hit.red = xq_arena_copy(&s->arena, h->red);
    f->hit.black = xq_arena_copy(&s->arena, h->black);
    f->hit.event = xq_arena_copy(&s->arena, h->event);
    f->hit.date = xq_arena_copy(&s->arena, h->date);
    if (!f->hit.red.s || !f->hit.black.s || !f->hit.event.s || !f->hit.date.s)
        goto nomem;
    bk_date_parse(h->date, &y, &m, &d); /* unknown parts first: 0 */
    snprintf(f->date, sizeof f->date, "%04d.%02d.%02d", y % 10000, m % 100,
             d % 100);
    return true;
nomem:
    cli_error("out of memory");
    s->status = CLI_FAIL;
    return false;
}

static int compare_str(xq_str a, xq_str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int c = n ? memcmp(a.s, b.s, n) : 0;
    return c ? c : a.n < b.n ? -1 : a.n > b.n;
}

static int in_order(const struct found *a, const struct found *b, int c)
{
    if (c)
        return c;
    if (a->db != b->db)
        return a->db < b->db ? -1 : 1;
    return a->hit.id < b->hit.id ? -1 : a->hit.id > b->hit.id;
}

static int by_id(const void *a, const void *b) { return in_order(a, b, 0); }
static int by_date(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    return in_order(x, y, strcmp(x->date, y->date));
}
static int by_red(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    return in_order(x, y, compare_str(x->hit.red, y->hit.red));
}
static int by_black(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    return in_order(x, y, compare_str(x->hit.black, y->hit.black));
}
static int by_event(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    return in_order(x, y, compare_str(x->hit.event, y->hit.event));
}
static int by_plies(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    int c = x->hit.plies < y->hit.plies ? -1 : x->hit.plies > y->hit.plies;
    return in_order(x, y, c);
}

static const struct order {
    const char *name;
    int (*compare)(const void *, const void *);
} ORDERS[] = {
    {"id", by_id},       {"date", by_date},   {"red", by_red},
    {"black", by_black}, {"event", by_event}, {"plies", by_plies},
};

static const struct order *order_of(const char *name)
{
    for (size_t i = 0; i < sizeof ORDERS / sizeof *ORDERS; i++)
        if (strcmp(ORDERS[i].name, name) == 0)
            return &ORDERS[i];
    return NULL;
}

/* ---- options ---- */

static bool parse_year(const char **s, int *year)
{
    int v = 0;
    while (**s >= '0' && **s <= '9' && v <= 9999)
        v = 10 * v + *(*s)++ - '0';
    *year = v;
    return v >= 1 && v <= 9999;
}

/* "1990-1999", "1990", "1990-", "-1999" */
static bool parse_years(const char *s, int *from, int *to)
{
    *from = *to = 0;
    if (*s != '-') {
        if (!parse_year(&s, from))
            return false;
        if (*s == 0) {
            *to = *from;
            return true;
        }
    }
    if (*s++ != '-')
        return false;
    if (*s == 0)
        return *from != 0;
    return parse_year(&s, to) && *s == 0 && *from <= *to;
}

static int parse_result(const char *s)
{
    static const struct {
        const char *name;
        pgn_result r;
    } WORDS[] = {
        {"red", PGN_RED_WINS},
        {"black", PGN_BLACK_WINS},
        {"draw", PGN_DRAW},
        {"unknown", PGN_UNKNOWN},
    };
    pgn_result r;
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
        if (strcmp(WORDS[i].name, s) == 0)
            return (int)WORDS[i].r;
    return *s && pgn_result_parse(xq_str_of(s), &r) ? (int)r : -1;
}

/* -1: go on. */
static int check_args(struct search *s)
{
    const struct args *a = &s->args;
    bk_query *q = &s->query;
    *q = (bk_query){.result = -1};
    if (a->year && !parse_years(a->year, &q->year_from, &q->year_to))
        return cli_usage(s->self, "option '--year' takes A-B, not '%s'",
                         a->year);
    if (a->result && (q->result = parse_result(a->result)) < 0)
        return cli_usage(s->self, "unknown result '%s'", a->result);
    if (a->sort && !order_of(a->sort))
        return cli_usage(s->self, "unknown order '%s'", a->sort);
    if (a->min_plies >= BK_NO_PLIES ||
        (a->max_plies >= BK_NO_PLIES && a->max_plies != ANY_PLIES))
        return cli_usage(s->self, "so many plies no game has");
    s->limit = UINT64_MAX;
    if (a->limit) {
        char *end;
        s->limit = strtoull(a->limit, &end, 10);
        if (*end || a->limit[0] < '0' || a->limit[0] > '9')
            return cli_usage(s->self,
                             "option '--limit' takes a number, not "
                             "'%s'",
                             a->limit);
    }
    s->notation = PGN_CHINESE;
    if (a->notation &&
        !cli_notation(s->self, "--notation", a->notation, &s->notation))
        return CLI_FAIL;
    if (a->script && !cli_script(s->self, a->script, &s->script))
        return CLI_FAIL;
    if ((a->one_wing || a->variations) && !a->fen && !a->moves)
        return cli_usage(s->self, "%s needs a position: --fen or --moves",
                         a->one_wing ? "--one-wing" : "--variations");
    if (a->fen || a->moves) {
        if (!cli_position(a->fen, a->moves, false, &s->pos))
            return CLI_FAIL;
        q->pos = &s->pos;
    }
    q->one_wing = a->one_wing;
    q->variations = a->variations;
    q->red = a->red;
    q->black = a->black;
    q->player = a->player;
    q->event = a->event;
    q->min_plies = (uint32_t)a->min_plies;
    q->max_plies = a->max_plies == ANY_PLIES ? 0
                   : a->max_plies == 0       ? BK_NO_PLIES
                                             : (uint32_t)a->max_plies;
    return -1;
}

/* ---- searching ---- */

static bool search_one(struct search *s, size_t i, uint64_t *count)
{
    const char *name = s->args.dbs.v[i];
    bk_db *db = NULL;
    bk_find *f = NULL;
    xq_err err;
    bk_hit hit;
    uint64_t n = 0;
    xq_status rc = bk_db_open(&db, name, BK_READ, NULL, &err);
    if (rc == XQ_OK)
        rc = bk_find_open(&f, db, &s->query, &err);
    if (rc == XQ_OK && s->args.count) {
        rc = bk_find_count(f, &n, &err);
        *count += n;
    } else {
        while (rc == XQ_OK && s->printed < s->limit && !cli_interrupted()) {
            rc = bk_find_next(f, &hit, &err);
            if (rc == XQ_OK && !(s->args.sort ? keep_hit(s, i, &hit)
                                              : print_hit(s, db, name, &hit)))
                break;
        }
    }
    bk_find_close(f);
    bk_db_close(db);
    if (rc < 0)
        fail(s, &err);
    flush_out(s);
    return rc >= 0;
}

/* Sorted hits: their databases are opened once more for --pgn only. */
static void print_found(struct search *s)
{
    if (s->nfound > 0) /* qsort takes no null pointer, not even for nothing */
        qsort(s->found, s->nfound, sizeof *s->found,
              order_of(s->args.sort)->compare);
    bk_db *db = NULL;
    size_t open = SIZE_MAX;
    for (size_t i = 0; i < s->nfound && s->printed < s->limit; i++) {
        const struct found *f = &s->found[i];
        const char *name = s->args.dbs.v[f->db];
        xq_err err;
        if (s->pgn.f && open != f->db) {
            bk_db_close(db);
            db = NULL;
            open = f->db;
            if (bk_db_open(&db, name, BK_READ, NULL, &err) != XQ_OK) {
                fail(s, &err);
                break;
            }
        }
        if (!print_hit(s, db, name, &f->hit))
            break;
    }
    bk_db_close(db);
    flush_out(s);
}

static int run(struct search *s)
{
    uint64_t count = 0;
    xq_err err;
    int rc = check_args(s);
    if (rc >= 0)
        return rc;
    if (s->args.pgn && cli_out_open(&s->pgn, s->args.pgn, &err) != XQ_OK) {
        cli_error("%s", err.msg);
        return CLI_FAIL;
    }
    cli_catch_interrupts();
    for (size_t i = 0; i < s->args.dbs.n; i++)
        search_one(s, i, &count);
    if (s->args.sort && !s->args.count)
        print_found(s);
    if (s->args.count)
        cli_printf(stdout,
                   s->args.json ? "{\"summary\":{\"count\":%" PRIu64 "}}\n"
                                : "%" PRIu64 "\n",
                   count);
    if (s->pgn.f && s->status == CLI_OK &&
        cli_out_commit(&s->pgn, &err) != XQ_OK)
        fail(s, &err);
    if (cli_interrupted())
        return CLI_INTERRUPTED;
    if (s->status != CLI_OK)
        return s->status;
    return (s->args.count ? count : s->seen) ? CLI_OK : CLI_FOUND;
}

static int finish(struct search *s, int rc)
{
    cli_out_abort(&s->pgn);
    xq_arena_free(&s->arena);
    xq_arena_free(&s->game);
    pgn_buf_free(&s->out);
    free(s->found);
    return cli_finish(rc);
}

int cmd_search(const struct cli_cmd *self, int argc, char **argv)
{
    struct search s = {.self = self, .args.max_plies = ANY_PLIES};
    int rc = cli_parse(self, SEARCH_OPTS, &s.args, &argc, &argv);
    if (rc >= 0)
        return rc;
    if (s.args.dbs.n == 0)
        rc = cli_usage(self, "no database: give -d DB");
    else if (argc)
        rc =
            cli_usage(self, "what is '%s'? databases are given by -d", argv[0]);
    else
        rc = finish(&s, run(&s));
    cli_list_free(&s.args.dbs);
    return rc;
}

int cmd_db_list(const struct cli_cmd *self, int argc, char **argv)
{
    struct search s = {.self = self, .args.max_plies = ANY_PLIES};
    int rc = cli_parse(self, LIST_OPTS, &s.args, &argc, &argv);
    if (rc >= 0)
        return rc;
    if (argc == 0)
        return cli_usage(self, "no database");
    s.args.dbs = (struct cli_list){(const char **)(void *)argv, (size_t)argc};
    return finish(&s, run(&s));
}
