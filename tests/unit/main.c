/*
 * main.c - runs all unit test suites
 *
 * The suites are those of tests/unit/test_NAME.c, each with a function
 * Suite *test_NAME_suite(void). The list suites.def, one SUITE(NAME) a line,
 * is made from the files' names by tests/tests.mk.
 *
 * Check's own variables work: CK_VERBOSITY=verbose, CK_FORK=no,
 * CK_RUN_SUITE=..., CK_RUN_CASE=...
 */
#include <check.h>
#include <stdlib.h>

#define SUITE(name) Suite *test_##name##_suite(void);
#include "suites.def"
#undef SUITE

int
main(void)
{
	SRunner *runner = srunner_create(NULL);
	int failed;

#define SUITE(name) srunner_add_suite(runner, test_##name##_suite());
#include "suites.def"
#undef SUITE
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
