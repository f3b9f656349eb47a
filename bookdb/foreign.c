/* foreign.c - other programs' books: which kind a file is, rows, dispatch. */
#include "bookdb/foreign_parts.h"

#include "bookdb/book_block.h"
#include "engine/key.h"
#include "engine/rules.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct kind {
    const char *name, *title;
    xq_status (*import)(bk_import *im, xq_err *err);
    xq_status (*export)(bk_export *x, xq_err *err);
} KINDS[] = {
    [BK_F_UNKNOWN] = {"unknown", "unknown", NULL, NULL},
    [BK_F_BOOKDAT] = {"bookdat", "BOOK.DAT (ElephantEye, XQWizard)",
                      bk_bookdat_import, bk_bookdat_export},
    [BK_F_OBK] = {"obk", "OBK (BHGUI)", bk_sql_import, bk_obk_export},
    [BK_F_XQB] = {"xqb", "XQB (xqbook)", bk_sql_import, bk_xqb_export},
    [BK_F_CSV] = {"csv", "CSV", bk_csv_import, bk_csv_export},
    [BK_F_JSON] = {"json", "JSON", bk_json_import, bk_json_export},
    [BK_F_TEXT] = {"text", "text book (MOVE WEIGHT FEN)", bk_text_import,
                   bk_text_export},
    [BK_F_LINES] = {"lines", "lines of moves", bk_lines_import, NULL},
    [BK_F_TREE] = {"chess2", "Chess2.0 OpenBook.dat", bk_tree_import, NULL},
    [BK_F_TREETEXT] = {"chess2-text", "Chess2.0 OpenBook.txt",
                       bk_treetext_import, NULL},
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

const char *bk_format_name(bk_format f) { return KINDS[f].name; }
const char *bk_format_title(bk_format f) { return KINDS[f].title; }

bool bk_format_of(const char *name, bk_format *f)
{
    for (unsigned i = 0; i < KIND_COUNT; i++)
        if (KINDS[i].export && strcmp(name, KINDS[i].name) == 0) {
            *f = (bk_format)i;
            return true;
        }
    return false;
}

/* ---- input ---- */

/* The source does not name its file. */
static xq_status of_file(const bk_input *in, xq_status rc, const xq_err *e,
                         xq_err *err)
{
    return rc < XQ_OK ? xq_fail(err, rc, "%s: %s", in->path, e->msg) : rc;
}

static xq_status fill(bk_input *in, xq_err *err)
{
    xq_err e;
    in->at = in->n = 0;
    const xq_status rc =
        pgn_source_read(in->source, in->buf, sizeof in->buf, &in->n, &e);
    return of_file(in, rc, &e, err);
}

xq_status bk_input_open(bk_input **out, const char *path, xq_err *err)
{
    bk_input *in = calloc(1, sizeof *in);
    const char *name;
    if (!in)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    in->path = path;
    xq_err e;
    xq_status rc = pgn_source_open(&in->source, path, &e);
    if (rc == XQ_OK)
        rc = pgn_source_next(in->source, &name, &e);
    /* the head: as much as fits, a pipe gives it in pieces */
    for (size_t got = 1; rc == XQ_OK && got > 0 && in->n < sizeof in->buf;
         in->n += got) {
        got = 0;
        rc = pgn_source_read(in->source, in->buf + in->n,
                             sizeof in->buf - in->n, &got, &e);
    }
    rc = of_file(in, rc, &e, err);
    if (rc == XQ_DONE || (rc == XQ_OK && pgn_source_is_archive(in->source)))
        rc = xq_fail(err, XQ_ESYNTAX,
                     "'%s' is an archive: unpack it, a book is one file", path);
    if (rc != XQ_OK) {
        bk_input_close(in);
        return rc;
    }
    *out = in;
    return XQ_OK;
}

xq_status bk_input_read(bk_input *in, void *out, size_t n, size_t *got,
                        xq_err *err)
{
    *got = 0;
    while (*got < n) {
        if (in->at == in->n) {
            const xq_status rc = fill(in, err);
            if (rc != XQ_OK)
                return rc;
            if (in->n == 0)
                return XQ_OK;
        }
        const size_t have = in->n - in->at, want = n - *got;
        const size_t k = have < want ? have : want;
        memcpy((uint8_t *)out + *got, in->buf + in->at, k);
        *got += k;
        in->at += k;
    }
    return XQ_OK;
}

/* Put bytes behind what in->line holds already. */
static bool keep(bk_input *in, size_t *have, const uint8_t *s, size_t n)
{
    if (*have + n > in->cap) {
        size_t cap = in->cap ? in->cap : 4096;
        while (cap < *have + n)
            cap *= 2;
        char *line = realloc(in->line, cap);
        if (!line)
            return false;
        in->line = line;
        in->cap = cap;
    }
    if (n > 0)
        memcpy(in->line + *have, s, n);
    *have += n;
    return true;
}

xq_status bk_input_line(bk_input *in, xq_str *line, xq_err *err)
{
    size_t have = 0;
    bool any = false;
    for (;;) {
        if (in->at == in->n) {
            const xq_status rc = fill(in, err);
            if (rc != XQ_OK)
                return rc;
            if (in->n == 0)
                break;
        }
        const uint8_t *const from = in->buf + in->at;
        const uint8_t *const end = memchr(from, '\n', in->n - in->at);
        const size_t n = end ? (size_t)(end - from) : in->n - in->at;
        any = true;
        if (!keep(in, &have, from, n))
            return xq_fail(err, XQ_ENOMEM, "out of memory for a line");
        in->at += n + (end != NULL);
        if (end)
            break;
    }
    if (!any)
        return XQ_DONE;
    *line = (xq_str){in->line, have};
    if (in->line_number++ == 0 && have >= 3 &&
        memcmp(in->line, "\xef\xbb\xbf", 3) == 0)
        *line = (xq_str){in->line + 3, have - 3};
    while (line->n > 0 && line->s[line->n - 1] == '\r')
        line->n--;
    return XQ_OK;
}

void bk_input_close(bk_input *in)
{
    if (!in)
        return;
    pgn_source_close(in->source);
    free(in->line);
    free(in);
}

/* ---- rows ---- */

void bk_tally_of(bk_tally *t, const xq_pos *p, xq_move m, bool one_wing)
{
    bool mirrored = false;
    memset(t, 0, sizeof *t);
    t->key = one_wing ? p->key : xq_canon_key(p, &mirrored);
    t->move = one_wing || m == XQ_NOMOVE ? m : xq_canon_move(p, m);
    t->mirrored = mirrored;
    /* where the position is its own mirror image, the move has a wing */
    if (!one_wing && xq_pos_is_symmetric(p) && m != XQ_NOMOVE)
        t->mirrored = t->move != m;
}

xq_status bk_put_row(bk_import *im, const xq_pos *p, const bk_row *row,
                     xq_err *err)
{
    bk_tally t;
    bk_tally_of(&t, p, row->move, im->one_wing);
    t.weight_given = row->given;
    t.weight = row->weight;
    t.games[PGN_RED_WINS] = p->side == XQ_RED ? row->win : row->lost;
    t.games[PGN_BLACK_WINS] = p->side == XQ_RED ? row->lost : row->win;
    t.games[PGN_DRAW] = row->draw;
    t.games[PGN_UNKNOWN] = row->unknown;
    xq_status rc = bk_maker_put(im->m, &t, err);
    t.move = XQ_NOMOVE; /* the position was reached by as many */
    if (rc == XQ_OK)
        rc = bk_maker_put(im->m, &t, err);
    return rc;
}

xq_status bk_stopped(bool (*stop)(void), xq_err *err)
{
    return stop && stop() ? xq_fail(err, XQ_EIO, "interrupted") : XQ_OK;
}

void bk_fault(bk_import *im, uint64_t *which)
{
    ++*which;
    if (im->r->first_fault_line == 0)
        im->r->first_fault_line = im->in->line_number;
}

xq_status bk_take_row(bk_import *im, const xq_pos *p, const bk_row *row,
                      xq_err *err)
{
    if (!xq_move_is_legal(p, row->move)) {
        bk_fault(im, &im->r->illegal);
        return XQ_OK;
    }
    im->r->taken++;
    const xq_status rc =
        im->r->taken % 1024 == 0 ? bk_stopped(im->o->stop, err) : XQ_OK;
    return rc == XQ_OK ? bk_put_row(im, p, row, err) : rc;
}

void bk_row_score(bk_row *row, int64_t score, bool usable, bk_import_report *r)
{
    const bool played = row->win || row->draw || row->lost || row->unknown;
    row->given = score != 0 || !usable || !played;
    row->weight = score > 0 ? (uint64_t)score : 0;
    if (score == 0 && !played)
        row->weight = 1;
    r->negative += score < 0;
    r->barred += !usable;
    if (!usable)
        row->weight = 0;
}

xq_sq bk_xqbase_sq(unsigned byte)
{
    const unsigned file = (byte & 15) - 3, row = (byte >> 4) - 3;
    return byte < 256 && file < 9 && row < 10
               ? xq_sq_of((int)file, 9 - (int)row)
               : XQ_NOSQ;
}

unsigned bk_piece14(xq_piece p)
{
    return (unsigned)xq_piece_kind(p) - 1 + 7 * (unsigned)xq_piece_side(p);
}

/* ---- which kind ---- */

static bool is_blank(int c) { return c == ' ' || c == '\t' || c == '\r'; }
static bool is_digit(int c) { return c >= '0' && c <= '9'; }

static unsigned le16(const uint8_t *p) { return p[0] | (unsigned)p[1] << 8; }
static uint32_t le32(const uint8_t *p)
{
    return le16(p) | (uint32_t)le16(p + 2) << 16;
}

static bool looks_bookdat(const uint8_t *p, size_t n)
{
    bk_row row;
    uint64_t last = 0;
    for (size_t i = 0; i + 8 <= n; i += 8) {
        if (!bk_bookdat_decode(p + i, &row) || row.key < last)
            return false;
        last = row.key;
    }
    return n >= 8;
}

/* Records of 22 bytes, each one ply deeper than some one before it. */
static bool looks_tree(const uint8_t *p, size_t n)
{
    uint32_t last = 0;
    for (size_t i = 0; i + 22 <= n; i += 22) {
        const uint32_t id = le32(p + i);
        const uint8_t *const xy = p + i + 14;
        if (id == 0 && i > 0 && i + 22 == n)
            break; /* closes the file */
        if (id == 0 || id > last + 1 || xy[0] > 8 || xy[1] > 9 || xy[2] > 8 ||
            xy[3] > 9)
            return false;
        last = id;
    }
    return n >= 22;
}

static bool looks_polyglot(const uint8_t *p, size_t n)
{
    uint64_t last = 0;
    for (size_t i = 0; i + 16 <= n; i += 16) {
        const unsigned move = (unsigned)p[i + 8] << 8 | p[i + 9];
        const uint64_t key = bk_get64(p + i);
        if (key < last || move >= 90 * 90)
            return false;
        last = key;
    }
    return n >= 16;
}

/* MoonRiver: signature, reserved 0, two counts whose records follow. */
static bool looks_xob(const uint8_t *p, size_t n)
{
    return n >= 128 && p[0] == 0x0b && p[1] == 0x35 && le32(p + 4) == 0 &&
           le32(p + 12) == 0 && le32(p + 20) == 0;
}

/* The first line that is not empty. */
static xq_str first_line(const uint8_t *head, size_t n)
{
    size_t i = n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (i < n && (head[i] == '\n' || head[i] == '\r'))
        i++;
    size_t end = i;
    while (end < n && head[end] != '\n')
        end++;
    return (xq_str){(const char *)head + i, end - i};
}

static bool is_move_text(const char *s, size_t n)
{
    return n == 4 && s[0] >= 'a' && s[0] <= 'i' && is_digit(s[1]) &&
           s[2] >= 'a' && s[2] <= 'i' && is_digit(s[3]);
}

/* A name that stands among the comma-separated ones of a line. */
static bool has_field(xq_str line, const char *name)
{
    const size_t n = strlen(name);
    for (size_t i = 0; i < line.n;) {
        size_t end = i;
        while (end < line.n && line.s[end] != ',')
            end++;
        size_t from = i, to = end;
        while (from < to && (is_blank(line.s[from]) || line.s[from] == '"'))
            from++;
        while (to > from && (is_blank(line.s[to - 1]) || line.s[to - 1] == '"'))
            to--;
        if (to - from == n && memcmp(line.s + from, name, n) == 0)
            return true;
        i = end + 1;
    }
    return false;
}

static bk_format sniff_text(xq_str line, bool *one_wing, const char **what)
{
    size_t i = 0;
    while (i < line.n && is_blank(line.s[i]))
        i++;
    /* "    17747" and something that is no ASCII */
    if (line.n > 9 && i < 5 && is_digit(line.s[4]) && is_digit(line.s[8]) &&
        (line.s[9] & 0x80)) {
        bool digits = true;
        for (size_t k = i; k < 9; k++)
            digits &= is_digit(line.s[k]);
        if (digits)
            return BK_F_TREETEXT;
    }
    if (has_field(line, "move") &&
        (has_field(line, "fen") || has_field(line, "key") ||
         has_field(line, "plain_key"))) {
        *one_wing = has_field(line, "plain_key");
        return BK_F_CSV;
    }
    while (i < line.n &&
           (is_blank(line.s[i]) || line.s[i] == '\'' || line.s[i] == '"'))
        i++;
    if (line.n - i < 4 || !is_move_text(line.s + i, 4))
        return BK_F_UNKNOWN;
    size_t k = i + 4;
    while (k < line.n && is_blank(line.s[k]))
        k++;
    if (k < line.n && k > i + 4 && is_digit(line.s[k]) &&
        memchr(line.s + k, '/', line.n - k))
        return BK_F_TEXT;
    for (; k < line.n && (is_blank(line.s[k]) || line.s[k] == ',' ||
                          line.s[k] == '\'' || line.s[k] == '"');)
        k++;
    if (k == line.n || (line.n - k >= 4 && is_move_text(line.s + k, 4)))
        return BK_F_LINES;
    *what = NULL;
    return BK_F_UNKNOWN;
}

static bool in_line(xq_str line, const char *word)
{
    return memmem(line.s, line.n, word, strlen(word)) != NULL;
}

bk_format bk_sniff(const uint8_t *head, size_t n, bool *one_wing,
                   const char **what)
{
    *one_wing = false;
    *what = NULL;
    if (n == 0) {
        *what = "it is empty (0 bytes)";
        return BK_F_UNKNOWN;
    }
    if (n >= 16 && memcmp(head, "SQLite format 3", 16) == 0)
        return BK_F_OBK;
    if (n >= 20 && le32(head + 16) == 0xbeefc0deu) {
        *what = "it is a book or database of qipu already: 'book merge' joins "
                "books, 'book build -d' reads databases";
        return BK_F_UNKNOWN;
    }
    if (looks_xob(head, n)) {
        *what = "it is a MoonRiver book (.xob), whose key constants are not "
                "at hand: not supported";
        return BK_F_UNKNOWN;
    }
    if (looks_tree(head, n))
        return BK_F_TREE;
    if (looks_bookdat(head, n))
        return BK_F_BOOKDAT;
    const xq_str line = first_line(head, n);
    if (line.n > 0 && line.s[0] == '{') {
        const bool book =
            in_line(line, "\"moves\"") && !in_line(line, "\"tags\"");
        if (!book)
            *what = "it is JSON, but not of book positions ({\"key\" or "
                    "\"fen\", \"moves\":[{\"move\":...}]}): 'book build' reads "
                    "games";
        *one_wing = in_line(line, "\"one_wing\":true");
        return book ? BK_F_JSON : BK_F_UNKNOWN;
    }
    if (line.n > 0 && line.s[0] == '[') {
        *what = "it looks like games: 'book build' reads those";
        return BK_F_UNKNOWN;
    }
    const bk_format f = sniff_text(line, one_wing, what);
    if (f == BK_F_UNKNOWN && looks_polyglot(head, n))
        *what = "it looks like a Polyglot book (.bin): its keys for Xiangqi "
                "are XBoard's own and no real book was at hand to check them: "
                "not supported";
    return f;
}

static xq_status refuse(const char *path, const char *what, xq_err *err)
{
    if (what)
        return xq_fail(err, XQ_ESYNTAX, "cannot import '%s': %s", path, what);
    return xq_fail(err, XQ_ESYNTAX,
                   "'%s' is no book that can be read; tried: BOOK.DAT, OBK, "
                   "XQB, CSV, JSON, text book, lines of moves, Chess2.0",
                   path);
}

static xq_status sql_kind(const char *path, bk_input *in, bk_format *f,
                          xq_err *err)
{
    sqlite3 *db = NULL;
    const xq_status rc = bk_sql_open(&db, path, in, err);
    if (rc == XQ_OK)
        *f = bk_sql_has_table(db, "bhobk")  ? BK_F_OBK
             : bk_sql_has_table(db, "book") ? BK_F_XQB
                                            : BK_F_UNKNOWN;
    sqlite3_close(db);
    if (rc == XQ_OK && *f == BK_F_UNKNOWN)
        return refuse(path,
                      "it is an SQLite database with neither a table 'bhobk' "
                      "(OBK) nor 'book' (XQB): not supported",
                      err);
    return rc;
}

xq_status bk_foreign_kind(const char *path, bk_format *f, bool *one_wing,
                          xq_err *err)
{
    bk_input *in = NULL;
    const char *what;
    struct stat st;
    /* Whoever asks reads it again: a pipe would have lost its beginning, and
     * opening one waits for somebody to write. */
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        return xq_fail(err, XQ_EIO,
                       "cannot read book '%s': not a regular file (books are "
                       "read twice)",
                       path);
    xq_status rc = bk_input_open(&in, path, err);
    if (rc != XQ_OK)
        return rc;
    *f = bk_sniff(in->buf, in->n, one_wing, &what);
    if (*f == BK_F_UNKNOWN)
        rc = refuse(path, what, err);
    else if (*f == BK_F_OBK)
        rc = sql_kind(path, in, f, err);
    bk_input_close(in);
    return rc;
}

xq_status bk_sql_import(bk_import *im, xq_err *err)
{
    sqlite3 *db = NULL;
    xq_status rc = bk_sql_open(&db, im->in->path, im->in, err);
    if (rc == XQ_OK && bk_sql_has_table(db, "bhobk")) {
        rc = bk_obk_import(im, db, err);
    } else if (rc == XQ_OK && bk_sql_has_table(db, "book")) {
        im->r->format = BK_F_XQB;
        rc = bk_xqb_import(im, db, err);
    } else if (rc == XQ_OK) {
        rc = refuse(im->in->path, "no table 'bhobk' or 'book'", err);
    }
    sqlite3_close(db);
    return rc;
}

xq_status bk_foreign_import(bk_maker *m, const char *path,
                            const bk_import_options *o, bk_import_report *r,
                            xq_err *err)
{
    bk_import im = {.m = m, .one_wing = bk_maker_one_wing(m), .o = o, .r = r};
    const char *what;
    bool one_wing;
    memset(r, 0, sizeof *r);
    xq_status rc = bk_input_open(&im.in, path, err);
    if (rc != XQ_OK)
        return rc;
    r->format = bk_sniff(im.in->buf, im.in->n, &one_wing, &what);
    if (r->format == BK_F_UNKNOWN)
        rc = refuse(path, what, err);
    else if (one_wing && !im.one_wing)
        rc = xq_fail(err, XQ_EILLEGAL,
                     "'%s' keeps the wings apart, the other books do not: "
                     "import it alone",
                     path);
    else
        rc = KINDS[r->format].import(&im, err);
    if (rc == XQ_OK && r->taken == 0)
        rc = xq_fail(err, XQ_ENOTFOUND,
                     "nothing imported from '%s', %s: of %llu records none "
                     "has a legal move in a position that is known or can be "
                     "reached",
                     path, bk_format_title(r->format),
                     (unsigned long long)r->records);
    bk_input_close(im.in);
    return rc;
}

/* ---- export ---- */

uint64_t bk_hash_words(const uint64_t *v, size_t n)
{
    uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < n; i++) {
        h ^= v[i];
        h ^= h >> 30;
        h *= UINT64_C(0xbf58476d1ce4e5b9);
        h ^= h >> 27;
        h *= UINT64_C(0x94d049bb133111eb);
        h ^= h >> 31;
    }
    return h;
}

uint64_t bk_hash_tally(const bk_tally *t)
{
    const uint64_t v[] = {t->key,          t->move,
                          t->weight_given, t->weight_given ? t->weight : 0,
                          t->games[0],     t->games[1],
                          t->games[2],     t->games[3],
                          t->elo_games,    t->elo_sum,
                          t->year};
    return bk_hash_words(v, sizeof v / sizeof *v);
}

void bk_counts_of_mover(const bk_counts *c, xq_side mover, bk_row *row)
{
    row->win = mover == XQ_RED ? c->red : c->black;
    row->lost = mover == XQ_RED ? c->black : c->red;
    row->draw = c->draw;
    row->unknown = c->unknown;
}

void bk_export_weights(bk_export *x, const bk_entry *e, uint32_t limit,
                       bool some, uint32_t *out)
{
    uint32_t most = 0;
    for (unsigned i = 0; i < e->n; i++)
        if (e->moves[i].weight > most)
            most = e->moves[i].weight;
    for (unsigned i = 0; i < e->n; i++) {
        const uint64_t w = e->moves[i].weight;
        out[i] = most <= limit ? (uint32_t)w : (uint32_t)(w * limit / most);
        if ((w > 0 && out[i] == 0) || (some && most == 0))
            out[i] = 1;
    }
    x->r->scaled += most > limit;
    x->r->raised += some && most == 0;
}

xq_status bk_export_failed(const bk_export *x, xq_err *err)
{
    return xq_fail(err, XQ_EIO, "cannot write '%s': %s", x->path,
                   strerror(errno));
}

static bool maybe(void *ctx, const xq_pos *p)
{
    const bk_export *const x = ctx;
    bool mirrored;
    return bk_sieve_has(&x->sieve,
                        x->one_wing ? p->key : xq_canon_key(p, &mirrored));
}

static xq_status find(void *ctx, const xq_pos *p, bk_entry *e, xq_err *err)
{
    bk_export *const x = ctx;
    const xq_status rc = bk_book_find(x->book, p, e, &x->dropped, err);
    return rc == XQ_OK && e->n == 0 ? XQ_ENOTFOUND : rc;
}

xq_status bk_export_next(bk_export *x, const xq_pos **p, const bk_entry **e,
                         xq_err *err)
{
    const xq_status rc = bk_walk_next(x->walk, p, e, err);
    if (rc != XQ_OK)
        return rc;
    x->r->walked_moves += (*e)->n;
    x->r->illegal += x->dropped;
    return ++x->r->walked_positions % 1024 == 0 ? bk_stopped(x->stop, err)
                                                : XQ_OK;
}

/* What the book has, and the sieve of its keys. */
static xq_status take_stock(bk_export *x, bk_entry *e, xq_err *err)
{
    bk_export_report *const r = x->r;
    bk_book_info info;
    bk_cursor *c = NULL;
    xq_status rc = bk_book_get_info(x->book, &info, err);
    if (rc != XQ_OK)
        return rc;
    if (!bk_sieve_init(&x->sieve, info.positions, x->memory / 4))
        rc = xq_fail(err, XQ_ENOMEM, "out of memory");
    if (rc == XQ_OK)
        rc = bk_cursor_open(&c, x->book, err);
    x->one_wing = info.one_wing;
    r->games = info.games;
    while (rc == XQ_OK && (rc = bk_cursor_next(c, e, err)) == XQ_OK) {
        if (e->n == 0) {
            r->ends++;
            continue;
        }
        bk_sieve_add(&x->sieve, e->key);
        r->positions++;
        r->moves += e->n;
        for (unsigned i = 0; i < e->n; i++) {
            const bk_book_move *const m = &e->moves[i];
            r->counted += bk_total(&m->counts) > m->counts.unknown;
            r->unknown += m->counts.unknown > 0;
            r->rated += m->elo_games > 0;
            r->dated += m->last_year > 0;
        }
    }
    bk_cursor_close(c);
    return rc == XQ_DONE ? XQ_OK : rc;
}

static xq_status open_tmp(bk_export *x, xq_err *err)
{
    struct stat st;
    if (stat(x->path, &st) == 0 && !S_ISREG(st.st_mode))
        return xq_fail(err, XQ_EIO, "cannot write '%s': it is no regular file",
                       x->path);
    const size_t n = strlen(x->path) + 32;
    x->tmp = malloc(n);
    if (!x->tmp)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    /* a name of our own: two may write the same book at once */
    snprintf(x->tmp, n, "%s.%ld.tmp", x->path, (long)getpid());
    const int fd = open(x->tmp, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) {
        const xq_status rc = xq_fail(err, XQ_EIO, "cannot create '%s': %s",
                                     x->path, strerror(errno));
        free(x->tmp);
        x->tmp = NULL;
        return rc;
    }
    x->f = fdopen(fd, "w+");
    if (!x->f) {
        close(fd);
        return bk_export_failed(x, err);
    }
    return XQ_OK;
}

/* All is written and was read back: let it appear. */
static xq_status commit(bk_export *x, xq_err *err)
{
    if (fflush(x->f) != 0 || ferror(x->f) || fsync(fileno(x->f)) != 0 ||
        rename(x->tmp, x->path) != 0)
        return bk_export_failed(x, err);
    free(x->tmp);
    x->tmp = NULL;
    return XQ_OK;
}

static xq_status export(bk_export *x, bk_format f, bk_entry *e, xq_err *err)
{
    const bk_lookup lookup = {x, maybe, find};
    xq_pos start;
    xq_pos_start(&start);
    xq_status rc = open_tmp(x, err);
    if (rc == XQ_OK)
        rc = take_stock(x, e, err);
    if (rc == XQ_OK)
        rc = bk_walk_open(&x->walk, &lookup, x->one_wing, false, x->memory / 4,
                          err);
    if (rc == XQ_OK)
        rc = bk_walk_from(x->walk, &start, err);
    if (rc == XQ_OK)
        rc = KINDS[f].export(x, err);
    if (rc == XQ_OK && x->sum != x->check)
        rc = xq_fail(err, XQ_ECORRUPT,
                     "'%s' was read back and is not what was written", x->path);
    if (rc == XQ_OK && x->r->records == 0)
        rc = xq_fail(err, XQ_ENOTFOUND,
                     "nothing to export: no position of the book can be "
                     "reached from the start position");
    return rc == XQ_OK ? commit(x, err) : rc;
}

xq_status bk_foreign_export(bk_book *b, bk_format f, const char *path,
                            const bk_export_options *o, bk_export_report *r,
                            xq_err *err)
{
    bk_export x = {.book = b,
                   .path = path,
                   .memory = o->memory ? o->memory : (size_t)64 << 20,
                   .stop = o->stop,
                   .r = r};
    bk_entry *e = malloc(sizeof *e);
    memset(r, 0, sizeof *r);
    const xq_status rc =
        e ? export(&x, f, e, err) : xq_fail(err, XQ_ENOMEM, "out of memory");
    free(e);
    if (x.f)
        fclose(x.f);
    if (x.tmp)
        unlink(x.tmp);
    free(x.tmp);
    bk_walk_close(x.walk);
    bk_sieve_free(&x.sieve);
    return rc;
}
