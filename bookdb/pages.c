/* pages.c - walk an LMDB file page by page, by pread, trusting nothing.
 *
 * A file is two meta pages and, from the newer one, two trees: the free list
 * and the main database, whose nodes with the flag BK_N_SUB are the roots of
 * the named ones.
 *
 *   page   0 number u64 | 8 pad u16 | 10 flags u16 | 12 lower u16 |
 *          14 upper u16 | 16 offsets of nodes u16 ... free ... nodes
 *          (overflow: 12 number of pages u32, then the value from 16 on)
 *   node   0 low u16 | 2 high u16 | 4 flags u16 | 6 key length u16 | 8 key,
 *          value.  Leaf: low, high are the value's length; branch: low, high
 *          and flags are the child's page number.
 *
 * A walk goes in key order, so that each key, separators included, is
 * compared with the one before. */
#include "bookdb/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MAX 32 /* LMDB's own limit */
#define KEY_MAX   511

struct level {
    uint8_t *page;
    uint64_t number;
    unsigned n, at; /* nodes, the next one */
    bool leaf;
};

struct tree {
    char *name;
    bk_tree root;
    uint64_t pages, entries;
};

struct bk_pages {
    int fd;
    char *path;
    bk_meta meta;
    uint64_t file_pages;
    uint8_t *seen;      /* a bit for each page of the file */
    struct tree *trees; /* [0] free list, [1] main, then the named ones */
    size_t ntrees, cap, tree;
    bool in_tree;
    struct level level[DEPTH_MAX];
    unsigned depth;
    uint64_t branches, leaves, overflows, entries;
    uint8_t last[KEY_MAX]; /* the key before */
    size_t nlast;
    bool has_last, may_equal;
    uint8_t *big; /* a value from overflow pages */
    size_t big_cap;
    bool failed;
};

static uint16_t get16(const uint8_t *p)
{
    uint16_t v;
    memcpy(&v, p, 2);
    return v;
}

static uint64_t get64(const uint8_t *p)
{
    uint64_t v;
    memcpy(&v, p, 8);
    return v;
}

static xq_status bad(bk_pages *w, xq_err *err, uint64_t page, const char *what)
{
    w->failed = true;
    return xq_fail(err, XQ_ECORRUPT, "'%s': page %" PRIu64 ": %s", w->path,
                   page, what);
}

/* Each page is in use once. */
static xq_status claim(bk_pages *w, uint64_t page, uint64_t n, xq_err *err)
{
    if (page < 2 || page > w->meta.last_page ||
        n > w->meta.last_page - page + 1)
        return bad(w, err, page, "number out of range");
    if (page >= w->file_pages || n > w->file_pages - page)
        return bad(w, err, page, "behind the end of the file: it is cut short");
    for (uint64_t i = page; i < page + n; i++) {
        if (w->seen[i / 8] >> (i % 8) & 1)
            return bad(w, err, i, "in use twice");
        w->seen[i / 8] |= (uint8_t)(1u << (i % 8));
    }
    return XQ_OK;
}

static xq_status read_page(bk_pages *w, void *to, uint64_t page, uint64_t n,
                           xq_err *err)
{
    if (!bk_pread_all(w->fd, to, (size_t)n * w->meta.psize,
                      page * w->meta.psize)) {
        w->failed = true;
        return xq_fail(err, XQ_EIO, "cannot read page %" PRIu64 " of '%s'",
                       page, w->path);
    }
    if (get64(to) != page)
        return bad(w, err, page, "carries another number");
    return XQ_OK;
}

/* Enter a page of a tree; its header and the bounds of all its nodes are
 * checked here, so that what follows may use them. */
static xq_status push(bk_pages *w, uint64_t page, xq_err *err)
{
    const bk_tree *root = &w->trees[w->tree].root;
    if (w->depth >= root->depth || w->depth >= DEPTH_MAX)
        return bad(w, err, page, "tree is deeper than its root says");
    xq_status rc = claim(w, page, 1, err);
    if (rc != XQ_OK)
        return rc;
    struct level *l = &w->level[w->depth];
    if (!l->page && !(l->page = malloc(w->meta.psize))) {
        w->failed = true;
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    }
    rc = read_page(w, l->page, page, 1, err);
    if (rc != XQ_OK)
        return rc;
    const uint8_t *p = l->page;
    unsigned flags = get16(p + 10), lower = get16(p + 12),
             upper = get16(p + 14), psize = w->meta.psize;
    l->leaf = flags == BK_P_LEAF;
    if (flags != BK_P_LEAF && flags != BK_P_BRANCH)
        return bad(w, err, page, "neither leaf nor branch");
    if (l->leaf != (w->depth + 1 == root->depth))
        return bad(w, err, page, "leaf and branch at the wrong depth");
    if (lower < BK_PAGE_HEAD || lower % 2 || lower > upper || upper > psize)
        return bad(w, err, page, "bounds of its nodes are wrong");
    l->n = (lower - BK_PAGE_HEAD) / 2;
    l->at = 0;
    l->number = page;
    if (l->n == 0 || (!l->leaf && l->n < 2))
        return bad(w, err, page, "too few nodes");
    for (unsigned i = 0; i < l->n; i++) {
        unsigned at = get16(p + BK_PAGE_HEAD + 2 * i);
        if (at < upper || at % 2 || at > psize - BK_NODE_HEAD)
            return bad(w, err, page, "a node lies outside");
        unsigned nkey = get16(p + at + 6), room = psize - at - BK_NODE_HEAD;
        if (nkey > room || nkey > KEY_MAX)
            return bad(w, err, page, "a key is too long");
        if (!l->leaf)
            continue;
        uint64_t nval = get16(p + at) | (uint64_t)get16(p + at + 2) << 16;
        unsigned nf = get16(p + at + 4);
        if (nf & ~(unsigned)(BK_N_BIG | BK_N_SUB))
            return bad(w, err, page, "a node has unknown flags");
        if ((nf & BK_N_BIG ? 8 : nval) > room - nkey)
            return bad(w, err, page, "a value is too long");
    }
    if (l->leaf)
        w->leaves++;
    else
        w->branches++;
    w->depth++;
    return XQ_OK;
}

/* Order in the free list is that of numbers, elsewhere of bytes. */
static int compare(const bk_pages *w, const uint8_t *a, size_t na,
                   const uint8_t *b, size_t nb)
{
    if (w->tree == 0 && na == 8 && nb == 8) {
        uint64_t x = get64(a), y = get64(b);
        return x < y ? -1 : x > y;
    }
    size_t n = na < nb ? na : nb;
    int c = n ? memcmp(a, b, n) : 0;
    return c ? c : na < nb ? -1 : na > nb;
}

static xq_status in_order(bk_pages *w, const uint8_t *key, size_t n,
                          bool separator, uint64_t page, xq_err *err)
{
    if (w->tree == 0 && n != 8)
        return bad(w, err, page, "a key of the free list is no number");
    if (w->has_last) {
        int c = compare(w, w->last, w->nlast, key, n);
        if (c > 0 || (c == 0 && !w->may_equal))
            return bad(w, err, page, "keys out of order");
    }
    memcpy(w->last, key, n);
    w->nlast = n;
    w->has_last = true;
    /* a separator may equal the first key behind it */
    w->may_equal = separator;
    return XQ_OK;
}

/* LMDB overwrites a long value in place by a shorter one, so that there may
 * be more pages than it needs. */
static xq_status read_big(bk_pages *w, const uint8_t *node, size_t nval,
                          const uint8_t **value, uint64_t from, xq_err *err)
{
    uint64_t page = get64(node + BK_NODE_HEAD + get16(node + 6));
    uint64_t n = (BK_PAGE_HEAD + (uint64_t)nval - 1) / w->meta.psize + 1;
    if (page < 2 || page >= w->file_pages || n > w->file_pages - page)
        return claim(w, page, n, err); /* says what is wrong */
    if (n * w->meta.psize > w->big_cap) {
        uint8_t *big = realloc(w->big, (size_t)n * w->meta.psize);
        if (!big) {
            w->failed = true;
            return xq_fail(err, XQ_ENOMEM, "out of memory");
        }
        w->big = big;
        w->big_cap = (size_t)n * w->meta.psize;
    }
    xq_status rc = read_page(w, w->big, page, n, err);
    if (rc != XQ_OK)
        return rc;
    uint32_t pages;
    memcpy(&pages, w->big + 12, 4);
    if (get16(w->big + 10) != BK_P_OVERFLOW || pages < n)
        return bad(w, err, from, "a long value is not where it should be");
    rc = claim(w, page, pages, err);
    if (rc != XQ_OK)
        return rc;
    w->overflows += pages;
    *value = w->big + BK_PAGE_HEAD;
    return XQ_OK;
}

static xq_status add_tree(bk_pages *w, const uint8_t *name, size_t n,
                          const bk_tree *root, uint64_t page, xq_err *err)
{
    if (w->ntrees == w->cap) {
        size_t cap = w->cap ? 2 * w->cap : 16;
        struct tree *t = realloc(w->trees, cap * sizeof *t);
        if (!t)
            goto nomem;
        w->trees = t;
        w->cap = cap;
    }
    if (root->flags & ~8u) /* MDB_INTEGERKEY is the free list's */
        return bad(w, err, page, "a database has unknown flags");
    char *s = malloc(n + 1);
    if (!s)
        goto nomem;
    if (n)
        memcpy(s, name, n);
    s[n] = 0;
    w->trees[w->ntrees++] = (struct tree){.name = s, .root = *root};
    return XQ_OK;
nomem:
    w->failed = true;
    return xq_fail(err, XQ_ENOMEM, "out of memory");
}

/* A record of the free list: how many, then the page numbers. */
static xq_status free_pages(bk_pages *w, const uint8_t *v, size_t n,
                            uint64_t page, xq_err *err)
{
    uint64_t count = n >= 8 ? get64(v) : UINT64_MAX;
    if (count > n / 8 - (n >= 8))
        return bad(w, err, page, "a record of the free list is too short");
    for (uint64_t i = 1; i <= count; i++) {
        uint64_t f = get64(v + 8 * i);
        /* LMDB need not have written a free page at the end. */
        if (f >= w->file_pages && f <= w->meta.last_page)
            continue;
        xq_status rc = claim(w, f, 1, err);
        if (rc != XQ_OK)
            return rc;
    }
    return XQ_OK;
}

static xq_status tree_start(bk_pages *w, xq_err *err)
{
    const bk_tree *root = &w->trees[w->tree].root;
    w->depth = 0;
    w->branches = w->leaves = w->overflows = w->entries = 0;
    w->has_last = w->may_equal = false;
    w->in_tree = true;
    if (root->root == BK_NO_PAGE) {
        if (root->depth || root->entries)
            return bad(w, err, 0, "an empty tree counts entries");
        return XQ_OK;
    }
    return push(w, root->root, err);
}

static xq_status tree_end(bk_pages *w, xq_err *err)
{
    struct tree *t = &w->trees[w->tree];
    t->pages = w->branches + w->leaves + w->overflows;
    t->entries = w->entries;
    w->in_tree = false;
    if (w->branches != t->root.branches || w->leaves != t->root.leaves ||
        w->overflows != t->root.overflows || w->entries != t->root.entries) {
        w->failed = true;
        return xq_fail(err, XQ_ECORRUPT,
                       "'%s': database '%s' has not the pages and entries "
                       "that its root counts",
                       w->path, t->name);
    }
    return XQ_OK;
}

/* The next node of the current tree.  XQ_DONE at its end. */
static xq_status tree_next(bk_pages *w, bk_page_item *it, unsigned *flags,
                           xq_err *err)
{
    xq_status rc;
    while (w->depth) {
        struct level *l = &w->level[w->depth - 1];
        if (l->at == l->n) {
            w->depth--;
            continue;
        }
        unsigned i = l->at++;
        const uint8_t *node = l->page + get16(l->page + BK_PAGE_HEAD + 2 * i);
        size_t nkey = get16(node + 6);
        const uint8_t *key = node + BK_NODE_HEAD;
        /* The first separator of a branch is not used, and may be empty. */
        if (l->leaf || i > 0) {
            rc = in_order(w, key, nkey, !l->leaf, l->number, err);
            if (rc != XQ_OK)
                return rc;
        }
        if (!l->leaf) {
            rc = push(w,
                      get16(node) | (uint64_t)get16(node + 2) << 16 |
                          (uint64_t)get16(node + 4) << 32,
                      err);
            if (rc != XQ_OK)
                return rc;
            continue;
        }
        *flags = get16(node + 4);
        it->key = key;
        it->nkey = nkey;
        it->nvalue = get16(node) | (size_t)get16(node + 2) << 16;
        it->value = key + nkey;
        w->entries++;
        return *flags & BK_N_BIG
                   ? read_big(w, node, it->nvalue, &it->value, l->number, err)
                   : XQ_OK;
    }
    return XQ_DONE;
}

xq_status bk_pages_open(bk_pages **out, const char *path, xq_err *err)
{
    bk_pages *w = calloc(1, sizeof *w);
    *out = NULL;
    if (!w)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    struct stat st;
    w->fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe? */
    w->path = strdup(path);
    xq_status rc = XQ_OK;
    uint64_t size = 0;
    if (w->fd < 0)
        rc = xq_fail(err, errno == ENOENT ? XQ_ENOTFOUND : XQ_EIO,
                     "cannot open '%s': %s", path, strerror(errno));
    else if (!w->path)
        rc = xq_fail(err, XQ_ENOMEM, "out of memory");
    else if (fstat(w->fd, &st) == 0 && !S_ISREG(st.st_mode))
        rc = xq_fail(err, XQ_EIO, "cannot open '%s': not a regular file", path);
    else
        rc = bk_meta_read(w->fd, path, BK_WANTED, &w->meta, &size, err);
    if (rc == XQ_OK) {
        w->file_pages = size / w->meta.psize;
        w->seen = calloc(1, (size_t)(w->file_pages / 8 + 1));
        if (!w->seen)
            rc = xq_fail(err, XQ_ENOMEM, "out of memory");
    }
    if (rc == XQ_OK && w->meta.last_page < 1)
        rc = bad(w, err, 0, "last page is out of range");
    /* the free list's root keeps the page size and the file's flags */
    w->meta.trees[0].flags = 0;
    if (rc == XQ_OK)
        rc = add_tree(w, (const uint8_t *)"free", 4, &w->meta.trees[0], 0, err);
    if (rc == XQ_OK)
        rc = add_tree(w, NULL, 0, &w->meta.trees[1], 0, err);
    if (rc != XQ_OK) {
        bk_pages_close(w);
        return rc;
    }
    *out = w;
    return XQ_OK;
}

xq_status bk_pages_next(bk_pages *w, bk_page_item *it, xq_err *err)
{
    if (w->failed)
        return xq_fail(err, XQ_ECORRUPT, "'%s' is damaged", w->path);
    while (w->tree < w->ntrees) {
        unsigned flags = 0;
        xq_status rc = XQ_OK;
        if (!w->in_tree && (rc = tree_start(w, err)) != XQ_OK)
            return rc;
        rc = tree_next(w, it, &flags, err);
        if (rc == XQ_DONE) {
            rc = tree_end(w, err);
            if (rc != XQ_OK)
                return rc;
            w->tree++;
            continue;
        }
        if (rc != XQ_OK)
            return rc;
        uint64_t page = w->level[w->depth - 1].number;
        if (w->tree == 0) {
            rc = free_pages(w, it->value, it->nvalue, page, err);
        } else if (flags & BK_N_SUB) {
            bk_tree root;
            if (w->tree != 1 || it->nvalue != 48)
                return bad(w, err, page, "a database inside a database");
            bk_tree_parse(it->value, &root);
            rc = add_tree(w, it->key, it->nkey, &root, page, err);
        } else {
            it->db = w->trees[w->tree].name;
            return XQ_OK;
        }
        if (rc != XQ_OK)
            return rc;
    }
    return XQ_DONE;
}

bool bk_pages_count(const bk_pages *w, const char *name, uint64_t *pages,
                    uint64_t *entries)
{
    for (size_t i = 0; i < w->ntrees; i++)
        if (strcmp(w->trees[i].name, name) == 0) {
            *pages = w->trees[i].pages;
            *entries = w->trees[i].entries;
            return true;
        }
    return false;
}

uint32_t bk_pages_size(const bk_pages *w) { return w->meta.psize; }

void bk_pages_close(bk_pages *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->ntrees; i++)
        free(w->trees[i].name);
    for (unsigned i = 0; i < DEPTH_MAX; i++)
        free(w->level[i].page);
    if (w->fd >= 0)
        close(w->fd);
    free(w->trees);
    free(w->seen);
    free(w->big);
    free(w->path);
    free(w);
}

xq_status bk_pages_whole(const char *path, xq_err *err)
{
    bk_pages *w;
    bk_page_item it;
    xq_status rc = bk_pages_open(&w, path, err);
    if (rc != XQ_OK)
        return rc;
    while ((rc = bk_pages_next(w, &it, err)) == XQ_OK)
        ;
    bk_pages_close(w);
    return rc == XQ_DONE ? XQ_OK : rc;
}
