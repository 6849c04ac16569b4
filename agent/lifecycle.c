/*
 * lifecycle.c - load the agent with the JVM or attach it to a running JVM,
 * start it, and undo a failed start
 */
#include "agent/agent.h"

#include "agent/events/calls.h"
#include "agent/events/cpu.h"
#include "agent/exit_report.h"
#include "agent/events/monitor.h"
#include "agent/report/net.h"
#include "agent/report/net_commands.h"
#include "agent/report/output.h"
#include "agent/report/parents.h"
#include "agent/report/publish.h"
#include "agent/events/samples.h"
#include "agent/events/stacks.h"
#include "agent/events/threads.h"
#include "agent/report/vm_dump.h"

#include <stdio.h>
#include <string.h>

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
	hp_agent_set_inside(true);
	hp_agent_publish(a, jni, &wish);
	(*jni)->ExceptionClear(jni);
	hp_agent_set_inside(false);
}

static void JNICALL
on_thread_end(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
	hp_agent_calls_thread_end(&hp_agent);
	hp_agent_on_thread_end(jvmti, jni, thread);
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

/* Whether the JVM is Zero, which interprets all code and has no compiler. */
static bool
is_zero(struct hp_agent *a)
{
	char *name = NULL;
	bool zero;

	if ((*a->jvmti)->GetSystemProperty(a->jvmti, "java.vm.name", &name) !=
	    JVMTI_ERROR_NONE)
		return false;
	zero = strstr(name, " Zero ") != NULL;
	(*a->jvmti)->Deallocate(a->jvmti, (unsigned char *)name);
	return zero;
}

static enum hp_status
start_times(struct hp_agent *a, struct hp_error *err)
{
	const char *option = a->o.old ? "old" : "times";
	enum hp_status st = enable(a, JVMTI_EVENT_METHOD_ENTRY, err);

	if (st == HP_OK)
		st = enable(a, JVMTI_EVENT_METHOD_EXIT, err);
	if (st == HP_OK)
		hp_agent_say("cpu=%s is slow: the VM interprets the program, "
			     "and each counted call takes 2 us more",
			     option);
	if (st == HP_OK && is_zero(a))
		hp_agent_say("cpu=%s does not count native methods: the Zero "
			     "VM does not report their calls",
			     option);
	atomic_store(&a->cpu_on, true);
	return st;
}

/*
 * Do the steps of the start that can fail. The threads of the agent are started
 * first, and wait until the start is complete. Events are enabled last.
 */
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
	if (st == HP_OK && a->o.lineno)
		st = enable(a, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, err);
	if (st == HP_OK && a->o.monitor)
		st = enable(a, JVMTI_EVENT_MONITOR_CONTENDED_ENTER, err);
	if (st == HP_OK && a->o.monitor)
		st = enable(a, JVMTI_EVENT_MONITOR_CONTENDED_ENTERED, err);
	if (st == HP_OK && a->o.heap)
		st = hp_agent_samples_enable(a, true, err);
	if (st == HP_OK && a->o.times)
		st = start_times(a, err);
	return st;
}

/*
 * Complete the start of the agent: do everything that is possible only after
 * the JVM itself has started.
 */
static enum hp_status
go_live(struct hp_agent *a, JNIEnv *jni, struct hp_error *err)
{
	enum hp_status st;

	hp_agent_set_inside(true);
	st = prepare_live(a, jni, err);
	if (st == HP_OK) {
		/*
		 * add the hook after all steps that can fail, because it cannot
		 * be removed
		 */
		if (!hp_agent_exit_hook(jni))
			hp_agent_say("cannot add a shutdown hook, so the "
				     "report at exit also counts unreachable "
				     "objects");
		hp_agent_threads_present(a, jni);
		/*
		 * Each thread allocates objects in a buffer of its own, and
		 * causes no events for this until the buffer is used up. A
		 * garbage collection makes all threads take new buffers.
		 */
		if (a->o.heap && a->o.sample == 0)
			(*a->jvmti)->ForceGarbageCollection(a->jvmti);
		atomic_store(&a->live, true);
	}
	hp_agent_set_inside(false);
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
 * Undo a failed start, so that the agent can be attached again. The JVMTI
 * environments must be disposed, because they hold capabilities that only one
 * agent can have, such as sampling. But callbacks and threads that still run
 * use the environments. Returns false if a callback or thread still runs; then
 * nothing was disposed, and the caller must try again later.
 */
static bool
withdraw(struct hp_agent *a)
{
	a->withdrawn = true;
	atomic_store(&a->exit_report, HP_AGENT_EXIT_DONE);
	if (a->jvmti)
		(*a->jvmti)->SetEventCallbacks(a->jvmti, NULL, 0);
	if (!hp_agent_close(a) || !hp_agent_await_none(&a->own_threads))
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
	hp_agent_say("%s; the agent writes no report", err.text);
	withdraw(&hp_agent);
}

/*
 * Append the names of the capabilities in @want that the JVM does not offer,
 * for example because it is running already.
 */
static void
put_missing(struct hp_agent *a, const jvmtiCapabilities *want,
	    struct hp_buf *out)
{
	static const struct {
		const char *name;
		jvmtiCapabilities bit;
	} names[] = {
		{"can_generate_sampled_object_alloc_events",
		 {.can_generate_sampled_object_alloc_events = 1}},
		{"can_generate_object_free_events",
		 {.can_generate_object_free_events = 1}},
		{"can_get_thread_cpu_time", {.can_get_thread_cpu_time = 1}},
		{"can_generate_monitor_events",
		 {.can_generate_monitor_events = 1}},
		{"can_get_monitor_info", {.can_get_monitor_info = 1}},
		{"can_get_current_contended_monitor",
		 {.can_get_current_contended_monitor = 1}},
		{"can_generate_method_entry_events",
		 {.can_generate_method_entry_events = 1}},
		{"can_generate_method_exit_events",
		 {.can_generate_method_exit_events = 1}},
	};
	uint8_t can[sizeof(*want)], wish[sizeof(*want)], bit[sizeof(*want)];
	jvmtiCapabilities potential;

	if ((*a->jvmti)->GetPotentialCapabilities(a->jvmti, &potential) !=
	    JVMTI_ERROR_NONE)
		return;
	memcpy(can, &potential, sizeof(can));
	memcpy(wish, want, sizeof(wish));
	for (size_t i = 0; i < HP_ARRAY_LEN(names); i++) {
		memcpy(bit, &names[i].bit, sizeof(bit));
		for (size_t k = 0; k < sizeof(bit); k++)
			if (bit[k] & wish[k] & ~can[k])
				hp_buf_printf(out, "%s%s", out->len ? ", " : "",
					      names[i].name);
	}
}

static enum hp_status
refuse_capability(struct hp_agent *a, const jvmtiCapabilities *want,
		  jvmtiError e, struct hp_error *err)
{
	struct hp_buf names = {0};

	if (e == JVMTI_ERROR_NOT_AVAILABLE)
		put_missing(a, want, &names);
	if (names.len && a->attached)
		hp_fail(err, HP_UNSUPPORTED,
			"the running VM does not grant the capability %s: load "
			"the agent at the start of the VM, or end the other "
			"agent that uses this capability",
			hp_buf_string(&names));
	else if (names.len)
		hp_fail(err, HP_UNSUPPORTED,
			"the VM does not grant the capability %s: another "
			"agent uses it, or the VM is older than JDK 11",
			hp_buf_string(&names));
	hp_buf_release(&names);
	if (err->status != HP_OK)
		return err->status;
	if (e == JVMTI_ERROR_NOT_AVAILABLE)
		return hp_fail(err, HP_UNSUPPORTED,
			       "the VM does not let the agent sample "
			       "allocations: either another agent samples "
			       "them, or the VM is older than JDK 11");
	return hp_fail(err, HP_UNSUPPORTED, "JVMTI error %d", (int)e);
}

/*
 * Request can_support_virtual_threads if the JVM has this capability. This
 * capability is bit 44 of the capabilities. Headers before JDK 21 have no name
 * for the bit.
 */
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

/*
 * Whether the JVM can return the monitor for which a thread waits. A JVM that
 * is running already cannot; then the report lists threads, but no monitors.
 */
static bool
may_list_monitors(struct hp_agent *a)
{
	jvmtiCapabilities can = {0};

	if (!a->attached ||
	    (*a->jvmti)->GetPotentialCapabilities(a->jvmti, &can) !=
		    JVMTI_ERROR_NONE ||
	    can.can_get_current_contended_monitor)
		return true;
	hp_agent_say("monitor=y: waits are counted, but the running VM does "
		     "not grant can_get_current_contended_monitor: to list "
		     "monitors, load the agent at the start of the VM");
	return false;
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
	want.can_generate_method_entry_events = a->o.times;
	want.can_generate_method_exit_events = a->o.times;
	want.can_generate_monitor_events = a->o.monitor;
	want.can_get_monitor_info = a->o.monitor;
	want.can_get_current_contended_monitor =
		a->o.monitor && may_list_monitors(a);
	want_virtual(a, &want);
	e = (*a->jvmti)->AddCapabilities(a->jvmti, &want);
	if (e == JVMTI_ERROR_NONE)
		e = (*a->classes)->AddCapabilities(a->classes, &tags);
	if (e == JVMTI_ERROR_NONE && a->sampled)
		e = (*a->sampled)->AddCapabilities(a->sampled, &tags);
	return e == JVMTI_ERROR_NONE ? HP_OK
				     : refuse_capability(a, &want, e, err);
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
		.VMDeath = hp_agent_on_death,
		.ThreadStart = hp_agent_on_thread_start,
		.ThreadEnd = on_thread_end,
		.DataDumpRequest = on_request,
		.ClassFileLoadHook = hp_agent_on_class_file,
		.MethodEntry = hp_agent_on_method_entry,
		.MethodExit = hp_agent_on_method_exit,
		.MonitorContendedEnter = hp_agent_on_enter,
		.MonitorContendedEntered = hp_agent_on_entered,
		.ObjectFree = hp_agent_on_free,
		.SampledObjectAlloc = hp_agent_on_allocation};
	enum hp_status st;

	a->start_ms = hp_agent_now_ms();
	a->parents_ms = hp_agent_parents_start_ms(a->start_ms);
	atomic_store(&a->depth, a->o.depth);
	/*
	 * after a failed attach, the tables have entries whose hashes depend on
	 * the seed, so keep it
	 */
	if (!a->tables.seed)
		hp_agent_tables_init(&a->tables, hp_agent_random());
	a->shutdown = hp_agent_intern_class(
		&a->tables, "Ljava/lang/ApplicationShutdownHooks;");
	hp_agent_sites_init(&a->sites, a->o.sample);
	a->threads.size = sizeof(struct hp_agent_thread);
	a->events.size = sizeof(struct hp_agent_event);
	a->waits.size = sizeof(struct hp_agent_wait);
	a->methods.size = sizeof(struct hp_agent_method);
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
		st = hp_fail(err, HP_UNSUPPORTED,
			     "the VM does not accept the agent's functions for "
			     "events");
	if (st == HP_OK)
		st = enable(a, JVMTI_EVENT_VM_INIT, err);
	if (st == HP_OK)
		st = enable(a, JVMTI_EVENT_VM_DEATH, err);
	if (st == HP_OK)
		st = enable(a, JVMTI_EVENT_DATA_DUMP_REQUEST, err);
	/*
	 * if the heap is full, the JVM may exit without running hooks and
	 * without VMDeath
	 */
	if (st == HP_OK && atexit(hp_agent_exit_finish) != 0)
		st = hp_no_memory(err);
	return st;
}

/*
 * Check at the start whether the report can be written, because at exit it
 * would be too late. If the JVM starts with the agent, a failure is only a
 * warning, because the program must run, and the folder may be created in time.
 * If the agent is attached, a failure is an error, because the user can attach
 * again.
 */
static enum hp_status
check_place(const struct hp_agent *a, bool attached, struct hp_error *err)
{
	enum hp_status st =
		a->o.host[0] ? HP_OK : hp_agent_publish_check(a, err);

	if (st == HP_OK || attached)
		return st;
	hp_agent_say("%s; until this is fixed, no report can be written",
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
			/*
			 * the JDK's old agent also exits after it has printed
			 * the help
			 */
			exit(0);
		return hp_fail(err, HP_UNSUPPORTED,
			       "help only prints the options: the agent was "
			       "not loaded");
	}
	a->vm = vm;
	a->attached = attached;
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

	/*
	 * a second agent would replace the options of the first, so do not load
	 * it
	 */
	if (hp_agent.jvmti)
		st = hp_fail(&err, HP_UNSUPPORTED,
			     "the agent is loaded already, perhaps by "
			     "JAVA_TOOL_OPTIONS: load it only once");
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

/*
 * Handle an attach to a process that already has the agent: write a report or
 * print the help, as @options request.
 */
static enum hp_status
attach_again(struct hp_agent *a, const char *options, struct hp_error *err)
{
	if (options && strcmp(options, "help") == 0)
		fputs(hp_agent_help, stderr);
	if (options && *options && strcmp(options, "report") != 0)
		return hp_fail(err, HP_UNSUPPORTED,
			       "the agent is loaded already, and its options "
			       "cannot change: attach with \"report\" for a "
			       "report");
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
			     "an earlier attach failed and is still being "
			     "cleaned up: try again later");
	else if (a->jvmti)
		st = attach_again(a, options, &err);
	else
		st = attach(a, vm, options, &err);
	if (st == HP_OK)
		return JNI_OK;
	hp_agent_say("%s", err.text);
	return JNI_ERR;
}
