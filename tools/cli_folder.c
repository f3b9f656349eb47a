/* cli_folder.c - a folder of results that appears only when complete. */
#include "tools/cli_folder.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_empty(const char *path)
{
    DIR *d = opendir(path);
    const struct dirent *e;
    bool empty = d != NULL;
    while (empty && (e = readdir(d)) != NULL)
        empty = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
    if (d)
        closedir(d);
    return empty;
}

static xq_status fail(xq_err *err, const char *path, int e)
{
    return xq_fail(err, XQ_EIO, "cannot write folder '%s': %s", path,
                   strerror(e));
}

xq_status cli_folder_open(cli_folder *f, const char *path, const char *suffix,
                          xq_err *err)
{
    *f = (cli_folder){.suffix = suffix};
    struct stat st;
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    if (stat(path, &st) == 0 && (!S_ISDIR(st.st_mode) || !is_empty(path)))
        return xq_fail(err, XQ_EIO, "cannot write folder '%s': %s", path,
                       S_ISDIR(st.st_mode) ? "it is not empty"
                                           : "it is no folder");
    f->path = strndup(path, n);
    f->tmp = malloc(n + 16);
    if (!f->path || !f->tmp) {
        cli_folder_abort(f);
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    }
    snprintf(f->tmp, n + 16, "%s.tmp-XXXXXX", f->path);
    if (!mkdtemp(f->tmp)) {
        const int e = errno;
        free(f->tmp);
        f->tmp = NULL;
        cli_folder_abort(f);
        return fail(err, path, e);
    }
    return XQ_OK;
}

static char *name_of(const cli_folder *f, uint64_t i)
{
    const size_t room = strlen(f->tmp) + strlen(f->suffix) + 32;
    char *s = malloc(room);
    if (s)
        snprintf(s, room, "%s/%06" PRIu64 ".%s", f->tmp, i, f->suffix);
    return s;
}

xq_status cli_folder_add(cli_folder *f, const void *bytes, size_t n,
                         xq_err *err)
{
    char *name = name_of(f, f->n + 1);
    if (!name)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    FILE *to = fopen(name, "wb");
    int e = errno;
    free(name);
    if (!to)
        return fail(err, f->path, e);
    f->n++;
    errno = 0;
    const bool wrote = fwrite(bytes, 1, n, to) == n;
    e = errno;
    if (fclose(to) != 0 || !wrote)
        return fail(err, f->path, wrote ? errno : e ? e : EIO);
    return XQ_OK;
}

xq_status cli_folder_commit(cli_folder *f, xq_err *err)
{
    /* mkdtemp is for secrets; this folder is as any other */
    const mode_t mask = umask(0);
    umask(mask);
    if (chmod(f->tmp, 0777 & ~mask) != 0 || rename(f->tmp, f->path) != 0)
        return fail(err, f->path, errno);
    free(f->tmp);
    f->tmp = NULL;
    cli_folder_abort(f);
    return XQ_OK;
}

void cli_folder_abort(cli_folder *f)
{
    for (uint64_t i = 1; f->tmp && i <= f->n; i++) {
        char *name = name_of(f, i);
        if (name)
            unlink(name);
        free(name);
    }
    if (f->tmp)
        rmdir(f->tmp);
    free(f->tmp);
    free(f->path);
    *f = (cli_folder){0};
}
