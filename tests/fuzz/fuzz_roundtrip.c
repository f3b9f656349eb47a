/* fuzz_roundtrip.c - games out of any bytes, written and read again: the same.
 *
 * The first byte chooses notation and script and whether the rest is PGN or
 * JSON.  After one turn through PGN, which mends what PGN cannot hold, every
 * further turn, through PGN or JSON, gives the same bytes. */
#include "tests/unit/read_util.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void same(const char *what, const pgn_buf *a, const pgn_buf *b)
{
    if (a->n == b->n && (a->n == 0 || memcmp(a->s, b->s, a->n) == 0))
        return;
    fprintf(stderr, "%s:\n%.*s\n---\n%.*s\n", what, (int)a->n, a->s, (int)b->n,
            b->s);
    abort();
}

static void write_all(struct reading r, const pgn_style *st, pgn_buf *out)
{
    const pgn_game *g;
    out->n = 0;
    while ((g = next_game(&r))) {
        xq_status rc;
        if (st) {
            rc = pgn_write_pgn(g, st, out, NULL);
        } else { /* problems are of the reading, not of the game */
            pgn_game copy = *g;
            copy.nproblems = 0;
            rc = pgn_write_json(&copy, out);
        }
        must(rc == XQ_OK, "write", &(xq_err){.msg = "no memory"});
    }
    end_reading(&r);
}

static xq_str all_of(const pgn_buf *b) { return (xq_str){b->s, b->n}; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n == 0)
        return 0;
    unsigned how = data[0] & 63;
    pgn_style st = {.notation = (pgn_notation)(PGN_ICCS + how % 9),
                    .script = data[0] & 64 ? PGN_TRADITIONAL : PGN_SIMPLIFIED};
    xq_str text = {(const char *)data + 1, n - 1};
    pgn_buf pgn = {0}, json = {0}, again = {0};

    write_all(reading_as(text, data[0] & 128 ? PGN_FMT_JSON : PGN_FMT_PGN), &st,
              &pgn);
    write_all(reading_as(all_of(&pgn), PGN_FMT_PGN), &st, &again);
    same("PGN to PGN", &pgn, &again);
    write_all(reading_as(all_of(&pgn), PGN_FMT_PGN), NULL, &json);
    write_all(reading_as(all_of(&json), PGN_FMT_JSON), NULL, &again);
    same("JSON to JSON", &json, &again);
    write_all(reading_as(all_of(&json), PGN_FMT_JSON), &st, &again);
    same("JSON to PGN", &pgn, &again);

    pgn_buf_free(&pgn);
    pgn_buf_free(&json);
    pgn_buf_free(&again);
    return 0;
}
