/*
 * fixtures_leaks.c - pairs of dumps of a program with a leak, in structures
 * that the program itself implements, or that two objects keep alive together
 *
 * The first dump of each pair has FEW elements, the second dump has MANY.
 */
#include "tests/builder/fixtures.h"

enum { FEW = 40, MANY = 200, DATA = 200, SEGMENTS_OF_MAP = 16 };

/*
 * A number that is added to the number of elements: the heap also has an array
 * of BALLAST bytes, so that all elements are less than 2 % of the heap.
 */
enum { LARGE_HEAP = 1 << 12, BALLAST = 3000000 };

enum {
	L_OBJECT,
	/* a class with static fields */
	L_SHOP,
	/* the nodes of a list, which alternate between four classes */
	L_ORDER,
	L_FIRST = L_ORDER,
	L_LINE,
	L_PRICE,
	L_TAX,
	/* a node of a search tree */
	L_NODE,
	L_REFERENCE,
	L_PHANTOM,
	L_FREED,
	L_QUEUE,
	L_SET,
	L_MAP,
	L_ENTRY,
	L_TABLE,
	/* a map of the program, and its entries, which are a linked list */
	L_CACHE,
	L_CACHE_ENTRY,
	L_CACHE_TABLE,
	/* a part of a map, with a linked list of entries */
	L_SEGMENT,
	L_ALL,
	CLASSES_OF_LIST = L_TAX - L_FIRST + 1,
};

static const struct {
	const char *name;
	unsigned super;
	const char *fields[3];
} classes[L_ALL] = {
	[L_OBJECT] = {"java/lang/Object", 0, {0}},
	[L_SHOP] = {"com/acme/Shop", L_OBJECT, {0}},
	[L_ORDER] = {"com/acme/Order", L_OBJECT, {"line", "data"}},
	[L_LINE] = {"com/acme/Line", L_OBJECT, {"price"}},
	[L_PRICE] = {"com/acme/Price", L_OBJECT, {"tax"}},
	[L_TAX] = {"com/acme/Tax", L_OBJECT, {"order"}},
	[L_NODE] = {"com/acme/Node", L_OBJECT, {"left", "right", "data"}},
	[L_REFERENCE] = {"java/lang/ref/Reference",
			 L_OBJECT,
			 {"referent", "queue", "next"}},
	[L_PHANTOM] = {"java/lang/ref/PhantomReference", L_REFERENCE, {0}},
	[L_FREED] = {"com/acme/Freed", L_PHANTOM, {"data"}},
	[L_QUEUE] = {"java/lang/ref/ReferenceQueue", L_OBJECT, {"head"}},
	[L_SET] = {"java/util/HashSet", L_OBJECT, {"map"}},
	[L_MAP] = {"java/util/HashMap", L_OBJECT, {"table"}},
	[L_ENTRY] = {"java/util/HashMap$Node",
		     L_OBJECT,
		     {"key", "value", "next"}},
	[L_TABLE] = {"[Ljava/util/HashMap$Node;", L_OBJECT, {0}},
	[L_CACHE] = {"com/acme/Cache", L_OBJECT, {"table", "head", "name"}},
	[L_CACHE_ENTRY] = {"com/acme/CacheEntry",
			   L_OBJECT,
			   {"before", "after", "data"}},
	[L_CACHE_TABLE] = {"[Lcom/acme/CacheEntry;", L_OBJECT, {0}},
	[L_SEGMENT] = {"com/acme/Cache$Segment", L_OBJECT, {"first"}},
};

enum structure {
	ALTERNATING_LIST,
	SEARCH_TREE,
	QUEUED_REFERENCES,
	LINKED_MAP,
	SEGMENTS,
};

static const char *const statics[] = {"orders", "freed"};

static uint64_t
class_id(unsigned n)
{
	return 0x1000 + 16 * (uint64_t)n;
}

/*
 * Returns the id of the object with the number @n; objects with different
 * numbers @kind are different. From MANY objects on, the id is 0.
 */
static uint64_t
object_id(unsigned kind, unsigned n, unsigned count)
{
	return n < count ? 0x10000 + 0x10000 * (uint64_t)kind + 16 * n : 0;
}

/* Write an instance with four reference fields, or with the first of them. */
static void
instance(struct b *b, uint64_t id, unsigned class, const uint64_t values[4])
{
	unsigned n = 0;

	b_instance(b, id, class_id(class));
	for (unsigned c = class; c != L_OBJECT; c = classes[c].super)
		for (unsigned i = 0; i < 3 && classes[c].fields[i]; i++)
			b_value(b, B_OBJECT, values[n++]);
	b_instance_end(b);
}

static void
data(struct b *b, uint64_t id)
{
	b_primitive_array(b, id, B_BYTE, DATA, NULL);
}

static void
list(struct b *b, unsigned count)
{
	count *= CLASSES_OF_LIST;
	for (unsigned i = 0; i < count; i++) {
		uint64_t bytes = object_id(1, i, count);

		instance(
			b, object_id(0, i, count),
			L_FIRST + i % CLASSES_OF_LIST,
			(const uint64_t[4]){object_id(0, i + 1, count), bytes});
		if (i % CLASSES_OF_LIST == 0)
			data(b, bytes);
	}
}

static void
tree(struct b *b, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		uint64_t bytes = object_id(1, i, count);

		instance(b, object_id(0, i, count), L_NODE,
			 (const uint64_t[4]){object_id(0, 2 * i + 1, count),
					     object_id(0, 2 * i + 2, count),
					     bytes});
		data(b, bytes);
	}
}

/*
 * Phantom references to objects that were freed. A HashSet refers to all of
 * them, and the queue refers to the first one, which refers to the next.
 */
static void
references(struct b *b, unsigned count)
{
	uint64_t entries[MANY], set = object_id(3, 0, 1);
	uint64_t map = object_id(4, 0, 1), table = object_id(5, 0, 1);
	uint64_t queue = object_id(6, 0, 1);

	instance(b, set, L_SET, (const uint64_t[4]){map});
	instance(b, map, L_MAP, (const uint64_t[4]){table});
	instance(b, queue, L_QUEUE,
		 (const uint64_t[4]){object_id(0, 0, count)});
	for (unsigned i = 0; i < count; i++) {
		uint64_t id = object_id(0, i, count);
		uint64_t bytes = object_id(1, i, count);

		entries[i] = object_id(2, i, count);
		instance(b, id, L_FREED,
			 (const uint64_t[4]){bytes, 0, 0,
					     object_id(0, i + 1, count)});
		data(b, bytes);
		instance(b, entries[i], L_ENTRY, (const uint64_t[4]){id});
	}
	b_object_array(b, table, class_id(L_TABLE), count, entries);
}

/*
 * A map that the program implements. The entries are also a circular list,
 * which begins and ends at an entry without data.
 */
static void
linked_map(struct b *b, unsigned count)
{
	uint64_t entries[MANY], head = object_id(4, 0, 1);
	uint64_t cache = object_id(3, 0, 1), table = object_id(5, 0, 1);
	uint64_t name = object_id(6, 0, 1);

	instance(b, cache, L_CACHE, (const uint64_t[4]){table, head, name});
	data(b, name);
	for (unsigned i = 0; i < count; i++) {
		uint64_t bytes = object_id(1, i, count);

		entries[i] = object_id(0, i, count);
		instance(b, entries[i], L_CACHE_ENTRY,
			 (const uint64_t[4]){
				 i > 0 ? entries[i - 1] : head,
				 i + 1 < count ? object_id(0, i + 1, count)
					       : head,
				 bytes});
		data(b, bytes);
	}
	instance(b, head, L_CACHE_ENTRY,
		 (const uint64_t[4]){count ? entries[count - 1] : head,
				     count ? entries[0] : head});
	b_object_array(b, table, class_id(L_CACHE_TABLE), count, entries);
}

/* A map that consists of SEGMENTS_OF_MAP parts, each of which has a list. */
static void
segments(struct b *b, unsigned count)
{
	uint64_t parts[SEGMENTS_OF_MAP], cache = object_id(3, 0, 1);
	uint64_t table = object_id(5, 0, 1), name = object_id(6, 0, 1);

	instance(b, cache, L_CACHE, (const uint64_t[4]){table, 0, name});
	data(b, name);
	for (unsigned i = 0; i < SEGMENTS_OF_MAP; i++) {
		parts[i] = object_id(4, i, SEGMENTS_OF_MAP);
		instance(b, parts[i], L_SEGMENT,
			 (const uint64_t[4]){object_id(0, i, count)});
	}
	for (unsigned i = 0; i < count; i++) {
		uint64_t bytes = object_id(1, i, count);

		instance(b, object_id(0, i, count), L_CACHE_ENTRY,
			 (const uint64_t[4]){
				 0, object_id(0, i + SEGMENTS_OF_MAP, count),
				 bytes});
		data(b, bytes);
	}
	b_object_array(b, table, class_id(L_CACHE_TABLE), SEGMENTS_OF_MAP,
		       parts);
}

/* Returns the id of the object to which the first static field refers. */
static uint64_t
first_id(enum structure of)
{
	return object_id(of == ALTERNATING_LIST || of == SEARCH_TREE ? 0 : 3, 0,
			 1);
}

static void
write_class(struct b *b, unsigned n, enum structure of)
{
	uint64_t first = first_id(of);

	b_class(b,
		&(struct b_class){
			.id = class_id(n),
			.super = n == L_OBJECT ? 0 : class_id(classes[n].super),
			.size = B_AUTO});
	if (n == L_SHOP)
		b_static(b, b_intern(b, statics[0]), B_OBJECT, first);
	if (n == L_SHOP && of == QUEUED_REFERENCES)
		b_static(b, b_intern(b, statics[1]), B_OBJECT,
			 object_id(6, 0, 1));
	for (unsigned i = 0; i < 3 && classes[n].fields[i]; i++)
		b_field(b, b_intern(b, classes[n].fields[i]), B_OBJECT);
	b_class_end(b);
}

static void
build(struct b *b, enum structure of, unsigned count, bool large)
{
	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000u + count);
	b_intern(b, statics[0]);
	b_intern(b, statics[1]);
	for (unsigned n = 0; n < L_ALL; n++) {
		for (unsigned i = 0; i < 3 && classes[n].fields[i]; i++)
			b_intern(b, classes[n].fields[i]);
		b_load_class(b, n + 1, class_id(n), 0,
			     b_intern(b, classes[n].name));
	}
	b_segment(b);
	for (unsigned n = 0; n < L_ALL; n++)
		b_root_sticky_class(b, class_id(n));
	for (unsigned n = 0; n < L_ALL; n++)
		write_class(b, n, of);
	if (large) {
		b_root_jni_global(b, object_id(7, 0, 1), 0x4000);
		b_primitive_array(b, object_id(7, 0, 1), B_BYTE, BALLAST, NULL);
	}
	if (of == ALTERNATING_LIST)
		list(b, count);
	else if (of == SEARCH_TREE)
		tree(b, count);
	else if (of == LINKED_MAP)
		linked_map(b, count);
	else if (of == SEGMENTS)
		segments(b, count);
	else
		references(b, count);
	b_close(b);
	b_heap_dump_end(b);
}

static void
alternating_list(struct b *b, int count)
{
	build(b, ALTERNATING_LIST, (unsigned)count, false);
}

static void
search_tree(struct b *b, int count)
{
	build(b, SEARCH_TREE, (unsigned)count & ~(unsigned)LARGE_HEAP,
	      count & LARGE_HEAP);
}

static void
large_linked_map(struct b *b, int count)
{
	build(b, LINKED_MAP, (unsigned)count, true);
}

static void
segmented_map(struct b *b, int count)
{
	build(b, SEGMENTS, (unsigned)count, false);
}

static void
queued_references(struct b *b, int count)
{
	build(b, QUEUED_REFERENCES, (unsigned)count, false);
}

#define PAIR(name, build, few, many, shows)                                    \
	{name "-1", build, few, 4 | 8, B_VALID, "core-class", shows},          \
	{                                                                      \
		name "-2", build, many, 4 | 8, B_VALID, "core-class",          \
			"the same with more elements"                          \
	}

const struct b_fixture b_fixtures_leaks[] = {
	PAIR("alternating-list", alternating_list, FEW, MANY,
	     "a linked list whose nodes alternate between four classes"),
	PAIR("search-tree", search_tree, FEW, MANY,
	     "a search tree of the program"),
	PAIR("small-growth", search_tree, LARGE_HEAP | 2, LARGE_HEAP | MANY,
	     "a search tree that is at most 2 % of the heap"),
	PAIR("linked-map", large_linked_map, FEW, MANY,
	     "a map of the program, whose first entry is hardly any memory"),
	PAIR("empty-map", large_linked_map, 0, MANY,
	     "a map of the program that is empty in the first dump"),
	PAIR("segmented-map", segmented_map, FEW, MANY,
	     "a map of the program that consists of a fixed number of parts"),
	PAIR("queued-references", queued_references, FEW, MANY,
	     "references that a set and a ReferenceQueue keep alive"),
	{0},
};
