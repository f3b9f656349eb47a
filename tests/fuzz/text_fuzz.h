/* text_fuzz.h - what every target for a text format checks: any bytes give
 * games whose moves are legal, and which come back the same from JSON and,
 * after one turn through PGN, from PGN. */
#ifndef TEXT_FUZZ_H
#define TEXT_FUZZ_H

#include "tests/unit/read_util.h"

#include "engine/rules.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static inline void check(bool ok, const char *what)
{
    if (ok)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static inline void check_moves(const pgn_game *g)
{
    pgn_walk w;
    uint32_t moves = 0;
    pgn_walk_start(&w, g);
    while (pgn_walk_next(&w)) {
        check(xq_move_is_legal(&w.pos, w.move), "an illegal move is kept");
        moves++;
    }
    check(!w.failed && moves == g->nnodes - 1, "nodes that no walk finds");
    pgn_walk_end(&w);
}

typedef xq_status text_writer(const pgn_game *g, pgn_buf *out, size_t *lost);

/* Every game by `write`, which replaces what is in *out. */
static inline void write_games(struct reading r, text_writer *write,
                               pgn_buf *out)
{
    const pgn_game *g;
    size_t lost = 0;
    out->n = 0;
    while ((g = next_game(&r))) {
        pgn_game copy = *g;
        copy.nproblems = 0;
        check_moves(g);
        check(write(&copy, out, &lost) == XQ_OK, "no memory");
    }
    end_reading(&r);
}

static inline void same(const char *what, const pgn_buf *a, const pgn_buf *b)
{
    if (a->n == b->n && (a->n == 0 || memcmp(a->s, b->s, a->n) == 0))
        return;
    fprintf(stderr, "%s:\n%.*s\n---\n%.*s\n", what, (int)a->n, a->s, (int)b->n,
            b->s);
    abort();
}

static inline xq_status json_writer(const pgn_game *g, pgn_buf *out, size_t *l)
{
    (void)l;
    return pgn_write_json(g, out);
}

static inline xq_status pgn_writer(const pgn_game *g, pgn_buf *out, size_t *l)
{
    static const pgn_style ST = {.notation = PGN_ICCS};
    return pgn_write_pgn(g, &ST, out, l);
}

static inline xq_status ubb_writer(const pgn_game *g, pgn_buf *out, size_t *l)
{
    static const pgn_style ST = {.notation = PGN_ICCS};
    return pgn_write_dhtmlxq(g, &ST, out, l);
}

static inline xq_status score_writer(const pgn_game *g, pgn_buf *out, size_t *l)
{
    static const pgn_style ST = {.notation = PGN_ICCS};
    return pgn_write_text(g, &ST, out, l);
}

static inline struct reading games_as(const pgn_buf *b, pgn_format f)
{
    return reading_as((xq_str){b->s, b->n}, f);
}

static inline void check_text(xq_str text, pgn_format f)
{
    pgn_buf json = {0}, pgn = {0}, other = {0}, again = {0};
    write_games(reading_as(text, f), json_writer, &json);
    write_games(games_as(&json, PGN_FMT_JSON), json_writer, &again);
    same("JSON", &json, &again);
    write_games(games_as(&json, PGN_FMT_JSON), pgn_writer, &pgn);
    write_games(games_as(&pgn, PGN_FMT_PGN), pgn_writer, &again);
    same("PGN", &pgn, &again);
    /* written again, as these formats mend it once */
    write_games(games_as(&pgn, PGN_FMT_PGN), ubb_writer, &other);
    write_games(games_as(&other, PGN_FMT_DHTMLXQ), ubb_writer, &again);
    write_games(games_as(&again, PGN_FMT_DHTMLXQ), ubb_writer, &other);
    same("DhtmlXQ", &again, &other);
    write_games(games_as(&pgn, PGN_FMT_PGN), score_writer, &other);
    write_games(games_as(&other, PGN_FMT_SCORE), score_writer, &again);
    pgn_buf_free(&json);
    pgn_buf_free(&pgn);
    pgn_buf_free(&other);
    pgn_buf_free(&again);
}

/* Cut by the splitter as what it takes the text for: the same games. */
static inline void check_cuts(xq_str text)
{
    pgn_buf whole = {0}, cut = {0};
    pgn_split *sp = NULL; /* what looks packed is not for here */
    if (pgn_split_open_mem(&sp, "", text.s, text.n, PGN_ENC_AUTO, NULL) !=
        XQ_OK)
        return;
    pgn_split_close(sp);
    write_games(reading_of(text, PGN_ENC_AUTO), json_writer, &whole);
    for (size_t size = 2; size < 600; size *= 5) {
        struct reading r = reading_of(text, PGN_ENC_AUTO);
        pgn_split_size(r.split, size);
        write_games(r, json_writer, &cut);
        same("cut", &whole, &cut);
    }
    pgn_buf_free(&whole);
    pgn_buf_free(&cut);
}

#endif
