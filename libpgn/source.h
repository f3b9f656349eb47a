/* source.h - bytes out of files, pipes, compressed files and tar archives.
 *
 *   pgn_source_open(&s, "games.tar.gz", &err);
 *   while (pgn_source_next(s, &name, &err) == XQ_OK)     one file, or members
 *       while (pgn_source_read(s, buf, n, &got, &err) == XQ_OK && got)
 *           ...
 *   pgn_source_close(s);
 *
 * What a file is, is found by content: plain files are read with read(2),
 * gzip, zstd, bzip2, xz, lz4, zip and tar (compressed or not) through
 * libarchive.  Members that are packed themselves are unpacked too.  Nothing
 * is read whole. */
#ifndef PGN_SOURCE_H
#define PGN_SOURCE_H

#include "engine/base.h"

typedef struct pgn_source pgn_source;

/* Unpacked bytes may be at most this many times the packed bytes read so far
 * (plus 64 MiB): beyond it is no game collection but a decompression bomb
 * (XQ_ELIMIT). */
#define PGN_UNPACK_RATIO 1000

/* Archives and compressed files one in the other: deeper ones are not read
 * (XQ_ELIMIT).  One that compresses another (.tar.gz) counts once with it. */
#define PGN_UNPACK_DEPTH 4

/* `path` is a file, or "-" for standard input.  XQ_EIO (also for a folder). */
xq_status pgn_source_open(pgn_source **s, const char *path, xq_err *err);
/* The same over memory that stays the caller's and must outlive *s. */
xq_status pgn_source_open_mem(pgn_source **s, const char *name,
                              const void *bytes, size_t n, xq_err *err);

/* Go to the first or next member.  A plain or compressed file has exactly
 * one, named as the path; an archive has its regular files in order, named
 * "PATH:MEMBER" (bytes that are not UTF-8 made visible), "PATH:MEMBER:MEMBER"
 * where that is an archive again.  *name lives until the next call; after a
 * failure it is what could not be read (not set when memory ran out), and the
 * next call goes on behind it, also after a failed pgn_source_read: a damaged
 * member costs itself.  A bomb ends all.
 * XQ_OK, XQ_DONE, XQ_EIO, XQ_ESYNTAX (damaged archive), XQ_ELIMIT,
 * XQ_ENOMEM. */
xq_status pgn_source_next(pgn_source *s, const char **name, xq_err *err);

/* Whether the current member is one of an archive. */
bool pgn_source_is_archive(const pgn_source *s);

/* Up to n bytes of the current member; *got is 0 at its end only. */
xq_status pgn_source_read(pgn_source *s, void *buf, size_t n, size_t *got,
                          xq_err *err);

/* Progress: packed bytes consumed so far, and the size of the file when it
 * is known (0 when not). */
uint64_t pgn_source_consumed(const pgn_source *s);
uint64_t pgn_source_size(const pgn_source *s);

void pgn_source_close(pgn_source *s);

#endif
