/*
 * threads.c - what is known of threads, and the list of their starts and ends
 */
#include "agent/threads.h"

struct names {
	char *name, *group, *parent; /* the VM's memory */
};

/* Under no lock: the VM is asked. */
static void
ask_names(struct hp_agent *a, JNIEnv *jni, jthread thread, struct names *n)
{
	jvmtiEnv *jvmti = a->jvmti;
	jvmtiThreadGroupInfo group = {0}, parent = {0};
	jvmtiThreadInfo info = {0};

	if ((*jvmti)->GetThreadInfo(jvmti, thread, &info) != JVMTI_ERROR_NONE)
		return;
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
}

static void
release_names(struct hp_agent *a, struct names *n)
{
	(*a->jvmti)->Deallocate(a->jvmti, (unsigned char *)n->name);
	(*a->jvmti)->Deallocate(a->jvmti, (unsigned char *)n->group);
	(*a->jvmti)->Deallocate(a->jvmti, (unsigned char *)n->parent);
}

/* Under the lock. */
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

/* A record of its own: of a thread that ended, or a new one. Under the lock. */
static struct hp_agent_thread *
take_thread(struct hp_agent *a)
{
	struct hp_agent_thread *t;
	uint32_t n = a->free_thread;

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
	t->serial = ++a->last_serial;
	return t;
}

struct hp_agent_thread *
hp_agent_thread_of(struct hp_agent *a, JNIEnv *jni, jthread thread)
{
	struct hp_agent_thread *t = NULL;
	struct names n = {0};

	if ((*a->jvmti)->GetThreadLocalStorage(a->jvmti, thread, (void **)&t) !=
	    JVMTI_ERROR_NONE)
		return NULL;
	if (t)
		return t;
	ask_names(a, jni, thread, &n);
	pthread_mutex_lock(&a->lock);
	t = take_thread(a);
	if (t)
		note_event(a, t->serial, &n);
	pthread_mutex_unlock(&a->lock);
	release_names(a, &n);
	if (t)
		(*a->jvmti)->SetThreadLocalStorage(a->jvmti, thread, t);
	return t;
}

void JNICALL
hp_agent_on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	struct hp_agent *a = &hp_agent;

	(void)jvmti;
	if (!hp_agent_enter(a))
		return;
	hp_agent_thread_of(a, jni, thread);
	hp_agent_leave(a);
}

void JNICALL
hp_agent_on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	struct hp_agent *a = &hp_agent;
	struct hp_agent_thread *t = NULL;

	(void)jni;
	if (!hp_agent_enter(a))
		return;
	(*jvmti)->GetThreadLocalStorage(jvmti, thread, (void **)&t);
	(*jvmti)->SetThreadLocalStorage(jvmti, thread, NULL);
	if (t) {
		pthread_mutex_lock(&a->lock);
		note_event(a, t->serial, NULL);
		t->next_free = a->free_thread;
		a->free_thread = t->number;
		pthread_mutex_unlock(&a->lock);
	}
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
