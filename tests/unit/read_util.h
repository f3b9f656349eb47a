/* read_util.h - games read from memory, for tests and fuzz targets.
 *
 *   struct reading r = reading_of(text, PGN_ENC_AUTO);
 *   while ((g = next_game(&r)))
 *       ...
 *   end_reading(&r);
 *
 * What must not fail stops the program: reading_of and next_game abort when
 * memory is short. */
#ifndef READ_UTIL_H
#define READ_UTIL_H

#include "libpgn/reader.h"
#include "libpgn/writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    pgn_split *split;
    pgn_segment seg;
    pgn_reader *reader;
    bool given; /* seg is filled, but not loaded */
    bool loaded;
};

static inline void must(bool ok, const char *what, const xq_err *err)
{
    if (ok)
        return;
    fprintf(stderr, "%s: %s\n", what, err->msg);
    abort();
}

static inline struct reading reading_of(xq_str text, pgn_encoding e)
{
    struct reading r = {0};
    pgn_reader_options opts = {.encoding = e};
    xq_err err = {0};
    must(pgn_split_open_mem(&r.split, "memory", text.s, text.n, e, &err) ==
             XQ_OK,
         "split", &err);
    must(pgn_reader_new(&r.reader, &opts, &err) == XQ_OK, "reader", &err);
    return r;
}

/* One segment of the given format, whatever the text looks like. */
static inline struct reading reading_as(xq_str text, pgn_format f)
{
    struct reading r = {0};
    xq_err err = {0};
    must(pgn_reader_new(&r.reader, NULL, &err) == XQ_OK, "reader", &err);
    r.seg = (pgn_segment){.n = text.n,
                          .first = true,
                          .last = true,
                          .format = f,
                          .encoding = PGN_ENC_UTF8,
                          .name_cap = 1,
                          .bytes_cap = text.n + 1};
    r.seg.name = calloc(1, 1);
    r.seg.bytes = malloc(text.n + 1);
    must(r.seg.name && r.seg.bytes, "segment", &(xq_err){.msg = "no memory"});
    if (text.n)
        memcpy(r.seg.bytes, text.s, text.n);
    r.given = true;
    return r;
}

/* The next game, NULL at the end (also where the bytes are no games). */
static inline const pgn_game *next_game(struct reading *r)
{
    xq_err err = {0};
    for (;;) {
        const pgn_game *g;
        if (r->loaded) {
            xq_status rc = pgn_reader_next(r->reader, &g, &err);
            must(rc == XQ_OK || rc == XQ_DONE, "next", &err);
            if (rc == XQ_OK)
                return g;
            r->loaded = false;
        }
        if (r->given) {
            pgn_reader_load(r->reader, &r->seg);
            r->loaded = true;
            r->given = false;
            continue;
        }
        if (!r->split)
            return NULL;
        xq_status rc = pgn_split_next(r->split, &r->seg, &err);
        must(rc != XQ_ENOMEM, "segment", &err);
        if (rc == XQ_DONE)
            return NULL;
        if (rc < 0)
            continue;
        pgn_reader_load(r->reader, &r->seg);
        r->loaded = true;
    }
}

static inline void end_reading(struct reading *r)
{
    pgn_reader_close(r->reader);
    pgn_segment_free(&r->seg);
    if (r->split)
        pgn_split_close(r->split);
}

/* NUL-terminated text of a buffer, the caller's. */
static inline char *text_of(pgn_buf *b)
{
    pgn_buf_add(b, "", 1);
    must(!b->failed, "buffer", &(xq_err){.msg = "out of memory"});
    return b->s;
}

/* All games of `text` as JSON lines; free() it. */
static inline char *json_of(xq_str text, pgn_encoding e)
{
    struct reading r = reading_of(text, e);
    const pgn_game *g;
    pgn_buf out = {0};
    while ((g = next_game(&r)))
        pgn_write_json(g, &out);
    end_reading(&r);
    return text_of(&out);
}

/* All games of `text` as PGN in UTF-8; free() it. */
static inline char *pgn_of(xq_str text, pgn_encoding e, const pgn_style *st,
                           size_t *lost)
{
    struct reading r = reading_of(text, e);
    const pgn_game *g;
    pgn_buf out = {0};
    while ((g = next_game(&r)))
        pgn_write_pgn(g, st, &out, lost);
    end_reading(&r);
    return text_of(&out);
}

#endif
