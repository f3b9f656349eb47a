/* svg.h - a board as an SVG drawing, for `qipu show --svg` and for pages.
 *
 *   svg_file(&b, &pos, SVG_SIMPLIFIED, last)        a file of its own
 *
 * or the parts of it, for a page that draws several boards:
 *
 *   <svg><defs> svg_shapes, svg_symbols, svg_base </defs></svg>     once
 *   <svg viewBox="SVG_BOX"><use href="#base"/> svg_pieces, svg_marks </svg>
 *
 * where fill-rule is evenodd.
 * Units: 100 a point.  The point of file f and rank r is at x = 60 + 100 f,
 * y = 1000 - 100 r; Red is below.  Characters are outlines, so that a drawing
 * looks the same where no Chinese font is installed.  Colours stand in
 * attributes, which a page's style overrides by class:
 *   red, black   a piece: color is its disc's colour, fill that of its ink
 *   lines        of the board
 *   l            characters and numbers beside them; han: 汉 or 漢; n: the
 *                numbers, each with its centre as its transform's translate
 *   last, check  marks
 * Nothing here fails but by memory: ask b->failed. */
#ifndef SVG_H
#define SVG_H

#include "tools/cli.h"

typedef enum svg_set { SVG_SIMPLIFIED, SVG_TRADITIONAL, SVG_WESTERN } svg_set;

#define SVG_BOX "0 0 920 1100"

/* "simplified", "traditional", "western". */
const char *svg_set_name(svg_set set);
/* The name of the shape (web.h) that a piece has in a set: "x5e05", "wk". */
const char *svg_shape_name(svg_set set, xq_piece p);

/* A <path> for each shape of the board and of these sets (1 << svg_set), for
 * <defs>. */
void svg_shapes(cli_buf *b, unsigned sets);
/* A group a piece, 100 x 100, drawn with the shapes of one set: "pK" is the red
 * king, "pk" the black one, with the letters of FEN. */
void svg_symbols(cli_buf *b, svg_set set);

/* <g id="base">: lines, river and numbers of the files, Chinese from Red's
 * right below, Arabic from Black's right above. */
void svg_base(cli_buf *b, svg_set set);
/* A <use> a piece. */
void svg_pieces(cli_buf *b, const xq_pos *p);
/* Over the pieces, as a disc hides what lies under it: where the last move
 * (XQ_NOMOVE: none) came from and went, and a king in check. */
void svg_marks(cli_buf *b, const xq_pos *p, xq_move last);

void svg_file(cli_buf *b, const xq_pos *p, svg_set set, xq_move last);

#endif
