/* cli_out.c - results: stdout checked at the end, files that appear whole. */
#include "tools/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder of a path, without links and dots; the caller's.  NULL: there is
 * none. */
static char *real_folder(const char *path)
{
    const size_t n = (size_t)(cli_base_name(path) - path);
    char *folder = n ? strndup(path, n) : strdup(".");
    char *real = folder ? realpath(folder, NULL) : NULL;
    free(folder);
    return real;
}

bool cli_same_file(const char *a, const char *b)
{
    struct stat s, t;
    if (!a || !b || !strcmp(a, "-") || !strcmp(b, "-"))
        return false;
    const bool here = stat(a, &s) == 0, there = stat(b, &t) == 0;
    if (here && there)
        return S_ISREG(s.st_mode) && s.st_dev == t.st_dev &&
               s.st_ino == t.st_ino;
    if (here || there || strcmp(cli_base_name(a), cli_base_name(b)) != 0)
        return false;
    char *f = real_folder(a), *g = real_folder(b);
    const bool same = f && g && !strcmp(f, g);
    free(f);
    free(g);
    return same;
}

/* What a write failed for, and where. */
static FILE *failed_on;
static int failed_errno;

static void note_failure(FILE *f)
{
    if (failed_on == f && failed_errno)
        return; /* the first one counts */
    failed_on = f;
    failed_errno = errno;
}

void cli_write(FILE *f, const void *s, size_t n)
{
    if (n && fwrite(s, 1, n, f) < n)
        note_failure(f);
}

void cli_puts(FILE *f, const char *s)
{
    if (fputs(s, f) == EOF)
        note_failure(f);
}

void cli_printf(FILE *f, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    if (vfprintf(f, fmt, ap) < 0)
        note_failure(f);
    va_end(ap);
}

/* Flush: did all writes go well?  *e: why not, 0 when that is not known. */
static bool flushed(FILE *f, int *e)
{
    errno = 0;
    const bool good = fflush(f) == 0 && !ferror(f);
    *e = good ? 0 : errno ? errno : failed_on == f ? failed_errno : 0;
    return good;
}

int cli_finish(int status)
{
    int e;
    bool bad = !flushed(stdout, &e);
    /* A stdout that was closed from the start matters only when something
     * was to be written there, and then fflush has failed. */
    if (fclose(stdout) != 0 && errno != EBADF) {
        bad = true;
        e = errno;
    }
    if (!bad)
        return status;
    if (e)
        cli_error("cannot write to standard output: %s", strerror(e));
    else
        cli_error("cannot write to standard output");
    return CLI_FAIL;
}

/* Its meta page tells. */
bool cli_is_database(const char *path)
{
    uint32_t magic[5];
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return false; /* opening a pipe would wait for somebody to write */
    FILE *f = fopen(path, "rb");
    const bool it =
        f && fread(magic, sizeof magic, 1, f) == 1 && magic[4] == 0xBEEFC0DE;
    if (f)
        fclose(f);
    return it;
}

/* Where a link points to, by any number of links, that leads to nothing yet; of
 * another path itself.  The caller's; NULL: errno. */
static char *link_target(const char *path)
{
    char *at = strdup(path), to[4096];
    for (int links = 0; at && links < 40; links++) {
        const ssize_t n = readlink(at, to, sizeof to);
        if (n < 0)
            return at;
        const size_t folder = *to == '/' ? 0 : (size_t)(cli_base_name(at) - at);
        char *next =
            (size_t)n < sizeof to ? malloc(folder + (size_t)n + 1) : NULL;
        if (next) {
            memcpy(next, at, folder);
            memcpy(next + folder, to, (size_t)n);
            next[folder + (size_t)n] = 0;
        }
        free(at);
        at = next;
    }
    free(at);
    errno = ELOOP;
    return NULL;
}

xq_status cli_out_open(cli_out *o, const char *path, xq_err *err)
{
    *o = (cli_out){0};
    if (!path || strcmp(path, "-") == 0) {
        o->f = stdout;
        return XQ_OK;
    }
    struct stat st;
    bool exists = stat(path, &st) == 0;
    if (!*path)
        return xq_fail(err, XQ_EIO, "cannot write '': it is no name");
    if (exists && S_ISDIR(st.st_mode))
        return xq_fail(err, XQ_EIO, "cannot write '%s': it is a folder", path);
    if (exists && access(path, W_OK) != 0)
        return xq_fail(err, XQ_EIO, "cannot write '%s': %s", path,
                       strerror(errno));
    /* Names are mixed up easily, and games or reports are cheap. */
    if (exists && cli_is_database(path))
        return xq_fail(err, XQ_EIO,
                       "cannot write '%s': a database or a book stands there; "
                       "remove it first",
                       path);
    /* A link keeps pointing where it points: its target is replaced.  What is
     * no file may have no other path. */
    const bool direct = exists && !S_ISREG(st.st_mode);
    o->path = direct   ? strdup(path)
              : exists ? realpath(path, NULL)
                       : link_target(path);
    if (o->path)
        o->f = direct ? fopen(path, "wb") : cli_draft_open(&o->draft, o->path);
    if (!o->f) {
        int e = errno;
        cli_out_abort(o);
        return xq_fail(err, XQ_EIO, "cannot write '%s': %s", path, strerror(e));
    }
    if (exists && o->draft.name)
        (void)fchmod(fileno(o->f), st.st_mode & 07777);
    return XQ_OK;
}

xq_status cli_out_commit(cli_out *o, xq_err *err)
{
    if (!o->path) { /* stdout: cli_finish looks at it, once */
        o->f = NULL;
        return XQ_OK;
    }
    int e;
    const bool draft = o->draft.name != NULL;
    bool good = flushed(o->f, &e);
    if (good && draft && fsync(fileno(o->f)) != 0 && errno != EINVAL) {
        good = false;
        e = errno;
    }
    /* Before it is closed: without a name it would be gone. */
    if (good && draft && !cli_draft_replace(&o->draft, o->f, o->path)) {
        good = false;
        e = errno;
    }
    if (fclose(o->f) != 0 && good) {
        good = false;
        e = errno;
    }
    o->f = NULL;
    xq_status rc = XQ_OK;
    if (!good) /* an earlier write failed, and its errno is gone: 0 */
        rc = xq_fail(err, XQ_EIO, "cannot write '%s': %s", o->path,
                     e ? strerror(e) : "a write failed; the disk may be full");
    cli_out_abort(o);
    return rc;
}

void cli_out_abort(cli_out *o)
{
    if (o->f && o->f != stdout)
        fclose(o->f);
    cli_draft_end(&o->draft);
    free(o->path);
    *o = (cli_out){0};
}
