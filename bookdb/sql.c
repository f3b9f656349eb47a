/* sql.c - SQLite files of strangers, opened to be read once.
 *
 * immutable=1: no lock, no journal and no file beside it is made; a file that
 * another program is changing is refused.  Nothing in it may run: views are
 * not read, and the schema is not trusted. */
#include "bookdb/foreign_parts.h"
#include "bookdb/tmpfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

xq_status bk_sql_fail(sqlite3 *db, const char *path, xq_err *err)
{
    const int rc = db ? sqlite3_errcode(db) & 0xff : SQLITE_NOMEM;
    if (rc == SQLITE_NOMEM)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    return xq_fail(
        err, rc == SQLITE_CORRUPT || rc == SQLITE_NOTADB ? XQ_ECORRUPT : XQ_EIO,
        "'%s': %s", path, sqlite3_errmsg(db));
}

xq_status bk_sql_run(sqlite3 *db, const char *path, const char *sql,
                     xq_err *err)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK
               ? XQ_OK
               : bk_sql_fail(db, path, err);
}

xq_status bk_sql_prepare(sqlite3 *db, const char *path, const char *sql,
                         sqlite3_stmt **st, xq_err *err)
{
    return sqlite3_prepare_v2(db, sql, -1, st, NULL) == SQLITE_OK
               ? XQ_OK
               : bk_sql_fail(db, path, err);
}

/* Is there a file with something in it, called path and `suffix`? */
static bool beside(const char *path, const char *suffix)
{
    const size_t n = strlen(path) + strlen(suffix) + 1;
    char *const name = malloc(n);
    struct stat st;
    if (!name)
        return false;
    snprintf(name, n, "%s%s", path, suffix);
    const bool yes = stat(name, &st) == 0 && st.st_size > 0;
    free(name);
    return yes;
}

static xq_status open_plain(sqlite3 **db, const char *path, const char *shown,
                            xq_err *err)
{
    static const char HEX[] = "0123456789ABCDEF";
    if (beside(path, "-wal") || beside(path, "-journal"))
        return xq_fail(err, XQ_EIO,
                       "'%s' is being changed (a -wal or -journal file lies "
                       "beside it): close the program that has it open",
                       shown);
    char *const uri = malloc(3 * strlen(path) + 40);
    if (!uri)
        return xq_fail(err, XQ_ENOMEM, "out of memory");
    char *p = uri + sprintf(uri, "file:");
    for (const char *s = path; *s; s++) {
        const unsigned char c = (unsigned char)*s;
        *p++ = '%';
        *p++ = HEX[c >> 4];
        *p++ = HEX[c & 15];
    }
    strcpy(p, "?mode=ro&immutable=1");
    const int rc = sqlite3_open_v2(
        uri, db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
        NULL);
    free(uri);
    if (rc != SQLITE_OK)
        return bk_sql_fail(*db, shown, err);
    (void)sqlite3_db_config(*db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    return bk_sql_run(*db, shown,
                      "PRAGMA trusted_schema=OFF; PRAGMA cell_size_check=ON; "
                      "SELECT 1 FROM sqlite_master LIMIT 1",
                      err);
}

/* Does it begin with SQLite's magic without being unpacked? */
static bool is_plain(const char *path)
{
    char head[16];
    if (strcmp(path, "-") == 0)
        return false;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a pipe? */
    const bool yes = fd >= 0 && pread(fd, head, 16, 0) == 16 &&
                     memcmp(head, "SQLite format 3", 16) == 0;
    if (fd >= 0)
        close(fd);
    return yes;
}

static xq_status unpack(int fd, const char *dir, bk_input *in, xq_err *err)
{
    static const size_t PIECE = 1 << 16;
    uint8_t *const buf = malloc(PIECE);
    uint64_t at = 0;
    size_t got = 1;
    xq_status rc = buf ? XQ_OK : xq_fail(err, XQ_ENOMEM, "out of memory");
    while (rc == XQ_OK && got > 0) {
        rc = bk_input_read(in, buf, PIECE, &got, err);
        if (rc == XQ_OK && got > 0)
            rc = bk_tmp_write(fd, buf, got, at, dir, err);
        at += got;
    }
    free(buf);
    return rc;
}

static xq_status open_packed(sqlite3 **db, const char *path, const char *dir,
                             char *tmp, bk_input *in, xq_err *err)
{
    const int fd = mkostemp(tmp, O_CLOEXEC);
    if (fd < 0)
        return xq_fail(err, XQ_EIO,
                       "cannot create a temporary file in '%s': %s", dir,
                       strerror(errno));
    xq_status rc = unpack(fd, dir, in, err);
    if (rc == XQ_OK)
        rc = open_plain(db, tmp, path, err);
    close(fd);
    unlink(tmp); /* SQLite holds it open */
    return rc;
}

xq_status bk_sql_open(sqlite3 **db, const char *path, bk_input *in, xq_err *err)
{
    static const char NAME[] = "/qipu-XXXXXX";
    *db = NULL;
    if (is_plain(path))
        return open_plain(db, path, path, err);
    char *const dir = bk_tmpdir(NULL);
    char *const tmp = dir ? malloc(strlen(dir) + sizeof NAME) : NULL;
    xq_status rc;
    if (tmp) {
        memcpy(tmp, dir, strlen(dir));
        memcpy(tmp + strlen(dir), NAME, sizeof NAME);
        rc = open_packed(db, path, dir, tmp, in, err);
    } else {
        rc = xq_fail(err, XQ_ENOMEM, "out of memory");
    }
    free(tmp);
    free(dir);
    return rc;
}

bool bk_sql_has_table(sqlite3 *db, const char *table)
{
    sqlite3_stmt *st = NULL;
    bool yes = false;
    if (sqlite3_prepare_v2(db,
                           "SELECT 1 FROM sqlite_master WHERE type='table' "
                           "AND lower(name)=? AND sql LIKE 'CREATE TABLE%'",
                           -1, &st, NULL) == SQLITE_OK &&
        sqlite3_bind_text(st, 1, table, -1, SQLITE_STATIC) == SQLITE_OK)
        yes = sqlite3_step(st) == SQLITE_ROW;
    sqlite3_finalize(st);
    return yes;
}

bool bk_sql_has_column(sqlite3 *db, const char *table, const char *column)
{
    return sqlite3_table_column_metadata(db, NULL, table, column, NULL, NULL,
                                         NULL, NULL, NULL) == SQLITE_OK;
}

xq_status
bk_sql_export(bk_export *x,
              xq_status (*write)(bk_export *x, sqlite3 *db, xq_err *err),
              xq_status (*read_back)(bk_export *x, xq_err *err), xq_err *err)
{
    sqlite3 *db = NULL;
    xq_status rc = XQ_OK;
    if (sqlite3_open_v2(x->tmp, &db,
                        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                        NULL) != SQLITE_OK)
        rc = bk_sql_fail(db, x->path, err);
    if (rc == XQ_OK)
        rc = write(x, db, err);
    sqlite3_close(db);
    return rc == XQ_OK ? read_back(x, err) : rc;
}
