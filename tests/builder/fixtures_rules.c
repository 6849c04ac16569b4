/*
 * fixtures_rules.c - a test dump for each rule about the contents of records
 *
 * Each test dump has the name of the rule that hprof-validate must report. The
 * builder marks the expected offset with the name "damage", if the finding has
 * an offset. fixtures_broken.c has the dumps with wrong lengths and tags.
 */
#include "tests/builder/fixtures.h"

#include <string.h>

#define ABSENT 0x7FF00010u /* an id that no object of the dump has */

static void
damage(struct b *b, size_t at)
{
	b_mark(b, "damage", at);
}

static unsigned
width(const struct b *b)
{
	return b->id_size == 4 ? 4 : 8;
}

static void
finish(struct b *b)
{
	b_world_heap(b);
	b_world_end(b);
}

/*
 * Begin the class dump of additional class @n, a subclass of java.lang.Object.
 * The caller adds the tables of this class dump.
 */
static size_t
open_class(struct b *b, unsigned n)
{
	return b_class(b, &(struct b_class){.id = b_class_id(b, n),
					    .super = b_class_id(b, B_C_OBJECT),
					    .size = B_AUTO});
}

/* --- rules 5, 21 to 29: header and order of records ---------------------- */

static void
timestamp(struct b *b, int arg)
{
	b_world_tables(b, B_HOTSPOT);
	finish(b);
	b_patch_u8(b, 23, 0);
	damage(b, 0);
}

static void
segment_too_big(struct b *b, int arg)
{
	b_world_tables(b, B_HOTSPOT);
	b_world_heap(b);
	damage(b, b->record);
	b_primitive_array(b, b_object_id(b, B_O_FREE), B_LONG, 140000, NULL);
	b_world_end(b);
}

static void
tags_vs_version(struct b *b, int arg)
{
	b_world_tables(b, B_HOTSPOT);
	b_patch_u1(b, 17, '1'); /* change the version to JAVA PROFILE 1.0.1 */
	damage(b, b_here(b));
	finish(b);
}

static void
end_without_segment(struct b *b, int arg)
{
	b_world_tables(b, B_SA);
	finish(b);
	damage(b, b_heap_dump_end(b));
}

static void
heap_missing(struct b *b, int arg)
{
	b_world_tables(b, B_HOTSPOT);
}

static void
segment_after_end(struct b *b, int arg)
{
	b_world_tables(b, B_HOTSPOT);
	finish(b);
	damage(b, b_segment(b));
	b_root_sticky_class(b, b_class_id(b, B_C_OBJECT));
	b_close(b);
	b_heap_dump_end(b);
}

static void
time_order(struct b *b, int arg)
{
	b_world_tables(b, B_AGENT);
	b->time = 1000;
	damage(b, b_end_thread(b, 200001));
	finish(b);
}

static void
nonheap_inside(struct b *b, int arg)
{
	b_world_tables(b, B_HOTSPOT);
	b_world_heap(b);
	b_close(b);
	damage(b, b_string(b, 77, "between two segments"));
	b_segment(b);
	b_world_end(b);
}

static void
heap_info(struct b *b, int arg)
{
	b_world_tables(b, B_ART);
	b_world_heap(b);
	damage(b, b_heap_info(b, 'Q', ABSENT));
	b_world_end(b);
}

/* --- rules 39 to 46: strings --------------------------------------------- */

enum { DUP_SAME, DUP_DIFF, ID_ZERO, MUTF8, TEXT_DUP, MISSING, LATE };

static void
strings(struct b *b, int what)
{
	size_t at = B_NONE;

	b_world_tables(b, B_HOTSPOT);
	if (what == DUP_SAME || what == DUP_DIFF) {
		b_string(b, 77, "once");
		at = b_string(b, 77, what == DUP_SAME ? "once" : "twice");
	} else if (what == ID_ZERO) {
		at = b_string(b, 0, "no id");
	} else if (what == MUTF8) {
		at = b_string(b, 77, "\xFF\xFE\xC0");
	} else if (what == TEXT_DUP) {
		at = b_string(b, 77, "java/lang/Object");
	} else {
		at = b_load_class(b, 90, b_class_id(b, 90), 1, 77);
	}
	if (what == LATE)
		b_string(b, 77, "com/acme/Late");
	else
		damage(b, at);
	finish(b);
}

/* --- rules 47 to 54: LOAD CLASS and UNLOAD CLASS ------------------------- */

enum {
	SERIAL_ZERO,
	SERIAL_DUP,
	LOAD_SAME,
	LOAD_DIFF,
	NO_DUMP,
	NO_LOAD,
	DUMP_DUP,
	UNLOAD,
	NAME_DUP
};

static void
loads(struct b *b, int what)
{
	uint64_t order = b_class_id(b, B_C_ORDER);
	size_t at = B_NONE;

	b_world_tables(b, B_HOTSPOT);
	if (what == SERIAL_ZERO)
		at = b_load_class(b, 0, order, 1,
				  b_intern(b, "com/acme/Order"));
	else if (what == SERIAL_DUP)
		at = b_load_class(b, b_class_serial(b, B_C_ORDER),
				  b_class_id(b, B_C_RUSH), 1,
				  b_intern(b, "com/acme/RushOrder"));
	else if (what == LOAD_SAME)
		at = b_load_class(b, 90, order, 1,
				  b_intern(b, "com/acme/Order"));
	else if (what == LOAD_DIFF)
		at = b_load_class(b, 90, order, 1, b_intern(b, "take"));
	else if (what == NO_DUMP)
		at = b_world_load(b, 90, "com/acme/Gone");
	else if (what == UNLOAD)
		at = b_unload_class(b, 4711);
	else if (what == NAME_DUP)
		at = b_world_load(b, 90, "com/acme/Order");
	b_world_heap(b);
	if (what == NO_LOAD || what == NAME_DUP) {
		at = open_class(b, 90);
		b_class_end(b);
	} else if (what == DUMP_DUP) {
		at = b_class(
			b, &(struct b_class){.id = order,
					     .super = b_class_id(b, B_C_OBJECT),
					     .size = B_AUTO});
		b_class_end(b);
	}
	if (what != NAME_DUP)
		damage(b, at);
	b_world_end(b);
}

/* --- rules 57 to 71: CLASS DUMP ------------------------------------------ */

enum {
	SUPER_ZERO,
	SUPER_OF_ARRAY,
	SIZE,
	NEGATIVE,
	SHAPE,
	FIELD_DUP,
	FIELD_DUP_MANY,
	STATIC_DUP,
	BOOLEAN,
	CP_TYPE,
	RESERVED,
	LOADER,
	DOMAIN,
	IS_INSTANCE
};

/*
 * Write the tables of the class dump that was begun with open_class(). @what
 * selects the error in the tables.
 */
static void
class_tables(struct b *b, int what)
{
	uint64_t name = b_intern(b, "COUNT");

	if (what == CP_TYPE)
		b_constant(b, 1, B_INT, 7);
	if (what == STATIC_DUP) {
		b_static(b, name, B_INT, 1);
		b_static(b, name, B_INT, 2);
	}
	if (what == BOOLEAN)
		b_static(b, name, B_BOOLEAN, 7);
	if (what == SIZE || what == SHAPE || what == FIELD_DUP)
		b_field(b, name, B_INT);
	if (what == FIELD_DUP)
		b_field(b, name, B_INT);
	/*
	 * so many fields that hprof-validate finds equal names with a hash
	 * table instead of comparing every pair
	 */
	if (what == FIELD_DUP_MANY) {
		for (uint64_t i = 0; i < 30; i++)
			b_field(b, ABSENT + i, B_INT);
		b_field(b, name, B_INT);
		b_field(b, name, B_INT);
	}
}

static void
classes(struct b *b, int what)
{
	bool array = what == SUPER_OF_ARRAY || what == SHAPE;
	struct b_class c = {.super = b_class_id(b, B_C_OBJECT), .size = B_AUTO};
	size_t at;

	b_world_tables(b, B_HOTSPOT);
	b_world_load(b, 90, array ? "[Lcom/acme/RushOrder;" : "com/acme/Extra");
	b_world_heap(b);
	c.id = b_class_id(b, 90);
	c.super = what == SUPER_ZERO	   ? 0
		  : what == SUPER_OF_ARRAY ? b_class_id(b, B_C_LOADER)
					   : b_class_id(b, B_C_OBJECT);
	c.size = what == SIZE	    ? 5
		 : what == NEGATIVE ? 0x80000000
		 : array	    ? 0
				    : B_AUTO;
	c.loader = what == LOADER ? ABSENT : 0;
	c.domain = what == DOMAIN ? ABSENT : 0;
	c.reserved[1] = what == RESERVED ? b_class_id(b, B_C_OBJECT) : 0;
	at = b_class(b, &c);
	class_tables(b, what);
	b_class_end(b);
	if (what == IS_INSTANCE)
		at = b_instance_zero(b, c.id, b_class_id(b, B_C_CLASS));
	damage(b, at);
	b_world_end(b);
}

static void
core_class(struct b *b, int arg)
{
	static const char name[] = "java/lang/String";
	uint8_t *p;

	b_world_tables(b, B_HOTSPOT);
	p = memmem(b->data, b->len, name, sizeof name - 1);
	p[sizeof name - 2] = 'G';
	finish(b);
}

static void
string_layout(struct b *b, int arg)
{
	static const char name[] = "value";
	uint8_t *p;

	b_world_tables(b, B_HOTSPOT);
	p = memmem(b->data, b->len, name, sizeof name - 1);
	p[0] = 'V';
	finish(b);
}

static void
string_unused(struct b *b, int arg)
{
	b_world_tables(b, B_HOTSPOT);
	damage(b, b_string(b, 77, "nobody names this"));
	finish(b);
}

static void
segment_empty(struct b *b, int arg)
{
	b_world_tables(b, B_HOTSPOT);
	damage(b, b_segment(b));
	b_close(b);
	finish(b);
}

static void
heap_id_change(struct b *b, int arg)
{
	b_world_tables(b, B_ART);
	finish(b);
}

/* --- rules 74 to 90: objects --------------------------------------------- */

enum {
	UNALIGNED,
	OF_ARRAY,
	OF_CLASS,
	ARRAY_MISSING,
	NONARRAY,
	PRIM_CLASS,
	ZERO_LENGTH,
	TRACE_UNDEFINED
};

static void
objects(struct b *b, int what)
{
	uint64_t id = b_object_id(b, B_O_FREE);
	size_t at = B_NONE;

	b_world_tables(b, B_HOTSPOT);
	b_world_heap(b);
	if (what == UNALIGNED)
		at = b_instance_zero(b, id + 1, b_class_id(b, B_C_ORDER));
	else if (what == OF_ARRAY)
		at = b_instance_zero(b, id, b_class_id(b, B_C_OBJECTS));
	else if (what == OF_CLASS)
		at = b_instance_zero(b, id, b_class_id(b, B_C_CLASS));
	else if (what == ARRAY_MISSING)
		at = b_object_array(b, id, ABSENT, 0, NULL);
	else if (what == NONARRAY)
		at = b_object_array(b, id, b_class_id(b, B_C_ORDER), 1, NULL);
	else if (what == TRACE_UNDEFINED) {
		b->trace = 4711;
		at = b_instance_zero(b, id, b_class_id(b, B_C_ORDER));
	}
	for (unsigned i = 0; what == ZERO_LENGTH && i < 20; i++)
		b_primitive_array(b, id + 0x40 * i, B_INT, 0, NULL);
	if (at != B_NONE)
		damage(b, at);
	b_world_end(b);
}

/*
 * Rename the class double[], so that the dump has an array without its class.
 */
static void
prim_array_class(struct b *b, int arg)
{
	uint8_t *p;

	b_world_tables(b, B_HOTSPOT);
	p = memmem(b->data, b->len, "[D\1", 3);
	p[1] = 'X';
	finish(b);
}

/* --- rules 91 to 97: traces and frames ----------------------------------- */

enum {
	TRACE_SAME,
	TRACE_DIFF,
	FRAME_MISSING,
	FRAME_SAME,
	FRAME_DIFF,
	FRAME_ZERO,
	FRAME_CLASS,
	FRAME_UNLOADED,
	FRAME_LINE
};

static void
traces(struct b *b, int what)
{
	uint64_t method, sig, source, frames[] = {50, 51};
	uint32_t serial = b_class_serial(b, B_C_ORDER);
	size_t at = B_NONE;

	b_world_tables(b, B_HOTSPOT);
	method = b_intern(b, "take");
	sig = b_intern(b, "()V");
	source = b_intern(b, "Order.java");
	b_frame(b, 50, method, sig, source, serial, 3);
	if (what == TRACE_SAME || what == TRACE_DIFF) {
		b_trace(b, 90, 0, 1, frames);
		at = b_trace(b, 90, 0, what == TRACE_SAME ? 1 : 0, frames);
	} else if (what == FRAME_MISSING)
		at = b_trace(b, 90, 0, 2, frames);
	else if (what == FRAME_SAME)
		at = b_frame(b, 50, method, sig, source, serial, 3);
	else if (what == FRAME_DIFF)
		at = b_frame(b, 50, method, sig, source, serial, 4);
	else if (what == FRAME_ZERO)
		at = b_frame(b, 0, method, sig, source, serial, 3);
	else if (what == FRAME_CLASS)
		at = b_frame(b, 52, method, sig, source, 4711, 3);
	else if (what == FRAME_UNLOADED) {
		b_unload_class(b, serial);
		at = b_frame(b, 52, method, sig, source, serial, 3);
	} else
		at = b_frame(b, 52, method, sig, source, serial, -4);
	damage(b, at);
	finish(b);
}

/*
 * Build a dump in which objects refer to the stack trace with the serial number
 * 1, which does not exist.
 */
static void
dummy_trace(struct b *b, int arg)
{
	b_world_tables(b, B_HOTSPOT);
	b_remove_record(b, b_at(b, "first-trace"));
	finish(b);
}

/* --- rules 98 to 110, 117: threads and roots ----------------------------- */

enum {
	THREAD_DUP,
	THREAD_ZERO,
	THREAD_CLASS,
	THREAD_TRACE,
	THREAD_MISMATCH,
	THREAD_UNKNOWN,
	FRAME_RANGE,
	ROOT_ZERO,
	STICKY,
	ROOT_DUP,
	ROOT_DUP_MANY,
	JNI_ZERO
};

static size_t
bad_root(struct b *b, int what)
{
	uint64_t order = b_object_id(b, B_O_ORDER_1);
	uint64_t thread = b_object_id(b, B_O_FREE);

	switch (what) {
	case THREAD_DUP:
		return b_root_thread_object(b, thread, 1, 2);
	case THREAD_ZERO:
		return b_root_thread_object(b, 0, 9, 1);
	case THREAD_CLASS:
		return b_root_thread_object(b, order, 9, 1);
	case THREAD_TRACE:
		return b_root_thread_object(b, thread, 9, 4711);
	case THREAD_MISMATCH:
		return b_root_thread_object(b, thread, 9, 2);
	case THREAD_UNKNOWN:
		return b_root_java_frame(b, order, 4711, 0);
	case FRAME_RANGE:
		return b_root_java_frame(b, order, 1, 2);
	case ROOT_ZERO:
		return b_root_jni_global(b, 0, 0x1234);
	case STICKY:
		return b_root_sticky_class(b, order);
	case ROOT_DUP:
		b_root_sticky_class(b, b_class_id(b, B_C_OBJECT));
		return b_root_sticky_class(b, b_class_id(b, B_C_OBJECT));
	/* other roots are between the two equal roots */
	case ROOT_DUP_MANY:
		for (uint64_t i = 0; i < 40; i++)
			b_root_jni_global(b, order, 0x1000 + i);
		return b_root_jni_global(b, order, 0x1007);
	default:
		return b_root_jni_global(b, order, 0);
	}
}

static void
roots(struct b *b, int what)
{
	b_world_tables(b, B_HOTSPOT);
	b_world_heap(b);
	if (what <= THREAD_MISMATCH)
		b_instance_zero(b, b_object_id(b, B_O_FREE),
				b_class_id(b, B_C_THREAD));
	damage(b, bad_root(b, what));
	b_world_end(b);
}

static void
roots_none(struct b *b, int arg)
{
	b_world_tables(b, B_HOTSPOT);
	b_world_heap(b);
	b_remove(b, b_at(b, "first-root"), b->len - b_at(b, "first-root"));
	/*
	 * also remove the root of the class object: it is the last sub-record
	 * before the roots that were removed
	 */
	b_remove(b, b->len - (1 + 2 * width(b)), 1 + 2 * width(b));
	b_world_end(b);
}

static void
sticky_none(struct b *b, int arg)
{
	size_t n = B_CLASSES * (1 + width(b));

	b_world_tables(b, B_HOTSPOT);
	b_world_heap(b);
	b_remove(b, b->len - n, n);
	b_world_end(b);
}

/* --- rules 111 to 116: the agent's records ------------------------------- */

enum {
	END_UNKNOWN,
	START_DUP,
	SITES_CLASS,
	SAMPLES_TRACE,
	SITES_ARITH,
	SITES_SUM,
	SAMPLES_SUM,
	SETTINGS
};

static void
agent(struct b *b, int what)
{
	struct b_totals totals = {16, 1, 16, 1};
	uint32_t serial;
	struct b_site site = {0, 0, 300001, 16, 1, 16, 1};
	struct b_sample sample = {5, 300001};
	uint64_t name;
	size_t at;

	b_world_tables(b, B_AGENT);
	serial = b_class_serial(b, B_C_ORDER);
	name = b_intern(b, "main");
	site.class_serial = what == SITES_CLASS ? 4711 : serial;
	site.live_bytes = what == SITES_ARITH ? 4000 : 16;
	site.bytes = what == SITES_SUM ? 32 : 16;
	sample.trace = what == SAMPLES_TRACE ? 4711 : 300001;
	if (what == END_UNKNOWN)
		at = b_end_thread(b, 4711);
	else if (what == START_DUP)
		at = b_start_thread(b, 200001, b_object_id(b, B_O_THREAD),
				    300000, name, name, name);
	else if (what == SITES_CLASS || what == SITES_ARITH ||
		 what == SITES_SUM)
		at = b_alloc_sites(b, 0, 0, &totals, 1, &site);
	else if (what == SETTINGS)
		at = b_control_settings(b, 3, 4);
	else
		at = b_cpu_samples(b, what == SAMPLES_SUM ? 4 : 5, 1, &sample);
	damage(b, at);
	finish(b);
}

#define E(name, build, arg, shows)                                             \
	{                                                                      \
		name, build, arg, 4 | 8, B_INVALID, name, shows                \
	}
#define V(name, build, arg, shows)                                             \
	{                                                                      \
		name, build, arg, 4 | 8, B_VALID, name, shows                  \
	}
#define A(name, build, arg, shows)                                             \
	{                                                                      \
		name, build, arg, 4, B_VALID, name, shows                      \
	}

const struct b_fixture b_fixtures_rules[] = {
	V("timestamp-sane", timestamp, 0, "header time 0"),
	V("segment-too-big", segment_too_big, 0, "1.1 MB and 60 objects"),
	V("tags-vs-version", tags_vs_version, 0, "segments under 1.0.1"),
	V("end-without-segment", end_without_segment, 0,
	  "HEAP DUMP END after a HEAP DUMP"),
	E("heap-missing", heap_missing, 0, "tables and no heap"),
	V("segment-after-end", segment_after_end, 0, "a second dump"),
	A("time-order", time_order, 0, "TIME goes back"),
	V("nonheap-inside-dump", nonheap_inside, 0,
	  "a STRING between two segments"),
	A("heap-info-id", heap_info, 0, "heap 'Q' with no name"),
	V("string-dup-same", strings, DUP_SAME, "one id, one text, twice"),
	V("string-dup-diff", strings, DUP_DIFF, "one id, two texts"),
	V("string-id-zero", strings, ID_ZERO, "a STRING with id 0"),
	V("string-mutf8", strings, MUTF8, "bytes that are no UTF-8"),
	V("string-text-dup", strings, TEXT_DUP, "two ids, one text"),
	V("string-missing", strings, MISSING, "a class name not there"),
	V("string-late", strings, LATE, "a class name that comes later"),
	V("class-serial-zero", loads, SERIAL_ZERO, "class serial 0"),
	V("class-serial-dup", loads, SERIAL_DUP, "one serial, two classes"),
	V("load-dup-same", loads, LOAD_SAME, "a class loaded twice"),
	V("load-dup-diff", loads, LOAD_DIFF, "loaded under two names"),
	V("load-without-dump", loads, NO_DUMP, "loaded, not dumped"),
	V("dump-without-load", loads, NO_LOAD, "dumped, not loaded"),
	V("class-dump-dup", loads, DUMP_DUP, "dumped twice, differently"),
	V("unload-unknown", loads, UNLOAD, "unloads what was not loaded"),
	V("class-name-dup", loads, NAME_DUP, "two classes of one name"),
	V("super-zero", classes, SUPER_ZERO, "a second root class"),
	V("super-of-array", classes, SUPER_OF_ARRAY,
	  "an array class below ClassLoader"),
	V("string-unused", string_unused, 0, "a string nobody names"),
	V("string-layout", string_layout, 0, "a String without value"),
	V("segment-empty", segment_empty, 0, "a segment with nothing in it"),
	A("heap-id-change", heap_id_change, 0, "objects of two heaps"),
	V("core-class", core_class, 0, "no java.lang.String"),
	E("instsize-fields", classes, SIZE, "instance size 5, fields 4"),
	E("instsize-negative", classes, NEGATIVE, "instance size 2^31"),
	V("array-class-shape", classes, SHAPE, "an array class with a field"),
	V("field-dup", classes, FIELD_DUP, "a field twice"),
	{"field-dup-many", classes, FIELD_DUP_MANY, 4 | 8, B_VALID, "field-dup",
	 "the last of 32 fields twice"},
	V("static-dup", classes, STATIC_DUP, "a static twice"),
	V("static-boolean", classes, BOOLEAN, "a boolean that is 7"),
	V("cp-type", classes, CP_TYPE, "an int in the constant pool"),
	V("reserved-nonzero", classes, RESERVED, "a reserved id is set"),
	V("loader-missing", classes, LOADER, "a loader not dumped"),
	V("signers-pd-missing", classes, DOMAIN, "a domain not dumped"),
	V("class-is-instance", classes, IS_INSTANCE,
	  "a class that is an instance, too"),
	V("object-id-aligned", objects, UNALIGNED, "an odd id"),
	V("instance-of-array-class", objects, OF_ARRAY,
	  "an INSTANCE DUMP of Object[]"),
	V("instance-of-Class", objects, OF_CLASS, "an instance of Class"),
	V("array-class-missing", objects, ARRAY_MISSING,
	  "an array of a class not dumped"),
	V("array-class-nonarray", objects, NONARRAY,
	  "an array whose class is Order"),
	V("prim-array-class", prim_array_class, 0, "a double[] and no [D"),
	V("zero-length-arrays", objects, ZERO_LENGTH, "most arrays empty"),
	V("trace-undefined", objects, TRACE_UNDEFINED, "trace 4711"),
	V("trace-dup-same", traces, TRACE_SAME, "a trace twice"),
	V("trace-dup-diff", traces, TRACE_DIFF, "a serial, two traces"),
	V("trace-frame-missing", traces, FRAME_MISSING, "no such frame"),
	V("frame-dup-same", traces, FRAME_SAME, "a frame twice"),
	V("frame-dup-diff", traces, FRAME_DIFF, "an id, two frames"),
	V("frame-id-zero", traces, FRAME_ZERO, "frame id 0"),
	V("frame-class-missing", traces, FRAME_CLASS, "class serial 4711"),
	{"frame-class-unloaded", traces, FRAME_UNLOADED, 4 | 8, B_VALID,
	 "frame-class-missing", "a class that was unloaded"},
	V("frame-line", traces, FRAME_LINE, "line -4"),
	V("dummy-trace", dummy_trace, 0, "no trace 1"),
	V("thread-dup", roots, THREAD_DUP, "a serial, two threads"),
	V("thread-object-zero", roots, THREAD_ZERO, "thread object 0"),
	V("thread-object-class", roots, THREAD_CLASS,
	  "an order as a thread object"),
	V("thread-trace-missing", roots, THREAD_TRACE, "trace 4711"),
	V("thread-trace-mismatch", roots, THREAD_MISMATCH,
	  "another thread's trace"),
	V("root-thread-unknown", roots, THREAD_UNKNOWN, "thread 4711"),
	V("root-frame-range", roots, FRAME_RANGE, "frame 2 of 2"),
	V("root-zero", roots, ROOT_ZERO, "a root with id 0"),
	V("sticky-not-class", roots, STICKY, "an order as a class"),
	V("root-dup", roots, ROOT_DUP, "a root twice"),
	{"root-dup-many", roots, ROOT_DUP_MANY, 4 | 8, B_VALID, "root-dup",
	 "the last of 41 roots was there"},
	V("jni-ref-zero", roots, JNI_ZERO, "JNI reference 0"),
	V("roots-none", roots_none, 0, "no root at all"),
	V("sticky-none", sticky_none, 0, "no STICKY CLASS root"),
	A("end-thread-unknown", agent, END_UNKNOWN, "thread 4711 ends"),
	A("start-thread-dup", agent, START_DUP, "a thread starts twice"),
	A("sites-class-unknown", agent, SITES_CLASS, "class serial 4711"),
	A("sites-arith", agent, SITES_ARITH, "more live than allocated"),
	{"sites-sum", agent, SITES_SUM, 4, B_VALID, "sites-arith",
	 "a row with more allocated bytes than all have"},
	A("samples-sum", agent, SAMPLES_SUM, "5 samples of 4"),
	A("settings-first", agent, SETTINGS, "settings a second time"),
	{0},
};
