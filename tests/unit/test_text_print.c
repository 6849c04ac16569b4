/*
 * test_text_print.c - tests of the percentages in the agent's text format, as
 * hprof-convert writes them
 */
#include "common/text/text.h"
#include "tests/unit/must.h"
#include "tests/unit/quick.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Suite *test_text_print_suite(void);

static void
next_pair(uint64_t i, uint64_t *part, uint64_t *total)
{
	static uint64_t state = 1;

	state = state * UINT64_C(6364136223846793005) + i;
	*total = i % 3 ? i : state >> state % 61;
	state = state * UINT64_C(6364136223846793005) + 1;
	*part = i % 3 == 2 ? 1 + i % 801 : state >> (8 + state % 53);
}

static void
check_row(uint64_t part, uint64_t total)
{
	double v = total ? 100.0 * (double)part / (double)total : 0.0;
	struct hp_print_site site = {
		.rank = 1, .live_bytes = part, .sum = part, .total = total};
	char percent[64], want[200];
	struct hp_buf b = {0};

	snprintf(percent, sizeof(percent), "%5.2f", v);
	percent[strlen(percent) - 3] = '.';
	snprintf(want, sizeof(want), "%4d %s%% %s%% %7d %5d ", 7, percent,
		 percent, 12, 300001);
	hp_print_row(&b, 7, part, part, total, 12, 300001);
	must(strcmp(hp_buf_string(&b), want) == 0);
	snprintf(want, sizeof(want), "%5d %s%% %s%% %9llu %4d %9d %5d %5d ", 1,
		 percent, percent, (unsigned long long)part, 0, 0, 0, 0);
	hp_buf_clear(&b);
	hp_print_site(&b, &site);
	must(strcmp(hp_buf_string(&b), want) == 0);
	hp_buf_release(&b);
}

static void
check_rows(void)
{
	uint64_t part, total;

	check_row(0, 0);
	check_row(UINT64_MAX, 1);
	check_row(1, UINT64_MAX);
	for (uint64_t tie = 1; tie < 40000;
	     /*
	      * The percentage of an odd number in 20,000 has exactly 5 as its
	      * last (third) decimal. This tests the rounding of ties.
	      */
	     tie += 2)
		check_row(tie, 20000);
	for (uint64_t i = 1; i < 100000; i++) {
		next_pair(i, &part, &total);
		check_row(part, total);
	}
}

START_TEST(percents)
{
	check_rows();
}
END_TEST

START_TEST(percents_with_comma)
{
	char folder[] = "/tmp/hprof-locale-XXXXXX", command[200];
	bool made;

	must(mkdtemp(folder) != NULL);
	snprintf(command, sizeof(command),
		 "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 > %s/out 2>&1",
		 folder, folder);
	made = system(command) == 0;
	setenv("LOCPATH", folder, 1);
	made = made && setlocale(LC_ALL, "de_DE.UTF-8");
	snprintf(command, sizeof(command), "rm -r %s", folder);
	must(system(command) == 0);
	if (!made) {
		printf("no locale with a decimal comma: localedef has no "
		       "de_DE\n");
		return;
	}
	snprintf(command, sizeof(command), "%.1f", 0.5);
	must(strcmp(command, "0,5") == 0);
	check_rows();
}
END_TEST

Suite *
test_text_print_suite(void)
{
	Suite *suite = suite_create("text_print");
	TCase *c = tcase_create("percents"), *q = quick_case(suite, 60);

	tcase_set_timeout(c, 60);
	tcase_add_test(q, percents);
	tcase_add_test(c, percents_with_comma);
	suite_add_tcase(suite, c);
	return suite;
}
