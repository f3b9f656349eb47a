/* web.h - what tools/web/ holds, in the program: style, scripts, shapes.
 *
 * Everything is const and lives as long as the program.  tools/mkweb.c made
 * it from the files there; tools/web/README.md says what they are. */
#ifndef WEB_H
#define WEB_H

#include "tools/cli.h"

/* A text of ours as it stands in a page. */
typedef struct web_text {
    const char *const *line; /* with a line break where it needs one */
    size_t n;
    const char *hash; /* of the whole, for a Content-Security-Policy:
                         "sha256-..." */
} web_text;

extern const web_text web_css, web_js;

void web_text_add(cli_buf *b, const web_text *t);

/* A drawing: an SVG path in a square of size x size, y downwards, to be filled
 * by the even-odd rule.  Names: "x5e05" for the character U+5E05 (帅), "wk" to
 * "wp" for the icons of king, advisor, elephant (b), horse (n), rook, cannon
 * and pawn. */
typedef struct web_shape {
    const char *name;
    int size;
    const char *path;
} web_shape;

/* NULL when there is none of that name. */
const web_shape *web_shape_find(const char *name);
/* The i-th of all, from 0; NULL behind the last. */
const web_shape *web_shape_at(size_t i);

/* ---- text into markup ---- */

/* Strangers' text, between tags or inside a quoted attribute: the five
 * characters that mean something become references; what a page cannot hold
 * (control characters but tab and line feed, bad UTF-8, noncharacters) becomes
 * U+FFFD. */
void web_html(cli_buf *b, xq_str s);

/* JSON that stands in a <script>: '<' in it, which only strings have, becomes
 * \u003c, so that nothing in it can end the element or open a comment (HTML
 * Living Standard 4.12.1.3). */
void web_json(cli_buf *b, xq_str json);

#endif
