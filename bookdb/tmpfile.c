/* tmpfile.c - temporary files that nobody sees. */
#include "bookdb/tmpfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CHUNK ((size_t)8 << 20)

char *bk_tmpdir(const char *dir)
{
    if (!dir)
        dir = getenv("TMPDIR");
    if (!dir || !*dir)
        dir = access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp";
    return strdup(dir);
}

xq_status bk_tmp_open(int *fd, const char *dir, xq_err *err)
{
    char path[PATH_MAX];
    *fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (*fd >= 0)
        return XQ_OK;
    /* A file system without O_TMPFILE: create, then unlink. */
    const int n = snprintf(path, sizeof path, "%s/qipu-XXXXXX", dir);
    if (n < 0 || (size_t)n >= sizeof path)
        return xq_fail(err, XQ_EIO, "name of temporary directory too long");
    *fd = mkostemp(path, O_CLOEXEC);
    if (*fd < 0)
        return xq_fail(err, XQ_EIO,
                       "cannot create a temporary file in '%s': %s", dir,
                       strerror(errno));
    unlink(path);
    return XQ_OK;
}

xq_status bk_tmp_write(int fd, const void *buf, size_t n, uint64_t at,
                       const char *dir, xq_err *err)
{
    const char *p = buf;
    while (n > 0) {
        const ssize_t k = pwrite(fd, p, n < CHUNK ? n : CHUNK, (off_t)at);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return xq_fail(err, XQ_EIO,
                           "cannot write a temporary file in '%s': %s", dir,
                           k < 0 ? strerror(errno) : "no room on the disk");
        p += k;
        n -= (size_t)k;
        at += (uint64_t)k;
    }
    return XQ_OK;
}

xq_status bk_tmp_read(int fd, void *buf, size_t n, uint64_t at, xq_err *err)
{
    char *p = buf;
    while (n > 0) {
        const ssize_t k = pread(fd, p, n, (off_t)at);
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return xq_fail(err, XQ_EIO, "cannot read a temporary file: %s",
                           k < 0 ? strerror(errno) : "it is too short");
        p += k;
        n -= (size_t)k;
        at += (uint64_t)k;
    }
    return XQ_OK;
}
