/*
 * crafted_memory.c - small dumps that would need gigabytes in a program that
 * handles them naively
 *
 * For some of these dumps, a naive program copies a long name once for each of
 * many objects or fields. In other dumps, hprof-diff must examine many objects
 * one by one.
 */
#include "tests/crafted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	/*
	 * length of a name in bytes; each of its bytes becomes six bytes in the
	 * output
	 */
	NAME = 8000,
	OWNERS = 8, /* number of classes with many static fields */
};

/*
 * Write a class with a long name and many static fields, each with a reference
 * to an object.
 */
static void
many_statics(struct b *b, uint64_t loader)
{
	const struct b_class c = {
		.id = class_at(0), .super = OBJECT, .loader = loader};
	unsigned n = TIMES(2000);
	char name[NAME];

	memset(name, 1, sizeof(name));
	b_string_n(b, 2, name, sizeof(name));
	b_string(b, 3, "b/Held");
	b_load_class(b, 2, class_at(0), 0, 2);
	b_load_class(b, 3, class_at(1), 0, 3);
	for (unsigned i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		b_string(b, 4 + i, name);
	}
	begin_heap(b);
	b_class(b, &c);
	for (unsigned i = 0; i < n; i++)
		b_static(b, 4 + i, B_OBJECT, OBJECTS + 8 * (uint64_t)i);
	b_class_end(b);
	class(b, class_at(1), OBJECT);
	for (unsigned i = 0; i < n; i++)
		b_instance_bytes(b, OBJECTS + 8 * (uint64_t)i, class_at(1),
				 NULL, 0);
}

/*
 * Write a class with many static fields. The class is a root, so the paths to
 * objects begin at its fields.
 */
void
statics(struct b *b)
{
	many_statics(b, 0);
	b_root_sticky_class(b, class_at(0));
	b_close(b);
}

/*
 * Write a class with many static fields. Only its loader refers to the class,
 * so its fields are in the middle of paths.
 */
void
loaded(struct b *b)
{
	const uint64_t loader = OBJECTS - 8, object = OBJECTS - 16;

	many_statics(b, loader);
	b_instance_bytes(b, loader, class_at(1), NULL, 0);
	b_instance_bytes(b, object, class_at(0), NULL, 0);
	b_root_jni_global(b, loader, 0);
	b_root_jni_global(b, object, 0);
	b_close(b);
}

/*
 * Write classes with as many static fields as possible. Every second field is
 * the only reference to its object. The other fields refer to the nodes of one
 * linked list, so many paths lead to each node.
 */
void
owned(struct b *b)
{
	const struct b_class node = {
		.id = class_at(0), .super = OBJECT, .size = B_AUTO};
	unsigned n = TIMES(60000);
	char name[16];

	b_string(b, 2, "Node");
	b_string(b, 3, "next");
	b_load_class(b, 2, class_at(0), 0, 2);
	for (unsigned k = 0; k < n; k++) {
		snprintf(name, sizeof(name), "f%u", k);
		b_string(b, OBJECTS + k, name);
	}
	for (unsigned i = 1; i <= OWNERS; i++) {
		snprintf(name, sizeof(name), "a/Owner%u", i);
		b_string(b, 3 + i, name);
		b_load_class(b, i + 2, class_at(i), 0, 3 + i);
	}
	begin_heap(b);
	b_class(b, &node);
	b_field(b, 3, B_OBJECT);
	b_class_end(b);
	for (unsigned i = 1; i <= OWNERS; i++) {
		const struct b_class c = {.id = class_at(i), .super = OBJECT};
		uint64_t first = OBJECTS + 8 * (uint64_t)i * n;

		b_class(b, &c);
		for (unsigned k = 0; k < n; k++)
			b_static(b, OBJECTS + k, B_OBJECT, first + 8 * k);
		b_class_end(b);
		b_root_sticky_class(b, c.id);
		for (unsigned k = 0; k < n; k++) {
			b_instance(b, first + 8 * k, class_at(0));
			b_value(b, B_OBJECT,
				k % 2 ? first + 8 * ((k + 2) % n) : 0);
			b_instance_end(b);
		}
	}
	b_close(b);
}

/*
 * Write many classes with the same name, each with a STRING record of its own.
 */
void
kinds(struct b *b)
{
	unsigned n = TIMES(30000);
	char name[256];

	memset(name, 1, sizeof(name));
	b_string_n(b, 2, name, sizeof(name));
	for (unsigned i = 0; i < n; i++)
		b_load_class(b, i + 2, class_at(i), 0, 2);
	begin_heap(b);
	for (unsigned i = 0; i < n; i++) {
		class(b, class_at(i), OBJECT);
		b_root_sticky_class(b, class_at(i));
	}
	b_close(b);
}

/* Write the objects of direct buffers (java.nio) with different capacities. */
void
buffers(struct b *b)
{
	const struct b_class c[] = {
		{.id = class_at(0), .super = OBJECT, .size = B_AUTO},
		{.id = class_at(1), .super = class_at(0), .size = B_AUTO}};
	/*
	 * the values of three reference fields, and the inherited field
	 * "capacity"
	 */
	const uint8_t data[12] = {0, 0, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 100};

	b_string(b, 2, "java/nio/Buffer");
	b_string(b, 3, "java/nio/DirectByteBuffer");
	b_string(b, 4, "capacity");
	b_string(b, 5, "cleaner");
	b_string(b, 6, "att");
	for (unsigned i = 0; i < 2; i++)
		b_load_class(b, i + 2, class_at(i), 0, i + 2);
	begin_heap(b);
	b_class(b, &c[0]);
	b_field(b, 4, B_INT);
	b_class_end(b);
	b_class(b, &c[1]);
	b_field(b, 5, B_OBJECT);
	b_field(b, 6, B_OBJECT);
	b_class_end(b);
	for (unsigned i = 0; i < TIMES(200000); i++)
		b_instance_bytes(b, OBJECTS + 8 * (uint64_t)i, class_at(1),
				 data, sizeof(data));
	b_close(b);
}

void
threads(struct b *b)
{
	const struct b_class c[] = {
		{.id = class_at(0), .super = OBJECT, .size = B_AUTO},
		{.id = class_at(1), .super = OBJECT, .size = B_AUTO}};

	b_string(b, 2, "java/lang/Thread");
	b_string(b, 3, "java/lang/String");
	b_string(b, 4, "name");
	b_string(b, 5, "value");
	for (unsigned i = 0; i < 2; i++)
		b_load_class(b, i + 2, class_at(i), 0, i + 2);
	begin_heap(b);
	for (unsigned i = 0; i < 2; i++) {
		b_class(b, &c[i]);
		b_field(b, 4 + i, B_OBJECT);
		b_class_end(b);
	}
	for (unsigned i = 0; i < TIMES(25000); i++) {
		uint64_t id = OBJECTS + 32 * (uint64_t)i;
		char text[32];
		int n = snprintf(text, sizeof(text), "thread %u", i);

		for (unsigned k = 0; k < 2; k++) {
			b_instance(b, id + 8 * k, class_at(k));
			b_value(b, B_OBJECT, id + 8 * (k + 1));
			b_instance_end(b);
		}
		b_byte_array(b, id + 16, text, (size_t)n);
		b_root_thread_object(b, id, i + 1, 0);
		b_root_java_frame(b, id + 8, i + 1, 0);
	}
	b_close(b);
}

/*
 * Write START THREAD records. Each of these threads has a stack, and its object
 * has an allocation trace.
 */
void
started(struct b *b)
{
	const unsigned n = TIMES(25000);

	b_string(b, 2, "run");
	for (unsigned i = 0; i < n; i++) {
		uint64_t frame = i + 1;

		b_frame(b, frame, 2, 2, 2, 1, (int)i);
		b_trace(b, i + 1, i + 1, 1, &frame);
		b_start_thread(b, i + 1, OBJECTS + 8 * (uint64_t)i, i + 1, 2, 2,
			       2);
	}
	begin_heap(b);
	for (unsigned i = 0; i < n; i++) {
		b->trace = i + 1;
		b_root_thread_object(b, OBJECTS + 8 * (uint64_t)i, i + 1,
				     i + 1);
		b_instance_bytes(b, OBJECTS + 8 * (uint64_t)i, OBJECT, NULL, 0);
	}
	b_close(b);
}

/*
 * Write an object to which so many arrays refer that a reference counter of one
 * byte overflows.
 */
void
shared(struct b *b)
{
	enum { ARRAYS = 17 };
	const unsigned n = TIMES(50000);
	uint64_t *ids = malloc(n * sizeof(*ids));

	if (!ids)
		abort();
	begin_heap(b);
	for (unsigned i = 0; i < n; i++) {
		ids[i] = OBJECTS + 8 * (uint64_t)i;
		b_instance_bytes(b, ids[i], OBJECT, NULL, 0);
	}
	for (unsigned i = 0; i < ARRAYS; i++)
		b_object_array(b, OBJECTS - 8 * (i + 1), OBJECT, n, ids);
	free(ids);
	b_close(b);
}

/*
 * Write many objects that wait for their finalizer. Their Finalizer objects are
 * one long linked list. The first half of the waiting objects is also a linked
 * list, so the dominator tree of the waiting objects is deep. The other half
 * has no references, so the root of this tree has many children.
 */
void
waiting(struct b *b)
{
	enum { REFERENCE, FINAL_REFERENCE, FINALIZER, SLOW, NCLASSES };
	static const char *const names[] = {
		"java/lang/ref/Reference", "java/lang/ref/FinalReference",
		"java/lang/ref/Finalizer", "a/Slow"};
	unsigned n = TIMES(150000);
	uint64_t slow = OBJECTS + 8 * (uint64_t)n;

	b_string(b, 2, "referent");
	b_string(b, 3, "unfinalized");
	b_string(b, 4, "next");
	for (unsigned i = 0; i < NCLASSES; i++) {
		b_string(b, 5 + i, names[i]);
		b_load_class(b, 2 + i, class_at(i), 0, 5 + i);
	}
	begin_heap(b);
	for (unsigned i = 0; i < NCLASSES; i++) {
		b_class(b,
			&(struct b_class){.id = class_at(i),
					  .super = i == REFERENCE || i == SLOW
							   ? OBJECT
							   : class_at(i - 1),
					  .size = B_AUTO});
		if (i == FINALIZER)
			b_static(b, 3, B_OBJECT, OBJECTS);
		if (i != FINAL_REFERENCE)
			b_field(b, i == REFERENCE ? 2 : 4, B_OBJECT);
		b_class_end(b);
		b_root_sticky_class(b, class_at(i));
	}
	for (unsigned i = 0; i < n; i++) {
		uint64_t next = i + 1 < n ? 8 * (uint64_t)(i + 1) : 0;

		b_instance(b, OBJECTS + 8 * (uint64_t)i, class_at(FINALIZER));
		b_value(b, B_OBJECT, next ? OBJECTS + next : 0);
		b_value(b, B_OBJECT, slow + 8 * (uint64_t)i);
		b_instance_end(b);
		b_instance(b, slow + 8 * (uint64_t)i, class_at(SLOW));
		b_value(b, B_OBJECT, i < n / 2 && next ? slow + next : 0);
		b_instance_end(b);
	}
	b_close(b);
}

/*
 * Write many byte arrays and STRING records with a secret each, and three
 * arrays with references to all byte arrays.
 */
void
leaks(struct b *b)
{
	static const char text[] = "password=hunter22 joe@example.com";
	const unsigned n = TIMES(60000);
	uint64_t *all = malloc(n * sizeof(*all));

	if (!all)
		abort();
	for (unsigned i = 0; i < n; i++)
		b_string(b, 0x40000000 + i, text);
	begin_heap(b);
	for (unsigned i = 0; i < n; i++) {
		all[i] = OBJECTS + 8 * (uint64_t)i;
		b_byte_array(b, all[i], text, sizeof(text) - 1);
	}
	for (unsigned i = 0; i < 3; i++)
		b_object_array(b, OBJECTS + 8 * (uint64_t)(n + i), OBJECT, n,
			       all);
	b_root_unknown(b, OBJECTS + 8 * (uint64_t)n);
	b_close(b);
	free(all);
}

/*
 * Write many entries of maps, each with a key that is the name of a secret. The
 * class of the entries is at the end of a long chain of classes. The first
 * class of this chain has a field with the name of a secret.
 */
void
named(struct b *b)
{
	static const char key[] = "password", value[] = "hunter22";
	const unsigned n = TIMES(30000);
	uint64_t strings = OBJECTS + 8 * (uint64_t)n;
	uint64_t values = strings + 8 * (uint64_t)n;
	const unsigned id_size = b_type_size(b, B_OBJECT);

	b_string(b, 2, "value");
	b_string(b, 3, "key");
	b_string(b, 4, "dbPassword");
	b_string(b, 5, "java/lang/String");
	b_load_class(b, 2, class_at(0), 0, 5);
	begin_heap(b);
	for (unsigned i = 0; i < n; i++) {
		/* the builder computes B_AUTO too slowly for a long chain */
		b_class(b, &(struct b_class){
				   .id = class_at(i),
				   .super = i < 2 ? OBJECT : class_at(i - 1),
				   .size = (i < n - 1 ? 1 : 3) * id_size});
		if (i == 1)
			b_field(b, 4, B_OBJECT);
		if (i == n - 1)
			b_field(b, 3, B_OBJECT);
		if (i == 0 || i == n - 1)
			b_field(b, 2, B_OBJECT);
		b_class_end(b);
	}
	for (unsigned i = 0; i < n; i++) {
		b_byte_array(b, OBJECTS + 8 * (uint64_t)i, key,
			     sizeof(key) - 1);
		b_byte_array(b, values + 8 * (uint64_t)i, value,
			     sizeof(value) - 1);
		b_instance(b, strings + 8 * (uint64_t)i, class_at(0));
		b_value(b, B_OBJECT, OBJECTS + 8 * (uint64_t)i);
		b_instance_end(b);
		b_instance(b, values + 8 * (uint64_t)(n + i), class_at(n - 1));
		b_value(b, B_OBJECT, strings + 8 * (uint64_t)i);
		b_value(b, B_OBJECT, values + 8 * (uint64_t)i);
		b_value(b, B_OBJECT, values + 8 * (uint64_t)(n - i - 1));
		b_instance_end(b);
	}
	b_close(b);
}

/*
 * Write a map whose entries are all in one bucket, and a list of the elements
 * to which the entries refer: the map and the list keep the elements alive
 * together. Each entry is nested in the entry before it, and refers to an
 * element.
 */
void
queued(struct b *b)
{
	enum { ELEMENTS = 64, MAP = 0, NODE = 1, ARRAY = 2, SHOP = 3 };
	static const char *const names[] = {
		"java/util/HashMap", "java/util/HashMap$Node",
		"[Ljava/util/HashMap$Node;", "Shop"};
	const unsigned n = TIMES(50000);
	const uint64_t nodes = 2 * OBJECTS, map = 3 * OBJECTS;
	uint64_t all[ELEMENTS], first = nodes;
	unsigned char *bytes = calloc(2, n);

	if (!bytes)
		abort();
	b_string(b, 2, "table");
	b_string(b, 3, "key");
	b_string(b, 4, "next");
	b_string(b, 5, "map");
	b_string(b, 6, "list");
	for (unsigned i = 0; i < 4; i++) {
		b_string(b, 10 + i, names[i]);
		b_load_class(b, i + 2, class_at(i), 0, 10 + i);
	}
	begin_heap(b);
	b_class(b, &(struct b_class){.id = class_at(MAP),
				     .super = OBJECT,
				     .size = B_AUTO});
	b_field(b, 2, B_OBJECT);
	b_class_end(b);
	b_class(b, &(struct b_class){.id = class_at(NODE),
				     .super = OBJECT,
				     .size = B_AUTO});
	b_field(b, 3, B_OBJECT);
	b_field(b, 4, B_OBJECT);
	b_class_end(b);
	class(b, class_at(ARRAY), OBJECT);
	b_class(b, &(struct b_class){.id = class_at(SHOP), .super = OBJECT});
	b_static(b, 5, B_OBJECT, map);
	b_static(b, 6, B_OBJECT, map + 16);
	b_class_end(b);
	b_root_sticky_class(b, class_at(SHOP));
	for (unsigned i = 0; i < ELEMENTS; i++) {
		all[i] = OBJECTS + 8 * (uint64_t)i;
		b_byte_array(b, all[i], bytes, 2 * (size_t)n);
	}
	for (unsigned i = 0; i < n; i++) {
		b_instance(b, nodes + 8 * (uint64_t)i, class_at(NODE));
		b_value(b, B_OBJECT, all[i % ELEMENTS]);
		b_value(b, B_OBJECT,
			i + 1 < n ? nodes + 8 * (uint64_t)(i + 1) : 0);
		b_instance_end(b);
	}
	b_instance(b, map, class_at(MAP));
	b_value(b, B_OBJECT, map + 8);
	b_instance_end(b);
	b_object_array(b, map + 8, class_at(ARRAY), 1, &first);
	b_object_array(b, map + 16, OBJECT, ELEMENTS, all);
	b_close(b);
	free(bytes);
}

/*
 * Write many arrays of the constants of an enum with a long name. No root leads
 * to the arrays, so that a hidden field of the class may refer to each. The
 * arrays have different allocation sites.
 */
void
constants(struct b *b)
{
	const unsigned n = TIMES(30000), length = TIMES(1000000);
	char *name = malloc(length + 3);
	uint64_t constant = OBJECTS;

	if (!name)
		abort();
	memset(name, 'a', length + 3);
	b_string(b, 2, "java/lang/Enum");
	b_string_n(b, 3, name + 2, length);
	memcpy(name, "[L", 2);
	name[length + 2] = ';';
	b_string_n(b, 4, name, length + 3);
	for (unsigned i = 0; i < 3; i++)
		b_load_class(b, i + 2, class_at(i), 0, i + 2);
	for (unsigned i = 0; i < n; i++)
		b_trace(b, i + 2, 0, 0, NULL);
	begin_heap(b);
	class(b, class_at(0), OBJECT);
	class(b, class_at(1), class_at(0));
	class(b, class_at(2), OBJECT);
	b_root_sticky_class(b, OBJECT);
	b_instance_bytes(b, constant, class_at(1), NULL, 0);
	for (unsigned i = 0; i < n; i++) {
		b->trace = i + 2;
		b_object_array(b, constant + 8 * (uint64_t)(i + 1), class_at(2),
			       1, &constant);
	}
	b_close(b);
	free(name);
}

/*
 * Write many class loaders of JBoss that share one module. The module has many
 * fields, and the last one is the name.
 */
void
modules(struct b *b)
{
	const unsigned loaders = TIMES(60000);
	const unsigned fields = loaders < 65000 ? loaders : 65000;
	const struct b_class loader = {
		.id = CLASSES, .super = OBJECT, .size = B_AUTO};
	const struct b_class module = {
		.id = class_at(1), .super = OBJECT, .size = B_AUTO};

	b_string(b, 2, "org/jboss/modules/ModuleClassLoader");
	b_string(b, 3, "module");
	b_string(b, 4, "f");
	b_string(b, 5, "name");
	b_load_class(b, 2, CLASSES, 0, 2);
	begin_heap(b);
	class(b, OBJECT, 0);
	b_class(b, &loader);
	b_field(b, 3, B_OBJECT);
	b_class_end(b);
	b_class(b, &module);
	for (unsigned i = 1; i <= fields; i++)
		b_field(b, i < fields ? 4 : 5, B_OBJECT);
	b_class_end(b);
	b_instance(b, OBJECTS, module.id);
	for (unsigned i = 0; i < fields; i++)
		b_value(b, B_OBJECT, OBJECTS);
	b_instance_end(b);
	for (unsigned i = 1; i < loaders; i++) {
		const struct b_class c = {.id = class_at(i + 1),
					  .super = OBJECT,
					  .loader = OBJECTS + 8 * (uint64_t)i};

		b_class(b, &c);
		b_class_end(b);
		b_instance(b, c.loader, CLASSES);
		b_value(b, B_OBJECT, OBJECTS);
		b_instance_end(b);
	}
	b_close(b);
}

/*
 * Write many objects to which three objects each refer. All of them are equally
 * far from the roots, and the paths through two of the three have equal names.
 */
void
rivals(struct b *b)
{
	enum { FIRST, SECOND, HELD, KEEPER, NCLASSES };
	static const char *const names[] = {"a/First", "a/Second", "a/Held",
					    "a/Keeper"};
	unsigned n = TIMES(30000);
	uint64_t held = OBJECTS + 16 * (uint64_t)n;
	uint64_t arrays = OBJECTS + 24 * (uint64_t)n;
	uint64_t *ids = malloc(n * sizeof(*ids));

	if (!ids)
		abort();
	b_string(b, 2, "ours");
	b_string(b, 3, "theirs");
	for (unsigned i = 0; i < NCLASSES; i++) {
		b_string(b, 4 + i, names[i]);
		b_load_class(b, 2 + i, class_at(i), 0, 4 + i);
	}
	begin_heap(b);
	class(b, OBJECT, 0);
	for (unsigned i = 0; i < NCLASSES; i++) {
		b_class(b, &(struct b_class){.id = class_at(i),
					     .super = OBJECT,
					     .size = B_AUTO});
		if (i == KEEPER) {
			b_static(b, 2, B_OBJECT, arrays);
			b_static(b, 3, B_OBJECT, arrays + 8);
		} else if (i != HELD) {
			b_field(b, 2, B_OBJECT);
			b_field(b, 3, B_OBJECT);
		}
		b_class_end(b);
	}
	b_root_sticky_class(b, class_at(KEEPER));
	for (unsigned which = FIRST; which <= SECOND; which++) {
		for (unsigned i = 0; i < n; i++) {
			uint64_t other =
				which == FIRST ? (i * 7 + 3) % n : n - 1 - i;

			ids[i] = OBJECTS + 8 * ((uint64_t)which * n + i);
			b_instance(b, ids[i], class_at(which));
			b_value(b, B_OBJECT, which == FIRST ? held + 8 * i : 0);
			b_value(b, B_OBJECT, held + 8 * other);
			b_instance_end(b);
		}
		b_object_array(b, arrays + 8 * which, OBJECT, n, ids);
	}
	for (unsigned i = 0; i < n; i++) {
		b_instance(b, held + 8 * i, class_at(HELD));
		b_instance_end(b);
	}
	free(ids);
	b_close(b);
}

/*
 * Write arrays that refer to other arrays in no order. Their lists of
 * references need most of the memory. All arrays are at two distances from the
 * roots.
 */
void
tangled(struct b *b)
{
	enum { FIRST = 8, EACH = 16 };
	unsigned n = TIMES(200000), first = n / FIRST;
	uint64_t *ids = malloc((n + EACH) * sizeof(*ids));
	uint32_t random = 1;

	if (!ids)
		abort();
	b_string(b, 2, "ARRAYS");
	b_string(b, 3, "a/Keeper");
	b_load_class(b, 2, class_at(0), 0, 3);
	begin_heap(b);
	class(b, OBJECT, 0);
	b_class(b, &(struct b_class){
			   .id = class_at(0), .super = OBJECT, .size = 0});
	b_static(b, 2, B_OBJECT, OBJECTS);
	b_class_end(b);
	b_root_sticky_class(b, class_at(0));
	for (unsigned i = 0; i < first; i++)
		ids[i] = OBJECTS + 8 * (uint64_t)(1 + i * FIRST);
	b_object_array(b, OBJECTS, OBJECT, first, ids);
	for (unsigned i = 0; i < n; i++) {
		/* each array is an element of one of the first arrays */
		unsigned next = i % FIRST == 0 ? i : 0;

		for (unsigned k = 0; k < EACH; k++) {
			random = random * 1664525 + 1013904223;
			ids[k] = OBJECTS +
				 8 * (uint64_t)(1 + (k < FIRST && next > 0
							     ? next + k
							     : random % n));
		}
		b_object_array(b, OBJECTS + 8 * (uint64_t)(1 + i), OBJECT, EACH,
			       ids);
	}
	free(ids);
	b_close(b);
}

/*
 * Write an object with many fields, and an array that refers to the same
 * objects, as far from the roots. The path of each of these objects is a new
 * one, and becomes known only when both references were read.
 */
void
fields(struct b *b)
{
	enum { HOLDER, ITEM, FIRST_NAME = 8 };
	unsigned n = TIMES(60000);
	uint64_t items = OBJECTS + 24;
	uint64_t *ids = malloc(n * sizeof(*ids));
	char name[32];

	if (!ids)
		abort();
	b_string(b, 2, "a/Holder");
	b_string(b, 3, "a/Item");
	b_load_class(b, 2, class_at(HOLDER), 0, 2);
	b_load_class(b, 3, class_at(ITEM), 0, 3);
	for (unsigned i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "f%u", i);
		b_string(b, FIRST_NAME + i, name);
		ids[i] = items + 8 * (uint64_t)i;
	}
	begin_heap(b);
	class(b, OBJECT, 0);
	b_class(b, &(struct b_class){.id = class_at(HOLDER),
				     .super = OBJECT,
				     .size = B_AUTO});
	b_static(b, 2, B_OBJECT, OBJECTS);
	b_static(b, 3, B_OBJECT, OBJECTS + 8);
	for (unsigned i = 0; i < n; i++)
		b_field(b, FIRST_NAME + i, B_OBJECT);
	b_class_end(b);
	class(b, class_at(ITEM), OBJECT);
	b_root_sticky_class(b, class_at(HOLDER));
	b_instance(b, OBJECTS, class_at(HOLDER));
	for (unsigned i = 0; i < n; i++)
		b_value(b, B_OBJECT, ids[i]);
	b_instance_end(b);
	b_object_array(b, OBJECTS + 8, OBJECT, n, ids);
	for (unsigned i = 0; i < n; i++) {
		b_instance(b, ids[i], class_at(ITEM));
		b_instance_end(b);
	}
	free(ids);
	b_close(b);
}

/*
 * Many large arrays, each of which retains objects of the same 600 classes. The
 * tree of large objects has a node for each pair of an array and a class until
 * the small nodes are removed, so at the default scale they are too many to be
 * found together.
 */
void
crowds(struct b *b)
{
	enum { KINDS = 600, LARGE = 40000 };
	unsigned n = TIMES(300);
	uint64_t *arrays = malloc(n * sizeof(*arrays) + 1);
	uint64_t ids[KINDS + 1], id = OBJECTS, numbers = OBJECTS - 8;
	char name[32];

	if (!arrays)
		abort();
	b_string(b, 2, "ARRAYS");
	for (unsigned i = 0; i < KINDS; i++) {
		snprintf(name, sizeof(name), "a/Crowd%u", i);
		b_string(b, 3 + i, name);
		b_load_class(b, 2 + i, class_at(i), 0, 3 + i);
	}
	begin_heap(b);
	class(b, OBJECT, 0);
	b_class(b, &(struct b_class){
			   .id = class_at(0), .super = OBJECT, .size = 0});
	b_static(b, 2, B_OBJECT, numbers);
	b_class_end(b);
	b_root_sticky_class(b, class_at(0));
	for (unsigned i = 1; i < KINDS; i++)
		class(b, class_at(i), OBJECT);
	for (unsigned i = 0; i < n; i++) {
		for (unsigned k = 0; k < KINDS; k++, id += 8) {
			ids[k] = id;
			b_instance_zero(b, id, class_at(k));
		}
		ids[KINDS] = id;
		b_primitive_array(b, id, B_BYTE, LARGE / KINDS + i, NULL);
		id += 8;
		arrays[i] = id;
		b_object_array(b, id, OBJECT, KINDS + 1, ids);
		id += 8;
	}
	b_object_array(b, numbers, OBJECT, n, arrays);
	free(arrays);
	b_close(b);
}
