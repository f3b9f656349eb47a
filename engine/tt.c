/* tt.c - the hash table of the search.
 *
 * An entry's data in 64 bits:
 *   bits  0-13  move          14  stood on the principal line
 *   bits 16-31  score     32-47  static evaluation
 *   bits 48-55  depth     56-57  bound     58-63  age of the search
 * Depth is stored + 1 so that an entry in use is never 0. */
#include "engine/tt.h"
#include "engine/search.h"

#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

enum { AGES = 64 };

static uint64_t pack(const struct xq_tt_hit *h, unsigned age)
{
    return (uint64_t)h->move | (uint64_t)h->pv << 14 |
           (uint64_t)(uint16_t)h->score << 16 |
           (uint64_t)(uint16_t)h->eval << 32 |
           (uint64_t)(uint8_t)(h->depth + 1) << 48 |
           (uint64_t)(h->bound & 3) << 56 | (uint64_t)age << 58;
}

static unsigned age_of(uint64_t data) { return (unsigned)(data >> 58); }
static int depth_of(uint64_t data) { return (int8_t)(data >> 48) - 1; }
static unsigned bound_of(uint64_t data) { return data >> 56 & 3; }

/* ---- mates, relative to the root and to the position ---- */

static int to_table(int score, int ply)
{
    return XQ_IS_MATE(score)    ? score + ply
           : XQ_IS_MATED(score) ? score - ply
                                : score;
}

static int from_table(int score, int ply)
{
    return XQ_IS_MATE(score)    ? score - ply
           : XQ_IS_MATED(score) ? score + ply
                                : score;
}

/* ---- the table ---- */

static void *allocate(size_t bytes)
{
    const size_t huge = (size_t)2 << 20;
    void *p = NULL;
    /* Large pages spare the processor's address cache; a hint, no need. */
    if (posix_memalign(&p, bytes >= 2 * huge ? huge : 64, bytes) != 0)
        return NULL;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (bytes >= 2 * huge)
        (void)madvise(p, bytes / huge * huge, MADV_HUGEPAGE);
#endif
    return p;
}

xq_status xq_tt_reserve(xq_tt *t, size_t bytes, xq_err *err)
{
    size_t count = bytes / sizeof *t->clusters;
    *t = (xq_tt){NULL, 0, 0};
    if (count > UINT32_MAX)
        count = UINT32_MAX;
    if (count == 0)
        count = 1;
    t->clusters = allocate(count * sizeof *t->clusters);
    if (!t->clusters)
        return xq_fail(err, XQ_ENOMEM, "out of memory: hash table of %zu MiB",
                       bytes >> 20);
    t->count = (uint32_t)count;
    return XQ_OK;
}

xq_status xq_tt_open(xq_tt *t, size_t bytes, xq_err *err)
{
    const xq_status rc = xq_tt_reserve(t, bytes, err);
    if (rc == XQ_OK)
        xq_tt_clear(t);
    return rc;
}

void xq_tt_close(xq_tt *t)
{
    free(t->clusters);
    *t = (xq_tt){NULL, 0, 0};
}

void xq_tt_clear(xq_tt *t)
{
    memset(t->clusters, 0, (size_t)t->count * sizeof *t->clusters);
    t->age = 0;
}

void xq_tt_age(xq_tt *t) { t->age = (uint8_t)((t->age + 1) % AGES); }

static uint64_t load(const struct xq_tt_entry *e, uint64_t *data)
{
    *data = atomic_load_explicit(&e->data, memory_order_relaxed);
    return atomic_load_explicit(&e->check, memory_order_relaxed) ^ *data;
}

unsigned xq_tt_full(const xq_tt *t)
{
    uint32_t sample = t->count < 250 ? t->count : 250, used = 0;
    for (uint32_t i = 0; i < sample; i++)
        for (unsigned k = 0; k < 4; k++) {
            uint64_t data;
            load(&t->clusters[i].entry[k], &data);
            used += data && age_of(data) == t->age;
        }
    return used * 1000 / (sample * 4);
}

bool xq_tt_probe(const xq_tt *t, xq_key key, unsigned ply,
                 struct xq_tt_hit *out)
{
    const struct xq_tt_cluster *c = xq_tt_at(t, key);
    for (unsigned i = 0; i < 4; i++) {
        uint64_t data;
        if (load(&c->entry[i], &data) != key || !data)
            continue;
        out->move = data & 0x3fff;
        out->pv = data >> 14 & 1;
        out->score =
            (int16_t)from_table((int16_t)(uint16_t)(data >> 16), (int)ply);
        out->eval = (int16_t)(uint16_t)(data >> 32);
        out->depth = (int8_t)depth_of(data);
        out->bound = (uint8_t)bound_of(data);
        return true;
    }
    return false;
}

/* Old searches and shallow results first; the lower, the sooner replaced. */
static int worth(const xq_tt *t, uint64_t data)
{
    int behind = (int)((AGES + t->age - age_of(data)) % AGES);
    return data ? depth_of(data) - 8 * behind : -1000;
}

void xq_tt_store(xq_tt *t, xq_key key, unsigned ply,
                 const struct xq_tt_hit *hit)
{
    struct xq_tt_cluster *c = xq_tt_at(t, key);
    struct xq_tt_entry *e = NULL;
    struct xq_tt_hit h = *hit;
    int least = 0;
    if (XQ_IS_RULE(h.score)) {
        h.bound = XQ_TT_NONE;
        h.score = 0;
    }
    h.score = (int16_t)to_table(h.score, (int)ply);
    for (unsigned i = 0; i < 4; i++) {
        uint64_t data, found = load(&c->entry[i], &data);
        if (found == key && data) {
            /* Keep what was looked into more deeply, but for an exact score
             * or a new search. */
            if (h.move == XQ_NOMOVE)
                h.move = data & 0x3fff;
            bool deeper = h.depth + 3 >= depth_of(data);
            if (bound_of(data) != XQ_TT_NONE && h.bound != XQ_TT_EXACT &&
                (h.bound == XQ_TT_NONE || (age_of(data) == t->age && !deeper)))
                return;
            e = &c->entry[i];
            break;
        }
        int w = worth(t, data);
        if (!e || w < least) {
            e = &c->entry[i];
            least = w;
        }
    }
    uint64_t data = pack(&h, t->age);
    atomic_store_explicit(&e->check, key ^ data, memory_order_relaxed);
    atomic_store_explicit(&e->data, data, memory_order_relaxed);
}
