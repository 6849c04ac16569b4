/*
 * main.c - run the given unit test suites, or all of them
 *
 * Each file tests/unit/test_NAME.c has one suite, which the function Suite
 * *test_NAME_suite(void) creates. tests/tests.mk makes the list suites.def from
 * the file names, with one line SUITE(NAME) for each file. The arguments of the
 * program are NAMEs of suites.
 *
 * The environment variables of the Check library work: CK_VERBOSITY=verbose,
 * CK_FORK=no, CK_RUN_SUITE=..., CK_RUN_CASE=...
 */
#include "common/base/status.h"

#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUITE(name) Suite *test_##name##_suite(void);
#include "suites.def"
#undef SUITE

static const struct {
	const char *name;
	Suite *(*make)(void);
} suites[] = {
#define SUITE(name) {#name, test_##name##_suite},
#include "suites.def"
#undef SUITE
};

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*start)(void *), void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			  void *(*start)(void *), void *arg);

/*
 * Replaces pthread_create() in the library. Suites that start no threads run
 * without ThreadSanitizer, and with the environment variable UNIT_ALONE. If
 * such a suite starts a thread nevertheless, this function ends the process.
 */
int
__wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
		      void *(*start)(void *), void *arg)
{
	if (getenv("UNIT_ALONE")) {
		fputs("a suite in ALONE_SUITES of tests/tests.mk starts a "
		      "thread\n",
		      stderr);
		abort();
	}
	return __real_pthread_create(thread, attributes, start, arg);
}

static size_t
add(SRunner *runner, const char *name)
{
	size_t n = 0;

	for (size_t i = 0; i < HP_ARRAY_LEN(suites); i++)
		if (name == NULL || strcmp(name, suites[i].name) == 0) {
			srunner_add_suite(runner, suites[i].make());
			n++;
		}
	return n;
}

int
main(int argc, char **argv)
{
	SRunner *runner = srunner_create(NULL);
	int failed = 0;

	if (argc == 1)
		add(runner, NULL);
	for (int i = 1; i < argc; i++)
		if (add(runner, argv[i]) == 0) {
			fprintf(stderr, "no suite %s\n", argv[i]);
			failed = 1;
		}
	if (!failed) {
		srunner_run_all(runner, CK_ENV);
		failed = srunner_ntests_failed(runner);
	}
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
