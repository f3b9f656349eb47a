/* db_find.c - searching: by position through the index, by tags, or both.
 *
 * A query with a position takes the games from the index, segment by segment
 * (which is by rising id), and replays each to the position; that also sees
 * to it that a key shared by chance with another position does no harm.
 * Without one, or when variations count too, all headers are read in order.
 * Tag filters that see many games are worked out once for each string. */
#include "bookdb/db_internal.h"
#include "bookdb/record.h"

#include "engine/key.h"

#include <stdlib.h>
#include <string.h>

/* A filter on one tag, and what it says of each string: bit 0 known, bit 1
 * the answer. */
struct needle {
    const char *text;
    size_t n;
    uint8_t *memo;
};

struct bk_find {
    bk_db *db;
    struct bk_view v;
    bk_query q;
    xq_pos pos;
    xq_key key;
    char *texts; /* copies of the filters' */
    struct needle red, black, player, event;
    uint8_t *years; /* memo: 0 unknown, 1 no, 2 yes */
    bool scan;      /* all games, not the index */
    uint64_t id;    /* scan: the last one */
    uint32_t seg;   /* index: current segment */
    bool in_segment;
    struct bk_posting_reader postings;
    xq_arena arena;
    pgn_buf strings;
    xq_status failed;
    xq_err err;
};

static char fold(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

/* Is `part` (folded) inside s, ASCII case aside? */
static bool contains(xq_str s, const char *part, size_t n)
{
    if (n == 0)
        return true;
    for (size_t i = 0; i + n <= s.n; i++) {
        size_t k = 0;
        while (k < n && fold(s.s[i + k]) == part[k])
            k++;
        if (k == n)
            return true;
    }
    return false;
}

static xq_status needle_match(bk_find *f, struct needle *d, uint64_t id,
                              bool *yes, xq_err *err)
{
    bool known = d->memo && id < f->v.meta.next_text;
    if (known && d->memo[id]) {
        *yes = d->memo[id] == 2;
        return XQ_OK;
    }
    xq_str s;
    xq_status rc = bk_view_text(&f->v, id, &s, err);
    if (rc != XQ_OK)
        return rc;
    *yes = contains(s, d->text, d->n);
    if (known)
        d->memo[id] = *yes ? 2 : 1;
    return XQ_OK;
}

static xq_status year_match(bk_find *f, uint64_t id, bool *yes, xq_err *err)
{
    bool known = f->years && id < f->v.meta.next_text;
    if (known && f->years[id]) {
        *yes = f->years[id] == 2;
        return XQ_OK;
    }
    xq_str s;
    int y, m, d;
    xq_status rc = bk_view_text(&f->v, id, &s, err);
    if (rc != XQ_OK)
        return rc;
    *yes = bk_date_parse(s, &y, &m, &d) && y &&
           (!f->q.year_from || y >= f->q.year_from) &&
           (!f->q.year_to || y <= f->q.year_to);
    if (known)
        f->years[id] = *yes ? 2 : 1;
    return XQ_OK;
}

/* ---- filters ---- */

static xq_status tag_match(bk_find *f, struct needle *d, uint32_t place,
                           bool *yes, xq_err *err)
{
    const struct bk_head *h = &f->v.head.head;
    if (place >= h->ntags) {
        *yes = false;
        return XQ_OK;
    }
    return needle_match(f, d, h->values[place], yes, err);
}

/* Does the game whose head is current pass all but the position? */
static xq_status passes(bk_find *f, bool *yes, xq_err *err)
{
    const bk_query *q = &f->q;
    const struct bk_head *h = &f->v.head.head;
    const struct bk_shape *s;
    *yes = false;
    if (h->flags & (BK_H_DELETED | BK_H_GONE))
        return XQ_OK;
    if (q->result >= 0 && (int)(h->flags & BK_H_RESULT) != q->result)
        return XQ_OK;
    const uint32_t most = q->max_plies == BK_NO_PLIES ? 0 : q->max_plies;
    if (h->plies < q->min_plies || (q->max_plies && h->plies > most))
        return XQ_OK;
    bool ok = true;
    if (!q->red && !q->black && !q->player && !q->event && !q->year_from &&
        !q->year_to) {
        *yes = true;
        return XQ_OK;
    }
    xq_status rc = bk_view_shape(&f->v, h->shape, &s, err);
    if (rc == XQ_OK && q->red)
        rc = tag_match(f, &f->red, s->red, &ok, err);
    if (rc == XQ_OK && ok && q->black)
        rc = tag_match(f, &f->black, s->black, &ok, err);
    if (rc == XQ_OK && ok && q->event)
        rc = tag_match(f, &f->event, s->event, &ok, err);
    if (rc == XQ_OK && ok && q->player) {
        rc = tag_match(f, &f->player, s->red, &ok, err);
        if (rc == XQ_OK && !ok)
            rc = tag_match(f, &f->player, s->black, &ok, err);
    }
    if (rc == XQ_OK && ok && (q->year_from || q->year_to)) {
        ok = s->date < h->ntags;
        if (ok)
            rc = year_match(f, h->values[s->date], &ok, err);
    }
    *yes = rc == XQ_OK && ok;
    return rc;
}

/* ---- the position in a game ---- */

/* 1: stands as asked for; 2: its mirror image does. */
static int stands(const bk_find *f, const xq_pos *p)
{
    if (p->key == f->pos.key)
        return 1;
    return !f->q.one_wing && p->key == f->pos.mirror_key ? 2 : 0;
}

struct place {
    uint32_t ply;
    bool mirrored;
    xq_move next;
};

static xq_status place_in_main(bk_find *f, struct place *pl, bool *found,
                               xq_err *err)
{
    const struct bk_head *h = &f->v.head.head;
    const uint8_t *p;
    size_t n;
    xq_pos start;
    *found = false;
    xq_status rc = bk_view_start(&f->v, h, &start, err);
    if (rc == XQ_OK)
        rc = bk_view_moves(&f->v, h->id, &p, &n, err);
    if (rc != XQ_OK)
        return rc;
    bk_replay r;
    xq_move m;
    bk_replay_start(&r, &start, p, n);
    int s = stands(f, &r.pos);
    while (!s && bk_replay_next(&r, &m))
        s = stands(f, &r.pos);
    if (s) {
        *found = true;
        pl->ply = r.ply;
        pl->mirrored = s == 2;
        pl->next = bk_replay_next(&r, &m) ? m : XQ_NOMOVE;
        if (pl->mirrored && pl->next)
            pl->next = xq_move_mirror(pl->next);
    }
    if (r.bad)
        return xq_fail(err, XQ_ECORRUPT, "'%s' is damaged: moves of game %llu",
                       f->db->store.path, (unsigned long long)h->id);
    return XQ_OK;
}

/* In a variation: the ply counts from the start of the game. */
static xq_status place_in_tree(bk_find *f, struct place *pl, bool *found,
                               xq_err *err)
{
    pgn_game *g;
    xq_arena_reset(&f->arena);
    xq_status rc = bk_view_game(&f->v, &f->arena, &g, err);
    if (rc != XQ_OK)
        return rc;
    /* ply in its line -> ply from the start */
    uint32_t *base =
        xq_arena_calloc(&f->arena, (size_t)g->nnodes + 1, sizeof *base);
    if (!base)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    pgn_walk w;
    uint32_t before = 0, depth = 0;
    pgn_walk_start(&w, g);
    while (!*found && pgn_walk_next(&w)) {
        /* A variation one level deeper begins before the move just met. */
        if (w.depth > depth)
            base[w.depth] = before;
        depth = w.depth;
        before = (w.depth ? base[w.depth] : 0) + w.ply - 1;
        int s = stands(f, &w.pos);
        xq_move next = w.move;
        uint32_t ply = before;
        if (!s && g->nodes[w.node].next == 0) {
            /* the end of a line */
            xq_pos after = w.pos;
            xq_pos_make(&after, w.move, NULL);
            s = stands(f, &after);
            next = XQ_NOMOVE;
            ply++;
        }
        if (s) {
            *found = true;
            *pl = (struct place){ply, s == 2,
                                 s == 2 && next ? xq_move_mirror(next) : next};
        }
    }
    bool failed = w.failed;
    pgn_walk_end(&w);
    return failed ? xq_fail(err, XQ_ENOMEM, "out of memory") : XQ_OK;
}

static xq_status find_place(bk_find *f, struct place *pl, bool *found,
                            xq_err *err)
{
    *pl = (struct place){0};
    *found = true;
    if (!f->q.pos)
        return XQ_OK;
    xq_status rc = place_in_main(f, pl, found, err);
    if (rc == XQ_OK && !*found && f->q.variations &&
        (f->v.head.head.flags & BK_H_VARIATIONS))
        rc = place_in_tree(f, pl, found, err);
    return rc;
}

/* ---- iterating ---- */

static xq_status next_segment(bk_find *f, xq_err *err)
{
    if (f->in_segment) {
        bk_posting_end(&f->postings);
        f->in_segment = false;
        f->seg++;
    }
    if (f->seg == f->v.meta.nsegs)
        return XQ_DONE;
    MDB_dbi dbi;
    if (!bk_segment_dbi(f->db, f->v.meta.segs[f->seg].id, &dbi))
        return bk_store_fail(&f->db->store, MDB_BAD_DBI, "read", err);
    f->in_segment = true;
    return bk_posting_start(&f->postings, f->v.txn, dbi, f->key, err);
}

/* The next game to look at. */
static xq_status next_id(bk_find *f, uint64_t *id, xq_err *err)
{
    if (f->v.empty)
        return XQ_DONE;
    if (f->scan) {
        *id = ++f->id;
        return f->id <= f->v.meta.last_id ? XQ_OK : XQ_DONE;
    }
    for (;;) {
        xq_status rc = XQ_DONE;
        uint32_t game;
        if (f->in_segment)
            rc = bk_posting_next(&f->postings, &game, err);
        if (rc == XQ_OK) {
            const struct bk_segment *s = &f->v.meta.segs[f->seg];
            if (game >= s->games)
                return xq_fail(err, XQ_ECORRUPT,
                               "'%s' is damaged: index names a game too many",
                               f->db->store.path);
            *id = s->first + game;
            return XQ_OK;
        }
        if (rc == XQ_DONE)
            rc = next_segment(f, err);
        if (rc != XQ_OK)
            return rc;
    }
}

/* The next game that passes everything; its head is current. */
static xq_status next_match(bk_find *f, struct place *pl, xq_err *err)
{
    for (;;) {
        uint64_t id = 0;
        bool ok = false;
        xq_status rc = next_id(f, &id, err);
        if (rc == XQ_OK)
            rc = bk_view_head(&f->v, id, err);
        if (rc == XQ_OK)
            rc = passes(f, &ok, err);
        if (rc == XQ_OK && ok)
            rc = find_place(f, pl, &ok, err);
        if (rc != XQ_OK || ok)
            return rc;
    }
}

static xq_status add_string(bk_find *f, uint32_t place, size_t *at, size_t *n,
                            xq_err *err)
{
    const struct bk_head *h = &f->v.head.head;
    xq_str s = {NULL, 0};
    *at = f->strings.n;
    *n = 0;
    if (place >= h->ntags)
        return XQ_OK;
    xq_status rc = bk_view_text(&f->v, h->values[place], &s, err);
    if (rc != XQ_OK)
        return rc;
    pgn_buf_add(&f->strings, s.s, s.n);
    *n = s.n;
    return f->strings.failed ? xq_fail(err, XQ_ENOMEM, "out of memory") : XQ_OK;
}

xq_status bk_find_next(bk_find *f, bk_hit *hit, xq_err *err)
{
    struct place pl;
    const struct bk_shape *s;
    xq_status rc = next_match(f, &pl, err);
    if (rc != XQ_OK)
        return rc;
    const struct bk_head *h = &f->v.head.head;
    *hit = (bk_hit){.id = h->id,
                    .ply = pl.ply,
                    .mirrored = pl.mirrored,
                    .next = pl.next,
                    .result = (pgn_result)(h->flags & BK_H_RESULT),
                    .plies = h->plies};
    rc = bk_view_shape(&f->v, h->shape, &s, err);
    if (rc != XQ_OK)
        return rc;
    size_t at[4], n[4];
    const uint32_t places[4] = {s->red, s->black, s->event, s->date};
    xq_str *const to[4] = {&hit->red, &hit->black, &hit->event, &hit->date};
    f->strings.n = 0;
    for (int i = 0; i < 4 && rc == XQ_OK; i++)
        rc = add_string(f, places[i], &at[i], &n[i], err);
    for (int i = 0; i < 4 && rc == XQ_OK; i++)
        *to[i] = (xq_str){n[i] ? f->strings.s + at[i] : "", n[i]};
    return rc;
}

xq_status bk_find_count(bk_find *f, uint64_t *n, xq_err *err)
{
    const bk_query *q = &f->q;
    xq_status rc = XQ_OK;
    *n = 0;
    bool all = q->result < 0 && !q->red && !q->black && !q->player &&
               !q->event && !q->year_from && !q->year_to && !q->min_plies &&
               !q->max_plies;
    if (all && !q->pos) {
        *n = f->v.meta.games;
        return XQ_OK;
    }
    /* The index tells both wings together. */
    bool whole = !q->one_wing || (q->pos && xq_pos_is_symmetric(&f->pos));
    if (all && !f->scan && whole && f->v.meta.deleted == 0 && !f->v.empty) {
        while ((rc = next_segment(f, err)) == XQ_OK)
            if ((rc = bk_posting_skip(&f->postings, n, err)) != XQ_OK)
                return rc;
        return rc == XQ_DONE ? XQ_OK : rc;
    }
    struct place pl;
    while ((rc = next_match(f, &pl, err)) == XQ_OK)
        ++*n;
    return rc == XQ_DONE ? XQ_OK : rc;
}

/* ---- opening ---- */

static const char *copy_folded(char **to, const char *s, struct needle *d,
                               uint8_t *memo)
{
    if (!s)
        return NULL;
    char *start = *to;
    size_t n = strlen(s);
    for (size_t i = 0; i <= n; i++)
        start[i] = fold(s[i]);
    *to += n + 1;
    d->text = start;
    d->n = n;
    d->memo = memo;
    return start;
}

static size_t text_size(const char *s) { return s ? strlen(s) + 1 : 0; }

xq_status bk_find_open(bk_find **out, bk_db *db, const bk_query *q, xq_err *err)
{
    *out = NULL;
    bk_find *f = calloc(1, sizeof *f);
    if (!f)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    f->db = db;
    f->q = *q;
    xq_status rc = bk_view_open(&f->v, db, err);
    if (rc != XQ_OK) {
        free(f);
        return rc;
    }
    f->scan = !q->pos || q->variations;
    if (q->pos) {
        bool mirrored;
        f->pos = *q->pos;
        f->key = xq_canon_key(&f->pos, &mirrored);
    }
    /* A byte a string: worth it only when many games are looked at. */
    size_t nmemo = f->scan ? (size_t)f->v.meta.next_text : 0;
    size_t ntexts = text_size(q->red) + text_size(q->black) +
                    text_size(q->player) + text_size(q->event);
    f->texts = calloc(1, ntexts + 5 * nmemo + 1);
    if (!f->texts) {
        bk_find_close(f);
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    }
    char *to = f->texts;
    uint8_t *memo = nmemo ? (uint8_t *)f->texts + ntexts : NULL;
#define MEMO(i) (memo ? memo + (i)*nmemo : NULL)
    f->q.red = copy_folded(&to, q->red, &f->red, MEMO(0));
    f->q.black = copy_folded(&to, q->black, &f->black, MEMO(1));
    f->q.player = copy_folded(&to, q->player, &f->player, MEMO(2));
    f->q.event = copy_folded(&to, q->event, &f->event, MEMO(3));
    f->years = MEMO(4);
#undef MEMO
    *out = f;
    return XQ_OK;
}

void bk_find_close(bk_find *f)
{
    if (!f)
        return;
    if (f->in_segment)
        bk_posting_end(&f->postings);
    bk_view_close(&f->v);
    xq_arena_free(&f->arena);
    pgn_buf_free(&f->strings);
    free(f->texts);
    free(f);
}
