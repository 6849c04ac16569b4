/*
 * fixtures_strings.c - test dumps with Strings of all kinds, and one whose
 * names are commands for continuous integration (CI) systems
 */
#include "tests/builder/fixtures.h"

#include <string.h>

enum {
	OBJECT = 0x10000,
	CLASS = 0x10100,
	STRING = 0x10200,
	BYTES = 0x10300,
	/*
	 * id of the first String; the id of the array of each String is 0x20
	 * larger
	 */
	FIRST = 0x20000,
	STEP = 0x40,
	LONG = 100000,
	/*
	 * Position of characters, for example a surrogate pair, that must not
	 * be separated when a long string is read in parts.
	 */
	EDGE = 32768,
	UTF16 = 0x10400,
	/*
	 * the layout of String in JDK 8: char[] with offset and count;
	 * otherwise it is byte[] and coder
	 */
	OLD = 1,
	/* as OLD, and the byte order of the dump is big-endian */
	BIG = 2,
};

static void
tables(struct b *b, int arg)
{
	b_header(b, "JAVA PROFILE 1.0.2", 1700000000000u);
	b_intern(b, "value");
	b_intern(b, arg == OLD ? "offset" : "coder");
	b_intern(b, "count");
	b_load_class(b, 1, OBJECT, 1, b_intern(b, "java/lang/Object"));
	b_load_class(b, 2, CLASS, 1, b_intern(b, "java/lang/Class"));
	b_load_class(b, 3, STRING, 1, b_intern(b, "java/lang/String"));
	b_load_class(b, 4, BYTES, 1, b_intern(b, arg == OLD ? "[C" : "[B"));
	if (arg == BIG) {
		b_intern(b, "HI_BYTE_SHIFT");
		b_intern(b, "LO_BYTE_SHIFT");
		b_load_class(b, 5, UTF16, 1,
			     b_intern(b, "java/lang/StringUTF16"));
	}
	b_trace(b, 1, 0, 0, NULL);
}

static void class(struct b *b, uint64_t id, uint64_t super)
{
	b_class(b, &(struct b_class){.id = id, .super = super, .size = B_AUTO});
}

static void
classes(struct b *b, int arg)
{
	class(b, OBJECT, 0);
	b_class_end(b);
	class(b, CLASS, OBJECT);
	b_class_end(b);
	class(b, BYTES, OBJECT);
	b_class_end(b);
	class(b, STRING, OBJECT);
	b_field(b, b_intern(b, "value"), B_OBJECT);
	b_field(b, b_intern(b, arg == OLD ? "offset" : "coder"),
		arg == OLD ? B_INT : B_BYTE);
	if (arg == OLD)
		b_field(b, b_intern(b, "count"), B_INT);
	b_class_end(b);
	if (arg != BIG)
		return;
	class(b, UTF16, OBJECT);
	b_static(b, b_intern(b, "HI_BYTE_SHIFT"), B_INT, 8);
	b_static(b, b_intern(b, "LO_BYTE_SHIFT"), B_INT, 0);
	b_class_end(b);
}

/* The contents of a String. */
struct text {
	/*
	 * the characters, with one byte each, or two if `wide` is true; NULL:
	 * the text is a long one of LONG characters
	 */
	const char *units;
	unsigned n;
	bool wide; /* each character has two bytes, the low byte first */
	/*
	 * where the characters of this String are: 0 in an array of its own; 1
	 * the reference is null; 2 the array is missing; 3 the reference points
	 * to an int[]; 4 in the array of the first String
	 */
	int array;
};

static const struct text texts[] = {
	{"plain", 5, false, 0},
	{"", 0, false, 0},
	{"\"a\\b\n\0c\x7f", 8, false, 0},
	{"caf\xe9", 4, false, 0},
	{"\\x41 \\u{41}", 11, false, 0},
	{"\xe5\x65\x2c\x67", 2, true, 0},    /* the characters U+65E5 U+672C */
	{"a\0\x3d\xd8\x00\xde", 3, true, 0}, /* the letter a, then U+1F600 */
	{"a\0\x3d\xd8", 2, true,
	 /* the letter a, then the first half of a surrogate pair */
	 0},
	{"\0\xa9", 1, true, 0}, /* the character U+A900 */
	{"null", 0, false, 1},
	{"gone", 0, false, 2},
	{"ints", 0, false, 3},
	{"", 3, false, 4},
	{NULL, LONG, false, 0},
	{NULL, LONG, true, 0},
};

enum { TEXTS = sizeof texts / sizeof *texts };

/*
 * Returns the character with the index @i of a long String. All characters are
 * the same filler, except around the position EDGE.
 */
static unsigned
unit_of(const struct text *t, unsigned i)
{
	static const char escape[] = "\\x41";

	if (t->units && t->wide)
		return (uint8_t)t->units[2 * i] |
		       (unsigned)(uint8_t)t->units[2 * i + 1] << 8;
	if (t->units)
		return (uint8_t)t->units[i];
	if (t->wide && i == EDGE - 1)
		return 0xD83D;
	if (t->wide && i == EDGE)
		return 0xDE00;
	if (!t->wide && i >= EDGE - 2 && i < EDGE + 2)
		return (uint8_t)escape[i - (EDGE - 2)];
	return 'a';
}

static uint64_t
string_id(unsigned i)
{
	return FIRST + (uint64_t)STEP * i;
}

static void
string(struct b *b, int arg, unsigned i)
{
	static const uint64_t base[] = {0, 0, 0x999000, 0, 0};
	const struct text *t = &texts[i];
	uint64_t array = t->array == 0 || t->array == 3 ? string_id(i) + 0x20
			 : t->array == 4		? string_id(0) + 0x20
							: base[t->array];

	b_instance(b, string_id(i), STRING);
	b_value(b, B_OBJECT, array);
	if (arg == OLD) {
		b_value(b, B_INT, t->array == 4 ? 1 : 0);
		b_value(b, B_INT, t->n);
	} else {
		b_value(b, B_BYTE, t->wide);
	}
	b_instance_end(b);
}

static void
array(struct b *b, int arg, unsigned i)
{
	static uint64_t values[2 * LONG];
	const struct text *t = &texts[i];
	unsigned n = 0;

	if (t->array == 3)
		b_primitive_array(b, string_id(i) + 0x20, B_INT, 4, NULL);
	if (t->array != 0)
		return;
	for (unsigned k = 0; k < t->n; k++) {
		values[n++] = unit_of(t, k);
		if (arg != OLD && t->wide) {
			values[n] = unit_of(t, k) >> (arg == BIG ? 0 : 8);
			values[n - 1] >>= arg == BIG ? 8 : 0;
			/*
			 * `units` has one byte for each element; the higher
			 * bits of an element are not written
			 */
			n++;
		}
	}
	b_primitive_array(b, string_id(i) + 0x20, arg == OLD ? B_CHAR : B_BYTE,
			  n, values);
}

static void
strings(struct b *b, int arg)
{
	tables(b, arg);
	b_segment(b);
	classes(b, arg);
	for (unsigned i = 0; i < TEXTS; i += 2)
		array(b, arg, i);
	for (unsigned i = 0; i < TEXTS; i++)
		string(b, arg, i);
	b_close(b);
	b_segment(b);
	for (unsigned i = 1; i < TEXTS; i += 2)
		array(b, arg, i);
	b_root_sticky_class(b, OBJECT);
	b_close(b);
	b_heap_dump_end(b);
}

/*
 * Build a dump with commands that a CI system executes when they appear in a
 * log. The commands are the names of classes, fields, methods, source files and
 * threads. An object of each class refers to the next object. hprof-diff
 * appends "[]" to the name that begins with ##, because that class is an array
 * class.
 */
static void
runner_commands(struct b *b, int arg)
{
	static const char *const names[] = {
		"::error::pwned",
		"  ::set-output name=a::b",
		"\u00A0::add-mask::e",
		"\t::stop-commands::t",
		"##[error]pwned",
		"a ##[add-matcher]/tmp/m.json",
		"##vso[task.setvariable variable=a]b",
		"##teamcity[buildStatus text='a']",
		"##",
		"[L::warning::pwned;",
		"[L##;",
		"[[L##vso;",
		":",
		"a::b C#",
	};
	enum { N = sizeof(names) / sizeof(names[0]) };

	b_world_tables(b, B_HOTSPOT);
	for (uint32_t i = 0; i < N; i++) {
		uint64_t name = b_intern(b, names[i]);
		uint64_t frame = 0x7000 + i;

		b_load_class(b, 200 + i, b_class_id(b, 200 + i), 1, name);
		b_frame(b, frame, name, name, name, 200 + i, 1);
		b_trace(b, 200 + i, 0, 1, &frame);
		b_start_thread(b, 200 + i, b_object_id(b, B_O_FREE + i), 1,
			       name, name, name);
	}
	b_world_heap(b);
	for (uint32_t i = 0; i < N; i++) {
		uint64_t id = b_object_id(b, B_O_FREE + i);
		uint64_t name = b_intern(b, names[i]);

		b_class(b, &(struct b_class){.id = b_class_id(b, 200 + i),
					     .super = b_class_id(b, B_C_OBJECT),
					     .size = B_AUTO});
		b_static(b, name, B_OBJECT, id);
		b_field(b, name, B_OBJECT);
		b_class_end(b);
		b->trace = 200 + i;
		if (names[i][0] == '[') {
			b_object_array(b, id, b_class_id(b, 200 + i), 0, NULL);
			continue;
		}
		b_instance(b, id, b_class_id(b, 200 + i));
		b_value(b, B_OBJECT, b_object_id(b, B_O_FREE + (i + 1) % N));
		b_instance_end(b);
	}
	b_world_end(b);
}

const struct b_fixture b_fixtures_strings[] = {
	{"runner-commands", runner_commands, 0, 4 | 8, B_VALID,
	 "array-class-shape",
	 "names that are commands to GitHub's, Azure's and TeamCity's runners"},
	{"strings", strings, 0, 4 | 8, B_VALID, "ref-dangling-field",
	 "Strings as JDK 9 has them: short, long, odd, without an array"},
	{"strings-big", strings, BIG, 4 | 8, B_VALID, "ref-dangling-field",
	 "the same from a machine whose byte order is big"},
	{"strings-old", strings, OLD, 4 | 8, B_VALID, "ref-dangling-field",
	 "the same as JDK 6 has them"},
	{0},
};
