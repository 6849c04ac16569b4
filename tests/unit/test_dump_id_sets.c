/*
 * test_dump_id_sets.c - tests of sets of object ids, one set for each dump of a
 * file
 */
#include "convert/prepass/class_prepass.h"

#include <check.h>

enum { IDS = 70000, STRETCHES = 100 };

/*
 * Returns id number @i. The ids are in STRETCHES ranges that are far apart;
 * within a range they are consecutive.
 */
static uint64_t
id_of(unsigned i)
{
	return ((uint64_t)(i % STRETCHES + 1) << (HP_LEAF_BITS + 3)) +
	       (uint64_t)i / STRETCHES * 8;
}

START_TEST(many_ids_and_few)
{
	struct hp_dump_id_sets s = {
		.id_size = 8, .bytes = 1 << 20, .memory = 16 << 20};
	const struct hp_dump_id_set *many, *few;
	struct hp_error err = {0};

	for (unsigned i = 0; i < IDS; i++)
		ck_assert_int_eq(hp_dump_id_sets_add(&s, 1, id_of(i), &err),
				 HP_OK);
	ck_assert_int_eq(hp_dump_id_sets_add(&s, 2, id_of(IDS), &err), HP_OK);
	ck_assert_ptr_null(hp_dump_id_sets_get(&s, 1));
	ck_assert_int_eq(hp_dump_id_sets_finish(&s, &err), HP_OK);
	ck_assert_uint_le(s.taken, s.memory);
	many = hp_dump_id_sets_get(&s, 1);
	few = hp_dump_id_sets_get(&s, 2);
	ck_assert_ptr_nonnull(many->many);
	ck_assert_ptr_null(few->many);
	for (unsigned i = 0; i < IDS; i++) {
		ck_assert(hp_dump_ids_has(many, id_of(i)));
		ck_assert(!hp_dump_ids_has(few, id_of(i)));
	}
	ck_assert(!hp_dump_ids_has(many, id_of(IDS)));
	ck_assert(hp_dump_ids_has(few, id_of(IDS)));
	ck_assert(!hp_dump_id_sets_has(&s, 3, id_of(0)));
	hp_dump_id_sets_release(&s);
}
END_TEST

START_TEST(too_many_for_the_memory)
{
	struct hp_dump_id_sets s = {
		.id_size = 8, .bytes = 1 << 20, .memory = 8 << 20};
	struct hp_error err = {0};

	for (unsigned i = 0; i < IDS; i++)
		ck_assert_int_eq(hp_dump_id_sets_add(&s, 1, id_of(i), &err),
				 HP_OK);
	ck_assert_int_eq(hp_dump_id_sets_finish(&s, &err), HP_LIMIT);
	ck_assert_ptr_null(hp_dump_id_sets_get(&s, 1));
	hp_dump_id_sets_release(&s);
}
END_TEST

Suite *test_dump_id_sets_suite(void);

Suite *
test_dump_id_sets_suite(void)
{
	Suite *s = suite_create("dump_id_sets");
	TCase *c = tcase_create("dump_id_sets");

	tcase_add_test(c, many_ids_and_few);
	tcase_add_test(c, too_many_for_the_memory);
	suite_add_tcase(s, c);
	return s;
}
