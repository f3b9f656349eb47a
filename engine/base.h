/* base.h - what every folder shares: statuses, errors, text slices, an arena.
 *
 *   xq_err err;
 *   if (xq_fen_parse(&pos, text, NULL, &err) < 0)
 *       fprintf(stderr, "%s\n", err.msg);
 *
 * A function that can fail returns an xq_status; what it produces goes out
 * through pointers.  Details go to the caller's xq_err, always the last
 * argument, always allowed to be NULL.  There is no global "last error", so
 * threads and tests need no care.  Libraries never print, exit, change the
 * locale or catch signals. */
#ifndef XQ_BASE_H
#define XQ_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Statuses.  Zero and above: it worked.  Below zero: it failed. */
typedef enum xq_status {
    XQ_OK = 0,
    XQ_DONE = 1,        /* nothing more to give */
    XQ_ENOMEM = -1,     /* an allocation failed */
    XQ_EIO = -2,        /* the system refused: message says what */
    XQ_ESYNTAX = -3,    /* text or bytes are malformed */
    XQ_EILLEGAL = -4,   /* a rule of the game forbids it */
    XQ_ENOTFOUND = -5,  /* well formed, but not there */
    XQ_ECORRUPT = -6,   /* a database file is damaged */
    XQ_ELIMIT = -7,     /* a named safety limit was reached */
    XQ_EAMBIGUOUS = -8, /* more than one reading is possible */
} xq_status;

/* Where and why something failed.  Parts that do not apply are 0.  Lines,
 * games and plies count from 1, bytes from 0 in the unpacked input. */
typedef struct xq_err {
    xq_status code;
    uint64_t byte, line, game, ply;
    char msg[240]; /* one line, UTF-8, NUL-terminated, no final full stop */
} xq_err;

#if defined(__GNUC__)
#define XQ_PRINTF(fmt, first) __attribute__((format(printf, fmt, first)))
#else
#define XQ_PRINTF(fmt, first)
#endif

/* Fill *err (may be NULL) and return `code`, so that a caller can write
 * `return xq_fail(err, XQ_EIO, ...)`.  A message that does not fit is cut at
 * a character boundary. */
xq_status xq_fail(xq_err *err, xq_status code, const char *fmt, ...)
    XQ_PRINTF(3, 4);

/* A slice of text, not NUL-terminated.  s may be NULL when n is 0. */
typedef struct xq_str {
    const char *s;
    size_t n;
} xq_str;

xq_str xq_str_of(const char *nul_terminated);
bool xq_str_eq(xq_str a, xq_str b);
/* ASCII letters compare without case; other bytes must be equal. */
bool xq_str_eq_nocase(xq_str a, xq_str b);

/* An arena: memory that dies as a whole.  Reset keeps the blocks for reuse,
 * so a steady stream of games allocates nothing.  Zero-initialise to start
 * (`xq_arena a = {0};`).  One arena, one thread at a time. */
typedef struct xq_arena {
    struct xq_arena_block *head, *spare;
    char *next, *end;
} xq_arena;

/* `n` bytes aligned for any type, not cleared; NULL when memory is short. */
void *xq_arena_alloc(xq_arena *a, size_t n);
/* `count` * `size` bytes, cleared; NULL when memory is short or the product
 * overflows. */
void *xq_arena_calloc(xq_arena *a, size_t count, size_t size);
/* A NUL-terminated copy of `s`; its s is NULL when memory is short. */
xq_str xq_arena_copy(xq_arena *a, xq_str s);
/* Everything handed out becomes invalid; blocks are kept for reuse, save
 * that what one huge game needed is given back. */
void xq_arena_reset(xq_arena *a);
void xq_arena_free(xq_arena *a);

#endif
