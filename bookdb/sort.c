/* sort.c - sort fixed-size records in bounded memory.
 *
 * In memory: a radix sort from the most significant digit down (radix).
 * Beyond the budget: sorted runs in a temporary file, merged by a tournament
 * tree, at most MAX_FAN at a time; when there are more runs, groups of them
 * are first merged into longer ones. */
#include "bookdb/sort.h"
#include "bookdb/tmpfile.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- in memory ---- */

/* A record is one 128-bit number.  Bits count from the top: 0 is the highest
 * bit of key, 64 the highest of data, 128 means "all used up". */
#define ALL_BITS   128u
#define SPLIT_BITS 11u    /* 2048 lines being filled stay in L2 */
#define SMALL      24u    /* insertion sort up to here */
#define ONE_DIGIT  256u   /* up to here one digit is told apart at a time */
#define IN_CACHE   16384u /* records; two buffers of them stay in L2 */
#define LINE       4u     /* records in a cache line */

static inline bool less(bk_rec a, bk_rec b)
{
    return a.key < b.key || (a.key == b.key && a.data < b.data);
}

/* Sort a[0..n) into `to`, which is a itself or does not overlap it. */
static void insertion_sort(const bk_rec *a, bk_rec *to, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const bk_rec r = a[i];
        size_t j = i;
        for (; j > 0 && less(r, to[j - 1]); j--)
            to[j] = to[j - 1];
        to[j] = r;
    }
}

/* The number that the bits at..at+width of a record make.  A digit lies in
 * key or in data, never in both. */
struct digit {
    bool in_data;
    unsigned shift, mask;
};

static struct digit digit_at(unsigned at, unsigned width)
{
    return (struct digit){at >= 64, 64 - at % 64 - width, (1u << width) - 1};
}

static inline unsigned digit_of(bk_rec r, struct digit d)
{
    return (unsigned)((d.in_data ? r.data : r.key) >> d.shift) & d.mask;
}

static void count_digits(const bk_rec *a, size_t n, struct digit d,
                         uint32_t *counts)
{
    memset(counts, 0, (d.mask + 1u) * sizeof *counts);
    if (d.in_data)
        for (size_t i = 0; i < n; i++)
            counts[(a[i].data >> d.shift) & d.mask]++;
    else
        for (size_t i = 0; i < n; i++)
            counts[(a[i].key >> d.shift) & d.mask]++;
}

/* Counts become the places where buckets begin. */
static void counts_to_starts(uint32_t *counts, unsigned mask)
{
    uint32_t sum = 0;
    for (unsigned d = 0; d <= mask; d++) {
        const uint32_t c = counts[d];
        counts[d] = sum;
        sum += c;
    }
}

/* Move the records of a to their buckets in b.  ends[x] says where bucket x
 * begins, and afterwards where it ends. */
static void scatter(const bk_rec *a, bk_rec *b, size_t n, struct digit d,
                    uint32_t *ends)
{
    if (d.in_data)
        for (size_t i = 0; i < n; i++)
            b[ends[(a[i].data >> d.shift) & d.mask]++] = a[i];
    else
        for (size_t i = 0; i < n; i++)
            b[ends[(a[i].key >> d.shift) & d.mask]++] = a[i];
}

/* The same beyond the cache: for each bucket a line fills up in cache and
 * goes out as a whole. */
static void scatter_lines(const bk_rec *a, bk_rec *b, size_t n, struct digit d,
                          uint32_t *ends)
{
    _Alignas(64) bk_rec lines[1u << SPLIT_BITS][LINE];
    uint32_t starts[1u << SPLIT_BITS];
    memcpy(starts, ends, (d.mask + 1u) * sizeof *starts);
    for (size_t i = 0; i < n; i++) {
        const bk_rec r = a[i];
        const unsigned x = digit_of(r, d);
        const uint32_t at = ends[x]++;
        lines[x][at % LINE] = r;
        if (at % LINE == LINE - 1) {
            const uint32_t from = at - (LINE - 1);
            if (from >= starts[x]) {
                memcpy(b + from, lines[x], sizeof lines[x]);
            } else { /* the bucket begins inside this line */
                for (uint32_t k = starts[x]; k <= at; k++)
                    b[k] = lines[x][k % LINE];
            }
        }
    }
    for (unsigned x = 0; x <= d.mask; x++) { /* lines that did not fill up */
        uint32_t from = ends[x] - ends[x] % LINE;
        if (from < starts[x])
            from = starts[x];
        for (uint32_t k = from; k < ends[x]; k++)
            b[k] = lines[x][k % LINE];
    }
}

/* The first bit in which two of the records differ. */
static unsigned first_difference(const bk_rec *a, size_t n)
{
    uint64_t key = 0, data = 0;
    for (size_t i = 1; i < n; i++) {
        key |= a[i].key ^ a[0].key;
        data |= a[i].data ^ a[0].data;
    }
    if (key)
        return (unsigned)__builtin_clzll(key);
    return data ? 64 + (unsigned)__builtin_clzll(data) : ALL_BITS;
}

static void radix(bk_rec *a, bk_rec *b, size_t n, unsigned at, bool to_b);

/* Sort by two digits, the lower one first, then look after the records that
 * agree in both. */
static void two_digits(bk_rec *a, bk_rec *b, size_t n, unsigned at,
                       unsigned width, bool to_b)
{
    uint32_t ends[256];
    const unsigned high = width / 2, low = width - high;
    struct digit d = digit_at(at + high, low);
    count_digits(a, n, d, ends);
    counts_to_starts(ends, d.mask);
    scatter(a, b, n, d, ends);
    d = digit_at(at, high);
    count_digits(a, n, d, ends);
    counts_to_starts(ends, d.mask);
    scatter(b, a, n, d, ends);

    d = digit_at(at, width);
    bk_rec *const to = to_b ? b : a;
    for (size_t i = 0, j; i < n; i = j) {
        const unsigned x = digit_of(a[i], d);
        for (j = i + 1; j < n && digit_of(a[j], d) == x; j++)
            ;
        if (j - i == 1)
            to[i] = a[i];
        else if (j - i <= SMALL)
            insertion_sort(a + i, to + i, j - i);
        else
            radix(a + i, b + i, j - i, at + width, to_b);
    }
}

/* Sort a[0..n), whose records agree in the bits before `at`; b is as long.
 * The result goes to b when to_b is set, else it stays in a. */
static void radix(bk_rec *a, bk_rec *b, size_t n, unsigned at, bool to_b)
{
    if (n <= SMALL) {
        insertion_sort(a, to_b ? b : a, n);
        return;
    }
    /* Equal keys are many in openings, and small numbers leave high bits
     * unused: go on at the first bit that tells records apart. */
    if (at > 0 || a[0].key >> 53 == a[n - 1].key >> 53) {
        const unsigned differ = first_difference(a, n);
        if (differ == ALL_BITS) {
            if (to_b)
                memcpy(b, a, n * sizeof *a);
            return;
        }
        at = differ > at ? differ : at;
    }
    const unsigned left = 64 - at % 64;
    if (n > ONE_DIGIT && n <= IN_CACHE) {
        two_digits(a, b, n, at, left < 16 ? left : 16, to_b);
        return;
    }
    uint32_t ends[1u << SPLIT_BITS];
    unsigned width = n <= ONE_DIGIT ? 7 : SPLIT_BITS;
    width = left < width ? left : width;
    const struct digit d = digit_at(at, width);
    count_digits(a, n, d, ends);
    counts_to_starts(ends, d.mask);
    if (n > IN_CACHE)
        scatter_lines(a, b, n, d, ends);
    else
        scatter(a, b, n, d, ends);
    uint32_t from = 0;
    for (unsigned x = 0; x <= d.mask; x++) {
        if (ends[x] > from)
            radix(b + from, a + from, ends[x] - from, at + width, !to_b);
        from = ends[x];
    }
}

void bk_radix_sort(bk_rec *recs, bk_rec *scratch, size_t n)
{
    /* Positions inside radix are 32 bits: halves beyond that are merged. */
    if (n <= UINT32_MAX) {
        radix(recs, scratch, n, 0, false);
        return;
    }
    const size_t half = n / 2;
    bk_radix_sort(recs, scratch, half);
    bk_radix_sort(recs + half, scratch + half, n - half);
    memcpy(scratch, recs, n * sizeof *recs);
    size_t i = 0, j = half;
    for (size_t k = 0; k < n; k++)
        recs[k] = j == n || (i < half && !less(scratch[j], scratch[i]))
                      ? scratch[i++]
                      : scratch[j++];
}

/* ---- runs on disk ---- */

#define MAX_FAN    64u
#define MIN_MEMORY (UINT64_C(64) << 10)

struct run {
    uint64_t at, end; /* bytes in the file; `at` moves on while merging */
};

/* Sorted runs, one behind the other in an unlinked file. */
struct runs {
    int fd; /* -1: no file yet */
    uint64_t size;
    struct run *v;
    size_t n, cap;
};

/* One input of a merge: what is in memory of a run. */
struct input {
    struct run run;
    bk_rec *buf;
    size_t cap, n, i;
};

/* A tournament of the inputs.  tree[1..k) holds the losers of the matches
 * on the way up, tree[0] the winner. */
struct merge {
    struct input *in;
    uint32_t *tree;
    uint32_t k;
    int fd;
};

/* Records are split by their highest bits as they come, into lists of chunks:
 * sorting then goes bucket by bucket, in cache. */
#define BUCKET_BITS 9u
#define CHUNK       128u /* records; 2 KiB */
#define NO_CHUNK    UINT32_MAX

struct bucket {
    bk_rec *at, *end; /* free places of the last chunk */
    uint32_t first, last;
    size_t n; /* records in full chunks and the last one's places */
};

struct bk_sort {
    char *tmpdir;
    bk_rec *pool; /* pool_n records: the chunks; buffers while merging */
    size_t pool_n;
    uint32_t *links; /* of each chunk, the next of its bucket */
    uint32_t nchunks, used;
    unsigned shift;      /* from key to bucket */
    size_t nbuckets, at; /* at: the next one to hand out */
    struct bucket buckets[1u << BUCKET_BITS];
    bk_rec *work, *scratch; /* work_n each: a bucket being sorted */
    size_t work_n;
    struct ahead *ahead; /* NULL: buckets are sorted when they are asked for */
    bk_rec *second;      /* work_n more for it, or NULL */
    struct runs runs;
    struct merge merge;
    bool merging;
};

static xq_status no_memory(xq_err *err)
{
    return xq_fail(err, XQ_ENOMEM, "out of memory while sorting");
}

static void close_runs(struct runs *r)
{
    if (r->fd >= 0)
        close(r->fd);
    free(r->v);
    *r = (struct runs){.fd = -1};
}

/* Append to the run being written. */
static xq_status write_recs(const bk_sort *s, struct runs *r,
                            const bk_rec *recs, size_t n, xq_err *err)
{
    const size_t bytes = n * sizeof *recs;
    const xq_status rc =
        bk_tmp_write(r->fd, recs, bytes, r->size, s->tmpdir, err);
    r->size += bytes;
    return rc;
}

/* Note that the file from `at` to its end is a run. */
static xq_status end_run(struct runs *r, uint64_t at, xq_err *err)
{
    if (r->n == r->cap) {
        const size_t cap = r->cap ? 2 * r->cap : 16;
        struct run *v = realloc(r->v, cap * sizeof *v);
        if (!v)
            return no_memory(err);
        r->v = v;
        r->cap = cap;
    }
    r->v[r->n++] = (struct run){at, r->size};
    return XQ_OK;
}

/* ---- merging ---- */

static xq_status refill(const struct merge *m, struct input *in, xq_err *err)
{
    const uint64_t left = in->run.end - in->run.at;
    const uint64_t want = in->cap * sizeof *in->buf;
    const size_t bytes = (size_t)(left < want ? left : want);
    const xq_status rc = bk_tmp_read(m->fd, in->buf, bytes, in->run.at, err);
    in->run.at += bytes;
    in->n = bytes / sizeof *in->buf;
    in->i = 0;
    return rc;
}

static bool beats(const struct merge *m, uint32_t x, uint32_t y)
{
    const struct input *a = &m->in[x], *b = &m->in[y];
    if (a->i == a->n || b->i == b->n)
        return b->i == b->n;
    return less(a->buf[a->i], b->buf[b->i]);
}

/* Play the matches of the subtree at `node`; returns its winner. */
static uint32_t play(struct merge *m, uint32_t node)
{
    if (node >= m->k)
        return node - m->k;
    const uint32_t x = play(m, 2 * node), y = play(m, 2 * node + 1);
    const bool first = beats(m, x, y);
    m->tree[node] = first ? y : x;
    return first ? x : y;
}

static void end_merge(struct merge *m)
{
    free(m->in);
    free(m->tree);
    *m = (struct merge){0};
}

/* Begin to merge k runs of a file; buf holds cap records for all of them. */
static xq_status start_merge(struct merge *m, int fd, const struct run *v,
                             uint32_t k, bk_rec *buf, size_t cap, xq_err *err)
{
    *m = (struct merge){.k = k, .fd = fd};
    m->in = calloc(k, sizeof *m->in);
    m->tree = calloc(k, sizeof *m->tree);
    if (!m->in || !m->tree) {
        end_merge(m);
        return no_memory(err);
    }
    for (uint32_t i = 0; i < k; i++) {
        m->in[i] = (struct input){
            .run = v[i], .buf = buf + i * (cap / k), .cap = cap / k};
        const xq_status rc = refill(m, &m->in[i], err);
        if (rc != XQ_OK) {
            end_merge(m);
            return rc;
        }
    }
    m->tree[0] = play(m, 1);
    return XQ_OK;
}

/* Up to cap records in rising order; *n 0 at the end. */
static xq_status next_merged(struct merge *m, bk_rec *out, size_t cap,
                             size_t *n, xq_err *err)
{
    size_t made = 0;
    while (made < cap) {
        uint32_t w = m->tree[0];
        struct input *in = &m->in[w];
        if (in->i == in->n) /* the best of all is empty: all are */
            break;
        out[made++] = in->buf[in->i++];
        if (in->i == in->n && in->run.at < in->run.end) {
            const xq_status rc = refill(m, in, err);
            if (rc != XQ_OK)
                return rc;
        }
        for (uint32_t node = (w + m->k) / 2; node > 0; node /= 2) {
            const uint32_t rival = m->tree[node];
            if (beats(m, rival, w)) {
                m->tree[node] = w;
                w = rival;
            }
        }
        m->tree[0] = w;
    }
    *n = made;
    return XQ_OK;
}

/* ---- the sorter ---- */

static void clear_buckets(bk_sort *s)
{
    s->used = 0;
    for (size_t i = 0; i < s->nbuckets; i++)
        s->buckets[i] = (struct bucket){.first = NO_CHUNK, .last = NO_CHUNK};
}

/* Memory that is never touched takes no room.  (Tried: large pages, whose
 * clearing cost more than they saved; one buffer that is split at the end, in
 * place of buckets that fill as records come: 40 MiB and 0.06 s more for CCPD's
 * book.) */
static bool get_memory(bk_sort *s, size_t memory, bool ahead)
{
    /* A fifth for the two or three buffers in which buckets are sorted: a full
     * bucket ends a run, and buckets of mixed keys are far from it. */
    s->work_n = memory / (ahead ? 15 : 10) / sizeof(bk_rec);
    const size_t chunks = memory / 10 * 8 / (CHUNK * sizeof(bk_rec) + 4);
    s->nchunks = chunks < NO_CHUNK ? (uint32_t)chunks : NO_CHUNK - 1;
    s->pool_n = (size_t)s->nchunks * CHUNK;
    s->pool = malloc(s->pool_n * sizeof *s->pool);
    s->work = malloc((ahead ? 3 : 2) * s->work_n * sizeof *s->work);
    s->links = malloc(s->nchunks * sizeof *s->links);
    if (s->pool && s->work && s->links)
        return true;
    free(s->pool);
    free(s->work);
    free(s->links);
    s->pool = s->work = NULL;
    s->links = NULL;
    return false;
}

xq_status bk_sort_open(bk_sort **out, const bk_sort_options *opts, xq_err *err)
{
    bk_sort *s = calloc(1, sizeof *s);
    if (!s)
        return no_memory(err);
    s->runs.fd = -1;
    s->tmpdir = bk_tmpdir(opts ? opts->tmpdir : NULL);
    size_t memory = opts && opts->memory ? opts->memory : (size_t)128 << 20;
    if (memory < MIN_MEMORY)
        memory = MIN_MEMORY;
    const bool ahead = opts && opts->threads > 1;
    /* "At most so much" is no reason to fail where there is less. */
    bool got = s->tmpdir && get_memory(s, memory, ahead);
    while (!got && s->tmpdir && memory / 2 >= MIN_MEMORY)
        got = get_memory(s, memory /= 2, ahead);
    if (!got) {
        bk_sort_close(s);
        return no_memory(err);
    }
    unsigned bits = 1; /* some chunks for each bucket */
    while (bits < BUCKET_BITS && 4u << bits < s->nchunks)
        bits++;
    s->nbuckets = (size_t)1 << bits;
    s->shift = 64 - bits;
    s->scratch = s->work + s->work_n;
    s->second = ahead ? s->scratch + s->work_n : NULL;
    clear_buckets(s);
    *out = s;
    return XQ_OK;
}

/* Collect a bucket in `work` and sort it; returns how many records it has. */
static size_t sort_bucket(const bk_sort *s, const struct bucket *b,
                          bk_rec *work)
{
    size_t n = 0;
    for (uint32_t c = b->first; c != NO_CHUNK; c = s->links[c]) {
        const bk_rec *const from = s->pool + (size_t)c * CHUNK;
        const size_t k = c == b->last ? (size_t)(b->at - from) : CHUNK;
        memcpy(work + n, from, k * sizeof *from);
        n += k;
        if (c == b->last)
            break;
    }
    radix(work, s->scratch, n, 64 - s->shift, false);
    return n;
}

/* Write what is in memory as a run. */
static xq_status spill(bk_sort *s, xq_err *err)
{
    xq_status rc = XQ_OK;
    if (s->runs.fd < 0)
        rc = bk_tmp_open(&s->runs.fd, s->tmpdir, err);
    const uint64_t at = s->runs.size;
    for (size_t i = 0; i < s->nbuckets && rc == XQ_OK; i++) {
        const size_t n = sort_bucket(s, &s->buckets[i], s->work);
        rc = write_recs(s, &s->runs, s->work, n, err);
    }
    if (rc == XQ_OK)
        rc = end_run(&s->runs, at, err);
    clear_buckets(s);
    return rc;
}

/* Give a bucket another chunk. */
static xq_status grow_bucket(bk_sort *s, struct bucket *b, xq_err *err)
{
    if (s->used == s->nchunks || b->n + CHUNK > s->work_n) {
        const xq_status rc = spill(s, err);
        if (rc != XQ_OK)
            return rc;
    }
    const uint32_t c = s->used++;
    if (b->last == NO_CHUNK)
        b->first = c;
    else
        s->links[b->last] = c;
    b->last = c;
    b->at = s->pool + (size_t)c * CHUNK;
    b->end = b->at + CHUNK;
    b->n += CHUNK;
    return XQ_OK;
}

xq_status bk_sort_add(bk_sort *s, const bk_rec *recs, size_t n, xq_err *err)
{
    for (size_t i = 0; i < n; i++) {
        struct bucket *const b = &s->buckets[recs[i].key >> s->shift];
        if (b->at == b->end) {
            const xq_status rc = grow_bucket(s, b, err);
            if (rc != XQ_OK)
                return rc;
        }
        *b->at++ = recs[i];
    }
    return XQ_OK;
}

/* Merge the runs in groups of MAX_FAN into longer ones, in a new file. */
static xq_status merge_groups(bk_sort *s, xq_err *err)
{
    struct runs longer = {.fd = -1};
    xq_status rc = bk_tmp_open(&longer.fd, s->tmpdir, err);
    for (size_t i = 0; rc == XQ_OK && i < s->runs.n; i += MAX_FAN) {
        const size_t left = s->runs.n - i;
        const uint32_t k = left < MAX_FAN ? (uint32_t)left : MAX_FAN;
        const uint64_t at = longer.size;
        struct merge m;
        size_t n = 1;
        rc = start_merge(&m, s->runs.fd, s->runs.v + i, k, s->pool, s->pool_n,
                         err);
        if (rc != XQ_OK)
            break;
        while (rc == XQ_OK && n > 0) {
            rc = next_merged(&m, s->work, 2 * s->work_n, &n, err);
            if (rc == XQ_OK)
                rc = write_recs(s, &longer, s->work, n, err);
        }
        end_merge(&m);
        if (rc == XQ_OK)
            rc = end_run(&longer, at, err);
    }
    close_runs(rc == XQ_OK ? &s->runs : &longer);
    if (rc == XQ_OK)
        s->runs = longer;
    return rc;
}

/* ---- sorting ahead: one bucket sorted while the caller has another ---- */

struct ahead {
    bk_sort *s;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t moved;
    bk_rec *work[2];
    size_t n[2];
    size_t sorted, given, back; /* buckets; bucket i lies in work[i % 2] */
    bool stop;
};

static void *sort_ahead(void *arg)
{
    struct ahead *a = arg;
    for (size_t i = 0; i < a->s->nbuckets; i++) {
        pthread_mutex_lock(&a->lock);
        while (!a->stop && i >= a->back + 2)
            pthread_cond_wait(&a->moved, &a->lock);
        const bool stop = a->stop;
        pthread_mutex_unlock(&a->lock);
        if (stop)
            break;
        const size_t n = sort_bucket(a->s, &a->s->buckets[i], a->work[i % 2]);
        pthread_mutex_lock(&a->lock);
        a->n[i % 2] = n;
        a->sorted = i + 1;
        pthread_cond_signal(&a->moved);
        pthread_mutex_unlock(&a->lock);
    }
    return NULL;
}

/* Where no thread can be had, buckets are sorted as they are asked for. */
static void start_ahead(bk_sort *s)
{
    struct ahead *a = calloc(1, sizeof *a);
    if (!a)
        return;
    a->s = s;
    a->work[0] = s->work;
    a->work[1] = s->second;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->moved, NULL);
    if (pthread_create(&a->thread, NULL, sort_ahead, a) == 0) {
        s->ahead = a;
        return;
    }
    pthread_cond_destroy(&a->moved);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

static void end_ahead(bk_sort *s)
{
    struct ahead *a = s->ahead;
    if (!a)
        return;
    pthread_mutex_lock(&a->lock);
    a->stop = true;
    pthread_cond_signal(&a->moved);
    pthread_mutex_unlock(&a->lock);
    pthread_join(a->thread, NULL);
    pthread_cond_destroy(&a->moved);
    pthread_mutex_destroy(&a->lock);
    free(a);
    s->ahead = NULL;
}

/* The next bucket, if any; the one given before goes back. */
static size_t take_ahead(struct ahead *a, const bk_rec **recs)
{
    size_t n = 0;
    pthread_mutex_lock(&a->lock);
    a->back = a->given;
    pthread_cond_signal(&a->moved);
    if (a->given < a->s->nbuckets) {
        while (a->sorted == a->given)
            pthread_cond_wait(&a->moved, &a->lock);
        n = a->n[a->given % 2];
        *recs = a->work[a->given % 2];
        a->given++;
    }
    pthread_mutex_unlock(&a->lock);
    return n;
}

xq_status bk_sort_finish(bk_sort *s, xq_err *err)
{
    s->at = 0;
    if (s->runs.n == 0) {
        if (s->second && s->used > 1024)
            start_ahead(s);
        return XQ_OK;
    }
    xq_status rc = s->used > 0 ? spill(s, err) : XQ_OK;
    while (rc == XQ_OK && s->runs.n > MAX_FAN)
        rc = merge_groups(s, err);
    if (rc == XQ_OK) {
        rc = start_merge(&s->merge, s->runs.fd, s->runs.v, (uint32_t)s->runs.n,
                         s->pool, s->pool_n, err);
        s->merging = rc == XQ_OK;
    }
    return rc;
}

xq_status bk_sort_next(bk_sort *s, const bk_rec **recs, size_t *n, xq_err *err)
{
    *recs = s->work;
    if (s->merging) {
        /* A stretch that stays in cache while the caller looks at it. */
        const size_t most = s->work_n < IN_CACHE ? s->work_n : IN_CACHE;
        const xq_status rc = next_merged(&s->merge, s->work, most, n, err);
        return rc != XQ_OK ? rc : *n > 0 ? XQ_OK : XQ_DONE;
    }
    *n = 0;
    while (s->at < s->nbuckets && *n == 0) {
        const struct bucket *const b = &s->buckets[s->at++];
        *n = s->ahead ? take_ahead(s->ahead, recs) : sort_bucket(s, b, s->work);
    }
    return *n > 0 ? XQ_OK : XQ_DONE;
}

void bk_sort_close(bk_sort *s)
{
    if (!s)
        return;
    end_ahead(s);
    end_merge(&s->merge);
    close_runs(&s->runs);
    free(s->pool);
    free(s->work);
    free(s->links);
    free(s->tmpdir);
    free(s);
}
