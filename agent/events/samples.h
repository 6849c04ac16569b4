/*
 * samples.h - events of allocations and frees
 */
#ifndef HP_AGENT_SAMPLES_H
#define HP_AGENT_SAMPLES_H

#include "agent/agent.h"

void JNICALL hp_agent_on_allocation(jvmtiEnv *jvmti, JNIEnv *jni,
				    jthread thread, jobject object,
				    jclass class, jlong size);
void JNICALL hp_agent_on_free(jvmtiEnv *jvmti, jlong tag);

/**
 * hp_agent_samples_interval() - how far samples are apart
 *
 * A thread takes the interval over when it draws its next sample: before the
 * first thread is there, that is at once, and up to 512 KB later in an attach.
 * Returns: HP_OK; HP_UNSUPPORTED.
 */
HP_MUST_USE enum hp_status hp_agent_samples_interval(struct hp_agent *a,
						     struct hp_error *err);

/* Begin or cease to see allocations. HP_OK; HP_UNSUPPORTED. */
HP_MUST_USE enum hp_status hp_agent_samples_enable(struct hp_agent *a, bool on,
						   struct hp_error *err);

#endif
