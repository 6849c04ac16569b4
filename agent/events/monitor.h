/*
 * monitor.h - measure how long threads wait to enter monitors: monitor=y
 */
#ifndef HP_AGENT_MONITOR_H
#define HP_AGENT_MONITOR_H

#include "agent/agent.h"

/*
 * The callbacks of the JVMTI events MonitorContendedEnter and
 * MonitorContendedEntered: a thread begins to wait for a monitor, and has
 * stopped waiting for it.
 */
void JNICALL hp_agent_on_enter(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
			       jobject object);
void JNICALL hp_agent_on_entered(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
				 jobject object);

#endif
