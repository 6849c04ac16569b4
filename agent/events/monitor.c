/*
 * monitor.c - count how often and how long threads wait for a monitor that
 * another thread holds, for each class of monitors and stack trace
 */
#include "agent/events/monitor.h"

#include "agent/events/stacks.h"
#include "agent/events/threads.h"

void JNICALL
hp_agent_on_enter(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jobject object)
{
	struct hp_agent *a = &hp_agent;
	struct hp_agent_thread *t;
	jclass class;

	if (!hp_agent_enter(a))
		return;
	t = hp_agent_thread_of(a, jni, thread);
	if (t) {
		class = (*jni)->GetObjectClass(jni, object);
		t->enter_class = hp_agent_class_of(a, class);
		(*jni)->DeleteLocalRef(jni, class);
		t->enter_trace = hp_agent_trace_now(
			a, jni, NULL, a->o.thread ? t->serial : 0);
		t->entered_ns = hp_agent_now_ns();
	}
	hp_agent_leave(a);
}

/*
 * Find or add the counters for a class of monitors and a stack trace. The
 * caller holds the agent's lock. Returns NULL if out of memory.
 */
static struct hp_agent_wait *
find_wait(struct hp_agent *a, uint32_t class, uint32_t trace)
{
	const struct hp_agent_wait wait = {.class = class, .trace = trace};
	uint32_t n =
		hp_agent_intern(&a->by_wait, &a->waits, a->tables.seed, &wait,
				HP_AGENT_KEY(struct hp_agent_wait, trace));

	return n ? hp_chunks_at(&a->waits, n) : NULL;
}

void JNICALL
hp_agent_on_entered(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
		    jobject object)
{
	struct hp_agent *a = &hp_agent;
	struct hp_agent_thread *t;
	struct hp_agent_wait *w;
	int64_t ns = hp_agent_now_ns();

	if (!hp_agent_enter(a))
		return;
	t = hp_agent_thread_known(a, thread);
	if (t && t->entered_ns && t->enter_class) {
		pthread_mutex_lock(&a->lock);
		w = find_wait(a, t->enter_class, t->enter_trace);
		pthread_mutex_unlock(&a->lock);
		if (w) {
			atomic_fetch_add(&w->count, 1);
			atomic_fetch_add(&w->ns,
					 (uint64_t)(ns - t->entered_ns));
		}
		t->entered_ns = 0;
	}
	hp_agent_leave(a);
}
