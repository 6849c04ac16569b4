/*
 * heap.c - the dump builder: write the sub-records of the heap
 *
 * The functions append at the end of the dump, and do not check that a heap
 * record was begun.
 */
#include "tests/builder/builder.h"
#include "tests/builder/internal.h"

#include <string.h>

static size_t
sub(struct b *b, unsigned tag)
{
	size_t at = b_here(b);

	if (b->instance != B_NONE || b->class_at != B_NONE)
		b_fail("a sub-record is open already");
	b->subrecords[tag & 0xFF]++;
	b_u1(b, tag);
	return at;
}

/* --- write roots ------------------------------------------------------ */

size_t
b_root(struct b *b, unsigned subtag, uint64_t id)
{
	size_t at = sub(b, subtag);

	b_id(b, id);
	return at;
}

static size_t
root_u4(struct b *b, unsigned subtag, uint64_t id, uint32_t v)
{
	size_t at = b_root(b, subtag, id);

	b_u4(b, v);
	return at;
}

static size_t
root_u4_u4(struct b *b, unsigned subtag, uint64_t id, uint32_t v, uint32_t w)
{
	size_t at = root_u4(b, subtag, id, v);

	b_u4(b, w);
	return at;
}

size_t
b_root_unknown(struct b *b, uint64_t id)
{
	return b_root(b, B_ROOT_UNKNOWN, id);
}

size_t
b_root_sticky_class(struct b *b, uint64_t id)
{
	return b_root(b, B_ROOT_STICKY_CLASS, id);
}

size_t
b_root_monitor_used(struct b *b, uint64_t id)
{
	return b_root(b, B_ROOT_MONITOR_USED, id);
}

size_t
b_root_jni_global(struct b *b, uint64_t id, uint64_t ref)
{
	size_t at = b_root(b, B_ROOT_JNI_GLOBAL, id);

	b_id(b, ref);
	return at;
}

size_t
b_root_jni_local(struct b *b, uint64_t id, uint32_t thread, int32_t frame)
{
	return root_u4_u4(b, B_ROOT_JNI_LOCAL, id, thread, (uint32_t)frame);
}

size_t
b_root_java_frame(struct b *b, uint64_t id, uint32_t thread, int32_t frame)
{
	return root_u4_u4(b, B_ROOT_JAVA_FRAME, id, thread, (uint32_t)frame);
}

size_t
b_root_native_stack(struct b *b, uint64_t id, uint32_t thread)
{
	return root_u4(b, B_ROOT_NATIVE_STACK, id, thread);
}

size_t
b_root_thread_block(struct b *b, uint64_t id, uint32_t thread)
{
	return root_u4(b, B_ROOT_THREAD_BLOCK, id, thread);
}

size_t
b_root_thread_object(struct b *b, uint64_t id, uint32_t thread, uint32_t trace)
{
	return root_u4_u4(b, B_ROOT_THREAD_OBJECT, id, thread, trace);
}

size_t
b_root_interned_string(struct b *b, uint64_t id)
{
	return b_root(b, B_ROOT_INTERNED_STRING, id);
}

size_t
b_root_finalizing(struct b *b, uint64_t id)
{
	return b_root(b, B_ROOT_FINALIZING, id);
}

size_t
b_root_debugger(struct b *b, uint64_t id)
{
	return b_root(b, B_ROOT_DEBUGGER, id);
}

size_t
b_root_reference_cleanup(struct b *b, uint64_t id)
{
	return b_root(b, B_ROOT_REFERENCE_CLEANUP, id);
}

size_t
b_root_vm_internal(struct b *b, uint64_t id)
{
	return b_root(b, B_ROOT_VM_INTERNAL, id);
}

size_t
b_root_jni_monitor(struct b *b, uint64_t id, uint32_t thread, int32_t frame)
{
	return root_u4_u4(b, B_ROOT_JNI_MONITOR, id, thread, (uint32_t)frame);
}

size_t
b_unreachable(struct b *b, uint64_t id)
{
	return b_root(b, B_UNREACHABLE, id);
}

size_t
b_heap_info(struct b *b, uint32_t heap, uint64_t name)
{
	size_t at = sub(b, B_HEAP_DUMP_INFO);

	b_u4(b, heap);
	b_id(b, name);
	return at;
}

/* --- write classes ---------------------------------------------------- */

static struct b_known_class *
known(const struct b *b, uint64_t class_id)
{
	for (size_t i = b->nclasses; i-- > 0;)
		if (b->classes[i].id == class_id)
			return &b->classes[i];
	return NULL;
}

uint32_t
b_expected(const struct b *b, uint64_t class_id)
{
	uint32_t sum = 0;
	size_t steps = 0;
	const struct b_known_class *k;

	for (k = known(b, class_id); k && steps++ < b->nclasses;
	     k = known(b, k->super))
		sum += k->own;
	return sum;
}

size_t
b_class(struct b *b, const struct b_class *c)
{
	size_t at = sub(b, B_CLASS_DUMP);

	b->class_at = b->len - 1;
	b_id(b, c->id);
	b_u4(b, b->trace);
	b_id(b, c->super);
	b_id(b, c->loader);
	b_id(b, c->signers);
	b_id(b, c->domain);
	b_id(b, c->reserved[0]);
	b_id(b, c->reserved[1]);
	b_u4(b, c->size);
	b->table = 0;
	b->count_at = b->len;
	b_u2(b, 0);
	b->classes = b_grow_one(b->classes, b->nclasses, sizeof *b->classes);
	b->classes[b->nclasses++] =
		(struct b_known_class){.id = c->id, .super = c->super};
	return at;
}

/*
 * Add an entry to table number @table of the class dump that is being built. If
 * tables before it have no entries, write them as empty.
 */
static void
entry(struct b *b, unsigned table)
{
	if (b->class_at == B_NONE || b->table > table)
		b_fail("constants, statics, fields come in this order");
	for (; b->table < table; b->table++) {
		b->count_at = b->len;
		b_u2(b, 0);
	}
	b_patch_u2(b, b->count_at,
		   b->data[b->count_at] * 256u + b->data[b->count_at + 1] + 1);
}

void
b_constant(struct b *b, unsigned index, unsigned type, uint64_t v)
{
	entry(b, 0);
	b_u2(b, index);
	b_u1(b, type);
	b_value(b, type, v);
}

void
b_static(struct b *b, uint64_t name, unsigned type, uint64_t v)
{
	entry(b, 1);
	b_id(b, name);
	b_u1(b, type);
	b_value(b, type, v);
}

void
b_field(struct b *b, uint64_t name, unsigned type)
{
	entry(b, 2);
	b_id(b, name);
	b_u1(b, type);
	b->classes[b->nclasses - 1].own += b_type_size(b, type);
}

void
b_class_end(struct b *b)
{
	static const uint8_t automatic[4] = {0xFF, 0xFF, 0xFF, 0xFF};
	size_t size_at;

	if (b->class_at == B_NONE)
		b_fail("no class is open");
	for (; b->table < 2; b->table++)
		b_u2(b, 0);
	size_at = b->class_at + 5 + 7 * (b->id_size == 4 ? 4u : 8u);
	if (memcmp(b->data + size_at, automatic, 4) == 0)
		b_patch_u4(b, size_at,
			   b_expected(b, b->classes[b->nclasses - 1].id));
	b->class_at = B_NONE;
}

/* --- write objects ---------------------------------------------------- */

size_t
b_instance(struct b *b, uint64_t id, uint64_t class_id)
{
	size_t at = sub(b, B_INSTANCE_DUMP);

	b_id(b, id);
	b_u4(b, b->trace);
	b_id(b, class_id);
	b->instance = b->len;
	b_u4(b, 0);
	return at;
}

void
b_instance_end(struct b *b)
{
	if (b->instance == B_NONE)
		b_fail("no instance is open");
	b_patch_u4(b, b->instance, (uint32_t)(b->len - b->instance - 4));
	b->instance = B_NONE;
}

size_t
b_instance_bytes(struct b *b, uint64_t id, uint64_t class_id, const void *bytes,
		 size_t n)
{
	size_t at = b_instance(b, id, class_id);

	b_bytes(b, bytes, n);
	b_instance_end(b);
	return at;
}

size_t
b_instance_zero(struct b *b, uint64_t id, uint64_t class_id)
{
	size_t at = b_instance(b, id, class_id);

	b_zeros(b, b_expected(b, class_id));
	b_instance_end(b);
	return at;
}

size_t
b_object_array(struct b *b, uint64_t id, uint64_t class_id, uint32_t n,
	       const uint64_t *elements)
{
	size_t at = sub(b, B_OBJECT_ARRAY_DUMP);

	b_id(b, id);
	b_u4(b, b->trace);
	b_u4(b, n);
	b_id(b, class_id);
	for (uint32_t i = 0; i < n; i++)
		b_id(b, elements ? elements[i] : 0);
	return at;
}

static size_t
primitive_head(struct b *b, unsigned subtag, uint64_t id, unsigned type,
	       uint32_t n)
{
	size_t at = sub(b, subtag);

	b_id(b, id);
	b_u4(b, b->trace);
	b_u4(b, n);
	b_u1(b, type);
	return at;
}

size_t
b_primitive_array(struct b *b, uint64_t id, unsigned type, uint32_t n,
		  const uint64_t *values)
{
	size_t at = primitive_head(b, B_PRIMITIVE_ARRAY_DUMP, id, type, n);

	for (uint32_t i = 0; i < n; i++)
		b_value(b, type, values ? values[i] : 0);
	return at;
}

size_t
b_byte_array(struct b *b, uint64_t id, const void *bytes, size_t n)
{
	size_t at = primitive_head(b, B_PRIMITIVE_ARRAY_DUMP, id, B_BYTE,
				   (uint32_t)n);

	b_bytes(b, bytes, n);
	return at;
}

size_t
b_array_claiming(struct b *b, uint64_t id, unsigned type, uint32_t n,
		 size_t have)
{
	size_t at = primitive_head(b, B_PRIMITIVE_ARRAY_DUMP, id, type, n);

	b_zeros(b, have);
	return at;
}

size_t
b_primitive_array_nodata(struct b *b, uint64_t id, unsigned type, uint32_t n)
{
	return primitive_head(b, B_PRIMITIVE_ARRAY_NODATA, id, type, n);
}
