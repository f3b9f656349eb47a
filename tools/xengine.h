/* xengine.h - another engine, which runs as a program of its own.
 *
 *   const xengine_setup s = {.command = "pikafish", .nodes = 100000,
 *                            .multipv = 2, .timeout = 60};
 *   xengine *e;
 *   xengine_open(&e, &s, &err);
 *   xengine_ask(e, &p, &a, &said, &err);
 *   xengine_close(e);
 *
 * Found by asking: the protocol (UCI, else UCCI, else CECP of XBoard, as
 * HoiXiangqi speaks it), and how the engine counts ranks, 0-9 or 1-10: no move
 * of the start position can be read both ways.  What is offered is used where
 * we know it: UCI_Variant xiangqi, MultiPV, usemillisec, Hash.
 *
 * Any answer may take `timeout` seconds: that it is there, that it is ready,
 * and a move, where `movetime` comes on top; an engine that gives no move is
 * told to stop and has 2 s for that.  One that has not said hello for
 * `patience` gets company: a process that is asked for UCCI, then one for CECP.
 * The first to answer stays.  What it prints before is passed over.
 *
 * Nothing an engine does stops a run.  One that is silent too long, dies, or
 * answers what the rules forbid is killed with all it started; that position
 * has no answer, and the next one is asked a new process, until
 * XENGINE_FAILURES in a row have failed.  Before each question the engine
 * forgets the game and is asked whether it is ready: what it says late belongs
 * to no position.
 *
 * Sources: UCI, UCCI 3.0, CECP 2.  Threads: one at a time per engine; several
 * engines are several processes. */
#ifndef XENGINE_H
#define XENGINE_H

#include "tools/analysis.h"
#include "tools/cli.h"

typedef struct xengine xengine;

typedef struct xengine_setup {
    const char *command;        /* a command line: command_words.h */
    const char *const *options; /* NAME=VALUE; names and choices in any case */
    size_t noptions;
    unsigned timeout;  /* seconds any answer may take: below */
    unsigned patience; /* ms it is waited before the next protocol is tried; 0:
                          5 s */
    unsigned depth;    /* exactly one of these three */
    uint64_t nodes, movetime;
    unsigned multipv;
    size_t hash; /* bytes; 0: the engine's own choice */
} xengine_setup;

/* After so many failures one after the other an engine is not started again. */
enum { XENGINE_FAILURES = 5 };

/* XQ_ESYNTAX: the command line, an option that is not offered or a value that
 * it does not take, a limit that the protocol has no word for; XQ_EIO: it does
 * not start, or does not speak any of the protocols; XQ_ENOMEM; XQ_DONE:
 * interrupted. */
xq_status xengine_open(xengine **e, const xengine_setup *s, xq_err *err);

/* As it calls itself, "Fairy-Stockfish 11.1 LB 64", fit for people
 * (engine_name.h); else its program. */
const char *xengine_name(const xengine *e);
/* "uci", "ucci" or "cecp". */
const char *xengine_protocol(const xengine *e);

/* Who it is, in one line: what changes its answers changes this line.  It has
 *   - name, protocol, size of the hash table
 *   - the words of the command line, and the options that were set
 *   - of the program, of each word or value behind "=" that names a file, and
 * of the files that it opens unless it is told otherwise (values that its
 *     options have from the start: networks): a digest of the content.  So a
 *     touched or moved file is the same, a changed one another.  A file that
 *     the engine writes when it is started, a log, says nothing of it.
 * What a program reads without a word about it is not seen. */
xq_status xengine_identity(const xengine *e, cli_buf *out, xq_err *err);

typedef struct xengine_said {
    /* Before it spoke of mate. */
    bool any;
    int cp; /* the side to move's view */
    /* It moved without a word, as some do when there is one legal move: line 1
     * has that move, and its score means nothing. */
    bool silent;
} xengine_said;

/* Ask about p, which has a legal move (others are never sent).  XQ_OK: *a is
 * filled, lines cut where they stop being legal.  XQ_EIO: no answer that can be
 * used, *err says why, and the next position may be asked.  XQ_DONE:
 * interrupted.  XQ_ENOMEM. */
xq_status xengine_ask(xengine *e, const xq_pos *p, analysis *a,
                      xengine_said *said, xq_err *err);

void xengine_close(xengine *e);

#endif
