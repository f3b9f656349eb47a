/* fmt_fens.c - lists of positions, one a line: games with or without moves.
 *
 *   FEN                                    as engines' test sets have them
 *   FEN ; title                            XQWLight
 *   FEN opcode operand; ...                EPD: each opcode becomes a tag,
 *                                          id the title
 *   title|FEN|h7e7,e8g7                    ChessQ
 *   position fen FEN moves h2e2            as engines are told
 */
#include "libpgn/fmt_text.h"

#include <string.h>

static bool is_blank(char c) { return c == ' ' || c == '\t'; }
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && is_blank(*p))
        p++;
    return p;
}

static bool skip_word(const char **p, const char *end, const char *word)
{
    const size_t n = strlen(word);
    if ((size_t)(end - *p) < n || memcmp(*p, word, n) != 0 ||
        ((size_t)(end - *p) > n && !is_blank((*p)[n]) && (*p)[n] != ':'))
        return false;
    *p += n;
    *p = skip_blanks(*p + (*p < end && **p == ':'), end);
    return true;
}

/* The FEN at p, as many of its fields as stand there; NULL: none.  A board of
 * four ranks that ends its line is one that was cut. */
static const char *fen_end(const char *p, const char *end)
{
    const char *e = pgn_fen_board(p, end, 3);
    if (!e || (!pgn_fen_board(p, end, 7) && e < end))
        return NULL;
    if (e < end && strchr("wr", *e | 32)) /* glued to the board */
        e++;
    int field = 1; /* side, two dashes, two counters */
    while (field < 6) {
        const char *q = skip_blanks(e, end), *w = q;
        while (w < end && !is_blank(*w) && *w != ';' && *w != '|' && *w != ',')
            w++;
        const bool one = w - q == 1;
        bool number = w > q;
        for (const char *d = q; d < w; d++)
            number = number && is_digit(*d);
        if (field == 1 && one && strchr("wrb", *q | 32))
            field = 2;
        else if (field < 4 && one && *q == '-')
            field = field < 2 ? 3 : field + 1;
        else if (number)
            field = field < 5 ? 5 : 6;
        else
            break;
        e = w;
    }
    return e;
}

/* The word of an EPD opcode at p, behind which an operand or ';' stands. */
static const char *opcode(const char *p, const char *end)
{
    const char *q = p;
    while (q < end && q - p < 16 &&
           (is_letter(*q) || is_digit(*q) || *q == '_'))
        q++;
    return q > p && is_letter(*p) && q < end && (is_blank(*q) || *q == ';')
               ? q
               : NULL;
}

/* "bm Rxe9; id \"x\"": opcodes with operands, each ended by ';'. */
static bool has_opcodes(const char *p, const char *end)
{
    while (end > p && is_blank(end[-1]))
        end--;
    return end > p && end[-1] == ';' && opcode(p, end) != NULL;
}

static void read_opcodes(pgn_reader *r, const char *p, const char *end)
{
    while ((p = skip_blanks(p, end)) < end) {
        if (*p == ';') {
            p++;
            continue;
        }
        const char *e = opcode(p, end);
        const char *v = skip_blanks(e ? e : p, end), *ve = v;
        bool quoted = false;
        while (ve < end && (quoted || *ve != ';'))
            quoted ^= *ve++ == '"';
        xq_str value = pgn_text_trim((xq_str){v, (size_t)(ve - v)});
        if (value.n >= 2 && value.s[0] == '"' && value.s[value.n - 1] == '"')
            value = (xq_str){value.s + 1, value.n - 2};
        const size_t at = pgn_text_at(r, p);
        char name[20] = "Note";
        if (e) {
            memcpy(name, p, (size_t)(e - p));
            name[e - p] = 0;
        }
        const xq_str own = xq_arena_copy(&r->arena, xq_str_of(name));
        if (!own.s)
            r->failed = true;
        else if (strcmp(name, "id") == 0)
            pgn_text_tag(r, "Title", value, at);
        else
            pgn_text_tag(r, own.s, value, at);
        p = ve;
    }
}

/* What stands behind the FEN, up to a bar: moves, opcodes or a title. */
static xq_str read_rest(pgn_reader *r, const char *p, const char *end)
{
    const xq_str none = {NULL, 0};
    p = skip_blanks(p, end);
    while (p < end && (*p == ';' || *p == ',' || *p == '|'))
        p = skip_blanks(p + 1, end);
    if (p == end)
        return none;
    if (skip_word(&p, end, "moves") || pgn_text_square_move(p, end))
        return (xq_str){p, (size_t)(end - p)};
    if (has_opcodes(p, end))
        read_opcodes(r, p, end);
    else
        pgn_text_tag(r, "Title", (xq_str){p, (size_t)(end - p)},
                     pgn_text_at(r, p));
    return none;
}

/* The position in r->text.  False: the line has none. */
static bool read_game(pgn_reader *r)
{
    const char *p = r->text, *end = p + r->ntext;
    skip_word(&p, end, "position");
    skip_word(&p, end, "fen");
    skip_word(&p, end, "FEN");
    xq_str name = {NULL, 0}, moves = {NULL, 0};
    const char *e = fen_end(p, end);
    if (!e) {
        const char *bar = memchr(p, '|', (size_t)(end - p));
        if (!bar || !(e = fen_end(skip_blanks(bar + 1, end), end)))
            return false;
        name = (xq_str){p, (size_t)(bar - p)};
        p = skip_blanks(bar + 1, end);
    }
    pgn_build_start(r, 0);
    if (r->failed)
        return true;
    pgn_text_tag(r, "Title", name, 0);
    const char *bar = memchr(e, '|', (size_t)(end - e));
    const xq_str fen = {p, (size_t)(e - p)};
    if (name.n && bar) {
        read_rest(r, e, bar);
        moves = read_rest(r, bar, end);
    } else {
        moves = read_rest(r, e, end);
    }
    pgn_text_fen(r, fen, pgn_text_at(r, p));
    if (pgn_build_setup(r) && moves.n)
        pgn_text_moves(r, moves.s, moves.s + moves.n);
    pgn_text_finish(r, r->ntext, true);
    return true;
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    size_t from, to;
    uint64_t junk = 0;
    for (;; junk++) {
        if (!pgn_text_line(r, &from, &to)) {
            r->at = r->nraw;
            return XQ_DONE;
        }
        r->at = to;
        if (!pgn_text_load(r, from, to))
            return xq_fail(err, XQ_ENOMEM, "out of memory");
        if (read_game(r))
            break;
    }
    if (junk && !r->failed)
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, 0, 0,
                          (xq_str){NULL, 0},
                          "%llu line%s without a position before this one",
                          (unsigned long long)junk, junk == 1 ? "" : "s");
    return r->failed ? xq_fail(err, XQ_ENOMEM, "out of memory") : XQ_OK;
}

const pgn_fmt pgn_fmt_fens = {PGN_FMT_FENS, next};
