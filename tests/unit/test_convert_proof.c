/*
 * test_convert_proof.c - tests of the check ("proof") that a stripped dump
 * lacks the removed values and is otherwise unchanged
 *
 * The proof must accept a correctly stripped dump. It must fail for any value
 * that is left, for any other change, and for input that it cannot read.
 */
#include "convert/strip/proof.h"
#include "tests/builder/fixtures.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

Suite *test_convert_proof_suite(void);

static const struct hp_policy all_arrays = {.array_types = HP_POLICY_ALL_TYPES};

static enum hp_status
prove(const uint8_t *data, size_t n, size_t step, const struct hp_policy *p,
      uint64_t hash, uint64_t *checked)
{
	struct hp_proof *proof;
	struct hp_error err = {0};
	enum hp_status st;

	ck_assert_int_eq(hp_proof_open(&proof, p, NULL, &err), HP_OK);
	if (hash)
		ck_assert_int_eq(hp_proof_mark(proof, n, hash, &err), HP_OK);
	st = HP_OK;
	for (size_t at = 0; at < n && st == HP_OK; at += step)
		st = hp_proof_feed(proof, data + at,
				   n - at < step ? n - at : step, &err);
	if (st == HP_OK)
		st = hp_proof_end(proof, &err);
	*checked = hp_proof_bytes(proof);
	hp_proof_close(proof);
	return st;
}

static void
small(struct b *b, unsigned id_size, size_t *bytes, size_t *ints)
{
	static const uint8_t text[8] = "secret!";
	static const uint64_t numbers[2] = {1, 2};

	b_init(b, id_size);
	b_header(b, "JAVA PROFILE 1.0.2", 1);
	b_string(b, 1, "a name");
	b_segment(b);
	*bytes = b_byte_array(b, 0x1000, text, sizeof(text)) + 10 + id_size;
	*ints = b_primitive_array(b, 0x2000, B_INT, 2, numbers) + 10 + id_size;
	b_close(b);
	b_heap_dump_end(b);
}

/*
 * Returns the hash that strip.c would compute: the hash of all bytes except the
 * elements of the two arrays.
 */
static uint64_t
kept(const struct b *b, size_t bytes, size_t ints)
{
	XXH3_state_t *h = XXH3_createState();
	uint64_t hash;

	XXH3_64bits_reset(h);
	XXH3_64bits_update(h, b->data, bytes);
	XXH3_64bits_update(h, b->data + bytes + 8, ints - bytes - 8);
	XXH3_64bits_update(h, b->data + ints + 8, b->len - ints - 8);
	hash = XXH3_64bits_digest(h);
	XXH3_freeState(h);
	return hash;
}

START_TEST(stripped_passes_and_planted_fails)
{
	unsigned id_size = _i ? 8 : 4;
	struct b b;
	size_t bytes, ints;
	uint64_t hash, checked;

	small(&b, id_size, &bytes, &ints);
	hash = kept(&b, bytes, ints);
	ck_assert_int_eq(prove(b.data, b.len, 7, &all_arrays, hash, &checked),
			 HP_DAMAGED);
	memset(b.data + bytes, 0, 8);
	memset(b.data + ints, 0, 8);
	for (size_t step = 1; step <= b.len; step++) {
		ck_assert_int_eq(
			prove(b.data, b.len, step, &all_arrays, hash, &checked),
			HP_OK);
		ck_assert_uint_eq(checked, 16);
	}
	/* change each byte in turn: the proof must fail */
	for (size_t i = 0; i < b.len; i++) {
		b.data[i] ^= 0x40;
		ck_assert_int_eq(prove(b.data, b.len, b.len, &all_arrays, hash,
				       &checked),
				 HP_DAMAGED);
		ck_assert_int_eq(
			prove(b.data, b.len, 5, &all_arrays, hash, &checked),
			HP_DAMAGED);
		b.data[i] ^= 0x40;
	}
	/* truncate the dump at each byte: the proof must fail */
	for (size_t n = 0; n < b.len; n++)
		ck_assert_int_eq(
			prove(b.data, n, 64, &all_arrays, hash, &checked),
			HP_DAMAGED);
	b_release(&b);
}
END_TEST

/*
 * Test the proof for --strip with --no-times. It must accept a dump whose times
 * are zero. It must detect each byte of a time that is not zero, and every
 * other change.
 */
START_TEST(finds_times_that_are_left)
{
	static const struct hp_policy policy = {.times = true};
	enum { HEADER = 31, AT_TIME = HEADER - 8, RECORD_TIME = HEADER + 1 };
	XXH3_state_t *h = XXH3_createState();
	uint64_t hash, checked;
	struct b b;

	b_init(&b, _i ? 8 : 4);
	b_header(&b, "JAVA PROFILE 1.0.2", 0);
	b_string(&b, 1, "a name");
	memset(b.data + AT_TIME, 0, 8);
	memset(b.data + RECORD_TIME, 0, 4);
	XXH3_64bits_reset(h);
	XXH3_64bits_update(h, b.data, AT_TIME);
	XXH3_64bits_update(h, b.data + HEADER, 1);
	XXH3_64bits_update(h, b.data + RECORD_TIME + 4,
			   b.len - RECORD_TIME - 4);
	hash = XXH3_64bits_digest(h);
	XXH3_freeState(h);
	for (size_t step = 1; step <= b.len; step++) {
		ck_assert_int_eq(
			prove(b.data, b.len, step, &policy, hash, &checked),
			HP_OK);
		ck_assert_uint_eq(checked, 12);
	}
	for (size_t i = 0; i < b.len; i++) {
		b.data[i] ^= 0x40;
		ck_assert_int_eq(
			prove(b.data, b.len, 3, &policy, hash, &checked),
			HP_DAMAGED);
		b.data[i] ^= 0x40;
	}
	b_release(&b);
}
END_TEST

START_TEST(keeps_what_the_policy_keeps)
{
	struct hp_policy bytes_only = {.array_types = 1u << B_BYTE};
	struct hp_policy first = {.array_types = HP_POLICY_ALL_TYPES,
				  .keep_first = 1};
	struct b b;
	size_t bytes, ints;
	uint64_t checked;

	small(&b, 8, &bytes, &ints);
	memset(b.data + bytes, 0, 8);
	ck_assert_int_eq(prove(b.data, b.len, 9, &bytes_only, 0, &checked),
			 HP_OK);
	ck_assert_uint_eq(checked, 8);
	ck_assert_int_eq(prove(b.data, b.len, 9, &first, 0, &checked),
			 /* the second element of the int[] is not zero */
			 HP_DAMAGED);
	b.data[bytes] = 's';
	memset(b.data + ints + 4, 0, 4);
	ck_assert_int_eq(prove(b.data, b.len, 9, &first, 0, &checked), HP_OK);
	ck_assert_uint_eq(checked, 7 + 4);
	b.data[bytes + 1] = 'e';
	ck_assert_int_eq(prove(b.data, b.len, 9, &first, 0, &checked),
			 HP_DAMAGED);
	b_release(&b);
}
END_TEST

START_TEST(follows_all_fixtures)
{
	static const struct hp_policy nothing;

	for (const struct b_fixture *f = b_fixtures(); f->name; f++) {
		struct b b;
		uint64_t checked;

		if (f->verdict != B_VALID || strcmp(f->name, "overflow") == 0 ||
		    strcmp(f->name, "ancient") == 0)
			continue;
		b_fixture_build(f, &b, 0);
		ck_assert_msg(prove(b.data, b.len, 1000, &nothing, 0,
				    &checked) == HP_OK,
			      "%s", f->name);
		ck_assert_uint_eq(checked, 0);
		b_release(&b);
	}
}
END_TEST

Suite *
test_convert_proof_suite(void)
{
	Suite *s = suite_create("convert_proof");
	TCase *t = tcase_create("proof");

	tcase_set_timeout(t, 60);
	tcase_add_loop_test(t, stripped_passes_and_planted_fails, 0, 2);
	tcase_add_loop_test(t, finds_times_that_are_left, 0, 2);
	tcase_add_test(t, keeps_what_the_policy_keeps);
	tcase_add_test(t, follows_all_fixtures);
	suite_add_tcase(s, t);
	return s;
}
