/*
 * test_cli.c - tests of buffers and of option values: sizes, counts,
 * percentages, lists and patterns
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/buf.h"
#include "common/cli/glob.h"
#include "common/base/bytes.h"
#include "common/cli/quantity.h"

Suite *test_cli_suite(void);

START_TEST(buf_numbers)
{
	struct hp_buf b = {0};

	ck_assert_str_eq(hp_buf_string(&b), "");
	for (uint64_t v = 1; v != 0 && v < UINT64_MAX / 10; v *= 10) {
		char want[64];
		hp_buf_clear(&b);
		hp_buf_u64(&b, v - 1);
		hp_buf_byte(&b, ' ');
		hp_buf_u64(&b, v);
		snprintf(want, sizeof(want), "%llu %llu",
			 (unsigned long long)v - 1, (unsigned long long)v);
		ck_assert_str_eq(hp_buf_string(&b), want);
	}
	hp_buf_clear(&b);
	hp_buf_u64(&b, UINT64_MAX);
	hp_buf_i64(&b, INT64_MIN);
	ck_assert_str_eq(hp_buf_string(&b),
			 "18446744073709551615-9223372036854775808");
	hp_buf_clear(&b);
	hp_buf_hex(&b, 0, 0);
	hp_buf_hex(&b, 0xAB, 4);
	hp_buf_hex(&b, UINT64_MAX, 1);
	ck_assert_str_eq(hp_buf_string(&b), "000abffffffffffffffff");
	hp_buf_release(&b);
}
END_TEST

START_TEST(buf_growth_and_failure)
{
	struct hp_buf b = {0};

	for (int i = 0; i < 10000; i++)
		hp_buf_printf(&b, "%05d", i);
	ck_assert_uint_eq(b.len, 50000);
	ck_assert_int_eq(memcmp(b.data + 49995, "09999", 5), 0);
	ck_assert(!hp_buf_reserve(&b, SIZE_MAX / 2));
	hp_buf_text(&b, "x");
	ck_assert_uint_eq(b.len, 50000);
	ck_assert_str_eq(hp_buf_string(&b), "");
	ck_assert_uint_eq(hp_buf_length(&b), 0);
	ck_assert_ptr_null(hp_buf_take(&b));
	hp_buf_text(&b, "again");
	char *text = hp_buf_take(&b);
	ck_assert_str_eq(text, "again");
	free(text);
	ck_assert_uint_eq(b.cap, 0);
}
END_TEST

START_TEST(size_good)
{
	static const struct {
		const char *text;
		uint64_t want;
	} cases[] = {
		{"0", 0},
		{"123", 123},
		{"123B", 123},
		{"1k", 1024},
		{"64MB", 64 << 20},
		{"256M", 256 << 20},
		{"10KB", 10240},
		{"64MiB", 64 << 20},
		{"64 mib", 64 << 20},
		{"1.5G", UINT64_C(3) << 29},
		{"0.5KB", 512},
		{"1.0001K", 1024},
		{"15E", UINT64_C(15) << 60},
		{"18446744073709551615", UINT64_MAX},
		{"1.9999999999999999999999K", 2047},
	};
	for (size_t i = 0; i < HP_ARRAY_LEN(cases); i++) {
		uint64_t v = 77;
		ck_assert_int_eq(hp_size_parse(cases[i].text, &v, NULL), HP_OK);
		ck_assert_uint_eq(v, cases[i].want);
	}
}
END_TEST

START_TEST(size_bad)
{
	static const char *const bad[] = {
		"",	" 1",	 "-1",	 "+1",	 "1.5", "1.5B", ".5K",
		"1.K",	"1KiBB", "1Ki",	 "MB",	 "1 ",	"1MBx", "0x10",
		"1,5M", "1e3",	 "1  M", "1K\n", "K1",
	};
	static const char *const large[] = {
		"16E",
		"18446744073709551616",
		"99999999999999999999999999",
		"17179869184G",
		"20000000P",
	};
	uint64_t v = 77;

	for (size_t i = 0; i < HP_ARRAY_LEN(bad); i++)
		ck_assert_int_eq(hp_size_parse(bad[i], &v, NULL), HP_DAMAGED);
	for (size_t i = 0; i < HP_ARRAY_LEN(large); i++)
		ck_assert_int_eq(hp_size_parse(large[i], &v, NULL), HP_LIMIT);
	ck_assert_uint_eq(v, 77);
	ck_assert_int_eq(hp_count_parse("12", 1, 256, &v, NULL), HP_OK);
	ck_assert_uint_eq(v, 12);
	ck_assert_int_eq(hp_count_parse("0", 1, 256, &v, NULL), HP_LIMIT);
	ck_assert_int_eq(hp_count_parse("257", 1, 256, &v, NULL), HP_LIMIT);
	ck_assert_int_eq(hp_count_parse("1k", 1, 256, &v, NULL), HP_DAMAGED);
	ck_assert_int_eq(hp_count_parse("", 1, 256, &v, NULL), HP_DAMAGED);
	ck_assert(hp_id_parse("0x7F00", &v));
	ck_assert_uint_eq(v, 0x7f00);
	ck_assert(hp_id_parse("0xffffffffffffffff", &v));
	ck_assert_uint_eq(v, UINT64_MAX);
	ck_assert(hp_id_parse("4032624944", &v));
	ck_assert_uint_eq(v, UINT64_C(0xf05cf930));
	ck_assert(hp_id_parse("18446744073709551615", &v));
	ck_assert_uint_eq(v, UINT64_MAX);
	ck_assert(!hp_id_parse("18446744073709551616", &v));
	ck_assert(!hp_id_parse("", &v) && !hp_id_parse("1k", &v));
	ck_assert(!hp_id_parse("1.0", &v) && !hp_id_parse("-1", &v));
	ck_assert(!hp_id_parse("0x", &v) && !hp_id_parse("7f00", &v));
	ck_assert(!hp_id_parse("0x7fz", &v) && !hp_id_parse("0x-1", &v));
	ck_assert(!hp_id_parse("0x00000000000000001", &v));
	ck_assert_uint_eq(v, UINT64_MAX);
}
END_TEST

START_TEST(growth_and_sums)
{
	uint64_t sum = 5;

	ck_assert_int_eq(hp_growth(5, 7), 2);
	ck_assert_int_eq(hp_growth(7, 5), -2);
	ck_assert_int_eq(hp_growth(7, 7), 0);
	ck_assert_int_eq(hp_growth(0, UINT64_MAX), INT64_MAX);
	ck_assert_int_eq(hp_growth(UINT64_MAX, 0), -INT64_MAX);
	hp_sum_add(&sum, 7);
	ck_assert_uint_eq(sum, 12);
	hp_sum_add(&sum, UINT64_MAX - 3);
	ck_assert_uint_eq(sum, UINT64_MAX);
}
END_TEST

START_TEST(percents)
{
	uint64_t v = 0;

	ck_assert(hp_percent_parse("5%", &v));
	ck_assert_uint_eq(v, 5000000);
	ck_assert(!hp_percent_exceeded(5, 100, v));
	ck_assert(hp_percent_exceeded(6, 100, v));
	ck_assert(hp_percent_exceeded(1, 0, v));
	ck_assert(!hp_percent_exceeded(0, 0, v));
	ck_assert(hp_percent_parse("0.5 %", &v));
	ck_assert_uint_eq(v, 500000);
	ck_assert(!hp_percent_exceeded(1, 200, v));
	ck_assert(hp_percent_exceeded(1, 199, v));
	ck_assert(hp_percent_exceeded(INT64_MAX, UINT64_MAX, v));
	ck_assert(hp_percent_exceeded(UINT64_MAX, UINT64_MAX, v));
	ck_assert(!hp_percent_exceeded(INT64_MAX, UINT64_MAX, UINT64_MAX));
	ck_assert(!hp_percent_parse("5", &v));
	ck_assert(!hp_percent_parse("%", &v));
	ck_assert(!hp_percent_parse("5%%", &v));
	ck_assert(!hp_percent_parse("99999999999999999%", &v));
	ck_assert(hp_percent_parse("0.0000010%", &v));
	ck_assert_uint_eq(v, 1);
	ck_assert(!hp_percent_parse("0.0000009%", &v));
}
END_TEST

START_TEST(size_texts)
{
	static const struct {
		uint64_t bytes;
		const char *want;
	} cases[] = {
		{0, "0 B"},
		{1023, "1023 B"},
		{1024, "1.0 KB"},
		{1536, "1.5 KB"},
		{(1 << 20) - 1, "1.0 MB"},
		{4 << 20, "4.0 MB"},
		{UINT64_C(1023) << 30, "1023.0 GB"},
		{UINT64_MAX, "16.0 EB"},
	};
	struct hp_buf b = {0};

	for (size_t i = 0; i < HP_ARRAY_LEN(cases); i++) {
		hp_buf_clear(&b);
		hp_size_text(&b, cases[i].bytes);
		ck_assert_str_eq(hp_buf_string(&b), cases[i].want);
	}
	hp_buf_clear(&b);
	hp_size_text_signed(&b, -1536);
	hp_size_text_signed(&b, 1536);
	hp_size_text_signed(&b, 0);
	hp_size_text_signed(&b, INT64_MIN);
	ck_assert_str_eq(hp_buf_string(&b), "-1.5 KB+1.5 KB0 B-8.0 EB");
	hp_buf_clear(&b);
	hp_count_text(&b, 999);
	hp_buf_byte(&b, ' ');
	hp_count_text(&b, 1000);
	hp_buf_byte(&b, ' ');
	hp_count_text(&b, UINT64_MAX);
	hp_buf_byte(&b, ' ');
	hp_count_noun_text(&b, 1, "object");
	hp_buf_byte(&b, '|');
	hp_count_noun_text(&b, 5300, "object");
	hp_buf_byte(&b, '|');
	hp_count_text_signed(&b, -1234567);
	ck_assert_str_eq(hp_buf_string(&b),
			 "999 1,000 18,446,744,073,709,551,615 "
			 "1 object|5,300 objects|-1,234,567");
	hp_buf_release(&b);
}
END_TEST

START_TEST(percent_text)
{
	static const struct {
		uint64_t part, whole;
		const char *want;
	} shares[] = {
		{0, 5, "0 %"},
		{1, 10000, "<0.1 %"},
		{5, 10000, "0.1 %"},
		{9, 100, "9.0 %"},
		{994, 10000, "9.9 %"},
		{995, 10000, "10 %"},
		{1245, 10000, "12 %"},
		{125, 1000, "13 %"},
		{99, 100, "99 %"},
		{993, 1000, "99.3 %"},
		{9994, 10000, "99.9 %"},
		{9996, 10000, ">99.9 %"},
		{5, 5, "100 %"},
		{7, 5, "100 %"},
		{UINT64_MAX / 2, UINT64_MAX, "50 %"},
		{3, 0, "0 %"},
	};
	static const struct {
		int64_t growth;
		uint64_t first;
		const char *want;
	} growths[] = {
		{0, 0, "0 %"},
		{0, 7, "0 %"},
		{5, 0, "new"},
		{35, 100, "+35 %"},
		{-21, 1000, "-2.1 %"},
		{9, 100, "+9.0 %"},
		{1, 3000, "<0.1 %"},
		{-1, 3000, "<0.1 %"},
		{9994, 1000, "+999 %"},
		{9995, 1000, "×11"},
		{9997, 10000, "+100 %"},
		{-9997, 10000, "-99.9 %"},
		{-7, 7, "-100 %"},
		{INT64_MIN, UINT64_MAX, "-50 %"},
		{INT64_MAX, 1, "×9,223,372,036,854,775,808"},
	};
	struct hp_buf b = {0};

	for (size_t i = 0; i < HP_ARRAY_LEN(shares); i++) {
		hp_buf_clear(&b);
		hp_percent_text(&b,
				hp_percent_of(shares[i].part, shares[i].whole));
		ck_assert_str_eq(hp_buf_string(&b), shares[i].want);
	}
	for (size_t i = 0; i < HP_ARRAY_LEN(growths); i++) {
		hp_buf_clear(&b);
		hp_growth_percent_text(&b, growths[i].growth, growths[i].first);
		ck_assert_str_eq(hp_buf_string(&b), growths[i].want);
	}
	hp_buf_release(&b);
}
END_TEST

START_TEST(globs)
{
	static const struct {
		const char *pattern, *text;
		bool want;
	} cases[] = {
		{"", "", true},
		{"", "a", false},
		{"*", "", true},
		{"*", "a.b.c", true},
		{"com.acme.*", "com.acme.x.Y", true},
		{"com.acme.*", "com.acme", false},
		{"*.Y", "com.x.Y", true},
		{"*.Y", "com.x.Yz", false},
		{"a*b*c", "aXbYbZc", true},
		{"a*b*c", "aXbYbZ", false},
		{"a?c", "abc", true},
		{"a?c", "ac", false},
		{"?", "\xC3\xA4", true},
		{"??", "\xC3\xA4", false},
		{"*??", "\xC3\xA4", false},
		{"?", "\xFF", true},
		{"???", "\xE2\x82x", true},
		{"?", "\xF0\x9F\x98\x80", true},
		{"[a]", "[a]", true},
		{"[a]", "a", false},
		{"\\*", "\\x", true},
		{"int[]", "int[]", true},
		{"**a**", "bab", true},
		{"*a*a*a*", "aa", false},
		{"*?", "", false},
	};
	for (size_t i = 0; i < HP_ARRAY_LEN(cases); i++)
		ck_assert_msg(hp_glob_match(cases[i].pattern, cases[i].text,
					    strlen(cases[i].text)) ==
				      cases[i].want,
			      "%s %s", cases[i].pattern, cases[i].text);
	ck_assert(hp_glob_match("a*c", "a\0c", 3));
	ck_assert(!hp_glob_match("a", "a\0", 2));
}
END_TEST

START_TEST(glob_does_not_explode)
{
	char text[20001];
	char pattern[129];

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	for (size_t i = 0; i < 128; i++)
		pattern[i] = i % 2 ? 'a' : '*';
	pattern[127] = 'b';
	pattern[128] = '\0';
	ck_assert(!hp_glob_match(pattern, text, sizeof(text) - 1));
}
END_TEST

START_TEST(lists)
{
	static const struct {
		const char *list, *items[4];
	} all[] = {{"", {""}},
		   {"count", {"count"}},
		   {"count,bytes", {"count", "bytes"}},
		   {"a,,b", {"a", "", "b"}},
		   {",a,", {"", "a", ""}},
		   {NULL, {NULL}}};
	struct hp_slice item;

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const char *rest = all[i].list;

		for (unsigned n = 0; all[i].items[n]; n++) {
			ck_assert(hp_list_next(&rest, &item));
			ck_assert(hp_slice_is(item, all[i].items[n]));
		}
		ck_assert(!hp_list_next(&rest, &item));
	}
}
END_TEST

Suite *
test_cli_suite(void)
{
	Suite *s = suite_create("cli");
	TCase *t = tcase_create("cli");

	tcase_add_test(t, buf_numbers);
	tcase_add_test(t, buf_growth_and_failure);
	tcase_add_test(t, size_good);
	tcase_add_test(t, size_bad);
	tcase_add_test(t, growth_and_sums);
	tcase_add_test(t, percents);
	tcase_add_test(t, size_texts);
	tcase_add_test(t, percent_text);
	tcase_add_test(t, lists);
	tcase_add_test(t, globs);
	tcase_add_test(t, glob_does_not_explode);
	suite_add_tcase(s, t);
	return s;
}
