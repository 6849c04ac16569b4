/*
 * mounts.c - find out which virtual thread runs on a platform thread
 *
 * The JVM reports with extension events of JVMTI that a virtual thread is
 * mounted on a carrier, and unmounted. The callback runs on the carrier.
 *
 * Source: jvmtiExtensions.cpp of JDK 21 and later.
 */
#include "agent/events/mounts.h"

#include "agent/events/threads.h"

#include <stdarg.h>
#include <string.h>

/*
 * Guards the member `mounted` of the records of all threads. A thread holds
 * this lock only for a moment, and never during a call of the JVM that waits
 * for another thread.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Set the virtual thread that runs on the current thread; NULL: none. */
static void
set_mounted(JNIEnv *jni, jthread virtual)
{
	struct hp_agent_thread *t = hp_agent_thread_own();
	jweak now, before;

	if (!t || !hp_agent_enter(&hp_agent))
		return;
	now = virtual ? (*jni)->NewWeakGlobalRef(jni, virtual) : NULL;
	pthread_mutex_lock(&lock);
	before = t->mounted;
	t->mounted = now;
	pthread_mutex_unlock(&lock);
	if (before)
		(*jni)->DeleteWeakGlobalRef(jni, before);
	hp_agent_leave(&hp_agent);
}

/* The arguments of both events are the JNI environment and the thread. */
static void JNICALL
on_mount(jvmtiEnv *jvmti, ...)
{
	va_list args;
	JNIEnv *jni;

	va_start(args, jvmti);
	jni = va_arg(args, JNIEnv *);
	set_mounted(jni, va_arg(args, jthread));
	va_end(args);
}

static void JNICALL
on_unmount(jvmtiEnv *jvmti, ...)
{
	va_list args;

	va_start(args, jvmti);
	set_mounted(va_arg(args, JNIEnv *), NULL);
	va_end(args);
}

jthread
hp_agent_mounted(JNIEnv *jni, struct hp_agent_thread *t)
{
	jthread thread = NULL;

	pthread_mutex_lock(&lock);
	if (t->mounted)
		thread = (*jni)->NewLocalRef(jni, t->mounted);
	pthread_mutex_unlock(&lock);
	return thread;
}

static void
release(jvmtiEnv *jvmti, jvmtiExtensionEventInfo *e)
{
	for (jint i = 0; i < e->param_count; i++)
		(*jvmti)->Deallocate(jvmti, (unsigned char *)e->params[i].name);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)e->params);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)e->id);
	(*jvmti)->Deallocate(jvmti, (unsigned char *)e->short_description);
}

/*
 * JVMTI enables an extension event when it gets a callback. For the two events
 * about virtual threads, HotSpot must also be asked to enable them.
 */
static void
enable(jvmtiEnv *jvmti, jint event, jvmtiExtensionEvent call)
{
	if ((*jvmti)->SetExtensionEventCallback(jvmti, event, call) ==
	    JVMTI_ERROR_NONE)
		(*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE,
						   (jvmtiEvent)event, NULL);
}

void
hp_agent_mounts_watch(struct hp_agent *a)
{
	static const struct {
		const char *id;
		jvmtiExtensionEvent call;
	} wanted[] = {
		{"com.sun.hotspot.events.VirtualThreadMount", on_mount},
		{"com.sun.hotspot.events.VirtualThreadUnmount", on_unmount},
	};
	jvmtiEnv *jvmti = a->jvmti;
	jvmtiExtensionEventInfo *list = NULL;
	jint n = 0;

	if ((*jvmti)->GetExtensionEvents(jvmti, &n, &list) != JVMTI_ERROR_NONE)
		return;
	for (jint i = 0; i < n; i++) {
		for (size_t k = 0; k < HP_ARRAY_LEN(wanted); k++)
			if (strcmp(list[i].id, wanted[k].id) == 0)
				enable(jvmti, list[i].extension_event_index,
				       wanted[k].call);
		release(jvmti, &list[i]);
	}
	(*jvmti)->Deallocate(jvmti, (unsigned char *)list);
}
