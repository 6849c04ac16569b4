/*
 * validate_helper.h - validate bytes in memory, and get the result as text
 */
#ifndef HP_TESTS_UNIT_VALIDATE_HELPER_H
#define HP_TESTS_UNIT_VALIDATE_HELPER_H

#include "validate/report/report.h"

#include <check.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static inline int
bytes_as_file(const void *bytes, size_t n)
{
	int fd = memfd_create("bytes", MFD_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, n ? bytes : "", n), (ssize_t)n);
	return fd;
}

static inline char *
json_of_validation(struct hp_validation *v)
{
	struct hp_validate_report report = {.files = v, .count = 1};
	char *text = NULL;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	ck_assert_ptr_nonnull(out);
	ck_assert_int_eq(hp_validate_report_json(&report, out, NULL), HP_OK);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}

#endif
