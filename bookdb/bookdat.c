/* bookdat.c - BOOK.DAT of ElephantEye and XQWizard (formats reference 5.1).
 *
 * Records of 8 bytes, little-endian, rising by lock:
 *
 *   0  lock (4)    hash of the position: its "lock1"
 *   4  from, to    bytes of a 16 x 16 board
 *   6  weight (2)
 *
 * One of a position and its mirror image is kept: that with the smaller lock1
 * (or lock0, where these are equal).  Where a position is its own image both
 * moves are. */
#include "bookdb/book_block.h"
#include "bookdb/foreign_parts.h"
#include "bookdb/sort.h"
#include "bookdb_bookdat.inc"

#include <string.h>

void bk_bookdat_locks(const xq_pos *p, uint32_t *lock0, uint32_t *lock1)
{
    uint32_t a = p->side == XQ_BLACK ? BOOKDAT_BLACK_LOCK0 : 0;
    uint32_t b = p->side == XQ_BLACK ? BOOKDAT_BLACK_LOCK1 : 0;
    for (unsigned s = 0; s < XQ_SQUARES; s++)
        if (p->at[s] != XQ_EMPTY) {
            const uint32_t *const l = LOCKS[bk_piece14(p->at[s])][s];
            a ^= l[0];
            b ^= l[1];
        }
    *lock0 = a;
    *lock1 = b;
}

/* Of both wings at once; [w][0] is lock0. */
static void both_locks(const xq_pos *p, uint32_t out[2][2])
{
    out[0][0] = out[1][0] = p->side == XQ_BLACK ? BOOKDAT_BLACK_LOCK0 : 0;
    out[0][1] = out[1][1] = p->side == XQ_BLACK ? BOOKDAT_BLACK_LOCK1 : 0;
    for (unsigned s = 0; s < XQ_SQUARES; s++)
        if (p->at[s] != XQ_EMPTY) {
            const unsigned piece = bk_piece14(p->at[s]);
            for (unsigned w = 0; w < 2; w++) {
                const uint32_t *const l = LOCKS[piece][w ? xq_sq_mirror[s] : s];
                out[w][0] ^= l[0];
                out[w][1] ^= l[1];
            }
        }
}

bool bk_bookdat_decode(const uint8_t rec[8], bk_row *row)
{
    const xq_sq from = bk_xqbase_sq(rec[4]), to = bk_xqbase_sq(rec[5]);
    memset(row, 0, sizeof *row);
    row->key = rec[0] | (uint32_t)rec[1] << 8 | (uint32_t)rec[2] << 16 |
               (uint32_t)rec[3] << 24;
    row->given = true;
    row->weight = rec[6] | (unsigned)rec[7] << 8;
    if (from == XQ_NOSQ || to == XQ_NOSQ)
        return false;
    row->move = xq_move_make(from, to);
    return bk_move_storable(row->move);
}

static void keys(const xq_pos *p, uint64_t out[2])
{
    uint32_t locks[2][2];
    both_locks(p, locks);
    out[0] = locks[0][1];
    out[1] = locks[1][1];
}

xq_status bk_bookdat_import(bk_import *im, xq_err *err)
{
    bk_keyed *k = NULL;
    uint8_t rec[8];
    size_t got;
    bk_row row;
    xq_status rc = bk_keyed_open(&k, keys, true, im->o, err);
    while (rc == XQ_OK) {
        rc = bk_input_read(im->in, rec, sizeof rec, &got, err);
        if (rc != XQ_OK || got < sizeof rec) {
            im->r->trailing = (unsigned)got;
            break;
        }
        im->r->records++;
        if (bk_bookdat_decode(rec, &row))
            rc = bk_keyed_add(k, &row, err);
        else
            im->r->unreadable++;
    }
    if (rc == XQ_OK)
        rc = bk_keyed_import(k, im, err);
    bk_keyed_close(k);
    return rc;
}

/* ---- export ---- */

/* Sorted by lock1 and lock0: key; data: move in 14 bits, weight in 32. */
static xq_status sort_position(bk_sort *sort, const xq_pos *p,
                               const bk_entry *e, bool one_wing, xq_err *err)
{
    uint32_t l[2][2];
    both_locks(p, l);
    const bool other =
        l[1][1] < l[0][1] || (l[1][1] == l[0][1] && l[1][0] < l[0][0]);
    const bool symmetric = p->key == p->mirror_key;
    bk_rec recs[2 * BK_BOOK_MOVES];
    size_t n = 0;
    for (unsigned i = 0; i < e->n; i++) {
        const uint64_t weight = e->moves[i].weight;
        const xq_move m = e->moves[i].move, mirror = xq_move_mirror(m);
        const uint64_t key = (uint64_t)l[other][1] << 32 | l[other][0];
        recs[n++] =
            (bk_rec){key, (uint64_t)(other ? mirror : m) << 32 | weight};
        if (symmetric && !one_wing && mirror != m)
            recs[n++] = (bk_rec){key, (uint64_t)mirror << 32 | weight};
    }
    return bk_sort_add(sort, recs, n, err);
}

static xq_status write_record(bk_export *x, uint32_t lock, xq_move m,
                              uint32_t weight, xq_err *err)
{
    const uint8_t from = bk_xqbase_of(xq_move_from(m));
    const uint8_t to = bk_xqbase_of(xq_move_to(m));
    const uint8_t rec[8] = {(uint8_t)lock,
                            (uint8_t)(lock >> 8),
                            (uint8_t)(lock >> 16),
                            (uint8_t)(lock >> 24),
                            from,
                            to,
                            (uint8_t)weight,
                            (uint8_t)(weight >> 8)};
    const uint64_t words[] = {x->r->records, lock, m, weight};
    x->sum += bk_hash_words(words, 4); /* order counts */
    x->r->records++;
    return fwrite(rec, 1, sizeof rec, x->f) == sizeof rec
               ? XQ_OK
               : bk_export_failed(x, err);
}

/* All moves under one lock, in `e`; positions: how many they are of. */
static xq_status write_lock(bk_export *x, uint32_t lock, const bk_entry *e,
                            unsigned positions, xq_err *err)
{
    uint32_t weights[BK_BOOK_MOVES];
    xq_status rc = XQ_OK;
    x->r->collided += positions - 1;
    bk_export_weights(x, e, UINT16_MAX, true, weights);
    for (unsigned i = 0; i < e->n && rc == XQ_OK; i++)
        rc = write_record(x, lock, e->moves[i].move, weights[i], err);
    return rc;
}

static xq_status write_sorted(bk_export *x, bk_sort *sort, xq_err *err)
{
    const bk_rec *recs;
    size_t n;
    bk_entry e = {.n = 0};
    uint64_t last = 0; /* the key written last */
    unsigned positions = 0;
    xq_status rc;
    while ((rc = bk_sort_next(sort, &recs, &n, err)) == XQ_OK)
        for (size_t i = 0; i < n; i++) {
            const uint64_t key = recs[i].key;
            const xq_move m = (xq_move)(recs[i].data >> 32);
            const uint32_t w = (uint32_t)recs[i].data;
            if (positions > 0 && key >> 32 != last >> 32) {
                rc = write_lock(x, (uint32_t)(last >> 32), &e, positions, err);
                if (rc != XQ_OK)
                    return rc;
                e.n = positions = 0;
            }
            if (positions == 0 || key != last)
                positions++;
            last = key;
            /* a --one-wing book has both images: they are one here */
            unsigned j = 0;
            while (j < e.n && e.moves[j].move != m)
                j++;
            if (j < e.n) {
                e.moves[j].weight = bk_add32(e.moves[j].weight, w);
            } else if (e.n < BK_BOOK_MOVES) {
                e.moves[e.n++] = (bk_book_move){.move = m, .weight = w};
            }
        }
    if (rc == XQ_DONE && positions > 0)
        rc = write_lock(x, (uint32_t)(last >> 32), &e, positions, err);
    return rc == XQ_DONE ? XQ_OK : rc;
}

static xq_status read_back(bk_export *x, xq_err *err)
{
    uint8_t rec[8];
    bk_row row;
    uint64_t n = 0;
    if (fflush(x->f) != 0)
        return bk_export_failed(x, err);
    rewind(x->f);
    for (; fread(rec, 1, sizeof rec, x->f) == sizeof rec; n++) {
        if (!bk_bookdat_decode(rec, &row))
            continue;
        const uint64_t words[] = {n, row.key, row.move, row.weight};
        x->check += bk_hash_words(words, 4);
    }
    return ferror(x->f) ? bk_export_failed(x, err) : XQ_OK;
}

xq_status bk_bookdat_export(bk_export *x, xq_err *err)
{
    const bk_sort_options o = {.memory = x->memory / 2, .threads = 1};
    bk_sort *sort = NULL;
    const xq_pos *p;
    const bk_entry *e;
    xq_status rc = bk_sort_open(&sort, &o, err);
    while (rc == XQ_OK && (rc = bk_export_next(x, &p, &e, err)) == XQ_OK)
        rc = sort_position(sort, p, e, x->one_wing, err);
    if (rc == XQ_DONE)
        rc = bk_sort_finish(sort, err);
    if (rc == XQ_OK)
        rc = write_sorted(x, sort, err);
    bk_sort_close(sort);
    return rc == XQ_OK ? read_back(x, err) : rc;
}
