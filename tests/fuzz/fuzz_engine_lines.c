/* fuzz_engine_lines.c - any bytes as what an engine prints: lines are read for
 * what they are, and what comes out lies within them and is legal.
 *
 * The input is split into lines, each read in every way; the first byte chooses
 * the position. */
#include "engine/rules.h"
#include "tools/engine_lines.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(bool ok)
{
    if (!ok)
        abort();
}

static void check_within(xq_str part, xq_str line)
{
    if (part.n)
        check(part.s >= line.s && part.s + part.n <= line.s + line.n);
}

static void check_moves(xq_str text, const xq_pos *p)
{
    xq_move m[XQ_MAX_MOVES];
    for (int r = ENGINE_RANKS_0; r <= ENGINE_RANKS_1; r++) {
        const unsigned n = engine_moves(text, (engine_ranks)r, p, m, 40);
        xq_pos at = *p;
        check(n <= 40);
        for (unsigned i = 0; i < n; i++) {
            check(xq_move_is_legal(&at, m[i]));
            xq_pos_make(&at, m[i], NULL);
        }
    }
}

static void check_info(const engine_info *i, xq_str line, const xq_pos *p)
{
    check(i->multipv >= 1 && i->multipv <= 9999 && i->depth <= 9999);
    check(i->score >= -(1 << 30) && i->score <= 1 << 30);
    check_within(i->pv, line);
    check_moves(i->pv, p);
}

static void check_option(const engine_option *o, xq_str line)
{
    xq_str rest = o->vars, var, spelt;
    check(o->name.n > 0);
    check_within(o->name, line);
    check_within(o->vars, line);
    for (size_t i = 0; engine_option_var(&rest, &var); i++) {
        check(i <= line.n); /* it ends */
        check_within(var, line);
        if (o->kind == ENGINE_COMBO && var.n)
            check(engine_option_takes(o, var, &spelt));
    }
    engine_option_takes(o, line, &spelt);
}

static void read_line(xq_str line, const xq_pos *p)
{
    engine_info info;
    engine_option option;
    xq_str move = {NULL, 0};
    if (engine_read_info(line, &info))
        check_info(&info, line, p);
    if (engine_read_thinking(line, &info))
        check_info(&info, line, p);
    if (engine_read_best(line, &move) == ENGINE_MOVE) {
        check(move.n > 0);
        check_within(move, line);
        check_moves(move, p);
    }
    if (engine_read_option(line, &option))
        check_option(&option, line);
    if (engine_read_feature(line, &option))
        check_option(&option, line);
    check_moves(line, p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    xq_pos p;
    xq_pos_start(&p);
    if (n > 0 && data[0] % 2)
        check(xq_fen_parse(&p, xq_str_of("4k4/9/9/9/9/9/9/9/R8/1R2K4 w"), NULL,
                           NULL) == XQ_OK);
    /* a copy of just the size: what is read behind it is noticed */
    char *copy = malloc(n ? n : 1);
    check(copy != NULL);
    if (n)
        memcpy(copy, data, n);
    for (size_t at = 0; at < n;) {
        const char *end = memchr(copy + at, '\n', n - at);
        const size_t len = end ? (size_t)(end - (copy + at)) : n - at;
        read_line((xq_str){copy + at, len}, &p);
        at += len + 1;
    }
    free(copy);
    return 0;
}
