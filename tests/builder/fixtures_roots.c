/*
 * fixtures_roots.c - test dumps with objects that have several roots, and with
 * threads that have several roots
 */
#include "tests/builder/fixtures.h"

#include <stdio.h>

enum {
	KINDS = 13,
	CHAINED = 90, /* the number of the first additional class */
	HELD = CHAINED + KINDS,
	STACKS = 6,
	NO_THREAD = 4711,
};

/*
 * The tags of all roots except those of classes and threads, the most important
 * first. If an object has several roots, the most important one counts.
 */
static const unsigned kinds[KINDS] = {
	B_ROOT_JNI_GLOBAL,	 B_ROOT_UNKNOWN,      B_ROOT_JAVA_FRAME,
	B_ROOT_JNI_LOCAL,	 B_ROOT_NATIVE_STACK, B_ROOT_THREAD_BLOCK,
	B_ROOT_MONITOR_USED,	 B_ROOT_JNI_MONITOR,  B_ROOT_INTERNED_STRING,
	B_ROOT_VM_INTERNAL,	 B_ROOT_FINALIZING,   B_ROOT_DEBUGGER,
	B_ROOT_REFERENCE_CLEANUP};

static size_t
root(struct b *b, unsigned kind, uint64_t id)
{
	switch (kind) {
	case B_ROOT_JNI_GLOBAL:
		return b_root_jni_global(b, id, 0x4000);
	case B_ROOT_JNI_LOCAL:
		return b_root_jni_local(b, id, NO_THREAD, -1);
	case B_ROOT_JAVA_FRAME:
		return b_root_java_frame(b, id, NO_THREAD, -1);
	case B_ROOT_NATIVE_STACK:
		return b_root_native_stack(b, id, NO_THREAD);
	case B_ROOT_THREAD_BLOCK:
		return b_root_thread_block(b, id, NO_THREAD);
	case B_ROOT_JNI_MONITOR:
		return b_root_jni_monitor(b, id, NO_THREAD, -1);
	default:
		return b_root(b, kind, id);
	}
}

static uint64_t
object(struct b *b, unsigned n)
{
	uint64_t id = b_object_id(b, B_O_FREE + n);

	b_class(b, &(struct b_class){.id = b_class_id(b, CHAINED + n),
				     .super = b_class_id(b, B_C_OBJECT)});
	b_class_end(b);
	b_instance_zero(b, id, b_class_id(b, CHAINED + n));
	return id;
}

/*
 * Build a dump with an object array in a static field. Other roots, for example
 * of stacks and monitors, refer to the elements of the array.
 */
static void
held(struct b *b)
{
	uint64_t array = b_object_id(b, B_O_FREE + HELD), elements[STACKS];

	b_class(b, &(struct b_class){.id = b_class_id(b, HELD),
				     .super = b_class_id(b, B_C_OBJECT)});
	b_static(b, b_intern(b, "ALL"), B_OBJECT, array);
	b_class_end(b);
	b_root_sticky_class(b, b_class_id(b, HELD));
	for (unsigned i = 0; i < STACKS; i++) {
		elements[i] = b_object_id(b, B_O_FREE + HELD + 1 + i);
		b_instance_zero(b, elements[i], b_class_id(b, HELD));
		root(b, kinds[2 + i], elements[i]);
	}
	b_object_array(b, array, b_class_id(b, B_C_OBJECTS), STACKS, elements);
}

/*
 * Build a dump with objects of the classes Roots00, Roots01 and so on. The
 * first object has a root of each kind, and each further object has one kind
 * fewer. The most important root of an object counts. If @arg is not 0, this
 * root is the last one in the file.
 */
static void
several_roots(struct b *b, int arg)
{
	char name[32];

	b_world_tables(b, B_HOTSPOT);
	for (unsigned i = 0; i < KINDS; i++) {
		snprintf(name, sizeof(name), "com/acme/Roots%02u", i);
		b_world_load(b, CHAINED + i, name);
	}
	b_world_load(b, HELD, "com/acme/Held");
	b_intern(b, "ALL");
	b_world_heap(b);
	for (unsigned i = 0; i < KINDS; i++) {
		uint64_t id = object(b, i);

		for (unsigned k = i; k < KINDS; k++) {
			unsigned kind = kinds[arg ? KINDS - 1 - (k - i) : k];
			size_t at = root(b, kind, id);

			if (i == 0 && kind == B_ROOT_JAVA_FRAME)
				b_mark(b, "damage", at);
		}
	}
	held(b);
	b_world_end(b);
}

/*
 * Build a dump in which a thread has two ROOT THREAD OBJECT records. The first
 * refers to null, or to a missing object if @arg is not 0. The second refers to
 * the thread object.
 */
static void
second_object(struct b *b, int arg)
{
	uint64_t id = b_object_id(b, B_O_FREE), local = id + 0x100;

	b_world_tables(b, B_HOTSPOT);
	b_world_heap(b);
	b_root_thread_object(b, arg ? local + 0x100 : 0, NO_THREAD, 0);
	b_mark(b, "damage", b_root_thread_object(b, id, NO_THREAD, 2));
	b_root_java_frame(b, local, NO_THREAD, 0);
	b_instance_zero(b, id, b_class_id(b, B_C_THREAD));
	b_instance_zero(b, local, b_class_id(b, B_C_ORDER));
	b_world_end(b);
}

const struct b_fixture b_fixtures_roots[] = {
	{"several-roots", several_roots, 0, 4 | 8, B_VALID,
	 "root-thread-unknown", "objects that roots of many kinds name"},
	{"several-roots-last", several_roots, 1, 4 | 8, B_VALID,
	 "root-thread-unknown", "the same, in the opposite order"},
	{"thread-root-zero", second_object, 0, 4 | 8, B_VALID, "thread-dup",
	 "a thread with a root of null, then its object's"},
	{"thread-root-missing", second_object, 1, 4 | 8, B_VALID, "thread-dup",
	 "a thread with a root of nothing, then its object's"},
	{0},
};
