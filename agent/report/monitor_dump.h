/*
 * monitor_dump.h - the record MONITOR DUMP of the text
 */
#ifndef HP_AGENT_MONITOR_DUMP_H
#define HP_AGENT_MONITOR_DUMP_H

#include "agent/agent.h"

/**
 * hp_agent_dump_monitors() - the lines of MONITOR DUMP, a line feed after each
 *
 * Threads and the traces of their stacks, whose tables grow by them, and the
 * monitors that threads wait for. Threads run on meanwhile.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_agent_dump_monitors(struct hp_agent *a,
						  JNIEnv *jni,
						  struct hp_buf *out,
						  struct hp_error *err);

#endif
