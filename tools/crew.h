/* crew.h - threads that work on many small tasks of jobs that come in order.
 *
 *   crew_open(&c, workers, n, work, &err);
 *   crew_add(c, job, tasks);                  as often as there are jobs
 *   while ((job = crew_next(c, 100)) != NULL) ...the oldest job, all done
 *   crew_close(c);
 *
 * A job has a number of tasks, 0 to n - 1; work(worker, job, task) does one, in
 * any thread, several of a job at once.  Tasks are begun in the order of the
 * jobs; jobs are given back in that order too, whatever was ready first, so
 * that results do not depend on the number of threads.
 *
 * Whoever opened the crew adds and takes back jobs, in one thread. */
#ifndef CREW_H
#define CREW_H

#include "engine/base.h"

typedef struct crew crew;

typedef void crew_work(void *worker, void *job, uint32_t task);

/* One thread for each of the n workers (which stay the caller's).  XQ_ENOMEM;
 * XQ_EIO: no thread could be started. */
xq_status crew_open(crew **c, void *const *workers, unsigned n, crew_work *work,
                    xq_err *err);
xq_status crew_add(crew *c, void *job, uint32_t tasks, xq_err *err);
/* The oldest job, when all of it is done; waits for it up to so many ms.
 * NULL: not yet, or there is no job (crew_jobs is 0). */
void *crew_next(crew *c, unsigned ms);
/* Jobs that were added and not yet given back. */
size_t crew_jobs(const crew *c);
/* Tasks done since the beginning. */
uint64_t crew_done(crew *c);
/* Begin no further tasks.  True when none is under way any more. */
bool crew_stop(crew *c);
/* Begin no further tasks; wait for those under way.  Jobs not given back are
 * the caller's to know.  NULL is closed too. */
void crew_close(crew *c);

#endif
