/*
 * signals.h - an interrupted program leaves nothing half-written behind
 */
#ifndef HP_CLI_SIGNALS_H
#define HP_CLI_SIGNALS_H

#include "common/status.h"

/*
 * SIGINT, SIGTERM, SIGHUP and SIGQUIT remove the temporary files of open sinks
 * and then end the process as they would have (unless they were ignored when
 * the program began, as under nohup). SIGPIPE and SIGXFSZ are ignored, so that
 * a broken pipe or a file that is too large is a write error with an exit code.
 *
 * Called once, by main(), before threads are made.
 */
void hp_signals_install(void);

#endif
