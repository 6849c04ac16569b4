/*
 * test_escape.c - tests of escaping text, the JSON writer, and lists
 */
#include <check.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/vec.h"
#include "common/cli/escape.h"
#include "common/cli/json.h"

Suite *test_escape_suite(void);

typedef void hp_escape_fn(struct hp_buf *b, const void *text, size_t len);

struct hp_case {
	const char *text;
	size_t len;
	const char *want;
};

#define HP_CASE(text, want)                                                    \
	{                                                                      \
		text, sizeof(text) - 1, want                                   \
	}

static void
check_cases(hp_escape_fn *fn, const struct hp_case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct hp_buf b = {0};
		/*
		 * a copy without spare bytes, so that AddressSanitizer detects
		 * reading too far
		 */
		char *copy = malloc(cases[i].len ? cases[i].len : 1);
		memcpy(copy, cases[i].text, cases[i].len);
		fn(&b, copy, cases[i].len);
		ck_assert_str_eq(hp_buf_string(&b), cases[i].want);
		ck_assert_uint_eq(b.len, strlen(cases[i].want));
		free(copy);
		hp_buf_release(&b);
	}
}

#define CHECK_CASES(fn, cases) check_cases(fn, cases, HP_ARRAY_LEN(cases))

START_TEST(clean_keeps_text)
{
	static const struct hp_case cases[] = {
		HP_CASE("", ""),
		HP_CASE("java.lang.String", "java.lang.String"),
		HP_CASE("a~tilde~and~more~of~it", "a~tilde~and~more~of~it"),
		HP_CASE("Gr\xC3\xB6\xC3\x9F"
			"e",
			"Gr\xC3\xB6\xC3\x9F"
			"e"),
		HP_CASE("\xE2\x82\xAC", "\xE2\x82\xAC"),
		HP_CASE("\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"),
		/* U+1F600: modified UTF-8 uses a surrogate pair for it */
		HP_CASE("a\xED\xA0\xBD\xED\xB8\x80z", "a\xF0\x9F\x98\x80z"),
		HP_CASE("\xED\x95\x9C", "\xED\x95\x9C"), /* a Hangul syllable */
		HP_CASE("\"<&>'%:,=", "\"<&>'%:,="),
	};
	CHECK_CASES(hp_text_clean, cases);
}
END_TEST

START_TEST(clean_shows_what_hides)
{
	static const struct hp_case cases[] = {
		HP_CASE("\x1B[2Jx", "\\u{1B}[2Jx"),
		HP_CASE("a\nb\rc\td", "a\\u{A}b\\u{D}c\\u{9}d"),
		HP_CASE("a\0b", "a\\u{0}b"),
		HP_CASE("a\xC0\x80"
			"b",
			"a\\u{0}b"),
		HP_CASE("\x7F", "\\u{7F}"),
		HP_CASE("\xC2\x9B"
			"31m",
			/* CSI (U+009B), a C1 control character */
			"\\u{9B}31m"),
		HP_CASE("\xE2\x80\xAE"
			"fdp",
			"\\u{202E}fdp"),
		HP_CASE("\xE2\x81\xA6", "\\u{2066}"),
		HP_CASE("\xE2\x80\xA8\xE2\x80\xA9", "\\u{2028}\\u{2029}"),
		HP_CASE("\xEF\xBB\xBF", "\\u{FEFF}"),
		HP_CASE("\xEF\xBF\xBE\xEF\xBF\xBF", "\\u{FFFE}\\u{FFFF}"),
		HP_CASE("\xF0\x9F\xBF\xBE", "\\u{1FFFE}"),
		HP_CASE("\xF3\xA0\x81\x81", "\\u{E0041}"),
		/* unpaired surrogates, in either order */
		HP_CASE("\xED\xA0\xBD", "\\u{D83D}"),
		HP_CASE("\xED\xB8\x80\xED\xA0\xBD", "\\u{DE00}\\u{D83D}"),
		HP_CASE("\xED\xA0\xBDxyz", "\\u{D83D}xyz"),
		HP_CASE("\xED\xA0\xBD\xED\xA0\xBD\xED\xB8\x80",
			"\\u{D83D}\xF0\x9F\x98\x80"),
	};
	CHECK_CASES(hp_text_clean, cases);
}
END_TEST

START_TEST(clean_shows_bad_bytes)
{
	static const struct hp_case cases[] = {
		HP_CASE("\xFF\xFE", "\\xFF\\xFE"),
		HP_CASE("\x80", "\\x80"),
		HP_CASE("\xC3", "\\xC3"),
		HP_CASE("\xC3x", "\\xC3x"),
		HP_CASE("\xE2\x82", "\\xE2\\x82"),
		HP_CASE("\xF0\x9F\x98", "\\xF0\\x9F\\x98"),
		/* overlong encoding of the letter A, which is invalid */
		HP_CASE("\xC1\x81", "\\xC1\\x81"),
		/* overlong encoding of the character /, which is invalid */
		HP_CASE("\xE0\x80\xAF", "\\xE0\\x80\\xAF"),
		HP_CASE("\xE0\x80\x80", "\\xE0\\x80\\x80"),
		HP_CASE("\xF0\x80\x80\x80", "\\xF0\\x80\\x80\\x80"),
		HP_CASE("\xF4\x90\x80\x80", "\\xF4\\x90\\x80\\x80"),
		HP_CASE("\xF8\x88\x80\x80\x80", "\\xF8\\x88\\x80\\x80\\x80"),
		HP_CASE("\xED\xA0\xBD\xED\xB8", "\\u{D83D}\\xED\\xB8"),
		HP_CASE("\xED\xA0", "\\xED\\xA0"),
	};
	CHECK_CASES(hp_text_clean, cases);
}
END_TEST

START_TEST(clean_backslashes_are_unambiguous)
{
	static const struct hp_case cases[] = {
		HP_CASE("C:\\dir\\new", "C:\\dir\\new"),
		HP_CASE("\\", "\\"),
		HP_CASE("\\x1", "\\x1"),
		HP_CASE("\\x1B", "\\x5Cx1B"),
		HP_CASE("\\xfe", "\\x5Cxfe"),
		HP_CASE("\\u0041", "\\u0041"),
		HP_CASE("\\u{1B}", "\\x5Cu{1B}"),
		HP_CASE("\\\\u{", "\\\\x5Cu{"),
		HP_CASE("\\\xFF", "\\\\xFF"),
	};
	CHECK_CASES(hp_text_clean, cases);
}
END_TEST

/*
 * Test that invisible characters (Default_Ignorable_Code_Point of Unicode) are
 * shown as escapes.
 */
START_TEST(clean_shows_what_is_ignorable)
{
	static const struct hp_case cases[] = {
		HP_CASE("a\u00ADb", "a\\u{AD}b"),
		HP_CASE("a\u034Fb", "a\\u{34F}b"),
		HP_CASE("a\u115Fb\u1160", "a\\u{115F}b\\u{1160}"),
		HP_CASE("a\u17B4b\u17B5", "a\\u{17B4}b\\u{17B5}"),
		HP_CASE("a\u180Bb\u180F", "a\\u{180B}b\\u{180F}"),
		HP_CASE("a\u200Cb\u200D", "a\\u{200C}b\\u{200D}"),
		HP_CASE("a\u2060b\u2065", "a\\u{2060}b\\u{2065}"),
		HP_CASE("a\u3164b", "a\\u{3164}b"),
		HP_CASE("a\uFE00b\uFE0F", "a\\u{FE00}b\\u{FE0F}"),
		HP_CASE("a\uFFA0b", "a\\u{FFA0}b"),
		HP_CASE("a\U0001BCA0b", "a\\u{1BCA0}b"),
		HP_CASE("a\U0001D173b\U0001D17A", "a\\u{1D173}b\\u{1D17A}"),
		/* U+1D173: modified UTF-8 uses a surrogate pair for it */
		HP_CASE("a\xED\xA0\xB4\xED\xB5\xB3z", "a\\u{1D173}z"),
		HP_CASE("a\U000E0100b\U000E0FFF", "a\\u{E0100}b\\u{E0FFF}"),
	};
	static const struct hp_case exact[] = {
		HP_CASE("\u3164\uFE0F\U0001D173",
			"\\u3164\\uFE0F\\uD834\\uDD73"),
	};

	CHECK_CASES(hp_text_clean, cases);
	CHECK_CASES(hp_escape_json_exact, exact);
}
END_TEST

START_TEST(all_that_is_ignorable_is_hidden)
{
	static const uint32_t ranges[][2] = {
		{0x00AD, 0x00AD},   {0x034F, 0x034F},	{0x061C, 0x061C},
		{0x115F, 0x1160},   {0x17B4, 0x17B5},	{0x180B, 0x180F},
		{0x200B, 0x200F},   {0x202A, 0x202E},	{0x2060, 0x206F},
		{0x3164, 0x3164},   {0xFE00, 0xFE0F},	{0xFEFF, 0xFEFF},
		{0xFFA0, 0xFFA0},   {0xFFF0, 0xFFF8},	{0x1BCA0, 0x1BCA3},
		{0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
	};
	static const uint32_t seen[] = {
		0x20,	 0x7E,	  0xA0,	   0xAC,    0xAE,    0x34E,   0x350,
		0x61B,	 0x61D,	  0x115E,  0x1161,  0x17B3,  0x17B6,  0x180A,
		0x1810,	 0x200A,  0x2010,  0x2027,  0x202F,  0x205F,  0x2070,
		0x3163,	 0x3165,  0xD7FF,  0xE000,  0xFDCF,  0xFDFF,  0xFE10,
		0xFEFE,	 0xFF00,  0xFF9F,  0xFFA1,  0xFFEF,  0xFFFC,  0xFFFD,
		0x1BC9F, 0x1BCA4, 0x1D172, 0x1D17B, 0xDFFFD, 0xE1000,
	};

	for (size_t i = 0; i < HP_ARRAY_LEN(ranges); i++)
		for (uint32_t cp = ranges[i][0]; cp <= ranges[i][1]; cp++)
			ck_assert_msg(hp_text_hidden(cp), "U+%04X", cp);
	for (size_t i = 0; i < HP_ARRAY_LEN(seen); i++)
		ck_assert_msg(!hp_text_hidden(seen[i]), "U+%04X", seen[i]);
}
END_TEST

/*
 * Test empty texts, whose address may be NULL. The sanitizers report any read
 * from this address.
 */
START_TEST(empty_text)
{
	struct hp_buf b = {0};

	hp_text_clean(&b, NULL, 0);
	hp_text_clean_visible(&b, NULL, 0);
	hp_escape_json(&b, NULL, 0);
	hp_escape_csv_visible(&b, NULL, 0);
	ck_assert(hp_buf_ok(&b) && b.len == 0);
	hp_buf_release(&b);
}
END_TEST

START_TEST(commands_to_runners)
{
	static const struct hp_case cases[] = {
		HP_CASE("::error::x", "\\x3A:error::x"),
		HP_CASE("  ::error::x", "  \\x3A:error::x"),
		HP_CASE("\u00A0\u3000 ::error::x",
			"\u00A0\u3000 \\x3A:error::x"),
		HP_CASE("\t::error::x", "\\u{9}::error::x"),
		/*
		 * a command for a CI system may begin at the end of one text
		 * and continue in the next text
		 */
		HP_CASE(":", "\\x3A"),
		HP_CASE(" :", " \\x3A"),
		HP_CASE("##[error]x", "\\x23#[error]x"),
		HP_CASE("a ###[x]", "a #\\x23#[x]"),
		HP_CASE("##vso[task.complete]##[",
			"\\x23#vso[task.complete]\\x23#["),
		HP_CASE("##VSO[x]", "\\x23#VSO[x]"),
		HP_CASE("x ##teamcity[y]", "x \\x23#teamcity[y]"),
		HP_CASE("##", "\\x23#"),
		HP_CASE("a##vso", "a\\x23#vso"),
		/* a CI system does not take these texts for commands */
		HP_CASE("C#", "C#"),
		HP_CASE("#[x]", "#[x]"),
		HP_CASE("# #[x]", "# #[x]"),
		HP_CASE("a ## b", "a ## b"),
		HP_CASE("##vso.[", "##vso.["),
		HP_CASE("a::b", "a::b"),
		HP_CASE(":a::b", ":a::b"),
		HP_CASE("std::string #1", "std::string #1"),
		HP_CASE(" ", " "),
	};
	static const struct hp_case json[] = {
		HP_CASE("::x ##[y]", "\\\\x3A:x \\\\x23#[y]"),
	};
	/*
	 * the escapes for texts that are printed inside quotes
	 */
	static const struct hp_case exact[] = {
		HP_CASE("::x ##[y]", "::x \\u0023#[y]"),
		HP_CASE("##vso", "\\u0023#vso"),
		HP_CASE("C#", "C\\u0023"),
		HP_CASE("#x", "#x"),
	};
	static const struct hp_case xml[] = {
		HP_CASE("::<##[y]>", "\\x3A:&lt;\\x23#[y]&gt;"),
	};
	static const struct hp_case csv[] = {
		HP_CASE("::a,##[b]", "\"\\x3A:a,\\x23#[b]\""),
		HP_CASE("\\x3A:a", "\\x3A:a"),
	};
	static const struct hp_case tsv[] = {
		HP_CASE("::##[b]", "\\\\x3A:\\\\x23#[b]"),
	};
	static const struct hp_case property[] = {
		HP_CASE("::##[b]", "%3A%3A\\x23#[b]"),
	};

	CHECK_CASES(hp_text_clean, cases);
	CHECK_CASES(hp_escape_github, cases);
	CHECK_CASES(hp_escape_json, json);
	CHECK_CASES(hp_escape_json_visible, json);
	CHECK_CASES(hp_escape_json_exact, exact);
	CHECK_CASES(hp_escape_xml, xml);
	CHECK_CASES(hp_escape_xml_visible, xml);
	CHECK_CASES(hp_escape_csv_visible, csv);
	CHECK_CASES(hp_escape_tsv, tsv);
	CHECK_CASES(hp_escape_tsv_visible, tsv);
	CHECK_CASES(hp_escape_github_property, property);
}
END_TEST

static size_t
read_back(const char *text, char *out)
{
	size_t n = 0;

	while (*text) {
		unsigned v;
		int used = 1;

		if (text[0] == '\\' && text[1] == 'x' &&
		    strspn(text + 2, "0123456789ABCDEFabcdef") >= 2)
			used = sscanf(text, "\\x%2X", &v) ? 4 : 1;
		else if (text[0] == '\\' && text[1] == 'u' && text[2] == '{')
			sscanf(text, "\\u{%X}%n", &v, &used);
		out[n++] = used > 1 ? (char)v : *text;
		text += used;
	}
	return n;
}

/*
 * Check that the escaped text contains no command for a CI system, such as
 * "::error" at the beginning or "##[error]".
 */
static void
no_command(const char *text)
{
	const char *p = text + strspn(text, " ");

	ck_assert_msg(strncmp(p, "::", 2) != 0 && strcmp(p, ":") != 0, "%s",
		      text);
	for (p = text; (p = strstr(p, "##")); p++) {
		size_t n = strspn(p + 2, "abvso");

		ck_assert_msg(p[2 + n] != '[' && p[2 + n] != '\0', "%s", text);
	}
}

START_TEST(random_commands_are_read_back)
{
	static const char likely[] = "##[:: vso\\x23A\n";
	uint32_t seed = 7;

	for (int round = 0; round < 20000; round++) {
		struct hp_buf b = {0}, twice = {0};
		char text[12], back[12];
		size_t len = (size_t)round % sizeof(text);

		for (size_t i = 0; i < len; i++) {
			seed = seed * 1664525 + 1013904223;
			text[i] = likely[(seed >> 16) % (sizeof(likely) - 1)];
		}
		hp_text_clean(&b, text, len);
		no_command(hp_buf_string(&b));
		ck_assert_uint_eq(read_back(hp_buf_string(&b), back), len);
		ck_assert_mem_eq(back, text, len);
		/* escaping a text that is already escaped must not change it */
		hp_text_clean_visible(&twice, b.data, b.len);
		ck_assert_str_eq(hp_buf_string(&twice), hp_buf_string(&b));
		hp_buf_release(&b);
		hp_buf_release(&twice);
	}
}
END_TEST

START_TEST(cut_at_a_boundary)
{
	struct hp_buf b = {0};

	hp_text_clean_cut(&b, "abcdef", 6, 6);
	ck_assert_str_eq(hp_buf_string(&b), "abcdef");
	hp_buf_clear(&b);
	hp_text_clean_cut(&b, "abcdef", 6, 3);
	ck_assert_str_eq(hp_buf_string(&b), "abc\xE2\x80\xA6");
	hp_buf_clear(&b);
	hp_text_clean_cut(&b,
			  "ab\xE2\x82\xAC"
			  "f",
			  6, 4);
	ck_assert_str_eq(hp_buf_string(&b), "ab\xE2\x80\xA6");
	for (size_t max = 1; max < 7; max++) {
		hp_buf_clear(&b);
		hp_text_clean_cut(&b, "a\xED\xA0\xBD\xED\xB8\x80z", 8, max);
		ck_assert_str_eq(hp_buf_string(&b), "a\xE2\x80\xA6");
	}
	hp_buf_release(&b);
}
END_TEST

START_TEST(json_form)
{
	static const struct hp_case cases[] = {
		HP_CASE("plain", "plain"),
		HP_CASE("say \"hi\"", "say \\\"hi\\\""),
		HP_CASE("C:\\dir", "C:\\\\dir"),
		HP_CASE("a\nb", "a\\\\u{A}b"),
		HP_CASE("\\x1B", "\\\\x5Cx1B"),
		HP_CASE("\xFF", "\\\\xFF"),
		HP_CASE("</script>", "</script>"),
	};
	static const struct hp_case exact[] = {
		HP_CASE("a\nb\t\b\f\r\v", "a\\nb\\t\\b\\f\\r\\u000B"),
		HP_CASE("\xC0\x80\x7F", "\\u0000\\u007F"),
		HP_CASE("\xE2\x80\xAE", "\\u202E"),
		HP_CASE("\xF3\xA0\x81\x81", "\\uDB40\\uDC41"),
		HP_CASE("\xED\xA0\xBD", "\\\\u{D83D}"),
		HP_CASE("\xFF", "\\\\xFF"),
	};
	CHECK_CASES(hp_escape_json, cases);
	CHECK_CASES(hp_escape_json_exact, exact);
}
END_TEST

START_TEST(xml_form)
{
	static const struct hp_case cases[] = {
		HP_CASE("<script>alert('x')&\"",
			"&lt;script&gt;alert(&#39;x&#39;)&amp;&quot;"),
		HP_CASE("]]>\x1B", "]]&gt;\\u{1B}"),
		HP_CASE("\xEF\xBF\xBF\x01", "\\u{FFFF}\\u{1}"),
		HP_CASE("Foo.<init>", "Foo.&lt;init&gt;"),
	};
	CHECK_CASES(hp_escape_xml, cases);
}
END_TEST

START_TEST(csv_form)
{
	static const struct hp_case cases[] = {
		HP_CASE("", ""),
		HP_CASE("java.lang.String[]", "java.lang.String[]"),
		HP_CASE("a,b", "\"a,b\""),
		HP_CASE("a;b", "\"a;b\""),
		HP_CASE("say \"hi\"", "\"say \"\"hi\"\"\""),
		HP_CASE("=1+1", "'=1+1"),
		HP_CASE("+x", "'+x"),
		HP_CASE("-x", "'-x"),
		HP_CASE("@SUM(1,2)", "\"'@SUM(1,2)\""),
		HP_CASE("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
		HP_CASE("\t=1", "\\u{9}=1"),
		HP_CASE("\r\n=1", "\\u{D}\\u{A}=1"),
		HP_CASE("\xEF\xBC\x9D"
			"1",
			"'\xEF\xBC\x9D"
			"1"),
		HP_CASE(" x", "\" x\""),
	};
	CHECK_CASES(hp_escape_csv_visible, cases);
}
END_TEST

START_TEST(github_and_uri_forms)
{
	static const struct hp_case data[] = {
		HP_CASE("100% a:b,c", "100%25 a:b,c"),
		HP_CASE("x\r\n::error::y", "x\\u{D}\\u{A}::error::y"),
	};
	static const struct hp_case property[] = {
		HP_CASE("C:\\a,b%", "C%3A\\a%2Cb%25"),
	};
	static const struct hp_case uri[] = {
		HP_CASE("a/b-c_1.hprof", "a/b-c_1.hprof"),
		HP_CASE("a b\n\xC3\xA4%#?\0", "a%20b%0A%C3%A4%25%23%3F%00"),
	};
	CHECK_CASES(hp_escape_github, data);
	CHECK_CASES(hp_escape_github_property, property);
	CHECK_CASES(hp_escape_uri, uri);
}
END_TEST

/*
 * Test text that is already escaped for people to read: output formats must not
 * escape it again.
 */
START_TEST(visible_forms)
{
	static const struct {
		void (*add)(struct hp_buf *b, const void *text, size_t len);
		const char *text, *want;
	} cases[] = {
		{hp_escape_json_visible, "a\\u{1B}[2J", "a\\\\u{1B}[2J"},
		{hp_escape_json_visible, "\\xFF\"\\x5Cx41",
		 "\\\\xFF\\\"\\\\x5Cx41"},
		{hp_escape_xml_visible, "<\\u{1B}>", "&lt;\\u{1B}&gt;"},
		{hp_escape_github_visible, "1% \\u{A}", "1%25 \\u{A}"},
		{hp_escape_csv_visible, "a\\u{9}b", "a\\u{9}b"},
		{hp_escape_csv_visible, "a,\\u{9}\"", "\"a,\\u{9}\"\"\""},
		/*
		 * cells that a spreadsheet would take for formulas, with and
		 * without a leading backslash
		 */
		{hp_escape_csv_visible, "=1+\\u{9}", "'=1+\\u{9}"},
		{hp_escape_csv_visible, "\uFF1D1\\u{9}", "'\uFF1D1\\u{9}"},
		{hp_escape_csv_visible, "\uFF0B1\\", "'\uFF0B1\\"},
		{hp_escape_csv_visible, "\uFF0D1\\", "'\uFF0D1\\"},
		{hp_escape_csv_visible, "\uFF20a\\,", "\"'\uFF20a\\,\""},
		{hp_escape_csv_visible, "", ""},
		/*
		 * these bytes should have been escaped before, but are not: the
		 * output format must escape them
		 */
		{hp_escape_json_visible, "\x1B\\u{1B}", "\\\\u{1B}\\\\u{1B}"},
		{hp_escape_csv_visible, "\t=1", "\\u{9}=1"},
		{hp_escape_csv_visible, "\r=1", "\\u{D}=1"},
	};
	for (size_t i = 0; i < HP_ARRAY_LEN(cases); i++) {
		struct hp_buf b = {0};

		cases[i].add(&b, cases[i].text, strlen(cases[i].text));
		ck_assert_str_eq(hp_buf_string(&b), cases[i].want);
		hp_buf_release(&b);
	}
}
END_TEST

START_TEST(every_place_in_a_run)
{
	static const char stops[] = "\"\\\x01\x1F\x7F\x80\xFF";

	for (size_t len = 1; len < 40; len++) {
		for (size_t at = 0; at < len; at++) {
			for (const char *s = stops; *s; s++) {
				char text[40];
				struct hp_buf b = {0};
				memset(text, '~', sizeof(text));
				text[at] = *s;
				hp_escape_json(&b, text, len);
				ck_assert_uint_gt(b.len, len);
				ck_assert_int_eq(b.data[at], '\\');
				hp_buf_release(&b);
			}
		}
	}
}
END_TEST

START_TEST(random_bytes_make_valid_json)
{
	uint32_t seed = 1;

	for (int round = 0; round < 5000; round++) {
		char text[24];
		struct hp_buf b = {0};
		size_t len = (size_t)round % sizeof(text);
		static const uint8_t likely[] = {0xED, 0xA0, 0xB0, 0x80, 0xC0,
						 0xE2, 0xF0, '\\', 'x',	 'u',
						 '{',  'F',  '"',  0x9F, 0xBD};
		for (size_t i = 0; i < len; i++) {
			seed = seed * 1664525 + 1013904223;
			text[i] = (char)(seed >> 31 ? seed >> 20
						    : likely[(seed >> 16) %
							     sizeof(likely)]);
		}
		hp_buf_byte(&b, '"');
		if (round & 1)
			hp_escape_json(&b, text, len);
		else
			hp_escape_json_exact(&b, text, len);
		hp_buf_byte(&b, '"');
		size_t controls = 0;
		for (size_t i = 0; i < b.len; i++)
			controls += (uint8_t)b.data[i] < 0x20;
		ck_assert_uint_eq(controls, 0);
		json_t *json = json_loadb(
			b.data, b.len, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
		ck_assert_ptr_nonnull(json);
		json_decref(json);
		hp_buf_release(&b);
	}
}
END_TEST

static void
write_sample(struct hp_json *j)
{
	hp_json_object(j);
	hp_json_put_string(j, "tool", "t\"x");
	hp_json_put_u64(j, "max", UINT64_MAX);
	hp_json_put_i64(j, "min", INT64_MIN);
	hp_json_put_array(j, "rows");
	hp_json_object_flat(j);
	hp_json_put_string(j, "id", "0xabc");
	hp_json_key(j, "d");
	hp_json_array(j);
	hp_json_double(j, 0.1);
	hp_json_double(j, 1e300);
	hp_json_array_end(j);
	hp_json_object_end(j);
	hp_json_bool(j, false);
	hp_json_string(j, NULL);
	hp_json_array_end(j);
	hp_json_put_object(j, "ab");
	hp_json_object_end(j);
	hp_json_put_u64s(j, "n", (const uint64_t[]){1, UINT64_MAX}, 2);
	hp_json_put_u64s(j, "none", NULL, 0);
	hp_json_object_end(j);
}

START_TEST(json_writer)
{
	struct hp_json j;

	hp_json_init(&j, NULL, HP_JSON_COMPACT);
	write_sample(&j);
	ck_assert_str_eq(
		hp_buf_string(&j.buf),
		"{\"tool\":\"t\\\"x\",\"max\":18446744073709551615,"
		"\"min\":-9223372036854775808,\"rows\":[{\"id\":\"0xabc\","
		"\"d\":[0.1,1e+300]},false,null],\"ab\":{},"
		"\"n\":[1,18446744073709551615],\"none\":[]}");
	hp_buf_release(&j.buf);
	hp_json_init(&j, NULL, HP_JSON_INDENT);
	write_sample(&j);
	ck_assert_str_eq(hp_buf_string(&j.buf),
			 "{\n  \"tool\": \"t\\\"x\",\n"
			 "  \"max\": 18446744073709551615,\n"
			 "  \"min\": -9223372036854775808,\n"
			 "  \"rows\": [\n"
			 "    {\"id\": \"0xabc\", \"d\": [0.1, 1e+300]},\n"
			 "    false,\n    null\n  ],\n"
			 "  \"ab\": {},\n"
			 "  \"n\": [1, 18446744073709551615],\n"
			 "  \"none\": []\n}");
	hp_buf_release(&j.buf);
}
END_TEST

START_TEST(json_lines_and_write_errors)
{
	struct hp_json j;
	struct hp_error err = {0};
	char text[64] = "";
	FILE *file = fmemopen(text, sizeof(text), "w");

	hp_json_init(&j, file, HP_JSON_COMPACT);
	for (uint64_t i = 0; i < 3; i++) {
		hp_json_object(&j);
		hp_json_put_u64(&j, "n", i);
		hp_json_object_end(&j);
		hp_json_line(&j);
	}
	ck_assert_int_eq(hp_json_finish(&j, &err), HP_OK);
	fclose(file);
	ck_assert_str_eq(text, "{\"n\":0}\n{\"n\":1}\n{\"n\":2}\n");

	file = fopen("/dev/full", "w");
	if (!file)
		return;
	hp_json_init(&j, file, HP_JSON_COMPACT);
	hp_json_array(&j);
	for (uint64_t i = 0; i < 100000; i++)
		hp_json_u64(&j, i);
	hp_json_array_end(&j);
	enum hp_status status = hp_json_finish(&j, &err);
	ck_assert(status == HP_IO || fflush(file) != 0);
	fclose(file);
}
END_TEST

START_TEST(json_too_deep)
{
	struct hp_json j;
	struct hp_error err = {0};

	hp_json_init(&j, NULL, HP_JSON_INDENT);
	for (int i = 0; i < HP_JSON_DEPTH_MAX; i++)
		hp_json_array(&j);
	for (int i = 0; i < HP_JSON_DEPTH_MAX + 20; i++)
		hp_json_array_end(&j);
	ck_assert_int_eq(hp_json_finish(&j, &err), HP_LIMIT);
}
END_TEST

START_TEST(lists)
{
	struct hp_vec v = {0};
	uint16_t *list = NULL;
	size_t cap = 0, huge = SIZE_MAX / 2 + 1;
	void *nothing = NULL;

	for (uint16_t i = 0; i < 1000; i++) {
		uint16_t *item = hp_vec_add(&v, sizeof(*item));

		ck_assert(HP_LIST_RESERVE(list, i, cap));
		ck_assert_uint_gt(cap, i);
		list[i] = i;
		ck_assert_uint_eq(*item, 0);
		*item = i;
	}
	ck_assert_uint_eq(v.count, 1000);
	ck_assert_mem_eq(v.items, list, 1000 * sizeof(*list));
	free(v.items);
	free(list);
	ck_assert(!hp_list_reserve(&nothing, huge, &huge, 2));
	cap = SIZE_MAX / 4;
	ck_assert(!hp_list_reserve(&nothing, cap, &cap, 8));
	ck_assert_uint_eq(cap, SIZE_MAX / 4);
	ck_assert_ptr_null(nothing);
}
END_TEST

/*
 * Test that moving a list into an empty list moves the memory and copies
 * nothing.
 */
START_TEST(lists_are_moved)
{
	struct hp_vec all = {0}, from = {0};
	const uint32_t *items;
	const void *taken;

	ck_assert(hp_vec_move(&all, &from, sizeof(uint32_t)));
	ck_assert_ptr_null(all.items);
	for (uint32_t i = 0; i < 100; i++)
		ck_assert(HP_VEC_PUSH(&from, uint32_t, i));
	taken = from.items;
	ck_assert(hp_vec_move(&all, &from, sizeof(uint32_t)));
	ck_assert_ptr_eq(all.items, taken);
	ck_assert_ptr_null(from.items);
	ck_assert_uint_eq(from.cap, 0);
	for (uint32_t i = 100; i < 300; i++)
		ck_assert(HP_VEC_PUSH(&from, uint32_t, i));
	ck_assert(hp_vec_move(&all, &from, sizeof(uint32_t)));
	ck_assert(hp_vec_move(&all, &from, sizeof(uint32_t)));
	ck_assert_uint_eq(all.count, 300);
	items = all.items;
	for (uint32_t i = 0; i < 300; i++)
		ck_assert_uint_eq(items[i], i);
	free(all.items);
}
END_TEST

/*
 * Test sorting few and many numbers. In some tests, all numbers have an equal
 * digit at the same place. The sort skips such a digit.
 */
START_TEST(sorted_numbers)
{
	static const uint64_t masks[] = {0, 0xf, 0x7ffffff8, 0xff000000000000,
					 UINT64_MAX};
	static const size_t counts[] = {0, 1, 2, 255, 256, 257, 5000};
	uint64_t *a = calloc(5000, sizeof(*a)), *b = calloc(5000, sizeof(*b));

	ck_assert(a && b);
	for (size_t m = 0; m < HP_ARRAY_LEN(masks); m++) {
		for (size_t c = 0; c < HP_ARRAY_LEN(counts); c++) {
			const size_t n = counts[c];

			for (size_t i = 0; i < n; i++)
				a[i] = b[i] = ((i + 1) * 0x9e3779b97f4a7c15 &
					       masks[m]) |
					      (~masks[m] & 0x1234567890abcdef);
			hp_sort_u64(a, n);
			qsort(b, n, sizeof(*b), hp_compare_u64);
			ck_assert_mem_eq(a, b, n * sizeof(*a));
		}
	}
	hp_sort_u64(NULL, 0);
	free(a);
	free(b);
}
END_TEST

START_TEST(tsv_doubles_backslashes)
{
	static const struct hp_case cases[] = {
		HP_CASE("a b", "a b"),
		HP_CASE("a\tb\nc\rd", "a\\\\u{9}b\\\\u{A}c\\\\u{D}d"),
		HP_CASE("a\0b", "a\\\\u{0}b"),
		HP_CASE("C:\\dir", "C:\\\\dir"),
		HP_CASE("\\x41", "\\\\x5Cx41"),
		HP_CASE("\xFF", "\\\\xFF"),
		HP_CASE("\"q\"", "\"q\""),
		/* no cell begins like a formula; each cell can be decoded */
		HP_CASE("=1+1", "\\\\x3D1+1"),
		HP_CASE("+1", "\\\\x2B1"),
		HP_CASE("-1", "\\\\x2D1"),
		HP_CASE("@A1", "\\\\x40A1"),
		HP_CASE("=", "\\\\x3D"),
		HP_CASE("a=-1", "a=-1"),
		HP_CASE("\uFF1D1", "\\\\u{FF1D}1"),
		HP_CASE("\uFF0B1", "\\\\u{FF0B}1"),
		HP_CASE("\uFF0D1", "\\\\u{FF0D}1"),
		HP_CASE("\uFF201", "\\\\u{FF20}1"),
		HP_CASE("=\xFF\\", "\\\\x3D\\\\xFF\\\\"),
		HP_CASE("\\x3D", "\\\\x5Cx3D"),
	};
	static const struct hp_case visible[] = {
		HP_CASE("=1\\u{9}", "\\\\x3D1\\\\u{9}"),
		HP_CASE("a\\u{9}b", "a\\\\u{9}b"),
		HP_CASE("a\tb", "a\\\\u{9}b"),
	};

	CHECK_CASES(hp_escape_tsv, cases);
	CHECK_CASES(hp_escape_tsv_visible, visible);
}
END_TEST

Suite *
test_escape_suite(void)
{
	Suite *s = suite_create("escape");
	TCase *t = tcase_create("escape");

	tcase_add_test(t, lists);
	tcase_add_test(t, lists_are_moved);
	tcase_add_test(t, sorted_numbers);
	tcase_add_test(t, clean_keeps_text);
	tcase_add_test(t, tsv_doubles_backslashes);
	tcase_add_test(t, clean_shows_what_hides);
	tcase_add_test(t, clean_shows_bad_bytes);
	tcase_add_test(t, clean_backslashes_are_unambiguous);
	tcase_add_test(t, clean_shows_what_is_ignorable);
	tcase_add_test(t, all_that_is_ignorable_is_hidden);
	tcase_add_test(t, commands_to_runners);
	tcase_add_test(t, empty_text);
	tcase_add_test(t, random_commands_are_read_back);
	tcase_add_test(t, cut_at_a_boundary);
	tcase_add_test(t, json_form);
	tcase_add_test(t, xml_form);
	tcase_add_test(t, csv_form);
	tcase_add_test(t, github_and_uri_forms);
	tcase_add_test(t, visible_forms);
	tcase_add_test(t, every_place_in_a_run);
	tcase_add_test(t, random_bytes_make_valid_json);
	tcase_add_test(t, json_writer);
	tcase_add_test(t, json_lines_and_write_errors);
	tcase_add_test(t, json_too_deep);
	suite_add_tcase(s, t);
	return s;
}
