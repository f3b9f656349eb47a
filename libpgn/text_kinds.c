/* text_kinds.c - telling text formats apart, and where they may be cut. */
#include "libpgn/text_kinds.h"

#include "engine/rules.h"

#include <string.h>

/* What a test at a place may look at: a place with less behind it is not
 * taken for a boundary, so that cutting never depends on where reading
 * stopped. */
enum { AHEAD = 160 };

static bool is_break(char c) { return c == '\n' || c == '\r'; }
static bool is_blank(char c) { return c == ' ' || c == '\t'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_file(char c) { return (c | 32) >= 'a' && (c | 32) <= 'i'; }

static const char *skip_space(const char *p, const char *end)
{
    while (p < end && (is_break(*p) || is_blank(*p)))
        p++;
    return p;
}

static const char *line_end(const char *p, const char *end)
{
    while (p < end && !is_break(*p))
        p++;
    return p;
}

/* ---- FENs ---- */

const char *pgn_fen_board(const char *p, const char *end, unsigned slashes)
{
    static const char LETTERS[] = "KABENHRCPGMXkabenhrcpgmx";
    unsigned n = 0, pieces = 0, run = 0;
    const char *most = end - p > 128 ? p + 128 : end;
    const char *q = p;
    for (; q < most; q++) {
        if (*q == '/') {
            if (run == 0)
                return NULL;
            n++;
            run = 0;
        } else if (*q && strchr(LETTERS, *q)) {
            pieces++;
            run++;
        } else if (is_digit(*q) && *q != '0') {
            run++;
        } else {
            break;
        }
        if (run > 12)
            return NULL;
    }
    return n >= slashes && (pieces || n == 9) && run ? q : NULL;
}

/* Behind the words that engines put before a position. */
static const char *skip_words(const char *p, const char *end)
{
    static const char *const WORDS[] = {"position", "fen", "FEN"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        const size_t n = strlen(WORDS[i]);
        if ((size_t)(end - p) > n && !memcmp(p, WORDS[i], n) &&
            (is_blank(p[n]) || p[n] == ':')) {
            p += n + 1;
            while (p < end && is_blank(*p))
                p++;
        }
    }
    return p;
}

static bool fen_line(const char *p, const char *end, unsigned slashes)
{
    while (p < end && is_blank(*p))
        p++;
    return pgn_fen_board(skip_words(p, end), end, slashes) != NULL;
}

bool pgn_moves_fen_line(const char *p, const char *end)
{
    return fen_line(p, end - p > AHEAD ? p + AHEAD : end, 7);
}

/* FEN..., or name|FEN... */
static bool fens_line(const char *p, const char *end)
{
    if (fen_line(p, end, 9))
        return true;
    const char *bar = memchr(p, '|', (size_t)(end - p));
    return bar && pgn_fen_board(bar + 1, end, 9);
}

/* ---- moves ---- */

/* h2e2, h10g8, H2-E2 at p: its end, or NULL. */
static const char *square_move(const char *p, const char *end)
{
    for (int i = 0; i < 2; i++) {
        if (i && p < end && *p == '-')
            p++;
        if (end - p < 2 || !is_file(p[0]) || !is_digit(p[1]))
            return NULL;
        p += p[1] == '1' && end - p > 2 && p[2] == '0' ? 3 : 2;
    }
    return p;
}

/* How many moves stand at p with nothing but , and blanks between them. */
static unsigned count_moves(const char **p, const char *end, bool *commas,
                            bool *glued)
{
    unsigned n = 0;
    const char *q = *p, *e;
    while ((e = square_move(q, end))) {
        n++;
        q = e;
        if (q == end || is_break(*q))
            break;
        if (square_move(q, end)) {
            *glued = true;
            continue;
        }
        *commas = *commas || *q == ',';
        if (*q != ',' && !is_blank(*q))
            break;
        while (q < end && (*q == ',' || is_blank(*q)))
            q++;
    }
    *p = q;
    return n;
}

/* Plays the moves of a line (blanks between) as far as they go. */
static bool plays(xq_pos *p, const char *s, const char *end)
{
    const char *e;
    while ((e = square_move(s, end))) {
        char text[5] = {(char)(s[0] | 32), s[1], e[-2], e[-1], 0};
        text[2] |= 32;
        const xq_move m = e - s == 4 ? xq_move_parse(text) : XQ_NOMOVE;
        if (m == XQ_NOMOVE || !xq_move_is_legal(p, m))
            return false;
        xq_pos_make(p, m, NULL);
        s = e;
        while (s < end && (is_blank(*s) || *s == ','))
            s++;
    }
    return s == end;
}

/* Two lines of moves with blanks between are two games when the second does
 * not continue the first; else they are one game, which PGN's reader takes. */
static bool two_games(const char *a, const char *ae, const char *b,
                      const char *be)
{
    xq_pos p, q;
    xq_pos_start(&p);
    xq_pos_start(&q);
    const char *first = square_move(b, be);
    if (!first || !plays(&p, a, ae) || !plays(&q, b, be))
        return false;
    return !plays(&p, b, first);
}

/* 77477062 ...: digits in fours, and a first move that somebody can play. */
static bool digits_line(const char *p, const char *end)
{
    size_t digits = 0;
    for (const char *q = p; q < end; q++) {
        if (is_blank(*q) && digits % 4 == 0)
            continue;
        if (!is_digit(*q))
            return false;
        digits++;
    }
    if (digits % 4 || digits < 8 || p[0] == '9' || p[2] == '9')
        return false;
    xq_pos pos;
    xq_pos_start(&pos);
    const xq_move m = xq_move_make(xq_sq_of(p[0] - '0', 9 - (p[1] - '0')),
                                   xq_sq_of(p[2] - '0', 9 - (p[3] - '0')));
    if (xq_move_is_legal(&pos, m))
        return true;
    xq_pos_pass(&pos);
    return xq_move_is_legal(&pos, m);
}

static bool moves_kind(const char *p, const char *end, bool meant)
{
    const char *le = line_end(p, end), *q = p;
    const char *next = skip_space(le, end), *ne = line_end(next, end);
    while (le > p && is_blank(le[-1]))
        le--;
    const bool fen_follows = fen_line(next, ne, 7);
    if (digits_line(p, le))
        return true;
    static const char START[] = "position startpos moves ";
    for (size_t skip = 0; skip <= 9; skip += 9)
        if ((size_t)(le - p) > sizeof START - 1 - skip &&
            !memcmp(p, START + skip, sizeof START - 1 - skip))
            return true;
    bool commas = false, glued = false;
    unsigned n = count_moves(&q, le, &commas, &glued);
    if (n && (q == le || *q == ';' || *q == '|' || *q == '\t')) {
        if (fen_follows || (n >= 2 && (commas || glued)) ||
            (n == 1 && q == le && next == end))
            return true;
        if (n >= 2 && two_games(p, le, next, ne))
            return true;
    }
    /* an id before them, which may look like a move */
    q = memchr(p, ';', (size_t)(le - p));
    if (!q)
        return false;
    q++;
    while (q < le && is_blank(*q))
        q++;
    commas = glued = false;
    n = count_moves(&q, le, &commas, &glued);
    return n >= (meant || commas ? 1 : 2) &&
           (q == le || *q == ';' || *q == '|');
}

/* ---- the kind ---- */

pgn_format pgn_text_kind(xq_str head, bool meant)
{
    if (head.n == 0)
        return PGN_FMT_UNKNOWN;
    const char *end = head.s + head.n, *p = skip_space(head.s, end);
    xq_str header;
    static const char FORMAT[] = "FORMAT";
    if (end - p > 7 && !memcmp(p, FORMAT, 6) && is_blank(p[6]))
        return PGN_FMT_WXF;
    if (memmem(head.s, head.n, "[DhtmlXQ", 8) ||
        memmem(head.s, head.n, "[DHJHtmlXQ", 10))
        return PGN_FMT_DHTMLXQ;
    const xq_str text = {p, (size_t)(end - p)};
    if (moves_kind(p, end, meant))
        return PGN_FMT_MOVES;
    if (fens_line(p, line_end(p, end)))
        return PGN_FMT_FENS;
    if (pgn_csv_header(text, &header))
        return PGN_FMT_CSV;
    return pgn_score_kind(text) ? PGN_FMT_SCORE : PGN_FMT_UNKNOWN;
}

/* ---- boundaries ---- */

/* Does a line begin at s[at] that begins a game? */
static bool line_boundary(pgn_format f, const uint8_t *s, size_t n, size_t at)
{
    const char *p = (const char *)s + at, *end = (const char *)s + n;
    if (at > 0 && !is_break(p[-1]))
        return false;
    if (is_break(*p))
        return false;
    switch (f) {
    case PGN_FMT_WXF:
        return end - p > 7 && !memcmp(p, "FORMAT", 6) && is_blank(p[6]);
    case PGN_FMT_MOVES:
    case PGN_FMT_FENS: {
        const char *most = end - p > AHEAD ? p + AHEAD : end;
        while (p < most && is_blank(*p))
            p++;
        return p < most && !is_break(*p) &&
               (f == PGN_FMT_FENS ||
                !pgn_moves_fen_line((const char *)s + at, line_end(p, most)));
    }
    case PGN_FMT_SCORE:
        return pgn_score_boundary(s, n, at);
    default:
        return false;
    }
}

static bool dhtmlxq_boundary(const uint8_t *s, size_t n, size_t at)
{
    return (n - at >= 9 && !memcmp(s + at, "[DhtmlXQ]", 9)) ||
           (n - at >= 11 && !memcmp(s + at, "[DHJHtmlXQ]", 11));
}

size_t pgn_text_boundary_next(pgn_format f, const uint8_t *s, size_t n,
                              size_t from)
{
    for (size_t i = from; i < n; i++) {
        if (f == PGN_FMT_DHTMLXQ) {
            const uint8_t *p = memchr(s + i, '[', n - i);
            if (!p)
                return n;
            i = (size_t)(p - s);
            if (dhtmlxq_boundary(s, n, i))
                return i;
            continue;
        }
        if (line_boundary(f, s, n, i))
            return i;
        while (i < n && !is_break((char)s[i]))
            i++;
    }
    return n;
}

size_t pgn_text_boundary_last(pgn_format f, xq_str csv, const uint8_t *s,
                              size_t n, size_t from, size_t to)
{
    if (f == PGN_FMT_CSV)
        return pgn_csv_boundary_last(csv, s, n, to);
    if (n < AHEAD)
        return 0;
    if (to > n - AHEAD)
        to = n - AHEAD;
    for (size_t i = to; i > from && i > 0; i--) {
        if (f == PGN_FMT_DHTMLXQ) {
            const uint8_t *p = memrchr(s + from, '[', i - from);
            if (!p)
                return 0;
            i = (size_t)(p - s) + 1;
            if (i > 1 && dhtmlxq_boundary(s, n, i - 1))
                return i - 1;
            continue;
        }
        /* only behind a break does a line begin */
        if (is_break((char)s[i - 1]) && line_boundary(f, s, n, i))
            return i;
    }
    return 0;
}
