/* mixed.c - a block in several encodings: tags that one program wrote beside
 * moves of another, comments pasted into a file.
 *
 * Judged and read as one encoding, part of it is damage or nonsense.  UTF-8
 * shows by itself: two good characters of three bytes in a row are hardly ever
 * anything else.  What remains is GB18030 or Big5, for each word whichever
 * makes it a move, or has the more common characters, else what most of it is.
 * The pieces are taken only where they read better than the block as a whole.
 */
#include "libpgn/boundary.h"
#include "libpgn/reader_internal.h"

#include <string.h>

/* Safety limit: what is judged takes twice its size once more. */
enum { MOST = 4 << 20 };

/* ---- what stands where ---- */

/* A character of three bytes at s. */
static bool is_three(const uint8_t *s)
{
    return (s[0] & 0xF0) == 0xE0 && (s[1] & 0xC0) == 0x80 &&
           (s[2] & 0xC0) == 0x80;
}

bool pgn_shows_utf8(const uint8_t *s, size_t n)
{
    typedef uint8_t vec __attribute__((vector_size(16)));
    size_t i = 0;
    while (n - i >= 6) {
        if (n - i >= 16 + 5) {
            vec a, b, c;
            uint64_t half[2];
            memcpy(&a, s + i, 16);
            memcpy(&b, s + i + 1, 16);
            memcpy(&c, s + i + 2, 16);
            a = (vec)((a & 0xF0) == 0xE0) & (vec)((b & 0xC0) == 0x80) &
                (vec)((c & 0xC0) == 0x80);
            memcpy(half, &a, 16);
            if (!(half[0] | half[1])) {
                i += 16;
                continue;
            }
        }
        const size_t to = n - i < 16 + 5 ? n - 5 : i + 16;
        for (; i < to; i++)
            if (is_three(s + i) && is_three(s + i + 3))
                return true;
    }
    return false;
}

/* Bytes outside ASCII that stand together, or with ASCII trail bytes. */
struct run {
    size_t from, to;
    bool utf8;
};

/* The length of the UTF-8 character at p, 0: it is none. */
static size_t utf8_at(const uint8_t *p, const uint8_t *end)
{
    size_t len = 1;
    const uint32_t cp = pgn_utf8_next((const char *)p, (size_t)(end - p), &len);
    return cp == 0xFFFD && len == 1 ? 0 : len;
}

static bool is_letter(uint8_t c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }

/* How far UTF-8 goes that begins at p; p itself: none does.  One character
 * followed by more that is none may be chance, so may be those of two bytes,
 * save beside a letter (caf\xC3\xA9). */
static const uint8_t *utf8_run(const uint8_t *s, const uint8_t *p,
                               const uint8_t *end)
{
    const uint8_t *q = p;
    size_t n = 0, three = 0, len;
    while (q < end && *q >= 0x80 && (three || n < 8) &&
           (len = utf8_at(q, end)) > 0) {
        q += len;
        n++;
        three += len >= 3;
    }
    const bool alone = q == end || *q < 0x80;
    if (three)
        return n > 1 || alone ? q : p;
    return alone && n &&
                   ((p > s && is_letter(p[-1])) || (q < end && is_letter(*q)))
               ? q
               : p;
}

/* Behind the character of GB18030 or Big5 at p. */
static const uint8_t *pair_end(const uint8_t *p, const uint8_t *end)
{
    if (end - p < 2 || p[1] < 0x30 || p[1] == 0x7F || p[1] == 0xFF)
        return p + 1;
    if (p[1] > 0x39)
        return p[1] < 0x40 ? p + 1 : p + 2;
    return end - p >= 4 && p[2] > 0x80 && p[3] >= 0x30 && p[3] <= 0x39 ? p + 4
                                                                       : p + 1;
}

/* The next run at or behind s[i].  False: only ASCII is left. */
static bool next_run(const uint8_t *s, size_t n, size_t i, struct run *run)
{
    const uint8_t *end = s + n;
    while (i < n && s[i] < 0x80)
        i++;
    if (i == n)
        return false;
    const uint8_t *p = s + i, *q = utf8_run(s, p, end);
    *run = (struct run){.from = i, .utf8 = q > p};
    while (!run->utf8 && q < end && *q >= 0x80) {
        if (q > p && utf8_run(s, q, end) > q)
            break;
        q = pair_end(q, end);
    }
    run->to = (size_t)(q - s);
    return true;
}

static const pgn_encoding REST[2] = {PGN_ENC_GB18030, PGN_ENC_BIG5};

/* What text is worth as the one and as the other; common: characters of the
 * first level, frequent ones, in which nearly all text is written. */
struct weight {
    pgn_worth w[2];
    size_t common[2], pairs;
};

static struct weight weigh(const uint8_t *s, size_t n)
{
    struct weight x = {.pairs = 0};
    const uint8_t *end = s + n;
    for (int k = 0; k < 2; k++)
        x.w[k] = pgn_encoding_worth(REST[k], s, n);
    for (const uint8_t *p = s, *q; p < end; p = q) {
        q = *p < 0x80 ? p + 1 : pair_end(p, end);
        if (q - p != 2)
            continue;
        x.pairs++;
        x.common[0] += p[0] >= 0xB0 && p[0] <= 0xD7 && p[1] >= 0xA1;
        x.common[1] +=
            p[0] >= 0xA4 && p[0] <= 0xC6 && (p[1] < 0x7F || p[1] >= 0xA1);
    }
    return x;
}

/* A word of REST[k], not letters with accents or bytes that were lost: moves,
 * or frequent characters.  Of GB18030 half of them are enough, for what is
 * traditional is not frequent there; trail bytes of Big5 may be ASCII, so that
 * one character says little. */
static bool is_text(const struct weight *word, int k)
{
    if (word->w[k].moves > 0)
        return true;
    return k == 0 ? word->pairs >= 1 && 2 * word->common[0] >= word->pairs
                  : word->pairs >= 2 && 10 * word->common[1] >= 8 * word->pairs;
}

/* Is it better read as the other than as `usual`? */
static bool is_other(const struct weight *x, int usual)
{
    const int other = !usual;
    if (x->w[0].moves != x->w[1].moves)
        return x->w[other].moves > x->w[usual].moves;
    if (x->w[other].bad)
        return false;
    if (!is_text(x, usual) && is_text(x, other))
        return true;
    /* a few bad bytes are damage */
    return 8 * x->w[usual].bad > x->w[usual].good ||
           (x->pairs >= 3 && 10 * x->common[other] >= 8 * x->pairs &&
            10 * x->common[usual] < 7 * x->pairs);
}

/* Which most of a block is. */
static int usual_of(const struct weight *x)
{
    const pgn_worth *w = x->w;
    if (w[0].moves != w[1].moves)
        return w[1].moves > w[0].moves;
    if (w[0].bad != w[1].bad)
        return w[1].bad < w[0].bad;
    return x->common[1] > x->common[0];
}

/* Two copies of s[0..n), one behind the other: the UTF-8 in it, and the rest,
 * blanks where the other is. */
static void take_apart(const uint8_t *s, size_t n, uint8_t *two)
{
    struct run run;
    memcpy(two, s, n);
    memcpy(two + n, s, n);
    for (size_t i = 0; next_run(s, n, i, &run); i = run.to)
        memset(two + (run.utf8 ? n : 0) + run.from, ' ', run.to - run.from);
}

static bool add_piece(pgn_reader *r, size_t raw, pgn_encoding e)
{
    if (r->npieces && r->pieces[r->npieces - 1].e == e)
        return true;
    if (!pgn_build_room(r, &r->pieces, r->npieces, &r->cappieces,
                        sizeof *r->pieces))
        return false;
    /* the first one begins with the block */
    r->pieces[r->npieces] = (pgn_piece){.raw = r->npieces ? raw : 0, .e = e};
    r->npieces++;
    return true;
}

/* Blanks, and signs that are no trail bytes. */
static bool ends_word(uint8_t c)
{
    return c <= ' ' || c == '"' || c == '(' || c == ')';
}

/* The UTF-8 is no chance: three characters, and few common ones when it is read
 * as e.  (By chance it is UTF-8 where one in three is not common.) */
static bool is_sure(const uint8_t *utf8, size_t n, pgn_encoding e)
{
    const struct weight x = weigh(utf8, n);
    const size_t common = e == PGN_ENC_BIG5 ? x.common[1] : x.common[0];
    return x.pairs >= 4 && 10 * common < 6 * x.pairs;
}

struct cut {
    pgn_worth worth; /* of all pieces */
    bool sure;       /* there is UTF-8 for certain */
    bool utf8, text; /* there are pieces of it; of something else */
};

/* The pieces of s[0..n), which was taken apart. */
static struct cut cut(pgn_reader *r, const uint8_t *s, size_t n,
                      const uint8_t *two)
{
    const uint8_t *const rest = two + n;
    const struct weight all = weigh(rest, n);
    const int usual = usual_of(&all);
    struct cut c = {.worth = pgn_encoding_worth(PGN_ENC_UTF8, two, n),
                    .sure = is_sure(two, n, r->block_enc)};
    const pgn_encoding damage = r->block_enc == PGN_ENC_BYTES ? PGN_ENC_BYTES
                                : c.sure                      ? PGN_ENC_UTF8
                                                              : PGN_ENC_AUTO;
    struct run run;
    r->npieces = 0;
    for (size_t i = 0; next_run(s, n, i, &run) && !r->failed; i = run.to) {
        pgn_encoding e = PGN_ENC_UTF8;
        if (!run.utf8) {
            size_t from = run.from;
            while (from > i && !ends_word(rest[from - 1]))
                from--;
            while (run.to < n && !ends_word(rest[run.to]))
                run.to++;
            const struct weight word = weigh(rest + from, run.to - from);
            const int k = is_other(&word, usual) ? !usual : usual;
            const bool text = is_text(&word, k);
            e = text || damage == PGN_ENC_AUTO ? REST[k] : damage;
            const pgn_worth w =
                e == REST[k]
                    ? word.w[k]
                    : pgn_encoding_worth(e, rest + from, run.to - from);
            c.worth.moves += w.moves;
            c.worth.bad += w.bad;
            c.text = c.text || text;
        }
        c.utf8 = c.utf8 || run.utf8;
        add_piece(r, run.from, e);
    }
    return c;
}

bool pgn_block_mixed(pgn_reader *r, size_t from, size_t to)
{
    const uint8_t *s = r->raw + from;
    const size_t n = to - from;
    if (n > MOST)
        return false;
    r->scratch.n = 0;
    uint8_t *two = (uint8_t *)pgn_buf_room(&r->scratch, 2 * n);
    if (!two) {
        r->failed = true;
        return false;
    }
    take_apart(s, n, two);
    const pgn_worth whole = pgn_encoding_worth(r->block_enc, s, n);
    const struct cut c = cut(r, s, n, two);
    const bool better = c.worth.moves != whole.moves
                            ? c.worth.moves > whole.moves
                        : !c.utf8 ? false
                        : c.sure && r->block_enc != PGN_ENC_UTF8
                            ? true
                            : c.text && 2 * c.worth.bad < whole.bad;
    if (better && r->npieces)
        return !r->failed && pgn_block_load_pieces(r, from, to);
    r->npieces = 0;
    return false;
}

bool pgn_block_reload(pgn_reader *r, size_t from, size_t to)
{
    const uint8_t *s = r->raw + from;
    if (r->opts.encoding != PGN_ENC_AUTO || r->wide_enc != PGN_ENC_AUTO)
        return true;
    if (!r->bad &&
        (r->block_enc == PGN_ENC_UTF8 || !pgn_shows_utf8(s, to - from)))
        return true;
    const pgn_encoding e = pgn_encoding_judge(s, to - from, r->encoding);
    if (e != r->block_enc && !pgn_block_load(r, from, to, e))
        return false;
    if (r->bad || e != PGN_ENC_UTF8)
        pgn_block_mixed(r, from, to);
    return !r->failed;
}
