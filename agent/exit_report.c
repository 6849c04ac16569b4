/*
 * exit_report.c - write the report when the JVM exits
 *
 * Usually a shutdown hook writes the report, because the JVM still answers all
 * requests at that time. The event VMDeath is too late: with ZGC and
 * Shenandoah, a garbage collection at that time never ends. VMDeath and
 * atexit() are used if the hook did not run, for example after Runtime.halt().
 */
#include "agent/exit_report.h"

#include "agent/report/publish.h"
#include "hprof-agent-classes.h"

#include <time.h>

/*
 * how many milliseconds to wait while the shutdown hook is writing the report
 */
enum { PATIENCE_MS = 10000 };

static const struct timespec millisecond = {.tv_nsec = 1000000};

static bool
move_on(struct hp_agent *a, int from, int to)
{
	return atomic_compare_exchange_strong(&a->exit_report, &from, to);
}

static void
write_exit_report(struct hp_agent *a, JNIEnv *jni)
{
	struct hp_agent_wish wish = hp_agent_wish_all(a);

	/*
	 * no garbage collection: either the shutdown hook has already requested
	 * one, or the JVM is too close to its end
	 */
	wish.collect = false;
	hp_agent_set_inside(
		/*
		 * mark the thread as the agent's own, so that its allocations
		 * are not counted
		 */
		true);
	hp_agent_publish(a, jni, &wish);
	hp_agent_set_inside(false);
	atomic_store(&a->exit_report, HP_AGENT_EXIT_DONE);
}

static void JNICALL
run_hook(JNIEnv *jni, jobject self)
{
	struct hp_agent *a = &hp_agent;

	if (a->o.doe &&
	    move_on(a, HP_AGENT_EXIT_NONE, HP_AGENT_EXIT_COLLECTING)) {
		if (a->o.heap)
			hp_agent_collect_garbage(a);
		if (move_on(a, HP_AGENT_EXIT_COLLECTING, HP_AGENT_EXIT_WRITING))
			write_exit_report(a, jni);
	}
	(*jni)->ExceptionClear(jni);
	hp_agent_close(a);
}

/*
 * Write the report if the shutdown hook has not written it. The hook may still
 * be running: if the heap is full, the JVM can fail after starting the hooks
 * and before waiting for them. If the hook is waiting for a garbage collection,
 * which may never end, this function writes the report. If the hook is already
 * writing, this function waits for the hook.
 */
void
hp_agent_exit_finish(void)
{
	struct hp_agent *a = &hp_agent;

	hp_agent_close(a);
	if (!a->o.doe)
		return;
	if (move_on(a, HP_AGENT_EXIT_NONE, HP_AGENT_EXIT_WRITING) ||
	    move_on(a, HP_AGENT_EXIT_COLLECTING, HP_AGENT_EXIT_WRITING))
		write_exit_report(a, NULL);
	for (int i = 0; i < PATIENCE_MS &&
			atomic_load(&a->exit_report) != HP_AGENT_EXIT_DONE;
	     i++)
		nanosleep(&millisecond, NULL);
}

void JNICALL
hp_agent_on_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
	hp_agent_exit_finish();
}

static bool
add_hook(JNIEnv *jni, jobject hook)
{
	jclass runtime = (*jni)->FindClass(jni, "java/lang/Runtime");
	jmethodID get = NULL, add = NULL;
	jobject self = NULL;

	if (runtime)
		get = (*jni)->GetStaticMethodID(jni, runtime, "getRuntime",
						"()Ljava/lang/Runtime;");
	if (get)
		add = (*jni)->GetMethodID(jni, runtime, "addShutdownHook",
					  "(Ljava/lang/Thread;)V");
	if (add)
		self = (*jni)->CallStaticObjectMethod(jni, runtime, get);
	if ((*jni)->ExceptionCheck(jni) || !self)
		return false;
	(*jni)->CallVoidMethod(jni, self, add, hook);
	return !(*jni)->ExceptionCheck(jni);
}

bool
hp_agent_exit_hook(JNIEnv *jni)
{
	static const JNINativeMethod native = {"run", "()V", run_hook};
	jclass type = (*jni)->DefineClass(jni, "hprofagent/Hook", NULL,
					  (const jbyte *)Hook_class,
					  sizeof(Hook_class));
	jmethodID make = NULL;
	jobject hook = NULL;
	bool fine;

	if (type && (*jni)->RegisterNatives(jni, type, &native, 1) == 0)
		make = (*jni)->GetMethodID(jni, type, "<init>", "()V");
	if (make)
		hook = (*jni)->NewObject(jni, type, make);
	fine = hook && add_hook(jni, hook);
	(*jni)->ExceptionClear(jni);
	return fine;
}
