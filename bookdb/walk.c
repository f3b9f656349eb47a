/* walk.c - depth first through the positions that a book knows.
 *
 * A frame is a move that was played and the moves still to be tried behind
 * it.  Which of them lead on is found out when the frame is made, so a frame
 * holds few.  A move is marked MAYBE where the book may know what it leads to:
 * the book is asked when the move is played, for the sieve says yes wrongly
 * now and then.  One marked BRIDGE is played even when the book does not know
 * the position; only known followers of that are tried. */
#include "bookdb/walk.h"

#include "bookdb/seen.h"
#include "engine/key.h"
#include "engine/rules.h"

#include <stdlib.h>

/* beside a move, in bits that it leaves free */
#define MAYBE          0x4000u
#define BRIDGE         0x8000u
#define MARKS          (MAYBE | BRIDGE)
#define DEFAULT_MEMORY ((size_t)32 << 20)

struct frame {
    xq_undo undo;
    size_t at, end; /* its moves in `todo` */
};

struct bk_walk {
    bk_lookup lookup;
    bool one_wing, deep;
    bk_seen *seen;
    xq_pos pos;
    struct frame *frames;
    size_t nframes, capframes;
    uint16_t *todo;
    size_t ntodo, captodo;
    xq_pos *roots;
    size_t nroots, root; /* root: the next one */
    bk_entry entry;
    xq_movelist list;
};

static xq_status no_memory(xq_err *err)
{
    return xq_fail(err, XQ_ENOMEM, "out of memory while walking a book");
}

xq_status bk_walk_open(bk_walk **out, const bk_lookup *l, bool one_wing,
                       bool deep, size_t memory, xq_err *err)
{
    bk_walk *w = calloc(1, sizeof *w);
    if (!w)
        return no_memory(err);
    w->lookup = *l;
    w->one_wing = one_wing;
    w->deep = deep;
    const xq_status rc =
        bk_seen_open(&w->seen, memory ? memory : DEFAULT_MEMORY, NULL, err);
    if (rc != XQ_OK) {
        bk_walk_close(w);
        return rc;
    }
    *out = w;
    return XQ_OK;
}

xq_status bk_walk_from(bk_walk *w, const xq_pos *p, xq_err *err)
{
    xq_pos *roots = realloc(w->roots, (w->nroots + 1) * sizeof *roots);
    if (!roots)
        return no_memory(err);
    w->roots = roots;
    w->roots[w->nroots++] = *p;
    return XQ_OK;
}

static xq_status add_fresh(bk_walk *w, xq_key key, bool *fresh, xq_err *err)
{
    /* keys are well mixed, but the table wants both halves so */
    const pgn_digest d = {key, key * UINT64_C(0x9e3779b97f4a7c15)};
    return bk_seen_add(w->seen, d, fresh, err);
}

static xq_key key_of(const bk_walk *w, const xq_pos *p)
{
    bool mirrored;
    return w->one_wing ? p->key : xq_canon_key(p, &mirrored);
}

static xq_status push_todo(bk_walk *w, unsigned move, xq_err *err)
{
    if (w->ntodo == w->captodo) {
        const size_t cap = w->captodo ? 2 * w->captodo : 4096;
        uint16_t *todo = realloc(w->todo, cap * sizeof *todo);
        if (!todo)
            return no_memory(err);
        w->todo = todo;
        w->captodo = cap;
    }
    w->todo[w->ntodo++] = (uint16_t)move;
    return XQ_OK;
}

static bool is_move_of(const bk_entry *e, xq_move m)
{
    for (unsigned i = 0; i < e->n; i++)
        if (e->moves[i].move == m)
            return true;
    return false;
}

/* Make a frame of w->pos.  Behind moves of `bridges` (NULL: none), or behind
 * all, replies are looked for where the book does not know the position. */
static xq_status push_frame(bk_walk *w, const xq_undo *u,
                            const bk_entry *bridges, bool all, xq_err *err)
{
    if (w->nframes == w->capframes) {
        const size_t cap = w->capframes ? 2 * w->capframes : 256;
        struct frame *frames = realloc(w->frames, cap * sizeof *frames);
        if (!frames)
            return no_memory(err);
        w->frames = frames;
        w->capframes = cap;
    }
    struct frame *const f = &w->frames[w->nframes++];
    if (u)
        f->undo = *u;
    f->at = w->ntodo;
    f->end = f->at;
    xq_gen_legal(&w->pos, &w->list);
    for (unsigned i = 0; i < w->list.n; i++) {
        const xq_move m = w->list.m[i];
        xq_undo undo;
        xq_pos_make(&w->pos, m, &undo);
        unsigned marks = w->lookup.maybe(w->lookup.ctx, &w->pos) ? MAYBE : 0;
        xq_pos_unmake(&w->pos, &undo);
        if (all || (bridges && is_move_of(bridges, m)))
            marks |= BRIDGE;
        const xq_status rc = marks ? push_todo(w, m | marks, err) : XQ_OK;
        if (rc != XQ_OK)
            return rc;
    }
    f->end = w->ntodo;
    return XQ_OK;
}

/* w->pos may be one to report: XQ_OK; XQ_DONE: it was met before;
 * XQ_ENOTFOUND: not known.  The book is asked first: what is not known must
 * not count as met, the next way to it may be a bridge. */
static xq_status look(bk_walk *w, xq_err *err)
{
    bool fresh = false;
    xq_status rc = w->lookup.find(w->lookup.ctx, &w->pos, &w->entry, err);
    if (rc == XQ_OK)
        rc = add_fresh(w, key_of(w, &w->pos), &fresh, err);
    return rc == XQ_OK && !fresh ? XQ_DONE : rc;
}

/* Start at the next root.  XQ_OK, XQ_DONE and XQ_ENOTFOUND as look(); a root
 * that was met before has been walked from. */
static xq_status next_root(bk_walk *w, xq_err *err)
{
    w->pos = w->roots[w->root++];
    w->ntodo = 0;
    const xq_status rc = look(w, err);
    if (rc != XQ_OK && rc != XQ_ENOTFOUND) /* met before, or a failure */
        return rc;
    const bool known = rc == XQ_OK;
    const xq_status pushed =
        push_frame(w, NULL, known ? &w->entry : NULL, w->deep || !known, err);
    return pushed != XQ_OK ? pushed : rc;
}

xq_status bk_walk_next(bk_walk *w, const xq_pos **p, const bk_entry **e,
                       xq_err *err)
{
    *p = &w->pos;
    *e = &w->entry;
    for (;;) {
        xq_status rc;
        if (w->nframes == 0) {
            if (w->root == w->nroots)
                return XQ_DONE;
            rc = next_root(w, err);
            if (rc != XQ_ENOTFOUND && rc != XQ_DONE)
                return rc;
            continue;
        }
        struct frame *const f = &w->frames[w->nframes - 1];
        if (f->at == f->end) { /* all tried */
            if (--w->nframes > 0) {
                xq_pos_unmake(&w->pos, &f->undo);
                w->ntodo = w->frames[w->nframes - 1].end;
            }
            continue;
        }
        const unsigned todo = w->todo[f->at++];
        xq_undo undo;
        xq_pos_make(&w->pos, (xq_move)(todo & ~MARKS), &undo);
        rc = todo & MAYBE ? look(w, err) : XQ_ENOTFOUND;
        if (rc == XQ_OK) {
            return push_frame(w, &undo, &w->entry, w->deep, err);
        } else if (rc == XQ_ENOTFOUND && (todo & BRIDGE)) {
            rc = push_frame(w, &undo, NULL, false, err);
            if (rc != XQ_OK)
                return rc;
        } else if (rc == XQ_ENOTFOUND || rc == XQ_DONE) {
            xq_pos_unmake(&w->pos, &undo);
        } else {
            return rc;
        }
    }
}

xq_status bk_walk_met(bk_walk *w, xq_key key, bool *met, xq_err *err)
{
    bool fresh = true;
    const xq_status rc = add_fresh(w, key, &fresh, err);
    *met = !fresh;
    return rc;
}

void bk_walk_close(bk_walk *w)
{
    if (!w)
        return;
    bk_seen_close(w->seen);
    free(w->frames);
    free(w->todo);
    free(w->roots);
    free(w);
}

/* ---- the sieve ---- */

static uint64_t mix(uint64_t x) /* SplitMix64's */
{
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

bool bk_sieve_init(bk_sieve *s, uint64_t n, size_t memory)
{
    uint64_t bits = 1024;
    while (bits < 16 * n && bits / 4 <= memory)
        bits *= 2;
    s->mask = bits - 1;
    s->words = calloc(bits / 64, 8);
    return s->words != NULL;
}

void bk_sieve_add(bk_sieve *s, uint64_t key)
{
    const uint64_t h = mix(key), a = h & s->mask, b = h >> 32 & s->mask;
    s->words[a / 64] |= UINT64_C(1) << a % 64;
    s->words[b / 64] |= UINT64_C(1) << b % 64;
}

bool bk_sieve_has(const bk_sieve *s, uint64_t key)
{
    const uint64_t h = mix(key), a = h & s->mask, b = h >> 32 & s->mask;
    return (s->words[a / 64] >> a % 64 & s->words[b / 64] >> b % 64 & 1) != 0;
}

void bk_sieve_free(bk_sieve *s)
{
    free(s->words);
    s->words = NULL;
}
