/* uci_game.c - the position and the moves that a GUI sends. */
#include "engine/uci_parts.h"

#include <stdlib.h>

static bool push(xq_game *g, xq_move m)
{
    if (g->n == g->cap) {
        if (g->cap > UINT32_MAX / 4)
            return false;
        const uint32_t cap = g->cap ? 2 * g->cap : 64;
        xq_move *grown = realloc(g->moves, cap * sizeof *grown);
        if (!grown)
            return false;
        g->moves = grown;
        g->cap = cap;
    }
    g->moves[g->n++] = m;
    return true;
}

static xq_move move_of(xq_str word)
{
    char text[5] = "";
    if (word.n != 4)
        return XQ_NOMOVE;
    for (size_t i = 0; i < 4; i++)
        text[i] = word.s[i];
    return xq_move_parse(text);
}

static xq_status refuse_move(const xq_pos *p, xq_str word, xq_move m,
                             uint64_t ply, xq_err *err)
{
    char why[128];
    if (m == XQ_NOMOVE)
        xq_fail(err, XQ_ESYNTAX,
                "move %llu '%s' cannot be read (squares are a0 to i9)",
                (unsigned long long)ply, xq_show(word).s);
    else {
        xq_verdict_text(p, m, xq_move_judge(p, m), why);
        xq_fail(err, XQ_EILLEGAL, "move %llu '%s' is illegal: %s",
                (unsigned long long)ply, xq_show(word).s, why);
    }
    err->ply = ply;
    return err->code;
}

/* The words up to "moves", and *text behind that word. */
static xq_str before_moves(xq_str *text)
{
    xq_str out = *text, word;
    while (xq_word(text, &word))
        if (xq_word_is(word, "moves")) {
            out.n = (size_t)(word.s - out.s);
            break;
        }
    return xq_trim(out);
}

static xq_status read_start(xq_game *g, xq_str *text, unsigned *flags,
                            xq_err *err)
{
    xq_str word, rest;
    if (!xq_word(text, &word))
        return xq_fail(err, XQ_ESYNTAX, "neither 'startpos' nor 'fen'");
    if (xq_word_is(word, "fen")) {
        const xq_str fen = before_moves(text);
        return xq_fen_parse(&g->start, fen, flags, err);
    }
    if (!xq_word_is(word, "startpos"))
        return xq_fail(err, XQ_ESYNTAX, "'%s' is neither 'startpos' nor 'fen'",
                       xq_show(word).s);
    rest = *text;
    if (xq_word(&rest, &word) && !xq_word_is(word, "moves"))
        return xq_fail(err, XQ_ESYNTAX, "'%s' instead of 'moves'",
                       xq_show(word).s);
    *text = rest;
    xq_pos_start(&g->start);
    return XQ_OK;
}

xq_status xq_game_read(xq_game *g, xq_str text, unsigned *fen_flags,
                       xq_err *err)
{
    xq_game new = {0};
    xq_str word;
    xq_status rc = read_start(&new, &text, fen_flags, err);
    new.now = new.start;
    while (rc == XQ_OK && xq_word(&text, &word)) {
        const xq_move m = move_of(word);
        if (m == XQ_NOMOVE || !xq_move_is_legal(&new.now, m))
            rc = refuse_move(&new.now, word, m, (uint64_t) new.n + 1, err);
        else if (!push(&new, m))
            rc = xq_fail(err, XQ_ENOMEM, "out of memory");
        else
            xq_pos_make(&new.now, m, NULL);
    }
    if (rc != XQ_OK) {
        free(new.moves);
        return rc;
    }
    free(g->moves);
    *g = new;
    return XQ_OK;
}

unsigned xq_read_moves(xq_session *s, xq_str *text, const char *what,
                       xq_move **out)
{
    xq_game list = {0};
    xq_str word, rest = *text;
    while (xq_word(&rest, &word)) {
        const xq_move m = move_of(word);
        if (m == XQ_NOMOVE)
            break;
        *text = rest;
        if (!xq_move_is_legal(&s->game.now, m))
            xq_note(s, "error: %s: '%s' is not legal here", what,
                    xq_show(word).s);
        else if (!push(&list, m))
            xq_note(s, "error: %s: out of memory", what);
    }
    *out = list.moves;
    return list.n;
}
