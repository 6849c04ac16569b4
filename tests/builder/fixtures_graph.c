/*
 * fixtures_graph.c - test dumps for the rules of hprof-validate --level=graph
 *
 * The dumps have array elements of a right and of a wrong class, and
 * unreachable objects. Some dumps are large enough that hprof-diff finds leak
 * suspects in them.
 */
#include "tests/builder/fixtures.h"

/*
 * Numbers of additional classes. Objects of the classes from MISFITS on are not
 * allowed as elements of their array; objects of the classes from FITS on are.
 */
enum { MISFITS = 90, FITS = 100 };
enum { HELD = 1 << 10, INNER = 1 << 11, AWAY = 1 << 12 };

static void
bare_class(struct b *b, unsigned n)
{
	b_class(b, &(struct b_class){.id = b_class_id(b, n),
				     .super = b_class_id(b, B_C_OBJECT)});
	b_class_end(b);
}

static size_t
rooted(struct b *b, unsigned key, uint64_t class_id, uint64_t element)
{
	uint64_t id = b_object_id(b, B_O_FREE + key);
	size_t at = b_object_array(b, id, class_id, 1, &element);

	b_root_sticky_class(b, b_class_id(b, B_C_ORDER));
	b_root_jni_global(b, id, 0x4000 + key);
	return at;
}

static const char *const more_arrays[] = {
	"[[I",
	"[Ljava/lang/String;",
	"[[Lcom/acme/Order;",
	"[[Ljava/lang/Object;",
};

enum {
	INT_ARRAYS = MISFITS,
	STRINGS,
	ORDER_ARRAYS,
	OBJECT_ARRAYS,
	NO_STRINGS = B_O_FREE + 9, /* an empty String[] */
};

/* An array class, and an object that is not allowed in such an array. */
static const struct misfit {
	unsigned array, element;
} misfits[] = {
	{B_C_ORDERS, B_O_INTS},	     {INT_ARRAYS, B_O_ORDER_1},
	{INT_ARRAYS, B_O_CHARS},     {OBJECT_ARRAYS, B_O_INTS},
	{B_C_ORDERS, B_O_NAME},	     {ORDER_ARRAYS, NO_STRINGS},
	{ORDER_ARRAYS, B_O_ORDER_1},
};

enum {
	ARRAY_AS_ORDER,
	ORDER_AS_ARRAY,
	CHARS_AS_INTS,
	INTS_AS_OBJECTS,
	STRING_AS_ORDER,
	STRINGS_AS_ORDERS,
	ORDER_AS_ORDERS,
	NOT_REACHED,
	ARRAY_NOT_REACHED,
	RING_NOT_REACHED,
};

static size_t
ring(struct b *b)
{
	uint64_t id = b_object_id(b, B_O_FREE),
		 other = b_object_id(b, B_O_FREE + 1);
	size_t at =
		b_object_array(b, id, b_class_id(b, B_C_OBJECTS), 1, &other);

	b_object_array(b, other, b_class_id(b, B_C_OBJECTS), 1, &id);
	return at;
}

static void
misfit(struct b *b, int what)
{
	const unsigned n = sizeof(more_arrays) / sizeof(*more_arrays);
	uint64_t id = b_object_id(b, B_O_FREE);
	size_t at;

	b_world_tables(b, B_HOTSPOT);
	for (unsigned i = 0; i < n; i++)
		b_world_load(b, MISFITS + i, more_arrays[i]);
	b_world_heap(b);
	for (unsigned i = 0; i < n; i++)
		bare_class(b, MISFITS + i);
	b_object_array(b, b_object_id(b, NO_STRINGS), b_class_id(b, STRINGS), 0,
		       NULL);
	b_root_jni_global(b, b_object_id(b, NO_STRINGS), 0x5000);
	if (what == NOT_REACHED)
		at = b_instance_zero(b, id, b_class_id(b, B_C_ORDER));
	else if (what == ARRAY_NOT_REACHED)
		at = b_primitive_array(b, id, B_INT, 2, NULL);
	else if (what == RING_NOT_REACHED)
		at = ring(b);
	else
		at = rooted(b, 0, b_class_id(b, misfits[what].array),
			    b_object_id(b, misfits[what].element));
	b_mark(b, "damage", at);
	b_world_end(b);
}

/*
 * Build a dump whose arrays contain elements of all types that Java allows. For
 * some elements the dump does not show whether they are allowed: for example,
 * whether Order implements the interface Priced.
 */
static void
elements_fit(struct b *b, int arg)
{
	static const char *const names[] = {
		"[[I",
		"[Ljava/lang/Cloneable;",
		"com/acme/Priced",
		"[Lcom/acme/Priced;",
		"[[Ljava/lang/Object;",
		"[Lcom/acme/RushOrder;",
		"[[Lcom/acme/Order;",
		"[[Lcom/acme/Priced;",
		"[Ljava/lang/Class;",
		"[[[Ljava/io/Serializable;",
		"[[[I",
	};
	unsigned n = sizeof(names) / sizeof(*names), i;

	b_world_tables(b, B_HOTSPOT);
	for (i = 0; i < n; i++)
		b_world_load(b, FITS + i, names[i]);
	b_world_heap(b);
	for (i = 0; i < n; i++)
		bare_class(b, FITS + i);
	rooted(b, 0, b_class_id(b, FITS), b_object_id(b, B_O_INTS));
	rooted(b, 1, b_class_id(b, FITS + 1), b_object_id(b, B_O_INTS));
	rooted(b, 2, b_class_id(b, FITS + 1), b_object_id(b, B_O_ORDERS));
	rooted(b, 3, b_class_id(b, FITS + 3), b_object_id(b, B_O_ORDER_1));
	rooted(b, 4, b_class_id(b, FITS + 4), b_object_id(b, B_O_ORDERS));
	rooted(b, 5, b_class_id(b, FITS + 5), b_object_id(b, B_O_RUSH));
	rooted(b, 6, b_class_id(b, FITS + 6), b_object_id(b, B_O_FREE + 5));
	rooted(b, 7, b_class_id(b, FITS + 7), b_object_id(b, B_O_ORDERS));
	rooted(b, 8, b_class_id(b, FITS + 8), b_class_id(b, B_C_ORDER));
	/*
	 * int[] is serializable, so an int[][][] may be an element of a
	 * Serializable[][]
	 */
	rooted(b, 9, b_class_id(b, FITS + 10), b_object_id(b, B_O_FREE));
	rooted(b, 10, b_class_id(b, FITS + 9), b_object_id(b, B_O_FREE + 9));
	rooted(b, 11, b_class_id(b, B_C_ORDERS), b_object_id(b, B_O_RUSH));
	rooted(b, 12, b_class_id(b, B_C_OBJECTS), b_object_id(b, B_O_INTS));
	b_world_end(b);
}

/*
 * Build the usual test dump with an additional array of @bytes bytes, which is
 * much larger than the rest of the dump.
 */
static void
large_array(struct b *b, int bytes)
{
	uint64_t id = b_object_id(b, B_O_FREE);

	b_world_tables(b, B_ART);
	b_world_heap(b);
	b_primitive_array_nodata(b, id, B_BYTE, (uint32_t)bytes);
	b_root_jni_global(b, id, 0x1234);
	b_world_end(b);
}

/*
 * Build the usual test dump with an additional class that has @statics static
 * fields. If there are none, the instance size in its class dump is 0.
 */
static void
light_class(struct b *b, int statics)
{
	uint64_t name;

	b_world_tables(b, B_ART);
	b_world_load(b, FITS, "com.acme.Light");
	name = b_intern(b, "total");
	b_world_heap(b);
	b_class(b, &(struct b_class){.id = b_class_id(b, FITS),
				     .super = b_class_id(b, B_C_OBJECT)});
	while (statics-- > 0)
		b_static(b, name, B_LONG, 0);
	b_class_end(b);
	b_root_sticky_class(b, b_class_id(b, FITS));
	b_world_end(b);
}

/*
 * Build a dump as jhsdb writes it, without roots for classes. A static field of
 * a class of the boot loader refers to an object.
 */
static void
boot_static(struct b *b, int arg)
{
	uint64_t id = b_object_id(b, B_O_FREE), name;

	(void)arg;
	b_world_tables(b, B_SA);
	b_world_load(b, FITS, "java/util/Locale");
	name = b_intern(b, "cache");
	b_world_heap(b);
	b_class(b, &(struct b_class){.id = b_class_id(b, FITS),
				     .super = b_class_id(b, B_C_OBJECT)});
	b_static(b, name, B_OBJECT, id);
	b_class_end(b);
	b_object_array(b, id, b_class_id(b, B_C_OBJECTS), 1, &id);
	b_world_end(b);
}

/*
 * Build a dump with arrays of several classes. Each of these arrays refers to a
 * byte[] of its own. All byte[] have the same size, so they differ only in the
 * class of the array that refers to them. The ids are not aligned.
 */
static void
alike(struct b *b, int bytes)
{
	enum { ARRAYS = sizeof(more_arrays) / sizeof(*more_arrays) };
	unsigned i;

	b_world_tables(b, B_ART);
	for (i = 0; i < ARRAYS; i++)
		b_world_load(b, FITS + i, more_arrays[i]);
	b_world_heap(b);
	for (i = 0; i < ARRAYS; i++) {
		uint64_t id = b_object_id(b, B_O_FREE + 2 * i) + 1;
		uint64_t held = b_object_id(b, B_O_FREE + 2 * i + 1) + 1;

		bare_class(b, FITS + i);
		b_root_sticky_class(b, b_class_id(b, FITS + i));
		b_object_array(b, id, b_class_id(b, FITS + i), 1, &held);
		b_primitive_array_nodata(b, held, B_BYTE, (uint32_t)bytes);
		b_root_jni_global(b, id, 0x4000 + i);
	}
	b_world_end(b);
}

/*
 * Build a dump with ten byte[], each reachable from two roots. Arrays of one
 * class refer to nine of the byte[], and an array of another class refers to
 * the tenth, which is the largest.
 */
static void
scattered(struct b *b, int bytes)
{
	enum { ARRAYS = 10 };
	uint64_t held[ARRAYS];
	unsigned i;

	b_world_tables(b, B_ART);
	b_world_load(b, FITS, more_arrays[0]);
	b_world_load(b, FITS + 1, more_arrays[3]);
	b_world_heap(b);
	bare_class(b, FITS);
	bare_class(b, FITS + 1);
	for (i = 0; i < ARRAYS; i++) {
		held[i] = b_object_id(b, B_O_FREE + i);
		b_primitive_array_nodata(b, held[i], B_BYTE,
					 (uint32_t)bytes << (i == 0));
	}
	for (i = 0; i < 4; i++) {
		uint64_t id = b_object_id(b, B_O_FREE + ARRAYS + i);

		b_object_array(b, id, b_class_id(b, FITS + i / 2),
			       i / 2 ? ARRAYS - 1 : 1, held + i / 2);
		b_root_jni_global(b, id, 0x4000 + i);
	}
	b_world_end(b);
}

/*
 * Build a dump with a chain of @arg arrays: each array refers to the next. The
 * classes of the arrays alternate between two classes.
 */
static void
nested_arrays(struct b *b, int arg)
{
	b_world_tables(b, B_HOTSPOT);
	b_world_load(b, FITS, more_arrays[3]);
	b_world_heap(b);
	bare_class(b, FITS);
	b_root_sticky_class(b, b_class_id(b, FITS));
	for (unsigned i = 0; i < (unsigned)arg; i++) {
		uint64_t next = i + 1 < (unsigned)arg
					? b_object_id(b, B_O_FREE + i + 1)
					: 0;

		b_object_array(b, b_object_id(b, B_O_FREE + i),
			       b_class_id(b, i % 2 ? B_C_OBJECTS : FITS), 1,
			       &next);
	}
	b_root_jni_global(b, b_object_id(b, B_O_FREE), 0x4000);
	b_world_end(b);
}

static void
finalized(struct b *b, int bytes)
{
	uint64_t waiting = b_object_id(b, B_O_FREE), name;
	uint64_t array = b_object_id(b, B_O_FREE + 1);

	b_world_tables(b, B_HOTSPOT);
	b_world_load(b, FITS, "java/lang/ref/Reference");
	b_world_load(b, FITS + 1, "java/lang/ref/FinalReference");
	name = b_intern(b, "referent");
	b_world_heap(b);
	b_class(b, &(struct b_class){.id = b_class_id(b, FITS),
				     .super = b_class_id(b, B_C_OBJECT),
				     .size = B_AUTO});
	b_field(b, name, B_OBJECT);
	b_class_end(b);
	b_class(b, &(struct b_class){.id = b_class_id(b, FITS + 1),
				     .super = b_class_id(b, FITS),
				     .size = B_AUTO});
	b_class_end(b);
	b_root_sticky_class(b, b_class_id(b, FITS));
	b_root_sticky_class(b, b_class_id(b, FITS + 1));
	b_instance(b, waiting, b_class_id(b, FITS + 1));
	b_value(b, B_OBJECT, array);
	b_instance_end(b);
	b_primitive_array(b, array, B_BYTE, (uint32_t)bytes, NULL);
	b_root_jni_global(b, waiting, 0x4000);
	b_world_end(b);
}

/*
 * Build a dump in which a static field refers to an array of @arg arrays of 32
 * KiB each. INNER: there is one more array between the field and the array.
 * HELD: the stack of a thread also refers to the outer array, as if memory had
 * run out while an element was added. AWAY: all objects have other ids, as
 * after a garbage collection that has moved them.
 */
static void
registry(struct b *b, int arg)
{
	enum { MOST = 64, BYTES = 1 << 15 };
	unsigned flags = (unsigned)arg & (HELD | INNER | AWAY);
	unsigned n = (unsigned)arg & ~flags;
	unsigned key = flags & AWAY ? B_O_FREE + 2 * MOST : B_O_FREE;
	uint64_t held[MOST], name, list = b_object_id(b, key);
	uint64_t inner = b_object_id(b, key + 1);

	b_world_tables(b, B_HOTSPOT);
	name = b_intern(b, "SESSIONS");
	b_world_load(b, FITS, "com/acme/Registry");
	b_world_load(b, FITS + 1, "[[B");
	b_world_heap(b);
	bare_class(b, FITS + 1);
	b_class(b, &(struct b_class){.id = b_class_id(b, FITS),
				     .super = b_class_id(b, B_C_OBJECT)});
	b_static(b, name, B_OBJECT, list);
	b_class_end(b);
	b_root_sticky_class(b, b_class_id(b, FITS));
	b_root_sticky_class(b, b_class_id(b, FITS + 1));
	for (unsigned i = 0; i < n; i++) {
		held[i] = b_object_id(b, key + 2 + i);
		b_primitive_array(b, held[i], B_BYTE, BYTES, NULL);
	}
	if (flags & INNER)
		b_object_array(b, inner, b_class_id(b, FITS + 1), n, held);
	b_object_array(b, list, b_class_id(b, B_C_OBJECTS),
		       flags & INNER ? 1 : n, flags & INNER ? &inner : held);
	if (flags & HELD)
		b_root_java_frame(b, flags & INNER ? inner : list, 1, 0);
	b_world_end(b);
}

/*
 * Build a dump with a class com.acme.Cache with two static fields. The same
 * array of 1 MB is reachable from both fields, so neither field alone retains
 * the array. These numbers select the references between the fields and the
 * array.
 */
enum { TO_ONE_OBJECT, TO_A_LIST, UP_AND_DOWN };

static void
two_fields(struct b *b, int how)
{
	uint64_t fields[2], id[4];
	uint64_t objects = b_class_id(b, B_C_OBJECTS);

	b_world_tables(b, B_HOTSPOT);
	fields[0] = b_intern(b, "primary");
	fields[1] = b_intern(b, "index");
	b_world_load(b, FITS, "com/acme/Cache");
	b_world_heap(b);
	for (unsigned i = 0; i < 4; i++)
		id[i] = b_object_id(b, B_O_FREE + i);
	b_class(b, &(struct b_class){.id = b_class_id(b, FITS),
				     .super = b_class_id(b, B_C_OBJECT)});
	b_static(b, fields[0], B_OBJECT, id[0]);
	b_static(b, fields[1], B_OBJECT, id[how == UP_AND_DOWN ? 2 : how]);
	b_class_end(b);
	b_root_sticky_class(b, b_class_id(b, FITS));
	b_primitive_array(b, id[3], B_BYTE, 1000000, NULL);
	if (how == UP_AND_DOWN) {
		/* each object refers to the next and to the previous one */
		b_object_array(b, id[0], objects, 2,
			       (const uint64_t[]){id[1], id[3]});
		b_object_array(b, id[1], objects, 2,
			       (const uint64_t[]){id[0], id[2]});
		b_object_array(b, id[2], objects, 1, &id[1]);
	} else {
		b_object_array(b, id[0], objects, 1, &id[3]);
		b_object_array(b, id[1], objects, 1, &id[0]);
	}
	b_world_end(b);
}

#define V(name, rule, build, arg, shows)                                       \
	{                                                                      \
		name, build, arg, 4 | 8, B_VALID, rule, shows                  \
	}

const struct b_fixture b_fixtures_graph[] = {
	V("elements-fit", NULL, elements_fit, 0, "all that arrays may have"),
	V("ref-type-mismatch", "ref-type-mismatch", misfit, ARRAY_AS_ORDER,
	  "an int[] in an Order[]"),
	V("order-as-array", "ref-type-mismatch", misfit, ORDER_AS_ARRAY,
	  "an Order in an int[][]"),
	V("order-as-orders", "ref-type-mismatch", misfit, ORDER_AS_ORDERS,
	  "an Order in an Order[][]"),
	V("chars-as-ints", "ref-type-mismatch", misfit, CHARS_AS_INTS,
	  "a char[] in an int[][]"),
	V("ints-as-objects", "ref-type-mismatch", misfit, INTS_AS_OBJECTS,
	  "an int[] in an Object[][]"),
	V("ref-element-store", "ref-element-store", misfit, STRING_AS_ORDER,
	  "a String in an Order[]"),
	V("strings-as-orders", "ref-element-store", misfit, STRINGS_AS_ORDERS,
	  "a String[] in an Order[][]"),
	V("unreachable", "unreachable", misfit, NOT_REACHED,
	  "an Order that nothing refers to"),
	V("array-unreachable", "unreachable", misfit, ARRAY_NOT_REACHED,
	  "an int[] that nothing refers to"),
	V("ring-unreachable", "unreachable", misfit, RING_NOT_REACHED,
	  "two arrays that have each other"),
	V("boot-static", NULL, boot_static, 0,
	  "jhsdb: an array that a static of a boot class alone names"),
	V("alike", NULL, alike, 1 << 20,
	  "ART and arrays of 1 MiB in arrays of four classes"),
	V("scattered", NULL, scattered, 1 << 20,
	  "ART and arrays of 1 MiB, each of which two roots hold"),
	V("large-before", NULL, large_array, 1 << 20,
	  "ART and an array of 1 MiB"),
	V("large-after", NULL, large_array, 1 << 30,
	  "ART and an array of 1 GiB"),
	V("light-before", NULL, light_class, 0,
	  "ART and a class without bytes"),
	V("light-after", NULL, light_class, 1, "ART and a class of 8 bytes"),
	V("finalized", NULL, finalized, 1 << 13,
	  "an array of 8 KiB that only a finalizer waits for"),
	V("nested-arrays", NULL, nested_arrays, 80,
	  "80 arrays of two classes in turn, one in the other"),
	V("registry", NULL, registry, 20, "a static field with 640 KiB"),
	V("registry-held", NULL, registry, HELD | 20,
	  "the same, which a thread's stack holds, too"),
	V("registry-grown", NULL, registry, HELD | 60, "the same with 1.9 MiB"),
	V("registry-inner", NULL, registry, INNER | 20,
	  "a static field with 640 KiB in an array of an array"),
	V("registry-inner-grown", NULL, registry, INNER | HELD | 60,
	  "the same with 1.9 MiB, the inner array of which a stack holds, too"),
	V("registry-inner-away", NULL, registry, INNER | HELD | AWAY | 60,
	  "the same with other ids for all arrays"),
	V("fields-to-object", "unreachable", two_fields, TO_ONE_OBJECT,
	  "two static fields of a class that refer to one object"),
	V("fields-to-list", NULL, two_fields, TO_A_LIST,
	  "two static fields of a class that refer to two nodes of a list"),
	V("fields-up-and-down", NULL, two_fields, UP_AND_DOWN,
	  "the same of a tree, whose nodes refer to their parents"),
	{0},
};
