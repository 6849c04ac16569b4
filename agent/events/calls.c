/*
 * calls.c - count the calls of methods and measure their processor time
 *
 * The agent keeps a stack of the running calls for each thread of the program.
 * At each event, it adds the processor time since the previous event to the
 * innermost call, without the time that the agent itself has used. So the times
 * of calls that never end are also correct.
 *
 * A virtual thread has a stack of its own, but no processor time of its own:
 * the processor time is that of the carrier thread on which it runs. So the
 * agent stores the time of the last event for the carrier thread. If the
 * carrier has run another virtual thread since that event, the time since then
 * is not added to any call.
 */
#include "agent/events/calls.h"

#include "agent/events/stacks.h"
#include "agent/events/threads.h"

#include <string.h>

enum {
	/* each cache of a thread has this many elements; a power of two */
	METHODS = 256,
	CALLS = 256,
	/* number of running calls for which a new stack has room */
	FIRST_ROOM = 32,
};

/* A call that is running. */
struct call {
	jmethodID method;
	/*
	 * numbers, in the agent's tables, of the method's frame and of the
	 * call's stack trace
	 */
	uint32_t frame, trace;
	/* value of stack.clock_ns when the call began */
	int64_t since_ns;
};

/* The running calls of a thread or virtual thread, the innermost one last. */
struct stack {
	/* serial number of the thread if the options have thread=y, else 0 */
	uint32_t serial;
	/*
	 * number of the innermost calls that are not in `calls`, because memory
	 * ran out
	 */
	uint32_t missing;
	size_t count, room;
	/*
	 * processor time that was added to the calls of this stack so far, in
	 * nanoseconds
	 */
	int64_t clock_ns;
	struct call *calls;
};

struct known_method {
	jmethodID method;
	/*
	 * number of the method's frame in the agent's tables; 0: the calls of
	 * the method are not counted
	 */
	uint32_t frame;
};

/*
 * An entry of a cache: if a call with the stack trace `caller` calls the method
 * `frame`, the new call has the stack trace `trace`.
 */
struct known_call {
	uint32_t caller, frame, serial, depth, trace;
};

/* What the agent knows of a thread of the operating system. */
struct hp_agent_meter {
	struct hp_agent_meter *next, *previous;
	/*
	 * Guards the following members against the thread that makes a report.
	 * A thread that holds this lock does not call the JVM.
	 */
	pthread_mutex_t lock;
	clockid_t clock; /* the clock for the processor time of the thread */
	/*
	 * processor time of the thread at the end of its last event, in
	 * nanoseconds
	 */
	int64_t seen_ns;
	/*
	 * the stack of running calls at the last event of the thread; NULL:
	 * that stack became empty
	 */
	struct stack *stack;
	/*
	 * an empty stack for the next thread that needs one; NULL: there is
	 * none
	 */
	struct stack *spare;
	/* caches, which only the thread itself uses */
	struct known_method methods[METHODS];
	struct known_call calls[CALLS];
};

static _Thread_local struct hp_agent_meter *mine;

static void
lose(struct hp_agent *a)
{
	atomic_fetch_add_explicit(&a->calls_lost, 1, memory_order_relaxed);
}

/* ---- the running calls and times of a thread (struct hp_agent_meter) ---- */

static struct hp_agent_meter *
own_meter(struct hp_agent *a)
{
	struct hp_agent_meter *m = mine;

	if (m)
		return m;
	m = calloc(1, sizeof(*m));
	if (!m || pthread_getcpuclockid(pthread_self(), &m->clock) != 0) {
		free(m);
		return NULL;
	}
	pthread_mutex_init(&m->lock, NULL);
	pthread_mutex_lock(&a->metering);
	m->next = a->meters;
	if (m->next)
		m->next->previous = m;
	a->meters = m;
	pthread_mutex_unlock(&a->metering);
	return mine = m;
}

static void
free_stack(struct stack *s)
{
	if (s)
		free(s->calls);
	free(s);
}

void
hp_agent_calls_thread_end(struct hp_agent *a)
{
	struct hp_agent_meter *m = mine;
	void *stack = NULL;

	if (!m || !hp_agent_enter(a))
		return;
	pthread_mutex_lock(&a->metering);
	if (m->previous)
		m->previous->next = m->next;
	else
		a->meters = m->next;
	if (m->next)
		m->next->previous = m->previous;
	pthread_mutex_unlock(&a->metering);
	if ((*a->jvmti)->GetThreadLocalStorage(a->jvmti, NULL, &stack) ==
		    JVMTI_ERROR_NONE &&
	    stack) {
		(*a->jvmti)->SetThreadLocalStorage(a->jvmti, NULL, NULL);
		free_stack(stack);
	}
	free_stack(m->spare);
	pthread_mutex_destroy(&m->lock);
	free(m);
	mine = NULL;
	hp_agent_leave(a);
}

/* ---- which methods are counted ---- */

/*
 * Whether the calls of the methods of a class are counted. They are counted if
 * the option only= selects the class, but never for the agent's own classes.
 */
static bool
is_counted(const struct hp_agent *a, uint32_t class)
{
	static const char own[] = "hprofagent.";

	return class && hp_agent_class_selected(a, class) &&
	       strncmp(hp_agent_class_name(&a->tables, class)->text, own,
		       strlen(own)) != 0;
}

/*
 * Ask the JVM for the class and the name of a method, and add the method to the
 * table of methods. Returns the number of its frame; 0 if calls of the method
 * are not counted.
 */
static uint32_t
ask_frame(struct hp_agent *a, JNIEnv *jni, jmethodID method)
{
	struct hp_agent_method item = {.method = (uintptr_t)method};
	jclass class = NULL;

	if ((*a->jvmti)->GetMethodDeclaringClass(a->jvmti, method, &class) ==
	    JVMTI_ERROR_NONE) {
		if (is_counted(a, hp_agent_class_of(a, class)) &&
		    !(item.frame = hp_agent_method_frame(a, jni, method)))
			lose(a);
		(*jni)->DeleteLocalRef(jni, class);
	}
	pthread_mutex_lock(&a->lock);
	hp_agent_intern(&a->by_method, &a->methods, a->tables.seed, &item,
			HP_AGENT_KEY(struct hp_agent_method, method));
	pthread_mutex_unlock(&a->lock);
	return item.frame;
}

/*
 * Returns the number of the frame of a method; 0: calls of the method are not
 * counted.
 */
static uint32_t
frame_of(struct hp_agent *a, JNIEnv *jni, struct hp_agent_meter *m,
	 jmethodID method)
{
	const uint64_t h =
		(uintptr_t)method * UINT64_C(0x9E3779B97F4A7C15) >> 32;
	struct known_method *known = &m->methods[h & (METHODS - 1)];
	const struct hp_agent_method key = {.method = (uintptr_t)method};
	const struct hp_agent_method *found;

	if (known->method == method)
		return known->frame;
	pthread_mutex_lock(&a->lock);
	found = hp_agent_find(&a->by_method, &a->methods, a->tables.seed, &key,
			      HP_AGENT_KEY(struct hp_agent_method, method));
	pthread_mutex_unlock(&a->lock);
	known->frame = found ? found->frame : ask_frame(a, jni, method);
	known->method = method;
	return known->frame;
}

/* ---- stacks ---- */

/*
 * Returns the stack of the current thread or virtual thread. If it has none,
 * returns a new one, or NULL if out of memory.
 */
static struct stack *
own_stack(struct hp_agent *a, JNIEnv *jni, struct hp_agent_meter *m,
	  jthread thread)
{
	const struct hp_agent_thread *t = NULL;
	void *stored = NULL;
	struct stack *s;

	if ((*a->jvmti)->GetThreadLocalStorage(a->jvmti, NULL, &stored) !=
		    JVMTI_ERROR_NONE ||
	    stored)
		return stored;
	s = m->spare ? m->spare : calloc(1, sizeof(*s));
	m->spare = NULL;
	if (!s)
		return NULL;
	if (a->o.thread)
		t = hp_agent_thread_of(a, jni, thread);
	s->serial = t ? t->serial : 0;
	if ((*a->jvmti)->SetThreadLocalStorage(a->jvmti, NULL, s) ==
	    JVMTI_ERROR_NONE)
		return s;
	m->spare = s;
	return NULL;
}

/*
 * Called when a thread has left its last counted call: keep the stack of calls
 * of the thread as the spare one, or free this stack. For a virtual thread this
 * would not be possible later, because the agent does not see the end of the
 * thread.
 */
static void
drop_stack(struct hp_agent *a, struct hp_agent_meter *m, struct stack *s)
{
	if ((*a->jvmti)->SetThreadLocalStorage(a->jvmti, NULL, NULL) !=
	    JVMTI_ERROR_NONE)
		return;
	if (m->spare)
		free_stack(s);
	else
		m->spare = s;
}

static struct call *
innermost(const struct stack *s)
{
	return s && s->count ? &s->calls[s->count - 1] : NULL;
}

/*
 * Returns the counters of a stack trace. NULL for trace 0, the empty stack
 * trace.
 */
static struct hp_agent_trace *
counters(struct hp_agent *a, uint32_t trace)
{
	return trace ? hp_chunks_at(&a->tables.traces, trace) : NULL;
}

static void
add(_Atomic uint64_t *counter, int64_t n)
{
	atomic_fetch_add_explicit(counter, n > 0 ? (uint64_t)n : 0,
				  memory_order_relaxed);
}

static void
charge(struct hp_agent *a, struct hp_agent_meter *m, struct stack *s,
       int64_t now_ns)
{
	const struct call *top = innermost(s);
	struct hp_agent_trace *t = top ? counters(a, top->trace) : NULL;

	if (!top || m->stack != s || !atomic_load(&a->cpu_on))
		return;
	s->clock_ns += now_ns - m->seen_ns;
	if (t)
		add(&t->self_ns, now_ns - m->seen_ns);
}

/*
 * End the handling of an event: from now on, processor time is added to the
 * innermost call again.
 */
static void
resume(struct hp_agent_meter *m, struct stack *s)
{
	m->stack = s && s->count ? s : NULL;
	m->seen_ns = hp_agent_own_ns();
}

static uint32_t
intern_call(struct hp_agent *a, const struct stack *s, uint32_t frame,
	    uint32_t depth)
{
	uint32_t frames[HP_AGENT_DEPTH_MOST], n = 0;

	frames[n++] = frame;
	for (size_t i = s->count; i > 0 && n < depth; i--)
		frames[n++] = s->calls[i - 1].frame;
	pthread_mutex_lock(&a->lock);
	n = hp_agent_intern_trace(&a->tables, frames, n, s->serial);
	pthread_mutex_unlock(&a->lock);
	return n;
}

/*
 * Returns the stack trace of a new call of the method @frame: this method and
 * the calls on the stack. Returns 0 if out of memory or if there are too many
 * traces.
 */
static uint32_t
trace_of(struct hp_agent *a, struct hp_agent_meter *m, const struct stack *s,
	 uint32_t frame)
{
	const struct call *top = innermost(s);
	const struct known_call key = {
		.caller = top ? top->trace : 0,
		.frame = frame,
		.serial = s->serial,
		.depth = atomic_load_explicit(&a->depth, memory_order_relaxed)};
	const uint32_t h = (key.caller * 31 + key.frame) * 0x9E3779B9u >> 16;
	struct known_call *known = &m->calls[h & (CALLS - 1)];

	if (known->frame == key.frame && known->caller == key.caller &&
	    known->serial == key.serial && known->depth == key.depth)
		return known->trace;
	*known = key;
	known->trace = intern_call(a, s, frame, key.depth);
	/*
	 * a trace number of 0 would mean that there is no caller; here the
	 * caller exists, but has no trace
	 */
	if (!known->trace || (top && !top->trace))
		known->frame = 0;
	return known->trace;
}

static bool
make_room(struct stack *s)
{
	const size_t room = s->room ? 2 * s->room : FIRST_ROOM;
	struct call *more;

	if (s->missing)
		return false;
	if (s->count < s->room)
		return true;
	more = realloc(s->calls, room * sizeof(*more));
	if (!more)
		return false;
	s->calls = more;
	s->room = room;
	return true;
}

static void
push(struct hp_agent *a, struct hp_agent_meter *m, struct stack *s,
     jmethodID method, uint32_t frame)
{
	struct hp_agent_trace *t;
	uint32_t trace;

	if (!make_room(s)) {
		s->missing++;
		lose(a);
		return;
	}
	trace = trace_of(a, m, s, frame);
	t = counters(a, trace);
	s->calls[s->count++] = (struct call){.method = method,
					     .frame = frame,
					     .trace = trace,
					     .since_ns = s->clock_ns};
	if (!t)
		lose(a);
	else if (atomic_load(&a->cpu_on))
		add(&t->calls, 1);
}

/*
 * Remove the innermost call. If a method calls itself directly, only the outer
 * call is added to the total time of the method, because the time of the outer
 * call includes the inner call.
 */
static void
pop(struct hp_agent *a, struct stack *s)
{
	const struct call *call = &s->calls[--s->count];
	const struct call *caller = innermost(s);
	struct hp_agent_trace *t = counters(a, call->trace);

	if (t && !(caller && caller->frame == call->frame))
		add(&t->total_ns, s->clock_ns - call->since_ns);
}

/*
 * Remove the call of @method that ends, and calls within it whose end the JVM
 * did not report. Does nothing if there is no such call, because it began
 * before the agent started.
 */
static void
pop_to(struct hp_agent *a, struct stack *s, jmethodID method)
{
	size_t n = s->count;

	if (s->missing) {
		s->missing--;
		return;
	}
	while (n > 0 && s->calls[n - 1].method != method)
		n--;
	while (n > 0 && s->count >= n)
		pop(a, s);
}

/* ---- events ---- */

void JNICALL
hp_agent_on_method_entry(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
			 jmethodID method)
{
	struct hp_agent *a = &hp_agent;
	struct hp_agent_meter *m;
	struct stack *s;
	uint32_t frame;

	if (!hp_agent_enter(a))
		return;
	m = own_meter(a);
	frame = m ? frame_of(a, jni, m, method) : 0;
	s = frame ? own_stack(a, jni, m, thread) : NULL;
	if (s) {
		pthread_mutex_lock(&m->lock);
		charge(a, m, s, hp_agent_own_ns());
		push(a, m, s, method, frame);
		resume(m, s);
		pthread_mutex_unlock(&m->lock);
	} else if (!m || frame) {
		lose(a);
	}
	hp_agent_leave(a);
}

void JNICALL
hp_agent_on_method_exit(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
			jmethodID method, jboolean by_exception, jvalue result)
{
	struct hp_agent *a = &hp_agent;
	struct hp_agent_meter *m;
	void *stored = NULL;
	struct stack *s;

	if (!hp_agent_enter(a))
		return;
	m = own_meter(a);
	if (m && frame_of(a, jni, m, method) &&
	    (*a->jvmti)->GetThreadLocalStorage(a->jvmti, NULL, &stored) ==
		    JVMTI_ERROR_NONE &&
	    stored) {
		s = stored;
		pthread_mutex_lock(&m->lock);
		charge(a, m, s, hp_agent_own_ns());
		pop_to(a, s, method);
		resume(m, s);
		pthread_mutex_unlock(&m->lock);
		if (!s->count && !s->missing)
			drop_stack(a, m, s);
	}
	hp_agent_leave(a);
}

/* ---- reports ---- */

/*
 * For the calls of a thread that are still running, add their times to @times.
 * For the innermost call, this is the time since the last event of the thread;
 * for each running call, also the total time since the call began. The caller
 * holds the lock of @m.
 */
static void
add_running(struct hp_agent_meter *m, struct hp_agent_call_time *times,
	    uint32_t n)
{
	const struct stack *s = m->stack;
	const struct call *top = innermost(s);
	const int64_t now_ns = hp_agent_clock_ns(m->clock);
	/* the clock fails if the thread ended without an event */
	const int64_t more_ns = now_ns > m->seen_ns ? now_ns - m->seen_ns : 0;
	uint32_t callee = 0;

	if (!top)
		return;
	if (top->trace < n)
		times[top->trace].self_ns += (uint64_t)more_ns;
	for (size_t i = 0; i < s->count; i++) {
		const struct call *c = &s->calls[i];
		const int64_t ns = s->clock_ns + more_ns - c->since_ns;

		if (c->trace < n && c->frame != callee && ns > 0)
			times[c->trace].total_ns += (uint64_t)ns;
		callee = c->frame;
	}
}

void
hp_agent_calls_running(struct hp_agent *a, struct hp_agent_call_time *times,
		       uint32_t n)
{
	pthread_mutex_lock(&a->metering);
	for (struct hp_agent_meter *m = a->meters; m; m = m->next) {
		pthread_mutex_lock(&m->lock);
		add_running(m, times, n);
		pthread_mutex_unlock(&m->lock);
	}
	pthread_mutex_unlock(&a->metering);
}

void
hp_agent_calls_clear(struct hp_agent *a)
{
	const struct hp_chunks *c = &a->tables.traces;

	for (uint32_t i = 1; i < hp_chunks_count(c); i++) {
		struct hp_agent_trace *t = hp_chunks_at(c, i);

		atomic_store(&t->calls, 0);
		atomic_store(&t->self_ns, 0);
		atomic_store(&t->total_ns, 0);
	}
}
