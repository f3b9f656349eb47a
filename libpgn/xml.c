/* xml.c - the block of a reader as XML, through libexpat. */
#include "libpgn/xml.h"

#include <expat.h>
#include <string.h>

enum { PIECE = 1 << 20 }; /* bytes handed to expat at a time */

static void place(pgn_xml *x)
{
    const XML_Index at = XML_GetCurrentByteIndex(x->parser);
    x->at = at < 0 ? 0 : (size_t)at;
}

static void begin(void *data, const XML_Char *name, const XML_Char **attributes)
{
    pgn_xml *x = data;
    place(x);
    x->on->begin(x, name, attributes);
    if (x->r->failed)
        XML_StopParser(x->parser, XML_FALSE);
}

static void end(void *data, const XML_Char *name)
{
    pgn_xml *x = data;
    place(x);
    x->on->end(x, name);
    if (x->r->failed)
        XML_StopParser(x->parser, XML_FALSE);
}

static void text(void *data, const XML_Char *s, int n)
{
    pgn_xml *x = data;
    place(x);
    x->on->text(x, s, (size_t)n);
}

static void entity(void *data, const XML_Char *name, int parameter,
                   const XML_Char *value, int n, const XML_Char *base,
                   const XML_Char *system, const XML_Char *public,
                   const XML_Char *notation)
{
    pgn_xml *x = data;
    (void)name, (void)parameter, (void)value, (void)n, (void)base;
    (void)system, (void)public, (void)notation;
    x->refused = true;
    XML_StopParser(x->parser, XML_FALSE);
}

/* XML has no control characters; programs write them all the same. */
static void drop_controls(pgn_reader *r)
{
    for (size_t i = 0; i < r->ntext; i++) {
        const unsigned char c = (unsigned char)r->text[i];
        if (c < ' ' && c != '\t' && c != '\n' && c != '\r')
            r->text[i] = ' ';
    }
}

static const char *parse(pgn_xml *x, size_t *at)
{
    pgn_reader *r = x->r;
    size_t done = 0;
    do {
        const size_t n = r->ntext - done < PIECE ? r->ntext - done : PIECE;
        const bool final = done + n == r->ntext;
        if (XML_Parse(x->parser, r->text + done, (int)n, final) ==
            XML_STATUS_ERROR) {
            const enum XML_Error e = XML_GetErrorCode(x->parser);
            if (e == XML_ERROR_NO_MEMORY)
                r->failed = true;
            place(x);
            *at = x->at < r->ntext ? x->at : r->ntext;
            return x->refused ? "entities are not read" : XML_ErrorString(e);
        }
        done += n;
    } while (done < r->ntext);
    return NULL;
}

const char *pgn_xml_run(pgn_reader *r, const pgn_xml_handlers *on, void *me,
                        size_t *at)
{
    pgn_xml x = {.r = r, .on = on, .me = me};
    XML_Parser p = XML_ParserCreate("UTF-8");
    *at = 0;
    if (!p) {
        r->failed = true;
        return "out of memory";
    }
    x.parser = p;
    XML_SetUserData(p, &x);
    XML_SetElementHandler(p, begin, end);
    if (on->text)
        XML_SetCharacterDataHandler(p, text);
    XML_SetEntityDeclHandler(p, entity);
    drop_controls(r);
    const char *error = parse(&x, at);
    XML_ParserFree(p);
    return error;
}

const char *pgn_xml_value(const char **attributes, const char *name)
{
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return "";
}

xq_str pgn_xml_copy(pgn_reader *r, const char *s, size_t n)
{
    while (n > 0 && (unsigned char)*s <= ' ') {
        s++;
        n--;
    }
    while (n > 0 && (unsigned char)s[n - 1] <= ' ')
        n--;
    if (n == 0)
        return (xq_str){NULL, 0};
    char *to = xq_arena_alloc(&r->arena, n + 1);
    if (!to) {
        r->failed = true;
        return (xq_str){NULL, 0};
    }
    for (size_t i = 0; i < n; i++)
        to[i] = (unsigned char)s[i] < ' ' ? ' ' : s[i];
    to[n] = 0;
    return (xq_str){to, n};
}
