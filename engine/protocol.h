/* protocol.h - the engine as a program: UCI and UCCI over two descriptors.
 *
 *   xq_protocol io = {.in = 0, .out = 1, .name = "qipu 0.1.0"};
 *   xq_status rc = xq_protocol_run(&io, &err);
 *
 * The first command tells the dialect: `uci` (and `ucicyclone`, whose
 * positions come without the word: `fen ... r moves ...`) or `ucci`.  Either
 * word may come again while nothing is searched.  Commands before it are read
 * as UCI.  Moves are h2e2, ranks 0-9, in all of them.
 *
 * Lines are read in the caller's thread and searches made in another one, so
 * that `stop`, `isready`, `quit`... are heard at any moment.  Commands are
 * done in the order they came.  One that would change what is being searched
 * (position, setoption, go...) waits for the search's answer; a `stop`,
 * `ponderhit`, `isready` or `quit` behind it is heard before, unless another
 * `go` stands between.  (So `readyok` says that the program is alive; that
 * what came before is done, it says only when nothing is searched.)  A search
 * without a limit (infinite, or pondering) that a `go` or the end of the input
 * waits for is stopped; one with a limit is finished.  One for a mate and
 * without another limit ends by itself, soon or late: it is stopped when it
 * goes on for mate_grace more.
 *
 * Answers wait for a reader, however slow, and commands are heard meanwhile,
 * until a MiB of answers waits.  After `quit` or the end of the input, when
 * nobody takes a byte for a second, what is left of them is given up.
 *
 * Whatever is sent, the program goes on: what it cannot use is named in an
 * `info string error: ...` (UCCI: `info message error: ...`) and changes
 * nothing.  A position with a bad FEN or an illegal move is refused as a
 * whole: the one before it stays.  Lines may have any length; NUL bytes and
 * carriage returns count as blanks.
 *
 * Sources: UCI, April 2006; UCCI 3.0; what the Fairy-Stockfish and Pikafish
 * programs do.  Commands and options: qipu-engine(1). */
#ifndef XQ_PROTOCOL_H
#define XQ_PROTOCOL_H

#include "engine/pos.h"

typedef struct xq_book_choice {
    xq_move move;
    uint64_t weight; /* 0: known, never chosen */
} xq_book_choice;

/* Tells the user of something. */
typedef void xq_remark_fn(void *to, const char *text);

/* Where opening moves come from.  This folder knows nothing of files: who
 * starts the engine fills in the calls.  They are never made at the same
 * time, but not all by the same thread. */
typedef struct xq_book_source {
    void *arg;
    /* Take these books from now on; `list` is what the user wrote as option
     * Book, "" for none.  What is odd about one that is taken all the same
     * goes to remark(to, ...).  On failure the books before it stay, and err's
     * message is shown. */
    xq_status (*open)(void *arg, xq_str list, xq_remark_fn *remark, void *to,
                      xq_err *err);
    /* What the books know of p: at most `max` moves, *n of them.  Moves that
     * are not legal are left out by the caller. */
    xq_status (*find)(void *arg, const xq_pos *p, xq_book_choice *out,
                      unsigned max, unsigned *n, xq_err *err);
} xq_book_source;

typedef struct xq_protocol {
    int in, out; /* descriptors; they stay open */
    const char *name, *author;
    const xq_book_source *book; /* NULL: there are no books */
    uint64_t seed; /* for Book Choice = Weighted: the same seed draws the same
                      moves */
    /* The most that may be asked for; 0: no such bound.  For tests and for who
     * lets strangers in. */
    uint64_t max_nodes; /* of a search */
    uint64_t max_hash;  /* MiB */
    uint64_t max_threads;
    uint64_t max_perft;  /* plies */
    uint64_t mate_grace; /* ms; 0: 10 seconds */
} xq_protocol;

/* Serve until `quit`, the end of the input, or until nobody reads the output
 * any more (EPIPE: the caller ignores SIGPIPE), which is XQ_OK too.
 * Returns XQ_EIO when reading or writing failed otherwise, or answers were
 * given up at the end of the input without `quit`, XQ_ENOMEM when
 * there was not even memory for the start. */
xq_status xq_protocol_run(const xq_protocol *io, xq_err *err);

#endif
