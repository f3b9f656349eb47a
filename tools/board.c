/* board.c - a board drawn with characters, and text in columns. */
#include "tools/board.h"

/* Two columns wide each, by script, side and kind. */
static const char *const PIECE[2][2][8] = {
    {{"", "帅", "仕", "相", "马", "车", "炮", "兵"},
     {"", "将", "士", "象", "马", "车", "炮", "卒"}},
    {{"", "帥", "仕", "相", "馬", "車", "炮", "兵"},
     {"", "將", "士", "象", "馬", "車", "砲", "卒"}},
};

const char *board_piece(xq_piece p, pgn_script s)
{
    return PIECE[s][xq_piece_side(p)][xq_piece_kind(p)];
}

/* ---- the drawing: four columns a point, one between ---- */

static void draw_rank(cli_buf *b, const xq_pos *pos, pgn_script s, int rank)
{
    cli_buf_printf(b, "%2d  ", rank);
    for (int file = 0; file < 9; file++) {
        xq_piece p = pos->at[xq_sq_of(file, rank)];
        if (p == XQ_EMPTY)
            cli_buf_puts(b, file == 0 ? " +--" : file == 8 ? "-+" : "-+--");
        else if (xq_piece_side(p) == XQ_RED)
            cli_buf_printf(b, "(%s)", board_piece(p, s));
        else
            cli_buf_printf(b, "[%s]", board_piece(p, s));
        if (file < 8)
            cli_buf_puts(b, "-");
    }
    cli_buf_puts(b, "\n");
}

/* What stands between `rank` and the one below it. */
static void draw_gap(cli_buf *b, pgn_script s, int rank)
{
    if (rank == 5) {
        cli_buf_printf(b, "     |        楚  河           %s  界        |\n",
                       s == PGN_TRADITIONAL ? "漢" : "汉");
        return;
    }
    /* The diagonals of the palaces cross at d-f, ranks 0-2 and 7-9. */
    const char *left = "    ", *right = "    ";
    if (rank == 9 || rank == 2) {
        left = " \\  ";
        right = "  / ";
    } else if (rank == 8 || rank == 1) {
        left = "  / ";
        right = " \\  ";
    }
    cli_buf_printf(b, "     |    |    |    |%s|%s|    |    |    |\n", left,
                   right);
}

void board_draw(cli_buf *b, const xq_pos *p, pgn_script s)
{
    cli_buf_puts(b, "     １   ２   ３   ４   ５   ６   ７   ８   ９\n");
    for (int rank = 9; rank >= 0; rank--) {
        draw_rank(b, p, s, rank);
        if (rank)
            draw_gap(b, s, rank);
    }
    cli_buf_puts(b, "     九   八   七   六   五   四   三   二   一\n"
                    "     a    b    c    d    e    f    g    h    i\n");
}

/* ---- columns ---- */

int board_columns(const char *s)
{
    int n = 0;
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c < 0x80)
            n++;
        else if (c >= 0xE0) /* three bytes and more: all wide here */
            n += 2;
        else if (c >= 0xC0)
            n++;
    }
    return n;
}

void board_pad(cli_buf *b, const char *s, int width)
{
    cli_buf_puts(b, s);
    int n = width - board_columns(s);
    cli_buf_printf(b, "%*s", n > 0 ? n : 0, "");
}
