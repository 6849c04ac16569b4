/* exit_report.h - write the report when the JVM exits */
#ifndef HP_AGENT_EXIT_REPORT_H
#define HP_AGENT_EXIT_REPORT_H

#include "agent/agent.h"

/*
 * Add a shutdown hook to the JVM that writes the report. The hook cannot be
 * removed. Returns false if the JVM refuses.
 */
bool hp_agent_exit_hook(JNIEnv *jni);

/*
 * The callback of the JVMTI event VMDeath, which writes the report if the
 * shutdown hook did not.
 */
void JNICALL hp_agent_on_death(jvmtiEnv *jvmti, JNIEnv *jni);

/*
 * The function for atexit(): write the report if neither the shutdown hook nor
 * VMDeath has written it. After this, no callback of the agent runs.
 */
void hp_agent_exit_finish(void);

#endif
