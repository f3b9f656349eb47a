/* chars.c - the characters of written moves and what each means.
 *
 * This is the one list of them.  Sources: formats reference 2.2 (the input
 * sets of xqbase's cchess.cpp and of vschess, and what careless writers and
 * Taiwanese programs use) and 2.7 (底, 低).  Full-width ASCII is folded to
 * ASCII by pgn_scan, save the digits, which pgn_class_of knows as well. */
#include "libpgn/notation_internal.h"

#define PIECE(k) (PGN_C_PIECE | XQ_##k)
#define DIGIT(n) (PGN_C_DIGIT | (n))
#define FORWARD  (PGN_C_DIR | 1)
#define BACK     (PGN_C_DIR | 2)
#define SIDEWAYS (PGN_C_DIR | 3)
#define FRONT    (PGN_C_ORDER | 1)
#define MIDDLE   (PGN_C_ORDER | 2)
#define REAR     (PGN_C_ORDER | 3)

/* 〇 and 零 are no digits here: files and steps count from 1. */
const uint8_t pgn_class_of[0x10000] = {
    [u'帅'] = PIECE(KING),
    [u'帥'] = PIECE(KING),
    [u'将'] = PIECE(KING),
    [u'將'] = PIECE(KING),
    [u'王'] = PIECE(KING),

    [u'仕'] = PIECE(ADVISOR),
    [u'士'] = PIECE(ADVISOR),

    [u'相'] = PIECE(ELEPHANT),
    [u'象'] = PIECE(ELEPHANT),

    [u'马'] = PIECE(HORSE),
    [u'馬'] = PIECE(HORSE),
    [u'傌'] = PIECE(HORSE),
    [u'碼'] = PIECE(HORSE),

    [u'车'] = PIECE(ROOK),
    [u'車'] = PIECE(ROOK),
    [u'俥'] = PIECE(ROOK),
    [u'砗'] = PIECE(ROOK),
    [u'硨'] = PIECE(ROOK),

    [u'炮'] = PIECE(CANNON),
    [u'砲'] = PIECE(CANNON),
    [u'包'] = PIECE(CANNON),
    [u'軳'] = PIECE(CANNON),

    [u'兵'] = PIECE(PAWN),
    [u'卒'] = PIECE(PAWN),

    [u'进'] = FORWARD,
    [u'進'] = FORWARD,
    [u'上'] = FORWARD,
    [u'退'] = BACK,
    [u'下'] = BACK,
    [u'平'] = SIDEWAYS,

    [u'前'] = FRONT,
    [u'中'] = MIDDLE,
    [u'后'] = REAR,
    [u'後'] = REAR,
    [u'底'] = REAR,
    [u'低'] = REAR,

    /* clang-format off */
    [u'一'] = DIGIT(1), [u'１'] = DIGIT(1), [u'壹'] = DIGIT(1),
    [u'二'] = DIGIT(2), [u'２'] = DIGIT(2), [u'贰'] = DIGIT(2),
    [u'貳'] = DIGIT(2),
    [u'三'] = DIGIT(3), [u'３'] = DIGIT(3), [u'叁'] = DIGIT(3),
    [u'參'] = DIGIT(3),
    [u'四'] = DIGIT(4), [u'４'] = DIGIT(4), [u'肆'] = DIGIT(4),
    [u'五'] = DIGIT(5), [u'５'] = DIGIT(5), [u'伍'] = DIGIT(5),
    [u'六'] = DIGIT(6), [u'６'] = DIGIT(6), [u'陆'] = DIGIT(6),
    [u'陸'] = DIGIT(6),
    [u'七'] = DIGIT(7), [u'７'] = DIGIT(7), [u'柒'] = DIGIT(7),
    [u'八'] = DIGIT(8), [u'８'] = DIGIT(8), [u'捌'] = DIGIT(8),
    [u'九'] = DIGIT(9), [u'９'] = DIGIT(9), [u'玖'] = DIGIT(9),
    /* clang-format on */
};

/* ASCII: letters of xqbase (B N) and of the WXF (E H), any case.  M is not
 * here: it is an elephant to some and a horse to others (S23).  0 is a digit
 * so that "车一进0" can be told why it is wrong. */
static const uint8_t ascii_class[128] = {
    /* clang-format off */
    ['K'] = PIECE(KING),     ['k'] = PIECE(KING),
    ['A'] = PIECE(ADVISOR),  ['a'] = PIECE(ADVISOR),
    ['B'] = PIECE(ELEPHANT), ['b'] = PIECE(ELEPHANT),
    ['E'] = PIECE(ELEPHANT), ['e'] = PIECE(ELEPHANT),
    ['N'] = PIECE(HORSE),    ['n'] = PIECE(HORSE),
    ['H'] = PIECE(HORSE),    ['h'] = PIECE(HORSE),
    ['R'] = PIECE(ROOK),     ['r'] = PIECE(ROOK),
    ['C'] = PIECE(CANNON),   ['c'] = PIECE(CANNON),
    ['P'] = PIECE(PAWN),     ['p'] = PIECE(PAWN),
    ['0'] = DIGIT(0),        ['1'] = DIGIT(1),
    ['2'] = DIGIT(2),        ['3'] = DIGIT(3),
    ['4'] = DIGIT(4),        ['5'] = DIGIT(5),
    ['6'] = DIGIT(6),        ['7'] = DIGIT(7),
    ['8'] = DIGIT(8),        ['9'] = DIGIT(9),
    ['+'] = PGN_C_SIGN | 1,  ['-'] = PGN_C_SIGN | 2,
    ['.'] = PGN_C_SIGN | 3,  ['='] = PGN_C_SIGN | 3,
    /* clang-format on */
};

/* One character of UTF-8, strictly; a byte that starts none is returned as
 * U+FFFD of length 1. */
static uint32_t decode(const unsigned char *s, size_t n, unsigned *len)
{
    static const struct {
        uint8_t mask, lead;
        uint32_t least;
    } FORM[5] = {{0},
                 {0x80, 0x00, 0},
                 {0xE0, 0xC0, 0x80},
                 {0xF0, 0xE0, 0x800},
                 {0xF8, 0xF0, 0x10000}};
    *len = 1;
    for (unsigned k = 1; k <= 4 && k <= n; k++) {
        if ((s[0] & FORM[k].mask) != FORM[k].lead)
            continue;
        uint32_t cp = s[0] & (unsigned char)~FORM[k].mask;
        for (unsigned i = 1; i < k; i++) {
            if ((s[i] & 0xC0) != 0x80)
                return 0xFFFD;
            cp = cp << 6 | (s[i] & 0x3F);
        }
        if (cp < FORM[k].least || cp > 0x10FFFF || (cp >> 11) == 0x1B)
            return 0xFFFD;
        *len = k;
        return cp;
    }
    return 0xFFFD;
}

/* Full-width ASCII and the dashes of word processors, as ASCII. */
static uint32_t fold(uint32_t cp)
{
    if (cp < 0xB7)
        return cp;
    if (cp >= 0xFF01 && cp <= 0xFF5E)
        return cp - 0xFF01 + '!';
    if ((cp >= 0x2010 && cp <= 0x2015) || cp == 0x2212)
        return '-';
    if (cp == 0xB7)
        return '.';
    if (cp == 0xD7)
        return 'x';
    return cp;
}

static bool is_blank(uint32_t cp)
{
    return (cp >= 9 && cp <= 13) || cp == ' ' || cp == 0xA0 || cp == 0x3000 ||
           cp == 0x200B || cp == 0xFEFF;
}

/* Blanks are dropped at both ends and round a hyphen ("H2 - E2"); elsewhere
 * they stay, and fit no grammar. */
unsigned pgn_scan(xq_str text, pgn_sym out[PGN_SYMS])
{
    const unsigned char *s = (const unsigned char *)text.s;
    unsigned n = 0, len;
    pgn_sym blank = {0};
    for (size_t i = 0; i < text.n; i += len) {
        uint32_t raw = decode(s + i, text.n - i, &len), cp = fold(raw);
        if (is_blank(cp)) {
            if (!blank.cp)
                blank = (pgn_sym){.cp = cp, .byte = i, .len = (uint8_t)len};
            continue;
        }
        if (blank.cp && n && cp != '-' && out[n - 1].cp != '-' &&
            n < PGN_SYMS - 1)
            out[n++] = blank;
        blank.cp = 0;
        pgn_sym *y = &out[n++];
        y->cp = cp;
        y->byte = i;
        y->len = (uint8_t)len;
        y->cls = cp < 128       ? ascii_class[cp]
                 : cp < 0x10000 ? pgn_class_of[cp]
                                : PGN_C_NONE;
        if (n == PGN_SYMS) { /* too long for any move: let nothing fit */
            y->cls = PGN_C_NONE;
            y->cp = 0;
            break;
        }
    }
    return n;
}
