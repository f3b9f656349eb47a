/* cmd_show.c - qipu show: draw a position and say what may be played in it. */
#include "tools/cmd.h"

#include "engine/key.h"
#include "engine/rules.h"
#include "tools/board.h"
#include "tools/game_line.h"
#include "tools/referee_case.h"
#include "tools/svg.h"

#include <inttypes.h>
#include <string.h>

struct args {
    const char *fen, *moves, *notation, *script, *rules, *lang, *encoding;
    const char *svg, *pieces;
    uint64_t game, ply;
    bool strict, json, cycle;
};

/* No number given. */
#define NONE UINT64_MAX

static const struct cli_opt OPTS[] = {
    {"cycle", 0, CLI_FLAG, offsetof(struct args, cycle), NULL,
     "name what each move of the last repetition is"},
    {"fen", 0, CLI_STR, offsetof(struct args, fen), "FEN", "position"},
    {"game", 0, CLI_UINT, offsetof(struct args, game), "N",
     "the position of game N of IN (default: 1)"},
    {"input-encoding", 0, CLI_STR, offsetof(struct args, encoding), "ENC",
     "do not judge the encoding of IN: it is ENC"},
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL, "one JSON object"},
    {"lang", 0, CLI_STR, offsetof(struct args, lang), "LANG",
     "language of --cycle: en (default) or zh"},
    {"moves", 0, CLI_STR, offsetof(struct args, moves), "MOVES",
     "moves to play first, from FEN or the start"},
    {"notation", 0, CLI_STR, offsetof(struct args, notation), "N",
     "notation of the moves listed (default: chinese)"},
    {"pieces", 0, CLI_STR, offsetof(struct args, pieces), "SET",
     "on the pieces of --svg: chinese (default) or western"},
    {"ply", 0, CLI_UINT, offsetof(struct args, ply), "P",
     "after ply P of the game (default: the last)"},
    {"rules", 0, CLI_STR, offsetof(struct args, rules), "RULES",
     "whose terms --cycle uses: asian (default) or cxa"},
    {"script", 0, CLI_STR, offsetof(struct args, script), "S",
     "simplified (default) or traditional characters"},
    {"strict", 0, CLI_FLAG, offsetof(struct args, strict), NULL,
     "refuse positions that cannot occur in a game"},
    {"svg", 0, CLI_STR, offsetof(struct args, svg), "FILE",
     "draw the board into FILE, too; '-': nothing but that"},
    {0},
};

/* What is known about the position. */
struct facts {
    cli_line line; /* the way there */
    xq_pos pos;
    xq_key canonical;
    bool mirrored, check;
    xq_sq checkers[XQ_MAX_CHECKERS];
    unsigned checker_count;
    xq_movelist legal;
    pgn_notation notation;
    pgn_script script;
    bool has_cycle; /* asked for: */
    ref_case cycle; /* with no window when there is none */
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

static void add_cycle(cli_buf *b, const ref_case *c)
{
    const bool zh = c->how.lang == REF_ZH;
    const xq_ruling *r = &c->ruling;
    const size_t from = b->n;
    cli_buf_puts(b, "\n");
    board_pad(b, zh ? "循环" : "cycle", 11);
    if (r->ending != XQ_REPEATED) {
        cli_buf_puts(b, zh ? "没有局面出现两次\n"
                           : "none: no position occurred twice\n");
        ref_script(b, from, &c->how);
        return;
    }
    cli_buf_printf(b,
                   zh ? "第%" PRIu32 "-%" PRIu32 "着（%s）\n"
                      : "plies %" PRIu32 "-%" PRIu32 " (%s)\n",
                   r->from_ply, r->to_ply,
                   ref_rules(c->how.rules.rules, c->how.lang));
    ref_report_plies(b, c);
    ref_script(b, from, &c->how);
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
    if (f->has_cycle)
        add_cycle(b, &f->cycle);
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

static void json_cycle(cli_buf *b, const ref_case *c)
{
    const xq_ruling *r = &c->ruling;
    cli_buf_puts(b, ",\"cycle\":");
    if (r->ending != XQ_REPEATED) {
        cli_buf_puts(b, "null");
        return;
    }
    cli_buf_printf(b,
                   "{\"rules\":\"%s\",\"from_ply\":%" PRIu32
                   ",\"to_ply\":%" PRIu32 ",\"plies\":",
                   ref_rules_code(c->how.rules.rules), r->from_ply, r->to_ply);
    ref_report_json_plies(b, c);
    cli_buf_puts(b, "}");
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
    if (f->has_cycle)
        json_cycle(b, &f->cycle);
    cli_buf_puts(b, "}\n");
}

/* ---- the command ---- */

/* The position asked for; -1: go on. */
static int read_line(const struct cli_cmd *self, const struct args *a,
                     const char *in, cli_line *line)
{
    pgn_reader_options options = {.strict_fen = a->strict, .main_only = true};
    if (a->encoding && !pgn_encoding_of(a->encoding, &options.encoding))
        return cli_usage(self, "unknown encoding '%s'; known: " CLI_ENCODINGS,
                         a->encoding);
    if (in ? !game_line_read(line, in, a->game == NONE ? 1 : a->game, &options)
           : !cli_line_read(line, a->fen, a->moves, a->strict))
        return CLI_FAIL;
    if (a->ply == NONE)
        return -1;
    if (a->ply > line->n) {
        cli_error("%s: the game has no ply %" PRIu64 ", only %zu", in, a->ply,
                  line->n);
        return CLI_FAIL;
    }
    line->n = (size_t)a->ply;
    return -1;
}

static bool is_western(const struct args *a)
{
    return a->pieces && strcmp(a->pieces, "western") == 0;
}

static int check_args(const struct cli_cmd *self, const struct args *a,
                      int operands, char **argv)
{
    const bool position = a->fen || a->moves;
    if (operands > 1 || (operands && position))
        return cli_usage(self, "unexpected argument '%s'",
                         argv[position ? 0 : 1]);
    if (!operands && !position)
        return cli_usage(self,
                         "no position given: --fen, --moves or a game's file");
    if (!operands && (a->game != NONE || a->ply != NONE))
        return cli_usage(self, "--game and --ply are about a file of games");
    if (a->game == 0)
        return cli_usage(self, "option '--game': games count from 1");
    if (a->pieces && !is_western(a) && strcmp(a->pieces, "chinese") != 0)
        return cli_usage(self,
                         "option '--pieces' takes chinese or western, not '%s'",
                         a->pieces);
    if (a->pieces && !a->svg)
        return cli_usage(self, "option '--pieces' is about --svg");
    return -1;
}

/* -1: go on. */
static int find_cycle(const struct cli_cmd *self, const struct args *a,
                      struct facts *f)
{
    xq_ruleset rules = XQ_ASIAN;
    ref_case *c = &f->cycle;
    c->how = (ref_how){.notation = f->notation, .script = f->script};
    if ((a->rules && !ref_rules_of(self, a->rules, &rules)) ||
        (a->lang && !ref_lang_of(self, a->lang, &c->how.lang)))
        return CLI_FAIL;
    if (!a->cycle)
        return -1;
    xq_profile_init(&c->how.rules, rules);
    f->has_cycle = true;
    c->start = &f->line.start;
    c->moves = f->line.moves;
    c->n = (uint32_t)f->line.n;
    if (f->line.n < UINT32_MAX && ref_case_cycle(c))
        return -1;
    cli_error("out of memory");
    return CLI_FAIL;
}

/* -1: go on. */
static int draw(const struct args *a, const struct facts *f)
{
    cli_buf b = {0};
    cli_out out = {0};
    xq_err err;
    const svg_set set = is_western(a)                  ? SVG_WESTERN
                        : f->script == PGN_TRADITIONAL ? SVG_TRADITIONAL
                                                       : SVG_SIMPLIFIED;
    svg_file(&b, &f->pos, set,
             f->line.n ? f->line.moves[f->line.n - 1] : XQ_NOMOVE);
    xq_status rc = b.failed ? xq_fail(&err, XQ_ENOMEM, "out of memory")
                            : cli_out_open(&out, a->svg, &err);
    if (rc == XQ_OK) {
        cli_write(out.f, b.s, b.n);
        rc = cli_out_commit(&out, &err);
    }
    if (rc != XQ_OK)
        cli_error("%s", err.msg);
    cli_out_abort(&out);
    cli_buf_free(&b);
    return rc == XQ_OK ? -1 : CLI_FAIL;
}

static int print(const struct args *a, const struct facts *f)
{
    cli_buf b = {0};
    int rc = CLI_OK;
    if (a->svg && (rc = draw(a, f)) >= 0)
        return rc;
    rc = CLI_OK;
    if (a->svg && strcmp(a->svg, "-") == 0)
        return rc;
    (a->json ? add_json : add_text)(&b, f);
    if (b.failed) {
        cli_error("out of memory");
        rc = CLI_FAIL;
    } else
        cli_write(stdout, b.s, b.n);
    cli_buf_free(&b);
    if (rc == CLI_OK && f->has_cycle && f->cycle.ruling.ending != XQ_REPEATED)
        rc = CLI_FOUND; /* asked for, and not found */
    return rc;
}

int cmd_show(const struct cli_cmd *self, int argc, char **argv)
{
    struct args a = {.game = NONE, .ply = NONE};
    struct facts f = {.notation = PGN_CHINESE, .script = PGN_SIMPLIFIED};
    int rc = cli_parse(self, OPTS, &a, &argc, &argv);
    if (rc < 0)
        rc = check_args(self, &a, argc, argv);
    if (rc >= 0)
        return rc;
    if ((a.notation &&
         !cli_notation(self, "--notation", a.notation, &f.notation)) ||
        (a.script && !cli_script(self, a.script, &f.script)))
        return CLI_FAIL;
    rc = read_line(self, &a, argc ? argv[0] : NULL, &f.line);
    if (rc < 0)
        rc = find_cycle(self, &a, &f);
    if (rc < 0) {
        f.pos = f.line.start;
        for (size_t i = 0; i < f.line.n; i++)
            xq_pos_make(&f.pos, f.line.moves[i], NULL);
        find_facts(&f);
        rc = print(&a, &f);
    }
    ref_case_free(&f.cycle);
    cli_line_free(&f.line);
    return cli_finish(rc);
}
