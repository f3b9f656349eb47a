/* pgn_movetext.c - moves, variations, notes and the result of one game.
 *
 * Nearly all text is rounds of plain moves, read in a loop of their own; every
 * other character is looked up in a table of what it begins.
 *
 * Moves are played as they come.  The first one that fails ends its line:
 * nothing behind it is played, its variations neither, only the result is still
 * read.  "--" is nothing only where it fills the empty place behind a number
 * (2.
 * -- b9c7).  '!', '?' and their pairs are NAGs 1-6, '+' and '#' behind a move
 * are nothing.  Parentheses around prose, whose first word has neither digit
 * nor piece, hold a comment; empty comments are dropped. */
#include "libpgn/pgn_scan.h"

#include <string.h>

static size_t at_of(const struct pgn_scan *s, const char *p)
{
    return (size_t)(p - s->r->text);
}

static void warn(struct pgn_scan *s, const char *p, const char *what)
{
    pgn_build_problem(s->r, PGN_WARNING, PGN_P_STRUCTURE, at_of(s, p), 0,
                      (xq_str){NULL, 0}, "%s", what);
}

/* ---- characters ---- */

/* What an ASCII character begins in movetext. */
enum token {
    T_SKIP, /* blank or separator */
    T_MOVE, /* letter, sign: a word */
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
static void slow_move(struct pgn_scan *s, const char *p, const char *e)
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
        pgn_reads_as_chess(r->text + r->moves_at, s->end)) {
        static const char CHESS[] = "moves of international chess";
        pgn_build_drop_moves(r);
        pgn_build_skip(r, at_of(s, p), xq_str_of(CHESS), "movetext");
    }
}

/* The four bytes at p as a number, the first one lowest. */
static inline uint32_t load4(const unsigned char *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
           (uint32_t)p[3] << 24;
}

/* Class of the three-byte character in the low bytes of v. */
static inline uint32_t class3(uint32_t v)
{
    return pgn_class_of[(v & 15) << 12 | (v >> 2 & 0xFC0) | (v >> 16 & 63)];
}

/* Class of the character at *u, an ASCII digit or three bytes long, and *u
 * behind it. */
static inline uint32_t step_class(const unsigned char **u)
{
    const unsigned char c = **u;
    if (c >= 0x80) {
        const uint32_t v = load4(*u);
        *u += 3;
        return (v & 0xF0) == 0xE0 ? class3(v) : 0;
    }
    *u += 1;
    return c >= '1' && c <= '9' ? PGN_C_DIGIT | (c - 48u) : 0;
}

/* Classes of the four characters of a move at p, the first one lowest.
 * *behind them, and *way, the third one (進 E9 80 B2, 进 E8 BF 9B). */
static inline uint32_t four_classes(const char *p, const char **behind,
                                    uint32_t *way)
{
    const unsigned char *u = (const unsigned char *)p;
    const uint32_t a = load4(u), b = load4(u + 3), c = load4(u + 6),
                   d = load4(u + 9);
    if ((((a ^ 0xE0) | (b ^ 0xE0) | (c ^ 0xE0) | (d ^ 0xE0)) & 0xF0) == 0) {
        *behind = p + 12;
        *way = c;
        return class3(a) | class3(b) << 8 | class3(c) << 16 | class3(d) << 24;
    }
    uint32_t w = step_class(&u);
    w |= step_class(&u) << 8;
    *way = load4(u);
    w |= step_class(&u) << 16;
    w |= step_class(&u) << 24;
    *behind = (const char *)u;
    return w;
}

/* The plain Chinese move at p: piece, file, direction, target (炮二平五), or
 * front or rear of two (前车进一).  True when it was played. */
static inline bool quick_chinese(struct pgn_scan *s, const char *p)
{
    enum {
        FORM = (int)0xF0F0F0F0,
        PLAIN = PGN_C_PIECE | PGN_C_DIGIT << 8 | PGN_C_DIR << 16 |
                PGN_C_DIGIT << 24,
        TANDEM =
            PGN_C_ORDER | PGN_C_PIECE << 8 | PGN_C_DIR << 16 | PGN_C_DIGIT << 24
    };
    pgn_reader *r = s->r;
    const char *behind;
    uint32_t way;
    const uint32_t w = four_classes(p, &behind, &way),
                   form = w & (uint32_t)FORM;
    const unsigned dir = w >> 16 & 3;
    xq_move m;
    if (form == PLAIN)
        m = pgn_quick_move(&r->quick, &r->line.pos, w & 7, w >> 8 & 15, dir,
                           w >> 24 & 15);
    else if (form == TANDEM)
        m = pgn_quick_tandem(&r->quick, &r->line.pos, w & 15, w >> 8 & 7, dir,
                             w >> 24 & 15);
    else
        return false;
    if (!try_move(r, m))
        return false;
    r->written[PGN_CHINESE]++;
    r->traditional += (way & 0xFFFFFF) == 0xB280E9; /* 進 */
    r->simplified += (way & 0xFFFFFF) == 0x9BBFE8;  /* 进 */
    s->p = behind;
    return true;
}

/* h2e2, H2-E2. */
static inline bool quick_iccs(struct pgn_scan *s, const char *p)
{
    pgn_reader *r = s->r;
    const char *q = p + 2;
    if (!pgn_is_square(p))
        return false;
    if (*q == '-')
        q++;
    if (!pgn_is_square(q) || r->hint > PGN_UCI)
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
static inline bool quick_wxf(struct pgn_scan *s, const char *p)
{
    static const uint8_t LETTER[32] = {
        ['K' & 31] = XQ_KING,     ['A' & 31] = XQ_ADVISOR,
        ['B' & 31] = XQ_ELEPHANT, ['E' & 31] = XQ_ELEPHANT,
        ['N' & 31] = XQ_HORSE,    ['H' & 31] = XQ_HORSE,
        ['R' & 31] = XQ_ROOK,     ['C' & 31] = XQ_CANNON,
        ['P' & 31] = XQ_PAWN};
    pgn_reader *r = s->r;
    unsigned kind = LETTER[*p & 31];
    unsigned dir = p[2] == '+'                  ? 1
                   : p[2] == '-'                ? 2
                   : p[2] == '.' || p[2] == '=' ? 3
                                                : 0;
    if (!kind || !dir || p[1] < '1' || p[1] > '9' || p[3] < '1' || p[3] > '9' ||
        !pgn_ends_word((unsigned char)p[4]))
        return false;
    if (!try_move(r, pgn_quick_move(&r->quick, &r->line.pos, kind,
                                    (unsigned)p[1] - '0', dir,
                                    (unsigned)p[3] - '0')))
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
static bool result_here(struct pgn_scan *s, const char *p, pgn_result res)
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

/* ---- numbers ---- */

/* A move number n stands before the next move.  Numbers are never needed and
 * never trusted; one that does not fit those before it may mean that a move
 * is missing. */
static void check_number(struct pgn_scan *s, const char *p, uint32_t n)
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
static inline bool quick_number(struct pgn_scan *s, const char *p)
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
static void rounds(struct pgn_scan *s)
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
static void number(struct pgn_scan *s, const char *p)
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
void pgn_brace(struct pgn_scan *s)
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
static void rest_of_line(struct pgn_scan *s)
{
    const char *e = pgn_line_end(s->p, s->end);
    pgn_build_comment(s->r, comment_text(s->r, s->p, e));
    s->p = e;
}

/* Marks like !? at p become NAGs 1 to 6. */
static void marks(struct pgn_scan *s, const char *p)
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
static void dollar(struct pgn_scan *s)
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

/* ---- words ---- */

/* Nothing but blanks stands between the line's begin and p. */
static bool begins_line(const struct pgn_scan *s, const char *p)
{
    while (p > s->r->text && !pgn_is_break(p[-1])) {
        p--;
        if ((unsigned char)*p > ' ')
            return false;
    }
    return true;
}

/* ---- movetext ---- */

/* Behind a parenthesis at p: prose, not moves?  Its first word has no digit
 * and is no piece, as all moves and numbers have or are.  Returns the closing
 * parenthesis, `close`, if it is near, else NULL. */
static const char *prose(const struct pgn_scan *s, const char *p,
                         const char *close)
{
    enum { NEAR = 4096 };
    const char *end = s->end - p > NEAR ? p + NEAR : s->end;
    p = pgn_skip_blanks(p, end);
    const char *q = p;
    while (q < end) {
        size_t len = 1;
        const uint32_t cp = pgn_peek(q, end, &len);
        const uint32_t digit = pgn_peek_narrow(q, end, &len);
        if ((digit >= '0' && digit <= '9') || cp == '{' || cp == '(' ||
            cp == '*' || pgn_class(cp) || (q == p && pgn_is_separator(cp)))
            return NULL;
        if (pgn_ends_word(cp))
            break;
        q += len;
    }
    return q > p ? memmem(q, (size_t)(end - q), close, strlen(close)) : NULL;
}

/* A variation, or a comment in parentheses, opens at p, len bytes long. */
static void parenthesis(struct pgn_scan *s, const char *p, size_t len)
{
    pgn_reader *r = s->r;
    const char *close = len == 1 ? ")" : "\xEF\xBC\x89"; /* ） */
    s->p = p + len;
    const char *e = r->line.dead ? NULL : prose(s, s->p, close);
    if (!e) {
        pgn_build_enter(r, at_of(s, p));
        return;
    }
    if (!r->unplayed) {
        const xq_str text = comment_text(r, s->p, e);
        pgn_result res;
        if (!pgn_result_parse(text, &res))
            warn(s, p, "text in parentheses taken for a comment");
        pgn_build_comment(r, text);
    }
    s->p = e + strlen(close);
}

/* A character outside ASCII begins something that is no plain move. */
static bool high(struct pgn_scan *s)
{
    pgn_reader *r = s->r;
    const char *p = s->p;
    size_t len = 1;
    uint32_t cp = pgn_peek(p, s->end, &len);
    if (pgn_is_separator(cp)) {
        s->p = p + len;
        return true;
    }
    switch (cp) {
    case 0xFF01:
    case 0xFF1F: /* ！ ？ */
        marks(s, p);
        return true;
    case 0xFF08: /* （ */
        parenthesis(s, p, len);
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
    if (narrow >= '0' && narrow <= '9' && !pgn_digit_move(p, s->end)) {
        number(s, p);
        return true;
    }
    const char *e = pgn_word_end(p, s->end);
    if (cp == 0xFFFD && e == p + len) { /* a bad byte, named as such */
        s->unread = true;
        s->p = e;
        return true;
    }
    if (pgn_class(cp) == 0) {
        pgn_result res;
        const char *w = p; /* the whole word */
        while (w < s->end && w - p < 64) {
            uint32_t c = pgn_peek(w, s->end, &len);
            if (pgn_ends_word(c))
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

/* "--" at p fills the empty place of a move behind a number, "2. -- b9c7" with
 * Black to move, or before the first move; elsewhere it is a null move. */
static bool fills_place(const struct pgn_scan *s, const char *p)
{
    const pgn_line *l = &s->r->line;
    if (l->pos.side == XQ_RED && l->ply > 0)
        return false;
    while (p > s->r->text && (unsigned char)p[-1] <= ' ')
        p--;
    return p > s->r->text && p[-1] == '.';
}

/* A word of ASCII letters and signs at s->p.  False: the game ends. */
static bool ascii_word(struct pgn_scan *s)
{
    const char *p = s->p;
    pgn_reader *r = s->r;
    if (!r->line.dead && !r->unplayed && (quick_iccs(s, p) || quick_wxf(s, p)))
        return true;
    const char *e = pgn_word_end(p, s->end);
    bool signs = true;
    for (const char *q = p; q < e; q++)
        signs = signs && strchr("+-=#/\\|~^_.:<>&'`@", *q);
    if (signs) { /* + after a move, += */
        if (e - p == 2 && p[0] == '-' && p[1] == '-' && !fills_place(s, p))
            slow_move(s, p, e);
        s->p = e;
        return true;
    }
    /* "H2 - E2" */
    if (e - p == 2 && pgn_is_square(p)) {
        const char *q = pgn_skip_blanks(e, s->end);
        if (*q == '-') {
            q = pgn_skip_blanks(q + 1, s->end);
            if (pgn_is_square(q)) {
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
static bool bracket(struct pgn_scan *s)
{
    const char *p = s->p;
    if (pgn_tag_begins(p, s->end))
        return false;
    const char *e = p; /* no further: a line may be all brackets */
    while (e < s->end && *e != ']' && !pgn_is_break(*e))
        e++;
    warn(s, p, "text in brackets, passed over");
    s->p = e + (e < s->end && *e == ']');
    return true;
}

/* Read moves, variations, notes up to the result or the next game's begin;
 * s->p is then behind the result, or there. */
void pgn_movetext(struct pgn_scan *s)
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
            if (*p <= '1' && (e = pgn_result_digits(p, end, &res))) {
                s->p = e;
                if (result_here(s, p, res))
                    return;
                break;
            }
            if (pgn_digit_move(p, end)) {
                slow_move(s, p, pgn_ascii_word_end(p, end));
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
            parenthesis(s, p, 1);
            break;
        case T_CLOSE:
            s->p++;
            s->inner_result = false;
            if (!pgn_build_leave(r, at_of(s, p)))
                warn(s, p, "parenthesis closes no variation");
            break;
        case T_BRACE:
            s->p++;
            pgn_brace(s);
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
