/*
 * cpu.h - sample the stacks of running threads: cpu=samples
 */
#ifndef HP_AGENT_CPU_H
#define HP_AGENT_CPU_H

#include "agent/agent.h"

/*
 * Start the thread of the agent that takes CPU samples. Returns HP_OK or
 * HP_UNSUPPORTED.
 */
HP_MUST_USE enum hp_status hp_agent_cpu_start(struct hp_agent *a, JNIEnv *jni,
					      struct hp_error *err);

/* Set the number of CPU samples of every stack trace to 0. */
void hp_agent_cpu_clear(struct hp_agent *a);

#endif
