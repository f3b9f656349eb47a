/* engine_util.h - what the tests of the rules core share: positions from
 * FEN, a seeded random source, random play and random odd positions.
 *
 * QIPU_SEED sets the seed of property tests; a failing test prints it. */
#ifndef ENGINE_UTIL_H
#define ENGINE_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/key.h"
#include "engine/pos.h"
#include "engine/rules.h"

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static inline xq_pos pos_of(const char *fen)
{
    xq_pos p;
    xq_err err;
    if (xq_fen_parse(&p, xq_str_of(fen), NULL, &err) < 0)
        fail_msg("%s: %s", fen, err.msg);
    return p;
}

static inline void assert_fen(const xq_pos *p, const char *want)
{
    char fen[XQ_FEN_MAX];
    xq_fen_format(p, fen);
    assert_string_equal(fen, want);
}

/* ---- random ---- */

static inline uint64_t seed_of_run(void)
{
    const char *text = getenv("QIPU_SEED");
    return text ? strtoull(text, NULL, 0) : 20240601;
}

/* xorshift64* (Vigna 2016). */
static inline uint64_t random_next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(0x2545f4914f6cdd1d);
}

static inline unsigned random_below(uint64_t *state, unsigned n)
{
    return (unsigned)(random_next(state) >> 33) % n;
}

/* A random legal move; XQ_NOMOVE when there is none. */
static inline xq_move random_move(const xq_pos *p, uint64_t *state)
{
    xq_movelist list;
    xq_gen_legal(p, &list);
    return list.n ? list.m[random_below(state, list.n)] : XQ_NOMOVE;
}

/* Kings in their palaces, and up to `pieces` others wherever they fall: nine
 * rooks, elephants in the enemy's palace, pawns on their own back rank. */
static inline xq_pos random_odd(uint64_t *state, unsigned pieces)
{
    static const uint8_t PALACE[9] = {3, 4, 5, 12, 13, 14, 21, 22, 23};
    uint8_t at[XQ_SQUARES] = {0};
    xq_pos p;
    xq_err err;
    at[PALACE[random_below(state, 9)]] = xq_piece_of(XQ_RED, XQ_KING);
    at[89 - PALACE[random_below(state, 9)]] = xq_piece_of(XQ_BLACK, XQ_KING);
    unsigned n = random_below(state, pieces + 1);
    /* Few kinds at a time make many of a kind. */
    unsigned kinds = 1 + random_below(state, 6);
    unsigned shift = random_below(state, 6);
    for (unsigned i = 0; i < n; i++) {
        unsigned s = random_below(state, XQ_SQUARES);
        unsigned kind = XQ_ADVISOR + (random_below(state, kinds) + shift) % 6;
        if (!at[s])
            at[s] = xq_piece_of((xq_side)random_below(state, 2), (xq_kind)kind);
    }
    if (xq_pos_set(&p, at, (xq_side)random_below(state, 2), &err) < 0)
        fail_msg("%s", err.msg);
    return p;
}

#endif
