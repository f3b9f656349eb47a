/* xml.h - the block of a reader as XML, through libexpat.
 *
 *   pgn_block_load(r, 0, r->nraw, r->encoding);
 *   const char *error = pgn_xml_run(r, &handlers, me, &at);
 *
 * The text is UTF-8 already, whatever its declaration says.  Depth costs
 * expat memory, no stack.  Entities of a document's own are refused: no format
 * has them, and they are how small files become large ones. */
#ifndef PGN_XML_H
#define PGN_XML_H

#include "libpgn/reader_internal.h"

typedef struct pgn_xml pgn_xml;

typedef struct pgn_xml_handlers {
    /* name and attributes (name, value, ..., NULL) live as long as the call. */
    void (*begin)(pgn_xml *x, const char *name, const char **attributes);
    void (*end)(pgn_xml *x, const char *name);
    void (*text)(pgn_xml *x, const char *s, size_t n); /* in pieces; or NULL */
} pgn_xml_handlers;

struct pgn_xml {
    pgn_reader *r;
    const pgn_xml_handlers *on;
    void *me;     /* the caller's */
    size_t at;    /* offset in r->text of what is being handled */
    void *parser; /* expat's */
    bool refused;
};

/* Run through r->text.  NULL, or what is wrong, at *at; the handlers have seen
 * all before it.  Memory that ran out: r->failed. */
const char *pgn_xml_run(pgn_reader *r, const pgn_xml_handlers *on, void *me,
                        size_t *at);

/* The value of an attribute, "" when it is not there. */
const char *pgn_xml_value(const char **attributes, const char *name);
/* A copy in the reader's arena, blanks around it dropped, line breaks made
 * blanks. */
xq_str pgn_xml_copy(pgn_reader *r, const char *s, size_t n);

#endif
