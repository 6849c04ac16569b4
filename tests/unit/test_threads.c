/*
 * test_threads.c - work shared among threads, also where none can be started
 */
#include "common/base/threads.h"

#include <check.h>
#include <stdatomic.h>

enum { PARTS = 1000, THREADS = 4 };

struct work {
	_Atomic unsigned next;
	unsigned char done[PARTS];
};

struct doer {
	struct work *work;
	unsigned parts;
};

static void *
do_parts(void *arg)
{
	struct doer *d = arg;
	unsigned at;

	while ((at = atomic_fetch_add(&d->work->next, 1)) < PARTS) {
		d->work->done[at]++;
		d->parts++;
	}
	return NULL;
}

/* How many parts the caller did, of all. */
static unsigned
share(void)
{
	struct work work = {0};
	struct doer doers[THREADS];
	unsigned parts = 0;

	for (unsigned i = 0; i < THREADS; i++)
		doers[i] = (struct doer){&work, 0};
	hp_threads_run(THREADS, do_parts, doers, sizeof(doers[0]));
	for (unsigned i = 0; i < PARTS; i++)
		ck_assert_uint_eq(work.done[i], 1);
	for (unsigned i = 0; i < THREADS; i++)
		parts += doers[i].parts;
	ck_assert_uint_eq(parts, PARTS);
	return doers[0].parts;
}

START_TEST(all_run)
{
	share();
}
END_TEST

static void *
nothing(void *arg)
{
	return arg;
}

/* No address space has room for such stacks. */
START_TEST(none_can_be_started)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	ck_assert_int_eq(
		pthread_attr_setstacksize(&attributes, (size_t)1 << 47), 0);
	ck_assert_int_eq(pthread_setattr_default_np(&attributes), 0);
	ck_assert_int_eq(hp_thread_start(&thread, nothing, NULL, NULL), HP_IO);
	ck_assert_uint_eq(share(), PARTS);
}
END_TEST

Suite *test_threads_suite(void);

Suite *
test_threads_suite(void)
{
	Suite *s = suite_create("threads");
	TCase *t = tcase_create("threads");

	tcase_add_test(t, all_run);
	tcase_add_test(t, none_can_be_started);
	suite_add_tcase(s, t);
	return s;
}
