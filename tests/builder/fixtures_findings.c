/*
 * fixtures_findings.c - test dumps with unusual objects that hprof-diff must
 * report
 *
 * Each dump has 4,000 ordinary objects. In addition it has some unusual
 * objects, called the "plant", which lead to one kind of finding in
 * diff/findings/findings.def. The classes of the application have plain names,
 * or short names as after obfuscation.
 */
#include "tests/builder/fixtures.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	OBJECT = 0x10000,
	CLASS = 0x10040,
	STRING = 0x10080,
	OBJECTS = 0x100c0,
	LOADER_CLASS = 0x10100,
	REFERENCE = 0x10140,
	SOFT = 0x10180,
	WEAK = 0x101c0,
	LOCAL_ENTRY = 0x10200,
	WEAK_ENTRY = 0x10240,
	NODE = 0x10280,
	LIST = 0x102c0,
	EXECUTOR = 0x10300,
	QUEUE = 0x10340,
	BUFFER = 0x10380,
	DIRECT = 0x103c0,
	THREAD = 0x10400,
	LOCAL = 0x10440,
	FINAL_REFERENCE = 0x10480,
	FINALIZER = 0x104c0,
	MAIN = 0x10500, /* the smallest id of an application class */
	ITEM = 0x10540,
	/* the smallest id of a class loader or another object */
	LOADERS = 0x10600,
	THE_LOCAL = 0x10700,
	PLANT_ARRAY = 0x10740,
	BALLAST_ARRAYS = 0x10780,
	ARRAYS = 8,
	MORE_CLASSES = 0x20000,
	FIRST = 0x40000,
	STEP = 0x40,
	BALLAST = 4000,
	MOST = 9000,
};

/*
 * The kinds of unusual objects. There is one dump for each kind, and the table
 * of fixtures has these dumps in the same order.
 */
enum plant {
	NOTHING,
	ONE_OWNER,
	UNBOUNDED,
	ONE_THREAD,
	QUEUED,
	FINALIZERS,
	SOFTS,
	WEAK_VALUES,
	STALE_LOCALS,
	POOL_LOCALS,
	THREADS,
	DUPLICATES,
	DIRECTS,
	GLOBALS,
	STRINGS,
	WASTES,
	COLLISIONS,
	GENERATED,
	GARBAGE,
	WEAKLY,
	INTERNED,
	THREAD_BUFFERS,
};

/*
 * The classes and the names of their fields. All fields are references, except
 * the field capacity.
 */
static const struct {
	uint64_t id, super;
	const char *name, *renamed;
	const char *fields[2];
} classes[] = {
	{OBJECT, 0, "java/lang/Object", NULL, {0}},
	{CLASS, OBJECT, "java/lang/Class", NULL, {0}},
	{STRING, OBJECT, "java/lang/String", NULL, {"value"}},
	{OBJECTS, OBJECT, "[Ljava/lang/Object;", NULL, {0}},
	{LOADER_CLASS,
	 OBJECT,
	 "jdk/internal/loader/ClassLoaders$AppClassLoader",
	 NULL,
	 {0}},
	{REFERENCE, OBJECT, "java/lang/ref/Reference", NULL, {"referent"}},
	{SOFT, REFERENCE, "java/lang/ref/SoftReference", NULL, {0}},
	{WEAK, REFERENCE, "java/lang/ref/WeakReference", NULL, {0}},
	{LOCAL_ENTRY,
	 WEAK,
	 "java/lang/ThreadLocal$ThreadLocalMap$Entry",
	 NULL,
	 {"value"}},
	{WEAK_ENTRY, WEAK, "java/util/WeakHashMap$Entry", NULL, {"value"}},
	{NODE, OBJECT, "java/util/HashMap$Node", NULL, {"key", "next"}},
	{LIST, OBJECT, "java/util/ArrayList", NULL, {"elementData"}},
	{EXECUTOR,
	 OBJECT,
	 "java/util/concurrent/ThreadPoolExecutor",
	 NULL,
	 {"workQueue"}},
	{QUEUE,
	 OBJECT,
	 "java/util/concurrent/ArrayBlockingQueue",
	 NULL,
	 {"items"}},
	{BUFFER, OBJECT, "java/nio/Buffer", NULL, {"capacity"}},
	{DIRECT, BUFFER, "java/nio/DirectByteBuffer", NULL, {"cleaner", "att"}},
	{THREAD, OBJECT, "java/lang/Thread", NULL, {0}},
	{LOCAL, OBJECT, "java/lang/ThreadLocal", NULL, {0}},
	{FINAL_REFERENCE, REFERENCE, "java/lang/ref/FinalReference", NULL, {0}},
	{FINALIZER, FINAL_REFERENCE, "java/lang/ref/Finalizer", NULL, {"next"}},
	{MAIN, OBJECT, "com/acme/Main", "a/a", {0}},
	{ITEM, OBJECT, "com/acme/Item", "a/b", {"data"}},
};

struct making {
	struct b *b;
	enum plant plant;
	bool renamed;
	uint64_t next;
	/* ids of the objects to which the static field Main.plant refers */
	uint64_t list[MOST];
	unsigned n;
};

static uint64_t
take_id(struct making *m)
{
	m->next += STEP;
	return m->next - STEP;
}

static uint64_t
longs(struct making *m, unsigned n)
{
	uint64_t id = take_id(m), *values = calloc(n, sizeof *values);

	for (unsigned i = 0; i < n; i++)
		values[i] = id * 31 + i + 1;
	b_primitive_array(m->b, id, B_LONG, n, values);
	free(values);
	return id;
}

static uint64_t
object(struct making *m, uint64_t class, unsigned fields, uint64_t first,
       uint64_t second)
{
	uint64_t id = take_id(m);

	b_instance(m->b, id, class);
	if (fields > 0)
		b_value(m->b, B_OBJECT, first);
	if (fields > 1)
		b_value(m->b, B_OBJECT, second);
	b_instance_end(m->b);
	return id;
}

static void
keep(struct making *m, uint64_t id)
{
	m->list[m->n++] = id;
}

static uint64_t
items(struct making *m, unsigned n, unsigned size)
{
	uint64_t id = take_id(m), *list = calloc(n, sizeof *list);

	for (unsigned i = 0; i < n; i++)
		list[i] = object(m, ITEM, 1, longs(m, size), 0);
	b_object_array(m->b, id, OBJECTS, n, list);
	free(list);
	return id;
}

/*
 * An array of tasks of two classes. There are equally many tasks of each class,
 * and those of the class whose name comes last are the first in the dump.
 */
static uint64_t
tasks(struct making *m, unsigned n)
{
	uint64_t id = take_id(m), *list = calloc(2 * (size_t)n, sizeof *list);

	for (unsigned i = 0; i < n; i++)
		list[i] = object(m, MAIN, 0, 0, 0);
	for (unsigned i = 0; i < n; i++)
		list[n + i] = object(m, ITEM, 1, longs(m, 20), 0);
	b_object_array(m->b, id, OBJECTS, 2 * n, list);
	free(list);
	return id;
}

static uint64_t
text(struct making *m, unsigned number)
{
	uint64_t id = take_id(m);
	char bytes[65];

	snprintf(bytes, sizeof bytes, "%064u", number);
	b_byte_array(m->b, id, bytes, 64);
	return object(m, STRING, 1, id, 0);
}

static uint64_t
direct_buffer(struct making *m)
{
	uint64_t id = take_id(m);

	b_instance(m->b, id, DIRECT);
	/* the field `thunk` of the cleaner */
	b_value(m->b, B_OBJECT, MAIN);
	b_value(m->b, B_OBJECT, 0);
	b_value(m->b, B_INT, 100000);
	b_instance_end(m->b);
	return id;
}

static void
finalizers(struct making *m)
{
	uint64_t next = 0;

	for (unsigned i = 0; i < 50; i++) {
		uint64_t item = object(m, ITEM, 1, longs(m, 100), 0);

		next = object(m, FINALIZER, 2, next, item);
	}
	keep(m, next);
}

/*
 * Write a thread whose local variables refer to direct buffers, and objects
 * that wait for their finalizer.
 */
static void
thread_buffers(struct making *m)
{
	b_root_thread_object(m->b, object(m, THREAD, 0, 0, 0), 1, 1);
	for (unsigned i = 0; i < 20; i++)
		b_root_java_frame(m->b, direct_buffer(m), 1, UINT32_MAX);
	finalizers(m);
}

static void
threads(struct making *m)
{
	for (unsigned i = 0; i < 100; i++) {
		uint64_t id = object(m, THREAD, 0, 0, 0);

		b_root_thread_object(m->b, id, i + 1, 1);
		keep(m, id);
	}
}

static void
start_threads(struct making *m)
{
	for (unsigned i = 0; m->plant == THREADS && i < 100; i++) {
		char name[20];

		snprintf(name, sizeof name, "worker-%u", i);
		b_start_thread(m->b, i + 1, FIRST + STEP * (BALLAST + i), 1,
			       b_intern(m->b, name), 0, 0);
	}
}

static void
weak_values(struct making *m)
{
	for (unsigned i = 0; i < 100; i++) {
		uint64_t key = object(m, ITEM, 1, longs(m, 10), 0);
		uint64_t value = object(m, ITEM, 1, key, 0);

		keep(m, object(m, WEAK_ENTRY, 2, value, key));
	}
}

static void
collisions(struct making *m)
{
	uint64_t next = 0;

	for (unsigned i = 0; i < 200; i++)
		next = object(m, NODE, 2, object(m, ITEM, 1, 0, 0), next);
	keep(m, next);
}

/*
 * Write the unusual objects of dumps that contain many unusual objects of the
 * same kind.
 */
static void
plant_many(struct making *m)
{
	for (unsigned i = 0; i < 400; i++)
		switch (m->plant) {
		case SOFTS:
			keep(m, object(m, SOFT, 1, longs(m, 20), 0));
			break;
		case STALE_LOCALS:
			keep(m, object(m, LOCAL_ENTRY, 2, longs(m, 10), 0));
			break;
		case POOL_LOCALS:
			keep(m, object(m, LOCAL_ENTRY, 2, longs(m, 20),
				       THE_LOCAL));
			break;
		case GLOBALS:
			b_root_jni_global(m->b, object(m, ITEM, 1, 0, 0), i);
			break;
		case STRINGS:
			keep(m, text(m, 0));
			break;
		case WASTES:
			/*
			 * arrays of different lengths, so that they are not
			 * equal
			 */
			b_primitive_array(m->b, m->next, B_LONG, 60 + i, NULL);
			keep(m, take_id(m));
			/*
			 * a dump in which all arrays contain only zeros would
			 * seem to be stripped
			 */
			keep(m, longs(m, 1));
			break;
		case GARBAGE:
			longs(m, 100);
			break;
		case WEAKLY:
			keep(m, object(m, WEAK, 1, longs(m, 40), 0));
			break;
		case INTERNED:
			for (unsigned k = 0; k < 5; k++)
				b_root_interned_string(m->b,
						       text(m, 5 * i + k));
			break;
		default:
			return;
		}
}

static void
plant(struct making *m)
{
	uint64_t id;

	switch (m->plant) {
	case ONE_OWNER:
		keep(m, object(m, ITEM, 1, longs(m, 40000), 0));
		break;
	case UNBOUNDED:
		keep(m, object(m, LIST, 1, items(m, 800, 20), 0));
		break;
	case ONE_THREAD:
		id = object(m, THREAD, 0, 0, 0);
		b_root_thread_object(m->b, id, 1, 1);
		for (unsigned i = 0; i < 200; i++)
			b_root_java_frame(m->b, longs(m, 100), 1, 0);
		break;
	case QUEUED:
		id = object(m, QUEUE, 1, tasks(m, 200), 0);
		keep(m, object(m, EXECUTOR, 1, id, 0));
		break;
	case FINALIZERS:
		finalizers(m);
		break;
	case WEAK_VALUES:
		weak_values(m);
		break;
	case THREADS:
		threads(m);
		break;
	case DIRECTS:
		for (unsigned i = 0; i < 20; i++)
			keep(m, direct_buffer(m));
		break;
	case THREAD_BUFFERS:
		thread_buffers(m);
		break;
	case COLLISIONS:
		collisions(m);
		break;
	default:
		plant_many(m);
		break;
	}
}

static unsigned
further_classes(const struct making *m)
{
	return m->plant == DUPLICATES || m->plant == GENERATED ? 12 : 0;
}

static uint64_t
further_name(struct making *m, unsigned i)
{
	char name[40];

	if (m->plant == GENERATED)
		snprintf(name, sizeof name, "%s$$Lambda$%u",
			 m->renamed ? "a/a" : "com/acme/Main", i);
	else
		snprintf(name, sizeof name, "%s%u",
			 m->renamed ? "a/p" : "com/acme/Plugin", i / 3);
	return b_intern(m->b, name);
}

/*
 * Returns the name of a static field that keeps some of the ordinary objects
 * alive.
 */
static uint64_t
ballast_field(struct b *b, unsigned i)
{
	char name[20];

	snprintf(name, sizeof name, "ballast%u", i);
	return b_intern(b, name);
}

static void
load_classes(struct making *m)
{
	uint32_t serial = 1;

	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
		const char *name = m->renamed && classes[i].renamed
					   ? classes[i].renamed
					   : classes[i].name;

		b_load_class(m->b, serial++, classes[i].id, 1,
			     b_intern(m->b, name));
		for (int k = 0; k < 2; k++)
			if (classes[i].fields[k])
				b_intern(m->b, classes[i].fields[k]);
	}
	for (unsigned i = 0; i < further_classes(m); i++)
		b_load_class(m->b, serial++, MORE_CLASSES + STEP * i, 1,
			     further_name(m, i));
	for (unsigned i = 0; i < ARRAYS; i++)
		ballast_field(m->b, i);
	b_intern(m->b, "plant");
	b_intern(m->b, "LOCAL");
}

static void
statics(struct b *b)
{
	for (unsigned i = 0; i < ARRAYS; i++)
		b_static(b, ballast_field(b, i), B_OBJECT,
			 BALLAST_ARRAYS + STEP * i);
	b_static(b, b_intern(b, "plant"), B_OBJECT, PLANT_ARRAY);
	b_static(b, b_intern(b, "LOCAL"), B_OBJECT, THE_LOCAL);
}

static void
class_dumps(struct making *m)
{
	struct b *b = m->b;

	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
		b_class(b, &(struct b_class){.id = classes[i].id,
					     .super = classes[i].super,
					     .loader = classes[i].id >= MAIN
							       ? LOADERS
							       : 0,
					     .size = B_AUTO});
		if (classes[i].id == MAIN)
			statics(b);
		for (int k = 0; k < 2 && classes[i].fields[k]; k++)
			b_field(b, b_intern(b, classes[i].fields[k]),
				classes[i].id == BUFFER ? B_INT : B_OBJECT);
		b_class_end(b);
		b_root_sticky_class(b, classes[i].id);
	}
	for (unsigned i = 0; i < further_classes(m); i++) {
		b_class(b, &(struct b_class){.id = MORE_CLASSES + STEP * i,
					     .super = OBJECT,
					     .loader = LOADERS + STEP * (i % 3),
					     .size = B_AUTO});
		b_class_end(b);
		b_root_sticky_class(b, MORE_CLASSES + STEP * i);
	}
}

/*
 * Build a dump. @arg is the kind of unusual objects (enum plant), plus 1000 if
 * the classes have short names as after obfuscation.
 */
static void
finding(struct b *b, int arg)
{
	struct making *m = calloc(1, sizeof *m);
	uint64_t *ballast = calloc(BALLAST, sizeof *ballast);

	if (!m || !ballast)
		abort();
	*m = (struct making){.b = b,
			     .plant = (enum plant)(arg % 1000),
			     .renamed = arg >= 1000,
			     .next = FIRST};
	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000);
	load_classes(m);
	b_trace(b, 1, 0, 0, NULL);
	start_threads(m);
	b_segment(b);
	class_dumps(m);
	for (unsigned i = 0; i < 3; i++)
		b_instance_zero(b, LOADERS + STEP * i, LOADER_CLASS);
	b_instance_zero(b, THE_LOCAL, LOCAL);
	for (unsigned i = 0; i < BALLAST; i++) {
		ballast[i] = take_id(m);
		b_instance_zero(b, ballast[i], OBJECT);
	}
	for (unsigned i = 0; i < ARRAYS; i++)
		b_object_array(b, BALLAST_ARRAYS + STEP * i, OBJECTS,
			       BALLAST / ARRAYS,
			       ballast + BALLAST / ARRAYS * i);
	plant(m);
	b_object_array(b, PLANT_ARRAY, OBJECTS, m->n, m->list);
	b_close(b);
	b_heap_dump_end(b);
	free(ballast);
	free(m);
}

#define PLANTED(id, plant)                                                     \
	{"finding-" id,                                                        \
	 finding,                                                              \
	 plant,                                                                \
	 4 | 8,                                                                \
	 B_VALID,                                                              \
	 NULL,                                                                 \
	 "a heap with the finding " id},                                       \
	{                                                                      \
		"finding-" id "-renamed", finding, plant + 1000, 4 | 8,        \
			B_VALID, NULL, "the same with short names of classes"  \
	}

const struct b_fixture b_fixtures_findings[] = {
	{"finding-none", finding, NOTHING, 4 | 8, B_VALID, NULL,
	 "a heap without any finding"},
	PLANTED("one-owner", ONE_OWNER),
	PLANTED("unbounded-collection", UNBOUNDED),
	PLANTED("one-thread", ONE_THREAD),
	PLANTED("executor-queue", QUEUED),
	PLANTED("finalizer-backlog", FINALIZERS),
	PLANTED("soft-references", SOFTS),
	PLANTED("weak-values", WEAK_VALUES),
	PLANTED("stale-thread-locals", STALE_LOCALS),
	PLANTED("thread-locals", POOL_LOCALS),
	PLANTED("thread-leak", THREADS),
	PLANTED("duplicate-classes", DUPLICATES),
	PLANTED("direct-memory", DIRECTS),
	PLANTED("jni-globals", GLOBALS),
	PLANTED("duplicate-strings", STRINGS),
	PLANTED("waste", WASTES),
	PLANTED("hash-collisions", COLLISIONS),
	PLANTED("generated-classes", GENERATED),
	PLANTED("unreachable", GARBAGE),
	PLANTED("weakly-reachable", WEAKLY),
	PLANTED("interned-strings", INTERNED),
	{"thread-buffers", finding, THREAD_BUFFERS, 4 | 8, B_VALID, NULL,
	 "a thread with direct buffers, and objects that wait for a finalizer"},
	{0},
};
