/*
 * exit_report.h - write the report when the VM exits
 */
#ifndef HP_AGENT_EXIT_REPORT_H
#define HP_AGENT_EXIT_REPORT_H

#include "agent/agent.h"

/*
 * Add the shutdown hook. It cannot be removed. Returns false if the VM refuses.
 */
bool hp_agent_exit_hook(JNIEnv *jni);

/* The callback of the event VMDeath. */
void JNICALL hp_agent_on_death(jvmtiEnv *jvmti, JNIEnv *jni);

/*
 * The handler for atexit(): write the report if neither the hook nor VMDeath
 * did. No callback runs after it.
 */
void hp_agent_exit_finish(void);

#endif
