/*
 * world_agent.c - imitate the HPROF agent of JDK 5 to 8
 *
 * Its dumps have real times, and serial numbers that begin at fixed numbers
 * such as 300000. Objects come before classes, the agent's own thread appears
 * only as a placeholder, and every object has the trace of its allocation site.
 */
#include "tests/builder/world_classes.h"
#include "tests/builder/world_writers.h"

enum {
	NO_THREAD = 200000,
	THREAD = 200001,
	SYSTEM_TRACE = 300000,
	SITE = 300001,
	/* number of a class that was loaded but not yet linked */
	UNLINKED = B_CLASSES,
};

static uint64_t
dead_array(const struct b *b)
{
	return b_object_id(b, B_O_FREE + 1000);
}

static void
load(struct b *b, unsigned key)
{
	b->time += 1000;
	w_load(b, key);
}

void
w_agent_tables(struct b *b)
{
	uint64_t frames[] = {0x70000001, 0x70000002};
	uint64_t thread = b_object_id(b, B_O_THREAD), name;

	b->next_string = 0xA0000001;
	b->string_step = 1;
	b->time = 5000;
	b->trace = SYSTEM_TRACE;
	b_header(b,
		 b->world == B_AGENT ? "JAVA PROFILE 1.0.1"
				     : "JAVA PROFILE 1.0.2",
		 W_TIME_MS);
	b_control_settings(b, 3, 4);
	b_trace(b, SYSTEM_TRACE, 0, 0, NULL);
	for (unsigned key = 0; key < B_CLASSES; key++)
		load(b, key);
	name = b_intern(b, "com.acme.Unlinked");
	b_load_class(b, b_class_serial(b, UNLINKED), b_class_id(b, UNLINKED),
		     SYSTEM_TRACE, name);
	name = b_intern(b, "main");
	b_intern(b, "system");
	b_start_thread(b, THREAD, thread, SYSTEM_TRACE, name, name,
		       b_intern(b, "system"));
	/* a class that was loaded before the agent was started */
	b_unload_class(b, 99999);
	b_end_thread(b, THREAD + 7);
	b->time += 1000;
	w_frames(b, frames[0]);
	b_mark(b, "first-trace", b_here(b));
	b_trace(b, SITE, 0, 2, frames);
	w_strings(b);
}

static void
roots(struct b *b)
{
	uint64_t thread = b_object_id(b, B_O_THREAD);

	b_root_thread_object(b, 0, NO_THREAD, SYSTEM_TRACE);
	b_root_unknown(b, b_object_id(b, B_O_LOADER));
	b_root_jni_global(b, b_object_id(b, B_O_ORDERS), 1);
	b_root_jni_global(b, b_object_id(b, B_O_OBJECTS), 2);
	for (unsigned i = B_O_BOOLEANS; i <= B_O_LONGS; i++)
		b_root_unknown(b, b_object_id(b, i));
	for (unsigned key = 0; key < B_CLASSES; key++)
		b_root_sticky_class(b, b_class_id(b, key));
	b_root_sticky_class(
		b,
		/* a sticky class root that refers to an object, not a class */
		b_object_id(b, B_O_MIRROR));
	b_root_monitor_used(b, b_object_id(b, B_O_ORDER_2));
	b_root_thread_object(b, thread, THREAD, SITE);
	b_root_thread_block(b, thread, THREAD);
	b_root_java_frame(b, b_object_id(b, B_O_RUSH), THREAD, 17);
	b_root_jni_local(b, b_object_id(b, B_O_ORDER_1), THREAD, 20);
}

void
w_agent_heap(struct b *b)
{
	uint64_t values[] = {0, 0};

	b->time += 1000;
	b_mark(b, "heap", b->world == B_AGENT ? b_heap_dump(b) : b_segment(b));
	roots(b);
	b_mark(b, "first-object", b_here(b));
	b->trace = SITE;
	w_objects(b);
	w_instance(b, b_object_id(b, B_O_MIRROR), B_C_CLASS, values);
	/* an array that is unreachable but not yet freed */
	b_primitive_array(b, dead_array(b), B_CHAR, 0, NULL);
	b->trace = SYSTEM_TRACE;
	b_mark(b, "first-class", b_here(b));
	w_classes(b);
	b_class(b, &(struct b_class){.id = b_class_id(b, UNLINKED),
				     .super = b_class_id(b, B_C_ORDER)});
	b_class_end(b);
}

void
w_agent_end(struct b *b)
{
	struct b_site sites[] = {
		{0, b_class_serial(b, B_C_ORDER), SITE, 88, 2, 440, 10},
		{B_INT, b_class_serial(b, B_C_INTS), SITE, 24, 1, 24, 1},
		{B_OBJECT, b_class_serial(b, B_C_ORDERS), SYSTEM_TRACE, 32, 1,
		 32, 1},
	};
	struct b_totals totals = {200, 6, 600, 20};
	struct b_sample samples[] = {{30, SITE}, {10, SYSTEM_TRACE}};

	b->time += 1000;
	b_mark(b, "sites", b_alloc_sites(b, 0, 0xEB1C432D, &totals, 3, sites));
	b_mark(b, "samples", b_cpu_samples(b, 41, 2, samples));
	b_end_thread(b, THREAD);
}
