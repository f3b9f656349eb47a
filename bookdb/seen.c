/* seen.c - a set of digests in bounded memory.
 *
 * Half of the budget is the hash table (open addressing, at most half full),
 * an eighth the Bloom filter, the rest buffers of merges.  Runs lie one behind
 * the other in an unlinked file; digests in them are sorted by (hi, lo). */
#include "bookdb/seen.h"
#include "bookdb/tmpfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    FIRST_SLOTS = 4096,
    MAX_RUNS = 8,
    PAGE = 256
}; /* PAGE: digests read at once, 4 KB */
#define SEEN_MIN ((size_t)64 << 10)

struct run {
    uint64_t at, n; /* digests */
};

/* A run, or the table (fd -1), being read from its beginning. */
struct stream {
    int fd;
    uint64_t at, left;
    pgn_digest *buf;
    size_t cap, n, i;
};

struct bk_seen {
    char *tmpdir;
    pgn_digest *slots;         /* zero: empty */
    size_t nslots, used, most; /* the table grows to `most` slots */
    bool has_zero;             /* the digest that looks like an empty slot */
    uint64_t *bloom;
    size_t bloom_bits; /* a power of two */
    int fd;
    uint64_t file_n; /* digests in the file */
    struct run runs[MAX_RUNS];
    unsigned nruns;
    uint64_t count;
    /* listing */
    struct stream in[MAX_RUNS + 1];
    unsigned nin;
    pgn_digest *bufs;
};

static int cmp(pgn_digest a, pgn_digest b)
{
    if (a.hi != b.hi)
        return a.hi < b.hi ? -1 : 1;
    return a.lo < b.lo ? -1 : a.lo > b.lo;
}

static int cmp_qsort(const void *a, const void *b)
{
    return cmp(*(const pgn_digest *)a, *(const pgn_digest *)b);
}

static bool is_zero(pgn_digest d) { return (d.hi | d.lo) == 0; }

static xq_status no_memory(xq_err *err)
{
    return xq_fail(err, XQ_ENOMEM, "out of memory for digests of games");
}

static size_t power_of_two(size_t n) /* the largest up to n */
{
    size_t p = 1;
    while (p <= n / 2)
        p *= 2;
    return p;
}

xq_status bk_seen_open(bk_seen **out, size_t memory, const char *tmpdir,
                       xq_err *err)
{
    bk_seen *s = calloc(1, sizeof *s);
    if (!s)
        return no_memory(err);
    s->fd = -1;
    memory = memory ? memory : (size_t)32 << 20;
    memory = memory < SEEN_MIN ? SEEN_MIN : memory;
    s->most = power_of_two(memory / 2 / sizeof *s->slots);
    s->nslots = s->most < FIRST_SLOTS ? s->most : FIRST_SLOTS;
    s->bloom_bits = power_of_two(memory / 8 * 8);
    s->tmpdir = bk_tmpdir(tmpdir);
    s->slots = calloc(s->nslots, sizeof *s->slots);
    if (!s->tmpdir || !s->slots) {
        bk_seen_close(s);
        return no_memory(err);
    }
    *out = s;
    return XQ_OK;
}

/* ---- the filter: 4 bits of each digest ---- */

static void bloom_add(bk_seen *s, pgn_digest d)
{
    for (unsigned k = 0; k < 4; k++) {
        const uint64_t bit = (d.lo + k * (d.hi | 1)) & (s->bloom_bits - 1);
        s->bloom[bit / 64] |= UINT64_C(1) << bit % 64;
    }
}

static bool bloom_has(const bk_seen *s, pgn_digest d)
{
    for (unsigned k = 0; k < 4; k++) {
        const uint64_t bit = (d.lo + k * (d.hi | 1)) & (s->bloom_bits - 1);
        if (!(s->bloom[bit / 64] >> bit % 64 & 1))
            return false;
    }
    return true;
}

/* ---- runs ---- */

static xq_status read_at(int fd, uint64_t at, pgn_digest *buf, size_t n,
                         xq_err *err)
{
    return bk_tmp_read(fd, buf, n * sizeof *buf, at * sizeof *buf, err);
}

/* Is d in the run?  Halve down to a page, then read it. */
static xq_status run_has(const bk_seen *s, struct run r, pgn_digest d,
                         bool *found, xq_err *err)
{
    pgn_digest page[PAGE];
    uint64_t low = r.at, high = r.at + r.n; /* d would stand in [low, high) */
    while (high - low > PAGE) {
        const uint64_t mid = low + (high - low) / 2;
        const xq_status rc = read_at(s->fd, mid, page, 1, err);
        if (rc != XQ_OK)
            return rc;
        const int c = cmp(d, page[0]);
        if (c < 0)
            high = mid;
        else
            low = mid;
    }
    const size_t n = (size_t)(high - low);
    const xq_status rc = read_at(s->fd, low, page, n, err);
    if (rc == XQ_OK)
        *found = bsearch(&d, page, n, sizeof *page, cmp_qsort) != NULL;
    return rc;
}

static xq_status refill(struct stream *in, xq_err *err)
{
    const size_t n = in->left < in->cap ? (size_t)in->left : in->cap;
    const xq_status rc = n ? read_at(in->fd, in->at, in->buf, n, err) : XQ_OK;
    in->at += n;
    in->left -= n;
    in->n = n;
    in->i = 0;
    return rc;
}

/* The smallest digest of the streams.  No digest is in two of them. */
static xq_status next_of(struct stream *in, unsigned n, pgn_digest *d,
                         xq_err *err)
{
    struct stream *best = NULL;
    for (unsigned i = 0; i < n; i++)
        if (in[i].i < in[i].n &&
            (!best || cmp(in[i].buf[in[i].i], best->buf[best->i]) < 0))
            best = &in[i];
    if (!best)
        return XQ_DONE;
    *d = best->buf[best->i++];
    return best->i == best->n && best->left > 0 ? refill(best, err) : XQ_OK;
}

/* Streams over all runs, with buffers out of s->bufs. */
static xq_status open_streams(bk_seen *s, xq_err *err)
{
    const size_t cap = 16 * PAGE;
    s->nin = 0;
    if (!s->bufs)
        s->bufs = malloc((MAX_RUNS + 1) * cap * sizeof *s->bufs);
    if (!s->bufs)
        return no_memory(err);
    for (unsigned i = 0; i < s->nruns; i++) {
        struct stream *in = &s->in[s->nin++];
        *in = (struct stream){.fd = s->fd,
                              .at = s->runs[i].at,
                              .left = s->runs[i].n,
                              .buf = s->bufs + i * cap,
                              .cap = cap};
        const xq_status rc = refill(in, err);
        if (rc != XQ_OK)
            return rc;
    }
    return XQ_OK;
}

/* Make one run of all, in a new file. */
static xq_status merge_runs(bk_seen *s, xq_err *err)
{
    int fd = -1;
    xq_status rc = bk_tmp_open(&fd, s->tmpdir, err);
    if (rc == XQ_OK)
        rc = open_streams(s, err);
    pgn_digest *const out = s->bufs ? s->bufs + MAX_RUNS * 16 * PAGE : NULL;
    uint64_t n = 0;
    while (rc == XQ_OK) {
        size_t k = 0;
        while (k < 16 * PAGE &&
               (rc = next_of(s->in, s->nin, &out[k], err)) == XQ_OK)
            k++;
        if (k > 0 && rc >= XQ_OK) {
            const xq_status w = bk_tmp_write(fd, out, k * sizeof *out,
                                             n * sizeof *out, s->tmpdir, err);
            rc = w != XQ_OK ? w : rc;
        }
        n += k;
    }
    if (rc != XQ_DONE) {
        if (fd >= 0)
            close(fd);
        return rc;
    }
    close(s->fd);
    s->fd = fd;
    s->file_n = n;
    s->runs[0] = (struct run){0, n};
    s->nruns = 1;
    return XQ_OK;
}

/* Squeeze the table's digests to its front, sorted. */
static void sort_table(bk_seen *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->nslots; i++)
        if (!is_zero(s->slots[i]))
            s->slots[n++] = s->slots[i];
    qsort(s->slots, n, sizeof *s->slots, cmp_qsort);
}

static xq_status spill(bk_seen *s, xq_err *err)
{
    xq_status rc = XQ_OK;
    if (s->fd < 0)
        rc = bk_tmp_open(&s->fd, s->tmpdir, err);
    if (rc == XQ_OK && !s->bloom) {
        s->bloom = calloc(s->bloom_bits / 64, sizeof *s->bloom);
        if (!s->bloom)
            return no_memory(err);
    }
    if (rc == XQ_OK && s->nruns == MAX_RUNS)
        rc = merge_runs(s, err);
    if (rc != XQ_OK)
        return rc;
    sort_table(s);
    rc = bk_tmp_write(s->fd, s->slots, s->used * sizeof *s->slots,
                      s->file_n * sizeof *s->slots, s->tmpdir, err);
    if (rc != XQ_OK)
        return rc;
    for (size_t i = 0; i < s->used; i++)
        bloom_add(s, s->slots[i]);
    s->runs[s->nruns++] = (struct run){s->file_n, s->used};
    s->file_n += s->used;
    s->used = 0;
    memset(s->slots, 0, s->nslots * sizeof *s->slots);
    return XQ_OK;
}

/* The place of d in the table: where it is, or an empty one. */
static size_t slot_of(const bk_seen *s, pgn_digest d)
{
    const size_t mask = s->nslots - 1;
    size_t i = (size_t)d.lo & mask;
    while (!is_zero(s->slots[i]) && cmp(s->slots[i], d) != 0)
        i = (i + 1) & mask;
    return i;
}

/* Half full: grow it, or empty it to disk. */
static xq_status make_room(bk_seen *s, xq_err *err)
{
    if (s->nslots == s->most)
        return spill(s, err);
    pgn_digest *const old = s->slots;
    const size_t n = s->nslots;
    s->slots = calloc(2 * n, sizeof *s->slots);
    if (!s->slots) {
        s->slots = old;
        return no_memory(err);
    }
    s->nslots = 2 * n;
    for (size_t i = 0; i < n; i++)
        if (!is_zero(old[i]))
            s->slots[slot_of(s, old[i])] = old[i];
    free(old);
    return XQ_OK;
}

xq_status bk_seen_add(bk_seen *s, pgn_digest d, bool *fresh, xq_err *err)
{
    *fresh = false;
    if (is_zero(d)) {
        *fresh = !s->has_zero;
        s->count += !s->has_zero;
        s->has_zero = true;
        return XQ_OK;
    }
    const size_t i = slot_of(s, d);
    if (!is_zero(s->slots[i]))
        return XQ_OK;
    if (s->nruns > 0 && bloom_has(s, d)) {
        bool found = false;
        for (unsigned k = 0; k < s->nruns && !found; k++) {
            const xq_status rc = run_has(s, s->runs[k], d, &found, err);
            if (rc != XQ_OK)
                return rc;
        }
        if (found)
            return XQ_OK;
    }
    s->slots[i] = d;
    s->used++;
    s->count++;
    *fresh = true;
    return s->used < s->nslots / 2 ? XQ_OK : make_room(s, err);
}

uint64_t bk_seen_count(const bk_seen *s) { return s->count; }

xq_status bk_seen_rewind(bk_seen *s, xq_err *err)
{
    sort_table(s);
    const xq_status rc = open_streams(s, err);
    s->in[s->nin++] = (struct stream){.fd = -1, .buf = s->slots, .n = s->used};
    return rc;
}

xq_status bk_seen_next(bk_seen *s, pgn_digest *d, xq_err *err)
{
    if (s->has_zero) { /* the smallest of all */
        s->has_zero = false;
        *d = (pgn_digest){0, 0};
        return XQ_OK;
    }
    return next_of(s->in, s->nin, d, err);
}

void bk_seen_close(bk_seen *s)
{
    if (!s)
        return;
    if (s->fd >= 0)
        close(s->fd);
    free(s->tmpdir);
    free(s->slots);
    free(s->bloom);
    free(s->bufs);
    free(s);
}
