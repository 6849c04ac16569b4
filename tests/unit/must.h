/*
 * must.h - an assertion for loops with many iterations
 *
 * An assertion of the Check library always sends a message to the test runner.
 * For millions of assertions, this would take most of the time of a test.
 * must() sends a message only if it fails.
 */
#ifndef HP_TESTS_UNIT_MUST_H
#define HP_TESTS_UNIT_MUST_H

#include <check.h>

#define must(expr)                                                             \
	do {                                                                   \
		if (!(expr))                                                   \
			ck_abort_msg("Assertion '%s' failed", #expr);          \
	} while (0)

#endif
