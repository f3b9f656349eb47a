/* reader.c - games one by one, segment after segment.
 *
 * The bytes come from a splitter of its own (pgn_reader_open) or from the
 * caller (pgn_reader_load); the format of a segment is a row of FORMATS. */
#include "libpgn/binary.h"
#include "libpgn/reader_internal.h"
#include "libpgn/sniff.h"

#include <stdlib.h>
#include <string.h>

static const pgn_fmt *const FORMATS[] = {
    &pgn_fmt_pgn, &pgn_fmt_json, &pgn_fmt_dhtmlxq, &pgn_fmt_wxf, &pgn_fmt_moves,
    &pgn_fmt_csv, &pgn_fmt_fens, &pgn_fmt_score,   &pgn_fmt_xqf, &pgn_fmt_cbr,
    &pgn_fmt_cbl, &pgn_fmt_cbf,  &pgn_fmt_pfc,     &pgn_fmt_che, &pgn_fmt_chn,
    &pgn_fmt_ccm, &pgn_fmt_mxq,  &pgn_fmt_xgf,     &pgn_fmt_xqr,
};

static const pgn_fmt *format_of(pgn_format id)
{
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++)
        if (FORMATS[i]->id == id)
            return FORMATS[i];
    return &pgn_fmt_pgn;
}

xq_status pgn_reader_new(pgn_reader **out, const pgn_reader_options *opts,
                         xq_err *err)
{
    pgn_reader *r = calloc(1, sizeof *r);
    if (!r)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    if (opts)
        r->opts = *opts;
    xq_pos_start(&r->standard);
    pgn_quick_init(&r->quick);
    *out = r;
    return XQ_OK;
}

xq_status pgn_reader_open(pgn_reader **out, const char *path,
                          const pgn_reader_options *opts, xq_err *err)
{
    pgn_reader *r = NULL;
    xq_status rc = pgn_reader_new(&r, opts, err);
    if (rc != XQ_OK)
        return rc;
    rc = pgn_split_open(&r->split, &path, 1, r->opts.encoding, err);
    if (rc != XQ_OK) {
        pgn_reader_close(r);
        return rc;
    }
    if (r->opts.repair)
        pgn_split_repair(r->split);
    *out = r;
    return XQ_OK;
}

void pgn_reader_load(pgn_reader *r, const pgn_segment *seg)
{
    if (!r->split || !r->seg || seg->file != r->file)
        r->games = 0;
    r->file = seg->file;
    r->seg = seg;
    r->fmt = format_of(seg->format);
    r->raw = seg->bytes;
    r->nraw = seg->n;
    r->encoding = seg->encoding == PGN_ENC_AUTO ? PGN_ENC_UTF8 : seg->encoding;
    r->wide_enc = PGN_ENC_AUTO;
    r->wide_bad = 0;
    r->plain = pgn_format_is_binary(seg->format);
    r->plain_at = seg->byte0;
    if (!r->plain &&
        (r->encoding == PGN_ENC_UTF16LE || r->encoding == PGN_ENC_UTF16BE)) {
        /* the formats look for ASCII bytes: give them UTF-8 */
        char *to =
            (r->wide.n = 0, pgn_buf_room(&r->wide, pgn_decode_bound(seg->n)));
        if (to) {
            size_t used = 0;
            r->wide_enc = r->encoding;
            r->raw = (const uint8_t *)to;
            r->nraw = pgn_decode(r->encoding, seg->bytes, seg->n, true, to,
                                 &used, &r->wide_bad);
            r->encoding = PGN_ENC_UTF8;
        } else {
            r->failed = true;
            r->nraw = 0;
        }
    }
    r->at = 0;
    r->ntext = r->pos = 0;
    r->block = r->nblock = 0;
    r->block_mended = false;
    r->mark_lines_raw = r->begin_raw = 0;
    r->wide_raw = r->wide_at = r->begin_wide = 0;
    r->mark_line = r->begin_line = 0;
}

xq_status pgn_reader_next(pgn_reader *r, const pgn_game **game, xq_err *err)
{
    for (;;) {
        if (r->failed)
            return xq_fail(err, XQ_ENOMEM, "out of memory");
        if (r->seg) {
            xq_status rc = r->fmt->next(r, err);
            if (rc == XQ_OK)
                *game = &r->game;
            if (rc != XQ_DONE)
                return rc;
        }
        if (!r->split)
            return XQ_DONE;
        xq_status rc = pgn_split_next(r->split, &r->own, err);
        if (rc != XQ_OK) {
            r->at = r->nraw = r->pos = r->ntext = 0;
            return rc;
        }
        pgn_reader_load(r, &r->own);
    }
}

const char *pgn_reader_name(const pgn_reader *r)
{
    return r->seg && r->seg->name ? r->seg->name : "";
}

void pgn_reader_close(pgn_reader *r)
{
    if (!r)
        return;
    pgn_split_close(r->split);
    pgn_segment_free(&r->own);
    pgn_buf_free(&r->wide);
    pgn_buf_free(&r->scratch);
    pgn_buf_free(&r->mended);
    pgn_repair_free(&r->repair);
    pgn_binary_free(r->binary);
    xq_arena_free(&r->arena);
    free(r->text);
    free(r->pieces);
    free(r->game.tags);
    free(r->game.main);
    free(r->game.nodes);
    free(r->game.notes);
    free(r->game.problems);
    free(r->stack);
    free(r);
}
