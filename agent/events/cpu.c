/*
 * cpu.c - take CPU samples of running threads
 *
 * A thread in the state RUNNABLE may in fact wait in native code. So the number
 * of samples does not depend on the state, but on the processor time. A thread
 * gets one sample for each interval of processor time that it has used. The
 * sample has the stack at the time when the agent sees the thread running.
 */
#include "agent/events/cpu.h"

#include "agent/events/stacks.h"
#include "agent/events/threads.h"

#include <time.h>

/*
 * Maximum processor time for which a thread may get samples at once, as a
 * number of intervals. A thread may have more if the agent has not seen it for
 * a while.
 */
enum { CREDIT_MOST = 8 };

/*
 * The processor time that a new thread has as a credit: a pseudo-random part of
 * an interval. Without it, a thread that ends within an interval would never
 * get a sample. With it, many such threads together get as many samples as one
 * thread with their total time.
 */
static int64_t
first_credit(const struct hp_agent_thread *t, int64_t interval)
{
	/*
	 * the fractional parts of the multiples of the golden ratio are spread
	 * evenly from 0 to 1
	 */
	return (int64_t)((double)interval * 0x1p-32 *
			 (t->serial * UINT32_C(2654435769)));
}

/*
 * Returns the number of samples that a thread gets for the processor time since
 * the agent last looked at it. @cpu_ns is its total processor time.
 */
static uint64_t
earned(struct hp_agent *a, struct hp_agent_thread *t, int64_t cpu_ns, bool runs)
{
	const int64_t interval = (int64_t)a->o.interval_ms * 1000000;
	int64_t used = t->cpu_ns || t->late ? cpu_ns - t->cpu_ns : 0;
	uint64_t n;

	if (!t->cpu_ns)
		t->credit_ns = first_credit(t, interval);
	t->cpu_ns = cpu_ns ? cpu_ns : 1;
	t->credit_ns += used > 0 ? used : 0;
	if (t->credit_ns > CREDIT_MOST * interval)
		t->credit_ns = CREDIT_MOST * interval;
	if (!runs || used <= 0)
		return 0;
	n = (uint64_t)(t->credit_ns / interval);
	t->credit_ns %= interval;
	return n;
}

static void
look_at(struct hp_agent *a, JNIEnv *jni, jthread thread)
{
	struct hp_agent_thread *t;
	jlong cpu_ns = 0;
	jint state = 0;
	uint32_t trace;
	uint64_t n;

	if ((*a->jvmti)->GetThreadState(a->jvmti, thread, &state) !=
		    JVMTI_ERROR_NONE ||
	    !(state & JVMTI_THREAD_STATE_ALIVE) ||
	    (*a->jvmti)->GetThreadCpuTime(a->jvmti, thread, &cpu_ns) !=
		    JVMTI_ERROR_NONE)
		return;
	t = hp_agent_thread_of(a, jni, thread);
	n = t ? earned(a, t, cpu_ns, state & JVMTI_THREAD_STATE_RUNNABLE) : 0;
	if (!n)
		return;
	trace = hp_agent_trace_now(a, jni, thread, a->o.thread ? t->serial : 0);
	if (trace) {
		struct hp_agent_trace *r =
			hp_chunks_at(&a->tables.traces, trace);

		atomic_fetch_add_explicit(&r->samples, n, memory_order_relaxed);
	}
}

static void
look_around(struct hp_agent *a, JNIEnv *jni, jthread self)
{
	jthread *list = NULL;
	jint n = 0;

	if ((*a->jvmti)->GetAllThreads(a->jvmti, &n, &list) != JVMTI_ERROR_NONE)
		return;
	hp_agent_threads_hold(a);
	for (jint i = 0; i < n; i++) {
		if (!(*jni)->IsSameObject(jni, list[i], self))
			look_at(a, jni, list[i]);
		(*jni)->DeleteLocalRef(jni, list[i]);
	}
	hp_agent_threads_let_go(a);
	(*a->jvmti)->Deallocate(a->jvmti, (unsigned char *)list);
}

static void JNICALL
run(jvmtiEnv *jvmti, JNIEnv *jni, void *ctx)
{
	struct hp_agent *a = ctx;
	const struct timespec pause = {
		.tv_sec = a->o.interval_ms / 1000,
		.tv_nsec = (long)(a->o.interval_ms % 1000) * 1000000};
	jthread self = NULL;

	if (hp_agent_await_live(a))
		(*jvmti)->GetCurrentThread(jvmti, &self);
	while (!atomic_load(&a->closing)) {
		nanosleep(&pause, NULL);
		if (!atomic_load(&a->cpu_on) || !hp_agent_enter(a))
			continue;
		look_around(a, jni, self);
		hp_agent_leave(a);
	}
	atomic_fetch_sub(&a->own_threads, 1);
}

void
hp_agent_cpu_clear(struct hp_agent *a)
{
	const struct hp_chunks *c = &a->tables.traces;

	for (uint32_t i = 1; i < hp_chunks_count(c); i++) {
		struct hp_agent_trace *t = hp_chunks_at(c, i);

		atomic_store_explicit(&t->samples, 0, memory_order_relaxed);
	}
}

enum hp_status
hp_agent_cpu_start(struct hp_agent *a, JNIEnv *jni, struct hp_error *err)
{
	atomic_store(&a->cpu_on, true);
	return hp_agent_run_thread(a, jni, "hprof-agent cpu", run, err);
}
