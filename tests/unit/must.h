/*
 * must.h - an assertion for loops with many iterations
 *
 * Each assertion of the Check library that holds sends a message to the test
 * runner. This takes microseconds, and most of the time of a test with millions
 * of assertions. This assertion is silent until it fails.
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
