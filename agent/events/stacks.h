/*
 * stacks.h - get stacks and classes from the JVM, and their numbers in the
 * agent's tables
 */
#ifndef HP_AGENT_STACKS_H
#define HP_AGENT_STACKS_H

#include "agent/agent.h"

/**
 * hp_agent_trace_now() - get the number of a thread's current stack trace
 * @thread: NULL: the current thread
 * @serial: serial number of the thread if the options have thread=y, else 0
 *
 * When a position in the code is seen for the first time, the function asks the
 * JVM for the names of its method and class, because the class may be unloaded
 * later. The function takes the agent's lock, so the caller must not hold it.
 * Returns: the number of the trace; 0 if the stack is empty, if out of memory,
 *          or if there are too many traces.
 */
uint32_t hp_agent_trace_now(struct hp_agent *a, JNIEnv *jni, jthread thread,
			    uint32_t serial);

/*
 * Like hp_agent_trace_now(), but also sets *@native to whether the innermost
 * method is native.
 */
uint32_t hp_agent_trace_native(struct hp_agent *a, JNIEnv *jni, jthread thread,
			       uint32_t serial, bool *native);

/*
 * Get the number of the current thread's stack trace for an allocation. Native
 * methods of the JDK, and method handles, at the top of the stack are left out,
 * so that the site is the method that called them. Otherwise one site could
 * have two traces, because some of these methods are not on the stack when the
 * JIT compiler has replaced their calls. Arguments and result as for
 * hp_agent_trace_now().
 */
uint32_t hp_agent_trace_site(struct hp_agent *a, JNIEnv *jni, uint32_t serial);

/*
 * Returns the number of the frame for a method without a line; 0 if out of
 * memory.
 */
uint32_t hp_agent_method_frame(struct hp_agent *a, JNIEnv *jni,
			       jmethodID method);

/*
 * The callback of the JVMTI event ClassFileLoadHook: a class is loaded, or its
 * code is replaced.
 */
void JNICALL hp_agent_on_class_file(jvmtiEnv *jvmti, JNIEnv *jni,
				    jclass redefined, jobject loader,
				    const char *name, jobject domain,
				    jint length, const unsigned char *bytes,
				    jint *new_length,
				    unsigned char **new_bytes);

/*
 * Returns the number of a class of the JVM in the agent's tables; 0 if the
 * class is not known or if out of memory.
 */
uint32_t hp_agent_class_of(struct hp_agent *a, jclass class);

#endif
