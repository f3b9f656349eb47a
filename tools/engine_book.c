/* engine_book.c - the books that the engine plays from: a list of files. */
#include "tools/engine_book.h"

#include "bookdb/foreign.h"
#include "engine/key.h"

#include <stdlib.h>
#include <string.h>

struct engine_one_book {
    bk_book *book; /* one of these two */
    bk_bookdat *dat;
    uint64_t factor;
};

void engine_books_close(engine_books *b)
{
    for (size_t i = 0; i < b->n; i++) {
        bk_book_close(b->v[i].book);
        bk_bookdat_close(b->v[i].dat);
    }
    free(b->v);
    *b = (engine_books){0};
}

/* ---- opening ---- */

static xq_status open_one(struct engine_one_book *one, const char *path,
                          xq_err *err)
{
    bk_format format;
    bool one_wing;
    xq_err unused;
    xq_status rc = bk_bookdat_open(&one->dat, path, err);
    if (rc != XQ_ESYNTAX) /* it is one, or cannot be opened at all */
        return rc;
    rc = bk_book_open(&one->book, path, err);
    if (rc != XQ_OK && rc != XQ_ENOMEM &&
        bk_foreign_kind(path, &format, &one_wing, &unused) == XQ_OK)
        return xq_fail(err, XQ_ESYNTAX,
                       "'%s' is %s: 'qipu book import' makes a book of it",
                       path, bk_format_title(format));
    return rc;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static xq_str trim(xq_str t)
{
    while (t.n && (unsigned char)t.s[0] <= ' ') {
        t.s++;
        t.n--;
    }
    while (t.n && (unsigned char)t.s[t.n - 1] <= ' ')
        t.n--;
    return t;
}

/* Larger ones are cut: sums must not overflow. */
#define FACTOR_MOST 1000000

/* Take "*N" off the end of an entry; false: there is none. */
static bool take_factor(xq_str *entry, uint64_t *factor)
{
    size_t n = entry->n;
    *factor = 1;
    while (n > 0 && is_digit(entry->s[n - 1]))
        n--;
    if (n == entry->n || n == 0 || entry->s[n - 1] != '*')
        return false;
    *factor = 0;
    for (size_t i = n; i < entry->n; i++) {
        *factor = 10 * *factor + (uint64_t)(entry->s[i] - '0');
        if (*factor > FACTOR_MOST)
            *factor = FACTOR_MOST;
    }
    entry->n = n - 1;
    *entry = trim(*entry);
    return true;
}

/* A record cut in two is no reason to refuse the others. */
static void tell_of_cut(const bk_bookdat *dat, const char *path,
                        xq_remark_fn *remark, void *to)
{
    xq_err text;
    const unsigned n = bk_bookdat_trailing(dat);
    if (n == 0)
        return;
    xq_fail(&text, XQ_OK,
            "book '%s' ends in %u byte%s of a record: it may be cut short",
            path, n, n == 1 ? "" : "s");
    remark(to, text.msg);
}

static xq_status add(engine_books *b, xq_str entry, xq_remark_fn *remark,
                     void *to, xq_err *err)
{
    struct engine_one_book one = {0};
    b->mixed |= take_factor(&entry, &one.factor);
    struct engine_one_book *v = realloc(b->v, (b->n + 1) * sizeof *v);
    if (!v)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    b->v = v;
    char *path = strndup(entry.s, entry.n);
    if (!path)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    const xq_status rc = open_one(&one, path, err);
    if (rc == XQ_OK && one.dat)
        tell_of_cut(one.dat, path, remark, to);
    free(path);
    if (rc == XQ_OK)
        b->v[b->n++] = one;
    return rc;
}

static xq_status open_list(void *arg, xq_str list, xq_remark_fn *remark,
                           void *to, xq_err *err)
{
    engine_books *const b = arg, new = {0};
    engine_books got = new;
    xq_status rc = XQ_OK;
    while (list.n > 0 && rc == XQ_OK) {
        const char *end = memchr(list.s, ';', list.n);
        const size_t n = end ? (size_t)(end - list.s) : list.n;
        const xq_str entry = trim((xq_str){list.s, n});
        if (entry.n > 0)
            rc = add(&got, entry, remark, to, err);
        list.s += n + (end != NULL);
        list.n -= n + (end != NULL);
    }
    if (rc != XQ_OK) {
        engine_books_close(&got);
        return rc;
    }
    engine_books_close(b);
    *b = got;
    return XQ_OK;
}

/* ---- asking ---- */

static xq_status ask(const struct engine_one_book *one, const xq_pos *p,
                     bk_entry *e, xq_err *err)
{
    const xq_status rc = one->dat ? bk_bookdat_find(one->dat, p, e, NULL, err)
                                  : bk_book_find(one->book, p, e, NULL, err);
    if (rc == XQ_ENOTFOUND)
        e->n = 0;
    return rc == XQ_ENOTFOUND ? XQ_OK : rc;
}

static uint64_t sum_of(const bk_entry *e, xq_side mover)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < e->n; i++)
        sum += bk_book_weight(&e->moves[i], mover);
    return sum;
}

/* A move's share in its book is a number out of so many. */
#define WHOLE 1000000

/* Books that are mixed speak of the same move in a symmetric position whether
 * they hold it on one wing or on both: their shares go to the one that came
 * first. */
static void add_choice(const engine_books *b, const xq_pos *p,
                       xq_book_choice *out, unsigned max, unsigned *n,
                       xq_move m, uint64_t weight)
{
    for (unsigned i = 0; i < *n; i++)
        if (b->mixed ? xq_pos_same_move(p, out[i].move, m) : out[i].move == m) {
            out[i].weight += weight;
            return;
        }
    if (*n < max)
        out[(*n)++] = (xq_book_choice){m, weight};
}

static xq_status find(void *arg, const xq_pos *p, xq_book_choice *out,
                      unsigned max, unsigned *n, xq_err *err)
{
    const engine_books *const b = arg;
    const xq_side mover = (xq_side)p->side;
    *n = 0;
    if (b->n == 0)
        return XQ_OK;
    bk_entry *e = malloc(sizeof *e);
    xq_status rc = e ? XQ_OK : xq_fail(err, XQ_ENOMEM, "out of memory");
    for (size_t i = 0; i < b->n && rc == XQ_OK; i++) {
        const struct engine_one_book *const one = &b->v[i];
        rc = ask(one, p, e, err);
        const uint64_t sum = rc == XQ_OK ? sum_of(e, mover) : 0;
        if (sum == 0) /* nothing known, or nothing to be chosen */
            continue;
        for (unsigned k = 0; k < e->n; k++) {
            const uint64_t w = bk_book_weight(&e->moves[k], mover);
            add_choice(b, p, out, max, n, e->moves[k].move,
                       b->mixed ? w * WHOLE / sum * one->factor : w);
        }
        if (!b->mixed)
            break;
    }
    free(e);
    return rc;
}

xq_book_source engine_books_source(engine_books *b)
{
    return (xq_book_source){b, open_list, find};
}
