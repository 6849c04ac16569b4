/*
 * monitor_dump.c - list the threads, and the monitors for which they wait
 *
 * For each thread, JVMTI returns the monitor that the thread waits to enter, or
 * on which it has called wait(). The list contains only these monitors, because
 * finding others would take more time. From JDK 23 on, JVMTI returns only
 * monitors that threads wait to enter.
 */
#include "agent/report/monitor_dump.h"

#include "agent/report/report.h"
#include "agent/events/stacks.h"
#include "agent/events/threads.h"
#include "common/cli/escape.h"

#include <stdlib.h>

struct monitor {
	/* a local JNI reference to the object to which this monitor belongs */
	jobject object;
	jint hash;
};

struct dump {
	struct hp_agent *a;
	JNIEnv *jni;
	struct hp_buf *out;
	/*
	 * the monitors for which threads wait, one entry for each waiting
	 * thread, so that a monitor may occur several times
	 */
	struct monitor *monitors;
	size_t count;
};

static void
put_status(struct hp_buf *b, jint state)
{
	const char *what = "UN";

	if (!(state & JVMTI_THREAD_STATE_ALIVE))
		what = state & JVMTI_THREAD_STATE_TERMINATED ? "ZO" : "NS";
	else if (state & JVMTI_THREAD_STATE_SLEEPING)
		what = "SL";
	else if (state & JVMTI_THREAD_STATE_BLOCKED_ON_MONITOR_ENTER)
		what = "MW";
	else if (state & JVMTI_THREAD_STATE_WAITING)
		what = "CW";
	else if (state & JVMTI_THREAD_STATE_RUNNABLE)
		what = "R";
	hp_buf_printf(
		b, "%s%s%s%s", state & JVMTI_THREAD_STATE_SUSPENDED ? "S|" : "",
		state & JVMTI_THREAD_STATE_INTERRUPTED ? "intr|" : "",
		state & JVMTI_THREAD_STATE_IN_NATIVE ? "native|" : "", what);
}

static uint32_t
serial_of(const struct dump *d, jthread thread)
{
	const struct hp_agent_thread *t =
		thread ? hp_agent_thread_of(d->a, d->jni, thread) : NULL;

	return t ? t->serial : 0;
}

static void
note_monitor(struct dump *d, jthread thread)
{
	jvmtiEnv *jvmti = d->a->jvmti;
	struct monitor m = {0};

	if ((*jvmti)->GetCurrentContendedMonitor(jvmti, thread, &m.object) !=
		    JVMTI_ERROR_NONE ||
	    !m.object)
		return;
	if ((*jvmti)->GetObjectHashCode(jvmti, m.object, &m.hash) ==
	    JVMTI_ERROR_NONE)
		d->monitors[d->count++] = m;
	else
		(*d->jni)->DeleteLocalRef(d->jni, m.object);
}

static void
put_thread(struct dump *d, jthread thread)
{
	uint32_t serial = serial_of(d, thread), trace;
	jint state;

	if (!serial ||
	    (*d->a->jvmti)->GetThreadState(d->a->jvmti, thread, &state) !=
		    JVMTI_ERROR_NONE)
		return;
	trace = hp_agent_trace_now(d->a, d->jni, thread,
				   d->a->o.thread ? serial : 0);
	hp_buf_printf(d->out, "    THREAD %u, trace %u, status: ",
		      hp_agent_serial(d->a, HP_AGENT_FIRST_THREAD, serial),
		      hp_agent_serial(d->a, HP_AGENT_FIRST_TRACE, trace));
	put_status(d->out, state);
	hp_buf_byte(d->out, '\n');
	note_monitor(d, thread);
}

/*
 * Whether a thread is in a list. Before JDK 23, JVMTI returns two lists of
 * threads for a monitor, and a thread that waits to be notified is in both.
 */
static bool
is_among(const struct dump *d, jthread thread, const jthread *list, jint n)
{
	for (jint i = 0; i < n; i++)
		if ((*d->jni)->IsSameObject(d->jni, thread, list[i]))
			return true;
	return false;
}

/* Print the threads in @list that are not in the list @less. */
static void
put_waiters(struct dump *d, const char *head, const jthread *list, jint n,
	    const jthread *less, jint nless)
{
	const char *comma = "";

	hp_buf_text(d->out, head);
	for (jint i = 0; i < n; i++) {
		uint32_t serial;

		if (is_among(d, list[i], less, nless))
			continue;
		serial = serial_of(d, list[i]);
		hp_buf_text(d->out, comma);
		if (serial)
			hp_buf_printf(d->out, " thread %u",
				      hp_agent_serial(d->a,
						      HP_AGENT_FIRST_THREAD,
						      serial));
		else
			hp_buf_text(d->out, " <unknown thread>");
		comma = ",";
	}
	hp_buf_byte(d->out, '\n');
}

static void
release_threads(struct dump *d, jthread *list, jint n)
{
	for (jint i = 0; i < n; i++)
		(*d->jni)->DeleteLocalRef(d->jni, list[i]);
	(*d->a->jvmti)->Deallocate(d->a->jvmti, (unsigned char *)list);
}

static void
put_usage(struct dump *d, const char *signature, const jvmtiMonitorUsage *u)
{
	uint32_t owner = serial_of(d, u->owner);

	hp_buf_text(d->out, "    MONITOR ");
	hp_text_clean(d->out, signature, strlen(signature));
	if (owner)
		hp_buf_printf(
			d->out, "\n\towner: thread %u, entry count: %d\n",
			hp_agent_serial(d->a, HP_AGENT_FIRST_THREAD, owner),
			(int)u->entry_count);
	else
		hp_buf_text(d->out, " unowned\n");
	put_waiters(d, "\twaiting to enter:", u->waiters, u->waiter_count,
		    u->notify_waiters, u->notify_waiter_count);
	put_waiters(d, "\twaiting to be notified:", u->notify_waiters,
		    u->notify_waiter_count, NULL, 0);
}

static void
put_monitor(struct dump *d, jobject object)
{
	jvmtiEnv *jvmti = d->a->jvmti;
	jclass class = (*d->jni)->GetObjectClass(d->jni, object);
	jvmtiMonitorUsage u = {0};
	char *signature = NULL;

	if ((*jvmti)->GetClassSignature(jvmti, class, &signature, NULL) ==
		    JVMTI_ERROR_NONE &&
	    (*jvmti)->GetObjectMonitorUsage(jvmti, object, &u) ==
		    JVMTI_ERROR_NONE) {
		put_usage(d, signature, &u);
		if (u.owner)
			(*d->jni)->DeleteLocalRef(d->jni, u.owner);
		release_threads(d, u.waiters, u.waiter_count);
		release_threads(d, u.notify_waiters, u.notify_waiter_count);
	}
	(*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
	(*d->jni)->DeleteLocalRef(d->jni, class);
}

static int
by_hash(const void *a, const void *b)
{
	const struct monitor *x = a, *y = b;

	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

/*
 * Whether monitor @n also occurs earlier in d->monitors. The list is sorted by
 * hash, so only the entries before it with the same hash are compared.
 */
static bool
is_repeated(const struct dump *d, size_t n)
{
	const struct monitor *m = d->monitors;

	for (size_t i = n; i > 0 && m[i - 1].hash == m[n].hash; i--)
		if ((*d->jni)->IsSameObject(d->jni, m[i - 1].object,
					    m[n].object))
			return true;
	return false;
}

static void
put_monitors(struct dump *d)
{
	size_t kept = 0;

	qsort(d->monitors, d->count, sizeof(*d->monitors), by_hash);
	for (size_t i = 0; i < d->count; i++) {
		const struct monitor m = d->monitors[i];

		/*
		 * Remove duplicates from d->monitors: the entries before index
		 * @kept are all different.
		 */
		d->monitors[kept] = m;
		if (is_repeated(d, kept)) {
			(*d->jni)->DeleteLocalRef(d->jni, m.object);
			continue;
		}
		put_monitor(d, m.object);
		kept++;
	}
	for (size_t i = 0; i < kept; i++)
		(*d->jni)->DeleteLocalRef(d->jni, d->monitors[i].object);
}

enum hp_status
hp_agent_dump_monitors(struct hp_agent *a, JNIEnv *jni, struct hp_buf *out,
		       struct hp_error *err)
{
	struct dump d = {.a = a, .jni = jni, .out = out};
	jthread *list = NULL;
	jint n = 0;
	bool fine;

	if ((*a->jvmti)->GetAllThreads(a->jvmti, &n, &list) != JVMTI_ERROR_NONE)
		return HP_OK;
	d.monitors = calloc((size_t)n + 1, sizeof(*d.monitors));
	if (d.monitors) {
		hp_agent_threads_hold(a);
		hp_buf_text(out, "MONITOR DUMP BEGIN\n");
		for (jint i = 0; i < n; i++)
			put_thread(&d, list[i]);
		put_monitors(&d);
		hp_buf_text(out, "MONITOR DUMP END\n");
		hp_agent_threads_let_go(a);
	}
	release_threads(&d, list, n);
	fine = d.monitors && hp_buf_ok(out);
	free(d.monitors);
	return fine ? HP_OK : hp_no_memory(err);
}
