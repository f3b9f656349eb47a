/* uci_show.c - for people at the keyboard: d, eval, go perft. */
#include "engine/uci_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void xq_show_board(xq_session *s)
{
    const xq_pos *const p = &s->game.now;
    xq_out_begin(&s->out);
    for (int rank = 9; rank >= 0; rank--) {
        char row[32];
        size_t n = (size_t)snprintf(row, sizeof row, "%d ", rank);
        for (int file = 0; file < 9; file++) {
            row[n++] = ' ';
            row[n++] = ".KABNRCP.kabnrcp"[p->at[xq_sq_of(file, rank)] & 15];
        }
        row[n] = '\0';
        xq_say(s, "%s", row);
    }
    xq_say(s, "   a b c d e f g h i");
    char fen[XQ_FEN_MAX], checkers[XQ_MAX_CHECKERS * 3 + 1] = "", odd[128];
    xq_sq from[XQ_MAX_CHECKERS];
    const unsigned n = xq_checkers(p, from);
    for (unsigned i = 0; i < n; i++) {
        checkers[3 * i] = ' ';
        xq_sq_format(from[i], checkers + 3 * i + 1);
    }
    xq_fen_format(p, fen);
    xq_say(s, "Fen: %s", fen);
    xq_say(s, "Key: %016" PRIx64, p->key);
    xq_say(s, "Checkers:%s", checkers);
    for (unsigned it = 0; xq_pos_odd(p, &it, odd);)
        xq_say(s, "Odd: %s", odd);
    xq_out_end(&s->out);
}

/* From the sums of all terms to the score (eval.h has the formula). */
static void show_total(xq_session *s, int mg, int eg)
{
    const xq_pos *const p = &s->game.now;
    xq_eval_state st;
    xq_eval_init(&st, p);
    const int phase = st.phase < XQ_PHASE_MAX ? st.phase : XQ_PHASE_MAX;
    const int blend = (mg * phase + eg * (XQ_PHASE_MAX - phase)) / XQ_PHASE_MAX;
    const int scale = xq_eval_scale(p, blend), total = blend * scale / 64;
    const int score = xq_eval(p, &st);
    const xq_chances c = xq_chances_of(score, p);
    const char *const side = p->side == XQ_RED ? "Red" : "Black";
    xq_say(s, "In hundredths of a pawn, good for Red if > 0.  red, black: how "
              "much of it each side has;");
    xq_say(s, "mg, eg: what one is worth in the middle game and the endgame; "
              "sums: (red - black) times that.");
    xq_say(s, "Squares are those of Red's left wing: Black's pieces, and those "
              "of the right, are mirrored there.");
    xq_say(s, "Phase %d of %d: (%d * %d + %d * %d) / %d = %d", phase,
           XQ_PHASE_MAX, mg, phase, eg, XQ_PHASE_MAX - phase, XQ_PHASE_MAX,
           blend);
    xq_say(s, "Scale %d of 64: %d * %d / 64 = %d", scale, blend, scale, total);
    if (total > XQ_EVAL_MAX || total < -XQ_EVAL_MAX)
        xq_say(s, "Cut at %d", XQ_EVAL_MAX);
    xq_say(s,
           "Evaluation: %d as %s sees it (%s to move); win %u draw %u "
           "loss %u",
           score, side, side, c.win, c.draw, c.loss);
}

void xq_show_eval(xq_session *s)
{
    const xq_pos *const p = &s->game.now;
    const unsigned n = xq_eval_trace(p, NULL, 0);
    xq_eval_term *const t = calloc(n ? n : 1, sizeof *t);
    if (!t) {
        xq_note(s, "error: eval: out of memory");
        return;
    }
    xq_eval_trace(p, t, n);
    int mg = 0, eg = 0;
    xq_out_begin(&s->out);
    xq_say(s, "%-40s %5s %5s %6s %6s %7s %7s", "term", "red", "black", "mg",
           "eg", "mg sum", "eg sum");
    for (unsigned i = 0; i < n; i++) {
        const int more = t[i].red - t[i].black;
        xq_say(s, "%-40s %5d %5d %6d %6d %7d %7d", t[i].name, t[i].red,
               t[i].black, t[i].mg, t[i].eg, more * t[i].mg, more * t[i].eg);
        mg += more * t[i].mg;
        eg += more * t[i].eg;
    }
    xq_say(s, "%-66s %7d %7d", "all terms", mg, eg);
    show_total(s, mg, eg);
    xq_out_end(&s->out);
    free(t);
}

/* ---- perft ---- */

/* Trees of so many plies are counted without asking for a stop: some
 * hundredths of a second. */
#define UNASKED 3

static uint64_t count(xq_session *s, xq_pos *p, unsigned depth)
{
    xq_movelist list;
    uint64_t sum = 0;
    if (depth <= UNASKED)
        return s->stop ? 0 : xq_perft(p, depth);
    xq_gen_legal(p, &list);
    for (unsigned i = 0; i < list.n && !s->stop; i++) {
        xq_undo u;
        xq_pos_make(p, list.m[i], &u);
        sum += count(s, p, depth - 1);
        xq_pos_unmake(p, &u);
    }
    return sum;
}

static int by_text(const void *a, const void *b)
{
    char x[5], y[5];
    xq_move_format(*(const xq_move *)a, x);
    xq_move_format(*(const xq_move *)b, y);
    return strcmp(x, y);
}

void xq_show_perft(xq_session *s, unsigned depth)
{
    xq_pos p = s->game.now;
    xq_movelist list = {0};
    uint64_t sum = depth == 0;
    if (depth > 0)
        xq_gen_legal(&p, &list);
    qsort(list.m, list.n, sizeof *list.m, by_text);
    for (unsigned i = 0; i < list.n && !s->stop && !s->out.failed; i++) {
        xq_undo u;
        char text[5];
        xq_pos_make(&p, list.m[i], &u);
        const uint64_t n = count(s, &p, depth - 1);
        xq_pos_unmake(&p, &u);
        if (s->stop)
            break;
        xq_move_format(list.m[i], text);
        xq_say(s, "%s: %" PRIu64, text, n);
        sum += n;
    }
    if (s->stop)
        xq_note(s, "perft: stopped");
    xq_say(s, "Nodes searched: %" PRIu64, sum);
}
