/*
 * test_memory.c - tests of the allocator: it counts memory, refuses what
 * exceeds the limit, and reports why
 */
#include "common/base/memory.h"
#include "common/base/status.h"
#include "common/base/threads.h"
#include "tests/unit/must.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 1 << 20, APART = 1 << 20 };

static struct hp_memory run;
static char *text; /* a text that a thread allocates */

static void
enter_run(void)
{
	run = (struct hp_memory){0};
	hp_memory_enter(&run);
	hp_memory_limit(LIMIT + APART, APART);
}

static void
leave_run(void)
{
	hp_memory_enter(NULL);
}

START_TEST(counts)
{
	char *a = hp_malloc(1000), *b = hp_calloc(10, 100);
	char *c = hp_aligned_alloc(4096, 8192), *d = hp_strdup("text");
	char *e = hp_strndup("text", 2);

	must(a && b && c && d && e);
	ck_assert_uint_ge(run.used, 2 * 1000 + 8192 + 5 + 3);
	ck_assert_uint_le(run.used, 2 * 1000 + 2 * 8192);
	ck_assert_str_eq(d, "text");
	ck_assert_str_eq(e, "te");
	for (size_t i = 0; i < 1000; i++)
		must(b[i] == 0);
	a = hp_realloc(a, 100000);
	must(a);
	ck_assert_uint_ge(run.used, 100000 + 1000 + 8192);
	ck_assert_uint_eq(hp_memory_left(), LIMIT - run.used);
	a = hp_realloc(a, 10);
	must(a);
	ck_assert_uint_le(run.used, 2 * 8192);
	ck_assert_uint_ge(run.peak, 100000 + 1000 + 8192);
	hp_free(a);
	hp_free(b);
	hp_free(c);
	hp_free(d);
	hp_free(e);
	hp_free(NULL);
	ck_assert_uint_eq(run.used, 0);
}
END_TEST

START_TEST(refuses)
{
	char *a = hp_malloc(LIMIT / 2);
	uint64_t used = run.used, given, needed;

	must(a);
	memset(a, 'a', LIMIT / 2);
	must(!hp_memory_refused(&given, &needed));
	must(!hp_malloc(LIMIT / 2));
	must(!hp_calloc(1, LIMIT / 2));
	must(!hp_aligned_alloc(4096, LIMIT / 2));
	must(!hp_realloc(a, LIMIT + 1));
	must(!hp_memory_take(LIMIT / 2));
	ck_assert_uint_eq(run.used, used);
	must(a[0] == 'a' && a[LIMIT / 2 - 1] == 'a');
	must(hp_memory_take(LIMIT / 4));
	hp_memory_give_back(LIMIT / 4);
	must(hp_memory_refused(&given, &needed));
	ck_assert_uint_eq(given, LIMIT + APART);
	ck_assert_uint_eq(needed, APART + used + LIMIT / 2);
	hp_free(a);
	ck_assert_uint_eq(run.used, 0);
}
END_TEST

/*
 * Test the errors. If the limit is exceeded, the error is HP_LIMIT, and its
 * text has the numbers. If malloc() fails, the error is HP_NOMEM.
 */
START_TEST(reports)
{
	struct hp_error err = {0}, other = {0};
	char *a;

	ck_assert_int_eq(hp_no_memory(&other), HP_NOMEM);
	ck_assert_str_eq(other.text, "out of memory");
	run.what = "the graph";
	a = hp_malloc(2 * LIMIT + 1000);
	must(!a);
	ck_assert_int_eq(hp_no_memory(&err), HP_LIMIT);
	ck_assert_str_eq(err.text, "the graph does not fit in --memory=2MB; "
				   "allow more, for example --memory=4MB");
	/* setting a new limit forgets the refused allocation */
	hp_memory_limit(2 * LIMIT, APART);
	ck_assert_int_eq(hp_no_memory(NULL), HP_NOMEM);
	/* a limit (--memory) that is less than the program itself needs */
	hp_memory_limit(APART / 2, APART);
	must(!hp_malloc(1000));
	/* remove the limit */
	hp_memory_limit(0, 0);
	ck_assert_uint_eq(hp_memory_left(), UINT64_MAX);
	a = hp_malloc(8 * LIMIT);
	must(a);
	hp_free(a);
}
END_TEST

static void *
allocate(void *unused)
{
	text = hp_malloc(1000);
	must(!hp_malloc(LIMIT));
	return unused;
}

START_TEST(threads)
{
	pthread_t thread;
	uint64_t given, needed;

	must(hp_thread_start(&thread, allocate, NULL, NULL) == HP_OK);
	pthread_join(thread, NULL);
	ck_assert_uint_ge(run.used, 1000);
	must(hp_memory_refused(&given, &needed));
	hp_free(text);
	ck_assert_uint_eq(run.used, 0);
}
END_TEST

/*
 * Test a child: a part of the memory that has its own limit. When the child
 * ends, the memory that it has not freed must count for its parent.
 */
START_TEST(children)
{
	struct hp_memory child = {0}, other = {0};
	uint64_t given, needed;
	char *a, *b;

	must(hp_memory_child(&child, LIMIT / 2));
	ck_assert_uint_eq(run.used, LIMIT / 2);
	must(!hp_memory_child(&other, LIMIT));
	must(hp_memory_enter(&child) == &run);
	a = hp_malloc(LIMIT / 4);
	must(a);
	must(!hp_malloc(LIMIT / 2));
	must(hp_memory_refused(&given, &needed));
	ck_assert_uint_eq(given, LIMIT + APART);
	ck_assert_uint_gt(needed, LIMIT + APART);
	must(hp_memory_enter(&run) == &child);
	ck_assert_uint_eq(run.used, LIMIT / 2);
	hp_memory_join(&child);
	ck_assert_uint_ge(run.used, LIMIT / 4);
	ck_assert_uint_lt(run.used, LIMIT / 3);
	b = hp_malloc(LIMIT / 2);
	must(b);
	hp_free(a);
	hp_free(b);
	ck_assert_uint_eq(run.used, 0);
}
END_TEST

/* what free_kept() frees, and how often it was called */
static char *kept;
static unsigned calls;

static uint64_t
free_kept(void *context, uint64_t bytes, struct hp_error *err)
{
	uint64_t freed = kept ? LIMIT / 2 : 0;

	if (!kept)
		hp_fail(err, HP_IO, "the disk is full");

	must(context == &kept && bytes > 0 && bytes <= LIMIT / 2);
	calls++;
	hp_free(kept);
	kept = NULL;
	return freed;
}

/*
 * Test a function that frees memory when a request is refused: the request is
 * allowed if this is enough, and otherwise refused and noted. The message says
 * why the function has freed nothing.
 */
START_TEST(frees_more)
{
	struct hp_error both = {0}, limit = {0};
	char *a;

	kept = hp_malloc(LIMIT / 2);
	must(kept);
	hp_memory_on_refusal(free_kept, &kept);
	must(!hp_memory_try_take(LIMIT / 4 * 3));
	must(kept && !hp_memory_refused(NULL, NULL));
	a = hp_malloc(LIMIT / 4 * 3);
	must(a && !kept && calls == 1);
	must(!hp_memory_refused(NULL, NULL));
	must(!hp_memory_take(LIMIT / 2));
	must(calls == 2 && hp_memory_refused(NULL, NULL));
	ck_assert_int_eq(hp_no_memory(&both), HP_LIMIT);
	must(strstr(both.text, "; the disk is full; allow more, for example"));
	hp_memory_on_refusal(NULL, NULL);
	must(!hp_realloc(a, 2 * LIMIT));
	must(calls == 2);
	ck_assert_int_eq(hp_no_memory(&limit), HP_LIMIT);
	must(!strstr(limit.text, "full"));
	must(strstr(limit.text, "; allow more, for example"));
	hp_free(a);
	ck_assert_uint_eq(run.used, 0);
}
END_TEST

Suite *test_memory_suite(void);

Suite *
test_memory_suite(void)
{
	Suite *s = suite_create("memory");
	TCase *t = tcase_create("memory");

	tcase_add_checked_fixture(t, enter_run, leave_run);
	tcase_add_test(t, counts);
	tcase_add_test(t, refuses);
	tcase_add_test(t, reports);
	tcase_add_test(t, threads);
	tcase_add_test(t, children);
	tcase_add_test(t, frees_more);
	suite_add_tcase(s, t);
	return s;
}
