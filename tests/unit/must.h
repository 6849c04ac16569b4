/*
 * must.h - an assertion for loops over very many things
 *
 * Each of Check's assertions that holds sends the runner a message, which
 * takes microseconds and, in a test that has millions, nearly all its time.
 * This one is silent until it fails.
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
