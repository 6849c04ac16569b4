/*
 * world_jvm.c - imitate HotSpot of several versions, the Serviceability Agent
 * (SA), native images, and dumps that Eclipse MAT exports
 */
#include "tests/builder/world_classes.h"
#include "tests/builder/world_writers.h"

/*
 * Additional classes that only Eclipse MAT writes. Their ids come after those
 * of the ordinary classes.
 */
enum { NATIVE_MEMORY = B_CLASSES, METHOD, STACK_FRAME };
/*
 * A class of a native image that has a LOAD CLASS and a root, but no class
 * dump.
 */
enum { UNDUMPED = B_CLASSES };

static bool
version_101(const struct b *b)
{
	return b->world == B_HOTSPOT_5 || b->world == B_HOTSPOT_7;
}

static bool
is_sa(const struct b *b)
{
	return b->world == B_SA || b->world == B_SA_28;
}

/*
 * Whether the imitated program writes stack traces before classes, as very old
 * HotSpot versions and the Serviceability Agent (SA) do.
 */
static bool
trace_first(const struct b *b)
{
	return b->world == B_HOTSPOT_5 || is_sa(b);
}

static void
extra_loads(struct b *b)
{
	/* JDK 8 to 18 write several LOAD CLASS records for one array class */
	if (b->world == B_HOTSPOT)
		b_load_class(b, 1 + B_CLASSES, b_class_id(b, B_C_ORDERS), 1,
			     b_intern(b, "[Lcom/acme/Order;"));
	if (b->world == B_NATIVE_IMAGE)
		b_load_class(b, 1 + UNDUMPED, b_class_id(b, UNDUMPED), 1,
			     b_intern(b, "com/acme/Unused"));
	if (b->world != B_MAT)
		return;
	b_load_class(b, 1 + NATIVE_MEMORY, b_class_id(b, NATIVE_MEMORY), 1,
		     b_intern(b, "<native memory>"));
	b_load_class(b, 1 + METHOD, b_class_id(b, METHOD), 1,
		     b_intern(b, "<method>"));
	b_load_class(b, 1 + STACK_FRAME, b_class_id(b, STACK_FRAME), 1,
		     b_intern(b, "<stack frame>"));
}

static void
extra_strings(struct b *b)
{
	if (is_sa(b))
		b_string(b, 0, "no name at all");
	if (b->world == B_NATIVE_IMAGE)
		b_intern(b, "com/acme/Unused");
	if (b->world == B_MAT) {
		b_intern(b, "<native memory>");
		b_intern(b, "<method>");
		b_intern(b, "<stack frame>");
	}
}

void
w_jvm_tables(struct b *b)
{
	uint64_t first = b->world == B_HOTSPOT_25 ? 2 : 1;
	uint64_t frames[] = {first, first + 1};

	b->next_string = b->id_size == 4 ? 0x08001000 : 0x7F0000001000;
	b_header(b,
		 version_101(b) ? "JAVA PROFILE 1.0.1" : "JAVA PROFILE 1.0.2",
		 W_TIME_MS);
	if (trace_first(b))
		b_trace(b, 1, 0, 0, NULL);
	b_mark(b, "first-string", b_here(b));
	w_strings(b);
	extra_strings(b);
	b_mark(b, "first-load", b_here(b));
	w_loads(b);
	extra_loads(b);
	if (b->world == B_HOTSPOT_5)
		return;
	b_mark(b, "first-trace", b_here(b));
	b_trace(b, 1, 0, 0,
		/* the SA writes another trace with serial number 1 */
		NULL);
	w_frames(b, first);
	b_trace(b, 2, 1, 2, frames);
	if (b->world == B_NATIVE_IMAGE)
		b_trace(b, 3, 2, 0, NULL);
}

static void
thread_roots(struct b *b)
{
	uint64_t thread = b_object_id(b, B_O_THREAD);
	uint64_t order = b_object_id(b, B_O_ORDER_1);
	bool dummy = trace_first(b), old = b->world == B_HOTSPOT_5;

	b_mark(b, "thread-root",
	       b_root_thread_object(b, thread, 1, dummy ? 1 : 2));
	if (b->world == B_SA) {
		b_root_jni_local(b, order, 1, -1);
		return;
	}
	b_root_java_frame(b, order, 1, old ? -1 : 0);
	b_root_java_frame(b, b_object_id(b, B_O_RUSH), 1, old ? -1 : 1);
	b_root_jni_local(b, b_object_id(b, B_O_NAME), 1, -1);
	if (b->world == B_NATIVE_IMAGE)
		b_root_thread_object(b, 0, 2, 3);
	if (version_101(b))
		b_root_monitor_used(b, order);
}

static void
sticky_roots(struct b *b)
{
	for (unsigned key = 0; key < B_CLASSES; key++)
		b_root_sticky_class(b, b_class_id(b, key));
}

/*
 * Write roots for JNI globals and system classes. The SA never writes JNI
 * globals, and only its recent versions write system classes.
 */
static void
global_roots(struct b *b)
{
	bool zero = b->world == B_NATIVE_IMAGE;
	uint64_t slot = b->id_size == 4 ? 0x08100010 : 0x7F0000100010;

	if (b->world == B_SA_28)
		sticky_roots(b);
	if (is_sa(b))
		return;
	b_root_jni_global(b, b_object_id(b, B_O_ORDERS), zero ? 0 : slot);
	b_root_jni_global(b, b_object_id(b, B_O_OBJECTS), zero ? 0 : slot + 8);
	for (unsigned i = B_O_BOOLEANS; i <= B_O_LONGS; i++)
		b_root_jni_global(b, b_object_id(b, i),
				  zero ? 0 : slot + 16 + 8 * i);
	sticky_roots(b);
	if (b->world == B_NATIVE_IMAGE)
		b_root_sticky_class(b, b_class_id(b, UNDUMPED));
}

static void
mirror(struct b *b)
{
	uint64_t values[] = {b_object_id(b, B_O_NAME), 0};

	w_instance(b, b_object_id(b, B_O_MIRROR), B_C_CLASS, values);
	if (!is_sa(b))
		b_root_jni_global(b, b_object_id(b, B_O_MIRROR),
				  b->world == B_NATIVE_IMAGE ? 0 : 0x7F000000);
}

/*
 * Write an instance of java.lang.Class for each class, in addition to its class
 * dump.
 */
static void
class_instances(struct b *b)
{
	uint64_t values[] = {0, 0};

	for (unsigned key = 0; key < B_CLASSES; key++)
		w_instance(b, b_class_id(b, key), B_C_CLASS, values);
}

static void
pseudo_classes(struct b *b)
{
	uint64_t memory = b_class_id(b, NATIVE_MEMORY);

	b_class(b, &(struct b_class){.id = memory});
	b_class_end(b);
	b_class(b, &(struct b_class){.id = b_class_id(b, METHOD),
				     .super = memory});
	b_class_end(b);
	b_class(b, &(struct b_class){.id = b_class_id(b, STACK_FRAME),
				     .super = memory});
	b_class_end(b);
	b_instance_zero(b, b_object_id(b, B_O_FREE + 1001),
			b_class_id(b, METHOD));
}

/*
 * Write the array that refers to the objects in HotSpot's class data archive
 * (CDS). These objects are not in the dump.
 */
static void
cds_array(struct b *b)
{
	uint64_t elements[] = {b_object_id(b, B_O_NAME), 0x7FF00010, 0,
			       0x7FF00020, 0x7FF00030};
	uint64_t id = b_object_id(b, B_O_CDS);

	b_mark(b, "cds-array",
	       b_object_array(b, id, b_class_id(b, B_C_OBJECTS), 5, elements));
	b_root_jni_global(b, id, 0x7F000008);
}

/*
 * Write the heap in the style of JDK 22 and later: one segment for each part of
 * the heap, and the roots before the objects.
 */
static void
heap_25(struct b *b)
{
	w_classes(b);
	b_close(b);
	b_segment(b);
	thread_roots(b);
	global_roots(b);
	b_close(b);
	b_segment(b);
	w_objects(b);
	b_close(b);
	b_segment(b);
	mirror(b);
	cds_array(b);
}

void
w_jvm_heap(struct b *b)
{
	bool one = version_101(b) || is_sa(b);

	b_mark(b, "heap", one ? b_heap_dump(b) : b_segment(b));
	if (b->world == B_HOTSPOT_25) {
		heap_25(b);
		return;
	}
	b_mark(b, "first-class", b_here(b));
	w_classes(b);
	if (b->world == B_MAT)
		pseudo_classes(b);
	if (b->world == B_NATIVE_IMAGE)
		thread_roots(b);
	b_mark(b, "first-object", b_here(b));
	w_objects(b);
	if (b->world == B_NATIVE_IMAGE)
		b_root_monitor_used(b, b_object_id(b, B_O_LONGS));
	mirror(b);
	if (b->world == B_NATIVE_IMAGE || b->world == B_MAT)
		class_instances(b);
	b_mark(b, "first-root", b_here(b));
	if (b->world != B_NATIVE_IMAGE)
		thread_roots(b);
	global_roots(b);
}
