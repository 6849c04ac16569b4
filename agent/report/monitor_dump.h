/*
 * monitor_dump.h - the record MONITOR DUMP of the text format
 */
#ifndef HP_AGENT_MONITOR_DUMP_H
#define HP_AGENT_MONITOR_DUMP_H

#include "agent/agent.h"

/**
 * hp_agent_dump_monitors() - append the lines of MONITOR DUMP, each with a line
 * feed
 *
 * The lines show threads, their traces, and the monitors for which threads
 * wait. The traces are added to the tables. Threads keep running meanwhile.
 * Returns: HP_OK; HP_NOMEM.
 */
HP_MUST_USE enum hp_status hp_agent_dump_monitors(struct hp_agent *a,
						  JNIEnv *jni,
						  struct hp_buf *out,
						  struct hp_error *err);

#endif
