/* block.c - a stretch of a segment as UTF-8, and the way back to the file.
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

/* Room in r->text for n bytes decoded. */
static bool room(pgn_reader *r, size_t n)
{
    const size_t need = pgn_decode_bound(n) + PADDING;
    if (need <= r->captext)
        return true;
    const size_t cap = need + need / 2;
    char *p = realloc(r->text, cap);
    if (!p) {
        r->failed = true;
        return false;
    }
    r->text = p;
    r->captext = cap;
    return true;
}

/* raw[from..to) stands decoded in r->text. */
static void begin(pgn_reader *r, size_t from, size_t to, pgn_encoding e)
{
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
}

bool pgn_block_load(pgn_reader *r, size_t from, size_t to, pgn_encoding e)
{
    size_t used = 0;
    if (!room(r, to - from))
        return false;
    r->npieces = 0;
    r->bad = 0;
    r->ntext =
        pgn_decode(e, r->raw + from, to - from, true, r->text, &used, &r->bad);
    begin(r, from, to, e);
    if (!r->opts.repair)
        return true;
    pgn_encoding other = e;
    if (!pgn_mend_block(r, &other))
        return false;
    return other == e || pgn_block_load(r, from, to, other);
}

bool pgn_block_put(pgn_reader *r, const char *s, size_t n)
{
    if (!room(r, n))
        return false;
    memcpy(r->text, s, n);
    r->ntext = n;
    memset(r->text + n, 0, PADDING);
    return true;
}

static size_t outside_ascii(const uint8_t *s, size_t n)
{
    size_t k = 0;
    for (size_t i = 0; i < n; i++)
        k += s[i] >= 0x80;
    return k;
}

/* Where piece i ends: its offset in the block. */
static size_t piece_end(const pgn_reader *r, uint32_t i, size_t n)
{
    return i + 1 < r->npieces ? r->pieces[i + 1].raw : n;
}

bool pgn_block_load_pieces(pgn_reader *r, size_t from, size_t to)
{
    size_t of[PGN_ENC_OTHER] = {0}, used;
    pgn_encoding most = PGN_ENC_UTF8;
    if (!room(r, to - from))
        return false;
    r->bad = r->ntext = 0;
    for (uint32_t i = 0; i < r->npieces; i++) {
        pgn_piece *p = &r->pieces[i];
        const size_t n = piece_end(r, i, to - from) - p->raw;
        p->at = r->ntext;
        r->ntext += pgn_decode(p->e, r->raw + from + p->raw, n, true,
                               r->text + r->ntext, &used, &r->bad);
        of[p->e] += outside_ascii(r->raw + from + p->raw, n);
        if (of[p->e] > of[most])
            most = p->e;
    }
    begin(r, from, to, most);
    return !r->opts.repair || pgn_mend_block(r, &most);
}

/* The piece that text[at] stands in. */
static uint32_t piece_at(const pgn_reader *r, size_t at)
{
    uint32_t lo = 0, hi = r->npieces;
    while (hi - lo > 1) {
        const uint32_t mid = lo + (hi - lo) / 2;
        if (r->pieces[mid].at <= at)
            lo = mid;
        else
            hi = mid;
    }
    return lo;
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
        pgn_encoding e = r->block_enc;
        if (r->npieces) {
            const uint32_t i = piece_at(r, at);
            const pgn_piece *p = &r->pieces[i];
            e = p->e;
            end = r->block + piece_end(r, i, r->nblock);
            if (p->at > r->mark_at) {
                r->mark_at = p->at;
                r->mark_raw = r->block + p->raw;
            }
        }
        r->mark_raw += pgn_decode_offset(e, r->raw + r->mark_raw,
                                         end - r->mark_raw, at - r->mark_at);
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
    pgn_build_replaced(r, r->wide_enc, seen);
    if (seen > BAD_NAMED)
        pgn_build_problem_at(r, PGN_WARNING, PGN_P_ENCODING, file_byte(r, from),
                             line_at(r, from), 0, (xq_str){NULL, 0},
                             "%zu units in all are not %s", seen,
                             pgn_encoding_name(r->wide_enc));
}

/* Bad bytes of a game so far. */
struct bad {
    size_t seen, unknown; /* replaced; escaped */
    uint64_t byte, line;  /* of the first one */
};

/* The bad ones of raw[a..b), which is in e. */
static void bad_bytes(pgn_reader *r, size_t a, size_t b, pgn_encoding e,
                      struct bad *bad)
{
    const uint8_t *s = r->raw + a;
    size_t k, i = 0;
    while ((k = pgn_decode_bad(e, s, b - a, &i)) < b - a) {
        const uint64_t byte = file_byte(r, a + k), line = line_at(r, a + k);
        if (bad->seen + bad->unknown == 0) {
            bad->byte = byte;
            bad->line = line;
        }
        bad->unknown += e == PGN_ENC_BYTES;
        bad->seen += e != PGN_ENC_BYTES;
        if (e != PGN_ENC_BYTES)
            pgn_build_replaced(r, e, 1);
        if (e == PGN_ENC_BYTES || bad->seen > BAD_NAMED)
            continue;
        pgn_build_problem_at(r, PGN_WARNING, PGN_P_ENCODING, byte, line, 0,
                             (xq_str){NULL, 0},
                             "byte %02X is not %s, replaced by U+FFFD", s[k],
                             pgn_encoding_name(e));
    }
}

/* The same where raw[a..b) is in pieces, from piece i on, and what they are. */
static void bad_pieces(pgn_reader *r, uint32_t i, size_t a, size_t b,
                       struct bad *bad)
{
    size_t of[PGN_ENC_OTHER] = {0};
    pgn_encoding most = PGN_ENC_AUTO;
    size_t first[PGN_ENC_OTHER];
    for (; i < r->npieces && r->block + r->pieces[i].raw < b; i++) {
        const pgn_piece *p = &r->pieces[i];
        size_t from = r->block + p->raw;
        size_t to = r->block + piece_end(r, i, r->nblock);
        from = from > a ? from : a;
        to = to < b ? to : b;
        const size_t n =
            from < to ? outside_ascii(r->raw + from, to - from) : 0;
        if (n == 0)
            continue;
        bad_bytes(r, from, to, p->e, bad);
        if (!of[p->e]) {
            first[p->e] = from;
            while (r->raw[first[p->e]] < 0x80)
                first[p->e]++;
        }
        of[p->e] += n;
        if (of[p->e] > of[most])
            most = p->e;
    }
    if (most == PGN_ENC_AUTO)
        return;
    r->game.encoding = most;
    for (unsigned e = 0; e < PGN_ENC_OTHER; e++)
        if (of[e] && e != most && e != PGN_ENC_BYTES)
            pgn_build_problem_at(
                r, PGN_WARNING, PGN_P_ENCODING, file_byte(r, first[e]),
                line_at(r, first[e]), 0, (xq_str){NULL, 0},
                "some text is %s, most of the game %s",
                pgn_encoding_name((pgn_encoding)e), pgn_encoding_name(most));
}

void pgn_block_bad_bytes(pgn_reader *r, size_t from, size_t to)
{
    if ((!r->bad && !r->wide_bad && !r->npieces) || r->seg == NULL)
        return;
    const size_t a = pgn_block_raw(r, from);
    const size_t b =
        to >= r->ntext ? r->block + r->nblock : pgn_block_raw(r, to);
    struct bad bad = {0};
    if (r->wide_bad)
        bad_units(r, a, b);
    if (r->npieces)
        bad_pieces(r, piece_at(r, from), a, b, &bad);
    else if (r->bad)
        bad_bytes(r, a, b, r->block_enc, &bad);
    if (bad.unknown)
        pgn_build_problem_at(r, PGN_WARNING, PGN_P_ENCODING, bad.byte, bad.line,
                             0, (xq_str){NULL, 0},
                             "%zu byte%s in no known encoding, kept as \\xHH",
                             bad.unknown, bad.unknown == 1 ? "" : "s");
    if (bad.seen > BAD_NAMED)
        pgn_build_problem_at(r, PGN_WARNING, PGN_P_ENCODING, bad.byte, bad.line,
                             0, (xq_str){NULL, 0},
                             "%zu bytes in all are not %s", bad.seen,
                             pgn_encoding_name(r->block_enc));
}
