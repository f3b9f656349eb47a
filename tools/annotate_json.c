/* annotate_json.c - an annotated game for programs. */
#include "tools/annotate_json.h"

#include "tools/cli.h"

#include <inttypes.h>

static void put_string(pgn_buf *out, xq_str s)
{
    cli_buf b = {0};
    cli_buf_json(&b, s);
    pgn_buf_add(out, b.s, b.n);
    out->failed |= b.failed;
    cli_buf_free(&b);
}

void annotate_json_side(pgn_buf *out, xq_side side, const annotate_side *s,
                        const xq_str *player)
{
    pgn_buf_printf(out, ",\"%s\":{", side == XQ_RED ? "red" : "black");
    if (player) {
        pgn_buf_puts(out, "\"player\":");
        put_string(out, *player);
        pgn_buf_puts(out, ",");
    }
    pgn_buf_printf(out,
                   "\"moves\":%" PRIu32 ",\"inaccuracies\":%" PRIu32
                   ",\"mistakes\":%" PRIu32 ",\"blunders\":%" PRIu32
                   ",\"missed_mates\":%" PRIu32,
                   s->moves, s->marks[ANNOTATE_INACCURACY],
                   s->marks[ANNOTATE_MISTAKE], s->marks[ANNOTATE_BLUNDER],
                   s->missed_mates);
    if (s->moves)
        pgn_buf_printf(out, ",\"accuracy\":%.1f", s->accuracy);
    pgn_buf_puts(out, "}");
}

/* Red's, in thousandths of a point. */
static unsigned chances_of_red(const analysis *a, const xq_pos *p)
{
    const unsigned mover =
        a->state == ANALYSIS_OVER ? 0 : analysis_chances(a->lines[0].score, p);
    return p->side == XQ_RED ? mover : 1000 - mover;
}

static void put_share(pgn_buf *out, const char *name, unsigned thousandths)
{
    pgn_buf_printf(out, ",\"%s\":%u.%03u", name, thousandths / 1000,
                   thousandths % 1000);
}

static void put_position(pgn_buf *out, uint32_t ply, const analysis *a,
                         const xq_pos *p, uint16_t lost)
{
    pgn_buf_printf(out, "%s{\"ply\":%" PRIu32, ply ? "," : "", ply);
    if (lost != ANNOTATE_UNJUDGED)
        put_share(out, "lost", lost);
    if (a->state == ANALYSIS_OVER) {
        pgn_buf_puts(out, ",\"mate\":0");
        put_share(out, "chances", chances_of_red(a, p));
    } else if (a->state == ANALYSIS_DONE) {
        const analysis_score s = a->lines[0].score;
        char value[ANALYSIS_TEXT], move[5];
        analysis_text(s, (xq_side)p->side, value);
        if (s.mate)
            pgn_buf_printf(out, ",\"mate\":%" PRId32, s.value);
        else
            pgn_buf_printf(out, ",\"eval\":%s", value);
        put_share(out, "chances", chances_of_red(a, p));
        if (a->lines[0].n) {
            xq_move_format(a->lines[0].pv[0], move);
            pgn_buf_printf(out, ",\"best\":\"%s\"", move);
        }
        if (a->claim)
            pgn_buf_printf(out, ",\"unconfirmed\":%" PRId32, a->claim);
    } else {
        pgn_buf_puts(out, ",\"failed\":true");
    }
    pgn_buf_puts(out, "}");
}

static void put_evals(pgn_buf *out, const pgn_game *g, const analysis *v,
                      const uint16_t *lost)
{
    xq_pos p = g->start;
    pgn_buf_puts(out, ",\"evals\":[");
    for (uint32_t i = 0; i <= g->plies; i++) {
        if (i)
            xq_pos_make(&p, g->main[i - 1], NULL);
        put_position(out, i, &v[i], &p, i ? lost[i - 1] : ANNOTATE_UNJUDGED);
    }
    pgn_buf_puts(out, "]");
}

xq_status annotate_json_game(pgn_buf *out, const pgn_game *g, const analysis *v,
                             const uint16_t *lost, const annotate_report *r)
{
    static const char *const TAGS[2] = {"Red", "Black"};
    const xq_status rc = pgn_write_json(g, out);
    if (rc != XQ_OK || g->skipped)
        return rc;
    out->n -= sizeof "}\n" - 1; /* the object goes on */
    put_evals(out, g, v, lost);
    for (int s = 0; s < 2; s++) {
        const xq_str player = pgn_game_tag(g, TAGS[s]);
        annotate_json_side(out, (xq_side)s, &r->side[s], &player);
    }
    pgn_buf_puts(out, "}\n");
    return out->failed ? XQ_ENOMEM : XQ_OK;
}
