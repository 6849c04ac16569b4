/*
 * monitor_dump.h - make a MONITOR DUMP, a part of a report in the text format
 */
#ifndef HP_AGENT_MONITOR_DUMP_H
#define HP_AGENT_MONITOR_DUMP_H

#include "agent/agent.h"

/**
 * hp_agent_dump_monitors() - append the lines of a MONITOR DUMP, each with a
 * line feed
 *
 * The lines list the threads with their stack traces, and the monitors for
 * which threads wait. The stack traces are added to the agent's tables. The
 * threads keep running while the function looks at them.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_agent_dump_monitors(struct hp_agent *a,
						  JNIEnv *jni,
						  struct hp_buf *out,
						  struct hp_error *err);

#endif
