/* json.h - a pull tokeniser for JSON text in memory (RFC 8259).
 *
 *   pgn_json j;
 *   pgn_json_start(&j, text, &arena);
 *   while ((t = pgn_json_next(&j)) > PGN_JSON_END)
 *       ...j.text is the key, string or number
 *   if (t == PGN_JSON_BAD) ...j.error says what, j.at where
 *
 * For libpgn and bookdb.  Our own and not Jansson: nesting has no limit and
 * costs a bit a level, strings without escapes are slices of the text, the
 * others live in the arena, and nothing builds a tree of values that the caller
 * then has to walk again.  Strict: what RFC 8259 does not allow is refused,
 * with the offset; only half a surrogate pair, which its grammar does allow,
 * becomes U+FFFD and is counted. */
#ifndef PGN_JSON_H
#define PGN_JSON_H

#include "engine/base.h"

typedef enum pgn_json_token {
    PGN_JSON_NOMEM = -2,
    PGN_JSON_BAD = -1,
    PGN_JSON_END = 0, /* behind the one value of the text */
    PGN_JSON_OBJECT,  /* { */
    PGN_JSON_OBJECT_END,
    PGN_JSON_ARRAY, /* [ */
    PGN_JSON_ARRAY_END,
    PGN_JSON_KEY,
    PGN_JSON_STRING,
    PGN_JSON_NUMBER,
    PGN_JSON_TRUE,
    PGN_JSON_FALSE,
    PGN_JSON_NULL,
} pgn_json_token;

typedef struct pgn_json {
    const char *s; /* the text, UTF-8 */
    size_t n;
    size_t at;       /* next byte; after PGN_JSON_BAD the offending one */
    size_t start;    /* first byte of the last token */
    xq_str text;     /* of a key or string (decoded), or a number as written */
    size_t replaced; /* half surrogate pairs met so far */
    const char *error; /* after PGN_JSON_BAD */
    bool no_memory;    /* after PGN_JSON_NOMEM */
    /* private */
    xq_arena *arena;
    uint8_t *nest; /* a bit a level: 1 in an object */
    size_t depth, cap;
    unsigned state;
} pgn_json;

void pgn_json_start(pgn_json *j, xq_str text, xq_arena *arena);
/* BAD and NOMEM are final: they are returned again. */
pgn_json_token pgn_json_next(pgn_json *j);
/* Go to the end of the value whose first token is `t` (just read): objects
 * and arrays are read over, checked like the rest.  The last token read: the
 * value's, or END, BAD, NOMEM. */
pgn_json_token pgn_json_skip(pgn_json *j, pgn_json_token t);
/* The last number as a whole one; false when it is none or above `max`. */
bool pgn_json_uint(const pgn_json *j, uint64_t max, uint64_t *v);

#endif
