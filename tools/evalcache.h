/* evalcache.h - what engines said of positions, kept in a file.
 *
 *   evalcache *c;
 *   evalcache_open(&c, "games.cache", identity, &err);
 *   if (evalcache_find(c, &q, &a) == false) ...ask, then
 *   evalcache_put(c, &q, &a, &err);
 *   evalcache_close(c, &err);                     writes what is left
 *
 * One LMDB file holds the answers of any number of engines: the key of an
 * answer is the position's canonical key, which has its side to move, and a
 * digest of the engine's identity, which has its limit (thinker.h).  So another
 * engine, option or limit never finds the answers of this one.
 *
 * Answers are written in batches.  A process that is killed loses those of the
 * last third of a second; what was written stays whole.  Failed answers are not
 * kept.
 *
 * Threads: any number; one lock inside.  Processes: any number may use a file
 * at once. */
#ifndef EVALCACHE_H
#define EVALCACHE_H

#include "tools/analysis.h"

typedef struct evalcache evalcache;

/* XQ_ECORRUPT: another kind of file; XQ_EIO; XQ_ENOMEM. */
xq_status evalcache_open(evalcache **c, const char *path, const char *identity,
                         xq_err *err);

/* The answer for q, a position of analysis_frame.  One that is damaged, or
 * whose moves are not q's, counts as none. */
bool evalcache_find(evalcache *c, const xq_pos *q, analysis *a);

/* Keep a's answer, if it is one.  XQ_EIO (a full disk, say), XQ_ENOMEM. */
xq_status evalcache_put(evalcache *c, const xq_pos *q, const analysis *a,
                        xq_err *err);

/* Write what is left; also of NULL. */
xq_status evalcache_close(evalcache *c, xq_err *err);

/* ---- the record, for tests ---- */

/* Longest record of an answer. */
#define EVALCACHE_RECORD_MAX (64 + ANALYSIS_LINES * (2 * XQ_MAX_PLY + 16))
size_t evalcache_pack(const analysis *a, uint8_t out[EVALCACHE_RECORD_MAX]);
bool evalcache_unpack(const uint8_t *in, size_t n, analysis *a);

#endif
