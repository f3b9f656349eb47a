/* fmt_wxf.c - text files of the World Xiangqi Federation, XieXie and PlayOK.
 *
 *   FORMAT <tab> WXF
 *   RED    <tab> name; rating; ;
 *   FEN    <tab> board <tab> r
 *   START{
 *    1.  C2.4  C2.5    2.  H8+7  H2+3
 *   }END
 *
 * Moves are read by the reader of PGN, which knows the notation and the marks
 * (!!12. belongs to the move before it).  Comments are C's.  A word that fits
 * two pieces (XieXie's P3+1) is decided by the moves behind it where only one
 * way lets the whole game be played, with a warning.  SETUP{ }, in place of
 * FEN, is an error: no sample says what stands in it.  Source: formats
 * reference 3.4. */
#include "libpgn/fmt_text.h"
#include "libpgn/pgn_scan.h"

#include <limits.h>
#include <string.h>

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static const char *skip_space(const char *p, const char *end)
{
    while (p < end && (unsigned char)*p <= ' ')
        p++;
    return p;
}

/* Is this word, up to blanks, '{' or the line's end, at p? */
static bool word_at(const char *p, const char *end, const char *word)
{
    const size_t n = strlen(word);
    return (size_t)(end - p) >= n && !memcmp(p, word, n) &&
           (p + n == end || !is_letter(p[n]));
}

/* START{ at p: what is behind the brace, or NULL. */
static const char *open_at(const char *p, const char *end, const char *word)
{
    if (!word_at(p, end, word))
        return NULL;
    p = skip_space(p + strlen(word), end);
    return p < end && *p == '{' ? p + 1 : NULL;
}

/* The next }END, where the moves end; else the first } before the next START;
 * end: nowhere. */
static const char *find_end(const char *p, const char *end)
{
    const char *first = NULL, *from = p;
    while ((p = memchr(p, '}', (size_t)(end - p)))) {
        if (first && memmem(from, (size_t)(p - from), "START", 5))
            return first;
        if (word_at(skip_space(p + 1, end), end, "END"))
            return p;
        if (!first)
            first = p;
        from = ++p;
    }
    return first ? first : end;
}

/* The comment that opens at p: its end, behind it, and its text. */
static const char *comment(pgn_reader *r, const char *p, const char *end)
{
    const char *e = memmem(p + 2, (size_t)(end - p - 2), "*/", 2);
    if (!e) {
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, pgn_text_at(r, p), 0,
                          (xq_str){NULL, 0}, "comment is never closed");
        e = end;
    }
    pgn_build_comment(
        r, pgn_text_comment(r, (xq_str){p + 2, (size_t)(e - p - 2)}));
    return e == end ? end : e + 2;
}

static bool comment_at(const char *p, const char *end)
{
    return end - p >= 2 && p[0] == '/' && p[1] == '*';
}

/* ---- the header ---- */

static const struct {
    const char *theirs, *ours;
} NAMES[] = {{"GAME", "Title"},      {"DATE", "Date"},
             {"EVENT", "Event"},     {"PLACE", "Site"},
             {"SITE", "Site"},       {"ROUND", "Round"},
             {"OPENING", "Opening"}, {"VARIATION", "Variation"},
             {"AUTHOR", "Author"},   {"TIME", "TimeControl"},
             {"ECCO", "ECCO"},       {"ANNOTATOR", "Annotator"}};

/* name; rating; ... ; ... */
static void player(pgn_reader *r, bool red, xq_str v)
{
    static const char *const TAGS[2][3] = {{"Black", "BlackElo", "BlackInfo"},
                                           {"Red", "RedElo", "RedInfo"}};
    for (int i = 0; i < 3; i++) {
        const char *semi = i < 2 ? memchr(v.s, ';', v.n) : NULL;
        xq_str part = {v.s, semi ? (size_t)(semi - v.s) : v.n};
        const size_t at = pgn_text_at(r, v.s);
        v = (xq_str){v.s + part.n + (semi != NULL),
                     v.n - part.n - (semi != NULL)};
        bool empty = true; /* "; ;" */
        for (size_t k = 0; k < part.n; k++)
            empty =
                empty && (part.s[k] == ';' || (unsigned char)part.s[k] <= ' ');
        if (!empty)
            pgn_text_tag(r, TAGS[red][i], part, at);
        if (!semi)
            return;
    }
}

/* A line of the header at p. */
static void header_line(pgn_reader *r, const char *p, const char *le)
{
    const char *w = p;
    while (w < le && (unsigned char)*w > ' ')
        w++;
    const xq_str key = {p, (size_t)(w - p)},
                 value = pgn_text_trim((xq_str){w, (size_t)(le - w)});
    const size_t at = pgn_text_at(r, p);
    if (xq_str_eq(key, xq_str_of("FORMAT")) || value.n == 0)
        return;
    if (xq_str_eq(key, xq_str_of("RED")) ||
        xq_str_eq(key, xq_str_of("BLACK"))) {
        player(r, *p == 'R', value);
        return;
    }
    if (xq_str_eq(key, xq_str_of("RESULT"))) {
        pgn_text_result(r, value, pgn_text_at(r, value.s));
        return;
    }
    if (xq_str_eq(key, xq_str_of("FEN"))) {
        pgn_text_fen(r, value, pgn_text_at(r, value.s));
        return;
    }
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if (xq_str_eq(key, xq_str_of(NAMES[i].theirs))) {
            pgn_text_tag(r, NAMES[i].ours, value, at);
            return;
        }
    bool name = key.n > 0 && key.n < 60;
    for (size_t i = 0; i < key.n; i++)
        name =
            name &&
            (is_letter(key.s[i]) ||
             (i && (key.s[i] == '_' || (key.s[i] >= '0' && key.s[i] <= '9'))));
    if (name)
        pgn_build_tag(r, key, pgn_text_value(r, value), at);
    else
        pgn_build_problem(r, PGN_WARNING, PGN_P_STRUCTURE, at, 0,
                          (xq_str){p, (size_t)(le - p)},
                          "a line of the header that says nothing");
}

/* The notation that FORMAT names. */
static pgn_notation notation_of(const char *p, const char *end)
{
    static const struct {
        const char *text;
        pgn_notation n;
    } FORMATS[] = {{"WXF", PGN_WXF},
                   {"AXF", PGN_WXF},
                   {"ICCS", PGN_ICCS},
                   {"LALG", PGN_SAN},
                   {"SALG", PGN_SAN}};
    if (!word_at(p, end, "FORMAT"))
        return PGN_WXF;
    p = pgn_skip_blanks(p + 6, end);
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++)
        if (word_at(p, end, FORMATS[i].text))
            return FORMATS[i].n;
    return PGN_NOTATION_ANY;
}

/* ---- one game ---- */

struct wxf {
    pgn_reader *r;
    const char *p, *end;
    bool setup;           /* a SETUP block, which nobody has described */
    const char *bare;     /* START without its brace */
    const char *comments; /* where those before the moves begin */
};

/* Lines up to START{, comments passed over.  Returns what is behind the brace,
 * NULL when there is none. */
static const char *header(struct wxf *x)
{
    pgn_reader *r = x->r;
    const char *open;
    bool format = false;
    while ((x->p = skip_space(x->p, x->end)) < x->end) {
        const char *p = x->p;
        if ((open = open_at(p, x->end, "START")))
            return open;
        if (word_at(p, x->end, "START") && !x->bare)
            x->bare = p;
        if ((open = open_at(p, x->end, "SETUP"))) {
            x->setup = true;
            const char *e = memchr(open, '}', (size_t)(x->end - open));
            x->p = e ? e + 1 : x->end;
            continue;
        }
        if (comment_at(p, x->end)) {
            const char *e = memmem(p + 2, (size_t)(x->end - p - 2), "*/", 2);
            x->p = e ? e + 2 : x->end;
            continue;
        }
        if (word_at(p, x->end, "FORMAT")) { /* of the next game */
            if (format)
                return NULL;
            format = true;
        }
        x->p = pgn_line_end(p, x->end);
        header_line(r, p, x->p);
    }
    return NULL;
}

/* The comments between `from` and `to`, which are of the whole game. */
static void root_comments(pgn_reader *r, const char *from, const char *to)
{
    while ((from = memmem(from, (size_t)(to - from), "/*", 2)))
        from = comment(r, from, to);
}

static void moves(struct wxf *x, const char *p)
{
    pgn_reader *r = x->r;
    const char *close = find_end(p, x->end);
    struct pgn_scan s = {.r = r, .p = p, .number_base = UINT32_MAX};
    while (s.p < close && !r->failed) {
        const char *c = memmem(s.p, (size_t)(close - s.p), "/*", 2);
        s.end = c ? c : close;
        if (!r->marker)
            pgn_movetext(&s);
        s.p = c ? comment(r, c, close) : close;
    }
    if (close == x->end)
        pgn_build_problem(r, PGN_ERROR, PGN_P_STRUCTURE, pgn_text_at(r, p), 0,
                          (xq_str){NULL, 0},
                          "START{ is never closed: moves may be missing");
    x->p = close;
    if (x->p < x->end) {
        const char *e = skip_space(x->p + 1, x->end);
        x->p = word_at(e, x->end, "END") ? e + 3 : x->p + 1;
    }
}

/* The game has no START{ }: what moves it may have are no header. */
static void no_moves(struct wxf *x, const char *begin)
{
    pgn_reader *r = x->r;
    const char *at = x->bare ? x->bare : begin;
    pgn_build_problem(r, PGN_ERROR, PGN_P_STRUCTURE, pgn_text_at(r, at), 0,
                      (xq_str){NULL, 0},
                      x->bare ? "START without its '{': no move is read"
                              : "no START{ }: no move is read");
    r->broken = true;
}

/* What FORMAT names, when that is no notation that is known. */
static void check_format(pgn_reader *r, const char *p, const char *end)
{
    if (!word_at(p, end, "FORMAT") || r->hint != PGN_NOTATION_ANY)
        return;
    const char *le = pgn_line_end(p, end);
    const xq_str v = pgn_text_trim((xq_str){p + 6, (size_t)(le - p - 6)});
    pgn_build_problem(r, PGN_WARNING, PGN_P_TAG, pgn_text_at(r, p), 0, v,
                      "unknown format \"%.*s\": moves are read in any notation",
                      pgn_build_shown(v), v.s);
}

static void read_game(struct wxf *x)
{
    pgn_reader *r = x->r;
    const char *begin = x->p;
    x->setup = false;
    x->bare = NULL;
    pgn_build_start(r, pgn_text_at(r, begin));
    if (r->failed)
        return;
    const char *open = header(x), *behind = open ? open : x->p;
    const bool said = r->marker;
    const pgn_result result = r->marker_result;
    const size_t result_at = r->marker_at;
    r->marker = false; /* one may stand behind the moves */
    bool ours = pgn_build_setup(r);
    if (x->setup && ours) {
        pgn_build_problem(r, PGN_ERROR, PGN_P_FEN, pgn_text_at(r, begin), 0,
                          (xq_str){NULL, 0},
                          "SETUP{ } is not read: no move is kept");
        r->line.dead = r->broken = true;
    }
    root_comments(r, begin, behind);
    r->hint = notation_of(begin, x->end);
    check_format(r, begin, x->end);
    if (open)
        moves(x, open);
    else
        no_moves(x, begin);
    if (said && !r->marker)
        pgn_build_marker(r, result, result_at);
    pgn_text_finish(r, pgn_text_at(r, x->p), false);
}

/* ---- moves that fit two pieces ---- */

/* The error that ended the main line, if it is a word of four characters that
 * fits several moves; its place in r->text. */
static char *ambiguous(pgn_reader *r, uint32_t *ply)
{
    for (uint32_t i = 0; i < r->game.nproblems; i++) {
        const pgn_problem *p = &r->game.problems[i];
        const size_t at = (size_t)(p->text.s - r->text);
        if (p->level == PGN_ERROR && p->kind == PGN_P_AMBIGUOUS &&
            p->text.n == 4 && at + 4 <= r->ntext) {
            *ply = p->ply;
            return r->text + at;
        }
    }
    return NULL;
}

static void read_again(struct wxf *x, const char *begin)
{
    x->r->games--;
    x->p = begin;
    read_game(x);
}

/* limits for what is made to be slow */
enum { CHOICES = 8, READINGS = 100, LONGEST = 64 << 10 };

struct choice {
    char *word;
    char written[4];
    char text[CHOICES][4]; /* the moves that fit, as the WXF spells them */
    unsigned n, fit;
    unsigned i; /* which one is being tried */
    uint32_t ply;
};

/* The moves that `word` may mean in the position it ended the game in, those
 * whose own spelling is as long as it. */
static struct choice choice_of(pgn_reader *r, char *word, uint32_t ply)
{
    struct choice c = {.word = word, .ply = ply, .i = UINT_MAX};
    pgn_candidates fit = {.n = 0};
    xq_move m;
    memcpy(c.written, word, 4);
    pgn_move_read(&r->line.pos, (xq_str){word, 4}, r->hint, &m, &fit, NULL);
    c.fit = fit.n;
    for (unsigned i = 0; i < fit.n && i < CHOICES; i++) {
        char text[PGN_MOVE_TEXT_MAX];
        if (pgn_move_write(&r->line.pos, fit.m[i], PGN_WXF, PGN_SIMPLIFIED,
                           text) == 4)
            memcpy(c.text[c.n++], text, 4);
    }
    return c;
}

/* XieXie writes P3+1 with two pawns on that file.  The moves behind it decide
 * where only one of the two lets the whole game be played (formats reference
 * 2.8); P++1 then stands in its place. */
static void settle(struct wxf *x, const char *begin)
{
    pgn_reader *r = x->r;
    struct choice c[CHOICES], good[CHOICES]; /* good: of a game read whole */
    unsigned n = 0, most = 0, games = 0, readings = 0;
    do {
        uint32_t ply = 0;
        char *word = ambiguous(r, &ply);
        if (!r->game.faulty) {
            games++;
            most = n;
            memcpy(good, c, n * sizeof *c);
        } else if (word && r->game.plies + 1 == ply && n < CHOICES &&
                   readings < READINGS) {
            c[n++] = choice_of(r, word, ply);
        }
        while (n > 0) { /* the next candidate of the last choice */
            struct choice *l = &c[n - 1];
            if (++l->i < l->n && readings < READINGS) {
                memcpy(l->word, l->text[l->i], 4);
                read_again(x, begin);
                readings++;
                break;
            }
            memcpy(l->word, l->written, 4);
            n--;
        }
    } while (n > 0 && !r->failed);
    if (r->failed || readings == 0)
        return;
    for (unsigned i = 0; games == 1 && i < most; i++)
        memcpy(good[i].word, good[i].text[good[i].i], 4);
    read_again(x, begin);
    for (unsigned i = 0; games == 1 && i < most && !r->failed; i++)
        pgn_build_problem(
            r, PGN_WARNING, PGN_P_AMBIGUOUS, pgn_text_at(r, good[i].word),
            good[i].ply, (xq_str){NULL, 0},
            "\"%.4s\" fits %u moves: %.4s, by the moves behind "
            "it",
            good[i].written, good[i].fit, good[i].text[good[i].i]);
}

/* Behind a game text that opens no other one is passed over. */
static bool begins_game(const char *p, const char *end)
{
    if (word_at(p, end, "FORMAT"))
        return true;
    for (; (p = memmem(p, (size_t)(end - p), "START", 5)); p++)
        if (open_at(p, end, "START"))
            return true;
    return false;
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    struct wxf x = {.r = r};
    for (;;) {
        x.end = r->ntext ? r->text + r->ntext : NULL;
        if (r->ntext)
            x.p = skip_space(r->text + r->pos, x.end);
        if (r->ntext && x.p < x.end && begins_game(x.p, x.end))
            break;
        if (r->at >= r->nraw)
            return XQ_DONE;
        const size_t from = r->at;
        r->at = pgn_text_boundary_next(PGN_FMT_WXF, r->raw, r->nraw, from + 1);
        if (!pgn_text_load(r, from, r->at))
            return xq_fail(err, XQ_ENOMEM, "out of memory");
    }
    const char *begin = x.p;
    read_game(&x);
    if (!r->failed && r->game.faulty && x.p - begin < LONGEST)
        settle(&x, begin);
    r->pos = pgn_text_at(r, x.p);
    return r->failed ? xq_fail(err, XQ_ENOMEM, "out of memory") : XQ_OK;
}

const pgn_fmt pgn_fmt_wxf = {PGN_FMT_WXF, next};
