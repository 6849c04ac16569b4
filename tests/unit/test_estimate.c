/*
 * test_estimate.c - tests of the estimated size of a heap in other JVMs
 *
 * The expected sizes were computed by hand from the rules that
 * configurations.def and old_layout.c describe.
 */
#include "diff/count/histogram.h"
#include "diff/estimate/estimate.h"
#include "tests/builder/builder.h"
#include "tests/unit/graph_dump.h"
#include "tests/unit/must.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The ids of the classes. In a real dump, ids are addresses. */
enum { ROOT = 1, A, B, C, D, ARRAY, OBJECTS = 100 };

/*
 * The kinds of objects in the dumps: instances of A, B and D, and three kinds
 * of arrays.
 */
enum kind { OF_A, OF_B, OF_D, BYTES, LONGS, REFERENCES, KINDS };

/*
 * The expected bytes of one object of each kind, for each configuration.
 *
 * class A { byte b; long l; Object o; }   class B extends A { int i; long m; }
 * class C extends A { byte c; }           class D extends C { byte d; }
 * BYTES: byte[5], LONGS: long[3], REFERENCES: Object[3]
 *
 * In JDK 8, the reference in A ends at byte 28, so the field of C is at byte
 * 28. The fields of C end at byte 32, and the fields of D at byte 36. JDK 17
 * places the three byte fields next to each other, at byte 12.
 */
static const unsigned sizes[HP_CONFIGURATIONS][KINDS] = {
	{32, 40, 40, 24, 40, 32}, /* JDK 8 */
	{40, 56, 56, 32, 48, 48}, /* references of 8 bytes */
	{32, 48, 48, 32, 48, 32}, /* alignment of 16 bytes */
	{32, 40, 32, 24, 40, 32}, /* JDK 17 */
	{32, 48, 32, 24, 40, 40}, {32, 48, 32, 32, 48, 32},
	{32, 40, 32, 24, 40, 32}, /* JDK 25 */
	{32, 48, 32, 24, 40, 40}, {32, 48, 32, 32, 48, 32},
	{24, 40, 24, 24, 40, 24}, /* compact headers */
	{32, 40, 32, 24, 40, 40}, {32, 48, 32, 32, 48, 32},
	{24, 40, 24, 24, 40, 24}, /* JDK 27 */
	{32, 40, 32, 24, 40, 40}, {32, 48, 32, 32, 48, 32},
	{32, 40, 32, 24, 40, 32}, /* without compact headers */
};

/*
 * Write a class with the given fields, whose types are letters: B byte, J long,
 * I int, L reference.
 */
static void
put_class(struct b *b, uint64_t id, uint64_t super, const char *fields)
{
	static const char letters[] = "BJIL";
	static const unsigned types[] = {B_BYTE, B_LONG, B_INT, B_OBJECT};
	uint64_t name = b_intern(b, "f");

	b_class(b, &(struct b_class){.id = id, .super = super, .size = B_AUTO});
	if (id == A) {
		b_static(b, name, B_LONG, 0);
		b_static(b, name, B_OBJECT, 0);
	}
	for (; *fields; fields++)
		b_field(b, name, types[strchr(letters, *fields) - letters]);
	b_class_end(b);
}

static void
put_object(struct b *b, enum kind kind, uint64_t id)
{
	static const uint64_t classes[] = {A, B, D};
	static const uint64_t elements[3] = {0};

	switch (kind) {
	case BYTES:
		b_primitive_array(b, id, B_BYTE, 5, NULL);
		break;
	case LONGS:
		b_primitive_array(b, id, B_LONG, 3, NULL);
		break;
	case REFERENCES:
		b_object_array(b, id, ARRAY, 3, elements);
		break;
	default:
		b_instance_zero(b, id, classes[kind]);
	}
}

static void
count(const unsigned counts[KINDS], unsigned id_size, struct hp_histogram *g,
      const struct hp_histogram_options *options)
{
	static const char *const names[] = {
		"java/lang/Object", "A", "B", "C", "D", "[Ljava/lang/Object;"};
	uint64_t id = OBJECTS;
	struct b b;

	b_init(&b, id_size);
	b_header(&b, "JAVA PROFILE 1.0.2", 0);
	for (unsigned i = 0; i < HP_ARRAY_LEN(names); i++)
		b_load_class(&b, i + 1, ROOT + i, 0, b_intern(&b, names[i]));
	b_intern(&b, "f");
	b_segment(&b);
	put_class(&b, ROOT, 0, "");
	put_class(&b, A, ROOT, "BJL");
	put_class(&b, B, A, "IJ");
	/* the class dump of D comes before the one of its superclass C */
	put_class(&b, D, C, "B");
	put_class(&b, C, A, "B");
	put_class(&b, ARRAY, ROOT, "");
	for (unsigned kind = 0; kind < KINDS; kind++)
		for (unsigned i = 0; i < counts[kind]; i++)
			put_object(&b, kind, id++);
	histogram_of_dump(&b, g, options);
}

START_TEST(kinds)
{
	const struct hp_histogram_options options = {.threads = 1};
	struct hp_size_model model;
	struct hp_estimates out;
	struct hp_histogram g;
	unsigned counts[KINDS] = {0};

	/*
	 * In the last round, the heap has objects of all kinds. Its size is the
	 * sum of their sizes.
	 */
	for (unsigned i = 0; i < KINDS; i++)
		counts[i] = _i / 2 == KINDS ? i + 2 : i == (unsigned)_i / 2;
	count(counts, _i % 2 ? 4 : 8, &g, &options);
	model = hp_size_model_detect(&g.hints, g.header.id_size, false);
	ck_assert_int_eq(hp_estimate_make(&g, &model, &out, NULL), HP_OK);
	for (unsigned k = 0; k < HP_CONFIGURATIONS; k++) {
		/* size of the static fields of class A, in bytes */
		uint64_t expected = 16;

		for (unsigned i = 0; i < KINDS; i++)
			expected += counts[i] * (uint64_t)sizes[k][i];
		ck_assert_msg(
			out.bytes[k] == expected,
			"JDK %s %s: %lu instead of %lu",
			hp_configurations[k].jdk, hp_configurations[k].option,
			(unsigned long)out.bytes[k], (unsigned long)expected);
	}
	hp_histogram_release(&g);
}
END_TEST

START_TEST(android)
{
	const struct hp_histogram_options options = {.threads = 1};
	const struct hp_size_model model = {.model = HP_SIZE_MODEL_ART};
	const unsigned counts[KINDS] = {1};
	struct hp_error err = {0};
	struct hp_estimates out;
	struct hp_histogram g;

	count(counts, 4, &g, &options);
	ck_assert_int_eq(hp_estimate_make(&g, &model, &out, &err), HP_DAMAGED);
	ck_assert_ptr_nonnull(strstr(err.text, "Android"));
	hp_histogram_release(&g);
}
END_TEST

Suite *test_estimate_suite(void);

Suite *
test_estimate_suite(void)
{
	Suite *s = suite_create("estimate");
	TCase *t = tcase_create("estimate");

	tcase_add_loop_test(t, kinds, 0, 2 * (KINDS + 1));
	tcase_add_test(t, android);
	suite_add_tcase(s, t);
	return s;
}
