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

/**
 * hp_agent_trace_site() - get the stack trace for an allocation
 * @class: the class of the allocated object
 * @serial: serial number of the thread if the options have thread=y, else 0
 * @trace: set to the number of the current thread's stack trace, as
 *         hp_agent_trace_now() returns it
 *
 * Native methods of the JDK, and method handles, at the top of the stack are
 * left out, so that the site is the method that called them. Otherwise one site
 * could have two traces, because some of these methods are not on the stack
 * when the JIT compiler has replaced their calls.
 * Returns: whether the allocation is recorded: the option only= selects @class
 *          or the class of a method in the stack trace.
 */
bool hp_agent_trace_site(struct hp_agent *a, JNIEnv *jni, uint32_t class,
			 uint32_t serial, uint32_t *trace);

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
 * Returns the number that a class has in the agent's tables; 0 if the class is
 * not known, or if out of memory.
 */
uint32_t hp_agent_class_of(struct hp_agent *a, jclass class);

/*
 * Whether the option only= selects a class, by its number in the agent's
 * tables. Without this option, every class is selected. A class that is not
 * known (0) is selected only without the option.
 */
bool hp_agent_class_selected(const struct hp_agent *a, uint32_t class);

#endif
