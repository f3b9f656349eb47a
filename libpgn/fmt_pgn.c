/* fmt_pgn.c - games of PGN: blocks, and where games begin.
 *
 * A block is what stands between two hard boundaries (split.h), nearly always
 * one game: a comment that is never closed costs one game, not a file.
 *
 * It is decoded as a whole, in the encoding of the file.  With a byte that
 * does not fit, a word outside ASCII that is no move, or no move at all, its
 * own bytes are judged again, and it is read again if another encoding, or
 * several (mixed.c), read better.  An encoding that the user names is believed.
 *
 * Within a block a game begins at a tag behind the moves of another one, at a
 * tag that was the first of its section already, at a second Game, or behind a
 * result at a move number with a legal first move (formats reference 3.2; cases
 * S29, S30, S43).  All other text behind a result is an advert.  A line of ====
 * ends the moves as well. */
#include "libpgn/boundary.h"
#include "libpgn/pgn_scan.h"

#include <string.h>

static size_t at_of(const struct pgn_scan *s, const char *p)
{
    return (size_t)(p - s->r->text);
}

/* ---- where games begin and end ---- */

/* "1. 炮二平五": a first move with its number, legal in the start position. */
static bool numbered_start(pgn_reader *r, const char *p, const char *end)
{
    size_t len = 1;
    uint32_t cp = pgn_peek_narrow(p, end, &len);
    if (cp != '1')
        return false;
    p += len;
    cp = p < end ? pgn_peek_narrow(p, end, &len) : 0;
    if (cp != '.' && cp != 0x3001 && !pgn_is_blank(cp))
        return false;
    while (p < end) {
        cp = pgn_peek_narrow(p, end, &len);
        if (cp != '.' && cp != 0x3001 && !pgn_is_blank(cp))
            break;
        p += len;
    }
    const char *e = pgn_word_end(p, end);
    xq_move m = XQ_NOMOVE;
    return e > p && pgn_move_read(&r->standard, (xq_str){p, (size_t)(e - p)},
                                  PGN_NOTATION_ANY, &m, NULL, NULL) == XQ_OK;
}

/* Behind a result: comments on the same line still belong to the game, all
 * other text is passed over (adverts) up to where a game begins. */
static void pass_over(struct pgn_scan *s)
{
    pgn_reader *r = s->r;
    const char *p = s->p, *end = s->end;
    bool same_line = true;
    for (;;) {
        p = pgn_skip_blanks(p, end);
        if (p >= end)
            break;
        if (same_line && *p == '{') {
            s->p = p + 1;
            pgn_brace(s);
            p = s->p;
            continue;
        }
        if ((*p == '[' && pgn_tag_begins(p, end)) || numbered_start(r, p, end))
            break;
        p = pgn_line_end(p, end);
        while (p < end && pgn_is_break(*p))
            p++;
        same_line = false;
    }
    s->p = p < end ? p : end;
}

/* Could a game without tags begin with this word? */
static bool may_begin(pgn_reader *r, const char *p, const char *end)
{
    size_t len = 1;
    uint32_t cp = pgn_peek_narrow(p, end, &len);
    if (cp == '*' || cp == '{' || cp == '(')
        return true;
    pgn_result res;
    if ((cp == '0' || cp == '1') && pgn_result_digits(p, end, &res))
        return true;
    if (cp >= '0' && cp <= '9') { /* a number, and what may be a move */
        while (p < end) {
            cp = pgn_peek_narrow(p, end, &len);
            if ((cp < '0' || cp > '9') && cp != '.' && !pgn_is_separator(cp))
                break;
            p += len;
        }
        unsigned cls = pgn_class(cp) & 0xF0;
        return cls == PGN_C_PIECE || cls == PGN_C_ORDER || pgn_is_square(p) ||
               (cp < 0x80 && cp && strchr("KABENHRCPkrnhp+-", (int)cp));
    }
    const char *e = pgn_word_end(p, end);
    xq_move m = XQ_NOMOVE;
    return e > p && pgn_move_read(&r->standard, (xq_str){p, (size_t)(e - p)},
                                  PGN_NOTATION_ANY, &m, NULL, NULL) == XQ_OK;
}

/* From `at` on: where the next game begins, or ntext.  *junk: lines passed
 * over on the way. */
static size_t find_game(pgn_reader *r, size_t at, uint32_t *junk)
{
    *junk = 0;
    if (at >= r->ntext)
        return r->ntext;
    const char *p = r->text + at, *end = r->text + r->ntext;
    for (;;) {
        while (p < end && (pgn_is_break(*p) || pgn_is_blank((uint8_t)*p)))
            p++;
        p = pgn_skip_blanks(p, end);
        if (p >= end)
            return r->ntext;
        if (pgn_is_break(*p))
            continue;
        if (*p == '[' ? pgn_tag_begins(p, end)
                      : *p != '%' && may_begin(r, p, end))
            return (size_t)(p - r->text);
        *junk += *p != '%';
        p = pgn_line_end(p, end);
    }
}

/* ---- tags ---- */

/* Does this tag begin another game's section?  The tag that a section began
 * with comes again, or a second Game. */
static bool next_section(const pgn_game *g, xq_str name)
{
    static const xq_str GAME = {"Game", 4};
    return (name.n == g->tags[0].name.n &&
            xq_str_eq_nocase(g->tags[0].name, name)) ||
           (name.n == GAME.n && xq_str_eq_nocase(name, GAME) &&
            pgn_game_tag(g, "Game").s != NULL);
}

/* The name of the tag at p, which begins with '['. */
static xq_str name_at(const char *p, const char *end)
{
    const char *s = pgn_skip_blanks(p + 1, end), *e = s;
    while (e < end && (unsigned char)*e > ' ' && *e != '"' && *e != ']' &&
           !(*e & 0x80))
        e++;
    return (xq_str){s, (size_t)(e - s)};
}

/* Read the tags at s->p.  False when the game ends with them. */
static bool tags(struct pgn_scan *s)
{
    pgn_reader *r = s->r;
    const char *p = s->p;
    bool more = true;
    for (;;) {
        while (p < s->end && (*p == '\n' || *p == '\r' || *p == ' '))
            p++;
        p = pgn_skip_blanks(p, s->end);
        if (p < s->end && pgn_is_break(*p))
            continue;
        if (p >= s->end || *p != '[')
            break;
        if (r->game.ntags && next_section(&r->game, name_at(p, s->end))) {
            more = false;
            break;
        }
        xq_str name;
        size_t at = pgn_tag_read(r, (size_t)(p - r->text), &name);
        if (r->failed)
            return false;
        p = r->text + at;
    }
    s->p = p;
    return more;
}

/* ---- one game ---- */

/* Read the game that begins at text[at]. */
static void read_game(pgn_reader *r, struct pgn_scan *s, size_t at)
{
    *s = (struct pgn_scan){.r = r,
                           .p = r->text + at,
                           .end = r->text + r->ntext,
                           .number_base = UINT32_MAX};
    pgn_build_start(r, at);
    if (r->failed)
        return;
    bool more = *s->p == '[' ? tags(s) : true;
    pgn_build_setup(r);
    if (more) {
        const char *moves = s->p;
        pgn_movetext(s);
        if (!r->marker && s->inner_result && (r->depth || r->unplayed))
            pgn_build_marker(r, s->inner, s->inner_at);
        bool stopped_at_tags = s->p < s->end && *s->p == '[';
        if (s->p > moves && !stopped_at_tags && !s->left)
            pass_over(s);
    }
    r->pos = at_of(s, s->p);
    pgn_build_finish(r, r->pos);
}

/* ---- ranks from 0 or from 1 ---- */

/* The same notation with the ranks counted the other way; ANY: none. */
static pgn_notation other_numbering(pgn_notation n)
{
    switch (n) {
    case PGN_ICCS:
    case PGN_UCI:
        return PGN_UCI10;
    case PGN_UCI10:
        return PGN_ICCS;
    case PGN_SAN:
        return PGN_SAN10;
    case PGN_SAN10:
        return PGN_SAN;
    default:
        return PGN_NOTATION_ANY;
    }
}

/* Moves that failed, be it in variations. */
static bool has_bad_moves(const pgn_game *g)
{
    for (uint32_t i = 0; i < g->nproblems; i++)
        if (g->problems[i].level == PGN_ERROR &&
            (g->problems[i].kind == PGN_P_ILLEGAL ||
             g->problems[i].kind == PGN_P_MOVE))
            return true;
    return false;
}

/* A game in squares that began as if ranks counted from 0 and then met an
 * illegal move may count from 1, or the other way round: nothing but the moves
 * tells (formats reference 2.1).  The reading without a bad move counts, or the
 * one that gets further; a Format tag that says otherwise is named. */
static void try_other_numbering(pgn_reader *r, struct pgn_scan *s, size_t at)
{
    const pgn_notation as_read = r->hint, tag = r->format;
    const pgn_notation other = other_numbering(as_read);
    const uint32_t plies = r->game.plies;
    if (other == PGN_NOTATION_ANY || r->failed || !has_bad_moves(&r->game))
        return;
    r->games--;
    r->numbering = other;
    read_game(r, s, at);
    r->numbering = PGN_NOTATION_ANY;
    if (r->failed)
        return;
    if (has_bad_moves(&r->game) && r->game.plies <= plies) {
        r->games--;
        read_game(r, s, at);
    } else if (tag != PGN_NOTATION_ANY && tag != other) {
        const xq_str v = pgn_build_value(r, PGN_TAG_FORMAT);
        pgn_build_problem(r, PGN_WARNING, PGN_P_TAG, r->tag[PGN_TAG_FORMAT].at,
                          0, v, "Format says \"%.*s\", but ranks count from %d",
                          pgn_build_shown(v), v.s,
                          other == PGN_ICCS || other == PGN_SAN ? 0 : 1);
    }
}

/* ---- blocks ---- */

/* Go to the next block and decode it.  XQ_DONE: there is none. */
static xq_status next_block(pgn_reader *r, xq_err *err)
{
    if (r->at >= r->nraw)
        return XQ_DONE;
    size_t from = r->at, to = pgn_boundary_next(r->raw, r->nraw, from);
    r->at = to;
    if (to - from > PGN_GAME_MAX)
        return xq_fail(err, XQ_ELIMIT,
                       "a game of more than %llu MiB without a boundary",
                       (unsigned long long)(PGN_GAME_MAX >> 20));
    r->redecoded = 0;
    return pgn_block_load(r, from, to, r->encoding) &&
                   pgn_block_reload(r, from, to)
               ? XQ_OK
               : XQ_ENOMEM;
}

static bool has_high(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] & 0x80)
            return true;
    return false;
}

/* The game read badly: a word outside ASCII was no move, or none was found.
 * Judge its own bytes; true when it is decoded anew and must be read again. */
static bool judge_again(pgn_reader *r, const struct pgn_scan *s, size_t at)
{
    if (r->opts.encoding != PGN_ENC_AUTO || r->wide_enc != PGN_ENC_AUTO ||
        r->npieces)
        return false;
    if (!s->unread &&
        (r->game.plies > 0 || !has_high(r->text + at, r->pos - at)))
        return false;
    size_t from = pgn_block_raw(r, at), to = r->block + r->nblock;
    /* a limit for input made to be slow: games glued in one huge block, each
     * in another encoding */
    if (r->redecoded > 8 * (to - from) + (1 << 20))
        return false;
    r->redecoded += to - from;
    pgn_encoding e = pgn_encoding_judge(r->raw + from, to - from, r->block_enc);
    const bool anew = e != r->block_enc && pgn_block_load(r, from, to, e);
    return pgn_block_mixed(r, from, to) || anew;
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    uint32_t junk = 0;
    size_t at;
    for (;;) {
        uint32_t n = 0;
        at = find_game(r, r->pos, &n);
        junk += n;
        if (at < r->ntext)
            break;
        /* A block without a game is passed over: whether the next one stands
         * in the same segment must not be seen. */
        junk = 0;
        r->pos = r->ntext;
        xq_status rc = next_block(r, err);
        if (rc != XQ_OK)
            return rc;
    }
    struct pgn_scan s;
    read_game(r, &s, at);
    if (!r->failed && judge_again(r, &s, at)) {
        r->games--;
        at = 0;
        read_game(r, &s, at);
    }
    try_other_numbering(r, &s, at);
    if (junk)
        pgn_build_problem(
            r, PGN_WARNING, PGN_P_STRUCTURE, r->begin, 0, (xq_str){NULL, 0},
            "%u line%s before the game belong%s to none", (unsigned)junk,
            junk == 1 ? "" : "s", junk == 1 ? "s" : "");
    return r->failed ? xq_fail(err, XQ_ENOMEM, "out of memory") : XQ_OK;
}

const pgn_fmt pgn_fmt_pgn = {PGN_FMT_PGN, next};
