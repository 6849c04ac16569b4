/*
 * exit_report.c - the report at the VM's end
 *
 * It is made by a shutdown hook, while the VM still does all that it is asked.
 * VMDeath comes too late for that, with ZGC and Shenandoah a collection never
 * ends there; it is what is left if the hook was not run, as after
 * Runtime.halt().
 */
#include "agent/exit_report.h"

#include "agent/report/publish.h"
#include "hprof-agent-classes.h"

#include <time.h>

enum { PATIENCE_MS = 10000 }; /* for a report that the hook writes */

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

	wish.collect = false; /* that was done, or is too late */
	hp_agent_set_inside(
		true); /* what the report allocates is not the program's */
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
 * The VM need not have waited for the hook: with a full heap it fails between
 * starting the hooks and joining them. A collection that the hook waits for
 * may never end by now; its writing will.
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

/* Runtime.getRuntime().addShutdownHook(new Hook()) */
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
