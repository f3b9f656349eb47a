/* tmpfile.h - temporary files that nobody sees: unlinked when they are made,
 * so that a killed process leaves none. */
#ifndef BK_TMPFILE_H
#define BK_TMPFILE_H

#include "engine/base.h"

/* Where they go: dir, or TMPDIR, /var/tmp, /tmp.  The caller frees it; NULL:
 * out of memory. */
char *bk_tmpdir(const char *dir);
xq_status bk_tmp_open(int *fd, const char *dir, xq_err *err);
/* All of it, or XQ_EIO.  dir is for the message. */
xq_status bk_tmp_write(int fd, const void *buf, size_t n, uint64_t at,
                       const char *dir, xq_err *err);
xq_status bk_tmp_read(int fd, void *buf, size_t n, uint64_t at, xq_err *err);

#endif
