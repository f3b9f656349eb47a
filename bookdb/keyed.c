/* keyed.c - books that hold keys of another program, no positions.
 *
 * Their rows go into a temporary book of our own under the foreign key, so
 * that memory stays bounded; then a walk from the start position works out
 * the foreign key of each position it meets and looks for rows.  In that book
 * the counts are the mover's (red: won, black: lost), and `unknown` is the
 * number of records that a move was made of. */
#include "bookdb/book_block.h"
#include "bookdb/foreign_parts.h"
#include "bookdb/tmpfile.h"
#include "engine/rules.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bk_keyed {
    void (*keys)(const xq_pos *p, uint64_t out[2]);
    bool folded;
    size_t memory;
    bool (*stop)(void);
    char *dir, *path; /* of the temporary book */
    bk_maker *maker;
    bk_book *book;
    bk_sieve sieve;
    uint64_t records;
    bool one_wing;
    /* what the book says of the position found last: [1]: under the mirror
     * image's key, in its frame */
    bool found[2];
    bk_entry image[2];
};

static xq_status make_dir(bk_keyed *k, xq_err *err)
{
    char *const base = bk_tmpdir(NULL);
    const size_t n = base ? strlen(base) + 32 : 0;
    k->dir = n ? malloc(n) : NULL;
    k->path = n ? malloc(n) : NULL;
    xq_status rc = XQ_OK;
    if (!k->dir || !k->path) {
        rc = xq_fail(err, XQ_ENOMEM, "out of memory");
        free(k->dir);
        k->dir = NULL;
    } else {
        snprintf(k->dir, n, "%s/qipu-XXXXXX", base);
        if (!mkdtemp(k->dir)) {
            rc = xq_fail(err, XQ_EIO,
                         "cannot make a temporary folder in '%s': %s", base,
                         strerror(errno));
            free(k->dir);
            k->dir = NULL;
        } else {
            snprintf(k->path, n, "%s/rows", k->dir);
        }
    }
    free(base);
    return rc;
}

/* The folder goes as soon as the book in it is open, or has failed. */
static void remove_dir(bk_keyed *k)
{
    if (!k->dir)
        return;
    unlink(k->path);
    rmdir(k->dir);
    free(k->dir);
    k->dir = NULL;
}

xq_status bk_keyed_open(bk_keyed **out,
                        void (*keys)(const xq_pos *p, uint64_t out[2]),
                        bool folded, const bk_import_options *o, xq_err *err)
{
    bk_keyed *k = calloc(1, sizeof *k);
    if (!k)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    k->keys = keys;
    k->folded = folded;
    k->memory = o->memory ? o->memory : (size_t)64 << 20;
    k->stop = o->stop;
    const bk_maker_options mo = {
        .memory = k->memory, .threads = 1, .one_wing = true};
    xq_status rc = make_dir(k, err);
    if (rc == XQ_OK)
        rc = bk_maker_open(&k->maker, k->path, &mo, err);
    if (rc != XQ_OK) {
        bk_keyed_close(k);
        return rc;
    }
    *out = k;
    return XQ_OK;
}

xq_status bk_keyed_add(bk_keyed *k, const bk_row *row, xq_err *err)
{
    const bk_tally t = {
        .key = row->key,
        .move = row->move,
        .weight_given = row->given,
        .weight = row->weight,
        .games = {[PGN_RED_WINS] = row->win,
                  [PGN_BLACK_WINS] = row->lost,
                  [PGN_DRAW] = row->draw,
                  [PGN_UNKNOWN] = 1},
    };
    const xq_status rc =
        ++k->records % 65536 == 0 ? bk_stopped(k->stop, err) : XQ_OK;
    if (rc != XQ_OK)
        return rc;
    return bk_maker_put(k->maker, &t, err);
}

static xq_status finish(bk_keyed *k, xq_err *err)
{
    bk_cursor *c = NULL;
    bk_entry *const e = &k->image[0];
    xq_status rc = bk_maker_finish(k->maker, err);
    bk_maker_close(k->maker);
    k->maker = NULL;
    if (rc == XQ_OK)
        rc = bk_book_open(&k->book, k->path, err);
    remove_dir(k);
    if (rc == XQ_OK && !bk_sieve_init(&k->sieve, k->records, k->memory / 4))
        rc = xq_fail(err, XQ_ENOMEM, "out of memory");
    if (rc == XQ_OK)
        rc = bk_cursor_open(&c, k->book, err);
    while (rc == XQ_OK && (rc = bk_cursor_next(c, e, err)) == XQ_OK)
        bk_sieve_add(&k->sieve, e->key);
    bk_cursor_close(c);
    return rc == XQ_DONE ? XQ_OK : rc;
}

/* Under how many keys is p to be looked for? */
static unsigned images(const bk_keyed *k, const xq_pos *p)
{
    return p->key == p->mirror_key || (k->one_wing && !k->folded) ? 1 : 2;
}

static bool maybe(void *ctx, const xq_pos *p)
{
    const bk_keyed *const k = ctx;
    uint64_t keys[2];
    k->keys(p, keys);
    for (unsigned w = 0; w < images(k, p); w++)
        if (bk_sieve_has(&k->sieve, keys[w]))
            return true;
    return false;
}

/* Keep the moves of image w that are legal in p; keys collide. */
static void keep_legal(bk_keyed *k, const xq_pos *p, unsigned w)
{
    bk_entry *const e = &k->image[w];
    unsigned n = 0;
    for (unsigned i = 0; i < e->n; i++) {
        const xq_move m = e->moves[i].move;
        if (xq_move_is_legal(p, w ? xq_move_mirror(m) : m))
            e->moves[n++] = e->moves[i];
    }
    e->n = n;
}

static void add_moves(bk_entry *e, const bk_entry *image, bool mirrored)
{
    const unsigned before = e->n;
    for (unsigned i = 0; i < image->n; i++) {
        bk_book_move m = image->moves[i];
        unsigned j = 0;
        m.move = mirrored ? xq_move_mirror(m.move) : m.move;
        while (j < before && e->moves[j].move != m.move)
            j++;
        if (j == before && e->n < BK_BOOK_MOVES)
            e->moves[e->n++] = m;
    }
}

static xq_status find(void *ctx, const xq_pos *p, bk_entry *e, xq_err *err)
{
    bk_keyed *const k = ctx;
    uint64_t keys[2];
    k->keys(p, keys);
    k->found[0] = k->found[1] = false;
    e->n = 0;
    for (unsigned w = 0; w < images(k, p); w++) {
        if (k->folded && k->found[0])
            break;
        if (!bk_sieve_has(&k->sieve, keys[w]))
            continue;
        const xq_status rc =
            bk_book_find_key(k->book, keys[w], &k->image[w], err);
        if (rc == XQ_ENOTFOUND)
            continue;
        if (rc != XQ_OK)
            return rc;
        keep_legal(k, p, w);
        k->found[w] = k->image[w].n > 0;
        if (k->found[w])
            add_moves(e, &k->image[w], w == 1);
    }
    return e->n > 0 ? XQ_OK : XQ_ENOTFOUND;
}

/* Pass on what was found for p under one of its keys. */
static xq_status put_image(bk_import *im, const xq_pos *p, const bk_entry *e,
                           xq_err *err)
{
    xq_status rc = XQ_OK;
    for (unsigned i = 0; i < e->n && rc == XQ_OK; i++) {
        const bk_book_move *const m = &e->moves[i];
        const bk_row row = {.move = m->move,
                            .given = m->weight_given,
                            .weight = m->weight,
                            .win = m->counts.red,
                            .draw = m->counts.draw,
                            .lost = m->counts.black};
        im->r->taken += m->counts.unknown;
        rc = bk_put_row(im, p, &row, err);
    }
    return rc;
}

static xq_status walk(bk_keyed *k, bk_import *im, bk_walk *w, xq_err *err)
{
    const xq_pos *p;
    const bk_entry *e;
    xq_pos mirror;
    xq_status rc;
    while ((rc = bk_walk_next(w, &p, &e, err)) == XQ_OK) {
        if (++im->r->positions % 1024 == 0)
            rc = bk_stopped(k->stop, err);
        if (rc == XQ_OK && k->found[0])
            rc = put_image(im, p, &k->image[0], err);
        if (rc == XQ_OK && k->found[1]) {
            xq_pos_mirror(&mirror, p);
            rc = put_image(im, &mirror, &k->image[1], err);
        }
        if (rc != XQ_OK)
            return rc;
    }
    return rc == XQ_DONE ? XQ_OK : rc;
}

xq_status bk_keyed_import(bk_keyed *k, bk_import *im, xq_err *err)
{
    const bk_lookup lookup = {k, maybe, find};
    bk_walk *w = NULL;
    xq_pos start;
    k->one_wing = im->one_wing;
    xq_pos_start(&start);
    xq_status rc = finish(k, err);
    if (rc == XQ_OK)
        rc = bk_walk_open(&w, &lookup, im->one_wing, im->o->deep, k->memory / 4,
                          err);
    if (rc == XQ_OK)
        rc = bk_walk_from(w, &start, err);
    for (size_t i = 0; i < im->o->nstarts && rc == XQ_OK; i++)
        rc = bk_walk_from(w, &im->o->starts[i], err);
    if (rc == XQ_OK)
        rc = walk(k, im, w, err);
    bk_walk_close(w);
    /* where keys collide a record is found for two positions */
    if (im->r->taken > k->records) {
        im->r->chance = im->r->taken - k->records;
        im->r->taken = k->records;
    }
    im->r->unreached = k->records - im->r->taken;
    return rc;
}

void bk_keyed_close(bk_keyed *k)
{
    if (!k)
        return;
    bk_maker_close(k->maker);
    bk_book_close(k->book);
    remove_dir(k);
    bk_sieve_free(&k->sieve);
    free(k->path);
    free(k);
}
