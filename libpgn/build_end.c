/* build_end.c - a game ends: its result, and what is still open. */
#include "libpgn/reader_internal.h"

/* ---- the end ---- */

void pgn_build_marker(pgn_reader *r, pgn_result res, size_t at)
{
    r->marker = true;
    r->marker_result = res;
    r->marker_at = at;
}

/* Tag and marker: the tag wins; where it says nothing, the marker counts. */
static void settle_result(pgn_reader *r, size_t at)
{
    pgn_game *g = &r->game;
    const xq_str none = {NULL, 0};
    pgn_result tag = PGN_UNKNOWN;
    bool has_tag = r->tag[PGN_TAG_RESULT].index != UINT32_MAX;
    if (has_tag) {
        xq_str v = g->tags[r->tag[PGN_TAG_RESULT].index].value;
        if (!pgn_result_parse(v, &tag)) {
            tag = PGN_UNKNOWN;
            pgn_build_problem(
                r, PGN_WARNING, PGN_P_RESULT, r->tag[PGN_TAG_RESULT].at, 0, v,
                "result \"%.*s\" says nothing", pgn_build_shown(v), v.s);
        }
    }
    g->result = tag;
    if (!r->marker) {
        pgn_build_problem(r, PGN_WARNING, PGN_P_RESULT, at, 0, none,
                          has_tag ? "no result at the end of the moves"
                                  : "no result, neither tag nor at the end");
        return;
    }
    if (g->result == PGN_UNKNOWN)
        g->result = r->marker_result;
    if (has_tag && tag != r->marker_result)
        pgn_build_problem(
            r, PGN_WARNING, PGN_P_RESULT, r->marker_at, 0, none,
            "result %s at the end contradicts the tag's %s; %s counts",
            pgn_result_text(r->marker_result), pgn_result_text(tag),
            pgn_result_text(g->result));
}

/* Who cannot move has lost (G-10), whatever the result says. */
static void compare_final_position(pgn_reader *r)
{
    pgn_game *g = &r->game;
    const xq_pos *p = &r->line.pos;
    if (g->result == PGN_UNKNOWN || r->broken || xq_has_legal_move(p))
        return;
    pgn_result due = p->side == XQ_RED ? PGN_BLACK_WINS : PGN_RED_WINS;
    if (g->result != due) {
        const char *side = p->side == XQ_RED ? "Red" : "Black";
        pgn_build_problem(
            r, PGN_WARNING, PGN_P_RESULT,
            r->marker ? r->marker_at : r->tag[PGN_TAG_RESULT].at, r->line.ply,
            (xq_str){NULL, 0},
            "result is %s, but %s has no legal move at the end and has lost",
            pgn_result_text(g->result), side);
    }
}

/* The notation that most moves were written in, and the script. */
static void settle_notation(pgn_reader *r)
{
    pgn_game *g = &r->game;
    for (unsigned n = 1; n < PGN_NOTATIONS; n++)
        if (r->written[n] > r->written[g->notation])
            g->notation = (pgn_notation)n;
    bool other = r->traditional == r->simplified;
    g->script =
        (other ? r->block_enc == PGN_ENC_BIG5 : r->traditional > r->simplified)
            ? PGN_TRADITIONAL
            : PGN_SIMPLIFIED;
}

/* Variations that are still open: the outermost one is named. */
static void close_variations(pgn_reader *r, size_t at)
{
    const uint32_t open = r->depth;
    size_t outer = r->line.at;
    if (!open)
        return;
    r->unplayed = 0;
    while (r->depth > 0) {
        outer = r->line.at;
        pgn_build_leave(r, at);
    }
    if (open == 1)
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, outer, 0,
                          (xq_str){NULL, 0}, "variation is never closed");
    else
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, outer, 0,
                          (xq_str){NULL, 0},
                          "%u variations are never closed, this and those in "
                          "it",
                          (unsigned)open);
}

void pgn_build_finish(pgn_reader *r, size_t at)
{
    pgn_game *g = &r->game;
    if (!r->setup)
        pgn_build_setup(r);
    close_variations(r, at);
    if (g->skipped) { /* nobody wants to know more of it */
        xq_str v = pgn_build_value(r, PGN_TAG_RESULT);
        if ((!v.n || !pgn_result_parse(v, &g->result)) && r->marker)
            g->result = r->marker_result;
    } else {
        settle_result(r, at);
        compare_final_position(r);
    }
    pgn_block_bad_bytes(r, r->begin, at);
    if (r->opts.repair)
        pgn_mend_game(r, at);
    pgn_build_unlisted(r, at);
    settle_notation(r);
    g->bytes = pgn_block_file_end(r, at) - g->byte;
}
