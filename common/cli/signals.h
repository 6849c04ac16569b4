/*
 * signals.h - an interrupted program leaves nothing half-written behind
 */
#ifndef HP_CLI_SIGNALS_H
#define HP_CLI_SIGNALS_H

#include "common/base/status.h"

/*
 * SIGINT, SIGTERM and the others that end a process, limits of time and SIGUSR1
 * among them, remove the temporary files of open sinks and then end the process
 * as they would have (unless they were ignored when the program began, as under
 * nohup, or a profiler had them). SIGPIPE and SIGXFSZ are ignored, so that
 * a broken pipe is HP_CLOSED, and a file that is too large a write error.
 *
 * Called once, by main(), before threads are made.
 */
void hp_signals_install(void);

/**
 * hp_signals_end_closed() - the reader of the output is gone: end as cat does
 * @err: of the output; anything but HP_CLOSED is not for this function
 *
 * Removes the temporary files of open sinks and ends the process by SIGPIPE,
 * without a message. It returns if @err is about something else, or if SIGPIPE
 * was ignored when the program began: whoever did that wants an exit code.
 */
void hp_signals_end_closed(const struct hp_error *err);

#endif
