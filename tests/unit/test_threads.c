/*
 * test_threads.c - tests of dividing work among threads, even if no thread can
 * be started
 */
#include "common/base/threads.h"
#include "common/io/workers.h"

#include <check.h>
#include <stdatomic.h>
#include <stdlib.h>

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

/*
 * Request thread stacks that are too large for any address space, so that
 * starting a thread fails.
 */
static void
let_none_start(void)
{
	pthread_attr_t attributes;

	pthread_attr_init(&attributes);
	ck_assert_int_eq(
		pthread_attr_setstacksize(&attributes, (size_t)1 << 47), 0);
	ck_assert_int_eq(pthread_setattr_default_np(&attributes), 0);
}

START_TEST(none_can_be_started)
{
	pthread_t thread;

	let_none_start();
	ck_assert_int_eq(hp_thread_start(&thread, nothing, NULL, NULL), HP_IO);
	ck_assert_uint_eq(share(), PARTS);
}
END_TEST

/*
 * Create the state of a worker. After a given number of workers, no further
 * thread can be started.
 */
static void *
open_worker(void *context)
{
	unsigned *left = context;

	if (*left == 0)
		let_none_start();
	else
		--*left;
	return malloc(1);
}

static void
work_on(void *context, void *state, void *slot)
{
	ck_assert_ptr_nonnull(state);
	++*(unsigned *)slot;
}

static enum hp_status
run_pool(unsigned left)
{
	const struct hp_worker_pool_options o = {.threads = THREADS,
						 .slots = THREADS,
						 .slot_size = sizeof(unsigned),
						 .work = work_on,
						 .worker_open = open_worker,
						 .worker_close = free,
						 .context = &left};
	struct hp_worker_pool *p;
	enum hp_status st = hp_worker_pool_open(&p, &o, NULL);
	unsigned *slot;

	for (unsigned i = 0; st == HP_OK && i < PARTS; i++) {
		slot = hp_worker_pool_fill(p);
		*slot = i;
		hp_worker_pool_put(p, true);
		if (i + 1 < THREADS)
			/* each of these jobs needs a worker to itself */
			continue;
		slot = hp_worker_pool_take(p);
		ck_assert_uint_eq(*slot, i + 2 - THREADS);
		hp_worker_pool_give(p);
	}
	hp_worker_pool_close(p);
	return st;
}

START_TEST(pool_of_fewer)
{
	ck_assert_int_eq(run_pool(_i), _i > 0 ? HP_OK : HP_IO);
}
END_TEST

struct meeting {
	unsigned left;
	pthread_barrier_t all;
};

static void *
open_member(void *context)
{
	((struct meeting *)context)->left--;
	return malloc(1);
}

static void
wait_for_others(void *context, void *state, void *slot)
{
	pthread_barrier_wait(&((struct meeting *)context)->all);
}

/*
 * Test that threads are started as jobs arrive. Each job waits until all jobs
 * run at the same time.
 */
START_TEST(pool_as_jobs_come)
{
	struct meeting m = {.left = THREADS};
	const struct hp_worker_pool_options o = {.threads = THREADS,
						 .slots = THREADS,
						 .slot_size = 1,
						 .work = wait_for_others,
						 .worker_open = open_member,
						 .worker_close = free,
						 .context = &m};
	struct hp_worker_pool *p;

	ck_assert_int_eq(pthread_barrier_init(&m.all, NULL, THREADS), 0);
	ck_assert_int_eq(hp_worker_pool_open(&p, &o, NULL), HP_OK);
	ck_assert_uint_eq(m.left, THREADS - 1);
	for (unsigned i = 0; i < THREADS; i++) {
		ck_assert_ptr_nonnull(hp_worker_pool_fill(p));
		hp_worker_pool_put(p, true);
	}
	for (unsigned i = 0; i < THREADS; i++) {
		ck_assert_ptr_nonnull(hp_worker_pool_take(p));
		hp_worker_pool_give(p);
	}
	ck_assert_uint_eq(m.left, 0);
	hp_worker_pool_close(p);
	pthread_barrier_destroy(&m.all);
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
	tcase_add_loop_test(t, pool_of_fewer, 0, THREADS + 1);
	tcase_add_test(t, pool_as_jobs_come);
	suite_add_tcase(s, t);
	return s;
}
