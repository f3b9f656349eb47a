/* child_keeper.h - the process between us and another program.
 *
 * It starts the program, then does nothing but wait for our end: that the other
 * end of its leash is closed, as it is when we close it, return, crash or are
 * killed.  Then it kills the program with all that it has started, and what
 * that has started, until nothing is left: on Linux whatever group or session
 * they went to, because orphans below it become its own children
 * (PR_SET_CHILD_SUBREAPER); elsewhere those that stayed in the program's
 * group.
 *
 * It is forked off a program with threads and never becomes another: only what
 * is safe in signal handlers may be called there. */
#ifndef CHILD_KEEPER_H
#define CHILD_KEEPER_H

/* In the new process; never returns.  `why` receives errno when the program
 * cannot be started, and is closed when it can. */
_Noreturn void child_keeper(char *const *words, int in, int out, int why,
                            int leash);

#endif
