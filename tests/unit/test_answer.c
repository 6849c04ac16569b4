/*
 * test_answer.c - test when a report predicts that a leak will double the heap
 */
#include "diff/result/answer.h"
#include "tests/unit/must.h"

#include <check.h>

Suite *test_answer_suite(void);

enum { MB = 1 << 20 };

static struct hp_suspect
growing(double bytes_per_dump, double bytes_per_hour)
{
	return (struct hp_suspect){
		.evidence = {.steps = 3,
			     .is_linear = true,
			     .bytes_per_dump = bytes_per_dump,
			     .bytes_per_hour = bytes_per_hour}};
}

START_TEST(the_heap_doubles_by_time_or_by_dumps)
{
	const struct hp_answer a = {.compared = true, .heap.last = 256 * MB};
	struct hp_suspect s = growing(4 * MB, 128 * MB);
	struct hp_answer_forecast f;

	ck_assert(hp_answer_forecast(&a, &s, &f));
	ck_assert_uint_eq(f.bytes, 512 * MB);
	ck_assert_uint_eq(f.ms, 2 * 3600 * 1000);
	ck_assert_uint_eq(f.dumps, 0);
	s = growing(4 * MB, 0);
	ck_assert(hp_answer_forecast(&a, &s, &f));
	ck_assert_uint_eq(f.ms, 0);
	ck_assert_uint_eq(f.dumps, 64);
}

START_TEST(without_a_good_line_there_is_no_forecast)
{
	struct hp_answer a = {.compared = true, .heap.last = 256 * MB};
	struct hp_suspect s = growing(4 * MB, 0);
	struct hp_answer_forecast f;

	s.evidence.is_linear = false;
	ck_assert(!hp_answer_forecast(&a, &s, &f));
	/*
	 * the heap doubles only after 3,001 times the time between the first
	 * and the last dump
	 */
	s = growing(256.0 * MB / 3001, 0);
	ck_assert(!hp_answer_forecast(&a, &s, &f));
	s = growing(256.0 * MB / 2999, 0);
	ck_assert(hp_answer_forecast(&a, &s, &f));
	a.heap.last = 0;
	ck_assert(!hp_answer_forecast(&a, &s, &f));
	a.heap.last = UINT64_MAX;
	ck_assert(!hp_answer_forecast(&a, &s, &f));
}

Suite *
test_answer_suite(void)
{
	Suite *s = suite_create("answer");
	TCase *t = tcase_create("forecast");

	tcase_add_test(t, the_heap_doubles_by_time_or_by_dumps);
	tcase_add_test(t, without_a_good_line_there_is_no_forecast);
	suite_add_tcase(s, t);
	return s;
}
