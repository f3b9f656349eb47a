/* fuzz_repair.c - whatever text comes, what is repaired is exact: damaged again
 * on the same way it is the text it was made from, and all else is as it was.
 * The first byte says how the rest becomes text: as UTF-8, GB18030, Big5 or
 * Windows-1252, so that bytes of any of them are damage in another. */
#include "libpgn/repair_path.h"

#include <stdlib.h>
#include <string.h>

#include "libpgn/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void must(bool ok)
{
    if (!ok)
        abort();
}

static xq_str part(xq_str s, size_t from, size_t n)
{
    must(from <= s.n && n <= s.n - from);
    return (xq_str){s.s + from, n};
}

/* The bytes that the readers drop where the damage is undone. */
static void check_place(const pgn_repair_place *p, xq_str in, xq_str out)
{
    pgn_buf bytes = {0}, again = {0}, back = {0};
    const xq_str was = part(in, p->from, p->n), is = part(out, p->to, p->nto);
    bool sure;
    must(p->damage > PGN_UNDAMAGED && p->damage < PGN_DAMAGES);
    if (p->lost) {
        must(xq_str_eq(was, is));
        return;
    }
    pgn_path_bytes(p->damage, was, &bytes, &sure);
    must(sure && pgn_path_text(p->damage, &bytes, &back));
    const xq_str whole = {back.s, back.n};
    must(pgn_path_leads(p->damage, whole, &bytes, was, &again));
    /* a byte order mark at the beginning is dropped */
    must(xq_str_eq(whole, is) ||
         (whole.n == is.n + 3 && xq_str_eq(part(whole, 3, is.n), is)));
    pgn_buf_free(&bytes);
    pgn_buf_free(&again);
    pgn_buf_free(&back);
}

static void check_text(xq_str in)
{
    pgn_repair rp = {0};
    pgn_buf b = {0};
    must(pgn_repair_look(&rp, in) == XQ_OK);
    must(pgn_repair_text(&rp, in, &b) == XQ_OK);
    const xq_str out = {b.n ? b.s : "", b.n};
    size_t from = 0, to = 0;
    for (size_t i = 0; i < rp.n; i++) {
        const pgn_repair_place *p = &rp.v[i];
        must(p->from >= from && p->to >= to && p->from - from == p->to - to);
        must(xq_str_eq(part(in, from, p->from - from),
                       part(out, to, p->to - to)));
        check_place(p, in, out);
        from = p->from + p->n;
        to = p->to + p->nto;
    }
    must(in.n - from == out.n - to);
    must(xq_str_eq(part(in, from, in.n - from), part(out, to, out.n - to)));
    must(pgn_utf8_valid(out));
    pgn_buf_free(&b);
    pgn_repair_free(&rp);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    if (n < 1 || n > 4096)
        return 0;
    pgn_encoding e[4] = {PGN_ENC_UTF8, PGN_ENC_GB18030, PGN_ENC_BIG5};
    must(pgn_encoding_of("windows-1252", &e[3]));
    char *text = malloc(pgn_decode_bound(n));
    must(text != NULL);
    size_t used = 0, bad = 0;
    const size_t k =
        pgn_decode(e[data[0] & 3], data + 1, n - 1, true, text, &used, &bad);
    check_text((xq_str){text, k});
    free(text);
    return 0;
}
