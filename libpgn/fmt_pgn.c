/* fmt_pgn.c - games of PGN: blocks, where games begin, movetext.
 *
 * A block is what stands between two hard boundaries (split.h), nearly always
 * one game.  It is decoded as a whole, in the encoding of the file; when it
 * turns out not to read well, its own bytes are judged again.  Within a block
 * a game begins at a tag behind the moves of another one, at a tag that was
 * the first of its section already, or behind a result at a move number with
 * a legal first move (formats reference 3.2; cases S29, S30, S43). */
#include "libpgn/boundary.h"
#include "libpgn/pgn_quick.h"
#include "libpgn/pgn_scan.h"

#include <string.h>

/* Where the reading of one game stands. */
struct scan {
    pgn_reader *r;
    const char *p, *end;  /* what was not read yet */
    uint32_t number_base; /* number of the first round, UINT32_MAX: unknown */
    bool number_lied;
    bool unread;          /* a word outside ASCII was no move */
    bool inner_result;    /* a result stood last in an open variation */
    bool left;            /* a word showed that the game has ended */
    pgn_result inner;
    size_t inner_at;
};

static size_t at_of(const struct scan *s, const char *p)
{
    return (size_t)(p - s->r->text);
}

static void warn(struct scan *s, const char *p, const char *what)
{
    pgn_build_problem(s->r, PGN_WARNING, PGN_P_STRUCTURE, at_of(s, p), 0,
                      (xq_str){NULL, 0}, "%s", what);
}

/* ---- characters ---- */

/* What an ASCII character begins in movetext. */
enum token {
    T_SKIP,    /* blank or separator */
    T_MOVE,    /* letter, sign: a word */
    T_DIGIT,
    T_STAR,
    T_MARK,    /* ! ? */
    T_OPEN,    /* ( */
    T_CLOSE,   /* ) */
    T_BRACE,   /* { */
    T_UNBRACE, /* } */
    T_SEMI,
    T_PERCENT,
    T_DOLLAR,
    T_BRACKET, /* [ */
    T_EQUALS,
    T_BREAK,
    T_HIGH, /* not ASCII */
};

/* clang-format off */
static const uint8_t TOKEN[256] = {
    ['A'] = T_MOVE, ['B'] = T_MOVE, ['C'] = T_MOVE, ['D'] = T_MOVE,
    ['E'] = T_MOVE, ['F'] = T_MOVE, ['G'] = T_MOVE, ['H'] = T_MOVE,
    ['I'] = T_MOVE, ['J'] = T_MOVE, ['K'] = T_MOVE, ['L'] = T_MOVE,
    ['M'] = T_MOVE, ['N'] = T_MOVE, ['O'] = T_MOVE, ['P'] = T_MOVE,
    ['Q'] = T_MOVE, ['R'] = T_MOVE, ['S'] = T_MOVE, ['T'] = T_MOVE,
    ['U'] = T_MOVE, ['V'] = T_MOVE, ['W'] = T_MOVE, ['X'] = T_MOVE,
    ['Y'] = T_MOVE, ['Z'] = T_MOVE,
    ['a'] = T_MOVE, ['b'] = T_MOVE, ['c'] = T_MOVE, ['d'] = T_MOVE,
    ['e'] = T_MOVE, ['f'] = T_MOVE, ['g'] = T_MOVE, ['h'] = T_MOVE,
    ['i'] = T_MOVE, ['j'] = T_MOVE, ['k'] = T_MOVE, ['l'] = T_MOVE,
    ['m'] = T_MOVE, ['n'] = T_MOVE, ['o'] = T_MOVE, ['p'] = T_MOVE,
    ['q'] = T_MOVE, ['r'] = T_MOVE, ['s'] = T_MOVE, ['t'] = T_MOVE,
    ['u'] = T_MOVE, ['v'] = T_MOVE, ['w'] = T_MOVE, ['x'] = T_MOVE,
    ['y'] = T_MOVE, ['z'] = T_MOVE,
    ['0'] = T_DIGIT, ['1'] = T_DIGIT, ['2'] = T_DIGIT, ['3'] = T_DIGIT,
    ['4'] = T_DIGIT, ['5'] = T_DIGIT, ['6'] = T_DIGIT, ['7'] = T_DIGIT,
    ['8'] = T_DIGIT, ['9'] = T_DIGIT,
    ['+'] = T_MOVE, ['-'] = T_MOVE, ['='] = T_EQUALS, ['#'] = T_MOVE,
    ['*'] = T_STAR, ['!'] = T_MARK, ['?'] = T_MARK,
    ['('] = T_OPEN, [')'] = T_CLOSE, ['{'] = T_BRACE, ['}'] = T_UNBRACE,
    [';'] = T_SEMI, ['%'] = T_PERCENT, ['$'] = T_DOLLAR, ['['] = T_BRACKET,
    ['\n'] = T_BREAK, ['\r'] = T_BREAK,
#define H(x) [x] = T_HIGH, [x + 1] = T_HIGH, [x + 2] = T_HIGH, [x + 3] = T_HIGH
#define H16(x) H(x), H(x + 4), H(x + 8), H(x + 12)
    H16(0x80), H16(0x90), H16(0xA0), H16(0xB0),
    H16(0xC0), H16(0xD0), H16(0xE0), H16(0xF0),
#undef H16
#undef H
};
/* clang-format on */

/* Separators that are not ASCII: 、 。 , : ; . · … — and their kin. */
static bool is_separator(uint32_t cp)
{
    switch (cp) {
    case 0x3001: case 0x3002: case 0xFF0C: case 0xFF1A: case 0xFF1B:
    case 0xFF0E: case 0xFF61: case 0xFF64: case 0x00B7: case 0x30FB:
    case 0x2022: case 0x2026: case 0x22EF: case 0x2014: case 0x2015:
    case 0x2500:
        return true;
    default:
        return pgn_is_blank(cp);
    }
}

static unsigned class_of(uint32_t cp)
{
    return cp < 0x10000 ? pgn_class_of[cp] : 0;
}

/* A word ends before it. */
static bool ends_word(uint32_t cp)
{
    if (cp >= 0x80)
        return is_separator(cp) || cp == 0xFF01 || cp == 0xFF1F ||
               cp == 0xFF08 || cp == 0xFF09;
    switch (cp) {
    case '\n': case '\r': case '{': case '}': case '(': case ')': case ';':
    case '[': case ']': case '$': case '!': case '?': case ',': case '%':
    case '*': case '"':
        return true;
    default:
        return pgn_is_blank(cp);
    }
}

/* ---- words ---- */

/* The word at p: up to a blank or delimiter.  A Chinese move ends with the
 * character behind its direction (进退平), for moves may be written without
 * blanks. */
static const char *word_end(const char *p, const char *end)
{
    bool direction = false, chinese = false;
    const char *begin = p;
    while (p < end) {
        size_t len = 1;
        uint32_t cp = pgn_peek(p, end, &len);
        if (ends_word(cp) && p > begin)
            break;
        p += len;
        if (cp < 0x80 || cp >= 0xFF00) {
            if (direction)
                return p;
            if (chinese && cp == '.')
                return p - 1;
            continue;
        }
        chinese = true;
        if (direction)
            return p;
        direction = (class_of(cp) & 0xF0) == PGN_C_DIR;
    }
    return p;
}

/* A word of ASCII without Chinese: up to a blank or delimiter. */
static const char *ascii_word_end(const char *p, const char *end)
{
    while (p < end && !(*p & 0x80) && !ends_word((unsigned char)*p))
        p++;
    return p;
}

static bool is_square(const char *p)
{
    char f = (char)(*p | 32);
    return f >= 'a' && f <= 'i' && p[1] >= '0' && p[1] <= '9';
}

/* ---- is it chess? ---- */

/* A move of international chess in SAN. */
static bool is_chess_san(const char *p, const char *e)
{
    static const char *const CASTLING[] = {"O-O", "O-O-O", "0-0", "0-0-0"};
    while (e > p && (e[-1] == '+' || e[-1] == '#'))
        e--;
    size_t n = (size_t)(e - p);
    for (size_t i = 0; i < sizeof CASTLING / sizeof *CASTLING; i++)
        if (n == strlen(CASTLING[i]) && memcmp(p, CASTLING[i], n) == 0)
            return true;
    if (n >= 4 && e[-2] == '=' && strchr("QRBN", e[-1]))
        e -= 2;
    if (p < e && strchr("KQRBN", *p))
        p++;
    if (e - p < 2 || e[-1] < '1' || e[-1] > '8' || e[-2] < 'a' || e[-2] > 'h')
        return false;
    e -= 2;
    if (p < e && e[-1] == 'x')
        e--;
    if (p < e && *p >= 'a' && *p <= 'h')
        p++;
    if (p < e && *p >= '1' && *p <= '8')
        p++;
    return p == e;
}

/* The movetext from p on reads as chess throughout.  Asked when a move was
 * not legal in Xiangqi. */
static bool reads_as_chess(const struct scan *s, const char *p)
{
    unsigned moves = 0;
    const char *end = s->end;
    while (p < end) {
        unsigned char c = (unsigned char)*p;
        if (c == '{') {
            p = memchr(p, '}', (size_t)(end - p));
            if (!p)
                break;
            p++;
        } else if (c == '*' || c == '[' || c >= 0x80) {
            if (c >= 0x80)
                return false;
            break;
        } else if (TOKEN[c] == T_MOVE || (c == '0' && p[1] == '-')) {
            const char *e = ascii_word_end(p, end);
            if (c == '0' && e - p == 3 && p[2] == '1')
                break; /* 0-1 */
            if (!is_chess_san(p, e))
                return false;
            moves++;
            p = e;
        } else if (c == '1' && (p[1] == '-' || p[1] == '/')) {
            break;
        } else {
            p++;
        }
    }
    return moves >= 2;
}

/* ---- moves ---- */

/* Play m if the rules allow it. */
static inline bool try_move(pgn_reader *r, xq_move m)
{
    if (m == XQ_NOMOVE || !xq_move_is_legal(&r->line.pos, m))
        return false;
    pgn_build_play(r, m);
    return true;
}

/* A word that should be a move: the complete reader. */
static void slow_move(struct scan *s, const char *p, const char *e)
{
    pgn_reader *r = s->r;
    s->p = e;
    if (r->line.dead || r->unplayed)
        return;
    xq_str text = {p, (size_t)(e - p)};
    while (text.n > 1 && text.s[text.n - 1] == '.')
        text.n--;
    if (pgn_build_move(r, text, at_of(s, p)))
        return;
    for (size_t i = 0; i < text.n; i++)
        s->unread = s->unread || text.s[i] & 0x80;
    if (r->depth == 0 && !r->fen_given && !r->ours_given &&
        reads_as_chess(s, r->text + r->moves_at)) {
        static const char CHESS[] = "moves of international chess";
        pgn_build_drop_moves(r);
        pgn_build_skip(r, at_of(s, p), xq_str_of(CHESS), "movetext");
    }
}

/* Class of the three-byte character at p; 0 when it is none. */
static inline unsigned class3(const unsigned char *p)
{
    uint32_t cp = (uint32_t)(p[0] & 15) << 12 | (uint32_t)(p[1] & 63) << 6 |
                  (p[2] & 63);
    return (p[0] & 0xF0) == 0xE0 ? pgn_class_of[cp] : 0;
}

/* Class of the character at *u, an ASCII digit or three bytes long, and *u
 * behind it. */
static inline unsigned step_class(const unsigned char **u)
{
    const unsigned char c = **u;
    if (c >= 0x80) {
        unsigned cls = class3(*u);
        *u += 3;
        return cls;
    }
    *u += 1;
    return c >= '1' && c <= '9' ? (unsigned)PGN_C_DIGIT | (c - 48u) : 0u;
}

/* The plain Chinese move at p: piece, file, direction, target (炮二平五), or
 * front or rear of two (前车进一).  True when it was played. */
static inline bool quick_chinese(struct scan *s, const char *p)
{
    pgn_reader *r = s->r;
    const unsigned char *u = (const unsigned char *)p;
    const unsigned a = step_class(&u), b = step_class(&u);
    const unsigned char *way = u; /* tells 進 (E9 80 B2) from 进 (E8 BF 9B) */
    const unsigned dir = step_class(&u), target = step_class(&u);
    if ((dir & 0xF0) != PGN_C_DIR || (target & 0xF0) != PGN_C_DIGIT)
        return false;
    const unsigned ab = a >> 4 << 4 | b >> 4;
    xq_move m;
    if (ab == (PGN_C_PIECE | PGN_C_DIGIT >> 4))
        m = pgn_quick_move(&r->line.pos, a & 15, b & 15, dir & 15, target & 15);
    else if (ab == (PGN_C_ORDER | PGN_C_PIECE >> 4))
        m = pgn_quick_tandem(&r->line.pos, a & 15, b & 15, dir & 15,
                             target & 15);
    else
        return false;
    if (!try_move(r, m))
        return false;
    r->written[PGN_CHINESE]++;
    const bool forward = dir == (PGN_C_DIR | 1);
    r->traditional += forward & (way[1] == 0x80);
    r->simplified += forward & (way[1] == 0xBF);
    s->p = (const char *)u;
    return true;
}

/* h2e2, H2-E2. */
static inline bool quick_iccs(struct scan *s, const char *p)
{
    pgn_reader *r = s->r;
    const char *q = p + 2;
    if (!is_square(p))
        return false;
    if (*q == '-')
        q++;
    if (!is_square(q) || r->hint > PGN_UCI)
        return false;
    char after = q[2];
    if (after & 0x80 || TOKEN[(unsigned char)after] == T_MOVE ||
        TOKEN[(unsigned char)after] == T_DIGIT || after == '=' || after == '.')
        return false;
    xq_sq from = xq_sq_of((*p | 32) - 'a', p[1] - '0');
    xq_sq to = xq_sq_of((*q | 32) - 'a', q[1] - '0');
    xq_move m = xq_move_make(from, to);
    if (!try_move(r, m))
        return false;
    if (++r->written[PGN_ICCS] == 1 && r->hint == PGN_NOTATION_ANY)
        r->hint = PGN_ICCS;
    s->p = q + 2;
    return true;
}

/* C2.5, N8+7: piece letter, file, sign, target. */
static inline bool quick_wxf(struct scan *s, const char *p)
{
    static const uint8_t LETTER[32] = {
        ['K' & 31] = XQ_KING,  ['A' & 31] = XQ_ADVISOR, ['B' & 31] = XQ_ELEPHANT,
        ['E' & 31] = XQ_ELEPHANT, ['N' & 31] = XQ_HORSE, ['H' & 31] = XQ_HORSE,
        ['R' & 31] = XQ_ROOK,  ['C' & 31] = XQ_CANNON,  ['P' & 31] = XQ_PAWN};
    pgn_reader *r = s->r;
    unsigned kind = LETTER[*p & 31];
    unsigned dir = p[2] == '+'                 ? 1
                   : p[2] == '-'               ? 2
                   : p[2] == '.' || p[2] == '=' ? 3
                                               : 0;
    if (!kind || !dir || p[1] < '1' || p[1] > '9' || p[3] < '1' || p[3] > '9' ||
        !ends_word((unsigned char)p[4]))
        return false;
    if (!try_move(r, pgn_quick_move(&r->line.pos, kind, (unsigned)p[1] - '0',
                                    dir, (unsigned)p[3] - '0')))
        return false;
    pgn_notation n = p[2] == '=' ? PGN_FAIRY : PGN_WXF;
    if (++r->written[n] == 1 && r->hint == PGN_NOTATION_ANY)
        r->hint = n;
    s->p = p + 4;
    return true;
}

/* ---- results ---- */

/* A result stands here.  True when it ends the game; in a variation it only
 * says how that ends. */
static bool result_here(struct scan *s, const char *p, pgn_result res)
{
    pgn_reader *r = s->r;
    if (r->depth > 0 || r->unplayed > 0) {
        s->inner_result = true;
        s->inner = res;
        s->inner_at = at_of(s, p);
        return false;
    }
    pgn_build_marker(r, res, at_of(s, p));
    return true;
}

/* 1-0, 0-1, 1/2-1/2, 1/2, 0.5-0.5 at p, where a '0' or '1' stands; returns
 * what is behind it, else NULL. */
static const char *result_digits(const char *p, const char *end,
                                 pgn_result *res)
{
    if (p[1] != '-' && p[1] != '/' && !(p[1] == '.' && p[2] == '5'))
        return NULL;
    const char *e = p; /* "1-0{...}" and "1-0 ..." but not "1-0x" */
    while (e < end && ((*e >= '0' && *e <= '9') || *e == '-' || *e == '/' ||
                       *e == '.'))
        e++;
    while (e > p && e[-1] == '.')
        e--;
    xq_str word = {p, (size_t)(e - p)};
    return pgn_result_parse(word, res) && *res != PGN_UNKNOWN ? e : NULL;
}

/* ---- numbers ---- */

/* A move number n stands before the next move.  Numbers are never needed and
 * never trusted; one that does not fit those before it may mean that a move
 * is missing. */
static void check_number(struct scan *s, const char *p, uint32_t n)
{
    pgn_reader *r = s->r;
    if (r->depth > 0 || r->unplayed || r->line.dead)
        return;
    uint32_t round = (r->line.ply + (r->game.start.side == XQ_BLACK)) / 2;
    if (s->number_base == UINT32_MAX) {
        s->number_base = n - round;
    } else if (n != s->number_base + round && !s->number_lied) {
        s->number_lied = true;
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, at_of(s, p),
                          r->line.ply + 1, (xq_str){NULL, 0},
                          "move number %u where %u is due", (unsigned)n,
                          (unsigned)(s->number_base + round));
    }
}

/* "12." and a blank or a move at p, as nearly all numbers are written. */
static inline bool quick_number(struct scan *s, const char *p)
{
    uint32_t n = 0;
    const char *q = p;
    do
        n = n * 10 + (uint32_t)(*q++ - '0');
    while (*q >= '0' && *q <= '9' && q - p < 4);
    if (*q != '.' || (q[1] != ' ' && !(q[1] & 0x80)))
        return false;
    s->p = q + 1 + (q[1] == ' ');
    check_number(s, p, n);
    return true;
}

/* Behind a move number: rounds as nearly all files have them, number, move,
 * blank, move, line break, in a loop whose turns can be foreseen.  Stops at
 * whatever is different. */
static void rounds(struct scan *s)
{
    const pgn_reader *r = s->r;
    if (r->line.dead || r->unplayed)
        return;
    while (s->p[0] & 0x80 && quick_chinese(s, s->p)) {
        if (s->p[0] == ' ' && s->p[1] & 0x80) {
            s->p++;
            if (!quick_chinese(s, s->p))
                return;
        }
        if (s->p[0] == '\r' && s->p[1] == '\n')
            s->p++;
        if (s->p[0] != '\n' && s->p[0] != ' ')
            return;
        s->p++;
        while (s->p[0] == ' ')
            s->p++;
        if (s->p[0] < '0' || s->p[0] > '9' || !quick_number(s, s->p))
            return;
    }
}

/* Digits, perhaps full-width, begin at p. */
static void number(struct scan *s, const char *p)
{
    uint32_t n = 0;
    const char *q = p;
    while (q < s->end) {
        size_t len = 1;
        uint32_t cp = pgn_peek_narrow(q, s->end, &len);
        if (cp < '0' || cp > '9')
            break;
        if (n < 100000000)
            n = n * 10 + (cp - '0');
        q += len;
    }
    s->p = q;
    check_number(s, p, n);
}

/* Moves that begin with a digit: 33.4, 15=4, 3+.4, 62.5. */
static bool digit_move(const char *p, const char *end)
{
    char c[5] = {0};
    for (unsigned i = 0; i < 5 && p < end; i++) {
        size_t len = 1;
        uint32_t cp = pgn_peek_narrow(p, end, &len);
        if (i == 4)
            return ends_word(cp) && c[3] >= '1' && c[3] <= '9' &&
                   strchr(".=+-", c[2]) &&
                   ((c[1] >= '1' && c[1] <= '9') || c[1] == '+' || c[1] == '-');
        if (cp >= 0x80 || cp == 0)
            return false;
        c[i] = (char)cp;
        p += len;
    }
    return c[3] >= '1' && c[3] <= '9' && strchr(".=+-", c[2]) != NULL;
}

/* ---- notes ---- */

/* The blanks around a comment go, CR LF becomes LF. */
static xq_str comment_text(pgn_reader *r, const char *p, const char *e)
{
    while (p < e && (unsigned char)*p <= ' ')
        p++;
    while (e > p && (unsigned char)e[-1] <= ' ')
        e--;
    size_t n = (size_t)(e - p);
    if (!memchr(p, '\r', n))
        return (xq_str){p, n};
    char *out = xq_arena_alloc(&r->arena, n);
    size_t k = 0;
    if (!out) {
        r->failed = true;
        return (xq_str){NULL, 0};
    }
    for (; p < e; p++) {
        if (*p == '\r') {
            while (p + 1 < e && p[1] == '\r')
                p++;
            if (p + 1 < e && p[1] == '\n')
                continue;
            out[k++] = '\n';
        } else {
            out[k++] = *p;
        }
    }
    return (xq_str){out, k};
}

/* s->p is behind '{'. */
static void brace(struct scan *s)
{
    const char *p = s->p;
    const char *e = memchr(p, '}', (size_t)(s->end - p));
    if (!e) {
        warn(s, p - 1, "comment is never closed");
        e = s->end;
        s->p = e;
    } else {
        s->p = e + 1;
    }
    pgn_build_comment(s->r, comment_text(s->r, p, e));
}

/* s->p is behind ';'. */
static void rest_of_line(struct scan *s)
{
    const char *e = pgn_line_end(s->p, s->end);
    pgn_build_comment(s->r, comment_text(s->r, s->p, e));
    s->p = e;
}

/* Marks like !? at p become NAGs 1 to 6. */
static void marks(struct scan *s, const char *p)
{
    char c[2] = {0, 0};
    unsigned n = 0;
    while (p < s->end) {
        size_t len = 1;
        uint32_t cp = pgn_peek_narrow(p, s->end, &len);
        if (cp != '!' && cp != '?')
            break;
        if (n < 2)
            c[n] = (char)cp;
        n++;
        p += len;
    }
    s->p = p;
    bool second = c[1] == '?';
    uint32_t nag = c[1] == 0     ? (c[0] == '!' ? 1 : 2)
                   : c[0] == '!' ? (second ? 5 : 3)
                                 : (second ? 4 : 6);
    pgn_build_nag(s->r, nag);
}

/* s->p is behind '$'. */
static void dollar(struct scan *s)
{
    uint32_t n = 0;
    const char *p = s->p;
    while (p < s->end && *p >= '0' && *p <= '9') {
        if (n < 100000000)
            n = n * 10 + (uint32_t)(*p - '0');
        p++;
    }
    if (p == s->p)
        warn(s, p - 1, "'$' without a number");
    else
        pgn_build_nag(s->r, n);
    s->p = p;
}

/* ---- where games begin and end ---- */

/* Nothing but blanks stands between the line's begin and p. */
static bool begins_line(const struct scan *s, const char *p)
{
    while (p > s->r->text && !pgn_is_break(p[-1])) {
        p--;
        if ((unsigned char)*p > ' ')
            return false;
    }
    return true;
}

/* "1. 炮二平五": a first move with its number, legal in the start position. */
static bool numbered_start(pgn_reader *r, const char *p, const char *end)
{
    size_t len = 1;
    uint32_t cp = pgn_peek_narrow(p, end, &len);
    if (cp != '1')
        return false;
    p += len;
    cp = p < end ? pgn_peek_narrow(p, end, &len) : 0;
    if (cp != '.' && cp != 0x3001 && !pgn_is_blank(cp))
        return false;
    while (p < end) {
        cp = pgn_peek_narrow(p, end, &len);
        if (cp != '.' && cp != 0x3001 && !pgn_is_blank(cp))
            break;
        p += len;
    }
    const char *e = word_end(p, end);
    xq_move m = XQ_NOMOVE;
    return e > p && pgn_move_read(&r->standard, (xq_str){p, (size_t)(e - p)},
                                  PGN_NOTATION_ANY, &m, NULL, NULL) == XQ_OK;
}

/* Behind a result: comments on the same line still belong to the game, all
 * other text is passed over (adverts) up to where a game begins. */
static void pass_over(struct scan *s)
{
    pgn_reader *r = s->r;
    const char *p = s->p, *end = s->end;
    bool same_line = true;
    for (;;) {
        p = pgn_skip_blanks(p, end);
        if (p >= end)
            break;
        if (same_line && *p == '{') {
            s->p = p + 1;
            brace(s);
            p = s->p;
            continue;
        }
        if ((*p == '[' && pgn_tag_begins(p, end)) || numbered_start(r, p, end))
            break;
        p = pgn_line_end(p, end);
        while (p < end && pgn_is_break(*p))
            p++;
        same_line = false;
    }
    s->p = p < end ? p : end;
}

/* Could a game without tags begin with this word? */
static bool may_begin(pgn_reader *r, const char *p, const char *end)
{
    size_t len = 1;
    uint32_t cp = pgn_peek_narrow(p, end, &len);
    if (cp == '*' || cp == '{' || cp == '(')
        return true;
    pgn_result res;
    if ((cp == '0' || cp == '1') && result_digits(p, end, &res))
        return true;
    if (cp >= '0' && cp <= '9') { /* a number, and what may be a move */
        while (p < end) {
            cp = pgn_peek_narrow(p, end, &len);
            if ((cp < '0' || cp > '9') && cp != '.' && !is_separator(cp))
                break;
            p += len;
        }
        unsigned cls = class_of(cp) & 0xF0;
        return cls == PGN_C_PIECE || cls == PGN_C_ORDER || is_square(p) ||
               (cp < 0x80 && cp && strchr("KABENHRCPkrnhp+-", (int)cp));
    }
    const char *e = word_end(p, end);
    xq_move m = XQ_NOMOVE;
    return e > p && pgn_move_read(&r->standard, (xq_str){p, (size_t)(e - p)},
                                  PGN_NOTATION_ANY, &m, NULL, NULL) == XQ_OK;
}

/* From `at` on: where the next game begins, or ntext.  *junk: lines passed
 * over on the way. */
static size_t find_game(pgn_reader *r, size_t at, uint32_t *junk)
{
    *junk = 0;
    if (at >= r->ntext)
        return r->ntext;
    const char *p = r->text + at, *end = r->text + r->ntext;
    for (;;) {
        while (p < end && (pgn_is_break(*p) || pgn_is_blank((uint8_t)*p)))
            p++;
        p = pgn_skip_blanks(p, end);
        if (p >= end)
            return r->ntext;
        if (pgn_is_break(*p))
            continue;
        if (*p == '[' ? pgn_tag_begins(p, end)
                      : *p != '%' && may_begin(r, p, end))
            return (size_t)(p - r->text);
        *junk += *p != '%';
        p = pgn_line_end(p, end);
    }
}

/* ---- tags ---- */

/* Does this tag begin another game's section?  The tag that a section began
 * with comes again, or a second Game. */
static bool next_section(const pgn_game *g, xq_str name)
{
    static const xq_str GAME = {"Game", 4};
    return (name.n == g->tags[0].name.n &&
            xq_str_eq_nocase(g->tags[0].name, name)) ||
           (name.n == GAME.n && xq_str_eq_nocase(name, GAME) &&
            pgn_game_tag(g, "Game").s != NULL);
}

/* The name of the tag at p, which begins with '['. */
static xq_str name_at(const char *p, const char *end)
{
    const char *s = pgn_skip_blanks(p + 1, end), *e = s;
    while (e < end && (unsigned char)*e > ' ' && *e != '"' && *e != ']' &&
           !(*e & 0x80))
        e++;
    return (xq_str){s, (size_t)(e - s)};
}

/* Read the tags at s->p.  False when the game ends with them. */
static bool tags(struct scan *s)
{
    pgn_reader *r = s->r;
    const char *p = s->p;
    bool more = true;
    for (;;) {
        while (p < s->end && (*p == '\n' || *p == '\r' || *p == ' '))
            p++;
        p = pgn_skip_blanks(p, s->end);
        if (p < s->end && pgn_is_break(*p))
            continue;
        if (p >= s->end || *p != '[')
            break;
        if (r->game.ntags && next_section(&r->game, name_at(p, s->end))) {
            more = false;
            break;
        }
        xq_str name;
        size_t at = pgn_tag_read(r, (size_t)(p - r->text), &name);
        if (r->failed)
            return false;
        p = r->text + at;
    }
    s->p = p;
    return more;
}

/* ---- movetext ---- */

/* A character outside ASCII begins something that is no plain move. */
static bool high(struct scan *s)
{
    pgn_reader *r = s->r;
    const char *p = s->p;
    size_t len = 1;
    uint32_t cp = pgn_peek(p, s->end, &len);
    if (is_separator(cp)) {
        s->p = p + len;
        return true;
    }
    switch (cp) {
    case 0xFF01: case 0xFF1F: /* ！ ？ */
        marks(s, p);
        return true;
    case 0xFF08: /* （ */
        s->p = p + len;
        pgn_build_enter(r, at_of(s, p));
        return true;
    case 0xFF09: /* ） */
        s->p = p + len;
        if (!pgn_build_leave(r, at_of(s, p)))
            warn(s, p, "parenthesis closes no variation");
        return true;
    default:
        break;
    }
    uint32_t narrow = pgn_peek_narrow(p, s->end, &len);
    if (narrow >= '0' && narrow <= '9' && !digit_move(p, s->end)) {
        number(s, p);
        return true;
    }
    const char *e = word_end(p, s->end);
    if (class_of(cp) == 0) {
        pgn_result res;
        const char *w = p; /* the whole word */
        while (w < s->end && w - p < 64) {
            uint32_t c = pgn_peek(w, s->end, &len);
            if (ends_word(c))
                break;
            w += len;
        }
        if (w - p < 64 &&
            pgn_result_parse((xq_str){p, (size_t)(w - p)}, &res)) {
            s->p = w;
            return !result_here(s, p, res);
        }
    }
    slow_move(s, p, e);
    return true;
}

/* A word of ASCII letters and signs at s->p.  False: the game ends. */
static bool ascii_word(struct scan *s)
{
    const char *p = s->p;
    pgn_reader *r = s->r;
    if (!r->line.dead && !r->unplayed && (quick_iccs(s, p) || quick_wxf(s, p)))
        return true;
    const char *e = word_end(p, s->end);
    bool signs = true;
    for (const char *q = p; q < e; q++)
        signs = signs && strchr("+-=#/\\|~^_.:<>&'`@", *q);
    if (signs) { /* + after a move, +=, -- */
        s->p = e;
        return true;
    }
    /* "H2 - E2" */
    if (e - p == 2 && is_square(p)) {
        const char *q = pgn_skip_blanks(e, s->end);
        if (*q == '-') {
            q = pgn_skip_blanks(q + 1, s->end);
            if (is_square(q)) {
                char iccs[5] = {p[0], p[1], q[0], q[1], 0};
                xq_str t = xq_arena_copy(&r->arena, (xq_str){iccs, 4});
                if (t.s && !r->line.dead && !r->unplayed)
                    pgn_build_move(r, t, at_of(s, p));
                s->p = q + 2;
                return true;
            }
        }
    }
    /* a word behind a blank line, where nothing says that the game goes on */
    if (r->game.ntags == 0 && r->depth == 0 && r->game.plies > 0 &&
        begins_line(s, p)) {
        xq_move m = XQ_NOMOVE;
        if (pgn_move_read(&r->line.pos, (xq_str){p, (size_t)(e - p)}, r->hint,
                          &m, NULL, NULL) == XQ_ESYNTAX) {
            s->left = true;
            return false;
        }
    }
    slow_move(s, p, e);
    return true;
}

/* '[' in movetext: the tags of the next game, or junk.  False: game ends. */
static bool bracket(struct scan *s)
{
    const char *p = s->p;
    if (pgn_tag_begins(p, s->end))
        return false;
    const char *le = pgn_line_end(p, s->end);
    const char *e = memchr(p, ']', (size_t)(le - p));
    warn(s, p, "text in brackets, passed over");
    s->p = e ? e + 1 : le;
    return true;
}

/* Read moves, variations, notes up to the result or the next game's begin;
 * s->p is then behind the result, or there. */
static void movetext(struct scan *s)
{
    pgn_reader *r = s->r;
    const char *const end = s->end;
    r->moves_at = at_of(s, s->p);
    while (s->p < end && !r->failed) {
        const char *p = s->p;
        switch ((enum token)TOKEN[(unsigned char)*p]) {
        case T_SKIP:
        case T_BREAK:
            s->p++;
            break;
        case T_HIGH:
            if (!r->line.dead && !r->unplayed && quick_chinese(s, p))
                break;
            if (!high(s))
                return;
            break;
        case T_DIGIT: {
            pgn_result res;
            const char *e;
            if (quick_number(s, p)) {
                rounds(s);
                break;
            }
            if (*p <= '1' && (e = result_digits(p, end, &res))) {
                s->p = e;
                if (result_here(s, p, res))
                    return;
                break;
            }
            if (digit_move(p, end)) {
                slow_move(s, p, ascii_word_end(p, end));
                break;
            }
            number(s, p);
            break;
        }
        case T_STAR:
            s->p++;
            if (result_here(s, p, PGN_UNKNOWN))
                return;
            break;
        case T_MARK:
            marks(s, p);
            break;
        case T_OPEN:
            s->p++;
            pgn_build_enter(r, at_of(s, p));
            break;
        case T_CLOSE:
            s->p++;
            s->inner_result = false;
            if (!pgn_build_leave(r, at_of(s, p)))
                warn(s, p, "parenthesis closes no variation");
            break;
        case T_BRACE:
            s->p++;
            brace(s);
            break;
        case T_UNBRACE:
            warn(s, p, "brace closes no comment");
            s->p++;
            break;
        case T_SEMI:
            s->p++;
            rest_of_line(s);
            break;
        case T_PERCENT:
            s->p++;
            if (p == r->text || pgn_is_break(p[-1]))
                s->p = pgn_line_end(p, end);
            break;
        case T_DOLLAR:
            s->p++;
            dollar(s);
            break;
        case T_BRACKET:
            if (!bracket(s))
                return;
            break;
        case T_EQUALS: /* a banner ends the moves, "=" is a mark */
            if (p[1] == '=' && p[2] == '=' && p[3] == '=')
                return;
            if (!ascii_word(s))
                return;
            break;
        case T_MOVE:
            if (!ascii_word(s))
                return;
            break;
        }
    }
}

/* Read the game that begins at text[at]. */
static void read_game(pgn_reader *r, struct scan *s, size_t at)
{
    *s = (struct scan){.r = r,
                       .p = r->text + at,
                       .end = r->text + r->ntext,
                       .number_base = UINT32_MAX};
    pgn_build_start(r, at);
    if (r->failed)
        return;
    bool more = *s->p == '[' ? tags(s) : true;
    pgn_build_setup(r);
    if (more) {
        const char *moves = s->p;
        movetext(s);
        if (!r->marker && s->inner_result && (r->depth || r->unplayed))
            pgn_build_marker(r, s->inner, s->inner_at);
        bool stopped_at_tags = s->p < s->end && *s->p == '[';
        if (s->p > moves && !stopped_at_tags && !s->left)
            pass_over(s);
    }
    r->pos = at_of(s, s->p);
    pgn_build_finish(r, r->pos);
}

/* ---- blocks ---- */

/* Go to the next block and decode it.  XQ_DONE: there is none. */
static xq_status next_block(pgn_reader *r, xq_err *err)
{
    if (r->at >= r->nraw)
        return XQ_DONE;
    size_t from = r->at, to = pgn_boundary_next(r->raw, r->nraw, from);
    r->at = to;
    if (to - from > PGN_GAME_MAX)
        return xq_fail(err, XQ_ELIMIT,
                       "a game of more than %llu MiB without a boundary",
                       (unsigned long long)(PGN_GAME_MAX >> 20));
    r->redecoded = 0;
    if (!pgn_block_load(r, from, to, r->encoding))
        return XQ_ENOMEM;
    if (r->bad && r->opts.encoding == PGN_ENC_AUTO) {
        pgn_encoding e = pgn_encoding_judge(r->raw + from, to - from,
                                            r->encoding);
        if (e != r->block_enc && !pgn_block_load(r, from, to, e))
            return XQ_ENOMEM;
    }
    return XQ_OK;
}

static bool has_high(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] & 0x80)
            return true;
    return false;
}

/* The game read badly: a word outside ASCII was no move, or none was found.
 * Judge its own bytes; true when it is decoded anew and must be read again. */
static bool judge_again(pgn_reader *r, const struct scan *s, size_t at)
{
    if (r->opts.encoding != PGN_ENC_AUTO || r->wide_enc != PGN_ENC_AUTO)
        return false;
    if (!s->unread && (r->game.plies > 0 ||
                       !has_high(r->text + at, r->pos - at)))
        return false;
    size_t from = pgn_block_raw(r, at), to = r->block + r->nblock;
    /* a limit for input made to be slow: games glued in one huge block, each
     * in another encoding */
    if (r->redecoded > 8 * (to - from) + (1 << 20))
        return false;
    r->redecoded += to - from;
    pgn_encoding e = pgn_encoding_judge(r->raw + from, to - from, r->block_enc);
    return e != r->block_enc && pgn_block_load(r, from, to, e);
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    uint32_t junk = 0;
    size_t at;
    for (;;) {
        uint32_t n = 0;
        at = find_game(r, r->pos, &n);
        junk += n;
        if (at < r->ntext)
            break;
        r->pos = r->ntext;
        xq_status rc = next_block(r, err);
        if (rc != XQ_OK)
            return rc;
    }
    struct scan s;
    read_game(r, &s, at);
    if (!r->failed && judge_again(r, &s, at)) {
        r->games--;
        read_game(r, &s, 0);
    }
    if (junk)
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, r->begin, 0,
                          (xq_str){NULL, 0},
                          "%u line%s before the game belong%s to none",
                          (unsigned)junk, junk == 1 ? "" : "s",
                          junk == 1 ? "s" : "");
    return r->failed ? xq_fail(err, XQ_ENOMEM, "out of memory") : XQ_OK;
}

const pgn_fmt pgn_fmt_pgn = {PGN_FMT_PGN, next};
