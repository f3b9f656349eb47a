/* fuzz_protocol.c - any bytes as what a GUI sends: it comes to an end, and all
 * that is answered is lines of the protocols.
 *
 * Searches are kept tiny, but commands, searches and the end of the input
 * still meet in any order. */
#include "engine/protocol.h"
#include "engine/rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(bool ok)
{
    if (!ok)
        abort();
}

/* A book of everything: each legal move, and some that are not. */
static xq_status book_open(void *arg, xq_str list, xq_remark_fn *remark,
                           void *to, xq_err *err)
{
    (void)arg;
    if (list.n % 3 == 0)
        remark(to, "odd");
    return list.n % 2 ? xq_fail(err, XQ_EIO, "an odd name") : XQ_OK;
}

static xq_status book_find(void *arg, const xq_pos *p, xq_book_choice *out,
                           unsigned max, unsigned *n, xq_err *err)
{
    xq_movelist list;
    (void)arg, (void)err;
    xq_gen_pseudo(p, &list);
    *n = list.n < max ? list.n : max;
    for (unsigned i = 0; i < *n; i++)
        out[i] = (xq_book_choice){list.m[i], i % 3 ? UINT64_MAX / (i + 1) : 0};
    return XQ_OK;
}

static void check_line(const char *s, size_t n)
{
    static const char *const STARTS[] = {
        "id ",     "option ",  "uciok",      "ucciok", "ucicycloneok",
        "readyok", "info ",    "bestmove ",  "bye",    "nobestmove",
        "pophash", "Fen: ",    "Key: ",      "Odd: ",  "Checkers:",
        "term ",   "Red and ", "Evaluation", "Nodes ",
    };
    for (size_t i = 0; i < n; i++)
        check((unsigned char)s[i] >= ' ' && s[i] != 0x7f);
    for (size_t i = 0; i < sizeof STARTS / sizeof *STARTS; i++)
        if (n >= strlen(STARTS[i]) &&
            memcmp(s, STARTS[i], strlen(STARTS[i])) == 0)
            return;
    /* a rank of the board, its files, a term, a move's share of a perft */
    check(n > 4);
}

static void check_output(FILE *f)
{
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    rewind(f);
    while ((n = getline(&line, &cap, f)) > 0) {
        check(line[n - 1] == '\n');
        check_line(line, (size_t)n - 1);
    }
    free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static FILE *in, *out;
    if (!in) {
        in = tmpfile();
        out = tmpfile();
    }
    check(in && out && ftruncate(fileno(in), 0) == 0 &&
          ftruncate(fileno(out), 0) == 0);
    rewind(in);
    rewind(out);
    check(fwrite(data, 1, n, in) == n && fflush(in) == 0);
    rewind(in);
    const xq_book_source book = {NULL, book_open, book_find};
    const xq_protocol io = {
        .in = fileno(in),
        .out = fileno(out),
        .name = "fuzz",
        .author = "nobody",
        .book = n % 2 ? &book : NULL,
        .max_nodes = 300,
        .max_hash = 1,
        .max_threads = 2,
        .max_perft = 1,
    };
    xq_err err;
    check(xq_protocol_run(&io, &err) == XQ_OK);
    check_output(out);
    return 0;
}
