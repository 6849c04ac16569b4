/*
 * crafted.c - write small dumps that would take minutes or gigabytes in a
 * program that handles them naively
 *
 * Each such dump is called a shape. crafted_memory.c has the shapes that need
 * much memory, but not much time.
 *
 * crafted SHAPE [SCALE] >FILE
 * crafted --list
 *
 * SCALE (1 by default, 0.5 for half) multiplies the size. So tests can compare
 * the time for a dump with the time for a dump of twice the size.
 * tests/cli/linear-cost.sh explains the purpose of each shape, and
 * tests/check-cost runs all of them.
 */
#include "tests/crafted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	WIDE = 65535, /* the largest possible number of fields, static fields or
			 constants */
	DEEP = 4000,  /* number of nested packages in a name */
	STRINGS = 0x40000000,
};

double scale = 1;
#define LONG TIMES(1000000) /* number of bytes of a long name */
#define MANY TIMES(60000)   /* number of classes or dumps */

void
start(struct b *b, unsigned id_size, const char *version)
{
	b_init(b, id_size);
	b_header(b, version, 1700000000000);
	b_string(b, 1, "java/lang/Object");
	b_load_class(b, 1, OBJECT, 0, 1);
}

void class(struct b *b, uint64_t id, uint64_t super)
{
	const struct b_class c = {.id = id, .super = super};

	b_class(b, &c);
	b_class_end(b);
}

void
begin_heap(struct b *b)
{
	b_heap_dump(b);
	class(b, OBJECT, 0);
}

/*
 * Write @n classes and an object of each class. If @chain is true, each class
 * is the superclass of the next one.
 */
static void
heap(struct b *b, unsigned n, bool chain)
{
	begin_heap(b);
	for (unsigned i = 0; i < n; i++)
		class(b, class_at(i),
		      chain && i > 0 ? class_at(i - 1) : OBJECT);
	for (unsigned i = 0; i < n; i++)
		b_instance_bytes(b, OBJECTS + 8 * (uint64_t)i, class_at(i),
				 NULL, 0);
	b_close(b);
}

static char *
long_name(void)
{
	char *name = malloc(LONG);

	if (!name)
		abort();
	memset(name, 'a', LONG);
	return name;
}

/*
 * Write many classes with equal, long names. Two STRING records contain this
 * name, and the classes use their ids alternately.
 */
static void
names(struct b *b)
{
	char *name = long_name();

	b_string_n(b, 2, name, LONG);
	b_string_n(b, 3, name, LONG);
	for (unsigned i = 0; i < MANY; i++)
		b_load_class(b, i + 2, class_at(i), 0, 2 + i % 2);
	heap(b, MANY, false);
	free(name);
}

static void
loads(struct b *b)
{
	char *name = long_name();

	b_string_n(b, 2, name, LONG);
	b_string_n(b, 3, name, LONG);
	for (unsigned i = 0; i < 4 * MANY; i++)
		b_load_class(b, 2, class_at(0), 0, 2 + i % 2);
	heap(b, MANY, false);
	free(name);
}

static void
chain(struct b *b)
{
	heap(b, MANY, true);
}

/*
 * Write many classes, each with an allocation site. All sites have the same
 * deep stack.
 */
static void
stacks(struct b *b)
{
	uint64_t *frames = malloc(LONG * sizeof(*frames));

	if (!frames)
		abort();
	b_string(b, 2, "name");
	for (unsigned i = 0; i < MANY; i++)
		b_load_class(b, i + 2, class_at(i), 0, 2);
	b_frame(b, 1, 2, 2, 2, 1, 1);
	for (unsigned i = 0; i < LONG; i++)
		frames[i] = 1;
	b_trace(b, 1, 0, LONG, frames);
	b->trace = 1;
	heap(b, MANY, false);
	free(frames);
}

/*
 * Write objects whose references point to many distant ranges of addresses, a
 * few in each range.
 */
static void
stretches(struct b *b)
{
	enum { EACH = 300 };
	uint64_t ids[EACH];

	b_release(b);
	b_init(b, 8);
	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000);
	b_string(b, 1, "[Ljava/lang/Object;");
	b_load_class(b, 1, OBJECT, 0, 1);
	begin_heap(b);
	for (unsigned i = 0; i < TIMES(3000); i++) {
		for (unsigned k = 0; k < EACH; k++)
			ids[k] = ((uint64_t)(i + 1) << 27) + 8 * k;
		b_object_array(b, OBJECTS + 8 * (uint64_t)i, OBJECT, EACH, ids);
	}
	b_close(b);
}

static void
dumps(struct b *b)
{
	for (unsigned i = 0; i < MANY; i++)
		b_load_class(b, i + 2, class_at(i), 0, 1);
	for (unsigned i = 0; i < MANY; i++) {
		b_heap_dump(b);
		b_root_unknown(b, OBJECT);
		b_close(b);
	}
}

static void
segments(struct b *b)
{
	for (unsigned i = 0; i < 8 * MANY; i++) {
		b_segment(b);
		b_root_unknown(b, OBJECT);
		b_close(b);
	}
	b_heap_dump_end(b);
}

/* Write a class whose instances have WIDE fields, all with the same name. */
static void
wide_class(struct b *b, uint64_t id, uint64_t super, unsigned type)
{
	const struct b_class c = {.id = id, .super = super, .size = B_AUTO};

	b_class(b, &c);
	for (unsigned i = 0; i < WIDE; i++)
		b_field(b, 2, type);
	b_class_end(b);
}

static void
wide(struct b *b)
{
	b_string(b, 2, "name");
	b_string(b, 3, "java/lang/Thread");
	b_load_class(b, 2, CLASSES, 0, 3);
	begin_heap(b);
	wide_class(b, CLASSES, OBJECT, B_OBJECT);
	for (unsigned i = 0; i < TIMES(150000); i++)
		b_instance_bytes(b, OBJECTS + 8 * (uint64_t)i, CLASSES, NULL,
				 0);
	b_close(b);
}

static void
pools(struct b *b)
{
	b_string(b, 2, "name");
	begin_heap(b);
	for (unsigned i = 0; i < TIMES(4); i++) {
		const struct b_class c = {.id = class_at(i), .super = OBJECT};

		b_class(b, &c);
		for (unsigned k = 0; k < WIDE; k++)
			b_constant(b, k, B_OBJECT, OBJECT);
		for (unsigned k = 0; k < WIDE; k++)
			b_static(b, 2, B_OBJECT, OBJECT);
		b_class_end(b);
	}
	b_close(b);
}

/*
 * Write a chain of subclasses. Each declares WIDE fields, and some of them have
 * instances.
 */
static void
inherited(struct b *b)
{
	unsigned n = TIMES(12);
	uint8_t *zeros = calloc(n, WIDE);

	if (!zeros)
		abort();
	b_string(b, 2, "name");
	begin_heap(b);
	for (unsigned i = 0; i < n; i++)
		wide_class(b, class_at(i), i > 0 ? class_at(i - 1) : OBJECT,
			   B_BYTE);
	for (unsigned i = n - 4; i < n; i++)
		b_instance_bytes(b, OBJECTS + 8 * (uint64_t)i, class_at(i),
				 zeros, (size_t)(i + 1) * WIDE);
	b_close(b);
	free(zeros);
}

/*
 * Write a class with a long name, whose fields refer to objects of many
 * classes.
 */
static void
holders(struct b *b)
{
	enum { FIELDS = 1000 };
	const struct b_class c = {
		.id = CLASSES, .super = OBJECT, .size = B_AUTO};
	unsigned n = TIMES(10);
	char name[2000];

	memset(name, 'h', sizeof(name));
	b_string_n(b, 2, name, sizeof(name));
	b_load_class(b, 1, CLASSES, 0, 2);
	for (unsigned i = 0; i < FIELDS; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		b_string(b, 3 + i, name);
	}
	for (unsigned i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "C%u", i);
		b_string(b, 3 + FIELDS + i, name);
		b_load_class(b, 2 + i, class_at(1 + i), 0, 3 + FIELDS + i);
	}
	begin_heap(b);
	b_class(b, &c);
	for (unsigned i = 0; i < FIELDS; i++)
		b_field(b, 3 + i, B_OBJECT);
	b_class_end(b);
	for (unsigned i = 0; i < n; i++) {
		uint64_t held = OBJECTS + 16 * (uint64_t)i;

		class(b, class_at(1 + i), OBJECT);
		b_instance_bytes(b, held, class_at(1 + i), NULL, 0);
		b_instance(b, held + 8, CLASSES);
		for (unsigned k = 0; k < FIELDS; k++)
			b_value(b, B_OBJECT, held);
		b_instance_end(b);
	}
	b_close(b);
}

static void
spelled(struct b *b)
{
	static const uint8_t zeros[2000];
	const struct b_class c = {
		.id = CLASSES, .super = OBJECT, .size = B_AUTO};
	char name[2000];

	memset(name, 'f', sizeof(name));
	b_string_n(b, 2, name, sizeof(name));
	begin_heap(b);
	b_class(b, &c);
	for (unsigned i = 0; i < sizeof(zeros); i++)
		b_field(b, 2, B_BYTE);
	b_class_end(b);
	for (unsigned i = 0; i < TIMES(50); i++)
		b_instance_bytes(b, OBJECTS + 8 * (uint64_t)i, CLASSES, zeros,
				 sizeof(zeros));
	b_close(b);
}

/* Write stack frames and allocation sites that refer to long strings. */
static void
mentions(struct b *b)
{
	struct b_totals totals = {0};
	unsigned n = TIMES(10000);
	struct b_site *sites = calloc(n, sizeof(*sites));
	char name[2000];

	if (!sites)
		abort();
	memset(name, 's', sizeof(name));
	b_string_n(b, 2, name, sizeof(name));
	b_load_class(b, 2, CLASSES, 0, 2);
	for (unsigned i = 0; i < n; i++) {
		b_frame(b, 1 + i, 2, 2, 2, 2, 1);
		sites[i] = (struct b_site){.class_serial = 2, .trace = 1};
	}
	b_alloc_sites(b, 0, 0, &totals, n, sites);
	heap(b, MANY, false);
	free(sites);
}

/*
 * Write many dumps, each with one class and one object. Both contain only
 * dangling references.
 */
static void
dangling(struct b *b)
{
	static const uint8_t bytes[4] = {1, 2, 3, 4};

	b_string(b, 2, "name");
	b_string(b, 3, "java/lang/Thread");
	for (unsigned i = 0; i < TIMES(25000); i++) {
		const struct b_class c = {
			.id = CLASSES, .super = OBJECT, .size = B_AUTO};

		b_load_class(b, i + 2, class_at(i), 0, 3);
		begin_heap(b);
		b_class(b, &c);
		b_field(b, 2, B_OBJECT);
		b_class_end(b);
		b_instance_bytes(b, OBJECTS, CLASSES, bytes, sizeof(bytes));
		b_close(b);
	}
}

/*
 * Write an array of references to missing objects, each at an address that is
 * far from the others.
 */
static void
scattered(struct b *b, uint64_t id, unsigned from, unsigned n)
{
	uint64_t *ids = malloc(n * sizeof(*ids));

	if (!ids)
		abort();
	for (unsigned i = 0; i < n; i++)
		ids[i] = (uint64_t)((from + i) % 8000 + 100) << 19 | 8;
	b_object_array(b, id, OBJECT, n, ids);
	free(ids);
}

/*
 * Write references to so many ranges of addresses (granules) that a filter of
 * hprof-validate is useless. This filter has a small bit map for each part of a
 * dump, which records the granules to which the part refers. The file has one
 * large dump and many dumps of a few bytes, each with bit maps of its own.
 */
static void
granules(struct b *b)
{
	for (unsigned i = 0; i < TIMES(3000); i++) {
		begin_heap(b);
		scattered(b, OBJECTS, 16 * i, 16);
		b_close(b);
	}
	begin_heap(b);
	for (unsigned i = 0; i < TIMES(200); i++)
		scattered(b, OBJECTS + 0x10000 * (uint64_t)i, 7 * i, 2000);
	b_close(b);
}

/*
 * Write a dump for which hprof-validate has many different findings, followed
 * by many other dumps.
 */
static void
findings(struct b *b)
{
	static const uint8_t bytes[4] = {1, 2, 3, 4};

	b_string(b, 2, "name");
	begin_heap(b);
	for (unsigned i = 0; i < TIMES(50000); i++) {
		const struct b_class c = {.id = class_at(i), .super = OBJECT};

		b_class(b, &c);
		b_field(b, 2, B_OBJECT);
		b_class_end(b);
		b_instance_bytes(b, OBJECTS + 8 * (uint64_t)i, class_at(i),
				 bytes, sizeof(bytes));
	}
	b_close(b);
	for (unsigned i = 0; i < TIMES(40000); i++) {
		b_heap_dump(b);
		b_root_unknown(b, OBJECT);
		b_close(b);
	}
}

/*
 * Write a class name of the form "p/p/p/.../pN/C", with as many nested packages
 * as possible. All these names have the same beginning.
 */
static size_t
deep_name(char *name, unsigned i, char c)
{
	memset(name, 'p', (size_t)2 * DEEP);
	for (unsigned k = 1; k < 2 * DEEP; k += 2)
		name[k] = '/';
	return 2 * DEEP +
	       (size_t)sprintf(name + (size_t)2 * DEEP, "p%u/%c", i, c);
}

/*
 * Write pairs of classes whose package names have equally many parts, but no
 * part in common.
 */
static void
packages(struct b *b)
{
	char name[2 * DEEP + 64];

	for (unsigned i = 0; i < TIMES(150); i++) {
		uint64_t id = class_at(i);
		size_t n = deep_name(name, i, 'C');
		int head = snprintf(name, 16, "q%u", i / 2);

		name[head] = '/';
		b_string_n(b, id, name, n);
		b_load_class(b, 2 + i, id, 0, id);
	}
	heap(b, TIMES(150), false);
}

/*
 * Write classes with long names that consist of the beginnings of generated
 * names, followed by many digits, words and '_'. A naive search for the
 * generated parts would take quadratic time.
 */
static void
generated(struct b *b)
{
	static const char *const marks[] = {
		"$anonfun$a", "$sam$a$",	"$fn_",
		"$$Lambda$",  "$$inlined",	"1",
		"_",	      "$eval1$a",	"$a__1_",
		"ByCGLIB$$a", "aLambdaForm$MH1"};
	char name[8000];

	for (unsigned i = 0; i < TIMES(300); i++) {
		const char *mark = marks[i % (sizeof(marks) / sizeof(*marks))];
		size_t n = (size_t)sprintf(name, "C%u$a", i);

		while (n + strlen(mark) <= sizeof(name)) {
			memcpy(name + n, mark, strlen(mark));
			n += strlen(mark);
		}
		b_string_n(b, class_at(i), name, n);
		b_load_class(b, 2 + i, class_at(i), 0, class_at(i));
	}
	heap(b, TIMES(300), false);
}

static void
sites(struct b *b)
{
	enum { FRAMES = 500 };
	uint64_t frames[FRAMES];
	char name[8000];

	memset(name, 'm', sizeof(name));
	b_string_n(b, 2, name, sizeof(name));
	for (unsigned i = 0; i < FRAMES; i++) {
		b_frame(b, i + 1, 2, 2, 2, 1, (int)i);
		frames[i] = i + 1;
	}
	b_trace(b, 1, 0, FRAMES, frames);
	b->trace = 1;
	b_string(b, 3, "C");
	for (unsigned i = 0; i < TIMES(150); i++) {
		char text[16];

		b_string_n(b, class_at(i), text,
			   (size_t)sprintf(text, "C%u", i));
		b_load_class(b, 2 + i, class_at(i), 0, class_at(i));
	}
	heap(b, TIMES(150), false);
}

static void
traces(struct b *b)
{
	enum { FRAMES = 64 };
	unsigned n = TIMES(20000);
	struct b_sample *samples = calloc(n, sizeof(*samples));
	uint64_t frames[FRAMES];

	if (!samples)
		abort();
	b_string(b, 2, "name");
	for (unsigned i = 0; i < 1000; i++)
		b_frame(b, i + 1, 2, 2, 2, 1, (int)i);
	for (unsigned i = 0; i < n; i++) {
		for (unsigned k = 0; k < FRAMES; k++)
			frames[k] = 1 + (i * (k + 7) + k) % 1000;
		b_trace(b, i + 1, 0, FRAMES, frames);
		samples[i] = (struct b_sample){.count = 1, .trace = i + 1};
	}
	b_cpu_samples(b, n, n, samples);
	begin_heap(b);
	for (unsigned i = 0; i < n; i++) {
		b->trace = i + 1;
		b_instance_bytes(b, OBJECTS + 8 * (uint64_t)i, OBJECT, NULL, 0);
	}
	b_close(b);
	free(samples);
}

/*
 * Write an Android dump whose objects are in many heaps. The dump repeats the
 * name of each heap several times.
 */
static void
heaps(struct b *b)
{
	b_release(b);
	start(b, 4, "JAVA PROFILE 1.0.3");
	b_segment(b);
	class(b, OBJECT, 0);
	for (unsigned i = 0; i < 3 * MANY; i++) {
		b_heap_info(b, i % MANY, 1);
		b_instance_bytes(b, OBJECTS + 8 * (uint64_t)i, OBJECT, NULL, 0);
		b_root_vm_internal(b, OBJECTS + 8 * (uint64_t)i);
	}
	b_close(b);
	b_heap_dump_end(b);
}

static void
loaders(struct b *b)
{
	b_string(b, 2, "Loader");
	b_load_class(b, 2, CLASSES, 0, 2);
	begin_heap(b);
	class(b, CLASSES, OBJECT);
	for (unsigned i = 1; i < MANY; i++) {
		const struct b_class c = {.id = class_at(i),
					  .super = OBJECT,
					  .loader = OBJECTS + 8 * (uint64_t)i};

		b_class(b, &c);
		b_class_end(b);
		b_instance_bytes(b, OBJECTS + 8 * (uint64_t)i, CLASSES, NULL,
				 0);
	}
	b_close(b);
}

/*
 * Write many records that define the same id: strings, classes, frames, traces,
 * objects and LOAD CLASS records.
 */
static void
again(struct b *b)
{
	uint64_t frame = 1;

	b_string(b, 2, "name");
	for (unsigned i = 0; i < MANY; i++) {
		char text[16];
		int n = sprintf(text, "s%u", i);

		b_string_n(b, 3, text, (size_t)n);
		b_load_class(b, 2, CLASSES, 0, 3);
		b_frame(b, 1, 2, 2, 2, 2, (int)i);
		b_trace(b, 1, i, 1, &frame);
		b_start_thread(b, 1, OBJECTS, 1, 3, 2, 2);
	}
	begin_heap(b);
	for (unsigned i = 0; i < MANY; i++) {
		class(b, CLASSES, OBJECT);
		b_instance_bytes(b, OBJECTS, OBJECT, NULL, 0);
		b_root_java_frame(b, OBJECTS, 1, 0);
		b_root_thread_object(b, OBJECTS, 1, 1);
	}
	b_close(b);
}

/*
 * Write a linked list of @n objects. Their classes alternate between the first
 * @classes classes.
 */
static void
list(struct b *b, uint64_t first, unsigned n, unsigned classes)
{
	b_root_jni_global(b, first, 1);
	for (unsigned i = 0; i < n; i++) {
		uint64_t id = first + 8 * (uint64_t)i;

		b_instance(b, id, class_at(i % classes));
		b_value(b, B_OBJECT, i + 1 < n ? id + 8 : first);
		b_instance_end(b);
	}
}

/*
 * Write an array of @n elements, and an object with as many fields as the
 * format allows.
 */
static void
keep_all(struct b *b, uint64_t held, unsigned n)
{
	uint64_t *ids = malloc((n > WIDE ? n : WIDE) * sizeof(*ids));

	if (!ids)
		abort();
	for (unsigned i = 0; i < n || i < WIDE; i++)
		ids[i] = held + 8 * (uint64_t)(i * 7919u % n);
	b_object_array(b, held - 8, OBJECT, n, ids);
	b_root_jni_global(b, held - 8, 1);
	b_instance(b, held - 16, class_at(2));
	for (unsigned i = 0; i < WIDE; i++)
		b_value(b, B_OBJECT, ids[i]);
	b_instance_end(b);
	b_root_jni_global(b, held - 16, 1);
	free(ids);
}

/*
 * Write a linked list of @n objects, each with a reference to a further object.
 * An array also refers to all these further objects, so the list does not
 * dominate them: their dominator is far above the list in the tree.
 */
static void
ladder(struct b *b, uint64_t first, unsigned n)
{
	uint64_t *ids = malloc(n * sizeof(*ids));
	uint64_t array = first +
			 /*
			  * the largest id of all objects, so that a
			  * breadth-first search reaches the array last
			  */
			 16 * (uint64_t)n;

	if (!ids)
		abort();
	b_root_jni_global(b, first, 1);
	for (unsigned i = 0; i < n; i++) {
		uint64_t id = first + 16 * (uint64_t)i;

		ids[i] = id + 8;
		b_instance(b, id, class_at(3));
		b_value(b, B_OBJECT, i + 1 < n ? id + 16 : 0);
		b_value(b, B_OBJECT, ids[i]);
		b_instance_end(b);
		b_instance_bytes(b, ids[i], OBJECT, NULL, 0);
	}
	b_object_array(b, array, OBJECT, n, ids);
	b_root_jni_global(b, array, 1);
	free(ids);
}

static void
lists(struct b *b)
{
	const struct b_class c[] = {
		{.id = class_at(0), .super = OBJECT, .size = B_AUTO},
		{.id = class_at(1), .super = OBJECT, .size = B_AUTO},
		{.id = class_at(3), .super = OBJECT, .size = B_AUTO}};

	b_string(b, 2, "name");
	for (unsigned i = 0; i < 4; i++)
		b_load_class(b, i + 2, class_at(i), 0, 2);
	b_string(b, 3, "other");
	b_load_class(b, 6, class_at(1), 0, 3);
	begin_heap(b);
	for (unsigned i = 0; i < 3; i++) {
		b_class(b, &c[i]);
		b_field(b, 2, B_OBJECT);
		if (i == 2)
			b_field(b, 3, B_OBJECT);
		b_class_end(b);
	}
	wide_class(b, class_at(2), OBJECT, B_OBJECT);
	list(b, OBJECTS, TIMES(100000), 1);
	list(b, 2 * OBJECTS, TIMES(50000), 2);
	ladder(b, 4 * OBJECTS, TIMES(50000));
	keep_all(b, 3 * OBJECTS, TIMES(50000));
	for (unsigned i = 0; i < 50000 * scale; i++)
		b_instance_bytes(b, 3 * OBJECTS + 8 * (uint64_t)i, OBJECT, NULL,
				 0);
	b_close(b);
}

static void
weak(struct b *b)
{
	const struct b_class c[] = {
		{.id = class_at(0), .super = OBJECT, .size = B_AUTO},
		{.id = class_at(1), .super = class_at(0), .size = B_AUTO}};

	b_string(b, 2, "java/lang/ref/Reference");
	b_string(b, 3, "java/lang/ref/WeakReference");
	b_string(b, 4, "referent");
	for (unsigned i = 0; i < 2; i++)
		b_load_class(b, i + 2, class_at(i), 0, i + 2);
	begin_heap(b);
	b_class(b, &c[0]);
	b_field(b, 4, B_OBJECT);
	b_class_end(b);
	b_class(b, &c[1]);
	b_class_end(b);
	for (unsigned i = 0; i < TIMES(200000); i++) {
		uint64_t id = OBJECTS + 8 * (uint64_t)i;

		b_instance(b, id, class_at(1));
		b_value(b, B_OBJECT, id);
		b_instance_end(b);
		b_root_unknown(b, id);
	}
	b_close(b);
}

static void
locals(struct b *b)
{
	b_string(b, 2, "java/lang/Thread");
	b_load_class(b, 2, class_at(0), 0, 2);
	begin_heap(b);
	class(b, class_at(0), OBJECT);
	for (unsigned i = 0; i < 2; i++)
		b_instance_bytes(b, OBJECTS + 8 * i, class_at(0), NULL, 0);
	b_root_thread_object(b, OBJECTS, 1, 0);
	for (unsigned i = 0; i < TIMES(400000); i++)
		b_root_java_frame(b, OBJECTS + 8, 1, i);
	b_close(b);
}

/*
 * Write Android arrays without elements in the dump. No two arrays have the
 * same length.
 */
static void
lengths(struct b *b)
{
	begin_heap(b);
	for (unsigned i = 0; i < TIMES(200000); i++)
		b_primitive_array_nodata(b, OBJECTS + 8 * (uint64_t)i, B_BYTE,
					 8 * i);
	b_root_unknown(b, OBJECTS);
	b_close(b);
}

static void
below(struct b *b)
{
	const struct b_class c = {
		.id = class_at(0), .super = OBJECT, .size = B_AUTO};
	unsigned n = TIMES(8000);

	b_string(b, 2, "name");
	begin_heap(b);
	b_class(b, &c);
	for (unsigned i = 0; i < n; i++)
		b_field(b, 2, B_OBJECT);
	b_class_end(b);
	for (unsigned i = 1; i < MANY; i++)
		class(b, class_at(i), class_at(i - 1));
	b_instance(b, OBJECTS, class_at(MANY - 1));
	for (unsigned i = 0; i < n; i++)
		b_value(b, B_OBJECT, 1);
	b_instance_end(b);
	b_close(b);
}

static const struct {
	const char *name;
	void (*write)(struct b *b);
} shapes[] = {
	{"names", names},	  {"loads", loads},
	{"chain", chain},	  {"stacks", stacks},
	{"stretches", stretches}, {"dumps", dumps},
	{"segments", segments},	  {"wide", wide},
	{"pools", pools},	  {"inherited", inherited},
	{"spelled", spelled},	  {"mentions", mentions},
	{"dangling", dangling},	  {"findings", findings},
	{"packages", packages},	  {"sites", sites},
	{"traces", traces},	  {"heaps", heaps},
	{"loaders", loaders},	  {"again", again},
	{"holders", holders},	  {"lists", lists},
	{"granules", granules},	  {"weak", weak},
	{"locals", locals},	  {"lengths", lengths},
	{"symbols", symbols},	  {"supers", supers},
	{"below", below},	  {"statics", statics},
	{"loaded", loaded},	  {"kinds", kinds},
	{"buffers", buffers},	  {"threads", threads},
	{"started", started},	  {"shared", shared},
	{"singles", singles},	  {"generated", generated},
	{"owned", owned},	  {"copies", copies},
	{"nests", nests},	  {"waiting", waiting},
	{"leaks", leaks},	  {"named", named},
	{"queued", queued},	  {"constants", constants},
	{"modules", modules},	  {"rivals", rivals},
	{"tangled", tangled},	  {"fields", fields},
	{"crowds", crowds},
};

int
main(int argc, char **argv)
{
	struct b b;

	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
			puts(shapes[i].name);
		return 0;
	}
	if (argc == 3)
		scale = strtod(argv[2], NULL);
	for (size_t i = 0; (argc == 2 || (argc == 3 && scale > 0)) &&
			   i < sizeof(shapes) / sizeof(*shapes);
	     i++) {
		if (strcmp(argv[1], shapes[i].name) != 0)
			continue;
		start(&b, 4, "JAVA PROFILE 1.0.2");
		shapes[i].write(&b);
		if (b_write_fd(&b, 1) != 0)
			return 2;
		b_release(&b);
		return 0;
	}
	fputs("usage: crafted SHAPE [SCALE] >FILE\n", stderr);
	return 2;
}
