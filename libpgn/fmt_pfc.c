/* fmt_pfc.c - .pfc of Pengfei: elements in elements (formats reference 6.6).
 *
 *   <n version="2" win="*" create-time=".." m="FEN">
 *     <n m="h6f7" c="comment" default="true"><n ../></n></n>
 *
 * An element's children are the moves that may follow it; the one that says
 * default="true", else the first, is the main one. */
#include "libpgn/binary.h"
#include "libpgn/xml.h"

#include <stdlib.h>
#include <string.h>

/* An element that is open. */
struct open {
    uint32_t node, last, chosen; /* itself, its last child, its main one */
};

struct pfc {
    struct open *v;
    uint32_t n, cap;
    bool seen; /* the root was read */
    xq_str fen;
    pgn_result result;
};

static void read_root(pgn_xml *x, const char **attributes)
{
    struct pfc *c = x->me;
    pgn_reader *r = x->r;
    const char *fen = pgn_xml_value(attributes, "m");
    c->seen = true;
    c->fen = pgn_xml_copy(r, fen, strlen(fen));
    for (; *attributes; attributes += 2) {
        const char *name = attributes[0], *value = attributes[1];
        if (strcmp(name, "m") == 0 || strcmp(name, "c") == 0 ||
            strcmp(name, "version") == 0)
            continue;
        const xq_str v = pgn_xml_copy(r, value, strlen(value));
        if (strcmp(name, "win") == 0) {
            if (v.n && !pgn_result_parse(v, &c->result))
                pgn_build_problem(r, PGN_WARNING, PGN_P_RESULT, x->at, 0, v,
                                  "unknown result \"%.*s\"", pgn_build_shown(v),
                                  v.s);
            continue;
        }
        const bool created = strcmp(name, "create-time") == 0;
        const xq_str tag = created ? xq_str_of("Created")
                                   : pgn_xml_copy(r, name, strlen(name));
        if (tag.n && v.n)
            pgn_build_tag(r, tag, v, x->at);
    }
}

static uint32_t read_node(pgn_xml *x, struct open *parent,
                          const char **attributes)
{
    struct pgn_binary *b = x->r->binary;
    const char *m = pgn_xml_value(attributes, "m");
    const xq_move move = strlen(m) == 4 ? xq_move_parse(m) : XQ_NOMOVE;
    const uint32_t i = pgn_stored_add(x->r, move ? xq_move_from(move) : XQ_NOSQ,
                                      move ? xq_move_to(move) : XQ_NOSQ, x->at);
    if (!i)
        return 0;
    if (parent->last)
        b->v[parent->last].alt = i;
    else
        b->v[parent->node].next = i;
    parent->last = i;
    if (!parent->chosen &&
        strcmp(pgn_xml_value(attributes, "default"), "true") == 0)
        parent->chosen = i;
    return i;
}

static void begin(pgn_xml *x, const char *name, const char **attributes)
{
    struct pfc *c = x->me;
    pgn_reader *r = x->r;
    struct pgn_binary *b = r->binary;
    uint32_t node = 0;
    if (!pgn_build_room(r, &c->v, c->n, &c->cap, sizeof *c->v))
        return;
    if (strcmp(name, "n") != 0 || (c->n == 0 && c->seen)) {
        /* what stands in an unknown element is none of the tree either */
        c->v[c->n++] = (struct open){UINT32_MAX, 0, 0};
        return;
    }
    if (c->n == 0)
        read_root(x, attributes);
    else if (c->v[c->n - 1].node != UINT32_MAX)
        node = read_node(x, &c->v[c->n - 1], attributes);
    else
        node = UINT32_MAX;
    if (r->failed)
        return;
    c->v[c->n++] = (struct open){node, 0, 0};
    const char *comment = pgn_xml_value(attributes, "c");
    if (node == UINT32_MAX || !*comment)
        return;
    b->v[node].text = b->body.n;
    b->v[node].ntext = (uint32_t)strlen(comment);
    pgn_buf_add(&b->body, comment, b->v[node].ntext);
    r->failed = r->failed || b->body.failed;
}

/* Its main child goes first. */
static void end(pgn_xml *x, const char *name)
{
    struct pfc *c = x->me;
    pgn_stored *v = x->r->binary->v;
    (void)name;
    if (c->n == 0)
        return; /* memory ran out */
    const struct open o = c->v[--c->n];
    if (o.node == UINT32_MAX || !o.chosen || v[o.node].next == o.chosen)
        return;
    uint32_t before = v[o.node].next;
    while (v[before].alt != o.chosen)
        before = v[before].alt;
    v[before].alt = v[o.chosen].alt;
    v[o.chosen].alt = v[o.node].next;
    v[o.node].next = o.chosen;
}

static void read_game(pgn_reader *r)
{
    static const pgn_xml_handlers ON = {begin, end, NULL};
    struct pfc c = {.result = PGN_UNKNOWN};
    size_t at;
    r->binary->body.n = 0;
    pgn_build_start(r, 0);
    const char *error = pgn_xml_run(r, &ON, &c, &at);
    free(c.v);
    if (r->failed)
        return;
    if (error)
        pgn_binary_damaged(r, at, "not XML: %s", error);
    pgn_binary_setup_fen(r, c.fen, c.result, 0);
    pgn_binary_play(r, (const uint8_t *)r->binary->body.s, PGN_TEXT_UTF8);
    pgn_build_finish(r, r->ntext);
}

static xq_status next(pgn_reader *r, xq_err *err)
{
    return pgn_binary_whole(r, true, read_game, err);
}

const pgn_fmt pgn_fmt_pfc = {PGN_FMT_PFC, next};
