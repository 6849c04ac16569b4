/*
 * threads.c - the records of the threads of the program, and the list of their
 * starts and ends
 *
 * The JVMTI tag of a thread object is the number of its record. The agent does
 * not use JVMTI's thread-local storage. If it asks for the storage of another
 * thread that ends at the same time, the JVM reads freed memory (seen with JDK
 * 25).
 */
#include "agent/events/threads.h"

#include <time.h>

enum {
	/*
	 * The tag of a thread object after the event for its end. Such a thread
	 * runs for another moment, in which it may wait for monitors and use
	 * the processor. It must not be treated as a new thread.
	 */
	TAG_ENDED = -1,
	/* how many seconds to wait for the lock on tags */
	PATIENCE_S = 1,
};

/* the record of the current thread; NULL: not known, or the thread has ended */
static _Thread_local struct hp_agent_thread *own;

struct names {
	/*
	 * the names of a thread, its group and its parent group, in memory that
	 * the JVM allocated
	 */
	char *name, *group, *parent;
};

/*
 * Ask the JVM for the names of a thread and its groups. The caller holds no
 * lock. Returns false if the thread has no group yet. A native thread that is
 * being attached allocates objects before it has a group and perhaps a name.
 */
static bool
ask_names(struct hp_agent *a, JNIEnv *jni, jthread thread, struct names *n)
{
	jvmtiEnv *jvmti = a->jvmti;
	jvmtiThreadGroupInfo group = {0}, parent = {0};
	jvmtiThreadInfo info = {0};

	if ((*jvmti)->GetThreadInfo(jvmti, thread, &info) != JVMTI_ERROR_NONE)
		return false;
	n->name = info.name;
	if (info.thread_group &&
	    (*jvmti)->GetThreadGroupInfo(jvmti, info.thread_group, &group) ==
		    JVMTI_ERROR_NONE)
		n->group = group.name;
	if (group.parent &&
	    (*jvmti)->GetThreadGroupInfo(jvmti, group.parent, &parent) ==
		    JVMTI_ERROR_NONE)
		n->parent = parent.name;
	(*jni)->DeleteLocalRef(jni, parent.parent);
	(*jni)->DeleteLocalRef(jni, group.parent);
	(*jni)->DeleteLocalRef(jni, info.thread_group);
	(*jni)->DeleteLocalRef(jni, info.context_class_loader);
	return n->group != NULL;
}

static void
release_names(struct hp_agent *a, struct names *n)
{
	(*a->jvmti)->Deallocate(a->jvmti, (unsigned char *)n->name);
	(*a->jvmti)->Deallocate(a->jvmti, (unsigned char *)n->group);
	(*a->jvmti)->Deallocate(a->jvmti, (unsigned char *)n->parent);
}

/*
 * Append an event to hp_agent.events: the start of a thread with the names @n,
 * or its end if @n is NULL. The caller holds the agent's lock.
 */
static void
note_event(struct hp_agent *a, uint32_t serial, const struct names *n)
{
	struct hp_agent_event *e;

	if (hp_chunks_count(&a->events) > HP_AGENT_EVENTS_MOST)
		return;
	e = hp_chunks_next(&a->events);
	if (!e)
		return;
	e->serial = serial;
	e->end = !n;
	if (n) {
		e->name = hp_agent_intern_text(&a->tables, n->name);
		e->group = hp_agent_intern_text(&a->tables, n->group);
		e->parent = hp_agent_intern_text(&a->tables, n->parent);
	}
	hp_chunks_publish(&a->events);
}

void
hp_agent_threads_hold(struct hp_agent *a)
{
	pthread_mutex_lock(&a->lock);
	a->thread_holders++;
	pthread_mutex_unlock(&a->lock);
}

void
hp_agent_threads_let_go(struct hp_agent *a)
{
	pthread_mutex_lock(&a->lock);
	a->thread_holders--;
	pthread_mutex_unlock(&a->lock);
}

/*
 * Get a record for a new thread: the record of a thread that has ended and that
 * no caller uses or, if there is none, a new record. Returns NULL if out of
 * memory. The caller holds the agent's lock.
 */
static struct hp_agent_thread *
take_thread(struct hp_agent *a)
{
	struct hp_agent_thread *t;
	uint32_t n = a->thread_holders ? 0 : a->free_thread;

	if (n) {
		t = hp_chunks_at(&a->threads, n);
		a->free_thread = t->next_free;
		*t = (struct hp_agent_thread){.number = n};
	} else {
		t = hp_chunks_next(&a->threads);
		if (!t)
			return NULL;
		t->number = hp_chunks_publish(&a->threads);
	}
	return t;
}

static void
give_back(struct hp_agent *a, struct hp_agent_thread *t)
{
	t->next_free = a->free_thread;
	a->free_thread = t->number;
}

/*
 * Take the lock on tags, so that no other thread changes the tag of a thread
 * object between reading and setting it. The thread that holds the lock calls
 * the JVM, which may stop the thread forever, at exit or for a debugger. So the
 * function waits only PATIENCE_S seconds. Returns false after that time.
 */
static bool
lock_tags(struct hp_agent *a)
{
	return hp_agent_lock_within(&a->tagging, PATIENCE_S);
}

/*
 * Look up the record of a thread. Sets *@t to the record; NULL if the thread
 * has no record. Returns false if the end of the thread was already reported.
 */
static bool
look_up(struct hp_agent *a, jthread thread, struct hp_agent_thread **t)
{
	jlong tag = 0;

	*t = NULL;
	if ((*a->classes)->GetTag(a->classes, thread, &tag) !=
		    JVMTI_ERROR_NONE ||
	    tag == TAG_ENDED)
		return false;
	if (tag)
		*t = hp_chunks_at(&a->threads, (uint32_t)tag);
	return true;
}

/*
 * Create a record for a thread and append its start to the list of events.
 * Returns NULL if out of memory.
 */
static struct hp_agent_thread *
add_thread(struct hp_agent *a, jthread thread, const struct names *n)
{
	struct hp_agent_thread *t;
	bool tagged;

	pthread_mutex_lock(&a->lock);
	t = take_thread(a);
	if (t) {
		t->serial = ++a->last_serial;
		t->late = atomic_load(&a->live);
	}
	pthread_mutex_unlock(&a->lock);
	if (!t)
		return NULL;
	tagged = (*a->classes)->SetTag(a->classes, thread, t->number) ==
		 JVMTI_ERROR_NONE;
	pthread_mutex_lock(&a->lock);
	if (tagged)
		note_event(a, t->serial, n);
	else
		give_back(a, t);
	pthread_mutex_unlock(&a->lock);
	return tagged ? t : NULL;
}

struct hp_agent_thread *
hp_agent_thread_known(struct hp_agent *a, jthread thread)
{
	struct hp_agent_thread *t;

	look_up(a, thread, &t);
	return t;
}

struct hp_agent_thread *
hp_agent_thread_of(struct hp_agent *a, JNIEnv *jni, jthread thread)
{
	struct hp_agent_thread *t;
	struct names n = {0};

	if (!look_up(a, thread, &t) || t)
		return t;
	if (ask_names(a, jni, thread, &n) && lock_tags(a)) {
		if (look_up(a, thread, &t) && !t)
			t = add_thread(a, thread, &n);
		pthread_mutex_unlock(&a->tagging);
	}
	release_names(a, &n);
	return t;
}

struct hp_agent_thread *
hp_agent_thread_own(void)
{
	return own;
}

void JNICALL
hp_agent_on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	struct hp_agent *a = &hp_agent;

	if (!hp_agent_enter(a))
		return;
	own = hp_agent_thread_of(a, jni, thread);
	hp_agent_leave(a);
}

void JNICALL
hp_agent_on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	struct hp_agent *a = &hp_agent;
	struct hp_agent_thread *t;
	bool locked;

	if (!hp_agent_enter(a))
		return;
	own = NULL;
	locked = lock_tags(a);
	if (look_up(a, thread, &t))
		(*a->classes)->SetTag(a->classes, thread, TAG_ENDED);
	if (t) {
		pthread_mutex_lock(&a->lock);
		note_event(a, t->serial, NULL);
		give_back(a, t);
		pthread_mutex_unlock(&a->lock);
	}
	if (locked)
		pthread_mutex_unlock(&a->tagging);
	hp_agent_leave(a);
}

void
hp_agent_threads_present(struct hp_agent *a, JNIEnv *jni)
{
	jthread *list = NULL;
	jint n = 0;

	if ((*a->jvmti)->GetAllThreads(a->jvmti, &n, &list) != JVMTI_ERROR_NONE)
		return;
	for (jint i = 0; i < n; i++) {
		hp_agent_thread_of(a, jni, list[i]);
		(*jni)->DeleteLocalRef(jni, list[i]);
	}
	(*a->jvmti)->Deallocate(a->jvmti, (unsigned char *)list);
}
