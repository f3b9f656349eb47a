/* writer_tags.c - tags that tell the truth. */
#include "libpgn/writer_tags.h"

#include <string.h>

static bool name_is(const pgn_tag *t, const char *name)
{
    return xq_str_eq_nocase(t->name, xq_str_of(name));
}

/* Does the tag say what the game says?  Then it stays as it was written. */
static bool result_holds(const pgn_game *g, xq_str value)
{
    pgn_result r;
    return pgn_result_parse(value, &r) && r == g->result;
}

static bool is_usual(const pgn_game *g)
{
    return g->standard && g->start.fullmove == 1 && g->start.halfmove == 0;
}

static bool fen_holds(const pgn_game *g, xq_str value)
{
    xq_pos p;
    if (xq_str_eq(value, xq_str_of(XQ_FEN_START)) && is_usual(g))
        return true; /* nearly always */
    if (xq_fen_parse(&p, value, NULL, NULL) < 0)
        return g->standard; /* refused: the game is faulty and stays so */
    return p.side == g->start.side && p.halfmove == g->start.halfmove &&
           p.fullmove == g->start.fullmove &&
           memcmp(p.at, g->start.at, sizeof p.at) == 0;
}

static xq_str start_of(pgn_written_tags *w)
{
    return (xq_str){w->start, xq_fen_format(&w->g->start, w->start)};
}

static xq_str result_of(const pgn_written_tags *w)
{
    return xq_str_of(pgn_result_text(w->g->result));
}

void pgn_written_tags_start(pgn_written_tags *w, const pgn_game *g)
{
    w->g = g;
    w->next = 0;
    w->result = w->fen = false;
}

bool pgn_written_tags_next(pgn_written_tags *w)
{
    const pgn_game *g = w->g;
    if (w->next < g->ntags) {
        w->tag = g->tags[w->next++];
        if (!w->result && name_is(&w->tag, "Result")) {
            w->result = true;
            if (!result_holds(g, w->tag.value))
                w->tag.value = result_of(w);
        } else if (!w->fen && name_is(&w->tag, "FEN")) {
            w->fen = true;
            if (!fen_holds(g, w->tag.value))
                w->tag.value = start_of(w);
        }
        return true;
    }
    if (!w->result) {
        w->result = true;
        w->tag = (pgn_tag){xq_str_of("Result"), result_of(w)};
        return true;
    }
    if (!w->fen && !is_usual(g)) {
        w->fen = true;
        w->tag = (pgn_tag){xq_str_of("FEN"), start_of(w)};
        return true;
    }
    return false;
}

xq_str pgn_refused_fen(const pgn_game *g)
{
    xq_pos p;
    const xq_str fen = pgn_game_tag(g, "FEN");
    if (fen.s && g->standard && xq_fen_parse(&p, fen, NULL, NULL) < 0)
        return fen;
    return (xq_str){NULL, 0};
}
