/*
 * stacks.h - the VM's stacks and classes as numbers of the tables
 */
#ifndef HP_AGENT_STACKS_H
#define HP_AGENT_STACKS_H

#include "agent/agent.h"

/**
 * hp_agent_trace_now() - the trace of a thread's stack
 * @thread: NULL: the current one
 * @serial: of the thread, for thread=y
 *
 * Names are asked for when a place is first seen, since classes unload.
 * Takes the lock; the caller has it not.
 * Returns: its number; 0: no frames, no memory, or too many traces.
 */
uint32_t hp_agent_trace_now(struct hp_agent *a, JNIEnv *jni, jthread thread,
			    uint32_t serial);

/* The number of a class; 0: unknown. */
uint32_t hp_agent_class_of(struct hp_agent *a, jclass class);

#endif
