/*
 * signals.h - remove incomplete files when a signal ends the program
 */
#ifndef HP_CLI_SIGNALS_H
#define HP_CLI_SIGNALS_H

#include "common/base/status.h"

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
