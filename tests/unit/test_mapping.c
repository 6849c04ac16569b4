/*
 * test_mapping.c - tests of mapping files of R8 and ProGuard: lines, comments,
 * and how classes, fields, frames and traces of a dump are renamed
 *
 * The mapping files of the tests follow the documentation of R8, "R8, Retrace
 * and map file versioning", and the ProGuard manual.
 */
#include "common/mapping/mapping.h"

#include "common/base/memory.h"
#include "tests/unit/must.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

Suite *test_mapping_suite(void);

/* ---- a dump that consists only of tables of classes and frames ---- */

static struct hp_tables tables;
static struct hp_mappings maps;
static struct hp_rename names;
static uint32_t serials;

static void
record(uint8_t tag, const void *body, size_t n)
{
	const struct hp_record rec = {.tag = tag, .length = (uint32_t)n};
	struct hp_cursor c = {.data = body, .len = n};

	ck_assert_int_eq(hp_tables_record(&tables, &rec, c, 0, NULL, NULL),
			 HP_OK);
}

static void
put8(uint8_t *to, uint64_t v)
{
	for (int i = 7; i >= 0; i--, v >>= 8)
		to[i] = (uint8_t)v;
}

static void
put4(uint8_t *to, uint32_t v)
{
	for (int i = 3; i >= 0; i--, v >>= 8)
		to[i] = (uint8_t)v;
}

static uint64_t
string(const char *text)
{
	static uint64_t id;
	uint8_t body[2048];

	put8(body, ++id);
	memcpy(body + 8, text, strlen(text));
	record(HP_REC_STRING, body, 8 + strlen(text));
	return id;
}

static uint32_t
load(const char *name)
{
	uint8_t body[24] = {0};

	put4(body, ++serials);
	put8(body + 4, 1000 + serials);
	put8(body + 16, string(name));
	record(HP_REC_LOAD_CLASS, body, sizeof(body));
	return serials;
}

static void
frame(uint64_t id, uint32_t class, const char *method, const char *signature,
      const char *source, int32_t line)
{
	uint8_t body[40];

	put8(body, id);
	put8(body + 8, string(method));
	put8(body + 16, string(signature));
	put8(body + 24, source ? string(source) : 0);
	put4(body + 32, class);
	put4(body + 36, (uint32_t)line);
	record(HP_REC_STACK_FRAME, body, sizeof(body));
}

static void
trace(uint32_t serial, uint32_t n, const uint64_t *frames)
{
	uint8_t body[12 + 8 * 8];

	put4(body, serial);
	put4(body + 4, 0);
	put4(body + 8, n);
	for (uint32_t i = 0; i < n; i++)
		put8(body + 12 + 8 * i, frames[i]);
	record(HP_REC_STACK_TRACE, body, 12 + 8ul * n);
}

static void
add_mapping(const char *text)
{
	struct hp_error err = {0};
	size_t i = maps.count;

	ck_assert_int_eq(hp_mappings_add(&maps, "m", &err), HP_OK);
	ck_assert_msg(hp_mapping_parse(&maps.list[i].mapping, text,
				       strlen(text), &err) == HP_OK,
		      "%s", err.text);
}

static void
set_up(void)
{
	hp_tables_init(&tables, 8);
	serials = 0;
}

static void
tear_down(void)
{
	hp_rename_release(&names);
	hp_mappings_release(&maps);
	hp_tables_release(&tables);
}

static void
rename_all(void)
{
	hp_rename_init(&names, &maps, &tables);
	ck_assert_int_eq(hp_rename_records(&names, NULL, NULL), HP_OK);
	ck_assert_int_eq(hp_rename_publish(&names, NULL), HP_OK);
}

static void
add_text(struct hp_buf *b, const struct hp_string *s)
{
	if (s)
		hp_buf_add(b, s->data, s->length);
}

static char *
trace_text(uint32_t serial)
{
	const struct hp_trace *t = hp_tables_trace(&tables, serial);
	struct hp_buf b = {0};

	for (uint32_t i = 0; i < t->nframes; i++) {
		const struct hp_frame *f =
			hp_tables_frame(&tables, t->frames[i]);

		must(f);
		if (i > 0)
			hp_buf_byte(&b, ' ');
		add_text(&b,
			 hp_tables_load_name(
				 &tables, hp_tables_load_serial(
						  &tables, f->class_serial)));
		hp_buf_byte(&b, '.');
		add_text(&b, hp_tables_string(&tables, f->method));
		add_text(&b, hp_tables_string(&tables, f->signature));
		hp_buf_byte(&b, '(');
		add_text(&b, hp_tables_string(&tables, f->source));
		hp_buf_printf(&b, ":%d)", f->line);
	}
	return hp_buf_take(&b);
}

#define ck_trace(serial, text)                                                 \
	do {                                                                   \
		char *is = trace_text(serial);                                 \
		ck_assert_str_eq(is, text);                                    \
		hp_free(is);                                                   \
	} while (0)

/* ---- renaming classes ---- */

START_TEST(classes_of_all_spellings)
{
	static const char *const raw[][2] = {
		{"a/b", "com/shop/Cart"},
		{"[La/b;", "[Lcom/shop/Cart;"},
		{"[[La/b;", "[[Lcom/shop/Cart;"},
		{"[I", "[I"},
		{"c", "com/shop/Item"},
		{"java/lang/String", "java/lang/String"},
		{"a/b$$Lambda+0x00007f00", "com/shop/Cart$$Lambda+0x00007f00"},
		{"a/b$$Lambda$3", "com/shop/Cart$$Lambda$3"},
		{"[", "["},
		{"[L;", "[L;"},
		{"", ""},
	};
	char *is;

	add_mapping("# compiler: R8\n"
		    "com.shop.Cart -> a.b:\r\n"
		    "com.shop.Item -> c:\n"
		    "com.shop.Second -> c:\n"
		    "junk\n"
		    " -> :\n"
		    "-> -> -> ->\n");
	for (size_t i = 0; i < HP_ARRAY_LEN(raw); i++)
		load(raw[i][0]);
	rename_all();
	for (size_t i = 0; i < HP_ARRAY_LEN(raw); i++) {
		struct hp_buf b = {0};

		add_text(&b,
			 hp_tables_load_name(
				 &tables, hp_tables_load_serial(
						  &tables, (uint32_t)i + 1)));
		is = hp_buf_take(&b);
		ck_assert_str_eq(is ? is : "", raw[i][1]);
		hp_free(is);
	}
	/* array classes are not included in this number */
	ck_assert_uint_eq(names.counts.known, 4);
}
END_TEST

START_TEST(classes_with_dots)
{
	struct hp_buf b = {0};

	add_mapping("com.shop.Cart -> a.b:\n");
	load("a.b");
	load("a.b[][]");
	rename_all();
	for (uint32_t i = 1; i <= 2; i++)
		add_text(&b, hp_tables_load_name(&tables, hp_tables_load_serial(
								  &tables, i)));
	ck_assert_str_eq(hp_buf_string(&b), "com.shop.Cartcom.shop.Cart[][]");
	hp_buf_release(&b);
}
END_TEST

START_TEST(one_mapping_after_the_other)
{
	add_mapping("lib.x -> a:\n"
		    "    1:9:void q():1:9 -> b\n");
	add_mapping("org.lib.Parser -> lib.x:\n"
		    "    1:9:void parse():101:109 -> q\n");
	frame(1, load("a"), "b", "()V", "SourceFile", 4);
	trace(1, 1, (uint64_t[]){1});
	rename_all();
	ck_trace(1, "org.lib.Parser.parse()V(Parser.java:104)");
}
END_TEST

/* ---- renaming stack frames ---- */

START_TEST(lines)
{
	uint32_t a;

	add_mapping("p.A -> a:\n"
		    "# {\"id\":\"sourceFile\",\"fileName\":\"Names.kt\"}\n"
		    "    1:3:void range():11:13 -> m\n"
		    "    4:6:void same():20 -> m\n"
		    "    7:9:void kept() -> m\n"
		    "    void whole() -> w\n"
		    "    void one():5:5 -> v\n");
	a = load("a");
	frame(1, a, "m", "()V", "SourceFile", 2);
	frame(2, a, "m", "()V", "SourceFile", 5);
	frame(3, a, "m", "()V", "SourceFile", 9);
	frame(4, a, "m", "()V", "SourceFile", 10);
	frame(5, a, "m", "()V", "SourceFile", -1);
	frame(6, a, "w", "()V", "SourceFile", 77);
	frame(7, a, "v", "()V", "SourceFile", 3);
	frame(8, a, "other", "(La;)La;", NULL, 3);
	for (uint32_t i = 1; i <= 8; i++)
		trace(i, 1, (uint64_t[]){i});
	rename_all();
	ck_trace(1, "p.A.range()V(Names.kt:12)");
	ck_trace(2, "p.A.same()V(Names.kt:20)");
	ck_trace(3, "p.A.kept()V(Names.kt:9)");
	/* several original methods are possible, so the name does not change */
	ck_trace(4, "p.A.m()V(Names.kt:10)");
	ck_trace(5, "p.A.m()V(Names.kt:-1)");
	ck_trace(6, "p.A.whole()V(Names.kt:77)");
	ck_trace(7, "p.A.one()V(Names.kt:5)");
	ck_trace(8, "p.A.other(Lp/A;)Lp/A;(Names.kt:3)");
	ck_assert_uint_eq(names.counts.ambiguous, 2);
}
END_TEST

START_TEST(overloads)
{
	uint32_t a;

	add_mapping("p.A -> a:\n"
		    "    1:1:void put(p.B,int[]):10:10 -> m\n"
		    "    2:2:void add(java.lang.String):20:20 -> m\n"
		    "    1:1:p.B get():30:30 -> m\n"
		    "    # {'id':'com.android.tools.r8.residualsignature',"
		    "'signature':'()Ljava/lang/Object;'}\n"
		    "    4:4:void last():40:40 -> m\n"
		    "p.B -> b:\n");
	a = load("a");
	frame(1, a, "m", "(Lb;[I)V", "SourceFile", 1);
	frame(2, a, "m", "(Ljava/lang/String;)V", "SourceFile", 2);
	frame(3, a, "m", "()Ljava/lang/Object;", "SourceFile", 1);
	frame(4, a, "m", "(unknown)", "SourceFile", 4);
	for (uint32_t i = 1; i <= 4; i++)
		trace(i, 1, (uint64_t[]){i});
	rename_all();
	ck_trace(1, "p.A.put(Lp/B;[I)V(A.java:10)");
	ck_trace(2, "p.A.add(Ljava/lang/String;)V(A.java:20)");
	ck_trace(3, "p.A.get()Lp/B;(A.java:30)");
	ck_trace(4, "p.A.last()V(A.java:40)");
}
END_TEST

START_TEST(inlined_frames)
{
	add_mapping("p.A -> a:\n"
		    "    4:4:void p.C.inner(int):225:225 -> m\n"
		    "    4:4:void p.B$Part.middle():7 -> m\n"
		    "    4:4:void run():2 -> m\n"
		    "p.C -> c:\n"
		    "# {id: 'sourceFile', fileName: 'Other.kt'}\n");
	frame(1, load("a"), "m", "()V", "SourceFile", 4);
	frame(2, load("x"), "y", "()V", "X.java", 1);
	trace(1, 2, (uint64_t[]){1, 2});
	trace(2, 1, (uint64_t[]){2});
	rename_all();
	ck_trace(1, "p.C.inner(I)V(Other.kt:225) p.B$Part.middle()V(B.java:7) "
		    "p.A.run()V(A.java:2) x.y()V(X.java:1)");
	ck_trace(2, "x.y()V(X.java:1)");
}
END_TEST

/*
 * Test frames of methods that the compiler has generated. They are removed,
 * unless the trace has no other frame.
 */
START_TEST(made_frames)
{
	static const char made[] = "com.android.tools.r8.synthesized";
	char text[1024];

	snprintf(text, sizeof(text),
		 "p.A$$ExternalSyntheticLambda0 -> a:\n"
		 "# {\"id\":\"%s\"}\n"
		 "    4:4:void p.A.lambda$run$0():33 -> run\n"
		 "    4:4:void run():0 -> run\n"
		 "    # {\"id\":\"%s\"}\n"
		 "    5:5:void alone():0 -> run\n",
		 made, made);
	add_mapping(text);
	load("a");
	frame(1, 1, "run", "()V", "SourceFile", 4);
	frame(2, 1, "run", "()V", "SourceFile", 5);
	trace(1, 2, (uint64_t[]){1, 2});
	rename_all();
	ck_trace(1, "p.A.lambda$run$0()V(A.java:33) "
		    "p.A$$ExternalSyntheticLambda0.alone()V(A.java:0)");
}
END_TEST

START_TEST(outlines)
{
	add_mapping("p.Outline -> o:\n"
		    "# {'id':'com.android.tools.r8.synthesized'}\n"
		    "    1:2:int outline():0:0 -> a\n"
		    "    # {'id':'com.android.tools.r8.outline'}\n"
		    "p.A -> a:\n"
		    "    4:4:int first():23:23 -> m\n"
		    "    5:5:int second():42:42 -> m\n"
		    "    27:27:int call():98:98 -> m\n"
		    "    # {'id':'com.android.tools.r8.outlineCallsite',"
		    "'positions':{'2':5,'1':4}}\n");
	frame(1, load("o"), "a", "()I", "SourceFile", 1);
	frame(2, 1, "a", "()I", "SourceFile", 2);
	frame(3, load("a"), "m", "()I", "SourceFile", 27);
	trace(1, 2, (uint64_t[]){1, 3});
	trace(2, 2, (uint64_t[]){2, 3});
	trace(3, 1, (uint64_t[]){3});
	trace(4, 1, (uint64_t[]){1});
	rename_all();
	ck_trace(1, "p.A.first()I(A.java:23)");
	ck_trace(2, "p.A.second()I(A.java:42)");
	ck_trace(3, "p.A.call()I(A.java:98)");
	ck_trace(4, "p.Outline.outline()I(Outline.java:0)");
}
END_TEST

/*
 * Comments that do not concern stack frames of a heap dump have no effect:
 * rewriteFrame is for the stack traces of exceptions, and later versions of the
 * format may have comments that are not known here.
 */
START_TEST(ignored_comments)
{
	add_mapping(
		"# {\"id\":\"com.android.tools.r8.mapping\","
		"\"version\":\"99.0\"}\n"
		"p.A -> a:\n"
		"# {\"id\":\"com.example.unknown\",\"fileName\":\"Wrong.kt\","
		"\"signature\":\"(I)V\"}\n"
		"    4:4:void p.C.inner():225:225 -> m\n"
		"    4:4:void run():2 -> m\n"
		"    # {\"id\":\"com.android.tools.r8.rewriteFrame\","
		"\"conditions\":[\"throws(Ljava/lang/NullPointerException;)\"]"
		",\"actions\":[\"removeInnerFrames(1)\"]}\n"
		"    # {\"id\":\"com.example.unknown\","
		"\"positions\":{\"1\":4}}\n");
	frame(1, load("a"), "m", "()V", "SourceFile", 4);
	trace(1, 1, (uint64_t[]){1});
	rename_all();
	ck_trace(1, "p.C.inner()V(C.java:225) p.A.run()V(A.java:2)");
}
END_TEST

/* ---- malicious mapping files ---- */

static enum hp_status
parse(const char *text, size_t n)
{
	struct hp_name_mapping *m;
	struct hp_error err = {0};
	enum hp_status st = hp_mapping_parse(&m, text, n, &err);

	ck_assert_int_eq(st != HP_OK, err.text[0] != 0);
	hp_mapping_close(m);
	return st;
}

START_TEST(no_mapping)
{
	static char huge[(1 << 20) + 8];

	ck_assert_int_eq(parse("", 0), HP_DAMAGED);
	ck_assert_int_eq(parse("JAVA PROFILE 1.0.2", 18), HP_DAMAGED);
	ck_assert_int_eq(parse("    int a -> b\n", 15), HP_DAMAGED);
	memset(huge, 'a', sizeof(huge));
	ck_assert_int_eq(parse(huge, sizeof(huge)), HP_DAMAGED);
	huge[sizeof(huge) - 1] = '\n';
	ck_assert_int_eq(parse(huge, sizeof(huge)), HP_DAMAGED);
}
END_TEST

START_TEST(odd_lines)
{
	static const char text[] =
		"A -> a:\n"
		"    1 -> b\n 1: -> b\n 1:2: -> b\n 99999999999:1:void m():7 "
		"-> b\n"
		"    void ( -> b\n    void ) -> b\n    void m(,) -> \n"
		"    void m():1:2:3:x -> b\n    int[][] [] -> []\n"
		"    # {\n    # {'positions':{'1':2,'x':{},3}}\n"
		"    # {\"id\":\"\\\"\n    # {'id':'com.android.tools.r8."
		"outlineCallsite','positions':{1:2,9999999999:1,'':''}}\n"
		"    # {'id':'com.android.tools.r8.residualsignature'}\n"
		"    # {'id':'com.android.tools.r8.residualsignature',"
		"'signature':'('}\n";

	for (size_t n = 9; n <= sizeof(text) - 1; n++)
		must(parse(text, n) == HP_OK);
}
END_TEST

/*
 * Test 100,000 classes with a cycle of renamings: the name of each class is the
 * original name of the next class.
 */
START_TEST(many_classes)
{
	struct hp_buf b = {0};
	uint32_t n = 100000, serial;

	for (uint32_t i = 0; i < n; i++)
		hp_buf_printf(&b,
			      "c%u -> c%u:\n    int f -> a\n"
			      "    1:1:void m(c%u):1 -> a\n",
			      (i + 1) % n, i, i);
	hp_buf_byte(&b, 0);
	add_mapping(b.data);
	hp_buf_release(&b);
	serial = load("c99999");
	frame(1, serial, "a", "(Lc99998;)V", "SourceFile", 1);
	trace(1, 1, (uint64_t[]){1});
	rename_all();
	ck_trace(1, "c0.m(Lc99999;)V(c0.java:1)");
}
END_TEST

/*
 * Test that very deep inlining is truncated, and that lookups remain fast if
 * many ranges of lines are equal.
 */
START_TEST(deep_and_wide)
{
	struct hp_buf b = {0};

	hp_buf_text(&b, "A -> a:\n");
	for (unsigned i = 0; i < 100000; i++)
		hp_buf_printf(&b, "    1:1:void i%u():1 -> m\n", i);
	for (unsigned i = 0; i < 100000; i++)
		hp_buf_printf(&b, "    1:%u:void o%u():1 -> n\n", i + 2, i);
	hp_buf_byte(&b, 0);
	add_mapping(b.data);
	hp_buf_release(&b);
	load("a");
	for (uint64_t i = 1; i <= 20000; i++)
		frame(i, 1, i % 2 ? "m" : "n", "()V", "SourceFile", (int)i);
	trace(1, 2, (uint64_t[]){1, 2});
	rename_all();
	ck_assert_uint_eq(hp_tables_trace(&tables, 1)->nframes, 65);
}
END_TEST

Suite *
test_mapping_suite(void)
{
	Suite *s = suite_create("mapping");
	TCase *t = tcase_create("mapping");

	tcase_add_checked_fixture(t, set_up, tear_down);
	tcase_set_timeout(t, 20);
	tcase_add_test(t, classes_of_all_spellings);
	tcase_add_test(t, classes_with_dots);
	tcase_add_test(t, one_mapping_after_the_other);
	tcase_add_test(t, lines);
	tcase_add_test(t, overloads);
	tcase_add_test(t, inlined_frames);
	tcase_add_test(t, made_frames);
	tcase_add_test(t, outlines);
	tcase_add_test(t, ignored_comments);
	tcase_add_test(t, no_mapping);
	tcase_add_test(t, odd_lines);
	tcase_add_test(t, many_classes);
	tcase_add_test(t, deep_and_wide);
	suite_add_tcase(s, t);
	return s;
}
