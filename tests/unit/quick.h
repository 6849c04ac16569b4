/*
 * quick.h - what `make check-quick` runs of a suite that takes long
 *
 * LONG_SUITES in tests/tests.mk names these suites. Each puts the tests that
 * are fast, and the first rounds of its loops, into a quick case.
 */
#ifndef HP_TESTS_UNIT_QUICK_H
#define HP_TESTS_UNIT_QUICK_H

#include <check.h>

/* Adds the case; @seconds: how long each of its tests may take. */
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
