/*
 * test_hash.c - tests of the hash table of numbers
 */
#include "common/base/hash.h"

#include <check.h>
#include <stdint.h>

Suite *test_hash_suite(void);

static bool
same_number(const void *items, uint32_t number, const void *key)
{
	const uint32_t *list = items;

	return list[number - 1] == *(const uint32_t *)key;
}

static void
insert_and_find(uint32_t n, uint32_t (*hash_of)(uint32_t value))
{
	static uint32_t list[100000];
	struct hp_hash_table t = {0};
	struct hp_hash_slot *slot;

	for (uint32_t i = 0; i < n; i++) {
		ck_assert(hp_hash_reserve(&t, i + 1));
		slot = hp_hash_find(&t, hash_of(i), same_number, list, &i);
		ck_assert_uint_eq(slot->number, 0);
		list[i] = i;
		hp_hash_add(&t, slot, hash_of(i), i + 1);
	}
	ck_assert_uint_eq(t.count, n);
	ck_assert(t.cap / 10 * 7 >= n);
	for (uint32_t i = 0; i < n; i++) {
		slot = hp_hash_find(&t, hash_of(i), same_number, list, &i);
		ck_assert_uint_eq(slot->number, i + 1);
	}
	slot = hp_hash_find(&t, hash_of(n), same_number, list, &n);
	ck_assert_uint_eq(slot->number, 0);
	hp_hash_release(&t);
	ck_assert_ptr_null(t.slots);
}

static uint32_t
spread(uint32_t value)
{
	return value * UINT32_C(0x9E3779B1);
}

/* A hash function for which eight consecutive numbers have the same hash. */
static uint32_t
crowded(uint32_t value)
{
	return value >> 3 << 3;
}

static uint32_t
constant(uint32_t value)
{
	return 42;
}

START_TEST(grows)
{
	insert_and_find(100000, spread);
}
END_TEST

START_TEST(collisions)
{
	insert_and_find(10000, crowded);
	insert_and_find(500, constant);
}
END_TEST

START_TEST(reserved)
{
	struct hp_hash_table t = {0};

	ck_assert(hp_hash_reserve(&t, 0));
	ck_assert_uint_eq(t.cap, 0);
	ck_assert(hp_hash_reserve(&t, 1000));
	ck_assert_uint_ge(hp_hash_room(t.cap), 1000);
	for (size_t n = 0, cap = t.cap; n <= 1000; n++) {
		ck_assert(hp_hash_reserve(&t, n));
		ck_assert_uint_eq(t.cap, cap);
	}
	hp_hash_release(&t);
	/* more items than a 32-bit index can number */
	ck_assert(!hp_hash_reserve(&t, SIZE_MAX / 16));
	ck_assert_uint_eq(t.cap, 0);
}
END_TEST

static void
insert(struct hp_hash_table *t, uint32_t *list, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct hp_hash_slot *slot;

		ck_assert(hp_hash_reserve(t, i + 1));
		slot = hp_hash_find(t, spread(i), same_number, list, &i);
		ck_assert_uint_eq(slot->number, 0);
		list[i] = i;
		hp_hash_add(t, slot, spread(i), i + 1);
	}
}

START_TEST(cleared)
{
	static uint32_t list[10000];
	struct hp_hash_table t = {0};
	uint64_t seed;
	size_t cap;

	hp_hash_clear(&t);
	insert(&t, list, 10000);
	cap = t.cap;
	seed = t.seed;
	hp_hash_clear(&t);
	ck_assert_uint_eq(t.count, 0);
	ck_assert_uint_eq(t.cap, cap);
	insert(&t, list, 10);
	hp_hash_clear(&t);
	ck_assert_uint_eq(t.cap, 0);
	insert(&t, list, 10);
	ck_assert_uint_eq(t.cap, HP_HASH_MIN);
	ck_assert(t.seed == seed);
	hp_hash_clear(&t);
	ck_assert_uint_eq(t.cap, HP_HASH_MIN);
	insert(&t, list, 3);
	hp_hash_release(&t);
}
END_TEST

Suite *
test_hash_suite(void)
{
	Suite *suite = suite_create("hash");
	TCase *c = tcase_create("hash");

	tcase_add_test(c, grows);
	tcase_add_test(c, collisions);
	tcase_add_test(c, reserved);
	tcase_add_test(c, cleared);
	suite_add_tcase(suite, c);
	return suite;
}
