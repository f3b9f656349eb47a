/* sort.h - sort fixed-size records in bounded memory.
 *
 *   bk_sort_open(&s, &(bk_sort_options){.memory = 128 << 20}, &err);
 *   bk_sort_add(s, recs, n, &err);                 as often as needed
 *   bk_sort_finish(s, &err);
 *   while (bk_sort_next(s, &recs, &n, &err) == XQ_OK)   in rising order
 *       ...
 *   bk_sort_close(s);
 *
 * A record is two 64-bit numbers, ordered by `key`, then `data`.  Records
 * collect in memory; when the budget is used up they are sorted (radix) and
 * written to a temporary file as a run; finish merges the runs.  Equal records
 * are all kept: what they mean is the caller's business.  What comes out
 * depends on the set of records only, not on their order or the budget.
 * Temporary files are unlinked at once after creation: a killed process
 * leaves none. */
#ifndef BK_SORT_H
#define BK_SORT_H

#include "engine/base.h"

typedef struct bk_rec {
    uint64_t key;
    uint64_t data;
} bk_rec;

/* Sort recs[0..n) by (key, data); scratch holds n records too and its contents
 * are lost.  Keys are taken to be well mixed (Zobrist keys): most significant
 * digits first, then buckets that fit the cache.  Any input is sorted
 * correctly. */
void bk_radix_sort(bk_rec *recs, bk_rec *scratch, size_t n);

typedef struct bk_sort bk_sort;

typedef struct bk_sort_options {
    size_t memory;      /* bytes for records and scratch together; 0: 128 MiB */
    const char *tmpdir; /* NULL: TMPDIR, else /var/tmp, else /tmp */
    unsigned threads;   /* 2 or more: one may sort ahead of the caller */
} bk_sort_options;

xq_status bk_sort_open(bk_sort **s, const bk_sort_options *opts, xq_err *err);
/* XQ_ENOMEM, or XQ_EIO when a run could not be written (full disk). */
xq_status bk_sort_add(bk_sort *s, const bk_rec *recs, size_t n, xq_err *err);
xq_status bk_sort_finish(bk_sort *s, xq_err *err);
/* The next stretch of the sorted records, valid until the next call.
 * XQ_DONE at the end. */
xq_status bk_sort_next(bk_sort *s, const bk_rec **recs, size_t *n, xq_err *err);
void bk_sort_close(bk_sort *s);

#endif
