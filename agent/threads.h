/*
 * threads.h - threads: their serials, and when they began and ended
 */
#ifndef HP_AGENT_THREADS_H
#define HP_AGENT_THREADS_H

#include "agent/agent.h"

enum { HP_AGENT_EVENTS_MOST = 1 << 20 }; /* later threads are not listed */

/* What is known of a thread, made at first; NULL: @thread is not alive. */
struct hp_agent_thread *hp_agent_thread_of(struct hp_agent *a, JNIEnv *jni,
					   jthread thread);

void JNICALL hp_agent_on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni,
				      jthread thread);
void JNICALL hp_agent_on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni,
				    jthread thread);

/* Those that are there already, at start or attach. */
void hp_agent_threads_present(struct hp_agent *a, JNIEnv *jni);

#endif
