/*
 * fixtures_v1_0.c - a dump of format version 1.0, and the same dump in version
 * 1.0.1
 *
 * This file writes the heap byte by byte. Version 1.0 encodes types as
 * characters and has another layout of primitive arrays.
 */
#include "tests/builder/fixtures.h"

enum {
	OBJECT = 0x10000,
	CLASS = 0x10100,
	STRING = 0x10200,
	MINE = 0x10300,
	ARRAY = 0x10400,
	FIRST = 0x20000,
	STEP = 0x40,
	/*
	 * for the argument of the build function: write the dump in version
	 * 1.0.1 instead of 1.0
	 */
	NEWER = 1,
};

/*
 * A primitive type: its character in version 1.0, its number in 1.0.1, and its
 * size in bytes. The size of a reference is the size of an id instead.
 */
static const struct {
	char character;
	uint8_t code, size;
} types[] = {{'L', 2, 0}, {'Z', 4, 1}, {'C', 5, 2},  {'F', 6, 4}, {'D', 7, 8},
	     {'B', 8, 1}, {'S', 9, 2}, {'I', 10, 4}, {'J', 11, 8}};

enum { TYPES = sizeof types / sizeof *types };

static void
put_value(struct b *b, unsigned size, uint64_t v)
{
	if (size == 0)
		b_id(b, v);
	for (; size > 0; size--)
		b_u1(b, (unsigned)(v >> 8 * (size - 1)) & 0xFF);
}

static unsigned
spelled(int arg, unsigned i)
{
	return arg == NEWER ? types[i].code : (unsigned char)types[i].character;
}

static void
sub(struct b *b, unsigned tag)
{
	b->subrecords[tag]++;
	b_u1(b, tag);
}

/*
 * Write a class dump. The class MINE has one constant, one static field of each
 * type and one instance field of each type.
 */
static void class(struct b *b, int arg, uint64_t id, uint64_t super)
{
	unsigned n = id == MINE ? TYPES : 0, size = 0;

	for (unsigned i = 0; i < n; i++)
		size += types[i].size ? types[i].size : b->id_size;
	sub(b, 0x20);
	b_id(b, id);
	b_u4(b, 1);
	b_id(b, super);
	for (unsigned i = 0; i < 5; i++)
		b_id(b, 0);
	b_u4(b, size);
	for (unsigned table = 0; table < 3; table++) {
		unsigned here = table == 0 && n > 0 ? 1 : n;

		b_u2(b, here);
		for (unsigned i = 0; i < here; i++) {
			if (table == 0)
				b_u2(b, i);
			else
				b_id(b, 4 + i);
			b_u1(b, spelled(arg, i));
			if (table < 2)
				put_value(b, types[i].size,
					  i == 0 ? OBJECT : i);
		}
	}
}

static void
array(struct b *b, int arg, unsigned i)
{
	bool newer = arg == NEWER && i > 0;

	sub(b, newer ? 0x23 : 0x22);
	b_id(b, FIRST + (uint64_t)STEP * i);
	b_u4(b, 1);
	b_u4(b, 2);
	if (newer)
		b_u1(b, types[i].code);
	else
		b_id(b, i == 0 ? ARRAY : types[i].code);
	put_value(b, types[i].size, i == 0 ? FIRST + STEP * TYPES : 1);
	put_value(b, types[i].size, 0);
}

static void
ancient(struct b *b, int arg)
{
	static const char *const names[TYPES] = {"l", "z", "c", "f", "d",
						 "b", "s", "i", "j"};

	b_header(b, arg == NEWER ? "JAVA PROFILE 1.0.1" : "JAVA PROFILE 1.0",
		 1700000000000u);
	b_string(b, 1, "java/lang/Object");
	b_string(b, 2, "java/lang/Class");
	b_string(b, 3, "java/lang/String");
	for (unsigned i = 0; i < TYPES; i++)
		b_string(b, 4 + i, names[i]);
	b_string(b, 4 + TYPES, "Mine");
	b_string(b, 5 + TYPES, "[LMine;");
	b_load_class(b, 1, OBJECT, 1, 1);
	b_load_class(b, 2, CLASS, 1, 2);
	b_load_class(b, 3, STRING, 1, 3);
	b_load_class(b, 4, MINE, 1, 4 + TYPES);
	b_load_class(b, 5, ARRAY, 1, 5 + TYPES);
	b_trace(b, 1, 0, 0, NULL);
	b_heap_dump(b);
	b_root_unknown(b, FIRST + STEP * TYPES);
	b_root_sticky_class(b, OBJECT);
	class(b, arg, OBJECT, 0);
	class(b, arg, CLASS, OBJECT);
	class(b, arg, STRING, OBJECT);
	class(b, arg, MINE, OBJECT);
	class(b, arg, ARRAY, OBJECT);
	sub(b, 0x21);
	b_id(b, FIRST + STEP * TYPES);
	b_u4(b, 1);
	b_id(b, MINE);
	b_u4(b, 30 + b->id_size);
	for (unsigned i = 0; i < TYPES; i++)
		put_value(b, types[i].size, i == 0 ? FIRST : i);
	for (unsigned i = 0; i < TYPES; i++)
		array(b, arg, i);
	b_close(b);
}

const struct b_fixture b_fixtures_ancient[] = {
	{"ancient", ancient, 0, 4 | 8, B_VALID, "version-known",
	 "version 1.0: types are characters, arrays of primitives objects'"},
	{"ancient-newer", ancient, NEWER, 4 | 8, B_VALID, NULL,
	 "the same as 1.0.1"},
	{0},
};
