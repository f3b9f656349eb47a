/* child.h - another program, spoken to by lines, that never outlives us.
 *
 *   child c;
 *   child_start(&c, words, &err);
 *   child_say(&c, "uci");
 *   while (child_hear(&c, child_now() + 5000, &line) == XQ_OK)
 *       ...line, without its end; valid until the next call
 *   child_kill(&c);
 *
 * The program is started by a keeper (child_keeper.h), a process that does
 * nothing but wait for our end and then kills it with all that it started in
 * turn (a script starts the engine proper; some start helpers in sessions of
 * their own): whether child_kill is called, or we exit, crash or are killed,
 * nothing is left behind.  Its standard error goes nowhere: engines write there
 * what they like.
 *
 * Whoever uses this ignores SIGPIPE.  Times: milliseconds of child_now, which
 * never goes back.  Threads: one at a time per child. */
#ifndef CHILD_H
#define CHILD_H

#include "engine/base.h"

#include <sys/types.h>

typedef struct child {
    pid_t pid;    /* of the keeper; 0: not running */
    int to, from; /* our ends of the program's standard input and output; -1 */
    int leash;    /* the keeper waits for this to be closed; -1 */
    char *buf;    /* heard, not yet handed out */
    size_t n, at, cap;
    bool skipping; /* the rest of a line that was too long */
} child;

/* Lines beyond so many bytes are cut there: an engine gone mad must not take
 * all memory. */
#define CHILD_LINE_MAX (1u << 20)

uint64_t child_now(void);

/* Start words[0], looked for in the PATH, with the arguments behind it.
 * XQ_EIO: it cannot be started, message says why; XQ_ENOMEM. */
xq_status child_start(child *c, char *const *words, xq_err *err);
bool child_is_running(const child *c);

/* Send a line; its end is added.  False: it does not listen any more, or does
 * not read for so long that its pipe is full. */
bool child_say(child *c, const char *line);

/* The next line.  XQ_OK; XQ_ELIMIT: none before `until`; XQ_EIO: the program
 * has closed its output; XQ_DONE: we were interrupted (cli_interrupted);
 * XQ_ENOMEM.  CR before the end is dropped, NUL becomes a blank. */
xq_status child_hear(child *c, uint64_t until, xq_str *line);

/* End it now, with all that it started: they are gone when this returns.  Safe
 * on a zeroed struct, and more than once. */
void child_kill(child *c);

#endif
