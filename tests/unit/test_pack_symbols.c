/*
 * test_pack_symbols.c - the symbols of a block: where they are found
 */
#include "common/pack/encode.h"
#include "tests/builder/builder.h"

#include <check.h>
#include <stdlib.h>

Suite *test_pack_symbols_suite(void);

/*
 * Class ids that meet in one slot of a hash whose factor is known: products of
 * it with one begin; or of what is first folded.
 */
static uint64_t
crafted_id(uint64_t i, bool folded)
{
	const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
	uint64_t inverse = factor, h;

	for (unsigned k = 0; k < 5; k++)
		inverse *= 2 - factor * inverse;
	h = (UINT64_C(12345) << 47 | i) * inverse;
	if (folded)
		h ^= h >> 29 ^ h >> 58;
	return h ^ UINT64_C(0x21) << 48 ^ (uint64_t)HP_PACK_INSTANCE << 36;
}

/* The most slots in a row that are in use. */
static size_t
longest_run(const struct hp_pack_encoder *e, size_t slots)
{
	size_t most = 0, run = 0;

	for (size_t i = 0; i < slots; i++) {
		run = e->found[i] ? run + 1 : 0;
		if (run > most)
			most = run;
	}
	return most;
}

START_TEST(crafted_classes)
{
	enum { N = 20000, SLOTS = 1 << 17 };
	struct hp_pack_encoder e = {0};
	struct hp_pack_walk w = {.last = true};
	struct b b;

	b_init(&b, 8);
	b_header(&b, "JAVA PROFILE 1.0.2", 1700000000000);
	b_heap_dump(&b);
	for (uint64_t i = 0; i < N; i++)
		b_instance_bytes(&b, 8 * (i + 1), crafted_id(i, _i), NULL, 0);
	b_close(&b);
	w.at = b.data;
	w.left = b.len;
	ck_assert_int_eq(hp_pack_encode(&e, &w), HP_OK);
	ck_assert_uint_gt(e.table.nsymbols, N);
	ck_assert_uint_le(longest_run(&e, SLOTS), 256);
	hp_pack_encoder_release(&e);
	b_release(&b);
}
END_TEST

Suite *
test_pack_symbols_suite(void)
{
	Suite *s = suite_create("pack_symbols");
	TCase *t = tcase_create("pack_symbols");

	tcase_add_loop_test(t, crafted_classes, 0, 2);
	suite_add_tcase(s, t);
	return s;
}
