/* test_reader.c - games out of PGN, case by case.
 *
 * A case is a file of tests/data/cases, or bytes, and what is read from it as
 * one text: a line a game,
 *
 *   {A} h2e2 {B} h9g7 ({D} h7e7 h0g2) $1 ... RESULT
 *
 * then a line "! level kind ply byte: message" for each of its problems.
 * The numbers are those of the collection of cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "libpgn/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_OF(a) (sizeof(a) / sizeof *(a))
#define SIX     "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5"

/* ---- a game as text ---- */

static void show_notes(pgn_buf *b, const pgn_game *g, uint32_t node,
                       bool before)
{
    for (uint32_t i = g->nodes[node].notes; i; i = g->notes[i].next) {
        const pgn_note *n = &g->notes[i];
        if ((n->kind == PGN_NOTE_BEFORE) != before)
            continue;
        if (n->kind == PGN_NOTE_NAG)
            pgn_buf_printf(b, "$%u ", (unsigned)n->nag);
        else
            pgn_buf_printf(b, "{%.*s} ", (int)n->text.n, n->text.s);
    }
}

static void show_line(pgn_buf *b, const pgn_game *g, uint32_t node)
{
    bool first = true;
    for (uint32_t i = node; i; i = g->nodes[i].next) {
        char move[5];
        xq_move_format(g->nodes[i].move, move);
        show_notes(b, g, i, true);
        pgn_buf_printf(b, "%s ", move);
        show_notes(b, g, i, false);
        /* alternatives to the first move of a variation hang on the list of
         * the move that it replaces */
        if (!first || node == g->nodes[0].next) {
            for (uint32_t a = g->nodes[i].alt; a; a = g->nodes[a].alt) {
                pgn_buf_puts(b, "(");
                show_line(b, g, a);
                b->n--; /* the blank */
                pgn_buf_puts(b, ") ");
            }
        }
        first = false;
    }
}

static void show_game(pgn_buf *b, const pgn_game *g)
{
    show_notes(b, g, 0, false);
    show_line(b, g, g->nodes[0].next);
    pgn_buf_printf(b, "%s\n", pgn_result_text(g->result));
    for (uint32_t i = 0; i < g->nproblems; i++) {
        const pgn_problem *p = &g->problems[i];
        pgn_buf_printf(b, "! %s %s ply %u line %u byte %u: %.*s\n",
                       p->level == PGN_ERROR ? "error" : "warning",
                       pgn_problem_kind_name(p->kind), (unsigned)p->ply,
                       (unsigned)p->line, (unsigned)p->byte, (int)p->message.n,
                       p->message.s);
    }
}

/* ---- reading ---- */

struct text {
    char *s;
    size_t n;
};

static struct text slurp(const char *name)
{
    char path[300];
    snprintf(path, sizeof path, "tests/data/cases/%s", name);
    FILE *f = fopen(path, "rb");
    if (!f)
        fail_msg("cannot open %s (run from the top of the repository)", path);
    struct text t = {malloc(1 << 20), 0};
    assert_non_null(t.s);
    t.n = fread(t.s, 1, 1 << 20, f);
    fclose(f);
    return t;
}

struct reading {
    pgn_reader *r;
    pgn_split *sp;
    pgn_segment seg;
};

static void begin(struct reading *d, const char *bytes, size_t n,
                  pgn_reader_options opts)
{
    xq_err err = {.msg = ""};
    memset(d, 0, sizeof *d);
    assert_int_equal(
        pgn_split_open_mem(&d->sp, "t", bytes, n, opts.encoding, &err), XQ_OK);
    assert_int_equal(pgn_reader_new(&d->r, &opts, &err), XQ_OK);
}

static const pgn_game *next(struct reading *d)
{
    const pgn_game *g = NULL;
    xq_err err = {.msg = ""};
    for (;;) {
        xq_status rc = d->seg.bytes ? pgn_reader_next(d->r, &g, &err) : XQ_DONE;
        if (rc == XQ_OK)
            return g;
        if (rc != XQ_DONE)
            fail_msg("status %d: %s", (int)rc, err.msg);
        rc = pgn_split_next(d->sp, &d->seg, &err);
        if (rc == XQ_DONE)
            return NULL;
        if (rc != XQ_OK)
            fail_msg("status %d: %s", (int)rc, err.msg);
        pgn_reader_load(d->r, &d->seg);
    }
}

static void end(struct reading *d)
{
    pgn_reader_close(d->r);
    pgn_segment_free(&d->seg);
    pgn_split_close(d->sp);
}

static char *read_all(const char *bytes, size_t n, pgn_reader_options opts)
{
    struct reading d;
    pgn_buf b = {0};
    begin(&d, bytes, n, opts);
    for (const pgn_game *g; (g = next(&d)) != NULL;)
        show_game(&b, g);
    end(&d);
    pgn_buf_add(&b, "", 1);
    assert_false(b.failed);
    return b.s;
}

/* ---- the cases ---- */

struct game_case {
    const char *name;
    const char *file;  /* or */
    const char *bytes; /* of text without NUL */
    const char *want;
};

static void check_cases(const struct game_case *c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct text t = {NULL, 0};
        if (c[i].file)
            t = slurp(c[i].file);
        char *got = read_all(c[i].file ? t.s : c[i].bytes,
                             c[i].file ? t.n : strlen(c[i].bytes),
                             (pgn_reader_options){0});
        if (strcmp(got, c[i].want) != 0)
            fail_msg("%s\nwant:\n%sgot:\n%s", c[i].name, c[i].want, got);
        free(got);
        free(t.s);
    }
}

static void encodings(void **state)
{
    static const struct game_case T[] = {
        {"S01 GBK", "s01_gbk.pgn", NULL, SIX " *\n"},
        {"S02 one stray byte", "s02_gbk_stray92.pgn", NULL,
         "h2e2 {红方 RED\xEF\xBF\xBD side 主动} h9g7 h0g2 i9h9 i0h0 g6g5 *\n"
         "! warning encoding ply 0 line 7 byte 107: byte 92 is not gb18030, "
         "replaced by U+FFFD\n" SIX " *\n"},
        {"S03 two byte order marks", "s03_bom_twice.pgn", NULL,
         SIX " *\n" SIX " *\n"},
        {"S04 UTF-16LE", "s04_utf16le.pgn", NULL, SIX " *\n"},
        {"S05 Big5 with trail bytes like ASCII", "s05_big5.pgn", NULL,
         "h2e2 {開局良好，四路加強} h9g7 h0g2 i9h9 i0h0 g6g5 *\n"},
        {"S06 GBK with trail bytes like ASCII", "s06_gbk_trail.pgn", NULL,
         "h2e2 {聖手調兵} h9g7 h0g2 i9h9 i0h0 g6g5 *\n"},
        {"S08 curly quotes", "s08_curly.pgn", NULL, SIX " *\n"},
        {"S09 invisible blanks", "s09_zwsp.pgn", NULL, SIX " *\n"},
        {"S11 encoded twice", "s11_double.pgn", NULL,
         SIX " *\n! warning tag ply 0 line 3 byte 43: tag Red: suspicious "
             "value, its text seems damaged or encoded twice\n"},
        {"S45 CR LF", "s45_crlf.pgn", NULL, SIX " *\n"},
        {"S45 CR", "s45_cr.pgn", NULL, SIX " *\n"},
    };
    (void)state;
    check_cases(T, N_OF(T));
}

static void structure(void **state)
{
    static const struct game_case T[] = {
        {"S21 glued moves", "s21_glued.pgn", NULL, SIX " *\n"},
        {"S29 blank line between tags", "s29_blank_in_tags.pgn", NULL,
         SIX " *\n"},
        {"S30 no blank line between games", "s30_no_blank.pgn", NULL,
         "*\n" SIX " *\n" SIX " *\n"},
        {"S31 no result", "s31_no_result.pgn", NULL,
         SIX " *\n! warning result ply 0 line 8 byte 164: no result, neither "
             "tag nor at the end\n" SIX " 1-0\n"},
        {"S32 results in conflict", "s32_result_conflict.pgn", NULL,
         SIX " 1-0\n! warning result ply 0 line 7 byte 184: result 1/2-1/2 at "
             "the end contradicts the tag's 1-0; 1-0 counts\n" SIX
             " {Red loses on time} 1/2-1/2\n! warning result ply 0 line 15 "
             "byte 401: result 0-1 at the end contradicts the tag's 1/2-1/2; "
             "1/2-1/2 counts\n"},
        {"S34 tag values", "s34_tag_values.pgn", NULL,
         SIX " *\n! warning tag ply 0 line 6 byte 124: tag Title: quotes "
             "inside the value are not escaped\n"},
        {"S35 moves in tags", "s35_moves_in_tags.pgn", NULL, SIX " *\n"},
        {"S36 nested variations", "s36_rav.pgn", NULL,
         "{A} h2e2 {B} {C} h9g7 ({D} h7e7 h0g2 (b0c2) h9g7 {E}) (b9c7) h0g2 "
         "i9h9 i0h0 g6g5 *\n"},
        {"S37 variation of the first move, no numbers", NULL,
         "炮二平五 (马二进三 卒７进１) 马８进７ *",
         "h2e2 (h0g2 g6g5) h9g7 *\n"},
        {"S37 the same with numbers", NULL,
         "1. 炮二平五 ( 兵七进一 ) 1... 马８进７ *", "h2e2 (c3c4) h9g7 *\n"},
        {"S38 numbers of Black's moves", NULL,
         "1. 炮二平五 {x} 1... 马８进７ 2. 马二进三 (2. 马八进七 2. ... "
         "车９平８"
         ") 2 . .. 车９平８ 3 车一平二 3.... 卒７进１ *",
         "h2e2 {x} h9g7 h0g2 (b0c2 i9h9) i9h9 i0h0 g6g5 *\n"},
        {"S39 parentheses in comments", "s39_paren_comment.pgn", NULL,
         "h2e2 {see ( here} h9g7 {a { b} h0g2 {50% :-)} i9h9 i0h0 g6g5 *\n"},
        {"S40 percent and semicolon", "s40_percent.pgn", NULL,
         "h2e2 {first { move} h9g7 h0g2 i9h9 i0h0 g6g5 *\n"},
        {"S41 comment that never ends", "s41_open_brace.pgn", NULL,
         "h2e2 h9g7 {未完 2. 马二进三 *} *\n"
         "! warning structure ply 0 line 7 byte 118: comment is never closed\n"
         "! warning result ply 0 line 9 byte 145: no result at the end of the "
         "moves\n" SIX " *\n" SIX " *\n"},
        {"S42 all on one line", "s42_one_line.pgn", NULL, "c4d6 *\n"},
        {"S43 games without tags on one line", NULL,
         "*1. 炮二平五 马８进７ 1-0 1. 马二进三 *",
         "*\nh2e2 h9g7 1-0\nh0g2 *\n"},
        {"S44 other games mixed in", "s44_mixed_games.pgn", NULL,
         "1-0\n! error variant ply 0 line 6 byte 68: not a Xiangqi game: "
         "movetext is \"moves of international chess\"; skipped\n"
         "*\n! error variant ply 0 line 9 byte 104: not a Xiangqi game: "
         "Variant is \"jieqi\"; skipped\n" SIX " *\n" SIX " *\n"},
        {"S53 handicap game without its FEN", "s53_handicap.pgn", NULL,
         "b2e2 h7e7 *\n! error illegal ply 3 line 9 byte 205: move 2 (Red) "
         "\"e2e7\": cannon would jump two pieces; kept 2 plies\n"},
    };
    (void)state;
    check_cases(T, N_OF(T));
}

static void moves(void **state)
{
    static const struct game_case T[] = {
        {"S26 impossible moves", NULL, "1. 马二平三 *",
         "*\n! error illegal ply 1 line 1 byte 3: move 1 (Red) \"马二平三\": "
         "horse"},
        {"S27 marks", NULL,
         "1. 炮二平五! 马８进７?! 2. 马二进三$1 车９平８!! 3. 车一平二 $6 "
         "卒７进１+ *",
         "h2e2 $1 h9g7 $6 h0g2 $1 i9h9 $3 i0h0 $6 g6g5 *\n"},
        {"S28 a wrong character, and the next game", NULL,
         "[Event \"a\"]\n\n1. 炮二平五 卯５进１ 2. 马二进三 1-0\n\n"
         "[Event \"b\"]\n\n1. 炮二平五 *\n",
         "h2e2 1-0\n! error move ply 2 line 3 byte 29: "},
        {"S84 the third game's message", NULL,
         "[Event \"a\"]\n\n1. 炮二平五 马8进7 2. 马二进四 车９平８ *\n",
         "h2e2 h9g7 *\n! error illegal ply 3 line 3 byte 41: move 2 (Red) "
         "\"马二进四\": "},
    };
    (void)state;
    for (size_t i = 0; i < N_OF(T); i++) {
        char *got =
            read_all(T[i].bytes, strlen(T[i].bytes), (pgn_reader_options){0});
        if (strncmp(got, T[i].want, strlen(T[i].want)) != 0)
            fail_msg("%s\nwant:\n%s\ngot:\n%s", T[i].name, T[i].want, got);
        free(got);
    }
}

/* S26: each is refused, keeps what stood before, and says why. */
static void impossible_moves_are_refused(void **state)
{
    static const char *const T[] = {"马二平三", "马二进二", "炮二平二",
                                    "兵三退一", "仕四进四", "车一进0"};
    (void)state;
    for (size_t i = 0; i < N_OF(T); i++) {
        char bytes[200];
        struct reading d;
        snprintf(bytes, sizeof bytes, "1. 兵一进一 卒１进１ 2. %s 马８进７ 1-0",
                 T[i]);
        begin(&d, bytes, strlen(bytes), (pgn_reader_options){0});
        const pgn_game *g = next(&d);
        assert_non_null(g);
        assert_int_equal(g->plies, 2);
        assert_true(g->faulty);
        assert_int_equal(g->result, PGN_RED_WINS);
        assert_int_equal(g->nproblems, 1);
        const pgn_problem *p = &g->problems[0];
        assert_int_equal(p->ply, 3);
        assert_int_equal(p->line, 1);
        assert_int_equal(p->byte, strstr(bytes, T[i]) - bytes);
        assert_int_equal(p->text.n, strlen(T[i]));
        assert_memory_equal(p->text.s, T[i], p->text.n);
        assert_true(p->message.n > p->text.n + 20);
        end(&d);
    }
}

/* What real files do, and what the reader makes of it. */
static void oddities(void **state)
{
    static const struct game_case T[] = {
        {"advert behind the result", NULL,
         "[Event \"a\"]\n1. 炮二平五 1-0\n=====\n1. 欢迎访问\nhttp://x.y/ [z]\n"
         "[Event \"b\"]\n1. 兵七进一 *\n",
         "h2e2 1-0\nc3c4 *\n"},
        {"advert without a result", NULL,
         "[Event \"a\"]\n1. 炮二平五\n=====\n欢迎访问\n",
         "h2e2 *\n! warning result ply 0 line 5 byte 47: no result, neither "
         "tag nor at the end\n"},
        {"comment behind the result", NULL, "1. 炮二平五 1-0 {红胜}\nx\n",
         "h2e2 {红胜} 1-0\n"},
        {"Chinese results", NULL,
         "[Event \"a\"]\n\n1. 炮二平五 红胜\n\n[Event \"b\"]\n\n1. 炮二平五 "
         "和棋"
         "\n\n[Event \"c\"]\n\n1. 炮二平五 黑先胜\n",
         "h2e2 1-0\nh2e2 1/2-1/2\nh2e2 0-1\n"},
        {"Black first, by FEN, in many ways", NULL,
         "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR "
         "b\"]\n1. 马８进７ 2. 炮二平五 *\n"
         "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR "
         "b\"]\n1. …… 马８进７ 2. 炮二平五 *\n"
         "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR "
         "b\"]\n1.      马８进７ 2. 炮二平五 *\n",
         "h9g7 h2e2 *\nh9g7 h2e2 *\nh9g7 h2e2 *\n"},
        {"FEN names the wrong side", NULL,
         "[FEN \"4k4/9/9/9/9/9/9/9/4r4/3K5 w\"]\n1. 车５进１ *\n",
         "e1e0 *\n! warning fen ply 0 line 1 byte 0: FEN names the other side, "
         "but Black moves first\n"},
        {"number repeated behind a comment", NULL,
         "12. 炮二平五\n{x}\n12.       马８进７\n13. 马二进三 *",
         "h2e2 {x} h9g7 h0g2 *\n"},
        {"a number that lies", NULL, "1. 炮二平五 马８进７ 3. 马二进三 *",
         "h2e2 h9g7 h0g2 *\n! warning structure ply 3 line 1 byte 29: move "
         "number 3 where 2 is due\n"},
        {"empty variation, stray brackets", NULL,
         "1. 炮二平五 () ({x}) 马８进７ ) } *",
         "h2e2 {x} h9g7 *\n"
         "! warning structure ply 0 line 1 byte 17: variation without a move\n"
         "! warning structure ply 0 line 1 byte 23: variation without a move\n"
         "! warning structure ply 0 line 1 byte 38: parenthesis closes no "
         "variation\n"
         "! warning structure ply 0 line 1 byte 40: brace closes no comment\n"},
        {"prose in parentheses", NULL,
         "1. 炮二平五 (good) （注：1） 马８进７ (红方优) 2. 马二进三 (红胜) *",
         "h2e2 {good} {注：1} h9g7 {红方优} h0g2 {红胜} *\n"
         "! warning structure ply 0 line 1 byte 16: text in parentheses taken "
         "for a comment\n"
         "! warning structure ply 0 line 1 byte 23: text in parentheses taken "
         "for a comment\n"
         "! warning structure ply 0 line 1 byte 50: text in parentheses taken "
         "for a comment\n"},
        {"ranks from 1 that fit ranks from 0 at first", NULL,
         "[FEN \"3k5/9/4R4/4R4/9/9/9/9/9/5K3 w\"]\n1. e7a7 d10d9 2. e8b8 *\n",
         "e6a6 d9d8 e7b7 *\n"},
        {"the same without a 10", NULL,
         "[FEN \"3k5/9/3p5/4R4/4R4/9/9/9/9/5K3 w\"]\n1. e6a6 d8d7 2. e7f7 "
         "*\n",
         "e5a5 d7d6 e6f6 *\n"
         "! warning fen ply 0 line 1 byte 0: odd start position: d7: black "
         "pawn is behind its first rank\n"},
        {"a variation tells where ranks count from", NULL,
         "[FEN \"3k5/9/9/4R4/4R4/9/9/9/9/5K3 w\"]\n1. e6a6 (1. e7c7) *\n",
         "e5a5 (e6c6) *\n"},
        {"neither numbering fits: what gets further is kept", NULL,
         "[FEN \"3k5/9/3p5/4R4/4R4/9/9/9/9/5K3 w\"]\n1. e6a6 d8d7 2. e7c8 "
         "*\n",
         "e5a5 d7d6 *\n"
         "! warning fen ply 0 line 1 byte 0: odd start position: d7: black "
         "pawn is behind its first rank\n"
         "! error illegal ply 3 line 2 byte 56: move 2 (Red) \"e7c8\": rook "
         "cannot reach c7 from e6; kept 2 plies\n"},
        {"Format is wrong about the ranks", NULL,
         "[Format \"ICCS\"]\n1. h3e3 h10g8 *\n",
         "h2e2 h9g7 *\n! warning tag ply 0 line 1 byte 0: Format says "
         "\"ICCS\", but ranks count from 1\n"},
        {"variation never closed, its result counts", NULL,
         "1. 炮二平五 马８进７ (1... 马２进３ 0-1\n",
         "h2e2 h9g7 (b9c7) 0-1\n"
         "! warning structure ply 0 line 1 byte 29: variation is never "
         "closed\n"},
        {"a variation with a bad move ends there", NULL,
         "1. 炮二平五 马８进７ (1... 马２进３ 2. 马二进九 车一平二 (x)) 2. "
         "马二进三 *",
         "h2e2 h9g7 (b9c7) h0g2 *\n"
         "! error illegal ply 3 line 1 byte 51: move 2 (Red) \"马二进九\" of a "
         "variation: horse cannot reach file 9\n"},
        {"tags cut short", NULL,
         "[Event \"a\n[Site b]\n[Round \"1]\n[Red \"x\" ]\n[Black "
         "\"C:\\y\\\"]\n"
         "1. 炮二平五 *\n",
         "h2e2 *\n"
         "! warning tag ply 0 line 1 byte 0: tag Event: closing bracket is "
         "missing\n"
         "! warning tag ply 0 line 2 byte 10: tag Site: value without quotes\n"
         "! warning tag ply 0 line 3 byte 19: tag Round: closing quote is "
         "missing\n"
         "! warning tag ply 0 line 5 byte 41: tag Black: backslash before the "
         "closing quote\n"},
        {"file cut inside a tag", NULL, "[Event \"a\"]\n[Site \"b",
         "*\n! warning tag ply 0 line 2 byte 12: tag Site: closing bracket is "
         "missing\n"
         "! error tag ply 0 line 2 byte 12: tag Site: the file ends inside it\n"
         "! warning result ply 0 line 2 byte 20: no result, neither tag nor at "
         "the end\n"},
        {"refused FEN keeps no move but the result", NULL,
         "[FEN \"rnbakabnr/9/9/9/9/9/9/9/9/RNBA1ABNR w\"]\n1. 炮二平五 1-0\n",
         "1-0\n! error fen ply 0 line 1 byte 0: start position refused: "},
        {"a second section of tags without moves", NULL,
         "[Event \"a\"]\n[Result \"*\"]\n\n[Event \"b\"]\n\n1. 炮二平五 *\n",
         "*\n! warning result ply 0 line 4 byte 26: no result at the end of "
         "the moves\nh2e2 *\n"},
        {"text before the first game", NULL,
         "read me\nand me\n[Event \"a\"]\n1. 炮二平五 *\n",
         "h2e2 *\n! warning structure ply 0 line 3 byte 15: 2 lines before the "
         "game belong to none\n"},
        {"no move left, and a result against it", NULL,
         "[Result \"0-1\"]\n[FEN \"3k5/4P4/9/9/9/9/9/9/4K4/9 w\"]\n1. 帅五平四 "
         "0-1\n",
         "e1f1 0-1\n! warning result ply 1 line 3 byte 67: result is 0-1, "
         "but Black has no legal move at the end and has lost\n"},
        {"stalemate is a loss (S51)", NULL,
         "[Result \"1/2-1/2\"]\n[FEN \"3k5/4P4/9/9/9/9/9/9/9/5K3 w\"]\n"
         "1. 帅四平五 1/2-1/2\n",
         "f0e0 1/2-1/2\n! warning result ply 1 line 3 byte 71: result is "
         "1/2-1/2, but Black has no legal move at the end and has lost\n"},
        {"tag says nothing, the marker counts", NULL,
         "[Result \"?\"]\n1. 炮二平五 1-0\n",
         "h2e2 1-0\n! warning result ply 0 line 2 byte 29: result 1-0 at the "
         "end contradicts the tag's *; 1-0 counts\n"},
        {"moves in other notations", NULL,
         "1. H2-E2 h9g7 2. N2+3 Ｒ９＝８ 3. 車１平２ 卒7进1 *", SIX " *\n"},
        {"an odd start position", NULL,
         "[FEN \"4k4/9/9/9/9/4P4/9/9/4P4/3K5 w\"]\n1. 帅六进一 *\n",
         "d0d1 *\n! warning fen ply 0 line 1 byte 0: odd start position: "},
    };
    (void)state;
    for (size_t i = 0; i < N_OF(T); i++) {
        char *got =
            read_all(T[i].bytes, strlen(T[i].bytes), (pgn_reader_options){0});
        size_t n = strlen(T[i].want);
        if (strncmp(got, T[i].want, n) != 0 ||
            (T[i].want[n - 1] == '\n' && got[n]))
            fail_msg("%s\nwant:\n%s\ngot:\n%s", T[i].name, T[i].want, got);
        free(got);
    }
}

static void tags_are_read(void **state)
{
    static const struct {
        const char *file, *bytes, *name, *value;
    } T[] = {
        {"s01_gbk.pgn", NULL, "Event", "测试赛"},
        {"s01_gbk.pgn", NULL, "Red", "王测试"},
        {"s01_gbk.pgn", NULL, "Black", "李样本"},
        {"s05_big5.pgn", NULL, "Game", "Chinese Chess"},
        {"s06_gbk_trail.pgn", NULL, "Black", "李誠"},
        {"s06_gbk_trail.pgn", NULL, "Result", "*"},
        {"s08_curly.pgn", NULL, "Event", "友谊赛"},
        {"s08_curly.pgn", NULL, "Red", "王测试"},
        {"s34_tag_values.pgn", NULL, "Event", "The \"Tiger\" Cup"},
        {"s34_tag_values.pgn", NULL, "Site", "A\\xq\\"},
        {"s34_tag_values.pgn", NULL, "Round", "[=0040.34h5]"},
        {"s34_tag_values.pgn", NULL, "Annotator", "A (wh) {x} ; y % z"},
        {"s34_tag_values.pgn", NULL, "Title", "Der \"Adler\" Cup"},
        {"s34_tag_values.pgn", NULL, "Link", "a\\b"},
        {"s35_moves_in_tags.pgn", NULL, "Red", "先手炮二平五"},
        {"s35_moves_in_tags.pgn", NULL, "Black", "vs 1...马8进7"},
        {"s35_moves_in_tags.pgn", NULL, "Event", "1-0"},
        {"s45_crlf.pgn", NULL, "Red", "王测试"},
        {"s45_cr.pgn", NULL, "Red", "王测试"},
        {"s42_one_line.pgn", NULL, "SetUp", "1"},
        {NULL, "[White \"a\"]\n*\n", "Red", "a"},
        {NULL, "[event\t\"a\"]\n*\n", "Event", "a"},
        {NULL, "[Site \"\"]\n[Event　\"a\"]\n*\n", "Event", "a"},
        {NULL, "[Event \"a\"] [Site \"b]c\"]\n*\n", "Site", "b]c"},
        {NULL, "[Event 「a」]\n*\n", "Event", "a"},
        {NULL, "[Event \"a”]\n*\n", "Event", "a"},
        {NULL, "[Event \"\nabc\"]\n*\n", "Event", "abc"},
        {NULL, "[Event \"a [b] \"c\" d\"]\n*\n", "Event", "a [b] \"c\" d"},
        {NULL, "[Date \"1999年12月9日\"]\n*\n", "Date", "1999年12月9日"},
        {NULL, "[Date \"30.2.2020\"]\n*\n", "Date", "30.2.2020"},
        {NULL, "[Date \"\"]\n*\n", "Date", ""},
    };
    (void)state;
    for (size_t i = 0; i < N_OF(T); i++) {
        struct text t = {NULL, 0};
        struct reading d;
        if (T[i].file)
            t = slurp(T[i].file);
        begin(&d, T[i].file ? t.s : T[i].bytes,
              T[i].file ? t.n : strlen(T[i].bytes), (pgn_reader_options){0});
        const pgn_game *g = next(&d);
        assert_non_null(g);
        xq_str v = pgn_game_tag(g, T[i].name);
        if (!v.s || v.n != strlen(T[i].value) ||
            memcmp(v.s, T[i].value, v.n) != 0)
            fail_msg("%s %s: want '%s', got '%.*s'",
                     T[i].file ? T[i].file : T[i].bytes, T[i].name, T[i].value,
                     (int)v.n, v.s ? v.s : "");
        end(&d);
        free(t.s);
    }
}

static void results_of_tags(void **state)
{
    static const struct {
        const char *tag;
        pgn_result want;
    } T[] = {{"0.5-0.5", PGN_DRAW},      {"½-½", PGN_DRAW},
             {"1/2", PGN_DRAW},          {"红胜", PGN_RED_WINS},
             {"黑先胜", PGN_BLACK_WINS}, {"和棋", PGN_DRAW},
             {"1-0 ", PGN_RED_WINS},     {"", PGN_UNKNOWN}};
    (void)state;
    for (size_t i = 0; i < N_OF(T); i++) {
        char bytes[100];
        struct reading d;
        snprintf(bytes, sizeof bytes, "[Result \"%s\"]\n\n1. 炮二平五 *\n",
                 T[i].tag);
        begin(&d, bytes, strlen(bytes), (pgn_reader_options){0});
        const pgn_game *g = next(&d);
        if (g->result != T[i].want)
            fail_msg("S33 '%s': %s", T[i].tag, pgn_result_text(g->result));
        end(&d);
    }
}

/* S07: characters that straddle the sizes of buffers. */
static void long_comment_in_gbk(void **state)
{
    struct text t = slurp("s07_gbk_boundary.pgn");
    struct reading d;
    (void)state;
    begin(&d, t.s, t.n, (pgn_reader_options){0});
    const pgn_game *g = next(&d);
    assert_int_equal(g->plies, 6);
    assert_int_equal(g->nproblems, 0);
    assert_int_equal(g->nnotes, 2);
    assert_int_equal(g->notes[1].text.n, 21000);
    for (size_t i = 0; i < 21000; i += 3)
        assert_memory_equal(g->notes[1].text.s + i, "王", 3);
    end(&d);
    free(t.s);
}

/* S10: a code page that only the user knows. */
static void code_page_of_the_user(void **state)
{
    struct text t = slurp("s10_cp1258.pgn");
    struct reading d;
    pgn_reader_options opts = {0};
    (void)state;
    begin(&d, t.s, t.n, opts);
    const pgn_game *g = next(&d);
    assert_int_equal(g->plies, 6);
    assert_int_equal(g->nproblems, 1);
    assert_int_equal(g->problems[0].kind, PGN_P_ENCODING);
    assert_int_equal(g->encoding, PGN_ENC_BYTES);
    end(&d);
    assert_true(pgn_encoding_of("cp1258", &opts.encoding));
    begin(&d, t.s, t.n, opts);
    g = next(&d);
    assert_int_equal(g->plies, 6);
    assert_int_equal(g->nproblems, 0);
    assert_int_equal(g->nnotes, 2);
    assert_memory_equal(g->notes[1].text.s, "C\xC6\xA1", 3); /* Cơ... */
    end(&d);
    free(t.s);
}

/* S46: a comment of a million bytes and a tag of a hundred thousand. */
static void long_texts(void **state)
{
    pgn_buf b = {0};
    struct reading d;
    (void)state;
    pgn_buf_puts(&b, "[Event \"");
    for (int i = 0; i < 100000; i++)
        pgn_buf_puts(&b, "x");
    pgn_buf_puts(&b, "\"]\n\n1. 炮二平五 {");
    for (int i = 0; i < 1000000; i++)
        pgn_buf_puts(&b, i % 10 ? "y" : " ");
    pgn_buf_puts(&b, "z} *\n");
    begin(&d, b.s, b.n, (pgn_reader_options){0});
    const pgn_game *g = next(&d);
    assert_int_equal(g->plies, 1);
    assert_int_equal(pgn_game_tag(g, "Event").n, 100000);
    assert_int_equal(g->notes[1].text.n, 1000000);
    assert_int_equal(g->nproblems, 0);
    assert_null(next(&d));
    end(&d);
    pgn_buf_free(&b);
}

/* Variations to any depth; the walk of them too. */
/* Many games of one block in UTF-16: each is found at its own place. */
static void places_in_utf16(void **state)
{
    (void)state;
    enum { N = 500 };
    pgn_buf text = {0}, wide = {0};
    size_t lost = 0;
    for (unsigned i = 0; i < N; i++)
        pgn_buf_puts(&text, "[Event \"\u68cb\"]\n1. \u70ae\u4e8c\u5e73\u4e94 "
                            "\u2014 \u70ae *\n");
    assert_int_equal(
        pgn_encode(PGN_ENC_UTF16LE, (xq_str){text.s, text.n}, &wide, &lost),
        XQ_OK);
    struct reading d;
    begin(&d, wide.s, wide.n, (pgn_reader_options){0});
    for (unsigned i = 0; i < N; i++) {
        const pgn_game *g = next(&d);
        assert_non_null(g);
        assert_int_equal(g->encoding, PGN_ENC_UTF16LE);
        assert_int_equal(g->byte, i * 2 * 26);
        assert_int_equal(g->bytes, 2 * 26);
        assert_int_equal(g->line, 2 * i + 1);
        assert_int_equal(g->nproblems, 1);
        assert_int_equal(g->problems[0].byte, 2 * (i * 26 + 22));
        assert_int_equal(g->problems[0].line, 2 * i + 2);
    }
    assert_null(next(&d));
    end(&d);
    pgn_buf_free(&text);
    pgn_buf_free(&wide);
}

/* Faults by the million are counted, not listed; the move that ends the main
 * line is named whatever stands before. */
static void floods_of_faults(void **state)
{
    (void)state;
    enum { N = 300000 };
    static const char *const UNITS[] = {") ", "} ", "[x] ", "$ ", "(1. a0a9) "};
    for (size_t i = 0; i < N_OF(UNITS); i++) {
        pgn_buf b = {0};
        pgn_buf_puts(&b, "[Event \"a\"]\n\n1. h2e2 ");
        for (size_t k = 0; k < N; k++)
            pgn_buf_puts(&b, UNITS[i]);
        pgn_buf_puts(&b, "h2e2 *\n");
        assert_false(b.failed);
        struct reading d;
        begin(&d, b.s, b.n, (pgn_reader_options){0});
        const pgn_game *g = next(&d);
        assert_int_equal(g->plies, 1);
        assert_true(g->faulty);
        assert_true(g->nproblems > 200 && g->nproblems < 210);
        bool named = false, counted = false;
        for (uint32_t k = 0; k < g->nproblems; k++) {
            named |= g->problems[k].kind == PGN_P_ILLEGAL &&
                     g->problems[k].byte == b.n - 7;
            counted |= g->problems[k].kind == PGN_P_LIMIT;
        }
        assert_true(named && counted);
        end(&d);
        pgn_buf_free(&b);
    }
}

/* Deeper than any real tree: passed over with an error, in linear time. */
static void bottomless_variations(void **state)
{
    (void)state;
    pgn_buf b = {0};
    pgn_buf_puts(&b, "[Event \"a\"]\n\n1. ");
    for (size_t k = 0; k < 70000; k++)
        pgn_buf_puts(&b, k % 2 ? "c3c4 (" : "h2e2 (");
    assert_false(b.failed);
    struct reading d;
    begin(&d, b.s, b.n, (pgn_reader_options){0});
    const pgn_game *g = next(&d);
    assert_int_equal(g->plies, 1);
    assert_int_equal(g->nnodes, 65538);
    assert_int_equal(g->nproblems, 3);
    assert_int_equal(g->problems[0].kind, PGN_P_LIMIT);
    assert_int_equal(g->problems[1].kind, PGN_P_STRUCTURE);
    end(&d);
    pgn_buf_free(&b);
}

static void deep_variations(void **state)
{
    enum { DEPTH = 10000 };
    pgn_buf b = {0};
    struct reading d;
    (void)state;
    pgn_buf_puts(&b, "h0g2 ");
    for (int i = 0; i < DEPTH; i++)
        pgn_buf_puts(&b, i % 2 ? "(h0g2 h9g7 " : "(b0c2 b9c7 ");
    for (int i = 0; i < DEPTH; i++)
        pgn_buf_puts(&b, ")");
    pgn_buf_puts(&b, " h9g7 *");
    begin(&d, b.s, b.n, (pgn_reader_options){0});
    const pgn_game *g = next(&d);
    /* each variation replaces the second move of the one around it: every
     * other one has the right side to move */
    assert_int_equal(g->plies, 2);
    assert_non_null(g->nodes);
    end(&d);

    b.n = 0;
    pgn_buf_puts(&b, "h0g2 ");
    for (int i = 0; i < DEPTH; i++)
        pgn_buf_puts(&b, i % 2 ? "(h0g2 " : "(b0c2 ");
    for (int i = 0; i < DEPTH; i++)
        pgn_buf_puts(&b, ")");
    pgn_buf_puts(&b, " h9g7 *");
    begin(&d, b.s, b.n, (pgn_reader_options){0});
    g = next(&d);
    assert_int_equal(g->plies, 2);
    assert_int_equal(g->nproblems, 0);
    assert_int_equal(g->nnodes, DEPTH + 3);
    uint32_t n = 0; /* all of them replace the first move */
    for (uint32_t a = g->nodes[g->nodes[0].next].alt; a; a = g->nodes[a].alt)
        n++;
    assert_int_equal(n, DEPTH);
    end(&d);
    pgn_buf_free(&b);
}

/* One file, its games in three encodings. */
static void encodings_mixed_in_a_file(void **state)
{
    static const char *const FILES[] = {"s01_gbk.pgn", "s05_big5.pgn",
                                        "s03_bom_twice.pgn",
                                        "s06_gbk_trail.pgn", "s05_big5.pgn"};
    static const pgn_encoding WANT[] = {PGN_ENC_GB18030, PGN_ENC_BIG5,
                                        PGN_ENC_UTF8,    PGN_ENC_UTF8,
                                        PGN_ENC_GB18030, PGN_ENC_BIG5};
    pgn_buf b = {0};
    struct reading d;
    (void)state;
    for (size_t i = 0; i < N_OF(FILES); i++) {
        struct text t = slurp(FILES[i]);
        pgn_buf_add(&b, t.s, t.n);
        pgn_buf_puts(&b, "\n\n");
        free(t.s);
    }
    begin(&d, b.s, b.n, (pgn_reader_options){0});
    for (size_t i = 0; i < N_OF(WANT); i++) {
        const pgn_game *g = next(&d);
        assert_non_null(g);
        assert_int_equal(g->plies, 6);
        assert_int_equal(g->encoding, WANT[i]);
        assert_int_equal(g->nproblems, 0);
        assert_int_equal(g->number, i + 1);
    }
    assert_null(next(&d));
    end(&d);
    pgn_buf_free(&b);
}

/* Cutting at hard boundaries changes nothing: all cases joined, read whole,
 * and cut at each boundary. */
static void cuts_change_nothing(void **state)
{
    static const char *const FILES[] = {
        "s02_gbk_stray92.pgn",   "s30_no_blank.pgn",       "s31_no_result.pgn",
        "s41_open_brace.pgn",    "s44_mixed_games.pgn",    "s34_tag_values.pgn",
        "s29_blank_in_tags.pgn", "s32_result_conflict.pgn"};
    pgn_buf b = {0}, got = {0};
    (void)state;
    for (size_t i = 0; i < N_OF(FILES); i++) {
        struct text t = slurp(FILES[i]);
        pgn_buf_add(&b, t.s, t.n);
        pgn_buf_puts(&b, "\n\n");
        free(t.s);
    }
    char *whole = read_all(b.s, b.n, (pgn_reader_options){0});
    /* every line that begins with [Game or [Event behind a blank line and
     * text is a place to cut */
    size_t from = 0;
    uint64_t lines = 0;
    pgn_reader *r = NULL;
    assert_int_equal(pgn_reader_new(&r, NULL, NULL), XQ_OK);
    for (size_t i = 1; i <= b.n; i++) {
        if (i < b.n &&
            (i < 3 || b.s[i] != '[' || b.s[i - 1] != '\n' ||
             b.s[i - 2] != '\n' || b.s[i - 3] == ']' || b.s[i + 1] == 'R'))
            continue;
        char name[] = "t";
        pgn_segment seg = {.name = name,
                           .bytes = (uint8_t *)b.s + from,
                           .n = i - from,
                           .byte0 = from,
                           .line0 = lines,
                           .first = from == 0,
                           .last = i == b.n,
                           .format = PGN_FMT_PGN,
                           .encoding = PGN_ENC_UTF8};
        const pgn_game *g = NULL;
        pgn_reader_load(r, &seg);
        while (pgn_reader_next(r, &g, NULL) == XQ_OK)
            show_game(&got, g);
        for (; from < i; from++)
            lines += b.s[from] == '\n';
    }
    pgn_buf_add(&got, "", 1);
    assert_string_equal(got.s, whole);
    pgn_reader_close(r);
    free(whole);
    pgn_buf_free(&b);
    pgn_buf_free(&got);
}

/* The notation and the script that a game was written in. */
static void notation_of_games(void **state)
{
    static const struct {
        const char *bytes;
        pgn_notation n;
        pgn_script s;
    } T[] = {
        {"炮二平五 马８进７ 马二进三 *", PGN_CHINESE, PGN_SIMPLIFIED},
        {"炮二平五 馬８進７ 馬二進三 *", PGN_CHINESE, PGN_TRADITIONAL},
        {"h2e2 h9g7 h0g2 *", PGN_ICCS, PGN_SIMPLIFIED},
        {"C2.5 N8+7 N2+3 *", PGN_WXF, PGN_SIMPLIFIED},
        {"h3e3 h10g8 h1g3 *", PGN_UCI10, PGN_SIMPLIFIED},
        {"Che2 Hg7 Hg2 *", PGN_SAN, PGN_SIMPLIFIED},
        {"Che3 Hg8 Hg3 *", PGN_SAN10, PGN_SIMPLIFIED},
    };
    (void)state;
    for (size_t i = 0; i < N_OF(T); i++) {
        struct reading d;
        begin(&d, T[i].bytes, strlen(T[i].bytes), (pgn_reader_options){0});
        const pgn_game *g = next(&d);
        assert_non_null(g);
        assert_int_equal(g->plies, 3);
        if (g->notation != T[i].n || g->script != T[i].s)
            fail_msg("%s: %s", T[i].bytes, pgn_notation_name(g->notation));
        end(&d);
    }
}

static void main_line_only(void **state)
{
    struct text t = slurp("s36_rav.pgn");
    (void)state;
    char *got = read_all(t.s, t.n, (pgn_reader_options){.main_only = true});
    assert_string_equal(got, SIX " *\n");
    free(got);
    free(t.s);
}

static void strict_positions(void **state)
{
    static const char ODD[] =
        "[FEN \"4k4/9/9/9/9/4P4/9/9/4P4/3K5 w\"]\n1. 帅六进一 *\n";
    struct reading d;
    (void)state;
    begin(&d, ODD, sizeof ODD - 1, (pgn_reader_options){.strict_fen = true});
    const pgn_game *g = next(&d);
    assert_int_equal(g->plies, 0);
    assert_true(g->faulty);
    end(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encodings),
        cmocka_unit_test(structure),
        cmocka_unit_test(moves),
        cmocka_unit_test(impossible_moves_are_refused),
        cmocka_unit_test(oddities),
        cmocka_unit_test(tags_are_read),
        cmocka_unit_test(results_of_tags),
        cmocka_unit_test(long_comment_in_gbk),
        cmocka_unit_test(code_page_of_the_user),
        cmocka_unit_test(long_texts),
        cmocka_unit_test(deep_variations),
        cmocka_unit_test(bottomless_variations),
        cmocka_unit_test(places_in_utf16),
        cmocka_unit_test(floods_of_faults),
        cmocka_unit_test(encodings_mixed_in_a_file),
        cmocka_unit_test(cuts_change_nothing),
        cmocka_unit_test(notation_of_games),
        cmocka_unit_test(main_line_only),
        cmocka_unit_test(strict_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
