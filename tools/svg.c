/* svg.c - a board as an SVG drawing. */
#include "tools/svg.h"

#include "engine/rules.h"
#include "tools/web.h"

#include <string.h>

static const char FEN_LETTER[16] = ".KABNRCP.kabnrcp";

const char *svg_set_name(svg_set set)
{
    static const char *const NAME[] = {"simplified", "traditional", "western"};
    return NAME[set];
}

/* ---- shapes ---- */

/* By set, side and kind.  Red's traditional chariots and horses are 俥 and 傌,
 * as on wooden sets. */
static const char *const SHAPE[3][2][8] = {
    /* 帅仕相马车炮兵 将士象马车炮卒 */
    {{"", "x5e05", "x4ed5", "x76f8", "x9a6c", "x8f66", "x70ae", "x5175"},
     {"", "x5c06", "x58eb", "x8c61", "x9a6c", "x8f66", "x70ae", "x5352"}},
    /* 帥仕相傌俥炮兵 將士象馬車砲卒 */
    {{"", "x5e25", "x4ed5", "x76f8", "x508c", "x4fe5", "x70ae", "x5175"},
     {"", "x5c07", "x58eb", "x8c61", "x99ac", "x8eca", "x7832", "x5352"}},
    {{"", "wk", "wa", "wb", "wn", "wr", "wc", "wp"},
     {"", "wk", "wa", "wb", "wn", "wr", "wc", "wp"}},
};

/* 一 to 九; then 楚河 and, by script, 汉界 or 漢界. */
static const char *const NUMERAL[9] = {"x4e00", "x4e8c", "x4e09",
                                       "x56db", "x4e94", "x516d",
                                       "x4e03", "x516b", "x4e5d"};
static const char *const RIVER[4] = {"x695a", "x6cb3", "x6c49", "x754c"};
#define HAN_TRADITIONAL "x6f22"

const char *svg_shape_name(svg_set set, xq_piece p)
{
    return SHAPE[set][xq_piece_side(p)][xq_piece_kind(p)];
}

static const char *river(svg_set set, int i)
{
    return i == 2 && set == SVG_TRADITIONAL ? HAN_TRADITIONAL : RIVER[i];
}

static bool is_of(unsigned sets, const char *name)
{
    for (int i = 0; i < 9; i++)
        if (strcmp(NUMERAL[i], name) == 0)
            return true;
    for (unsigned set = 0; set < 3; set++) {
        if (!(sets >> set & 1))
            continue;
        for (int i = 0; i < 4; i++)
            if (strcmp(river((svg_set)set, i), name) == 0)
                return true;
        for (int i = 1; i < 16; i++)
            if (strcmp(svg_shape_name((svg_set)set, (xq_piece)i), name) == 0)
                return true;
    }
    return false;
}

void svg_shapes(cli_buf *b, unsigned sets)
{
    const web_shape *s;
    for (size_t i = 0; (s = web_shape_at(i)) != NULL; i++)
        if (is_of(sets, s->name))
            cli_buf_printf(b, "<path id=\"%s\" d=\"%s\"/>\n", s->name, s->path);
}

/* A shape, so large, with its corner at x, y. */
static void add_shape(cli_buf *b, const char *name, int x, int y, int side,
                      const char *more)
{
    const web_shape *s = web_shape_find(name);
    cli_buf_printf(b,
                   "<use href=\"#%s\" transform=\"translate(%d %d)scale(%.3g)\""
                   "%s/>",
                   name, x, y, s ? (double)side / s->size : 1, more);
}

/* A shape, so large, round x, y.  The point stands in its transform alone: a
 * page that turns the board puts another there. */
static void add_centred(cli_buf *b, const char *name, int x, int y, int side)
{
    const web_shape *s = web_shape_find(name);
    const int size = s ? s->size : side;
    cli_buf_printf(b,
                   "<use href=\"#%s\" transform=\"translate(%d %d)scale(%.3g)\""
                   " x=\"%d\" y=\"%d\"/>",
                   name, x, y, (double)side / size, -size / 2, -size / 2);
}

/* ---- pieces ---- */

/* Black's icons are light on a dark disc: both sides have the same, and red
 * ink differs too little from black. */
static void add_symbol(cli_buf *b, svg_set set, xq_piece p)
{
    const bool red = xq_piece_side(p) == XQ_RED;
    const bool dark = set == SVG_WESTERN && !red;
    const char *const ink = dark ? "#f7ead0" : red ? "#b01818" : "#1b1b1b";
    const int room = set == SVG_WESTERN ? 92 : 56;
    cli_buf_printf(b,
                   "<g id=\"p%c\" class=\"%s\" color=\"%s\" fill=\"%s\">"
                   "<use href=\"#disc\"/>",
                   FEN_LETTER[p], red ? "red" : "black",
                   dark ? "#2b2b2b" : "#f7ead0", ink);
    add_shape(b, svg_shape_name(set, p), 50 - room / 2, 50 - room / 2, room,
              "");
    cli_buf_puts(b, "</g>\n");
}

void svg_symbols(cli_buf *b, svg_set set)
{
    cli_buf_puts(b, "<g id=\"disc\"><circle cx=\"50\" cy=\"50\" r=\"45\" "
                    "fill=\"currentColor\" stroke=\"#5b3a1a\" "
                    "stroke-width=\"2\"/><path d=\"M50 10a40 40 0 1 0 .1 0z"
                    "m0 2a38 38 0 1 0 .1 0z\"/></g>\n");
    for (int i = 1; i < 16; i++)
        if (i != 8)
            add_symbol(b, set, (xq_piece)i);
}

static int x_of(int file) { return 60 + 100 * file; }
static int y_of(int rank) { return 1000 - 100 * rank; }

void svg_pieces(cli_buf *b, const xq_pos *p)
{
    cli_buf_puts(b, "<g class=\"pieces\">");
    for (int rank = 9; rank >= 0; rank--)
        for (int file = 0; file < 9; file++) {
            const xq_piece piece = p->at[xq_sq_of(file, rank)];
            if (piece != XQ_EMPTY)
                cli_buf_printf(b, "<use href=\"#p%c\" x=\"%d\" y=\"%d\"/>",
                               FEN_LETTER[piece], x_of(file) - 50,
                               y_of(rank) - 50);
        }
    cli_buf_puts(b, "</g>\n");
}

/* ---- the board ---- */

/* The corners drawn at the points of cannons and pawns, an upper and a lower
 * one on each side. */
static void add_corners(cli_buf *b, int file, int rank)
{
    for (int dx = -1; dx <= 1; dx += 2)
        if (file + dx >= 0 && file + dx < 9)
            cli_buf_printf(b, "M%d %dv18h%dm0 20h%dv18", x_of(file) + 10 * dx,
                           y_of(rank) - 28, 18 * dx, -18 * dx);
}

static void add_lines(cli_buf *b)
{
    cli_buf_puts(b, "<path class=\"lines\" fill=\"none\" stroke=\"#6b4a25\" "
                    "stroke-width=\"3\" d=\"");
    for (int rank = 0; rank < 10; rank++)
        cli_buf_printf(b, "M60 %dh800", y_of(rank));
    for (int file = 1; file < 8; file++)
        cli_buf_printf(b, "M%d 100v400M%d 600v400", x_of(file), x_of(file));
    cli_buf_puts(b, "M60 100v900M860 100v900M360 100l200 200M560 100l-200 200"
                    "M360 800l200 200M560 800l-200 200M46 86h828v928h-828z");
    for (int wing = 1; wing < 9; wing += 6) {
        add_corners(b, wing, 2);
        add_corners(b, wing, 7);
    }
    for (int file = 0; file < 9; file += 2) {
        add_corners(b, file, 3);
        add_corners(b, file, 6);
    }
    cli_buf_puts(b, "\"/>\n");
}

void svg_base(cli_buf *b, svg_set set)
{
    static const int RIVER_X[4] = {210, 310, 610, 710};
    cli_buf_puts(b, "<g id=\"base\">");
    add_lines(b);
    cli_buf_puts(b, "<g class=\"l\" fill=\"#6b4a25\" font-size=\"34\" "
                    "font-family=\"sans-serif\" text-anchor=\"middle\">");
    for (int i = 0; i < 4; i++)
        add_shape(b, river(set, i), RIVER_X[i] - 28, 522, 56,
                  i == 2 ? " class=\"han\"" : "");
    cli_buf_puts(b, "<g class=\"n\">");
    for (int file = 0; file < 9; file++) {
        cli_buf_printf(
            b, "<text transform=\"translate(%d 34)\" y=\"12\">%d</text>",
            x_of(file), file + 1);
        add_centred(b, NUMERAL[8 - file], x_of(file), 1072, 34);
    }
    cli_buf_puts(b, "</g></g></g>\n");
}

static void add_ring(cli_buf *b, const char *name, const char *colour, xq_sq s)
{
    cli_buf_printf(b,
                   "<circle class=\"%s\" cx=\"%d\" cy=\"%d\" r=\"47\" "
                   "fill=\"none\" stroke=\"%s\" stroke-width=\"6\"/>",
                   name, x_of(xq_file_of[s]), y_of(xq_rank_of[s]), colour);
}

/* Four corners round an empty point. */
static void add_origin(cli_buf *b, xq_sq s)
{
    const int x = x_of(xq_file_of[s]), y = y_of(xq_rank_of[s]);
    cli_buf_printf(b,
                   "<path class=\"last\" fill=\"none\" stroke=\"#1668b8\" "
                   "stroke-width=\"6\" d=\"M%d %dv-20h20M%d %dv-20h-20"
                   "M%d %dv20h20M%d %dv20h-20\"/>",
                   x - 36, y - 16, x + 36, y - 16, x - 36, y + 16, x + 36,
                   y + 16);
}

void svg_marks(cli_buf *b, const xq_pos *p, xq_move last)
{
    cli_buf_puts(b, "<g class=\"marks\">");
    if (last != XQ_NOMOVE) {
        add_origin(b, xq_move_from(last));
        add_ring(b, "last", "#1668b8", xq_move_to(last));
    }
    if (xq_in_check(p, (xq_side)p->side))
        add_ring(b, "check", "#d81e1e", xq_pos_king(p, (xq_side)p->side));
    cli_buf_puts(b, "</g>\n");
}

void svg_file(cli_buf *b, const xq_pos *p, svg_set set, xq_move last)
{
    char fen[XQ_FEN_MAX];
    xq_fen_format(p, fen);
    cli_buf_puts(b, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
                    "viewBox=\"" SVG_BOX "\" width=\"460\" height=\"550\" "
                    "fill-rule=\"evenodd\" role=\"img\">\n<title>");
    cli_buf_puts(b, fen); /* letters, digits and strokes: nothing to escape */
    cli_buf_puts(b, "</title>\n<defs>\n");
    svg_shapes(b, 1u << set);
    svg_symbols(b, set);
    cli_buf_puts(b, "</defs>\n"
                    "<rect class=\"wood\" width=\"920\" height=\"1100\" "
                    "fill=\"#ecc98d\"/>\n");
    svg_base(b, set);
    svg_pieces(b, p);
    svg_marks(b, p, last);
    cli_buf_puts(b, "</svg>\n");
}
