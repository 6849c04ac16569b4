/*
 * exit_report.h - the report at the VM's end, from whichever end comes first
 */
#ifndef HP_AGENT_EXIT_REPORT_H
#define HP_AGENT_EXIT_REPORT_H

#include "agent/agent.h"

/* Adds the hook, which stays. false: the VM does not take it. */
bool hp_agent_exit_hook(JNIEnv *jni);

/* The VM's event of its death. */
void JNICALL hp_agent_on_death(jvmtiEnv *jvmti, JNIEnv *jni);

/* Of atexit(): the report, if neither hook nor VM wrote it, and no callback. */
void hp_agent_exit_finish(void);

#endif
