/*
 * test_random_stream.c - tests of the function that guesses whether data looks
 * random, so that compressing it would be useless
 */
#include "common/pack/block/internal.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

Suite *test_random_stream_suite(void);

enum { SIZE = 4 << 20, FEW = 1 << 16 };

static uint8_t *bytes;

static void
fill(uint64_t seed)
{
	uint64_t x = seed;

	for (size_t i = 0; i < SIZE; i++) {
		x ^= x >> 12;
		x ^= x << 25;
		x ^= x >> 27;
		bytes[i] = (uint8_t)(x * 0x2545f4914f6cdd1du >> 56);
	}
}

static void
set_up(void)
{
	bytes = malloc(SIZE);
	ck_assert_ptr_nonnull(bytes);
	fill(1);
}

static void
tear_down(void)
{
	free(bytes);
}

/*
 * Returns whether the function finds that the first @n bytes look random. The
 * test passes them in parts of @each bytes, the last part first.
 */
static bool
looks_random(size_t n, size_t each)
{
	size_t count = (n + each - 1) / each;
	struct hp_pack_segment *segments = calloc(count, sizeof(*segments));
	size_t *order = calloc(count, sizeof(*order));
	bool random;

	ck_assert_ptr_nonnull(segments);
	ck_assert_ptr_nonnull(order);
	for (size_t i = 0; i < count; i++) {
		struct hp_pack_segment *s = &segments[count - 1 - i];

		s->data = bytes + i * each;
		s->n = n - i * each < each ? n - i * each : each;
		order[i] = count - 1 - i;
	}
	random = hp_pack_stream_random(segments, order, count, n);
	free(order);
	free(segments);
	return random;
}

START_TEST(random_bytes)
{
	static const size_t sizes[] = {FEW, 100000, 1 << 20, SIZE};
	static const size_t each[] = {100, 1024, 65536, SIZE};

	for (uint64_t seed = 1; seed <= 20; seed++) {
		fill(seed);
		for (size_t s = 0; s < 4; s++)
			for (size_t e = 0; e < 4; e++)
				ck_assert_msg(looks_random(sizes[s], each[e]),
					      "seed %u, %zu by %zu",
					      (unsigned)seed, sizes[s],
					      each[e]);
	}
}
END_TEST

START_TEST(short_streams)
{
	ck_assert(!looks_random(FEW - 1, FEW));
	ck_assert(looks_random(FEW, FEW));
}
END_TEST

/*
 * Test random data in which @n bytes occur twice, up to 1 MiB apart.
 */
START_TEST(something_twice)
{
	for (size_t n = 4096; n <= 65536; n *= 2)
		for (size_t apart = n; apart <= 1 << 20; apart *= 4) {
			fill(n + apart);
			memcpy(bytes + 1234567 + apart, bytes + 1234567, n);
			ck_assert_msg(!looks_random(SIZE, SIZE), "%zu, %zu", n,
				      apart);
		}
}
END_TEST

START_TEST(padded_arrays)
{
	for (size_t zeros = 120; zeros < 4000; zeros += 180) {
		fill(zeros);
		for (size_t i = 4000; i <= SIZE; i += 4000)
			memset(bytes + i - zeros, 0, zeros);
		ck_assert_msg(!looks_random(SIZE, 4000), "%zu", zeros);
	}
}
END_TEST

START_TEST(a_hole)
{
	memset(bytes + 2000000, 0, 256 << 10);
	ck_assert(!looks_random(SIZE, SIZE));
}
END_TEST

/*
 * Test data in which all byte values are equally frequent, but in a predictable
 * order.
 */
START_TEST(steps)
{
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (uint8_t)(i * 77);
	ck_assert(!looks_random(SIZE, SIZE));
}
END_TEST

/*
 * Test random data that has only values up to 252, or in which one value is
 * slightly more frequent.
 */
START_TEST(not_equally_frequent)
{
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (uint8_t)(bytes[i] % 253);
	ck_assert(!looks_random(SIZE, SIZE));
	fill(2);
	for (size_t i = 0; i < SIZE; i += 64)
		bytes[i] = 7;
	ck_assert(!looks_random(SIZE, SIZE));
}
END_TEST

Suite *
test_random_stream_suite(void)
{
	Suite *suite = suite_create("random_stream");
	TCase *c = tcase_create("random_stream");

	tcase_set_timeout(c, 60);
	tcase_add_checked_fixture(c, set_up, tear_down);
	tcase_add_test(c, random_bytes);
	tcase_add_test(c, short_streams);
	tcase_add_test(c, something_twice);
	tcase_add_test(c, padded_arrays);
	tcase_add_test(c, a_hole);
	tcase_add_test(c, steps);
	tcase_add_test(c, not_equally_frequent);
	suite_add_tcase(suite, c);
	return suite;
}
