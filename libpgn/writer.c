/* writer.c - a game as PGN.
 *
 * Whatever is written here reads back as the same game, and written again
 * gives the same bytes.  Where PGN cannot hold something it is changed to
 * what PGN can hold, once and for all, and counted.  The tree goes through
 * pgn_walk: brackets follow from how its depth changes, at any nesting.
 *
 * Tags stay in order and as spelled.  Result and FEN are mended only where they
 * no longer say what the game says ([Result "和棋"] stays), and added behind
 * the others where they are missing; FEN only for another start.  Format speaks
 * of the text: set for every notation but Chinese, which is what no tag means,
 * and dropped there when it named another.  So a game that went through ICCS
 * has the tags it had before.
 *
 * Numbers are the FEN's.  Black's is repeated behind a comment or variation
 * (2... ); a game that Black begins opens with 1. ... 车５平８.  NAGs stand
 * next to their move, then comments, then variations, so that readers which
 * know neither lose nothing else.  Comments stand in braces; one with a '}' in
 * it goes behind ';' to the end of its line, if it is a single one. */
#include "libpgn/writer.h"

#include "libpgn/writer_tags.h"

#include <string.h>

struct writer {
    const pgn_game *g;
    pgn_notation notation;
    pgn_script script;
    pgn_buf *out;
    xq_str remark, word; /* behind the moves */
    size_t lost;
    bool number; /* the next move needs its number, Black's too */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void put(struct writer *w, const char *s, size_t n)
{
    pgn_buf_add(w->out, s, n);
}

static void puts_(struct writer *w, const char *s) { put(w, s, strlen(s)); }

/* Tokens are set apart by one blank. */
static void put_gap(struct writer *w)
{
    pgn_buf *b = w->out;
    if (b->n > 0 && b->s[b->n - 1] != '\n' && b->s[b->n - 1] != '(')
        put(w, " ", 1);
}

static void put_uint(struct writer *w, uint64_t v)
{
    char text[20];
    size_t n = sizeof text;
    do
        text[--n] = (char)('0' + v % 10);
    while (v /= 10);
    put(w, text + n, sizeof text - n);
}

/* ---- tags ---- */

/* A tag's name is a letter, then letters, digits, '_' and '-'.  What else a
 * name from JSON has becomes '_', and it begins with 'X' where it must. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_name_char(char c)
{
    return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static size_t written_length(xq_str name)
{
    return name.n + (name.n == 0 || !is_letter(name.s[0]));
}

static char written_char(xq_str name, size_t i)
{
    if (written_length(name) > name.n && i-- == 0)
        return 'X';
    return is_name_char(name.s[i]) ? name.s[i] : '_';
}

static void put_tag_name(struct writer *w, xq_str name)
{
    size_t n = written_length(name);
    w->lost += n - name.n;
    for (size_t i = 0; i < name.n; i++)
        w->lost += !is_name_char(name.s[i]);
    for (size_t i = 0; i < n; i++) {
        char c = written_char(name, i);
        put(w, &c, 1);
    }
}

/* Byte order marks are dropped wherever text is decoded. */
static bool is_bom(const char *s, size_t n)
{
    return n >= 3 && memcmp(s, "\xEF\xBB\xBF", 3) == 0;
}

/* What stands for the character at s in a tag's value (or, `comment`, in a
 * comment), NULL where it stands for itself.  NUL would make a reader think of
 * UTF-16. */
static const char *instead_of(const char *s, size_t n, bool comment,
                              size_t *len)
{
    *len = 1;
    switch (*s) {
    case '"':
        return comment ? NULL : "\\\"";
    case '\\':
        return comment ? NULL : "\\\\";
    case '\n':
    case '\r':
        if (*s == '\r' && n > 1 && s[1] == '\n')
            *len = 2;
        return comment ? "\n" : " ";
    case '\0':
        return " ";
    case '}':
        return comment ? "｝" : NULL;
    case '\xEF':
        *len = 3;
        return is_bom(s, n) ? "" : NULL;
    default:
        return NULL;
    }
}

static void put_tag_value(struct writer *w, xq_str v)
{
    size_t from = 0, len;
    for (size_t i = 0; i < v.n; i++) {
        const char *instead = instead_of(v.s + i, v.n - i, false, &len);
        if (!instead)
            continue;
        put(w, v.s + from, i - from);
        puts_(w, instead);
        w->lost += v.s[i] != '"' && v.s[i] != '\\';
        i += len - 1;
        from = i + 1;
    }
    put(w, v.s + from, v.n - from);
}

static void put_tag(struct writer *w, xq_str name, xq_str value)
{
    puts_(w, "[");
    put_tag_name(w, name);
    puts_(w, " \"");
    put_tag_value(w, value);
    puts_(w, "\"]\n");
}

static bool name_is(const pgn_tag *t, const char *name)
{
    return xq_str_eq_nocase(t->name, xq_str_of(name));
}

/* Names as they are written, letter by letter. */
static bool same_written_name(xq_str a, xq_str b)
{
    size_t n = written_length(a);
    if (n != written_length(b))
        return false;
    for (size_t i = 0; i < n; i++) {
        char x = written_char(a, i), y = written_char(b, i);
        if (!xq_str_eq_nocase((xq_str){&x, 1}, (xq_str){&y, 1}))
            return false;
    }
    return true;
}

/* A tag that comes again where it was the first, or a second Game, begins the
 * next game's tags: PGN cannot hold it.  `first` is NULL before the first. */
static bool begins_section(const xq_str *first, const pgn_tag *t, bool *game)
{
    bool is_game = name_is(t, "Game"), second = is_game && *game;
    *game = *game || is_game;
    return second || (first && same_written_name(*first, t->name));
}

/* What [Format] calls the notation; Chinese is what no tag means. */
static const char *format_name(pgn_notation n)
{
    switch (n) {
    case PGN_ICCS:
    case PGN_UCI:
        return "ICCS";
    case PGN_UCI10:
        return "UCI10";
    case PGN_WXF:
        return "WXF";
    case PGN_WXF2018:
        return "WXF2018";
    case PGN_FAIRY:
        return "Fairy";
    case PGN_SAN:
        return "SAN";
    case PGN_SAN10:
        return "SAN10";
    default:
        return "Chinese";
    }
}

/* The tags as writer_tags.h gives them.  Format speaks of the text, not of
 * the game, and stands behind the others: for Chinese moves, which are the
 * default, it is not added, and is left out where it named another notation,
 * so that a game that went through ICCS has the tags that it had before. */
static void put_tags(struct writer *w)
{
    bool game = false, any = false;
    const xq_str notation = xq_str_of(format_name(w->notation));
    xq_str first = {NULL, 0}, format = {NULL, 0};
    pgn_written_tags at;

    if (w->notation != PGN_CHINESE)
        format = notation;
    pgn_written_tags_start(&at, w->g);
    while (pgn_written_tags_next(&at)) {
        if (name_is(&at.tag, "Format")) {
            if (!format.s && xq_str_eq_nocase(at.tag.value, notation))
                format = at.tag.value;
            continue;
        }
        if (begins_section(any ? &first : NULL, &at.tag, &game))
            w->lost++;
        else
            put_tag(w, at.tag.name, at.tag.value);
        if (!any)
            first = at.tag.name;
        any = true;
    }
    if (format.s)
        put_tag(w, xq_str_of("Format"), format);
    puts_(w, "\n");
}

/* ---- comments ---- */

/* A hard boundary (split.h) begins a new game even inside a comment: a line
 * like [Event "..." behind a blank line.  Does s.s[at], a '[', make one? */
static bool is_boundary(xq_str s, size_t at)
{
    size_t i = at, breaks = 0;
    if (i == 0 || (s.s[i - 1] != '\n' && s.s[i - 1] != '\r'))
        return false;
    while (i > 0 && is_blank(s.s[i - 1]))
        breaks += s.s[--i] == '\n' || s.s[i] == '\r';
    if (breaks < 2)
        return false;
    i = at + 1;
    if (i == s.n || !is_letter(s.s[i]))
        return false;
    while (i < s.n && is_name_char(s.s[i]))
        i++;
    while (i < s.n && (s.s[i] == ' ' || s.s[i] == '\t'))
        i++;
    return i < s.n && s.s[i] == '"';
}

/* Put a blank in front of what would be a boundary in out->s[from..). */
static void break_boundaries(struct writer *w, size_t from)
{
    pgn_buf *b = w->out;
    for (size_t i = from; i < b->n && !b->failed; i++) {
        const char *p = memchr(b->s + i, '[', b->n - i);
        if (!p)
            return;
        i = (size_t)(p - b->s);
        if (!is_boundary((xq_str){b->s + from, b->n - from}, i - from))
            continue;
        if (!pgn_buf_room(b, 1))
            return;
        memmove(b->s + i + 1, b->s + i, b->n - i);
        b->s[i++] = ' ';
        b->n++;
        w->lost++;
    }
}

/* The text between braces, or up to the end of a line.  Line breaks are kept,
 * as LF. */
static void put_comment_text(struct writer *w, xq_str s, bool line)
{
    size_t from = 0, len, begin = w->out->n;
    for (size_t i = 0; i < s.n; i++) {
        const char *instead = instead_of(s.s + i, s.n - i, true, &len);
        if (!instead || (line && s.s[i] == '}'))
            continue;
        put(w, s.s + from, i - from);
        puts_(w, instead);
        w->lost += s.s[i] != '\n';
        i += len - 1;
        from = i + 1;
    }
    put(w, s.s + from, s.n - from);
    break_boundaries(w, begin);
}

/* Readers drop what is not printed at either end. */
static xq_str trimmed(xq_str s)
{
    for (;;) {
        if (s.n > 0 && (unsigned char)s.s[0] <= ' ')
            s = (xq_str){s.s + 1, s.n - 1};
        else if (is_bom(s.s, s.n))
            s = (xq_str){s.s + 3, s.n - 3};
        else if (s.n > 0 && (unsigned char)s.s[s.n - 1] <= ' ')
            s.n--;
        else if (s.n >= 3 && is_bom(s.s + s.n - 3, 3))
            s.n -= 3;
        else
            return s;
    }
}

/* A comment that a '}' would end, but that a line can hold. */
static bool is_rest_of_line(xq_str s)
{
    return memchr(s.s, '}', s.n) && !memchr(s.s, '\n', s.n) &&
           !memchr(s.s, '\r', s.n) && !memchr(s.s, 0, s.n);
}

static void put_comment(struct writer *w, xq_str text)
{
    xq_str s = trimmed(text);
    if (s.n != text.n)
        w->lost++;
    if (s.n == 0)
        return;
    put_gap(w);
    const bool line = is_rest_of_line(s);
    puts_(w, line ? "; " : "{");
    put_comment_text(w, s, line);
    puts_(w, line ? "\n" : "}");
    w->number = true;
}

/* NAGs stand next to their move, comments follow. */
static void put_nags(struct writer *w, uint32_t node)
{
    const pgn_game *g = w->g;
    for (uint32_t i = g->nodes[node].notes; i; i = g->notes[i].next)
        if (g->notes[i].kind == PGN_NOTE_NAG) {
            put_gap(w);
            puts_(w, "$");
            put_uint(w, g->notes[i].nag);
        }
}

static void put_comments(struct writer *w, uint32_t node, pgn_note_kind kind)
{
    const pgn_game *g = w->g;
    for (uint32_t i = g->nodes[node].notes; i; i = g->notes[i].next)
        if (g->notes[i].kind == kind)
            put_comment(w, g->notes[i].text);
}

/* ---- moves ---- */

/* "12. " before Red's moves; before Black's only where something stands
 * between it and Red's.  The first move of a game that Black begins has its
 * dots apart, as most Chinese programs write it. */
static void put_number(struct writer *w, const pgn_walk *at)
{
    bool red = at->pos.side == XQ_RED;
    if (!red && !w->number)
        return;
    put_uint(w, at->pos.fullmove);
    puts_(w, red ? ". " : at->ply == 1 && at->depth == 0 ? ". ... " : "... ");
}

static void put_move(struct writer *w, const pgn_walk *at)
{
    char text[PGN_MOVE_TEXT_MAX];
    size_t n =
        w->notation == PGN_ICCS
            ? pgn_iccs_upper(at->move, text)
            : pgn_move_write(&at->pos, at->move, w->notation, w->script, text);
    put_number(w, at);
    put(w, text, n);
    w->number = false;
}

static void close_variations(struct writer *w, uint32_t n)
{
    while (n-- > 0)
        puts_(w, ")");
    w->number = true;
}

static xq_status put_moves(struct writer *w)
{
    uint32_t depth = 0;
    pgn_walk at;
    w->number = true;
    put_nags(w, 0);
    put_comments(w, 0, PGN_NOTE_AFTER);
    pgn_walk_start(&at, w->g);
    while (pgn_walk_next(&at) && !w->out->failed) {
        bool opens = at.depth > 0 && at.ply == 1;
        if (depth + opens > at.depth)
            close_variations(w, depth + opens - at.depth);
        depth = at.depth;
        if (opens) {
            put_gap(w);
            puts_(w, "(");
            w->number = true;
            put_comments(w, at.node, PGN_NOTE_BEFORE);
        } else if (depth == 0 && at.pos.side == XQ_RED && w->out->n > 0 &&
                   w->out->s[w->out->n - 1] != '\n') {
            puts_(w, "\n");
        }
        put_gap(w);
        put_move(w, &at);
        put_nags(w, at.node);
        put_comments(w, at.node, PGN_NOTE_AFTER);
    }
    xq_status rc = at.failed ? XQ_ENOMEM : XQ_OK;
    pgn_walk_end(&at);
    if (depth > 0)
        close_variations(w, depth);
    return rc;
}

static struct writer writer_of(const pgn_game *g, const pgn_style *st,
                               pgn_buf *out)
{
    struct writer w = {.g = g,
                       .notation = st->notation,
                       .out = out,
                       .remark = st->remark,
                       .word = st->word};
    if (w.notation == PGN_NOTATION_ANY)
        w.notation = g->notation;
    if (w.notation == PGN_NOTATION_ANY || w.notation >= PGN_NOTATIONS)
        w.notation = PGN_CHINESE;
    w.script = st->script_as_game ? g->script : st->script;
    return w;
}

static void end_line(struct writer *w)
{
    if (w->out->n > 0 && w->out->s[w->out->n - 1] != '\n')
        puts_(w, "\n");
}

/* Moves, notes and the result at the end, and a blank line. */
static xq_status put_movetext(struct writer *w)
{
    xq_status rc = put_moves(w);
    end_line(w);
    if (w->remark.n) {
        put_comment(w, w->remark);
        end_line(w);
    }
    if (w->word.n) {
        put(w, w->word.s, w->word.n);
        end_line(w);
    }
    puts_(w, pgn_result_text(w->g->result));
    puts_(w, "\n\n");
    return w->out->failed ? XQ_ENOMEM : rc;
}

xq_status pgn_write_movetext(const pgn_game *g, const pgn_style *st,
                             pgn_buf *out, size_t *lost)
{
    struct writer w = writer_of(g, st, out);
    const xq_status rc = put_movetext(&w);
    if (lost)
        *lost += w.lost;
    return rc;
}

xq_status pgn_write_pgn(const pgn_game *g, const pgn_style *st, pgn_buf *out,
                        size_t *lost)
{
    struct writer w = writer_of(g, st, out);
    put_tags(&w);
    const xq_status rc = put_movetext(&w);
    if (lost)
        *lost += w.lost;
    return rc;
}
