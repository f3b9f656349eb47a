/* db_near.c - games that are probably the same, though not byte for byte.
 *
 * A game's line is hashed ply by ply over canonical keys, so that a game and
 * its mirror image agree.  The hashes of whole games stand in a table; each
 * game is then replayed and asked at every ply whether another ends there. */
#include "bookdb/db_internal.h"
#include "bookdb/record.h"

#include "engine/key.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    uint64_t line;  /* hash over canonical keys; 0: free slot */
    uint64_t plain; /* over plain keys */
    uint64_t id;    /* of the first game with this line */
};

struct bk_near {
    struct bk_view v, other;
    uint32_t min_plies;
    struct entry *slots;
    size_t nslots;
    uint64_t id; /* current game */
    struct pairs {
        bk_near_pair *v;
        size_t n, at, cap;
    } pairs; /* of the current game */
};

static uint64_t step(uint64_t h, uint64_t key)
{
    h = (h ^ key) * UINT64_C(0x9E3779B97F4A7C15);
    h ^= h >> 29;
    h *= UINT64_C(0xBF58476D1CE4E5B9);
    return (h ^ h >> 32) | 1;
}

struct lines {
    uint64_t line, plain;
};

static void lines_step(struct lines *l, const xq_pos *p)
{
    bool mirrored;
    l->line = step(l->line, xq_canon_key(p, &mirrored));
    l->plain = step(l->plain, p->key);
}

static struct entry *slot_of(const bk_near *n, uint64_t line)
{
    size_t i = (size_t)line & (n->nslots - 1);
    i = (i >> 1) & (n->nslots - 1); /* the lowest bit is always 1 */
    while (n->slots[i].line && n->slots[i].line != line)
        i = (i + 1) & (n->nslots - 1);
    return &n->slots[i];
}

/* Head and replay of a game; XQ_ENOTFOUND for those left out. */
static xq_status begin(bk_near *n, uint64_t id, bk_replay *r, xq_err *err)
{
    const uint8_t *p;
    size_t size;
    xq_pos start;
    xq_status rc = bk_view_head(&n->v, id, err);
    if (rc != XQ_OK)
        return rc;
    const struct bk_head *h = &n->v.head.head;
    if ((h->flags & (BK_H_DELETED | BK_H_GONE)) || h->plies < n->min_plies)
        return XQ_ENOTFOUND;
    rc = bk_view_start(&n->v, h, &start, err);
    if (rc == XQ_OK)
        rc = bk_view_moves(&n->v, id, &p, &size, err);
    if (rc == XQ_OK)
        bk_replay_start(r, &start, p, size);
    return rc;
}

static xq_status fill_table(bk_near *n, xq_err *err)
{
    for (uint64_t id = 1; id <= n->v.meta.last_id; id++) {
        bk_replay r;
        xq_move m;
        struct lines l = {0, 0};
        xq_status rc = begin(n, id, &r, err);
        if (rc == XQ_ENOTFOUND)
            continue;
        if (rc != XQ_OK)
            return rc;
        lines_step(&l, &r.pos);
        while (bk_replay_next(&r, &m))
            lines_step(&l, &r.pos);
        struct entry *e = slot_of(n, l.line);
        if (!e->line)
            *e = (struct entry){l.line, l.plain, id};
    }
    return XQ_OK;
}

xq_status bk_near_open(bk_near **out, bk_db *db, uint32_t min_plies,
                       xq_err *err)
{
    *out = NULL;
    bk_near *n = calloc(1, sizeof *n);
    if (!n)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    n->min_plies = min_plies ? min_plies : 1;
    xq_status rc = bk_view_open(&n->v, db, err);
    if (rc == XQ_OK)
        rc = bk_view_open(&n->other, db, err);
    if (rc == XQ_OK) {
        n->nslots = 1024;
        while (n->nslots < 2 * n->v.meta.games)
            n->nslots *= 2;
        n->slots = calloc(n->nslots, sizeof *n->slots);
        if (!n->slots)
            rc = xq_fail(err, XQ_ENOMEM, "out of memory");
    }
    if (rc == XQ_OK)
        rc = fill_table(n, err);
    if (rc != XQ_OK) {
        bk_near_close(n);
        return rc;
    }
    *out = n;
    return XQ_OK;
}

void bk_near_close(bk_near *n)
{
    if (!n)
        return;
    bk_view_close(&n->v);
    bk_view_close(&n->other);
    free(n->slots);
    free(n->pairs.v);
    free(n);
}

static bool inside(xq_str a, xq_str b)
{
    return a.n == 0 || (a.n <= b.n && memmem(b.s, b.n, a.s, a.n) != NULL);
}

/* The value of a tag of a view's current game, copied to the heap. */
static xq_status tag_copy(struct bk_view *v, bool black, char **out, size_t *n,
                          xq_err *err)
{
    const struct bk_head *h = &v->head.head;
    const struct bk_shape *s;
    xq_str str = {"", 0};
    xq_status rc = bk_view_shape(v, h->shape, &s, err);
    if (rc != XQ_OK)
        return rc;
    uint32_t place = black ? s->black : s->red;
    if (place < h->ntags)
        rc = bk_view_text(v, h->values[place], &str, err);
    *out = malloc(str.n + 1);
    *n = str.n;
    if (!*out)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    if (str.n)
        memcpy(*out, str.s, str.n);
    return rc;
}

/* Do the current game and `id` name the same players, one of them perhaps
 * with more beside the name? */
static xq_status same_players(bk_near *n, uint64_t id, bool *yes, xq_err *err)
{
    *yes = true;
    xq_status rc = bk_view_head(&n->other, id, err);
    for (int black = 0; black < 2 && rc == XQ_OK && *yes; black++) {
        char *a = NULL, *b = NULL;
        size_t na = 0, nb = 0;
        rc = tag_copy(&n->v, black, &a, &na, err);
        if (rc == XQ_OK)
            rc = tag_copy(&n->other, black, &b, &nb, err);
        if (rc == XQ_OK)
            *yes = inside((xq_str){a, na}, (xq_str){b, nb}) ||
                   inside((xq_str){b, nb}, (xq_str){a, na});
        free(a);
        free(b);
    }
    return rc;
}

static xq_status push(bk_near *n, bk_near_pair p, xq_err *err)
{
    struct pairs *s = &n->pairs;
    if (s->n == s->cap) {
        size_t cap = s->cap ? 2 * s->cap : 16;
        bk_near_pair *v = realloc(s->v, cap * sizeof *v);
        if (!v)
            return xq_fail(err, XQ_ENOMEM, "out of memory");
        s->v = v;
        s->cap = cap;
    }
    s->v[s->n++] = p;
    return XQ_OK;
}

/* What the game `id` has to do with others. */
static xq_status look(bk_near *n, uint64_t id, xq_err *err)
{
    bk_replay r;
    xq_move m;
    struct lines l = {0, 0};
    xq_status rc = begin(n, id, &r, err);
    if (rc != XQ_OK)
        return rc == XQ_ENOTFOUND ? XQ_OK : rc;
    uint32_t plies = n->v.head.head.plies;
    lines_step(&l, &r.pos);
    while (rc == XQ_OK && bk_replay_next(&r, &m)) {
        lines_step(&l, &r.pos);
        if (r.ply < n->min_plies)
            continue;
        const struct entry *e = slot_of(n, l.line);
        if (!e->line || e->id == id)
            continue;
        bool same = true;
        if (r.ply == plies) {
            rc = push(n,
                      (bk_near_pair){e->plain == l.plain ? BK_NEAR_SAME
                                                         : BK_NEAR_MIRROR,
                                     id, e->id, plies},
                      err);
        } else {
            rc = same_players(n, e->id, &same, err);
            if (rc == XQ_OK && same)
                rc =
                    push(n, (bk_near_pair){BK_NEAR_CONTAINED, e->id, id, r.ply},
                         err);
        }
    }
    return rc;
}

xq_status bk_near_next(bk_near *n, bk_near_pair *pair, xq_err *err)
{
    while (n->pairs.at == n->pairs.n) {
        n->pairs.at = n->pairs.n = 0;
        if (n->id >= n->v.meta.last_id)
            return XQ_DONE;
        xq_status rc = look(n, ++n->id, err);
        if (rc != XQ_OK)
            return rc;
    }
    *pair = n->pairs.v[n->pairs.at++];
    return XQ_OK;
}
