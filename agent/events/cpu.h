/*
 * cpu.h - where threads run: cpu=samples
 */
#ifndef HP_AGENT_CPU_H
#define HP_AGENT_CPU_H

#include "agent/agent.h"

/* Starts the thread that samples. HP_OK; HP_UNSUPPORTED. */
HP_MUST_USE enum hp_status hp_agent_cpu_start(struct hp_agent *a, JNIEnv *jni,
					      struct hp_error *err);

/* Forgets the counts. */
void hp_agent_cpu_clear(struct hp_agent *a);

#endif
