/* block.c - a piece of a segment as UTF-8, and the way back to the file.
 *
 * A block is decoded as a whole into a buffer that the next block reuses.
 * Where a character of it stands in the file is asked only when a problem is
 * noted, in nearly rising order; so the last answer is kept and the search
 * goes on from there. */
#include "libpgn/boundary.h"
#include "libpgn/reader_internal.h"

#include <stdlib.h>
#include <string.h>

enum { PADDING = 16 }; /* zero bytes behind the text, to look ahead */

/* More bad bytes than this in one game are counted, not named. */
enum { BAD_NAMED = 100 };

static bool room_for(pgn_reader *r, size_t n)
{
    size_t need = n + PADDING;
    if (need > r->captext) {
        size_t cap = need + need / 2;
        char *p = realloc(r->text, cap);
        if (!p) {
            r->failed = true;
            return false;
        }
        r->text = p;
        r->captext = cap;
    }
    return true;
}

bool pgn_block_load(pgn_reader *r, size_t from, size_t to, pgn_encoding e)
{
    if (!room_for(r, pgn_decode_bound(to - from)))
        return false;
    size_t used = 0;
    r->bad = 0;
    r->ntext =
        pgn_decode(e, r->raw + from, to - from, true, r->text, &used, &r->bad);
    memset(r->text + r->ntext, 0, PADDING);
    r->block = from;
    r->nblock = to - from;
    r->block_enc = e;
    r->pos = 0;
    r->line_from = 1; /* no line is known */
    r->line_to = 0;
    r->mark_at = 0;
    r->mark_raw = from;
    r->begin = SIZE_MAX; /* no game begins in it yet */
    if (!r->opts.repair)
        return true;
    pgn_encoding other = e;
    if (!pgn_mend_block(r, &other))
        return false;
    return other == e || pgn_block_load(r, from, to, other);
}

bool pgn_block_put(pgn_reader *r, const char *s, size_t n)
{
    if (!room_for(r, n))
        return false;
    memcpy(r->text, s, n);
    r->ntext = n;
    memset(r->text + n, 0, PADDING);
    return true;
}

size_t pgn_block_raw(pgn_reader *r, size_t at)
{
    const size_t begin = pgn_mend_before(r, r->begin);
    at = pgn_mend_before(r, at); /* marks are of the text as decoded */
    if (at < r->mark_at) {       /* back to the game's begin, or the block's */
        const bool in_game = at >= begin;
        r->mark_at = in_game ? begin : 0;
        r->mark_raw = in_game ? r->begin_raw : r->block;
    }
    if (at > r->mark_at) {
        size_t end = r->block + r->nblock;
        size_t n = pgn_decode_offset(r->block_enc, r->raw + r->mark_raw,
                                     end - r->mark_raw, at - r->mark_at);
        r->mark_raw += n;
        r->mark_at = at;
    }
    return r->mark_raw;
}

/* Line breaks are LF, CR LF, CR CR LF and lone CR.  Each is counted at its
 * last byte, so that counting may stop and go on anywhere. */
static uint64_t slow_breaks(const uint8_t *s, size_t from, size_t to, size_t n)
{
    uint64_t k = 0;
    for (size_t i = from; i < to; i++)
        k += pgn_ends_line(s, n, i);
    return k;
}

/* Line breaks in s[from..to) of a text of n bytes. */
static uint64_t line_breaks(const uint8_t *s, size_t from, size_t to, size_t n)
{
    typedef uint8_t vec __attribute__((vector_size(16)));
    uint64_t k = 0;
    size_t i = from;
    while (to - i >= 16) {
        const size_t left = (to - i) / 16, rounds = left < 255 ? left : 255;
        const size_t begin = i;
        vec lf = {0}, cr = {0};
        for (size_t j = 0; j < rounds; j++, i += 16) {
            vec v;
            memcpy(&v, s + i, 16);
            lf -= (vec)(v == '\n'); /* true is -1 */
            cr |= (vec)(v == '\r');
        }
        uint64_t half[2];
        memcpy(half, &cr, 16);
        if (half[0] | half[1]) {
            k += slow_breaks(s, begin, i, n);
            continue;
        }
        for (int j = 0; j < 16; j++)
            k += lf[j];
    }
    return k + slow_breaks(s, i, to, n);
}

static uint64_t line_at(pgn_reader *r, size_t raw)
{
    if (raw < r->mark_lines_raw) {
        if (raw >= r->begin_raw) {
            r->mark_lines_raw = r->begin_raw;
            r->mark_line = r->begin_line;
        } else {
            r->mark_lines_raw = 0;
            r->mark_line = 0;
        }
    }
    r->mark_line += line_breaks(r->raw, r->mark_lines_raw, raw, r->nraw);
    r->mark_lines_raw = raw;
    return r->seg->line0 + r->mark_line + 1;
}

/* From the last place that was asked for: from the segment's begin it would
 * take half a segment for each game. */
static uint64_t file_byte(pgn_reader *r, size_t raw)
{
    if (r->wide_enc == PGN_ENC_AUTO)
        return r->seg->byte0 + raw;
    if (raw < r->wide_raw) {
        const bool in_game = raw >= r->begin_raw;
        r->wide_raw = in_game ? r->begin_raw : 0;
        r->wide_at = in_game ? r->begin_wide : 0;
    }
    r->wide_at += pgn_decode_offset(r->wide_enc, r->seg->bytes + r->wide_at,
                                    r->seg->n - r->wide_at, raw - r->wide_raw);
    r->wide_raw = raw;
    return r->seg->byte0 + r->wide_at;
}

void pgn_block_where(pgn_reader *r, size_t at, uint64_t *byte, uint64_t *line)
{
    if (r->plain) {
        *byte = r->plain_at + at;
        *line = 0;
        return;
    }
    size_t raw = pgn_block_raw(r, at < r->ntext ? at : r->ntext);
    *byte = file_byte(r, raw);
    *line = line_at(r, raw);
}

uint64_t pgn_block_file_end(pgn_reader *r, size_t at)
{
    if (r->plain)
        return r->plain_at + at;
    return file_byte(r, at < r->ntext ? pgn_block_raw(r, at)
                                      : r->block + r->nblock);
}

/* The same in UTF-16: each stands as U+FFFD in raw[from..to). */
static void bad_units(pgn_reader *r, size_t from, size_t to)
{
    static const char MARK[] = "\xEF\xBF\xBD";
    const uint8_t *s = r->seg->bytes;
    const uint8_t *p = r->raw + from, *end = r->raw + to;
    size_t seen = 0;
    for (; (p = memmem(p, (size_t)(end - p), MARK, 3)) != NULL; p += 3) {
        const size_t raw = (size_t)(p - r->raw);
        const uint64_t byte = file_byte(r, raw);
        const size_t at = (size_t)(byte - r->seg->byte0);
        size_t i = 0;
        if (pgn_decode_bad(r->wide_enc, s + at,
                           r->seg->n - at < 4 ? r->seg->n - at : 4, &i) != 0)
            continue; /* the file says U+FFFD itself */
        if (seen++ < BAD_NAMED)
            pgn_build_problem_at(r, PGN_WARNING, PGN_P_ENCODING, byte,
                                 line_at(r, raw), 0, (xq_str){NULL, 0},
                                 "unit at byte %llu is not %s, replaced by "
                                 "U+FFFD",
                                 (unsigned long long)byte,
                                 pgn_encoding_name(r->wide_enc));
    }
    if (seen > BAD_NAMED)
        pgn_build_problem_at(r, PGN_WARNING, PGN_P_ENCODING, file_byte(r, from),
                             line_at(r, from), 0, (xq_str){NULL, 0},
                             "%zu units in all are not %s", seen,
                             pgn_encoding_name(r->wide_enc));
}

void pgn_block_bad_bytes(pgn_reader *r, size_t from, size_t to)
{
    if ((!r->bad && !r->wide_bad) || r->seg == NULL)
        return;
    size_t a = pgn_block_raw(r, from);
    size_t b = to >= r->ntext ? r->block + r->nblock : pgn_block_raw(r, to);
    if (r->wide_bad)
        bad_units(r, a, b);
    if (!r->bad)
        return;
    size_t n = b - a, i = 0, seen = 0;
    const uint8_t *s = r->raw + a;
    uint64_t first_byte = 0, first_line = 0;
    for (;;) {
        size_t k = pgn_decode_bad(r->block_enc, s, n, &i);
        if (k >= n)
            break;
        seen++;
        uint64_t byte = file_byte(r, a + k), line = line_at(r, a + k);
        if (seen == 1) {
            first_byte = byte;
            first_line = line;
        }
        if (r->block_enc == PGN_ENC_BYTES || seen > BAD_NAMED)
            continue;
        pgn_build_problem_at(r, PGN_WARNING, PGN_P_ENCODING, byte, line, 0,
                             (xq_str){NULL, 0},
                             "byte %02X is not %s, replaced by U+FFFD", s[k],
                             pgn_encoding_name(r->block_enc));
    }
    if (r->block_enc == PGN_ENC_BYTES && seen)
        pgn_build_problem_at(r, PGN_WARNING, PGN_P_ENCODING, first_byte,
                             first_line, 0, (xq_str){NULL, 0},
                             "%zu byte%s in no known encoding, kept as \\xHH",
                             seen, seen == 1 ? "" : "s");
    else if (seen > BAD_NAMED)
        pgn_build_problem_at(r, PGN_WARNING, PGN_P_ENCODING, first_byte,
                             first_line, 0, (xq_str){NULL, 0},
                             "%zu bytes in all are not %s", seen,
                             pgn_encoding_name(r->block_enc));
}
