/*
 * resources.h - the memory and threads that the process may use, and signals
 * that end the process
 */
#ifndef HP_CLI_RESOURCES_H
#define HP_CLI_RESOURCES_H

#include "common/base/status.h"

/* ----------------------------------------------------------------------
 * The threads and the memory that this process may use
 */

#define HP_THREADS_MAX 1024

/*
 * Returns the number of processors that this process may use: 1 to
 * HP_THREADS_MAX.
 */
unsigned hp_default_threads(void);

/**
 * hp_machine_limit() - let the operating system enforce the limit of --memory
 * @memory: the limit in bytes, at least 24 MB
 *
 * Allocations beyond the limit fail, so that the process ends with a message.
 * Threads that are started later get small stacks, because stacks also count
 * towards the limit. Call this before hp_tune_malloc() and before any thread is
 * started.
 *
 * Returns: the previous limit, for hp_machine_unlimit().
 */
uint64_t hp_machine_limit(uint64_t memory);
/*
 * Restore the limit @before, the result of hp_machine_limit(). Called when the
 * program counts all its memory itself, so that the limit of the system is not
 * needed.
 */
void hp_machine_unlimit(uint64_t before);

/*
 * Returns the default of --memory, in bytes: three quarters of the memory that
 * this process may use, but at least 64 MB. The memory that the process may use
 * is the smallest of these: the memory that is free now, the limits of its
 * cgroups (version 2 or 1), and its resource limits (ulimit -v).
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
 * ignored. So a closed pipe has the status HP_CLOSED, and a file that grows
 * beyond its size limit causes a write error.
 */
void hp_signals_install(void);

/**
 * hp_signals_end_closed() - end the process if the reader of the output has
 *                           closed the pipe or socket
 * @err: the failure of the output; does nothing unless it is HP_CLOSED
 *
 * Removes the temporary files of open sinks and ends the process by SIGPIPE,
 * without a message, as cat does. If SIGPIPE was ignored when the program
 * began, the function returns, because then the program should end with an exit
 * status.
 */
void hp_signals_end_closed(const struct hp_error *err);

#endif
