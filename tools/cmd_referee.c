/* cmd_referee.c - qipu referee: how games end by rule, and why. */
#include "tools/cmd.h"

#include "tools/referee_games.h"
#include "tools/referee_one.h"

struct args {
    const char *rules, *lang, *fen, *moves, *notation, *script, *encoding, *out;
    const char *article, *only;
    uint64_t repetitions, natural_limit, threat_depth, game, ply, threads;
    bool bare_draw, decision, json, strict, progress;
};

static const struct cli_opt OPTS[] = {
    {"article", 0, CLI_STR, offsetof(struct args, article), "NO",
     "print what article NO says, or with 'all' what each says"},
    {"bare-draw", 0, CLI_FLAG, offsetof(struct args, bare_draw), NULL,
     "draw when nothing that can cross the river is left"},
    {"decision", 0, CLI_FLAG, offsetof(struct args, decision), NULL,
     "the sheet that an arbiter signs, in Chinese and English"},
    {"fen", 0, CLI_STR, offsetof(struct args, fen), "FEN", "position"},
    {"game", 0, CLI_UINT, offsetof(struct args, game), "N",
     "one game of IN, in full"},
    {"input-encoding", 0, CLI_STR, offsetof(struct args, encoding), "ENC",
     "do not judge the encoding: it is ENC"},
    {"jobs", 'j', CLI_UINT, offsetof(struct args, threads), "N",
     "threads (default: one a processor)"},
    {"json", 0, CLI_FLAG, offsetof(struct args, json), NULL,
     "JSON, one object a line"},
    {"lang", 0, CLI_STR, offsetof(struct args, lang), "LANG",
     "language of the explanation: en (default) or zh"},
    {"moves", 0, CLI_STR, offsetof(struct args, moves), "MOVES",
     "moves to judge, from FEN or the start"},
    {"natural-limit", 0, CLI_UINT, offsetof(struct args, natural_limit),
     "MOVES",
     "moves of each side without a capture: draw (default: 60; 0: no "
     "limit)"},
    {"notation", 0, CLI_STR, offsetof(struct args, notation), "N",
     "notation of the moves printed (default: chinese)"},
    {"only", 0, CLI_STR, offsetof(struct args, only), "KINDS",
     "list only: " REF_ONLY_NAMES},
    {"output", 'o', CLI_STR, offsetof(struct args, out), "FILE",
     "write to FILE, which appears when complete"},
    {"ply", 0, CLI_UINT, offsetof(struct args, ply), "P",
     "judge the moves up to ply P; a ruling there comes before earlier ones"},
    {"progress", 0, CLI_FLAG, offsetof(struct args, progress), NULL,
     "show progress even where stderr is no terminal"},
    {"repetitions", 0, CLI_UINT, offsetof(struct args, repetitions), "N",
     "judge when a position occurs for the Nth time (default: 3)"},
    {"rules", 0, CLI_STR, offsetof(struct args, rules), "RULES",
     "asian (default) or cxa: the Chinese national rules"},
    {"script", 0, CLI_STR, offsetof(struct args, script), "S",
     "simplified (default) or traditional characters"},
    {"strict", 0, CLI_FLAG, offsetof(struct args, strict), NULL,
     "refuse positions that cannot occur in a game"},
    {"threat-depth", 0, CLI_UINT, offsetof(struct args, threat_depth), "N",
     "moves within which a mate threat mates (default: asian 4, cxa 2)"},
    {0},
};

enum { DEFAULT_REPETITIONS = 3, DEFAULT_LIMIT = 60 };
#define NO_GAME   UINT64_MAX
#define NO_PLY    REF_ALL
#define OWN_DEPTH UINT64_MAX /* of the rule set */

/* The options that say how to judge and how to say it; -1: go on. */
static int read_how(const struct cli_cmd *self, const struct args *a,
                    ref_how *how)
{
    xq_ruleset rules = XQ_ASIAN;
    *how = (ref_how){.notation = PGN_CHINESE};
    if ((a->rules && !ref_rules_of(self, a->rules, &rules)) ||
        (a->lang && !ref_lang_of(self, a->lang, &how->lang)) ||
        (a->notation &&
         !cli_notation(self, "--notation", a->notation, &how->notation)) ||
        (a->script && !cli_script(self, a->script, &how->script)))
        return CLI_FAIL;
    if (a->repetitions < 2 || a->repetitions > UINT32_MAX)
        return cli_usage(self, "option '--repetitions' takes 2 or more");
    if (a->natural_limit > UINT32_MAX / 2)
        return cli_usage(self, "option '--natural-limit': too many moves");
    if (a->threat_depth != OWN_DEPTH &&
        (a->threat_depth < 1 || a->threat_depth > XQ_MAX_THREAT_DEPTH))
        return cli_usage(self, "option '--threat-depth' takes 1 to %d",
                         XQ_MAX_THREAT_DEPTH);
    how->repetitions = (uint32_t)a->repetitions;
    how->natural_limit = 2 * (uint32_t)a->natural_limit;
    how->threat_depth =
        a->threat_depth == OWN_DEPTH ? 0 : (uint32_t)a->threat_depth;
    how->bare_draw = a->bare_draw;
    ref_how_rules(how, rules);
    return -1;
}

/* Which of the three kinds of question is it, and are its options whole?
 * -1: yes. */
static int check_args(const struct cli_cmd *self, const struct args *a,
                      int operands)
{
    const bool position = a->fen || a->moves;
    if (position && operands)
        return cli_usage(self, "a position and games: one at a time");
    if (!position && !operands)
        return cli_usage(self,
                         "nothing to judge: --fen, --moves or games in files");
    if (a->decision && a->json)
        return cli_usage(self, "--decision is for people, --json is not");
    if (a->game == 0)
        return cli_usage(self, "option '--game': games count from 1");
    if (a->game != NO_GAME && operands != 1)
        return cli_usage(self, "option '--game' takes one file of games");
    if (a->ply != NO_PLY && a->game == NO_GAME)
        return cli_usage(self, "--ply is about one game: --game N");
    if (a->only && (position || a->game != NO_GAME))
        return cli_usage(self, "--only is about lists of games");
    if (a->decision && operands && a->game == NO_GAME)
        return cli_usage(self, "--decision is about one game: --game N");
    return -1;
}

/* ---- one line of moves ---- */

static enum ref_form form_of(const struct args *a)
{
    return a->decision ? REF_SHEET : a->json ? REF_JSON : REF_REPORT;
}

static bool judge_line(const struct args *a, const ref_how *how,
                       const cli_line *line, cli_buf *b)
{
    ref_case c = {.how = *how, .start = &line->start, .moves = line->moves};
    if (line->n >= UINT32_MAX) {
        cli_error("too many moves");
        return false;
    }
    c.n = (uint32_t)line->n;
    bool ok = ref_case_judge(&c, 0);
    if (ok)
        ref_one_add(b, form_of(a), &c);
    ref_case_free(&c);
    ok = ok && !b->failed;
    if (!ok)
        cli_error("out of memory");
    return ok;
}

/* The moves of the command line, or the game of a file. */
static bool judge_one(const struct args *a, const ref_how *how,
                      const pgn_reader_options *options, const char *path,
                      cli_buf *b)
{
    if (path) {
        const struct ref_one job = {
            .how = *how,
            .form = form_of(a),
            .options = *options,
            .number = a->game,
            .ply = a->ply,
        };
        return ref_one_judge(&job, path, b);
    }
    cli_line line = {0};
    const bool ok = cli_line_read(&line, a->fen, a->moves, a->strict) &&
                    judge_line(a, how, &line, b);
    cli_line_free(&line);
    return ok;
}

static int write_out(const struct args *a, const cli_buf *b)
{
    cli_out out;
    xq_err err;
    int rc = CLI_FAIL;
    if (cli_out_open(&out, a->out, &err) != XQ_OK) {
        cli_error("%s", err.msg);
        return CLI_FAIL;
    }
    cli_write(out.f, b->s, b->n);
    if (cli_out_commit(&out, &err) == XQ_OK)
        rc = CLI_OK;
    else {
        cli_error("%s", err.msg);
        cli_out_abort(&out);
    }
    return rc;
}

static int articles(const struct cli_cmd *self, const struct args *a,
                    const ref_how *how, int operands)
{
    cli_buf b = {0};
    if (operands || a->fen || a->moves)
        return cli_usage(self, "--article takes nothing to judge");
    int rc = CLI_OK;
    if (!ref_articles(&b, a->article, a->rules ? &how->rules.rules : NULL,
                      a->json, how->lang)) {
        cli_error("there is no article '%s'; --article all prints them all",
                  a->article);
        rc = CLI_FOUND;
    } else if (b.failed) {
        cli_error("out of memory");
        rc = CLI_FAIL;
    } else {
        ref_script(&b, 0, how);
        rc = write_out(a, &b);
    }
    cli_buf_free(&b);
    return cli_finish(rc);
}

int cmd_referee(const struct cli_cmd *self, int argc, char **argv)
{
    struct args a = {.repetitions = DEFAULT_REPETITIONS,
                     .natural_limit = DEFAULT_LIMIT,
                     .threat_depth = OWN_DEPTH,
                     .game = NO_GAME,
                     .ply = NO_PLY};
    ref_how how;
    pgn_encoding encoding = PGN_ENC_AUTO;
    unsigned only = 0;
    int rc = cli_parse(self, OPTS, &a, &argc, &argv);
    if (rc < 0)
        rc = read_how(self, &a, &how);
    if (rc < 0 && a.article)
        return articles(self, &a, &how, argc);
    if (rc < 0)
        rc = check_args(self, &a, argc);
    if (rc >= 0)
        return rc;
    if (a.only && !ref_only_of(a.only, &only))
        return cli_usage(
            self, "option '--only' takes some of: " REF_ONLY_NAMES "; not '%s'",
            a.only);
    if (a.encoding && !pgn_encoding_of(a.encoding, &encoding))
        return cli_usage(self, "unknown encoding '%s'; known: " CLI_ENCODINGS,
                         a.encoding);
    const pgn_reader_options options = {
        .encoding = encoding, .strict_fen = a.strict, .main_only = true};
    if (argc && a.game == NO_GAME) {
        const struct ref_games g = {
            .how = how,
            .json = a.json,
            .options = options,
            .threads = a.threads,
            .progress = a.progress,
            .out = a.out,
            .only = only,
        };
        return ref_games_run(&g, (const char *const *)argv, (size_t)argc);
    }
    cli_buf b = {0};
    rc = CLI_FAIL;
    if (judge_one(&a, &how, &options, argc ? argv[0] : NULL, &b))
        rc = write_out(&a, &b);
    cli_buf_free(&b);
    return cli_finish(rc);
}
