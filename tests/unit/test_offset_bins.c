/*
 * test_offset_bins.c - tests of offset bins: the file is divided into ranges of
 * equal length, and each bin has the sum for one range
 *
 * The expected result comes from an array with an element for every byte.
 */
#include "tests/unit/must.h"
#include "validate/finding.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

Suite *test_offset_bins_suite(void);

enum { BYTES = 100000, STRETCHES = 500 };

struct stretch {
	uint64_t offset, length;
};

/*
 * Choose random ranges within the first BYTES bytes of a file. They are the
 * same in every run.
 */
static void
make_stretches(struct stretch *s)
{
	uint64_t seed = 20;

	for (unsigned i = 0; i < STRETCHES; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		s[i].offset = (seed >> 33) % BYTES;
		s[i].length = (seed >> 20) % (BYTES - s[i].offset + 1);
		if (i % 3)
			s[i].length %= 50;
	}
}

static uint64_t
counted(const struct stretch *s, uint64_t begin, uint64_t end)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < STRETCHES; i++) {
		uint64_t a = s[i].offset, b = a + s[i].length;

		a = a > begin ? a : begin;
		b = b < end ? b : end;
		n += b > a ? b - a : 0;
	}
	return n;
}

START_TEST(bytes_lie_where_they_are)
{
	struct hp_offset_bins b = {0};
	struct stretch s[STRETCHES];
	uint64_t width;

	make_stretches(s);
	for (unsigned i = 0; i < STRETCHES; i++)
		hp_offset_bins_add_bytes(&b, s[i].offset, s[i].length);
	hp_offset_bins_widen(&b, BYTES);
	width = UINT64_C(1) << b.shift;
	/*
	 * 256 bins of 256 bytes would cover less than the file, so each bin has
	 * 512 bytes
	 */
	ck_assert_uint_eq(width, 512);
	for (uint64_t i = 0; i < HP_OFFSET_BINS; i++)
		must(b.amounts[i] == counted(s, i * width, (i + 1) * width));
}
END_TEST

START_TEST(order_does_not_matter)
{
	struct hp_offset_bins one = {0}, back = {0}, parts[3] = {{{0}}};
	struct stretch s[STRETCHES];

	make_stretches(s);
	for (unsigned i = 0; i < STRETCHES; i++) {
		const struct stretch *r = &s[STRETCHES - 1 - i];

		hp_offset_bins_add_bytes(&one, s[i].offset, s[i].length);
		hp_offset_bins_add(&one, s[i].offset, 7);
		hp_offset_bins_add(&back, r->offset, 7);
		hp_offset_bins_add_bytes(&back, r->offset, r->length);
		hp_offset_bins_add_bytes(&parts[i % 3], s[i].offset,
					 s[i].length);
		hp_offset_bins_add(&parts[(i + 1) % 3], s[i].offset, 7);
	}
	hp_offset_bins_merge(&parts[2], &parts[0]);
	hp_offset_bins_merge(&parts[2], &parts[1]);
	ck_assert_int_eq(memcmp(&one, &back, sizeof(one)), 0);
	ck_assert_int_eq(memcmp(&one, &parts[2], sizeof(one)), 0);
}
END_TEST

START_TEST(ends)
{
	struct hp_offset_bins b = {0};

	hp_offset_bins_widen(&b, 0);
	hp_offset_bins_widen(&b, 256);
	hp_offset_bins_add_bytes(&b, 300, 0);
	ck_assert_uint_eq(b.shift, 0);
	hp_offset_bins_add(&b, 256, 1);
	ck_assert_uint_eq(b.shift, 1);
	ck_assert_uint_eq(b.amounts[128], 1);
	hp_offset_bins_add_bytes(&b, UINT64_MAX - 9, 100);
	ck_assert_uint_eq(b.shift, 56);
	ck_assert_uint_eq(b.amounts[255], 9);
	ck_assert_uint_eq(b.amounts[0], 1);
}
END_TEST

Suite *
test_offset_bins_suite(void)
{
	Suite *s = suite_create("offset_bins");
	TCase *t = tcase_create("all");

	tcase_add_test(t, bytes_lie_where_they_are);
	tcase_add_test(t, order_does_not_matter);
	tcase_add_test(t, ends);
	suite_add_tcase(s, t);
	return s;
}
