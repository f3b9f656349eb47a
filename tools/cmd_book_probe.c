/* cmd_book_probe.c - qipu book probe, qipu book dump: what a book says. */
#include "tools/cmd.h"

#include "bookdb/book.h"
#include "libpgn/notation.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct args {
    const char *fen, *moves, *notation, *script;
    bool strict, json;
};

static const struct cli_opt OPTS[] = {
    {"fen", 0, CLI_STR, offsetof(struct args, fen), "FEN", "position"},
    {"moves", 0, CLI_STR, offsetof(struct args, moves), "MOVES",
     "moves to play first, from FEN or the start"},
    {"notation", 0, CLI_STR, offsetof(struct args, notation), "N",
     "notation of the moves (default: chinese)"},
    {"script", 0, CLI_STR, offsetof(struct args, script), "S",
     "simplified (default) or traditional characters"},
    {"strict", 0, CLI_FLAG, offsetof(struct args, strict), NULL,
     "refuse positions that cannot occur in a game"},
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL,
     "JSON, one object a line"},
    {0},
};

static const char *const SIDE[2] = {"Red", "Black"};

static uint64_t total(const bk_counts *c)
{
    return (uint64_t)c->red + c->draw + c->black + c->unknown;
}

/* ---- JSON ---- */

static void add_json_move(cli_buf *b, const bk_book_move *m, bool reached)
{
    char text[5];
    xq_move_format(m->move, text);
    cli_buf_printf(b, "{\"move\":\"%s\",\"games\":%" PRIu64, text,
                   total(&m->counts));
    if (reached)
        cli_buf_printf(b, ",\"reached\":%" PRIu32, m->reached);
    cli_buf_printf(b,
                   ",\"red\":%" PRIu32 ",\"draw\":%" PRIu32
                   ",\"black\":%" PRIu32 ",\"unknown\":%" PRIu32,
                   m->counts.red, m->counts.draw, m->counts.black,
                   m->counts.unknown);
    if (reached)
        cli_buf_printf(b, ",\"weight\":%" PRIu32, m->weight);
    if (m->elo_games)
        cli_buf_printf(b, ",\"elo\":%" PRIu64,
                       (m->elo_sum + m->elo_games / 2) / m->elo_games);
    else
        cli_buf_puts(b, ",\"elo\":null");
    if (m->last_year)
        cli_buf_printf(b, ",\"last_year\":%u}", (unsigned)m->last_year);
    else
        cli_buf_puts(b, ",\"last_year\":null}");
}

static void add_json_moves(cli_buf *b, const bk_entry *e, bool reached)
{
    cli_buf_printf(b, "\"games\":%" PRIu64 ",\"moves\":[", total(&e->counts));
    for (unsigned i = 0; i < e->n; i++) {
        if (i > 0)
            cli_buf_puts(b, ",");
        add_json_move(b, &e->moves[i], reached);
    }
    cli_buf_puts(b, "]}\n");
}

static bool flush(cli_buf *b)
{
    const bool ok = !b->failed;
    if (!ok)
        cli_error("out of memory");
    else if (b->n > 0)
        cli_write(stdout, b->s, b->n);
    b->n = 0;
    return ok && !ferror(stdout);
}

/* ---- text ---- */

/* Columns that a move's text takes: Chinese and full-width characters two. */
static int columns(const char *s)
{
    int n = 0;
    for (; *s; s++)
        if (((unsigned char)*s & 0xc0) != 0x80)
            n += (unsigned char)*s >= 0xe1 ? 2 : 1;
    return n;
}

/* "55.0%" of the decided games, as the mover sees it. */
static void format_rate(char out[16], const bk_counts *c, xq_side mover)
{
    const uint64_t decided = total(c) - c->unknown;
    const uint64_t twice =
        2 * (uint64_t)(mover == XQ_RED ? c->red : c->black) + c->draw;
    if (decided == 0)
        snprintf(out, 16, "-");
    else
        snprintf(out, 16, "%.1f%%", 50.0 * (double)twice / (double)decided);
}

/* Books of other programs have weights and no games. */
static bool has_games(const bk_entry *e)
{
    for (unsigned i = 0; i < e->n; i++)
        if (total(&e->moves[i].counts) || e->moves[i].reached)
            return true;
    return total(&e->counts) > 0;
}

static void format_move(const xq_pos *p, xq_move m, pgn_notation notation,
                        pgn_script script, char *text)
{
    if (pgn_move_write(p, m, notation, script, text) == 0)
        xq_move_format(m, text);
}

static void print_weights(const char *path, const xq_pos *p, const bk_entry *e,
                          pgn_notation notation, pgn_script script)
{
    cli_printf(stdout, "%s: %s to move; weights, no games\n%-12s %8s\n", path,
               SIDE[p->side], "move", "weight");
    for (unsigned i = 0; i < e->n; i++) {
        char text[PGN_MOVE_TEXT_MAX];
        format_move(p, e->moves[i].move, notation, script, text);
        const int pad = 12 - columns(text);
        cli_printf(stdout, "%s%*s %8" PRIu32 "\n", text, pad > 0 ? pad : 0, "",
                   e->moves[i].weight);
    }
}

static void print_table(const char *path, const xq_pos *p, const bk_entry *e,
                        pgn_notation notation, pgn_script script)
{
    const xq_side mover = (xq_side)p->side;
    const uint64_t games = total(&e->counts);
    if (e->n > 0 && !has_games(e)) {
        print_weights(path, p, e, notation, script);
        return;
    }
    cli_printf(stdout,
               "%s: %s to move; %" PRIu64 " game%s reached this position "
               "(Red won %" PRIu32 ", drawn %" PRIu32 ", Black won %" PRIu32
               ", unknown %" PRIu32 ")\n",
               path, SIDE[mover], games, games == 1 ? "" : "s", e->counts.red,
               e->counts.draw, e->counts.black, e->counts.unknown);
    if (e->n == 0) {
        cli_puts(stdout, "no move is known here\n");
        return;
    }
    cli_printf(stdout,
               "%-12s %8s %8s %8s %8s %10s %8s %7s scores %8s %5s %5s\n",
               "move", "games", "reached", "Red won", "drawn", "Black won",
               "unknown", SIDE[mover], "weight", "elo", "last");
    for (unsigned i = 0; i < e->n; i++) {
        const bk_book_move *m = &e->moves[i];
        char text[PGN_MOVE_TEXT_MAX], rate[16], elo[24] = "-", year[8] = "-";
        format_move(p, m->move, notation, script, text);
        format_rate(rate, &m->counts, mover);
        if (m->elo_games)
            snprintf(elo, sizeof elo, "%" PRIu64,
                     (m->elo_sum + m->elo_games / 2) / m->elo_games);
        if (m->last_year)
            snprintf(year, sizeof year, "%u", (unsigned)m->last_year);
        const int pad = 12 - columns(text);
        cli_printf(stdout,
                   "%s%*s %8" PRIu64 " %8" PRIu32 " %8" PRIu32 " %8" PRIu32
                   " %10" PRIu32 " %8" PRIu32 " %14s %8" PRIu32 " %5s %5s\n",
                   text, pad > 0 ? pad : 0, "", total(&m->counts), m->reached,
                   m->counts.red, m->counts.draw, m->counts.black,
                   m->counts.unknown, rate, m->weight, elo, year);
    }
    cli_puts(stdout,
             "games: played the move here; reached: came to the position after "
             "it, by any order of moves\n");
}

/* ---- the commands ---- */

/* Found: CLI_OK; unknown: CLI_FOUND. */
static int probe(const char *path, const xq_pos *p, const struct args *a,
                 pgn_notation notation, pgn_script script, bk_entry *e)
{
    bk_book *b = NULL;
    xq_err err;
    unsigned dropped = 0;
    xq_status rc = bk_book_open(&b, path, &err);
    /* "not there" is said of a position only: of a file it is a failure */
    const bool opened = rc == XQ_OK;
    if (rc == XQ_OK)
        rc = bk_book_find(b, p, e, &dropped, &err);
    if (rc == XQ_OK)
        rc = bk_book_reached(b, p, e, &err);
    bk_book_close(b);
    if (dropped > 0)
        cli_note("%s: key %016" PRIx64 ": %u illegal move%s left out", path,
                 e->key, dropped, dropped == 1 ? "" : "s");
    if (opened && rc == XQ_ENOTFOUND) {
        cli_note("%s: %s", path, err.msg);
        return CLI_FOUND;
    }
    if (rc != XQ_OK) {
        cli_error("%s", err.msg);
        return CLI_FAIL;
    }
    if (!a->json) {
        print_table(path, p, e, notation, script);
        return CLI_OK;
    }
    cli_buf buf = {0};
    char fen[XQ_FEN_MAX];
    xq_fen_format(p, fen);
    cli_buf_puts(&buf, "{\"book\":");
    cli_buf_json(&buf, xq_str_of(path));
    cli_buf_printf(&buf, ",\"key\":\"%016" PRIx64 "\",\"fen\":\"%s\",", e->key,
                   fen);
    add_json_moves(&buf, e, true);
    const bool ok = flush(&buf);
    cli_buf_free(&buf);
    return ok ? CLI_OK : CLI_FAIL;
}

int cmd_book_probe(const struct cli_cmd *self, int argc, char **argv)
{
    struct args a = {.notation = "chinese", .script = "simplified"};
    pgn_notation notation;
    pgn_script script;
    xq_pos p;
    int rc = cli_parse(self, OPTS, &a, &argc, &argv);
    if (rc >= 0)
        return rc;
    if (!cli_notation(self, "--notation", a.notation, &notation) ||
        !cli_script(self, a.script, &script))
        return CLI_FAIL;
    if (argc == 0)
        return cli_usage(self, "no book");
    if (!a.fen && !a.moves)
        return cli_usage(self, "no position: --fen or --moves");
    if (!cli_position(a.fen, a.moves, a.strict, &p))
        return CLI_FAIL;
    bk_entry *e = malloc(sizeof *e);
    if (!e) {
        cli_error("out of memory");
        return CLI_FAIL;
    }
    bool known = false, failed = false;
    for (int i = 0; i < argc; i++) {
        if (i > 0 && known && !a.json)
            cli_puts(stdout, "\n");
        rc = probe(argv[i], &p, &a, notation, script, e);
        known |= rc == CLI_OK;
        failed |= rc == CLI_FAIL;
    }
    free(e);
    return cli_finish(failed ? CLI_FAIL : known ? CLI_OK : CLI_FOUND);
}

struct dump_args {
    bool json;
};

static const struct cli_opt DUMP_OPTS[] = {
    {"json", 0, CLI_FLAG, offsetof(struct dump_args, json), NULL,
     "JSON, one object a line"},
    {0},
};

/* KEY - GAMES RED DRAW BLACK UNKNOWN for the position, then its moves. */
static void add_dump_lines(cli_buf *b, const bk_entry *e)
{
    cli_buf_printf(b,
                   "%016" PRIx64 " - %" PRIu64 " %" PRIu32 " %" PRIu32
                   " %" PRIu32 " %" PRIu32 "\n",
                   e->key, total(&e->counts), e->counts.red, e->counts.draw,
                   e->counts.black, e->counts.unknown);
    for (unsigned i = 0; i < e->n; i++) {
        const bk_book_move *m = &e->moves[i];
        char text[5];
        xq_move_format(m->move, text);
        cli_buf_printf(
            b,
            "%016" PRIx64 " %s %" PRIu64 " %" PRIu32 " %" PRIu32 " %" PRIu32
            " %" PRIu32 " %" PRIu64 " %u\n",
            e->key, text, total(&m->counts), m->counts.red, m->counts.draw,
            m->counts.black, m->counts.unknown,
            m->elo_games ? (m->elo_sum + m->elo_games / 2) / m->elo_games : 0,
            (unsigned)m->last_year);
    }
}

int cmd_book_dump(const struct cli_cmd *self, int argc, char **argv)
{
    struct dump_args a = {0};
    bk_book *b = NULL;
    bk_cursor *c = NULL;
    cli_buf buf = {0};
    xq_err err;
    int rc = cli_parse(self, DUMP_OPTS, &a, &argc, &argv);
    if (rc >= 0)
        return rc;
    if (argc != 1)
        return cli_usage(self, "name one book");
    bk_entry *e = malloc(sizeof *e);
    xq_status s = e ? bk_book_open(&b, argv[0], &err)
                    : xq_fail(&err, XQ_ENOMEM, "out of memory");
    if (s == XQ_OK)
        s = bk_cursor_open(&c, b, &err);
    bool written = true;
    while (s == XQ_OK && written && !cli_interrupted() &&
           (s = bk_cursor_next(c, e, &err)) == XQ_OK) {
        if (a.json) {
            cli_buf_printf(&buf, "{\"key\":\"%016" PRIx64 "\",", e->key);
            add_json_moves(&buf, e, false);
        } else {
            add_dump_lines(&buf, e);
        }
        if (buf.n > 60000 || buf.failed)
            written = flush(&buf);
    }
    if (written)
        written = flush(&buf);
    if (s < XQ_OK)
        cli_error("%s", err.msg);
    cli_buf_free(&buf);
    bk_cursor_close(c);
    bk_book_close(b);
    free(e);
    return cli_finish(s < XQ_OK || !written ? CLI_FAIL : CLI_OK);
}
