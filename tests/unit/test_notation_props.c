/* test_notation_props.c - what must hold of every written move, in games and
 * in positions no game can reach.  Prints its seed; QIPU_SEED sets it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/rules.h"
#include "libpgn/notation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed;

static unsigned below(unsigned n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)((seed >> 32) * n >> 32);
}

/* A position with many pieces of few kinds on few files, so that they stand
 * one behind another in every way. */
static bool odd_position(xq_pos *p)
{
    uint8_t at[XQ_SQUARES] = {0};
    unsigned kinds[2] = {2 + below(6), 2 + below(6)};
    unsigned files = 1 + below(9), many = 2 + below(25);

    if (below(2))
        kinds[0] = XQ_PAWN;
    for (unsigned i = 0; i < many; i++) {
        xq_side side = (xq_side)(below(4) == 0);
        unsigned k = below(4) ? kinds[below(2)] : 2 + below(6);
        unsigned file = (below(files) * 2 + 4) % 9;
        at[xq_sq_of((int)file, (int)below(10))] = xq_piece_of(side, (xq_kind)k);
    }
    at[xq_sq_of(3 + (int)below(3), (int)below(3))] =
        xq_piece_of(XQ_RED, XQ_KING);
    at[xq_sq_of(3 + (int)below(3), 7 + (int)below(3))] =
        xq_piece_of(XQ_BLACK, XQ_KING);
    return xq_pos_set(p, at, (xq_side)below(2), NULL) == XQ_OK;
}

static void fail_move(const xq_pos *p, const char *text, pgn_notation hint,
                      xq_move want, xq_move got, const char *why)
{
    char fen[XQ_FEN_MAX], w[5], g[5];
    xq_fen_format(p, fen);
    xq_move_format(want, w);
    xq_move_format(got, g);
    fail_msg("%s: '%s' (hint %s) is %s, read as %s: %s", fen, text,
             pgn_notation_name(hint), w, got ? g : "none", why);
}

static bool holds(const pgn_candidates *amb, xq_move m)
{
    for (unsigned i = 0; i < amb->n && i < 8; i++)
        if (amb->m[i] == m)
            return true;
    return amb->n > 8;
}

/* What is written in a notation reads back, as that notation; without a hint
 * it is the same move, or honestly ambiguous and then among the candidates. */
static void round_trip(const xq_pos *p, xq_move m, pgn_notation n, pgn_script s)
{
    char out[PGN_MOVE_TEXT_MAX];
    size_t len = pgn_move_write(p, m, n, s, out);
    xq_str text = {out, len};
    pgn_candidates amb;
    xq_move got;
    xq_err err = {.msg = ""};

    assert_true(len == strlen(out) && len < PGN_MOVE_TEXT_MAX);
    if (pgn_move_read(p, text, n, &got, &amb, &err) != XQ_OK || got != m)
        fail_move(p, out, n, m, got, err.msg);
    xq_status rc = pgn_move_read(p, text, PGN_NOTATION_ANY, &got, &amb, &err);
    if (rc == XQ_EAMBIGUOUS ? !holds(&amb, m) : rc != XQ_OK || got != m)
        fail_move(p, out, PGN_NOTATION_ANY, m, got, err.msg);
}

static void check_all_moves(const xq_pos *p)
{
    xq_movelist list;
    xq_gen_legal(p, &list);
    for (unsigned i = 0; i < list.n; i++) {
        for (unsigned n = PGN_ICCS; n < PGN_NOTATIONS; n++)
            round_trip(p, list.m[i], (pgn_notation)n, PGN_SIMPLIFIED);
        round_trip(p, list.m[i], PGN_CHINESE, PGN_TRADITIONAL);
        char iccs[PGN_MOVE_TEXT_MAX];
        xq_move got;
        size_t len = pgn_iccs_upper(list.m[i], iccs);
        if (pgn_move_read(p, (xq_str){iccs, len}, PGN_ICCS, &got, NULL, NULL) !=
                XQ_OK ||
            got != list.m[i])
            fail_move(p, iccs, PGN_ICCS, list.m[i], got, "");
    }
}

/* The text of a class quadruple, as the PGN reader would have met it. */
static void text_of(const uint8_t c[4], char out[16])
{
    static const char *const PIECE[] = {"?",  "帅", "仕", "相",
                                        "马", "车", "炮", "兵"};
    static const char *const DIGIT[] = {"?",  "一", "二", "三", "四",
                                        "五", "六", "七", "八", "九"};
    static const char *const DIR[] = {"?", "进", "退", "平"};
    snprintf(out, 16, "%s%s%s%s", PIECE[c[0] & 7], DIGIT[c[1] & 15],
             DIR[c[2] & 3], DIGIT[c[3] & 15]);
}

static void check_quick(const xq_pos *p, const uint8_t c[4])
{
    char text[16];
    xq_move full, quick = pgn_move_quick(p, c);
    text_of(c, text);
    xq_status rc =
        pgn_move_read(p, xq_str_of(text), PGN_NOTATION_ANY, &full, NULL, NULL);
    if (!quick)
        return;
    if (!xq_move_is_pseudo(p, quick))
        fail_move(p, text, PGN_NOTATION_ANY, full, quick, "not pseudo-legal");
    if (xq_move_is_legal(p, quick) ? rc != XQ_OK || full != quick : rc == XQ_OK)
        fail_move(p, text, PGN_NOTATION_ANY, full, quick, "quick differs");
}

/* Every quadruple; and the quick way finds every move that is written with a
 * file digit, unless two could be meant. */
static void check_quick_everywhere(const xq_pos *p)
{
    for (unsigned k = 1; k <= 7; k++)
        for (unsigned f = 1; f <= 9; f++)
            for (unsigned d = 1; d <= 3; d++)
                for (unsigned t = 1; t <= 9; t++)
                    check_quick(p, (uint8_t[4]){(uint8_t)(PGN_C_PIECE | k),
                                                (uint8_t)(PGN_C_DIGIT | f),
                                                (uint8_t)(PGN_C_DIR | d),
                                                (uint8_t)(PGN_C_DIGIT | t)});
}

static void quick_finds_plain_moves(const xq_pos *p)
{
    xq_movelist list;
    xq_gen_legal(p, &list);
    for (unsigned i = 0; i < list.n; i++) {
        char out[PGN_MOVE_TEXT_MAX];
        uint8_t c[4];
        pgn_move_write(p, list.m[i], PGN_CHINESE, PGN_SIMPLIFIED, out);
        for (unsigned k = 0; k < 4; k++) {
            const unsigned char *u = (const unsigned char *)out + 3 * k;
            c[k] = pgn_class_of[(u[0] & 15u) << 12 | (u[1] & 63u) << 6 |
                                (u[2] & 63u)];
        }
        if ((c[0] & 0xF0) == PGN_C_PIECE && pgn_move_quick(p, c) != list.m[i])
            fail_move(p, out, PGN_CHINESE, list.m[i], pgn_move_quick(p, c),
                      "quick misses it");
    }
}

static void play_random_games(unsigned games, void (*check)(const xq_pos *))
{
    for (unsigned g = 0; g < games; g++) {
        xq_pos p;
        xq_pos_start(&p);
        for (unsigned ply = 0; ply < 200; ply++) {
            xq_movelist list;
            xq_gen_legal(&p, &list);
            if (!list.n)
                break;
            if (ply % 4 == g % 4)
                check(&p);
            xq_pos_make(&p, list.m[below(list.n)], NULL);
        }
    }
}

/* At most what a side begins with, pawns on any squares. */
static bool crowded_position(xq_pos *p)
{
    uint8_t at[XQ_SQUARES] = {0};
    static const struct {
        xq_kind kind;
        unsigned n;
    } MEN[] = {{XQ_PAWN, 5}, {XQ_ROOK, 2}, {XQ_HORSE, 2}, {XQ_CANNON, 2}};
    unsigned files = 1 + below(3);

    for (unsigned side = 0; side < 2; side++)
        for (unsigned k = 0; k < 4; k++)
            for (unsigned i = 0; i < MEN[k].n; i++)
                at[xq_sq_of((int)(below(files) * 2 + 1 + below(2)),
                            (int)below(10))] =
                    xq_piece_of((xq_side)side, MEN[k].kind);
    at[xq_sq_of(3 + (int)below(3), (int)below(3))] =
        xq_piece_of(XQ_RED, XQ_KING);
    at[xq_sq_of(3 + (int)below(3), 7 + (int)below(3))] =
        xq_piece_of(XQ_BLACK, XQ_KING);
    return xq_pos_set(p, at, (xq_side)below(2), NULL) == XQ_OK;
}

/* Squares are a way out for odd positions only. */
static void names_every_piece(const xq_pos *p)
{
    static const pgn_notation PARTS[] = {PGN_WXF, PGN_WXF2018, PGN_FAIRY,
                                         PGN_CHINESE};
    xq_movelist list;
    xq_gen_legal(p, &list);
    for (unsigned i = 0; i < list.n; i++)
        for (unsigned k = 0; k < sizeof PARTS / sizeof *PARTS; k++) {
            char out[PGN_MOVE_TEXT_MAX];
            pgn_move_write(p, list.m[i], PARTS[k], PGN_SIMPLIFIED, out);
            if (strlen(out) == 5 && out[2] == '-')
                fail_move(p, out, PARTS[k], list.m[i], XQ_NOMOVE, "squares");
        }
}

static void pieces_of_games_have_names(void **state)
{
    (void)state;
    play_random_games(100, names_every_piece);
    for (unsigned i = 0; i < 5000; i++) {
        xq_pos p;
        if (crowded_position(&p)) {
            names_every_piece(&p);
            if (i % 4 == 0)
                check_all_moves(&p);
        }
    }
}

static void moves_of_games_read_back(void **state)
{
    (void)state;
    play_random_games(20, check_all_moves);
}

static void moves_of_odd_positions_read_back(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3000; i++) {
        xq_pos p;
        if (odd_position(&p))
            check_all_moves(&p);
    }
}

static void the_quick_way_agrees_with_the_complete_reader(void **state)
{
    (void)state;
    play_random_games(8, check_quick_everywhere);
    play_random_games(50, quick_finds_plain_moves);
    for (unsigned i = 0; i < 500; i++) {
        xq_pos p;
        if (odd_position(&p))
            check_quick_everywhere(&p);
    }
}

static void the_quick_way_refuses_other_classes(void **state)
{
    (void)state;
    xq_pos p;
    xq_pos_start(&p);
    for (unsigned i = 0; i < 2000000; i++) {
        uint8_t c[4];
        for (unsigned k = 0; k < 4; k++)
            c[k] = (uint8_t)below(256);
        bool plain = c[0] > 0x10 && c[0] <= 0x17 && c[1] > 0x20 &&
                     c[1] <= 0x29 && c[2] > 0x30 && c[2] <= 0x33 &&
                     c[3] > 0x20 && c[3] <= 0x29;
        if (!plain)
            assert_int_equal(pgn_move_quick(&p, c), XQ_NOMOVE);
        else
            check_quick(&p, c);
    }
}

/* Pieces of moves in any order, and plain noise: a legal move, or a status
 * with a message and a byte inside the text. */
static void any_text_is_answered(void **state)
{
    (void)state;
    static const char *const BIT[] = {
        "炮", "马", "車",   "兵",   "仕",   "相", "帅", "一", "二", "五",
        "９", "８", "进",   "退",   "平",   "前", "中", "后", "C",  "n",
        "P",  "E",  "1",    "2",    "5",    "9",  "0",  "10", "+",  "-",
        ".",  "=",  "a",    "b",    "e",    "i",  "x",  "#",  "!",  " ",
        "–",  "Ｃ", "\xE7", "\x00", "\xFF", "f",  "m"};
    for (unsigned i = 0; i < 400000; i++) {
        char text[64];
        size_t n = 0;
        for (unsigned k = 1 + below(7); k--;) {
            const char *bit = BIT[below(sizeof BIT / sizeof *BIT)];
            size_t len = *bit ? strlen(bit) : 1;
            memcpy(text + n, bit, len);
            n += len;
        }
        if (below(8) == 0)
            text[below((unsigned)n)] = (char)below(256);
        xq_pos p;
        if (i % 4 || !odd_position(&p))
            xq_pos_start(&p);
        char *exact = malloc(n); /* so that a sanitizer sees the end */
        assert_non_null(exact);
        memcpy(exact, text, n);
        xq_move m;
        xq_err err = {.msg = ""};
        pgn_candidates amb;
        pgn_notation hint = (pgn_notation)below(PGN_NOTATIONS);
        xq_status rc =
            pgn_move_read(&p, (xq_str){exact, n}, hint, &m, &amb, &err);
        free(exact);
        if (rc == XQ_OK) {
            assert_true(xq_move_is_legal(&p, m));
            continue;
        }
        assert_true(rc == XQ_ESYNTAX || rc == XQ_EILLEGAL ||
                    rc == XQ_EAMBIGUOUS);
        assert_true(err.msg[0] && err.code == rc && err.byte <= n);
        assert_true(!m || (rc == XQ_EILLEGAL && !xq_move_is_legal(&p, m)));
        assert_int_equal(rc == XQ_EAMBIGUOUS, amb.n > 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_of_games_have_names),
        cmocka_unit_test(moves_of_games_read_back),
        cmocka_unit_test(moves_of_odd_positions_read_back),
        cmocka_unit_test(the_quick_way_agrees_with_the_complete_reader),
        cmocka_unit_test(the_quick_way_refuses_other_classes),
        cmocka_unit_test(any_text_is_answered),
    };
    const char *set = getenv("QIPU_SEED");
    seed = set ? strtoull(set, NULL, 0) : UINT64_C(0x71697075);
    if (!seed)
        seed = 1;
    print_message("QIPU_SEED=%llu\n", (unsigned long long)seed);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
