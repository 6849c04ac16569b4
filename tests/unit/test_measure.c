/*
 * test_measure.c - tests of shallow sizes that are computed from the distances
 * between the addresses of objects
 *
 * The test chooses a layout, places objects in a heap as a JVM would, and
 * writes a dump of the heap. Objects may be dumped in any order and have gaps
 * after them.
 */
#include "diff/count/histogram.h"
#include "diff/count/shared_sizes.h"
#include "diff/estimate/estimate.h"
#include "tests/builder/builder.h"
#include "tests/unit/graph_dump.h"
#include "tests/unit/must.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	CLASSES = 40,
	EACH = 20, /* number of instances of each class */
	/*
	 * index of a class with a field that the VM has added; dumps do not
	 * contain such a field
	 */
	INJECTED = 7,
	/* size of a class object without static fields, in bytes */
	MIRROR = 112,
	HEAP = 0x70000000,
};

struct heap {
	unsigned header, alignment;
	/*
	 * the order of the objects in the dump differs from the order of their
	 * addresses
	 */
	bool shuffled;
	/* every gaps-th object has a gap after it; 0: there are no gaps */
	unsigned gaps;
	/* not 0: the ids are multiples of this number instead of addresses */
	unsigned step;
	unsigned scale; /* factor for the number of instances */
};

static uint64_t
class_id(const struct heap *h, unsigned i)
{
	/*
	 * the class objects are next to each other in memory; class number i
	 * has 16 * (i % 3) bytes of static fields
	 */
	return h->step ? h->step * (i + 1)
		       : HEAP + (uint64_t)i * MIRROR +
				 16 * (i / 3 * 3 + (i % 3 == 2));
}

static unsigned
size_of(const struct heap *h, unsigned class)
{
	unsigned bytes = h->header + class % 9 * 4 + class % 5 +
			 (class == INJECTED ? 8 : 0);

	return (bytes + h->alignment - 1) / h->alignment * h->alignment;
}

static void
put_classes(struct b *b, const struct heap *h)
{
	uint64_t name = b_intern(b, "f"), names[CLASSES];
	char text[16];

	for (unsigned i = 0; i < CLASSES; i++) {
		snprintf(text, sizeof(text),
			 i % 3 ? "test/C%u" : "test/\xc3\x96%u", i);
		names[i] = b_intern(b, i ? text : "java/lang/Object");
		b_load_class(b, i + 1, class_id(h, i), 0, names[i]);
	}
	b_intern(b, "<init_lock>");
	b_segment(b);
	for (unsigned i = 0; i < CLASSES; i++) {
		b_class(b, &(struct b_class){.id = class_id(h, i),
					     .super = i ? class_id(h, 0) : 0,
					     .size = B_AUTO});
		for (unsigned k = 0; k < i % 3; k++) {
			b_static(b, name, B_LONG, 0);
			b_static(b, name, B_LONG, 0);
		}
		b_static(b, b_intern(b, "<init_lock>"), B_OBJECT, 0);
		for (unsigned k = 0; i && k < i % 9; k++)
			b_field(b, name, k % 2 ? B_OBJECT : B_INT);
		for (unsigned k = 0; i && k < i % 5; k++)
			b_field(b, name, B_BYTE);
		b_class_end(b);
	}
}

static void
put_objects(struct b *b, const struct heap *h, uint64_t at)
{
	unsigned n = CLASSES * EACH * h->scale, stride = h->shuffled ? 7919 : 1;
	uint64_t *ids = calloc(2 * n, sizeof(*ids));

	must(ids);
	for (unsigned i = 0; i < 2 * n; i++) {
		unsigned array = (12 + h->header - 8 + i / 2 % 50 + 7) / 8 * 8;
		unsigned bytes = i % 2 ? (array + h->alignment - 1) /
						 h->alignment * h->alignment
				       : size_of(h, i / 2 % CLASSES);

		ids[i] = h->step ? h->step * (CLASSES + i + 1) : at;
		at += bytes;
		if (h->gaps && i % h->gaps == 0)
			at += 64;
	}
	for (uint64_t k = 0; k < 2 * n; k++) {
		unsigned i = (unsigned)(k * stride % (2 * n));

		if (i % 2)
			b_primitive_array(b, ids[i], B_BYTE, i / 2 % 50, NULL);
		else
			b_instance_zero(b, ids[i],
					class_id(h, i / 2 % CLASSES));
	}
	free(ids);
}

static void
measure(const struct heap *h, struct hp_histogram *g,
	const struct hp_histogram_options *options)
{
	struct b b;

	b_init(&b, 8);
	b_header(&b, "JAVA PROFILE 1.0.2", 0);
	put_classes(&b, h);
	put_objects(&b, h, class_id(h, CLASSES) + 512);
	histogram_of_dump(&b, g, options);
}

/*
 * Measure the sizes of objects in a dump of the heap. They must be equal to the
 * sizes that the test has chosen.
 */
static void
check_sizes(const struct heap *h, unsigned threads)
{
	const struct hp_histogram_options options = {.threads = threads};
	struct hp_histogram g;
	struct hp_shared_sizes shared = {0};

	measure(h, &g, &options);
	ck_assert_str_eq(g.fitted.source, "measured");
	/*
	 * merging the sizes of a dump with themselves must change nothing,
	 * whatever the names of the classes
	 */
	for (unsigned i = 0; i < 2; i++) {
		struct hp_size_model l = g.fitted;

		must(hp_shared_sizes_use(&shared, &g, &l, false, NULL) ==
		     HP_OK);
		must(l.measured == &g.measured);
	}
	hp_shared_sizes_release(&shared);
	ck_assert_uint_eq(g.fitted.header, h->header);
	ck_assert_uint_eq(g.fitted.array_header, h->header + 4);
	ck_assert_uint_eq(g.fitted.reference, 4);
	for (unsigned i = 0; i < CLASSES; i++) {
		const struct hp_class *c =
			hp_classes_get(&g.classes, class_id(h, i));

		must(c);
		ck_assert_uint_eq(hp_instance_bytes(&g.fitted, c, 8),
				  size_of(h, i));
		/*
		 * in a larger heap, the sampled objects may not include this
		 * class
		 */
		if (h->scale == 1)
			ck_assert_uint_eq(
				hp_class_object_bytes(&g.fitted, c, 8),
				(MIRROR + 16 * (i % 3) + h->alignment - 1) /
					h->alignment * h->alignment);
	}
	if (!h->gaps)
		ck_assert_uint_eq(g.measured.objects,
				  (h->scale == 1 ? CLASSES : 0) +
					  2 * CLASSES * EACH * h->scale);
	hp_histogram_release(&g);
}

static const struct heap heaps[] = {
	{.header = 12, .alignment = 8, .scale = 1},
	{.header = 8, .alignment = 8, .scale = 1},
	{.header = 12, .alignment = 16, .scale = 1},
	{.header = 12, .alignment = 8, .shuffled = true, .scale = 1},
	{.header = 12, .alignment = 8, .gaps = 3, .scale = 1},
	{.header = 8, .alignment = 8, .shuffled = true, .gaps = 7, .scale = 1},
	/* in this case the heap has more objects than the program samples */
	{.header = 12, .alignment = 8, .shuffled = true, .scale = 200},
};

START_TEST(sizes)
{
	check_sizes(&heaps[_i / 2], _i % 2 ? 3 : 1);
}
END_TEST

/*
 * Test --estimate for another header size or alignment: the estimate must equal
 * the size of the same heap with this header or alignment. The field that the
 * VM has added to a class keeps its size.
 */
START_TEST(other_layouts)
{
	const struct hp_histogram_options options = {.threads = 1};
	struct hp_estimates estimates[3];

	for (unsigned i = 0; i < 3; i++) {
		struct hp_histogram g;

		measure(&heaps[i], &g, &options);
		must(hp_estimate_make(&g, &g.fitted, &estimates[i], NULL) ==
		     HP_OK);
		hp_histogram_release(&g);
	}
	for (unsigned k = 0; k < HP_CONFIGURATIONS; k++) {
		const struct hp_configuration *to = &hp_configurations[k];
		unsigned heap = to->header == 8	      ? 1
				: to->alignment == 16 ? 2
						      : 0;

		if (to->reference == 8 || to->old_fields ||
		    (to->header == 8 && to->alignment == 16))
			continue;
		for (unsigned i = 0; i < 3; i++)
			ck_assert_uint_eq(estimates[i].bytes[k],
					  estimates[heap].now);
	}
}
END_TEST

START_TEST(no_addresses)
{
	static const unsigned steps[] = {1, 4, 8, 16, 4096};
	const struct heap h = {
		.header = 12, .alignment = 8, .scale = 1, .step = steps[_i]};
	const struct hp_histogram_options options = {.threads = 2};
	struct hp_histogram g;

	measure(&h, &g, &options);
	ck_assert_str_eq(g.fitted.source, "auto");
	ck_assert_uint_eq(g.measured.objects, 0);
	hp_histogram_release(&g);
}
END_TEST

START_TEST(hostile_ids)
{
	static const uint64_t steps[] = {0, 8, 65536, UINT64_C(1) << 40};
	struct hp_heap_sample s = {.most = HP_SAMPLES_MOST};
	struct hp_tally t = {.key = {.kind = HP_TALLY_INSTANCES}};
	struct hp_distances wide = {0};

	for (uint64_t i = 0; i < 4 * HP_SAMPLES_MOST; i++) {
		must(hp_heap_sample_add(&s, i * steps[_i], &t, 0));
		must(s.count < HP_SAMPLES_MOST);
	}
	must(hp_heap_sample_measure(&s, &wide, NULL, NULL));
	if (steps[_i] == 8)
		ck_assert_uint_eq(t.sampled.least, 8);
	else
		ck_assert_uint_eq(t.sampled.times, 0);
	hp_heap_sample_release(&s);
}
END_TEST

Suite *test_measure_suite(void);

Suite *
test_measure_suite(void)
{
	Suite *s = suite_create("measure");
	TCase *t = tcase_create("measure");

	tcase_add_loop_test(t, sizes, 0, 2 * HP_ARRAY_LEN(heaps));
	tcase_add_test(t, other_layouts);
	tcase_add_loop_test(t, no_addresses, 0, 5);
	tcase_add_loop_test(t, hostile_ids, 0, 4);
	suite_add_tcase(s, t);
	return s;
}
