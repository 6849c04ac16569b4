/*
 * quick.h - mark the part of a long test suite that `make check-quick` runs
 *
 * LONG_SUITES in tests/tests.mk lists the long suites. Each of these suites has
 * a test case with the name "quick", with its fast tests and the first rounds
 * of its loops.
 */
#ifndef HP_TESTS_UNIT_QUICK_H
#define HP_TESTS_UNIT_QUICK_H

#include <check.h>

/* Add the quick case to a suite. @seconds: timeout of each of its tests. */
static inline TCase *
quick_case(Suite *suite, int seconds)
{
	TCase *t = tcase_create("quick");

	tcase_set_tags(t, "quick");
	tcase_set_timeout(t, seconds);
	suite_add_tcase(suite, t);
	return t;
}

#endif
