/*
 * agent.c - the state of the agent, and the locks that guard it
 *
 * All other files of the agent call functions of this file; it calls none of
 * theirs.
 */
#include "agent/agent.h"

#include "common/cli/escape.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct hp_agent hp_agent = {.lock = PTHREAD_MUTEX_INITIALIZER,
			    .tagging = PTHREAD_MUTEX_INITIALIZER,
			    .metering = PTHREAD_MUTEX_INITIALIZER,
			    .reporting = PTHREAD_MUTEX_INITIALIZER};

/* true while this thread is in a callback of the JVM, or works for the agent */
static _Thread_local bool inside;

static const struct timespec millisecond = {.tv_nsec = 1000000};

void
hp_agent_say(const char *fmt, ...)
{
	/*
	 * no allocation here, because memory may be exhausted; escaping makes
	 * at most six bytes of each byte, as in "\u{1B}"
	 */
	char text[1024], room[6 * sizeof(text)];
	struct hp_buf clean = hp_buf_over(room, sizeof(room));
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	hp_text_clean(&clean, text, strlen(text));
	fprintf(stderr, "hprof-agent: %s\n", hp_buf_string(&clean));
}

int64_t
hp_agent_clock_ns(clockid_t clock)
{
	struct timespec t = {0};

	clock_gettime(clock, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

uint64_t
hp_agent_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* The result overflows after 71 minutes, as the HPROF format allows. */
uint32_t
hp_agent_time_us(const struct hp_agent *a)
{
	return (uint32_t)((hp_agent_now_ms() - a->start_ms) * 1000);
}

bool
hp_agent_enter(struct hp_agent *a)
{
	if (inside)
		return false;
	atomic_fetch_add(&a->in_flight, 1);
	if (atomic_load(&a->closing)) {
		atomic_fetch_sub(&a->in_flight, 1);
		return false;
	}
	return inside = true;
}

void
hp_agent_leave(struct hp_agent *a)
{
	inside = false;
	atomic_fetch_sub(&a->in_flight, 1);
}

void
hp_agent_set_inside(bool is)
{
	inside = is;
}

bool
hp_agent_await_live(struct hp_agent *a)
{
	while (!atomic_load(&a->live) && !atomic_load(&a->closing))
		nanosleep(&millisecond, NULL);
	return atomic_load(&a->live);
}

bool
hp_agent_lock_within(pthread_mutex_t *lock, int seconds)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += seconds;
	return pthread_mutex_timedlock(lock, &until) == 0;
}

enum hp_status
hp_agent_run_thread(struct hp_agent *a, JNIEnv *jni, const char *name,
		    jvmtiStartFunction start, struct hp_error *err)
{
	jclass type = (*jni)->FindClass(jni, "java/lang/Thread");
	jstring text = (*jni)->NewStringUTF(jni, name);
	jobject thread = NULL;
	jmethodID make = NULL;
	jvmtiError e = JVMTI_ERROR_INTERNAL;

	if (type && text)
		make = (*jni)->GetMethodID(jni, type, "<init>",
					   "(Ljava/lang/String;)V");
	if (make)
		thread = (*jni)->NewObject(jni, type, make, text);
	(*jni)->ExceptionClear(jni);
	atomic_fetch_add(&a->own_threads, 1);
	if (thread)
		e = (*a->jvmti)->RunAgentThread(a->jvmti, thread, start, a,
						JVMTI_THREAD_NORM_PRIORITY);
	if (e == JVMTI_ERROR_NONE)
		return HP_OK;
	atomic_fetch_sub(&a->own_threads, 1);
	return hp_fail(err, HP_UNSUPPORTED,
		       "the VM refuses to start a thread of the agent "
		       "(JVMTI error %d)",
		       (int)e);
}

bool
hp_agent_await_none(atomic_int *count)
{
	for (int i = 0; i < 5000 && atomic_load(count) > 0; i++)
		nanosleep(&millisecond, NULL);
	return atomic_load(count) == 0;
}

bool
hp_agent_close(struct hp_agent *a)
{
	atomic_store(&a->closing, true);
	return hp_agent_await_none(&a->in_flight);
}
