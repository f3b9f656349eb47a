/* fmt_csv.c - tables with a move a row (elephantchess.io), rows of a game
 * together.
 *
 *   "move_index","move","game_id","red_player",...,"outcome","engine_analysis"
 *
 * The header names the columns: the game's number, the move, its index, the
 * start position.  What describes a game becomes tags, from its first row;
 * what describes a move (its analysis) becomes its comment; columns that
 * nobody knows become tags of their own name.  Fields are those of RFC 4180,
 * with , ; or tabs between them; a quote that nothing closes is a quote, so
 * that it costs its row and no more.  Of times of single moves the first is
 * kept. */
#include "libpgn/fmt_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum role { TAG, GAME, MOVE, INDEX, FEN, RESULT, TIME, NOTE, ROLES };

static const struct {
    const char *name;
    enum role role;
    const char *tag;
} COLUMNS[] = {
    {"game_id", GAME, NULL},
    {"gameid", GAME, NULL},
    {"game", GAME, NULL},
    {"move", MOVE, NULL},
    {"uci", MOVE, NULL},
    {"iccs", MOVE, NULL},
    {"move_index", INDEX, NULL},
    {"move_number", INDEX, NULL},
    {"ply", INDEX, NULL},
    {"fen", FEN, NULL},
    {"start_fen", FEN, NULL},
    {"outcome", RESULT, NULL},
    {"result", RESULT, NULL},
    {"timestamp", TIME, NULL},
    {"move_analysis", NOTE, NULL},
    {"engine_analysis", NOTE, NULL},
    {"cpl", NOTE, NULL},
    {"comment", NOTE, ""},
    {"annotation", NOTE, ""},
    {"event", TAG, "Event"},
    {"site", TAG, "Site"},
    {"round", TAG, "Round"},
    {"date", TAG, "Date"},
    {"red", TAG, "Red"},
    {"white", TAG, "Red"},
    {"red_player", TAG, "Red"},
    {"black", TAG, "Black"},
    {"black_player", TAG, "Black"},
    {"red_elo", TAG, "RedElo"},
    {"black_elo", TAG, "BlackElo"},
    {"red_elo_before", TAG, "RedElo"},
    {"black_elo_before", TAG, "BlackElo"},
    {"time_control", TAG, "TimeControl"},
    {"game_status", TAG, "Termination"},
    {"rating_mode", TAG, "Mode"},
};

enum { MOST = 256 }; /* columns that are looked at */

/* ---- rows ---- */

struct column {
    enum role role;
    xq_str name, tag; /* tag: empty, its own name */
};

struct table {
    char comma;
    size_t n;
    struct column c[MOST];
    size_t of[ROLES]; /* first column of the role, SIZE_MAX: none */
};

static bool is_break(char c) { return c == '\n' || c == '\r'; }

/* What stands between the fields of the table that begins at p: the first of
 * the three behind its first field, a comma if there is none. */
static char comma_of(const char *p, const char *end)
{
    const char *quote =
        p < end && *p == '"' ? memchr(p + 1, '"', (size_t)(end - p - 1)) : NULL;
    p = quote ? quote + 1 : p;
    while (p < end && *p != ',' && *p != ';' && *p != '\t' && !is_break(*p))
        p++;
    return p < end && !is_break(*p) ? *p : ',';
}

/* Safety limit: a quoted field with line breaks, beyond which its quote is
 * taken for one that nothing closes. */
enum { QUOTED = 64 << 10 };

/* The quote that closes the one at p, doubled ones passed over; NULL: none
 * does, with a comma or a break behind it.  *cut: more text could tell
 * otherwise. */
static const char *quote_end(const char *p, const char *end, char comma,
                             bool *cut)
{
    const char *most = end - p > QUOTED ? p + QUOTED : end;
    for (p++; p < most && (p = memchr(p, '"', (size_t)(most - p))); p++) {
        const char *q = p + 1;
        if (q < end && *q == '"') {
            p++;
            continue;
        }
        while (q < end && *q == ' ')
            q++;
        if (q == end)
            *cut = true;
        return q == end || is_break(*q) || *q == comma ? p : NULL;
    }
    *cut = *cut || most == end;
    return NULL;
}

/* The field at p and, in *next, where the next one of the row begins; NULL
 * when it was the last.  *quoted: doubled quotes may be in it. */
static xq_str field(const char *p, const char *end, char comma,
                    const char **next, bool *quoted)
{
    const char *from = p, *close = NULL;
    bool cut = false; /* no matter here */
    if (p < end && *p == '"') {
        close = quote_end(p, end, comma, &cut);
        from = p + 1;
    }
    *quoted = close != NULL;
    for (p = close ? close : p; p < end && *p != comma && !is_break(*p);)
        p++;
    *next = p < end && *p == comma ? p + 1 : NULL;
    if (!close)
        close = p;
    return (xq_str){from, close > from ? (size_t)(close - from) : 0};
}

struct row {
    const char *p, *end; /* end: its break */
    size_t fields;
    uint64_t index; /* UINT64_MAX: none, or no number */
    bool open;      /* a quote that nothing closes */
    bool cut;       /* where it ends more text could tell otherwise */
};

/* The row at p. */
static struct row row_at(const char *p, const char *end, char comma)
{
    struct row row = {.p = p, .fields = 1, .index = UINT64_MAX};
    bool begins = true; /* a field, which may be quoted */
    for (; p < end && !is_break(*p); p++) {
        if (begins && *p == '"') {
            const char *close = quote_end(p, end, comma, &row.cut);
            row.open = row.open || !close;
            p = close ? close : p;
        }
        begins = *p == comma;
        row.fields += begins;
    }
    row.end = p;
    return row;
}

static const char *row_end(const char *p, const char *end, char comma)
{
    return row_at(p, end, comma).end;
}

/* The field of column k in the row at p. */
static xq_str nth(const char *p, const char *end, char comma, size_t k)
{
    bool quoted;
    while (p && k-- > 0)
        field(p, end, comma, &p, &quoted);
    return p ? field(p, end, comma, &p, &quoted) : (xq_str){NULL, 0};
}

static void table_of(struct table *t, xq_str header)
{
    const char *p = header.s, *end = p + header.n;
    t->comma = comma_of(p, end);
    t->n = 0;
    for (int i = 0; i < ROLES; i++)
        t->of[i] = SIZE_MAX;
    while (p && t->n < MOST) {
        bool quoted;
        struct column *c = &t->c[t->n];
        c->name = pgn_text_trim(field(p, end, t->comma, &p, &quoted));
        c->role = TAG;
        c->tag = c->name;
        for (size_t i = 0; i < sizeof COLUMNS / sizeof *COLUMNS; i++)
            if (xq_str_eq_nocase(c->name, xq_str_of(COLUMNS[i].name))) {
                c->role = COLUMNS[i].role;
                if (COLUMNS[i].tag)
                    c->tag = xq_str_of(COLUMNS[i].tag);
            }
        if (t->of[c->role] == SIZE_MAX)
            t->of[c->role] = t->n;
        t->n++;
    }
}

/* To the next row: over breaks, and byte order marks where files were joined.
 */
static const char *skip_breaks(const char *p, const char *end)
{
    for (;;) {
        if (p < end && is_break(*p))
            p++;
        else if (end - p >= 3 && !memcmp(p, "\xEF\xBB\xBF", 3))
            p += 3;
        else
            return p;
    }
}

/* Over what may stand before the header. */
static const char *skip_space(const char *p, const char *end)
{
    for (const char *q = NULL; p != q;) {
        q = p;
        p = skip_breaks(p, end);
        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
    }
    return p;
}

/* The first row of a table. */
static xq_str header_of(const char *p, const char *end)
{
    const char *e = row_end(p, end, comma_of(p, end));
    return (xq_str){p, (size_t)(e - p)};
}

bool pgn_csv_header(xq_str text, xq_str *header)
{
    struct table t;
    const char *end = text.s + text.n;
    *header = header_of(skip_space(text.s, end), end);
    if (header->n == 0 || header->n > 20000)
        return false;
    table_of(&t, *header);
    return t.n >= 2 && t.of[MOVE] != SIZE_MAX &&
           (t.of[GAME] != SIZE_MAX || t.of[INDEX] != SIZE_MAX);
}

/* Does the row at b begin another game than the row at a?  Judged by what
 * is there of rows that end in [.., end). */
static bool other_game(const struct table *t, const char *a, const char *b,
                       const char *end)
{
    if (t->of[GAME] != SIZE_MAX) {
        const xq_str x = nth(a, end, t->comma, t->of[GAME]),
                     y = nth(b, end, t->comma, t->of[GAME]);
        return !xq_str_eq(x, y);
    }
    /* numbers that begin again */
    const xq_str y = pgn_text_trim(nth(b, end, t->comma, t->of[INDEX]));
    const xq_str x = pgn_text_trim(nth(a, end, t->comma, t->of[INDEX]));
    return y.n == 1 &&
           (y.s[0] == '0' || (y.s[0] == '1' && !(x.n == 1 && x.s[0] == '0')));
}

size_t pgn_csv_boundary_last(xq_str header, const uint8_t *s, size_t n,
                             size_t to)
{
    struct table t;
    const char *text = (const char *)s, *end = text + n;
    const char *row = skip_space(text, end), *last = NULL;
    table_of(&t, header);
    for (;;) {
        const struct row at = row_at(row, end, t.comma);
        const char *next = skip_breaks(at.end, end);
        if (at.cut || next >= end || (size_t)(next - text) >= to)
            return last ? (size_t)(last - text) : 0;
        const struct row behind = row_at(next, end, t.comma);
        if (behind.cut || behind.end == end)
            return last ? (size_t)(last - text) : 0;
        if (other_game(&t, row, next, end))
            last = next;
        row = next;
    }
}

/* ---- reading ---- */

/* Without the doubled quotes. */
static xq_str unquoted(pgn_reader *r, xq_str v, bool quoted)
{
    if (!quoted || !memmem(v.s, v.n, "\"\"", 2))
        return v;
    char *out = xq_arena_alloc(&r->arena, v.n);
    size_t n = 0;
    if (!out) {
        r->failed = true;
        return (xq_str){NULL, 0};
    }
    for (size_t i = 0; i < v.n; i++) {
        out[n++] = v.s[i];
        i += v.s[i] == '"' && i + 1 < v.n && v.s[i + 1] == '"';
    }
    return (xq_str){out, n};
}

/* 2026-07-07T08:31:02Z: date and time of the first move. */
static void timestamp(pgn_reader *r, xq_str v, size_t at)
{
    if (v.n >= 10 && v.s[4] == '-' && v.s[7] == '-') {
        char date[11];
        memcpy(date, v.s, 10);
        date[10] = 0;
        date[4] = date[7] = '.';
        pgn_text_tag(r, "Date", xq_arena_copy(&r->arena, xq_str_of(date)), at);
    }
    pgn_text_tag(r, "Timestamp", v, at);
}

/* A letter, then letters, digits, '_' and '-': what PGN has for a name. */
static bool is_name(xq_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        const char c = s.s[i];
        if (!((c | 32) >= 'a' && (c | 32) <= 'z') &&
            (i == 0 || !((c >= '0' && c <= '9') || c == '_' || c == '-')))
            return false;
    }
    return s.n > 0;
}

/* The header stands in the segment, not in the arena: names are copied. */
static void tag(pgn_reader *r, xq_str name, xq_str v, size_t at)
{
    const xq_str own = xq_arena_copy(&r->arena, name);
    v = pgn_text_value(r, v);
    if (!own.s)
        r->failed = true;
    else if (v.n && is_name(own))
        pgn_build_tag(r, own, v, at);
}

/* Tags from the first row of a game. */
static void read_tags(pgn_reader *r, const struct table *t, const char *p,
                      const char *end)
{
    for (size_t i = 0; p && i < t->n; i++) {
        const struct column *c = &t->c[i];
        const size_t at = pgn_text_at(r, p);
        bool quoted;
        xq_str v = field(p, end, t->comma, &p, &quoted);
        v = pgn_text_trim(unquoted(r, v, quoted));
        if (v.n == 0)
            continue;
        if (c->role == GAME && i == t->of[GAME])
            pgn_text_tag(r, "GameId", v, at);
        else if (c->role == FEN && i == t->of[FEN])
            pgn_text_fen(r, v, at);
        else if (c->role == RESULT && i == t->of[RESULT])
            pgn_text_result(r, v, at);
        else if (c->role == TIME && i == t->of[TIME])
            timestamp(r, v, at);
        else if (c->role == TAG)
            tag(r, c->tag, v, at);
    }
}

/* The comment of the move: what describes it, each with its column's name. */
static void read_notes(pgn_reader *r, const struct table *t, const char *p,
                       const char *end)
{
    pgn_buf *b = &r->scratch;
    b->n = 0;
    for (size_t i = 0; p && i < t->n; i++) {
        const struct column *c = &t->c[i];
        bool quoted;
        xq_str v = field(p, end, t->comma, &p, &quoted);
        if (c->role != NOTE)
            continue;
        v = pgn_text_trim(unquoted(r, v, quoted));
        if (v.n == 0)
            continue;
        if (b->n)
            pgn_buf_puts(b, "\n");
        if (c->tag.n) {
            pgn_buf_add(b, c->name.s, c->name.n);
            pgn_buf_puts(b, ": ");
        }
        pgn_buf_add(b, v.s, v.n);
    }
    if (b->n == 0)
        return;
    const xq_str own = xq_arena_copy(&r->arena, (xq_str){b->s, b->n});
    if (b->failed || !own.s)
        r->failed = true;
    else
        pgn_build_comment(r, pgn_text_comment(r, own));
}

/* ---- the rows of a game ---- */

static uint64_t number_of(xq_str v)
{
    uint64_t n = 0;
    v = pgn_text_trim(v);
    for (size_t i = 0; i < v.n; i++) {
        if (v.s[i] < '0' || v.s[i] > '9' || n > 1000000000)
            return UINT64_MAX;
        n = 10 * n + (uint64_t)(v.s[i] - '0');
    }
    return v.n ? n : UINT64_MAX;
}

/* All rows of r->text. */
static struct row *find_rows(pgn_reader *r, const struct table *t, size_t *n)
{
    const char *p = r->text, *end = p + r->ntext;
    struct row *v = NULL;
    size_t cap = 0;
    for (*n = 0; p < end; p = skip_breaks(v[(*n)++].end, end)) {
        if (*n == cap) {
            struct row *w =
                xq_arena_alloc(&r->arena, (cap ? 2 * cap : 64) * sizeof *w);
            if (!w) {
                r->failed = true;
                return NULL;
            }
            if (cap)
                memcpy(w, v, cap * sizeof *w);
            v = w;
            cap = cap ? 2 * cap : 64;
        }
        v[*n] = row_at(p, end, t->comma);
        if (t->of[INDEX] != SIZE_MAX)
            v[*n].index = number_of(nth(p, end, t->comma, t->of[INDEX]));
    }
    return v;
}

static int by_index(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (x->index != y->index)
        return x->index < y->index ? -1 : 1;
    return x->p < y->p ? -1 : x->p > y->p;
}

/* Rows that came in another order than their numbers say. */
static void sort_rows(pgn_reader *r, struct row *v, size_t n)
{
    bool sorted = true;
    for (size_t i = 0; i < n; i++) {
        if (v[i].index == UINT64_MAX)
            return;
        sorted = sorted && (i == 0 || v[i - 1].index <= v[i].index);
    }
    if (sorted)
        return;
    qsort(v, n, sizeof *v, by_index);
    pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, pgn_text_at(r, v->p), 0,
                      (xq_str){NULL, 0},
                      "the rows are not in the order of their moves: sorted");
}

/* The number that the first row of a game says its move has. */
static void check_first(pgn_reader *r, const struct table *t, const char *p,
                        const char *end)
{
    if (t->of[INDEX] == SIZE_MAX)
        return;
    const xq_str v = pgn_text_trim(nth(p, end, t->comma, t->of[INDEX]));
    if (v.n && !(v.n == 1 && (v.s[0] == '0' || v.s[0] == '1')))
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, pgn_text_at(r, p), 0,
                          v,
                          "the first row is of move %.*s: rows of a game must "
                          "stand together, from its first move on",
                          pgn_build_shown(v), v.s);
}

/* Rows that have not the header's columns, and quotes. */
static void check_columns(pgn_reader *r, const struct table *t,
                          const struct row *v, size_t n)
{
    bool columns = false, quote = false;
    for (size_t i = 0; i < n; i++) {
        const size_t at = pgn_text_at(r, v[i].p);
        if (!quote && v[i].open)
            pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, at, 0,
                              (xq_str){NULL, 0}, "a quote is never closed");
        else if (!columns && v[i].fields != t->n && t->n < MOST)
            pgn_build_problem(
                r, PGN_WARNING, PGN_P_STRUCTURE, at, 0, (xq_str){NULL, 0},
                "%zu columns where the header has %zu", v[i].fields, t->n);
        quote = quote || v[i].open;
        columns = columns || v[i].fields != t->n;
    }
}

static xq_str move_of(const pgn_reader *r, const struct table *t,
                      const struct row *row)
{
    return pgn_text_trim(
        nth(row->p, r->text + r->ntext, t->comma, t->of[MOVE]));
}

/* The game cannot go on with row i. */
static void stop(pgn_reader *r, const struct row *row, const char *why)
{
    pgn_build_problem(r, PGN_ERROR, PGN_P_STRUCTURE, pgn_text_at(r, row->p),
                      r->line.ply + 1, (xq_str){NULL, 0}, "%s; kept %u pl%s",
                      why, (unsigned)r->line.ply,
                      r->line.ply == 1 ? "y" : "ies");
    r->line.dead = r->broken = true;
}

static void play(pgn_reader *r, const struct table *t, const struct row *v,
                 size_t n)
{
    const char *end = r->text + r->ntext;
    const bool notes = t->of[NOTE] != SIZE_MAX && !r->opts.main_only;
    size_t last = n; /* behind what may say how the game ended, and no move */
    while (last > 0 && v[last - 1].fields > t->of[MOVE] &&
           move_of(r, t, &v[last - 1]).n == 0)
        last--;
    for (size_t i = 0; i < last && !r->failed && !r->line.dead; i++) {
        const xq_str move = move_of(r, t, &v[i]);
        if (i > 0 && v[i].index != UINT64_MAX && v[i - 1].index != UINT64_MAX &&
            v[i].index > v[i - 1].index + 1)
            stop(r, &v[i], "rows are missing before this one");
        else if (move.n == 0 && (i > 0 || v[i].fields <= t->of[MOVE]))
            stop(r, &v[i], "no move in this row");
        else if (move.n) {
            pgn_text_moves(r, move.s, move.s + move.n);
            if (notes && !r->line.dead)
                read_notes(r, t, v[i].p, end);
        }
    }
}

static void read_game(pgn_reader *r, const struct table *t)
{
    const char *end = r->text + r->ntext;
    size_t n;
    pgn_build_start(r, 0);
    if (r->failed)
        return;
    struct row *v = find_rows(r, t, &n);
    if (r->failed)
        return;
    if (n)
        read_tags(r, t, v->p, end);
    pgn_build_setup(r);
    if (n) {
        sort_rows(r, v, n);
        check_first(r, t, v->p, end);
        check_columns(r, t, v, n);
        play(r, t, v, n);
    }
    pgn_text_finish(r, r->ntext, t->of[RESULT] == SIZE_MAX);
}

/* The header once more, where tables were joined. */
static bool is_header(const struct table *t, const char *p, const char *end)
{
    for (size_t i = 0; i < t->n; i++)
        if (!xq_str_eq(t->c[i].name, pgn_text_trim(nth(p, end, t->comma, i))))
            return false;
    return true;
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    if (r->at >= r->nraw)
        return XQ_DONE;
    const char *raw = (const char *)r->raw, *end = raw + r->nraw;
    const char *p = raw + r->at;
    xq_str header;
    p = skip_breaks(p, end);
    if (r->seg->head) {
        header = xq_str_of(r->seg->head);
    } else { /* a segment that no splitter cut */
        header = header_of(skip_space(raw, end), end);
    }
    if (r->at == 0 && r->seg->first) {
        const xq_str own = header_of(skip_space(p, end), end);
        p = skip_breaks(own.s + own.n, end);
    }
    if (p >= end) {
        r->at = r->nraw;
        return XQ_DONE;
    }
    struct table t;
    table_of(&t, header);
    while (p < end && is_header(&t, p, end))
        p = skip_breaks(row_end(p, end, t.comma), end);
    if (p >= end) {
        r->at = r->nraw;
        return XQ_DONE;
    }
    const char *row = p;
    for (;;) {
        const char *next_row = skip_breaks(row_end(row, end, t.comma), end);
        const bool more = next_row < end && !other_game(&t, row, next_row, end);
        row = next_row;
        if (!more)
            break;
    }
    r->at = (size_t)(row - raw);
    if (!pgn_text_load(r, (size_t)(p - raw), r->at))
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    read_game(r, &t);
    return r->failed ? xq_fail(err, XQ_ENOMEM, "out of memory") : XQ_OK;
}

const pgn_fmt pgn_fmt_csv = {PGN_FMT_CSV, next};
