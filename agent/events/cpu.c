/*
 * cpu.c - take CPU samples of running threads
 *
 * A thread in the state RUNNABLE may in fact wait in native code, for example
 * for bytes of a socket. So the number of samples does not depend on the state,
 * but on the processor time: a thread gets one sample for each interval of
 * processor time that it has used. If the innermost method of its stack is
 * native, the sample counts only if the processor time grows while the agent
 * looks at the thread. If it does not grow, the thread is waiting, and its
 * processor time is kept until the agent sees the thread running.
 *
 * The pauses between two looks have random lengths, because a program may do
 * its own work at regular times.
 */
#include "agent/events/cpu.h"

#include "agent/events/mounts.h"
#include "agent/events/stacks.h"
#include "agent/events/threads.h"

#include <stdlib.h>
#include <time.h>

/*
 * Maximum processor time for which a thread may get samples at once, in
 * intervals. A thread may have used more if the agent has not looked at it for
 * a while.
 */
enum {
	CREDIT_MOST = 32,
	/*
	 * The agent looks at all threads so rarely that this takes at most
	 * 1/SWEEP_SHARE of the processor time of the process. It looks at the
	 * busy threads more often.
	 */
	SWEEP_SHARE = 100,
	/*
	 * after the process has used this much processor time, in nanoseconds,
	 * the agent looks at all threads again in any case
	 */
	SWEEP_NS_MOST = 200000000,
	/*
	 * A busy thread that uses no processor time between this many looks is
	 * not busy any more. It may become busy again when the agent looks at
	 * all threads.
	 */
	IDLE_LOOKS_MOST = 4,
	/*
	 * number of nanoseconds in which a running thread uses a measurable
	 * amount of processor time
	 */
	WATCH_NS = 10000,
};

/* A thread that has used the processor recently. */
struct busy_thread {
	jthread thread; /* a global JNI reference */
	/* number of looks at the thread since it last used the processor */
	unsigned idle_looks;
};

/*
 * The threads that used the processor when the agent last looked at all
 * threads. Only the sampling thread uses them.
 */
static struct {
	struct busy_thread *threads;
	size_t count, room;
} busy;

/*
 * Returns the processor time that a new thread has as a credit: a pseudo-random
 * part of an interval. Otherwise a thread that ends within an interval would
 * never get a sample. With this credit, many such threads together get as many
 * samples as one thread with their total time.
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
 * Add to the credit of a thread the processor time that the thread has used
 * since the agent last looked at it. @cpu_ns: the total processor time of the
 * thread. Returns false if the thread has used none since then.
 */
static bool
add_credit(struct hp_agent *a, struct hp_agent_thread *t, int64_t cpu_ns)
{
	const int64_t interval = (int64_t)a->o.interval_ms * 1000000;
	int64_t used = t->cpu_ns || t->late ? cpu_ns - t->cpu_ns : 0;

	if (!t->cpu_ns)
		t->credit_ns = first_credit(t, interval);
	t->cpu_ns = cpu_ns ? cpu_ns : 1;
	t->credit_ns += used > 0 ? used : 0;
	if (t->credit_ns > CREDIT_MOST * interval) {
		a->samples_unknown +=
			(uint64_t)(t->credit_ns / interval) - CREDIT_MOST;
		t->credit_ns = CREDIT_MOST * interval;
	}
	return used > 0;
}

static bool
cpu_time(struct hp_agent *a, jthread thread, jlong *ns)
{
	return (*a->jvmti)->GetThreadCpuTime(a->jvmti, thread, ns) ==
	       JVMTI_ERROR_NONE;
}

static bool
is_running(struct hp_agent *a, jthread thread)
{
	const int64_t end = hp_agent_now_ns() + WATCH_NS;
	jlong before, after;

	if (!cpu_time(a, thread, &before))
		return false;
	do {
		if (!cpu_time(a, thread, &after))
			return false;
		if (after > before)
			return true;
	} while (hp_agent_now_ns() < end);
	return false;
}

/*
 * Take the stack of a thread that has used enough processor time for a sample.
 * @thread: the platform thread that has used the processor time. @shown: the
 * thread whose stack is taken: the virtual thread that runs on @thread, or
 * @thread itself if there is none.
 */
static void
sample(struct hp_agent *a, JNIEnv *jni, struct hp_agent_thread *t,
       jthread thread, jthread shown)
{
	const int64_t interval = (int64_t)a->o.interval_ms * 1000000;
	struct hp_agent_trace *r;
	bool native = false;
	jint state = 0;
	uint32_t trace;

	if ((*a->jvmti)->GetThreadState(a->jvmti, shown, &state) !=
		    JVMTI_ERROR_NONE ||
	    !(state & JVMTI_THREAD_STATE_RUNNABLE))
		return;
	trace = hp_agent_trace_native(a, jni, shown,
				      a->o.thread ? t->serial : 0, &native);
	if (!trace || (native && !is_running(a, thread)))
		return;
	r = hp_chunks_at(&a->tables.traces, trace);
	atomic_fetch_add_explicit(&r->samples,
				  (uint64_t)(t->credit_ns / interval),
				  memory_order_relaxed);
	t->credit_ns %= interval;
}

/*
 * Look at a thread, and take a sample if the thread has used enough processor
 * time since its last sample (the credit of the thread). Returns false if the
 * thread has not used the processor since the last look.
 */
static bool
look_at(struct hp_agent *a, JNIEnv *jni, jthread thread)
{
	struct hp_agent_thread *t;
	jthread mounted;
	jlong cpu_ns = 0;
	bool used;

	if (!cpu_time(a, thread, &cpu_ns))
		return false;
	t = hp_agent_thread_of(a, jni, thread);
	if (!t)
		return false;
	used = add_credit(a, t, cpu_ns);
	if (!used || t->credit_ns < (int64_t)a->o.interval_ms * 1000000)
		return used;
	mounted = hp_agent_mounted(jni, t);
	sample(a, jni, t, thread, mounted ? mounted : thread);
	(*jni)->DeleteLocalRef(jni, mounted);
	return true;
}

static void
note_busy(JNIEnv *jni, jthread thread)
{
	size_t room = busy.room ? 2 * busy.room : 64;
	struct busy_thread *more;
	jthread ref;

	if (busy.count == busy.room) {
		more = realloc(busy.threads, room * sizeof(*more));
		if (!more)
			return;
		busy.threads = more;
		busy.room = room;
	}
	ref = (*jni)->NewGlobalRef(jni, thread);
	if (ref)
		busy.threads[busy.count++] = (struct busy_thread){ref, 0};
}

static void
forget_busy(JNIEnv *jni)
{
	while (busy.count)
		(*jni)->DeleteGlobalRef(jni, busy.threads[--busy.count].thread);
}

/* Look at all threads. */
static void
look_around(struct hp_agent *a, JNIEnv *jni, jthread self)
{
	jthread *list = NULL;
	jint n = 0;

	forget_busy(jni);
	if ((*a->jvmti)->GetAllThreads(a->jvmti, &n, &list) != JVMTI_ERROR_NONE)
		return;
	hp_agent_threads_hold(a);
	for (jint i = 0; i < n; i++) {
		if (!(*jni)->IsSameObject(jni, list[i], self) &&
		    look_at(a, jni, list[i]))
			note_busy(jni, list[i]);
		(*jni)->DeleteLocalRef(jni, list[i]);
	}
	hp_agent_threads_let_go(a);
	(*a->jvmti)->Deallocate(a->jvmti, (unsigned char *)list);
}

static void
look_at_busy(struct hp_agent *a, JNIEnv *jni)
{
	size_t kept = 0;

	hp_agent_threads_hold(a);
	for (size_t i = 0; i < busy.count; i++) {
		struct busy_thread b = busy.threads[i];

		b.idle_looks = look_at(a, jni, b.thread) ? 0 : b.idle_looks + 1;
		if (b.idle_looks < IDLE_LOOKS_MOST)
			busy.threads[kept++] = b;
		else
			(*jni)->DeleteGlobalRef(jni, b.thread);
	}
	busy.count = kept;
	hp_agent_threads_let_go(a);
}

/*
 * The earliest time at which the agent looks at all threads again: both clocks
 * must have reached these times.
 */
struct schedule {
	/* real time, and processor time of the process */
	int64_t at_ns, process_ns;
	/* minimum time between two looks, on each of both clocks */
	int64_t wait_ns;
};

static int64_t
process_ns(void)
{
	return hp_agent_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/*
 * Whether to look at all threads now. The kernel adds up the times of all
 * threads to return the processor time of the process, so the function does not
 * ask for it more often than every wait_ns.
 */
static bool
is_due(struct schedule *s)
{
	if (hp_agent_now_ns() < s->at_ns)
		return false;
	if (process_ns() >= s->process_ns)
		return true;
	s->at_ns = hp_agent_now_ns() + s->wait_ns;
	return false;
}

/* Schedule the next look after one that took @spent_ns of processor time. */
static void
schedule_next(struct schedule *s, int64_t spent_ns)
{
	s->wait_ns = spent_ns * SWEEP_SHARE;
	if (s->wait_ns > SWEEP_NS_MOST)
		s->wait_ns = SWEEP_NS_MOST;
	s->at_ns = hp_agent_now_ns() + s->wait_ns;
	s->process_ns = process_ns() + s->wait_ns;
}

/*
 * Sleep for a random time between half an interval and one and a half
 * intervals.
 */
static void
pause_randomly(const struct hp_agent *a, unsigned short seed[3])
{
	const double ns = (0.5 + erand48(seed)) * a->o.interval_ms * 1e6;
	const struct timespec pause = {.tv_sec = (time_t)(ns / 1e9),
				       .tv_nsec = (long)ns % 1000000000};

	nanosleep(&pause, NULL);
}

static void JNICALL
run(jvmtiEnv *jvmti, JNIEnv *jni, void *ctx)
{
	struct hp_agent *a = ctx;
	unsigned short seed[3] = {1, 2, (unsigned short)hp_agent_now_ns()};
	struct schedule all = {0};
	int64_t begin_ns;
	jthread self = NULL;

	if (hp_agent_await_live(a))
		(*jvmti)->GetCurrentThread(jvmti, &self);
	while (!atomic_load(&a->closing)) {
		pause_randomly(a, seed);
		if (!atomic_load(&a->cpu_on) || !hp_agent_enter(a))
			continue;
		if (is_due(&all)) {
			begin_ns = hp_agent_own_ns();
			look_around(a, jni, self);
			schedule_next(&all, hp_agent_own_ns() - begin_ns);
		} else {
			look_at_busy(a, jni);
		}
		hp_agent_leave(a);
	}
	forget_busy(jni);
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
	hp_agent_mounts_watch(a);
	return hp_agent_run_thread(a, jni, "hprof-agent cpu", run, err);
}
