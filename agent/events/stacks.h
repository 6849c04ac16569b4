/*
 * stacks.h - turn stacks and classes of the VM into numbers of the tables
 */
#ifndef HP_AGENT_STACKS_H
#define HP_AGENT_STACKS_H

#include "agent/agent.h"

/**
 * hp_agent_trace_now() - the trace of a thread's current stack
 * @thread: NULL: the current thread
 * @serial: serial of the thread if thread=y, else 0
 *
 * The VM is asked for names when a place is first seen, because the class may
 * be unloaded later. Takes the agent's lock, so the caller must not hold it.
 * Returns: the number of the trace; 0 if the stack is empty, if out of memory,
 *          or if there are too many traces.
 */
uint32_t hp_agent_trace_now(struct hp_agent *a, JNIEnv *jni, jthread thread,
			    uint32_t serial);

/* The number of a class. Returns 0 if it is unknown or if out of memory. */
uint32_t hp_agent_class_of(struct hp_agent *a, jclass class);

#endif
