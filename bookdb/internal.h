/* internal.h - what the files of bookdb/ share among themselves: the parts of
 * LMDB's file format that store.c and pages.c read by themselves (0.9.x,
 * 64-bit, this machine's byte order). */
#ifndef BK_INTERNAL_H
#define BK_INTERNAL_H

#include "bookdb/store.h"

#include <zlib.h>

static inline uint32_t bk_crc(const void *p, size_t n)
{
    return (uint32_t)crc32_z(0, p, n);
}

#define BK_LMDB_MAGIC   0xBEEFC0DEu
#define BK_LMDB_VERSION 1u
#define BK_META_BYTES   152 /* of a meta page: header, and what we read */
#define BK_META_TXNID   144 /* where its number stands */
#define BK_PAGE_HEAD    16
#define BK_NODE_HEAD    8
#define BK_NO_PAGE      UINT64_MAX

enum { /* page flags */
       BK_P_BRANCH = 1,
       BK_P_LEAF = 2,
       BK_P_OVERFLOW = 4,
       BK_P_META = 8,
       BK_P_LEAF2 = 32,
};

enum {               /* node flags */
       BK_N_BIG = 1, /* value on overflow pages */
       BK_N_SUB = 2, /* value is a sub-database */
       BK_N_DUP = 4,
};

/* The record "format" of every file of ours (store.c). */
#define BK_FORMAT_BYTES 16
void bk_format_make(uint8_t out[BK_FORMAT_BYTES], const char magic[4]);
const char *bk_kind_of_file(const char magic[4]); /* "a game database", ... */

/* MDB_db: what a database's root record says. */
typedef struct bk_tree {
    uint32_t pad;
    uint16_t flags, depth;
    uint64_t branches, leaves, overflows, entries, root;
} bk_tree;

typedef struct bk_meta {
    uint32_t psize;
    bk_tree trees[2]; /* free list, main */
    uint64_t last_page, txnid;
} bk_meta;

void bk_tree_parse(const uint8_t *p, bk_tree *t);
bool bk_pread_all(int fd, void *buf, size_t n, uint64_t at);
/* `what`: of a file that is none of ours it is said that it is no such thing.
 */
#define BK_WANTED "database or book of qipu"
xq_status bk_meta_read(int fd, const char *path, const char *what, bk_meta *m,
                       uint64_t *size, xq_err *err);
/* Walk all pages without looking into values: are those in use all there? */
xq_status bk_pages_whole(const char *path, xq_err *err);

#endif
