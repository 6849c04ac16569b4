/*
 * fixtures_native.c - objects that own memory outside the heap, and objects
 * that only seem to own such memory
 */
#include "tests/builder/fixtures.h"

enum { ANDROID, JVM };

enum {
	N_OBJECT,
	N_REFERENCE,
	N_CLEANER,
	N_THUNK,
	N_REGISTRY,
	N_BUFFER,
	N_DIRECT,
	N_READ_ONLY,
	N_BITMAP,
	N_ALL,
};

static const struct {
	const char *name;
	unsigned super;
	const char *fields[2];
	unsigned type;
} classes[N_ALL] = {
	[N_OBJECT] = {"java/lang/Object", 0, {0}, 0},
	[N_REFERENCE] = {"java/lang/ref/Reference",
			 N_OBJECT,
			 {"referent"},
			 B_OBJECT},
	[N_CLEANER] = {"sun/misc/Cleaner",
		       N_REFERENCE,
		       {"next", "thunk"},
		       B_OBJECT},
	[N_THUNK] = {"libcore/util/NativeAllocationRegistry$CleanerThunk",
		     N_OBJECT,
		     {"this$0"},
		     B_OBJECT},
	[N_REGISTRY] = {"libcore/util/NativeAllocationRegistry",
			N_OBJECT,
			{"size"},
			B_LONG},
	[N_BUFFER] = {"java/nio/Buffer", N_OBJECT, {"capacity"}, B_INT},
	[N_DIRECT] = {"java/nio/DirectByteBuffer",
		      N_BUFFER,
		      {"att", "cleaner"},
		      B_OBJECT},
	[N_READ_ONLY] = {"java/nio/DirectByteBufferR", N_DIRECT, {0}, 0},
	[N_BITMAP] = {"Bitmap", N_OBJECT, {0}, 0},
};

static uint64_t
class_id(unsigned n)
{
	return 0x1000 + 8 * (uint64_t)n;
}

static void
write_class(struct b *b, unsigned n)
{
	b_class(b,
		&(struct b_class){
			.id = class_id(n),
			.super = n == N_OBJECT ? 0 : class_id(classes[n].super),
			.size = B_AUTO});
	for (unsigned i = 0; i < 2 && classes[n].fields[i]; i++)
		b_field(b, b_intern(b, classes[n].fields[i]), classes[n].type);
	b_class_end(b);
}

static void
cleaner(struct b *b, uint64_t id, uint64_t next, uint64_t thunk,
	uint64_t referent)
{
	b_instance(b, id, class_id(N_CLEANER));
	b_value(b, B_OBJECT, next);
	b_value(b, B_OBJECT, thunk);
	b_value(b, B_OBJECT, referent);
	b_instance_end(b);
}

static void
one_value(struct b *b, uint64_t id, unsigned class, unsigned type,
	  uint64_t value)
{
	b_instance(b, id, class_id(class));
	b_value(b, type, value);
	b_instance_end(b);
}

static void
buffer(struct b *b, uint64_t id, unsigned class, uint64_t attached,
       uint64_t cleaned_by, uint64_t capacity)
{
	b_instance(b, id, class_id(class));
	b_value(b, B_OBJECT, attached);
	b_value(b, B_OBJECT, cleaned_by);
	b_value(b, B_INT, capacity);
	b_instance_end(b);
}

/*
 * Build a dump with two Android bitmaps that own 4,096 bytes of native memory
 * each, and a byte[] that owns 1,000 bytes. One of the bitmaps has a flag in
 * its size. Three objects own no native memory: a cleaner that has already run,
 * a cleaner with another thunk, and an object with a negative size.
 */
static void
registered(struct b *b)
{
	one_value(b, 0x3000, N_REGISTRY, B_LONG, 4097);
	one_value(b, 0x3010, N_REGISTRY, B_LONG, 1000);
	one_value(b, 0x3020, N_REGISTRY, B_LONG, UINT64_MAX);
	one_value(b, 0x3100, N_THUNK, B_OBJECT, 0x3000);
	one_value(b, 0x3110, N_THUNK, B_OBJECT, 0x3010);
	one_value(b, 0x3120, N_THUNK, B_OBJECT, 0x3020);
	cleaner(b, 0x4000, 0x4020, 0x3100, 0x5000);
	cleaner(b, 0x4020, 0, 0x3100, 0x5010);
	cleaner(b, 0x4040, 0, 0x3110, 0x5100);
	cleaner(b, 0x4060, 0x4060, 0x3100, 0x5020);
	cleaner(b, 0x4080, 0, 0x5020, 0x5020);
	cleaner(b, 0x40a0, 0, 0x3120, 0x5020);
	for (uint64_t i = 0; i < 3; i++)
		b_instance_zero(b, 0x5000 + 0x10 * i, class_id(N_BITMAP));
	b_primitive_array(b, 0x5100, B_BYTE, 4, NULL);
}

/*
 * Build a dump with a direct buffer that owns 100 bytes of native memory, and a
 * buffer of a subclass that owns 7 bytes. A view of a buffer, and a buffer
 * without a cleaner, own no native memory. On Android, none of these objects is
 * counted as an owner.
 */
static void
buffers(struct b *b)
{
	buffer(b, 0x6000, N_DIRECT, 0, 0x4000, 100);
	buffer(b, 0x6020, N_READ_ONLY, 0, 0x4000, 7);
	buffer(b, 0x6040, N_DIRECT, 0x6000, 0x4000, 50);
	buffer(b, 0x6060, N_DIRECT, 0, 0, 3000);
}

static void
native_memory(struct b *b, int arg)
{
	b_header(b,
		 arg == ANDROID ? "JAVA PROFILE 1.0.3" : "JAVA PROFILE 1.0.2",
		 1700000000000u);
	for (unsigned n = 0; n < N_ALL; n++) {
		for (unsigned i = 0; i < 2 && classes[n].fields[i]; i++)
			b_intern(b, classes[n].fields[i]);
		b_load_class(b, n + 1, class_id(n), 0,
			     b_intern(b, classes[n].name));
	}
	b_intern(b, "app");
	b_intern(b, "image");
	b_segment(b);
	for (unsigned n = 0; n < N_ALL; n++)
		b_root_sticky_class(b, class_id(n));
	b_root_jni_global(b, 0x4000, 1);
	if (arg == ANDROID)
		b_heap_info(b, 'I', b_intern(b, "image"));
	for (unsigned n = 0; n < N_ALL; n++)
		write_class(b, n);
	if (arg == ANDROID)
		b_heap_info(b, 'A', b_intern(b, "app"));
	if (arg == ANDROID)
		registered(b);
	buffers(b);
	b_close(b);
	b_heap_dump_end(b);
}

const struct b_fixture b_fixtures_native[] = {
	{"native-android", native_memory, ANDROID, 4, B_VALID, "core-class",
	 "Android: cleaners of NativeAllocationRegistry"},
	{"native-jvm", native_memory, JVM, 4 | 8, B_VALID, "core-class",
	 "a JVM: direct buffers, a view, one without a cleaner"},
	{0},
};
