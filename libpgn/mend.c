/* mend.c - repairs while a game is read (repair.h).
 *
 * A text file is repaired block by block, before it is tokenised: damage can
 * take in the bracket or brace behind a text ("王}" in UTF-8 read as GBK is
 * 鐜媫), and moves are text as well.  JSON and the binary kinds say themselves
 * where a text ends; there the tags and comments of a game are repaired. */
#include "libpgn/reader_internal.h"

#include <string.h>

/* Where a text of this reader ends, its format says and not its text. */
static bool has_fields(const pgn_reader *r)
{
    return r->plain || r->seg->format == PGN_FMT_JSON;
}

/* ---- blocks ---- */

/* The encoding that a text was in which was read in encoding e, when it has
 * damage d: a file that no one encoded twice, and we read wrongly. */
static pgn_encoding misread(pgn_encoding e, pgn_damage d)
{
    if (e == PGN_ENC_GB18030 && d == PGN_BIG5_AS_GBK)
        return PGN_ENC_BIG5;
    if (e == PGN_ENC_BIG5 && d == PGN_GBK_AS_BIG5)
        return PGN_ENC_GB18030;
    return e;
}

bool pgn_mend_block(pgn_reader *r, pgn_encoding *other)
{
    const xq_str text = {r->text, r->ntext};
    pgn_repair *rp = &r->repair;
    r->block_mended = false;
    if (has_fields(r))
        return true;
    pgn_repair_begin(rp);
    bool ok = pgn_repair_look(rp, text) == XQ_OK;
    if (ok && r->opts.encoding == PGN_ENC_AUTO && r->wide_enc == PGN_ENC_AUTO) {
        /* all of it: then it is no repair, where moves tell the same */
        const pgn_encoding e = misread(*other, pgn_repair_common(rp));
        if (e != *other && pgn_encoding_judge(r->raw + r->block, r->nblock,
                                              PGN_ENC_AUTO) == e) {
            *other = e;
            return true;
        }
    }
    r->mended.n = 0;
    ok = ok && pgn_repair_text(rp, text, &r->mended) == XQ_OK &&
         (!rp->n || pgn_block_put(r, r->mended.s, r->mended.n));
    r->block_mended = ok && rp->n;
    r->failed = r->failed || !ok;
    return ok;
}

/* The first place that ends behind text[at]; rp->n: none. */
static size_t place_at(const pgn_reader *r, size_t at)
{
    size_t a = 0, b = r->repair.n;
    while (a < b) {
        const size_t m = (a + b) / 2;
        const pgn_repair_place *p = &r->repair.v[m];
        if (p->to + p->nto <= at)
            a = m + 1;
        else
            b = m;
    }
    return a;
}

/* Inside a place nothing tells character from character: its beginning. */
size_t pgn_mend_before(const pgn_reader *r, size_t at)
{
    if (!r->block_mended)
        return at;
    const size_t i = place_at(r, at);
    if (i < r->repair.n && r->repair.v[i].to <= at)
        return r->repair.v[i].lost
                   ? at - r->repair.v[i].to + r->repair.v[i].from
                   : r->repair.v[i].from;
    if (i == 0)
        return at;
    const pgn_repair_place *p = &r->repair.v[i - 1];
    return at == SIZE_MAX ? at : at - (p->to + p->nto) + p->from + p->n;
}

static void warn(pgn_reader *r, const pgn_repair_place *p, size_t at,
                 xq_str text)
{
    pgn_build_problem(r, PGN_WARNING, PGN_P_ENCODING, at, 0, text,
                      "text encoded twice (%s), bytes are missing: left as it "
                      "is",
                      pgn_damage_name(p->damage));
}

/* Is there a line break in text[from..to)? */
static bool is_broken(const pgn_reader *r, size_t from, size_t to)
{
    return memchr(r->text + from, '\n', to - from) ||
           memchr(r->text + from, '\r', to - from);
}

/* A line is counted once, whatever was repaired in it, and once warned of. */
static void count_lines(pgn_reader *r, size_t at)
{
    const pgn_repair *rp = &r->repair;
    const pgn_repair_place *last[2] = {NULL, NULL}; /* repaired, lost */
    for (size_t i = place_at(r, r->begin); i < rp->n && rp->v[i].to < at; i++) {
        const pgn_repair_place *p = &rp->v[i];
        const pgn_repair_place *before = last[p->lost];
        last[p->lost] = p;
        if (before && !is_broken(r, before->to + before->nto, p->to))
            continue;
        if (p->lost)
            warn(r, p, p->to, (xq_str){r->text + p->to, p->nto});
        else
            r->game.repaired[p->damage]++;
    }
}

/* ---- tags and comments ---- */

/* Repair a text of the game. */
static void mend_text(pgn_reader *r, xq_str *text)
{
    pgn_repair *rp = &r->repair;
    bool counted = false, warned = false;
    r->mended.n = 0;
    if (!text->n || pgn_repair_text(rp, *text, &r->mended) != XQ_OK) {
        r->failed = r->failed || text->n;
        return;
    }
    for (size_t i = 0; i < rp->n; i++) {
        const pgn_repair_place *p = &rp->v[i];
        if (p->lost && !warned)
            warn(r, p, r->begin, *text);
        else if (!p->lost && !counted)
            r->game.repaired[p->damage]++;
        counted = counted || !p->lost;
        warned = warned || p->lost;
    }
    if (!counted)
        return;
    const xq_str copy =
        xq_arena_copy(&r->arena, (xq_str){r->mended.s, r->mended.n});
    r->failed = r->failed || !copy.s;
    if (copy.s)
        *text = copy;
}

static void mend_fields(pgn_reader *r)
{
    pgn_game *g = &r->game;
    pgn_repair_begin(&r->repair);
    bool ok = true;
    for (uint32_t i = 0; i < g->ntags && ok; i++)
        ok = pgn_repair_look(&r->repair, g->tags[i].value) == XQ_OK;
    for (uint32_t i = 1; i < g->nnotes && ok; i++)
        ok = pgn_repair_look(&r->repair, g->notes[i].text) == XQ_OK;
    if (!ok) {
        r->failed = true;
        return;
    }
    for (uint32_t i = 0; i < g->ntags && !r->failed; i++)
        mend_text(r, &g->tags[i].value);
    for (uint32_t i = 1; i < g->nnotes && !r->failed; i++)
        mend_text(r, &g->notes[i].text);
}

void pgn_mend_game(pgn_reader *r, size_t at)
{
    memset(r->game.repaired, 0, sizeof r->game.repaired);
    if (has_fields(r))
        mend_fields(r);
    else if (r->block_mended)
        count_lines(r, at);
}
