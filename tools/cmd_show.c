/* cmd_show.c - qipu show: draw a position and say what may be played in it. */
#include "tools/cmd.h"

#include "engine/key.h"
#include "engine/rules.h"
#include "tools/board.h"

#include <inttypes.h>

struct args {
    const char *fen, *moves, *notation, *script;
    bool strict, json;
};

static const struct cli_opt OPTS[] = {
    {"fen", 0, CLI_STR, offsetof(struct args, fen), "FEN", "position"},
    {"moves", 0, CLI_STR, offsetof(struct args, moves), "MOVES",
     "moves to play first, from FEN or the start"},
    {"notation", 0, CLI_STR, offsetof(struct args, notation), "N",
     "notation of the moves listed (default: chinese)"},
    {"script", 0, CLI_STR, offsetof(struct args, script), "S",
     "simplified (default) or traditional characters"},
    {"strict", 0, CLI_FLAG, offsetof(struct args, strict), NULL,
     "refuse positions that cannot occur in a game"},
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL, "one JSON object"},
    {0},
};

/* What is known about the position. */
struct facts {
    xq_pos pos;
    xq_key canonical;
    bool mirrored, check;
    xq_sq checkers[XQ_MAX_CHECKERS];
    unsigned checker_count;
    xq_movelist legal;
    pgn_notation notation;
    pgn_script script;
};

static const char *const KIND[8] = {"",      "king", "advisor", "elephant",
                                    "horse", "rook", "cannon",  "pawn"};
static const char *const SIDE[2] = {"Red", "Black"};
static const char *const JSON_SIDE[2] = {"red", "black"};

static void find_facts(struct facts *f)
{
    f->canonical = xq_canon_key(&f->pos, &f->mirrored);
    f->check = xq_in_check(&f->pos, (xq_side)f->pos.side);
    f->checker_count = xq_checkers(&f->pos, f->checkers);
    if (f->checker_count > XQ_MAX_CHECKERS)
        f->checker_count = XQ_MAX_CHECKERS;
    xq_gen_legal(&f->pos, &f->legal);
    cli_sort_moves(f->legal.m, f->legal.n);
}

/* ---- text ---- */

static void add_moves(cli_buf *b, const struct facts *f)
{
    int widest = 0;
    char text[PGN_MOVE_TEXT_MAX];
    for (unsigned i = 0; i < f->legal.n; i++) {
        pgn_move_write(&f->pos, f->legal.m[i], f->notation, f->script, text);
        if (board_columns(text) > widest)
            widest = board_columns(text);
    }
    unsigned per_line = 60 / (unsigned)(widest + 2);
    for (unsigned i = 0; i < f->legal.n; i++) {
        bool last = i % per_line == per_line - 1 || i + 1 == f->legal.n;
        pgn_move_write(&f->pos, f->legal.m[i], f->notation, f->script, text);
        cli_buf_puts(b, "  ");
        board_pad(b, text, last ? 0 : widest);
        if (last)
            cli_buf_puts(b, "\n");
    }
}

static void add_check(cli_buf *b, const struct facts *f)
{
    if (!f->check) {
        cli_buf_puts(b, "check      none\n");
        return;
    }
    cli_buf_puts(b, "check      by");
    for (unsigned i = 0; i < f->checker_count; i++) {
        char sq[3];
        xq_sq_format(f->checkers[i], sq);
        cli_buf_printf(b, "%s %s on %s", i ? " and" : "",
                       KIND[xq_piece_kind(f->pos.at[f->checkers[i]])], sq);
    }
    cli_buf_puts(b, "\n");
}

static void add_text(cli_buf *b, const struct facts *f)
{
    char fen[XQ_FEN_MAX];
    xq_fen_format(&f->pos, fen);
    board_draw(b, &f->pos, f->script);
    cli_buf_printf(b, "\nto move    %s\n", SIDE[f->pos.side]);
    cli_buf_printf(b, "fen        %s\n", fen);
    cli_buf_printf(b, "key        %016" PRIx64 "\n", f->pos.key);
    cli_buf_printf(b, "canonical  %016" PRIx64 "%s\n", f->canonical,
                   xq_pos_is_symmetric(&f->pos) ? "  (its own mirror image)"
                   : f->mirrored                ? "  (the mirror image's)"
                                                : "");
    add_check(b, f);
    if (f->legal.n)
        cli_buf_printf(b, "moves      %u\n", f->legal.n);
    else
        cli_buf_printf(b, "result     %s: %s has no legal move and has lost\n",
                       f->check ? "mate" : "stalemate", SIDE[f->pos.side]);
    add_moves(b, f);
}

/* ---- JSON ---- */

static void json_odd(cli_buf *b, const xq_pos *p)
{
    unsigned it = 0;
    char msg[128];
    const char *comma = "";
    cli_buf_puts(b, ",\"odd\":[");
    while (xq_pos_odd(p, &it, msg)) {
        cli_buf_puts(b, comma);
        cli_buf_json(b, xq_str_of(msg));
        comma = ",";
    }
    cli_buf_puts(b, "]");
}

static void json_moves(cli_buf *b, const struct facts *f)
{
    cli_buf_printf(b, ",\"legal\":%u,\"moves\":[", f->legal.n);
    for (unsigned i = 0; i < f->legal.n; i++) {
        char text[PGN_MOVE_TEXT_MAX];
        xq_move_format(f->legal.m[i], text);
        cli_buf_printf(b, "%s{\"move\":\"%s\",\"text\":", i ? "," : "", text);
        pgn_move_write(&f->pos, f->legal.m[i], f->notation, f->script, text);
        cli_buf_json(b, xq_str_of(text));
        cli_buf_puts(b, "}");
    }
    cli_buf_puts(b, "]");
}

static void add_json(cli_buf *b, const struct facts *f)
{
    char fen[XQ_FEN_MAX];
    xq_fen_format(&f->pos, fen);
    cli_buf_puts(b, "{\"fen\":");
    cli_buf_json(b, xq_str_of(fen));
    cli_buf_printf(b,
                   ",\"side\":\"%s\",\"key\":\"%016" PRIx64
                   "\",\"canonical\":\"%016" PRIx64
                   "\",\"mirrored\":%s,\"check\":%s,\"checkers\":[",
                   JSON_SIDE[f->pos.side], f->pos.key, f->canonical,
                   f->mirrored ? "true" : "false", f->check ? "true" : "false");
    for (unsigned i = 0; i < f->checker_count; i++) {
        char sq[3];
        xq_sq_format(f->checkers[i], sq);
        cli_buf_printf(b, "%s\"%s\"", i ? "," : "", sq);
    }
    cli_buf_printf(b, "],\"state\":\"%s\"",
                   f->legal.n ? "open"
                   : f->check ? "mate"
                              : "stalemate");
    if (!f->legal.n)
        cli_buf_printf(b, ",\"winner\":\"%s\"", JSON_SIDE[!f->pos.side]);
    json_moves(b, f);
    json_odd(b, &f->pos);
    cli_buf_puts(b, "}\n");
}

int cmd_show(const struct cli_cmd *self, int argc, char **argv)
{
    struct args a = {0};
    int rc = cli_parse(self, OPTS, &a, &argc, &argv);
    if (rc >= 0)
        return rc;
    struct facts f = {.notation = PGN_CHINESE, .script = PGN_SIMPLIFIED};
    if (argc)
        return cli_usage(self, "unexpected argument '%s'", argv[0]);
    if (!a.fen && !a.moves)
        return cli_usage(self, "no position given: --fen or --moves");
    if (a.notation &&
        !cli_notation(self, "--notation", a.notation, &f.notation))
        return CLI_FAIL;
    if (a.script && !cli_script(self, a.script, &f.script))
        return CLI_FAIL;
    if (!cli_position(a.fen, a.moves, a.strict, &f.pos))
        return CLI_FAIL;
    find_facts(&f);
    cli_buf b = {0};
    (a.json ? add_json : add_text)(&b, &f);
    if (b.failed) {
        cli_error("out of memory");
        rc = CLI_FAIL;
    } else {
        fputs(b.s, stdout);
        rc = CLI_OK;
    }
    cli_buf_free(&b);
    return cli_finish(rc);
}
