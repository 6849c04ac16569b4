/*
 * crafted_waste.c - shapes (kinds of dumps) that are expensive for --by=waste:
 * equal contents, and collections in collections
 */
#include "tests/crafted.h"

#include <string.h>

enum {
	STRING = 0x2000,
	SET = 0x3000,
	MAP = 0x4000,
	NODE = 0x5000,
	LIST = 0x6000,
	ARRAY = 0x7000,
	SHARDS = 0x8000,
	SHARD = 0x9000,
	SHARD_ARRAY = 0xA000
};

static void
known_class(struct b *b, uint64_t id, const char *name)
{
	b_load_class(b, (uint32_t)id, id, 0, b_intern(b, name));
}

static void
begin_class(struct b *b, uint64_t id)
{
	b_class(b,
		&(struct b_class){.id = id, .super = OBJECT, .size = B_AUTO});
}

static void
shard_classes(struct b *b, uint64_t segments, uint64_t table, uint64_t count)
{
	begin_class(b, SHARDS);
	b_field(b, segments, B_OBJECT);
	b_class_end(b);
	begin_class(b, SHARD);
	b_field(b, table, B_OBJECT);
	b_field(b, count, B_INT);
	b_class_end(b);
	begin_class(b, SHARD_ARRAY);
	b_class_end(b);
}

static void
begin_known(struct b *b)
{
	uint64_t value = b_intern(b, "value"), map = b_intern(b, "map");
	uint64_t size = b_intern(b, "size"), table = b_intern(b, "table");
	uint64_t key = b_intern(b, "key"), next = b_intern(b, "next");
	uint64_t data = b_intern(b, "elementData");
	uint64_t segments = b_intern(b, "segments");
	uint64_t count = b_intern(b, "count");

	known_class(b, STRING, "java/lang/String");
	known_class(b, SET, "java/util/HashSet");
	known_class(b, MAP, "java/util/HashMap");
	known_class(b, NODE, "java/util/HashMap$Node");
	known_class(b, LIST, "java/util/ArrayList");
	known_class(b, ARRAY, "[Ljava/lang/Object;");
	known_class(b, SHARDS, "java/util/concurrent/ConcurrentHashMap");
	known_class(b, SHARD, "java/util/concurrent/ConcurrentHashMap$Segment");
	known_class(b, SHARD_ARRAY,
		    "[Ljava/util/concurrent/ConcurrentHashMap$Segment;");
	begin_heap(b);
	shard_classes(b, segments, table, count);
	begin_class(b, STRING);
	b_field(b, value, B_OBJECT);
	b_class_end(b);
	begin_class(b, SET);
	b_field(b, map, B_OBJECT);
	b_class_end(b);
	begin_class(b, MAP);
	b_field(b, table, B_OBJECT);
	b_field(b, size, B_INT);
	b_class_end(b);
	begin_class(b, NODE);
	b_field(b, key, B_OBJECT);
	b_field(b, next, B_OBJECT);
	b_class_end(b);
	begin_class(b, LIST);
	b_field(b, data, B_OBJECT);
	b_field(b, size, B_INT);
	b_class_end(b);
	begin_class(b, ARRAY);
	b_class_end(b);
}

static uint64_t
object_at(unsigned block, unsigned i)
{
	return OBJECTS + (uint64_t)block * 0x10000000 + 32 * (uint64_t)i;
}

static void
two_fields(struct b *b, uint64_t id, uint64_t class_id, uint64_t first,
	   unsigned type, uint64_t second)
{
	b_instance(b, id, class_id);
	b_value(b, B_OBJECT, first);
	b_value(b, type, second);
	b_instance_end(b);
}

static void
one_field(struct b *b, uint64_t id, uint64_t class_id, uint64_t to)
{
	b_instance(b, id, class_id);
	b_value(b, B_OBJECT, to);
	b_instance_end(b);
}

/*
 * Write four kinds of arrays: many equal arrays; arrays that differ from each
 * other in one byte; arrays that belong to one String each; and one array that
 * many Strings share.
 */
void
copies(struct b *b)
{
	const unsigned n = TIMES(100000);
	char bytes[24] = "a rather long content";

	begin_known(b);
	for (unsigned i = 0; i < n; i++) {
		b_byte_array(b, object_at(0, i), bytes, sizeof(bytes));
		b_byte_array(b, object_at(1, i), bytes, sizeof(bytes));
		one_field(b, object_at(2, i), STRING, object_at(1, i));
		one_field(b, object_at(3, i), STRING, object_at(1, 0));
	}
	for (unsigned i = 0; i < n; i++) {
		memcpy(bytes + 8, &i, sizeof(i));
		b_byte_array(b, object_at(4, i), bytes, sizeof(bytes));
	}
	b_close(b);
}

static void
shards(struct b *b, unsigned n)
{
	static uint64_t list[2000000];

	if (n > sizeof(list) / sizeof(*list))
		n = sizeof(list) / sizeof(*list);
	for (unsigned block = 11; block < 13; block++) {
		for (unsigned i = 0; i < n; i++) {
			list[i] = object_at(block, i);
			two_fields(b, list[i], SHARD, 0, B_INT, 1);
		}
		b_object_array(b, object_at(13, block), SHARD_ARRAY, n, list);
	}
	one_field(b, object_at(14, 0), SHARDS, object_at(13, 12));
	for (unsigned i = 0; i < n; i++)
		one_field(b, object_at(10, i), SHARDS, object_at(13, 11));
}

/*
 * Write collections that contain collections:
 *
 * - a chain of HashSets: each contains the next one
 * - a chain of lists, and a ring of lists
 * - a chain of entries in which each refers to the entry before it in the file
 * - lists that share one array
 * - maps that share one array of segments, and a map with an array of its own
 *   of the same length
 */
void
nests(struct b *b)
{
	const unsigned n = TIMES(60000);
	uint64_t element;

	begin_known(b);
	for (unsigned i = 0; i < n; i++) {
		one_field(b, object_at(0, i), SET,
			  i + 1 < n ? object_at(0, i + 1) : object_at(1, 0));
		two_fields(b, object_at(2, i), NODE, object_at(3, i), B_OBJECT,
			   i > 0 ? object_at(2, i - 1) : 0);
		one_field(b, object_at(3, i), STRING, 0);
		two_fields(b, object_at(8, i), LIST, object_at(9, 0), B_INT, i);
	}
	two_fields(b, object_at(1, 0), MAP, 0, B_INT, 0);
	for (unsigned block = 4; block < 8; block += 2)
		for (unsigned i = 0; i < n; i++) {
			two_fields(b, object_at(block, i), LIST,
				   object_at(block + 1, i), B_INT, 1);
			element = i + 1 < n    ? object_at(block, i + 1)
				  : block == 4 ? object_at(3, 0)
					       : object_at(block, 0);
			b_object_array(b, object_at(block + 1, i), ARRAY, 1,
				       &element);
		}
	b_object_array(b, object_at(9, 0), ARRAY, 0, NULL);
	shards(b, n);
	b_close(b);
}
