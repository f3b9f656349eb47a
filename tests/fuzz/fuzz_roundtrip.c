/* fuzz_roundtrip.c - games out of any bytes, written and read again: the same.
 *
 * The first byte chooses notation and script and whether the rest is PGN or
 * JSON.  A turn through PGN gives the same JSON, unless PGN says that it could
 * not hold something; after one turn nothing changes any more. */
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

/* Returns how much was lost. */
static size_t write_all(struct reading r, const pgn_style *st, pgn_buf *out)
{
    const pgn_game *g;
    size_t lost = 0;
    out->n = 0;
    while ((g = next_game(&r))) {
        xq_status rc;
        if (st) {
            rc = pgn_write_pgn(g, st, out, &lost);
        } else { /* problems are of the reading, not of the game */
            pgn_game copy = *g;
            copy.nproblems = 0;
            rc = pgn_write_json(&copy, out);
        }
        must(rc == XQ_OK, "write", &(xq_err){.msg = "no memory"});
    }
    end_reading(&r);
    return lost;
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
    const pgn_format format = data[0] & 128 ? PGN_FMT_JSON : PGN_FMT_PGN;
    pgn_buf pgn = {0}, json = {0}, again = {0};

    const size_t lost = write_all(reading_as(text, format), &st, &pgn);
    write_all(reading_as(text, format), NULL, &json);
    write_all(reading_as(all_of(&pgn), PGN_FMT_PGN), NULL, &again);
    if (!lost)
        same("JSON, and JSON through PGN", &json, &again);
    write_all(reading_as(all_of(&again), PGN_FMT_JSON), NULL, &json);
    same("JSON to JSON", &again, &json);
    write_all(reading_as(all_of(&pgn), PGN_FMT_PGN), &st, &again);
    same("PGN to PGN", &pgn, &again);
    write_all(reading_as(all_of(&json), PGN_FMT_JSON), &st, &pgn);
    write_all(reading_as(all_of(&pgn), PGN_FMT_PGN), NULL, &again);
    same("JSON through PGN", &json, &again);

    pgn_buf_free(&pgn);
    pgn_buf_free(&json);
    pgn_buf_free(&again);
    return 0;
}
