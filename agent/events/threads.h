/*
 * threads.h - the serial numbers of threads, and their starts and ends
 */
#ifndef HP_AGENT_THREADS_H
#define HP_AGENT_THREADS_H

#include "agent/agent.h"

/*
 * maximum number of starts and ends of threads in hp_agent.events; later ones
 * are left out
 */
enum { HP_AGENT_EVENTS_MOST = 1 << 20 };

/*
 * Find or create the record of a thread. Returns NULL if the thread has ended
 * or has no thread group yet, or if out of memory.
 *
 * The record of another thread may be used only between hp_agent_threads_hold()
 * and hp_agent_threads_let_go(). At other times that thread may end, and a
 * third thread may get its record.
 */
struct hp_agent_thread *hp_agent_thread_of(struct hp_agent *a, JNIEnv *jni,
					   jthread thread);

/* As hp_agent_thread_of(), but returns NULL instead of creating a record. */
struct hp_agent_thread *hp_agent_thread_known(struct hp_agent *a,
					      jthread thread);

/*
 * Between hp_agent_threads_hold() and hp_agent_threads_let_go(), the records of
 * threads that have ended are not given to other threads.
 */
void hp_agent_threads_hold(struct hp_agent *a);
void hp_agent_threads_let_go(struct hp_agent *a);

/*
 * Returns the record of the current thread of the operating system; NULL if the
 * thread existed before the agent.
 */
struct hp_agent_thread *hp_agent_thread_own(void);

/* The callbacks of the JVMTI events ThreadStart and ThreadEnd. */
void JNICALL hp_agent_on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni,
				      jthread thread);
void JNICALL hp_agent_on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni,
				    jthread thread);

/*
 * Create records for all threads that exist when the agent starts or is
 * attached.
 */
void hp_agent_threads_present(struct hp_agent *a, JNIEnv *jni);

#endif
