/* memory.c - how much memory is left. */
#include "engine/memory.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Long enough for the names of control groups (NAME_MAX a folder); a longer
 * one is as good as none. */
#define PATH_BYTES 4096

static FILE *open_in(const char *folder, const char *name)
{
    char path[PATH_BYTES];
    const int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    return n > 0 && n < PATH_BYTES ? fopen(path, "r") : NULL;
}

/* The number behind `word` at the start of a line, "MemAvailable: 123 kB";
 * of the file's first line when word is "".  "max" is no number. */
static bool number_in(const char *folder, const char *name, const char *word,
                      uint64_t *v)
{
    char line[256];
    const size_t n = strlen(word);
    bool found = false;
    FILE *const f = open_in(folder, name);
    if (!f)
        return false;
    while (!found && fgets(line, sizeof line, f))
        if (strncmp(line, word, n) == 0 && (n == 0 || line[n] == ' ')) {
            char *end;
            *v = strtoull(line + n, &end, 10);
            found = end > line + n;
            if (n == 0)
                break;
        }
    fclose(f);
    return found;
}

static uint64_t less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }
static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* The files of the two versions of control groups. */
static const struct version {
    const char *mount, *limit, *used, *cached;
} V1 = {"/sys/fs/cgroup/memory", "memory.limit_in_bytes",
        "memory.usage_in_bytes", "total_inactive_file"},
  V2 = {"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"};

static uint64_t left_in_group(const char *folder, const struct version *v)
{
    uint64_t limit, used, cached = 0;
    if (!number_in(folder, v->limit, "", &limit) ||
        !number_in(folder, v->used, "", &used))
        return UINT64_MAX;
    /* Files that were read and are not in use make room. */
    (void)number_in(folder, "memory.stat", v->cached, &cached);
    return less(limit, less(used, cached));
}

/* The group's own limit and those of the groups around it.  In a container
 * what is mounted may be the group itself. */
static uint64_t left_in_groups(const char *root, const char *group,
                               const struct version *v)
{
    char folder[PATH_BYTES];
    uint64_t left = UINT64_MAX;
    const int n =
        snprintf(folder, sizeof folder, "%s%s%s", root, v->mount, group);
    const size_t top = strlen(root) + strlen(v->mount);
    if (n < 0 || n >= PATH_BYTES)
        return left;
    for (;;) {
        left = least(left, left_in_group(folder, v));
        char *const slash = strrchr(folder, '/');
        if (!slash || (size_t)(slash - folder) < top)
            return left;
        *slash = '\0';
    }
}

/* A line is "4:memory:/a/b" (version 1) or "0::/a/b". */
static uint64_t left_by_groups(const char *root)
{
    char line[PATH_BYTES];
    uint64_t left = UINT64_MAX;
    FILE *const f = open_in(root, "proc/self/cgroup");
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        char *const what = strchr(line, ':');
        char *const group = what ? strchr(what + 1, ':') : NULL;
        if (!group)
            continue;
        *group = '\0';
        if (strcmp(what, ":") == 0)
            left = least(left, left_in_groups(root, group + 1, &V2));
        else if (strstr(what, "memory"))
            left = least(left, left_in_groups(root, group + 1, &V1));
    }
    if (f)
        fclose(f);
    return left;
}

uint64_t xq_memory_left(const char *root)
{
    uint64_t kib, left = left_by_groups(root);
    char folder[PATH_BYTES];
    const int n = snprintf(folder, sizeof folder, "%s/proc", root);
    if (n > 0 && n < PATH_BYTES &&
        number_in(folder, "meminfo", "MemAvailable:", &kib))
        left = least(left, kib > UINT64_MAX / 1024 ? UINT64_MAX : kib * 1024);
    return left;
}
