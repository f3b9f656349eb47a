/* book_block.c - a block of a book: positions in rising key order.
 *
 * The key of the first position is the block's key in LMDB.  The value:
 *
 *   0  seal (4)           CRC-32 of the rest
 *   4  head (1)           bits 0-3: bytes of a key difference, 1..8
 *                         bit 4: moves have years; bits 5-7: 0
 *   5  first position; then, for each further one, the difference of its key
 *      to the one before (big-endian) and the position
 *
 * A position is its moves by rising number, each
 *
 *   word (2, big-endian)  bits 0-11: the move (move_code); 0xfff: no move
 *                         bits 12-15: form
 *   form 0-11             the position's only move, all of whose games (form
 *                         / 4 + 1 of them) ended the same way, result
 *                         (pgn_result) form % 4, without ratings
 *   form 12               the only move, one game, rated: 2 bytes follow,
 *                         result in bits 14-15, rating in bits 0-13
 *   form 13, 14, 15       tally follows.  13: more moves follow; 14: this is
 *                         the last move; 15: the last, and behind it stands
 *                         the tally of the position (games ended here, or
 *                         moves were left out, or a game played two moves)
 *   year                  last of each move in a block with years: year -
 *                         1899 in a byte, 0: unknown, 255: 2 bytes follow
 *
 * A position without form 15 was reached by as many games as its moves were
 * played in.  A tally is
 *
 *   head (1)   bit 4 clear: bits 2-3 and one games, all with the result in
 *              bits 0-1
 *              bit 4 set: bits 0-3 say which results (bit: pgn_result) have
 *              a count, each a varint, in this order
 *              bit 5: a stored weight follows (varint)
 *              bit 6: ratings are known; bit 7: of all these games.  A varint
 *              with the number of games when bit 7 is clear, and one with the
 *              sum of ratings
 *
 * So the usual position, seen in up to three games, takes 3 bytes beside its
 * key.
 *
 * CCPD: 33,762 games, 1,446,527 positions, 1,459,778 moves; a third of the
 * positions was reached by two or more games, mostly the same game under other
 * tags.  Bytes a move, whole pages, digests (0.37) and years (0.75) counted:
 *
 *   14.7   varint key differences and counts (without digests, years, ends)
 *   11.5   6-byte differences, the same
 *   10.40  difference as wide as its block needs; word of 13 + 3 bits: a single
 *          game's result in the word
 *    9.91  this: also two and three games that ended alike; up to four in a
 *          tally's head
 *   10.13  this in blocks of 492 bytes, 0.92 of the time of a look-up
 *    9.83  in blocks of 2022 bytes, 1.28 of it
 *
 * The keys take 6 of these bytes; random keys cannot be told in less than 5.6.
 */
#include "bookdb/book_block.h"

#include <string.h>

enum { FORM_RATED = 12, FORM_MORE = 13, FORM_LAST = 14, FORM_TALLY = 15 };
enum { SHORT_GAMES = 3, TALLY_GAMES = 4 }; /* games that need no count */
enum {
    TALLY_MASK = 16,
    TALLY_WEIGHT = 32,
    TALLY_ELO = 64,
    TALLY_ELO_ALL = 128,
};
enum { HEAD_WIDTH = 15, HEAD_YEARS = 16 };
enum { YEAR_BASE = 1899, YEAR_LONG = 255 };
enum { BLOCK_HEAD = BK_SEAL + 1, RATING_MAX = (1 << 14) - 1 };

/* ---- moves in 12 bits ---- */

/* A move is its from-square * 33 and one of 33 ways to go: to another file of
 * the rank (0-7), to another rank of the file (8-16), or a step that stands
 * in the table (17-32).  No piece moves otherwise. */
enum { WAYS = 33, WAY_RANKS = 8, WAY_STEPS = 17, CODES = 90 * WAYS };
enum { CODE_NONE = 0xfff };

static const struct step {
    int8_t df, dr;
} STEP[WAYS - WAY_STEPS] = {
    {1, 2},  {2, 1},  {2, -1},  {1, -2}, /* horse */
    {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2},
    {1, 1},  {1, -1}, {-1, 1},  {-1, -1}, /* advisor */
    {2, 2},  {2, -2}, {-2, 2},  {-2, -2}, /* elephant */
};
/* [dr + 2][df + 2]: where in STEP, or -1. */
static const int8_t STEP_OF[5][5] = {
    {15, 7, -1, 3, 13}, {6, 11, -1, 9, 2},  {-1, -1, -1, -1, -1},
    {5, 10, -1, 8, 1},  {14, 4, -1, 0, 12},
};

bool bk_move_storable(xq_move m)
{
    const xq_sq from = xq_move_from(m), to = xq_move_to(m);
    if (from >= XQ_SQUARES || to >= XQ_SQUARES || from == to)
        return false;
    const int df = xq_file_of[to] - xq_file_of[from];
    const int dr = xq_rank_of[to] - xq_rank_of[from];
    return df == 0 || dr == 0 ||
           (df >= -2 && df <= 2 && dr >= -2 && dr <= 2 &&
            STEP_OF[dr + 2][df + 2] >= 0);
}

static unsigned move_code(xq_move m)
{
    const xq_sq from = xq_move_from(m), to = xq_move_to(m);
    const int ff = xq_file_of[from], fr = xq_rank_of[from];
    const int tf = xq_file_of[to], tr = xq_rank_of[to];
    int way;
    if (fr == tr)
        way = tf - (tf > ff);
    else if (ff == tf)
        way = WAY_RANKS + tr - (tr > fr);
    else
        way = WAY_STEPS + STEP_OF[tr - fr + 2][tf - ff + 2];
    return from * (unsigned)WAYS + (unsigned)way;
}

/* XQ_NOMOVE when the code leads off the board or to no move. */
static xq_move code_move(unsigned code)
{
    if (code >= CODES)
        return XQ_NOMOVE;
    const unsigned from = code / WAYS, way = code % WAYS;
    int f = xq_file_of[from], r = xq_rank_of[from];
    if (way < WAY_RANKS) {
        f = (int)way + ((int)way >= f);
    } else if (way < WAY_STEPS) {
        const int rank = (int)way - WAY_RANKS;
        r = rank + (rank >= r);
    } else {
        f += STEP[way - WAY_STEPS].df;
        r += STEP[way - WAY_STEPS].dr;
        if (f < 0 || f > 8 || r < 0 || r > 9)
            return XQ_NOMOVE;
    }
    return xq_move_make((xq_sq)from, xq_sq_of(f, r));
}

/* ---- writing ---- */

/* Spelled out so that compilers make one store of it. */
static inline void put_be64(uint8_t *p, uint64_t v)
{
    p[0] = (uint8_t)(v >> 56);
    p[1] = (uint8_t)(v >> 48);
    p[2] = (uint8_t)(v >> 40);
    p[3] = (uint8_t)(v >> 32);
    p[4] = (uint8_t)(v >> 24);
    p[5] = (uint8_t)(v >> 16);
    p[6] = (uint8_t)(v >> 8);
    p[7] = (uint8_t)v;
}

static inline uint64_t get_be64(const uint8_t *p)
{
    return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 |
           (uint64_t)p[3] << 32 | (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 |
           (uint64_t)p[6] << 8 | p[7];
}

static uint8_t *put16(uint8_t *p, unsigned v)
{
    *p++ = (uint8_t)(v >> 8);
    *p++ = (uint8_t)v;
    return p;
}

static uint8_t *put_word(uint8_t *p, unsigned form, xq_move m)
{
    return put16(p, form << 12 | (m ? move_code(m) : CODE_NONE));
}

static uint8_t *put_year(uint8_t *p, unsigned year)
{
    if (year == 0 || (year > YEAR_BASE && year < YEAR_BASE + YEAR_LONG)) {
        *p++ = (uint8_t)(year ? year - YEAR_BASE : 0);
        return p;
    }
    *p++ = YEAR_LONG;
    return put16(p, year);
}

/* The only result that has games, up to `most` of them; else 4.  *games
 * receives how many there are. */
static inline unsigned only_result(const bk_counts *c, uint32_t most,
                                   uint32_t *games)
{
    const uint64_t all = bk_total(c);
    *games = (uint32_t)all;
    if (all == 0 || all > most)
        return 4;
    return c->red == all       ? PGN_RED_WINS
           : c->black == all   ? PGN_BLACK_WINS
           : c->draw == all    ? PGN_DRAW
           : c->unknown == all ? PGN_UNKNOWN
                               : 4u;
}

/* `m` may be NULL: a position's tally has neither weight nor ratings. */
static uint8_t *put_tally(uint8_t *p, const bk_counts *counts,
                          const bk_book_move *m)
{
    const bk_counts c = *counts;
    uint8_t *const head = p++;
    uint32_t games;
    unsigned h = only_result(&c, TALLY_GAMES, &games);
    if (h < 4) {
        h |= (games - 1) << 2;
    } else {
        h = TALLY_MASK;
        for (unsigned r = 0; r < 4; r++) {
            if (c.by_result[r] == 0)
                continue;
            h |= 1u << r;
            p = bk_put_varint(p, c.by_result[r]);
        }
    }
    if (m && m->weight_given) {
        h |= TALLY_WEIGHT;
        p = bk_put_varint(p, m->weight);
    }
    if (m && m->elo_games > 0) {
        h |= TALLY_ELO;
        if (m->elo_games == bk_total(&c))
            h |= TALLY_ELO_ALL;
        else
            p = bk_put_varint(p, m->elo_games);
        p = bk_put_varint(p, m->elo_sum);
    }
    *head = (uint8_t)h;
    return p;
}

static bool same_counts(const bk_counts *a, const bk_counts *b)
{
    return memcmp(a->by_result, b->by_result, sizeof a->by_result) == 0;
}

static uint8_t *put_entry(uint8_t *p, const bk_entry *e, bool years)
{
    if (e->n == 1) {
        const bk_book_move *const m = &e->moves[0];
        uint32_t games;
        const unsigned r = only_result(&m->counts, SHORT_GAMES, &games);
        const bool rated =
            games == 1 && m->elo_games == 1 && m->elo_sum <= RATING_MAX;
        if (r < 4 && !m->weight_given && same_counts(&e->counts, &m->counts) &&
            (m->elo_games == 0 || rated)) {
            p = put_word(p, rated ? FORM_RATED : (games - 1) << 2 | r, m->move);
            if (rated)
                p = put16(p, r << 14 | (unsigned)m->elo_sum);
            return years ? put_year(p, m->last_year) : p;
        }
    }
    bk_counts sum = {0};
    for (unsigned i = 0; i < e->n; i++)
        bk_add_counts(&sum, &e->moves[i].counts);
    const bool own_tally = e->n == 0 || !same_counts(&sum, &e->counts);
    for (unsigned i = 0; i < e->n; i++) {
        const bk_book_move *const m = &e->moves[i];
        p = put_word(p,
                     i + 1 < e->n ? FORM_MORE
                     : own_tally  ? FORM_TALLY
                                  : FORM_LAST,
                     m->move);
        p = put_tally(p, &m->counts, m);
        if (years)
            p = put_year(p, m->last_year);
    }
    if (e->n == 0)
        p = put_word(p, FORM_TALLY, XQ_NOMOVE);
    return own_tally ? put_tally(p, &e->counts, NULL) : p;
}

void bk_block_start(bk_block_writer *w)
{
    w->n = 0;
    w->size = 0;
    w->width = 1;
    w->years = false;
    w->value = w->out;
}

static unsigned bytes_of(uint64_t v)
{
    return v == 0 ? 1 : (71u - (unsigned)__builtin_clzll(v)) / 8u;
}

bool bk_block_put(bk_block_writer *w, const bk_entry *e)
{
    if (w->n > 0 && w->ends[w->n - 1] > 2 * BK_BLOCK_BYTES)
        return false;
    bool years = w->years;
    for (unsigned i = 0; i < e->n && !years; i++)
        years = e->moves[i].last_year != 0;
    const unsigned last = w->n ? w->ends[w->n - 1] : 0;
    const unsigned last0 = w->n && !w->years ? w->ends_without[w->n - 1] : 0;
    const uint32_t end =
        (uint32_t)(put_entry(w->with + last, e, true) - w->with);
    uint32_t end0 = 0;
    if (!years)
        end0 = (uint32_t)(put_entry(w->without + last0, e, false) - w->without);
    unsigned width = w->width;
    if (w->n > 0) {
        const unsigned b = bytes_of(e->key - w->keys[w->n - 1]);
        width = b > width ? b : width;
        if (w->n == BK_BLOCK_POSITIONS ||
            BLOCK_HEAD + w->n * width + (years ? end : end0) > BK_BLOCK_BYTES)
            return false;
    } else {
        w->key = e->key;
    }
    w->keys[w->n] = e->key;
    w->ends[w->n] = end;
    w->ends_without[w->n] = end0;
    w->n++;
    w->width = width;
    w->years = years;
    return true;
}

void bk_block_seal(bk_block_writer *w)
{
    uint8_t *p = w->out + BK_SEAL;
    const uint8_t *const from = w->years ? w->with : w->without;
    const uint32_t *const ends = w->years ? w->ends : w->ends_without;
    *p++ = (uint8_t)(w->width | (w->years ? HEAD_YEARS : 0u));
    for (unsigned i = 0, at = 0; i < w->n; at = ends[i], i++) {
        if (i > 0) {
            put_be64(p, (w->keys[i] - w->keys[i - 1]) << (64 - 8 * w->width));
            p += w->width;
        }
        /* Most positions are short: eight bytes in one go.  What is too many
         * is overwritten; the buffers are long enough. */
        const uint32_t n = ends[i] - at;
        memcpy(p, from + at, 8);
        if (n > 8)
            memcpy(p + 8, from + at + 8, n - 8);
        p += n;
    }
    w->size = (size_t)(p - w->out);
    bk_seal(w->out, w->size);
}

/* ---- reading ---- */

xq_status bk_block_open(bk_block_reader *r, uint64_t first_key,
                        const uint8_t *value, size_t n)
{
    *r = (bk_block_reader){.key = first_key, .first = true};
    if (n < BLOCK_HEAD + 2)
        return XQ_ECORRUPT;
    const unsigned head = value[BK_SEAL];
    r->p = value + BLOCK_HEAD;
    r->end = value + n;
    r->width = head & HEAD_WIDTH;
    r->years = (head & HEAD_YEARS) != 0;
    return r->width < 1 || r->width > 8 || head >= 2 * HEAD_YEARS ? XQ_ECORRUPT
                                                                  : XQ_OK;
}

/* Go to the next position: sets r->key. */
static inline xq_status next_key(bk_block_reader *r)
{
    if (r->p == r->end)
        return XQ_DONE;
    if (r->first) {
        r->first = false;
        return XQ_OK;
    }
    if ((size_t)(r->end - r->p) < r->width + 2u)
        return XQ_ECORRUPT;
    uint64_t d = 0;
    if (r->end - r->p >= 8)
        d = get_be64(r->p) >> (64 - 8 * r->width);
    else
        for (unsigned k = 0; k < r->width; k++)
            d = d << 8 | r->p[k];
    r->p += r->width;
    if (d == 0 || d > UINT64_MAX - r->key)
        return XQ_ECORRUPT;
    r->key += d;
    return XQ_OK;
}

/* All take the place to read from and return where they stopped, or NULL
 * when the bytes make no sense. */

static const uint8_t *get16(const uint8_t *p, const uint8_t *end, unsigned *v)
{
    if (end - p < 2)
        return NULL;
    *v = (unsigned)p[0] << 8 | p[1];
    return p + 2;
}

static const uint8_t *get_year(const uint8_t *p, const uint8_t *end,
                               uint16_t *year)
{
    unsigned v;
    if (p == end)
        return NULL;
    if (*p != YEAR_LONG) {
        *year = (uint16_t)(*p ? *p + YEAR_BASE : 0);
        return p + 1;
    }
    p = get16(p + 1, end, &v);
    *year = (uint16_t)(p ? v : 0);
    return p;
}

static const uint8_t *get_varint32(const uint8_t *p, const uint8_t *end,
                                   uint32_t *v)
{
    uint64_t x;
    p = bk_get_varint(p, end, &x);
    if (!p || x > UINT32_MAX)
        return NULL;
    *v = (uint32_t)x;
    return p;
}

static const uint8_t *get_tally(const uint8_t *p, const uint8_t *end,
                                bk_counts *counts, bk_book_move *m)
{
    if (p == end)
        return NULL;
    const unsigned h = *p++;
    *counts = (bk_counts){0};
    if (h & TALLY_MASK) {
        for (unsigned r = 0; r < 4; r++)
            if (h >> r & 1) {
                p = get_varint32(p, end, &counts->by_result[r]);
                if (!p)
                    return NULL;
            }
    } else {
        counts->by_result[h & 3] = (h >> 2 & 3) + 1;
    }
    if (!m)
        return h >= TALLY_WEIGHT ? NULL : p;
    if (h & TALLY_WEIGHT) {
        m->weight_given = true;
        p = get_varint32(p, end, &m->weight);
        if (!p)
            return NULL;
    }
    if (h & TALLY_ELO) {
        const uint64_t all = bk_total(counts);
        if (!(h & TALLY_ELO_ALL))
            p = get_varint32(p, end, &m->elo_games);
        else
            m->elo_games = all > UINT32_MAX ? UINT32_MAX : (uint32_t)all;
        if (p)
            p = bk_get_varint(p, end, &m->elo_sum);
        if (!p || m->elo_games == 0)
            return NULL;
    } else if (h & TALLY_ELO_ALL) {
        return NULL;
    }
    return p;
}

static const uint8_t *get_word(const uint8_t *p, const uint8_t *end,
                               unsigned *form, xq_move *m)
{
    unsigned w;
    p = get16(p, end, &w);
    if (!p)
        return NULL;
    *form = w >> 12;
    *m = code_move(w & 0xfff);
    return *m || (w & 0xfff) == CODE_NONE ? p : NULL;
}

/* The position behind its key. */
static const uint8_t *get_entry(const uint8_t *p, const uint8_t *end,
                                bool years, bk_entry *e)
{
    e->counts = (bk_counts){0};
    for (e->n = 0; e->n < BK_BOOK_MOVES;) {
        bk_book_move *const m = &e->moves[e->n];
        unsigned form;
        *m = (bk_book_move){0};
        p = get_word(p, end, &form, &m->move);
        if (!p)
            return NULL;
        if (m->move == XQ_NOMOVE) /* a position of which no move is known */
            return e->n > 0 || form != FORM_TALLY
                       ? NULL
                       : get_tally(p, end, &e->counts, NULL);
        if (e->n > 0 && (m->move <= m[-1].move || form <= FORM_RATED))
            return NULL;
        e->n++;
        if (form < FORM_RATED) {
            m->counts.by_result[form & 3] = (form >> 2) + 1;
        } else if (form == FORM_RATED) {
            unsigned v;
            p = get16(p, end, &v);
            if (!p)
                return NULL;
            m->counts.by_result[v >> 14] = 1;
            m->elo_games = 1;
            m->elo_sum = v & RATING_MAX;
        } else {
            p = get_tally(p, end, &m->counts, m);
        }
        if (p && years)
            p = get_year(p, end, &m->last_year);
        if (!p)
            return NULL;
        bk_add_counts(&e->counts, &m->counts);
        if (form == FORM_TALLY)
            return get_tally(p, end, &e->counts, NULL);
        if (form != FORM_MORE)
            return p;
    }
    return NULL;
}

xq_status bk_block_next(bk_block_reader *r, bk_entry *e)
{
    const xq_status rc = next_key(r);
    if (rc != XQ_OK)
        return rc;
    e->key = r->key;
    r->p = get_entry(r->p, r->end, r->years, e);
    return r->p ? XQ_OK : XQ_ECORRUPT;
}

/* Past a position of the shortest form; NULL when it has another. */
static const uint8_t *skip_short(const bk_block_reader *r)
{
    const uint8_t *const p = r->p;
    const unsigned n = r->years ? 3 : 2;
    if ((size_t)(r->end - p) < n || p[0] >= FORM_RATED << 4 ||
        (r->years && p[2] == YEAR_LONG))
        return NULL;
    return p + n;
}

xq_status bk_block_find(bk_block_reader *r, uint64_t key, bk_entry *e)
{
    for (;;) {
        const xq_status rc = next_key(r);
        if (rc != XQ_OK)
            return rc == XQ_DONE ? XQ_ENOTFOUND : rc;
        if (r->key > key)
            return XQ_ENOTFOUND;
        const uint8_t *p = r->key < key ? skip_short(r) : NULL;
        if (!p) {
            e->key = r->key;
            p = get_entry(r->p, r->end, r->years, e);
        }
        if (!p)
            return XQ_ECORRUPT;
        if (r->key == key)
            return XQ_OK;
        r->p = p;
    }
}
