/*
 * world_android.c - imitate Android's ART and Dalvik, and a dump of ART that
 * hprof-conv has converted
 *
 * The same functions write the dump of ART and the output of hprof-conv. If the
 * variable conv is set, they replace the records of Android as hprof-conv does.
 */
#include "tests/builder/world_classes.h"
#include "tests/builder/world_writers.h"

static bool
conv(const struct b *b)
{
	return b->world == B_HPROF_CONV;
}

static void
heap_info(struct b *b, uint32_t heap, const char *name)
{
	if (!conv(b))
		b_heap_info(b, heap, b_intern(b, name));
}

static void
android_root(struct b *b, unsigned subtag, uint64_t id)
{
	b_root(b, conv(b) ? B_ROOT_UNKNOWN : subtag, id);
}

static void
next_segment(struct b *b)
{
	b_close(b);
	b_segment(b);
}

static void
load_int(struct b *b)
{
	b_load_class(b, b_class_serial(b, B_CLASSES), b_class_id(b, B_CLASSES),
		     b->trace, b_intern(b, "int"));
}

void
w_android_tables(struct b *b)
{
	uint64_t frames[] = {0, 1}, shared[] = {1};

	b->next_string = b->world == B_DALVIK ? 0xB8F92BC0 : 0x400000;
	b->string_step = b->world == B_DALVIK ? 40 : 1;
	b->trace = 0;
	b_header(b, conv(b) ? "JAVA PROFILE 1.0.2" : "JAVA PROFILE 1.0.3",
		 W_TIME_MS);
	w_strings(b);
	b_intern(b, "int");
	b_intern(b, "app");
	b_intern(b, b->world == B_DALVIK ? "zygote" : "image");
	w_loads(b);
	load_int(b);
	b_mark(b, "first-trace", b_here(b));
	b_trace(b, 0, 0, 0, NULL);
	if (b->world == B_DALVIK)
		return;
	w_frames(b, 0);
	b_trace(b, 1, 4711, 2, frames);
	w_frames(b, 0); /* Dalvik repeats the frames before every trace */
	b_trace(b, 2, 4711, 1, shared);
}

static void
int_class(struct b *b)
{
	b_class(b, &(struct b_class){
			   .id = b_class_id(b, B_CLASSES),
			   .super = b->world == B_DALVIK
					    ? 0
					    : b_class_id(b, B_C_OBJECT)});
	b_class_end(b);
}

static void
overhead(struct b *b)
{
	b_byte_array(b, b_class_id(b, B_C_ORDER) | 1, "\0\0\0\0\0\0\0", 8);
}

static void
thread_roots(struct b *b)
{
	uint64_t thread = b_object_id(b, B_O_THREAD);

	b_root_thread_object(b, thread, 1, w_art(b) ? 0xFFFFFFFF : 0);
	b_root_java_frame(b, b_object_id(b, B_O_ORDER_1), 1, -1);
	b_root_jni_local(b, b_object_id(b, B_O_RUSH), 1, -1);
}

static void
art_roots(struct b *b)
{
	thread_roots(b);
	for (unsigned key = 0; key <= B_CLASSES; key++)
		b_root_sticky_class(b, b_class_id(b, key));
	b_root_sticky_class(
		b,
		b_object_id(b, B_O_OBJECTS)); /* a sticky class root that refers
						 to an object, not a class */
	b_root_jni_global(b, b_object_id(b, B_O_ORDERS), 0);
	b_root_monitor_used(b, b_object_id(b, B_O_ORDER_2));
	b_root_native_stack(b, b_object_id(b, B_O_ORDER_2), 1);
	b_root_thread_block(b, b_object_id(b, B_O_THREAD), 1);
	android_root(b, B_ROOT_INTERNED_STRING, b_object_id(b, B_O_NAME));
	android_root(b, B_ROOT_FINALIZING, b_object_id(b, B_O_ORDER_2));
	android_root(b, B_ROOT_DEBUGGER, b_object_id(b, B_O_LOADER));
	if (conv(b))
		b_root_unknown(b, b_object_id(b, B_O_ORDER_1));
	else
		b_root_jni_monitor(b, b_object_id(b, B_O_ORDER_1), 1, -1);
	for (unsigned i = B_O_BOOLEANS; i <= B_O_LONGS; i++)
		android_root(b, B_ROOT_VM_INTERNAL, b_object_id(b, i));
}

static void
art_heap(struct b *b)
{
	art_roots(b);
	next_segment(b);
	next_segment(
		/*
		 * ART skips a root that it has already written, which can leave
		 * a segment empty
		 */
		b);
	b_mark(b, "empty-segment", b->record);
	next_segment(b);
	heap_info(b, 'I', "image");
	b_mark(b, "first-class", b_here(b));
	w_classes(b);
	int_class(b);
	next_segment(b);
	heap_info(b, 'A', "app");
	overhead(b);
	b->trace = 1;
	b_mark(b, "first-object", b_here(b));
	w_objects(b);
	b->trace = 0;
}

static void
dalvik_heap(struct b *b)
{
	for (unsigned key = 0; key <= B_CLASSES; key++)
		b_root_sticky_class(b, b_class_id(b, key));
	b_root_finalizing(b, b_object_id(b, B_O_ORDER_2));
	b_root_interned_string(b, b_object_id(b, B_O_NAME));
	b_root_jni_global(b, b_object_id(b, B_O_ORDERS), 0x1D200002);
	thread_roots(b);
	b_root_debugger(b, b_object_id(b, B_O_LOADER));
	for (unsigned i = B_O_BOOLEANS; i <= B_O_LONGS; i++)
		b_root_vm_internal(b, b_object_id(b, i));
	next_segment(b);
	heap_info(b, 'Z', "zygote");
	b_mark(b, "first-class", b_here(b));
	w_classes(b);
	int_class(b);
	overhead(b);
	next_segment(b);
	heap_info(b, 'A', "app");
	b_mark(b, "first-object", b_here(b));
	w_objects(b);
}

void
w_android_heap(struct b *b)
{
	b_mark(b, "heap", b_segment(b));
	if (b->world == B_DALVIK)
		dalvik_heap(b);
	else
		art_heap(b);
}
