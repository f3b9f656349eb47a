/* fmt_dhtmlxq.c - DhtmlXQ (UBB) of dpxq.com, and DHJHtmlXQ.
 *
 *   [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]    x y x y, y from the top
 *   [DhtmlXQ_move_0_2_1]7242[/DhtmlXQ_move_0_2_1]    line 1: instead of ply 2
 *                                                    of line 0, the main line
 *   [DhtmlXQ_comment2]...[/DhtmlXQ_comment2]         behind ply 2
 *   [DhtmlXQ_comment1_2]...                          behind ply 2 of line 1
 *
 * Lines and comments come in any order, so they are gathered first and then
 * played in the order in which PGN would have them; neither pass recurses.
 * A value ends at the next [/DhtmlXQ or [DhtmlXQ, whatever its name: common
 * writers close [DhtmlXQ_blacktime] as time, which is a warning.  A second
 * movelist, title or binit begins a game.  What stands outside the tags, a web
 * page, is passed over; ver, init, generator and empty tags are left out.
 *
 * fen counts before binit, and the first mover's colour tells the side.
 * About 120 ns a node (2 GHz-class machine).  Source: formats reference 6.5. */
#include "libpgn/dhtmlxq.h"
#include "libpgn/fmt_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const pgn_dhtmlxq_name pgn_dhtmlxq_names[] = {
    {"title", "Title", 10},
    {"event", "Event", 11},
    {"date", "Date", 13},
    {"place", "Site", 14},
    {"round", "Round", 15},
    {"table", "Table", 16},
    {"red", "Red", 17},
    {"redname", "RedName", 18},
    {"redlevel", "RedTitle", 19},
    {"redrating", "RedElo", 20},
    {"black", "Black", 21},
    {"blackname", "BlackName", 22},
    {"blacklevel", "BlackTitle", 23},
    {"blackrating", "BlackElo", 24},
    {"redtime", "RedTime", 29},
    {"blacktime", "BlackTime", 30},
    {"open", "Opening", 36},
    {"variation", "Variation", 37},
    {"remark", "Remark", 40},
    {"author", "Author", 41},
    {"record", "Recorder", 42},
    {"redteam", "RedTeam", 0},
    {"blackteam", "BlackTeam", 0},
    {"redeng", "RedNameEng", 0},
    {"blackeng", "BlackNameEng", 0},
    {"group", "Group", 0},
    {"class", "Class", 0},
    {"type", "Type", 0},
    {"gametype", "GameType", 0},
    {"timerule", "TimeControl", 0},
    {"endtype", "Termination", 0},
    {"ecco", "ECCO", 0},
    {"judge", "Referee", 0},
    {"owner", "Owner", 0},
    {"hits", "Hits", 0},
    {"adddate", "AddDate", 0},
    {"length", "PlyCount", 0},
    {NULL, NULL, 0},
};

const uint8_t pgn_dhtmlxq_kinds[16] = {
    XQ_ROOK,     XQ_HORSE, XQ_ELEPHANT, XQ_ADVISOR, XQ_KING,   XQ_ADVISOR,
    XQ_ELEPHANT, XQ_HORSE, XQ_ROOK,     XQ_CANNON,  XQ_CANNON, XQ_PAWN,
    XQ_PAWN,     XQ_PAWN,  XQ_PAWN,     XQ_PAWN};

/* Layout of the program that shows the game, nothing of the game itself. */
static const char *const LAYOUT[] = {"ver", "init", "generator", "version",
                                     NULL};

/* ---- records ---- */

/* Where r->text[line's at] stands in the file: block.c's answer, kept. */
struct place {
    size_t at, raw, lines_raw;
    uint64_t line;
};

struct line {
    uint64_t parent; /* as written: number of the line it branches from */
    uint64_t ply, id;
    size_t at; /* of its moves, in r->text */
    size_t end;
    /* when it is played */
    uint32_t first_kid, kids, next_kid;
    uint32_t first_note, notes, next_note;
    uint32_t up;    /* the line around it */
    uint64_t start; /* ply of its first move */
    uint64_t last;  /* of the last one played */
    struct place place;
};

struct note {
    uint64_t line, ply;
    size_t order, at, end;
};

struct kid {
    uint32_t parent, line;
    uint64_t ply;
};

struct game {
    pgn_reader *r;
    bool dhj; /* DHJHtmlXQ: y from the bottom */
    bool any, has_main, in_block;
    size_t begin, at, to; /* in r->text: the game, what was read, its end */
    struct line *lines;
    size_t nlines, caplines;
    struct note *notes;
    size_t nnotes, capnotes, said;
    struct kid *kids;
    size_t board, nboard, fen, nfen; /* places in r->text */
    bool black;                      /* DHJHtmlXQ says that Black begins */
    bool placed;                     /* the lines have their places */
};

static void *room(struct game *g, void *v, size_t *cap, size_t n, size_t size)
{
    if (n < *cap)
        return v;
    const size_t want = *cap ? 2 * *cap : 32;
    void *p = xq_arena_alloc(&g->r->arena, want * size);
    if (!p) {
        g->r->failed = true;
        return NULL;
    }
    if (n)
        memcpy(p, v, n * size);
    *cap = want;
    return p;
}

/* ---- values ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Digits at *p as a number, which stops growing where none is as large. */
static uint64_t number(const char **p, const char *end)
{
    uint64_t n = 0;
    for (; *p < end && is_digit(**p); ++*p)
        if (n < UINT64_C(1) << 48)
            n = 10 * n + (uint64_t)(**p - '0');
    return n;
}

static int hex(char c)
{
    if (is_digit(c))
        return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* \u4e2d at p: the character, or 0. */
static uint32_t unicode_escape(const char *p, const char *end)
{
    uint32_t cp = 0;
    if (end - p < 6 || p[0] != '\\' || p[1] != 'u')
        return 0;
    for (int i = 2; i < 6; i++) {
        const int h = hex(p[i]);
        if (h < 0)
            return 0;
        cp = cp << 4 | (uint32_t)h;
    }
    return cp;
}

/* &amp; and the like at p: the character and its length, or 0. */
static uint32_t entity(const char *p, const char *end, size_t *len)
{
    static const struct {
        const char *text;
        uint32_t cp;
    } NAMES[] = {{"&amp;", '&'},  {"&lt;", '<'},    {"&gt;", '>'},
                 {"&quot;", '"'}, {"&apos;", '\''}, {"&nbsp;", ' '}};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        *len = strlen(NAMES[i].text);
        if ((size_t)(end - p) >= *len && !memcmp(p, NAMES[i].text, *len))
            return NAMES[i].cp;
    }
    const char *q = p + 2;
    uint32_t cp = 0;
    if (end - p < 4 || p[1] != '#')
        return 0;
    const bool base16 = (*q | 32) == 'x';
    q += base16;
    for (; q < end && q - p < 12 && *q != ';'; q++) {
        const int d = hex(*q);
        if (d < 0 || (!base16 && d > 9) || cp > 0x10FFFF)
            return 0;
        cp = cp * (base16 ? 16 : 10) + (uint32_t)d;
    }
    *len = (size_t)(q - p) + 1;
    return q < end && *q == ';' && cp <= 0x10FFFF &&
                   (cp < 0xD800 || cp > 0xDFFF)
               ? cp
               : 0;
}

/* A value with escapes and entities resolved; `lines`: || is a break. */
static xq_str decoded(pgn_reader *r, const char *p, const char *end, bool lines)
{
    const size_t n = (size_t)(end - p);
    if (!memchr(p, '&', n) && !memchr(p, '\\', n) &&
        (!lines || !memmem(p, n, "||", 2)))
        return (xq_str){p, n};
    char *out = xq_arena_alloc(&r->arena, n + 4);
    size_t k = 0;
    if (!out) {
        r->failed = true;
        return (xq_str){NULL, 0};
    }
    while (p < end) {
        size_t len = 6;
        uint32_t cp = 0;
        if (*p == '\\') {
            cp = unicode_escape(p, end);
            const uint32_t low =
                cp >= 0xD800 && cp < 0xDC00 ? unicode_escape(p + 6, end) : 0;
            if (low >= 0xDC00 && low < 0xE000) {
                cp = 0x10000 + ((cp - 0xD800) << 10) + (low - 0xDC00);
                len = 12;
            } else if (cp >= 0xD800 && cp < 0xE000) {
                cp = 0;
            }
        } else if (*p == '&') {
            cp = entity(p, end, &len);
        } else if (lines && *p == '|' && end - p > 1 && p[1] == '|') {
            cp = '\n';
            len = 2;
        }
        if (cp == 0xFEFF) /* dropped wherever text is decoded */
            p += len;
        else if (cp) {
            k += pgn_utf8_put(cp, out + k);
            p += len;
        } else {
            out[k++] = *p++;
        }
    }
    return (xq_str){out, k};
}

/* ---- pass 1: tags ---- */

static void add_line(struct game *g, uint64_t parent, uint64_t ply, uint64_t id,
                     size_t at, size_t end)
{
    struct line *v = room(g, g->lines, &g->caplines, g->nlines, sizeof *v);
    if (!v)
        return;
    g->lines = v;
    v[g->nlines++] = (struct line){
        .parent = parent, .ply = ply, .id = id, .at = at, .end = end};
}

static void add_note(struct game *g, uint64_t line, uint64_t ply, size_t at,
                     size_t end)
{
    if (g->r->opts.main_only)
        return;
    struct note *v = room(g, g->notes, &g->capnotes, g->nnotes, sizeof *v);
    if (!v)
        return;
    g->notes = v;
    v[g->nnotes] = (struct note){line, ply, g->nnotes, at, end};
    g->nnotes++;
}

static bool begins(xq_str s, const char *head)
{
    const size_t n = strlen(head);
    return s.n >= n && !memcmp(s.s, head, n);
}

/* move_0_5_1, comment3, comment1_5; false: the name is none of these. */
static bool line_tag(struct game *g, xq_str name, size_t at, size_t end)
{
    uint64_t n[3] = {0, 0, 0};
    unsigned k = 0;
    const bool move = begins(name, "move_"), note = begins(name, "comment");
    const char *p = name.s + (move ? 5 : 7), *e = name.s + name.n;
    if (!move && !note)
        return false;
    while (p < e && k < 3 && is_digit(*p)) {
        n[k++] = number(&p, e);
        if (p < e && *p == '_')
            p++;
    }
    if (p < e || (move ? k != 3 : k != 1 && k != 2))
        return false;
    if (move && !g->r->opts.main_only)
        add_line(g, n[0], n[1], n[2], at, end);
    else if (note && k == 1)
        add_note(g, 0, n[0], at, end);
    else if (note)
        add_note(g, n[0], n[1], at, end);
    return true;
}

static void other_tag(struct game *g, xq_str name, size_t at, size_t end)
{
    pgn_reader *r = g->r;
    const char *s = r->text;
    for (size_t i = 0; LAYOUT[i]; i++)
        if (!g->dhj && xq_str_eq(name, xq_str_of(LAYOUT[i])))
            return;
    const xq_str value = pgn_text_value(r, decoded(r, s + at, s + end, false));
    const char *p = name.s;
    const uint64_t n = g->dhj ? number(&p, name.s + name.n) : 0;
    if (value.n == 0 || (n == 33 && g->dhj) ||
        (!g->dhj && xq_str_eq(name, xq_str_of("firstnum")) &&
         xq_str_eq(value, xq_str_of("0"))))
        return;
    if (xq_str_eq(name, xq_str_of("result")) || n == 28) {
        pgn_text_result(r, value, at);
        return;
    }
    const pgn_dhtmlxq_name *known = pgn_dhtmlxq_names;
    while (known->theirs && (n ? known->number != n
                               : !xq_str_eq(name, xq_str_of(known->theirs))))
        known++;
    if (known->theirs) {
        pgn_build_tag(r, xq_str_of(known->ours), value, at);
    } else if (n) { /* a name of PGN begins with a letter */
        char text[32];
        snprintf(text, sizeof text, "DHJ%llu", (unsigned long long)n);
        const xq_str own = xq_arena_copy(&r->arena, xq_str_of(text));
        if (own.s)
            pgn_build_tag(r, own, value, at);
        else
            r->failed = true;
    } else {
        pgn_build_tag(r, name, value, at);
    }
}

/* move_ and numbers, but not the three of a line. */
static bool is_no_line(xq_str name)
{
    if (!begins(name, "move_") || name.n == 5)
        return false;
    for (size_t i = 5; i < name.n; i++)
        if (!is_digit(name.s[i]) && name.s[i] != '_')
            return false;
    return true;
}

static void one_tag(struct game *g, xq_str name, size_t at, size_t end)
{
    const char *p = name.s;
    const uint64_t n = g->dhj ? number(&p, name.s + name.n) : 0;
    if (n == 34 || xq_str_eq(name, xq_str_of("movelist"))) {
        g->has_main = true;
        g->lines[0].at = at;
        g->lines[0].end = end;
    } else if (n == 31 || xq_str_eq(name, xq_str_of("binit"))) {
        g->board = at;
        g->nboard = end - at;
    } else if (n == 32) {
        g->black = end > at && g->r->text[at] == '1';
    } else if (xq_str_eq_nocase(name, xq_str_of("fen"))) {
        g->fen = at;
        g->nfen = end - at;
    } else if (!g->dhj && line_tag(g, name, at, end)) {
        ;
    } else if (!g->dhj && is_no_line(name)) {
        pgn_build_problem(g->r, PGN_WARNING, PGN_P_STRUCTURE, at, 0, name,
                          "a variation that says not where it belongs "
                          "(%.*s) is dropped",
                          pgn_build_shown(name), name.s);
    } else {
        other_tag(g, name, at, end);
    }
}

/* Where the mark of a tag, open or close, stands at or behind p. */
static const char *next_mark(const char *p, const char *end)
{
    for (; p < end; p++) {
        p = memchr(p, '[', (size_t)(end - p));
        if (!p)
            return end;
        const char *q = p + 1;
        if (q < end && *q == '/')
            q++;
        const size_t n = (size_t)(end - q);
        if ((n >= 7 && !memcmp(q, "DhtmlXQ", 7)) ||
            (n >= 9 && !memcmp(q, "DHJHtmlXQ", 9)) ||
            (n >= 13 && !memcmp(q, "game_comment_", 13)) ||
            (q[-1] == '/' && n >= 8 && !memcmp(q, "comment_", 8)))
            return p;
    }
    return end;
}

/* The name of the mark at p, which is behind '['; NULL s: there is none.
 * *open: no '/' stands before it. */
static xq_str mark_name(const char *p, const char *end, bool *open, bool *dhj)
{
    *open = *p != '/';
    p += !*open;
    *dhj = end - p >= 9 && !memcmp(p, "DHJHtmlXQ", 9);
    const char *most = end - p > 200 ? p + 200 : end, *e = p;
    while (e < most && *e != ']' && *e != '[' && (unsigned char)*e > ' ')
        e++;
    return e < most ? (xq_str){p, (size_t)(e - p)} : (xq_str){NULL, 0};
}

/* What stands behind a mark of that name, its bracket if there is one. */
static const char *behind_mark(xq_str name, const char *end)
{
    const char *p = name.s + name.n;
    return p + (p < end && *p == ']');
}

/* Only one game has these: a second one begins another. */
static bool begins_game(const struct game *g, xq_str name)
{
    return g->has_main && (xq_str_eq(name, xq_str_of("movelist")) ||
                           xq_str_eq(name, xq_str_of("title")) ||
                           xq_str_eq(name, xq_str_of("binit")) ||
                           xq_str_eq(name, xq_str_of("ver")) ||
                           (g->dhj && (xq_str_eq(name, xq_str_of("34")) ||
                                       xq_str_eq(name, xq_str_of("31")))));
}

static void begin(struct game *g, const char *p)
{
    if (g->any)
        return;
    g->any = true;
    g->begin = pgn_text_at(g->r, p);
    pgn_build_start(g->r, g->begin);
    if (!g->r->failed)
        add_line(g, 0, 0, 0, g->begin, g->begin);
}

/* The tag that the mark at p opens, `name` its name behind DhtmlXQ_. */
static const char *read_tag(struct game *g, const char *p, xq_str name,
                            const char *end)
{
    pgn_reader *r = g->r;
    const char *value = behind_mark(name, end), *e = next_mark(value, end);
    bool open = true, dhj;
    const size_t at = pgn_text_at(r, value);
    begin(g, p);
    if (r->failed)
        return end;
    if (value == name.s + name.n)
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, at, 0, name,
                          "the mark of tag %.*s has no bracket",
                          pgn_build_shown(name), name.s);
    xq_str close = {NULL, 0};
    if (e < end)
        close = mark_name(e + 1, end, &open, &dhj);
    one_tag(g, name, at, pgn_text_at(r, e));
    if (open || !close.s) {
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, at, 0, name,
                          "tag %.*s is never closed", pgn_build_shown(name),
                          name.s);
        return e;
    }
    if (!(close.n >= name.n &&
          !memcmp(close.s + close.n - name.n, name.s, name.n)))
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, at, 0, name,
                          "tag %.*s is closed as %.*s", pgn_build_shown(name),
                          name.s, pgn_build_shown(close), close.s);
    return behind_mark(close, end);
}

/* [game_comment_0_3]...[/comment_0_3], of DHJHtmlXQ. */
static bool game_comment(struct game *g, xq_str name, const char *at,
                         const char *e)
{
    const char *p = name.s + 13, *end = name.s + name.n;
    const uint64_t line = number(&p, end);
    if (p == end || *p++ != '_')
        return false;
    const uint64_t ply = number(&p, end);
    if (p == end)
        add_note(g, line, ply, pgn_text_at(g->r, at), pgn_text_at(g->r, e));
    return true;
}

/* All tags of the game that begins at or behind text[at]. */
static void read_tags(struct game *g)
{
    pgn_reader *r = g->r;
    const char *p = r->text + g->at, *end = r->text + r->ntext;
    while (!r->failed && (p = next_mark(p, end)) < end) {
        bool open, dhj;
        xq_str name = mark_name(p + 1, end, &open, &dhj);
        if (!name.s) {
            p++;
            continue;
        }
        const char *behind = behind_mark(name, end);
        const size_t head = dhj ? 9 : 7;
        if (begins(name, "game_comment_") && open) {
            const char *e = next_mark(behind, end);
            if (g->any)
                game_comment(g, name, behind, e);
            p = e;
        } else if (begins(name, "comment_")) {
            p = behind;
        } else if (name.n == head) { /* [DhtmlXQ], [/DhtmlXQ] */
            if (g->any && open)
                break;
            p = behind;
            if (g->any)
                break;
        } else if (!open || name.s[head] != '_') {
            p = behind; /* [DhtmlXQHTML], a stray close */
        } else {
            const xq_str own = {name.s + head + 1, name.n - head - 1};
            if (g->any && (dhj != g->dhj || begins_game(g, own)))
                break;
            g->dhj = dhj;
            p = read_tag(g, p, own, end);
        }
    }
    g->to = pgn_text_at(r, p < end ? p : end);
}

/* ---- the start position ---- */

static void refuse(struct game *g, const char *why, xq_str text)
{
    pgn_reader *r = g->r;
    pgn_build_problem(r, PGN_ERROR, PGN_P_FEN, g->board, 0, text,
                      "start position refused: %s", why);
    pgn_build_setup(r);
    r->line.dead = true;
    r->broken = true;
}

/* 90 letters from the top, anything else is empty. */
static bool letters(const char *p, size_t n, uint8_t at[XQ_SQUARES])
{
    static const char LETTERS[] = "KABNRCPEHkabnrcpeh";
    static const uint8_t KINDS[] = {XQ_KING,  XQ_ADVISOR,  XQ_ELEPHANT,
                                    XQ_HORSE, XQ_ROOK,     XQ_CANNON,
                                    XQ_PAWN,  XQ_ELEPHANT, XQ_HORSE};
    if (n != 90)
        return false;
    for (int i = 0; i < 90; i++) {
        const char *l = p[i] ? strchr(LETTERS, p[i]) : NULL;
        if (l)
            at[xq_sq_of(i % 9, 9 - i / 9)] =
                xq_piece_of(l - LETTERS < 9 ? XQ_RED : XQ_BLACK,
                            (xq_kind)KINDS[(l - LETTERS) % 9]);
    }
    return true;
}

/* 32 times x y; 99 is absent.  *twice: two pieces on one square. */
static bool pairs(const char *p, size_t n, uint8_t at[XQ_SQUARES], bool *twice)
{
    if (n != 64)
        return false;
    for (size_t i = 0; i < 32; i++, p += 2) {
        if (!is_digit(p[0]) || !is_digit(p[1]))
            return false;
        if (p[0] == '9')
            continue;
        const xq_sq s = xq_sq_of(p[0] - '0', '9' - p[1]);
        *twice = *twice || at[s] != XQ_EMPTY;
        at[s] = xq_piece_of(i < 16 ? XQ_RED : XQ_BLACK,
                            (xq_kind)pgn_dhtmlxq_kinds[i % 16]);
    }
    return true;
}

/* The colour of what the first move moves; Red when there is none. */
static xq_side first_mover(const struct game *g, const uint8_t at[XQ_SQUARES])
{
    const char *p = g->r->text + g->lines[0].at,
               *end = g->r->text + g->lines[0].end;
    while (p < end && (unsigned char)*p <= ' ')
        p++;
    if (end - p < 2 || !is_digit(p[0]) || !is_digit(p[1]) || p[0] == '9')
        return g->black ? XQ_BLACK : XQ_RED;
    const int rank = g->dhj ? p[1] - '0' : '9' - p[1];
    const uint8_t piece = at[xq_sq_of(p[0] - '0', rank)];
    if (piece == XQ_EMPTY)
        return g->black ? XQ_BLACK : XQ_RED;
    return xq_piece_side(piece);
}

/* False: no move will be kept. */
static bool set_start(struct game *g)
{
    pgn_reader *r = g->r;
    const char *f = r->text + g->fen; /* may hold what a writer escaped */
    const xq_str fen =
        pgn_text_trim(decoded(r, f, f + (g->fen ? g->nfen : 0), false));
    const xq_str board =
        pgn_text_trim((xq_str){r->text + g->board, g->board ? g->nboard : 0});
    uint8_t at[XQ_SQUARES];
    bool twice = false;
    if (fen.n) {
        pgn_text_fen(r, fen, g->fen);
        return pgn_build_setup(r);
    }
    memcpy(at, r->standard.at, sizeof at);
    if (board.n) {
        memset(at, XQ_EMPTY, sizeof at);
        if (!(g->dhj ? letters(board.s, board.n, at)
                     : pairs(board.s, board.n, at, &twice))) {
            refuse(g, g->dhj ? "90 characters expected" : "64 digits expected",
                   board);
            return false;
        }
    }
    const xq_side side = first_mover(g, at);
    if (side == XQ_RED && !memcmp(at, r->standard.at, sizeof at))
        return pgn_build_setup(r);
    xq_pos p;
    xq_err err = {0};
    if (xq_pos_set(&p, at, side, &err) < 0) {
        refuse(g, err.msg, board);
        return false;
    }
    if (twice)
        pgn_build_problem(r, PGN_WARNING, PGN_P_FEN, g->board, 0, board,
                          "two pieces on one square, the later one counts");
    char text[XQ_FEN_MAX];
    const size_t n = xq_fen_format(&p, text);
    const xq_str own = xq_arena_copy(&r->arena, (xq_str){text, n});
    if (!own.s) {
        r->failed = true;
        return false;
    }
    pgn_build_tag(r, xq_str_of("FEN"), own, g->board ? g->board : g->begin);
    return pgn_build_setup(r);
}

/* ---- lines in order ---- */

static int by_id(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

static int by_parent(const void *a, const void *b)
{
    const struct kid *x = a, *y = b;
    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    if (x->ply != y->ply)
        return x->ply < y->ply ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static int by_place(const void *a, const void *b)
{
    const struct note *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->ply != y->ply)
        return x->ply < y->ply ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

/* The line of that number, or nlines. */
static size_t find_line(const struct game *g, uint64_t id)
{
    size_t lo = 0, hi = g->nlines;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        if (g->lines[mid].id < id)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < g->nlines && g->lines[lo].id == id ? lo : g->nlines;
}

/* Where line i really branches off: a ply before its parent's first one is
 * one of the line around that. */
static size_t parent_of(const struct game *g, size_t i, size_t *steps)
{
    size_t p = find_line(g, g->lines[i].parent);
    while (p < g->nlines && p > 0 && g->lines[i].ply < g->lines[p].ply) {
        if (++*steps > 4000000) /* a limit for input made to be slow */
            return g->nlines;
        p = find_line(g, g->lines[p].parent);
    }
    return p;
}

/* Put kids and notes to their lines. */
static bool link_lines(struct game *g)
{
    const size_t n = g->nlines;
    size_t steps = 0;
    if (n > UINT32_MAX / 2 || g->nnotes > UINT32_MAX / 2)
        return false;
    g->lines[0].start = 1;
    if (n > 1) {
        /* the main line, added first, stays first: no other may be line 0 */
        qsort(g->lines + 1, n - 1, sizeof *g->lines, by_id);
        g->kids = xq_arena_alloc(&g->r->arena, n * sizeof *g->kids);
        if (!g->kids)
            return false;
        for (size_t i = 1; i < n; i++) {
            const size_t p = parent_of(g, i, &steps);
            g->lines[i].start = g->lines[i].ply;
            g->kids[i - 1] =
                (struct kid){(uint32_t)p, (uint32_t)i, g->lines[i].ply};
        }
        qsort(g->kids, n - 1, sizeof *g->kids, by_parent);
        for (size_t i = 0; i < n - 1 && g->kids[i].parent < n; i++) {
            struct line *l = &g->lines[g->kids[i].parent];
            if (l->kids++ == 0)
                l->first_kid = (uint32_t)i;
        }
    }
    if (g->nnotes > 1)
        qsort(g->notes, g->nnotes, sizeof *g->notes, by_place);
    for (size_t i = 0; i < g->nnotes; i++) {
        const size_t k = find_line(g, g->notes[i].line);
        if (k < n && g->lines[k].notes++ == 0)
            g->lines[k].first_note = (uint32_t)i;
    }
    return true;
}

/* ---- places ---- */

struct by_at {
    size_t at;
    uint32_t line;
};

static int by_at(const void *a, const void *b)
{
    const struct by_at *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* A problem of line l is about to be noted.  Places are cheap to tell in
 * rising order only, and lines are played in another one: all are told at
 * once, and the reader goes on from there. */
static void go_to(struct game *g, const struct line *l)
{
    pgn_reader *r = g->r;
    if (!g->placed) {
        struct by_at *v = xq_arena_alloc(&r->arena, g->nlines * sizeof *v);
        if (!v) {
            r->failed = true;
            return;
        }
        for (size_t i = 0; i < g->nlines; i++)
            v[i] = (struct by_at){g->lines[i].at, (uint32_t)i};
        qsort(v, g->nlines, sizeof *v, by_at);
        for (size_t i = 0; i < g->nlines; i++) {
            uint64_t byte, line;
            pgn_block_where(r, v[i].at, &byte, &line);
            g->lines[v[i].line].place = (struct place){
                r->mark_at, r->mark_raw, r->mark_lines_raw, r->mark_line};
        }
        g->placed = true;
    }
    r->mark_at = l->place.at;
    r->mark_raw = l->place.raw;
    r->mark_lines_raw = l->place.lines_raw;
    r->mark_line = l->place.line;
}

/* ---- pass 2: playing ---- */

static void play_notes(struct game *g, struct line *l)
{
    pgn_reader *r = g->r;
    while (l->next_note < l->notes) {
        const struct note *n = &g->notes[l->first_note + l->next_note];
        if (n->ply > l->last)
            return;
        /* of plies before the line's own: said of its first move */
        l->next_note++;
        g->said++;
        pgn_build_comment(r,
                          pgn_text_comment(r, decoded(r, r->text + n->at,
                                                      r->text + n->end, true)));
    }
}

/* The next move of the line; false at its end and where it fails. */
static bool play_move(struct game *g, struct line *l, bool *faulty)
{
    pgn_reader *r = g->r;
    const char *p = r->text + l->at, *end = r->text + l->end;
    while (p < end && ((unsigned char)*p <= ' ' || *p == ','))
        p++;
    l->at = pgn_text_at(r, p);
    if (p == end)
        return false;
    *faulty = true;
    if (end - p < 4 || !is_digit(p[0]) || !is_digit(p[1]) || !is_digit(p[2]) ||
        !is_digit(p[3]) || p[0] == '9' || p[2] == '9') {
        const char *e = p;
        while (e < end && e - p < 4 && (unsigned char)*e > ' ')
            e++;
        while (e < end && ((unsigned char)*e & 0xC0) == 0x80)
            e++;
        if (!r->line.dead) {
            go_to(g, l);
            pgn_build_problem(r, PGN_ERROR, PGN_P_MOVE, l->at, r->line.ply + 1,
                              (xq_str){p, (size_t)(e - p)},
                              "\"%.*s\" is no move: two squares of two digits "
                              "expected; kept %u of the line",
                              (int)(e - p), p, (unsigned)r->line.count);
        }
        r->line.dead = true;
        if (r->depth == 0)
            r->broken = true;
        return false;
    }
    const xq_move m =
        xq_move_make(xq_sq_of(p[0] - '0', g->dhj ? p[1] - '0' : '9' - p[1]),
                     xq_sq_of(p[2] - '0', g->dhj ? p[3] - '0' : '9' - p[3]));
    if (!r->line.dead && !xq_move_is_legal(&r->line.pos, m))
        go_to(g, l);
    if (r->failed || !pgn_text_play(r, m, l->at))
        return false;
    l->at += 4;
    l->last++;
    *faulty = false;
    return true;
}

static void open_line(struct game *g, struct line *l)
{
    l->last = l->start - 1;
    play_notes(g, l);
}

static void play_lines(struct game *g)
{
    pgn_reader *r = g->r;
    struct line *l = &g->lines[0];
    bool faulty = false;
    size_t played = 1;
    l->start = 1;
    open_line(g, l);
    while (!r->failed) {
        const struct kid *k =
            l->next_kid < l->kids ? &g->kids[l->first_kid + l->next_kid] : NULL;
        if (!faulty && k && k->ply == l->last && k->ply > 0 &&
            r->line.count > 0) {
            struct line *v = &g->lines[k->line];
            l->next_kid++;
            v->up = (uint32_t)(l - g->lines);
            pgn_build_enter(r, v->at);
            l = v;
            played++;
            open_line(g, l);
        } else if (!faulty && k && k->ply <= l->last) {
            l->next_kid++; /* ply 0 */
            played++;
            go_to(g, &g->lines[k->line]);
            pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE,
                              g->lines[k->line].at, 0, (xq_str){NULL, 0},
                              "a variation that replaces no move is dropped");
        } else if (!faulty && play_move(g, l, &faulty)) {
            play_notes(g, l);
        } else {
            if (l == g->lines)
                break;
            if (r->line.count == 0 && !r->line.dead)
                go_to(g, l); /* a variation without a move */
            pgn_build_leave(r, l->at);
            l = &g->lines[l->up];
            faulty = false;
        }
    }
    const size_t lines = g->nlines - played, notes = g->nnotes - g->said;
    if ((lines || notes) && !r->game.faulty)
        pgn_build_problem(
            r, PGN_WARNING, PGN_P_STRUCTURE, g->begin, 0, (xq_str){NULL, 0},
            "%zu variation%s and %zu comment%s belong to no move "
            "of the game",
            lines, lines == 1 ? "" : "s", notes, notes == 1 ? "" : "s");
}

/* ---- the format ---- */

static void read_game(struct game *g)
{
    pgn_reader *r = g->r;
    const bool ours = set_start(g);
    if (!r->failed && !link_lines(g))
        r->failed = true;
    if (r->failed)
        return;
    if (ours && !g->has_main && g->nlines > 1)
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, g->begin, 0,
                          (xq_str){NULL, 0}, "variations without a main line");
    if (ours)
        play_lines(g);
    pgn_text_finish(r, g->to, false);
    r->game.notation = PGN_ICCS;
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    for (;;) {
        struct game g = {.r = r, .at = r->pos};
        if (r->pos < r->ntext)
            read_tags(&g);
        r->pos = g.to > g.at ? g.to : r->ntext;
        if (r->failed)
            break;
        if (g.any) {
            read_game(&g);
            break;
        }
        if (r->pos < r->ntext)
            continue;
        if (r->at >= r->nraw)
            return XQ_DONE;
        const size_t from = r->at;
        r->at =
            pgn_text_boundary_next(PGN_FMT_DHTMLXQ, r->raw, r->nraw, from + 1);
        if (!pgn_text_load(r, from, r->at))
            break;
    }
    return r->failed ? xq_fail(err, XQ_ENOMEM, "out of memory") : XQ_OK;
}

const pgn_fmt pgn_fmt_dhtmlxq = {PGN_FMT_DHTMLXQ, next};
