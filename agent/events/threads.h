/*
 * threads.h - threads: their serials, and when they began and ended
 */
#ifndef HP_AGENT_THREADS_H
#define HP_AGENT_THREADS_H

#include "agent/agent.h"

enum { HP_AGENT_EVENTS_MOST = 1 << 20 }; /* later threads are not listed */

/*
 * What is known of a thread, made at first; NULL: it told its end, has no group
 * yet, or there is no memory.
 * Of another thread it is to be used between hp_agent_threads_hold() and
 * hp_agent_threads_let_go(): else it may be a third one's by then.
 */
struct hp_agent_thread *hp_agent_thread_of(struct hp_agent *a, JNIEnv *jni,
					   jthread thread);

/* The same, and NULL where none was made yet. */
struct hp_agent_thread *hp_agent_thread_known(struct hp_agent *a,
					      jthread thread);

void hp_agent_threads_hold(struct hp_agent *a);
void hp_agent_threads_let_go(struct hp_agent *a);

void JNICALL hp_agent_on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni,
				      jthread thread);
void JNICALL hp_agent_on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni,
				    jthread thread);

/* Those that are there already, at start or attach. */
void hp_agent_threads_present(struct hp_agent *a, JNIEnv *jni);

#endif
