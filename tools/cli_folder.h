/* cli_folder.h - a folder of results, one file a game, that appears only when
 * it is complete.
 *
 *   cli_folder_open(&f, "games", "xqf", &err)
 *   cli_folder_add(&f, bytes, n, &err)         000001.xqf, 000002.xqf, ...
 *   cli_folder_commit(&f, &err), or cli_folder_abort(&f)
 *
 * Files are written to a temporary folder beside it, which takes its name at
 * the end.  What stands there already is never touched: the folder must be
 * new, or empty. */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include "engine/base.h"

typedef struct cli_folder {
    char *path, *tmp; /* NULL: not open */
    const char *suffix;
    uint64_t n; /* files so far */
} cli_folder;

/* XQ_EIO: it is no folder, is not empty, or cannot be made. */
xq_status cli_folder_open(cli_folder *f, const char *path, const char *suffix,
                          xq_err *err);
xq_status cli_folder_add(cli_folder *f, const void *bytes, size_t n,
                         xq_err *err);
xq_status cli_folder_commit(cli_folder *f, xq_err *err);
/* Drop it; safe on a zeroed struct and after a commit. */
void cli_folder_abort(cli_folder *f);

#endif
