/*
 * test_table.c - tests of tables, the width of text, colours, and the progress
 * line
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/cli/escape.h"
#include "common/cli/message.h"
#include "common/cli/quantity.h"
#include "common/cli/table.h"

Suite *test_table_suite(void);

START_TEST(widths)
{
	static const struct {
		const char *text;
		size_t want;
	} cases[] = {
		{"", 0},
		{"abc", 3},
		{"\xC3\xA4", 1},  /* the letter a with umlaut */
		{"a\xCC\x88", 1}, /* the letter a with a combining character */
		{"\xE6\xBC\xA2\xE5\xAD\x97", 4}, /* Chinese characters */
		{"\xED\x95\x9C", 2},		 /* Hangul syllable */
		{"\xEF\xBC\xA1", 2},		 /* full-width letter */
		{"\xEF\xBD\xB1", 1},		 /* half-width Katakana */
		{"\xF0\x9F\x98\x80", 2},	 /* emoji */
		{"\xF0\xA0\x80\x80", 2}, /* character of Unicode plane 2 */
		{"\xE2\x80\xA6", 1},	 /* ellipsis */
		{"\xFF\xFE", 2},	 /* invalid UTF-8 */
		/* Devanagari letters with a virama */
		{"\xE0\xA4\xA8\xE0\xA5\x8D", 1},
	};
	for (size_t i = 0; i < HP_ARRAY_LEN(cases); i++)
		ck_assert_uint_eq(
			hp_text_width(cases[i].text, strlen(cases[i].text)),
			cases[i].want);
	const char *cjk = "\xE6\xBC\xA2\xE5\xAD\x97x";
	ck_assert_uint_eq(hp_text_head(cjk, 7, 3), 3);
	ck_assert_uint_eq(hp_text_head(cjk, 7, 4), 6);
	ck_assert_uint_eq(hp_text_tail(cjk, 7, 2), 6);
	ck_assert_uint_eq(hp_text_tail(cjk, 7, 3), 3);
	ck_assert_uint_eq(hp_text_tail(cjk, 7, 9), 0);
	ck_assert_uint_eq(hp_text_tail("xa\xCC\x88", 4, 0), 4);
}
END_TEST

static const struct hp_table_column columns[] = {
	{"bytes", true, false},
	{"class", false, true},
	{"note", false, false},
};

static void
add_text(struct hp_table *t, const char *text)
{
	hp_text_clean(hp_table_open(t, HP_COLOR_NONE), text, strlen(text));
}

static void
fill(struct hp_table *t)
{
	hp_count_text(hp_table_open(t, HP_COLOR_RED), 1234567);
	add_text(t, "com.acme.very.deep.Package");
	add_text(t, "");
	hp_table_rule(t);
	hp_count_text(hp_table_open(t, HP_COLOR_NONE), 5);
	add_text(t, "\xE6\xBC\xA2\n");
	add_text(t, "x");
}

static void
expect_table(const struct hp_table_style *style, const char *want)
{
	struct hp_table t;
	struct hp_buf b = {0};

	hp_table_init(&t, columns, HP_ARRAY_LEN(columns));
	fill(&t);
	ck_assert_int_eq(hp_table_measure(&t, NULL), HP_OK);
	fill(&t);
	ck_assert_int_eq(hp_table_print_rows(&t, style, &b, NULL), HP_OK);
	ck_assert_str_eq(hp_buf_string(&b), want);
	hp_table_release(&t);
	hp_buf_release(&b);
}

#define L10 "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500"

START_TEST(table_layout)
{
	expect_table(&(struct hp_table_style){0},
		     "    bytes  class                       note\n"
		     "1,234,567  com.acme.very.deep.Package\n" L10 L10 L10 L10
		     "\u2500\u2500\u2500\n"
		     "        5  \xE6\xBC\xA2\\u{A}                     x\n");
	expect_table(
		&(struct hp_table_style){.width = 30, .color = true},
		"    \033[1mbytes\033[0m  \033[1mclass\033[0m          "
		"\033[1mnote\033[0m\n"
		"\033[31m1,234,567\033[0m  com.ac\u2026ackage\n" L10 L10 L10
		"\n"
		"        5  \xE6\xBC\xA2\\u{A}        x\n");
	expect_table(&(struct hp_table_style){.width = 5},
		     "    bytes  class         note\n"
		     "1,234,567  com.a\u2026ackage\n" L10 L10
		     "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500"
		     "\u2500\n"
		     "        5  \xE6\xBC\xA2\\u{A}       x\n");
}
END_TEST

START_TEST(table_incomplete)
{
	struct hp_table t;
	struct hp_buf b = {0};

	hp_table_init(&t, columns, HP_ARRAY_LEN(columns));
	hp_table_open(&t, HP_COLOR_NONE);
	ck_assert_int_eq(
		hp_table_print_rows(&t,
				    &(struct hp_table_style){.underline = true},
				    &b, NULL),
		HP_OK);
	ck_assert_str_eq(hp_buf_string(&b),
			 "bytes  class  note\n" L10
			 "\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\n");
	hp_table_release(&t);
	hp_buf_release(&b);
}
END_TEST

START_TEST(colors)
{
	FILE *file = tmpfile();

	ck_assert(hp_color_wanted(HP_ALWAYS, file));
	ck_assert(!hp_color_wanted(HP_AUTO, file));
	ck_assert(!hp_color_wanted(HP_NEVER, file));
	unsetenv("COLUMNS");
	ck_assert_uint_eq(hp_terminal_width(file), 0);
	setenv("COLUMNS", "99", 1);
	ck_assert_uint_eq(hp_terminal_width(file), 99);
	setenv("COLUMNS", "1x", 1);
	ck_assert_uint_eq(hp_terminal_width(file), 0);
	ck_assert_str_eq(hp_color_begin(HP_COLOR_NONE), "");
	ck_assert_str_eq(hp_color_end(HP_COLOR_NONE), "");
	fclose(file);
}
END_TEST

START_TEST(progress_lines)
{
	static const struct {
		const char *label;
		uint64_t taken, total, ms;
		size_t columns;
		const char *want;
	} cases[] = {
		{"a", UINT64_C(3) << 29, UINT64_C(4) << 30, 2000, 80,
		 "a: 1.5 GB of 4.0 GB, 37 %, 768.0 MB/s, 0:03 left"},
		{"a", 1 << 20, 0, 1000, 80, "a: 1.0 MB, 1.0 MB/s"},
		{NULL, 0, 1 << 20, 1000, 80, "0 B of 1.0 MB, 0 %"},
		{"a", 2 << 20, 1 << 20, 1000, 80,
		 "a: 2.0 MB of 1.0 MB, 100 %, 2.0 MB/s"},
		{"a", 1024, 4096 * 1024, 1000, 80,
		 "a: 1.0 KB of 4.0 MB, 0 %, 1.0 KB/s, 1:08:15 left"},
		{"/a/long/path/to/a/dump.hprof", 1 << 20, 0, 1000, 36,
		 "\u2026h/to/a/dump.hprof: 1.0 MB, 1.0 MB/s"},
		{"/a/long/path/to/a/dump.hprof", 1 << 20, 0, 1000, 20,
		 "1.0 MB, 1.0 MB/s"},
		{"a", 1, UINT64_MAX, 1, 80, "a: 1 B of 16.0 EB, 0 %, 1000 B/s"},
		{"a", 1, 2, 0, 80, "a: 1 B of 2 B, 50 %"},
	};
	for (size_t i = 0; i < HP_ARRAY_LEN(cases); i++) {
		struct hp_buf b = {0};
		hp_progress_line(&b, cases[i].label, cases[i].taken,
				 cases[i].total, cases[i].ms, cases[i].columns);
		ck_assert_str_eq(hp_buf_string(&b), cases[i].want);
		hp_buf_release(&b);
	}
}
END_TEST

static void
half_way(void *context, uint64_t *taken, uint64_t *total)
{
	*taken = 512;
	*total = 1024;
}

/* Read what was written to @file so far, and terminate it by a NUL. */
static void
read_so_far(FILE *file, char *text, size_t room)
{
	ssize_t n = pread(fileno(file), text, room - 1, 0);

	ck_assert_int_ge(n, 0);
	text[n] = '\0';
}

START_TEST(progress_thread)
{
	const char *line = "hprof-test: a\\u{A}.hprof: 512 B of 1.0 KB, 50 %";
	FILE *file = tmpfile();
	char text[4096] = "";
	const char *first;

	ck_assert_ptr_null(hp_progress_start(HP_NEVER, file, "hprof-test"));
	ck_assert_ptr_null(hp_progress_start(HP_AUTO, file, "hprof-test"));
	hp_progress_watch(NULL, half_way, NULL, "x");
	hp_progress_clear(NULL);
	hp_progress_stop(NULL);

	struct hp_progress *p =
		hp_progress_start(HP_ALWAYS, file, "hprof-test");
	struct hp_messages m = {
		.program = "hprof-test", .file = file, .progress = p};
	ck_assert_ptr_nonnull(p);
	hp_progress_watch(p, half_way, NULL, "a\n.hprof");
	hp_message(&m, HP_MESSAGE_NOTE, NULL, "hello");
	/* The time limit of the test ends this loop if no line comes. */
	while (!strstr(text, line)) {
		usleep(10000);
		read_so_far(file, text, sizeof(text));
	}
	/* this prints the last line */
	hp_progress_stop(p);
	read_so_far(file, text, sizeof(text));
	fclose(file);
	first = strstr(text, line);
	ck_assert_ptr_nonnull(first);
	ck_assert_ptr_nonnull(strstr(first + 1, line));
	ck_assert_ptr_nonnull(strstr(text, "hprof-test: hello\n"));
	ck_assert_ptr_null(strchr(text, '\033'));
}
END_TEST

static void
expect_name(unsigned width, const char *text, const char *want)
{
	static const struct hp_table_column name = {
		.title = "class", .shrink = true, .names = true};
	const struct hp_table_style style = {.width = width};
	struct hp_buf b = {0};
	struct hp_table t;
	const char *row;

	hp_table_init(&t, &name, 1);
	add_text(&t, text);
	ck_assert_int_eq(hp_table_measure(&t, NULL), HP_OK);
	add_text(&t, text);
	ck_assert_int_eq(hp_table_print_rows(&t, &style, &b, NULL), HP_OK);
	row = strchr(hp_buf_string(&b), '\n');
	ck_assert_ptr_nonnull(row);
	ck_assert_msg(strlen(row + 1) == strlen(want) + 1, "%s", row + 1);
	ck_assert_int_eq(strncmp(row + 1, want, strlen(want)), 0);
	hp_table_release(&t);
	hp_buf_release(&b);
}

START_TEST(table_names)
{
	static const char node[] =
		"java.util.concurrent.ConcurrentHashMap$Node";

	expect_name(0, node, node);
	expect_name(43, node, node);
	expect_name(42, node, "j.u.c.ConcurrentHashMap$Node");
	expect_name(28, node, "j.u.c.ConcurrentHashMap$Node");
	/* a class name that is too wide loses its packages, then its middle */
	expect_name(22, node, "ConcurrentHashMap$Node");
	expect_name(20, node, "Concurren\u2026shMap$Node");
	/* a long name of an inner class does not need its outer class */
	expect_name(12, "shop.Checkout$CartItem[]", "CartItem[]");
	/* a generated class keeps the class from which it was made */
	expect_name(20, "a.b.CheckoutConfiguration$$Lambda",
		    "CheckoutC\u2026on$$Lambda");
	expect_name(24, "a.Order$$EnhancerBySpringCGLIB",
		    "Order$$Enha\u2026ySpringCGLIB");
	expect_name(16, "com.acme.Checkout$MockitoMock",
		    "Checkou\u2026kitoMock");
	expect_name(12, "com.sun.proxy.$Proxy12", "$Proxy12");
	/* the name of a field is not a part of the inner class */
	expect_name(17, "java.util.HashMap$Node.value",
		    "HashMap$\u2026de.value");
	expect_name(19, "shop.Checkout$CartItem.val$buffer",
		    "CartItem.val$buffer");
	/* in a text of several words, the longest names become shorter */
	expect_name(24, "kept by shop.Checkout$CartItem.owner",
		    "kept by CartItem.owner");
	/* if this is not enough, only the middle of the text is left out */
	expect_name(36, "boxed-collections \u2192 Shop.SESSIONS (static)",
		    "boxed-collections\u2026.SESSIONS (static)");
	expect_name(14, "com.acme.internal.*", "c.a.internal.*");
	expect_name(14, "com.acme.Order.make", "c.a.Order.make");
	expect_name(14, "com.acme.Map$a.b[]", "c.a.Map$a.b[]");
	expect_name(16, "a.Order  a.Main.run(Main.java:5) < a.B.c(B.java)",
		    "a.Order  a.Main\u2026");
	expect_name(34,
		    "acme.Order  acme.Main.run(main.java:5) < a.B.c(B.java)",
		    "a.Order  a.Main.run(main.java:5) \u2026");
	expect_name(12, "\u00E4bc.d\u00E4fgh.Gh\u00EF", "\u00E4bc.d.Gh\u00EF");
	expect_name(12, "trailing.dots..", "t.dots..");
	/* a class may begin with a small letter */
	expect_name(20, "org.apache.jsp.leak_jsp.carts",
		    "o.a.j.leak_jsp.carts");
	expect_name(16, "org.apache.jsp.leak_jsp.carts", "leak_jsp.carts");
	expect_name(18, "org.app.user$fn.state", "o.a.user$fn.state");
	expect_name(24, "com.acme.config.ALL (static)",
		    "c.a.config.ALL (static)");
	expect_name(21, "com.acme.config.ALL (static)", "config.ALL (static)");
	expect_name(15, "com.acme.config.ALL.all", "c.a.c.ALL.all");
}
END_TEST

/*
 * Print and release a measured table of @width columns, in which @left_out
 * names the columns that are left out. @want: a part of what is printed.
 */
static void
expect_narrow(struct hp_table *t, unsigned width, const char *left_out,
	      const char *want)
{
	const struct hp_table_style style = {.width = width, .names = 70};
	struct hp_buf b = {0}, names = {0};

	ck_assert_int_eq(hp_table_left_out(t, &style, &names, NULL), HP_OK);
	ck_assert_str_eq(hp_buf_string(&names), left_out);
	ck_assert_int_eq(hp_table_print_rows(t, &style, &b, NULL), HP_OK);
	ck_assert_msg(strstr(hp_buf_string(&b), want), "width %u: %s", width,
		      hp_buf_string(&b));
	hp_table_release(t);
	hp_buf_release(&b);
	hp_buf_release(&names);
}

/*
 * Test which columns are omitted if the table is too wide: those with the
 * largest rank first. The column of names must keep enough room.
 */
START_TEST(table_ranks)
{
	static const struct hp_table_column ranked[] = {
		{.title = "first", .right = true, .rank = 3},
		{.title = "last", .right = true, .rank = 2},
		{.title = "class", .shrink = true, .names = true}};
	static const struct {
		unsigned width;
		const char *left_out, *row;
	} cases[] = {
		{0, "", "    1     2  com.acme.Order"},
		{28, "", "    1     2  com.acme.Order"},
		{20, "first", "   2  com.acme.Order"},
		{14, "first, last", "com.acme.Order"},
		{12, "first, last", "c.a.Order"},
	};

	for (size_t i = 0; i < HP_ARRAY_LEN(cases); i++) {
		struct hp_table t;

		hp_table_init(&t, ranked, 3);
		for (int pass = 0; pass < 2; pass++) {
			add_text(&t, "1");
			add_text(&t, "2");
			add_text(&t, "com.acme.Order");
			if (pass == 0)
				ck_assert_int_eq(hp_table_measure(&t, NULL),
						 HP_OK);
		}
		expect_narrow(&t, cases[i].width, cases[i].left_out,
			      cases[i].row);
	}
}
END_TEST

START_TEST(lines_fit)
{
	static const struct {
		size_t width;
		const char *text, *want;
	} cases[] = {
		{0, "as wide as it is, and wider\n",
		 "as wide as it is, and wider\n"},
		{20, "twenty columns fit !\n", "twenty columns fit !\n"},
		{20, "the next word goes on below\nx",
		 "the next word goes\n    on below\nx"},
		{20, "  indented lines go deeper",
		 "  indented lines go\n      deeper"},
		{20, "numbers and units: 1.5 MB",
		 "numbers and units:\n    1.5 MB"},
		{20, "averylongwordwithoutanyspace",
		 "averylong\u2026utanyspace"},
	};

	for (size_t i = 0; i < HP_ARRAY_LEN(cases); i++) {
		struct hp_buf b = {0};

		hp_lines_fit(&b, cases[i].text, strlen(cases[i].text),
			     cases[i].width);
		ck_assert_str_eq(hp_buf_string(&b), cases[i].want);
		hp_buf_release(&b);
	}
}
END_TEST

/*
 * Test the labels of objects below the rows of a table: no column is left out
 * for them, and they are shortened only if they are wider than a line.
 */
START_TEST(table_labels)
{
	static const struct hp_table_column ranked[] = {
		{.title = "first", .right = true, .rank = 2},
		{.title = "class", .shrink = true, .names = true}};
	static const struct {
		unsigned width;
		const char *left_out, *label;
	} cases[] = {
		{0, "", "\n          (list of 1,500 shop.Checkout$CartItem)\n"},
		{48, "",
		 "\n          (list of 1,500 shop.Checkout$CartItem)\n"},
		{40, "", "\n  (list of 1,500 shop.Checkout$CartItem)\n"},
		{37, "", "\n(list of 1,500 Checkout$CartItem)\n"},
		{24, "", "\n(list of 1,500 CartItem)\n"},
		{13, "first", "\n(list \u2026tItem)\n"},
	};

	for (size_t i = 0; i < HP_ARRAY_LEN(cases); i++) {
		struct hp_table t;

		hp_table_init(&t, ranked, 2);
		for (int pass = 0; pass < 2; pass++) {
			add_text(&t, "1");
			add_text(&t, "com.acme.Order");
			add_text(&t, "");
			hp_buf_text(hp_table_open_label(&t, 3),
				    "list of 1,500 shop.Checkout$CartItem");
			if (pass == 0)
				ck_assert_int_eq(hp_table_measure(&t, NULL),
						 HP_OK);
		}
		expect_narrow(&t, cases[i].width, cases[i].left_out,
			      cases[i].label);
	}
}
END_TEST

Suite *
test_table_suite(void)
{
	Suite *s = suite_create("table");
	TCase *t = tcase_create("table");

	tcase_add_test(t, widths);
	tcase_add_test(t, table_layout);
	tcase_add_test(t, table_names);
	tcase_add_test(t, table_ranks);
	tcase_add_test(t, table_labels);
	tcase_add_test(t, lines_fit);
	tcase_add_test(t, table_incomplete);
	tcase_add_test(t, colors);
	tcase_add_test(t, progress_lines);
	tcase_add_test(t, progress_thread);
	suite_add_tcase(s, t);
	return s;
}
