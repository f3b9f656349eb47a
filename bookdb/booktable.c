/* booktable.c - books as CSV and JSON: everything that a book of ours holds.
 *
 *   key,fen,move,red,draw,black,unknown,weight,weight_given,elo_games,elo_sum,last_year
 *   36b2c9d51f0ac6c7,rnba... w - - 0 1,,5,1,2,0,,,,,
 *   36b2c9d51f0ac6c7,rnba... w - - 0 1,h2e2,4,1,2,0,9,0,2,4980,2003
 *
 *   {"key":"36b2...","fen":"rnba...","games":8,"red":5,...,"moves":[
 *    {"move":"h2e2","games":7,"red":4,...,"weight":9,"weight_given":false,
 *     "elo_games":2,"elo_sum":4980,"last_year":2003}]}         (in one line)
 *
 * A CSV row without a move is the position's own; where such rows are missing
 * the position has the sum of its moves.  A position is named by key, by fen,
 * or by both, which must agree; fen is left out (null) where the walk from the
 * start position did not come.  Moves are those of the board in fen, which is
 * the image with the smaller key.  In a --one-wing book the column is called
 * plain_key, and the JSON objects have "one_wing":true.  When reading, columns
 * and fields may be missing and in any order; a weight without "weight_given"
 * is given. */
#include "bookdb/book_block.h"
#include "bookdb/foreign_parts.h"
#include "engine/key.h"
#include "engine/rules.h"
#include "libpgn/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum field {
    KEY,
    FEN,
    MOVE,
    RED,
    DRAW,
    BLACK,
    UNKNOWN,
    WEIGHT,
    WEIGHT_GIVEN,
    ELO_GAMES,
    ELO_SUM,
    LAST_YEAR,
    FIELDS,
};
static const char *const FIELD[FIELDS] = {
    "key",     "fen",    "move",         "red",       "draw",    "black",
    "unknown", "weight", "weight_given", "elo_games", "elo_sum", "last_year",
};
static const pgn_result RESULT_OF[FIELDS] = {
    [RED] = PGN_RED_WINS,
    [DRAW] = PGN_DRAW,
    [BLACK] = PGN_BLACK_WINS,
    [UNKNOWN] = PGN_UNKNOWN,
};

/* ---- a row as it is read ---- */

/* The position, by what stands for it. */
struct place {
    bool known; /* pos is there, else only key */
    xq_pos pos;
    xq_key key;
};

static bool parse_key(xq_str s, xq_key *key)
{
    *key = 0;
    for (size_t i = 0; i < s.n; i++) {
        const char c = s.s[i];
        const int d = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
        if (d < 0)
            return false;
        *key = *key << 4 | (unsigned)d;
    }
    return s.n == 16;
}

static bool find_place(struct place *at, xq_str key, xq_str fen, bool one_wing)
{
    bool mirrored;
    if (key.n > 0 && !parse_key(key, &at->key))
        return false;
    at->known = fen.n > 0;
    if (!at->known)
        return key.n > 0;
    if (xq_fen_parse(&at->pos, fen, NULL, NULL) != XQ_OK)
        return false;
    const xq_key own =
        one_wing ? at->pos.key : xq_canon_key(&at->pos, &mirrored);
    if (key.n > 0 && own != at->key)
        return false;
    at->key = own;
    return true;
}

static bool parse_uint(xq_str s, uint64_t *v)
{
    *v = 0;
    for (size_t i = 0; i < s.n; i++) {
        const unsigned d = (unsigned)(s.s[i] - '0');
        if (d > 9)
            return false;
        *v = *v > (UINT64_MAX - d) / 10 ? UINT64_MAX : *v * 10 + d;
    }
    return true;
}

/* A number of a row. */
static void set_number(bk_tally *t, unsigned field, uint64_t v)
{
    switch (field) {
    case RED:
    case DRAW:
    case BLACK:
    case UNKNOWN:
        t->games[RESULT_OF[field]] = v;
        break;
    case WEIGHT:
        t->weight = v;
        break;
    case WEIGHT_GIVEN:
        t->weight_given = v != 0;
        break;
    case ELO_GAMES:
        t->elo_games = v;
        break;
    case ELO_SUM:
        t->elo_sum = v;
        break;
    case LAST_YEAR:
        t->year = v > UINT16_MAX ? 0 : (unsigned)v;
        break;
    }
}

/* What is known of a move's place: t->key, t->move in the key's frame.  False:
 * the rules, or the shape of the board, forbid the move. */
static bool set_move(bk_tally *t, const struct place *at, xq_move m,
                     bool one_wing)
{
    bk_tally frame;
    if (!at->known) {
        t->key = at->key;
        t->move = m;
        t->mirrored = false;
        return m == XQ_NOMOVE || bk_move_storable(m);
    }
    if (m != XQ_NOMOVE && !xq_move_is_legal(&at->pos, m))
        return false;
    bk_tally_of(&frame, &at->pos, m, one_wing);
    t->key = frame.key;
    t->move = frame.move;
    t->mirrored = frame.mirrored;
    return true;
}

static xq_move move_of(xq_str s)
{
    char text[5];
    if (s.n != 4)
        return XQ_NOMOVE;
    memcpy(text, s.s, 4);
    text[4] = '\0';
    return xq_move_parse(text);
}

/* What a row says goes to a maker, or into a sum when it is only compared. */
struct sink {
    bk_import *im; /* NULL: only compared */
    uint64_t sum;
};

static xq_status give(struct sink *s, const bk_tally *t, xq_err *err)
{
    s->sum += bk_hash_tally(t);
    return s->im ? bk_maker_put(s->im->m, t, err) : XQ_OK;
}

/* ---- CSV ---- */

struct csv {
    struct sink sink;
    bool one_wing;
    int column[FIELDS]; /* -1: not there */
    xq_key own;         /* the position whose own row was read last */
    bool has_own;
};

/* The next field of a line: without quotes ("" inside them is one, undone in
 * place).  False at the end. */
static bool next_field(char *s, size_t n, size_t *at, xq_str *out)
{
    if (*at > n)
        return false;
    size_t i = *at, w = *at;
    const size_t from = *at;
    if (i < n && s[i] == '"') {
        for (i++; i < n && (s[i] != '"' || (i + 1 < n && s[i + 1] == '"')); i++)
            i += s[i] == '"', s[w++] = s[i];
        while (i < n && s[i] != ',')
            i++;
    } else {
        while (i < n && s[i] != ',')
            i++;
        w = i;
    }
    *out = (xq_str){s + from, w - from};
    *at = i + 1;
    return true;
}

static bool read_header(struct csv *c, char *s, size_t n)
{
    size_t at = 0;
    xq_str f;
    for (unsigned k = 0; k < FIELDS; k++)
        c->column[k] = -1;
    for (int i = 0; next_field(s, n, &at, &f); i++)
        for (unsigned k = 0; k < FIELDS; k++) {
            while (f.n > 0 && *f.s == ' ')
                f = (xq_str){f.s + 1, f.n - 1};
            while (f.n > 0 && f.s[f.n - 1] == ' ')
                f.n--;
            if (xq_str_eq(f, xq_str_of(FIELD[k])) ||
                (k == KEY && xq_str_eq(f, xq_str_of("plain_key"))))
                c->column[k] = i;
            if (k == KEY && xq_str_eq(f, xq_str_of("plain_key")))
                c->one_wing = true;
        }
    return c->column[MOVE] >= 0 && (c->column[KEY] >= 0 || c->column[FEN] >= 0);
}

/* 0 taken, 1 illegal, 2 unreadable. */
static int parse_row(struct csv *c, char *s, size_t n, bk_tally *t,
                     struct place *at)
{
    xq_str field[FIELDS] = {{NULL, 0}}, f;
    size_t from = 0;
    memset(t, 0, sizeof *t);
    for (int i = 0; next_field(s, n, &from, &f); i++)
        for (unsigned k = 0; k < FIELDS; k++)
            if (c->column[k] == i)
                field[k] = f;
    if (!find_place(at, field[KEY], field[FEN], c->one_wing))
        return 2;
    t->weight_given = field[WEIGHT].n > 0;
    for (unsigned k = RED; k < FIELDS; k++) {
        uint64_t v;
        if (!parse_uint(field[k], &v))
            return 2;
        if (field[k].n > 0)
            set_number(t, k, v);
    }
    if (!t->weight_given)
        t->weight = 0;
    const xq_move m = move_of(field[MOVE]);
    if (m == XQ_NOMOVE && field[MOVE].n > 0)
        return 2;
    return set_move(t, at, m, c->one_wing) ? 0 : 1;
}

static xq_status take_csv(struct csv *c, xq_str line, xq_err *err)
{
    bk_import *const im = c->sink.im;
    bk_tally t;
    struct place at;
    const int bad = parse_row(c, (char *)(uintptr_t)line.s, line.n, &t, &at);
    if (im && (bad || t.move != XQ_NOMOVE)) {
        im->r->records++;
        if (bad)
            bk_fault(im, bad == 1 ? &im->r->illegal : &im->r->unreadable);
        else
            im->r->taken++;
    }
    if (bad)
        return XQ_OK;
    xq_status rc = give(&c->sink, &t, err);
    if (t.move == XQ_NOMOVE) {
        c->own = t.key;
        c->has_own = true;
    } else if (rc == XQ_OK && im && !(c->has_own && c->own == t.key)) {
        t.move = XQ_NOMOVE;
        rc = bk_maker_put(im->m, &t, err);
    }
    return rc;
}

static xq_status read_csv(struct csv *c, bk_input *in, xq_err *err)
{
    xq_str line = {NULL, 0};
    xq_status rc;
    do
        rc = bk_input_line(in, &line, err);
    while (rc == XQ_OK && line.n == 0);
    if (rc == XQ_OK && !read_header(c, (char *)(uintptr_t)line.s, line.n))
        return xq_fail(err, XQ_ESYNTAX,
                       "'%s': the first line must name the columns: move, and "
                       "key or fen",
                       in->path);
    while (rc == XQ_OK && (rc = bk_input_line(in, &line, err)) == XQ_OK)
        if (line.n > 0)
            rc = take_csv(c, line, err);
    return rc == XQ_DONE ? XQ_OK : rc;
}

xq_status bk_csv_import(bk_import *im, xq_err *err)
{
    struct csv c = {.sink = {.im = im}, .one_wing = im->one_wing};
    return read_csv(&c, im->in, err);
}

/* ---- JSON ---- */

struct json {
    struct sink sink;
    bool one_wing;
    xq_arena arena;
    bk_tally *moves; /* of the line at hand */
    xq_str *texts;   /* of these moves */
    size_t n, cap;
};

static unsigned field_of(xq_str name)
{
    unsigned k = 0;
    while (k < FIELDS && !xq_str_eq(name, xq_str_of(FIELD[k])))
        k++;
    return k;
}

/* The value of a number's field, `token` was just read. */
static bool read_number(pgn_json *j, pgn_json_token token, unsigned field,
                        bk_tally *t)
{
    uint64_t v = 0;
    if (token == PGN_JSON_NUMBER) {
        if (!pgn_json_uint(j, UINT64_MAX, &v))
            return false;
    } else if (token == PGN_JSON_TRUE) {
        v = 1;
    } else if (token != PGN_JSON_FALSE) {
        return token == PGN_JSON_NULL;
    }
    set_number(t, field, v);
    return true;
}

static bool room(struct json *js)
{
    if (js->n < js->cap)
        return true;
    const size_t cap = js->cap ? 2 * js->cap : 64;
    bk_tally *moves = realloc(js->moves, cap * sizeof *moves);
    if (moves)
        js->moves = moves;
    xq_str *texts = realloc(js->texts, cap * sizeof *texts);
    if (texts)
        js->texts = texts;
    if (!moves || !texts)
        return false;
    js->cap = cap;
    return true;
}

/* One element of "moves", whose { was read. */
static bool read_move(struct json *js, pgn_json *j)
{
    pgn_json_token t;
    bool weight = false, said = false;
    if (!room(js))
        return false;
    bk_tally *const m = &js->moves[js->n];
    memset(m, 0, sizeof *m);
    js->texts[js->n] = (xq_str){NULL, 0};
    while ((t = pgn_json_next(j)) == PGN_JSON_KEY) {
        const unsigned k = field_of(j->text);
        t = pgn_json_next(j);
        if (k == MOVE && t == PGN_JSON_STRING) {
            js->texts[js->n] = j->text;
        } else if (k >= RED && k < FIELDS) {
            weight |= k == WEIGHT && t == PGN_JSON_NUMBER;
            said |= k == WEIGHT_GIVEN && t != PGN_JSON_NULL;
            if (!read_number(j, t, k, m))
                return false;
        } else if (pgn_json_skip(j, t) <= PGN_JSON_END) {
            return false;
        }
    }
    m->weight_given = weight && (!said || m->weight_given);
    if (!m->weight_given)
        m->weight = 0;
    js->n++;
    return t == PGN_JSON_OBJECT_END;
}

/* The whole object; *counted: it has counts of its own. */
static bool read_object(struct json *js, pgn_json *j, bk_tally *own,
                        struct place *at, bool *counted)
{
    xq_str text[2] = {{NULL, 0}, {NULL, 0}}; /* key, fen */
    pgn_json_token t = pgn_json_next(j);
    if (t != PGN_JSON_OBJECT)
        return false;
    while ((t = pgn_json_next(j)) == PGN_JSON_KEY) {
        const unsigned k = field_of(j->text);
        const bool moves = xq_str_eq(j->text, xq_str_of("moves"));
        t = pgn_json_next(j);
        if (k <= FEN && (t == PGN_JSON_STRING || t == PGN_JSON_NULL)) {
            if (t == PGN_JSON_STRING)
                text[k] = j->text;
        } else if (k >= RED && k <= UNKNOWN) {
            *counted = true;
            if (!read_number(j, t, k, own))
                return false;
        } else if (moves && t == PGN_JSON_ARRAY) {
            while ((t = pgn_json_next(j)) == PGN_JSON_OBJECT)
                if (!read_move(js, j))
                    return false;
            if (t != PGN_JSON_ARRAY_END)
                return false;
        } else if (pgn_json_skip(j, t) <= PGN_JSON_END) {
            return false;
        }
    }
    return t == PGN_JSON_OBJECT_END && pgn_json_next(j) == PGN_JSON_END &&
           find_place(at, text[0], text[1], js->one_wing);
}

static xq_status take_object(struct json *js, bk_tally *own,
                             const struct place *at, bool counted, xq_err *err)
{
    bk_import *const im = js->sink.im;
    xq_status rc = XQ_OK;
    if (counted && set_move(own, at, XQ_NOMOVE, js->one_wing))
        rc = give(&js->sink, own, err);
    for (size_t i = 0; i < js->n && rc == XQ_OK; i++) {
        bk_tally *const t = &js->moves[i];
        const xq_move m = move_of(js->texts[i]);
        const bool legal = m != XQ_NOMOVE && set_move(t, at, m, js->one_wing);
        if (im) {
            im->r->records++;
            if (!legal)
                bk_fault(im, m ? &im->r->illegal : &im->r->unreadable);
            else
                im->r->taken++;
        }
        if (!legal)
            continue;
        rc = give(&js->sink, t, err);
        if (rc == XQ_OK && im && !counted) {
            t->move = XQ_NOMOVE;
            rc = bk_maker_put(im->m, t, err);
        }
    }
    return rc;
}

static xq_status read_json(struct json *js, bk_input *in, xq_err *err)
{
    xq_str line;
    xq_status rc;
    while ((rc = bk_input_line(in, &line, err)) == XQ_OK) {
        pgn_json j;
        bk_tally own = {0};
        struct place at;
        bool counted = false;
        if (line.n == 0)
            continue;
        xq_arena_reset(&js->arena);
        js->n = 0;
        pgn_json_start(&j, line, &js->arena);
        if (read_object(js, &j, &own, &at, &counted)) {
            rc = take_object(js, &own, &at, counted, err);
        } else if (j.no_memory) {
            rc = xq_fail(err, XQ_ENOMEM, "out of memory");
        } else if (js->sink.im) {
            js->sink.im->r->records++;
            bk_fault(js->sink.im, &js->sink.im->r->unreadable);
        }
        if (rc != XQ_OK)
            break;
    }
    xq_arena_free(&js->arena);
    free(js->moves);
    free(js->texts);
    return rc == XQ_DONE ? XQ_OK : rc;
}

xq_status bk_json_import(bk_import *im, xq_err *err)
{
    struct json js = {.sink = {.im = im}, .one_wing = im->one_wing};
    return read_json(&js, im->in, err);
}

/* ---- export ---- */

/* A position with its moves in the frame of its key; fen "": not known. */
typedef xq_status (*writer)(bk_export *x, const bk_entry *e, const char *fen,
                            xq_err *err);

static void tally_of(bk_tally *t, xq_key key, const bk_book_move *m,
                     const bk_counts *c)
{
    *t = (bk_tally){.key = key};
    for (unsigned r = 0; r < 4; r++)
        t->games[r] = c->by_result[r];
    if (!m)
        return;
    t->move = m->move;
    t->weight_given = m->weight_given;
    t->weight = m->weight;
    t->elo_games = m->elo_games;
    t->elo_sum = m->elo_sum;
    t->year = m->last_year;
}

static xq_status csv_row(bk_export *x, const bk_tally *t, const char *fen,
                         xq_err *err)
{
    char text[5] = "";
    int n;
    if (t->move != XQ_NOMOVE)
        xq_move_format(t->move, text);
    n = fprintf(x->f,
                "%016" PRIx64 ",%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64
                ",%" PRIu64,
                t->key, fen, text, t->games[PGN_RED_WINS], t->games[PGN_DRAW],
                t->games[PGN_BLACK_WINS], t->games[PGN_UNKNOWN]);
    if (n >= 0 && t->move == XQ_NOMOVE)
        n = fputs(",,,,,\n", x->f);
    else if (n >= 0 && !*fen && !t->weight_given)
        /* whose turn it is, is not known, so there is no weight */
        n = fprintf(x->f, ",,0,%" PRIu64 ",%" PRIu64 ",%u\n", t->elo_games,
                    t->elo_sum, t->year);
    else if (n >= 0)
        n = fprintf(x->f, ",%" PRIu64 ",%d,%" PRIu64 ",%" PRIu64 ",%u\n",
                    t->weight, t->weight_given, t->elo_games, t->elo_sum,
                    t->year);
    x->sum += bk_hash_tally(t);
    x->r->records += t->move != XQ_NOMOVE;
    return n < 0 ? bk_export_failed(x, err) : XQ_OK;
}

static xq_status write_csv(bk_export *x, const bk_entry *e, const char *fen,
                           xq_err *err)
{
    bk_tally t;
    tally_of(&t, e->key, NULL, &e->counts);
    xq_status rc = csv_row(x, &t, fen, err);
    for (unsigned i = 0; i < e->n && rc == XQ_OK; i++) {
        tally_of(&t, e->key, &e->moves[i], &e->moves[i].counts);
        rc = csv_row(x, &t, fen, err);
    }
    return rc;
}

static int json_counts(FILE *f, const bk_tally *t)
{
    return fprintf(f,
                   "\"games\":%" PRIu64 ",\"red\":%" PRIu64 ",\"draw\":%" PRIu64
                   ",\"black\":%" PRIu64 ",\"unknown\":%" PRIu64,
                   t->games[0] + t->games[1] + t->games[2] + t->games[3],
                   t->games[PGN_RED_WINS], t->games[PGN_DRAW],
                   t->games[PGN_BLACK_WINS], t->games[PGN_UNKNOWN]);
}

static xq_status write_json(bk_export *x, const bk_entry *e, const char *fen,
                            xq_err *err)
{
    bk_tally t;
    const char *const quote = *fen ? "\"" : "";
    tally_of(&t, e->key, NULL, &e->counts);
    x->sum += bk_hash_tally(&t);
    bool ok = fprintf(x->f, "{\"key\":\"%016" PRIx64 "\",%s\"fen\":%s%s%s,",
                      e->key, x->one_wing ? "\"one_wing\":true," : "", quote,
                      *fen ? fen : "null", quote) >= 0 &&
              json_counts(x->f, &t) >= 0 && fputs(",\"moves\":[", x->f) >= 0;
    for (unsigned i = 0; i < e->n && ok; i++) {
        char text[5];
        tally_of(&t, e->key, &e->moves[i], &e->moves[i].counts);
        x->sum += bk_hash_tally(&t);
        x->r->records++;
        xq_move_format(t.move, text);
        ok = fprintf(x->f, "%s{\"move\":\"%s\",", i ? "," : "", text) >= 0 &&
             json_counts(x->f, &t) >= 0 &&
             (*fen || t.weight_given
                  ? fprintf(x->f, ",\"weight\":%" PRIu64, t.weight)
                  : fputs(",\"weight\":null", x->f)) >= 0 &&
             fprintf(x->f,
                     ",\"weight_given\":%s"
                     ",\"elo_games\":%" PRIu64 ",\"elo_sum\":%" PRIu64
                     ",\"last_year\":%u}",
                     t.weight_given ? "true" : "false", t.elo_games, t.elo_sum,
                     t.year) >= 0;
    }
    return ok && fputs("]}\n", x->f) >= 0 ? XQ_OK : bk_export_failed(x, err);
}

/* A position that the walk has met: the entry in its key's frame. */
static xq_status write_met(bk_export *x, const xq_pos *p, const bk_entry *e,
                           bk_entry *out, writer write, xq_err *err)
{
    xq_pos q = *p;
    char fen[XQ_FEN_MAX];
    bool mirrored = false;
    out->key = x->one_wing ? p->key : xq_canon_key(p, &mirrored);
    if (mirrored)
        xq_pos_mirror(&q, p);
    q.halfmove = 0;
    q.fullmove = 1;
    xq_fen_format(&q, fen);
    out->counts = e->counts;
    out->n = e->n;
    for (unsigned i = 0; i < e->n; i++) {
        out->moves[i] = e->moves[i];
        if (mirrored)
            out->moves[i].move = xq_move_mirror(e->moves[i].move);
    }
    return write(x, out, fen, err);
}

/* Positions that the walk has not met, and those without moves. */
static xq_status write_rest(bk_export *x, bk_entry *e, writer write,
                            xq_err *err)
{
    bk_cursor *c = NULL;
    xq_status rc = bk_cursor_open(&c, x->book, err);
    while (rc == XQ_OK && (rc = bk_cursor_next(c, e, err)) == XQ_OK) {
        bool met = false;
        if (e->n > 0)
            rc = bk_walk_met(x->walk, e->key, &met, err);
        if (rc == XQ_OK && !met) {
            rc = write(x, e, "", err);
        }
    }
    bk_cursor_close(c);
    return rc == XQ_DONE ? XQ_OK : rc;
}

static xq_status export(bk_export *x, writer write, xq_err *err)
{
    bk_entry *const scratch = malloc(sizeof *scratch);
    const xq_pos *p;
    const bk_entry *e;
    xq_status rc = scratch ? XQ_OK : xq_fail(err, XQ_ENOMEM, "out of memory");
    while (rc == XQ_OK && (rc = bk_export_next(x, &p, &e, err)) == XQ_OK)
        rc = write_met(x, p, e, scratch, write, err);
    if (rc == XQ_DONE)
        rc = write_rest(x, scratch, write, err);
    free(scratch);
    if (rc == XQ_OK && fflush(x->f) != 0)
        rc = bk_export_failed(x, err);
    return rc;
}

xq_status bk_csv_export(bk_export *x, xq_err *err)
{
    struct csv c = {.one_wing = x->one_wing};
    bk_input *in = NULL;
    if (x->one_wing && fputs("plain_", x->f) < 0)
        return bk_export_failed(x, err);
    for (unsigned k = 0; k < FIELDS; k++)
        if (fprintf(x->f, "%s%s", FIELD[k], k + 1 < FIELDS ? "," : "\n") < 0)
            return bk_export_failed(x, err);
    xq_status rc = export(x, write_csv, err);
    if (rc == XQ_OK)
        rc = bk_input_open(&in, x->tmp, err);
    if (rc == XQ_OK)
        rc = read_csv(&c, in, err);
    bk_input_close(in);
    x->check = c.sink.sum;
    return rc;
}

xq_status bk_json_export(bk_export *x, xq_err *err)
{
    struct json js = {.one_wing = x->one_wing};
    bk_input *in = NULL;
    xq_status rc = export(x, write_json, err);
    if (rc == XQ_OK)
        rc = bk_input_open(&in, x->tmp, err);
    if (rc == XQ_OK)
        rc = read_json(&js, in, err);
    bk_input_close(in);
    x->check = js.sink.sum;
    return rc;
}
