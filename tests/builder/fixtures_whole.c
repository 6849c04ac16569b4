/* fixtures_whole.c - test dumps without damage */
#include "tests/builder/fixtures.h"

#include <string.h>

/*
 * A class name with control characters and syntax that could harm a terminal,
 * an HTML page, a CSV file or JSON.
 */
#define HOSTILE "=cmd|'/c calc'!A1\x1B[31m<script>\"\\,\n\xFF\xC0\x80"

static void
world(struct b *b, int writer)
{
	b_world_tables(b, (enum b_writer)writer);
	b_world_heap(b);
	b_world_end(b);
}

/*
 * Build a file with two dumps of the same process. Both dumps use the same ids
 * for their objects.
 */
static void
two_dumps(struct b *b, int writer)
{
	b_world_tables(b, (enum b_writer)writer);
	b_world_heap(b);
	b_close(b);
	if (writer != B_AGENT)
		b_heap_dump_end(b);
	b_world_heap(b);
	b_instance_zero(b, b_object_id(b, B_O_FREE), b_class_id(b, B_C_ORDER));
	b_instance_zero(b, b_object_id(b, B_O_FREE + 1),
			b_class_id(b, B_C_ORDER));
	b_world_end(b);
}

/*
 * Build a file with two dumps of the same process. Between these dumps the
 * class of the objects was unloaded, and a new class got the id of the unloaded
 * class.
 */
static void
reused_class(struct b *b, int writer)
{
	b_world_tables(b, (enum b_writer)writer);
	b_world_heap(b);
	b_instance_zero(b, b_object_id(b, B_O_FREE), b_class_id(b, B_C_ORDER));
	b_close(b);
	b_load_class(b, 99, b_class_id(b, B_C_ORDER), 1,
		     b_intern(b, "com/acme/Invoice"));
	b_world_heap(b);
	b_instance_zero(b, b_object_id(b, B_O_FREE), b_class_id(b, B_C_ORDER));
	b_world_end(b);
}

static void
every_root(struct b *b)
{
	uint64_t o = b_object_id(b, B_O_ORDER_1);

	b_root_unknown(b, o);
	b_root_native_stack(b, o, 1);
	b_root_thread_block(b, o, 1);
	b_root_monitor_used(b, o);
	b_root_interned_string(b, o);
	b_root_finalizing(b, o);
	b_root_debugger(b, o);
	b_root_reference_cleanup(b, o);
	b_root_vm_internal(b, o);
	b_root_jni_monitor(b, o, 1, -1);
	b_unreachable(b, o);
}

static void
all_tags(struct b *b, int arg)
{
	struct b_totals totals = {16, 1, 16, 1};
	struct b_site site = {0, 1, 1, 16, 1, 16, 1};
	struct b_sample sample = {1, 1};
	uint64_t app;

	b_world_tables(b, B_HOTSPOT);
	b_patch_u1(b, 17, '3'); /* change the version to JAVA PROFILE 1.0.3 */
	app = b_intern(b, "app");
	b_load_class(b, 99, b_class_id(b, 99), 1, b_intern(b, "Gone"));
	b_unload_class(b, 99);
	b_start_thread(b, 7, b_object_id(b, B_O_THREAD), 1, b_intern(b, "main"),
		       b_intern(b, "main"), b_intern(b, "system"));
	b_end_thread(b, 7);
	b_control_settings(b, 3, 4);
	b_alloc_sites(b, 0, 0, &totals, 1, &site);
	b_heap_summary(b, &totals);
	b_cpu_samples(b, 1, 1, &sample);
	b_world_heap(b);
	b_heap_info(b, 'A', app);
	every_root(b);
	b_primitive_array_nodata(b, b_object_id(b, B_O_FREE), B_INT, 1000);
	b_world_end(b);
	b_heap_dump(b);
	b_root_unknown(b, b_object_id(b, B_O_ORDER_1));
	b_close(b);
}

static void
classes_last(struct b *b, int arg)
{
	size_t classes, objects, roots;

	b_world_tables(b, B_HOTSPOT);
	b_world_heap(b);
	classes = b_at(b, "first-class");
	objects = b_at(b, "first-object");
	roots = b_at(b, "first-root");
	for (size_t n = objects - classes; n > 0; n--) {
		uint8_t byte = b->data[classes];

		b_remove(b, classes, 1);
		b_insert(b, roots - 1, &byte, 1);
	}
	b_world_end(b);
}

static void
many_segments(struct b *b, int arg)
{
	b_world_tables(b, B_ART);
	b_world_heap(b);
	for (int i = 0; i < arg; i++) {
		b_close(b);
		b_segment(b);
		if (i % 2)
			b_instance_zero(b,
					b_object_id(b, B_O_FREE) +
						0x40u * (unsigned)i,
					b_class_id(b, B_C_OBJECT));
	}
	b_world_end(b);
}

static void
many_objects(struct b *b, int arg)
{
	uint64_t id = b_object_id(b, B_O_FREE);

	b_world_tables(b, B_HOTSPOT_25);
	b_world_heap(b);
	for (int i = 0; i < arg; i++, id += 0x40) {
		if (i % 1000 == 999) {
			b_close(b);
			b_segment(b);
		}
		b_instance_zero(b, id, b_class_id(b, B_C_ORDER));
	}
	b_world_end(b);
}

static void
hostile_names(struct b *b, int arg)
{
	uint64_t name;

	b_world_tables(b, B_HOTSPOT);
	name = b_intern(b, HOSTILE);
	b_load_class(b, 200, b_class_id(b, 200), 1, name);
	b_world_heap(b);
	b_class(b, &(struct b_class){.id = b_class_id(b, 200),
				     .super = b_class_id(b, B_C_OBJECT),
				     .size = B_AUTO});
	b_static(b, name, B_INT, 1);
	b_field(b, name, B_OBJECT);
	b_class_end(b);
	b_instance_zero(b, b_object_id(b, B_O_FREE), b_class_id(b, 200));
	b_world_end(b);
}

/*
 * Build a dump with classes whose names have a meaning in cells of a table:
 * separators, line ends, escapes, quotes, the text NULL, and the empty name.
 * Each class has a static field and an instance field with the name of the
 * class, and one instance. Each instance refers to the next one.
 */
static void
cell_names(struct b *b, int arg)
{
	static const struct {
		const char *text;
		size_t n;
	} names[] = {
		{"tab\there", 8},     {"line\nfeed", 9},    {"return\r\n", 8},
		{"nul\0byte", 8},     {"\\N", 2},	    {"\\t\\\\n", 5},
		{"\"quoted\"", 8},    {"'quoted'; --", 12}, {"", 0},
		{"ends with \\", 11}, {"NULL", 4},	    {" blanks ", 8},
	};
	enum { N = sizeof(names) / sizeof(names[0]) };
	uint64_t ids[N];

	b_world_tables(b, B_HOTSPOT);
	for (unsigned i = 0; i < N; i++) {
		ids[i] = b->next_string;
		b->next_string += b->string_step;
		b_string_n(b, ids[i], names[i].text, names[i].n);
		b_load_class(b, 200 + i, b_class_id(b, 200 + i), 1, ids[i]);
	}
	b_world_heap(b);
	for (unsigned i = 0; i < N; i++) {
		uint64_t id = b_object_id(b, B_O_FREE + i);

		b_class(b, &(struct b_class){.id = b_class_id(b, 200 + i),
					     .super = b_class_id(b, B_C_OBJECT),
					     .size = B_AUTO});
		b_static(b, ids[i], B_OBJECT, id);
		b_field(b, ids[i], B_OBJECT);
		b_class_end(b);
		b_instance(b, id, b_class_id(b, 200 + i));
		b_value(b, B_OBJECT, b_object_id(b, B_O_FREE + (i + 1) % N));
		b_instance_end(b);
	}
	b_world_end(b);
}

/*
 * Build a dump with one record of more than 4 GiB, so that its 32-bit length
 * field overflows. The zero bytes are a hole in a sparse file, so they need no
 * disk space.
 */
static void
overflow(struct b *b, int arg)
{
	uint32_t n =
		/*
		 * number of elements of type long; together they have 4 GiB and
		 * 128 bytes
		 */
		0x20000010;

	b_world_tables(b, B_HOTSPOT_7);
	b_world_heap(b);
	b_array_claiming(b, b_object_id(b, B_O_FREE), B_LONG, n, 0);
	b_hole(b, (uint64_t)n * 8);
	b_root_jni_global(b, b_object_id(b, B_O_FREE), 0x1234);
	b_world_end(b);
	b_mark(b, "damage", b_at(b, "heap"));
}

/*
 * Build the second of two dumps of a program with a leak. It has @arg objects
 * of class Order that the first dump has not, and a list that refers to them.
 */
static void
leak(struct b *b, int arg)
{
	uint64_t elements[64];
	uint64_t id = b_object_id(b, B_O_FREE);

	b_world_tables(b, B_HOTSPOT);
	b_world_heap(b);
	for (int i = 0; i < arg; i++) {
		elements[i] = id + 0x1000 + 0x40u * (unsigned)i;
		b_instance_zero(b, elements[i], b_class_id(b, B_C_ORDER));
	}
	b_object_array(b, id, b_class_id(b, B_C_ORDERS), (uint32_t)arg,
		       elements);
	b_root_jni_global(b, id, 0x1234);
	b_world_end(b);
}

/*
 * Build a dump with @arg arrays, each with a root. Every second array refers to
 * an object of class Order, to which nothing else refers.
 */
static void
rooted(struct b *b, int arg)
{
	uint64_t id = b_object_id(b, B_O_FREE), array, order;

	b_world_tables(b, B_HOTSPOT);
	b_world_heap(b);
	for (int i = 0; i < arg; i++) {
		array = id + 0x40u * (unsigned)i;
		order = array + 0x10000;
		if (i % 2)
			b_instance_zero(b, order, b_class_id(b, B_C_ORDER));
		b_object_array(b, array, b_class_id(b, B_C_ORDERS), i % 2,
			       &order);
		b_root_jni_global(b, array, 0x1234);
	}
	b_world_end(b);
}

static void
instances(struct b *b, uint64_t first, uint64_t class, unsigned n, uint64_t *to)
{
	for (unsigned i = 0; i < n; i++) {
		to[i] = first + 0x40u * i;
		b_instance_zero(b, to[i], class);
	}
}

/*
 * Flags for the argument of moved(): how the second dump differs from the first
 * one.
 */
enum {
	LIST_ROOTED = 1, /* a root refers directly to the list of orders */
	/* the stack of a thread refers to a second list with more orders */
	OTHER_ORDERS = 2,
	MORE_ORDERS = 4 /* the list contains more orders */
};

/*
 * Build a dump with a list of objects of class Order. An array refers to the
 * list. @arg selects differences from the first dump.
 */
static void
moved(struct b *b, int arg)
{
	enum { ORDERS = 40, OTHERS = 30, MORE = 5 };
	uint64_t elements[ORDERS + MORE];
	uint64_t id = b_object_id(b, B_O_FREE), list = id + 0x800;
	unsigned n = ORDERS + (arg & MORE_ORDERS ? MORE : 0);

	b_world_tables(b, B_HOTSPOT);
	b_world_heap(b);
	instances(b, id + 0x1000, b_class_id(b, B_C_ORDER), n, elements);
	b_object_array(b, list, b_class_id(b, B_C_ORDERS), n, elements);
	b_object_array(b, id, b_class_id(b, B_C_OBJECTS), 1, &list);
	b_root_jni_global(b, id, 0x1234);
	if (arg & LIST_ROOTED)
		b_root_jni_global(b, list, 0x1238);
	if (arg & OTHER_ORDERS) {
		instances(b, id + 0x4000, b_class_id(b, B_C_ORDER), OTHERS,
			  elements);
		b_object_array(b, id + 0x3000, b_class_id(b, B_C_ORDERS),
			       OTHERS, elements);
		b_root_native_stack(b, id + 0x3000, 1);
	}
	b_world_end(b);
}

/*
 * Build a dump with as many objects of class Order as Strings. Each Order is in
 * an array of its own; if @arg is not 0, all are in one array.
 */
static void
moved_together(struct b *b, int arg)
{
	enum { EACH = 20 };
	const uint64_t id = b_object_id(b, B_O_FREE);
	const uint64_t class = b_class_id(b, B_C_OBJECTS);
	uint64_t elements[2 * EACH];

	b_world_tables(b, B_HOTSPOT);
	b_world_heap(b);
	instances(b, id + 0x1000, b_class_id(b, B_C_ORDER), EACH, elements);
	instances(b, id + 0x2000, b_class_id(b, B_C_STRING), EACH,
		  elements + EACH);
	if (arg) {
		b_object_array(b, id, class, 2 * EACH, elements);
		b_root_native_stack(b, id, 1);
	} else {
		b_object_array(b, id, class, EACH, elements);
		b_root_monitor_used(b, id);
		b_object_array(b, id + 0x800, class, EACH, elements + EACH);
		b_root_jni_global(b, id + 0x800, 0x1234);
	}
	b_world_end(b);
}

static void
rootless(struct b *b, int arg)
{
	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000u);
	b_string(b, 1, "A");
	b_load_class(b, 1, 0x100, 0, 1);
	b_segment(b);
	b_class(b, &(struct b_class){
			   .id = 0x100, .loader = 0x200, .size = B_AUTO});
	b_class_end(b);
	b_instance_zero(b, 0x200, 0x100);
	b_instance_zero(b, 0x208, 0x100);
	b_close(b);
	b_heap_dump_end(b);
}

static void
tiny(struct b *b, int arg)
{
	uint64_t ints[] = {1, 2};

	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000u);
	b_string(b, 1, "A");
	b_string(b, 2, "f");
	b_load_class(b, 1, 0x100, 1, 1);
	b_frame(b, 1, 2, 2, 0, 1, 7);
	b_trace(b, 1, 0, 1, (uint64_t[]){1});
	b_segment(b);
	b_class(b, &(struct b_class){.id = 0x100, .size = B_AUTO});
	b_static(b, 2, B_INT, 5);
	b_field(b, 2, B_OBJECT);
	b_class_end(b);
	b_instance(b, 0x200, 0x100);
	b_id(b, 0x208);
	b_instance_end(b);
	b_object_array(b, 0x208, 0x100, 1, (uint64_t[]){0x200});
	b_primitive_array(b, 0x210, B_INT, 2, ints);
	b_root_thread_object(b, 0x200, 1, 1);
	b_root_java_frame(b, 0x210, 1, 0);
	b_close(b);
	b_heap_dump_end(b);
}

/*
 * The classes of a dump that is converted with --heaps=app. This option keeps
 * only classes that are used. Each class is used in a different way, except
 * U_UNUSED and its subclass.
 */
enum {
	U_OBJECT = 1,
	U_CLASS,
	U_BASE,
	U_USED,
	U_UNUSED,
	U_BELOW_UNUSED,
	U_ELEMENT,
	U_ELEMENTS,
	U_INT,
	U_INTS,
	U_IN_FIELD,
	U_IN_ARRAY,
	U_IN_STATIC,
	U_HOLDER,
	U_COPY,
	U_ROOT,
	U_STICKY,
	U_FRAME,
	U_RING_1,
	U_RING_2,
	U_ALL,
};

static const char *const use_names[U_ALL] = {
	[U_OBJECT] = "java.lang.Object",
	[U_CLASS] = "java.lang.Class",
	[U_BASE] = "Base",
	[U_USED] = "Used",
	[U_UNUSED] = "Unused",
	[U_BELOW_UNUSED] = "BelowUnused",
	[U_ELEMENT] = "Element",
	[U_ELEMENTS] = "Element[]",
	[U_INT] = "int",
	[U_INTS] = "int[]",
	[U_IN_FIELD] = "InField",
	[U_IN_ARRAY] = "InArray",
	[U_IN_STATIC] = "InStatic",
	[U_HOLDER] = "Holder",
	[U_COPY] = "Copy",
	[U_ROOT] = "Root",
	[U_STICKY] = "Sticky",
	[U_FRAME] = "Frame",
	[U_RING_1] = "Ring1",
	[U_RING_2] = "Ring2",
};

static uint64_t
use_id(unsigned key)
{
	return key ? 0x1000 + 0x40 * (uint64_t)key : 0;
}

static void
use_class(struct b *b, unsigned key)
{
	static const uint8_t super[U_ALL] = {
		[U_OBJECT] = 0,
		[U_INT] = 0,
		[U_USED] = U_BASE,
		[U_BELOW_UNUSED] = U_UNUSED,
	};
	static const uint8_t named[U_ALL] = {
		[U_USED] = U_IN_STATIC,
		[U_RING_1] = U_RING_2,
		[U_RING_2] = U_RING_1,
	};
	unsigned up = super[key];

	if (!up && key != U_OBJECT && key != U_INT)
		up = U_OBJECT;
	b_class(b, &(struct b_class){.id = use_id(key),
				     .super = use_id(up),
				     .size = B_AUTO});
	if (named[key])
		b_static(b, b_intern(b, "f"), B_OBJECT, use_id(named[key]));
	if (key == U_HOLDER)
		b_static(b, b_intern(b, "f"), B_OBJECT, 0x8000);
	if (key == U_COPY)
		b_static(b, b_intern(b, "$class$f"), B_OBJECT, 0x8000);
	if (key == U_USED)
		b_field(b, b_intern(b, "f"), B_OBJECT);
	b_class_end(b);
}

static void
uses(struct b *b, int arg)
{
	static uint64_t
		/* more elements than hprof-convert writes at once */
		elements[1100000];

	memset(elements, 0, sizeof(elements));
	elements[arg - 2] = 0x9000;
	elements[arg - 1] = use_id(U_IN_ARRAY);
	b_header(b, "JAVA PROFILE 1.0.3", 1700000000000u);
	b_intern(b, "app");
	b_intern(b, "image");
	b_intern(b, "f");
	b_intern(b, "$class$f");
	for (unsigned key = U_OBJECT; key < U_ALL; key++)
		b_load_class(b, key, use_id(key), 0,
			     b_intern(b, use_names[key]));
	b_frame(b, 0, b_intern(b, "f"), b_intern(b, "()V"), 0, U_FRAME, 1);
	b_trace(b, 0, 0, 1, (uint64_t[]){0});
	b_segment(b);
	b_root_thread_object(b, 0x9000, 1, 0);
	b_root_java_frame(b, 0x8000, 1, -1);
	b_root_jni_global(b, use_id(U_ROOT), 1);
	for (unsigned key = U_OBJECT; key < U_ALL; key++)
		b_root_sticky_class(b, use_id(key));
	b_root_vm_internal(b, use_id(U_STICKY));
	b_heap_info(b, 'I', b_intern(b, "image"));
	for (unsigned key = U_OBJECT; key < U_ALL; key++)
		use_class(b, key);
	b_instance_zero(b, 0x9000, use_id(U_UNUSED));
	b_instance_zero(b, 0x9040, use_id(U_BELOW_UNUSED));
	b_heap_info(b, 'A', b_intern(b, "app"));
	b_instance(b, 0x8000, use_id(U_USED));
	b_value(b, B_OBJECT, use_id(U_IN_FIELD));
	b_instance_end(b);
	b_object_array(b, 0x8040, use_id(U_ELEMENTS), (uint32_t)arg, elements);
	b_primitive_array(b, 0x8080, B_INT, 2, NULL);
	b_close(b);
	b_heap_dump_end(b);
}

#define WORLD(name, writer, sizes, shows)                                      \
	{                                                                      \
		name, world, writer, sizes, B_VALID, NULL, shows               \
	}

const struct b_fixture b_fixtures_whole[] = {
	WORLD("hotspot", B_HOTSPOT, 4 | 8, "JDK 17: one segment"),
	WORLD("hotspot25", B_HOTSPOT_25, 4 | 8,
	      "JDK 25: four segments, roots first, CDS array dangling"),
	WORLD("hotspot7", B_HOTSPOT_7, 4 | 8, "JDK 7: 1.0.1, HEAP DUMP"),
	WORLD("hotspot5", B_HOTSPOT_5, 4 | 8, "JDK 5: trace first"),
	WORLD("sa", B_SA, 4 | 8, "jhsdb: serial 1 twice, HEAP DUMP in 1.0.2"),
	WORLD("sa28", B_SA_28, 4 | 8,
	      "jhsdb of JDK 28: frames, sticky classes"),
	WORLD("agent", B_AGENT, 4, "agent: objects before classes, sites"),
	WORLD("agent102", B_AGENT_102, 4, "agent with a big heap: 1.0.2"),
	WORLD("art", B_ART, 4, "ART: 1.0.3, heaps, empty segments"),
	WORLD("dalvik", B_DALVIK, 4, "Dalvik: 1.0.3, sizes with header"),
	WORLD("hprofconv", B_HPROF_CONV, 4, "the ART world after hprof-conv"),
	WORLD("native", B_NATIVE_IMAGE, 4 | 8,
	      "native image: class objects as instances"),
	WORLD("mat", B_MAT, 4 | 8, "MAT's export: pseudo classes"),
	{"two-dumps", two_dumps, B_AGENT, 4, B_VALID, NULL,
	 "agent, two dumps in one file; the second has two orders more"},
	{"reused-class", reused_class, B_AGENT, 4, B_VALID, NULL,
	 "agent, two dumps; an id is another class's in the second"},
	{"two-dumps-102", two_dumps, B_AGENT_102, 4, B_VALID, NULL,
	 "the same under 1.0.2, with HEAP DUMP END"},
	{"classes-last", classes_last, 0, 4 | 8, B_VALID, NULL,
	 "HotSpot with all instances before the classes"},
	{"many-segments", many_segments, 2000, 4, B_VALID, NULL,
	 "ART with 2000 short segments, half of them empty"},
	{"many-objects", many_objects, 100000, 4 | 8, B_VALID, NULL,
	 "100000 orders in a hundred segments"},
	{"hostile-names", hostile_names, 0, 4 | 8, B_VALID, NULL,
	 "a class name with escapes, quotes, a formula, bad UTF-8"},
	{"cell-names", cell_names, 0, 4 | 8, B_VALID, NULL,
	 "class names with tabs, line feeds, NUL, escapes, quotes, or nothing"},
	{"moved-before", moved, 0, 4 | 8, B_VALID, NULL,
	 "hotspot and 40 orders in a list in an array"},
	{"together-before", moved_together, false, 4 | 8, B_VALID, NULL,
	 "20 orders and 20 Strings, in an array each"},
	{"together-after", moved_together, true, 4 | 8, B_VALID, NULL,
	 "20 orders and 20 Strings in one array"},
	{"moved-after", moved, LIST_ROOTED, 4 | 8, B_VALID, NULL,
	 "the same, and a root names the list"},
	{"moved-and-new", moved, LIST_ROOTED | OTHER_ORDERS, 4 | 8, B_VALID,
	 NULL, "the same, and 30 new orders that a stack holds"},
	{"moved-and-grown", moved, LIST_ROOTED | MORE_ORDERS, 4 | 8, B_VALID,
	 NULL, "as moved-after with 45 orders in the list"},
	{"leak-before", leak, 10, 4 | 8, B_VALID, NULL,
	 "hotspot and 10 orders in an array"},
	{"leak-after", leak, 60, 4 | 8, B_VALID, NULL,
	 "hotspot and 60 orders in an array"},
	{"rooted", rooted, 200, 4 | 8, B_VALID, NULL,
	 "hotspot and 200 arrays that roots name, half of them with an order"},
	{"rootless", rootless, 0, 4 | 8, B_VALID, "core-class",
	 "three objects that nothing keeps"},
	{"tiny", tiny, 0, 4 | 8, B_VALID, "core-class",
	 "a record of each common kind, 400 bytes"},
	{"all-tags", all_tags, 0, 4 | 8, B_VALID, "mixed-heap-records",
	 "every record and sub-record once"},
	{"uses", uses, 3, 4 | 8, B_VALID, "core-class",
	 "Android: a class for each way to be used without objects"},
	{"uses-large", uses, 1100000, 8, B_VALID, "core-class",
	 "the same with an array that comes in pieces"},
	{"overflow", overflow, 0, 4 | 8, B_VALID, "heap-dump-overflow",
	 "a HEAP DUMP of more than 4 GiB, sparse"},
	{0},
};
