/* referee_game.c - a game of a file before the referee. */
#include "tools/referee_game.h"

#include <inttypes.h>
#include <stdlib.h>

/* The same window by the other rules. */
static bool judge_otherwise(ref_game *f)
{
    f->other = (ref_case){.how = f->mine.how,
                          .start = f->mine.start,
                          .moves = f->mine.moves,
                          .n = f->mine.n};
    ref_how_rules(&f->other.how,
                  f->mine.how.rules.rules == XQ_ASIAN ? XQ_CXA : XQ_ASIAN);
    if (!ref_case_judge(&f->other, f->mine.ruling.to_ply))
        return false;
    const xq_ruling *a = &f->mine.ruling, *b = &f->other.ruling;
    f->has_other = true;
    f->differs = !a->unsupported && !b->unsupported && a->outcome != b->outcome;
    return true;
}

/* How the game really ended, as far as a rule says so. */
static void look_at_end(ref_game *f, rulings *r, const ruling_run *first)
{
    ruling_run last;
    f->at_end = first->last == f->game->plies;
    if (f->at_end)
        f->contradicts = rulings_contradict(f->game, first);
    else if (rulings_at_end(r, &last)) {
        f->has_last = true;
        f->last = last.ruling;
        f->contradicts = rulings_contradict(f->game, &last);
    }
}

bool ref_game_judge(ref_game *f, const ref_how *how, const pgn_game *g,
                    rulings *r, const ruling_run *first)
{
    f->game = g;
    f->mine.how = *how;
    f->mine.start = &g->start;
    f->mine.moves = g->main;
    f->mine.n = g->plies;
    f->mine.game = g;
    if (!ref_case_judge(&f->mine, first ? first->ruling.to_ply : 0) ||
        (f->mine.ruling.ending == XQ_REPEATED && !judge_otherwise(f)))
        return false;
    if (first)
        look_at_end(f, r, first);
    return true;
}

void ref_game_free(ref_game *f)
{
    ref_case_free(&f->mine);
    ref_case_free(&f->other);
}

/* ---- as JSON ---- */

void ref_game_json(cli_buf *b, const ref_game *f)
{
    const ref_case *c = &f->mine;
    const xq_ruling *r = &c->ruling;
    char fen[XQ_FEN_MAX], move[5];
    xq_pos first;
    ref_case_board(c, r->ending == XQ_REPEATED ? r->from_ply - 1 : r->to_ply,
                   &first);
    xq_fen_format(&first, fen);
    cli_buf_printf(b, "\"result\":\"%s\",", pgn_result_text(f->game->result));
    ref_report_json(b, c);
    cli_buf_puts(b, ",\"fen\":");
    cli_buf_json(b, xq_str_of(fen));
    cli_buf_puts(b, ",\"moves\":[");
    if (r->ending == XQ_REPEATED)
        for (uint32_t i = r->from_ply - 1; i < r->to_ply; i++) {
            xq_move_format(c->moves[i], move);
            cli_buf_printf(b, "%s\"%s\"", i >= r->from_ply ? "," : "", move);
        }
    cli_buf_puts(b, "],\"other\":");
    if (f->has_other) {
        cli_buf_puts(b, "{");
        ref_report_json_verdict(b, &f->other);
        cli_buf_puts(b, "}");
    } else
        cli_buf_puts(b, "null");
    cli_buf_puts(b, ",\"end\":");
    if (f->at_end)
        cli_buf_printf(b, "{\"verdict\":\"%s\",\"article\":\"%s\"}",
                       ref_outcome_code(r->outcome), r->article);
    else if (f->has_last)
        cli_buf_printf(b, "{\"verdict\":\"%s\",\"article\":\"%s\"}",
                       ref_outcome_code(f->last.outcome), f->last.article);
    else
        cli_buf_puts(b, "null");
    cli_buf_printf(b, ",\"differs\":%s,\"contradicts\":%s",
                   f->differs ? "true" : "false",
                   f->contradicts ? "true" : "false");
}
