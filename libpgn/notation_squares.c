/* notation_squares.c - reading moves that name squares: ICCS, UCI, and the
 * algebraic notations of XBoard and PyChess.
 *
 *   [piece] [file] [rank] [- x] file rank
 *
 * Ranks count from 0 (ICCS, UCCI, XBoard) or from 1 (Fairy-Stockfish,
 * PyChess).  A "10" or a "0" settles it; else the notation used so far does;
 * else capitals or a hyphen, which only ICCS writes, or a bare pawn, which
 * only XBoard writes.  Where nothing settles it both are tried. */
#include "libpgn/notation_internal.h"

enum { FROM_0 = 1, FROM_1 = 2 };

/* A parsed text, ranks as written (0..10). */
struct squares {
    uint8_t kind; /* xq_kind, or 0 */
    uint8_t file, rank, to_file, to_rank;
    uint8_t at_from, at_to;
    bool hyphen, capitals, captures;
};

static bool is_file(uint32_t cp, bool capitals)
{
    return (cp >= 'a' && cp <= 'i') || (capitals && cp >= 'A' && cp <= 'I');
}

/* A rank at s[*i], moved behind it; PGN_UNSET when there is none. */
static uint8_t take_rank(const pgn_sym *s, unsigned n, unsigned *i)
{
    if (*i >= n || s[*i].cp < '0' || s[*i].cp > '9')
        return PGN_UNSET;
    unsigned rank = s[(*i)++].cp - '0';
    if (rank == 1 && *i < n && s[*i].cp == '0') {
        (*i)++;
        rank = 10;
    }
    return (uint8_t)rank;
}

static uint8_t take_file(const pgn_sym *s, unsigned n, unsigned *i,
                         struct squares *q, bool capitals)
{
    if (*i >= n || !is_file(s[*i].cp, capitals))
        return PGN_UNSET;
    uint32_t cp = s[(*i)++].cp;
    if (cp < 'a') {
        q->capitals = true;
        return (uint8_t)(cp - 'A');
    }
    return (uint8_t)(cp - 'a');
}

/* Parse from s[i] on.  The first file and rank may turn out to be the last
 * ones: "Che2" has no rank before, "c5" no origin at all. */
static bool take_squares(const pgn_sym *s, unsigned n, unsigned i,
                         bool capitals, struct squares *q, unsigned *reached)
{
    q->at_from = q->at_to = (uint8_t)i;
    q->file = take_file(s, n, &i, q, capitals);
    q->rank = take_rank(s, n, &i);
    if (i < n && (s[i].cp == '-' || s[i].cp == 'x')) {
        q->hyphen = s[i].cp == '-';
        q->captures = s[i].cp == 'x';
        i++;
    }
    bool parted = q->hyphen || q->captures;
    if (parted || (i < n && is_file(s[i].cp, capitals))) {
        q->at_to = (uint8_t)i;
        q->to_file = take_file(s, n, &i, q, capitals);
        q->to_rank = q->to_file == PGN_UNSET ? PGN_UNSET : take_rank(s, n, &i);
    } else {
        q->to_file = q->file;
        q->to_rank = q->rank;
        q->file = q->rank = PGN_UNSET;
    }
    if (i > *reached)
        *reached = i;
    return q->to_file != PGN_UNSET && q->to_rank != PGN_UNSET &&
           pgn_only_marks(s, i, n);
}

static unsigned bases(const struct squares *q, bool bare, pgn_notation hint)
{
    bool ten = q->to_rank == 10 || q->rank == 10;
    bool zero = q->to_rank == 0 || q->rank == 0;

    if (ten || zero)
        return (ten ? 0 : FROM_0) | (zero ? 0 : FROM_1);
    if (hint == PGN_ICCS || hint == PGN_UCI || hint == PGN_SAN)
        return FROM_0;
    if (hint == PGN_UCI10 || hint == PGN_SAN10)
        return FROM_1;
    return q->capitals || q->hyphen || bare ? FROM_0 : FROM_0 | FROM_1;
}

static void add(const struct squares *q, unsigned tier, bool bare,
                pgn_notation hint, pgn_readings *out)
{
    unsigned b = bases(q, bare, hint);
    if (!b) /* ranks 0 and 10 in one move */
        out->reached = q->at_to;
    for (unsigned first = 0; first <= 1; first++) {
        if (!(b & (first ? FROM_1 : FROM_0)))
            continue;
        pgn_add_reading(
            out, (pgn_reading){
                     .tier = (uint8_t)tier,
                     .pick = PGN_PICK_ALL,
                     .kind = q->kind,
                     .file = q->file,
                     .rank = q->rank == PGN_UNSET ? PGN_UNSET
                                                  : (uint8_t)(q->rank - first),
                     .to = xq_sq_of(q->to_file, q->to_rank - (int)first),
                     .at_from = q->at_from,
                     .at_to = q->at_to,
                 });
    }
}

/* A pawn without its letter.  XBoard writes "c5" for the pawn on that file,
 * "de5" for one from the next, "exe5" for a capture. */
static void add_bare_pawn(struct squares *q, pgn_notation hint,
                          pgn_readings *out)
{
    q->kind = XQ_PAWN;
    if (q->file == PGN_UNSET && !q->captures) {
        q->file = q->to_file;
        add(q, 1, true, hint, out);
        q->file = PGN_UNSET;
        add(q, 2, true, hint, out);
    } else {
        add(q, 1, true, hint, out);
    }
}

void pgn_squares(const pgn_sym *s, unsigned n, pgn_notation hint,
                 pgn_readings *out)
{
    struct squares q = {0};
    bool piece = n > 0 && s[0].cp >= 'A' && s[0].cp <= 'Z' &&
                 pgn_sym_class(s[0]) == PGN_C_PIECE;
    bool san = piece && take_squares(s, n, 1, false, &q, &out->reached);
    if (san) {
        q.kind = (uint8_t)pgn_sym_value(s[0]);
        add(&q, 1, false, hint, out);
    }

    q = (struct squares){0};
    if (!take_squares(s, n, 0, true, &q, &out->reached))
        return;
    if (q.file != PGN_UNSET && q.rank != PGN_UNSET) {
        /* "C2e2" is rather a cannon on rank 2 than c2e2. */
        bool coordinates =
            hint == PGN_ICCS || hint == PGN_UCI || hint == PGN_UCI10;
        add(&q, san ? (coordinates ? 0 : 2) : 1, false, hint, out);
    } else if (q.rank == PGN_UNSET && !q.capitals && !q.hyphen) {
        add_bare_pawn(&q, hint, out);
    } else {
        out->reached = 0;
    }
}
