/* cmd_notation.c - qipu notation: translate moves between notations. */
#include "tools/cmd.h"

#include "libpgn/notation.h"

#include <string.h>

struct args {
    const char *fen, *moves, *from, *to, *script;
    bool json;
};

static const struct cli_opt OPTS[] = {
    {"fen", 0, CLI_STR, offsetof(struct args, fen), "FEN",
     "position (default: the start)"},
    {"moves", 0, CLI_STR, offsetof(struct args, moves), "MOVES",
     "moves to play first"},
    {"from", 0, CLI_STR, offsetof(struct args, from), "N",
     "notation of MOVE, where it fits several"},
    {"to", 0, CLI_STR, offsetof(struct args, to), "N",
     "notation to write, or 'all' (default: chinese)"},
    {"script", 0, CLI_STR, offsetof(struct args, script), "S",
     "simplified (default) or traditional characters"},
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL,
     "JSON, one object a move"},
    {0},
};

static void print_text(const xq_pos *p, xq_move m, pgn_notation to,
                       pgn_script script)
{
    char text[PGN_MOVE_TEXT_MAX];
    pgn_move_write(p, m, to, script, text);
    cli_printf(stdout, "%s\n", text);
}

/* Every notation, a line each. */
static void print_all(const xq_pos *p, xq_move m, pgn_script script)
{
    for (pgn_notation n = PGN_ICCS; n < PGN_NOTATIONS; n++) {
        char text[PGN_MOVE_TEXT_MAX];
        pgn_move_write(p, m, n, script, text);
        cli_printf(stdout, "%-8s %s\n", pgn_notation_name(n), text);
    }
}

static void json_move(cli_buf *b, const xq_pos *p, xq_move m, pgn_notation to,
                      pgn_script script)
{
    char text[PGN_MOVE_TEXT_MAX];
    xq_move_format(m, text);
    cli_buf_printf(b, ",\"move\":\"%s\",\"notations\":{", text);
    const char *comma = "";
    for (pgn_notation n = PGN_ICCS; n < PGN_NOTATIONS; n++) {
        if (to != PGN_NOTATION_ANY && to != n)
            continue;
        cli_buf_printf(b, "%s\"%s\":", comma, pgn_notation_name(n));
        pgn_move_write(p, m, n, script, text);
        cli_buf_json(b, xq_str_of(text));
        comma = ",";
    }
    cli_buf_puts(b, "}");
}

static void json_error(cli_buf *b, xq_status rc, const xq_err *err,
                       const pgn_candidates *amb)
{
    cli_buf_printf(b, ",\"error\":\"%s\",\"message\":",
                   rc == XQ_EAMBIGUOUS ? "ambiguous"
                   : rc == XQ_EILLEGAL ? "illegal"
                                       : "move");
    cli_buf_json(b, xq_str_of(err->msg));
    if (rc == XQ_EAMBIGUOUS) {
        unsigned kept = sizeof amb->m / sizeof *amb->m;
        cli_buf_puts(b, ",\"candidates\":[");
        for (unsigned i = 0; i < amb->n && i < kept; i++) {
            char text[5];
            xq_move_format(amb->m[i], text);
            cli_buf_printf(b, "%s\"%s\"", i ? "," : "", text);
        }
        cli_buf_puts(b, "]");
    }
}

/* What to write, and what to try first when reading. */
struct way {
    pgn_notation from, to;
    pgn_script script;
    bool json;
};

/* One operand; false when it is no legal move here. */
static bool translate(const xq_pos *p, const char *text, const struct way *w)
{
    xq_err err = {0};
    xq_move m = XQ_NOMOVE;
    pgn_candidates amb = {0};
    xq_status rc = cli_read_move(p, xq_str_of(text), w->from, &m, &amb, &err);
    if (rc != XQ_OK)
        cli_error("'%s': %s", text, err.msg);
    if (w->json) {
        cli_buf b = {0};
        cli_buf_puts(&b, "{\"text\":");
        cli_buf_json(&b, xq_str_of(text));
        if (rc == XQ_OK)
            json_move(&b, p, m, w->to, w->script);
        else
            json_error(&b, rc, &err, &amb);
        cli_buf_puts(&b, "}");
        if (!b.failed)
            cli_printf(stdout, "%s\n", b.s);
        else
            cli_error("out of memory");
        rc = b.failed ? XQ_ENOMEM : rc;
        cli_buf_free(&b);
    } else if (rc == XQ_OK && w->to == PGN_NOTATION_ANY)
        print_all(p, m, w->script);
    else if (rc == XQ_OK)
        print_text(p, m, w->to, w->script);
    return rc == XQ_OK;
}

int cmd_notation(const struct cli_cmd *self, int argc, char **argv)
{
    struct args a = {0};
    int rc = cli_parse(self, OPTS, &a, &argc, &argv);
    if (rc >= 0)
        return rc;
    struct way w = {PGN_NOTATION_ANY, PGN_CHINESE, PGN_SIMPLIFIED, a.json};
    if (a.from && !cli_notation(self, "--from", a.from, &w.from))
        return CLI_FAIL;
    if (a.to && strcmp(a.to, "all") == 0)
        w.to = PGN_NOTATION_ANY; /* stands for all of them */
    else if (a.to && !cli_notation(self, "--to", a.to, &w.to))
        return CLI_FAIL;
    if (a.script && !cli_script(self, a.script, &w.script))
        return CLI_FAIL;
    if (!argc)
        return cli_usage(self, "no MOVE given");
    xq_pos p;
    if (!cli_position(a.fen, a.moves, false, &p))
        return CLI_FAIL;
    bool all_good = true;
    for (int i = 0; i < argc; i++) {
        if (i && w.to == PGN_NOTATION_ANY && !w.json)
            cli_puts(stdout, "\n");
        all_good &= translate(&p, argv[i], &w);
    }
    return cli_finish(all_good ? CLI_OK : CLI_FOUND);
}
