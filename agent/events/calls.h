/*
 * calls.h - count the calls of each method, and measure the processor time of
 * each method: cpu=times and cpu=old
 */
#ifndef HP_AGENT_CALLS_H
#define HP_AGENT_CALLS_H

#include "agent/agent.h"

/*
 * The callbacks of the JVMTI events MethodEntry and MethodExit: the current
 * thread begins or ends a call of a method. A call can also end by an
 * exception.
 */
void JNICALL hp_agent_on_method_entry(jvmtiEnv *jvmti, JNIEnv *jni,
				      jthread thread, jmethodID method);
void JNICALL hp_agent_on_method_exit(jvmtiEnv *jvmti, JNIEnv *jni,
				     jthread thread, jmethodID method,
				     jboolean by_exception, jvalue result);

/* Free the memory that belongs to the current thread, which ends now. */
void hp_agent_calls_thread_end(struct hp_agent *a);

/*
 * Processor time of the calls that have a certain stack trace, in nanoseconds.
 */
struct hp_agent_call_time {
	/* time in the methods themselves, without the methods that they call */
	uint64_t self_ns;
	/* time in the methods, including the methods that they call */
	uint64_t total_ns;
};

/*
 * Add to @times the time of the calls that are still running: the counters of
 * the traces do not contain it yet. @times has an element for each trace with a
 * number below @n.
 */
void hp_agent_calls_running(struct hp_agent *a,
			    struct hp_agent_call_time *times, uint32_t n);

/* Set the number of calls and the times of every stack trace to 0. */
void hp_agent_calls_clear(struct hp_agent *a);

#endif
