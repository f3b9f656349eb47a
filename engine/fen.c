/* fen.c - FEN in all its dialects, and what is odd about a position.
 * Formats reference 1.2-1.5. */
#include "engine/internal.h"

#include <stdio.h>
#include <string.h>

/* ---- reading ---- */

struct reader {
    xq_str text;
    size_t at;
    xq_err *err;
};

/* Bytes of the blank at the reader's place: 1, 3 for "%20", 0 for none. */
static size_t blank(const struct reader *r)
{
    size_t left = r->text.n - r->at;
    const char *s = r->text.s + r->at;
    if (left && (*s == ' ' || *s == '\t' || *s == '\r' || *s == '\n'))
        return 1;
    return left >= 3 && memcmp(s, "%20", 3) == 0 ? 3 : 0;
}

static void skip_blanks(struct reader *r)
{
    for (size_t n; r->at < r->text.n && (n = blank(r)) > 0;)
        r->at += n;
}

/* The next field; its n is 0 at the end of the text. */
static xq_str next_field(struct reader *r)
{
    skip_blanks(r);
    size_t start = r->at;
    while (r->at < r->text.n && !blank(r))
        r->at++;
    return (xq_str){r->text.s + start, r->at - start};
}

static xq_piece piece_of_letter(char c)
{
    static const char LETTERS[] = "KABNRCPEMHG";
    static const uint8_t KINDS[] = {
        XQ_KING, XQ_ADVISOR,  XQ_ELEPHANT, XQ_HORSE, XQ_ROOK,    XQ_CANNON,
        XQ_PAWN, XQ_ELEPHANT, XQ_ELEPHANT, XQ_HORSE, XQ_ADVISOR,
    };
    bool small = c >= 'a' && c <= 'z';
    const char *hit = c ? strchr(LETTERS, small ? c - ('a' - 'A') : c) : NULL;
    if (!hit)
        return XQ_EMPTY;
    return xq_piece_of(small ? XQ_BLACK : XQ_RED,
                       (xq_kind)KINDS[hit - LETTERS]);
}

/* Fail at a place of the board; `what` may be NULL, then the character under
 * the reader is named. */
static xq_status fail_at(struct reader *r, int rank, int file, const char *what)
{
    xq_status rc;
    unsigned char c = r->at < r->text.n ? (unsigned char)r->text.s[r->at] : 0;
    char letter = (char)('a' + (file > 8 ? 8 : file));
    if (what)
        rc = xq_fail(r->err, XQ_ESYNTAX, "rank %d, file %c: %s", rank, letter,
                     what);
    else if (c > 0x20 && c < 0x7f)
        rc = xq_fail(r->err, XQ_ESYNTAX,
                     "rank %d, file %c: unknown piece letter '%c'", rank,
                     letter, c);
    else
        rc = xq_fail(r->err, XQ_ESYNTAX,
                     "rank %d, file %c: unknown piece letter, byte 0x%02X",
                     rank, letter, c);
    if (r->err)
        r->err->byte = r->at;
    return rc;
}

static bool is_side_letter(char c) { return c && strchr("wWrRbB", c) != NULL; }

/* Is the reader at a side letter glued to the complete tenth rank?  Not when
 * a side field follows: then the rank is too wide. */
static bool is_glued_side(const struct reader *r)
{
    char c = r->text.s[r->at];
    if (!c || !strchr("wWrb", c))
        return false;
    struct reader ahead = *r;
    ahead.at++;
    if (ahead.at < ahead.text.n && !blank(&ahead))
        return false;
    xq_str next = next_field(&ahead);
    return !(next.n == 1 && is_side_letter(next.s[0]));
}

/* The board field, up to the blank, the glued side letter or the end. */
static xq_status read_board(struct reader *r, uint8_t at[XQ_SQUARES])
{
    int rank = 9, file = 0;
    memset(at, XQ_EMPTY, XQ_SQUARES);
    skip_blanks(r);
    if (r->at == r->text.n)
        return fail_at(r, rank, file, "no board, the text is empty");
    for (; r->at < r->text.n && !blank(r); r->at++) {
        char c = r->text.s[r->at];
        if (c == '/') {
            if (file != 9)
                return fail_at(r, rank, file, "the rank is not 9 squares wide");
            if (rank == 0)
                return fail_at(r, rank, 8, "more than 10 ranks");
            rank--;
            file = 0;
            continue;
        }
        if (rank == 0 && file == 9 && is_glued_side(r))
            return XQ_OK;
        xq_piece piece = piece_of_letter(c);
        int width = c >= '1' && c <= '9' ? c - '0' : 1;
        if (width == 1 && c != '1' && !piece)
            return fail_at(r, rank, file, NULL);
        if (file + width > 9)
            return fail_at(r, rank, 8, "the rank is more than 9 squares wide");
        if (piece)
            at[xq_sq_of(file, rank)] = piece;
        file += width;
    }
    if (file != 9)
        return fail_at(r, rank, file, "the rank is not 9 squares wide");
    if (rank != 0)
        return fail_at(r, rank - 1, 0,
                       "the board ends, it has fewer than 10 ranks");
    return XQ_OK;
}

/* A counter; false when the field is no number from `low` to `high`. */
static bool read_number(xq_str field, uint32_t low, uint32_t high,
                        uint32_t *out)
{
    uint64_t n = 0;
    for (size_t i = 0; i < field.n; i++) {
        char c = field.s[i];
        if (c < '0' || c > '9')
            return false;
        n = n * 10 + (unsigned)(c - '0');
        if (n > high)
            return false;
    }
    if (field.n == 0 || n < low)
        return false;
    *out = (uint32_t)n;
    return true;
}

static bool is_dash(xq_str field) { return field.n == 1 && field.s[0] == '-'; }

/* A field that stands where a counter belongs: text is none. */
static bool looks_like_counter(xq_str field, bool after_dashes)
{
    char c = field.n ? field.s[0] : 0;
    return (c >= '0' && c <= '9') || c == '-' || c == '+' ||
           (after_dashes && field.n);
}

/* Side, dashes, counters and what comes behind them. */
static void read_tail(struct reader *r, xq_side *side, uint32_t *halfmove,
                      uint32_t *fullmove, unsigned *flags)
{
    static const uint32_t LOW[2] = {0, 1}, HIGH[2] = {UINT16_MAX, 999999999};
    uint32_t *counters[2] = {halfmove, fullmove};
    xq_str field = next_field(r);
    int dashes = 0;
    if (field.n == 1 && is_side_letter(field.s[0])) {
        *side = field.s[0] == 'b' || field.s[0] == 'B' ? XQ_BLACK : XQ_RED;
        field = next_field(r);
    } else {
        *flags |= XQ_FEN_NO_SIDE;
    }
    for (; dashes < 2 && is_dash(field); dashes++)
        field = next_field(r);
    for (int i = 0; i < 2 && looks_like_counter(field, dashes > 0); i++) {
        if (!read_number(field, LOW[i], HIGH[i], counters[i]))
            *flags |= XQ_FEN_COUNTERS;
        field = next_field(r);
    }
    if (field.n)
        *flags |= XQ_FEN_TRAILING;
}

xq_status xq_fen_parse(xq_pos *p, xq_str text, unsigned *flags, xq_err *err)
{
    struct reader r = {text, 0, err};
    uint8_t at[XQ_SQUARES];
    xq_side side = XQ_RED;
    uint32_t halfmove = 0, fullmove = 1;
    unsigned seen = 0;
    xq_status rc = read_board(&r, at);
    if (rc < 0)
        return rc;
    read_tail(&r, &side, &halfmove, &fullmove, &seen);
    rc = xq_pos_set(p, at, side, err);
    if (rc < 0)
        return rc;
    p->halfmove = (uint16_t)halfmove;
    p->fullmove = fullmove;
    if (flags)
        *flags = seen;
    return XQ_OK;
}

/* ---- writing ---- */

size_t xq_fen_format(const xq_pos *p, char out[XQ_FEN_MAX])
{
    char *o = out;
    for (int rank = 9; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 9; file++) {
            xq_piece piece = p->at[xq_sq_of(file, rank)];
            if (!piece) {
                empty++;
                continue;
            }
            if (empty)
                *o++ = (char)('0' + empty);
            empty = 0;
            *o++ = ".KABNRCP.kabnrcp"[piece & 15];
        }
        if (empty)
            *o++ = (char)('0' + empty);
        if (rank)
            *o++ = '/';
    }
    size_t n = (size_t)(o - out);
    return n + (size_t)snprintf(o, XQ_FEN_MAX - n, " %c - - %u %lu",
                                p->side == XQ_RED ? 'w' : 'b',
                                (unsigned)p->halfmove,
                                (unsigned long)p->fullmove);
}

/* ---- odd positions ---- */

static char zone_of(xq_sq s)
{
    return xq_zone_map[xq_rank_of[s]][xq_file_of[s]];
}

/* A place where no game can bring the piece; NULL when it is all right. */
static const char *odd_place(xq_piece piece, xq_sq s)
{
    unsigned side = xq_piece_side(piece);
    char zone = zone_of(s);
    bool home = half_of(s) == side;
    int rank = side == XQ_RED ? xq_rank_of[s] : 9 - xq_rank_of[s];
    switch (xq_piece_kind(piece)) {
    case XQ_ADVISOR:
        return home && zone == 'a' ? NULL : "is off the five advisor points";
    case XQ_ELEPHANT:
        return home && (zone == 'e' || zone == 'b')
                   ? NULL
                   : "is off the seven elephant points";
    case XQ_PAWN:
        if (rank < 3)
            return "is behind its first rank";
        return rank < 5 && xq_file_of[s] % 2
                   ? "is on a file it cannot reach before the river"
                   : NULL;
    default:
        return NULL;
    }
}

/* What a side starts with. */
static const uint8_t START_COUNT[8] = {0, 1, 2, 2, 2, 2, 2, 5};

/* How many pieces of a code there are; *s is the first beyond the number a
 * side starts with. */
static unsigned count_code(const xq_pos *p, unsigned code, xq_sq *s)
{
    unsigned n = 0;
    for (unsigned i = p->first[code]; i < p->first[code + 1]; i++)
        if (p->sq[i] != XQ_NOSQ && ++n == START_COUNT[code & 7] + 1u)
            *s = p->sq[i];
    return n;
}

static bool is_facing(const xq_pos *p)
{
    xq_sq red = xq_pos_king(p, XQ_RED), black = xq_pos_king(p, XQ_BLACK);
    unsigned f = xq_file_of[red];
    return f == xq_file_of[black] &&
           (xq_reach[xq_rank_of[red]][xq_file_occ(p, f)].rook >>
                xq_rank_of[black] &
            1);
}

/* A piece, not the king, that could capture the king now. */
static bool hanging_king(const xq_pos *p, xq_sq *by)
{
    xq_pos turned = *p;
    xq_sq checkers[XQ_MAX_CHECKERS];
    xq_pos_pass(&turned);
    unsigned n = xq_checkers(&turned, checkers);
    for (unsigned i = 0; i < n; i++)
        if (xq_piece_kind(p->at[checkers[i]]) != XQ_KING) {
            *by = checkers[i];
            return true;
        }
    return false;
}

/* Tests in order: places by square, numbers by piece code, the kings. */
enum {
    ODD_CODES = XQ_SQUARES,
    ODD_FACING = ODD_CODES + 16,
    ODD_CHECK,
    ODD_END
};

static bool odd_test(const xq_pos *p, unsigned test, char msg[128])
{
    xq_sq s = XQ_NOSQ;
    char a[3], b[3];
    if (test < ODD_CODES) {
        s = (xq_sq)test;
        const char *why = p->at[s] ? odd_place(p->at[s], s) : NULL;
        if (!why)
            return false;
        xq_sq_format(s, a);
        snprintf(msg, 128, "%s: %s %s %s", a,
                 xq_side_name(xq_piece_side(p->at[s])),
                 xq_kind_name(xq_piece_kind(p->at[s])), why);
        return true;
    }
    if (test < ODD_FACING) {
        xq_piece piece = (xq_piece)(test - ODD_CODES);
        unsigned n = count_code(p, piece, &s);
        if (s == XQ_NOSQ)
            return false;
        xq_sq_format(s, a);
        snprintf(msg, 128, "%s: %s has %u %ss, a side has at most %u", a,
                 xq_side_name(xq_piece_side(piece)), n,
                 xq_kind_name(xq_piece_kind(piece)), START_COUNT[piece & 7]);
        return true;
    }
    xq_sq_format(xq_pos_king(p, XQ_RED), a);
    xq_sq_format(xq_pos_king(p, XQ_BLACK), b);
    if (test == ODD_FACING) {
        if (!is_facing(p))
            return false;
        snprintf(msg, 128, "%s, %s: the kings face each other", a, b);
        return true;
    }
    if (!hanging_king(p, &s))
        return false;
    char by[3];
    xq_sq_format(s, by);
    snprintf(msg, 128, "%s: %s king is in check from %s, not to move",
             p->side == XQ_RED ? b : a, xq_side_name((xq_side)(p->side ^ 1)),
             by);
    return true;
}

bool xq_pos_odd(const xq_pos *p, unsigned *it, char msg[128])
{
    while (*it < ODD_END)
        if (odd_test(p, (*it)++, msg))
            return true;
    return false;
}
