/* samples.h - the callbacks for sampled objects: allocated, and freed */
#ifndef HP_AGENT_SAMPLES_H
#define HP_AGENT_SAMPLES_H

#include "agent/agent.h"

/* The callbacks of the JVMTI events SampledObjectAlloc and ObjectFree. */
void JNICALL hp_agent_on_allocation(jvmtiEnv *jvmti, JNIEnv *jni,
				    jthread thread, jobject object,
				    jclass class, jlong size);
void JNICALL hp_agent_on_free(jvmtiEnv *jvmti, jlong tag);

/**
 * hp_agent_samples_interval() - set the average number of bytes between two
 * allocation samples
 *
 * A thread uses the new interval only after its next sample. If the agent is
 * loaded at the start of the JVM, no thread exists yet. After an attach, a
 * thread may allocate up to 512 KB before it uses the interval.
 * Returns: HP_OK; HP_UNSUPPORTED.
 */
HP_MUST_USE enum hp_status hp_agent_samples_interval(struct hp_agent *a,
						     struct hp_error *err);

/*
 * Enable or disable the events for sampled allocations. Returns HP_OK or
 * HP_UNSUPPORTED.
 */
HP_MUST_USE enum hp_status hp_agent_samples_enable(struct hp_agent *a, bool on,
						   struct hp_error *err);

#endif
