/* fuzz_json.c - any bytes as JSON lines: games whose moves are legal, that
 * read back from what is written of them. */
#include "tests/unit/read_util.h"

#include "engine/rules.h"
#include "libpgn/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(bool ok)
{
    if (!ok)
        abort();
}

/* The tokeniser alone: brackets balance, offsets stay inside. */
static void check_tokens(xq_str text)
{
    xq_arena arena = {0};
    pgn_json j;
    pgn_json_token t;
    long depth = 0;
    pgn_json_start(&j, text, &arena);
    while ((t = pgn_json_next(&j)) > PGN_JSON_END) {
        depth += t == PGN_JSON_OBJECT || t == PGN_JSON_ARRAY;
        depth -= t == PGN_JSON_OBJECT_END || t == PGN_JSON_ARRAY_END;
        check(depth >= 0 && j.start < j.at && j.at <= text.n);
    }
    check(t == PGN_JSON_END ? depth == 0 : j.error != NULL && j.at <= text.n);
    xq_arena_free(&arena);
}

static void check_moves(const pgn_game *g)
{
    pgn_walk w;
    uint32_t moves = 0;
    pgn_walk_start(&w, g);
    while (pgn_walk_next(&w)) {
        check(xq_move_is_legal(&w.pos, w.move));
        moves++;
    }
    check(!w.failed && moves == g->nnodes - 1);
    pgn_walk_end(&w);
}

static void turn(xq_str text, bool problems, pgn_buf *out)
{
    struct reading r = reading_as(text, PGN_FMT_JSON);
    const pgn_game *g;
    while ((g = next_game(&r))) {
        pgn_game copy = *g;
        check_moves(g);
        if (!problems)
            copy.nproblems = 0;
        check(pgn_write_json(&copy, out) == XQ_OK);
    }
    end_reading(&r);
}

static void same(const pgn_buf *a, const pgn_buf *b)
{
    if (a->n == b->n && (a->n == 0 || memcmp(a->s, b->s, a->n) == 0))
        return;
    fprintf(stderr, "%.*s---\n%.*s", (int)a->n, a->s, (int)b->n, b->s);
    abort();
}

/* The second turn gives the same game; what it finds about it in addition
 * (of a FEN that was mended, say) stays from then on. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    xq_str text = {(const char *)data, n};
    pgn_buf first = {0}, second = {0}, third = {0}, plain = {0}, again = {0};
    check_tokens(text);
    turn(text, false, &plain);
    turn((xq_str){plain.s, plain.n}, false, &again);
    same(&plain, &again);
    turn(text, true, &first);
    turn((xq_str){first.s, first.n}, true, &second);
    turn((xq_str){second.s, second.n}, true, &third);
    same(&second, &third);
    pgn_buf_free(&first);
    pgn_buf_free(&second);
    pgn_buf_free(&third);
    pgn_buf_free(&plain);
    pgn_buf_free(&again);
    return 0;
}
