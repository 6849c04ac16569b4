/*
 * samples.c - count the allocations of sampled objects, and count when they are
 * freed
 *
 * Source: JEP 331, Low-Overhead Heap Profiling.
 */
#include "agent/events/samples.h"

#include "agent/events/stacks.h"
#include "agent/events/threads.h"

static void
lose(struct hp_agent *a)
{
	atomic_fetch_add_explicit(&a->sites.lost, 1, memory_order_relaxed);
}

static void
count_object(struct hp_agent *a, JNIEnv *jni, jthread thread, jobject object,
	     jclass class, jlong size)
{
	const struct hp_agent_thread *t = NULL;
	uint32_t trace, site, number = hp_agent_class_of(a, class);
	jlong tag;

	if (a->o.thread)
		t = hp_agent_thread_of(a, jni, thread);
	if (!hp_agent_trace_site(a, jni, number, t ? t->serial : 0, &trace))
		return;
	pthread_mutex_lock(&a->lock);
	site = number ? hp_agent_site(&a->sites, a->tables.seed, number, trace)
		      : 0;
	pthread_mutex_unlock(&a->lock);
	if (!site) {
		lose(a);
		return;
	}
	tag = hp_agent_site_add(&a->sites, site, (uint64_t)size);
	if ((*a->jvmti)->SetTag(a->jvmti, object, tag) != JVMTI_ERROR_NONE) {
		hp_agent_site_free(&a->sites, tag);
		lose(a);
		return;
	}
	if (a->sampled)
		(*a->sampled)->SetTag(a->sampled, object, 1);
}

void JNICALL
hp_agent_on_allocation(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
		       jobject object, jclass class, jlong size)
{
	struct hp_agent *a = &hp_agent;

	if (!hp_agent_enter(a))
		return;
	count_object(a, jni, thread, object, class, size);
	hp_agent_leave(a);
}

/*
 * The callback for a freed object. It runs during a garbage collection or in a
 * thread of the JVM, so it must not call the JVM.
 */
void JNICALL
hp_agent_on_free(jvmtiEnv *jvmti, jlong tag)
{
	hp_agent_site_free(&hp_agent.sites, tag);
}

static enum hp_status
refused(jvmtiError e, struct hp_error *err)
{
	return hp_fail(err, HP_UNSUPPORTED,
		       "the VM refuses to report allocations (JVMTI error %d)",
		       (int)e);
}

enum hp_status
hp_agent_samples_interval(struct hp_agent *a, struct hp_error *err)
{
	jvmtiError e = (*a->jvmti)->SetHeapSamplingInterval(a->jvmti,
							    (jint)a->o.sample);

	return e == JVMTI_ERROR_NONE ? HP_OK : refused(e, err);
}

enum hp_status
hp_agent_samples_enable(struct hp_agent *a, bool on, struct hp_error *err)
{
	const jvmtiEventMode mode = on ? JVMTI_ENABLE : JVMTI_DISABLE;
	jvmtiEnv *jvmti = a->jvmti;
	jvmtiError e = (*jvmti)->SetEventNotificationMode(
		jvmti, mode, JVMTI_EVENT_SAMPLED_OBJECT_ALLOC, NULL);

	if (e == JVMTI_ERROR_NONE && on)
		e = (*jvmti)->SetEventNotificationMode(
			jvmti, mode, JVMTI_EVENT_OBJECT_FREE, NULL);
	if (e != JVMTI_ERROR_NONE)
		return refused(e, err);
	return HP_OK;
}
