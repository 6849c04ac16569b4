/*
 * fixtures_dialects.c - test dumps that are unusual for HotSpot, or that its
 * old versions write
 *
 * Some of these dumps have arrays that refer to missing objects, or lack roots.
 * Others have a string with id 0, names after the heap, or an id that a class
 * and an object share.
 */
#include "common/format/heap.h"
#include "common/format/reader.h"
#include "tests/builder/fixtures.h"

#define ABSENT 0x7FF00010u /* an id that no object of the dump has */

enum { ROOTED = 1, TWIN = 90, MIRRORS = 91, HEADER = 31 };

static void
damage(struct b *b, size_t at)
{
	b_mark(b, "damage", at);
}

/*
 * Build a dump with an Object[] that refers to a missing object. Nothing refers
 * to the array.
 */
static void
object_array(struct b *b, int arg)
{
	uint64_t elements[] = {0, ABSENT}, id = b_object_id(b, B_O_FREE);

	b_world_tables(b, B_HOTSPOT);
	b_world_heap(b);
	damage(b,
	       b_object_array(b, id, b_class_id(b, B_C_OBJECTS), 2, elements));
	if (arg == ROOTED)
		b_root_jni_global(b, id, 0x1234);
	b_world_end(b);
}

/*
 * Build a dump of JDK 7 with an array that refers to a missing object. @arg
 * selects the class of the array: Object[], String[], Class[] or Order[].
 */
static void
old_array(struct b *b, int arg)
{
	static const struct {
		unsigned class;
		const char *name;
	} more[] = {{TWIN, "[Ljava/lang/String;"},
		    {MIRRORS, "[Ljava/lang/Class;"}};
	uint64_t elements[] = {0, ABSENT}, id = b_object_id(b, B_O_FREE);

	b_world_tables(b, B_HOTSPOT_7);
	for (int i = 0; i < 2; i++)
		b_load_class(b, b_class_serial(b, more[i].class),
			     b_class_id(b, more[i].class), 1,
			     b_intern(b, more[i].name));
	b_world_heap(b);
	for (int i = 0; i < 2; i++) {
		b_class(b,
			&(struct b_class){.id = b_class_id(b, more[i].class),
					  .super = b_class_id(b, B_C_OBJECT)});
		b_class_end(b);
	}
	damage(b, b_object_array(b, id, b_class_id(b, (unsigned)arg), 2,
				 elements));
	b_root_java_frame(b, id, 1, 0);
	b_world_end(b);
}

/*
 * Build a dump of JDK 7 with a root whose object is missing. The root is a JNI
 * GLOBAL if @arg is ROOTED, otherwise a MONITOR USED.
 */
static void
old_root(struct b *b, int arg)
{
	b_world_tables(b, B_HOTSPOT_7);
	b_world_heap(b);
	damage(b, arg == ROOTED ? b_root_jni_global(b, ABSENT, 0x1234)
				: b_root_monitor_used(b, ABSENT));
	b_world_end(b);
}

static void
old_string(struct b *b, int arg)
{
	b_world_tables(b, B_HOTSPOT_5);
	damage(b, b_string(b, 0, "no id"));
	b_world_heap(b);
	b_world_end(b);
}

/*
 * Build a dump in which all strings except the first, and all classes and
 * traces, come after the heap.
 */
static void
late_names(struct b *b, int arg)
{
	enum { HEAD = 9 };
	size_t tables;

	b_world_tables(b, B_HOTSPOT);
	tables = b->len;
	b_world_heap(b);
	b_world_end(b);
	b_move_to_end(b, HEADER + HEAD + b->data[HEADER + HEAD - 1], tables);
}

enum { MARKER, MARKER_FIRST, MARKER_ANDROID, MARKER_OTHER, MARKER_LONG };

/*
 * Build a dump that has a record with the tag 0xDE. The tool hprof-analyzer
 * adds such a record to a dump when it removes data. @what selects a correct
 * record or one of several errors.
 */
static void
redacted(struct b *b, int what)
{
	static uint8_t body[4097] = "HPROF-REDACT\1zeroed";
	size_t length = what == MARKER_LONG ? sizeof(body) : 19;
	size_t from;

	body[6] = what == MARKER_OTHER ? 'r' : 'R';
	b_world_tables(b, what == MARKER_ANDROID ? B_ART : B_HOTSPOT);
	from = b->len;
	b_record(b, 0xDE, body, length);
	if (what == MARKER_FIRST)
		b_move_to_end(b, HEADER, from);
	damage(b, what == MARKER_FIRST ? HEADER : from);
	b_world_heap(b);
	b_world_end(b);
}

/*
 * Write the records before the heap, with the LOAD CLASS of a class whose id is
 * also the id of an object. Returns this id.
 */
static uint64_t
begin_twin(struct b *b)
{
	uint64_t id = b_class_id(b, TWIN);

	b_world_tables(b, B_HOTSPOT);
	b_load_class(b, b_class_serial(b, TWIN), id, 1,
		     b_intern(b, "com/acme/Extra"));
	b_world_heap(b);
	return id;
}

static size_t
twin_class(struct b *b, uint64_t id)
{
	size_t at =
		b_class(b, &(struct b_class){.id = id,
					     .super = b_class_id(b, B_C_OBJECT),
					     .size = B_AUTO});

	b_class_end(b);
	return at;
}

/*
 * Build a dump in which a class and an object have the same id. @arg is the
 * class of the object.
 */
static void
twin(struct b *b, int arg)
{
	uint64_t class = b_class_id(b, (unsigned)arg), id = begin_twin(b);

	twin_class(b, id);
	if (arg == B_C_ORDERS)
		damage(b, b_object_array(b, id, class, 0, NULL));
	else
		damage(b, b_instance_zero(b, id, class));
	b_world_end(b);
}

/*
 * Build a dump in which a class and an object have the same id. The object
 * comes first, so the class is not known yet when the object is read.
 */
static void
later_twin(struct b *b, int arg)
{
	uint64_t id = begin_twin(b);

	b_instance_zero(b, id, b_class_id(b, B_C_ORDER));
	damage(b, twin_class(b, id));
	b_world_end(b);
}

static size_t
find_load(const struct b *b, uint64_t id)
{
	size_t at = b_at(b, "first-load");

	while (b->data[at] != HP_REC_LOAD_CLASS ||
	       hp_load_id(b->data + at + 13, b->id_size) != id)
		at += 9 + hp_load4(b->data + at + 5);
	return at;
}

/*
 * Build a dump in which an object and a class dump have the same id. The object
 * comes before the record that shows which class is java.lang.Class.
 */
static void
early_twin(struct b *b, int arg)
{
	uint64_t id = begin_twin(b), class = b_class_id(b, B_C_CLASS);
	size_t load, at, end;

	twin_class(b, id);
	at = b_instance_zero(b, id, class);
	b_close(b);
	end = b_here(b);
	load = find_load(b, class);
	b_dup_record(b, load);
	/*
	 * removing the first copy of the LOAD CLASS record moves the class
	 * dump, which was at offset @at, towards the beginning
	 */
	damage(b, at - (b_here(b) - end));
	b_remove_record(b, load);
	b_segment(b);
	b_world_end(b);
}

#define V(name, build, arg, rule, shows)                                       \
	{                                                                      \
		name, build, arg, 4 | 8, B_VALID, rule, shows                  \
	}
#define E(name, build, arg, rule, shows)                                       \
	{                                                                      \
		name, build, arg, 4 | 8, B_INVALID, rule, shows                \
	}

const struct b_fixture b_fixtures_habits[] = {
	V("array-rooted", object_array, ROOTED, "ref-dangling-array",
	  "an Object[] of archived objects"),
	V("array-unrooted", object_array, 0, "ref-dangling-array",
	  "an Object[] that no root names"),
	V("array-jdk7", old_array, B_C_OBJECTS, "ref-dangling-array",
	  "an Object[] of the permanent generation"),
	V("array-jdk7-strings", old_array, TWIN, "ref-dangling-array",
	  "a String[] of the permanent generation"),
	V("array-jdk7-classes", old_array, MIRRORS, "ref-dangling-array",
	  "a Class[] with int.class, which JDK 7 does not dump"),
	V("array-jdk7-orders", old_array, B_C_ORDERS, "ref-dangling-array",
	  "an Order[] that JDK 7 would not leave so"),
	V("root-jdk7", old_root, ROOTED, "root-missing",
	  "a JNI global of JDK 7 for an object of the VM"),
	V("root-jdk7-monitor", old_root, 0, "root-missing",
	  "a monitor of JDK 7 that is not in the dump"),
	V("string-id-zero-jdk5", old_string, 0, "string-id-zero",
	  "a STRING with id 0, as of JDK 5"),
	V("late-names", late_names, 0, NULL,
	  "strings and classes after the heap"),
	V("redacted", redacted, MARKER, "tag-unknown",
	  "the marker of hprof-analyzer"),
	V("redacted-first", redacted, MARKER_FIRST, "tag-unknown",
	  "the same as the first record"),
	{"redacted-art", redacted, MARKER_ANDROID, 4, B_VALID, "tag-unknown",
	 "the same in a dump of Android"},
	V("redacted-other", redacted, MARKER_OTHER, "tag-unknown",
	  "a record 0xDE that begins otherwise"),
	V("redacted-long", redacted, MARKER_LONG, "tag-unknown",
	  "a record 0xDE that is too long for a marker"),
	V("class-is-early", early_twin, 0, "class-is-instance",
	  "a class object before the name of its class"),
	E("class-is-later", later_twin, 0, "class-is-instance",
	  "an order and, behind it, a class share an id"),
	E("class-is-order", twin, B_C_ORDER, "class-is-instance",
	  "a class and an order share an id"),
	E("class-is-array", twin, B_C_ORDERS, "class-is-instance",
	  "a class and an array share an id"),
	{0},
};
