/* writer_cbf.c - a game as CBF (layout: fmt_cbf.c). */
#include "libpgn/cbf.h"

#include "libpgn/writer_tree.h"

#include <string.h>

struct writer {
    const pgn_game *g;
    pgn_lost *lost;
    pgn_buf *out;
    pgn_buf text;
};

/* XML has no control characters, and two code points less. */
static bool is_xml_char(uint32_t cp)
{
    return cp >= ' ' || cp == '\t' || cp == '\n';
}

static bool is_bad_char(const char *s, size_t n, size_t *len)
{
    const uint32_t cp = pgn_utf8_next(s, n, len);
    return !is_xml_char(cp) || cp == 0xFFFE || cp == 0xFFFF ||
           (cp == 0xFFFD && *len == 1);
}

static void put_escaped(struct writer *w, xq_str s)
{
    size_t len;
    for (size_t i = 0; i < s.n; i += len) {
        const bool bad = is_bad_char(s.s + i, s.n - i, &len);
        w->lost->characters += bad;
        if (bad)
            pgn_buf_puts(w->out, "?");
        else if (s.s[i] == '&')
            pgn_buf_puts(w->out, "&amp;");
        else if (s.s[i] == '<')
            pgn_buf_puts(w->out, "&lt;");
        else if (s.s[i] == '>')
            pgn_buf_puts(w->out, "&gt;");
        else
            pgn_buf_add(w->out, s.s + i, len);
    }
}

/* "]]>" ends a section: a new one begins inside it. */
static void put_cdata(struct writer *w, xq_str s)
{
    size_t len;
    pgn_buf_puts(w->out, "<![CDATA[");
    for (size_t i = 0; i < s.n; i += len) {
        if (is_bad_char(s.s + i, s.n - i, &len)) {
            w->lost->characters++;
            pgn_buf_puts(w->out, "?");
            continue;
        }
        if (s.s[i] == '>' && i >= 2 && memcmp(s.s + i - 2, "]]", 2) == 0)
            pgn_buf_puts(w->out, "]]><![CDATA[");
        pgn_buf_add(w->out, s.s + i, len);
    }
    pgn_buf_puts(w->out, "]]>");
}

/* ---- the head ---- */

static bool tag_fits(const pgn_tag *t, const struct pgn_cbf_field *f)
{
    const bool white = xq_str_eq_nocase(t->name, xq_str_of("White"));
    const bool elo = xq_str_eq_nocase(t->name, xq_str_of("WhiteElo"));
    const xq_str name = white ? xq_str_of("Red")
                        : elo ? xq_str_of("RedElo")
                              : t->name;
    return f->tag && xq_str_eq_nocase(name, xq_str_of(f->tag));
}

static xq_str value_of(const pgn_game *g, const struct pgn_cbf_field *f)
{
    for (uint32_t i = 0; i < g->ntags; i++)
        if (tag_fits(&g->tags[i], f) && g->tags[i].value.n)
            return g->tags[i].value;
    return (xq_str){NULL, 0};
}

static void put_field(struct writer *w, const char *element, xq_str value)
{
    pgn_buf_printf(w->out, "  <%s", element);
    if (value.n == 0) {
        pgn_buf_puts(w->out, " />\n");
        return;
    }
    pgn_buf_puts(w->out, ">");
    put_escaped(w, value);
    pgn_buf_printf(w->out, "</%s>\n", element);
}

static void put_head(struct writer *w)
{
    static const char *const RESULTS[] = {[PGN_UNKNOWN] = "0",
                                          [PGN_RED_WINS] = "1",
                                          [PGN_BLACK_WINS] = "2",
                                          [PGN_DRAW] = "3"};
    char fen[XQ_FEN_MAX];
    const xq_str start = {fen, xq_fen_format(&w->g->start, fen)};
    pgn_buf_puts(w->out, "\xEF\xBB\xBF<?xml version=\"1.0\" "
                         "encoding=\"UTF-8\"?>\n"
                         "<ChineseChessRecord Version=\"1.0\">\n <Head>\n");
    for (unsigned i = 0; i < pgn_cbf_nfields; i++) {
        const struct pgn_cbf_field *f = &pgn_cbf_fields[i];
        if (f->tag)
            put_field(w, f->element, value_of(w->g, f));
        else if (strcmp(f->element, "FEN") == 0)
            put_field(w, f->element, start);
        else
            put_field(w, f->element, xq_str_of(RESULTS[w->g->result]));
    }
    pgn_buf_puts(w->out, " </Head>\n <MoveList>\n");
}

/* Tags that have no element, or whose element another one has taken; and
 * what comes back otherwise. */
static void count_tags(struct writer *w)
{
    for (uint32_t i = 0; i < w->g->ntags; i++) {
        const pgn_tag *t = &w->g->tags[i];
        bool held = false;
        if (pgn_tag_is_layout(t) || t->value.n == 0)
            continue;
        for (unsigned k = 0; k < pgn_cbf_nfields && !held; k++)
            held = tag_fits(t, &pgn_cbf_fields[k]) &&
                   value_of(w->g, &pgn_cbf_fields[k]).s == t->value.s;
        w->lost->tags += !held;
        w->lost->blanks += held && !pgn_text_comes_back(t->value, false);
    }
}

/* ---- moves ---- */

static void put_square(char *s, xq_sq sq)
{
    s[0] = (char)('0' + xq_file_of[sq]);
    s[1] = (char)('9' - xq_rank_of[sq]);
}

static void put_move(struct writer *w, uint32_t node, bool goes_on,
                     bool sibling)
{
    char value[6] = "00-00";
    if (node) {
        put_square(value, xq_move_from(w->g->nodes[node].move));
        put_square(value + 3, xq_move_to(w->g->nodes[node].move));
    }
    pgn_buf_printf(w->out, "  <Move value=\"%s\"%s%s", value,
                   sibling ? " branch=\"1\"" : "", goes_on ? "" : " end=\"1\"");
    pgn_joined_comment(w->g, node, &w->text, w->lost);
    w->lost->blanks +=
        !pgn_text_comes_back((xq_str){w->text.s, w->text.n}, true);
    if (w->text.n) {
        pgn_buf_puts(w->out, ">");
        put_cdata(w, (xq_str){w->text.s, w->text.n});
        pgn_buf_puts(w->out, "</Move>\n");
    } else {
        pgn_buf_puts(w->out, " />\n");
    }
}

xq_status pgn_write_cbf(const pgn_game *g, pgn_buf *out, pgn_lost *lost)
{
    struct writer w = {g, lost, out, {0}};
    pgn_stored_walk walk;
    if (!pgn_has_start(g)) {
        lost->games++;
        return XQ_OK;
    }
    put_head(&w);
    count_tags(&w);
    put_move(&w, 0, g->nodes[0].next != 0, false);
    pgn_stored_walk_start(&walk, g);
    while (pgn_stored_walk_next(&walk))
        put_move(&w, walk.node, walk.goes_on, walk.sibling);
    pgn_buf_puts(out, " </MoveList>\n</ChineseChessRecord>\n");
    const bool failed = out->failed || w.text.failed || walk.failed;
    pgn_stored_walk_end(&walk);
    pgn_buf_free(&w.text);
    return failed ? XQ_ENOMEM : XQ_OK;
}
