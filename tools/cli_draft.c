/* cli_draft.c - a file that gets its name when it is complete. */
#include "tools/cli_draft.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool cli_draft_always_named;

enum { NAME_ROOM = 48, TRIES = 10000 };

static void set_name(cli_draft *d, const char *path, unsigned i)
{
    snprintf(d->name, strlen(path) + NAME_ROOM, "%s.%ld-%u.tmp", path,
             (long)getpid(), i);
}

static FILE *stream_of(int fd)
{
    FILE *f = fdopen(fd, "wb");
    if (!f) {
        const int e = errno;
        close(fd);
        errno = e;
    }
    return f;
}

/* ---- without a name ---- */

/* The way to a descriptor's file that does not need privileges: see open(2),
 * O_TMPFILE. */
enum { LINK_ROOM = 40 };
static void link_of(char out[LINK_ROOM], int fd)
{
    snprintf(out, LINK_ROOM, "/proc/self/fd/%d", fd);
}

#ifdef O_TMPFILE
static int open_in_folder_of(const char *path)
{
    const char *const slash = strrchr(path, '/');
    char *folder = !slash          ? strdup(".")
                   : slash == path ? strdup("/")
                                   : strndup(path, (size_t)(slash - path));
    const int fd =
        folder ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
    free(folder);
    return fd;
}
#else
static int open_in_folder_of(const char *path)
{
    (void)path;
    return -1;
}
#endif

/* -1 where that is not to be had, or where no name could be given later. */
static int open_unnamed(cli_draft *d, const char *path)
{
    char link[LINK_ROOM];
    if (cli_draft_always_named)
        return -1;
    set_name(d, path, 0);
    if (access(d->name, F_OK) != 0 && errno != ENOENT)
        return -1; /* too long, say */
    const int fd = open_in_folder_of(path);
    if (fd < 0)
        return -1;
    link_of(link, fd);
    if (access(link, F_OK) == 0)
        return fd;
    close(fd);
    return -1;
}

static bool give_name(cli_draft *d, int fd, const char *path)
{
    char link[LINK_ROOM];
    link_of(link, fd);
    for (unsigned i = 0; i < TRIES && !d->named; i++) {
        set_name(d, path, i);
        d->named =
            linkat(AT_FDCWD, link, AT_FDCWD, d->name, AT_SYMLINK_FOLLOW) == 0;
        if (!d->named && errno != EEXIST)
            return false;
    }
    return d->named;
}

/* ---- with one ---- */

static int open_named(cli_draft *d, const char *path)
{
    int fd = -1;
    for (unsigned i = 0; i < TRIES && fd < 0; i++) {
        set_name(d, path, i);
        fd = open(d->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    d->named = fd >= 0;
    return fd;
}

/* ---- either ---- */

FILE *cli_draft_open(cli_draft *d, const char *path)
{
    *d = (cli_draft){.name = malloc(strlen(path) + NAME_ROOM)};
    if (!d->name)
        return NULL;
    int fd = open_unnamed(d, path);
    if (fd < 0)
        fd = open_named(d, path);
    FILE *f = fd < 0 ? NULL : stream_of(fd);
    if (!f) {
        const int e = errno;
        cli_draft_end(d);
        errno = e;
    }
    return f;
}

bool cli_draft_replace(cli_draft *d, FILE *f, const char *path)
{
    if (!d->named && !give_name(d, fileno(f), path))
        return false;
    if (rename(d->name, path) != 0)
        return false;
    d->named = false;
    return true;
}

void cli_draft_end(cli_draft *d)
{
    if (d->named)
        unlink(d->name);
    free(d->name);
    *d = (cli_draft){0};
}
