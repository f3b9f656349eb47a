/* memory.h - how much memory is left.  Not public.
 *
 * Systems that promise more memory than they have (overcommit) end a process,
 * or another one, when it uses what it was given.  Who wants much asks before.
 *
 * Sources: proc(5), MemAvailable; Linux, admin-guide/cgroup-v2, "Memory", and
 * cgroup-v1/memory. */
#ifndef XQ_MEMORY_H
#define XQ_MEMORY_H

#include <stdint.h>

/* Bytes that can be filled before the machine, or a control group that the
 * process belongs to, has no more but what it would have to swap out; other
 * processes may take them meanwhile.  UINT64_MAX: the system does not tell.
 * root: where /proc and /sys are looked for, "" but in tests. */
uint64_t xq_memory_left(const char *root);

#endif
