/*
 * fixtures_many.c - test dumps for tables that grow with the dump: allocation
 * sites, and the int[] with which garbage collectors fill gaps
 */
#include "tests/builder/fixtures.h"
#include "tests/builder/internal.h"

#include <stdio.h>
#include <stdlib.h>

/*
 * Build a dump with @arg objects of class Order. Each has an allocation site
 * with a line and a calling method of its own.
 */
static void
many_sites(struct b *b, int arg)
{
	uint32_t serial = b_class_serial(b, B_C_ORDER);
	uint64_t id = b_object_id(b, B_O_FREE);
	uint64_t source, run, signature;
	char name[32];

	b_world_tables(b, B_HOTSPOT_25);
	source = b_intern(b, "Order.java");
	run = b_intern(b, "run");
	signature = b_intern(b, "()V");
	for (int i = 0; i < arg; i++) {
		uint64_t frame = 1000 + 2 * (uint64_t)i;
		uint64_t frames[] = {frame, frame + 1};

		snprintf(name, sizeof name, "handle%dRequest", i);
		b_frame(b, frame, b_intern(b, name), signature, source, serial,
			i + 1);
		b_frame(b, frame + 1, run, signature, source, serial, i + 1);
		b_trace(b, 1000 + (uint32_t)i, 0, 2, frames);
	}
	b_world_heap(b);
	b_close(b);
	b_segment(b);
	for (int i = 0; i < arg; i++) {
		b->trace = 1000 + (uint32_t)i;
		b_instance_zero(b, id + 0x40u * (unsigned)i,
				b_class_id(b, B_C_ORDER));
		if (i % 1000 == 999) {
			b_close(b);
			b_segment(b);
		}
	}
	b_world_end(b);
}

/*
 * Build a dump with the class that garbage collectors use for filler objects,
 * and with @arg unreachable int[] of 0 to 9 elements. In addition, four int[]
 * are reachable: from a field, an array element, a static field and a root.
 */
static void
fillers(struct b *b, int arg)
{
	uint64_t filler = b_class_id(b, B_CLASSES);
	uint64_t mine = b_class_id(b, B_CLASSES + 1);
	uint64_t id = b_object_id(b, B_O_FREE);
	uint64_t held[4], holder = id + 0x8000;

	b_world_tables(b, B_HOTSPOT_25);
	b_load_class(b, 1 + B_CLASSES, filler, 1,
		     b_intern(b, "[Ljdk/internal/vm/FillerElement;"));
	b_load_class(b, 2 + B_CLASSES, mine, 1, b_intern(b, "com/acme/Held"));
	b_intern(b, "ints");
	b_world_heap(b);
	for (unsigned i = 0; i < 4; i++) {
		held[i] = id + 0x100 * i;
		b_primitive_array(b, held[i], B_INT, 2 + i, NULL);
	}
	b_class(b, &(struct b_class){.id = filler,
				     .super = b_class_id(b, B_C_OBJECT)});
	b_class_end(b);
	b_class(b, &(struct b_class){.id = mine,
				     .super = b_class_id(b, B_C_OBJECT),
				     .size = B_AUTO});
	b_static(b, b_intern(b, "ints"), B_OBJECT, held[0]);
	b_field(b, b_intern(b, "ints"), B_OBJECT);
	b_class_end(b);
	b_instance(b, holder, mine);
	b_id(b, held[1]);
	b_instance_end(b);
	b_object_array(b, holder + 0x40, b_class_id(b, B_C_OBJECTS), 1,
		       &held[2]);
	b_root_jni_global(b, held[3], 0x1234);
	for (int i = 0; i < arg; i++) {
		if (i % 1000 == 0) {
			b_close(b);
			b_segment(b);
		}
		b_primitive_array(b, holder + 0x1000 + 0x40u * (unsigned)i,
				  B_INT, (uint32_t)i % 10, NULL);
	}
	b_world_end(b);
}

/*
 * Build a dump of a HotSpot before JDK 19, which uses ordinary arrays as filler
 * objects: @arg consecutive unreachable int[] of three elements, and one
 * unreachable long[].
 */
static void
old_fillers(struct b *b, int arg)
{
	const uint64_t first = b_object_id(b, B_O_FREE);
	const uint64_t size = b->id_size == 8 ? 40 : 24;

	b_world_tables(b, B_HOTSPOT);
	b_world_heap(b);
	for (int i = 0; i < arg; i++)
		b_primitive_array(b, first + size * (unsigned)i, B_INT, 3,
				  NULL);
	b_primitive_array(b, first + size * (unsigned)arg, B_LONG, 1, NULL);
	b_world_end(b);
}

static void
joinable_int(struct b *b, uint64_t first, uint32_t i)
{
	if (i % 10000 == 0) {
		b_close(b);
		b_segment(b);
	}
	b_primitive_array(b, first + 0x40 * (uint64_t)i, B_INT, 2, NULL);
}

/*
 * Build a dump as this project's agent (libhprof-agent) leaves it: @arg arrays
 * of type int[], and one large array. The table of the agent, which records
 * allocations, refers to every second int[]. The traces of the int[] have
 * alternately the serial numbers 300001 and 300002.
 */
static void
joinable(struct b *b, int arg)
{
	const uint64_t class = b_object_id(b, B_O_FREE) + 0x40;
	const uint64_t list = class + 0x40, serials = class + 0x80;
	const uint64_t large = class + 0xC0, first = class + 0x1000;
	const uint32_t n = (uint32_t)arg / 2 + 1;
	uint64_t *ids = calloc(n, sizeof(*ids));
	uint64_t *traces = calloc(n, sizeof(*traces));

	if (!ids || !traces)
		b_fail("out of memory");
	b_world_tables(b, B_HOTSPOT);
	b_load_class(b, 1000, class, 1,
		     b_intern(b, "hprofagent/AllocationTraces"));
	b_intern(b, "objects");
	b_intern(b, "traces");
	b_trace(b, 300001, 0, 0, NULL);
	b_trace(b, 300002, 0, 0, NULL);
	b_world_heap(b);
	for (uint32_t i = 0; i < n; i++) {
		ids[i] = i + 1 < n ? first + 0x80 * (uint64_t)i : large;
		traces[i] = 300001 + i % 2;
	}
	b_class(b, &(struct b_class){.id = class,
				     .super = b_class_id(b, B_C_OBJECT)});
	b_static(b, b_intern(b, "traces"), B_OBJECT, serials);
	b_static(b, b_intern(b, "objects"), B_OBJECT, list);
	b_class_end(b);
	b_object_array(b, list, b_class_id(b, B_C_OBJECTS), n, ids);
	b_primitive_array(b, serials, B_INT, n, traces);
	b_primitive_array(b, large, B_INT, 300000, NULL);
	for (uint32_t i = 0; i < (uint32_t)arg; i++)
		joinable_int(b, first, i);
	b_world_end(b);
	free(ids);
	free(traces);
}

/*
 * Build a dump as this project's agent leaves it. A static field refers to a
 * list of three int[]. A fourth int[] is referred to only by the table in which
 * the agent records allocations. The list and each int[] have an allocation
 * trace of one frame.
 */
static void
joinable_list(struct b *b, int arg)
{
	const uint64_t class = b_object_id(b, B_O_FREE) + 0x40;
	const uint64_t objects = class + 0x40, serials = class + 0x80;
	const uint64_t ints = class + 0x1000;
	const uint64_t ids[] = {class + 0xC0, ints, ints + 0x40, ints + 0x80,
				ints + 0xC0};
	const uint64_t traces[] = {300001, 300002, 300002, 300002, 300002};
	const uint64_t frames[] = {1, 2};

	b_world_tables(b, B_HOTSPOT);
	b_load_class(b, 1000, class, 1,
		     b_intern(b, "hprofagent/AllocationTraces"));
	b_intern(b, "objects");
	b_intern(b, "traces");
	b_intern(b, "list");
	b_trace(b, 300001, 0, 1, frames);
	b_trace(b, 300002, 0, 1, frames + 1);
	b_world_heap(b);
	b_class(b, &(struct b_class){.id = class,
				     .super = b_class_id(b, B_C_OBJECT)});
	b_static(b, b_intern(b, "traces"), B_OBJECT, serials);
	b_static(b, b_intern(b, "objects"), B_OBJECT, objects);
	b_static(b, b_intern(b, "list"), B_OBJECT, ids[0]);
	b_class_end(b);
	b_root_sticky_class(b, class);
	b_object_array(b, objects, b_class_id(b, B_C_OBJECTS), 5, ids);
	b_primitive_array(b, serials, B_INT, 5, traces);
	b_object_array(b, ids[0], b_class_id(b, B_C_OBJECTS), 3, ids + 1);
	for (unsigned i = 1; i < 5; i++)
		b_primitive_array(b, ids[i], B_INT, 100, NULL);
	b_world_end(b);
}

/*
 * Build a dump with @arg arrays whose ids are far apart. Their elements are
 * null, or they refer to another of these arrays. The elements of the array
 * with the id 0 are dangling references.
 */
static void
far_arrays(struct b *b, int arg)
{
	const uint64_t class = b_class_id(b, B_C_OBJECTS);
	const uint64_t apart = 0x190001;
	uint64_t dangling[] = {0, 0x7FF00010, 0x7FF00018};

	b_world_tables(b, B_HOTSPOT);
	b_world_heap(b);
	for (int i = 1; i <= arg; i++) {
		uint64_t elements[] = {apart * (uint64_t)(arg + 1 - i), 0};

		b_object_array(b, apart * (uint64_t)i, class, 2, elements);
	}
	b_mark(b, "damage", b_object_array(b, 0, class, 3, dangling));
	b_root_jni_global(b, 0, 0x1234);
	b_world_end(b);
}

/*
 * Build a dump with @arg objects whose ids are far apart. First come the roots
 * of these objects, then @arg classes without objects, then the objects, and at
 * the end of the file the stack trace of the objects. The first class is marked
 * with the name "damage".
 */
static void
far_roots(struct b *b, int arg)
{
	const uint64_t apart = 0x190008, classes = apart * (uint64_t)(arg + 1);
	const uint64_t name = 0x7E000000;
	unsigned i;

	b_world_tables(b, B_HOTSPOT);
	b_string(b, name, "com/acme/Far");
	for (i = 0; i < (unsigned)arg; i++)
		b_load_class(b, 1000 + i, classes + apart * i, 1, name);
	b_world_heap(b);
	b_close(b);
	b_segment(b);
	for (i = 1; i <= (unsigned)arg; i++)
		b_root_unknown(b, apart * i);
	b_mark(b, "damage", b_here(b));
	b->trace = 7;
	for (i = 0; i < (unsigned)arg; i++) {
		b_class(b,
			&(struct b_class){.id = classes + apart * i,
					  .super = b_class_id(b, B_C_OBJECT)});
		b_class_end(b);
	}
	for (i = 1; i <= (unsigned)arg; i++)
		b_byte_array(b, apart * i, "far away", 8);
	b_close(b);
	b_trace(b, 7, 0, 0, NULL);
	b_segment(b);
	b_world_end(b);
}

const struct b_fixture b_fixtures_many[] = {
	{"joinable", joinable, 10, 4 | 8, B_VALID, NULL,
	 "10 int[] and a large one, and the agent's table of their traces"},
	{"joinable-list", joinable_list, 0, 4 | 8, B_VALID, NULL,
	 "a list of three int[] and one more, with the agent's table"},
	{"many-joinable", joinable, 280000, 8, B_VALID, NULL,
	 "the same with 280000, whose table is longer than a batch"},
	{"many-sites", many_sites, 4000, 4 | 8, B_VALID, NULL,
	 "4000 orders from as many allocation sites"},
	{"fillers", fillers, 30, 4 | 8, B_VALID, NULL,
	 "30 unreferenced int[], four others, and a filler class"},
	{"old-fillers", old_fillers, 5, 4 | 8, B_VALID, NULL,
	 "five unreferenced int[] side by side, without a filler class"},
	{"many-fillers", fillers, 100000, 4 | 8, B_VALID, NULL,
	 "the same with 100000"},
	{"far-roots", far_roots, 100, 4 | 8, B_VALID, NULL,
	 "roots, then classes and arrays, which lie far apart"},
	{"array-id-zero", far_arrays, 100, 4 | 8, B_INVALID, "object-id-zero",
	 "100 arrays that lie far apart, and one without an id"},
	{0},
};
