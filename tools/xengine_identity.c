/* xengine_identity.c - who an engine is, so that no other has its answers. */
#include "tools/xengine_parts.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* With its length, so that no two lists of texts look alike. */
static void add_text(cli_buf *b, const char *text)
{
    cli_buf_printf(b, " %zu:%s", strlen(text), text);
}

/* ---- files ---- */

static bool digest_of(int fd, uint64_t *out)
{
    unsigned char bytes[1 << 14];
    XXH3_state_t state;
    ssize_t n;
    XXH3_64bits_reset(&state);
    while ((n = read(fd, bytes, sizeof bytes)) != 0) {
        if (n > 0)
            XXH3_64bits_update(&state, bytes, (size_t)n);
        else if (errno != EINTR)
            return false;
    }
    *out = XXH3_64bits_digest(&state);
    return true;
}

static struct xe_file look(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return (struct xe_file){0};
    return (struct xe_file){true, st.st_size, st.st_mtim};
}

/* The file that a word names, or what is behind its "=". */
static struct xe_file look_named(const char *word, const char **path)
{
    const char *value = strchr(word, '=');
    const struct xe_file f = look(*path = word);
    if (f.regular || !value)
        return f;
    *path = value + 1 + strspn(value + 1, " ");
    return look(*path);
}

static void add_file(const char *path, const struct xe_file *f, cli_buf *b)
{
    uint64_t digest;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd >= 0 && digest_of(fd, &digest))
        cli_buf_printf(b, " file %016" PRIx64, digest);
    else /* a program may be one to run, not to read */
        cli_buf_printf(b, " file of %jd bytes, %jd", (intmax_t)f->size,
                       (intmax_t)f->time.tv_sec);
    if (fd >= 0)
        close(fd);
}

static bool add_file_at(const char *path, cli_buf *b)
{
    const struct xe_file f = look(path);
    if (f.regular)
        add_file(path, &f, b);
    return f.regular;
}

/* A word and the file it names, which was `before` when the engine was not yet
 * running. */
static void add_word(const char *word, const struct xe_file *before, cli_buf *b)
{
    const char *path;
    const struct xe_file f = look_named(word, &path);
    add_text(b, word);
    if (!f.regular)
        return;
    if (before->regular && before->size == f.size &&
        before->time.tv_sec == f.time.tv_sec &&
        before->time.tv_nsec == f.time.tv_nsec)
        add_file(path, &f, b);
    else
        cli_buf_puts(b, " written");
}

xq_status xe_files_look(xengine *e, xq_err *err)
{
    const char *path;
    e->files = calloc(e->nwords + e->setup.noptions, sizeof *e->files);
    if (!e->files)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    for (size_t i = 0; i < e->nwords; i++)
        e->files[i] = look_named(e->words[i], &path);
    for (size_t i = 0; i < e->setup.noptions; i++)
        e->files[e->nwords + i] = look_named(e->setup.options[i], &path);
    return XQ_OK;
}

/* folder/name, ours; NULL: no memory. */
static char *join(const char *folder, size_t n, const char *name)
{
    const size_t size = n + strlen(name) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%.*s/%s", (int)n, folder, name);
    return path;
}

/* Where execvp finds the program; ours, NULL: nowhere. */
static char *find_program(const char *word)
{
    const char *at = getenv("PATH");
    if (strchr(word, '/'))
        return strdup(word);
    while (at && *at) {
        const size_t n = strcspn(at, ":");
        char *path = join(n ? at : ".", n ? n : 1, word);
        if (path && access(path, X_OK) == 0)
            return path;
        free(path);
        at += n + (at[n] == ':');
    }
    return NULL;
}

/* Values from the start are looked for where engines do: here, and beside the
 * program. */
static bool add_preset(const struct xe_offer *o, const char *program,
                       cli_buf *b)
{
    char *name = strndup(o->o.preset.s, o->o.preset.n);
    const char *slash = program ? strrchr(program, '/') : NULL;
    char *beside = NULL;
    bool ok = name != NULL;
    if (ok && !add_file_at(name, b) && slash && name[0] != '/') {
        beside = join(program, (size_t)(slash - program), name);
        ok = beside != NULL;
        if (ok)
            add_file_at(beside, b);
    }
    free(name);
    free(beside);
    return ok;
}

xq_status xengine_identity(const xengine *e, cli_buf *b, xq_err *err)
{
    bool ok = true;
    cli_buf_printf(b, "%s (%s) hash %zu command", xengine_name(e),
                   xengine_protocol(e), e->setup.hash);
    char *program = find_program(e->words[0]);
    add_text(b, e->words[0]);
    if (program)
        add_file_at(program, b);
    for (size_t i = 1; i < e->nwords; i++)
        add_word(e->words[i], &e->files[i], b);
    cli_buf_puts(b, " options");
    for (size_t i = 0; i < e->setup.noptions; i++)
        add_word(e->setup.options[i], &e->files[e->nwords + i], b);
    for (size_t i = 0; i < e->noffers && ok; i++)
        if (e->offers[i].o.preset.n > 0)
            ok = add_preset(&e->offers[i], program, b);
    free(program);
    return ok && !b->failed ? XQ_OK : xq_fail(err, XQ_ENOMEM, "out of memory");
}
