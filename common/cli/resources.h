/*
 * resources.h - the threads and the memory that this process may use
 */
#ifndef HP_CLI_RESOURCES_H
#define HP_CLI_RESOURCES_H

#include "common/base/status.h"

#define HP_THREADS_MAX 1024

/* The number of processors that this process may use: 1 to HP_THREADS_MAX. */
unsigned hp_default_threads(void);

/**
 * hp_machine_limit() - let the system enforce --memory
 * @memory: bytes, at least 24 MB
 *
 * Allocations beyond the limit fail, so that the process ends with a message.
 * Threads that are started later get small stacks, because stacks count too.
 * Call this before hp_tune_malloc() and before any thread is started.
 *
 * Returns: the previous limit, for hp_machine_unlimit().
 */
uint64_t hp_machine_limit(uint64_t memory);
/* Restore the previous limit, once the program counts all its memory itself. */
void hp_machine_unlimit(uint64_t before);

/*
 * The default of --memory, in bytes: three quarters of the memory that this
 * process may use, but at least 64 MB. That memory is the smallest of: the
 * memory available now, the limits of its cgroups (version 2 or 1), and its
 * resource limits (ulimit -v).
 */
uint64_t hp_memory_budget(void);

#endif
