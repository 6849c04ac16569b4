/*
 * resources.h - memory and threads that a run may use, and signals that end
 * it
 */
#ifndef HP_CLI_RESOURCES_H
#define HP_CLI_RESOURCES_H

#include "common/base/status.h"

/* ----------------------------------------------------------------------
 * The threads and the memory that this process may use
 */

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

/* ----------------------------------------------------------------------
 * Remove incomplete files when a signal ends the program
 */

/*
 * Install the signal handlers. main() calls this once, before it starts
 * threads.
 *
 * SIGINT, SIGTERM and other signals that end a process, such as time limits and
 * SIGUSR1, first remove the temporary files of open sinks and then end the
 * process as usual. Signals that were ignored when the program began (nohup) or
 * that have a handler (profilers) are not changed. SIGPIPE and SIGXFSZ are
 * ignored, so that a closed pipe is reported as HP_CLOSED, and a file that is
 * too large as a write error.
 */
void hp_signals_install(void);

/**
 * hp_signals_end_closed() - end the process if the reader of the output is gone
 * @err: the failure of the output; does nothing unless it is HP_CLOSED
 *
 * Like cat, removes the temporary files of open sinks and ends the process by
 * SIGPIPE, without a message. If SIGPIPE was ignored when the program began,
 * the function returns, because the caller expects an exit status then.
 */
void hp_signals_end_closed(const struct hp_error *err);

#endif
