/*
 * resources.h - the threads and memory that this process may use
 */
#ifndef HP_CLI_RESOURCES_H
#define HP_CLI_RESOURCES_H

#include "common/base/status.h"

#define HP_THREADS_MAX 1024

/* Processors that this process may run on: 1 to HP_THREADS_MAX. */
unsigned hp_default_threads(void);

/*
 * How malloc() takes memory and gives it back; once, at the start. With less
 * than 64 MB of --memory all that is freed goes back, and no page is a huge
 * one. Else large blocks go back to the system when they are freed: glibc keeps
 * them from the second on, for each thread, which --memory knows nothing of.
 * The first megabytes of the main heap, where the tables of a dump are, may lie
 * in huge pages.
 */
void hp_tune_malloc(uint64_t memory);

/*
 * What was freed goes back to the system: threads that have ended leave it to
 * be taken by others, of which there may be none.
 */
void hp_trim_malloc(void);

/**
 * hp_machine_limit() - have the system keep --memory, whatever is counted
 * @memory: bytes, 24 MB and more
 *
 * What is allocated beyond it fails, so that the process ends with a message.
 * Threads that are started later have small stacks, which count as well.
 * Before hp_tune_malloc(), before any thread.
 * Returns: the limit that there was, for hp_machine_unlimit().
 */
uint64_t hp_machine_limit(uint64_t memory);
/* Where all that is taken is counted: the limit that there was. */
void hp_machine_unlimit(uint64_t before);

/*
 * The default of --memory: 64 MB at least, and three quarters of what this
 * process may use: the least of the memory that is available now, the limits of
 * its cgroups (version 2 or 1) and of its resources (ulimit -v), if any of that
 * can be found out.
 */
uint64_t hp_memory_budget(void);

#endif
