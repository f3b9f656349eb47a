/* repair.c - text that was encoded twice: run by run, with what the text around
 * tells. */
#include "libpgn/repair.h"

#include <stdlib.h>
#include <string.h>

#include "libpgn/repair_find.h"
#include "libpgn/repair_path.h"

/* ---- what is done about a run ---- */

/* Is weak evidence enough beside that of the text around, which has this damage
 * in common? */
static bool may_follow(const pgn_repair *rp, pgn_damage d,
                       const pgn_findings *f)
{
    enum { MUCH = 24 }; /* characters */
    if (f->v[d] != PGN_WEAK || pgn_path_was_utf8(d))
        return f->v[d] >= PGN_WEAK;
    if (rp->seen[d].strong >= MUCH)
        return f->likely[d] || !f->word[d];
    /* beside text read in Latin-1 stands Western text at most, but beside that
     * read in GBK or Big5 there may be good Chinese */
    return !f->doubted[d] && !f->word[d] &&
           (pgn_path_was_latin1(d) || f->likely[d]);
}

/* What the run may have been besides `d`, read in the same encoding, according
 * to the text around; PGN_UNDAMAGED: nothing.  A name of three characters in
 * Big5 may be three other ones in GBK, and nothing but other text tells. */
static pgn_damage rival(const pgn_repair *rp, const pgn_findings *f, int d)
{
    enum { CLEAR = 5 };
    for (int k = 1; k < PGN_DAMAGES; k++)
        if (k != d &&
            (f->v[k] == PGN_STRONG ||
             pgn_path_same_reader((pgn_damage)k, (pgn_damage)d)) &&
            rp->seen[k].value + (f->v[k] >= PGN_WEAK ? CLEAR : 0) >
                rp->seen[d].value)
            return (pgn_damage)k;
    return PGN_UNDAMAGED;
}

/* The way with the best verdict `v`, by what undoing it gains; none. */
static int best_of(const pgn_findings *f, pgn_verdict v)
{
    int best = PGN_UNDAMAGED;
    for (int k = 1; k < PGN_DAMAGES; k++)
        if (f->v[k] == v && (!best || f->value[k] > f->value[best]))
            best = k;
    return best;
}

/* What is done about a run: nothing (PGN_UNDAMAGED), or its damage undone, or
 * *lost said.  Strong evidence tells in which encoding the run was read; in
 * which it was, the text around tells better than the run. */
static pgn_damage decide(const pgn_repair *rp, const pgn_findings *f,
                         pgn_damage common, bool *lost)
{
    int best = best_of(f, PGN_STRONG);
    *lost = false;
    if (common && may_follow(rp, common, f))
        best = common;
    if (!best) {
        best = best_of(f, PGN_LOST);
        *lost = best;
        return (pgn_damage)best;
    }
    if (f->v[best] == PGN_STRONG && pgn_path_was_utf8((pgn_damage)best))
        return (pgn_damage)best;
    const pgn_damage other = rival(rp, f, best);
    if (!other)
        return (pgn_damage)best;
    if (f->v[other] >= PGN_WEAK)
        return rival(rp, f, (int)other) ? PGN_UNDAMAGED : other;
    *lost = true; /* that is what it was, but not all of it is there */
    return other;
}

/* ---- runs ---- */

/* No memory left? */
static bool failed(const pgn_repair *rp)
{
    return rp->bytes.failed || rp->back.failed || rp->again.failed;
}

/* Programs that meet bytes they cannot read write U+FFFD, EF BF BD in UTF-8;
 * two of them are 锟斤拷 in GBK, one is ï¿½ in Latin-1.  Nothing is left of the
 * text then. */
static pgn_damage shows_loss(xq_str run)
{
    if (memmem(run.s, run.n, "锟斤拷", 9))
        return PGN_UTF8_AS_GBK;
    return memmem(run.s, run.n, "ï¿½", 6) ? PGN_UTF8_AS_LATIN1 : PGN_UNDAMAGED;
}

/* The next run with something outside ASCII from `at` on; empty: none. */
static xq_str next_run(xq_str s, size_t at)
{
    size_t from = at;
    bool high = false;
    for (; at < s.n; at++) {
        const unsigned char c = (unsigned char)s.s[at];
        if (c >= 0x30) {
            high = high || c >= 0x80;
            continue;
        }
        if (high)
            break;
        from = at + 1;
    }
    return high ? (xq_str){s.s + from, at - from} : (xq_str){NULL, 0};
}

/* Text that needs no second look: moves, most comments. */
static bool is_plainly_good(const pgn_looks *k)
{
    return 2 * k->sum >= 5 * (int64_t)k->n && !k->mark;
}

void pgn_repair_begin(pgn_repair *rp)
{
    memset(rp->seen, 0, sizeof rp->seen);
    rp->all = 0;
}

xq_status pgn_repair_look(pgn_repair *rp, xq_str utf8)
{
    for (xq_str run = next_run(utf8, 0); run.n;
         run = next_run(utf8, (size_t)(run.s + run.n - utf8.s))) {
        const pgn_looks is = pgn_looks_of(run);
        rp->all += is.n;
        if (is_plainly_good(&is))
            continue;
        pgn_findings f;
        pgn_find(rp, run, &is, &f);
        for (int k = 1; k < PGN_DAMAGES; k++) {
            pgn_repair_evidence *e = &rp->seen[k];
            e->strong += f.v[k] == PGN_STRONG ? is.n : 0;
            e->weak += f.v[k] == PGN_WEAK && !f.doubted[k] ? is.n : 0;
            e->lost += f.v[k] == PGN_LOST ? is.n : 0;
            e->value += f.value[k];
        }
        if (failed(rp))
            return XQ_ENOMEM;
    }
    return XQ_OK;
}

pgn_damage pgn_repair_common(const pgn_repair *rp)
{
    int most = PGN_UNDAMAGED;
    for (int k = 1; k < PGN_DAMAGES; k++)
        if (rp->seen[k].strong && rp->seen[k].value > rp->seen[most].value)
            most = k;
    const pgn_repair_evidence *e = &rp->seen[most];
    /* letters with accents are more characters than Chinese ones */
    const size_t enough = pgn_path_was_latin1((pgn_damage)most) ? 4 : 6;
    return most && e->strong >= enough &&
                   4 * (e->strong + e->weak + e->lost) >= 3 * rp->all
               ? (pgn_damage)most
               : PGN_UNDAMAGED;
}

static bool add_place(pgn_repair *rp, pgn_repair_place place)
{
    if (rp->n == rp->cap) {
        const size_t cap = rp->cap ? 2 * rp->cap : 16;
        pgn_repair_place *v = realloc(rp->v, cap * sizeof *v);
        if (!v)
            return false;
        rp->v = v;
        rp->cap = cap;
    }
    rp->v[rp->n++] = place;
    return true;
}

/* Beside damaged text, is this what could not be made good?  (René is not.) */
static bool looks_bad(const pgn_looks *k)
{
    return 2 * (k->rare + k->strange + k->lost) >= k->n && k->n > k->letters;
}

/* Append the run, repaired if it can be. */
static bool repair_run(pgn_repair *rp, pgn_damage common, xq_str text,
                       xq_str run, pgn_buf *out)
{
    const pgn_looks is = pgn_looks_of(run);
    pgn_damage d = PGN_UNDAMAGED;
    bool lost = false, exact = false;
    if (!is_plainly_good(&is)) {
        pgn_findings f;
        pgn_find(rp, run, &is, &f);
        d = decide(rp, &f, common, &lost);
        exact = f.v[common] >= PGN_WEAK;
    }
    if (!d) {
        d = shows_loss(run);
        if (!d && !exact && looks_bad(&is))
            d = common;
        lost = d != PGN_UNDAMAGED;
    }
    pgn_repair_place p = {.from = (size_t)(run.s - text.s),
                          .n = run.n,
                          .to = out->n,
                          .nto = run.n,
                          .damage = d,
                          .lost = lost};
    if (d && !lost) {
        pgn_undo(rp, d, run);
        /* readers drop byte order marks */
        const pgn_buf *b = &rp->back;
        const size_t mark =
            b->n >= 3 && !memcmp(b->s, "\xEF\xBB\xBF", 3) ? 3 : 0;
        p.nto = b->n - mark;
        pgn_buf_add(out, b->s + mark, p.nto);
    } else {
        pgn_buf_add(out, run.s, run.n);
    }
    return !d || add_place(rp, p);
}

xq_status pgn_repair_text(pgn_repair *rp, xq_str utf8, pgn_buf *out)
{
    const pgn_damage common = pgn_repair_common(rp);
    const size_t to0 = out->n;
    size_t at = 0;
    rp->n = 0;
    if (!utf8.n)
        return XQ_OK; /* .s may be NULL */
    for (xq_str run = next_run(utf8, 0); run.n; run = next_run(utf8, at)) {
        const size_t from = (size_t)(run.s - utf8.s);
        pgn_buf_add(out, utf8.s + at, from - at);
        if (!repair_run(rp, common, utf8, run, out) || failed(rp))
            return XQ_ENOMEM;
        at = from + run.n;
    }
    pgn_buf_add(out, utf8.s + at, utf8.n - at);
    for (size_t i = 0; i < rp->n; i++)
        rp->v[i].to -= to0;
    return out->failed ? XQ_ENOMEM : XQ_OK;
}

void pgn_repair_free(pgn_repair *rp)
{
    free(rp->v);
    pgn_buf_free(&rp->bytes);
    pgn_buf_free(&rp->back);
    pgn_buf_free(&rp->again);
    *rp = (pgn_repair){0};
}

xq_status pgn_repair_one(xq_str utf8, pgn_buf *out, pgn_damage *damage,
                         bool *whole)
{
    pgn_repair rp = {0};
    *damage = PGN_UNDAMAGED;
    *whole = true;
    xq_status rc = pgn_repair_look(&rp, utf8);
    if (rc == XQ_OK)
        rc = pgn_repair_text(&rp, utf8, out);
    for (size_t i = 0; i < rp.n && rc == XQ_OK; i++) {
        *damage = i ? *damage : rp.v[i].damage;
        *whole = *whole && !rp.v[i].lost;
    }
    pgn_repair_free(&rp);
    return rc;
}
