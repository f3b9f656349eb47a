/* repair_find.c - what a run is on each way back.
 *
 * `judge` holds the criterion; the numbers in it were chosen so that no text
 * of the collections, nor of the message catalogues of a hundred languages, is
 * taken for damaged (tests/unit/test_repair.c has samples of each). */
#include "libpgn/repair_find.h"

#include "libpgn/repair_path.h"

/* better, as pgn_looks_better says, is at least so many halves a character. */
static bool is_better_by(int64_t better, const pgn_looks *is,
                         const pgn_looks *was, int halves)
{
    return 2 * better >= halves * (int64_t)is->n * (int64_t)was->n;
}

/* A word of Western letters, of which the way back would take some with the
 * accents between them: échouée, POUŽÍVÁTE. */
static bool is_western_word(const pgn_looks *is, const pgn_looks *was)
{
    const size_t taken = is->letters - was->letters;
    return was->letters ? was->hanzi < 4 || 3 * taken > was->hanzi
                        : taken && was->hanzi < 3;
}

/* Text of other languages that is no accident, though half of it would be
 * common characters on the way back. */
static bool is_foreign(pgn_damage d, const pgn_looks *is, const pgn_looks *was)
{
    if (pgn_path_was_latin1(d)) /* ÇÃO */
        return is->capitals || is_western_word(is, was);
    /* Cyrillic, kana; damage brings characters for private use or rare ones
     * with it, and bopomofo for the commas of GBK */
    const size_t letters =
        d == PGN_GBK_AS_BIG5 ? is->alphabet : is->alphabet + is->signs;
    const bool mixed = 4 * letters <= is->n && 2 * is->rare >= is->n;
    return (letters && !mixed && !is->private_use && !was->ordinal) ||
           (!is->hanzi && !is->private_use);
}

/* is: the run; was: what comes out.  Numbers were chosen so that no text of
 * the collections is taken for damaged (tests/unit/test_repair.c); of made-up
 * names of three common characters one in 100,000 is. */
static pgn_verdict judge(pgn_damage d, const pgn_looks *is,
                         const pgn_looks *was, bool exact)
{
    const bool utf8 = pgn_path_was_utf8(d);
    const int64_t better = pgn_looks_better(was, is); /* is->n * was->n times */
    const int64_t one = (int64_t)is->n; /* of `better`, in the run as a whole */
    const size_t odd = was->rare + was->strange;
    if (!is->n || was->lost * 3 > was->n)
        return PGN_NO;
    if (utf8 && was->mark && !was->n && exact)
        return PGN_STRONG; /* the mark that UTF-8 files begin with, and ASCII */
    if (!was->n || better < 0)
        return PGN_NO;
    /* U+FFFD in what was UTF-8 may have been there before */
    if (!exact || (was->lost && !utf8)) {
        if (!was->two || 4 * odd > was->n || (!utf8 && !is->lost))
            return PGN_NO;
        if (utf8)
            return is_better_by(better, was, is, 2) && better >= 3 * one
                       ? PGN_LOST
                       : PGN_NO;
        return is_better_by(better, was, is, 3) && better >= 8 * one &&
                       !is_foreign(d, is, was)
                   ? PGN_LOST
                   : PGN_NO;
    }
    /* Chance hardly ever makes UTF-8: rare characters and short runs are no
     * reason for doubt. */
    if (utf8)
        return was->hanzi >= 2 && 8 * was->strange <= was->n ? PGN_STRONG
                                                             : PGN_WEAK;
    if (!was->two || 8 * odd > was->n || !is_better_by(better, was, is, 3) ||
        is_foreign(d, is, was))
        return PGN_WEAK;
    if (pgn_path_was_latin1(d))
        return PGN_STRONG;
    if (was->n < 3 && !was->ordinal && !is->private_use)
        return PGN_WEAK;
    return better >= (2 * is->strange >= is->n ? 6 : 8) * one ? PGN_STRONG
                                                              : PGN_WEAK;
}

bool pgn_undo(pgn_repair *rp, pgn_damage d, xq_str run)
{
    bool sure;
    rp->bytes.n = rp->back.n = 0;
    pgn_path_bytes(d, run, &rp->bytes, &sure);
    return pgn_path_text(d, &rp->bytes, &rp->back) && sure;
}

static pgn_verdict try_way(pgn_repair *rp, pgn_damage d, xq_str run,
                           const pgn_looks *is, pgn_looks *was)
{
    /* what cannot come from that reader need not be tried */
    if (pgn_path_was_latin1(d) ? is->asian : !is->asian)
        return PGN_NO;
    const bool good = pgn_undo(rp, d, run);
    const xq_str back = {rp->back.s, rp->back.n};
    *was = pgn_looks_of(back);
    /* whether it is exact is asked last: that costs most */
    const pgn_verdict v = judge(d, is, was, good);
    if (v >= PGN_WEAK && !pgn_path_leads(d, back, &rp->bytes, run, &rp->again))
        return judge(d, is, was, false);
    return v;
}

/* UTF-8 does not come about by chance: where a third of what comes out in
 * another encoding would be common characters in UTF-8 as well, bytes
 * of UTF-8 are missing. */
static bool is_rather_utf8(size_t common, size_t common_else)
{
    return common > 1 ? 3 * common >= common_else : common && common_else <= 2;
}

/* Where nothing is missing, no other way counts; else another one must be what
 * the text around has. */
static void prefer_utf8(pgn_findings *f, const size_t common[PGN_DAMAGES])
{
    for (int u = 1; u < PGN_DAMAGES; u++)
        for (int k = 1; k < PGN_DAMAGES; k++) {
            if (!pgn_path_was_utf8((pgn_damage)u) ||
                pgn_path_was_utf8((pgn_damage)k) || f->v[k] < PGN_WEAK)
                continue;
            if (f->v[u] == PGN_STRONG) {
                f->v[k] = PGN_NO;
                f->value[k] = 0;
            } else if (pgn_path_same_reader((pgn_damage)u, (pgn_damage)k) &&
                       is_rather_utf8(common[u], common[k])) {
                f->v[k] = PGN_WEAK;
                f->value[k] = 0;
                f->doubted[k] = true;
            }
        }
}

void pgn_find(pgn_repair *rp, xq_str run, const pgn_looks *is, pgn_findings *f)
{
    size_t common[PGN_DAMAGES] = {0};
    *f = (pgn_findings){0};
    for (int k = 1; k < PGN_DAMAGES; k++) {
        const pgn_damage d = (pgn_damage)k;
        pgn_looks was = {0};
        f->v[d] = try_way(rp, d, run, is, &was);
        common[d] = was.hanzi - was.rare;
        if (f->v[d] != PGN_NO && is->n)
            f->value[d] = pgn_looks_better(&was, is) / (int64_t)is->n;
        f->likely[d] = f->value[d] > 0 && 4 * (was.rare + was.strange) <= was.n;
        f->word[d] = pgn_path_was_latin1(d) && is_western_word(is, &was) &&
                     (was.letters || was.n == 1);
    }
    prefer_utf8(f, common);
}
