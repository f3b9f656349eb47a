/* base.c - errors, text slices and the arena of base.h. */
#include "engine/base.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- errors ---- */

/* Length of `s` without a UTF-8 character that the end cut in two. */
static size_t whole_characters(const char *s, size_t n)
{
    size_t lead = n;
    while (lead > 0 && n - lead < 4) {
        unsigned char c = (unsigned char)s[--lead];
        if (c < 0x80)
            return n;
        if (c >= 0xc0) {
            size_t need = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
            return lead + need > n ? lead : n;
        }
    }
    return n;
}

xq_status xq_fail(xq_err *err, xq_status code, const char *fmt, ...)
{
    if (!err)
        return code;
    memset(err, 0, sizeof *err);
    err->code = code;
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(err->msg, sizeof err->msg, fmt, ap);
    va_end(ap);
    if (n >= (int)sizeof err->msg)
        err->msg[whole_characters(err->msg, sizeof err->msg - 1)] = 0;
    /* A quoted name may hold a line break; the message is one line. */
    for (char *c = err->msg; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    return code;
}

/* ---- text slices ---- */

xq_str xq_str_of(const char *nul_terminated)
{
    return (xq_str){nul_terminated,
                    nul_terminated ? strlen(nul_terminated) : 0};
}

bool xq_str_eq(xq_str a, xq_str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.s, b.s, a.n) == 0);
}

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

bool xq_str_eq_nocase(xq_str a, xq_str b)
{
    if (a.n != b.n)
        return false;
    for (size_t i = 0; i < a.n; i++)
        if (lower(a.s[i]) != lower(b.s[i]))
            return false;
    return true;
}

/* ---- arena ----
 *
 * Blocks in use hang on `head` (newest first), empty ones on `spare`.  A
 * request too large for a common block gets a block of its own, which the
 * next reset gives back; of the common blocks a reset keeps KEEP. */

struct xq_arena_block {
    struct xq_arena_block *older;
    size_t size; /* bytes behind the header */
};

enum { ALIGN = _Alignof(max_align_t), COMMON = 64 * 1024, KEEP = 16 };

static size_t round_up(size_t n) { return (n + ALIGN - 1) / ALIGN * ALIGN; }

static char *block_data(struct xq_arena_block *b)
{
    return (char *)b + round_up(sizeof *b);
}

static struct xq_arena_block *block_new(size_t size)
{
    size_t header = round_up(sizeof(struct xq_arena_block));
    if (size > SIZE_MAX - header)
        return NULL;
    struct xq_arena_block *b = malloc(header + size);
    if (b)
        b->size = size;
    return b;
}

void *xq_arena_alloc(xq_arena *a, size_t n)
{
    if (n > SIZE_MAX - ALIGN)
        return NULL;
    n = n ? round_up(n) : ALIGN;
    if (!a->next || n > (size_t)(a->end - a->next)) {
        struct xq_arena_block *b = NULL;
        if (n <= COMMON && a->spare) {
            b = a->spare;
            a->spare = b->older;
        } else {
            b = block_new(n > COMMON ? n : COMMON);
        }
        if (!b)
            return NULL;
        if (n > COMMON && a->head) {
            /* Behind the block in use, whose free end is not lost. */
            b->older = a->head->older;
            a->head->older = b;
            return block_data(b);
        }
        b->older = a->head;
        a->head = b;
        a->next = block_data(b);
        a->end = a->next + b->size;
    }
    void *out = a->next;
    a->next += n;
    return out;
}

void *xq_arena_calloc(xq_arena *a, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return NULL;
    void *out = xq_arena_alloc(a, count * size);
    return out ? memset(out, 0, count * size) : NULL;
}

xq_str xq_arena_copy(xq_arena *a, xq_str s)
{
    char *out = s.n < SIZE_MAX ? xq_arena_alloc(a, s.n + 1) : NULL;
    if (!out)
        return (xq_str){NULL, 0};
    if (s.n)
        memcpy(out, s.s, s.n);
    out[s.n] = 0;
    return (xq_str){out, s.n};
}

void xq_arena_reset(xq_arena *a)
{
    size_t kept = 0;
    struct xq_arena_block *lists[2] = {a->spare, a->head};
    a->spare = a->head = NULL;
    a->next = a->end = NULL;
    for (int i = 0; i < 2; i++) {
        for (struct xq_arena_block *b = lists[i], *older; b; b = older) {
            older = b->older;
            if (b->size == COMMON && kept < KEEP) {
                b->older = a->spare;
                a->spare = b;
                kept++;
            } else {
                free(b);
            }
        }
    }
}

void xq_arena_free(xq_arena *a)
{
    struct xq_arena_block *lists[2] = {a->spare, a->head};
    for (int i = 0; i < 2; i++) {
        for (struct xq_arena_block *b = lists[i], *older; b; b = older) {
            older = b->older;
            free(b);
        }
    }
    *a = (xq_arena){0};
}
