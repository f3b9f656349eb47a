/* db_check.c - qipu db check: is everything there, and does it agree?
 *
 * First the file by pread: every page, then every value of every table by
 * itself, and what must follow on what.  Only a file that has passed is
 * mapped, for the second part: games are decoded and replayed, and their
 * positions and digests compared with the index.  The comparison is by sums
 * of hashes over each segment, so that nothing needs to be sorted or kept. */
#include "bookdb/db_internal.h"
#include "bookdb/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two sums: they agree by chance once in 2^128. */
struct sums {
    uint64_t a, b, n;
};

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

static void sums_add(struct sums *s, uint64_t x, uint64_t y)
{
    uint64_t h = mix(x + UINT64_C(0x9E3779B97F4A7C15) * (y + 1));
    s->a += h;
    s->b += mix(h ^ x);
    s->n++;
}

struct seg_check {
    uint32_t id;
    bool digests_over, any;
    uint64_t last_key, last_game; /* the pair before */
    bk_rec last_digest;
    uint64_t digests;
    struct sums postings;
};

struct check {
    const char *path;
    bool have_format, have_meta;
    struct bk_db_meta meta;
    uint64_t next_text, next_note, next_head, next_move;
    uint64_t live, deleted, plies, extra;
    struct sums digests;    /* all segments and `extra` */
    struct seg_check *segs; /* those in the table */
    bk_db_info *info;
    bool changed; /* by a writer, meanwhile */
};

static xq_status fault(const struct check *c, const bk_page_item *it,
                       const char *what, xq_err *err)
{
    return xq_fail(err, XQ_ECORRUPT, "'%s' is damaged: table '%s': %s", c->path,
                   it->db, what);
}

/* ---- tables, value by value ---- */

static xq_status check_main(struct check *c, const bk_page_item *it,
                            xq_err *err)
{
    if (it->nkey == 6 && memcmp(it->key, "format", 6) == 0) {
        if (it->nvalue != 16 ||
            bk_get32(it->value + 12) != bk_crc(it->value, 12))
            return fault(c, it, "format record", err);
        if (memcmp(it->value, BK_DB_MAGIC, 3) != 0)
            return xq_fail(err, XQ_ECORRUPT, "'%s' is %s, not a game database",
                           c->path, bk_kind_of_file((const char *)it->value));
        if (it->value[3] != (uint8_t)BK_DB_MAGIC[3])
            return xq_fail(err, XQ_ECORRUPT,
                           "'%s' has format version %c; this program reads %c",
                           c->path, it->value[3], BK_DB_MAGIC[3]);
        c->have_format = true;
        return XQ_OK;
    }
    if (it->nkey == 4 && memcmp(it->key, "meta", 4) == 0) {
        c->have_meta = bk_db_meta_parse(&c->meta, it->value, it->nvalue);
        if (!c->have_meta)
            return fault(c, it, "record of counts and segments", err);
        c->segs = calloc(c->meta.nsegs + 1, sizeof *c->segs);
        if (!c->segs)
            return xq_fail(err, XQ_ENOMEM, "out of memory");
        for (uint32_t i = 0; i < c->meta.nsegs; i++)
            c->segs[i].id = c->meta.segs[i].id;
        return XQ_OK;
    }
    if (!c->have_format) /* it would have come before, or comes */
        return XQ_OK;
    return fault(c, it, "an unknown record", err);
}

static xq_status check_strings(struct check *c, const bk_page_item *it,
                               uint64_t *next, xq_err *err)
{
    struct bk_strings *s;
    if (it->nkey != 8 || bk_get64(it->key) != *next)
        return fault(c, it, "strings are missing", err);
    xq_status rc = bk_strings_unpack(it->value, it->nvalue, *next, &s, NULL);
    if (rc == XQ_ENOMEM)
        return xq_fail(err, rc, "out of memory");
    if (rc != XQ_OK)
        return fault(c, it, "a block does not match its checksum or layout",
                     err);
    *next += s->n;
    free(s);
    return XQ_OK;
}

static xq_status check_heads(struct check *c, const bk_page_item *it,
                             xq_err *err)
{
    struct bk_heads_reader r = {.left = 0};
    if (it->nkey != 8 || bk_get64(it->key) != c->next_head)
        return fault(c, it, "games are missing", err);
    bk_heads_start(&r, it->value, it->nvalue, c->next_head);
    bool ids = true;
    while (bk_heads_next(&r)) {
        const struct bk_head *h = &r.head;
        if (h->flags & (BK_H_DELETED | BK_H_GONE)) {
            c->deleted++;
        } else {
            c->live++;
            c->plies += h->plies;
        }
        if (h->flags & BK_H_GONE)
            continue;
        ids = ids && h->shape && h->shape < c->meta.next_text &&
              h->start < c->meta.next_text;
        for (uint32_t i = 0; i < h->ntags; i++)
            ids = ids && h->values[i] && h->values[i] < c->meta.next_text;
        if (h->nnotes)
            ids = ids && h->first_note && h->first_note < c->meta.next_note &&
                  h->nnotes <= c->meta.next_note - h->first_note;
    }
    c->next_head = r.next;
    bool bad = r.bad;
    bk_heads_free(&r);
    if (bad)
        return fault(c, it, "a block does not match its checksum or layout",
                     err);
    return ids ? XQ_OK : fault(c, it, "a game names unknown strings", err);
}

static xq_status check_moves(struct check *c, const bk_page_item *it,
                             xq_err *err)
{
    struct bk_moves_reader r;
    const uint8_t *p;
    size_t n;
    if (it->nkey != 8 || bk_get64(it->key) != c->next_move)
        return fault(c, it, "games are missing", err);
    bk_moves_start(&r, it->value, it->nvalue, c->next_move);
    while (bk_moves_next(&r, &p, &n))
        ;
    c->next_move = r.next;
    return r.bad ? fault(c, it, "a block does not match its checksum or layout",
                         err)
                 : XQ_OK;
}

static xq_status check_extra(struct check *c, const bk_page_item *it,
                             xq_err *err)
{
    if (it->nkey != 16 || it->nvalue != BK_SEAL + 8 ||
        !bk_unseal(it->value, it->nvalue))
        return fault(c, it, "a digest is damaged", err);
    uint64_t count = bk_get64(it->value + BK_SEAL);
    for (uint64_t i = 0; i < count && i <= c->meta.last_id; i++)
        sums_add(&c->digests, bk_get64(it->key), bk_get64(it->key + 8));
    return XQ_OK;
}

static xq_status check_digests(struct check *c, struct seg_check *s,
                               const bk_page_item *it, xq_err *err)
{
    const uint8_t *p = it->value;
    size_t n = it->nvalue;
    if (s->digests_over || n < BK_SEAL || (n - BK_SEAL) % 16 ||
        !bk_unseal(p, n))
        return fault(c, it, "a block of digests is damaged", err);
    for (size_t i = BK_SEAL; i < n; i += 16) {
        bk_rec d = {bk_get64(p + i), bk_get64(p + i + 8)};
        if (s->digests &&
            (d.key < s->last_digest.key ||
             (d.key == s->last_digest.key && d.data < s->last_digest.data)))
            return fault(c, it, "digests are out of order", err);
        s->last_digest = d;
        s->digests++;
        sums_add(&c->digests, d.key, d.data);
    }
    return XQ_OK;
}

static xq_status check_segment(struct check *c, struct seg_check *s,
                               const struct bk_segment *seg,
                               const bk_page_item *it, xq_err *err)
{
    if (it->nkey == 17 && it->key[0] == 0)
        return check_digests(c, s, it, err);
    bk_index_reader r;
    uint32_t game;
    if (it->nkey != BK_INDEX_KEY || it->key[0] != 1 ||
        !bk_index_start(&r, it->value, it->nvalue, bk_get64(it->key + 1),
                        bk_get32(it->key + 9)))
        return fault(c, it, "a block does not match its checksum or layout",
                     err);
    s->digests_over = true;
    while (bk_index_list(&r))
        while (bk_index_game(&r, &game)) {
            if (s->any && (r.key < s->last_key ||
                           (r.key == s->last_key && game <= s->last_game)))
                return fault(c, it, "positions are out of order", err);
            if (game >= seg->games)
                return fault(c, it, "a position names a game too many", err);
            s->any = true;
            s->last_key = r.key;
            s->last_game = game;
            sums_add(&s->postings, r.key, game);
        }
    return r.bad ? fault(c, it, "a block does not match its layout", err)
                 : XQ_OK;
}

static xq_status check_item(struct check *c, const bk_page_item *it,
                            xq_err *err)
{
    if (it->db[0] == 0)
        return check_main(c, it, err);
    if (!c->have_meta)
        return fault(c, it, "stands without a record of counts", err);
    if (strcmp(it->db, "text") == 0)
        return check_strings(c, it, &c->next_text, err);
    if (strcmp(it->db, "notes") == 0)
        return check_strings(c, it, &c->next_note, err);
    if (strcmp(it->db, "heads") == 0)
        return check_heads(c, it, err);
    if (strcmp(it->db, "moves") == 0)
        return check_moves(c, it, err);
    if (strcmp(it->db, "extra") == 0)
        return check_extra(c, it, err);
    for (uint32_t i = 0; i < c->meta.nsegs; i++) {
        char name[16];
        bk_segment_name(name, c->segs[i].id);
        if (strcmp(it->db, name) == 0)
            return check_segment(c, &c->segs[i], &c->meta.segs[i], it, err);
    }
    if (strncmp(it->db, "seg", 3) == 0)
        return XQ_OK; /* unfinished: the next writer removes it */
    return fault(c, it, "is unknown", err);
}

static xq_status check_sizes(const struct check *c, const bk_pages *w,
                             xq_err *err)
{
    static const char *const GAMES[] = {"heads", "moves", "notes"};
    uint64_t p, n, psize = bk_pages_size(w);
    bk_db_info *info = c->info;
    for (int i = 0; i < 3; i++)
        if (bk_pages_count(w, GAMES[i], &p, &n))
            info->bytes_games += p * psize;
    if (bk_pages_count(w, "text", &p, &n))
        info->bytes_names = p * psize;
    if (bk_pages_count(w, "extra", &p, &n))
        info->bytes_index = p * psize;
    for (uint32_t i = 0; i < c->meta.nsegs; i++) {
        char name[16];
        bk_segment_name(name, c->segs[i].id);
        if (!bk_pages_count(w, name, &p, &n))
            return xq_fail(err, XQ_ECORRUPT,
                           "'%s' is damaged: table '%s' is missing", c->path,
                           name);
        info->bytes_index += p * psize;
    }
    return XQ_OK;
}

static xq_status check_counts(const struct check *c, xq_err *err)
{
    const struct bk_db_meta *m = &c->meta;
    const char *what = NULL;
    if (c->next_text != m->next_text)
        what = "strings are missing";
    else if (c->next_note != m->next_note)
        what = "comments are missing";
    else if (c->next_head != m->last_id + 1)
        what = "headers of games are missing";
    else if (c->next_move != m->last_id + 1)
        what = "moves of games are missing";
    else if (c->live != m->games || c->deleted != m->deleted)
        what = "the number of games is wrong";
    else if (c->plies != m->plies)
        what = "the number of plies is wrong";
    for (uint32_t i = 0; i < m->nsegs && !what; i++)
        if (c->segs[i].postings.n != m->segs[i].postings)
            what = "the number of positions in a segment is wrong";
    if (!what && c->digests.n != m->games)
        what = "the number of digests is wrong";
    return what
               ? xq_fail(err, XQ_ECORRUPT, "'%s' is damaged: %s", c->path, what)
               : XQ_OK;
}

static xq_status check_file(struct check *c, xq_err *err)
{
    bk_pages *w;
    bk_page_item it;
    xq_status rc = bk_pages_open(&w, c->path, err);
    if (rc != XQ_OK)
        return rc;
    while ((rc = bk_pages_next(w, &it, err)) == XQ_OK)
        if ((rc = check_item(c, &it, err)) != XQ_OK)
            break;
    if (rc == XQ_DONE)
        rc = c->have_format ? XQ_OK
                            : xq_fail(err, XQ_ECORRUPT,
                                      "'%s' is no game database", c->path);
    if (rc == XQ_OK && c->have_meta) {
        rc = check_sizes(c, w, err);
        if (rc == XQ_OK)
            rc = check_counts(c, err);
    }
    bk_pages_close(w);
    return rc;
}

/* ---- games against the index ---- */

struct deep {
    struct check *c;
    struct bk_view v;
    xq_arena arena;
    bk_prep prep;
    struct sums digests;
    uint64_t positions; /* of games not deleted */
};

static xq_status deep_game(struct deep *d, uint64_t id, uint64_t local,
                           struct sums *postings, xq_err *err)
{
    pgn_game *g;
    xq_arena_reset(&d->arena);
    xq_status rc = bk_view_head(&d->v, id, err);
    if (rc != XQ_OK || (d->v.head.head.flags & BK_H_GONE))
        return rc;
    bool deleted = d->v.head.head.flags & BK_H_DELETED;
    rc = bk_view_game(&d->v, &d->arena, &g, err);
    if (rc == XQ_OK)
        rc = bk_prepare(&d->prep, g, err);
    if (rc != XQ_OK)
        return rc;
    for (uint32_t i = 0; i < d->prep.nkeys; i++)
        sums_add(postings, d->prep.keys[i], local);
    if (!deleted) {
        d->positions += d->prep.nkeys;
        sums_add(&d->digests, d->prep.digest.hi, d->prep.digest.lo);
    }
    return XQ_OK;
}

static xq_status check_deep(struct check *c, xq_err *err)
{
    struct deep d = {.c = c};
    bk_db *db;
    xq_status rc = bk_db_open(&db, c->path, BK_READ, NULL, err);
    if (rc != XQ_OK)
        return rc;
    rc = bk_view_open(&d.v, db, err);
    const struct bk_db_meta *m = &d.v.meta;
    /* Another process may have written meanwhile: what was checked is what
     * counts. */
    for (uint32_t i = 0; rc == XQ_OK && i < c->meta.nsegs && i < m->nsegs;
         i++) {
        const struct bk_segment *s = &m->segs[i];
        struct sums postings = {0, 0, 0};
        if (memcmp(s, &c->meta.segs[i], sizeof *s) != 0) {
            c->changed = true;
            rc = xq_fail(err, XQ_EIO,
                         "'%s' was written to during the check: repeat it",
                         c->path);
            break;
        }
        for (uint64_t k = 0; k < s->games && rc == XQ_OK; k++)
            rc = deep_game(&d, s->first + k, k, &postings, err);
        const struct sums *have = &c->segs[i].postings;
        if (rc == XQ_OK && (have->a != postings.a || have->b != postings.b ||
                            have->n != postings.n))
            rc = xq_fail(err, XQ_ECORRUPT,
                         "'%s' is damaged: the index of games %" PRIu64
                         " to %" PRIu64 " does not agree with their moves",
                         c->path, s->first, s->first + s->games - 1);
    }
    if (rc == XQ_OK &&
        (d.digests.a != c->digests.a || d.digests.b != c->digests.b))
        rc = xq_fail(err, XQ_ECORRUPT,
                     "'%s' is damaged: the digests do not agree with the "
                     "games",
                     c->path);
    if (rc == XQ_OK && d.positions != c->meta.positions)
        rc = xq_fail(err, XQ_ECORRUPT,
                     "'%s' is damaged: the number of positions is wrong",
                     c->path);
    if (rc == XQ_ECORRUPT && memcmp(m, &c->meta, sizeof *m) != 0) {
        c->changed = true; /* db set, or db delete */
        rc =
            xq_fail(err, XQ_EIO,
                    "'%s' was written to during the check: repeat it", c->path);
    }
    bk_view_close(&d.v);
    bk_prep_free(&d.prep);
    xq_arena_free(&d.arena);
    bk_db_close(db);
    return rc;
}

static xq_status check_once(struct check *c, bool deep, xq_err *err)
{
    bk_hold *hold = bk_store_hold(c->path);
    xq_status rc = check_file(c, err);
    bk_store_release(hold);
    if (rc == XQ_OK && c->have_meta && deep)
        rc = check_deep(c, err);
    return rc;
}

xq_status bk_db_check(const char *path, bool deep, bk_db_info *info,
                      xq_err *err)
{
    struct check *c = malloc(sizeof *c);
    bk_db_info own;
    xq_status rc = XQ_EIO;
    if (!c)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    if (!info)
        info = &own;
    /* Once more, when a writer merged segments between the two parts. */
    for (int tries = 0; tries < 4 && rc == XQ_EIO; tries++) {
        memset(c, 0, sizeof *c);
        memset(info, 0, sizeof *info);
        c->path = path;
        c->info = info;
        c->next_text = c->next_note = c->next_head = c->next_move = 1;
        rc = check_once(c, deep, err);
        if (!c->changed)
            tries = 4;
        free(c->segs);
    }
    info->version = BK_DB_VERSION;
    info->games = c->meta.games;
    info->deleted = c->meta.deleted;
    info->last_id = c->meta.last_id;
    info->plies = c->meta.plies;
    info->positions = c->meta.positions;
    info->segments = c->meta.nsegs;
    free(c);
    return rc;
}
