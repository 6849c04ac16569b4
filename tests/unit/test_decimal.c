/*
 * test_decimal.c - tests that floating-point numbers are written with as few
 * digits as possible
 *
 * The expected text is the output of printf() with the smallest number of
 * digits from which strtod() reads the same number.
 */
#include "common/base/buf.h"

#include <check.h>
#include <locale.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Suite *test_decimal_suite(void);

static const char *
text_of(double v)
{
	static char text[HP_DECIMAL_MOST + 1];

	text[hp_decimal_double(text, v)] = '\0';
	return text;
}

static const char *
text_of_float(float v)
{
	static char text[HP_DECIMAL_MOST + 1];

	text[hp_decimal_float(text, v)] = '\0';
	return text;
}

START_TEST(known)
{
	static const struct {
		double v;
		const char *text;
	} all[] = {{0, "0"},
		   {-0.0, "-0.0"},
		   {1, "1"},
		   {-1500, "-1500"},
		   {0.1, "0.1"},
		   {0.002, "0.002"},
		   {1.0 / 3, "0.3333333333333333"},
		   {0.00001, "0.00001"},
		   {0.000001, "1e-6"},
		   {1e16, "10000000000000000"},
		   {1e17, "1e+17"},
		   {1e22, "1e+22"},
		   {1e23, "1e+23"},
		   {9007199254740992, "9007199254740992"},
		   {5e-324, "5e-324"},
		   {2.2250738585072014e-308, "2.2250738585072014e-308"},
		   {1.7976931348623157e308, "1.7976931348623157e+308"},
		   {9.5367431640625e-07, "9.5367431640625e-7"}};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		ck_assert_str_eq(text_of(all[i].v), all[i].text);
	ck_assert_str_eq(text_of_float(-0.0f), "-0.0");
	ck_assert_str_eq(text_of_float(0.1f), "0.1");
	ck_assert_str_eq(text_of_float(16777216.0f), "16777216");
	ck_assert_str_eq(text_of_float(1e-45f), "1e-45");
	ck_assert_str_eq(text_of_float(3.4028235e38f), "3.4028235e+38");
}
END_TEST

static unsigned
digits_of(const char *s)
{
	unsigned n = 0, zeros = 0;

	for (; *s && *s != 'e'; s++) {
		if (*s < '0' || *s > '9' || (n == 0 && *s == '0'))
			continue;
		zeros = *s == '0' ? zeros + 1 : 0;
		n++;
	}
	return n - zeros;
}

static void
same_as_library(double v)
{
	const char *text = text_of(v);
	char tried[40];
	int digits = 0;

	do
		snprintf(tried, sizeof(tried), "%.*e", digits, v);
	while (strtod(tried, NULL) != v && ++digits < 17);
	ck_assert_msg(strtod(text, NULL) == v &&
			      signbit(strtod(text, NULL)) == signbit(v) &&
			      digits_of(text) <= digits_of(tried),
		      "%s for %s", text, tried);
}

static void
same_as_library_float(float v)
{
	const char *text = text_of_float(v);
	char tried[40];
	int digits = 0;

	do
		snprintf(tried, sizeof(tried), "%.*e", digits, (double)v);
	while (strtof(tried, NULL) != v && ++digits < 9);
	ck_assert_msg(strtof(text, NULL) == v &&
			      digits_of(text) <= digits_of(tried),
		      "%s for %s", text, tried);
}

START_TEST(any)
{
	uint64_t x = 88172645463325252u, u;
	uint32_t half;
	double d;
	float f;

	for (unsigned i = 0; i < 60000; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		u = x;
		if (i % 5 == 1)
			u &= 0xFFF0000000000000;
		else if (i % 5 == 2)
			u &= 0x80000000000FFFFF;
		memcpy(&d, &u, sizeof(d));
		if (i % 5 == 3)
			d = (double)(int64_t)(x >> 40) / 1000;
		else if (i % 5 == 4)
			d = (double)(x >> (x & 63));
		half = (uint32_t)u;
		memcpy(&f, &half, sizeof(f));
		if (isfinite(d))
			same_as_library(d);
		if (isfinite(f))
			same_as_library_float(f);
	}
}
END_TEST

START_TEST(in_a_buffer)
{
	struct hp_buf b = {0};

	setlocale(LC_NUMERIC, "de_DE.UTF-8");
	hp_buf_double(&b, -2.5);
	hp_buf_byte(&b, ' ');
	hp_buf_float(&b, 0.2f);
	hp_buf_byte(&b, ' ');
	hp_buf_double(&b, (double)NAN);
	hp_buf_byte(&b, ' ');
	hp_buf_float(&b, -INFINITY);
	setlocale(LC_NUMERIC, "C");
	ck_assert_str_eq(hp_buf_string(&b), "-2.5 0.2 nan -inf");
	hp_buf_release(&b);
}
END_TEST

Suite *
test_decimal_suite(void)
{
	Suite *suite = suite_create("decimal");
	TCase *c = tcase_create("decimal");

	tcase_set_timeout(c, 120);
	tcase_add_test(c, known);
	tcase_add_test(c, any);
	tcase_add_test(c, in_a_buffer);
	suite_add_tcase(suite, c);
	return suite;
}
