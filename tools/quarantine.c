/* quarantine.c - faulty games, written so that they stay faulty until somebody
 * mends them.
 *
 * Whether a text does is not reasoned about but tried: it is read back with a
 * sound game behind it. */
#include "tools/quarantine.h"

#include "libpgn/writer.h"

#include <inttypes.h>
#include <string.h>

/* A game without tags, and one that begins with a tag that no game has: a
 * second one of the first tag's name would begin a game by itself. */
static const char NEXT[] =
    "1. h2e2 *\n\n[BehindQuarantine \"\"]\n\n1. h2e2 *\n";
enum { TAGGED = 11 }; /* where the second one begins */

/* Does out->s[from..) read as the game g, faulty, and as nothing else,
 * whatever follows (`tagged`: whatever game with tags)? */
static xq_status is_whole(quarantine *q, bool plain, bool tagged,
                          const pgn_game *g, pgn_encoding encoding,
                          const pgn_buf *out, size_t from, bool *whole)
{
    pgn_reader **r = plain ? &q->plain : &q->as_read;
    const pgn_reader_options utf8 = {.encoding = PGN_ENC_UTF8};
    const pgn_game *back;
    xq_status rc = XQ_OK;
    *whole = false;
    if (!*r)
        rc = pgn_reader_new(r, plain ? &utf8 : &q->options, NULL);
    if (rc != XQ_OK)
        return rc;
    q->text.n = 0;
    pgn_buf_add(&q->text, out->s + from, out->n - from);
    pgn_buf_puts(&q->text, tagged ? NEXT + TAGGED : NEXT);
    if (out->failed || q->text.failed)
        return XQ_ENOMEM;
    char name[] = "";
    const pgn_segment seg = {.name = name,
                             .bytes = (uint8_t *)q->text.s,
                             .n = q->text.n,
                             .first = true,
                             .last = true,
                             .format = PGN_FMT_PGN,
                             .encoding = encoding};
    pgn_reader_load(*r, &seg);
    unsigned n = 0;
    bool same = true;
    while ((rc = pgn_reader_next(*r, &back, NULL)) == XQ_OK && same) {
        if (n == 0)
            same = (back->faulty || back->skipped) && back->plies == g->plies;
        else
            same =
                n <= 2 && !back->faulty && !back->skipped && back->plies == 1;
        n++;
    }
    *whole = same && n == (tagged ? 2 : 3);
    return rc == XQ_ENOMEM ? rc : XQ_OK;
}

/* ---- as it stood ---- */

/* The game's own bytes; false when they cannot be mixed with others. */
static bool bytes_of(const pgn_game *g, const pipe_at *at, xq_str *bytes)
{
    const pgn_segment *seg = at->seg;
    const bool wide =
        g->encoding == PGN_ENC_UTF16LE || g->encoding == PGN_ENC_UTF16BE;
    if (at->format != PGN_FMT_PGN || wide || g->byte < seg->byte0 ||
        g->byte - seg->byte0 > seg->n ||
        g->bytes > seg->n - (g->byte - seg->byte0))
        return false;
    *bytes = (xq_str){(const char *)seg->bytes + (g->byte - seg->byte0),
                      (size_t)g->bytes};
    return true;
}

/* What is put before the result that ends a game: nothing else, or what a
 * comment or variation that is open needs. */
static const char *const CLOSERS[] = {"", "} ", ") "};
enum { NCLOSERS = sizeof CLOSERS / sizeof *CLOSERS };

/* closer NULL: the game has its own end. */
static void put_copy(const pgn_game *g, xq_str bytes, const char *closer,
                     pgn_buf *out)
{
    pgn_buf_add(out, bytes.s, bytes.n);
    if (closer) {
        if (bytes.n && bytes.s[bytes.n - 1] != '\n')
            pgn_buf_puts(out, "\n");
        pgn_buf_puts(out, closer);
        pgn_buf_puts(out, pgn_result_text(g->result));
    }
    pgn_buf_puts(out, "\n\n");
}

/* *done: it is added. */
static xq_status add_copy(quarantine *q, const pgn_game *g, const pipe_at *at,
                          pgn_buf *out, bool *done)
{
    const size_t from = out->n;
    xq_status rc = XQ_OK;
    xq_str bytes;
    *done = false;
    if (!bytes_of(g, at, &bytes))
        return XQ_OK;
    /* its own end, then ours, then one that a game without tags may miss */
    for (int i = 0; i < NCLOSERS + 2 && !*done && rc == XQ_OK; i++) {
        const bool last = i == NCLOSERS + 1;
        out->n = from;
        put_copy(g, bytes, i == 0 ? NULL : CLOSERS[last ? 0 : i - 1], out);
        rc = is_whole(q, false, last, g, at->seg->encoding, out, from, done);
    }
    if (!*done)
        out->n = from;
    return rc;
}

/* ---- as PGN of its good moves ---- */

/* The move that ended the main line, where it can stand among moves. */
static xq_str bad_move(const pgn_game *g)
{
    for (uint32_t i = 0; i < g->nproblems; i++) {
        const pgn_problem *p = &g->problems[i];
        bool word = p->level == PGN_ERROR && !p->in_variation &&
                    p->ply == g->plies + 1 && p->text.n > 0 && p->text.n < 64 &&
                    (p->kind == PGN_P_MOVE || p->kind == PGN_P_ILLEGAL ||
                     p->kind == PGN_P_AMBIGUOUS);
        for (size_t k = 0; k < p->text.n && word; k++)
            word = (unsigned char)p->text.s[k] > ' ' &&
                   !strchr("{}[]();%$*\"", p->text.s[k]);
        if (word)
            return p->text;
    }
    return (xq_str){NULL, 0};
}

/* A line an error. */
static void put_remark(const pgn_game *g, const pipe_at *at, pgn_buf *b)
{
    for (uint32_t i = 0; i < g->nproblems; i++) {
        const pgn_problem *p = &g->problems[i];
        if (p->level != PGN_ERROR)
            continue;
        pgn_buf_puts(b, b->n ? "\n" : "");
        pgn_buf_visible(b, xq_str_of(at->file));
        if (p->line)
            pgn_buf_printf(b, ":%" PRIu64, p->line);
        else
            pgn_buf_printf(b, ": byte %" PRIu64, p->byte);
        if (p->ply)
            pgn_buf_printf(b, ": ply %" PRIu32, p->ply);
        pgn_buf_puts(b, ": ");
        pgn_buf_visible(b, p->message);
    }
}

static xq_status add_prefix(quarantine *q, const pgn_game *g, const pipe_at *at,
                            pgn_buf *out)
{
    const size_t from = out->n;
    const xq_str words[2] = {bad_move(g), xq_str_of("--")};
    pgn_buf remark = {0};
    xq_status rc = XQ_OK;
    bool done = false;
    put_remark(g, at, &remark);
    pgn_style style = {.script_as_game = true, .remark = {remark.s, remark.n}};
    for (int i = 0; i < 2 && !done && rc == XQ_OK; i++) {
        style.word = words[i];
        if (!style.word.n)
            continue;
        out->n = from;
        rc = pgn_write_pgn(g, &style, out, NULL);
        if (rc == XQ_OK)
            rc = is_whole(q, true, false, g, PGN_ENC_UTF8, out, from, &done);
    }
    if (remark.failed)
        rc = XQ_ENOMEM;
    pgn_buf_free(&remark);
    return rc;
}

xq_status quarantine_add(quarantine *q, const pgn_game *g, const pipe_at *at,
                         pgn_buf *out)
{
    bool done;
    const xq_status rc = add_copy(q, g, at, out, &done);
    return rc == XQ_OK && !done ? add_prefix(q, g, at, out) : rc;
}

void quarantine_free(quarantine *q)
{
    pgn_reader_close(q->as_read);
    pgn_reader_close(q->plain);
    pgn_buf_free(&q->text);
}
