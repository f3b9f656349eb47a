/* text_util.h - for the tests of text formats: games as JSON, cut anywhere. */
#ifndef TEXT_UTIL_H
#define TEXT_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/read_util.h"

/* All games of the text, cut after about `size` bytes where that may be (0:
 * as usual), as JSON lines; free() it.  `problems`: with what is wrong. */
static inline char *games_cut(const char *text, size_t n, size_t size,
                              bool problems)
{
    struct reading r = reading_of((xq_str){text, n}, PGN_ENC_AUTO);
    const pgn_game *g;
    pgn_buf out = {0};
    if (size)
        pgn_split_size(r.split, size);
    while ((g = next_game(&r))) {
        pgn_game copy = *g;
        if (!problems)
            copy.nproblems = 0;
        pgn_write_json(&copy, &out);
    }
    end_reading(&r);
    return text_of(&out);
}

static inline char *games_in(const char *text)
{
    return games_cut(text, strlen(text), 0, true);
}

/* What the first segment of the text was taken for. */
static inline pgn_format kind_of(const char *text)
{
    struct reading r = reading_of(xq_str_of(text), PGN_ENC_AUTO);
    xq_err err;
    const xq_status rc = pgn_split_next(r.split, &r.seg, &err);
    const pgn_format f = rc == XQ_OK ? r.seg.format : PGN_FMT_UNKNOWN;
    end_reading(&r);
    return f;
}

#define has(json, part)                                                        \
    do {                                                                       \
        if (!strstr(json, part))                                               \
            fail_msg("'%s' is not in\n%s", part, json);                        \
    } while (0)

#define has_not(json, part)                                                    \
    do {                                                                       \
        if (strstr(json, part))                                                \
            fail_msg("'%s' is in\n%s", part, json);                            \
    } while (0)

static inline unsigned count_of(const char *json, const char *part)
{
    unsigned n = 0;
    for (const char *p = json; (p = strstr(p, part)); p++)
        n++;
    return n;
}

/* The same games wherever the text is cut. */
static inline void same_when_cut(const char *text, size_t n)
{
    char *whole = games_cut(text, n, 0, true);
    for (size_t size = 2; size <= 2 * n; size += 1 + size / 3) {
        char *cut = games_cut(text, n, size, true);
        if (strcmp(whole, cut) != 0)
            fail_msg("cut after %zu:\n%s\nwhole:\n%s", size, cut, whole);
        free(cut);
    }
    free(whole);
}

/* The same game by way of PGN and of JSON, problems aside. */
static inline void same_through_pgn(const char *text)
{
    static const pgn_style ICCS = {.notation = PGN_ICCS};
    static const pgn_style CHINESE = {.notation = PGN_CHINESE};
    char *json = games_cut(text, strlen(text), 0, false);
    char *back = games_cut(json, strlen(json), 0, false);
    assert_string_equal(json, back);
    free(back);
    char *iccs = pgn_of(xq_str_of(json), PGN_ENC_AUTO, &ICCS, NULL);
    char *pgn = pgn_of(xq_str_of(iccs), PGN_ENC_AUTO, &CHINESE, NULL);
    back = games_cut(pgn, strlen(pgn), 0, false);
    assert_string_equal(json, back);
    free(back);
    free(pgn);
    free(iccs);
    free(json);
}

typedef xq_status game_writer(const pgn_game *g, pgn_buf *out, size_t *lost);
static inline xq_status to_dhtmlxq(const pgn_game *g, pgn_buf *out,
                                   size_t *lost)
{
    static const pgn_style ST = {.script_as_game = true};
    return pgn_write_dhtmlxq(g, &ST, out, lost);
}

/* All games of `text` written by `write`; free() it. */
static inline char *written_by(const char *text, game_writer *write,
                               size_t *lost)
{
    struct reading r = reading_of(xq_str_of(text), PGN_ENC_AUTO);
    const pgn_game *g;
    pgn_buf out = {0};
    *lost = 0;
    while ((g = next_game(&r)))
        assert_int_equal(write(g, &out, lost), XQ_OK);
    end_reading(&r);
    return text_of(&out);
}

#endif
