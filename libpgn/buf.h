/* buf.h - a growing buffer of bytes, for everything that is written.
 *
 *   pgn_buf b = {0};
 *   pgn_buf_puts(&b, "[Event ");
 *   if (b.failed) ...memory ran out, the contents are incomplete
 *   pgn_buf_free(&b);
 *
 * Adding never fails on the spot: ask `failed` once, at the end. */
#ifndef PGN_BUF_H
#define PGN_BUF_H

#include "engine/base.h"

typedef struct pgn_buf {
    char *s; /* not NUL-terminated */
    size_t n, cap;
    bool failed;
} pgn_buf;

void pgn_buf_add(pgn_buf *b, const void *s, size_t n);
void pgn_buf_puts(pgn_buf *b, const char *s);
void pgn_buf_printf(pgn_buf *b, const char *fmt, ...) XQ_PRINTF(2, 3);
/* A JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
void pgn_buf_json(pgn_buf *b, xq_str s);
/* For terminals and logs: control characters and bytes that are not UTF-8
 * are made visible as \xHH. */
void pgn_buf_visible(pgn_buf *b, xq_str s);
/* Room for `n` more bytes at s + n; NULL when memory is short (failed set).
 * The caller then adds what it wrote to b->n. */
char *pgn_buf_room(pgn_buf *b, size_t n);
void pgn_buf_free(pgn_buf *b);

#endif
