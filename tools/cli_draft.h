/* cli_draft.h - a file that gets its name when it is complete.
 *
 *   cli_draft d;
 *   FILE *f = cli_draft_open(&d, path);    NULL: errno says why
 *   ...write, flush...
 *   cli_draft_replace(&d, f, path);        it stands at path; errno
 *   cli_draft_end(&d);                     always
 *
 * Where the file system can, the file has no name until then (O_TMPFILE): it
 * goes with the program, also when that is killed.  Elsewhere it is called
 * PATH.PID-N.tmp, which stays when the program is killed. */
#ifndef CLI_DRAFT_H
#define CLI_DRAFT_H

#include <stdbool.h>
#include <stdio.h>

typedef struct cli_draft {
    char *name; /* PATH.PID-N.tmp, taken or to be taken; NULL: no draft */
    bool named; /* it stands there */
} cli_draft;

/* Empty, with the permissions that the umask leaves. */
FILE *cli_draft_open(cli_draft *d, const char *path);
/* In place of what is there; f is still open.  False: errno says why. */
bool cli_draft_replace(cli_draft *d, FILE *f, const char *path);
/* What has not replaced anything is removed; safe on a zeroed struct. */
void cli_draft_end(cli_draft *d);

/* For tests: as if the file system knew only files with names. */
extern bool cli_draft_always_named;

#endif
