/* notation_parts.c - reading four-part moves: piece, origin, direction,
 * target.  Chinese and all dialects of WXF.
 *
 * A table lists the shapes such a move can have; characters of either script
 * fill the places, so mixtures like "炮2.5" and "前C退2" need no code. */
#include "libpgn/notation_internal.h"

/* Places of a shape:
 *   P  a piece, word or letter       D  a digit; N one that is not 0
 *   M  a direction: 进 + . =         O  an order: 前 中 后 + . -
 *   L  index letter a..i             W  f, m or b before a capital letter */
enum shape {
    PLAIN,      /* 炮二平五 C2.5 */
    SIGN_AFTER, /* C+-2 P..6 */
    SIGN_FIRST, /* 前炮退二 +C-2 */
    NUMBERED,   /* 一兵平五 */
    LETTERED,   /* Pa.5 */
    FIVE_ORDER, /* 前兵四平五 */
    FIVE_INDEX, /* 三兵四平五 */
    BARE_ORDER, /* 前九平八 +3.4 */
    BARE_INDEX, /* 二7平6; 15=4, 33.4 and 62.5 */
    FILE_SIGN,  /* 3+.4 */
    TWO_SIGNS,  /* ++.4 */
    COMPACT,    /* fC-2 */
    COMPACT_5,  /* fC5-2 */
    NO_SIGN,    /* C25; not b10, which is a pawn's move for PyChess */
    SHAPES
};
static const char SHAPE[SHAPES][6] = {
    [PLAIN] = "PDMD",       [SIGN_AFTER] = "POMD", [SIGN_FIRST] = "OPMD",
    [NUMBERED] = "DPMD",    [LETTERED] = "PLMD",   [FIVE_ORDER] = "OPDMD",
    [FIVE_INDEX] = "DPDMD", [BARE_ORDER] = "ODMD", [BARE_INDEX] = "DDMD",
    [FILE_SIGN] = "DOMD",   [TWO_SIGNS] = "OOMD",  [COMPACT] = "WPMD",
    [COMPACT_5] = "WPDMD",  [NO_SIGN] = "PDN",
};

static bool is_capital(uint32_t cp) { return cp >= 'A' && cp <= 'Z'; }

static bool fits(char place, const pgn_sym *s, bool more)
{
    switch (place) {
    case 'P':
        return pgn_sym_class(*s) == PGN_C_PIECE;
    case 'D':
        return pgn_sym_class(*s) == PGN_C_DIGIT;
    case 'N':
        return pgn_sym_class(*s) == PGN_C_DIGIT && pgn_sym_value(*s) > 0;
    case 'M':
        return pgn_sym_class(*s) == PGN_C_DIR ||
               pgn_sym_class(*s) == PGN_C_SIGN;
    case 'O':
        return pgn_sym_class(*s) == PGN_C_ORDER ||
               pgn_sym_class(*s) == PGN_C_SIGN;
    case 'L':
        return s->cp >= 'a' && s->cp <= 'i';
    case 'W':
        return (s->cp == 'f' || s->cp == 'm' || s->cp == 'b') && more &&
               is_capital(s[1].cp);
    }
    return false;
}

bool pgn_only_marks(const pgn_sym *s, unsigned from, unsigned n)
{
    for (unsigned i = from; i < n; i++)
        if (s[i].cp != '!' && s[i].cp != '?' && s[i].cp != '+' &&
            s[i].cp != '#')
            return false;
    return true;
}

/* The shape of a text, SHAPES when it has none.  No text has two. */
static enum shape shape_of(const pgn_sym *s, unsigned n, unsigned *reached)
{
    for (unsigned k = 0; k < SHAPES; k++) {
        unsigned i = 0;
        while (SHAPE[k][i] && i < n && fits(SHAPE[k][i], &s[i], i + 1 < n))
            i++;
        if (!SHAPE[k][i] && pgn_only_marks(s, i, n))
            return (enum shape)k;
        if (i > *reached)
            *reached = i;
    }
    return SHAPES;
}

/* Which piece an order word or sign picks.  Signs before the river of four
 * pawns on a file differ from words: the WXF keeps ++ and -- for the ends. */
static uint8_t order_pick(pgn_sym s, unsigned kind)
{
    bool sign = pgn_sym_class(s) == PGN_C_SIGN;
    if (sign) {
        static const uint8_t BY_SIGN[4] = {0, PGN_PICK_FRONT, PGN_PICK_REAR,
                                           PGN_PICK_MIDDLE};
        static const uint8_t PAWN_BY_SIGN[4] = {
            0, PGN_PICK_PLUS, PGN_PICK_MINUS, PGN_PICK_MIDDLE};
        return (kind == XQ_PAWN ? PAWN_BY_SIGN : BY_SIGN)[pgn_sym_value(s)];
    }
    static const uint8_t BY_WORD[4] = {0, PGN_PICK_FRONT, PGN_PICK_MIDDLE,
                                       PGN_PICK_REAR};
    return BY_WORD[pgn_sym_value(s)];
}

/* The board's file for a digit; PGN_UNSET for 0, which no file has. */
static uint8_t file_of_digit(const xq_pos *p, pgn_sym s)
{
    unsigned d = pgn_sym_value(s);
    return d ? (uint8_t)pgn_file_numbered((xq_side)p->side, d) : PGN_UNSET;
}

static unsigned count_on(const xq_pos *p, xq_kind k, unsigned file)
{
    xq_sq here[10];
    return file == PGN_UNSET ? 0 : pgn_on_file(p, k, file, here);
}

/* "C2.5", "炮二平五".  One trap: "P5.6" is the middle one when three or five
 * pawns stand on file 5 (formats reference 2.6).  Where that one cannot move
 * so, a writer who just named the file is still understood. */
static void read_plain(const xq_pos *p, const pgn_sym *s, pgn_reading r,
                       pgn_notation hint, pgn_readings *out)
{
    r.kind = (uint8_t)pgn_sym_value(s[0]);
    r.file = file_of_digit(p, s[1]);
    r.at_from = 1;
    bool latin = s[0].cp < 128;
    unsigned n = latin && r.kind == XQ_PAWN ? count_on(p, XQ_PAWN, r.file) : 0;
    if (n >= 3 && n % 2 == 1) {
        pgn_reading middle = r;
        middle.pick = PGN_PICK_MIDDLE;
        pgn_add_reading(out, middle);
        r.tier++;
        if (hint == PGN_WXF2018)
            return;
    }
    pgn_add_reading(out, r);
}

/* Two digits: index and file (Fairy's 15=4, the rulebook's 二7平6); the file
 * twice, for the middle one of three (the WXF's 33.4); or, where neither can
 * be meant, a piece code and a file (62.5 for C2.5).  Formats reference 2.6:
 * Fairy always writes "=", the WXF never does. */
static void read_two_digits(const xq_pos *p, const pgn_sym *s, pgn_reading r,
                            pgn_notation hint, pgn_readings *out)
{
    const bool words = pgn_sym_class(s[2]) == PGN_C_DIR;
    unsigned first = pgn_sym_value(s[0]);
    r.kind = XQ_PAWN;
    r.file = file_of_digit(p, s[1]);
    r.at_from = 1;
    unsigned n = count_on(p, XQ_PAWN, r.file);
    bool index = n >= 2 && first >= 1 && first <= n;
    bool middle =
        !words && n >= 3 && n % 2 == 1 && first == pgn_sym_value(s[1]);

    if (!index && !middle && !words && first >= 1 && first <= 7) {
        r.kind = (uint8_t)first;
        pgn_add_reading(out, r);
        return;
    }
    if (middle) {
        pgn_reading m = r;
        m.pick = PGN_PICK_MIDDLE;
        m.tier += hint == PGN_FAIRY || (s[2].cp == '=' && hint != PGN_WXF2018);
        pgn_add_reading(out, m);
    }
    if (index || !middle) {
        r.pick = PGN_PICK_INDEX;
        r.index = (uint8_t)first;
        r.at_from = 0;
        r.tier += middle && (hint == PGN_WXF2018 ||
                             (s[2].cp == '.' && hint != PGN_FAIRY));
        pgn_add_reading(out, r);
    }
}

/* "3+.4": the front pawn on file 3; where no two stand there, a piece code:
 * "6+.4" for C+.4. */
static void read_file_sign(const xq_pos *p, const pgn_sym *s, pgn_reading r,
                           pgn_readings *out)
{
    unsigned first = pgn_sym_value(s[0]);
    r.kind = XQ_PAWN;
    r.file = file_of_digit(p, s[0]);
    if (count_on(p, XQ_PAWN, r.file) < 2 && first >= 1 && first <= 7) {
        r.kind = (uint8_t)first;
        r.file = PGN_UNSET;
        r.at_from = 1;
    }
    r.pick = order_pick(s[1], r.kind);
    pgn_add_reading(out, r);
}

void pgn_parts(const xq_pos *p, const pgn_sym *s, unsigned n, pgn_notation hint,
               pgn_readings *out)
{
    enum shape k = shape_of(s, n, &out->reached);
    if (k == SHAPES)
        return;
    unsigned last = 0; /* the target stands last, the direction before it */
    while (SHAPE[k][last + 1])
        last++;
    pgn_reading r = {
        .tier = 1,
        .pick = PGN_PICK_ALL,
        .file = PGN_UNSET,
        .rank = PGN_UNSET,
        .to = XQ_NOSQ,
        .dir = k == NO_SIGN ? 3 : (uint8_t)pgn_sym_value(s[last - 1]),
        .target = (uint8_t)pgn_sym_value(s[last]),
        .at_dir = k == NO_SIGN ? (uint8_t)last : (uint8_t)(last - 1),
        .at_to = (uint8_t)last,
    };

    switch (k) {
    case PLAIN:
    case NO_SIGN:
        read_plain(p, s, r, hint, out);
        return;
    case BARE_INDEX:
        read_two_digits(p, s, r, hint, out);
        return;
    case FILE_SIGN:
        read_file_sign(p, s, r, out);
        return;
    case SIGN_AFTER:
        r.kind = (uint8_t)pgn_sym_value(s[0]);
        r.pick = order_pick(s[1], r.kind);
        r.at_from = 1;
        break;
    case SIGN_FIRST:
    case FIVE_ORDER:
        r.kind = (uint8_t)pgn_sym_value(s[1]);
        r.pick = order_pick(s[0], r.kind);
        r.at_piece = 1;
        break;
    case NUMBERED:
    case FIVE_INDEX:
        r.kind = (uint8_t)pgn_sym_value(s[1]);
        r.pick = k == NUMBERED ? PGN_PICK_SET : PGN_PICK_INDEX;
        r.index = (uint8_t)pgn_sym_value(s[0]);
        r.at_piece = 1;
        break;
    case LETTERED:
        r.kind = (uint8_t)pgn_sym_value(s[0]);
        r.pick = PGN_PICK_SET;
        r.index = (uint8_t)(s[1].cp - 'a' + 1);
        r.at_from = 1;
        break;
    case BARE_ORDER:
        r.kind = XQ_PAWN;
        r.pick = order_pick(s[0], r.kind);
        r.file = file_of_digit(p, s[1]);
        r.at_from = 1;
        break;
    case TWO_SIGNS:
        /* "++" and "--" only; "+-.4" is no move. */
        if (s[0].cp != s[1].cp || (s[0].cp != '+' && s[0].cp != '-')) {
            out->reached = 1;
            return;
        }
        r.kind = XQ_PAWN;
        r.pick = s[0].cp == '+' ? PGN_PICK_FIRST : PGN_PICK_LAST;
        break;
    case COMPACT:
    case COMPACT_5:
        r.kind = (uint8_t)pgn_sym_value(s[1]);
        r.pick = s[0].cp == 'f'   ? PGN_PICK_FRONT
                 : s[0].cp == 'm' ? PGN_PICK_MIDDLE
                                  : PGN_PICK_REAR;
        r.at_piece = 1;
        break;
    case SHAPES:
        return;
    }
    if (k == FIVE_ORDER || k == FIVE_INDEX || k == COMPACT_5)
        r.file = file_of_digit(p, s[2]);
    pgn_add_reading(out, r);
}
