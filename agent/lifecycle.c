/*
 * lifecycle.c - from the VM's first call to its last
 *
 * The report at exit is made by a shutdown hook, while the VM still does all
 * that it is asked. VMDeath comes too late for that, with ZGC and Shenandoah a
 * collection never ends there; it is what is left if the hook was not run, as
 * after Runtime.halt().
 */
#include "agent/agent.h"

#include "agent/cpu.h"
#include "agent/monitor.h"
#include "agent/net.h"
#include "agent/output.h"
#include "agent/publish.h"
#include "agent/samples.h"
#include "agent/threads.h"
#include "agent/vm_dump.h"
#include "common/cli/escape.h"
#include "hprof-agent-classes.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { EXIT_PATIENCE_MS = 10000 }; /* for a report that the hook writes */

struct hp_agent hp_agent = {.lock = PTHREAD_MUTEX_INITIALIZER,
			    .tagging = PTHREAD_MUTEX_INITIALIZER,
			    .reporting = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local bool inside; /* this thread is in a callback */

static const struct timespec millisecond = {.tv_nsec = 1000000};

/* ---- small things ---- */

void
hp_agent_say(const char *fmt, ...)
{
	/* a byte becomes six, \u{1B}, at most; no memory may be left */
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
hp_agent_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

uint64_t
hp_agent_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Wraps after 71 minutes, as the format has it. */
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

bool
hp_agent_await_live(struct hp_agent *a)
{
	while (!atomic_load(&a->live) && !atomic_load(&a->closing))
		nanosleep(&millisecond, NULL);
	return atomic_load(&a->live);
}

/* Until nothing is counted any more, 5 s at most. */
static bool
await_none(atomic_int *count)
{
	for (int i = 0; i < 5000 && atomic_load(count) > 0; i++)
		nanosleep(&millisecond, NULL);
	return atomic_load(count) == 0;
}

/* No callback begins any more. false: one still runs. */
static bool
close_agent(struct hp_agent *a)
{
	atomic_store(&a->closing, true);
	return await_none(&a->in_flight);
}

/* ---- the end ---- */

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
	inside = true; /* what the report allocates is not the program's */
	hp_agent_publish(a, jni, &wish);
	inside = false;
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
	close_agent(a);
}

/*
 * The VM need not have waited for the hook: with a full heap it fails between
 * starting the hooks and joining them. A collection that the hook waits for
 * may never end by now; its writing will.
 */
static void
finish_exit_report(void)
{
	struct hp_agent *a = &hp_agent;

	close_agent(a);
	if (!a->o.doe)
		return;
	if (move_on(a, HP_AGENT_EXIT_NONE, HP_AGENT_EXIT_WRITING) ||
	    move_on(a, HP_AGENT_EXIT_COLLECTING, HP_AGENT_EXIT_WRITING))
		write_exit_report(a, NULL);
	for (int i = 0; i < EXIT_PATIENCE_MS &&
			atomic_load(&a->exit_report) != HP_AGENT_EXIT_DONE;
	     i++)
		nanosleep(&millisecond, NULL);
}

static void JNICALL
on_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
	finish_exit_report();
}

static void JNICALL
on_request(jvmtiEnv *jvmti)
{
	struct hp_agent *a = &hp_agent;
	struct hp_agent_wish wish = hp_agent_wish_all(a);
	JNIEnv *jni = NULL;

	if (atomic_load(&a->closing) ||
	    atomic_load(&a->exit_report) != HP_AGENT_EXIT_NONE ||
	    (*a->vm)->GetEnv(a->vm, (void **)&jni, JNI_VERSION_1_8) != JNI_OK)
		return;
	inside = true;
	hp_agent_publish(a, jni, &wish);
	(*jni)->ExceptionClear(jni);
	inside = false;
}

/* ---- the beginning ---- */

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

static bool
install_hook(JNIEnv *jni)
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

static enum hp_status
enable(struct hp_agent *a, jvmtiEvent event, struct hp_error *err)
{
	jvmtiError e = (*a->jvmti)->SetEventNotificationMode(
		a->jvmti, JVMTI_ENABLE, event, NULL);

	if (e != JVMTI_ERROR_NONE)
		return hp_fail(err, HP_UNSUPPORTED,
			       "the VM does not report event %d (JVMTI error "
			       "%d)",
			       (int)event, (int)e);
	return HP_OK;
}

/* What may fail. Threads wait to be live; events come last. */
static enum hp_status
prepare_live(struct hp_agent *a, JNIEnv *jni, struct hp_error *err)
{
	enum hp_status st = HP_OK;

	if (a->o.heap & HP_AGENT_HEAP_DUMP)
		st = hp_agent_dump_prepare(a, jni, err);
	if (st == HP_OK && a->o.cpu)
		st = hp_agent_cpu_start(a, jni, err);
	if (st == HP_OK && a->net)
		st = hp_agent_net_listen(a, jni, err);
	if (st == HP_OK)
		st = enable(a, JVMTI_EVENT_THREAD_START, err);
	if (st == HP_OK)
		st = enable(a, JVMTI_EVENT_THREAD_END, err);
	if (st == HP_OK && a->o.monitor)
		st = enable(a, JVMTI_EVENT_MONITOR_CONTENDED_ENTER, err);
	if (st == HP_OK && a->o.monitor)
		st = enable(a, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, err);
	if (st == HP_OK && a->o.heap)
		st = hp_agent_samples_enable(a, true, err);
	return st;
}

/* Everything that waits for the live phase. */
static enum hp_status
go_live(struct hp_agent *a, JNIEnv *jni, struct hp_error *err)
{
	enum hp_status st;

	inside = true;
	st = prepare_live(a, jni, err);
	if (st == HP_OK) {
		/* a hook cannot be taken back: once nothing can fail */
		if (!install_hook(jni))
			hp_agent_say("no shutdown hook: what is live at exit "
				     "includes garbage");
		hp_agent_threads_present(a, jni);
		/* what is left of a thread's buffer would be filled unseen */
		if (a->o.heap && a->o.sample == 0)
			(*a->jvmti)->ForceGarbageCollection(a->jvmti);
		atomic_store(&a->live, true);
	}
	inside = false;
	return st;
}

static void
leave_environments(struct hp_agent *a)
{
	jvmtiEnv **const all[] = {&a->jvmti, &a->classes, &a->sampled};

	for (size_t i = 0; i < HP_ARRAY_LEN(all); i++) {
		if (*all[i])
			(**all[i])->DisposeEnvironment(*all[i]);
		*all[i] = NULL;
	}
}

/*
 * Takes back a start that failed, so that the next attach begins anew. The VM
 * keeps environments, and those keep what only one agent can have, sampling.
 * What still runs uses them: they stay until it has ended.
 * Returns: false: it has not; this may be called again.
 */
static bool
withdraw(struct hp_agent *a)
{
	a->withdrawn = true;
	atomic_store(&a->exit_report, HP_AGENT_EXIT_DONE);
	if (a->jvmti)
		(*a->jvmti)->SetEventCallbacks(a->jvmti, NULL, 0);
	if (!close_agent(a) || !await_none(&a->own_threads))
		return false;
	hp_agent_net_close(a);
	leave_environments(a);
	a->withdrawn = false;
	return true;
}

static void JNICALL
on_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	struct hp_error err = {0};

	if (go_live(&hp_agent, jni, &err) == HP_OK)
		return;
	hp_agent_say("%s; there will be no report", err.text);
	withdraw(&hp_agent);
}

static enum hp_status
refuse_capability(jvmtiError e, struct hp_error *err)
{
	if (e == JVMTI_ERROR_NOT_AVAILABLE)
		return hp_fail(err, HP_UNSUPPORTED,
			       "the VM does not offer what is needed: another "
			       "agent that samples allocations has it, or "
			       "the VM is older than JDK 11");
	return hp_fail(err, HP_UNSUPPORTED, "JVMTI error %d", (int)e);
}

/* can_support_virtual_threads, which headers before JDK 21 do not have. */
static void
want_virtual(struct hp_agent *a, jvmtiCapabilities *want)
{
	enum { BYTE = 44 / 8, BIT = 1 << 44 % 8 };
	jvmtiCapabilities can;
	uint8_t bytes[sizeof(can)];

	if ((*a->jvmti)->GetPotentialCapabilities(a->jvmti, &can) !=
	    JVMTI_ERROR_NONE)
		return;
	memcpy(bytes, &can, sizeof(can));
	if (!(bytes[BYTE] & BIT))
		return;
	memcpy(bytes, want, sizeof(*want));
	bytes[BYTE] |= BIT;
	memcpy(want, bytes, sizeof(*want));
}

static enum hp_status
take_capabilities(struct hp_agent *a, struct hp_error *err)
{
	jvmtiCapabilities want = {.can_get_source_file_name = 1,
				  .can_get_line_numbers = 1,
				  .can_tag_objects = 1};
	const jvmtiCapabilities tags = {.can_tag_objects = 1};
	jvmtiError e;

	want.can_generate_sampled_object_alloc_events = a->o.heap != 0;
	want.can_generate_object_free_events = a->o.heap != 0;
	want.can_get_thread_cpu_time = a->o.cpu;
	want.can_generate_monitor_events = a->o.monitor;
	want.can_get_monitor_info = a->o.monitor;
	want.can_get_current_contended_monitor = a->o.monitor;
	want_virtual(a, &want);
	e = (*a->jvmti)->AddCapabilities(a->jvmti, &want);
	if (e == JVMTI_ERROR_NONE)
		e = (*a->classes)->AddCapabilities(a->classes, &tags);
	if (e == JVMTI_ERROR_NONE && a->sampled)
		e = (*a->sampled)->AddCapabilities(a->sampled, &tags);
	return e == JVMTI_ERROR_NONE ? HP_OK : refuse_capability(e, err);
}

static enum hp_status
take_environments(struct hp_agent *a, struct hp_error *err)
{
	const bool dump = a->o.heap & HP_AGENT_HEAP_DUMP;

	if ((*a->vm)->GetEnv(a->vm, (void **)&a->jvmti, JVMTI_VERSION_11) !=
		    JNI_OK ||
	    (*a->vm)->GetEnv(a->vm, (void **)&a->classes, JVMTI_VERSION_11) !=
		    JNI_OK ||
	    (dump && (*a->vm)->GetEnv(a->vm, (void **)&a->sampled,
				      JVMTI_VERSION_11) != JNI_OK))
		return hp_fail(err, HP_UNSUPPORTED,
			       "the VM is older than JDK 11");
	return HP_OK;
}

/* Is this word on the command line? */
static bool
has_argument(const char *word)
{
	char line[16384];
	FILE *f = fopen("/proc/self/cmdline", "r");
	size_t n = f ? fread(line, 1, sizeof(line) - 1, f) : 0;

	if (f)
		fclose(f);
	line[n] = '\0';
	for (size_t i = 0; i < n; i += strlen(line + i) + 1)
		if (strcmp(line + i, word) == 0)
			return true;
	return false;
}

static enum hp_status
check_version(struct hp_agent *a, struct hp_error *err)
{
	char *text = NULL;

	if ((*a->jvmti)->GetSystemProperty(a->jvmti, "java.vm.version",
					   &text) != JVMTI_ERROR_NONE)
		return HP_OK;
	snprintf(a->version, sizeof(a->version), "%s", text);
	(*a->jvmti)->Deallocate(a->jvmti, (unsigned char *)text);
	if (a->o.heap && a->o.sample == 0 &&
	    strncmp(a->version, "11.", 3) == 0 && !has_argument("-XX:-UseTLAB"))
		return hp_fail(err, HP_UNSUPPORTED,
			       "sample=0 misses every third object on JDK 11: "
			       "add -XX:-UseTLAB");
	return HP_OK;
}

static enum hp_status
start(struct hp_agent *a, struct hp_error *err)
{
	const jvmtiEventCallbacks callbacks = {
		.VMInit = on_init,
		.VMDeath = on_death,
		.ThreadStart = hp_agent_on_thread_start,
		.ThreadEnd = hp_agent_on_thread_end,
		.DataDumpRequest = on_request,
		.MonitorContendedEnter = hp_agent_on_enter,
		.MonitorContendedEntered = hp_agent_on_entered,
		.ObjectFree = hp_agent_on_free,
		.SampledObjectAlloc = hp_agent_on_allocation};
	enum hp_status st;

	a->start_ms = hp_agent_now_ms();
	atomic_store(&a->depth, a->o.depth);
	/* an attach that failed may have left entries, which depend on it */
	if (!a->tables.seed)
		hp_agent_tables_init(&a->tables, hp_agent_random());
	a->shutdown = hp_agent_intern_class(
		&a->tables, "Ljava/lang/ApplicationShutdownHooks;");
	hp_agent_sites_init(&a->sites, a->o.sample);
	a->threads.size = sizeof(struct hp_agent_thread);
	a->events.size = sizeof(struct hp_agent_event);
	a->waits.size = sizeof(struct hp_agent_wait);
	st = take_environments(a, err);
	if (st == HP_OK)
		st = check_version(a, err);
	if (st == HP_OK)
		st = take_capabilities(a, err);
	if (st == HP_OK && a->o.heap)
		st = hp_agent_samples_interval(a, err);
	if (st == HP_OK && a->o.host[0])
		st = hp_agent_net_open(a, err);
	atomic_store(&a->closing, false);
	atomic_store(&a->exit_report, HP_AGENT_EXIT_NONE);
	if (st == HP_OK && (*a->jvmti)->SetEventCallbacks(a->jvmti, &callbacks,
							  sizeof(callbacks)) !=
				   JVMTI_ERROR_NONE)
		st = hp_fail(err, HP_UNSUPPORTED, "the VM takes no callbacks");
	if (st == HP_OK)
		st = enable(a, JVMTI_EVENT_VM_INIT, err);
	if (st == HP_OK)
		st = enable(a, JVMTI_EVENT_VM_DEATH, err);
	if (st == HP_OK)
		st = enable(a, JVMTI_EVENT_DATA_DUMP_REQUEST, err);
	/* a full heap may keep the VM from its own shutdown altogether */
	if (st == HP_OK && atexit(finish_exit_report) != 0)
		st = hp_no_memory(err);
	return st;
}

/*
 * A place that cannot be written is told now, not hours later. It keeps nothing
 * from running: a VM that starts would not, and its folder may be made by then.
 * Who attaches can ask again.
 */
static enum hp_status
check_place(const struct hp_agent *a, bool attached, struct hp_error *err)
{
	enum hp_status st =
		a->o.host[0] ? HP_OK : hp_agent_publish_check(a, err);

	if (st == HP_OK || attached)
		return st;
	hp_agent_say("%s; there will be no report unless that is mended",
		     err->text);
	*err = (struct hp_error){0};
	return HP_OK;
}

static enum hp_status
load(JavaVM *vm, const char *options, bool attached, struct hp_error *err)
{
	struct hp_agent *a = &hp_agent;
	enum hp_status st = hp_agent_options_parse(&a->o, options, err);

	if (st == HP_OK && a->o.help) {
		fputs(hp_agent_help, stderr);
		if (!attached)
			exit(0); /* as the old agent does */
		return hp_fail(err, HP_UNSUPPORTED,
			       "help was all that was asked for: it is not "
			       "loaded");
	}
	a->vm = vm;
	if (st == HP_OK)
		st = check_place(a, attached, err);
	if (st == HP_OK) {
		st = start(a, err);
		if (st != HP_OK)
			withdraw(a);
	}
	return st;
}

__attribute__((visibility("default"))) JNIEXPORT jint JNICALL
Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
	struct hp_error err = {0};
	enum hp_status st;

	/* there is one agent, whose options would be replaced */
	if (hp_agent.jvmti)
		st = hp_fail(&err, HP_UNSUPPORTED,
			     "it is named twice, by JAVA_TOOL_OPTIONS perhaps: "
			     "a VM has one, and its options stay");
	else
		st = load(vm, options, false, &err);
	if (st == HP_OK)
		return JNI_OK;
	hp_agent_say("%s", err.text);
	return JNI_ERR;
}

static enum hp_status
attach(struct hp_agent *a, JavaVM *vm, const char *options,
       struct hp_error *err)
{
	JNIEnv *jni = NULL;
	enum hp_status st = load(vm, options, true, err);

	if (st != HP_OK)
		return st;
	if ((*vm)->GetEnv(vm, (void **)&jni, JNI_VERSION_1_8) != JNI_OK)
		st = hp_fail(err, HP_UNSUPPORTED, "the VM has no JNI 1.8");
	if (st == HP_OK)
		st = go_live(a, jni, err);
	if (st != HP_OK)
		withdraw(a);
	return st;
}

/* A second attach is a request for a report. */
static enum hp_status
attach_again(struct hp_agent *a, const char *options, struct hp_error *err)
{
	if (options && strcmp(options, "help") == 0)
		fputs(hp_agent_help, stderr);
	if (options && *options && strcmp(options, "report") != 0)
		return hp_fail(err, HP_UNSUPPORTED,
			       "it is loaded already, and its options stay: "
			       "attach with \"report\" for a report");
	on_request(a->jvmti);
	return HP_OK;
}

__attribute__((visibility("default"))) JNIEXPORT jint JNICALL
Agent_OnAttach(JavaVM *vm, char *options, void *reserved)
{
	struct hp_agent *a = &hp_agent;
	struct hp_error err = {0};
	enum hp_status st;

	if (a->withdrawn && !withdraw(a))
		st = hp_fail(&err, HP_UNSUPPORTED,
			     "an attach failed, and what it began has not "
			     "ended yet: try again later");
	else if (a->jvmti)
		st = attach_again(a, options, &err);
	else
		st = attach(a, vm, options, &err);
	if (st == HP_OK)
		return JNI_OK;
	hp_agent_say("%s", err.text);
	return JNI_ERR;
}
