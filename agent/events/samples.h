/*
 * samples.h - the callbacks for allocations and frees of sampled objects
 */
#ifndef HP_AGENT_SAMPLES_H
#define HP_AGENT_SAMPLES_H

#include "agent/agent.h"

/* The callbacks of the events SampledObjectAlloc and ObjectFree. */
void JNICALL hp_agent_on_allocation(jvmtiEnv *jvmti, JNIEnv *jni,
				    jthread thread, jobject object,
				    jclass class, jlong size);
void JNICALL hp_agent_on_free(jvmtiEnv *jvmti, jlong tag);

/**
 * hp_agent_samples_interval() - set the sampling interval
 *
 * A thread uses the interval from its next sample on. At VM start no thread
 * exists yet, so it applies at once; after an attach it applies up to 512 KB
 * later.
 * Returns: HP_OK; HP_UNSUPPORTED.
 */
HP_MUST_USE enum hp_status hp_agent_samples_interval(struct hp_agent *a,
						     struct hp_error *err);

/*
 * Enable or disable the events for allocations. Returns HP_OK or
 * HP_UNSUPPORTED.
 */
HP_MUST_USE enum hp_status hp_agent_samples_enable(struct hp_agent *a, bool on,
						   struct hp_error *err);

#endif
