/* book_rows.c - one game's rows of a book: (position, what was played there).
 *
 * data, from the top, so that sorting brings equal moves together:
 *
 *   14  move in the canonical frame; 0: the game ended here
 *    1  again: another row of this game counts the position
 *    2  result (as pgn_result)
 *   11  year, 0 unknown
 *   13  rating of the mover, 0 unknown
 *   23  0
 *
 * Bit 0 set: one number of another book's entry (book_rows.h). */
#include "bookdb/book_rows.h"

#include <stdlib.h>
#include <string.h>

enum { RATING_LIMIT = (1 << 13) - 1, YEAR_LIMIT = (1 << 11) - 1 };

/* ---- tags ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The first four digits that stand alone and can be a year of a game. */
static unsigned year_of(xq_str date)
{
    for (size_t i = 0; i < date.n;) {
        size_t j = i;
        unsigned v = 0;
        for (; j < date.n && is_digit(date.s[j]); j++)
            v = v < 10000000 ? v * 10 + (unsigned)(date.s[j] - '0') : v;
        /* 19991231 is written too */
        if (j - i == 8)
            v /= 10000;
        if ((j - i == 4 || j - i == 8) && v >= 1000 && v <= YEAR_LIMIT)
            return v;
        i = j + 1;
    }
    return 0;
}

static unsigned rating_of(xq_str text)
{
    unsigned v = 0;
    size_t i = 0;
    while (i < text.n && text.s[i] == ' ')
        i++;
    for (; i < text.n && is_digit(text.s[i]); i++)
        if ((v = v * 10 + (unsigned)(text.s[i] - '0')) > RATING_LIMIT)
            return 0;
    return v;
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

static bool contains(xq_str text, const char *part)
{
    const size_t n = strlen(part);
    for (size_t i = 0; i + n <= text.n; i++) {
        size_t k = 0;
        while (k < n && lower(text.s[i + k]) == lower(part[k]))
            k++;
        if (k == n)
            return true;
    }
    return false;
}

/* ---- rows ---- */

static bool reserve_recs(bk_rows *rows, uint64_t more)
{
    if (rows->n + more <= rows->cap)
        return true;
    uint64_t cap = rows->cap ? 2 * (uint64_t)rows->cap : 4096;
    while (cap < rows->n + more)
        cap *= 2;
    if (cap > UINT32_MAX)
        return false;
    bk_rec *recs = realloc(rows->recs, cap * sizeof *recs);
    if (!recs)
        return false;
    rows->recs = recs;
    rows->cap = (uint32_t)cap;
    return true;
}

static bool reserve_games(bk_rows *rows)
{
    if (rows->ngames < rows->games_cap)
        return true;
    const uint32_t cap = rows->games_cap ? 2 * rows->games_cap : 64;
    pgn_digest *digests = realloc(rows->digests, cap * sizeof *digests);
    if (digests)
        rows->digests = digests;
    uint32_t *ends = realloc(rows->ends, cap * sizeof *ends);
    if (ends)
        rows->ends = ends;
    if (!digests || !ends)
        return false;
    rows->games_cap = cap;
    return true;
}

/* Room for a game's keys, and in the table of what it has counted. */
static bool reserve_slots(bk_rows *rows, uint32_t plies)
{
    uint32_t want = 1024;
    while (want < 2 * (plies + 1) && want < 1u << 31)
        want *= 2;
    if (want > rows->nslots) {
        struct bk_rows_slot *slots = calloc(want, sizeof *slots);
        if (!slots)
            return false;
        free(rows->slots);
        rows->slots = slots;
        rows->nslots = want;
        rows->stamp = 0;
    }
    if (rows->nkeys < 2 * ((uint64_t)plies + 1)) {
        const uint64_t n = 4 * ((uint64_t)plies + 1);
        free(rows->keys);
        rows->keys = malloc(n * sizeof *rows->keys);
        rows->nkeys = rows->keys ? n : 0;
        if (!rows->keys)
            return false;
    }
    if (rows->stamp == UINT32_MAX) {
        memset(rows->slots, 0, rows->nslots * sizeof *rows->slots);
        rows->stamp = 0;
    }
    rows->stamp++; /* what stands in the table is of earlier games */
    return true;
}

/* Add a row unless the game has it already.  It is new when this is the first
 * time that the game plays `move` in `key`. */
static void add_row(bk_rows *rows, xq_key key, uint64_t move, uint64_t rest)
{
    const uint32_t mask = rows->nslots - 1;
    uint32_t i = (uint32_t)key & mask;
    bool again = false;
    for (; rows->slots[i].stamp == rows->stamp; i = (i + 1) & mask) {
        const bk_rec *const r = &rows->recs[rows->slots[i].rec];
        if (r->key != key)
            continue;
        again = true;
        if (r->data >> BK_ROW_MOVE == move)
            return;
    }
    if (again && move == 0) /* ended where it has been before */
        return;
    rows->slots[i] = (struct bk_rows_slot){rows->stamp, rows->n};
    rows->recs[rows->n++] = (bk_rec){
        key, move << BK_ROW_MOVE | (uint64_t)again << BK_ROW_AGAIN | rest};
}

bool bk_rows_add(bk_rows *rows, const pgn_game *g, const bk_filter *f)
{
    const unsigned year = year_of(pgn_game_tag(g, "Date"));
    unsigned elo[2] = {rating_of(pgn_game_tag(g, "RedElo")),
                       rating_of(pgn_game_tag(g, "BlackElo"))};
    if (f->since > 0 && (int)year < f->since)
        return false;
    if (f->min_elo > 0 && (elo[0] < f->min_elo || elo[1] < f->min_elo))
        return false;
    if (f->player && !contains(pgn_game_tag(g, "Red"), f->player) &&
        !contains(pgn_game_tag(g, "Black"), f->player))
        return false;
    const uint32_t plies =
        f->max_ply > 0 && f->max_ply < g->plies ? f->max_ply : g->plies;
    if (plies > UINT32_MAX / 4 || !reserve_recs(rows, (uint64_t)plies + 1) ||
        !reserve_games(rows) || !reserve_slots(rows, plies)) {
        rows->failed = true;
        return false;
    }
    const uint64_t of_game =
        (uint64_t)g->result << BK_ROW_RESULT | (uint64_t)year << BK_ROW_YEAR;
    xq_key *const keys = rows->keys, *const mirror = keys + plies + 1;
    xq_line_keys(&g->start, g->main, plies, keys, mirror);
    unsigned side = g->start.side;
    for (uint32_t i = 0; i < plies; i++, side ^= 1) {
        const uint64_t rest = of_game | (uint64_t)elo[side] << BK_ROW_ELO;
        if (f->one_wing)
            add_row(rows, keys[i], g->main[i], rest);
        else
            add_row(rows, keys[i] < mirror[i] ? keys[i] : mirror[i],
                    xq_canon_move_by(keys[i], mirror[i], g->main[i]), rest);
    }
    const bool other = !f->one_wing && mirror[plies] < keys[plies];
    add_row(rows, other ? mirror[plies] : keys[plies], 0, of_game);
    rows->digests[rows->ngames] = pgn_game_digest(g);
    rows->ends[rows->ngames++] = rows->n;
    return true;
}

void bk_rows_clear(bk_rows *rows)
{
    rows->n = rows->ngames = 0;
    rows->failed = false;
}

void bk_rows_free(bk_rows *rows)
{
    free(rows->recs);
    free(rows->digests);
    free(rows->ends);
    free(rows->slots);
    free(rows->keys);
    *rows = (bk_rows){0};
}
