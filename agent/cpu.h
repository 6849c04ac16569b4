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

/**
 * hp_agent_run_thread() - a daemon thread of the agent's own
 *
 * It begins with hp_agent_await_live(), and takes itself off own_threads at its
 * end.
 * Returns: HP_OK; HP_UNSUPPORTED: the VM refuses.
 */
HP_MUST_USE enum hp_status hp_agent_run_thread(struct hp_agent *a, JNIEnv *jni,
					       const char *name,
					       jvmtiStartFunction run,
					       struct hp_error *err);

#endif
