/*
 * test_library_memory.c - test libhprof when memory runs out: each allocation
 * fails once
 */
#include "hprof.h"
#include "tests/builder/fixtures.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

Suite *test_library_memory_suite(void);

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t n);

/*
 * How many allocations will succeed before one fails; negative: none will fail.
 */
static long before_fault = -1;

static bool
fails(void)
{
	return before_fault >= 0 && before_fault-- == 0;
}

/*
 * The linker option --wrap replaces malloc() and similar functions with the
 * following ones.
 */
void *
__wrap_malloc(size_t n)
{
	return fails() ? NULL : __real_malloc(n);
}

void *
__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *
__wrap_realloc(void *p, size_t n)
{
	return fails() ? NULL : __real_realloc(p, n);
}

static struct hprof_options
alone(void)
{
	struct hprof_options o = HPROF_OPTIONS_INIT;

	o.threads = 1;
	return o;
}

static int
check(const char *path, uint64_t *figure)
{
	const struct hprof_options o = alone();
	hprof_check *c;
	int status = hprof_check_read(path, &o, HPROF_REFERENCES, &c, NULL);

	if (status != HPROF_OK)
		return status;
	*figure = hprof_check_references(c) + hprof_check_rows(c) +
		  1000000u * (unsigned)hprof_check_verdict(c);
	hprof_check_free(c);
	return status;
}

static int
histogram(const char *path, uint64_t *figure)
{
	const struct hprof_options o = alone();
	hprof_histogram *h;
	int status = hprof_histogram_read(path, &o, &h, NULL);

	if (status != HPROF_OK)
		return status;
	*figure = hprof_histogram_objects(h);
	hprof_histogram_free(h);
	return status;
}

/*
 * Find a class after an allocation has failed. Whether it is found must not
 * depend on the failure.
 */
static int
classes(const char *path, uint64_t *figure)
{
	const struct hprof_options o = alone();
	hprof_reader *r = NULL;
	int status = hprof_open(path, &o, &r, NULL);

	if (status == HPROF_OK)
		status = hprof_read_classes(r, 0, NULL);
	if (status == HPROF_OK)
		*figure = hprof_class_id(
			hprof_class_by_name(r, "com.acme.RushOrder"));
	hprof_close(r);
	return status;
}

static const struct {
	int (*run)(const char *path, uint64_t *figure);
	long least; /* minimum number of allocations of the call */
} calls[] = {{check, 50}, {histogram, 50}, {classes, 20}};

/*
 * For each allocation, test what happens if it fails. Either the call reports
 * the failure, or the result is the same as without it.
 */
START_TEST(each_fails)
{
	uint64_t clean = 0, figure;
	long n = 0, refused = 0;
	char path[64];
	struct b b;
	bool went;
	int fd;

	b_world(&b, B_HOTSPOT, 8);
	fd = memfd_create("dump", MFD_CLOEXEC);
	ck_assert_int_eq(write(fd, b.data, b.len), b.len);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ck_assert_int_eq(calls[_i].run(path, &clean), HPROF_OK);
	ck_assert_uint_gt(clean, 0);
	do {
		int status;

		before_fault = n++;
		status = calls[_i].run(path, &figure);
		went = before_fault < 0;
		before_fault = -1;
		refused += status == HPROF_NO_MEMORY;
		if (status == HPROF_OK)
			ck_assert_uint_eq(figure, clean);
		else
			ck_assert_int_eq(status, HPROF_NO_MEMORY);
	} while (went);
	ck_assert_int_gt(n, calls[_i].least);
	ck_assert_int_gt(refused, calls[_i].least / 2);
	close(fd);
	b_release(&b);
}
END_TEST

Suite *
test_library_memory_suite(void)
{
	Suite *s = suite_create("library_memory");
	TCase *t = tcase_create("memory");

	tcase_set_timeout(t, 30);
	tcase_add_loop_test(t, each_fails, 0, sizeof(calls) / sizeof(calls[0]));
	suite_add_tcase(s, t);
	return s;
}
