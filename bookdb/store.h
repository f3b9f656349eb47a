/* store.h - one LMDB file, opened with distrust, grown when full.
 *
 * The base of db.c and book.c.  LMDB maps its file and trusts it: a file cut
 * short is a SIGBUS, a damaged page silent nonsense.  So, before a file is
 * mapped, bk_store_open compares its size with both meta pages by pread (a
 * truncated or foreign file is an error), and bk_pages_* walk every page of
 * it without mapping anything.  Values carry their own checksum
 * (bk_seal/bk_unseal).
 *
 * Never MDB_WRITEMAP: a full disk would be a SIGBUS.  Keys are big-endian so
 * that LMDB's byte order is numeric order. */
#ifndef BK_STORE_H
#define BK_STORE_H

#include "engine/base.h"
#include <lmdb.h>
#include <time.h>

typedef struct bk_store {
    MDB_env *env;
    char *path; /* as the caller says it, for messages */
    char *real; /* with links followed */
    char *lock; /* the lock file, beside that */
    bool writable;
    int lock_fd; /* of the writer's lock, -1 */
    bool tight;  /* for tests: bk_store_reserve does nothing */
    /* of the file when it was opened */
    bool still; /* BK_STATIC */
    uint64_t size;
    struct timespec mtime;
} bk_store;

/* BK_STATIC reads a file that is only ever replaced as a whole (a book):
 * LMDB's lock file is neither needed nor made. */
enum { BK_READ = 0, BK_WRITE = 1, BK_CREATE = 2, BK_STATIC = 3 };

/* Open `path` (LMDB with MDB_NOSUBDIR).  The first four bytes of the value
 * "format" in the main database must be `magic`: three letters that name the
 * kind of file, and a digit, its version.  Behind them stands the Zobrist key
 * of the start position, so that changed constants are noticed.  The record
 * is written when the file is created, and a file appears at `path` only with
 * it.  A reader takes part in LMDB's locking; where no lock file can be made
 * (read-only medium) it reads with MDB_NOLOCK.  Dead readers are cleared.
 * LMDB forbids to open a file twice in one process.
 * XQ_ENOTFOUND no such file; XQ_ECORRUPT cut short, foreign, another kind or
 * newer version, with the message saying which; XQ_EIO. */
xq_status bk_store_open(bk_store *s, const char *path, int mode,
                        const char magic[4], unsigned max_dbs, xq_err *err);
void bk_store_close(bk_store *s); /* also of a zeroed one */

/* Become the only writer until bk_store_close (a lock that dies with the
 * process).  Where another process is it: `waiting` is called with its pid and
 * then waited; without `waiting`, XQ_EIO "locked by pid N".  LMDB's own lock
 * covers a transaction only. */
xq_status bk_store_lock(bk_store *s, void (*waiting)(long pid), xq_err *err);

/* Is the file that is open still the one at its path? */
bool bk_store_current(const bk_store *s);

/* Somebody may cut the file short, or write over it, while it is mapped.  Asked
 * before the map is read (bk_store_begin does): XQ_EIO when the file that is
 * open has become shorter than it was, or, with BK_STATIC, has another size or
 * time of change.  A file that was replaced at its path is still whole.  A
 * change between this and the reading is not noticed: SIGBUS, which programs
 * may catch to say so. */
xq_status bk_store_whole(const bk_store *s, xq_err *err);

/* While a file is walked by pread: keep writers from using its pages again,
 * as a reader does, without looking at any page.  Where that is not possible
 * nothing is held.  NULL is released too. */
typedef struct bk_hold bk_hold;
bk_hold *bk_store_hold(const char *path);
void bk_store_release(bk_hold *h);

/* Begin a transaction, after bk_store_whole; copes with a map that another
 * process has grown and with a full reader table (clears dead readers once). */
xq_status bk_store_begin(bk_store *s, bool write, MDB_txn **txn, xq_err *err);
/* Double the map.  Call with no transaction open, after MDB_MAP_FULL, then
 * repeat the batch. */
xq_status bk_store_grow(bk_store *s, xq_err *err);
/* Make room in the map for `bytes` more, so that a batch need not be
 * repeated.  Call with no transaction open. */
xq_status bk_store_reserve(bk_store *s, size_t bytes, xq_err *err);
/* After a commit: give the file the length its meta page claims. */
void bk_store_settle(bk_store *s);

/* Turn an LMDB code into a status with a message ("cannot %s '%s': ..."):
 * ENOSPC says that the disk is full and that what was committed is kept. */
xq_status bk_store_fail(const bk_store *s, int rc, const char *doing,
                        xq_err *err);

/* A page inside a file can be damaged such that LMDB ends the process;
 * the process; only `check` looks at all pages before.  Set once, at the start
 * of the program, this is called then: it says so and ends the process. */
typedef void bk_lost_file(const char *path);
extern bk_lost_file *bk_on_lost_file;

/* ---- values with a checksum ---- */

/* Every value of ours begins with 4 bytes: CRC-32 of the rest, big-endian. */
#define BK_SEAL 4
void bk_seal(uint8_t *value, size_t n);         /* n includes the 4 bytes */
bool bk_unseal(const uint8_t *value, size_t n); /* is it whole? */

/* ---- numbers ---- */
void bk_put32(uint8_t *p, uint32_t v); /* big-endian */
void bk_put64(uint8_t *p, uint64_t v);
uint32_t bk_get32(const uint8_t *p);
uint64_t bk_get64(const uint8_t *p);
/* LEB128.  Write: at most 10 bytes, returns the end.  Read: returns the end,
 * or NULL when the number does not end before `end` or exceeds 64 bits. */
uint8_t *bk_put_varint(uint8_t *p, uint64_t v);
const uint8_t *bk_get_varint(const uint8_t *p, const uint8_t *end, uint64_t *v);

/* ---- every page, without mapping ---- */

/* Walks an LMDB file (format of 0.9.x, 64-bit) by pread: both meta pages,
 * every page of every named database, the free list.  Each page is checked
 * (number, flags, bounds of nodes, order of keys, used once, sizes against
 * the file) before its nodes are handed out. */
typedef struct bk_pages bk_pages;

typedef struct bk_page_item {
    const char *db; /* name of the database, "" the main one */
    const uint8_t *key, *value;
    size_t nkey, nvalue;
} bk_page_item;

xq_status bk_pages_open(bk_pages **w, const char *path, xq_err *err);
/* XQ_OK: an item, valid until the next call; items come in key order,
 * database by database.  XQ_DONE.  XQ_ECORRUPT: *err names page and fault. */
xq_status bk_pages_next(bk_pages *w, bk_page_item *item, xq_err *err);
/* After XQ_DONE: pages in use by database name ("" main, and the free list
 * as "free"), for the account of `db info`.  False when `name` is unknown. */
bool bk_pages_count(const bk_pages *w, const char *name, uint64_t *pages,
                    uint64_t *entries);
uint32_t bk_pages_size(const bk_pages *w); /* of a page */
void bk_pages_close(bk_pages *w);

#endif
