/* test_notation.c - written moves, case by case: the verified table
 * tests/data/notation-cases.tsv, and the cases S12-S28 of the collection. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/rules.h"
#include "libpgn/notation.h"

#include <stdio.h>
#include <string.h>

#define N_OF(a) (sizeof(a) / sizeof *(a))
#define START   XQ_FEN_START

static xq_pos pos_of(const char *fen)
{
    xq_pos p;
    xq_err err;
    if (xq_fen_parse(&p, xq_str_of(fen), NULL, &err) != XQ_OK)
        fail_msg("%s: %s", fen, err.msg);
    return p;
}

static const char *name_of(xq_move m)
{
    static char name[2][5];
    static int i;
    i = !i;
    if (m)
        xq_move_format(m, name[i]);
    else
        strcpy(name[i], "none");
    return name[i];
}

static void reads_hint(const xq_pos *p, const char *text, pgn_notation hint,
                       const char *want)
{
    xq_move m;
    xq_err err = {.msg = ""};
    xq_status rc = pgn_move_read(p, xq_str_of(text), hint, &m, NULL, &err);
    if (rc != XQ_OK || m != xq_move_parse(want))
        fail_msg("'%s' (hint %s) should be %s: got %s, status %d, %s", text,
                 pgn_notation_name(hint), want, name_of(m), (int)rc, err.msg);
}

static void reads(const xq_pos *p, const char *text, const char *want)
{
    reads_hint(p, text, PGN_NOTATION_ANY, want);
}

/* The text is refused with `code`; the message holds `why`; the byte. */
static void refuses(const xq_pos *p, const char *text, xq_status code,
                    const char *why, unsigned byte)
{
    xq_move m;
    xq_err err = {.msg = ""};
    xq_status rc =
        pgn_move_read(p, xq_str_of(text), PGN_NOTATION_ANY, &m, NULL, &err);
    if (rc != code || !strstr(err.msg, why) || err.byte != byte)
        fail_msg("'%s': want status %d, \"%s\", byte %u; got %d, \"%s\", %u",
                 text, (int)code, why, byte, (int)rc, err.msg,
                 (unsigned)err.byte);
}

static void writes(const xq_pos *p, const char *move, pgn_notation n,
                   const char *want)
{
    char out[PGN_MOVE_TEXT_MAX];
    size_t len = pgn_move_write(p, xq_move_parse(move), n, PGN_SIMPLIFIED, out);
    if (strcmp(out, want) != 0 || len != strlen(want))
        fail_msg("%s as %s: want %s, got %s", move, pgn_notation_name(n), want,
                 out);
}

/* A line of play in some notation, blanks between moves, against ICCS. */
static void line_reads_hint(const char *moves, pgn_notation hint,
                            const char *want)
{
    xq_pos p = pos_of(START);
    while (*moves) {
        size_t n = strcspn(moves, " ");
        char move[5] = "", text[32];
        snprintf(text, sizeof text, "%.*s", (int)n, moves);
        memcpy(move, want, 4);
        reads_hint(&p, text, hint, move);
        xq_pos_make(&p, xq_move_parse(move), NULL);
        moves += n + (moves[n] == ' ');
        want += 4 + (want[4] == ' ');
    }
    assert_int_equal(*want, 0);
}

static void line_reads(const char *moves, const char *want)
{
    line_reads_hint(moves, PGN_NOTATION_ANY, want);
}

/* ---- the table ---- */

struct dialect {
    const char *name;
    pgn_notation n;
    bool write;
};

static const struct dialect *dialect_of(const char *name)
{
    static const struct dialect D[] = {
        {"fairy-wxf", PGN_FAIRY, true},
        {"fairy-san-1-10", PGN_SAN10, true},
        {"xqbase-wxf", PGN_WXF, true},
        {"chinese-xqbase", PGN_CHINESE, true},
        {"official-wxf", PGN_WXF2018, true},
        {"accept-wxf", PGN_WXF, false},
        {"accept-chinese", PGN_CHINESE, false},
    };
    for (size_t i = 0; i < N_OF(D); i++)
        if (strcmp(D[i].name, name) == 0)
            return &D[i];
    fail_msg("unknown dialect %s", name);
    return NULL;
}

static void every_row_of_the_table_reads_and_writes(void **state)
{
    (void)state;
    FILE *f = fopen("tests/data/notation-cases.tsv", "rb");
    char line[400];
    unsigned rows = 0;
    if (!f)
        fail_msg("run in the source tree: no tests/data/notation-cases.tsv");
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#')
            continue;
        char *fen = strtok(line, "\t\n"), *move = strtok(NULL, "\t\n");
        char *dialect = strtok(NULL, "\t\n"), *text = strtok(NULL, "\t\n");
        assert_non_null(text);
        const struct dialect *d = dialect_of(dialect);
        xq_pos p = pos_of(fen);
        reads_hint(&p, text, d->n, move);
        if (strcmp(text, "Re9") != 0) /* e7e9 for XBoard */
            reads(&p, text, move);
        if (d->write)
            writes(&p, move, d->n, text);
        rows++;
    }
    fclose(f);
    assert_int_equal(rows, 103);
}

/* ---- tandem pieces ---- */

static void s12_two_files_of_two_pawns(void **state)
{
    (void)state;
    xq_pos p = pos_of("3k5/3P1P3/4P4/3P1P3/9/9/9/9/9/4K4 w - - 0 1");
    static const char *const T[5][8] = {
        {"f8e8", "一兵平五", "14=5", "Pa.5", "4+.5", "前兵四平五", "+4.5",
         "前四平五"},
        {"f6e6", "二兵平五", "24=5", "Pb.5", "4-.5", "后兵四平五", "-4.5",
         "二四平5"},
        {"e7e8", "兵五进一", "P5+1", "P5+1", "P5+1", "兵5上1", "75+1", "p5+1"},
        {"d8e8", "三兵平五", "16=5", "Pc.5", "6+.5", "前兵六平五", "fP6.5",
         "一兵六平五"},
        {"d6e6", "四兵平五", "26=5", "Pd.5", "6-.5", "底兵六平五", "bP6.5",
         "後６平５"},
    };
    for (size_t i = 0; i < N_OF(T); i++)
        for (size_t k = 1; k < N_OF(T[i]); k++)
            reads(&p, T[i][k], T[i][0]);
    for (size_t i = 0; i < N_OF(T); i++) {
        writes(&p, T[i][0], PGN_CHINESE, T[i][1]);
        writes(&p, T[i][0], PGN_FAIRY, T[i][2]);
        writes(&p, T[i][0], PGN_WXF, T[i][3]);
        writes(&p, T[i][0], PGN_WXF2018, T[i][4]);
    }
    refuses(&p, "前兵平五", XQ_EAMBIGUOUS, "f8e8", 0);
    refuses(&p, "五兵平五", XQ_EILLEGAL, "no number 5", 0);
}

static void s13_three_pawns_on_a_file(void **state)
{
    (void)state;
    xq_pos p = pos_of("5k3/4P4/9/4P4/4P4/9/9/9/9/3K5 w - - 0 1");
    static const char *const T[][2] = {
        {"前兵平四", "e8f8"}, {"中兵平六", "e6d6"}, {"后兵平四", "e5f5"},
        {"一兵平四", "e8f8"}, {"二兵平六", "e6d6"}, {"三兵平四", "e5f5"},
        {"15=4", "e8f8"},     {"25=6", "e6d6"},     {"35=4", "e5f5"},
        {"P+.4", "e8f8"},     {"P..6", "e6d6"},     {"P-.4", "e5f5"},
        {"P5.6", "e6d6"},     {"55.6", "e6d6"},     {".P.6", "e6d6"},
        {"mP.6", "e6d6"},     {"兵前平四", "e8f8"},
    };
    for (size_t i = 0; i < N_OF(T); i++)
        reads(&p, T[i][0], T[i][1]);
    writes(&p, "e6d6", PGN_CHINESE, "中兵平六");
    writes(&p, "e6d6", PGN_WXF, "P..6");
    writes(&p, "e6d6", PGN_WXF2018, "P5.6");
    writes(&p, "e6d6", PGN_FAIRY, "25=6");
}

static void s14_five_pawns_and_one_that_may_not(void **state)
{
    (void)state;
    xq_pos p = pos_of("5k3/4P4/4P4/4P4/4P4/4P4/9/9/9/3K5 w - - 0 1");
    static const char *const T[][2] = {
        {"前兵平六", "e8d8"}, {"二兵平四", "e7f7"}, {"三兵平六", "e6d6"},
        {"四兵平六", "e5d5"}, {"15=6", "e8d8"},     {"25=4", "e7f7"},
        {"35=6", "e6d6"},     {"45=6", "e5d5"},     {"中兵平六", "e6d6"},
        {"Pa.6", "e8d8"},     {"Pd.6", "e5d5"},     {"++.6", "e8d8"},
        {"P+.6", "e7d7"},     {"P5.6", "e6d6"},     {"P-.6", "e5d5"},
    };
    for (size_t i = 0; i < N_OF(T); i++)
        reads(&p, T[i][0], T[i][1]);
    refuses(&p, "五兵平六", XQ_EILLEGAL, "e4", 6);
    refuses(&p, "后兵平六", XQ_EILLEGAL, "e4", 6);
    refuses(&p, "--.6", XQ_EILLEGAL, "e4", 2);
    refuses(&p, "六兵平六", XQ_EILLEGAL, "no number 6", 0);

    xq_move m;
    assert_int_equal(pgn_move_read(&p, xq_str_of("五兵平六"), PGN_NOTATION_ANY,
                                   &m, NULL, NULL),
                     XQ_EILLEGAL);
    assert_int_equal(m, xq_move_parse("e4d4")); /* named, though forbidden */
    writes(&p, "e7d7", PGN_CHINESE, "二兵平六");
    writes(&p, "e8d8", PGN_WXF2018, "++.6");
    writes(&p, "e7d7", PGN_WXF2018, "P+.6");
    writes(&p, "e6d6", PGN_WXF2018, "P5.6");
    writes(&p, "e5d5", PGN_WXF2018, "P-.6");
}

static void official_names_of_four_and_of_two_files(void **state)
{
    (void)state;
    xq_pos p = pos_of("5k3/4P4/4P4/4P4/4P4/9/9/9/9/3K5 w");
    writes(&p, "e8d8", PGN_WXF2018, "++.6");
    writes(&p, "e7d7", PGN_WXF2018, "P+.6");
    writes(&p, "e6d6", PGN_WXF2018, "P-.6");
    writes(&p, "e5d5", PGN_WXF2018, "--.6");
    p = pos_of("4k4/6P2/6P2/2P3P2/2P6/9/9/9/9/3K5 w");
    writes(&p, "g8f8", PGN_WXF2018, "3+.4");
    writes(&p, "g7f7", PGN_WXF2018, "33.4");
    writes(&p, "g6f6", PGN_WXF2018, "3-.4");
    writes(&p, "c6d6", PGN_WXF2018, "7+.6");
    writes(&p, "c5d5", PGN_WXF2018, "7-.6");
    /* 33.4: the middle one for the WXF, the third for Fairy. */
    reads_hint(&p, "33.4", PGN_WXF2018, "g7f7");
    reads_hint(&p, "33=4", PGN_FAIRY, "g6f6");
    reads_hint(&p, "33.4", PGN_FAIRY, "g6f6");
    reads_hint(&p, "33=4", PGN_WXF2018, "g7f7");
    reads(&p, "33.4", "g7f7");
    reads(&p, "33=4", "g6f6");
}

static void s15_s16_advisors_and_elephants_on_a_file(void **state)
{
    (void)state;
    xq_pos p = pos_of("3k5/9/9/9/9/9/9/3A5/9/3AK4 w - - 0 1");
    reads(&p, "仕六进五", "d0e1");
    reads(&p, "仕六退五", "d2e1");
    reads(&p, "士六退五", "d2e1");
    reads(&p, "前仕退五", "d2e1");
    reads(&p, "A6+5", "d0e1");
    reads(&p, "A6-5", "d2e1");
    reads(&p, "A+-5", "d2e1");
    writes(&p, "d2e1", PGN_CHINESE, "仕六退五");
    writes(&p, "d0e1", PGN_CHINESE, "仕六进五");
    writes(&p, "d2e1", PGN_WXF, "A6-5");
    writes(&p, "d2e1", PGN_WXF2018, "A6-5");

    p = pos_of("3k5/9/9/9/9/2B6/9/9/9/2B1K4 w - - 0 1");
    static const char *const T[][3] = {
        {"相七进五", "E7+5", "c0e2"},
        {"相七退五", "E7-5", "c4e2"},
        {"相七进九", "E7+9", "c0a2"},
        {"相七退九", "E7-9", "c4a2"},
    };
    for (size_t i = 0; i < N_OF(T); i++) {
        reads(&p, T[i][0], T[i][2]);
        reads(&p, T[i][1], T[i][2]);
        writes(&p, T[i][2], PGN_CHINESE, T[i][0]);
        writes(&p, T[i][2], PGN_FAIRY, T[i][1]);
    }
}

static void s17_front_cannon_in_many_spellings(void **state)
{
    (void)state;
    xq_pos p = pos_of("r1b1kab1r/4a4/1cn1c1n2/p1p1C1p1p/9/9/P1P1P1P1P/"
                      "4C1N2/9/RNBAKAB1R w");
    static const char *const T[] = {
        "C+-2",   "+C-2", "前炮退2", "前炮退二",   "炮前退二",
        "c+-2",   "fC-2", "fC5-2",   "前砲５下２", "＋Ｃ－２",
        "前C退2", "6+-2", "C+–2"};
    for (size_t i = 0; i < N_OF(T); i++)
        reads(&p, T[i], "e6e4");
    writes(&p, "e6e4", PGN_CHINESE, "前炮退二");
    writes(&p, "e6e4", PGN_WXF, "C+-2");
}

static void s18_two_horses_on_a_file(void **state)
{
    (void)state;
    xq_pos p = pos_of("3k5/9/9/9/9/2N6/9/2N6/9/4K4 w - - 0 1");
    static const char *const T[][3] = {
        {"前马进六", "H++6", "c4d6"},
        {"后马进六", "H-+6", "c2d4"},
        {"前马退六", "H+-6", "c4d2"},
        {"后马进五", "H-+5", "c2e3"},
    };
    for (size_t i = 0; i < N_OF(T); i++) {
        reads(&p, T[i][0], T[i][2]);
        reads(&p, T[i][1], T[i][2]);
        writes(&p, T[i][2], PGN_CHINESE, T[i][0]);
        writes(&p, T[i][2], PGN_WXF2018, T[i][1]);
    }
}

static void a_plain_file_digit_with_two_on_the_file(void **state)
{
    (void)state;
    xq_pos p = pos_of("3k3R1/9/9/9/9/9/9/7R1/9/4K4 w");
    reads(&p, "车二进六", "h2h8");
    reads(&p, "R2-5", "h9h4");
    refuses(&p, "R2-1", XQ_EAMBIGUOUS, "2 moves fit: h2h1, h9h8", 0);
}

/* ---- characters ---- */

static void s19_any_digits_for_either_side(void **state)
{
    (void)state;
    line_reads("炮二平五 马８进７", "h2e2 h9g7");
    line_reads("炮2平5 马8进7", "h2e2 h9g7");
    line_reads("炮二平五 马八进七", "h2e2 h9g7");
    line_reads("炮贰平伍 马捌进柒", "h2e2 h9g7");
}

static void s20_traditional_and_variant_characters(void **state)
{
    (void)state;
    static const char want[] = "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5";
    line_reads("砲二平五 傌８進７ 傌二進三 俥９平８ 俥一平二 卒７進１", want);
    line_reads("包二平五 馬８上７ 碼二上三 車９平８ 硨一平二 兵７上１", want);
    line_reads("軳二平五 马８进７ 馬二進三 砗９平８ 车一平二 卒７进１", want);
    xq_pos p = pos_of(START);
    static const char *const KINGS[] = {"帅", "帥", "将", "將", "王"};
    for (size_t i = 0; i < N_OF(KINGS); i++) {
        char text[32];
        snprintf(text, sizeof text, "%s五进一", KINGS[i]);
        reads(&p, text, "e0e1");
    }
    reads(&p, "士四進五", "f0e1");
    reads(&p, "象三進五", "g0e2");
    reads(&p, "Ｃ２．５", "h2e2");
    reads(&p, "c2＝5", "h2e2");
}

static void s22_iccs_in_all_its_spellings(void **state)
{
    (void)state;
    xq_pos p = pos_of(START);
    static const char *const T[] = {
        "H2-E2",   "h2e2",    "H2E2",  "h2-e2", "Ｈ２－Ｅ２", "H2–E2",
        "H2 - E2", "  h2e2 ", "H2—E2", "h2e2+", "h2e2!?",     "　h2e2　"};
    for (size_t i = 0; i < N_OF(T); i++) {
        reads(&p, T[i], "h2e2");
        reads_hint(&p, T[i], PGN_ICCS, "h2e2");
    }
    char out[PGN_MOVE_TEXT_MAX];
    assert_int_equal(pgn_iccs_upper(xq_move_parse("h2e2"), out), 5);
    assert_string_equal(out, "H2-E2");
}

static void ranks_from_0_or_1(void **state)
{
    (void)state;
    xq_pos p = pos_of("4k4/9/9/9/9/9/9/9/R8/R4K3 w");
    refuses(&p, "a1b1", XQ_EAMBIGUOUS, "a1b1, a0b0", 0);
    reads_hint(&p, "a1b1", PGN_UCI, "a1b1");
    reads_hint(&p, "a1b1", PGN_UCI10, "a0b0");
    reads(&p, "A1-B1", "a1b1"); /* only ICCS writes so */
    p = pos_of("4k4/9/9/9/9/9/9/9/9/R4K3 w");
    reads(&p, "a1a10", "a0a9");
    reads(&p, "Ra10", "a0a9");
    reads(&p, "a0a9", "a0a9");
}

static void s23_letters_of_either_school(void **state)
{
    (void)state;
    static const char want[] = "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5";
    line_reads("C2=5 N8+7 N2+3 R9=8 R1=2 P7+1", want);
    line_reads("C2=5 H8+7 H2+3 R9=8 R1=2 P7+1", want);
    line_reads("C25 h8+7 n2+3 r9.8 R12 p7+1", want);
    line_reads("62.5 48+7 42+3 59.8 51.2 77+1", want);
    xq_pos p = pos_of(START);
    reads(&p, "B3+5", "g0e2");
    reads(&p, "E3+5", "g0e2");
    refuses(&p, "M2+3", XQ_ESYNTAX, "unknown piece 'M'", 0);
}

static void s24_algebraic_of_xboard(void **state)
{
    (void)state;
    line_reads_hint(
        "Cbe2 Hc7 Hc2 Rb9 Rb0 c5 g4 Ch3 Hg2 Hg7 Rb4 Cxc3 Ea2 Rh9 Rh0 Rh3 Hf4 "
        "Ca7 Rxb9 Hxb9",
        PGN_SAN,
        "b2e2 b9c7 b0c2 a9b9 a0b0 c6c5 g3g4 h7h3 h0g2 h9g7 b0b4 h3c3 c0a2 "
        "i9h9 i0h0 h9h3 g2f4 b7a7 b4b9 c7b9");
    xq_pos p = pos_of("3ak4/9/9/4p4/9/4P4/9/9/9/3K5 b");
    reads(&p, "Ae8", "d9e8");
    reads(&p, "A9e8", "d9e8");
    reads(&p, "Ade8", "d9e8");
    p = pos_of("3k5/9/9/9/4p4/3PP4/9/9/9/5K3 w");
    reads(&p, "xe5", "e4e5");
    reads(&p, "exe5", "e4e5");
    writes(&p, "e4e5", PGN_SAN, "exe5");
    writes(&p, "d4d5", PGN_SAN, "d5");
    writes(&p, "d4d5", PGN_SAN10, "Pd6");
    p = pos_of("3k5/9/9/9/3PP4/9/9/9/9/5K3 w");
    writes(&p, "e5f5", PGN_SAN, "ef5");
    reads(&p, "ef5", "e5f5");
    p = pos_of(START);
    reads(&p, "Ch2-e2", "h2e2"); /* long algebraic of HoiXiangqi */
    refuses(&p, "Ce2", XQ_EAMBIGUOUS, "b2e2", 0);
}

static void s25_superfluous_hints(void **state)
{
    (void)state;
    xq_pos p = pos_of("3k5/9/9/9/9/8R/9/7R1/9/4K4 w - - 0 1");
    reads(&p, "Rii2", "i4i2");
    writes(&p, "i4i2", PGN_SAN, "Rii2");
    p = pos_of(START);
    reads(&p, "Hbc2", "b0c2");
    writes(&p, "b0c2", PGN_SAN, "Hc2");
    writes(&p, "h2e2", PGN_SAN, "Che2");
}

static void spelling_tells_the_notation(void **state)
{
    (void)state;
    static const struct {
        const char *text, *move;
        unsigned in;
    } T[] = {
        {"h2e2", "h2e2", 1 << PGN_ICCS | 1 << PGN_UCI},
        {"H2-E2", "h2e2", 1 << PGN_ICCS},
        {"h3e3", "h2e2", 1 << PGN_UCI10},
        {" C2.5!", "h2e2", 1 << PGN_WXF | 1 << PGN_WXF2018},
        {"C2=5", "h2e2", 1 << PGN_FAIRY},
        {"Che2", "h2e2", 1 << PGN_SAN},
        {"Che3", "h2e2", 1 << PGN_SAN10},
        {"炮二平五", "h2e2", 1 << PGN_CHINESE},
        {"馬二進三", "h0g2", 1 << PGN_CHINESE},
        {"炮2平5", "h2e2", 0},
        {"Hbc2", "b0c2", 0},
        {"", "h2e2", 0},
    };
    xq_pos p = pos_of(START);
    for (size_t i = 0; i < N_OF(T); i++)
        if (pgn_move_spelt_in(&p, xq_str_of(T[i].text),
                              xq_move_parse(T[i].move)) != T[i].in)
            fail_msg("'%s'", T[i].text);
}

/* ---- refusals ---- */

static void s26_impossible_moves(void **state)
{
    (void)state;
    xq_pos p = pos_of(START);
    refuses(&p, "马二平三", XQ_EILLEGAL, "horse never moves sideways", 6);
    refuses(&p, "马二进二", XQ_EILLEGAL, "horse cannot reach file 2", 9);
    refuses(&p, "马二进四", XQ_EILLEGAL, "horse", 9); /* S84 */
    refuses(&p, "炮二平二", XQ_EILLEGAL, "cannon stands on file 2", 9);
    refuses(&p, "兵三退一", XQ_EILLEGAL, "pawn", 6);
    refuses(&p, "仕四进四", XQ_EILLEGAL, "advisor cannot reach file 4", 9);
    refuses(&p, "车一进0", XQ_EILLEGAL, "target 0", 9);
    refuses(&p, "车三进一", XQ_EILLEGAL, "no rook on file 3", 3);
    refuses(&p, "前炮退二", XQ_EILLEGAL, "no two cannons on one file", 0);
    refuses(&p, "炮二进八", XQ_EILLEGAL, "no room for 8 steps", 9);
    refuses(&p, "车一进三", XQ_EILLEGAL, "", 9);
    refuses(&p, "兵五平四", XQ_EILLEGAL, "", 6);
    refuses(&p, "H3-H5", XQ_EILLEGAL, "h3", 0);
    refuses(&p, "h0h5", XQ_EILLEGAL, "horse", 2);
    refuses(&p, "Re5", XQ_EILLEGAL, "no rook can reach e5", 1);
    refuses(&p, "e4e4", XQ_EILLEGAL, "does not leave e4", 2);
}

static void s27_marks_behind_the_move(void **state)
{
    (void)state;
    line_reads("炮二平五! 马８进７?! 马二进三 车９平８!! 车一平二 卒７进１+",
               "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5");
    line_reads("C2.5+ H8+7+ H2+3！ R9=8？ Rh0+# 卒７进１＋",
               "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5");
}

static void s28_what_is_no_move(void **state)
{
    (void)state;
    xq_pos p = pos_of(START);
    refuses(&p, "卯５进１", XQ_ESYNTAX, "unknown piece '卯'", 0);
    refuses(&p, "前卯进１", XQ_ESYNTAX, "unknown piece '卯'", 3);
    refuses(&p, "炮二评五", XQ_ESYNTAX, "'评'", 6);
    refuses(&p, "炮二平", XQ_ESYNTAX, "not complete", 9);
    refuses(&p, "炮〇平五", XQ_ESYNTAX, "'〇'", 3);
    refuses(&p, "炮二 平五", XQ_ESYNTAX, "' '", 6);
    refuses(&p, "炮二平五x", XQ_ESYNTAX, "'x'", 12);
    /* Unseen, or drawn over the quote before it: by number. */
    refuses(&p, "炮二\u00A0平五", XQ_ESYNTAX, "U+00A0 does not", 6);
    refuses(&p, "炮二\u3000平五", XQ_ESYNTAX, "U+3000 does not", 6);
    refuses(&p, "炮二\u200B平五", XQ_ESYNTAX, "U+200B does not", 6);
    refuses(&p, "炮二平\u0301五", XQ_ESYNTAX, "U+0301 does not", 9);
    refuses(&p, "马\uFE00二进三", XQ_ESYNTAX, "U+FE00 does not", 3);
    refuses(&p, "\u202Eh2e2", XQ_ESYNTAX, "unknown piece U+202E", 0);
    refuses(&p, "\U000E0100", XQ_ESYNTAX, "unknown piece U+E0100", 0);
    refuses(&p, "", XQ_ESYNTAX, "blank", 0);
    refuses(&p, " \t", XQ_ESYNTAX, "blank", 0);
    refuses(&p, "h2e", XQ_ESYNTAX, "not complete", 3);
    refuses(&p, "h0h10", XQ_ESYNTAX, "", 2);
    refuses(&p, "\xC5\xDA\xB6\xFE", XQ_ESYNTAX, "byte 0xC5", 0);
    refuses(&p, "h2e2h9g7", XQ_ESYNTAX, "'h'", 4);
    refuses(&p, "..", XQ_ESYNTAX, "", 2);
    refuses(&p, "+-.4", XQ_ESYNTAX, "", 1);
    refuses(&p, "1-0", XQ_ESYNTAX, "", 2);
}

static void both_scripts_and_both_sides(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *move, *simplified, *traditional;
    } T[] = {
        {"3k5/9/9/9/9/2N6/9/2N6/9/4K4 w", "c4d6", "前马进六", "前馬進六"},
        {"4k4/9/9/2n6/9/2n6/9/9/9/3K5 b", "c6d4", "后马进４", "後馬進４"},
        {START, "i0i1", "车一进一", "車一進一"},
        {START, "e0e1", "帅五进一", "帥五進一"},
        {"4k4/9/1c7/9/9/9/9/9/9/3K5 b", "b7a7", "炮２平１", "砲２平１"},
        {"4k4/9/1c7/9/9/9/9/9/9/3K5 b", "e9e8", "将５进１", "將５進１"},
        {"4k4/9/9/9/9/4p4/4p4/4p4/4p4/3K5 b", "e1f1", "一卒平６", "一卒平６"},
    };
    char out[PGN_MOVE_TEXT_MAX];
    for (size_t i = 0; i < N_OF(T); i++) {
        xq_pos p = pos_of(T[i].fen);
        xq_move m = xq_move_parse(T[i].move);
        pgn_move_write(&p, m, PGN_CHINESE, PGN_SIMPLIFIED, out);
        assert_string_equal(out, T[i].simplified);
        pgn_move_write(&p, m, PGN_CHINESE, PGN_TRADITIONAL, out);
        assert_string_equal(out, T[i].traditional);
    }
}

static void names_of_notations(void **state)
{
    (void)state;
    for (unsigned n = 0; n < PGN_NOTATIONS; n++)
        assert_int_equal(pgn_notation_of(pgn_notation_name((pgn_notation)n)),
                         n);
    assert_int_equal(pgn_notation_of("klingon"), PGN_NOTATIONS);
}

static void class_table_holds_the_whole_list(void **state)
{
    (void)state;
    unsigned n = 0;
    for (unsigned c = 0; c < 0x10000; c++)
        n += pgn_class_of[c] != PGN_C_NONE;
    /* 24 pieces, 6 directions, 6 orders, 3 * 9 digits and 貳參陸 */
    assert_int_equal(n, 24 + 6 + 6 + 27 + 3);
    assert_int_equal(pgn_class_of[0x70AE], PGN_C_PIECE | XQ_CANNON);
    assert_int_equal(pgn_class_of[0x3007], PGN_C_NONE); /* 〇 */
    for (unsigned c = 0; c < 128; c++)
        assert_int_equal(pgn_class_of[c], PGN_C_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_of_the_table_reads_and_writes),
        cmocka_unit_test(s12_two_files_of_two_pawns),
        cmocka_unit_test(s13_three_pawns_on_a_file),
        cmocka_unit_test(s14_five_pawns_and_one_that_may_not),
        cmocka_unit_test(official_names_of_four_and_of_two_files),
        cmocka_unit_test(s15_s16_advisors_and_elephants_on_a_file),
        cmocka_unit_test(s17_front_cannon_in_many_spellings),
        cmocka_unit_test(s18_two_horses_on_a_file),
        cmocka_unit_test(a_plain_file_digit_with_two_on_the_file),
        cmocka_unit_test(s19_any_digits_for_either_side),
        cmocka_unit_test(s20_traditional_and_variant_characters),
        cmocka_unit_test(s22_iccs_in_all_its_spellings),
        cmocka_unit_test(ranks_from_0_or_1),
        cmocka_unit_test(s23_letters_of_either_school),
        cmocka_unit_test(s24_algebraic_of_xboard),
        cmocka_unit_test(s25_superfluous_hints),
        cmocka_unit_test(spelling_tells_the_notation),
        cmocka_unit_test(s26_impossible_moves),
        cmocka_unit_test(s27_marks_behind_the_move),
        cmocka_unit_test(s28_what_is_no_move),
        cmocka_unit_test(both_scripts_and_both_sides),
        cmocka_unit_test(names_of_notations),
        cmocka_unit_test(class_table_holds_the_whole_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
