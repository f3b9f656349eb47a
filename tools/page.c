/* page.c - annotated games as one web page that needs nothing else.
 *
 * The words of the page itself stand here in English, in elements whose
 * data-w names them: the script puts those of the reader's language there. */
#include "tools/page.h"

#include "libpgn/writer_tree.h"
#include "tools/page_tree.h"
#include "tools/svg.h"
#include "tools/version.h"
#include "tools/web.h"

#include <inttypes.h>

static const char *lang_of(pgn_script s)
{
    return s == PGN_TRADITIONAL ? "zh-Hant" : "zh-Hans";
}

static svg_set set_of(pgn_script s)
{
    return s == PGN_TRADITIONAL ? SVG_TRADITIONAL : SVG_SIMPLIFIED;
}

/* ---- head and foot ---- */

/* An icon of nothing: browsers ask the server for one otherwise, and a page
 * that is opened from disk would log that there is none. */
void page_begin(cli_buf *b, const page_style *st)
{
    cli_buf_printf(
        b,
        "<!DOCTYPE html>\n<html lang=\"en\" data-set=\"%s\">\n<head>\n"
        "<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
        "'none'; script-src '%s'; style-src '%s'; img-src data:; base-uri "
        "'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<meta name=\"referrer\" content=\"no-referrer\">\n"
        "<meta name=\"color-scheme\" content=\"light dark\">\n"
        "<meta name=\"generator\" content=\"qipu " QIPU_VERSION "\">\n"
        "<link rel=\"icon\" href=\"data:,\">\n<title>",
        svg_set_name(set_of(st->script)), web_js.hash, web_css.hash);
    web_html(b, xq_str_of(st->title ? st->title : "qipu"));
    cli_buf_puts(b, "</title>\n<style>");
    web_text_add(b, &web_css);
    cli_buf_puts(b, "</style>\n</head>\n<body>\n"
                    "<svg class=\"defs\" aria-hidden=\"true\"><defs>\n");
    svg_shapes(b, 1u << SVG_SIMPLIFIED | 1u << SVG_TRADITIONAL |
                      1u << SVG_WESTERN);
    svg_symbols(b, set_of(st->script));
    svg_base(b, set_of(st->script));
    cli_buf_puts(b, "</defs></svg>\n<header><h1>");
    web_html(b, xq_str_of(st->title ? st->title : "qipu"));
    cli_buf_puts(b, "</h1></header>\n<main>\n");
}

/* The script stands last: everything it looks for is there. */
void page_end(cli_buf *b)
{
    cli_buf_puts(b, "</main>\n<script type=\"module\">");
    web_text_add(b, &web_js);
    cli_buf_puts(b, "</script>\n</body>\n</html>\n");
}

/* ---- tags ---- */

static bool is_unknown(xq_str s)
{
    return s.n == 0 || xq_str_eq(s, xq_str_of("?")) ||
           xq_str_eq(s, xq_str_of("????.??.??"));
}

/* A known tag of the game in an element; nothing otherwise. */
static bool add_tag(cli_buf *b, const pgn_game *g, const char *name,
                    const char *before)
{
    const xq_str value = pgn_game_tag(g, name);
    if (is_unknown(value))
        return false;
    cli_buf_puts(b, before);
    cli_buf_puts(b, "<bdi>");
    web_html(b, value);
    cli_buf_puts(b, "</bdi>");
    return true;
}

static void add_title(cli_buf *b, const pgn_game *g)
{
    cli_buf_puts(b, "<h2>");
    const bool red = add_tag(b, g, "Red", "");
    const bool black = add_tag(b, g, "Black", red ? " – " : "");
    if (!red && !black && !add_tag(b, g, "Event", ""))
        cli_buf_puts(b, "<span data-w=\"game\">Game</span>");
    cli_buf_printf(b, " <span class=\"r\">%s</span></h2>\n",
                   pgn_result_text(g->result));
}

static void add_tags(cli_buf *b, const pgn_game *g)
{
    cli_buf_puts(b, "<p class=\"s\">");
    bool any = add_tag(b, g, "Event", "");
    any |= add_tag(b, g, "Site", any ? ", " : "");
    any |= add_tag(b, g, "Round", any ? " · " : "");
    add_tag(b, g, "Date", any ? ", " : "");
    cli_buf_puts(b, "</p>\n");
    if (!g->ntags)
        return;
    cli_buf_puts(b, "<details class=\"tags\"><summary data-w=\"tags\">All that "
                    "is known of the game</summary><dl>");
    for (uint32_t i = 0; i < g->ntags; i++) {
        if (!g->tags[i].value.n ||
            xq_str_eq(g->tags[i].name, xq_str_of("AnnotatorAdded")))
            continue; /* for programs */
        cli_buf_puts(b, "<dt>");
        web_html(b, g->tags[i].name);
        cli_buf_puts(b, "</dt><dd dir=\"auto\">");
        web_html(b, g->tags[i].value);
        cli_buf_puts(b, "</dd>\n");
    }
    cli_buf_puts(b, "</dl></details>\n");
}

/* ---- boards, for those who have no script ----
 *
 * To others <noscript> is a text that nothing is built of: boards of a thousand
 * games are 30,000 drawn pieces.  Nothing of strangers stands in it. */

static void add_board(cli_buf *b, const xq_pos *p, xq_move last,
                      const char *title)
{
    char fen[XQ_FEN_MAX];
    xq_fen_format(p, fen);
    cli_buf_printf(b,
                   "<figure><svg class=\"board\" viewBox=\"" SVG_BOX
                   "\" role=\"img\" aria-label=\"%s\">",
                   fen);
    cli_buf_puts(b, "<use href=\"#base\"/>");
    svg_pieces(b, p);
    svg_marks(b, p, last);
    cli_buf_printf(b, "</svg><figcaption>%s</figcaption></figure>\n", title);
}

static void add_boards(cli_buf *b, const pgn_game *g, const page_tree *t)
{
    if (!pgn_has_start(g))
        return;
    cli_buf_puts(b, "<noscript><div class=\"still\">\n");
    if (!g->standard)
        add_board(b, &g->start, XQ_NOMOVE, "Start position");
    add_board(b, &t->last, g->plies ? g->main[g->plies - 1] : XQ_NOMOVE,
              "Final position");
    cli_buf_puts(b, "</div></noscript>\n");
}

/* ---- graph ----
 *
 * 600 x 150 units: the start at the left, the last ply at the right; Red wins
 * above, Black below. */

#define GRAPH_WIDTH  600
#define GRAPH_HEIGHT 150
#define SIGN_ROOM    28 /* from the middle of a sign to that of the next */

static int graph_x(const page_tree *t, size_t ply)
{
    return t->n > 1 ? (int)(GRAPH_WIDTH * ply / (t->n - 1)) : GRAPH_WIDTH / 2;
}

static int graph_y(const page_ply *p)
{
    return GRAPH_HEIGHT - (int)(p->share * 3 / 20);
}

/* Unevaluated plies are gaps: each stretch is an area of its own, down to the
 * bottom.  Points as differences, without what SVG lets out: a letter that
 * repeats, a blank before a sign. */
static void add_curve(cli_buf *b, const page_tree *t)
{
    bool open = false;
    int x = 0, y = 0;
    cli_buf_puts(b, "<path class=\"curve\" d=\"");
    for (size_t i = 0; i < t->n; i++) {
        const bool known = t->plies[i].eval.kind != PAGE_NONE;
        const int to_x = graph_x(t, i), to_y = graph_y(&t->plies[i]);
        if (known && open)
            cli_buf_printf(b, to_y < y ? " %d%d" : " %d %d", to_x - x,
                           to_y - y);
        else if (known)
            cli_buf_printf(b, "M%d 150V%dl0 0", to_x, to_y);
        else if (open)
            cli_buf_puts(b, "V150z");
        open = known;
        x = to_x;
        y = to_y;
    }
    cli_buf_puts(b, open ? "V150z\"/>" : "\"/>");
}

/* By shape, not by colour alone: triangle, square, disc, of which two are ends
 * of lines that have no length (page.css says which). */
static void add_shapes(cli_buf *b, const page_tree *t, uint32_t nag)
{
    bool any = false;
    for (size_t i = 0; i < t->n; i++) {
        const page_ply *p = &t->plies[i];
        if (p->mark != nag || p->eval.kind == PAGE_NONE)
            continue;
        if (!any)
            cli_buf_printf(b, "<path class=\"m%" PRIu32 "\" d=\"", nag);
        any = true;
        cli_buf_printf(b, nag == 6 ? "M%d %dm0-6l6 10h-12z" : "M%d %dh0",
                       graph_x(t, i), graph_y(p));
    }
    if (any)
        cli_buf_puts(b, "\"/>");
}

/* The sign, too, where there is room for it: that of the worse mistake. */
static void add_signs(cli_buf *b, const page_tree *t, uint32_t nag,
                      bool taken[GRAPH_WIDTH + 1])
{
    char room[16];
    for (size_t i = 0; i < t->n; i++) {
        const page_ply *p = &t->plies[i];
        const int x = graph_x(t, i), y = graph_y(p);
        if (p->mark != nag || p->eval.kind == PAGE_NONE || taken[x])
            continue;
        for (int k = x - SIGN_ROOM; k <= x + SIGN_ROOM; k++)
            if (k >= 0 && k <= GRAPH_WIDTH)
                taken[k] = true;
        cli_buf_printf(b, "<text x=\"%d\" y=\"%d\">%s</text>",
                       x < 8                 ? 8
                       : x > GRAPH_WIDTH - 8 ? GRAPH_WIDTH - 8
                                             : x,
                       y < 26 ? y + 20 : y - 9, page_nag(nag, room));
    }
}

static void add_marks(cli_buf *b, const page_tree *t)
{
    static const uint32_t WORST_FIRST[3] = {4, 2, 6};
    bool taken[GRAPH_WIDTH + 1] = {false};
    for (int i = 2; i >= 0; i--)
        add_shapes(b, t, WORST_FIRST[i]);
    for (int i = 0; i < 3; i++)
        add_signs(b, t, WORST_FIRST[i], taken);
}

static void add_graph(cli_buf *b, const page_tree *t)
{
    cli_buf_puts(b, "<svg class=\"graph\" viewBox=\"0 0 600 150\" role=\"img\" "
                    "aria-label=\"Red's chances, move by move\">");
    add_curve(b, t);
    cli_buf_puts(b, "<path class=\"half\" d=\"M0 75h600\"/>"
                    "<text class=\"axis\" x=\"5\" y=\"16\" data-w=\"red\">Red"
                    "</text><text class=\"axis\" x=\"5\" y=\"144\" "
                    "data-w=\"black\">Black</text>");
    add_marks(b, t);
    cli_buf_puts(b, "</svg>\n");
}

/* ---- counts ---- */

static size_t count(const page_tree *t, xq_side side, uint32_t nag)
{
    size_t n = 0;
    for (size_t i = 1; i < t->n; i++)
        n += t->plies[i].mover == side && t->plies[i].mark == nag;
    return n;
}

/* annotate leaves the accuracy of both sides in tags. */
static void add_row(cli_buf *b, const pgn_game *g, const page_tree *t,
                    xq_side side)
{
    const bool red = side == XQ_RED;
    cli_buf_printf(b,
                   "<tr><th scope=\"row\" data-w=\"%s\">%s</th><td>%zu</td>"
                   "<td>%zu</td><td>%zu</td><td>",
                   red ? "red" : "black", red ? "Red" : "Black",
                   count(t, side, 6), count(t, side, 2), count(t, side, 4));
    if (!add_tag(b, g, red ? "RedAccuracy" : "BlackAccuracy", ""))
        cli_buf_puts(b, "–");
    cli_buf_puts(b, "</td></tr>\n");
}

static void add_counts(cli_buf *b, const pgn_game *g, const page_tree *t)
{
    cli_buf_puts(
        b, "<table class=\"counts\"><thead><tr><td></td>"
           "<th scope=\"col\"><span data-w=\"m6\">Inaccuracies</span> ?!</th>"
           "<th scope=\"col\"><span data-w=\"m2\">Mistakes</span> ?</th>"
           "<th scope=\"col\"><span data-w=\"m4\">Blunders</span> \?\?</th>"
           "<th scope=\"col\" data-w=\"accuracy\">Accuracy</th></tr></thead>"
           "<tbody>\n");
    add_row(b, g, t, XQ_RED);
    add_row(b, g, t, XQ_BLACK);
    cli_buf_puts(b, "</tbody></table>\n");
}

/* ---- a game ---- */

static bool is_evaluated(const page_tree *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->plies[i].eval.kind != PAGE_NONE)
            return true;
    return false;
}

static void add_problems(cli_buf *b, const pgn_game *g)
{
    if (!g->nproblems)
        return;
    cli_buf_puts(b, "<ul class=\"problems\">\n");
    for (uint32_t i = 0; i < g->nproblems; i++) {
        const pgn_problem *p = &g->problems[i];
        cli_buf_puts(b, "<li>");
        if (p->ply)
            cli_buf_printf(b, "<span data-w=\"ply\">ply</span> %" PRIu32 ": ",
                           p->ply);
        cli_buf_puts(b, "<bdi>");
        web_html(b, p->message);
        cli_buf_puts(b, "</bdi></li>\n");
    }
    cli_buf_puts(b, "</ul>\n");
}

xq_status page_add_game(cli_buf *b, const pgn_game *g, const page_style *st)
{
    page_tree t;
    const pgn_script script = st->script_as_game ? g->script : st->script;
    const bool ok = page_tree_make(&t, g, script);
    if (ok) {
        cli_buf_printf(b, "<article data-lang=\"%s\">\n", lang_of(script));
        add_title(b, g);
        add_tags(b, g);
        add_boards(b, g, &t);
        cli_buf_puts(b, "<div class=\"g\">");
        if (is_evaluated(&t))
            add_graph(b, &t);
        cli_buf_puts(b, "</div>\n");
        if (is_evaluated(&t))
            add_counts(b, g, &t);
        cli_buf_printf(b, "<div class=\"moves\" lang=\"%s\">", lang_of(script));
        cli_buf_add(b, t.html.s, t.html.n);
        cli_buf_printf(b, "<b class=\"r\">%s</b></div>\n",
                       pgn_result_text(g->result));
        add_problems(b, g);
        cli_buf_puts(b, "<script type=\"application/json\">");
        web_json(b, (xq_str){t.json.s, t.json.n});
        cli_buf_puts(b, "</script>\n</article>\n");
    }
    page_tree_free(&t);
    return ok && !b->failed ? XQ_OK : XQ_ENOMEM;
}

bool page_write_frame(FILE *f, const page_style *st, bool begin)
{
    cli_buf b = {0};
    if (begin)
        page_begin(&b, st);
    else
        page_end(&b);
    const bool ok = !b.failed;
    if (ok)
        cli_write(f, b.s, b.n);
    cli_buf_free(&b);
    return ok;
}
