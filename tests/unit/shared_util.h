/* shared_util.h - the collections of real games in ../shared (QIPU_SHARED
 * names another place), their manifest and what is known to be odd in them.
 *
 *   struct table t = table_open("manifest.tsv");
 *   while (table_next(&t))
 *       use(t.col[0], t.col[3]);
 *   table_close(&t);
 *
 * A test that needs them is skipped, and says so, where they are absent. */
#ifndef SHARED_UTIL_H
#define SHARED_UTIL_H

#include "tests/unit/engine_util.h"

#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static inline const char *shared_dir(void)
{
    const char *s = getenv("QIPU_SHARED");
    s = s ? s : "../shared";
    if (access(s, R_OK) != 0) {
        print_message("skipped: no collections in %s (QIPU_SHARED)\n", s);
        skip();
    }
    return s;
}

/* All of them, not a sample. */
static inline bool slow(void) { return getenv("QIPU_SLOW") != NULL; }

/* The path of a file of the collections. */
static inline const char *shared_path(const char *rel, char path[4000])
{
    const int n = snprintf(path, 4000, "%s/data/%s", shared_dir(), rel);
    assert_in_range(n, 1, 3999);
    return path;
}

/* A file of columns, the current row; columns that a row lacks are "". */
struct table {
    FILE *f;
    char *line;
    size_t cap;
    const char *col[12];
};

static inline bool table_next(struct table *t)
{
    const ssize_t n = getline(&t->line, &t->cap, t->f);
    if (n < 0)
        return false;
    t->line[strcspn(t->line, "\r\n")] = 0;
    char *p = t->line;
    for (size_t i = 0; i < COUNT_OF(t->col); i++) {
        t->col[i] = p;
        p += strcspn(p, "\t");
        if (*p)
            *p++ = 0;
    }
    return true;
}

/* Behind its headings. */
static inline struct table table_open(const char *name)
{
    char path[4000];
    struct table t = {.f = fopen(shared_path(name, path), "r")};
    if (!t.f)
        fail_msg("%s cannot be read", path);
    assert_true(table_next(&t));
    return t;
}

static inline void table_close(struct table *t)
{
    fclose(t->f);
    free(t->line);
}

/* Columns of manifest.tsv and of anomalies.tsv. */
enum { ROW_PATH, ROW_FORMAT, ROW_ENCODING, ROW_GAMES, ROW_PLIES, ROW_NOTE = 9 };
enum { ODD_FILE, ODD_LINE, ODD_KIND, ODD_DETAIL, ODD_MEMBER };

static inline bool starts(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

/* Is it no book, list of names, or index? */
static inline bool is_of_games(const char *path)
{
    return !starts(path, "book/") && !starts(path, "pgn/ccpd/index/") &&
           !starts(path, "epd/wukong/") && !strstr(path, ".eplib");
}

#endif
